//! A reader and patcher of the SPIR-V that the compiler makes: types, names, decorations, and which objects the code touches.
//! It must not be fed SPIR-V from an application: it trusts the order and ids of our own compiler.

use pipe::program::spirv::{instructions, literal_string};
use rustc_hash::{FxHashMap, FxHashSet};

pub mod decoration {
    pub const ROW_MAJOR: u32 = 4;
    pub const ARRAY_STRIDE: u32 = 6;
    pub const MATRIX_STRIDE: u32 = 7;
    pub const BUILT_IN: u32 = 11;
    pub const PATCH: u32 = 15;
    pub const NON_WRITABLE: u32 = 24;
    pub const NON_READABLE: u32 = 25;
    pub const LOCATION: u32 = 30;
    pub const COMPONENT: u32 = 31;
    pub const INDEX: u32 = 32;
    pub const BINDING: u32 = 33;
    pub const DESCRIPTOR_SET: u32 = 34;
    pub const OFFSET: u32 = 35;
}

pub mod storage {
    pub const UNIFORM_CONSTANT: u32 = 0;
    pub const INPUT: u32 = 1;
    pub const UNIFORM: u32 = 2;
    pub const OUTPUT: u32 = 3;
    pub const STORAGE_BUFFER: u32 = 12;
}

mod op {
    pub const NAME: u32 = 5;
    pub const MEMBER_NAME: u32 = 6;
    pub const ENTRY_POINT: u32 = 15;
    pub const EXECUTION_MODE: u32 = 16;
    pub const TYPE_BOOL: u32 = 20;
    pub const TYPE_INT: u32 = 21;
    pub const TYPE_FLOAT: u32 = 22;
    pub const TYPE_VECTOR: u32 = 23;
    pub const TYPE_MATRIX: u32 = 24;
    pub const TYPE_IMAGE: u32 = 25;
    pub const TYPE_SAMPLED_IMAGE: u32 = 27;
    pub const TYPE_ARRAY: u32 = 28;
    pub const TYPE_RUNTIME_ARRAY: u32 = 29;
    pub const TYPE_STRUCT: u32 = 30;
    pub const TYPE_POINTER: u32 = 32;
    pub const CONSTANT_TRUE: u32 = 41;
    pub const CONSTANT_FALSE: u32 = 42;
    pub const CONSTANT: u32 = 43;
    pub const CONSTANT_COMPOSITE: u32 = 44;
    pub const CONSTANT_NULL: u32 = 46;
    pub const FUNCTION: u32 = 54;
    pub const VARIABLE: u32 = 59;
    pub const STORE: u32 = 62;
    pub const ACCESS_CHAIN: u32 = 65;
    pub const IN_BOUNDS_ACCESS_CHAIN: u32 = 66;
    pub const DECORATE: u32 = 71;
    pub const MEMBER_DECORATE: u32 = 72;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Bool,
    Int {
        width: u32,
        signed: bool,
    },
    Float {
        width: u32,
    },
    Vector {
        of: u32,
        n: u32,
    },
    /// `of` is the column vector.
    Matrix {
        of: u32,
        n: u32,
    },
    Image(Image),
    SampledImage {
        image: u32,
    },
    Array {
        of: u32,
        len: u32,
    },
    RuntimeArray {
        of: u32,
    },
    Struct {
        members: Vec<u32>,
    },
    Pointer {
        to: u32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image {
    pub sampled_type: u32,
    pub dim: u32,
    pub depth: bool,
    pub arrayed: bool,
    pub multisampled: bool,
    /// 1: used with a sampler; 2: storage image.
    pub sampled: u32,
    pub format: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct Variable {
    pub id: u32,
    pub storage: u32,
    /// What it holds (behind the pointer).
    pub ty: u32,
}

#[derive(Clone, Debug)]
pub enum Constant {
    /// One or two words.
    Scalar(Vec<u32>),
    Bool(bool),
    Composite(Vec<u32>),
    Null,
}

/// How the code reaches into a variable that is an array, or a member of a block that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Only elements up to this one, by constant index.
    UpTo(u32),
    All,
}

impl Reach {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::UpTo(a), Self::UpTo(b)) => Self::UpTo(a.max(b)),
            _ => Self::All,
        }
    }
}

