//! Formats: which ES format serves each format of ours, and how texels get from canonical storage to it. It makes no GL call.

use crate::features::Features;
use pipe::formats::{Component, FormatClass};
use pipe::pixels::{PixelFormat, PixelType};
use pipe::{Format, FormatUse};

/// How one format is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conv {
    /// Sized internal format of the driver's image.
    pub internal: u32,
    /// Layout of uploads, as ES accepts it for `internal`.
    pub format: PixelFormat,
    pub ty: PixelType,
    pub how: How,
    /// What red, green, blue, alpha of our format are in the driver's texture.
    pub swizzle: [Source; 4],
}

/// How canonical texels become the driver's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Byte for byte.
    Direct,
    /// Decoded and encoded again (three components to four, fixed to float ...): see [`pipe::pixels::pack`].
    Widened,
    /// The driver has nothing like it.
    Unsupported,
}

/// Where a component comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    R,
    G,
    B,
    A,
    Zero,
    One,
}

impl Source {
    /// The value for GL_TEXTURE_SWIZZLE_*.
    pub const fn gl(self) -> i32 {
        match self {
            Self::R => glow::RED as i32,
            Self::G => glow::GREEN as i32,
            Self::B => glow::BLUE as i32,
            Self::A => glow::ALPHA as i32,
            Self::Zero => glow::ZERO as i32,
            Self::One => glow::ONE as i32,
        }
    }
}

use Source::{A, B, G, One, R, Zero};
const RGBA: [Source; 4] = [R, G, B, A];
/// Three components kept in four: alpha reads as one whatever was written.
const RGB1: [Source; 4] = [R, G, B, One];

const fn direct(internal: u32, format: PixelFormat, ty: PixelType) -> Conv {
    Conv {
        internal,
        format,
        ty,
        how: How::Direct,
        swizzle: RGBA,
    }
}

const fn wide(internal: u32, format: PixelFormat, ty: PixelType, swizzle: [Source; 4]) -> Conv {
    Conv {
        internal,
        format,
        ty,
        how: How::Widened,
        swizzle,
    }
}

