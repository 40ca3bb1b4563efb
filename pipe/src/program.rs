//! The program artifact: what a successful link yields and what both backends and the GL object layer read.
//! It must never hold shader source, compiler handles or GL object names.
//!
//! # Descriptor convention (both backends rely on it)
//!
//! * Everything is in descriptor **set 0**, and a binding number means the same resource in every stage.
//! * **Binding 0** is the default uniform block ("global constants"): one std140 uniform buffer for the whole program, equal
//!   member offsets in every stage, [`ProgramArtifact::default_block_size`] bytes. Programs without default-block uniforms
//!   (size 0) do not declare it.
//! * Named uniform blocks, storage blocks, atomic-counter buffers, samplers and images follow from binding 1 on, dense, in the
//!   order of [`ProgramArtifact::resources`]. An array of `n` is one binding with `n` descriptors.
//! * GL binding points (`glUniformBlockBinding`, texture units, image units) are state of the GL program object and never
//!   appear in the SPIR-V: a backend maps *slot* (below) to binding through the tables here.
//!
//! # Slots
//!
//! * Sampler slot `i` is element `i` of [`ProgramArtifact::samplers`]: one per array element, in uniform order. Views and
//!   samplers are told by texture unit; `set_program_bindings` says which unit a slot's descriptor reads.
//! * Image slot, uniform-block index, storage-block index: likewise index `images`, `uniform_blocks`, `storage_blocks`. A block
//!   array is one GL block per element.
//!
//! # Specialisation constants
//!
//! A stage contains only those that it uses; specialising an absent id is harmless in Vulkan. Defaults are GL's conventions.
//!
//! | id | type | stage | meaning |
//! | --- | --- | --- | --- |
//! | 0 [`SPEC_DEPTH_ZERO_TO_ONE`] | bool, false | vertex, tessellation evaluation, geometry | `gl_Position.z = (z + w) / 2`: set it only on [`ProgramArtifact::last_vertex_stage`], when the device lacks depth clip control and clip control is `NEGATIVE_ONE_TO_ONE` |
//! | 1 [`SPEC_POINT_COORD_FLIP`] | bool, false | fragment | `gl_PointCoord.y` becomes `1 - y` |
//! | 2 [`SPEC_POINT_SIZE_FIXED`] | bool, false | vertex, geometry that emits points | a written `gl_PointSize` is replaced by constant 3 (`GL_PROGRAM_POINT_SIZE` disabled) |
//! | 3 [`SPEC_POINT_SIZE`] | float, 1.0 | vertex, geometry that emits points | the value of `glPointSize`; it is what `gl_PointSize` holds where the shader does not write it |
//!
//! # Built-ins that differ between GL and Vulkan
//!
//! `gl_VertexID` is VertexIndex. `gl_InstanceID` is `InstanceIndex - BaseInstance`, which is right for Vulkan as it stands. For
//! ES, first apply [`spirv::without_base_instance`] (BaseInstance becomes the constant 0) and tell the translator that the
//! instance index does not include the base instance.
//! Transform feedback is not decorated in the SPIR-V (ES captures by name): Vulkan applies [`spirv::with_transform_feedback`].

use serde::{Deserialize, Serialize};

mod captured_parts;
pub mod spirv;

/// Constant id of the clip-space depth remap.
pub const SPEC_DEPTH_ZERO_TO_ONE: u32 = 0;
/// Constant id of the vertical flip of `gl_PointCoord`.
pub const SPEC_POINT_COORD_FLIP: u32 = 1;
/// Constant id of "the point size comes from state".
pub const SPEC_POINT_SIZE_FIXED: u32 = 2;
/// Constant id of the point size that comes from state.
pub const SPEC_POINT_SIZE: u32 = 3;

/// The descriptor set of every resource.
pub const DESCRIPTOR_SET: u32 = 0;
/// The binding of the default uniform block.
pub const DEFAULT_BLOCK_BINDING: u32 = 0;

/// A programmable stage, in pipeline order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Stage {
    Vertex = 0,
    TessControl = 1,
    TessEval = 2,
    Geometry = 3,
    Fragment = 4,
    Compute = 5,
}

