//! The addressing rule of client images: which byte is which group; computes offsets and reads no memory.

use super::kinds::{PixelFormat, PixelType, group_bytes};
use super::store::PixelStore;

/// Whether a command addresses its image as rows (1D and 2D) or as images of rows (3D and arrays of 2D).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dims {
    /// IMAGE_HEIGHT and SKIP_IMAGES are ignored.
    Two,
    Three,
}

/// A client image as one pixel command describes it. A 1D image has height 1.
#[derive(Clone, Copy, Debug)]
pub struct ClientImage {
    pub format: PixelFormat,
    pub ty: PixelType,
    pub store: PixelStore,
    /// Extent in groups, rows and images.
    pub width: u32,
    pub height: u32,
    pub depth: u32,
    pub dims: Dims,
}

/// Where the groups of a client image are, in bytes from the pointer (or buffer offset) that the command got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageLayout {
    /// One group.
    pub group_bytes: u64,
    /// The groups of one row, without padding.
    pub row_bytes: u64,
    /// From a row to the next.
    pub row_stride: u64,
    /// From an image to the next.
    pub image_stride: u64,
    /// The first group (after SKIP_*).
    pub first_byte: u64,
    /// One past the last byte of the last group: what a bound buffer must hold; 0 for an empty image.
    pub total_bytes: u64,
}

/// Why an image has no layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// `glPixelStore` refuses such a value; only a peer can send it.
    #[error("pixel-store alignment {0} is not 1, 2, 4 or 8")]
    Alignment(u32),
    #[error("the client image does not fit a 64-bit address space")]
    Overflow,
}

impl ClientImage {
    /// An image without padding: how texel bytes cross the seam.
    pub fn tight(format: PixelFormat, ty: PixelType, width: u32, height: u32, depth: u32) -> Self {
        Self {
            format,
            ty,
            store: PixelStore::TIGHT,
            width,
            height,
            depth,
            dims: Dims::Three,
        }
    }

    /// GL 4.6 core §8.4.4.1: the first element of row i is at `p + i * k` elements, where
    /// `k = n * l` if `s >= a`, else `a / s * ceil(s * n * l / a)`; s is the element size, n the elements of a group,
    /// l the row length and a the alignment.
    pub fn layout(&self) -> Result<ImageLayout, LayoutError> {
        if !matches!(self.store.alignment, 1 | 2 | 4 | 8) {
            return Err(LayoutError::Alignment(self.store.alignment));
        }
        self.checked_layout().ok_or(LayoutError::Overflow)
    }

