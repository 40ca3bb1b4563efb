//! Render state: the driver's values against the told ones, chunk by chunk, then field by field. It must never tell the driver what it has.

use crate::driver::Gl;
use glow::HasContext;
use pipe::CapBits;
use pipe::render_state::{self, RenderState, StencilFace};

/// Render state as the driver has it.
#[derive(Debug, Default)]
pub struct RenderShadow {
    state: RenderState,
    /// Whether `state` is what the driver has; else everything is told.
    valid: bool,
    /// Draws with indices cut at the type's largest value.
    restart: bool,
    /// Bit n: output n has no alpha of its own, so that its stand-in's alpha must stay one.
    alpha_off: u8,
}

/// The bit of a chunk in a chunk mask.
const fn bit(name: &str) -> u32 {
    let mut i = 0;
    while i < render_state::CHUNKS.len() {
        let (a, b) = (render_state::CHUNKS[i].name.as_bytes(), name.as_bytes());
        let mut same = a.len() == b.len();
        let mut at = 0;
        while same && at < a.len() {
            same = a[at] == b[at];
            at += 1;
        }
        if same {
            return 1 << i;
        }
        i += 1;
    }
    panic!("no chunk has this name")
}

const CAPS: u32 = bit("caps");
const BLEND: u32 = bit("blend");
const DEPTH_STENCIL: u32 = bit("depth_stencil");
const RASTER: u32 = bit("raster");
const SAMPLES: u32 = bit("samples");
const VIEWPORTS: u32 = bit("viewports");
const DEPTH_RANGES: u32 = bit("depth_ranges");
const SCISSORS: u32 = bit("scissors");
const BLEND_COLOR: u32 = bit("blend_color");
const STENCIL_REF: u32 = bit("stencil_ref");
const PRIMITIVE: u32 = bit("primitive");
const COVERAGE: u32 = bit("coverage");

/// Capabilities that ES has (or an extension brings) under the same name.
const PLAIN_CAPS: &[(CapBits, u32)] = &[
    (CapBits::DEPTH_TEST, glow::DEPTH_TEST),
    (CapBits::STENCIL_TEST, glow::STENCIL_TEST),
    (CapBits::CULL_FACE, glow::CULL_FACE),
    (CapBits::DITHER, glow::DITHER),
    (CapBits::POLYGON_OFFSET_FILL, glow::POLYGON_OFFSET_FILL),
    (
        CapBits::SAMPLE_ALPHA_TO_COVERAGE,
        glow::SAMPLE_ALPHA_TO_COVERAGE,
    ),
    (CapBits::SAMPLE_COVERAGE, glow::SAMPLE_COVERAGE),
    (CapBits::SAMPLE_MASK, glow::SAMPLE_MASK),
    (CapBits::SAMPLE_SHADING, glow::SAMPLE_SHADING),
    (CapBits::RASTERIZER_DISCARD, glow::RASTERIZER_DISCARD),
];

const FRAMEBUFFER_SRGB: u32 = 0x8DB9;
const DEPTH_CLAMP: u32 = 0x864F;
const CLIP_DISTANCE0: u32 = 0x3000;
const POLYGON_OFFSET_LINE: u32 = 0x2A02;
const POLYGON_OFFSET_POINT: u32 = 0x2A01;

fn switch(gl: &Gl, name: u32, on: bool) {
    // SAFETY: GL rule 1; the capability exists in ES 3.2 or a feature was tested.
    unsafe {
        if on {
            gl.enable(name);
        } else {
            gl.disable(name);
        }
    }
}

