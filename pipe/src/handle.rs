//! Handles: how every object is named across the seam. A handle is never a GL name and never a pointer.
//!
//! A handle is `{slot, generation}`: dense per kind, allocated by the client, so that both sides keep their
//! objects in arrays. `generation` moves only when a slot is used again, so a stale handle is detected by one
//! compare. `{0, 0}` is null in every kind; `{0, 1}` of kind framebuffer is the default framebuffer.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// The untyped form: what travels, and what object tables index by.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    FromBytes,
    IntoBytes,
    Immutable,
    KnownLayout,
)]
#[repr(C)]
pub struct RawHandle {
    /// Index into the table of the kind. Slot 0 is never allocated.
    pub slot: u32,
    /// How often the slot was used before, plus one. Unique until a slot has been used 2^32 times.
    pub generation: u32,
}

impl RawHandle {
    /// Names nothing.
    pub const NULL: Self = Self {
        slot: 0,
        generation: 0,
    };

    /// Whether this names nothing.
    #[inline]
    pub const fn is_null(self) -> bool {
        self.slot == 0 && self.generation == 0
    }
}

/// More objects of one kind than any program has: decoders refuse handles from here on, so that a peer cannot make a table
/// large by naming one slot.
pub const MAX_SLOTS: u32 = 1 << 22;

/// A kind of object that handles name. The discriminants travel in records and are never renumbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum HandleKind {
    Buffer = 1,
    Texture = 2,
    Renderbuffer = 3,
    Framebuffer = 4,
    StreamOutput = 5,
    RenderState = 6,
    VertexElements = 7,
    Sampler = 8,
    SamplerView = 9,
    Shader = 10,
    Fence = 11,
    Query = 12,
    Context = 13,
    Surface = 14,
}

/// What the typed handles share.
pub trait Handle: Copy + Eq {
    /// The kind whose table the slot indexes.
    const KIND: HandleKind;
    /// Wraps an untyped handle of this kind.
    fn from_raw(raw: RawHandle) -> Self;
    /// The untyped form.
    fn raw(self) -> RawHandle;
}

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident: $kind:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[derive(FromBytes, IntoBytes, Immutable, KnownLayout)]
        #[repr(transparent)]
        pub struct $name(pub RawHandle);

        impl $name {
            /// Names nothing.
            pub const NULL: Self = Self(RawHandle::NULL);

            /// A handle from its parts.
            pub const fn new(slot: u32, generation: u32) -> Self {
                Self(RawHandle { slot, generation })
            }

            /// Whether this names nothing.
            #[inline]
            pub const fn is_null(self) -> bool {
                self.0.is_null()
            }

            /// Index into the table of this kind.
            pub const fn slot(self) -> u32 {
                self.0.slot
            }

            /// The slot's generation.
            pub const fn generation(self) -> u32 {
                self.0.generation
            }
        }

        impl Handle for $name {
            const KIND: HandleKind = HandleKind::$kind;

            fn from_raw(raw: RawHandle) -> Self {
                Self(raw)
            }

            fn raw(self) -> RawHandle {
                self.0
            }
        }
    )*};
}

handles! {
    /// A buffer object's storage (`pipe_resource` of target buffer).
    BufferId: Buffer;
    /// A texture's storage, or a view of another texture's.
    TextureId: Texture;
    /// A renderbuffer's storage.
    RenderbufferId: Renderbuffer;
    /// A framebuffer object's identity; its contents travel in `set_framebuffer_state`.
    FramebufferId: Framebuffer;
    /// A transform feedback object's identity.
    StreamOutputId: StreamOutput;
    /// A render state CSO: the pipeline subset of [`crate::RenderState`].
    RenderStateId: RenderState;
    /// A vertex elements CSO.
    VertexElementsId: VertexElements;
    /// A sampler CSO.
    SamplerId: Sampler;
    /// A sampler view CSO.
    SamplerViewId: SamplerView;
    /// A linked program's executables (`pipe_shader_state` of all its stages).
    ShaderId: Shader;
    /// A fence.
    FenceId: Fence;
    /// A query.
    QueryId: Query;
    /// A context.
    ContextId: Context;
    /// A drawable: a window, a pbuffer.
    SurfaceId: Surface;
}

impl FramebufferId {
    /// The default framebuffer of the current draw surface.
    pub const DEFAULT: Self = Self::new(0, 1);
}

