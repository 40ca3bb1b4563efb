//! Displays: platforms, initialisation, strings (§3.2, §3.3).

use super::below::for_system;
use super::state::{Display, lock, pointer};
use super::types::*;
use super::{attribs, device, fail, succeed, thread};
use crate::x11;
use gl_enums::egl::*;
use std::ffi::{CStr, c_char, c_void};
use std::sync::Arc;

/// Client extensions: those that need no display.
const CLIENT_EXTENSIONS: &CStr = c"EGL_EXT_client_extensions EGL_EXT_device_base EGL_EXT_device_enumeration EGL_EXT_device_query EGL_EXT_platform_base EGL_EXT_platform_device EGL_KHR_client_get_all_proc_addresses EGL_MESA_platform_surfaceless EGL_KHR_platform_x11 EGL_EXT_platform_x11 EGL_EXT_platform_xcb";
/// Extensions of every display.
const DISPLAY_EXTENSIONS: &CStr = c"EGL_KHR_create_context EGL_KHR_create_context_no_error EGL_KHR_get_all_proc_addresses EGL_KHR_no_config_context EGL_KHR_surfaceless_context EGL_KHR_fence_sync EGL_KHR_wait_sync EGL_EXT_create_context_robustness";

/// A display of a platform. The same arguments give the same display.
fn platform_display(platform: EGLenum, native: usize) -> *mut c_void {
    let mut state = lock();
    let known = state
        .displays
        .iter()
        .find(|(_, d)| d.platform == platform && d.native == native)
        .map(|(handle, _)| *handle);
    let handle = known.unwrap_or_else(|| {
        let handle = state.handle();
        state.displays.insert(
            handle,
            Display {
                platform,
                native,
                initialized: false,
                server: None,
            },
        );
        handle
    });
    succeed(pointer(handle))
}

fn get_platform_display(
    platform: EGLenum,
    native: *mut c_void,
    attributes: &[(EGLint, EGLAttrib)],
) -> *mut c_void {
    match platform as EGLint {
        EGL_PLATFORM_SURFACELESS_MESA => {
            // EGL_MESA_platform_surfaceless: the native display is EGL_DEFAULT_DISPLAY.
            if !native.is_null() {
                return fail(EGL_BAD_PARAMETER, std::ptr::null_mut());
            }
        }
        EGL_PLATFORM_DEVICE_EXT => {
            // EGL_EXT_platform_device: the native display is a device.
            if !device::is_device(native) {
                return fail(EGL_BAD_PARAMETER, std::ptr::null_mut());
            }
        }
        EGL_PLATFORM_X11_KHR | EGL_PLATFORM_XCB_EXT => {}
        _ => return fail(EGL_BAD_PARAMETER, std::ptr::null_mut()),
    }
    for (name, _) in attributes {
        match *name {
            // All screens of a server have the same configurations.
            EGL_PLATFORM_X11_SCREEN_KHR if platform as EGLint == EGL_PLATFORM_X11_KHR => {}
            EGL_PLATFORM_XCB_SCREEN_EXT if platform as EGLint == EGL_PLATFORM_XCB_EXT => {}
            EGL_TRACK_REFERENCES_KHR => {}
            _ => return fail(EGL_BAD_ATTRIBUTE, std::ptr::null_mut()),
        }
    }
    platform_display(platform, native as usize)
}

/// §3.2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglGetDisplay(native: *mut c_void) -> *mut c_void {
    for_system!(eglGetDisplay(native: *mut c_void) -> *mut c_void);
    if !native.is_null() {
        return platform_display(EGL_PLATFORM_X11_KHR as EGLenum, native as usize);
    }
    let platform = match default_platform_has_windows() {
        true => EGL_PLATFORM_X11_KHR,
        false => EGL_PLATFORM_SURFACELESS_MESA,
    };
    platform_display(platform as EGLenum, 0)
}

/// The default display is the X server's where there is one. `EGL_PLATFORM`, which Mesa reads as well, can name another platform.
fn default_platform_has_windows() -> bool {
    let asked = std::env::var("EGL_PLATFORM").unwrap_or_default();
    match asked.as_str() {
        "" | "x11" | "xcb" => x11::connect(None).is_ok(),
        _ => false,
    }
}

/// The server behind a display, on a platform that has one.
fn server_of(display: &Display) -> Result<Option<Arc<x11::Server>>, String> {
    let Some(connection) = display.connection() else {
        return Ok(None);
    };
    let server = connection.server()?;
    x11::use_in_session(&server)?;
    Ok(Some(server))
}

/// §3.2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglGetPlatformDisplay(
    platform: EGLenum,
    native: *mut c_void,
    list: *const EGLAttrib,
) -> *mut c_void {
    for_system!(eglGetPlatformDisplay(platform: EGLenum, native: *mut c_void, list: *const EGLAttrib) -> *mut c_void);
    // SAFETY: rule 1.
    get_platform_display(platform, native, &unsafe { attribs::attribs(list) })
}

