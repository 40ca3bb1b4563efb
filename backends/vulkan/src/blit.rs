//! glBlitFramebuffer and mipmaps: transfers between images. Rectangles are cut here; formats are the client's care.
#![allow(unsafe_code)]

use crate::backend::VulkanBackend;
use crate::blank::{Reach, Subresources};
use crate::commands::Access;
use crate::dynamic::scissor;
use crate::encodings::without_encoding;
use crate::framebuffer::Place;
use crate::internal::Fill;
use ash::vk;
use pipe::{Blit, CapBits, ClearMask, GenerateMipmap};
use pipe_inputs::Told;

/// One axis of a blit: source and destination intervals; reversed means mirrored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub src: [i32; 2],
    pub dst: [i32; 2],
}

/// Cuts an axis to its bounds, keeping the mapping. `None`: nothing is left. Scaled cuts round to whole texels.
pub fn cut(span: Span, src_size: i32, dst_bounds: [i32; 2]) -> Option<Span> {
    let (s, d) = (span.src.map(f64::from), span.dst.map(f64::from));
    if s[0] == s[1] || d[0] == d[1] {
        return None;
    }
    let scale = (s[1] - s[0]) / (d[1] - d[0]);
    let to_src = |x: f64| s[0] + (x - d[0]) * scale;
    let to_dst = |x: f64| d[0] + (x - s[0]) / scale;
    // The destination interval that is inside both bounds, ascending.
    let inside = [to_dst(0.0), to_dst(f64::from(src_size))];
    let low = inside[0]
        .min(inside[1])
        .max(d[0].min(d[1]))
        .max(f64::from(dst_bounds[0]));
    let high = inside[0]
        .max(inside[1])
        .min(d[0].max(d[1]))
        .min(f64::from(dst_bounds[1]));
    if low >= high {
        return None;
    }
    let ends = if d[0] < d[1] {
        [low, high]
    } else {
        [high, low]
    };
    let dst = ends.map(|x| x.round() as i32);
    let src = ends.map(|x| (to_src(x).round() as i32).clamp(0, src_size));
    (dst[0] != dst[1] && src[0] != src[1]).then_some(Span { src, dst })
}

/// One layer of a place's level.
pub fn subresource(place: &Place, aspects: vk::ImageAspectFlags) -> vk::ImageSubresourceLayers {
    vk::ImageSubresourceLayers {
        aspect_mask: aspects,
        mip_level: place.level,
        base_array_layer: place.layer,
        layer_count: 1,
    }
}

impl VulkanBackend {
    /// Layers of 3D images are slices: where a place's layer stands in offsets.
    pub(crate) fn split_layer(&self, place: &Place) -> (Place, i32) {
        let is_3d = self
            .images
            .get(place.image)
            .is_some_and(|i| !i.z_is_layer());
        if is_3d {
            (Place { layer: 0, ..*place }, place.layer as i32)
        } else {
            (*place, 0)
        }
    }

    pub(crate) fn blit_framebuffer(&mut self, told: Told<'_>, p: &Blit) -> Option<()> {
        self.recording()?;
        self.ensure_target(told);
        let framebuffer = *told.inputs.framebuffer();
        let state = told.inputs.render_state();
        let target = self.target.target.clone();
        let encodes = state.caps().contains(CapBits::FRAMEBUFFER_SRGB);
        let mask = ClearMask::from_bits_truncate(p.mask);
        let rect = (state.scissors.enabled & 1 != 0).then_some(&state.scissors.rects[0]);
        let bounds = scissor(rect, target.width, target.height);
        let mut pairs = Vec::new();
        if mask.contains(ClearMask::COLOR)
            && let Some(src) = self.place(&framebuffer.read.color, true, true)
        {
            for attachment in target.colors.iter().flatten() {
                let dst = Place {
                    image: attachment.image,
                    format: attachment.format,
                    level: attachment.level,
                    layer: attachment.layer,
                    layers: 1,
                };
                pairs.push((src, dst, vk::ImageAspectFlags::COLOR));
            }
        }
        let whole = |a: &crate::framebuffer::Attachment| Place {
            image: a.image,
            format: a.format,
            level: a.level,
            layer: a.layer,
            layers: 1,
        };
        let depth = mask.contains(ClearMask::DEPTH);
        let stencil = mask.contains(ClearMask::STENCIL);
        if depth
            && let (Some(src), Some(dst)) = (
                self.place(&framebuffer.read.depth, true, false),
                &target.depth,
            )
        {
            pairs.push((src, whole(dst), vk::ImageAspectFlags::DEPTH));
        }
        if stencil
            && let (Some(src), Some(dst)) = (
                self.place(&framebuffer.read.stencil, true, false),
                &target.stencil,
            )
        {
            pairs.push((src, whole(dst), vk::ImageAspectFlags::STENCIL));
        }
        for (src, dst, aspect) in pairs {
            self.blit_place(p, &src, &dst, aspect, bounds, encodes)?;
        }
        Some(())
    }

