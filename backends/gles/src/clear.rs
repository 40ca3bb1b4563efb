//! Clears: glClear and glClearBuffer onto the private framebuffer, whose attachments stand in output order. It must never touch a buffer that the mask leaves out.

use crate::backend::GlesBackend;
use backend_common::clear_color::{converted, kind_of};
use glow::HasContext;
use pipe::{Clear, ClearMask, Format, FramebufferState};
use pipe_inputs::Told;

impl GlesBackend {
    /// The clear verb.
    pub(crate) fn clear_verb(&mut self, told: Told<'_>, p: &Clear) {
        if !self.bind_framebuffer(told) {
            return;
        }
        self.apply_render_state(told);
        let max = self.max_draw_buffers();
        self.cx.render.mask_alpha(self.gl, 0, max);
        let gl = self.gl;
        let mask = ClearMask::from_bits_truncate(p.mask);
        let fb = told.inputs.framebuffer();
        let values = &told.inputs.render_state().clear_values;
        // glClear writes the values of the state, glClearBuffer those of the call (GL 4.6 §17.4.3).
        let whole = p.draw_buffer < 0;
        if mask.contains(ClearMask::COLOR) {
            if whole {
                for output in 0..fb.draw_buffers.len() {
                    if let Some(format) = output_format(fb, output) {
                        let kind = kind_of(format);
                        let bits = converted(values.color, values.color_kind.into(), kind);
                        clear_color(gl, output as u32, format, kind, bits);
                    }
                }
            } else if let Some(format) = output_format(fb, p.draw_buffer as usize) {
                clear_color(gl, p.draw_buffer as u32, format, p.color_kind, p.color);
            }
        }
        let (depth, stencil) = if whole {
            (values.depth as f32, values.stencil)
        } else {
            (p.depth, p.stencil)
        };
        // SAFETY: GL rule 1.
        unsafe {
            match (
                mask.contains(ClearMask::DEPTH),
                mask.contains(ClearMask::STENCIL),
            ) {
                (true, true) => {
                    gl.clear_buffer_depth_stencil(glow::DEPTH_STENCIL, 0, depth, stencil);
                }
                (true, false) => gl.clear_buffer_f32_slice(glow::DEPTH, 0, &[depth]),
                (false, true) => gl.clear_buffer_i32_slice(glow::STENCIL, 0, &[stencil]),
                (false, false) => {}
            }
        }
    }
}

fn output_format(fb: &FramebufferState, output: usize) -> Option<Format> {
    let index = usize::try_from(*fb.draw_buffers.get(output)?).ok()?;
    let surface = fb.color.get(index)?;
    (surface.kind != pipe::SurfaceKind::None).then_some(surface.format)
}

fn clear_color(gl: &crate::driver::Gl, output: u32, format: Format, kind: u32, bits: [u32; 4]) {
    // A target without alpha that is kept in four components holds alpha one, as reading it gives.
    let no_alpha = matches!(
        format.info().base,
        pipe::formats::BaseFormat::Rgb
            | pipe::formats::BaseFormat::Rg
            | pipe::formats::BaseFormat::Red
    );
    // SAFETY: GL rule 1; the output has an attachment.
    unsafe {
        match kind {
            0 => {
                let mut v = bits.map(f32::from_bits);
                if no_alpha {
                    v[3] = 1.0;
                }
                gl.clear_buffer_f32_slice(glow::COLOR, output, &v);
            }
            1 => gl.clear_buffer_i32_slice(glow::COLOR, output, &bits.map(u32::cast_signed)),
            _ => gl.clear_buffer_u32_slice(glow::COLOR, output, &bits),
        }
    }
}
