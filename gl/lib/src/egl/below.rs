//! The system's EGL, for drivers below. Where this library stands in for libEGL, a driver that opens libEGL by name gets ours, though it
//! means its own: NVIDIA's Vulkan driver does that to find its devices, and is none without. A call that comes from inside of ours, on
//! the same thread, is such a driver's: it goes to the system's library. Nothing of the application's ever goes there.

use super::state::is_driver_calling;
use backend_gles::SystemEgl;
use std::ffi::c_void;
use std::sync::OnceLock;

/// Address of the system's function of this name; `None`: the application is calling, or there is no such function.
pub fn function(name: &str) -> Option<*const c_void> {
    static SYSTEM: OnceLock<Option<SystemEgl>> = OnceLock::new();
    if !is_driver_calling() {
        return None;
    }
    SYSTEM.get_or_init(SystemEgl::open).as_ref()?.address(name)
}

/// Hands a call of a driver below on; returns from the function then.
macro_rules! for_system {
    ($name:ident($($arg:ident: $ty:ty),*) -> $ret:ty) => {
        if let Some(address) = super::below::function(stringify!($name)) {
            type Function = unsafe extern "C" fn($($ty),*) -> $ret;
            // SAFETY: the system's function of this name has EGL's prototype, as ours has.
            let function = unsafe { std::mem::transmute::<*const std::ffi::c_void, Function>(address) };
            // SAFETY: rule 1, with the driver as the application.
            return unsafe { function($($arg),*) };
        }
    };
}
pub(super) use for_system;
