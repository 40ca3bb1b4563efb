//! Layout of records, for the snapshot that pins it. Describes; never converts.

use zerocopy::{Immutable, IntoBytes, KnownLayout, TryFromBytes};

/// A record type: what may be a payload or an element of a tail.
pub trait Record: TryFromBytes + IntoBytes + Immutable + KnownLayout + Copy + 'static {}

impl<T: TryFromBytes + IntoBytes + Immutable + KnownLayout + Copy + 'static> Record for T {}

/// Names, offsets and sizes of a record's fields.
pub trait Layout: Record {
    /// The record's type name.
    const NAME: &'static str;
    /// `(field, offset in bytes, size in bytes)`, ascending.
    const FIELDS: &'static [(&'static str, usize, usize)];

    /// One line per field, preceded by the record's name and size.
    fn describe() -> String {
        let mut text = format!("{} {} B\n", Self::NAME, std::mem::size_of::<Self>());
        for (field, offset, size) in Self::FIELDS {
            text.push_str(&format!("  {offset:>4} {size:>4} {field}\n"));
        }
        text
    }
}
