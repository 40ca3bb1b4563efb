//! Checks of buffer objects: binding, storage, contents, mapping (GL 4.6 chapter 6). It must change nothing.

use crate::c_memory;
use crate::cx::Cx;
use crate::limits;
use crate::validate::names::{self, Named, NamesOut};
use core::ffi::c_void;
use gl_enums::*;
use gl_state::GlError;
use gl_state::buffer::{Buffer, Mapping};
use gl_state::buffer_bindings::{BufferTarget, IndexedBinding, IndexedTarget};
use pipe::{BufferClass, BufferId, MAX_BUFFER_BINDINGS, MAX_STREAM_OUTPUTS};

/// A plain binding point as GL names them: one of the context, or the vertex array's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    Context(BufferTarget),
    VertexArray,
}

/// A checked glBufferData or glBufferStorage.
#[derive(Clone, Copy, Debug)]
pub struct Storage {
    pub buffer: BufferId,
    pub size: usize,
    /// The application's bytes; null: undefined contents.
    pub data: *const c_void,
    pub usage: GLenum,
    /// glBufferStorage only.
    pub flags: Option<GLbitfield>,
}

/// A checked range of a buffer.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    pub buffer: BufferId,
    pub offset: u64,
    pub size: u64,
}

/// GL 4.6 table 6.1.
pub fn point(target: GLenum) -> Result<Point, GlError> {
    use BufferTarget as T;
    Ok(Point::Context(match target {
        GL_ARRAY_BUFFER => T::Array,
        GL_ELEMENT_ARRAY_BUFFER => return Ok(Point::VertexArray),
        GL_PIXEL_PACK_BUFFER => T::PixelPack,
        GL_PIXEL_UNPACK_BUFFER => T::PixelUnpack,
        GL_COPY_READ_BUFFER => T::CopyRead,
        GL_COPY_WRITE_BUFFER => T::CopyWrite,
        GL_UNIFORM_BUFFER => T::Uniform,
        GL_SHADER_STORAGE_BUFFER => T::ShaderStorage,
        GL_ATOMIC_COUNTER_BUFFER => T::AtomicCounter,
        GL_TRANSFORM_FEEDBACK_BUFFER => T::TransformFeedback,
        GL_TEXTURE_BUFFER => T::Texture,
        GL_DRAW_INDIRECT_BUFFER => T::DrawIndirect,
        GL_DISPATCH_INDIRECT_BUFFER => T::DispatchIndirect,
        GL_PARAMETER_BUFFER => T::Parameter,
        GL_QUERY_BUFFER => T::Query,
        _ => return Err(GlError::invalid_enum("target is no buffer binding point")),
    }))
}

/// GL 4.6 table 6.5, without the plain points.
pub(super) fn indexed(target: GLenum) -> Result<IndexedTarget, GlError> {
    Ok(match target {
        GL_UNIFORM_BUFFER => IndexedTarget::Class(BufferClass::Uniform),
        GL_SHADER_STORAGE_BUFFER => IndexedTarget::Class(BufferClass::ShaderStorage),
        GL_ATOMIC_COUNTER_BUFFER => IndexedTarget::Class(BufferClass::AtomicCounter),
        GL_TRANSFORM_FEEDBACK_BUFFER => IndexedTarget::TransformFeedback,
        _ => {
            return Err(GlError::invalid_enum(
                "target has no indexed binding points",
            ));
        }
    })
}

/// The handle at a point, null for none.
pub fn handle_at(cx: &Cx<'_>, at: Point) -> BufferId {
    match at {
        Point::Context(target) => cx.ctx.buffers.get(target),
        Point::VertexArray => cx.ctx.vertex_array().index_buffer,
    }
}

/// The buffer bound to a target.
pub fn bound<'a>(cx: &'a Cx<'_>, target: GLenum) -> Result<&'a Buffer, GlError> {
    let id = handle_at(cx, point(target)?);
    // GL 4.6 §6.2: INVALID_OPERATION if zero is bound to target.
    cx.objects
        .buffers
        .get(id)
        .ok_or(GlError::invalid_operation("no buffer is bound to target"))
}

pub fn gen_buffers(_: &Cx<'_>, n: GLsizei, buffers: *mut GLuint) -> Result<NamesOut, GlError> {
    names::generate(n, buffers)
}

