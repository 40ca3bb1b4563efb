//! Query objects. Results come from the executing side, once.

use super::sync::flush;
use crate::c_memory;
use crate::cx::Cx;
use crate::validate::query::{NamesOut, is_counted};
use gl_enums::*;
use gl_state::GlError;
use gl_state::query::{Query, QueryTarget};
use pipe::{QueryCreate, QueryOnly, Submit};
use pipe_inputs::VerbClass;

pub fn gen_queries(cx: &mut Cx<'_>, names: NamesOut) -> Result<(), GlError> {
    let made: Vec<GLuint> = (0..names.count)
        .map(|_| cx.ctx.queries.names.generate())
        .collect();
    // SAFETY: glGenQueries writes `n` names.
    unsafe { c_memory::write_all(names.out, &made) };
    Ok(())
}

pub fn delete_queries(cx: &mut Cx<'_>, names: &[GLuint]) -> Result<(), GlError> {
    for &name in names {
        let Some(index) = cx.ctx.queries.names.remove(name) else {
            continue;
        };
        // GL 4.6 §4.2: an active query ends, its result is lost.
        let active = cx.ctx.queries.active;
        for (at, _) in active
            .iter()
            .enumerate()
            .filter(|(_, a)| **a == Some(index))
        {
            cx.ctx.queries.active[at] = None;
            end(cx, index);
        }
        if let Some(query) = cx.ctx.queries.objects[index as usize].take() {
            if query.target.is_some() && !query.uncounted {
                cx.pipe.query_destroy(&QueryOnly { query: query.id });
            }
            cx.objects.queries.release(query.id);
        }
    }
    cx.finish_verb(Submit::Done);
    Ok(())
}

pub fn is_query(cx: &mut Cx<'_>, name: GLuint) -> Result<GLboolean, GlError> {
    let found = cx.ctx.queries.get(name);
    Ok(found
        .is_some_and(|(_, query)| query.target.is_some())
        .into())
}

fn query_mut<'a>(cx: &'a mut Cx<'_>, index: u32) -> &'a mut Query {
    cx.ctx.queries.objects[index as usize]
        .as_mut()
        .expect("validation found the query")
}

/// Gives a name its object, and the object its kind; its index.
fn start(cx: &mut Cx<'_>, target: QueryTarget, name: GLuint) -> u32 {
    if cx.ctx.queries.get(name).is_none() {
        cx.ctx.create_query(cx.objects, name);
    }
    let (index, query) = cx.ctx.queries.get(name).expect("it was made just now");
    let (id, fresh) = (query.id, query.target.is_none());
    let counted = is_counted(cx, target);
    if fresh && counted {
        cx.pipe.query_create(&QueryCreate {
            query: id,
            target: target.gl(),
            index: 0,
        });
    }
    let query = query_mut(cx, index);
    query.target = Some(target);
    query.uncounted = !counted;
    query.result = (!counted).then_some(0);
    query.flushed = false;
    index
}

fn end(cx: &mut Cx<'_>, index: u32) {
    let query = query_mut(cx, index);
    if !query.uncounted {
        let id = query.id;
        cx.prepare(VerbClass::Query);
        cx.pipe.query_end(&QueryOnly { query: id });
        cx.finish_verb(Submit::Done);
    }
}

pub fn begin_query(cx: &mut Cx<'_>, (target, name): (QueryTarget, GLuint)) -> Result<(), GlError> {
    let index = start(cx, target, name);
    cx.ctx.queries.active[target as usize] = Some(index);
    let query = query_mut(cx, index);
    if !query.uncounted {
        let id = query.id;
        cx.prepare(VerbClass::Query);
        cx.pipe.query_begin(&QueryOnly { query: id });
        cx.finish_verb(Submit::Done);
    }
    Ok(())
}

pub fn end_query(cx: &mut Cx<'_>, (target, index): (QueryTarget, u32)) -> Result<(), GlError> {
    cx.ctx.queries.active[target as usize] = None;
    end(cx, index);
    Ok(())
}

pub fn query_counter(cx: &mut Cx<'_>, name: GLuint) -> Result<(), GlError> {
    let index = start(cx, QueryTarget::Timestamp, name);
    end(cx, index);
    Ok(())
}

/// The GL's time in nanoseconds, by a query of its own that is waited for (GL 4.6 §4.3: after all commands before it have reached the
/// GL). 0 where there is no timer.
pub(super) fn now(cx: &mut Cx<'_>) -> u64 {
    if !is_counted(cx, QueryTarget::Timestamp) {
        return 0;
    }
    let query = cx.objects.queries.alloc();
    let target = QueryTarget::Timestamp.gl();
    cx.pipe.query_create(&QueryCreate {
        query,
        target,
        index: 0,
    });
    cx.prepare(VerbClass::Query);
    cx.pipe.query_end(&QueryOnly { query });
    flush(cx);
    let result = cx.pipe.query_result(&QueryOnly { query });
    cx.pipe.query_destroy(&QueryOnly { query });
    cx.objects.queries.release(query);
    cx.finish_verb(Submit::Done);
    result
}

pub fn get_queryiv(_cx: &mut Cx<'_>, (value, out): (GLint, *mut GLint)) -> Result<(), GlError> {
    // SAFETY: glGetQueryiv writes one integer.
    unsafe { c_memory::write(out, value) };
    Ok(())
}

/// The answer; `None`: there is no result yet and none was waited for.
pub(super) fn answer(cx: &mut Cx<'_>, index: u32, pname: GLenum) -> Option<u64> {
    let query = query_mut(cx, index);
    let id = query.id;
    let boolean = query.target.is_some_and(QueryTarget::is_boolean);
    if query.result.is_none() {
        // Polls of an unsent query would never end.
        if !std::mem::replace(&mut query.flushed, true) {
            flush(cx);
        }
        let wait = pname == GL_QUERY_RESULT;
        if wait || cx.pipe.query_available(&QueryOnly { query: id }) {
            let result = cx.pipe.query_result(&QueryOnly { query: id });
            query_mut(cx, index).result = Some(result);
        }
        cx.finish_verb(Submit::Done);
    }
    let result = query_mut(cx, index).result;
    match pname {
        GL_QUERY_RESULT_AVAILABLE => Some(result.is_some().into()),
        _ if boolean => result.map(|value| (value != 0).into()),
        _ => result,
    }
}

macro_rules! gets {
    ($($name:ident $ty:ty;)*) => {$(
        pub fn $name(cx: &mut Cx<'_>, (index, pname, out): (u32, GLenum, *mut $ty)) -> Result<(), GlError> {
            if let Some(value) = answer(cx, index, pname) {
                // GL 4.6 §4.2.3: what does not fit is answered as the largest value.
                let value = <$ty>::try_from(value).unwrap_or(<$ty>::MAX);
                // SAFETY: the command writes one number.
                unsafe { c_memory::write(out, value) };
            }
            Ok(())
        }
    )*};
}
gets! {
    get_query_objectiv GLint;
    get_query_objectuiv GLuint;
    get_query_object_i64v GLint64;
    get_query_object_ui64v GLuint64;
}
