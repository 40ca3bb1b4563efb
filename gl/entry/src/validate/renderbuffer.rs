//! Checks of renderbuffers (GL 4.6 §9.2.4). It must change nothing.

use crate::cx::Cx;
use crate::limits;
use crate::validate::names::{self, Named, NamesOut};
use gl_enums::*;
use gl_state::GlError;
use gl_state::framebuffer::Renderbuffer;
use pipe::formats::FormatFlags;
use pipe::{Format, RenderbufferId};

pub fn gen_renderbuffers(_: &Cx<'_>, n: GLsizei, ids: *mut GLuint) -> Result<NamesOut, GlError> {
    names::generate(n, ids)
}

pub fn delete_renderbuffers(
    _: &Cx<'_>,
    n: GLsizei,
    ids: *const GLuint,
) -> Result<&'static [GLuint], GlError> {
    names::delete(n, ids)
}

fn target_is_renderbuffer(target: GLenum) -> Result<(), GlError> {
    // GL 4.6 §9.2.4: INVALID_ENUM if target is not RENDERBUFFER.
    if target != GL_RENDERBUFFER {
        return Err(GlError::invalid_enum("target is not GL_RENDERBUFFER"));
    }
    Ok(())
}

pub fn bind_renderbuffer(
    cx: &Cx<'_>,
    target: GLenum,
    renderbuffer: GLuint,
) -> Result<Named<RenderbufferId>, GlError> {
    target_is_renderbuffer(target)?;
    // GL 4.6 §9.2.4: INVALID_OPERATION if renderbuffer is not zero or a name returned from GenRenderbuffers.
    names::lookup(
        cx,
        &cx.share.renderbuffers,
        renderbuffer,
        "renderbuffer was not returned by glGenRenderbuffers",
    )
}

fn bound<'a>(cx: &'a Cx<'_>, target: GLenum) -> Result<&'a Renderbuffer, GlError> {
    target_is_renderbuffer(target)?;
    // GL 4.6 §9.2.4: INVALID_OPERATION if zero is bound.
    cx.objects
        .renderbuffers
        .get(cx.ctx.framebuffers.renderbuffer)
        .ok_or(GlError::invalid_operation("no renderbuffer is bound"))
}

/// Checked storage.
#[derive(Clone, Copy, Debug)]
pub struct Storage {
    pub renderbuffer: RenderbufferId,
    pub internal_format: GLenum,
    pub format: Format,
    pub width: u32,
    pub height: u32,
    pub samples: u32,
}

/// The sized format of a request. GL 4.6 §9.2.4: base formats take whatever resolution the implementation chooses.
pub(super) fn format_of(internal_format: GLenum) -> Option<Format> {
    let format = match internal_format {
        GL_RED => Format::R8,
        GL_RG => Format::Rg8,
        GL_RGB => Format::Rgb8,
        GL_RGBA => Format::Rgba8,
        GL_DEPTH_COMPONENT => Format::Depth24,
        GL_DEPTH_STENCIL => Format::Depth24Stencil8,
        GL_STENCIL_INDEX => Format::StencilIndex8,
        _ => Format::from_gl(internal_format)?,
    };
    let renderable = FormatFlags::COLOR_RENDERABLE
        | FormatFlags::DEPTH_RENDERABLE
        | FormatFlags::STENCIL_RENDERABLE;
    format.info().flags.intersects(renderable).then_some(format)
}

fn storage(
    cx: &Cx<'_>,
    target: GLenum,
    samples: GLsizei,
    internal_format: GLenum,
    width: GLsizei,
    height: GLsizei,
) -> Result<Storage, GlError> {
    target_is_renderbuffer(target)?;
    // GL 4.6 §9.2.4: INVALID_ENUM if internalformat is not renderable.
    let Some(format) = format_of(internal_format) else {
        return Err(GlError::invalid_enum("internalformat is not renderable"));
    };
    // GL 4.6 §9.2.4: INVALID_VALUE if width or height is negative or greater than MAX_RENDERBUFFER_SIZE, or samples negative.
    let limit = cx.ctx.caps.limits.max_renderbuffer_size;
    let size = |value: GLsizei| {
        u32::try_from(value)
            .ok()
            .filter(|value| *value <= limit)
            .ok_or(GlError::invalid_value("width or height"))
    };
    let (width, height) = (size(width)?, size(height)?);
    let samples = u32::try_from(samples).map_err(|_| GlError::invalid_value("samples < 0"))?;
    // GL 4.6 §9.2.4: INVALID_OPERATION if samples is greater than the format supports.
    let most = cx.ctx.caps.limits.max_samples;
    if samples > most {
        return Err(GlError::invalid_operation("samples > GL_MAX_SAMPLES"));
    }
    let renderbuffer = bound(cx, target)?.id;
    Ok(Storage {
        renderbuffer,
        internal_format,
        format,
        width,
        height,
        samples: limits::granted_samples(&cx.ctx.caps, samples),
    })
}

pub fn renderbuffer_storage(
    cx: &Cx<'_>,
    target: GLenum,
    internal_format: GLenum,
    width: GLsizei,
    height: GLsizei,
) -> Result<Storage, GlError> {
    storage(cx, target, 0, internal_format, width, height)
}

pub fn renderbuffer_storage_multisample(
    cx: &Cx<'_>,
    target: GLenum,
    samples: GLsizei,
    internal_format: GLenum,
    width: GLsizei,
    height: GLsizei,
) -> Result<Storage, GlError> {
    storage(cx, target, samples, internal_format, width, height)
}

pub fn get_renderbuffer_parameteriv(
    cx: &Cx<'_>,
    target: GLenum,
    pname: GLenum,
    params: *mut GLint,
) -> Result<(GLint, *mut GLint), GlError> {
    let object = bound(cx, target)?;
    let info = object.format.info();
    let [red, green, blue, alpha] = info.color_bits;
    let value = match pname {
        GL_RENDERBUFFER_WIDTH => object.width,
        GL_RENDERBUFFER_HEIGHT => object.height,
        GL_RENDERBUFFER_INTERNAL_FORMAT => object.internal_format,
        GL_RENDERBUFFER_SAMPLES => object.samples,
        GL_RENDERBUFFER_RED_SIZE => red.into(),
        GL_RENDERBUFFER_GREEN_SIZE => green.into(),
        GL_RENDERBUFFER_BLUE_SIZE => blue.into(),
        GL_RENDERBUFFER_ALPHA_SIZE => alpha.into(),
        GL_RENDERBUFFER_DEPTH_SIZE => info.depth_bits.into(),
        GL_RENDERBUFFER_STENCIL_SIZE => info.stencil_bits.into(),
        _ => return Err(GlError::invalid_enum("pname")),
    };
    Ok((value as GLint, params))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_and_three_channel_float_formats_are_no_renderbuffers() {
        assert_eq!(format_of(GL_RGBA), Some(Format::Rgba8));
        assert_eq!(
            format_of(GL_DEPTH24_STENCIL8),
            Some(Format::Depth24Stencil8)
        );
        assert_eq!(format_of(GL_RGB9_E5), None);
        assert_eq!(format_of(GL_COMPRESSED_RGB_S3TC_DXT1_EXT), None);
        assert_eq!(format_of(0), None);
    }
}
