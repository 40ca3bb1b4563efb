//! Atom of buffers: what was marked is told, what ended is buried. Operations that GL performs at call time come here at once.

use crate::Job;
use crate::Tracker;
use gl_state::drain::{self, Step};
use pipe::{BufferId, HandleKind, ResourceOnly};

const BIT: u8 = 4;

impl Job<'_> {
    /// Makes the calls of a drain.
    pub(crate) fn step(out: &mut crate::Out<'_>, bit: u8, step: Step<'_>) {
        match step {
            Step::Create(desc) => out.at(bit).resource_create(&desc),
            Step::Respecify(desc) => out.at(bit).resource_respecify(&desc),
            Step::SubData(head, regions, bytes) => {
                out.at(bit).resource_subdata(&head, regions, bytes);
            }
            Step::Params(params) => out.at(bit).set_texture_params(&params),
        }
    }

    /// Brings one buffer up to date.
    pub(crate) fn tell_buffer(&mut self, id: BufferId) {
        if let Some(buffer) = self.view.objects.buffers.get(id) {
            drain::buffer(self.emission, buffer, |step| {
                Self::step(&mut self.out, BIT, step);
            });
        }
    }

    /// Tells the ends of resources of one kind.
    pub(crate) fn bury(&mut self, kind: HandleKind, bit: u8) {
        if self.emission.dead_resources.is_empty() {
            return;
        }
        let dead = std::mem::take(&mut self.emission.dead_resources);
        for resource in dead {
            if resource.kind == kind as u32 {
                self.out
                    .at(bit)
                    .resource_destroy(&ResourceOnly { resource });
            } else {
                self.emission.dead_resources.push(resource);
            }
        }
    }

    /// Tells the ends of buffers.
    pub(crate) fn bury_buffers(&mut self) {
        self.bury(HandleKind::Buffer, BIT);
    }
}

impl Tracker {
    pub(crate) fn buffers(&mut self, job: &mut Job<'_>) {
        job.bury_buffers();
        if job.emission.has_due_buffers() {
            for id in job.emission.take_due_buffers() {
                job.tell_buffer(id);
            }
        }
    }
}
