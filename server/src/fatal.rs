//! How a session ends by its peer's fault. A value that the transport reports; it never ends this process.

use pipe::{Call, HandleKind};

/// What a fault is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FatalKind {
    /// The stream says something that no client of ours says.
    ProtocolCorruption,
    /// The stream asks for more than a session may have.
    BudgetExceeded,
}

/// The end of a session.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Fatal{{{:?}, {:?}}}: byte {at_byte}: {why}", .why.kind(), wire::fault::call_name(.call))]
pub struct Fatal {
    /// Where the record begins, from the stream's start.
    pub at_byte: u64,
    pub call: Option<Call>,
    pub why: Why,
}

impl From<wire::ProtocolFault> for Fatal {
    fn from(fault: wire::ProtocolFault) -> Self {
        Self {
            at_byte: fault.at_byte,
            call: fault.call,
            why: Why::Codec(fault.why),
        }
    }
}

/// Kinds of faults.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    #[error("{0}")]
    Codec(wire::Why),
    #[error("capabilities do not offer this call")]
    NotInCaps,
    #[error("a resource is of no kind")]
    NoKind,
    #[error("null where a {0:?} is needed")]
    Null(HandleKind),
    #[error("{kind:?} slot {slot} is beyond every table")]
    SlotTooHigh { kind: HandleKind, slot: u32 },
    #[error("{kind:?} slot {slot} is taken")]
    AlreadyAlive { kind: HandleKind, slot: u32 },
    #[error("{kind:?} {slot}.{generation} is not alive")]
    NotAlive {
        kind: HandleKind,
        slot: u32,
        generation: u32,
    },
    #[error("group mask {mask:#x} has bits of no group")]
    UnknownGroups { mask: u32 },
    #[error("the verb reads group {group}, which its source did not validate")]
    GroupNotValidated { group: &'static str },
    #[error("the verb reads group {group}, which was never told")]
    GroupNeverTold { group: &'static str },
    #[error("{field} is {value:#x}")]
    Value { field: &'static str, value: u64 },
    #[error("{says} elements announced, {holds} sent")]
    Count { says: u64, holds: u64 },
    #[error("{what} ends at {end}, the limit is {limit}")]
    Past {
        what: &'static str,
        end: u64,
        limit: u64,
    },
    #[error("{0} overflows")]
    Overflow(&'static str),
    #[error("{what} has {holds} bytes, {needs} are needed")]
    Bytes {
        what: &'static str,
        holds: u64,
        needs: u64,
    },
    #[error("a span names bytes that its record does not hold")]
    Span,
    #[error("{0} does not agree with its flag")]
    Flag(&'static str),
    #[error("the {0} framebuffer is incomplete")]
    Incomplete(&'static str),
    #[error("the session's {what} would be {wants}, the limit is {limit}")]
    Budget {
        what: &'static str,
        wants: u64,
        limit: u64,
    },
    #[error("no answer to the pull request that the stream waits for")]
    NoAnswer,
}

impl Why {
    /// What it is called.
    pub fn kind(&self) -> FatalKind {
        match self {
            Self::Budget { .. } => FatalKind::BudgetExceeded,
            Self::Codec(_)
            | Self::NotInCaps
            | Self::NoKind
            | Self::Null(_)
            | Self::SlotTooHigh { .. }
            | Self::AlreadyAlive { .. }
            | Self::NotAlive { .. }
            | Self::UnknownGroups { .. }
            | Self::GroupNotValidated { .. }
            | Self::GroupNeverTold { .. }
            | Self::Value { .. }
            | Self::Count { .. }
            | Self::Past { .. }
            | Self::Overflow(_)
            | Self::Bytes { .. }
            | Self::Span
            | Self::Flag(_)
            | Self::Incomplete(_)
            | Self::NoAnswer => FatalKind::ProtocolCorruption,
        }
    }
}
