//! Descriptor sets: what a program's bindings show, written when something behind them moved. It decides no layout; it collects the
//! images and buffers that the draw must order itself after.
#![allow(unsafe_code)]

use crate::backend::VulkanBackend;
use crate::commands::Access;
use crate::images::ImageKey;
use crate::programs::descriptor_type;
use crate::trash::Garbage;
use crate::uploads::Slice;
use crate::views::{IDENTITY, ViewKey, view_type};
use ash::vk;
use pipe::program::ResourceKind;
use pipe::{BufferId, BufferRange, Format, ShaderId, Target, WHOLE};
use pipe_inputs::Told;

/// What a set refers to.
#[derive(Debug, Default)]
pub struct Uses {
    pub images: Vec<(ImageKey, vk::ImageLayout, Access)>,
    pub buffers: Vec<(BufferId, Access)>,
}

impl Uses {
    pub fn clear(&mut self) {
        self.images.clear();
        self.buffers.clear();
    }
}

/// Kind of texel that a sampler uniform yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TexelClass {
    Float,
    Int,
    Uint,
    Shadow,
}

/// Target and kind of a GL sampler type (GL 4.6 core §7.3.1, table of uniform types).
pub fn sampler_type(gl_type: u32) -> (Target, TexelClass) {
    use Target as T;
    use TexelClass as C;
    match gl_type {
        0x8B5D => (T::Texture1D, C::Float),
        0x8B5F => (T::Texture3D, C::Float),
        0x8B60 => (T::TextureCube, C::Float),
        0x8B61 => (T::Texture1D, C::Shadow),
        0x8B62 | 0x8B64 => (T::Texture2D, C::Shadow),
        0x8DC0 => (T::Texture1DArray, C::Float),
        0x8DC1 => (T::Texture2DArray, C::Float),
        0x8DC3 => (T::Texture1DArray, C::Shadow),
        0x8DC4 => (T::Texture2DArray, C::Shadow),
        0x8DC5 => (T::TextureCube, C::Shadow),
        0x8DC9 => (T::Texture1D, C::Int),
        0x8DCA | 0x8DCD => (T::Texture2D, C::Int),
        0x8DCB => (T::Texture3D, C::Int),
        0x8DCC => (T::TextureCube, C::Int),
        0x8DCE => (T::Texture1DArray, C::Int),
        0x8DCF => (T::Texture2DArray, C::Int),
        0x8DD1 => (T::Texture1D, C::Uint),
        0x8DD2 | 0x8DD5 => (T::Texture2D, C::Uint),
        0x8DD3 => (T::Texture3D, C::Uint),
        0x8DD4 => (T::TextureCube, C::Uint),
        0x8DD6 => (T::Texture1DArray, C::Uint),
        0x8DD7 => (T::Texture2DArray, C::Uint),
        0x900C => (T::TextureCubeArray, C::Float),
        0x900D => (T::TextureCubeArray, C::Shadow),
        0x900E => (T::TextureCubeArray, C::Int),
        0x900F => (T::TextureCubeArray, C::Uint),
        0x9108 => (T::Texture2DMultisample, C::Float),
        0x9109 => (T::Texture2DMultisample, C::Int),
        0x910A => (T::Texture2DMultisample, C::Uint),
        0x910B => (T::Texture2DMultisampleArray, C::Float),
        0x910C => (T::Texture2DMultisampleArray, C::Int),
        0x910D => (T::Texture2DMultisampleArray, C::Uint),
        _ => (T::Texture2D, C::Float),
    }
}

/// Target of a GL image type: eleven per kind of texel, in one order.
fn image_type(gl_type: u32) -> Target {
    match gl_type.wrapping_sub(0x904C) % 11 {
        0 => Target::Texture1D,
        2 => Target::Texture3D,
        4 => Target::TextureCube,
        6 => Target::Texture1DArray,
        7 => Target::Texture2DArray,
        8 => Target::TextureCubeArray,
        9 => Target::Texture2DMultisample,
        10 => Target::Texture2DMultisampleArray,
        _ => Target::Texture2D,
    }
}

/// Format of a buffer texture's texels; the three-component ones exist here though not as images.
fn texel_buffer_format(format: Format, device: vk::Format) -> vk::Format {
    match format {
        Format::Rgb32f => vk::Format::R32G32B32_SFLOAT,
        Format::Rgb32i => vk::Format::R32G32B32_SINT,
        Format::Rgb32ui => vk::Format::R32G32B32_UINT,
        _ => device,
    }
}

