//! Vertex array objects, in both models: attributes with a format each, binding points with a buffer each. Client pointers are kept
//! as numbers; only [`crate::client_memory`] reads through them.

use crate::bump::bump;
use crate::context::{Context, LocalIndex, Objects};
use crate::emission::Emission;
use pipe::{
    AttribValue, Bind, BufferId, HostSpan, MAX_VERTEX_ATTRIBS, VertexAttrib, VertexBinding,
};
use std::sync::atomic::{AtomicU64, Ordering};

/// What glVertexAttribPointer was given: for queries only (GL_VERTEX_ATTRIB_ARRAY_STRIDE, _POINTER).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LegacyPointer {
    pub stride: u32,
    pub pointer: u64,
}

/// A binding point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BindingPoint {
    /// Null: `offset` is an address in client memory (compatibility contexts).
    pub buffer: BufferId,
    pub offset_bytes: u64,
    pub layout: VertexBinding,
}

/// A vertex array object.
#[derive(Debug)]
pub struct VertexArray {
    /// 0: the default object of a compatibility context.
    pub name: u32,
    pub attribs: [VertexAttrib; MAX_VERTEX_ATTRIBS],
    pub bindings: [BindingPoint; MAX_VERTEX_ATTRIBS],
    pub legacy: [LegacyPointer; MAX_VERTEX_ATTRIBS],
    pub index_buffer: BufferId,
    /// Moves with attribute formats, enables, strides, divisors: identity of the vertex elements CSO.
    pub elements_version: u64,
    /// Moves with buffers and offsets.
    pub buffers_version: u64,
    /// Was bound once: glIsVertexArray.
    pub exists: bool,
    pub label: Option<String>,
    /// No other vertex array ever had it: an index in the context's table is used again, this is not.
    pub lifetime: u64,
}

/// Source of lifetimes.
static NEXT_LIFETIME: AtomicU64 = AtomicU64::new(1);

/// GL's initial attribute: four floats, disabled (GL 4.6 table 23.3).
const INITIAL: VertexAttrib = VertexAttrib {
    ty: 0x1406,
    components: 4,
    bgra: 0,
    normalized: 0,
    integer: 0,
    long: 0,
    binding: 0,
    relative_offset_bytes: 0,
    enabled: 0,
};

