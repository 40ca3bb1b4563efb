//! What brings the executing side up to date before a verb: the one trait behind which push, pull and verification stand.
//! Commands know this trait and nothing of who implements it.

use gl_state::{Emission, View};
use pipe::{BufferId, PipeStream, RenderbufferId, TextureId};
use pipe_inputs::{GroupMask, Inspect, VerbClass};

/// What the session holds: the stream of calls, and a look at what the executing side was told, for verification.
pub trait Stream: PipeStream + Inspect {}

impl<T: PipeStream + Inspect> Stream for T {}

/// An object operation that GL performs at call time. Emitted at once where the push arm owns the object's bit, else recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceOp {
    /// Storage or bytes of a buffer changed (its marks are in the emission), or it is bound as something new.
    BufferChanged(BufferId),
    /// The executing side's copy must be whole before the next call that names it: map, read-back, GPU copies. Never deferred.
    BufferNeeded(BufferId),
    /// As above, for a texture.
    TextureNeeded(TextureId),
    /// As above, for a renderbuffer.
    RenderbufferNeeded(RenderbufferId),
    /// Objects ended; their handles are in the emission.
    ObjectsDied,
}

/// What a source answers for one verb.
#[derive(Clone, Copy, Debug)]
pub struct Prepared {
    /// The groups that it vouches for.
    pub groups: GroupMask,
    /// It need not be asked again before the next verb of this class unless something moves ([`View::stamp`]).
    pub steady: bool,
}

/// Where the state of a verb comes from. `Any`: whoever put one in finds it again, for its figures.
pub trait StateSource: std::any::Any {
    /// Tells everything that a verb of this class may read and has not been told; the groups that it vouches for, which cover
    /// what the class requires. `texture`: what a texture operation works on.
    fn prepare(
        &mut self,
        class: VerbClass,
        texture: TextureId,
        view: View<'_>,
        emission: &mut Emission,
        pipe: &mut dyn Stream,
    ) -> Prepared;

    /// An operation that GL performs at call time.
    fn resource_op(
        &mut self,
        op: ResourceOp,
        view: View<'_>,
        emission: &mut Emission,
        pipe: &mut dyn Stream,
    );

    /// Who finds out how far a draw reads arrays in client memory: `true`, the command, before the verb; `false`, the executing side,
    /// when it needs the bytes. Asked once for each such draw.
    fn resolves_host(&mut self) -> bool;

    /// The context ends, after its last verb: the constant objects that it made for itself go. Its GL objects have their own ends.
    fn retire(&mut self, view: View<'_>, emission: &mut Emission, pipe: &mut dyn Stream);

    /// A frame ended: the bitmap may change here.
    fn frame_boundary(&mut self, view: View<'_>);

    /// The bitmap in force.
    fn mask(&self) -> u64;

    /// Per implemented bit: `(bit, told by the push arm, told by the pull arm)`.
    fn arm_counters(&self) -> Vec<(u64, u64, u64)>;

    /// Differences found by verification, verbs compared, and the first difference in words.
    fn verification(&self) -> (u64, u64, Option<String>);
}
