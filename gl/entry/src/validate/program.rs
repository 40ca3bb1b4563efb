//! Checks of program objects: attaching, linking, use, bindings before the link (GL 4.6 §7.3, §11.1.1, §15.2.3). It must change nothing.

use super::shader::{TextOut, shader, text_out};
use crate::c_memory;
use crate::cx::Cx;
use crate::limits;
use crate::program_binary;
use gl_enums::*;
use gl_state::GlError;
use gl_state::program::{Executable, ProgramId, ShaderObjectId, ShaderOrProgram};
use std::ffi::c_void;

/// The program object that `name` names.
pub(super) fn program(cx: &Cx<'_>, name: GLuint) -> Result<ProgramId, GlError> {
    match cx.share.shaders_and_programs.get(name) {
        Some(ShaderOrProgram::Program(id)) => Ok(id),
        // GL 4.6 §7.3: INVALID_OPERATION for the name of a shader, INVALID_VALUE for a name that was never returned.
        Some(ShaderOrProgram::Shader(_)) => Err(GlError::invalid_operation(
            "program is the name of a shader",
        )),
        None => Err(GlError::invalid_value(
            "program is not the name of a program",
        )),
    }
}

/// A program whose last link succeeded, with its executable.
pub(super) fn linked<'a>(
    cx: &'a Cx<'_>,
    name: GLuint,
) -> Result<(ProgramId, &'a Executable), GlError> {
    let id = program(cx, name)?;
    let executable = cx.objects.programs[id].linked();
    executable
        .map(|executable| (id, executable))
        .ok_or_else(|| GlError::invalid_operation("program was not linked successfully"))
}

pub fn attach_shader(
    cx: &Cx<'_>,
    program_name: GLuint,
    shader_name: GLuint,
) -> Result<(ProgramId, ShaderObjectId), GlError> {
    let (program, shader) = (program(cx, program_name)?, shader(cx, shader_name)?);
    // GL 4.6 §7.3: INVALID_OPERATION if shader is already attached to program.
    if cx.objects.programs[program].attached.contains(&shader) {
        return Err(GlError::invalid_operation("shader is attached already"));
    }
    Ok((program, shader))
}

pub fn detach_shader(
    cx: &Cx<'_>,
    program_name: GLuint,
    shader_name: GLuint,
) -> Result<(ProgramId, ShaderObjectId), GlError> {
    let (program, shader) = (program(cx, program_name)?, shader(cx, shader_name)?);
    if !cx.objects.programs[program].attached.contains(&shader) {
        return Err(GlError::invalid_operation("shader is not attached"));
    }
    Ok((program, shader))
}

/// Program, room, and where the count and the names go.
pub type AttachedOut = (ProgramId, GLsizei, *mut GLsizei, *mut GLuint);

pub fn get_attached_shaders(
    cx: &Cx<'_>,
    name: GLuint,
    max_count: GLsizei,
    count: *mut GLsizei,
    shaders: *mut GLuint,
) -> Result<AttachedOut, GlError> {
    let id = program(cx, name)?;
    if max_count < 0 {
        return Err(GlError::invalid_value("maxCount is negative"));
    }
    Ok((id, max_count, count, shaders))
}

pub fn link_program(cx: &Cx<'_>, name: GLuint) -> Result<ProgramId, GlError> {
    program(cx, name)
}

pub fn validate_program(cx: &Cx<'_>, name: GLuint) -> Result<ProgramId, GlError> {
    program(cx, name)
}

/// `NULL` for 0.
pub fn use_program(cx: &Cx<'_>, name: GLuint) -> Result<ProgramId, GlError> {
    // GL 4.6 §13.3.2: INVALID_OPERATION while transform feedback is active and not paused.
    if cx.ctx.capture.is_some_and(|capture| !capture.paused) {
        return Err(GlError::invalid_operation("transform feedback is active"));
    }
    if name == 0 {
        return Ok(ProgramId::NULL);
    }
    linked(cx, name).map(|(id, _)| id)
}

pub fn delete_program(cx: &Cx<'_>, name: GLuint) -> Result<Option<ProgramId>, GlError> {
    if name == 0 {
        return Ok(None);
    }
    program(cx, name).map(Some)
}

