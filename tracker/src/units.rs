//! Atoms of texture units: for each sampler of the program in use, what its unit shows and how it is sampled. Completeness, views
//! and sampler CSOs are remembered by texture and by sampler object, so a rebind costs look-ups in two arrays.

use crate::cache::{Content, CsoCache, CsoCounts, Lookup, Place};
use crate::slots::Slots;
use crate::{Job, Tracker};
use gl_state::View;
use gl_state::sampler::SamplerObjectId;
use gl_state::texture::{SamplerParams, Texture};
use gl_state::texture_facts::Completeness;
use pipe::{
    BoundView, MAX_TEXTURE_UNITS, SamplerDesc, SamplerId, SamplerOnly, SamplerViewDesc,
    SamplerViewId, SamplerViewOnly, SlotRange, Target, TextureId,
};
use zerocopy::IntoBytes;

const BIT: u8 = 8;
/// Sampler CSOs kept: more than the 192 units that one verb can use.
const CAP: usize = 256;
const DESC_BYTES: usize = size_of::<SamplerDesc>();

const NO_VIEW: BoundView = BoundView {
    view: SamplerViewId::NULL,
    texture: TextureId::NULL,
};
const NO_SAMPLER: SamplerOnly = SamplerOnly {
    id: SamplerId::NULL,
};

/// A unit that the program in use samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reached {
    unit: u32,
    pub(crate) texture: TextureId,
    sampler: SamplerObjectId,
}

/// What is known of one texture.
#[derive(Clone, Copy, Debug)]
struct KnownTexture {
    id: TextureId,
    shape_serial: u64,
    params_serial: u64,
    complete: Completeness,
    has_sampler_state: bool,
    view: Option<SamplerViewDesc>,
    sampler: Option<Place<SamplerId>>,
}

/// What is known of one sampler object.
#[derive(Clone, Copy, Debug)]
struct KnownSampler {
    id: SamplerObjectId,
    serial: u64,
    place: Place<SamplerId>,
}

/// What was told last, and the memos.
#[derive(Debug)]
pub(crate) struct Memory {
    cache: CsoCache<Content<DESC_BYTES>, SamplerId>,
    /// By slot of the texture's handle.
    textures: Vec<Option<KnownTexture>>,
    /// By slot of the sampler object.
    samplers: Vec<Option<KnownSampler>>,
    /// What `reached` was made of.
    reach_gate: Gate,
    pub(crate) reached: Vec<Reached>,
    /// Moves when `reached` does.
    pub(crate) reach_version: u64,
    /// What `views` and `states` were made of: reach, texture parameters, texture contents.
    resolve_gate: [u64; 3],
    /// Moves when `views` or `states` may have.
    resolved: u64,
    views: Vec<BoundView>,
    states: Vec<SamplerOnly>,
    views_gate: u64,
    states_gate: u64,
    told_views: Slots<BoundView>,
    told_states: Slots<SamplerOnly>,
    /// Views of textures that are gone are to be deleted.
    pub(crate) sweep_due: bool,
}

/// Bindings, program, its handle, its units.
type Gate = [u64; 4];

impl Default for Memory {
    fn default() -> Self {
        Self {
            cache: CsoCache::new(CAP),
            textures: Vec::new(),
            samplers: Vec::new(),
            reach_gate: [0; 4],
            reached: Vec::new(),
            reach_version: 0,
            resolve_gate: [0; 3],
            resolved: 0,
            views: Vec::new(),
            states: Vec::new(),
            views_gate: 0,
            states_gate: 0,
            told_views: Slots::new(NO_VIEW, MAX_TEXTURE_UNITS),
            told_states: Slots::new(NO_SAMPLER, MAX_TEXTURE_UNITS),
            sweep_due: false,
        }
    }
}

/// The row of a slot.
fn row<T>(rows: &mut Vec<Option<T>>, slot: u32) -> &mut Option<T> {
    let slot = slot as usize;
    if slot >= rows.len() {
        rows.resize_with(slot + 1, || None);
    }
    &mut rows[slot]
}

fn sampler_desc(params: &SamplerParams) -> SamplerDesc {
    SamplerDesc {
        id: SamplerId::NULL,
        wrap_s: params.wrap[0],
        wrap_t: params.wrap[1],
        wrap_r: params.wrap[2],
        min_filter: params.min_filter,
        mag_filter: params.mag_filter,
        compare_mode: params.compare_mode,
        compare_func: params.compare_func,
        seamless: u16::from(params.seamless),
        min_lod: params.min_lod,
        max_lod: params.max_lod,
        lod_bias: params.lod_bias,
        max_anisotropy: params.max_anisotropy,
        border_color: params.border_color,
        border_form: params.border_form,
        _pad: 0,
    }
}

