//! Swaps and their interval ("Double Buffering", GLX_EXT_swap_control, GLX_MESA_swap_control, GLX_SGI_swap_control).

use super::errors::{Error, GlxError, Request, raise};
use super::state::{Current, Kind, current, lock};
use super::types::*;
use crate::composition;
use crate::x11::windows;
use gl_enums::glx::{GLX_BAD_CONTEXT, GLX_BAD_VALUE};
use std::collections::HashMap;
use std::ffi::{c_int, c_uint};
use std::sync::{LazyLock, Mutex, PoisonError};

/// Intervals that were asked for, by drawable.
static INTERVALS: LazyLock<Mutex<HashMap<Xid, c_uint>>> = LazyLock::new(Mutex::default);

/// GLX_EXT_swap_control: the initial interval is 1.
pub(super) fn interval(drawable: Xid) -> c_uint {
    let intervals = INTERVALS.lock().unwrap_or_else(PoisonError::into_inner);
    intervals.get(&drawable).copied().unwrap_or(1)
}

fn set_interval(drawable: Xid, interval: c_uint) {
    let mut intervals = INTERVALS.lock().unwrap_or_else(PoisonError::into_inner);
    intervals.insert(drawable, interval.min(1));
}

/// "Double Buffering".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXSwapBuffers(display: Display, drawable: Xid) {
    let bad = |error| raise(display, Error::Glx(error), Request::SwapBuffers, drawable);
    let found = lock()
        .drawables
        .get(&drawable)
        .map(|drawable| (drawable.kind, drawable.id));
    let Some((kind, surface)) = found else {
        return bad(GlxError::Drawable);
    };
    if kind == Kind::Pbuffer {
        // "Double Buffering": "This operation is a no-op" (paraphrase); the frame ends all the same.
        if current().is_some_and(|current| current.draw == drawable) {
            composition::present();
        }
        return;
    }
    if windows::is_gone(surface) {
        return bad(GlxError::CurrentWindow);
    }
    match current() {
        Some(current) if current.draw == drawable => {
            composition::set_swap_interval(interval(drawable) as i32);
            composition::present();
        }
        Some(current) => present_other(display, current, drawable),
        // "Double Buffering" lets a thread without a context swap; there is no command stream to put it in.
        None => eprintln!("MobileGL: glXSwapBuffers without a current context is not implemented"),
    }
}

/// A drawable that is not the current one: it is, for the length of the swap.
fn present_other(display: Display, before: Current, drawable: Xid) {
    let (context, own) = (before.context as GlxContext, before.display as Display);
    // SAFETY: the arguments are a display, a drawable and a context that were looked up.
    let other = unsafe { super::current::glXMakeCurrent(display, drawable, context) };
    if other == TRUE {
        composition::set_swap_interval(interval(drawable) as i32);
        composition::present();
        // SAFETY: as above, and they were current before.
        unsafe {
            super::current::glXMakeContextCurrent(own, before.draw, before.read, context);
        }
    }
}

/// GLX_EXT_swap_control.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXSwapIntervalEXT(display: Display, drawable: Xid, interval: c_int) {
    match c_uint::try_from(interval) {
        Ok(interval) => set_interval(drawable, interval),
        // A negative one is GLX_EXT_swap_control_tear's, which is not there.
        Err(_) => {
            let request = Request::ChangeDrawableAttributes;
            raise(display, Error::Value, request, drawable);
        }
    }
}

/// GLX_MESA_swap_control.
#[unsafe(no_mangle)]
pub extern "C" fn glXSwapIntervalMESA(interval: c_uint) -> c_int {
    match current() {
        Some(current) => {
            set_interval(current.draw, interval);
            0
        }
        None => GLX_BAD_CONTEXT,
    }
}

/// GLX_MESA_swap_control.
#[unsafe(no_mangle)]
pub extern "C" fn glXGetSwapIntervalMESA() -> c_int {
    current().map_or(0, |current| interval(current.draw) as c_int)
}

/// GLX_SGI_swap_control: an interval of 0 is an error there.
#[unsafe(no_mangle)]
pub extern "C" fn glXSwapIntervalSGI(interval: c_int) -> c_int {
    match (current(), c_uint::try_from(interval)) {
        (None, _) => GLX_BAD_CONTEXT,
        (Some(_), Ok(0) | Err(_)) => GLX_BAD_VALUE,
        (Some(current), Ok(interval)) => {
            set_interval(current.draw, interval);
            0
        }
    }
}
