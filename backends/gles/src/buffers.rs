//! Buffers: one driver buffer per handle, whose name stays while its storage changes. It must never answer with bytes that the driver has not.

use crate::driver::Gl;
use backend_common::{TwinKey, TwinTable};
use glow::HasContext;
use pipe::{BufferId, ResourceDesc, WHOLE};

/// A driver buffer.
#[derive(Clone, Copy, Debug)]
pub struct Buffer {
    pub name: glow::NativeBuffer,
    pub size_bytes: u64,
}

/// All buffers of the session.
#[derive(Debug)]
pub struct Buffers {
    table: TwinTable<BufferId, Buffer>,
}

/// The number of a name, for calls of the `ext` table.
pub fn raw(name: glow::NativeBuffer) -> u32 {
    name.0.get()
}

impl Buffers {
    /// An empty table of the given keying.
    pub fn new(key: TwinKey) -> Self {
        Self {
            table: TwinTable::new(key),
        }
    }

    /// The driver's buffer.
    #[inline]
    pub fn get(&self, id: BufferId) -> Option<&Buffer> {
        self.table.get(id)
    }

    /// Gives a buffer storage of the described size; contents are undefined. `Err`: out of memory; else a name to delete.
    pub fn specify(
        &mut self,
        gl: &Gl,
        id: BufferId,
        desc: &ResourceDesc,
    ) -> Result<Option<glow::NativeBuffer>, ()> {
        let name = match self.table.take(id) {
            Some(buffer) => buffer.name,
            None => {
                // SAFETY: GL rule 1.
                match unsafe { gl.create_buffer() } {
                    Ok(name) => name,
                    Err(_) => return Err(()),
                }
            }
        };
        let usage = if desc.usage == 0 {
            glow::DYNAMIC_DRAW
        } else {
            desc.usage
        };
        // SAFETY: GL rules 1 and 2; no pointer is read.
        let error = unsafe {
            gl.bind_buffer(glow::COPY_WRITE_BUFFER, Some(name));
            gl.ext.buffer_data(
                glow::COPY_WRITE_BUFFER,
                desc.size_bytes as isize,
                std::ptr::null(),
                usage,
            );
            gl.get_error()
        };
        let buffer = Buffer {
            name,
            size_bytes: desc.size_bytes,
        };
        let unwanted = self.table.insert_with_lifetime(id, desc.lifetime, buffer);
        if error == glow::OUT_OF_MEMORY {
            return Err(());
        }
        Ok(unwanted.map(|buffer| buffer.name))
    }

    /// Writes a range.
    pub fn write(&mut self, gl: &Gl, id: BufferId, offset: u64, bytes: &[u8]) {
        let Some(buffer) = self.table.get(id) else {
            return;
        };
        if bytes.is_empty() || offset + bytes.len() as u64 > buffer.size_bytes {
            return;
        }
        // SAFETY: GL rules 1 and 2; `bytes` covers the size given.
        unsafe {
            gl.bind_buffer(glow::COPY_WRITE_BUFFER, Some(buffer.name));
            gl.ext.buffer_sub_data(
                glow::COPY_WRITE_BUFFER,
                offset as isize,
                bytes.len() as isize,
                bytes.as_ptr().cast(),
            );
        }
    }

    /// Reads a range; waits for the GPU. `false`: there are no such bytes.
    pub fn read(&self, gl: &Gl, id: BufferId, offset: u64, out: &mut [u8]) -> bool {
        let Some(buffer) = self.table.get(id) else {
            return false;
        };
        if offset + out.len() as u64 > buffer.size_bytes {
            return false;
        }
        if out.is_empty() {
            return true;
        }
        // SAFETY: GL rules 1 and 2.
        let from = unsafe {
            gl.bind_buffer(glow::COPY_READ_BUFFER, Some(buffer.name));
            gl.ext.map_buffer_range(
                glow::COPY_READ_BUFFER,
                offset as isize,
                out.len() as isize,
                glow::MAP_READ_BIT,
            )
        };
        if from.is_null() {
            return false;
        }
        // SAFETY: the driver mapped `out.len()` readable bytes at `from`; the two ranges are different memory.
        unsafe { std::ptr::copy_nonoverlapping(from.cast::<u8>(), out.as_mut_ptr(), out.len()) };
        // SAFETY: GL rule 1; the buffer is still bound and mapped.
        unsafe { gl.unmap_buffer(glow::COPY_READ_BUFFER) };
        true
    }

    /// Copies between buffers, or within one between ranges that do not overlap (the client checked).
    pub fn copy(&self, gl: &Gl, src: BufferId, dst: BufferId, from: u64, to: u64, size: u64) {
        let (Some(src), Some(dst)) = (self.table.get(src), self.table.get(dst)) else {
            return;
        };
        // SAFETY: GL rules 1 and 2.
        unsafe {
            gl.bind_buffer(glow::COPY_READ_BUFFER, Some(src.name));
            gl.bind_buffer(glow::COPY_WRITE_BUFFER, Some(dst.name));
            gl.ext.copy_buffer_sub_data(
                glow::COPY_READ_BUFFER,
                glow::COPY_WRITE_BUFFER,
                from as isize,
                to as isize,
                size as isize,
            );
        }
    }

    /// Forgets a handle; the caller deletes the driver's name.
    pub fn remove(&mut self, id: BufferId) -> Option<glow::NativeBuffer> {
        self.table.remove(id).map(|buffer| buffer.name)
    }

    /// Names whose handles ended earlier, for the keying that finds out late; the caller deletes them. Once a frame.
    pub fn collect(&mut self) -> Vec<glow::NativeBuffer> {
        let mut dead = Vec::new();
        self.table.collect(&mut dead);
        dead.into_iter().map(|buffer| buffer.name).collect()
    }
}

impl Buffer {
    /// The part of a range that lies in the buffer, as (offset, size).
    pub fn clip(&self, offset: u64, size: u64) -> (isize, isize) {
        let offset = offset.min(self.size_bytes);
        let left = self.size_bytes - offset;
        let size = if size == WHOLE { left } else { size.min(left) };
        (offset as isize, size as isize)
    }
}
