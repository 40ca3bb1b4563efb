//! The record codec: calls of the interface as bytes and back, made from the catalogue. It holds no transport (rings, processes)
//! and no object tables; what a record's bytes may say is decided here, what its handles may name is the applier's.
//!
//! # A record
//!
//! [`record::Header`] `{op, flags, size}`, the payload padded to 8 bytes, then each further argument whose bit is set in `flags`:
//! its count as `u64`, its elements, zeros up to a multiple of 8. An absent argument is empty and costs nothing, so that an
//! unchanged draw stays below one cache line. There is one encoding of each call: padding is zero, no present tail is empty.
//!
//! # Host bytes
//!
//! Spans of the frontend's memory never travel. [`Emitter`] gives each place that can hold one a key, rewrites the span to
//! `{STAGE, key}` and ships the bytes of the live ones in the record of the verb that reads them ([`spans`]).
#![forbid(unsafe_code)]

pub mod arg;
pub mod decode;
pub mod emitter;
pub mod encode;
pub mod fault;
pub mod layout;
pub mod record;
pub mod reply;
mod residual;
pub mod spans;

pub use arg::{Arg, Piece, ReplyRoom, StageBytes, Staged, VarArg};
pub use decode::{Command, Decoder, Source};
pub use emitter::{Emitter, wants_ack};
pub use encode::{Encoder, Sink, TooLarge};
pub use fault::{ProtocolFault, Why};
pub use layout::{PROTOCOL_VERSION, layout_hash, layout_text};
pub use reply::{Lost, Reply, ReplyPort, ReplyReader};
