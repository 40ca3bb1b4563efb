//! Versions and strings ("GLX Versioning"). They say what is there and change nothing.

use super::types::*;
use crate::x11::Connection;
use gl_enums::glx::*;
use std::ffi::{CStr, c_char, c_int};

/// Extensions, of client and server alike: there is no server of ours.
const EXTENSIONS: &CStr = c"GLX_ARB_create_context GLX_ARB_create_context_no_error GLX_ARB_create_context_profile GLX_ARB_create_context_robustness GLX_ARB_framebuffer_sRGB GLX_ARB_get_proc_address GLX_EXT_swap_control GLX_EXT_visual_info GLX_EXT_visual_rating GLX_MESA_swap_control GLX_SGI_make_current_read GLX_SGI_swap_control GLX_SGIX_fbconfig GLX_SGIX_pbuffer";

/// "GLX Versioning". True on any X server: nothing is asked of its own GLX.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXQueryExtension(
    display: Display,
    error_base: *mut c_int,
    event_base: *mut c_int,
) -> Bool {
    let Ok(server) = Connection::Xlib(display as usize).server() else {
        return FALSE;
    };
    let codes = server.glx;
    for (out, value) in [
        (error_base, codes.first_error),
        (event_base, codes.first_event),
    ] {
        if !out.is_null() {
            // SAFETY: rule 1, and not null.
            unsafe { *out = value.into() };
        }
    }
    TRUE
}

/// "GLX Versioning".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXQueryVersion(
    _display: Display,
    major: *mut c_int,
    minor: *mut c_int,
) -> Bool {
    for (out, value) in [(major, 1), (minor, 4)] {
        if !out.is_null() {
            // SAFETY: rule 1, and not null.
            unsafe { *out = value };
        }
    }
    TRUE
}

/// "GLX Versioning".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXQueryExtensionsString(
    _display: Display,
    _screen: c_int,
) -> *const c_char {
    EXTENSIONS.as_ptr()
}

fn string(name: c_int) -> *const c_char {
    match name {
        GLX_VENDOR => c"MobileGL".as_ptr(),
        GLX_VERSION => c"1.4".as_ptr(),
        GLX_EXTENSIONS => EXTENSIONS.as_ptr(),
        _ => std::ptr::null(),
    }
}

/// "GLX Versioning".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXQueryServerString(
    _display: Display,
    _screen: c_int,
    name: c_int,
) -> *const c_char {
    string(name)
}

/// "GLX Versioning".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetClientString(_display: Display, name: c_int) -> *const c_char {
    string(name)
}
