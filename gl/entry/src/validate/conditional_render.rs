//! Checks of conditional rendering (GL 4.6 §10.9). It must change nothing.

use crate::cx::Cx;
use gl_enums::*;
use gl_state::GlError;
use gl_state::query::QueryTarget;

/// A checked glBeginConditionalRender.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    /// Index of the query.
    pub query: u32,
    /// The result is waited for; else an unknown one renders.
    pub wait: bool,
    /// Renders where the query failed.
    pub inverted: bool,
}

pub fn begin_conditional_render(
    cx: &Cx<'_>,
    id: GLuint,
    mode: GLenum,
) -> Result<Condition, GlError> {
    // GL 4.6 §10.9: INVALID_ENUM if mode is none of the eight.
    let (wait, inverted) = match mode {
        GL_QUERY_WAIT | GL_QUERY_BY_REGION_WAIT => (true, false),
        GL_QUERY_NO_WAIT | GL_QUERY_BY_REGION_NO_WAIT => (false, false),
        GL_QUERY_WAIT_INVERTED | GL_QUERY_BY_REGION_WAIT_INVERTED => (true, true),
        GL_QUERY_NO_WAIT_INVERTED | GL_QUERY_BY_REGION_NO_WAIT_INVERTED => (false, true),
        _ => return Err(GlError::invalid_enum("mode")),
    };
    // GL 4.6 §10.9: INVALID_OPERATION if conditional rendering is in progress, if the query is, or if it counts no samples;
    // INVALID_VALUE if id is not the name of an existing query object.
    if cx.ctx.condition.is_some() {
        return Err(GlError::invalid_operation(
            "conditional rendering is in progress",
        ));
    }
    let Some((query, object)) = cx.ctx.queries.get(id) else {
        return Err(GlError::invalid_value("id is not a query object"));
    };
    if cx.ctx.queries.is_active(query) {
        return Err(GlError::invalid_operation("the query is active"));
    }
    if !object.target.is_some_and(QueryTarget::is_occlusion) {
        return Err(GlError::invalid_operation("the query counts no samples"));
    }
    Ok(Condition {
        query,
        wait,
        inverted,
    })
}

pub fn end_conditional_render(cx: &Cx<'_>) -> Result<(), GlError> {
    // GL 4.6 §10.9: INVALID_OPERATION if conditional rendering is not in progress.
    if cx.ctx.condition.is_none() {
        return Err(GlError::invalid_operation(
            "conditional rendering is not in progress",
        ));
    }
    Ok(())
}
