//! glFlush and glFinish, and the frames of contexts that never present.

use crate::commands::buffer::read_back;
use crate::cx::Cx;
use gl_enums::MapBufferUsageMask;
use gl_state::GlError;
use pipe_inputs::VerbClass;

fn send(cx: &mut Cx<'_>, wait: u32) {
    let _zone = tracing::debug_span!("flush", wait).entered();
    let flush = pipe::Flush {
        groups: cx.prepare(VerbClass::Flush),
        wait,
    };
    let outcome = cx.pipe.flush(&flush);
    cx.finish_verb(outcome);
    show_single_buffer(cx, flush.groups);
    end_frame_without_present(cx);
}

/// A drawable with one buffer has no swap: its window shows what was drawn whenever commands are sent (GLX 1.4 "Double Buffering").
fn show_single_buffer(cx: &mut Cx<'_>, groups: u32) {
    let drawable = cx.ctx.framebuffers.draw_drawable;
    if drawable.is_some_and(|drawable| !drawable.double_buffered) {
        let frame = cx.ctx.frames;
        let present = pipe::Present {
            groups,
            _pad: 0,
            frame,
        };
        let outcome = cx.pipe.present(&present);
        cx.finish_verb(outcome);
    }
}

pub fn flush(cx: &mut Cx<'_>) -> Result<(), GlError> {
    send(cx, 0);
    Ok(())
}

pub fn finish(cx: &mut Cx<'_>) -> Result<(), GlError> {
    send(cx, 1);
    refresh_persistent_maps(cx);
    Ok(())
}

/// What the GPU wrote becomes visible through persistent mappings for reading: after glFinish and a fence that was waited for
/// (GL 4.6 §6.3.1).
pub(super) fn refresh_persistent_maps(cx: &mut Cx<'_>) {
    for at in 0..cx.objects.persistent_maps.len() {
        let id = cx.objects.persistent_maps[at];
        let reads = cx.objects.buffers[id]
            .mapping
            .is_some_and(|mapping| mapping.access.contains(MapBufferUsageMask::MAP_READ_BIT));
        if reads {
            read_back(cx, id);
        }
    }
}

/// A frame ends here in a context that never presents: what may change between frames may change now.
pub(super) fn end_frame_without_present(cx: &mut Cx<'_>) {
    if cx.ctx.frames_end_at_present {
        return;
    }
    cx.ctx.frames += 1;
    cx.end_frame();
}
