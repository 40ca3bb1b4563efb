//! Builds the GLSL compiler's tables off the application's thread, and never lets the process fork in the middle of it: a child has no
//! such thread. Nor may the process end while anything is compiled: the compiler's static destructors would pull the tables away.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

static THREAD: Mutex<Option<JoinHandle<()>>> = Mutex::new(None);
/// The process that started it; 0 before. A child of it has the tables, and locks that nobody may ever open.
static STARTED_BY: AtomicU32 = AtomicU32::new(0);

/// Starts it, once.
pub fn start() {
    let here = std::process::id();
    if STARTED_BY
        .compare_exchange(0, here, Ordering::Relaxed, Ordering::Relaxed)
        .is_err()
    {
        return;
    }
    let mut thread = THREAD.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: both are functions without arguments in this library, which forgets them when unloaded. Handlers of the end run last
    // first, and the compiler's destructors were registered when the library was loaded, so `end` runs before them. What runs before a
    // fork may lock and wait.
    let registered =
        unsafe { libc::atexit(end) == 0 && libc::pthread_atfork(Some(join), None, None) == 0 };
    if !registered {
        // Without the handlers the first compile builds the tables, on its own thread.
        return;
    }
    *thread = std::thread::Builder::new()
        .name("mobilegl-warmup".into())
        .spawn(gl_glsl::warm_up)
        .ok();
}

/// In a child there may be compilations that nobody is at.
extern "C" fn end() {
    if STARTED_BY.load(Ordering::Relaxed) == std::process::id() {
        gl_glsl::ending::end();
    }
}

/// Before a fork.
extern "C" fn join() {
    if STARTED_BY.load(Ordering::Relaxed) != std::process::id() {
        return;
    }
    let thread = THREAD.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(thread) = thread {
        // It ended by a panic or it ended: both are over.
        let _ = thread.join();
    }
}
