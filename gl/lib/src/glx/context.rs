//! Contexts: creation, destruction, queries ("Rendering Contexts", GLX_ARB_create_context).

use super::attribs;
use super::config::{FbConfig, config, config_of, config_of_visual};
use super::errors::{Error, GlxError, Request, raise};
use super::state::{Context, lock, open};
use super::types::*;
use crate::composition;
use crate::context_request::{ContextRequest, Refusal};
use crate::x11::xlib::XVisualInfo;
use gl_enums::glx::*;
use gl_state::context::ContextAttribs;
use std::ffi::{c_int, c_void};

/// GLX_ARB_create_context_no_error.
const GLX_CONTEXT_OPENGL_NO_ERROR: c_int = GLX_CONTEXT_OPENGL_NO_ERROR_ARB;

fn create(
    config: FbConfig,
    screen: usize,
    share: GlxContext,
    attribs: ContextAttribs,
) -> Result<GlxContext, Error> {
    let mut state = lock();
    let share = match state.contexts.get(&(share as usize)) {
        _ if share.is_null() => None,
        Some(context) if !context.dying => Some(context.slot),
        Some(_) | None => return Err(Error::Glx(GlxError::Context)),
    };
    let slot = composition::create_context(attribs, share).map_err(|error| {
        eprintln!("MobileGL: {error}");
        Error::Alloc
    })?;
    let handle = state.handle();
    state.contexts.insert(
        handle,
        Context {
            slot,
            config: config.id,
            screen,
            was_current: false,
            dying: false,
        },
    );
    Ok(handle as GlxContext)
}

fn context_or_error(
    display: Display,
    request: Request,
    made: Result<GlxContext, Error>,
) -> GlxContext {
    made.unwrap_or_else(|error| {
        raise(display, error, request, 0);
        std::ptr::null_mut()
    })
}

/// Without a version asked for: the newest with everything that was ever removed.
fn whole() -> Result<ContextAttribs, Error> {
    ContextRequest::default()
        .resolve()
        .map_err(|_| Error::Alloc)
}

/// "Backwards Compatibility". Every context is direct: there is no other way to draw.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXCreateContext(
    display: Display,
    visual: *mut c_void,
    share: GlxContext,
    _direct: Bool,
) -> GlxContext {
    let request = Request::CreateContext;
    let made = open(display).ok_or(Error::Alloc).and_then(|server| {
        if visual.is_null() {
            return Err(Error::Value);
        }
        // SAFETY: rule 1, and not null.
        let visual = unsafe { &*visual.cast::<XVisualInfo>() };
        let screen = visual.screen as usize;
        let config = config_of_visual(&server, screen, visual.visualid as u32);
        // "Backwards Compatibility": BadValue "if visual is not a valid X Visual or if GLX does not support it" (paraphrase).
        create(config.ok_or(Error::Value)?, screen, share, whole()?)
    });
    context_or_error(display, request, made)
}

/// "Rendering Contexts".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXCreateNewContext(
    display: Display,
    config: GlxFbConfig,
    render_type: c_int,
    share: GlxContext,
    _direct: Bool,
) -> GlxContext {
    let request = Request::CreateNewContext;
    let made = open(display).ok_or(Error::Alloc).and_then(|server| {
        let config = config_of(config).ok_or(Error::Glx(GlxError::FbConfig))?;
        match render_type {
            GLX_RGBA_TYPE => create(config, server.default_screen, share, whole()?),
            // No configuration has colour indices.
            GLX_COLOR_INDEX_TYPE => Err(Error::Match),
            _ => Err(Error::Value),
        }
    });
    context_or_error(display, request, made)
}

/// What the attribute list asks for, or the error that it deserves.
fn parse(list: &[(c_int, c_int)]) -> Result<ContextAttribs, Error> {
    let mut asked = ContextRequest::default();
    for (name, value) in list {
        let value = *value;
        match *name {
            GLX_CONTEXT_MAJOR_VERSION_ARB => asked.major = value,
            GLX_CONTEXT_MINOR_VERSION_ARB => asked.minor = value,
            GLX_CONTEXT_PROFILE_MASK_ARB => asked.profile_mask = value,
            GLX_CONTEXT_FLAGS_ARB => {
                const DEBUG: c_int = GLX_CONTEXT_DEBUG_BIT_ARB;
                const FORWARD: c_int = GLX_CONTEXT_FORWARD_COMPATIBLE_BIT_ARB;
                const ROBUST: c_int = GLX_CONTEXT_ROBUST_ACCESS_BIT_ARB;
                if value & !(DEBUG | FORWARD | ROBUST) != 0 {
                    return Err(Error::Value);
                }
                asked.debug |= value & DEBUG != 0;
                asked.forward_compatible |= value & FORWARD != 0;
                asked.robust_access |= value & ROBUST != 0;
            }
            GLX_CONTEXT_RESET_NOTIFICATION_STRATEGY_ARB => {
                asked.lose_context_on_reset = match value {
                    GLX_LOSE_CONTEXT_ON_RESET_ARB => true,
                    GLX_NO_RESET_NOTIFICATION_ARB => false,
                    _ => return Err(Error::Value),
                };
            }
            GLX_CONTEXT_OPENGL_NO_ERROR => asked.no_error = value != 0,
            GLX_RENDER_TYPE => match value {
                GLX_RGBA_TYPE => {}
                GLX_COLOR_INDEX_TYPE => return Err(Error::Match),
                _ => return Err(Error::Value),
            },
            _ => return Err(Error::Value),
        }
    }
    asked.resolve().map_err(|refusal| match refusal {
        Refusal::Version => Error::Match,
        Refusal::Profile => Error::Glx(GlxError::Profile),
    })
}

