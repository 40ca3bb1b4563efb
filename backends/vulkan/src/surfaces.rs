//! Drawables: the default framebuffer's images, which are ours; a window only gets copies at a present ([`crate::window`]).

use crate::backend::VulkanBackend;
use crate::images::{ImageKey, ImageSpec};
use crate::window::Window;
use pipe::{Format, PipeError, SurfaceDesc, SurfaceId, SurfaceSource, Target};

/// A drawable.
#[derive(Debug)]
pub struct Drawable {
    pub desc: SurfaceDesc,
    pub color: Option<ImageKey>,
    pub depth_stencil: Option<ImageKey>,
    pub window: Option<Window>,
}

impl VulkanBackend {
    /// A drawable with its images and, where the description has one, its window.
    pub(crate) fn make_drawable(&mut self, desc: &SurfaceDesc) -> Result<Drawable, PipeError> {
        let window = match desc.source {
            SurfaceSource::Offscreen => None,
            SurfaceSource::X11Window { window, .. } => Some(Window::new(&self.gpu, window)?),
        };
        match self.make_images(desc) {
            Ok((color, depth_stencil)) => Ok(Drawable {
                desc: *desc,
                color: Some(color),
                depth_stencil,
                window,
            }),
            Err(error) => {
                if let Some(window) = window {
                    window.destroy(&self.gpu);
                }
                Err(error)
            }
        }
    }

    /// Images of a drawable of this size.
    fn make_images(
        &mut self,
        desc: &SurfaceDesc,
    ) -> Result<(ImageKey, Option<ImageKey>), PipeError> {
        let spec = |format| ImageSpec {
            format,
            target: Target::Renderbuffer,
            width: desc.width.max(1),
            height: desc.height.max(1),
            depth: 1,
            layers: 1,
            levels: 1,
            samples: desc.samples,
            mutable: false,
            attachment: true,
        };
        let out_of_memory = || PipeError::OutOfMemory("images of a drawable".to_owned());
        let color = self
            .create_image(&spec(desc.color))
            .ok_or_else(out_of_memory)?;
        let depth_stencil = if desc.depth_stencil == Format::None {
            None
        } else {
            let made = self.create_image(&spec(desc.depth_stencil));
            if made.is_none() {
                self.release_image(color);
                return Err(out_of_memory());
            }
            made
        };
        Ok((color, depth_stencil))
    }

    /// Puts a drawable in the place of another, if there was one.
    pub(crate) fn replace_drawable(&mut self, surface: SurfaceId, drawable: Drawable) {
        if let Some(old) = self.surfaces.insert(surface, drawable) {
            self.end_drawable(old);
        }
    }

    /// Other images for a drawable; its window stays.
    pub(crate) fn resize_drawable(
        &mut self,
        surface: SurfaceId,
        width: u32,
        height: u32,
    ) -> Result<(), PipeError> {
        let Some(drawable) = self.surfaces.get(surface) else {
            return Ok(());
        };
        let desc = SurfaceDesc {
            width,
            height,
            ..drawable.desc
        };
        let (color, depth_stencil) = self.make_images(&desc)?;
        let Some(drawable) = self.surfaces.get_mut(surface) else {
            return Ok(());
        };
        drawable.desc = desc;
        let old = [
            drawable.color.replace(color),
            std::mem::replace(&mut drawable.depth_stencil, depth_stencil),
        ];
        for key in old.into_iter().flatten() {
            self.release_image(key);
        }
        Ok(())
    }

    /// Gives a drawable's images up, and its window.
    pub(crate) fn end_drawable(&mut self, drawable: Drawable) {
        if let Some(window) = drawable.window {
            self.submit();
            self.gpu.wait_idle();
            window.destroy(&self.gpu);
        }
        for key in [drawable.color, drawable.depth_stencil]
            .into_iter()
            .flatten()
        {
            self.release_image(key);
        }
    }
}
