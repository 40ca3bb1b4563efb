//! Checks of blending, masks, logic operations and clamping (GL 4.6 §17.3.6, §17.3.9, §17.4.2). It must change nothing.

use crate::cx::Cx;
use crate::limits;
use gl_enums::*;
use gl_state::{GlError, Profile};
use std::ops::Range;

/// Checked factors, source then destination, colour then alpha; and the draw buffers.
#[derive(Clone, Debug)]
pub struct BlendFactors {
    pub targets: Range<usize>,
    pub factors: [u16; 4],
}

/// Checked equations, colour then alpha; and the draw buffers.
#[derive(Clone, Debug)]
pub struct BlendEquations {
    pub targets: Range<usize>,
    pub equations: [u16; 2],
}

const EVERY_TARGET: Range<usize> = 0..pipe::render_state::MAX_DRAW_BUFFERS;

fn one_target(cx: &Cx<'_>, buf: GLuint) -> Result<Range<usize>, GlError> {
    // GL 4.6 §17.3.6: INVALID_VALUE if buf is not less than MAX_DRAW_BUFFERS.
    if buf >= limits::draw_buffers(&cx.ctx.caps) {
        return Err(GlError::invalid_value("buf >= GL_MAX_DRAW_BUFFERS"));
    }
    Ok(buf as usize..buf as usize + 1)
}

fn factors(targets: Range<usize>, factors: [GLenum; 4]) -> Result<BlendFactors, GlError> {
    // GL 4.6 table 17.2.
    let known = |factor: GLenum| {
        matches!(
            factor,
            GL_ZERO
                | GL_ONE
                | GL_SRC_COLOR
                | GL_ONE_MINUS_SRC_COLOR
                | GL_DST_COLOR
                | GL_ONE_MINUS_DST_COLOR
                | GL_SRC_ALPHA
                | GL_ONE_MINUS_SRC_ALPHA
                | GL_DST_ALPHA
                | GL_ONE_MINUS_DST_ALPHA
                | GL_CONSTANT_COLOR
                | GL_ONE_MINUS_CONSTANT_COLOR
                | GL_CONSTANT_ALPHA
                | GL_ONE_MINUS_CONSTANT_ALPHA
                | GL_SRC_ALPHA_SATURATE
                | GL_SRC1_COLOR
                | GL_ONE_MINUS_SRC1_COLOR
                | GL_SRC1_ALPHA
                | GL_ONE_MINUS_SRC1_ALPHA
        )
    };
    if !factors.into_iter().all(known) {
        return Err(GlError::invalid_enum("blend factor"));
    }
    Ok(BlendFactors {
        targets,
        factors: factors.map(|factor| factor as u16),
    })
}

fn equations(targets: Range<usize>, equations: [GLenum; 2]) -> Result<BlendEquations, GlError> {
    // GL 4.6 table 17.1.
    let known = |equation: GLenum| {
        matches!(
            equation,
            GL_FUNC_ADD | GL_FUNC_SUBTRACT | GL_FUNC_REVERSE_SUBTRACT | GL_MIN | GL_MAX
        )
    };
    if !equations.into_iter().all(known) {
        return Err(GlError::invalid_enum("blend equation"));
    }
    Ok(BlendEquations {
        targets,
        equations: equations.map(|equation| equation as u16),
    })
}

pub fn blend_func(_: &Cx<'_>, sfactor: GLenum, dfactor: GLenum) -> Result<BlendFactors, GlError> {
    factors(EVERY_TARGET, [sfactor, dfactor, sfactor, dfactor])
}

pub fn blend_func_separate(
    _: &Cx<'_>,
    src_rgb: GLenum,
    dst_rgb: GLenum,
    src_alpha: GLenum,
    dst_alpha: GLenum,
) -> Result<BlendFactors, GlError> {
    factors(EVERY_TARGET, [src_rgb, dst_rgb, src_alpha, dst_alpha])
}

pub fn blend_funci(
    cx: &Cx<'_>,
    buf: GLuint,
    src: GLenum,
    dst: GLenum,
) -> Result<BlendFactors, GlError> {
    factors(one_target(cx, buf)?, [src, dst, src, dst])
}

pub fn blend_func_separatei(
    cx: &Cx<'_>,
    buf: GLuint,
    src_rgb: GLenum,
    dst_rgb: GLenum,
    src_alpha: GLenum,
    dst_alpha: GLenum,
) -> Result<BlendFactors, GlError> {
    factors(
        one_target(cx, buf)?,
        [src_rgb, dst_rgb, src_alpha, dst_alpha],
    )
}

pub fn blend_equation(_: &Cx<'_>, mode: GLenum) -> Result<BlendEquations, GlError> {
    equations(EVERY_TARGET, [mode; 2])
}

pub fn blend_equation_separate(
    _: &Cx<'_>,
    rgb: GLenum,
    alpha: GLenum,
) -> Result<BlendEquations, GlError> {
    equations(EVERY_TARGET, [rgb, alpha])
}

pub fn blend_equationi(cx: &Cx<'_>, buf: GLuint, mode: GLenum) -> Result<BlendEquations, GlError> {
    equations(one_target(cx, buf)?, [mode; 2])
}

pub fn blend_equation_separatei(
    cx: &Cx<'_>,
    buf: GLuint,
    rgb: GLenum,
    alpha: GLenum,
) -> Result<BlendEquations, GlError> {
    equations(one_target(cx, buf)?, [rgb, alpha])
}

/// Bits of a colour mask and the draw buffers it is for.
pub type ColorMask = (Range<usize>, u8);

fn mask_bits(mask: [GLboolean; 4]) -> u8 {
    mask.into_iter()
        .enumerate()
        .fold(0, |bits, (i, on)| bits | (u8::from(on != 0) << i))
}

pub fn color_mask(
    _: &Cx<'_>,
    red: GLboolean,
    green: GLboolean,
    blue: GLboolean,
    alpha: GLboolean,
) -> Result<ColorMask, GlError> {
    Ok((EVERY_TARGET, mask_bits([red, green, blue, alpha])))
}

pub fn color_maski(
    cx: &Cx<'_>,
    buf: GLuint,
    red: GLboolean,
    green: GLboolean,
    blue: GLboolean,
    alpha: GLboolean,
) -> Result<ColorMask, GlError> {
    Ok((one_target(cx, buf)?, mask_bits([red, green, blue, alpha])))
}

pub fn logic_op(_: &Cx<'_>, opcode: GLenum) -> Result<u16, GlError> {
    // GL 4.6 table 17.4: CLEAR (0x1500) to SET (0x150F).
    if !(GL_CLEAR..=GL_SET).contains(&opcode) {
        return Err(GlError::invalid_enum("opcode"));
    }
    Ok(opcode as u16)
}

/// The value as [`pipe::RenderState`] keeps it; `None`: a target of the compatibility profile, which has no effect here.
pub fn clamp_color(cx: &Cx<'_>, target: GLenum, clamp: GLenum) -> Result<Option<u16>, GlError> {
    let value = match clamp {
        0 => 0, // GL_FALSE
        1 => 1, // GL_TRUE
        GL_FIXED_ONLY => 2,
        _ => return Err(GlError::invalid_enum("clamp")),
    };
    match target {
        GL_CLAMP_READ_COLOR => Ok(Some(value)),
        GL_CLAMP_VERTEX_COLOR | GL_CLAMP_FRAGMENT_COLOR
            if cx.ctx.profile == Profile::Compatibility =>
        {
            Ok(None)
        }
        _ => Err(GlError::invalid_enum("target")),
    }
}