pub fn get_programiv(
    cx: &Cx<'_>,
    name: GLuint,
    pname: GLenum,
    params: *mut GLint,
) -> Result<(ProgramId, GLenum, *mut GLint), GlError> {
    let id = program(cx, name)?;
    let version = cx.ctx.version;
    let executable = cx.objects.programs[id].linked();
    match pname {
        GL_DELETE_STATUS
        | GL_LINK_STATUS
        | GL_VALIDATE_STATUS
        | GL_INFO_LOG_LENGTH
        | GL_ATTACHED_SHADERS
        | GL_ACTIVE_ATTRIBUTES
        | GL_ACTIVE_ATTRIBUTE_MAX_LENGTH
        | GL_ACTIVE_UNIFORMS
        | GL_ACTIVE_UNIFORM_MAX_LENGTH
        | GL_ACTIVE_UNIFORM_BLOCKS
        | GL_ACTIVE_UNIFORM_BLOCK_MAX_NAME_LENGTH
        | GL_TRANSFORM_FEEDBACK_BUFFER_MODE
        | GL_TRANSFORM_FEEDBACK_VARYINGS
        | GL_TRANSFORM_FEEDBACK_VARYING_MAX_LENGTH
        | GL_PROGRAM_BINARY_RETRIEVABLE_HINT
        | GL_PROGRAM_BINARY_LENGTH
        | GL_PROGRAM_SEPARABLE
        | GL_ACTIVE_ATOMIC_COUNTER_BUFFERS => {}
        // GL 4.6 §7.14: INVALID_OPERATION if the program was not linked, or has no stage of that kind.
        GL_GEOMETRY_VERTICES_OUT | GL_GEOMETRY_INPUT_TYPE | GL_GEOMETRY_OUTPUT_TYPE => {
            if executable.is_none_or(|e| e.artifact.geometry.is_none()) {
                return Err(GlError::invalid_operation(
                    "program is not linked or has no geometry shader",
                ));
            }
        }
        GL_GEOMETRY_SHADER_INVOCATIONS if version >= (4, 0) => {
            if executable.is_none_or(|e| e.artifact.geometry.is_none()) {
                return Err(GlError::invalid_operation(
                    "program is not linked or has no geometry shader",
                ));
            }
        }
        GL_TESS_CONTROL_OUTPUT_VERTICES
        | GL_TESS_GEN_MODE
        | GL_TESS_GEN_SPACING
        | GL_TESS_GEN_VERTEX_ORDER
        | GL_TESS_GEN_POINT_MODE
            if version >= (4, 0) =>
        {
            if executable.is_none_or(|e| e.artifact.tess.is_none()) {
                return Err(GlError::invalid_operation(
                    "program is not linked or does not tessellate",
                ));
            }
        }
        GL_COMPUTE_WORK_GROUP_SIZE if version >= (4, 3) => {
            if executable.is_none_or(|e| e.artifact.local_size.is_none()) {
                return Err(GlError::invalid_operation(
                    "program is not linked or has no compute shader",
                ));
            }
        }
        _ => return Err(GlError::invalid_enum("pname is no parameter of a program")),
    }
    Ok((id, pname, params))
}

pub fn get_program_info_log(
    cx: &Cx<'_>,
    name: GLuint,
    buf_size: GLsizei,
    length: *mut GLsizei,
    out: *mut GLchar,
) -> Result<(ProgramId, TextOut), GlError> {
    Ok((program(cx, name)?, text_out(buf_size, length, out)?))
}

/// GL 4.6 §11.1.1 and §15.2.3: names that begin with `gl_` are reserved.
fn user_name(name: *const GLchar) -> Result<String, GlError> {
    // SAFETY: the command reads a terminated string.
    let name = unsafe { c_memory::string(name, -1) };
    if name.starts_with("gl_") {
        return Err(GlError::invalid_operation("name begins with gl_"));
    }
    Ok(name)
}

pub fn bind_attrib_location(
    cx: &Cx<'_>,
    program_name: GLuint,
    index: GLuint,
    name: *const GLchar,
) -> Result<(ProgramId, u32, String), GlError> {
    let id = program(cx, program_name)?;
    if index as usize >= pipe::MAX_VERTEX_ATTRIBS {
        return Err(GlError::invalid_value("index >= MAX_VERTEX_ATTRIBS"));
    }
    Ok((id, index, user_name(name)?))
}

pub fn bind_frag_data_location(
    cx: &Cx<'_>,
    program_name: GLuint,
    color: GLuint,
    name: *const GLchar,
) -> Result<(ProgramId, u32, u32, String), GlError> {
    bind_frag_data_location_indexed(cx, program_name, color, 0, name)
}

pub fn bind_frag_data_location_indexed(
    cx: &Cx<'_>,
    program_name: GLuint,
    color: GLuint,
    index: GLuint,
    name: *const GLchar,
) -> Result<(ProgramId, u32, u32, String), GlError> {
    let id = program(cx, program_name)?;
    if index > 1 {
        return Err(GlError::invalid_value("index > 1"));
    }
    let caps = &cx.ctx.caps;
    if index == 0 && color >= limits::draw_buffers(caps) {
        return Err(GlError::invalid_value("colorNumber >= MAX_DRAW_BUFFERS"));
    }
    if index == 1 && color >= caps.limits.max_dual_source_draw_buffers {
        return Err(GlError::invalid_value(
            "colorNumber >= MAX_DUAL_SOURCE_DRAW_BUFFERS",
        ));
    }
    Ok((id, color, index, user_name(name)?))
}

