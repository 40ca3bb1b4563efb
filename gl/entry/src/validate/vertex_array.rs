//! Checks of vertex arrays, in both models: pointers, and formats with binding points (GL 4.6 §10.3). It must change nothing.

use crate::cx::Cx;
use crate::validate::names::{self, Named, NamesOut};
use core::ffi::c_void;
use gl_enums::*;
use gl_state::buffer_bindings::BufferTarget;
use gl_state::context::LocalIndex;
use gl_state::{GlError, Profile};
use pipe::{BufferId, MAX_VERTEX_ATTRIBS, VertexAttrib};

/// GL_MAX_VERTEX_ATTRIB_STRIDE and GL_MAX_VERTEX_ATTRIB_RELATIVE_OFFSET (GL 4.6 table 23.55: at least these).
pub const MAX_STRIDE: i32 = 2048;
pub const MAX_RELATIVE_OFFSET: u32 = 2047;

pub fn gen_vertex_arrays(_: &Cx<'_>, n: GLsizei, arrays: *mut GLuint) -> Result<NamesOut, GlError> {
    names::generate(n, arrays)
}

pub fn delete_vertex_arrays(
    _: &Cx<'_>,
    n: GLsizei,
    arrays: *const GLuint,
) -> Result<&'static [GLuint], GlError> {
    names::delete(n, arrays)
}

pub fn bind_vertex_array(cx: &Cx<'_>, array: GLuint) -> Result<Named<LocalIndex>, GlError> {
    let names = &cx.ctx.vertex.names;
    match names.get(array) {
        Some(index) => Ok(Named::Object(index)),
        None if array == 0 => Ok(Named::Zero),
        None if names.is_taken(array) => Ok(Named::New(array)),
        // GL 4.6 §10.3.1, both profiles: INVALID_OPERATION if array is not zero or a name returned from GenVertexArrays.
        None => Err(GlError::invalid_operation(
            "array was not returned by glGenVertexArrays",
        )),
    }
}

/// GL 4.6 core §10.3.1: without a vertex array object, commands that change one are INVALID_OPERATION.
pub(super) fn has_array(cx: &Cx<'_>) -> Result<(), GlError> {
    if cx.ctx.vertex.bound == 0 && cx.ctx.profile == Profile::Core {
        return Err(GlError::invalid_operation(
            "no vertex array object is bound",
        ));
    }
    Ok(())
}

/// GL 4.6 §10.2: INVALID_VALUE if index is not less than MAX_VERTEX_ATTRIBS.
pub fn attrib(index: GLuint) -> Result<usize, GlError> {
    if index as usize >= MAX_VERTEX_ATTRIBS {
        return Err(GlError::invalid_value("index >= GL_MAX_VERTEX_ATTRIBS"));
    }
    Ok(index as usize)
}

fn binding_point(index: GLuint) -> Result<usize, GlError> {
    // GL 4.6 §10.3.2: INVALID_VALUE if bindingindex is not less than MAX_VERTEX_ATTRIB_BINDINGS.
    if index as usize >= MAX_VERTEX_ATTRIBS {
        return Err(GlError::invalid_value(
            "bindingindex >= GL_MAX_VERTEX_ATTRIB_BINDINGS",
        ));
    }
    Ok(index as usize)
}

pub fn enable_vertex_attrib_array(cx: &Cx<'_>, index: GLuint) -> Result<usize, GlError> {
    let index = attrib(index)?;
    has_array(cx)?;
    Ok(index)
}

pub fn disable_vertex_attrib_array(cx: &Cx<'_>, index: GLuint) -> Result<usize, GlError> {
    enable_vertex_attrib_array(cx, index)
}

/// How a shader reads an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Float { normalized: bool },
    Integer,
    Long,
}

