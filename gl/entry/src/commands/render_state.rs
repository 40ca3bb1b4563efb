//! Render state. Setters store; nothing here calls the pipe.

use crate::cx::Cx;
use crate::validate::render_state::{
    BlendEquations, BlendFactors, Capability, ColorMask, Faces, Hint, PatchLevels, PerViewport,
    PointParameter, StencilFunc, StencilOps,
};
use gl_enums::*;
use gl_state::GlError;
use pipe::render_state::{DepthRange, Viewport, WindowRect};

/// Sets or clears bits of a word.
fn with(word: u32, bits: u32, on: bool) -> u32 {
    if on { word | bits } else { word & !bits }
}

#[inline]
fn set_capability(cx: &mut Cx<'_>, capability: Capability, on: bool) {
    let state = &mut cx.ctx.render_state;
    match capability {
        Capability::Bit(bit) => {
            let bits = with(state.values().caps.bits, bit.bits(), on);
            state.set_pipeline(|s| &mut s.caps.bits, bits);
        }
        Capability::ClipDistance(n) => {
            let bits = with(state.values().caps.clip_distances, 1 << n, on);
            state.set_pipeline(|s| &mut s.caps.clip_distances, bits);
        }
        Capability::Blend(mask) => {
            let bits = with(state.values().blend.enabled, mask, on);
            state.set_pipeline(|s| &mut s.blend.enabled, bits);
        }
        Capability::Scissor(mask) => {
            let bits = with(state.values().scissors.enabled, mask, on);
            state.set_dynamic(|s| &mut s.scissors.enabled, bits);
        }
        Capability::DebugOutput => cx.ctx.debug.output = on,
        Capability::DebugOutputSynchronous => cx.ctx.debug.synchronous = on,
    }
}

pub fn enable(cx: &mut Cx<'_>, capability: Capability) -> Result<(), GlError> {
    set_capability(cx, capability, true);
    Ok(())
}

pub fn disable(cx: &mut Cx<'_>, capability: Capability) -> Result<(), GlError> {
    set_capability(cx, capability, false);
    Ok(())
}

pub fn enablei(cx: &mut Cx<'_>, capability: Capability) -> Result<(), GlError> {
    enable(cx, capability)
}

pub fn disablei(cx: &mut Cx<'_>, capability: Capability) -> Result<(), GlError> {
    disable(cx, capability)
}

pub fn is_enabled(cx: &mut Cx<'_>, capability: Capability) -> Result<GLboolean, GlError> {
    let state = cx.ctx.render_state.values();
    let on = match capability {
        Capability::Bit(bit) => state.caps().contains(bit),
        Capability::ClipDistance(n) => state.caps.clip_distances & (1 << n) != 0,
        Capability::Blend(mask) => state.blend.enabled & mask != 0,
        Capability::Scissor(mask) => state.scissors.enabled & mask != 0,
        Capability::DebugOutput => cx.ctx.debug.output,
        Capability::DebugOutputSynchronous => cx.ctx.debug.synchronous,
    };
    Ok(on.into())
}

pub fn is_enabledi(cx: &mut Cx<'_>, capability: Capability) -> Result<GLboolean, GlError> {
    is_enabled(cx, capability)
}

fn set_factors(cx: &mut Cx<'_>, args: BlendFactors) -> Result<(), GlError> {
    let mut targets = cx.ctx.render_state.values().blend.targets;
    for target in &mut targets[args.targets] {
        [
            target.src_rgb,
            target.dst_rgb,
            target.src_alpha,
            target.dst_alpha,
        ] = args.factors;
    }
    cx.ctx
        .render_state
        .set_pipeline(|s| &mut s.blend.targets, targets);
    Ok(())
}

fn set_equations(cx: &mut Cx<'_>, args: BlendEquations) -> Result<(), GlError> {
    let mut targets = cx.ctx.render_state.values().blend.targets;
    for target in &mut targets[args.targets] {
        [target.equation_rgb, target.equation_alpha] = args.equations;
    }
    cx.ctx
        .render_state
        .set_pipeline(|s| &mut s.blend.targets, targets);
    Ok(())
}

pub fn blend_func(cx: &mut Cx<'_>, args: BlendFactors) -> Result<(), GlError> {
    set_factors(cx, args)
}

