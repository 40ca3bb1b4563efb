//! The client's copy of a buffer's bytes. It is aligned as mappings must be, and it never grows in place: new storage is new bytes.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// GL_MIN_MAP_BUFFER_ALIGNMENT (GL 4.6 table 23.55: at least 64).
pub const MAP_ALIGNMENT: usize = 64;

#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C, align(64))]
struct Line([u8; MAP_ALIGNMENT]);

/// Bytes with an aligned address that stays until they are dropped.
#[derive(Default)]
pub struct ClientBytes {
    lines: Vec<Line>,
    len: usize,
}

impl ClientBytes {
    /// Zeros, or `None` where there is no memory for them.
    pub fn zeroed(len: usize) -> Option<Self> {
        let n = len.div_ceil(MAP_ALIGNMENT);
        let mut lines = Vec::new();
        lines.try_reserve_exact(n).ok()?;
        lines.resize(n, Line([0; MAP_ALIGNMENT]));
        Some(Self { lines, len })
    }

    /// Address of byte `offset`, for a mapping. Valid while these bytes live.
    pub fn address_of(&mut self, offset: usize) -> *mut u8 {
        self[offset..].as_mut_ptr()
    }
}

impl std::ops::Deref for ClientBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.lines.as_bytes()[..self.len]
    }
}

impl std::ops::DerefMut for ClientBytes {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.lines.as_mut_bytes()[..self.len]
    }
}

impl std::fmt::Debug for ClientBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeroed_bytes_have_the_length_asked_for_and_the_alignment_of_mappings() {
        let mut bytes = ClientBytes::zeroed(100).unwrap();
        assert_eq!((bytes.len(), bytes.iter().max()), (100, Some(&0)));
        assert_eq!(bytes.address_of(0) as usize % MAP_ALIGNMENT, 0);
        assert_eq!(ClientBytes::zeroed(0).unwrap().len(), 0);
    }

    #[test]
    fn zeroed_bytes_beyond_the_address_space_are_none() {
        assert!(ClientBytes::zeroed(isize::MAX as usize).is_none());
    }
}
