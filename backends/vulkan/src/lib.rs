//! The Vulkan backend: MGPipe verbs on Vulkan 1.1 plus dynamic rendering. It must never read frontend state or compile GLSL.
//!
//! # Rules that the unsafe code relies on
//!
//! 1. **Lifetime.** A Vulkan object that a command buffer names is destroyed through [`trash`] only, after the serial of the last
//!    command buffer that may name it has retired.
//! 2. **Recording.** `Commands::cb` is in the recording state from `Commands::begin` to `Commands::submit`; nobody else holds it.
//! 3. **External synchronisation.** Every Vulkan object is reached through `&mut VulkanBackend`; the frontend's producer token gives
//!    that to one thread at a time. No Vulkan object is shared with another backend instance.
//! 4. **Structures.** Every pointer in a create-info structure points to a local that outlives the call.
//! 5. **Enabled.** An extension's function or feature is used only where [`features::Features`] says that it was enabled.
//! 6. **Dead device.** Objects are destroyed at the end only after `vkDeviceWaitIdle`.
#![deny(unsafe_code)]

mod backend;
mod blank;
mod blit;
mod broadcast;
mod buffers;
mod caps;
mod clear;
mod clip_distances;
mod commands;
mod conv;
mod convert;
mod copies;
mod debug;
mod depth;
mod descriptors;
mod device;
mod dispatch;
mod draw;
mod dynamic;
mod encodings;
mod exit;
mod features;
mod framebuffer;
mod images;
mod indices;
mod indirect;
mod internal;
mod memory;
mod orientation;
mod pipeline_cache;
mod pipelines;
mod programs;
mod queries;
mod readback;
mod resolve;
mod samplers;
mod stream_output;
mod surfaces;
mod swapchain;
mod sync;
mod texels;
mod trash;
mod uploads;
mod vertex;
mod views;
mod window;

pub use backend::{VulkanBackend, open};
pub use device::{OpenError, OpenOptions, Probe, probe};
pub use features::HideList;
