//! GLX's own objects: contexts by handle, drawables by id; and what is current on which thread.

use super::config::ConfigId;
use super::types::{Display, Xid};
use crate::composition;
use crate::egl;
use crate::x11;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// A context.
#[derive(Debug)]
pub struct Context {
    /// Slot in the session.
    pub slot: usize,
    pub config: ConfigId,
    pub screen: usize,
    pub was_current: bool,
    /// glXDestroyContext was called; ends when no thread has it current.
    pub dying: bool,
}

/// What a drawable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A window that was named without glXCreateWindow, as GLX 1.2 does.
    PlainWindow,
    /// Of glXCreateWindow.
    Window,
    Pbuffer,
}

/// A drawable.
#[derive(Debug)]
pub struct Drawable {
    pub kind: Kind,
    pub id: pipe::SurfaceId,
    pub config: ConfigId,
    pub width: u32,
    pub height: u32,
    pub preserved: bool,
    pub largest: bool,
    /// Mask of glXSelectEvent: kept, and never answered, since nothing of ours is ever clobbered.
    pub event_mask: u64,
    /// Slot of the context that it is current with.
    pub current: Option<usize>,
    pub dying: bool,
}

/// All of GLX's objects.
#[derive(Debug, Default)]
pub struct GlxState {
    pub contexts: HashMap<usize, Context>,
    pub drawables: HashMap<Xid, Drawable>,
    last_handle: usize,
}

/// What a thread has current.
#[derive(Clone, Copy, Debug)]
pub struct Current {
    pub context: usize,
    pub display: usize,
    pub draw: Xid,
    pub read: Xid,
}

static STATE: LazyLock<Mutex<GlxState>> = LazyLock::new(Mutex::default);

thread_local! {
    static CURRENT: RefCell<Option<Current>> = const { RefCell::new(None) };
}

/// GLX's objects for the time of one call. Meanwhile EGL calls on this thread are a driver's.
pub struct Objects {
    state: State,
    _down: egl::CallingDown,
}

enum State {
    All(MutexGuard<'static, GlxState>),
    /// None, in a forked child.
    None(Box<GlxState>),
}

impl std::ops::Deref for Objects {
    type Target = GlxState;

    fn deref(&self) -> &GlxState {
        match &self.state {
            State::All(state) => state,
            State::None(state) => state,
        }
    }
}

impl std::ops::DerefMut for Objects {
    fn deref_mut(&mut self) -> &mut GlxState {
        match &mut self.state {
            State::All(state) => state,
            State::None(state) => state,
        }
    }
}

/// GLX's objects. Taken before EGL's lock and the session's, never after.
pub fn lock() -> Objects {
    let state = match gl_entry::forked::is_child() {
        true => State::None(Box::default()),
        false => State::All(STATE.lock().unwrap_or_else(PoisonError::into_inner)),
    };
    Objects {
        state,
        _down: egl::calling_down(),
    }
}

/// What this thread has current. A context of EGL's that was made current since ends it.
pub fn current() -> Option<Current> {
    let current = CURRENT.try_with(|current| *current.borrow()).ok()??;
    let slot = lock().contexts.get(&current.context)?.slot;
    (composition::current_slot() == Some(slot)).then_some(current)
}

pub fn set_current(current: Option<Current>) {
    // A thread that runs exit handlers has nothing current.
    let _ = CURRENT.try_with(|mine| *mine.borrow_mut() = current);
}

/// The server that a display leads to, and the session opened for it: what every GLX command begins with that needs either.
pub fn open(display: Display) -> Option<Arc<x11::Server>> {
    // In a forked child the connection is the parent's.
    if display.is_null() || gl_entry::forked::is_child() {
        return None;
    }
    let opened = x11::Connection::Xlib(display as usize)
        .server()
        .and_then(|server| {
            x11::use_in_session(&server)?;
            let _down = egl::calling_down();
            composition::open()?;
            Ok(server)
        });
    match opened {
        Ok(server) => Some(server),
        Err(error) => {
            // GLX has no code for it: the message is the only thing that tells why.
            eprintln!("MobileGL: {error}");
            None
        }
    }
}

impl GlxState {
    /// A handle that was never given out.
    pub fn handle(&mut self) -> usize {
        // Far from null and aligned as an address would be: programs test low bits.
        self.last_handle += 16;
        0x2000_0000 + self.last_handle
    }

    /// Ends contexts and drawables that were destroyed and that no thread has current, and drawables whose plain window is gone.
    pub fn bury(&mut self) {
        let current = composition::current_slots();
        self.contexts.retain(|_, context| {
            let ends = context.dying && !current.contains(&context.slot);
            if ends {
                composition::destroy_context(context.slot);
            }
            !ends
        });
        self.drawables.retain(|_, drawable| {
            let free = drawable.current.is_none_or(|slot| !current.contains(&slot));
            let gone = drawable.kind == Kind::PlainWindow && x11::windows::is_gone(drawable.id);
            let ends = free && (drawable.dying || gone);
            if ends {
                composition::destroy_surface(drawable.id);
            }
            !ends
        });
    }
}
