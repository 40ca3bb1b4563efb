//! eglGetProcAddress (§3.11): every GL and EGL command that this library exports, and its own functions.

use super::below::for_system;
use super::succeed;
use super::{config, context, current, device, display, surface, sync};
use crate::exports;
use std::ffi::{CStr, c_char, c_void};

/// A function's address under its name.
struct Entry(&'static str, *const ());

// SAFETY: it is the address of a function, which nobody writes to.
unsafe impl Sync for Entry {}

macro_rules! table {
    ($($module:ident { $($name:ident)* })*) => {
        static TABLE: &[Entry] = &[$($(Entry(stringify!($name), $module::$name as *const ()),)*)*];
    };
}

table! {
    config { eglGetConfigs eglChooseConfig eglGetConfigAttrib }
    context { eglCreateContext eglDestroyContext eglQueryContext }
    current {
        eglMakeCurrent eglGetCurrentContext eglGetCurrentDisplay eglGetCurrentSurface eglReleaseThread
        eglWaitClient eglWaitGL eglWaitNative
    }
    device { eglQueryDevicesEXT eglQueryDeviceStringEXT eglQueryDeviceAttribEXT eglQueryDisplayAttribEXT }
    display {
        eglGetDisplay eglGetPlatformDisplay eglGetPlatformDisplayEXT eglInitialize eglTerminate eglQueryString
        eglGetError eglBindAPI eglQueryAPI
    }
    surface {
        eglCreatePbufferSurface eglCreateWindowSurface eglCreatePlatformWindowSurface eglCreatePlatformWindowSurfaceEXT
        eglCreatePixmapSurface eglCreatePlatformPixmapSurface eglCreatePlatformPixmapSurfaceEXT
        eglCreatePbufferFromClientBuffer eglDestroySurface eglSurfaceAttrib eglQuerySurface eglSwapBuffers
        eglSwapInterval eglCopyBuffers eglBindTexImage eglReleaseTexImage
    }
    sync {
        eglCreateSync eglCreateSyncKHR eglDestroySync eglDestroySyncKHR eglClientWaitSync eglClientWaitSyncKHR
        eglWaitSync eglWaitSyncKHR eglGetSyncAttrib eglGetSyncAttribKHR eglCreateImage eglDestroyImage
    }
    exports { mobileglSetOption mobileglGetOption mobileglArmCounters mobileglFingerprint mobileglDoctor }
}

/// §3.11. The address says nothing about support: that is for versions and extension strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglGetProcAddress(name: *const c_char) -> *const c_void {
    for_system!(eglGetProcAddress(name: *const c_char) -> *const c_void);
    if name.is_null() {
        return succeed(std::ptr::null());
    }
    // SAFETY: rule 1.
    let name = unsafe { CStr::from_ptr(name) };
    let Ok(name) = name.to_str() else {
        return succeed(std::ptr::null());
    };
    succeed(
        gl_entry::procs::address(name)
            .or_else(|| own_address(name))
            .or_else(|| crate::glx::address(name))
            .unwrap_or(std::ptr::null()),
    )
}

/// A function of EGL, or of the library's own, by its name.
pub fn own_address(name: &str) -> Option<*const c_void> {
    if name == "eglGetProcAddress" {
        return Some(eglGetProcAddress as *const c_void);
    }
    TABLE
        .iter()
        .find(|entry| entry.0 == name)
        .map(|entry| entry.1.cast())
}
