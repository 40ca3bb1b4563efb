//! Vertex array objects, in both models: attributes with a format each, binding points with a buffer each. Client pointers are kept
//! as numbers; only [`crate::client_memory`] reads through them.

use pipe::{BufferId, MAX_VERTEX_ATTRIBS, VertexAttrib, VertexBinding};
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
