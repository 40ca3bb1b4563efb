//! Programs: the artifact's SPIR-V as shader modules, its bindings as a set layout. It compiles no GLSL and binds nothing.
#![allow(unsafe_code)]

use crate::backend::VulkanBackend;
use crate::trash::Garbage;
use ash::vk;
use pipe::program::{
    ProgramArtifact, Resource, ResourceKind, SPEC_DEPTH_ZERO_TO_ONE, SPEC_POINT_COORD_FLIP,
    SPEC_POINT_SIZE, SPEC_POINT_SIZE_FIXED, Stage, StageMask, spirv,
};
use pipe::{ProgramBinding, ShaderDesc};

/// A linked program on this device.
#[derive(Debug)]
pub struct Program {
    pub artifact: ProgramArtifact,
    /// Unique among all programs ever: key of pipelines.
    pub number: u64,
    pub modules: Vec<(Stage, vk::ShaderModule)>,
    pub set_layout: vk::DescriptorSetLayout,
    pub layout: vk::PipelineLayout,
    pub has_constants: bool,
    /// Unit or binding point of each descriptor, in the order of `artifact.resources` and their elements.
    pub slots: Vec<u32>,
    /// Version of the bindings that `slots` was made from.
    pub slots_version: u64,
    /// Pipelines of a compute program, made at its first dispatch.
    pub compute: Option<vk::Pipeline>,
}

/// The descriptor type of a resource.
pub fn descriptor_type(kind: ResourceKind) -> vk::DescriptorType {
    match kind {
        ResourceKind::GlobalConstants => vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC,
        ResourceKind::UniformBlock => vk::DescriptorType::UNIFORM_BUFFER,
        ResourceKind::StorageBlock | ResourceKind::AtomicBuffer => {
            vk::DescriptorType::STORAGE_BUFFER
        }
        ResourceKind::Sampler => vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
        ResourceKind::TexelBuffer => vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
        ResourceKind::Image => vk::DescriptorType::STORAGE_IMAGE,
        ResourceKind::ImageBuffer => vk::DescriptorType::STORAGE_TEXEL_BUFFER,
    }
}

/// A stage's flag.
pub fn stage_flag(stage: Stage) -> vk::ShaderStageFlags {
    match stage {
        Stage::Vertex => vk::ShaderStageFlags::VERTEX,
        Stage::TessControl => vk::ShaderStageFlags::TESSELLATION_CONTROL,
        Stage::TessEval => vk::ShaderStageFlags::TESSELLATION_EVALUATION,
        Stage::Geometry => vk::ShaderStageFlags::GEOMETRY,
        Stage::Fragment => vk::ShaderStageFlags::FRAGMENT,
        Stage::Compute => vk::ShaderStageFlags::COMPUTE,
    }
}

fn stage_flags(mask: StageMask) -> vk::ShaderStageFlags {
    mask.iter()
        .fold(vk::ShaderStageFlags::empty(), |f, s| f | stage_flag(s))
}

/// Values of the specialisation constants of one pipeline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpecValues {
    pub depth_zero_to_one: bool,
    pub point_coord_flip: bool,
    pub point_size_fixed: bool,
    pub point_size: f32,
}

impl SpecValues {
    /// The data block; [`SPEC_ENTRIES`] says what stands where.
    pub fn data(&self) -> [u32; 4] {
        [
            u32::from(self.depth_zero_to_one),
            u32::from(self.point_coord_flip),
            u32::from(self.point_size_fixed),
            self.point_size.to_bits(),
        ]
    }
}

const fn entry(constant_id: u32, offset: u32) -> vk::SpecializationMapEntry {
    vk::SpecializationMapEntry {
        constant_id,
        offset,
        size: 4,
    }
}

/// Where [`SpecValues::data`] has each constant.
pub const SPEC_ENTRIES: [vk::SpecializationMapEntry; 4] = [
    entry(SPEC_DEPTH_ZERO_TO_ONE, 0),
    entry(SPEC_POINT_COORD_FLIP, 4),
    entry(SPEC_POINT_SIZE_FIXED, 8),
    entry(SPEC_POINT_SIZE, 12),
];

/// What the artifact says where a descriptor's binding point starts.
fn initial_slot(artifact: &ProgramArtifact, resource: &Resource, element: u32) -> u32 {
    let index = (resource.first + element) as usize;
    match resource.kind {
        ResourceKind::GlobalConstants => Some(0),
        ResourceKind::UniformBlock => artifact
            .uniform_blocks
            .get(index)
            .map(|b| b.initial_binding),
        ResourceKind::StorageBlock => artifact
            .storage_blocks
            .get(index)
            .map(|b| b.initial_binding),
        ResourceKind::AtomicBuffer => artifact.atomic_buffers.get(index).map(|b| b.gl_binding),
        ResourceKind::Sampler | ResourceKind::TexelBuffer => {
            artifact.samplers.get(index).map(|s| s.initial_unit)
        }
        ResourceKind::Image | ResourceKind::ImageBuffer => {
            artifact.images.get(index).map(|i| i.initial_unit)
        }
    }
    .unwrap_or(0)
}

