//! Reference of vertex input. See [`super`] for what it must not do.

use gl_state::View;
use gl_state::buffer_bindings::BufferTarget;
use pipe::{
    BufferId, HostSpan, IndexBuffer, IndirectBuffers, MAX_VERTEX_ATTRIBS, VertexAttrib,
    VertexBinding, VertexBuffer, VertexElementsDesc, VertexElementsId,
};

/// Bit n: an enabled attribute reads binding point n.
fn read_points(view: View<'_>) -> u32 {
    let attribs = &view.ctx.vertex_array().attribs;
    let enabled = attribs.iter().filter(|a| a.enabled == 1);
    enabled.fold(0, |points, a| points | 1 << a.binding)
}

/// Attributes and binding points' layouts; a disabled attribute is four floats, a point that none reads is zero. The handle is null.
pub fn vertex_elements(view: View<'_>) -> VertexElementsDesc {
    let array = view.ctx.vertex_array();
    let read = read_points(view);
    VertexElementsDesc {
        id: VertexElementsId::NULL,
        attribs: std::array::from_fn(|i| {
            let a = array.attribs[i];
            if a.enabled == 1 {
                a
            } else {
                VertexAttrib {
                    ty: 0x1406,
                    components: 4,
                    bgra: 0,
                    normalized: 0,
                    integer: 0,
                    long: 0,
                    binding: 0,
                    relative_offset_bytes: 0,
                    enabled: 0,
                }
            }
        }),
        bindings: std::array::from_fn(|point| {
            if read & 1 << point != 0 {
                array.bindings[point].layout
            } else {
                VertexBinding {
                    stride_bytes: 0,
                    divisor: 0,
                }
            }
        }),
    }
}

/// Binding points' buffers; a point without one is the application's memory, a point that nothing reads is empty.
pub fn vertex_buffers(view: View<'_>) -> [VertexBuffer; MAX_VERTEX_ATTRIBS] {
    let read = read_points(view);
    std::array::from_fn(|point| {
        let binding = &view.ctx.vertex_array().bindings[point];
        let mut told = VertexBuffer {
            buffer: BufferId::NULL,
            offset_bytes: 0,
            user: HostSpan::NONE,
        };
        if read & 1 << point != 0 {
            if binding.buffer == BufferId::NULL {
                told.user = view.ctx.vertex.client_spans[point];
            } else {
                told.buffer = binding.buffer;
                told.offset_bytes = binding.offset_bytes;
            }
        }
        told
    })
}

/// The element array buffer.
pub fn index_buffer(view: View<'_>) -> IndexBuffer {
    IndexBuffer {
        buffer: view.ctx.vertex_array().index_buffer,
    }
}

/// Sources of indirect commands.
pub fn indirect_buffers(view: View<'_>) -> IndirectBuffers {
    let bound = |target| view.ctx.buffers.get(target);
    IndirectBuffers {
        draw: bound(BufferTarget::DrawIndirect),
        dispatch: bound(BufferTarget::DispatchIndirect),
        parameter: bound(BufferTarget::Parameter),
    }
}
