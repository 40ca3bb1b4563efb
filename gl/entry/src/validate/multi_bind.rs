//! Checks of commands that bind a run of objects (GL 4.6 §6.1.1, §8.1, §8.2, §10.3.2). It must change nothing.
//!
//! A run as a whole may be refused; else each element is checked alone, and those that pass are bound whatever becomes of the others.

use super::buffer::{check_range, index_limit, indexed};
use super::vertex_array::{MAX_STRIDE, has_array};
use crate::c_memory;
use crate::cx::Cx;
use crate::limits;
use gl_enums::*;
use gl_state::GlError;
use gl_state::buffer_bindings::{IndexedBinding, IndexedTarget};
use gl_state::sampler::SamplerObjectId;
use pipe::{BufferId, TextureId};

/// A checked run: what each of its points gets, or the error that keeps it as it is.
#[derive(Debug)]
pub struct Run<T> {
    pub first: usize,
    pub elements: Vec<Result<T, GlError>>,
}

/// GL 4.6 §2.3.1 and the commands' own lists: INVALID_OPERATION if first + count is greater than the number of points.
fn run(first: GLuint, count: GLsizei, limit: usize) -> Result<(usize, usize), GlError> {
    let count = usize::try_from(count).map_err(|_| GlError::invalid_value("count < 0"))?;
    let first = first as usize;
    if first + count > limit {
        return Err(GlError::invalid_operation(
            "first + count > number of binding points",
        ));
    }
    Ok((first, count))
}

/// Each name of a run, checked; `none` for zero and where there are no names.
fn each<T: Clone>(
    names: *const GLuint,
    count: usize,
    none: T,
    check: impl Fn(usize, GLuint) -> Result<T, GlError>,
) -> Vec<Result<T, GlError>> {
    if names.is_null() {
        return (0..count).map(|_| Ok(none.clone())).collect();
    }
    // SAFETY: c_memory's rule: the command reads count names.
    let names = unsafe { c_memory::slice(names, count) };
    let names = names.iter().enumerate();
    names.map(|(i, name)| check(i, *name)).collect()
}

/// GL 4.6 §6.1.1: INVALID_OPERATION if a name is neither zero nor that of an existing buffer object.
fn buffer(cx: &Cx<'_>, name: GLuint) -> Result<BufferId, GlError> {
    match name {
        0 => Ok(BufferId::NULL),
        _ => cx
            .share
            .buffers
            .get(name)
            .ok_or_else(|| GlError::invalid_operation("one of buffers is no buffer object")),
    }
}

/// A checked run of indexed binding points.
pub type BindBuffers = (IndexedTarget, Run<IndexedBinding>);

fn buffer_run(
    cx: &Cx<'_>,
    target: GLenum,
    first: GLuint,
    count: GLsizei,
) -> Result<(IndexedTarget, usize, usize), GlError> {
    let target = indexed(target)?;
    let limit = index_limit(cx, target)?;
    let (first, count) = run(first, count, limit)?;
    Ok((target, first, count))
}

pub fn bind_buffers_base(
    cx: &Cx<'_>,
    target: GLenum,
    first: GLuint,
    count: GLsizei,
    buffers: *const GLuint,
) -> Result<BindBuffers, GlError> {
    let (target, first, count) = buffer_run(cx, target, first, count)?;
    let elements = each(buffers, count, IndexedBinding::default(), |_, name| {
        Ok(IndexedBinding {
            buffer: buffer(cx, name)?,
            offset_bytes: 0,
            size_bytes: if name == 0 { 0 } else { pipe::WHOLE },
        })
    });
    Ok((target, Run { first, elements }))
}

