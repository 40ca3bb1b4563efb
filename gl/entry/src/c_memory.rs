//! What commands do with the pointers of their C arguments: read arrays and strings, write answers. It keeps no pointer.
//!
//! Rule for every unsafe block that calls in here (rule 1 of [`gl_state::client_memory`]): the application passed the address to a GL
//! command whose specification makes it readable (or writable) for the size that the command computed from its other arguments.

use gl_enums::{GLchar, GLsizei};

/// `count` values at `at`; none where `at` is null.
///
/// # Safety
/// The rule above; the slice must not outlive the command.
#[inline]
pub unsafe fn slice<'a, T: Copy>(at: *const T, count: usize) -> &'a [T] {
    if at.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: the rule, passed on to the caller.
    unsafe { std::slice::from_raw_parts(at, count) }
}

/// `count` values at `at` to be written; none where `at` is null.
///
/// # Safety
/// The rule above; the slice must not outlive the command, and nothing else reads those bytes meanwhile.
#[inline]
pub unsafe fn slice_mut<'a, T: Copy>(at: *mut T, count: usize) -> &'a mut [T] {
    if at.is_null() || count == 0 {
        return &mut [];
    }
    // SAFETY: the rule, passed on to the caller.
    unsafe { std::slice::from_raw_parts_mut(at, count) }
}

/// Writes one answer; nothing where `at` is null.
///
/// # Safety
/// The rule above.
#[inline]
pub unsafe fn write<T>(at: *mut T, value: T) {
    if !at.is_null() {
        // SAFETY: the rule, passed on to the caller.
        unsafe { at.write_unaligned(value) };
    }
}

/// Writes as many answers as there are values; nothing where `at` is null.
///
/// # Safety
/// The rule above, for `values.len()` elements.
#[inline]
pub unsafe fn write_all<T: Copy>(at: *mut T, values: &[T]) {
    if !at.is_null() {
        // SAFETY: the rule, passed on to the caller; GL's answers never lie in our own memory.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), at, values.len()) };
    }
}

/// A string of `length` bytes, or up to its terminator where `length` is negative. Bytes that are no UTF-8 become U+FFFD.
///
/// # Safety
/// The rule above.
pub unsafe fn string(at: *const GLchar, length: i64) -> String {
    if at.is_null() {
        return String::new();
    }
    let bytes = if length < 0 {
        // SAFETY: the rule, passed on to the caller: it ends with a zero.
        unsafe { std::ffi::CStr::from_ptr(at) }.to_bytes()
    } else {
        // SAFETY: the rule, passed on to the caller.
        unsafe { slice(at.cast::<u8>(), length as usize) }
    };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Answers a string into `buf_size` bytes, cut and terminated; `length` gets what was written without the terminator.
///
/// # Safety
/// The rule above, for both pointers.
pub unsafe fn put_string(text: &str, buf_size: GLsizei, length: *mut GLsizei, out: *mut GLchar) {
    let room = usize::try_from(buf_size).unwrap_or(0);
    let written = if out.is_null() || room == 0 {
        0
    } else {
        let n = text.len().min(room - 1);
        // SAFETY: the rule, passed on to the caller: n + 1 <= buf_size bytes.
        unsafe { write_all(out.cast::<u8>(), &text.as_bytes()[..n]) };
        // SAFETY: as above.
        unsafe { write(out.add(n), 0) };
        n
    };
    // SAFETY: the rule, passed on to the caller.
    unsafe { write(length, written as GLsizei) };
}
