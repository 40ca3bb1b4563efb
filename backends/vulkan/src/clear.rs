//! Clears: as load operations where a pass begins with them, as attachment clears inside one, as draws where a mask is partial.
#![allow(unsafe_code)]

use crate::backend::VulkanBackend;
use crate::dynamic::scissor;
use crate::framebuffer::LoadClears;
use crate::internal::Fill;
use ash::vk;
use backend_common::clear_color::{converted, kind_of};
use pipe::{CapBits, Clear, ClearMask, MAX_COLOR_ATTACHMENTS};
use pipe_inputs::Told;

impl VulkanBackend {
    pub(crate) fn clear_buffers(&mut self, told: Told<'_>, p: &Clear) -> Option<()> {
        let state = *told.inputs.render_state();
        // GL 4.6 core §14.1: with RASTERIZER_DISCARD, Clear and ClearBuffer* are ignored.
        if state.caps().contains(CapBits::RASTERIZER_DISCARD) {
            return Some(());
        }
        self.recording()?;
        self.ensure_target(told);
        let target = self.target.target.clone();
        let mask = ClearMask::from_bits_truncate(p.mask);
        let encodes = state.caps().contains(CapBits::FRAMEBUFFER_SRGB);
        let cut = (state.scissors.enabled & 1 != 0).then_some(&state.scissors.rects[0]);
        let rect = scissor(cut, target.width, target.height);
        if rect.extent.width == 0 || rect.extent.height == 0 {
            return Some(());
        }
        let whole = rect.extent.width == target.width && rect.extent.height == target.height;
        let mut load = LoadClears::default();
        let mut fills = Vec::new();
        if mask.contains(ClearMask::COLOR) {
            for output in 0..MAX_COLOR_ATTACHMENTS {
                let chosen = p.draw_buffer < 0 || p.draw_buffer as usize == output;
                let Some(attachment) = target.colors[output].filter(|_| chosen) else {
                    continue;
                };
                let (bits, kind) = match whole_color_kind(told, p, output) {
                    Some(kind) => (converted(p.color, p.color_kind, kind), kind),
                    None => (p.color, p.color_kind),
                };
                let (value, fill) = color_value(bits, kind);
                // What GL's format lacks needs no mask.
                let has_alpha = target.formats.opaque & (1 << output) == 0;
                let all = if has_alpha { 0xF } else { 0x7 };
                match state.blend.color_masks[output] & all {
                    0 => {}
                    m if m == all => load.colors[output] = Some(value),
                    m => fills.push((attachment, fill, bits, u32::from(m))),
                }
            }
        }
        if mask.contains(ClearMask::DEPTH)
            && target.depth.is_some()
            && state.depth_stencil.depth_write != 0
        {
            load.depth = Some(p.depth.clamp(0.0, 1.0));
        }
        if mask.contains(ClearMask::STENCIL)
            && let Some(attachment) = target.stencil
        {
            // GL 4.6 core §17.4.2: clears use the front faces' stencil mask.
            match state.stencil_ref.front_write_mask & 0xFF {
                0 => {}
                0xFF => load.stencil = Some(p.stencil as u32 & 0xFF),
                m => fills.push((attachment, Fill::Stencil, [p.stencil as u32 & 0xFF; 4], m)),
            }
        }
        let any = load.colors.iter().any(Option::is_some)
            || load.depth.is_some()
            || load.stencil.is_some();
        if any {
            let open = self.commands.in_pass() && self.target.open == self.target.number;
            if whole && !open {
                self.ensure_pass(Some(&load))?;
            } else {
                let cb = self.ensure_pass(None)?;
                self.clear_attachments(cb, &load, rect, target.layers);
            }
        }
        for (attachment, fill, value, mask) in fills {
            self.fill(&attachment, encodes, rect, fill, value, mask)?;
        }
        Some(())
    }

    fn clear_attachments(
        &mut self,
        cb: vk::CommandBuffer,
        load: &LoadClears,
        rect: vk::Rect2D,
        layers: u32,
    ) {
        let mut clears = Vec::new();
        for (output, color) in load.colors.iter().enumerate() {
            if let Some(color) = color {
                clears.push(vk::ClearAttachment {
                    aspect_mask: vk::ImageAspectFlags::COLOR,
                    color_attachment: output as u32,
                    clear_value: vk::ClearValue { color: *color },
                });
            }
        }
        let mut aspects = vk::ImageAspectFlags::empty();
        if load.depth.is_some() {
            aspects |= vk::ImageAspectFlags::DEPTH;
        }
        if load.stencil.is_some() {
            aspects |= vk::ImageAspectFlags::STENCIL;
        }
        if !aspects.is_empty() {
            clears.push(vk::ClearAttachment {
                aspect_mask: aspects,
                color_attachment: 0,
                clear_value: vk::ClearValue {
                    depth_stencil: vk::ClearDepthStencilValue {
                        depth: load.depth.unwrap_or(0.0),
                        stencil: load.stencil.unwrap_or(0),
                    },
                },
            });
        }
        let rects = [vk::ClearRect {
            rect,
            base_array_layer: 0,
            layer_count: layers,
        }];
        // SAFETY: rules 1 and 2; the rectangle was cut to the target.
        unsafe {
            self.gpu.device.cmd_clear_attachments(cb, &clears, &rects);
        }
    }
}

/// glClear writes one value into attachments of all kinds: which numbers this output has. Nothing for glClearBuffer, which says its kind.
fn whole_color_kind(told: Told<'_>, p: &Clear, output: usize) -> Option<u32> {
    let fb = told.inputs.framebuffer();
    let index = usize::try_from(*fb.draw_buffers.get(output)?).ok()?;
    (p.draw_buffer < 0).then(|| kind_of(fb.color[index].format))
}

fn color_value(bits: [u32; 4], kind: u32) -> (vk::ClearColorValue, Fill) {
    match kind {
        1 => {
            let int32 = bits.map(u32::cast_signed);
            (vk::ClearColorValue { int32 }, Fill::Int)
        }
        2 => (vk::ClearColorValue { uint32: bits }, Fill::Uint),
        _ => {
            let float32 = bits.map(f32::from_bits);
            (vk::ClearColorValue { float32 }, Fill::Float)
        }
    }
}
