//! Atoms of vertex input. A vertex array that comes back costs two compares and its few buffers: its elements are remembered by
//! its own versions, so switching among hundreds of them hashes nothing.

use crate::cache::{Content, CsoCache, Lookup, Place};
use crate::{Job, Tracker};
use gl_state::vertex_array::VertexArray;
use pipe::{
    BufferId, HostSpan, IndexBuffer, IndirectBuffers, MAX_VERTEX_ATTRIBS, SlotRange, VertexAttrib,
    VertexBinding, VertexBuffer, VertexElementsDesc, VertexElementsId, VertexElementsOnly,
};
use zerocopy::IntoBytes;

const BIT: u8 = 5;
/// CSOs kept; vertex arrays outnumber their layouts by far.
const CAP: usize = 1024;
const DESC_BYTES: usize = size_of::<VertexElementsDesc>();

const NO_BUFFER: VertexBuffer = VertexBuffer {
    buffer: BufferId::NULL,
    offset_bytes: 0,
    user: HostSpan::NONE,
};

/// What is known of one vertex array.
#[derive(Clone, Copy, Debug)]
struct Known {
    lifetime: u64,
    elements_version: u64,
    place: Place<VertexElementsId>,
    /// Binding points that enabled attributes read.
    used: u16,
}

/// What was told last.
#[derive(Debug)]
pub(crate) struct Memory {
    cache: CsoCache<Content<DESC_BYTES>, VertexElementsId>,
    /// By index in the context's table.
    known: Vec<Option<Known>>,
    elements_gate: u64,
    buffers_gate: u64,
    index_gate: u64,
    indirect_gate: u64,
    bound: VertexElementsId,
    /// Binding points that the bound elements read.
    used: u16,
    /// Binding points told to have a buffer.
    told_mask: u16,
    told: [VertexBuffer; MAX_VERTEX_ATTRIBS],
    /// Nothing is known of what the executing side has.
    buffers_unknown: bool,
    index: Option<BufferId>,
    indirect: Option<IndirectBuffers>,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            cache: CsoCache::new(CAP),
            known: Vec::new(),
            elements_gate: 0,
            buffers_gate: 0,
            index_gate: 0,
            indirect_gate: 0,
            bound: VertexElementsId::NULL,
            used: 0,
            told_mask: 0,
            told: [NO_BUFFER; MAX_VERTEX_ATTRIBS],
            buffers_unknown: true,
            index: None,
            indirect: None,
        }
    }
}

impl Memory {
    pub(crate) fn forget(&mut self) {
        self.elements_gate = 0;
        self.buffers_gate = 0;
        self.index_gate = 0;
        self.indirect_gate = 0;
        self.bound = VertexElementsId::NULL;
        self.buffers_unknown = true;
        self.index = None;
        self.indirect = None;
    }

    pub(crate) fn counts(&self) -> crate::cache::CsoCounts {
        self.cache.counts
    }

    pub(crate) fn retire(&mut self, job: &mut Job<'_>) {
        self.known.clear();
        for id in self.cache.drain(&mut job.emission.cso.vertex_elements) {
            let only = VertexElementsOnly { id };
            job.out.at(BIT).delete_vertex_elements(&only);
        }
    }
}

/// The description of an array's elements: what no enabled attribute reads has fixed values, so that equal inputs are one CSO.
fn describe(array: &VertexArray) -> (VertexElementsDesc, u16) {
    const OFF: VertexAttrib = VertexAttrib {
        ty: 0x1406, // GL_FLOAT
        components: 4,
        bgra: 0,
        normalized: 0,
        integer: 0,
        long: 0,
        binding: 0,
        relative_offset_bytes: 0,
        enabled: 0,
    };
    let mut desc = VertexElementsDesc {
        id: VertexElementsId::NULL,
        attribs: [OFF; MAX_VERTEX_ATTRIBS],
        bindings: [VertexBinding {
            stride_bytes: 0,
            divisor: 0,
        }; MAX_VERTEX_ATTRIBS],
    };
    let mut used = 0u16;
    for (slot, attrib) in desc.attribs.iter_mut().zip(&array.attribs) {
        if attrib.enabled != 0 {
            let binding = usize::from(attrib.binding);
            *slot = *attrib;
            desc.bindings[binding] = array.bindings[binding].layout;
            used |= 1 << binding;
        }
    }
    (desc, used)
}

