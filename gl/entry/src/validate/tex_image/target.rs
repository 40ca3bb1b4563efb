//! Which image a command names: its target, face and level, and how large it may be (GL 4.6 §8.5). It looks at no texture.

use crate::cx::Cx;
use crate::limits;
use gl_enums::*;
use gl_state::GlError;
use pipe::Target;

/// What an image target of a command names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageTarget {
    pub target: Target,
    pub face: usize,
    pub proxy: bool,
}

/// Dimensions of a command's image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::validate) enum Rank {
    One,
    Two,
    Three,
}

pub(in crate::validate) fn image_target(
    cx: &Cx<'_>,
    value: GLenum,
    rank: Rank,
) -> Result<ImageTarget, GlError> {
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
pub(in crate::validate) fn any_image_target(
    cx: &Cx<'_>,
    value: GLenum,
) -> Result<ImageTarget, GlError> {
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
pub(super) fn max_extent(cx: &Cx<'_>, target: Target) -> [u32; 3] {
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
pub(in crate::validate) fn max_level(cx: &Cx<'_>, target: Target) -> u32 {
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

pub(in crate::validate) fn checked_level(
    cx: &Cx<'_>,
    target: Target,
    level: GLint,
) -> Result<u32, GlError> {
    // GL 4.6 §8.5: INVALID_VALUE for negative levels and those beyond the largest.
    u32::try_from(level)
        .ok()
        .filter(|level| *level <= max_level(cx, target))
        .ok_or_else(|| GlError::invalid_value("level is out of range"))
}
