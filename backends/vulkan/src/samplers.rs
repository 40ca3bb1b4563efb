//! Sampler objects: GL's parameters as a VkSampler. Wrap, filter and compare only; swizzle and levels belong to views.
#![allow(unsafe_code)]

use crate::backend::VulkanBackend;
use crate::features::Features;
use ash::vk;
use pipe::SamplerDesc;

fn wrap(features: &Features, mode: u16) -> vk::SamplerAddressMode {
    match mode {
        0x812F => vk::SamplerAddressMode::CLAMP_TO_EDGE,
        // GL_CLAMP (compatibility) lies between edge and border; border is its limit for nearest filters.
        0x812D | 0x2900 => vk::SamplerAddressMode::CLAMP_TO_BORDER,
        0x8370 => vk::SamplerAddressMode::MIRRORED_REPEAT,
        0x8743 if features.ext.mirror_clamp => vk::SamplerAddressMode::MIRROR_CLAMP_TO_EDGE,
        0x8743 => vk::SamplerAddressMode::MIRRORED_REPEAT,
        _ => vk::SamplerAddressMode::REPEAT,
    }
}

/// A GL comparison function.
pub fn compare_op(func: u16) -> vk::CompareOp {
    match func {
        0x0200 => vk::CompareOp::NEVER,
        0x0201 => vk::CompareOp::LESS,
        0x0202 => vk::CompareOp::EQUAL,
        0x0203 => vk::CompareOp::LESS_OR_EQUAL,
        0x0204 => vk::CompareOp::GREATER,
        0x0205 => vk::CompareOp::NOT_EQUAL,
        0x0206 => vk::CompareOp::GREATER_OR_EQUAL,
        _ => vk::CompareOp::ALWAYS,
    }
}

/// Minification filter, mipmap mode, whether levels beyond the base are used at all.
fn min_filter(filter: u16) -> (vk::Filter, vk::SamplerMipmapMode, bool) {
    use vk::{Filter as F, SamplerMipmapMode as M};
    match filter {
        0x2600 => (F::NEAREST, M::NEAREST, false),
        0x2601 => (F::LINEAR, M::NEAREST, false),
        0x2700 => (F::NEAREST, M::NEAREST, true),
        0x2701 => (F::LINEAR, M::NEAREST, true),
        0x2702 => (F::NEAREST, M::LINEAR, true),
        _ => (F::LINEAR, M::LINEAR, true),
    }
}

const LINEAR: u16 = 0x2601;
const COMPARE_REF_TO_TEXTURE: u16 = 0x884E;
/// Lets only the base level through but keeps the choice between minification and magnification (Vulkan 1.1, mapping of OpenGL
/// filters to VkSamplerCreateInfo).
const BASE_LEVEL_ONLY: f32 = 0.25;

/// The fixed border colour that is nearest to the wanted one, and whether it is the wanted one.
fn fixed_border(desc: &SamplerDesc) -> (vk::BorderColor, bool) {
    let integer = desc.border_form != 0;
    let bits = desc.border_color;
    let one = if integer { 1 } else { 1.0_f32.to_bits() };
    let exact = |rgb: u32, a: u32| bits == [rgb, rgb, rgb, a];
    if exact(0, 0) {
        let transparent = if integer {
            vk::BorderColor::INT_TRANSPARENT_BLACK
        } else {
            vk::BorderColor::FLOAT_TRANSPARENT_BLACK
        };
        return (transparent, true);
    }
    let bright = |b: u32| {
        if integer {
            b != 0
        } else {
            f32::from_bits(b) >= 0.5
        }
    };
    match (bits[..3].iter().any(|b| bright(*b)), integer) {
        (true, false) => (vk::BorderColor::FLOAT_OPAQUE_WHITE, exact(one, one)),
        (true, true) => (vk::BorderColor::INT_OPAQUE_WHITE, exact(one, one)),
        (false, false) => (vk::BorderColor::FLOAT_OPAQUE_BLACK, exact(0, one)),
        (false, true) => (vk::BorderColor::INT_OPAQUE_BLACK, exact(0, one)),
    }
}

fn custom_border_usable(features: &Features) -> bool {
    features.ext.custom_border_color && features.border_color_without_format
}

impl VulkanBackend {
    /// The VkSampler of a description.
    pub(crate) fn make_sampler(&mut self, desc: &SamplerDesc) -> Option<vk::Sampler> {
        let limits = self.gpu.limits();
        let (min, mip, mipmapped) = min_filter(desc.min_filter);
        let anisotropy = desc
            .max_anisotropy
            .clamp(1.0, limits.max_sampler_anisotropy.max(1.0));
        let bias = limits.max_sampler_lod_bias;
        let (mut border, exact) = fixed_border(desc);
        let value = if desc.border_form == 0 {
            vk::ClearColorValue {
                float32: desc.border_color.map(f32::from_bits),
            }
        } else {
            vk::ClearColorValue {
                uint32: desc.border_color,
            }
        };
        let mut custom =
            vk::SamplerCustomBorderColorCreateInfoEXT::default().custom_border_color(value);
        let use_custom = !exact && custom_border_usable(&self.gpu.features);
        if use_custom {
            border = if desc.border_form == 0 {
                vk::BorderColor::FLOAT_CUSTOM_EXT
            } else {
                vk::BorderColor::INT_CUSTOM_EXT
            };
        }
        let (min_lod, max_lod) = if mipmapped {
            (desc.min_lod, desc.max_lod.max(desc.min_lod))
        } else {
            (0.0, BASE_LEVEL_ONLY)
        };
        let mut info = vk::SamplerCreateInfo::default()
            .mag_filter(if desc.mag_filter == LINEAR {
                vk::Filter::LINEAR
            } else {
                vk::Filter::NEAREST
            })
            .min_filter(min)
            .mipmap_mode(mip)
            .address_mode_u(wrap(&self.gpu.features, desc.wrap_s))
            .address_mode_v(wrap(&self.gpu.features, desc.wrap_t))
            .address_mode_w(wrap(&self.gpu.features, desc.wrap_r))
            .mip_lod_bias(desc.lod_bias.clamp(-bias, bias))
            .anisotropy_enable(anisotropy > 1.0 && self.gpu.features.core.sampler_anisotropy)
            .max_anisotropy(anisotropy)
            .compare_enable(desc.compare_mode == COMPARE_REF_TO_TEXTURE)
            .compare_op(compare_op(desc.compare_func))
            .min_lod(min_lod)
            .max_lod(max_lod)
            .border_color(border);
        if use_custom {
            info = info.push_next(&mut custom);
        }
        // SAFETY: rule 4.
        let sampler = unsafe { self.gpu.device.create_sampler(&info, None) };
        self.gpu.check(sampler)
    }
}
