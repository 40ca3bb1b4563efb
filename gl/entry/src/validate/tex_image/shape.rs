//! What images have in common however they come to be: format, extent, the rules of their targets (GL 4.6 §8.5, §8.19). It reads no
//! texel.

use super::target::{ImageTarget, Rank, max_extent};
use crate::cx::Cx;
use crate::validate::texture::bound;
use gl_enums::*;
use gl_state::texture::LevelImage;
use gl_state::{GlError, Profile};
use pipe::formats::{FormatClass, FormatFlags, resolve_unsized};
use pipe::pixels::{ClientImage, Dims, PixelFormat, PixelType};
use pipe::{Format, Target};

/// The format that an internal format means here; `None`: it is none for this context.
pub(in crate::validate) fn resolve(
    cx: &Cx<'_>,
    internal: GLenum,
    kinds: Option<(PixelFormat, PixelType)>,
) -> Option<Format> {
    let core = cx.ctx.profile == Profile::Core;
    let (format, ty) = kinds.unwrap_or((PixelFormat::Rgba, PixelType::UnsignedByte));
    let found = Format::from_gl(internal).or_else(|| resolve_unsized(internal, format, ty))?;
    // Component counts and luminance are of the compatibility profile (GL 4.6 compatibility §8.5).
    let legacy = internal <= 4 || found.info().flags.contains(FormatFlags::LEGACY);
    (!(core && legacy)).then_some(found)
}

pub(in crate::validate) fn non_negative(value: GLsizei) -> Result<u32, GlError> {
    u32::try_from(value).map_err(|_| GlError::invalid_value("an extent is negative"))
}

/// Extent of an image as its texture keeps it: the layers of 1D arrays are slices.
pub(super) fn kept_extent(target: Target, width: u32, height: u32, depth: u32) -> [u32; 3] {
    if target == Target::Texture1DArray {
        [width, 1, height]
    } else {
        [width, height, depth]
    }
}

pub(super) fn client_image(
    cx: &Cx<'_>,
    (format, ty): (PixelFormat, PixelType),
    rank: Rank,
    [width, height, depth]: [u32; 3],
) -> ClientImage {
    ClientImage {
        format,
        ty,
        store: cx.ctx.pixel_store.unpack,
        width,
        height,
        depth,
        dims: if rank == Rank::Three {
            Dims::Three
        } else {
            Dims::Two
        },
    }
}

/// Rules that all ways to specify an image share.
pub(in crate::validate) fn check_shape(
    cx: &Cx<'_>,
    place: ImageTarget,
    level: u32,
    [width, height, depth]: [u32; 3],
    border: GLint,
) -> Result<bool, GlError> {
    if border != 0 {
        return Err(GlError::invalid_value("border is not zero"));
    }
    let cube = matches!(place.target, Target::TextureCube | Target::TextureCubeArray);
    // GL 4.6 §8.5.3: faces are squares; the layers of cube map arrays are whole cubes.
    if cube && width != height {
        return Err(GlError::invalid_value("width != height of a cube map face"));
    }
    if place.target == Target::TextureCubeArray && depth % 6 != 0 {
        return Err(GlError::invalid_value("depth is no multiple of six"));
    }
    let [max_width, max_height, max_depth] = max_extent(cx, place.target);
    let layered = matches!(
        place.target,
        Target::Texture1DArray
            | Target::Texture2DArray
            | Target::TextureCubeArray
            | Target::Texture2DMultisampleArray
    );
    let at = |max: u32| (max >> level).max(1);
    let fits = width <= at(max_width)
        && height <= at(max_height)
        && depth <= if layered { max_depth } else { at(max_depth) };
    // A proxy that does not fit is no error: its state says so (GL 4.6 §8.22).
    if !fits && !place.proxy {
        return Err(GlError::invalid_value(
            "the image is larger than the limits",
        ));
    }
    Ok(fits)
}

pub(in crate::validate) fn check_mutable(cx: &Cx<'_>, place: ImageTarget) -> Result<(), GlError> {
    // GL 4.6 §8.19: INVALID_OPERATION if TEXTURE_IMMUTABLE_FORMAT is TRUE.
    if !place.proxy && bound(cx, place.target).is_some_and(|t| t.immutable_levels != 0) {
        return Err(GlError::invalid_operation("the texture is immutable"));
    }
    Ok(())
}

/// GL 4.6 §8.5: depth and stencil formats have no 3D images.
pub(super) fn check_depth_target(target: Target, format: Format) -> Result<(), GlError> {
    let depth = matches!(
        format.info().class,
        FormatClass::Depth | FormatClass::DepthStencil | FormatClass::Stencil
    );
    if depth && target == Target::Texture3D {
        return Err(GlError::invalid_operation(
            "a depth format for a 3D texture",
        ));
    }
    Ok(())
}

/// An image without texels; one without an extent has no format.
pub(super) fn unfilled(internal: GLenum, format: Format, kept: [u32; 3]) -> LevelImage {
    LevelImage {
        internal_format: internal,
        format: if kept.contains(&0) {
            Format::None
        } else {
            format
        },
        width: kept[0],
        height: kept[1],
        depth: kept[2],
        texels: Vec::new(),
        encoded: Vec::new(),
        gpu_written: false,
    }
}
