//! Images: storage of textures, renderbuffers and drawables, counted, with their layout and contents. It never interprets GL state.
#![allow(unsafe_code)]

use crate::backend::VulkanBackend;
use crate::blank::{Blanks, Reach, Subresources};
use crate::commands::{Access, Hazard};
use crate::memory::{RawBuffer, RawImage};
use crate::texels;
use crate::trash::Garbage;
use crate::views::ViewKey;
use ash::vk;
use gpu_allocator::MemoryLocation;
use pipe::{Bind, Box3, Format, ResourceDesc, ResourceFlags, SubRegion, Target, TextureId};

/// Names a storage in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageKey(u32);

/// What storage is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageSpec {
    pub format: Format,
    pub target: Target,
    pub width: u32,
    pub height: u32,
    pub depth: u32,
    pub layers: u32,
    pub levels: u32,
    pub samples: u32,
    /// Views with other formats may come (texture views, image units).
    pub mutable: bool,
    /// A drawable or renderbuffer: never sampled by the application, but blits read it.
    pub attachment: bool,
}

/// Storage.
#[derive(Debug)]
pub struct Image {
    pub raw: RawImage,
    pub spec: ImageSpec,
    pub vk_format: vk::Format,
    pub usage: vk::ImageUsageFlags,
    pub layout: vk::ImageLayout,
    /// Used in two ways at once (sampled while attached, or by image units): stays in layout GENERAL from then on.
    pub general: bool,
    pub hazard: Hazard,
    /// What nothing wrote yet.
    pub blanks: Blanks,
    pub last_use: u64,
    /// Serial of the pass that has it attached last.
    pub attached_in: u64,
    pub views: Vec<(ViewKey, vk::ImageView)>,
    refs: u32,
}

/// All storages.
#[derive(Debug, Default)]
pub struct Images {
    slots: Vec<Option<Image>>,
    free: Vec<u32>,
}

/// A texture object: which storage it shows and how.
#[derive(Debug)]
pub struct Texture {
    pub desc: ResourceDesc,
    pub image: Option<ImageKey>,
    /// Offsets into the storage (texture views).
    pub min_level: u32,
    pub min_layer: u32,
    pub params: Option<pipe::TextureParams>,
}

impl Images {
    pub fn get(&self, key: ImageKey) -> Option<&Image> {
        self.slots.get(key.0 as usize)?.as_ref()
    }

    pub fn get_mut(&mut self, key: ImageKey) -> Option<&mut Image> {
        self.slots.get_mut(key.0 as usize)?.as_mut()
    }

    fn insert(&mut self, image: Image) -> ImageKey {
        if let Some(slot) = self.free.pop() {
            self.slots[slot as usize] = Some(image);
            ImageKey(slot)
        } else {
            self.slots.push(Some(image));
            ImageKey(self.slots.len() as u32 - 1)
        }
    }

    /// One more user.
    pub fn retain(&mut self, key: ImageKey) {
        if let Some(image) = self.get_mut(key) {
            image.refs += 1;
        }
    }

    /// One user fewer; the storage itself when that was the last.
    fn release(&mut self, key: ImageKey) -> Option<Image> {
        let image = self.get_mut(key)?;
        image.refs -= 1;
        if image.refs > 0 {
            return None;
        }
        self.free.push(key.0);
        self.slots[key.0 as usize].take()
    }

    /// Takes all, at the end.
    pub fn drain(&mut self) -> impl Iterator<Item = Image> + '_ {
        self.free.clear();
        self.slots.drain(..).flatten()
    }
}

impl Image {
    /// The layout for a use that prefers `wanted`.
    pub fn layout_for(&self, wanted: vk::ImageLayout) -> vk::ImageLayout {
        if self.general {
            vk::ImageLayout::GENERAL
        } else {
            wanted
        }
    }

    /// Extent of a level; layers are not halved.
    pub fn level_extent(&self, level: u32) -> [u32; 3] {
        let halve = |n: u32| (n >> level).max(1);
        let s = &self.spec;
        [
            halve(s.width),
            if s.target == Target::Texture1D || s.target == Target::Texture1DArray {
                1
            } else {
                halve(s.height)
            },
            if s.target == Target::Texture3D {
                halve(s.depth)
            } else {
                1
            },
        ]
    }

    /// Whether slices in `z` are array layers (else they are depth).
    pub fn z_is_layer(&self) -> bool {
        self.spec.target != Target::Texture3D
    }
}

