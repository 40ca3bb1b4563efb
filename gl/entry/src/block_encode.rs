//! Texels into compressed blocks, for glGetCompressedTexImage of images that were not given compressed. It favours short code over
//! quality: sampling never sees its output.
//!
//! GL 4.6 §8.5: which encoding an implementation picks for texels given uncompressed is its own choice. S3TC is `texpresso`'s. The other
//! families use one mode each: RGTC's eight-value ramp, BPTC's mode 6 (RGBA) and mode 11 (half floats).

use crate::block_decode;
use pipe::Format;

/// Texels in canonical storage, tight, as blocks; `None` for families that contexts do not offer.
pub fn encode(format: Format, texels: &[u8], [width, height, depth]: [u32; 3]) -> Option<Vec<u8>> {
    if !block_decode::is_decodable(format) {
        return None;
    }
    let info = format.info();
    let texel = usize::from(info.storage.bytes);
    let mut out = Vec::new();
    for slice in texels
        .chunks_exact(width as usize * height as usize * texel)
        .take(depth as usize)
    {
        for y in (0..height).step_by(4) {
            for x in (0..width).step_by(4) {
                // Texels over the edge repeat the last ones: they then cost no precision.
                let at = |index: usize| {
                    let (px, py) = (x + index as u32 % 4, y + index as u32 / 4);
                    let (px, py) = (px.min(width - 1), py.min(height - 1));
                    let start = (py * width + px) as usize * texel;
                    &slice[start..start + texel]
                };
                encode_block(format, at, &mut out);
            }
        }
    }
    Some(out)
}

fn encode_block<'a>(format: Format, at: impl Fn(usize) -> &'a [u8], out: &mut Vec<u8>) {
    use Format as F;
    let rgba = |index| {
        let t = at(index);
        [t[0], t[1], t[2], t.get(3).copied().unwrap_or(255)]
    };
    let s3tc = |out: &mut Vec<u8>, kind: texpresso::Format| {
        let start = out.len();
        out.resize(start + kind.block_size(), 0);
        kind.compress_block_masked(
            std::array::from_fn(rgba),
            0xFFFF,
            texpresso::Params::default(),
            &mut out[start..],
        );
    };
    match format {
        F::CompressedRgbS3tcDxt1
        | F::CompressedSrgbS3tcDxt1
        | F::CompressedRgbaS3tcDxt1
        | F::CompressedSrgbAlphaS3tcDxt1 => s3tc(out, texpresso::Format::Bc1),
        F::CompressedRgbaS3tcDxt3 | F::CompressedSrgbAlphaS3tcDxt3 => {
            s3tc(out, texpresso::Format::Bc2);
        }
        F::CompressedRgbaS3tcDxt5 | F::CompressedSrgbAlphaS3tcDxt5 => {
            s3tc(out, texpresso::Format::Bc3);
        }
        F::CompressedRedRgtc1 => out.extend(rgtc(std::array::from_fn(|i| i32::from(at(i)[0])))),
        F::CompressedRgRgtc2 => {
            for channel in 0..2 {
                out.extend(rgtc(std::array::from_fn(|i| i32::from(at(i)[channel]))));
            }
        }
        F::CompressedSignedRedRgtc1 => {
            out.extend(rgtc(std::array::from_fn(|i| i32::from(at(i)[0] as i8))));
        }
        F::CompressedSignedRgRgtc2 => {
            for channel in 0..2 {
                out.extend(rgtc(std::array::from_fn(|i| {
                    i32::from(at(i)[channel] as i8)
                })));
            }
        }
        F::CompressedRgbaBptcUnorm | F::CompressedSrgbAlphaBptcUnorm => {
            out.extend(bptc_unorm(std::array::from_fn(rgba)));
        }
        F::CompressedRgbBptcUnsignedFloat | F::CompressedRgbBptcSignedFloat => {
            let half = |t: &[u8], c: usize| u16::from_ne_bytes([t[2 * c], t[2 * c + 1]]);
            let texels = std::array::from_fn(|i| std::array::from_fn(|c| half(at(i), c)));
            out.extend(bptc_float(
                texels,
                format == F::CompressedRgbBptcSignedFloat,
            ));
        }
        _ => unreachable!("encode asked is_decodable"),
    }
}

/// The index of the candidate nearest to a texel.
fn nearest<const N: usize>(texel: [i32; N], candidates: impl Iterator<Item = [i32; N]>) -> usize {
    let distance = |candidate: [i32; N]| -> i64 {
        (0..N)
            .map(|c| i64::from(candidate[c] - texel[c]).pow(2))
            .sum()
    };
    candidates
        .map(distance)
        .enumerate()
        .min_by_key(|(_, d)| *d)
        .map_or(0, |(i, _)| i)
}

