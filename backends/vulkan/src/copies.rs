//! Copies between resources that are not framebuffers: glCopyImageSubData, glCopyTexSubImage, buffers. Boxes are the client's care.

use crate::backend::VulkanBackend;
use crate::images::ImageKey;
use ash::vk;
use pipe::{CopyRegion, Resource, ResourceRef, SubRegion};

/// An end of a copy.
struct End {
    image: ImageKey,
    level: u32,
    layer: u32,
    format: pipe::Format,
}

impl VulkanBackend {
    pub(crate) fn copy_region(&mut self, p: &CopyRegion) -> Option<()> {
        if let (Resource::Buffer(src), Resource::Buffer(dst)) = (p.src.get(), p.dst.get()) {
            self.copy_buffer(src, dst, p);
            return Some(());
        }
        let src = self.end_of(p.src, p.src_level)?;
        let dst = self.end_of(p.dst, p.dst_level)?;
        let (a, b) = (*self.gpu.format(src.format), *self.gpu.format(dst.format));
        let (from, to) = (self.images.get(src.image)?, self.images.get(dst.image)?);
        let (src_layers, dst_layers) = (from.z_is_layer(), to.z_is_layer());
        let same = a.vk == b.vk || (a.linear == b.linear && a.texel == b.texel);
        let box3 = p.src_box;
        if !same || src_layers != dst_layers || (a.hides_alpha && !b.hides_alpha) {
            return self.copy_through_host(p, &src, &dst);
        }
        let place = |end: &End, z: i32, is_layer: bool| {
            let layers = vk::ImageSubresourceLayers {
                aspect_mask: a.all_aspects(),
                mip_level: end.level,
                base_array_layer: if is_layer { end.layer + z as u32 } else { 0 },
                layer_count: if is_layer { box3.depth } else { 1 },
            };
            (layers, if is_layer { 0 } else { z })
        };
        let (src_subresource, src_z) = place(&src, box3.z, src_layers);
        let (dst_subresource, dst_z) = place(&dst, p.dst_z, dst_layers);
        let region = vk::ImageCopy {
            src_subresource,
            src_offset: vk::Offset3D {
                x: box3.x,
                y: box3.y,
                z: src_z,
            },
            dst_subresource,
            dst_offset: vk::Offset3D {
                x: p.dst_x,
                y: p.dst_y,
                z: dst_z,
            },
            extent: vk::Extent3D {
                width: box3.width,
                height: box3.height,
                depth: if src_layers { 1 } else { box3.depth },
            },
        };
        self.copy_image_regions(src.image, dst.image, &[region]);
        Some(())
    }

    fn end_of(&self, resource: ResourceRef, level: u16) -> Option<End> {
        match resource.get() {
            Resource::Texture(id) => {
                let texture = self.textures.get(id)?;
                Some(End {
                    image: texture.image?,
                    level: u32::from(level) + texture.min_level,
                    layer: texture.min_layer,
                    format: texture.desc.format,
                })
            }
            Resource::Renderbuffer(id) => {
                let image = *self.renderbuffers.get(id)?;
                Some(End {
                    image,
                    level: 0,
                    layer: 0,
                    format: self.images.get(image)?.spec.format,
                })
            }
            Resource::Buffer(_) | Resource::None => None,
        }
    }

    /// Canonical bytes down and up again: for formats whose device texels differ though GL's texels have one size, and between
    /// layers and slices. Correct, and slow.
    fn copy_through_host(&mut self, p: &CopyRegion, src: &End, dst: &End) -> Option<()> {
        let bytes = self.download_texels(src.image, src.level, src.layer, src.format, p.src_box)?;
        let (from, to) = (
            src.format.info().storage.bytes,
            dst.format.info().storage.bytes,
        );
        if from != to {
            self.fail(&format!(
                "a copy from {} to {}",
                src.format.info().name,
                dst.format.info().name
            ));
            return Some(());
        }
        let region = SubRegion {
            dst: pipe::Box3 {
                x: p.dst_x,
                y: p.dst_y,
                z: p.dst_z,
                ..p.src_box
            },
            src_offset_bytes: 0,
            src_row_stride_bytes: 0,
            src_slice_stride_bytes: 0,
        };
        self.upload_texels(
            dst.image,
            dst.level,
            dst.layer,
            dst.format,
            &[region],
            &bytes,
        );
        Some(())
    }
}
