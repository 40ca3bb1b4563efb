//! Resources: their description, their contents, copies. A description never says how a driver stores it.

use super::record;
use crate::formats::Format;
use crate::handle::{BufferId, ResourceRef, TextureId};
use zerocopy::{Immutable, IntoBytes, KnownLayout, TryFromBytes};

/// What a resource is (`pipe_texture_target`). Renderbuffers are their own class: they have no sampler state and no levels.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, TryFromBytes, IntoBytes, Immutable, KnownLayout,
)]
#[repr(u8)]
pub enum Target {
    Buffer = 0,
    Texture1D = 1,
    Texture2D = 2,
    Texture3D = 3,
    TextureCube = 4,
    TextureRectangle = 5,
    Texture1DArray = 6,
    Texture2DArray = 7,
    TextureCubeArray = 8,
    TextureBuffer = 9,
    Texture2DMultisample = 10,
    Texture2DMultisampleArray = 11,
    Renderbuffer = 12,
}

impl Target {
    /// The targets of texture objects.
    pub const TEXTURES: [Self; 11] = [
        Self::Texture1D,
        Self::Texture2D,
        Self::Texture3D,
        Self::TextureCube,
        Self::TextureRectangle,
        Self::Texture1DArray,
        Self::Texture2DArray,
        Self::TextureCubeArray,
        Self::TextureBuffer,
        Self::Texture2DMultisample,
        Self::Texture2DMultisampleArray,
    ];

    /// The target that a sampler uniform of this GL type reads (GL 4.6 table 7.3); `None` for what is no sampler.
    pub fn of_sampler(gl_type: u32) -> Option<Self> {
        Some(match gl_type {
            0x8B5D | 0x8B61 | 0x8DC9 | 0x8DD1 => Self::Texture1D,
            0x8B5E | 0x8B62 | 0x8DCA | 0x8DD2 => Self::Texture2D,
            0x8B5F | 0x8DCB | 0x8DD3 => Self::Texture3D,
            0x8B60 | 0x8DC5 | 0x8DCC | 0x8DD4 => Self::TextureCube,
            0x8B63 | 0x8B64 | 0x8DCD | 0x8DD5 => Self::TextureRectangle,
            0x8DC0 | 0x8DC3 | 0x8DCE | 0x8DD6 => Self::Texture1DArray,
            0x8DC1 | 0x8DC4 | 0x8DCF | 0x8DD7 => Self::Texture2DArray,
            0x900C..=0x900F => Self::TextureCubeArray,
            0x8DC2 | 0x8DD0 | 0x8DD8 => Self::TextureBuffer,
            0x9108..=0x910A => Self::Texture2DMultisample,
            0x910B..=0x910D => Self::Texture2DMultisampleArray,
            _ => return None,
        })
    }

    /// Whether textures of this target have sampler state (GL 4.6 §8.19 buffer textures and §8.8 multisample textures have none).
    pub const fn has_sampler_state(self) -> bool {
        !matches!(
            self,
            Self::Buffer
                | Self::TextureBuffer
                | Self::Texture2DMultisample
                | Self::Texture2DMultisampleArray
                | Self::Renderbuffer
        )
    }
}

bitflags::bitflags! {
    /// What a resource was used as so far; grows with use (`pipe_resource::bind`).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Bind: u32 {
        const VERTEX = 1 << 0;
        /// Was bound as GL_ELEMENT_ARRAY_BUFFER: the executing side keeps a host mirror if it needs index bytes.
        const ELEMENT_ARRAY = 1 << 1;
        const UNIFORM = 1 << 2;
        const SHADER_STORAGE = 1 << 3;
        const ATOMIC = 1 << 4;
        const INDIRECT = 1 << 5;
        const STREAM_OUTPUT = 1 << 6;
        const PIXEL_PACK = 1 << 7;
        const PIXEL_UNPACK = 1 << 8;
        const TEXTURE_BUFFER = 1 << 9;
        const COPY = 1 << 10;
        const QUERY = 1 << 11;
        const SAMPLER = 1 << 12;
        const SHADER_IMAGE = 1 << 13;
        const RENDER_TARGET = 1 << 14;
        const DEPTH_STENCIL = 1 << 15;
    }

    /// Facts about a resource that are neither extent nor use.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ResourceFlags: u32 {
        /// glTexStorage / glBufferStorage.
        const IMMUTABLE = 1 << 0;
        const FIXED_SAMPLE_LOCATIONS = 1 << 1;
        /// Unset after a respecify without data: contents are undefined until written.
        const DEFINED_CONTENT = 1 << 2;
        /// The application may be writing through a mapping right now.
        const LIVE_HOST_WRITES = 1 << 3;
        /// Was bound to an image unit: allocate so that it can be.
        const IMAGE_BINDABLE_HINT = 1 << 4;
        /// Respecify: levels whose extent and format stay keep their contents.
        const KEEP_CONTENT = 1 << 5;
    }
}

/// A size or range that follows the buffer's own size as it changes.
pub const WHOLE: u64 = u64::MAX;

