//! Transform feedback: begun at the first draw after the begin, since ES wants the program in use by then. It must never be active around draws of our own.

use crate::backend::GlesBackend;
use glow::HasContext;
use pipe::BeginStreamOutput;
use pipe_inputs::Told;

/// Where the current capture stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Capture {
    #[default]
    Off,
    /// Begun by the application; the driver begins at the next draw.
    Pending {
        mode: u32,
    },
    Active,
    /// Paused before the driver began.
    PendingPaused {
        mode: u32,
    },
    Paused,
}

impl GlesBackend {
    pub(crate) fn begin_stream_output_verb(&mut self, p: &BeginStreamOutput) {
        self.capture = Capture::Pending {
            mode: p.mode as u32,
        };
    }

    pub(crate) fn end_stream_output_verb(&mut self) {
        if matches!(self.capture, Capture::Active | Capture::Paused) {
            // SAFETY: GL rule 1; a capture is active.
            unsafe { self.gl.end_transform_feedback() };
        }
        self.capture = Capture::Off;
    }

    pub(crate) fn pause_stream_output_verb(&mut self) {
        self.capture = match self.capture {
            Capture::Pending { mode } => Capture::PendingPaused { mode },
            Capture::Active => {
                // SAFETY: GL rule 1; a capture is active.
                unsafe { self.gl.pause_transform_feedback() };
                Capture::Paused
            }
            other => other,
        };
    }

    pub(crate) fn resume_stream_output_verb(&mut self) {
        self.capture = match self.capture {
            Capture::PendingPaused { mode } => Capture::Pending { mode },
            Capture::Paused => {
                // SAFETY: GL rule 1; a capture is paused.
                unsafe { self.gl.resume_transform_feedback() };
                Capture::Active
            }
            other => other,
        };
    }

    /// Before a draw: the driver begins a pending capture. The program is in use.
    pub(crate) fn start_stream_output(&mut self, told: Told<'_>) {
        let Capture::Pending { mode } = self.capture else {
            return;
        };
        let gl = self.gl;
        for (i, range) in told.inputs.stream_output().iter().enumerate() {
            let Some(buffer) = self.buffers.get(range.buffer) else {
                continue;
            };
            let (offset, size) = buffer.clip(range.offset_bytes, range.size_bytes);
            // SAFETY: GL rules 1 and 2. ES wants sizes of whole words (ES 3.2 §12.1.2).
            unsafe {
                gl.ext.bind_buffer_range(
                    glow::TRANSFORM_FEEDBACK_BUFFER,
                    i as u32,
                    crate::buffers::raw(buffer.name),
                    offset,
                    size & !3,
                );
            }
        }
        // SAFETY: GL rule 1; the program in use captures (the client checked).
        unsafe { gl.begin_transform_feedback(mode) };
        self.capture = Capture::Active;
    }

    /// Runs work of our own with the capture paused.
    pub(crate) fn uncaptured<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let active = self.capture == Capture::Active;
        if active {
            // SAFETY: GL rule 1; a capture is active.
            unsafe { self.gl.pause_transform_feedback() };
        }
        let result = work(self);
        if active {
            // SAFETY: GL rule 1; a capture was paused above. Its program must be in use again by then.
            unsafe { self.gl.resume_transform_feedback() };
        }
        result
    }
}
