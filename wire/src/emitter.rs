//! The client's end: [`PipeScreen`] and [`PipeContext`] as records. It waits only where the catalogue's wait class says so and never
//! looks at what the executing side knows.

use crate::arg::VarArg;
use crate::encode::Encoder;
use crate::reply::{Lost, Reply, ReplyPort, ReplyReader, Sent};
use crate::spans::{SpanRows, Spans};
use pipe::{
    Call, Caps, Host, HostSpan, PipeContext, PipeScreen, ReplyBytes, ResourceFlags, Target,
    payload::*, pipe_calls,
};
use zerocopy::IntoBytes;

/// Encodes calls into a port.
#[derive(Debug)]
pub struct Emitter<P> {
    encoder: Encoder<P>,
    /// Answers are read here; kept for its memory.
    reply: Vec<u8>,
    pub(crate) spans: Spans,
    lost: Option<Lost>,
}

impl<P: ReplyPort> Emitter<P> {
    /// Writes to `port` and asks it for answers.
    pub fn new(port: P) -> Self {
        Self {
            encoder: Encoder::new(port),
            reply: Vec::new(),
            spans: Spans::default(),
            lost: None,
        }
    }

    /// The port.
    pub fn port(&mut self) -> &mut P {
        self.encoder.sink()
    }

    /// Why nothing is sent any more. Latched: the first reason stays.
    pub fn lost(&self) -> Option<&Lost> {
        self.lost.as_ref()
    }

    /// Appends a record, unless the peer is lost.
    pub(crate) fn send(&mut self, call: Call, payload: &[u8], args: &[&dyn VarArg]) {
        if self.lost.is_none()
            && let Err(too_large) = self.encoder.record(call, payload, args)
        {
            self.lost = Some(Lost(too_large.to_string()));
        }
    }

    /// Waits for the answer to the record sent last.
    fn ask<R: Reply>(&mut self, call: Call, args: &mut [&mut dyn VarArg]) -> R {
        if self.lost.is_none() {
            match self.answer(call, args) {
                Ok(result) => return result,
                Err(lost) => self.lost = Some(lost),
            }
        }
        R::lost(call)
    }

    fn answer<R: Reply>(&mut self, call: Call, args: &mut [&mut dyn VarArg]) -> Result<R, Lost> {
        self.reply.clear();
        self.encoder.sink().reply(call, &mut self.reply)?;
        let mut reader = ReplyReader::new(&self.reply);
        let result = R::read(&mut reader)?;
        for arg in args {
            arg.fill(&mut reader)?;
        }
        reader.end()?;
        Ok(result)
    }
}

/// Whether this respecify is one whose failure glBufferStorage has to report at once.
pub fn wants_ack(desc: &ResourceDesc) -> bool {
    desc.target == Target::Buffer && desc.flags & ResourceFlags::IMMUTABLE.bits() != 0
}

/// What a call's method does behind the record, by wait class.
macro_rules! outcome {
    (None $this:ident $name:ident $p:ident [$($arg:ident)*] $ret:ty) => {{
        $this.send(Call::$name, $p.as_bytes(), &[$(&$arg),*]);
        <$ret as Sent>::SENT
    }};
    (Ack $this:ident $name:ident $p:ident [$($arg:ident)*] $ret:ty) => {{
        $this.send(Call::$name, $p.as_bytes(), &[$(&$arg),*]);
        if wants_ack($p) {
            return $this.ask(Call::$name, &mut []);
        }
        <$ret as Sent>::SENT
    }};
    (Reply $this:ident $name:ident $p:ident [$($arg:ident)*] $ret:ty) => {{
        $(let mut $arg = $arg;)*
        $this.send(Call::$name, $p.as_bytes(), &[$(&$arg),*]);
        $this.ask(Call::$name, &mut [$(&mut $arg),*])
    }};
}

/// Splits the catalogue by trait; rows that touch host spans go to [`SpanRows`], all others are encoded as they are.
macro_rules! emitter {
    (@screen [$($out:tt)*]) => {
        impl<P: ReplyPort> PipeScreen for Emitter<P> { $($out)* }
    };
    (@screen [$($out:tt)*] $(#[$doc:meta])* $op:literal $name:ident : Screen [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        emitter! { @screen [$($out)*
            fn $name(&mut self, p: &$payload $(, $arg: $ty)*) -> $ret {
                outcome!($wait self $name p [$($arg)*] $ret)
            }
        ] $($rest)* }
    };
    (@screen [$($out:tt)*] $(#[$doc:meta])* $op:literal $name:ident : $class:ident [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        emitter! { @screen [$($out)*] $($rest)* }
    };
    (@context [$($out:tt)*]) => {
        impl<P: ReplyPort> PipeContext for Emitter<P> { $($out)* }
    };
    (@context [$($out:tt)*] $(#[$doc:meta])* $op:literal $name:ident : Screen [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        emitter! { @context [$($out)*] $($rest)* }
    };
    (@context [$($out:tt)*] $(#[$doc:meta])* $op:literal $name:ident : $class:ident [VAR_TAIL HOST_SPAN] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        emitter! { @spans [$($out)*] $name $payload ( $($arg : $ty),* ) $ret; $($rest)* }
    };
    // Spans are a context's.
    (@context [$($out:tt)*] $(#[$doc:meta])* $op:literal bind_context : $class:ident [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        emitter! { @spans [$($out)*] bind_context $payload ( $($arg : $ty),* ) $ret; $($rest)* }
    };
    (@spans [$($out:tt)*] $name:ident $payload:ident ( $($arg:ident : $ty:ty),* ) $ret:ty; $($rest:tt)*) => {
        emitter! { @context [$($out)*
            fn $name(&mut self, p: &$payload $(, $arg: $ty)*) -> $ret {
                SpanRows::$name(self, p $(, $arg)*)
            }
        ] $($rest)* }
    };
    (@context [$($out:tt)*] $(#[$doc:meta])* $op:literal $name:ident : $class:ident [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        emitter! { @context [$($out)*
            fn $name(&mut self, p: &$payload $(, $arg: $ty)*) -> $ret {
                outcome!($wait self $name p [$($arg)*] $ret)
            }
        ] $($rest)* }
    };
}
macro_rules! screen { ($($rows:tt)*) => { emitter! { @screen [] $($rows)* } }; }
macro_rules! context { ($($rows:tt)*) => { emitter! { @context [] $($rows)* } }; }
pipe_calls!(screen);
pipe_calls!(context);
