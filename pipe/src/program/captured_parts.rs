//! Captured parts of outputs: one element of an array, a member of one block of an array. SPIR-V decorates whole variables and members
//! only, so each part gets an output of its own, which the stage copies to where a vertex leaves it. It must not touch a stage without parts.

use std::collections::HashMap;

use super::spirv::{
    OP_CONSTANT, OP_DECORATE, OP_ENTRY_POINT, OP_FUNCTION, OP_MEMBER_DECORATE, OP_NAME,
    OP_TYPE_POINTER, OP_VARIABLE, STORAGE_OUTPUT, capture_decorations, instructions,
    literal_string, op,
};
use super::{XfbInfo, XfbVarying};

const OP_TYPE_INT: u32 = 21;
const OP_TYPE_FLOAT: u32 = 22;
const OP_TYPE_VECTOR: u32 = 23;
const OP_TYPE_MATRIX: u32 = 24;
const OP_TYPE_ARRAY: u32 = 28;
const OP_TYPE_STRUCT: u32 = 30;
const OP_LOAD: u32 = 61;
const OP_STORE: u32 = 62;
const OP_ACCESS_CHAIN: u32 = 65;
const OP_EMIT_VERTEX: u32 = 218;
const OP_EMIT_STREAM_VERTEX: u32 = 220;
const OP_RETURN: u32 = 253;
const DECORATION_LOCATION: u32 = 30;
const EXECUTION_MODEL_GEOMETRY: u32 = 3;

/// What the declarations of a module say of its outputs.
struct Outputs<'a> {
    names: Vec<(u32, String)>,
    /// By id: the instruction that declares a type or a constant.
    declared: HashMap<u32, (u32, &'a [u32])>,
    /// (variable, its type).
    variables: Vec<(u32, u32)>,
}

impl<'a> Outputs<'a> {
    fn of(words: &'a [u32]) -> Self {
        let mut out = Self {
            names: Vec::new(),
            declared: HashMap::new(),
            variables: Vec::new(),
        };
        for (code, w) in instructions(words) {
            match code {
                OP_NAME if w.len() > 2 => out.names.push((w[1], literal_string(&w[2..]).0)),
                19..=39 => {
                    out.declared.insert(w[1], (code, w));
                }
                OP_CONSTANT => {
                    out.declared.insert(w[2], (code, w));
                }
                OP_VARIABLE if w[3] == STORAGE_OUTPUT => {
                    if let Some((OP_TYPE_POINTER, pointer)) = out.declared.get(&w[1]) {
                        out.variables.push((w[2], pointer[3]));
                    }
                }
                _ => {}
            }
        }
        out
    }

    fn element(&self, ty: u32) -> Option<u32> {
        let (code, w) = self.declared.get(&ty)?;
        (*code == OP_TYPE_ARRAY).then(|| w[2])
    }

    /// The variable that is called so, or whose block type is.
    fn called(&self, name: &str) -> Option<(u32, u32)> {
        let is = |id: u32| self.names.iter().any(|(i, n)| *i == id && n == name);
        let found = self
            .variables
            .iter()
            .find(|(id, ty)| is(*id) || is(*ty) || self.element(*ty).is_some_and(is));
        found.copied()
    }

    /// The type at the end of the indices.
    fn part(&self, mut ty: u32, indices: &[u32]) -> Option<u32> {
        for index in indices {
            let (code, w) = self.declared.get(&ty)?;
            ty = match *code {
                OP_TYPE_ARRAY => w[2],
                OP_TYPE_STRUCT => *w.get(2 + *index as usize)?,
                _ => return None,
            };
        }
        Some(ty)
    }

    /// Locations that an output of the type takes (no output of a captured stage is wider than 32 bits a component).
    fn locations(&self, ty: u32) -> u32 {
        match self.declared.get(&ty) {
            Some((OP_TYPE_ARRAY, w)) => {
                let len = self.declared.get(&w[3]).map_or(1, |(_, c)| c[3]);
                len.saturating_mul(self.locations(w[2]))
            }
            Some((OP_TYPE_MATRIX, w)) => w[3],
            Some((OP_TYPE_STRUCT, w)) => w[2..].iter().map(|ty| self.locations(*ty)).sum(),
            Some((OP_TYPE_INT | OP_TYPE_FLOAT | OP_TYPE_VECTOR, _)) => 1,
            _ => 0,
        }
    }

