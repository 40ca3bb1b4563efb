//! Uniforms, blocks and their storage: from the linked stages' SPIR-V and the declarations of the source.
//! It must not depend on the order in which the compiler numbered anything: order is that of the source.

use pipe::program::{
    Block, BufferVariable, ProgramArtifact, Resource, ResourceKind, StageMask, Uniform,
    UniformStorage,
};
use rustc_hash::FxHashMap;

use crate::bounds;
use crate::descriptors::product;
use crate::leaves::{Place, Walk, walk};
use crate::link::LinkedStage;
use crate::module::{MatrixLayout, Reach, Type, decoration, storage};
use crate::scan::{self, Declared, Storage};
use crate::types::gl_type;
use crate::values::Value;
use crate::words::original;

/// Reflection in progress.
pub struct Reflection<'a> {
    pub artifact: ProgramArtifact,
    pub errors: Vec<String>,
    /// Binding of each descriptor variable or block, by SPIR-V name.
    pub bindings: FxHashMap<String, u32>,
    /// SPIR-V names that are no identifiers (samplers inside structs), and the resource that they are.
    pub renamed: FxHashMap<String, String>,
    pub uniform_index: FxHashMap<String, u32>,
    pub explicit: Vec<(u32, u32)>,
    initial: &'a [(String, Value)],
    max_block_bytes: u32,
    /// Bindings that sources give, by SPIR-V name.
    said: FxHashMap<String, u32>,
}

impl<'a> Reflection<'a> {
    pub fn new(initial: &'a [(String, Value)], max_block_bytes: u32) -> Self {
        Self {
            artifact: ProgramArtifact::default(),
            errors: Vec::new(),
            bindings: FxHashMap::default(),
            renamed: FxHashMap::default(),
            uniform_index: FxHashMap::default(),
            explicit: Vec::new(),
            initial,
            max_block_bytes,
            said: FxHashMap::default(),
        }
    }

    /// Reads every stage, in pipeline order.
    pub fn run(&mut self, stages: &[LinkedStage]) {
        for stage in stages {
            self.default_block(stage);
        }
        for stage in stages {
            for declared in stage.declared() {
                match declared {
                    Declared::Variable(v) if v.storage == Storage::Uniform => {
                        self.uniform(stage, v)
                    }
                    Declared::Block(b)
                        if matches!(b.storage, Storage::Uniform | Storage::Buffer) =>
                    {
                        self.block(stage, b)
                    }
                    Declared::Variable(_) | Declared::Block(_) => {}
                }
            }
        }
        self.assign_locations();
    }

    fn default_block(&mut self, stage: &LinkedStage) {
        let Some(v) = stage.default_block() else {
            return;
        };
        let size = stage.module.size_of(v.ty, MatrixLayout::default());
        if size > self.max_block_bytes {
            self.errors.push(format!(
                "the uniforms of the {} shader take {size} bytes, {} are available",
                stage.stage.name(),
                self.max_block_bytes
            ));
            return;
        }
        let size = size.next_multiple_of(16);
        let a = &mut self.artifact;
        a.default_block_size = a.default_block_size.max(size);
        a.default_block_initial
            .resize(a.default_block_size as usize, 0);
        a.default_block_stages.insert(stage.stage.mask());
        if let Some(r) = a.resources.first_mut() {
            r.stages.insert(stage.stage.mask());
        } else {
            a.resources.push(Resource {
                name: crate::DEFAULT_BLOCK.to_str().expect("ASCII").to_owned(),
                kind: ResourceKind::GlobalConstants,
                set: 0,
                binding: 0,
                count: 1,
                stages: stage.stage.mask(),
                first: 0,
            });
        }
    }

