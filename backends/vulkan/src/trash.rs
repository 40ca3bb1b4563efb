//! Deferred destruction: objects that recorded commands may still name wait here until their serial has retired.
#![allow(unsafe_code)]

use crate::device::Gpu;
use crate::memory::{RawBuffer, RawImage};
use ash::vk;
use backend_common::Deferred;

/// An object to be destroyed.
#[derive(Debug)]
pub enum Garbage {
    Buffer(RawBuffer),
    Image(RawImage),
    ImageView(vk::ImageView),
    BufferView(vk::BufferView),
    Sampler(vk::Sampler),
    Pipeline(vk::Pipeline),
    PipelineLayout(vk::PipelineLayout),
    SetLayout(vk::DescriptorSetLayout),
    ShaderModule(vk::ShaderModule),
    QueryPool(vk::QueryPool),
}

impl Garbage {
    /// Destroys it now; the caller knows that no pending command names it.
    pub fn destroy(self, gpu: &mut Gpu) {
        match self {
            Self::Buffer(buffer) => buffer.destroy(gpu),
            Self::Image(image) => image.destroy(gpu),
            // SAFETY: rule 1.
            Self::ImageView(view) => unsafe { gpu.device.destroy_image_view(view, None) },
            // SAFETY: rule 1.
            Self::BufferView(view) => unsafe { gpu.device.destroy_buffer_view(view, None) },
            // SAFETY: rule 1.
            Self::Sampler(sampler) => unsafe { gpu.device.destroy_sampler(sampler, None) },
            // SAFETY: rule 1.
            Self::Pipeline(pipeline) => unsafe { gpu.device.destroy_pipeline(pipeline, None) },
            // SAFETY: rule 1.
            Self::PipelineLayout(layout) => unsafe {
                gpu.device.destroy_pipeline_layout(layout, None);
            },
            // SAFETY: rule 1.
            Self::SetLayout(layout) => unsafe {
                gpu.device.destroy_descriptor_set_layout(layout, None);
            },
            // SAFETY: rule 1.
            Self::ShaderModule(module) => unsafe { gpu.device.destroy_shader_module(module, None) },
            // SAFETY: rule 1.
            Self::QueryPool(pool) => unsafe { gpu.device.destroy_query_pool(pool, None) },
        }
    }
}

/// Objects in the order in which they were given up.
#[derive(Debug, Default)]
pub struct Trash {
    waiting: Deferred<Garbage>,
}

impl Trash {
    /// Gives an object up; `serial` is the command buffer being recorded, the last that may name it.
    pub fn push(&mut self, serial: u64, garbage: Garbage) {
        self.waiting.push(serial, garbage);
    }

    /// Destroys what waited for serials up to `completed`.
    pub fn collect(&mut self, gpu: &mut Gpu, completed: u64) {
        self.waiting
            .retire(completed, |garbage| garbage.destroy(gpu));
    }
}
