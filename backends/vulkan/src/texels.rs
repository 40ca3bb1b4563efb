//! Texels between canonical storage and the device's copies, row by row on the host. It knows bytes, not images.
//!
//! A combined depth-stencil format travels as two copies, one per aspect: each function takes the aspect.

use crate::conv::Texel;
use ash::vk::ImageAspectFlags as Aspect;
use pipe::pixels::PixelType;

/// Bytes of a canonical texel and of the device's texel in a copy of `aspect`.
pub fn device_bytes(texel: Texel, canonical_bytes: usize, aspect: Aspect) -> usize {
    match texel {
        Texel::Same => canonical_bytes,
        Texel::PadRgb(one) => 4 * usize::from(one.bytes),
        Texel::Small(_) | Texel::Depth24 | Texel::DepthFloat => 4,
        Texel::Depth24Stencil8 | Texel::DepthFloatStencil8 | Texel::Depth32fStencil8 => {
            if aspect == Aspect::STENCIL { 1 } else { 4 }
        }
    }
}

fn word(bytes: &[u8]) -> u32 {
    u32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

fn unorm_to_float(value: u32, bits: u32) -> f32 {
    let max = f64::from((u64::MAX >> (64 - bits)) as u32);
    (f64::from(value) / max) as f32
}

fn float_to_unorm(value: f32, bits: u32) -> u32 {
    let max = f64::from((u64::MAX >> (64 - bits)) as u32);
    (f64::from(value).clamp(0.0, 1.0) * max).round() as u32
}

/// Shifts and widths of R, G, B, A in a packed word.
fn fields(ty: PixelType) -> [(u32, u32); 4] {
    match ty {
        PixelType::UnsignedByte332 => [(5, 3), (2, 3), (0, 2), (0, 0)],
        PixelType::UnsignedShort565 => [(11, 5), (5, 6), (0, 5), (0, 0)],
        PixelType::UnsignedShort4444 => [(12, 4), (8, 4), (4, 4), (0, 4)],
        PixelType::UnsignedShort5551 => [(11, 5), (6, 5), (1, 5), (0, 1)],
        other => unreachable!("{other:?} is no small packed type of the format table"),
    }
}

fn small_word(ty: PixelType, bytes: &[u8]) -> u32 {
    if ty == PixelType::UnsignedByte332 {
        u32::from(bytes[0])
    } else {
        u32::from(u16::from_ne_bytes([bytes[0], bytes[1]]))
    }
}

/// Rows of canonical texels to the device's: `src` holds `n` texels, `dst` gets `n` device texels.
pub fn to_device(texel: Texel, aspect: Aspect, src: &[u8], dst: &mut [u8]) {
    match texel {
        Texel::Same => dst.copy_from_slice(src),
        Texel::PadRgb(one) => {
            let size = usize::from(one.bytes);
            let last = one.value.to_le_bytes();
            for (s, d) in src
                .chunks_exact(3 * size)
                .zip(dst.chunks_exact_mut(4 * size))
            {
                d[..3 * size].copy_from_slice(s);
                d[3 * size..].copy_from_slice(&last[..size]);
            }
        }
        Texel::Small(ty) => {
            let size = usize::from(ty.element_bytes());
            for (s, d) in src.chunks_exact(size).zip(dst.chunks_exact_mut(4)) {
                let value = small_word(ty, s);
                for (out, (shift, bits)) in d.iter_mut().zip(fields(ty)) {
                    *out = if bits == 0 {
                        255
                    } else {
                        let max = (1 << bits) - 1;
                        (((value >> shift) & max) * 255 + max / 2).div_euclid(max) as u8
                    };
                }
            }
        }
        Texel::Depth24 => each_word(src, dst, |w| w >> 8),
        Texel::DepthFloat => each_word(src, dst, |w| unorm_to_float(w, 32).to_bits()),
        Texel::Depth24Stencil8 if aspect != Aspect::STENCIL => each_word(src, dst, |w| w >> 8),
        Texel::DepthFloatStencil8 if aspect != Aspect::STENCIL => {
            each_word(src, dst, |w| unorm_to_float(w >> 8, 24).to_bits());
        }
        Texel::Depth24Stencil8 | Texel::DepthFloatStencil8 => {
            for (s, d) in src.chunks_exact(4).zip(dst) {
                *d = word(s) as u8;
            }
        }
        Texel::Depth32fStencil8 if aspect != Aspect::STENCIL => {
            for (s, d) in src.chunks_exact(8).zip(dst.chunks_exact_mut(4)) {
                d.copy_from_slice(&s[..4]);
            }
        }
        Texel::Depth32fStencil8 => {
            for (s, d) in src.chunks_exact(8).zip(dst) {
                *d = word(&s[4..]) as u8;
            }
        }
    }
}

fn each_word(src: &[u8], dst: &mut [u8], f: impl Fn(u32) -> u32) {
    for (s, d) in src.chunks_exact(4).zip(dst.chunks_exact_mut(4)) {
        d.copy_from_slice(&f(word(s)).to_ne_bytes());
    }
}

/// The way back. For combined formats, calls for both aspects fill one canonical row.
pub fn to_canonical(texel: Texel, aspect: Aspect, src: &[u8], dst: &mut [u8]) {
    match texel {
        Texel::Same => dst.copy_from_slice(src),
        Texel::PadRgb(one) => {
            let size = usize::from(one.bytes);
            for (s, d) in src
                .chunks_exact(4 * size)
                .zip(dst.chunks_exact_mut(3 * size))
            {
                d.copy_from_slice(&s[..3 * size]);
            }
        }
        Texel::Small(ty) => {
            let size = usize::from(ty.element_bytes());
            for (s, d) in src.chunks_exact(4).zip(dst.chunks_exact_mut(size)) {
                let mut value = 0;
                for (component, (shift, bits)) in s.iter().zip(fields(ty)) {
                    if bits != 0 {
                        let max = (1u32 << bits) - 1;
                        value |= ((u32::from(*component) * max + 127) / 255) << shift;
                    }
                }
                if size == 1 {
                    d[0] = value as u8;
                } else {
                    d.copy_from_slice(&(value as u16).to_ne_bytes());
                }
            }
        }
        // A 24-bit value is repeated into the low bits, as a 24-bit fixed-point number becomes a 32-bit one.
        Texel::Depth24 => each_word(src, dst, |w| {
            let value = w & 0x00FF_FFFF;
            value << 8 | value >> 16
        }),
        Texel::DepthFloat => each_word(src, dst, |w| float_to_unorm(f32::from_bits(w), 32)),
        Texel::Depth24Stencil8 if aspect != Aspect::STENCIL => {
            merge(src, dst, |w| w & 0x00FF_FFFF);
        }
        Texel::DepthFloatStencil8 if aspect != Aspect::STENCIL => {
            merge(src, dst, |w| float_to_unorm(f32::from_bits(w), 24));
        }
        Texel::Depth24Stencil8 | Texel::DepthFloatStencil8 => {
            for (s, d) in src.iter().zip(dst.chunks_exact_mut(4)) {
                let merged = word(d) & !0xFF | u32::from(*s);
                d.copy_from_slice(&merged.to_ne_bytes());
            }
        }
        Texel::Depth32fStencil8 if aspect != Aspect::STENCIL => {
            for (s, d) in src.chunks_exact(4).zip(dst.chunks_exact_mut(8)) {
                d[..4].copy_from_slice(s);
            }
        }
        Texel::Depth32fStencil8 => {
            for (s, d) in src.iter().zip(dst.chunks_exact_mut(8)) {
                d[4..].copy_from_slice(&u32::from(*s).to_ne_bytes());
            }
        }
    }
}

fn merge(src: &[u8], dst: &mut [u8], depth: impl Fn(u32) -> u32) {
    for (s, d) in src.chunks_exact(4).zip(dst.chunks_exact_mut(4)) {
        let merged = word(d) & 0xFF | depth(word(s)) << 8;
        d.copy_from_slice(&merged.to_ne_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_words_through_rgba8_and_back_are_unchanged() {
        for ty in [
            PixelType::UnsignedByte332,
            PixelType::UnsignedShort565,
            PixelType::UnsignedShort4444,
            PixelType::UnsignedShort5551,
        ] {
            let size = usize::from(ty.element_bytes());
            for value in 0..=(if size == 1 { 255u32 } else { 65535 }) {
                let src = &value.to_le_bytes()[..size];
                let (mut wide, mut back) = ([0; 4], [0; 2]);
                to_device(Texel::Small(ty), Aspect::COLOR, src, &mut wide);
                to_canonical(Texel::Small(ty), Aspect::COLOR, &wide, &mut back[..size]);
                assert_eq!(&back[..size], src, "{ty:?}");
            }
        }
    }

    #[test]
    fn depth24_stencil8_split_and_merged_is_unchanged() {
        let canonical = 0x1234_56AB_u32.to_ne_bytes();
        for texel in [Texel::Depth24Stencil8, Texel::DepthFloatStencil8] {
            let (mut depth, mut stencil, mut back) = ([0; 4], [0; 1], [0; 4]);
            to_device(texel, Aspect::DEPTH, &canonical, &mut depth);
            to_device(texel, Aspect::STENCIL, &canonical, &mut stencil);
            to_canonical(texel, Aspect::DEPTH, &depth, &mut back);
            to_canonical(texel, Aspect::STENCIL, &stencil, &mut back);
            assert_eq!(back, canonical);
        }
    }
}
