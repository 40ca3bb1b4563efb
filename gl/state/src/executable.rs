//! What a successful link made: uniform values, units, binding points. It never links.

use crate::bump::bump;
use crate::generations::ObjectGenerations;
use crate::uniform_type::{Scalar, UniformType};
use pipe::program::{ProgramArtifact, UniformStorage};
use pipe::{ProgramBinding, ShaderId};
use std::sync::Arc;

/// Where the value of a uniform is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In [`Executable::constants`].
    Constants,
    /// From this slot on in [`Executable::sampler_units`].
    Samplers(u32),
    /// From this slot on in [`Executable::image_units`].
    Images(u32),
    /// In a buffer: not glUniform's.
    Buffer,
}

/// A uniform as a write sees it: no name, no look-up.
#[derive(Clone, Copy, Debug)]
pub struct UniformSlot {
    pub ty: UniformType,
    pub place: Place,
    pub array_size: u32,
    pub is_array: bool,
    pub row_major: bool,
    pub offset: u32,
    pub array_stride: u32,
    pub matrix_stride: u32,
}

/// Values for consecutive elements, as glUniform got them: one word a component.
#[derive(Clone, Copy, Debug)]
pub struct UniformData<'a> {
    /// Float, Int or Uint.
    pub scalar: Scalar,
    /// Matrices in row-major order.
    pub transpose: bool,
    pub words: &'a [u32],
}

/// What a successful link made.
#[derive(Debug)]
pub struct Executable {
    /// The handle under which the executing side knows it; a new one per link.
    pub shader: ShaderId,
    pub artifact: Arc<ProgramArtifact>,
    /// Contents of the default uniform block.
    pub constants: Vec<u8>,
    /// Moves with every byte of `constants` that changes.
    pub constants_version: u64,
    /// Texture unit by sampler slot.
    pub sampler_units: Vec<u32>,
    /// Image unit by image slot.
    pub image_units: Vec<u32>,
    /// Binding point by uniform block index.
    pub uniform_block_bindings: Vec<u32>,
    /// Binding point by storage block index.
    pub storage_block_bindings: Vec<u32>,
    /// Moves with units and binding points.
    pub bindings_version: u64,
    /// By location: index into the artifact's uniforms and element, or `None` for a hole.
    pub locations: Vec<Option<(u32, u32)>>,
    /// By uniform index: what a write needs to know, taken from the artifact once.
    pub slots: Vec<UniformSlot>,
}

impl Executable {
    /// Initial values from the artifact.
    pub fn new(shader: ShaderId, artifact: Arc<ProgramArtifact>) -> Self {
        let a = &*artifact;
        let mut locations = vec![None; a.uniform_location_count as usize];
        for (index, uniform) in a.uniforms.iter().enumerate() {
            for element in 0..uniform.location.map_or(0, |_| uniform.array_size) {
                let at = (uniform.location.unwrap_or(0) + element) as usize;
                if at >= locations.len() {
                    locations.resize(at + 1, None);
                }
                locations[at] = Some((index as u32, element));
            }
        }
        let slots = a.uniforms.iter().map(|u| UniformSlot {
            ty: UniformType::from_gl(u.gl_type),
            place: match u.storage {
                UniformStorage::Default => Place::Constants,
                UniformStorage::Sampler { first_slot } => Place::Samplers(first_slot),
                UniformStorage::Image { first_slot } => Place::Images(first_slot),
                UniformStorage::Block { .. } | UniformStorage::AtomicCounter { .. } => {
                    Place::Buffer
                }
            },
            array_size: u.array_size,
            is_array: u.is_array,
            row_major: u.row_major,
            offset: u.offset,
            array_stride: u.array_stride,
            matrix_stride: u.matrix_stride,
        });
        let mut constants = a.default_block_initial.clone();
        constants.resize(a.default_block_size as usize, 0);
        Self {
            shader,
            constants,
            constants_version: 1,
            sampler_units: a.samplers.iter().map(|s| s.initial_unit).collect(),
            image_units: a.images.iter().map(|i| i.initial_unit).collect(),
            uniform_block_bindings: a.uniform_blocks.iter().map(|b| b.initial_binding).collect(),
            storage_block_bindings: a.storage_blocks.iter().map(|b| b.initial_binding).collect(),
            bindings_version: 1,
            locations,
            slots: slots.collect(),
            artifact,
        }
    }

