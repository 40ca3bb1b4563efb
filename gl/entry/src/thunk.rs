//! What every C entry point does around its command: count, find the context, record the error. It knows no command.
//!
//! Nothing may unwind into the application. The thunks are plain `extern "C"` functions, so a panic that reaches one
//! aborts the process with its message; catching instead would cost every call, and the context it was caught in could
//! not be trusted afterwards.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use gl_enums::GL_INVALID_OPERATION;

use crate::EntryPoint;
use crate::cx::{self, Cx, GlError};

/// What a command may return in C, with the value that stands for "nothing".
pub trait CReturn {
    const ZERO: Self;
}

macro_rules! zero {
    ($($t:ty = $zero:expr),*) => { $(impl CReturn for $t { const ZERO: Self = $zero; })* };
}
zero!(() = (), u8 = 0, u32 = 0, i32 = 0, u64 = 0);

impl<T> CReturn for *const T {
    const ZERO: Self = std::ptr::null();
}

impl<T> CReturn for *mut T {
    const ZERO: Self = std::ptr::null_mut();
}

/// Runs an implemented command. Without a current context it does nothing and returns zero.
#[inline]
pub fn run<R: CReturn>(
    entry: EntryPoint,
    command: impl FnOnce(&mut Cx<'_>) -> Result<R, GlError>,
) -> R {
    run_or(entry, R::ZERO, command)
}

/// [`run`], for a command that does not return zero when it fails.
#[inline]
pub fn run_or<R: CReturn>(
    entry: EntryPoint,
    on_error: R,
    command: impl FnOnce(&mut Cx<'_>) -> Result<R, GlError>,
) -> R {
    if count(entry) {
        return R::ZERO;
    }
    cx::with_current(entry, |cx| match command(cx) {
        Ok(value) => {
            // What the frontend could not foresee (out of memory) is recorded on the way.
            debug_assert!(
                cx.errors <= 1,
                "{} recorded {} errors",
                entry.name(),
                cx.errors
            );
            value
        }
        Err(error) => {
            debug_assert_eq!(
                cx.errors,
                0,
                "{} recorded an error and returned {error:?}",
                entry.name()
            );
            cx.record_error(error);
            on_error
        }
    })
    .unwrap_or(R::ZERO)
}

/// A command that MobileGL does not implement: an error each time, a line in the log the first time.
#[cold]
#[inline(never)]
pub fn missing<R: CReturn>(entry: EntryPoint) -> R {
    if count(entry) {
        return R::ZERO;
    }
    cx::with_current(entry, |cx| {
        if !MISSED[entry as usize].swap(true, Ordering::Relaxed) {
            let mut order = MISSED_ORDER.lock().unwrap_or_else(PoisonError::into_inner);
            order.push(entry.name());
            tracing::warn!("{} is not implemented by MobileGL", entry.name());
        }
        cx.record_error(GlError {
            code: GL_INVALID_OPERATION,
            what: "is not implemented by MobileGL".into(),
        });
    });
    R::ZERO
}

/// Commands that were called and are not implemented.
static MISSED: [AtomicBool; EntryPoint::COUNT] =
    [const { AtomicBool::new(false) }; EntryPoint::COUNT];
static MISSED_ORDER: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());

/// Commands that were called in a context and are not implemented, each once, in the order of their first call.
pub fn missing_called() -> Vec<&'static str> {
    MISSED_ORDER
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

/// Calls by entry point since the process started. Two threads in the same command at once may lose a count: a
/// read-modify-write would cost more than the rest of the thunk.
static CALLS: [AtomicU64; EntryPoint::COUNT] = [const { AtomicU64::new(0) }; EntryPoint::COUNT];

/// A counter with this bit belongs to a command that a planted fault has turned off: a call costs no second look.
const NOOP: u64 = 1 << 63;

/// Counts a call; whether the command is to do nothing.
#[inline]
fn count(entry: EntryPoint) -> bool {
    let calls = &CALLS[entry as usize];
    let counted = calls.load(Ordering::Relaxed).wrapping_add(1);
    calls.store(counted, Ordering::Relaxed);
    cfg!(feature = "faults") && counted & NOOP != 0
}

/// How often the application called `entry`.
pub fn calls(entry: EntryPoint) -> u64 {
    CALLS[entry as usize].load(Ordering::Relaxed) & !NOOP
}

/// Calls of all commands since the process started: where in the program something happened.
pub fn calls_so_far() -> u64 {
    EntryPoint::all().iter().map(|entry| calls(*entry)).sum()
}

/// From now on exactly these commands do nothing, as if the application did not call them. Does nothing without the feature `faults`.
pub fn plant_noops(commands: &[EntryPoint]) {
    for entry in EntryPoint::all() {
        let noop = if commands.contains(entry) { NOOP } else { 0 };
        CALLS[*entry as usize].store(calls(*entry) | noop, Ordering::Relaxed);
    }
}

/// Commands with a body, and the version of OpenGL that they came with: 33 is 3.3, 0 an extension. The others raise an error by name.
pub fn implemented() -> &'static [(EntryPoint, u8)] {
    crate::generated::entry_point::IMPLEMENTED
}

/// The counters that are not zero, as a JSON object of command names.
pub fn counters_json() -> String {
    let map: serde_json::Map<String, serde_json::Value> = EntryPoint::all()
        .iter()
        .filter(|e| calls(**e) > 0)
        .map(|e| (e.name().to_string(), calls(*e).into()))
        .collect();
    serde_json::Value::Object(map).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_without_a_context_returns_zero_and_is_counted() {
        let before = calls(EntryPoint::WaitSync);
        let returned: u32 = run_or(EntryPoint::WaitSync, 7, |_| {
            unreachable!("there is no context")
        });
        assert_eq!(returned, 0);
        assert_eq!(calls(EntryPoint::WaitSync), before + 1);
        assert!(counters_json().contains("\"glWaitSync\":"));
    }

    #[cfg(feature = "faults")]
    #[test]
    fn planted_command_is_counted_and_does_nothing() {
        let before = calls(EntryPoint::IsSync);
        plant_noops(&[EntryPoint::IsSync]);
        let returned: u8 = run_or(EntryPoint::IsSync, 7, |_| unreachable!("it does nothing"));
        assert_eq!(returned, 0);
        assert_eq!(calls(EntryPoint::IsSync), before + 1);
        plant_noops(&[]);
        assert_eq!(calls(EntryPoint::IsSync), before + 1);
    }

    #[test]
    fn missing_command_returns_zero() {
        let pointer: *const u8 = missing(EntryPoint::GetStringi);
        assert!(pointer.is_null());
    }
}
