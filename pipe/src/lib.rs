//! (to be written)
#![forbid(unsafe_code)]

pub mod program;
