//! Framebuffer objects and renderbuffers: attachments, draw and read buffers, completeness. Whether a driver can draw to them is not asked here.

use pipe::{Format, FramebufferId, MAX_COLOR_ATTACHMENTS, RenderbufferId, TextureId};

/// What is attached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Image {
    #[default]
    None,
    Texture {
        texture: TextureId,
        level: u32,
        /// First layer, face or slice.
        layer: u32,
        layered: bool,
    },
    Renderbuffer(RenderbufferId),
}

/// A framebuffer object.
#[derive(Debug)]
pub struct Framebuffer {
    pub id: FramebufferId,
    /// 0: the default framebuffer.
    pub name: u32,
    pub color: [Image; MAX_COLOR_ATTACHMENTS],
    pub depth: Image,
    pub stencil: Image,
    /// Per fragment output: attachment index, or `None` for GL_NONE. Default framebuffer: index 0 is the back buffer.
    pub draw_buffers: [Option<u8>; MAX_COLOR_ATTACHMENTS],
    /// As the application set them, GL's values: for queries.
    pub draw_buffer_enums: [u32; MAX_COLOR_ATTACHMENTS],
    /// Attachment index, or `None` for GL_NONE.
    pub read_buffer: Option<u8>,
    pub read_buffer_enum: u32,
    /// GL_FRAMEBUFFER_DEFAULT_* of ARB_framebuffer_no_attachments.
    pub default_width: u32,
    pub default_height: u32,
    pub default_layers: u32,
    pub default_samples: u32,
    pub default_fixed_sample_locations: bool,
    /// Moves with every change of this object.
    pub version: u64,
    /// Was bound once: glIsFramebuffer.
    pub exists: bool,
    pub label: Option<String>,
}

impl Framebuffer {
    /// Initial state of an application's object (GL 4.6 table 23.24): draws to and reads from attachment 0.
    pub fn new(id: FramebufferId, name: u32) -> Self {
        let mut draw_buffers = [None; MAX_COLOR_ATTACHMENTS];
        draw_buffers[0] = Some(0);
        let mut draw_buffer_enums = [0; MAX_COLOR_ATTACHMENTS];
        draw_buffer_enums[0] = 0x8CE0; // GL_COLOR_ATTACHMENT0
        Self {
            id,
            name,
            color: [Image::None; MAX_COLOR_ATTACHMENTS],
            depth: Image::None,
            stencil: Image::None,
            draw_buffers,
            draw_buffer_enums,
            read_buffer: Some(0),
            read_buffer_enum: 0x8CE0,
            default_width: 0,
            default_height: 0,
            default_layers: 0,
            default_samples: 0,
            default_fixed_sample_locations: false,
            version: 1,
            exists: false,
            label: None,
        }
    }

    /// The default framebuffer: draws to and reads from the back buffer (pbuffers are treated alike, GL 4.6 §17.4.1).
    pub fn default_framebuffer() -> Self {
        let mut fb = Self::new(FramebufferId::DEFAULT, 0);
        fb.draw_buffer_enums[0] = 0x0405; // GL_BACK
        fb.read_buffer_enum = 0x0405;
        fb.exists = true;
        fb
    }
}

/// A renderbuffer.
#[derive(Debug)]
pub struct Renderbuffer {
    pub id: RenderbufferId,
    pub name: u32,
    /// As requested: GL_RENDERBUFFER_INTERNAL_FORMAT.
    pub internal_format: u32,
    pub format: Format,
    pub width: u32,
    pub height: u32,
    pub samples: u32,
    /// Name and attachments.
    pub refs: u32,
    /// Moves with new storage.
    pub serial: u64,
    pub label: Option<String>,
    pub lifetime: u64,
}

/// The drawables that are current with a context: what the default framebuffer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawable {
    pub surface: pipe::SurfaceId,
    pub width: u32,
    pub height: u32,
    pub color: Format,
    pub depth_stencil: Format,
    pub samples: u32,
    pub double_buffered: bool,
}
