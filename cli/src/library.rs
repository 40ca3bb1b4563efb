//! The one call that this program makes into the built library: `mobileglDoctor`. It must run in a process of its own,
//! because the library opens drivers, and drivers crash.

use std::ffi::{OsStr, c_char};

use anyhow::{Context, Result, ensure};
use libloading::{Library, Symbol};

type Doctor = unsafe extern "C" fn(buffer: *mut c_char, length: usize) -> usize;

/// The text of the report.
pub fn doctor(path: &OsStr) -> Result<String> {
    // SAFETY: the caller is the probe process, which runs nothing else; the library's initialisers touch only its own statics.
    let library = unsafe { Library::new(path) }.context("the library does not load")?;
    // SAFETY: the library declares `size_t mobileglDoctor(char *, size_t)`, which is `Doctor`.
    let call: Symbol<'_, Doctor> = unsafe { library.get(b"mobileglDoctor\0") }
        .context("this library has no mobileglDoctor; is it ours?")?;
    let mut text = vec![0u8; 64 * 1024];
    loop {
        // SAFETY: the buffer has `text.len()` bytes, and the function writes at most as many as it is told.
        let length = unsafe { call(text.as_mut_ptr().cast(), text.len()) };
        if length <= text.len() {
            text.truncate(length);
            // Drivers started threads that may still run its code.
            std::mem::forget(library);
            return String::from_utf8(text).context("the report is not UTF-8");
        }
        ensure!(length <= 16 << 20, "the report claims {length} bytes");
        text.resize(length, 0);
    }
}
