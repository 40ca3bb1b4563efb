//! Which way is up: the one place that turns GL's window coordinates into Vulkan's. It never touches depth ([`crate::depth`]).
//!
//! # The convention
//!
//! **Every image holds GL's bottom row at row 0**, textures and render targets alike, so that uploads, readbacks, copies and
//! sampling need no flip at all. GL's window y then *is* the row number:
//!
//! * A Vulkan viewport of positive height maps clip-space y = -1 to its row `y`, the smallest. GL's viewport maps -1 to its bottom,
//!   row `y` here. They agree, so the viewport is passed on as it is, and so are scissors, `gl_FragCoord` and blit rectangles.
//! * Vulkan computes a polygon's signed area with y counted downwards on its screen, GL with y counted upwards. With equal numeric
//!   coordinates the two areas have opposite signs (Vulkan 1.1 "Basic Polygon Rasterization"; GL 4.6 core §14.6.1), so that GL's
//!   counter-clockwise is what Vulkan *names* clockwise.
//! * `PointCoord` counts from the smallest row; GL's default origin UPPER_LEFT counts from the largest. It is flipped by a
//!   specialisation constant unless the origin is LOWER_LEFT.
//! * glClipControl(GL_UPPER_LEFT) negates clip-space y: a viewport of negative height. The winding as the application defines it in
//!   clip space stays, so the face changes once more (ARB_clip_control, issue about culling).
//! * Only presentation to a window turns the image over, as windows start at their top row.

use ash::vk;
use pipe::render_state::{RenderState, Viewport};

const CW: u16 = 0x0900;
const UPPER_LEFT: u16 = 0x8CA2;

/// GL's front face under the name that Vulkan gives it.
pub fn front_face(state: &RenderState) -> vk::FrontFace {
    let clockwise = state.raster.front_face == CW;
    let flipped = state.raster.clip_origin == UPPER_LEFT;
    if clockwise == flipped {
        vk::FrontFace::CLOCKWISE
    } else {
        vk::FrontFace::COUNTER_CLOCKWISE
    }
}

/// A viewport; `clip_origin` is the render state's.
pub fn viewport(rect: &Viewport, depth: [f32; 2], clip_origin: u16) -> vk::Viewport {
    let upper_left = clip_origin == UPPER_LEFT;
    vk::Viewport {
        x: rect.x,
        y: if upper_left {
            rect.y + rect.height
        } else {
            rect.y
        },
        width: rect.width,
        height: if upper_left {
            -rect.height
        } else {
            rect.height
        },
        min_depth: depth[0],
        max_depth: depth[1],
    }
}

/// Whether `gl_PointCoord.y` is to be turned over.
pub fn point_coord_flips(state: &RenderState) -> bool {
    state.raster.point_sprite_origin == UPPER_LEFT
}

/// Corners of the blit that shows a drawable in a window: rows count from the bottom there and from the top here. Of different sizes,
/// the upper left corners lie on each other and nothing is scaled. `(source, destination)`.
pub fn present_region(
    drawable: [u32; 2],
    window: [u32; 2],
) -> ([vk::Offset3D; 2], [vk::Offset3D; 2]) {
    let width = drawable[0].min(window[0]) as i32;
    let height = drawable[1].min(window[1]) as i32;
    let top = drawable[1] as i32;
    let corner = |x, y, z| vk::Offset3D { x, y, z };
    (
        [corner(0, top - height, 0), corner(width, top, 1)],
        [corner(0, height, 0), corner(width, 0, 1)],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawable_and_window_of_other_sizes_share_their_upper_left_corner() {
        let rows = |(src, dst): ([vk::Offset3D; 2], [vk::Offset3D; 2])| {
            [src[0].y, src[1].y, dst[0].y, dst[1].y]
        };
        assert_eq!(rows(present_region([8, 8], [8, 8])), [0, 8, 8, 0]);
        assert_eq!(rows(present_region([8, 8], [8, 6])), [2, 8, 6, 0]);
        assert_eq!(rows(present_region([8, 8], [8, 12])), [0, 8, 8, 0]);
    }
}
