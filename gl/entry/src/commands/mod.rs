//! One module per chapter: carries out a command whose arguments `validate` has approved. It checks no arguments.
pub mod present;

pub mod get;
pub mod program;
pub mod program_query;
pub mod shader;
pub mod uniform;
