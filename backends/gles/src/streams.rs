//! Streams: driver memory for bytes that live for one draw (client arrays, client indices, default uniform blocks).
//! Nothing that the GPU may still read, or that the draw being prepared refers to, is ever overwritten.
//!
//! A stream belongs to one driver context: its fences say nothing about other contexts' commands.

use crate::driver::Gl;
use glow::HasContext;
use std::ffi::c_void;

/// A ring of a few buffers, filled one after the other.
#[derive(Debug)]
pub struct Stream {
    slots: [Option<Slot>; BUFFERS],
    current: usize,
    at: usize,
    /// Buffers for single uploads that a slot cannot take, and for all where the driver maps nothing persistently.
    orphans: [Option<Orphan>; BUFFERS],
    orphan: usize,
    orphan_at: usize,
    wraps: u64,
}

/// 4 MiB: a few frames of uniform blocks of a large scene.
const SIZE: usize = 4 << 20;
/// What one draw pushes spans two slots at most, and the GPU may be two more behind before anyone waits.
const BUFFERS: usize = 4;

/// A buffer that stays mapped.
#[derive(Debug)]
struct Slot {
    name: glow::NativeBuffer,
    map: *mut u8,
    /// Behind the last draw that may read the slot; set when the stream leaves it.
    fence: Option<glow::NativeFence>,
}

/// A buffer that is mapped for each upload and takes fresh storage when it is full.
#[derive(Clone, Copy, Debug)]
struct Orphan {
    name: glow::NativeBuffer,
    size: usize,
}

// SAFETY: the mapping belongs to the driver's buffer, not to a thread (EXT_buffer_storage), and only the owner writes to it.
unsafe impl Send for Slot {}

const PERSISTENT: u32 = glow::MAP_WRITE_BIT | glow::MAP_PERSISTENT_BIT | glow::MAP_COHERENT_BIT;

impl Stream {
    /// An empty stream.
    pub const fn new() -> Self {
        Self {
            slots: [const { None }; BUFFERS],
            current: BUFFERS - 1,
            at: SIZE,
            orphans: [None; BUFFERS],
            orphan: 0,
            orphan_at: 0,
            wraps: 0,
        }
    }

    /// How often a buffer was taken anew: what was pushed before the last time may be gone.
    pub fn wraps(&self) -> u64 {
        self.wraps
    }

    /// Puts `bytes` at a multiple of `alignment` and says where they are. `None`: the driver has no memory.
    pub fn push(
        &mut self,
        gl: &Gl,
        bytes: &[u8],
        alignment: usize,
    ) -> Option<(glow::NativeBuffer, usize)> {
        let alignment = alignment.max(1);
        if !gl.features.buffer_storage || bytes.len() > SIZE {
            return self.push_orphan(gl, bytes, alignment);
        }
        let mut at = self.at.next_multiple_of(alignment);
        if at + bytes.len() > SIZE {
            self.next_slot(gl)?;
            at = 0;
        }
        let slot = self.slots[self.current].as_ref()?;
        self.at = at + bytes.len();
        // SAFETY: [at, at + n) lies in the mapping of SIZE bytes, and no draw was given this range since the slot was taken.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), slot.map.add(at), bytes.len()) };
        Some((slot.name, at))
    }

    /// Takes the next slot, once the GPU is done with what it held.
    fn next_slot(&mut self, gl: &Gl) -> Option<()> {
        if let Some(left) = &mut self.slots[self.current] {
            // SAFETY: GL rule 1.
            left.fence = unsafe { gl.fence_sync(glow::SYNC_GPU_COMMANDS_COMPLETE, 0) }.ok();
        }
        self.current = (self.current + 1) % BUFFERS;
        self.wraps += 1;
        self.at = 0;
        if let Some(slot) = &mut self.slots[self.current] {
            if let Some(fence) = slot.fence.take() {
                wait(gl, fence);
            }
            return Some(());
        }
        // SAFETY: GL rules 1 and 2; the feature was tested by the caller, no pointer is read.
        let (name, map) = unsafe {
            let name = gl.create_buffer().ok()?;
            gl.bind_buffer(glow::COPY_WRITE_BUFFER, Some(name));
            let target = glow::COPY_WRITE_BUFFER;
            gl.ext
                .buffer_storage(target, SIZE as isize, std::ptr::null(), PERSISTENT);
            let map = gl
                .ext
                .map_buffer_range(target, 0, SIZE as isize, PERSISTENT);
            (name, map.cast::<u8>())
        };
        if map.is_null() {
            // SAFETY: GL rules 1 and 2.
            unsafe { gl.delete_buffer(name) };
            return None;
        }
        self.slots[self.current] = Some(Slot {
            name,
            map,
            fence: None,
        });
        Some(())
    }

