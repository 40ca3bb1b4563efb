//! Atoms of the render state: the pipeline subset is a CSO addressed by content, everything else travels as dynamic chunks.
//! A change of a dynamic value never mints a CSO.

use crate::cache::{Content, CsoCache, Lookup, Place};
use crate::{Job, Tracker};
use pipe::render_state::{DYNAMIC_CHUNKS, PIPELINE_BYTES, PIPELINE_CHUNKS};
use pipe::{
    BindRenderState, DynamicState, RenderState, RenderStateDesc, RenderStateId, RenderStateOnly,
};

/// Bit of the subsystem.
const BIT: u8 = 0;
/// CSOs kept. Programs toggle among a handful; a scene's whole set was below this in every trace at hand.
const CAP: usize = 64;

/// What was told last.
#[derive(Debug)]
pub(crate) struct Memory {
    cache: CsoCache<Content<PIPELINE_BYTES>, RenderStateId>,
    /// The two CSOs bound last: toggling between two states compares bytes and hashes nothing.
    recent: [Option<Place<RenderStateId>>; 2],
    /// Pipeline version that is bound; 0: none.
    pipeline: u64,
    /// `version - pipeline_version` of the dynamic values told; it moves when a dynamic value does.
    dynamic: Option<u64>,
    told: Box<RenderState>,
    blob: Vec<u8>,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            cache: CsoCache::new(CAP),
            recent: [None; 2],
            pipeline: 0,
            dynamic: None,
            told: Box::default(),
            blob: Vec::new(),
        }
    }
}

impl Memory {
    pub(crate) fn forget(&mut self) {
        self.pipeline = 0;
        self.dynamic = None;
    }

    pub(crate) fn counts(&self) -> crate::cache::CsoCounts {
        self.cache.counts
    }

    pub(crate) fn retire(&mut self, job: &mut Job<'_>) {
        for id in self.cache.drain(&mut job.emission.cso.render_states) {
            job.out.at(BIT).delete_render_state(&RenderStateOnly { id });
        }
    }
}

impl Tracker {
    pub(crate) fn render_state_cso(&mut self, job: &mut Job<'_>) {
        let block = &job.view.ctx.render_state;
        let memory = &mut self.render_state;
        if memory.pipeline == block.pipeline_version() {
            return;
        }
        memory.pipeline = block.pipeline_version();
        self.gates.opened = true;
        let bytes = block.values().pipeline_bytes();
        let slots = &mut job.emission.cso.render_states;
        let mut known = None;
        if !self.no_cso_addressing {
            // The one bound last is what it moved away from: it comes second.
            for place in memory.recent.into_iter().rev().flatten() {
                if memory.cache.holds(place, self.verb, |key| key.0 == *bytes) {
                    known = Some(place);
                    break;
                }
            }
        }
        let lookup = match known {
            Some(place) => Lookup::Found(place),
            None if self.no_cso_addressing => {
                memory.cache.mint(Content::of(bytes), self.verb, slots)
            }
            None => memory.cache.find(Content::of(bytes), self.verb, slots),
        };
        let place = match lookup {
            Lookup::Found(place) => place,
            Lookup::Create(place, evicted) => {
                if let Some(id) = evicted {
                    job.out.at(BIT).delete_render_state(&RenderStateOnly { id });
                }
                let desc = RenderStateDesc {
                    id: place.handle,
                    chunk_mask: PIPELINE_CHUNKS,
                    _pad: 0,
                    base: RenderStateId::NULL,
                };
                // The pipeline chunks come first in the struct: gathered, they are its head.
                job.out.at(BIT).create_render_state(&desc, bytes);
                place
            }
        };
        if memory.recent[0] != Some(place) {
            memory.recent = [Some(place), memory.recent[0]];
        }
        job.out.at(BIT).bind_render_state(&BindRenderState {
            id: place.handle,
            version: block.version() as u16,
            pipeline_version: block.pipeline_version() as u16,
        });
    }

    pub(crate) fn dynamic_state(&mut self, job: &mut Job<'_>) {
        let block = &job.view.ctx.render_state;
        let memory = &mut self.render_state;
        let dynamic = block.version() - block.pipeline_version();
        if memory.dynamic == Some(dynamic) {
            return;
        }
        let changed = match memory.dynamic {
            Some(_) => block.values().changed_chunks(&memory.told, DYNAMIC_CHUNKS),
            None => DYNAMIC_CHUNKS,
        };
        memory.dynamic = Some(dynamic);
        self.gates.opened = true;
        if changed == 0 {
            return;
        }
        *memory.told = *block.values();
        memory.blob.clear();
        block.values().gather(changed, &mut memory.blob);
        let head = DynamicState {
            chunk_mask: changed,
            version: block.version() as u16,
            _pad: 0,
        };
        job.out.at(BIT).set_dynamic_state(&head, &memory.blob);
    }
}
