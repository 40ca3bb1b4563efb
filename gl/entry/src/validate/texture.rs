//! Checks of texture objects and their parameters (GL 4.6 §8.1, §8.10, §8.11). It must change nothing.

use super::sampler::count;
use super::sampler_params::{Given, change, count_of};
use crate::c_memory;
use crate::cx::Cx;
use crate::limits;
use crate::state_values::{Value, image_param, texture_param};
use gl_enums::*;
use gl_state::GlError;
use gl_state::texture::{LevelImage, Texture};
use gl_state::texture_images::TextureChange;
use gl_state::texture_units::target_index;
use pipe::{Target, TextureId};

/// Targets of glBindTexture.
pub(super) fn bind_target(cx: &Cx<'_>, target: GLenum) -> Result<Target, GlError> {
    Ok(match target {
        GL_TEXTURE_1D => Target::Texture1D,
        GL_TEXTURE_2D => Target::Texture2D,
        GL_TEXTURE_3D => Target::Texture3D,
        GL_TEXTURE_CUBE_MAP => Target::TextureCube,
        GL_TEXTURE_RECTANGLE => Target::TextureRectangle,
        GL_TEXTURE_1D_ARRAY => Target::Texture1DArray,
        GL_TEXTURE_2D_ARRAY => Target::Texture2DArray,
        GL_TEXTURE_CUBE_MAP_ARRAY if cx.ctx.version >= (4, 0) => Target::TextureCubeArray,
        GL_TEXTURE_BUFFER => Target::TextureBuffer,
        GL_TEXTURE_2D_MULTISAMPLE => Target::Texture2DMultisample,
        GL_TEXTURE_2D_MULTISAMPLE_ARRAY => Target::Texture2DMultisampleArray,
        _ => return Err(GlError::invalid_enum("target is no texture target")),
    })
}

/// Whether a target's textures are sampled texel by texel: no sampler state.
pub(super) fn is_multisample(target: Target) -> bool {
    matches!(
        target,
        Target::Texture2DMultisample | Target::Texture2DMultisampleArray
    )
}

/// The texture bound to the active unit; `None`: a default texture that nothing was said about yet.
pub(super) fn bound<'a>(cx: &'a Cx<'_>, target: Target) -> Option<&'a Texture> {
    let unit = cx.ctx.textures.active as usize;
    let at = target_index(target);
    let id = cx.ctx.textures.units[unit].textures[at];
    let id = if id.is_null() {
        cx.share.default_textures[at]
    } else {
        id
    };
    cx.objects.textures.get(id)
}

pub fn gen_textures(
    _cx: &Cx<'_>,
    n: GLsizei,
    names: *mut GLuint,
) -> Result<(usize, *mut GLuint), GlError> {
    Ok((count(n)?, names))
}

pub fn delete_textures(
    _cx: &Cx<'_>,
    n: GLsizei,
    names: *const GLuint,
) -> Result<&'static [GLuint], GlError> {
    // SAFETY: glDeleteTextures reads `n` names.
    Ok(unsafe { c_memory::slice(names, count(n)?) })
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub enum Named {
    Default,
    Object(TextureId),
    /// A name without an object: the first bind makes it.
    Fresh(GLuint),
}

#[inline]
pub fn bind_texture(cx: &Cx<'_>, target: GLenum, name: GLuint) -> Result<(Target, Named), GlError> {
    let target = bind_target(cx, target)?;
    if name == 0 {
        return Ok((target, Named::Default));
    }
    let Some(id) = cx.share.textures.get(name) else {
        // GL 4.6 §8.1: INVALID_OPERATION for a name that glGenTextures did not return; compatibility profiles take any.
        if !cx.share.textures.is_taken(name) && cx.ctx.profile == gl_state::Profile::Core {
            return Err(GlError::invalid_operation(
                "texture is not a name that was generated",
            ));
        }
        return Ok((target, Named::Fresh(name)));
    };
    // GL 4.6 §8.1: INVALID_OPERATION if the object was made with another target.
    if cx.objects.textures[id].target != target {
        return Err(GlError::invalid_operation(
            "texture was bound to another target before",
        ));
    }
    Ok((target, Named::Object(id)))
}

pub fn active_texture(cx: &Cx<'_>, texture: GLenum) -> Result<u32, GlError> {
    let unit = texture.wrapping_sub(GL_TEXTURE0);
    // GL 4.6 §8.1: INVALID_ENUM for other than TEXTUREi with i < MAX_COMBINED_TEXTURE_IMAGE_UNITS.
    if unit >= limits::combined_texture_units(&cx.ctx.caps) {
        return Err(GlError::invalid_enum("texture is no texture unit"));
    }
    Ok(unit)
}

