//! Program objects: attaching, linking, use, bindings before the link. Compilers stand behind `gl_glsl`.

use super::shader::length_with_terminator;
use crate::c_memory;
use crate::cx::Cx;
use crate::kept_programs;
use crate::program_binary;
use crate::reflection::{Interface, max_name_length};
use crate::source::ResourceOp;
use crate::validate::program::{AttachedOut, BinaryOut};
use crate::validate::shader::TextOut;
use gl_enums::*;
use gl_state::GlError;
use gl_state::program::{LinkOutcome, ProgramId, ShaderObjectId, ShaderOrProgram};
use std::sync::Arc;

pub fn create_program(cx: &mut Cx<'_>) -> Result<GLuint, GlError> {
    Ok(cx.objects.create_program(cx.share))
}

pub fn attach_shader(
    cx: &mut Cx<'_>,
    (program, shader): (ProgramId, ShaderObjectId),
) -> Result<(), GlError> {
    cx.objects.attach_shader(program, shader);
    Ok(())
}

pub fn detach_shader(
    cx: &mut Cx<'_>,
    (program, shader): (ProgramId, ShaderObjectId),
) -> Result<(), GlError> {
    cx.objects.detach_shader(cx.share, program, shader);
    Ok(())
}

pub fn get_attached_shaders(
    cx: &mut Cx<'_>,
    (program, room, count, out): AttachedOut,
) -> Result<(), GlError> {
    let attached = &cx.objects.programs[program].attached;
    let names: Vec<GLuint> = attached
        .iter()
        .take(room as usize)
        .map(|shader| cx.objects.shaders[*shader].name)
        .collect();
    // SAFETY: glGetAttachedShaders writes up to `maxCount` names ...
    unsafe { c_memory::write_all(out, &names) };
    // SAFETY: ... and one count.
    unsafe { c_memory::write(count, names.len() as GLsizei) };
    Ok(())
}

pub fn link_program(cx: &mut Cx<'_>, id: ProgramId) -> Result<(), GlError> {
    let _zone = tracing::debug_span!("compile: program").entered();
    let outcome = link(cx, id);
    if outcome.artifact.is_none() {
        tracing::debug!(program = cx.objects.programs[id].name, "{}", outcome.log);
    }
    cx.objects.link_program(cx.emission, id, outcome);
    report_deaths(cx);
    Ok(())
}

/// Executables and the like may have ended: whoever owns them tells the executing side.
fn report_deaths(cx: &mut Cx<'_>) {
    if !cx.emission.dead_shaders.is_empty() {
        cx.resource_op(ResourceOp::ObjectsDied);
    }
}

fn link(cx: &Cx<'_>, id: ProgramId) -> LinkOutcome {
    let program = &cx.objects.programs[id];
    let compiled: Option<Vec<&gl_glsl::Shader>> = program
        .attached
        .iter()
        .map(|shader| {
            let compiled = cx.objects.shaders[*shader].compiled.as_deref()?;
            compiled.downcast_ref()
        })
        .collect();
    let Some(shaders) = compiled else {
        // GL 4.6 §7.3: one or more of the shader objects are not compiled.
        return LinkOutcome {
            log: "error: an attached shader was never compiled\n".into(),
            artifact: None,
        };
    };
    let options = gl_glsl::LinkOptions {
        attrib_locations: program.attrib_bindings.clone(),
        frag_data_locations: program.frag_data_bindings.clone(),
        xfb_varyings: program.xfb_varyings.clone(),
        xfb_mode: if program.xfb_separate {
            gl_glsl::XfbMode::Separate
        } else {
            gl_glsl::XfbMode::Interleaved
        },
        separable: program.separable,
        max_vertex_attribs: pipe::MAX_VERTEX_ATTRIBS as u32,
        max_draw_buffers: crate::limits::draw_buffers(&cx.ctx.caps),
        max_uniform_block_bytes: cx.ctx.caps.limits.max_uniform_block_size,
    };
    let gl_glsl::LinkResult { log, artifact } = kept_programs::link(&shaders, &options);
    LinkOutcome { log, artifact }
}

pub fn use_program(cx: &mut Cx<'_>, id: ProgramId) -> Result<(), GlError> {
    cx.objects.use_program(cx.ctx, cx.share, cx.emission, id);
    report_deaths(cx);
    Ok(())
}

