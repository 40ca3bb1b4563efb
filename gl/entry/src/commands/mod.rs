//! One module per chapter: carries out a command whose arguments `validate` has approved. It checks no arguments.

pub mod buffer;
pub mod clear;
pub mod conditional_render;
pub mod debug;
pub mod draw;
pub mod errors;
pub mod flush;
pub mod framebuffer;
pub mod get;
pub mod pixels;
pub mod present;
pub mod program;
pub mod program_query;
pub mod query;
pub mod readback;
pub mod render_state;
pub mod renderbuffer;
pub mod sampler;
pub mod shader;
pub mod sync;
pub mod tex_image;
pub mod texture;
pub mod transform_feedback;
pub mod uniform;
pub mod vertex_array;
pub mod vertex_attrib;
