//! Queries: occlusion in slices of one pass each, time stamps, primitive counts. A result is only ever what the GPU wrote.
//!
//! A Vulkan query may not span passes but GL's may: an active GL query begins a slot whenever a pass begins and ends it with the
//! pass; its result is the sum of its slots. Draws happen in passes only, so nothing is missed.
#![allow(unsafe_code)]

use crate::backend::VulkanBackend;
use crate::trash::Garbage;
use ash::vk;
use pipe::QueryId;

/// Slots per pool.
const POOL_SLOTS: u32 = 64;

/// What a GL query counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// GL_SAMPLES_PASSED exactly, or only whether any.
    Samples {
        exact: bool,
    },
    /// GL_TIME_ELAPSED.
    Elapsed,
    /// GL_TIMESTAMP.
    Timestamp,
    /// GL_PRIMITIVES_GENERATED.
    Generated,
    /// GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN.
    Written,
    Unsupported,
}

/// A slot of a pool.
#[derive(Clone, Copy, Debug)]
struct Slot {
    pool: vk::QueryPool,
    index: u32,
}

/// A GL query object.
#[derive(Debug)]
pub struct Query {
    kind: Kind,
    /// Vertex stream.
    stream: u32,
    slots: Vec<Slot>,
    /// Pools that only this query uses.
    pools: Vec<vk::QueryPool>,
    used: u32,
    active: bool,
    /// Serial of the last command buffer that writes it.
    serial: u64,
    result: Option<u64>,
}

fn kind_of(target: u32) -> Kind {
    match target {
        0x8914 => Kind::Samples { exact: true },
        0x8C2F | 0x8D6A => Kind::Samples { exact: false },
        0x88BF => Kind::Elapsed,
        0x8E28 => Kind::Timestamp,
        0x8C87 => Kind::Generated,
        0x8C88 => Kind::Written,
        _ => Kind::Unsupported,
    }
}

impl VulkanBackend {
    pub(crate) fn make_query(&mut self, id: QueryId, target: u32, stream: u32) {
        let mut kind = kind_of(target);
        let features = &self.gpu.features;
        let counts = features.ext.primitives_generated && features.ext.transform_feedback
            || features.core.pipeline_statistics_query;
        if (kind == Kind::Generated && !counts)
            || (kind == Kind::Written && !features.ext.transform_feedback)
        {
            kind = Kind::Unsupported;
        }
        if matches!(kind, Kind::Elapsed | Kind::Timestamp) && self.gpu.timestamp_bits == 0 {
            kind = Kind::Unsupported;
        }
        if kind == Kind::Unsupported {
            self.fail(&format!("queries of target {target:#06x}"));
        }
        // One that is not wanted has no pools yet.
        let _ = self.queries.insert(
            id,
            Query {
                kind,
                stream,
                slots: Vec::new(),
                pools: Vec::new(),
                used: 0,
                active: false,
                serial: 0,
                result: None,
            },
        );
    }

    pub(crate) fn end_query_object(&mut self, id: QueryId) {
        self.active_queries.retain(|q| *q != id);
        if let Some(query) = self.queries.remove(id) {
            self.retire_query(query);
        }
    }

    /// Gives a query's pools up when the GPU is done with them.
    pub(crate) fn retire_query(&mut self, query: Query) {
        let serial = self.commands.serial();
        for pool in query.pools {
            self.trash.push(serial, Garbage::QueryPool(pool));
        }
    }

    /// A fresh slot, reset; outside of passes.
    fn slot(&mut self, id: QueryId, ty: vk::QueryType) -> Option<Slot> {
        let cb = self.outside()?;
        let serial = self.commands.serial();
        let query = self.queries.get(id)?;
        let pool = match query.pools.last() {
            Some(pool) if query.used < POOL_SLOTS => *pool,
            _ => {
                let mut info = vk::QueryPoolCreateInfo::default()
                    .query_type(ty)
                    .query_count(POOL_SLOTS);
                if ty == vk::QueryType::PIPELINE_STATISTICS {
                    info = info
                        .pipeline_statistics(vk::QueryPipelineStatisticFlags::CLIPPING_INVOCATIONS);
                }
                // SAFETY: rule 4.
                let pool = unsafe { self.gpu.device.create_query_pool(&info, None) };
                let pool = self.gpu.check(pool)?;
                let query = self.queries.get_mut(id)?;
                query.pools.push(pool);
                query.used = 0;
                pool
            }
        };
        let query = self.queries.get_mut(id)?;
        let slot = Slot {
            pool,
            index: query.used,
        };
        query.used += 1;
        query.slots.push(slot);
        query.serial = serial;
        // SAFETY: rules 1 and 2; the slot is not in use: each is used once between resets.
        unsafe {
            self.gpu
                .device
                .cmd_reset_query_pool(cb, slot.pool, slot.index, 1);
        }
        Some(slot)
    }