    /// The first location that no output has, nor anything after it.
    fn free_location(&self, words: &[u32]) -> u32 {
        let mut free = 0;
        for (code, w) in instructions(words) {
            let end = match (code, w) {
                (OP_DECORATE, &[_, id, DECORATION_LOCATION, at]) => {
                    let variable = self.variables.iter().find(|(v, _)| *v == id);
                    variable.map(|(_, ty)| at + self.locations(*ty))
                }
                (OP_MEMBER_DECORATE, &[_, id, member, DECORATION_LOCATION, at]) => {
                    let of = self.variables.iter().find_map(|(_, ty)| {
                        let block = self.element(*ty).unwrap_or(*ty);
                        // Of an array of blocks, each has its own locations.
                        let all = self.locations(*ty).checked_sub(self.locations(block));
                        (block == id).then_some(all?)
                    });
                    let member = self.part(id, &[member]).map(|ty| self.locations(ty));
                    of.zip(member).map(|(rest, own)| at + own + rest)
                }
                _ => None,
            };
            free = free.max(end.unwrap_or(0));
        }
        free
    }
}

/// The stage with an output for each captured part, decorated and written. Unchanged where no part is captured.
pub(super) fn with_captured_parts(words: &[u32], xfb: &XfbInfo) -> Vec<u32> {
    let wanted: Vec<&XfbVarying> = xfb.varyings.iter().filter(|v| !v.part.is_empty()).collect();
    let entry = instructions(words).find(|(code, _)| *code == OP_ENTRY_POINT);
    let (Some((_, entry)), false) = (entry, wanted.is_empty()) else {
        return words.to_vec();
    };
    let (geometry, main) = (entry[1] == EXECUTION_MODEL_GEOMETRY, entry[2]);
    let outputs = Outputs::of(words);
    let mut bound = words[3];
    let mut id = || {
        bound += 1;
        bound - 1
    };
    let int = outputs
        .declared
        .iter()
        .find_map(|(id, (code, w))| (*code == OP_TYPE_INT && w[2] == 32).then_some(*id));
    let (mut decorations, mut declarations) = (Vec::new(), Vec::new());
    let int_type = int.unwrap_or_else(|| {
        let new = id();
        declarations.extend(op(OP_TYPE_INT, &[new, 32, 0]));
        new
    });
    let mut location = outputs.free_location(words);
    // (type, pointer type, from, indices, to)
    let mut copies = Vec::new();
    for v in wanted {
        let Some((variable, whole)) = outputs.called(&v.variable) else {
            continue;
        };
        let Some(ty) = outputs.part(whole, &v.part) else {
            continue;
        };
        let indices: Vec<u32> = v
            .part
            .iter()
            .map(|index| {
                let constant = id();
                declarations.extend(op(OP_CONSTANT, &[int_type, constant, *index]));
                constant
            })
            .collect();
        let (pointer, to) = (id(), id());
        declarations.extend(op(OP_TYPE_POINTER, &[pointer, STORAGE_OUTPUT, ty]));
        declarations.extend(op(OP_VARIABLE, &[pointer, to, STORAGE_OUTPUT]));
        decorations.extend(op(OP_DECORATE, &[to, DECORATION_LOCATION, location]));
        location += outputs.locations(ty);
        for (decoration, value) in capture_decorations(v, xfb) {
            decorations.extend(op(OP_DECORATE, &[to, decoration, value]));
        }
        copies.push((ty, pointer, variable, indices, to));
    }
    let mut out = words[..5].to_vec();
    let mut function = 0;
    for (code, w) in instructions(words) {
        let types = (19..=39).contains(&code) || code == OP_FUNCTION;
        if types {
            out.append(&mut decorations);
        }
        if code == OP_FUNCTION {
            out.append(&mut declarations);
            function = w[2];
        }
        let leaves = match code {
            OP_RETURN => !geometry && function == main,
            OP_EMIT_VERTEX | OP_EMIT_STREAM_VERTEX => geometry,
            _ => false,
        };
        if leaves {
            for (ty, pointer, from, indices, to) in &copies {
                let (at, value) = (id(), id());
                let chain = [&[*pointer, at, *from], &indices[..]].concat();
                out.extend(op(OP_ACCESS_CHAIN, &chain));
                out.extend(op(OP_LOAD, &[*ty, value, at]));
                out.extend(op(OP_STORE, &[*to, value]));
            }
        }
        if code == OP_ENTRY_POINT {
            let mut operands = w[1..].to_vec();
            operands.extend(copies.iter().map(|(_, _, _, _, to)| *to));
            out.extend(op(OP_ENTRY_POINT, &operands));
        } else {
            out.extend_from_slice(w);
        }
    }
    out[3] = bound;
    out
}
