//! The layout of what crosses the interface: opcodes, payloads, elements of tails. A change is seen and meant.

use std::fmt::Write;

use pipe::layout::Layout;
use scenarios::lane::Lane;
use scenarios::library;

use crate::sources;

const SNAPSHOT: &str = "gates/snapshots/layout.txt";

macro_rules! rows {
    ($($(#[doc = $doc:literal])* $op:literal $name:ident : $class:ident [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty;)*) => {
        /// Opcode, name, payload's layout, further arguments.
        fn calls() -> Vec<(u16, &'static str, String, Vec<&'static str>)> {
            vec![$((
                $op,
                stringify!($name),
                <pipe::payload::$payload as Layout>::describe(),
                vec![$(concat!(stringify!($arg), ": ", stringify!($ty))),*],
            )),*]
        }
    };
}
pipe::pipe_calls!(rows);

/// Records that travel in tails or inside other records.
fn elements() -> Vec<String> {
    vec![
        pipe::BoundView::describe(),
        pipe::VertexBuffer::describe(),
        pipe::SamplerOnly::describe(),
        pipe::ImageView::describe(),
        pipe::BufferRange::describe(),
        pipe::AttribValue::describe(),
        pipe::SubRegion::describe(),
        pipe::ProgramBinding::describe(),
        pipe::DrawRange::describe(),
        pipe::DrawIndirect::describe(),
        pipe::VertexAttrib::describe(),
        pipe::VertexBinding::describe(),
        pipe::Surface::describe(),
    ]
}

/// The whole layout as text.
fn text() -> String {
    let mut out = String::new();
    for (opcode, name, payload, arguments) in calls() {
        let _ = writeln!(out, "{opcode} {name}");
        for line in payload.lines() {
            let _ = writeln!(out, "  {line}");
        }
        for argument in arguments {
            let _ = writeln!(out, "  + {argument}");
        }
    }
    for element in elements() {
        let _ = write!(out, "\nelement {element}");
    }
    for (chunk, field, offset, size) in pipe::render_state::FIELDS {
        let _ = writeln!(out, "render_state {offset:>4} {size:>4} {chunk}.{field}");
    }
    out
}

/// The first lines that differ.
fn difference(snapshot: &str, now: &str) -> Option<String> {
    let (mut old, mut new) = (snapshot.lines(), now.lines());
    loop {
        match (old.next(), new.next()) {
            (None, None) => return None,
            (a, b) if a == b => {}
            (a, b) => {
                return Some(format!(
                    "- {}\n+ {}",
                    a.unwrap_or("(end)"),
                    b.unwrap_or("(end)")
                ));
            }
        }
    }
}

#[test]
fn wire_layout_unchanged_or_bumped() {
    let path = sources::root().join(SNAPSHOT);
    let now = text();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &now).expect("the snapshot is written");
        return;
    }
    let snapshot = std::fs::read_to_string(&path).unwrap_or_default();
    if let Some(difference) = difference(&snapshot, &now) {
        panic!(
            "the layout is not that of {SNAPSHOT}:\n{difference}\n\
             Rows are appended, never changed in place. If this is meant, run \
             `UPDATE_EXPECT=1 cargo nextest run -p gates -E 'test(wire_layout_unchanged_or_bumped)'` and name the new \
             protocol version in the commit's subject."
        );
    }
}

#[test]
fn wire_layout_unchanged_or_bumped_control() {
    let now = text();
    let moved = now
        .replacen("clear.", "cleared.", 1)
        .replacen("58 blit", "58 blat", 1);
    assert_ne!(moved, now);
    let seen = difference(&now, &moved).expect("a planted change");
    assert!(seen.contains("- 58 blit\n+ 58 blat"), "{seen}");
    assert!(
        difference(&now, &format!("{now}99 appended\n")).is_some_and(|seen| seen.contains("(end)"))
    );
}

/// What is wrong with the hash that a library says it was built with.
fn foreign_hash(said: &str) -> Option<String> {
    let now = format!("{:016x}", wire::layout_hash());
    (said != now).then(|| format!("the library says `{said}`, the protocol's layout is `{now}`"))
}

#[test]
fn library_says_the_layout_hash_of_the_protocol() {
    let library = library::of(Lane::null);
    let said = &library.own.as_ref().expect("our library").fingerprint;
    assert_eq!(foreign_hash(&said.layout_hash), None);
}

#[test]
fn library_says_the_layout_hash_of_the_protocol_control() {
    let other = format!("{:016x}", wire::layout_hash() ^ 1);
    assert!(foreign_hash(&other).is_some_and(|why| why.contains(&other)));
}
