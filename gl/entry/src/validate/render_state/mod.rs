//! Checks of the state of the pipeline's fixed stages, a file per stage (GL 4.6 §13 to §17). They must change nothing.

mod blend;
mod capability;
mod depth_stencil;
mod patch;
mod raster;
mod viewport;

pub use blend::*;
pub use capability::*;
pub use depth_stencil::*;
pub use patch::*;
pub use raster::*;
pub use viewport::*;

use gl_enums::GLenum;
use gl_state::GlError;

/// One of a command's legal values.
fn one_of(value: GLenum, legal: &[GLenum], what: &'static str) -> Result<u16, GlError> {
    if !legal.contains(&value) {
        return Err(GlError::invalid_enum(what));
    }
    Ok(value as u16)
}
