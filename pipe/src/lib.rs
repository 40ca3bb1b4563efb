//! MGPipe: the one interface between GL frontend and backends. It describes; it never holds state of its own.
//!
//! # Who guarantees what
//!
//! * **The client validates.** Every call that arrives is legal GL; a backend checks nothing that GL already checked.
//!   The exception is a byte stream from another process, which is decoded as hostile (crate `wire`).
//! * **State precedes the verb.** A verb carries the mask of groups its source validated ([`payload::DrawInfo::groups`]);
//!   the executing side refuses a verb whose mask does not cover what the verb reads.
//! * **Handles are the client's.** `create_*` returns nothing; a handle is `{slot, generation}`, dense per kind ([`handle`]).
//! * **Nothing here is a pointer.** Bytes travel as blobs or spans ([`host`]).
//! * **The way back is a queue.** Backends append [`events::PipeEvent`]s, in order with the commands; they never call up.
//! * **Errors.** What the frontend can foresee never reaches this interface; what it cannot (out of memory, device lost) is an event,
//!   or a [`events::PipeError`] where the call answers at once.
#![forbid(unsafe_code)]

pub mod caps;
pub mod catalogue;
pub mod client_arrays;
pub mod context;
pub mod events;
pub mod field;
pub mod formats;
pub mod handle;
pub mod host;
pub mod layout;
pub mod payload;
pub mod pixels;
pub mod program;
pub mod render_state;
mod view_class;

pub use caps::{Ability, Caps, FormatUse, Limits};
pub use catalogue::{CALLS, Call, CallFlags, CallRow, Class, Wait};
pub use context::{PipeContext, PipeScreen, PipeSession, PipeStream, SurfaceDesc, SurfaceSource};
pub use events::{EventQueue, LogLevel, PipeError, PipeEvent};
pub use formats::Format;
pub use handle::*;
pub use host::{Host, HostBytes, HostSpan, NoHostBytes, ReplyBytes};
pub use payload::*;
pub use render_state::{Caps as CapBits, RenderState};
