//! A linked program as GL's program interfaces show it (GL 4.6 §7.3.1): names, indices, locations, properties. It changes nothing.

use gl_enums::*;
use gl_state::program::Executable;
use pipe::program::{ProgramArtifact, Stage, StageMask, UniformStorage};
use std::borrow::Cow;

/// A program interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    Uniform,
    UniformBlock,
    AtomicCounterBuffer,
    ProgramInput,
    ProgramOutput,
    TransformFeedbackVarying,
    TransformFeedbackBuffer,
    BufferVariable,
    ShaderStorageBlock,
    /// Any of the twelve of subroutines: links resolve them, none stays active.
    Subroutine,
    /// As above, for subroutine uniforms.
    SubroutineUniform,
}

impl Interface {
    /// GL 4.6 table 7.1 (interfaces).
    pub fn from_gl(interface: GLenum) -> Option<Self> {
        Some(match interface {
            GL_UNIFORM => Self::Uniform,
            GL_UNIFORM_BLOCK => Self::UniformBlock,
            GL_ATOMIC_COUNTER_BUFFER => Self::AtomicCounterBuffer,
            GL_PROGRAM_INPUT => Self::ProgramInput,
            GL_PROGRAM_OUTPUT => Self::ProgramOutput,
            GL_TRANSFORM_FEEDBACK_VARYING => Self::TransformFeedbackVarying,
            GL_TRANSFORM_FEEDBACK_BUFFER => Self::TransformFeedbackBuffer,
            GL_BUFFER_VARIABLE => Self::BufferVariable,
            GL_SHADER_STORAGE_BLOCK => Self::ShaderStorageBlock,
            GL_VERTEX_SUBROUTINE
            | GL_TESS_CONTROL_SUBROUTINE
            | GL_TESS_EVALUATION_SUBROUTINE
            | GL_GEOMETRY_SUBROUTINE
            | GL_FRAGMENT_SUBROUTINE
            | GL_COMPUTE_SUBROUTINE => Self::Subroutine,
            GL_VERTEX_SUBROUTINE_UNIFORM
            | GL_TESS_CONTROL_SUBROUTINE_UNIFORM
            | GL_TESS_EVALUATION_SUBROUTINE_UNIFORM
            | GL_GEOMETRY_SUBROUTINE_UNIFORM
            | GL_FRAGMENT_SUBROUTINE_UNIFORM
            | GL_COMPUTE_SUBROUTINE_UNIFORM => Self::SubroutineUniform,
            _ => return None,
        })
    }

    /// Active resources.
    pub fn count(self, a: &ProgramArtifact) -> usize {
        match self {
            Self::Uniform => a.uniforms.len(),
            Self::UniformBlock => a.uniform_blocks.len(),
            Self::AtomicCounterBuffer => a.atomic_buffers.len(),
            Self::ProgramInput => a.attributes.len() + built_in_inputs(a).count(),
            Self::ProgramOutput => a.frag_outputs.len(),
            Self::TransformFeedbackVarying => a.xfb.varyings.len(),
            Self::TransformFeedbackBuffer => a.xfb.strides.iter().filter(|s| **s != 0).count(),
            Self::BufferVariable => a.buffer_variables.len(),
            Self::ShaderStorageBlock => a.storage_blocks.len(),
            Self::Subroutine | Self::SubroutineUniform => 0,
        }
    }

    /// Whether its resources have names.
    pub fn has_names(self) -> bool {
        !matches!(
            self,
            Self::AtomicCounterBuffer | Self::TransformFeedbackBuffer
        )
    }