/// The storage that a description asks for.
pub fn spec_of(desc: &ResourceDesc) -> ImageSpec {
    let flags = ResourceFlags::from_bits_truncate(desc.flags);
    let bind = Bind::from_bits_truncate(desc.bind);
    ImageSpec {
        format: desc.format,
        target: desc.target,
        width: desc.width,
        height: desc.height.max(1),
        depth: desc.depth.max(1),
        layers: u32::from(desc.layers.max(1)),
        levels: u32::from(desc.levels.max(1)),
        samples: u32::from(desc.samples),
        mutable: flags.intersects(ResourceFlags::IMMUTABLE | ResourceFlags::IMAGE_BINDABLE_HINT)
            || bind.contains(Bind::SHADER_IMAGE),
        attachment: desc.target == Target::Renderbuffer,
    }
}

/// The number of samples that the device offers for at least `samples`.
pub fn sample_count(
    limits: &vk::PhysicalDeviceLimits,
    samples: u32,
    depth: bool,
) -> vk::SampleCountFlags {
    let offered = if depth {
        limits.framebuffer_depth_sample_counts & limits.framebuffer_stencil_sample_counts
    } else {
        limits.framebuffer_color_sample_counts
    };
    [1u32, 2, 4, 8, 16, 32, 64]
        .into_iter()
        .filter(|n| *n >= samples)
        .map(vk::SampleCountFlags::from_raw)
        .find(|flag| offered.contains(*flag))
        .unwrap_or(vk::SampleCountFlags::TYPE_1)
}

impl VulkanBackend {
    /// Makes storage with one user.
    pub(crate) fn create_image(&mut self, spec: &ImageSpec) -> Option<ImageKey> {
        use vk::FormatFeatureFlags as F;
        let format = *self.gpu.format(spec.format);
        if format.vk == vk::Format::UNDEFINED {
            self.fail(&format!(
                "no storage for {} on this device",
                spec.format.info().name
            ));
            return None;
        }
        let features = format.features | format.linear_features;
        let is_color = format.aspects == vk::ImageAspectFlags::COLOR;
        let multisampled = spec.samples > 1;
        let mut usage = vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST;
        if features.contains(F::SAMPLED_IMAGE) {
            usage |= vk::ImageUsageFlags::SAMPLED;
        }
        if features.contains(F::COLOR_ATTACHMENT) {
            usage |= vk::ImageUsageFlags::COLOR_ATTACHMENT;
        }
        if features.contains(F::DEPTH_STENCIL_ATTACHMENT) {
            usage |= vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT;
        }
        if format.features.contains(F::STORAGE_IMAGE) && !multisampled && !spec.attachment {
            usage |= vk::ImageUsageFlags::STORAGE;
        }
        let mut flags = vk::ImageCreateFlags::empty();
        if spec.mutable || format.linear != format.vk {
            flags |= vk::ImageCreateFlags::MUTABLE_FORMAT;
        }
        let (ty, extent, layers) = match spec.target {
            Target::Texture1D | Target::Texture1DArray => {
                (vk::ImageType::TYPE_1D, [spec.width, 1, 1], spec.layers)
            }
            Target::Texture3D => {
                if is_color {
                    flags |= vk::ImageCreateFlags::TYPE_2D_ARRAY_COMPATIBLE;
                }
                (
                    vk::ImageType::TYPE_3D,
                    [spec.width, spec.height, spec.depth],
                    1,
                )
            }
            Target::TextureCube
            | Target::TextureCubeArray
            | Target::Texture2D
            | Target::Texture2DArray
            | Target::TextureRectangle
            | Target::Texture2DMultisample
            | Target::Texture2DMultisampleArray
            | Target::Renderbuffer => {
                if spec.width == spec.height && spec.layers >= 6 && !multisampled {
                    flags |= vk::ImageCreateFlags::CUBE_COMPATIBLE;
                }
                (
                    vk::ImageType::TYPE_2D,
                    [spec.width, spec.height, 1],
                    spec.layers,
                )
            }
            Target::Buffer | Target::TextureBuffer => return None,
        };
        let samples = sample_count(self.gpu.limits(), spec.samples, !is_color);
        let info = vk::ImageCreateInfo::default()
            .flags(flags)
            .image_type(ty)
            .format(format.vk)
            .extent(vk::Extent3D {
                width: extent[0],
                height: extent[1],
                depth: extent[2],
            })
            .mip_levels(spec.levels)
            .array_layers(layers)
            .samples(samples)
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(usage)
            .sharing_mode(vk::SharingMode::EXCLUSIVE)
            .initial_layout(vk::ImageLayout::UNDEFINED);
        let Some(raw) = RawImage::new(&mut self.gpu, &info, "image") else {
            self.report_lost("image storage");
            return None;
        };
        Some(self.images.insert(Image {
            raw,
            spec: *spec,
            vk_format: format.vk,
            usage,
            layout: vk::ImageLayout::UNDEFINED,
            general: false,
            hazard: Hazard::default(),
            blanks: Blanks::all(spec.levels, layers),
            last_use: 0,
            attached_in: 0,
            views: Vec::new(),
            refs: 1,
        }))
    }

