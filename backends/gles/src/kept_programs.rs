//! Driver programs whose binaries were kept on disk, by everything that they were made from. It must never make a program of a binary
//! that the driver did not take.

use crate::driver::Gl;
use crate::programs::Variant;
use glow::HasContext;
use shader_cache::{Cache, Key};
use std::sync::Arc;

/// The cache with what all keys have in common.
#[derive(Debug)]
pub struct KeptPrograms {
    cache: Arc<Cache>,
    /// The driver and what of it is used.
    driver: String,
}

impl KeptPrograms {
    /// `None` where the driver gives no binaries.
    pub fn new(gl: &Gl, cache: Option<Arc<Cache>>) -> Option<Self> {
        let cache = cache?;
        // SAFETY: GL rule 1; one integer of ES 3.0.
        let formats = unsafe { gl.get_parameter_i32(glow::NUM_PROGRAM_BINARY_FORMATS) };
        if formats <= 0 {
            return None;
        }
        // SAFETY: GL rule 1.
        let string = |name| unsafe { gl.get_parameter_string(name) };
        let driver = format!(
            "{}\0{}\0{}\0{:?}",
            string(glow::VENDOR),
            string(glow::RENDERER),
            string(glow::VERSION),
            gl.features
        );
        Some(Self { cache, driver })
    }

    /// Where a variant of the program with this archive is kept.
    pub fn key(&self, archive: &Key, variant: Variant) -> Key {
        let code = env!("MOBILEGL_GLES_CODE_HASH").as_bytes();
        let variant = format!("{variant:?}");
        Key::of(
            "gles program",
            &[
                code,
                self.driver.as_bytes(),
                archive.bytes(),
                variant.as_bytes(),
            ],
        )
    }

    /// The program of a kept binary, linked.
    pub fn load(&self, gl: &Gl, key: &Key) -> Option<glow::NativeProgram> {
        let mut bytes = self.cache.get(key)?;
        let format = bytes.split_off(bytes.len().checked_sub(4)?);
        let binary = glow::ProgramBinary {
            buffer: bytes,
            format: u32::from_le_bytes(format.try_into().ok()?),
        };
        // SAFETY: GL rules 1 to 3. A driver may refuse a binary, of an older version of itself for one; the link status says so
        // (ES 3.2 §7.5), and the error that it may raise is taken out.
        unsafe {
            let name = gl.create_program().ok()?;
            gl.program_binary(name, &binary);
            if gl.get_program_link_status(name) {
                return Some(name);
            }
            gl.get_error();
            gl.delete_program(name);
        }
        self.cache.remove(key);
        None
    }

    /// Keeps a linked program. It was told before the link that its binary will be asked for.
    pub fn store(&self, gl: &Gl, key: &Key, name: glow::NativeProgram) {
        // SAFETY: GL rules 1 and 2.
        let Some(binary) = (unsafe { gl.get_program_binary(name) }) else {
            return;
        };
        if !binary.buffer.is_empty() {
            let mut bytes = binary.buffer;
            bytes.extend_from_slice(&binary.format.to_le_bytes());
            self.cache.put(key, &bytes);
        }
    }
}
