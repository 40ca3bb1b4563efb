//! Records out: header, payload, present arguments. It writes each byte once and keeps none.

use crate::arg::VarArg;
use crate::record::{HEAD, Header, padded};
use pipe::Call;
use zerocopy::IntoBytes;

/// Where records go. `begin` says a record's size first, so that a sink with a bound makes room for the whole of it.
pub trait Sink {
    /// A record of exactly `size_bytes` follows.
    fn begin(&mut self, size_bytes: usize);
    /// The record's next bytes.
    fn write(&mut self, bytes: &[u8]);
}

impl Sink for Vec<u8> {
    fn begin(&mut self, size_bytes: usize) {
        self.reserve(size_bytes);
    }

    fn write(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

/// A call whose record would not fit its size field. Splitting large contents is the transport's, which knows its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: a record of {size_bytes} bytes does not fit 32 bits", .call.row().name)]
pub struct TooLarge {
    pub call: Call,
    pub size_bytes: u64,
}

/// Appends records to a sink.
#[derive(Debug)]
pub struct Encoder<S> {
    sink: S,
}

impl<S: Sink> Encoder<S> {
    /// Writes to `sink`.
    pub fn new(sink: S) -> Self {
        Self { sink }
    }

    /// The sink.
    pub fn sink(&mut self) -> &mut S {
        &mut self.sink
    }

    /// Appends one record. `args` are the row's further arguments in order.
    pub fn record(
        &mut self,
        call: Call,
        payload: &[u8],
        args: &[&dyn VarArg],
    ) -> Result<(), TooLarge> {
        let mut flags = 0;
        let mut size_bytes = HEAD + padded(payload.len() as u64);
        for (bit, arg) in args.iter().enumerate() {
            if arg.is_present() {
                flags |= 1 << bit;
                size_bytes = size_bytes.saturating_add(arg.size_bytes());
            }
        }
        let Ok(size) = u32::try_from(size_bytes) else {
            return Err(TooLarge { call, size_bytes });
        };
        let header = Header {
            op: call as u16,
            flags,
            size,
        };
        self.sink.begin(size as usize);
        self.sink.write(header.as_bytes());
        write_padded(&mut self.sink, payload);
        for arg in args.iter().filter(|arg| arg.is_present()) {
            arg.write(&mut self.sink);
        }
        Ok(())
    }
}

/// Writes bytes and the zeros up to the next multiple of 8.
pub(crate) fn write_padded(sink: &mut dyn Sink, bytes: &[u8]) {
    const ZEROS: [u8; 8] = [0; 8];
    sink.write(bytes);
    let padding = bytes.len().next_multiple_of(8) - bytes.len();
    if padding != 0 {
        sink.write(&ZEROS[..padding]);
    }
}