    /// Name of an active resource. Arrays of basic types end with `[0]`.
    pub fn name(self, a: &ProgramArtifact, index: usize) -> Cow<'_, str> {
        match self {
            Self::Uniform => (&*a.uniforms[index].name).into(),
            Self::UniformBlock => (&*a.uniform_blocks[index].name).into(),
            Self::ProgramInput => match a.attributes.get(index) {
                Some(own) => array_name(&own.name, own.is_array),
                None => built_in_inputs(a)
                    .nth(index - a.attributes.len())
                    .unwrap_or_default()
                    .into(),
            },
            Self::ProgramOutput => {
                array_name(&a.frag_outputs[index].name, a.frag_outputs[index].is_array)
            }
            Self::TransformFeedbackVarying => (&*a.xfb.varyings[index].name).into(),
            Self::BufferVariable => (&*a.buffer_variables[index].name).into(),
            Self::ShaderStorageBlock => (&*a.storage_blocks[index].name).into(),
            Self::AtomicCounterBuffer
            | Self::TransformFeedbackBuffer
            | Self::Subroutine
            | Self::SubroutineUniform => "".into(),
        }
    }

    /// GL 4.6 §7.3.1.1: the resource whose name is `name`, or `name` with `[0]`.
    pub fn index_of(self, a: &ProgramArtifact, name: &str) -> Option<u32> {
        if !self.has_names() {
            return None;
        }
        (0..self.count(a))
            .find(|&i| {
                let full = self.name(a, i);
                full == name || full.strip_suffix("[0]") == Some(name)
            })
            .map(|i| i as u32)
    }
}

/// GL 4.6 §11.1.1: built-in inputs of the vertex shader are active attributes too, without a location. They follow its own.
fn built_in_inputs(a: &ProgramArtifact) -> impl Iterator<Item = &'static str> {
    let f = &a.flags;
    [
        ("gl_VertexID", f.vertex_id),
        ("gl_InstanceID", f.instance_id),
        ("gl_BaseVertex", f.base_vertex),
        ("gl_BaseInstance", f.base_instance),
        ("gl_DrawID", f.draw_id),
    ]
    .into_iter()
    .filter(|(_, active)| *active && a.stage_mask.contains(Stage::Vertex))
    .map(|(name, _)| name)
}

fn array_name(name: &str, is_array: bool) -> Cow<'_, str> {
    if is_array && !name.ends_with(']') {
        format!("{name}[0]").into()
    } else {
        name.into()
    }
}

/// The longest name with its terminator; 0 where nothing is active.
pub fn max_name_length(a: &ProgramArtifact, interface: Interface) -> usize {
    (0..interface.count(a))
        .map(|i| interface.name(a, i).len() + 1)
        .max()
        .unwrap_or(0)
}