/// EGL_EXT_platform_base.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglGetPlatformDisplayEXT(
    platform: EGLenum,
    native: *mut c_void,
    list: *const EGLint,
) -> *mut c_void {
    for_system!(eglGetPlatformDisplayEXT(platform: EGLenum, native: *mut c_void, list: *const EGLint) -> *mut c_void);
    // SAFETY: rule 1.
    get_platform_display(platform, native, &unsafe { attribs::ints(list) })
}

/// §3.2. Opens the backend, once per process.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglInitialize(
    display: *mut c_void,
    major: *mut EGLint,
    minor: *mut EGLint,
) -> EGLBoolean {
    for_system!(eglInitialize(display: *mut c_void, major: *mut EGLint, minor: *mut EGLint) -> EGLBoolean);
    let mut state = lock();
    let Some(display) = state.displays.get_mut(&(display as usize)) else {
        return fail(EGL_BAD_DISPLAY, EGL_FALSE as EGLBoolean);
    };
    // The server comes first: the backend opens its driver on it.
    let opened = server_of(display).and_then(|server| {
        display.server = server;
        crate::composition::open()
    });
    if let Err(error) = opened {
        // The message is the only thing that tells why; EGL has one code for all.
        eprintln!("MobileGL: {error}");
        return fail(EGL_NOT_INITIALIZED, EGL_FALSE as EGLBoolean);
    }
    display.initialized = true;
    for (out, value) in [(major, 1), (minor, 5)] {
        if !out.is_null() {
            // SAFETY: rule 1, and not null.
            unsafe { *out = value };
        }
    }
    succeed(EGL_TRUE as EGLBoolean)
}

/// §3.2. Everything of the display is marked for deletion; what is current lives on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglTerminate(display: *mut c_void) -> EGLBoolean {
    for_system!(eglTerminate(display: *mut c_void) -> EGLBoolean);
    let handle = display as usize;
    let mut state = lock();
    let Some(display) = state.displays.get_mut(&handle) else {
        return fail(EGL_BAD_DISPLAY, EGL_FALSE as EGLBoolean);
    };
    display.initialized = false;
    for context in state
        .contexts
        .values_mut()
        .filter(|context| context.display == handle)
    {
        context.dying = true;
    }
    for surface in state
        .surfaces
        .values_mut()
        .filter(|surface| surface.display == handle)
    {
        surface.dying = true;
    }
    state.bury();
    drop(state);
    crate::statistics::write();
    succeed(EGL_TRUE as EGLBoolean)
}

/// §3.3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglQueryString(display: *mut c_void, name: EGLint) -> *const c_char {
    for_system!(eglQueryString(display: *mut c_void, name: EGLint) -> *const c_char);
    if display.is_null() {
        return match name {
            EGL_EXTENSIONS => succeed(CLIENT_EXTENSIONS.as_ptr()),
            EGL_VERSION => succeed(c"1.5 MobileGL".as_ptr()),
            _ => fail(EGL_BAD_DISPLAY, std::ptr::null()),
        };
    }
    match lock().displays.get(&(display as usize)) {
        None => return fail(EGL_BAD_DISPLAY, std::ptr::null()),
        Some(display) if !display.initialized => {
            return fail(EGL_NOT_INITIALIZED, std::ptr::null());
        }
        Some(_) => {}
    }
    match name {
        EGL_VENDOR => succeed(c"MobileGL".as_ptr()),
        EGL_VERSION => succeed(c"1.5 MobileGL".as_ptr()),
        EGL_CLIENT_APIS => succeed(c"OpenGL".as_ptr()),
        EGL_EXTENSIONS => succeed(DISPLAY_EXTENSIONS.as_ptr()),
        _ => fail(EGL_BAD_PARAMETER, std::ptr::null()),
    }
}

/// §3.1.
#[unsafe(no_mangle)]
pub extern "C" fn eglGetError() -> EGLint {
    for_system!(eglGetError() -> EGLint);
    thread::take_error()
}

/// §3.7: an API that is not among EGL_CLIENT_APIS, or NONE, is a bad parameter.
#[unsafe(no_mangle)]
pub extern "C" fn eglBindAPI(api: EGLenum) -> EGLBoolean {
    for_system!(eglBindAPI(api: EGLenum) -> EGLBoolean);
    if api as EGLint != EGL_OPENGL_API {
        return fail(EGL_BAD_PARAMETER, EGL_FALSE as EGLBoolean);
    }
    thread::set_api(api);
    succeed(EGL_TRUE as EGLBoolean)
}

/// §3.7.
#[unsafe(no_mangle)]
pub extern "C" fn eglQueryAPI() -> EGLenum {
    for_system!(eglQueryAPI() -> EGLenum);
    succeed(thread::api())
}
