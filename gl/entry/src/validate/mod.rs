//! One module per chapter: checks the C arguments of a command against the context. It must change nothing.

pub mod get;
pub mod program;
pub mod program_query;
pub mod shader;
pub mod uniform;