/// Targets of glTexParameter: all that have parameters.
fn parameter_target(cx: &Cx<'_>, target: GLenum) -> Result<Target, GlError> {
    match bind_target(cx, target)? {
        Target::TextureBuffer => Err(GlError::invalid_enum("target is TEXTURE_BUFFER")),
        target => Ok(target),
    }
}

fn swizzle(value: GLint) -> Result<u16, GlError> {
    match value as GLenum {
        GL_RED | GL_GREEN | GL_BLUE | GL_ALPHA | GL_ZERO | GL_ONE => Ok(value as u16),
        _ => Err(GlError::invalid_enum("param is no swizzle")),
    }
}

/// At most four changes: glTexParameter(GL_TEXTURE_SWIZZLE_RGBA) makes as many.
pub type Changes = (Target, [Option<TextureChange>; 4]);

fn parameter(
    cx: &Cx<'_>,
    target: GLenum,
    pname: GLenum,
    given: Given<'_>,
) -> Result<Changes, GlError> {
    let target = parameter_target(cx, target)?;
    let one = |change| Ok((target, [Some(change), None, None, None]));
    let level =
        || u32::try_from(given.int(0)).map_err(|_| GlError::invalid_value("the level is negative"));
    match pname {
        GL_TEXTURE_BASE_LEVEL => {
            let level = level()?;
            // GL 4.6 §8.10: INVALID_OPERATION for multisample and rectangle textures unless it is zero.
            if level != 0 && (is_multisample(target) || target == Target::TextureRectangle) {
                return Err(GlError::invalid_operation(
                    "TEXTURE_BASE_LEVEL of such a target is zero",
                ));
            }
            one(TextureChange::BaseLevel(level))
        }
        GL_TEXTURE_MAX_LEVEL => one(TextureChange::MaxLevel(level()?)),
        GL_TEXTURE_SWIZZLE_R..=GL_TEXTURE_SWIZZLE_A => {
            let component = (pname - GL_TEXTURE_SWIZZLE_R) as usize;
            one(TextureChange::Swizzle(component, swizzle(given.int(0))?))
        }
        GL_TEXTURE_SWIZZLE_RGBA => {
            given.four()?;
            let mut changes = [None; 4];
            for (component, change) in changes.iter_mut().enumerate() {
                let value = swizzle(given.int(component))?;
                *change = Some(TextureChange::Swizzle(component, value));
            }
            Ok((target, changes))
        }
        GL_DEPTH_STENCIL_TEXTURE_MODE if cx.ctx.version >= (4, 3) => match given.int(0) as GLenum {
            mode @ (GL_DEPTH_COMPONENT | GL_STENCIL_INDEX) => {
                one(TextureChange::DepthStencilMode(mode as u16))
            }
            _ => Err(GlError::invalid_enum("param is no depth and stencil mode")),
        },
        _ => {
            let change = change(cx, Some(target), pname, given)?;
            let change =
                change.ok_or_else(|| GlError::invalid_enum("pname is no texture parameter"))?;
            // GL 4.6 §8.10: INVALID_ENUM for sampler state of multisample textures.
            if is_multisample(target) {
                return Err(GlError::invalid_enum(
                    "multisample textures have no sampler state",
                ));
            }
            one(TextureChange::Sampler(change))
        }
    }
}

pub fn tex_parameteri(
    cx: &Cx<'_>,
    target: GLenum,
    pname: GLenum,
    param: GLint,
) -> Result<Changes, GlError> {
    parameter(cx, target, pname, Given::Int(&[param]))
}

pub fn tex_parameterf(
    cx: &Cx<'_>,
    target: GLenum,
    pname: GLenum,
    param: GLfloat,
) -> Result<Changes, GlError> {
    parameter(cx, target, pname, Given::Float(&[param]))
}

macro_rules! vectors {
    ($($name:ident ($ty:ty, $given:ident);)*) => {$(
        pub fn $name(cx: &Cx<'_>, target: GLenum, pname: GLenum, params: *const $ty) -> Result<Changes, GlError> {
            // SAFETY: the command reads as many values as `pname` has.
            let values = unsafe { c_memory::slice(params, count_of(pname)) };
            if values.is_empty() {
                return Err(GlError::invalid_value("params is null"));
            }
            parameter(cx, target, pname, Given::$given(values))
        }
    )*};
}
vectors! {
    tex_parameteriv (GLint, Int);
    tex_parameterfv (GLfloat, Float);
    tex_parameter_iiv (GLint, PureInt);
    tex_parameter_iuiv (GLuint, PureUint);
}

