//! GL formats on this device: one exhaustive table of what stores each, decided once when the device is opened. It converts
//! nothing itself ([`crate::texels`] does).

use crate::features::HideList;
use ash::vk;
use pipe::formats::{BaseFormat, FormatClass, FormatFlags};
use pipe::pixels::PixelType;
use pipe::{Format, FormatUse};

/// How a canonical texel ([`pipe::formats::Storage`]) relates to the texel of a buffer-image copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texel {
    /// Equal bytes.
    Same,
    /// Three components become four; the added one is "one".
    PadRgb(One),
    /// A packed word of 8 or 16 bits becomes RGBA8.
    Small(PixelType),
    /// 24 bits in the high part of the word; the device's are in the low part.
    Depth24,
    /// A normalized 32-bit word becomes a float.
    DepthFloat,
    /// `UNSIGNED_INT_24_8` is split into two aspects, depth as with [`Self::Depth24`].
    Depth24Stencil8,
    /// As before with float depth.
    DepthFloatStencil8,
    /// `FLOAT_32_UNSIGNED_INT_24_8_REV` is split.
    Depth32fStencil8,
}

/// The fourth component that is added to three: size of a component and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct One {
    pub bytes: u8,
    pub value: u32,
}

const fn one(bytes: u8, value: u32) -> One {
    One { bytes, value }
}
const ONE_U8: One = one(1, 0xFF);
const ONE_S8: One = one(1, 0x7F);
const ONE_U16: One = one(2, 0xFFFF);
const ONE_S16: One = one(2, 0x7FFF);
const ONE_F16: One = one(2, 0x3C00);
const ONE_F32: One = one(4, 0x3F80_0000);
const ONE_I8: One = one(1, 1);
const ONE_I16: One = one(2, 1);
const ONE_I32: One = one(4, 1);

/// How one GL format is stored.
#[derive(Clone, Copy, Debug)]
pub struct DeviceFormat {
    /// `UNDEFINED`: the device has nothing for it.
    pub vk: vk::Format,
    /// The same bits without sRGB encoding; `vk` itself where there is none.
    pub linear: vk::Format,
    pub texel: Texel,
    /// What a shader sees as R, G, B, A.
    pub swizzle: [vk::ComponentSwizzle; 4],
    /// GL's format has no alpha but the device's has: never blend with it, never show it.
    pub hides_alpha: bool,
    pub aspects: vk::ImageAspectFlags,
    pub features: vk::FormatFeatureFlags,
    pub linear_features: vk::FormatFeatureFlags,
    pub usage: FormatUse,
}