pub fn delete_program(cx: &mut Cx<'_>, id: Option<ProgramId>) -> Result<(), GlError> {
    if let Some(id) = id {
        cx.objects.delete_program(cx.share, cx.emission, id);
        report_deaths(cx);
    }
    Ok(())
}

pub fn is_program(cx: &mut Cx<'_>, name: GLuint) -> Result<GLboolean, GlError> {
    let found = cx.share.shaders_and_programs.get(name);
    Ok(matches!(found, Some(ShaderOrProgram::Program(_))).into())
}

pub fn validate_program(cx: &mut Cx<'_>, id: ProgramId) -> Result<(), GlError> {
    let program = &mut cx.objects.programs[id];
    let problem = match program.linked() {
        None => Some("error: the program was not linked successfully\n".to_owned()),
        Some(executable) => executable
            .conflicting_unit()
            .map(|unit| format!("error: samplers of different types use texture unit {unit}\n")),
    };
    program.validate_ok = problem.is_none();
    program.log = problem.unwrap_or_default();
    Ok(())
}

pub fn get_programiv(
    cx: &mut Cx<'_>,
    (id, pname, params): (ProgramId, GLenum, *mut GLint),
) -> Result<(), GlError> {
    let program = &cx.objects.programs[id];
    let artifact = program.linked().map(|e| &*e.artifact);
    let count = |interface: Interface| artifact.map_or(0, |a| interface.count(a) as GLint);
    let longest =
        |interface: Interface| artifact.map_or(0, |a| max_name_length(a, interface) as GLint);
    let geometry = artifact.and_then(|a| a.geometry);
    let tess = artifact.and_then(|a| a.tess);
    let value = match pname {
        GL_DELETE_STATUS => program.delete_pending.into(),
        GL_LINK_STATUS => program.link_ok.into(),
        GL_VALIDATE_STATUS => program.validate_ok.into(),
        GL_INFO_LOG_LENGTH => length_with_terminator(&program.log),
        GL_ATTACHED_SHADERS => program.attached.len() as GLint,
        GL_ACTIVE_ATTRIBUTES => count(Interface::ProgramInput),
        GL_ACTIVE_ATTRIBUTE_MAX_LENGTH => longest(Interface::ProgramInput),
        GL_ACTIVE_UNIFORMS => count(Interface::Uniform),
        GL_ACTIVE_UNIFORM_MAX_LENGTH => longest(Interface::Uniform),
        GL_ACTIVE_UNIFORM_BLOCKS => count(Interface::UniformBlock),
        GL_ACTIVE_UNIFORM_BLOCK_MAX_NAME_LENGTH => longest(Interface::UniformBlock),
        GL_ACTIVE_ATOMIC_COUNTER_BUFFERS => count(Interface::AtomicCounterBuffer),
        GL_TRANSFORM_FEEDBACK_BUFFER_MODE => {
            let separate = artifact.map_or(program.xfb_separate, |a| a.xfb.separate);
            if separate {
                GL_SEPARATE_ATTRIBS as GLint
            } else {
                GL_INTERLEAVED_ATTRIBS as GLint
            }
        }
        GL_TRANSFORM_FEEDBACK_VARYINGS => count(Interface::TransformFeedbackVarying),
        GL_TRANSFORM_FEEDBACK_VARYING_MAX_LENGTH => longest(Interface::TransformFeedbackVarying),
        GL_PROGRAM_BINARY_RETRIEVABLE_HINT => program.retrievable.into(),
        GL_PROGRAM_BINARY_LENGTH => {
            artifact.map_or(0, |a| program_binary::of(a, &cx.ctx.caps).len() as GLint)
        }
        GL_PROGRAM_SEPARABLE => program.separable.into(),
        GL_GEOMETRY_VERTICES_OUT => geometry.map_or(0, |g| g.max_vertices as GLint),
        GL_GEOMETRY_INPUT_TYPE => geometry.map_or(0, |g| g.input as GLint),
        GL_GEOMETRY_OUTPUT_TYPE => geometry.map_or(0, |g| g.output as GLint),
        GL_GEOMETRY_SHADER_INVOCATIONS => geometry.map_or(0, |g| g.invocations as GLint),
        GL_TESS_CONTROL_OUTPUT_VERTICES => tess.map_or(0, |t| t.control_vertices as GLint),
        GL_TESS_GEN_MODE => tess.map_or(0, |t| t.mode as GLint),
        GL_TESS_GEN_SPACING => tess.map_or(0, |t| t.spacing as GLint),
        GL_TESS_GEN_VERTEX_ORDER => tess.map_or(0, |t| {
            if t.clockwise {
                GL_CW as GLint
            } else {
                GL_CCW as GLint
            }
        }),
        GL_TESS_GEN_POINT_MODE => tess.map_or(0, |t| t.point_mode.into()),
        _ => {
            let size = artifact.and_then(|a| a.local_size).unwrap_or_default();
            // SAFETY: glGetProgramiv(GL_COMPUTE_WORK_GROUP_SIZE) writes three integers.
            unsafe { c_memory::write_all(params, &size.map(|s| s as GLint)) };
            return Ok(());
        }
    };
    // SAFETY: glGetProgramiv writes one integer.
    unsafe { c_memory::write(params, value) };
    Ok(())
}