impl VertexArray {
    /// Initial state; attribute i reads binding point i, whose stride is 16 (GL 4.6 table 23.4).
    pub fn new(name: u32) -> Self {
        Self {
            name,
            attribs: std::array::from_fn(|i| VertexAttrib {
                binding: i as u8,
                ..INITIAL
            }),
            bindings: [BindingPoint {
                buffer: BufferId::NULL,
                offset_bytes: 0,
                layout: VertexBinding {
                    stride_bytes: 16,
                    divisor: 0,
                },
            }; MAX_VERTEX_ATTRIBS],
            legacy: [LegacyPointer::default(); MAX_VERTEX_ATTRIBS],
            index_buffer: BufferId::NULL,
            elements_version: 1,
            buffers_version: 1,
            exists: false,
            label: None,
            lifetime: NEXT_LIFETIME.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// Bit n: attribute n is an enabled array.
    pub fn enabled_mask(&self) -> u32 {
        self.attribs
            .iter()
            .enumerate()
            .fold(0, |mask, (i, attrib)| {
                mask | (u32::from(attrib.enabled != 0) << i)
            })
    }
}

impl Context {
    /// Binds a vertex array.
    pub fn bind_vertex_array(&mut self, index: LocalIndex) {
        if self.vertex.bound != index {
            self.vertex.bound = index;
            bump!(
                "vertex_array::bind_vertex_array",
                self.generations.any_vao_attribute
            );
            bump!(
                "vertex_array::bind_vertex_array",
                self.generations.index_buffer
            );
        }
        self.vertex_array_mut().exists = true;
    }

    /// Gives a name a vertex array in its initial state.
    pub fn create_vertex_array(&mut self, name: u32) -> LocalIndex {
        let index = self.vertex.free.pop().map_or_else(
            || {
                self.vertex.arrays.push(None);
                self.vertex.arrays.len() - 1
            },
            |index| index as usize,
        );
        self.vertex.arrays[index] = Some(VertexArray::new(name));
        self.vertex.names.assign(name, index as LocalIndex);
        index as LocalIndex
    }

    /// Frees a name and the vertex array that it names. The bound one is unbound first (GL 4.6 §10.3.1).
    pub fn delete_vertex_array(
        &mut self,
        name: u32,
        objects: &mut Objects,
        emission: &mut Emission,
    ) {
        let Some(index) = self.vertex.names.remove(name) else {
            return;
        };
        if self.vertex.bound == index {
            self.bind_vertex_array(0);
        }
        self.vertex.free.push(index);
        if let Some(array) = self.vertex.arrays[index as usize].take() {
            objects.release_buffer(array.index_buffer, emission);
            for point in &array.bindings {
                objects.release_buffer(point.buffer, emission);
            }
        }
    }

    /// Sets an attribute of the bound vertex array: its enable, its format, its binding point.
    #[inline]
    pub fn set_attrib(&mut self, index: usize, attrib: VertexAttrib) {
        let array = self.vertex_array_mut();
        if array.attribs[index] != attrib {
            array.attribs[index] = attrib;
            bump!("vertex_array::set_attrib", array.elements_version);
            bump!(
                "vertex_array::set_attrib",
                self.generations.any_vao_attribute
            );
        }
    }

    /// Sets stride and divisor of a binding point of the bound vertex array.
    pub fn set_binding_layout(&mut self, point: usize, layout: VertexBinding) {
        let array = self.vertex_array_mut();
        if array.bindings[point].layout != layout {
            array.bindings[point].layout = layout;
            bump!("vertex_array::set_binding_layout", array.elements_version);
            bump!(
                "vertex_array::set_binding_layout",
                self.generations.any_vao_attribute
            );
        }
    }

    /// Sets buffer and offset (without a buffer: the address) of a binding point of the bound vertex array.
    pub fn set_binding_buffer(
        &mut self,
        point: usize,
        buffer: BufferId,
        offset_bytes: u64,
        objects: &mut Objects,
        emission: &mut Emission,
    ) {
        let array = self.vertex_array_mut();
        let binding = &mut array.bindings[point];
        if binding.buffer == buffer && binding.offset_bytes == offset_bytes {
            return;
        }
        if binding.buffer != buffer {
            objects.replace_buffer(&mut binding.buffer, buffer, emission);
            if let Some(object) = objects.buffers.get_mut(buffer) {
                object.note_bind(Bind::VERTEX);
            }
        }
        binding.offset_bytes = offset_bytes;
        bump!("vertex_array::set_binding_buffer", array.buffers_version);
        bump!(
            "vertex_array::set_binding_buffer",
            self.generations.any_vao_attribute
        );
    }

    /// Keeps what a pointer command was given, for queries.
    pub fn set_legacy_pointer(&mut self, index: usize, legacy: LegacyPointer) {
        self.vertex_array_mut().legacy[index] = legacy;
    }

    /// Sets a current attribute value.
    #[inline]
    pub fn set_current_value(&mut self, index: usize, value: AttribValue) {
        if self.vertex.current[index] != value {
            self.vertex.current[index] = value;
            bump!(
                "vertex_array::set_current_value",
                self.generations.attrib_defaults
            );
        }
    }
}

impl Context {
    /// Client memory that the next draw reads. Sources look at spans when the vertex array moved: other spans move it.
    pub fn set_client_spans(&mut self, spans: [HostSpan; MAX_VERTEX_ATTRIBS]) {
        if self.vertex.client_spans != spans {
            self.vertex.client_spans = spans;
            bump!(
                "vertex_array::set_client_spans",
                self.generations.any_vao_attribute
            );
        }
    }
}