/// What may store a format, best first.
#[rustfmt::skip]
fn candidates(format: Format) -> &'static [(vk::Format, Texel)] {
    match format {
        Format::None => &[],
        Format::R8 => &[(vk::Format::R8_UNORM, Texel::Same)],
        Format::R8Snorm => &[(vk::Format::R8_SNORM, Texel::Same)],
        Format::R16 => &[(vk::Format::R16_UNORM, Texel::Same)],
        Format::R16Snorm => &[(vk::Format::R16_SNORM, Texel::Same)],
        Format::Rg8 => &[(vk::Format::R8G8_UNORM, Texel::Same)],
        Format::Rg8Snorm => &[(vk::Format::R8G8_SNORM, Texel::Same)],
        Format::Rg16 => &[(vk::Format::R16G16_UNORM, Texel::Same)],
        Format::Rg16Snorm => &[(vk::Format::R16G16_SNORM, Texel::Same)],
        Format::Rgba8 => &[(vk::Format::R8G8B8A8_UNORM, Texel::Same)],
        Format::Rgba8Snorm => &[(vk::Format::R8G8B8A8_SNORM, Texel::Same)],
        Format::Rgb10A2 => &[(vk::Format::A2B10G10R10_UNORM_PACK32, Texel::Same)],
        Format::Rgb10A2ui => &[(vk::Format::A2B10G10R10_UINT_PACK32, Texel::Same)],
        Format::Rgba12 => &[(vk::Format::R16G16B16A16_UNORM, Texel::Same)],
        Format::Rgba16 => &[(vk::Format::R16G16B16A16_UNORM, Texel::Same)],
        Format::Rgba16Snorm => &[(vk::Format::R16G16B16A16_SNORM, Texel::Same)],
        Format::Srgb8Alpha8 => &[(vk::Format::R8G8B8A8_SRGB, Texel::Same)],
        Format::R16f => &[(vk::Format::R16_SFLOAT, Texel::Same)],
        Format::Rg16f => &[(vk::Format::R16G16_SFLOAT, Texel::Same)],
        Format::Rgba16f => &[(vk::Format::R16G16B16A16_SFLOAT, Texel::Same)],
        Format::R32f => &[(vk::Format::R32_SFLOAT, Texel::Same)],
        Format::Rg32f => &[(vk::Format::R32G32_SFLOAT, Texel::Same)],
        Format::Rgba32f => &[(vk::Format::R32G32B32A32_SFLOAT, Texel::Same)],
        Format::R11fG11fB10f => &[(vk::Format::B10G11R11_UFLOAT_PACK32, Texel::Same)],
        Format::Rgb9E5 => &[(vk::Format::E5B9G9R9_UFLOAT_PACK32, Texel::Same)],
        Format::R8i => &[(vk::Format::R8_SINT, Texel::Same)],
        Format::R8ui => &[(vk::Format::R8_UINT, Texel::Same)],
        Format::R16i => &[(vk::Format::R16_SINT, Texel::Same)],
        Format::R16ui => &[(vk::Format::R16_UINT, Texel::Same)],
        Format::R32i => &[(vk::Format::R32_SINT, Texel::Same)],
        Format::R32ui => &[(vk::Format::R32_UINT, Texel::Same)],
        Format::Rg8i => &[(vk::Format::R8G8_SINT, Texel::Same)],
        Format::Rg8ui => &[(vk::Format::R8G8_UINT, Texel::Same)],
        Format::Rg16i => &[(vk::Format::R16G16_SINT, Texel::Same)],
        Format::Rg16ui => &[(vk::Format::R16G16_UINT, Texel::Same)],
        Format::Rg32i => &[(vk::Format::R32G32_SINT, Texel::Same)],
        Format::Rg32ui => &[(vk::Format::R32G32_UINT, Texel::Same)],
        Format::Rgba8i => &[(vk::Format::R8G8B8A8_SINT, Texel::Same)],
        Format::Rgba8ui => &[(vk::Format::R8G8B8A8_UINT, Texel::Same)],
        Format::Rgba16i => &[(vk::Format::R16G16B16A16_SINT, Texel::Same)],
        Format::Rgba16ui => &[(vk::Format::R16G16B16A16_UINT, Texel::Same)],
        Format::Rgba32i => &[(vk::Format::R32G32B32A32_SINT, Texel::Same)],
        Format::Rgba32ui => &[(vk::Format::R32G32B32A32_UINT, Texel::Same)],
        Format::Depth16 => &[(vk::Format::D16_UNORM, Texel::Same)],
        Format::Depth32f => &[(vk::Format::D32_SFLOAT, Texel::Same)],
        Format::Alpha8 => &[(vk::Format::R8_UNORM, Texel::Same)],
        Format::Luminance8 => &[(vk::Format::R8_UNORM, Texel::Same)],
        Format::Luminance8Alpha8 => &[(vk::Format::R8G8_UNORM, Texel::Same)],
        Format::Intensity8 => &[(vk::Format::R8_UNORM, Texel::Same)],
        Format::Rgb8 => &[(vk::Format::R8G8B8A8_UNORM, Texel::PadRgb(ONE_U8))],
        Format::Rgb8Snorm => &[(vk::Format::R8G8B8A8_SNORM, Texel::PadRgb(ONE_S8))],
        Format::Rgb10 => &[(vk::Format::R16G16B16A16_UNORM, Texel::PadRgb(ONE_U16))],
        Format::Rgb12 => &[(vk::Format::R16G16B16A16_UNORM, Texel::PadRgb(ONE_U16))],
        Format::Rgb16 => &[(vk::Format::R16G16B16A16_UNORM, Texel::PadRgb(ONE_U16))],
        Format::Rgb16Snorm => &[(vk::Format::R16G16B16A16_SNORM, Texel::PadRgb(ONE_S16))],
        Format::Srgb8 => &[(vk::Format::R8G8B8A8_SRGB, Texel::PadRgb(ONE_U8))],
        Format::Rgb16f => &[(vk::Format::R16G16B16A16_SFLOAT, Texel::PadRgb(ONE_F16))],
        Format::Rgb32f => &[(vk::Format::R32G32B32A32_SFLOAT, Texel::PadRgb(ONE_F32))],
        Format::Rgb8i => &[(vk::Format::R8G8B8A8_SINT, Texel::PadRgb(ONE_I8))],
        Format::Rgb8ui => &[(vk::Format::R8G8B8A8_UINT, Texel::PadRgb(ONE_I8))],
        Format::Rgb16i => &[(vk::Format::R16G16B16A16_SINT, Texel::PadRgb(ONE_I16))],
        Format::Rgb16ui => &[(vk::Format::R16G16B16A16_UINT, Texel::PadRgb(ONE_I16))],
        Format::Rgb32i => &[(vk::Format::R32G32B32A32_SINT, Texel::PadRgb(ONE_I32))],
        Format::Rgb32ui => &[(vk::Format::R32G32B32A32_UINT, Texel::PadRgb(ONE_I32))],
        // 332 has no Vulkan counterpart.
        Format::R3G3B2 => &[(vk::Format::R8G8B8A8_UNORM, Texel::Small(PixelType::UnsignedByte332))],
        Format::Rgb4 | Format::Rgb5 | Format::Rgb565 => &[
            (vk::Format::R5G6B5_UNORM_PACK16, Texel::Same),
            (vk::Format::R8G8B8A8_UNORM, Texel::Small(PixelType::UnsignedShort565)),
        ],
        Format::Rgba2 | Format::Rgba4 => &[
            (vk::Format::R4G4B4A4_UNORM_PACK16, Texel::Same),
            (vk::Format::R8G8B8A8_UNORM, Texel::Small(PixelType::UnsignedShort4444)),
        ],
        Format::Rgb5A1 => &[
            (vk::Format::R5G5B5A1_UNORM_PACK16, Texel::Same),
            (vk::Format::R8G8B8A8_UNORM, Texel::Small(PixelType::UnsignedShort5551)),
        ],
        // Canonical words keep the 24 bits high, a copy of the aspect has them low.
        Format::Depth24 => &[
            (vk::Format::X8_D24_UNORM_PACK32, Texel::Depth24),
            (vk::Format::D24_UNORM_S8_UINT, Texel::Depth24),
            (vk::Format::D32_SFLOAT, Texel::DepthFloat),
        ],
        Format::Depth32 => &[(vk::Format::D32_SFLOAT, Texel::DepthFloat)],
        Format::Depth24Stencil8 => &[
            (vk::Format::D24_UNORM_S8_UINT, Texel::Depth24Stencil8),
            (vk::Format::D32_SFLOAT_S8_UINT, Texel::DepthFloatStencil8),
        ],
        Format::Depth32fStencil8 => &[(vk::Format::D32_SFLOAT_S8_UINT, Texel::Depth32fStencil8)],
        Format::StencilIndex8 => &[
            (vk::Format::S8_UINT, Texel::Same),
            (vk::Format::D24_UNORM_S8_UINT, Texel::Same),
            (vk::Format::D32_SFLOAT_S8_UINT, Texel::Same),
        ],
        // Compressed bytes never cross the seam: the decoded stand-in is what is stored.
        Format::CompressedRedRgtc1 | Format::CompressedSignedRedRgtc1 | Format::CompressedRgRgtc2 | Format::CompressedSignedRgRgtc2 | Format::CompressedRgbS3tcDxt1 | Format::CompressedRgbaS3tcDxt1 | Format::CompressedRgbaS3tcDxt3 | Format::CompressedRgbaS3tcDxt5 | Format::CompressedSrgbS3tcDxt1 | Format::CompressedSrgbAlphaS3tcDxt1 | Format::CompressedSrgbAlphaS3tcDxt3 | Format::CompressedSrgbAlphaS3tcDxt5 | Format::CompressedRgbaBptcUnorm | Format::CompressedSrgbAlphaBptcUnorm | Format::CompressedRgbBptcSignedFloat | Format::CompressedRgbBptcUnsignedFloat | Format::CompressedR11Eac | Format::CompressedSignedR11Eac | Format::CompressedRg11Eac | Format::CompressedSignedRg11Eac | Format::CompressedRgb8Etc2 | Format::CompressedSrgb8Etc2 | Format::CompressedRgb8PunchthroughAlpha1Etc2 | Format::CompressedSrgb8PunchthroughAlpha1Etc2 | Format::CompressedRgba8Etc2Eac | Format::CompressedSrgb8Alpha8Etc2Eac | Format::CompressedRgbaAstc4x4 | Format::CompressedRgbaAstc5x4 | Format::CompressedRgbaAstc5x5 | Format::CompressedRgbaAstc6x5 | Format::CompressedRgbaAstc6x6 | Format::CompressedRgbaAstc8x5 | Format::CompressedRgbaAstc8x6 | Format::CompressedRgbaAstc8x8 | Format::CompressedRgbaAstc10x5 | Format::CompressedRgbaAstc10x6 | Format::CompressedRgbaAstc10x8 | Format::CompressedRgbaAstc10x10 | Format::CompressedRgbaAstc12x10 | Format::CompressedRgbaAstc12x12 | Format::CompressedSrgb8Alpha8Astc4x4 | Format::CompressedSrgb8Alpha8Astc5x4 | Format::CompressedSrgb8Alpha8Astc5x5 | Format::CompressedSrgb8Alpha8Astc6x5 | Format::CompressedSrgb8Alpha8Astc6x6 | Format::CompressedSrgb8Alpha8Astc8x5 | Format::CompressedSrgb8Alpha8Astc8x6 | Format::CompressedSrgb8Alpha8Astc8x8 | Format::CompressedSrgb8Alpha8Astc10x5 | Format::CompressedSrgb8Alpha8Astc10x6 | Format::CompressedSrgb8Alpha8Astc10x8 | Format::CompressedSrgb8Alpha8Astc10x10 | Format::CompressedSrgb8Alpha8Astc12x10 | Format::CompressedSrgb8Alpha8Astc12x12 => candidates(format.info().decoded),
    }
}

