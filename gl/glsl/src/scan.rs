//! Reads the declarations at global scope of a preprocessed, renamed token list and strips what the compiler must not see.
//! It must not judge: what it does not understand it leaves for the compiler to report.

mod aggregates;
mod layouts;
mod rules;
mod sizes;

use pipe::program::Stage;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::lex::{Kind, Token};
use crate::log::Log;
pub use rules::Rules;

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
    /// It has the qualifier `flat`.
    pub flat: bool,
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
    /// Inputs and outputs that are declared `invariant`, at once or later.
    pub invariants: FxHashSet<String>,
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
    flat: bool,
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
    rules: Rules<'a>,
    /// What is known of the arrays that are inputs of a geometry stage.
    vertices: rules::Vertices,
    /// `gl_PerVertex` is redeclared as an output.
    per_vertex_out: bool,
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
pub fn scan(stage: Stage, rules: Rules, tokens: &mut Vec<Token>, log: &mut Log) -> Scan {
    let dropped = vec![false; tokens.len()];
    let mut s = Scanner {
        stage,
        rules,
        vertices: rules::Vertices::default(),
        per_vertex_out: false,
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
                    self.check_order(at, &q);
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
                "flat" => q.flat = true,
                "centroid" | "smooth" | "noperspective" | "patch" | "precise" | "coherent"
                | "volatile" | "restrict" | "shared" | "inout" => {}
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
            let names: Vec<String> = (at..end).filter_map(|i| self.ident(i)).collect();
            self.scan.invariants.extend(names);
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
            self.check_parameters(at + 1);
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
        self.check_layouts(ty_at, q);
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
            self.check_location(ty_at, storage, q);
            if self.is_linked_by_location(storage, q) {
                self.strip(q, &["location", "index"]);
            }
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
            if storage == Storage::Out && self.per_vertex_out && name.starts_with("gl_") {
                // GLSL 4.60 §7.1.1: members of a redeclared built-in block cannot be redeclared outside of it.
                self.log.error(
                    &t,
                    &format!("`{name}' is a member of the redeclared gl_PerVertex"),
                );
            }
            if q.invariant.is_some() {
                self.scan.invariants.insert(name.clone());
            }
            if storage == Storage::In {
                self.check_attribute_array(at, after, stop);
            }
            if storage == Storage::In && self.stage == Stage::Geometry {
                self.vertex_array(at, at, stop, after, ty_end);
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
