//! Removes code whose results nobody reads, so that "active" means what it means to drivers: an attribute or uniform that
//! only feeds a varying which the next stage ignores is gone.
//! It must not remove anything with an effect outside the invocation, and leaves control flow as it is.

use pipe::program::spirv::instructions;
use rustc_hash::{FxHashMap, FxHashSet};

mod op {
    pub const NAME: u32 = 5;
    pub const EXT_INST: u32 = 12;
    pub const FUNCTION: u32 = 54;
    pub const FUNCTION_PARAMETER: u32 = 55;
    pub const FUNCTION_END: u32 = 56;
    pub const FUNCTION_CALL: u32 = 57;
    pub const VARIABLE: u32 = 59;
    pub const STORE: u32 = 62;
    pub const COPY_MEMORY: u32 = 63;
    pub const ACCESS_CHAIN: u32 = 65;
    pub const IN_BOUNDS_ACCESS_CHAIN: u32 = 66;
    pub const DECORATE: u32 = 71;
    pub const VECTOR_SHUFFLE: u32 = 79;
    pub const COMPOSITE_EXTRACT: u32 = 81;
    pub const COMPOSITE_INSERT: u32 = 82;
    pub const COPY_OBJECT: u32 = 83;
    pub const LABEL: u32 = 248;
}

const PRIVATE: u32 = 6;
const FUNCTION: u32 = 7;

/// What an instruction of a function body is to this pass.
enum Role<'a> {
    /// Computes `result` from `uses`, with no other effect.
    Pure { result: u32, uses: &'a [u32] },
    /// Writes through `pointer`.
    Store { pointer: u32, uses: &'a [u32] },
    /// Stays, and so does what it uses.
    Effect { uses: &'a [u32] },
}

fn role<'a>(code: u32, w: &'a [u32]) -> Role<'a> {
    match code {
        op::STORE | op::COPY_MEMORY => Role::Store {
            pointer: w[1],
            uses: &w[1..3],
        },
        op::VARIABLE => Role::Pure {
            result: w[2],
            uses: &w[4..],
        },
        op::EXT_INST => Role::Pure {
            result: w[2],
            uses: &w[5..],
        },
        op::COMPOSITE_EXTRACT => Role::Pure {
            result: w[2],
            uses: &w[3..4],
        },
        op::COMPOSITE_INSERT | op::VECTOR_SHUFFLE => Role::Pure {
            result: w[2],
            uses: &w[3..5],
        },
        op::FUNCTION | op::FUNCTION_PARAMETER | op::FUNCTION_END | op::LABEL => {
            Role::Effect { uses: &[] }
        }
        op::FUNCTION_CALL => Role::Effect { uses: &w[3..] },
        // Loads, access chains, image reads and samples, arithmetic, conversions, comparisons, derivatives, phis.
        1
        | 60
        | 61
        | op::ACCESS_CHAIN
        | op::IN_BOUNDS_ACCESS_CHAIN
        | 68
        | 77
        | 78
        | 80
        | op::COPY_OBJECT
        | 84
        | 86..=98
        | 100..=107
        | 109..=215
        | 245 => Role::Pure {
            result: w[2],
            uses: w.get(3..).unwrap_or(&[]),
        },
        _ => Role::Effect { uses: &w[1..] },
    }
}

/// The module without its dead code. Writes to `ignored` outputs count only where the stage itself reads them back.
pub fn eliminate(words: &[u32], ignored: &FxHashSet<u32>) -> Vec<u32> {
    let all: Vec<(u32, &[u32])> = instructions(words).collect();
    let first_function = all
        .iter()
        .position(|(code, _)| *code == op::FUNCTION)
        .unwrap_or(all.len());
    let body = &all[first_function..];

    // Where each pointer leads, and which variables only this invocation sees.
    let mut base: FxHashMap<u32, u32> = FxHashMap::default();
    let mut local: FxHashSet<u32> = ignored.clone();
    for (code, w) in &all {
        match *code {
            op::VARIABLE if matches!(w[3], PRIVATE | FUNCTION) => {
                local.insert(w[2]);
            }
            op::ACCESS_CHAIN | op::IN_BOUNDS_ACCESS_CHAIN | op::COPY_OBJECT => {
                let root = base.get(&w[3]).copied().unwrap_or(w[3]);
                base.insert(w[2], root);
            }
            _ => {}
        }
    }

    let mut makes: FxHashMap<u32, usize> = FxHashMap::default();
    let mut waiting: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    let mut live: FxHashSet<u32> = FxHashSet::default();
    let mut keep = vec![false; body.len()];
    let mut work: Vec<u32> = Vec::new();
    for (i, (code, w)) in body.iter().enumerate() {
        match role(*code, w) {
            Role::Pure { result, .. } => {
                makes.insert(result, i);
            }
            Role::Store { pointer, uses } => {
                let root = base.get(&pointer).copied().unwrap_or(pointer);
                if local.contains(&root) {
                    waiting.entry(root).or_default().push(i);
                } else {
                    keep[i] = true;
                    work.extend_from_slice(uses);
                }
            }
            Role::Effect { uses } => {
                keep[i] = true;
                work.extend_from_slice(uses);
            }
        }
    }
    while let Some(id) = work.pop() {
        if !live.insert(id) {
            continue;
        }
        if let Some(&i) = makes.get(&id) {
            keep[i] = true;
            if let Role::Pure { uses, .. } = role(body[i].0, body[i].1) {
                work.extend_from_slice(uses);
            }
        }
        for i in waiting.remove(&id).unwrap_or_default() {
            keep[i] = true;
            if let Role::Store { uses, .. } = role(body[i].0, body[i].1) {
                work.extend_from_slice(uses);
            }
        }
    }

    let gone: FxHashSet<u32> = body
        .iter()
        .zip(&keep)
        .filter(|(_, keep)| !**keep)
        .filter_map(|((code, w), _)| match role(*code, w) {
            Role::Pure { result, .. } => Some(result),
            Role::Store { .. } | Role::Effect { .. } => None,
        })
        .collect();
    let mut out = words[..5].to_vec();
    for (i, (code, w)) in all.iter().enumerate() {
        let kept = match i.checked_sub(first_function) {
            None => !(matches!(*code, op::NAME | op::DECORATE) && gone.contains(&w[1])),
            Some(i) => keep[i],
        };
        if kept {
            out.extend_from_slice(w);
        }
    }
    out
}
