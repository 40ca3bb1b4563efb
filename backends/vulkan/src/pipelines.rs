//! Graphics pipelines: made from a program, the render state's pipeline subset, vertex input and attachment formats; found again by
//! their key. It binds nothing.
#![allow(unsafe_code)]

use crate::backend::VulkanBackend;
use crate::broadcast::broadcast;
use crate::clip_distances::only_enabled;
use crate::depth::{self, ClipDepth};
use crate::features::Features;
use crate::framebuffer::Formats;
use crate::orientation;
use crate::pipeline_cache::PipelineCache;
use crate::programs::{SPEC_ENTRIES, SpecValues, stage_flag};
use crate::samplers::compare_op;
use crate::trash::Garbage;
use crate::vertex::VertexLayout;
use ash::vk;
use pipe::program::Stage;
use pipe::render_state::{BlendTarget, RenderState, StencilFace};
use pipe::{CapBits, Primitive};
use rustc_hash::FxHashMap;
use zerocopy::IntoBytes;

/// What distinguishes one pipeline from another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PipelineKey {
    pub program: u64,
    /// xxh3 of the render state's pipeline subset.
    pub state: u64,
    pub vertex: VertexLayout,
    pub formats: Formats,
    pub topology: Primitive,
    pub restart: bool,
    /// Sample mask with sample coverage folded in.
    pub sample_mask: u32,
    pub patch_vertices: u32,
    /// Bits of the point size, where points are drawn; it is a specialisation constant.
    pub point_size: u32,
}

/// All pipelines.
#[derive(Debug, Default)]
pub struct Pipelines {
    made: FxHashMap<PipelineKey, vk::Pipeline>,
    pub cache: PipelineCache,
    /// Fragment module of the pipeline that is being made, where it is not the program's own.
    broadcast: Option<vk::ShaderModule>,
    /// The same for one that leaves out clip distances.
    clipped: Option<vk::ShaderModule>,
}

impl Pipelines {
    /// Takes the pipelines of a program out.
    pub fn forget_program(&mut self, program: u64) -> Vec<vk::Pipeline> {
        self.made
            .extract_if(|key, _| key.program == program)
            .map(|(_, pipeline)| pipeline)
            .collect()
    }

    /// Whether none was made yet.
    pub fn is_empty(&self) -> bool {
        self.made.is_empty()
    }

    /// Takes all out.
    pub fn drain(&mut self) -> Vec<vk::Pipeline> {
        self.made.drain().map(|(_, pipeline)| pipeline).collect()
    }
}

/// GL's primitive type as a topology.
pub fn topology(mode: Primitive) -> vk::PrimitiveTopology {
    use vk::PrimitiveTopology as T;
    match mode {
        Primitive::Points => T::POINT_LIST,
        Primitive::Lines => T::LINE_LIST,
        // A loop is drawn as a strip with its first vertex appended (indices.rs).
        Primitive::LineLoop | Primitive::LineStrip => T::LINE_STRIP,
        Primitive::Triangles => T::TRIANGLE_LIST,
        Primitive::TriangleStrip => T::TRIANGLE_STRIP,
        Primitive::TriangleFan => T::TRIANGLE_FAN,
        Primitive::LinesAdjacency => T::LINE_LIST_WITH_ADJACENCY,
        Primitive::LineStripAdjacency => T::LINE_STRIP_WITH_ADJACENCY,
        Primitive::TrianglesAdjacency => T::TRIANGLE_LIST_WITH_ADJACENCY,
        Primitive::TriangleStripAdjacency => T::TRIANGLE_STRIP_WITH_ADJACENCY,
        Primitive::Patches => T::PATCH_LIST,
    }
}

