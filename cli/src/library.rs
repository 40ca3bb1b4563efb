//! The calls that this program makes into the built library: `mobileglDoctor`, which must run in a process of its own, because it opens
//! drivers, and drivers crash; and `mobileglFaults`, which opens none.

use std::ffi::{OsStr, c_char};

use anyhow::{Context, Result, ensure};
use libloading::{Library, Symbol};

type Report = unsafe extern "C" fn(buffer: *mut c_char, length: usize) -> usize;

/// What this machine's drivers offer, as JSON.
pub fn doctor(path: &OsStr) -> Result<String> {
    report(path, "mobileglDoctor")
}

/// The faults that the library can plant, as JSON.
pub fn faults(path: &OsStr) -> Result<String> {
    report(path, "mobileglFaults")
}

fn report(path: &OsStr, function: &str) -> Result<String> {
    // SAFETY: the library's initialisers touch only its own statics.
    let library = unsafe { Library::new(path) }.context("the library does not load")?;
    // SAFETY: the library declares both functions as `size_t (char *, size_t)`, which is `Report`.
    let call: Symbol<'_, Report> = unsafe { library.get(function.as_bytes()) }
        .with_context(|| format!("this library has no {function}; is it ours?"))?;
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