/// The format without its sRGB encoding.
fn without_srgb(format: vk::Format) -> vk::Format {
    if format == vk::Format::R8G8B8A8_SRGB {
        vk::Format::R8G8B8A8_UNORM
    } else {
        format
    }
}

/// Aspects of a Vulkan depth or stencil format that a GL format of `class` uses; colour otherwise.
fn aspects(format: vk::Format) -> vk::ImageAspectFlags {
    if format == vk::Format::D16_UNORM
        || format == vk::Format::X8_D24_UNORM_PACK32
        || format == vk::Format::D32_SFLOAT
    {
        vk::ImageAspectFlags::DEPTH
    } else if format == vk::Format::S8_UINT {
        vk::ImageAspectFlags::STENCIL
    } else if format == vk::Format::D24_UNORM_S8_UINT || format == vk::Format::D32_SFLOAT_S8_UINT {
        vk::ImageAspectFlags::DEPTH | vk::ImageAspectFlags::STENCIL
    } else {
        vk::ImageAspectFlags::COLOR
    }
}

fn swizzle(base: BaseFormat) -> [vk::ComponentSwizzle; 4] {
    use vk::ComponentSwizzle as S;
    match base {
        BaseFormat::Rgb => [S::R, S::G, S::B, S::ONE],
        BaseFormat::Alpha => [S::ZERO, S::ZERO, S::ZERO, S::R],
        BaseFormat::Luminance => [S::R, S::R, S::R, S::ONE],
        BaseFormat::LuminanceAlpha => [S::R, S::R, S::R, S::G],
        BaseFormat::Intensity => [S::R, S::R, S::R, S::R],
        BaseFormat::None
        | BaseFormat::Red
        | BaseFormat::Rg
        | BaseFormat::Rgba
        | BaseFormat::Depth
        | BaseFormat::DepthStencil
        | BaseFormat::Stencil => [S::R, S::G, S::B, S::A],
    }
}

