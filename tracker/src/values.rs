//! Atoms of the small value groups: pack parameters, patch parameters, current attribute values. One compare each.

use crate::{Job, Tracker};
use pipe::{AttribDefaults, MAX_VERTEX_ATTRIBS, PixelPack};

/// Generations told last; 0: never.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pack: u64,
    patch: u64,
    attrib_defaults: u64,
}

impl Tracker {
    pub(crate) fn pixel_pack(&mut self, job: &mut Job<'_>) {
        let ctx = job.view.ctx;
        if self.values.pack != ctx.generations.pixel_pack {
            self.values.pack = ctx.generations.pixel_pack;
            let store = ctx.pixel_store.pack;
            job.out.at(1).set_pixel_pack_state(&PixelPack { store });
        }
    }

    pub(crate) fn patch_state(&mut self, job: &mut Job<'_>) {
        let ctx = job.view.ctx;
        if self.values.patch != ctx.generations.patch {
            self.values.patch = ctx.generations.patch;
            job.out.at(2).set_patch_state(&ctx.patch);
        }
    }

    pub(crate) fn attrib_defaults(&mut self, job: &mut Job<'_>) {
        let ctx = job.view.ctx;
        if self.values.attrib_defaults != ctx.generations.attrib_defaults {
            self.values.attrib_defaults = ctx.generations.attrib_defaults;
            let mask = (1u32 << MAX_VERTEX_ATTRIBS) - 1;
            let values = &ctx.vertex.current;
            job.out
                .at(3)
                .set_vertex_attrib_defaults(&AttribDefaults { mask }, values);
        }
    }
}
