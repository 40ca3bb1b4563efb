//! Devices (EGL_EXT_device_enumeration, EGL_EXT_device_query): one, the backend's.

use super::below::for_system;
use super::state::{lock, pointer};
use super::types::*;
use super::{fail, succeed};
use gl_enums::egl::*;
use std::ffi::{c_char, c_void};

/// The one device's handle.
const DEVICE: usize = 0x100;

pub(super) fn is_device(device: *mut c_void) -> bool {
    device as usize == DEVICE
}

/// EGL_EXT_device_enumeration.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglQueryDevicesEXT(
    max: EGLint,
    devices: *mut *mut c_void,
    count: *mut EGLint,
) -> EGLBoolean {
    for_system!(eglQueryDevicesEXT(max: EGLint, devices: *mut *mut c_void, count: *mut EGLint) -> EGLBoolean);
    if count.is_null() || (!devices.is_null() && max <= 0) {
        return fail(EGL_BAD_PARAMETER, EGL_FALSE as EGLBoolean);
    }
    if !devices.is_null() {
        // SAFETY: rule 1: the array has `max` elements, at least one.
        unsafe { *devices = pointer(DEVICE) };
    }
    // SAFETY: rule 1, and not null.
    unsafe { *count = 1 };
    succeed(EGL_TRUE as EGLBoolean)
}

/// EGL_EXT_device_query.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglQueryDeviceStringEXT(
    device: *mut c_void,
    name: EGLint,
) -> *const c_char {
    for_system!(eglQueryDeviceStringEXT(device: *mut c_void, name: EGLint) -> *const c_char);
    if !is_device(device) {
        return fail(EGL_BAD_DEVICE_EXT, std::ptr::null());
    }
    match name {
        EGL_EXTENSIONS => succeed(c"".as_ptr()),
        _ => fail(EGL_BAD_PARAMETER, std::ptr::null()),
    }
}

/// EGL_EXT_device_query: our device has no attributes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglQueryDeviceAttribEXT(
    device: *mut c_void,
    name: EGLint,
    value: *mut EGLAttrib,
) -> EGLBoolean {
    for_system!(eglQueryDeviceAttribEXT(device: *mut c_void, name: EGLint, value: *mut EGLAttrib) -> EGLBoolean);
    // There is none: no device has attributes.
    let _ = (name, value);
    let error = if is_device(device) {
        EGL_BAD_ATTRIBUTE
    } else {
        EGL_BAD_DEVICE_EXT
    };
    fail(error, EGL_FALSE as EGLBoolean)
}

/// EGL_EXT_device_query.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglQueryDisplayAttribEXT(
    display: *mut c_void,
    name: EGLint,
    value: *mut EGLAttrib,
) -> EGLBoolean {
    for_system!(eglQueryDisplayAttribEXT(display: *mut c_void, name: EGLint, value: *mut EGLAttrib) -> EGLBoolean);
    match lock().displays.get(&(display as usize)) {
        None => return fail(EGL_BAD_DISPLAY, EGL_FALSE as EGLBoolean),
        Some(display) if !display.initialized => {
            return fail(EGL_NOT_INITIALIZED, EGL_FALSE as EGLBoolean);
        }
        Some(_) => {}
    }
    if name != EGL_DEVICE_EXT || value.is_null() {
        return fail(EGL_BAD_ATTRIBUTE, EGL_FALSE as EGLBoolean);
    }
    // SAFETY: rule 1, and not null.
    unsafe { *value = DEVICE as EGLAttrib };
    succeed(EGL_TRUE as EGLBoolean)
}