/// GLX_ARB_create_context, GLX_ARB_create_context_profile, GLX_ARB_create_context_robustness.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXCreateContextAttribsARB(
    display: Display,
    config: GlxFbConfig,
    share: GlxContext,
    _direct: Bool,
    list: *const c_int,
) -> GlxContext {
    let request = Request::CreateContextAttribs;
    let made = open(display).ok_or(Error::Alloc).and_then(|server| {
        let config = config_of(config).ok_or(Error::Glx(GlxError::FbConfig))?;
        // SAFETY: rule 1.
        let attribs = parse(&unsafe { attribs::pairs(list) })?;
        create(config, server.default_screen, share, attribs)
    });
    context_or_error(display, request, made)
}

/// "Rendering Contexts". A current context ends when it is no longer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXDestroyContext(display: Display, context: GlxContext) {
    let mut state = lock();
    let known = match state.contexts.get_mut(&(context as usize)) {
        Some(context) if !context.dying => {
            context.dying = true;
            true
        }
        Some(_) | None => false,
    };
    if known {
        state.bury();
    }
    drop(state);
    if known {
        crate::statistics::write();
    } else if !context.is_null() {
        let error = Error::Glx(GlxError::Context);
        raise(display, error, Request::DestroyContext, context as Xid);
    }
}

/// "Rendering Contexts".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXIsDirect(display: Display, context: GlxContext) -> Bool {
    if lock().contexts.contains_key(&(context as usize)) {
        return TRUE;
    }
    let error = Error::Glx(GlxError::Context);
    raise(display, error, Request::IsDirect, context as Xid);
    FALSE
}

/// "Rendering Contexts".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXQueryContext(
    display: Display,
    context: GlxContext,
    name: c_int,
    value: *mut c_int,
) -> c_int {
    let found = lock()
        .contexts
        .get(&(context as usize))
        .map(|context| (context.config, context.screen));
    let Some((config, screen)) = found else {
        let error = Error::Glx(GlxError::Context);
        raise(display, error, Request::QueryContext, context as Xid);
        return GLX_BAD_CONTEXT;
    };
    let answer = match name {
        GLX_FBCONFIG_ID => config as c_int,
        GLX_RENDER_TYPE => GLX_RGBA_TYPE,
        GLX_SCREEN => screen as c_int,
        _ => return GLX_BAD_ATTRIBUTE,
    };
    if value.is_null() {
        return GLX_BAD_VALUE;
    }
    // SAFETY: rule 1, and not null.
    unsafe { *value = answer };
    0
}

/// Whether a context's configuration and a drawable's go together: "compatible" of "Rendering Contexts and Drawing Surfaces", the same colours and windows.
pub(super) fn are_compatible(context: u32, drawable: u32) -> bool {
    let (Some(context), Some(drawable)) = (config(context), config(drawable)) else {
        return false;
    };
    let channels = |config: &FbConfig| (config.base.red, config.base.green, config.base.blue);
    channels(&context) == channels(&drawable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gl_state::Profile;

    #[test]
    fn versions_profiles_and_flags_that_are_not_there_have_the_errors_of_the_extension() {
        let version = |major, minor| {
            vec![
                (GLX_CONTEXT_MAJOR_VERSION_ARB, major),
                (GLX_CONTEXT_MINOR_VERSION_ARB, minor),
            ]
        };
        let profile = |list: &[(c_int, c_int)]| parse(list).map(|attribs| attribs.profile);
        assert_eq!(profile(&[]), Ok(Profile::Compatibility));
        assert_eq!(profile(&version(3, 3)), Ok(Profile::Core));
        assert_eq!(profile(&version(3, 4)), Err(Error::Match));
        let with = |name, value| {
            let mut list = version(3, 3);
            list.push((name, value));
            list
        };
        let mask = GLX_CONTEXT_PROFILE_MASK_ARB;
        let compatibility = with(mask, GLX_CONTEXT_COMPATIBILITY_PROFILE_BIT_ARB);
        assert_eq!(profile(&compatibility), Ok(Profile::Compatibility));
        for value in [0, 3, GLX_CONTEXT_ES2_PROFILE_BIT_EXT] {
            let refused = Err(Error::Glx(GlxError::Profile));
            assert_eq!(profile(&with(mask, value)), refused);
        }
        assert_eq!(
            profile(&with(GLX_CONTEXT_FLAGS_ARB, 0x80)),
            Err(Error::Value)
        );
        assert_eq!(profile(&with(0x1234, 0)), Err(Error::Value));
    }
}
