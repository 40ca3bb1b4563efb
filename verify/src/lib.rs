//! Verification: what was told against what the context holds, recordings of what was told, comparison of images. It never tells
//! anything itself and shares no code with the tracker.
#![forbid(unsafe_code)]

pub mod check;
pub mod contents;
mod debug_text;
mod first_record;
pub mod golden;
pub mod images;
pub mod recorder;
pub mod retained;
pub mod shadow;

pub use check::{Heard, Report, Verifier};
pub use contents::Contents;
pub use first_record::{FirstRecord, first_record};
pub use recorder::{Deafness, Recorder, Recording};
pub use retained::Retained;
