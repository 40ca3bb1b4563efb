//! Texels on the CPU: any client layout to numbers and back, with the pack parameters. It knows no driver.

use pipe::pixels::{PixelFormat, PixelStore, PixelType, group_bytes};

/// One texel's numbers. Normalized types become floats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Texel {
    Float([f32; 4]),
    Int([i32; 4]),
    Uint([u32; 4]),
}

/// Which of R, G, B, A the elements of a group are, in order.
const fn components(format: PixelFormat) -> &'static [usize] {
    use PixelFormat as P;
    match format {
        P::Red | P::RedInteger | P::Luminance | P::DepthComponent | P::StencilIndex => &[0],
        P::Green | P::GreenInteger => &[1],
        P::Blue | P::BlueInteger => &[2],
        P::Alpha | P::AlphaInteger => &[3],
        P::Rg | P::RgInteger | P::DepthStencil => &[0, 1],
        P::LuminanceAlpha => &[0, 3],
        P::Rgb | P::RgbInteger => &[0, 1, 2],
        P::Bgr | P::BgrInteger => &[2, 1, 0],
        P::Rgba | P::RgbaInteger => &[0, 1, 2, 3],
        P::Bgra | P::BgraInteger => &[2, 1, 0, 3],
    }
}

/// Fields of a packed type as (shift, bits), first component first (GL 4.6 table 8.6); `None` for others.
const fn fields(ty: PixelType) -> Option<&'static [(u32, u32)]> {
    use PixelType as T;
    Some(match ty {
        T::UnsignedByte332 => &[(5, 3), (2, 3), (0, 2)],
        T::UnsignedByte233Rev => &[(0, 3), (3, 3), (6, 2)],
        T::UnsignedShort565 => &[(11, 5), (5, 6), (0, 5)],
        T::UnsignedShort565Rev => &[(0, 5), (5, 6), (11, 5)],
        T::UnsignedShort4444 => &[(12, 4), (8, 4), (4, 4), (0, 4)],
        T::UnsignedShort4444Rev => &[(0, 4), (4, 4), (8, 4), (12, 4)],
        T::UnsignedShort5551 => &[(11, 5), (6, 5), (1, 5), (0, 1)],
        T::UnsignedShort1555Rev => &[(0, 5), (5, 5), (10, 5), (15, 1)],
        T::UnsignedInt8888 => &[(24, 8), (16, 8), (8, 8), (0, 8)],
        T::UnsignedInt8888Rev => &[(0, 8), (8, 8), (16, 8), (24, 8)],
        T::UnsignedInt1010102 => &[(22, 10), (12, 10), (2, 10), (0, 2)],
        T::UnsignedInt2101010Rev => &[(0, 10), (10, 10), (20, 10), (30, 2)],
        T::Byte
        | T::UnsignedByte
        | T::Short
        | T::UnsignedShort
        | T::Int
        | T::UnsignedInt
        | T::Float
        | T::HalfFloat
        | T::UnsignedInt248
        | T::UnsignedInt10f11f11fRev
        | T::UnsignedInt5999Rev
        | T::Float32UnsignedInt248Rev => return None,
    })
}

fn max_of(bits: u32) -> u32 {
    u32::MAX >> (32 - bits)
}

fn word(bytes: &[u8]) -> u32 {
    match *bytes {
        [a] => u32::from(a),
        [a, b] => u32::from(u16::from_ne_bytes([a, b])),
        [a, b, c, d, ..] => u32::from_ne_bytes([a, b, c, d]),
        _ => 0,
    }
}

fn put(out: &mut [u8], value: u32) {
    match out {
        [a] => *a = value as u8,
        [a, b] => [*a, *b] = (value as u16).to_ne_bytes(),
        _ => out[..4].copy_from_slice(&value.to_ne_bytes()),
    }
}