    fn uniform(&mut self, stage: &LinkedStage, declared: &scan::Variable) {
        let m = &stage.module;
        if scan::is_opaque(&declared.ty) {
            if let Some(v) = m
                .variables_in(storage::UNIFORM_CONSTANT)
                .find(|v| m.name(v.id) == declared.name)
            {
                let name = original(&declared.name);
                self.same_binding(&declared.name, declared.binding);
                self.opaque(
                    stage,
                    v,
                    &name,
                    declared.binding,
                    declared.location,
                    Some(declared),
                );
            }
            return;
        }
        let Some(block) = stage.default_block() else {
            self.struct_of_samplers(stage, declared);
            return;
        };
        if m.size_of(block.ty, MatrixLayout::default()) > self.max_block_bytes {
            return;
        }
        let Some(Type::Struct { members }) = m.types.get(&block.ty) else {
            return;
        };
        let Some(member) =
            (0..members.len()).find(|i| m.member_name(block.ty, *i as u32) == declared.name)
        else {
            self.struct_of_samplers(stage, declared);
            return;
        };
        let ty = members[member];
        let place = Place {
            offset: m
                .member_decoration(block.ty, member as u32, decoration::OFFSET)
                .unwrap_or(0),
            matrix: m.matrix_layout(block.ty, member as u32),
            top_size: 1,
            top_stride: 0,
        };
        if let Some((_, value)) = self.initial.iter().find(|(n, _)| *n == declared.name) {
            value.write(
                m,
                ty,
                place.offset,
                place.matrix,
                &mut self.artifact.default_block_initial,
            );
        }
        let reach = m.touched_members.get(&(block.id, member as u32));
        // Drivers report an array no longer than its highest constant index.
        let how = match reach {
            Some(Reach::UpTo(n)) => Walk::Limit(n.saturating_add(1)),
            Some(Reach::All) | None => Walk::All,
        };
        let mut leaves = Vec::new();
        walk(m, String::new(), ty, &place, how, &mut leaves);
        let base = original(&declared.name);
        let mut location = declared.location;
        for leaf in leaves {
            let full = format!("{base}{}", original(&leaf.path));
            if leaf.opaque {
                let variable = format!("{}{}", declared.name, leaf.path);
                if let Some(v) = m
                    .variables_in(storage::UNIFORM_CONSTANT)
                    .find(|v| m.name(v.id) == variable)
                {
                    self.opaque(stage, v, &full, None, location, None);
                }
                location = location.map(|l| l + 1);
                continue;
            }
            let size = leaf.array.unwrap_or(1);
            if reach.is_some() {
                let is_bool = is_bool(stage, &declared.ty, &leaf.path);
                let Some(gl_type) = gl_type(m, leaf.ty, is_bool) else {
                    continue;
                };
                self.add(
                    Uniform {
                        name: if leaf.array.is_some() {
                            format!("{full}[0]")
                        } else {
                            full
                        },
                        gl_type,
                        array_size: size,
                        is_array: leaf.array.is_some(),
                        storage: UniformStorage::Default,
                        offset: leaf.offset,
                        array_stride: leaf.stride,
                        matrix_stride: leaf.matrix.stride,
                        row_major: leaf.matrix.row_major,
                        location: None,
                        stages: stage.stage.mask(),
                    },
                    location,
                );
            }
            location = location.map(|l| l + size);
        }
    }

    /// GLSL 4.60 §4.4.5: shaders of a program may leave a binding out, but not give two.
    pub fn same_binding(&mut self, name: &str, binding: Option<u32>) {
        let Some(binding) = binding else { return };
        let said = *self.said.entry(name.to_owned()).or_insert(binding);
        if said != binding {
            self.errors.push(format!(
                "`{}' has binding {said} in one stage and {binding} in another",
                original(name)
            ));
        }
    }

