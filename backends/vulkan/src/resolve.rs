//! Multisampled images to single-sampled ones: colour by transfer, depth and stencil by a pass that resolves sample 0. Rectangles are
//! cut by the caller.
#![allow(unsafe_code)]

use crate::backend::VulkanBackend;
use crate::blank::{Reach, Subresources};
use crate::blit::{Span, subresource};
use crate::commands::Access;
use crate::framebuffer::Place;
use crate::images::ImageSpec;
use ash::vk;
use pipe::Target;

fn ascending(ends: [i32; 2]) -> [i32; 2] {
    [ends[0].min(ends[1]), ends[0].max(ends[1])]
}

impl VulkanBackend {
    /// Resolves a whole level into a single-sampled image of the same size, made here; the caller ends it.
    pub(crate) fn resolved_copy(
        &mut self,
        src: &Place,
        aspects: vk::ImageAspectFlags,
    ) -> Option<Place> {
        let spec = self.images.get(src.image)?.spec;
        let extent = self.images.get(src.image)?.level_extent(src.level);
        let image = self.create_image(&ImageSpec {
            samples: 0,
            target: Target::Texture2D,
            width: extent[0],
            height: extent[1],
            depth: 1,
            layers: 1,
            levels: 1,
            ..spec
        })?;
        let dst = Place {
            image,
            format: src.format,
            level: 0,
            layer: 0,
            layers: 1,
        };
        let axis = |n: u32| Span {
            src: [0, n as i32],
            dst: [0, n as i32],
        };
        let (x, y) = (axis(extent[0]), axis(extent[1]));
        if aspects == vk::ImageAspectFlags::COLOR {
            self.resolve_color(src, &dst, x, y)?;
        } else {
            for aspect in [vk::ImageAspectFlags::DEPTH, vk::ImageAspectFlags::STENCIL] {
                if aspects.contains(aspect) {
                    self.resolve_sample_zero(src, &dst, aspect, extent)?;
                }
            }
        }
        Some(dst)
    }

    /// A blit from a multisampled place (GL 4.6 core §18.3.1): one to one, else by way of a resolved copy.
    pub(crate) fn resolve(
        &mut self,
        src: &Place,
        dst: &Place,
        aspect: vk::ImageAspectFlags,
        x: Span,
        y: Span,
        linear: bool,
    ) -> Option<()> {
        let (from, to) = (self.images.get(src.image)?, self.images.get(dst.image)?);
        let straight = |s: &Span| s.src[1] - s.src[0] == s.dst[1] - s.dst[0];
        if aspect == vk::ImageAspectFlags::COLOR
            && from.vk_format == to.vk_format
            && straight(&x)
            && straight(&y)
        {
            return self.resolve_color(src, dst, x, y);
        }
        let copy = self.resolved_copy(src, aspect)?;
        let done = self.scale(&copy, dst, aspect, x, y, linear);
        self.release_image(copy.image);
        done
    }

    fn resolve_color(&mut self, src: &Place, dst: &Place, x: Span, y: Span) -> Option<()> {
        let cb = self.outside()?;
        let (src_x, src_y) = (ascending(x.src), ascending(y.src));
        let (dst_x, dst_y) = (ascending(x.dst), ascending(y.dst));
        let corner = |x: i32, y: i32| vk::Offset3D { x, y, z: 0 };
        let region = [vk::ImageResolve {
            src_subresource: subresource(src, vk::ImageAspectFlags::COLOR),
            src_offset: corner(src_x[0], src_y[0]),
            dst_subresource: subresource(dst, vk::ImageAspectFlags::COLOR),
            dst_offset: corner(dst_x[0], dst_y[0]),
            extent: vk::Extent3D {
                width: (dst_x[1] - dst_x[0]) as u32,
                height: (dst_y[1] - dst_y[0]) as u32,
                depth: 1,
            },
        }];
        let color = vk::ImageAspectFlags::COLOR;
        let read = Reach::Part(Subresources::of(&subresource(src, color)));
        let to = self.images.get(dst.image)?;
        let written = to.reach_of_box(
            &region[0].dst_subresource,
            region[0].dst_offset,
            region[0].extent,
            true,
        );
        let wanted = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
        let src_layout = self.use_image(src.image, wanted, Access::Read, read)?;
        let wanted = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
        let dst_layout = self.use_image(dst.image, wanted, Access::Write, written)?;
        let (from, to) = (self.images.get(src.image)?, self.images.get(dst.image)?);
        // SAFETY: rules 1 and 2; both rectangles were cut to their images.
        unsafe {
            self.gpu.device.cmd_resolve_image(
                cb,
                from.raw.image,
                src_layout,
                to.raw.image,
                dst_layout,
                &region,
            );
        }
        Some(())
    }

    /// A pass that draws nothing and resolves its one attachment at the end.
    fn resolve_sample_zero(
        &mut self,
        src: &Place,
        dst: &Place,
        aspect: vk::ImageAspectFlags,
        extent: [u32; 3],
    ) -> Option<()> {
        let cb = self.outside()?;
        let wanted = vk::ImageLayout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
        let (from, to) = (self.attachment(src, false)?, self.attachment(dst, false)?);
        let part = |backend: &Self, place: &Place| {
            let image = backend.images.get(place.image)?;
            Some(Reach::Part(image.subresources(place.level, place.layer, 1)))
        };
        let (read, written) = (part(self, src)?, part(self, dst)?);
        let from_layout = self.use_image(src.image, wanted, Access::Write, read)?;
        let to_layout = self.use_image(dst.image, wanted, Access::Write, written)?;
        let info = vk::RenderingAttachmentInfo::default()
            .image_view(from.view)
            .image_layout(from_layout)
            .resolve_mode(vk::ResolveModeFlags::SAMPLE_ZERO)
            .resolve_image_view(to.view)
            .resolve_image_layout(to_layout)
            .load_op(vk::AttachmentLoadOp::LOAD)
            .store_op(vk::AttachmentStoreOp::STORE);
        let mut rendering = vk::RenderingInfo::default()
            .render_area(vk::Rect2D {
                offset: vk::Offset2D::default(),
                extent: vk::Extent2D {
                    width: extent[0],
                    height: extent[1],
                },
            })
            .layer_count(1);
        rendering = if aspect == vk::ImageAspectFlags::DEPTH {
            rendering.depth_attachment(&info)
        } else {
            rendering.stencil_attachment(&info)
        };
        // SAFETY: rules 1, 2, 4 and 5; begun and ended here.
        unsafe {
            self.gpu.fns.rendering.cmd_begin_rendering(cb, &rendering);
            self.gpu.fns.rendering.cmd_end_rendering(cb);
        }
        Some(())
    }
}