/// Reads one group. Components that the format lacks are 0, alpha 1.
pub fn decode(format: PixelFormat, ty: PixelType, bytes: &[u8]) -> Texel {
    use PixelType as T;
    let which = components(format);
    if format.is_integer() || format == PixelFormat::StencilIndex {
        let mut signed = [0_i32, 0, 0, 1];
        let size = ty.element_bytes() as usize;
        for (i, c) in which.iter().enumerate() {
            signed[*c] = match fields(ty) {
                Some(fields) => (word(bytes) >> fields[i].0 & max_of(fields[i].1)) as i32,
                None => {
                    let raw = word(&bytes[i * size..(i + 1) * size]);
                    match ty {
                        T::Byte => i32::from(raw as i8),
                        T::Short => i32::from(raw as i16),
                        T::Float => f32::from_bits(raw) as i32,
                        _ => raw as i32,
                    }
                }
            };
        }
        return match ty {
            T::Byte | T::Short | T::Int => Texel::Int(signed),
            _ => Texel::Uint(signed.map(|v| v as u32)),
        };
    }
    let mut rgba = [0.0, 0.0, 0.0, 1.0];
    match ty {
        T::UnsignedInt10f11f11fRev => {
            let v = word(bytes);
            rgba[0] = small_float(v & 0x7FF, 6);
            rgba[1] = small_float(v >> 11 & 0x7FF, 6);
            rgba[2] = small_float(v >> 22, 5);
        }
        T::UnsignedInt5999Rev => {
            // GL 4.6 §8.5.2: value = mantissa * 2^(exponent - bias - mantissa bits), bias 15, 9 mantissa bits.
            let v = word(bytes);
            let scale = 2.0_f32.powi((v >> 27) as i32 - 24);
            for (i, c) in rgba[..3].iter_mut().enumerate() {
                *c = (v >> (9 * i) & 0x1FF) as f32 * scale;
            }
        }
        T::UnsignedInt248 => {
            let v = word(bytes);
            rgba[0] = (f64::from(v >> 8) / 16_777_215.0) as f32;
            rgba[1] = (v & 0xFF) as f32;
        }
        T::Float32UnsignedInt248Rev => {
            rgba[0] = f32::from_bits(word(bytes));
            rgba[1] = (word(&bytes[4..]) & 0xFF) as f32;
        }
        _ => {
            let size = ty.element_bytes() as usize;
            for (i, c) in which.iter().enumerate() {
                rgba[*c] = match fields(ty) {
                    Some(fields) => {
                        let (shift, bits) = fields[i];
                        (word(bytes) >> shift & max_of(bits)) as f32 / max_of(bits) as f32
                    }
                    None => element_to_float(ty, word(&bytes[i * size..(i + 1) * size])),
                };
            }
        }
    }
    if matches!(format, PixelFormat::Luminance | PixelFormat::LuminanceAlpha) {
        rgba[1] = rgba[0];
        rgba[2] = rgba[0];
    }
    Texel::Float(rgba)
}

/// GL 4.6 §2.3.5: fixed point to float.
fn element_to_float(ty: PixelType, raw: u32) -> f32 {
    use PixelType as T;
    match ty {
        T::Byte => (f32::from(raw as i8) / 127.0).max(-1.0),
        T::UnsignedByte => raw as f32 / 255.0,
        T::Short => (f32::from(raw as i16) / 32767.0).max(-1.0),
        T::UnsignedShort => raw as f32 / 65535.0,
        T::Int => (f64::from(raw as i32) / f64::from(i32::MAX)).max(-1.0) as f32,
        T::UnsignedInt => (f64::from(raw) / f64::from(u32::MAX)) as f32,
        T::HalfFloat => half_to_float(raw as u16),
        _ => f32::from_bits(raw),
    }
}

/// GL 4.6 §2.3.5: float to fixed point, clamped and rounded.
fn float_to_element(ty: PixelType, value: f32) -> u32 {
    use PixelType as T;
    let value64 = f64::from(value);
    let signed = |max: f64| (value64.clamp(-1.0, 1.0) * max).round_ties_even() as i32 as u32;
    let unsigned = |max: f64| (value64.clamp(0.0, 1.0) * max).round_ties_even() as u32;
    match ty {
        T::Byte => signed(127.0),
        T::UnsignedByte => unsigned(255.0),
        T::Short => signed(32767.0),
        T::UnsignedShort => unsigned(65535.0),
        T::Int => signed(f64::from(i32::MAX)),
        T::UnsignedInt => unsigned(f64::from(u32::MAX)),
        T::HalfFloat => u32::from(float_to_half(value)),
        _ => value.to_bits(),
    }
}

