//! Checks that every kind of object's names share: counts of glGen and glDelete. It must change nothing.

use crate::c_memory;
use crate::cx::Cx;
use gl_enums::{GLsizei, GLuint};
use gl_state::{GlError, Names, Profile};

/// Where glGen* puts its names.
#[derive(Clone, Copy, Debug)]
pub struct NamesOut {
    pub count: usize,
    pub out: *mut GLuint,
}

/// What a name given to glBind* means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named<H> {
    /// Name 0.
    Zero,
    Object(H),
    /// The first bind makes the object.
    New(GLuint),
}

/// GL 4.6 §2.3.1: "INVALID_VALUE is generated if a negative number is provided where an argument of type sizei is specified".
pub fn count(n: GLsizei) -> Result<usize, GlError> {
    usize::try_from(n).map_err(|_| GlError::invalid_value("n < 0"))
}

/// Arguments of a glGen* or glCreate*.
pub fn generate(n: GLsizei, out: *mut GLuint) -> Result<NamesOut, GlError> {
    Ok(NamesOut {
        count: count(n)?,
        out,
    })
}

/// Arguments of a glDelete*: the names, for the length of the command.
pub fn delete(n: GLsizei, names: *const GLuint) -> Result<&'static [GLuint], GlError> {
    // SAFETY: c_memory's rule: glDelete* reads n names; nothing keeps the slice beyond the command.
    Ok(unsafe { c_memory::slice(names, count(n)?) })
}

/// What `name` means in a table. GL 4.6 §5.1.1 and the compatibility profile: there an application may make names up.
pub fn lookup<H: Copy>(
    cx: &Cx<'_>,
    names: &Names<H>,
    name: GLuint,
    missing: &'static str,
) -> Result<Named<H>, GlError> {
    if name == 0 {
        return Ok(Named::Zero);
    }
    match names.get(name) {
        Some(handle) => Ok(Named::Object(handle)),
        None if names.is_taken(name) || cx.ctx.profile == Profile::Compatibility => {
            Ok(Named::New(name))
        }
        None => Err(GlError::invalid_operation(missing)),
    }
}