pub fn blend_func_separate(cx: &mut Cx<'_>, args: BlendFactors) -> Result<(), GlError> {
    set_factors(cx, args)
}

pub fn blend_funci(cx: &mut Cx<'_>, args: BlendFactors) -> Result<(), GlError> {
    set_factors(cx, args)
}

pub fn blend_func_separatei(cx: &mut Cx<'_>, args: BlendFactors) -> Result<(), GlError> {
    set_factors(cx, args)
}

pub fn blend_equation(cx: &mut Cx<'_>, args: BlendEquations) -> Result<(), GlError> {
    set_equations(cx, args)
}

pub fn blend_equation_separate(cx: &mut Cx<'_>, args: BlendEquations) -> Result<(), GlError> {
    set_equations(cx, args)
}

pub fn blend_equationi(cx: &mut Cx<'_>, args: BlendEquations) -> Result<(), GlError> {
    set_equations(cx, args)
}

pub fn blend_equation_separatei(cx: &mut Cx<'_>, args: BlendEquations) -> Result<(), GlError> {
    set_equations(cx, args)
}

pub fn blend_color(
    cx: &mut Cx<'_>,
    red: GLfloat,
    green: GLfloat,
    blue: GLfloat,
    alpha: GLfloat,
) -> Result<(), GlError> {
    let rgba = [red, green, blue, alpha];
    cx.ctx
        .render_state
        .set_dynamic(|s| &mut s.blend_color.rgba, rgba);
    Ok(())
}

pub fn color_mask(cx: &mut Cx<'_>, (targets, bits): ColorMask) -> Result<(), GlError> {
    let mut masks = cx.ctx.render_state.values().blend.color_masks;
    masks[targets].fill(bits);
    cx.ctx
        .render_state
        .set_pipeline(|s| &mut s.blend.color_masks, masks);
    Ok(())
}

pub fn color_maski(cx: &mut Cx<'_>, args: ColorMask) -> Result<(), GlError> {
    color_mask(cx, args)
}

pub fn depth_func(cx: &mut Cx<'_>, func: u16) -> Result<(), GlError> {
    cx.ctx
        .render_state
        .set_pipeline(|s| &mut s.depth_stencil.depth_func, func);
    Ok(())
}

pub fn depth_mask(cx: &mut Cx<'_>, flag: GLboolean) -> Result<(), GlError> {
    cx.ctx
        .render_state
        .set_pipeline(|s| &mut s.depth_stencil.depth_write, u16::from(flag != 0));
    Ok(())
}

pub fn stencil_func(cx: &mut Cx<'_>, args: StencilFunc) -> Result<(), GlError> {
    let state = &mut cx.ctx.render_state;
    let [front, back] = args.faces;
    if front {
        state.set_pipeline(|s| &mut s.depth_stencil.front.func, args.func);
        state.set_dynamic(|s| &mut s.stencil_ref.front_ref, args.reference);
        state.set_dynamic(|s| &mut s.stencil_ref.front_value_mask, args.mask);
    }
    if back {
        state.set_pipeline(|s| &mut s.depth_stencil.back.func, args.func);
        state.set_dynamic(|s| &mut s.stencil_ref.back_ref, args.reference);
        state.set_dynamic(|s| &mut s.stencil_ref.back_value_mask, args.mask);
    }
    Ok(())
}

pub fn stencil_func_separate(cx: &mut Cx<'_>, args: StencilFunc) -> Result<(), GlError> {
    stencil_func(cx, args)
}

pub fn stencil_op(cx: &mut Cx<'_>, (faces, ops): StencilOps) -> Result<(), GlError> {
    let state = &mut cx.ctx.render_state;
    let changed = |mut face: pipe::render_state::StencilFace| {
        [face.fail, face.depth_fail, face.depth_pass] = ops;
        face
    };
    let [front, back] = faces;
    if front {
        let face = changed(state.values().depth_stencil.front);
        state.set_pipeline(|s| &mut s.depth_stencil.front, face);
    }
    if back {
        let face = changed(state.values().depth_stencil.back);
        state.set_pipeline(|s| &mut s.depth_stencil.back, face);
    }
    Ok(())
}

