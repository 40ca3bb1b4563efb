//! Captures: the executing side is told where they begin and end; buffers that they write are stale here from then on.

use crate::cx::Cx;
use gl_state::GlError;
use gl_state::transform_feedback::Capture;
use pipe::{BeginStreamOutput, EndStreamOutput, Primitive, VerbOnly};
use pipe_inputs::VerbClass;

pub fn begin_transform_feedback(cx: &mut Cx<'_>, mode: Primitive) -> Result<(), GlError> {
    let begin = BeginStreamOutput {
        groups: cx.prepare(VerbClass::StreamOutput),
        mode,
        _pad: [0; 3],
    };
    let outcome = cx.pipe.begin_stream_output(&begin);
    cx.finish_verb(outcome);
    cx.ctx.set_capture(Some(Capture {
        mode,
        paused: false,
        vertices: 0,
    }));
    cx.ctx.mark_captured(cx.objects);
    Ok(())
}

pub fn end_transform_feedback(cx: &mut Cx<'_>, capture: Capture) -> Result<(), GlError> {
    let end = EndStreamOutput {
        groups: cx.prepare(VerbClass::StreamOutput),
        _pad: 0,
        vertices: capture.vertices,
    };
    let outcome = cx.pipe.end_stream_output(&end);
    cx.finish_verb(outcome);
    cx.ctx.set_capture(None);
    cx.ctx.mark_captured(cx.objects);
    Ok(())
}

pub fn pause_transform_feedback(cx: &mut Cx<'_>, capture: Capture) -> Result<(), GlError> {
    let groups = cx.prepare(VerbClass::StreamOutput);
    let outcome = cx.pipe.pause_stream_output(&VerbOnly { groups });
    cx.finish_verb(outcome);
    cx.ctx.set_capture(Some(Capture {
        paused: true,
        ..capture
    }));
    Ok(())
}

pub fn resume_transform_feedback(cx: &mut Cx<'_>, capture: Capture) -> Result<(), GlError> {
    let groups = cx.prepare(VerbClass::StreamOutput);
    let outcome = cx.pipe.resume_stream_output(&VerbOnly { groups });
    cx.finish_verb(outcome);
    cx.ctx.set_capture(Some(Capture {
        paused: false,
        ..capture
    }));
    Ok(())
}