/// A resource of any storage class. `kind` says which table the handle indexes: 1 buffer, 2 texture,
/// 3 renderbuffer (the discriminants of [`HandleKind`]), 0 for none.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, FromBytes, IntoBytes, Immutable, KnownLayout,
)]
#[repr(C)]
pub struct ResourceRef {
    pub handle: RawHandle,
    pub kind: u32,
}

impl ResourceRef {
    /// Names nothing.
    pub const NULL: Self = Self {
        handle: RawHandle::NULL,
        kind: 0,
    };

    /// The typed form.
    pub fn get(self) -> Resource {
        match self.kind {
            1 => Resource::Buffer(BufferId(self.handle)),
            2 => Resource::Texture(TextureId(self.handle)),
            3 => Resource::Renderbuffer(RenderbufferId(self.handle)),
            _ => Resource::None,
        }
    }

    /// Whether this names nothing.
    #[inline]
    pub const fn is_null(self) -> bool {
        self.kind == 0
    }
}

/// [`ResourceRef`], typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resource {
    None,
    Buffer(BufferId),
    Texture(TextureId),
    Renderbuffer(RenderbufferId),
}

impl From<BufferId> for ResourceRef {
    fn from(id: BufferId) -> Self {
        Self {
            handle: id.0,
            kind: HandleKind::Buffer as u32,
        }
    }
}

impl From<TextureId> for ResourceRef {
    fn from(id: TextureId) -> Self {
        Self {
            handle: id.0,
            kind: HandleKind::Texture as u32,
        }
    }
}

impl From<RenderbufferId> for ResourceRef {
    fn from(id: RenderbufferId) -> Self {
        Self {
            handle: id.0,
            kind: HandleKind::Renderbuffer as u32,
        }
    }
}

/// Hands out dense handles of one kind. The share group (or the context, for per-context kinds) owns one each.
#[derive(Clone, Debug)]
pub struct SlotAllocator<H> {
    /// Generation of each slot that was ever used; index 0 stands for the null slot.
    generations: Vec<u32>,
    alive: Vec<bool>,
    free: Vec<u32>,
    kind: std::marker::PhantomData<H>,
}

impl<H: Handle> Default for SlotAllocator<H> {
    fn default() -> Self {
        Self {
            generations: vec![0],
            alive: vec![false],
            free: Vec::new(),
            kind: std::marker::PhantomData,
        }
    }
}

impl<H: Handle> SlotAllocator<H> {
    /// A handle that no living object has. Slots are reused first-freed-last so that tables stay dense.
    ///
    /// Panics when one slot's generation would wrap (2^32 uses) or 2^32 objects live at once.
    pub fn alloc(&mut self) -> H {
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                let slot = u32::try_from(self.generations.len())
                    .expect("fewer than 2^32 objects of a kind");
                self.generations.push(0);
                self.alive.push(false);
                slot
            }
        };
        let generation = &mut self.generations[slot as usize];
        *generation = generation
            .checked_add(1)
            .expect("a slot is used fewer than 2^32 times");
        self.alive[slot as usize] = true;
        H::from_raw(RawHandle {
            slot,
            generation: *generation,
        })
    }

    /// Gives a handle back. A handle that is not alive (null, stale, given back twice) is refused with `false`.
    pub fn release(&mut self, handle: H) -> bool {
        let alive = self.is_alive(handle);
        if alive {
            self.alive[handle.raw().slot as usize] = false;
            self.free.push(handle.raw().slot);
        }
        alive
    }

    /// Whether `handle` was handed out and not yet given back.
    pub fn is_alive(&self, handle: H) -> bool {
        let raw = handle.raw();
        let slot = raw.slot as usize;
        self.generations.get(slot) == Some(&raw.generation) && self.alive[slot]
    }

    /// One more than the highest slot ever handed out.
    pub fn capacity(&self) -> usize {
        self.generations.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slot_reused_after_release_has_a_new_generation() {
        let mut slots = SlotAllocator::<BufferId>::default();
        let first = slots.alloc();
        assert!(slots.release(first));
        assert!(!slots.release(first), "given back twice");
        let second = slots.alloc();
        assert_eq!(second.slot(), first.slot());
        assert_ne!(second, first);
        assert!(!slots.is_alive(first) && slots.is_alive(second));
    }

    #[test]
    fn null_handle_is_never_alive_nor_released() {
        let mut slots = SlotAllocator::<TextureId>::default();
        assert!(!slots.is_alive(TextureId::NULL));
        assert!(!slots.release(TextureId::NULL));
    }
}