pub fn create_buffers(_: &Cx<'_>, n: GLsizei, buffers: *mut GLuint) -> Result<NamesOut, GlError> {
    names::generate(n, buffers)
}

pub fn delete_buffers(
    _: &Cx<'_>,
    n: GLsizei,
    buffers: *const GLuint,
) -> Result<&'static [GLuint], GlError> {
    names::delete(n, buffers)
}

fn named(cx: &Cx<'_>, buffer: GLuint) -> Result<Named<BufferId>, GlError> {
    // GL 4.6 §6.1: INVALID_OPERATION if buffer is not zero or a name returned from GenBuffers.
    names::lookup(
        cx,
        &cx.share.buffers,
        buffer,
        "buffer was not returned by glGenBuffers",
    )
}

pub fn bind_buffer(
    cx: &Cx<'_>,
    target: GLenum,
    buffer: GLuint,
) -> Result<(Point, Named<BufferId>), GlError> {
    Ok((point(target)?, named(cx, buffer)?))
}

/// A checked bind to an indexed point. `size` [`pipe::WHOLE`]: the whole buffer.
#[derive(Clone, Copy, Debug)]
pub struct BindIndexed {
    pub target: IndexedTarget,
    pub index: usize,
    pub name: Named<BufferId>,
    pub offset: u64,
    pub size: u64,
}

/// How many points a family has.
pub(super) fn index_limit(cx: &Cx<'_>, target: IndexedTarget) -> Result<usize, GlError> {
    // GL 4.6 §13.3.2: INVALID_OPERATION if target is TRANSFORM_FEEDBACK_BUFFER and a capture is active.
    if target == IndexedTarget::TransformFeedback && cx.ctx.capture.is_some() {
        return Err(GlError::invalid_operation("transform feedback is active"));
    }
    Ok(match target {
        IndexedTarget::Class(BufferClass::Uniform) => {
            limits::uniform_buffer_bindings(&cx.ctx.caps) as usize
        }
        IndexedTarget::Class(BufferClass::ShaderStorage | BufferClass::AtomicCounter) => {
            MAX_BUFFER_BINDINGS
        }
        IndexedTarget::TransformFeedback => MAX_STREAM_OUTPUTS,
    })
}

fn index_of(cx: &Cx<'_>, target: IndexedTarget, index: GLuint) -> Result<usize, GlError> {
    // GL 4.6 §6.1.1: INVALID_VALUE if index is greater than or equal to the number of points.
    if index as usize >= index_limit(cx, target)? {
        return Err(GlError::invalid_value("index >= number of binding points"));
    }
    Ok(index as usize)
}

/// GL 4.6 §6.1.1: INVALID_VALUE if offset is negative, if size is not positive, or if either breaks table 6.5's alignment.
pub(super) fn check_range(
    cx: &Cx<'_>,
    target: IndexedTarget,
    offset: GLintptr,
    size: GLsizeiptr,
) -> Result<(), GlError> {
    if offset < 0 {
        return Err(GlError::invalid_value("offset < 0"));
    }
    if size <= 0 {
        return Err(GlError::invalid_value("size <= 0"));
    }
    let alignment = match target {
        IndexedTarget::Class(BufferClass::Uniform) => {
            cx.ctx.caps.limits.uniform_buffer_offset_alignment
        }
        IndexedTarget::Class(BufferClass::ShaderStorage) => {
            cx.ctx.caps.limits.shader_storage_buffer_offset_alignment
        }
        IndexedTarget::Class(BufferClass::AtomicCounter) | IndexedTarget::TransformFeedback => 4,
    };
    if !(offset as u64).is_multiple_of(u64::from(alignment.max(1))) {
        return Err(GlError::invalid_value("offset is not aligned"));
    }
    if target == IndexedTarget::TransformFeedback && size % 4 != 0 {
        return Err(GlError::invalid_value("size is not a multiple of 4"));
    }
    Ok(())
}

pub fn bind_buffer_base(
    cx: &Cx<'_>,
    target: GLenum,
    index: GLuint,
    buffer: GLuint,
) -> Result<BindIndexed, GlError> {
    let target = indexed(target)?;
    Ok(BindIndexed {
        target,
        index: index_of(cx, target, index)?,
        name: named(cx, buffer)?,
        offset: 0,
        size: pipe::WHOLE,
    })
}