fn stencil_op(op: u16) -> vk::StencilOp {
    match op {
        0 => vk::StencilOp::ZERO,
        0x1E01 => vk::StencilOp::REPLACE,
        0x1E02 => vk::StencilOp::INCREMENT_AND_CLAMP,
        0x1E03 => vk::StencilOp::DECREMENT_AND_CLAMP,
        0x150A => vk::StencilOp::INVERT,
        0x8507 => vk::StencilOp::INCREMENT_AND_WRAP,
        0x8508 => vk::StencilOp::DECREMENT_AND_WRAP,
        _ => vk::StencilOp::KEEP,
    }
}

fn stencil_face(face: &StencilFace) -> vk::StencilOpState {
    vk::StencilOpState {
        fail_op: stencil_op(face.fail),
        pass_op: stencil_op(face.depth_pass),
        depth_fail_op: stencil_op(face.depth_fail),
        compare_op: compare_op(face.func),
        // Dynamic.
        compare_mask: 0,
        write_mask: 0,
        reference: 0,
    }
}

/// A blend factor. `opaque`: the target has no alpha in GL's eyes, so that destination alpha is 1.
fn blend_factor(factor: u16, opaque: bool) -> vk::BlendFactor {
    use vk::BlendFactor as F;
    match factor {
        1 => F::ONE,
        0x0300 => F::SRC_COLOR,
        0x0301 => F::ONE_MINUS_SRC_COLOR,
        0x0302 => F::SRC_ALPHA,
        0x0303 => F::ONE_MINUS_SRC_ALPHA,
        0x0304 if opaque => F::ONE,
        0x0305 if opaque => F::ZERO,
        0x0304 => F::DST_ALPHA,
        0x0305 => F::ONE_MINUS_DST_ALPHA,
        0x0306 => F::DST_COLOR,
        0x0307 => F::ONE_MINUS_DST_COLOR,
        // min(As, 1 - Ad) with Ad = 1.
        0x0308 if opaque => F::ZERO,
        0x0308 => F::SRC_ALPHA_SATURATE,
        0x8001 => F::CONSTANT_COLOR,
        0x8002 => F::ONE_MINUS_CONSTANT_COLOR,
        0x8003 => F::CONSTANT_ALPHA,
        0x8004 => F::ONE_MINUS_CONSTANT_ALPHA,
        0x8589 => F::SRC1_ALPHA,
        0x88F9 => F::SRC1_COLOR,
        0x88FA => F::ONE_MINUS_SRC1_COLOR,
        0x88FB => F::ONE_MINUS_SRC1_ALPHA,
        _ => F::ZERO,
    }
}

fn blend_op(equation: u16) -> vk::BlendOp {
    match equation {
        0x8007 => vk::BlendOp::MIN,
        0x8008 => vk::BlendOp::MAX,
        0x800A => vk::BlendOp::SUBTRACT,
        0x800B => vk::BlendOp::REVERSE_SUBTRACT,
        _ => vk::BlendOp::ADD,
    }
}

fn blend_attachment(
    target: &BlendTarget,
    enabled: bool,
    mask: u8,
    opaque: bool,
) -> vk::PipelineColorBlendAttachmentState {
    vk::PipelineColorBlendAttachmentState {
        blend_enable: vk::Bool32::from(enabled),
        src_color_blend_factor: blend_factor(target.src_rgb, opaque),
        dst_color_blend_factor: blend_factor(target.dst_rgb, opaque),
        color_blend_op: blend_op(target.equation_rgb),
        src_alpha_blend_factor: blend_factor(target.src_alpha, opaque),
        dst_alpha_blend_factor: blend_factor(target.dst_alpha, opaque),
        alpha_blend_op: blend_op(target.equation_alpha),
        color_write_mask: vk::ColorComponentFlags::from_raw(u32::from(mask & 0xF)),
    }
}

/// GL_POINT of glPolygonMode.
pub const POLYGON_POINTS: u16 = 0x1B00;

fn polygon_mode(mode: u16) -> vk::PolygonMode {
    match mode {
        POLYGON_POINTS => vk::PolygonMode::POINT,
        0x1B01 => vk::PolygonMode::LINE,
        _ => vk::PolygonMode::FILL,
    }
}