pub fn stencil_op_separate(cx: &mut Cx<'_>, args: StencilOps) -> Result<(), GlError> {
    stencil_op(cx, args)
}

pub fn stencil_mask(cx: &mut Cx<'_>, (faces, mask): (Faces, u32)) -> Result<(), GlError> {
    let state = &mut cx.ctx.render_state;
    let [front, back] = faces;
    if front {
        state.set_dynamic(|s| &mut s.stencil_ref.front_write_mask, mask);
    }
    if back {
        state.set_dynamic(|s| &mut s.stencil_ref.back_write_mask, mask);
    }
    Ok(())
}

pub fn stencil_mask_separate(cx: &mut Cx<'_>, args: (Faces, u32)) -> Result<(), GlError> {
    stencil_mask(cx, args)
}

pub fn cull_face(cx: &mut Cx<'_>, mode: u16) -> Result<(), GlError> {
    cx.ctx
        .render_state
        .set_pipeline(|s| &mut s.raster.cull_face, mode);
    Ok(())
}

pub fn front_face(cx: &mut Cx<'_>, mode: u16) -> Result<(), GlError> {
    cx.ctx
        .render_state
        .set_pipeline(|s| &mut s.raster.front_face, mode);
    Ok(())
}

pub fn polygon_mode(cx: &mut Cx<'_>, (faces, mode): (Faces, u16)) -> Result<(), GlError> {
    let state = &mut cx.ctx.render_state;
    let [front, back] = faces;
    if front {
        state.set_pipeline(|s| &mut s.raster.polygon_mode_front, mode);
    }
    if back {
        state.set_pipeline(|s| &mut s.raster.polygon_mode_back, mode);
    }
    Ok(())
}

pub fn polygon_offset(cx: &mut Cx<'_>, factor: GLfloat, units: GLfloat) -> Result<(), GlError> {
    // GL 4.6 §14.6.5: PolygonOffset is PolygonOffsetClamp with a clamp of zero.
    polygon_offset_clamp(cx, factor, units, 0.0)
}

pub fn polygon_offset_clamp(
    cx: &mut Cx<'_>,
    factor: GLfloat,
    units: GLfloat,
    clamp: GLfloat,
) -> Result<(), GlError> {
    let state = &mut cx.ctx.render_state;
    state.set_dynamic(|s| &mut s.primitive.polygon_offset_factor, factor);
    state.set_dynamic(|s| &mut s.primitive.polygon_offset_units, units);
    state.set_dynamic(|s| &mut s.primitive.polygon_offset_clamp, clamp);
    Ok(())
}

pub fn line_width(cx: &mut Cx<'_>, width: f32) -> Result<(), GlError> {
    cx.ctx
        .render_state
        .set_dynamic(|s| &mut s.primitive.line_width, width);
    Ok(())
}

pub fn point_size(cx: &mut Cx<'_>, size: f32) -> Result<(), GlError> {
    cx.ctx
        .render_state
        .set_dynamic(|s| &mut s.primitive.point_size, size);
    Ok(())
}

fn set_point_parameter(cx: &mut Cx<'_>, parameter: PointParameter) -> Result<(), GlError> {
    let state = &mut cx.ctx.render_state;
    match parameter {
        PointParameter::FadeThreshold(v) => {
            state.set_dynamic(|s| &mut s.primitive.point_fade_threshold, v);
        }
        PointParameter::SpriteOrigin(v) => {
            state.set_pipeline(|s| &mut s.raster.point_sprite_origin, v);
        }
    }
    Ok(())
}

pub fn point_parameterf(cx: &mut Cx<'_>, args: PointParameter) -> Result<(), GlError> {
    set_point_parameter(cx, args)
}

pub fn point_parameteri(cx: &mut Cx<'_>, args: PointParameter) -> Result<(), GlError> {
    set_point_parameter(cx, args)
}

pub fn point_parameterfv(cx: &mut Cx<'_>, args: PointParameter) -> Result<(), GlError> {
    set_point_parameter(cx, args)
}

pub fn point_parameteriv(cx: &mut Cx<'_>, args: PointParameter) -> Result<(), GlError> {
    set_point_parameter(cx, args)
}