#[derive(Debug, Default)]
pub struct Module {
    pub types: FxHashMap<u32, Type>,
    pub names: FxHashMap<u32, String>,
    pub member_names: FxHashMap<(u32, u32), String>,
    decorations: FxHashMap<(u32, u32), u32>,
    member_decorations: FxHashMap<(u32, u32, u32), u32>,
    pub variables: Vec<Variable>,
    pub constants: FxHashMap<u32, Constant>,
    /// `(mode, operands)` of the entry point.
    pub execution_modes: Vec<(u32, Vec<u32>)>,
    /// Variables that code refers to.
    pub touched: FxHashMap<u32, Reach>,
    /// Members of struct-typed variables that code refers to, by variable and member.
    pub touched_members: FxHashMap<(u32, u32), Reach>,
    /// First store into each variable.
    pub stores: FxHashMap<u32, u32>,
}

impl Module {
    pub fn read(words: &[u32]) -> Self {
        let mut m = Self::default();
        let mut in_code = false;
        for (code, w) in instructions(words) {
            in_code |= code == op::FUNCTION;
            if in_code {
                m.read_code(code, w);
            } else {
                m.read_declaration(code, w);
            }
        }
        m
    }

    fn read_declaration(&mut self, code: u32, w: &[u32]) {
        match code {
            op::NAME => {
                self.names.insert(w[1], literal_string(&w[2..]).0);
            }
            op::MEMBER_NAME => {
                self.member_names
                    .insert((w[1], w[2]), literal_string(&w[3..]).0);
            }
            op::DECORATE => {
                self.decorations
                    .insert((w[1], w[2]), w.get(3).copied().unwrap_or(0));
            }
            op::MEMBER_DECORATE => {
                self.member_decorations
                    .insert((w[1], w[2], w[3]), w.get(4).copied().unwrap_or(0));
            }
            op::EXECUTION_MODE => self.execution_modes.push((w[2], w[3..].to_vec())),
            op::TYPE_BOOL => {
                self.types.insert(w[1], Type::Bool);
            }
            op::TYPE_INT => {
                self.types.insert(
                    w[1],
                    Type::Int {
                        width: w[2],
                        signed: w[3] != 0,
                    },
                );
            }
            op::TYPE_FLOAT => {
                self.types.insert(w[1], Type::Float { width: w[2] });
            }
            op::TYPE_VECTOR => {
                self.types.insert(w[1], Type::Vector { of: w[2], n: w[3] });
            }
            op::TYPE_MATRIX => {
                self.types.insert(w[1], Type::Matrix { of: w[2], n: w[3] });
            }
            op::TYPE_IMAGE => {
                let image = Image {
                    sampled_type: w[2],
                    dim: w[3],
                    depth: w[4] == 1,
                    arrayed: w[5] == 1,
                    multisampled: w[6] == 1,
                    sampled: w[7],
                    format: w[8],
                };
                self.types.insert(w[1], Type::Image(image));
            }
            op::TYPE_SAMPLED_IMAGE => {
                self.types.insert(w[1], Type::SampledImage { image: w[2] });
            }
            op::TYPE_ARRAY => {
                let len = self.scalar(w[3]).unwrap_or(1);
                self.types.insert(w[1], Type::Array { of: w[2], len });
            }
            op::TYPE_RUNTIME_ARRAY => {
                self.types.insert(w[1], Type::RuntimeArray { of: w[2] });
            }
            op::TYPE_STRUCT => {
                self.types.insert(
                    w[1],
                    Type::Struct {
                        members: w[2..].to_vec(),
                    },
                );
            }
            op::TYPE_POINTER => {
                self.types.insert(w[1], Type::Pointer { to: w[3] });
            }
            op::CONSTANT => {
                self.constants
                    .insert(w[2], Constant::Scalar(w[3..].to_vec()));
            }
            op::CONSTANT_TRUE => {
                self.constants.insert(w[2], Constant::Bool(true));
            }
            op::CONSTANT_FALSE => {
                self.constants.insert(w[2], Constant::Bool(false));
            }
            op::CONSTANT_COMPOSITE => {
                self.constants
                    .insert(w[2], Constant::Composite(w[3..].to_vec()));
            }
            op::CONSTANT_NULL => {
                self.constants.insert(w[2], Constant::Null);
            }
            op::VARIABLE => {
                if let Some(Type::Pointer { to }) = self.types.get(&w[1]) {
                    self.variables.push(Variable {
                        id: w[2],
                        storage: w[3],
                        ty: *to,
                    });
                }
            }
            _ => {}
        }
    }