/// `a[3]` is `("a", 3)`. Indices have no sign, no blanks and no leading zero (GL 4.6 §7.3.1.1).
pub fn split_element(name: &str) -> Option<(&str, u32)> {
    let (base, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    let plain = index.bytes().all(|b| b.is_ascii_digit())
        && (index == "0" || !index.starts_with('0'))
        && !index.is_empty();
    plain.then(|| index.parse().ok().map(|index| (base, index)))?
}

/// Which element of the resource `full` (an array if it ends with `[0]`) is meant by `name`.
fn element_of(full: &str, is_array: bool, array_size: u32, name: &str) -> Option<u32> {
    if full == name {
        return Some(0);
    }
    if !is_array {
        return None;
    }
    let base = full.strip_suffix("[0]").unwrap_or(full);
    if base == name {
        return Some(0);
    }
    let (wanted, element) = split_element(name)?;
    (wanted == base && element < array_size).then_some(element)
}

/// glGetUniformLocation.
pub fn uniform_location(a: &ProgramArtifact, name: &str) -> Option<u32> {
    a.uniforms.iter().find_map(|u| {
        let first = u.location?;
        element_of(&u.name, u.is_array, u.array_size, name).map(|element| first + element)
    })
}

/// glGetAttribLocation.
pub fn attribute_location(a: &ProgramArtifact, name: &str) -> Option<u32> {
    if name.starts_with("gl_") {
        return None;
    }
    a.attributes.iter().find_map(|at| {
        let per_element = at.location_count / at.array_size.max(1);
        element_of(&at.name, at.is_array, at.array_size, name)
            .map(|element| at.location + element * per_element)
    })
}

/// glGetFragDataLocation and glGetFragDataIndex.
pub fn frag_data(a: &ProgramArtifact, name: &str) -> Option<(u32, u32)> {
    if name.starts_with("gl_") {
        return None;
    }
    a.frag_outputs.iter().find_map(|o| {
        element_of(&o.name, o.is_array, o.array_size, name)
            .map(|element| (o.location + element, o.index))
    })
}

/// GL 4.6 table 7.2: the properties that glGetProgramResourceiv knows.
pub fn is_property(property: GLenum) -> bool {
    matches!(
        property,
        GL_NAME_LENGTH
            | GL_TYPE
            | GL_ARRAY_SIZE
            | GL_OFFSET
            | GL_BLOCK_INDEX
            | GL_ARRAY_STRIDE
            | GL_MATRIX_STRIDE
            | GL_IS_ROW_MAJOR
            | GL_ATOMIC_COUNTER_BUFFER_INDEX
            | GL_BUFFER_BINDING
            | GL_BUFFER_DATA_SIZE
            | GL_NUM_ACTIVE_VARIABLES
            | GL_ACTIVE_VARIABLES
            | GL_REFERENCED_BY_VERTEX_SHADER
            | GL_REFERENCED_BY_TESS_CONTROL_SHADER
            | GL_REFERENCED_BY_TESS_EVALUATION_SHADER
            | GL_REFERENCED_BY_GEOMETRY_SHADER
            | GL_REFERENCED_BY_FRAGMENT_SHADER
            | GL_REFERENCED_BY_COMPUTE_SHADER
            | GL_TOP_LEVEL_ARRAY_SIZE
            | GL_TOP_LEVEL_ARRAY_STRIDE
            | GL_LOCATION
            | GL_LOCATION_INDEX
            | GL_IS_PER_PATCH
            | GL_LOCATION_COMPONENT
            | GL_TRANSFORM_FEEDBACK_BUFFER_INDEX
            | GL_TRANSFORM_FEEDBACK_BUFFER_STRIDE
            | GL_NUM_COMPATIBLE_SUBROUTINES
            | GL_COMPATIBLE_SUBROUTINES
    )
}

fn referenced(stages: StageMask, property: GLenum) -> Option<GLint> {
    let stage = match property {
        GL_REFERENCED_BY_VERTEX_SHADER => Stage::Vertex,
        GL_REFERENCED_BY_TESS_CONTROL_SHADER => Stage::TessControl,
        GL_REFERENCED_BY_TESS_EVALUATION_SHADER => Stage::TessEval,
        GL_REFERENCED_BY_GEOMETRY_SHADER => Stage::Geometry,
        GL_REFERENCED_BY_FRAGMENT_SHADER => Stage::Fragment,
        GL_REFERENCED_BY_COMPUTE_SHADER => Stage::Compute,
        _ => return None,
    };
    Some(stages.contains(stage).into())
}

fn buffer_property(
    binding: u32,
    data_size: u32,
    members: &[u32],
    stages: StageMask,
    property: GLenum,
) -> Option<Vec<GLint>> {
    Some(match property {
        GL_BUFFER_BINDING => vec![binding as GLint],
        GL_BUFFER_DATA_SIZE => vec![data_size as GLint],
        GL_NUM_ACTIVE_VARIABLES => vec![members.len() as GLint],
        GL_ACTIVE_VARIABLES => members.iter().map(|m| *m as GLint).collect(),
        _ => vec![referenced(stages, property)?],
    })
}

/// Value of a property of an active resource; `None`: the interface has no such property (GL 4.6 table 7.2).
pub fn property(
    executable: &Executable,
    interface: Interface,
    index: usize,
    property: GLenum,
) -> Option<Vec<GLint>> {
    let a = &*executable.artifact;
    if property == GL_NAME_LENGTH {
        let length = interface.name(a, index).len() as GLint + 1;
        return interface.has_names().then(|| vec![length]);
    }
    let one = |value: GLint| Some(vec![value]);
    match interface {
        Interface::Uniform => {
            let u = &a.uniforms[index];
            let counter = matches!(u.storage, UniformStorage::AtomicCounter { .. });
            let block = match u.storage {
                UniformStorage::Block { index } => Some(index),
                UniformStorage::Default
                | UniformStorage::Sampler { .. }
                | UniformStorage::Image { .. }
                | UniformStorage::AtomicCounter { .. } => None,
            };
            // GL 4.6 §7.3.1: -1 for uniforms of the default block.
            let in_buffer = |value: u32| {
                if block.is_some() || counter {
                    value as GLint
                } else {
                    -1
                }
            };
            one(match property {
                GL_TYPE => u.gl_type as GLint,
                GL_ARRAY_SIZE => u.array_size as GLint,
                GL_OFFSET => in_buffer(u.offset),
                GL_BLOCK_INDEX => block.map_or(-1, |b| b as GLint),
                GL_ARRAY_STRIDE => in_buffer(u.array_stride),
                GL_MATRIX_STRIDE => match block {
                    Some(_) => u.matrix_stride as GLint,
                    None => -1,
                },
                GL_IS_ROW_MAJOR => (block.is_some() && u.row_major).into(),
                GL_ATOMIC_COUNTER_BUFFER_INDEX => match u.storage {
                    UniformStorage::AtomicCounter { index } => index as GLint,
                    UniformStorage::Default
                    | UniformStorage::Block { .. }
                    | UniformStorage::Sampler { .. }
                    | UniformStorage::Image { .. } => -1,
                },
                GL_LOCATION => u.location.map_or(-1, |l| l as GLint),
                _ => referenced(u.stages, property)?,
            })
        }
        Interface::UniformBlock => {
            let b = &a.uniform_blocks[index];
            let binding = executable.uniform_block_bindings[index];
            buffer_property(binding, b.data_size, &b.members, b.stages, property)
        }
        Interface::ShaderStorageBlock => {
            let b = &a.storage_blocks[index];
            let binding = executable.storage_block_bindings[index];
            buffer_property(binding, b.data_size, &b.members, b.stages, property)
        }
        Interface::AtomicCounterBuffer => {
            let b = &a.atomic_buffers[index];
            buffer_property(b.gl_binding, b.data_size, &b.members, b.stages, property)
        }
        Interface::ProgramInput => {
            let Some(at) = a.attributes.get(index) else {
                return one(match property {
                    GL_TYPE => GL_INT as GLint,
                    GL_ARRAY_SIZE => 1,
                    GL_LOCATION => -1,
                    GL_IS_PER_PATCH | GL_LOCATION_COMPONENT => 0,
                    _ => referenced(first_stage(a), property)?,
                });
            };
            one(match property {
                GL_TYPE => at.gl_type as GLint,
                GL_ARRAY_SIZE => at.array_size as GLint,
                GL_LOCATION if at.name.starts_with("gl_") => -1,
                GL_LOCATION => at.location as GLint,
                GL_IS_PER_PATCH | GL_LOCATION_COMPONENT => 0,
                _ => referenced(first_stage(a), property)?,
            })
        }
        Interface::ProgramOutput => {
            let o = &a.frag_outputs[index];
            one(match property {
                GL_TYPE => o.gl_type as GLint,
                GL_ARRAY_SIZE => o.array_size as GLint,
                GL_LOCATION if o.name.starts_with("gl_") => -1,
                GL_LOCATION => o.location as GLint,
                GL_LOCATION_INDEX if o.name.starts_with("gl_") => -1,
                GL_LOCATION_INDEX => o.index as GLint,
                GL_IS_PER_PATCH | GL_LOCATION_COMPONENT => 0,
                _ => referenced(Stage::Fragment.mask(), property)?,
            })
        }
        Interface::TransformFeedbackVarying => {
            let v = &a.xfb.varyings[index];
            one(match property {
                GL_TYPE => v.gl_type as GLint,
                GL_ARRAY_SIZE => v.array_size as GLint,
                GL_OFFSET => v.offset as GLint,
                GL_TRANSFORM_FEEDBACK_BUFFER_INDEX => v.buffer as GLint,
                _ => return None,
            })
        }
        Interface::TransformFeedbackBuffer => {
            let used = a.xfb.strides.iter().enumerate().filter(|(_, s)| **s != 0);
            let (buffer, stride) = used.clone().nth(index)?;
            let members = || {
                let rows = a.xfb.varyings.iter().enumerate();
                rows.filter(move |(_, v)| v.buffer as usize == buffer)
            };
            match property {
                GL_BUFFER_BINDING => one(buffer as GLint),
                GL_NUM_ACTIVE_VARIABLES => one(members().count() as GLint),
                GL_ACTIVE_VARIABLES => Some(members().map(|(i, _)| i as GLint).collect()),
                GL_TRANSFORM_FEEDBACK_BUFFER_STRIDE => one(*stride as GLint),
                _ => None,
            }
        }
        Interface::BufferVariable => {
            let v = &a.buffer_variables[index];
            one(match property {
                GL_TYPE => v.gl_type as GLint,
                GL_ARRAY_SIZE => v.array_size as GLint,
                GL_OFFSET => v.offset as GLint,
                GL_BLOCK_INDEX => v.block as GLint,
                GL_ARRAY_STRIDE => v.array_stride as GLint,
                GL_MATRIX_STRIDE => v.matrix_stride as GLint,
                GL_IS_ROW_MAJOR => v.row_major.into(),
                GL_TOP_LEVEL_ARRAY_SIZE => v.top_level_array_size as GLint,
                GL_TOP_LEVEL_ARRAY_STRIDE => v.top_level_array_stride as GLint,
                _ => referenced(v.stages, property)?,
            })
        }
        Interface::Subroutine | Interface::SubroutineUniform => None,
    }
}

fn first_stage(a: &ProgramArtifact) -> StageMask {
    a.stage_mask
        .iter()
        .next()
        .map_or(StageMask::EMPTY, Stage::mask)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pipe::program::Uniform;

    fn artifact() -> ProgramArtifact {
        let uniform = |name: &str, array_size, is_array, location| Uniform {
            name: name.into(),
            gl_type: GL_FLOAT,
            array_size,
            is_array,
            storage: UniformStorage::Default,
            offset: 0,
            array_stride: 16,
            matrix_stride: 0,
            row_major: false,
            location: Some(location),
            stages: StageMask::EMPTY,
        };
        ProgramArtifact {
            uniforms: vec![
                uniform("a[0]", 4, true, 2),
                uniform("s[1].x", 1, false, 7),
                uniform("m[1][0]", 3, true, 10),
            ],
            ..ProgramArtifact::default()
        }
    }

    // GL 4.6 §7.3.1.1: the rules for names with and without subscripts.
    #[test]
    fn uniform_location_of_elements_follows_the_array() {
        let a = artifact();
        for (name, location) in [
            ("a", Some(2)),
            ("a[0]", Some(2)),
            ("a[3]", Some(5)),
            ("a[4]", None),
            ("a[03]", None),
            ("a[ 1]", None),
            ("s[1].x", Some(7)),
            ("s[1].x[0]", None),
            ("m[1][2]", Some(12)),
            ("m[1]", Some(10)),
            ("b", None),
        ] {
            assert_eq!(uniform_location(&a, name), location, "{name}");
        }
    }

    #[test]
    fn index_of_an_array_accepts_its_base_name_only_at_element_zero() {
        let a = artifact();
        assert_eq!(Interface::Uniform.index_of(&a, "a"), Some(0));
        assert_eq!(Interface::Uniform.index_of(&a, "a[0]"), Some(0));
        assert_eq!(Interface::Uniform.index_of(&a, "a[1]"), None);
    }
}