pub fn bind_buffer_range(
    cx: &Cx<'_>,
    target: GLenum,
    index: GLuint,
    buffer: GLuint,
    offset: GLintptr,
    size: GLsizeiptr,
) -> Result<BindIndexed, GlError> {
    let target = indexed(target)?;
    let index = index_of(cx, target, index)?;
    let name = named(cx, buffer)?;
    if name == Named::Zero {
        return Ok(BindIndexed {
            target,
            index,
            name,
            offset: 0,
            size: pipe::WHOLE,
        });
    }
    check_range(cx, target, offset, size)?;
    Ok(BindIndexed {
        target,
        index,
        name,
        offset: offset as u64,
        size: size as u64,
    })
}

pub fn buffer_data(
    cx: &Cx<'_>,
    target: GLenum,
    size: GLsizeiptr,
    data: *const c_void,
    usage: GLenum,
) -> Result<Storage, GlError> {
    let buffer = bound(cx, target)?;
    let size = usize::try_from(size).map_err(|_| GlError::invalid_value("size < 0"))?;
    // GL 4.6 §6.2: INVALID_ENUM if usage is none of the nine values of table 6.2.
    if !matches!(
        usage,
        GL_STREAM_DRAW
            | GL_STREAM_READ
            | GL_STREAM_COPY
            | GL_STATIC_DRAW
            | GL_STATIC_READ
            | GL_STATIC_COPY
            | GL_DYNAMIC_DRAW
            | GL_DYNAMIC_READ
            | GL_DYNAMIC_COPY
    ) {
        return Err(GlError::invalid_enum("usage"));
    }
    // GL 4.6 §6.2: INVALID_OPERATION if BUFFER_IMMUTABLE_STORAGE is TRUE.
    if buffer.storage_flags.is_some() {
        return Err(GlError::invalid_operation("the storage is immutable"));
    }
    Ok(Storage {
        buffer: buffer.id,
        size,
        data,
        usage,
        flags: None,
    })
}

pub fn buffer_storage(
    cx: &Cx<'_>,
    target: GLenum,
    size: GLsizeiptr,
    data: *const c_void,
    flags: GLbitfield,
) -> Result<Storage, GlError> {
    use MapBufferUsageMask as M;
    let buffer = bound(cx, target)?;
    // GL 4.6 §6.2: INVALID_VALUE if size is not positive, if flags has other bits, if PERSISTENT comes without READ or WRITE,
    // if COHERENT comes without PERSISTENT; INVALID_OPERATION if the storage is immutable.
    if size <= 0 {
        return Err(GlError::invalid_value("size <= 0"));
    }
    let legal = M::DYNAMIC_STORAGE_BIT
        | M::MAP_READ_BIT
        | M::MAP_WRITE_BIT
        | M::MAP_PERSISTENT_BIT
        | M::MAP_COHERENT_BIT
        | M::CLIENT_STORAGE_BIT;
    let bits = M::from_bits_retain(flags);
    if !legal.contains(bits) {
        return Err(GlError::invalid_value("flags has unknown bits"));
    }
    if bits.contains(M::MAP_PERSISTENT_BIT) && !bits.intersects(M::MAP_READ_BIT | M::MAP_WRITE_BIT)
    {
        return Err(GlError::invalid_value(
            "GL_MAP_PERSISTENT_BIT without GL_MAP_READ_BIT or GL_MAP_WRITE_BIT",
        ));
    }
    if bits.contains(M::MAP_COHERENT_BIT) && !bits.contains(M::MAP_PERSISTENT_BIT) {
        return Err(GlError::invalid_value(
            "GL_MAP_COHERENT_BIT without GL_MAP_PERSISTENT_BIT",
        ));
    }
    if buffer.storage_flags.is_some() {
        return Err(GlError::invalid_operation("the storage is immutable"));
    }
    Ok(Storage {
        buffer: buffer.id,
        size: size as usize,
        data,
        usage: GL_DYNAMIC_DRAW, // GL 4.6 table 6.3: BUFFER_USAGE after BufferStorage
        flags: Some(flags),
    })
}

/// GL 4.6 §6.2.1: INVALID_VALUE if offset or size is negative, or if offset + size is greater than the buffer's size.
fn range(buffer: &Buffer, offset: GLintptr, size: GLsizeiptr) -> Result<Range, GlError> {
    if offset < 0 {
        return Err(GlError::invalid_value("offset < 0"));
    }
    if size < 0 {
        return Err(GlError::invalid_value("size < 0"));
    }
    if offset as u64 + size as u64 > buffer.size_bytes() {
        return Err(GlError::invalid_value("offset + size > buffer size"));
    }
    Ok(Range {
        buffer: buffer.id,
        offset: offset as u64,
        size: size as u64,
    })
}