/// The view of a texture through its own handle: all of it.
fn view_desc(texture: &Texture) -> Option<SamplerViewDesc> {
    let chain = texture.chain()?;
    Some(SamplerViewDesc {
        id: SamplerViewId::NULL,
        texture: texture.id,
        format: chain.format,
        target: texture.target,
        _pad0: 0,
        min_level: 0,
        levels: chain.levels as u16,
        min_layer: 0,
        layers: chain.layers as u16,
        _pad1: 0,
    })
}

impl Memory {
    pub(crate) fn forget(&mut self) {
        self.views_gate = 0;
        self.states_gate = 0;
        self.told_views.forget();
        self.told_states.forget();
    }

    pub(crate) fn counts(&self) -> CsoCounts {
        self.cache.counts
    }

    pub(crate) fn retire(&mut self, job: &mut Job<'_>) {
        self.samplers.clear();
        for id in self.cache.drain(&mut job.emission.cso.samplers) {
            job.out.at(BIT).delete_sampler(&SamplerOnly { id });
        }
        for known in std::mem::take(&mut self.textures).into_iter().flatten() {
            delete_view(known.view, job);
        }
        self.resolve_gate = [0; 3];
    }

    /// Which units the program in use samples, and what is bound to them.
    pub(crate) fn reach(&mut self, job: &Job<'_>) {
        let ctx = job.view.ctx;
        let exe = job.executable();
        let (shader, version) = exe.map_or((0, 0), |exe| {
            let raw = exe.shader.0;
            let packed = u64::from(raw.generation) << 32 | u64::from(raw.slot);
            (packed, exe.bindings_version)
        });
        let gate = [
            ctx.generations.texture_bindings,
            ctx.generations.program,
            shader,
            version,
        ];
        if self.reach_gate == gate {
            return;
        }
        self.reach_gate = gate;
        self.reached.clear();
        if let Some(exe) = exe {
            for (slot, sampler) in exe.artifact.samplers.iter().enumerate() {
                let unit = exe.sampler_units[slot];
                let Some(target) = Target::of_sampler(sampler.gl_type) else {
                    continue;
                };
                // GL 4.6 §7.10: samplers of one unit have one type, or the draw is an error.
                if self.reached.iter().any(|reached| reached.unit == unit) {
                    continue;
                }
                self.reached.push(Reached {
                    unit,
                    texture: ctx.textures.texture(unit as usize, target),
                    sampler: ctx.textures.units[unit as usize].sampler,
                });
            }
        }
        self.reach_version += 1;
    }

    /// What the reached units show: views and sampler states by unit.
    fn resolve(&mut self, verb: u64, job: &mut Job<'_>) {
        self.reach(job);
        let objects = &job.view.objects.generations;
        let gate = [
            self.reach_version,
            objects.any_texture_params,
            objects.any_texture_content,
        ];
        if self.resolve_gate == gate {
            return;
        }
        self.resolve_gate = gate;
        self.resolved += 1;
        if std::mem::take(&mut self.sweep_due) {
            self.sweep(job);
        }
        self.views.clear();
        self.states.clear();
        for index in 0..self.reached.len() {
            let reached = self.reached[index];
            let (view, state) = self.unit(&reached, verb, job);
            let at = reached.unit as usize;
            if at >= self.views.len() {
                self.views.resize(at + 1, NO_VIEW);
                self.states.resize(at + 1, NO_SAMPLER);
            }
            self.views[at] = view;
            self.states[at] = state;
        }
    }

    /// One unit. An incomplete texture is no view (GL 4.6 §8.17: it reads (0, 0, 0, 1)).
    fn unit(
        &mut self,
        reached: &Reached,
        verb: u64,
        job: &mut Job<'_>,
    ) -> (BoundView, SamplerOnly) {
        let view: View<'_> = job.view;
        let Some(texture) = view.objects.textures.get(reached.texture) else {
            return (NO_VIEW, NO_SAMPLER);
        };
        let own = self.texture(texture, job);
        let object = view.objects.samplers.get(reached.sampler);
        let params = object.map_or(&texture.sampler, |sampler| &sampler.params);
        let Some(desc) = own.view.filter(|_| own.complete.admits(params)) else {
            return (NO_VIEW, NO_SAMPLER);
        };
        let bound = BoundView {
            view: desc.id,
            texture: texture.id,
        };
        if !own.has_sampler_state {
            return (bound, NO_SAMPLER);
        }
        let remembered = match object {
            Some(object) => row(&mut self.samplers, object.id.0.slot)
                .filter(|known| known.id == object.id && known.serial == object.serial)
                .map(|known| known.place),
            None => own.sampler,
        };
        if let Some(place) = remembered.filter(|place| self.cache.touch(*place, verb)) {
            return (bound, SamplerOnly { id: place.handle });
        }
        let place = self.sampler(params, verb, job);
        match object {
            Some(object) => {
                *row(&mut self.samplers, object.id.0.slot) = Some(KnownSampler {
                    id: object.id,
                    serial: object.serial,
                    place,
                });
            }
            None => {
                if let Some(known) = row(&mut self.textures, texture.id.slot()) {
                    known.sampler = Some(place);
                }
            }
        }
        (bound, SamplerOnly { id: place.handle })
    }

