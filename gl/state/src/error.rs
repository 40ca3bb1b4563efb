//! Application errors: the sticky flag of glGetError and the text that KHR_debug tells. Nothing else is reported here.

use gl_enums::GLenum;
use std::borrow::Cow;

/// An application's mistake: the call that made it has no effect (GL 4.6 §2.3.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlError {
    /// GL_INVALID_ENUM and its kin.
    pub code: GLenum,
    /// The rule that was broken, as `xoffset + width > level width`.
    pub what: Cow<'static, str>,
}

impl GlError {
    /// GL_INVALID_ENUM.
    pub const fn invalid_enum(what: &'static str) -> Self {
        Self {
            code: 0x0500,
            what: Cow::Borrowed(what),
        }
    }

    /// GL_INVALID_VALUE.
    pub const fn invalid_value(what: &'static str) -> Self {
        Self {
            code: 0x0501,
            what: Cow::Borrowed(what),
        }
    }

    /// GL_INVALID_OPERATION.
    pub const fn invalid_operation(what: &'static str) -> Self {
        Self {
            code: 0x0502,
            what: Cow::Borrowed(what),
        }
    }

    /// GL_OUT_OF_MEMORY.
    pub const fn out_of_memory(what: &'static str) -> Self {
        Self {
            code: 0x0505,
            what: Cow::Borrowed(what),
        }
    }

    /// GL_INVALID_FRAMEBUFFER_OPERATION.
    pub const fn invalid_framebuffer_operation(what: &'static str) -> Self {
        Self {
            code: 0x0506,
            what: Cow::Borrowed(what),
        }
    }

    /// Any code with a text made for the occasion.
    pub const fn with(code: GLenum, what: String) -> Self {
        Self {
            code,
            what: Cow::Owned(what),
        }
    }
}

/// The sticky flag (one, as in every non-distributed implementation; GL 4.6 §2.3.1).
#[derive(Debug, Default)]
pub struct ErrorFlag {
    code: GLenum,
}

impl ErrorFlag {
    /// Records an error unless one is recorded already.
    pub fn record(&mut self, code: GLenum) {
        if self.code == 0 {
            self.code = code;
        }
    }

    /// glGetError: takes the error.
    pub fn take(&mut self) -> GLenum {
        std::mem::take(&mut self.code)
    }
}
