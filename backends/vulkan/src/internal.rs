//! Our own small objects: stand-ins for what the application left unbound, and the draws behind masked clears. No GL state is kept.
//!
//! The shaders' sources stand beside their SPIR-V in `internal/`; a test compiles them again where the tool is installed.
#![allow(unsafe_code)]

use crate::backend::VulkanBackend;
use crate::blank::Reach;
use crate::commands::Access;
use crate::descriptors::TexelClass;
use crate::framebuffer::Attachment;
use crate::images::{ImageKey, ImageSpec};
use crate::memory::RawBuffer;
use crate::trash::Garbage;
use crate::views::{IDENTITY, ViewKey, view_type};
use ash::vk;
use gpu_allocator::MemoryLocation;
use pipe::{Format, SamplerDesc, SamplerId, Target};

/// Size of the stand-in for unbound buffers: what every device lets a uniform range be, times four.
pub const DUMMY_BUFFER_BYTES: u64 = 65536;

/// What a masked clear writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fill {
    Float,
    Int,
    Uint,
    /// No colour: the stencil reference under a write mask.
    Stencil,
}

/// What distinguishes the pipelines of fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FillKey {
    fill: Fill,
    format: vk::Format,
    samples: vk::SampleCountFlags,
    mask: u8,
}

/// Objects made at first use.
#[derive(Debug, Default)]
pub struct Internal {
    dummy_buffer: Option<RawBuffer>,
    dummy_textures: Vec<((Target, TexelClass), ImageKey)>,
    sampler: Option<vk::Sampler>,
    fill_layout: Option<vk::PipelineLayout>,
    fills: Vec<(FillKey, vk::Pipeline)>,
}

macro_rules! spirv {
    ($file:literal) => {
        include_bytes!(concat!("internal/", $file, ".spv"))
    };
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect()
}

impl VulkanBackend {
    /// Zeros, for buffer bindings without a buffer.
    pub(crate) fn dummy_buffer(&mut self) -> Option<vk::Buffer> {
        if self.internal.dummy_buffer.is_none() {
            let mut raw = RawBuffer::new(
                &mut self.gpu,
                DUMMY_BUFFER_BYTES,
                MemoryLocation::CpuToGpu,
                "dummy",
            )?;
            if let Some(bytes) = raw.mapped_mut() {
                bytes.fill(0);
            }
            self.internal.dummy_buffer = Some(raw);
        }
        self.internal.dummy_buffer.as_ref().map(|raw| raw.buffer)
    }

    /// The sampler of units without one: GL's initial parameters but for the mipmap filter.
    pub(crate) fn default_sampler(&mut self) -> Option<vk::Sampler> {
        if self.internal.sampler.is_none() {
            let sampler = self.make_sampler(&SamplerDesc {
                id: SamplerId::NULL,
                wrap_s: 0x2901,
                wrap_t: 0x2901,
                wrap_r: 0x2901,
                min_filter: 0x2600,
                mag_filter: 0x2600,
                compare_mode: 0,
                compare_func: 0x0203,
                seamless: 0,
                min_lod: 0.0,
                max_lod: 0.0,
                lod_bias: 0.0,
                max_anisotropy: 1.0,
                border_color: [0; 4],
                border_form: 0,
                _pad: 0,
            })?;
            self.internal.sampler = Some(sampler);
        }
        self.internal.sampler
    }

    /// What an incomplete texture samples as: (0, 0, 0, 1) (GL 4.6 core §11.1.3.5, "Texture Access").
    pub(crate) fn dummy_texture(
        &mut self,
        target: Target,
        class: TexelClass,
    ) -> Option<(ImageKey, ViewKey)> {
        let found = self
            .internal
            .dummy_textures
            .iter()
            .find(|(key, _)| *key == (target, class));
        let image = match found {
            Some((_, image)) => *image,
            None => {
                let image = self.make_dummy_texture(target, class)?;
                self.internal.dummy_textures.push(((target, class), image));
                image
            }
        };
        let storage = self.images.get(image)?;
        let format = self.gpu.format(storage.spec.format);
        let layers = storage.spec.layers;
        let key = ViewKey {
            ty: view_type(target),
            format: format.vk,
            swizzle: IDENTITY,
            aspects: format.aspects,
            level: 0,
            levels: 1,
            layer: 0,
            layers,
        };
        Some((image, key))
    }

