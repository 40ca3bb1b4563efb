//! The GL frontend's door: C thunks (generated), `validate` and `commands`. It knows no backend and no tracker: they
//! arrive behind traits in [`cx::Cx`].

// C pointers are read in unsafe blocks of their own; the thunks around them are the unsafe functions.
#![allow(clippy::not_unsafe_ptr_arg_deref)]

mod block_decode;
mod block_encode;
pub mod c_memory;
pub mod commands;
pub mod cx;
pub mod extensions;
pub mod forked;
#[rustfmt::skip]
#[allow(clippy::redundant_closure, clippy::let_unit_value)] // one shape for all thunks
mod generated;
pub mod kept_programs;
pub mod limits;
pub mod messages;
pub mod procs;
pub mod program_binary;
pub mod reflection;
pub mod session;
pub mod shader_dump;
pub mod source;
pub mod state_values;
pub mod steady;
pub mod thunk;
pub mod validate;
pub mod window_size;

pub use generated::entry_point::EntryPoint;
