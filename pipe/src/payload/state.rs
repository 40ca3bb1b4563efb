//! State that is set, not created (gallium's "non-CSO state"). Each call replaces what it names, whole.

use super::record;
use crate::formats::Format;
use crate::handle::{
    BufferId, FramebufferId, ResourceRef, SamplerViewId, ShaderId, StreamOutputId, TextureId,
};
use crate::host::HostSpan;
use crate::pixels::PixelStore;
use zerocopy::{Immutable, IntoBytes, KnownLayout, TryFromBytes};

/// Colour attachments and draw buffers.
pub const MAX_COLOR_ATTACHMENTS: usize = 8;
/// Texture units, merged over all stages (GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS as advertised).
pub const MAX_TEXTURE_UNITS: usize = 192;
/// Image units.
pub const MAX_IMAGE_UNITS: usize = 32;
/// Indexed binding points per class of buffer.
pub const MAX_BUFFER_BINDINGS: usize = 84;
/// Transform feedback buffers.
pub const MAX_STREAM_OUTPUTS: usize = 4;

/// Where a surface's pixels live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, TryFromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(u8)]
pub enum SurfaceKind {
    None = 0,
    Texture = 1,
    Renderbuffer = 2,
    /// The buffer of this role of the draw (or read) surface that is current.
    Default = 3,
}

record! {
    /// Dynamic chunks of the render state that changed, gathered in the blob.
    pub struct DynamicState {
        pub chunk_mask: u32,
        pub version: u16,
        pub _pad: u16,
    }

    /// One attachment (`pipe_surface`); its format stands beside it, so that masks need no look-up.
    pub struct Surface {
        pub resource: ResourceRef,
        pub format: Format,
        pub level: u16,
        /// First layer, face or slice.
        pub layer: u32,
        pub kind: SurfaceKind,
        /// 1: all layers are attached.
        pub layered: u8,
        /// Array layers of the attachment when layered, else 1.
        pub layers: u16,
    }

    /// Resolved surfaces that reads take from: the read buffer's colour, depth and stencil.
    pub struct ReadSurfaces {
        pub color: Surface,
        pub depth: Surface,
        pub stencil: Surface,
        pub width: u32,
        pub height: u32,
        pub samples: u16,
        pub is_default: u8,
        pub complete: u8,
    }

    /// Draw framebuffer and what reads resolve to.
    pub struct FramebufferState {
        /// [`FramebufferId::DEFAULT`] for the default framebuffer.
        pub id: FramebufferId,
        pub color: [Surface; MAX_COLOR_ATTACHMENTS],
        pub depth: Surface,
        pub stencil: Surface,
        /// Per fragment output: index into `color`, or -1 for GL_NONE.
        pub draw_buffers: [i8; MAX_COLOR_ATTACHMENTS],
        pub width: u32,
        pub height: u32,
        pub layers: u16,
        pub samples: u16,
        pub fixed_sample_locations: u8,
        pub is_default: u8,
        /// 1: complete for drawing. Verbs that draw are not sent otherwise.
        pub complete: u8,
        pub _pad: u8,
        pub read: ReadSurfaces,
        pub _pad1: u32,
        /// xxh3 of all above: the client's suppressor, the executing side's memo key.
        pub content_hash: u64,
    }

    /// Start and count of a tail that replaces a range of slots.
    pub struct SlotRange {
        pub start: u32,
        pub count: u32,
    }

    /// A vertex buffer binding point's buffer. Client arrays: null buffer and a span.
    pub struct VertexBuffer {
        pub buffer: BufferId,
        pub offset_bytes: u64,
        pub user: HostSpan,
    }

    /// The element array buffer, or null.
    pub struct IndexBuffer {
        pub buffer: BufferId,
    }

    /// Sources of indirect commands, or null.
    pub struct IndirectBuffers {
        pub draw: BufferId,
        pub dispatch: BufferId,
        pub parameter: BufferId,
    }

    /// What a texture unit's sampler reads: resolved by the client (type of the sampler, completeness).
    /// Null view: the unit samples as an incomplete texture, (0, 0, 0, 1).
    pub struct BoundView {
        pub view: SamplerViewId,
        pub texture: TextureId,
    }

    /// An image unit's binding (GL 4.6 §8.26).
    pub struct ImageView {
        pub texture: TextureId,
        pub format: Format,
        pub level: u16,
        pub layer: u32,
        /// GL_READ_ONLY, GL_WRITE_ONLY, GL_READ_WRITE.
        pub access: u16,
        pub layered: u16,
        pub _pad: u32,
    }

