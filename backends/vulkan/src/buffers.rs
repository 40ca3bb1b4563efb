//! Buffer objects: storage, contents, copies, bytes back to the host. It decides how bytes travel; the client never does.
//!
//! An upload takes the first way that is right: written in place when the GPU has no use of the buffer pending and the host sees its
//! memory; into fresh memory when all of it is replaced; else through the stream ring and a copy in order with the commands.
#![allow(unsafe_code)]

use crate::backend::VulkanBackend;
use crate::commands::{Access, Hazard};
use crate::memory::RawBuffer;
use crate::trash::Garbage;
use ash::vk;
use gpu_allocator::MemoryLocation;
use pipe::{BufferId, CopyRegion, ResourceDesc};

/// Storage of a buffer object.
#[derive(Debug)]
pub struct Buffer {
    pub raw: RawBuffer,
    pub hazard: Hazard,
    /// Serial of the last command buffer that uses it.
    pub last_use: u64,
    /// Serial of the last command buffer that writes it.
    pub last_write: u64,
    /// Moves with every change of contents that is known here.
    pub content_version: u64,
    location: MemoryLocation,
    /// Nothing wrote it since it was specified: zeros are due before anything can see it.
    pub blank: bool,
}

const GL_STREAM_DRAW: u32 = 0x88E0;
const GL_DYNAMIC_DRAW: u32 = 0x88E8;

impl VulkanBackend {
    /// Gives a buffer storage of the described size: zeros, made when they are needed.
    pub(crate) fn specify_buffer(&mut self, id: BufferId, desc: &ResourceDesc) {
        if desc.size_bytes == 0 {
            self.destroy_buffer(id);
            return;
        }
        let version = self.next_version();
        if let Some(buffer) = self.buffers.get_mut(id)
            && buffer.raw.size_bytes == desc.size_bytes
            && buffer.last_use <= self.commands.completed()
        {
            buffer.blank = true;
            buffer.content_version = version;
            return;
        }
        let location = match desc.usage {
            GL_STREAM_DRAW | GL_DYNAMIC_DRAW => MemoryLocation::CpuToGpu,
            _ if self.gpu.unified => MemoryLocation::CpuToGpu,
            _ => MemoryLocation::GpuOnly,
        };
        let old = self.buffers.take(id);
        self.retire_buffer(old);
        let Some(raw) = RawBuffer::new(&mut self.gpu, desc.size_bytes, location, "buffer") else {
            self.report_lost("buffer storage");
            return;
        };
        let unwanted = self.buffers.insert_with_lifetime(
            id,
            desc.lifetime,
            Buffer {
                raw,
                hazard: Hazard::default(),
                last_use: 0,
                last_write: 0,
                content_version: version,
                location,
                blank: true,
            },
        );
        self.retire_buffer(unwanted);
    }

    /// Gives storage up when the GPU is done with it.
    fn retire_buffer(&mut self, buffer: Option<Buffer>) {
        if let Some(buffer) = buffer {
            self.trash
                .push(self.commands.serial(), Garbage::Buffer(buffer.raw));
            self.world += 1;
        }
    }

    /// Gives storage up.
    pub(crate) fn destroy_buffer(&mut self, id: BufferId) {
        let buffer = self.buffers.remove(id);
        self.retire_buffer(buffer);
    }

