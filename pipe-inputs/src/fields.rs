//! The field table: every group of state that a backend may read, once. Groups, bits, verb classes, values and the comparator
//! are made from it. It holds no state itself.

use pipe::pixels::PixelStore;
use pipe::{
    AttribValue, BoundView, BufferRange, FramebufferState, ImageView, IndexBuffer, IndirectBuffers,
    PatchState, ProgramBinding, RenderState, SamplerDesc, SamplerViewDesc, ShaderId, VertexBuffer,
    VertexElementsDesc,
};

/// Kinds of verbs by what they read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum VerbClass {
    /// draw_vbo.
    Draw = 0,
    /// launch_grid.
    Dispatch,
    /// clear.
    Clear,
    /// blit, resource_copy_region from the read framebuffer.
    Blit,
    /// generate_mipmap.
    TextureOp,
    /// read_pixels, get_texture_image.
    Readback,
    /// begin/end/pause/resume_stream_output.
    StreamOutput,
    /// query_begin, query_end.
    Query,
    /// present, flush, memory_barrier.
    Flush,
}

/// Every verb class, by discriminant.
pub const VERB_CLASSES: [VerbClass; 9] = [
    VerbClass::Draw,
    VerbClass::Dispatch,
    VerbClass::Clear,
    VerbClass::Blit,
    VerbClass::TextureOp,
    VerbClass::Readback,
    VerbClass::StreamOutput,
    VerbClass::Query,
    VerbClass::Flush,
];

/// How a group of values travels when its own bit is off and bit 62 is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// May travel in the residual block.
    Value,
    /// Objects: pushed or pulled only.
    Object,
}

/// What a sampler of one texture unit reads, by value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitView {
    pub bound: BoundView,
    pub desc: Option<SamplerViewDesc>,
}

/// A program's block of default uniforms and its table of units and binding points, by value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProgramValues {
    pub shader: ShaderId,
    pub constants: Vec<u8>,
    pub bindings: Vec<ProgramBinding>,
}

/// Passes the table to `$consumer!`:
/// `$( $(#[$doc])* $index:literal $group:ident: bit $bit:literal, $carrier:ident, [$($class:ident)*] { $($field:ident: $ty:ty),* } )*`.
#[macro_export]
macro_rules! input_groups {
    ($consumer:ident) => { $consumer! {
        /// Render state chunks and the CSO that carries the pipeline subset.
        0 render_state: bit 0, Value, [Draw Clear Blit Readback] { state: RenderState }
        /// glPixelStore(GL_PACK_*).
        1 pixel_pack: bit 1, Value, [Readback] { pack: PixelStore }
        /// Patch vertices and default tessellation levels.
        2 patch_state: bit 2, Value, [Draw] { patch: PatchState }
        /// Current attribute values.
        3 attrib_defaults: bit 3, Value, [Draw] { attrib_defaults: [AttribValue; 16] }
        /// Storage and contents of the buffers that the verb reaches.
        4 buffers: bit 4, Object, [Draw Dispatch Readback StreamOutput] { }
        /// Attribute formats and binding points' strides.
        5 vertex_elements: bit 5, Object, [Draw] { vertex_elements: VertexElementsDesc }
        /// Binding points' buffers.
        6 vertex_buffers: bit 5, Object, [Draw] { vertex_buffers: [VertexBuffer; 16] }
        /// The element array buffer.
        7 index_buffer: bit 5, Object, [Draw] { index_buffer: IndexBuffer }
        /// Sources of indirect commands.
        8 indirect_buffers: bit 5, Object, [Draw Dispatch] { indirect_buffers: IndirectBuffers }
        /// Draw framebuffer and read surfaces.
        9 framebuffer: bit 6, Object, [Draw Clear Blit Readback] { framebuffer: FramebufferState }
        /// Storage, contents and parameters of the textures that the verb reaches.
        10 textures: bit 7, Object, [Draw Dispatch Clear Blit TextureOp Readback] { }
        /// What each unit reads.
        11 sampler_views: bit 8, Object, [Draw Dispatch] { sampler_views: Vec<UnitView> }
        /// Sampler state of each unit.
        12 sampler_states: bit 8, Object, [Draw Dispatch] { sampler_states: Vec<Option<SamplerDesc>> }
        /// Image units.
        13 shader_images: bit 9, Object, [Draw Dispatch] { shader_images: Vec<ImageView> }
        /// Program of draws, its constants, its units and binding points.
        14 draw_program: bit 10, Object, [Draw] { draw_program: ProgramValues }
        /// Program of dispatches.
        15 dispatch_program: bit 10, Object, [Dispatch] { dispatch_program: ProgramValues }
        /// Uniform block ranges.
        16 uniform_buffers: bit 11, Object, [Draw Dispatch] { uniform_buffers: Vec<BufferRange> }
        /// Storage block ranges.
        17 storage_buffers: bit 11, Object, [Draw Dispatch] { storage_buffers: Vec<BufferRange> }
        /// Atomic counter ranges.
        18 atomic_buffers: bit 11, Object, [Draw Dispatch] { atomic_buffers: Vec<BufferRange> }
        /// Transform feedback ranges.
        19 stream_output: bit 12, Object, [Draw StreamOutput] { stream_output: Vec<BufferRange> }
    } };
}

