//! PipeInputs: what the executing side was told about one context, and nothing else. It never asks the frontend.

use crate::fields::{GROUPS, Group, GroupMask};
use pipe::pixels::PixelStore;
use pipe::{
    AttribValue, BoundView, BufferRange, FramebufferState, ImageView, IndexBuffer, IndirectBuffers,
    MAX_BUFFER_BINDINGS, MAX_IMAGE_UNITS, MAX_STREAM_OUTPUTS, MAX_TEXTURE_UNITS,
    MAX_VERTEX_ATTRIBS, PatchState, RenderState, RenderStateId, SamplerId, ShaderId,
    StreamOutputId, VertexBuffer, VertexElementsId,
};

/// The working state of one context. Read it through the accessors: they know which group a field belongs to.
#[derive(Debug)]
pub struct PipeInputs {
    pub(crate) render_state: RenderState,
    pub(crate) render_state_id: RenderStateId,
    pub(crate) pack: PixelStore,
    pub(crate) patch: PatchState,
    pub(crate) attrib_defaults: [AttribValue; MAX_VERTEX_ATTRIBS],
    pub(crate) vertex_elements: VertexElementsId,
    pub(crate) vertex_buffers: [VertexBuffer; MAX_VERTEX_ATTRIBS],
    pub(crate) index_buffer: IndexBuffer,
    pub(crate) indirect_buffers: IndirectBuffers,
    pub(crate) framebuffer: FramebufferState,
    pub(crate) sampler_views: Prefix<BoundView, MAX_TEXTURE_UNITS>,
    pub(crate) sampler_states: Prefix<SamplerId, MAX_TEXTURE_UNITS>,
    pub(crate) shader_images: Prefix<ImageView, MAX_IMAGE_UNITS>,
    pub(crate) draw_program: ShaderId,
    pub(crate) dispatch_program: ShaderId,
    pub(crate) buffers: [Prefix<BufferRange, MAX_BUFFER_BINDINGS>; 3],
    pub(crate) stream_output: Prefix<BufferRange, MAX_STREAM_OUTPUTS>,
    pub(crate) stream_output_id: StreamOutputId,

    /// Moves when a group's contents move; starts at 1 so that a cache's 0 is always stale.
    pub(crate) generations: [u64; GROUPS.len()],
    /// Moves when any of them moves.
    pub(crate) moves: u64,
    /// Groups that this verb's source vouches for.
    pub(crate) validated: GroupMask,
    /// Groups that were ever told.
    pub(crate) filled: GroupMask,
    /// Checks every read (debug and verify builds, or on request).
    pub(crate) poison: bool,
    /// Name of the verb in progress, for messages.
    pub(crate) verb: &'static str,
    /// Verbs so far, the one in progress included, for messages.
    pub(crate) ordinal: u64,
}

/// Values as they stand, outside any verb: they may be GL's initial ones. Backends have no use for it.
#[derive(Clone, Copy, Debug)]
pub struct Ahead<'a> {
    pub framebuffer: &'a FramebufferState,
    pub pack: &'a PixelStore,
    pub indirect: &'a IndirectBuffers,
    pub vertex_elements: VertexElementsId,
    pub draw_program: ShaderId,
    pub dispatch_program: ShaderId,
}

/// The slots of a set up to the highest that was ever told.
#[derive(Debug)]
pub struct Prefix<T, const N: usize> {
    slots: Box<[T; N]>,
    len: usize,
}

impl<T: Copy, const N: usize> Prefix<T, N> {
    fn new(empty: T) -> Self {
        Self {
            slots: Box::new([empty; N]),
            len: 0,
        }
    }

    /// Replaces a run; slots past the end are ignored (the client never sends them).
    pub(crate) fn replace(&mut self, start: u32, values: &[T]) {
        let start = start as usize;
        let end = (start + values.len()).min(N);
        if start < end {
            self.slots[start..end].copy_from_slice(&values[..end - start]);
            self.len = self.len.max(end);
        }
    }

