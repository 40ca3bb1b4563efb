//! Pixel transfer against values of the specification, fast paths against the general one, and lossless round trips.

use super::*;
use crate::pixels::{Dims, PixelStore};
use PixelFormat as F;
use PixelType as T;
use proptest::prelude::*;

fn row(format: F, ty: T, width: u32) -> ClientImage {
    ClientImage::tight(format, ty, width, 1, 1)
}

/// One texel of client bytes, as canonical storage.
fn unpack_one(src: &[u8], format: F, ty: T, dst: Format) -> Vec<u8> {
    unpack(src, &row(format, ty, 1), dst).expect("a legal combination")
}

/// One texel of canonical storage, as client bytes.
fn pack_one(src: &[u8], format: Format, client: F, ty: T) -> Vec<u8> {
    let mut dst = vec![0; usize::from(group_bytes(client, ty))];
    pack(
        src,
        format,
        Pitch::tight(format, 1, 1),
        &row(client, ty, 1),
        &mut dst,
    )
    .expect("a legal combination");
    dst
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_ne_bytes()).collect()
}

#[test]
fn unpack_floats_to_unorm8_rounds_and_clamps() {
    let src = floats(&[0.5, -1.0, 2.0, 1.0 / 255.0]);
    assert_eq!(
        unpack_one(&src, F::Rgba, T::Float, Format::Rgba8),
        [128, 0, 255, 1]
    );
}

#[test]
fn unpack_floats_to_snorm8_rounds_and_clamps() {
    let src = floats(&[-1.0, -2.0, 1.0, 0.5]);
    let bytes = unpack_one(&src, F::Rgba, T::Float, Format::Rgba8Snorm);
    assert_eq!(
        bytes.iter().map(|&b| b as i8).collect::<Vec<_>>(),
        [-127, -127, 127, 64]
    );
}

#[test]
fn unpack_of_missing_components_gives_zero_and_one() {
    assert_eq!(
        unpack_one(&[7], F::Red, T::UnsignedByte, Format::Rgba8),
        [7, 0, 0, 255]
    );
    assert_eq!(
        unpack_one(&[7], F::Green, T::UnsignedByte, Format::Rgba8),
        [0, 7, 0, 255]
    );
    assert_eq!(
        unpack_one(&[7], F::RedInteger, T::UnsignedByte, Format::Rgba8ui),
        [7, 0, 0, 1]
    );
    assert_eq!(
        unpack_one(&[7], F::Alpha, T::UnsignedByte, Format::Rgba8),
        [0, 0, 0, 7]
    );
    assert_eq!(
        unpack_one(&floats(&[0.25]), F::Red, T::Float, Format::Rgba32f),
        floats(&[0.25, 0.0, 0.0, 1.0])
    );
}

#[test]
fn unpack_of_luminance_spreads_it() {
    assert_eq!(
        unpack_one(&[7], F::Luminance, T::UnsignedByte, Format::Rgba8),
        [7, 7, 7, 255]
    );
    assert_eq!(
        unpack_one(&[7, 9], F::LuminanceAlpha, T::UnsignedByte, Format::Rgba8),
        [7, 7, 7, 9]
    );
    assert_eq!(
        unpack_one(&floats(&[1.0]), F::Luminance, T::Float, Format::Rgb8),
        [255, 255, 255]
    );
    assert_eq!(
        unpack_one(&[7, 8, 9], F::Rgb, T::UnsignedByte, Format::Luminance8),
        [7]
    );
}

#[test]
fn pack_to_luminance_sums_and_clamps() {
    assert_eq!(
        pack_one(
            &[1, 2, 3, 4],
            Format::Rgba8,
            F::LuminanceAlpha,
            T::UnsignedByte
        ),
        [6, 4]
    );
    assert_eq!(
        pack_one(
            &[200, 200, 3, 4],
            Format::Rgba8,
            F::Luminance,
            T::UnsignedByte
        ),
        [255]
    );
    assert_eq!(
        pack_one(&[9], Format::Luminance8, F::Rgba, T::UnsignedByte),
        [9, 0, 0, 255]
    );
}

