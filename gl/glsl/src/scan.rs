//! Reads the declarations at global scope of a preprocessed, renamed token list and strips what the compiler must not see.
//! It must not judge: what it does not understand it leaves for the compiler to report.

use pipe::program::Stage;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bounds;
use crate::expression::{Expression, integer};
use crate::lex::{Kind, Token};
use crate::log::Log;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    Uniform,
    Buffer,
    In,
    Out,
}

/// A member of a struct or block: enough to find what SPIR-V forgets (bool became uint).
#[derive(Clone, Debug)]
pub struct Member {
    pub name: String,
    pub ty: String,
    /// Elements, as far as literals and constants say; 1 for what is not an array.
    pub len: u64,
}

/// A variable at global scope that is not a block.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub storage: Storage,
    pub ty: String,
    pub location: Option<u32>,
    pub index: Option<u32>,
    pub binding: Option<u32>,
    pub readonly: bool,
    pub writeonly: bool,
    pub has_initialiser: bool,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub name: String,
    pub storage: Storage,
    pub has_instance: bool,
    pub binding: Option<u32>,
    pub readonly: bool,
    pub members: Vec<Member>,
}

/// A declaration in order, for the order of reflection.
#[derive(Clone, Debug)]
pub enum Declared {
    Variable(Variable),
    Block(Block),
}

/// What the global scope declares. Names are those in the rewritten text.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    pub declared: Vec<Declared>,
    pub structs: FxHashMap<String, Vec<Member>>,
    pub has_main: bool,
    /// Text of structs and constants, in order, and of each initialised uniform as a plain variable: compiled by itself, it
    /// yields the initial values.
    pub initialisers: String,
    /// `gl_PerVertex` is redeclared without `gl_PointSize`.
    pub no_point_size: bool,
    pub early_fragment_tests: bool,
    pub sample_in: bool,
    /// How `gl_FragCoord` is redeclared, if it is.
    pub frag_coord: Option<FragCoord>,
}

/// Conventions of a redeclared `gl_FragCoord` (GLSL 4.60 §4.4.1.3, fragment shader inputs).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FragCoord {
    pub upper_left: bool,
    pub integer: bool,
}

impl Scan {
    pub fn variables(&self, storage: Storage) -> impl Iterator<Item = &Variable> {
        self.declared.iter().filter_map(move |d| match d {
            Declared::Variable(v) if v.storage == storage => Some(v),
            Declared::Variable(_) | Declared::Block(_) => None,
        })
    }

    pub fn blocks(&self, storage: Storage) -> impl Iterator<Item = &Block> {
        self.declared.iter().filter_map(move |d| match d {
            Declared::Block(b) if b.storage == storage => Some(b),
            Declared::Variable(_) | Declared::Block(_) => None,
        })
    }

    /// The declared basic type at the end of a path of member names below `ty`.
    pub fn type_of<'a>(&'a self, ty: &'a str, path: &[&str]) -> Option<&'a str> {
        let Some((first, rest)) = path.split_first() else {
            return Some(ty);
        };
        let member = self.structs.get(ty)?.iter().find(|m| m.name == *first)?;
        self.type_of(&member.ty, rest)
    }
}

/// One layout identifier of `layout(...)`.
struct Layout {
    id: String,
    value: Option<u32>,
    /// Its tokens, and the comma after it if there is one.
    from: usize,
    to: usize,
}

#[derive(Default)]
struct Qualifiers {
    storage: Option<Storage>,
    is_const: bool,
    invariant: Option<usize>,
    readonly: bool,
    writeonly: bool,
    sample: bool,
    layouts: Vec<Layout>,
    /// `layout ( ... )` token ranges.
    groups: Vec<(usize, usize)>,
    uniform_at: Option<usize>,
}

impl Qualifiers {
    fn value(&self, id: &str) -> Option<u32> {
        self.layouts
            .iter()
            .rev()
            .find(|l| l.id == id)
            .and_then(|l| l.value)
    }

    fn has(&self, id: &str) -> bool {
        self.layouts.iter().any(|l| l.id == id)
    }
}

pub struct Scanner<'a> {
    pub stage: Stage,
    pub tokens: &'a mut Vec<Token>,
    pub log: &'a mut Log,
    scan: Scan,
    dropped: Vec<bool>,
    /// Names of the functions seen so far.
    functions: FxHashSet<String>,
}

/// Types that are never in the default block.
pub fn is_opaque(ty: &str) -> bool {
    [
        "sampler", "isampler", "usampler", "image", "iimage", "uimage",
    ]
    .iter()
    .any(|p| ty.strip_prefix(p).is_some_and(|rest| !rest.is_empty()))
}

