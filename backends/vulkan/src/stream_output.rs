//! Transform feedback: captures of the bound object, begun behind the first draw of a pass and ended with it. It counts nothing itself.
//!
//! Vulkan ends a capture with the pass and with every change of pipeline; GL does not. Where a capture goes on, the byte counters
//! that its end wrote are what the next begin continues from, behind a barrier.
#![allow(unsafe_code)]

use crate::backend::VulkanBackend;
use crate::commands::Access;
use crate::memory::RawBuffer;
use crate::trash::Garbage;
use ash::vk;
use gpu_allocator::MemoryLocation;
use pipe::{BufferId, MAX_STREAM_OUTPUTS, StreamOutputId, WHOLE};
use pipe_inputs::Told;
use smallvec::SmallVec;

/// A capture between glBeginTransformFeedback and glEndTransformFeedback.
#[derive(Debug)]
struct Capture {
    object: StreamOutputId,
    counters: RawBuffer,
    /// The counters hold where the capture stands.
    started: bool,
}

/// Captures of the session.
#[derive(Debug, Default)]
pub struct StreamOutput {
    captures: Vec<Capture>,
    /// The object that draws are captured into: begun and not paused.
    active: Option<StreamOutputId>,
    /// Buffers of the capture that was begun in the open pass; 0: none was.
    open: usize,
    /// Counters were written since the last barrier.
    pub unordered: bool,
}

/// A buffer range of a capture.
type Range = (BufferId, vk::Buffer, u64, u64);

impl VulkanBackend {
    pub(crate) fn start_capture(&mut self, told: Told<'_>) -> Option<()> {
        if self.gpu.fns.xfb.is_none() {
            self.fail("transform feedback (VK_EXT_transform_feedback)");
            return Some(());
        }
        self.outside()?;
        let object = told.inputs.stream_output_id();
        self.forget_capture(object);
        let bytes = 4 * MAX_STREAM_OUTPUTS as u64;
        let counters = RawBuffer::new(&mut self.gpu, bytes, MemoryLocation::GpuOnly, "counters")?;
        self.stream_output.captures.push(Capture {
            object,
            counters,
            started: false,
        });
        self.stream_output.active = Some(object);
        Some(())
    }

    pub(crate) fn pause_capture(&mut self) {
        self.outside();
        self.stream_output.active = None;
    }

    pub(crate) fn resume_capture(&mut self, told: Told<'_>) {
        self.outside();
        self.stream_output.active = Some(told.inputs.stream_output_id());
    }

    pub(crate) fn stop_capture(&mut self, told: Told<'_>) {
        self.outside();
        self.stream_output.active = None;
        self.forget_capture(told.inputs.stream_output_id());
    }

    fn forget_capture(&mut self, object: StreamOutputId) {
        let captures = &mut self.stream_output.captures;
        if let Some(at) = captures.iter().position(|c| c.object == object) {
            let capture = captures.swap_remove(at);
            self.trash
                .push(self.commands.serial(), Garbage::Buffer(capture.counters));
        }
    }

    /// Ranges that a draw of this program is captured into; none where nothing is.
    fn capture_ranges(&self, told: Told<'_>) -> SmallVec<[Range; MAX_STREAM_OUTPUTS]> {
        let mut out = SmallVec::new();
        let program = self.programs.get(told.inputs.draw_program());
        let (Some(_), Some(program)) = (self.stream_output.active, program) else {
            return out;
        };
        let strides = program.artifact.xfb.strides;
        for (range, stride) in told.inputs.stream_output().iter().zip(strides) {
            let Some(buffer) = self.buffers.get(range.buffer).filter(|_| stride != 0) else {
                break;
            };
            let left = buffer.raw.size_bytes.saturating_sub(range.offset_bytes);
            let size = if range.size_bytes == WHOLE || range.size_bytes == 0 {
                left
            } else {
                range.size_bytes.min(left)
            };
            out.push((
                range.buffer,
                buffer.raw.buffer,
                range.offset_bytes,
                size & !3,
            ));
        }
        out
    }