    fn checked_layout(&self) -> Option<ImageLayout> {
        let Self {
            store,
            width,
            height,
            depth,
            ..
        } = *self;
        let or_own =
            |parameter: u32, own: u32| u64::from(if parameter != 0 { parameter } else { own });

        let group_bytes = u64::from(group_bytes(self.format, self.ty));
        let alignment = u64::from(store.alignment);
        let row_groups_bytes = or_own(store.row_length, width).checked_mul(group_bytes)?;
        let row_stride = if u64::from(self.ty.element_bytes()) >= alignment {
            row_groups_bytes
        } else {
            row_groups_bytes.checked_next_multiple_of(alignment)?
        };
        let (image_rows, skip_images) = match self.dims {
            Dims::Two => (u64::from(height), 0),
            Dims::Three => (
                or_own(store.image_height, height),
                u64::from(store.skip_images),
            ),
        };
        let image_stride = image_rows.checked_mul(row_stride)?;
        let first_byte = skip_images
            .checked_mul(image_stride)?
            .checked_add(u64::from(store.skip_rows).checked_mul(row_stride)?)?
            .checked_add(u64::from(store.skip_pixels).checked_mul(group_bytes)?)?;
        let row_bytes = u64::from(width).checked_mul(group_bytes)?;
        let total_bytes = if width == 0 || height == 0 || depth == 0 {
            0
        } else {
            u64::from(depth - 1)
                .checked_mul(image_stride)?
                .checked_add(u64::from(height - 1).checked_mul(row_stride)?)?
                .checked_add(row_bytes)?
                .checked_add(first_byte)?
        };
        Some(ImageLayout {
            group_bytes,
            row_bytes,
            row_stride,
            image_stride,
            first_byte,
            total_bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(
        format: PixelFormat,
        ty: PixelType,
        store: PixelStore,
        extent: [u32; 3],
    ) -> ClientImage {
        let [width, height, depth] = extent;
        ClientImage {
            format,
            ty,
            store,
            width,
            height,
            depth,
            dims: Dims::Three,
        }
    }

    #[test]
    fn row_stride_of_each_alignment_follows_the_formula() {
        // Three RGB bytes per group, width 3: 9 bytes per row.
        for (alignment, stride) in [(1, 9), (2, 10), (4, 12), (8, 16)] {
            let store = PixelStore {
                alignment,
                ..PixelStore::TIGHT
            };
            let layout = image(PixelFormat::Rgb, PixelType::UnsignedByte, store, [3, 2, 1])
                .layout()
                .unwrap();
            assert_eq!(
                (layout.row_stride, layout.total_bytes),
                (stride, stride + 9),
                "alignment {alignment}"
            );
        }
    }

    #[test]
    fn row_stride_of_elements_at_least_as_large_as_alignment_is_tight() {
        let store = PixelStore {
            alignment: 4,
            ..PixelStore::TIGHT
        };
        let stride = |ty| {
            image(PixelFormat::Rgb, ty, store, [1, 2, 1])
                .layout()
                .unwrap()
                .row_stride
        };
        assert_eq!(stride(PixelType::UnsignedShort), 8, "6 bytes rounded to 4");
        assert_eq!(stride(PixelType::Float), 12, "s >= a: no rounding");
        let eight = PixelStore {
            alignment: 8,
            ..PixelStore::TIGHT
        };
        let layout = image(PixelFormat::Rgb, PixelType::Float, eight, [1, 2, 1])
            .layout()
            .unwrap();
        assert_eq!(layout.row_stride, 16);
    }

    #[test]
    fn skips_and_row_length_move_the_first_byte() {
        let store = PixelStore {
            alignment: 4,
            row_length: 5,
            image_height: 7,
            skip_pixels: 2,
            skip_rows: 3,
            skip_images: 1,
            ..PixelStore::TIGHT
        };
        let mut three = image(PixelFormat::Rgb, PixelType::UnsignedByte, store, [2, 2, 2]);
        let layout = three.layout().unwrap();
        assert_eq!((layout.row_stride, layout.image_stride), (16, 112));
        assert_eq!(layout.first_byte, 112 + 3 * 16 + 2 * 3);
        assert_eq!(layout.total_bytes, layout.first_byte + 112 + 16 + 6);
        three.dims = Dims::Two;
        three.depth = 1;
        let layout = three.layout().unwrap();
        assert_eq!(
            (layout.image_stride, layout.first_byte),
            (32, 3 * 16 + 2 * 3)
        );
    }

    #[test]
    fn empty_image_needs_no_bytes() {
        let store = PixelStore {
            skip_rows: 9,
            ..PixelStore::default()
        };
        assert_eq!(
            image(PixelFormat::Rgba, PixelType::Float, store, [0, 4, 1])
                .layout()
                .unwrap()
                .total_bytes,
            0
        );
    }

    #[test]
    fn layout_of_hostile_values_is_an_error() {
        let bad = PixelStore {
            alignment: 3,
            ..PixelStore::TIGHT
        };
        assert_eq!(
            image(PixelFormat::Red, PixelType::Byte, bad, [1, 1, 1]).layout(),
            Err(LayoutError::Alignment(3))
        );
        let huge = PixelStore {
            row_length: u32::MAX,
            image_height: u32::MAX,
            ..PixelStore::TIGHT
        };
        assert_eq!(
            image(PixelFormat::Rgba, PixelType::Float, huge, [1, 1, u32::MAX]).layout(),
            Err(LayoutError::Overflow)
        );
    }
}
