//! glGetError. Recording errors is the thunk's.

use crate::cx::Cx;
use gl_enums::{GL_CONTEXT_LOST, GLenum};
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
