//! Capabilities: what the executing side can do, one snapshot per (re)initialisation. The absence of a call is never read as a capability.

use crate::formats::Format;

bitflags::bitflags! {
    /// Abilities that change what the client does.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Ability: u32 {
        /// Several viewports natively.
        const VIEWPORT_ARRAY = 1 << 0;
        /// 64-bit vertex attributes natively.
        const FLOAT64_VERTEX_ATTRIB = 1 << 1;
        /// `buffer_subdata_resident` may be called.
        const RESIDENT_SUBDATA = 1 << 2;
        /// The client counts captured primitives.
        const CPU_XFB_ACCOUNTING = 1 << 3;
        const TIMER_QUERY = 1 << 4;
        /// Whether any sample passed.
        const OCCLUSION_QUERY = 1 << 5;
        const XFB_PRIMITIVES_QUERY = 1 << 6;
        /// Index bytes are needed on the host (restart rewriting, multi-draw): mirror element array buffers.
        const NEEDS_HOST_INDEX_BYTES = 1 << 7;
        /// Uniform ranges must carry their bytes.
        const NEEDS_HOST_UBO_BYTES = 1 << 8;
        /// The driver orders captures itself.
        const DRIVER_ORDERED_XFB_CAPTURE = 1 << 9;
        /// `map_persistent` may be called.
        const MAP_PERSISTENT = 1 << 10;
        /// How many samples passed.
        const OCCLUSION_COUNT = 1 << 11;
        /// Resources with `view_of` (glTextureView).
        const TEXTURE_VIEW = 1 << 12;
        /// Shaders and vertex fetches that leave a buffer read zeros or other bytes of it, and write nothing outside.
        const ROBUST_ACCESS = 1 << 13;
    }
}

/// Limits, named as in GL 4.6 tables 23.53 to 23.72; values of the device, clamped by the frontend to what it can keep.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Limits {
    pub max_texture_size: u32,
    pub max_3d_texture_size: u32,
    pub max_cube_map_texture_size: u32,
    pub max_array_texture_layers: u32,
    pub max_texture_buffer_size: u32,
    pub max_renderbuffer_size: u32,
    pub max_viewport_dims: [u32; 2],
    pub max_color_attachments: u32,
    pub max_draw_buffers: u32,
    pub max_dual_source_draw_buffers: u32,
    pub max_samples: u32,
    /// Bit log2(n): images can have n samples. Bit 0 (one sample) says nothing.
    pub sample_counts: u32,
    pub max_vertex_uniform_blocks: u32,
    pub max_fragment_uniform_blocks: u32,
    pub max_combined_uniform_blocks: u32,
    pub max_uniform_buffer_bindings: u32,
    pub max_uniform_block_size: u32,
    pub uniform_buffer_offset_alignment: u32,
    pub shader_storage_buffer_offset_alignment: u32,
    pub texture_buffer_offset_alignment: u32,
    pub max_vertex_texture_image_units: u32,
    pub max_texture_image_units: u32,
    pub max_combined_texture_image_units: u32,
    pub max_varying_vectors: u32,
    pub max_texture_lod_bias: f32,
    pub max_texture_max_anisotropy: f32,
    pub aliased_line_width_range: [f32; 2],
    pub point_size_range: [f32; 2],
    pub point_size_granularity: f32,
    pub subpixel_bits: u32,
    pub max_elements_vertices: u32,
    pub max_elements_indices: u32,
    pub max_clip_distances: u32,
    pub timestamp_bits: u32,
}

bitflags::bitflags! {
    /// What a format can be used for on the device.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct FormatUse: u16 {
        const SAMPLE = 1 << 0;
        const FILTER = 1 << 1;
        const RENDER = 1 << 2;
        const BLEND = 1 << 3;
        const IMAGE = 1 << 4;
        const MULTISAMPLE = 1 << 5;
        /// Served by another format of the device (widened, decoded): named in the backend's `conv`.
        const EMULATED = 1 << 6;
    }
}

/// The snapshot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Caps {
    /// "gles", "vulkan", "null".
    pub backend: &'static str,
    /// The device's own name, for GL_RENDERER.
    pub device: String,
    /// The driver's version text.
    pub driver: String,
    pub limits: Limits,
    pub abilities: Ability,
    /// Bit n: the call with opcode n may be sent.
    pub calls: u128,
    /// By [`Format`] discriminant.
    pub formats: Vec<FormatUse>,
    /// What the device lacks and what is lost by it: said by `mobilegl doctor`.
    pub missing: Vec<(String, String)>,
}

impl Caps {
    /// What `format` can be used for.
    pub fn format(&self, format: Format) -> FormatUse {
        self.formats
            .get(format as usize)
            .copied()
            .unwrap_or_default()
    }
}