    fn make_dummy_texture(&mut self, target: Target, class: TexelClass) -> Option<ImageKey> {
        let cube = matches!(target, Target::TextureCube | Target::TextureCubeArray);
        let multisample = matches!(
            target,
            Target::Texture2DMultisample | Target::Texture2DMultisampleArray
        );
        let image = self.create_image(&ImageSpec {
            format: match class {
                TexelClass::Float => Format::Rgba8,
                TexelClass::Int => Format::Rgba8i,
                TexelClass::Uint => Format::Rgba8ui,
                TexelClass::Shadow => Format::Depth16,
            },
            target,
            width: 1,
            height: 1,
            depth: 1,
            layers: if cube { 6 } else { 1 },
            levels: 1,
            samples: if multisample { 4 } else { 0 },
            mutable: false,
            attachment: false,
        })?;
        let cb = self.outside()?;
        let storage = self.images.get(image)?;
        let (raw, layers) = (storage.raw.image, storage.spec.layers);
        let all = Reach::Whole(storage.subresources(0, 0, layers));
        let wanted = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
        let layout = self.use_image(image, wanted, Access::Write, all)?;
        let range = |aspect_mask| {
            [vk::ImageSubresourceRange {
                aspect_mask,
                base_mip_level: 0,
                level_count: 1,
                base_array_layer: 0,
                layer_count: vk::REMAINING_ARRAY_LAYERS,
            }]
        };
        let device = &self.gpu.device;
        if class == TexelClass::Shadow {
            let zero = vk::ClearDepthStencilValue::default();
            // SAFETY: rules 1 and 2.
            unsafe {
                device.cmd_clear_depth_stencil_image(
                    cb,
                    raw,
                    layout,
                    &zero,
                    &range(vk::ImageAspectFlags::DEPTH),
                );
            }
        } else {
            let black = match class {
                TexelClass::Float | TexelClass::Shadow => vk::ClearColorValue {
                    float32: [0.0, 0.0, 0.0, 1.0],
                },
                TexelClass::Int => vk::ClearColorValue {
                    int32: [0, 0, 0, 1],
                },
                TexelClass::Uint => vk::ClearColorValue {
                    uint32: [0, 0, 0, 1],
                },
            };
            // SAFETY: rules 1 and 2.
            unsafe {
                device.cmd_clear_color_image(
                    cb,
                    raw,
                    layout,
                    &black,
                    &range(vk::ImageAspectFlags::COLOR),
                );
            }
        }
        Some(image)
    }

    fn fill_pipeline(&mut self, key: FillKey) -> Option<(vk::PipelineLayout, vk::Pipeline)> {
        let layout = match self.internal.fill_layout {
            Some(layout) => layout,
            None => {
                let push = [vk::PushConstantRange {
                    stage_flags: vk::ShaderStageFlags::FRAGMENT,
                    offset: 0,
                    size: 16,
                }];
                let info = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(&push);
                // SAFETY: rule 4.
                let layout = unsafe { self.gpu.device.create_pipeline_layout(&info, None) };
                let layout = self.gpu.check(layout)?;
                self.internal.fill_layout = Some(layout);
                layout
            }
        };
        if let Some((_, pipeline)) = self.internal.fills.iter().find(|(k, _)| *k == key) {
            return Some((layout, *pipeline));
        }
        let pipeline = self.make_fill_pipeline(key, layout)?;
        self.internal.fills.push((key, pipeline));
        Some((layout, pipeline))
    }

    fn module(&mut self, bytes: &[u8]) -> Option<vk::ShaderModule> {
        let words = words(bytes);
        let info = vk::ShaderModuleCreateInfo::default().code(&words);
        // SAFETY: rule 4; the words are our own.
        let module = unsafe { self.gpu.device.create_shader_module(&info, None) };
        self.gpu.check(module)
    }