/// GL 4.6 §6.3.1 and §6.2: INVALID_OPERATION if any part of the range is mapped, unless the mapping is persistent.
fn not_mapped(buffer: &Buffer, range: Range) -> Result<(), GlError> {
    match buffer.mapping {
        Some(mapping) if !mapping.is_persistent() && overlaps(mapping, range) => {
            Err(GlError::invalid_operation("the range is mapped"))
        }
        _ => Ok(()),
    }
}

fn overlaps(mapping: Mapping, range: Range) -> bool {
    range.offset < mapping.offset_bytes + mapping.size_bytes
        && mapping.offset_bytes < range.offset + range.size
}

pub fn buffer_sub_data(
    cx: &Cx<'_>,
    target: GLenum,
    offset: GLintptr,
    size: GLsizeiptr,
    data: *const c_void,
) -> Result<(Range, &'static [u8]), GlError> {
    let buffer = bound(cx, target)?;
    let range = range(buffer, offset, size)?;
    not_mapped(buffer, range)?;
    // GL 4.6 §6.2.1: INVALID_OPERATION if the storage is immutable and lacks DYNAMIC_STORAGE_BIT.
    if let Some(flags) = buffer.storage_flags
        && flags & GL_DYNAMIC_STORAGE_BIT == 0
    {
        return Err(GlError::invalid_operation(
            "the storage is immutable without GL_DYNAMIC_STORAGE_BIT",
        ));
    }
    // SAFETY: c_memory's rule: glBufferSubData reads size bytes; nothing keeps the slice beyond the command.
    let bytes = unsafe { c_memory::slice(data.cast::<u8>(), range.size as usize) };
    Ok((range, bytes))
}

pub fn get_buffer_sub_data(
    cx: &Cx<'_>,
    target: GLenum,
    offset: GLintptr,
    size: GLsizeiptr,
    data: *mut c_void,
) -> Result<(Range, *mut u8), GlError> {
    let buffer = bound(cx, target)?;
    let range = range(buffer, offset, size)?;
    not_mapped(buffer, range)?;
    Ok((range, data.cast()))
}

pub fn copy_buffer_sub_data(
    cx: &Cx<'_>,
    read_target: GLenum,
    write_target: GLenum,
    read_offset: GLintptr,
    write_offset: GLintptr,
    size: GLsizeiptr,
) -> Result<(Range, Range), GlError> {
    let (source, target) = (bound(cx, read_target)?, bound(cx, write_target)?);
    let from = range(source, read_offset, size)?;
    let to = range(target, write_offset, size)?;
    // GL 4.6 §6.6: INVALID_VALUE if both are the same buffer and the ranges overlap.
    if from.buffer == to.buffer
        && from.offset < to.offset + to.size
        && to.offset < from.offset + from.size
    {
        return Err(GlError::invalid_value("the ranges overlap"));
    }
    // GL 4.6 §6.6: INVALID_OPERATION if either buffer is mapped, unless persistently.
    for buffer in [source, target] {
        if buffer
            .mapping
            .is_some_and(|mapping| !mapping.is_persistent())
        {
            return Err(GlError::invalid_operation("a buffer is mapped"));
        }
    }
    Ok((from, to))
}

pub fn map_buffer(
    cx: &Cx<'_>,
    target: GLenum,
    access: GLenum,
) -> Result<(BufferId, Mapping), GlError> {
    let at = point(target)?;
    // GL 4.6 §6.3: INVALID_ENUM if access is none of the three.
    let access = match access {
        GL_READ_ONLY => GL_MAP_READ_BIT,
        GL_WRITE_ONLY => GL_MAP_WRITE_BIT,
        GL_READ_WRITE => GL_MAP_READ_BIT | GL_MAP_WRITE_BIT,
        _ => return Err(GlError::invalid_enum("access")),
    };
    let size = cx.objects.buffers.get(handle_at(cx, at));
    let size = size.map_or(0, Buffer::size_bytes) as GLsizeiptr;
    map_buffer_range(cx, target, 0, size, access)
}