    fn blit_place(
        &mut self,
        p: &Blit,
        src: &Place,
        dst: &Place,
        aspect: vk::ImageAspectFlags,
        bounds: vk::Rect2D,
        encodes: bool,
    ) -> Option<()> {
        let (from, to) = (self.images.get(src.image)?, self.images.get(dst.image)?);
        let size = from.level_extent(src.level);
        let (b, e) = (bounds.offset, bounds.extent);
        let x = Span {
            src: [p.src[0], p.src[2]],
            dst: [p.dst[0], p.dst[2]],
        };
        let y = Span {
            src: [p.src[1], p.src[3]],
            dst: [p.dst[1], p.dst[3]],
        };
        let unscaled = |s: &Span| s.src[1] - s.src[0] == s.dst[1] - s.dst[0];
        let one_to_one = unscaled(&x) && unscaled(&y);
        let x = cut(x, size[0] as i32, [b.x, b.x + e.width as i32]);
        let y = cut(y, size[1] as i32, [b.y, b.y + e.height as i32]);
        let (Some(mut x), Some(mut y)) = (x, y) else {
            return Some(());
        };
        let (src_ms, dst_ms) = (from.spec.samples > 1, to.spec.samples > 1);
        let same_bits = from.vk_format == to.vk_format
            || (aspect == vk::ImageAspectFlags::COLOR
                && !encodes
                && self.gpu.format(src.format).linear == self.gpu.format(dst.format).linear);
        let is_encoded = |place: &Place| without_encoding(place.format).is_some();
        let is_stored = aspect == vk::ImageAspectFlags::COLOR
            && !encodes
            && (is_encoded(src) || is_encoded(dst));
        let lacks_alpha =
            self.gpu.format(src.format).hides_alpha && !self.gpu.format(dst.format).hides_alpha;
        if one_to_one && (!src_ms || dst_ms) && same_bits {
            // Mirroring twice is no mirroring; transfers want ascending ends.
            for span in [&mut x, &mut y] {
                if span.dst[0] > span.dst[1] {
                    span.dst.swap(0, 1);
                    span.src.swap(0, 1);
                }
            }
            let ((src_place, src_z), (dst_place, dst_z)) =
                (self.split_layer(src), self.split_layer(dst));
            let region = vk::ImageCopy {
                src_subresource: subresource(&src_place, aspect),
                src_offset: vk::Offset3D {
                    x: x.src[0],
                    y: y.src[0],
                    z: src_z,
                },
                dst_subresource: subresource(&dst_place, aspect),
                dst_offset: vk::Offset3D {
                    x: x.dst[0],
                    y: y.dst[0],
                    z: dst_z,
                },
                extent: vk::Extent3D {
                    width: (x.dst[1] - x.dst[0]) as u32,
                    height: (y.dst[1] - y.dst[0]) as u32,
                    depth: 1,
                },
            };
            self.copy_image_regions(src.image, dst.image, &[region]);
        } else if is_stored {
            self.blit_stored(src, dst, x, y, p.linear != 0)?;
        } else if src_ms && !dst_ms {
            self.resolve(src, dst, aspect, x, y, p.linear != 0)?;
        } else {
            self.scale(src, dst, aspect, x, y, p.linear != 0)?;
        }
        if lacks_alpha && aspect == vk::ImageAspectFlags::COLOR {
            let attachment = self.attachment(dst, false)?;
            let (x0, x1) = (x.dst[0].min(x.dst[1]), x.dst[0].max(x.dst[1]));
            let (y0, y1) = (y.dst[0].min(y.dst[1]), y.dst[0].max(y.dst[1]));
            let rect = vk::Rect2D {
                offset: vk::Offset2D { x: x0, y: y0 },
                extent: vk::Extent2D {
                    width: (x1 - x0) as u32,
                    height: (y1 - y0) as u32,
                },
            };
            self.fill_alpha(&attachment, rect)?;
        }
        Some(())
    }