    fn make_fill_pipeline(
        &mut self,
        key: FillKey,
        layout: vk::PipelineLayout,
    ) -> Option<vk::Pipeline> {
        let vertex = self.module(spirv!("fill.vert"))?;
        let fragment = match key.fill {
            Fill::Float => Some(self.module(spirv!("fill_float.frag"))?),
            Fill::Int => Some(self.module(spirv!("fill_int.frag"))?),
            Fill::Uint => Some(self.module(spirv!("fill_uint.frag"))?),
            Fill::Stencil => None,
        };
        let mut stages = vec![
            vk::PipelineShaderStageCreateInfo::default()
                .stage(vk::ShaderStageFlags::VERTEX)
                .module(vertex)
                .name(c"main"),
        ];
        if let Some(fragment) = fragment {
            stages.push(
                vk::PipelineShaderStageCreateInfo::default()
                    .stage(vk::ShaderStageFlags::FRAGMENT)
                    .module(fragment)
                    .name(c"main"),
            );
        }
        let is_stencil = key.fill == Fill::Stencil;
        let input = vk::PipelineVertexInputStateCreateInfo::default();
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
            .topology(vk::PrimitiveTopology::TRIANGLE_LIST);
        let viewport = vk::PipelineViewportStateCreateInfo::default()
            .viewport_count(1)
            .scissor_count(1);
        let raster = vk::PipelineRasterizationStateCreateInfo::default()
            .polygon_mode(vk::PolygonMode::FILL)
            .cull_mode(vk::CullModeFlags::NONE)
            .line_width(1.0);
        let multisample =
            vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(key.samples);
        let replace = vk::StencilOpState {
            fail_op: vk::StencilOp::REPLACE,
            pass_op: vk::StencilOp::REPLACE,
            depth_fail_op: vk::StencilOp::REPLACE,
            compare_op: vk::CompareOp::ALWAYS,
            compare_mask: !0,
            write_mask: 0,
            reference: 0,
        };
        let depth_stencil = vk::PipelineDepthStencilStateCreateInfo::default()
            .stencil_test_enable(is_stencil)
            .front(replace)
            .back(replace);
        let targets = [vk::PipelineColorBlendAttachmentState {
            color_write_mask: vk::ColorComponentFlags::from_raw(u32::from(key.mask)),
            ..Default::default()
        }];
        let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(if is_stencil {
            &[]
        } else {
            &targets
        });
        let states = [
            vk::DynamicState::VIEWPORT,
            vk::DynamicState::SCISSOR,
            vk::DynamicState::STENCIL_WRITE_MASK,
            vk::DynamicState::STENCIL_REFERENCE,
        ];
        let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(if is_stencil {
            &states
        } else {
            &states[..2]
        });
        let formats = [key.format];
        let mut rendering = vk::PipelineRenderingCreateInfo::default();
        rendering = if is_stencil {
            rendering.stencil_attachment_format(key.format)
        } else {
            rendering.color_attachment_formats(&formats)
        };
        let info = [vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(&input)
            .input_assembly_state(&assembly)
            .viewport_state(&viewport)
            .rasterization_state(&raster)
            .multisample_state(&multisample)
            .depth_stencil_state(&depth_stencil)
            .color_blend_state(&blend)
            .dynamic_state(&dynamic)
            .layout(layout)
            .push_next(&mut rendering)];
        // SAFETY: rules 1 and 4.
        let made = unsafe {
            self.gpu
                .device
                .create_graphics_pipelines(self.pipelines.cache.raw(), &info, None)
        };
        self.pipelines.cache.grew();
        let made = self.gpu.check(made.map_err(|(_, error)| error));
        for module in [Some(vertex), fragment].into_iter().flatten() {
            // A pipeline does not need its modules once it is made.
            Garbage::ShaderModule(module).destroy(&mut self.gpu);
        }
        made?.first().copied()
    }