    /// One user fewer; the last takes views and storage along, deferred.
    pub(crate) fn release_image(&mut self, key: ImageKey) {
        self.world += 1;
        if let Some(image) = self.images.release(key) {
            let serial = self.commands.serial();
            for (_, view) in image.views {
                self.trash.push(serial, Garbage::ImageView(view));
            }
            self.trash.push(serial, Garbage::Image(image.raw));
        }
    }

    /// Brings an image into the layout of a use and orders the use after conflicting ones; `reach` is what the use touches, so that it
    /// sees nothing that nobody wrote. Outside of passes only.
    pub(crate) fn use_image(
        &mut self,
        key: ImageKey,
        wanted: vk::ImageLayout,
        access: Access,
        reach: Reach,
    ) -> Option<vk::ImageLayout> {
        self.settle(key, reach)?;
        let serial = self.commands.serial();
        let format = self.images.get(key)?.spec.format;
        let aspects = self.gpu.format(format).all_aspects();
        let image = self.images.get_mut(key)?;
        let layout = image.layout_for(wanted);
        if image.layout == layout {
            self.commands.sync(&mut self.gpu, &mut image.hazard, access);
        } else {
            self.commands.transition(
                &mut self.gpu,
                image.raw.image,
                aspects,
                image.layout,
                layout,
            );
            image.layout = layout;
            image.hazard = Hazard::default();
            self.commands.note(&mut image.hazard, access);
            self.world += 1;
        }
        image.last_use = serial;
        Some(layout)
    }

    /// Creates or replaces a texture's storage.
    pub(crate) fn specify_texture(&mut self, id: TextureId, desc: &ResourceDesc) {
        let keep =
            ResourceFlags::from_bits_truncate(desc.flags).contains(ResourceFlags::KEEP_CONTENT);
        let old = self.textures.take(id);
        let params = old.as_ref().and_then(|t| t.params);
        let old_image = old.as_ref().and_then(|t| t.image);
        self.world += 1;
        let mut texture = Texture {
            desc: *desc,
            image: None,
            min_level: 0,
            min_layer: 0,
            params,
        };
        if !desc.view_of.is_null() {
            // A view shares the storage of its origin, whose own offsets add up (ARB_texture_view).
            if let Some(origin) = self.textures.get(desc.view_of) {
                texture.image = origin.image;
                texture.min_level = origin.min_level + u32::from(desc.view_min_level);
                texture.min_layer = origin.min_layer + u32::from(desc.view_min_layer);
            }
            if let Some(key) = texture.image {
                self.images.retain(key);
            }
        } else if desc.target != Target::TextureBuffer
            && desc.format != Format::None
            && desc.width != 0
        {
            let spec = spec_of(desc);
            let same = old_image.filter(|key| {
                self.images
                    .get(*key)
                    .is_some_and(|image| image.spec == spec)
            });
            if let Some(key) = same {
                self.images.retain(key);
                texture.image = Some(key);
            } else {
                texture.image = self.create_image(&spec);
                if keep && let (Some(from), Some(to)) = (old_image, texture.image) {
                    self.keep_levels(from, to);
                }
            }
        }
        let unwanted = self
            .textures
            .insert_with_lifetime(id, desc.lifetime, texture);
        let images = [old_image, unwanted.and_then(|texture| texture.image)];
        for key in images.into_iter().flatten() {
            self.release_image(key);
        }
    }

    /// Copies the levels that two storages have in common.
    fn keep_levels(&mut self, from: ImageKey, to: ImageKey) {
        let (Some(a), Some(b)) = (self.images.get(from), self.images.get(to)) else {
            return;
        };
        if a.spec.format != b.spec.format
            || a.spec.samples != b.spec.samples
            || a.layout == vk::ImageLayout::UNDEFINED
        {
            return;
        }
        let aspects = self.gpu.format(a.spec.format).all_aspects();
        let layers = a.spec.layers.min(b.spec.layers);
        let mut regions = Vec::new();
        for level in 0..a.spec.levels.min(b.spec.levels) {
            let extent = a.level_extent(level);
            // What nothing wrote need not be kept.
            let kept = !a.blanks.every(a.subresources(level, 0, layers));
            if kept && extent == b.level_extent(level) {
                let layer = vk::ImageSubresourceLayers {
                    aspect_mask: aspects,
                    mip_level: level,
                    base_array_layer: 0,
                    layer_count: layers,
                };
                regions.push(vk::ImageCopy {
                    src_subresource: layer,
                    src_offset: vk::Offset3D::default(),
                    dst_subresource: layer,
                    dst_offset: vk::Offset3D::default(),
                    extent: vk::Extent3D {
                        width: extent[0],
                        height: extent[1],
                        depth: extent[2],
                    },
                });
            }
        }
        if !regions.is_empty() {
            self.copy_image_regions(from, to, &regions);
        }
    }

