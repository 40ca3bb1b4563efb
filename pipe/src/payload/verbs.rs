//! Verbs: the calls that make something happen. Each begins with the mask of groups that its source validated for it.

use super::record;
use crate::handle::BufferId;
use crate::pixels::{PixelFormat, PixelType};
use zerocopy::{Immutable, IntoBytes, KnownLayout, TryFromBytes};

/// Primitive type of a draw; GL's own numbers (GL 4.6 table 10.1).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, TryFromBytes, IntoBytes, Immutable, KnownLayout,
)]
#[repr(u8)]
pub enum Primitive {
    Points = 0,
    Lines = 1,
    LineLoop = 2,
    LineStrip = 3,
    Triangles = 4,
    TriangleStrip = 5,
    TriangleFan = 6,
    LinesAdjacency = 0xA,
    LineStripAdjacency = 0xB,
    TrianglesAdjacency = 0xC,
    TriangleStripAdjacency = 0xD,
    Patches = 0xE,
}

impl Primitive {
    /// From a GL enumeration value.
    pub fn from_gl(mode: u32) -> Option<Self> {
        Self::try_read_from_bytes(&[u8::try_from(mode).ok()?]).ok()
    }
}

bitflags::bitflags! {
    /// What a draw's tail holds and how its indices are read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct DrawFlags: u8 {
        /// Indices are in client memory: one span in the tail.
        const USER_INDICES = 1 << 0;
        /// `restart_index` cuts primitives.
        const PRIMITIVE_RESTART = 1 << 1;
        /// `min_index` and `max_index` hold.
        const INDEX_RANGE = 1 << 2;
        /// Commands come from the indirect buffer.
        const INDIRECT = 1 << 3;
        /// The command count comes from the parameter buffer.
        const INDIRECT_COUNT = 1 << 4;
        /// One vertex buffer at least is client memory.
        const USER_VERTICES = 1 << 5;
        /// Spans of vertex buffers have no end (`HostSpan::OPEN`): the executing side finds out how far the draw reads. Where the
        /// indices lie in a buffer, the tail has their bytes, one span for each range, for that alone. Not over a transport.
        const OPEN_VERTICES = 1 << 6;
    }
}

record! {
    /// Start and count of one draw (`pipe_draw_start_count_bias`).
    pub struct DrawRange {
        /// Arrays: the first vertex. Elements: offset in bytes into the index buffer.
        pub start: u64,
        pub count: u32,
        pub index_bias: i32,
    }

    /// A draw: the first range inline, further ones (multi-draw) in the tail.
    pub struct DrawInfo {
        /// Groups validated for this verb.
        pub groups: u32,
        pub mode: Primitive,
        /// 0: arrays; else bytes per index: 1, 2, 4.
        pub index_size: u8,
        /// [`DrawFlags`] bits.
        pub flags: u8,
        pub _pad: u8,
        pub instance_count: u32,
        pub start_instance: u32,
        pub first: DrawRange,
        pub restart_index: u32,
        /// Vertices that can be reached, before `index_bias`; with flag INDEX_RANGE.
        pub min_index: u32,
        pub max_index: u32,
        /// Value of gl_DrawID for `first`.
        pub draw_id: u32,
    }

    /// Commands in the indirect buffer.
    pub struct DrawIndirect {
        pub offset_bytes: u64,
        pub stride_bytes: u32,
        pub draw_count: u32,
        /// With INDIRECT_COUNT: offset of the count in the parameter buffer.
        pub count_offset_bytes: u64,
    }

    /// A compute dispatch.
    pub struct GridInfo {
        pub groups: u32,
        pub x: u32,
        pub y: u32,
        pub z: u32,
        /// Not [`super::WHOLE`]: sizes come from the dispatch buffer at this offset.
        pub indirect_offset_bytes: u64,
    }

    /// glMemoryBarrier(ByRegion).
    pub struct MemoryBarrier {
        pub groups: u32,
        /// GL_*_BARRIER_BIT.
        pub bits: u32,
        pub by_region: u32,
    }

    /// glBlitFramebuffer: from the read surfaces to the draw framebuffer. Corners, not sizes: order mirrors.
    pub struct Blit {
        pub groups: u32,
        pub src: [i32; 4],
        pub dst: [i32; 4],
        /// [`ClearMask`] bits.
        pub mask: u32,
        /// 0 nearest, 1 linear.
        pub linear: u32,
    }

    /// glClear and the glClearBuffer family.
    pub struct Clear {
        pub groups: u32,
        /// [`ClearMask`] bits; glClearBuffer sets one (or depth and stencil).
        pub mask: u32,
        /// Draw buffer index of glClearBuffer, or -1: all enabled draw buffers (glClear).
        pub draw_buffer: i32,
        /// 0 float, 1 signed, 2 unsigned: how `color` is to be read.
        pub color_kind: u32,
        pub color: [u32; 4],
        pub depth: f32,
        pub stencil: i32,
    }

    /// glReadPixels, packed with the pack state.
    pub struct ReadPixels {
        pub groups: u32,
        pub x: i32,
        pub y: i32,
        pub width: u32,
        pub height: u32,
        pub format: PixelFormat,
        pub ty: PixelType,
        /// Pixel pack buffer, or null: the bytes are the reply.
        pub pack_buffer: BufferId,
        pub pack_offset_bytes: u64,
    }

    /// glBeginTransformFeedback.
    pub struct BeginStreamOutput {
        pub groups: u32,
        pub mode: Primitive,
        pub _pad: [u8; 3],
    }

    /// glEndTransformFeedback with the client's own count.
    pub struct EndStreamOutput {
        pub groups: u32,
        pub _pad: u32,
        pub vertices: u64,
    }

    /// A verb without arguments.
    pub struct VerbOnly {
        pub groups: u32,
    }

    /// glFlush (0), glFinish (1: completion is waited for).
    pub struct Flush {
        pub groups: u32,
        pub wait: u32,
    }

    /// Swap of the draw surface.
    pub struct Present {
        pub groups: u32,
        pub _pad: u32,
        pub frame: u64,
    }

    /// eglSwapInterval of the draw surface.
    pub struct SwapInterval {
        pub interval: i32,
    }
}

bitflags::bitflags! {
    /// Buffers of a clear or blit.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ClearMask: u32 {
        const COLOR = 1 << 0;
        const DEPTH = 1 << 1;
        const STENCIL = 1 << 2;
    }
}

/// What became of a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a parked verb must be submitted again"]
pub enum Submit {
    /// Taken; errors come as events.
    Done,
    /// The executing side lacks texels that only the client has. Send them, then `resource_subdata_complete`, then the verb again.
    Park(TexturePull),
}

/// Levels of a texture that the executing side asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TexturePull {
    pub texture: crate::handle::TextureId,
    /// Bit n: level n.
    pub levels: u32,
    /// Echoed in `resource_subdata_complete`.
    pub pull: u32,
}
