//! Framebuffer objects and renderbuffers: attachments, draw and read buffers, completeness. Whether a driver can draw to them is not asked here.

use crate::bump::{Site, bump};
use crate::context::{Context, LocalIndex, Objects};
use crate::emission::Emission;
use crate::framebuffer_status::FramebufferFacts;
use crate::generations::ObjectGenerations;
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
    /// Remembered completeness, by the versions that it depends on.
    pub(crate) facts: std::cell::Cell<([u64; 3], FramebufferFacts)>,
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
            facts: std::cell::Cell::default(),
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

/// Where an image is attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttachmentPoint {
    Color(u8),
    Depth,
    Stencil,
    DepthStencil,
}

/// Which binding of framebuffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FramebufferBinding {
    Draw,
    Read,
    Both,
}

/// GL_FRAMEBUFFER_DEFAULT_* (GL 4.6 §9.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FramebufferDefault {
    Width(u32),
    Height(u32),
    Layers(u32),
    Samples(u32),
    FixedSampleLocations(bool),
}

impl Framebuffer {
    /// What is attached at a point; of a depth and stencil pair, the depth image.
    pub fn attachment(&self, point: AttachmentPoint) -> Image {
        match point {
            AttachmentPoint::Color(index) => self.color[usize::from(index)],
            AttachmentPoint::Depth | AttachmentPoint::DepthStencil => self.depth,
            AttachmentPoint::Stencil => self.stencil,
        }
    }

    /// Every attachment point with an image, colours first.
    pub fn images(&self) -> impl Iterator<Item = (AttachmentPoint, Image)> + '_ {
        let colors = self.color.iter().enumerate();
        colors
            .map(|(i, image)| (AttachmentPoint::Color(i as u8), *image))
            .chain([
                (AttachmentPoint::Depth, self.depth),
                (AttachmentPoint::Stencil, self.stencil),
            ])
            .filter(|(_, image)| *image != Image::None)
    }

    fn replace(slot: &mut Image, image: Image, objects: &mut Objects, emission: &mut Emission) {
        image.retain(objects);
        std::mem::replace(slot, image).release(objects, emission);
    }
}

impl Image {
    fn retain(self, objects: &mut Objects) {
        match self {
            Self::None => {}
            Self::Texture { texture, .. } => {
                objects.retain_texture(texture);
                objects.note_render_target(texture);
            }
            Self::Renderbuffer(id) => objects.retain_renderbuffer(id),
        }
    }

    fn release(self, objects: &mut Objects, emission: &mut Emission) {
        match self {
            Self::None => {}
            Self::Texture { texture, .. } => objects.release_texture(texture, emission),
            Self::Renderbuffer(id) => objects.release_renderbuffer(id, emission),
        }
    }
}

impl Renderbuffer {
    /// A renderbuffer without storage; the name counts as one reference.
    pub fn new(id: RenderbufferId, name: u32, lifetime: u64) -> Self {
        Self {
            id,
            name,
            internal_format: 0x1908, // GL_RGBA, GL 4.6 table 23.27
            format: Format::None,
            width: 0,
            height: 0,
            samples: 0,
            refs: 1,
            serial: 1,
            label: None,
            lifetime,
        }
    }

    /// New storage; contents are undefined.
    pub fn set_storage(
        &mut self,
        internal_format: u32,
        format: Format,
        width: u32,
        height: u32,
        samples: u32,
        emission: &mut Emission,
        generations: &mut ObjectGenerations,
    ) {
        self.internal_format = internal_format;
        self.format = format;
        (self.width, self.height, self.samples) = (width, height, samples);
        bump!("framebuffer::set_storage", self.serial);
        bump!(
            "framebuffer::set_storage",
            generations.any_renderbuffer_change
        );
        emission.mark_renderbuffer_storage(self.id);
    }
}

/// The two bumps of a change to a framebuffer.
#[derive(Clone, Copy)]
struct Sites {
    version: Site,
    any_framebuffer_attachment: Site,
}

macro_rules! sites {
    ($mutator:literal) => {{
        const SITES: Sites = Sites {
            version: Site::of($mutator, "version"),
            any_framebuffer_attachment: Site::of($mutator, "any_framebuffer_attachment"),
        };
        SITES
    }};
}

impl Context {
    /// The framebuffer of a binding; of both, the draw one.
    pub fn framebuffer_index(&self, binding: FramebufferBinding) -> LocalIndex {
        match binding {
            FramebufferBinding::Draw | FramebufferBinding::Both => self.framebuffers.draw,
            FramebufferBinding::Read => self.framebuffers.read,
        }
    }

    /// A framebuffer by index.
    pub fn framebuffer(&self, index: LocalIndex) -> &Framebuffer {
        self.framebuffers.objects[index as usize]
            .as_ref()
            .expect("a bound framebuffer exists")
    }

    fn changed_framebuffer(&mut self, index: LocalIndex, by: Sites) -> &mut Framebuffer {
        self.generations.any_framebuffer_attachment += by.any_framebuffer_attachment.step();
        let framebuffer = self.framebuffers.objects[index as usize]
            .as_mut()
            .expect("a bound framebuffer exists");
        framebuffer.version += by.version.step();
        framebuffer
    }

    /// Gives a name a framebuffer in its initial state.
    pub fn create_framebuffer(&mut self, name: u32, id: FramebufferId) -> LocalIndex {
        let index = self.framebuffers.free.pop().map_or_else(
            || {
                self.framebuffers.objects.push(None);
                self.framebuffers.objects.len() - 1
            },
            |index| index as usize,
        );
        self.framebuffers.objects[index] = Some(Framebuffer::new(id, name));
        self.framebuffers.names.assign(name, index as LocalIndex);
        index as LocalIndex
    }

