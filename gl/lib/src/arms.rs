//! The composition of the arms: per subsystem bit exactly one of push, pull and residual block tells a verb's state, in one fixed
//! order over all of them; under verification the result is compared with the shadow. It tells nothing itself.

use crate::alternation::Alternating;
use crate::counting;
#[cfg(feature = "faults")]
use crate::faults::{Fault, Plan};
#[cfg(feature = "faults")]
use crate::targets::Target;
use config::{AbResult, Config, PushMask, VerifyReport};
use gl_entry::source::{Prepared, ResourceOp, StateSource, Stream};
use gl_state::{Emission, View};
use pipe::TextureId;
use pipe_inputs::{GROUPS, GroupMask, VERB_CLASSES, VerbClass};
use tracker::{AtomSet, Calls, Out, Stage, Tracker};

/// Groups of one verb class by who tells them.
#[derive(Clone, Copy, Debug, Default)]
struct Shares {
    push: GroupMask,
    /// The tracker's part in them.
    atoms: AtomSet,
    #[cfg(feature = "pull")]
    pull: GroupMask,
    #[cfg(feature = "pull")]
    residual: GroupMask,
    /// What the source vouches for.
    vouched: GroupMask,
}

/// The arms of one context.
pub struct Arms {
    mask: PushMask,
    /// Two bitmaps by turns.
    alternating: Option<Box<Alternating>>,
    shares: [Shares; VERB_CLASSES.len()],
    /// Nobody looks at every verb: one before which nothing moved needs no arm.
    unwatched: bool,
    tracker: Tracker,
    push_calls: Calls,
    /// Draws with arrays in client memory, by who finds how far they read: the command, the executing side.
    host_resolved: [u64; 2],
    #[cfg(feature = "pull")]
    legacy: legacy_pull::LegacyPull,
    #[cfg(feature = "pull")]
    pull_calls: Calls,
    #[cfg(feature = "verify")]
    verifier: Option<verify::Verifier>,
    #[cfg(all(feature = "verify", feature = "faults"))]
    corrupt: Option<Target>,
    #[cfg(feature = "faults")]
    omit: Option<Target>,
    #[cfg(feature = "faults")]
    plan: Plan,
    /// Groups that are told at the next verb that may read them and then never again: by no arm, or not by the pull arm.
    #[cfg(feature = "faults")]
    stale: Vec<Fault>,
    #[cfg(feature = "faults")]
    burn: Burn,
}

/// Planted cost: steps of work before every verb, in the second arm where two alternate.
#[cfg(feature = "faults")]
#[derive(Clone, Copy, Debug, Default)]
struct Burn {
    steps: u32,
    /// Those of the turn in progress.
    now: u32,
}

impl Arms {
    /// The arms as the options have them. Options were checked when they were read; an unknown name in a negative control plants
    /// nothing and says so.
    pub fn new(config: &Config) -> Self {
        let alternating = config.pipe_ab.map(|plan| Box::new(Alternating::new(plan)));
        let mask = match &alternating {
            Some(alternating) => alternating.mask(),
            None => config.pipe_push,
        };
        let mut arms = Self {
            mask: PushMask::NONE,
            alternating,
            shares: Default::default(),
            unwatched: false,
            tracker: Tracker::new(mask.contains(PushMask::NO_CSO_ADDRESSING)),
            push_calls: Calls::default(),
            host_resolved: [0; 2],
            #[cfg(feature = "pull")]
            legacy: legacy_pull::LegacyPull::default(),
            #[cfg(feature = "pull")]
            pull_calls: Calls::default(),
            #[cfg(feature = "verify")]
            verifier: config
                .pipe_verify
                .then(|| verify::Verifier::new(config.pipe_verify_fatal, config.pipe_verify_every)),
            #[cfg(all(feature = "verify", feature = "faults"))]
            corrupt: Target::parse(&config.pipe_verify_corrupt),
            #[cfg(feature = "faults")]
            omit: Target::parse(&config.pipe_poison_omit),
            // Checked when the options were read.
            #[cfg(feature = "faults")]
            plan: Plan::parse(&config.pipe_fault).unwrap_or_default(),
            #[cfg(feature = "faults")]
            stale: Vec::new(),
            #[cfg(feature = "faults")]
            burn: Burn::default(),
        };
        #[cfg(feature = "faults")]
        {
            arms.plan.plant_in_process();
            arms.burn.steps = arms.plan.burnt();
        }
        arms.tracker.count_gates(config.pipe_stats);
        arms.latch(mask);
        arms
    }