    /// Head of `set_shader_buffers`.
    pub struct ShaderBuffers {
        pub class: BufferClass,
        pub _pad: [u8; 3],
        pub start: u32,
        pub count: u32,
        /// Bit n: binding `start + n` may be written (first 32).
        pub writable_mask: u32,
    }

    /// A range of a buffer; `size_bytes` may be [`super::WHOLE`].
    pub struct BufferRange {
        pub buffer: BufferId,
        pub offset_bytes: u64,
        pub size_bytes: u64,
        /// Uniform class, where caps ask for it: the bytes themselves.
        pub host: HostSpan,
    }

    /// Head of `set_stream_output_targets`.
    pub struct StreamOutputTargets {
        pub id: StreamOutputId,
        pub count: u32,
        pub _pad: u32,
        pub generation: u64,
    }

    /// Default uniform block of a program; the blob is the whole block.
    pub struct GlobalConstants {
        pub shader: ShaderId,
        pub version: u32,
        pub _pad: u32,
    }

    /// Head of `set_vertex_attrib_defaults`: bit n of `mask` has one value in the tail, ascending.
    pub struct AttribDefaults {
        pub mask: u32,
    }

    /// A current attribute value: bits of float, i32 or u32 as `kind` says (0, 1, 2).
    pub struct AttribValue {
        pub bits: [u32; 4],
        pub kind: u32,
    }

    /// Pack parameters; there is no unpack counterpart (unpacking is the client's).
    pub struct PixelPack {
        pub store: PixelStore,
    }

    /// Tessellation defaults.
    pub struct PatchState {
        pub vertices: u32,
        pub outer: [f32; 4],
        pub inner: [f32; 2],
    }

    /// Temporary: value groups whose own bit is off; the blob is `residual_block`'s serialisation.
    pub struct ResidualValueState {
        /// Residual rows present in the blob.
        pub rows: u32,
    }

    /// What the application changed about a linked program since: units of its samplers and images, binding points of its
    /// blocks. Appended: these move with glUniform1i and glUniformBlockBinding, a program's archive does not.
    pub struct ProgramBindings {
        pub shader: ShaderId,
        pub version: u32,
        pub _pad: u32,
    }

    /// One entry of the tail of `set_program_bindings`.
    pub struct ProgramBinding {
        /// Descriptor binding in the archive.
        pub binding: u16,
        /// Array element of the descriptor.
        pub element: u16,
        /// Texture unit, image unit or buffer binding point.
        pub slot: u32,
    }

    /// Following commands belong to this context. Appended: one command stream carries several contexts.
    pub struct BindContext {
        pub context: crate::handle::ContextId,
        pub draw: crate::handle::SurfaceId,
        pub read: crate::handle::SurfaceId,
    }
}

/// Class of an indexed buffer binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, TryFromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(u8)]
pub enum BufferClass {
    Uniform = 0,
    ShaderStorage = 1,
    AtomicCounter = 2,
}

impl Surface {
    /// No attachment.
    pub const NONE: Self = Self {
        resource: ResourceRef::NULL,
        format: Format::None,
        level: 0,
        layer: 0,
        kind: SurfaceKind::None,
        layered: 0,
        layers: 1,
    };
}

impl ReadSurfaces {
    /// Nothing to read from.
    pub const NONE: Self = Self {
        color: Surface::NONE,
        depth: Surface::NONE,
        stencil: Surface::NONE,
        width: 0,
        height: 0,
        samples: 0,
        is_default: 0,
        complete: 0,
    };
}

impl FramebufferState {
    /// No attachments, incomplete.
    pub const NONE: Self = Self {
        id: FramebufferId::NULL,
        color: [Surface::NONE; MAX_COLOR_ATTACHMENTS],
        depth: Surface::NONE,
        stencil: Surface::NONE,
        draw_buffers: [-1; MAX_COLOR_ATTACHMENTS],
        width: 0,
        height: 0,
        layers: 0,
        samples: 0,
        fixed_sample_locations: 0,
        is_default: 0,
        complete: 0,
        _pad: 0,
        read: ReadSurfaces::NONE,
        _pad1: 0,
        content_hash: 0,
    };

    /// This state with `content_hash` computed: xxh3 of all that precedes it.
    #[must_use]
    pub fn hashed(mut self) -> Self {
        self.content_hash = 0;
        let bytes = self.as_bytes();
        self.content_hash = xxhash_rust::xxh3::xxh3_64(&bytes[..bytes.len() - 8]);
        self
    }
}
