//! The `format` and `type` arguments of pixel commands as closed enums; knows no bytes and converts nothing.
//!
//! The discriminants are the GL enum values (all fit 16 bits), so that neither direction needs a table.

use zerocopy::{Immutable, IntoBytes, KnownLayout, TryFromBytes};

macro_rules! gl_valued_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $gl:literal $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, TryFromBytes, IntoBytes, Immutable, KnownLayout)]
        #[repr(u16)]
        pub enum $name { $($(#[$vdoc])* $variant = $gl,)* }

        impl $name {
            /// Every variant, in table order.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The variant of a GL enum value; `None` means that the command generates INVALID_ENUM.
            pub const fn from_gl(value: u32) -> Option<Self> {
                match value { $($gl => Some(Self::$variant),)* _ => None }
            }

            /// The GL enum value.
            pub const fn gl(self) -> u32 { self as u32 }

            /// The name in the specification, with its `GL_` prefix.
            pub const fn gl_name(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }
        }
    };
}

gl_valued_enum! {
    /// Which components a group has and in which order they stand.
    /// GL 4.6 core §8.4.4, table "Pixel data formats" (3.3 core table 3.3); LUMINANCE and LUMINANCE_ALPHA: compatibility profile.
    PixelFormat {
        StencilIndex = 0x1901 "GL_STENCIL_INDEX",
        DepthComponent = 0x1902 "GL_DEPTH_COMPONENT",
        DepthStencil = 0x84F9 "GL_DEPTH_STENCIL",
        Red = 0x1903 "GL_RED",
        Green = 0x1904 "GL_GREEN",
        Blue = 0x1905 "GL_BLUE",
        Alpha = 0x1906 "GL_ALPHA",
        Rg = 0x8227 "GL_RG",
        Rgb = 0x1907 "GL_RGB",
        Rgba = 0x1908 "GL_RGBA",
        Bgr = 0x80E0 "GL_BGR",
        Bgra = 0x80E1 "GL_BGRA",
        Luminance = 0x1909 "GL_LUMINANCE",
        LuminanceAlpha = 0x190A "GL_LUMINANCE_ALPHA",
        RedInteger = 0x8D94 "GL_RED_INTEGER",
        GreenInteger = 0x8D95 "GL_GREEN_INTEGER",
        BlueInteger = 0x8D96 "GL_BLUE_INTEGER",
        AlphaInteger = 0x8D97 "GL_ALPHA_INTEGER",
        RgInteger = 0x8228 "GL_RG_INTEGER",
        RgbInteger = 0x8D98 "GL_RGB_INTEGER",
        RgbaInteger = 0x8D99 "GL_RGBA_INTEGER",
        BgrInteger = 0x8D9A "GL_BGR_INTEGER",
        BgraInteger = 0x8D9B "GL_BGRA_INTEGER",
    }
}

gl_valued_enum! {
    /// How one element is stored.
    /// GL 4.6 core §8.4.4, tables "Pixel data types" and "Packed pixel formats" (3.3 core tables 3.2 and 3.5-3.8).
    PixelType {
        Byte = 0x1400 "GL_BYTE",
        UnsignedByte = 0x1401 "GL_UNSIGNED_BYTE",
        Short = 0x1402 "GL_SHORT",
        UnsignedShort = 0x1403 "GL_UNSIGNED_SHORT",
        Int = 0x1404 "GL_INT",
        UnsignedInt = 0x1405 "GL_UNSIGNED_INT",
        Float = 0x1406 "GL_FLOAT",
        HalfFloat = 0x140B "GL_HALF_FLOAT",
        UnsignedByte332 = 0x8032 "GL_UNSIGNED_BYTE_3_3_2",
        UnsignedByte233Rev = 0x8362 "GL_UNSIGNED_BYTE_2_3_3_REV",
        UnsignedShort565 = 0x8363 "GL_UNSIGNED_SHORT_5_6_5",
        UnsignedShort565Rev = 0x8364 "GL_UNSIGNED_SHORT_5_6_5_REV",
        UnsignedShort4444 = 0x8033 "GL_UNSIGNED_SHORT_4_4_4_4",
        UnsignedShort4444Rev = 0x8365 "GL_UNSIGNED_SHORT_4_4_4_4_REV",
        UnsignedShort5551 = 0x8034 "GL_UNSIGNED_SHORT_5_5_5_1",
        UnsignedShort1555Rev = 0x8366 "GL_UNSIGNED_SHORT_1_5_5_5_REV",
        UnsignedInt8888 = 0x8035 "GL_UNSIGNED_INT_8_8_8_8",
        UnsignedInt8888Rev = 0x8367 "GL_UNSIGNED_INT_8_8_8_8_REV",
        UnsignedInt1010102 = 0x8036 "GL_UNSIGNED_INT_10_10_10_2",
        UnsignedInt2101010Rev = 0x8368 "GL_UNSIGNED_INT_2_10_10_10_REV",
        UnsignedInt248 = 0x84FA "GL_UNSIGNED_INT_24_8",
        UnsignedInt10f11f11fRev = 0x8C3B "GL_UNSIGNED_INT_10F_11F_11F_REV",
        UnsignedInt5999Rev = 0x8C3E "GL_UNSIGNED_INT_5_9_9_9_REV",
        Float32UnsignedInt248Rev = 0x8DAD "GL_FLOAT_32_UNSIGNED_INT_24_8_REV",
    }
}

impl PixelFormat {
    /// Components per group: the number of elements that a group takes with an unpacked type.
    pub const fn components(self) -> u8 {
        use PixelFormat::*;
        match self {
            StencilIndex | DepthComponent | Red | Green | Blue | Alpha | Luminance | RedInteger
            | GreenInteger | BlueInteger | AlphaInteger => 1,
            DepthStencil | Rg | LuminanceAlpha | RgInteger => 2,
            Rgb | Bgr | RgbInteger | BgrInteger => 3,
            Rgba | Bgra | RgbaInteger | BgraInteger => 4,
        }
    }

    /// Whether this is one of the `*_INTEGER` formats (STENCIL_INDEX is not one of them).
    pub const fn is_integer(self) -> bool {
        use PixelFormat::*;
        match self {
            RedInteger | GreenInteger | BlueInteger | AlphaInteger | RgInteger | RgbInteger
            | RgbaInteger | BgrInteger | BgraInteger => true,
            StencilIndex | DepthComponent | DepthStencil | Red | Green | Blue | Alpha | Rg
            | Rgb | Rgba | Bgr | Bgra | Luminance | LuminanceAlpha => false,
        }
    }

    /// Whether the group carries colour, as opposed to depth or stencil.
    pub const fn is_color(self) -> bool {
        !matches!(
            self,
            PixelFormat::StencilIndex | PixelFormat::DepthComponent | PixelFormat::DepthStencil
        )
    }

    /// The format with the same components for the other side of the integer divide; depth and stencil stay.
    pub const fn as_integer(self) -> Self {
        use PixelFormat::*;
        match self {
            Red | RedInteger | Luminance => RedInteger,
            Green | GreenInteger => GreenInteger,
            Blue | BlueInteger => BlueInteger,
            Alpha | AlphaInteger => AlphaInteger,
            Rg | RgInteger | LuminanceAlpha => RgInteger,
            Rgb | RgbInteger => RgbInteger,
            Rgba | RgbaInteger => RgbaInteger,
            Bgr | BgrInteger => BgrInteger,
            Bgra | BgraInteger => BgraInteger,
            StencilIndex => StencilIndex,
            DepthComponent => DepthComponent,
            DepthStencil => DepthStencil,
        }
    }
}

impl PixelType {
    /// Size of one element in bytes: the unit of the alignment rule and of UNPACK_SWAP_BYTES.
    ///
    /// FLOAT_32_UNSIGNED_INT_24_8_REV is a group of two 32-bit words and counts as one element of 8 bytes for addressing
    /// (GL 4.6 core §8.4.4, table "Packed pixel formats"); its words are swapped one by one.
    pub const fn element_bytes(self) -> u8 {
        use PixelType::*;
        match self {
            Byte | UnsignedByte | UnsignedByte332 | UnsignedByte233Rev => 1,
            Short | UnsignedShort | HalfFloat | UnsignedShort565 | UnsignedShort565Rev
            | UnsignedShort4444 | UnsignedShort4444Rev | UnsignedShort5551
            | UnsignedShort1555Rev => 2,
            Int
            | UnsignedInt
            | Float
            | UnsignedInt8888
            | UnsignedInt8888Rev
            | UnsignedInt1010102
            | UnsignedInt2101010Rev
            | UnsignedInt248
            | UnsignedInt10f11f11fRev
            | UnsignedInt5999Rev => 4,
            Float32UnsignedInt248Rev => 8,
        }
    }

    /// Size of the word that UNPACK_SWAP_BYTES reverses.
    pub const fn swap_bytes_unit(self) -> u8 {
        match self {
            PixelType::Float32UnsignedInt248Rev => 4,
            other => other.element_bytes(),
        }
    }

    /// Whether one element holds the whole group.
    pub const fn is_packed(self) -> bool {
        use PixelType::*;
        match self {
            Byte | UnsignedByte | Short | UnsignedShort | Int | UnsignedInt | Float | HalfFloat => {
                false
            }
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
            | UnsignedInt2101010Rev
            | UnsignedInt248
            | UnsignedInt10f11f11fRev
            | UnsignedInt5999Rev
            | Float32UnsignedInt248Rev => true,
        }
    }
}

/// Bytes of one group (one texel) in client memory.
pub const fn group_bytes(format: PixelFormat, ty: PixelType) -> u8 {
    if ty.is_packed() {
        ty.element_bytes()
    } else {
        ty.element_bytes() * format.components()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_against_registry_have_registered_values() {
        let xml = std::str::from_utf8(khronos_api::GL_XML).expect("the registry is UTF-8");
        let names = PixelFormat::ALL
            .iter()
            .map(|f| (f.gl(), f.gl_name()))
            .chain(PixelType::ALL.iter().map(|t| (t.gl(), t.gl_name())));
        for (value, name) in names {
            assert!(
                xml.contains(&format!("value=\"0x{value:04X}\" name=\"{name}\"")),
                "{name} = 0x{value:04X}"
            );
        }
    }

    #[test]
    fn from_gl_of_unknown_value_is_none() {
        assert_eq!(PixelFormat::from_gl(0x1908), Some(PixelFormat::Rgba));
        assert_eq!(PixelFormat::from_gl(0x1400), None);
        assert_eq!(PixelType::from_gl(0x1908), None);
        assert_eq!(PixelType::from_gl(0x1_1401), None);
    }

    #[test]
    fn group_bytes_of_packed_type_is_one_element() {
        assert_eq!(
            group_bytes(PixelFormat::Rgb, PixelType::UnsignedShort565),
            2
        );
        assert_eq!(group_bytes(PixelFormat::Bgr, PixelType::UnsignedShort), 6);
        assert_eq!(
            group_bytes(
                PixelFormat::DepthStencil,
                PixelType::Float32UnsignedInt248Rev
            ),
            8
        );
    }
}