/// The driver's format for `format`.
pub fn conv(format: Format, features: &Features) -> Conv {
    use Format as F;
    use PixelFormat as P;
    use PixelType as T;
    let info = format.info();
    let storage = info.storage;
    // The canonical storage is also the upload layout wherever ES has the format itself.
    let same = |internal| direct(internal, storage.format, storage.ty);
    let luma = |internal, format, swizzle| Conv {
        swizzle,
        ..direct(internal, format, T::UnsignedByte)
    };
    let norm16 = features.norm16;
    match format {
        F::None => Conv {
            how: How::Unsupported,
            ..direct(glow::RGBA8, P::Rgba, T::UnsignedByte)
        },
        F::R8 => same(glow::R8),
        F::R8Snorm => same(glow::R8_SNORM),
        F::Rg8 => same(glow::RG8),
        F::Rg8Snorm => same(glow::RG8_SNORM),
        F::Rgba8Snorm => same(glow::RGBA8_SNORM),
        F::R16 if norm16 => same(glow::R16),
        F::R16Snorm if norm16 => same(glow::R16_SNORM),
        F::Rg16 if norm16 => same(glow::RG16),
        F::Rg16Snorm if norm16 => same(glow::RG16_SNORM),
        F::Rgba16 if norm16 => same(glow::RGBA16),
        F::Rgba16Snorm if norm16 => same(glow::RGBA16_SNORM),
        F::R16 | F::R16Snorm => wide(glow::R16F, P::Red, T::HalfFloat, RGBA),
        F::Rg16 | F::Rg16Snorm => wide(glow::RG16F, P::Rg, T::HalfFloat, RGBA),
        F::Rgba16 | F::Rgba16Snorm => wide(glow::RGBA16F, P::Rgba, T::HalfFloat, RGBA),
        F::R3G3B2 => wide(glow::RGBA8, P::Rgba, T::UnsignedByte, RGB1),
        F::Rgb4 | F::Rgb5 | F::Rgb565 => same(glow::RGB565),
        F::Rgb8 => same(glow::RGB8),
        F::Rgb8Snorm => wide(glow::RGBA8_SNORM, P::Rgba, T::Byte, RGB1),
        F::Rgb10 | F::Rgb12 | F::Rgb16 if norm16 => {
            wide(glow::RGBA16, P::Rgba, T::UnsignedShort, RGB1)
        }
        F::Rgb10 | F::Rgb12 | F::Rgb16 => wide(glow::RGBA16F, P::Rgba, T::HalfFloat, RGB1),
        F::Rgb16Snorm if norm16 => wide(glow::RGBA16_SNORM, P::Rgba, T::Short, RGB1),
        F::Rgb16Snorm => wide(glow::RGBA16F, P::Rgba, T::HalfFloat, RGB1),
        F::Rgba2 | F::Rgba4 => same(glow::RGBA4),
        F::Rgb5A1 => same(glow::RGB5_A1),
        F::Rgba8 => same(glow::RGBA8),
        F::Rgb10A2 => same(glow::RGB10_A2),
        F::Rgb10A2ui => same(glow::RGB10_A2UI),
        F::Rgba12 if norm16 => same(glow::RGBA16),
        F::Rgba12 => wide(glow::RGBA16F, P::Rgba, T::HalfFloat, RGBA),
        F::Srgb8 => wide(glow::SRGB8_ALPHA8, P::Rgba, T::UnsignedByte, RGB1),
        F::Srgb8Alpha8 => same(glow::SRGB8_ALPHA8),
        F::R16f => same(glow::R16F),
        F::Rg16f => same(glow::RG16F),
        F::Rgb16f => wide(glow::RGBA16F, P::Rgba, T::HalfFloat, RGB1),
        F::Rgba16f => same(glow::RGBA16F),
        F::R32f => same(glow::R32F),
        F::Rg32f => same(glow::RG32F),
        F::Rgb32f => wide(glow::RGBA32F, P::Rgba, T::Float, RGB1),
        F::Rgba32f => same(glow::RGBA32F),
        F::R11fG11fB10f => same(glow::R11F_G11F_B10F),
        F::Rgb9E5 => same(glow::RGB9_E5),
        F::R8i => same(glow::R8I),
        F::R8ui => same(glow::R8UI),
        F::R16i => same(glow::R16I),
        F::R16ui => same(glow::R16UI),
        F::R32i => same(glow::R32I),
        F::R32ui => same(glow::R32UI),
        F::Rg8i => same(glow::RG8I),
        F::Rg8ui => same(glow::RG8UI),
        F::Rg16i => same(glow::RG16I),
        F::Rg16ui => same(glow::RG16UI),
        F::Rg32i => same(glow::RG32I),
        F::Rg32ui => same(glow::RG32UI),
        F::Rgb8i => wide(glow::RGBA8I, P::RgbaInteger, T::Byte, RGB1),
        F::Rgb8ui => wide(glow::RGBA8UI, P::RgbaInteger, T::UnsignedByte, RGB1),
        F::Rgb16i => wide(glow::RGBA16I, P::RgbaInteger, T::Short, RGB1),
        F::Rgb16ui => wide(glow::RGBA16UI, P::RgbaInteger, T::UnsignedShort, RGB1),
        F::Rgb32i => wide(glow::RGBA32I, P::RgbaInteger, T::Int, RGB1),
        F::Rgb32ui => wide(glow::RGBA32UI, P::RgbaInteger, T::UnsignedInt, RGB1),
        F::Rgba8i => same(glow::RGBA8I),
        F::Rgba8ui => same(glow::RGBA8UI),
        F::Rgba16i => same(glow::RGBA16I),
        F::Rgba16ui => same(glow::RGBA16UI),
        F::Rgba32i => same(glow::RGBA32I),
        F::Rgba32ui => same(glow::RGBA32UI),
        F::Depth16 => same(glow::DEPTH_COMPONENT16),
        // ES has no 32-bit fixed-point depth; the upload layout is the same, the eight low bits are lost.
        F::Depth24 | F::Depth32 => same(glow::DEPTH_COMPONENT24),
        F::Depth32f => same(glow::DEPTH_COMPONENT32F),
        F::Depth24Stencil8 => same(glow::DEPTH24_STENCIL8),
        F::Depth32fStencil8 => same(glow::DEPTH32F_STENCIL8),
        F::StencilIndex8 => same(glow::STENCIL_INDEX8),
        F::Alpha8 => luma(glow::R8, P::Red, [Zero, Zero, Zero, R]),
        F::Luminance8 => luma(glow::R8, P::Red, [R, R, R, One]),
        F::Luminance8Alpha8 => luma(glow::RG8, P::Rg, [R, R, R, G]),
        F::Intensity8 => luma(glow::R8, P::Red, [R, R, R, R]),
        F::CompressedRedRgtc1
        | F::CompressedSignedRedRgtc1
        | F::CompressedRgRgtc2
        | F::CompressedSignedRgRgtc2
        | F::CompressedRgbS3tcDxt1
        | F::CompressedRgbaS3tcDxt1
        | F::CompressedRgbaS3tcDxt3
        | F::CompressedRgbaS3tcDxt5
        | F::CompressedSrgbS3tcDxt1
        | F::CompressedSrgbAlphaS3tcDxt1
        | F::CompressedSrgbAlphaS3tcDxt3
        | F::CompressedSrgbAlphaS3tcDxt5
        | F::CompressedRgbaBptcUnorm
        | F::CompressedSrgbAlphaBptcUnorm
        | F::CompressedRgbBptcSignedFloat
        | F::CompressedRgbBptcUnsignedFloat
        | F::CompressedR11Eac
        | F::CompressedSignedR11Eac
        | F::CompressedRg11Eac
        | F::CompressedSignedRg11Eac
        | F::CompressedRgb8Etc2
        | F::CompressedSrgb8Etc2
        | F::CompressedRgb8PunchthroughAlpha1Etc2
        | F::CompressedSrgb8PunchthroughAlpha1Etc2
        | F::CompressedRgba8Etc2Eac
        | F::CompressedSrgb8Alpha8Etc2Eac
        | F::CompressedRgbaAstc4x4
        | F::CompressedRgbaAstc5x4
        | F::CompressedRgbaAstc5x5
        | F::CompressedRgbaAstc6x5
        | F::CompressedRgbaAstc6x6
        | F::CompressedRgbaAstc8x5
        | F::CompressedRgbaAstc8x6
        | F::CompressedRgbaAstc8x8
        | F::CompressedRgbaAstc10x5
        | F::CompressedRgbaAstc10x6
        | F::CompressedRgbaAstc10x8
        | F::CompressedRgbaAstc10x10
        | F::CompressedRgbaAstc12x10
        | F::CompressedRgbaAstc12x12
        | F::CompressedSrgb8Alpha8Astc4x4
        | F::CompressedSrgb8Alpha8Astc5x4
        | F::CompressedSrgb8Alpha8Astc5x5
        | F::CompressedSrgb8Alpha8Astc6x5
        | F::CompressedSrgb8Alpha8Astc6x6
        | F::CompressedSrgb8Alpha8Astc8x5
        | F::CompressedSrgb8Alpha8Astc8x6
        | F::CompressedSrgb8Alpha8Astc8x8
        | F::CompressedSrgb8Alpha8Astc10x5
        | F::CompressedSrgb8Alpha8Astc10x6
        | F::CompressedSrgb8Alpha8Astc10x8
        | F::CompressedSrgb8Alpha8Astc10x10
        | F::CompressedSrgb8Alpha8Astc12x10
        | F::CompressedSrgb8Alpha8Astc12x12 => conv(info.decoded, features),
    }
}

