//! Host bytes: how application memory is named in a record. A span is resolved only by the executing side's
//! resolver, for the verb that carries it, and is never kept.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// No bytes.
pub const SEGMENT_NONE: u32 = 0;
/// The frontend's own memory, in one process and thread: resolved through [`HostBytes`].
pub const SEGMENT_FRONTEND: u32 = 1;
/// Inside byte streams only: bytes that travel in the record of the verb. The offset is the key of a piece there.
pub const SEGMENT_STAGE: u32 = 2;

/// Bytes outside a record: a segment, an offset, a size. In segment FRONTEND the offset is opaque.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout,
)]
#[repr(C)]
pub struct HostSpan {
    pub segment: u32,
    pub _pad: u32,
    pub offset: u64,
    pub size_bytes: u64,
}

impl HostSpan {
    /// The size of a span whose end the executing side has to find, at a draw with flag OPEN_VERTICES: in one process only.
    pub const OPEN: u64 = 1 << 62;

    /// No bytes.
    pub const NONE: Self = Self {
        segment: SEGMENT_NONE,
        _pad: 0,
        offset: 0,
        size_bytes: 0,
    };
}

/// Resolves spans for one verb.
pub trait HostBytes {
    /// The bytes that `span` names, or `None` if it names none that this verb may read.
    fn bytes(&self, span: &HostSpan) -> Option<&[u8]>;
}

/// A resolver that resolves nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoHostBytes;

impl HostBytes for NoHostBytes {
    fn bytes(&self, _: &HostSpan) -> Option<&[u8]> {
        None
    }
}

/// The resolver of a verb, as an argument of a call.
#[derive(Clone, Copy)]
pub struct Host<'a>(pub &'a dyn HostBytes);

impl Host<'static> {
    /// Resolves nothing.
    pub const NONE: Self = Self(&NoHostBytes);
}

/// Where the bytes of a reply go: the destination, or nothing where they go to a pack buffer.
#[derive(Debug)]
pub struct ReplyBytes<'a>(pub Option<&'a mut [u8]>);
