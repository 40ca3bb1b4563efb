//! What programs answer about themselves: locations, active variables, blocks, program interfaces. Only block bindings are changed here.

use crate::c_memory;
use crate::cx::Cx;
use crate::reflection::{self, Interface};
use crate::validate::program_query::{
    ActiveOut, BlockOut, IndicesOut, InterfaceOut, ResourceOut, UniformsOut,
};
use crate::validate::shader::TextOut;
use gl_enums::*;
use gl_state::GlError;
use gl_state::program::{Executable, ProgramId};
use pipe::program::ProgramArtifact;

fn executable<'a>(cx: &'a Cx<'_>, id: ProgramId) -> &'a Executable {
    let executable = cx.objects.programs[id].linked();
    executable.expect("validation found the program linked")
}

fn artifact<'a>(cx: &'a Cx<'_>, id: ProgramId) -> &'a ProgramArtifact {
    &executable(cx, id).artifact
}

fn location(location: Option<u32>) -> GLint {
    location.map_or(-1, |location| location as GLint)
}

pub fn get_attrib_location(
    cx: &mut Cx<'_>,
    (id, name): (ProgramId, String),
) -> Result<GLint, GlError> {
    let artifact = artifact(cx, id);
    Ok(location(reflection::attribute_location(artifact, &name)))
}

pub fn get_uniform_location(
    cx: &mut Cx<'_>,
    (id, name): (ProgramId, String),
) -> Result<GLint, GlError> {
    let artifact = artifact(cx, id);
    Ok(location(reflection::uniform_location(artifact, &name)))
}

pub fn get_frag_data_location(
    cx: &mut Cx<'_>,
    (id, name): (ProgramId, String),
) -> Result<GLint, GlError> {
    let found = reflection::frag_data(artifact(cx, id), &name);
    Ok(location(found.map(|(location, _)| location)))
}

pub fn get_frag_data_index(
    cx: &mut Cx<'_>,
    (id, name): (ProgramId, String),
) -> Result<GLint, GlError> {
    let found = reflection::frag_data(artifact(cx, id), &name);
    Ok(location(found.map(|(_, index)| index)))
}

fn active(
    cx: &Cx<'_>,
    interface: Interface,
    (id, index, (room, length, out), size, ty): ActiveOut,
) -> Result<(), GlError> {
    let executable = executable(cx, id);
    let value = |property| {
        reflection::property(executable, interface, index, property)
            .and_then(|values| values.first().copied())
            .unwrap_or(0)
    };
    let name = interface.name(&executable.artifact, index);
    // SAFETY: the command writes up to `bufSize` bytes and one length ...
    unsafe { c_memory::put_string(&name, room, length, out) };
    // SAFETY: ... one size ...
    unsafe { c_memory::write(size, value(GL_ARRAY_SIZE)) };
    // SAFETY: ... and one type.
    unsafe { c_memory::write(ty, value(GL_TYPE) as GLenum) };
    Ok(())
}

pub fn get_active_attrib(cx: &mut Cx<'_>, args: ActiveOut) -> Result<(), GlError> {
    active(cx, Interface::ProgramInput, args)
}

pub fn get_active_uniform(cx: &mut Cx<'_>, args: ActiveOut) -> Result<(), GlError> {
    active(cx, Interface::Uniform, args)
}

pub fn get_transform_feedback_varying(cx: &mut Cx<'_>, args: ActiveOut) -> Result<(), GlError> {
    active(cx, Interface::TransformFeedbackVarying, args)
}

fn put_name(
    cx: &Cx<'_>,
    (id, interface, index, (room, length, out)): (ProgramId, Interface, usize, TextOut),
) -> Result<(), GlError> {
    let name = interface.name(artifact(cx, id), index);
    // SAFETY: the command writes up to `bufSize` bytes and one length.
    unsafe { c_memory::put_string(&name, room, length, out) };
    Ok(())
}

pub fn get_active_uniform_name(
    cx: &mut Cx<'_>,
    args: (ProgramId, Interface, usize, TextOut),
) -> Result<(), GlError> {
    put_name(cx, args)
}

pub fn get_active_uniform_block_name(
    cx: &mut Cx<'_>,
    args: (ProgramId, Interface, usize, TextOut),
) -> Result<(), GlError> {
    put_name(cx, args)
}

pub fn get_program_resource_name(
    cx: &mut Cx<'_>,
    args: (ProgramId, Interface, usize, TextOut),
) -> Result<(), GlError> {
    put_name(cx, args)
}

pub fn get_active_uniformsiv(
    cx: &mut Cx<'_>,
    (id, indices, property, params): UniformsOut,
) -> Result<(), GlError> {
    let mut values = Vec::with_capacity(indices.len());
    for &index in indices {
        let index = index as usize;
        let value = reflection::property(executable(cx, id), Interface::Uniform, index, property);
        values.extend(value.unwrap_or_default());
    }
    // SAFETY: glGetActiveUniformsiv writes one integer per index.
    unsafe { c_memory::write_all(params, &values) };
    Ok(())
}

