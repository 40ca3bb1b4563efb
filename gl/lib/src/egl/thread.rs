//! What EGL keeps per thread: the error of the last call and the bound client API (§3.1, §3.7).

use super::types::EGLenum;
use gl_enums::egl::{EGL_NONE, EGL_SUCCESS, EGLint};
use std::cell::Cell;

thread_local! {
    static ERROR: Cell<EGLint> = const { Cell::new(EGL_SUCCESS) };
    // §3.7: OPENGL_ES at first "unless OpenGL ES is not supported", then NONE.
    static API: Cell<EGLenum> = const { Cell::new(EGL_NONE as EGLenum) };
}

/// Records an error and returns `value`.
pub fn fail<T>(error: EGLint, value: T) -> T {
    ERROR.set(error);
    value
}

/// Records success and returns `value`.
pub fn succeed<T>(value: T) -> T {
    ERROR.set(EGL_SUCCESS);
    value
}

pub(super) fn take_error() -> EGLint {
    ERROR.replace(EGL_SUCCESS)
}

pub(super) fn api() -> EGLenum {
    API.get()
}

pub(super) fn set_api(api: EGLenum) {
    API.set(api);
}

/// Initial state again (eglReleaseThread).
pub(super) fn reset() {
    ERROR.set(EGL_SUCCESS);
    API.set(EGL_NONE as EGLenum);
}
