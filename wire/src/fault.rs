//! What a stream of records can get wrong by its bytes alone. A fault is a value; nothing here ends a process.

use pipe::Call;

/// The peer broke the protocol: the stream is dead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {at_byte}, {}: {why}", call_name(.call))]
pub struct ProtocolFault {
    /// Where the record begins, counted from the stream's start.
    pub at_byte: u64,
    /// The call, if the opcode names one.
    pub call: Option<Call>,
    pub why: Why,
}

/// A call's name for messages.
pub fn call_name(call: &Option<Call>) -> &'static str {
    call.map_or("unknown call", |call| call.row().name)
}

/// Kinds of faults. Sizes and counts in 64 bits: they are the peer's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    #[error("{rest} bytes are no record header")]
    Truncated { rest: u64 },
    #[error("opcode {op} names no call")]
    UnknownCall { op: u16 },
    #[error("size {size} is below the head's {head}")]
    SizeBelowHead { size: u64, head: u64 },
    #[error("size {size} passes the {rest} bytes left")]
    SizePastRest { size: u64, rest: u64 },
    #[error("size {size} is no multiple of 8")]
    SizeUnaligned { size: u64 },
    #[error("flags {flags:#x} name arguments that the call has not")]
    UnknownFlags { flags: u16 },
    #[error("the payload holds a value outside its enumeration")]
    Payload,
    #[error("an element holds a value outside its enumeration")]
    Element,
    #[error("an argument of {needs} bytes passes the record's {rest} left")]
    PastRecord { needs: u64, rest: u64 },
    #[error("{count} elements of {element_bytes} bytes overflow")]
    CountOverflow { count: u64, element_bytes: u64 },
    #[error("an argument is present and empty")]
    EmptyArgument,
    #[error("padding is not zero")]
    Padding,
    #[error("{bytes} bytes follow the last argument")]
    Trailing { bytes: u64 },
    #[error("the residual block does not hold rows {rows:#x}")]
    ResidualBlock { rows: u32 },
}