/// Writes one group.
pub fn encode(texel: Texel, format: PixelFormat, ty: PixelType, out: &mut [u8]) {
    use PixelType as T;
    let which = components(format);
    let size = ty.element_bytes() as usize;
    match texel {
        Texel::Float(rgba) => match ty {
            T::UnsignedInt10f11f11fRev => {
                let v = to_small_float(rgba[0], 6)
                    | to_small_float(rgba[1], 6) << 11
                    | to_small_float(rgba[2], 5) << 22;
                put(out, v);
            }
            T::UnsignedInt5999Rev => put(out, to_shared_exponent(rgba)),
            T::UnsignedInt248 => {
                let depth = (f64::from(rgba[0].clamp(0.0, 1.0)) * 16_777_215.0).round() as u32;
                put(out, depth << 8 | rgba[1] as u32 & 0xFF);
            }
            T::Float32UnsignedInt248Rev => {
                put(out, rgba[0].to_bits());
                put(&mut out[4..], rgba[1] as u32 & 0xFF);
            }
            _ => match fields(ty) {
                Some(fields) => {
                    let mut v = 0;
                    for ((shift, bits), c) in fields.iter().zip(which) {
                        let max = f64::from(max_of(*bits));
                        let field = f64::from(rgba[*c].clamp(0.0, 1.0)) * max;
                        v |= (field.round_ties_even() as u32) << shift;
                    }
                    put(out, v);
                }
                None => {
                    for (i, c) in which.iter().enumerate() {
                        put(
                            &mut out[i * size..(i + 1) * size],
                            float_to_element(ty, rgba[*c]),
                        );
                    }
                }
            },
        },
        Texel::Int(v) => put_integers(v.map(i64::from), format, ty, out),
        Texel::Uint(v) => put_integers(v.map(i64::from), format, ty, out),
    }
}

/// GL 4.6 §18.2.8: integers are clamped to the range of the type.
fn put_integers(v: [i64; 4], format: PixelFormat, ty: PixelType, out: &mut [u8]) {
    use PixelType as T;
    let which = components(format);
    if let Some(fields) = fields(ty) {
        let mut packed = 0;
        for ((shift, bits), c) in fields.iter().zip(which) {
            packed |= (v[*c].clamp(0, i64::from(max_of(*bits))) as u32) << shift;
        }
        put(out, packed);
        return;
    }
    let size = ty.element_bytes() as usize;
    for (i, c) in which.iter().enumerate() {
        let element = match ty {
            T::Byte => v[*c].clamp(-128, 127) as u32,
            T::UnsignedByte => v[*c].clamp(0, 255) as u32,
            T::Short => v[*c].clamp(-32768, 32767) as u32,
            T::UnsignedShort => v[*c].clamp(0, 65535) as u32,
            T::Int => v[*c].clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as u32,
            T::Float => (v[*c] as f32).to_bits(),
            T::HalfFloat => u32::from(float_to_half(v[*c] as f32)),
            _ => v[*c].clamp(0, i64::from(u32::MAX)) as u32,
        };
        put(&mut out[i * size..(i + 1) * size], element);
    }
}

/// Binary16 to binary32.
pub fn half_to_float(half: u16) -> f32 {
    let sign = u32::from(half >> 15) << 31;
    let magnitude = small_float(u32::from(half & 0x7FFF), 10);
    f32::from_bits(magnitude.to_bits() | sign)
}

/// An unsigned float of 5 exponent bits (bias 15) and `mantissa` bits (GL 4.6 §2.3.4).
fn small_float(bits: u32, mantissa: u32) -> f32 {
    let exponent = bits >> mantissa & 31;
    let fraction = bits & max_of(mantissa);
    match exponent {
        0 => fraction as f32 * 2.0_f32.powi(-14 - mantissa as i32),
        31 if fraction == 0 => f32::INFINITY,
        31 => f32::NAN,
        _ => f32::from_bits((exponent + 112) << 23 | fraction << (23 - mantissa)),
    }
}

/// Binary32 to binary16, rounded to nearest even.
pub fn float_to_half(value: f32) -> u16 {
    let sign = ((value.to_bits() >> 31) as u16) << 15;
    sign | to_small_float(value.abs(), 10) as u16
}

