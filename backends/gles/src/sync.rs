//! Fences and queries. A query's answer is the driver's, or zero where the driver has no such query.

use crate::backend::GlesBackend;
use backend_common::{TwinKey, TwinTable};
use glow::HasContext;
use pipe::{ContextId, FenceId, FenceStatus, QueryId};

/// A fence of the driver.
#[derive(Debug)]
pub struct Fence {
    name: glow::NativeFence,
    flushed: bool,
}

// SAFETY: a sync object is a name of the share group, usable from any thread with a context of it (ES 3.2 §5.2).
unsafe impl Send for Fence {}

/// A query of the driver; `name` is `None` where it has no such target.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    name: Option<glow::NativeQuery>,
    target: u32,
    begun: bool,
    /// Whose name it is: driver contexts do not share queries (ES 3.2 §5), so that another one has the same name for another query.
    of: ContextId,
}

/// Fences and queries of the session.
#[derive(Debug)]
pub struct Syncs {
    pub fences: TwinTable<FenceId, Fence>,
    pub queries: TwinTable<QueryId, Query>,
}

impl Syncs {
    /// Empty tables of the given keying.
    pub fn new(key: TwinKey) -> Self {
        Self {
            fences: TwinTable::new(key),
            queries: TwinTable::new(key),
        }
    }
}

const SAMPLES_PASSED: u32 = 0x8914;
const TIME_ELAPSED: u32 = 0x88BF;
const TIMESTAMP: u32 = 0x8E28;

impl GlesBackend {
    pub(crate) fn make_fence(&mut self, id: FenceId) {
        // SAFETY: GL rule 1.
        if let Ok(name) = unsafe { self.gl.fence_sync(glow::SYNC_GPU_COMMANDS_COMPLETE, 0) } {
            let fence = Fence {
                name,
                flushed: false,
            };
            let unwanted = self.syncs.fences.insert(id, fence);
            self.delete_fence(unwanted);
        }
    }

    pub(crate) fn wait_fence(&mut self, id: FenceId, timeout_ns: u64) -> FenceStatus {
        let gl = self.gl;
        let Some(fence) = self.syncs.fences.get_mut(id) else {
            return FenceStatus::Failed;
        };
        let _zone = (timeout_ns != 0).then(|| tracing::debug_span!("stall: fence").entered());
        // The first look flushes, so that polling ends; later ones need not.
        let flags = if std::mem::replace(&mut fence.flushed, true) {
            0
        } else {
            glow::SYNC_FLUSH_COMMANDS_BIT
        };
        // SAFETY: GL rules 1 and 2.
        match unsafe {
            gl.ext
                .client_wait_sync(fence.name.0.cast(), flags, timeout_ns)
        } {
            glow::ALREADY_SIGNALED | glow::CONDITION_SATISFIED => FenceStatus::Signalled,
            glow::TIMEOUT_EXPIRED => FenceStatus::Unsignalled,
            _ => FenceStatus::Failed,
        }
    }

    pub(crate) fn drop_fence(&mut self, id: FenceId) {
        let fence = self.syncs.fences.remove(id);
        self.delete_fence(fence);
    }

    fn delete_fence(&self, fence: Option<Fence>) {
        if let Some(fence) = fence {
            // SAFETY: GL rules 1 and 2.
            unsafe { self.gl.delete_sync(fence.name) };
        }
    }

    /// Fences and queries whose handles ended earlier, for the keying that finds out late.
    pub(crate) fn collect_syncs(&mut self) {
        let (mut fences, mut queries) = (Vec::new(), Vec::new());
        self.syncs.fences.collect(&mut fences);
        for fence in fences {
            self.delete_fence(Some(fence));
        }
        self.syncs.queries.collect(&mut queries);
        for query in queries {
            self.delete_query(Some(query));
        }
    }

