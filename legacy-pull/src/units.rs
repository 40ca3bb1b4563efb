//! Texture units: all that the program in use samples are looked at when anything they depend on moved, and those resolved anew that did.

use crate::cso::Csos;
use crate::{Job, LegacyPull};
use gl_state::sampler::SamplerObjectId;
use pipe::*;
use pipe_inputs::Group;
use pipe_inputs::inputs::NO_VIEW;
use smallvec::SmallVec;
use verify::shadow::{self, Unit};
use zerocopy::{IntoBytes, TryFromBytes};

const NO_SAMPLER: SamplerOnly = SamplerOnly {
    id: SamplerId::NULL,
};
const VIEW_BYTES: usize = size_of::<SamplerViewDesc>();

/// What a unit was resolved from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    texture: TextureId,
    shape_serial: u64,
    params_serial: u64,
    sampler: SamplerObjectId,
    sampler_serial: u64,
}

/// What a unit was resolved to.
#[derive(Clone, Copy, Debug)]
struct Resolved {
    key: Key,
    view: BoundView,
    state: SamplerOnly,
}

/// What was told last.
#[derive(Debug)]
pub(crate) struct Told {
    samplers: Csos<{ size_of::<SamplerDesc>() }, SamplerId>,
    views: Csos<VIEW_BYTES, SamplerViewId>,
    /// By slot of the texture: what it last was on any unit.
    memo: Vec<Option<Resolved>>,
    /// Bindings, program, its units, parameters, contents.
    versions: [u64; 5],
    now_views: Vec<BoundView>,
    now_states: Vec<SamplerOnly>,
    /// Moves with `now_views` and `now_states`.
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
            memo: Vec::new(),
            versions: [0; 5],
            now_views: Vec::new(),
            now_states: Vec::new(),
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
        self.memo.clear();
        for id in samplers {
            job.out.at(8).delete_sampler(&SamplerOnly { id });
        }
        for id in views {
            job.out.at(8).delete_sampler_view(&SamplerViewOnly { id });
        }
    }

    /// Resolves all units of the program in use if anything that they depend on moved.
    fn resolve(&mut self, clock: u64, reads: &mut u64, job: &mut Job<'_>) {
        let objects = &job.view.objects.generations;
        let ctx = &job.view.ctx.generations;
        let exe = shadow::executable(job.view);
        let now = [
            ctx.texture_bindings,
            ctx.program,
            // A link gives another handle: its generation and the units' version move apart.
            exe.map_or(0, |exe| {
                u64::from(exe.shader.generation()) << 40
                    ^ u64::from(exe.shader.slot()) << 20
                    ^ exe.bindings_version
            }),
            objects.any_texture_params,
            objects.any_texture_content,
        ];
        *reads += 5;
        if self.versions == now {
            return;
        }
        self.versions = now;
        self.resolved += 1;
        if std::mem::take(&mut self.sweep_due) {
            self.sweep(job);
        }
        // An eviction voids the memo: once more, then everything needed is of this verb and stays.
        while !self.resolve_once(clock, reads, job) {
            self.memo.clear();
        }
    }

    /// `false`: a CSO had to leave meanwhile.
    fn resolve_once(&mut self, clock: u64, reads: &mut u64, job: &mut Job<'_>) -> bool {
        self.now_views.clear();
        self.now_states.clear();
        let view = job.view;
        let mut stays = true;
        let Some(exe) = shadow::executable(view) else {
            return true;
        };
        for (sampler, unit) in exe.artifact.samplers.iter().zip(&exe.sampler_units) {
            let at = *unit as usize;
            *reads += 3;
            if at >= self.now_views.len() {
                self.now_views.resize(at + 1, NO_VIEW);
                self.now_states.resize(at + 1, NO_SAMPLER);
            }
            let Some(target) = Target::of_sampler(sampler.gl_type) else {
                continue;
            };
            if !self.now_views[at].texture.is_null() {
                continue;
            }
            let bound = view.ctx.textures.texture(at, target);
            let Some(texture) = view.objects.textures.get(bound) else {
                continue;
            };
            let object = view.ctx.textures.units[at].sampler;
            let key = Key {
                texture: bound,
                shape_serial: texture.shape_serial,
                params_serial: texture.params_serial,
                sampler: object,
                sampler_serial: view.objects.samplers.get(object).map_or(0, |s| s.serial),
            };
            let slot = bound.slot() as usize;
            let known = self.memo.get(slot).copied().flatten();
            let resolved = match known.filter(|known| known.key == key) {
                Some(known) => known,
                None => {
                    let unit = shadow::unit(view, at, target);
                    let (view, state) = self.tell_unit(unit, clock, &mut stays, job);
                    let resolved = Resolved { key, view, state };
                    if slot >= self.memo.len() {
                        self.memo.resize(slot + 1, None);
                    }
                    self.memo[slot] = Some(resolved);
                    resolved
                }
            };
            self.now_views[at] = resolved.view;
            self.now_states[at] = resolved.state;
        }
        stays
    }

    fn tell_unit(
        &mut self,
        unit: Option<Unit>,
        clock: u64,
        stays: &mut bool,
        job: &mut Job<'_>,
    ) -> (BoundView, SamplerOnly) {
        let Some(unit) = unit else {
            return (NO_VIEW, NO_SAMPLER);
        };
        let slots = &mut job.emission.cso.sampler_views;
        let (view, fresh) = self.views.find(unit.view.as_bytes(), clock, slots);
        if let Some(fresh) = fresh {
            if let Some(id) = fresh.evicted {
                *stays = false;
                job.out.at(8).delete_sampler_view(&SamplerViewOnly { id });
            }
            job.out.at(8).create_sampler_view(&SamplerViewDesc {
                id: view,
                ..unit.view
            });
        }
        let bound = BoundView {
            view,
            texture: unit.texture,
        };
        let Some(desc) = unit.sampler else {
            return (bound, NO_SAMPLER);
        };
        let slots = &mut job.emission.cso.samplers;
        let (id, fresh) = self.samplers.find(desc.as_bytes(), clock, slots);
        if let Some(fresh) = fresh {
            if let Some(id) = fresh.evicted {
                *stays = false;
                job.out.at(8).delete_sampler(&SamplerOnly { id });
            }
            job.out.at(8).create_sampler(&SamplerDesc { id, ..desc });
        }
        (bound, SamplerOnly { id })
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
fn padded<T: Copy>(now: &[T], before: Option<usize>, flipped: bool, empty: T) -> SmallVec<[T; 32]> {
    let longest = before.unwrap_or(if flipped { MAX_TEXTURE_UNITS } else { 0 });
    let mut padded = SmallVec::from_slice(now);
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
        let told = &mut self.units;
        told.resolve(self.clock, self.reads.of(Group::sampler_views), job);
        if std::mem::replace(&mut told.told[0], told.resolved) == told.resolved {
            return;
        }
        if told.told_views.as_ref() != Some(&told.now_views) {
            let before = told.told_views.as_ref().map(Vec::len);
            let set = padded(&told.now_views, before, told.flipped, NO_VIEW);
            job.out.at(8).set_sampler_views(&run(&set), &set);
            told.told_views
                .get_or_insert_default()
                .clone_from(&told.now_views);
        }
    }

    pub(crate) fn sampler_states(&mut self, job: &mut Job<'_>) {
        let told = &mut self.units;
        told.resolve(self.clock, self.reads.of(Group::sampler_states), job);
        if std::mem::replace(&mut told.told[1], told.resolved) == told.resolved {
            return;
        }
        if told.told_states.as_ref() != Some(&told.now_states) {
            let before = told.told_states.as_ref().map(Vec::len);
            let set = padded(&told.now_states, before, told.flipped, NO_SAMPLER);
            job.out.at(8).bind_sampler_states(&run(&set), &set);
            told.told_states
                .get_or_insert_default()
                .clone_from(&told.now_states);
        }
    }
}