fn parameter_value(cx: &Cx<'_>, target: GLenum, pname: GLenum) -> Result<Value, GlError> {
    let target = parameter_target(cx, target)?;
    let initial;
    let texture = match bound(cx, target) {
        Some(texture) => texture,
        None => {
            initial = Texture::new(TextureId::NULL, 0, target, 0);
            &initial
        }
    };
    texture_param(texture, pname)
        .ok_or_else(|| GlError::invalid_enum("pname is no texture parameter"))
}

macro_rules! gets {
    ($($name:ident $ty:ty;)*) => {$(
        pub fn $name(cx: &Cx<'_>, target: GLenum, pname: GLenum, params: *mut $ty) -> Result<(Value, *mut $ty), GlError> {
            Ok((parameter_value(cx, target, pname)?, params))
        }
    )*};
}
gets! {
    get_tex_parameteriv GLint;
    get_tex_parameterfv GLfloat;
    get_tex_parameter_iiv GLint;
    get_tex_parameter_iuiv GLuint;
}

fn level_value(cx: &Cx<'_>, target: GLenum, level: GLint, pname: GLenum) -> Result<Value, GlError> {
    use super::tex_image::{any_image_target, max_level};
    let place = any_image_target(cx, target)?;
    // GL 4.6 §8.11.3: INVALID_VALUE if level is not one that target could have.
    let level = u32::try_from(level)
        .ok()
        .filter(|level| *level <= max_level(cx, place.target))
        .ok_or_else(|| GlError::invalid_value("level is out of range"))?;
    let unknown = || GlError::invalid_enum("pname is no parameter of an image");
    // Borders of images are of the compatibility profile (GL 3.0 §E.1 deprecates them).
    if pname == GL_TEXTURE_BORDER && cx.ctx.profile == gl_state::Profile::Core {
        return Err(unknown());
    }
    let none = LevelImage::default();
    if place.proxy {
        let proxy = &cx.ctx.textures.proxies[target_index(place.target)];
        let image = if proxy.level == level {
            &proxy.image
        } else {
            &none
        };
        return image_param(image, proxy.samples, proxy.fixed_sample_locations, pname)
            .ok_or_else(unknown);
    }
    let Some(texture) = bound(cx, place.target) else {
        return image_param(&none, 0, true, pname).ok_or_else(unknown);
    };
    let image = texture.level_image(level, place.face).unwrap_or(&none);
    if place.target == Target::TextureBuffer {
        let buffer = cx.objects.buffers.get(texture.buffer);
        let size = match texture.buffer_size_bytes {
            pipe::WHOLE => buffer.map_or(0, |b| b.size_bytes()),
            size => size,
        };
        match pname {
            GL_TEXTURE_BUFFER_DATA_STORE_BINDING => {
                return Ok(Value::Int(
                    [buffer.map_or(0, |b| i64::from(b.name))]
                        .into_iter()
                        .collect(),
                ));
            }
            GL_TEXTURE_BUFFER_OFFSET => {
                return Ok(Value::Int(
                    [texture.buffer_offset_bytes as i64].into_iter().collect(),
                ));
            }
            GL_TEXTURE_BUFFER_SIZE => {
                return Ok(Value::Int([size as i64].into_iter().collect()));
            }
            GL_TEXTURE_WIDTH => {
                let texel = u64::from(image.format.info().storage.bytes.max(1));
                return Ok(Value::Int([(size / texel) as i64].into_iter().collect()));
            }
            _ => {}
        }
    }
    if pname == GL_TEXTURE_HEIGHT && place.target == Target::Texture1DArray {
        // The layers of a 1D array are its height (GL 4.6 §8.5.1).
        return Ok(Value::Int([i64::from(image.depth)].into_iter().collect()));
    }
    if pname == GL_TEXTURE_DEPTH && place.target == Target::Texture1DArray {
        return Ok(Value::Int(
            [i64::from(image.depth.min(1))].into_iter().collect(),
        ));
    }
    // GL 4.6 §8.11.3: INVALID_OPERATION for the size of an image that is not compressed.
    if pname == GL_TEXTURE_COMPRESSED_IMAGE_SIZE && !image.format.info().is_compressed() {
        return Err(GlError::invalid_operation("the image is not compressed"));
    }
    image_param(
        image,
        texture.samples,
        texture.fixed_sample_locations,
        pname,
    )
    .ok_or_else(unknown)
}

pub fn get_tex_level_parameteriv(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    pname: GLenum,
    params: *mut GLint,
) -> Result<(Value, *mut GLint), GlError> {
    Ok((level_value(cx, target, level, pname)?, params))
}

pub fn get_tex_level_parameterfv(
    cx: &Cx<'_>,
    target: GLenum,
    level: GLint,
    pname: GLenum,
    params: *mut GLfloat,
) -> Result<(Value, *mut GLfloat), GlError> {
    Ok((level_value(cx, target, level, pname)?, params))
}