    /// Writes a range. Bytes beyond the storage are cut off: the client validated, a race of ours must not write elsewhere.
    pub(crate) fn write_buffer(&mut self, id: BufferId, offset: u64, bytes: &[u8]) {
        let version = self.next_version();
        let completed = self.commands.completed();
        let Some(buffer) = self.buffers.get_mut(id) else {
            return;
        };
        let size = buffer.raw.size_bytes;
        if offset >= size || bytes.is_empty() {
            return;
        }
        let bytes = &bytes[..bytes.len().min((size - offset) as usize)];
        if bytes.len() as u64 == size {
            buffer.blank = false;
        } else if self.make_zero_bytes(id).is_none() {
            return;
        }
        let Some(buffer) = self.buffers.get_mut(id) else {
            return;
        };
        buffer.content_version = version;
        if buffer.last_use > completed {
            self.commands.poll(&mut self.gpu);
        }
        let completed = self.commands.completed();
        if buffer.last_use <= completed
            && let Some(mapped) = buffer.raw.mapped_mut()
        {
            mapped[offset as usize..offset as usize + bytes.len()].copy_from_slice(bytes);
            return;
        }
        if bytes.len() as u64 == size && buffer.location == MemoryLocation::CpuToGpu {
            let fresh = RawBuffer::new(&mut self.gpu, size, buffer.location, "buffer");
            if let Some(mut fresh) = fresh
                && let Some(mapped) = fresh.mapped_mut()
            {
                mapped[..bytes.len()].copy_from_slice(bytes);
                let old = std::mem::replace(&mut buffer.raw, fresh);
                buffer.hazard = Hazard::default();
                buffer.last_use = 0;
                buffer.last_write = 0;
                self.trash
                    .push(self.commands.serial(), Garbage::Buffer(old));
                self.world += 1;
                return;
            }
        }
        let Some(slice) = self.stage(bytes, 4) else {
            return;
        };
        let Some(cb) = self.outside() else { return };
        let Some(buffer) = self.buffers.get_mut(id) else {
            return;
        };
        self.commands
            .sync(&mut self.gpu, &mut buffer.hazard, Access::Write);
        buffer.last_use = self.commands.serial();
        buffer.last_write = buffer.last_use;
        let regions = [vk::BufferCopy {
            src_offset: slice.offset_bytes,
            dst_offset: offset,
            size: bytes.len() as u64,
        }];
        // SAFETY: rules 1 and 2; the range lies within the storage.
        unsafe {
            self.gpu
                .device
                .cmd_copy_buffer(cb, slice.buffer, buffer.raw.buffer, &regions);
        }
    }

    /// glCopyBufferSubData.
    pub(crate) fn copy_buffer(&mut self, src: BufferId, dst: BufferId, p: &CopyRegion) {
        self.make_zero_bytes(src);
        self.make_zero_bytes(dst);
        let Some(cb) = self.outside() else { return };
        let version = self.next_version();
        let serial = self.commands.serial();
        let Some(from) = self.buffers.get_mut(src) else {
            return;
        };
        self.commands
            .sync(&mut self.gpu, &mut from.hazard, Access::Read);
        from.last_use = serial;
        let from = from.raw.buffer;
        let Some(to) = self.buffers.get_mut(dst) else {
            return;
        };
        self.commands
            .sync(&mut self.gpu, &mut to.hazard, Access::Write);
        to.last_use = serial;
        to.last_write = serial;
        to.content_version = version;
        let regions = [vk::BufferCopy {
            src_offset: p.src_offset_bytes,
            dst_offset: p.dst_offset_bytes,
            size: p.size_bytes,
        }];
        // SAFETY: rules 1 and 2; the client checked the ranges (GL 4.6 core §6.6).
        unsafe {
            self.gpu
                .device
                .cmd_copy_buffer(cb, from, to.raw.buffer, &regions);
        }
    }

    /// Bytes of a buffer as the GPU left them: waits.
    pub(crate) fn read_buffer(&mut self, id: BufferId, offset: u64, out: &mut [u8]) -> bool {
        self.make_zero_bytes(id);
        let Some(buffer) = self.buffers.get(id) else {
            return false;
        };
        let end = (offset + out.len() as u64).min(buffer.raw.size_bytes);
        let Some(len) = end.checked_sub(offset).filter(|len| *len > 0) else {
            return true;
        };
        let last_write = buffer.last_write;
        if buffer.raw.mapped().is_some() {
            if last_write > self.commands.completed() {
                self.finish(last_write);
            }
            let mapped = self.buffers.get(id).and_then(|b| b.raw.mapped());
            if let Some(mapped) = mapped {
                let range = offset as usize..end as usize;
                out[..len as usize].copy_from_slice(&mapped[range]);
            }
            return true;
        }
        let Some(cb) = self.outside() else {
            return false;
        };
        let Some(host) = RawBuffer::new(&mut self.gpu, len, MemoryLocation::GpuToCpu, "readback")
        else {
            return false;
        };
        let serial = self.commands.serial();
        if let Some(buffer) = self.buffers.get_mut(id) {
            self.commands
                .sync(&mut self.gpu, &mut buffer.hazard, Access::Read);
            buffer.last_use = serial;
            let regions = [vk::BufferCopy {
                src_offset: offset,
                dst_offset: 0,
                size: len,
            }];
            // SAFETY: rules 1 and 2; the range was cut to the storage above.
            unsafe {
                self.gpu
                    .device
                    .cmd_copy_buffer(cb, buffer.raw.buffer, host.buffer, &regions);
            }
        }
        self.finish(serial);
        if let Some(mapped) = host.mapped() {
            out[..len as usize].copy_from_slice(&mapped[..len as usize]);
        }
        self.trash.push(serial, Garbage::Buffer(host));
        true
    }
}