impl Tracker {
    pub(crate) fn vertex_elements(&mut self, job: &mut Job<'_>) {
        let ctx = job.view.ctx;
        let memory = &mut self.vertex;
        if memory.elements_gate == ctx.generations.any_vao_attribute {
            return;
        }
        memory.elements_gate = ctx.generations.any_vao_attribute;
        self.gates.opened = true;
        let array = ctx.vertex_array();
        let index = ctx.vertex.bound as usize;
        if index >= memory.known.len() {
            memory.known.resize(index + 1, None);
        }
        let known = match memory.known[index] {
            Some(known)
                if known.lifetime == array.lifetime
                    && known.elements_version == array.elements_version
                    && memory.cache.touch(known.place, self.verb) =>
            {
                known
            }
            Some(_) | None => {
                let (mut desc, used) = describe(array);
                let slots = &mut job.emission.cso.vertex_elements;
                let key = Content::of(desc.as_bytes());
                let place = match memory.cache.find(key, self.verb, slots) {
                    Lookup::Found(place) => place,
                    Lookup::Create(place, evicted) => {
                        if let Some(id) = evicted {
                            let only = VertexElementsOnly { id };
                            job.out.at(BIT).delete_vertex_elements(&only);
                        }
                        desc.id = place.handle;
                        job.out.at(BIT).create_vertex_elements(&desc);
                        place
                    }
                };
                let known = Known {
                    lifetime: array.lifetime,
                    elements_version: array.elements_version,
                    place,
                    used,
                };
                memory.known[index] = Some(known);
                known
            }
        };
        memory.used = known.used;
        if memory.bound != known.place.handle {
            memory.bound = known.place.handle;
            let only = VertexElementsOnly { id: memory.bound };
            job.out.at(BIT).bind_vertex_elements(&only);
        }
    }

    pub(crate) fn vertex_buffers(&mut self, job: &mut Job<'_>) {
        let ctx = job.view.ctx;
        let memory = &mut self.vertex;
        if memory.buffers_gate == ctx.generations.any_vao_attribute {
            return;
        }
        memory.buffers_gate = ctx.generations.any_vao_attribute;
        self.gates.opened = true;
        let array = ctx.vertex_array();
        let mut changed = 0u16;
        let mut look = memory.used | memory.told_mask;
        if memory.buffers_unknown {
            memory.buffers_unknown = false;
            look = !0;
            changed = !0;
        }
        while look != 0 {
            let point = look.trailing_zeros() as usize;
            look &= look - 1;
            let binding = &array.bindings[point];
            let now = if memory.used & (1 << point) == 0 {
                NO_BUFFER
            } else if binding.buffer.is_null() {
                VertexBuffer {
                    user: ctx.vertex.client_spans[point],
                    ..NO_BUFFER
                }
            } else {
                VertexBuffer {
                    buffer: binding.buffer,
                    offset_bytes: binding.offset_bytes,
                    user: HostSpan::NONE,
                }
            };
            if memory.told[point] != now {
                memory.told[point] = now;
                changed |= 1 << point;
            }
        }
        memory.told_mask = memory.used;
        if changed != 0 {
            let first = changed.trailing_zeros() as usize;
            let end = 16 - changed.leading_zeros() as usize;
            let range = SlotRange {
                start: first as u32,
                count: (end - first) as u32,
            };
            job.out
                .at(BIT)
                .set_vertex_buffers(&range, &memory.told[first..end]);
        }
    }

    pub(crate) fn index_buffer(&mut self, job: &mut Job<'_>) {
        let ctx = job.view.ctx;
        let memory = &mut self.vertex;
        if memory.index_gate == ctx.generations.index_buffer {
            return;
        }
        memory.index_gate = ctx.generations.index_buffer;
        self.gates.opened = true;
        let buffer = ctx.vertex_array().index_buffer;
        if memory.index != Some(buffer) {
            memory.index = Some(buffer);
            job.out.at(BIT).set_index_buffer(&IndexBuffer { buffer });
        }
    }

    pub(crate) fn indirect_buffers(&mut self, job: &mut Job<'_>) {
        use gl_state::buffer_bindings::BufferTarget;
        let ctx = job.view.ctx;
        let memory = &mut self.vertex;
        if memory.indirect_gate == ctx.generations.indirect_bindings {
            return;
        }
        memory.indirect_gate = ctx.generations.indirect_bindings;
        self.gates.opened = true;
        let now = IndirectBuffers {
            draw: ctx.buffers.get(BufferTarget::DrawIndirect),
            dispatch: ctx.buffers.get(BufferTarget::DispatchIndirect),
            parameter: ctx.buffers.get(BufferTarget::Parameter),
        };
        if memory.indirect != Some(now) {
            memory.indirect = Some(now);
            job.out.at(BIT).set_indirect_buffers(&now);
        }
    }
}
