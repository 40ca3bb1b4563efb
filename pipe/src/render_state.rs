//! The render state: one plain struct, cut into chunks of which each is either *pipeline* (identity of a
//! render state CSO) or *dynamic* (`set_dynamic_state`). This table is the only place that says which is which.
//!
//! Values are what the application set, already validated; enumerations are GL's own numbers in their
//! smallest integer, so that neither side needs a translation table to store them. GL 4.6 core, chapters
//! 14 (rasterization), 17 (per-fragment operations) and 13.8 (clipping, viewport).

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Draw buffers whose blend and mask state is kept (GL_MAX_DRAW_BUFFERS as advertised).
pub const MAX_DRAW_BUFFERS: usize = 8;
/// Viewports, scissors and depth ranges that are kept (GL_MAX_VIEWPORTS as advertised).
pub const MAX_VIEWPORTS: usize = 16;

/// Blend equations and factors of one draw buffer (GL 4.6 §17.3.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub struct BlendTarget {
    pub src_rgb: u16,
    pub dst_rgb: u16,
    pub src_alpha: u16,
    pub dst_alpha: u16,
    pub equation_rgb: u16,
    pub equation_alpha: u16,
}

/// One face's stencil test without reference and masks, which are dynamic (GL 4.6 §17.3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub struct StencilFace {
    pub func: u16,
    pub fail: u16,
    pub depth_fail: u16,
    pub depth_pass: u16,
}

/// A rectangle with its origin bottom-left, in pixels (GL's window coordinates).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout,
)]
#[repr(C)]
pub struct WindowRect {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
}

/// A viewport in window coordinates; fractions are kept (GL 4.6 §13.8.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub struct Viewport {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
}

/// A depth range, clamped to [0, 1] when it was set (GL 4.6 §13.8.1).
#[derive(Clone, Copy, Debug, PartialEq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub struct DepthRange {
    pub near: f64,
    pub far: f64,
}

bitflags::bitflags! {
    /// Boolean capabilities of `glEnable` that are part of the pipeline subset. Indexed ones have fields of their own.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Caps: u32 {
        const DEPTH_TEST = 1 << 0;
        const STENCIL_TEST = 1 << 1;
        const CULL_FACE = 1 << 2;
        const DITHER = 1 << 3;
        const POLYGON_OFFSET_FILL = 1 << 4;
        const POLYGON_OFFSET_LINE = 1 << 5;
        const POLYGON_OFFSET_POINT = 1 << 6;
        const MULTISAMPLE = 1 << 7;
        const SAMPLE_ALPHA_TO_COVERAGE = 1 << 8;
        const SAMPLE_ALPHA_TO_ONE = 1 << 9;
        const SAMPLE_COVERAGE = 1 << 10;
        const SAMPLE_MASK = 1 << 11;
        const SAMPLE_SHADING = 1 << 12;
        const RASTERIZER_DISCARD = 1 << 13;
        const PRIMITIVE_RESTART = 1 << 14;
        const PRIMITIVE_RESTART_FIXED_INDEX = 1 << 15;
        const PROGRAM_POINT_SIZE = 1 << 16;
        const LINE_SMOOTH = 1 << 17;
        const POLYGON_SMOOTH = 1 << 18;
        const FRAMEBUFFER_SRGB = 1 << 19;
        const DEPTH_CLAMP = 1 << 20;
        const COLOR_LOGIC_OP = 1 << 21;
        const TEXTURE_CUBE_MAP_SEAMLESS = 1 << 22;
    }
}

/// What a chunk is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkKind {
    /// Part of a render state CSO's identity.
    Pipeline,
    /// Travels in `set_dynamic_state`; never mints a CSO.
    Dynamic,
}

/// A span of [`RenderState`], in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Chunk {
    pub name: &'static str,
    pub kind: ChunkKind,
    pub offset_bytes: usize,
    pub size_bytes: usize,
}