    /// The uniform at a location and the element it names.
    #[inline]
    pub fn uniform_at(&self, location: i32) -> Option<(u32, u32)> {
        let at = usize::try_from(location).ok()?;
        self.locations.get(at).copied().flatten()
    }

    /// Writes `count` elements from `element` on of a uniform in the default block. What does not change moves nothing.
    pub fn write_constants(
        &mut self,
        uniform: u32,
        element: u32,
        count: u32,
        data: UniformData<'_>,
        generations: &mut ObjectGenerations,
    ) {
        let slot = &self.slots[uniform as usize];
        let start = (slot.offset + element * slot.array_stride) as usize;
        let changed = if let Some(bytes) = contiguous(slot, count, &data) {
            let target = &mut self.constants[start..start + bytes];
            let source = zerocopy::IntoBytes::as_bytes(&data.words[..bytes / 4]);
            let changed = *target != *source;
            if changed {
                target.copy_from_slice(source);
            }
            changed
        } else {
            write_components(slot, &mut self.constants[start..], count, &data)
        };
        if changed {
            bump!("executable::write_constants", self.constants_version);
            bump!(
                "executable::write_constants",
                generations.any_program_change
            );
        }
    }

    /// Writes GL state that the code reads from the default block. What does not change moves nothing.
    pub fn write_state(
        &mut self,
        offset: u32,
        values: &[f32],
        generations: &mut ObjectGenerations,
    ) {
        let start = offset as usize;
        let source = zerocopy::IntoBytes::as_bytes(values);
        let target = &mut self.constants[start..start + source.len()];
        if *target != *source {
            target.copy_from_slice(source);
            bump!("executable::write_state", self.constants_version);
            bump!("executable::write_state", generations.any_program_change);
        }
    }

    /// Reads one element of a uniform in the default block, component by component, column by column; doubles as floats.
    pub fn read_constants(&self, uniform: u32, element: u32) -> Vec<u32> {
        let slot = &self.slots[uniform as usize];
        let start = slot.offset + element * slot.array_stride;
        let mut words = Vec::with_capacity(slot.ty.components());
        for column in 0..u32::from(slot.ty.columns) {
            for row in 0..u32::from(slot.ty.rows) {
                let at = (start + component_offset(slot, column, row)) as usize;
                words.push(if slot.ty.scalar == Scalar::Double {
                    let bytes = self.constants[at..at + 8].try_into();
                    let value = f64::from_ne_bytes(bytes.expect("eight bytes"));
                    (value as f32).to_bits()
                } else {
                    let bytes = self.constants[at..at + 4].try_into();
                    u32::from_ne_bytes(bytes.expect("four bytes"))
                });
            }
        }
        words
    }

    /// Texture units of consecutive sampler slots.
    pub fn set_sampler_units(
        &mut self,
        first: u32,
        units: &[u32],
        generations: &mut ObjectGenerations,
    ) {
        let target = &mut self.sampler_units[first as usize..first as usize + units.len()];
        if *target != *units {
            target.copy_from_slice(units);
            bump!("executable::set_sampler_units", self.bindings_version);
            bump!(
                "executable::set_sampler_units",
                generations.any_program_change
            );
        }
    }

    /// Image units of consecutive image slots.
    pub fn set_image_units(
        &mut self,
        first: u32,
        units: &[u32],
        generations: &mut ObjectGenerations,
    ) {
        let target = &mut self.image_units[first as usize..first as usize + units.len()];
        if *target != *units {
            target.copy_from_slice(units);
            bump!("executable::set_image_units", self.bindings_version);
            bump!(
                "executable::set_image_units",
                generations.any_program_change
            );
        }
    }

