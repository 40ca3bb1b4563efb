//! Buffers and images together with their memory: made and unmade here, used elsewhere.
#![allow(unsafe_code)]

use crate::device::Gpu;
use ash::vk;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, AllocationScheme};

/// A buffer and its memory.
#[derive(Debug)]
pub struct RawBuffer {
    pub buffer: vk::Buffer,
    pub size_bytes: u64,
    allocation: Allocation,
}

/// An image and its memory.
#[derive(Debug)]
pub struct RawImage {
    pub image: vk::Image,
    allocation: Allocation,
}

/// Any use that a GL buffer may come to: usage flags cost nothing on the drivers we know.
fn buffer_usage(gpu: &Gpu) -> vk::BufferUsageFlags {
    let mut usage = vk::BufferUsageFlags::TRANSFER_SRC
        | vk::BufferUsageFlags::TRANSFER_DST
        | vk::BufferUsageFlags::UNIFORM_TEXEL_BUFFER
        | vk::BufferUsageFlags::STORAGE_TEXEL_BUFFER
        | vk::BufferUsageFlags::UNIFORM_BUFFER
        | vk::BufferUsageFlags::STORAGE_BUFFER
        | vk::BufferUsageFlags::INDEX_BUFFER
        | vk::BufferUsageFlags::VERTEX_BUFFER
        | vk::BufferUsageFlags::INDIRECT_BUFFER;
    if gpu.features.ext.transform_feedback {
        usage |= vk::BufferUsageFlags::TRANSFORM_FEEDBACK_BUFFER_EXT
            | vk::BufferUsageFlags::TRANSFORM_FEEDBACK_COUNTER_BUFFER_EXT;
    }
    usage
}

impl RawBuffer {
    /// A buffer of at least one byte, a multiple of four for fills; `None` when memory is out (the reason stays in `gpu.lost`).
    pub fn new(
        gpu: &mut Gpu,
        size_bytes: u64,
        location: MemoryLocation,
        name: &str,
    ) -> Option<Self> {
        let info = vk::BufferCreateInfo::default()
            .size(size_bytes.max(1).next_multiple_of(4))
            .usage(buffer_usage(gpu))
            .sharing_mode(vk::SharingMode::EXCLUSIVE);
        // SAFETY: rule 4.
        let created = unsafe { gpu.device.create_buffer(&info, None) };
        let buffer = gpu.check(created)?;
        // SAFETY: the buffer was made from this device just now.
        let requirements = unsafe { gpu.device.get_buffer_memory_requirements(buffer) };
        let allocation = gpu
            .allocator
            .as_mut()?
            .allocate(&AllocationCreateDesc {
                name,
                requirements,
                location,
                linear: true,
                allocation_scheme: AllocationScheme::GpuAllocatorManaged,
            })
            .map_err(|_| vk::Result::ERROR_OUT_OF_DEVICE_MEMORY);
        let Some(allocation) = gpu.check(allocation) else {
            // SAFETY: rule 1 – never used.
            unsafe { gpu.device.destroy_buffer(buffer, None) };
            return None;
        };
        // SAFETY: the allocation fits the requirements and belongs to nothing else.
        let bound = unsafe {
            gpu.device
                .bind_buffer_memory(buffer, allocation.memory(), allocation.offset())
        };
        let made = Self {
            buffer,
            size_bytes,
            allocation,
        };
        if gpu.check(bound).is_none() {
            made.destroy(gpu);
            return None;
        }
        Some(made)
    }

    /// The bytes, where the host sees them without flushes.
    pub fn mapped(&self) -> Option<&[u8]> {
        self.coherent().then(|| self.allocation.mapped_slice())?
    }

    /// As [`Self::mapped`], to write. The caller knows that the GPU does not read those bytes meanwhile.
    pub fn mapped_mut(&mut self) -> Option<&mut [u8]> {
        self.coherent()
            .then(|| self.allocation.mapped_slice_mut())?
    }

    fn coherent(&self) -> bool {
        self.allocation.memory_properties().contains(
            vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT,
        )
    }

    /// Ends it.
    pub fn destroy(self, gpu: &mut Gpu) {
        // SAFETY: rule 1 – called by the trash after retirement, or for a buffer that was never used.
        unsafe { gpu.device.destroy_buffer(self.buffer, None) };
        if let Some(allocator) = gpu.allocator.as_mut() {
            // The allocator only refuses what it did not hand out.
            let _ = allocator.free(self.allocation);
        }
    }
}

impl RawImage {
    /// An image; `None` when memory is out.
    pub fn new(gpu: &mut Gpu, info: &vk::ImageCreateInfo<'_>, name: &str) -> Option<Self> {
        // SAFETY: rule 4.
        let created = unsafe { gpu.device.create_image(info, None) };
        let image = gpu.check(created)?;
        // SAFETY: the image was made from this device just now.
        let requirements = unsafe { gpu.device.get_image_memory_requirements(image) };
        let allocation = gpu
            .allocator
            .as_mut()?
            .allocate(&AllocationCreateDesc {
                name,
                requirements,
                location: MemoryLocation::GpuOnly,
                linear: false,
                allocation_scheme: AllocationScheme::GpuAllocatorManaged,
            })
            .map_err(|_| vk::Result::ERROR_OUT_OF_DEVICE_MEMORY);
        let Some(allocation) = gpu.check(allocation) else {
            // SAFETY: rule 1 – never used.
            unsafe { gpu.device.destroy_image(image, None) };
            return None;
        };
        // SAFETY: the allocation fits the requirements and belongs to nothing else.
        let bound = unsafe {
            gpu.device
                .bind_image_memory(image, allocation.memory(), allocation.offset())
        };
        let made = Self { image, allocation };
        if gpu.check(bound).is_none() {
            made.destroy(gpu);
            return None;
        }
        Some(made)
    }

    /// Ends it.
    pub fn destroy(self, gpu: &mut Gpu) {
        // SAFETY: rule 1 – as for buffers.
        unsafe { gpu.device.destroy_image(self.image, None) };
        if let Some(allocator) = gpu.allocator.as_mut() {
            // As for buffers.
            let _ = allocator.free(self.allocation);
        }
    }
}