    fn read_code(&mut self, code: u32, w: &[u32]) {
        let chain = matches!(code, op::ACCESS_CHAIN | op::IN_BOUNDS_ACCESS_CHAIN);
        if chain && let Some(v) = self.variables.iter().find(|v| v.id == w[3]).copied() {
            let indices = &w[4..];
            let reach = |index: Option<&u32>| {
                index
                    .and_then(|i| self.scalar(*i))
                    .map_or(Reach::All, Reach::UpTo)
            };
            if let Some(Type::Struct { .. }) = self.types.get(&v.ty) {
                if let Some(member) = indices.first().and_then(|i| self.scalar(*i)) {
                    let r = reach(indices.get(1));
                    self.touched_members
                        .entry((v.id, member))
                        .and_modify(|old| *old = old.join(r))
                        .or_insert(r);
                }
                self.touched.insert(v.id, Reach::All);
            } else {
                let r = reach(indices.first());
                self.touched
                    .entry(v.id)
                    .and_modify(|old| *old = old.join(r))
                    .or_insert(r);
                // A block array: the members behind the element.
                if let Some(member) = indices.get(1).and_then(|i| self.scalar(*i)) {
                    self.touched_members.insert((v.id, member), Reach::All);
                }
            }
            return;
        }
        if code == op::STORE {
            self.stores.entry(w[1]).or_insert(w[2]);
        }
        for id in &w[1..] {
            // Literals may look like ids: that only makes a variable seem used.
            if let Some(v) = self.variables.iter().find(|v| v.id == *id).copied() {
                self.touched.insert(v.id, Reach::All);
                if let Some(Type::Struct { members }) = self.types.get(&v.ty) {
                    for m in 0..members.len() as u32 {
                        self.touched_members.insert((v.id, m), Reach::All);
                    }
                }
            }
        }
    }

    /// An integer constant.
    pub fn scalar(&self, id: u32) -> Option<u32> {
        match self.constants.get(&id)? {
            Constant::Scalar(w) => w.first().copied(),
            Constant::Bool(_) | Constant::Composite(_) | Constant::Null => None,
        }
    }

    pub fn name(&self, id: u32) -> &str {
        self.names.get(&id).map_or("", String::as_str)
    }

    pub fn member_name(&self, ty: u32, member: u32) -> &str {
        self.member_names
            .get(&(ty, member))
            .map_or("", String::as_str)
    }

    pub fn decoration(&self, id: u32, which: u32) -> Option<u32> {
        self.decorations.get(&(id, which)).copied()
    }

    pub fn member_decoration(&self, ty: u32, member: u32, which: u32) -> Option<u32> {
        self.member_decorations.get(&(ty, member, which)).copied()
    }

    pub fn variables_in(&self, storage: u32) -> impl Iterator<Item = Variable> {
        self.variables
            .iter()
            .copied()
            .filter(move |v| v.storage == storage)
    }

    pub fn is_built_in(&self, v: Variable) -> bool {
        self.decoration(v.id, decoration::BUILT_IN).is_some()
            || self
                .member_decoration(self.strip_arrays(v.ty).0, 0, decoration::BUILT_IN)
                .is_some()
    }

    /// The type behind all array levels, and the lengths (outermost first; 0 for a runtime array).
    pub fn strip_arrays(&self, mut ty: u32) -> (u32, Vec<u32>) {
        let mut lens = Vec::new();
        loop {
            match self.types.get(&ty) {
                Some(Type::Array { of, len }) => {
                    lens.push(*len);
                    ty = *of;
                }
                Some(Type::RuntimeArray { of }) => {
                    lens.push(0);
                    ty = *of;
                }
                _ => return (ty, lens),
            }
        }
    }

