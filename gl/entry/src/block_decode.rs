//! Block compressed images (S3TC, RGTC, BPTC) into the canonical storage of their stand-in. It checks no arguments of the application's.
//!
//! Compressed bytes never cross the seam, so every device can show every family; what was given stays with the image for
//! glGetCompressedTexImage. The blocks themselves are decoded by `bcdec_rs`.

use pipe::Format;
use pipe::pixels::Pitch;

/// Texels of a block side; every family here has blocks of 4 x 4.
const SIDE: usize = 4;

/// How one block becomes texels of the stand-in's storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    /// DXT1; the flag: alpha is kept.
    Bc1(bool),
    Bc2,
    Bc3,
    /// The flag: signed.
    Bc4(bool),
    Bc5(bool),
    Bc6h(bool),
    Bc7,
}

fn family(format: Format) -> Option<Family> {
    use Format as F;
    Some(match format {
        F::CompressedRgbS3tcDxt1 | F::CompressedSrgbS3tcDxt1 => Family::Bc1(false),
        F::CompressedRgbaS3tcDxt1 | F::CompressedSrgbAlphaS3tcDxt1 => Family::Bc1(true),
        F::CompressedRgbaS3tcDxt3 | F::CompressedSrgbAlphaS3tcDxt3 => Family::Bc2,
        F::CompressedRgbaS3tcDxt5 | F::CompressedSrgbAlphaS3tcDxt5 => Family::Bc3,
        F::CompressedRedRgtc1 => Family::Bc4(false),
        F::CompressedSignedRedRgtc1 => Family::Bc4(true),
        F::CompressedRgRgtc2 => Family::Bc5(false),
        F::CompressedSignedRgRgtc2 => Family::Bc5(true),
        F::CompressedRgbBptcUnsignedFloat => Family::Bc6h(false),
        F::CompressedRgbBptcSignedFloat => Family::Bc6h(true),
        F::CompressedRgbaBptcUnorm | F::CompressedSrgbAlphaBptcUnorm => Family::Bc7,
        // Uncompressed, or a family that contexts do not offer (ETC2, EAC, ASTC).
        _ => return None,
    })
}

/// Whether images of this format can be given compressed.
pub fn is_decodable(format: Format) -> bool {
    family(format).is_some()
}

/// Whether a format's images may be three-dimensional: BPTC alone (GL 4.6 §8.7: RGTC and S3TC are two-dimensional).
pub fn has_volumes(format: Format) -> bool {
    matches!(family(format), Some(Family::Bc6h(_) | Family::Bc7))
}

/// Sixteen texels of one block, tight, in the stand-in's storage.
fn decode_block(family: Family, block: &[u8], texels: &mut [u8]) {
    let mut rgba = [0u8; 64];
    match family {
        Family::Bc1(keeps_alpha) => {
            bcdec_rs::bc1(block, &mut rgba, 16);
            if keeps_alpha {
                texels.copy_from_slice(&rgba);
            } else {
                for (to, from) in texels.chunks_exact_mut(3).zip(rgba.chunks_exact(4)) {
                    to.copy_from_slice(&from[..3]);
                }
            }
        }
        Family::Bc2 => bcdec_rs::bc2(block, texels, 16),
        Family::Bc3 => bcdec_rs::bc3(block, texels, 16),
        Family::Bc4(signed) => bcdec_rs::bc4(block, texels, SIDE, signed),
        Family::Bc5(signed) => bcdec_rs::bc5(block, texels, 2 * SIDE, signed),
        Family::Bc6h(signed) => {
            let mut halves = [0u16; 48];
            bcdec_rs::bc6h_half(block, &mut halves, 3 * SIDE, signed);
            for (to, half) in texels.chunks_exact_mut(2).zip(halves) {
                to.copy_from_slice(&half.to_ne_bytes());
            }
        }
        Family::Bc7 => bcdec_rs::bc7(block, texels, 16),
    }
}

