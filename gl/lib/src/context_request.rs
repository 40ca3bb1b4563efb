//! What a program asks of a new context, in EGL's words or GLX's, and whether there is such a context. It makes none.

use gl_state::Profile;
use gl_state::context::ContextAttribs;

/// Bits of the profile mask, which EGL and GLX number alike.
pub const CORE_PROFILE: i32 = 1;
/// As above.
pub const COMPATIBILITY_PROFILE: i32 = 2;

/// The attributes that EGL_KHR_create_context and GLX_ARB_create_context share.
#[derive(Clone, Copy, Debug)]
pub struct ContextRequest {
    pub major: i32,
    pub minor: i32,
    pub profile_mask: i32,
    pub forward_compatible: bool,
    pub debug: bool,
    pub no_error: bool,
    pub robust_access: bool,
    pub lose_context_on_reset: bool,
}

impl Default for ContextRequest {
    fn default() -> Self {
        Self {
            major: 1,
            minor: 0,
            profile_mask: CORE_PROFILE,
            forward_compatible: false,
            debug: false,
            no_error: false,
            robust_access: false,
            lose_context_on_reset: false,
        }
    }
}

/// Why there is no such context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The version does not exist, is not there, or does not go with the other attributes.
    Version,
    /// No profile, several, or an unknown one.
    Profile,
}

impl ContextRequest {
    /// The context that answers the request (EGL 1.5 §3.7.1.1).
    pub fn resolve(&self) -> Result<ContextAttribs, Refusal> {
        let (major, minor) = (self.major, self.minor);
        let highest_minor = match major {
            1 => 5,
            2 => 1,
            3 => 3,
            4 => 6,
            _ => return Err(Refusal::Version),
        };
        if !(0..=highest_minor).contains(&minor) || (major, minor) > (3, 3) {
            return Err(Refusal::Version);
        }
        if self.forward_compatible && major < 3 {
            return Err(Refusal::Version);
        }
        let profile = match (major, minor) {
            // The profile mask has a meaning from 3.2 on.
            (3, 2..) => match self.profile_mask {
                CORE_PROFILE => Profile::Core,
                COMPATIBILITY_PROFILE => Profile::Compatibility,
                _ => return Err(Refusal::Profile),
            },
            // 3.1 without ARB_compatibility has what core has.
            (3, 1) => Profile::Core,
            _ => Profile::Compatibility,
        };
        if self.no_error && (self.debug || self.robust_access) {
            // EGL_KHR_create_context_no_error: not together with debug or robust access.
            return Err(Refusal::Version);
        }
        Ok(ContextAttribs {
            profile,
            version: (3, 3),
            forward_compatible: self.forward_compatible,
            debug: self.debug,
            no_error: self.no_error,
            robust_access: self.robust_access,
            lose_context_on_reset: self.lose_context_on_reset,
        })
    }
}