// GL 4.6 core §8.4.4.2: the first component of UNSIGNED_SHORT_5_6_5 is in the most significant bits.
#[test]
fn unpack_565_to_unorm8_expands_each_component() {
    let word = (16u16 << 11 | 32 << 5 | 1).to_ne_bytes();
    // 16/31 * 255 = 131.6, 32/63 * 255 = 129.5, 1/31 * 255 = 8.2.
    assert_eq!(
        unpack_one(&word, F::Rgb, T::UnsignedShort565, Format::Rgb8),
        [132, 130, 8]
    );
    let rev = (1u16 << 11 | 32 << 5 | 16).to_ne_bytes();
    assert_eq!(
        unpack_one(&rev, F::Rgb, T::UnsignedShort565Rev, Format::Rgb8),
        [132, 130, 8]
    );
}

#[test]
fn unpack_bgra_8888_rev_reads_argb_words() {
    // 0xAARRGGBB
    let word = 0x4411_2233u32.to_ne_bytes();
    assert_eq!(
        unpack_one(&word, F::Bgra, T::UnsignedInt8888Rev, Format::Rgba8),
        [0x11, 0x22, 0x33, 0x44]
    );
    let word = 0x3322_1144u32.to_ne_bytes();
    assert_eq!(
        unpack_one(&word, F::Bgra, T::UnsignedInt8888, Format::Rgba8),
        [0x11, 0x22, 0x33, 0x44]
    );
    assert_eq!(
        unpack_one(&[1, 2, 3, 4], F::Bgra, T::UnsignedByte, Format::Rgba8),
        [3, 2, 1, 4]
    );
    assert_eq!(
        unpack_one(&[1, 2, 3], F::Bgr, T::UnsignedByte, Format::Rgba8),
        [3, 2, 1, 255]
    );
}

#[test]
fn unpack_with_swap_bytes_reverses_elements_not_groups() {
    let mut image = row(F::Rg, T::UnsignedShort, 1);
    image.store.swap_bytes = 1;
    let src: Vec<u8> = [0x1234u16, 0x5678]
        .iter()
        .flat_map(|w| w.swap_bytes().to_ne_bytes())
        .collect();
    let expected: Vec<u8> = [0x1234u16, 0x5678, 0, 0xFFFF]
        .iter()
        .flat_map(|w| w.to_ne_bytes())
        .collect();
    assert_eq!(unpack(&src, &image, Format::Rgba16).unwrap(), expected);

    // Bytes are not swapped; a packed word is one element.
    let mut image = row(F::Rgba, T::UnsignedByte, 1);
    image.store.swap_bytes = 1;
    assert_eq!(
        unpack(&[1, 2, 3, 4], &image, Format::Rgba8).unwrap(),
        [1, 2, 3, 4]
    );
    image.ty = T::UnsignedInt8888Rev;
    assert_eq!(
        unpack(
            &0x0403_0201u32.swap_bytes().to_ne_bytes(),
            &image,
            Format::Rgba8
        )
        .unwrap(),
        [1, 2, 3, 4]
    );
}

#[test]
fn pack_with_swap_bytes_swaps_constants_too() {
    let mut image = row(F::Rgba, T::UnsignedShort, 1);
    image.store.swap_bytes = 1;
    let mut dst = [0; 8];
    let src = 0x1234u16.to_ne_bytes();
    pack(
        &src,
        Format::R16,
        Pitch::tight(Format::R16, 1, 1),
        &image,
        &mut dst,
    )
    .unwrap();
    let expected: Vec<u8> = [0x3412u16, 0, 0, 0xFFFF]
        .iter()
        .flat_map(|w| w.to_ne_bytes())
        .collect();
    assert_eq!(dst.as_slice(), expected);
    // 1.0 is not a palindrome.
    image.ty = T::Float;
    let mut dst = [0; 16];
    pack(
        &floats(&[2.0]),
        Format::R32f,
        Pitch::tight(Format::R32f, 1, 1),
        &image,
        &mut dst,
    )
    .unwrap();
    let words: Vec<u8> = [2.0f32, 0.0, 0.0, 1.0]
        .iter()
        .flat_map(|v| v.to_bits().swap_bytes().to_ne_bytes())
        .collect();
    assert_eq!(dst.as_slice(), words);
}

