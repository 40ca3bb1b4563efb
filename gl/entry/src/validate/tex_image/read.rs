//! Checks of reading whole images back (GL 4.6 §8.11.4). It must change nothing.

use super::target::{any_image_target, checked_level};
use crate::cx::Cx;
use crate::validate::pixels::{PixelSource, kinds, mismatch, place};
use crate::validate::texture::{bound, is_multisample};
use gl_enums::*;
use gl_state::GlError;
use gl_state::buffer_bindings::BufferTarget;
use pipe::Target;
use pipe::pixels::{ClientImage, Dims, readable};
use std::ffi::c_void;

/// A checked read of a whole image.
#[derive(Clone, Copy, Debug)]
pub struct ReadImage {
    pub target: Target,
    pub face: usize,
    pub level: u32,
    /// As it lies in the destination.
    pub client: ClientImage,
    /// Where it goes.
    pub to: PixelSource,
    pub total_bytes: u64,
}

/// `None`: nothing to do.
pub fn get_tex_image(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    format: GLenum,
    ty: GLenum,
    pixels: *mut c_void,
) -> Result<Option<ReadImage>, GlError> {
    read_image(cx, target, level, format, ty, None, pixels)
}

pub fn getn_tex_image(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    format: GLenum,
    ty: GLenum,
    buf_size: GLsizei,
    pixels: *mut c_void,
) -> Result<Option<ReadImage>, GlError> {
    read_image(cx, target, level, format, ty, Some(buf_size), pixels)
}

fn read_image(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    format: GLenum,
    ty: GLenum,
    buf_size: Option<GLsizei>,
    pixels: *mut c_void,
) -> Result<Option<ReadImage>, GlError> {
    let found = any_image_target(cx, target)?;
    // GL 4.6 §8.11.4: neither proxies, nor buffer textures, nor multisample textures.
    if found.proxy || found.target == Target::TextureBuffer || is_multisample(found.target) {
        return Err(GlError::invalid_enum("target is no target of this command"));
    }
    if buf_size.is_some_and(|size| size < 0) {
        return Err(GlError::invalid_value("bufSize is negative"));
    }
    let level = checked_level(cx, found.target, level)?;
    let kinds = kinds(format, ty)?;
    let texture = bound(cx, found.target);
    let Some(image) = texture.and_then(|t| t.level_image(level, found.face)) else {
        return Ok(None);
    };
    readable(image.format, kinds.0, kinds.1).map_err(mismatch)?;
    let array_1d = found.target == Target::Texture1DArray;
    let three = matches!(
        found.target,
        Target::Texture3D | Target::Texture2DArray | Target::TextureCubeArray
    );
    let client = ClientImage {
        format: kinds.0,
        ty: kinds.1,
        store: cx.ctx.pixel_store.pack,
        width: image.width,
        height: if array_1d { image.depth } else { image.height },
        depth: if three { image.depth } else { 1 },
        dims: if three { Dims::Three } else { Dims::Two },
    };
    let place = place(cx, BufferTarget::PixelPack, &client, pixels)?;
    // GL 4.6 §8.11.4: INVALID_OPERATION if more than bufSize bytes would be written.
    if let (Some(size), Some((PixelSource::Client(_), total))) = (buf_size, place)
        && u64::try_from(size).is_ok_and(|size| total > size)
    {
        return Err(GlError::invalid_operation("bufSize is too small"));
    }
    Ok(place.map(|(to, total_bytes)| ReadImage {
        target: found.target,
        face: found.face,
        level,
        client,
        to,
        total_bytes,
    }))
}
