//! Checks of clears and blits (GL 4.6 §17.4.3, §18.3.1). It must change nothing.

use crate::c_memory;
use crate::cx::Cx;
use crate::limits;
use gl_enums::*;
use gl_state::framebuffer::{AttachmentPoint, FramebufferBinding};
use gl_state::framebuffer_status::{ImageFacts, status};
use gl_state::{GlError, Profile};
use pipe::ClearMask;
use pipe::formats::Component;

/// GL 4.6 §9.4.4: INVALID_FRAMEBUFFER_OPERATION if the framebuffer is not complete.
pub fn complete(cx: &Cx<'_>, binding: FramebufferBinding) -> Result<(), GlError> {
    if cx.ctx.bound_facts(binding, cx.objects).status != status::COMPLETE {
        return Err(GlError::invalid_framebuffer_operation(match binding {
            FramebufferBinding::Read => "the read framebuffer is not complete",
            FramebufferBinding::Draw | FramebufferBinding::Both => {
                "the draw framebuffer is not complete"
            }
        }));
    }
    Ok(())
}

/// GL's mask in ours; `None`: other bits are set.
fn mask_of(cx: &Cx<'_>, mask: GLbitfield) -> Option<ClearMask> {
    let mut bits = mask;
    if cx.ctx.profile == Profile::Compatibility {
        // There is no accumulation buffer here, so clearing it has no effect.
        bits &= !GL_ACCUM_BUFFER_BIT;
    }
    if bits & !(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT) != 0 {
        return None;
    }
    let mut found = ClearMask::empty();
    found.set(ClearMask::COLOR, bits & GL_COLOR_BUFFER_BIT != 0);
    found.set(ClearMask::DEPTH, bits & GL_DEPTH_BUFFER_BIT != 0);
    found.set(ClearMask::STENCIL, bits & GL_STENCIL_BUFFER_BIT != 0);
    Some(found)
}

pub fn clear(cx: &Cx<'_>, mask: GLbitfield) -> Result<ClearMask, GlError> {
    // GL 4.6 §17.4.3: INVALID_VALUE if mask has other bits.
    let mask = mask_of(cx, mask).ok_or(GlError::invalid_value("mask has unknown bits"))?;
    complete(cx, FramebufferBinding::Draw)?;
    Ok(mask)
}

/// What one glClearBuffer writes.
#[derive(Clone, Copy, Debug)]
pub enum ClearValue {
    /// Words, and how they are to be read: 0 float, 1 signed, 2 unsigned.
    Color([u32; 4], u32),
    Depth(f32),
    Stencil(i32),
    DepthStencil(f32, i32),
}

/// A checked glClearBuffer.
#[derive(Clone, Copy, Debug)]
pub struct ClearBuffer {
    pub draw_buffer: i32,
    pub value: ClearValue,
}

/// Checks the index of a draw buffer and the framebuffer.
fn one(cx: &Cx<'_>, draw_buffer: GLint, value: ClearValue) -> Result<ClearBuffer, GlError> {
    // GL 4.6 §17.4.3.1: INVALID_VALUE if drawbuffer is negative or not less than MAX_DRAW_BUFFERS, or not zero for depth and stencil.
    let limit = match value {
        ClearValue::Color(..) => limits::draw_buffers(&cx.ctx.caps) as i32,
        ClearValue::Depth(_) | ClearValue::Stencil(_) | ClearValue::DepthStencil(..) => 1,
    };
    if !(0..limit).contains(&draw_buffer) {
        return Err(GlError::invalid_value("drawbuffer"));
    }
    complete(cx, FramebufferBinding::Draw)?;
    Ok(ClearBuffer { draw_buffer, value })
}

/// GL 4.6 §17.4.3.1: INVALID_ENUM if buffer is none that the command takes.
const WRONG_BUFFER: GlError = GlError::invalid_enum("buffer");