#[test]
fn unpack_of_integers_clamps_to_the_internal_type() {
    let src: Vec<u8> = [-5i32, 300, 7, i32::MAX]
        .iter()
        .flat_map(|v| v.to_ne_bytes())
        .collect();
    assert_eq!(
        unpack_one(&src, F::RgbaInteger, T::Int, Format::Rgba8ui),
        [0, 255, 7, 255]
    );
    let signed = unpack_one(&src, F::RgbaInteger, T::Int, Format::Rgba8i);
    assert_eq!(
        signed.iter().map(|&b| b as i8).collect::<Vec<_>>(),
        [-5, 127, 7, 127]
    );
}

#[test]
fn unpack_keeps_all_32_bits_of_integers() {
    let src: Vec<u8> = [u32::MAX, 0x8000_0001, 1]
        .iter()
        .flat_map(|v| v.to_ne_bytes())
        .collect();
    let rgba: Vec<u8> = [u32::MAX, 0x8000_0001, 1, 1]
        .iter()
        .flat_map(|v| v.to_ne_bytes())
        .collect();
    assert_eq!(
        unpack_one(&src, F::RgbInteger, T::UnsignedInt, Format::Rgba32ui),
        rgba
    );
}

#[test]
fn depth_and_stencil_move_between_their_layouts() {
    let d24s8 = 0xFFFF_FF5Au32.to_ne_bytes();
    let d24 = unpack_one(&d24s8, F::DepthStencil, T::UnsignedInt248, Format::Depth24);
    assert_eq!(d24, u32::MAX.to_ne_bytes());
    let d32fs8 = unpack_one(
        &d24s8,
        F::DepthStencil,
        T::UnsignedInt248,
        Format::Depth32fStencil8,
    );
    assert_eq!(
        d32fs8,
        [1.0f32.to_ne_bytes(), 0x5Au32.to_ne_bytes()].concat()
    );
    assert_eq!(
        pack_one(
            &d24s8,
            Format::Depth24Stencil8,
            F::StencilIndex,
            T::UnsignedByte
        ),
        [0x5A]
    );
    assert_eq!(
        pack_one(&d24s8, Format::Depth24Stencil8, F::DepthComponent, T::Float),
        1.0f32.to_ne_bytes()
    );
    assert_eq!(
        pack_one(
            &d32fs8,
            Format::Depth32fStencil8,
            F::DepthStencil,
            T::UnsignedInt248
        ),
        d24s8
    );
    // 0.5 * (2^16 - 1) = 32767.5 rounds to 32768.
    let half = unpack_one(
        &floats(&[0.5]),
        F::DepthComponent,
        T::Float,
        Format::Depth16,
    );
    assert_eq!(half, 0x8000u16.to_ne_bytes());
}

// GL 4.6 core §18.2, "Final Conversion", table of index masks: BYTE keeps 7 bits.
#[test]
fn pack_of_stencil_masks_instead_of_clamping() {
    assert_eq!(
        pack_one(&[0xFF], Format::StencilIndex8, F::StencilIndex, T::Byte),
        [0x7F]
    );
    let wide = 0x1FFu16.to_ne_bytes();
    assert_eq!(
        unpack_one(
            &wide,
            F::StencilIndex,
            T::UnsignedShort,
            Format::StencilIndex8
        ),
        [0xFF]
    );
    assert_eq!(
        unpack_one(&[0xFF], F::StencilIndex, T::Byte, Format::StencilIndex8),
        [0xFF]
    );
}

#[test]
fn unpack_depth_into_depth_stencil_keeps_the_stencil() {
    let mut texel = 0x0000_005Au32.to_ne_bytes();
    let pitch = Pitch::tight(Format::Depth24Stencil8, 1, 1);
    let image = row(F::DepthComponent, T::Float, 1);
    unpack_into(
        &floats(&[1.0]),
        &image,
        Format::Depth24Stencil8,
        &mut texel,
        pitch,
    )
    .unwrap();
    assert_eq!(u32::from_ne_bytes(texel), 0xFFFF_FF5A);
}

#[test]
fn unpack_of_srgb_passes_bytes() {
    assert_eq!(
        unpack_one(
            &[10, 20, 30, 40],
            F::Rgba,
            T::UnsignedByte,
            Format::Srgb8Alpha8
        ),
        [10, 20, 30, 40]
    );
    assert_eq!(
        unpack_one(&floats(&[0.5; 3]), F::Rgb, T::Float, Format::Srgb8),
        [128, 128, 128]
    );
}

