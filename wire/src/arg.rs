//! Further arguments of calls, in both directions: tails, blobs, room for a reply, host bytes. One implementation per type of the
//! catalogue; a type without one does not compile.

use crate::encode::{Sink, write_padded};
use crate::fault::Why;
use crate::record::padded;
use crate::reply::{Lost, ReplyReader};
use pipe::field::{Field, Found, Layouts};
use pipe::layout::Record;
use pipe::{Host, HostBytes, HostSpan, ReplyBytes, host::SEGMENT_STAGE};
use std::fmt::Debug;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, TryFromBytes};

/// An argument on its way out.
pub trait VarArg {
    /// Whether the record has to hold it.
    fn is_present(&self) -> bool;
    /// Bytes in the record, count and padding included.
    fn size_bytes(&self) -> u64;
    /// Appends exactly [`Self::size_bytes`].
    fn write(&self, sink: &mut dyn Sink);
    /// Takes its part of the reply, where it has one.
    fn fill(&mut self, reply: &mut ReplyReader<'_>) -> Result<(), Lost>;
}

impl<T: Record> VarArg for &[T] {
    fn is_present(&self) -> bool {
        !self.is_empty()
    }

    fn size_bytes(&self) -> u64 {
        8 + padded(std::mem::size_of_val(*self) as u64)
    }

    fn write(&self, sink: &mut dyn Sink) {
        sink.write(&(self.len() as u64).to_ne_bytes());
        write_padded(sink, self.as_bytes());
    }

    fn fill(&mut self, _: &mut ReplyReader<'_>) -> Result<(), Lost> {
        Ok(())
    }
}

impl VarArg for ReplyBytes<'_> {
    fn is_present(&self) -> bool {
        self.0.is_some()
    }

    fn size_bytes(&self) -> u64 {
        8
    }

    fn write(&self, sink: &mut dyn Sink) {
        let room = self.0.as_ref().map_or(0, |out| out.len() as u64);
        sink.write(&room.to_ne_bytes());
    }

    fn fill(&mut self, reply: &mut ReplyReader<'_>) -> Result<(), Lost> {
        if let Some(out) = &mut self.0 {
            out.copy_from_slice(reply.take(out.len())?);
        }
        Ok(())
    }
}

/// Name and size of one piece of host bytes in a verb's record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub struct Piece {
    /// What spans of segment STAGE name in their offset.
    pub key: u64,
    pub size_bytes: u64,
}

/// Host bytes on their way out.
#[derive(Clone, Copy, Debug)]
pub struct Staged<'a>(pub &'a [(Piece, &'a [u8])]);

impl VarArg for Staged<'_> {
    fn is_present(&self) -> bool {
        !self.0.is_empty()
    }

    fn size_bytes(&self) -> u64 {
        let piece = std::mem::size_of::<Piece>() as u64;
        self.0.iter().fold(8, |sum, (_, bytes)| {
            sum + piece + padded(bytes.len() as u64)
        })
    }

    fn write(&self, sink: &mut dyn Sink) {
        sink.write(&(self.0.len() as u64).to_ne_bytes());
        for (piece, _) in self.0 {
            sink.write(piece.as_bytes());
        }
        for (_, bytes) in self.0 {
            write_padded(sink, bytes);
        }
    }

    fn fill(&mut self, _: &mut ReplyReader<'_>) -> Result<(), Lost> {
        Ok(())
    }
}

/// Host bytes as they arrived: resolves spans of segment STAGE, for this verb.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageBytes<'a> {
    pieces: &'a [Piece],
    /// The pieces' bytes in order, each padded to 8.
    bytes: &'a [u8],
}

impl StageBytes<'_> {
    /// The pieces that arrived.
    pub fn pieces(&self) -> &[Piece] {
        self.pieces
    }
}

impl HostBytes for StageBytes<'_> {
    fn bytes(&self, span: &HostSpan) -> Option<&[u8]> {
        if span.segment != SEGMENT_STAGE {
            return None;
        }
        let mut at = 0;
        for piece in self.pieces {
            if piece.key == span.offset {
                let piece = self
                    .bytes
                    .get(at..)?
                    .get(..usize::try_from(piece.size_bytes).ok()?)?;
                return piece.get(..usize::try_from(span.size_bytes).ok()?);
            }
            at = at.checked_add(usize::try_from(padded(piece.size_bytes)).ok()?)?;
        }
        None
    }
}

/// Bytes that the caller has room for in the reply; `None`: the result goes elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplyRoom(pub Option<u64>);

/// Walks a record's bytes. Every length is checked in 64 bits against what is left.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Over the bytes behind the header; they begin at a multiple of 8 in memory.
    pub(crate) fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    /// Bytes not yet taken.
    pub(crate) fn left(&self) -> u64 {
        self.rest.len() as u64
    }

    /// Takes `size_bytes` and the padding behind them, which must be zero.
    fn take_padded(&mut self, size_bytes: u64) -> Result<&'a [u8], Why> {
        let needs = padded(size_bytes);
        let past = Why::PastRecord {
            needs,
            rest: self.left(),
        };
        let Some((taken, rest)) = usize::try_from(needs)
            .ok()
            .and_then(|needs| self.rest.split_at_checked(needs))
        else {
            return Err(past);
        };
        // `size_bytes <= needs`, which was just found to fit `usize`.
        let (bytes, padding) = taken.split_at(size_bytes as usize);
        if padding.iter().any(|byte| *byte != 0) {
            return Err(Why::Padding);
        }
        self.rest = rest;
        Ok(bytes)
    }

    fn count(&mut self) -> Result<u64, Why> {
        let bytes = self.take_padded(8)?;
        u64::read_from_bytes(bytes).map_err(|_| Why::Element)
    }

    fn elements<T: Record>(&mut self, count: u64) -> Result<&'a [T], Why> {
        let element_bytes = std::mem::size_of::<T>() as u64;
        let Some(bytes) = count.checked_mul(element_bytes) else {
            return Err(Why::CountOverflow {
                count,
                element_bytes,
            });
        };
        <[T]>::try_ref_from_bytes(self.take_padded(bytes)?).map_err(|_| Why::Element)
    }

    /// The payload.
    pub(crate) fn payload<T: Record>(&mut self) -> Result<&'a T, Why> {
        let bytes = self.take_padded(std::mem::size_of::<T>() as u64)?;
        T::try_ref_from_bytes(bytes).map_err(|_| Why::Payload)
    }
}

