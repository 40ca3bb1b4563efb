//! Drawables: pbuffers, their attributes, swaps (§3.5, §3.10). Windows and pixmaps are refused by name.

use super::below::for_system;
use super::config::{MAX_PBUFFER, config_of};
use super::state::{Surface, lock, pointer};
use super::types::*;
use super::{attribs, fail, succeed};
use crate::composition;
use gl_enums::egl::*;
use std::ffi::c_void;

/// §3.5.2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreatePbufferSurface(
    display: *mut c_void,
    config: *mut c_void,
    list: *const EGLint,
) -> *mut c_void {
    for_system!(eglCreatePbufferSurface(display: *mut c_void, config: *mut c_void, list: *const EGLint) -> *mut c_void);
    let none = std::ptr::null_mut();
    let mut state = lock();
    if let Err(error) = state.check_display(display as usize) {
        return fail(error, none);
    }
    let Some(config) = config_of(config) else {
        return fail(EGL_BAD_CONFIG, none);
    };
    let (mut width, mut height, mut largest) = (0, 0, false);
    let (mut texture_format, mut texture_target, mut mipmap_texture) =
        (EGL_NO_TEXTURE, EGL_NO_TEXTURE, 0);
    // SAFETY: rule 1.
    for (name, value) in unsafe { attribs::ints(list) } {
        let value = value as EGLint;
        match name {
            EGL_WIDTH => width = value,
            EGL_HEIGHT => height = value,
            EGL_LARGEST_PBUFFER => largest = value != 0,
            EGL_TEXTURE_FORMAT => texture_format = value,
            EGL_TEXTURE_TARGET => texture_target = value,
            EGL_MIPMAP_TEXTURE => mipmap_texture = value,
            EGL_GL_COLORSPACE | EGL_VG_COLORSPACE | EGL_VG_ALPHA_FORMAT => {}
            _ => return fail(EGL_BAD_ATTRIBUTE, none),
        }
    }
    if width < 0 || height < 0 {
        return fail(EGL_BAD_PARAMETER, none);
    }
    if texture_format != EGL_NO_TEXTURE || texture_target != EGL_NO_TEXTURE {
        // Our configurations bind no pbuffer to a texture.
        return fail(EGL_BAD_MATCH, none);
    }
    let (mut width, mut height) = (width as u32, height as u32);
    if width > MAX_PBUFFER || height > MAX_PBUFFER {
        if !largest {
            return fail(EGL_BAD_ALLOC, none);
        }
        (width, height) = (width.min(MAX_PBUFFER), height.min(MAX_PBUFFER));
    }
    let desc = pipe::SurfaceDesc {
        source: pipe::SurfaceSource::Offscreen,
        width,
        height,
        color: config.color_format,
        depth_stencil: config.depth_stencil_format,
        samples: 0,
    };
    match composition::create_surface(&desc) {
        Ok(id) => {
            let handle = state.handle();
            state.surfaces.insert(
                handle,
                Surface {
                    display: display as usize,
                    config: config.id,
                    id,
                    width,
                    height,
                    largest,
                    texture_format,
                    texture_target,
                    mipmap_texture,
                    swap_behavior: EGL_BUFFER_PRESERVED,
                    multisample_resolve: EGL_MULTISAMPLE_RESOLVE_DEFAULT,
                    current: None,
                    dying: false,
                },
            );
            succeed(pointer(handle))
        }
        Err(error) => {
            eprintln!("MobileGL: {error}");
            fail(EGL_BAD_ALLOC, none)
        }
    }
}

fn refuse_native(display: *mut c_void, config: *mut c_void, error: EGLint) -> *mut c_void {
    let none = std::ptr::null_mut();
    if let Err(error) = lock().check_display(display as usize) {
        return fail(error, none);
    }
    if config_of(config).is_none() {
        return fail(EGL_BAD_CONFIG, none);
    }
    // Configurations have pbuffers only: EGL_SURFACE_TYPE says so.
    fail(error, none)
}

/// §3.5.1. Configurations of this build have no windows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreateWindowSurface(
    display: *mut c_void,
    config: *mut c_void,
    _: *mut c_void,
    _: *const EGLint,
) -> *mut c_void {
    refuse_native(display, config, EGL_BAD_MATCH)
}

/// §3.5.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreatePlatformWindowSurface(
    display: *mut c_void,
    config: *mut c_void,
    _: *mut c_void,
    _: *const EGLAttrib,
) -> *mut c_void {
    refuse_native(display, config, EGL_BAD_MATCH)
}