record! {
    /// Description of a resource; `resource_create` and `resource_respecify` carry it whole.
    /// Guaranteed by the client: extents and levels are those of a consistent chain, the format is sized and not a request.
    pub struct ResourceDesc {
        pub resource: ResourceRef,
        pub target: Target,
        pub _pad0: u8,
        pub format: Format,
        /// Level 0, texels.
        pub width: u32,
        pub height: u32,
        pub depth: u32,
        /// Array layers; cube maps count faces (6 per cube).
        pub layers: u16,
        /// Mipmap levels that exist, from 0.
        pub levels: u16,
        /// 0: single sampled.
        pub samples: u16,
        pub _pad1: u16,
        /// [`Bind`] bits.
        pub bind: u32,
        /// [`ResourceFlags`] bits.
        pub flags: u32,
        /// GL_STATIC_DRAW and the like; 0 for textures.
        pub usage: u32,
        /// glBufferStorage flags; 0 where there are none.
        pub storage_flags: u32,
        /// Application's name: for messages only.
        pub name_for_diagnostics: u32,
        /// Buffers: size in bytes.
        pub size_bytes: u64,
        /// Texture views: whose storage this shows; null otherwise.
        pub view_of: TextureId,
        pub view_min_level: u16,
        pub view_min_layer: u16,
        pub _pad2: u32,
        /// Buffer textures: the buffer, or null.
        pub texture_buffer: BufferId,
        pub texture_buffer_offset_bytes: u64,
        /// [`WHOLE`] follows the buffer's size.
        pub texture_buffer_size_bytes: u64,
        /// Opaque lifetime id of the frontend object: key of the older, identity-keyed twins only.
        pub lifetime: u64,
    }

    /// A call that only names a resource.
    pub struct ResourceOnly {
        pub resource: ResourceRef,
    }

    /// A box of texels in one level; layers and cube faces are slices in `z`.
    pub struct Box3 {
        pub x: i32,
        pub y: i32,
        pub z: i32,
        pub width: u32,
        pub height: u32,
        pub depth: u32,
    }

    /// One region of an upload and where its rows lie in the blob.
    pub struct SubRegion {
        pub dst: Box3,
        pub src_offset_bytes: u64,
        /// 0: rows are tight.
        pub src_row_stride_bytes: u32,
        /// 0: slices are tight.
        pub src_slice_stride_bytes: u32,
    }

    /// Contents of a resource. Textures: union box **and** regions; the executing side chooses which shape it uploads.
    /// Texels are in the format's canonical storage (see [`crate::formats`]). Buffers: a byte range, no regions.
    pub struct SubData {
        pub resource: ResourceRef,
        pub level: u16,
        /// 1: the blob is an unconverted copy of the client's level, rows at level pitch.
        pub source_is_verbatim_level_shadow: u8,
        pub _pad: u8,
        pub union_box: Box3,
        pub buffer_offset_bytes: u64,
        pub buffer_size_bytes: u64,
    }

    /// Flush of an explicitly flushed mapping; the offset counts from the buffer's start.
    pub struct FlushRange {
        pub buffer: BufferId,
        pub offset_bytes: u64,
        pub size_bytes: u64,
        /// The mapping's own access bits.
        pub access: u32,
        pub _pad: u32,
    }

    /// Bytes of a buffer back to the client.
    pub struct Readback {
        pub buffer: BufferId,
        pub offset_bytes: u64,
        pub size_bytes: u64,
    }

    /// glCopyBufferSubData, glCopyImageSubData, glCopyTexSubImage (source: a resource, not the read framebuffer's binding).
    pub struct CopyRegion {
        pub src: ResourceRef,
        pub dst: ResourceRef,
        pub src_level: u16,
        pub dst_level: u16,
        pub src_box: Box3,
        pub dst_x: i32,
        pub dst_y: i32,
        pub dst_z: i32,
        /// Buffers only.
        pub src_offset_bytes: u64,
        pub dst_offset_bytes: u64,
        pub size_bytes: u64,
    }

    /// glGenerateMipmap: levels `base + 1 ..= last` are made from `base`; the client has given them storage.
    pub struct GenerateMipmap {
        pub groups: u32,
        pub texture: TextureId,
        pub base_level: u16,
        pub last_level: u16,
    }

    /// glGetTexImage and its family: one box of one level, packed with the pack state.
    pub struct GetTextureImage {
        pub groups: u32,
        pub texture: TextureId,
        pub level: u16,
        pub format: crate::pixels::PixelFormat,
        pub ty: crate::pixels::PixelType,
        pub _pad0: u16,
        pub src: Box3,
        pub _pad1: u32,
        /// Pixel pack buffer, or null: the bytes are the reply.
        pub pack_buffer: BufferId,
        pub pack_offset_bytes: u64,
    }

    /// Per-texture state: belongs to the texture, not to a view of it (a texture used only as attachment has no view).
    pub struct TextureParams {
        pub texture: TextureId,
        pub base_level: u16,
        pub max_level: u16,
        /// GL_RED.. GL_ALPHA, GL_ZERO, GL_ONE.
        pub swizzle: [u16; 4],
        /// GL_DEPTH_COMPONENT or GL_STENCIL_INDEX.
        pub depth_stencil_mode: u16,
        /// 1: apply again although nothing changed for the client.
        pub force_resync: u16,
        pub min_lod: f32,
        pub max_lod: f32,
        pub lod_bias: f32,
    }

    /// Answer to a texture pull request: no more `resource_subdata` for it follow. May come after none at all.
    pub struct SubDataComplete {
        pub texture: TextureId,
        pub pull: u32,
        pub _pad: u32,
    }

    /// `map_persistent` and its end.
    pub struct MapPersistent {
        pub buffer: BufferId,
    }

    /// No payload.
    pub struct Empty {
        pub _pad: u32,
    }
}
