//! Checks of glCopyImageSubData (GL 4.6 §18.3.2). It must change nothing.

use super::tex_image::{max_level, non_negative};
use super::texture::bind_target;
use crate::cx::Cx;
use gl_enums::*;
use gl_state::GlError;
use pipe::{Box3, Format, RenderbufferId, Target, TextureId};

/// An end of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Texture(TextureId, u32),
    Renderbuffer(RenderbufferId),
}

/// A checked copy. Layers and faces are slices; where the blocks of the formats differ, each end counts its own texels.
#[derive(Clone, Copy, Debug)]
pub struct CopyImage {
    pub src: End,
    pub src_box: Box3,
    pub dst: End,
    pub dst_box: Box3,
}

/// What an end is.
struct Found {
    end: End,
    format: Format,
    samples: u32,
    /// Layers and faces are slices.
    extent: [u32; 3],
}

fn renderbuffer(cx: &Cx<'_>, name: GLuint, level: GLint) -> Result<Found, GlError> {
    let id = cx.share.renderbuffers.get(name);
    let renderbuffer = id
        .and_then(|id| cx.objects.renderbuffers.get(id))
        .ok_or_else(|| GlError::invalid_value("a name is no renderbuffer"))?;
    if level != 0 {
        return Err(GlError::invalid_value("a renderbuffer has level 0 alone"));
    }
    Ok(Found {
        end: End::Renderbuffer(renderbuffer.id),
        format: renderbuffer.format,
        samples: renderbuffer.samples,
        extent: [renderbuffer.width, renderbuffer.height, 1],
    })
}

fn end(cx: &Cx<'_>, name: GLuint, target: GLenum, level: GLint) -> Result<Found, GlError> {
    if target == GL_RENDERBUFFER {
        return renderbuffer(cx, name, level);
    }
    // GL 4.6 §18.3.2: INVALID_ENUM if target is neither RENDERBUFFER nor a texture target, or a buffer texture's.
    let target = match bind_target(cx, target)? {
        Target::TextureBuffer => return Err(GlError::invalid_enum("a target is TEXTURE_BUFFER")),
        target => target,
    };
    // INVALID_VALUE if the name is no texture object; INVALID_ENUM if it is one of another target.
    let id = cx.share.textures.get(name);
    let texture = id
        .and_then(|id| cx.objects.textures.get(id))
        .ok_or_else(|| GlError::invalid_value("a name is no texture"))?;
    if texture.target != target {
        return Err(GlError::invalid_enum("a texture's target is another one"));
    }
    let level = u32::try_from(level)
        .ok()
        .filter(|level| *level <= max_level(cx, target))
        .ok_or_else(|| GlError::invalid_value("a level is out of range"))?;
    // INVALID_OPERATION if the texture is not complete; INVALID_VALUE if it has no such level.
    let completeness = texture.completeness();
    let complete = completeness.base && (level == 0 || completeness.mipmap);
    if !complete {
        return Err(GlError::invalid_operation("a texture is not complete"));
    }
    let faces = texture.faces();
    let image = texture
        .level_image(level, 0)
        .ok_or_else(|| GlError::invalid_value("a level has no image"))?;
    let depth = if faces > 1 { faces as u32 } else { image.depth };
    Ok(Found {
        end: End::Texture(texture.id, level),
        format: image.format,
        samples: texture.samples,
        extent: [image.width, image.height, depth],
    })
}

/// INVALID_VALUE if the region leaves the image, or if it is not made of whole blocks (its edges may be the image's).
fn region(found: &Found, offset: [GLint; 3], size: [u32; 3]) -> Result<Box3, GlError> {
    // Layers of every kind are counted in z.
    let ([x, y, z], [width, height, depth]) = (offset, size);
    let block = found.format.info().block;
    let [w, h, d] = found.extent;
    let inside = |offset: GLint, size: u32, extent: u32| {
        offset >= 0 && u64::from(offset as u32) + u64::from(size) <= u64::from(extent)
    };
    // The last block of a level may reach past its edge.
    let blocks = |extent: u32, block: u8| extent.next_multiple_of(u32::from(block));
    if !(inside(x, width, blocks(w, block.width))
        && inside(y, height, blocks(h, block.height))
        && inside(z, depth, d))
    {
        return Err(GlError::invalid_value("a region leaves its image"));
    }
    let whole = |offset: GLint, size: u32, extent: u32, block: u8| {
        let block = u32::from(block);
        let offset = offset as u32;
        offset.is_multiple_of(block) && (size.is_multiple_of(block) || offset + size == extent)
    };
    if !(whole(x, width, w, block.width) && whole(y, height, h, block.height)) {
        return Err(GlError::invalid_value(
            "a region is not made of whole blocks",
        ));
    }
    Ok(Box3 {
        x,
        y,
        z,
        width: width.min(w - x as u32),
        height: height.min(h - y as u32),
        depth,
    })
}

pub fn copy_image_sub_data(
    cx: &Cx<'_>,
    src_name: GLuint,
    src_target: GLenum,
    src_level: GLint,
    src_x: GLint,
    src_y: GLint,
    src_z: GLint,
    dst_name: GLuint,
    dst_target: GLenum,
    dst_level: GLint,
    dst_x: GLint,
    dst_y: GLint,
    dst_z: GLint,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
) -> Result<CopyImage, GlError> {
    let src = end(cx, src_name, src_target, src_level)?;
    let dst = end(cx, dst_name, dst_target, dst_level)?;
    let size = [
        non_negative(width)?,
        non_negative(height)?,
        non_negative(depth)?,
    ];
    let src_box = region(&src, [src_x, src_y, src_z], size)?;
    // The size counts texels of the source: a block of one end is a texel of the other where only one of them is compressed.
    let (from, to) = (src.format.info().block, dst.format.info().block);
    let scaled = |size: u32, from: u8, to: u8| size.div_ceil(u32::from(from)) * u32::from(to);
    let dst_size = if (from.width, from.height) == (to.width, to.height) {
        size
    } else {
        [
            scaled(size[0], from.width, to.width),
            scaled(size[1], from.height, to.height),
            size[2],
        ]
    };
    let dst_box = region(&dst, [dst_x, dst_y, dst_z], dst_size)?;
    // INVALID_OPERATION if the formats are not compatible, or the numbers of samples differ.
    if !src.format.copies_to(dst.format) {
        return Err(GlError::invalid_operation("the formats are not compatible"));
    }
    if src.samples != dst.samples {
        return Err(GlError::invalid_operation("the numbers of samples differ"));
    }
    Ok(CopyImage {
        src: src.end,
        src_box,
        dst: dst.end,
        dst_box,
    })
}
