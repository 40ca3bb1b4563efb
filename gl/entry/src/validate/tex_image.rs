//! Checks of texture images: specification, replacement, storage, copies, mipmaps, queries (GL 4.6 §8.5 to §8.9, §8.11.4, §8.14.4,
//! §8.19). It must change nothing.

use super::pixels::{PixelSource, Unpack, kinds, mismatch, place, unpack};
use super::texture::{bind_target, bound, is_multisample};
use crate::cx::Cx;
use crate::limits;
use gl_enums::*;
use gl_state::buffer_bindings::BufferTarget;
use gl_state::texture::{LevelImage, Texture};
use gl_state::{GlError, Profile};
use pipe::formats::{BaseFormat, FormatClass, FormatFlags, resolve_unsized};
use pipe::pixels::{ClientImage, Dims, PixelFormat, PixelType, compatible, readable};
use pipe::{Box3, BufferId, Format, Target};
use std::ffi::c_void;

/// What an image target of a command names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageTarget {
    pub target: Target,
    pub face: usize,
    pub proxy: bool,
}

/// Dimensions of a command's image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rank {
    One,
    Two,
    Three,
}

pub(super) fn image_target(cx: &Cx<'_>, value: GLenum, rank: Rank) -> Result<ImageTarget, GlError> {
    let image = |target, proxy| ImageTarget {
        target,
        face: 0,
        proxy,
    };
    let cube_array = cx.ctx.version >= (4, 0);
    Ok(match (rank, value) {
        (Rank::One, GL_TEXTURE_1D) => image(Target::Texture1D, false),
        (Rank::One, GL_PROXY_TEXTURE_1D) => image(Target::Texture1D, true),
        (Rank::Two, GL_TEXTURE_2D) => image(Target::Texture2D, false),
        (Rank::Two, GL_PROXY_TEXTURE_2D) => image(Target::Texture2D, true),
        (Rank::Two, GL_TEXTURE_RECTANGLE) => image(Target::TextureRectangle, false),
        (Rank::Two, GL_PROXY_TEXTURE_RECTANGLE) => image(Target::TextureRectangle, true),
        (Rank::Two, GL_TEXTURE_1D_ARRAY) => image(Target::Texture1DArray, false),
        (Rank::Two, GL_PROXY_TEXTURE_1D_ARRAY) => image(Target::Texture1DArray, true),
        (Rank::Two, GL_PROXY_TEXTURE_CUBE_MAP) => image(Target::TextureCube, true),
        (Rank::Two, GL_TEXTURE_CUBE_MAP_POSITIVE_X..=GL_TEXTURE_CUBE_MAP_NEGATIVE_Z) => {
            ImageTarget {
                target: Target::TextureCube,
                face: (value - GL_TEXTURE_CUBE_MAP_POSITIVE_X) as usize,
                proxy: false,
            }
        }
        (Rank::Three, GL_TEXTURE_3D) => image(Target::Texture3D, false),
        (Rank::Three, GL_PROXY_TEXTURE_3D) => image(Target::Texture3D, true),
        (Rank::Three, GL_TEXTURE_2D_ARRAY) => image(Target::Texture2DArray, false),
        (Rank::Three, GL_PROXY_TEXTURE_2D_ARRAY) => image(Target::Texture2DArray, true),
        (Rank::Three, GL_TEXTURE_CUBE_MAP_ARRAY) if cube_array => {
            image(Target::TextureCubeArray, false)
        }
        (Rank::Three, GL_PROXY_TEXTURE_CUBE_MAP_ARRAY) if cube_array => {
            image(Target::TextureCubeArray, true)
        }
        _ => return Err(GlError::invalid_enum("target is no target of this command")),
    })
}

/// Any target that names images: those of glGetTexLevelParameter.
pub(super) fn any_image_target(cx: &Cx<'_>, value: GLenum) -> Result<ImageTarget, GlError> {
    let image = |target, proxy| {
        Ok(ImageTarget {
            target,
            face: 0,
            proxy,
        })
    };
    match value {
        GL_TEXTURE_BUFFER => image(Target::TextureBuffer, false),
        GL_TEXTURE_2D_MULTISAMPLE => image(Target::Texture2DMultisample, false),
        GL_PROXY_TEXTURE_2D_MULTISAMPLE => image(Target::Texture2DMultisample, true),
        GL_TEXTURE_2D_MULTISAMPLE_ARRAY => image(Target::Texture2DMultisampleArray, false),
        GL_PROXY_TEXTURE_2D_MULTISAMPLE_ARRAY => image(Target::Texture2DMultisampleArray, true),
        _ => image_target(cx, value, Rank::One)
            .or_else(|_| image_target(cx, value, Rank::Two))
            .or_else(|_| image_target(cx, value, Rank::Three)),
    }
}