impl Stage {
    /// Every stage, in pipeline order.
    pub const ALL: [Self; 6] = [
        Self::Vertex,
        Self::TessControl,
        Self::TessEval,
        Self::Geometry,
        Self::Fragment,
        Self::Compute,
    ];

    /// The mask with this stage alone.
    pub const fn mask(self) -> StageMask {
        StageMask(1 << self as u8)
    }

    /// The word that drivers use in logs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vertex => "vertex",
            Self::TessControl => "tessellation control",
            Self::TessEval => "tessellation evaluation",
            Self::Geometry => "geometry",
            Self::Fragment => "fragment",
            Self::Compute => "compute",
        }
    }
}

/// A set of stages; bit `n` is the stage with discriminant `n`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct StageMask(pub u8);

impl StageMask {
    /// No stage.
    pub const EMPTY: Self = Self(0);

    /// Whether `stage` is in the set.
    pub const fn contains(self, stage: Stage) -> bool {
        self.0 & (1 << stage as u8) != 0
    }

    /// Adds every stage of `other`.
    pub const fn insert(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The stages of the set in pipeline order.
    pub fn iter(self) -> impl Iterator<Item = Stage> {
        Stage::ALL.into_iter().filter(move |s| self.contains(*s))
    }
}

/// One stage's code. The entry point is `main`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageCode {
    pub stage: Stage,
    /// SPIR-V 1.3 for Vulkan 1.1, host-endian words.
    #[serde(with = "words_as_bytes")]
    pub spirv: Vec<u32>,
}

/// Where the value of an active uniform lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UniformStorage {
    /// Member of the default block, at [`Uniform::offset`] of global constants.
    Default,
    /// Member of uniform block `index` (of the first element, for a block array).
    Block { index: u32 },
    /// First of [`Uniform::array_size`] consecutive sampler slots.
    Sampler { first_slot: u32 },
    /// First of [`Uniform::array_size`] consecutive image slots.
    Image { first_slot: u32 },
    /// Counter in atomic-counter buffer `index`, at [`Uniform::offset`].
    AtomicCounter { index: u32 },
}

/// One active uniform, as `glGetActiveUniform` reports it. The index in the table is the GL uniform index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uniform {
    /// GL name: `light[1].pos`, `Block.member`, arrays of basic types with the `[0]` suffix.
    pub name: String,
    /// GL type enum (`GL_FLOAT_VEC4`, `GL_SAMPLER_2D`, `GL_BOOL` ...).
    pub gl_type: u32,
    /// Elements; 1 for what is not an array.
    pub array_size: u32,
    /// Declared as an array (also with one element).
    pub is_array: bool,
    pub storage: UniformStorage,
    /// Byte offset in its block (also for the default block); 0 for opaque types.
    pub offset: u32,
    /// Bytes between elements; 0 for what is not an array.
    pub array_stride: u32,
    /// Bytes between columns (rows, if row-major); 0 for what is not a matrix.
    pub matrix_stride: u32,
    pub row_major: bool,
    /// Location of element 0; an array takes `array_size` consecutive ones. `None` in blocks and for counters.
    pub location: Option<u32>,
    /// Stages that refer to it.
    pub stages: StageMask,
}

/// One active uniform or storage block; elements of a block array are separate blocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// `Name` or `Name[3]`.
    pub name: String,
    /// `layout(binding = ...)`, else 0: the initial value of the GL binding point.
    pub initial_binding: u32,
    /// Bytes that a bound range must have (storage blocks: with one element of a trailing unsized array).
    pub data_size: u32,
    /// Indices into `uniforms` (uniform blocks) or `buffer_variables` (storage blocks).
    pub members: Vec<u32>,
    pub stages: StageMask,
    /// Descriptor binding in set 0, and which element of its array.
    pub binding: u32,
    pub element: u32,
    /// No stage writes it (uniform blocks: always).
    pub readonly: bool,
}

/// One variable of a storage block. The index in the table is the GL buffer-variable index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BufferVariable {
    pub name: String,
    pub gl_type: u32,
    /// Elements; 0 for an unsized array.
    pub array_size: u32,
    pub is_array: bool,
    pub block: u32,
    pub offset: u32,
    pub array_stride: u32,
    pub matrix_stride: u32,
    pub row_major: bool,
    pub top_level_array_size: u32,
    pub top_level_array_stride: u32,
    pub stages: StageMask,
}