/// EGL_EXT_platform_base.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreatePlatformWindowSurfaceEXT(
    display: *mut c_void,
    config: *mut c_void,
    _: *mut c_void,
    _: *const EGLint,
) -> *mut c_void {
    refuse_native(display, config, EGL_BAD_MATCH)
}

/// §3.5.4.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreatePixmapSurface(
    display: *mut c_void,
    config: *mut c_void,
    _: *mut c_void,
    _: *const EGLint,
) -> *mut c_void {
    refuse_native(display, config, EGL_BAD_MATCH)
}

/// §3.5.4.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreatePlatformPixmapSurface(
    display: *mut c_void,
    config: *mut c_void,
    _: *mut c_void,
    _: *const EGLAttrib,
) -> *mut c_void {
    refuse_native(display, config, EGL_BAD_MATCH)
}

/// EGL_EXT_platform_base.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreatePlatformPixmapSurfaceEXT(
    display: *mut c_void,
    config: *mut c_void,
    _: *mut c_void,
    _: *const EGLint,
) -> *mut c_void {
    refuse_native(display, config, EGL_BAD_MATCH)
}

/// §3.5.3: OpenVG only.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreatePbufferFromClientBuffer(
    display: *mut c_void,
    _: EGLenum,
    _: *mut c_void,
    config: *mut c_void,
    _: *const EGLint,
) -> *mut c_void {
    refuse_native(display, config, EGL_BAD_PARAMETER)
}

/// §3.5.5.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglDestroySurface(
    display: *mut c_void,
    surface: *mut c_void,
) -> EGLBoolean {
    for_system!(eglDestroySurface(display: *mut c_void, surface: *mut c_void) -> EGLBoolean);
    let mut state = lock();
    if let Err(error) = state.check_display(display as usize) {
        return fail(error, EGL_FALSE as EGLBoolean);
    }
    match state.surfaces.get_mut(&(surface as usize)) {
        Some(surface) if !surface.dying => surface.dying = true,
        _ => return fail(EGL_BAD_SURFACE, EGL_FALSE as EGLBoolean),
    }
    state.bury();
    succeed(EGL_TRUE as EGLBoolean)
}

/// §3.5.6.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglSurfaceAttrib(
    display: *mut c_void,
    surface: *mut c_void,
    name: EGLint,
    value: EGLint,
) -> EGLBoolean {
    for_system!(eglSurfaceAttrib(display: *mut c_void, surface: *mut c_void, name: EGLint, value: EGLint) -> EGLBoolean);
    let mut state = lock();
    if let Err(error) = state.check_display(display as usize) {
        return fail(error, EGL_FALSE as EGLBoolean);
    }
    let Some(surface) = state.surfaces.get_mut(&(surface as usize)) else {
        return fail(EGL_BAD_SURFACE, EGL_FALSE as EGLBoolean);
    };
    match (name, value) {
        (EGL_SWAP_BEHAVIOR, EGL_BUFFER_PRESERVED | EGL_BUFFER_DESTROYED) => {
            surface.swap_behavior = value
        }
        (EGL_MULTISAMPLE_RESOLVE, EGL_MULTISAMPLE_RESOLVE_DEFAULT) => {
            surface.multisample_resolve = value
        }
        (EGL_MULTISAMPLE_RESOLVE, EGL_MULTISAMPLE_RESOLVE_BOX) => {
            return fail(EGL_BAD_MATCH, EGL_FALSE as EGLBoolean);
        }
        // Without effect on a surface that is no texture.
        (EGL_MIPMAP_LEVEL, _) => {}
        (EGL_SWAP_BEHAVIOR | EGL_MULTISAMPLE_RESOLVE, _) => {
            return fail(EGL_BAD_PARAMETER, EGL_FALSE as EGLBoolean);
        }
        _ => return fail(EGL_BAD_ATTRIBUTE, EGL_FALSE as EGLBoolean),
    }
    succeed(EGL_TRUE as EGLBoolean)
}

