//! Checks of parts of images from application memory (GL 4.6 §8.6, §8.7). It must change nothing.

use super::shape::{client_image, non_negative};
use super::target::{ImageTarget, Rank, checked_level, image_target};
use crate::cx::Cx;
use crate::validate::pixels::{Unpack, kinds, mismatch, unpack};
use crate::validate::texture::bound;
use gl_enums::*;
use gl_state::GlError;
use gl_state::texture::{LevelImage, Texture};
use pipe::pixels::compatible;
use pipe::{Box3, Target};
use std::ffi::c_void;

/// A checked write to a part of an image.
#[derive(Debug)]
pub struct SubImage {
    pub target: Target,
    pub face: usize,
    pub level: u32,
    /// As the texture keeps it.
    pub region: Box3,
    /// `None`: nothing to do.
    pub source: Option<Unpack>,
}

/// The image and the part of it that a command names.
pub(in crate::validate) fn region_of<'a>(
    cx: &'a Cx<'_>,
    place: ImageTarget,
    level: u32,
    offset: [GLint; 3],
    extent: [u32; 3],
) -> Result<(&'a Texture, &'a LevelImage, Box3), GlError> {
    // GL 4.6 §8.6: INVALID_OPERATION if the image was not specified.
    let texture = bound(cx, place.target);
    let found = texture.and_then(|t| Some((t, t.level_image(level, place.face)?)));
    let (texture, image) =
        found.ok_or_else(|| GlError::invalid_operation("the image was never specified"))?;
    let [x, y, z] = offset;
    let [width, height, depth] = extent;
    let (y, z, height, depth) = if place.target == Target::Texture1DArray {
        (0, y, 1, height)
    } else {
        (y, z, height, depth)
    };
    // GL 4.6 §8.6: INVALID_VALUE for negative offsets, and where offset and extent leave the image.
    let inside = |offset: GLint, extent: u32, size: u32| {
        offset >= 0 && u64::from(offset as u32) + u64::from(extent) <= u64::from(size)
    };
    if !(inside(x, width, image.width)
        && inside(y, height, image.height)
        && inside(z, depth, image.depth))
    {
        return Err(GlError::invalid_value("the region leaves the image"));
    }
    let region = Box3 {
        x,
        y,
        z,
        width,
        height,
        depth,
    };
    Ok((texture, image, region))
}

fn sub_image(
    cx: &Cx<'_>,
    rank: Rank,
    target: GLenum,
    level: GLint,
    offset: [GLint; 3],
    extent: [GLsizei; 3],
    (format, ty): (GLenum, GLenum),
    data: *const c_void,
) -> Result<SubImage, GlError> {
    let place = image_target(cx, target, rank)?;
    if place.proxy {
        return Err(GlError::invalid_enum("target is a proxy"));
    }
    let level = checked_level(cx, place.target, level)?;
    let kinds = kinds(format, ty)?;
    let [width, height, depth] = extent;
    let extent = [
        non_negative(width)?,
        non_negative(height)?,
        non_negative(depth)?,
    ];
    let (_, image, region) = region_of(cx, place, level, offset, extent)?;
    compatible(kinds.0, kinds.1, image.format).map_err(mismatch)?;
    check_blocks(image, &region)?;
    let source = unpack(cx, client_image(cx, kinds, rank, extent), data)?;
    Ok(SubImage {
        target: place.target,
        face: place.face,
        level,
        region,
        source: source.filter(|_| !extent.contains(&0)),
    })
}

/// GL 4.6 §8.7: parts of compressed images are whole blocks, or reach the image's edge.
pub(in crate::validate) fn check_blocks(image: &LevelImage, region: &Box3) -> Result<(), GlError> {
    let info = image.format.info();
    if !info.is_compressed() {
        return Ok(());
    }
    let (bw, bh) = (u32::from(info.block.width), u32::from(info.block.height));
    let (x, y) = (region.x as u32, region.y as u32);
    let whole = |offset: u32, extent: u32, size: u32, block: u32| {
        offset.is_multiple_of(block) && (extent.is_multiple_of(block) || offset + extent == size)
    };
    if !(whole(x, region.width, image.width, bw) && whole(y, region.height, image.height, bh)) {
        return Err(GlError::invalid_operation(
            "the region is not made of whole blocks",
        ));
    }
    Ok(())
}

pub fn tex_sub_image_1d(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    x: GLint,
    width: GLsizei,
    format: GLenum,
    ty: GLenum,
    data: *const c_void,
) -> Result<SubImage, GlError> {
    let extent = [width, 1, 1];
    sub_image(
        cx,
        Rank::One,
        target,
        level,
        [x, 0, 0],
        extent,
        (format, ty),
        data,
    )
}

pub fn tex_sub_image_2d(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    x: GLint,
    y: GLint,
    width: GLsizei,
    height: GLsizei,
    format: GLenum,
    ty: GLenum,
    data: *const c_void,
) -> Result<SubImage, GlError> {
    let extent = [width, height, 1];
    sub_image(
        cx,
        Rank::Two,
        target,
        level,
        [x, y, 0],
        extent,
        (format, ty),
        data,
    )
}

pub fn tex_sub_image_3d(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    x: GLint,
    y: GLint,
    z: GLint,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
    format: GLenum,
    ty: GLenum,
    data: *const c_void,
) -> Result<SubImage, GlError> {
    let extent = [width, height, depth];
    sub_image(
        cx,
        Rank::Three,
        target,
        level,
        [x, y, z],
        extent,
        (format, ty),
        data,
    )
}