#[test]
fn unpack_floats_to_packed_floats_follows_the_codecs() {
    let src = floats(&[1.0, 0.5, 0.0]);
    let e5 = unpack_one(&src, F::Rgb, T::Float, Format::Rgb9E5);
    assert_eq!(e5, (16u32 << 27 | 128 << 9 | 256).to_ne_bytes());
    // 1.0 is exponent 15: 0x3C0 in 11 bits, 0.5 is 0x380.
    let f11 = unpack_one(&src, F::Rgb, T::Float, Format::R11fG11fB10f);
    assert_eq!(f11, (0x380u32 << 11 | 0x3C0).to_ne_bytes());
    assert_eq!(
        unpack_one(&src, F::Rgb, T::Float, Format::Rgb16f)[..2],
        0x3C00u16.to_ne_bytes()
    );
}

#[test]
fn unpack_of_a_padded_subimage_reads_the_right_bytes() {
    // A 4x3 RGB image with rows of 12 bytes; the 2x2 box at (1, 1).
    let src: Vec<u8> = (0..36).collect();
    let image = ClientImage {
        format: F::Rgb,
        ty: T::UnsignedByte,
        store: PixelStore {
            row_length: 4,
            skip_rows: 1,
            skip_pixels: 1,
            ..PixelStore::default()
        },
        width: 2,
        height: 2,
        depth: 1,
        dims: Dims::Two,
    };
    let expected = [15, 16, 17, 18, 19, 20, 27, 28, 29, 30, 31, 32];
    assert_eq!(unpack(&src, &image, Format::Rgb8).unwrap(), expected);
    let needs = image.layout().unwrap().total_bytes;
    assert_eq!(needs, 33);
    assert_eq!(
        unpack(&src[..32], &image, Format::Rgb8),
        Err(TransferError::ShortSource { has: 32, needs: 33 })
    );
}

#[test]
fn pack_with_row_padding_leaves_padding_alone() {
    let src = [1, 2, 3, 4, 5, 6];
    let mut image = ClientImage::tight(F::Rgb, T::UnsignedByte, 1, 2, 1);
    image.store.alignment = 8;
    let mut dst = [0xEE; 11];
    pack(
        &src,
        Format::Rgb8,
        Pitch::tight(Format::Rgb8, 1, 2),
        &image,
        &mut dst,
    )
    .unwrap();
    assert_eq!(dst, [1, 2, 3, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 4, 5, 6]);
    let short = pack(
        &src,
        Format::Rgb8,
        Pitch::tight(Format::Rgb8, 1, 2),
        &image,
        &mut dst[..10],
    );
    assert_eq!(
        short,
        Err(TransferError::ShortDestination { has: 10, needs: 11 })
    );
}

#[test]
fn unpack_into_a_box_leaves_the_rest_of_the_level() {
    let mut level = [0u8; 4 * 4];
    let pitch = Pitch::tight(Format::R8, 4, 4);
    let image = ClientImage::tight(F::Red, T::UnsignedByte, 2, 2, 1);
    unpack_into(
        &[1, 2, 3, 4],
        &image,
        Format::R8,
        &mut level[4 + 1..],
        pitch,
    )
    .unwrap();
    assert_eq!(level, [0, 0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 0]);
}

#[test]
fn empty_images_transfer_nothing() {
    let image = ClientImage::tight(F::Rgba, T::Float, 0, 5, 1);
    assert_eq!(unpack(&[], &image, Format::Rgba8).unwrap(), []);
    assert_eq!(
        pack(
            &[],
            Format::Rgba8,
            Pitch::tight(Format::Rgba8, 0, 5),
            &image,
            &mut []
        ),
        Ok(())
    );
}

#[test]
fn mismatched_kinds_are_refused_before_any_write() {
    let image = row(F::DepthComponent, T::Float, 1);
    assert!(matches!(
        unpack(&[0; 4], &image, Format::Rgba8),
        Err(TransferError::Mismatch(_))
    ));
}