#[derive(Clone, Copy, Debug)]
enum Info {
    Image(vk::DescriptorImageInfo),
    Buffer(vk::DescriptorBufferInfo),
    Texels(vk::BufferView),
}

impl VulkanBackend {
    /// A buffer range as a descriptor; `None`: nothing usable is bound.
    fn range_info(
        &self,
        range: Option<&BufferRange>,
        max_range: u32,
    ) -> Option<(BufferId, vk::DescriptorBufferInfo)> {
        let range = range.filter(|r| !r.buffer.is_null())?;
        let raw = &self.buffers.get(range.buffer)?.raw;
        let left = raw
            .size_bytes
            .checked_sub(range.offset_bytes)
            .filter(|n| *n > 0)?;
        let size = if range.size_bytes == WHOLE || range.size_bytes == 0 {
            left
        } else {
            range.size_bytes.min(left)
        };
        let info = vk::DescriptorBufferInfo {
            buffer: raw.buffer,
            offset: range.offset_bytes,
            range: size.min(u64::from(max_range)),
        };
        Some((range.buffer, info))
    }

    /// Writes a fresh set for the program from everything told. `constants`: where the default block's bytes lie.
    pub(crate) fn write_set(
        &mut self,
        told: Told<'_>,
        shader: ShaderId,
        constants: Option<Slice>,
    ) -> Option<vk::DescriptorSet> {
        let mut uses = std::mem::take(&mut self.uses);
        uses.clear();
        let set = self.write_set_into(told, shader, constants, &mut uses);
        self.uses = uses;
        set
    }

    fn write_set_into(
        &mut self,
        told: Told<'_>,
        shader: ShaderId,
        constants: Option<Slice>,
        uses: &mut Uses,
    ) -> Option<vk::DescriptorSet> {
        let layout = self.programs.get(shader)?.set_layout;
        self.recording()?;
        let set = self.commands.descriptor_set(&mut self.gpu, layout)?;
        let mut infos: Vec<Info> = Vec::new();
        let mut spans: Vec<(u32, vk::DescriptorType, usize, usize)> = Vec::new();
        let resources = self.programs.get(shader)?.artifact.resources.len();
        let mut flat = 0;
        for r in 0..resources {
            let program = self.programs.get(shader)?;
            let resource = &program.artifact.resources[r];
            let (kind, binding, count, first) = (
                resource.kind,
                resource.binding,
                resource.count,
                resource.first,
            );
            let start = infos.len();
            for element in 0..count {
                let slot = self
                    .programs
                    .get(shader)?
                    .slots
                    .get(flat)
                    .copied()
                    .unwrap_or(0);
                flat += 1;
                let index = (first + element) as usize;
                let info =
                    self.descriptor(told, shader, kind, index, slot as usize, constants, uses)?;
                infos.push(info);
            }
            spans.push((binding, descriptor_type(kind), start, infos.len()));
        }
        let images: Vec<_> = infos
            .iter()
            .map(|i| match i {
                Info::Image(info) => *info,
                Info::Buffer(_) | Info::Texels(_) => vk::DescriptorImageInfo::default(),
            })
            .collect();
        let buffers: Vec<_> = infos
            .iter()
            .map(|i| match i {
                Info::Buffer(info) => *info,
                Info::Image(_) | Info::Texels(_) => vk::DescriptorBufferInfo::default(),
            })
            .collect();
        let texels: Vec<_> = infos
            .iter()
            .map(|i| match i {
                Info::Texels(view) => *view,
                Info::Image(_) | Info::Buffer(_) => vk::BufferView::null(),
            })
            .collect();
        let writes: Vec<_> = spans
            .iter()
            .map(|(binding, ty, start, end)| {
                vk::WriteDescriptorSet::default()
                    .dst_set(set)
                    .dst_binding(*binding)
                    .descriptor_type(*ty)
                    .image_info(&images[*start..*end])
                    .buffer_info(&buffers[*start..*end])
                    .texel_buffer_view(&texels[*start..*end])
            })
            .collect();
        // SAFETY: rules 1 and 4; the set was allocated just now, nothing recorded uses it.
        unsafe { self.gpu.device.update_descriptor_sets(&writes, &[]) };
        Some(set)
    }

