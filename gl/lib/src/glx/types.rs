//! GLX's C types (glx.h, Xlib.h).

use std::ffi::{c_int, c_ulong, c_void};

/// Xlib's `Display *`.
pub type Display = *mut c_void;
/// An X resource's id.
pub type Xid = c_ulong;
/// Xlib's `Bool`.
pub type Bool = c_int;
/// `GLXContext`.
pub type GlxContext = *mut c_void;
/// `GLXFBConfig`.
pub type GlxFbConfig = *mut c_void;

pub const TRUE: Bool = 1;
pub const FALSE: Bool = 0;
/// Xlib's `None`, which ends attribute lists.
pub const NONE: c_int = 0;
