//! Checks of multisample images and their storage (GL 4.6 §8.8, §8.19). It must change nothing.

use super::shape::{check_mutable, check_shape, resolve, unfilled};
use super::storage::{NewStorage, check_storable};
use super::target::{ImageTarget, Rank};
use crate::cx::Cx;
use crate::limits;
use gl_enums::*;
use gl_state::GlError;
use pipe::Target;
use pipe::formats::FormatFlags;

fn multisample(
    cx: &Cx<'_>,
    place: ImageTarget,
    samples: GLsizei,
    internal: GLenum,
    extent: [GLsizei; 3],
    fixed: GLboolean,
    immutable: bool,
) -> Result<NewStorage, GlError> {
    // GL 4.6 §8.8: INVALID_VALUE if samples is zero, INVALID_ENUM if the format is not color-, depth- or stencil-renderable.
    if samples < 1 {
        return Err(GlError::invalid_value("samples is not positive"));
    }
    let renderable = FormatFlags::COLOR_RENDERABLE
        | FormatFlags::DEPTH_RENDERABLE
        | FormatFlags::STENCIL_RENDERABLE;
    let format = resolve(cx, internal, None)
        .filter(|format| format.info().flags.intersects(renderable))
        .ok_or_else(|| GlError::invalid_enum("internalformat is not renderable"))?;
    let [width, height, depth] = extent;
    let least = if immutable { 1 } else { 0 };
    if width < least || height < least || depth < least {
        return Err(GlError::invalid_value("an extent is too small"));
    }
    let kept = [width as u32, height as u32, depth as u32];
    let fits = check_shape(cx, place, 0, kept, 0)?;
    // GL 4.6 §8.8: INVALID_OPERATION for more samples than the kind of format can have.
    let most = if format.info().is_integer() {
        1
    } else {
        cx.ctx.caps.limits.max_samples
    };
    if samples as u32 > most && !place.proxy {
        return Err(GlError::invalid_operation(
            "more samples than internalformat can have",
        ));
    }
    if immutable {
        check_storable(cx, place)?;
    } else {
        check_mutable(cx, place)?;
    }
    Ok(NewStorage {
        target: place.target,
        image: unfilled(internal, format, kept),
        levels: 1,
        immutable,
        samples: match samples as u32 {
            one @ (0 | 1) => one,
            more => limits::granted_samples(&cx.ctx.caps, more),
        },
        fixed_sample_locations: fixed != 0,
        proxy: place.proxy.then_some(fits && samples as u32 <= most),
    })
}

fn multisample_target(value: GLenum, rank: Rank) -> Result<ImageTarget, GlError> {
    let (target, proxy) = match (rank, value) {
        (Rank::Two, GL_TEXTURE_2D_MULTISAMPLE) => (Target::Texture2DMultisample, false),
        (Rank::Two, GL_PROXY_TEXTURE_2D_MULTISAMPLE) => (Target::Texture2DMultisample, true),
        (Rank::Three, GL_TEXTURE_2D_MULTISAMPLE_ARRAY) => {
            (Target::Texture2DMultisampleArray, false)
        }
        (Rank::Three, GL_PROXY_TEXTURE_2D_MULTISAMPLE_ARRAY) => {
            (Target::Texture2DMultisampleArray, true)
        }
        _ => return Err(GlError::invalid_enum("target is no multisample target")),
    };
    Ok(ImageTarget {
        target,
        face: 0,
        proxy,
    })
}

pub fn tex_image_2d_multisample(
    cx: &Cx<'_>,
    target: GLenum,
    samples: GLsizei,
    internal: GLenum,
    width: GLsizei,
    height: GLsizei,
    fixed: GLboolean,
) -> Result<NewStorage, GlError> {
    let place = multisample_target(target, Rank::Two)?;
    multisample(
        cx,
        place,
        samples,
        internal,
        [width, height, 1],
        fixed,
        false,
    )
}

pub fn tex_image_3d_multisample(
    cx: &Cx<'_>,
    target: GLenum,
    samples: GLsizei,
    internal: GLenum,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
    fixed: GLboolean,
) -> Result<NewStorage, GlError> {
    let place = multisample_target(target, Rank::Three)?;
    multisample(
        cx,
        place,
        samples,
        internal,
        [width, height, depth],
        fixed,
        false,
    )
}

pub fn tex_storage_2d_multisample(
    cx: &Cx<'_>,
    target: GLenum,
    samples: GLsizei,
    internal: GLenum,
    width: GLsizei,
    height: GLsizei,
    fixed: GLboolean,
) -> Result<NewStorage, GlError> {
    let place = multisample_target(target, Rank::Two)?;
    multisample(
        cx,
        place,
        samples,
        internal,
        [width, height, 1],
        fixed,
        true,
    )
}

pub fn tex_storage_3d_multisample(
    cx: &Cx<'_>,
    target: GLenum,
    samples: GLsizei,
    internal: GLenum,
    width: GLsizei,
    height: GLsizei,
    depth: GLsizei,
    fixed: GLboolean,
) -> Result<NewStorage, GlError> {
    let place = multisample_target(target, Rank::Three)?;
    multisample(
        cx,
        place,
        samples,
        internal,
        [width, height, depth],
        fixed,
        true,
    )
}