    fn descriptor(
        &mut self,
        told: Told<'_>,
        shader: ShaderId,
        kind: ResourceKind,
        index: usize,
        slot: usize,
        constants: Option<Slice>,
        uses: &mut Uses,
    ) -> Option<Info> {
        let limits = self.gpu.limits();
        let (max_uniform, max_storage) = (
            limits.max_uniform_buffer_range,
            limits.max_storage_buffer_range,
        );
        let artifact = &self.programs.get(shader)?.artifact;
        match kind {
            ResourceKind::GlobalConstants => Some(Info::Buffer(vk::DescriptorBufferInfo {
                buffer: constants?.buffer,
                offset: 0,
                range: u64::from(artifact.default_block_size.max(1)).min(u64::from(max_uniform)),
            })),
            ResourceKind::UniformBlock => {
                let found = self.range_info(told.inputs.uniform_buffers().get(slot), max_uniform);
                self.buffer_or_dummy(found, Access::Read, uses)
            }
            ResourceKind::StorageBlock => {
                let readonly = artifact
                    .storage_blocks
                    .get(index)
                    .is_some_and(|b| b.readonly);
                let access = if readonly {
                    Access::Read
                } else {
                    Access::ShaderWrite
                };
                let found = self.range_info(told.inputs.storage_buffers().get(slot), max_storage);
                self.buffer_or_dummy(found, access, uses)
            }
            ResourceKind::AtomicBuffer => {
                let found = self.range_info(told.inputs.atomic_buffers().get(slot), max_storage);
                self.buffer_or_dummy(found, Access::ShaderWrite, uses)
            }
            ResourceKind::Sampler => {
                let gl_type = artifact.samplers.get(index).map_or(0x8B5E, |s| s.gl_type);
                self.sampled(told, gl_type, slot, uses)
            }
            ResourceKind::Image => {
                let (gl_type, readonly) = artifact
                    .images
                    .get(index)
                    .map_or((0x904D, false), |i| (i.gl_type, i.readonly));
                self.storage_image(told, gl_type, readonly, slot, uses)
            }
            ResourceKind::TexelBuffer => {
                let texture = told.inputs.sampler_views().get(slot).map(|v| v.texture);
                self.texel_buffer(texture, None, Access::Read, uses)
            }
            ResourceKind::ImageBuffer => {
                let image = told.inputs.shader_images().get(slot);
                let format = image.map(|i| i.format);
                self.texel_buffer(image.map(|i| i.texture), format, Access::ShaderWrite, uses)
            }
        }
    }

    fn buffer_or_dummy(
        &mut self,
        found: Option<(BufferId, vk::DescriptorBufferInfo)>,
        access: Access,
        uses: &mut Uses,
    ) -> Option<Info> {
        if let Some((id, info)) = found {
            uses.buffers.push((id, access));
            return Some(Info::Buffer(info));
        }
        let dummy = self.dummy_buffer()?;
        let range = u64::from(self.gpu.limits().max_uniform_buffer_range)
            .min(crate::internal::DUMMY_BUFFER_BYTES);
        Some(Info::Buffer(vk::DescriptorBufferInfo {
            buffer: dummy,
            offset: 0,
            range,
        }))
    }

    fn sampled(
        &mut self,
        told: Told<'_>,
        gl_type: u32,
        unit: usize,
        uses: &mut Uses,
    ) -> Option<Info> {
        let (target, class) = sampler_type(gl_type);
        let bound = told.inputs.sampler_views().get(unit);
        let desc = bound.and_then(|b| told.objects.sampler_views.get(b.view));
        let found = desc
            .and_then(|d| Some((self.textures.get(d.texture)?, d)))
            .and_then(|(texture, d)| self.sampled_view(texture, d))
            .filter(|(_, key)| key.ty == view_type(target));
        let (image, key) = match found {
            Some(found) => found,
            None => self.dummy_texture(target, class)?,
        };
        self.make_zeros(image, key.subresources())?;
        let view = self.view(image, key)?;
        let sampler = told.inputs.sampler_states().get(unit).copied();
        let sampler = match sampler.and_then(|id| self.samplers.get(id)) {
            Some(sampler) => *sampler,
            None => self.default_sampler()?,
        };
        let layout = self
            .images
            .get(image)?
            .layout_for(vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL);
        uses.images.push((image, layout, Access::Read));
        Some(Info::Image(vk::DescriptorImageInfo {
            sampler,
            image_view: view,
            image_layout: layout,
        }))
    }

