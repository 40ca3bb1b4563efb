//! Rectangle textures as 2D textures: neither SPIR-V for Vulkan nor ES has them. Coordinates in texels are divided by the size.
//! It must not touch a module without rectangle images.

use pipe::program::spirv::instructions;
use rustc_hash::{FxHashMap, FxHashSet};

mod op {
    pub const CAPABILITY: u32 = 17;
    pub const TYPE_INT: u32 = 21;
    pub const TYPE_FLOAT: u32 = 22;
    pub const TYPE_VECTOR: u32 = 23;
    pub const TYPE_IMAGE: u32 = 25;
    pub const TYPE_SAMPLED_IMAGE: u32 = 27;
    pub const TYPE_ARRAY: u32 = 28;
    pub const TYPE_STRUCT: u32 = 30;
    pub const TYPE_POINTER: u32 = 32;
    pub const TYPE_FUNCTION: u32 = 33;
    pub const CONSTANT: u32 = 43;
    pub const FUNCTION: u32 = 54;
    pub const LOAD: u32 = 61;
    pub const COMPOSITE_CONSTRUCT: u32 = 80;
    pub const SAMPLE_IMPLICIT: u32 = 87;
    pub const SAMPLE_DREF_EXPLICIT: u32 = 90;
    pub const SAMPLE_PROJ_DREF_EXPLICIT: u32 = 94;
    pub const FETCH: u32 = 95;
    pub const GATHER: u32 = 96;
    pub const DREF_GATHER: u32 = 97;
    pub const IMAGE: u32 = 100;
    pub const QUERY_SIZE_LOD: u32 = 103;
    pub const QUERY_SIZE: u32 = 104;
    pub const CONVERT_S_TO_F: u32 = 111;
    pub const F_DIV: u32 = 136;
}

const DIM_2D: u32 = 1;
const DIM_RECT: u32 = 4;
const CAPABILITY_IMAGE_RECT: u32 = 36;
const CAPABILITY_SAMPLED_RECT: u32 = 37;
const CAPABILITY_IMAGE_QUERY: u32 = 50;
const LOD: u32 = 0x2;
const GRAD: u32 = 0x4;

/// The module with 2D images for its rectangle images.
pub fn to_2d(words: Vec<u32>) -> Vec<u32> {
    let rectangle = |(code, w): (u32, &[u32])| code == op::TYPE_IMAGE && w[3] == DIM_RECT;
    if !instructions(&words).any(rectangle) {
        return words;
    }
    let mut pass = Pass::new(words[3]);
    let mut body = Vec::with_capacity(words.len());
    let mut declarations = Vec::new();
    let mut in_code = false;
    for (code, w) in instructions(&words) {
        in_code |= code == op::FUNCTION;
        if in_code {
            pass.code(code, w, &mut body);
        } else {
            pass.declaration(code, w, &mut declarations);
        }
    }
    let mut out = words[..5].to_vec();
    out[3] = pass.bound;
    if pass.queries {
        out.extend([(2 << 16) | op::CAPABILITY, CAPABILITY_IMAGE_QUERY]);
    }
    out.extend(declarations);
    out.extend(pass.added);
    out.extend(body);
    out
}

struct Pass {
    bound: u32,
    /// Image types that were rectangles, and sampled images of them.
    images: FxHashSet<u32>,
    sampled: FxHashMap<u32, u32>,
    /// What stands for a type that became the same as another: types of equal operands must be one.
    alias: FxHashMap<u32, u32>,
    /// First id of each type or constant, by opcode and operands.
    known: FxHashMap<Vec<u32>, u32>,
    types: FxHashSet<u32>,
    vectors: FxHashMap<u32, u32>,
    /// Type of each value.
    type_of: FxHashMap<u32, u32>,
    /// Declarations that the new code needs.
    added: Vec<u32>,
    queries: bool,
}

