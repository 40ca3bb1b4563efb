//! The stream ring: host-visible bytes that live until the command buffer that reads them has retired. It records no command.

use crate::commands::Commands;
use crate::device::Gpu;
use crate::memory::RawBuffer;
use crate::trash::{Garbage, Trash};
use ash::vk;
use gpu_allocator::MemoryLocation;

/// Size of a chunk; larger requests get a buffer of their own. A frame of a few thousand draws streams about this much.
const CHUNK_BYTES: u64 = 1 << 20;

/// Where bytes lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    pub buffer: vk::Buffer,
    pub offset_bytes: u64,
}

#[derive(Debug)]
struct Chunk {
    raw: RawBuffer,
    used_bytes: u64,
    /// Last command buffer that reads it.
    serial: u64,
}

/// Chunks in turn.
#[derive(Debug, Default)]
pub struct StreamRing {
    chunks: Vec<Chunk>,
    current: usize,
}

impl StreamRing {
    /// Room for `size_bytes`, filled by `fill`. `None`: out of memory.
    pub fn fill(
        &mut self,
        gpu: &mut Gpu,
        commands: &Commands,
        trash: &mut Trash,
        size_bytes: u64,
        align: u64,
        fill: impl FnOnce(&mut [u8]),
    ) -> Option<Slice> {
        if size_bytes > CHUNK_BYTES / 2 {
            let mut raw = RawBuffer::new(gpu, size_bytes, MemoryLocation::CpuToGpu, "stream")?;
            let buffer = raw.buffer;
            if let Some(bytes) = raw.mapped_mut() {
                fill(&mut bytes[..size_bytes as usize]);
            }
            trash.push(commands.serial(), Garbage::Buffer(raw));
            return Some(Slice {
                buffer,
                offset_bytes: 0,
            });
        }
        let chunk = self.chunk_with_room(gpu, commands, size_bytes, align)?;
        let chunk = &mut self.chunks[chunk];
        let start = chunk.used_bytes.next_multiple_of(align);
        chunk.used_bytes = start + size_bytes;
        chunk.serial = commands.serial();
        let buffer = chunk.raw.buffer;
        if let Some(bytes) = chunk.raw.mapped_mut() {
            fill(&mut bytes[start as usize..(start + size_bytes) as usize]);
        }
        Some(Slice {
            buffer,
            offset_bytes: start,
        })
    }

    fn chunk_with_room(
        &mut self,
        gpu: &mut Gpu,
        commands: &Commands,
        size_bytes: u64,
        align: u64,
    ) -> Option<usize> {
        let fits = |c: &Chunk| c.used_bytes.next_multiple_of(align) + size_bytes <= CHUNK_BYTES;
        if self.chunks.get(self.current).is_some_and(fits) {
            return Some(self.current);
        }
        let completed = commands.completed();
        if let Some(free) = self.chunks.iter().position(|c| c.serial <= completed) {
            self.chunks[free].used_bytes = 0;
            self.current = free;
        } else {
            let raw = RawBuffer::new(gpu, CHUNK_BYTES, MemoryLocation::CpuToGpu, "stream")?;
            self.current = self.chunks.len();
            self.chunks.push(Chunk {
                raw,
                used_bytes: 0,
                serial: 0,
            });
        }
        Some(self.current)
    }

    /// Ends the ring; the device is idle.
    pub fn destroy(&mut self, gpu: &mut Gpu) {
        for chunk in self.chunks.drain(..) {
            chunk.raw.destroy(gpu);
        }
    }
}
