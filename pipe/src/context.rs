//! The interface as traits, made from the catalogue: what a tracker calls and a backend, an emitter or a recorder is.
//! No method has a default body: a missing feature is a compile error.

use crate::caps::Caps;
use crate::events::{EventQueue, PipeError};
use crate::handle::{ContextId, SurfaceId};
use crate::host::{Host, HostSpan, ReplyBytes};
use crate::payload::*;

/// Splits the catalogue: calls of class Screen into one trait, all others into the other.
macro_rules! traits {
    (@screen [$($out:tt)*]) => {
        /// Calls on what contexts share (gallium's `pipe_screen`): resources, fences, capabilities.
        pub trait PipeScreen { $($out)* }
    };
    (@screen [$($out:tt)*] $(#[$doc:meta])* $op:literal $name:ident : Screen [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        traits! { @screen [$($out)* $(#[$doc])* fn $name(&mut self, p: &$payload $(, $arg: $ty)*) -> $ret;] $($rest)* }
    };
    (@screen [$($out:tt)*] $(#[$doc:meta])* $op:literal $name:ident : $class:ident [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        traits! { @screen [$($out)*] $($rest)* }
    };
    (@context [$($out:tt)*]) => {
        /// Calls on one context (gallium's `pipe_context`): objects, state, verbs. The context is the one that `bind_context` named last.
        pub trait PipeContext { $($out)* }
    };
    (@context [$($out:tt)*] $(#[$doc:meta])* $op:literal $name:ident : Screen [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        traits! { @context [$($out)*] $($rest)* }
    };
    (@context [$($out:tt)*] $(#[$doc:meta])* $op:literal $name:ident : $class:ident [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        traits! { @context [$($out)* $(#[$doc])* fn $name(&mut self, p: &$payload $(, $arg: $ty)*) -> $ret;] $($rest)* }
    };
}
macro_rules! screen_trait { ($($rows:tt)*) => { traits! { @screen [] $($rows)* } }; }
macro_rules! context_trait { ($($rows:tt)*) => { traits! { @context [] $($rows)* } }; }
crate::pipe_calls!(screen_trait);
crate::pipe_calls!(context_trait);

/// How a drawable is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurfaceSource {
    /// No window: a pbuffer, or the stand-in of a surfaceless context.
    Offscreen,
    /// An X11 window: its id, its visual's and its depth, as the server of the session's display knows them. They mean the same to
    /// every client of that server, in whatever process.
    X11Window { window: u32, visual: u32, depth: u8 },
}

/// A drawable's description. Sizes in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceDesc {
    pub source: SurfaceSource,
    pub width: u32,
    pub height: u32,
    pub color: crate::formats::Format,
    /// [`crate::formats::Format::None`] where the configuration has neither depth nor stencil.
    pub depth_stencil: crate::formats::Format,
    /// 0 or 1: single sampled.
    pub samples: u32,
}

/// Contexts, drawables, make-current: control messages, not commands. Errors answer at once.
pub trait PipeSession {
    /// Prepares the executing side's state of one context.
    fn create_context(&mut self, context: ContextId) -> Result<(), PipeError>;
    /// Ends it; its per-context objects go with it.
    fn destroy_context(&mut self, context: ContextId);
    /// Makes a drawable.
    fn create_surface(&mut self, surface: SurfaceId, desc: &SurfaceDesc) -> Result<(), PipeError>;
    /// Gives a drawable another size; contents are undefined after.
    fn resize_surface(
        &mut self,
        surface: SurfaceId,
        width: u32,
        height: u32,
    ) -> Result<(), PipeError>;
    /// Ends a drawable.
    fn destroy_surface(&mut self, surface: SurfaceId);
    /// Binds the calling thread's driver context and emits `bind_context`. Null surfaces: surfaceless. A null context releases the thread.
    fn make_current(
        &mut self,
        context: ContextId,
        draw: SurfaceId,
        read: SurfaceId,
    ) -> Result<(), PipeError>;
    /// What the executing side has said since; drained by the thunk after each verb.
    fn events(&mut self) -> &mut EventQueue;
}

/// Everything at the seam: what the frontend holds one of. `Any`: whoever opened the stream finds its own type in it again
/// (verification looks at what an executor was told).
pub trait PipeStream: PipeScreen + PipeContext + PipeSession + std::any::Any {}

impl<T: PipeScreen + PipeContext + PipeSession + std::any::Any> PipeStream for T {}
