//! Program binaries (GL 4.6 §7.5): the archive of what a link yielded, with a hash of all that must be the same where it is loaded.
//! It must not load what it did not write: a binary of another library, another driver or with a bit turned is refused.

use gl_enums::GLenum;
use pipe::Caps;
use pipe::program::ProgramArtifact;
use shader_cache::Key;

/// The one format. No registry has it: the numbers that Khronos gives out have sixteen bits.
pub const FORMAT: GLenum = 0x4d47_4c42;

const KIND: &str = "program binary";

/// What `glGetProgramBinary` returns.
pub fn of(artifact: &ProgramArtifact, caps: &Caps) -> Vec<u8> {
    let archive = artifact.to_archive();
    let mut out = key(&archive, caps).bytes().to_vec();
    out.extend_from_slice(&archive);
    out
}

/// Reads what [`of`] returned.
pub fn load(binary: &[u8], caps: &Caps) -> Result<ProgramArtifact, String> {
    let other = || "error: the binary is damaged, or of another library or driver\n".to_owned();
    let (hash, archive) = binary.split_first_chunk::<32>().ok_or_else(other)?;
    if key(archive, caps).bytes() != hash {
        return Err(other());
    }
    ProgramArtifact::from_archive(archive).map_err(|error| format!("error: {error}\n"))
}

fn key(archive: &[u8], caps: &Caps) -> Key {
    let parts = [gl_glsl::CODE_HASH, caps.backend, &caps.device, &caps.driver];
    let [code, backend, device, driver] = parts.map(str::as_bytes);
    Key::of(KIND, &[code, backend, device, driver, archive])
}
