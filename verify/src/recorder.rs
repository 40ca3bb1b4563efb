//! The recorder: stands before a stream, writes down what is told, keeps a mirror of contents, and passes every call on. It is
//! made from the catalogue, so no call can be missing; it changes nothing.

use crate::contents::Contents;
use pipe::*;
use pipe_inputs::{Group, Inspect, Told};
use std::any::Any;
use std::fmt::{Debug, Write as _};

/// A stream with a recorder before it.
pub struct Recorder<S: ?Sized> {
    inner: Box<S>,
    contents: Contents,
    /// What was told, a line a call; `None`: nothing is written down.
    text: Option<String>,
}

impl<S: PipeStream + Inspect + ?Sized> Recorder<S> {
    /// Mirrors contents only.
    pub fn new(inner: Box<S>) -> Self {
        Self {
            inner,
            contents: Contents::default(),
            text: None,
        }
    }

    /// Writes down as well.
    #[must_use]
    pub fn with_text(mut self) -> Self {
        self.text = Some(String::new());
        self
    }

    /// The lines since the last call: one a call, `name payload arguments`.
    pub fn take_text(&mut self) -> String {
        self.text.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// What resources contain, by what was told.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// The stream behind.
    pub fn inner(&mut self) -> &mut S {
        &mut self.inner
    }

    fn see(&mut self, call: Call, payload: &(impl Debug + Any), args: &[&dyn Argument]) {
        let blob = args.iter().find_map(|arg| arg.bytes());
        let regions = args.iter().find_map(|arg| arg.regions());
        self.contents
            .see(call, payload, regions.unwrap_or_default(), blob);
        if let Some(text) = &mut self.text {
            let _ = write!(text, "{} {payload:?}", call.row().name);
            for arg in args {
                text.push(' ');
                arg.show(text);
            }
            text.push('\n');
        }
    }
}

/// A further argument of a call.
trait Argument {
    fn show(&self, text: &mut String);

    /// The blob, where it is one.
    fn bytes(&self) -> Option<&[u8]>;

    /// Regions of an upload, where it is them.
    fn regions(&self) -> Option<&[SubRegion]>;
}

impl Argument for &[u8] {
    fn show(&self, text: &mut String) {
        let hash = xxhash_rust::xxh3::xxh3_64(self);
        let _ = write!(text, "<{} bytes {hash:016x}>", self.len());
    }

    fn bytes(&self) -> Option<&[u8]> {
        Some(self)
    }

    fn regions(&self) -> Option<&[SubRegion]> {
        None
    }
}

impl Argument for &[SubRegion] {
    fn show(&self, text: &mut String) {
        let _ = write!(text, "{self:?}");
    }

    fn bytes(&self) -> Option<&[u8]> {
        None
    }

    fn regions(&self) -> Option<&[SubRegion]> {
        Some(self)
    }
}

macro_rules! plain_arguments {
    ($($ty:ty => |$arg:ident, $text:ident| $show:expr;)*) => {$(
        impl Argument for $ty {
            fn show(&self, $text: &mut String) {
                let $arg = self;
                let _ = $show;
            }

            fn bytes(&self) -> Option<&[u8]> {
                None
            }

            fn regions(&self) -> Option<&[SubRegion]> {
                None
            }
        }
    )*};
}
plain_arguments! {
    &[VertexBuffer] => |arg, text| write!(text, "{arg:?}");
    &[BoundView] => |arg, text| write!(text, "{arg:?}");
    &[SamplerOnly] => |arg, text| write!(text, "{arg:?}");
    &[ImageView] => |arg, text| write!(text, "{arg:?}");
    &[BufferRange] => |arg, text| write!(text, "{arg:?}");
    &[AttribValue] => |arg, text| write!(text, "{arg:?}");
    &[DrawRange] => |arg, text| write!(text, "{arg:?}");
    &[DrawIndirect] => |arg, text| write!(text, "{arg:?}");
    &[HostSpan] => |arg, text| write!(text, "{arg:?}");
    &[ProgramBinding] => |arg, text| write!(text, "{arg:?}");
    Host<'_> => |_arg, text| write!(text, "host");
    ReplyBytes<'_> => |arg, text| write!(text, "<reply {:?}>", arg.0.as_ref().map(|out| out.len()));
}

macro_rules! tee {
    (@screen [$($out:tt)*]) => {
        impl<S: PipeStream + Inspect + ?Sized> PipeScreen for Recorder<S> { $($out)* }
    };
    (@screen [$($out:tt)*] $(#[$doc:meta])* $op:literal $name:ident : Screen [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        tee! { @screen [$($out)* fn $name(&mut self, p: &$payload $(, $arg: $ty)*) -> $ret {
            self.see(Call::$name, p, &[$(&$arg),*]);
            self.inner.$name(p $(, $arg)*)
        }] $($rest)* }
    };
    (@screen [$($out:tt)*] $(#[$doc:meta])* $op:literal $name:ident : $class:ident [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        tee! { @screen [$($out)*] $($rest)* }
    };
    (@context [$($out:tt)*]) => {
        impl<S: PipeStream + Inspect + ?Sized> PipeContext for Recorder<S> { $($out)* }
    };
    (@context [$($out:tt)*] $(#[$doc:meta])* $op:literal $name:ident : Screen [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        tee! { @context [$($out)*] $($rest)* }
    };
    (@context [$($out:tt)*] $(#[$doc:meta])* $op:literal $name:ident : $class:ident [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        tee! { @context [$($out)* fn $name(&mut self, p: &$payload $(, $arg: $ty)*) -> $ret {
            self.see(Call::$name, p, &[$(&$arg),*]);
            self.inner.$name(p $(, $arg)*)
        }] $($rest)* }
    };
}
macro_rules! tee_screen { ($($rows:tt)*) => { tee! { @screen [] $($rows)* } }; }
macro_rules! tee_context { ($($rows:tt)*) => { tee! { @context [] $($rows)* } }; }
pipe::pipe_calls!(tee_screen);
pipe::pipe_calls!(tee_context);

impl<S: PipeStream + Inspect + ?Sized> PipeSession for Recorder<S> {
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

impl<S: PipeStream + Inspect + ?Sized> Inspect for Recorder<S> {
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
