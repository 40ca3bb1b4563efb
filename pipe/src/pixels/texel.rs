//! Rows of groups to rows of texels and back: the general conversion; slow paths only, the fast ones never come here.

use super::codec::*;
use super::kinds::{PixelFormat, PixelType, group_bytes};

/// R, G, B, A; or depth and stencil in the first two places. Integers and stencil indices are whole numbers.
pub(super) type Texel = [f64; 4];

/// GL 4.6 core §8.4.4, "Final Expansion to RGBA": missing components are 0, missing alpha is 1.
const EXPANDED: Texel = [0.0, 0.0, 0.0, 1.0];

/// Place in the texel of each component of a group.
pub(super) fn channels(format: PixelFormat) -> &'static [u8] {
    use PixelFormat::*;
    match format {
        Red | RedInteger | DepthComponent | Luminance => &[0],
        Green | GreenInteger | StencilIndex => &[1],
        Blue | BlueInteger => &[2],
        Alpha | AlphaInteger => &[3],
        Rg | RgInteger | DepthStencil => &[0, 1],
        LuminanceAlpha => &[0, 3],
        Rgb | RgbInteger => &[0, 1, 2],
        Bgr | BgrInteger => &[2, 1, 0],
        Rgba | RgbaInteger => &[0, 1, 2, 3],
        Bgra | BgraInteger => &[2, 1, 0, 3],
    }
}

/// How a fixed-point word becomes a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scale {
    /// Divided by the largest code.
    Normalized,
    /// As it stands, clamped to the type on the way out (GL 4.6 core §18.2, "Final Conversion").
    Integer,
    /// As it stands, masked by the index mask of the type on the way out (same section).
    Index,
}

fn scale(format: PixelFormat) -> Scale {
    if format == PixelFormat::StencilIndex {
        Scale::Index
    } else if format.is_integer() {
        Scale::Integer
    } else {
        Scale::Normalized
    }
}

/// (shift, bits) of the components of a packed word, in the order of the format's components.
/// Non-REV types have the first component in the most significant bits: GL 4.6 core §8.4.4.2.
fn packed_fields(ty: PixelType) -> &'static [(u32, u32)] {
    use PixelType::*;
    match ty {
        UnsignedByte332 => &[(5, 3), (2, 3), (0, 2)],
        UnsignedByte233Rev => &[(0, 3), (3, 3), (6, 2)],
        UnsignedShort565 => &[(11, 5), (5, 6), (0, 5)],
        UnsignedShort565Rev => &[(0, 5), (5, 6), (11, 5)],
        UnsignedShort4444 => &[(12, 4), (8, 4), (4, 4), (0, 4)],
        UnsignedShort4444Rev => &[(0, 4), (4, 4), (8, 4), (12, 4)],
        UnsignedShort5551 => &[(11, 5), (6, 5), (1, 5), (0, 1)],
        UnsignedShort1555Rev => &[(0, 5), (5, 5), (10, 5), (15, 1)],
        UnsignedInt8888 => &[(24, 8), (16, 8), (8, 8), (0, 8)],
        UnsignedInt8888Rev => &[(0, 8), (8, 8), (16, 8), (24, 8)],
        UnsignedInt1010102 => &[(22, 10), (12, 10), (2, 10), (0, 2)],
        UnsignedInt2101010Rev => &[(0, 10), (10, 10), (20, 10), (30, 2)],
        Byte
        | UnsignedByte
        | Short
        | UnsignedShort
        | Int
        | UnsignedInt
        | Float
        | HalfFloat
        | UnsignedInt248
        | UnsignedInt10f11f11fRev
        | UnsignedInt5999Rev
        | Float32UnsignedInt248Rev => &[],
    }
}

