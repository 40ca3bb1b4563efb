//! The residual block: one plain struct of the value groups whose own call has not taken over yet. It only ever shrinks.
//!
//! Each member names the phase that retires it; [`size_at`] says how many bytes are left at a phase's exit and is asserted
//! non-increasing. Members are serialised one by one, never as one memory image.
#![forbid(unsafe_code)]

use pipe::pixels::PixelStore;
use pipe::{AttribValue, MAX_VERTEX_ATTRIBS, PatchState, RenderState};
use zerocopy::{IntoBytes, TryFromBytes};

/// Phases at whose exit a member may leave, in the order of the ledger. The last is the end of the block.
pub const PHASES: [&str; 14] = [
    "P2", "P3a", "P4a", "P5", "P6", "P3b", "P4b", "P7", "P8", "P9", "P10", "P11", "P12", "P13",
];

macro_rules! residual {
    ($($(#[$doc:meta])* $row:ident $member:ident: $ty:ty, $size:literal bytes, aligned $align:literal, until $phase:literal;)*) => {
        // The layout of each member, by itself: a field that is added, or padding that appears, does not compile.
        $(const _: () = {
            assert!(std::mem::size_of::<$ty>() == $size, stringify!($member));
            assert!(std::mem::align_of::<$ty>() == $align, stringify!($member));
        };)*

        /// A member of the block.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)]
        pub enum Row { $($(#[$doc])* $row,)* }

        impl Row {
            /// Every member, in the order of serialisation.
            pub const ALL: &[Self] = &[$(Self::$row),*];

            /// Bit in a mask of rows.
            pub const fn bit(self) -> u32 {
                1 << self as u32
            }

            /// Size of the member in bytes.
            pub const fn size_bytes(self) -> usize {
                match self { $(Self::$row => std::mem::size_of::<$ty>(),)* }
            }

            /// Phase at whose exit the member is gone.
            pub const fn retired_at(self) -> &'static str {
                match self { $(Self::$row => $phase,)* }
            }

            /// The member's name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$row => stringify!($member),)* }
            }
        }

        /// The values.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct ResidualValues { $($(#[$doc])* pub $member: $ty,)* }

        /// Appends the members of `rows`, in order, each as its own bytes.
        pub fn encode(values: &ResidualValues, rows: u32, out: &mut Vec<u8>) {
            $(if rows & Row::$row.bit() != 0 {
                out.extend_from_slice(values.$member.as_bytes());
            })*
        }

        /// Reads what [`encode`] wrote: members outside `rows` keep their initial value. `None`: an unknown row or a wrong size.
        pub fn decode(rows: u32, block: &[u8]) -> Option<ResidualValues> {
            let known = 0 $(| Row::$row.bit())*;
            let mut values = ResidualValues::default();
            let mut rest = block;
            $(if rows & Row::$row.bit() != 0 {
                let (head, tail) = rest.split_at_checked(std::mem::size_of::<$ty>())?;
                values.$member = <$ty>::try_read_from_bytes(head).ok()?;
                rest = tail;
            })*
            (rest.is_empty() && rows & !known == 0).then_some(values)
        }
    };
}

residual! {
    /// Render state, whole.
    RenderState render_state: RenderState, 1064 bytes, aligned 8, until "P13";
    /// Pack parameters.
    PixelPack pack: PixelStore, 28 bytes, aligned 4, until "P13";
    /// Patch state.
    PatchState patch: PatchState, 28 bytes, aligned 4, until "P13";
    /// Current attribute values.
    AttribDefaults attrib_defaults: [AttribValue; MAX_VERTEX_ATTRIBS], 320 bytes, aligned 4, until "P13";
}

impl Default for ResidualValues {
    fn default() -> Self {
        Self {
            render_state: RenderState::default(),
            pack: PixelStore::default(),
            patch: PatchState {
                vertices: 3,
                outer: [1.0; 4],
                inner: [1.0; 2],
            },
            attrib_defaults: [AttribValue {
                bits: [0, 0, 0, 0x3F80_0000],
                kind: 0,
            }; MAX_VERTEX_ATTRIBS],
        }
    }
}

const fn index_of(phase: &str) -> usize {
    let mut i = 0;
    while i < PHASES.len() {
        if str_eq(PHASES[i], phase) {
            return i;
        }
        i += 1;
    }
    panic!("a phase that PHASES does not list");
}

const fn str_eq(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Bytes left in the block at the exit of a phase of [`PHASES`].
pub const fn size_at(phase: &str) -> usize {
    let phase = index_of(phase);
    let (mut bytes, mut i) = (0, 0);
    while i < Row::ALL.len() {
        if index_of(Row::ALL[i].retired_at()) > phase {
            bytes += Row::ALL[i].size_bytes();
        }
        i += 1;
    }
    bytes
}

const _: () = {
    let mut i = 1;
    while i < PHASES.len() {
        assert!(
            size_at(PHASES[i]) <= size_at(PHASES[i - 1]),
            "the block never grows"
        );
        i += 1;
    }
    assert!(size_at("P13") == 0, "nothing is left at the end");
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_rows_decode_to_the_same_values_and_a_cut_block_is_refused() {
        let mut values = ResidualValues::default();
        values.render_state.blend.enabled = 3;
        values.patch.vertices = 4;
        let rows = Row::RenderState.bit() | Row::PatchState.bit();
        let mut block = Vec::new();
        encode(&values, rows, &mut block);
        assert_eq!(
            block.len(),
            Row::RenderState.size_bytes() + Row::PatchState.size_bytes()
        );
        assert_eq!(decode(rows, &block), Some(values));
        assert_eq!(decode(rows, &block[1..]), None);
        assert_eq!(decode(1 << 31, &[]), None);
    }
}