/// What the driver's image of a format can be used for (ES 3.2 table 8.10 and the extensions found).
pub fn usage(format: Format, features: &Features) -> FormatUse {
    let conv = conv(format, features);
    if conv.how == How::Unsupported {
        return FormatUse::empty();
    }
    let mut usage = FormatUse::SAMPLE;
    let info = format.info();
    let integer = info.is_integer();
    let (renderable, filterable) = match conv.internal {
        glow::R8_SNORM | glow::RG8_SNORM | glow::RGBA8_SNORM => (features.render_snorm, true),
        glow::R16_SNORM | glow::RG16_SNORM | glow::RGBA16_SNORM => {
            (features.render_snorm && features.norm16, true)
        }
        glow::RGB9_E5 => (false, true),
        glow::R32F | glow::RG32F | glow::RGBA32F => (true, features.float_linear),
        _ => (true, !integer),
    };
    let compressed = info.class == FormatClass::Compressed;
    if filterable && !info.has_stencil() || info.has_depth() {
        usage |= FormatUse::FILTER;
    }
    if renderable && !compressed {
        usage |= FormatUse::RENDER | FormatUse::MULTISAMPLE;
        let float32 = matches!(conv.internal, glow::R32F | glow::RG32F | glow::RGBA32F);
        if !integer && info.is_color() && (!float32 || features.float_blend) {
            usage |= FormatUse::BLEND;
        }
    }
    if is_image_format(conv.internal, features) && conv.how == How::Direct && !compressed {
        usage |= FormatUse::IMAGE;
    }
    if conv.how == How::Widened || compressed || conv.swizzle != RGBA {
        usage |= FormatUse::EMULATED;
    }
    usage
}

