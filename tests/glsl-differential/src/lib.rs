//! Our GLSL compiler against a second one: what they take and refuse, and what each says of a shader's interface. It must not decide by
//! what ours says alone.

pub mod interface;
pub mod ours;
pub mod reference;
pub mod spirv;

use interface::Interface;
use reference::{Effort, Reference};

/// What became of one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Both refuse it, or both take it and say the same of it.
    Same,
    /// The second compiler does not take the language: the `#version` is too old for SPIR-V.
    NotComparable,
    /// They differ: how.
    Differs(Vec<String>),
}

/// Compiles one source with both.
pub fn compare(second: &Reference, source: &str, suffix: &str) -> Outcome {
    if version(source) < 330 {
        return Outcome::NotComparable;
    }
    let theirs = second.compile(source, suffix, Effort::None);
    let ours = ours::interface(source, suffix);
    match (ours, theirs) {
        (Err(_), Err(_)) => Outcome::Same,
        (Err(log), Ok(_)) => Outcome::Differs(vec![format!("only ours refuses it: {log}")]),
        (Ok(_), Err(log)) => Outcome::Differs(vec![format!("only ours takes it: {log}")]),
        (Ok(ours), Ok(declared)) => {
            let live = second
                .compile(source, suffix, Effort::Performance)
                .expect("it compiled before");
            let (declared, live) = (spirv::interface(&declared), spirv::interface(&live));
            let found = differences(&ours, &declared, &live);
            match found.is_empty() {
                true => Outcome::Same,
                false => Outcome::Differs(found),
            }
        }
    }
}

/// What is active for us must be declared alike for the second compiler, and what is still there after its optimiser must be active for
/// us.
pub fn differences(ours: &Interface, declared: &Interface, live: &Interface) -> Vec<String> {
    let mut found = Vec::new();
    for (name, shape) in &ours.variables {
        match declared.variables.get(name) {
            Some(other) if other == shape => {}
            other => found.push(format!("{name}: {shape:?} for us, {other:?} for it")),
        }
    }
    for (name, shape) in &live.variables {
        if !ours.variables.contains_key(name) && !interface::is_left_out(shape) {
            found.push(format!("{name} is used and not active for us"));
        }
    }
    for (member, offset) in &ours.offsets {
        match declared.offsets.get(member) {
            Some(other) if other == offset => {}
            other => found.push(format!("{member}: at {offset} for us, {other:?} for it")),
        }
    }
    found
}

/// The `#version` of a source; 110 without one.
fn version(source: &str) -> u32 {
    let line = source
        .lines()
        .map(str::trim)
        .find(|line| line.starts_with('#') && line.contains("version"));
    line.and_then(|line| line.split_whitespace().find_map(|word| word.parse().ok()))
        .unwrap_or(110)
}
