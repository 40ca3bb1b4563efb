//! One compare for a verb before which nothing moved: every version and generation that any atom's gate reads. It holds no values.

use gl_state::{ContextGenerations, ObjectGenerations, View};

/// All gates at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    render_state: u64,
    emission: u64,
    context: ContextGenerations,
    objects: ObjectGenerations,
}

impl Snapshot {
    /// As of now.
    #[inline]
    pub fn of(view: View<'_>, emission: u64) -> Self {
        Self {
            render_state: view.ctx.render_state.version(),
            emission,
            context: view.ctx.generations,
            objects: view.objects.generations,
        }
    }

    /// Whether nothing moved since. Compares in place; nothing is copied.
    #[inline]
    pub fn is_current(&self, view: View<'_>, emission: u64) -> bool {
        self.render_state == view.ctx.render_state.version()
            && self.emission == emission
            && self.context == view.ctx.generations
            && self.objects == view.objects.generations
    }
}
