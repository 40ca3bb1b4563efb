//! EGL 1.5: displays, configurations, contexts, surfaces, as exported C functions. It validates and keeps handles; contexts and drawables
//! themselves live in the session. Section numbers are those of EGL 1.5.
//!
//! Rules for the unsafe blocks: (1) a pointer that the application passes is null or points to what the function's C prototype says;
//! attribute lists end with EGL_NONE.

mod attribs;
mod below;
mod config;
mod context;
mod current;
mod device;
mod display;
mod proc_address;
mod state;
mod surface;
mod sync;
mod thread;
mod types;

pub use config::{CONFIGS, Config, MAX_PBUFFER};
pub use proc_address::own_address;
pub use state::Objects as CallingDown;
use thread::{fail, succeed};

/// While this lives, EGL functions that this thread is called with are a driver's.
pub fn calling_down() -> CallingDown {
    state::lock()
}