/// Reads `out.len()` groups from the front of `src`.
pub(super) fn decode_row(
    src: &[u8],
    format: PixelFormat,
    ty: PixelType,
    swap: bool,
    out: &mut [Texel],
) {
    use PixelType::*;
    let src = &src[..out.len() * usize::from(group_bytes(format, ty))];
    let places = channels(format);
    let real = scale(format) == Scale::Normalized;
    let unsigned = |value: u32, bits| {
        if real {
            unorm_to_real(value, bits)
        } else {
            f64::from(value)
        }
    };
    let signed = |value: i32, bits| {
        if real {
            snorm_to_real(value, bits)
        } else {
            f64::from(value)
        }
    };
    match ty {
        Byte => read(src, places, swap, out, |b| {
            signed(i8::from_ne_bytes(b).into(), 8)
        }),
        UnsignedByte => read(src, places, swap, out, |b| {
            unsigned(u8::from_ne_bytes(b).into(), 8)
        }),
        Short => read(src, places, swap, out, |b| {
            signed(i16::from_ne_bytes(b).into(), 16)
        }),
        UnsignedShort => read(src, places, swap, out, |b| {
            unsigned(u16::from_ne_bytes(b).into(), 16)
        }),
        Int => read(src, places, swap, out, |b| {
            signed(i32::from_ne_bytes(b), 32)
        }),
        UnsignedInt => read(src, places, swap, out, |b| {
            unsigned(u32::from_ne_bytes(b), 32)
        }),
        Float => read(src, places, swap, out, |b| f32::from_ne_bytes(b).into()),
        HalfFloat => read(src, places, swap, out, |b| {
            f16_to_real(u16::from_ne_bytes(b))
        }),
        UnsignedByte332
        | UnsignedByte233Rev
        | UnsignedShort565
        | UnsignedShort565Rev
        | UnsignedShort4444
        | UnsignedShort4444Rev
        | UnsignedShort5551
        | UnsignedShort1555Rev
        | UnsignedInt8888
        | UnsignedInt8888Rev
        | UnsignedInt1010102
        | UnsignedInt2101010Rev => {
            let fields = packed_fields(ty);
            read_words(src, ty, swap, out, |word| {
                let mut texel = EXPANDED;
                for (&(shift, bits), &place) in fields.iter().zip(places) {
                    texel[usize::from(place)] = unsigned((word >> shift) & ((1 << bits) - 1), bits);
                }
                texel
            });
        }
        UnsignedInt248 => {
            read_words(src, ty, swap, out, |word| {
                [
                    unorm_to_real(word >> 8, 24),
                    f64::from(word & 0xFF),
                    0.0,
                    1.0,
                ]
            });
        }
        UnsignedInt10f11f11fRev => read_words(src, ty, swap, out, |word| {
            [
                f11_to_real(word),
                f11_to_real(word >> 11),
                f10_to_real(word >> 22),
                1.0,
            ]
        }),
        UnsignedInt5999Rev => read_words(src, ty, swap, out, |word| {
            let [r, g, b] = rgb9e5_to_real(word);
            [r, g, b, 1.0]
        }),
        Float32UnsignedInt248Rev => {
            for (group, texel) in src.chunks_exact(8).zip(out) {
                let depth = f32::from_bits(word_at(&group[..4], swap));
                *texel = [
                    depth.into(),
                    f64::from(word_at(&group[4..], swap) & 0xFF),
                    0.0,
                    1.0,
                ];
            }
        }
    }
}

/// Writes the texels as groups to the front of `dst`.
pub(super) fn encode_row(
    texels: &[Texel],
    format: PixelFormat,
    ty: PixelType,
    swap: bool,
    dst: &mut [u8],
) {
    use PixelType::*;
    let dst = &mut dst[..texels.len() * usize::from(group_bytes(format, ty))];
    let places = channels(format);
    let scale = scale(format);
    let unsigned = |value: f64, bits: u32| match scale {
        Scale::Normalized => real_to_unorm(value, bits),
        // `as` clamps to u32; `min` to the field.
        Scale::Integer => (value as u32).min(((1u64 << bits) - 1) as u32),
        Scale::Index => value as i64 as u32 & ((1u64 << bits) - 1) as u32,
    };
    let signed = |value: f64, bits: u32| match scale {
        Scale::Normalized => real_to_snorm(value, bits),
        Scale::Integer => (value as i32).clamp(
            -(1i64 << (bits - 1)) as i32,
            ((1i64 << (bits - 1)) - 1) as i32,
        ),
        Scale::Index => value as i64 as i32 & ((1i64 << (bits - 1)) - 1) as i32,
    };
    match ty {
        Byte => write(texels, places, swap, dst, |v| {
            (signed(v, 8) as i8).to_ne_bytes()
        }),
        UnsignedByte => write(texels, places, swap, dst, |v| {
            (unsigned(v, 8) as u8).to_ne_bytes()
        }),
        Short => write(texels, places, swap, dst, |v| {
            (signed(v, 16) as i16).to_ne_bytes()
        }),
        UnsignedShort => write(texels, places, swap, dst, |v| {
            (unsigned(v, 16) as u16).to_ne_bytes()
        }),
        Int => write(texels, places, swap, dst, |v| signed(v, 32).to_ne_bytes()),
        UnsignedInt => write(texels, places, swap, dst, |v| unsigned(v, 32).to_ne_bytes()),
        Float => write(texels, places, swap, dst, |v| (v as f32).to_ne_bytes()),
        HalfFloat => write(texels, places, swap, dst, |v| real_to_f16(v).to_ne_bytes()),
        UnsignedByte332
        | UnsignedByte233Rev
        | UnsignedShort565
        | UnsignedShort565Rev
        | UnsignedShort4444
        | UnsignedShort4444Rev
        | UnsignedShort5551
        | UnsignedShort1555Rev
        | UnsignedInt8888
        | UnsignedInt8888Rev
        | UnsignedInt1010102
        | UnsignedInt2101010Rev => {
            let fields = packed_fields(ty);
            write_words(texels, ty, swap, dst, |texel| {
                let pairs = fields.iter().zip(places);
                pairs.fold(0, |word, (&(shift, bits), &place)| {
                    word | unsigned(texel[usize::from(place)], bits) << shift
                })
            });
        }
        UnsignedInt248 => write_words(texels, ty, swap, dst, |t| {
            real_to_unorm(t[0], 24) << 8 | (t[1] as i64 as u32 & 0xFF)
        }),
        UnsignedInt10f11f11fRev => write_words(texels, ty, swap, dst, |t| {
            real_to_f11(t[0]) | real_to_f11(t[1]) << 11 | real_to_f10(t[2]) << 22
        }),
        UnsignedInt5999Rev => write_words(texels, ty, swap, dst, |t| {
            real_to_rgb9e5([t[0], t[1], t[2]])
        }),
        Float32UnsignedInt248Rev => {
            for (group, texel) in dst.chunks_exact_mut(8).zip(texels) {
                put_word(&mut group[..4], (texel[0] as f32).to_bits(), swap);
                put_word(&mut group[4..], texel[1] as u32 & 0xFF, swap);
            }
        }
    }
}

