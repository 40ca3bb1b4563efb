//! Reference of indexed buffer bindings. See [`super`] for what it must not do.

use gl_state::View;
use gl_state::buffer_bindings::IndexedBinding;
use pipe::{BufferClass, BufferRange, HostSpan, WHOLE};
use pipe_inputs::inputs::NO_RANGE;
use pipe_inputs::values::trim;

fn resolve(view: View<'_>, bindings: &[IndexedBinding]) -> Vec<BufferRange> {
    let ranges = bindings.iter().map(|binding| {
        let Some(buffer) = view.objects.buffers.get(binding.buffer) else {
            return NO_RANGE;
        };
        let left = buffer.size_bytes().saturating_sub(binding.offset_bytes);
        let size_bytes = if binding.size_bytes == WHOLE || binding.size_bytes > left {
            left
        } else {
            binding.size_bytes
        };
        BufferRange {
            buffer: buffer.id,
            offset_bytes: binding.offset_bytes,
            size_bytes,
            host: HostSpan::NONE,
        }
    });
    trim(ranges.collect(), |range| range.buffer.is_null())
}

/// Ranges of one class, sizes as of now; empty ones at the end are cut off.
pub fn ranges(view: View<'_>, class: BufferClass) -> Vec<BufferRange> {
    resolve(view, view.ctx.buffers.indexed(class))
}

/// Transform feedback ranges, likewise.
pub fn stream_output(view: View<'_>) -> Vec<BufferRange> {
    resolve(view, view.ctx.buffers.stream_output())
}