/// One buffer that holds atomic counters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtomicBuffer {
    /// The GL binding point (fixed by the shader).
    pub gl_binding: u32,
    pub data_size: u32,
    pub members: Vec<u32>,
    pub stages: StageMask,
    pub binding: u32,
}

/// One element of a sampler uniform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SamplerSlot {
    /// Descriptor binding in set 0, and which element of its array.
    pub binding: u32,
    pub element: u32,
    /// GL sampler type enum of the uniform (also says dimension, shadow, component class).
    pub gl_type: u32,
    /// Initial texture unit: `layout(binding = ...)` plus element, else 0.
    pub initial_unit: u32,
    /// Index of the uniform it belongs to.
    pub uniform: u32,
    pub stages: StageMask,
}

/// One element of an image uniform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageSlot {
    pub binding: u32,
    pub element: u32,
    /// GL image type enum (`GL_IMAGE_2D` ...).
    pub gl_type: u32,
    /// Initial image unit: `layout(binding = ...)` plus element, else 0.
    pub initial_unit: u32,
    pub uniform: u32,
    /// SPIR-V `ImageFormat` operand; 0 is "no format".
    pub format: u32,
    pub readonly: bool,
    pub writeonly: bool,
    pub stages: StageMask,
}

/// What a descriptor binding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ResourceKind {
    /// The default uniform block.
    GlobalConstants,
    UniformBlock,
    StorageBlock,
    AtomicBuffer,
    /// Combined image and sampler.
    Sampler,
    /// Sampled buffer texture (uniform texel buffer).
    TexelBuffer,
    Image,
    /// Storage texel buffer.
    ImageBuffer,
}

/// One descriptor binding of set 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    /// Name of the SPIR-V variable or block type (also what a translator prints): the GL name without any index.
    pub name: String,
    pub kind: ResourceKind,
    pub set: u32,
    pub binding: u32,
    /// Array elements; 1 for what is not an array.
    pub count: u32,
    pub stages: StageMask,
    /// First slot (samplers, images), block index (blocks, buffers) or 0.
    pub first: u32,
}

/// One active vertex attribute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attribute {
    /// Without `[0]`, also for arrays (`glGetActiveAttrib` of Mesa; program-resource queries add it).
    pub name: String,
    pub gl_type: u32,
    pub array_size: u32,
    pub is_array: bool,
    /// First location. A matrix takes one per column, an array that many per element.
    pub location: u32,
    /// Locations taken in total.
    pub location_count: u32,
}

/// One output of the fragment stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FragOutput {
    /// Without `[0]`, also for arrays; `gl_FragColor` and `gl_FragData` under their own names.
    pub name: String,
    pub gl_type: u32,
    pub array_size: u32,
    pub is_array: bool,
    /// Colour number of element 0.
    pub location: u32,
    /// 1 for the second source of dual-source blending.
    pub index: u32,
}

/// One captured varying. Byte offsets are within one vertex of its buffer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct XfbVarying {
    /// As passed to `glTransformFeedbackVaryings`, or the shader's name for `xfb_offset`.
    pub name: String,
    pub gl_type: u32,
    pub array_size: u32,
    pub buffer: u32,
    pub offset: u32,
    /// 32-bit components captured.
    pub components: u32,
    /// Names of the SPIR-V object: the variable (or block type) and the member, if it is one.
    pub variable: String,
    pub member: Option<u32>,
    /// Indices from the object (the variable, also where `variable` names its block type) to what is captured, where that is less
    /// than a variable or a member of a block: elements of arrays, members of structures, members of one block of an array. Else empty.
    pub part: Vec<u32>,
}

/// Transform feedback of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct XfbInfo {
    pub varyings: Vec<XfbVarying>,
    /// Bytes per vertex for each buffer in use; 0 where none.
    pub strides: [u32; 4],
    /// `GL_SEPARATE_ATTRIBS` (else interleaved).
    pub separate: bool,
    /// Vertex stream of each buffer.
    pub streams: [u32; 4],
}

