//! Structures and blocks: their members. It must not judge their qualifiers.

use super::{Block, Declared, Member, Qualifiers, Scanner, Storage};
use crate::bounds;
use crate::lex::Kind;
use pipe::program::Stage;

impl Scanner<'_> {
    /// `{ type a, b[2]; ... }`: the members, and the index after the closing brace.
    pub(super) fn members(&mut self, open: usize) -> (Vec<Member>, usize) {
        let end = self.closing(open);
        let mut members = Vec::new();
        let mut at = open + 1;
        while at + 1 < end {
            let stop = self.find(at, &[";"]).min(end - 1);
            // Skip qualifiers: the type is the identifier before the first declarator.
            let mut flat = false;
            while let Some(word) = self.ident(at) {
                flat |= word == "flat";
                if word == "layout" && self.is(at + 1, "(") {
                    let end = self.closing(at + 1);
                    self.check_member_layout(at + 2, end);
                    at = end;
                } else if is_member_qualifier(&word) {
                    at += 1;
                } else {
                    break;
                }
            }
            let Some(ty) = self.ident(at) else {
                at = stop + 1;
                continue;
            };
            at += 1;
            let first = at;
            while self.is(at, "[") {
                at = self.closing(at);
            }
            let shared = self.elements(first, at);
            while at < stop {
                let comma = self.find(at, &[","]).min(stop);
                let name = (at..comma)
                    .find(|i| self.tokens[*i].kind == Kind::Ident && !self.inside_brackets(at, *i));
                if let Some(name) = name.and_then(|i| self.ident(i)) {
                    let len = shared.saturating_mul(self.elements(at, comma));
                    members.push(Member {
                        name,
                        ty: ty.clone(),
                        len,
                        flat,
                    });
                }
                at = comma + 1;
            }
            at = stop + 1;
        }
        (members, end)
    }

    pub(super) fn structure(&mut self, start: usize, at: usize, q: &Qualifiers) -> usize {
        let name = self.ident(at + 1);
        let open = at + 1 + usize::from(name.is_some());
        if !self.is(open, "{") {
            return self.skip(at);
        }
        let (members, end) = self.members(open);
        let name = name.unwrap_or_else(|| format!("struct@{at}"));
        self.scan.structs.insert(name.clone(), members);
        let definition = self.text(at, end);
        self.scan.initialisers.push_str(&definition);
        self.scan.initialisers.push_str(";\n");
        if self.is(end, ";") {
            return end + 1;
        }
        self.declarators(start, at, end, &name, q)
    }

    pub(super) fn block(&mut self, at: usize, q: &Qualifiers) -> usize {
        let name = self
            .ident(at)
            .expect("an identifier, checked by the caller");
        let (members, mut end) = self.members(at + 1);
        let instance = self.ident(end);
        let semicolon = self.find(end, &[";"]);
        let t = self.tokens[at].clone();
        // GLSL 4.60 §4.3.9: "it is a compile-time error to use a block name at global scope for anything other than as a
        // block name". The compiler does not survive a function of that name.
        if self.functions.contains(&name) {
            self.log
                .error(&t, &format!("block name `{name}' is that of a function"));
        }
        let count = self.elements(end, semicolon);
        let values = members.iter().fold(0u64, |sum, m| {
            sum.saturating_add(bounds::values(&self.scan.structs, &m.ty).saturating_mul(m.len))
        });
        let storage_block = q.storage == Some(Storage::Buffer);
        if count > u64::from(bounds::MAX_DESCRIPTORS)
            || values > bounds::MAX_VALUES && !storage_block
        {
            self.log.error(&t, &format!("block `{name}' is too large"));
        }
        if let Some(storage) = q.storage {
            self.check_blocks(at, storage);
            self.check_block(at, storage, &name, instance.as_deref(), (end, semicolon));
            self.check_flat(at, storage, q, &members);
            if storage == Storage::In && self.stage == Stage::Geometry && name != "gl_PerVertex" {
                self.vertex_array(end, end, semicolon, end, end);
            }
            if name == "gl_PerVertex" && storage == Storage::Out {
                self.scan.no_point_size = !members.iter().any(|m| m.name == "gl_PointSize");
            }
            self.refuse_xfb(q);
            match storage {
                Storage::Uniform | Storage::Buffer => {
                    self.strip(q, &["binding", "shared", "packed"])
                }
                Storage::In | Storage::Out => {}
            }
            self.scan.declared.push(Declared::Block(Block {
                name,
                storage,
                has_instance: instance.is_some(),
                binding: q.value("binding"),
                readonly: q.readonly,
                members,
            }));
        }
        end = semicolon + 1;
        end
    }
}

fn is_member_qualifier(word: &str) -> bool {
    matches!(
        word,
        "flat"
            | "smooth"
            | "noperspective"
            | "centroid"
            | "sample"
            | "patch"
            | "invariant"
            | "precise"
            | "coherent"
            | "volatile"
            | "restrict"
            | "readonly"
            | "writeonly"
            | "in"
            | "out"
            | "uniform"
            | "buffer"
            | "const"
    )
}