    /// vkCmdCopyImage between two storages.
    pub(crate) fn copy_image_regions(
        &mut self,
        from: ImageKey,
        to: ImageKey,
        regions: &[vk::ImageCopy],
    ) {
        let Some(cb) = self.outside() else { return };
        if from == to {
            // One image has one layout: both ends use GENERAL.
            if let Some(image) = self.images.get_mut(from) {
                image.general = true;
            }
        }
        for region in regions {
            let source = Subresources::of(&region.src_subresource);
            if self.make_zeros(from, source).is_none() {
                return;
            }
            let Some(image) = self.images.get(to) else {
                return;
            };
            let aspects = self.gpu.format(image.spec.format).all_aspects();
            let layers = &region.dst_subresource;
            let all = layers.aspect_mask == aspects;
            let reach = image.reach_of_box(layers, region.dst_offset, region.extent, all);
            self.settle(to, reach);
        }
        let (read, written) = (
            vk::ImageLayout::TRANSFER_SRC_OPTIMAL,
            vk::ImageLayout::TRANSFER_DST_OPTIMAL,
        );
        let src = self.use_image(from, read, Access::Read, Reach::Settled);
        let dst = self.use_image(to, written, Access::Write, Reach::Settled);
        let (Some(src), Some(dst)) = (src, dst) else {
            return;
        };
        let (Some(a), Some(b)) = (self.images.get(from), self.images.get(to)) else {
            return;
        };
        // SAFETY: rules 1 and 2; regions were cut to both images by the caller.
        unsafe {
            self.gpu
                .device
                .cmd_copy_image(cb, a.raw.image, src, b.raw.image, dst, regions);
        }
    }

    /// Uploads regions of one level. `row_base` is where `src_offset_bytes` counts from.
    pub(crate) fn upload_texels(
        &mut self,
        key: ImageKey,
        level: u32,
        layer_base: u32,
        format: Format,
        regions: &[SubRegion],
        bytes: &[u8],
    ) {
        let device_format = *self.gpu.format(format);
        let texel_bytes = usize::from(format.info().storage.bytes);
        let mut copies: Vec<(vk::Buffer, vk::BufferImageCopy)> = Vec::new();
        let Some(image) = self.images.get(key) else {
            return;
        };
        let z_is_layer = image.z_is_layer();
        let aspects = [
            vk::ImageAspectFlags::COLOR,
            vk::ImageAspectFlags::DEPTH,
            vk::ImageAspectFlags::STENCIL,
        ];
        for region in regions {
            let b = region.dst;
            if b.width == 0 || b.height == 0 || b.depth == 0 {
                continue;
            }
            let row_bytes = b.width as usize * texel_bytes;
            let row_stride = stride(region.src_row_stride_bytes, row_bytes);
            let slice_stride = stride(
                region.src_slice_stride_bytes,
                row_stride * b.height as usize,
            );
            for aspect in aspects
                .into_iter()
                .filter(|a| device_format.aspects.contains(*a))
            {
                let out_texel = texels::device_bytes(device_format.texel, texel_bytes, aspect);
                let out_row = b.width as usize * out_texel;
                let size = out_row * b.height as usize * b.depth as usize;
                let slice = self.stage_with(size as u64, 16, |out| {
                    let rows = (0..b.depth as usize)
                        .flat_map(|z| (0..b.height as usize).map(move |y| (z, y)));
                    for ((z, y), out) in rows.zip(out.chunks_exact_mut(out_row)) {
                        let at =
                            region.src_offset_bytes as usize + z * slice_stride + y * row_stride;
                        match bytes.get(at..at + row_bytes) {
                            Some(src) => texels::to_device(device_format.texel, aspect, src, out),
                            // The client told fewer than it should: what the ring held before is nobody's.
                            None => out.fill(0),
                        }
                    }
                });
                let Some(slice) = slice else { return };
                let (z, depth, layer, layers) = if z_is_layer {
                    (0, 1, b.z as u32 + layer_base, b.depth)
                } else {
                    (b.z, b.depth, 0, 1)
                };
                copies.push((
                    slice.buffer,
                    vk::BufferImageCopy {
                        buffer_offset: slice.offset_bytes,
                        buffer_row_length: 0,
                        buffer_image_height: 0,
                        image_subresource: vk::ImageSubresourceLayers {
                            aspect_mask: aspect,
                            mip_level: level,
                            base_array_layer: layer,
                            layer_count: layers,
                        },
                        image_offset: vk::Offset3D { x: b.x, y: b.y, z },
                        image_extent: vk::Extent3D {
                            width: b.width,
                            height: b.height,
                            depth,
                        },
                    },
                ));
            }
        }
        if copies.is_empty() {
            return;
        }
        let Some(cb) = self.outside() else { return };
        for (_, copy) in &copies {
            let Some(image) = self.images.get(key) else {
                return;
            };
            // Texels carry every aspect that GL's format has, in copies of their own.
            let layers = &copy.image_subresource;
            let reach = image.reach_of_box(layers, copy.image_offset, copy.image_extent, true);
            self.settle(key, reach);
        }
        let wanted = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
        let layout = self.use_image(key, wanted, Access::Write, Reach::Settled);
        let (Some(layout), Some(image)) = (layout, self.images.get(key)) else {
            return;
        };
        for (buffer, copy) in copies {
            // SAFETY: rules 1 and 2; the client cut the box to the level (GL 4.6 core §8.6).
            unsafe {
                self.gpu.device.cmd_copy_buffer_to_image(
                    cb,
                    buffer,
                    image.raw.image,
                    layout,
                    &[copy],
                );
            }
        }
    }

