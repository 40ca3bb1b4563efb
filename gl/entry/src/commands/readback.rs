//! Pixel store parameters and reading pixels.

use crate::c_memory;
use crate::commands::flush::end_frame_without_present;
use crate::cx::Cx;
use crate::source::ResourceOp;
use crate::validate::pixels::PixelSource;
use crate::validate::readback::{ReadPixels, Store};
use gl_state::GlError;
use pipe::{BufferId, ReplyBytes};
use pipe_inputs::VerbClass;

pub fn pixel_storei(cx: &mut Cx<'_>, store: Store) -> Result<(), GlError> {
    match store {
        Store::Pack(pack) => cx.ctx.set_pack(pack),
        Store::Unpack(unpack) => cx.ctx.set_unpack(unpack),
    }
    Ok(())
}

pub fn pixel_storef(cx: &mut Cx<'_>, store: Store) -> Result<(), GlError> {
    pixel_storei(cx, store)
}

pub fn read_pixels(cx: &mut Cx<'_>, args: ReadPixels) -> Result<(), GlError> {
    if args.width == 0 || args.height == 0 {
        return Ok(());
    }
    let Some((to, bytes)) = args.to else {
        return Ok(());
    };
    let (pack_buffer, pack_offset_bytes) = match to {
        PixelSource::Client(_) => (BufferId::NULL, 0),
        PixelSource::Buffer(id, offset) => (id, offset),
    };
    if !pack_buffer.is_null() {
        cx.resource_op(ResourceOp::BufferNeeded(pack_buffer));
    }
    let read = pipe::ReadPixels {
        groups: cx.prepare(VerbClass::Readback),
        x: args.x,
        y: args.y,
        width: args.width,
        height: args.height,
        format: args.format,
        ty: args.ty,
        pack_buffer,
        pack_offset_bytes,
    };
    let out = match to {
        PixelSource::Client(address) => {
            // SAFETY: c_memory's rule: glReadPixels writes inside the image that the pack parameters describe, `bytes` long.
            Some(unsafe { c_memory::slice_mut(address.cast_mut(), bytes as usize) })
        }
        PixelSource::Buffer(..) => None,
    };
    let outcome = cx.pipe.read_pixels(&read, ReplyBytes(out));
    cx.finish_verb(outcome);
    match to {
        PixelSource::Client(_) => end_frame_without_present(cx),
        PixelSource::Buffer(id, _) => {
            cx.objects.buffers[id].mark_gpu_written(&mut cx.objects.generations);
        }
    }
    Ok(())
}

pub fn readn_pixels(cx: &mut Cx<'_>, args: ReadPixels) -> Result<(), GlError> {
    read_pixels(cx, args)
}
