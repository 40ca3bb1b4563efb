//! Patches of a linked stage's SPIR-V words that a backend applies before its driver sees them.
//! It must never accept words that did not come out of a program artifact as proof of anything: damaged input comes back as is.

use super::{XfbInfo, XfbVarying};

pub(super) const OP_NAME: u32 = 5;
const OP_EXECUTION_MODE: u32 = 16;
pub(super) const OP_ENTRY_POINT: u32 = 15;
const OP_CAPABILITY: u32 = 17;
pub(super) const OP_TYPE_POINTER: u32 = 32;
pub(super) const OP_CONSTANT: u32 = 43;
pub(super) const OP_FUNCTION: u32 = 54;
pub(super) const OP_VARIABLE: u32 = 59;
pub(super) const OP_DECORATE: u32 = 71;
pub(super) const OP_MEMBER_DECORATE: u32 = 72;

const DECORATION_BUILT_IN: u32 = 11;
const DECORATION_STREAM: u32 = 29;
const DECORATION_OFFSET: u32 = 35;
const DECORATION_XFB_BUFFER: u32 = 36;
const DECORATION_XFB_STRIDE: u32 = 37;
const BUILT_IN_BASE_INSTANCE: u32 = 4425;
const CAPABILITY_TRANSFORM_FEEDBACK: u32 = 53;
const CAPABILITY_GEOMETRY_STREAMS: u32 = 54;
const CAPABILITY_DRAW_PARAMETERS: u32 = 4427;
const EXECUTION_MODE_XFB: u32 = 11;
const STORAGE_INPUT: u32 = 1;
pub(super) const STORAGE_OUTPUT: u32 = 3;
const STORAGE_PRIVATE: u32 = 6;

/// The instructions of a module: `(opcode, words including the first)`.
pub fn instructions(words: &[u32]) -> impl Iterator<Item = (u32, &[u32])> {
    let mut rest = words.get(5..).unwrap_or(&[]);
    std::iter::from_fn(move || {
        let first = *rest.first()?;
        let len = (first >> 16) as usize;
        if len == 0 || len > rest.len() {
            return None;
        }
        let (this, next) = rest.split_at(len);
        rest = next;
        Some((first & 0xffff, this))
    })
}

/// The literal string that starts at `words[0]`, and how many words it takes.
pub fn literal_string(words: &[u32]) -> (String, usize) {
    let mut bytes = Vec::new();
    for (i, word) in words.iter().enumerate() {
        for b in word.to_le_bytes() {
            if b == 0 {
                return (String::from_utf8_lossy(&bytes).into_owned(), i + 1);
            }
            bytes.push(b);
        }
    }
    (String::from_utf8_lossy(&bytes).into_owned(), words.len())
}

pub(super) fn op(code: u32, operands: &[u32]) -> Vec<u32> {
    let mut out = vec![((operands.len() as u32 + 1) << 16) | code];
    out.extend_from_slice(operands);
    out
}

/// Makes BaseInstance the constant 0, for targets where the instance index starts at 0 or that have no such built-in.
/// A module without BaseInstance comes back unchanged.
pub fn without_base_instance(words: &[u32]) -> Vec<u32> {
    let built_in = |b: u32| {
        instructions(words).find_map(|(code, w)| {
            (code == OP_DECORATE && w.len() == 4 && w[2] == DECORATION_BUILT_IN && w[3] == b)
                .then(|| w[1])
        })
    };
    let Some(var) = built_in(BUILT_IN_BASE_INSTANCE) else {
        return words.to_vec();
    };
    // Other draw parameters keep the capability.
    let others = built_in(4424).is_some() || built_in(4426).is_some();
    let pointer = instructions(words)
        .find_map(|(code, w)| (code == OP_VARIABLE && w[2] == var).then(|| w[1]));
    let value_type = instructions(words).find_map(|(code, w)| {
        (code == OP_TYPE_POINTER && Some(w[1]) == pointer && w[2] == STORAGE_INPUT).then(|| w[3])
    });
    let Some(value_type) = value_type else {
        return words.to_vec();
    };
    let (zero, private) = (words[3], words[3] + 1);
    let mut out = words[..5].to_vec();
    out[3] += 2;
    for (code, w) in instructions(words) {
        match code {
            OP_CAPABILITY if w[1] == CAPABILITY_DRAW_PARAMETERS && !others => {}
            OP_NAME | OP_DECORATE if w[1] == var => {}
            OP_ENTRY_POINT => {
                let (_, n) = literal_string(&w[3..]);
                let mut operands = w[1..3 + n].to_vec();
                operands.extend(w[3 + n..].iter().filter(|id| **id != var));
                out.extend(op(OP_ENTRY_POINT, &operands));
            }
            OP_VARIABLE if w[2] == var => {
                out.extend(op(OP_CONSTANT, &[value_type, zero, 0]));
                out.extend(op(OP_TYPE_POINTER, &[private, STORAGE_PRIVATE, value_type]));
                out.extend(op(OP_VARIABLE, &[private, var, STORAGE_PRIVATE, zero]));
            }
            _ => out.extend_from_slice(w),
        }
    }
    out
}

