//! Checks of query objects (GL 4.6 §4.2, §4.3). It must change nothing.

use super::names;
use crate::cx::Cx;
use gl_enums::*;
use gl_state::GlError;
use gl_state::query::QueryTarget;
use pipe::Ability;

pub use super::names::NamesOut;

/// Targets of glBeginQuery.
fn target(value: GLenum) -> Result<QueryTarget, GlError> {
    QueryTarget::from_gl(value)
        .filter(|target| *target != QueryTarget::Timestamp)
        .ok_or_else(|| GlError::invalid_enum("target is no query target"))
}

/// Whether the device counts such a thing.
pub(crate) fn is_counted(cx: &Cx<'_>, target: QueryTarget) -> bool {
    let needed = match target {
        QueryTarget::SamplesPassed
        | QueryTarget::AnySamplesPassed
        | QueryTarget::AnySamplesPassedConservative => Ability::OCCLUSION_QUERY,
        QueryTarget::TimeElapsed | QueryTarget::Timestamp => Ability::TIMER_QUERY,
        QueryTarget::PrimitivesGenerated | QueryTarget::PrimitivesWritten => {
            Ability::XFB_PRIMITIVES_QUERY
        }
    };
    cx.ctx.caps.abilities.contains(needed)
}

pub fn gen_queries(_cx: &Cx<'_>, n: GLsizei, ids: *mut GLuint) -> Result<NamesOut, GlError> {
    names::generate(n, ids)
}

pub fn delete_queries(
    _cx: &Cx<'_>,
    n: GLsizei,
    ids: *const GLuint,
) -> Result<&'static [GLuint], GlError> {
    names::delete(n, ids)
}

/// A query that may begin with this target: its name, whether it exists or not.
fn startable(cx: &Cx<'_>, target: QueryTarget, name: GLuint) -> Result<(), GlError> {
    let queries = &cx.ctx.queries;
    // GL 4.6 §4.2: INVALID_OPERATION if id is not a name that glGenQueries returned, if it is active, or if it is of another target.
    if name == 0 || !queries.names.is_taken(name) {
        return Err(GlError::invalid_operation("id is not the name of a query"));
    }
    if let Some((index, query)) = queries.get(name) {
        if queries.is_active(index) {
            return Err(GlError::invalid_operation("the query is active"));
        }
        if query.target.is_some_and(|t| t != target) {
            return Err(GlError::invalid_operation(
                "the query is one of another target",
            ));
        }
    }
    Ok(())
}

pub fn begin_query(
    cx: &Cx<'_>,
    target_value: GLenum,
    name: GLuint,
) -> Result<(QueryTarget, GLuint), GlError> {
    let target = target(target_value)?;
    let queries = &cx.ctx.queries;
    let busy = |other: QueryTarget| queries.active[other as usize].is_some();
    let occlusion = [
        QueryTarget::SamplesPassed,
        QueryTarget::AnySamplesPassed,
        QueryTarget::AnySamplesPassedConservative,
    ];
    if busy(target) || (target.is_occlusion() && occlusion.into_iter().any(busy)) {
        return Err(GlError::invalid_operation(
            "a query of this target is active",
        ));
    }
    startable(cx, target, name)?;
    Ok((target, name))
}

pub fn end_query(cx: &Cx<'_>, target_value: GLenum) -> Result<(QueryTarget, u32), GlError> {
    let target = target(target_value)?;
    cx.ctx.queries.active[target as usize]
        .map(|index| (target, index))
        .ok_or_else(|| GlError::invalid_operation("no query of this target is active"))
}

pub fn query_counter(cx: &Cx<'_>, name: GLuint, target: GLenum) -> Result<GLuint, GlError> {
    if target != GL_TIMESTAMP {
        return Err(GlError::invalid_enum("target is not TIMESTAMP"));
    }
    startable(cx, QueryTarget::Timestamp, name)?;
    Ok(name)
}

pub fn get_queryiv(
    cx: &Cx<'_>,
    target: GLenum,
    pname: GLenum,
    params: *mut GLint,
) -> Result<(GLint, *mut GLint), GlError> {
    let target = QueryTarget::from_gl(target)
        .ok_or_else(|| GlError::invalid_enum("target is no query target"))?;
    let queries = &cx.ctx.queries;
    let value = match pname {
        GL_CURRENT_QUERY => queries
            .active
            .get(target as usize)
            .copied()
            .flatten()
            .and_then(|index| queries.objects[index as usize].as_ref())
            .map_or(0, |query| query.name as GLint),
        GL_QUERY_COUNTER_BITS if !is_counted(cx, target) => 0,
        GL_QUERY_COUNTER_BITS => match target {
            // GL 4.6 §4.2.3: with zero bits "the counter contains no useful information"; ES only knows whether any sample passed.
            QueryTarget::SamplesPassed
                if !cx.ctx.caps.abilities.contains(Ability::OCCLUSION_COUNT) =>
            {
                0
            }
            QueryTarget::AnySamplesPassed | QueryTarget::AnySamplesPassedConservative => 1,
            QueryTarget::TimeElapsed | QueryTarget::Timestamp => {
                cx.ctx.caps.limits.timestamp_bits as GLint
            }
            QueryTarget::SamplesPassed
            | QueryTarget::PrimitivesGenerated
            | QueryTarget::PrimitivesWritten => 64,
        },
        _ => return Err(GlError::invalid_enum("pname is no parameter of a query")),
    };
    Ok((value, params))
}

fn readable(cx: &Cx<'_>, name: GLuint, pname: GLenum) -> Result<u32, GlError> {
    // GL 4.6 §4.2.3: INVALID_OPERATION if id is not the name of a query object, or if it is active.
    let (index, query) = cx
        .ctx
        .queries
        .get(name)
        .ok_or_else(|| GlError::invalid_operation("id is not the name of a query object"))?;
    if query.target.is_none() || cx.ctx.queries.is_active(index) {
        return Err(GlError::invalid_operation(
            "the query is active or never ran",
        ));
    }
    match pname {
        GL_QUERY_RESULT | GL_QUERY_RESULT_AVAILABLE => Ok(index),
        GL_QUERY_RESULT_NO_WAIT if cx.ctx.version >= (4, 4) => Ok(index),
        _ => Err(GlError::invalid_enum(
            "pname is no parameter of a query object",
        )),
    }
}

macro_rules! gets {
    ($($name:ident $ty:ty;)*) => {$(
        pub fn $name(cx: &Cx<'_>, name: GLuint, pname: GLenum, params: *mut $ty) -> Result<(u32, GLenum, *mut $ty), GlError> {
            Ok((readable(cx, name, pname)?, pname, params))
        }
    )*};
}
gets! {
    get_query_objectiv GLint;
    get_query_objectuiv GLuint;
    get_query_object_i64v GLint64;
    get_query_object_ui64v GLuint64;
}
