//! The render state of a context and its two versions. Every mutator bumps exactly the version that its fields' chunk asks for.

use pipe::RenderState;
use pipe::render_state::PIPELINE_CHUNKS;

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
    pub fn values(&self) -> &RenderState {
        &self.values
    }

    /// Moves with every change.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Moves when the pipeline subset changes.
    pub fn pipeline_version(&self) -> u64 {
        self.pipeline_version
    }

    /// Changes fields of pipeline chunks. Redundant changes move nothing.
    pub fn update_pipeline(&mut self, change: impl FnOnce(&mut RenderState)) {
        let before = self.values;
        change(&mut self.values);
        debug_assert_eq!(
            self.values.changed_chunks(
                &before,
                !PIPELINE_CHUNKS & ((1 << pipe::render_state::CHUNKS.len()) - 1)
            ),
            0
        );
        if self.values.pipeline_bytes() != before.pipeline_bytes() {
            self.version += 1;
            self.pipeline_version += 1;
        }
    }

    /// Changes fields of dynamic chunks. Redundant changes may move the version, never the pipeline version.
    pub fn update_dynamic(&mut self, change: impl FnOnce(&mut RenderState)) {
        #[cfg(debug_assertions)]
        let before = self.values;
        change(&mut self.values);
        #[cfg(debug_assertions)]
        assert_eq!(
            self.values.pipeline_bytes(),
            before.pipeline_bytes(),
            "a pipeline field was changed as a dynamic one"
        );
        self.version += 1;
    }
}
