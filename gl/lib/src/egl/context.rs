//! Contexts: attributes, creation, destruction, queries (§3.7.1, EGL_KHR_create_context).

use super::below::for_system;
use super::config::{ConfigId, config_of};
use super::state::{Context, EglState, lock, pointer};
use super::types::*;
use super::{attribs, fail, succeed, thread};
use crate::composition;
use crate::context_request::ContextRequest;
use gl_enums::egl::*;
use gl_state::context::ContextAttribs;
use std::ffi::c_void;

/// What the attribute list asks for, or the error that it deserves.
fn parse(list: &[(EGLint, EGLAttrib)]) -> Result<ContextAttribs, EGLint> {
    let mut request = ContextRequest::default();
    for (name, value) in list {
        let value = *value as EGLint;
        let flag = || match value {
            EGL_TRUE => Ok(true),
            EGL_FALSE => Ok(false),
            _ => Err(EGL_BAD_ATTRIBUTE),
        };
        match *name {
            EGL_CONTEXT_MAJOR_VERSION => request.major = value,
            EGL_CONTEXT_MINOR_VERSION => request.minor = value,
            EGL_CONTEXT_OPENGL_PROFILE_MASK => request.profile_mask = value,
            EGL_CONTEXT_FLAGS_KHR => {
                const DEBUG: EGLint = EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR;
                const FORWARD: EGLint = EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE_BIT_KHR;
                const ROBUST: EGLint = EGL_CONTEXT_OPENGL_ROBUST_ACCESS_BIT_KHR;
                if value & !(DEBUG | FORWARD | ROBUST) != 0 {
                    return Err(EGL_BAD_ATTRIBUTE);
                }
                request.debug |= value & DEBUG != 0;
                request.forward_compatible |= value & FORWARD != 0;
                request.robust_access |= value & ROBUST != 0;
            }
            EGL_CONTEXT_OPENGL_DEBUG => request.debug = flag()?,
            EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE => request.forward_compatible = flag()?,
            EGL_CONTEXT_OPENGL_NO_ERROR_KHR => request.no_error = flag()?,
            EGL_CONTEXT_OPENGL_ROBUST_ACCESS | EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT => {
                request.robust_access = flag()?;
            }
            EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY
            | EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT => {
                request.lose_context_on_reset = match value {
                    EGL_LOSE_CONTEXT_ON_RESET => true,
                    EGL_NO_RESET_NOTIFICATION => false,
                    _ => return Err(EGL_BAD_ATTRIBUTE),
                };
            }
            EGL_CONTEXT_PRIORITY_LEVEL_IMG => {}
            _ => return Err(EGL_BAD_ATTRIBUTE),
        }
    }
    // §3.7.1.1: a version that does not exist, or that is not there, is a mismatch, and so is a profile.
    request.resolve().map_err(|_| EGL_BAD_MATCH)
}

