//! glGetError and the reset status. Recording errors is the thunk's.

use crate::cx::Cx;
use gl_enums::{GL_CONTEXT_LOST, GL_NO_ERROR, GL_UNKNOWN_CONTEXT_RESET, GLenum};
use gl_state::GlError;

pub fn get_error(cx: &mut Cx<'_>) -> Result<GLenum, GlError> {
    let code = cx.ctx.error.take();
    // GL 4.6 §2.3.2: a lost context answers CONTEXT_LOST.
    Ok(if code == 0 && cx.ctx.lost {
        GL_CONTEXT_LOST
    } else {
        code
    })
}

/// GL 4.6 §2.3.2: why the context was lost, which nobody can tell here, or NO_ERROR. One that never recovers stays lost.
pub fn get_graphics_reset_status(cx: &mut Cx<'_>) -> Result<GLenum, GlError> {
    let told = cx.ctx.lose_context_on_reset && cx.ctx.lost;
    Ok(if told {
        GL_UNKNOWN_CONTEXT_RESET
    } else {
        GL_NO_ERROR
    })
}
