//! Number formats of the specification as bit patterns, through `f64`; knows no pixel layout.
//!
//! `f64` holds every component of GL exactly (32-bit integers and 32-bit fixed point included), so that one texel type serves
//! all conversions and rounding happens once, at the end.

/// Unsigned normalized to real: GL 4.6 core §2.3.5.1, `f = c / (2^b - 1)`.
#[inline]
pub fn unorm_to_real(value: u32, bits: u32) -> f64 {
    f64::from(value) / unorm_max(bits)
}

/// Real to unsigned normalized: GL 4.6 core §2.3.5.2, clamp to [0, 1], multiply by `2^b - 1`, round to nearest.
/// NaN gives 0.
#[inline]
pub fn real_to_unorm(value: f64, bits: u32) -> u32 {
    (value.clamp(0.0, 1.0) * unorm_max(bits) + 0.5) as u32
}

/// Signed normalized to real: GL 4.6 core §2.3.5.1, `f = max(c / (2^(b-1) - 1), -1)`.
#[inline]
pub fn snorm_to_real(value: i32, bits: u32) -> f64 {
    (f64::from(value) / unorm_max(bits - 1)).max(-1.0)
}

/// Real to signed normalized: GL 4.6 core §2.3.5.2, clamp to [-1, 1], multiply by `2^(b-1) - 1`, round to nearest.
/// NaN gives 0.
#[inline]
pub fn real_to_snorm(value: f64, bits: u32) -> i32 {
    (value.clamp(-1.0, 1.0) * unorm_max(bits - 1)).round() as i32
}

/// 16-bit float to real: GL 4.6 core §2.3.4.2.
pub fn f16_to_real(bits: u16) -> f64 {
    let magnitude = small_float_to_real(u32::from(bits & 0x7FFF), 10);
    if bits & 0x8000 != 0 {
        -magnitude
    } else {
        magnitude
    }
}

/// Real to 16-bit float, to nearest even; what is too large becomes infinity.
pub fn real_to_f16(value: f64) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    sign | real_to_small_float(value.abs(), 10, 0x1F << 10) as u16
}

/// Unsigned 11-bit float to real: GL 4.6 core §2.3.4.3.
pub fn f11_to_real(bits: u32) -> f64 {
    small_float_to_real(bits & 0x7FF, 6)
}

/// Real to unsigned 11-bit float: negative values give 0, finite values that are too large the largest finite one.
pub fn real_to_f11(value: f64) -> u32 {
    real_to_small_float(no_negative(value), 6, (0x1F << 6) - 1)
}

/// Unsigned 10-bit float to real: GL 4.6 core §2.3.4.4.
pub fn f10_to_real(bits: u32) -> f64 {
    small_float_to_real(bits & 0x3FF, 5)
}

/// Real to unsigned 10-bit float, with the rules of [`real_to_f11`].
pub fn real_to_f10(value: f64) -> u32 {
    real_to_small_float(no_negative(value), 5, (0x1F << 5) - 1)
}

/// Shared-exponent RGB to reals: GL 4.6 core §8.25, "Shared Exponent Texture Color Conversion".
pub fn rgb9e5_to_real(bits: u32) -> [f64; 3] {
    let scale = exp2((bits >> 27) as i32 - 15 - 9);
    [0, 9, 18].map(|shift| f64::from((bits >> shift) & 0x1FF) * scale)
}

/// Reals to shared-exponent RGB: GL 4.6 core §8.5.2, "Encoding of Special Internal Formats" (N = 9, B = 15, Emax = 31).
pub fn real_to_rgb9e5(rgb: [f64; 3]) -> u32 {
    const BIAS: i32 = 15;
    const MANTISSA_BITS: i32 = 9;
    // sharedexp_max = (2^N - 1) / 2^N * 2^(Emax - B)
    const LARGEST: f64 = 511.0 / 512.0 * 65536.0;
    // NaN is not greater than 0.
    let clamped = rgb.map(|c| if c > 0.0 { c.min(LARGEST) } else { 0.0 });
    let largest = clamped[0].max(clamped[1]).max(clamped[2]);
    let preliminary = (floor_log2(largest)).max(-BIAS - 1) + 1 + BIAS;
    let quantize = |c: f64, exponent: i32| (c / exp2(exponent - BIAS - MANTISSA_BITS) + 0.5) as u32;
    let exponent = if quantize(largest, preliminary) == 1 << MANTISSA_BITS {
        preliminary + 1
    } else {
        preliminary
    };
    let [r, g, b] = clamped.map(|c| quantize(c, exponent));
    r | g << 9 | b << 18 | (exponent as u32) << 27
}

#[inline]
fn unorm_max(bits: u32) -> f64 {
    ((1u64 << bits) - 1) as f64
}

fn no_negative(value: f64) -> f64 {
    if value < 0.0 { 0.0 } else { value }
}

/// 2^exponent for exponents of normal doubles.
fn exp2(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// floor(log2(value)) of a finite value >= 0; very small for 0.
fn floor_log2(value: f64) -> i32 {
    ((value.to_bits() >> 52) & 0x7FF) as i32 - 1023
}

/// A float of 5 exponent bits (bias 15) and `mantissa` bits, without sign.
fn small_float_to_real(bits: u32, mantissa: u32) -> f64 {
    let fraction = f64::from(bits & ((1 << mantissa) - 1));
    let exponent = (bits >> mantissa) as i32;
    match exponent {
        0 => fraction * exp2(-14 - mantissa as i32),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction * exp2(-(mantissa as i32))) * exp2(exponent - 15),
    }
}

