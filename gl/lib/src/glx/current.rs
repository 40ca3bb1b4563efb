//! Which context and drawables are current on which thread ("Rendering Contexts").

use super::config::{ConfigId, config};
use super::context::are_compatible;
use super::errors::{Error, GlxError, Request, raise};
use super::state::{Current, Drawable, GlxState, Kind, current, lock, open, set_current};
use super::types::*;
use crate::composition;
use crate::x11::{Connection, Server, windows};

use std::sync::Arc;

/// A drawable that has the id, or that a window becomes by being named (GLX 1.2); its size is the window's.
fn drawable_for(
    state: &mut GlxState,
    server: &Arc<Server>,
    display: Display,
    id: Xid,
    config_id: ConfigId,
) -> Result<gl_state::framebuffer::Drawable, Error> {
    let bad = Error::Glx(GlxError::Drawable);
    let known = state
        .drawables
        .get(&id)
        .is_some_and(|drawable| !drawable.dying);
    let has_window = |kind| matches!(kind, Kind::PlainWindow | Kind::Window);
    let mut follow = None;
    if let Some(drawable) = state.drawables.get(&id).filter(|_| known)
        && has_window(drawable.kind)
    {
        follow = composition::follow_window(drawable.id);
        if follow.is_none() {
            // The window ended; the server may have given its id to another since.
            state.bury();
        }
    }
    if !state.drawables.contains_key(&id) {
        let wanted = config(config_id).ok_or(Error::Match)?;
        create_window(state, server, display, id, &wanted, Kind::PlainWindow)?;
    } else if let (Some((width, height)), Some(drawable)) = (follow, state.drawables.get_mut(&id)) {
        (drawable.width, drawable.height) = (width, height);
    }
    let drawable = state.drawables.get(&id).ok_or(bad)?;
    if has_window(drawable.kind) && windows::is_gone(drawable.id) {
        return Err(Error::Glx(GlxError::Window));
    }
    if !are_compatible(config_id, drawable.config) {
        return Err(Error::Match);
    }
    let own = config(drawable.config).ok_or(Error::Match)?;
    Ok(gl_state::framebuffer::Drawable {
        surface: drawable.id,
        width: drawable.width,
        height: drawable.height,
        color: own.base.color_format,
        depth_stencil: own.base.depth_stencil_format,
        samples: 0,
        double_buffered: own.double_buffered,
    })
}

/// Makes a window's drawable under the window's own id.
pub(super) fn create_window(
    state: &mut GlxState,
    server: &Arc<Server>,
    display: Display,
    id: Xid,
    config: &super::config::FbConfig,
    kind: Kind,
) -> Result<(), Error> {
    let bad = Error::Glx(match kind {
        Kind::Window => GlxError::Window,
        Kind::PlainWindow | Kind::Pbuffer => GlxError::Drawable,
    });
    let window = u32::try_from(id).map_err(|_| bad)?;
    Connection::Xlib(display as usize).settle();
    let facts = server.window(window).ok_or(bad)?;
    // The visual must be one that can be drawn to.
    let visual = server.visual(facts.visual).ok_or(Error::Match)?;
    if windows::is_taken(server, window) {
        return Err(Error::Alloc);
    }
    let desc = pipe::SurfaceDesc {
        source: pipe::SurfaceSource::Offscreen,
        width: facts.width,
        height: facts.height,
        color: config.base.color_format,
        depth_stencil: config.base.depth_stencil_format,
        samples: 0,
    };
    let surface = composition::create_window_surface(server, window, visual, &desc);
    let surface = surface.map_err(|error| {
        eprintln!("MobileGL: {error}");
        Error::Alloc
    })?;
    state.drawables.insert(
        id,
        Drawable {
            kind,
            id: surface,
            config: config.id,
            width: facts.width,
            height: facts.height,
            preserved: false,
            largest: false,
            event_mask: 0,
            current: None,
            dying: false,
        },
    );
    Ok(())
}

