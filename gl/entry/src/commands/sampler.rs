//! Sampler objects. The executing side learns of them by content, at the verb.

use super::get::{put_floats, put_ints, put_pure_ints, put_pure_uints};
use crate::c_memory;
use crate::cx::Cx;
use crate::state_values::Value;
use gl_enums::*;
use gl_state::GlError;
use gl_state::sampler::{Sampler, SamplerChange, SamplerObjectId};

pub fn gen_samplers(cx: &mut Cx<'_>, (n, out): (usize, *mut GLuint)) -> Result<(), GlError> {
    let names: Vec<GLuint> = (0..n)
        .map(|_| {
            let name = cx.share.samplers.generate();
            let id = cx.objects.samplers.insert(|id| Sampler::new(id, name));
            cx.share.samplers.assign(name, id);
            name
        })
        .collect();
    // SAFETY: glGenSamplers writes `n` names.
    unsafe { c_memory::write_all(out, &names) };
    Ok(())
}

pub fn delete_samplers(cx: &mut Cx<'_>, names: &[GLuint]) -> Result<(), GlError> {
    // GL 4.6 §8.2: names that are not in use and 0 are silently ignored.
    for &name in names {
        if let Some(id) = cx.share.samplers.remove(name) {
            cx.ctx.unbind_sampler(id, cx.objects);
            cx.objects.samplers[id].name = 0;
            cx.objects.release_sampler(id);
        }
    }
    Ok(())
}

pub fn is_sampler(cx: &mut Cx<'_>, name: GLuint) -> Result<GLboolean, GlError> {
    Ok(cx.share.samplers.get(name).is_some().into())
}

pub fn bind_sampler(cx: &mut Cx<'_>, (unit, id): (usize, SamplerObjectId)) -> Result<(), GlError> {
    cx.ctx.bind_sampler(unit, id, cx.objects);
    Ok(())
}

macro_rules! sets {
    ($($name:ident)*) => {$(
        pub fn $name(cx: &mut Cx<'_>, (id, change): (SamplerObjectId, SamplerChange)) -> Result<(), GlError> {
            let objects = &mut *cx.objects;
            objects.samplers[id].set_param(change, &mut objects.generations);
            Ok(())
        }
    )*};
}
sets! {
    sampler_parameteri sampler_parameterf sampler_parameteriv sampler_parameterfv sampler_parameter_iiv sampler_parameter_iuiv
}

pub fn get_sampler_parameteriv(
    _cx: &mut Cx<'_>,
    (value, out): (Value, *mut GLint),
) -> Result<(), GlError> {
    put_ints(&value, out);
    Ok(())
}

pub fn get_sampler_parameterfv(
    _cx: &mut Cx<'_>,
    (value, out): (Value, *mut GLfloat),
) -> Result<(), GlError> {
    put_floats(&value, out);
    Ok(())
}

pub fn get_sampler_parameter_iiv(
    _cx: &mut Cx<'_>,
    (value, out): (Value, *mut GLint),
) -> Result<(), GlError> {
    put_pure_ints(&value, out);
    Ok(())
}

pub fn get_sampler_parameter_iuiv(
    _cx: &mut Cx<'_>,
    (value, out): (Value, *mut GLuint),
) -> Result<(), GlError> {
    put_pure_uints(&value, out);
    Ok(())
}
