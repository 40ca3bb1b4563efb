//! Checks of glEnable and its kin (GL 4.6 §2.1, the sections of the capabilities). It must change nothing.

use crate::cx::Cx;
use crate::limits;
use gl_enums::*;
use gl_state::{GlError, Profile};
use pipe::CapBits;
use pipe::render_state::MAX_VIEWPORTS;

/// What glEnable and its kin name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    Bit(CapBits),
    ClipDistance(u32),
    /// GL_BLEND of the draw buffers in the mask.
    Blend(u32),
    /// GL_SCISSOR_TEST of the viewports in the mask.
    Scissor(u32),
    DebugOutput,
    DebugOutputSynchronous,
}

const ALL_TARGETS: u32 = (1 << pipe::render_state::MAX_DRAW_BUFFERS) - 1;
const ALL_VIEWPORTS: u32 = (1 << MAX_VIEWPORTS) - 1;

fn capability(cx: &Cx<'_>, cap: GLenum) -> Result<Capability, GlError> {
    let bit = match cap {
        GL_BLEND => return Ok(Capability::Blend(ALL_TARGETS)),
        GL_SCISSOR_TEST => return Ok(Capability::Scissor(ALL_VIEWPORTS)),
        GL_DEBUG_OUTPUT => return Ok(Capability::DebugOutput),
        GL_DEBUG_OUTPUT_SYNCHRONOUS => return Ok(Capability::DebugOutputSynchronous),
        GL_CLIP_DISTANCE0..=GL_CLIP_DISTANCE7
            if cap - GL_CLIP_DISTANCE0 < cx.ctx.caps.limits.max_clip_distances =>
        {
            return Ok(Capability::ClipDistance(cap - GL_CLIP_DISTANCE0));
        }
        GL_DEPTH_TEST => CapBits::DEPTH_TEST,
        GL_STENCIL_TEST => CapBits::STENCIL_TEST,
        GL_CULL_FACE => CapBits::CULL_FACE,
        GL_DITHER => CapBits::DITHER,
        GL_POLYGON_OFFSET_FILL => CapBits::POLYGON_OFFSET_FILL,
        GL_POLYGON_OFFSET_LINE => CapBits::POLYGON_OFFSET_LINE,
        GL_POLYGON_OFFSET_POINT => CapBits::POLYGON_OFFSET_POINT,
        GL_MULTISAMPLE => CapBits::MULTISAMPLE,
        GL_SAMPLE_ALPHA_TO_COVERAGE => CapBits::SAMPLE_ALPHA_TO_COVERAGE,
        GL_SAMPLE_ALPHA_TO_ONE => CapBits::SAMPLE_ALPHA_TO_ONE,
        GL_SAMPLE_COVERAGE => CapBits::SAMPLE_COVERAGE,
        GL_SAMPLE_MASK => CapBits::SAMPLE_MASK,
        GL_SAMPLE_SHADING => CapBits::SAMPLE_SHADING,
        GL_RASTERIZER_DISCARD => CapBits::RASTERIZER_DISCARD,
        GL_PRIMITIVE_RESTART => CapBits::PRIMITIVE_RESTART,
        GL_PRIMITIVE_RESTART_FIXED_INDEX => CapBits::PRIMITIVE_RESTART_FIXED_INDEX,
        GL_PROGRAM_POINT_SIZE => CapBits::PROGRAM_POINT_SIZE,
        GL_LINE_SMOOTH => CapBits::LINE_SMOOTH,
        GL_POLYGON_SMOOTH => CapBits::POLYGON_SMOOTH,
        GL_FRAMEBUFFER_SRGB => CapBits::FRAMEBUFFER_SRGB,
        GL_DEPTH_CLAMP => CapBits::DEPTH_CLAMP,
        GL_COLOR_LOGIC_OP => CapBits::COLOR_LOGIC_OP,
        GL_TEXTURE_CUBE_MAP_SEAMLESS => CapBits::TEXTURE_CUBE_MAP_SEAMLESS,
        _ => return Err(unknown_capability(cx, cap)),
    };
    Ok(Capability::Bit(bit))
}

/// Fixed function exists in compatibility contexts only, and there MobileGL says that it lacks it.
#[cold]
fn unknown_capability(cx: &Cx<'_>, cap: GLenum) -> GlError {
    match gl_enums::enum_name(cap) {
        Some(name) if cx.ctx.profile == Profile::Compatibility => GlError::with(
            GL_INVALID_OPERATION,
            format!("{name} is not implemented by MobileGL"),
        ),
        Some(_) | None => GlError::invalid_enum("cap"),
    }
}

fn capability_at(cx: &Cx<'_>, target: GLenum, index: GLuint) -> Result<Capability, GlError> {
    // GL 4.6 §17.3.6 and §17.3.2: INVALID_VALUE if index is not less than the number of draw buffers, or viewports.
    match target {
        GL_BLEND if index < limits::draw_buffers(&cx.ctx.caps) => Ok(Capability::Blend(1 << index)),
        GL_SCISSOR_TEST if (index as usize) < MAX_VIEWPORTS => Ok(Capability::Scissor(1 << index)),
        GL_BLEND | GL_SCISSOR_TEST => Err(GlError::invalid_value("index")),
        _ => Err(GlError::invalid_enum("target has no indexed state")),
    }
}

pub fn enable(cx: &Cx<'_>, cap: GLenum) -> Result<Capability, GlError> {
    capability(cx, cap)
}

pub fn disable(cx: &Cx<'_>, cap: GLenum) -> Result<Capability, GlError> {
    capability(cx, cap)
}

/// The capability, asked of index 0 where it has several.
pub fn is_enabled(cx: &Cx<'_>, cap: GLenum) -> Result<Capability, GlError> {
    Ok(match capability(cx, cap)? {
        Capability::Blend(_) => Capability::Blend(1),
        Capability::Scissor(_) => Capability::Scissor(1),
        other => other,
    })
}

pub fn enablei(cx: &Cx<'_>, target: GLenum, index: GLuint) -> Result<Capability, GlError> {
    capability_at(cx, target, index)
}

pub fn disablei(cx: &Cx<'_>, target: GLenum, index: GLuint) -> Result<Capability, GlError> {
    capability_at(cx, target, index)
}

pub fn is_enabledi(cx: &Cx<'_>, target: GLenum, index: GLuint) -> Result<Capability, GlError> {
    capability_at(cx, target, index)
}
