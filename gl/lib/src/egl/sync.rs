//! Sync objects of EGL 1.5 and EGL_KHR_fence_sync (§3.8.1), and images, which are refused by name.

use super::state::{lock, pointer};
use super::types::*;
use super::{fail, succeed};
use crate::composition;
use gl_enums::egl::*;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Living sync objects: a fence of the session each.
static SYNCS: LazyLock<Mutex<HashMap<usize, pipe::FenceId>>> = LazyLock::new(Mutex::default);

fn fence_of(sync: *mut c_void) -> Option<pipe::FenceId> {
    SYNCS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get(&(sync as usize))
        .copied()
}

fn create_sync(display: *mut c_void, ty: EGLenum) -> *mut c_void {
    let none = std::ptr::null_mut();
    let mut state = lock();
    if let Err(error) = state.check_display(display as usize) {
        return fail(error, none);
    }
    if ty as EGLint != EGL_SYNC_FENCE {
        return fail(EGL_BAD_PARAMETER, none);
    }
    // §3.8.1.1: BAD_MATCH where "no context is current for the bound API".
    let current = super::current::slot_of_bound_api();
    let Some(fence) = current.and_then(|_| composition::create_fence()) else {
        return fail(EGL_BAD_MATCH, none);
    };
    let handle = state.handle();
    SYNCS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(handle, fence);
    succeed(pointer(handle))
}

/// §3.8.1.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreateSync(
    display: *mut c_void,
    ty: EGLenum,
    _: *const EGLAttrib,
) -> *mut c_void {
    create_sync(display, ty)
}

/// EGL_KHR_fence_sync.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreateSyncKHR(
    display: *mut c_void,
    ty: EGLenum,
    _: *const EGLint,
) -> *mut c_void {
    create_sync(display, ty)
}

/// §3.8.1.4.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglDestroySync(display: *mut c_void, sync: *mut c_void) -> EGLBoolean {
    if let Err(error) = lock().check_display(display as usize) {
        return fail(error, EGL_FALSE as EGLBoolean);
    }
    match SYNCS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .remove(&(sync as usize))
    {
        Some(fence) => {
            composition::destroy_fence(fence);
            succeed(EGL_TRUE as EGLBoolean)
        }
        None => fail(EGL_BAD_PARAMETER, EGL_FALSE as EGLBoolean),
    }
}

/// EGL_KHR_fence_sync.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglDestroySyncKHR(display: *mut c_void, sync: *mut c_void) -> EGLBoolean {
    // SAFETY: the same contract.
    unsafe { eglDestroySync(display, sync) }
}

/// §3.8.1.2. The flush flag is implied: a fence is sent when it is made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglClientWaitSync(
    display: *mut c_void,
    sync: *mut c_void,
    _: EGLint,
    timeout: EGLTime,
) -> EGLint {
    if let Err(error) = lock().check_display(display as usize) {
        return fail(error, EGL_FALSE);
    }
    let Some(fence) = fence_of(sync) else {
        return fail(EGL_BAD_PARAMETER, EGL_FALSE);
    };
    match composition::wait_fence(fence, timeout) {
        pipe::FenceStatus::Signalled => succeed(EGL_CONDITION_SATISFIED),
        pipe::FenceStatus::Unsignalled => succeed(EGL_TIMEOUT_EXPIRED),
        pipe::FenceStatus::Failed => fail(EGL_CONTEXT_LOST, EGL_FALSE),
    }
}

/// EGL_KHR_fence_sync.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglClientWaitSyncKHR(
    display: *mut c_void,
    sync: *mut c_void,
    flags: EGLint,
    timeout: EGLTime,
) -> EGLint {
    // SAFETY: the same contract.
    unsafe { eglClientWaitSync(display, sync, flags, timeout) }
}

/// §3.8.1.2: commands of one session run in order, so there is nothing to wait for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglWaitSync(
    display: *mut c_void,
    sync: *mut c_void,
    flags: EGLint,
) -> EGLBoolean {
    if let Err(error) = lock().check_display(display as usize) {
        return fail(error, EGL_FALSE as EGLBoolean);
    }
    if flags != 0 || fence_of(sync).is_none() {
        return fail(EGL_BAD_PARAMETER, EGL_FALSE as EGLBoolean);
    }
    succeed(EGL_TRUE as EGLBoolean)
}

/// EGL_KHR_wait_sync.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglWaitSyncKHR(
    display: *mut c_void,
    sync: *mut c_void,
    flags: EGLint,
) -> EGLint {
    // SAFETY: the same contract.
    unsafe { eglWaitSync(display, sync, flags) as EGLint }
}

fn sync_attribute(display: *mut c_void, sync: *mut c_void, name: EGLint) -> Result<EGLint, EGLint> {
    lock().check_display(display as usize)?;
    let fence = fence_of(sync).ok_or(EGL_BAD_PARAMETER)?;
    match name {
        EGL_SYNC_TYPE => Ok(EGL_SYNC_FENCE),
        EGL_SYNC_STATUS => Ok(match composition::wait_fence(fence, 0) {
            pipe::FenceStatus::Signalled => EGL_SIGNALED,
            pipe::FenceStatus::Unsignalled | pipe::FenceStatus::Failed => EGL_UNSIGNALED,
        }),
        EGL_SYNC_CONDITION => Ok(EGL_SYNC_PRIOR_COMMANDS_COMPLETE),
        _ => Err(EGL_BAD_ATTRIBUTE),
    }
}

/// §3.8.1.3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglGetSyncAttrib(
    display: *mut c_void,
    sync: *mut c_void,
    name: EGLint,
    value: *mut EGLAttrib,
) -> EGLBoolean {
    match sync_attribute(display, sync, name) {
        Ok(_) if value.is_null() => fail(EGL_BAD_PARAMETER, EGL_FALSE as EGLBoolean),
        Ok(answer) => {
            // SAFETY: rule 1, and not null.
            unsafe { *value = answer as EGLAttrib };
            succeed(EGL_TRUE as EGLBoolean)
        }
        Err(error) => fail(error, EGL_FALSE as EGLBoolean),
    }
}

/// EGL_KHR_fence_sync.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglGetSyncAttribKHR(
    display: *mut c_void,
    sync: *mut c_void,
    name: EGLint,
    value: *mut EGLint,
) -> EGLBoolean {
    match sync_attribute(display, sync, name) {
        Ok(_) if value.is_null() => fail(EGL_BAD_PARAMETER, EGL_FALSE as EGLBoolean),
        Ok(answer) => {
            // SAFETY: rule 1, and not null.
            unsafe { *value = answer };
            succeed(EGL_TRUE as EGLBoolean)
        }
        Err(error) => fail(error, EGL_FALSE as EGLBoolean),
    }
}

/// §3.9: no image source is supported by OpenGL contexts here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreateImage(
    display: *mut c_void,
    _: *mut c_void,
    _: EGLenum,
    _: *mut c_void,
    _: *const EGLAttrib,
) -> *mut c_void {
    let error = lock()
        .check_display(display as usize)
        .err()
        .unwrap_or(EGL_BAD_PARAMETER);
    fail(error, std::ptr::null_mut())
}

/// §3.9: there are no images.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglDestroyImage(display: *mut c_void, _: *mut c_void) -> EGLBoolean {
    let error = lock()
        .check_display(display as usize)
        .err()
        .unwrap_or(EGL_BAD_PARAMETER);
    fail(error, EGL_FALSE as EGLBoolean)
}