/// ES 3.2 §8.22, table "Supported image unit formats", and NV_image_formats.
fn is_image_format(internal: u32, features: &Features) -> bool {
    match internal {
        glow::RGBA32F
        | glow::RGBA16F
        | glow::R32F
        | glow::RGBA32UI
        | glow::RGBA16UI
        | glow::RGBA8UI
        | glow::R32UI
        | glow::RGBA32I
        | glow::RGBA16I
        | glow::RGBA8I
        | glow::R32I
        | glow::RGBA8
        | glow::RGBA8_SNORM => true,
        glow::RG32F
        | glow::RG16F
        | glow::R11F_G11F_B10F
        | glow::R16F
        | glow::RGB10_A2
        | glow::RG8
        | glow::R8
        | glow::RG8_SNORM
        | glow::R8_SNORM
        | glow::RGB10_A2UI
        | glow::RG32UI
        | glow::RG16UI
        | glow::RG8UI
        | glow::R16UI
        | glow::R8UI
        | glow::RG32I
        | glow::RG16I
        | glow::RG8I
        | glow::R16I
        | glow::R8I => features.image_formats,
        glow::RGBA16
        | glow::RG16
        | glow::R16
        | glow::RGBA16_SNORM
        | glow::RG16_SNORM
        | glow::R16_SNORM => features.image_formats && features.norm16,
        _ => false,
    }
}

/// What glReadPixels gives without loss for a colour image of this format (ES 3.2 §16.1.2).
pub fn read_layout(format: Format, features: &Features) -> (PixelFormat, PixelType) {
    use PixelFormat as P;
    use PixelType as T;
    let internal = conv(format, features).internal;
    match format.info().component {
        Component::Int => (P::RgbaInteger, T::Int),
        Component::Uint => (P::RgbaInteger, T::UnsignedInt),
        Component::Float => (P::Rgba, T::Float),
        Component::Unorm | Component::Srgb | Component::Snorm | Component::None => match internal {
            glow::RGBA16F | glow::RG16F | glow::R16F => (P::Rgba, T::Float),
            glow::R16 | glow::RG16 | glow::RGBA16 => (P::Rgba, T::UnsignedShort),
            glow::R8_SNORM | glow::RG8_SNORM | glow::RGBA8_SNORM => (P::Rgba, T::Byte),
            glow::R16_SNORM | glow::RG16_SNORM | glow::RGBA16_SNORM => (P::Rgba, T::Short),
            glow::RGB10_A2 => (P::Rgba, T::UnsignedInt2101010Rev),
            _ => (P::Rgba, T::UnsignedByte),
        },
    }
}

/// Composes an application's swizzle component with the format's own.
pub fn compose(user: u16, own: [Source; 4]) -> Source {
    match u32::from(user) {
        glow::RED => own[0],
        glow::GREEN => own[1],
        glow::BLUE => own[2],
        glow::ALPHA => own[3],
        glow::ONE => One,
        // GL_ZERO, the only other value that the client lets through.
        _ => Zero,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_a_driver_format_without_any_extension() {
        let bare = Features {
            version: (3, 2),
            ..Features::default()
        };
        for format in Format::ALL {
            assert_ne!(
                conv(*format, &bare).how,
                How::Unsupported,
                "{}",
                format.info().name
            );
        }
    }

    #[test]
    fn direct_formats_upload_their_canonical_storage() {
        let features = Features::default();
        for format in Format::ALL {
            let conv = conv(*format, &features);
            if conv.how == How::Direct {
                let bytes = pipe::pixels::group_bytes(conv.format, conv.ty);
                assert_eq!(bytes, format.info().storage.bytes, "{}", format.info().name);
            }
        }
    }

    // GL 4.6 §8.17: alpha of a texture without alpha is 1.
    #[test]
    fn widened_rgb_reads_alpha_one() {
        let conv = conv(Format::Rgb32f, &Features::default());
        assert_eq!(compose(glow::ALPHA as u16, conv.swizzle), Source::One);
    }
}