    pub fn take_binding(
        &mut self,
        name: &str,
        kind: ResourceKind,
        count: u32,
        stages: StageMask,
        first: u32,
    ) -> u32 {
        let binding = self.artifact.resources.last().map_or(1, |r| r.binding + 1);
        self.bindings.insert(name.to_owned(), binding);
        let mut resource = name.to_owned();
        if name.contains(['.', '[']) {
            resource = format!("mg_sampler{binding}");
            self.renamed.insert(name.to_owned(), resource.clone());
        }
        self.artifact.resources.push(Resource {
            name: resource,
            kind,
            set: 0,
            binding,
            count,
            stages,
            first,
        });
        binding
    }

    /// Adds a uniform or merges it with that of an earlier stage.
    pub fn add(&mut self, uniform: Uniform, explicit: Option<u32>) -> u32 {
        if let Some(&i) = self.uniform_index.get(&uniform.name) {
            let old = &mut self.artifact.uniforms[i as usize];
            if old.gl_type != uniform.gl_type {
                self.errors.push(format!(
                    "uniform `{}' declared with different types in two stages",
                    uniform.name
                ));
            }
            old.stages.insert(uniform.stages);
            old.array_size = old.array_size.max(uniform.array_size);
            match (explicit, self.explicit.iter().find(|(j, _)| *j == i)) {
                (Some(new), Some((_, old))) if new != *old => {
                    self.errors.push(format!(
                        "explicit locations for uniform `{}' have differing values",
                        uniform.name
                    ));
                }
                (Some(new), None) => self.explicit.push((i, new)),
                (Some(_), Some(_)) | (None, _) => {}
            }
            return i;
        }
        let i = self.artifact.uniforms.len() as u32;
        self.uniform_index.insert(uniform.name.clone(), i);
        self.artifact.uniforms.push(uniform);
        if let Some(l) = explicit {
            self.explicit.push((i, l));
        }
        i
    }

