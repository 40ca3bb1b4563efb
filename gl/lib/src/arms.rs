//! stub
use config::Config;
use gl_entry::source::*;
use gl_state::*;
use pipe::*;
use pipe_inputs::*;
pub struct Arms(u64);
impl Arms {
    pub fn new(c: &Config) -> Self {
        Self(c.pipe_push.0)
    }
}
impl StateSource for Arms {
    fn prepare(
        &mut self,
        _: VerbClass,
        _: TextureId,
        _: View<'_>,
        _: &mut Emission,
        _: &mut dyn Stream,
    ) -> GroupMask {
        GroupMask::ALL
    }
    fn resource_op(&mut self, _: ResourceOp, _: View<'_>, _: &mut Emission, _: &mut dyn Stream) {}
    fn frame_boundary(&mut self, _: View<'_>) {}
    fn mask(&self) -> u64 {
        self.0
    }
    fn arm_counters(&self) -> Vec<(u64, u64, u64)> {
        vec![]
    }
    fn verification(&self) -> (u64, u64, Option<String>) {
        (0, 0, None)
    }
}
