//! Persistent mappings: the application writes without a call, so before a verb its writes are found by comparing with what was told
//! last. Never more than it changed is told: beside it the GPU may have written, and those bytes are not the client's to send.
//!
//! A portable way that needs no signal handler and no kernel support. It costs a second copy of the range and a read of both per verb.

use crate::buffer::{Buffer, Mapping};
use crate::context::Objects;
use crate::emission::Emission;
use crate::generations::ObjectGenerations;
use gl_enums::MapBufferUsageMask;
use std::ops::Range;

/// Bytes compared at once: memcmp's own speed; inside a block that differs, [`STEP`] bytes at a time.
const BLOCK: usize = 64 << 10;
const STEP: usize = 256;

/// Runs of bytes that differ, exact at both ends of each step; neighbouring runs are joined.
fn differences(now: &[u8], then: &[u8], mut found: impl FnMut(Range<usize>)) {
    let mut run: Option<Range<usize>> = None;
    for block in (0..now.len()).step_by(BLOCK) {
        let end = (block + BLOCK).min(now.len());
        if now[block..end] == then[block..end] {
            continue;
        }
        for step in (block..end).step_by(STEP) {
            let end = (step + STEP).min(end);
            let differs = |i: &usize| now[*i] != then[*i];
            let Some(first) = (step..end).find(differs) else {
                continue;
            };
            let last = (step..end).rfind(differs).unwrap_or(first);
            run = Some(match run.take() {
                Some(run) if run.end == first => run.start..last + 1,
                Some(done) => {
                    found(done);
                    first..last + 1
                }
                None => first..last + 1,
            });
        }
    }
    if let Some(run) = run {
        found(run);
    }
}

impl Buffer {
    fn mapped_range(mapping: Mapping) -> Range<usize> {
        let start = mapping.offset_bytes as usize;
        start..start + mapping.size_bytes as usize
    }

    /// The client's copy and the executing side's agree now.
    pub(crate) fn remember_mapped_bytes(&mut self) {
        if let Some(mapping) = self.mapping {
            self.mapped_bytes.clear();
            self.mapped_bytes
                .extend_from_slice(&self.bytes[Self::mapped_range(mapping)]);
        }
    }

    /// Marks what the application wrote through a persistent mapping since it was told last. Explicitly flushed ones wait for their flush.
    pub(crate) fn note_mapped_writes(
        &mut self,
        mapping: Mapping,
        emission: &mut Emission,
        generations: &mut ObjectGenerations,
    ) {
        let access = mapping.access;
        if !access.contains(MapBufferUsageMask::MAP_WRITE_BIT)
            || access.contains(MapBufferUsageMask::MAP_FLUSH_EXPLICIT_BIT)
        {
            return;
        }
        let mut runs = Vec::new();
        let now = &self.bytes[Self::mapped_range(mapping)];
        differences(now, &self.mapped_bytes, |run| runs.push(run));
        for run in runs {
            let at = mapping.offset_bytes + run.start as u64;
            let source = at as usize..at as usize + run.len();
            let size = run.len() as u64;
            self.mapped_bytes[run].copy_from_slice(&self.bytes[source]);
            self.write(at, None, size, emission, generations);
        }
    }
}

impl Objects {
    /// Before a verb: bytes behind live persistent mappings may have changed without a call.
    pub fn note_persistent_writes(&mut self, emission: &mut Emission) {
        for id in &self.persistent_maps {
            if let Some(buffer) = self.buffers.get_mut(*id)
                && let Some(mapping) = buffer.mapping
            {
                buffer.note_mapped_writes(mapping, emission, &mut self.generations);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client_bytes::ClientBytes;

    #[test]
    fn differences_are_exact_and_joined_over_steps_and_blocks() {
        let then = vec![0u8; BLOCK * 2 + 10];
        let mut now = then.clone();
        now[3] = 1;
        now[STEP - 1] = 1;
        now[STEP] = 1;
        now[BLOCK * 2 + 9] = 1;
        let mut runs = Vec::new();
        differences(&now, &then, |run| runs.push(run));
        assert_eq!(runs, [3..STEP + 1, BLOCK * 2 + 9..BLOCK * 2 + 10]);
        differences(&then, &then, |run| panic!("{run:?}"));
    }

    #[test]
    fn write_through_a_persistent_mapping_is_dirty_once() {
        let (mut objects, mut emission) = (Objects::default(), Emission::default());
        let id = objects.buffers.insert(|id| Buffer::new(id, 1, 1));
        emission.reset(id);
        let access = MapBufferUsageMask::MAP_WRITE_BIT | MapBufferUsageMask::MAP_PERSISTENT_BIT;
        objects.buffers[id].set_storage(
            ClientBytes::zeroed(64).unwrap(),
            true,
            0x88E8,
            Some(access.bits()),
            &mut emission,
            &mut objects.generations,
        );
        emission.buffer(id).dirty.clear();
        let mapping = Mapping {
            offset_bytes: 16,
            size_bytes: 32,
            access,
        };
        objects.map_buffer(id, mapping);
        objects.note_persistent_writes(&mut emission);
        assert!(emission.buffer(id).dirty.is_empty(), "nothing was written");
        objects.buffers[id].bytes[20] = 7;
        objects.note_persistent_writes(&mut emission);
        let dirty: Vec<_> = emission.buffer(id).dirty.iter().collect();
        assert_eq!(dirty.first(), Some(&(20..21)));
        emission.buffer(id).dirty.clear();
        let serial = objects.buffers[id].serial;
        objects.note_persistent_writes(&mut emission);
        assert_eq!(objects.buffers[id].serial, serial, "it is told once");
        objects.buffers[id].bytes[47] = 7;
        objects.unmap_buffer(id, &mut emission);
        let dirty: Vec<_> = emission.buffer(id).dirty.iter().collect();
        assert_eq!(dirty.first(), Some(&(47..48)), "unmapping looks once more");
    }
}