fn to_small_float(value: f32, mantissa: u32) -> u32 {
    let infinity = 31 << mantissa;
    if value.is_nan() {
        return infinity | 1;
    }
    if value <= 0.0 {
        return 0;
    }
    let bits = value.to_bits();
    let exponent = (bits >> 23) as i32 - 112;
    if exponent >= 31 {
        // Packing 10F and 11F: values too large become the largest finite one, infinity stays (GL 4.6 §2.3.4.3).
        return if value.is_infinite() || mantissa == 10 {
            infinity
        } else {
            infinity - 1
        };
    }
    let full = bits & 0x7F_FFFF | 0x80_0000;
    let (base, drop) = if exponent <= 0 {
        (0, 23 - mantissa as i32 + 1 - exponent)
    } else {
        ((exponent as u32 - 1) << mantissa, 23 - mantissa as i32)
    };
    if drop > 24 {
        return 0;
    }
    let (kept, rest, half) = (full >> drop, full & ((1 << drop) - 1), 1_u32 << (drop - 1));
    let round = u32::from(rest > half || rest == half && kept & 1 == 1);
    // A normal number's implied bit adds one to the exponent field; a carry out of the fraction does the right thing.
    (base + kept + round).min(infinity)
}

/// GL 4.6 §8.5.2, "Encoding of special internal formats": RGB9_E5.
fn to_shared_exponent(rgba: [f32; 4]) -> u32 {
    const MAX: f32 = 65408.0;
    let clamp = |v: f32| if v.is_nan() { 0.0 } else { v.clamp(0.0, MAX) };
    let rgb = [clamp(rgba[0]), clamp(rgba[1]), clamp(rgba[2])];
    let max = rgb[0].max(rgb[1]).max(rgb[2]);
    let preliminary = (max.max(f32::MIN_POSITIVE).log2().floor() as i32).max(-16) + 16;
    let scale = |e: i32| 2.0_f32.powi(e - 24);
    let rounded = (max / scale(preliminary) + 0.5).floor();
    let exponent = if rounded >= 512.0 {
        preliminary + 1
    } else {
        preliminary
    };
    let field = |v: f32| ((v / scale(exponent) + 0.5).floor() as u32).min(511);
    field(rgb[0]) | field(rgb[1]) << 9 | field(rgb[2]) << 18 | (exponent as u32) << 27
}

/// Converts `count` tight groups from one layout to another.
pub fn convert(
    src: &[u8],
    from: (PixelFormat, PixelType),
    to: (PixelFormat, PixelType),
    out: &mut Vec<u8>,
) {
    let (a, b) = (
        group_bytes(from.0, from.1) as usize,
        group_bytes(to.0, to.1) as usize,
    );
    let start = out.len();
    out.resize(start + src.len() / a * b, 0);
    for (group, dst) in src.chunks_exact(a).zip(out[start..].chunks_exact_mut(b)) {
        encode(decode(from.0, from.1, group), to.0, to.1, dst);
    }
}

/// Where a packed image lies in the destination (GL 4.6 §18.2.9 and §8.4.4.1), in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackLayout {
    pub start: usize,
    pub row_stride: usize,
    pub image_stride: usize,
    pub group: usize,
}

impl PackLayout {
    /// Of an image of this size.
    pub fn new(store: &PixelStore, format: PixelFormat, ty: PixelType, w: u32, h: u32) -> Self {
        let group = group_bytes(format, ty) as usize;
        let element = ty.element_bytes() as usize;
        let row_groups = if store.row_length != 0 {
            store.row_length
        } else {
            w
        } as usize;
        let rows = if store.image_height != 0 {
            store.image_height
        } else {
            h
        } as usize;
        let alignment = store.alignment.max(1) as usize;
        let mut row_stride = row_groups * group;
        // "If s >= a, k = nl; else k = a/s * ceil(snl/a)": rows start at multiples of the alignment.
        if element < alignment {
            row_stride = row_stride.next_multiple_of(alignment);
        }
        let image_stride = row_stride * rows;
        Self {
            start: store.skip_images as usize * image_stride
                + store.skip_rows as usize * row_stride
                + store.skip_pixels as usize * group,
            row_stride,
            image_stride,
            group,
        }
    }

