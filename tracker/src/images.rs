//! Atom of image units. No context has image bindings yet: the set is told once, empty.

use crate::{Job, Tracker};
use pipe::SlotRange;

const BIT: u8 = 9;

impl Tracker {
    pub(crate) fn shader_images(&mut self, job: &mut Job<'_>) {
        if self.images_gate != job.view.ctx.generations.image_bindings {
            self.images_gate = job.view.ctx.generations.image_bindings;
            let range = SlotRange { start: 0, count: 0 };
            job.out.at(BIT).set_shader_images(&range, &[]);
        }
    }
}
