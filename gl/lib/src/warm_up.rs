//! Builds the GLSL compiler's tables off the application's thread, and never lets the process end in the middle of it: the compiler's
//! static destructors would pull them away.

use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

static THREAD: Mutex<Option<JoinHandle<()>>> = Mutex::new(None);

/// Starts it, once.
pub fn start() {
    let mut thread = THREAD.lock().unwrap_or_else(PoisonError::into_inner);
    if thread.is_some() {
        return;
    }
    // SAFETY: `join` is a function without arguments in this library. Handlers run last first, and the compiler's destructors were
    // registered when the library was loaded, so `join` runs before them.
    if unsafe { libc::atexit(join) } != 0 {
        // Without the handler the first compile builds the tables, on its own thread.
        return;
    }
    *thread = std::thread::Builder::new()
        .name("mobilegl-warmup".into())
        .spawn(gl_glsl::warm_up)
        .ok();
}

extern "C" fn join() {
    let thread = THREAD.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(thread) = thread {
        // It ended by a panic or it ended: both are over.
        let _ = thread.join();
    }
}