    /// Slots up to the highest ever told.
    pub fn as_slice(&self) -> &[T] {
        &self.slots[..self.len]
    }
}

/// An empty range.
pub const NO_RANGE: BufferRange = BufferRange {
    buffer: pipe::BufferId::NULL,
    offset_bytes: 0,
    size_bytes: 0,
    host: pipe::HostSpan::NONE,
};
/// An image unit without an image.
pub const NO_IMAGE: ImageView = ImageView {
    texture: pipe::TextureId::NULL,
    format: pipe::Format::None,
    level: 0,
    layer: 0,
    access: 0,
    layered: 0,
    _pad: 0,
};
/// A unit without a view.
pub const NO_VIEW: BoundView = BoundView {
    view: pipe::SamplerViewId::NULL,
    texture: pipe::TextureId::NULL,
};
/// A binding point without a buffer.
pub const NO_VERTEX_BUFFER: VertexBuffer = VertexBuffer {
    buffer: pipe::BufferId::NULL,
    offset_bytes: 0,
    user: pipe::HostSpan::NONE,
};
/// GL's initial attribute value, (0, 0, 0, 1) as floats (GL 4.6 §10.2.1).
pub const INITIAL_ATTRIB: AttribValue = AttribValue {
    bits: [0, 0, 0, 0x3F80_0000],
    kind: 0,
};

impl Default for PipeInputs {
    fn default() -> Self {
        Self {
            render_state: RenderState::default(),
            render_state_id: RenderStateId::NULL,
            pack: PixelStore::default(),
            patch: PatchState {
                vertices: 3,
                outer: [1.0; 4],
                inner: [1.0; 2],
            },
            attrib_defaults: [INITIAL_ATTRIB; MAX_VERTEX_ATTRIBS],
            vertex_elements: VertexElementsId::NULL,
            vertex_buffers: [NO_VERTEX_BUFFER; MAX_VERTEX_ATTRIBS],
            index_buffer: IndexBuffer {
                buffer: pipe::BufferId::NULL,
            },
            indirect_buffers: IndirectBuffers {
                draw: pipe::BufferId::NULL,
                dispatch: pipe::BufferId::NULL,
                parameter: pipe::BufferId::NULL,
            },
            framebuffer: FramebufferState::NONE,
            sampler_views: Prefix::new(NO_VIEW),
            sampler_states: Prefix::new(SamplerId::NULL),
            shader_images: Prefix::new(NO_IMAGE),
            draw_program: ShaderId::NULL,
            dispatch_program: ShaderId::NULL,
            buffers: std::array::from_fn(|_| Prefix::new(NO_RANGE)),
            stream_output: Prefix::new(NO_RANGE),
            stream_output_id: StreamOutputId::NULL,
            generations: [1; GROUPS.len()],
            moves: 1,
            validated: GroupMask::NONE,
            // Groups whose GL initial value is a value: an application that never sets them is told nothing.
            filled: GroupMask::NONE,
            poison: cfg!(debug_assertions),
            verb: "",
            ordinal: 0,
        }
    }
}