pub fn scissor(cx: &mut Cx<'_>, args: PerViewport<WindowRect>) -> Result<(), GlError> {
    let mut rects = cx.ctx.render_state.values().scissors.rects;
    args.apply(&mut rects);
    cx.ctx
        .render_state
        .set_dynamic(|s| &mut s.scissors.rects, rects);
    Ok(())
}

pub fn scissor_indexed(cx: &mut Cx<'_>, args: PerViewport<WindowRect>) -> Result<(), GlError> {
    scissor(cx, args)
}

pub fn scissor_indexedv(cx: &mut Cx<'_>, args: PerViewport<WindowRect>) -> Result<(), GlError> {
    scissor(cx, args)
}

pub fn scissor_arrayv(cx: &mut Cx<'_>, args: PerViewport<WindowRect>) -> Result<(), GlError> {
    scissor(cx, args)
}

pub fn viewport(cx: &mut Cx<'_>, args: PerViewport<Viewport>) -> Result<(), GlError> {
    let mut rects = cx.ctx.render_state.values().viewports.rects;
    args.apply(&mut rects);
    cx.ctx
        .render_state
        .set_dynamic(|s| &mut s.viewports.rects, rects);
    Ok(())
}

pub fn viewport_indexedf(cx: &mut Cx<'_>, args: PerViewport<Viewport>) -> Result<(), GlError> {
    viewport(cx, args)
}

pub fn viewport_indexedfv(cx: &mut Cx<'_>, args: PerViewport<Viewport>) -> Result<(), GlError> {
    viewport(cx, args)
}

pub fn viewport_arrayv(cx: &mut Cx<'_>, args: PerViewport<Viewport>) -> Result<(), GlError> {
    viewport(cx, args)
}

pub fn depth_range(cx: &mut Cx<'_>, args: PerViewport<DepthRange>) -> Result<(), GlError> {
    let mut ranges = cx.ctx.render_state.values().depth_ranges.ranges;
    args.apply(&mut ranges);
    cx.ctx
        .render_state
        .set_dynamic(|s| &mut s.depth_ranges.ranges, ranges);
    Ok(())
}

pub fn depth_rangef(cx: &mut Cx<'_>, args: PerViewport<DepthRange>) -> Result<(), GlError> {
    depth_range(cx, args)
}

pub fn depth_range_indexed(cx: &mut Cx<'_>, args: PerViewport<DepthRange>) -> Result<(), GlError> {
    depth_range(cx, args)
}

pub fn depth_range_arrayv(cx: &mut Cx<'_>, args: PerViewport<DepthRange>) -> Result<(), GlError> {
    depth_range(cx, args)
}

pub fn clear_color(
    cx: &mut Cx<'_>,
    red: GLfloat,
    green: GLfloat,
    blue: GLfloat,
    alpha: GLfloat,
) -> Result<(), GlError> {
    set_clear_color(cx, [red, green, blue, alpha].map(f32::to_bits), 0)
}

pub fn clear_color_ii_ext(
    cx: &mut Cx<'_>,
    red: GLint,
    green: GLint,
    blue: GLint,
    alpha: GLint,
) -> Result<(), GlError> {
    set_clear_color(cx, [red, green, blue, alpha].map(i32::cast_unsigned), 1)
}

pub fn clear_color_iui_ext(
    cx: &mut Cx<'_>,
    red: GLuint,
    green: GLuint,
    blue: GLuint,
    alpha: GLuint,
) -> Result<(), GlError> {
    set_clear_color(cx, [red, green, blue, alpha], 2)
}

fn set_clear_color(cx: &mut Cx<'_>, bits: [u32; 4], kind: u16) -> Result<(), GlError> {
    let block = &mut cx.ctx.render_state;
    block.set_dynamic(|s| &mut s.clear_values.color, bits);
    block.set_dynamic(|s| &mut s.clear_values.color_kind, kind);
    Ok(())
}

pub fn clear_depth(cx: &mut Cx<'_>, depth: GLdouble) -> Result<(), GlError> {
    // GL 4.6 §17.4.3: clamped to [0, 1] when it is set.
    let depth = depth.clamp(0.0, 1.0);
    cx.ctx
        .render_state
        .set_dynamic(|s| &mut s.clear_values.depth, depth);
    Ok(())
}

