//! Every sized internal format as one row of a const table; holds facts of the specification, never driver capabilities.
//!
//! A [`Format`] crosses the seam as its 16-bit id; `info()` is an array index. Ids are append-only: a row never moves.
//! What a device can do with a format is the executing side's knowledge (exhaustive `match` in each backend).

use crate::pixels::{PixelFormat, PixelType};
use zerocopy::{Immutable, IntoBytes, KnownLayout, TryFromBytes};

/// Base internal format: GL 4.6 core §8.5, table "Conversion from RGBA, depth, and stencil pixel components to internal
/// texture components" (3.3 core table 3.11); the last four are of the compatibility profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BaseFormat {
    None,
    Red,
    Rg,
    Rgb,
    Rgba,
    Depth,
    DepthStencil,
    Stencil,
    Alpha,
    Luminance,
    LuminanceAlpha,
    Intensity,
}

/// What kind of image a format makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FormatClass {
    None,
    Color,
    Depth,
    Stencil,
    DepthStencil,
    Compressed,
}

/// How the components are read: the "component type" that FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE and shaders see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Component {
    None,
    /// Unsigned normalized fixed point.
    Unorm,
    /// Signed normalized fixed point.
    Snorm,
    /// Unsigned normalized with sRGB encoding of R, G and B (alpha is linear).
    Srgb,
    Float,
    Int,
    Uint,
}

bitflags::bitflags! {
    /// What the specification says of a format.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct FormatFlags: u16 {
        /// Color-renderable: GL 4.6 core §9.4, "Framebuffer completeness", and column "CR" of the sized-format table.
        const COLOR_RENDERABLE = 1 << 0;
        /// Has a depth component: depth-renderable.
        const DEPTH_RENDERABLE = 1 << 1;
        /// Has a stencil component: stencil-renderable.
        const STENCIL_RENDERABLE = 1 << 2;
        /// May be sampled with a filter other than NEAREST (integer and stencil textures may not: GL 4.6 core §8.17).
        const FILTERABLE = 1 << 3;
        /// Must be offered for textures by GL 3.3 core (§3.8.1, "Required Texture Formats").
        const REQUIRED_TEXTURE = 1 << 4;
        /// Must be offered for textures and renderbuffers by GL 3.3 core (same list).
        const REQUIRED_RENDERBUFFER = 1 << 5;
        /// Accepted by `glBindImageTexture`: GL 4.6 core §8.26, table "Supported image unit formats".
        const IMAGE_UNIT = 1 << 6;
        /// Accepted by `glTexBuffer`: GL 4.6 core §8.9, table "Internal formats for buffer textures".
        const BUFFER_TEXTURE = 1 << 7;
        /// Compatibility profile only.
        const LEGACY = 1 << 8;
    }
}

/// Canonical storage: how the client keeps a level's shadow and how texel bytes cross the seam.
/// Rows are tight (no alignment), images follow each other, words are in the machine's byte order.
/// A compressed format has the storage of its [`FormatInfo::decoded`] stand-in: compressed bytes never cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Storage {
    pub format: PixelFormat,
    pub ty: PixelType,
    /// Bytes per texel.
    pub bytes: u8,
}

/// Block of the format's own encoding, in texels and bytes; 1x1 and the texel's bytes when uncompressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    pub width: u8,
    pub height: u8,
    pub bytes: u8,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct FormatInfo {
    pub format: Format,
    /// The GL internal format value.
    pub gl: u32,
    /// Its name in the specification, with the `GL_` prefix.
    pub name: &'static str,
    pub base: BaseFormat,
    pub class: FormatClass,
    pub component: Component,
    /// Nominal bits of R, G, B, A; LUMINANCE and INTENSITY stand in the place of R.
    pub color_bits: [u8; 4],
    pub depth_bits: u8,
    pub stencil_bits: u8,
    pub storage: Storage,
    pub block: Block,
    /// The uncompressed format in which a compressed image is stored and sampled; itself when uncompressed.
    pub decoded: Format,
    pub flags: FormatFlags,
}

