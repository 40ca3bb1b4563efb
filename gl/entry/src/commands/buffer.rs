//! Buffer objects: names, binding, storage, contents, mapping. The client's copy is changed here; who is told, and when, is decided
//! behind [`ResourceOp`].

use crate::c_memory;
use crate::cx::Cx;
use crate::source::ResourceOp;
use crate::validate::buffer::{self as checked, BindIndexed, Point, Range, Storage};
use crate::validate::names::{Named, NamesOut};
use core::ffi::c_void;
use gl_enums::*;
use gl_state::buffer::{Buffer, Mapping};
use gl_state::{ClientBytes, GlError};
use pipe::{Box3, BufferId, CopyRegion, Readback, ReplyBytes, Submit};

/// Makes the object of a name.
fn create(cx: &mut Cx<'_>, name: GLuint) -> BufferId {
    let lifetime = cx.objects.next_lifetime();
    let id = cx
        .objects
        .buffers
        .insert(|id| Buffer::new(id, name, lifetime));
    cx.emission.reset(id);
    cx.share.buffers.assign(name, id);
    id
}

pub(super) fn resolve(cx: &mut Cx<'_>, name: Named<BufferId>) -> BufferId {
    match name {
        Named::Zero => BufferId::NULL,
        Named::Object(id) => id,
        Named::New(name) => create(cx, name),
    }
}

/// Storage or bytes changed: whoever owns buffers may tell it now.
fn changed(cx: &mut Cx<'_>, id: BufferId) {
    cx.resource_op(ResourceOp::BufferChanged(id));
    cx.finish_verb(Submit::Done);
}

/// Brings the client's copy up to date with what the GPU wrote.
pub(super) fn read_back(cx: &mut Cx<'_>, id: BufferId) {
    if !cx.objects.buffers[id].gpu_written {
        return;
    }
    if !cx.objects.persistent_maps.is_empty() {
        // What the application wrote through a mapping goes there before the answer overwrites it here.
        cx.objects.note_persistent_writes(cx.emission);
    }
    let _zone = tracing::debug_span!("stall: buffer read back").entered();
    cx.resource_op(ResourceOp::BufferNeeded(id));
    let buffer = &mut cx.objects.buffers[id];
    let readback = Readback {
        buffer: id,
        offset_bytes: 0,
        size_bytes: buffer.size_bytes(),
    };
    if cx
        .pipe
        .resource_readback(&readback, ReplyBytes(Some(&mut buffer.bytes)))
    {
        buffer.mark_read_back();
    } else {
        tracing::error!(?id, "a buffer could not be read back");
    }
    cx.finish_verb(Submit::Done);
}

pub fn gen_buffers(cx: &mut Cx<'_>, args: NamesOut) -> Result<(), GlError> {
    for i in 0..args.count {
        let name = cx.share.buffers.generate();
        // SAFETY: c_memory's rule: glGenBuffers writes `count` names.
        unsafe { c_memory::write(args.out.wrapping_add(i), name) };
    }
    Ok(())
}

pub fn create_buffers(cx: &mut Cx<'_>, args: NamesOut) -> Result<(), GlError> {
    for i in 0..args.count {
        let name = cx.share.buffers.generate();
        create(cx, name);
        // SAFETY: c_memory's rule: glCreateBuffers writes `count` names.
        unsafe { c_memory::write(args.out.wrapping_add(i), name) };
    }
    Ok(())
}

pub fn delete_buffers(cx: &mut Cx<'_>, names: &[GLuint]) -> Result<(), GlError> {
    for &name in names {
        let Some(id) = cx.share.buffers.remove(name) else {
            continue;
        };
        // GL 4.6 §6.3.1: deleting a mapped buffer unmaps it.
        cx.objects.unmap_buffer(id, cx.emission);
        cx.objects.buffers[id].name = 0;
        cx.ctx.unbind_buffer(id, cx.objects, cx.emission);
        cx.objects.release_buffer(id, cx.emission);
    }
    cx.settle_deaths();
    Ok(())
}