macro_rules! accessors {
    ($($(#[$doc:meta])* $name:ident -> $ty:ty, $group:ident, |$inputs:ident| $read:expr;)*) => {
        impl PipeInputs {
            $($(#[$doc])*
            #[inline]
            pub fn $name(&self) -> $ty {
                self.check(Group::$group, stringify!($name));
                let $inputs = self;
                $read
            })*
        }

        /// Accessors and the group that each reads: what poison can name.
        pub const ACCESSORS: &[(&str, Group)] = &[$((stringify!($name), Group::$group)),*];
    };
}

accessors! {
    /// The whole render state: pipeline subset and dynamic values.
    render_state -> &RenderState, render_state, |i| &i.render_state;
    /// The CSO whose pipeline subset is in force: key of a pipeline memo. Null if the values came without one (residual block).
    render_state_id -> RenderStateId, render_state, |i| i.render_state_id;
    /// Pack parameters.
    pack -> &PixelStore, pixel_pack, |i| &i.pack;
    /// Patch state.
    patch -> &PatchState, patch_state, |i| &i.patch;
    /// Current attribute values.
    attrib_defaults -> &[AttribValue; MAX_VERTEX_ATTRIBS], attrib_defaults, |i| &i.attrib_defaults;
    /// The vertex elements CSO.
    vertex_elements -> VertexElementsId, vertex_elements, |i| i.vertex_elements;
    /// Binding points' buffers.
    vertex_buffers -> &[VertexBuffer; MAX_VERTEX_ATTRIBS], vertex_buffers, |i| &i.vertex_buffers;
    /// The element array buffer.
    index_buffer -> pipe::BufferId, index_buffer, |i| i.index_buffer.buffer;
    /// Sources of indirect commands.
    indirect_buffers -> &IndirectBuffers, indirect_buffers, |i| &i.indirect_buffers;
    /// Draw framebuffer and read surfaces.
    framebuffer -> &FramebufferState, framebuffer, |i| &i.framebuffer;
    /// What each unit reads, up to the highest unit ever told.
    sampler_views -> &[BoundView], sampler_views, |i| i.sampler_views.as_slice();
    /// Sampler CSO of each unit.
    sampler_states -> &[SamplerId], sampler_states, |i| i.sampler_states.as_slice();
    /// Image units.
    shader_images -> &[ImageView], shader_images, |i| i.shader_images.as_slice();
    /// Program of draws.
    draw_program -> ShaderId, draw_program, |i| i.draw_program;
    /// Program of dispatches.
    dispatch_program -> ShaderId, dispatch_program, |i| i.dispatch_program;
    /// Uniform block ranges by binding point.
    uniform_buffers -> &[BufferRange], uniform_buffers, |i| i.buffers[0].as_slice();
    /// Storage block ranges by binding point.
    storage_buffers -> &[BufferRange], storage_buffers, |i| i.buffers[1].as_slice();
    /// Atomic counter ranges by binding point.
    atomic_buffers -> &[BufferRange], atomic_buffers, |i| i.buffers[2].as_slice();
    /// Transform feedback ranges.
    stream_output -> &[BufferRange], stream_output, |i| i.stream_output.as_slice();
    /// The transform feedback object.
    stream_output_id -> StreamOutputId, stream_output, |i| i.stream_output_id;
}

impl PipeInputs {
    /// Moves whenever something in the group may have changed: compare before doing anything else.
    #[inline]
    pub fn generation(&self, group: Group) -> u64 {
        self.generations[group as usize]
    }

    /// All of them, by discriminant: one compare tells that nothing moved at all.
    #[inline]
    pub fn generations(&self) -> &[u64; GROUPS.len()] {
        &self.generations
    }

    /// One number that moves with every group: while it stands, so does everything that was told to this context.
    #[inline]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// Turns the check of every read on or off.
    pub fn set_poison(&mut self, on: bool) {
        self.poison = on;
    }

    /// What a decoder of foreign commands looks at before it lets a verb in.
    pub fn ahead(&self) -> Ahead<'_> {
        Ahead {
            framebuffer: &self.framebuffer,
            pack: &self.pack,
            indirect: &self.indirect_buffers,
            vertex_elements: self.vertex_elements,
            draw_program: self.draw_program,
            dispatch_program: self.dispatch_program,
        }
    }

    /// Groups that were told at least once.
    pub fn filled(&self) -> GroupMask {
        self.filled
    }

    /// Groups that the verb in progress may read.
    pub fn validated(&self) -> GroupMask {
        self.validated
    }

    #[inline]
    fn check(&self, group: Group, field: &'static str) {
        if self.poison && !(self.validated.contains(group) && self.filled.contains(group)) {
            crate::fault::unmigrated(field, self.verb, self.ordinal);
        }
    }

    pub(crate) fn touch(&mut self, group: Group) {
        self.moves += 1;
        self.generations[group as usize] += 1;
        self.filled.0 |= GroupMask::of(group).0;
    }
}
