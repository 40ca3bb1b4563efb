//! Clears and blits.

use crate::cx::Cx;
use crate::validate::clear::{Blit, ClearBuffer, ClearValue};
use gl_state::GlError;
use pipe::{CapBits, ClearMask};
use pipe_inputs::VerbClass;

/// GL 4.6 §14.1 and §10.9: with RASTERIZER_DISCARD, or where conditional rendering says no, clears have no effect.
fn discards(cx: &Cx<'_>) -> bool {
    let state = cx.ctx.render_state.values();
    state.caps().contains(CapBits::RASTERIZER_DISCARD) || cx.ctx.condition_discards()
}

pub fn clear(cx: &mut Cx<'_>, mask: ClearMask) -> Result<(), GlError> {
    if mask.is_empty() || discards(cx) {
        return Ok(());
    }
    let values = cx.ctx.render_state.values().clear_values;
    send(
        cx,
        pipe::Clear {
            groups: 0,
            mask: mask.bits(),
            draw_buffer: -1,
            color_kind: values.color_kind.into(),
            color: values.color,
            depth: values.depth as f32,
            stencil: values.stencil,
        },
    );
    Ok(())
}

pub(super) fn send(cx: &mut Cx<'_>, mut clear: pipe::Clear) {
    clear.groups = cx.prepare(VerbClass::Clear);
    let outcome = cx.pipe.clear(&clear);
    cx.finish_verb(outcome);
}

fn clear_buffer(cx: &mut Cx<'_>, args: ClearBuffer) -> Result<(), GlError> {
    if discards(cx) {
        return Ok(());
    }
    let mut clear = pipe::Clear {
        groups: 0,
        mask: 0,
        draw_buffer: args.draw_buffer,
        color_kind: 0,
        color: [0; 4],
        depth: 0.0,
        stencil: 0,
    };
    let mask = match args.value {
        ClearValue::Color(color, kind) => {
            // GL 4.6 §17.4.3.1: a draw buffer of NONE is not cleared.
            let buffers = &cx.ctx.draw_framebuffer().draw_buffers;
            if buffers[args.draw_buffer as usize].is_none() {
                return Ok(());
            }
            (clear.color, clear.color_kind) = (color, kind);
            ClearMask::COLOR
        }
        ClearValue::Depth(depth) => {
            clear.depth = depth;
            ClearMask::DEPTH
        }
        ClearValue::Stencil(stencil) => {
            clear.stencil = stencil;
            ClearMask::STENCIL
        }
        ClearValue::DepthStencil(depth, stencil) => {
            (clear.depth, clear.stencil) = (depth, stencil);
            ClearMask::DEPTH | ClearMask::STENCIL
        }
    };
    clear.mask = mask.bits();
    send(cx, clear);
    Ok(())
}

pub fn clear_bufferfv(cx: &mut Cx<'_>, args: ClearBuffer) -> Result<(), GlError> {
    clear_buffer(cx, args)
}

pub fn clear_bufferiv(cx: &mut Cx<'_>, args: ClearBuffer) -> Result<(), GlError> {
    clear_buffer(cx, args)
}

pub fn clear_bufferuiv(cx: &mut Cx<'_>, args: ClearBuffer) -> Result<(), GlError> {
    clear_buffer(cx, args)
}

pub fn clear_bufferfi(cx: &mut Cx<'_>, args: ClearBuffer) -> Result<(), GlError> {
    clear_buffer(cx, args)
}

pub fn blit_framebuffer(cx: &mut Cx<'_>, args: Blit) -> Result<(), GlError> {
    let empty = |r: [i32; 4]| r[0] == r[2] || r[1] == r[3];
    if args.mask.is_empty() || empty(args.src) || empty(args.dst) {
        return Ok(());
    }
    let blit = pipe::Blit {
        groups: cx.prepare(VerbClass::Blit),
        src: args.src,
        dst: args.dst,
        mask: args.mask.bits(),
        linear: args.linear.into(),
    };
    let outcome = cx.pipe.blit(&blit);
    cx.finish_verb(outcome);
    Ok(())
}