    pub(crate) fn make_query(&mut self, id: QueryId, target: u32) {
        let gl = self.gl;
        let (there, target) = match target {
            // ES only knows whether any sample passed.
            SAMPLES_PASSED => (true, glow::ANY_SAMPLES_PASSED),
            TIME_ELAPSED | TIMESTAMP => (gl.features.timer_query, target),
            glow::ANY_SAMPLES_PASSED
            | glow::ANY_SAMPLES_PASSED_CONSERVATIVE
            | glow::PRIMITIVES_GENERATED
            | glow::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN => (true, target),
            _ => (false, target),
        };
        let name = if there {
            // SAFETY: GL rule 1.
            unsafe { gl.create_query() }.ok()
        } else {
            None
        };
        if name.is_none() {
            self.say_once(
                "query",
                &format!("query target {target:#x} is not in this ES driver: it answers 0"),
            );
        }
        let query = Query {
            name,
            target,
            begun: false,
            of: self.current,
        };
        let unwanted = self.syncs.queries.insert(id, query);
        self.delete_query(unwanted);
    }

    pub(crate) fn start_query(&mut self, id: QueryId) {
        if let Some(query) = self.syncs.queries.get_mut(id)
            && let Some(name) = query.name
        {
            query.begun = true;
            // SAFETY: GL rules 1 and 2.
            unsafe { self.gl.begin_query(query.target, name) };
        }
    }

    pub(crate) fn stop_query(&mut self, id: QueryId) {
        let gl = self.gl;
        if let Some(query) = self.syncs.queries.get_mut(id)
            && let Some(name) = query.name
        {
            // SAFETY: GL rules 1 and 2; the counter only with its feature (a query without it has no name).
            unsafe {
                if query.target == TIMESTAMP {
                    gl.ext.query_counter(name.0.get(), TIMESTAMP);
                } else if std::mem::take(&mut query.begun) {
                    gl.end_query(query.target);
                }
            }
        }
    }

    pub(crate) fn query_is_done(&mut self, id: QueryId) -> bool {
        let Some(name) = self.syncs.queries.get(id).and_then(|q| q.name) else {
            return true;
        };
        // SAFETY: GL rules 1 and 2.
        unsafe {
            self.gl
                .get_query_parameter_u32(name, glow::QUERY_RESULT_AVAILABLE)
                != 0
        }
    }

    pub(crate) fn query_answer(&mut self, id: QueryId) -> u64 {
        let gl = self.gl;
        let Some(query) = self.syncs.queries.get(id) else {
            return 0;
        };
        let Some(name) = query.name else { return 0 };
        // SAFETY: GL rules 1 and 2; 64-bit results only with the timer feature.
        unsafe {
            if matches!(query.target, TIME_ELAPSED | TIMESTAMP) {
                let mut value = 0;
                gl.ext
                    .get_query_object_ui64v(name.0.get(), glow::QUERY_RESULT, &raw mut value);
                value
            } else {
                gl.get_query_parameter_u32(name, glow::QUERY_RESULT).into()
            }
        }
    }

    pub(crate) fn drop_query(&mut self, id: QueryId) {
        let query = self.syncs.queries.remove(id);
        self.delete_query(query);
    }

    fn delete_query(&mut self, query: Option<Query>) {
        let Some((of, name)) = query.and_then(|query| Some((query.of, query.name?))) else {
            return;
        };
        if of == self.current {
            // SAFETY: GL rules 1 and 2: the name is of the context that is current.
            unsafe { self.gl.delete_query(name) };
        } else if self.context_list.contains(&of) {
            self.trash.queries.push((of, name));
        }
    }

    /// Queries that ended while another context was current.
    pub(crate) fn delete_ended_queries(&mut self) {
        let ended = std::mem::take(&mut self.trash.queries);
        for (of, name) in ended {
            let query = Query {
                name: Some(name),
                target: 0,
                begun: false,
                of,
            };
            self.delete_query(Some(query));
        }
    }
}
