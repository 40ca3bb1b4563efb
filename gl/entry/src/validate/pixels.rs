//! Checks of client pixels: pairs of format and type, pixel buffers (GL 4.6 §8.4.4, §18.2.2). It must change nothing.

use crate::cx::Cx;
use gl_enums::*;
use gl_state::GlError;
use gl_state::buffer_bindings::BufferTarget;
use pipe::BufferId;
use pipe::pixels::{ClientImage, CompatError, PixelFormat, PixelType};
use std::ffi::c_void;

/// Where the bytes of a client image are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PixelSource {
    /// At an address of the application's.
    Client(*const u8),
    /// In a pixel buffer, from this offset on.
    Buffer(BufferId, u64),
}

/// A checked image to unpack.
#[derive(Clone, Copy, Debug)]
pub struct Unpack {
    pub image: ClientImage,
    pub source: PixelSource,
    pub total_bytes: u64,
}

/// The kinds that `format` and `type` name.
pub fn kinds(format: GLenum, ty: GLenum) -> Result<(PixelFormat, PixelType), GlError> {
    let format = PixelFormat::from_gl(format)
        .ok_or_else(|| GlError::invalid_enum("format is no pixel format"))?;
    let ty =
        PixelType::from_gl(ty).ok_or_else(|| GlError::invalid_enum("type is no pixel type"))?;
    Ok((format, ty))
}

/// A mismatch of kinds as the error that it generates.
pub fn mismatch(error: CompatError) -> GlError {
    match error {
        CompatError::InvalidEnum(what) => GlError::invalid_enum(what),
        CompatError::InvalidOperation(what) => GlError::invalid_operation(what),
    }
}

/// Where a transfer of `image` goes to or comes from; `None`: a null address and no buffer.
pub fn place(
    cx: &Cx<'_>,
    target: BufferTarget,
    image: &ClientImage,
    data: *const c_void,
) -> Result<Option<(PixelSource, u64)>, GlError> {
    let layout = image
        .layout()
        .map_err(|_| GlError::invalid_operation("the image does not fit the address space"))?;
    let id = cx.ctx.buffers.get(target);
    let Some(buffer) = cx.objects.buffers.get(id) else {
        let address = data.cast::<u8>();
        return Ok(
            (!address.is_null()).then_some((PixelSource::Client(address), layout.total_bytes))
        );
    };
    let offset = data as u64;
    // GL 4.6 §8.4.4 and §18.2.2, with a pixel buffer bound: INVALID_OPERATION if it is mapped, if the offset is no multiple of the
    // type's size, or if the transfer would leave the buffer.
    if buffer.mapping.is_some_and(|m| !m.is_persistent()) {
        return Err(GlError::invalid_operation("the pixel buffer is mapped"));
    }
    if !offset.is_multiple_of(u64::from(image.ty.element_bytes())) {
        return Err(GlError::invalid_operation(
            "the offset into the pixel buffer is no multiple of the type's size",
        ));
    }
    let end = offset.checked_add(layout.total_bytes);
    if end.is_none_or(|end| end > buffer.size_bytes()) {
        return Err(GlError::invalid_operation(
            "the image leaves the pixel buffer",
        ));
    }
    Ok(Some((PixelSource::Buffer(id, offset), layout.total_bytes)))
}

/// Checks an image to unpack; `None`: no pixels were given.
pub fn unpack(
    cx: &Cx<'_>,
    image: ClientImage,
    data: *const c_void,
) -> Result<Option<Unpack>, GlError> {
    let place = place(cx, BufferTarget::PixelUnpack, &image, data)?;
    Ok(place.map(|(source, total_bytes)| Unpack {
        image,
        source,
        total_bytes,
    }))
}
