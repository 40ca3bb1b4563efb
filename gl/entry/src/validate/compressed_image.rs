//! Checks of compressed texture images (GL 4.6 §8.7, §8.11.4; EXT_texture_compression_s3tc). It must change nothing.

use super::pixels::PixelSource;
use super::tex_image::{
    ImageTarget, Rank, any_image_target, check_blocks, check_mutable, check_shape, checked_level,
    image_target, non_negative, region_of,
};
use super::texture::bound;
use crate::block_decode::{has_volumes, is_decodable};
use crate::cx::Cx;
use gl_enums::*;
use gl_state::GlError;
use gl_state::buffer_bindings::BufferTarget;
use gl_state::texture::LevelImage;
use pipe::{Box3, Format, Target};
use std::ffi::c_void;

/// Blocks of the application's, checked.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    pub source: PixelSource,
    pub bytes: usize,
}

/// A checked compressed image: its shape, and what fills it.
#[derive(Debug)]
pub struct NewCompressed {
    pub target: Target,
    pub face: usize,
    pub level: u32,
    pub image: LevelImage,
    pub blocks: Option<Blocks>,
    /// A proxy: whether it fits.
    pub proxy: Option<bool>,
}

/// The specific compressed format that a value names.
fn compressed_format(internal: GLenum) -> Result<Format, GlError> {
    // GL 4.6 §8.7: INVALID_ENUM if internalformat is no specific compressed format.
    Format::from_gl(internal)
        .filter(|format| is_decodable(*format))
        .ok_or_else(|| GlError::invalid_enum("internalformat is no specific compressed format"))
}

/// The families have blocks of two dimensions: no 1D, 1D array and rectangle targets (INVALID_ENUM), and only BPTC has volumes
/// (GL 4.6 §8.7: INVALID_OPERATION for the others).
fn check_target(target: Target, format: Format) -> Result<(), GlError> {
    match target {
        Target::Texture2D
        | Target::TextureCube
        | Target::Texture2DArray
        | Target::TextureCubeArray => Ok(()),
        Target::Texture3D if has_volumes(format) => Ok(()),
        Target::Texture3D => Err(GlError::invalid_operation(
            "the format has no three-dimensional images",
        )),
        Target::Texture1D
        | Target::Texture1DArray
        | Target::TextureRectangle
        | Target::TextureBuffer
        | Target::Texture2DMultisample
        | Target::Texture2DMultisampleArray
        | Target::Buffer
        | Target::Renderbuffer => Err(GlError::invalid_enum(
            "target has no images of the compressed format",
        )),
    }
}

/// GL 4.6 §8.7: INVALID_VALUE if imageSize is not what format and extent make.
fn check_size(format: Format, extent: [u32; 3], size: GLsizei) -> Result<usize, GlError> {
    let [width, height, depth] = extent;
    let expected = format.info().encoded_bytes(width, height, depth);
    u64::try_from(size)
        .ok()
        .filter(|size| Some(*size) == expected)
        .map(|size| size as usize)
        .ok_or_else(|| GlError::invalid_value("imageSize does not agree with format and extent"))
}

/// Where blocks are read from or written to; `None`: a null address and no buffer.
fn place(
    cx: &Cx<'_>,
    target: BufferTarget,
    bytes: u64,
    data: *const c_void,
) -> Result<Option<PixelSource>, GlError> {
    let id = cx.ctx.buffers.get(target);
    let Some(buffer) = cx.objects.buffers.get(id) else {
        let address = data.cast::<u8>();
        return Ok((!address.is_null()).then_some(PixelSource::Client(address)));
    };
    // GL 4.6 §8.7 and §8.11.4: INVALID_OPERATION if the pixel buffer is mapped or too small.
    if buffer.mapping.is_some_and(|m| !m.is_persistent()) {
        return Err(GlError::invalid_operation("the pixel buffer is mapped"));
    }
    let offset = data as u64;
    if offset
        .checked_add(bytes)
        .is_none_or(|end| end > buffer.size_bytes())
    {
        return Err(GlError::invalid_operation(
            "the image leaves the pixel buffer",
        ));
    }
    Ok(Some(PixelSource::Buffer(id, offset)))
}