/// Largest extent of level 0 of a target: width, height, depth or layers.
fn max_extent(cx: &Cx<'_>, target: Target) -> [u32; 3] {
    let l = &cx.ctx.caps.limits;
    let (size, layers) = (
        limits::texture_size(&cx.ctx.caps),
        l.max_array_texture_layers,
    );
    match target {
        Target::Texture1D => [size, 1, 1],
        Target::Texture2D | Target::TextureRectangle | Target::Texture2DMultisample => {
            [size, size, 1]
        }
        Target::Texture3D => [l.max_3d_texture_size; 3],
        Target::TextureCube => [l.max_cube_map_texture_size, l.max_cube_map_texture_size, 1],
        Target::Texture1DArray => [size, 1, layers],
        Target::Texture2DArray | Target::Texture2DMultisampleArray => [size, size, layers],
        Target::TextureCubeArray => [
            l.max_cube_map_texture_size,
            l.max_cube_map_texture_size,
            layers,
        ],
        Target::TextureBuffer => [l.max_texture_buffer_size, 1, 1],
        Target::Buffer | Target::Renderbuffer => [0; 3],
    }
}

/// The last level that a target's textures can have.
pub(super) fn max_level(cx: &Cx<'_>, target: Target) -> u32 {
    match target {
        Target::TextureRectangle
        | Target::TextureBuffer
        | Target::Texture2DMultisample
        | Target::Texture2DMultisampleArray => 0,
        Target::Texture3D => max_extent(cx, target)[0].max(1).ilog2(),
        Target::Buffer
        | Target::Renderbuffer
        | Target::Texture1D
        | Target::Texture2D
        | Target::TextureCube
        | Target::Texture1DArray
        | Target::Texture2DArray
        | Target::TextureCubeArray => max_extent(cx, target)[0].max(1).ilog2(),
    }
}

pub(super) fn checked_level(cx: &Cx<'_>, target: Target, level: GLint) -> Result<u32, GlError> {
    // GL 4.6 §8.5: INVALID_VALUE for negative levels and those beyond the largest.
    u32::try_from(level)
        .ok()
        .filter(|level| *level <= max_level(cx, target))
        .ok_or_else(|| GlError::invalid_value("level is out of range"))
}