pub fn transform_feedback_varyings(
    cx: &Cx<'_>,
    program_name: GLuint,
    count: GLsizei,
    names: *const *const GLchar,
    mode: GLenum,
) -> Result<(ProgramId, Vec<String>, bool), GlError> {
    let id = program(cx, program_name)?;
    let count = usize::try_from(count).map_err(|_| GlError::invalid_value("count is negative"))?;
    let separate = match mode {
        GL_INTERLEAVED_ATTRIBS => false,
        GL_SEPARATE_ATTRIBS => true,
        _ => return Err(GlError::invalid_enum("bufferMode is no buffer mode")),
    };
    // GL 4.6 §11.1.2.1.
    if separate && count > pipe::MAX_STREAM_OUTPUTS {
        return Err(GlError::invalid_value(
            "count > MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS",
        ));
    }
    // SAFETY: the command reads `count` pointers ...
    let names = unsafe { c_memory::slice(names, count) };
    let names: Vec<String> = names
        .iter()
        // SAFETY: ... to terminated strings.
        .map(|&name| unsafe { c_memory::string(name, -1) })
        .collect();
    let special = |name: &String| name == "gl_NextBuffer" || name.starts_with("gl_SkipComponents");
    if separate && names.iter().any(special) {
        return Err(GlError::invalid_operation(
            "gl_NextBuffer or gl_SkipComponents with SEPARATE_ATTRIBS",
        ));
    }
    let buffers = 1 + names.iter().filter(|name| *name == "gl_NextBuffer").count();
    if buffers > pipe::MAX_STREAM_OUTPUTS {
        return Err(GlError::invalid_operation(
            "more buffers than MAX_TRANSFORM_FEEDBACK_BUFFERS",
        ));
    }
    Ok((id, names, separate))
}

pub fn program_parameteri(
    cx: &Cx<'_>,
    name: GLuint,
    pname: GLenum,
    value: GLint,
) -> Result<(ProgramId, GLenum, bool), GlError> {
    let id = program(cx, name)?;
    if !matches!(
        pname,
        GL_PROGRAM_SEPARABLE | GL_PROGRAM_BINARY_RETRIEVABLE_HINT
    ) {
        return Err(GlError::invalid_enum("pname is no settable parameter"));
    }
    match value {
        0 => Ok((id, pname, false)),
        1 => Ok((id, pname, true)),
        _ => Err(GlError::invalid_value("value is neither TRUE nor FALSE")),
    }
}

/// The binary, and where its length, its format and itself go.
pub struct BinaryOut {
    pub binary: Vec<u8>,
    pub length: *mut GLsizei,
    pub format: *mut GLenum,
    pub out: *mut c_void,
}

/// GL 4.6 §7.5.
pub fn get_program_binary(
    cx: &Cx<'_>,
    name: GLuint,
    buf_size: GLsizei,
    length: *mut GLsizei,
    format: *mut GLenum,
    out: *mut c_void,
) -> Result<BinaryOut, GlError> {
    // INVALID_OPERATION if LINK_STATUS is FALSE.
    let (_, executable) = linked(cx, name)?;
    let room =
        usize::try_from(buf_size).map_err(|_| GlError::invalid_value("bufSize is negative"))?;
    let binary = program_binary::of(&executable.artifact, &cx.ctx.caps);
    if room < binary.len() {
        return Err(GlError::invalid_operation(
            "bufSize is less than PROGRAM_BINARY_LENGTH",
        ));
    }
    Ok(BinaryOut {
        binary,
        length,
        format,
        out,
    })
}

/// GL 4.6 §7.5: what cannot be loaded is no error but a link that fails.
pub fn program_binary(
    cx: &Cx<'_>,
    name: GLuint,
    format: GLenum,
    binary: *const c_void,
    length: GLsizei,
) -> Result<(ProgramId, Vec<u8>), GlError> {
    let id = program(cx, name)?;
    let length =
        usize::try_from(length).map_err(|_| GlError::invalid_value("length is negative"))?;
    if format != program_binary::FORMAT {
        return Err(GlError::invalid_enum("binaryFormat is not supported"));
    }
    // SAFETY: glProgramBinary reads `length` bytes.
    let binary = unsafe { c_memory::slice(binary.cast::<u8>(), length) };
    Ok((id, binary.to_vec()))
}