#[allow(clippy::too_many_arguments)]
fn new_image(
    cx: &Cx<'_>,
    rank: Rank,
    target: GLenum,
    level: GLint,
    internal: GLenum,
    extent: [GLsizei; 3],
    border: GLint,
    size: GLsizei,
    data: *const c_void,
) -> Result<NewCompressed, GlError> {
    let ImageTarget {
        target,
        face,
        proxy,
    } = image_target(cx, target, rank)?;
    let format = compressed_format(internal)?;
    check_target(target, format)?;
    let level = checked_level(cx, target, level)?;
    let [width, height, depth] = extent;
    let extent = [
        non_negative(width)?,
        non_negative(height)?,
        non_negative(depth)?,
    ];
    let place_ = ImageTarget {
        target,
        face,
        proxy,
    };
    let fits = check_shape(cx, place_, level, extent, border)?;
    let bytes = check_size(format, extent, size)?;
    check_mutable(cx, place_)?;
    let source = if proxy || bytes == 0 {
        None
    } else {
        place(cx, BufferTarget::PixelUnpack, bytes as u64, data)?
    };
    Ok(NewCompressed {
        target,
        face,
        level,
        image: LevelImage {
            internal_format: internal,
            format: if extent.contains(&0) {
                Format::None
            } else {
                format
            },
            width: extent[0],
            height: extent[1],
            depth: extent[2],
            ..LevelImage::default()
        },
        blocks: source.map(|source| Blocks { source, bytes }),
        proxy: proxy.then_some(fits),
    })
}

pub fn compressed_tex_image_1d(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    internal: GLenum,
    width: GLsizei,
    border: GLint,
    size: GLsizei,
    data: *const c_void,
) -> Result<NewCompressed, GlError> {
    let extent = [width, 1, 1];
    new_image(
        cx,
        Rank::One,
        target,
        level,
        internal,
        extent,
        border,
        size,
        data,
    )
}

pub fn compressed_tex_image_2d(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    internal: GLenum,
    width: GLsizei,
    height: GLsizei,
    border: GLint,
    size: GLsizei,
    data: *const c_void,
) -> Result<NewCompressed, GlError> {
    let extent = [width, height, 1];
    new_image(
        cx,
        Rank::Two,
        target,
        level,
        internal,
        extent,
        border,
        size,
        data,
    )
}

pub fn compressed_tex_image_3d(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    internal: GLenum,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
    border: GLint,
    size: GLsizei,
    data: *const c_void,
) -> Result<NewCompressed, GlError> {
    let extent = [width, height, depth];
    new_image(
        cx,
        Rank::Three,
        target,
        level,
        internal,
        extent,
        border,
        size,
        data,
    )
}

/// Checked blocks for a part of an image.
#[derive(Debug)]
pub struct SubCompressed {
    pub target: Target,
    pub face: usize,
    pub level: u32,
    pub region: Box3,
    /// `None`: nothing to do.
    pub blocks: Option<Blocks>,
}

#[allow(clippy::too_many_arguments)]
fn sub_image(
    cx: &Cx<'_>,
    rank: Rank,
    target: GLenum,
    level: GLint,
    offset: [GLint; 3],
    extent: [GLsizei; 3],
    format: GLenum,
    size: GLsizei,
    data: *const c_void,
) -> Result<SubCompressed, GlError> {
    let place_ = image_target(cx, target, rank)?;
    if place_.proxy {
        return Err(GlError::invalid_enum("target is a proxy"));
    }
    let format = compressed_format(format)?;
    check_target(place_.target, format)?;
    let level = checked_level(cx, place_.target, level)?;
    let [width, height, depth] = extent;
    let extent = [
        non_negative(width)?,
        non_negative(height)?,
        non_negative(depth)?,
    ];
    let (_, image, region) = region_of(cx, place_, level, offset, extent)?;
    // GL 4.6 §8.7: INVALID_OPERATION if format is not the image's.
    if image.format != format {
        return Err(GlError::invalid_operation(
            "format is not the format of the image",
        ));
    }
    check_blocks(image, &region)?;
    let bytes = check_size(format, extent, size)?;
    let source = if bytes == 0 {
        None
    } else {
        place(cx, BufferTarget::PixelUnpack, bytes as u64, data)?
    };
    Ok(SubCompressed {
        target: place_.target,
        face: place_.face,
        level,
        region,
        blocks: source.map(|source| Blocks { source, bytes }),
    })
}

