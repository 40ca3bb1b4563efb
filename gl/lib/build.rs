//! Prints the linker's arguments for the library's name. It generates and compiles nothing.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libMobileGL.so");
    // Our own table of GL commands must hold our own functions, also where the process has another libGL loaded first;
    // and the loader need not look up 1,400 names.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-Bsymbolic-functions");
}