/// Decodes `width` x `height` x `depth` texels: `encoded` is their blocks, rows of blocks from the first texel on; `out` begins at the
/// region's first texel in an image of this pitch. Blocks may reach over the region's edge; what lies outside is dropped.
///
/// # Panics
/// If [`is_decodable`] is false, or a slice is too short: the caller has checked both.
pub fn decode(
    format: Format,
    encoded: &[u8],
    [width, height, depth]: [u32; 3],
    out: &mut [u8],
    pitch: Pitch,
) {
    let family = family(format).expect("the caller asked is_decodable");
    let info = format.info();
    let (texel, block_bytes) = (
        usize::from(info.storage.bytes),
        usize::from(info.block.bytes),
    );
    let (width, height) = (width as usize, height as usize);
    let mut texels = [0u8; 16 * 8];
    let texels = &mut texels[..16 * texel];
    let mut blocks = encoded.chunks_exact(block_bytes);
    for slice in 0..depth as usize {
        for y in (0..height).step_by(SIDE) {
            for x in (0..width).step_by(SIDE) {
                let block = blocks.next().expect("the caller counted the blocks");
                decode_block(family, block, texels);
                let bytes = SIDE.min(width - x) * texel;
                for row in 0..SIDE.min(height - y) {
                    let to =
                        slice * pitch.image as usize + (y + row) * pitch.row as usize + x * texel;
                    let from = row * SIDE * texel;
                    out[to..to + bytes].copy_from_slice(&texels[from..from + bytes]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(format: Format, encoded: &[u8], width: u32, height: u32) -> Vec<u8> {
        let pitch = Pitch::tight(format, width, height);
        let mut out = vec![0xEE; (pitch.image) as usize];
        decode(format, encoded, [width, height, 1], &mut out, pitch);
        out
    }

    // EXT_texture_compression_s3tc: color0 > color1 interpolates at thirds; 3 is 1/3 color0 + 2/3 color1.
    #[test]
    fn dxt1_block_of_four_codes_gives_its_ramp() {
        // color0 red (0xF800), color1 blue (0x001F); each row holds codes 0, 1, 2, 3.
        let block = [0x00, 0xF8, 0x1F, 0x00, 0xE4, 0xE4, 0xE4, 0xE4];
        let row = &decoded(Format::CompressedRgbS3tcDxt1, &block, 4, 4)[..12];
        let expected = [255, 0, 0, 0, 0, 255, 170, 0, 85, 85, 0, 170];
        assert!(
            row.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 1),
            "{row:?}"
        );
    }

    // The same extension: color0 <= color1 makes code 3 black; transparent in the RGBA format only.
    #[test]
    fn dxt1_code_three_of_the_other_order_is_black_and_transparent_with_alpha() {
        let block = [0x1F, 0x00, 0x00, 0xF8, 0xFF, 0xFF, 0xFF, 0xFF];
        let rgba = decoded(Format::CompressedRgbaS3tcDxt1, &block, 4, 4);
        assert!(rgba.iter().all(|b| *b == 0));
        let rgb = decoded(Format::CompressedRgbS3tcDxt1, &block, 4, 4);
        assert_eq!((rgb.len(), rgb.iter().any(|b| *b != 0)), (48, false));
    }

    // ARB_texture_compression_rgtc: red0 > red1; code 2 is (6 red0 + red1) / 7. Signed: two's complement.
    #[test]
    fn rgtc1_codes_give_the_eight_value_ramp() {
        let codes = 0o0000000000000210u64.to_le_bytes();
        let mut block = [210, 70, 0, 0, 0, 0, 0, 0];
        block[2..].copy_from_slice(&codes[..6]);
        assert_eq!(
            decoded(Format::CompressedRedRgtc1, &block, 4, 4)[..4],
            [210, 70, 190, 210]
        );
        block[..2].copy_from_slice(&[70, (-70i8) as u8]);
        assert_eq!(
            decoded(Format::CompressedSignedRedRgtc1, &block, 4, 4)[..4],
            [70, (-70i8) as u8, 50, 70]
        );
    }

    #[test]
    fn blocks_at_the_edge_are_cut() {
        let red = [0x00, 0xF8, 0x00, 0xF8, 0, 0, 0, 0];
        let blue = [0x1F, 0x00, 0x1F, 0x00, 0, 0, 0, 0];
        let out = decoded(Format::CompressedRgbS3tcDxt1, &[red, blue].concat(), 5, 1);
        assert_eq!(out, [255, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 0, 255]);
    }
}