impl RenderShadow {
    /// Makes the driver have `want`. `max_draw_buffers` bounds indexed state.
    pub fn apply(&mut self, gl: &Gl, want: &RenderState, max_draw_buffers: usize) {
        let all = (1_u32 << render_state::CHUNKS.len()) - 1;
        let changed = if self.valid {
            want.changed_chunks(&self.state, all)
        } else {
            all
        };
        if changed == 0 {
            return;
        }
        let force = !self.valid;
        let have = self.state;
        self.state = *want;
        self.valid = true;
        let has = |chunk: u32| changed & chunk != 0;
        if has(CAPS) {
            caps(gl, want, &have, force);
        }
        // The switch of logic operations is among the capabilities.
        if has(BLEND) || has(CAPS) {
            blend(gl, want, &have, force, max_draw_buffers);
            if force || want.blend.color_masks != have.blend.color_masks {
                color_masks(
                    gl,
                    &want.blend.color_masks[..max_draw_buffers],
                    self.alpha_off,
                );
            }
        }
        if has(DEPTH_STENCIL) || has(STENCIL_REF) {
            depth_stencil(gl, want, &have, force);
        }
        if has(RASTER) {
            raster(gl, want, &have, force);
        }
        if has(SAMPLES) {
            // SAFETY: GL rule 1; both calls are ES 3.2.
            unsafe {
                gl.ext.min_sample_shading(want.samples.min_shading);
                gl.ext.sample_mask_i(0, want.samples.mask);
            }
        }
        if has(VIEWPORTS) {
            viewports(gl, want, &have, force);
        }
        if has(DEPTH_RANGES) {
            depth_ranges(gl, want, &have, force);
        }
        if has(SCISSORS) {
            scissors(gl, want, &have, force);
        }
        if has(BLEND_COLOR) {
            let [r, g, b, a] = want.blend_color.rgba;
            // SAFETY: GL rule 1.
            unsafe { gl.blend_color(r, g, b, a) };
        }
        if has(PRIMITIVE) {
            let p = &want.primitive;
            // SAFETY: GL rule 1; the clamp only with its feature.
            unsafe {
                gl.line_width(p.line_width);
                if gl.features.polygon_offset_clamp {
                    gl.ext.polygon_offset_clamp(
                        p.polygon_offset_factor,
                        p.polygon_offset_units,
                        p.polygon_offset_clamp,
                    );
                } else {
                    gl.polygon_offset(p.polygon_offset_factor, p.polygon_offset_units);
                }
            }
        }
        if has(COVERAGE) {
            // SAFETY: GL rule 1.
            unsafe { gl.sample_coverage(want.coverage.value, want.coverage.invert != 0) };
        }
    }

    /// Keeps draws from writing alpha of the outputs in `mask`; clears pass 0, since they are what makes it one.
    #[inline]
    pub fn mask_alpha(&mut self, gl: &Gl, mask: u8, max_draw_buffers: usize) {
        if self.alpha_off != mask {
            self.alpha_off = mask;
            color_masks(gl, &self.state.blend.color_masks[..max_draw_buffers], mask);
        }
    }

    /// Switches restart at the largest index.
    pub fn set_restart(&mut self, gl: &Gl, on: bool) {
        if self.restart != on {
            self.restart = on;
            switch(gl, glow::PRIMITIVE_RESTART_FIXED_INDEX, on);
        }
    }

    /// State for a draw of our own that writes every colour bit of its viewport.
    pub fn set_for_copy(&mut self, gl: &Gl, width: i32, height: i32) {
        self.valid = false;
        for name in [
            glow::DEPTH_TEST,
            glow::STENCIL_TEST,
            glow::CULL_FACE,
            glow::SCISSOR_TEST,
            glow::BLEND,
            glow::RASTERIZER_DISCARD,
            glow::SAMPLE_MASK,
            glow::SAMPLE_COVERAGE,
            glow::SAMPLE_ALPHA_TO_COVERAGE,
        ] {
            switch(gl, name, false);
        }
        // SAFETY: GL rule 1; the fill mode only with its feature.
        unsafe {
            gl.color_mask(true, true, true, true);
            gl.viewport(0, 0, width, height);
            if gl.features.polygon_mode {
                gl.ext.polygon_mode(glow::FRONT_AND_BACK, 0x1B02);
            }
        }
    }

    /// Internal work is about to set state of its own: everything is told again after.
    pub fn invalidate(&mut self) {
        self.valid = false;
    }
}

fn caps(gl: &Gl, want: &RenderState, have: &RenderState, force: bool) {
    let differ = if force {
        CapBits::all()
    } else {
        want.caps() ^ have.caps()
    };
    for (bit, name) in PLAIN_CAPS {
        if differ.contains(*bit) {
            switch(gl, *name, want.caps().contains(*bit));
        }
    }
    let f = &gl.features;
    let optional = [
        (
            f.srgb_write_control,
            CapBits::FRAMEBUFFER_SRGB,
            FRAMEBUFFER_SRGB,
        ),
        (f.depth_clamp, CapBits::DEPTH_CLAMP, DEPTH_CLAMP),
        (
            f.polygon_mode,
            CapBits::POLYGON_OFFSET_LINE,
            POLYGON_OFFSET_LINE,
        ),
        (
            f.polygon_mode,
            CapBits::POLYGON_OFFSET_POINT,
            POLYGON_OFFSET_POINT,
        ),
    ];
    for (there, bit, name) in optional {
        if there && differ.contains(bit) {
            switch(gl, name, want.caps().contains(bit));
        }
    }
    if f.clip_distance {
        let differ = if force {
            0xFF
        } else {
            want.caps.clip_distances ^ have.caps.clip_distances
        };
        for i in (0..8).filter(|i| differ & (1 << i) != 0) {
            switch(
                gl,
                CLIP_DISTANCE0 + i,
                want.caps.clip_distances & (1 << i) != 0,
            );
        }
    }
}

