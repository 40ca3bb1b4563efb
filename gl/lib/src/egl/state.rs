//! EGL's own objects: displays, contexts, surfaces by handle. A handle is a number that was never an address.

use super::config::ConfigId;
use super::types::EGLenum;
use gl_enums::egl::EGLint;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// A display: one per platform and native display.
#[derive(Debug)]
pub struct Display {
    pub platform: EGLenum,
    pub native: usize,
    pub initialized: bool,
}

/// A context.
#[derive(Debug)]
pub struct Context {
    pub display: usize,
    /// `None`: EGL_NO_CONFIG_KHR.
    pub config: Option<ConfigId>,
    /// Slot in the session.
    pub slot: usize,
    /// Was current once: its viewport is set.
    pub was_current: bool,
    /// eglDestroyContext was called; ends when no thread has it current.
    pub dying: bool,
}

/// A drawable.
#[derive(Debug)]
pub struct Surface {
    pub display: usize,
    pub config: ConfigId,
    pub id: pipe::SurfaceId,
    pub width: u32,
    pub height: u32,
    pub largest: bool,
    pub texture_format: EGLint,
    pub texture_target: EGLint,
    pub mipmap_texture: EGLint,
    pub swap_behavior: EGLint,
    pub multisample_resolve: EGLint,
    /// Context it is current with, by handle.
    pub current: Option<usize>,
    pub dying: bool,
}

/// All of EGL's objects.
#[derive(Debug, Default)]
pub struct EglState {
    pub displays: HashMap<usize, Display>,
    pub contexts: HashMap<usize, Context>,
    pub surfaces: HashMap<usize, Surface>,
    last_handle: usize,
}

impl EglState {
    /// A handle that was never given out.
    pub fn handle(&mut self) -> usize {
        // Far from null and aligned as an address would be: programs test low bits.
        self.last_handle += 16;
        0x1000 + self.last_handle
    }
}

static STATE: LazyLock<Mutex<EglState>> = LazyLock::new(Mutex::default);

/// EGL's objects. Taken before the session's lock, never after.
pub fn lock() -> MutexGuard<'static, EglState> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A handle as C sees it.
pub(super) fn pointer(handle: usize) -> *mut c_void {
    handle as *mut c_void
}