pub fn get_program_info_log(
    cx: &mut Cx<'_>,
    (id, (size, length, out)): (ProgramId, TextOut),
) -> Result<(), GlError> {
    // SAFETY: glGetProgramInfoLog writes up to `size` bytes and one length.
    unsafe { c_memory::put_string(&cx.objects.programs[id].log, size, length, out) };
    Ok(())
}

pub fn bind_attrib_location(
    cx: &mut Cx<'_>,
    (id, index, name): (ProgramId, u32, String),
) -> Result<(), GlError> {
    // The last binding of a name counts; it takes effect at the next link.
    let bindings = &mut cx.objects.programs[id].attrib_bindings;
    bindings.retain(|(old, _)| *old != name);
    bindings.push((name, index));
    Ok(())
}

pub fn bind_frag_data_location(
    cx: &mut Cx<'_>,
    args: (ProgramId, u32, u32, String),
) -> Result<(), GlError> {
    bind_frag_data_location_indexed(cx, args)
}

pub fn bind_frag_data_location_indexed(
    cx: &mut Cx<'_>,
    (id, color, index, name): (ProgramId, u32, u32, String),
) -> Result<(), GlError> {
    let bindings = &mut cx.objects.programs[id].frag_data_bindings;
    bindings.retain(|(old, _, _)| *old != name);
    bindings.push((name, color, index));
    Ok(())
}

pub fn transform_feedback_varyings(
    cx: &mut Cx<'_>,
    (id, names, separate): (ProgramId, Vec<String>, bool),
) -> Result<(), GlError> {
    let program = &mut cx.objects.programs[id];
    program.xfb_varyings = names;
    program.xfb_separate = separate;
    Ok(())
}

pub fn program_parameteri(
    cx: &mut Cx<'_>,
    (id, pname, value): (ProgramId, GLenum, bool),
) -> Result<(), GlError> {
    let program = &mut cx.objects.programs[id];
    if pname == GL_PROGRAM_SEPARABLE {
        program.separable = value;
    } else {
        program.asked_retrievable = value;
    }
    Ok(())
}

pub fn get_program_binary(
    _cx: &mut Cx<'_>,
    BinaryOut {
        binary,
        length,
        format,
        out,
    }: BinaryOut,
) -> Result<(), GlError> {
    // SAFETY: glGetProgramBinary writes up to `bufSize` bytes, which were found enough ...
    unsafe { c_memory::write_all(out.cast::<u8>(), &binary) };
    // SAFETY: ... their number ...
    unsafe { c_memory::write(length, binary.len() as GLsizei) };
    // SAFETY: ... and their format.
    unsafe { c_memory::write(format, program_binary::FORMAT) };
    Ok(())
}

pub fn program_binary(cx: &mut Cx<'_>, (id, binary): (ProgramId, Vec<u8>)) -> Result<(), GlError> {
    let outcome = match program_binary::load(&binary, &cx.ctx.caps) {
        Ok(artifact) => LinkOutcome {
            log: String::new(),
            artifact: Some(Arc::new(artifact)),
        },
        Err(log) => LinkOutcome {
            log,
            artifact: None,
        },
    };
    cx.objects.link_program(cx.emission, id, outcome);
    report_deaths(cx);
    Ok(())
}
