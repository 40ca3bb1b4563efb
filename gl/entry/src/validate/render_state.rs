//! Checks of render state: capabilities, blending, depth, stencil, rasterization, viewports (GL 4.6 chapters 13, 14 and 17).
//! It must change nothing.

use crate::c_memory;
use crate::cx::Cx;
use crate::limits;
use gl_enums::*;
use gl_state::{GlError, Profile};
use pipe::CapBits;
use pipe::render_state::{DepthRange, MAX_VIEWPORTS, Viewport, WindowRect};
use std::ops::Range;

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

/// GL 4.6 §17.3.3: the eight comparisons.
fn comparison(func: GLenum) -> Result<u16, GlError> {
    if !(GL_NEVER..=GL_ALWAYS).contains(&func) {
        return Err(GlError::invalid_enum("func"));
    }
    Ok(func as u16)
}

pub fn depth_func(_: &Cx<'_>, func: GLenum) -> Result<u16, GlError> {
    comparison(func)
}

/// Faces that a command names: front, back.
pub type Faces = [bool; 2];

fn faces(face: GLenum) -> Result<Faces, GlError> {
    match face {
        GL_FRONT => Ok([true, false]),
        GL_BACK => Ok([false, true]),
        GL_FRONT_AND_BACK => Ok([true, true]),
        _ => Err(GlError::invalid_enum("face")),
    }
}

/// Checked stencil function.
#[derive(Clone, Copy, Debug)]
pub struct StencilFunc {
    pub faces: Faces,
    pub func: u16,
    pub reference: i32,
    pub mask: u32,
}

pub fn stencil_func(
    _: &Cx<'_>,
    func: GLenum,
    reference: GLint,
    mask: GLuint,
) -> Result<StencilFunc, GlError> {
    Ok(StencilFunc {
        faces: [true; 2],
        func: comparison(func)?,
        reference,
        mask,
    })
}

pub fn stencil_func_separate(
    _: &Cx<'_>,
    face: GLenum,
    func: GLenum,
    reference: GLint,
    mask: GLuint,
) -> Result<StencilFunc, GlError> {
    Ok(StencilFunc {
        faces: faces(face)?,
        func: comparison(func)?,
        reference,
        mask,
    })
}

/// Faces, and what happens on fail, depth fail, pass.
pub type StencilOps = (Faces, [u16; 3]);

fn operations(faces: Faces, ops: [GLenum; 3]) -> Result<StencilOps, GlError> {
    // GL 4.6 §17.3.3: KEEP, ZERO, REPLACE, INCR, DECR, INVERT, INCR_WRAP, DECR_WRAP.
    let known = |op: GLenum| {
        matches!(
            op,
            GL_KEEP
                | GL_ZERO
                | GL_REPLACE
                | GL_INCR
                | GL_DECR
                | GL_INVERT
                | GL_INCR_WRAP
                | GL_DECR_WRAP
        )
    };
    if !ops.into_iter().all(known) {
        return Err(GlError::invalid_enum("stencil operation"));
    }
    Ok((faces, ops.map(|op| op as u16)))
}

pub fn stencil_op(
    _: &Cx<'_>,
    fail: GLenum,
    depth_fail: GLenum,
    pass: GLenum,
) -> Result<StencilOps, GlError> {
    operations([true; 2], [fail, depth_fail, pass])
}

pub fn stencil_op_separate(
    _: &Cx<'_>,
    face: GLenum,
    fail: GLenum,
    depth_fail: GLenum,
    pass: GLenum,
) -> Result<StencilOps, GlError> {
    operations(faces(face)?, [fail, depth_fail, pass])
}

pub fn stencil_mask(_: &Cx<'_>, mask: GLuint) -> Result<(Faces, u32), GlError> {
    Ok(([true; 2], mask))
}

pub fn stencil_mask_separate(
    _: &Cx<'_>,
    face: GLenum,
    mask: GLuint,
) -> Result<(Faces, u32), GlError> {
    Ok((faces(face)?, mask))
}

pub fn cull_face(_: &Cx<'_>, mode: GLenum) -> Result<u16, GlError> {
    faces(mode).map(|_| mode as u16)
}

/// One of a command's legal values.
fn one_of(value: GLenum, legal: &[GLenum], what: &'static str) -> Result<u16, GlError> {
    if !legal.contains(&value) {
        return Err(GlError::invalid_enum(what));
    }
    Ok(value as u16)
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

/// The viewports `first .. first + count`. GL 4.6 §13.8.1: INVALID_VALUE if first + count is greater than MAX_VIEWPORTS.
fn viewports(first: GLuint, count: GLsizei) -> Result<Range<usize>, GlError> {
    let count = usize::try_from(count).map_err(|_| GlError::invalid_value("count < 0"))?;
    let first = first as usize;
    if first + count > MAX_VIEWPORTS {
        return Err(GlError::invalid_value("first + count > GL_MAX_VIEWPORTS"));
    }
    Ok(first..first + count)
}

fn one_viewport(index: GLuint) -> Result<Range<usize>, GlError> {
    if index as usize >= MAX_VIEWPORTS {
        return Err(GlError::invalid_value("index >= GL_MAX_VIEWPORTS"));
    }
    Ok(index as usize..index as usize + 1)
}

/// New values for a run of viewports: one for all, or as many as there are.
#[derive(Clone, Debug)]
pub struct PerViewport<T: 'static> {
    pub range: Range<usize>,
    pub values: Values<T>,
}

