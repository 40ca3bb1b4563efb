//! The end of the process: no device may still work when destructors of the driver's libraries run. It destroys nothing.
//!
//! A process may return from `main` right after glFlush. A software device compiles and draws in threads of its own, and what its
//! compiler keeps in static objects is destroyed by handlers that the first use of each registers, in the middle of such work. Handlers
//! run last registered first, so one handler registered when the device is opened comes too late. Two things come early enough:
//!
//! * `exit` runs the destructors of the calling thread's thread-local objects before every handler: each thread that has submitted
//!   has one that waits ([`Submitter`]).
//! * For an end by another thread the handler is registered again as submissions retire, each time that their number has doubled:
//!   behind what the driver registered meanwhile, and some sixty times at most ([`retired`]). A software device's first submission
//!   with a pipeline is waited for, so that its compiler's first use is behind it.
//!
//! Queues are externally synchronised, so whoever uses one takes [`turn`] first. A forked child has none of the driver's threads and waits
//! for nothing.
#![allow(unsafe_code)]

use ash::vk;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

type Wait = unsafe extern "system" fn(vk::Device) -> vk::Result;

/// A device that is open.
#[derive(Debug)]
pub struct Open {
    device: vk::Device,
    wait_idle: Wait,
}

/// The process whose devices those are; 0 before the first. In a child of it the lock below may be one that nobody opens.
static PROCESS: AtomicU32 = AtomicU32::new(0);

static OPEN: Mutex<Vec<Open>> = Mutex::new(Vec::new());

/// The right to use queues, until it is dropped.
pub fn turn() -> MutexGuard<'static, Vec<Open>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on the end of the process waits for this device.
pub fn watch(device: &ash::Device) {
    let mut open = turn();
    let here = std::process::id();
    if PROCESS.swap(here, Ordering::Relaxed) != here {
        // Those of a parent are not there any more.
        open.clear();
    }
    open.push(Open {
        device: device.handle(),
        wait_idle: device.fp_v1_0().device_wait_idle,
    });
    drop(open);
    register();
}

/// The device is being closed.
pub fn forget(device: &ash::Device) {
    turn().retain(|open| open.device != device.handle());
}

/// This thread is about to submit: should it end the process, it waits before any handler runs.
pub fn submits() {
    // A thread whose thread-local objects are gone already is ending: the handlers follow.
    let _ = SUBMITTER.try_with(|_| ());
}

/// A submission has retired: what its work made the driver register is registered.
pub fn retired() {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    if (COUNT.fetch_add(1, Ordering::Relaxed) + 1).is_power_of_two() {
        register();
    }
}

/// Waits when its thread ends, by itself or with the process.
struct Submitter;

impl Drop for Submitter {
    fn drop(&mut self) {
        wait();
    }
}

thread_local! {
    static SUBMITTER: Submitter = const { Submitter };
}

fn register() {
    // SAFETY: `wait` is a function without arguments in this library, which stays loaded while a driver holds threads of it.
    if unsafe { libc::atexit(wait) } != 0 {
        tracing::warn!("vulkan: the process's end may not wait for the device");
    }
}

extern "C" fn wait() {
    if PROCESS.load(Ordering::Relaxed) != std::process::id() {
        return;
    }
    for open in turn().iter() {
        // SAFETY: the device is open: `forget` takes it out before it is destroyed. No queue is used meanwhile: this is our turn.
        let _ = unsafe { (open.wait_idle)(open.device) };
    }
}
