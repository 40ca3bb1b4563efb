//! Checks of whole images from application memory (GL 4.6 §8.5). It must change nothing.

use super::shape::{
    check_depth_target, check_mutable, check_shape, client_image, kept_extent, non_negative,
    resolve, unfilled,
};
use super::target::{Rank, checked_level, image_target};
use crate::cx::Cx;
use crate::validate::pixels::{Unpack, kinds, mismatch, unpack};
use gl_enums::*;
use gl_state::GlError;
use gl_state::texture::LevelImage;
use pipe::Target;
use pipe::pixels::compatible;
use std::ffi::c_void;

/// A checked image: its shape (no texels), and what to fill it with.
#[derive(Debug)]
pub struct NewImage {
    pub target: Target,
    pub face: usize,
    pub level: u32,
    pub image: LevelImage,
    pub source: Option<Unpack>,
    /// A proxy: whether it fits.
    pub proxy: Option<bool>,
}

#[derive(Clone, Copy)]
struct Asked {
    target: GLenum,
    level: GLint,
    internal: GLint,
    extent: [GLsizei; 3],
    border: GLint,
    format: GLenum,
    ty: GLenum,
    data: *const c_void,
}

fn new_image(cx: &Cx<'_>, rank: Rank, asked: Asked) -> Result<NewImage, GlError> {
    let place = image_target(cx, asked.target, rank)?;
    let level = checked_level(cx, place.target, asked.level)?;
    let kinds = kinds(asked.format, asked.ty)?;
    let internal = asked.internal as GLenum;
    // GL 4.6 §8.5: INVALID_VALUE if internalformat is none of the tables'.
    let format = resolve(cx, internal, Some(kinds))
        .ok_or_else(|| GlError::invalid_value("internalformat is no internal format"))?;
    let [width, height, depth] = asked.extent;
    let (width, height, depth) = (
        non_negative(width)?,
        non_negative(height)?,
        non_negative(depth)?,
    );
    let kept = kept_extent(place.target, width, height, depth);
    let fits = check_shape(cx, place, level, kept, asked.border)?;
    compatible(kinds.0, kinds.1, format).map_err(mismatch)?;
    check_depth_target(place.target, format)?;
    check_mutable(cx, place)?;
    let source = if place.proxy {
        None
    } else {
        unpack(
            cx,
            client_image(cx, kinds, rank, [width, height, depth]),
            asked.data,
        )?
    };
    let image = unfilled(internal, format, kept);
    Ok(NewImage {
        target: place.target,
        face: place.face,
        level,
        image,
        source: source.filter(|_| !kept.contains(&0)),
        proxy: place.proxy.then_some(fits),
    })
}

pub fn tex_image_1d(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    internal: GLint,
    width: GLsizei,
    border: GLint,
    format: GLenum,
    ty: GLenum,
    data: *const c_void,
) -> Result<NewImage, GlError> {
    let asked = Asked {
        target,
        level,
        internal,
        extent: [width, 1, 1],
        border,
        format,
        ty,
        data,
    };
    new_image(cx, Rank::One, asked)
}

pub fn tex_image_2d(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    internal: GLint,
    width: GLsizei,
    height: GLsizei,
    border: GLint,
    format: GLenum,
    ty: GLenum,
    data: *const c_void,
) -> Result<NewImage, GlError> {
    let asked = Asked {
        target,
        level,
        internal,
        extent: [width, height, 1],
        border,
        format,
        ty,
        data,
    };
    new_image(cx, Rank::Two, asked)
}

pub fn tex_image_3d(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    internal: GLint,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
    border: GLint,
    format: GLenum,
    ty: GLenum,
    data: *const c_void,
) -> Result<NewImage, GlError> {
    let asked = Asked {
        target,
        level,
        internal,
        extent: [width, height, depth],
        border,
        format,
        ty,
        data,
    };
    new_image(cx, Rank::Three, asked)
}
