//! Blits between framebuffers, with the detours that ES needs for multisampled sources. It must never scale by itself.

use crate::backend::GlesBackend;
use crate::framebuffers::Attachment;
use glow::HasContext;
use pipe::{Blit, ClearMask, FramebufferState, Surface, SurfaceKind};
use pipe_inputs::Told;
use pipe_inputs::fields::Group;

/// Whether a buffer of `bits` is read from and drawn to.
fn shares_an_image(fb: &FramebufferState, bits: ClearMask) -> bool {
    let same = |a: &Surface, b: &Surface| {
        a.kind != SurfaceKind::None
            && (a.kind, a.resource, a.level, a.layer) == (b.kind, b.resource, b.level, b.layer)
    };
    let drawn = |index: &i8| {
        usize::try_from(*index)
            .ok()
            .and_then(|index| fb.color.get(index))
    };
    (bits.contains(ClearMask::COLOR)
        && fb
            .draw_buffers
            .iter()
            .filter_map(drawn)
            .any(|color| same(color, &fb.read.color)))
        || (bits.contains(ClearMask::DEPTH) && same(&fb.depth, &fb.read.depth))
        || (bits.contains(ClearMask::STENCIL) && same(&fb.stencil, &fb.read.stencil))
}

impl GlesBackend {
    /// The blit verb.
    pub(crate) fn blit_verb(&mut self, told: Told<'_>, p: &Blit) {
        if !self.bind_framebuffer(told) || !self.bind_read_framebuffer(told) {
            return;
        }
        self.apply_render_state(told);
        let gl = self.gl;
        let mut mask = 0;
        let bits = ClearMask::from_bits_truncate(p.mask);
        if bits.contains(ClearMask::COLOR) {
            mask |= glow::COLOR_BUFFER_BIT;
        }
        if bits.contains(ClearMask::DEPTH) {
            mask |= glow::DEPTH_BUFFER_BIT;
        }
        if bits.contains(ClearMask::STENCIL) {
            mask |= glow::STENCIL_BUFFER_BIT;
        }
        let filter = if p.linear != 0 {
            glow::LINEAR
        } else {
            glow::NEAREST
        };
        let fb = told.inputs.framebuffer();
        // ES 3.2 §16.2.1: a multisampled source takes equal rectangles and, for colour, equal formats only.
        if fb.read.samples > 1 && p.src != p.dst && fb.samples <= 1 {
            self.blit_resolved(told, p, mask, filter);
            return;
        }
        // ES 3.2 §16.2.1: INVALID_OPERATION if source and destination are one image. GL draws it where the rectangles do not overlap
        // (GL 4.6 §18.3.1), so the source is copied first.
        if fb.read.samples <= 1 && shares_an_image(fb, bits) {
            self.blit_resolved(told, p, mask, filter);
            return;
        }
        let ([a, b, c, d], [e, f, g, h]) = (p.src, p.dst);
        // SAFETY: GL rule 1; both framebuffers are bound.
        unsafe { gl.blit_framebuffer(a, b, c, d, e, f, g, h, mask, filter) };
    }

    /// Copies the source to an image of our own (resolving it), then blits that.
    fn blit_resolved(&mut self, told: Told<'_>, p: &Blit, mask: u32, filter: u32) {
        let gl = self.gl;
        let fb = told.inputs.framebuffer();
        let (w, h) = (fb.read.width as i32, fb.read.height as i32);
        let image = |format: pipe::Format| {
            if format == pipe::Format::None {
                return None;
            }
            let internal = crate::conv::conv(format, &gl.features).internal;
            // SAFETY: GL rules 1 and 2.
            unsafe {
                let name = gl.create_renderbuffer().ok()?;
                gl.bind_renderbuffer(glow::RENDERBUFFER, Some(name));
                gl.renderbuffer_storage(glow::RENDERBUFFER, internal, w, h);
                Some(name)
            }
        };
        let wants = |bit| mask & bit != 0;
        let color = image(if wants(glow::COLOR_BUFFER_BIT) {
            fb.read.color.format
        } else {
            pipe::Format::None
        });
        let depth = image(if wants(glow::DEPTH_BUFFER_BIT) {
            fb.read.depth.format
        } else if wants(glow::STENCIL_BUFFER_BIT) {
            fb.read.stencil.format
        } else {
            pipe::Format::None
        });
        let at = |name: Option<glow::NativeRenderbuffer>| {
            name.map_or(Attachment::None, Attachment::Renderbuffer)
        };
        let stencil = if wants(glow::STENCIL_BUFFER_BIT) {
            at(depth)
        } else {
            Attachment::None
        };
        let scissor = told.inputs.render_state().scissors.enabled & 1 != 0;
        // The first step is not the application's: its scissor applies to the second only.
        if scissor {
            self.cx.render.invalidate();
            // SAFETY: GL rule 1.
            unsafe { gl.disable(glow::SCISSOR_TEST) };
        }
        let bound = self.cx.bind_scratch_framebuffer(
            gl,
            glow::DRAW_FRAMEBUFFER,
            at(color),
            at(depth),
            stencil,
        );
        if bound.is_ok() {
            // SAFETY: GL rule 1; both framebuffers are bound.
            unsafe {
                gl.blit_framebuffer(0, 0, w, h, 0, 0, w, h, mask, glow::NEAREST);
            }
            let read = self.cx.bind_scratch_framebuffer(
                gl,
                glow::READ_FRAMEBUFFER,
                at(color),
                at(depth),
                stencil,
            );
            self.cx.forget(Group::framebuffer);
            if read.is_ok() && self.bind_framebuffer(told) {
                self.cx.forget(Group::render_state);
                self.apply_render_state(told);
                let ([a, b, c, d], [e, f, g, h]) = (p.src, p.dst);
                // SAFETY: GL rule 1; both framebuffers are bound.
                unsafe { gl.blit_framebuffer(a, b, c, d, e, f, g, h, mask, filter) };
            }
            // The scratch framebuffer must not keep the images alive.
            let _ = self.cx.bind_scratch_framebuffer(
                gl,
                glow::READ_FRAMEBUFFER,
                Attachment::None,
                Attachment::None,
                Attachment::None,
            );
        }
        self.cx.forget(Group::framebuffer);
        for name in [color, depth].into_iter().flatten() {
            // SAFETY: GL rules 1 and 2.
            unsafe { gl.delete_renderbuffer(name) };
        }
    }
}
