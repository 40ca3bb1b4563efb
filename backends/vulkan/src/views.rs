//! Image views: which levels, layers, format and swizzle a use sees; cached with their storage. It changes no image.
#![allow(unsafe_code)]

use crate::backend::VulkanBackend;
use crate::blank::Subresources;
use crate::images::{ImageKey, Texture};
use ash::vk;
use pipe::{Format, SamplerViewDesc, Target, TextureParams};

/// What distinguishes one view of a storage from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewKey {
    pub ty: vk::ImageViewType,
    pub format: vk::Format,
    pub swizzle: [vk::ComponentSwizzle; 4],
    pub aspects: vk::ImageAspectFlags,
    pub level: u32,
    pub levels: u32,
    pub layer: u32,
    pub layers: u32,
}

impl ViewKey {
    /// What can be seen through it.
    pub fn subresources(&self) -> Subresources {
        Subresources {
            level: self.level,
            levels: self.levels,
            layer: self.layer,
            layers: self.layers,
        }
    }
}

/// No swizzle.
pub const IDENTITY: [vk::ComponentSwizzle; 4] = [vk::ComponentSwizzle::IDENTITY; 4];

const GL_STENCIL_INDEX: u16 = 0x1901;

/// The view type that a shader declares for a target.
pub fn view_type(target: Target) -> vk::ImageViewType {
    match target {
        Target::Texture1D => vk::ImageViewType::TYPE_1D,
        Target::Texture1DArray => vk::ImageViewType::TYPE_1D_ARRAY,
        Target::Texture2D
        | Target::TextureRectangle
        | Target::Texture2DMultisample
        | Target::Renderbuffer
        | Target::Buffer
        | Target::TextureBuffer => vk::ImageViewType::TYPE_2D,
        Target::Texture3D => vk::ImageViewType::TYPE_3D,
        Target::TextureCube => vk::ImageViewType::CUBE,
        Target::TextureCubeArray => vk::ImageViewType::CUBE_ARRAY,
        Target::Texture2DArray | Target::Texture2DMultisampleArray => {
            vk::ImageViewType::TYPE_2D_ARRAY
        }
    }
}

/// A swizzle parameter applied to what the format shows (GL 4.6 core §15.2.1).
fn select(param: u16, shown: [vk::ComponentSwizzle; 4]) -> vk::ComponentSwizzle {
    match param {
        0x1903 => shown[0],
        0x1904 => shown[1],
        0x1905 => shown[2],
        0x1906 => shown[3],
        1 => vk::ComponentSwizzle::ONE,
        _ => vk::ComponentSwizzle::ZERO,
    }
}

impl VulkanBackend {
    /// The view of a storage, from its cache.
    pub(crate) fn view(&mut self, key: ImageKey, wanted: ViewKey) -> Option<vk::ImageView> {
        let image = self.images.get(key)?;
        if let Some((_, view)) = image.views.iter().find(|(k, _)| *k == wanted) {
            return Some(*view);
        }
        // A view may not claim uses that its format lacks: an sRGB view of a storage image has no storage.
        let mut usage = image.usage;
        if wanted.format != image.vk_format {
            usage &= !vk::ImageUsageFlags::STORAGE;
        }
        let mut usage_info = vk::ImageViewUsageCreateInfo::default().usage(usage);
        let info = vk::ImageViewCreateInfo::default()
            .image(image.raw.image)
            .view_type(wanted.ty)
            .format(wanted.format)
            .components(vk::ComponentMapping {
                r: wanted.swizzle[0],
                g: wanted.swizzle[1],
                b: wanted.swizzle[2],
                a: wanted.swizzle[3],
            })
            .subresource_range(vk::ImageSubresourceRange {
                aspect_mask: wanted.aspects,
                base_mip_level: wanted.level,
                level_count: wanted.levels,
                base_array_layer: wanted.layer,
                layer_count: wanted.layers,
            })
            .push_next(&mut usage_info);
        // SAFETY: rules 1 and 4.
        let view = unsafe { self.gpu.device.create_image_view(&info, None) };
        let view = self.gpu.check(view)?;
        self.images.get_mut(key)?.views.push((wanted, view));
        Some(view)
    }

    /// What a sampler sees through a sampler view of a texture.
    pub(crate) fn sampled_view(
        &self,
        texture: &Texture,
        desc: &SamplerViewDesc,
    ) -> Option<(ImageKey, ViewKey)> {
        let key = texture.image?;
        let image = self.images.get(key)?;
        let format = if desc.format == Format::None {
            texture.desc.format
        } else {
            desc.format
        };
        let device = self.gpu.format(format);
        let params: Option<&TextureParams> = texture.params.as_ref();
        let (base, max) = params.map_or((0, u32::from(u16::MAX)), |p| {
            (u32::from(p.base_level), u32::from(p.max_level))
        });
        // Levels of this texture object, then of its storage.
        let own_levels = u32::from(texture.desc.levels.max(1));
        let first = u32::from(desc.min_level)
            .saturating_add(base)
            .min(own_levels - 1);
        let limit = u32::from(desc.min_level)
            .saturating_add(u32::from(desc.levels.max(1)))
            .min(own_levels)
            .min(max.saturating_add(1))
            .max(first + 1);
        let level = (texture.min_level + first).min(image.spec.levels - 1);
        let levels = (limit - first).min(image.spec.levels - level);
        let layer = (texture.min_layer + u32::from(desc.min_layer)).min(image.spec.layers - 1);
        let ty = view_type(desc.target);
        let per_type = match ty {
            vk::ImageViewType::TYPE_1D
            | vk::ImageViewType::TYPE_2D
            | vk::ImageViewType::TYPE_3D => 1,
            vk::ImageViewType::CUBE => 6,
            _ => u32::from(desc.layers.max(1)),
        };
        let layers = if ty == vk::ImageViewType::TYPE_3D {
            1
        } else {
            per_type.min(image.spec.layers - layer)
        };
        let mut aspects = device.aspects;
        let stencil = params.is_some_and(|p| p.depth_stencil_mode == GL_STENCIL_INDEX);
        if aspects.contains(vk::ImageAspectFlags::DEPTH | vk::ImageAspectFlags::STENCIL) {
            aspects = if stencil {
                vk::ImageAspectFlags::STENCIL
            } else {
                vk::ImageAspectFlags::DEPTH
            };
        }
        let shown = device.swizzle;
        let swizzle = params.map_or(shown, |p| p.swizzle.map(|s| select(s, shown)));
        Some((
            key,
            ViewKey {
                ty,
                format: device.vk,
                swizzle,
                aspects,
                level,
                levels,
                layer,
                layers,
            },
        ))
    }
}
