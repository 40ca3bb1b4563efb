//! Dynamic state: viewports, scissors, references and the like, recorded when the render state or the target moved.
#![allow(unsafe_code)]

use crate::backend::VulkanBackend;
use crate::{depth, orientation};
use ash::vk;
use pipe::render_state::{RenderState, WindowRect};
use smallvec::SmallVec;

/// A scissor rectangle cut to the target; GL's may reach beyond it, Vulkan's offset may not be negative.
pub fn scissor(rect: Option<&WindowRect>, width: u32, height: u32) -> vk::Rect2D {
    let (w, h) = (width as i32, height as i32);
    let (x0, y0, x1, y1) = match rect {
        None => (0, 0, w, h),
        Some(r) => (
            r.x.clamp(0, w),
            r.y.clamp(0, h),
            r.x.saturating_add(r.width).clamp(0, w),
            r.y.saturating_add(r.height).clamp(0, h),
        ),
    };
    vk::Rect2D {
        offset: vk::Offset2D { x: x0, y: y0 },
        extent: vk::Extent2D {
            width: (x1 - x0).max(0) as u32,
            height: (y1 - y0).max(0) as u32,
        },
    }
}

impl VulkanBackend {
    /// Records all dynamic state.
    pub(crate) fn record_dynamic(
        &mut self,
        cb: vk::CommandBuffer,
        state: &RenderState,
        viewports: u32,
    ) {
        let (width, height) = (self.target.target.width, self.target.target.height);
        let limits = self.gpu.limits();
        let features = self.gpu.features.core;
        let mut views: SmallVec<[vk::Viewport; 1]> = SmallVec::new();
        let mut cuts: SmallVec<[vk::Rect2D; 1]> = SmallVec::new();
        for i in 0..viewports as usize {
            let rect = &state.viewports.rects[i];
            let enabled = state.scissors.enabled & (1 << i) != 0;
            let mut cut = scissor(enabled.then_some(&state.scissors.rects[i]), width, height);
            let bounds = depth::bounds(&state.depth_ranges.ranges[i]);
            let mut view = orientation::viewport(rect, bounds, state.raster.clip_origin);
            if rect.width <= 0.0 || rect.height == 0.0 {
                // GL draws nothing into an empty viewport; Vulkan has none.
                view.width = 1.0;
                view.height = 1.0;
                cut.extent = vk::Extent2D::default();
            }
            views.push(view);
            cuts.push(cut);
        }
        let s = &state.stencil_ref;
        let line_width = if features.wide_lines {
            state
                .primitive
                .line_width
                .clamp(limits.line_width_range[0], limits.line_width_range[1])
        } else {
            1.0
        };
        let bias_clamp = if features.depth_bias_clamp {
            state.primitive.polygon_offset_clamp
        } else {
            0.0
        };
        let (front, back) = (vk::StencilFaceFlags::FRONT, vk::StencilFaceFlags::BACK);
        let reference = |value: i32| value.clamp(0, 255) as u32;
        let d = &self.gpu.device;
        // SAFETY: rule 2; all values lie in the ranges that the device's limits give.
        unsafe {
            d.cmd_set_viewport(cb, 0, &views);
            d.cmd_set_scissor(cb, 0, &cuts);
            d.cmd_set_line_width(cb, line_width);
            d.cmd_set_depth_bias(
                cb,
                state.primitive.polygon_offset_units,
                bias_clamp,
                state.primitive.polygon_offset_factor,
            );
            d.cmd_set_blend_constants(cb, &state.blend_color.rgba);
            d.cmd_set_stencil_compare_mask(cb, front, s.front_value_mask);
            d.cmd_set_stencil_compare_mask(cb, back, s.back_value_mask);
            d.cmd_set_stencil_write_mask(cb, front, s.front_write_mask);
            d.cmd_set_stencil_write_mask(cb, back, s.back_write_mask);
            d.cmd_set_stencil_reference(cb, front, reference(s.front_ref));
            d.cmd_set_stencil_reference(cb, back, reference(s.back_ref));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scissor_beyond_the_target_is_cut_to_it() {
        let rect = WindowRect {
            x: -5,
            y: 3,
            width: i32::MAX,
            height: 100,
        };
        let cut = scissor(Some(&rect), 10, 10);
        assert_eq!((cut.offset.x, cut.offset.y), (0, 3));
        assert_eq!((cut.extent.width, cut.extent.height), (10, 7));
    }
}
