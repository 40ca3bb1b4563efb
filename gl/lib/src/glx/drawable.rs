//! Drawables: windows and pbuffers ("On Screen Rendering", "Off Screen Rendering"). Pixmaps are [`super::refused`].

use super::attribs;
use super::config::config_of;
use super::current::create_window;
use super::errors::{Error, GlxError, Request, raise};
use super::state::{Drawable, Kind, lock, open};
use super::types::*;
use crate::composition;
use crate::egl::MAX_PBUFFER;
use crate::x11::windows;
use gl_enums::glx::*;
use std::ffi::{c_int, c_uint, c_ulong};

fn id_or_error(display: Display, request: Request, made: Result<Xid, Error>) -> Xid {
    made.unwrap_or_else(|error| {
        raise(display, error, request, 0);
        0
    })
}

/// "On Screen Rendering". The drawable's id is the window's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXCreateWindow(
    display: Display,
    config: GlxFbConfig,
    window: Xid,
    list: *const c_int,
) -> Xid {
    let made = open(display).ok_or(Error::Alloc).and_then(|server| {
        let config = config_of(config).ok_or(Error::Glx(GlxError::FbConfig))?;
        // SAFETY: rule 1.
        if !unsafe { attribs::pairs(list) }.is_empty() {
            // "On Screen Rendering": there are no attributes yet.
            return Err(Error::Value);
        }
        let mut state = lock();
        // Named before as GLX 1.2 does it, and current nowhere: it becomes a GLX window now.
        if let Some(plain) = state.drawables.get_mut(&window)
            && plain.kind == Kind::PlainWindow
        {
            plain.dying = true;
            state.bury();
        }
        create_window(&mut state, &server, display, window, &config, Kind::Window)?;
        Ok(window)
    });
    id_or_error(display, Request::CreateWindow, made)
}

fn destroy(display: Display, id: Xid, kind: Kind, error: GlxError, request: Request) {
    let mut state = lock();
    let known = match state.drawables.get_mut(&id) {
        Some(drawable) if drawable.kind == kind && !drawable.dying => {
            drawable.dying = true;
            true
        }
        Some(_) | None => false,
    };
    if known {
        state.bury();
    }
    drop(state);
    if !known {
        raise(display, Error::Glx(error), request, id);
    }
}

/// "On Screen Rendering".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXDestroyWindow(display: Display, window: Xid) {
    let request = Request::DestroyWindow;
    destroy(display, window, Kind::Window, GlxError::Window, request);
}

/// "Off Screen Rendering".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXCreatePbuffer(
    display: Display,
    config: GlxFbConfig,
    list: *const c_int,
) -> Xid {
    let made = open(display).ok_or(Error::Alloc).and_then(|server| {
        let config = config_of(config).ok_or(Error::Glx(GlxError::FbConfig))?;
        let (mut width, mut height, mut preserved, mut largest) = (0, 0, true, false);
        // SAFETY: rule 1.
        for (name, value) in unsafe { attribs::pairs(list) } {
            match name {
                GLX_PBUFFER_WIDTH => width = value,
                GLX_PBUFFER_HEIGHT => height = value,
                GLX_PRESERVED_CONTENTS => preserved = value != 0,
                GLX_LARGEST_PBUFFER => largest = value != 0,
                _ => return Err(Error::Value),
            }
        }
        let (Ok(mut width), Ok(mut height)) = (u32::try_from(width), u32::try_from(height)) else {
            return Err(Error::Value);
        };
        if width > MAX_PBUFFER || height > MAX_PBUFFER {
            if !largest {
                return Err(Error::Alloc);
            }
            (width, height) = (width.min(MAX_PBUFFER), height.min(MAX_PBUFFER));
        }
        let desc = pipe::SurfaceDesc {
            source: pipe::SurfaceSource::Offscreen,
            width,
            height,
            color: config.base.color_format,
            depth_stencil: config.base.depth_stencil_format,
            samples: 0,
        };
        let xid = Xid::from(server.unused_id().ok_or(Error::Alloc)?);
        let mut state = lock();
        let id = composition::create_surface(&desc).map_err(|error| {
            eprintln!("MobileGL: {error}");
            Error::Alloc
        })?;
        state.drawables.insert(
            xid,
            Drawable {
                kind: Kind::Pbuffer,
                id,
                config: config.id,
                width,
                height,
                preserved,
                largest,
                event_mask: 0,
                current: None,
                dying: false,
            },
        );
        Ok(xid)
    });
    id_or_error(display, Request::CreatePbuffer, made)
}

