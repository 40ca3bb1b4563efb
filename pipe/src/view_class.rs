//! Which formats may show each other's texels: view classes and copies of images. Facts of the specification, never of a device.

use crate::formats::{Format, FormatClass, FormatFlags};

/// GL 4.6 core §8.18, table "Compatible internal formats for TextureView": the classes of compressed formats.
const COMPRESSED: [[Format; 2]; 8] = [
    [Format::CompressedRedRgtc1, Format::CompressedSignedRedRgtc1],
    [Format::CompressedRgRgtc2, Format::CompressedSignedRgRgtc2],
    [
        Format::CompressedRgbaBptcUnorm,
        Format::CompressedSrgbAlphaBptcUnorm,
    ],
    [
        Format::CompressedRgbBptcSignedFloat,
        Format::CompressedRgbBptcUnsignedFloat,
    ],
    [
        Format::CompressedRgbS3tcDxt1,
        Format::CompressedSrgbS3tcDxt1,
    ],
    [
        Format::CompressedRgbaS3tcDxt1,
        Format::CompressedSrgbAlphaS3tcDxt1,
    ],
    [
        Format::CompressedRgbaS3tcDxt3,
        Format::CompressedSrgbAlphaS3tcDxt3,
    ],
    [
        Format::CompressedRgbaS3tcDxt5,
        Format::CompressedSrgbAlphaS3tcDxt5,
    ],
];

impl Format {
    /// Bits per texel of an uncompressed format that is in a class of that table. Packed texels with components of fewer than eight bits are
    /// not, nor are texels that are kept wider than they are, nor depth and legacy formats.
    fn class_bits(self) -> Option<u16> {
        let info = self.info();
        let bits = info.color_bits.iter().map(|bits| u16::from(*bits)).sum();
        let bits: u16 = bits;
        let whole = bits + u16::from(info.shared_bits()) == u16::from(info.storage.bytes) * 8;
        let in_table = info.class == FormatClass::Color
            && !info.flags.contains(FormatFlags::LEGACY)
            && info.color_bits[0] >= 8
            && whole;
        in_table.then(|| u16::from(info.storage.bytes) * 8)
    }

    /// Whether a texture of this format may be viewed as the other (GL 4.6 core §8.18).
    pub fn views_as(self, other: Self) -> bool {
        let pair = |class: &[Self; 2]| class.contains(&self) && class.contains(&other);
        self == other
            || self.class_bits().is_some() && self.class_bits() == other.class_bits()
            || COMPRESSED.iter().any(pair)
    }

    /// Whether texels or blocks of this format may be copied to an image of the other as they are (GL 4.6 core §18.3.2, table
    /// "Compatible internal formats for copying between compressed and uncompressed internal formats").
    pub fn copies_to(self, other: Self) -> bool {
        let compressed = |format: Self| format.info().class == FormatClass::Compressed;
        if self.views_as(other) {
            return true;
        }
        let (blocks, texels) = match (compressed(self), compressed(other)) {
            (true, false) => (self, other),
            (false, true) => (other, self),
            (true, true) | (false, false) => return false,
        };
        let bits = u16::from(blocks.info().block.bytes) * 8;
        matches!(bits, 64 | 128) && texels.class_bits() == Some(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The table's uncompressed rows: 3, 3, 8, 5, 17, 5, 9 and 4 formats of 128, 96, 64, 48, 32, 24, 16 and 8 bits.
    #[test]
    fn classes_have_as_many_formats_as_in_the_table() {
        let count = |bits| {
            let all = Format::ALL.iter();
            all.filter(|f| f.class_bits() == Some(bits)).count()
        };
        let counts = [128, 96, 64, 48, 32, 24, 16, 8].map(count);
        assert_eq!(counts, [3, 3, 8, 5, 17, 5, 9, 4]);
    }

    #[test]
    fn blocks_copy_to_texels_of_their_size() {
        assert!(Format::CompressedRgbS3tcDxt1.copies_to(Format::Rgba16ui));
        assert!(Format::Rgba32ui.copies_to(Format::CompressedRgbaBptcUnorm));
        assert!(!Format::CompressedRgbS3tcDxt1.copies_to(Format::Rgba32ui));
        assert!(!Format::CompressedRedRgtc1.copies_to(Format::CompressedRgbS3tcDxt1));
        assert!(Format::Rgba8.copies_to(Format::R32f) && !Format::Rgba8.copies_to(Format::Rgb8));
        assert!(
            Format::Depth24.copies_to(Format::Depth24) && !Format::Depth24.copies_to(Format::R32f)
        );
    }
}
