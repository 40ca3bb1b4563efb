//! Vertex arrays. The pointer model is expressed in the one of formats and binding points, as GL 4.6 §10.3.2 defines it.

use crate::c_memory;
use crate::cx::Cx;
use crate::validate::names::{Named, NamesOut};
use crate::validate::vertex_array::{Pointer, VertexBufferBind};
use gl_enums::*;
use gl_state::GlError;
use gl_state::buffer_bindings::BufferTarget;
use gl_state::context::LocalIndex;
use gl_state::vertex_array::LegacyPointer;
use pipe::client_arrays::element_bytes;
use pipe::{VertexAttrib, VertexBinding};

pub fn gen_vertex_arrays(cx: &mut Cx<'_>, args: NamesOut) -> Result<(), GlError> {
    for i in 0..args.count {
        let name = cx.ctx.vertex.names.generate();
        // SAFETY: c_memory's rule: glGenVertexArrays writes `count` names.
        unsafe { c_memory::write(args.out.wrapping_add(i), name) };
    }
    Ok(())
}

pub fn delete_vertex_arrays(cx: &mut Cx<'_>, names: &[GLuint]) -> Result<(), GlError> {
    for &name in names.iter().filter(|name| **name != 0) {
        cx.ctx.delete_vertex_array(name, cx.objects, cx.emission);
    }
    cx.settle_deaths();
    Ok(())
}

pub fn bind_vertex_array(cx: &mut Cx<'_>, name: Named<LocalIndex>) -> Result<(), GlError> {
    let index = match name {
        Named::Zero => 0,
        Named::Object(index) => index,
        Named::New(name) => cx.ctx.create_vertex_array(name),
    };
    cx.ctx.bind_vertex_array(index);
    Ok(())
}

pub fn is_vertex_array(cx: &mut Cx<'_>, array: GLuint) -> Result<GLboolean, GlError> {
    // GL 4.6 §10.3.1: a name is no vertex array object until it was bound, and zero is none.
    Ok(u8::from(
        array != 0 && cx.ctx.vertex.names.get(array).is_some(),
    ))
}

fn set_enabled(cx: &mut Cx<'_>, index: usize, enabled: u32) {
    let attrib = VertexAttrib {
        enabled,
        ..cx.ctx.vertex_array().attribs[index]
    };
    cx.ctx.set_attrib(index, attrib);
}

pub fn enable_vertex_attrib_array(cx: &mut Cx<'_>, index: usize) -> Result<(), GlError> {
    set_enabled(cx, index, 1);
    Ok(())
}

pub fn disable_vertex_attrib_array(cx: &mut Cx<'_>, index: usize) -> Result<(), GlError> {
    set_enabled(cx, index, 0);
    Ok(())
}

/// A format under the attribute's own enable and binding.
fn set_format(cx: &mut Cx<'_>, index: usize, format: VertexAttrib, binding: u8) {
    let enabled = cx.ctx.vertex_array().attribs[index].enabled;
    let attrib = VertexAttrib {
        enabled,
        binding,
        ..format
    };
    cx.ctx.set_attrib(index, attrib);
}

pub fn vertex_attrib_pointer(cx: &mut Cx<'_>, args: Pointer) -> Result<(), GlError> {
    let Pointer {
        index,
        format,
        stride,
        pointer,
    } = args;
    set_format(cx, index, format, index as u8);
    // GL 4.6 §10.3.2: a stride of zero means that elements are tightly packed.
    let stride_bytes = if stride == 0 {
        element_bytes(&format)
    } else {
        stride
    };
    let layout = VertexBinding {
        stride_bytes,
        ..cx.ctx.vertex_array().bindings[index].layout
    };
    cx.ctx.set_binding_layout(index, layout);
    let buffer = cx.ctx.buffers.get(BufferTarget::Array);
    cx.ctx
        .set_binding_buffer(index, buffer, pointer, cx.objects, cx.emission);
    cx.ctx
        .set_legacy_pointer(index, LegacyPointer { stride, pointer });
    cx.settle_deaths();
    Ok(())
}

pub fn vertex_attrib_i_pointer(cx: &mut Cx<'_>, args: Pointer) -> Result<(), GlError> {
    vertex_attrib_pointer(cx, args)
}

pub fn vertex_attrib_l_pointer(cx: &mut Cx<'_>, args: Pointer) -> Result<(), GlError> {
    vertex_attrib_pointer(cx, args)
}

pub fn vertex_attrib_format(
    cx: &mut Cx<'_>,
    (index, format): (usize, VertexAttrib),
) -> Result<(), GlError> {
    let binding = cx.ctx.vertex_array().attribs[index].binding;
    set_format(cx, index, format, binding);
    Ok(())
}

pub fn vertex_attrib_i_format(cx: &mut Cx<'_>, args: (usize, VertexAttrib)) -> Result<(), GlError> {
    vertex_attrib_format(cx, args)
}

pub fn vertex_attrib_l_format(cx: &mut Cx<'_>, args: (usize, VertexAttrib)) -> Result<(), GlError> {
    vertex_attrib_format(cx, args)
}

pub fn vertex_attrib_binding(
    cx: &mut Cx<'_>,
    (index, point): (usize, usize),
) -> Result<(), GlError> {
    let attrib = VertexAttrib {
        binding: point as u8,
        ..cx.ctx.vertex_array().attribs[index]
    };
    cx.ctx.set_attrib(index, attrib);
    Ok(())
}

pub fn bind_vertex_buffer(cx: &mut Cx<'_>, args: VertexBufferBind) -> Result<(), GlError> {
    let id = super::buffer::resolve(cx, args.name);
    let layout = VertexBinding {
        stride_bytes: args.stride,
        ..cx.ctx.vertex_array().bindings[args.point].layout
    };
    cx.ctx.set_binding_layout(args.point, layout);
    cx.ctx
        .set_binding_buffer(args.point, id, args.offset, cx.objects, cx.emission);
    cx.settle_deaths();
    Ok(())
}

pub fn vertex_binding_divisor(
    cx: &mut Cx<'_>,
    (point, divisor): (usize, u32),
) -> Result<(), GlError> {
    let layout = VertexBinding {
        divisor,
        ..cx.ctx.vertex_array().bindings[point].layout
    };
    cx.ctx.set_binding_layout(point, layout);
    Ok(())
}

pub fn vertex_attrib_divisor(
    cx: &mut Cx<'_>,
    (index, divisor): (usize, u32),
) -> Result<(), GlError> {
    // GL 4.6 §10.3.4: VertexAttribDivisor is VertexAttribBinding(index, index) and VertexBindingDivisor(index, divisor).
    vertex_attrib_binding(cx, (index, index))?;
    vertex_binding_divisor(cx, (index, divisor))
}