macro_rules! render_state {
    ($($(#[$cdoc:meta])* $kind:ident $chunk:ident { $($(#[$fdoc:meta])* $field:ident: $ty:ty = $init:expr,)* })*) => {
        /// The whole render state of a context, with GL's initial values as `Default`.
        #[derive(Clone, Copy, Debug, PartialEq, FromBytes, IntoBytes, Immutable, KnownLayout)]
        #[repr(C)]
        pub struct RenderState {
            $($(#[$cdoc])* pub $chunk: $chunk,)*
        }

        impl Default for RenderState {
            fn default() -> Self {
                Self { $($chunk: $chunk { $($field: $init,)* },)* }
            }
        }

        $(
            $(#[$cdoc])*
            #[allow(non_camel_case_types)]
            #[derive(Clone, Copy, Debug, PartialEq, FromBytes, IntoBytes, Immutable, KnownLayout)]
            #[repr(C)]
            pub struct $chunk {
                $($(#[$fdoc])* pub $field: $ty,)*
            }
        )*

        /// Every chunk, in the order of its bit in a chunk mask.
        pub const CHUNKS: &[Chunk] = &[
            $(Chunk {
                name: stringify!($chunk),
                kind: ChunkKind::$kind,
                offset_bytes: std::mem::offset_of!(RenderState, $chunk),
                size_bytes: std::mem::size_of::<$chunk>(),
            },)*
        ];

        /// Every field as `(chunk name, field name, offset in bytes, size in bytes)`.
        pub const FIELDS: &[(&str, &str, usize, usize)] = &[
            $($((
                stringify!($chunk),
                stringify!($field),
                std::mem::offset_of!(RenderState, $chunk) + std::mem::offset_of!($chunk, $field),
                std::mem::size_of::<$ty>(),
            ),)*)*
        ];
    };
}

// GL's own numbers for the initial values below (enum values are part of the GL specification).
const ONE: u16 = 1;
const ZERO: u16 = 0;
const FUNC_ADD: u16 = 0x8006;
const ALWAYS: u16 = 0x0207;
const LESS: u16 = 0x0201;
const KEEP: u16 = 0x1E00;
const BACK: u16 = 0x0405;
const CCW: u16 = 0x0901;
const FILL: u16 = 0x1B02;
const COPY: u16 = 0x1503;
const LAST_VERTEX_CONVENTION: u16 = 0x8E4E;
const LOWER_LEFT: u16 = 0x8CA1;
const UPPER_LEFT: u16 = 0x8CA2;
const NEGATIVE_ONE_TO_ONE: u16 = 0x935E;

render_state! {
    /// `glEnable` capabilities without an index.
    Pipeline caps {
        bits: u32 = Caps::DITHER.bits() | Caps::MULTISAMPLE.bits(),
        /// Bit n: GL_CLIP_DISTANCEn.
        clip_distances: u32 = 0,
    }
    /// Blending and write masks per draw buffer.
    Pipeline blend {
        /// Bit n: GL_BLEND of draw buffer n.
        enabled: u32 = 0,
        targets: [BlendTarget; MAX_DRAW_BUFFERS] = [BlendTarget {
            src_rgb: ONE, dst_rgb: ZERO, src_alpha: ONE, dst_alpha: ZERO,
            equation_rgb: FUNC_ADD, equation_alpha: FUNC_ADD,
        }; MAX_DRAW_BUFFERS],
        /// Bits 0-3 of each: red, green, blue, alpha are written.
        color_masks: [u8; MAX_DRAW_BUFFERS] = [0xF; MAX_DRAW_BUFFERS],
        logic_op: u16 = COPY,
        _pad: u16 = 0,
    }
    /// Depth and stencil tests without references and masks.
    Pipeline depth_stencil {
        depth_func: u16 = LESS,
        /// 0 or 1: glDepthMask.
        depth_write: u16 = 1,
        front: StencilFace = StencilFace { func: ALWAYS, fail: KEEP, depth_fail: KEEP, depth_pass: KEEP },
        back: StencilFace = StencilFace { func: ALWAYS, fail: KEEP, depth_fail: KEEP, depth_pass: KEEP },
    }
    /// Rasterization.
    Pipeline raster {
        cull_face: u16 = BACK,
        front_face: u16 = CCW,
        polygon_mode_front: u16 = FILL,
        polygon_mode_back: u16 = FILL,
        provoking_vertex: u16 = LAST_VERTEX_CONVENTION,
        clip_origin: u16 = LOWER_LEFT,
        clip_depth_mode: u16 = NEGATIVE_ONE_TO_ONE,
        point_sprite_origin: u16 = UPPER_LEFT,
    }
    /// Multisampling: what takes part in pipelines.
    Pipeline samples {
        /// GL_MIN_SAMPLE_SHADING_VALUE.
        min_shading: f32 = 0.0,
        /// GL_SAMPLE_MASK_VALUE of word 0.
        mask: u32 = !0,
        _pad: u32 = 0,
    }
    /// Viewports, window coordinates.
    Dynamic viewports {
        rects: [Viewport; MAX_VIEWPORTS] = [Viewport { x: 0.0, y: 0.0, width: 0.0, height: 0.0 }; MAX_VIEWPORTS],
    }
    /// Depth ranges.
    Dynamic depth_ranges {
        ranges: [DepthRange; MAX_VIEWPORTS] = [DepthRange { near: 0.0, far: 1.0 }; MAX_VIEWPORTS],
    }
    /// Scissor rectangles and their enables, window coordinates.
    Dynamic scissors {
        /// Bit n: GL_SCISSOR_TEST of viewport n.
        enabled: u32 = 0,
        _pad: u32 = 0,
        rects: [WindowRect; MAX_VIEWPORTS] = [WindowRect { x: 0, y: 0, width: 0, height: 0 }; MAX_VIEWPORTS],
    }
    /// Blend colour, unclamped (GL 4.6 §17.3.6.2).
    Dynamic blend_color {
        rgba: [f32; 4] = [0.0; 4],
    }
    /// Stencil references (unclamped) and masks per face.
    Dynamic stencil_ref {
        front_ref: i32 = 0,
        back_ref: i32 = 0,
        front_value_mask: u32 = !0,
        back_value_mask: u32 = !0,
        front_write_mask: u32 = !0,
        back_write_mask: u32 = !0,
    }
    /// Sizes and offsets of primitives.
    Dynamic primitive {
        line_width: f32 = 1.0,
        point_size: f32 = 1.0,
        point_fade_threshold: f32 = 1.0,
        polygon_offset_factor: f32 = 0.0,
        polygon_offset_units: f32 = 0.0,
        polygon_offset_clamp: f32 = 0.0,
        /// GL_PRIMITIVE_RESTART_INDEX.
        restart_index: u32 = 0,
        _pad: u32 = 0,
    }
    /// glSampleCoverage.
    Dynamic coverage {
        value: f32 = 1.0,
        /// 0 or 1.
        invert: u32 = 0,
    }
    /// Values that glClear writes.
    Dynamic clear_values {
        depth: f64 = 1.0,
        /// glClearColor, unclamped: the bits of the numbers.
        color: [u32; 4] = [0; 4],
        stencil: i32 = 0,
        /// GL_CLAMP_READ_COLOR: 0 false, 1 true, 2 fixed only.
        clamp_read_color: u16 = 2,
        /// What the bits of `color` are: 0 float, 1 signed (glClearColorIiEXT), 2 unsigned (glClearColorIuiEXT).
        color_kind: u16 = 0,
    }
    /// Hints: no effect on results.
    Dynamic hints {
        line_smooth: u16 = 0x1100,
        polygon_smooth: u16 = 0x1100,
        texture_compression: u16 = 0x1100,
        fragment_derivative: u16 = 0x1100,
    }
}

/// Mask of all chunks of a kind.
pub const fn chunk_mask(kind: ChunkKind) -> u32 {
    let mut mask = 0;
    let mut i = 0;
    while i < CHUNKS.len() {
        if matches!(
            (CHUNKS[i].kind, kind),
            (ChunkKind::Pipeline, ChunkKind::Pipeline) | (ChunkKind::Dynamic, ChunkKind::Dynamic)
        ) {
            mask |= 1 << i;
        }
        i += 1;
    }
    mask
}

/// Chunks whose bytes are a render state CSO's identity.
pub const PIPELINE_CHUNKS: u32 = chunk_mask(ChunkKind::Pipeline);
/// Chunks that travel in `set_dynamic_state`.
pub const DYNAMIC_CHUNKS: u32 = chunk_mask(ChunkKind::Dynamic);

const _: () = assert!(CHUNKS.len() <= 32, "a chunk mask has 32 bits");
const _: () = assert!(PIPELINE_CHUNKS & DYNAMIC_CHUNKS == 0);
const _: () = {
    // The chunks cover the struct without holes: nothing can be outside both subsets.
    let (mut i, mut at) = (0, 0);
    while i < CHUNKS.len() {
        assert!(CHUNKS[i].offset_bytes == at, "a hole between chunks");
        at += CHUNKS[i].size_bytes;
        i += 1;
    }
    assert!(at == std::mem::size_of::<RenderState>());
};
/// Bytes of the pipeline subset: they come first, in one run, so that hashing them is one call.
pub const PIPELINE_BYTES: usize = {
    let (mut i, mut bytes) = (0, 0);
    while i < CHUNKS.len() {
        if matches!(CHUNKS[i].kind, ChunkKind::Pipeline) {
            assert!(
                CHUNKS[i].offset_bytes == bytes,
                "pipeline chunks come first"
            );
            bytes += CHUNKS[i].size_bytes;
        }
        i += 1;
    }
    bytes
};

impl RenderState {
    /// The capability bits.
    pub fn caps(&self) -> Caps {
        Caps::from_bits_truncate(self.caps.bits)
    }

    /// The bytes of the pipeline subset.
    pub fn pipeline_bytes(&self) -> &[u8] {
        &self.as_bytes()[..PIPELINE_BYTES]
    }

    /// Takes over another's pipeline subset; dynamic values stay.
    pub fn copy_pipeline_from(&mut self, other: &Self) {
        self.as_mut_bytes()[..PIPELINE_BYTES].copy_from_slice(other.pipeline_bytes());
    }

    /// The bytes of one chunk.
    pub fn chunk_bytes(&self, chunk: usize) -> &[u8] {
        let Chunk {
            offset_bytes,
            size_bytes,
            ..
        } = CHUNKS[chunk];
        &self.as_bytes()[offset_bytes..offset_bytes + size_bytes]
    }

    /// Chunks of `among` whose bytes differ from `other`'s.
    pub fn changed_chunks(&self, other: &Self, among: u32) -> u32 {
        let mut changed = 0;
        for i in (0..CHUNKS.len()).filter(|i| among & (1 << i) != 0) {
            changed |= u32::from(self.chunk_bytes(i) != other.chunk_bytes(i)) << i;
        }
        changed
    }

    /// Appends the chunks of `mask` in ascending order: the blob of `create_render_state` and `set_dynamic_state`.
    pub fn gather(&self, mask: u32, out: &mut Vec<u8>) {
        for i in (0..CHUNKS.len()).filter(|i| mask & (1 << i) != 0) {
            out.extend_from_slice(self.chunk_bytes(i));
        }
    }

    /// Writes gathered chunks back. `false` if `blob` has not exactly the bytes that `mask` asks for; nothing is written then.
    #[must_use]
    pub fn scatter(&mut self, mask: u32, blob: &[u8]) -> bool {
        if mask >> CHUNKS.len() != 0 || gathered_bytes(mask) != blob.len() {
            return false;
        }
        let mut at = 0;
        for i in (0..CHUNKS.len()).filter(|i| mask & (1 << i) != 0) {
            let Chunk {
                offset_bytes,
                size_bytes,
                ..
            } = CHUNKS[i];
            self.as_mut_bytes()[offset_bytes..offset_bytes + size_bytes]
                .copy_from_slice(&blob[at..at + size_bytes]);
            at += size_bytes;
        }
        true
    }
}

/// Bytes that [`RenderState::gather`] appends for `mask`.
pub fn gathered_bytes(mask: u32) -> usize {
    CHUNKS
        .iter()
        .enumerate()
        .filter(|(i, _)| mask & (1 << i) != 0)
        .map(|(_, c)| c.size_bytes)
        .sum()
}

/// Identity of a render state CSO: xxh3 of the pipeline subset.
pub fn pipeline_subset_hash(state: &RenderState) -> u64 {
    xxhash_rust::xxh3::xxh3_64(state.pipeline_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gather_then_scatter_restores_exactly_the_masked_chunks() {
        let mut a = RenderState::default();
        a.blend.enabled = 5;
        a.primitive.line_width = 3.0;
        let mut blob = Vec::new();
        a.gather(PIPELINE_CHUNKS, &mut blob);
        let mut b = RenderState::default();
        assert!(b.scatter(PIPELINE_CHUNKS, &blob));
        assert_eq!((b.blend.enabled, b.primitive.line_width), (5, 1.0));
        assert!(!b.scatter(DYNAMIC_CHUNKS, &blob), "wrong length is refused");
    }

    #[test]
    fn viewport_change_leaves_pipeline_hash_alone() {
        let mut a = RenderState::default();
        let before = pipeline_subset_hash(&a);
        a.viewports.rects[0].width = 64.0;
        assert_eq!(pipeline_subset_hash(&a), before);
        a.blend.enabled = 1;
        assert_ne!(pipeline_subset_hash(&a), before);
    }
}
