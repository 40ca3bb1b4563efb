//! Checks of glTextureView (GL 4.6 §8.18). It must change nothing.

use super::tex_image::resolve;
use super::texture::bind_target;
use crate::cx::Cx;
use gl_enums::*;
use gl_state::GlError;
use gl_state::texture_views::{Shown, layers_of};
use pipe::{Ability, Format, Target, TextureId};

/// A checked view: the fresh name, what it becomes, and of what.
#[derive(Clone, Copy, Debug)]
pub struct NewView {
    pub name: GLuint,
    pub target: Target,
    pub origin: TextureId,
    pub shown: Shown,
}

/// GL 4.6 §8.18, table "Legal texture targets for TextureView".
fn shows(origin: Target, view: Target) -> bool {
    use Target as T;
    match origin {
        T::Texture1D | T::Texture1DArray => matches!(view, T::Texture1D | T::Texture1DArray),
        T::Texture2D => matches!(view, T::Texture2D | T::Texture2DArray),
        T::Texture3D => view == T::Texture3D,
        T::TextureCube | T::Texture2DArray | T::TextureCubeArray => matches!(
            view,
            T::Texture2D | T::Texture2DArray | T::TextureCube | T::TextureCubeArray
        ),
        T::TextureRectangle => view == T::TextureRectangle,
        T::Texture2DMultisample | T::Texture2DMultisampleArray => {
            matches!(view, T::Texture2DMultisample | T::Texture2DMultisampleArray)
        }
        T::Buffer | T::TextureBuffer | T::Renderbuffer => false,
    }
}

pub fn texture_view(
    cx: &Cx<'_>,
    texture: GLuint,
    target: GLenum,
    origin: GLuint,
    internal_format: GLenum,
    min_level: GLuint,
    levels: GLuint,
    min_layer: GLuint,
    layers: GLuint,
) -> Result<NewView, GlError> {
    if !cx.ctx.caps.abilities.contains(Ability::TEXTURE_VIEW) {
        return Err(GlError::invalid_operation(
            "the driver has no texture views, and MobileGL does not emulate them",
        ));
    }
    // GL 4.6 §8.18: INVALID_VALUE if texture is zero or origtexture is no texture; INVALID_OPERATION if texture is no name that was generated,
    // or has a target already; INVALID_OPERATION if the origin's storage is not immutable.
    if texture == 0 {
        return Err(GlError::invalid_value("texture is zero"));
    }
    let names = &cx.share.textures;
    let origin = names.get(origin);
    let from = origin
        .and_then(|id| cx.objects.textures.get(id))
        .ok_or_else(|| GlError::invalid_value("origtexture is no texture"))?;
    if names.get(texture).is_some() || !names.is_taken(texture) {
        return Err(GlError::invalid_operation(
            "texture is no fresh name of glGenTextures",
        ));
    }
    if from.immutable_levels == 0 {
        return Err(GlError::invalid_operation("origtexture is mutable"));
    }
    let target = bind_target(cx, target)?;
    // INVALID_OPERATION if the target or the format does not go with the origin's.
    if !shows(from.target, target) {
        return Err(GlError::invalid_operation(
            "target does not go with the origin's",
        ));
    }
    let image = &from.levels[0][0];
    let format = Format::from_gl(internal_format)
        .filter(|_| resolve(cx, internal_format, None).is_some())
        .filter(|format| format.views_as(image.format))
        .ok_or_else(|| {
            GlError::invalid_operation("internalformat does not go with the origin's")
        })?;
    // INVALID_VALUE if minlevel or minlayer is beyond the origin's last; the counts are cut to what there is.
    let (all_levels, all_layers) = (from.immutable_levels, layers_of(from));
    if min_level >= all_levels || min_layer >= all_layers {
        return Err(GlError::invalid_value("minlevel or minlayer is too great"));
    }
    if levels == 0 || layers == 0 {
        return Err(GlError::invalid_value("numlevels or numlayers is zero"));
    }
    let shown = Shown {
        internal_format,
        format,
        min_level,
        levels: levels.min(all_levels - min_level),
        min_layer,
        layers: layers.min(all_layers - min_layer),
    };
    // INVALID_VALUE if the number of layers is none of the target's; INVALID_OPERATION for cube maps that are not square.
    let fits = match target {
        Target::Texture1DArray | Target::Texture2DArray | Target::Texture2DMultisampleArray => true,
        Target::TextureCube => shown.layers == 6,
        Target::TextureCubeArray => shown.layers.is_multiple_of(6),
        Target::Buffer
        | Target::Texture1D
        | Target::Texture2D
        | Target::Texture3D
        | Target::TextureRectangle
        | Target::TextureBuffer
        | Target::Texture2DMultisample
        | Target::Renderbuffer => layers == 1,
    };
    if !fits {
        return Err(GlError::invalid_value("numlayers does not go with target"));
    }
    let cube = matches!(target, Target::TextureCube | Target::TextureCubeArray);
    if cube && image.width != image.height {
        return Err(GlError::invalid_operation(
            "the origin's layers are no squares",
        ));
    }
    Ok(NewView {
        name: texture,
        target,
        origin: from.id,
        shown,
    })
}
