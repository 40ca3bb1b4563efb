//! Checks of queries about internal formats (ARB_internalformat_query; GL 4.6 §22.3). It must change nothing.

use super::renderbuffer::format_of;
use crate::cx::Cx;
use gl_enums::*;
use gl_state::GlError;
use pipe::{Caps, Format, FormatUse};

/// The answer and where it goes: at most as many numbers as there is room for.
pub type Answer = (Vec<GLint>, *mut GLint);

/// Numbers of samples that images of a format can have beside one, descending (GL 4.6 §22.3, SAMPLES).
fn sample_counts(caps: &Caps, format: Format) -> Vec<GLint> {
    let known = caps.formats.is_empty() || caps.format(format).contains(FormatUse::MULTISAMPLE);
    // Integer formats: GL_MAX_INTEGER_SAMPLES.
    if !known || format.info().is_integer() {
        return Vec::new();
    }
    let powers = (1..u32::BITS - 1).rev();
    powers
        .filter(|power| caps.limits.sample_counts & 1 << power != 0)
        .map(|power| 1 << power)
        .collect()
}

pub fn get_internalformativ(
    cx: &Cx<'_>,
    target: GLenum,
    internal_format: GLenum,
    pname: GLenum,
    count: GLsizei,
    params: *mut GLint,
) -> Result<Answer, GlError> {
    // ARB_internalformat_query: INVALID_ENUM if target is none of the three, if internalformat is not renderable, or for another pname;
    // INVALID_VALUE if bufSize is negative.
    if !matches!(
        target,
        GL_RENDERBUFFER | GL_TEXTURE_2D_MULTISAMPLE | GL_TEXTURE_2D_MULTISAMPLE_ARRAY
    ) {
        return Err(GlError::invalid_enum(
            "target has no images with several samples",
        ));
    }
    let format = format_of(internal_format)
        .ok_or_else(|| GlError::invalid_enum("internalformat is not renderable"))?;
    let counts = sample_counts(&cx.ctx.caps, format);
    let mut answer = match pname {
        GL_NUM_SAMPLE_COUNTS => vec![counts.len() as GLint],
        GL_SAMPLES => counts,
        _ => return Err(GlError::invalid_enum("pname is no query of this command")),
    };
    let room = usize::try_from(count).map_err(|_| GlError::invalid_value("bufSize is negative"))?;
    answer.truncate(room);
    Ok((answer, params))
}