#[inline]
fn read<const N: usize>(
    src: &[u8],
    places: &[u8],
    swap: bool,
    out: &mut [Texel],
    value: impl Fn([u8; N]) -> f64,
) {
    let (elements, _) = src.as_chunks::<N>();
    for (group, texel) in elements.chunks_exact(places.len()).zip(out) {
        *texel = EXPANDED;
        for (element, &place) in group.iter().zip(places) {
            let mut bytes = *element;
            if swap {
                bytes.reverse();
            }
            texel[usize::from(place)] = value(bytes);
        }
    }
}

#[inline]
fn write<const N: usize>(
    texels: &[Texel],
    places: &[u8],
    swap: bool,
    dst: &mut [u8],
    bytes_of: impl Fn(f64) -> [u8; N],
) {
    let (elements, _) = dst.as_chunks_mut::<N>();
    for (group, texel) in elements.chunks_exact_mut(places.len()).zip(texels) {
        for (element, &place) in group.iter_mut().zip(places) {
            *element = bytes_of(texel[usize::from(place)]);
            if swap {
                element.reverse();
            }
        }
    }
}

#[inline]
fn read_words(
    src: &[u8],
    ty: PixelType,
    swap: bool,
    out: &mut [Texel],
    texel_of: impl Fn(u32) -> Texel,
) {
    for (word, texel) in src.chunks_exact(usize::from(ty.element_bytes())).zip(out) {
        *texel = texel_of(word_at(word, swap));
    }
}

#[inline]
fn write_words(
    texels: &[Texel],
    ty: PixelType,
    swap: bool,
    dst: &mut [u8],
    word_of: impl Fn(&Texel) -> u32,
) {
    for (word, texel) in dst
        .chunks_exact_mut(usize::from(ty.element_bytes()))
        .zip(texels)
    {
        put_word(word, word_of(texel), swap);
    }
}

/// A word of 1, 2 or 4 bytes in the machine's order (or the other one).
#[inline]
fn word_at(bytes: &[u8], swap: bool) -> u32 {
    match *bytes {
        [a] => u32::from(a),
        [a, b] => {
            let word = u16::from_ne_bytes([a, b]);
            u32::from(if swap { word.swap_bytes() } else { word })
        }
        [a, b, c, d] => {
            let word = u32::from_ne_bytes([a, b, c, d]);
            if swap { word.swap_bytes() } else { word }
        }
        _ => unreachable!("packed words have 1, 2 or 4 bytes"),
    }
}

#[inline]
fn put_word(bytes: &mut [u8], word: u32, swap: bool) {
    match bytes.len() {
        1 => bytes[0] = word as u8,
        2 => {
            let word = word as u16;
            bytes.copy_from_slice(&if swap { word.swap_bytes() } else { word }.to_ne_bytes());
        }
        4 => bytes.copy_from_slice(&if swap { word.swap_bytes() } else { word }.to_ne_bytes()),
        _ => unreachable!("packed words have 1, 2 or 4 bytes"),
    }
}