/// ARB_texture_compression_rgtc: largest and smallest value, six between. The low byte of a signed value is its two's complement.
fn rgtc(values: [i32; 16]) -> [u8; 8] {
    let (first, second) = values.iter().fold((i32::MIN, i32::MAX), |(max, min), v| {
        (max.max(*v), min.min(*v))
    });
    let ramp = |code: i32| match code {
        0 => first,
        1 => second,
        n => ((8 - n) * first + (n - 1) * second) / 7,
    };
    let codes = values
        .iter()
        .enumerate()
        .map(|(i, v)| (nearest([*v], (0..8).map(|c| [ramp(c)])) as u64) << (3 * i))
        .fold(0, |all, code| all | code);
    let mut block = [0; 8];
    block[0] = first as u8;
    block[1] = second as u8;
    block[2..].copy_from_slice(&codes.to_le_bytes()[..6]);
    block
}

/// The two texels that are furthest from each other.
fn furthest_pair<const N: usize>(texels: &[[i32; N]; 16]) -> (usize, usize) {
    let pairs = (0..16).flat_map(|a| (a + 1..16).map(move |b| (a, b)));
    pairs
        .max_by_key(|(a, b)| -> i64 {
            (0..N)
                .map(|c| i64::from(texels[*a][c] - texels[*b][c]).pow(2))
                .sum()
        })
        .unwrap_or((0, 1))
}

/// Interpolation weights of four-bit indices, in 64ths (ARB_texture_compression_bptc, table "Weights4").
const WEIGHTS: [i32; 16] = [0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64];

fn interpolate<const N: usize>(from: [i32; N], to: [i32; N], index: usize) -> [i32; N] {
    let w = WEIGHTS[index];
    std::array::from_fn(|c| ((64 - w) * from[c] + w * to[c] + 32) >> 6)
}

/// A block's 128 bits, filled from the lowest on.
#[derive(Default)]
struct Bits {
    value: u128,
    used: u32,
}

impl Bits {
    fn push(&mut self, value: u32, count: u32) {
        debug_assert!(count == 32 || value < 1 << count);
        self.value |= u128::from(value) << self.used;
        self.used += count;
    }

    /// Sixteen four-bit indices; the first has three bits, its highest being zero.
    fn push_indices(&mut self, indices: [usize; 16]) {
        for (i, index) in indices.into_iter().enumerate() {
            self.push(index as u32, if i == 0 { 3 } else { 4 });
        }
        debug_assert_eq!(self.used, 128);
    }
}

/// Indices along a line, and whether the line had to be turned so that the first index is below eight.
fn indices<const N: usize>(
    texels: &[[i32; N]; 16],
    from: [i32; N],
    to: [i32; N],
) -> ([usize; 16], bool) {
    let found: [usize; 16] = std::array::from_fn(|i| {
        nearest(texels[i], (0..16).map(|index| interpolate(from, to, index)))
    });
    if found[0] < 8 {
        (found, false)
    } else {
        (found.map(|index| 15 - index), true)
    }
}

/// ARB_texture_compression_bptc, mode 6: one line of RGBA, seven bits and a shared lowest bit per end.
fn bptc_unorm(texels: [[u8; 4]; 16]) -> [u8; 16] {
    let texels = texels.map(|t| t.map(i32::from));
    let (a, b) = furthest_pair(&texels);
    // An end with each lowest bit; the nearer one is taken.
    let end = |texel: [i32; 4]| -> ([i32; 4], u32) {
        let with = |p: i32| texel.map(|v| ((v - p + 1) >> 1).clamp(0, 127));
        let back = |p: i32| with(p).map(|q| q << 1 | p);
        let p = nearest(texel, (0..2).map(back)) as i32;
        (with(p), p as u32)
    };
    let (mut from, mut to) = (end(texels[a]), end(texels[b]));
    let wide = |(q, p): ([i32; 4], u32)| q.map(|q| q << 1 | p as i32);
    let (indices, turned) = indices(&texels, wide(from), wide(to));
    if turned {
        std::mem::swap(&mut from, &mut to);
    }
    let mut bits = Bits::default();
    bits.push(1 << 6, 7);
    for channel in 0..4 {
        bits.push(from.0[channel] as u32, 7);
        bits.push(to.0[channel] as u32, 7);
    }
    bits.push(from.1, 1);
    bits.push(to.1, 1);
    bits.push_indices(indices);
    bits.value.to_le_bytes()
}

