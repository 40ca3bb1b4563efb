//! `layout(...)`: what is recorded, and what the compiler must not see. It must not know what a layout is allowed on.

use super::{FragCoord, Layout, Qualifiers, Scanner, Storage};
use crate::lex::Token;
use pipe::program::Stage;

impl Scanner<'_> {
    pub(super) fn layout(&mut self, mut at: usize, end: usize, q: &mut Qualifiers) {
        while at < end {
            let stop = self.find(at, &[","]).min(end);
            if let Some(id) = self.ident(at) {
                self.check_value(&id, at + 1, stop);
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

    /// Removes layout identifiers; a `layout()` that is left empty goes too.
    pub(super) fn strip(&mut self, q: &Qualifiers, ids: &[&str]) {
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
    pub(super) fn defaults(&mut self, start: usize, semicolon: usize, q: &Qualifiers) {
        if q.has("early_fragment_tests") {
            self.scan.early_fragment_tests = true;
        }
        self.refuse_xfb(q);
        self.check_layouts(start, q);
        if q.storage == Some(Storage::In) && self.stage == Stage::Geometry {
            self.input_primitive(start, q);
        }
        if q.storage == Some(Storage::Uniform) {
            self.check_blocks(start, Storage::Uniform);
        }
        if matches!(q.storage, Some(Storage::Uniform | Storage::Buffer)) {
            self.strip(q, &["shared", "packed"]);
            if q.groups.iter().all(|&(from, _)| self.dropped[from]) {
                self.drop_range(start, semicolon + 1);
            }
        }
    }

    pub(super) fn refuse_xfb(&mut self, q: &Qualifiers) {
        if let Some(l) = q.layouts.iter().find(|l| l.id.starts_with("xfb_")) {
            let t = self.tokens[l.from].clone();
            self.log
                .error(&t, &format!("layout qualifier `{}' is not supported", l.id));
        }
    }

    /// A redeclaration of `gl_FragCoord` at `at`.
    pub(super) fn frag_coord(
        &mut self,
        t: &Token,
        at: usize,
        ty: &str,
        storage: Storage,
        q: &Qualifiers,
    ) {
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
