//! Clip distances that are not enabled: Vulkan clips by every element of `gl_ClipDistance` that the last vertex stage writes, GL only by
//! those whose `GL_CLIP_DISTANCEi` is on (GL 4.6 core §13.7, "Primitive Clipping"). The others are set to 0, which is inside, when the
//! stage is done with a vertex. It changes words, no object.

use pipe::program::spirv::instructions;

const OP_TYPE_INT: u32 = 21;
const OP_TYPE_ARRAY: u32 = 28;
const OP_TYPE_STRUCT: u32 = 30;
const OP_TYPE_POINTER: u32 = 32;
const OP_ENTRY_POINT: u32 = 15;
const OP_CONSTANT: u32 = 43;
const OP_FUNCTION: u32 = 54;
const OP_FUNCTION_END: u32 = 56;
const OP_VARIABLE: u32 = 59;
const OP_STORE: u32 = 62;
const OP_ACCESS_CHAIN: u32 = 65;
const OP_IN_BOUNDS_ACCESS_CHAIN: u32 = 66;
const OP_MEMBER_DECORATE: u32 = 72;
const OP_EMIT_VERTEX: u32 = 218;
const OP_EMIT_STREAM_VERTEX: u32 = 220;
const OP_RETURN: u32 = 253;
const DECORATION_BUILT_IN: u32 = 11;
const BUILT_IN_CLIP_DISTANCE: u32 = 3;
const STORAGE_OUTPUT: u32 = 3;
const GEOMETRY: u32 = 3;

fn op(code: u32, operands: &[u32], out: &mut Vec<u32>) {
    out.push(((operands.len() as u32 + 1) << 16) | code);
    out.extend_from_slice(operands);
}

/// Where the distances are.
struct Distances {
    /// The block's variable and the member's number in it.
    variable: u32,
    member: u32,
    /// The type of an element and how many there are.
    float: u32,
    length: u32,
}

fn constant(words: &[u32], id: u32) -> Option<u32> {
    instructions(words)
        .find(|(code, w)| *code == OP_CONSTANT && w[2] == id)
        .map(|(_, w)| w[3])
}

/// The distances that the module writes; `None`: it writes none.
fn find(words: &[u32]) -> Option<Distances> {
    let find = |code: u32, is: &dyn Fn(&[u32]) -> bool| {
        instructions(words)
            .find(|(c, w)| *c == code && is(w))
            .map(|(_, w)| w.to_vec())
    };
    instructions(words)
        .filter(|(code, w)| {
            *code == OP_MEMBER_DECORATE && w[3..] == [DECORATION_BUILT_IN, BUILT_IN_CLIP_DISTANCE]
        })
        .find_map(|(_, decorate)| {
            let (block, member) = (decorate[1], decorate[2]);
            let pointer = find(OP_TYPE_POINTER, &|w| {
                w[2] == STORAGE_OUTPUT && w[3] == block
            })?;
            let variable = find(OP_VARIABLE, &|w| w[1] == pointer[1])?[2];
            // A block has the member whether it is written or not.
            let written = instructions(words).any(|(code, w)| {
                matches!(code, OP_ACCESS_CHAIN | OP_IN_BOUNDS_ACCESS_CHAIN)
                    && w[3] == variable
                    && w.get(4).and_then(|id| constant(words, *id)) == Some(member)
            });
            let members = find(OP_TYPE_STRUCT, &|w| w[1] == block)?;
            let array = *members.get(2 + member as usize).filter(|_| written)?;
            let array = find(OP_TYPE_ARRAY, &|w| w[1] == array)?;
            Some(Distances {
                variable,
                member,
                float: array[2],
                length: constant(words, array[3])?,
            })
        })
}

/// The module of a last vertex stage that clips by the elements in `enabled` alone. `None`: it does already.
pub fn only_enabled(words: &[u32], enabled: u32) -> Option<Vec<u32>> {
    let found = find(words)?;
    let off: Vec<u32> = (0..found.length)
        .filter(|i| enabled >> i & 1 == 0)
        .collect();
    if off.is_empty() {
        return None;
    }
    let (_, entry) = instructions(words).find(|(code, _)| *code == OP_ENTRY_POINT)?;
    let (is_geometry, entry) = (entry[1] == GEOMETRY, entry[2]);
    let (_, int) = instructions(words).find(|(code, w)| *code == OP_TYPE_INT && w[2] == 32)?;
    let pointer = instructions(words).find(|(code, w)| {
        *code == OP_TYPE_POINTER && w[2] == STORAGE_OUTPUT && w[3] == found.float
    });
    let mut next = words[3];
    let mut fresh = || {
        next += 1;
        next - 1
    };
    let (zero, member) = (fresh(), fresh());
    let elements: Vec<u32> = off.iter().map(|_| fresh()).collect();
    let mut declarations = Vec::new();
    let pointer = match pointer {
        Some((_, w)) => w[1],
        None => {
            let id = fresh();
            let operands = [id, STORAGE_OUTPUT, found.float];
            op(OP_TYPE_POINTER, &operands, &mut declarations);
            id
        }
    };
    op(OP_CONSTANT, &[found.float, zero, 0], &mut declarations);
    op(
        OP_CONSTANT,
        &[int[1], member, found.member],
        &mut declarations,
    );
    for (element, id) in off.iter().zip(&elements) {
        op(OP_CONSTANT, &[int[1], *id, *element], &mut declarations);
    }
    let mut out = words[..5].to_vec();
    let mut in_entry = false;
    for (code, w) in instructions(words) {
        let done = match code {
            OP_FUNCTION => {
                out.append(&mut declarations);
                in_entry = w[2] == entry;
                false
            }
            OP_FUNCTION_END => {
                in_entry = false;
                false
            }
            OP_RETURN => in_entry && !is_geometry,
            OP_EMIT_VERTEX | OP_EMIT_STREAM_VERTEX => true,
            _ => false,
        };
        if done {
            for element in &elements {
                let place = fresh();
                let chain = [pointer, place, found.variable, member, *element];
                op(OP_ACCESS_CHAIN, &chain, &mut out);
                op(OP_STORE, &[place, zero], &mut out);
            }
        }
        out.extend_from_slice(w);
    }
    out[3] = next;
    Some(out)
}
