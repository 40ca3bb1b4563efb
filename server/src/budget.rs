//! What one session may use. A budget bounds a hostile peer; it is far above what any program needs and never scheduling.

use crate::fatal::Why;

/// Limits of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Objects of all kinds alive at once.
    pub objects: u64,
    /// Bytes of storage as described, of archives, and of table rows.
    pub bytes: u64,
    /// Bytes of one reply.
    pub reply_bytes: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            objects: 1 << 20,
            // As much as large graphics memories have; drivers overcommit into host memory below that.
            bytes: 64 << 30,
            // An image of 16384 x 16384 pixels of 4 bytes.
            reply_bytes: 1 << 30,
        }
    }
}

/// What is used of a budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Used {
    pub objects: u64,
    pub bytes: u64,
}

impl Used {
    /// What would be used with `objects` and `bytes` more and `released` bytes less.
    pub fn with(self, objects: u64, bytes: u64, released: u64, of: &Budget) -> Result<Self, Why> {
        let wants = |used: u64, more: u64, limit: u64, what| {
            let wants = used.saturating_add(more);
            if wants > limit {
                return Err(Why::Budget { what, wants, limit });
            }
            Ok(wants)
        };
        Ok(Self {
            objects: wants(self.objects, objects, of.objects, "objects")?,
            bytes: wants(self.bytes - released, bytes, of.bytes, "bytes")?,
        })
    }
}