pub fn is_buffer(cx: &mut Cx<'_>, buffer: GLuint) -> Result<GLboolean, GlError> {
    Ok(u8::from(cx.share.buffers.get(buffer).is_some()))
}

pub fn bind_buffer(
    cx: &mut Cx<'_>,
    (point, name): (Point, Named<BufferId>),
) -> Result<(), GlError> {
    let id = resolve(cx, name);
    match point {
        Point::Context(target) => cx.ctx.bind_buffer(target, id, cx.objects, cx.emission),
        Point::VertexArray => cx.ctx.bind_index_buffer(id, cx.objects, cx.emission),
    }
    cx.settle_deaths();
    Ok(())
}

pub fn bind_buffer_base(cx: &mut Cx<'_>, args: BindIndexed) -> Result<(), GlError> {
    bind_buffer_range(cx, args)
}

pub fn bind_buffer_range(cx: &mut Cx<'_>, args: BindIndexed) -> Result<(), GlError> {
    let id = resolve(cx, args.name);
    let binding = checked::binding(&args, id);
    let (objects, emission) = (&mut *cx.objects, &mut *cx.emission);
    cx.ctx
        .bind_indexed(args.target, args.index, binding, objects, emission);
    cx.ctx
        .bind_buffer(args.target.plain(), id, objects, emission);
    cx.settle_deaths();
    Ok(())
}

pub fn buffer_data(cx: &mut Cx<'_>, args: Storage) -> Result<(), GlError> {
    let Some(mut bytes) = ClientBytes::zeroed(args.size) else {
        return Err(GlError::out_of_memory("no memory for size bytes"));
    };
    if !args.data.is_null() {
        // SAFETY: c_memory's rule: glBufferData reads `size` bytes.
        bytes.copy_from_slice(unsafe { c_memory::slice(args.data.cast::<u8>(), args.size) });
    }
    // GL 4.6 §6.2: BufferData unmaps first; what the mapping wrote goes with the old storage.
    cx.objects.end_mapping(args.buffer);
    cx.objects.buffers[args.buffer].set_storage(
        bytes,
        !args.data.is_null(),
        args.usage,
        args.flags,
        cx.emission,
        &mut cx.objects.generations,
    );
    changed(cx, args.buffer);
    Ok(())
}

pub fn buffer_storage(cx: &mut Cx<'_>, args: Storage) -> Result<(), GlError> {
    buffer_data(cx, args)
}

pub(super) fn write(cx: &mut Cx<'_>, range: Range, bytes: Option<&[u8]>) {
    if range.size == 0 {
        return;
    }
    cx.objects.buffers[range.buffer].write(
        range.offset,
        bytes,
        range.size,
        cx.emission,
        &mut cx.objects.generations,
    );
    changed(cx, range.buffer);
}