    fn push_orphan(
        &mut self,
        gl: &Gl,
        bytes: &[u8],
        alignment: usize,
    ) -> Option<(glow::NativeBuffer, usize)> {
        let mut at = self.orphan_at.next_multiple_of(alignment);
        let name = match self.orphans[self.orphan] {
            Some(Orphan { name, size }) if at + bytes.len() <= size => {
                // SAFETY: GL rules 1 and 2.
                unsafe { gl.bind_buffer(glow::COPY_WRITE_BUFFER, Some(name)) };
                name
            }
            _ => {
                at = 0;
                self.next_orphan(gl, bytes.len())?
            }
        };
        self.orphan_at = at + bytes.len();
        if bytes.is_empty() {
            return Some((name, at));
        }
        // SAFETY: GL rule 1. Unsynchronised: the range was never handed out since the storage is this old.
        let to: *mut c_void = unsafe {
            gl.ext.map_buffer_range(
                glow::COPY_WRITE_BUFFER,
                at as isize,
                bytes.len() as isize,
                glow::MAP_WRITE_BIT | glow::MAP_UNSYNCHRONIZED_BIT | glow::MAP_INVALIDATE_RANGE_BIT,
            )
        };
        if to.is_null() {
            return None;
        }
        // SAFETY: the driver mapped `bytes.len()` writable bytes at `to`.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to.cast::<u8>(), bytes.len()) };
        // SAFETY: GL rule 1; bound and mapped above.
        unsafe { gl.unmap_buffer(glow::COPY_WRITE_BUFFER) };
        Some((name, at))
    }

    /// Binds the next orphan, with fresh storage of at least `bytes`.
    fn next_orphan(&mut self, gl: &Gl, bytes: usize) -> Option<glow::NativeBuffer> {
        self.orphan = (self.orphan + 1) % BUFFERS;
        self.wraps += 1;
        let name = match self.orphans[self.orphan] {
            Some(Orphan { name, .. }) => name,
            // SAFETY: GL rule 1.
            None => unsafe { gl.create_buffer() }.ok()?,
        };
        let size = SIZE.max(bytes.next_power_of_two());
        self.orphans[self.orphan] = Some(Orphan { name, size });
        // SAFETY: GL rules 1 and 2; no pointer is read.
        unsafe {
            gl.bind_buffer(glow::COPY_WRITE_BUFFER, Some(name));
            gl.ext.buffer_data(
                glow::COPY_WRITE_BUFFER,
                size as isize,
                std::ptr::null(),
                glow::STREAM_DRAW,
            );
        }
        Some(name)
    }

    /// Driver names, for the end of the context.
    pub fn names(&self) -> impl Iterator<Item = glow::NativeBuffer> {
        let slots = self.slots.iter().flatten().map(|slot| slot.name);
        slots.chain(self.orphans.iter().flatten().map(|orphan| orphan.name))
    }
}

/// Waits until the GPU has passed a fence, and says that it had to.
fn wait(gl: &Gl, fence: glow::NativeFence) {
    const MILLISECOND: u64 = 1_000_000;
    let sync = fence.0.cast();
    // SAFETY: GL rules 1 and 2.
    unsafe {
        let mut status = gl.ext.client_wait_sync(sync, 0, 0);
        let waits = status == glow::TIMEOUT_EXPIRED;
        let _zone = waits.then(|| tracing::debug_span!("stall: stream").entered());
        if waits {
            tracing::debug!("stall: the stream's oldest buffer is still read by the GPU");
        }
        while status == glow::TIMEOUT_EXPIRED {
            status =
                gl.ext
                    .client_wait_sync(sync, glow::SYNC_FLUSH_COMMANDS_BIT, 100 * MILLISECOND);
        }
        gl.delete_sync(fence);
    }
}
