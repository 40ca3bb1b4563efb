//! A program whose interface is known, without a compiler.

use pipe::program::{
    ProgramArtifact, ResourceKind, SamplerSlot, Stage, StageMask, Uniform, UniformStorage,
};

/// Two samplers and one array of two vectors.
pub fn artifact(variant: u8) -> ProgramArtifact {
    let sampler = |element: u32| SamplerSlot {
        binding: 1,
        element,
        gl_type: 0x8B5E, // GL_SAMPLER_2D
        initial_unit: element,
        uniform: 1,
        stages: Stage::Fragment.mask(),
    };
    let uniform = |name: &str, gl_type, storage, stride| Uniform {
        name: name.to_owned(),
        gl_type,
        array_size: 2,
        is_array: true,
        storage,
        offset: 0,
        array_stride: stride,
        matrix_stride: 0,
        row_major: false,
        location: None,
        stages: Stage::Fragment.mask(),
    };
    let mut mask = StageMask::EMPTY;
    mask.insert(Stage::Vertex.mask());
    mask.insert(Stage::Fragment.mask());
    let samplers = UniformStorage::Sampler { first_slot: 0 };
    ProgramArtifact {
        stage_mask: mask,
        default_block_size: 32,
        default_block_initial: vec![variant; 32],
        uniforms: vec![
            uniform("v[0]", 0x8B52, UniformStorage::Default, 16), // GL_FLOAT_VEC4
            uniform("s[0]", 0x8B5E, samplers, 0),
        ],
        samplers: vec![sampler(0), sampler(1)],
        resources: vec![pipe::program::Resource {
            name: "s".into(),
            kind: ResourceKind::Sampler,
            set: 0,
            binding: 1,
            count: 2,
            stages: Stage::Fragment.mask(),
            first: 0,
        }],
        ..ProgramArtifact::default()
    }
}
