//! The residual block on the wire: its members one by one, never as a memory image. A build without the block refuses it.

/// Whether `block` is the serialisation of exactly `rows`.
#[cfg(feature = "residual")]
pub(crate) fn holds(rows: u32, block: &[u8]) -> bool {
    residual_block::decode(rows, block).is_some()
}

#[cfg(not(feature = "residual"))]
pub(crate) fn holds(_: u32, _: &[u8]) -> bool {
    false
}
