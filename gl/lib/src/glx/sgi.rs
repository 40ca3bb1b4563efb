//! The SGI extensions that GLX 1.3 grew out of (GLX_SGI_make_current_read, GLX_SGIX_fbconfig, GLX_SGIX_pbuffer): its commands under
//! older names.

use super::types::*;
use super::{config, context, current, drawable};
use crate::x11::xlib::XVisualInfo;
use gl_enums::glx::{GLX_PBUFFER_HEIGHT, GLX_PBUFFER_WIDTH};
use std::ffi::{c_int, c_uint, c_ulong, c_void};

/// GLX_SGI_make_current_read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXMakeCurrentReadSGI(
    display: Display,
    draw: Xid,
    read: Xid,
    context: GlxContext,
) -> Bool {
    // SAFETY: the same contract.
    unsafe { current::glXMakeContextCurrent(display, draw, read, context) }
}

/// GLX_SGI_make_current_read.
#[unsafe(no_mangle)]
pub extern "C" fn glXGetCurrentReadDrawableSGI() -> Xid {
    current::glXGetCurrentReadDrawable()
}

/// GLX_SGIX_fbconfig.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetFBConfigAttribSGIX(
    display: Display,
    config: GlxFbConfig,
    name: c_int,
    value: *mut c_int,
) -> c_int {
    // SAFETY: the same contract.
    unsafe { config::glXGetFBConfigAttrib(display, config, name, value) }
}

/// GLX_SGIX_fbconfig.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXChooseFBConfigSGIX(
    display: Display,
    screen: c_int,
    list: *mut c_int,
    count: *mut c_int,
) -> *mut GlxFbConfig {
    // SAFETY: the same contract.
    unsafe { config::glXChooseFBConfig(display, screen, list, count) }
}

/// GLX_SGIX_fbconfig.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXCreateContextWithConfigSGIX(
    display: Display,
    config: GlxFbConfig,
    render_type: c_int,
    share: GlxContext,
    direct: Bool,
) -> GlxContext {
    // SAFETY: the same contract.
    unsafe { context::glXCreateNewContext(display, config, render_type, share, direct) }
}

/// GLX_SGIX_fbconfig.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetVisualFromFBConfigSGIX(
    display: Display,
    config: GlxFbConfig,
) -> *mut c_void {
    // SAFETY: the same contract.
    unsafe { config::glXGetVisualFromFBConfig(display, config) }
}

/// GLX_SGIX_fbconfig.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetFBConfigFromVisualSGIX(
    display: Display,
    visual: *mut c_void,
) -> GlxFbConfig {
    let found = super::state::open(display)
        .filter(|_| !visual.is_null())
        .and_then(|server| {
            // SAFETY: rule 1, and not null.
            let visual = unsafe { &*visual.cast::<XVisualInfo>() };
            let id = visual.visualid as u32;
            config::config_of_visual(&server, visual.screen as usize, id)
        });
    found.map_or(0, |config| config.id as usize) as GlxFbConfig
}

/// GLX_SGIX_pbuffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXCreateGLXPbufferSGIX(
    display: Display,
    config: GlxFbConfig,
    width: c_uint,
    height: c_uint,
    list: *mut c_int,
) -> Xid {
    let mut all = vec![
        GLX_PBUFFER_WIDTH,
        width as c_int,
        GLX_PBUFFER_HEIGHT,
        height as c_int,
    ];
    // SAFETY: rule 1.
    for (name, value) in unsafe { super::attribs::pairs(list) } {
        all.extend([name, value]);
    }
    all.push(NONE);
    // SAFETY: the list ends with None.
    unsafe { drawable::glXCreatePbuffer(display, config, all.as_ptr()) }
}

/// GLX_SGIX_pbuffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXDestroyGLXPbufferSGIX(display: Display, pbuffer: Xid) {
    // SAFETY: the same contract.
    unsafe { drawable::glXDestroyPbuffer(display, pbuffer) }
}

/// GLX_SGIX_pbuffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXQueryGLXPbufferSGIX(
    display: Display,
    pbuffer: Xid,
    name: c_int,
    value: *mut c_uint,
) {
    // SAFETY: the same contract.
    unsafe { drawable::glXQueryDrawable(display, pbuffer, name, value) }
}

/// GLX_SGIX_pbuffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXSelectEventSGIX(display: Display, id: Xid, mask: c_ulong) {
    // SAFETY: the same contract.
    unsafe { drawable::glXSelectEvent(display, id, mask) }
}

/// GLX_SGIX_pbuffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetSelectedEventSGIX(display: Display, id: Xid, mask: *mut c_ulong) {
    // SAFETY: the same contract.
    unsafe { drawable::glXGetSelectedEvent(display, id, mask) }
}
