//! Tells the crate the hash of the code that makes its results.

#[path = "../../shader-cache/code_hash.rs"]
mod code_hash;

fn main() {
    code_hash::export(
        "MOBILEGL_GLSL_CODE_HASH",
        &["src", "../../pipe/src/program.rs", "../../pipe/src/program"],
        &["glslang-sys"],
    );
}
