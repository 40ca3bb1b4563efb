//! Blits that leave sRGB encoding alone: with `GL_FRAMEBUFFER_SRGB` off neither end converts (GL 4.6 core §17.3.7 and §18.3.1), while a
//! Vulkan transfer that scales or resolves converts by the formats of its images. The bits pass through images without the encoding.
//! It scales nothing itself.

use crate::backend::VulkanBackend;
use crate::blit::{Span, subresource};
use crate::framebuffer::Place;
use crate::images::ImageSpec;
use ash::vk;
use pipe::{Format, Target};

const COLOR: vk::ImageAspectFlags = vk::ImageAspectFlags::COLOR;

/// The format of the same bits without encoding; `None`: it has none.
pub fn without_encoding(format: Format) -> Option<Format> {
    if format == Format::Srgb8Alpha8 {
        Some(Format::Rgba8)
    } else if format == Format::Srgb8 {
        Some(Format::Rgb8)
    } else {
        None
    }
}

impl VulkanBackend {
    /// A blit of colours as they are stored, between places at least one of which is encoded.
    pub(crate) fn blit_stored(
        &mut self,
        src: &Place,
        dst: &Place,
        x: Span,
        y: Span,
        linear: bool,
    ) -> Option<()> {
        let from = match without_encoding(src.format) {
            Some(format) => {
                let copy = self.unencoded(src, format)?;
                let extent = self.images.get(copy.image)?.level_extent(0);
                let whole = [0, 0, extent[0] as i32, extent[1] as i32];
                self.copy_rect(src, &copy, whole)?;
                copy
            }
            None => *src,
        };
        let to = match without_encoding(dst.format) {
            Some(format) => self.unencoded(dst, format)?,
            None => *dst,
        };
        let samples = |place: &Place| Some(self.images.get(place.image)?.spec.samples);
        if samples(&from)? > 1 && samples(&to)? <= 1 {
            self.resolve(&from, &to, COLOR, x, y, linear)?;
        } else {
            self.scale(&from, &to, COLOR, x, y, linear)?;
        }
        if to.image != dst.image {
            let (x, y) = (x.dst, y.dst);
            let rect = [
                x[0].min(x[1]),
                y[0].min(y[1]),
                x[0].max(x[1]),
                y[0].max(y[1]),
            ];
            self.copy_rect(&to, dst, rect)?;
            self.release_image(to.image);
        }
        if from.image != src.image {
            self.release_image(from.image);
        }
        Some(())
    }

    /// A fresh image of a place's size and samples in another format; the caller ends it.
    fn unencoded(&mut self, place: &Place, format: Format) -> Option<Place> {
        let storage = self.images.get(place.image)?;
        let (spec, extent) = (storage.spec, storage.level_extent(place.level));
        let image = self.create_image(&ImageSpec {
            format,
            target: if spec.samples > 1 {
                Target::Texture2DMultisample
            } else {
                Target::Texture2D
            },
            width: extent[0],
            height: extent[1],
            depth: 1,
            layers: 1,
            levels: 1,
            ..spec
        })?;
        Some(Place {
            image,
            format,
            level: 0,
            layer: 0,
            layers: 1,
        })
    }

    /// Copies the bits of a rectangle (left, bottom, right, top) that both places have.
    fn copy_rect(&mut self, src: &Place, dst: &Place, rect: [i32; 4]) -> Option<()> {
        let ((from, from_z), (to, to_z)) = (self.split_layer(src), self.split_layer(dst));
        let corner = |z: i32| vk::Offset3D {
            x: rect[0],
            y: rect[1],
            z,
        };
        let region = vk::ImageCopy {
            src_subresource: subresource(&from, COLOR),
            src_offset: corner(from_z),
            dst_subresource: subresource(&to, COLOR),
            dst_offset: corner(to_z),
            extent: vk::Extent3D {
                width: (rect[2] - rect[0]) as u32,
                height: (rect[3] - rect[1]) as u32,
                depth: 1,
            },
        };
        self.copy_image_regions(src.image, dst.image, &[region]);
        Some(())
    }
}
