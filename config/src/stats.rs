//! What the library tells about a run, as JSON, when its process ends: the contract between the library (writer) and
//! the command line (reader). It holds figures only; it must not decide whether they are good.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The file named by `MOBILEGL_PIPE_STATS_FILE`, written at process exit and at `eglTerminate`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    /// The bitmap of the last context that was current: a reader checks that it is the one it asked for.
    pub mask_in_force: u64,
    /// `gles`, `vulkan` or `null`: what `auto` became.
    pub backend: String,
    /// The device's name as the driver tells it.
    pub device: String,
    /// Per subsystem bit, by its name: how often each arm worked.
    #[serde(default)]
    pub arms: BTreeMap<String, ArmCounts>,
    #[serde(default)]
    pub verify: VerifyResult,
    /// What alternating two bitmaps gave, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ab: Option<AbResult>,
    /// GL errors that were generated, over all contexts.
    #[serde(default)]
    pub errors: u64,
    /// Calls per command; commands that were never called are left out.
    #[serde(default)]
    pub calls: BTreeMap<String, u64>,
    /// Commands that were called and are not implemented, each once, in the order of their first call.
    #[serde(default)]
    pub missing: Vec<String>,
}

/// How often the two arms of one subsystem worked in a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArmCounts {
    pub push: u64,
    pub pull: u64,
}

/// What the field-by-field comparison found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerifyResult {
    /// Fields that differed, counted once per verb.
    pub differences: u64,
    /// Verbs that were compared; 0 means that nothing was verified.
    pub verbs: u64,
    /// The first difference as `field@verb #ordinal ...`.
    pub first: Option<String>,
}

/// Two bitmaps by turns inside one run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AbResult {
    pub a: u64,
    pub b: u64,
    /// Frames of one block, and how many of them, at its start, no figure counts.
    pub frames: u32,
    pub left_out: u32,
    /// How often the bitmap changed.
    pub flips: u64,
    /// In the order of the run; at most [`AbResult::MOST_PAIRS`].
    pub pairs: Vec<AbPair>,
}

impl AbResult {
    /// Pairs that are kept: more would only make the file long.
    pub const MOST_PAIRS: usize = 16_384;
}

/// One block of each arm, next to each other in time: CPU time of the context's thread in the counted frames, and the verbs in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AbPair {
    pub a_ns: u64,
    pub a_verbs: u64,
    pub b_ns: u64,
    pub b_verbs: u64,
}
