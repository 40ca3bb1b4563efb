//! Checks of draws (GL 4.6 §10.3.1, §10.4, §10.5). What does not depend on a draw's arguments comes from [`gl_state::draw_facts`], which
//! compares versions: a steady draw is checked without a loop. It must change nothing.

use crate::c_memory;
use crate::cx::Cx;
use core::ffi::c_void;
use gl_enums::*;
use gl_state::buffer_bindings::BufferTarget;
use gl_state::draw_facts::DrawGate;
use gl_state::framebuffer_status::status;
use gl_state::{GlError, Profile};
use pipe::Primitive;

/// What every draw needs.
#[derive(Clone, Copy, Debug)]
pub struct Ready {
    pub mode: Primitive,
    /// Without a program a draw does nothing, nor where conditional rendering says no.
    pub executable: bool,
    /// Binding points whose arrays are in client memory.
    pub client_points: u32,
    /// The program may write buffers.
    pub writes: bool,
    /// The program reads GL state from its default block.
    pub reads_state: bool,
}

/// glDrawArrays and what extends it.
#[derive(Clone, Copy, Debug)]
pub struct Arrays {
    pub ready: Ready,
    pub first: u32,
    pub count: u32,
    pub instances: u32,
    pub base_instance: u32,
}

/// glDrawElements and what extends it.
#[derive(Clone, Copy, Debug)]
pub struct Elements {
    pub ready: Ready,
    pub count: u32,
    /// Bytes per index.
    pub index_size: u8,
    /// Offset into the element array buffer, or an address where there is none.
    pub indices: u64,
    pub instances: u32,
    pub base_vertex: i32,
    pub base_instance: u32,
    /// glDrawRangeElements: what the application promises.
    pub range: Option<(u32, u32)>,
}

fn primitive(cx: &Cx<'_>, mode: GLenum) -> Result<Primitive, GlError> {
    Primitive::from_gl(mode).ok_or_else(|| unknown_mode(cx, mode))
}

#[cold]
fn unknown_mode(cx: &Cx<'_>, mode: GLenum) -> GlError {
    if cx.ctx.profile == Profile::Compatibility && matches!(mode, 7..=9) {
        // GL_QUADS, GL_QUAD_STRIP, GL_POLYGON.
        return GlError::invalid_operation(
            "quads and polygons, which are not implemented by MobileGL",
        );
    }
    GlError::invalid_enum("mode")
}

#[inline]
fn ready(cx: &Cx<'_>, mode: Primitive, indexed: bool) -> Result<Ready, GlError> {
    let gate = cx.ctx.draw_gate(cx.objects);
    let modes = if indexed { gate.elements } else { gate.arrays };
    if modes & (1 << mode as u32) == 0 || !capture_takes(cx, mode, gate) {
        return Err(refusal(cx, mode, gate));
    }
    Ok(Ready {
        mode,
        executable: gate.executable && !cx.ctx.condition_discards(),
        client_points: gate.client_points,
        writes: gate.writes,
        reads_state: gate.reads_state,
    })
}

/// GL 4.6 §13.3.3: while a capture runs, a draw's mode is the capture's, unless a later stage makes other primitives.
#[inline]
fn capture_takes(cx: &Cx<'_>, mode: Primitive, gate: DrawGate) -> bool {
    match &cx.ctx.capture {
        Some(capture) if !capture.paused && gate.executable && cx.ctx.draw_facts().vertex_only => {
            capture.accepted_modes() & (1 << mode as u32) != 0
        }
        Some(_) | None => true,
    }
}

#[cold]
fn refusal(cx: &Cx<'_>, mode: Primitive, gate: DrawGate) -> GlError {
    let facts = cx.ctx.draw_facts();
    let wrong_mode =
        gate.executable && facts.modes & (1 << mode as u32) == 0 || !capture_takes(cx, mode, gate);
    // GL 4.6 core §10.4: INVALID_OPERATION if no vertex array object is bound.
    if facts.no_array {
        return GlError::invalid_operation("no vertex array object is bound");
    }
    // GL 4.6 §11.3.1, §10.1.15 and §13.3.3: mode does not fit the geometry or tessellation shader, or the capture.
    if wrong_mode {
        return GlError::invalid_operation("mode does not fit the program's stages or the capture");
    }
    // GL 4.6 §9.4.4: INVALID_FRAMEBUFFER_OPERATION if the draw framebuffer is not complete.
    if facts.framebuffer_status != status::COMPLETE {
        return GlError::invalid_framebuffer_operation("the draw framebuffer is not complete");
    }
    // GL 4.6 §6.3.2 and §10.3.11: INVALID_OPERATION if a buffer that would be read is mapped, and not persistently.
    GlError::invalid_operation("a buffer that the draw reads is mapped")
}