/// The same extension, mode 11: one line of half floats with ends of ten bits. The bits of a half float, sign apart, are the numbers
/// that are interpolated.
fn bptc_float(texels: [[u16; 3]; 16], signed: bool) -> [u8; 16] {
    // Infinities and NaN have no code: the largest number instead. Without a sign, negative numbers are zero.
    let number = |half: u16| {
        let magnitude = i32::from(half & 0x7FFF).min(0x7BFF);
        match (half & 0x8000 != 0, signed) {
            (false, _) => magnitude,
            (true, true) => -magnitude,
            (true, false) => 0,
        }
    };
    let texels = texels.map(|t| t.map(number));
    let quantize = |v: i32| {
        if signed {
            // Unquantized is about (q << 6), finished about v * 31 / 32.
            let q = ((v.abs() * 32 / 31) >> 6).min(511);
            if v < 0 { -q } else { q }
        } else {
            ((v * 64 / 31) >> 6).min(1023)
        }
    };
    let unquantize = |q: i32| {
        if signed {
            let magnitude = match q.abs() {
                0 => 0,
                m if m >= 511 => 0x7FFF,
                m => ((m << 15) + 0x4000) >> 9,
            };
            let finished = (magnitude * 31) >> 5;
            if q < 0 { -finished } else { finished }
        } else {
            let v = match q {
                0 => 0,
                1023 => 0xFFFF,
                q => ((q << 16) + 0x8000) >> 10,
            };
            (v * 31) >> 6
        }
    };
    let (a, b) = furthest_pair(&texels);
    let (mut from, mut to) = (texels[a].map(quantize), texels[b].map(quantize));
    let (indices, turned) = indices(&texels, from.map(unquantize), to.map(unquantize));
    if turned {
        std::mem::swap(&mut from, &mut to);
    }
    let mut bits = Bits::default();
    bits.push(3, 5);
    for end in [from, to] {
        for q in end {
            bits.push((q & 0x3FF) as u32, 10);
        }
    }
    bits.push_indices(indices);
    bits.value.to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pipe::pixels::Pitch;

    /// Encodes a ramp, decodes it with the library's decoder, returns the largest difference of a byte.
    fn round_trip(format: Format, texels: &[u8], extent: [u32; 3]) -> u8 {
        let encoded = encode(format, texels, extent).expect("a family that is offered");
        let [w, h, d] = extent;
        assert_eq!(
            Some(encoded.len() as u64),
            format.info().encoded_bytes(w, h, d)
        );
        let mut out = vec![0; texels.len()];
        block_decode::decode(
            format,
            &encoded,
            extent,
            &mut out,
            Pitch::tight(format, w, h),
        );
        out.iter()
            .zip(texels)
            .map(|(a, b)| a.abs_diff(*b))
            .max()
            .unwrap_or(0)
    }

    #[test]
    fn ramps_of_every_byte_family_come_back_near() {
        for (format, channels, most) in [
            (Format::CompressedRedRgtc1, 1, 9),
            (Format::CompressedSignedRedRgtc1, 1, 9),
            (Format::CompressedRgRgtc2, 2, 9),
            (Format::CompressedSignedRgRgtc2, 2, 9),
            (Format::CompressedRgbaBptcUnorm, 4, 5),
            (Format::CompressedRgbS3tcDxt1, 3, 24),
            (Format::CompressedRgbaS3tcDxt3, 4, 24),
            (Format::CompressedRgbaS3tcDxt5, 4, 24),
        ] {
            // Not whole blocks, two slices, values away from the signed wrap.
            let extent = [6, 5, 2];
            let texels: Vec<u8> = (0..60)
                .flat_map(|i| std::iter::repeat_n(i as u8 * 2, channels))
                .collect();
            let worst = round_trip(format, &texels, extent);
            assert!(worst <= most, "{format:?}: {worst}");
        }
    }

    #[test]
    fn half_floats_come_back_within_a_thirtieth() {
        for (format, sign) in [
            (Format::CompressedRgbBptcUnsignedFloat, 0u16),
            (Format::CompressedRgbBptcSignedFloat, 0x8000),
        ] {
            // 1.0 (0x3C00) up to nearly 2.0, every other texel of the signed ones negative.
            let halves: Vec<u16> = (0..16u16)
                .flat_map(|i| [(0x3C00 + 64 * i) | if i % 2 == 1 { sign } else { 0 }; 3])
                .collect();
            let texels: Vec<u8> = halves.iter().flat_map(|h| h.to_ne_bytes()).collect();
            let encoded = encode(format, &texels, [4, 4, 1]).expect("offered");
            let mut out = vec![0; texels.len()];
            let pitch = Pitch::tight(format, 4, 4);
            block_decode::decode(format, &encoded, [4, 4, 1], &mut out, pitch);
            for (got, want) in out.chunks(2).zip(&halves) {
                let got = u16::from_ne_bytes([got[0], got[1]]);
                assert_eq!(got & 0x8000, want & 0x8000, "{format:?}");
                let spread = if sign == 0 { 64 } else { 0x0C00 };
                assert!(
                    (got & 0x7FFF).abs_diff(want & 0x7FFF) <= spread,
                    "{format:?}: {got:#x} {want:#x}"
                );
            }
        }
    }
}
