//! Prints the linker's arguments for the library's name and its map. It generates and compiles nothing.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if let Some(map) = map() {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-Map={map}");
    }
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libMobileGL.so");
    // Our own table of GL commands must hold our own functions, also where the process has another libGL loaded first;
    // and the loader need not look up 1,400 names.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-Bsymbolic-functions");
}

/// Where the linker says what it put in: beside the library, by whether the profiler or the pull path is in it.
fn map() -> Option<String> {
    let has = |feature: &str| std::env::var_os(format!("CARGO_FEATURE_{feature}")).is_some();
    let variant = match (has("TRACY"), has("PULL")) {
        (true, _) => "tracy",
        (false, true) => "default",
        (false, false) => "shipping",
    };
    // target/PROFILE/build/mobilegl-HASH/out
    let out = std::path::PathBuf::from(std::env::var_os("OUT_DIR")?);
    let profile = out.ancestors().nth(3)?;
    Some(
        profile
            .join(format!("libMobileGL.{variant}.map"))
            .display()
            .to_string(),
    )
}