impl Pass {
    fn new(bound: u32) -> Self {
        Self {
            bound,
            images: FxHashSet::default(),
            sampled: FxHashMap::default(),
            alias: FxHashMap::default(),
            known: FxHashMap::default(),
            types: FxHashSet::default(),
            vectors: FxHashMap::default(),
            type_of: FxHashMap::default(),
            added: Vec::new(),
            queries: false,
        }
    }

    fn fresh(&mut self) -> u32 {
        self.bound += 1;
        self.bound - 1
    }

    fn canonical(&self, ty: u32) -> u32 {
        self.alias.get(&ty).copied().unwrap_or(ty)
    }

    fn declaration(&mut self, code: u32, w: &[u32], out: &mut Vec<u32>) {
        let mut w = w.to_vec();
        match code {
            op::CAPABILITY if matches!(w[1], CAPABILITY_IMAGE_RECT | CAPABILITY_SAMPLED_RECT) => {
                return;
            }
            // Said again where it is needed.
            op::CAPABILITY if w[1] == CAPABILITY_IMAGE_QUERY => {
                self.queries = true;
                return;
            }
            op::TYPE_IMAGE if w[3] == DIM_RECT => {
                w[3] = DIM_2D;
                self.images.insert(w[1]);
            }
            op::TYPE_SAMPLED_IMAGE => {
                if self.images.contains(&w[2]) {
                    self.sampled.insert(w[1], self.canonical(w[2]));
                }
                w[2] = self.canonical(w[2]);
            }
            op::TYPE_ARRAY => w[2] = self.canonical(w[2]),
            op::TYPE_POINTER => w[3] = self.canonical(w[3]),
            op::TYPE_STRUCT | op::TYPE_FUNCTION => {
                for ty in &mut w[2..] {
                    *ty = self.canonical(*ty);
                }
            }
            op::TYPE_VECTOR => {
                self.vectors.insert(w[1], w[3]);
            }
            op::CONSTANT => {
                self.known
                    .entry([&[code, w[1]], &w[3..]].concat())
                    .or_insert(w[2]);
            }
            _ => {}
        }
        if (19..=39).contains(&code) {
            self.types.insert(w[1]);
            let shape = [&[code], &w[2..]].concat();
            // Structures and arrays carry decorations: only what has none may become another.
            let mergeable = matches!(code, op::TYPE_IMAGE | op::TYPE_SAMPLED_IMAGE);
            match self.known.get(&shape) {
                Some(&first) if mergeable => {
                    self.alias.insert(w[1], first);
                    return;
                }
                Some(_) => {}
                None => {
                    self.known.insert(shape, w[1]);
                }
            }
        } else if w.len() > 2 && self.types.contains(&w[1]) {
            self.type_of.insert(w[2], w[1]);
        }
        out.extend(w);
    }

    /// The id of a type or constant; `head` stands before its id in the instruction.
    fn need(&mut self, code: u32, head: &[u32], operands: &[u32]) -> u32 {
        let key = [&[code], head, operands].concat();
        if let Some(&id) = self.known.get(&key) {
            return id;
        }
        let id = self.fresh();
        let len = (2 + head.len() + operands.len()) as u32;
        self.added.push((len << 16) | code);
        self.added.extend_from_slice(head);
        self.added.push(id);
        self.added.extend_from_slice(operands);
        self.known.insert(key, id);
        if code == op::TYPE_VECTOR {
            self.vectors.insert(id, operands[1]);
        }
        id
    }

    fn zero(&mut self) -> u32 {
        let int = self.need(op::TYPE_INT, &[], &[32, 1]);
        self.need(op::CONSTANT, &[int], &[0])
    }

