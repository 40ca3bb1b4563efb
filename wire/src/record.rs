//! The shape of a record: header and padding. It knows no call.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// First 8 bytes of a record. No sequence number: the ordinal is the sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub struct Header {
    /// Opcode of the catalogue.
    pub op: u16,
    /// Bit n: the call's further argument n is present.
    pub flags: u16,
    /// Bytes of the whole record, this header included; a multiple of [`ALIGN`].
    pub size: u32,
}

/// Everything in a record begins at a multiple of this.
pub const ALIGN: u64 = 8;
/// Bytes of [`Header`].
pub const HEAD: u64 = 8;

const _: () = assert!(std::mem::size_of::<Header>() as u64 == HEAD);
/// An unchanged draw is one record within one cache line.
const _: () = assert!(HEAD + padded(std::mem::size_of::<pipe::DrawInfo>() as u64) <= 64);

/// `bytes` up to the next multiple of [`ALIGN`]; saturates, so that an absurd size stays absurd.
pub const fn padded(bytes: u64) -> u64 {
    match bytes.checked_next_multiple_of(ALIGN) {
        Some(bytes) => bytes,
        None => u64::MAX,
    }
}
