//! Clears: glClear and glClearBuffer onto the private framebuffer, whose attachments stand in output order. It must never touch a buffer that the mask leaves out.

use crate::backend::GlesBackend;
use glow::HasContext;
use pipe::formats::Component;
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
                        let bits = values.color.map(f32::to_bits);
                        clear_color(gl, output as u32, format, kind_of(format), bits, true);
                    }
                }
            } else if let Some(format) = output_format(fb, p.draw_buffer as usize) {
                clear_color(
                    gl,
                    p.draw_buffer as u32,
                    format,
                    p.color_kind,
                    p.color,
                    false,
                );
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

/// 0 float, 1 signed, 2 unsigned.
fn kind_of(format: Format) -> u32 {
    match format.info().component {
        Component::Int => 1,
        Component::Uint => 2,
        Component::None
        | Component::Unorm
        | Component::Snorm
        | Component::Srgb
        | Component::Float => 0,
    }
}

fn clear_color(
    gl: &crate::driver::Gl,
    output: u32,
    format: Format,
    kind: u32,
    bits: [u32; 4],
    from_floats: bool,
) {
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
            1 => {
                // glClear of an integer buffer is undefined (GL 4.6 §17.4.3); the value's number is the kindest answer.
                let v = bits.map(|b| {
                    if from_floats {
                        f32::from_bits(b) as i32
                    } else {
                        b as i32
                    }
                });
                gl.clear_buffer_i32_slice(glow::COLOR, output, &v);
            }
            _ => {
                let v = bits.map(|b| {
                    if from_floats {
                        f32::from_bits(b) as u32
                    } else {
                        b
                    }
                });
                gl.clear_buffer_u32_slice(glow::COLOR, output, &v);
            }
        }
    }
}
