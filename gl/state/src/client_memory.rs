//! Application memory: the only reader of it. It reads ranges that a command computed from the application's own arguments,
//! and for a verb only the ranges that were registered for that verb.
//!
//! Rules for every unsafe block here:
//! 1. The application passed the address to a GL command whose specification makes it readable (or writable) for the computed size.
//! 2. A slice made here does not outlive the command or verb it was made for.

use pipe::{HostBytes, HostSpan};

/// Copies `size` bytes that a GL command may read.
///
/// # Safety
/// `address` must be readable for `size` bytes (rule 1).
pub unsafe fn copy_from(address: u64, size: usize) -> Vec<u8> {
    if size == 0 || address == 0 {
        return Vec::new();
    }
    // SAFETY: rule 1, passed on to the caller.
    unsafe { std::slice::from_raw_parts(address as *const u8, size) }.to_vec()
}

/// Ranges of client memory that the verb in progress may read.
#[derive(Debug, Default)]
pub struct ClientMemory {
    ranges: Vec<(u64, u64)>,
}

impl ClientMemory {
    /// Registers a range for the verb in progress and names it.
    ///
    /// # Safety
    /// The range must stay readable until [`Self::clear`] (rule 1).
    pub unsafe fn register(&mut self, address: u64, size_bytes: u64) -> HostSpan {
        self.ranges.push((address, size_bytes));
        HostSpan {
            segment: pipe::host::SEGMENT_FRONTEND,
            _pad: 0,
            offset: address,
            size_bytes,
        }
    }

    /// Registers what the verb in progress reads from an address on, as far as the executing side finds that it reads.
    ///
    /// # Safety
    /// What the verb reads by its specification must stay readable until [`Self::clear`] (rule 1).
    pub unsafe fn register_open(&mut self, address: u64) -> HostSpan {
        // SAFETY: passed on to the caller: the range that is asked for in the end is what the verb reads.
        unsafe { self.register(address, HostSpan::OPEN) }
    }

    /// The verb is over.
    pub fn clear(&mut self) {
        self.ranges.clear();
    }
}

impl HostBytes for ClientMemory {
    fn bytes(&self, span: &HostSpan) -> Option<&[u8]> {
        if span.segment != pipe::host::SEGMENT_FRONTEND
            || span.offset == 0
            || span.size_bytes == HostSpan::OPEN
        {
            return None;
        }
        let end = span.offset.checked_add(span.size_bytes)?;
        let inside = |(start, size): &(u64, u64)| {
            *start <= span.offset && end <= start.saturating_add(*size)
        };
        self.ranges.iter().any(inside).then(|| {
            // SAFETY: rule 1: inside a registered range; rule 2: borrowed from `self`, which the verb clears.
            unsafe {
                std::slice::from_raw_parts(span.offset as *const u8, span.size_bytes as usize)
            }
        })
    }
}