    fn code(&mut self, code: u32, w: &[u32], out: &mut Vec<u32>) {
        let mut w = w.to_vec();
        if w.len() > 2 && self.types.contains(&w[1]) {
            self.type_of.insert(w[2], w[1]);
            w[1] = self.canonical(w[1]);
        }
        let operand_type = w.get(3).and_then(|id| self.type_of.get(id)).copied();
        let rectangle = operand_type.is_some_and(|t| self.images.contains(&t));
        let image = operand_type.and_then(|t| self.sampled.get(&t)).copied();
        match (code, image) {
            (op::LOAD, _) => {}
            (op::QUERY_SIZE, _) if rectangle && self.is_sampled(operand_type) => {
                self.queries = true;
                w.push(self.zero());
                w[0] = (5 << 16) | op::QUERY_SIZE_LOD;
            }
            (op::FETCH, _) if rectangle => {
                let zero = self.zero();
                match w.get(5).copied() {
                    Some(mask) => {
                        w[5] = mask | LOD;
                        w.insert(6, zero);
                    }
                    None => w.extend([LOD, zero]),
                }
                w[0] = ((w.len() as u32) << 16) | op::FETCH;
            }
            (
                op::SAMPLE_IMPLICIT..=op::SAMPLE_PROJ_DREF_EXPLICIT | op::GATHER | op::DREF_GATHER,
                Some(image),
            ) => self.sample(code, image, &mut w, out),
            _ => {}
        }
        out.extend(w);
    }

    /// Images that are sampled, not stored to: their size is that of a level.
    fn is_sampled(&self, ty: Option<u32>) -> bool {
        ty.is_some_and(|ty| {
            let ty = self.canonical(ty);
            self.known
                .iter()
                .any(|(shape, id)| *id == ty && shape[0] == op::TYPE_IMAGE && shape[6] == 1)
        })
    }

    /// Divides the coordinate, and gradients, of a sampling instruction.
    fn sample(&mut self, code: u32, image_type: u32, w: &mut [u32], out: &mut Vec<u32>) {
        self.queries = true;
        let float = self.need(op::TYPE_FLOAT, &[], &[32]);
        let vec2 = self.need(op::TYPE_VECTOR, &[], &[float, 2]);
        let int = self.need(op::TYPE_INT, &[], &[32, 1]);
        let ivec2 = self.need(op::TYPE_VECTOR, &[], &[int, 2]);
        let zero = self.zero();
        let image = self.fresh();
        let size = self.fresh();
        let divisor = self.fresh();
        out.extend([(4 << 16) | op::IMAGE, image_type, image, w[3]]);
        out.extend([(5 << 16) | op::QUERY_SIZE_LOD, ivec2, size, image, zero]);
        out.extend([(4 << 16) | op::CONVERT_S_TO_F, vec2, divisor, size]);
        w[4] = self.divide(w[4], divisor, vec2, out);
        // GLSL has the comparison value between the coordinate and the operands; so has the gather component.
        let has_dref = matches!(code, 89 | op::SAMPLE_DREF_EXPLICIT | 93 | 94 | 96 | 97);
        let mask_at = 5 + usize::from(has_dref);
        if let Some(mask) = w.get(mask_at).copied()
            && mask & GRAD != 0
        {
            let first = mask_at + 1 + (mask & 0x3).count_ones() as usize;
            for at in [first, first + 1] {
                w[at] = self.divide(w[at], divisor, vec2, out);
            }
        }
    }

    /// `value` with its first two components divided.
    fn divide(&mut self, value: u32, divisor: u32, vec2: u32, out: &mut Vec<u32>) -> u32 {
        let ty = self.type_of.get(&value).copied().unwrap_or(vec2);
        let n = self.vectors.get(&ty).copied().unwrap_or(2);
        let mut by = divisor;
        if n > 2 {
            let float = self.need(op::TYPE_FLOAT, &[], &[32]);
            let one = self.need(op::CONSTANT, &[float], &[1.0f32.to_bits()]);
            by = self.fresh();
            out.extend([((2 + n) << 16) | op::COMPOSITE_CONSTRUCT, ty, by, divisor]);
            out.extend((2..n).map(|_| one));
        }
        let quotient = self.fresh();
        out.extend([(5 << 16) | op::F_DIV, ty, quotient, value, by]);
        quotient
    }
}