    fn block(&mut self, stage: &LinkedStage, declared: &scan::Block) {
        let m = &stage.module;
        let found = m
            .variables
            .iter()
            .filter(|v| matches!(v.storage, storage::UNIFORM | storage::STORAGE_BUFFER))
            .find(|v| m.name(m.strip_arrays(v.ty).0) == declared.name);
        let Some(v) = found.copied() else {
            return;
        };
        self.same_binding(&declared.name, declared.binding);
        let (ty, lens) = m.strip_arrays(v.ty);
        let count = product(&lens);
        let size = m.size_of(ty, MatrixLayout::default());
        let is_buffer = declared.storage == Storage::Buffer;
        // GL 4.6 core §7.6.2: a link fails for a block larger than MAX_UNIFORM_BLOCK_SIZE.
        if count > bounds::MAX_DESCRIPTORS || !is_buffer && size > self.max_block_bytes {
            self.errors
                .push(format!("block `{}' is too large", original(&declared.name)));
            return;
        }
        let mask = stage.stage.mask();
        let touched = m.touched.contains_key(&v.id);
        let name = original(&declared.name);
        if let Some(r) = self
            .artifact
            .resources
            .iter_mut()
            .find(|r| r.name == declared.name)
        {
            r.stages.insert(mask);
            let first = r.first as usize;
            let count = r.count as usize;
            let blocks = if is_buffer {
                &mut self.artifact.storage_blocks
            } else {
                &mut self.artifact.uniform_blocks
            };
            if blocks.len() < first + count {
                self.errors
                    .push(format!("block `{name}' declared differently in two stages"));
                return;
            }
            let members = blocks[first].members.clone();
            for b in &mut blocks[first..first + count] {
                b.readonly &= declared.readonly || !is_buffer;
                if touched {
                    b.stages.insert(mask);
                }
            }
            for i in members {
                if is_buffer {
                    self.artifact.buffer_variables[i as usize]
                        .stages
                        .insert(mask);
                } else {
                    self.artifact.uniforms[i as usize].stages.insert(mask);
                }
            }
            return;
        }
        let kind = if is_buffer {
            ResourceKind::StorageBlock
        } else {
            ResourceKind::UniformBlock
        };
        let first = if is_buffer {
            self.artifact.storage_blocks.len()
        } else {
            self.artifact.uniform_blocks.len()
        } as u32;
        let binding = self.take_binding(&declared.name, kind, count, mask, first);
        let Some(Type::Struct { members }) = m.types.get(&ty) else {
            return;
        };
        let mut indices = Vec::new();
        for (i, member) in members.iter().enumerate() {
            let i = i as u32;
            let raw = m.member_name(ty, i);
            let place = Place {
                offset: m.member_decoration(ty, i, decoration::OFFSET).unwrap_or(0),
                matrix: m.matrix_layout(ty, i),
                top_size: 1,
                top_stride: 0,
            };
            let mut leaves = Vec::new();
            walk(
                m,
                String::new(),
                *member,
                &place,
                if is_buffer {
                    Walk::TopLevelOnly
                } else {
                    Walk::All
                },
                &mut leaves,
            );
            let member_name = original(raw);
            // GL 4.6 core §7.3.1.1: members are "Block.member" only if the block has an instance name.
            let base = if declared.has_instance {
                format!("{name}.{member_name}")
            } else {
                member_name
            };
            let declared_type = declared
                .members
                .iter()
                .find(|d| d.name == raw)
                .map_or("", |d| &*d.ty);
            for leaf in leaves {
                let Some(gl_type) = gl_type(m, leaf.ty, is_bool(stage, declared_type, &leaf.path))
                else {
                    continue;
                };
                let full = format!(
                    "{base}{}{}",
                    original(&leaf.path),
                    if leaf.array.is_some() { "[0]" } else { "" }
                );
                let array_size = leaf.array.unwrap_or(1);
                if is_buffer {
                    indices.push(self.artifact.buffer_variables.len() as u32);
                    self.artifact.buffer_variables.push(BufferVariable {
                        name: full,
                        gl_type,
                        array_size,
                        is_array: leaf.array.is_some(),
                        block: first,
                        offset: leaf.offset,
                        array_stride: leaf.stride,
                        matrix_stride: leaf.matrix.stride,
                        row_major: leaf.matrix.row_major,
                        top_level_array_size: leaf.top_size,
                        top_level_array_stride: leaf.top_stride,
                        stages: mask,
                    });
                } else {
                    indices.push(self.add(
                        Uniform {
                            name: full,
                            gl_type,
                            array_size,
                            is_array: leaf.array.is_some(),
                            storage: UniformStorage::Block { index: first },
                            offset: leaf.offset,
                            array_stride: leaf.stride,
                            matrix_stride: leaf.matrix.stride,
                            row_major: leaf.matrix.row_major,
                            location: None,
                            stages: mask,
                        },
                        None,
                    ));
                }
            }
        }
        let data_size = if is_buffer {
            size
        } else {
            size.next_multiple_of(16)
        };
        for element in 0..count {
            let mut path = String::new();
            let mut rest = element;
            for len in lens.iter().rev() {
                path = format!("[{}]{path}", rest % len);
                rest /= len;
            }
            let block = Block {
                name: format!("{name}{path}"),
                initial_binding: declared.binding.map_or(0, |b| b.saturating_add(element)),
                data_size,
                members: indices.clone(),
                stages: if touched { mask } else { StageMask::EMPTY },
                binding,
                element,
                readonly: !is_buffer || declared.readonly,
            };
            if is_buffer {
                self.artifact.storage_blocks.push(block);
            } else {
                self.artifact.uniform_blocks.push(block);
            }
        }
    }
}

/// Whether the source declares the leaf at `path` below `ty` as a bool or bvec.
fn is_bool(stage: &LinkedStage, ty: &str, path: &str) -> bool {
    let names: Vec<&str> = path
        .split('.')
        .skip(1)
        .map(|part| part.split('[').next().unwrap_or(part))
        .collect();
    stage.scans().any(|s| {
        s.type_of(ty, &names)
            .is_some_and(|t| t == "bool" || t.starts_with("bvec"))
    })
}
