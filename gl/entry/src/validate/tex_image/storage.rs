//! Checks of immutable storage (GL 4.6 §8.19). It must change nothing.

use super::shape::{
    check_depth_target, check_mutable, check_shape, kept_extent, resolve, unfilled,
};
use super::target::{ImageTarget, Rank, image_target};
use crate::cx::Cx;
use crate::validate::texture::bound;
use gl_enums::*;
use gl_state::GlError;
use gl_state::texture::LevelImage;
use pipe::{Format, Target};

/// Checked whole storage.
#[derive(Debug)]
pub struct NewStorage {
    pub target: Target,
    /// Level 0.
    pub image: LevelImage,
    pub levels: u32,
    /// Immutable storage.
    pub immutable: bool,
    pub samples: u32,
    pub fixed_sample_locations: bool,
    /// A proxy: whether it fits.
    pub proxy: Option<bool>,
}

fn storage(
    cx: &Cx<'_>,
    rank: Rank,
    target: GLenum,
    levels: GLsizei,
    internal: GLenum,
    extent: [GLsizei; 3],
) -> Result<NewStorage, GlError> {
    // glTexStorage2D takes the whole cube map.
    let place = if rank == Rank::Two && target == GL_TEXTURE_CUBE_MAP {
        ImageTarget {
            target: Target::TextureCube,
            face: 0,
            proxy: false,
        }
    } else {
        image_target(cx, target, rank)?
    };
    if place.face != 0
        || (GL_TEXTURE_CUBE_MAP_POSITIVE_X..=GL_TEXTURE_CUBE_MAP_NEGATIVE_Z).contains(&target)
    {
        return Err(GlError::invalid_enum("target is one face of a cube map"));
    }
    // GL 4.6 §8.19: INVALID_ENUM if internalformat is no sized format.
    let format = Format::from_gl(internal)
        .filter(|_| resolve(cx, internal, None).is_some())
        .ok_or_else(|| GlError::invalid_enum("internalformat is no sized internal format"))?;
    let [width, height, depth] = extent;
    if levels < 1 || width < 1 || height < 1 || depth < 1 {
        return Err(GlError::invalid_value("levels or an extent is less than 1"));
    }
    let kept = kept_extent(place.target, width as u32, height as u32, depth as u32);
    let fits = check_shape(cx, place, 0, kept, 0)?;
    check_depth_target(place.target, format)?;
    let is_3d = place.target == Target::Texture3D;
    let largest = kept[0].max(kept[1]).max(if is_3d { kept[2] } else { 1 });
    let most = if place.target == Target::TextureRectangle {
        1
    } else {
        largest.ilog2() + 1
    };
    // GL 4.6 §8.19: INVALID_OPERATION for more levels than the extent has.
    if levels as u32 > most {
        return Err(GlError::invalid_operation(
            "more levels than the extent has",
        ));
    }
    check_storable(cx, place)?;
    Ok(NewStorage {
        target: place.target,
        image: unfilled(internal, format, kept),
        levels: levels as u32,
        immutable: true,
        samples: 0,
        fixed_sample_locations: true,
        proxy: place.proxy.then_some(fits),
    })
}

/// GL 4.6 §8.19: INVALID_OPERATION for the default texture and for immutable ones.
pub(super) fn check_storable(cx: &Cx<'_>, place: ImageTarget) -> Result<(), GlError> {
    if place.proxy {
        return Ok(());
    }
    let texture = bound(cx, place.target);
    if texture.is_none_or(|texture| texture.name == 0) {
        return Err(GlError::invalid_operation("the default texture is bound"));
    }
    check_mutable(cx, place)
}

pub fn tex_storage_1d(
    cx: &Cx<'_>,
    target: GLenum,
    levels: GLsizei,
    internal: GLenum,
    width: GLsizei,
) -> Result<NewStorage, GlError> {
    storage(cx, Rank::One, target, levels, internal, [width, 1, 1])
}

pub fn tex_storage_2d(
    cx: &Cx<'_>,
    target: GLenum,
    levels: GLsizei,
    internal: GLenum,
    width: GLsizei,
    height: GLsizei,
) -> Result<NewStorage, GlError> {
    storage(cx, Rank::Two, target, levels, internal, [width, height, 1])
}

pub fn tex_storage_3d(
    cx: &Cx<'_>,
    target: GLenum,
    levels: GLsizei,
    internal: GLenum,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
) -> Result<NewStorage, GlError> {
    storage(
        cx,
        Rank::Three,
        target,
        levels,
        internal,
        [width, height, depth],
    )
}
