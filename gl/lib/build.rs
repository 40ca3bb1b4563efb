//! Prints the linker's arguments for the library's name. It generates and compiles nothing.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libMobileGL.so");
}
