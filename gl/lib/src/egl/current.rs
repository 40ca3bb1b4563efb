//! Which context and drawables are current on which thread (§3.7.3, §3.12).

use super::below::for_system;
use super::state::{is_driver_calling, lock, pointer};
use super::types::*;
use super::{fail, succeed, thread};
use crate::composition;
use gl_enums::egl::*;
use std::ffi::c_void;

fn make_current(display: usize, draw: usize, read: usize, context: usize) -> Result<(), EGLint> {
    let mut state = lock();
    if context == 0 {
        if draw != 0 || read != 0 {
            return Err(EGL_BAD_MATCH);
        }
        // §3.7.3: releasing works on an uninitialised display too.
        if !state.displays.contains_key(&display) {
            return Err(EGL_BAD_DISPLAY);
        }
        composition::make_current(None, None, None, false).map_err(|_| EGL_BAD_ALLOC)?;
        let mine = composition::current_slots();
        for surface in state.surfaces.values_mut() {
            surface.current = surface.current.filter(|slot| mine.contains(slot));
        }
        state.bury();
        return Ok(());
    }
    state.check_display(display)?;
    if (draw == 0) != (read == 0) {
        return Err(EGL_BAD_MATCH);
    }
    let Some(target) = state
        .contexts
        .get(&context)
        .filter(|target| !target.dying || composition::current_slot() == Some(target.slot))
    else {
        return Err(EGL_BAD_CONTEXT);
    };
    let (slot, first) = (target.slot, !target.was_current);
    if composition::is_current_elsewhere(slot) {
        return Err(EGL_BAD_ACCESS);
    }
    let previous = composition::current_slot();
    let mut drawables = [None, None];
    for (out, handle) in drawables.iter_mut().zip([draw, read]) {
        if handle == 0 {
            continue;
        }
        let surface = state
            .surfaces
            .get_mut(&handle)
            .filter(|surface| !surface.dying || surface.current == Some(slot));
        let Some(surface) = surface else {
            return Err(EGL_BAD_SURFACE);
        };
        // A surface is current with one thread at most.
        if surface
            .current
            .is_some_and(|other| Some(other) != previous && other != slot)
        {
            return Err(EGL_BAD_ACCESS);
        }
        if surface.window.is_some() {
            // §3.7.3: BAD_NATIVE_WINDOW where the window is no longer there.
            let now = composition::follow_window(surface.id).ok_or(EGL_BAD_NATIVE_WINDOW)?;
            (surface.width, surface.height) = now;
        }
        let config = &super::config::CONFIGS[surface.config as usize - 1];
        *out = Some(gl_state::framebuffer::Drawable {
            surface: surface.id,
            width: surface.width,
            height: surface.height,
            color: config.color_format,
            depth_stencil: config.depth_stencil_format,
            samples: 0,
            double_buffered: true,
        });
    }
    composition::make_current(Some(slot), drawables[0], drawables[1], first).map_err(|error| {
        eprintln!("MobileGL: {error}");
        EGL_BAD_ALLOC
    })?;
    for surface in state.surfaces.values_mut() {
        if surface.current == previous || surface.current == Some(slot) {
            surface.current = None;
        }
    }
    for handle in [draw, read] {
        if let Some(surface) = state.surfaces.get_mut(&handle) {
            surface.current = Some(slot);
        }
    }
    if let Some(target) = state.contexts.get_mut(&context) {
        target.was_current = true;
    }
    state.bury();
    Ok(())
}

/// §3.7.3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglMakeCurrent(
    display: *mut c_void,
    draw: *mut c_void,
    read: *mut c_void,
    context: *mut c_void,
) -> EGLBoolean {
    for_system!(eglMakeCurrent(display: *mut c_void, draw: *mut c_void, read: *mut c_void, context: *mut c_void) -> EGLBoolean);
    match make_current(
        display as usize,
        draw as usize,
        read as usize,
        context as usize,
    ) {
        Ok(()) => succeed(EGL_TRUE as EGLBoolean),
        Err(error) => fail(error, EGL_FALSE as EGLBoolean),
    }
}