/// As [`PerViewport`] says.
#[derive(Clone, Debug)]
pub enum Values<T: 'static> {
    Same(T),
    Each([T; MAX_VIEWPORTS]),
}

impl<T: Copy> PerViewport<T> {
    fn every(value: T) -> Self {
        Self {
            range: 0..MAX_VIEWPORTS,
            values: Values::Same(value),
        }
    }

    /// Puts the values where they belong.
    pub fn apply(&self, to: &mut [T; MAX_VIEWPORTS]) {
        match &self.values {
            Values::Same(value) => to[self.range.clone()].fill(*value),
            Values::Each(values) => {
                to[self.range.clone()].copy_from_slice(&values[..self.range.len()]);
            }
        }
    }
}

fn scissor_rect(x: i32, y: i32, width: i32, height: i32) -> Result<WindowRect, GlError> {
    // GL 4.6 §17.3.2: INVALID_VALUE if width or height is negative.
    if width < 0 || height < 0 {
        return Err(GlError::invalid_value("width or height < 0"));
    }
    Ok(WindowRect {
        x,
        y,
        width,
        height,
    })
}

pub fn scissor(
    _: &Cx<'_>,
    x: GLint,
    y: GLint,
    width: GLsizei,
    height: GLsizei,
) -> Result<PerViewport<WindowRect>, GlError> {
    scissor_rect(x, y, width, height).map(PerViewport::every)
}

pub fn scissor_indexed(
    _: &Cx<'_>,
    index: GLuint,
    left: GLint,
    bottom: GLint,
    width: GLsizei,
    height: GLsizei,
) -> Result<PerViewport<WindowRect>, GlError> {
    Ok(PerViewport {
        range: one_viewport(index)?,
        values: Values::Same(scissor_rect(left, bottom, width, height)?),
    })
}

pub fn scissor_indexedv(
    cx: &Cx<'_>,
    index: GLuint,
    v: *const GLint,
) -> Result<PerViewport<WindowRect>, GlError> {
    // An index is a run of one; the checks are the array's.
    one_viewport(index)?;
    scissor_arrayv(cx, index, 1, v)
}

pub fn scissor_arrayv(
    _: &Cx<'_>,
    first: GLuint,
    count: GLsizei,
    v: *const GLint,
) -> Result<PerViewport<WindowRect>, GlError> {
    let range = viewports(first, count)?;
    // SAFETY: c_memory's rule: four numbers a rectangle.
    let numbers = unsafe { c_memory::slice(v, range.len() * 4) };
    let mut rects = [WindowRect::default(); MAX_VIEWPORTS];
    for (rect, n) in rects.iter_mut().zip(numbers.chunks_exact(4)) {
        *rect = scissor_rect(n[0], n[1], n[2], n[3])?;
    }
    Ok(PerViewport {
        range,
        values: Values::Each(rects),
    })
}

/// GL_VIEWPORT_BOUNDS_RANGE (GL 4.6 table 23.54: at least this).
pub const VIEWPORT_BOUNDS: [f32; 2] = [-32768.0, 32767.0];

fn viewport_rect(
    cx: &Cx<'_>,
    x: f32,
    y: f32,
    width: f32,
    height: f32,
) -> Result<Viewport, GlError> {
    // GL 4.6 §13.8.1: INVALID_VALUE if width or height is negative; sizes are clamped to MAX_VIEWPORT_DIMS, origins to
    // VIEWPORT_BOUNDS_RANGE, when they are set.
    if width < 0.0 || height < 0.0 {
        return Err(GlError::invalid_value("width or height < 0"));
    }
    let [max_width, max_height] = cx.ctx.caps.limits.max_viewport_dims;
    let [low, high] = VIEWPORT_BOUNDS;
    Ok(Viewport {
        x: x.clamp(low, high),
        y: y.clamp(low, high),
        width: width.min(max_width as f32),
        height: height.min(max_height as f32),
    })
}

pub fn viewport(
    cx: &Cx<'_>,
    x: GLint,
    y: GLint,
    width: GLsizei,
    height: GLsizei,
) -> Result<PerViewport<Viewport>, GlError> {
    viewport_rect(cx, x as f32, y as f32, width as f32, height as f32).map(PerViewport::every)
}

pub fn viewport_indexedf(
    cx: &Cx<'_>,
    index: GLuint,
    x: GLfloat,
    y: GLfloat,
    w: GLfloat,
    h: GLfloat,
) -> Result<PerViewport<Viewport>, GlError> {
    Ok(PerViewport {
        range: one_viewport(index)?,
        values: Values::Same(viewport_rect(cx, x, y, w, h)?),
    })
}