/// GL 4.6 §2.3.1: negative counts are INVALID_VALUE.
fn size(value: GLsizei, what: &'static str) -> Result<u32, GlError> {
    u32::try_from(value).map_err(|_| GlError::invalid_value(what))
}

#[inline]
fn arrays(
    cx: &Cx<'_>,
    mode: GLenum,
    first: GLint,
    count: GLsizei,
    instances: GLsizei,
    base_instance: GLuint,
) -> Result<Arrays, GlError> {
    let mode = primitive(cx, mode)?;
    // GL 4.6 §10.4: INVALID_VALUE if first is negative.
    let first = size(first, "first < 0")?;
    let count = size(count, "count < 0")?;
    let instances = size(instances, "instancecount < 0")?;
    Ok(Arrays {
        ready: ready(cx, mode, false)?,
        first,
        count,
        instances,
        base_instance,
    })
}

pub fn draw_arrays(
    cx: &Cx<'_>,
    mode: GLenum,
    first: GLint,
    count: GLsizei,
) -> Result<Arrays, GlError> {
    arrays(cx, mode, first, count, 1, 0)
}

pub fn draw_arrays_instanced(
    cx: &Cx<'_>,
    mode: GLenum,
    first: GLint,
    count: GLsizei,
    instances: GLsizei,
) -> Result<Arrays, GlError> {
    arrays(cx, mode, first, count, instances, 0)
}

pub fn draw_arrays_instanced_base_instance(
    cx: &Cx<'_>,
    mode: GLenum,
    first: GLint,
    count: GLsizei,
    instances: GLsizei,
    base_instance: GLuint,
) -> Result<Arrays, GlError> {
    arrays(cx, mode, first, count, instances, base_instance)
}

/// GL 4.6 table 10.3 (types of indices).
fn index_size(ty: GLenum) -> Result<u8, GlError> {
    match ty {
        GL_UNSIGNED_BYTE => Ok(1),
        GL_UNSIGNED_SHORT => Ok(2),
        GL_UNSIGNED_INT => Ok(4),
        _ => Err(GlError::invalid_enum("type of indices")),
    }
}

/// Indices come from a buffer, but in compatibility contexts.
fn has_indices(cx: &Cx<'_>) -> Result<(), GlError> {
    // GL 4.6 core §10.3.10: INVALID_OPERATION if no buffer is bound to ELEMENT_ARRAY_BUFFER.
    if cx.ctx.profile == Profile::Core && cx.ctx.vertex_array().index_buffer.is_null() {
        return Err(GlError::invalid_operation(
            "no buffer is bound to GL_ELEMENT_ARRAY_BUFFER",
        ));
    }
    Ok(())
}

/// Arguments that element draws have beyond mode, count, type and indices.
#[derive(Clone, Copy)]
struct Extras {
    instances: GLsizei,
    base_vertex: GLint,
    base_instance: GLuint,
    range: Option<(u32, u32)>,
}

const PLAIN: Extras = Extras {
    instances: 1,
    base_vertex: 0,
    base_instance: 0,
    range: None,
};

#[inline]
fn elements(
    cx: &Cx<'_>,
    mode: GLenum,
    count: GLsizei,
    ty: GLenum,
    indices: *const c_void,
    extras: Extras,
) -> Result<Elements, GlError> {
    let mode = primitive(cx, mode)?;
    let count = size(count, "count < 0")?;
    let instances = size(extras.instances, "instancecount < 0")?;
    let index_size = index_size(ty)?;
    // GL 4.6 §10.4: INVALID_VALUE if end is less than start.
    if extras.range.is_some_and(|(start, end)| end < start) {
        return Err(GlError::invalid_value("end < start"));
    }
    let ready = ready(cx, mode, true)?;
    has_indices(cx)?;
    Ok(Elements {
        ready,
        count,
        index_size,
        indices: indices as u64,
        instances,
        base_vertex: extras.base_vertex,
        base_instance: extras.base_instance,
        range: extras.range,
    })
}

