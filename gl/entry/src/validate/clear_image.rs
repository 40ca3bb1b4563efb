//! Checks of clears and invalidations of texture images by the texture's name (GL 4.6 §8.20, §8.21). It must change nothing.

use super::pixels::{kinds, mismatch};
use super::tex_image::{max_level, non_negative};
use crate::c_memory;
use crate::cx::Cx;
use gl_enums::*;
use gl_state::GlError;
use gl_state::texture::Texture;
use pipe::pixels::{self, ClientImage, Pitch, compatible};
use pipe::{Box3, Format, Target, TextureId};
use std::ffi::c_void;

/// A checked clear: each texel of the region becomes `texel`.
#[derive(Debug)]
pub struct ClearImage {
    pub texture: TextureId,
    pub level: u32,
    /// Layers and faces are slices.
    pub region: Box3,
    /// In the format's canonical storage.
    pub texel: Vec<u8>,
}

/// Extent of a level with its layers and faces as slices; `None`: there is no such image.
fn level_extent(texture: &Texture, level: u32) -> Option<[u32; 3]> {
    let faces = texture.faces();
    let first = texture.level_image(level, 0)?;
    let whole = (1..faces).all(|face| texture.level_image(level, face).is_some());
    let depth = if faces > 1 { faces as u32 } else { first.depth };
    whole.then_some([first.width, first.height, depth])
}

/// Whether a region lies in an image of this extent.
fn is_inside(offset: [GLint; 3], size: [u32; 3], extent: [u32; 3]) -> bool {
    (0..3).all(|i| {
        offset[i] >= 0 && u64::from(offset[i] as u32) + u64::from(size[i]) <= u64::from(extent[i])
    })
}

/// A region as the texture keeps it: the layers of 1D arrays are slices.
fn kept(target: Target, offset: [GLint; 3], size: [u32; 3]) -> ([GLint; 3], [u32; 3]) {
    if target == Target::Texture1DArray {
        let ([x, y, _], [width, height, _]) = (offset, size);
        return ([x, 0, y], [width, 1, height]);
    }
    (offset, size)
}

fn sized(width: GLsizei, height: GLsizei, depth: GLsizei) -> Result<[u32; 3], GlError> {
    Ok([
        non_negative(width)?,
        non_negative(height)?,
        non_negative(depth)?,
    ])
}

/// A clear of a part, or of the whole level.
fn clear(
    cx: &Cx<'_>,
    texture: GLuint,
    level: GLint,
    part: Option<([GLint; 3], [u32; 3])>,
    (format, ty): (GLenum, GLenum),
    data: *const c_void,
) -> Result<ClearImage, GlError> {
    let refuse = |what| Err(GlError::invalid_operation(what));
    // GL 4.6 §8.21, the list of INVALID_OPERATION: no texture, a buffer texture, a level without an image, a compressed format, a region
    // that leaves the image, kinds that the format does not take.
    let texture = cx.share.textures.get(texture);
    let Some(texture) = texture.and_then(|id| cx.objects.textures.get(id)) else {
        return refuse("texture is not the name of a texture object");
    };
    if texture.target == Target::TextureBuffer {
        return refuse("texture is a buffer texture");
    }
    let image = u32::try_from(level)
        .ok()
        .and_then(|level| Some((level, level_extent(texture, level)?)));
    let Some((level, extent)) = image else {
        return refuse("the level has no image");
    };
    let to = texture.levels[level as usize][0].format;
    if to.info().is_compressed() {
        return refuse("the image is compressed");
    }
    let (offset, size) = match part {
        Some((offset, size)) => kept(texture.target, offset, size),
        None => ([0; 3], extent),
    };
    if !is_inside(offset, size, extent) {
        return refuse("the region leaves the image");
    }
    let kinds = kinds(format, ty)?;
    compatible(kinds.0, kinds.1, to).map_err(mismatch)?;
    Ok(ClearImage {
        texture: texture.id,
        level,
        region: Box3 {
            x: offset[0],
            y: offset[1],
            z: offset[2],
            width: size[0],
            height: size[1],
            depth: size[2],
        },
        texel: texel(kinds, to, data)?,
    })
}

/// One texel of the application's in canonical storage; zeros where it gave none. Pixel storage does not apply (GL 4.6 §8.21).
fn texel(
    (format, ty): (pixels::PixelFormat, pixels::PixelType),
    to: Format,
    data: *const c_void,
) -> Result<Vec<u8>, GlError> {
    let mut texel = vec![0; usize::from(to.info().storage.bytes)];
    if data.is_null() {
        return Ok(texel);
    }
    let client = ClientImage::tight(format, ty, 1, 1, 1);
    let size = usize::from(pixels::group_bytes(format, ty));
    // SAFETY: c_memory's rule: the command reads one texel of these kinds.
    let bytes = unsafe { c_memory::slice(data.cast::<u8>(), size) };
    pixels::unpack_into(bytes, &client, to, &mut texel, Pitch::tight(to, 1, 1))
        .map_err(|error| GlError::with(GL_INVALID_OPERATION, error.to_string()))?;
    Ok(texel)
}

pub fn clear_tex_image(
    cx: &Cx<'_>,
    texture: GLuint,
    level: GLint,
    format: GLenum,
    ty: GLenum,
    data: *const c_void,
) -> Result<ClearImage, GlError> {
    clear(cx, texture, level, None, (format, ty), data)
}

pub fn clear_tex_sub_image(
    cx: &Cx<'_>,
    texture: GLuint,
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
) -> Result<ClearImage, GlError> {
    let part = ([x, y, z], sized(width, height, depth)?);
    clear(cx, texture, level, Some(part), (format, ty), data)
}

/// The texture and level of an invalidation.
fn invalidated<'a>(
    cx: &'a Cx<'_>,
    texture: GLuint,
    level: GLint,
) -> Result<(&'a Texture, u32), GlError> {
    // GL 4.6 §8.20: INVALID_VALUE if texture is no texture object, or if level is one that its target cannot have.
    let texture = cx.share.textures.get(texture);
    let texture = texture
        .and_then(|id| cx.objects.textures.get(id))
        .ok_or_else(|| GlError::invalid_value("texture is not the name of a texture object"))?;
    let level = u32::try_from(level)
        .ok()
        .filter(|level| *level <= max_level(cx, texture.target))
        .ok_or_else(|| GlError::invalid_value("level is out of range"))?;
    Ok((texture, level))
}

pub fn invalidate_tex_image(cx: &Cx<'_>, texture: GLuint, level: GLint) -> Result<(), GlError> {
    invalidated(cx, texture, level).map(|_| ())
}

pub fn invalidate_tex_sub_image(
    cx: &Cx<'_>,
    texture: GLuint,
    level: GLint,
    x: GLint,
    y: GLint,
    z: GLint,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
) -> Result<(), GlError> {
    let (texture, level) = invalidated(cx, texture, level)?;
    let (offset, size) = kept(texture.target, [x, y, z], sized(width, height, depth)?);
    // GL 4.6 §8.20: INVALID_VALUE if the region leaves the image.
    let extent = level_extent(texture, level).unwrap_or([0; 3]);
    if !is_inside(offset, size, extent) {
        return Err(GlError::invalid_value("the region leaves the image"));
    }
    Ok(())
}