    /// A source without alpha gives 1 (GL 4.6 core §18.3.1).
    fn fill_alpha(
        &mut self,
        attachment: &crate::framebuffer::Attachment,
        rect: vk::Rect2D,
    ) -> Option<()> {
        use pipe::formats::Component;
        let (fill, one) = match attachment.format.info().component {
            Component::Int => (Fill::Int, 1),
            Component::Uint => (Fill::Uint, 1),
            Component::None
            | Component::Unorm
            | Component::Snorm
            | Component::Srgb
            | Component::Float => (Fill::Float, 1.0_f32.to_bits()),
        };
        self.fill(attachment, false, rect, fill, [one; 4], 0x8)
    }

    pub(crate) fn scale(
        &mut self,
        src: &Place,
        dst: &Place,
        aspect: vk::ImageAspectFlags,
        x: Span,
        y: Span,
        linear: bool,
    ) -> Option<()> {
        let cb = self.outside()?;
        let can = self
            .gpu
            .format(src.format)
            .features
            .contains(vk::FormatFeatureFlags::BLIT_SRC)
            && self
                .gpu
                .format(dst.format)
                .features
                .contains(vk::FormatFeatureFlags::BLIT_DST);
        if !can || self.images.get(dst.image)?.spec.samples > 1 {
            self.fail(&format!(
                "blit from {} to {} on this device",
                src.format.info().name,
                dst.format.info().name
            ));
            return Some(());
        }
        if src.image == dst.image {
            self.images.get_mut(src.image)?.general = true;
        }
        let ((src_place, src_z), (dst_place, dst_z)) =
            (self.split_layer(src), self.split_layer(dst));
        let source = Subresources::of(&subresource(&src_place, aspect));
        self.make_zeros(src.image, source)?;
        let aspects = self.gpu.format(dst.format).all_aspects();
        let image = self.images.get(dst.image)?;
        let (low, high) = (|e: [i32; 2]| e[0].min(e[1]), |e: [i32; 2]| e[0].max(e[1]));
        let written = image.reach_of_box(
            &subresource(&dst_place, aspect),
            vk::Offset3D {
                x: low(x.dst),
                y: low(y.dst),
                z: dst_z,
            },
            vk::Extent3D {
                width: (high(x.dst) - low(x.dst)) as u32,
                height: (high(y.dst) - low(y.dst)) as u32,
                depth: 1,
            },
            aspect == aspects,
        );
        self.settle(dst.image, written)?;
        let src_layout = self.use_image(
            src.image,
            vk::ImageLayout::TRANSFER_SRC_OPTIMAL,
            Access::Read,
            Reach::Settled,
        )?;
        let dst_layout = self.use_image(
            dst.image,
            vk::ImageLayout::TRANSFER_DST_OPTIMAL,
            Access::Write,
            Reach::Settled,
        )?;
        let corner = |x: i32, y: i32, z: i32| vk::Offset3D { x, y, z };
        let region = [vk::ImageBlit {
            src_subresource: subresource(&src_place, aspect),
            src_offsets: [
                corner(x.src[0], y.src[0], src_z),
                corner(x.src[1], y.src[1], src_z + 1),
            ],
            dst_subresource: subresource(&dst_place, aspect),
            dst_offsets: [
                corner(x.dst[0], y.dst[0], dst_z),
                corner(x.dst[1], y.dst[1], dst_z + 1),
            ],
        }];
        let filter = if linear && aspect == vk::ImageAspectFlags::COLOR {
            vk::Filter::LINEAR
        } else {
            vk::Filter::NEAREST
        };
        let (from, to) = (self.images.get(src.image)?, self.images.get(dst.image)?);
        // SAFETY: rules 1 and 2; both rectangles were cut to their images.
        unsafe {
            self.gpu.device.cmd_blit_image(
                cb,
                from.raw.image,
                src_layout,
                to.raw.image,
                dst_layout,
                &region,
                filter,
            );
        }
        Some(())
    }