    /// Fills a rectangle of one attachment under a mask: colour components, or stencil bits.
    pub(crate) fn fill(
        &mut self,
        attachment: &Attachment,
        encodes: bool,
        rect: vk::Rect2D,
        fill: Fill,
        value: [u32; 4],
        mask: u32,
    ) -> Option<()> {
        let format = *self.gpu.format(attachment.format);
        let is_stencil = fill == Fill::Stencil;
        let vk_format = if encodes || is_stencil {
            format.vk
        } else {
            format.linear
        };
        let image = self.images.get(attachment.image)?;
        let samples =
            crate::images::sample_count(self.gpu.limits(), image.spec.samples, is_stencil);
        let extent = image.level_extent(attachment.level);
        let key = FillKey {
            fill,
            format: vk_format,
            samples,
            mask: if is_stencil { 0 } else { mask as u8 },
        };
        let (layout, pipeline) = self.fill_pipeline(key)?;
        for layer in 0..attachment.layers {
            let cb = self.outside()?;
            let one = crate::framebuffer::Place {
                image: attachment.image,
                format: attachment.format,
                level: attachment.level,
                layer: attachment.layer + layer,
                layers: 1,
            };
            let view = self.attachment(&one, encodes || is_stencil)?.view;
            let wanted = if is_stencil {
                vk::ImageLayout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL
            } else {
                vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL
            };
            let storage = self.images.get(attachment.image)?;
            let part = Reach::Part(storage.subresources(one.level, one.layer, 1));
            let image_layout = self.use_image(attachment.image, wanted, Access::Write, part)?;
            let info = [vk::RenderingAttachmentInfo::default()
                .image_view(view)
                .image_layout(image_layout)
                .load_op(vk::AttachmentLoadOp::LOAD)
                .store_op(vk::AttachmentStoreOp::STORE)];
            let area = vk::Rect2D {
                offset: vk::Offset2D::default(),
                extent: vk::Extent2D {
                    width: extent[0],
                    height: extent[1],
                },
            };
            let mut rendering = vk::RenderingInfo::default()
                .render_area(area)
                .layer_count(1);
            rendering = if is_stencil {
                rendering.stencil_attachment(&info[0])
            } else {
                rendering.color_attachments(&info)
            };
            let viewport = [vk::Viewport {
                x: 0.0,
                y: 0.0,
                width: extent[0] as f32,
                height: extent[1] as f32,
                min_depth: 0.0,
                max_depth: 1.0,
            }];
            let d = &self.gpu.device;
            // SAFETY: rules 1, 2 and 4; the pass is closed again below.
            unsafe {
                self.gpu.fns.rendering.cmd_begin_rendering(cb, &rendering);
                d.cmd_bind_pipeline(cb, vk::PipelineBindPoint::GRAPHICS, pipeline);
                d.cmd_set_viewport(cb, 0, &viewport);
                d.cmd_set_scissor(cb, 0, &[rect]);
                if is_stencil {
                    let both = vk::StencilFaceFlags::FRONT_AND_BACK;
                    d.cmd_set_stencil_write_mask(cb, both, mask);
                    d.cmd_set_stencil_reference(cb, both, value[0]);
                } else {
                    let bytes = zerocopy::IntoBytes::as_bytes(&value);
                    d.cmd_push_constants(cb, layout, vk::ShaderStageFlags::FRAGMENT, 0, bytes);
                }
                d.cmd_draw(cb, 3, 1, 0, 0);
                self.gpu.fns.rendering.cmd_end_rendering(cb);
            }
            // Pipeline and dynamic state are not those of the application any more.
            self.bound = Default::default();
            self.motion += 1;
        }
        Some(())
    }

    /// Destroys the small objects; the device is idle.
    pub(crate) fn end_internal(&mut self) {
        let internal = std::mem::take(&mut self.internal);
        let mut garbage: Vec<Garbage> = Vec::new();
        garbage.extend(internal.dummy_buffer.map(Garbage::Buffer));
        garbage.extend(internal.sampler.map(Garbage::Sampler));
        garbage.extend(internal.fill_layout.map(Garbage::PipelineLayout));
        garbage.extend(
            internal
                .fills
                .into_iter()
                .map(|(_, pipeline)| Garbage::Pipeline(pipeline)),
        );
        for item in garbage {
            item.destroy(&mut self.gpu);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::Command;

    #[test]
    fn checked_in_spirv_is_what_its_source_compiles_to() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/internal");
        for file in [
            "fill.vert",
            "fill_float.frag",
            "fill_int.frag",
            "fill_uint.frag",
        ] {
            let out =
                std::env::temp_dir().join(format!("mobilegl-{}-{file}.spv", std::process::id()));
            let run = Command::new("glslangValidator")
                .args(["-V", "--quiet", "-o"])
                .arg(&out)
                .arg(folder.join(file))
                .output();
            let Ok(run) = run else {
                // Without the tool there is nothing to compare with; CI has it.
                return;
            };
            assert!(run.status.success(), "{file}");
            let fresh = std::fs::read(&out).expect("the tool wrote it");
            let kept = std::fs::read(folder.join(format!("{file}.spv"))).expect("checked in");
            let _ = std::fs::remove_file(&out);
            // Word 2 is the tool's own version.
            assert_eq!(
                fresh[12..],
                kept[12..],
                "compile {file} again: glslangValidator -V"
            );
        }
    }
}