pub fn clear_depthf(cx: &mut Cx<'_>, d: GLfloat) -> Result<(), GlError> {
    clear_depth(cx, d.into())
}

pub fn clear_stencil(cx: &mut Cx<'_>, s: GLint) -> Result<(), GlError> {
    cx.ctx
        .render_state
        .set_dynamic(|state| &mut state.clear_values.stencil, s);
    Ok(())
}

pub fn logic_op(cx: &mut Cx<'_>, opcode: u16) -> Result<(), GlError> {
    cx.ctx
        .render_state
        .set_pipeline(|s| &mut s.blend.logic_op, opcode);
    Ok(())
}

pub fn sample_coverage(cx: &mut Cx<'_>, value: GLfloat, invert: GLboolean) -> Result<(), GlError> {
    let state = &mut cx.ctx.render_state;
    state.set_dynamic(|s| &mut s.coverage.value, value.clamp(0.0, 1.0));
    state.set_dynamic(|s| &mut s.coverage.invert, u32::from(invert != 0));
    Ok(())
}

pub fn sample_maski(cx: &mut Cx<'_>, mask: u32) -> Result<(), GlError> {
    cx.ctx
        .render_state
        .set_pipeline(|s| &mut s.samples.mask, mask);
    Ok(())
}

pub fn min_sample_shading(cx: &mut Cx<'_>, value: GLfloat) -> Result<(), GlError> {
    cx.ctx
        .render_state
        .set_pipeline(|s| &mut s.samples.min_shading, value.clamp(0.0, 1.0));
    Ok(())
}

pub fn provoking_vertex(cx: &mut Cx<'_>, mode: u16) -> Result<(), GlError> {
    cx.ctx
        .render_state
        .set_pipeline(|s| &mut s.raster.provoking_vertex, mode);
    Ok(())
}

pub fn clamp_color(cx: &mut Cx<'_>, read: Option<u16>) -> Result<(), GlError> {
    if let Some(value) = read {
        cx.ctx
            .render_state
            .set_dynamic(|s| &mut s.clear_values.clamp_read_color, value);
    }
    Ok(())
}

pub fn hint(cx: &mut Cx<'_>, (hint, mode): (Hint, u16)) -> Result<(), GlError> {
    let state = &mut cx.ctx.render_state;
    match hint {
        Hint::LineSmooth => state.set_dynamic(|s| &mut s.hints.line_smooth, mode),
        Hint::PolygonSmooth => state.set_dynamic(|s| &mut s.hints.polygon_smooth, mode),
        Hint::TextureCompression => {
            state.set_dynamic(|s| &mut s.hints.texture_compression, mode);
        }
        Hint::FragmentDerivative => {
            state.set_dynamic(|s| &mut s.hints.fragment_derivative, mode);
        }
        Hint::Legacy => {}
    }
    Ok(())
}

pub fn clip_control(cx: &mut Cx<'_>, (origin, depth): (u16, u16)) -> Result<(), GlError> {
    let state = &mut cx.ctx.render_state;
    state.set_pipeline(|s| &mut s.raster.clip_origin, origin);
    state.set_pipeline(|s| &mut s.raster.clip_depth_mode, depth);
    Ok(())
}

pub fn primitive_restart_index(cx: &mut Cx<'_>, index: GLuint) -> Result<(), GlError> {
    cx.ctx
        .render_state
        .set_dynamic(|s| &mut s.primitive.restart_index, index);
    Ok(())
}

pub fn patch_parameteri(cx: &mut Cx<'_>, vertices: u32) -> Result<(), GlError> {
    let patch = pipe::PatchState {
        vertices,
        ..cx.ctx.patch
    };
    cx.ctx.set_patch(patch);
    Ok(())
}

pub fn patch_parameterfv(cx: &mut Cx<'_>, levels: PatchLevels) -> Result<(), GlError> {
    let mut patch = cx.ctx.patch;
    match levels {
        PatchLevels::Outer(outer) => patch.outer = outer,
        PatchLevels::Inner(inner) => patch.inner = inner,
    }
    cx.ctx.set_patch(patch);
    Ok(())
}
