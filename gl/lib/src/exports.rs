//! The library's own C functions: for tests, bisection, measurements and `mobilegl doctor`. They are no part of GL.
//!
//! Rule for the unsafe blocks: (1) a pointer is null or points to what the documentation of the function says.

use crate::composition;
use std::ffi::{CStr, c_char, c_int};

fn copy_out(text: &str, buffer: *mut c_char, length: usize) -> usize {
    if !buffer.is_null() {
        let n = text.len().min(length);
        // SAFETY: rule 1: `buffer` has `length` bytes.
        unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), buffer.cast::<u8>(), n) };
    }
    text.len()
}

/// # Safety
/// Rule 1.
unsafe fn text<'a>(pointer: *const c_char) -> Option<&'a str> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: rule 1: a C string.
    unsafe { CStr::from_ptr(pointer) }.to_str().ok()
}

/// Sets an option of scope *context* for contexts made from now on: 0, or -1 with the reason on standard error.
/// The shipping library refuses (-2): it only reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mobileglSetOption(name: *const c_char, value: *const c_char) -> c_int {
    if !cfg!(feature = "faults") {
        return -2;
    }
    // SAFETY: rule 1.
    let (Some(name), Some(value)) = (unsafe { text(name) }, unsafe { text(value) }) else {
        return -1;
    };
    match composition::set_option(name, value) {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("MobileGL: {error}");
            -1
        }
    }
}

/// The text of an option as the next context will have it; `pipe_push` of a current context: the mask in force.
/// Returns the length without terminator, 0 for an unknown name; writes as much as fits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mobileglGetOption(
    name: *const c_char,
    buffer: *mut c_char,
    length: usize,
) -> usize {
    // SAFETY: rule 1.
    let Some(name) = (unsafe { text(name) }) else {
        return 0;
    };
    composition::get_option(name).map_or(0, |value| copy_out(&value, buffer, length))
}

/// One bit's counters.
#[repr(C)]
pub struct ArmRow {
    pub bit: u64,
    pub push: u64,
    pub pull: u64,
}

/// How often each arm of each implemented bit told something, in the current context. Returns the number of rows; writes as many as fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mobileglArmCounters(rows: *mut ArmRow, length: usize) -> usize {
    let counters = composition::arm_counters();
    if !rows.is_null() {
        for (i, (bit, push, pull)) in counters.iter().take(length).enumerate() {
            // SAFETY: rule 1: `rows` has `length` elements.
            unsafe {
                rows.add(i).write(ArmRow {
                    bit: *bit,
                    push: *push,
                    pull: *pull,
                })
            };
        }
    }
    counters.len()
}

/// JSON: layout hash of the catalogue, version, features. A C string that lives as long as the library.
#[unsafe(no_mangle)]
pub extern "C" fn mobileglFingerprint() -> *const c_char {
    crate::fingerprint::text().as_ptr()
}

/// JSON: what backends and drivers this machine has and what they lack. Returns the whole length; writes as much as fits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mobileglDoctor(buffer: *mut c_char, length: usize) -> usize {
    copy_out(&crate::doctor::report(), buffer, length)
}

/// JSON: every fault that `MOBILEGL_PIPE_FAULT` can plant, an empty list in a build without faults. Returns the whole length; writes as
/// much as fits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mobileglFaults(buffer: *mut c_char, length: usize) -> usize {
    #[cfg(feature = "faults")]
    let text = crate::faults::report();
    #[cfg(not(feature = "faults"))]
    let text = "[]";
    copy_out(&text, buffer, length)
}
