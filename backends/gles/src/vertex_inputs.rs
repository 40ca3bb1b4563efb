//! Arrays of vertex inputs, which ES 3.2 does not have: each becomes a private array and one input per element, copied when the
//! stage starts. It must change no location: an element stays where the array had it.

use pipe::program::spirv;

const OP_NAME: u32 = 5;
const OP_LINE: u32 = 8;
const OP_ENTRY_POINT: u32 = 15;
const OP_TYPE_MATRIX: u32 = 24;
const OP_TYPE_ARRAY: u32 = 28;
const OP_TYPE_POINTER: u32 = 32;
const OP_CONSTANT: u32 = 43;
const OP_FUNCTION: u32 = 54;
const OP_VARIABLE: u32 = 59;
const OP_LOAD: u32 = 61;
const OP_STORE: u32 = 62;
const OP_ACCESS_CHAIN: u32 = 65;
const OP_IN_BOUNDS_ACCESS_CHAIN: u32 = 66;
const OP_DECORATE: u32 = 71;
const OP_MEMBER_DECORATE: u32 = 72;
const OP_LABEL: u32 = 248;
const OP_NO_LINE: u32 = 317;

const DECORATION_LOCATION: u32 = 30;
const STORAGE_INPUT: u32 = 1;
const STORAGE_PRIVATE: u32 = 6;

/// An array that is split.
struct Array {
    variable: u32,
    array_type: u32,
    element_type: u32,
    index_type: u32,
    location: u32,
    /// Locations that one element takes (GL 4.6 §11.1.1: a column of a matrix is one).
    stride: u32,
    /// Its inputs, by element.
    inputs: Vec<u32>,
    /// Constants 0, 1, ... of `index_type`.
    indices: Vec<u32>,
    /// Private pointers to the array and to an element.
    pointer: u32,
    element_pointer: u32,
}

/// Ids given out beyond the module's.
struct Ids(u32);

impl Ids {
    fn next(&mut self) -> u32 {
        self.0 += 1;
        self.0 - 1
    }
}

fn op(out: &mut Vec<u32>, code: u32, operands: &[u32]) {
    out.push(((operands.len() as u32 + 1) << 16) | code);
    out.extend_from_slice(operands);
}

/// The operands of the instruction of kind `code` that defines `id` at operand `at`.
fn find(words: &[u32], code: u32, at: usize, id: u32) -> Option<&[u32]> {
    spirv::instructions(words)
        .find(|(c, w)| *c == code && w.get(at) == Some(&id))
        .map(|(_, w)| w)
}

fn arrays(words: &[u32], ids: &mut Ids) -> Vec<Array> {
    let location = |variable: u32| {
        spirv::instructions(words).find_map(|(code, w)| {
            (code == OP_DECORATE && w.len() == 4 && w[1] == variable && w[2] == DECORATION_LOCATION)
                .then(|| w[3])
        })
    };
    spirv::instructions(words)
        .filter(|(code, w)| *code == OP_VARIABLE && w.len() >= 4 && w[3] == STORAGE_INPUT)
        .filter_map(|(_, w)| {
            let variable = w[2];
            let array_type = *find(words, OP_TYPE_POINTER, 1, w[1])?.get(3)?;
            let array = find(words, OP_TYPE_ARRAY, 1, array_type)?;
            let (element_type, length) = (*array.get(2)?, *array.get(3)?);
            let length = find(words, OP_CONSTANT, 2, length)?;
            let (index_type, count) = (length[1], *length.get(3)?);
            // Arrays of arrays stay: the driver's compiler refuses them by name.
            if find(words, OP_TYPE_ARRAY, 1, element_type).is_some() {
                return None;
            }
            let matrix = find(words, OP_TYPE_MATRIX, 1, element_type);
            Some(Array {
                variable,
                array_type,
                element_type,
                index_type,
                location: location(variable)?,
                stride: matrix.and_then(|m| m.get(3).copied()).unwrap_or(1),
                inputs: (0..count).map(|_| ids.next()).collect(),
                indices: (0..count).map(|_| ids.next()).collect(),
                pointer: ids.next(),
                element_pointer: ids.next(),
            })
        })
        .collect()
}

/// Pointers into the arrays become private as well: `(old pointer type, new pointer type, what it points to)`.
fn private_pointers(words: &[u32], arrays: &[Array], ids: &mut Ids) -> Vec<(u32, u32, u32)> {
    let mut pointers: Vec<(u32, u32, u32)> = Vec::new();
    for (code, w) in spirv::instructions(words) {
        let is_chain = matches!(code, OP_ACCESS_CHAIN | OP_IN_BOUNDS_ACCESS_CHAIN);
        if is_chain
            && arrays.iter().any(|array| w.get(3) == Some(&array.variable))
            && pointers.iter().all(|(old, _, _)| *old != w[1])
            && let Some(pointer) = find(words, OP_TYPE_POINTER, 1, w[1])
        {
            pointers.push((w[1], ids.next(), pointer[3]));
        }
    }
    pointers
}