fn blend(gl: &Gl, want: &RenderState, have: &RenderState, force: bool, max: usize) {
    let (b, h) = (&want.blend, &have.blend);
    let mask = (1_u32 << max) - 1;
    // GL 4.6 §17.3.9: with a logic operation "blending is disabled".
    let enabled = |state: &RenderState| match crate::logic_op::is_on(state, &gl.features) {
        true => 0,
        false => state.blend.enabled & mask,
    };
    let on = enabled(want);
    if force || on != enabled(have) {
        // SAFETY: GL rule 1; indices are below the driver's limit.
        unsafe {
            match on {
                0 => gl.disable(glow::BLEND),
                on if on == mask => gl.enable(glow::BLEND),
                on => {
                    for i in 0..max as u32 {
                        if on & (1 << i) != 0 {
                            gl.enable_draw_buffer(glow::BLEND, i);
                        } else {
                            gl.disable_draw_buffer(glow::BLEND, i);
                        }
                    }
                }
            }
        }
    }
    if force || b.targets != h.targets {
        let first = b.targets[0];
        let same = b.targets[..max].iter().all(|t| *t == first);
        // SAFETY: GL rule 1; indices are below the driver's limit.
        unsafe {
            if same {
                gl.blend_func_separate(
                    first.src_rgb.into(),
                    first.dst_rgb.into(),
                    first.src_alpha.into(),
                    first.dst_alpha.into(),
                );
                gl.blend_equation_separate(first.equation_rgb.into(), first.equation_alpha.into());
            } else {
                for (i, t) in b.targets[..max].iter().enumerate() {
                    let i = i as u32;
                    gl.blend_func_separate_draw_buffer(
                        i,
                        t.src_rgb.into(),
                        t.dst_rgb.into(),
                        t.src_alpha.into(),
                        t.dst_alpha.into(),
                    );
                    gl.blend_equation_separate_draw_buffer(
                        i,
                        t.equation_rgb.into(),
                        t.equation_alpha.into(),
                    );
                }
            }
        }
    }
}

/// Write masks per output; alpha of outputs in `alpha_off` is never written.
fn color_masks(gl: &Gl, masks: &[u8], alpha_off: u8) {
    let bits = |i: usize| {
        let m = masks[i];
        let alpha = m & 8 != 0 && alpha_off & (1 << i) == 0;
        (m & 1 != 0, m & 2 != 0, m & 4 != 0, alpha)
    };
    let first = bits(0);
    // SAFETY: GL rule 1; indices are below the driver's limit.
    unsafe {
        if (1..masks.len()).all(|i| bits(i) == first) {
            let (r, g, b, a) = first;
            gl.color_mask(r, g, b, a);
        } else {
            for i in 0..masks.len() {
                let (r, g, b, a) = bits(i);
                gl.color_mask_draw_buffer(i as u32, r, g, b, a);
            }
        }
    }
}

fn depth_stencil(gl: &Gl, want: &RenderState, have: &RenderState, force: bool) {
    let (d, h) = (&want.depth_stencil, &have.depth_stencil);
    // SAFETY: GL rule 1.
    unsafe {
        if force || d.depth_func != h.depth_func {
            gl.depth_func(d.depth_func.into());
        }
        if force || d.depth_write != h.depth_write {
            gl.depth_mask(d.depth_write != 0);
        }
    }
    let (r, q) = (&want.stencil_ref, &have.stencil_ref);
    let faces = [
        (
            glow::FRONT,
            (d.front, h.front),
            (r.front_ref, q.front_ref),
            (r.front_value_mask, q.front_value_mask),
            (r.front_write_mask, q.front_write_mask),
        ),
        (
            glow::BACK,
            (d.back, h.back),
            (r.back_ref, q.back_ref),
            (r.back_value_mask, q.back_value_mask),
            (r.back_write_mask, q.back_write_mask),
        ),
    ];
    for (face, (s, t), reference, value_mask, write_mask) in faces {
        let operations = |s: &StencilFace| (s.fail, s.depth_fail, s.depth_pass);
        // SAFETY: GL rule 1.
        unsafe {
            if force
                || s.func != t.func
                || reference.0 != reference.1
                || value_mask.0 != value_mask.1
            {
                gl.stencil_func_separate(face, s.func.into(), reference.0, value_mask.0);
            }
            if force || operations(&s) != operations(&t) {
                gl.stencil_op_separate(
                    face,
                    s.fail.into(),
                    s.depth_fail.into(),
                    s.depth_pass.into(),
                );
            }
            if force || write_mask.0 != write_mask.1 {
                gl.stencil_mask_separate(face, write_mask.0);
            }
        }
    }
}