impl Program {
    /// Applies the application's bindings over the initial ones.
    pub fn resolve_slots(&mut self, bindings: &[ProgramBinding], version: u64) {
        if self.slots_version == version {
            return;
        }
        self.slots_version = version;
        self.slots.clear();
        for resource in &self.artifact.resources {
            for element in 0..resource.count {
                let told = bindings.iter().find(|b| {
                    u32::from(b.binding) == resource.binding && u32::from(b.element) == element
                });
                let slot = told.map_or_else(
                    || initial_slot(&self.artifact, resource, element),
                    |b| b.slot,
                );
                self.slots.push(slot);
            }
        }
    }

    /// Everything that must be destroyed with it.
    pub fn garbage(self) -> Vec<Garbage> {
        let mut all: Vec<_> = self
            .modules
            .into_iter()
            .map(|(_, module)| Garbage::ShaderModule(module))
            .collect();
        all.extend(self.compute.map(Garbage::Pipeline));
        all.push(Garbage::PipelineLayout(self.layout));
        all.push(Garbage::SetLayout(self.set_layout));
        all
    }
}

impl VulkanBackend {
    /// Reads an archive and makes the device's objects.
    pub(crate) fn make_program(&mut self, desc: &ShaderDesc, archive: &[u8]) {
        let artifact = match ProgramArtifact::from_archive(archive) {
            Ok(artifact) => artifact,
            Err(error) => {
                self.fail(&format!("program {}: {error}", desc.name_for_diagnostics));
                return;
            }
        };
        let bindings: Vec<_> = artifact
            .resources
            .iter()
            .map(|r| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(r.binding)
                    .descriptor_type(descriptor_type(r.kind))
                    .descriptor_count(r.count)
                    .stage_flags(stage_flags(r.stages))
            })
            .collect();
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        // SAFETY: rule 4.
        let set_layout = unsafe { self.gpu.device.create_descriptor_set_layout(&info, None) };
        let Some(set_layout) = self.gpu.check(set_layout) else {
            return;
        };
        let layouts = [set_layout];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts);
        // SAFETY: rule 4.
        let layout = unsafe { self.gpu.device.create_pipeline_layout(&info, None) };
        let Some(layout) = self.gpu.check(layout) else {
            Garbage::SetLayout(set_layout).destroy(&mut self.gpu);
            return;
        };
        let mut modules = Vec::new();
        let last = artifact.last_vertex_stage();
        for code in &artifact.stages {
            let captured = Some(code.stage) == last && self.gpu.features.ext.transform_feedback;
            let patched;
            let words = if captured && !artifact.xfb.varyings.is_empty() {
                patched = spirv::with_transform_feedback(&code.spirv, &artifact.xfb);
                &patched
            } else {
                &code.spirv
            };
            let info = vk::ShaderModuleCreateInfo::default().code(words);
            // SAFETY: rule 4; the words come out of our own compiler.
            let module = unsafe { self.gpu.device.create_shader_module(&info, None) };
            if let Some(module) = self.gpu.check(module) {
                modules.push((code.stage, module));
            }
        }
        let has_constants = artifact
            .resources
            .iter()
            .any(|r| r.kind == ResourceKind::GlobalConstants);
        let number = self.next_version();
        let program = Program {
            artifact,
            number,
            modules,
            set_layout,
            layout,
            has_constants,
            slots: Vec::new(),
            slots_version: 0,
            compute: None,
        };
        self.end_program(desc.id);
        let unwanted = self.programs.insert(desc.id, program);
        self.retire_program(unwanted);
    }

    /// Ends a program; pipelines made of it go too.
    pub(crate) fn end_program(&mut self, id: pipe::ShaderId) {
        let program = self.programs.remove(id);
        self.retire_program(program);
    }

    /// Gives up what was made of a program, when the GPU is done with it.
    pub(crate) fn retire_program(&mut self, program: Option<Program>) {
        if let Some(program) = program {
            self.world += 1;
            let serial = self.commands.serial();
            for pipeline in self.pipelines.forget_program(program.number) {
                self.trash.push(serial, Garbage::Pipeline(pipeline));
            }
            for garbage in program.garbage() {
                self.trash.push(serial, garbage);
            }
        }
    }
}