macro_rules! format_table {
    (
        plain { $($pid:literal $pname:ident $ptext:literal $pgl:literal $pbase:ident $pkind:ident
                  [$pr:literal $pg:literal $pb:literal $pa:literal | $pd:literal $ps:literal]
                  $ppf:ident $ppt:ident $pbytes:literal { $($pflag:ident)* };)* }
        compressed { $($cid:literal $cname:ident $ctext:literal $cgl:literal $cbase:ident $ckind:ident
                  [$cr:literal $cg:literal $cb:literal $ca:literal] [$cw:literal $ch:literal $cblock:literal]
                  $cdecoded:ident $cpf:ident $cpt:ident $cbytes:literal { $($cflag:ident)* };)* }
    ) => {
        /// A sized internal format. `None` (0) means "no storage".
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[derive(TryFromBytes, IntoBytes, Immutable, KnownLayout)]
        #[repr(u16)]
        pub enum Format {
            #[default]
            None = 0,
            $(#[doc = $ptext] $pname = $pid,)*
            $(#[doc = $ctext] $cname = $cid,)*
        }

        static TABLE: &[FormatInfo] = &[
            FormatInfo {
                format: Format::None,
                gl: 0,
                name: "GL_NONE",
                base: BaseFormat::None,
                class: FormatClass::None,
                component: Component::None,
                color_bits: [0; 4],
                depth_bits: 0,
                stencil_bits: 0,
                storage: Storage { format: PixelFormat::Red, ty: PixelType::UnsignedByte, bytes: 0 },
                block: Block { width: 1, height: 1, bytes: 0 },
                decoded: Format::None,
                flags: FormatFlags::empty(),
            },
            $(FormatInfo {
                format: Format::$pname,
                gl: $pgl,
                name: $ptext,
                base: BaseFormat::$pbase,
                class: plain_class(BaseFormat::$pbase),
                component: Component::$pkind,
                color_bits: [$pr, $pg, $pb, $pa],
                depth_bits: $pd,
                stencil_bits: $ps,
                storage: Storage { format: PixelFormat::$ppf, ty: PixelType::$ppt, bytes: $pbytes },
                block: Block { width: 1, height: 1, bytes: $pbytes },
                decoded: Format::$pname,
                flags: FormatFlags::empty()$(.union(flag::$pflag))*,
            },)*
            $(FormatInfo {
                format: Format::$cname,
                gl: $cgl,
                name: $ctext,
                base: BaseFormat::$cbase,
                class: FormatClass::Compressed,
                component: Component::$ckind,
                color_bits: [$cr, $cg, $cb, $ca],
                depth_bits: 0,
                stencil_bits: 0,
                storage: Storage { format: PixelFormat::$cpf, ty: PixelType::$cpt, bytes: $cbytes },
                block: Block { width: $cw, height: $ch, bytes: $cblock },
                decoded: Format::$cdecoded,
                flags: FormatFlags::empty()$(.union(flag::$cflag))*,
            },)*
        ];

        impl Format {
            /// Every format but `None`, in id order.
            pub const ALL: &[Format] = &[$(Format::$pname,)* $(Format::$cname,)*];

            /// The format of a *sized* (or specific compressed) internal format value; everything else is `None`:
            /// see [`resolve_unsized`].
            pub const fn from_gl(internal_format: u32) -> Option<Format> {
                match internal_format {
                    $($pgl => Some(Format::$pname),)*
                    $($cgl => Some(Format::$cname),)*
                    _ => None,
                }
            }
        }
    };
}

/// Short names of the flags for the table's rows.
mod flag {
    use super::FormatFlags;
    pub const CR: FormatFlags = FormatFlags::COLOR_RENDERABLE;
    pub const DR: FormatFlags = FormatFlags::DEPTH_RENDERABLE;
    pub const SR: FormatFlags = FormatFlags::STENCIL_RENDERABLE;
    pub const FI: FormatFlags = FormatFlags::FILTERABLE;
    /// Required for textures only.
    pub const QT: FormatFlags = FormatFlags::REQUIRED_TEXTURE;
    /// Required for textures and renderbuffers.
    pub const QR: FormatFlags =
        FormatFlags::REQUIRED_TEXTURE.union(FormatFlags::REQUIRED_RENDERBUFFER);
    pub const IM: FormatFlags = FormatFlags::IMAGE_UNIT;
    pub const TB: FormatFlags = FormatFlags::BUFFER_TEXTURE;
    pub const LE: FormatFlags = FormatFlags::LEGACY;
}

const fn plain_class(base: BaseFormat) -> FormatClass {
    match base {
        BaseFormat::None => FormatClass::None,
        BaseFormat::Depth => FormatClass::Depth,
        BaseFormat::Stencil => FormatClass::Stencil,
        BaseFormat::DepthStencil => FormatClass::DepthStencil,
        BaseFormat::Red
        | BaseFormat::Rg
        | BaseFormat::Rgb
        | BaseFormat::Rgba
        | BaseFormat::Alpha
        | BaseFormat::Luminance
        | BaseFormat::LuminanceAlpha
        | BaseFormat::Intensity => FormatClass::Color,
    }
}

// Bits: GL 4.6 core §8.5, tables "Correspondence of sized internal color formats to base internal formats" and "... depth and
// stencil formats" (3.3 core tables 3.12 and 3.13). Storage is ours: the narrowest client layout that loses nothing.
#[rustfmt::skip]
format_table! {
plain {
//  id name           text                  value  base  kind  [ r  g  b  a |d s] storage                      B  flags
     1 R8             "GL_R8"               0x8229 Red   Unorm [ 8  0  0  0 |0 0] Red  UnsignedByte             1 { CR FI QR IM TB };
     2 R8Snorm        "GL_R8_SNORM"         0x8F94 Red   Snorm [ 8  0  0  0 |0 0] Red  Byte                     1 { CR FI QT IM };
     3 R16            "GL_R16"              0x822A Red   Unorm [16  0  0  0 |0 0] Red  UnsignedShort            2 { CR FI QR IM TB };
     4 R16Snorm       "GL_R16_SNORM"        0x8F98 Red   Snorm [16  0  0  0 |0 0] Red  Short                    2 { CR FI QT IM };
     5 Rg8            "GL_RG8"              0x822B Rg    Unorm [ 8  8  0  0 |0 0] Rg   UnsignedByte             2 { CR FI QR IM TB };
     6 Rg8Snorm       "GL_RG8_SNORM"        0x8F95 Rg    Snorm [ 8  8  0  0 |0 0] Rg   Byte                     2 { CR FI QT IM };
     7 Rg16           "GL_RG16"             0x822C Rg    Unorm [16 16  0  0 |0 0] Rg   UnsignedShort            4 { CR FI QR IM TB };
     8 Rg16Snorm      "GL_RG16_SNORM"       0x8F99 Rg    Snorm [16 16  0  0 |0 0] Rg   Short                    4 { CR FI QT IM };
     9 R3G3B2         "GL_R3_G3_B2"         0x2A10 Rgb   Unorm [ 3  3  2  0 |0 0] Rgb  UnsignedByte332          1 { CR FI };
    10 Rgb4           "GL_RGB4"             0x804F Rgb   Unorm [ 4  4  4  0 |0 0] Rgb  UnsignedShort565         2 { CR FI };
    11 Rgb5           "GL_RGB5"             0x8050 Rgb   Unorm [ 5  5  5  0 |0 0] Rgb  UnsignedShort565         2 { CR FI };
    12 Rgb565         "GL_RGB565"           0x8D62 Rgb   Unorm [ 5  6  5  0 |0 0] Rgb  UnsignedShort565         2 { CR FI };
    13 Rgb8           "GL_RGB8"             0x8051 Rgb   Unorm [ 8  8  8  0 |0 0] Rgb  UnsignedByte             3 { CR FI QT };
    14 Rgb8Snorm      "GL_RGB8_SNORM"       0x8F96 Rgb   Snorm [ 8  8  8  0 |0 0] Rgb  Byte                     3 { CR FI QT };
    15 Rgb10          "GL_RGB10"            0x8052 Rgb   Unorm [10 10 10  0 |0 0] Rgb  UnsignedShort            6 { CR FI };
    16 Rgb12          "GL_RGB12"            0x8053 Rgb   Unorm [12 12 12  0 |0 0] Rgb  UnsignedShort            6 { CR FI };
    17 Rgb16          "GL_RGB16"            0x8054 Rgb   Unorm [16 16 16  0 |0 0] Rgb  UnsignedShort            6 { CR FI QT };
    18 Rgb16Snorm     "GL_RGB16_SNORM"      0x8F9A Rgb   Snorm [16 16 16  0 |0 0] Rgb  Short                    6 { CR FI QT };
    19 Rgba2          "GL_RGBA2"            0x8055 Rgba  Unorm [ 2  2  2  2 |0 0] Rgba UnsignedShort4444        2 { CR FI };
    20 Rgba4          "GL_RGBA4"            0x8056 Rgba  Unorm [ 4  4  4  4 |0 0] Rgba UnsignedShort4444        2 { CR FI };
    21 Rgb5A1         "GL_RGB5_A1"          0x8057 Rgba  Unorm [ 5  5  5  1 |0 0] Rgba UnsignedShort5551        2 { CR FI };
    22 Rgba8          "GL_RGBA8"            0x8058 Rgba  Unorm [ 8  8  8  8 |0 0] Rgba UnsignedByte             4 { CR FI QR IM TB };
    23 Rgba8Snorm     "GL_RGBA8_SNORM"      0x8F97 Rgba  Snorm [ 8  8  8  8 |0 0] Rgba Byte                     4 { CR FI QT IM };
    24 Rgb10A2        "GL_RGB10_A2"         0x8059 Rgba  Unorm [10 10 10  2 |0 0] Rgba UnsignedInt2101010Rev    4 { CR FI QR IM };
    25 Rgb10A2ui      "GL_RGB10_A2UI"       0x906F Rgba  Uint  [10 10 10  2 |0 0] RgbaInteger UnsignedInt2101010Rev 4 { CR QR IM };
    26 Rgba12         "GL_RGBA12"           0x805A Rgba  Unorm [12 12 12 12 |0 0] Rgba UnsignedShort            8 { CR FI };
    27 Rgba16         "GL_RGBA16"           0x805B Rgba  Unorm [16 16 16 16 |0 0] Rgba UnsignedShort            8 { CR FI QR IM TB };
    28 Rgba16Snorm    "GL_RGBA16_SNORM"     0x8F9B Rgba  Snorm [16 16 16 16 |0 0] Rgba Short                    8 { CR FI QT IM };
    29 Srgb8          "GL_SRGB8"            0x8C41 Rgb   Srgb  [ 8  8  8  0 |0 0] Rgb  UnsignedByte             3 { CR FI QT };
    30 Srgb8Alpha8    "GL_SRGB8_ALPHA8"     0x8C43 Rgba  Srgb  [ 8  8  8  8 |0 0] Rgba UnsignedByte             4 { CR FI QR };
    31 R16f           "GL_R16F"             0x822D Red   Float [16  0  0  0 |0 0] Red  HalfFloat                2 { CR FI QR IM TB };
    32 Rg16f          "GL_RG16F"            0x822F Rg    Float [16 16  0  0 |0 0] Rg   HalfFloat                4 { CR FI QR IM TB };
    33 Rgb16f         "GL_RGB16F"           0x881B Rgb   Float [16 16 16  0 |0 0] Rgb  HalfFloat                6 { CR FI QT };
    34 Rgba16f        "GL_RGBA16F"          0x881A Rgba  Float [16 16 16 16 |0 0] Rgba HalfFloat                8 { CR FI QR IM TB };
    35 R32f           "GL_R32F"             0x822E Red   Float [32  0  0  0 |0 0] Red  Float                    4 { CR FI QR IM TB };
    36 Rg32f          "GL_RG32F"            0x8230 Rg    Float [32 32  0  0 |0 0] Rg   Float                    8 { CR FI QR IM TB };
    37 Rgb32f         "GL_RGB32F"           0x8815 Rgb   Float [32 32 32  0 |0 0] Rgb  Float                   12 { CR FI QT TB };
    38 Rgba32f        "GL_RGBA32F"          0x8814 Rgba  Float [32 32 32 32 |0 0] Rgba Float                   16 { CR FI QR IM TB };
    39 R11fG11fB10f   "GL_R11F_G11F_B10F"   0x8C3A Rgb   Float [11 11 10  0 |0 0] Rgb  UnsignedInt10f11f11fRev  4 { CR FI QR IM };
    // Shared exponent of 5 bits. Not color-renderable: GL 4.6 core §9.4.
    40 Rgb9E5         "GL_RGB9_E5"          0x8C3D Rgb   Float [ 9  9  9  0 |0 0] Rgb  UnsignedInt5999Rev       4 { FI QT };
    41 R8i            "GL_R8I"              0x8231 Red   Int   [ 8  0  0  0 |0 0] RedInteger  Byte              1 { CR QR IM TB };
    42 R8ui           "GL_R8UI"             0x8232 Red   Uint  [ 8  0  0  0 |0 0] RedInteger  UnsignedByte      1 { CR QR IM TB };
    43 R16i           "GL_R16I"             0x8233 Red   Int   [16  0  0  0 |0 0] RedInteger  Short             2 { CR QR IM TB };
    44 R16ui          "GL_R16UI"            0x8234 Red   Uint  [16  0  0  0 |0 0] RedInteger  UnsignedShort     2 { CR QR IM TB };
    45 R32i           "GL_R32I"             0x8235 Red   Int   [32  0  0  0 |0 0] RedInteger  Int               4 { CR QR IM TB };
    46 R32ui          "GL_R32UI"            0x8236 Red   Uint  [32  0  0  0 |0 0] RedInteger  UnsignedInt       4 { CR QR IM TB };
    47 Rg8i           "GL_RG8I"             0x8237 Rg    Int   [ 8  8  0  0 |0 0] RgInteger   Byte              2 { CR QR IM TB };
    48 Rg8ui          "GL_RG8UI"            0x8238 Rg    Uint  [ 8  8  0  0 |0 0] RgInteger   UnsignedByte      2 { CR QR IM TB };
    49 Rg16i          "GL_RG16I"            0x8239 Rg    Int   [16 16  0  0 |0 0] RgInteger   Short             4 { CR QR IM TB };
    50 Rg16ui         "GL_RG16UI"           0x823A Rg    Uint  [16 16  0  0 |0 0] RgInteger   UnsignedShort     4 { CR QR IM TB };
    51 Rg32i          "GL_RG32I"            0x823B Rg    Int   [32 32  0  0 |0 0] RgInteger   Int               8 { CR QR IM TB };
    52 Rg32ui         "GL_RG32UI"           0x823C Rg    Uint  [32 32  0  0 |0 0] RgInteger   UnsignedInt       8 { CR QR IM TB };
    53 Rgb8i          "GL_RGB8I"            0x8D8F Rgb   Int   [ 8  8  8  0 |0 0] RgbInteger  Byte              3 { CR QT };
    54 Rgb8ui         "GL_RGB8UI"           0x8D7D Rgb   Uint  [ 8  8  8  0 |0 0] RgbInteger  UnsignedByte      3 { CR QT };
    55 Rgb16i         "GL_RGB16I"           0x8D89 Rgb   Int   [16 16 16  0 |0 0] RgbInteger  Short             6 { CR QT };
    56 Rgb16ui        "GL_RGB16UI"          0x8D77 Rgb   Uint  [16 16 16  0 |0 0] RgbInteger  UnsignedShort     6 { CR QT };
    57 Rgb32i         "GL_RGB32I"           0x8D83 Rgb   Int   [32 32 32  0 |0 0] RgbInteger  Int              12 { CR QT TB };
    58 Rgb32ui        "GL_RGB32UI"          0x8D71 Rgb   Uint  [32 32 32  0 |0 0] RgbInteger  UnsignedInt      12 { CR QT TB };
    59 Rgba8i         "GL_RGBA8I"           0x8D8E Rgba  Int   [ 8  8  8  8 |0 0] RgbaInteger Byte              4 { CR QR IM TB };
    60 Rgba8ui        "GL_RGBA8UI"          0x8D7C Rgba  Uint  [ 8  8  8  8 |0 0] RgbaInteger UnsignedByte      4 { CR QR IM TB };
    61 Rgba16i        "GL_RGBA16I"          0x8D88 Rgba  Int   [16 16 16 16 |0 0] RgbaInteger Short             8 { CR QR IM TB };
    62 Rgba16ui       "GL_RGBA16UI"         0x8D76 Rgba  Uint  [16 16 16 16 |0 0] RgbaInteger UnsignedShort     8 { CR QR IM TB };
    63 Rgba32i        "GL_RGBA32I"          0x8D82 Rgba  Int   [32 32 32 32 |0 0] RgbaInteger Int              16 { CR QR IM TB };
    64 Rgba32ui       "GL_RGBA32UI"         0x8D70 Rgba  Uint  [32 32 32 32 |0 0] RgbaInteger UnsignedInt      16 { CR QR IM TB };
    65 Depth16        "GL_DEPTH_COMPONENT16"  0x81A5 Depth Unorm [0 0 0 0 |16 0] DepthComponent UnsignedShort   2 { DR FI QR };
    // 24 bits are kept in the high bits of a 32-bit word, as UNSIGNED_INT reads them.
    66 Depth24        "GL_DEPTH_COMPONENT24"  0x81A6 Depth Unorm [0 0 0 0 |24 0] DepthComponent UnsignedInt     4 { DR FI QR };
    67 Depth32        "GL_DEPTH_COMPONENT32"  0x81A7 Depth Unorm [0 0 0 0 |32 0] DepthComponent UnsignedInt     4 { DR FI };
    68 Depth32f       "GL_DEPTH_COMPONENT32F" 0x8CAC Depth Float [0 0 0 0 |32 0] DepthComponent Float           4 { DR FI QR };
    69 Depth24Stencil8  "GL_DEPTH24_STENCIL8"  0x88F0 DepthStencil Unorm [0 0 0 0 |24 8] DepthStencil UnsignedInt248           4 { DR SR FI QR };
    70 Depth32fStencil8 "GL_DEPTH32F_STENCIL8" 0x8CAD DepthStencil Float [0 0 0 0 |32 8] DepthStencil Float32UnsignedInt248Rev 8 { DR SR FI QR };
    // A renderbuffer format in 3.3, a texture format since 4.4.
    71 StencilIndex8  "GL_STENCIL_INDEX8"   0x8D48 Stencil Uint [0 0 0 0 |0 8] StencilIndex UnsignedByte        1 { SR };
    72 Alpha8         "GL_ALPHA8"           0x803C Alpha          Unorm [0 0 0 8 |0 0] Alpha          UnsignedByte 1 { FI LE };
    73 Luminance8     "GL_LUMINANCE8"       0x8040 Luminance      Unorm [8 0 0 0 |0 0] Luminance      UnsignedByte 1 { FI LE };
    74 Luminance8Alpha8 "GL_LUMINANCE8_ALPHA8" 0x8045 LuminanceAlpha Unorm [8 0 0 8 |0 0] LuminanceAlpha UnsignedByte 2 { FI LE };
    // Intensity takes R of the incoming group and answers it as R in queries: stored as RED.
    75 Intensity8     "GL_INTENSITY8"       0x804B Intensity      Unorm [8 0 0 0 |0 0] Red            UnsignedByte 1 { FI LE };
}
compressed {
// GL 4.6 core §8.7, table "Generic and specific compressed internal formats", and appendix "Compressed Texture Image Formats".
//   id name                               text                                        value  base  kind  [ r  g  b  a] [w h B] stand-in + storage              B  flags
     76 CompressedRedRgtc1                "GL_COMPRESSED_RED_RGTC1"                    0x8DBB Red   Unorm [ 8  0  0  0] [4 4  8] R8      Red  UnsignedByte        1 { FI QT };
     77 CompressedSignedRedRgtc1          "GL_COMPRESSED_SIGNED_RED_RGTC1"             0x8DBC Red   Snorm [ 8  0  0  0] [4 4  8] R8Snorm Red  Byte                1 { FI QT };
     78 CompressedRgRgtc2                 "GL_COMPRESSED_RG_RGTC2"                     0x8DBD Rg    Unorm [ 8  8  0  0] [4 4 16] Rg8     Rg   UnsignedByte        2 { FI QT };
     79 CompressedSignedRgRgtc2           "GL_COMPRESSED_SIGNED_RG_RGTC2"              0x8DBE Rg    Snorm [ 8  8  0  0] [4 4 16] Rg8Snorm Rg  Byte                2 { FI QT };
     // EXT_texture_compression_s3tc and EXT_texture_sRGB.
     80 CompressedRgbS3tcDxt1             "GL_COMPRESSED_RGB_S3TC_DXT1_EXT"            0x83F0 Rgb   Unorm [ 5  6  5  0] [4 4  8] Rgb8    Rgb  UnsignedByte        3 { FI };
     81 CompressedRgbaS3tcDxt1            "GL_COMPRESSED_RGBA_S3TC_DXT1_EXT"           0x83F1 Rgba  Unorm [ 5  6  5  1] [4 4  8] Rgba8   Rgba UnsignedByte        4 { FI };
     82 CompressedRgbaS3tcDxt3            "GL_COMPRESSED_RGBA_S3TC_DXT3_EXT"           0x83F2 Rgba  Unorm [ 5  6  5  4] [4 4 16] Rgba8   Rgba UnsignedByte        4 { FI };
     83 CompressedRgbaS3tcDxt5            "GL_COMPRESSED_RGBA_S3TC_DXT5_EXT"           0x83F3 Rgba  Unorm [ 5  6  5  8] [4 4 16] Rgba8   Rgba UnsignedByte        4 { FI };
     84 CompressedSrgbS3tcDxt1            "GL_COMPRESSED_SRGB_S3TC_DXT1_EXT"           0x8C4C Rgb   Srgb  [ 5  6  5  0] [4 4  8] Srgb8   Rgb  UnsignedByte        3 { FI };
     85 CompressedSrgbAlphaS3tcDxt1       "GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT"     0x8C4D Rgba  Srgb  [ 5  6  5  1] [4 4  8] Srgb8Alpha8 Rgba UnsignedByte    4 { FI };
     86 CompressedSrgbAlphaS3tcDxt3       "GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT"     0x8C4E Rgba  Srgb  [ 5  6  5  4] [4 4 16] Srgb8Alpha8 Rgba UnsignedByte    4 { FI };
     87 CompressedSrgbAlphaS3tcDxt5       "GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT"     0x8C4F Rgba  Srgb  [ 5  6  5  8] [4 4 16] Srgb8Alpha8 Rgba UnsignedByte    4 { FI };
     88 CompressedRgbaBptcUnorm           "GL_COMPRESSED_RGBA_BPTC_UNORM"              0x8E8C Rgba  Unorm [ 8  8  8  8] [4 4 16] Rgba8   Rgba UnsignedByte        4 { FI };
     89 CompressedSrgbAlphaBptcUnorm      "GL_COMPRESSED_SRGB_ALPHA_BPTC_UNORM"        0x8E8D Rgba  Srgb  [ 8  8  8  8] [4 4 16] Srgb8Alpha8 Rgba UnsignedByte    4 { FI };
     90 CompressedRgbBptcSignedFloat      "GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT"        0x8E8E Rgb   Float [16 16 16  0] [4 4 16] Rgb16f  Rgb  HalfFloat           6 { FI };
     91 CompressedRgbBptcUnsignedFloat    "GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT"      0x8E8F Rgb   Float [16 16 16  0] [4 4 16] Rgb16f  Rgb  HalfFloat           6 { FI };
     92 CompressedR11Eac                  "GL_COMPRESSED_R11_EAC"                      0x9270 Red   Unorm [11  0  0  0] [4 4  8] R16     Red  UnsignedShort       2 { FI };
     93 CompressedSignedR11Eac            "GL_COMPRESSED_SIGNED_R11_EAC"               0x9271 Red   Snorm [11  0  0  0] [4 4  8] R16Snorm Red Short               2 { FI };
     94 CompressedRg11Eac                 "GL_COMPRESSED_RG11_EAC"                     0x9272 Rg    Unorm [11 11  0  0] [4 4 16] Rg16    Rg   UnsignedShort       4 { FI };
     95 CompressedSignedRg11Eac           "GL_COMPRESSED_SIGNED_RG11_EAC"              0x9273 Rg    Snorm [11 11  0  0] [4 4 16] Rg16Snorm Rg Short               4 { FI };
     96 CompressedRgb8Etc2                "GL_COMPRESSED_RGB8_ETC2"                    0x9274 Rgb   Unorm [ 8  8  8  0] [4 4  8] Rgb8    Rgb  UnsignedByte        3 { FI };
     97 CompressedSrgb8Etc2               "GL_COMPRESSED_SRGB8_ETC2"                   0x9275 Rgb   Srgb  [ 8  8  8  0] [4 4  8] Srgb8   Rgb  UnsignedByte        3 { FI };
     98 CompressedRgb8PunchthroughAlpha1Etc2  "GL_COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2"  0x9276 Rgba Unorm [8 8 8 1] [4 4 8] Rgba8 Rgba UnsignedByte          4 { FI };
     99 CompressedSrgb8PunchthroughAlpha1Etc2 "GL_COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2" 0x9277 Rgba Srgb  [8 8 8 1] [4 4 8] Srgb8Alpha8 Rgba UnsignedByte    4 { FI };
    100 CompressedRgba8Etc2Eac            "GL_COMPRESSED_RGBA8_ETC2_EAC"               0x9278 Rgba  Unorm [ 8  8  8  8] [4 4 16] Rgba8   Rgba UnsignedByte        4 { FI };
    101 CompressedSrgb8Alpha8Etc2Eac      "GL_COMPRESSED_SRGB8_ALPHA8_ETC2_EAC"        0x9279 Rgba  Srgb  [ 8  8  8  8] [4 4 16] Srgb8Alpha8 Rgba UnsignedByte    4 { FI };
    // KHR_texture_compression_astc_ldr: optional everywhere.
    102 CompressedRgbaAstc4x4             "GL_COMPRESSED_RGBA_ASTC_4x4_KHR"            0x93B0 Rgba  Unorm [ 8  8  8  8] [ 4  4 16] Rgba8 Rgba UnsignedByte        4 { FI };
    103 CompressedRgbaAstc5x4             "GL_COMPRESSED_RGBA_ASTC_5x4_KHR"            0x93B1 Rgba  Unorm [ 8  8  8  8] [ 5  4 16] Rgba8 Rgba UnsignedByte        4 { FI };
    104 CompressedRgbaAstc5x5             "GL_COMPRESSED_RGBA_ASTC_5x5_KHR"            0x93B2 Rgba  Unorm [ 8  8  8  8] [ 5  5 16] Rgba8 Rgba UnsignedByte        4 { FI };
    105 CompressedRgbaAstc6x5             "GL_COMPRESSED_RGBA_ASTC_6x5_KHR"            0x93B3 Rgba  Unorm [ 8  8  8  8] [ 6  5 16] Rgba8 Rgba UnsignedByte        4 { FI };
    106 CompressedRgbaAstc6x6             "GL_COMPRESSED_RGBA_ASTC_6x6_KHR"            0x93B4 Rgba  Unorm [ 8  8  8  8] [ 6  6 16] Rgba8 Rgba UnsignedByte        4 { FI };
    107 CompressedRgbaAstc8x5             "GL_COMPRESSED_RGBA_ASTC_8x5_KHR"            0x93B5 Rgba  Unorm [ 8  8  8  8] [ 8  5 16] Rgba8 Rgba UnsignedByte        4 { FI };
    108 CompressedRgbaAstc8x6             "GL_COMPRESSED_RGBA_ASTC_8x6_KHR"            0x93B6 Rgba  Unorm [ 8  8  8  8] [ 8  6 16] Rgba8 Rgba UnsignedByte        4 { FI };
    109 CompressedRgbaAstc8x8             "GL_COMPRESSED_RGBA_ASTC_8x8_KHR"            0x93B7 Rgba  Unorm [ 8  8  8  8] [ 8  8 16] Rgba8 Rgba UnsignedByte        4 { FI };
    110 CompressedRgbaAstc10x5            "GL_COMPRESSED_RGBA_ASTC_10x5_KHR"           0x93B8 Rgba  Unorm [ 8  8  8  8] [10  5 16] Rgba8 Rgba UnsignedByte        4 { FI };
    111 CompressedRgbaAstc10x6            "GL_COMPRESSED_RGBA_ASTC_10x6_KHR"           0x93B9 Rgba  Unorm [ 8  8  8  8] [10  6 16] Rgba8 Rgba UnsignedByte        4 { FI };
    112 CompressedRgbaAstc10x8            "GL_COMPRESSED_RGBA_ASTC_10x8_KHR"           0x93BA Rgba  Unorm [ 8  8  8  8] [10  8 16] Rgba8 Rgba UnsignedByte        4 { FI };
    113 CompressedRgbaAstc10x10           "GL_COMPRESSED_RGBA_ASTC_10x10_KHR"          0x93BB Rgba  Unorm [ 8  8  8  8] [10 10 16] Rgba8 Rgba UnsignedByte        4 { FI };
    114 CompressedRgbaAstc12x10           "GL_COMPRESSED_RGBA_ASTC_12x10_KHR"          0x93BC Rgba  Unorm [ 8  8  8  8] [12 10 16] Rgba8 Rgba UnsignedByte        4 { FI };
    115 CompressedRgbaAstc12x12           "GL_COMPRESSED_RGBA_ASTC_12x12_KHR"          0x93BD Rgba  Unorm [ 8  8  8  8] [12 12 16] Rgba8 Rgba UnsignedByte        4 { FI };
    116 CompressedSrgb8Alpha8Astc4x4      "GL_COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR"    0x93D0 Rgba  Srgb  [ 8  8  8  8] [ 4  4 16] Srgb8Alpha8 Rgba UnsignedByte  4 { FI };
    117 CompressedSrgb8Alpha8Astc5x4      "GL_COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR"    0x93D1 Rgba  Srgb  [ 8  8  8  8] [ 5  4 16] Srgb8Alpha8 Rgba UnsignedByte  4 { FI };
    118 CompressedSrgb8Alpha8Astc5x5      "GL_COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR"    0x93D2 Rgba  Srgb  [ 8  8  8  8] [ 5  5 16] Srgb8Alpha8 Rgba UnsignedByte  4 { FI };
    119 CompressedSrgb8Alpha8Astc6x5      "GL_COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR"    0x93D3 Rgba  Srgb  [ 8  8  8  8] [ 6  5 16] Srgb8Alpha8 Rgba UnsignedByte  4 { FI };
    120 CompressedSrgb8Alpha8Astc6x6      "GL_COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR"    0x93D4 Rgba  Srgb  [ 8  8  8  8] [ 6  6 16] Srgb8Alpha8 Rgba UnsignedByte  4 { FI };
    121 CompressedSrgb8Alpha8Astc8x5      "GL_COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR"    0x93D5 Rgba  Srgb  [ 8  8  8  8] [ 8  5 16] Srgb8Alpha8 Rgba UnsignedByte  4 { FI };
    122 CompressedSrgb8Alpha8Astc8x6      "GL_COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR"    0x93D6 Rgba  Srgb  [ 8  8  8  8] [ 8  6 16] Srgb8Alpha8 Rgba UnsignedByte  4 { FI };
    123 CompressedSrgb8Alpha8Astc8x8      "GL_COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR"    0x93D7 Rgba  Srgb  [ 8  8  8  8] [ 8  8 16] Srgb8Alpha8 Rgba UnsignedByte  4 { FI };
    124 CompressedSrgb8Alpha8Astc10x5     "GL_COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR"   0x93D8 Rgba  Srgb  [ 8  8  8  8] [10  5 16] Srgb8Alpha8 Rgba UnsignedByte  4 { FI };
    125 CompressedSrgb8Alpha8Astc10x6     "GL_COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR"   0x93D9 Rgba  Srgb  [ 8  8  8  8] [10  6 16] Srgb8Alpha8 Rgba UnsignedByte  4 { FI };
    126 CompressedSrgb8Alpha8Astc10x8     "GL_COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR"   0x93DA Rgba  Srgb  [ 8  8  8  8] [10  8 16] Srgb8Alpha8 Rgba UnsignedByte  4 { FI };
    127 CompressedSrgb8Alpha8Astc10x10    "GL_COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR"  0x93DB Rgba  Srgb  [ 8  8  8  8] [10 10 16] Srgb8Alpha8 Rgba UnsignedByte  4 { FI };
    128 CompressedSrgb8Alpha8Astc12x10    "GL_COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR"  0x93DC Rgba  Srgb  [ 8  8  8  8] [12 10 16] Srgb8Alpha8 Rgba UnsignedByte  4 { FI };
    129 CompressedSrgb8Alpha8Astc12x12    "GL_COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR"  0x93DD Rgba  Srgb  [ 8  8  8  8] [12 12 16] Srgb8Alpha8 Rgba UnsignedByte  4 { FI };
}
}

// `info()` is a plain index: row i must be format i.
const _: () = {
    assert!(Format::ALL.len() == Format::COUNT - 1);
    let mut i = 0;
    while i < Format::ALL.len() {
        assert!(
            Format::ALL[i] as usize == i + 1,
            "format ids must be dense and in table order"
        );
        i += 1;
    }
};

impl Format {
    /// Number of ids, `None` included: the length of an array indexed by `format as usize`.
    pub const COUNT: usize = Format::CompressedSrgb8Alpha8Astc12x12 as usize + 1;

    /// The format's row.
    #[inline]
    pub fn info(self) -> &'static FormatInfo {
        &TABLE[self as usize]
    }

    /// The GL internal format value; 0 for `None`.
    pub fn gl(self) -> u32 {
        self.info().gl
    }
}

impl FormatInfo {
    /// Whether shaders see integers: such a texture pairs only with `*_INTEGER` pixel formats.
    pub fn is_integer(&self) -> bool {
        self.class == FormatClass::Color
            && matches!(self.component, Component::Int | Component::Uint)
    }

    pub fn is_compressed(&self) -> bool {
        self.class == FormatClass::Compressed
    }

    pub fn is_srgb(&self) -> bool {
        self.component == Component::Srgb
    }

    /// Whether this is a colour format, compressed ones included.
    pub fn is_color(&self) -> bool {
        matches!(self.class, FormatClass::Color | FormatClass::Compressed)
    }

    pub fn has_depth(&self) -> bool {
        self.depth_bits != 0
    }

    pub fn has_stencil(&self) -> bool {
        self.stencil_bits != 0
    }

    /// Bits of the shared exponent (TEXTURE_SHARED_SIZE).
    pub fn shared_bits(&self) -> u8 {
        if self.format == Format::Rgb9E5 { 5 } else { 0 }
    }

    /// Bytes of a level in canonical storage; `None` on overflow.
    pub fn storage_bytes(&self, width: u32, height: u32, depth: u32) -> Option<u64> {
        u64::from(width)
            .checked_mul(u64::from(height))?
            .checked_mul(u64::from(depth))?
            .checked_mul(u64::from(self.storage.bytes))
    }

    /// Bytes of an image in the format's own encoding (`imageSize` of `glCompressedTexImage*`: GL 4.6 core §8.7);
    /// `None` on overflow.
    pub fn encoded_bytes(&self, width: u32, height: u32, depth: u32) -> Option<u64> {
        let blocks_wide = u64::from(width.div_ceil(u32::from(self.block.width)));
        let blocks_high = u64::from(height.div_ceil(u32::from(self.block.height)));
        blocks_wide
            .checked_mul(blocks_high)?
            .checked_mul(u64::from(depth))?
            .checked_mul(u64::from(self.block.bytes))
    }
}

/// The sized format that a base, generic compressed or legacy internal format gets.
///
/// GL 4.6 core §8.5 leaves the resolution to the implementation but wants it to depend on the parameters alone; ours is the
/// choice of desktop drivers: 8 bits (10 with a 10-bit type), 24-bit depth. `None`: not such an internal format.
pub fn resolve_unsized(internal_format: u32, format: PixelFormat, ty: PixelType) -> Option<Format> {
    let ten_bits = matches!(
        ty,
        PixelType::UnsignedInt1010102 | PixelType::UnsignedInt2101010Rev
    );
    let float_depth =
        format == PixelFormat::DepthStencil && ty == PixelType::Float32UnsignedInt248Rev;
    Some(match internal_format {
        gl::RED | gl::COMPRESSED_RED => Format::R8,
        gl::RG | gl::COMPRESSED_RG => Format::Rg8,
        gl::RGB | gl::COMPRESSED_RGB | 3 => Format::Rgb8,
        gl::RGBA if ten_bits => Format::Rgb10A2,
        gl::RGBA | gl::COMPRESSED_RGBA | 4 => Format::Rgba8,
        gl::SRGB | gl::COMPRESSED_SRGB => Format::Srgb8,
        gl::SRGB_ALPHA | gl::COMPRESSED_SRGB_ALPHA => Format::Srgb8Alpha8,
        gl::DEPTH_COMPONENT => Format::Depth24,
        gl::DEPTH_STENCIL if float_depth => Format::Depth32fStencil8,
        gl::DEPTH_STENCIL => Format::Depth24Stencil8,
        gl::STENCIL_INDEX => Format::StencilIndex8,
        // Compatibility profile, GL 4.6 compatibility §8.5; 1 to 4 are the component counts of GL 1.0.
        gl::ALPHA | gl::COMPRESSED_ALPHA => Format::Alpha8,
        gl::LUMINANCE | gl::COMPRESSED_LUMINANCE | 1 => Format::Luminance8,
        gl::LUMINANCE_ALPHA | gl::COMPRESSED_LUMINANCE_ALPHA | 2 => Format::Luminance8Alpha8,
        gl::INTENSITY | gl::COMPRESSED_INTENSITY => Format::Intensity8,
        _ => return None,
    })
}

/// Unsized internal format values (the sized ones stand in the table).
mod gl {
    pub const STENCIL_INDEX: u32 = 0x1901;
    pub const DEPTH_COMPONENT: u32 = 0x1902;
    pub const RED: u32 = 0x1903;
    pub const ALPHA: u32 = 0x1906;
    pub const RGB: u32 = 0x1907;
    pub const RGBA: u32 = 0x1908;
    pub const LUMINANCE: u32 = 0x1909;
    pub const LUMINANCE_ALPHA: u32 = 0x190A;
    pub const INTENSITY: u32 = 0x8049;
    pub const RG: u32 = 0x8227;
    pub const COMPRESSED_RED: u32 = 0x8225;
    pub const COMPRESSED_RG: u32 = 0x8226;
    pub const COMPRESSED_ALPHA: u32 = 0x84E9;
    pub const COMPRESSED_LUMINANCE: u32 = 0x84EA;
    pub const COMPRESSED_LUMINANCE_ALPHA: u32 = 0x84EB;
    pub const COMPRESSED_INTENSITY: u32 = 0x84EC;
    pub const COMPRESSED_RGB: u32 = 0x84ED;
    pub const COMPRESSED_RGBA: u32 = 0x84EE;
    pub const DEPTH_STENCIL: u32 = 0x84F9;
    pub const SRGB: u32 = 0x8C40;
    pub const SRGB_ALPHA: u32 = 0x8C42;
    pub const COMPRESSED_SRGB: u32 = 0x8C48;
    pub const COMPRESSED_SRGB_ALPHA: u32 = 0x8C49;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pixels::group_bytes;

    #[test]
    fn table_rows_against_registry_have_registered_values() {
        let xml = std::str::from_utf8(khronos_api::GL_XML).expect("the registry is UTF-8");
        for row in &TABLE[1..] {
            let entry = format!("value=\"0x{:04X}\" name=\"{}\"", row.gl, row.name);
            assert!(xml.contains(&entry), "{entry} is not in the registry");
            assert_eq!(Format::from_gl(row.gl), Some(row.format), "{}", row.name);
        }
    }

    #[test]
    fn table_rows_are_at_their_ids_and_complete() {
        assert_eq!(TABLE.len(), Format::COUNT);
        for (i, row) in TABLE.iter().enumerate() {
            assert_eq!(row.format as usize, i);
        }
    }

    #[test]
    fn storage_of_every_row_agrees_with_its_pixel_kind() {
        for row in &TABLE[1..] {
            let storage = row.storage;
            assert_eq!(
                storage.bytes,
                group_bytes(storage.format, storage.ty),
                "{}",
                row.name
            );
            assert_eq!(storage, row.decoded.info().storage, "{}", row.name);
            assert_eq!(
                storage.format.is_integer(),
                row.is_integer(),
                "{}",
                row.name
            );
            assert!(!row.decoded.info().is_compressed(), "{}", row.name);
            assert_eq!(row.is_srgb(), row.decoded.info().is_srgb(), "{}", row.name);
        }
    }

    // GL 3.3 core §3.8.1, "Required Texture Formats": the counts of its two colour lists and of its depth lists.
    #[test]
    fn required_formats_match_the_lists_of_gl_3_3() {
        let count = |f: FormatFlags, class: FormatClass| {
            TABLE
                .iter()
                .filter(|r| r.class == class && r.flags.contains(f))
                .count()
        };
        let both = FormatFlags::REQUIRED_RENDERBUFFER;
        assert_eq!(count(both, FormatClass::Color), 34);
        assert_eq!(count(both, FormatClass::Depth), 3);
        assert_eq!(count(both, FormatClass::DepthStencil), 2);
        assert_eq!(
            count(FormatFlags::REQUIRED_TEXTURE, FormatClass::Compressed),
            4
        );
    }

    #[test]
    fn encoded_bytes_of_partial_blocks_round_up() {
        let dxt1 = Format::CompressedRgbS3tcDxt1.info();
        assert_eq!(dxt1.encoded_bytes(1, 1, 1), Some(8));
        assert_eq!(dxt1.encoded_bytes(5, 4, 1), Some(16));
        assert_eq!(
            Format::CompressedRgbaAstc12x12
                .info()
                .encoded_bytes(13, 12, 2),
            Some(64)
        );
        assert_eq!(
            Format::Rgba32f.info().storage_bytes(u32::MAX, u32::MAX, 2),
            None
        );
    }

    #[test]
    fn resolve_unsized_of_base_formats_gives_desktop_choice() {
        let rgba8 =
            |internal| resolve_unsized(internal, PixelFormat::Rgba, PixelType::UnsignedByte);
        assert_eq!(rgba8(gl::RGBA), Some(Format::Rgba8));
        assert_eq!(rgba8(gl::COMPRESSED_RGB), Some(Format::Rgb8));
        assert_eq!(rgba8(4), Some(Format::Rgba8));
        assert_eq!(rgba8(0x8058), None, "sized formats are from_gl's");
        assert_eq!(
            resolve_unsized(
                gl::RGBA,
                PixelFormat::Rgba,
                PixelType::UnsignedInt2101010Rev
            ),
            Some(Format::Rgb10A2)
        );
        assert_eq!(
            resolve_unsized(
                gl::DEPTH_STENCIL,
                PixelFormat::DepthStencil,
                PixelType::Float32UnsignedInt248Rev
            ),
            Some(Format::Depth32fStencil8)
        );
    }

    #[test]
    fn format_from_unknown_id_is_rejected() {
        assert!(Format::try_read_from_bytes(&(Format::COUNT as u16).to_ne_bytes()).is_err());
        assert_eq!(
            Format::try_read_from_bytes(&22u16.to_ne_bytes()).ok(),
            Some(Format::Rgba8)
        );
    }
}