    /// What is known of a texture, brought up to date with its serials.
    fn texture(&mut self, texture: &Texture, job: &mut Job<'_>) -> KnownTexture {
        let slot = row(&mut self.textures, texture.id.slot());
        if let Some(known) = slot
            && known.id == texture.id
            && known.shape_serial == texture.shape_serial
            && known.params_serial == texture.params_serial
        {
            return *known;
        }
        let before = slot.take().and_then(|known| known.view);
        let now = view_desc(texture);
        let same =
            |a: &SamplerViewDesc, b: &SamplerViewDesc| SamplerViewDesc { id: b.id, ..*a } == *b;
        let kept = match (&now, &before) {
            (Some(now), Some(before)) => same(now, before),
            (None, Some(_)) | (Some(_), None) | (None, None) => false,
        };
        let view = if kept {
            before
        } else {
            delete_view(before, job);
            now.map(|mut desc| {
                desc.id = job.emission.cso.sampler_views.alloc();
                job.out.at(BIT).create_sampler_view(&desc);
                desc
            })
        };
        let known = KnownTexture {
            id: texture.id,
            shape_serial: texture.shape_serial,
            params_serial: texture.params_serial,
            complete: texture.completeness(),
            has_sampler_state: texture.target.has_sampler_state(),
            view,
            sampler: None,
        };
        *row(&mut self.textures, texture.id.slot()) = Some(known);
        known
    }

    fn sampler(
        &mut self,
        params: &SamplerParams,
        verb: u64,
        job: &mut Job<'_>,
    ) -> Place<SamplerId> {
        let mut desc = sampler_desc(params);
        let key = Content::of(desc.as_bytes());
        match self.cache.find(key, verb, &mut job.emission.cso.samplers) {
            Lookup::Found(place) => place,
            Lookup::Create(place, evicted) => {
                if let Some(id) = evicted {
                    job.out.at(BIT).delete_sampler(&SamplerOnly { id });
                }
                desc.id = place.handle;
                job.out.at(BIT).create_sampler(&desc);
                place
            }
        }
    }

    /// Deletes views of textures that are gone: a view keeps storage alive on the executing side.
    fn sweep(&mut self, job: &mut Job<'_>) {
        for slot in &mut self.textures {
            let gone = slot.is_some_and(|known| job.view.objects.textures.get(known.id).is_none());
            if let Some(known) = slot.take_if(|_| gone) {
                delete_view(known.view, job);
            }
        }
    }
}

fn delete_view(view: Option<SamplerViewDesc>, job: &mut Job<'_>) {
    if let Some(SamplerViewDesc { id, .. }) = view {
        job.emission.cso.sampler_views.release(id);
        job.out.at(BIT).delete_sampler_view(&SamplerViewOnly { id });
    }
}

impl Tracker {
    pub(crate) fn sampler_views(&mut self, job: &mut Job<'_>) {
        let memory = &mut self.units;
        memory.resolve(self.verb, job);
        if memory.views_gate == memory.resolved {
            return;
        }
        memory.views_gate = memory.resolved;
        self.gates.opened = true;
        let views = &memory.views;
        if let Some((run, told)) = memory.told_views.update(views.len(), |slot| views[slot]) {
            let range = SlotRange {
                start: run.start as u32,
                count: run.len() as u32,
            };
            job.out.at(BIT).set_sampler_views(&range, told);
        }
    }

    pub(crate) fn sampler_states(&mut self, job: &mut Job<'_>) {
        let memory = &mut self.units;
        memory.resolve(self.verb, job);
        if memory.states_gate == memory.resolved {
            return;
        }
        memory.states_gate = memory.resolved;
        self.gates.opened = true;
        let states = &memory.states;
        if let Some((run, told)) = memory.told_states.update(states.len(), |slot| states[slot]) {
            let range = SlotRange {
                start: run.start as u32,
                count: run.len() as u32,
            };
            job.out.at(BIT).bind_sampler_states(&range, told);
        }
    }
}
