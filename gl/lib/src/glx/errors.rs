//! X errors: what GLX reports by the application's error handler. The server is not asked; the error looks as if it came from there.

use super::types::{Display, Xid};
use crate::x11::{Connection, xlib};

/// Errors of GLX ("Errors"), by their number behind the extension's first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum GlxError {
    Context = 0,
    Drawable = 2,
    Pixmap = 3,
    CurrentWindow = 5,
    FbConfig = 9,
    Pbuffer = 10,
    Window = 12,
    Profile = 13,
}

/// An error that a GLX command ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    Glx(GlxError),
    /// X11's own.
    Value,
    Match,
    Access,
    Alloc,
}

impl Error {
    fn code(self, first_error: u8) -> u8 {
        match self {
            Self::Glx(error) => first_error.wrapping_add(error as u8),
            Self::Value => 2,
            Self::Match => 8,
            Self::Access => 10,
            Self::Alloc => 11,
        }
    }
}

/// Requests of GLX by their minor opcode, which an error names (GLX protocol 1.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Request {
    CreateContext = 3,
    DestroyContext = 4,
    MakeCurrent = 5,
    IsDirect = 6,
    SwapBuffers = 11,
    CopyContext = 10,
    UseXFont = 12,
    CreateGlxPixmap = 13,
    DestroyGlxPixmap = 15,
    CreatePixmap = 22,
    DestroyPixmap = 23,
    CreateNewContext = 24,
    QueryContext = 25,
    MakeContextCurrent = 26,
    CreatePbuffer = 27,
    DestroyPbuffer = 28,
    GetDrawableAttributes = 29,
    ChangeDrawableAttributes = 30,
    CreateWindow = 31,
    DestroyWindow = 32,
    CreateContextAttribs = 34,
}

/// Calls the application's error handler. `resource` is the id that the error is about, 0 for none.
pub fn raise(display: Display, error: Error, request: Request, resource: Xid) {
    let Some(xlib) = xlib::xlib() else {
        return;
    };
    let glx = Connection::Xlib(display as usize)
        .server()
        .map(|server| server.glx)
        .unwrap_or_default();
    // SAFETY: rule 1.
    let next = unsafe { (xlib.next_request)(display) };
    let mut event = xlib::XErrorEvent {
        kind: 0,
        display,
        resource,
        serial: next.wrapping_sub(1),
        error_code: error.code(glx.first_error),
        request_code: glx.major_opcode,
        minor_code: request as u8,
    };
    // Xlib says which handler there is when another is set: its own for null.
    // SAFETY: rule 1.
    let handler = unsafe { (xlib.set_error_handler)(None) };
    // SAFETY: it was the handler just before.
    unsafe { (xlib.set_error_handler)(handler) };
    if let Some(handler) = handler {
        // SAFETY: rule 1; the event has Xlib's layout and lives for the call.
        unsafe { handler(display, &raw mut event) };
    }
}
