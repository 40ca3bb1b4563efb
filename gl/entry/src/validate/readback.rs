//! Checks of pixel store parameters and of reading pixels (GL 4.6 §8.4.1, §18.2). It must change nothing.

use crate::cx::Cx;
use crate::validate::clear::complete;
use crate::validate::pixels::{PixelSource, kinds, mismatch, place};
use core::ffi::c_void;
use gl_enums::*;
use gl_state::GlError;
use gl_state::buffer_bindings::BufferTarget;
use gl_state::framebuffer::{AttachmentPoint, FramebufferBinding};
use pipe::pixels::{self, ClientImage, Dims, PixelFormat, PixelStore, PixelType};

/// A parameter set with one of its fields changed.
#[derive(Clone, Copy, Debug)]
pub enum Store {
    Pack(PixelStore),
    Unpack(PixelStore),
}

pub fn pixel_storei(cx: &Cx<'_>, pname: GLenum, param: GLint) -> Result<Store, GlError> {
    // GL 4.6 §8.4.1: INVALID_VALUE if a length or skip is negative, or an alignment is not 1, 2, 4 or 8.
    let length = || u32::try_from(param).map_err(|_| GlError::invalid_value("param < 0"));
    let alignment = || match param {
        1 | 2 | 4 | 8 => Ok(param as u32),
        _ => Err(GlError::invalid_value("alignment is not 1, 2, 4 or 8")),
    };
    let on = u8::from(param != 0);
    let (mut pack, mut unpack) = (cx.ctx.pixel_store.pack, cx.ctx.pixel_store.unpack);
    match pname {
        GL_PACK_SWAP_BYTES => pack.swap_bytes = on,
        GL_PACK_LSB_FIRST => pack.lsb_first = on,
        GL_PACK_ROW_LENGTH => pack.row_length = length()?,
        GL_PACK_IMAGE_HEIGHT => pack.image_height = length()?,
        GL_PACK_SKIP_PIXELS => pack.skip_pixels = length()?,
        GL_PACK_SKIP_ROWS => pack.skip_rows = length()?,
        GL_PACK_SKIP_IMAGES => pack.skip_images = length()?,
        GL_PACK_ALIGNMENT => pack.alignment = alignment()?,
        GL_UNPACK_SWAP_BYTES => unpack.swap_bytes = on,
        GL_UNPACK_LSB_FIRST => unpack.lsb_first = on,
        GL_UNPACK_ROW_LENGTH => unpack.row_length = length()?,
        GL_UNPACK_IMAGE_HEIGHT => unpack.image_height = length()?,
        GL_UNPACK_SKIP_PIXELS => unpack.skip_pixels = length()?,
        GL_UNPACK_SKIP_ROWS => unpack.skip_rows = length()?,
        GL_UNPACK_SKIP_IMAGES => unpack.skip_images = length()?,
        GL_UNPACK_ALIGNMENT => unpack.alignment = alignment()?,
        _ => return Err(GlError::invalid_enum("pname")),
    }
    let packs = (GL_PACK_SWAP_BYTES..=GL_PACK_ALIGNMENT).contains(&pname)
        || matches!(pname, GL_PACK_SKIP_IMAGES | GL_PACK_IMAGE_HEIGHT);
    Ok(if packs {
        Store::Pack(pack)
    } else {
        Store::Unpack(unpack)
    })
}

pub fn pixel_storef(cx: &Cx<'_>, pname: GLenum, param: GLfloat) -> Result<Store, GlError> {
    // GL 4.6 §8.4.1: rounded to the nearest integer; booleans are false only for zero.
    let booleans = matches!(
        pname,
        GL_PACK_SWAP_BYTES | GL_PACK_LSB_FIRST | GL_UNPACK_SWAP_BYTES | GL_UNPACK_LSB_FIRST
    );
    let param = if booleans {
        GLint::from(param != 0.0)
    } else {
        param.round() as GLint
    };
    pixel_storei(cx, pname, param)
}

