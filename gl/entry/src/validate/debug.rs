//! Checks of debug output: messages, groups, labels (GL 4.6 chapter 20). It must change nothing.

use super::shader::{TextOut, text_out};
use crate::c_memory;
use crate::cx::Cx;
use gl_enums::*;
use gl_state::GlError;
use gl_state::context::LocalIndex;
use gl_state::debug::{Filter, MAX_GROUPS, MAX_LABEL, MAX_MESSAGE, Message};
use gl_state::program::{ProgramId, ShaderObjectId, ShaderOrProgram};
use gl_state::sampler::SamplerObjectId;
use pipe::{BufferId, FenceId, RenderbufferId, TextureId};
use std::ffi::c_void;

fn is_source(value: GLenum) -> bool {
    (GL_DEBUG_SOURCE_API..=GL_DEBUG_SOURCE_OTHER).contains(&value)
}

fn is_type(value: GLenum) -> bool {
    (GL_DEBUG_TYPE_ERROR..=GL_DEBUG_TYPE_OTHER).contains(&value)
        || (GL_DEBUG_TYPE_MARKER..=GL_DEBUG_TYPE_POP_GROUP).contains(&value)
}

fn is_severity(value: GLenum) -> bool {
    (GL_DEBUG_SEVERITY_HIGH..=GL_DEBUG_SEVERITY_LOW).contains(&value)
        || value == GL_DEBUG_SEVERITY_NOTIFICATION
}

/// Sources of messages that an application makes (GL 4.6 §20.5).
fn application_source(source: GLenum) -> Result<(), GlError> {
    match source {
        GL_DEBUG_SOURCE_APPLICATION | GL_DEBUG_SOURCE_THIRD_PARTY => Ok(()),
        _ => Err(GlError::invalid_enum(
            "source is neither APPLICATION nor THIRD_PARTY",
        )),
    }
}

fn message_text(length: GLsizei, text: *const GLchar) -> Result<String, GlError> {
    // SAFETY: the command reads `length` bytes, or a terminated string where it is negative.
    let text = unsafe { c_memory::string(text, i64::from(length)) };
    // GL 4.6 §20.5: INVALID_VALUE if the length is not less than MAX_DEBUG_MESSAGE_LENGTH.
    if text.len() >= MAX_MESSAGE {
        return Err(GlError::invalid_value(
            "the message is as long as MAX_DEBUG_MESSAGE_LENGTH",
        ));
    }
    Ok(text)
}

pub fn debug_message_control(
    _cx: &Cx<'_>,
    source: GLenum,
    ty: GLenum,
    severity: GLenum,
    count: GLsizei,
    ids: *const GLuint,
    enabled: GLboolean,
) -> Result<Filter, GlError> {
    let any = |value: GLenum| value == GL_DONT_CARE;
    // GL 4.6 §20.4.
    if !(any(source) || is_source(source))
        || !(any(ty) || is_type(ty))
        || !(any(severity) || is_severity(severity))
    {
        return Err(GlError::invalid_enum("source, type or severity"));
    }
    let count = usize::try_from(count).map_err(|_| GlError::invalid_value("count is negative"))?;
    if count > 0 && (any(source) || any(ty) || !any(severity)) {
        return Err(GlError::invalid_operation(
            "ids need a source and a type, and severity DONT_CARE",
        ));
    }
    let of = |value: GLenum| if any(value) { 0 } else { value };
    Ok(Filter {
        source: of(source),
        ty: of(ty),
        severity: of(severity),
        // SAFETY: the command reads `count` ids.
        ids: unsafe { c_memory::slice(ids, count) }.to_vec(),
        enabled: enabled != 0,
    })
}

pub fn debug_message_insert(
    _cx: &Cx<'_>,
    source: GLenum,
    ty: GLenum,
    id: GLuint,
    severity: GLenum,
    length: GLsizei,
    text: *const GLchar,
) -> Result<Message, GlError> {
    application_source(source)?;
    if !is_type(ty) || !is_severity(severity) {
        return Err(GlError::invalid_enum("type or severity"));
    }
    Ok(Message {
        source,
        ty,
        id,
        severity,
        text: message_text(length, text)?,
    })
}

/// Room for messages, and where their parts go.
#[derive(Clone, Copy, Debug)]
pub struct LogOut {
    pub count: usize,
    /// `None`: texts are not wanted, whatever they take.
    pub room: Option<usize>,
    pub sources: *mut GLenum,
    pub types: *mut GLenum,
    pub ids: *mut GLuint,
    pub severities: *mut GLenum,
    pub lengths: *mut GLsizei,
    pub texts: *mut GLchar,
}

pub fn get_debug_message_log(
    _cx: &Cx<'_>,
    count: GLuint,
    buf_size: GLsizei,
    sources: *mut GLenum,
    types: *mut GLenum,
    ids: *mut GLuint,
    severities: *mut GLenum,
    lengths: *mut GLsizei,
    texts: *mut GLchar,
) -> Result<LogOut, GlError> {
    // GL 4.6 §20.9: INVALID_VALUE if messageLog is not null and bufSize is negative.
    if buf_size < 0 && !texts.is_null() {
        return Err(GlError::invalid_value("bufSize is negative"));
    }
    Ok(LogOut {
        count: count as usize,
        room: (!texts.is_null()).then_some(buf_size as usize),
        sources,
        types,
        ids,
        severities,
        lengths,
        texts,
    })
}

