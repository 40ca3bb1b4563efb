//! GLX 1.4 on the application's Xlib connection, as exported C functions. It validates and keeps handles; contexts and drawables
//! themselves live in the session, as EGL's do. Nothing of GLX goes to the X server: to it we are a client that shows pictures.
//!
//! Titles are those of sections of GLX 1.4. Rules for the unsafe blocks: (1) a pointer that the application passes is null or points to
//! what the function's C prototype says; attribute lists end with None; a `Display` is open.

mod attribs;
mod config;
mod context;
mod current;
mod drawable;
mod errors;
mod missing;
mod proc_address;
mod query;
mod refused;
mod sgi;
mod state;
mod swap;
mod types;

pub use proc_address::address;
