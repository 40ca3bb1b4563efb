//! Pixel store parameters, one struct for packing and unpacking.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Parameters of glPixelStore (GL 4.6 §8.4.1, §18.2). Lengths and skips are in pixels, rows and images, never negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub struct PixelStore {
    /// 0 or 1.
    pub swap_bytes: u8,
    /// 0 or 1.
    pub lsb_first: u8,
    pub _pad: u16,
    /// 1, 2, 4 or 8.
    pub alignment: u32,
    /// 0: the width of the transfer.
    pub row_length: u32,
    /// 0: the height of the transfer.
    pub image_height: u32,
    pub skip_pixels: u32,
    pub skip_rows: u32,
    pub skip_images: u32,
}

impl PixelStore {
    /// Rows and images without padding.
    pub const TIGHT: Self = Self {
        swap_bytes: 0,
        lsb_first: 0,
        _pad: 0,
        alignment: 1,
        row_length: 0,
        image_height: 0,
        skip_pixels: 0,
        skip_rows: 0,
        skip_images: 0,
    };
}

impl Default for PixelStore {
    /// The initial values of GL: alignment 4, everything else 0.
    fn default() -> Self {
        Self {
            alignment: 4,
            ..Self::TIGHT
        }
    }
}