    /// One past the last byte that an image of this size touches.
    pub fn end(&self, w: u32, h: u32, d: u32) -> usize {
        if w == 0 || h == 0 || d == 0 {
            return self.start;
        }
        self.start
            + (d as usize - 1) * self.image_stride
            + (h as usize - 1) * self.row_stride
            + w as usize * self.group
    }
}

/// Packs tight groups of `from` into `out` as the pack parameters say. `out` starts where the parameters count from.
pub fn pack(
    src: &[u8],
    from: (PixelFormat, PixelType),
    (w, h, d): (u32, u32, u32),
    to: (PixelFormat, PixelType),
    store: &PixelStore,
    out: &mut [u8],
) {
    let layout = PackLayout::new(store, to.0, to.1, w, h);
    let src_group = group_bytes(from.0, from.1) as usize;
    let src_row = src_group * w as usize;
    if src_row == 0 {
        return;
    }
    let unit = to.1.swap_bytes_unit() as usize;
    for (i, row) in src.chunks_exact(src_row).take((h * d) as usize).enumerate() {
        let (z, y) = (i / h as usize, i % h as usize);
        let at = layout.start + z * layout.image_stride + y * layout.row_stride;
        let Some(dst) = out.get_mut(at..at + w as usize * layout.group) else {
            return;
        };
        if from == to {
            dst.copy_from_slice(row);
        } else {
            for (group, dst) in row
                .chunks_exact(src_group)
                .zip(dst.chunks_exact_mut(layout.group))
            {
                encode(decode(from.0, from.1, group), to.0, to.1, dst);
            }
        }
        if store.swap_bytes != 0 && unit > 1 {
            dst.chunks_exact_mut(unit).for_each(<[u8]>::reverse);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PixelFormat as P;
    use PixelType as T;

    // IEEE 754 binary16.
    #[test]
    fn half_of_known_values_is_exact() {
        for (float, half) in [
            (1.0, 0x3C00),
            (-2.0, 0xC000),
            (65504.0, 0x7BFF),
            (65536.0, 0x7C00),
            (5.960_464_5e-8, 0x0001),
            (0.0, 0),
        ] {
            assert_eq!(float_to_half(float), half, "{float}");
        }
        for half in 0..0x7C00_u16 {
            assert_eq!(float_to_half(half_to_float(half)), half);
        }
    }

    // GL 4.6 §2.3.4.3 and §8.5.2.
    #[test]
    fn shared_exponent_of_one_is_256_times_two_to_minus_eight() {
        let mut out = [0; 4];
        encode(
            Texel::Float([1.0, 0.5, 0.0, 1.0]),
            P::Rgb,
            T::UnsignedInt5999Rev,
            &mut out,
        );
        assert_eq!(u32::from_ne_bytes(out), 16 << 27 | 128 << 9 | 256);
        assert_eq!(
            decode(P::Rgb, T::UnsignedInt5999Rev, &out),
            Texel::Float([1.0, 0.5, 0.0, 1.0])
        );
    }

    #[test]
    fn bgra_pack_swaps_red_and_blue() {
        let mut out = [0; 4];
        pack(
            &[1, 2, 3, 4],
            (P::Rgba, T::UnsignedByte),
            (1, 1, 1),
            (P::Bgra, T::UnsignedByte),
            &PixelStore::default(),
            &mut out,
        );
        assert_eq!(out, [3, 2, 1, 4]);
    }

    // GL 4.6 §8.4.4.1: three one-byte components, width 1, alignment 4: rows are 4 bytes apart.
    #[test]
    fn pack_layout_of_rgb_bytes_aligns_rows() {
        let layout = PackLayout::new(&PixelStore::default(), P::Rgb, T::UnsignedByte, 1, 2);
        assert_eq!((layout.row_stride, layout.end(1, 2, 1)), (4, 7));
    }

    #[test]
    fn integers_out_of_range_are_clamped() {
        let mut out = [0; 2];
        encode(
            Texel::Int([-5, 300, 0, 0]),
            P::RgInteger,
            T::UnsignedByte,
            &mut out,
        );
        assert_eq!(out, [0, 255]);
    }
}
