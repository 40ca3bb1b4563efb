//! The text of a golden recording: what was told, verb by verb, in a form that a person can review. Contents are folded to hashes;
//! what depends on the machine, on addresses or on how often something was touched is left out. It must not depend on a backend.
//!
//! A block is one verb with what was told before it, indented; a block that is told again word for word is one line that names
//! the first. Fields that are zero are left out, and of render state only what differs from GL's initial values stands there.

use crate::debug_text::Value;
use pipe::{
    Call, Class, DynamicState, RenderState, RenderStateDesc, RenderStateId, ShaderDesc,
    render_state,
};
use pipe_inputs::tee::{self, Arg, Payload};
use std::collections::HashMap;
use std::fmt::Write as _;

/// The first line of every recording.
const HEAD: &str = "# MobileGL golden recording, version 1: `mobilegl verify --golden` compares, `--update` writes\n";

/// Fields that say when something was told and not what, or where it lay.
const LEFT_OUT: &[&str] = &[
    "version",
    "pipeline_version",
    "lifetime",
    "content_hash",
    "groups",
    "offset",
    "frame",
    "generation",
];

/// A recording in progress.
#[derive(Debug, Default)]
pub struct Golden {
    /// Finished blocks.
    text: String,
    /// Lines of the block in progress, but for its sets.
    block: String,
    /// Its sets: call and line.
    sets: Vec<(&'static str, String)>,
    verbs: u64,
    /// The first verb of each block's text.
    blocks: HashMap<String, u64>,
    /// Verbs that were told like an earlier one, not written yet: first, last, which they repeat.
    repeated: Option<(u64, u64, u64)>,
    render_states: HashMap<RenderStateId, RenderState>,
}

impl Golden {
    pub(crate) fn call(&mut self, call: Call, payload: &dyn Payload, args: &[Arg<'_>]) {
        if call == Call::get_caps {
            return;
        }
        let mut line = call.row().name.to_owned();
        let mut value = Value::parse(&format!("{payload:?}"));
        value.leave_out(LEFT_OUT);
        value.show_fields(&mut line);
        if !self.state(&mut line, payload, args) {
            let is_archive = tee::payload::<ShaderDesc>(payload).is_some();
            for arg in args {
                argument(&mut line, arg, is_archive);
            }
        }
        match call.row().class {
            Class::CtxVerb => self.verb(&line),
            Class::CtxState if call != Call::bind_context => {
                self.sets.push((call.row().name, line));
            }
            Class::Screen
            | Class::CtxQuery
            | Class::CtxCso
            | Class::CtxState
            | Class::CtxObject => {
                if call == Call::bind_context {
                    self.settle_sets();
                }
                self.block.push_str("    ");
                self.block.push_str(&line);
                self.block.push('\n');
            }
        }
    }

    /// Sets have no order among each other, so which arm tells them is no difference: they stand by name, those of one name as told.
    fn settle_sets(&mut self) {
        self.sets.sort_by_key(|(name, _)| *name);
        for (_, line) in self.sets.drain(..) {
            self.block.push_str("    ");
            self.block.push_str(&line);
            self.block.push('\n');
        }
    }

    /// Render state by its fields instead of its bytes.
    fn state(&mut self, line: &mut String, payload: &dyn Payload, args: &[Arg<'_>]) -> bool {
        let [Arg::Bytes(bytes)] = args else {
            return false;
        };
        let mut state = RenderState::default();
        if let Some(desc) = tee::payload::<RenderStateDesc>(payload) {
            if let Some(base) = self.render_states.get(&desc.base) {
                state = *base;
            }
            if !state.scatter(desc.chunk_mask & render_state::PIPELINE_CHUNKS, bytes) {
                return false;
            }
            self.render_states.insert(desc.id, state);
        } else if let Some(told) = tee::payload::<DynamicState>(payload) {
            if !state.scatter(told.chunk_mask & render_state::DYNAMIC_CHUNKS, bytes) {
                return false;
            }
        } else {
            return false;
        }
        let initial = Value::parse(&format!("{:?}", RenderState::default()));
        let mut value = Value::parse(&format!("{state:?}"));
        value.leave_out(LEFT_OUT);
        value.show_differences(&initial, line);
        true
    }

    fn verb(&mut self, line: &str) {
        self.verbs += 1;
        self.settle_sets();
        let verb = self.verbs;
        let mut block = std::mem::take(&mut self.block);
        block.push_str(line);
        block.push('\n');
        if let Some(first) = self.blocks.get(&block).copied() {
            self.repeated = match self.repeated.take() {
                // The same again, or the next of a run that is told again as a whole.
                Some((from, to, of))
                    if first == of + (verb - from) || first == of && to == from =>
                {
                    Some((from, verb, of))
                }
                other => {
                    self.repeated = other;
                    self.settle();
                    Some((verb, verb, first))
                }
            };
            return;
        }
        self.settle();
        let _ = write!(self.text, "{verb}:\n{block}");
        self.blocks.insert(block, verb);
    }

    /// Writes repetitions that wait.
    fn settle(&mut self) {
        let line = repetition(self.repeated.take());
        self.text.push_str(&line);
    }

    /// Everything so far. What no verb followed stands at the end.
    pub fn text(&self) -> String {
        let mut text = HEAD.to_owned();
        text.push_str(&self.text);
        text.push_str(&repetition(self.repeated));
        if !self.block.is_empty() || !self.sets.is_empty() {
            text.push_str("end:\n");
            text.push_str(&self.block);
            for (_, line) in &self.sets {
                let _ = writeln!(text, "    {line}");
            }
        }
        text
    }
}

fn repetition(repeated: Option<(u64, u64, u64)>) -> String {
    match repeated {
        None => String::new(),
        Some((from, to, of)) if from == to => format!("{from}: as {of}\n"),
        Some((from, to, of)) => format!("{from}-{to}: as {of}-{}\n", of + (to - from)),
    }
}

fn argument(line: &mut String, arg: &Arg<'_>, is_archive: bool) {
    // Writing to a string cannot fail.
    let _ = match arg {
        // What the compiler makes of a shader is no part of what is told of state; its own tests look at it.
        Arg::Bytes(_) if is_archive => write!(line, " <archive>"),
        Arg::Bytes(bytes) => write!(
            line,
            " <{} bytes {:016x}>",
            bytes.len(),
            xxhash_rust::xxh3::xxh3_64(bytes)
        ),
        Arg::Regions(regions) => return list(line, &format!("{regions:?}")),
        Arg::Tail(tail) if tail.count() == 0 => Ok(()),
        Arg::Tail(tail) => return list(line, &format!("{tail:?}")),
        Arg::Host(_) => Ok(()),
        Arg::Reply(size) => match size {
            Some(size) => write!(line, " <reply of {size} bytes>"),
            None => write!(line, " <no reply>"),
        },
    };
}

fn list(line: &mut String, debug: &str) {
    let mut value = Value::parse(debug);
    value.leave_out(LEFT_OUT);
    line.push(' ');
    value.show(line);
}

/// What differs between two recordings, for people: each differing stretch with the verb it belongs to. Empty: nothing does.
pub fn difference(expected: &str, found: &str) -> Vec<String> {
    /// Stretches that are shown.
    const MOST: usize = 12;
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    let mut shown = Vec::new();
    let (mut i, mut j) = (0, 0);
    let mut verb = "the head";
    while i < old.len() || j < new.len() {
        if old.get(i) == new.get(j) {
            if let Some(line) = old.get(i).filter(|line| !line.starts_with(' ')) {
                verb = line;
            }
            (i, j) = (i + 1, j + 1);
            continue;
        }
        if shown.len() == MOST {
            shown.push("... and more".to_owned());
            break;
        }
        let (to_i, to_j) = meet(&old, &new, i, j);
        let mut text = format!("at {verb}\n");
        for line in &old[i..to_i] {
            let _ = writeln!(text, "  - {line}");
        }
        for line in &new[j..to_j] {
            let _ = writeln!(text, "  + {line}");
        }
        shown.push(text);
        (i, j) = (to_i, to_j);
    }
    shown
}

/// Where two texts meet again: the nearest pair of equal lines within a window.
fn meet(old: &[&str], new: &[&str], i: usize, j: usize) -> (usize, usize) {
    const WINDOW: usize = 200;
    for distance in 1..WINDOW {
        for ahead in 0..=distance {
            let (a, b) = (i + ahead, j + distance - ahead);
            if a <= old.len() && b <= new.len() && (a, b) != (i, j) {
                let both_end = a == old.len() && b == new.len();
                if both_end || a < old.len() && old.get(a) == new.get(b) {
                    return (a, b);
                }
            }
        }
    }
    ((i + WINDOW).min(old.len()), (j + WINDOW).min(new.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pipe::{Flush, IndexBuffer};

    fn flush(golden: &mut Golden, wait: u32) {
        golden.call(Call::flush, &Flush { groups: 7, wait }, &[]);
    }

    #[test]
    fn verb_that_is_told_again_is_one_line_that_names_the_first() {
        let mut golden = Golden::default();
        let buffer = pipe::BufferId::new(3, 1);
        golden.call(Call::set_index_buffer, &IndexBuffer { buffer }, &[]);
        flush(&mut golden, 1);
        for _ in 0..3 {
            flush(&mut golden, 0);
        }
        let text = golden.text();
        let text = text.strip_prefix(HEAD).expect("the head");
        assert_eq!(
            text,
            "1:\n    set_index_buffer buffer=3.1\nflush wait=1\n2:\nflush\n3-4: as 2-3\n"
        );
    }

    #[test]
    fn tail_and_bytes_are_shown_by_field_and_by_hash() {
        let mut golden = Golden::default();
        let head = pipe::SlotRange { start: 0, count: 3 };
        let view = |slot| pipe::BoundView {
            view: pipe::SamplerViewId::new(slot, 1),
            texture: pipe::TextureId::NULL,
        };
        let views: &[pipe::BoundView] = &[view(1), view(2), view(2)];
        golden.call(Call::set_sampler_views, &head, &[Arg::from(&views)]);
        let bytes: &[u8] = b"abc";
        golden.call(
            Call::flush,
            &Flush { groups: 1, wait: 0 },
            &[Arg::from(&bytes)],
        );
        let text = golden.text();
        assert!(
            text.contains("set_sampler_views count=3 [{view=1.1}, {view=2.1} x2]"),
            "{text}"
        );
        assert!(text.contains("flush <3 bytes 78af5f94892f3950>"), "{text}");
    }

    #[test]
    fn difference_names_the_verb_and_both_sides() {
        let old = "1:\n    set_index_buffer buffer=3.1\nflush\n2:\nclear mask=1\n";
        let new = "1:\n    set_index_buffer buffer=4.1\nflush\n2:\nclear mask=1\nflush\n";
        let found = difference(old, new);
        assert_eq!(
            found,
            [
                "at 1:\n  -     set_index_buffer buffer=3.1\n  +     set_index_buffer buffer=4.1\n",
                "at clear mask=1\n  + flush\n"
            ]
        );
        assert!(difference(old, old).is_empty());
    }
}
