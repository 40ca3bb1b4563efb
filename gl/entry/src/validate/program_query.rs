//! Checks of what programs answer about themselves: active variables, blocks, program interfaces (GL 4.6 §7.3.1, §7.6). It must change nothing.

use super::program::{linked, program};
use super::shader::{TextOut, text_out};
use crate::c_memory;
use crate::cx::Cx;
use crate::reflection::{Interface, is_property, property};
use gl_enums::*;
use gl_state::GlError;
use gl_state::program::ProgramId;

/// A terminated string that a query takes.
fn name_argument(name: *const GLchar) -> String {
    // SAFETY: the command reads a terminated string.
    unsafe { c_memory::string(name, -1) }
}

/// How many resources of an interface are active; none without a successful link.
fn active(cx: &Cx<'_>, id: ProgramId, interface: Interface) -> usize {
    let executable = cx.objects.programs[id].linked();
    executable.map_or(0, |e| interface.count(&e.artifact))
}

fn checked_index(
    cx: &Cx<'_>,
    id: ProgramId,
    interface: Interface,
    index: GLuint,
) -> Result<usize, GlError> {
    // GL 4.6 §7.3.1.1: INVALID_VALUE if index is not that of an active resource.
    if index as usize >= active(cx, id, interface) {
        return Err(GlError::invalid_value("index >= active resources"));
    }
    Ok(index as usize)
}

fn location_query(
    cx: &Cx<'_>,
    name: GLuint,
    of: *const GLchar,
) -> Result<(ProgramId, String), GlError> {
    // GL 4.6 §7.3.1.1: INVALID_OPERATION if program was not linked successfully.
    Ok((linked(cx, name)?.0, name_argument(of)))
}

pub fn get_attrib_location(
    cx: &Cx<'_>,
    program: GLuint,
    name: *const GLchar,
) -> Result<(ProgramId, String), GlError> {
    location_query(cx, program, name)
}

pub fn get_uniform_location(
    cx: &Cx<'_>,
    program: GLuint,
    name: *const GLchar,
) -> Result<(ProgramId, String), GlError> {
    location_query(cx, program, name)
}

pub fn get_frag_data_location(
    cx: &Cx<'_>,
    program: GLuint,
    name: *const GLchar,
) -> Result<(ProgramId, String), GlError> {
    location_query(cx, program, name)
}

pub fn get_frag_data_index(
    cx: &Cx<'_>,
    program: GLuint,
    name: *const GLchar,
) -> Result<(ProgramId, String), GlError> {
    location_query(cx, program, name)
}

/// An active variable, and where name, size and type go.
pub type ActiveOut = (ProgramId, usize, TextOut, *mut GLint, *mut GLenum);

fn active_variable(
    cx: &Cx<'_>,
    interface: Interface,
    name: GLuint,
    index: GLuint,
    text: Result<TextOut, GlError>,
    size: *mut GLint,
    ty: *mut GLenum,
) -> Result<ActiveOut, GlError> {
    let id = program(cx, name)?;
    let index = checked_index(cx, id, interface, index)?;
    Ok((id, index, text?, size, ty))
}

pub fn get_active_attrib(
    cx: &Cx<'_>,
    name: GLuint,
    index: GLuint,
    buf_size: GLsizei,
    length: *mut GLsizei,
    size: *mut GLint,
    ty: *mut GLenum,
    out: *mut GLchar,
) -> Result<ActiveOut, GlError> {
    let text = text_out(buf_size, length, out);
    active_variable(cx, Interface::ProgramInput, name, index, text, size, ty)
}

pub fn get_active_uniform(
    cx: &Cx<'_>,
    name: GLuint,
    index: GLuint,
    buf_size: GLsizei,
    length: *mut GLsizei,
    size: *mut GLint,
    ty: *mut GLenum,
    out: *mut GLchar,
) -> Result<ActiveOut, GlError> {
    let text = text_out(buf_size, length, out);
    active_variable(cx, Interface::Uniform, name, index, text, size, ty)
}