    /// Gives up the slots of an earlier use.
    fn restart(&mut self, id: QueryId) {
        let serial = self.commands.serial();
        if let Some(query) = self.queries.get_mut(id) {
            query.slots.clear();
            query.result = None;
            query.used = 0;
            for pool in query.pools.drain(..) {
                self.trash.push(serial, Garbage::QueryPool(pool));
            }
        }
    }

    pub(crate) fn start_query(&mut self, id: QueryId) -> Option<()> {
        let kind = self.queries.get(id)?.kind;
        self.restart(id);
        match kind {
            Kind::Samples { .. } | Kind::Generated | Kind::Written => {
                // The next pass begins its first slot.
                self.outside()?;
                self.queries.get_mut(id)?.active = true;
                self.active_queries.push(id);
            }
            Kind::Elapsed => self.write_timestamp(id)?,
            Kind::Timestamp | Kind::Unsupported => {}
        }
        Some(())
    }

    pub(crate) fn stop_query(&mut self, id: QueryId) -> Option<()> {
        match self.queries.get(id)?.kind {
            Kind::Samples { .. } | Kind::Generated | Kind::Written => {
                self.outside()?;
                self.active_queries.retain(|q| *q != id);
                self.queries.get_mut(id)?.active = false;
            }
            Kind::Timestamp => {
                self.restart(id);
                self.write_timestamp(id)?;
            }
            Kind::Elapsed => self.write_timestamp(id)?,
            Kind::Unsupported => {}
        }
        Some(())
    }

    fn write_timestamp(&mut self, id: QueryId) -> Option<()> {
        let slot = self.slot(id, vk::QueryType::TIMESTAMP)?;
        let cb = self.recording()?;
        // SAFETY: rules 1 and 2.
        unsafe {
            self.gpu.device.cmd_write_timestamp(
                cb,
                vk::PipelineStageFlags::BOTTOM_OF_PIPE,
                slot.pool,
                slot.index,
            );
        }
        Some(())
    }

    /// What a kind that counts in passes is on this device.
    fn query_type(&self, kind: Kind) -> vk::QueryType {
        let ext = &self.gpu.features.ext;
        match kind {
            Kind::Generated if ext.primitives_generated && ext.transform_feedback => {
                vk::QueryType::PRIMITIVES_GENERATED_EXT
            }
            Kind::Generated => vk::QueryType::PIPELINE_STATISTICS,
            Kind::Written => vk::QueryType::TRANSFORM_FEEDBACK_STREAM_EXT,
            Kind::Samples { .. } | Kind::Elapsed | Kind::Timestamp | Kind::Unsupported => {
                vk::QueryType::OCCLUSION
            }
        }
    }

    /// The functions that begin and end queries of this kind by stream, where they are needed.
    fn indexed(&self, kind: Kind) -> Option<&ash::ext::transform_feedback::DeviceFn> {
        let ty = self.query_type(kind);
        let by_stream = ty == vk::QueryType::PRIMITIVES_GENERATED_EXT
            || ty == vk::QueryType::TRANSFORM_FEEDBACK_STREAM_EXT;
        self.gpu
            .fns
            .xfb
            .as_ref()
            .filter(|_| by_stream)
            .map(|fns| fns.fp())
    }

    /// Resets the slots that the next pass needs.
    pub(crate) fn prepare_queries(&mut self) -> Option<()> {
        for i in 0..self.active_queries.len() {
            let id = self.active_queries[i];
            let ty = self.query_type(self.queries.get(id)?.kind);
            self.slot(id, ty)?;
        }
        Some(())
    }

