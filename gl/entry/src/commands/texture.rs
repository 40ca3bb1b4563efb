//! Texture objects and their parameters. Images are `tex_image`'s.

use super::get::{put_floats, put_ints, put_pure_ints, put_pure_uints};
use crate::c_memory;
use crate::cx::Cx;
use crate::source::ResourceOp;
use crate::state_values::Value;
use crate::validate::texture::{Changes, Named};
use gl_enums::*;
use gl_state::GlError;
use pipe::{Target, TextureId};

pub fn gen_textures(cx: &mut Cx<'_>, (n, out): (usize, *mut GLuint)) -> Result<(), GlError> {
    let names: Vec<GLuint> = (0..n).map(|_| cx.share.textures.generate()).collect();
    // SAFETY: glGenTextures writes `n` names.
    unsafe { c_memory::write_all(out, &names) };
    Ok(())
}

pub fn delete_textures(cx: &mut Cx<'_>, names: &[GLuint]) -> Result<(), GlError> {
    // GL 4.6 §8.1: names that are not in use and 0 are silently ignored.
    for &name in names.iter().filter(|name| **name != 0) {
        if let Some(id) = cx.share.textures.remove(name) {
            cx.ctx.unbind_texture(id, cx.objects, cx.emission);
            cx.objects.textures[id].name = 0;
            cx.objects.release_texture(id, cx.emission);
        }
    }
    report_deaths(cx);
    Ok(())
}

/// Objects may have ended: whoever owns them tells the executing side.
pub(super) fn report_deaths(cx: &mut Cx<'_>) {
    if !cx.emission.dead_resources.is_empty() {
        cx.resource_op(ResourceOp::ObjectsDied);
    }
}

pub fn is_texture(cx: &mut Cx<'_>, name: GLuint) -> Result<GLboolean, GlError> {
    Ok(cx.share.textures.get(name).is_some().into())
}

#[inline]
pub fn bind_texture(cx: &mut Cx<'_>, (target, named): (Target, Named)) -> Result<(), GlError> {
    let id = match named {
        Named::Default => TextureId::NULL,
        Named::Object(id) => id,
        Named::Fresh(name) => {
            let id = cx.objects.create_texture(name, target, cx.emission);
            cx.share.textures.assign(name, id);
            id
        }
    };
    let unit = cx.ctx.textures.active as usize;
    cx.ctx
        .bind_texture(unit, target, id, cx.objects, cx.emission);
    if !cx.emission.dead_resources.is_empty() {
        report_deaths(cx);
    }
    Ok(())
}

#[inline]
pub fn active_texture(cx: &mut Cx<'_>, unit: u32) -> Result<(), GlError> {
    cx.ctx.textures.active = unit;
    Ok(())
}

macro_rules! sets {
    ($($name:ident)*) => {$(
        pub fn $name(cx: &mut Cx<'_>, (target, changes): Changes) -> Result<(), GlError> {
            let id = cx.ctx.active_texture(target, cx.share, cx.objects, cx.emission);
            let objects = &mut *cx.objects;
            for change in changes.into_iter().flatten() {
                objects.textures[id].set_param(change, cx.emission, &mut objects.generations);
            }
            Ok(())
        }
    )*};
}
sets! {
    tex_parameteri tex_parameterf tex_parameteriv tex_parameterfv tex_parameter_iiv tex_parameter_iuiv
}

macro_rules! gets {
    ($($name:ident $ty:ty: $put:ident;)*) => {$(
        pub fn $name(_cx: &mut Cx<'_>, (value, out): (Value, *mut $ty)) -> Result<(), GlError> {
            $put(&value, out);
            Ok(())
        }
    )*};
}
gets! {
    get_tex_parameteriv GLint: put_ints;
    get_tex_parameterfv GLfloat: put_floats;
    get_tex_parameter_iiv GLint: put_pure_ints;
    get_tex_parameter_iuiv GLuint: put_pure_uints;
    get_tex_level_parameteriv GLint: put_ints;
    get_tex_level_parameterfv GLfloat: put_floats;
}