pub fn get_transform_feedback_varying(
    cx: &Cx<'_>,
    name: GLuint,
    index: GLuint,
    buf_size: GLsizei,
    length: *mut GLsizei,
    size: *mut GLsizei,
    ty: *mut GLenum,
    out: *mut GLchar,
) -> Result<ActiveOut, GlError> {
    let text = text_out(buf_size, length, out);
    let interface = Interface::TransformFeedbackVarying;
    active_variable(cx, interface, name, index, text, size, ty)
}

pub fn get_active_uniform_name(
    cx: &Cx<'_>,
    name: GLuint,
    index: GLuint,
    buf_size: GLsizei,
    length: *mut GLsizei,
    out: *mut GLchar,
) -> Result<(ProgramId, Interface, usize, TextOut), GlError> {
    let id = program(cx, name)?;
    let index = checked_index(cx, id, Interface::Uniform, index)?;
    Ok((
        id,
        Interface::Uniform,
        index,
        text_out(buf_size, length, out)?,
    ))
}

pub fn get_active_uniform_block_name(
    cx: &Cx<'_>,
    name: GLuint,
    index: GLuint,
    buf_size: GLsizei,
    length: *mut GLsizei,
    out: *mut GLchar,
) -> Result<(ProgramId, Interface, usize, TextOut), GlError> {
    let id = program(cx, name)?;
    let interface = Interface::UniformBlock;
    let index = checked_index(cx, id, interface, index)?;
    Ok((id, interface, index, text_out(buf_size, length, out)?))
}

pub fn get_program_resource_name(
    cx: &Cx<'_>,
    name: GLuint,
    interface: GLenum,
    index: GLuint,
    buf_size: GLsizei,
    length: *mut GLsizei,
    out: *mut GLchar,
) -> Result<(ProgramId, Interface, usize, TextOut), GlError> {
    let id = program(cx, name)?;
    let interface = named_interface(interface)?;
    let index = checked_index(cx, id, interface, index)?;
    Ok((id, interface, index, text_out(buf_size, length, out)?))
}

fn any_interface(interface: GLenum) -> Result<Interface, GlError> {
    Interface::from_gl(interface)
        .ok_or_else(|| GlError::invalid_enum("programInterface is no program interface"))
}

fn named_interface(interface: GLenum) -> Result<Interface, GlError> {
    let interface = any_interface(interface)?;
    // GL 4.6 §7.3.1.1: INVALID_ENUM for interfaces whose resources have no names.
    if !interface.has_names() {
        return Err(GlError::invalid_enum(
            "resources of programInterface have no names",
        ));
    }
    Ok(interface)
}

