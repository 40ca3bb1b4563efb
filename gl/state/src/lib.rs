//! GL state: contexts, share groups, objects, versions, dirty generations. It never calls the pipe, a compiler or a driver.
//!
//! * [`Context`] is what one context sets; [`ShareGroup`] is the names that contexts share; [`Objects`] holds the objects
//!   themselves, session-wide, indexed by the slots of their pipe handles.
//! * Mutators are methods here; each bumps the version or generation that [`dirty_surface`] lists for it. Validation happens before,
//!   in gl-entry: a mutator gets legal values.
//! * [`Emission`] says what the executing side has not been told yet about objects. Whoever owns a subsystem's bit drains it.
#![deny(unsafe_code)]

pub mod arena;
pub mod buffer;
pub mod buffer_bindings;
pub mod bump;
pub mod client_bytes;
#[allow(unsafe_code)]
pub mod client_memory;
pub mod context;
pub mod context_end;
pub mod debug;
pub mod dirty_surface;
pub mod drain;
pub mod drain_texture;
pub mod draw_facts;
pub mod emission;
pub mod error;
pub mod executable;
pub mod framebuffer;
pub mod framebuffer_status;
pub mod generations;
pub mod lifetime;
pub mod names;
pub mod patch;
pub mod persistent_map;
pub mod pixel_store;
pub mod program;
pub mod query;
pub mod render_state;
pub mod sampler;
pub mod sync;
pub mod texture;
pub mod texture_facts;
pub mod texture_images;
pub mod texture_units;
pub mod texture_views;
pub mod transform_feedback;
pub mod uniform_type;
pub mod vertex_array;

pub use arena::Arena;
pub use client_bytes::ClientBytes;
pub use context::{Context, Objects, Profile, ShareGroup};
pub use emission::Emission;
pub use error::GlError;
pub use generations::{ContextGenerations, Generation, Moved, ObjectGenerations, Versions};
pub use names::Names;

/// What a source of state reads: nothing here can be changed through it.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub ctx: &'a Context,
    pub objects: &'a Objects,
}
