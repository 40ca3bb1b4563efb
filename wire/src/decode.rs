//! Records in: hostile bytes become a [`Command`] or a fault. A record is copied once, then checked, then used; nothing is read twice,
//! every size is compared in 64 bits, and a call without a decoder does not compile.

use crate::arg::{Arg, Reader};
use crate::fault::{ProtocolFault, Why};
use crate::record::{HEAD, Header, padded};
use pipe::field::Found;
use pipe::{Call, pipe_calls};
use pipe::{Host, HostSpan, ReplyBytes, payload::*};
use zerocopy::{FromBytes, IntoBytes};

/// Bytes of a stream, which a peer may be changing: they can only be copied out.
pub trait Source {
    /// Bytes there are. Asked once per record.
    fn len(&self) -> usize;
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Copies `out.len()` bytes from `at`; the caller has compared them with [`Self::len`].
    fn copy(&self, at: usize, out: &mut [u8]);
}

impl Source for [u8] {
    fn len(&self) -> usize {
        self.len()
    }

    fn copy(&self, at: usize, out: &mut [u8]) {
        out.copy_from_slice(&self[at..at + out.len()]);
    }
}

macro_rules! commands {
    ($($(#[$doc:meta])* $op:literal $name:ident : $class:ident [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty;)*) => {
        /// A call as its record holds it.
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug)]
        pub enum Command<'a> {
            $($(#[$doc])* $name { p: &'a $payload, $($arg: <fn($ty) as Arg<'a>>::Decoded),* },)*
        }

        impl<'a> Command<'a> {
            /// Which call.
            pub fn call(&self) -> Call {
                match self { $(Self::$name { .. } => Call::$name,)* }
            }

            /// Every handle of the payload, then of the further arguments.
            pub fn each_handle(&self, f: &mut impl FnMut(Found)) {
                match self {
                    $(Self::$name { p, $($arg),* } => {
                        pipe::field::Field::each_handle(*p, f);
                        $(<fn($ty) as Arg<'a>>::each_handle($arg, f);)*
                    })*
                }
            }

            fn decode(call: Call, flags: u16, reader: &mut Reader<'a>) -> Result<Self, Why> {
                let mut present = (0..16).map(|bit| flags & (1 << bit) != 0);
                let mut present = move || present.next().unwrap_or(false);
                match call {
                    $(Call::$name => {
                        let p = reader.payload::<$payload>()?;
                        $(let $arg = <fn($ty) as Arg<'a>>::decode(reader, present())?;)*
                        // Rows without further arguments ask nothing.
                        let _ = &mut present;
                        Ok(Self::$name { p, $($arg),* })
                    })*
                }
            }
        }
    };
}
pipe_calls!(commands);

/// Takes records from a stream, one at a time, into its own memory.
#[derive(Debug, Default)]
pub struct Decoder {
    /// The record in progress. Words, so that records of any alignment up to 8 can be looked at in place.
    words: Vec<u64>,
    /// Where the next record begins, from the stream's start.
    at_byte: u64,
}

impl Decoder {
    /// Bytes of all records taken so far.
    pub fn at_byte(&self) -> u64 {
        self.at_byte
    }

    /// Goes back to the begin of the record taken last, of `size_bytes`: it will come again.
    pub fn put_back(&mut self, size_bytes: usize) {
        self.at_byte -= size_bytes as u64;
    }

    /// The record at `at` of `source`, and its size. Nothing beyond `source.len()` is read.
    pub fn next<'a>(
        &'a mut self,
        source: &(impl Source + ?Sized),
        at: usize,
    ) -> Result<(Command<'a>, usize), ProtocolFault> {
        let at_byte = self.at_byte;
        let fault = |call, why| ProtocolFault { at_byte, call, why };
        let rest = source.len().saturating_sub(at) as u64;
        if rest < HEAD {
            return Err(fault(None, Why::Truncated { rest }));
        }
        let mut head = [0; HEAD as usize];
        source.copy(at, &mut head);
        let Ok(header) = Header::read_from_bytes(&head) else {
            return Err(fault(None, Why::Truncated { rest }));
        };
        let Some(call) = Call::from_opcode(header.op) else {
            return Err(fault(None, Why::UnknownCall { op: header.op }));
        };
        let row = call.row();
        let size = u64::from(header.size);
        let head = HEAD + padded(row.payload_bytes as u64);
        let why = if size < head {
            Some(Why::SizeBelowHead { size, head })
        } else if size > rest {
            Some(Why::SizePastRest { size, rest })
        } else if size % 8 != 0 {
            Some(Why::SizeUnaligned { size })
        } else if u32::from(header.flags) >> row.args.len() != 0 {
            let flags = header.flags;
            Some(Why::UnknownFlags { flags })
        } else {
            None
        };
        if let Some(why) = why {
            return Err(fault(Some(call), why));
        }

        // The header is not read again: what was checked is what is used.
        let size = header.size as usize;
        self.words.clear();
        self.words.resize((size - HEAD as usize) / 8, 0);
        source.copy(at + HEAD as usize, self.words.as_mut_bytes());
        self.at_byte += size as u64;
        let mut reader = Reader::new(self.words.as_bytes());
        let command = Command::decode(call, header.flags, &mut reader)
            .map_err(|why| fault(Some(call), why))?;
        if reader.left() != 0 {
            let bytes = reader.left();
            return Err(fault(Some(call), Why::Trailing { bytes }));
        }
        if let Command::set_residual_value_state { p, block } = command
            && !crate::residual::holds(p.rows, block)
        {
            return Err(fault(Some(call), Why::ResidualBlock { rows: p.rows }));
        }
        Ok((command, size))
    }
}
