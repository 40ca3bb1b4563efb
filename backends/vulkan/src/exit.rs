//! The end of the process: no device may still work then. It destroys nothing.
//!
//! A process may return from `main` right after glFlush. The driver's own threads (a software device compiles and draws in them) would
//! go on while the destructors of the driver's libraries run. Handlers of `atexit` run last registered first, so one that is
//! registered after the driver was opened runs before them.
#![allow(unsafe_code)]

use ash::vk;
use std::sync::{Mutex, Once, PoisonError};

type Wait = unsafe extern "system" fn(vk::Device) -> vk::Result;

/// Devices that are open, each with its driver's function.
static OPEN: Mutex<Vec<(vk::Device, Wait)>> = Mutex::new(Vec::new());

/// From now on the end of the process waits for this device.
pub fn watch(device: &ash::Device) {
    static ONCE: Once = Once::new();
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    open.push((device.handle(), device.fp_v1_0().device_wait_idle));
    drop(open);
    ONCE.call_once(|| {
        // SAFETY: `wait` is a function without arguments in this library, which stays loaded while a driver holds threads of it.
        if unsafe { libc::atexit(wait) } != 0 {
            tracing::warn!("vulkan: the process's end will not wait for the device");
        }
    });
}

/// The device is being closed.
pub fn forget(device: &ash::Device) {
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    open.retain(|(handle, _)| *handle != device.handle());
}

extern "C" fn wait() {
    let open = std::mem::take(&mut *OPEN.lock().unwrap_or_else(PoisonError::into_inner));
    for (device, wait_idle) in open {
        // SAFETY: the device is open: `forget` takes it out before it is destroyed. A thread that submits while the process ends
        // breaks the rule that queues are used by one thread; there the end would not be safer without the wait.
        let _ = unsafe { wait_idle(device) };
    }
}