#[test]
fn plans_of_common_uploads_are_the_cheap_ones() {
    let plan = |format, ty, dst| {
        Conversion::new(
            Side::client(&row(format, ty, 1)),
            Side::storage(dst),
            Direction::Unpack,
        )
        .plan
    };
    assert_eq!(plan(F::Rgba, T::UnsignedByte, Format::Rgba8), Plan::Copy);
    assert_eq!(plan(F::Rgb, T::Float, Format::Rgb32f), Plan::Copy);
    assert_eq!(
        plan(F::DepthComponent, T::UnsignedInt, Format::Depth24),
        Plan::Copy
    );
    if cfg!(target_endian = "little") {
        assert_eq!(
            plan(F::Rgba, T::UnsignedInt8888Rev, Format::Rgba8),
            Plan::Copy
        );
        assert!(matches!(
            plan(F::Bgra, T::UnsignedInt8888Rev, Format::Rgba8),
            Plan::Shuffle { .. }
        ));
    }
    assert!(matches!(
        plan(F::Rgb, T::UnsignedByte, Format::Rgba8),
        Plan::Shuffle { .. }
    ));
    assert!(matches!(
        plan(F::Luminance, T::UnsignedByte, Format::Rgba8),
        Plan::Shuffle { .. }
    ));
    assert_eq!(plan(F::Rgb, T::UnsignedByte, Format::Rgb565), Plan::General);
}

/// Every legal combination of both directions, with and without swapped bytes.
fn for_each_conversion(mut visit: impl FnMut(Conversion)) {
    for &format in F::ALL {
        for &ty in T::ALL {
            for &texels in Format::ALL {
                for swap in [false, true] {
                    let client = Side {
                        format,
                        ty,
                        swap: swap && ty.swap_bytes_unit() > 1,
                    };
                    let storage = Side::storage(texels);
                    if compatible(format, ty, texels).is_ok() {
                        visit(Conversion::new(client, storage, Direction::Unpack));
                    }
                    if readable(texels, format, ty).is_ok() {
                        visit(Conversion::new(storage, client, Direction::Pack));
                    }
                }
            }
        }
    }
}

/// A fast path may differ from the general one only where a value has two codes: -128 of snorm8, NaNs, the low bits of
/// packed formats. These bytes avoid them: no word has its highest bits set.
#[test]
fn fast_paths_agree_with_the_general_path() {
    const WIDTH: usize = 5;
    let mut n_fast = 0;
    for_each_conversion(|mut conversion| {
        if conversion.plan == Plan::General {
            return;
        }
        n_fast += 1;
        let mut state = 12345u32;
        let src: Vec<u8> = (0..WIDTH * conversion.from.group_bytes())
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8 & 0x3F
            })
            .collect();
        // Shared exponents, NaNs of small floats and stencil's unused bits have no unique code.
        if matches!(
            conversion.to.ty,
            T::UnsignedInt5999Rev | T::UnsignedInt10f11f11fRev | T::Float32UnsignedInt248Rev
        ) {
            return;
        }
        let mut fast = vec![0; WIDTH * conversion.to.group_bytes()];
        let mut general = fast.clone();
        conversion.convert_row(&src, &mut fast);
        conversion.plan = Plan::General;
        conversion.convert_row(&src, &mut general);
        assert_eq!(
            fast, general,
            "{:?} -> {:?}",
            conversion.from, conversion.to
        );
    });
    assert!(n_fast > 1000, "{n_fast} conversions compared");
}

#[test]
fn every_legal_conversion_runs() {
    for_each_conversion(|conversion| {
        let src = vec![0x5A; 70 * conversion.from.group_bytes()];
        let mut dst = vec![0; 70 * conversion.to.group_bytes()];
        conversion.convert_row(&src, &mut dst);
    });
}