/// An argument on its way in. Implemented for `fn(T)`, `T` as the catalogue writes it: the lifetimes that it elides are the
/// function type's own, and the record's is `'a`.
pub trait Arg<'a> {
    /// As the record holds it.
    type Decoded: Copy + Debug;
    /// What must live while the call runs.
    type Held;
    /// As the call takes it.
    type Lent<'b>
    where
        'a: 'b;

    fn decode(reader: &mut Reader<'a>, present: bool) -> Result<Self::Decoded, Why>;
    fn each_handle(decoded: &Self::Decoded, f: &mut impl FnMut(Found));
    fn hold(decoded: &Self::Decoded) -> Self::Held;
    fn lend<'b>(held: &'b mut Self::Held) -> Self::Lent<'b>
    where
        'a: 'b;
    /// Appends its part of the reply, where it has one.
    fn answer(held: &Self::Held, out: &mut Vec<u8>);
    fn layouts(out: &mut Layouts);
}

impl<'a, T: Record + Field + Debug> Arg<'a> for fn(&[T]) {
    type Decoded = &'a [T];
    type Held = &'a [T];
    type Lent<'b>
        = &'b [T]
    where
        'a: 'b;

    fn decode(reader: &mut Reader<'a>, present: bool) -> Result<&'a [T], Why> {
        if !present {
            return Ok(&[]);
        }
        match reader.count()? {
            0 => Err(Why::EmptyArgument),
            count => reader.elements(count),
        }
    }

    fn each_handle(decoded: &&'a [T], f: &mut impl FnMut(Found)) {
        // Blobs are arrays of bytes: nothing to walk.
        if T::HAS_HANDLE {
            for element in *decoded {
                element.each_handle(f);
            }
        }
    }

    fn hold(decoded: &&'a [T]) -> &'a [T] {
        decoded
    }

    fn lend<'b>(held: &'b mut &'a [T]) -> &'b [T]
    where
        'a: 'b,
    {
        held
    }

    fn answer(_: &&'a [T], _: &mut Vec<u8>) {}

    fn layouts(out: &mut Layouts) {
        T::layouts(out);
    }
}

impl<'a> Arg<'a> for fn(ReplyBytes<'_>) {
    type Decoded = ReplyRoom;
    type Held = Option<Vec<u8>>;
    type Lent<'b>
        = ReplyBytes<'b>
    where
        'a: 'b;

    fn decode(reader: &mut Reader<'a>, present: bool) -> Result<ReplyRoom, Why> {
        Ok(ReplyRoom(if present {
            Some(reader.count()?)
        } else {
            None
        }))
    }

    fn each_handle(_: &ReplyRoom, _: &mut impl FnMut(Found)) {}

    /// Zeros: what the call does not write must not show this side's memory. The applier has bounded the size before.
    fn hold(room: &ReplyRoom) -> Option<Vec<u8>> {
        room.0
            .map(|bytes| vec![0; usize::try_from(bytes).unwrap_or(0)])
    }

    fn lend<'b>(held: &'b mut Option<Vec<u8>>) -> ReplyBytes<'b>
    where
        'a: 'b,
    {
        ReplyBytes(held.as_deref_mut())
    }

    fn answer(held: &Option<Vec<u8>>, out: &mut Vec<u8>) {
        out.extend_from_slice(held.as_deref().unwrap_or_default());
    }

    fn layouts(_: &mut Layouts) {}
}

impl<'a> Arg<'a> for fn(Host<'_>) {
    type Decoded = StageBytes<'a>;
    type Held = StageBytes<'a>;
    type Lent<'b>
        = Host<'b>
    where
        'a: 'b;

    fn decode(reader: &mut Reader<'a>, present: bool) -> Result<StageBytes<'a>, Why> {
        if !present {
            return Ok(StageBytes::default());
        }
        let count = reader.count()?;
        if count == 0 {
            return Err(Why::EmptyArgument);
        }
        let pieces: &[Piece] = reader.elements(count)?;
        let bytes = reader.rest;
        for piece in pieces {
            reader.take_padded(piece.size_bytes)?;
        }
        let bytes = &bytes[..bytes.len() - reader.rest.len()];
        Ok(StageBytes { pieces, bytes })
    }

    fn each_handle(_: &StageBytes<'a>, _: &mut impl FnMut(Found)) {}

    fn hold(decoded: &StageBytes<'a>) -> StageBytes<'a> {
        *decoded
    }

    fn lend<'b>(held: &'b mut StageBytes<'a>) -> Host<'b>
    where
        'a: 'b,
    {
        Host(held)
    }

    fn answer(_: &StageBytes<'a>, _: &mut Vec<u8>) {}

    fn layouts(out: &mut Layouts) {
        out.insert(
            "Piece",
            "Piece 16 B\n     0    8 key\n     8    8 size_bytes\n".into(),
        );
    }
}