fn raster(gl: &Gl, want: &RenderState, have: &RenderState, force: bool) {
    let (r, h) = (&want.raster, &have.raster);
    // SAFETY: GL rule 1; extensions' calls only with their features.
    unsafe {
        if force || r.cull_face != h.cull_face {
            gl.cull_face(r.cull_face.into());
        }
        if force || r.front_face != h.front_face {
            gl.front_face(r.front_face.into());
        }
        if gl.features.polygon_mode && (force || r.polygon_mode_front != h.polygon_mode_front) {
            gl.ext
                .polygon_mode(glow::FRONT_AND_BACK, r.polygon_mode_front.into());
        }
        if gl.features.clip_control
            && (force || r.clip_origin != h.clip_origin || r.clip_depth_mode != h.clip_depth_mode)
        {
            gl.ext
                .clip_control(r.clip_origin.into(), r.clip_depth_mode.into());
        }
    }
}

fn viewports(gl: &Gl, want: &RenderState, have: &RenderState, force: bool) {
    let (v, h) = (&want.viewports.rects, &have.viewports.rects);
    // SAFETY: GL rule 1; indexed calls only with the feature.
    unsafe {
        if gl.features.viewport_array {
            for (i, r) in v.iter().enumerate() {
                if force || *r != h[i] {
                    gl.ext
                        .viewport_indexed_f(i as u32, r.x, r.y, r.width, r.height);
                }
            }
        } else if force || v[0] != h[0] {
            // ES 3.2 §12.6.1: viewports are of whole pixels.
            let r = v[0];
            gl.viewport(
                r.x.round() as i32,
                r.y.round() as i32,
                r.width.round() as i32,
                r.height.round() as i32,
            );
        }
    }
}

fn depth_ranges(gl: &Gl, want: &RenderState, have: &RenderState, force: bool) {
    let (v, h) = (&want.depth_ranges.ranges, &have.depth_ranges.ranges);
    // SAFETY: GL rule 1; indexed calls only with the feature.
    unsafe {
        if gl.features.viewport_array {
            for (i, r) in v.iter().enumerate() {
                if force || *r != h[i] {
                    gl.ext
                        .depth_range_indexed_f(i as u32, r.near as f32, r.far as f32);
                }
            }
        } else if force || v[0] != h[0] {
            gl.depth_range_f32(v[0].near as f32, v[0].far as f32);
        }
    }
}

fn scissors(gl: &Gl, want: &RenderState, have: &RenderState, force: bool) {
    let (s, h) = (&want.scissors, &have.scissors);
    let n = if gl.features.viewport_array {
        render_state::MAX_VIEWPORTS
    } else {
        1
    };
    for i in 0..n {
        let (on, was) = (s.enabled & (1 << i) != 0, h.enabled & (1 << i) != 0);
        let r = s.rects[i];
        // SAFETY: GL rule 1; indexed calls only with the feature.
        unsafe {
            if force || on != was {
                match (n, on) {
                    (1, true) => gl.enable(glow::SCISSOR_TEST),
                    (1, false) => gl.disable(glow::SCISSOR_TEST),
                    (_, true) => gl.enable_draw_buffer(glow::SCISSOR_TEST, i as u32),
                    (_, false) => gl.disable_draw_buffer(glow::SCISSOR_TEST, i as u32),
                }
            }
            if force || r != h.rects[i] {
                if n == 1 {
                    gl.scissor(r.x, r.y, r.width, r.height);
                } else {
                    gl.ext
                        .scissor_indexed(i as u32, r.x, r.y, r.width, r.height);
                }
            }
        }
    }
}
