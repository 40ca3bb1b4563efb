//! Arbitrary records from a run of bytes: every value that validates can come out. It knows no call.

use pipe::layout::Record;
use pipe::pixels::{PixelFormat, PixelType};
use pipe::{GetTextureImage, HostBytes, HostSpan, ReadPixels, ReplyBytes, host::SEGMENT_STAGE};
use std::any::TypeId;
use std::mem::{offset_of, size_of};
use wire::{Arg, Piece, Staged, VarArg};

/// Bytes to build values from, again from the start when they end.
pub struct Entropy<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl Entropy<'_> {
    pub fn byte(&mut self) -> u8 {
        self.at += 1;
        // The lap is mixed in, or short runs would repeat themselves.
        let lap = (self.at / self.bytes.len()) as u8;
        self.bytes[self.at % self.bytes.len()].wrapping_add(lap.wrapping_mul(37))
    }

    pub fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.byte()).collect()
    }
}

/// A record whose fields are arbitrary as far as they validate.
pub fn record<T: Record>(entropy: &mut Entropy<'_>) -> T {
    let mut bytes = vec![0; size_of::<T>()];
    let mut put = |at: usize, value: u32| {
        bytes[at..at + 2].copy_from_slice(&(value as u16).to_ne_bytes());
    };
    // The two enumerations without a zero.
    if TypeId::of::<T>() == TypeId::of::<ReadPixels>() {
        put(offset_of!(ReadPixels, format), PixelFormat::Rgba.gl());
        put(offset_of!(ReadPixels, ty), PixelType::Float.gl());
    } else if TypeId::of::<T>() == TypeId::of::<GetTextureImage>() {
        put(offset_of!(GetTextureImage, format), PixelFormat::Rgba.gl());
        put(offset_of!(GetTextureImage, ty), PixelType::Float.gl());
    }
    let valid = |bytes: &[u8]| T::try_read_from_bytes(bytes).is_ok();
    assert!(valid(&bytes), "{}", std::any::type_name::<T>());
    for at in (0..bytes.len()).step_by(2) {
        let end = (at + 2).min(bytes.len());
        let before = bytes[at..end].to_vec();
        let random = entropy.bytes(end - at);
        bytes[at..end].copy_from_slice(&random);
        if !valid(&bytes) {
            bytes[at..end].fill(0);
            bytes[at] = random[0] % 64;
        }
        if !valid(&bytes) {
            bytes[at..end].copy_from_slice(&before);
        }
    }
    T::try_read_from_bytes(&bytes).expect("validated above")
}

/// An arbitrary further argument, by the type that the catalogue writes.
pub trait SampleArg: for<'a> Arg<'a> {
    type Owned;
    fn sample(entropy: &mut Entropy<'_>) -> Self::Owned;
    fn encode(owned: &mut Self::Owned, with: &mut dyn FnMut(&dyn VarArg));
    fn same<'a>(owned: &Self::Owned, decoded: &<Self as Arg<'a>>::Decoded) -> bool;
}

impl<T: Record + pipe::field::Field + std::fmt::Debug> SampleArg for fn(&[T]) {
    type Owned = Vec<T>;

    fn sample(entropy: &mut Entropy<'_>) -> Vec<T> {
        let n = entropy.byte() % 6;
        (0..n).map(|_| record(entropy)).collect()
    }

    fn encode(owned: &mut Vec<T>, with: &mut dyn FnMut(&dyn VarArg)) {
        with(&owned.as_slice());
    }

    fn same(owned: &Vec<T>, decoded: &&[T]) -> bool {
        zerocopy::IntoBytes::as_bytes(owned.as_slice()) == zerocopy::IntoBytes::as_bytes(*decoded)
    }
}

impl SampleArg for fn(ReplyBytes<'_>) {
    type Owned = Option<Vec<u8>>;

    fn sample(entropy: &mut Entropy<'_>) -> Option<Vec<u8>> {
        let n = usize::from(entropy.byte() % 3);
        n.checked_sub(1).map(|n| vec![0; n * 7])
    }

    fn encode(owned: &mut Option<Vec<u8>>, with: &mut dyn FnMut(&dyn VarArg)) {
        with(&ReplyBytes(owned.as_deref_mut()));
    }

    fn same(owned: &Option<Vec<u8>>, decoded: &wire::ReplyRoom) -> bool {
        owned.as_ref().map(|out| out.len() as u64) == decoded.0
    }
}

impl SampleArg for fn(pipe::Host<'_>) {
    /// Keys and bytes of pieces.
    type Owned = Vec<(u64, Vec<u8>)>;

    fn sample(entropy: &mut Entropy<'_>) -> Self::Owned {
        let n = u64::from(entropy.byte() % 4);
        (0..n)
            .map(|key| {
                let size = usize::from(entropy.byte() % 21);
                (key * 3, entropy.bytes(size))
            })
            .collect()
    }

    fn encode(owned: &mut Self::Owned, with: &mut dyn FnMut(&dyn VarArg)) {
        let pieces: Vec<(Piece, &[u8])> = owned
            .iter()
            .map(|(key, bytes)| {
                let size_bytes = bytes.len() as u64;
                (
                    Piece {
                        key: *key,
                        size_bytes,
                    },
                    bytes.as_slice(),
                )
            })
            .collect();
        with(&Staged(&pieces));
    }

    fn same(owned: &Self::Owned, decoded: &wire::StageBytes<'_>) -> bool {
        decoded.pieces().len() == owned.len()
            && owned.iter().all(|(key, bytes)| {
                let span = HostSpan {
                    segment: SEGMENT_STAGE,
                    _pad: 0,
                    offset: *key,
                    size_bytes: bytes.len() as u64,
                };
                decoded.bytes(&span) == Some(bytes.as_slice())
            })
    }
}