/// GL 4.6 core §14.5: segments of one sample by the diamond-exit rule, smooth ones by coverage; with multisampling they are rectangles.
/// Neither of the first two may meet shading per sample (VUID-VkGraphicsPipelineCreateInfo-lineRasterizationMode-02766).
fn line_mode(
    features: &Features,
    caps: CapBits,
    samples: vk::SampleCountFlags,
    shading: bool,
) -> vk::LineRasterizationModeEXT {
    let one = samples == vk::SampleCountFlags::TYPE_1;
    if !one && features.rectangular_lines {
        vk::LineRasterizationModeEXT::RECTANGULAR
    } else if !one || shading {
        vk::LineRasterizationModeEXT::DEFAULT
    } else if caps.contains(CapBits::LINE_SMOOTH) && features.smooth_lines {
        vk::LineRasterizationModeEXT::RECTANGULAR_SMOOTH
    } else {
        vk::LineRasterizationModeEXT::BRESENHAM
    }
}

fn cull_mode(state: &RenderState) -> vk::CullModeFlags {
    if !state.caps().contains(CapBits::CULL_FACE) {
        return vk::CullModeFlags::NONE;
    }
    match state.raster.cull_face {
        0x0404 => vk::CullModeFlags::FRONT,
        0x0408 => vk::CullModeFlags::FRONT_AND_BACK,
        _ => vk::CullModeFlags::BACK,
    }
}

/// The sample mask of a state: GL_SAMPLE_MASK and glSampleCoverage (GL 4.6 core §14.9.3).
pub fn sample_mask(state: &RenderState, samples: u32) -> u32 {
    let caps = state.caps();
    let mut mask = !0;
    if samples > 1 && caps.contains(CapBits::MULTISAMPLE) {
        if caps.contains(CapBits::SAMPLE_MASK) {
            mask &= state.samples.mask;
        }
        if caps.contains(CapBits::SAMPLE_COVERAGE) {
            let covered = (state.coverage.value.clamp(0.0, 1.0) * samples as f32).round() as u32;
            let bits = (1u64 << covered).wrapping_sub(1) as u32;
            mask &= if state.coverage.invert != 0 {
                !bits
            } else {
                bits
            };
        }
    }
    mask
}

/// States that commands set.
const DYNAMIC: [vk::DynamicState; 8] = [
    vk::DynamicState::VIEWPORT,
    vk::DynamicState::SCISSOR,
    vk::DynamicState::LINE_WIDTH,
    vk::DynamicState::DEPTH_BIAS,
    vk::DynamicState::BLEND_CONSTANTS,
    vk::DynamicState::STENCIL_COMPARE_MASK,
    vk::DynamicState::STENCIL_WRITE_MASK,
    vk::DynamicState::STENCIL_REFERENCE,
];

impl VulkanBackend {
    /// The pipeline of a key, made if it is new. `None`: the device refused it; the reason was logged.
    pub(crate) fn pipeline(
        &mut self,
        key: PipelineKey,
        program: pipe::ShaderId,
        state: &RenderState,
    ) -> Option<vk::Pipeline> {
        if let Some(pipeline) = self.pipelines.made.get(&key) {
            return Some(*pipeline);
        }
        let made = self.make_pipeline(&key, program, state);
        let own = [
            self.pipelines.broadcast.take(),
            self.pipelines.clipped.take(),
        ];
        for module in own.into_iter().flatten() {
            // A pipeline does not need its modules once it is made.
            Garbage::ShaderModule(module).destroy(&mut self.gpu);
        }
        let made = made?;
        self.pipelines.made.insert(key, made);
        Some(made)
    }

