//! Atoms of indexed buffer bindings: uniform, storage, atomic counter, transform feedback. A binding of a whole buffer follows
//! the buffer's size, which is looked up here, at the verb.

use crate::slots::Slots;
use crate::{Job, Tracker};
use gl_state::Objects;
use gl_state::buffer_bindings::IndexedBinding;
use pipe::{
    BufferClass, BufferId, BufferRange, HostSpan, MAX_BUFFER_BINDINGS, MAX_STREAM_OUTPUTS,
    ShaderBuffers, StreamOutputTargets,
};

const BIT: u8 = 11;
const STREAM_OUTPUT_BIT: u8 = 12;

const NO_RANGE: BufferRange = BufferRange {
    buffer: BufferId::NULL,
    offset_bytes: 0,
    size_bytes: 0,
    host: HostSpan::NONE,
};

/// What was told last.
#[derive(Debug)]
pub(crate) struct Memory {
    classes: [Told; 3],
    stream_output: Told,
}

#[derive(Debug)]
struct Told {
    /// The bindings' generation and `any_buffer_change`.
    gate: [u64; 2],
    ranges: Slots<BufferRange>,
}

impl Default for Memory {
    fn default() -> Self {
        let told = |cap| Told {
            gate: [0; 2],
            ranges: Slots::new(NO_RANGE, cap),
        };
        Self {
            classes: std::array::from_fn(|_| told(MAX_BUFFER_BINDINGS)),
            stream_output: told(MAX_STREAM_OUTPUTS),
        }
    }
}

impl Memory {
    pub(crate) fn forget(&mut self) {
        for told in self.classes.iter_mut().chain([&mut self.stream_output]) {
            told.gate = [0; 2];
            told.ranges.forget();
        }
    }
}

/// A binding with its size as of now.
fn resolve(binding: &IndexedBinding, objects: &Objects) -> BufferRange {
    let Some(buffer) = objects.buffers.get(binding.buffer) else {
        return NO_RANGE;
    };
    let rest = buffer.size_bytes().saturating_sub(binding.offset_bytes);
    BufferRange {
        buffer: binding.buffer,
        offset_bytes: binding.offset_bytes,
        // GL 4.6 §6.1.1: a range that the buffer no longer holds is cut; WHOLE is what is left of it.
        size_bytes: binding.size_bytes.min(rest),
        host: HostSpan::NONE,
    }
}

impl Tracker {
    pub(crate) fn uniform_buffers(&mut self, job: &mut Job<'_>) {
        self.shader_buffers(BufferClass::Uniform, job);
    }

    pub(crate) fn storage_buffers(&mut self, job: &mut Job<'_>) {
        self.shader_buffers(BufferClass::ShaderStorage, job);
    }

    pub(crate) fn atomic_buffers(&mut self, job: &mut Job<'_>) {
        self.shader_buffers(BufferClass::AtomicCounter, job);
    }

    fn shader_buffers(&mut self, class: BufferClass, job: &mut Job<'_>) {
        let view = job.view;
        let told = &mut self.ranges.classes[class as usize];
        let gate = [
            view.ctx.generations.buffer_bindings,
            view.objects.generations.any_buffer_change,
        ];
        if told.gate == gate {
            return;
        }
        told.gate = gate;
        self.gates.opened = true;
        let bound = view.ctx.buffers.indexed(class);
        let now = |slot: usize| resolve(&bound[slot], view.objects);
        let Some((run, ranges)) = told.ranges.update(bound.len(), now) else {
            return;
        };
        let head = ShaderBuffers {
            class,
            _pad: [0; 3],
            start: run.start as u32,
            count: run.len() as u32,
            writable_mask: match class {
                BufferClass::Uniform => 0,
                BufferClass::ShaderStorage | BufferClass::AtomicCounter => !0,
            },
        };
        job.out.at(BIT).set_shader_buffers(&head, ranges);
    }

    pub(crate) fn stream_output(&mut self, job: &mut Job<'_>) {
        let view = job.view;
        let told = &mut self.ranges.stream_output;
        let gate = [
            view.ctx.generations.stream_output,
            view.objects.generations.any_buffer_change,
        ];
        if told.gate == gate {
            return;
        }
        told.gate = gate;
        self.gates.opened = true;
        // `touched` of these points is not kept: the empty ones at the end are no part of the set.
        let bound = view.ctx.buffers.stream_output();
        let end = bound
            .iter()
            .rposition(|binding| !binding.buffer.is_null())
            .map_or(0, |last| last + 1);
        let now = |slot: usize| resolve(&bound[slot], view.objects);
        if told.ranges.update(end, now).is_none() {
            return;
        }
        // The call replaces the whole set.
        let ranges: Vec<_> = (0..end).map(now).collect();
        let head = StreamOutputTargets {
            id: pipe::StreamOutputId::NULL,
            count: ranges.len() as u32,
            _pad: 0,
            generation: view.ctx.generations.stream_output,
        };
        job.out
            .at(STREAM_OUTPUT_BIT)
            .set_stream_output_targets(&head, &ranges);
    }
}
