//! Children of `fork` of a process whose session is open. Such a child has one thread, none of the driver's, and every lock as it was
//! in that moment. It has no OpenGL: nothing is current in it, no object of the parent's is its, and whatever it ends with must
//! neither wait for another thread nor touch a driver. A child forked before the session was opened is a process like any other.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

static FORKED: AtomicBool = AtomicBool::new(false);

/// Whether this is such a child.
#[inline]
pub fn is_child() -> bool {
    FORKED.load(Ordering::Relaxed)
}

/// From now on children are told apart: the session is open.
pub(crate) fn watch() {
    static WATCHING: Once = Once::new();
    WATCHING.call_once(|| {
        // SAFETY: `begin` is a function without arguments in this library, which forgets it when unloaded. It sets one atomic and one
        // cell of the only thread, as much as a child may do there.
        if unsafe { libc::pthread_atfork(None, None, Some(begin)) } != 0 {
            tracing::warn!("children of fork will not be told apart");
        }
    });
}

extern "C" fn begin() {
    FORKED.store(true, Ordering::Relaxed);
    crate::session::abandon();
}
