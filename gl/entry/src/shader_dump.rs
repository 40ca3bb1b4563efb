//! Writes every shader source and the code of every linked program to a folder, to be looked at or compiled by other tools. It must never
//! change what a program gets.

use pipe::program::{ProgramArtifact, Stage};
use shader_cache::Key;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// From now on shaders are written there. The first folder told stays.
pub fn dump_to(folder: PathBuf) {
    let _ = FOLDER.set(folder);
}

/// A source as the application gave it: `HASH.frag`, with the suffixes that glslang's tools know.
pub fn source(stage: Stage, text: &str) {
    if let Some(folder) = FOLDER.get() {
        write(folder, text.as_bytes(), suffix(stage));
    }
}

/// The code of a linked program, a file each stage: `HASH.frag.spv`.
pub fn program(artifact: &ProgramArtifact) {
    let Some(folder) = FOLDER.get() else { return };
    for stage in &artifact.stages {
        let bytes: Vec<u8> = stage.spirv.iter().flat_map(|w| w.to_le_bytes()).collect();
        write(folder, &bytes, &format!("{}.spv", suffix(stage.stage)));
    }
}

fn suffix(stage: Stage) -> &'static str {
    match stage {
        Stage::Vertex => "vert",
        Stage::TessControl => "tesc",
        Stage::TessEval => "tese",
        Stage::Geometry => "geom",
        Stage::Fragment => "frag",
        Stage::Compute => "comp",
    }
}

/// The same bytes have the same name, so a second time writes nothing new.
fn write(folder: &Path, bytes: &[u8], suffix: &str) {
    let key = Key::of(suffix, &[bytes]);
    let name: String = key.bytes()[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let path = folder.join(format!("{name}.{suffix}"));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, bytes));
    if let Err(error) = written {
        tracing::warn!("cannot write {}: {error}", path.display());
    }
}
