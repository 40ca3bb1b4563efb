//! Bytes of client images: from the application's memory or from a pixel buffer's copy. It converts nothing.

use crate::c_memory;
use crate::commands::buffer::read_back;
use crate::cx::Cx;
use crate::validate::pixels::{PixelSource, Unpack};
use gl_state::Objects;
use pipe::BufferId;
use pipe::pixels::PixelStore;

/// Prepares the source of an image to unpack.
pub(super) fn prepare_source(cx: &mut Cx<'_>, unpack: &Unpack) {
    if let PixelSource::Buffer(id, _) = unpack.source {
        read_back(cx, id);
    }
}

/// The bytes of a checked image to unpack.
pub(super) fn source_bytes<'a>(
    buffers: &'a gl_state::Arena<BufferId, gl_state::buffer::Buffer>,
    unpack: &Unpack,
) -> &'a [u8] {
    let size = unpack.total_bytes as usize;
    match unpack.source {
        // SAFETY: the command reads an image of this layout from the address.
        PixelSource::Client(address) => unsafe { c_memory::slice(address, size) },
        PixelSource::Buffer(id, offset) => &buffers[id].bytes[offset as usize..][..size],
    }
}

/// As [`source_bytes`], from all objects.
pub(super) fn bytes_of<'a>(objects: &'a Objects, unpack: &Unpack) -> &'a [u8] {
    source_bytes(&objects.buffers, unpack)
}

/// Runs `f` with tight pack parameters: for transfers that the application did not ask for.
pub(super) fn with_tight_pack<R>(cx: &mut Cx<'_>, f: impl FnOnce(&mut Cx<'_>) -> R) -> R {
    let before = cx.ctx.pixel_store.pack;
    cx.ctx.set_pack(PixelStore::TIGHT);
    let result = f(cx);
    cx.ctx.set_pack(before);
    result
}
