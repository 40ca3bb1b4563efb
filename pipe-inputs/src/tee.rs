//! A tee: stands before a stream, shows every call to a witness and passes it on. It is made from the catalogue, so no call can be
//! missing; it changes nothing.

use crate::{Group, Inspect, Told};
use pipe::*;
use std::any::Any;
use std::fmt::Debug;

/// A stream with a witness before it.
pub struct Tee<W, S: ?Sized> {
    witness: W,
    inner: Box<S>,
}

/// Who looks at calls.
pub trait Witness {
    /// A call that is about to be made.
    fn see(&mut self, call: Call, payload: &dyn Payload, args: &[Arg<'_>]);

    /// The executing side needs texels that only the client has before it can go on with the verb.
    fn parked(&mut self);
}

/// A payload, whatever it is.
pub trait Payload: Any + Debug {}

impl<T: Any + Debug> Payload for T {}

/// The payload as what its call has, or nothing.
pub fn payload<T: 'static>(payload: &dyn Payload) -> Option<&T> {
    let any: &dyn Any = payload;
    any.downcast_ref()
}

/// A further argument of a call.
#[derive(Clone, Copy)]
pub enum Arg<'a> {
    Bytes(&'a [u8]),
    /// Regions of an upload.
    Regions(&'a [SubRegion]),
    /// Any other tail.
    Tail(&'a dyn Tail),
    /// Resolves client memory.
    Host(Host<'a>),
    /// Where a reply goes: its size, if it comes back at all.
    Reply(Option<usize>),
}

/// A run of values behind a payload.
pub trait Tail: Debug {
    fn count(&self) -> usize;

    /// Bytes of the application's memory that it names.
    fn host_bytes(&self) -> u64;
}

impl<'a> From<&'a &'a [u8]> for Arg<'a> {
    fn from(bytes: &'a &'a [u8]) -> Self {
        Arg::Bytes(bytes)
    }
}

impl<'a> From<&'a &'a [SubRegion]> for Arg<'a> {
    fn from(regions: &'a &'a [SubRegion]) -> Self {
        Arg::Regions(regions)
    }
}

impl<'a> From<&'a Host<'_>> for Arg<'a> {
    fn from(host: &'a Host<'_>) -> Self {
        Arg::Host(Host(host.0))
    }
}

impl<'a> From<&'a ReplyBytes<'_>> for Arg<'a> {
    fn from(reply: &'a ReplyBytes<'_>) -> Self {
        Arg::Reply(reply.0.as_ref().map(|out| out.len()))
    }
}

macro_rules! tails {
    ($($ty:ty: |$value:ident| $bytes:expr;)*) => { $(
        impl Tail for &[$ty] {
            fn count(&self) -> usize {
                self.len()
            }

            fn host_bytes(&self) -> u64 {
                self.iter().map(|$value| $bytes).sum()
            }
        }

        impl<'a> From<&'a &'a [$ty]> for Arg<'a> {
            fn from(tail: &'a &'a [$ty]) -> Self {
                Arg::Tail(tail)
            }
        }
    )* };
}
tails! {
    VertexBuffer: |buffer| buffer.user.size_bytes;
    HostSpan: |span| span.size_bytes;
    BufferRange: |range| range.host.size_bytes;
    BoundView: |_view| 0;
    SamplerOnly: |_sampler| 0;
    ImageView: |_image| 0;
    AttribValue: |_value| 0;
    DrawRange: |_range| 0;
    DrawIndirect: |_indirect| 0;
    ProgramBinding: |_binding| 0;
}

/// What a call answers.
trait Answer {
    fn is_parked(&self) -> bool;
}

impl Answer for Submit {
    fn is_parked(&self) -> bool {
        match self {
            Submit::Done => false,
            Submit::Park(_) => true,
        }
    }
}

macro_rules! other_answers {
    ($($ty:ty)*) => { $(impl Answer for $ty {
        fn is_parked(&self) -> bool {
            false
        }
    })* };
}
other_answers! { () bool u64 FenceStatus std::sync::Arc<Caps> }

impl<W, S: ?Sized> Tee<W, S> {
    pub fn new(witness: W, inner: Box<S>) -> Self {
        Self { witness, inner }
    }

    /// Who looks.
    pub fn witness(&self) -> &W {
        &self.witness
    }

    /// Likewise.
    pub fn witness_mut(&mut self) -> &mut W {
        &mut self.witness
    }

    /// The stream behind.
    pub fn inner(&mut self) -> &mut S {
        &mut self.inner
    }
}

macro_rules! tee {
    (@screen [$($out:tt)*]) => {
        impl<W: Witness, S: PipeStream + Inspect + ?Sized> PipeScreen for Tee<W, S> { $($out)* }
    };
    (@screen [$($out:tt)*] $(#[$doc:meta])* $op:literal $name:ident : Screen [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        tee! { @screen [$($out)* fn $name(&mut self, p: &$payload $(, $arg: $ty)*) -> $ret {
            self.witness.see(Call::$name, p, &[$(Arg::from(&$arg)),*]);
            self.inner.$name(p $(, $arg)*)
        }] $($rest)* }
    };
    (@screen [$($out:tt)*] $(#[$doc:meta])* $op:literal $name:ident : $class:ident [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        tee! { @screen [$($out)*] $($rest)* }
    };
    (@context [$($out:tt)*]) => {
        impl<W: Witness, S: PipeStream + Inspect + ?Sized> PipeContext for Tee<W, S> { $($out)* }
    };
    (@context [$($out:tt)*] $(#[$doc:meta])* $op:literal $name:ident : Screen [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        tee! { @context [$($out)*] $($rest)* }
    };
    (@context [$($out:tt)*] $(#[$doc:meta])* $op:literal $name:ident : $class:ident [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        tee! { @context [$($out)* fn $name(&mut self, p: &$payload $(, $arg: $ty)*) -> $ret {
            self.witness.see(Call::$name, p, &[$(Arg::from(&$arg)),*]);
            let answer = self.inner.$name(p $(, $arg)*);
            if answer.is_parked() {
                self.witness.parked();
            }
            answer
        }] $($rest)* }
    };
}
macro_rules! tee_screen { ($($rows:tt)*) => { tee! { @screen [] $($rows)* } }; }
macro_rules! tee_context { ($($rows:tt)*) => { tee! { @context [] $($rows)* } }; }
pipe::pipe_calls!(tee_screen);
pipe::pipe_calls!(tee_context);

impl<W: Witness + 'static, S: PipeStream + Inspect + ?Sized> PipeSession for Tee<W, S> {
    fn create_context(&mut self, context: ContextId) -> Result<(), PipeError> {
        self.inner.create_context(context)
    }

    fn destroy_context(&mut self, context: ContextId) {
        self.inner.destroy_context(context);
    }

    fn create_surface(&mut self, surface: SurfaceId, desc: &SurfaceDesc) -> Result<(), PipeError> {
        self.inner.create_surface(surface, desc)
    }

    fn resize_surface(
        &mut self,
        surface: SurfaceId,
        width: u32,
        height: u32,
    ) -> Result<(), PipeError> {
        self.inner.resize_surface(surface, width, height)
    }

    fn destroy_surface(&mut self, surface: SurfaceId) {
        self.inner.destroy_surface(surface);
    }

    fn make_current(
        &mut self,
        context: ContextId,
        draw: SurfaceId,
        read: SurfaceId,
    ) -> Result<(), PipeError> {
        self.inner.make_current(context, draw, read)
    }

    fn events(&mut self) -> &mut EventQueue {
        self.inner.events()
    }
}

impl<W: Witness, S: PipeStream + Inspect + ?Sized> Inspect for Tee<W, S> {
    fn told(&self) -> Told<'_> {
        self.inner.told()
    }

    fn set_poison(&mut self, on: bool) {
        self.inner.set_poison(on);
    }

    fn corrupt(&mut self, group: Group) -> bool {
        self.inner.corrupt(group)
    }
}
