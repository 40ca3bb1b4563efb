//! A decoded call onto a stream: made from the catalogue. It checks nothing; that was done.

use pipe::{
    Host, HostSpan, PipeContext, PipeScreen, ReplyBytes, TexturePull, payload::*, pipe_calls,
};
use wire::{Arg, Command, Reply};

macro_rules! dispatch {
    ($($(#[$doc:meta])* $op:literal $name:ident : $class:ident [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty;)*) => {
        /// Makes the call. `reply` gets the result and the bytes that the caller has room for; the answer is the pull request that
        /// kept a verb from being done.
        pub(crate) fn run<S: PipeScreen + PipeContext + ?Sized>(
            command: &Command<'_>,
            stream: &mut S,
            reply: &mut Vec<u8>,
        ) -> Option<TexturePull> {
            match command {
                $(Command::$name { p, $($arg),* } => {
                    $(let mut $arg = <fn($ty) as Arg<'_>>::hold($arg);)*
                    let result = stream.$name(p $(, <fn($ty) as Arg<'_>>::lend(&mut $arg))*);
                    result.write(reply);
                    $(<fn($ty) as Arg<'_>>::answer(&$arg, reply);)*
                    result.parked()
                })*
            }
        }
    };
}
pipe_calls!(dispatch);
