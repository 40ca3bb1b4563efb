//! The render state of a context and its two versions. The one mutator of each kind compares the field it sets, so that a redundant
//! call moves nothing and a toggle costs a compare, a store and two increments.

use crate::bump::bump;
use pipe::RenderState;
use pipe::render_state::PIPELINE_BYTES;

/// Values and versions.
#[derive(Debug)]
pub struct RenderStateBlock {
    values: RenderState,
    version: u64,
    pipeline_version: u64,
}

impl Default for RenderStateBlock {
    fn default() -> Self {
        Self {
            values: RenderState::default(),
            version: 1,
            pipeline_version: 1,
        }
    }
}

impl RenderStateBlock {
    /// The values.
    #[inline]
    pub fn values(&self) -> &RenderState {
        &self.values
    }

    /// Moves with every change.
    #[inline]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Moves when the pipeline subset changes.
    #[inline]
    pub fn pipeline_version(&self) -> u64 {
        self.pipeline_version
    }

    /// Sets one field of a pipeline chunk.
    #[inline]
    pub fn set_pipeline<T: PartialEq>(
        &mut self,
        field: impl FnOnce(&mut RenderState) -> &mut T,
        value: T,
    ) {
        if self.set(field, value, true) {
            bump!("render_state::set_pipeline", self.version);
            bump!("render_state::set_pipeline", self.pipeline_version);
        }
    }

    /// Sets one field of a dynamic chunk.
    #[inline]
    pub fn set_dynamic<T: PartialEq>(
        &mut self,
        field: impl FnOnce(&mut RenderState) -> &mut T,
        value: T,
    ) {
        if self.set(field, value, false) {
            bump!("render_state::set_dynamic", self.version);
        }
    }

    /// Whether the field changed.
    #[inline]
    fn set<T: PartialEq>(
        &mut self,
        field: impl FnOnce(&mut RenderState) -> &mut T,
        value: T,
        pipeline: bool,
    ) -> bool {
        let start = (&raw const self.values).addr();
        let slot = field(&mut self.values);
        // The pipeline subset comes first (pipe::render_state): a field's place says which setter it needs.
        debug_assert_eq!(
            (&raw const *slot).addr() - start < PIPELINE_BYTES,
            pipeline,
            "a field was set as one of the other kind"
        );
        let changed = *slot != value;
        if changed {
            *slot = value;
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redundant_set_moves_nothing_and_a_change_moves_its_versions() {
        let mut block = RenderStateBlock::default();
        block.set_pipeline(|s| &mut s.blend.enabled, 0);
        block.set_dynamic(|s| &mut s.primitive.line_width, 1.0);
        assert_eq!((block.version(), block.pipeline_version()), (1, 1));
        block.set_dynamic(|s| &mut s.primitive.line_width, 2.0);
        assert_eq!((block.version(), block.pipeline_version()), (2, 1));
        block.set_pipeline(|s| &mut s.blend.enabled, 1);
        assert_eq!((block.version(), block.pipeline_version()), (3, 2));
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "other kind")]
    fn dynamic_field_set_as_pipeline_is_refused() {
        RenderStateBlock::default().set_pipeline(|s| &mut s.primitive.line_width, 2.0);
    }
}