/// Scans `tokens` and removes from them what is recorded instead: initialisers, locations and bindings of uniforms.
pub fn scan(stage: Stage, tokens: &mut Vec<Token>, log: &mut Log) -> Scan {
    let dropped = vec![false; tokens.len()];
    let mut s = Scanner {
        stage,
        tokens,
        log,
        scan: Scan::default(),
        dropped,
        functions: FxHashSet::default(),
    };
    let mut at = 0;
    while at < s.tokens.len() {
        let next = s.external(at);
        at = next.max(at + 1);
    }
    let dropped = std::mem::take(&mut s.dropped);
    let scan = std::mem::take(&mut s.scan);
    let mut keep = dropped.iter().map(|d| !d);
    tokens.retain(|_| keep.next().unwrap_or(true));
    scan
}

impl Scanner<'_> {
    fn is(&self, at: usize, text: &str) -> bool {
        self.tokens.get(at).is_some_and(|t| t.is(text))
    }

    fn ident(&self, at: usize) -> Option<String> {
        self.tokens
            .get(at)
            .and_then(|t| t.ident())
            .map(str::to_owned)
    }

    fn drop_range(&mut self, from: usize, to: usize) {
        self.dropped[from..to].fill(true);
    }

    /// The index after the bracket that closes the one at `at`.
    fn closing(&self, at: usize) -> usize {
        let mut level = 0usize;
        for (i, t) in self.tokens.iter().enumerate().skip(at) {
            match &*t.text {
                "(" | "[" | "{" => level += 1,
                ")" | "]" | "}" => {
                    level = level.saturating_sub(1);
                    if level == 0 {
                        return i + 1;
                    }
                }
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// The first token at or after `at`, outside brackets, that is one of `texts`.
    fn find(&self, mut at: usize, texts: &[&str]) -> usize {
        while at < self.tokens.len() {
            let t = &*self.tokens[at].text;
            if texts.contains(&t) {
                return at;
            }
            at = if matches!(t, "(" | "[" | "{") {
                self.closing(at)
            } else {
                at + 1
            };
        }
        at
    }

    fn text(&self, from: usize, to: usize) -> String {
        let mut out = String::new();
        for (i, t) in self.tokens[from..to.min(self.tokens.len())]
            .iter()
            .enumerate()
        {
            if !self.dropped[from + i] {
                out.push_str(&t.text);
                out.push(' ');
            }
        }
        out
    }

    /// One external declaration; returns where the next begins.
    fn external(&mut self, start: usize) -> usize {
        let mut at = start;
        let mut q = Qualifiers::default();
        while let Some(word) = self.ident(at) {
            match &*word {
                "layout" if self.is(at + 1, "(") => {
                    let end = self.closing(at + 1);
                    self.layout(at + 2, end - 1, &mut q);
                    q.groups.push((at, end));
                    at = end;
                    continue;
                }
                "uniform" => {
                    q.storage = Some(Storage::Uniform);
                    q.uniform_at = Some(at);
                }
                "buffer" => q.storage = Some(Storage::Buffer),
                "in" => q.storage = Some(Storage::In),
                "out" => q.storage = Some(Storage::Out),
                "const" => q.is_const = true,
                "invariant" => q.invariant = Some(at),
                "readonly" => q.readonly = true,
                "writeonly" => q.writeonly = true,
                "sample" => q.sample = true,
                "centroid" | "flat" | "smooth" | "noperspective" | "patch" | "precise"
                | "coherent" | "volatile" | "restrict" | "shared" | "inout" => {}
                "subroutine" => {
                    let t = self.tokens[at].clone();
                    self.log.error(&t, "subroutines are not supported");
                    return self.skip(at);
                }
                _ => break,
            }
            at += 1;
        }
        let Some(t) = self.tokens.get(at) else {
            return at;
        };
        if t.is(";") {
            self.defaults(start, at, &q);
            return at + 1;
        }
        if t.is("struct") {
            return self.structure(start, at, &q);
        }
        if t.kind != Kind::Ident {
            return self.skip(at);
        }
        if self.is(at + 1, "{") {
            return self.block(at, &q);
        }
        // `invariant gl_Position;`, `invariant a, b;`
        if q.invariant.is_some() && (self.is(at + 1, ";") || self.is(at + 1, ",")) {
            let end = self.find(at, &[";"]);
            let inputs_only = self.stage == Stage::Fragment
                && (at..end)
                    .filter_map(|i| self.ident(i))
                    .all(|n| self.scan.variables(Storage::In).any(|v| v.name == n));
            if inputs_only {
                self.drop_range(start, (end + 1).min(self.tokens.len()));
            }
            return end + 1;
        }
        let ty = self.ident(at).expect("an identifier, seen above");
        self.declarators(start, at, at + 1, &ty, &q)
    }

    /// Past something not understood: to the next `;`, or past a body.
    fn skip(&self, at: usize) -> usize {
        let end = self.find(at, &[";", "{"]);
        if self.is(end, "{") {
            let end = self.closing(end);
            return if self.is(end, ";") { end + 1 } else { end };
        }
        end + 1
    }

    fn layout(&mut self, mut at: usize, end: usize, q: &mut Qualifiers) {
        while at < end {
            let stop = self.find(at, &[","]).min(end);
            if let Some(id) = self.ident(at) {
                let value = self
                    .is(at + 1, "=")
                    .then(|| self.integer(at + 2, stop))
                    .flatten();
                let to = if stop < end { stop + 1 } else { stop };
                q.layouts.push(Layout {
                    id,
                    value,
                    from: at,
                    to,
                });
            }
            at = stop + 1;
        }
    }

    /// A constant integer expression of literals.
    fn integer(&mut self, from: usize, to: usize) -> Option<u32> {
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
    fn constant(&self, name: &str) -> Option<u32> {
        self.tokens.windows(4).find_map(|w| {
            (w[0].is(name)
                && w[1].is("=")
                && w[2].kind == Kind::Number
                && (w[3].is(";") || w[3].is(",")))
            .then(|| integer(&w[2].text).and_then(|v| u32::try_from(v).ok()))
            .flatten()
        })
    }

    /// Removes layout identifiers; a `layout()` that is left empty goes too.
    fn strip(&mut self, q: &Qualifiers, ids: &[&str]) {
        for l in &q.layouts {
            if ids.contains(&&*l.id) {
                if l.value.is_none() && !matches!(&*l.id, "shared" | "packed") {
                    let t = self.tokens[l.from].clone();
                    self.log.error(
                        &t,
                        &format!("layout `{}' needs an integer literal here", l.id),
                    );
                }
                self.drop_range(l.from, l.to);
            }
        }
        for &(from, to) in &q.groups {
            let inside: Vec<usize> = (from + 2..to - 1).filter(|i| !self.dropped[*i]).collect();
            match inside.last() {
                None => self.drop_range(from, to),
                // The comma before a dropped last identifier.
                Some(&last) if self.is(last, ",") => self.dropped[last] = true,
                Some(_) => {}
            }
        }
    }

    /// `layout(...) in;` and the like.
    fn defaults(&mut self, start: usize, semicolon: usize, q: &Qualifiers) {
        if q.has("early_fragment_tests") {
            self.scan.early_fragment_tests = true;
        }
        self.refuse_xfb(q);
        if matches!(q.storage, Some(Storage::Uniform | Storage::Buffer)) {
            self.strip(q, &["shared", "packed"]);
            if q.groups.iter().all(|&(from, _)| self.dropped[from]) {
                self.drop_range(start, semicolon + 1);
            }
        }
    }

    fn refuse_xfb(&mut self, q: &Qualifiers) {
        if let Some(l) = q.layouts.iter().find(|l| l.id.starts_with("xfb_")) {
            let t = self.tokens[l.from].clone();
            self.log
                .error(&t, &format!("layout qualifier `{}' is not supported", l.id));
        }
    }

    /// `{ type a, b[2]; ... }`: the members, and the index after the closing brace.
    fn members(&mut self, open: usize) -> (Vec<Member>, usize) {
        let end = self.closing(open);
        let mut members = Vec::new();
        let mut at = open + 1;
        while at + 1 < end {
            let stop = self.find(at, &[";"]).min(end - 1);
            // Skip qualifiers: the type is the identifier before the first declarator.
            while let Some(word) = self.ident(at) {
                if word == "layout" && self.is(at + 1, "(") {
                    at = self.closing(at + 1);
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
                    });
                }
                at = comma + 1;
            }
            at = stop + 1;
        }
        (members, end)
    }

    /// `float a[] = float[](1, 2)`: the initialiser says the size, and it is recorded elsewhere.
    fn size_from_initialiser(
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
    fn check_size(
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
            if q.value(id).is_some_and(|v| v >= bounds::MAX_BINDING) {
                let t = self.tokens[ty_at].clone();
                self.log
                    .error(&t, &format!("layout qualifier `{id}' is too large"));
            }
        }
    }

    /// The product of the array sizes in a range, as far as they are known.
    fn elements(&mut self, from: usize, to: usize) -> u64 {
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

    fn inside_brackets(&self, from: usize, at: usize) -> bool {
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

    fn structure(&mut self, start: usize, at: usize, q: &Qualifiers) -> usize {
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

    fn block(&mut self, at: usize, q: &Qualifiers) -> usize {
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

    /// `type a = x, b[2];`, or a function. `ty_at..after` is the type specifier without array sizes.
    fn declarators(
        &mut self,
        start: usize,
        ty_at: usize,
        after: usize,
        ty: &str,
        q: &Qualifiers,
    ) -> usize {
        let mut at = after;
        while self.is(at, "[") {
            at = self.closing(at);
        }
        let ty_end = at;
        if let Some(name) = self.ident(at).filter(|_| self.is(at + 1, "(")) {
            self.functions.insert(name);
            if self.is(at, "mg_main") || self.is(at, "main") {
                let params = self.closing(at + 1);
                self.scan.has_main |= self.is(params, "{");
            }
            return self.skip(at);
        }
        let semicolon = self.find(at, &[";"]);
        self.check_size(ty_at, after, semicolon, ty, q);
        if q.is_const {
            let text = self.text(start, (semicolon + 1).min(self.tokens.len()));
            self.scan.initialisers.push_str(&text);
            self.scan.initialisers.push('\n');
            return semicolon + 1;
        }
        let Some(storage) = q.storage else {
            return semicolon + 1;
        };
        let opaque = is_opaque(ty);
        let t = self.tokens[ty_at].clone();
        if storage == Storage::Uniform {
            if ty == "atomic_uint" {
                self.log.error(&t, "`atomic_uint' is not supported");
            }
            self.strip(q, &["location", "binding"]);
        }
        if storage == Storage::In || storage == Storage::Out {
            self.refuse_xfb(q);
            if let (Some(i), Storage::In) = (q.invariant, storage) {
                self.dropped[i] = true;
            }
            if storage == Storage::In && self.stage == Stage::Fragment {
                self.scan.sample_in |= q.sample;
            }
        }
        while at < semicolon {
            let stop = self.find(at, &[",", ";"]).min(semicolon);
            let Some(name) = self.ident(at) else {
                return semicolon + 1;
            };
            let equals = self.find(at, &["=", ",", ";"]).min(stop);
            let has_initialiser = self.is(equals, "=");
            if name == "gl_FragCoord" {
                self.frag_coord(&t, at, ty, storage, q);
                self.drop_range(start, (semicolon + 1).min(self.tokens.len()));
                return semicolon + 1;
            }
            if has_initialiser {
                self.size_from_initialiser(after, ty_end, at, equals, stop);
            }
            if has_initialiser && storage == Storage::Uniform && !opaque {
                let declaration =
                    format!("{} {} ;\n", self.text(ty_at, ty_end), self.text(at, stop));
                self.scan.initialisers.push_str(&declaration);
                self.drop_range(equals, stop);
            }
            self.scan.declared.push(Declared::Variable(Variable {
                name,
                storage,
                ty: ty.to_owned(),
                location: q.value("location"),
                index: q.value("index"),
                binding: q.value("binding"),
                readonly: q.readonly,
                writeonly: q.writeonly,
                has_initialiser,
            }));
            at = stop + 1;
        }
        semicolon + 1
    }
}

impl Scanner<'_> {
    /// A redeclaration of `gl_FragCoord` at `at`.
    fn frag_coord(&mut self, t: &Token, at: usize, ty: &str, storage: Storage, q: &Qualifiers) {
        if self.stage != Stage::Fragment || storage != Storage::In || ty != "vec4" {
            return self.log.error(
                t,
                "`gl_FragCoord' is a vec4 and an input of fragment shaders",
            );
        }
        let new = FragCoord {
            upper_left: q.has("origin_upper_left"),
            integer: q.has("pixel_center_integer"),
        };
        // GLSL 4.60 §4.4.1.3: "the first redeclarations of gl_FragCoord must appear before any use of gl_FragCoord".
        let used = self.tokens[..at].iter().any(|t| t.is("gl_FragCoord"));
        match self.scan.frag_coord {
            Some(old) if old != new => self.log.error(
                t,
                "`gl_FragCoord' redeclared with different layout qualifiers",
            ),
            None if used => self
                .log
                .error(t, "`gl_FragCoord' used before its first redeclaration"),
            Some(_) | None => self.scan.frag_coord = Some(new),
        }
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
