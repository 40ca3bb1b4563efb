//! Checks of glGet and of strings (GL 4.6 §22.1, §22.2). It must change nothing.

use crate::cx::Cx;
use crate::extensions::advertised;
use crate::state_values::{NoValue, Value, indexed, value};
use gl_enums::*;
use gl_state::{GlError, Profile};

fn known(cx: &Cx<'_>, pname: GLenum) -> Result<Value, GlError> {
    value(cx, pname).ok_or_else(|| {
        let name = enum_name(pname).map_or_else(|| format!("{pname:#06X}"), str::to_owned);
        GlError::with(
            GL_INVALID_ENUM,
            format!("pname {name} is no parameter of this context"),
        )
    })
}

fn known_indexed(cx: &Cx<'_>, pname: GLenum, index: GLuint) -> Result<Value, GlError> {
    indexed(cx, pname, index).map_err(|why| match why {
        NoValue::Parameter => GlError::invalid_enum("target is no indexed parameter"),
        NoValue::Index => GlError::invalid_value("index is too large for target"),
    })
}

/// The command's value and where it goes.
macro_rules! gets {
    ($($name:ident $indexed:ident $ty:ty;)*) => {$(
        pub fn $name(cx: &Cx<'_>, pname: GLenum, params: *mut $ty) -> Result<(Value, *mut $ty), GlError> {
            Ok((known(cx, pname)?, params))
        }

        pub fn $indexed(cx: &Cx<'_>, target: GLenum, index: GLuint, params: *mut $ty) -> Result<(Value, *mut $ty), GlError> {
            Ok((known_indexed(cx, target, index)?, params))
        }
    )*};
}
gets! {
    get_booleanv get_booleani_v GLboolean;
    get_integerv get_integeri_v GLint;
    get_integer64v get_integer64i_v GLint64;
    get_floatv get_floati_v GLfloat;
    get_doublev get_doublei_v GLdouble;
}

pub fn get_string(cx: &Cx<'_>, name: GLenum) -> Result<GLenum, GlError> {
    match name {
        GL_VENDOR | GL_RENDERER | GL_VERSION | GL_SHADING_LANGUAGE_VERSION => Ok(name),
        // GL 4.6 §22.2: core profiles have indexed strings only.
        GL_EXTENSIONS if cx.ctx.profile == Profile::Compatibility => Ok(name),
        _ => Err(GlError::invalid_enum("name is no string")),
    }
}

pub fn get_stringi(cx: &Cx<'_>, name: GLenum, index: GLuint) -> Result<&'static str, GlError> {
    if name != GL_EXTENSIONS {
        return Err(GlError::invalid_enum("name is not EXTENSIONS"));
    }
    advertised(cx.ctx)
        .nth(index as usize)
        .ok_or_else(|| GlError::invalid_value("index >= NUM_EXTENSIONS"))
}