pub fn map_buffer_range(
    cx: &Cx<'_>,
    target: GLenum,
    offset: GLintptr,
    length: GLsizeiptr,
    access: GLbitfield,
) -> Result<(BufferId, Mapping), GlError> {
    use MapBufferUsageMask as M;
    let buffer = bound(cx, target)?;
    let range = range(buffer, offset, length)?;
    let access = M::from_bits_retain(access);
    let legal = M::MAP_READ_BIT
        | M::MAP_WRITE_BIT
        | M::MAP_INVALIDATE_RANGE_BIT
        | M::MAP_INVALIDATE_BUFFER_BIT
        | M::MAP_FLUSH_EXPLICIT_BIT
        | M::MAP_UNSYNCHRONIZED_BIT
        | M::MAP_PERSISTENT_BIT
        | M::MAP_COHERENT_BIT;
    // GL 4.6 §6.3: INVALID_VALUE if access has any other bit set.
    if !legal.contains(access) {
        return Err(GlError::invalid_value("access has unknown bits"));
    }
    // GL 4.6 §6.3, the list of INVALID_OPERATION.
    let refuse = |what| Err(GlError::invalid_operation(what));
    if range.size == 0 {
        return refuse("length is zero");
    }
    if buffer.mapping.is_some() {
        return refuse("the buffer is mapped already");
    }
    if !access.intersects(M::MAP_READ_BIT | M::MAP_WRITE_BIT) {
        return refuse("access has neither GL_MAP_READ_BIT nor GL_MAP_WRITE_BIT");
    }
    if access.contains(M::MAP_READ_BIT)
        && access.intersects(
            M::MAP_INVALIDATE_RANGE_BIT | M::MAP_INVALIDATE_BUFFER_BIT | M::MAP_UNSYNCHRONIZED_BIT,
        )
    {
        return refuse("GL_MAP_READ_BIT with an invalidating or unsynchronized bit");
    }
    if access.contains(M::MAP_FLUSH_EXPLICIT_BIT) && !access.contains(M::MAP_WRITE_BIT) {
        return refuse("GL_MAP_FLUSH_EXPLICIT_BIT without GL_MAP_WRITE_BIT");
    }
    // GL 4.6 table 6.3: BufferData leaves the flags DYNAMIC_STORAGE, MAP_READ and MAP_WRITE.
    let mutable = M::MAP_READ_BIT | M::MAP_WRITE_BIT;
    let stored = buffer.storage_flags.map_or(mutable, M::from_bits_retain);
    let asked =
        access & (M::MAP_READ_BIT | M::MAP_WRITE_BIT | M::MAP_PERSISTENT_BIT | M::MAP_COHERENT_BIT);
    if !stored.contains(asked) {
        return refuse("access asks for what the storage flags lack");
    }
    let mapping = Mapping {
        offset_bytes: range.offset,
        size_bytes: range.size,
        access,
    };
    Ok((range.buffer, mapping))
}

pub fn unmap_buffer(cx: &Cx<'_>, target: GLenum) -> Result<BufferId, GlError> {
    let buffer = bound(cx, target)?;
    // GL 4.6 §6.3.1: INVALID_OPERATION if the buffer is not mapped.
    if buffer.mapping.is_none() {
        return Err(GlError::invalid_operation("the buffer is not mapped"));
    }
    Ok(buffer.id)
}

/// The range of the buffer; the command's offset counts from the mapping's start.
pub fn flush_mapped_buffer_range(
    cx: &Cx<'_>,
    target: GLenum,
    offset: GLintptr,
    length: GLsizeiptr,
) -> Result<Range, GlError> {
    let buffer = bound(cx, target)?;
    // GL 4.6 §6.3.2: INVALID_OPERATION if the buffer is not mapped, or without FLUSH_EXPLICIT; INVALID_VALUE if offset or length
    // is negative, or if offset + length exceeds the size of the mapping.
    let Some(mapping) = buffer.mapping else {
        return Err(GlError::invalid_operation("the buffer is not mapped"));
    };
    if !mapping
        .access
        .contains(MapBufferUsageMask::MAP_FLUSH_EXPLICIT_BIT)
    {
        return Err(GlError::invalid_operation(
            "mapped without GL_MAP_FLUSH_EXPLICIT_BIT",
        ));
    }
    if offset < 0 || length < 0 {
        return Err(GlError::invalid_value("offset or length < 0"));
    }
    if offset as u64 + length as u64 > mapping.size_bytes {
        return Err(GlError::invalid_value("offset + length > mapped length"));
    }
    Ok(Range {
        buffer: buffer.id,
        offset: mapping.offset_bytes + offset as u64,
        size: length as u64,
    })
}

