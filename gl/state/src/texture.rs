//! Textures: levels with the client's copy of their texels, parameters, views, completeness. It never decides how a driver stores them.

use pipe::{BufferId, Format, Target, TextureId};

/// One image: a face or the whole of a level (layers and slices within).
#[derive(Clone, Debug, Default)]
pub struct LevelImage {
    /// As requested: GL_TEXTURE_INTERNAL_FORMAT.
    pub internal_format: u32,
    pub format: Format,
    pub width: u32,
    pub height: u32,
    /// Slices or layers; 1 for 2D.
    pub depth: u32,
    /// Canonical storage of `format`, tight rows; empty where the client has no bytes (GPU made them, or never defined).
    pub texels: Vec<u8>,
    /// The bytes that glCompressedTex(Sub)Image gave, in the format's own blocks; empty where texels came another way since.
    pub encoded: Vec<u8>,
    /// The GPU made or changed the contents since: the copy is not the truth.
    pub gpu_written: bool,
}

/// Sampler parameters of a texture or a sampler object (GL 4.6 table 23.18).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplerParams {
    pub wrap: [u16; 3],
    pub min_filter: u16,
    pub mag_filter: u16,
    pub compare_mode: u16,
    pub compare_func: u16,
    pub seamless: bool,
    pub min_lod: f32,
    pub max_lod: f32,
    pub lod_bias: f32,
    pub max_anisotropy: f32,
    pub border_color: [u32; 4],
    /// 0 float, 1 signed, 2 unsigned.
    pub border_form: u32,
}

impl SamplerParams {
    /// Initial values; rectangle textures clamp and do not mipmap (GL 4.6 §8.22).
    pub fn new(target: Target) -> Self {
        let rectangle = target == Target::TextureRectangle;
        Self {
            wrap: [if rectangle { 0x812F } else { 0x2901 }; 3], // GL_CLAMP_TO_EDGE, GL_REPEAT
            min_filter: if rectangle { 0x2601 } else { 0x2702 }, // GL_LINEAR, GL_NEAREST_MIPMAP_LINEAR
            mag_filter: 0x2601,
            compare_mode: 0,
            compare_func: 0x0203, // GL_LEQUAL
            seamless: false,
            min_lod: -1000.0,
            max_lod: 1000.0,
            lod_bias: 0.0,
            max_anisotropy: 1.0,
            border_color: [0; 4],
            border_form: 0,
        }
    }
}

/// Levels a texture can have (GL_MAX_TEXTURE_SIZE 32768 at most).
pub const MAX_LEVELS: usize = 16;

/// A texture object.
#[derive(Debug)]
pub struct Texture {
    pub id: TextureId,
    pub name: u32,
    /// Fixed by the first bind.
    pub target: Target,
    /// By level, then face (6 for cube maps, else 1).
    pub levels: Vec<Vec<LevelImage>>,
    /// Levels of immutable storage, of a view those that it shows; 0: mutable.
    pub immutable_levels: u32,
    /// GL_TEXTURE_IMMUTABLE_LEVELS: of a view, the levels of the storage (GL 4.6 §8.18).
    pub storage_levels: u32,
    pub base_level: u32,
    pub max_level: u32,
    /// GL_RED ... GL_ONE.
    pub swizzle: [u16; 4],
    pub depth_stencil_mode: u16,
    pub sampler: SamplerParams,
    pub samples: u32,
    pub fixed_sample_locations: bool,
    /// glTextureView: whose storage this shows; null for an owner.
    pub view_of: TextureId,
    pub view_min_level: u32,
    pub view_min_layer: u32,
    /// glTexBuffer.
    pub buffer: BufferId,
    pub buffer_offset_bytes: u64,
    /// [`pipe::WHOLE`]: follows the buffer.
    pub buffer_size_bytes: u64,
    /// Was bound to an image unit.
    pub image_bound: bool,
    /// Was attached to a framebuffer.
    pub render_target: bool,
    /// Moves with storage (shape) changes.
    pub shape_serial: u64,
    /// Moves with texels.
    pub content_serial: u64,
    /// Moves with parameters (sampler state and per-texture state).
    pub params_serial: u64,
    /// Name, bindings, attachments, views.
    pub refs: u32,
    pub label: Option<String>,
    pub lifetime: u64,
}

impl Texture {
    /// A texture without images.
    pub fn new(id: TextureId, name: u32, target: Target, lifetime: u64) -> Self {
        Self {
            id,
            name,
            target,
            levels: Vec::new(),
            immutable_levels: 0,
            storage_levels: 0,
            base_level: 0,
            max_level: 1000,
            swizzle: [0x1903, 0x1904, 0x1905, 0x1906],
            depth_stencil_mode: 0x1902,
            sampler: SamplerParams::new(target),
            samples: 0,
            fixed_sample_locations: true,
            view_of: TextureId::NULL,
            view_min_level: 0,
            view_min_layer: 0,
            buffer: BufferId::NULL,
            buffer_offset_bytes: 0,
            buffer_size_bytes: pipe::WHOLE,
            image_bound: false,
            render_target: false,
            shape_serial: 1,
            content_serial: 1,
            params_serial: 1,
            refs: 1,
            label: None,
            lifetime,
        }
    }

    /// Faces per level: 6 for cube maps, else 1.
    pub fn faces(&self) -> usize {
        if self.target == Target::TextureCube {
            6
        } else {
            1
        }
    }
}