    /// Texels of a box of one level in canonical storage, tight: waits. Layers are slices in `z`.
    pub(crate) fn download_texels(
        &mut self,
        key: ImageKey,
        level: u32,
        layer_base: u32,
        format: Format,
        b: Box3,
    ) -> Option<Vec<u8>> {
        let device_format = *self.gpu.format(format);
        let texel_bytes = usize::from(format.info().storage.bytes);
        let texels_total = b.width as usize * b.height as usize * b.depth as usize;
        let mut out = vec![0; texels_total * texel_bytes];
        let image = self.images.get(key)?;
        let z_is_layer = image.z_is_layer();
        let reach = Reach::Part(image.subresources(level, b.z as u32 + layer_base, b.depth));
        for aspect in [
            vk::ImageAspectFlags::COLOR,
            vk::ImageAspectFlags::DEPTH,
            vk::ImageAspectFlags::STENCIL,
        ] {
            if !device_format.aspects.contains(aspect) {
                continue;
            }
            let size =
                texels_total * texels::device_bytes(device_format.texel, texel_bytes, aspect);
            let host = RawBuffer::new(
                &mut self.gpu,
                size as u64,
                MemoryLocation::GpuToCpu,
                "readback",
            )?;
            let cb = self.outside()?;
            let wanted = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
            let layout = self.use_image(key, wanted, Access::Read, reach)?;
            let serial = self.commands.serial();
            let image = self.images.get(key)?;
            let (z, depth, layer, layers) = if z_is_layer {
                (0, 1, b.z as u32 + layer_base, b.depth)
            } else {
                (b.z, b.depth, 0, 1)
            };
            let copy = [vk::BufferImageCopy {
                buffer_offset: 0,
                buffer_row_length: 0,
                buffer_image_height: 0,
                image_subresource: vk::ImageSubresourceLayers {
                    aspect_mask: aspect,
                    mip_level: level,
                    base_array_layer: layer,
                    layer_count: layers,
                },
                image_offset: vk::Offset3D { x: b.x, y: b.y, z },
                image_extent: vk::Extent3D {
                    width: b.width,
                    height: b.height,
                    depth,
                },
            }];
            // SAFETY: rules 1 and 2; the caller cut the box to the level.
            unsafe {
                self.gpu.device.cmd_copy_image_to_buffer(
                    cb,
                    image.raw.image,
                    layout,
                    host.buffer,
                    &copy,
                );
            }
            self.finish(serial);
            if let Some(mapped) = host.mapped() {
                texels::to_canonical(device_format.texel, aspect, &mapped[..size], &mut out);
            }
            self.trash.push(serial, Garbage::Buffer(host));
        }
        Some(out)
    }
}

fn stride(given: u32, tight: usize) -> usize {
    if given == 0 { tight } else { given as usize }
}