/// What a geometry stage takes and makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeometryInfo {
    /// GL primitive enums (`GL_TRIANGLES`, `GL_LINES_ADJACENCY` ...).
    pub input: u32,
    pub output: u32,
    pub max_vertices: u32,
    pub invocations: u32,
}

/// Tessellation layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TessInfo {
    /// `layout(vertices = ...)` of the control stage; 0 without one.
    pub control_vertices: u32,
    /// `GL_TRIANGLES`, `GL_QUADS` or `GL_ISOLINES`.
    pub mode: u32,
    /// `GL_EQUAL`, `GL_FRACTIONAL_EVEN` or `GL_FRACTIONAL_ODD`.
    pub spacing: u32,
    pub clockwise: bool,
    pub point_mode: bool,
}

/// Facts about the code that choose paths in a backend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramFlags {
    pub frag_coord: bool,
    pub point_coord: bool,
    pub front_facing: bool,
    /// A vertex-processing stage of the source writes `gl_PointSize`.
    pub point_size_written: bool,
    pub vertex_id: bool,
    pub instance_id: bool,
    /// The source reads `gl_BaseVertex` / `gl_BaseInstance` / `gl_DrawID` itself.
    pub base_vertex: bool,
    pub base_instance: bool,
    pub draw_id: bool,
    /// Runs per sample (`sample in`, `gl_SampleID`, `gl_SamplePosition`).
    pub sample_shading: bool,
    pub frag_depth_written: bool,
    pub discards: bool,
    pub early_fragment_tests: bool,
    /// `gl_FragColor`: the value of output 0 goes to every enabled draw buffer.
    pub frag_color_broadcast: bool,
    pub writes_layer: bool,
    pub writes_viewport_index: bool,
    pub dual_source: bool,
    pub clip_distances: u8,
    pub cull_distances: u8,
}

/// Members of the default block that hold GL state. They are no uniforms of the application: the client fills them in before a
/// verb that runs the program. Byte offsets; `None` where the code does not read the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateMembers {
    /// float: height of the draw framebuffer in pixels.
    pub frag_coord_height: Option<u32>,
    /// float\[3\]: near, far and far - near of viewport 0.
    pub depth_range: Option<u32>,
}

impl StateMembers {
    /// Whether the code reads none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The result of a successful link.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramArtifact {
    /// In pipeline order.
    pub stages: Vec<StageCode>,
    pub stage_mask: StageMask,
    pub separable: bool,
    /// Bytes of global constants (binding 0); 0 where there are none.
    pub default_block_size: u32,
    /// Value of global constants after a link: initialisers, else zeros. As long as `default_block_size`.
    pub default_block_initial: Vec<u8>,
    pub default_block_stages: StageMask,
    pub state_members: StateMembers,
    pub uniforms: Vec<Uniform>,
    /// One past the highest uniform location in use.
    pub uniform_location_count: u32,
    pub uniform_blocks: Vec<Block>,
    pub storage_blocks: Vec<Block>,
    pub buffer_variables: Vec<BufferVariable>,
    pub atomic_buffers: Vec<AtomicBuffer>,
    pub samplers: Vec<SamplerSlot>,
    pub images: Vec<ImageSlot>,
    /// Every binding of set 0, ascending.
    pub resources: Vec<Resource>,
    pub attributes: Vec<Attribute>,
    pub frag_outputs: Vec<FragOutput>,
    pub xfb: XfbInfo,
    pub geometry: Option<GeometryInfo>,
    pub tess: Option<TessInfo>,
    /// Work-group size of a compute program.
    pub local_size: Option<[u32; 3]>,
    pub flags: ProgramFlags,
}

/// Why an archive could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveError {
    #[error("not a program archive")]
    NotAnArchive,
    #[error("program archive version {found}, this library reads {ARCHIVE_VERSION}")]
    Version { found: u32 },
    #[error("program archive is damaged: {0}")]
    Damaged(String),
}

/// Version of [`ProgramArtifact::to_archive`]; raised by every change of the structs in this file.
pub const ARCHIVE_VERSION: u32 = 2;
const ARCHIVE_MAGIC: [u8; 4] = *b"MGPA";

