//! Checks of shader objects: creation, source, compilation, queries (GL 4.6 §7.1, §7.2). It must change nothing.

use crate::c_memory;
use crate::cx::Cx;
use gl_enums::*;
use gl_state::GlError;
use gl_state::program::{ShaderObjectId, ShaderOrProgram};
use pipe::program::Stage;

/// The shader object that `name` names.
pub(super) fn shader(cx: &Cx<'_>, name: GLuint) -> Result<ShaderObjectId, GlError> {
    match cx.share.shaders_and_programs.get(name) {
        Some(ShaderOrProgram::Shader(id)) => Ok(id),
        // GL 4.6 §7.1: INVALID_OPERATION for the name of a program, INVALID_VALUE for a name that was never returned.
        Some(ShaderOrProgram::Program(_)) => Err(GlError::invalid_operation(
            "shader is the name of a program",
        )),
        None => Err(GlError::invalid_value("shader is not the name of a shader")),
    }
}

pub fn create_shader(cx: &Cx<'_>, ty: GLenum) -> Result<Stage, GlError> {
    let version = cx.ctx.version;
    // GL 4.6 §7.1: INVALID_ENUM if type is not in table 7.1, which grew with 4.0 and 4.3.
    match ty {
        GL_VERTEX_SHADER => Ok(Stage::Vertex),
        GL_FRAGMENT_SHADER => Ok(Stage::Fragment),
        GL_GEOMETRY_SHADER => Ok(Stage::Geometry),
        GL_TESS_CONTROL_SHADER if version >= (4, 0) => Ok(Stage::TessControl),
        GL_TESS_EVALUATION_SHADER if version >= (4, 0) => Ok(Stage::TessEval),
        GL_COMPUTE_SHADER if version >= (4, 3) => Ok(Stage::Compute),
        _ => Err(GlError::invalid_enum("type is no shader type")),
    }
}

pub fn shader_source(
    cx: &Cx<'_>,
    name: GLuint,
    count: GLsizei,
    strings: *const *const GLchar,
    lengths: *const GLint,
) -> Result<(ShaderObjectId, String), GlError> {
    let id = shader(cx, name)?;
    let count = usize::try_from(count).map_err(|_| GlError::invalid_value("count is negative"))?;
    // SAFETY: glShaderSource reads `count` pointers.
    let strings = unsafe { c_memory::slice(strings, count) };
    // SAFETY: glShaderSource reads `count` lengths, or none through a null pointer.
    let lengths = unsafe { c_memory::slice(lengths, count) };
    let mut source = String::new();
    for (i, &string) in strings.iter().enumerate() {
        let length = lengths.get(i).copied().unwrap_or(-1);
        // SAFETY: a string of that length, or terminated where it is negative or absent (GL 4.6 §7.1).
        source.push_str(&unsafe { c_memory::string(string, i64::from(length)) });
    }
    Ok((id, source))
}

pub fn compile_shader(cx: &Cx<'_>, name: GLuint) -> Result<ShaderObjectId, GlError> {
    shader(cx, name)
}

pub fn delete_shader(cx: &Cx<'_>, name: GLuint) -> Result<Option<ShaderObjectId>, GlError> {
    // GL 4.6 §7.1: 0 is silently ignored.
    if name == 0 {
        return Ok(None);
    }
    shader(cx, name).map(Some)
}

pub fn get_shaderiv(
    cx: &Cx<'_>,
    name: GLuint,
    pname: GLenum,
    params: *mut GLint,
) -> Result<(ShaderObjectId, GLenum, *mut GLint), GlError> {
    let id = shader(cx, name)?;
    match pname {
        GL_SHADER_TYPE
        | GL_DELETE_STATUS
        | GL_COMPILE_STATUS
        | GL_INFO_LOG_LENGTH
        | GL_SHADER_SOURCE_LENGTH => Ok((id, pname, params)),
        _ => Err(GlError::invalid_enum("pname is no parameter of a shader")),
    }
}

/// A string answer: how much room, where its length goes, where its bytes go.
pub type TextOut = (GLsizei, *mut GLsizei, *mut GLchar);

/// GL 4.6 §7.14: INVALID_VALUE if bufSize is negative.
pub(super) fn text_out(
    buf_size: GLsizei,
    length: *mut GLsizei,
    out: *mut GLchar,
) -> Result<TextOut, GlError> {
    if buf_size < 0 {
        return Err(GlError::invalid_value("bufSize is negative"));
    }
    Ok((buf_size, length, out))
}

pub fn get_shader_info_log(
    cx: &Cx<'_>,
    name: GLuint,
    buf_size: GLsizei,
    length: *mut GLsizei,
    out: *mut GLchar,
) -> Result<(ShaderObjectId, TextOut), GlError> {
    Ok((shader(cx, name)?, text_out(buf_size, length, out)?))
}

pub fn get_shader_source(
    cx: &Cx<'_>,
    name: GLuint,
    buf_size: GLsizei,
    length: *mut GLsizei,
    out: *mut GLchar,
) -> Result<(ShaderObjectId, TextOut), GlError> {
    Ok((shader(cx, name)?, text_out(buf_size, length, out)?))
}

/// Range and precision as GetShaderPrecisionFormat answers them.
pub type PrecisionOut = ([GLint; 2], GLint, *mut GLint, *mut GLint);

pub fn get_shader_precision_format(
    _cx: &Cx<'_>,
    shader_type: GLenum,
    precision_type: GLenum,
    range: *mut GLint,
    precision: *mut GLint,
) -> Result<PrecisionOut, GlError> {
    if !matches!(shader_type, GL_VERTEX_SHADER | GL_FRAGMENT_SHADER) {
        return Err(GlError::invalid_enum(
            "shadertype is neither VERTEX_SHADER nor FRAGMENT_SHADER",
        ));
    }
    // GL 4.6 §7.14: logarithms of the range, and of the precision; desktop shaders compute all precisions alike.
    match precision_type {
        GL_LOW_FLOAT | GL_MEDIUM_FLOAT | GL_HIGH_FLOAT => Ok(([127, 127], 23, range, precision)),
        GL_LOW_INT | GL_MEDIUM_INT | GL_HIGH_INT => Ok(([31, 30], 0, range, precision)),
        _ => Err(GlError::invalid_enum("precisiontype is no precision")),
    }
}

/// Never succeeds: GL_NUM_SHADER_BINARY_FORMATS is 0.
pub fn shader_binary(
    cx: &Cx<'_>,
    count: GLsizei,
    shaders: *const GLuint,
    _format: GLenum,
    _binary: *const std::ffi::c_void,
    length: GLsizei,
) -> Result<std::convert::Infallible, GlError> {
    if count < 0 || length < 0 {
        return Err(GlError::invalid_value("count or length is negative"));
    }
    // SAFETY: glShaderBinary reads `count` names.
    for &name in unsafe { c_memory::slice(shaders, count as usize) } {
        shader(cx, name)?;
    }
    // GL 4.6 §7.2: INVALID_ENUM if binaryformat is not supported; none is.
    Err(GlError::invalid_enum("binaryformat is not supported"))
}