pub fn viewport_indexedfv(
    cx: &Cx<'_>,
    index: GLuint,
    v: *const GLfloat,
) -> Result<PerViewport<Viewport>, GlError> {
    one_viewport(index)?;
    viewport_arrayv(cx, index, 1, v)
}

pub fn viewport_arrayv(
    cx: &Cx<'_>,
    first: GLuint,
    count: GLsizei,
    v: *const GLfloat,
) -> Result<PerViewport<Viewport>, GlError> {
    let range = viewports(first, count)?;
    // SAFETY: c_memory's rule: four numbers a viewport.
    let numbers = unsafe { c_memory::slice(v, range.len() * 4) };
    let mut rects = [Viewport::default(); MAX_VIEWPORTS];
    for (rect, n) in rects.iter_mut().zip(numbers.chunks_exact(4)) {
        *rect = viewport_rect(cx, n[0], n[1], n[2], n[3])?;
    }
    Ok(PerViewport {
        range,
        values: Values::Each(rects),
    })
}

/// GL 4.6 §13.8.1: both are clamped to [0, 1] when they are set.
fn clamped(near: f64, far: f64) -> DepthRange {
    DepthRange {
        near: near.clamp(0.0, 1.0),
        far: far.clamp(0.0, 1.0),
    }
}

pub fn depth_range(
    _: &Cx<'_>,
    n: GLdouble,
    f: GLdouble,
) -> Result<PerViewport<DepthRange>, GlError> {
    Ok(PerViewport::every(clamped(n, f)))
}

pub fn depth_rangef(
    cx: &Cx<'_>,
    n: GLfloat,
    f: GLfloat,
) -> Result<PerViewport<DepthRange>, GlError> {
    depth_range(cx, n.into(), f.into())
}

pub fn depth_range_indexed(
    _: &Cx<'_>,
    index: GLuint,
    n: GLdouble,
    f: GLdouble,
) -> Result<PerViewport<DepthRange>, GlError> {
    Ok(PerViewport {
        range: one_viewport(index)?,
        values: Values::Same(clamped(n, f)),
    })
}

pub fn depth_range_arrayv(
    _: &Cx<'_>,
    first: GLuint,
    count: GLsizei,
    v: *const GLdouble,
) -> Result<PerViewport<DepthRange>, GlError> {
    let range = viewports(first, count)?;
    // SAFETY: c_memory's rule: two numbers a range.
    let numbers = unsafe { c_memory::slice(v, range.len() * 2) };
    let mut ranges = [clamped(0.0, 1.0); MAX_VIEWPORTS];
    for (depth, n) in ranges.iter_mut().zip(numbers.chunks_exact(2)) {
        *depth = clamped(n[0], n[1]);
    }
    Ok(PerViewport {
        range,
        values: Values::Each(ranges),
    })
}

pub fn logic_op(_: &Cx<'_>, opcode: GLenum) -> Result<u16, GlError> {
    // GL 4.6 table 17.4: CLEAR (0x1500) to SET (0x150F).
    if !(GL_CLEAR..=GL_SET).contains(&opcode) {
        return Err(GlError::invalid_enum("opcode"));
    }
    Ok(opcode as u16)
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

/// The value as [`pipe::RenderState`] keeps it; `None`: a target of the compatibility profile, which has no effect here.
pub fn clamp_color(cx: &Cx<'_>, target: GLenum, clamp: GLenum) -> Result<Option<u32>, GlError> {
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

/// GL_MAX_PATCH_VERTICES (GL 4.6 table 23.58: at least 32).
pub const MAX_PATCH_VERTICES: u32 = 32;

pub fn patch_parameteri(_: &Cx<'_>, pname: GLenum, value: GLint) -> Result<u32, GlError> {
    if pname != GL_PATCH_VERTICES {
        return Err(GlError::invalid_enum("pname"));
    }
    // GL 4.6 §10.1.15: INVALID_VALUE if value is not positive or greater than MAX_PATCH_VERTICES.
    u32::try_from(value)
        .ok()
        .filter(|n| (1..=MAX_PATCH_VERTICES).contains(n))
        .ok_or(GlError::invalid_value("value"))
}

/// Default levels.
#[derive(Clone, Copy, Debug)]
pub enum PatchLevels {
    Outer([f32; 4]),
    Inner([f32; 2]),
}

pub fn patch_parameterfv(
    _: &Cx<'_>,
    pname: GLenum,
    values: *const GLfloat,
) -> Result<PatchLevels, GlError> {
    let count = match pname {
        GL_PATCH_DEFAULT_OUTER_LEVEL => 4,
        GL_PATCH_DEFAULT_INNER_LEVEL => 2,
        _ => return Err(GlError::invalid_enum("pname")),
    };
    // SAFETY: c_memory's rule: four outer levels, two inner ones.
    let v = unsafe { c_memory::slice(values, count) };
    match *v {
        [a, b, c, d] => Ok(PatchLevels::Outer([a, b, c, d])),
        [a, b] => Ok(PatchLevels::Inner([a, b])),
        _ => Err(GlError::invalid_value("values is null")),
    }
}