    /// Frees a name and the framebuffer that it names; where it was bound the default one is now (GL 4.6 §9.2).
    pub fn delete_framebuffer(
        &mut self,
        name: u32,
        objects: &mut Objects,
        emission: &mut Emission,
    ) {
        let Some(index) = self.framebuffers.names.remove(name) else {
            return;
        };
        if self.framebuffers.draw == index {
            self.bind_framebuffer(FramebufferBinding::Draw, 0);
        }
        if self.framebuffers.read == index {
            self.bind_framebuffer(FramebufferBinding::Read, 0);
        }
        self.framebuffers.free.push(index);
        if let Some(framebuffer) = self.framebuffers.objects[index as usize].take() {
            for (_, image) in framebuffer.images() {
                image.release(objects, emission);
            }
            objects.framebuffers.release(framebuffer.id);
        }
    }

    /// Binds a framebuffer.
    pub fn bind_framebuffer(&mut self, binding: FramebufferBinding, index: LocalIndex) {
        let bound = &mut self.framebuffers;
        let before = (bound.draw, bound.read);
        match binding {
            FramebufferBinding::Draw => bound.draw = index,
            FramebufferBinding::Read => bound.read = index,
            FramebufferBinding::Both => (bound.draw, bound.read) = (index, index),
        }
        if (bound.draw, bound.read) != before {
            bump!(
                "framebuffer::bind_framebuffer",
                self.generations.any_framebuffer_attachment
            );
        }
        if let Some(framebuffer) = &mut self.framebuffers.objects[index as usize] {
            framebuffer.exists = true;
        }
    }

    /// Binds a renderbuffer. Binding matters to commands only: nothing moves.
    pub fn bind_renderbuffer(
        &mut self,
        id: RenderbufferId,
        objects: &mut Objects,
        emission: &mut Emission,
    ) {
        objects.retain_renderbuffer(id);
        let before = std::mem::replace(&mut self.framebuffers.renderbuffer, id);
        objects.release_renderbuffer(before, emission);
    }

    /// Attaches an image, or detaches with [`Image::None`].
    pub fn attach(
        &mut self,
        index: LocalIndex,
        point: AttachmentPoint,
        image: Image,
        objects: &mut Objects,
        emission: &mut Emission,
    ) {
        let fb = self.framebuffer(index);
        let same = match point {
            AttachmentPoint::DepthStencil => fb.depth == image && fb.stencil == image,
            AttachmentPoint::Color(_) | AttachmentPoint::Depth | AttachmentPoint::Stencil => {
                fb.attachment(point) == image
            }
        };
        if same {
            return;
        }
        let fb = self.changed_framebuffer(index, sites!("framebuffer::attach"));
        let mut put = |slot: &mut Image| Framebuffer::replace(slot, image, objects, emission);
        match point {
            AttachmentPoint::Color(i) => put(&mut fb.color[usize::from(i)]),
            AttachmentPoint::Depth => put(&mut fb.depth),
            AttachmentPoint::Stencil => put(&mut fb.stencil),
            AttachmentPoint::DepthStencil => {
                put(&mut fb.depth);
                put(&mut fb.stencil);
            }
        }
    }

    /// Sets draw buffers: per output the attachment, and GL's own value.
    pub fn set_draw_buffers(
        &mut self,
        index: LocalIndex,
        buffers: [Option<u8>; MAX_COLOR_ATTACHMENTS],
        enums: [u32; MAX_COLOR_ATTACHMENTS],
    ) {
        let fb = self.framebuffer(index);
        if fb.draw_buffers != buffers || fb.draw_buffer_enums != enums {
            let fb = self.changed_framebuffer(index, sites!("framebuffer::set_draw_buffers"));
            (fb.draw_buffers, fb.draw_buffer_enums) = (buffers, enums);
        }
    }

    /// Sets the read buffer.
    pub fn set_read_buffer(&mut self, index: LocalIndex, buffer: Option<u8>, value: u32) {
        let fb = self.framebuffer(index);
        if fb.read_buffer != buffer || fb.read_buffer_enum != value {
            let fb = self.changed_framebuffer(index, sites!("framebuffer::set_read_buffer"));
            (fb.read_buffer, fb.read_buffer_enum) = (buffer, value);
        }
    }

    /// Sets a parameter of a framebuffer without attachments.
    pub fn set_default(&mut self, index: LocalIndex, value: FramebufferDefault) {
        let fb = self.changed_framebuffer(index, sites!("framebuffer::set_default"));
        match value {
            FramebufferDefault::Width(v) => fb.default_width = v,
            FramebufferDefault::Height(v) => fb.default_height = v,
            FramebufferDefault::Layers(v) => fb.default_layers = v,
            FramebufferDefault::Samples(v) => fb.default_samples = v,
            FramebufferDefault::FixedSampleLocations(v) => fb.default_fixed_sample_locations = v,
        }
    }

    /// An object is deleted: the bound framebuffers let go of its images; others keep them (GL 4.6 §9.2.8 and §5.1.2).
    pub fn detach_everywhere(
        &mut self,
        dead: impl Fn(Image) -> bool,
        objects: &mut Objects,
        emission: &mut Emission,
    ) {
        for index in [self.framebuffers.draw, self.framebuffers.read] {
            let gone: Vec<AttachmentPoint> = self
                .framebuffer(index)
                .images()
                .filter(|(_, image)| dead(*image))
                .map(|(point, _)| point)
                .collect();
            for point in gone {
                self.attach(index, point, Image::None, objects, emission);
            }
        }
    }
}
