//! The executing side of a byte stream: decodes records, checks what they mean, applies them onto an executor. The peer is hostile:
//! nothing here panics on its bytes, and nothing here knows a driver or a transport.
//!
//! A record's life: [`wire::Decoder`] copies and shapes it; [`table`] finds every handle alive, of the right kind and generation;
//! [`checks`](self) compares its values with what was told before; the budget is charged; only then is the call made.
#![forbid(unsafe_code)]

pub mod applier;
mod budget;
mod checks;
mod dispatch;
mod extents;
pub mod fatal;
pub mod table;

pub use applier::{Applied, Applier};
pub use budget::Budget;
pub use fatal::{Fatal, FatalKind, Why};
