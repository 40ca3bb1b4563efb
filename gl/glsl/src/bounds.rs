//! What is refused for its sheer size, before the compiler sees it: the compiler recurses along trees and loops over locations,
//! and it lives in the application's process. It must not refuse what a person or a generator in use has written.

use rustc_hash::FxHashMap;

use crate::lex::{Kind, Token};
use crate::log::Log;
use crate::scan::Member;

/// Brackets in brackets.
const MAX_NESTING: usize = 512;
/// Operators in one expression without a separator: each may be one level of a tree.
const MAX_CHAIN: usize = 10_000;
/// `[2][2][2]...`
const MAX_DIMENSIONS: usize = 16;
/// The length of any array, and the size of any index.
const MAX_LENGTH: u64 = 1 << 24;
/// Basic values in one variable at global scope.
pub const MAX_VALUES: u64 = 1 << 20;
/// Elements of an array of interface variables.
pub const MAX_INTERFACE: u64 = 1 << 12;
/// Elements of an array of samplers, images or blocks.
pub const MAX_DESCRIPTORS: u32 = 1 << 10;
/// Descriptor bindings and uniform locations that a source may name.
pub const MAX_BINDING: u32 = 1 << 16;

/// Looks at the whole token list once.
pub fn check(tokens: &[Token], log: &mut Log) {
    let mut depth = 0usize;
    let mut chain = 0usize;
    let mut dimensions = 0usize;
    for (i, t) in tokens.iter().enumerate() {
        match &*t.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_NESTING {
            return log.error(t, "nested too deeply");
        }
        match &*t.text {
            ";" | "{" | "}" | "," => chain = 0,
            _ if t.kind == Kind::Punct && !matches!(&*t.text, "(" | ")" | "[" | "]") => chain += 1,
            "else" | "if" | "for" | "while" | "do" | "switch" => chain += 1,
            _ => {}
        }
        if chain > MAX_CHAIN {
            return log.error(t, "the expression is too long");
        }
        let follows = i > 0 && tokens[i - 1].is("]");
        match &*t.text {
            "[" if follows => dimensions += 1,
            "[" => dimensions = 1,
            _ => {}
        }
        if dimensions > MAX_DIMENSIONS && t.is("[") {
            return log.error(t, "too many array dimensions");
        }
        let bracketed =
            i > 0 && tokens[i - 1].is("[") && tokens.get(i + 1).is_some_and(|n| n.is("]"));
        if bracketed
            && t.kind == Kind::Number
            && crate::expression::integer(&t.text).is_some_and(|v| v as u64 > MAX_LENGTH)
        {
            return log.error(t, "array size or index is too large");
        }
    }
}

/// Basic values in one value of type `ty`: counts through structures, saturating.
pub fn values(structs: &FxHashMap<String, Vec<Member>>, ty: &str) -> u64 {
    let mut known = FxHashMap::default();
    count(structs, ty, &mut known, 0)
}

fn count<'a>(
    structs: &'a FxHashMap<String, Vec<Member>>,
    ty: &'a str,
    known: &mut FxHashMap<&'a str, u64>,
    depth: usize,
) -> u64 {
    let Some(members) = structs.get(ty) else {
        return 1;
    };
    if let Some(&n) = known.get(ty) {
        return n;
    }
    // A structure inside itself is the compiler's to report.
    if depth > MAX_NESTING {
        return u64::MAX;
    }
    let n = members.iter().fold(0u64, |sum, m| {
        sum.saturating_add(count(structs, &m.ty, known, depth + 1).saturating_mul(m.len))
    });
    known.insert(ty, n);
    n
}
