//! What brings the executing side up to date before a verb: the one trait behind which push, pull and verification stand.
//! Commands know this trait and nothing of who implements it.

use gl_state::{Emission, View};
use pipe::{BufferId, PipeStream, TextureId};
use pipe_inputs::{GroupMask, VerbClass};

/// An object operation that GL performs at call time. Emitted at once where the push arm owns the object's bit, else recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceOp {
    /// Storage or bytes of a buffer changed (its marks are in the emission), or it is bound as something new.
    BufferChanged(BufferId),
    /// The executing side's copy must be whole before the next call that names it: map, read-back, GPU copies. Never deferred.
    BufferNeeded(BufferId),
    /// As above, for a texture.
    TextureNeeded(TextureId),
    /// Objects ended; their handles are in the emission.
    ObjectsDied,
}

/// Where the state of a verb comes from.
pub trait StateSource {
    /// Tells everything that a verb of this class may read and has not been told; the groups that it vouches for, which cover
    /// what the class requires. `texture`: what a texture operation works on.
    fn prepare(
        &mut self,
        class: VerbClass,
        texture: TextureId,
        view: View<'_>,
        emission: &mut Emission,
        pipe: &mut dyn PipeStream,
    ) -> GroupMask;

    /// An operation that GL performs at call time.
    fn resource_op(
        &mut self,
        op: ResourceOp,
        view: View<'_>,
        emission: &mut Emission,
        pipe: &mut dyn PipeStream,
    );

    /// A frame ended: the bitmap may change here.
    fn frame_boundary(&mut self, view: View<'_>);
}