pub fn compressed_tex_sub_image_1d(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    x: GLint,
    width: GLsizei,
    format: GLenum,
    size: GLsizei,
    data: *const c_void,
) -> Result<SubCompressed, GlError> {
    let (offset, extent) = ([x, 0, 0], [width, 1, 1]);
    sub_image(
        cx,
        Rank::One,
        target,
        level,
        offset,
        extent,
        format,
        size,
        data,
    )
}

pub fn compressed_tex_sub_image_2d(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    x: GLint,
    y: GLint,
    width: GLsizei,
    height: GLsizei,
    format: GLenum,
    size: GLsizei,
    data: *const c_void,
) -> Result<SubCompressed, GlError> {
    let (offset, extent) = ([x, y, 0], [width, height, 1]);
    sub_image(
        cx,
        Rank::Two,
        target,
        level,
        offset,
        extent,
        format,
        size,
        data,
    )
}

pub fn compressed_tex_sub_image_3d(
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
    size: GLsizei,
    data: *const c_void,
) -> Result<SubCompressed, GlError> {
    let (offset, extent) = ([x, y, z], [width, height, depth]);
    sub_image(
        cx,
        Rank::Three,
        target,
        level,
        offset,
        extent,
        format,
        size,
        data,
    )
}

/// A checked read of a compressed image's blocks.
#[derive(Clone, Copy, Debug)]
pub struct ReadCompressed {
    pub target: Target,
    pub face: usize,
    pub level: u32,
    pub to: Blocks,
}

fn read_image(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    buf_size: Option<GLsizei>,
    out: *mut c_void,
) -> Result<Option<ReadCompressed>, GlError> {
    let found = any_image_target(cx, target)?;
    if found.proxy {
        return Err(GlError::invalid_enum("target is a proxy"));
    }
    if buf_size.is_some_and(|size| size < 0) {
        return Err(GlError::invalid_value("bufSize is negative"));
    }
    let level = checked_level(cx, found.target, level)?;
    // GL 4.6 §8.11.4: INVALID_OPERATION if the image is not stored compressed.
    let image = bound(cx, found.target)
        .and_then(|t| t.level_image(level, found.face))
        .filter(|image| is_decodable(image.format))
        .ok_or_else(|| GlError::invalid_operation("the image is not compressed"))?;
    let bytes = image
        .format
        .info()
        .encoded_bytes(image.width, image.height, image.depth)
        .ok_or_else(|| GlError::invalid_operation("the image does not fit the address space"))?;
    let Some(source) = place(cx, BufferTarget::PixelPack, bytes, out)? else {
        return Ok(None);
    };
    // GL 4.6 §8.11.4: INVALID_OPERATION if more than bufSize bytes would be written.
    if let (Some(size), PixelSource::Client(_)) = (buf_size, source)
        && u64::try_from(size).is_ok_and(|size| bytes > size)
    {
        return Err(GlError::invalid_operation("bufSize is too small"));
    }
    Ok(Some(ReadCompressed {
        target: found.target,
        face: found.face,
        level,
        to: Blocks {
            source,
            bytes: bytes as usize,
        },
    }))
}

/// `None`: nothing to do.
pub fn get_compressed_tex_image(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    out: *mut c_void,
) -> Result<Option<ReadCompressed>, GlError> {
    read_image(cx, target, level, None, out)
}

/// `None`: nothing to do.
pub fn getn_compressed_tex_image(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    buf_size: GLsizei,
    out: *mut c_void,
) -> Result<Option<ReadCompressed>, GlError> {
    read_image(cx, target, level, Some(buf_size), out)
}
