//! Faults that must never become a wrong picture: named, loud, and the end of the process where that is asked for.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a fault ends the process (debug and verify builds) or only loses the context.
static FATAL: AtomicBool = AtomicBool::new(cfg!(debug_assertions));

/// Chooses what a fault does.
pub fn set_fatal(fatal: bool) {
    FATAL.store(fatal, Ordering::Relaxed);
}

/// Whether a fault ends the process.
pub fn is_fatal() -> bool {
    FATAL.load(Ordering::Relaxed)
}

/// A field was read that the verb's source did not vouch for, or that nobody ever told.
#[cold]
#[inline(never)]
pub fn unmigrated(field: &str, verb: &str, ordinal: u64) -> ! {
    eprintln!("MobileGL: {}", missing_group(field, verb, ordinal));
    std::process::abort();
}

/// The text of a verb whose mask misses a group.
pub fn missing_group(group: &str, verb: &str, ordinal: u64) -> String {
    format!("Fatal{{UnmigratedPipeInput, \"{group}@{verb}\"}} at verb {ordinal}")
}