    /// glUniformBlockBinding.
    pub fn set_uniform_block_binding(
        &mut self,
        block: u32,
        binding: u32,
        generations: &mut ObjectGenerations,
    ) {
        let target = &mut self.uniform_block_bindings[block as usize];
        if *target != binding {
            *target = binding;
            bump!(
                "executable::set_uniform_block_binding",
                self.bindings_version
            );
            bump!(
                "executable::set_uniform_block_binding",
                generations.any_program_change
            );
        }
    }

    /// glShaderStorageBlockBinding.
    pub fn set_storage_block_binding(
        &mut self,
        block: u32,
        binding: u32,
        generations: &mut ObjectGenerations,
    ) {
        let target = &mut self.storage_block_bindings[block as usize];
        if *target != binding {
            *target = binding;
            bump!(
                "executable::set_storage_block_binding",
                self.bindings_version
            );
            bump!(
                "executable::set_storage_block_binding",
                generations.any_program_change
            );
        }
    }

    /// A unit that samplers of two types use: such a program cannot draw (GL 4.6 §7.10).
    pub fn conflicting_unit(&self) -> Option<u32> {
        let rows = || self.artifact.samplers.iter().zip(&self.sampler_units);
        rows().enumerate().find_map(|(i, (sampler, unit))| {
            rows()
                .take(i)
                .any(|(other, u)| u == unit && other.gl_type != sampler.gl_type)
                .then_some(*unit)
        })
    }

    /// The tail of `set_program_bindings`: where each descriptor finds its unit or binding point, ordered by binding and element.
    pub fn bindings(&self) -> Vec<ProgramBinding> {
        let a = &self.artifact;
        let mut table = Vec::new();
        let mut add = |binding: u32, element: u32, slot: u32| {
            table.push(ProgramBinding {
                binding: binding as u16,
                element: element as u16,
                slot,
            });
        };
        for (slot, sampler) in a.samplers.iter().enumerate() {
            add(sampler.binding, sampler.element, self.sampler_units[slot]);
        }
        for (slot, image) in a.images.iter().enumerate() {
            add(image.binding, image.element, self.image_units[slot]);
        }
        for (index, block) in a.uniform_blocks.iter().enumerate() {
            add(
                block.binding,
                block.element,
                self.uniform_block_bindings[index],
            );
        }
        for (index, block) in a.storage_blocks.iter().enumerate() {
            add(
                block.binding,
                block.element,
                self.storage_block_bindings[index],
            );
        }
        for buffer in &a.atomic_buffers {
            add(buffer.binding, 0, buffer.gl_binding);
        }
        table.sort_by_key(|b| (b.binding, b.element));
        table
    }
}

/// Bytes to copy where the values lie in the block exactly as the application passed them.
#[inline]
fn contiguous(slot: &UniformSlot, count: u32, data: &UniformData<'_>) -> Option<usize> {
    let ty = slot.ty;
    let column = u32::from(ty.rows) * 4;
    let element = column * u32::from(ty.columns);
    let same_order = ty.columns == 1 || (slot.row_major == data.transpose && !slot.row_major);
    let dense = (ty.columns == 1 || slot.matrix_stride == column)
        && (count == 1 || slot.array_stride == element);
    (same_order && dense && ty.scalar != Scalar::Bool).then_some((element * count) as usize)
}

fn component_offset(slot: &UniformSlot, column: u32, row: u32) -> u32 {
    let size = if slot.ty.scalar == Scalar::Double {
        8
    } else {
        4
    };
    if slot.row_major {
        row * slot.matrix_stride + column * size
    } else {
        column * slot.matrix_stride + row * size
    }
}