pub fn draw_elements(
    cx: &Cx<'_>,
    mode: GLenum,
    count: GLsizei,
    ty: GLenum,
    indices: *const c_void,
) -> Result<Elements, GlError> {
    elements(cx, mode, count, ty, indices, PLAIN)
}

pub fn draw_elements_base_vertex(
    cx: &Cx<'_>,
    mode: GLenum,
    count: GLsizei,
    ty: GLenum,
    indices: *const c_void,
    base_vertex: GLint,
) -> Result<Elements, GlError> {
    let extras = Extras {
        base_vertex,
        ..PLAIN
    };
    elements(cx, mode, count, ty, indices, extras)
}

pub fn draw_range_elements(
    cx: &Cx<'_>,
    mode: GLenum,
    start: GLuint,
    end: GLuint,
    count: GLsizei,
    ty: GLenum,
    indices: *const c_void,
) -> Result<Elements, GlError> {
    draw_range_elements_base_vertex(cx, mode, start, end, count, ty, indices, 0)
}

pub fn draw_range_elements_base_vertex(
    cx: &Cx<'_>,
    mode: GLenum,
    start: GLuint,
    end: GLuint,
    count: GLsizei,
    ty: GLenum,
    indices: *const c_void,
    base_vertex: GLint,
) -> Result<Elements, GlError> {
    let extras = Extras {
        base_vertex,
        range: Some((start, end)),
        ..PLAIN
    };
    elements(cx, mode, count, ty, indices, extras)
}

pub fn draw_elements_instanced(
    cx: &Cx<'_>,
    mode: GLenum,
    count: GLsizei,
    ty: GLenum,
    indices: *const c_void,
    instances: GLsizei,
) -> Result<Elements, GlError> {
    let extras = Extras { instances, ..PLAIN };
    elements(cx, mode, count, ty, indices, extras)
}

pub fn draw_elements_instanced_base_instance(
    cx: &Cx<'_>,
    mode: GLenum,
    count: GLsizei,
    ty: GLenum,
    indices: *const c_void,
    instances: GLsizei,
    base_instance: GLuint,
) -> Result<Elements, GlError> {
    let extras = Extras {
        instances,
        base_instance,
        ..PLAIN
    };
    elements(cx, mode, count, ty, indices, extras)
}

pub fn draw_elements_instanced_base_vertex(
    cx: &Cx<'_>,
    mode: GLenum,
    count: GLsizei,
    ty: GLenum,
    indices: *const c_void,
    instances: GLsizei,
    base_vertex: GLint,
) -> Result<Elements, GlError> {
    let extras = Extras {
        instances,
        base_vertex,
        ..PLAIN
    };
    elements(cx, mode, count, ty, indices, extras)
}

pub fn draw_elements_instanced_base_vertex_base_instance(
    cx: &Cx<'_>,
    mode: GLenum,
    count: GLsizei,
    ty: GLenum,
    indices: *const c_void,
    instances: GLsizei,
    base_vertex: GLint,
    base_instance: GLuint,
) -> Result<Elements, GlError> {
    let extras = Extras {
        instances,
        base_vertex,
        base_instance,
        range: None,
    };
    elements(cx, mode, count, ty, indices, extras)
}

/// Checked glMultiDrawArrays; the slices are the application's, for the length of the command.
#[derive(Clone, Copy, Debug)]
pub struct MultiArrays {
    pub ready: Ready,
    pub firsts: &'static [GLint],
    pub counts: &'static [GLsizei],
}

/// Checked glMultiDrawElements(BaseVertex).
#[derive(Clone, Copy, Debug)]
pub struct MultiElements {
    pub ready: Ready,
    pub index_size: u8,
    pub counts: &'static [GLsizei],
    pub indices: &'static [*const c_void],
    /// Empty: zeros.
    pub base_vertices: &'static [GLint],
}

pub fn multi_draw_arrays(
    cx: &Cx<'_>,
    mode: GLenum,
    first: *const GLint,
    count: *const GLsizei,
    draw_count: GLsizei,
) -> Result<MultiArrays, GlError> {
    let mode = primitive(cx, mode)?;
    let n = size(draw_count, "drawcount < 0")? as usize;
    // SAFETY: c_memory's rule: drawcount starts.
    let firsts = unsafe { c_memory::slice(first, n) };
    // SAFETY: c_memory's rule: drawcount counts.
    let counts = unsafe { c_memory::slice(count, n) };
    if counts.iter().any(|count| *count < 0) || firsts.iter().any(|first| *first < 0) {
        return Err(GlError::invalid_value("a first or a count < 0"));
    }
    Ok(MultiArrays {
        ready: ready(cx, mode, false)?,
        firsts,
        counts,
    })
}

