//! Contexts and drawables as verbs see them: which is in use, its images. It creates none of them.

use crate::backend::GlesBackend;
use crate::context::Context;
use pipe::ContextId;

impl GlesBackend {
    /// Puts the context in use back among the others.
    pub(crate) fn park(&mut self) {
        if !self.current.is_null() {
            let cx = std::mem::replace(&mut self.cx, Box::new(Context::new(None)));
            self.contexts.insert(self.current, cx);
            self.current = ContextId::NULL;
        }
    }

    pub(crate) fn prepare_surfaces(&mut self) {
        for surface in [self.cx.draw, self.cx.read] {
            if let Some(drawable) = self.surfaces.table.get_mut(surface)
                && drawable.allocate(self.gl)
            {
                self.textures.epoch += 1;
            }
        }
    }
}
