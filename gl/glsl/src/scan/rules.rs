//! What a source's version and extensions allow, where the compiler, which reads everything as a newer version, would not ask.
//! It must not refuse what a newer version than the source's would refuse.

use super::{Member, Qualifiers, Scanner, Storage};
use crate::expression::integer;
use crate::extensions::Extension;
use crate::lex::Kind;
use pipe::program::Stage;

/// The version of the source, and the extensions that it names.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    pub version: u32,
    pub extensions: &'a [&'static Extension],
}

impl Rules<'_> {
    fn has(&self, since: u32, extensions: &[&str]) -> bool {
        let named = |name: &str| self.extensions.iter().any(|e| e.name == name);
        self.version >= since || extensions.iter().any(|name| named(name))
    }

    /// Qualifiers in any order, layouts more than once.
    fn any_order(&self) -> bool {
        self.has(420, &["GL_ARB_shading_language_420pack"])
    }
}

/// Arrays over the vertices of a geometry stage's input primitive.
#[derive(Debug, Default)]
pub struct Vertices {
    /// What a layout or a declaration has said.
    size: Option<u64>,
    /// Arrays without a size.
    unsized_names: Vec<String>,
}

/// Vertices of an input primitive (GLSL 4.60 §4.4.1.2).
fn vertices(primitive: &str) -> Option<u64> {
    Some(match primitive {
        "points" => 1,
        "lines" => 2,
        "triangles" => 3,
        "lines_adjacency" => 4,
        "triangles_adjacency" => 6,
        _ => return None,
    })
}