pub fn multi_draw_elements(
    cx: &Cx<'_>,
    mode: GLenum,
    count: *const GLsizei,
    ty: GLenum,
    indices: *const *const c_void,
    draw_count: GLsizei,
) -> Result<MultiElements, GlError> {
    multi_draw_elements_base_vertex(cx, mode, count, ty, indices, draw_count, std::ptr::null())
}

pub fn multi_draw_elements_base_vertex(
    cx: &Cx<'_>,
    mode: GLenum,
    count: *const GLsizei,
    ty: GLenum,
    indices: *const *const c_void,
    draw_count: GLsizei,
    base_vertex: *const GLint,
) -> Result<MultiElements, GlError> {
    let mode = primitive(cx, mode)?;
    let n = size(draw_count, "drawcount < 0")? as usize;
    let index_size = index_size(ty)?;
    // SAFETY: c_memory's rule: drawcount counts.
    let counts = unsafe { c_memory::slice(count, n) };
    if counts.iter().any(|count| *count < 0) {
        return Err(GlError::invalid_value("a count < 0"));
    }
    let ready = ready(cx, mode, true)?;
    has_indices(cx)?;
    Ok(MultiElements {
        ready,
        index_size,
        counts,
        // SAFETY: c_memory's rule: drawcount pointers.
        indices: unsafe { c_memory::slice(indices, n) },
        // SAFETY: c_memory's rule: drawcount numbers, or null.
        base_vertices: unsafe { c_memory::slice(base_vertex, n) },
    })
}

/// Where indirect commands are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commands {
    /// At this offset of the draw indirect buffer.
    Buffer(u64),
    /// At this address (compatibility contexts).
    Memory(u64),
}

/// A checked indirect draw.
#[derive(Clone, Copy, Debug)]
pub struct Indirect {
    pub ready: Ready,
    /// 0: arrays.
    pub index_size: u8,
    pub commands: Commands,
    pub stride: u32,
    /// At most.
    pub draw_count: u32,
    /// glMultiDraw*IndirectCount: where the parameter buffer has the count.
    pub count_offset: Option<u64>,
}

/// Bytes of one command (GL 4.6 §10.4, DrawArraysIndirectCommand and DrawElementsIndirectCommand).
pub const fn command_bytes(index_size: u8) -> u64 {
    if index_size == 0 { 16 } else { 20 }
}

fn indirect(
    cx: &Cx<'_>,
    mode: GLenum,
    index_size: u8,
    at: *const c_void,
    draw_count: GLsizei,
    stride: GLsizei,
) -> Result<Indirect, GlError> {
    let mode = primitive(cx, mode)?;
    // GL 4.6 §10.4: INVALID_VALUE if drawcount is negative, if stride is not a multiple of four, if indirect is not aligned.
    let draw_count = size(draw_count, "drawcount < 0")?;
    let stride = size(stride, "stride < 0")?;
    if stride % 4 != 0 {
        return Err(GlError::invalid_value("stride is not a multiple of 4"));
    }
    let at = at as u64;
    if !at.is_multiple_of(4) {
        return Err(GlError::invalid_value("indirect is not a multiple of 4"));
    }
    let ready = ready(cx, mode, index_size != 0)?;
    // GL 4.6 §10.4: INVALID_OPERATION if no buffer is bound to ELEMENT_ARRAY_BUFFER.
    if index_size != 0 && cx.ctx.vertex_array().index_buffer.is_null() {
        return Err(GlError::invalid_operation(
            "no buffer is bound to GL_ELEMENT_ARRAY_BUFFER",
        ));
    }
    let bytes = command_bytes(index_size);
    let stride = if stride == 0 { bytes as u32 } else { stride };
    let source = cx.ctx.buffers.get(BufferTarget::DrawIndirect);
    let commands = match cx.objects.buffers.get(source) {
        Some(buffer) => {
            let last = u64::from(draw_count.saturating_sub(1)) * u64::from(stride);
            // GL 4.6 §10.4: INVALID_OPERATION if the commands are outside the buffer, or if it is mapped.
            if draw_count != 0 && at + last + bytes > buffer.size_bytes() {
                return Err(GlError::invalid_operation(
                    "commands beyond the draw indirect buffer",
                ));
            }
            if buffer
                .mapping
                .is_some_and(|mapping| !mapping.is_persistent())
            {
                return Err(GlError::invalid_operation(
                    "the draw indirect buffer is mapped",
                ));
            }
            Commands::Buffer(at)
        }
        None if cx.ctx.profile == Profile::Compatibility => Commands::Memory(at),
        // GL 4.6 core §10.3.11: INVALID_OPERATION if no buffer is bound to DRAW_INDIRECT_BUFFER.
        None => {
            return Err(GlError::invalid_operation(
                "no buffer is bound to GL_DRAW_INDIRECT_BUFFER",
            ));
        }
    };
    Ok(Indirect {
        ready,
        index_size,
        commands,
        stride,
        draw_count,
        count_offset: None,
    })
}

