//! Tells the crate the hash of the code that translates programs.

#[path = "../../shader-cache/code_hash.rs"]
mod code_hash;

fn main() {
    code_hash::export(
        "MOBILEGL_GLES_CODE_HASH",
        &["src", "../../pipe/src/program.rs", "../../pipe/src/program"],
        &["spirv-cross2", "spirv-cross-sys"],
    );
}