    fn storage_image(
        &mut self,
        told: Told<'_>,
        gl_type: u32,
        readonly: bool,
        unit: usize,
        uses: &mut Uses,
    ) -> Option<Info> {
        let target = image_type(gl_type);
        let ty = view_type(target);
        let bound = told.inputs.shader_images().get(unit).copied();
        let found = bound.and_then(|b| {
            let texture = self.textures.get(b.texture)?;
            let image = texture.image?;
            let storage = self.images.get(image)?;
            if !storage.usage.contains(vk::ImageUsageFlags::STORAGE) {
                return None;
            }
            let format = self.gpu.format(b.format).vk;
            let layered = b.layered != 0;
            let layer = if layered {
                texture.min_layer
            } else {
                texture.min_layer + b.layer
            };
            let layers = match ty {
                vk::ImageViewType::TYPE_1D_ARRAY
                | vk::ImageViewType::TYPE_2D_ARRAY
                | vk::ImageViewType::CUBE_ARRAY => storage.spec.layers - layer,
                vk::ImageViewType::CUBE => 6,
                _ => 1,
            };
            Some((
                image,
                ViewKey {
                    ty,
                    format,
                    swizzle: IDENTITY,
                    aspects: vk::ImageAspectFlags::COLOR,
                    level: texture.min_level + u32::from(b.level),
                    levels: 1,
                    layer,
                    layers,
                },
            ))
        });
        let (image, key) = match found {
            Some(found) => found,
            None => self.dummy_texture(target, TexelClass::Float)?,
        };
        let storage = self.images.get_mut(image)?;
        if !storage.general {
            storage.general = true;
            // Sets and passes that name it with another layout are made anew.
            self.world += 1;
        }
        self.make_zeros(image, key.subresources())?;
        let view = self.view(image, key)?;
        let access = if readonly {
            Access::Read
        } else {
            Access::ShaderWrite
        };
        uses.images.push((image, vk::ImageLayout::GENERAL, access));
        Some(Info::Image(vk::DescriptorImageInfo {
            sampler: vk::Sampler::null(),
            image_view: view,
            image_layout: vk::ImageLayout::GENERAL,
        }))
    }

    fn texel_buffer(
        &mut self,
        texture: Option<pipe::TextureId>,
        format: Option<Format>,
        access: Access,
        uses: &mut Uses,
    ) -> Option<Info> {
        let found = texture.and_then(|id| {
            let desc = &self.textures.get(id)?.desc;
            let raw = &self.buffers.get(desc.texture_buffer)?.raw;
            let format = format.unwrap_or(desc.format);
            let device = self.gpu.format(format).vk;
            let left = raw
                .size_bytes
                .checked_sub(desc.texture_buffer_offset_bytes)
                .filter(|n| *n > 0)?;
            let size = left.min(desc.texture_buffer_size_bytes);
            // A view covers whole texels, and no more than the device's limit.
            let texel = u64::from(format.info().storage.bytes.max(1));
            let most = u64::from(self.gpu.limits().max_texel_buffer_elements) * texel;
            let size = (size - size % texel).min(most);
            (size > 0).then_some((
                Some(desc.texture_buffer),
                raw.buffer,
                texel_buffer_format(format, device),
                desc.texture_buffer_offset_bytes,
                size,
            ))
        });
        let (id, buffer, format, offset, size) = match found {
            Some(found) => found,
            None => (None, self.dummy_buffer()?, vk::Format::R8G8B8A8_UNORM, 0, 4),
        };
        let info = vk::BufferViewCreateInfo::default()
            .buffer(buffer)
            .format(format)
            .offset(offset)
            .range(size);
        // SAFETY: rules 1 and 4; the range lies within the buffer.
        let view = unsafe { self.gpu.device.create_buffer_view(&info, None) };
        let view = self.gpu.check(view)?;
        // It lives exactly as long as the set that names it.
        self.trash
            .push(self.commands.serial(), Garbage::BufferView(view));
        if let Some(id) = id {
            uses.buffers.push((id, access));
        }
        Some(Info::Texels(view))
    }
}
