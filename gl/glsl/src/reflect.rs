//! Uniforms, blocks and their storage: from the linked stages' SPIR-V and the declarations of the source.
//! It must not depend on the order in which the compiler numbered anything: order is that of the source.

use pipe::program::{
    Block, BufferVariable, ImageSlot, ProgramArtifact, Resource, ResourceKind, SamplerSlot,
    StageMask, Uniform, UniformStorage,
};
use rustc_hash::FxHashMap;

use crate::link::LinkedStage;
use crate::module::{MatrixLayout, Module, Reach, Type, Variable, decoration, storage};
use crate::scan::{self, Declared, Storage};
use crate::types::gl_type;
use crate::values::Value;
use crate::words::original;

/// A leaf of a uniform's type tree: something with a GL type of its own.
struct Leaf {
    /// Path below the variable, GL style: `.pos`, `[1].m`, with no trailing `[0]`.
    path: String,
    ty: u32,
    array: Option<u32>,
    offset: u32,
    stride: u32,
    matrix: MatrixLayout,
    /// The place holder of a sampler inside a struct.
    opaque: bool,
    top_size: u32,
    top_stride: u32,
}

/// How far arrays at the first level are walked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Walk {
    /// Up to this many elements.
    Limit(u32),
    All,
    /// Storage blocks: only element 0 of an array of aggregates.
    TopLevelOnly,
}

struct Place {
    offset: u32,
    matrix: MatrixLayout,
    top_size: u32,
    top_stride: u32,
}

fn walk(m: &Module, path: String, ty: u32, place: &Place, how: Walk, out: &mut Vec<Leaf>) {
    match m.types.get(&ty) {
        Some(Type::Struct { members }) => {
            for (i, member) in members.iter().enumerate() {
                let i = i as u32;
                let raw = m.member_name(ty, i);
                let opaque = raw.starts_with("/*");
                let name = raw.trim_start_matches("/*").trim_end_matches("*/");
                let inner = Place {
                    offset: place.offset
                        + m.member_decoration(ty, i, decoration::OFFSET).unwrap_or(0),
                    matrix: m.matrix_layout(ty, i),
                    ..*place
                };
                let path = format!("{path}.{name}");
                if opaque {
                    out.push(leaf(path, *member, None, &inner, 0, true));
                } else {
                    walk(m, path, *member, &inner, Walk::All, out);
                }
            }
        }
        Some(&Type::Array { of, len }) => array(m, path, ty, of, len, place, how, out),
        Some(&Type::RuntimeArray { of }) => array(m, path, ty, of, 0, place, how, out),
        Some(_) => out.push(leaf(path, ty, None, place, 0, false)),
        None => {}
    }
}

fn array(
    m: &Module,
    path: String,
    ty: u32,
    of: u32,
    len: u32,
    place: &Place,
    how: Walk,
    out: &mut Vec<Leaf>,
) {
    let stride = m.decoration(ty, decoration::ARRAY_STRIDE).unwrap_or(0);
    let shown = match how {
        Walk::Limit(n) => n.min(len),
        Walk::All | Walk::TopLevelOnly => len,
    };
    if !matches!(
        m.types.get(&of),
        Some(Type::Struct { .. } | Type::Array { .. } | Type::RuntimeArray { .. })
    ) {
        out.push(leaf(path, of, Some(shown), place, stride, false));
        return;
    }
    let (count, top_size, top_stride) = if how == Walk::TopLevelOnly {
        (1, len, stride)
    } else {
        (shown, place.top_size, place.top_stride)
    };
    for i in 0..count {
        let inner = Place {
            offset: place.offset + i * stride,
            matrix: place.matrix,
            top_size,
            top_stride,
        };
        walk(m, format!("{path}[{i}]"), of, &inner, Walk::All, out);
    }
}

fn leaf(
    path: String,
    ty: u32,
    array: Option<u32>,
    place: &Place,
    stride: u32,
    opaque: bool,
) -> Leaf {
    let Place {
        offset,
        matrix,
        top_size,
        top_stride,
    } = *place;
    Leaf {
        path,
        ty,
        array,
        offset,
        stride,
        matrix,
        opaque,
        top_size,
        top_stride,
    }
}