    /// Bytes of a value laid out with the module's strides and offsets.
    pub fn size_of(&self, ty: u32, matrix: MatrixLayout) -> u32 {
        match self.types.get(&ty) {
            Some(Type::Bool) => 4,
            Some(Type::Int { width, .. } | Type::Float { width }) => width / 8,
            Some(Type::Vector { of, n }) => n.saturating_mul(self.size_of(*of, matrix)),
            Some(Type::Matrix { of, n }) => {
                let rows = match self.types.get(of) {
                    Some(Type::Vector { n, .. }) => *n,
                    _ => 1,
                };
                matrix.stride * if matrix.row_major { rows } else { *n }
            }
            Some(Type::Array { of, len }) => {
                let stride = self
                    .decoration(ty, decoration::ARRAY_STRIDE)
                    .unwrap_or_else(|| self.size_of(*of, matrix));
                len.saturating_mul(stride)
            }
            Some(Type::RuntimeArray { .. }) => {
                self.decoration(ty, decoration::ARRAY_STRIDE).unwrap_or(0)
            }
            Some(Type::Struct { members }) => members
                .iter()
                .enumerate()
                .map(|(i, m)| {
                    let offset = self
                        .member_decoration(ty, i as u32, decoration::OFFSET)
                        .unwrap_or(0);
                    offset.saturating_add(self.size_of(*m, self.matrix_layout(ty, i as u32)))
                })
                .max()
                .unwrap_or(0),
            Some(Type::Image(_) | Type::SampledImage { .. } | Type::Pointer { .. }) | None => 0,
        }
    }

    pub fn matrix_layout(&self, ty: u32, member: u32) -> MatrixLayout {
        MatrixLayout {
            stride: self
                .member_decoration(ty, member, decoration::MATRIX_STRIDE)
                .unwrap_or(0),
            row_major: self
                .member_decoration(ty, member, decoration::ROW_MAJOR)
                .is_some(),
        }
    }

    /// Interface locations that a value takes.
    pub fn locations(&self, ty: u32) -> u32 {
        match self.types.get(&ty) {
            Some(Type::Array { of, len }) => len.saturating_mul(self.locations(*of)),
            Some(Type::Matrix { of, n }) => n.saturating_mul(self.locations(*of)),
            Some(Type::Struct { members }) => members
                .iter()
                .fold(0u32, |n, m| n.saturating_add(self.locations(*m))),
            _ => 1,
        }
    }

    /// A dvec3, dvec4 or a matrix of such columns: GL counts one location for a column, SPIR-V two.
    pub fn is_wide_double(&self, ty: u32) -> bool {
        match self.types.get(&ty) {
            Some(Type::Matrix { of, .. }) => self.is_wide_double(*of),
            Some(Type::Vector { of, n }) => {
                *n > 2 && self.types.get(of) == Some(&Type::Float { width: 64 })
            }
            _ => false,
        }
    }

    /// 32-bit components that a value takes in transform feedback.
    pub fn components(&self, ty: u32) -> u32 {
        match self.types.get(&ty) {
            Some(Type::Bool) => 1,
            Some(Type::Int { width, .. } | Type::Float { width }) => width / 32,
            Some(Type::Vector { of, n } | Type::Matrix { of, n } | Type::Array { of, len: n }) => {
                n.saturating_mul(self.components(*of))
            }
            Some(Type::Struct { members }) => members
                .iter()
                .fold(0u32, |n, m| n.saturating_add(self.components(*m))),
            _ => 0,
        }
    }