impl Scanner<'_> {
    fn error(&mut self, at: usize, text: &str) {
        let t = self.tokens[at.min(self.tokens.len() - 1)].clone();
        self.log.error(&t, text);
    }

    /// GLSL 3.30 §4.7 (order of qualification): a layout comes before the storage qualifier.
    pub(super) fn check_order(&mut self, at: usize, q: &Qualifiers) {
        if q.storage.is_some() && !self.rules.any_order() {
            self.error(at, "`layout' must come before `in', `out' and `uniform'");
        }
    }

    /// GLSL 4.60 §4.4.5: `shared` and `packed` speak of blocks alone.
    pub(super) fn check_layouts(&mut self, at: usize, q: &Qualifiers) {
        if matches!(q.storage, Some(Storage::Uniform | Storage::Buffer)) {
            return;
        }
        for id in ["shared", "packed"] {
            if q.has(id) {
                self.error(
                    at,
                    &format!("layout qualifier `{id}' is for uniform blocks"),
                );
            }
        }
    }

    /// GLSL 3.30 §4.3.8 (layout qualifiers): values are literals before 4.40. `equals..stop` is what follows the identifier.
    pub(super) fn check_value(&mut self, id: &str, equals: usize, stop: usize) {
        if !self.is(equals, "=") {
            return;
        }
        let literal = stop == equals + 2 && self.tokens[equals + 1].kind == Kind::Number;
        if !literal && !self.rules.has(440, &["GL_ARB_enhanced_layouts"]) {
            self.error(
                equals,
                &format!("the value of layout qualifier `{id}' must be a literal"),
            );
        }
    }

    /// GLSL 1.30 §4.3.4 (inputs): vertex shader inputs are no arrays before 1.50.
    pub(super) fn check_attribute_array(&mut self, at: usize, from: usize, stop: usize) {
        let array = (from..stop).any(|i| self.is(i, "["));
        if self.stage == Stage::Vertex && array && !self.rules.has(150, &[]) {
            self.error(at, "vertex shader inputs cannot be arrays before GLSL 1.50");
        }
    }

    /// The same, of a member: tokens `from..to` are those of its layout.
    pub(super) fn check_member_layout(&mut self, from: usize, to: usize) {
        for i in from..to {
            if self.is(i, "shared") || self.is(i, "packed") {
                self.error(i, "the members of a block have no packing of their own");
            }
        }
    }

    /// GLSL 4.60 §4.4: parameters have no layout.
    pub(super) fn check_parameters(&mut self, open: usize) {
        for i in open..self.closing(open) {
            if self.is(i, "layout") {
                self.error(i, "`layout' is not allowed on parameters");
            }
        }
    }

    /// ARB_explicit_attrib_location gives vertex inputs and fragment outputs locations, GLSL 4.10 everything else.
    pub(super) fn check_location(&mut self, at: usize, storage: Storage, q: &Qualifiers) {
        // GLSL 4.60 §4.4.2: colours have the indices 0 and 1.
        if q.value("index").is_some_and(|index| index > 1) {
            self.error(at, "layout qualifier `index' is 0 or 1");
        }
        if !q.has("location") {
            return;
        }
        let separable = self.rules.has(
            410,
            &[
                "GL_ARB_separate_shader_objects",
                "GL_EXT_separate_shader_objects",
            ],
        );
        let allowed = match (self.stage, storage) {
            (Stage::Vertex, Storage::In) | (Stage::Fragment, Storage::Out) => {
                separable || self.rules.has(330, &["GL_ARB_explicit_attrib_location"])
            }
            _ => separable || self.rules.has(440, &["GL_ARB_enhanced_layouts"]),
        };
        if !allowed {
            self.error(
                at,
                "layout qualifier `location' is not available here in this version",
            );
        }
    }

    /// Whether the linker places the variable: overlaps are its errors, not the compiler's.
    pub(super) fn is_linked_by_location(&self, storage: Storage, q: &Qualifiers) -> bool {
        let ends = matches!(
            (self.stage, storage),
            (Stage::Vertex, Storage::In) | (Stage::Fragment, Storage::Out)
        );
        let known = |id: &str| !q.has(id) || q.value(id).is_some();
        ends && q.has("location") && !q.has("component") && known("location") && known("index")
    }

    /// Uniform blocks came with GLSL 1.40, blocks between stages with 1.50.
    pub(super) fn check_blocks(&mut self, at: usize, storage: Storage) {
        let (allowed, what) = match storage {
            Storage::Uniform => (
                self.rules.has(140, &["GL_ARB_uniform_buffer_object"]),
                "uniform blocks need GLSL 1.40 or GL_ARB_uniform_buffer_object",
            ),
            Storage::In | Storage::Out => (
                self.rules.has(150, &[]),
                "blocks of inputs and outputs need GLSL 1.50",
            ),
            Storage::Buffer => (true, ""),
        };
        if !allowed {
            self.error(at, what);
        }
    }

    /// Arrays of uniform blocks have a size; `gl_PerVertex` is `gl_in` as an input (GLSL 4.60 §4.3.9, §7.1.1).
    pub(super) fn check_block(
        &mut self,
        at: usize,
        storage: Storage,
        name: &str,
        instance: Option<&str>,
        (from, to): (usize, usize),
    ) {
        let is_unsized = (from..to).any(|i| self.is(i, "[") && self.is(i + 1, "]"));
        if storage == Storage::Uniform && is_unsized {
            self.error(at, &format!("the array of blocks `{name}' has no size"));
        }
        if name == "gl_PerVertex" {
            match storage {
                Storage::In if instance != Some("gl_in") => {
                    self.error(at, "`gl_PerVertex' is called `gl_in' as an input");
                }
                Storage::Out => self.per_vertex_out = true,
                _ => {}
            }
        }
    }

    /// GLSL 4.60 §4.5: fragment inputs that are, or contain, integers or doubles are flat.
    pub(super) fn check_flat(
        &mut self,
        at: usize,
        storage: Storage,
        q: &Qualifiers,
        members: &[Member],
    ) {
        if self.stage != Stage::Fragment || storage != Storage::In || q.flat {
            return;
        }
        let bad = members
            .iter()
            .find(|m| !m.flat && self.needs_flat(&m.ty, 0));
        if let Some(name) = bad.map(|m| m.name.clone()) {
            self.error(at, &format!("fragment shader input `{name}' must be flat"));
        }
    }

    fn needs_flat(&self, ty: &str, depth: u32) -> bool {
        let base = ty.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'x');
        if matches!(
            base,
            "int" | "uint" | "ivec" | "uvec" | "double" | "dvec" | "dmat"
        ) {
            return true;
        }
        // Structures cannot contain themselves; a source that tries is refused elsewhere.
        depth < 16
            && self
                .scan
                .structs
                .get(ty)
                .is_some_and(|members| members.iter().any(|m| self.needs_flat(&m.ty, depth + 1)))
    }

    /// `layout(triangles) in;`: one primitive, and what is declared agrees with it (GLSL 4.60 §4.4.1.2).
    pub(super) fn input_primitive(&mut self, at: usize, q: &Qualifiers) {
        let primitives: Vec<u64> = q.layouts.iter().filter_map(|l| vertices(&l.id)).collect();
        let Some(&size) = primitives.first() else {
            return;
        };
        let differ = primitives.iter().any(|other| *other != size);
        if differ || primitives.len() > 1 && !self.rules.any_order() {
            self.error(at, "more than one input primitive");
        }
        self.vertices_are(at, size);
        for name in std::mem::take(&mut self.vertices.unsized_names) {
            let used = self.tokens[..at].windows(4).any(|w| {
                w[0].is(&name)
                    && w[1].is("[")
                    && w[3].is("]")
                    && integer(&w[2].text)
                        .is_some_and(|i| u64::try_from(i).is_ok_and(|i| i >= size))
            });
            if used {
                self.error(
                    at,
                    &format!("`{name}' was used beyond the {size} vertices of the primitive"),
                );
            }
        }
    }

    fn vertices_are(&mut self, at: usize, size: u64) {
        match self.vertices.size {
            Some(old) if old != size => self.error(
                at,
                &format!("an input array of {size} vertices, after {old} were declared"),
            ),
            Some(_) | None => self.vertices.size = Some(size),
        }
    }

    /// A declarator `name_at..stop` of a geometry stage's input; `ty_from..ty_to` are the sizes behind its type, which come last.
    pub(super) fn vertex_array(
        &mut self,
        at: usize,
        name_at: usize,
        stop: usize,
        ty_from: usize,
        ty_to: usize,
    ) {
        let Some(name) = self.ident(name_at) else {
            return;
        };
        let open = (name_at + 1..stop)
            .chain(ty_from..ty_to)
            .find(|i| self.is(*i, "["));
        let Some(open) = open else { return };
        let end = self.closing(open);
        if end == open + 2 {
            self.vertices.unsized_names.push(name);
        } else if let Some(size) = self.integer(open + 1, end - 1) {
            self.vertices_are(at, u64::from(size));
        }
    }
}
