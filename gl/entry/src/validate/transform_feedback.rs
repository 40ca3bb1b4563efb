//! Checks of captures (GL 4.6 §13.3.2). It must change nothing.

use crate::cx::Cx;
use gl_enums::*;
use gl_state::GlError;
use gl_state::transform_feedback::Capture;
use pipe::Primitive;

pub fn begin_transform_feedback(cx: &Cx<'_>, mode: GLenum) -> Result<Primitive, GlError> {
    // GL 4.6 §13.3.2: INVALID_ENUM if primitiveMode is not POINTS, LINES or TRIANGLES.
    let mode = match mode {
        GL_POINTS => Primitive::Points,
        GL_LINES => Primitive::Lines,
        GL_TRIANGLES => Primitive::Triangles,
        _ => return Err(GlError::invalid_enum("primitiveMode")),
    };
    // GL 4.6 §13.3.2: INVALID_OPERATION if a capture is active, if no program is, or if it captures nothing.
    if cx.ctx.capture.is_some() {
        return Err(GlError::invalid_operation(
            "transform feedback is active already",
        ));
    }
    let program = cx.objects.programs.get(cx.ctx.program);
    let xfb = program
        .and_then(|program| program.executable.as_ref())
        .map(|executable| &executable.artifact.xfb)
        .filter(|xfb| !xfb.varyings.is_empty())
        .ok_or(GlError::invalid_operation(
            "no program with variables to capture is in use",
        ))?;
    // GL 4.6 §13.3.2: INVALID_OPERATION if a binding point that the program captures to has no buffer.
    let bound = cx.ctx.buffers.stream_output();
    let missing = xfb
        .strides
        .iter()
        .zip(bound)
        .any(|(stride, binding)| *stride != 0 && binding.buffer.is_null());
    if missing {
        return Err(GlError::invalid_operation(
            "a binding point that the program captures to has no buffer",
        ));
    }
    Ok(mode)
}

fn active(cx: &Cx<'_>) -> Result<Capture, GlError> {
    cx.ctx.capture.ok_or(GlError::invalid_operation(
        "transform feedback is not active",
    ))
}

pub fn end_transform_feedback(cx: &Cx<'_>) -> Result<Capture, GlError> {
    active(cx)
}

pub fn pause_transform_feedback(cx: &Cx<'_>) -> Result<Capture, GlError> {
    let capture = active(cx)?;
    // GL 4.6 §13.3.2: INVALID_OPERATION if it is paused.
    if capture.paused {
        return Err(GlError::invalid_operation("transform feedback is paused"));
    }
    Ok(capture)
}

pub fn resume_transform_feedback(cx: &Cx<'_>) -> Result<Capture, GlError> {
    let capture = active(cx)?;
    // GL 4.6 §13.3.2: INVALID_OPERATION if it is not paused.
    if !capture.paused {
        return Err(GlError::invalid_operation(
            "transform feedback is not paused",
        ));
    }
    Ok(capture)
}