    /// Whether values of `a` here and `b` there are of the same type by structure and member names.
    pub fn same_type(&self, a: u32, other: &Self, b: u32) -> bool {
        match (self.types.get(&a), other.types.get(&b)) {
            (Some(Type::Vector { of: x, n }), Some(Type::Vector { of: y, n: m })) => {
                n == m && self.same_type(*x, other, *y)
            }
            (Some(Type::Matrix { of: x, n }), Some(Type::Matrix { of: y, n: m })) => {
                n == m && self.same_type(*x, other, *y)
            }
            (Some(Type::Array { of: x, len }), Some(Type::Array { of: y, len: l })) => {
                len == l && self.same_type(*x, other, *y)
            }
            (Some(Type::RuntimeArray { of: x }), Some(Type::RuntimeArray { of: y })) => {
                self.same_type(*x, other, *y)
            }
            (Some(Type::Struct { members: x }), Some(Type::Struct { members: y })) => {
                x.len() == y.len()
                    && x.iter().zip(y).enumerate().all(|(i, (x, y))| {
                        self.member_name(a, i as u32) == other.member_name(b, i as u32)
                            && self.same_type(*x, other, *y)
                    })
            }
            (Some(Type::SampledImage { image: x }), Some(Type::SampledImage { image: y })) => {
                self.same_type(*x, other, *y)
            }
            (Some(Type::Image(x)), Some(Type::Image(y))) => {
                Image {
                    sampled_type: 0,
                    ..*x
                } == Image {
                    sampled_type: 0,
                    ..*y
                } && self.same_type(x.sampled_type, other, y.sampled_type)
            }
            (Some(x), Some(y)) => x == y,
            _ => false,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatrixLayout {
    pub stride: u32,
    pub row_major: bool,
}

/// Changes to a module's words: decorations set, objects removed.
#[derive(Debug, Default)]
pub struct Patch {
    /// `(object, decoration) -> value`.
    pub set: FxHashMap<(u32, u32), u32>,
    /// Variables to remove; no code refers to them.
    pub remove: FxHashSet<u32>,
    /// Names to give.
    pub rename: FxHashMap<u32, String>,
}

/// A name instruction: `head` is what stands before the string.
fn name_instruction(code: u32, head: &[u32], name: &str) -> Vec<u32> {
    let mut bytes = name.as_bytes().to_vec();
    bytes.push(0);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let text = bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|c| u32::from_le_bytes(*c));
    let mut out = vec![0];
    out.extend_from_slice(head);
    out.extend(text);
    out[0] = ((out.len() as u32) << 16) | code;
    out
}

impl Patch {
    pub fn apply(&self, words: &[u32]) -> Vec<u32> {
        let mut out = words[..5].to_vec();
        let mut pending: Vec<((u32, u32), u32)> = self.set.iter().map(|(k, v)| (*k, *v)).collect();
        pending.sort_unstable();
        pending.retain(|((id, d), _)| {
            !instructions(words).any(|(code, w)| code == op::DECORATE && w[1] == *id && w[2] == *d)
        });
        for (code, w) in instructions(words) {
            match code {
                op::NAME | op::DECORATE if self.remove.contains(&w[1]) => {}
                op::VARIABLE if self.remove.contains(&w[2]) => {}
                op::ENTRY_POINT => {
                    let (_, n) = literal_string(&w[3..]);
                    let mut entry = w[..3 + n].to_vec();
                    entry.extend(w[3 + n..].iter().filter(|id| !self.remove.contains(id)));
                    entry[0] = ((entry.len() as u32) << 16) | op::ENTRY_POINT;
                    out.extend(entry);
                }
                op::DECORATE if w.len() == 4 && self.set.contains_key(&(w[1], w[2])) => {
                    out.extend([w[0], w[1], w[2], self.set[&(w[1], w[2])]]);
                }
                // A member that became a sampler of its own keeps a place holder, whose name must be a name.
                op::MEMBER_NAME if literal_string(&w[3..]).0.starts_with("/*") => {
                    out.extend(name_instruction(
                        op::MEMBER_NAME,
                        &w[1..3],
                        &format!("mg_opaque{}", w[2]),
                    ));
                }
                op::NAME if self.rename.contains_key(&w[1]) => {
                    out.extend(name_instruction(op::NAME, &w[1..2], &self.rename[&w[1]]));
                }
                _ => {
                    let first_type = (19..=39).contains(&code);
                    if !pending.is_empty()
                        && (first_type || code == op::DECORATE || code == op::MEMBER_DECORATE)
                    {
                        for ((id, d), value) in pending.drain(..) {
                            out.extend([(4 << 16) | op::DECORATE, id, d, value]);
                        }
                    }
                    out.extend_from_slice(w);
                }
            }
        }
        out
    }
}