/// A format, as a [`VertexAttrib`] whose binding, offset and enable are still to be filled in.
fn format(size: GLint, ty: GLenum, reading: Reading) -> Result<VertexAttrib, GlError> {
    let bgra = size == GL_BGRA as GLint && matches!(reading, Reading::Float { .. });
    // GL 4.6 §10.3.1: INVALID_VALUE if size is not one of table 10.2's.
    if !bgra && !(1..=4).contains(&size) {
        return Err(GlError::invalid_value("size"));
    }
    let legal = match reading {
        Reading::Float { .. } => matches!(
            ty,
            GL_BYTE
                | GL_UNSIGNED_BYTE
                | GL_SHORT
                | GL_UNSIGNED_SHORT
                | GL_INT
                | GL_UNSIGNED_INT
                | GL_HALF_FLOAT
                | GL_FLOAT
                | GL_DOUBLE
                | GL_FIXED
                | GL_INT_2_10_10_10_REV
                | GL_UNSIGNED_INT_2_10_10_10_REV
                | GL_UNSIGNED_INT_10F_11F_11F_REV
        ),
        Reading::Integer => matches!(
            ty,
            GL_BYTE | GL_UNSIGNED_BYTE | GL_SHORT | GL_UNSIGNED_SHORT | GL_INT | GL_UNSIGNED_INT
        ),
        Reading::Long => ty == GL_DOUBLE,
    };
    if !legal {
        return Err(GlError::invalid_enum("type"));
    }
    let ten_bits = matches!(ty, GL_INT_2_10_10_10_REV | GL_UNSIGNED_INT_2_10_10_10_REV);
    // GL 4.6 §10.3.1, the list of INVALID_OPERATION of VertexAttribPointer.
    let refuse = |what| Err(GlError::invalid_operation(what));
    if bgra && !(ten_bits || ty == GL_UNSIGNED_BYTE) {
        return refuse("GL_BGRA with a type that has no such order");
    }
    if bgra && reading != (Reading::Float { normalized: true }) {
        return refuse("GL_BGRA without normalization");
    }
    if ten_bits && size != 4 && !bgra {
        return refuse("a 2_10_10_10 type with a size other than 4 and GL_BGRA");
    }
    if ty == GL_UNSIGNED_INT_10F_11F_11F_REV && size != 3 {
        return refuse("GL_UNSIGNED_INT_10F_11F_11F_REV with a size other than 3");
    }
    Ok(VertexAttrib {
        ty: ty as u16,
        components: if bgra { 4 } else { size as u8 },
        bgra: bgra.into(),
        normalized: (reading == Reading::Float { normalized: true }).into(),
        integer: (reading == Reading::Integer).into(),
        long: (reading == Reading::Long).into(),
        binding: 0,
        relative_offset_bytes: 0,
        enabled: 0,
    })
}

/// A checked pointer: attribute and binding point of the same index.
#[derive(Clone, Copy, Debug)]
pub struct Pointer {
    pub index: usize,
    pub format: VertexAttrib,
    /// As given: 0 is tight.
    pub stride: u32,
    /// Offset into the array buffer, or an address where there is none.
    pub pointer: u64,
}

fn pointer_of(
    cx: &Cx<'_>,
    index: GLuint,
    size: GLint,
    ty: GLenum,
    reading: Reading,
    stride: GLsizei,
    pointer: *const c_void,
) -> Result<Pointer, GlError> {
    let index = attrib(index)?;
    let format = format(size, ty, reading)?;
    // GL 4.6 §10.3.1: INVALID_VALUE if stride is negative or greater than MAX_VERTEX_ATTRIB_STRIDE (which older versions lack).
    if stride < 0 || (stride > MAX_STRIDE && cx.ctx.version >= (4, 4)) {
        return Err(GlError::invalid_value("stride"));
    }
    has_array(cx)?;
    // GL 4.6 §10.3.1: INVALID_OPERATION if a vertex array object is bound, no array buffer is, and pointer is not NULL.
    if cx.ctx.vertex.bound != 0
        && cx.ctx.buffers.get(BufferTarget::Array).is_null()
        && !pointer.is_null()
    {
        return Err(GlError::invalid_operation(
            "a pointer without a buffer bound to GL_ARRAY_BUFFER",
        ));
    }
    Ok(Pointer {
        index,
        format,
        stride: stride as u32,
        pointer: pointer as u64,
    })
}

pub fn vertex_attrib_pointer(
    cx: &Cx<'_>,
    index: GLuint,
    size: GLint,
    ty: GLenum,
    normalized: GLboolean,
    stride: GLsizei,
    pointer: *const c_void,
) -> Result<Pointer, GlError> {
    let reading = Reading::Float {
        normalized: normalized != 0,
    };
    pointer_of(cx, index, size, ty, reading, stride, pointer)
}

pub fn vertex_attrib_i_pointer(
    cx: &Cx<'_>,
    index: GLuint,
    size: GLint,
    ty: GLenum,
    stride: GLsizei,
    pointer: *const c_void,
) -> Result<Pointer, GlError> {
    pointer_of(cx, index, size, ty, Reading::Integer, stride, pointer)
}

pub fn vertex_attrib_l_pointer(
    cx: &Cx<'_>,
    index: GLuint,
    size: GLint,
    ty: GLenum,
    stride: GLsizei,
    pointer: *const c_void,
) -> Result<Pointer, GlError> {
    pointer_of(cx, index, size, ty, Reading::Long, stride, pointer)
}

