//! Clears of multisample textures by their name: they have no copy on this side, so a framebuffer that lives for the length of the command
//! clears them. What the application bound and set is in force again when it ends.

use super::clear::send;
use super::tex_image::transfer_failed;
use crate::cx::Cx;
use gl_state::GlError;
use gl_state::framebuffer::{AttachmentPoint, FramebufferBinding, Image};
use pipe::formats::{Component, FormatClass};
use pipe::pixels::{ClientImage, PixelFormat, PixelType, pack};
use pipe::pixels::{Pitch, group_bytes};
use pipe::render_state::{MAX_DRAW_BUFFERS, WindowRect};
use pipe::{Box3, CapBits, ClearMask, Format, TextureId};

/// Clears the region of every layer to a texel of the format's canonical storage.
pub(super) fn clear(
    cx: &mut Cx<'_>,
    id: TextureId,
    region: Box3,
    texel: &[u8],
) -> Result<(), GlError> {
    let format = cx.objects.textures[id].levels[0][0].format;
    let (point, clear) = values(format, texel)?;
    let (draw, state) = (cx.ctx.framebuffers.draw, *cx.ctx.render_state.values());
    let name = cx.ctx.framebuffers.names.generate();
    let handle = cx.objects.framebuffers.alloc();
    let framebuffer = cx.ctx.create_framebuffer(name, handle);
    cx.ctx
        .bind_framebuffer(FramebufferBinding::Draw, framebuffer);
    write_all(cx, region);
    for layer in region.z as u32..region.z as u32 + region.depth {
        let image = Image::Texture {
            texture: id,
            level: 0,
            layer,
            layered: false,
        };
        let (objects, emission) = (&mut *cx.objects, &mut *cx.emission);
        cx.ctx.attach(framebuffer, point, image, objects, emission);
        send(cx, clear);
    }
    let block = &mut cx.ctx.render_state;
    block.set_pipeline(|s| &mut s.caps.bits, state.caps.bits);
    block.set_pipeline(|s| &mut s.blend.color_masks, state.blend.color_masks);
    block.set_pipeline(
        |s| &mut s.depth_stencil.depth_write,
        state.depth_stencil.depth_write,
    );
    block.set_dynamic(|s| &mut s.stencil_ref, state.stencil_ref);
    block.set_dynamic(|s| &mut s.scissors, state.scissors);
    cx.ctx.bind_framebuffer(FramebufferBinding::Draw, draw);
    cx.ctx.delete_framebuffer(name, cx.objects, cx.emission);
    Ok(())
}

/// Nothing of the render state keeps texels of the region from being written, or changes what is written (GL 4.6 §17.4.3).
fn write_all(cx: &mut Cx<'_>, region: Box3) {
    let block = &mut cx.ctx.render_state;
    let state = *block.values();
    let off = CapBits::FRAMEBUFFER_SRGB | CapBits::DITHER | CapBits::RASTERIZER_DISCARD;
    block.set_pipeline(|s| &mut s.caps.bits, state.caps.bits & !off.bits());
    block.set_pipeline(|s| &mut s.blend.color_masks, [0xF; MAX_DRAW_BUFFERS]);
    block.set_pipeline(|s| &mut s.depth_stencil.depth_write, 1);
    let mut stencil = state.stencil_ref;
    stencil.front_write_mask = !0;
    block.set_dynamic(|s| &mut s.stencil_ref, stencil);
    let mut scissors = state.scissors;
    scissors.enabled |= 1;
    scissors.rects[0] = WindowRect {
        x: region.x,
        y: region.y,
        width: region.width as i32,
        height: region.height as i32,
    };
    block.set_dynamic(|s| &mut s.scissors, scissors);
}

/// Where images of a format are attached, and the clear of such a framebuffer to a texel.
fn values(format: Format, texel: &[u8]) -> Result<(AttachmentPoint, pipe::Clear), GlError> {
    let info = format.info();
    let mut clear = pipe::Clear {
        groups: 0,
        mask: ClearMask::COLOR.bits(),
        draw_buffer: 0,
        color_kind: 0,
        color: [0; 4],
        depth: 0.0,
        stencil: 0,
    };
    let (kinds, point) = match info.class {
        FormatClass::Color | FormatClass::Compressed | FormatClass::None => {
            let (kinds, kind) = match info.component {
                Component::Int => ((PixelFormat::RgbaInteger, PixelType::Int), 1),
                Component::Uint => ((PixelFormat::RgbaInteger, PixelType::UnsignedInt), 2),
                Component::Unorm
                | Component::Snorm
                | Component::Srgb
                | Component::Float
                | Component::None => ((PixelFormat::Rgba, PixelType::Float), 0),
            };
            clear.color_kind = kind;
            (kinds, AttachmentPoint::Color(0))
        }
        FormatClass::Depth => (
            (PixelFormat::DepthComponent, PixelType::Float),
            AttachmentPoint::Depth,
        ),
        FormatClass::Stencil => (
            (PixelFormat::StencilIndex, PixelType::UnsignedInt),
            AttachmentPoint::Stencil,
        ),
        FormatClass::DepthStencil => (
            (
                PixelFormat::DepthStencil,
                PixelType::Float32UnsignedInt248Rev,
            ),
            AttachmentPoint::DepthStencil,
        ),
    };
    let client = ClientImage::tight(kinds.0, kinds.1, 1, 1, 1);
    let mut bytes = vec![0; usize::from(group_bytes(kinds.0, kinds.1))];
    pack(
        texel,
        format,
        Pitch::tight(format, 1, 1),
        &client,
        &mut bytes,
    )
    .map_err(transfer_failed)?;
    let words: Vec<u32> = bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|word| u32::from_ne_bytes(*word))
        .collect();
    match point {
        AttachmentPoint::Color(_) => clear.color.copy_from_slice(&words[..4]),
        AttachmentPoint::Depth => {
            clear.mask = ClearMask::DEPTH.bits();
            clear.depth = f32::from_bits(words[0]);
        }
        AttachmentPoint::Stencil => {
            clear.mask = ClearMask::STENCIL.bits();
            clear.stencil = words[0] as i32;
        }
        AttachmentPoint::DepthStencil => {
            clear.mask = (ClearMask::DEPTH | ClearMask::STENCIL).bits();
            clear.depth = f32::from_bits(words[0]);
            clear.stencil = (words[1] & 0xFF) as i32;
        }
    }
    Ok((point, clear))
}