/// The first `N` words at a pointer.
fn words<T: Copy, const N: usize>(value: *const T) -> Result<[T; N], GlError> {
    // SAFETY: c_memory's rule: glClearBuffer reads four words of a colour and one of depth or stencil.
    let slice = unsafe { c_memory::slice(value, N) };
    slice
        .try_into()
        .map_err(|_| GlError::invalid_value("value is null"))
}

pub fn clear_bufferfv(
    cx: &Cx<'_>,
    buffer: GLenum,
    draw_buffer: GLint,
    value: *const GLfloat,
) -> Result<ClearBuffer, GlError> {
    let value = match buffer {
        GL_COLOR => ClearValue::Color(words::<f32, 4>(value)?.map(f32::to_bits), 0),
        // GL 4.6 §17.4.3.1: depth is clamped to [0, 1] for fixed-point buffers; none of ours is wider.
        GL_DEPTH => ClearValue::Depth(words::<f32, 1>(value)?[0].clamp(0.0, 1.0)),
        _ => return Err(WRONG_BUFFER),
    };
    one(cx, draw_buffer, value)
}

pub fn clear_bufferiv(
    cx: &Cx<'_>,
    buffer: GLenum,
    draw_buffer: GLint,
    value: *const GLint,
) -> Result<ClearBuffer, GlError> {
    let value = match buffer {
        GL_COLOR => ClearValue::Color(words::<i32, 4>(value)?.map(|word| word as u32), 1),
        GL_STENCIL => ClearValue::Stencil(words::<i32, 1>(value)?[0]),
        _ => return Err(WRONG_BUFFER),
    };
    one(cx, draw_buffer, value)
}

pub fn clear_bufferuiv(
    cx: &Cx<'_>,
    buffer: GLenum,
    draw_buffer: GLint,
    value: *const GLuint,
) -> Result<ClearBuffer, GlError> {
    let value = match buffer {
        GL_COLOR => ClearValue::Color(words::<u32, 4>(value)?, 2),
        _ => return Err(WRONG_BUFFER),
    };
    one(cx, draw_buffer, value)
}

pub fn clear_bufferfi(
    cx: &Cx<'_>,
    buffer: GLenum,
    draw_buffer: GLint,
    depth: GLfloat,
    stencil: GLint,
) -> Result<ClearBuffer, GlError> {
    if buffer != GL_DEPTH_STENCIL {
        return Err(WRONG_BUFFER);
    }
    let value = ClearValue::DepthStencil(depth.clamp(0.0, 1.0), stencil);
    one(cx, draw_buffer, value)
}

/// A checked blit.
#[derive(Clone, Copy, Debug)]
pub struct Blit {
    pub src: [i32; 4],
    pub dst: [i32; 4],
    /// Buffers that both framebuffers have.
    pub mask: ClearMask,
    pub linear: bool,
}

/// How components are told apart by blits.
fn numeric(image: &ImageFacts) -> u8 {
    match image.format.info().component {
        Component::Int => 1,
        Component::Uint => 2,
        Component::None
        | Component::Unorm
        | Component::Snorm
        | Component::Srgb
        | Component::Float => 0,
    }
}