/// "Off Screen Rendering".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXDestroyPbuffer(display: Display, pbuffer: Xid) {
    let request = Request::DestroyPbuffer;
    destroy(display, pbuffer, Kind::Pbuffer, GlxError::Pbuffer, request);
}

/// "Querying Attributes". A window's size is what the server says now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXQueryDrawable(
    display: Display,
    id: Xid,
    name: c_int,
    value: *mut c_uint,
) {
    let bad = Error::Glx(GlxError::Drawable);
    let found = answer(display, id, name);
    match found {
        Ok(Some(answer)) if !value.is_null() => {
            // SAFETY: rule 1, and not null.
            unsafe { *value = answer };
        }
        Ok(_) => {}
        Err(()) => raise(display, bad, Request::GetDrawableAttributes, id),
    }
}

/// `None`: an attribute that is not there, which changes nothing ("Querying Attributes").
fn answer(display: Display, id: Xid, name: c_int) -> Result<Option<c_uint>, ()> {
    let state = lock();
    let Some(drawable) = state.drawables.get(&id).filter(|d| !d.dying) else {
        drop(state);
        // A window that was never drawn to has a size all the same.
        let server = open(display).ok_or(())?;
        crate::x11::Connection::Xlib(display as usize).settle();
        let facts = server
            .window(u32::try_from(id).map_err(|_| ())?)
            .ok_or(())?;
        return Ok(match name {
            GLX_WIDTH => Some(facts.width),
            GLX_HEIGHT => Some(facts.height),
            GLX_SWAP_INTERVAL_EXT => Some(super::swap::interval(id)),
            GLX_MAX_SWAP_INTERVAL_EXT => Some(1),
            _ => None,
        });
    };
    let size = || {
        let now = windows::size(drawable.id);
        now.unwrap_or((drawable.width, drawable.height))
    };
    Ok(match name {
        GLX_WIDTH => Some(size().0),
        GLX_HEIGHT => Some(size().1),
        GLX_FBCONFIG_ID => Some(drawable.config),
        GLX_PRESERVED_CONTENTS => Some(drawable.preserved.into()),
        GLX_LARGEST_PBUFFER => Some(drawable.largest.into()),
        GLX_EVENT_MASK => Some(drawable.event_mask as c_uint),
        GLX_SWAP_INTERVAL_EXT => Some(super::swap::interval(id)),
        GLX_MAX_SWAP_INTERVAL_EXT => Some(1),
        _ => None,
    })
}

/// "Events". Nothing of ours is ever clobbered, so no event comes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXSelectEvent(display: Display, id: Xid, mask: c_ulong) {
    let mut state = lock();
    match state.drawables.get_mut(&id) {
        Some(drawable) => drawable.event_mask = mask,
        None => {
            drop(state);
            let error = Error::Glx(GlxError::Drawable);
            raise(display, error, Request::ChangeDrawableAttributes, id);
        }
    }
}

/// "Events".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetSelectedEvent(display: Display, id: Xid, mask: *mut c_ulong) {
    let found = lock()
        .drawables
        .get(&id)
        .map(|drawable| drawable.event_mask);
    match found {
        Some(event_mask) if !mask.is_null() => {
            // SAFETY: rule 1, and not null.
            unsafe { *mask = event_mask };
        }
        Some(_) => {}
        None => {
            let error = Error::Glx(GlxError::Drawable);
            raise(display, error, Request::GetDrawableAttributes, id);
        }
    }
}
