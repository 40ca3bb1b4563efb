//! Every row of the catalogue through the codec, and the ways in which bytes can be no record. Nothing is applied here.

mod common;

use common::{Entropy, SampleArg, record};
use pipe::{Call, Host, HostSpan, ReplyBytes, payload::*, pipe_calls};
use proptest::prelude::*;
use wire::record::{HEAD, Header};
use wire::{Command, Decoder, Encoder, VarArg, Why};
use zerocopy::IntoBytes;

/// Encodes with any number of arguments that only live inside callbacks.
fn encode(
    out: &mut Vec<u8>,
    call: Call,
    payload: &[u8],
    args: &mut [&mut dyn FnMut(&mut dyn FnMut(&dyn VarArg))],
    ready: &mut Vec<&dyn VarArg>,
) {
    match args.split_first_mut() {
        None => {
            let mut encoder = Encoder::new(std::mem::take(out));
            encoder.record(call, payload, ready).expect("small");
            *out = std::mem::take(encoder.sink());
        }
        Some((first, rest)) => first(&mut |arg| {
            let mut ready: Vec<&dyn VarArg> = ready.clone();
            ready.push(arg);
            encode(out, call, payload, rest, &mut ready);
        }),
    }
}

macro_rules! rows {
    ($($(#[$doc:meta])* $op:literal $name:ident : $class:ident [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty;)*) => {
        /// One arbitrary record of each row, one after the other; the residual block has a shape of its own.
        fn stream(entropy: &mut Entropy<'_>) -> Vec<u8> {
            let mut out = Vec::new();
            $(if Call::$name != Call::set_residual_value_state {
                let p: $payload = record(entropy);
                $(let mut $arg = <fn($ty) as SampleArg>::sample(entropy);)*
                encode(
                    &mut out,
                    Call::$name,
                    p.as_bytes(),
                    &mut [$(&mut |with| <fn($ty) as SampleArg>::encode(&mut $arg, with)),*],
                    &mut Vec::new(),
                );
            })*
            out
        }

        /// Samples again from the same bytes and compares with what was decoded.
        fn check_stream(entropy: &mut Entropy<'_>, bytes: &[u8]) -> Result<(), TestCaseError> {
            let (mut decoder, mut at) = (Decoder::default(), 0);
            $(if Call::$name != Call::set_residual_value_state {
                let p: $payload = record(entropy);
                let (command, size) = decoder
                    .next(bytes, at)
                    .map_err(|fault| TestCaseError::fail(fault.to_string()))?;
                at += size;
                let Command::$name { p: got, $($arg),* } = command else {
                    return Err(TestCaseError::fail(stringify!($name)));
                };
                prop_assert_eq!(p.as_bytes(), got.as_bytes(), "{}", stringify!($name));
                $(
                    let sampled = <fn($ty) as SampleArg>::sample(entropy);
                    let same = <fn($ty) as SampleArg>::same(&sampled, &$arg);
                    prop_assert!(same, "{}.{}", stringify!($name), stringify!($arg));
                )*
            })*
            prop_assert_eq!(at, bytes.len());
            Ok(())
        }
    };
}
pipe_calls!(rows);

/// Takes records until the stream ends or is refused.
fn decode_all(bytes: &[u8]) -> Result<usize, wire::ProtocolFault> {
    let (mut decoder, mut at, mut records) = (Decoder::default(), 0, 0);
    while at < bytes.len() {
        at += decoder.next(bytes, at)?.1;
        records += 1;
    }
    Ok(records)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..Default::default() })]

    #[test]
    fn every_row_with_arbitrary_arguments_decodes_to_what_was_encoded(
        bytes in prop::collection::vec(any::<u8>(), 1..400),
    ) {
        let stream = stream(&mut Entropy { bytes: &bytes, at: 0 });
        check_stream(&mut Entropy { bytes: &bytes, at: 0 }, &stream)?;
    }

    /// Bytes overwritten, cut off, doubled: a fault at a place inside the stream, or records; never a panic.
    #[test]
    fn mutated_stream_is_decoded_or_refused_within_its_bounds(
        bytes in prop::collection::vec(any::<u8>(), 1..64),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0_u8..4), 1..12),
    ) {
        let mut stream = stream(&mut Entropy { bytes: &bytes, at: 0 });
        for (index, value, kind) in edits {
            if stream.is_empty() {
                break;
            }
            let at = index.index(stream.len());
            match kind {
                0 => stream[at] = value,
                1 => stream[at] = stream[at].wrapping_add(1),
                2 => stream.truncate(at),
                // Headers and counts lie at multiples of 8.
                _ => stream[at & !7..].iter_mut().take(8).for_each(|byte| *byte = value),
            }
        }
        if let Err(fault) = decode_all(&stream) {
            prop_assert!(fault.at_byte < stream.len() as u64);
        }
    }
}