/// Client kinds that hold every value of the format exactly.
fn lossless_kinds(format: Format) -> Vec<(F, T)> {
    let storage = format.info().storage;
    let mut kinds = vec![(storage.format, storage.ty)];
    match storage.ty {
        T::UnsignedByte if format.info().is_integer() => {
            kinds.extend([
                (F::BgraInteger, T::UnsignedShort),
                (F::RgbaInteger, T::Int),
                (F::RgbaInteger, T::UnsignedByte),
            ]);
        }
        T::UnsignedByte if storage.format.is_color() => kinds.extend([
            (F::Bgra, T::UnsignedByte),
            (F::Rgba, T::UnsignedInt8888),
            (F::Bgra, T::UnsignedInt8888Rev),
            (F::Rgba, T::UnsignedShort),
            (F::Rgba, T::Float),
        ]),
        T::UnsignedShort if storage.format == F::DepthComponent => {
            kinds.push((F::DepthComponent, T::Float))
        }
        T::UnsignedShort if !format.info().is_integer() => {
            kinds.extend([(F::Bgra, T::UnsignedShort), (F::Rgba, T::Float)])
        }
        T::Short | T::Int | T::UnsignedInt if format.info().is_integer() => {
            kinds.push((F::BgraInteger, storage.ty));
        }
        T::UnsignedShort565 => {
            kinds.extend([(F::Rgb, T::UnsignedShort565Rev), (F::Bgr, T::UnsignedByte)])
        }
        T::UnsignedShort4444 => kinds.extend([
            (F::Bgra, T::UnsignedShort4444Rev),
            (F::Rgba, T::UnsignedByte),
        ]),
        T::UnsignedShort5551 => {
            kinds.extend([(F::Bgra, T::UnsignedShort1555Rev), (F::Rgba, T::Float)])
        }
        T::UnsignedInt2101010Rev if !format.info().is_integer() => {
            kinds.extend([
                (F::Bgra, T::UnsignedInt1010102),
                (F::Rgba, T::UnsignedShort),
                (F::Rgba, T::Float),
            ]);
        }
        T::UnsignedInt248 => kinds.push((F::DepthStencil, T::Float32UnsignedInt248Rev)),
        _ => {}
    }
    kinds
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn round_trip_through_lossless_client_kinds_is_identity(
        bytes in prop::collection::vec(any::<u8>(), 2 * 3 * 2 * 16),
        alignment in prop::sample::select(vec![1u32, 2, 4, 8]),
        row_extra in 0u32..3,
        (skip_rows, skip_pixels, skip_images) in (0u32..3, 0u32..3, 0u32..2),
        swap in any::<bool>(),
    ) {
        let [width, height, depth] = [2u32, 3, 2];
        for &format in Format::ALL {
            // A depth of 24 bits fills its 32-bit word; luminance formats do not survive RGBA by the rules of their base.
            if format.info().is_compressed() || format.info().flags.contains(crate::formats::FormatFlags::LEGACY) {
                continue;
            }
            let size = format.info().storage_bytes(width, height, depth).unwrap() as usize;
            let texels = &bytes[..size];
            for (client, ty) in lossless_kinds(format) {
                let store = PixelStore {
                    swap_bytes: swap.into(),
                    alignment,
                    row_length: width + row_extra,
                    image_height: height + row_extra,
                    skip_rows,
                    skip_pixels,
                    skip_images,
                    ..PixelStore::TIGHT
                };
                let image = ClientImage { format: client, ty, store, width, height, depth, dims: Dims::Three };
                let total = image.layout().unwrap().total_bytes as usize;
                let mut packed = vec![0xEE; total];
                pack(texels, format, Pitch::tight(format, width, height), &image, &mut packed).unwrap();
                let back = unpack(&packed, &image, format).unwrap();
                prop_assert_eq!(&back[..], texels, "{:?} as {:?} {:?}", format, client, ty);
            }
        }
    }

    #[test]
    fn hostile_images_never_panic(
        store in any::<[u32; 6]>(),
        extent in any::<[u32; 3]>(),
        bytes in prop::collection::vec(any::<u8>(), 64),
    ) {
        let [packed, row_length, image_height, skip_rows, skip_pixels, skip_images] = store;
        let [swap_bytes, lsb_first, alignment, _] = packed.to_ne_bytes();
        let alignment = u32::from(alignment & 15);
        let store = PixelStore { swap_bytes, lsb_first, _pad: 0, alignment, row_length, image_height, skip_rows, skip_pixels, skip_images };
        let [width, height, depth] = extent;
        let image = ClientImage { format: F::Rgba, ty: T::Float, store, width, height, depth, dims: Dims::Three };
        let mut dst = bytes.clone();
        let pitch = Pitch { row: u64::MAX, image: u64::from(row_length) };
        prop_assert!(width == 0 || height == 0 || depth == 0 || unpack(&bytes, &image, Format::Rgba8).is_err() || image.layout().unwrap().total_bytes <= 64);
        let _ = unpack_into(&bytes, &image, Format::Rgba8, &mut dst, pitch);
        let _ = pack(&bytes, Format::Rgba8, pitch, &image, &mut dst);
    }
}
