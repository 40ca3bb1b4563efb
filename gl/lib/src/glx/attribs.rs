//! Attribute lists: pairs that end with None; those of glXChooseVisual name booleans alone. Nothing is interpreted here.

use super::types::NONE;
use gl_enums::glx::{GLX_DOUBLEBUFFER, GLX_RGBA, GLX_STEREO, GLX_USE_GL};
use std::ffi::c_int;

/// Pairs of a list; null is empty.
///
/// # Safety
/// Module rule 1.
pub(super) unsafe fn pairs(list: *const c_int) -> Vec<(c_int, c_int)> {
    let mut pairs = Vec::new();
    if list.is_null() {
        return pairs;
    }
    for i in 0.. {
        // SAFETY: rule 1: None was not met yet.
        let name = unsafe { *list.add(2 * i) };
        if name == NONE {
            break;
        }
        // SAFETY: rule 1: a name is followed by its value.
        pairs.push((name, unsafe { *list.add(2 * i + 1) }));
    }
    pairs
}

/// The list of glXChooseVisual: a boolean that is there is true ("Backwards Compatibility").
///
/// # Safety
/// Module rule 1.
pub(super) unsafe fn visual(list: *const c_int) -> Vec<(c_int, c_int)> {
    let mut pairs = Vec::new();
    if list.is_null() {
        return pairs;
    }
    let mut at = 0;
    loop {
        // SAFETY: rule 1: None was not met yet.
        let name = unsafe { *list.add(at) };
        at += 1;
        match name {
            NONE => return pairs,
            GLX_USE_GL | GLX_RGBA | GLX_DOUBLEBUFFER | GLX_STEREO => pairs.push((name, 1)),
            _ => {
                // SAFETY: rule 1: all others are followed by their value.
                pairs.push((name, unsafe { *list.add(at) }));
                at += 1;
            }
        }
    }
}