    /// Adds the captured buffers to what the draw is ordered after, and ends a capture that the new pipeline may not share.
    pub(crate) fn prepare_capture(
        &mut self,
        told: Told<'_>,
        changes_pipeline: bool,
        uses: &mut Vec<(BufferId, Access)>,
    ) -> Option<()> {
        if self.stream_output.open != 0 && changes_pipeline {
            self.outside()?;
        }
        for (id, ..) in self.capture_ranges(told) {
            uses.push((id, Access::ShaderWrite));
        }
        Some(())
    }

    /// Begins the capture behind the draw's pipeline, in the pass.
    pub(crate) fn begin_capture(&mut self, told: Told<'_>, cb: vk::CommandBuffer) {
        if self.stream_output.open != 0 || self.stream_output.active.is_none() {
            return;
        }
        let ranges = self.capture_ranges(told);
        let (Some(fns), false) = (&self.gpu.fns.xfb, ranges.is_empty()) else {
            return;
        };
        let active = self.stream_output.active;
        let capture = self
            .stream_output
            .captures
            .iter_mut()
            .find(|c| Some(c.object) == active);
        let Some(capture) = capture else { return };
        let n = ranges.len();
        let buffers: SmallVec<[_; 4]> = ranges.iter().map(|r| r.1).collect();
        let offsets: SmallVec<[_; 4]> = ranges.iter().map(|r| r.2).collect();
        let sizes: SmallVec<[_; 4]> = ranges.iter().map(|r| r.3).collect();
        let counters: SmallVec<[vk::Buffer; 4]> =
            std::iter::repeat_n(capture.counters.buffer, n).collect();
        let counter_offsets: SmallVec<[u64; 4]> = (0..n as u64).map(|i| 4 * i).collect();
        // Without counters a capture begins at the ranges' starts.
        let with = if capture.started { n as u32 } else { 0 };
        capture.started = true;
        let fns = fns.fp();
        // SAFETY: rules 1, 2, 4 and 5; `n` is the length of every array.
        unsafe {
            (fns.cmd_bind_transform_feedback_buffers_ext)(
                cb,
                0,
                n as u32,
                buffers.as_ptr(),
                offsets.as_ptr(),
                sizes.as_ptr(),
            );
            (fns.cmd_begin_transform_feedback_ext)(
                cb,
                0,
                with,
                counters.as_ptr(),
                counter_offsets.as_ptr(),
            );
        }
        self.stream_output.open = n;
    }

    /// Ends the capture; the pass is about to end.
    pub(crate) fn end_capture(&mut self, cb: vk::CommandBuffer) {
        let n = std::mem::take(&mut self.stream_output.open);
        if n == 0 {
            return;
        }
        let active = self.stream_output.active;
        let capture = self
            .stream_output
            .captures
            .iter()
            .find(|c| Some(c.object) == active);
        let (Some(fns), Some(capture)) = (&self.gpu.fns.xfb, capture) else {
            return;
        };
        let counters = [capture.counters.buffer; MAX_STREAM_OUTPUTS];
        let offsets: [u64; MAX_STREAM_OUTPUTS] = std::array::from_fn(|i| 4 * i as u64);
        // SAFETY: rules 1, 2, 4 and 5; `n` buffers are bound.
        unsafe {
            (fns.fp().cmd_end_transform_feedback_ext)(
                cb,
                0,
                n as u32,
                counters.as_ptr(),
                offsets.as_ptr(),
            );
        }
        self.stream_output.unordered = true;
    }

    /// Counter buffers, at the end.
    pub(crate) fn drain_captures(&mut self) {
        for capture in std::mem::take(&mut self.stream_output.captures) {
            capture.counters.destroy(&mut self.gpu);
        }
    }
}