/// A buffer by name. GL 4.6 §6.5: INVALID_VALUE if it is not the name of an existing object.
fn existing<'a>(cx: &'a Cx<'_>, name: GLuint) -> Result<&'a Buffer, GlError> {
    let id = cx.share.buffers.get(name);
    id.and_then(|id| cx.objects.buffers.get(id))
        .ok_or(GlError::invalid_value("buffer is not a buffer object"))
}

pub fn invalidate_buffer_data(cx: &Cx<'_>, buffer: GLuint) -> Result<(), GlError> {
    let buffer = existing(cx, buffer)?;
    let whole = Range {
        buffer: buffer.id,
        offset: 0,
        size: buffer.size_bytes(),
    };
    not_mapped(buffer, whole)
}

pub fn invalidate_buffer_sub_data(
    cx: &Cx<'_>,
    buffer: GLuint,
    offset: GLintptr,
    length: GLsizeiptr,
) -> Result<(), GlError> {
    let buffer = existing(cx, buffer)?;
    not_mapped(buffer, range(buffer, offset, length)?)
}

fn parameter(buffer: &Buffer, pname: GLenum) -> Result<i64, GlError> {
    let mapping = buffer.mapping;
    Ok(match pname {
        GL_BUFFER_SIZE => buffer.size_bytes() as i64,
        GL_BUFFER_USAGE => i64::from(buffer.usage),
        // GL 4.6 table 6.3: READ_WRITE until a mapping says otherwise.
        GL_BUFFER_ACCESS => i64::from(mapping.map_or(GL_READ_WRITE, |mapping| {
            let access = mapping.access;
            match (
                access.contains(MapBufferUsageMask::MAP_READ_BIT),
                access.contains(MapBufferUsageMask::MAP_WRITE_BIT),
            ) {
                (true, false) => GL_READ_ONLY,
                (false, true) => GL_WRITE_ONLY,
                (true, true) | (false, false) => GL_READ_WRITE,
            }
        })),
        GL_BUFFER_ACCESS_FLAGS => mapping.map_or(0, |mapping| i64::from(mapping.access.bits())),
        GL_BUFFER_MAPPED => i64::from(mapping.is_some()),
        GL_BUFFER_MAP_OFFSET => mapping.map_or(0, |mapping| mapping.offset_bytes as i64),
        GL_BUFFER_MAP_LENGTH => mapping.map_or(0, |mapping| mapping.size_bytes as i64),
        GL_BUFFER_IMMUTABLE_STORAGE => i64::from(buffer.storage_flags.is_some()),
        // GL 4.6 table 6.3: what BufferData leaves.
        GL_BUFFER_STORAGE_FLAGS => i64::from(match buffer.storage_flags {
            Some(flags) => flags,
            None if buffer.storage_serial > 1 => {
                GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_DYNAMIC_STORAGE_BIT
            }
            None => 0,
        }),
        _ => return Err(GlError::invalid_enum("pname")),
    })
}

pub fn get_buffer_parameteriv(
    cx: &Cx<'_>,
    target: GLenum,
    pname: GLenum,
    params: *mut GLint,
) -> Result<(i64, *mut GLint), GlError> {
    Ok((parameter(bound(cx, target)?, pname)?, params))
}

pub fn get_buffer_parameter_i64v(
    cx: &Cx<'_>,
    target: GLenum,
    pname: GLenum,
    params: *mut GLint64,
) -> Result<(i64, *mut GLint64), GlError> {
    Ok((parameter(bound(cx, target)?, pname)?, params))
}

pub fn get_buffer_pointerv(
    cx: &Cx<'_>,
    target: GLenum,
    pname: GLenum,
    params: *mut *mut c_void,
) -> Result<(BufferId, *mut *mut c_void), GlError> {
    if pname != GL_BUFFER_MAP_POINTER {
        return Err(GlError::invalid_enum("pname"));
    }
    Ok((bound(cx, target)?.id, params))
}

/// What a checked indexed bind binds.
pub fn binding(args: &BindIndexed, buffer: BufferId) -> IndexedBinding {
    IndexedBinding {
        buffer,
        offset_bytes: args.offset,
        size_bytes: args.size,
    }
}