/// A checked glReadPixels.
#[derive(Clone, Copy, Debug)]
pub struct ReadPixels {
    pub x: i32,
    pub y: i32,
    pub width: u32,
    pub height: u32,
    pub format: PixelFormat,
    pub ty: PixelType,
    /// Where they go, and how many bytes from there on the command writes in; `None`: nowhere.
    pub to: Option<(PixelSource, u64)>,
}

fn read(
    cx: &Cx<'_>,
    x: GLint,
    y: GLint,
    width: GLsizei,
    height: GLsizei,
    format: GLenum,
    ty: GLenum,
    room: Option<GLsizei>,
    out: *mut c_void,
) -> Result<ReadPixels, GlError> {
    let (format, ty) = kinds(format, ty)?;
    pixels::check_pair(format, ty).map_err(mismatch)?;
    // GL 4.6 §2.3.1: negative sizes are INVALID_VALUE.
    let size = |value: GLsizei| {
        u32::try_from(value).map_err(|_| GlError::invalid_value("width or height < 0"))
    };
    let (width, height) = (size(width)?, size(height)?);
    complete(cx, FramebufferBinding::Read)?;
    // GL 4.6 §18.2.2: INVALID_OPERATION if an application's read framebuffer is multisampled.
    let samples = cx
        .ctx
        .bound_facts(FramebufferBinding::Read, cx.objects)
        .samples;
    if samples > 0 && cx.ctx.framebuffers.read != 0 {
        return Err(GlError::invalid_operation(
            "the read framebuffer is multisampled",
        ));
    }
    let point = match format {
        PixelFormat::DepthComponent => Some(AttachmentPoint::Depth),
        PixelFormat::StencilIndex => Some(AttachmentPoint::Stencil),
        PixelFormat::DepthStencil => Some(AttachmentPoint::DepthStencil),
        _ => None,
    };
    let source = match point {
        Some(point) => cx
            .ctx
            .attachment_facts(FramebufferBinding::Read, point, cx.objects),
        None => cx.ctx.read_color_facts(cx.objects),
    };
    // GL 4.6 §18.2.2: INVALID_OPERATION if there is no buffer of the kind asked for, or READ_BUFFER is NONE.
    let Some(source) = source else {
        return Err(GlError::invalid_operation(
            "there is no such buffer to read",
        ));
    };
    pixels::readable(source.format, format, ty).map_err(mismatch)?;
    let image = ClientImage {
        format,
        ty,
        store: cx.ctx.pixel_store.pack,
        width,
        height,
        depth: 1,
        dims: Dims::Two,
    };
    let to = place(cx, BufferTarget::PixelPack, &image, out)?;
    // GL 4.6 §18.2.2, ReadnPixels: INVALID_OPERATION if the image needs more than bufSize bytes of client memory.
    if let (Some((PixelSource::Client(_), bytes)), Some(room)) = (to, room)
        && bytes > u64::try_from(room).unwrap_or(0)
    {
        return Err(GlError::invalid_operation("bufSize is too small"));
    }
    Ok(ReadPixels {
        x,
        y,
        width,
        height,
        format,
        ty,
        to,
    })
}

pub fn read_pixels(
    cx: &Cx<'_>,
    x: GLint,
    y: GLint,
    width: GLsizei,
    height: GLsizei,
    format: GLenum,
    ty: GLenum,
    out: *mut c_void,
) -> Result<ReadPixels, GlError> {
    read(cx, x, y, width, height, format, ty, None, out)
}

pub fn readn_pixels(
    cx: &Cx<'_>,
    x: GLint,
    y: GLint,
    width: GLsizei,
    height: GLsizei,
    format: GLenum,
    ty: GLenum,
    buf_size: GLsizei,
    data: *mut c_void,
) -> Result<ReadPixels, GlError> {
    read(cx, x, y, width, height, format, ty, Some(buf_size), data)
}
