//! The pipe as atoms see it: every call is counted for the subsystem bit it serves. It adds nothing else.

use pipe::PipeStream;

/// Calls by subsystem bit.
pub type Calls = [u64; 16];

/// The pipe and the counters of this arm.
pub struct Out<'a> {
    pipe: &'a mut dyn PipeStream,
    calls: &'a mut Calls,
}

impl<'a> Out<'a> {
    pub fn new(pipe: &'a mut dyn PipeStream, calls: &'a mut Calls) -> Self {
        Self { pipe, calls }
    }

    /// Calls of all bits so far.
    pub(crate) fn all_calls(&self) -> u64 {
        self.calls.iter().sum()
    }

    /// The pipe, for one call that serves `bit`.
    #[inline]
    pub fn at(&mut self, bit: u8) -> &mut dyn PipeStream {
        self.calls[usize::from(bit)] += 1;
        self.pipe
    }
}
