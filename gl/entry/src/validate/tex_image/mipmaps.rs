//! Checks of mipmap generation (GL 4.6 §8.14.4). It must change nothing.

use crate::cx::Cx;
use crate::validate::texture::{bind_target, bound, is_multisample};
use gl_enums::*;
use gl_state::GlError;
use pipe::Target;

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
