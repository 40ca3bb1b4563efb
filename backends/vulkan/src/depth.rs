//! Clip-space depth: the one place that knows that GL's runs from -1 to 1 and Vulkan's from 0 to 1. It never touches x or y.
//!
//! With VK_EXT_depth_clip_control the pipeline takes GL's range as it is. Without it the last vertex-processing stage ends with
//! `z = (z + w) / 2`, switched on by a specialisation constant ([`pipe::program::SPEC_DEPTH_ZERO_TO_ONE`]). glClipControl with
//! GL_ZERO_TO_ONE needs neither. The depth range itself maps to the viewport's minDepth and maxDepth in every case.

use crate::features::Features;
use pipe::render_state::{DepthRange, RenderState};

const ZERO_TO_ONE: u16 = 0x935F;

/// How a pipeline gets GL's clip-space depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClipDepth {
    /// Vulkan's own range.
    Native,
    /// `negativeOneToOne` of the viewport state.
    Control,
    /// The specialisation constant.
    Shader,
}

/// The way for this state on this device.
pub fn clip_depth(features: &Features, state: &RenderState) -> ClipDepth {
    if state.raster.clip_depth_mode == ZERO_TO_ONE {
        ClipDepth::Native
    } else if features.ext.depth_clip_control {
        ClipDepth::Control
    } else {
        ClipDepth::Shader
    }
}

/// The viewport's depth bounds; GL clamped them to [0, 1] when they were set.
pub fn bounds(range: &DepthRange) -> [f32; 2] {
    [range.near as f32, range.far as f32]
}