    /// Begins them; the pass was begun just now.
    pub(crate) fn begin_queries(&mut self, cb: vk::CommandBuffer) {
        for id in &self.active_queries {
            let Some(query) = self.queries.get(*id) else {
                continue;
            };
            let Some(slot) = query.slots.last() else {
                continue;
            };
            let exact = query.kind == Kind::Samples { exact: true }
                && self.gpu.features.core.occlusion_query_precise;
            let flags = if exact {
                vk::QueryControlFlags::PRECISE
            } else {
                vk::QueryControlFlags::empty()
            };
            if let Some(fns) = self.indexed(query.kind) {
                let begin = fns.cmd_begin_query_indexed_ext;
                // SAFETY: rules 1, 2 and 5; the slot was reset before the pass.
                unsafe { begin(cb, slot.pool, slot.index, flags, query.stream) };
                continue;
            }
            // SAFETY: rules 1 and 2; the slot was reset before the pass.
            unsafe {
                self.gpu
                    .device
                    .cmd_begin_query(cb, slot.pool, slot.index, flags);
            }
        }
    }

    /// Ends them; the pass is about to end.
    pub(crate) fn end_queries(&mut self, cb: vk::CommandBuffer) {
        for id in &self.active_queries {
            let Some(query) = self.queries.get(*id) else {
                continue;
            };
            let Some(slot) = query.slots.last() else {
                continue;
            };
            if let Some(fns) = self.indexed(query.kind) {
                let end = fns.cmd_end_query_indexed_ext;
                // SAFETY: rules 1, 2 and 5; `begin_queries` began it in this pass.
                unsafe { end(cb, slot.pool, slot.index, query.stream) };
            } else {
                // SAFETY: rules 1 and 2; `begin_queries` began it in this pass.
                unsafe {
                    self.gpu.device.cmd_end_query(cb, slot.pool, slot.index);
                }
            }
        }
    }

    /// Whether a result is there; submits what was not, so that polling makes progress.
    pub(crate) fn query_ready(&mut self, id: QueryId) -> bool {
        let Some(serial) = self.queries.get(id).map(|q| q.serial) else {
            return true;
        };
        if serial >= self.commands.serial() {
            self.submit();
        }
        self.commands.poll(&mut self.gpu);
        serial <= self.commands.completed() || self.is_lost()
    }

    /// The result; waits for it.
    pub(crate) fn query_value(&mut self, id: QueryId) -> u64 {
        let Some(serial) = self.queries.get(id).map(|q| q.serial) else {
            return 0;
        };
        self.finish(serial);
        let Some(query) = self.queries.get(id) else {
            return 0;
        };
        if let Some(result) = query.result {
            return result;
        }
        let values: Vec<u64> = query
            .slots
            .iter()
            .map(|slot| {
                // Captures answer two values: written, needed.
                let mut value = [[0u64; 2]];
                // SAFETY: rule 4; the command buffer that wrote the slot has retired.
                let got = unsafe {
                    self.gpu.device.get_query_pool_results(
                        slot.pool,
                        slot.index,
                        &mut value,
                        vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT,
                    )
                };
                got.map_or(0, |()| value[0][0])
            })
            .collect();
        let bits = self.gpu.timestamp_bits.clamp(1, 64);
        let valid = u64::MAX >> (64 - bits);
        let period = f64::from(self.gpu.limits().timestamp_period);
        let nanoseconds = |ticks: u64| ((ticks & valid) as f64 * period) as u64;
        let result = match query.kind {
            Kind::Samples { exact: true } | Kind::Generated | Kind::Written => values.iter().sum(),
            Kind::Samples { exact: false } => u64::from(values.iter().any(|v| *v != 0)),
            Kind::Timestamp => values.first().map_or(0, |v| nanoseconds(*v)),
            Kind::Elapsed => match values[..] {
                [start, end] => nanoseconds(end.wrapping_sub(start)),
                _ => 0,
            },
            Kind::Unsupported => 0,
        };
        if let Some(query) = self.queries.get_mut(id)
            && !query.active
        {
            query.result = Some(result);
        }
        result
    }

    /// Pools of all queries, at the end.
    pub(crate) fn drain_queries(&mut self) {
        for query in self.queries.drain() {
            for pool in query.pools {
                Garbage::QueryPool(pool).destroy(&mut self.gpu);
            }
        }
    }
}