pub fn bind_buffers_range(
    cx: &Cx<'_>,
    target: GLenum,
    first: GLuint,
    count: GLsizei,
    buffers: *const GLuint,
    offsets: *const GLintptr,
    sizes: *const GLsizeiptr,
) -> Result<BindBuffers, GlError> {
    let (target, first, count) = buffer_run(cx, target, first, count)?;
    // Without names neither offsets nor sizes are read (GL 4.6 §6.1.1).
    let read = if buffers.is_null() { 0 } else { count };
    // SAFETY: c_memory's rule: the command reads count offsets.
    let offsets = unsafe { c_memory::slice(offsets, read) };
    // SAFETY: c_memory's rule: the command reads count sizes.
    let sizes = unsafe { c_memory::slice(sizes, read) };
    let elements = each(buffers, count, IndexedBinding::default(), |i, name| {
        let buffer = buffer(cx, name)?;
        if name == 0 {
            return Ok(IndexedBinding::default());
        }
        let (Some(&offset), Some(&size)) = (offsets.get(i), sizes.get(i)) else {
            return Err(GlError::invalid_value("offsets or sizes is null"));
        };
        check_range(cx, target, offset, size)?;
        Ok(IndexedBinding {
            buffer,
            offset_bytes: offset as u64,
            size_bytes: size as u64,
        })
    });
    Ok((target, Run { first, elements }))
}

pub fn bind_textures(
    cx: &Cx<'_>,
    first: GLuint,
    count: GLsizei,
    textures: *const GLuint,
) -> Result<Run<TextureId>, GlError> {
    let units = limits::combined_texture_units(&cx.ctx.caps) as usize;
    let (first, count) = run(first, count, units)?;
    let elements = each(textures, count, TextureId::NULL, |_, name| {
        if name == 0 {
            return Ok(TextureId::NULL);
        }
        // GL 4.6 §8.1: INVALID_OPERATION if a name is neither zero nor that of an existing texture object.
        cx.share
            .textures
            .get(name)
            .ok_or_else(|| GlError::invalid_operation("one of textures is no texture object"))
    });
    Ok(Run { first, elements })
}

pub fn bind_samplers(
    cx: &Cx<'_>,
    first: GLuint,
    count: GLsizei,
    samplers: *const GLuint,
) -> Result<Run<SamplerObjectId>, GlError> {
    let units = limits::combined_texture_units(&cx.ctx.caps) as usize;
    let (first, count) = run(first, count, units)?;
    let elements = each(samplers, count, SamplerObjectId::NULL, |_, name| {
        if name == 0 {
            return Ok(SamplerObjectId::NULL);
        }
        // GL 4.6 §8.2: INVALID_OPERATION if a name is neither zero nor that of an existing sampler object.
        cx.share
            .samplers
            .get(name)
            .ok_or_else(|| GlError::invalid_operation("one of samplers is no sampler object"))
    });
    Ok(Run { first, elements })
}

/// What one point of a vertex array gets.
#[derive(Clone, Copy, Debug)]
pub struct VertexBuffer {
    pub buffer: BufferId,
    pub offset: u64,
    pub stride: u32,
}

pub fn bind_vertex_buffers(
    cx: &Cx<'_>,
    first: GLuint,
    count: GLsizei,
    buffers: *const GLuint,
    offsets: *const GLintptr,
    strides: *const GLsizei,
) -> Result<Run<VertexBuffer>, GlError> {
    let (first, count) = run(first, count, pipe::MAX_VERTEX_ATTRIBS)?;
    has_array(cx)?;
    // GL 4.6 §10.3.2: without names each point has no buffer, offset 0 and stride 16.
    let none = VertexBuffer {
        buffer: BufferId::NULL,
        offset: 0,
        stride: 16,
    };
    let read = if buffers.is_null() { 0 } else { count };
    // SAFETY: c_memory's rule: the command reads count offsets.
    let offsets = unsafe { c_memory::slice(offsets, read) };
    // SAFETY: c_memory's rule: the command reads count strides.
    let strides = unsafe { c_memory::slice(strides, read) };
    let elements = each(buffers, count, none, |i, name| {
        let buffer = buffer(cx, name)?;
        let (Some(&offset), Some(&stride)) = (offsets.get(i), strides.get(i)) else {
            return Err(GlError::invalid_value("offsets or strides is null"));
        };
        // GL 4.6 §10.3.2: INVALID_VALUE if an offset or stride is negative, or a stride too great.
        if offset < 0 {
            return Err(GlError::invalid_value("one of offsets < 0"));
        }
        if !(0..=MAX_STRIDE).contains(&stride) {
            return Err(GlError::invalid_value("one of strides"));
        }
        Ok(VertexBuffer {
            buffer,
            offset: offset as u64,
            stride: stride as u32,
        })
    });
    Ok(Run { first, elements })
}
