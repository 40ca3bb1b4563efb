//! Texture units: all that the program in use samples are resolved anew when anything they depend on moved.

use crate::cso::Csos;
use crate::{Job, LegacyPull};
use pipe::*;
use pipe_inputs::inputs::NO_VIEW;
use verify::shadow::{self, Unit};
use zerocopy::{IntoBytes, TryFromBytes};

const NO_SAMPLER: SamplerOnly = SamplerOnly {
    id: SamplerId::NULL,
};
const VIEW_BYTES: usize = size_of::<SamplerViewDesc>();

/// What was told last.
#[derive(Debug)]
pub(crate) struct Told {
    samplers: Csos<{ size_of::<SamplerDesc>() }, SamplerId>,
    views: Csos<VIEW_BYTES, SamplerViewId>,
    /// Bindings, program, its units, parameters, contents.
    versions: [u64; 5],
    units: Vec<Option<Unit>>,
    /// Moves when `units` does.
    resolved: u64,
    told: [u64; 2],
    told_views: Option<Vec<BoundView>>,
    told_states: Option<Vec<SamplerOnly>>,
    flipped: bool,
    pub(crate) sweep_due: bool,
}

impl Default for Told {
    fn default() -> Self {
        Self {
            samplers: Csos::new(256),
            views: Csos::new(4096),
            versions: [0; 5],
            units: Vec::new(),
            resolved: 0,
            told: [0; 2],
            told_views: None,
            told_states: None,
            flipped: false,
            sweep_due: false,
        }
    }
}

impl Told {
    pub(crate) fn forget(&mut self) {
        self.told = [0; 2];
        self.told_views = None;
        self.told_states = None;
        self.flipped = true;
    }

    pub(crate) fn retire(&mut self, job: &mut Job<'_>) {
        let slots = &mut job.emission.cso;
        let samplers = self.samplers.take(|_| true, &mut slots.samplers);
        let views = self.views.take(|_| true, &mut slots.sampler_views);
        self.versions = [0; 5];
        for id in samplers {
            job.out.at(8).delete_sampler(&SamplerOnly { id });
        }
        for id in views {
            job.out.at(8).delete_sampler_view(&SamplerViewOnly { id });
        }
    }

    fn resolve(&mut self, job: &mut Job<'_>) {
        let objects = &job.view.objects.generations;
        let ctx = &job.view.ctx.generations;
        let now = [
            ctx.texture_bindings,
            ctx.program,
            shadow::executable(job.view).map_or(0, |exe| {
                // A link gives another handle: its generation and the units' version move apart.
                u64::from(exe.shader.generation()) << 40
                    ^ u64::from(exe.shader.slot()) << 20
                    ^ exe.bindings_version
            }),
            objects.any_texture_params,
            objects.any_texture_content,
        ];
        if self.versions == now {
            return;
        }
        self.versions = now;
        if std::mem::take(&mut self.sweep_due) {
            self.sweep(job);
        }
        let units = shadow::units(job.view);
        if self.resolved == 0 || self.units != units {
            self.units = units;
            self.resolved += 1;
        }
    }

    /// Deletes views of textures that are gone.
    fn sweep(&mut self, job: &mut Job<'_>) {
        let textures = &job.view.objects.textures;
        let gone = |key: &[u8; VIEW_BYTES]| {
            SamplerViewDesc::try_read_from_bytes(key)
                .is_ok_and(|desc| textures.get(desc.texture).is_none())
        };
        let slots = &mut job.emission.cso.sampler_views;
        for id in self.views.take(gone, slots) {
            job.out.at(8).delete_sampler_view(&SamplerViewOnly { id });
        }
    }
}

/// A set with the slots emptied that only the last set, or another arm, filled.
fn padded<T: Copy>(now: &[T], before: Option<usize>, flipped: bool, empty: T) -> Vec<T> {
    let longest = before.unwrap_or(if flipped { MAX_TEXTURE_UNITS } else { 0 });
    let mut padded = now.to_vec();
    padded.resize(now.len().max(longest), empty);
    padded
}

fn run<T>(slots: &[T]) -> SlotRange {
    SlotRange {
        start: 0,
        count: slots.len() as u32,
    }
}

impl LegacyPull {
    pub(crate) fn sampler_views(&mut self, job: &mut Job<'_>) {
        self.reads += 5;
        let told = &mut self.units;
        told.resolve(job);
        if std::mem::replace(&mut told.told[0], told.resolved) == told.resolved {
            return;
        }
        let mut views = vec![NO_VIEW; told.units.len()];
        for (slot, unit) in views.iter_mut().zip(&told.units) {
            let Some(unit) = unit else { continue };
            self.reads += 1;
            let slots = &mut job.emission.cso.sampler_views;
            let (view, fresh) = told.views.find(unit.view.as_bytes(), self.clock, slots);
            if let Some(fresh) = fresh {
                if let Some(id) = fresh.evicted {
                    job.out.at(8).delete_sampler_view(&SamplerViewOnly { id });
                }
                job.out.at(8).create_sampler_view(&SamplerViewDesc {
                    id: view,
                    ..unit.view
                });
            }
            *slot = BoundView {
                view,
                texture: unit.texture,
            };
        }
        if told.told_views.as_ref() != Some(&views) {
            let before = told.told_views.as_ref().map(Vec::len);
            let set = padded(&views, before, told.flipped, NO_VIEW);
            job.out.at(8).set_sampler_views(&run(&set), &set);
            told.told_views = Some(views);
        }
    }

    pub(crate) fn sampler_states(&mut self, job: &mut Job<'_>) {
        let told = &mut self.units;
        told.resolve(job);
        if std::mem::replace(&mut told.told[1], told.resolved) == told.resolved {
            return;
        }
        let mut states = vec![NO_SAMPLER; told.units.len()];
        for (slot, unit) in states.iter_mut().zip(&told.units) {
            let Some(desc) = unit.and_then(|unit| unit.sampler) else {
                continue;
            };
            self.reads += 1;
            let slots = &mut job.emission.cso.samplers;
            let (id, fresh) = told.samplers.find(desc.as_bytes(), self.clock, slots);
            if let Some(fresh) = fresh {
                if let Some(id) = fresh.evicted {
                    job.out.at(8).delete_sampler(&SamplerOnly { id });
                }
                job.out.at(8).create_sampler(&SamplerDesc { id, ..desc });
            }
            *slot = SamplerOnly { id };
        }
        if told.told_states.as_ref() != Some(&states) {
            let before = told.told_states.as_ref().map(Vec::len);
            let set = padded(&states, before, told.flipped, NO_SAMPLER);
            job.out.at(8).bind_sampler_states(&run(&set), &set);
            told.told_states = Some(states);
        }
    }
}