    /// Takes over a bitmap.
    fn latch(&mut self, mask: PushMask) {
        self.mask = mask;
        for (shares, class) in self.shares.iter_mut().zip(VERB_CLASSES) {
            let required = class.required();
            *shares = Shares {
                push: required,
                vouched: required,
                ..Shares::default()
            };
            #[cfg(feature = "pull")]
            {
                shares.push = required.and(GroupMask::of_bits(mask.0));
                let cleared = GroupMask(required.0 & !shares.push.0);
                if mask.contains(PushMask::RESIDUAL) {
                    shares.residual = cleared.and(values());
                }
                shares.pull = GroupMask(cleared.0 & !shares.residual.0);
            }
            shares.atoms = AtomSet::of_groups(shares.push);
            #[cfg(feature = "faults")]
            if let Some(omit) = self.omit.filter(|omit| omit.is_for(class)) {
                shares.vouched.0 &= !GroupMask::of(omit.group).0;
            }
        }
        #[cfg(feature = "faults")]
        self.strike();
        self.unwatched = true;
        #[cfg(feature = "verify")]
        {
            self.unwatched &= self.verifier.is_none();
        }
        #[cfg(feature = "faults")]
        {
            let turn = self.alternating.as_ref().map(|own| own.turn());
            self.burn.now = match turn {
                Some(config::Turn::A) => 0,
                Some(config::Turn::B) | None => self.burn.steps,
            };
            // Both turns take the same way, so that they differ by the burnt steps alone.
            self.unwatched &= self.burn.steps == 0;
        }
    }

    /// Takes over another bitmap between two frames: all state is told again.
    fn flip(&mut self, mask: PushMask) {
        self.latch(mask);
        self.tracker
            .forget(mask.contains(PushMask::NO_CSO_ADDRESSING));
        #[cfg(feature = "pull")]
        self.legacy.forget();
    }

    /// The first few differences that verification found.
    pub fn reports(&self) -> Vec<VerifyReport> {
        #[cfg(feature = "verify")]
        if let Some(verifier) = &self.verifier {
            let reports = verifier.reports.iter();
            return reports
                .map(|report| VerifyReport {
                    field: report.field.clone(),
                    verb: report.verb.to_owned(),
                    verb_ordinal: report.verb_ordinal,
                    frame: report.frame,
                    gl_call: report.gl_call,
                    told: report.told.clone(),
                    expected: report.expected.clone(),
                })
                .collect();
        }
        Vec::new()
    }

