//! The layout of the protocol as text and as a number: what both ends must agree on before the first record. Made from the records
//! themselves; it lists nothing by hand.

use crate::arg::Arg;
use pipe::field::{Field, Layouts};
use pipe::{CALLS, CallFlags, Host, HostSpan, ReplyBytes, payload::*, pipe_calls};
use std::fmt::Write;

/// Moves with every change of [`layout_hash`] that has left a development build.
pub const PROTOCOL_VERSION: u32 = 1;

macro_rules! layouts {
    ($($(#[$doc:meta])* $op:literal $name:ident : $class:ident [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty;)*) => {
        /// Every type that a record can hold.
        fn types() -> Layouts {
            let mut out = Layouts::new();
            $(
                <$payload as Field>::layouts(&mut out);
                $(<fn($ty) as Arg<'static>>::layouts(&mut out);)*
            )*
            out
        }
    };
}
pipe_calls!(layouts);

/// The calls, then the types by name, then the chunks of the render state.
pub fn layout_text() -> String {
    let mut text = format!(
        "protocol {PROTOCOL_VERSION}, program archive {}\n\ncalls\n",
        pipe::program::ARCHIVE_VERSION
    );
    for row in CALLS {
        let args: Vec<String> = row
            .args
            .iter()
            .map(|(name, ty)| format!("{name}: {ty}"))
            .collect();
        let flags: Vec<&str> = CallFlags::iter_names(&row.flags)
            .map(|(name, _)| name)
            .collect();
        let _ = writeln!(
            text,
            "{:>4} {}: {:?} [{}] {:?}, {}({}) -> {}",
            row.opcode,
            row.name,
            row.class,
            flags.join(" "),
            row.wait,
            row.payload,
            args.join(", "),
            row.result
        );
    }
    text.push_str("\ntypes\n");
    for description in types().values() {
        text.push_str(description);
    }
    text.push_str("\nrender state chunks\n");
    for (chunk, field, offset, size) in pipe::render_state::FIELDS {
        let _ = writeln!(text, "  {offset:>4} {size:>4} {chunk}.{field}");
    }
    text
}

/// xxh3 of [`layout_text`].
pub fn layout_hash() -> u64 {
    xxhash_rust::xxh3::xxh3_64(layout_text().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page says which layout it describes; a change of either without the other is caught here.
    #[test]
    fn page_of_the_protocol_carries_this_layout_hash() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/wire-protocol.md");
        let page = std::fs::read_to_string(page).expect("docs/wire-protocol.md exists");
        let line = format!(
            "Layout hash: `{:#018x}`, protocol {PROTOCOL_VERSION}.",
            layout_hash()
        );
        assert!(
            page.contains(&line),
            "records changed: review docs/wire-protocol.md and write there\n{line}"
        );
    }

    #[test]
    fn layout_text_holds_every_call_payload_and_nested_type() {
        let text = layout_text();
        for row in CALLS {
            assert!(text.contains(&format!(" {}: ", row.name)));
            assert!(text.contains(&format!("\n{} {} B\n", row.payload, row.payload_bytes)));
        }
        for nested in [
            "Surface",
            "Box3",
            "VertexAttrib",
            "HostSpan",
            "PixelStore",
            "Format",
        ] {
            assert!(text.contains(&format!("\n{nested} ")), "{nested}");
        }
    }
}
