//! Checks of depth and stencil tests (GL 4.6 §17.3.3, §17.3.4). It must change nothing.

use crate::cx::Cx;
use gl_enums::*;
use gl_state::GlError;

/// GL 4.6 §17.3.3: the eight comparisons.
fn comparison(func: GLenum) -> Result<u16, GlError> {
    if !(GL_NEVER..=GL_ALWAYS).contains(&func) {
        return Err(GlError::invalid_enum("func"));
    }
    Ok(func as u16)
}

pub fn depth_func(_: &Cx<'_>, func: GLenum) -> Result<u16, GlError> {
    comparison(func)
}

/// Faces that a command names: front, back.
pub type Faces = [bool; 2];

pub(super) fn faces(face: GLenum) -> Result<Faces, GlError> {
    match face {
        GL_FRONT => Ok([true, false]),
        GL_BACK => Ok([false, true]),
        GL_FRONT_AND_BACK => Ok([true, true]),
        _ => Err(GlError::invalid_enum("face")),
    }
}

/// Checked stencil function.
#[derive(Clone, Copy, Debug)]
pub struct StencilFunc {
    pub faces: Faces,
    pub func: u16,
    pub reference: i32,
    pub mask: u32,
}

pub fn stencil_func(
    _: &Cx<'_>,
    func: GLenum,
    reference: GLint,
    mask: GLuint,
) -> Result<StencilFunc, GlError> {
    Ok(StencilFunc {
        faces: [true; 2],
        func: comparison(func)?,
        reference,
        mask,
    })
}

pub fn stencil_func_separate(
    _: &Cx<'_>,
    face: GLenum,
    func: GLenum,
    reference: GLint,
    mask: GLuint,
) -> Result<StencilFunc, GlError> {
    Ok(StencilFunc {
        faces: faces(face)?,
        func: comparison(func)?,
        reference,
        mask,
    })
}

/// Faces, and what happens on fail, depth fail, pass.
pub type StencilOps = (Faces, [u16; 3]);

fn operations(faces: Faces, ops: [GLenum; 3]) -> Result<StencilOps, GlError> {
    // GL 4.6 §17.3.3: KEEP, ZERO, REPLACE, INCR, DECR, INVERT, INCR_WRAP, DECR_WRAP.
    let known = |op: GLenum| {
        matches!(
            op,
            GL_KEEP
                | GL_ZERO
                | GL_REPLACE
                | GL_INCR
                | GL_DECR
                | GL_INVERT
                | GL_INCR_WRAP
                | GL_DECR_WRAP
        )
    };
    if !ops.into_iter().all(known) {
        return Err(GlError::invalid_enum("stencil operation"));
    }
    Ok((faces, ops.map(|op| op as u16)))
}

pub fn stencil_op(
    _: &Cx<'_>,
    fail: GLenum,
    depth_fail: GLenum,
    pass: GLenum,
) -> Result<StencilOps, GlError> {
    operations([true; 2], [fail, depth_fail, pass])
}

pub fn stencil_op_separate(
    _: &Cx<'_>,
    face: GLenum,
    fail: GLenum,
    depth_fail: GLenum,
    pass: GLenum,
) -> Result<StencilOps, GlError> {
    operations(faces(face)?, [fail, depth_fail, pass])
}

pub fn stencil_mask(_: &Cx<'_>, mask: GLuint) -> Result<(Faces, u32), GlError> {
    Ok(([true; 2], mask))
}

pub fn stencil_mask_separate(
    _: &Cx<'_>,
    face: GLenum,
    mask: GLuint,
) -> Result<(Faces, u32), GlError> {
    Ok((faces(face)?, mask))
}