    /// What the gates of the arms let through: per atom of the push arm; and the pull arm's reads and verbs.
    pub fn gates(&self) -> (Vec<(&'static str, tracker::GateCounts)>, (u64, u64)) {
        #[cfg(feature = "pull")]
        let reads = (self.legacy.reads().total(), self.legacy.reads().verbs);
        #[cfg(not(feature = "pull"))]
        let reads = (0, 0);
        (self.tracker.gate_counts(), reads)
    }

    /// What the caches of constant state objects did.
    pub fn cso_counts(&self) -> [(&'static str, tracker::cache::CsoCounts); 3] {
        self.tracker.cso_counts()
    }

    /// What alternating two bitmaps gave so far.
    pub fn alternation(&self) -> Option<AbResult> {
        self.alternating.as_ref().map(|own| own.result())
    }

    /// Plants the faults that the bitmap arms.
    #[cfg(feature = "faults")]
    fn strike(&mut self) {
        let mut skipped = tracker::Faults::default();
        self.stale.clear();
        for fault in self.plan.armed(self.mask) {
            match fault {
                Fault::Skip(atom) => skipped.skip(atom),
                Fault::Omit(group, class) => {
                    let shares = &mut self.shares[class as usize];
                    shares.push.0 &= !GroupMask::of(group).0;
                    shares.atoms = AtomSet::of_groups(shares.push);
                }
                Fault::Stale(_) | Fault::Pull(_) => self.stale.push(fault),
                Fault::Drop(_)
                | Fault::Noop(_)
                | Fault::Address(_)
                | Fault::Burn(_)
                | Fault::Ear(_) => {}
            }
        }
        self.tracker.plant(skipped);
    }

    /// A verb was prepared: what was to be told once is not told again.
    #[cfg(feature = "faults")]
    fn grow_stale(&mut self, class: VerbClass) {
        let shares = &mut self.shares;
        self.stale.retain(|fault| {
            let (group, by_all) = match fault {
                Fault::Stale(group) => (*group, true),
                Fault::Pull(group) => (*group, false),
                _ => return false,
            };
            let told = class.required().contains(group);
            for shares in shares.iter_mut().filter(|_| told) {
                let kept = !GroupMask::of(group).0;
                if by_all {
                    shares.push.0 &= kept;
                    shares.atoms = AtomSet::of_groups(shares.push);
                }
                #[cfg(feature = "pull")]
                {
                    shares.pull.0 &= kept;
                    shares.residual.0 &= kept;
                }
            }
            !told
        });
    }

    fn is_pushed(&self, bit: PushMask) -> bool {
        cfg!(not(feature = "pull")) || self.mask.contains(bit)
    }

    /// Makes the arms tell what moved before a verb.
    fn tell(
        &mut self,
        class: VerbClass,
        texture: TextureId,
        view: View<'_>,
        emission: &mut Emission,
        pipe: &mut dyn Stream,
    ) {
        #[cfg(feature = "faults")]
        if self.burn.steps != 0 {
            burn(self.burn.now);
        }
        #[cfg(feature = "verify")]
        let retained = match &self.verifier {
            Some(verifier) if verifier.looks_at(view) => {
                recorder(pipe).map(|recorder| {
                    // What was uploaded at call time was due then.
                    recorder.witness_mut().take_uploads();
                    verify::Retained::before(view, emission, class, texture, class.required())
                })
            }
            Some(_) | None => None,
        };
        let shares = self.shares[class as usize];
        let due = self
            .tracker
            .begin(class, texture, shares.atoms, view, emission);
        let push = due != AtomSet::NONE;
        #[cfg(feature = "pull")]
        let pull = {
            let groups = shares.pull.or(shares.residual);
            groups != GroupMask::NONE && self.legacy.begin(class, texture, groups, view, emission)
        };

        let mut push_stages = |stages: &[Stage], emission: &mut Emission, pipe: &mut dyn Stream| {
            let mut job = tracker::Job {
                class,
                texture,
                view,
                emission,
                out: Out::new(pipe, &mut self.push_calls),
            };
            for stage in stages {
                self.tracker.run(*stage, due, &mut job);
            }
        };
        if push {
            push_stages(&[Stage::Resources], emission, pipe);
        }
        #[cfg(feature = "pull")]
        if pull {
            let mut job = legacy_pull::Job {
                class,
                texture,
                view,
                emission,
                out: legacy_pull::Out::new(pipe, &mut self.pull_calls),
            };
            self.legacy.tell_resources(shares.pull, &mut job);
        }
        if push {
            push_stages(&[Stage::Csos, Stage::Sets], emission, pipe);
        }
        #[cfg(feature = "pull")]
        if pull {
            let mut job = legacy_pull::Job {
                class,
                texture,
                view,
                emission,
                out: legacy_pull::Out::new(pipe, &mut self.pull_calls),
            };
            self.legacy
                .tell_state(shares.pull, shares.residual, &mut job);
        }
        #[cfg(feature = "faults")]
        if !self.stale.is_empty() {
            self.grow_stale(class);
        }
        #[cfg(feature = "verify")]
        if let Some(verifier) = self.verifier.as_mut().filter(|own| own.looks_at(view)) {
            #[cfg(feature = "faults")]
            if let Some(corrupt) = self.corrupt.filter(|corrupt| corrupt.is_for(class)) {
                pipe.corrupt(corrupt.group);
            }
            let uploads = match recorder(pipe) {
                Some(recorder) => recorder.witness_mut().take_uploads(),
                None => Vec::new(),
            };
            let pipe: &dyn Stream = pipe;
            let any: &dyn std::any::Any = pipe;
            let recorder = any.downcast_ref::<verify::Recorder<dyn Stream>>();
            let heard = recorder.zip(retained.as_ref());
            verifier.check(
                pipe.told(),
                view,
                emission,
                class,
                texture,
                class.required(),
                heard.map(|(recorder, retained)| verify::Heard {
                    contents: recorder.witness().contents(),
                    retained,
                    uploads: &uploads,
                }),
                gl_entry::thunk::calls_so_far,
            );
        }
    }

    /// One job of the tracker outside a verb.
    fn push_job(
        &mut self,
        view: View<'_>,
        emission: &mut Emission,
        pipe: &mut dyn Stream,
        run: impl FnOnce(&mut Tracker, &mut tracker::Job<'_>),
    ) {
        let mut job = tracker::Job {
            class: VerbClass::Flush,
            texture: TextureId::NULL,
            view,
            emission,
            out: Out::new(pipe, &mut self.push_calls),
        };
        run(&mut self.tracker, &mut job);
    }

    /// One job of the pull arm outside a verb.
    #[cfg(feature = "pull")]
    fn pull_job(
        &mut self,
        view: View<'_>,
        emission: &mut Emission,
        pipe: &mut dyn Stream,
        run: impl FnOnce(&mut legacy_pull::LegacyPull, &mut legacy_pull::Job<'_>),
    ) {
        let mut job = legacy_pull::Job {
            class: VerbClass::Flush,
            texture: TextureId::NULL,
            view,
            emission,
            out: legacy_pull::Out::new(pipe, &mut self.pull_calls),
        };
        run(&mut self.legacy, &mut job);
    }
}

/// Takes time that no compiler takes away, between fences, so that a core cannot hide it under the work around it.
#[cfg(feature = "faults")]
#[inline(never)]
fn burn(steps: u32) {
    use std::sync::atomic::{Ordering, fence};
    fence(Ordering::SeqCst);
    for step in 0..steps {
        std::hint::black_box(step);
    }
    fence(Ordering::SeqCst);
}

/// The recorder before the stream, where there is one.
#[cfg(feature = "verify")]
fn recorder(pipe: &mut dyn Stream) -> Option<&mut verify::Recorder<dyn Stream>> {
    let any: &mut dyn std::any::Any = pipe;
    any.downcast_mut()
}

/// Groups that may travel in the residual block.
#[cfg(feature = "pull")]
fn values() -> GroupMask {
    let rows = GROUPS.iter();
    GroupMask(
        rows.filter(|row| row.carrier == pipe_inputs::Carrier::Value)
            .fold(0, |mask, row| mask | GroupMask::of(row.group).0),
    )
}

impl StateSource for Arms {
    fn prepare(
        &mut self,
        class: VerbClass,
        texture: TextureId,
        view: View<'_>,
        emission: &mut Emission,
        pipe: &mut dyn Stream,
    ) -> Prepared {
        self.tell(class, texture, view, emission, pipe);
        Prepared {
            groups: self.shares[class as usize].vouched,
            // A read-back depends on the pack buffer's binding as well, which moves nothing.
            steady: self.unwatched && class != VerbClass::Readback,
        }
    }

    fn resource_op(
        &mut self,
        op: ResourceOp,
        view: View<'_>,
        emission: &mut Emission,
        pipe: &mut dyn Stream,
    ) {
        match op {
            ResourceOp::BufferChanged(id) => {
                // A cleared bit: the next verb that reaches the buffer tells it.
                if self.is_pushed(PushMask::BUFFERS) {
                    self.push_job(view, emission, pipe, |arm, job| arm.buffer_changed(id, job));
                }
            }
            ResourceOp::BufferNeeded(id) => {
                if self.is_pushed(PushMask::BUFFERS) {
                    self.push_job(view, emission, pipe, |arm, job| arm.buffer_changed(id, job));
                } else {
                    #[cfg(feature = "pull")]
                    self.pull_job(view, emission, pipe, |arm, job| arm.buffer_needed(id, job));
                }
            }
            ResourceOp::TextureNeeded(id) => {
                if self.is_pushed(PushMask::TEXTURES) {
                    self.push_job(view, emission, pipe, |arm, job| arm.texture_needed(id, job));
                } else {
                    #[cfg(feature = "pull")]
                    self.pull_job(view, emission, pipe, |arm, job| arm.texture_needed(id, job));
                }
            }
            ResourceOp::RenderbufferNeeded(id) => {
                if self.is_pushed(PushMask::FRAMEBUFFER) {
                    self.push_job(view, emission, pipe, |arm, job| {
                        arm.renderbuffer_needed(id, job);
                    });
                } else {
                    #[cfg(feature = "pull")]
                    self.pull_job(view, emission, pipe, |arm, job| {
                        arm.renderbuffer_needed(id, job);
                    });
                }
            }
            ResourceOp::ObjectsDied => {
                let mask = if cfg!(feature = "pull") {
                    self.mask.0
                } else {
                    PushMask::ALL.0
                };
                self.push_job(view, emission, pipe, |arm, job| arm.objects_died(mask, job));
            }
        }
    }

    fn retire(&mut self, view: View<'_>, emission: &mut Emission, pipe: &mut dyn Stream) {
        self.push_job(view, emission, pipe, Tracker::retire);
        #[cfg(feature = "pull")]
        self.pull_job(view, emission, pipe, legacy_pull::LegacyPull::retire);
    }

    fn resolves_host(&mut self) -> bool {
        let early = self.is_pushed(PushMask::HOST_RESOLVE);
        self.host_resolved[usize::from(!early)] += 1;
        early
    }

    fn frame_boundary(&mut self, view: View<'_>) {
        self.tracker.frame_boundary();
        #[cfg(feature = "pull")]
        self.legacy.frame_boundary();
        counting::frame_ended();
        if let Some(alternating) = &mut self.alternating
            && alternating.frame_ended(view.ctx.verbs)
        {
            let mask = alternating.mask();
            self.flip(mask);
        }
        if let Some(alternating) = &mut self.alternating {
            alternating.frame_begins(view.ctx.verbs);
        }
    }

    fn mask(&self) -> u64 {
        self.mask.0
    }

    fn arm_counters(&self) -> Vec<(u64, u64, u64)> {
        let mut bits: Vec<u8> = GROUPS.iter().map(|row| row.bit).collect();
        bits.dedup();
        // No group of state belongs to it: it says who looks at client memory.
        let [early, late] = self.host_resolved;
        let host = (
            u64::from(PushMask::HOST_RESOLVE.0.trailing_zeros()),
            early,
            late,
        );
        bits.into_iter()
            .map(|bit| {
                let at = usize::from(bit);
                #[cfg(feature = "pull")]
                let pull = self.pull_calls[at];
                #[cfg(not(feature = "pull"))]
                let pull = 0;
                (u64::from(bit), self.push_calls[at], pull)
            })
            .chain([host])
            .collect()
    }

    fn verification(&self) -> (u64, u64, Option<String>) {
        #[cfg(feature = "verify")]
        if let Some(verifier) = &self.verifier {
            let first = verifier.reports.first().map(ToString::to_string);
            return (verifier.differences, verifier.verbs, first);
        }
        (0, 0, None)
    }
}
