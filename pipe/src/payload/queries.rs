//! Fences and queries: created without a round trip, polled without one. An answer is never made up on this side.

use super::record;
use crate::handle::{FenceId, QueryId};

record! {
    /// A call that only names a fence.
    pub struct FenceOnly {
        pub fence: FenceId,
    }

    /// Waits until a fence is signalled or time is up.
    pub struct FenceWait {
        pub fence: FenceId,
        pub timeout_ns: u64,
    }

    /// A query and its GL target (GL_SAMPLES_PASSED ...).
    pub struct QueryCreate {
        pub query: QueryId,
        pub target: u32,
        pub index: u32,
    }

    /// A call that only names a query.
    pub struct QueryOnly {
        pub query: QueryId,
    }
}

/// Answer to a fence poll or wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenceStatus {
    Unsignalled,
    Signalled,
    /// The wait failed (device lost).
    Failed,
}
