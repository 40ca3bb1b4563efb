//! The GLES backend: desktop GL, as told through the pipe, on an OpenGL ES 3.2 driver. It must never open our own library as the driver.
//!
//! # GL rules
//!
//! Every `unsafe` block around a driver call refers to these.
//!
//! 1. *Current.* A function that takes [`driver::Gl`] runs with a driver context of the session current on its thread. The client
//!    holds the session exclusively while it calls and calls `make_current` on a thread before anything else there; each of our
//!    contexts has a driver context of its own, so that a context that stays current on another thread is in nobody's way.
//! 2. *Names.* A driver name that is used is alive: tables and shadows drop a name before it is deleted.
//! 3. *Bytes.* A slice or pointer handed to the driver covers what the call reads or writes, and the driver keeps neither.
//!
//! Hard topics have pages in `docs/`.

pub mod backend;
mod blit;
mod block_arrays;
mod buffers;
mod caps;
mod clear;
mod clip_inputs;
mod context;
pub mod conv;
mod draw;
pub mod driver;
mod ext;
pub mod features;
mod framebuffers;
mod internal;
mod kept_programs;
mod lifetime;
mod logic_op;
mod noperspective;
mod one_dimension;
mod point_size;
mod programs;
mod readback;
mod render_state;
mod samplers;
mod session;
mod stream_output;
mod streams;
mod surfaces;
mod sync;
mod textures;
mod vertex;
mod vertex_inputs;
mod window;

pub use backend::{GlesBackend, Probe, open, probe};
pub use driver::{OpenError, OpenOptions, SystemEgl};
pub use features::HideList;