    pub(crate) fn make_mipmaps(&mut self, p: &GenerateMipmap) -> Option<()> {
        use vk::FormatFeatureFlags as F;
        let texture = self.textures.get(p.texture)?;
        let (key, min_level, format) = (texture.image?, texture.min_level, texture.desc.format);
        let device = *self.gpu.format(format);
        if !device.features.contains(F::BLIT_SRC | F::BLIT_DST) {
            self.fail(&format!(
                "mipmap generation for {} on this device",
                format.info().name
            ));
            return Some(());
        }
        let linear = device.features.contains(F::SAMPLED_IMAGE_FILTER_LINEAR)
            && device.aspects == vk::ImageAspectFlags::COLOR;
        let filter = if linear {
            vk::Filter::LINEAR
        } else {
            vk::Filter::NEAREST
        };
        let cb = self.outside()?;
        // Levels are read and written by turns: one layout for the whole image.
        self.images.get_mut(key)?;
        let first = min_level + u32::from(p.base_level);
        let image = self.images.get(key)?;
        let last = (min_level + u32::from(p.last_level)).min(image.spec.levels - 1);
        let base = image.subresources(first, 0, image.spec.layers);
        self.make_zeros(key, base)?;
        let made = Subresources {
            level: first + 1,
            levels: last.saturating_sub(first),
            ..base
        };
        let kept = std::mem::replace(&mut self.images.get_mut(key)?.general, true);
        let general = vk::ImageLayout::GENERAL;
        let layout = self.use_image(key, general, Access::Write, Reach::Whole(made));
        self.images.get_mut(key)?.general = kept;
        let layout = layout?;
        for level in first + 1..=last {
            let image = self.images.get(key)?;
            let end = |level: u32| {
                let e = image.level_extent(level);
                [
                    vk::Offset3D::default(),
                    vk::Offset3D {
                        x: e[0] as i32,
                        y: e[1] as i32,
                        z: e[2] as i32,
                    },
                ]
            };
            let layers = |level: u32| vk::ImageSubresourceLayers {
                aspect_mask: device.aspects,
                mip_level: level,
                base_array_layer: 0,
                layer_count: if image.z_is_layer() {
                    image.spec.layers
                } else {
                    1
                },
            };
            let region = [vk::ImageBlit {
                src_subresource: layers(level - 1),
                src_offsets: end(level - 1),
                dst_subresource: layers(level),
                dst_offsets: end(level),
            }];
            // SAFETY: rules 1 and 2; the levels exist.
            unsafe {
                self.gpu.device.cmd_blit_image(
                    cb,
                    image.raw.image,
                    layout,
                    image.raw.image,
                    layout,
                    &region,
                    filter,
                );
            }
            self.commands.full_barrier(&mut self.gpu);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_of_a_mirrored_axis_keeps_which_texel_goes_where() {
        let span = Span {
            src: [0, 4],
            dst: [4, 0],
        };
        let left = cut(span, 4, [0, 3]).expect("three texels are left");
        assert_eq!(left.dst, [3, 0]);
        assert_eq!(left.src, [1, 4]);
    }

    #[test]
    fn cut_of_a_source_that_reaches_outside_shortens_both_ends() {
        let span = Span {
            src: [-2, 4],
            dst: [10, 16],
        };
        let left = cut(span, 3, [0, 100]).expect("three texels are left");
        assert_eq!((left.src, left.dst), ([0, 3], [12, 15]));
    }
}
