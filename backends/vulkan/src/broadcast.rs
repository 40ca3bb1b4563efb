//! `gl_FragColor` with several draw buffers: a fragment module whose output 0 goes to further outputs too. It changes words, no object.
//!
//! GL 4.6 compatibility §15.2.3: "the value written to gl_FragColor is broadcast to all active colour outputs" (paraphrase).
//! Output 0 stays as it is; before each return of the entry point its value is stored to the others.

use pipe::program::spirv::{instructions, literal_string};

const OP_ENTRY_POINT: u32 = 15;
const OP_TYPE_POINTER: u32 = 32;
const OP_FUNCTION: u32 = 54;
const OP_FUNCTION_END: u32 = 56;
const OP_VARIABLE: u32 = 59;
const OP_LOAD: u32 = 61;
const OP_STORE: u32 = 62;
const OP_DECORATE: u32 = 71;
const OP_RETURN: u32 = 253;
const DECORATION_LOCATION: u32 = 30;
const STORAGE_OUTPUT: u32 = 3;

fn op(code: u32, operands: &[u32], out: &mut Vec<u32>) {
    out.push(((operands.len() as u32 + 1) << 16) | code);
    out.extend_from_slice(operands);
}

/// The output variable at location 0, its pointer type and its value's type.
fn output_zero(words: &[u32]) -> Option<(u32, u32, u32)> {
    instructions(words)
        .filter(|(code, w)| {
            *code == OP_DECORATE && w.len() == 4 && w[2] == DECORATION_LOCATION && w[3] == 0
        })
        .find_map(|(_, decorate)| {
            let (_, variable) = instructions(words).find(|(code, w)| {
                *code == OP_VARIABLE && w[2] == decorate[1] && w[3] == STORAGE_OUTPUT
            })?;
            let (_, pointer) = instructions(words)
                .find(|(code, w)| *code == OP_TYPE_POINTER && w[1] == variable[1])?;
            Some((variable[2], variable[1], pointer[3]))
        })
}

/// The module with output 0 stored to `locations` as well. Words without an output 0 come back as they are.
pub fn broadcast(words: &[u32], locations: &[u32]) -> Vec<u32> {
    let Some((variable, pointer, value)) = output_zero(words) else {
        return words.to_vec();
    };
    let entry = instructions(words).find_map(|(code, w)| (code == OP_ENTRY_POINT).then(|| w[2]));
    let mut next = words[3];
    let mut fresh = || {
        next += 1;
        next - 1
    };
    let copies: Vec<(u32, u32)> = locations.iter().map(|l| (*l, fresh())).collect();
    let mut out = words[..5].to_vec();
    let mut in_entry = false;
    for (code, w) in instructions(words) {
        match code {
            OP_ENTRY_POINT => {
                let (_, name_words) = literal_string(&w[3..]);
                let mut operands = w[1..].to_vec();
                debug_assert!(operands.len() >= 2 + name_words);
                operands.extend(copies.iter().map(|(_, id)| *id));
                op(OP_ENTRY_POINT, &operands, &mut out);
                continue;
            }
            OP_FUNCTION => in_entry = Some(w[2]) == entry,
            OP_FUNCTION_END => in_entry = false,
            OP_RETURN if in_entry => {
                let loaded = fresh();
                op(OP_LOAD, &[value, loaded, variable], &mut out);
                for (_, id) in &copies {
                    op(OP_STORE, &[*id, loaded], &mut out);
                }
            }
            _ => {}
        }
        out.extend_from_slice(w);
        if code == OP_DECORATE && w[1] == variable && w[2] == DECORATION_LOCATION {
            for (location, id) in &copies {
                op(
                    OP_DECORATE,
                    &[*id, DECORATION_LOCATION, *location],
                    &mut out,
                );
            }
        }
        if code == OP_VARIABLE && w[2] == variable {
            for (_, id) in &copies {
                op(OP_VARIABLE, &[pointer, *id, STORAGE_OUTPUT], &mut out);
            }
        }
    }
    out[3] = next;
    out
}
