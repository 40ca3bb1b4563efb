//! Drawables: windows, pbuffers, their attributes, swaps (§3.5, §3.10). Pixmaps are refused by name.

use super::below::for_system;
use super::config::{MAX_PBUFFER, Visuals, config_of};
use super::state::{Surface, lock, pointer};
use super::types::*;
use super::{attribs, fail, succeed};
use crate::composition;
use crate::x11::windows;
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
                    window: None,
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

/// A window's drawable (§3.5.1). `window` is what the platform calls a native window, by value.
fn create_window(
    display: *mut c_void,
    config: *mut c_void,
    window: usize,
    list: &[(EGLint, EGLAttrib)],
) -> Result<*mut c_void, EGLint> {
    let mut state = lock();
    state.check_display(display as usize)?;
    let known = &state.displays[&(display as usize)];
    let visuals = Visuals::of(known.server.as_deref());
    let config = config_of(config).ok_or(EGL_BAD_CONFIG)?;
    for (name, value) in list {
        match (*name, *value as EGLint) {
            // A single buffer is a wish: "clients can query what they got" (paraphrase of §3.5.1).
            (EGL_RENDER_BUFFER, EGL_BACK_BUFFER | EGL_SINGLE_BUFFER) => {}
            (EGL_GL_COLORSPACE, EGL_GL_COLORSPACE_LINEAR) => {}
            (EGL_GL_COLORSPACE, EGL_GL_COLORSPACE_SRGB) => return Err(EGL_BAD_MATCH),
            (EGL_VG_COLORSPACE | EGL_VG_ALPHA_FORMAT, _) => {}
            _ => return Err(EGL_BAD_ATTRIBUTE),
        }
    }
    let (Some(server), Some(connection)) = (known.server.clone(), known.connection()) else {
        // Without a window system no configuration has windows: EGL_SURFACE_TYPE says so.
        return Err(EGL_BAD_MATCH);
    };
    if visuals.of_config(config).is_none() {
        return Err(EGL_BAD_MATCH);
    }
    let window = u32::try_from(window).map_err(|_| EGL_BAD_NATIVE_WINDOW)?;
    connection.settle();
    let facts = server.window(window).ok_or(EGL_BAD_NATIVE_WINDOW)?;
    // §3.5.1: "if the pixel format of native_window does not correspond to ... config" (paraphrase).
    let visual = server.visual(facts.visual).ok_or(EGL_BAD_MATCH)?;
    if windows::is_taken(&server, window) {
        return Err(EGL_BAD_ALLOC);
    }
    let desc = pipe::SurfaceDesc {
        source: pipe::SurfaceSource::Offscreen,
        width: facts.width,
        height: facts.height,
        color: config.color_format,
        depth_stencil: config.depth_stencil_format,
        samples: 0,
    };
    let made = composition::create_window_surface(&server, window, visual, &desc);
    let id = made.map_err(|error| {
        eprintln!("MobileGL: {error}");
        EGL_BAD_ALLOC
    })?;
    let handle = state.handle();
    state.surfaces.insert(
        handle,
        Surface {
            display: display as usize,
            config: config.id,
            id,
            width: facts.width,
            height: facts.height,
            largest: false,
            texture_format: EGL_NO_TEXTURE,
            texture_target: EGL_NO_TEXTURE,
            mipmap_texture: 0,
            swap_behavior: EGL_BUFFER_DESTROYED,
            multisample_resolve: EGL_MULTISAMPLE_RESOLVE_DEFAULT,
            current: None,
            dying: false,
            window: Some(window),
        },
    );
    Ok(pointer(handle))
}

fn surface_or_error(made: Result<*mut c_void, EGLint>) -> *mut c_void {
    match made {
        Ok(surface) => succeed(surface),
        Err(error) => fail(error, std::ptr::null_mut()),
    }
}

