//! X11 as EGL and GLX need it: servers, their visuals and windows, the application's connection. It draws nothing and knows no backend.
//!
//! What the library asks a server goes over a connection of its own, so that no request, error or event of ours ever shows in the
//! application's. A drawable's id is the server's, whoever asks.

mod application;
mod server;
mod visual;
pub mod windows;
pub mod xlib;

pub use application::Connection;
pub use server::{Server, connect, session_server, use_in_session};
pub use visual::Visual;