pub fn push_debug_group(
    cx: &Cx<'_>,
    source: GLenum,
    id: GLuint,
    length: GLsizei,
    text: *const GLchar,
) -> Result<Message, GlError> {
    application_source(source)?;
    let text = message_text(length, text)?;
    // GL 4.6 §20.6.
    if cx.ctx.debug.groups.len() >= MAX_GROUPS {
        return Err(GlError::with(
            GL_STACK_OVERFLOW,
            "MAX_DEBUG_GROUP_STACK_DEPTH groups are open".into(),
        ));
    }
    Ok(Message {
        source,
        ty: GL_DEBUG_TYPE_PUSH_GROUP,
        id,
        severity: GL_DEBUG_SEVERITY_NOTIFICATION,
        text,
    })
}

pub fn pop_debug_group(cx: &Cx<'_>) -> Result<(), GlError> {
    // GL 4.6 §20.6: the default group stays.
    if cx.ctx.debug.groups.len() <= 1 {
        return Err(GlError::with(GL_STACK_UNDERFLOW, "no group is open".into()));
    }
    Ok(())
}

/// An object that can be labelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labelled {
    Buffer(BufferId),
    Shader(ShaderObjectId),
    Program(ProgramId),
    VertexArray(LocalIndex),
    Query(u32),
    Sampler(SamplerObjectId),
    Texture(TextureId),
    Renderbuffer(RenderbufferId),
    Framebuffer(LocalIndex),
    Sync(FenceId),
}

fn labelled(cx: &Cx<'_>, identifier: GLenum, name: GLuint) -> Result<Labelled, GlError> {
    let share = &*cx.share;
    let found = match identifier {
        GL_BUFFER => share.buffers.get(name).map(Labelled::Buffer),
        GL_SHADER | GL_PROGRAM => match share.shaders_and_programs.get(name) {
            Some(ShaderOrProgram::Shader(id)) if identifier == GL_SHADER => {
                Some(Labelled::Shader(id))
            }
            Some(ShaderOrProgram::Program(id)) if identifier == GL_PROGRAM => {
                Some(Labelled::Program(id))
            }
            Some(_) | None => None,
        },
        GL_VERTEX_ARRAY => cx.ctx.vertex.names.get(name).map(Labelled::VertexArray),
        GL_QUERY => cx.ctx.queries.names.get(name).map(Labelled::Query),
        GL_SAMPLER => share.samplers.get(name).map(Labelled::Sampler),
        GL_TEXTURE => share.textures.get(name).map(Labelled::Texture),
        GL_RENDERBUFFER => share.renderbuffers.get(name).map(Labelled::Renderbuffer),
        GL_FRAMEBUFFER => cx
            .ctx
            .framebuffers
            .names
            .get(name)
            .map(Labelled::Framebuffer),
        GL_PROGRAM_PIPELINE | GL_TRANSFORM_FEEDBACK => None,
        _ => return Err(GlError::invalid_enum("identifier is no kind of object")),
    };
    // GL 4.6 §20.8: INVALID_VALUE if name is not the name of a valid object.
    found.ok_or_else(|| GlError::invalid_value("name is not the name of such an object"))
}

/// `None`: the label is removed.
fn label_text(length: GLsizei, label: *const GLchar) -> Result<Option<String>, GlError> {
    if label.is_null() {
        return Ok(None);
    }
    // SAFETY: the command reads `length` bytes, or a terminated string where it is negative.
    let text = unsafe { c_memory::string(label, i64::from(length)) };
    // GL 4.6 §20.7: INVALID_VALUE if the length is not less than MAX_LABEL_LENGTH.
    if text.len() >= MAX_LABEL {
        return Err(GlError::invalid_value(
            "the label is as long as MAX_LABEL_LENGTH",
        ));
    }
    Ok(Some(text))
}

pub fn object_label(
    cx: &Cx<'_>,
    identifier: GLenum,
    name: GLuint,
    length: GLsizei,
    label: *const GLchar,
) -> Result<(Labelled, Option<String>), GlError> {
    Ok((labelled(cx, identifier, name)?, label_text(length, label)?))
}

pub fn get_object_label(
    cx: &Cx<'_>,
    identifier: GLenum,
    name: GLuint,
    buf_size: GLsizei,
    length: *mut GLsizei,
    label: *mut GLchar,
) -> Result<(Labelled, TextOut), GlError> {
    let object = labelled(cx, identifier, name)?;
    Ok((object, text_out(buf_size, length, label)?))
}

fn labelled_sync(cx: &Cx<'_>, pointer: *const c_void) -> Result<Labelled, GlError> {
    // GL 4.6 §20.8: INVALID_VALUE if ptr is not the name of a sync object.
    super::sync::sync(cx, pointer.cast_mut())
        .map(Labelled::Sync)
        .map_err(|_| GlError::invalid_value("ptr is not a sync object"))
}

pub fn object_ptr_label(
    cx: &Cx<'_>,
    pointer: *const c_void,
    length: GLsizei,
    label: *const GLchar,
) -> Result<(Labelled, Option<String>), GlError> {
    Ok((labelled_sync(cx, pointer)?, label_text(length, label)?))
}

pub fn get_object_ptr_label(
    cx: &Cx<'_>,
    pointer: *const c_void,
    buf_size: GLsizei,
    length: *mut GLsizei,
    label: *mut GLchar,
) -> Result<(Labelled, TextOut), GlError> {
    let object = labelled_sync(cx, pointer)?;
    Ok((object, text_out(buf_size, length, label)?))
}

pub fn get_pointerv(
    _cx: &Cx<'_>,
    pname: GLenum,
    params: *mut *mut c_void,
) -> Result<(GLenum, *mut *mut c_void), GlError> {
    match pname {
        GL_DEBUG_CALLBACK_FUNCTION | GL_DEBUG_CALLBACK_USER_PARAM => Ok((pname, params)),
        _ => Err(GlError::invalid_enum("pname is no pointer")),
    }
}