/// Program, indices, property, and where the answers go.
pub type UniformsOut = (ProgramId, &'static [GLuint], GLenum, *mut GLint);

pub fn get_active_uniformsiv(
    cx: &Cx<'_>,
    name: GLuint,
    count: GLsizei,
    indices: *const GLuint,
    pname: GLenum,
    params: *mut GLint,
) -> Result<UniformsOut, GlError> {
    let id = program(cx, name)?;
    let count =
        usize::try_from(count).map_err(|_| GlError::invalid_value("uniformCount is negative"))?;
    // GL 4.6 table 7.6, as properties of program resources.
    let property = match pname {
        GL_UNIFORM_TYPE => GL_TYPE,
        GL_UNIFORM_SIZE => GL_ARRAY_SIZE,
        GL_UNIFORM_NAME_LENGTH => GL_NAME_LENGTH,
        GL_UNIFORM_BLOCK_INDEX => GL_BLOCK_INDEX,
        GL_UNIFORM_OFFSET => GL_OFFSET,
        GL_UNIFORM_ARRAY_STRIDE => GL_ARRAY_STRIDE,
        GL_UNIFORM_MATRIX_STRIDE => GL_MATRIX_STRIDE,
        GL_UNIFORM_IS_ROW_MAJOR => GL_IS_ROW_MAJOR,
        GL_UNIFORM_ATOMIC_COUNTER_BUFFER_INDEX => GL_ATOMIC_COUNTER_BUFFER_INDEX,
        _ => return Err(GlError::invalid_enum("pname is no parameter of a uniform")),
    };
    // SAFETY: glGetActiveUniformsiv reads `uniformCount` indices.
    let indices = unsafe { c_memory::slice(indices, count) };
    for &index in indices {
        checked_index(cx, id, Interface::Uniform, index)?;
    }
    Ok((id, indices, property, params))
}

/// Program, names, and where their indices go.
pub type IndicesOut = (ProgramId, Vec<String>, *mut GLuint);

pub fn get_uniform_indices(
    cx: &Cx<'_>,
    name: GLuint,
    count: GLsizei,
    names: *const *const GLchar,
    indices: *mut GLuint,
) -> Result<IndicesOut, GlError> {
    let id = program(cx, name)?;
    let count =
        usize::try_from(count).map_err(|_| GlError::invalid_value("uniformCount is negative"))?;
    // SAFETY: glGetUniformIndices reads `uniformCount` pointers to terminated strings.
    let names = unsafe { c_memory::slice(names, count) };
    let names = names.iter().map(|&name| name_argument(name)).collect();
    Ok((id, names, indices))
}

pub fn get_uniform_block_index(
    cx: &Cx<'_>,
    name: GLuint,
    block: *const GLchar,
) -> Result<(ProgramId, Interface, String), GlError> {
    let id = program(cx, name)?;
    Ok((id, Interface::UniformBlock, name_argument(block)))
}

pub fn get_program_resource_index(
    cx: &Cx<'_>,
    name: GLuint,
    interface: GLenum,
    resource: *const GLchar,
) -> Result<(ProgramId, Interface, String), GlError> {
    let id = program(cx, name)?;
    Ok((id, named_interface(interface)?, name_argument(resource)))
}

/// Program, block, property, and where the answer goes.
pub type BlockOut = (ProgramId, usize, GLenum, *mut GLint);

pub fn get_active_uniform_blockiv(
    cx: &Cx<'_>,
    name: GLuint,
    index: GLuint,
    pname: GLenum,
    params: *mut GLint,
) -> Result<BlockOut, GlError> {
    let id = program(cx, name)?;
    let index = checked_index(cx, id, Interface::UniformBlock, index)?;
    // GL 4.6 table 7.7, as properties of program resources.
    let property = match pname {
        GL_UNIFORM_BLOCK_BINDING => GL_BUFFER_BINDING,
        GL_UNIFORM_BLOCK_DATA_SIZE => GL_BUFFER_DATA_SIZE,
        GL_UNIFORM_BLOCK_NAME_LENGTH => GL_NAME_LENGTH,
        GL_UNIFORM_BLOCK_ACTIVE_UNIFORMS => GL_NUM_ACTIVE_VARIABLES,
        GL_UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES => GL_ACTIVE_VARIABLES,
        GL_UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER => GL_REFERENCED_BY_VERTEX_SHADER,
        GL_UNIFORM_BLOCK_REFERENCED_BY_TESS_CONTROL_SHADER => GL_REFERENCED_BY_TESS_CONTROL_SHADER,
        GL_UNIFORM_BLOCK_REFERENCED_BY_TESS_EVALUATION_SHADER => {
            GL_REFERENCED_BY_TESS_EVALUATION_SHADER
        }
        GL_UNIFORM_BLOCK_REFERENCED_BY_GEOMETRY_SHADER => GL_REFERENCED_BY_GEOMETRY_SHADER,
        GL_UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER => GL_REFERENCED_BY_FRAGMENT_SHADER,
        GL_UNIFORM_BLOCK_REFERENCED_BY_COMPUTE_SHADER => GL_REFERENCED_BY_COMPUTE_SHADER,
        _ => {
            return Err(GlError::invalid_enum(
                "pname is no parameter of a uniform block",
            ));
        }
    };
    Ok((id, index, property, params))
}

pub fn uniform_block_binding(
    cx: &Cx<'_>,
    name: GLuint,
    block: GLuint,
    binding: GLuint,
) -> Result<(ProgramId, u32, u32), GlError> {
    let id = program(cx, name)?;
    checked_index(cx, id, Interface::UniformBlock, block)?;
    // GL 4.6 §7.6.3.
    if binding >= crate::limits::uniform_buffer_bindings(&cx.ctx.caps) {
        return Err(GlError::invalid_value(
            "uniformBlockBinding >= MAX_UNIFORM_BUFFER_BINDINGS",
        ));
    }
    Ok((id, block, binding))
}

/// Program, interface, parameter, and where the answer goes.
pub type InterfaceOut = (ProgramId, Interface, GLenum, *mut GLint);

pub fn get_program_interfaceiv(
    cx: &Cx<'_>,
    name: GLuint,
    interface: GLenum,
    pname: GLenum,
    params: *mut GLint,
) -> Result<InterfaceOut, GlError> {
    let id = program(cx, name)?;
    let interface = any_interface(interface)?;
    // GL 4.6 §7.3.1.1: INVALID_OPERATION for parameters that the interface's resources do not have.
    let fits = match pname {
        GL_ACTIVE_RESOURCES => true,
        GL_MAX_NAME_LENGTH => interface.has_names(),
        GL_MAX_NUM_ACTIVE_VARIABLES => matches!(
            interface,
            Interface::UniformBlock
                | Interface::AtomicCounterBuffer
                | Interface::ShaderStorageBlock
                | Interface::TransformFeedbackBuffer
        ),
        GL_MAX_NUM_COMPATIBLE_SUBROUTINES => interface == Interface::SubroutineUniform,
        _ => return Err(GlError::invalid_enum("pname is no interface parameter")),
    };
    if !fits {
        return Err(GlError::invalid_operation(
            "programInterface has no such parameter",
        ));
    }
    Ok((id, interface, pname, params))
}

/// The values, room for them, and where their number and they go.
pub type ResourceOut = (Vec<GLint>, GLsizei, *mut GLsizei, *mut GLint);

pub fn get_program_resourceiv(
    cx: &Cx<'_>,
    name: GLuint,
    interface: GLenum,
    index: GLuint,
    prop_count: GLsizei,
    props: *const GLenum,
    count: GLsizei,
    length: *mut GLsizei,
    params: *mut GLint,
) -> Result<ResourceOut, GlError> {
    let id = program(cx, name)?;
    let interface = any_interface(interface)?;
    if prop_count <= 0 || count < 0 {
        return Err(GlError::invalid_value("propCount <= 0 or bufSize < 0"));
    }
    let index = checked_index(cx, id, interface, index)?;
    let executable = cx.objects.programs[id].linked();
    let executable = executable.expect("an unlinked program has no active resource");
    let mut values = Vec::new();
    // SAFETY: glGetProgramResourceiv reads `propCount` properties.
    for &prop in unsafe { c_memory::slice(props, prop_count as usize) } {
        if !is_property(prop) {
            return Err(GlError::invalid_enum("props has an unknown property"));
        }
        values.extend(
            property(executable, interface, index, prop).ok_or_else(|| {
                GlError::invalid_operation("programInterface has no such property")
            })?,
        );
    }
    Ok((values, count, length, params))
}

pub fn get_program_resource_location(
    cx: &Cx<'_>,
    name: GLuint,
    interface: GLenum,
    resource: *const GLchar,
) -> Result<(ProgramId, Interface, String), GlError> {
    let (id, _) = linked(cx, name)?;
    let interface = any_interface(interface)?;
    match interface {
        Interface::Uniform
        | Interface::ProgramInput
        | Interface::ProgramOutput
        | Interface::SubroutineUniform => Ok((id, interface, name_argument(resource))),
        Interface::UniformBlock
        | Interface::AtomicCounterBuffer
        | Interface::TransformFeedbackVarying
        | Interface::TransformFeedbackBuffer
        | Interface::BufferVariable
        | Interface::ShaderStorageBlock
        | Interface::Subroutine => Err(GlError::invalid_enum(
            "resources of programInterface have no locations",
        )),
    }
}

pub fn get_program_resource_location_index(
    cx: &Cx<'_>,
    name: GLuint,
    interface: GLenum,
    resource: *const GLchar,
) -> Result<(ProgramId, String), GlError> {
    let (id, _) = linked(cx, name)?;
    if interface != GL_PROGRAM_OUTPUT {
        return Err(GlError::invalid_enum(
            "programInterface is not PROGRAM_OUTPUT",
        ));
    }
    Ok((id, name_argument(resource)))
}