/// Splits the arrays among a vertex stage's inputs. A stage without one comes back unchanged.
pub fn split_arrays(words: &[u32]) -> Vec<u32> {
    let Some(bound) = words.get(3) else {
        return words.to_vec();
    };
    let mut ids = Ids(*bound);
    let arrays = arrays(words, &mut ids);
    if arrays.is_empty() {
        return words.to_vec();
    }
    let of = |variable: u32| arrays.iter().find(|array| array.variable == variable);
    let pointers = private_pointers(words, &arrays, &mut ids);
    let mut out = words[..5].to_vec();
    let (mut named, mut declared) = (false, false);
    let (mut entry, mut in_entry, mut copied) = (0, false, false);
    for (code, w) in spirv::instructions(words) {
        if !named && (matches!(code, OP_DECORATE | OP_MEMBER_DECORATE) || (19..=39).contains(&code))
        {
            name(&mut out, &arrays);
            named = true;
        }
        if code == OP_FUNCTION && !declared {
            declare(&mut out, &arrays, &pointers, &mut ids);
            declared = true;
        }
        if in_entry
            && !copied
            && !matches!(
                code,
                OP_FUNCTION | OP_LABEL | OP_VARIABLE | OP_LINE | OP_NO_LINE
            )
        {
            copy(&mut out, &arrays, &mut ids);
            copied = true;
        }
        match code {
            OP_ENTRY_POINT => {
                entry = w[2];
                let (_, name) = spirv::literal_string(&w[3..]);
                let mut operands = w[1..3 + name].to_vec();
                for id in &w[3 + name..] {
                    match of(*id) {
                        Some(array) => operands.extend(&array.inputs),
                        None => operands.push(*id),
                    }
                }
                op(&mut out, OP_ENTRY_POINT, &operands);
            }
            OP_DECORATE if of(w[1]).is_some() => {}
            OP_VARIABLE if of(w[2]).is_some() => {}
            OP_ACCESS_CHAIN | OP_IN_BOUNDS_ACCESS_CHAIN if of(w[3]).is_some() => {
                let at = out.len();
                out.extend_from_slice(w);
                if let Some((_, new, _)) = pointers.iter().find(|(old, _, _)| *old == w[1]) {
                    out[at + 1] = *new;
                }
            }
            _ => {
                in_entry |= code == OP_FUNCTION && w[2] == entry;
                out.extend_from_slice(w);
            }
        }
    }
    out[3] = ids.0;
    out
}

/// Names and locations of the inputs.
fn name(out: &mut Vec<u32>, arrays: &[Array]) {
    let inputs = || {
        arrays.iter().flat_map(|array| {
            let located = array.inputs.iter().zip(0..);
            located.map(|(input, i)| (*input, array.location + i * array.stride))
        })
    };
    for (input, location) in inputs() {
        let mut operands = vec![input];
        let text = format!("mobilegl_input{location}\0");
        operands.extend(text.as_bytes().chunks(4).map(|chunk| {
            let mut word = [0; 4];
            word[..chunk.len()].copy_from_slice(chunk);
            u32::from_le_bytes(word)
        }));
        op(out, OP_NAME, &operands);
    }
    for (input, location) in inputs() {
        op(out, OP_DECORATE, &[input, DECORATION_LOCATION, location]);
    }
}

/// Types, constants and variables, where every type that they need stands already.
fn declare(out: &mut Vec<u32>, arrays: &[Array], pointers: &[(u32, u32, u32)], ids: &mut Ids) {
    for (_, new, pointee) in pointers {
        op(out, OP_TYPE_POINTER, &[*new, STORAGE_PRIVATE, *pointee]);
    }
    for array in arrays {
        op(
            out,
            OP_TYPE_POINTER,
            &[array.pointer, STORAGE_PRIVATE, array.array_type],
        );
        op(
            out,
            OP_TYPE_POINTER,
            &[array.element_pointer, STORAGE_PRIVATE, array.element_type],
        );
        op(
            out,
            OP_VARIABLE,
            &[array.pointer, array.variable, STORAGE_PRIVATE],
        );
        let input_type = ids.next();
        op(
            out,
            OP_TYPE_POINTER,
            &[input_type, STORAGE_INPUT, array.element_type],
        );
        for (i, (input, index)) in (0..).zip(array.inputs.iter().zip(&array.indices)) {
            op(out, OP_VARIABLE, &[input_type, *input, STORAGE_INPUT]);
            op(out, OP_CONSTANT, &[array.index_type, *index, i]);
        }
    }
}

/// The elements into their arrays.
fn copy(out: &mut Vec<u32>, arrays: &[Array], ids: &mut Ids) {
    for array in arrays {
        for (input, index) in array.inputs.iter().zip(&array.indices) {
            let (value, element) = (ids.next(), ids.next());
            op(out, OP_LOAD, &[array.element_type, value, *input]);
            op(
                out,
                OP_ACCESS_CHAIN,
                &[array.element_pointer, element, array.variable, *index],
            );
            op(out, OP_STORE, &[element, value]);
        }
    }
}
