//! One module per chapter: carries out a command whose arguments `validate` has approved. It checks no arguments.
pub mod present;

pub mod buffer;
pub mod draw;
pub mod errors;
pub mod get;
pub mod program;
pub mod program_query;
pub mod render_state;
pub mod shader;
pub mod uniform;
pub mod vertex_array;
pub mod vertex_attrib;
