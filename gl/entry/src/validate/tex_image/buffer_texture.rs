//! Checks of buffer textures (GL 4.6 §8.9). It must change nothing.

use crate::cx::Cx;
use gl_enums::*;
use gl_state::GlError;
use pipe::formats::FormatFlags;
use pipe::{BufferId, Format};

/// A checked buffer texture. Null buffer: none.
#[derive(Clone, Copy, Debug)]
pub struct NewBufferTexture {
    pub buffer: BufferId,
    pub internal: GLenum,
    pub format: Format,
    pub offset_bytes: u64,
    pub size_bytes: u64,
}

fn buffer_texture(
    cx: &Cx<'_>,
    target: GLenum,
    internal: GLenum,
    name: GLuint,
    range: Option<(GLintptr, GLsizeiptr)>,
) -> Result<NewBufferTexture, GlError> {
    if target != GL_TEXTURE_BUFFER {
        return Err(GlError::invalid_enum("target is not TEXTURE_BUFFER"));
    }
    // GL 4.6 §8.9: INVALID_ENUM if internalformat is not in table 8.16.
    let format = Format::from_gl(internal)
        .filter(|format| format.info().flags.contains(FormatFlags::BUFFER_TEXTURE))
        .ok_or_else(|| GlError::invalid_enum("internalformat is no buffer texture format"))?;
    let none = NewBufferTexture {
        buffer: BufferId::NULL,
        internal,
        format,
        offset_bytes: 0,
        size_bytes: pipe::WHOLE,
    };
    if name == 0 {
        return Ok(none);
    }
    // GL 4.6 §8.9: INVALID_OPERATION if buffer is not the name of a buffer object.
    let buffer = cx
        .share
        .buffers
        .get(name)
        .ok_or_else(|| GlError::invalid_operation("buffer is not the name of a buffer"))?;
    let Some((offset, size)) = range else {
        return Ok(NewBufferTexture { buffer, ..none });
    };
    let whole = cx.objects.buffers[buffer].size_bytes();
    let alignment = cx.ctx.caps.limits.texture_buffer_offset_alignment.max(1);
    if offset < 0 || size <= 0 || offset as u64 + size as u64 > whole {
        return Err(GlError::invalid_value("the range leaves the buffer"));
    }
    if !(offset as u64).is_multiple_of(u64::from(alignment)) {
        return Err(GlError::invalid_value(
            "offset is no multiple of TEXTURE_BUFFER_OFFSET_ALIGNMENT",
        ));
    }
    Ok(NewBufferTexture {
        buffer,
        offset_bytes: offset as u64,
        size_bytes: size as u64,
        ..none
    })
}

pub fn tex_buffer(
    cx: &Cx<'_>,
    target: GLenum,
    internal: GLenum,
    name: GLuint,
) -> Result<NewBufferTexture, GlError> {
    buffer_texture(cx, target, internal, name, None)
}

pub fn tex_buffer_range(
    cx: &Cx<'_>,
    target: GLenum,
    internal: GLenum,
    name: GLuint,
    offset: GLintptr,
    size: GLsizeiptr,
) -> Result<NewBufferTexture, GlError> {
    buffer_texture(cx, target, internal, name, Some((offset, size)))
}
