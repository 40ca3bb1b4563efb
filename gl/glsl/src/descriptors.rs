//! Samplers and images: their uniforms, slots and descriptor bindings.
//! It must not give one resource two bindings: a name means the same resource in every stage.

use pipe::program::{ImageSlot, ResourceKind, SamplerSlot, Uniform, UniformStorage};

use crate::bounds;
use crate::link::LinkedStage;
use crate::module::{Reach, Type, Variable, decoration, storage};
use crate::reflect::Reflection;
use crate::scan;
use crate::types::gl_type;
use crate::words::original;

impl Reflection<'_> {
    /// A struct with nothing but samplers has no part in the default block.
    pub fn struct_of_samplers(&mut self, stage: &LinkedStage, declared: &scan::Variable) {
        let m = &stage.module;
        let mut found: Vec<_> = m
            .variables_in(storage::UNIFORM_CONSTANT)
            .filter(|v| {
                m.name(v.id)
                    .strip_prefix(&*declared.name)
                    .is_some_and(|rest| rest.starts_with('.') || rest.starts_with('['))
            })
            .collect();
        found.sort_by_key(|v| v.id);
        for v in found {
            let name = original(m.name(v.id));
            self.opaque(stage, v, &name, None, None, None);
        }
    }

    pub fn opaque(
        &mut self,
        stage: &LinkedStage,
        v: Variable,
        name: &str,
        unit: Option<u32>,
        location: Option<u32>,
        declared: Option<&scan::Variable>,
    ) {
        let m = &stage.module;
        let Some(reach) = m.touched.get(&v.id) else {
            return;
        };
        let (ty, lens) = m.strip_arrays(v.ty);
        let Some(gl_type) = gl_type(m, ty, false) else {
            self.errors
                .push(format!("uniform `{name}' has an unsupported type"));
            return;
        };
        // SPIR-V for Vulkan has no arrays of arrays of descriptors.
        if lens.len() > 1 {
            self.errors.push(format!(
                "uniform `{name}': arrays of arrays of samplers or images are not supported"
            ));
            return;
        }
        let count = product(&lens);
        if count > bounds::MAX_DESCRIPTORS {
            self.errors
                .push(format!("uniform `{name}' has too many elements"));
            return;
        }
        let spirv_name = m.name(v.id).to_owned();
        let mask = stage.stage.mask();
        let known = self.renamed.get(&spirv_name).unwrap_or(&spirv_name);
        if let Some(r) = self
            .artifact
            .resources
            .iter_mut()
            .find(|r| r.name == *known)
        {
            r.stages.insert(mask);
            let (first, count, kind) = (r.first as usize, r.count as usize, r.kind);
            match kind {
                ResourceKind::Image | ResourceKind::ImageBuffer => {
                    self.artifact.images[first..first + count]
                        .iter_mut()
                        .for_each(|s| s.stages.insert(mask));
                }
                _ => self.artifact.samplers[first..first + count]
                    .iter_mut()
                    .for_each(|s| s.stages.insert(mask)),
            }
            let shown = shown(*reach, &lens);
            let key = if lens.is_empty() {
                name.to_owned()
            } else {
                format!("{name}{}", "[0]".repeat(lens.len()))
            };
            if let Some(i) = self.uniform_index.get(&key) {
                let u = &mut self.artifact.uniforms[*i as usize];
                if u.gl_type != gl_type {
                    self.errors.push(format!(
                        "uniform `{name}' declared with different types in two stages"
                    ));
                }
                u.stages.insert(mask);
                u.array_size = u.array_size.max(shown);
            }
            return;
        }
        let image = match m.types.get(&ty) {
            Some(Type::Image(i)) => Some(*i),
            Some(Type::SampledImage { image }) => match m.types.get(image) {
                Some(Type::Image(i)) => Some(*i),
                _ => None,
            },
            _ => None,
        };
        let Some(image) = image else { return };
        let is_image = image.sampled == 2;
        let kind = match (is_image, image.dim == 5) {
            (true, true) => ResourceKind::ImageBuffer,
            (true, false) => ResourceKind::Image,
            (false, true) => ResourceKind::TexelBuffer,
            (false, false) => ResourceKind::Sampler,
        };
        let a = &mut self.artifact;
        let first = if is_image {
            a.images.len()
        } else {
            a.samplers.len()
        } as u32;
        let inner = lens.last().copied().unwrap_or(1).max(1);
        let binding = self.take_binding(&spirv_name, kind, count, mask, first);
        let readonly = declared.is_some_and(|d| d.readonly)
            || m.decoration(v.id, decoration::NON_WRITABLE).is_some();
        let writeonly = declared.is_some_and(|d| d.writeonly)
            || m.decoration(v.id, decoration::NON_READABLE).is_some();
        // Arrays of arrays are one GL uniform per innermost array.
        for outer in 0..count / inner {
            let slot = first + outer * inner;
            let storage = if is_image {
                UniformStorage::Image { first_slot: slot }
            } else {
                UniformStorage::Sampler { first_slot: slot }
            };
            let mut path = String::new();
            let mut rest = outer;
            for len in lens[..lens.len().saturating_sub(1)].iter().rev() {
                path = format!("[{}]{path}", rest % len);
                rest /= len;
            }
            let array = !lens.is_empty();
            let uniform = self.add(
                Uniform {
                    name: format!("{name}{path}{}", if array { "[0]" } else { "" }),
                    gl_type,
                    array_size: shown(*reach, &lens),
                    is_array: array,
                    storage,
                    offset: 0,
                    array_stride: 0,
                    matrix_stride: 0,
                    row_major: false,
                    location: None,
                    stages: mask,
                },
                location.map(|l| l + outer * inner),
            );
            for element in outer * inner..(outer + 1) * inner {
                let initial_unit = unit.map_or(0, |u| u.saturating_add(element));
                if is_image {
                    let format = image.format;
                    let slot = ImageSlot {
                        binding,
                        element,
                        gl_type,
                        initial_unit,
                        uniform,
                        format,
                        readonly,
                        writeonly,
                        stages: mask,
                    };
                    self.artifact.images.push(slot);
                } else {
                    self.artifact.samplers.push(SamplerSlot {
                        binding,
                        element,
                        gl_type,
                        initial_unit,
                        uniform,
                        stages: mask,
                    });
                }
            }
        }
    }
}

/// Elements of nested arrays.
pub fn product(lens: &[u32]) -> u32 {
    lens.iter().fold(1u32, |n, len| n.saturating_mul(*len))
}

fn shown(reach: Reach, lens: &[u32]) -> u32 {
    match (lens, reach) {
        ([], _) => 1,
        ([len], Reach::UpTo(n)) => n.saturating_add(1).min(*len),
        (lens, _) => lens.last().copied().unwrap_or(1),
    }
}