/// §3.7.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglCreateContext(
    display: *mut c_void,
    config: *mut c_void,
    share: *mut c_void,
    list: *const EGLint,
) -> *mut c_void {
    for_system!(eglCreateContext(display: *mut c_void, config: *mut c_void, share: *mut c_void, list: *const EGLint) -> *mut c_void);
    let none = std::ptr::null_mut();
    let mut state = lock();
    match state.displays.get(&(display as usize)) {
        None => return fail(EGL_BAD_DISPLAY, none),
        Some(display) if !display.initialized => return fail(EGL_NOT_INITIALIZED, none),
        Some(_) => {}
    }
    let config: Option<ConfigId> = match config_of(config) {
        Some(config) => Some(config.id),
        None if config.is_null() => None,
        None => return fail(EGL_BAD_CONFIG, none),
    };
    // §3.7.1: BAD_MATCH "if the current rendering api is EGL_NONE".
    if thread::api() as EGLint != EGL_OPENGL_API {
        return fail(EGL_BAD_MATCH, none);
    }
    let share = if share.is_null() {
        None
    } else {
        match state.contexts.get(&(share as usize)) {
            Some(context) if !context.dying => Some(context.slot),
            _ => return fail(EGL_BAD_CONTEXT, none),
        }
    };
    // SAFETY: rule 1.
    let list = unsafe { attribs::ints(list) };
    let attribs = match parse(&list) {
        Ok(attribs) => attribs,
        Err(error) => return fail(error, none),
    };
    match composition::create_context(attribs, share) {
        Ok(slot) => {
            let handle = state.handle();
            state.contexts.insert(
                handle,
                Context {
                    display: display as usize,
                    config,
                    slot,
                    was_current: false,
                    dying: false,
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

/// §3.7.2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglDestroyContext(
    display: *mut c_void,
    context: *mut c_void,
) -> EGLBoolean {
    for_system!(eglDestroyContext(display: *mut c_void, context: *mut c_void) -> EGLBoolean);
    let mut state = lock();
    if let Err(error) = state.check_display(display as usize) {
        return fail(error, EGL_FALSE as EGLBoolean);
    }
    match state.contexts.get_mut(&(context as usize)) {
        Some(context) if !context.dying => context.dying = true,
        _ => return fail(EGL_BAD_CONTEXT, EGL_FALSE as EGLBoolean),
    }
    state.bury();
    succeed(EGL_TRUE as EGLBoolean)
}

/// §3.7.4.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eglQueryContext(
    display: *mut c_void,
    context: *mut c_void,
    name: EGLint,
    value: *mut EGLint,
) -> EGLBoolean {
    for_system!(eglQueryContext(display: *mut c_void, context: *mut c_void, name: EGLint, value: *mut EGLint) -> EGLBoolean);
    let state = lock();
    if let Err(error) = state.check_display(display as usize) {
        return fail(error, EGL_FALSE as EGLBoolean);
    }
    let Some(context) = state.contexts.get(&(context as usize)) else {
        return fail(EGL_BAD_CONTEXT, EGL_FALSE as EGLBoolean);
    };
    let answer = match name {
        EGL_CONFIG_ID => context.config.unwrap_or(0) as EGLint,
        EGL_CONTEXT_CLIENT_TYPE => EGL_OPENGL_API,
        EGL_CONTEXT_CLIENT_VERSION => 3,
        EGL_RENDER_BUFFER => {
            let surface = state
                .surfaces
                .values()
                .any(|surface| surface.current == Some(context.slot));
            if surface { EGL_BACK_BUFFER } else { EGL_NONE }
        }
        _ => return fail(EGL_BAD_ATTRIBUTE, EGL_FALSE as EGLBoolean),
    };
    if value.is_null() {
        return fail(EGL_BAD_PARAMETER, EGL_FALSE as EGLBoolean);
    }
    // SAFETY: rule 1, and not null.
    unsafe { *value = answer };
    succeed(EGL_TRUE as EGLBoolean)
}

impl EglState {
    /// The error that a display handle deserves.
    pub(super) fn check_display(&self, display: usize) -> Result<(), EGLint> {
        match self.displays.get(&display) {
            None => Err(EGL_BAD_DISPLAY),
            Some(display) if !display.initialized => Err(EGL_NOT_INITIALIZED),
            Some(_) => Ok(()),
        }
    }

    /// Ends contexts and surfaces that were destroyed and that no thread has current.
    pub(super) fn bury(&mut self) {
        let current = composition::current_slots();
        self.contexts.retain(|_, context| {
            let ends = context.dying && !current.contains(&context.slot);
            if ends {
                composition::destroy_context(context.slot);
            }
            !ends
        });
        self.surfaces.retain(|_, surface| {
            let ends = surface.dying && surface.current.is_none_or(|slot| !current.contains(&slot));
            if ends {
                composition::destroy_surface(surface.id);
            }
            !ends
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gl_state::Profile;

    fn profile(list: &[(EGLint, EGLAttrib)]) -> Result<Profile, EGLint> {
        parse(list).map(|attribs| attribs.profile)
    }

    #[test]
    fn context_without_a_version_or_with_an_old_one_is_a_compatibility_context() {
        assert_eq!(profile(&[]), Ok(Profile::Compatibility));
        assert_eq!(
            profile(&[
                (EGL_CONTEXT_MAJOR_VERSION, 1),
                (EGL_CONTEXT_MINOR_VERSION, 0)
            ]),
            Ok(Profile::Compatibility)
        );
        assert_eq!(
            profile(&[
                (EGL_CONTEXT_MAJOR_VERSION, 3),
                (EGL_CONTEXT_MINOR_VERSION, 0)
            ]),
            Ok(Profile::Compatibility)
        );
    }

    #[test]
    fn context_of_3_2_and_later_is_core_unless_the_mask_says_otherwise() {
        let version = [
            (EGL_CONTEXT_MAJOR_VERSION, 3),
            (EGL_CONTEXT_MINOR_VERSION, 3),
        ];
        assert_eq!(profile(&version), Ok(Profile::Core));
        let mut compatibility = version.to_vec();
        compatibility.push((
            EGL_CONTEXT_OPENGL_PROFILE_MASK,
            EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT as EGLAttrib,
        ));
        assert_eq!(profile(&compatibility), Ok(Profile::Compatibility));
        let mut none = version.to_vec();
        none.push((EGL_CONTEXT_OPENGL_PROFILE_MASK, 0));
        assert_eq!(profile(&none), Err(EGL_BAD_MATCH));
    }

    #[test]
    fn context_of_a_version_that_does_not_exist_or_is_not_there_is_bad_match() {
        for (major, minor) in [(1, 6), (2, 2), (3, 4), (4, 0), (4, 6), (5, 0), (0, 0)] {
            let list = [
                (EGL_CONTEXT_MAJOR_VERSION, major),
                (EGL_CONTEXT_MINOR_VERSION, minor),
            ];
            assert_eq!(profile(&list), Err(EGL_BAD_MATCH), "{major}.{minor}");
        }
        assert_eq!(profile(&[(0x1234, 0)]), Err(EGL_BAD_ATTRIBUTE));
    }
}
