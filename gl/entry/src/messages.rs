//! Delivery of KHR_debug messages: into the log, or to the application's callback after the command, when nothing is borrowed.

use gl_state::Context;
use gl_state::debug::{MAX_LOGGED, MAX_MESSAGE, Message};
use pipe::LogLevel;
use std::cell::RefCell;
use std::ffi::{CString, c_char, c_int, c_uint, c_void};

/// The application's callback (GL 4.6 §20.2).
pub type DebugProc =
    unsafe extern "system" fn(c_uint, c_uint, c_uint, c_uint, c_int, *const c_char, *const c_void);

/// A message waiting for its callback.
struct Waiting {
    callback: usize,
    user: usize,
    message: Message,
}

thread_local! {
    static WAITING: RefCell<Vec<Waiting>> = const { RefCell::new(Vec::new()) };
}

/// Takes a message through the context's filters: to the callback where there is one, else into the log.
pub fn insert(ctx: &mut Context, source: u32, ty: u32, id: u32, severity: u32, mut text: String) {
    if !ctx.debug.accepts(source, ty, id, severity) {
        return;
    }
    if text.len() >= MAX_MESSAGE {
        let mut end = MAX_MESSAGE - 1;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
    }
    let message = Message {
        source,
        ty,
        id,
        severity,
        text,
    };
    if ctx.debug.callback != 0 {
        let waiting = Waiting {
            callback: ctx.debug.callback,
            user: ctx.debug.user,
            message,
        };
        WAITING.with_borrow_mut(|list| list.push(waiting));
        crate::session::note_message();
    } else if ctx.debug.log.len() < MAX_LOGGED {
        ctx.debug.log.push_back(message);
    }
}

/// A line of the backend: to the log of the process, and to the application as a message of source OTHER.
pub fn backend_line(ctx: &mut Context, level: LogLevel, text: String) {
    let (ty, severity) = match level {
        LogLevel::Error => {
            tracing::error!("{text}");
            (0x824C, 0x9146) // ERROR, HIGH
        }
        LogLevel::Warn => {
            tracing::warn!("{text}");
            (0x8251, 0x9147) // OTHER, MEDIUM
        }
        LogLevel::Info => {
            tracing::info!("{text}");
            (0x8251, 0x826B) // OTHER, NOTIFICATION
        }
        LogLevel::Debug => {
            tracing::debug!("{text}");
            return;
        }
    };
    insert(ctx, 0x824B, ty, 0, severity, text);
}

/// Calls the callbacks that wait on this thread.
#[cold]
pub(crate) fn deliver() {
    for Waiting {
        callback,
        user,
        message,
    } in WAITING.take()
    {
        let text = CString::new(message.text.replace('\0', " ")).unwrap_or_default();
        // SAFETY: glDebugMessageCallback takes a DebugProc or null, and null was sorted out by `insert`.
        let callback: DebugProc = unsafe { std::mem::transmute::<usize, DebugProc>(callback) };
        let length = text.as_bytes().len() as c_int;
        // SAFETY: the application's callback gets what its prototype says; the text outlives the call.
        unsafe {
            callback(
                message.source,
                message.ty,
                message.id,
                message.severity,
                length,
                text.as_ptr(),
                user as *const c_void,
            );
        }
    }
}