    fn make_pipeline(
        &mut self,
        key: &PipelineKey,
        program: pipe::ShaderId,
        state: &RenderState,
    ) -> Option<vk::Pipeline> {
        self.make_broadcast(key, program)?;
        self.make_clipped(program, state.caps.clip_distances)?;
        let program = self.programs.get(program)?;
        let features = &self.gpu.features;
        let caps = state.caps();
        let clip = depth::clip_depth(features, state);
        let last = program.artifact.last_vertex_stage();
        let data: Vec<[u32; 4]> = program
            .modules
            .iter()
            .map(|(stage, _)| {
                SpecValues {
                    depth_zero_to_one: clip == ClipDepth::Shader && Some(*stage) == last,
                    point_coord_flip: orientation::point_coord_flips(state),
                    // A geometry stage reads what was written, whatever the state says.
                    point_size_fixed: !caps.contains(CapBits::PROGRAM_POINT_SIZE)
                        && Some(*stage) == last,
                    point_size: f32::from_bits(key.point_size),
                }
                .data()
            })
            .collect();
        let specialisations: Vec<_> = data
            .iter()
            .map(|data| {
                vk::SpecializationInfo::default()
                    .map_entries(&SPEC_ENTRIES)
                    .data(data.as_bytes())
            })
            .collect();
        let discard = caps.contains(CapBits::RASTERIZER_DISCARD);
        let stages: Vec<_> = program
            .modules
            .iter()
            .zip(&specialisations)
            .filter(|((stage, _), _)| !(discard && *stage == Stage::Fragment))
            .map(|((stage, module), specialisation)| {
                let own = if *stage == Stage::Fragment {
                    self.pipelines.broadcast
                } else {
                    self.pipelines.clipped.filter(|_| Some(*stage) == last)
                };
                vk::PipelineShaderStageCreateInfo::default()
                    .stage(stage_flag(*stage))
                    .module(own.unwrap_or(*module))
                    .name(c"main")
                    .specialization_info(specialisation)
            })
            .collect();

        let bindings: Vec<_> = (0..)
            .zip(&key.vertex.bindings)
            .map(|(i, b)| vk::VertexInputBindingDescription {
                binding: i,
                stride: b.stride,
                input_rate: if b.divisor == 0 {
                    vk::VertexInputRate::VERTEX
                } else {
                    vk::VertexInputRate::INSTANCE
                },
            })
            .collect();
        let attributes: Vec<_> = key
            .vertex
            .attributes
            .iter()
            .map(|a| vk::VertexInputAttributeDescription {
                location: a.location,
                binding: a.binding,
                format: a.format,
                offset: a.offset,
            })
            .collect();
        let divisors: Vec<_> = (0..)
            .zip(&key.vertex.bindings)
            .filter(|(_, b)| b.divisor > 1 && features.ext.vertex_attribute_divisor)
            .map(|(i, b)| vk::VertexInputBindingDivisorDescriptionEXT {
                binding: i,
                divisor: b.divisor.min(self.gpu.max_vertex_divisor.max(1)),
            })
            .collect();
        let mut divisor_info = vk::PipelineVertexInputDivisorStateCreateInfoEXT::default()
            .vertex_binding_divisors(&divisors);
        let mut vertex_input = vk::PipelineVertexInputStateCreateInfo::default()
            .vertex_binding_descriptions(&bindings)
            .vertex_attribute_descriptions(&attributes);
        if !divisors.is_empty() {
            vertex_input = vertex_input.push_next(&mut divisor_info);
        }
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
            .topology(topology(key.topology))
            .primitive_restart_enable(key.restart);
        let tessellation = vk::PipelineTessellationStateCreateInfo::default()
            .patch_control_points(key.patch_vertices.max(1));

        let viewports = self.viewport_count(program.artifact.flags.writes_viewport_index);
        let mut clip_control = vk::PipelineViewportDepthClipControlCreateInfoEXT::default()
            .negative_one_to_one(clip == ClipDepth::Control);
        let mut viewport = vk::PipelineViewportStateCreateInfo::default()
            .viewport_count(viewports)
            .scissor_count(viewports);
        if clip == ClipDepth::Control {
            viewport = viewport.push_next(&mut clip_control);
        }

        let mode = polygon_mode(state.raster.polygon_mode_front);
        let bias = match mode {
            vk::PolygonMode::POINT => CapBits::POLYGON_OFFSET_POINT,
            vk::PolygonMode::LINE => CapBits::POLYGON_OFFSET_LINE,
            _ => CapBits::POLYGON_OFFSET_FILL,
        };
        const FIRST_VERTEX_CONVENTION: u16 = 0x8E4D;
        let mut provoking = vk::PipelineRasterizationProvokingVertexStateCreateInfoEXT::default()
            .provoking_vertex_mode(
                if state.raster.provoking_vertex == FIRST_VERTEX_CONVENTION {
                    vk::ProvokingVertexModeEXT::FIRST_VERTEX
                } else {
                    vk::ProvokingVertexModeEXT::LAST_VERTEX
                },
            );
        let mut raster = vk::PipelineRasterizationStateCreateInfo::default()
            .depth_clamp_enable(caps.contains(CapBits::DEPTH_CLAMP) && features.core.depth_clamp)
            .rasterizer_discard_enable(discard)
            .polygon_mode(if features.core.fill_mode_non_solid {
                mode
            } else {
                vk::PolygonMode::FILL
            })
            .cull_mode(cull_mode(state))
            .front_face(orientation::front_face(state))
            .depth_bias_enable(caps.contains(bias))
            .line_width(1.0);
        if features.ext.provoking_vertex {
            raster = raster.push_next(&mut provoking);
        }

        let masks = [key.sample_mask, !0];
        let samples = key.formats.samples;
        let shading = caps.contains(CapBits::SAMPLE_SHADING) && features.core.sample_rate_shading;
        let mut lines = vk::PipelineRasterizationLineStateCreateInfoEXT::default()
            .line_rasterization_mode(line_mode(features, caps, samples, shading));
        if features.ext.line_rasterization {
            raster = raster.push_next(&mut lines);
        }
        let multisample = vk::PipelineMultisampleStateCreateInfo::default()
            .rasterization_samples(samples)
            .sample_mask(&masks)
            .sample_shading_enable(shading)
            .min_sample_shading(state.samples.min_shading.clamp(0.0, 1.0))
            .alpha_to_coverage_enable(
                caps.contains(CapBits::SAMPLE_ALPHA_TO_COVERAGE)
                    && samples != vk::SampleCountFlags::TYPE_1,
            )
            .alpha_to_one_enable(
                caps.contains(CapBits::SAMPLE_ALPHA_TO_ONE)
                    && features.core.alpha_to_one
                    && samples != vk::SampleCountFlags::TYPE_1,
            );

        // A test without its attachment passes always (GL 4.6 core §17.3.4, "If there is no depth buffer").
        let depth_test =
            caps.contains(CapBits::DEPTH_TEST) && key.formats.depth != vk::Format::UNDEFINED;
        let stencil_test =
            caps.contains(CapBits::STENCIL_TEST) && key.formats.stencil != vk::Format::UNDEFINED;
        let depth_stencil = vk::PipelineDepthStencilStateCreateInfo::default()
            .depth_test_enable(depth_test)
            .depth_write_enable(depth_test && state.depth_stencil.depth_write != 0)
            .depth_compare_op(compare_op(state.depth_stencil.depth_func))
            .stencil_test_enable(stencil_test)
            .front(stencil_face(&state.depth_stencil.front))
            .back(stencil_face(&state.depth_stencil.back));

        let blends: Vec<_> = (0..key.formats.count as usize)
            .map(|i| {
                let bit = 1 << i;
                let written = key.formats.colors[i] != vk::Format::UNDEFINED;
                blend_attachment(
                    &state.blend.targets[i],
                    written
                        && state.blend.enabled & bit != 0
                        && key.formats.blendable & bit as u8 != 0,
                    if written {
                        state.blend.color_masks[i]
                    } else {
                        0
                    },
                    key.formats.opaque & bit as u8 != 0,
                )
            })
            .collect();
        let logic = caps.contains(CapBits::COLOR_LOGIC_OP) && features.core.logic_op;
        let blend = vk::PipelineColorBlendStateCreateInfo::default()
            .logic_op_enable(logic)
            .logic_op(vk::LogicOp::from_raw(i32::from(
                state.blend.logic_op.wrapping_sub(0x1500) & 0xF,
            )))
            .attachments(&blends);
        let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&DYNAMIC);
        let mut rendering = vk::PipelineRenderingCreateInfo::default()
            .color_attachment_formats(&key.formats.colors[..key.formats.count as usize])
            .depth_attachment_format(key.formats.depth)
            .stencil_attachment_format(key.formats.stencil);
        let mut info = vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(&vertex_input)
            .input_assembly_state(&assembly)
            .viewport_state(&viewport)
            .rasterization_state(&raster)
            .multisample_state(&multisample)
            .depth_stencil_state(&depth_stencil)
            .color_blend_state(&blend)
            .dynamic_state(&dynamic)
            .layout(program.layout)
            .push_next(&mut rendering);
        if program.artifact.tess.is_some() {
            info = info.tessellation_state(&tessellation);
        }
        let _zone = tracing::debug_span!("compile: pipeline").entered();
        // SAFETY: rules 1 and 4.
        let made = unsafe {
            self.gpu
                .device
                .create_graphics_pipelines(self.pipelines.cache.raw(), &[info], None)
        };
        self.pipelines.cache.grew();
        let made = made.map_err(|(_, error)| error);
        self.gpu.check(made)?.first().copied()
    }

    /// The fragment module of a program whose `gl_FragColor` goes to several outputs.
    fn make_broadcast(&mut self, key: &PipelineKey, program: pipe::ShaderId) -> Option<()> {
        let artifact = &self.programs.get(program)?.artifact;
        let locations: Vec<u32> = (1..u32::from(key.formats.count))
            .filter(|i| key.formats.colors[*i as usize] != vk::Format::UNDEFINED)
            .collect();
        if !artifact.flags.frag_color_broadcast || locations.is_empty() {
            return Some(());
        }
        let code = &artifact.stage(Stage::Fragment)?.spirv;
        let words = broadcast(code, &locations);
        let info = vk::ShaderModuleCreateInfo::default().code(&words);
        // SAFETY: rule 4; the words come out of our own compiler.
        let module = unsafe { self.gpu.device.create_shader_module(&info, None) };
        self.pipelines.broadcast = Some(self.gpu.check(module)?);
        Some(())
    }

    /// The last vertex stage's module of a program that writes clip distances which are off.
    fn make_clipped(&mut self, program: pipe::ShaderId, enabled: u32) -> Option<()> {
        let artifact = &self.programs.get(program)?.artifact;
        let stage = artifact.last_vertex_stage().and_then(|s| artifact.stage(s));
        let words = stage
            .filter(|_| artifact.flags.clip_distances != 0)
            .and_then(|stage| only_enabled(&stage.spirv, enabled));
        if let Some(words) = words {
            let info = vk::ShaderModuleCreateInfo::default().code(&words);
            // SAFETY: rule 4; the words come out of our own compiler.
            let module = unsafe { self.gpu.device.create_shader_module(&info, None) };
            self.pipelines.clipped = Some(self.gpu.check(module)?);
        }
        Some(())
    }

    /// Viewports that a pipeline takes.
    pub(crate) fn viewport_count(&self, indexed: bool) -> u32 {
        if indexed && self.gpu.features.core.multi_viewport {
            self.gpu
                .limits()
                .max_viewports
                .min(pipe::render_state::MAX_VIEWPORTS as u32)
        } else {
            1
        }
    }
}