pub fn blit_framebuffer(
    cx: &Cx<'_>,
    src_x0: GLint,
    src_y0: GLint,
    src_x1: GLint,
    src_y1: GLint,
    dst_x0: GLint,
    dst_y0: GLint,
    dst_x1: GLint,
    dst_y1: GLint,
    mask: GLbitfield,
    filter: GLenum,
) -> Result<Blit, GlError> {
    use FramebufferBinding::{Draw, Read};
    // GL 4.6 §18.3.1: INVALID_VALUE if mask has other bits, INVALID_ENUM if filter is neither LINEAR nor NEAREST.
    let all = GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;
    if mask & !all != 0 {
        return Err(GlError::invalid_value("mask has unknown bits"));
    }
    let linear = match filter {
        GL_LINEAR => true,
        GL_NEAREST => false,
        _ => return Err(GlError::invalid_enum("filter")),
    };
    let mut bits = mask_of(cx, mask).unwrap_or(ClearMask::empty());
    // GL 4.6 §18.3.1: INVALID_OPERATION if mask has depth or stencil and filter is not NEAREST.
    if linear && bits.intersects(ClearMask::DEPTH | ClearMask::STENCIL) {
        return Err(GlError::invalid_operation(
            "GL_LINEAR with depth or stencil",
        ));
    }
    complete(cx, Draw)?;
    complete(cx, Read)?;
    let (src, dst) = (
        [src_x0, src_y0, src_x1, src_y1],
        [dst_x0, dst_y0, dst_x1, dst_y1],
    );
    samples_agree(cx, src, dst)?;
    if bits.contains(ClearMask::COLOR) && !color(cx, linear)? {
        bits.remove(ClearMask::COLOR);
    }
    for (bit, point) in [
        (ClearMask::DEPTH, AttachmentPoint::Depth),
        (ClearMask::STENCIL, AttachmentPoint::Stencil),
    ] {
        if !bits.contains(bit) {
            continue;
        }
        let image = |binding| cx.ctx.attachment_facts(binding, point, cx.objects);
        match (image(Read), image(Draw)) {
            // GL 4.6 §18.3.1: INVALID_OPERATION if depth or stencil formats do not match.
            (Some(from), Some(to)) if from.format != to.format => {
                return Err(GlError::invalid_operation(
                    "depth or stencil formats differ",
                ));
            }
            (Some(_), Some(_)) => {}
            // A buffer that one side lacks is not copied.
            (None, _) | (_, None) => bits.remove(bit),
        }
    }
    Ok(Blit {
        src,
        dst,
        mask: bits,
        linear,
    })
}

/// GL 4.6 §18.3.1, the rules of multisampled sides.
fn samples_agree(cx: &Cx<'_>, src: [i32; 4], dst: [i32; 4]) -> Result<(), GlError> {
    let samples = |binding| cx.ctx.bound_facts(binding, cx.objects).samples;
    let (from, to) = (
        samples(FramebufferBinding::Read),
        samples(FramebufferBinding::Draw),
    );
    if from > 0 && to > 0 && from != to {
        return Err(GlError::invalid_operation("sample counts differ"));
    }
    let extent = |r: [i32; 4]| {
        (
            i64::from(r[2]).abs_diff(i64::from(r[0])),
            i64::from(r[3]).abs_diff(i64::from(r[1])),
        )
    };
    if (from > 0 || to > 0) && extent(src) != extent(dst) {
        return Err(GlError::invalid_operation(
            "a multisampled blit cannot scale",
        ));
    }
    Ok(())
}

/// Whether there is colour to copy.
fn color(cx: &Cx<'_>, linear: bool) -> Result<bool, GlError> {
    let Some(from) = cx.ctx.read_color_facts(cx.objects) else {
        return Ok(false);
    };
    let mut any = false;
    let buffers = cx.ctx.draw_framebuffer().draw_buffers;
    for buffer in buffers.into_iter().flatten() {
        let point = AttachmentPoint::Color(buffer);
        let image = cx
            .ctx
            .attachment_facts(FramebufferBinding::Draw, point, cx.objects);
        let Some(to) = image else {
            continue;
        };
        any = true;
        // GL 4.6 §18.3.1: INVALID_OPERATION if one side has signed, unsigned or other components and the other side does not.
        if numeric(&from) != numeric(&to) {
            return Err(GlError::invalid_operation(
                "integer and other colour formats mixed",
            ));
        }
    }
    // GL 4.6 §18.3.1: INVALID_OPERATION if filter is LINEAR and the read buffer has integers.
    if any && linear && numeric(&from) != 0 {
        return Err(GlError::invalid_operation("GL_LINEAR with integer colour"));
    }
    Ok(any)
}