fn make_current(display: Display, draw: Xid, read: Xid, context: GlxContext) -> Result<(), Error> {
    if context.is_null() {
        if draw != 0 || read != 0 {
            return Err(Error::Match);
        }
        // A context of EGL's is not GLX's to release.
        if current().is_some() {
            let mut state = lock();
            composition::make_current(None, None, None, false).map_err(|_| Error::Alloc)?;
            state.bury();
        }
        set_current(None);
        return Ok(());
    }
    let server = open(display).ok_or(Error::Alloc)?;
    let mut state = lock();
    let previous = composition::current_slot();
    let target = state
        .contexts
        .get(&(context as usize))
        .filter(|target| !target.dying || previous == Some(target.slot))
        .ok_or(Error::Glx(GlxError::Context))?;
    let (slot, first, config_id) = (target.slot, !target.was_current, target.config);
    // GLX_ARB_create_context: a context may be current without drawables, but with both or none.
    if (draw == 0) != (read == 0) {
        return Err(Error::Match);
    }
    if composition::is_current_elsewhere(slot) {
        return Err(Error::Access);
    }
    let mut drawables = [None, None];
    for (out, id) in drawables.iter_mut().zip([draw, read]) {
        if id == 0 {
            continue;
        }
        let taken = state
            .drawables
            .get(&id)
            .and_then(|drawable| drawable.current);
        let elsewhere = |taken: usize| {
            taken != slot && Some(taken) != previous && composition::is_current_elsewhere(taken)
        };
        if taken.is_some_and(elsewhere) {
            return Err(Error::Access);
        }
        *out = Some(drawable_for(&mut state, &server, display, id, config_id)?);
    }
    composition::make_current(Some(slot), drawables[0], drawables[1], first).map_err(|error| {
        eprintln!("MobileGL: {error}");
        Error::Alloc
    })?;
    for drawable in state.drawables.values_mut() {
        if drawable.current == previous || drawable.current == Some(slot) {
            drawable.current = None;
        }
    }
    for id in [draw, read] {
        if let Some(drawable) = state.drawables.get_mut(&id) {
            drawable.current = Some(slot);
        }
    }
    if let Some(target) = state.contexts.get_mut(&(context as usize)) {
        target.was_current = true;
    }
    state.bury();
    drop(state);
    set_current(Some(Current {
        context: context as usize,
        display: display as usize,
        draw,
        read,
    }));
    Ok(())
}

fn make_current_or_raise(
    display: Display,
    draw: Xid,
    read: Xid,
    context: GlxContext,
    request: Request,
) -> Bool {
    match make_current(display, draw, read, context) {
        Ok(()) => TRUE,
        Err(error) => {
            let resource = match error {
                Error::Glx(GlxError::Context) => context as Xid,
                Error::Glx(_) | Error::Value | Error::Match | Error::Access | Error::Alloc => draw,
            };
            raise(display, error, request, resource);
            FALSE
        }
    }
}

/// "Backwards Compatibility".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXMakeCurrent(
    display: Display,
    drawable: Xid,
    context: GlxContext,
) -> Bool {
    make_current_or_raise(display, drawable, drawable, context, Request::MakeCurrent)
}

/// "Rendering Contexts".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXMakeContextCurrent(
    display: Display,
    draw: Xid,
    read: Xid,
    context: GlxContext,
) -> Bool {
    make_current_or_raise(display, draw, read, context, Request::MakeContextCurrent)
}

/// "Rendering Contexts".
#[unsafe(no_mangle)]
pub extern "C" fn glXGetCurrentContext() -> GlxContext {
    current().map_or(std::ptr::null_mut(), |current| {
        current.context as GlxContext
    })
}

/// "Rendering Contexts".
#[unsafe(no_mangle)]
pub extern "C" fn glXGetCurrentDisplay() -> Display {
    current().map_or(std::ptr::null_mut(), |current| current.display as Display)
}

/// "Rendering Contexts".
#[unsafe(no_mangle)]
pub extern "C" fn glXGetCurrentDrawable() -> Xid {
    current().map_or(0, |current| current.draw)
}

/// "Rendering Contexts".
#[unsafe(no_mangle)]
pub extern "C" fn glXGetCurrentReadDrawable() -> Xid {
    current().map_or(0, |current| current.read)
}

/// "Synchronization Primitives": what GL did is in the drawable before X draws.
#[unsafe(no_mangle)]
pub extern "C" fn glXWaitGL() {
    if current().is_some() {
        composition::finish();
    }
}

/// "Synchronization Primitives": what X did is in the drawable before GL draws.
#[unsafe(no_mangle)]
pub extern "C" fn glXWaitX() {
    if let Some(current) = current() {
        Connection::Xlib(current.display).settle();
    }
}
