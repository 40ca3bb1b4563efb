//! What a command works on. Placeholder: no context is ever current.

use std::borrow::Cow;

use gl_enums::GLenum;

use crate::EntryPoint;

/// An application's mistake: becomes the sticky error and a KHR_debug message.
#[derive(Debug)]
pub struct GlError {
    pub code: GLenum,
    pub what: Cow<'static, str>,
}

pub struct Cx<'a> {
    pub entry: EntryPoint,
    /// Errors recorded during this command.
    pub errors: u32,
    nothing: std::marker::PhantomData<&'a mut ()>,
}

impl Cx<'_> {
    pub fn record_error(&mut self, error: GlError) {
        let _ = error;
        self.errors += 1;
    }
}

/// Calls `f` with the current context of this thread; `None` without one.
pub fn with_current<R>(entry: EntryPoint, f: impl FnOnce(&mut Cx<'_>) -> R) -> Option<R> {
    let _ = (entry, f);
    None
}
