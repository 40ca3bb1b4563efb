//! Checks of patch parameters (GL 4.6 §10.1.15). It must change nothing.

use crate::c_memory;
use crate::cx::Cx;
use gl_enums::*;
use gl_state::GlError;

/// GL_MAX_PATCH_VERTICES (GL 4.6 table 23.58: at least 32).
pub const MAX_PATCH_VERTICES: u32 = 32;

pub fn patch_parameteri(_: &Cx<'_>, pname: GLenum, value: GLint) -> Result<u32, GlError> {
    if pname != GL_PATCH_VERTICES {
        return Err(GlError::invalid_enum("pname"));
    }
    // GL 4.6 §10.1.15: INVALID_VALUE if value is not positive or greater than MAX_PATCH_VERTICES.
    u32::try_from(value)
        .ok()
        .filter(|n| (1..=MAX_PATCH_VERTICES).contains(n))
        .ok_or(GlError::invalid_value("value"))
}

/// Default levels.
#[derive(Clone, Copy, Debug)]
pub enum PatchLevels {
    Outer([f32; 4]),
    Inner([f32; 2]),
}

pub fn patch_parameterfv(
    _: &Cx<'_>,
    pname: GLenum,
    values: *const GLfloat,
) -> Result<PatchLevels, GlError> {
    let count = match pname {
        GL_PATCH_DEFAULT_OUTER_LEVEL => 4,
        GL_PATCH_DEFAULT_INNER_LEVEL => 2,
        _ => return Err(GlError::invalid_enum("pname")),
    };
    // SAFETY: c_memory's rule: four outer levels, two inner ones.
    let v = unsafe { c_memory::slice(values, count) };
    match *v {
        [a, b, c, d] => Ok(PatchLevels::Outer([a, b, c, d])),
        [a, b] => Ok(PatchLevels::Inner([a, b])),
        _ => Err(GlError::invalid_value("values is null")),
    }
}