/// §3.5.6.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglQuerySurface(
    display: *mut c_void,
    surface: *mut c_void,
    name: EGLint,
    value: *mut EGLint,
) -> EGLBoolean {
    for_system!(eglQuerySurface(display: *mut c_void, surface: *mut c_void, name: EGLint, value: *mut EGLint) -> EGLBoolean);
    let state = lock();
    if let Err(error) = state.check_display(display as usize) {
        return fail(error, EGL_FALSE as EGLBoolean);
    }
    let Some(surface) = state.surfaces.get(&(surface as usize)) else {
        return fail(EGL_BAD_SURFACE, EGL_FALSE as EGLBoolean);
    };
    let answer = match name {
        EGL_WIDTH => surface.width as EGLint,
        EGL_HEIGHT => surface.height as EGLint,
        EGL_CONFIG_ID => surface.config as EGLint,
        EGL_LARGEST_PBUFFER => EGLint::from(surface.largest),
        EGL_TEXTURE_FORMAT => surface.texture_format,
        EGL_TEXTURE_TARGET => surface.texture_target,
        EGL_MIPMAP_TEXTURE => surface.mipmap_texture,
        EGL_MIPMAP_LEVEL => 0,
        EGL_RENDER_BUFFER => EGL_BACK_BUFFER,
        EGL_SWAP_BEHAVIOR => surface.swap_behavior,
        EGL_MULTISAMPLE_RESOLVE => surface.multisample_resolve,
        EGL_GL_COLORSPACE => EGL_GL_COLORSPACE_LINEAR,
        EGL_VG_COLORSPACE => EGL_VG_COLORSPACE_sRGB,
        EGL_VG_ALPHA_FORMAT => EGL_VG_ALPHA_FORMAT_NONPRE,
        EGL_HORIZONTAL_RESOLUTION | EGL_VERTICAL_RESOLUTION | EGL_PIXEL_ASPECT_RATIO => EGL_UNKNOWN,
        _ => return fail(EGL_BAD_ATTRIBUTE, EGL_FALSE as EGLBoolean),
    };
    if value.is_null() {
        return fail(EGL_BAD_PARAMETER, EGL_FALSE as EGLBoolean);
    }
    // SAFETY: rule 1, and not null.
    unsafe { *value = answer };
    succeed(EGL_TRUE as EGLBoolean)
}

/// §3.10.1. A pbuffer has nothing to show; the frame ends all the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglSwapBuffers(display: *mut c_void, surface: *mut c_void) -> EGLBoolean {
    for_system!(eglSwapBuffers(display: *mut c_void, surface: *mut c_void) -> EGLBoolean);
    {
        let state = lock();
        if let Err(error) = state.check_display(display as usize) {
            return fail(error, EGL_FALSE as EGLBoolean);
        }
        let Some(surface) = state.surfaces.get(&(surface as usize)) else {
            return fail(EGL_BAD_SURFACE, EGL_FALSE as EGLBoolean);
        };
        // §3.10.1.1: the surface must be the draw surface of the calling thread's context.
        if surface.current.is_none() || surface.current != composition::current_slot() {
            return fail(EGL_BAD_SURFACE, EGL_FALSE as EGLBoolean);
        }
    }
    composition::present();
    succeed(EGL_TRUE as EGLBoolean)
}

/// §3.10.3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglSwapInterval(display: *mut c_void, interval: EGLint) -> EGLBoolean {
    for_system!(eglSwapInterval(display: *mut c_void, interval: EGLint) -> EGLBoolean);
    if let Err(error) = lock().check_display(display as usize) {
        return fail(error, EGL_FALSE as EGLBoolean);
    }
    if super::current::slot_of_bound_api().is_none() {
        return fail(EGL_BAD_CONTEXT, EGL_FALSE as EGLBoolean);
    }
    composition::set_swap_interval(interval.clamp(0, 1));
    succeed(EGL_TRUE as EGLBoolean)
}

/// §3.10.2: pixmaps only, and there are none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCopyBuffers(
    display: *mut c_void,
    surface: *mut c_void,
    _: *mut c_void,
) -> EGLBoolean {
    let state = lock();
    if let Err(error) = state.check_display(display as usize) {
        return fail(error, EGL_FALSE as EGLBoolean);
    }
    let known = state.surfaces.contains_key(&(surface as usize));
    fail(
        if known {
            EGL_BAD_NATIVE_PIXMAP
        } else {
            EGL_BAD_SURFACE
        },
        EGL_FALSE as EGLBoolean,
    )
}

/// §3.6.1: no configuration binds to textures.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglBindTexImage(
    display: *mut c_void,
    surface: *mut c_void,
    _: EGLint,
) -> EGLBoolean {
    let state = lock();
    if let Err(error) = state.check_display(display as usize) {
        return fail(error, EGL_FALSE as EGLBoolean);
    }
    let known = state.surfaces.contains_key(&(surface as usize));
    fail(
        if known {
            EGL_BAD_MATCH
        } else {
            EGL_BAD_SURFACE
        },
        EGL_FALSE as EGLBoolean,
    )
}

/// §3.6.2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglReleaseTexImage(
    display: *mut c_void,
    surface: *mut c_void,
    buffer: EGLint,
) -> EGLBoolean {
    for_system!(eglReleaseTexImage(display: *mut c_void, surface: *mut c_void, buffer: EGLint) -> EGLBoolean);
    // SAFETY: the same contract.
    unsafe { eglBindTexImage(display, surface, buffer) }
}