/// Reflection in progress.
pub struct Reflection<'a> {
    pub artifact: ProgramArtifact,
    pub errors: Vec<String>,
    /// Binding of each descriptor variable or block, by SPIR-V name.
    pub bindings: FxHashMap<String, u32>,
    /// SPIR-V names that are no identifiers (samplers inside structs), and the resource that they are.
    pub renamed: FxHashMap<String, String>,
    uniform_index: FxHashMap<String, u32>,
    explicit: Vec<(u32, u32)>,
    initial: &'a [(String, Value)],
}

impl<'a> Reflection<'a> {
    pub fn new(initial: &'a [(String, Value)]) -> Self {
        Self {
            artifact: ProgramArtifact::default(),
            errors: Vec::new(),
            bindings: FxHashMap::default(),
            renamed: FxHashMap::default(),
            uniform_index: FxHashMap::default(),
            explicit: Vec::new(),
            initial,
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
        let size = stage
            .module
            .size_of(v.ty, MatrixLayout::default())
            .next_multiple_of(16);
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
            Some(Reach::UpTo(n)) => Walk::Limit(n + 1),
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

    /// A struct with nothing but samplers has no part in the default block.
    fn struct_of_samplers(&mut self, stage: &LinkedStage, declared: &scan::Variable) {
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

    fn opaque(
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
        let count: u32 = lens.iter().product();
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
                let initial_unit = unit.map_or(0, |u| u + element);
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

    fn take_binding(
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
    fn add(&mut self, uniform: Uniform, explicit: Option<u32>) -> u32 {
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
        let (ty, lens) = m.strip_arrays(v.ty);
        let count: u32 = lens.iter().product();
        let mask = stage.stage.mask();
        let touched = m.touched.contains_key(&v.id);
        let name = original(&declared.name);
        let is_buffer = declared.storage == Storage::Buffer;
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
        let mut data_size = m.size_of(ty, MatrixLayout::default());
        if !is_buffer {
            data_size = data_size.next_multiple_of(16);
        }
        for element in 0..count {
            let mut path = String::new();
            let mut rest = element;
            for len in lens.iter().rev() {
                path = format!("[{}]{path}", rest % len);
                rest /= len;
            }
            let block = Block {
                name: format!("{name}{path}"),
                initial_binding: declared.binding.map_or(0, |b| b + element),
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

    /// Explicit locations first; the others fill the gaps in order (GL 4.6 core §7.6).
    fn assign_locations(&mut self) {
        let mut used: Vec<bool> = Vec::new();
        let take = |used: &mut Vec<bool>, first: u32, n: u32| {
            let end = (first + n) as usize;
            if used.len() < end {
                used.resize(end, false);
            }
            let clash = used[first as usize..end].iter().any(|u| *u);
            used[first as usize..end].fill(true);
            clash
        };
        const MAX_LOCATION: u32 = 65_536;
        for &(i, location) in &self.explicit {
            let u = &mut self.artifact.uniforms[i as usize];
            if location >= MAX_LOCATION || u.array_size >= MAX_LOCATION {
                self.errors.push(format!(
                    "location {location} of uniform `{}' is too large",
                    u.name
                ));
                continue;
            }
            if take(&mut used, location, u.array_size) {
                self.errors.push(format!(
                    "location {location} of uniform `{}' overlaps another uniform",
                    u.name
                ));
            }
            u.location = Some(location);
        }
        for u in &mut self.artifact.uniforms {
            if u.location.is_some()
                || matches!(
                    u.storage,
                    UniformStorage::Block { .. } | UniformStorage::AtomicCounter { .. }
                )
            {
                continue;
            }
            let n = u.array_size;
            let first = (0..=used.len() as u32)
                .find(|f| (*f..*f + n).all(|l| !used.get(l as usize).copied().unwrap_or(false)))
                .expect("the end of the list is free");
            take(&mut used, first, n);
            u.location = Some(first);
        }
        self.artifact.uniform_location_count = used.len() as u32;
    }
}

fn shown(reach: Reach, lens: &[u32]) -> u32 {
    match (lens, reach) {
        ([], _) => 1,
        ([len], Reach::UpTo(n)) => (n + 1).min(*len),
        (lens, _) => lens.last().copied().unwrap_or(1),
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
