//! Development tasks: code generation from the Khronos registry and look-ups over the sources. Never linked into the library.

#![forbid(unsafe_code)]

pub mod codegen;
pub mod ctype;
pub mod emit_catalogue;
pub mod emit_coverage;
pub mod emit_entry;
pub mod emit_enums;
pub mod emit_inputs;
pub mod names;
pub mod registry;
pub mod rows;
pub mod whereis;

use std::path::PathBuf;

/// The workspace's root folder.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies one folder below the root")
        .to_path_buf()
}
