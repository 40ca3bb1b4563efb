//! Patch parameters of a context. What a tessellation stage makes of them is not known here.

use crate::bump::bump;
use crate::context::Context;
use pipe::PatchState;

impl Context {
    /// Sets patch vertices and default levels.
    pub fn set_patch(&mut self, patch: PatchState) {
        if self.patch != patch {
            self.patch = patch;
            bump!("patch::set_patch", self.generations.patch);
        }
    }
}