pub fn buffer_sub_data(
    cx: &mut Cx<'_>,
    (range, bytes): (Range, &'static [u8]),
) -> Result<(), GlError> {
    if !bytes.is_empty() {
        write(cx, range, Some(bytes));
    }
    Ok(())
}

pub fn get_buffer_sub_data(cx: &mut Cx<'_>, (range, out): (Range, *mut u8)) -> Result<(), GlError> {
    read_back(cx, range.buffer);
    let bytes = &cx.objects.buffers[range.buffer].bytes;
    let bytes = &bytes[range.offset as usize..(range.offset + range.size) as usize];
    // SAFETY: c_memory's rule: glGetBufferSubData writes `size` bytes.
    unsafe { c_memory::write_all(out, bytes) };
    Ok(())
}

pub fn copy_buffer_sub_data(cx: &mut Cx<'_>, (from, to): (Range, Range)) -> Result<(), GlError> {
    if from.size == 0 {
        return Ok(());
    }
    cx.objects.note_persistent_writes(cx.emission);
    if cx.objects.buffers[from.buffer].gpu_written {
        return copy_on_the_other_side(cx, from, to);
    }
    let source = &cx.objects.buffers[from.buffer].bytes;
    let bytes = source[from.offset as usize..(from.offset + from.size) as usize].to_vec();
    write(cx, to, Some(&bytes));
    Ok(())
}

/// The client's copy of the source is stale: the bytes never come here.
fn copy_on_the_other_side(cx: &mut Cx<'_>, from: Range, to: Range) -> Result<(), GlError> {
    cx.resource_op(ResourceOp::BufferNeeded(from.buffer));
    cx.resource_op(ResourceOp::BufferNeeded(to.buffer));
    cx.pipe.resource_copy_region(&CopyRegion {
        src: from.buffer.into(),
        dst: to.buffer.into(),
        src_level: 0,
        dst_level: 0,
        src_box: Box3 {
            x: 0,
            y: 0,
            z: 0,
            width: 0,
            height: 0,
            depth: 0,
        },
        dst_x: 0,
        dst_y: 0,
        dst_z: 0,
        src_offset_bytes: from.offset,
        dst_offset_bytes: to.offset,
        size_bytes: from.size,
    });
    cx.objects.buffers[to.buffer].mark_gpu_written(&mut cx.objects.generations);
    cx.finish_verb(Submit::Done);
    Ok(())
}

pub fn map_buffer(cx: &mut Cx<'_>, args: (BufferId, Mapping)) -> Result<*mut c_void, GlError> {
    map_buffer_range(cx, args)
}

pub fn map_buffer_range(
    cx: &mut Cx<'_>,
    (id, mapping): (BufferId, Mapping),
) -> Result<*mut c_void, GlError> {
    let access = mapping.access;
    // Unmapping tells the whole range again, so bytes that the application leaves alone must be the true ones.
    let discards = access.contains(MapBufferUsageMask::MAP_INVALIDATE_BUFFER_BIT)
        || access.contains(MapBufferUsageMask::MAP_INVALIDATE_RANGE_BIT);
    if !discards {
        read_back(cx, id);
    }
    cx.objects.map_buffer(id, mapping);
    let offset = mapping.offset_bytes as usize;
    Ok(cx.objects.buffers[id].bytes.address_of(offset).cast())
}

pub fn unmap_buffer(cx: &mut Cx<'_>, id: BufferId) -> Result<GLboolean, GlError> {
    cx.objects.unmap_buffer(id, cx.emission);
    changed(cx, id);
    Ok(GL_TRUE as GLboolean)
}

pub fn flush_mapped_buffer_range(cx: &mut Cx<'_>, range: Range) -> Result<(), GlError> {
    write(cx, range, None);
    Ok(())
}

/// Contents become undefined; keeping them is allowed (GL 4.6 §6.5).
pub fn invalidate_buffer_data(_: &mut Cx<'_>, (): ()) -> Result<(), GlError> {
    Ok(())
}

/// As above.
pub fn invalidate_buffer_sub_data(_: &mut Cx<'_>, (): ()) -> Result<(), GlError> {
    Ok(())
}

pub fn get_buffer_parameteriv(
    _: &mut Cx<'_>,
    (value, out): (i64, *mut GLint),
) -> Result<(), GlError> {
    // SAFETY: c_memory's rule: one value. GL 4.6 §2.2.2: a value out of range is clamped to the type's nearest.
    unsafe { c_memory::write(out, i32::try_from(value).unwrap_or(i32::MAX)) };
    Ok(())
}

pub fn get_buffer_parameter_i64v(
    _: &mut Cx<'_>,
    (value, out): (i64, *mut GLint64),
) -> Result<(), GlError> {
    // SAFETY: c_memory's rule: one value.
    unsafe { c_memory::write(out, value) };
    Ok(())
}

pub fn get_buffer_pointerv(
    cx: &mut Cx<'_>,
    (id, out): (BufferId, *mut *mut c_void),
) -> Result<(), GlError> {
    let buffer = &mut cx.objects.buffers[id];
    let pointer = buffer.mapping.map_or(std::ptr::null_mut(), |mapping| {
        let offset = mapping.offset_bytes as usize;
        buffer.bytes.address_of(offset).cast()
    });
    // SAFETY: c_memory's rule: one pointer.
    unsafe { c_memory::write(out, pointer) };
    Ok(())
}