fn index_of(cx: &Cx<'_>, id: ProgramId, interface: Interface, name: &str) -> GLuint {
    let executable = cx.objects.programs[id].linked();
    executable
        .and_then(|e| interface.index_of(&e.artifact, name))
        .unwrap_or(GL_INVALID_INDEX)
}

pub fn get_uniform_indices(
    cx: &mut Cx<'_>,
    (id, names, indices): IndicesOut,
) -> Result<(), GlError> {
    let found: Vec<GLuint> = names
        .iter()
        .map(|name| index_of(cx, id, Interface::Uniform, name))
        .collect();
    // SAFETY: glGetUniformIndices writes one index per name.
    unsafe { c_memory::write_all(indices, &found) };
    Ok(())
}

pub fn get_uniform_block_index(
    cx: &mut Cx<'_>,
    (id, interface, name): (ProgramId, Interface, String),
) -> Result<GLuint, GlError> {
    Ok(index_of(cx, id, interface, &name))
}

pub fn get_program_resource_index(
    cx: &mut Cx<'_>,
    (id, interface, name): (ProgramId, Interface, String),
) -> Result<GLuint, GlError> {
    Ok(index_of(cx, id, interface, &name))
}

pub fn get_active_uniform_blockiv(
    cx: &mut Cx<'_>,
    (id, index, property, params): BlockOut,
) -> Result<(), GlError> {
    let values = reflection::property(executable(cx, id), Interface::UniformBlock, index, property);
    // SAFETY: glGetActiveUniformBlockiv writes one integer, or one per active uniform of the block.
    unsafe { c_memory::write_all(params, &values.unwrap_or_default()) };
    Ok(())
}

pub fn uniform_block_binding(
    cx: &mut Cx<'_>,
    (id, block, binding): (ProgramId, u32, u32),
) -> Result<(), GlError> {
    let generations = &mut cx.objects.generations;
    if let Some(executable) = &mut cx.objects.programs[id].executable {
        executable.set_uniform_block_binding(block, binding, generations);
    }
    Ok(())
}

pub fn get_program_interfaceiv(
    cx: &mut Cx<'_>,
    (id, interface, pname, params): InterfaceOut,
) -> Result<(), GlError> {
    let value = cx.objects.programs[id].linked().map_or(0, |executable| {
        let artifact = &*executable.artifact;
        match pname {
            GL_ACTIVE_RESOURCES => interface.count(artifact) as GLint,
            GL_MAX_NAME_LENGTH => reflection::max_name_length(artifact, interface) as GLint,
            GL_MAX_NUM_ACTIVE_VARIABLES => (0..interface.count(artifact))
                .filter_map(|index| {
                    let property = GL_NUM_ACTIVE_VARIABLES;
                    reflection::property(executable, interface, index, property)?
                        .first()
                        .copied()
                })
                .max()
                .unwrap_or(0),
            // Subroutines are never active.
            _ => 0,
        }
    });
    // SAFETY: glGetProgramInterfaceiv writes one integer.
    unsafe { c_memory::write(params, value) };
    Ok(())
}

pub fn get_program_resourceiv(
    _cx: &mut Cx<'_>,
    (values, room, length, params): ResourceOut,
) -> Result<(), GlError> {
    let values = &values[..values.len().min(room as usize)];
    // SAFETY: glGetProgramResourceiv writes up to `bufSize` integers ...
    unsafe { c_memory::write_all(params, values) };
    // SAFETY: ... and their number.
    unsafe { c_memory::write(length, values.len() as GLsizei) };
    Ok(())
}

pub fn get_program_resource_location(
    cx: &mut Cx<'_>,
    (id, interface, name): (ProgramId, Interface, String),
) -> Result<GLint, GlError> {
    let artifact = artifact(cx, id);
    Ok(location(match interface {
        Interface::Uniform => reflection::uniform_location(artifact, &name),
        Interface::ProgramInput => reflection::attribute_location(artifact, &name),
        Interface::ProgramOutput => reflection::frag_data(artifact, &name).map(|(l, _)| l),
        Interface::UniformBlock
        | Interface::AtomicCounterBuffer
        | Interface::TransformFeedbackVarying
        | Interface::TransformFeedbackBuffer
        | Interface::BufferVariable
        | Interface::ShaderStorageBlock
        | Interface::Subroutine
        | Interface::SubroutineUniform => None,
    }))
}

pub fn get_program_resource_location_index(
    cx: &mut Cx<'_>,
    args: (ProgramId, String),
) -> Result<GLint, GlError> {
    get_frag_data_index(cx, args)
}