fn draw() -> DrawInfo {
    common::record(&mut Entropy { bytes: &[0], at: 0 })
}

fn one(call: Call, payload: &[u8], args: &[&dyn VarArg]) -> Vec<u8> {
    let mut encoder = Encoder::new(Vec::new());
    encoder.record(call, payload, args).expect("small");
    std::mem::take(encoder.sink())
}

#[test]
fn unchanged_draw_takes_at_most_one_cache_line() {
    let none: &[DrawRange] = &[];
    let record = one(Call::draw_vbo, draw().as_bytes(), &[&none]);
    assert!(record.len() <= 64, "{}", record.len());
}

#[test]
fn corrupt_record_is_refused_by_the_name_of_what_is_wrong() {
    let range = DrawRange {
        start: 0,
        count: 3,
        index_bias: 0,
    };
    let bytes: &[u8] = &[1, 2, 3];
    let clear = FenceOnly {
        fence: pipe::FenceId::new(1, 1),
    };
    let good_draw = one(Call::draw_vbo, draw().as_bytes(), &[&[range].as_slice()]);
    let good_fence = one(Call::fence_create, clear.as_bytes(), &[]);
    let flush = FlushRange {
        buffer: pipe::BufferId::new(1, 1),
        offset_bytes: 0,
        size_bytes: 3,
        access: 0,
        _pad: 0,
    };
    let good_flush = one(Call::resource_flush_range, flush.as_bytes(), &[&bytes]);
    assert_eq!(decode_all(&good_draw), Ok(1));
    assert_eq!(decode_all(&good_fence), Ok(1));
    assert_eq!(decode_all(&good_flush), Ok(1));

    let edit = |record: &[u8], at: usize, value: &[u8]| {
        let mut record = record.to_vec();
        record[at..at + value.len()].copy_from_slice(value);
        record
    };
    let count_at = HEAD as usize + 48;
    let size = |size: u32| size.to_ne_bytes();
    let longer = |record: &[u8], by: u32| {
        let mut record = edit(record, 4, &size(record.len() as u32 + by));
        record.resize(record.len() + by as usize, 0);
        record
    };
    let len = good_draw.len() as u64;
    let huge = u64::MAX / 8;
    let cases: Vec<(&str, Vec<u8>, Why)> = vec![
        (
            "half a header",
            good_draw[..5].to_vec(),
            Why::Truncated { rest: 5 },
        ),
        (
            "opcode",
            edit(&good_draw, 0, &999_u16.to_ne_bytes()),
            Why::UnknownCall { op: 999 },
        ),
        (
            "size of nothing",
            edit(&good_draw, 4, &size(0)),
            Why::SizeBelowHead { size: 0, head: 56 },
        ),
        (
            "size below",
            edit(&good_draw, 4, &size(48)),
            Why::SizeBelowHead { size: 48, head: 56 },
        ),
        (
            "size past",
            edit(&good_draw, 4, &size(1 << 31)),
            Why::SizePastRest {
                size: 1 << 31,
                rest: len,
            },
        ),
        (
            "cut",
            good_draw[..good_draw.len() - 8].to_vec(),
            Why::SizePastRest {
                size: len,
                rest: len - 8,
            },
        ),
        (
            "size unaligned",
            edit(&longer(&good_draw, 8), 4, &size(len as u32 + 3)),
            Why::SizeUnaligned { size: len + 3 },
        ),
        (
            "flags",
            edit(&good_fence, 2, &1_u16.to_ne_bytes()),
            Why::UnknownFlags { flags: 1 },
        ),
        (
            "enumeration",
            edit(&good_draw, HEAD as usize + 4, &[0x77]),
            Why::Payload,
        ),
        (
            "empty tail",
            edit(&good_draw, count_at, &0_u64.to_ne_bytes()),
            Why::EmptyArgument,
        ),
        (
            "long tail",
            edit(&good_draw, count_at, &2_u64.to_ne_bytes()),
            Why::PastRecord {
                needs: 32,
                rest: 16,
            },
        ),
        (
            "count",
            edit(&good_draw, count_at, &huge.to_ne_bytes()),
            Why::CountOverflow {
                count: huge,
                element_bytes: 16,
            },
        ),
        (
            "blob",
            edit(&good_flush, HEAD as usize + 32, &u64::MAX.to_ne_bytes()),
            Why::PastRecord {
                needs: u64::MAX,
                rest: 8,
            },
        ),
        (
            "padding",
            edit(&good_flush, good_flush.len() - 1, &[1]),
            Why::Padding,
        ),
        (
            "trailing",
            longer(&good_fence, 8),
            Why::Trailing { bytes: 8 },
        ),
        (
            "residual block",
            one(
                Call::set_residual_value_state,
                ResidualValueState { rows: 1 << 31 }.as_bytes(),
                &[&bytes],
            ),
            Why::ResidualBlock { rows: 1 << 31 },
        ),
    ];
    for (name, record, why) in cases {
        let fault = decode_all(&record).expect_err(name);
        assert_eq!(fault.why, why, "{name}");
        assert_eq!(fault.at_byte, 0, "{name}");
    }
}