macro_rules! group_table {
    ($($(#[doc = $doc:literal])* $index:literal $group:ident: bit $bit:literal, $carrier:ident, [$($class:ident)*] { $($field:ident: $ty:ty),* })*) => {
        /// A group of state: the unit of validation and of poison.
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Group { $($(#[doc = $doc])* $group = $index,)* }

        /// One row of the table.
        #[derive(Clone, Copy, Debug)]
        pub struct GroupRow {
            pub group: Group,
            pub name: &'static str,
            /// Bit of `MOBILEGL_PIPE_PUSH` that owns it.
            pub bit: u8,
            pub carrier: Carrier,
            /// Bit n: verbs of class n may read it.
            pub classes: u16,
            /// `(field, type)`.
            pub fields: &'static [(&'static str, &'static str)],
            pub doc: &'static str,
        }

        /// The rows, by discriminant.
        pub const GROUPS: &[GroupRow] = &[$(GroupRow {
            group: Group::$group,
            name: stringify!($group),
            bit: $bit,
            carrier: Carrier::$carrier,
            classes: 0 $(| 1 << VerbClass::$class as u16)*,
            fields: &[$((stringify!($field), stringify!($ty))),*],
            doc: concat!($($doc),*),
        },)*];

        /// The state by value, as a comparison needs it: handles of CSOs resolved, none kept.
        #[derive(Clone, Debug, Default)]
        pub struct Values {
            $($(pub $field: Option<$ty>,)*)*
        }

        /// A difference between two sets of values.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Difference {
            pub group: Group,
            pub field: &'static str,
            pub left: String,
            pub right: String,
        }

        impl Values {
            /// The first field of a group in `mask` that differs, floats bit by bit. A field that only one side has differs.
            pub fn first_difference(&self, right: &Self, mask: GroupMask) -> Option<Difference> {
                $($(
                    if mask.contains(Group::$group) && !crate::compare::same(&self.$field, &right.$field) {
                        return Some(Difference {
                            group: Group::$group,
                            field: stringify!($field),
                            left: crate::compare::show(&self.$field, &right.$field),
                            right: crate::compare::show(&right.$field, &self.$field),
                        });
                    }
                )*)*
                None
            }
        }
    };
}
input_groups!(group_table);

/// A set of groups, as verbs carry it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupMask(pub u32);

impl GroupMask {
    /// No group.
    pub const NONE: Self = Self(0);
    /// Every group.
    pub const ALL: Self = Self((1 << GROUPS.len()) - 1);

    /// A set of one.
    pub const fn of(group: Group) -> Self {
        Self(1 << group as u32)
    }

    /// Whether `group` is in it.
    pub const fn contains(self, group: Group) -> bool {
        self.0 & (1 << group as u32) != 0
    }

    /// Whether all of `other` is in it.
    pub const fn covers(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The groups of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The groups of either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The groups in it, ascending.
    pub fn iter(self) -> impl Iterator<Item = Group> {
        GROUPS
            .iter()
            .map(|row| row.group)
            .filter(move |group| self.contains(*group))
    }

    /// Groups whose subsystem bit is set in `push`.
    pub const fn of_bits(push: u64) -> Self {
        let (mut mask, mut i) = (0, 0);
        while i < GROUPS.len() {
            if push & (1 << GROUPS[i].bit) != 0 {
                mask |= 1 << i;
            }
            i += 1;
        }
        Self(mask)
    }
}

impl VerbClass {
    /// The class in messages and options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Draw => "draw",
            Self::Dispatch => "dispatch",
            Self::Clear => "clear",
            Self::Blit => "blit",
            Self::TextureOp => "texture_op",
            Self::Readback => "readback",
            Self::StreamOutput => "stream_output",
            Self::Query => "query",
            Self::Flush => "flush",
        }
    }

    /// Groups that a verb of this class may read: what its source must have validated.
    pub const fn required(self) -> GroupMask {
        REQUIRED[self as usize]
    }
}

const REQUIRED: [GroupMask; VERB_CLASSES.len()] = {
    let mut table = [GroupMask::NONE; VERB_CLASSES.len()];
    let mut class = 0;
    while class < table.len() {
        let mut i = 0;
        while i < GROUPS.len() {
            if GROUPS[i].classes & (1 << class) != 0 {
                table[class].0 |= 1 << i;
            }
            i += 1;
        }
        class += 1;
    }
    table
};

const _: () = {
    let mut i = 0;
    while i < GROUPS.len() {
        assert!(
            GROUPS[i].group as usize == i,
            "groups are dense and ascending"
        );
        i += 1;
    }
};
