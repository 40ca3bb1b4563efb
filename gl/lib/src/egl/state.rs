//! EGL's own objects: displays, contexts, surfaces by handle. A handle is a number that was never an address.

use super::config::ConfigId;
use super::types::{EGL_PLATFORM_XCB_EXT, EGLenum};
use crate::x11;
use gl_enums::egl::{EGL_PLATFORM_X11_KHR, EGLint};
use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::c_void;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// A display: one per platform and native display.
#[derive(Debug)]
pub struct Display {
    pub platform: EGLenum,
    pub native: usize,
    pub initialized: bool,
    /// The X server, once it is initialised on a platform that has one.
    pub server: Option<Arc<x11::Server>>,
}

impl Display {
    /// The application's connection, on a platform of X11.
    pub fn connection(&self) -> Option<x11::Connection> {
        match self.platform as EGLint {
            EGL_PLATFORM_X11_KHR | EGL_PLATFORM_XCB_EXT if self.native == 0 => {
                Some(x11::Connection::Default)
            }
            EGL_PLATFORM_X11_KHR => Some(x11::Connection::Xlib(self.native)),
            EGL_PLATFORM_XCB_EXT => Some(x11::Connection::Xcb(self.native)),
            _ => None,
        }
    }
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
    /// The window's id, where it has one.
    pub window: Option<u32>,
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

thread_local! {
    static CALLING_DOWN: Cell<bool> = const { Cell::new(false) };
}

/// Whether an EGL function of this thread is under way already: whoever calls us now is a driver below. Where we stand in for the
/// system's libEGL, drivers find us under that name (NVIDIA's Vulkan driver calls eglReleaseThread while it is loaded).
pub fn is_driver_calling() -> bool {
    CALLING_DOWN.get()
}

/// EGL's objects, for the time of one call.
pub enum Objects {
    /// All of them; until this is dropped the thread counts as calling down.
    All(MutexGuard<'static, EglState>),
    /// None: what a driver below sees that calls us back. The application's objects are not its business, and the lock is taken. And
    /// what a forked child sees, which has none.
    None(Box<EglState>),
}

impl Deref for Objects {
    type Target = EglState;

    fn deref(&self) -> &EglState {
        match self {
            Self::All(state) => state,
            Self::None(state) => state,
        }
    }
}

impl DerefMut for Objects {
    fn deref_mut(&mut self) -> &mut EglState {
        match self {
            Self::All(state) => state,
            Self::None(state) => state,
        }
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        if let Self::All(_) = self {
            CALLING_DOWN.set(false);
        }
    }
}

/// EGL's objects. Taken before the session's lock, never after.
pub fn lock() -> Objects {
    if CALLING_DOWN.get() || gl_entry::forked::is_child() {
        return Objects::None(Box::default());
    }
    let state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    CALLING_DOWN.set(true);
    Objects::All(state)
}

/// A handle as C sees it.
pub(super) fn pointer(handle: usize) -> *mut c_void {
    handle as *mut c_void
}

#[cfg(test)]
mod tests {
    use super::super::current::*;
    use super::super::display::*;
    use super::super::proc_address::eglGetProcAddress;
    use super::super::thread;
    use super::*;
    use gl_enums::egl::*;

    /// The driver's calls come from inside of ours, on the same thread: they used to wait for us for ever.
    #[test]
    fn driver_that_calls_egl_while_it_is_opened_sees_nothing_and_changes_nothing() {
        assert_eq!(eglBindAPI(EGL_OPENGL_API as EGLenum), 1);
        {
            let _opening = lock();
            assert!(is_driver_calling());
            assert_eq!(eglReleaseThread(), 1);
            assert!(eglGetCurrentDisplay().is_null() && eglGetCurrentContext().is_null());
            assert_eq!(eglWaitClient(), 1);
            // SAFETY: a C string.
            let found = unsafe { eglGetProcAddress(c"eglGetCurrentDisplay".as_ptr()) };
            assert_ne!(
                found, eglGetCurrentDisplay as *const c_void,
                "it means the system's"
            );
        }
        assert!(!is_driver_calling());
        // Not the initial state, as after the application's own eglReleaseThread.
        assert_eq!(thread::api(), EGL_OPENGL_API as EGLenum);
    }
}