fn write_components(
    slot: &UniformSlot,
    target: &mut [u8],
    count: u32,
    data: &UniformData<'_>,
) -> bool {
    let (columns, rows) = (u32::from(slot.ty.columns), u32::from(slot.ty.rows));
    let mut changed = false;
    for element in 0..count {
        for column in 0..columns {
            for row in 0..rows {
                let within = if data.transpose {
                    row * columns + column
                } else {
                    column * rows + row
                };
                let mut word = data.words[(element * columns * rows + within) as usize];
                if slot.ty.scalar == Scalar::Bool {
                    // GL 4.6 §7.6.1: zero (of either sign) is false, all else true.
                    let zero = match data.scalar {
                        Scalar::Float => f32::from_bits(word) == 0.0,
                        _ => word == 0,
                    };
                    word = u32::from(!zero);
                }
                let at =
                    (element * slot.array_stride + component_offset(slot, column, row)) as usize;
                let bytes = word.to_ne_bytes();
                if target[at..at + 4] != bytes {
                    target[at..at + 4].copy_from_slice(&bytes);
                    changed = true;
                }
            }
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use gl_enums::{GL_BOOL, GL_FLOAT_MAT3, GL_FLOAT_VEC3};
    use pipe::program::{StageMask, Uniform};

    fn executable(
        gl_type: u32,
        array_size: u32,
        array_stride: u32,
        matrix_stride: u32,
    ) -> Executable {
        let artifact = ProgramArtifact {
            default_block_size: 128,
            default_block_initial: vec![0; 128],
            uniform_location_count: array_size,
            uniforms: vec![Uniform {
                name: "u".into(),
                gl_type,
                array_size,
                is_array: array_size > 1,
                storage: UniformStorage::Default,
                offset: 16,
                array_stride,
                matrix_stride,
                row_major: false,
                location: Some(0),
                stages: StageMask::EMPTY,
            }],
            ..ProgramArtifact::default()
        };
        Executable::new(ShaderId::new(1, 1), Arc::new(artifact))
    }

    fn floats(values: &[f32]) -> Vec<u32> {
        values.iter().map(|v| v.to_bits()).collect()
    }

    fn data(words: &[u32], transpose: bool) -> UniformData<'_> {
        UniformData {
            scalar: Scalar::Float,
            transpose,
            words,
        }
    }

    // GL 4.6 §7.6.2.2, rules 4 and 7: elements and columns of three components lie 16 bytes apart.
    #[test]
    fn array_of_vec3_is_written_with_its_stride() {
        let mut e = executable(GL_FLOAT_VEC3, 2, 16, 0);
        let words = floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        e.write_constants(
            0,
            0,
            2,
            data(&words, false),
            &mut ObjectGenerations::default(),
        );
        assert_eq!(e.constants[32..36], 4.0f32.to_ne_bytes());
        assert_eq!(e.read_constants(0, 1), words[3..]);
    }

    #[test]
    fn transposed_matrix_is_read_back_by_columns() {
        let mut e = executable(GL_FLOAT_MAT3, 1, 0, 16);
        let words = floats(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        e.write_constants(
            0,
            0,
            1,
            data(&words, true),
            &mut ObjectGenerations::default(),
        );
        assert_eq!(
            e.read_constants(0, 0),
            floats(&[0.0, 3.0, 6.0, 1.0, 4.0, 7.0, 2.0, 5.0, 8.0])
        );
    }

    #[test]
    fn equal_bytes_move_no_version() {
        let mut e = executable(GL_FLOAT_VEC3, 1, 0, 0);
        let mut generations = ObjectGenerations::default();
        let words = floats(&[1.0, 2.0, 3.0]);
        e.write_constants(0, 0, 1, data(&words, false), &mut generations);
        let (version, generation) = (e.constants_version, generations.any_program_change);
        e.write_constants(0, 0, 1, data(&words, false), &mut generations);
        assert_eq!(e.constants_version, version);
        assert_eq!(generations.any_program_change, generation);
    }

    #[test]
    fn negative_zero_as_a_bool_is_false() {
        let mut e = executable(GL_BOOL, 1, 0, 0);
        let mut generations = ObjectGenerations::default();
        e.write_constants(0, 0, 1, data(&floats(&[7.5]), false), &mut generations);
        assert_eq!(e.read_constants(0, 0), [1]);
        e.write_constants(0, 0, 1, data(&floats(&[-0.0]), false), &mut generations);
        assert_eq!(e.read_constants(0, 0), [0]);
    }
}