/// What a platform window is: the window's id, behind a pointer (EGL_EXT_platform_x11, EGL_EXT_platform_xcb).
///
/// # Safety
/// Module rule 1.
unsafe fn platform_window(display: *mut c_void, window: *mut c_void) -> Result<usize, EGLint> {
    let platform = lock()
        .displays
        .get(&(display as usize))
        .map(|display| display.platform as EGLint);
    match platform {
        None => Err(EGL_BAD_DISPLAY),
        Some(_) if window.is_null() => Err(EGL_BAD_NATIVE_WINDOW),
        Some(EGL_PLATFORM_X11_KHR) => {
            // SAFETY: rule 1: Xlib's `Window` is an unsigned long.
            Ok(unsafe { *window.cast::<std::ffi::c_ulong>() } as usize)
        }
        Some(EGL_PLATFORM_XCB_EXT) => {
            // SAFETY: rule 1: an `xcb_window_t` has 32 bits.
            Ok(unsafe { *window.cast::<u32>() } as usize)
        }
        // No windows there: whatever it is, it is refused.
        Some(_) => Ok(window as usize),
    }
}

/// §3.5.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreateWindowSurface(
    display: *mut c_void,
    config: *mut c_void,
    window: *mut c_void,
    list: *const EGLint,
) -> *mut c_void {
    for_system!(eglCreateWindowSurface(display: *mut c_void, config: *mut c_void, window: *mut c_void, list: *const EGLint) -> *mut c_void);
    // SAFETY: rule 1.
    let list = unsafe { attribs::ints(list) };
    surface_or_error(create_window(display, config, window as usize, &list))
}

/// §3.5.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreatePlatformWindowSurface(
    display: *mut c_void,
    config: *mut c_void,
    window: *mut c_void,
    list: *const EGLAttrib,
) -> *mut c_void {
    for_system!(eglCreatePlatformWindowSurface(display: *mut c_void, config: *mut c_void, window: *mut c_void, list: *const EGLAttrib) -> *mut c_void);
    // SAFETY: rule 1.
    let list = unsafe { attribs::attribs(list) };
    // SAFETY: rule 1.
    let window = unsafe { platform_window(display, window) };
    surface_or_error(window.and_then(|window| create_window(display, config, window, &list)))
}

/// EGL_EXT_platform_base.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreatePlatformWindowSurfaceEXT(
    display: *mut c_void,
    config: *mut c_void,
    window: *mut c_void,
    list: *const EGLint,
) -> *mut c_void {
    for_system!(eglCreatePlatformWindowSurfaceEXT(display: *mut c_void, config: *mut c_void, window: *mut c_void, list: *const EGLint) -> *mut c_void);
    // SAFETY: rule 1.
    let list = unsafe { attribs::ints(list) };
    // SAFETY: rule 1.
    let window = unsafe { platform_window(display, window) };
    surface_or_error(window.and_then(|window| create_window(display, config, window, &list)))
}

fn refuse_native(display: *mut c_void, config: *mut c_void, error: EGLint) -> *mut c_void {
    let none = std::ptr::null_mut();
    if let Err(error) = lock().check_display(display as usize) {
        return fail(error, none);
    }
    if config_of(config).is_none() {
        return fail(EGL_BAD_CONFIG, none);
    }
    // Configurations have no pixmaps: EGL_SURFACE_TYPE says so.
    fail(error, none)
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
    let size = || {
        // A window's is what the server says now.
        let now = surface.window.and_then(|_| windows::size(surface.id));
        now.unwrap_or((surface.width, surface.height))
    };
    let answer = match name {
        EGL_WIDTH => size().0 as EGLint,
        EGL_HEIGHT => size().1 as EGLint,
        // §3.5.6: these are a pbuffer's; "the contents of value are not modified" for others (paraphrase).
        EGL_LARGEST_PBUFFER | EGL_TEXTURE_FORMAT | EGL_TEXTURE_TARGET | EGL_MIPMAP_TEXTURE
        | EGL_MIPMAP_LEVEL
            if surface.window.is_some() =>
        {
            return succeed(EGL_TRUE as EGLBoolean);
        }
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

/// §3.10.1. A window shows the frame; a pbuffer has nothing to show, and the frame ends all the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglSwapBuffers(display: *mut c_void, surface: *mut c_void) -> EGLBoolean {
    for_system!(eglSwapBuffers(display: *mut c_void, surface: *mut c_void) -> EGLBoolean);
    let id = {
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
        surface.id
    };
    if !windows::is_gone(id) {
        composition::present();
    }
    // §3.10.1.1: "if the native window associated with surface is no longer valid" (paraphrase). A frame that begins looks.
    if windows::is_gone(id) {
        return fail(EGL_BAD_NATIVE_WINDOW, EGL_FALSE as EGLBoolean);
    }
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
