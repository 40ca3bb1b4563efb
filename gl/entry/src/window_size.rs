//! How large the windows behind drawables are: asked once per frame, before the first verb, of whoever knows the window system.
//! It knows none itself.

use crate::cx::Cx;
use pipe::SurfaceId;
use std::sync::OnceLock;

/// Size of a drawable's window in pixels; `None`: the drawable has no window, or the window is gone.
pub type Ask = fn(SurfaceId) -> Option<(u32, u32)>;

static ASK: OnceLock<Ask> = OnceLock::new();

/// Installs whoever knows; the first one stays.
pub fn ask(ask: Ask) {
    ASK.get_or_init(|| ask);
}

/// Size of a drawable's window now.
pub(crate) fn now(surface: SurfaceId) -> Option<(u32, u32)> {
    ASK.get()?(surface)
}

impl Cx<'_> {
    /// A frame begins: the default framebuffer takes the size that the windows have now.
    pub(crate) fn follow_windows(&mut self) {
        let drawables = &self.ctx.framebuffers;
        for drawable in [drawables.draw_drawable, drawables.read_drawable] {
            if let Some(drawable) = drawable
                && let Some((width, height)) = now(drawable.surface)
            {
                self.resize_drawable(drawable.surface, width, height);
            }
        }
    }

    /// Gives a drawable of the current context another size, on both sides.
    pub(crate) fn resize_drawable(&mut self, surface: SurfaceId, width: u32, height: u32) {
        let framebuffers = &mut self.ctx.framebuffers;
        let mut changed = false;
        for drawable in [
            &mut framebuffers.draw_drawable,
            &mut framebuffers.read_drawable,
        ] {
            if let Some(drawable) = drawable.as_mut().filter(|d| d.surface == surface)
                && (drawable.width, drawable.height) != (width, height)
            {
                (drawable.width, drawable.height) = (width, height);
                changed = true;
            }
        }
        if !changed {
            return;
        }
        self.ctx.generations.any_framebuffer_attachment += 1;
        if let Err(error) = self.pipe.resize_surface(surface, width, height) {
            let what = format!("the window's new size {width}x{height}: {error}");
            self.record_error(gl_state::GlError::with(gl_enums::GL_OUT_OF_MEMORY, what));
        }
    }
}
