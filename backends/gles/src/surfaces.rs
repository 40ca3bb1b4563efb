//! Drawables: the images that stand for the default framebuffer. They are ours; a window only gets copies at a present.

use crate::conv;
use crate::driver::{DriverWindow, Gl};
use glow::HasContext;
use pipe::{Format, SurfaceDesc, SurfaceId};
use pipe_inputs::objects::Table;

/// One image of a drawable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurfaceImage {
    None,
    Texture(glow::NativeTexture),
    Renderbuffer(glow::NativeRenderbuffer),
}

/// A drawable.
#[derive(Debug)]
pub struct Drawable {
    pub desc: SurfaceDesc,
    pub color: SurfaceImage,
    pub depth_stencil: SurfaceImage,
    pub window: Option<DriverWindow>,
    allocated: bool,
}

/// All drawables.
#[derive(Debug, Default)]
pub struct Surfaces {
    pub table: Table<SurfaceId, Drawable>,
}

impl Drawable {
    /// Described, without images yet: no context need be current.
    pub fn new(desc: SurfaceDesc, window: Option<DriverWindow>) -> Self {
        Self {
            desc,
            color: SurfaceImage::None,
            depth_stencil: SurfaceImage::None,
            window,
            allocated: false,
        }
    }

    /// Forgets the images, which the caller deletes: they are made again at the next use.
    pub fn take_images(&mut self) -> [SurfaceImage; 2] {
        self.allocated = false;
        [
            std::mem::replace(&mut self.color, SurfaceImage::None),
            std::mem::replace(&mut self.depth_stencil, SurfaceImage::None),
        ]
    }

    /// Makes the images. `true` if they were made now.
    pub fn allocate(&mut self, gl: &Gl) -> bool {
        if self.allocated {
            return false;
        }
        self.allocated = true;
        self.color = self.image(gl, self.desc.color);
        self.depth_stencil = self.image(gl, self.desc.depth_stencil);
        true
    }

    fn image(&self, gl: &Gl, format: Format) -> SurfaceImage {
        if format == Format::None {
            return SurfaceImage::None;
        }
        let internal = conv::conv(format, &gl.features).internal;
        let (w, h) = (
            self.desc.width.max(1) as i32,
            self.desc.height.max(1) as i32,
        );
        // SAFETY: GL rules 1 and 2. A renderbuffer binding is used by nothing else between verbs.
        unsafe {
            let Ok(name) = gl.create_renderbuffer() else {
                return SurfaceImage::None;
            };
            gl.bind_renderbuffer(glow::RENDERBUFFER, Some(name));
            let samples = if self.desc.samples > 1 {
                self.desc.samples as i32
            } else {
                0
            };
            gl.renderbuffer_storage_multisample(glow::RENDERBUFFER, samples, internal, w, h);
            SurfaceImage::Renderbuffer(name)
        }
    }
}
