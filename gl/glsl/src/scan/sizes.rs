//! Sizes of arrays, as far as literals and constants say, and how large anything may be. It must not follow types into the compiler.

use super::{Qualifiers, Scanner, Storage, is_opaque};
use crate::bounds;
use crate::expression::{Expression, integer};
use crate::lex::{Kind, Token};

impl Scanner<'_> {
    /// A constant integer expression of literals.
    pub(super) fn integer(&mut self, from: usize, to: usize) -> Option<u32> {
        let tokens = self.tokens.get(from..to)?.to_vec();
        if let [one] = &*tokens {
            if let Some(v) = integer(&one.text) {
                return u32::try_from(v).ok();
            }
            if one.kind == Kind::Ident {
                return self.constant(&one.text.clone());
            }
        }
        let mut literal = tokens;
        for t in literal.iter_mut().filter(|t| t.kind == Kind::Ident) {
            let value = self.constant(&t.text.clone())?;
            *t = Token::made(Kind::Number, &value.to_string(), t);
        }
        let tokens = &literal;
        (Expression {
            tokens,
            at: 0,
            depth: 0,
        })
        .whole()
        .ok()
        .and_then(|v| u32::try_from(v).ok())
    }

    /// The value of a global `const int NAME = literal`.
    pub(super) fn constant(&self, name: &str) -> Option<u32> {
        self.tokens.windows(4).find_map(|w| {
            (w[0].is(name)
                && w[1].is("=")
                && w[2].kind == Kind::Number
                && (w[3].is(";") || w[3].is(",")))
            .then(|| integer(&w[2].text).and_then(|v| u32::try_from(v).ok()))
            .flatten()
        })
    }

    /// `float a[] = float[](1, 2)`: the initialiser says the size, and it is recorded elsewhere.
    pub(super) fn size_from_initialiser(
        &mut self,
        after: usize,
        ty_end: usize,
        at: usize,
        equals: usize,
        stop: usize,
    ) {
        let open = [after, at + 1]
            .into_iter()
            .zip([ty_end, equals])
            .find(|&(open, end)| open < end && self.is(open, "[") && self.is(open + 1, "]"));
        let (Some((open, _)), Some(call)) = (open, (equals..stop).find(|i| self.is(*i, "(")))
        else {
            return;
        };
        let end = self.closing(call) - 1;
        let (mut n, mut next) = (0, call + 1);
        while next < end {
            n += 1;
            next = self.find(next, &[","]) + 1;
        }
        self.tokens[open].text = format!("[{n}").into();
    }

    /// Declarators `after..semicolon` of type `ty`: none may be larger than anything sensible.
    pub(super) fn check_size(
        &mut self,
        ty_at: usize,
        after: usize,
        semicolon: usize,
        ty: &str,
        q: &Qualifiers,
    ) {
        let mut at = after;
        while self.is(at, "[") {
            at = self.closing(at);
        }
        let shared = self.elements(after, at);
        let values = bounds::values(&self.scan.structs, ty);
        let limit = match q.storage {
            _ if is_opaque(ty) => u64::from(bounds::MAX_DESCRIPTORS),
            Some(Storage::In | Storage::Out) => bounds::MAX_INTERFACE,
            Some(Storage::Uniform | Storage::Buffer) | None => bounds::MAX_VALUES,
        };
        while at < semicolon {
            let stop = self.find(at, &[",", ";"]).min(semicolon);
            let n = self.elements(at, stop).saturating_mul(shared);
            if n.saturating_mul(values) > limit {
                let t = self.tokens[at.min(self.tokens.len() - 1)].clone();
                self.log.error(&t, &format!("`{}' is too large", t.text));
            }
            at = stop + 1;
        }
        for id in ["location", "binding"] {
            // The linker refuses locations that it has not got (GL 4.6 core §11.1.1).
            let linked = id == "location"
                && q.storage
                    .is_some_and(|storage| self.is_linked_by_location(storage, q));
            if !linked && q.value(id).is_some_and(|v| v >= bounds::MAX_BINDING) {
                let t = self.tokens[ty_at].clone();
                self.log
                    .error(&t, &format!("layout qualifier `{id}' is too large"));
            }
        }
    }

    /// The product of the array sizes in a range, as far as they are known.
    pub(super) fn elements(&mut self, from: usize, to: usize) -> u64 {
        let (mut at, mut n) = (from, 1u64);
        while at < to {
            if self.is(at, "=") {
                break;
            }
            if self.is(at, "[") {
                let end = self.closing(at);
                if let Some(len) = self.integer(at + 1, end.saturating_sub(1)) {
                    n = n.saturating_mul(u64::from(len));
                }
                at = end;
            } else {
                at += 1;
            }
        }
        n
    }

    pub(super) fn inside_brackets(&self, from: usize, at: usize) -> bool {
        let mut level = 0i32;
        for t in &self.tokens[from..at] {
            match &*t.text {
                "[" => level += 1,
                "]" => level -= 1,
                _ => {}
            }
        }
        level > 0
    }
}
