//! What can be set from outside: one table of options, their sources, and the snapshot they give. It must not read the
//! environment by itself after `Sources::from_process`, and knows no other crate of the workspace.
#![forbid(unsafe_code)]

mod alternation;
mod doctor;
mod error;
mod load;
mod mask;
mod options;
mod page;
mod stats;
mod syntax;

pub use alternation::{Alternation, Turn};
pub use doctor::{BackendReport, DoctorReport, Lack};
pub use error::{ConfigError, ConfigErrors};
pub use load::{Loaded, Sources};
pub use mask::{BITS, Bit, PushMask};
pub use options::{Backend, Class, Config, Finish, Needs, OPTIONS, OptionRow, Scope};
pub use page::options_markdown;
pub use stats::{
    AbPair, AbResult, ArmCounts, Counters, CsoCounts, GateCounts, Period, ShaderCacheCounts, Stats,
    VerifyReport, VerifyResult,
};
pub use syntax::Transport;

/// What this build can do: the library tells it, because this crate cannot know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Build {
    /// The pull path is compiled in.
    pub pull: bool,
    /// The shadow comparison is compiled in.
    pub verify: bool,
    /// The planted faults are compiled in.
    pub faults: bool,
    /// The subsystem bits whose push arm exists.
    pub implemented: PushMask,
    /// The default bitmap: the bits that the ledger has as green on both backends.
    pub ledger_mask: PushMask,
}

impl Build {
    /// A build with every feature and every bit, for checking the syntax of values.
    pub const fn everything() -> Build {
        Build {
            pull: true,
            verify: true,
            faults: true,
            implemented: PushMask::ALL,
            ledger_mask: PushMask::NONE,
        }
    }
}

/// The row of an option by its variable (`MOBILEGL_PIPE_PUSH`) or its key (`pipe_push`).
pub fn row(name: &str) -> Option<&'static OptionRow> {
    OPTIONS
        .iter()
        .find(|row| row.variable == name || row.key == name)
}
