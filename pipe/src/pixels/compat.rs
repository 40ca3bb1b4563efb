//! Which pixel format, pixel type and internal format go together, and which GL error the others give; converts nothing.

use super::kinds::{PixelFormat, PixelType};
use crate::formats::{BaseFormat, Format};

/// The GL error of a combination, with the text for the debug log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompatError {
    #[error("INVALID_ENUM: {0}")]
    InvalidEnum(&'static str),
    #[error("INVALID_OPERATION: {0}")]
    InvalidOperation(&'static str),
}

/// Rules of the pair alone, the same in both directions.
pub fn check_pair(format: PixelFormat, ty: PixelType) -> Result<(), CompatError> {
    // GL 3.3 core §3.7.2 (paraphrase): an INTEGER format with a floating-point type is INVALID_ENUM.
    if format.is_integer() && matches!(ty, PixelType::Float | PixelType::HalfFloat) {
        return Err(CompatError::InvalidEnum(
            "integer format with a floating-point type",
        ));
    }
    // GL 4.6 core §18.2.2 (paraphrase): DEPTH_STENCIL takes its two packed types only, else INVALID_ENUM.
    let depth_stencil_type = matches!(
        ty,
        PixelType::UnsignedInt248 | PixelType::Float32UnsignedInt248Rev
    );
    if format == PixelFormat::DepthStencil && !depth_stencil_type {
        return Err(CompatError::InvalidEnum(
            "DEPTH_STENCIL with a type that is not packed depth and stencil",
        ));
    }
    // GL 4.6 core §8.4.4.2 (paraphrase): a packed type with a format that its table does not list is INVALID_OPERATION.
    if ty.is_packed() && !packed_type_lists(ty, format) {
        return Err(CompatError::InvalidOperation(
            "packed type does not match format",
        ));
    }
    Ok(())
}

/// Rules for giving pixels to a texture (TexImage, TexSubImage, ClearTexImage).
pub fn compatible(format: PixelFormat, ty: PixelType, dst: Format) -> Result<(), CompatError> {
    check_pair(format, ty)?;
    let info = dst.info();
    // GL 4.6 core §8.5 (paraphrase): INVALID_OPERATION if one of format and internalformat is depth (or depth and stencil,
    // or stencil) and the other is not.
    match info.base {
        BaseFormat::None => return Err(CompatError::InvalidOperation("no storage")),
        BaseFormat::Depth | BaseFormat::DepthStencil => {
            if !matches!(
                format,
                PixelFormat::DepthComponent | PixelFormat::DepthStencil
            ) {
                return Err(CompatError::InvalidOperation(
                    "depth internal format with another pixel format",
                ));
            }
        }
        BaseFormat::Stencil => {
            if format != PixelFormat::StencilIndex {
                return Err(CompatError::InvalidOperation(
                    "stencil internal format with another pixel format",
                ));
            }
        }
        BaseFormat::Red
        | BaseFormat::Rg
        | BaseFormat::Rgb
        | BaseFormat::Rgba
        | BaseFormat::Alpha
        | BaseFormat::Luminance
        | BaseFormat::LuminanceAlpha
        | BaseFormat::Intensity => {
            if !format.is_color() {
                return Err(CompatError::InvalidOperation(
                    "color internal format with a depth or stencil format",
                ));
            }
        }
    }
    check_integer(format, dst)
}

/// Rules for reading pixels of a buffer or texture of format `src` (ReadPixels, GetTexImage).
pub fn readable(src: Format, format: PixelFormat, ty: PixelType) -> Result<(), CompatError> {
    check_pair(format, ty)?;
    let info = src.info();
    // GL 4.6 core §8.11.4 and §18.2.2 (paraphrase): INVALID_OPERATION if the source has no component of the kind asked for.
    let has_it = match format {
        PixelFormat::DepthComponent => info.has_depth(),
        PixelFormat::StencilIndex => info.has_stencil(),
        PixelFormat::DepthStencil => info.has_depth() && info.has_stencil(),
        PixelFormat::Red
        | PixelFormat::Green
        | PixelFormat::Blue
        | PixelFormat::Alpha
        | PixelFormat::Rg
        | PixelFormat::Rgb
        | PixelFormat::Rgba
        | PixelFormat::Bgr
        | PixelFormat::Bgra
        | PixelFormat::Luminance
        | PixelFormat::LuminanceAlpha
        | PixelFormat::RedInteger
        | PixelFormat::GreenInteger
        | PixelFormat::BlueInteger
        | PixelFormat::AlphaInteger
        | PixelFormat::RgInteger
        | PixelFormat::RgbInteger
        | PixelFormat::RgbaInteger
        | PixelFormat::BgrInteger
        | PixelFormat::BgraInteger => info.is_color(),
    };
    if !has_it {
        return Err(CompatError::InvalidOperation(
            "the source has no such component",
        ));
    }
    check_integer(format, src)
}

/// GL 4.6 core §8.5 and §18.2.2 (paraphrase): integer formats pair with integer internal formats only, else
/// INVALID_OPERATION.
fn check_integer(format: PixelFormat, texels: Format) -> Result<(), CompatError> {
    if format.is_color() && format.is_integer() != texels.info().is_integer() {
        return Err(CompatError::InvalidOperation(
            "integer and non-integer formats mixed",
        ));
    }
    Ok(())
}

/// GL 4.6 core §8.4.4.2, table "Packed pixel formats".
fn packed_type_lists(ty: PixelType, format: PixelFormat) -> bool {
    use PixelType::*;
    match ty {
        UnsignedByte332 | UnsignedByte233Rev | UnsignedShort565 | UnsignedShort565Rev => {
            matches!(format, PixelFormat::Rgb | PixelFormat::RgbInteger)
        }
        UnsignedShort4444
        | UnsignedShort4444Rev
        | UnsignedShort5551
        | UnsignedShort1555Rev
        | UnsignedInt8888
        | UnsignedInt8888Rev
        | UnsignedInt1010102
        | UnsignedInt2101010Rev => matches!(
            format,
            PixelFormat::Rgba
                | PixelFormat::Bgra
                | PixelFormat::RgbaInteger
                | PixelFormat::BgraInteger
        ),
        UnsignedInt10f11f11fRev | UnsignedInt5999Rev => format == PixelFormat::Rgb,
        UnsignedInt248 | Float32UnsignedInt248Rev => format == PixelFormat::DepthStencil,
        Byte | UnsignedByte | Short | UnsignedShort | Int | UnsignedInt | Float | HalfFloat => {
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(result: Result<(), CompatError>) -> &'static str {
        match result {
            Ok(()) => "NO_ERROR",
            Err(CompatError::InvalidEnum(_)) => "INVALID_ENUM",
            Err(CompatError::InvalidOperation(_)) => "INVALID_OPERATION",
        }
    }

    #[test]
    fn compatible_of_each_rule_gives_its_error() {
        use PixelFormat as F;
        use PixelType as T;
        for (format, ty, dst, expected) in [
            (F::Rgba, T::UnsignedByte, Format::Rgba8, "NO_ERROR"),
            (F::Red, T::Float, Format::Rgba8, "NO_ERROR"),
            (
                F::Bgra,
                T::UnsignedInt8888Rev,
                Format::Srgb8Alpha8,
                "NO_ERROR",
            ),
            (
                F::Rgba,
                T::UnsignedShort565,
                Format::Rgba8,
                "INVALID_OPERATION",
            ),
            (
                F::Bgr,
                T::UnsignedShort565,
                Format::Rgb8,
                "INVALID_OPERATION",
            ),
            (
                F::Rgb,
                T::UnsignedInt248,
                Format::Rgba8,
                "INVALID_OPERATION",
            ),
            (
                F::DepthStencil,
                T::UnsignedInt,
                Format::Depth24Stencil8,
                "INVALID_ENUM",
            ),
            (
                F::DepthStencil,
                T::UnsignedInt248,
                Format::Depth24Stencil8,
                "NO_ERROR",
            ),
            (
                F::DepthStencil,
                T::UnsignedInt248,
                Format::Depth16,
                "NO_ERROR",
            ),
            (
                F::DepthComponent,
                T::Float,
                Format::Depth24Stencil8,
                "NO_ERROR",
            ),
            (
                F::DepthComponent,
                T::Float,
                Format::Rgba8,
                "INVALID_OPERATION",
            ),
            (F::Rgba, T::Float, Format::Depth24, "INVALID_OPERATION"),
            (
                F::StencilIndex,
                T::UnsignedByte,
                Format::StencilIndex8,
                "NO_ERROR",
            ),
            (
                F::StencilIndex,
                T::UnsignedByte,
                Format::Depth24Stencil8,
                "INVALID_OPERATION",
            ),
            (
                F::RgbaInteger,
                T::UnsignedByte,
                Format::Rgba8,
                "INVALID_OPERATION",
            ),
            (
                F::Rgba,
                T::UnsignedByte,
                Format::Rgba8ui,
                "INVALID_OPERATION",
            ),
            (F::RgbaInteger, T::Float, Format::Rgba8ui, "INVALID_ENUM"),
            (
                F::RgbaInteger,
                T::UnsignedInt2101010Rev,
                Format::Rgb10A2ui,
                "NO_ERROR",
            ),
            (
                F::RgbInteger,
                T::UnsignedInt5999Rev,
                Format::Rgb8ui,
                "INVALID_OPERATION",
            ),
            (F::Rgb, T::Float, Format::Rgb9E5, "NO_ERROR"),
        ] {
            assert_eq!(
                code(compatible(format, ty, dst)),
                expected,
                "{format:?} {ty:?} {dst:?}"
            );
        }
    }

    #[test]
    fn readable_of_missing_component_is_invalid_operation() {
        use PixelFormat as F;
        use PixelType as T;
        for (src, format, ty, expected) in [
            (
                Format::Depth24Stencil8,
                F::StencilIndex,
                T::UnsignedByte,
                "NO_ERROR",
            ),
            (
                Format::Depth24Stencil8,
                F::DepthComponent,
                T::Float,
                "NO_ERROR",
            ),
            (
                Format::Depth24,
                F::DepthStencil,
                T::UnsignedInt248,
                "INVALID_OPERATION",
            ),
            (
                Format::Depth24,
                F::StencilIndex,
                T::UnsignedByte,
                "INVALID_OPERATION",
            ),
            (
                Format::Rgba8,
                F::DepthComponent,
                T::Float,
                "INVALID_OPERATION",
            ),
            (Format::Depth24, F::Rgba, T::Float, "INVALID_OPERATION"),
            (Format::Rgba8i, F::Rgba, T::Int, "INVALID_OPERATION"),
            (Format::Rgba8i, F::BgraInteger, T::Int, "NO_ERROR"),
            (
                Format::CompressedRgRgtc2,
                F::Rg,
                T::UnsignedByte,
                "NO_ERROR",
            ),
        ] {
            assert_eq!(
                code(readable(src, format, ty)),
                expected,
                "{src:?} {format:?} {ty:?}"
            );
        }
    }
}