/// Slot of what §3.7.4 calls the current context: that of the bound API. A thread may have an OpenGL context current and no
/// API bound; then there is none to name, although commands reach it.
pub(super) fn slot_of_bound_api() -> Option<usize> {
    composition::current_slot().filter(|_| thread::api() as EGLint == EGL_OPENGL_API)
}

/// §3.7.4.
#[unsafe(no_mangle)]
pub extern "C" fn eglGetCurrentContext() -> *mut c_void {
    for_system!(eglGetCurrentContext() -> *mut c_void);
    let slot = slot_of_bound_api();
    let state = lock();
    let handle = slot.and_then(|slot| {
        state
            .contexts
            .iter()
            .find(|(_, context)| context.slot == slot)
            .map(|(handle, _)| *handle)
    });
    succeed(handle.map_or(std::ptr::null_mut(), pointer))
}

/// §3.7.4.
#[unsafe(no_mangle)]
pub extern "C" fn eglGetCurrentDisplay() -> *mut c_void {
    for_system!(eglGetCurrentDisplay() -> *mut c_void);
    let display = slot_of_bound_api().and_then(display_of);
    succeed(display.map_or(std::ptr::null_mut(), pointer))
}

/// Display of the context in a slot.
fn display_of(slot: usize) -> Option<usize> {
    let state = lock();
    let mut contexts = state.contexts.values();
    contexts
        .find(|context| context.slot == slot)
        .map(|context| context.display)
}

/// §3.7.4.
#[unsafe(no_mangle)]
pub extern "C" fn eglGetCurrentSurface(which: EGLint) -> *mut c_void {
    for_system!(eglGetCurrentSurface(which: EGLint) -> *mut c_void);
    if is_driver_calling() {
        return std::ptr::null_mut();
    }
    let surfaces = composition::current_surfaces().filter(|_| slot_of_bound_api().is_some());
    let Some((draw, read)) = surfaces else {
        return succeed(std::ptr::null_mut());
    };
    let id = match which {
        EGL_DRAW => draw,
        EGL_READ => read,
        _ => return fail(EGL_BAD_PARAMETER, std::ptr::null_mut()),
    };
    let state = lock();
    let handle = state
        .surfaces
        .iter()
        .find(|(_, surface)| surface.id == id)
        .map(|(handle, _)| *handle);
    succeed(handle.map_or(std::ptr::null_mut(), pointer))
}

/// §3.12: "releasing any context current to the calling thread", whatever API is bound.
#[unsafe(no_mangle)]
pub extern "C" fn eglReleaseThread() -> EGLBoolean {
    for_system!(eglReleaseThread() -> EGLBoolean);
    if is_driver_calling() {
        // Without a system's library: it means its own thread state, of which we keep none.
        return EGL_TRUE as EGLBoolean;
    }
    if let Some(display) = composition::current_slot().and_then(display_of) {
        // Releasing what is current cannot fail for want of anything.
        let _ = make_current(display, 0, 0, 0);
    }
    thread::reset();
    EGL_TRUE as EGLBoolean
}

/// §3.8: the client API's own commands are in order with ours.
#[unsafe(no_mangle)]
pub extern "C" fn eglWaitClient() -> EGLBoolean {
    for_system!(eglWaitClient() -> EGLBoolean);
    if is_driver_calling() {
        return EGL_TRUE as EGLBoolean;
    }
    composition::finish();
    succeed(EGL_TRUE as EGLBoolean)
}

/// §3.8.
#[unsafe(no_mangle)]
pub extern "C" fn eglWaitGL() -> EGLBoolean {
    for_system!(eglWaitGL() -> EGLBoolean);
    eglWaitClient()
}

/// §3.8: there is no native rendering.
#[unsafe(no_mangle)]
pub extern "C" fn eglWaitNative(engine: EGLint) -> EGLBoolean {
    for_system!(eglWaitNative(engine: EGLint) -> EGLBoolean);
    if engine != EGL_CORE_NATIVE_ENGINE {
        return fail(EGL_BAD_PARAMETER, EGL_FALSE as EGLBoolean);
    }
    succeed(EGL_TRUE as EGLBoolean)
}