/// The inverse for values without sign; `overflow` stands for finite values that round past the largest.
fn real_to_small_float(value: f64, mantissa: u32, overflow: u32) -> u32 {
    let infinity = 0x1F << mantissa;
    if value.is_nan() {
        return infinity | 1 << (mantissa - 1);
    }
    if value.is_infinite() {
        return infinity;
    }
    let exponent = floor_log2(value).max(-14);
    if exponent > 15 {
        return overflow;
    }
    // The leading 1 of a normal number is added into the exponent field, as is a carry of the rounding; denormals lack it.
    let scaled = (value * exp2(mantissa as i32 - exponent)).round_ties_even() as u32;
    let bits = (((exponent + 14) as u32) << mantissa) + scaled;
    if bits >= infinity { overflow } else { bits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unorm_of_halves_rounds_to_nearest() {
        assert_eq!(real_to_unorm(0.5, 8), 128);
        assert_eq!(real_to_unorm(1.0, 32), u32::MAX);
        assert_eq!(real_to_unorm(-3.0, 8), 0);
        assert_eq!(real_to_unorm(7.0, 5), 31);
        assert_eq!(real_to_unorm(f64::NAN, 16), 0);
        assert_eq!(unorm_to_real(1, 1), 1.0);
    }

    #[test]
    fn snorm_has_two_codes_for_minus_one() {
        assert_eq!(snorm_to_real(-128, 8), -1.0);
        assert_eq!(snorm_to_real(-127, 8), -1.0);
        assert_eq!(snorm_to_real(0, 8), 0.0);
        assert_eq!(real_to_snorm(-1.0, 8), -127);
        assert_eq!(real_to_snorm(-2.0, 16), -32767);
        assert_eq!(real_to_snorm(1.0, 32), i32::MAX);
    }

    #[test]
    fn f16_of_known_values_has_known_bits() {
        for (value, bits) in [
            (0.0, 0x0000),
            (-0.0, 0x8000),
            (1.0, 0x3C00),
            (-2.0, 0xC000),
            (65504.0, 0x7BFF),
            (65519.9, 0x7BFF),
            (65520.0, 0x7C00),
            (f64::NEG_INFINITY, 0xFC00),
            (exp2(-14), 0x0400),
            (exp2(-24), 0x0001),
            (exp2(-25), 0x0000), // a tie: to even
            (1.0 / 3.0, 0x3555),
        ] {
            assert_eq!(real_to_f16(value), bits, "{value}");
        }
        assert!(f16_to_real(real_to_f16(f64::NAN)).is_nan());
    }

    #[test]
    fn f16_of_every_code_round_trips() {
        for bits in 0..=u16::MAX {
            let value = f16_to_real(bits);
            assert!(value.is_nan() || real_to_f16(value) == bits, "{bits:04X}");
        }
    }

    #[test]
    fn f11_and_f10_of_every_code_round_trip() {
        for bits in 0..1 << 11 {
            let value = f11_to_real(bits);
            assert!(value.is_nan() || real_to_f11(value) == bits, "{bits:03X}");
        }
        for bits in 0..1 << 10 {
            let value = f10_to_real(bits);
            assert!(value.is_nan() || real_to_f10(value) == bits, "{bits:03X}");
        }
    }

    // GL 4.6 core §2.3.4.3 and §2.3.4.4: the largest finite values are 65024 and 64512.
    #[test]
    fn f11_and_f10_of_edge_values_clamp() {
        assert_eq!(f11_to_real(real_to_f11(1e9)), 65024.0);
        assert_eq!(f10_to_real(real_to_f10(1e9)), 64512.0);
        assert_eq!(real_to_f11(-1.0), 0);
        assert_eq!(real_to_f11(f64::NEG_INFINITY), 0);
        assert_eq!(real_to_f11(f64::INFINITY), 0x7C0);
        assert!(f10_to_real(real_to_f10(f64::NAN)).is_nan());
    }

    // Worked by hand from the formulas of GL 4.6 core §8.5.2.
    #[test]
    fn rgb9e5_of_known_values_follows_the_formula() {
        // largest = 1: exp_p = 0 + 1 + 15 = 16, scale 2^-8: 1.0 -> 256, 0.5 -> 128.
        assert_eq!(real_to_rgb9e5([1.0, 0.5, 0.0]), 16 << 27 | 128 << 9 | 256);
        // largest = 1.999: exp_p = 16, 1.999 * 256 + 0.5 = 512: the exponent rises, 1.999 * 128 + 0.5 -> 256.
        assert_eq!(real_to_rgb9e5([1.999, 0.0, 0.0]), 17 << 27 | 256);
        assert_eq!(
            rgb9e5_to_real(real_to_rgb9e5([1e9, -1.0, f64::NAN])),
            [65408.0, 0.0, 0.0]
        );
        assert_eq!(real_to_rgb9e5([0.0; 3]), 0);
    }
}
