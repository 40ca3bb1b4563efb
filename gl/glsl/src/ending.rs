//! The end of the process: glslang's tables are static objects whose destructors run while other threads may still compile. From
//! [`end`] on nothing is compiled, and it returns when nothing is being compiled any more.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

static ENDED: AtomicBool = AtomicBool::new(false);
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// The compiler is at work until this is dropped.
pub(crate) struct Running;

impl Running {
    /// `None` when the process is ending.
    pub fn begin() -> Option<Self> {
        // Counted first: `end` sets its flag and then looks at the count.
        RUNNING.fetch_add(1, Ordering::SeqCst);
        let running = Self;
        (!ENDED.load(Ordering::SeqCst)).then_some(running)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// To be called before the static objects of this library are destroyed. Compiling fails from now on; waits for what is under way,
/// which takes as long as a shader takes.
pub fn end() {
    ENDED.store(true, Ordering::SeqCst);
    while RUNNING.load(Ordering::SeqCst) != 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CompileOptions, compile};
    use pipe::program::Stage;
    use std::sync::mpsc;

    /// The only test of this file: it ends the compiler of its process.
    #[test]
    fn end_waits_for_a_compilation_and_lets_no_other_begin() {
        let (told, ended) = mpsc::channel();
        let running = Running::begin().expect("not yet");
        let ender = std::thread::spawn(move || {
            end();
            told.send(()).expect("the test waits");
        });
        assert!(
            ended.recv_timeout(Duration::from_millis(50)).is_err(),
            "it did not wait"
        );
        let shader = compile(
            Stage::Vertex,
            &["#version 330\nvoid main() {}"],
            &CompileOptions::default(),
        );
        assert!(!shader.ok() && shader.log().contains("the process is ending"));
        drop(running);
        ended.recv().expect("it ends");
        ender.join().expect("it does not panic");
    }
}