impl ProgramArtifact {
    /// The code of `stage`, if the program has it.
    pub fn stage(&self, stage: Stage) -> Option<&StageCode> {
        self.stages.iter().find(|s| s.stage == stage)
    }

    /// The stage whose `gl_Position` the rasteriser sees: geometry, else tessellation evaluation, else vertex.
    pub fn last_vertex_stage(&self) -> Option<Stage> {
        [Stage::Geometry, Stage::TessEval, Stage::Vertex]
            .into_iter()
            .find(|s| self.stage_mask.contains(*s))
    }

    /// The uniform whose locations include `location`, and the array element that it names.
    pub fn uniform_at(&self, location: u32) -> Option<(u32, u32)> {
        self.uniforms.iter().enumerate().find_map(|(i, u)| {
            let first = u.location?;
            (location >= first && location - first < u.array_size)
                .then(|| (i as u32, location - first))
        })
    }

    /// The versioned form that crosses processes and fills `glGetProgramBinary`.
    pub fn to_archive(&self) -> Vec<u8> {
        let mut out =
            Vec::with_capacity(256 + self.stages.iter().map(|s| s.spirv.len() * 4).sum::<usize>());
        out.extend_from_slice(&ARCHIVE_MAGIC);
        out.extend_from_slice(&ARCHIVE_VERSION.to_le_bytes());
        postcard::to_extend(self, out).expect("plain data into a growing buffer")
    }

    /// Reads what [`Self::to_archive`] wrote. The bytes may come from anywhere: nothing but the structure is trusted.
    pub fn from_archive(bytes: &[u8]) -> Result<Self, ArchiveError> {
        let rest = bytes
            .strip_prefix(&ARCHIVE_MAGIC)
            .ok_or(ArchiveError::NotAnArchive)?;
        let (version, body) = rest
            .split_first_chunk::<4>()
            .ok_or(ArchiveError::NotAnArchive)?;
        let found = u32::from_le_bytes(*version);
        if found != ARCHIVE_VERSION {
            return Err(ArchiveError::Version { found });
        }
        postcard::from_bytes(body).map_err(|e| ArchiveError::Damaged(e.to_string()))
    }
}

/// SPIR-V as one byte string: as numbers every large word would take five bytes.
mod words_as_bytes {
    use serde::de::{Error, Visitor};
    use serde::{Deserializer, Serializer};

    pub fn serialize<S: Serializer>(words: &[u32], s: S) -> Result<S::Ok, S::Error> {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        s.serialize_bytes(&bytes)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<u32>, D::Error> {
        struct Words;
        impl Visitor<'_> for Words {
            type Value = Vec<u32>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("SPIR-V bytes")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u32>, E> {
                let (words, rest) = bytes.as_chunks::<4>();
                if !rest.is_empty() {
                    return Err(E::custom("SPIR-V is not a whole number of words"));
                }
                Ok(words.iter().map(|w| u32::from_le_bytes(*w)).collect())
            }
        }
        d.deserialize_bytes(Words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> ProgramArtifact {
        ProgramArtifact {
            stages: vec![StageCode {
                stage: Stage::Vertex,
                spirv: vec![0x0723_0203, 0x0001_0300, 0, 1, 0],
            }],
            stage_mask: Stage::Vertex.mask(),
            ..ProgramArtifact::default()
        }
    }

    #[test]
    fn archive_round_trip_is_equal() {
        assert_eq!(
            ProgramArtifact::from_archive(&sample().to_archive()),
            Ok(sample())
        );
    }

    #[test]
    fn archive_of_another_version_is_refused_by_number() {
        let mut bytes = sample().to_archive();
        bytes[4] = 99;
        assert_eq!(
            ProgramArtifact::from_archive(&bytes),
            Err(ArchiveError::Version { found: 99 })
        );
    }

    #[test]
    fn archive_cut_anywhere_is_an_error() {
        let bytes = sample().to_archive();
        for n in 0..bytes.len() {
            assert!(
                ProgramArtifact::from_archive(&bytes[..n]).is_err(),
                "{n} bytes"
            );
        }
    }
}
