//! Contexts and drawables as verbs see them: which is in use, its images, its window. It creates none of them.

use crate::backend::GlesBackend;
use crate::context::Context;
use crate::surfaces::SurfaceImage;
use glow::HasContext;
use pipe::{ContextId, PipeEvent};

impl GlesBackend {
    /// Puts the context in use back among the others.
    pub(crate) fn park(&mut self) {
        if !self.current.is_null() {
            let cx = std::mem::replace(&mut self.cx, Box::new(Context::new(None)));
            self.contexts.insert(self.current, cx);
            self.current = ContextId::NULL;
        }
    }

    pub(crate) fn prepare_surfaces(&mut self) {
        for surface in [self.cx.draw, self.cx.read] {
            if let Some(drawable) = self.surfaces.table.get_mut(surface)
                && drawable.allocate(self.gl)
            {
                self.textures.epoch += 1;
            }
        }
    }

    /// Shows the draw surface in its window.
    pub(crate) fn present_window(&mut self) {
        let Some(drawable) = self.surfaces.table.get(self.cx.draw) else {
            return;
        };
        let (Some(window), Some(context)) = (drawable.window, self.cx.driver) else {
            return;
        };
        let (w, h) = (drawable.desc.width as i32, drawable.desc.height as i32);
        let gl = self.gl;
        if let Err(why) = self.driver.make_current(context, Some(window)) {
            self.say_once("present", &why);
            return;
        }
        let color = match drawable.color {
            SurfaceImage::Renderbuffer(name) => crate::framebuffers::Attachment::Renderbuffer(name),
            SurfaceImage::None | SurfaceImage::Texture(_) => crate::framebuffers::Attachment::None,
        };
        let none = crate::framebuffers::Attachment::None;
        let bound = self
            .cx
            .bind_scratch_framebuffer(gl, glow::READ_FRAMEBUFFER, color, none, none);
        if bound.is_ok() {
            self.cx.bind_draw(gl, None);
            self.cx.render.set_for_copy(gl, w, h);
            // SAFETY: GL rule 1; framebuffer 0 is the window's.
            unsafe {
                gl.blit_framebuffer(
                    0,
                    0,
                    w,
                    h,
                    0,
                    0,
                    w,
                    h,
                    glow::COLOR_BUFFER_BIT,
                    glow::NEAREST,
                );
            }
            if let Err(why) = self.driver.swap(window, self.swap_interval) {
                self.say_once("present", &why);
            }
        }
        self.cx.forget(pipe_inputs::fields::Group::framebuffer);
        self.cx.forget(pipe_inputs::fields::Group::render_state);
        if let Some((width, height)) = self.driver.window_size(window)
            && (width, height) != (w as u32, h as u32)
        {
            self.events.push(PipeEvent::SurfaceChanged {
                surface: self.cx.draw,
                width,
                height,
            });
        }
    }
}