fn format_of(
    cx: &Cx<'_>,
    index: GLuint,
    size: GLint,
    ty: GLenum,
    reading: Reading,
    relative_offset: GLuint,
) -> Result<(usize, VertexAttrib), GlError> {
    let index = attrib(index)?;
    let mut format = format(size, ty, reading)?;
    // GL 4.6 §10.3.2: INVALID_VALUE if relativeoffset is greater than MAX_VERTEX_ATTRIB_RELATIVE_OFFSET.
    if relative_offset > MAX_RELATIVE_OFFSET {
        return Err(GlError::invalid_value("relativeoffset"));
    }
    has_array(cx)?;
    format.relative_offset_bytes = relative_offset;
    Ok((index, format))
}

pub fn vertex_attrib_format(
    cx: &Cx<'_>,
    index: GLuint,
    size: GLint,
    ty: GLenum,
    normalized: GLboolean,
    relative_offset: GLuint,
) -> Result<(usize, VertexAttrib), GlError> {
    let reading = Reading::Float {
        normalized: normalized != 0,
    };
    format_of(cx, index, size, ty, reading, relative_offset)
}

pub fn vertex_attrib_i_format(
    cx: &Cx<'_>,
    index: GLuint,
    size: GLint,
    ty: GLenum,
    relative_offset: GLuint,
) -> Result<(usize, VertexAttrib), GlError> {
    format_of(cx, index, size, ty, Reading::Integer, relative_offset)
}

pub fn vertex_attrib_l_format(
    cx: &Cx<'_>,
    index: GLuint,
    size: GLint,
    ty: GLenum,
    relative_offset: GLuint,
) -> Result<(usize, VertexAttrib), GlError> {
    format_of(cx, index, size, ty, Reading::Long, relative_offset)
}

pub fn vertex_attrib_binding(
    cx: &Cx<'_>,
    index: GLuint,
    binding: GLuint,
) -> Result<(usize, usize), GlError> {
    let pair = (attrib(index)?, binding_point(binding)?);
    has_array(cx)?;
    Ok(pair)
}

/// A checked glBindVertexBuffer.
#[derive(Clone, Copy, Debug)]
pub struct VertexBufferBind {
    pub point: usize,
    pub name: Named<BufferId>,
    pub offset: u64,
    pub stride: u32,
}

fn vertex_buffer(
    cx: &Cx<'_>,
    point: GLuint,
    buffer: GLuint,
    offset: GLintptr,
    stride: GLsizei,
) -> Result<VertexBufferBind, GlError> {
    let point = binding_point(point)?;
    // GL 4.6 §10.3.2: INVALID_VALUE if offset or stride is negative, or stride too great.
    if offset < 0 {
        return Err(GlError::invalid_value("offset < 0"));
    }
    if !(0..=MAX_STRIDE).contains(&stride) {
        return Err(GlError::invalid_value("stride"));
    }
    has_array(cx)?;
    // GL 4.6 §10.3.2, both profiles: INVALID_OPERATION if buffer is not zero or a name returned from GenBuffers.
    let names = &cx.share.buffers;
    let name = match names.get(buffer) {
        Some(id) => Named::Object(id),
        None if buffer == 0 => Named::Zero,
        None if names.is_taken(buffer) => Named::New(buffer),
        None => {
            return Err(GlError::invalid_operation(
                "buffer was not returned by glGenBuffers",
            ));
        }
    };
    Ok(VertexBufferBind {
        point,
        name,
        offset: offset as u64,
        stride: stride as u32,
    })
}

pub fn bind_vertex_buffer(
    cx: &Cx<'_>,
    binding: GLuint,
    buffer: GLuint,
    offset: GLintptr,
    stride: GLsizei,
) -> Result<VertexBufferBind, GlError> {
    vertex_buffer(cx, binding, buffer, offset, stride)
}

pub fn vertex_binding_divisor(
    cx: &Cx<'_>,
    binding: GLuint,
    divisor: GLuint,
) -> Result<(usize, u32), GlError> {
    let point = binding_point(binding)?;
    has_array(cx)?;
    Ok((point, divisor))
}

pub fn vertex_attrib_divisor(
    cx: &Cx<'_>,
    index: GLuint,
    divisor: GLuint,
) -> Result<(usize, u32), GlError> {
    let index = attrib(index)?;
    has_array(cx)?;
    Ok((index, divisor))
}
