//! Checks of copies from the read framebuffer to images (GL 4.6 §8.6). It must change nothing.

use super::shape::{check_mutable, check_shape, kept_extent, non_negative, resolve, unfilled};
use super::sub_image::{check_blocks, region_of};
use super::target::{Rank, checked_level, image_target};
use crate::cx::Cx;
use gl_enums::*;
use gl_state::GlError;
use gl_state::texture::LevelImage;
use pipe::formats::BaseFormat;
use pipe::{Box3, Format, Target};

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
        new: Some(unfilled(internal, format, kept)),
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
