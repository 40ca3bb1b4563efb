//! What window-system APIs ask of GL: swaps and flushes. They are no GL commands, so nothing is validated.

use crate::EntryPoint;
use crate::cx::with_current;
use pipe::{Flush, Present};
use pipe_inputs::VerbClass;

/// Presents the draw surface; the frame ends (eglSwapBuffers, glXSwapBuffers).
pub fn swap_buffers() {
    let _zone = tracing::debug_span!("present").entered();
    with_current(EntryPoint::Flush, |cx| {
        let groups = cx.prepare(VerbClass::Flush);
        cx.ctx.frames_end_at_present = true;
        cx.ctx.frames += 1;
        let frame = cx.ctx.frames;
        let submit = cx.pipe.present(&Present {
            groups,
            _pad: 0,
            frame,
        });
        cx.finish_verb(submit);
        cx.end_frame();
        *cx.frame_begins = true;
    });
}

/// Sends, and with `wait` completes, what the current context has done (eglWaitClient, eglMakeCurrent).
pub fn flush_all(wait: bool) {
    let _zone = tracing::debug_span!("flush", wait).entered();
    with_current(EntryPoint::Flush, |cx| {
        let groups = cx.prepare(VerbClass::Flush);
        let submit = cx.pipe.flush(&Flush {
            groups,
            wait: u32::from(wait),
        });
        cx.finish_verb(submit);
    });
}
