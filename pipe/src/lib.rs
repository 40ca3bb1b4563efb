//! The interface between the frontend and the backends; it must know neither of them.

#![forbid(unsafe_code)]

pub mod formats;
pub mod pixels;
pub mod program;
