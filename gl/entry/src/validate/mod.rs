//! One module per chapter: checks the C arguments of a command against the context. It must change nothing.

pub mod buffer;
pub mod clear;
pub mod compressed_image;
pub mod conditional_render;
pub mod debug;
pub mod draw;
pub mod framebuffer;
pub mod get;
pub mod names;
pub mod pixels;
pub mod program;
pub mod program_query;
pub mod query;
pub mod readback;
pub mod render_state;
pub mod renderbuffer;
pub mod sampler;
pub mod sampler_params;
pub mod shader;
pub mod sync;
pub mod tex_image;
pub mod texture;
pub mod transform_feedback;
pub mod uniform;
pub mod vertex_array;
pub mod vertex_attrib;
