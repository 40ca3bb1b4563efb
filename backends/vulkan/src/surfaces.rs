//! Drawables: the default framebuffer's images. A surface without a window is images only; windows are refused by name.

use crate::backend::VulkanBackend;
use crate::images::{ImageKey, ImageSpec};
use pipe::{Format, PipeError, SurfaceDesc, SurfaceSource, Target};

/// A drawable.
#[derive(Debug)]
pub struct Drawable {
    pub desc: SurfaceDesc,
    pub color: Option<ImageKey>,
    pub depth_stencil: Option<ImageKey>,
}

impl VulkanBackend {
    /// Images of a drawable of this size.
    pub(crate) fn make_drawable(&mut self, desc: &SurfaceDesc) -> Result<Drawable, PipeError> {
        match desc.source {
            SurfaceSource::Offscreen => {}
            SurfaceSource::X11Window(_) => {
                return Err(PipeError::Unsupported(
                    "presentation to X11 windows by the Vulkan backend".to_owned(),
                ));
            }
        }
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
        Ok(Drawable {
            desc: *desc,
            color: Some(color),
            depth_stencil,
        })
    }

    /// Gives a drawable's images up.
    pub(crate) fn end_drawable(&mut self, drawable: Drawable) {
        for key in [drawable.color, drawable.depth_stencil]
            .into_iter()
            .flatten()
        {
            self.release_image(key);
        }
    }
}
