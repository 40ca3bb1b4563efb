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
    /// What was counted, with `MOBILEGL_PIPE_STATS`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counters: Option<Counters>,
    /// What alternating two bitmaps gave, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ab: Option<AbResult>,
    /// GL errors that were generated, over all contexts.
    #[serde(default)]
    pub errors: u64,
    /// What the shader cache had; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shader_cache: Option<ShaderCacheCounts>,
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

/// Entries of the shader cache: compilations, links, and what the driver made of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShaderCacheCounts {
    /// Found.
    pub hits: u64,
    /// Asked for and not there.
    pub misses: u64,
    /// Of the misses: there, and not what was written.
    pub damaged: u64,
    pub stored: u64,
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
    /// The first few.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reports: Vec<VerifyReport>,
}

/// One difference.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerifyReport {
    pub field: String,
    pub verb: String,
    /// Verbs of the context so far, this one included.
    pub verb_ordinal: u64,
    pub frame: u64,
    /// GL calls of the process so far, this one included.
    pub gl_call: u64,
    pub told: String,
    pub expected: String,
}

/// What was counted in a process. Counts that stay 0 are left out of the tables.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counters {
    pub frames: u64,
    pub verbs: u64,
    pub draws: u64,
    /// Calls of the interface, by name.
    pub calls: BTreeMap<String, u64>,
    /// Bytes that were staged, by kind.
    pub bytes: BTreeMap<String, u64>,
    /// Texture uploads of one box, uploads of several rectangles, and the rectangles.
    pub box_uploads: u64,
    pub rect_uploads: u64,
    pub rects: u64,
    /// How often the executing side had to ask for texels.
    pub texture_pulls: u64,
    /// The pull arms' reads of contexts, and the verbs before which they looked.
    pub accessor_reads: u64,
    pub pulled_verbs: u64,
    /// How often the bitmap changed.
    pub alternations: u64,
    /// The push arm's atoms.
    pub gates: BTreeMap<String, GateCounts>,
    pub csos: BTreeMap<String, CsoCounts>,
    /// Histograms: a frame's CPU time on the context's thread, and its length. Microseconds at which a bucket begins, frames in it.
    pub cpu_us: Vec<(u64, u64)>,
    pub wall_us: Vec<(u64, u64)>,
    /// In the order of the run.
    pub periods: Vec<Period>,
}

impl Counters {
    /// Periods that are kept.
    pub const MOST_PERIODS: usize = 4_096;
}

/// What one atom did at the verbs before which something had moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateCounts {
    /// Its gate held: nothing was looked at.
    pub held: u64,
    /// It looked, and the value was the one told last: a set was suppressed.
    pub same: u64,
    /// It told.
    pub told: u64,
}

/// What a cache of constant state objects did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CsoCounts {
    pub created: u64,
    pub found: u64,
    pub evicted: u64,
}

/// Some frames in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Period {
    pub frames: u64,
    pub draws: u64,
    pub calls: u64,
    pub bytes: u64,
    pub cpu_us: u64,
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
