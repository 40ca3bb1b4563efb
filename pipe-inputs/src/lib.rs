//! PipeInputs: what the backend has been told. The executing side of MGPipe without any driver: fields, fold, poison, comparison,
//! and the backends' trait. It must never learn anything by asking the frontend.
//!
//! A verb's life here: its source told state through `set_*` calls, which [`Executor`] folded into [`PipeInputs`]; the verb carries
//! the mask of groups that the source vouches for; the executor compares it with what the verb's class reads ([`VerbClass::required`])
//! and refuses by name; the backend reads through accessors that, with poison on, check every single read.
#![forbid(unsafe_code)]

pub mod compare;
pub mod executor;
pub mod fault;
pub mod fields;
pub mod inputs;
pub mod objects;
#[cfg(feature = "residual")]
mod residual;
pub mod tee;
pub mod values;
pub mod verbs;

pub use executor::{Executor, Inspect};
pub use fields::{
    Carrier, Difference, GROUPS, Group, GroupMask, GroupRow, ProgramValues, UnitView, VERB_CLASSES,
    Values, VerbClass,
};
pub use inputs::PipeInputs;
pub use objects::{Objects, ShaderInputs, Table};
pub use verbs::{Told, Verbs};