/// The format that an internal format means here; `None`: it is none for this context.
fn resolve(
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

pub(super) fn non_negative(value: GLsizei) -> Result<u32, GlError> {
    u32::try_from(value).map_err(|_| GlError::invalid_value("an extent is negative"))
}

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

/// Extent of an image as its texture keeps it: the layers of 1D arrays are slices.
fn kept_extent(target: Target, width: u32, height: u32, depth: u32) -> [u32; 3] {
    if target == Target::Texture1DArray {
        [width, 1, height]
    } else {
        [width, height, depth]
    }
}

fn client_image(
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
pub(super) fn check_shape(
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

pub(super) fn check_mutable(cx: &Cx<'_>, place: ImageTarget) -> Result<(), GlError> {
    // GL 4.6 §8.19: INVALID_OPERATION if TEXTURE_IMMUTABLE_FORMAT is TRUE.
    if !place.proxy && bound(cx, place.target).is_some_and(|t| t.immutable_levels != 0) {
        return Err(GlError::invalid_operation("the texture is immutable"));
    }
    Ok(())
}

/// GL 4.6 §8.5: depth and stencil formats have no 3D images.
fn check_depth_target(target: Target, format: Format) -> Result<(), GlError> {
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
    let image = LevelImage {
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
    };
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
pub(super) fn region_of<'a>(
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
pub(super) fn check_blocks(image: &LevelImage, region: &Box3) -> Result<(), GlError> {
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
        image: LevelImage {
            internal_format: internal,
            format,
            width: kept[0],
            height: kept[1],
            depth: kept[2],
            texels: Vec::new(),
            encoded: Vec::new(),
            gpu_written: false,
        },
        levels: levels as u32,
        immutable: true,
        samples: 0,
        fixed_sample_locations: true,
        proxy: place.proxy.then_some(fits),
    })
}

/// GL 4.6 §8.19: INVALID_OPERATION for the default texture and for immutable ones.
fn check_storable(cx: &Cx<'_>, place: ImageTarget) -> Result<(), GlError> {
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

fn multisample(
    cx: &Cx<'_>,
    place: ImageTarget,
    samples: GLsizei,
    internal: GLenum,
    extent: [GLsizei; 3],
    fixed: GLboolean,
    immutable: bool,
) -> Result<NewStorage, GlError> {
    // GL 4.6 §8.8: INVALID_VALUE if samples is zero, INVALID_ENUM if the format is not color-, depth- or stencil-renderable.
    if samples < 1 {
        return Err(GlError::invalid_value("samples is not positive"));
    }
    let renderable = FormatFlags::COLOR_RENDERABLE
        | FormatFlags::DEPTH_RENDERABLE
        | FormatFlags::STENCIL_RENDERABLE;
    let format = resolve(cx, internal, None)
        .filter(|format| format.info().flags.intersects(renderable))
        .ok_or_else(|| GlError::invalid_enum("internalformat is not renderable"))?;
    let [width, height, depth] = extent;
    let least = if immutable { 1 } else { 0 };
    if width < least || height < least || depth < least {
        return Err(GlError::invalid_value("an extent is too small"));
    }
    let kept = [width as u32, height as u32, depth as u32];
    let fits = check_shape(cx, place, 0, kept, 0)?;
    // GL 4.6 §8.8: INVALID_OPERATION for more samples than the kind of format can have.
    let most = if format.info().is_integer() {
        1
    } else {
        cx.ctx.caps.limits.max_samples
    };
    if samples as u32 > most && !place.proxy {
        return Err(GlError::invalid_operation(
            "more samples than internalformat can have",
        ));
    }
    if immutable {
        check_storable(cx, place)?;
    } else {
        check_mutable(cx, place)?;
    }
    Ok(NewStorage {
        target: place.target,
        image: LevelImage {
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
        },
        levels: 1,
        immutable,
        samples: samples as u32,
        fixed_sample_locations: fixed != 0,
        proxy: place.proxy.then_some(fits && samples as u32 <= most),
    })
}

fn multisample_target(value: GLenum, rank: Rank) -> Result<ImageTarget, GlError> {
    let (target, proxy) = match (rank, value) {
        (Rank::Two, GL_TEXTURE_2D_MULTISAMPLE) => (Target::Texture2DMultisample, false),
        (Rank::Two, GL_PROXY_TEXTURE_2D_MULTISAMPLE) => (Target::Texture2DMultisample, true),
        (Rank::Three, GL_TEXTURE_2D_MULTISAMPLE_ARRAY) => {
            (Target::Texture2DMultisampleArray, false)
        }
        (Rank::Three, GL_PROXY_TEXTURE_2D_MULTISAMPLE_ARRAY) => {
            (Target::Texture2DMultisampleArray, true)
        }
        _ => return Err(GlError::invalid_enum("target is no multisample target")),
    };
    Ok(ImageTarget {
        target,
        face: 0,
        proxy,
    })
}

pub fn tex_image_2d_multisample(
    cx: &Cx<'_>,
    target: GLenum,
    samples: GLsizei,
    internal: GLenum,
    width: GLsizei,
    height: GLsizei,
    fixed: GLboolean,
) -> Result<NewStorage, GlError> {
    let place = multisample_target(target, Rank::Two)?;
    multisample(
        cx,
        place,
        samples,
        internal,
        [width, height, 1],
        fixed,
        false,
    )
}

pub fn tex_image_3d_multisample(
    cx: &Cx<'_>,
    target: GLenum,
    samples: GLsizei,
    internal: GLenum,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
    fixed: GLboolean,
) -> Result<NewStorage, GlError> {
    let place = multisample_target(target, Rank::Three)?;
    multisample(
        cx,
        place,
        samples,
        internal,
        [width, height, depth],
        fixed,
        false,
    )
}

pub fn tex_storage_2d_multisample(
    cx: &Cx<'_>,
    target: GLenum,
    samples: GLsizei,
    internal: GLenum,
    width: GLsizei,
    height: GLsizei,
    fixed: GLboolean,
) -> Result<NewStorage, GlError> {
    let place = multisample_target(target, Rank::Two)?;
    multisample(
        cx,
        place,
        samples,
        internal,
        [width, height, 1],
        fixed,
        true,
    )
}

pub fn tex_storage_3d_multisample(
    cx: &Cx<'_>,
    target: GLenum,
    samples: GLsizei,
    internal: GLenum,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
    fixed: GLboolean,
) -> Result<NewStorage, GlError> {
    let place = multisample_target(target, Rank::Three)?;
    multisample(
        cx,
        place,
        samples,
        internal,
        [width, height, depth],
        fixed,
        true,
    )
}

/// A checked buffer texture. Null buffer: none.
#[derive(Clone, Copy, Debug)]
pub struct NewBufferTexture {
    pub buffer: BufferId,
    pub internal: GLenum,
    pub format: Format,
    pub offset_bytes: u64,
    pub size_bytes: u64,
}

fn buffer_texture(
    cx: &Cx<'_>,
    target: GLenum,
    internal: GLenum,
    name: GLuint,
    range: Option<(GLintptr, GLsizeiptr)>,
) -> Result<NewBufferTexture, GlError> {
    if target != GL_TEXTURE_BUFFER {
        return Err(GlError::invalid_enum("target is not TEXTURE_BUFFER"));
    }
    // GL 4.6 §8.9: INVALID_ENUM if internalformat is not in table 8.16.
    let format = Format::from_gl(internal)
        .filter(|format| format.info().flags.contains(FormatFlags::BUFFER_TEXTURE))
        .ok_or_else(|| GlError::invalid_enum("internalformat is no buffer texture format"))?;
    let none = NewBufferTexture {
        buffer: BufferId::NULL,
        internal,
        format,
        offset_bytes: 0,
        size_bytes: pipe::WHOLE,
    };
    if name == 0 {
        return Ok(none);
    }
    // GL 4.6 §8.9: INVALID_OPERATION if buffer is not the name of a buffer object.
    let buffer = cx
        .share
        .buffers
        .get(name)
        .ok_or_else(|| GlError::invalid_operation("buffer is not the name of a buffer"))?;
    let Some((offset, size)) = range else {
        return Ok(NewBufferTexture { buffer, ..none });
    };
    let whole = cx.objects.buffers[buffer].size_bytes();
    let alignment = cx.ctx.caps.limits.texture_buffer_offset_alignment.max(1);
    if offset < 0 || size <= 0 || offset as u64 + size as u64 > whole {
        return Err(GlError::invalid_value("the range leaves the buffer"));
    }
    if !(offset as u64).is_multiple_of(u64::from(alignment)) {
        return Err(GlError::invalid_value(
            "offset is no multiple of TEXTURE_BUFFER_OFFSET_ALIGNMENT",
        ));
    }
    Ok(NewBufferTexture {
        buffer,
        offset_bytes: offset as u64,
        size_bytes: size as u64,
        ..none
    })
}

pub fn tex_buffer(
    cx: &Cx<'_>,
    target: GLenum,
    internal: GLenum,
    name: GLuint,
) -> Result<NewBufferTexture, GlError> {
    buffer_texture(cx, target, internal, name, None)
}

pub fn tex_buffer_range(
    cx: &Cx<'_>,
    target: GLenum,
    internal: GLenum,
    name: GLuint,
    offset: GLintptr,
    size: GLsizeiptr,
) -> Result<NewBufferTexture, GlError> {
    buffer_texture(cx, target, internal, name, Some((offset, size)))
}

/// A checked mipmap generation.
#[derive(Clone, Copy, Debug)]
pub struct Mipmaps {
    pub target: Target,
    pub base: u32,
    pub last: u32,
}

pub fn generate_mipmap(cx: &Cx<'_>, target: GLenum) -> Result<Option<Mipmaps>, GlError> {
    let target = bind_target(cx, target)?;
    // GL 4.6 §8.14.4: targets with mipmaps.
    if matches!(target, Target::TextureRectangle | Target::TextureBuffer) || is_multisample(target)
    {
        return Err(GlError::invalid_enum("textures of target have no mipmaps"));
    }
    let Some(texture) = bound(cx, target) else {
        return Ok(None);
    };
    let (base, _) = texture.effective_levels();
    if target == Target::TextureCube && !texture.is_cube_complete(base) {
        return Err(GlError::invalid_operation(
            "the cube map is not cube complete",
        ));
    }
    let Some(image) = texture.level_image(base, 0) else {
        return Ok(None);
    };
    let info = image.format.info();
    // GL 4.6 §8.14.4: neither integers nor stencil can be averaged.
    if info.is_integer() || info.has_stencil() {
        return Err(GlError::invalid_operation(
            "the base level's format cannot be filtered",
        ));
    }
    Ok(texture
        .last_mipmap_level()
        .filter(|last| *last > base)
        .map(|last| Mipmaps { target, base, last }))
}

/// Rules of reading from the read framebuffer (GL 4.6 §8.6 and §18.2.2), and the format that is read.
fn read_format(cx: &Cx<'_>, base: BaseFormat) -> Result<Format, GlError> {
    let ctx = &*cx.ctx;
    let facts = ctx.framebuffer_facts(ctx.framebuffers.read, cx.objects);
    if facts.status != gl_state::framebuffer_status::status::COMPLETE {
        return Err(GlError::invalid_framebuffer_operation(
            "the read framebuffer is incomplete",
        ));
    }
    if facts.samples > 0 {
        return Err(GlError::invalid_operation(
            "the read framebuffer is multisampled",
        ));
    }
    let fb = ctx.read_framebuffer();
    let of = |image: gl_state::framebuffer::Image| image.facts(cx.objects).map(|f| f.format);
    let drawable = ctx.framebuffers.read_drawable;
    let found = match base {
        BaseFormat::Depth | BaseFormat::DepthStencil | BaseFormat::Stencil => {
            let format = match fb.name {
                0 => drawable.map(|d| d.depth_stencil),
                _ if base == BaseFormat::Stencil => of(fb.stencil),
                _ => of(fb.depth),
            };
            format.filter(|format| {
                let info = format.info();
                let needs_stencil = base != BaseFormat::Depth;
                let needs_depth = base != BaseFormat::Stencil;
                (!needs_depth || info.has_depth()) && (!needs_stencil || info.has_stencil())
            })
        }
        BaseFormat::None
        | BaseFormat::Red
        | BaseFormat::Rg
        | BaseFormat::Rgb
        | BaseFormat::Rgba
        | BaseFormat::Alpha
        | BaseFormat::Luminance
        | BaseFormat::LuminanceAlpha
        | BaseFormat::Intensity => match fb.name {
            0 => fb.read_buffer.and(drawable).map(|d| d.color),
            _ => fb.read_buffer.and_then(|at| of(fb.color[usize::from(at)])),
        },
    };
    // GL 4.6 §8.6: INVALID_OPERATION if the needed buffer is missing.
    found
        .filter(|format| *format != Format::None)
        .ok_or_else(|| GlError::invalid_operation("the read framebuffer lacks the buffer"))
}

/// GL 4.6 §8.6 (copies), table 8.18: the source has the components, and both or neither are integers.
fn check_copy(source: Format, to: Format) -> Result<(), GlError> {
    let (from, to) = (source.info(), to.info());
    if from.is_color() != to.is_color() {
        return Err(GlError::invalid_operation(
            "colour and depth cannot be copied to each other",
        ));
    }
    if from.is_integer() != to.is_integer() || (from.is_integer() && from.component != to.component)
    {
        return Err(GlError::invalid_operation(
            "integer and other formats cannot be copied to each other",
        ));
    }
    Ok(())
}

/// A checked copy from the read framebuffer.
#[derive(Debug)]
pub struct CopyImage {
    /// The image to specify first, if it is new.
    pub new: Option<LevelImage>,
    pub target: Target,
    pub face: usize,
    pub level: u32,
    /// Where the texels go, as the texture keeps them.
    pub region: Box3,
    pub x: GLint,
    pub y: GLint,
    /// Extent in the framebuffer.
    pub width: u32,
    pub height: u32,
    /// Format of what is read.
    pub source: Format,
}

fn copy_image(
    cx: &Cx<'_>,
    rank: Rank,
    target: GLenum,
    level: GLint,
    internal: GLenum,
    (x, y): (GLint, GLint),
    (width, height): (GLsizei, GLsizei),
    border: GLint,
) -> Result<CopyImage, GlError> {
    let place = image_target(cx, target, rank)?;
    if place.proxy {
        return Err(GlError::invalid_enum("target is a proxy"));
    }
    let level = checked_level(cx, place.target, level)?;
    let (width, height) = (non_negative(width)?, non_negative(height)?);
    // GL 4.6 §8.6: INVALID_ENUM if internalformat is none, or one of 1 to 4.
    let format = resolve(cx, internal, None)
        .filter(|_| internal > 4)
        .ok_or_else(|| GlError::invalid_enum("internalformat is no internal format"))?;
    let source = read_format(cx, format.info().base)?;
    let kept = kept_extent(place.target, width, height, 1);
    check_shape(cx, place, level, kept, border)?;
    check_copy(source, format)?;
    check_mutable(cx, place)?;
    Ok(CopyImage {
        new: Some(LevelImage {
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
        }),
        target: place.target,
        face: place.face,
        level,
        region: Box3 {
            x: 0,
            y: 0,
            z: 0,
            width: kept[0],
            height: kept[1],
            depth: kept[2],
        },
        x,
        y,
        width,
        height,
        source,
    })
}

fn copy_sub_image(
    cx: &Cx<'_>,
    rank: Rank,
    target: GLenum,
    level: GLint,
    offset: [GLint; 3],
    (x, y): (GLint, GLint),
    (width, height): (GLsizei, GLsizei),
) -> Result<CopyImage, GlError> {
    let place = image_target(cx, target, rank)?;
    if place.proxy {
        return Err(GlError::invalid_enum("target is a proxy"));
    }
    let level = checked_level(cx, place.target, level)?;
    let (width, height) = (non_negative(width)?, non_negative(height)?);
    let (_, image, region) = region_of(cx, place, level, offset, [width, height, 1])?;
    let source = read_format(cx, image.format.info().base)?;
    check_copy(source, image.format)?;
    check_blocks(image, &region)?;
    Ok(CopyImage {
        new: None,
        target: place.target,
        face: place.face,
        level,
        region,
        x,
        y,
        width,
        height,
        source,
    })
}

pub fn copy_tex_image_1d(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    internal: GLenum,
    x: GLint,
    y: GLint,
    width: GLsizei,
    border: GLint,
) -> Result<CopyImage, GlError> {
    copy_image(
        cx,
        Rank::One,
        target,
        level,
        internal,
        (x, y),
        (width, 1),
        border,
    )
}

pub fn copy_tex_image_2d(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    internal: GLenum,
    x: GLint,
    y: GLint,
    width: GLsizei,
    height: GLsizei,
    border: GLint,
) -> Result<CopyImage, GlError> {
    copy_image(
        cx,
        Rank::Two,
        target,
        level,
        internal,
        (x, y),
        (width, height),
        border,
    )
}

pub fn copy_tex_sub_image_1d(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    xoffset: GLint,
    x: GLint,
    y: GLint,
    width: GLsizei,
) -> Result<CopyImage, GlError> {
    copy_sub_image(
        cx,
        Rank::One,
        target,
        level,
        [xoffset, 0, 0],
        (x, y),
        (width, 1),
    )
}

pub fn copy_tex_sub_image_2d(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    xoffset: GLint,
    yoffset: GLint,
    x: GLint,
    y: GLint,
    width: GLsizei,
    height: GLsizei,
) -> Result<CopyImage, GlError> {
    copy_sub_image(
        cx,
        Rank::Two,
        target,
        level,
        [xoffset, yoffset, 0],
        (x, y),
        (width, height),
    )
}

pub fn copy_tex_sub_image_3d(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    xoffset: GLint,
    yoffset: GLint,
    zoffset: GLint,
    x: GLint,
    y: GLint,
    width: GLsizei,
    height: GLsizei,
) -> Result<CopyImage, GlError> {
    let offset = [xoffset, yoffset, zoffset];
    copy_sub_image(
        cx,
        Rank::Three,
        target,
        level,
        offset,
        (x, y),
        (width, height),
    )
}

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
