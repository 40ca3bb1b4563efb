//! Attribute lists: pairs that end with EGL_NONE, of 32-bit or pointer-sized integers. Nothing is interpreted here.

use super::types::EGLAttrib;
use gl_enums::egl::{EGL_NONE, EGLint};

/// Pairs of a list; null is empty.
///
/// # Safety
/// Module rule 1.
pub(super) unsafe fn ints(list: *const EGLint) -> Vec<(EGLint, EGLAttrib)> {
    let mut pairs = Vec::new();
    if list.is_null() {
        return pairs;
    }
    for i in 0.. {
        // SAFETY: rule 1: EGL_NONE was not met yet.
        let name = unsafe { *list.add(2 * i) };
        if name == EGL_NONE {
            break;
        }
        // SAFETY: rule 1: a name is followed by its value.
        let value = unsafe { *list.add(2 * i + 1) };
        pairs.push((name, value as EGLAttrib));
    }
    pairs
}

/// As [`ints`], of pointer-sized integers (EGL 1.5 forms).
///
/// # Safety
/// Module rule 1.
pub(super) unsafe fn attribs(list: *const EGLAttrib) -> Vec<(EGLint, EGLAttrib)> {
    let mut pairs = Vec::new();
    if list.is_null() {
        return pairs;
    }
    for i in 0.. {
        // SAFETY: rule 1: EGL_NONE was not met yet.
        let name = unsafe { *list.add(2 * i) };
        if name == EGL_NONE as EGLAttrib {
            break;
        }
        // SAFETY: rule 1: a name is followed by its value.
        let value = unsafe { *list.add(2 * i + 1) };
        pairs.push((name as EGLint, value));
    }
    pairs
}