pub fn draw_arrays_indirect(
    cx: &Cx<'_>,
    mode: GLenum,
    at: *const c_void,
) -> Result<Indirect, GlError> {
    indirect(cx, mode, 0, at, 1, 0)
}

pub fn draw_elements_indirect(
    cx: &Cx<'_>,
    mode: GLenum,
    ty: GLenum,
    at: *const c_void,
) -> Result<Indirect, GlError> {
    primitive(cx, mode)?;
    indirect(cx, mode, index_size(ty)?, at, 1, 0)
}

pub fn multi_draw_arrays_indirect(
    cx: &Cx<'_>,
    mode: GLenum,
    at: *const c_void,
    draw_count: GLsizei,
    stride: GLsizei,
) -> Result<Indirect, GlError> {
    indirect(cx, mode, 0, at, draw_count, stride)
}

pub fn multi_draw_elements_indirect(
    cx: &Cx<'_>,
    mode: GLenum,
    ty: GLenum,
    at: *const c_void,
    draw_count: GLsizei,
    stride: GLsizei,
) -> Result<Indirect, GlError> {
    primitive(cx, mode)?;
    indirect(cx, mode, index_size(ty)?, at, draw_count, stride)
}

fn counted(cx: &Cx<'_>, draw: Indirect, offset: GLintptr) -> Result<Indirect, GlError> {
    // GL 4.6 §10.4: INVALID_VALUE if drawcount (the offset) is not a multiple of four; INVALID_OPERATION if no buffer is bound to
    // PARAMETER_BUFFER, or if the count is outside it.
    if offset < 0 || offset % 4 != 0 {
        return Err(GlError::invalid_value("drawcount is not a multiple of 4"));
    }
    let source = cx.ctx.buffers.get(BufferTarget::Parameter);
    let Some(buffer) = cx.objects.buffers.get(source) else {
        return Err(GlError::invalid_operation(
            "no buffer is bound to GL_PARAMETER_BUFFER",
        ));
    };
    if offset as u64 + 4 > buffer.size_bytes() {
        return Err(GlError::invalid_operation(
            "the count is beyond the parameter buffer",
        ));
    }
    if !matches!(draw.commands, Commands::Buffer(_)) {
        return Err(GlError::invalid_operation(
            "no buffer is bound to GL_DRAW_INDIRECT_BUFFER",
        ));
    }
    Ok(Indirect {
        count_offset: Some(offset as u64),
        ..draw
    })
}

pub fn multi_draw_arrays_indirect_count(
    cx: &Cx<'_>,
    mode: GLenum,
    at: *const c_void,
    count_offset: GLintptr,
    max_draw_count: GLsizei,
    stride: GLsizei,
) -> Result<Indirect, GlError> {
    let draw = indirect(cx, mode, 0, at, max_draw_count, stride)?;
    counted(cx, draw, count_offset)
}

pub fn multi_draw_elements_indirect_count(
    cx: &Cx<'_>,
    mode: GLenum,
    ty: GLenum,
    at: *const c_void,
    count_offset: GLintptr,
    max_draw_count: GLsizei,
    stride: GLsizei,
) -> Result<Indirect, GlError> {
    primitive(cx, mode)?;
    let draw = indirect(cx, mode, index_size(ty)?, at, max_draw_count, stride)?;
    counted(cx, draw, count_offset)
}
