//! Shader objects: creation, source, compilation, queries. It links nothing.

use crate::c_memory;
use crate::cx::Cx;
use crate::kept_programs;
use crate::validate::shader::{PrecisionOut, TextOut};
use gl_enums::*;
use gl_state::program::{ShaderObjectId, ShaderOrProgram};
use gl_state::{GlError, Profile};
use pipe::program::Stage;
use std::sync::Arc;

/// What the context's version offers to shaders.
pub(super) fn compile_options(cx: &Cx<'_>) -> gl_glsl::CompileOptions {
    let (major, minor) = cx.ctx.version;
    // GL 4.6 §1.2.1 and its predecessors: until 3.2 the languages had numbers of their own.
    let max_version = match (major, minor) {
        (2, 0) => 110,
        (..3, _) => 120,
        (3, 0) => 130,
        (3, 1) => 140,
        (3, 2) => 150,
        _ => major * 100 + minor * 10,
    };
    gl_glsl::CompileOptions {
        max_version,
        core_profile: cx.ctx.profile == Profile::Core,
    }
}

pub fn create_shader(cx: &mut Cx<'_>, stage: Stage) -> Result<GLuint, GlError> {
    Ok(cx.objects.create_shader(cx.share, stage))
}

pub fn shader_source(
    cx: &mut Cx<'_>,
    (id, source): (ShaderObjectId, String),
) -> Result<(), GlError> {
    cx.objects.shaders[id].source = source;
    Ok(())
}

pub fn compile_shader(cx: &mut Cx<'_>, id: ShaderObjectId) -> Result<(), GlError> {
    let _zone = tracing::debug_span!("compile: shader").entered();
    let options = compile_options(cx);
    let shader = &mut cx.objects.shaders[id];
    let compiled = kept_programs::compile(shader.stage, &shader.source, &options);
    shader.compile_ok = compiled.ok();
    shader.log = compiled.log().to_owned();
    if !shader.compile_ok {
        tracing::debug!(shader = shader.name, "{}", shader.log);
    }
    shader.compiled = Some(Arc::new(compiled));
    Ok(())
}

pub fn delete_shader(cx: &mut Cx<'_>, id: Option<ShaderObjectId>) -> Result<(), GlError> {
    if let Some(id) = id {
        cx.objects.delete_shader(cx.share, id);
    }
    Ok(())
}

pub fn is_shader(cx: &mut Cx<'_>, name: GLuint) -> Result<GLboolean, GlError> {
    let found = cx.share.shaders_and_programs.get(name);
    Ok(matches!(found, Some(ShaderOrProgram::Shader(_))).into())
}

/// Length of a string answer with its terminator; 0 where there is no string.
pub(super) fn length_with_terminator(text: &str) -> GLint {
    if text.is_empty() {
        0
    } else {
        text.len() as GLint + 1
    }
}

pub fn get_shaderiv(
    cx: &mut Cx<'_>,
    (id, pname, params): (ShaderObjectId, GLenum, *mut GLint),
) -> Result<(), GlError> {
    let shader = &cx.objects.shaders[id];
    let value = match pname {
        GL_SHADER_TYPE => match shader.stage {
            Stage::Vertex => GL_VERTEX_SHADER as GLint,
            Stage::TessControl => GL_TESS_CONTROL_SHADER as GLint,
            Stage::TessEval => GL_TESS_EVALUATION_SHADER as GLint,
            Stage::Geometry => GL_GEOMETRY_SHADER as GLint,
            Stage::Fragment => GL_FRAGMENT_SHADER as GLint,
            Stage::Compute => GL_COMPUTE_SHADER as GLint,
        },
        GL_DELETE_STATUS => shader.delete_pending.into(),
        GL_COMPILE_STATUS => shader.compile_ok.into(),
        GL_INFO_LOG_LENGTH => length_with_terminator(&shader.log),
        _ => length_with_terminator(&shader.source),
    };
    // SAFETY: glGetShaderiv writes one integer.
    unsafe { c_memory::write(params, value) };
    Ok(())
}

pub fn get_shader_info_log(
    cx: &mut Cx<'_>,
    (id, (size, length, out)): (ShaderObjectId, TextOut),
) -> Result<(), GlError> {
    // SAFETY: glGetShaderInfoLog writes up to `size` bytes and one length.
    unsafe { c_memory::put_string(&cx.objects.shaders[id].log, size, length, out) };
    Ok(())
}

pub fn get_shader_source(
    cx: &mut Cx<'_>,
    (id, (size, length, out)): (ShaderObjectId, TextOut),
) -> Result<(), GlError> {
    // SAFETY: glGetShaderSource writes up to `size` bytes and one length.
    unsafe { c_memory::put_string(&cx.objects.shaders[id].source, size, length, out) };
    Ok(())
}

pub fn get_shader_precision_format(
    _cx: &mut Cx<'_>,
    (range, precision, range_out, precision_out): PrecisionOut,
) -> Result<(), GlError> {
    // SAFETY: glGetShaderPrecisionFormat writes two integers for the range.
    unsafe { c_memory::write_all(range_out, &range) };
    // SAFETY: ... and one for the precision.
    unsafe { c_memory::write(precision_out, precision) };
    Ok(())
}

/// A hint: the compiler keeps its tables.
pub fn release_shader_compiler(_cx: &mut Cx<'_>) -> Result<(), GlError> {
    Ok(())
}

pub fn shader_binary(_cx: &mut Cx<'_>, never: std::convert::Infallible) -> Result<(), GlError> {
    match never {}
}