/// What says where a captured output goes: decorations with their values.
pub(super) fn capture_decorations(v: &XfbVarying, xfb: &XfbInfo) -> Vec<(u32, u32)> {
    let stride = xfb.strides[v.buffer as usize & 3];
    let stream = xfb.streams[v.buffer as usize & 3];
    let mut values = vec![
        (DECORATION_XFB_BUFFER, v.buffer),
        (DECORATION_XFB_STRIDE, stride),
        (DECORATION_OFFSET, v.offset),
    ];
    if stream != 0 {
        values.push((DECORATION_STREAM, stream));
    }
    values
}

/// Decorates the captured outputs of the last vertex-processing stage for `VK_EXT_transform_feedback`.
/// Unchanged where nothing is captured.
pub fn with_transform_feedback(words: &[u32], xfb: &XfbInfo) -> Vec<u32> {
    if xfb.varyings.is_empty() || words.len() < 5 {
        return words.to_vec();
    }
    let words = &super::captured_parts::with_captured_parts(words, xfb)[..];
    let names: Vec<(u32, String)> = instructions(words)
        .filter(|(code, w)| *code == OP_NAME && w.len() > 2)
        .map(|(_, w)| (w[1], literal_string(&w[2..]).0))
        .collect();
    // Output objects: (variable, what its pointer points to, through one array level for block arrays).
    let outputs: Vec<(u32, u32)> = instructions(words)
        .filter(|(code, w)| *code == OP_VARIABLE && w[3] == STORAGE_OUTPUT)
        .filter_map(|(_, w)| {
            instructions(words).find_map(|(code, t)| {
                (code == OP_TYPE_POINTER && t[1] == w[1]).then(|| (w[2], t[3]))
            })
        })
        .collect();
    let named = |id: u32, name: &str| names.iter().any(|(i, n)| *i == id && n == name);
    let mut decorations = Vec::new();
    for v in xfb
        .varyings
        .iter()
        .filter(|v| !v.variable.is_empty() && v.part.is_empty())
    {
        for (decoration, value) in capture_decorations(v, xfb) {
            match v.member {
                None => {
                    if let Some((id, _)) = outputs.iter().find(|(id, _)| named(*id, &v.variable)) {
                        decorations.extend(op(OP_DECORATE, &[*id, decoration, value]));
                    }
                }
                Some(member) => {
                    if let Some((_, ty)) = outputs.iter().find(|(_, ty)| named(*ty, &v.variable)) {
                        decorations
                            .extend(op(OP_MEMBER_DECORATE, &[*ty, member, decoration, value]));
                    }
                }
            }
        }
    }
    let streams = xfb.streams.iter().any(|s| *s != 0);
    let mut out = words[..5].to_vec();
    let mut capability_done = false;
    let mut mode_done = false;
    let mut decorations_done = false;
    for (code, w) in instructions(words) {
        if !capability_done {
            out.extend(op(OP_CAPABILITY, &[CAPABILITY_TRANSFORM_FEEDBACK]));
            if streams
                && !instructions(words)
                    .any(|(c, w)| c == OP_CAPABILITY && w[1] == CAPABILITY_GEOMETRY_STREAMS)
            {
                out.extend(op(OP_CAPABILITY, &[CAPABILITY_GEOMETRY_STREAMS]));
            }
            capability_done = true;
        }
        // Decorations come after names and before types; any decoration or type is late enough for ours.
        if !decorations_done
            && (code == OP_DECORATE
                || code == OP_MEMBER_DECORATE
                || (19..=39).contains(&code)
                || code == OP_FUNCTION)
        {
            out.append(&mut decorations);
            decorations_done = true;
        }
        out.extend_from_slice(w);
        if code == OP_ENTRY_POINT && !mode_done {
            out.extend(op(OP_EXECUTION_MODE, &[w[2], EXECUTION_MODE_XFB]));
            mode_done = true;
        }
    }
    out
}
