//! Sync objects: a fence each. Whether it is signalled is the executing side's answer, remembered once it was yes.

use pipe::FenceId;

/// A sync object (GL 4.6 §4.1).
#[derive(Debug)]
pub struct Sync {
    pub fence: FenceId,
    /// The executing side said so; it stays so.
    pub signalled: bool,
    /// The commands before it were sent: whoever polls sees the end of them.
    pub flushed: bool,
    pub label: Option<String>,
}
