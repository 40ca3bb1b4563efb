//! Checks of rasterization: faces, lines, points, samples, hints, conventions (GL 4.6 §13.4, §14). It must change nothing.

use super::depth_stencil::{Faces, faces};
use super::one_of;
use crate::c_memory;
use crate::cx::Cx;
use gl_enums::*;
use gl_state::{GlError, Profile};

pub fn cull_face(_: &Cx<'_>, mode: GLenum) -> Result<u16, GlError> {
    faces(mode).map(|_| mode as u16)
}

pub fn front_face(_: &Cx<'_>, mode: GLenum) -> Result<u16, GlError> {
    one_of(mode, &[GL_CW, GL_CCW], "mode")
}

pub fn polygon_mode(cx: &Cx<'_>, face: GLenum, mode: GLenum) -> Result<(Faces, u16), GlError> {
    let mode = one_of(mode, &[GL_POINT, GL_LINE, GL_FILL], "mode")?;
    // GL 4.6 core §14.6.4: face must be FRONT_AND_BACK; the compatibility profile takes all three.
    if cx.ctx.profile == Profile::Core && face != GL_FRONT_AND_BACK {
        return Err(GlError::invalid_enum("face is not GL_FRONT_AND_BACK"));
    }
    Ok((faces(face)?, mode))
}

pub fn line_width(cx: &Cx<'_>, width: GLfloat) -> Result<f32, GlError> {
    // GL 4.6 §14.5: INVALID_VALUE if width is not positive. Appendix E.2.1: wide lines are gone from forward-compatible contexts.
    if width.is_nan() || width <= 0.0 {
        return Err(GlError::invalid_value("width <= 0"));
    }
    if width > 1.0 && cx.ctx.forward_compatible && cx.ctx.profile == Profile::Core {
        return Err(GlError::invalid_value(
            "width > 1 in a forward-compatible context",
        ));
    }
    Ok(width)
}

pub fn point_size(_: &Cx<'_>, size: GLfloat) -> Result<f32, GlError> {
    // GL 4.6 §14.4: INVALID_VALUE if size is not positive.
    if size.is_nan() || size <= 0.0 {
        return Err(GlError::invalid_value("size <= 0"));
    }
    Ok(size)
}

/// A checked point parameter.
#[derive(Clone, Copy, Debug)]
pub enum PointParameter {
    FadeThreshold(f32),
    SpriteOrigin(u16),
}

fn point_parameter(pname: GLenum, value: f32) -> Result<PointParameter, GlError> {
    match pname {
        // GL 4.6 §14.4.2: INVALID_VALUE if the threshold is negative.
        GL_POINT_FADE_THRESHOLD_SIZE if value >= 0.0 => Ok(PointParameter::FadeThreshold(value)),
        GL_POINT_FADE_THRESHOLD_SIZE => Err(GlError::invalid_value("threshold < 0")),
        GL_POINT_SPRITE_COORD_ORIGIN => {
            let origin = one_of(
                value as GLenum,
                &[GL_LOWER_LEFT, GL_UPPER_LEFT],
                "sprite coordinate origin",
            )?;
            Ok(PointParameter::SpriteOrigin(origin))
        }
        _ => Err(GlError::invalid_enum("pname")),
    }
}

pub fn point_parameterf(
    _: &Cx<'_>,
    pname: GLenum,
    param: GLfloat,
) -> Result<PointParameter, GlError> {
    point_parameter(pname, param)
}

pub fn point_parameteri(
    _: &Cx<'_>,
    pname: GLenum,
    param: GLint,
) -> Result<PointParameter, GlError> {
    point_parameter(pname, param as f32)
}

pub fn point_parameterfv(
    _: &Cx<'_>,
    pname: GLenum,
    params: *const GLfloat,
) -> Result<PointParameter, GlError> {
    // SAFETY: c_memory's rule: every parameter has one value.
    let value = unsafe { c_memory::slice(params, 1) };
    point_parameter(pname, value.first().copied().unwrap_or(0.0))
}

pub fn point_parameteriv(
    _: &Cx<'_>,
    pname: GLenum,
    params: *const GLint,
) -> Result<PointParameter, GlError> {
    // SAFETY: c_memory's rule: every parameter has one value.
    let value = unsafe { c_memory::slice(params, 1) };
    point_parameter(pname, value.first().copied().unwrap_or(0) as f32)
}

pub fn sample_maski(_: &Cx<'_>, mask_number: GLuint, mask: GLbitfield) -> Result<u32, GlError> {
    // GL 4.6 §17.3.1: INVALID_VALUE if maskNumber is not less than MAX_SAMPLE_MASK_WORDS, which is 1.
    if mask_number >= 1 {
        return Err(GlError::invalid_value(
            "maskNumber >= GL_MAX_SAMPLE_MASK_WORDS",
        ));
    }
    Ok(mask)
}

pub fn provoking_vertex(_: &Cx<'_>, mode: GLenum) -> Result<u16, GlError> {
    one_of(
        mode,
        &[GL_FIRST_VERTEX_CONVENTION, GL_LAST_VERTEX_CONVENTION],
        "provokeMode",
    )
}

/// Hints that are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    LineSmooth,
    PolygonSmooth,
    TextureCompression,
    FragmentDerivative,
    /// Of fixed function: accepted, forgotten.
    Legacy,
}

pub fn hint(cx: &Cx<'_>, target: GLenum, mode: GLenum) -> Result<(Hint, u16), GlError> {
    let which = match target {
        GL_LINE_SMOOTH_HINT => Hint::LineSmooth,
        GL_POLYGON_SMOOTH_HINT => Hint::PolygonSmooth,
        GL_TEXTURE_COMPRESSION_HINT => Hint::TextureCompression,
        GL_FRAGMENT_SHADER_DERIVATIVE_HINT => Hint::FragmentDerivative,
        GL_PERSPECTIVE_CORRECTION_HINT
        | GL_POINT_SMOOTH_HINT
        | GL_FOG_HINT
        | GL_GENERATE_MIPMAP_HINT
            if cx.ctx.profile == Profile::Compatibility =>
        {
            Hint::Legacy
        }
        _ => return Err(GlError::invalid_enum("target")),
    };
    let mode = one_of(mode, &[GL_FASTEST, GL_NICEST, GL_DONT_CARE], "mode")?;
    Ok((which, mode))
}

pub fn clip_control(_: &Cx<'_>, origin: GLenum, depth: GLenum) -> Result<(u16, u16), GlError> {
    Ok((
        one_of(origin, &[GL_LOWER_LEFT, GL_UPPER_LEFT], "origin")?,
        one_of(depth, &[GL_NEGATIVE_ONE_TO_ONE, GL_ZERO_TO_ONE], "depth")?,
    ))
}
