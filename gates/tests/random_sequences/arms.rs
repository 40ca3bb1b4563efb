//! The arms of one context, composed as the library does it. They check nothing.

use crate::{NO_CSO_ADDRESSING, RESIDUAL};
use gl_state::{Emission, View};
use pipe::{BufferId, TextureId};
use pipe_inputs::{GROUPS, GroupMask, VerbClass};
use tracker::Stage as TrackerStage;

/// The arms of one context, composed as the library does it.
#[derive(Default)]
pub struct Arms {
    pub mask: u64,
    pub tracker: tracker::Tracker,
    pub legacy: legacy_pull::LegacyPull,
    pub calls: [tracker::Calls; 2],
}

impl Arms {
    pub fn latch(&mut self, mask: u64) {
        self.mask = mask;
        self.tracker.forget(mask & NO_CSO_ADDRESSING != 0);
        self.legacy.forget();
    }

    pub fn prepare(
        &mut self,
        class: VerbClass,
        view: View<'_>,
        emission: &mut Emission,
        pipe: &mut dyn pipe::PipeStream,
    ) {
        let required = class.required();
        let push = required.and(GroupMask::of_bits(self.mask));
        let cleared = GroupMask(required.0 & !push.0);
        let values = GROUPS
            .iter()
            .filter(|row| row.carrier == pipe_inputs::Carrier::Value)
            .fold(0, |mask, row| mask | GroupMask::of(row.group).0);
        let residual = if self.mask & RESIDUAL != 0 {
            cleared.and(GroupMask(values))
        } else {
            GroupMask::NONE
        };
        let pull = GroupMask(cleared.0 & !residual.0);
        let texture = TextureId::NULL;
        let atoms = tracker::AtomSet::of_groups(push);
        let due = self.tracker.begin(class, texture, atoms, view, emission);
        let told = pull.or(residual);
        let pull_moved = self.legacy.begin(class, texture, told, view, emission);
        let [push_calls, pull_calls] = &mut self.calls;
        for stage in tracker::STAGES {
            if due != tracker::AtomSet::NONE {
                let out = tracker::Out::new(pipe, push_calls);
                let mut job = tracker::Job {
                    class,
                    texture,
                    view,
                    emission,
                    out,
                };
                self.tracker.run(stage, due, &mut job);
            }
            if pull_moved {
                let out = legacy_pull::Out::new(pipe, pull_calls);
                let mut job = legacy_pull::Job {
                    class,
                    texture,
                    view,
                    emission,
                    out,
                };
                match stage {
                    TrackerStage::Resources => self.legacy.tell_resources(pull, &mut job),
                    TrackerStage::Csos => {}
                    TrackerStage::Sets => self.legacy.tell_state(pull, residual, &mut job),
                }
            }
        }
    }

    /// An operation that GL performs at call time.
    pub fn buffer_changed(
        &mut self,
        id: BufferId,
        view: View<'_>,
        emission: &mut Emission,
        pipe: &mut dyn pipe::PipeStream,
    ) {
        if self.mask & 1 << 4 != 0 {
            let mut job = tracker::Job {
                class: VerbClass::Flush,
                texture: TextureId::NULL,
                view,
                emission,
                out: tracker::Out::new(pipe, &mut self.calls[0]),
            };
            self.tracker.buffer_changed(id, &mut job);
        }
    }
}
