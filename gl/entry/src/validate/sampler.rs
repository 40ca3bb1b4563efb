//! Checks of sampler objects (GL 4.6 §8.2). It must change nothing.

use super::sampler_params::{Given, change, count_of};
use crate::c_memory;
use crate::cx::Cx;
use crate::limits;
use crate::state_values::{Value, sampler_param};
use gl_enums::*;
use gl_state::GlError;
use gl_state::sampler::{SamplerChange, SamplerObjectId};

/// A count of names, and where they are.
pub(super) fn count(n: GLsizei) -> Result<usize, GlError> {
    usize::try_from(n).map_err(|_| GlError::invalid_value("the count is negative"))
}

fn sampler(cx: &Cx<'_>, name: GLuint) -> Result<SamplerObjectId, GlError> {
    // GL 4.6 §8.2: INVALID_OPERATION if sampler is not a name that glGenSamplers returned.
    cx.share
        .samplers
        .get(name)
        .ok_or_else(|| GlError::invalid_operation("sampler is not the name of a sampler"))
}

pub fn gen_samplers(
    _cx: &Cx<'_>,
    n: GLsizei,
    names: *mut GLuint,
) -> Result<(usize, *mut GLuint), GlError> {
    Ok((count(n)?, names))
}

pub fn delete_samplers(
    _cx: &Cx<'_>,
    n: GLsizei,
    names: *const GLuint,
) -> Result<&'static [GLuint], GlError> {
    // SAFETY: glDeleteSamplers reads `n` names.
    Ok(unsafe { c_memory::slice(names, count(n)?) })
}

pub fn bind_sampler(
    cx: &Cx<'_>,
    unit: GLuint,
    name: GLuint,
) -> Result<(usize, SamplerObjectId), GlError> {
    if unit >= limits::combined_texture_units(&cx.ctx.caps) {
        return Err(GlError::invalid_value(
            "unit >= MAX_COMBINED_TEXTURE_IMAGE_UNITS",
        ));
    }
    let id = match name {
        0 => SamplerObjectId::NULL,
        _ => sampler(cx, name)?,
    };
    Ok((unit as usize, id))
}

fn set(
    cx: &Cx<'_>,
    name: GLuint,
    pname: GLenum,
    given: Given<'_>,
) -> Result<(SamplerObjectId, SamplerChange), GlError> {
    let id = sampler(cx, name)?;
    let change = change(cx, None, pname, given)?;
    let change =
        change.ok_or_else(|| GlError::invalid_enum("pname is no parameter of a sampler"))?;
    Ok((id, change))
}

pub fn sampler_parameteri(
    cx: &Cx<'_>,
    name: GLuint,
    pname: GLenum,
    param: GLint,
) -> Result<(SamplerObjectId, SamplerChange), GlError> {
    set(cx, name, pname, Given::Int(&[param]))
}

pub fn sampler_parameterf(
    cx: &Cx<'_>,
    name: GLuint,
    pname: GLenum,
    param: GLfloat,
) -> Result<(SamplerObjectId, SamplerChange), GlError> {
    set(cx, name, pname, Given::Float(&[param]))
}

macro_rules! vectors {
    ($($name:ident ($ty:ty, $given:ident);)*) => {$(
        pub fn $name(cx: &Cx<'_>, name: GLuint, pname: GLenum, params: *const $ty) -> Result<(SamplerObjectId, SamplerChange), GlError> {
            // SAFETY: the command reads as many values as `pname` has.
            let values = unsafe { c_memory::slice(params, count_of(pname)) };
            if values.is_empty() {
                return Err(GlError::invalid_value("params is null"));
            }
            set(cx, name, pname, Given::$given(values))
        }
    )*};
}
vectors! {
    sampler_parameteriv (GLint, Int);
    sampler_parameterfv (GLfloat, Float);
    sampler_parameter_iiv (GLint, PureInt);
    sampler_parameter_iuiv (GLuint, PureUint);
}

macro_rules! gets {
    ($($name:ident $ty:ty;)*) => {$(
        pub fn $name(cx: &Cx<'_>, name: GLuint, pname: GLenum, params: *mut $ty) -> Result<(Value, *mut $ty), GlError> {
            let id = sampler(cx, name)?;
            let value = sampler_param(&cx.objects.samplers[id].params, pname);
            let value = value.ok_or_else(|| GlError::invalid_enum("pname is no parameter of a sampler"))?;
            Ok((value, params))
        }
    )*};
}
gets! {
    get_sampler_parameteriv GLint;
    get_sampler_parameterfv GLfloat;
    get_sampler_parameter_iiv GLint;
    get_sampler_parameter_iuiv GLuint;
}