#[test]
fn element_outside_its_enumeration_is_refused() {
    let image = ImageView {
        texture: pipe::TextureId::NULL,
        format: pipe::Format::None,
        level: 0,
        layer: 0,
        access: 0,
        layered: 0,
        _pad: 0,
    };
    let slots = SlotRange { start: 0, count: 1 };
    let mut record = one(
        Call::set_shader_images,
        slots.as_bytes(),
        &[&[image].as_slice()],
    );
    record[24 + 8..24 + 10].fill(0xFF);
    assert_eq!(
        decode_all(&record).expect_err("format 0xFFFF").why,
        Why::Element
    );
}

#[test]
fn header_is_eight_bytes_of_opcode_flags_and_size() {
    let record = one(
        Call::fence_create,
        FenceOnly {
            fence: pipe::FenceId::new(7, 1),
        }
        .as_bytes(),
        &[],
    );
    let header = Header {
        op: 6,
        flags: 0,
        size: 16,
    };
    assert_eq!(&record[..8], header.as_bytes());
    assert_eq!(&record[8..], &[7, 0, 0, 0, 1, 0, 0, 0]);
}

#[cfg(feature = "residual")]
#[test]
fn residual_block_travels_field_by_field_and_a_cut_one_is_refused() {
    use residual_block::{ResidualValues, Row, encode};
    let rows = Row::PatchState.bit() | Row::PixelPack.bit();
    let mut block = Vec::new();
    encode(&ResidualValues::default(), rows, &mut block);
    let head = ResidualValueState { rows };
    assert_eq!(
        decode_all(&one(
            Call::set_residual_value_state,
            head.as_bytes(),
            &[&block.as_slice()]
        )),
        Ok(1)
    );
    let cut = &block[..block.len() - 4];
    let fault = decode_all(&one(
        Call::set_residual_value_state,
        head.as_bytes(),
        &[&cut],
    ));
    assert_eq!(fault.expect_err("cut").why, Why::ResidualBlock { rows });
}