/// Chooses what stores `format` on a device that answers `properties`.
pub fn decide(
    format: Format,
    hide: &HideList,
    properties: impl Fn(vk::Format) -> vk::FormatProperties,
) -> DeviceFormat {
    use vk::FormatFeatureFlags as F;
    let info = format.info();
    let attachment = match info.class {
        FormatClass::Depth | FormatClass::Stencil | FormatClass::DepthStencil => {
            F::DEPTH_STENCIL_ATTACHMENT
        }
        FormatClass::None | FormatClass::Color | FormatClass::Compressed => F::SAMPLED_IMAGE,
    };
    let hidden = |vk_format: vk::Format| hide.hides(&format!("{vk_format:?}"));
    let found = candidates(format).iter().find(|(vk_format, _)| {
        !hidden(*vk_format)
            && properties(*vk_format)
                .optimal_tiling_features
                .contains(attachment)
    });
    let Some((vk_format, texel)) = found.copied() else {
        return DeviceFormat {
            vk: vk::Format::UNDEFINED,
            linear: vk::Format::UNDEFINED,
            texel: Texel::Same,
            swizzle: swizzle(info.base),
            hides_alpha: false,
            aspects: vk::ImageAspectFlags::COLOR,
            features: F::empty(),
            linear_features: F::empty(),
            usage: FormatUse::empty(),
        };
    };
    let linear = without_srgb(vk_format);
    let features = properties(vk_format).optimal_tiling_features;
    let linear_features = properties(linear).optimal_tiling_features;
    let mut usage = FormatUse::empty();
    usage.set(FormatUse::SAMPLE, features.contains(F::SAMPLED_IMAGE));
    usage.set(
        FormatUse::FILTER,
        features.contains(F::SAMPLED_IMAGE_FILTER_LINEAR),
    );
    let renders = features.intersects(F::COLOR_ATTACHMENT | F::DEPTH_STENCIL_ATTACHMENT);
    usage.set(
        FormatUse::RENDER | FormatUse::MULTISAMPLE,
        renders && !info.is_compressed(),
    );
    usage.set(
        FormatUse::BLEND,
        features.contains(F::COLOR_ATTACHMENT_BLEND),
    );
    usage.set(
        FormatUse::IMAGE,
        features.contains(F::STORAGE_IMAGE) && info.flags.contains(FormatFlags::IMAGE_UNIT),
    );
    usage.set(
        FormatUse::EMULATED,
        texel != Texel::Same || info.is_compressed() || info.flags.contains(FormatFlags::LEGACY),
    );
    // Aspects that GL knows of: a packed stand-in may have more.
    let mut aspects = aspects(vk_format);
    if aspects != vk::ImageAspectFlags::COLOR {
        if !info.has_depth() {
            aspects &= !vk::ImageAspectFlags::DEPTH;
        }
        if !info.has_stencil() {
            aspects &= !vk::ImageAspectFlags::STENCIL;
        }
    }
    DeviceFormat {
        vk: vk_format,
        linear,
        texel,
        swizzle: swizzle(info.base),
        hides_alpha: info.is_color() && info.base == BaseFormat::Rgb,
        aspects,
        features,
        linear_features,
        usage,
    }
}

impl DeviceFormat {
    /// All aspects of the Vulkan format: what a layout transition must name.
    pub fn all_aspects(&self) -> vk::ImageAspectFlags {
        aspects(self.vk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_on_a_device_with_everything_has_storage() {
        let all = vk::FormatProperties {
            linear_tiling_features: vk::FormatFeatureFlags::empty(),
            optimal_tiling_features: vk::FormatFeatureFlags::from_raw(!0),
            buffer_features: vk::FormatFeatureFlags::empty(),
        };
        for format in Format::ALL {
            let decided = decide(*format, &HideList::default(), |_| all);
            assert_ne!(decided.vk, vk::Format::UNDEFINED, "{format:?}");
            let stored = decided.linear;
            assert!(!format!("{stored:?}").contains("SRGB"), "{format:?}");
        }
    }
}
