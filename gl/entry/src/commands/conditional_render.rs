//! Conditional rendering: the query is asked once, when it begins; draws and clears in between then have an effect or none. Nothing of it
//! crosses the seam, so every backend does the same.

use crate::commands::query::answer;
use crate::cx::Cx;
use crate::validate::conditional_render::Condition;
use gl_enums::{GL_QUERY_RESULT, GL_QUERY_RESULT_NO_WAIT};
use gl_state::GlError;

pub fn begin_conditional_render(cx: &mut Cx<'_>, condition: Condition) -> Result<(), GlError> {
    let pname = if condition.wait {
        GL_QUERY_RESULT
    } else {
        GL_QUERY_RESULT_NO_WAIT
    };
    let passed = answer(cx, condition.query, pname).map(|samples| samples != 0);
    // GL 4.6 §10.9: with an unknown result rendering goes on.
    let renders = passed.is_none_or(|passed| passed != condition.inverted);
    cx.ctx.set_condition(Some(renders));
    Ok(())
}

pub fn end_conditional_render(cx: &mut Cx<'_>, (): ()) -> Result<(), GlError> {
    cx.ctx.set_condition(None);
    Ok(())
}
