//! From what a driver reads back naturally to what the application asked for. Reads no framebuffer itself.

use pipe::Format;
use pipe::pixels::{
    ClientImage, Pitch, PixelFormat, PixelType, TransferError, group_bytes, pack, unpack,
};
use std::borrow::Cow;

/// In which order a driver's rows come. GL's first row is the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOrder {
    BottomUp,
    TopDown,
}

/// Texels as the driver gave them: tight rows, images one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Readback<'a> {
    pub bytes: &'a [u8],
    pub format: PixelFormat,
    pub ty: PixelType,
    /// What the application's image is made of. Components that it lacks are answered as GL says (0, alpha 1), whatever the
    /// driver's substitute has there: an RGB8 texture that lives in RGBA8 storage reads alpha 1.
    pub logical: Format,
    pub order: RowOrder,
}

impl Readback<'_> {
    /// Packs into `dst` (which starts at the pointer or buffer offset of the command) as `image` wants it.
    /// The extent is the image's.
    pub fn pack_into(&self, image: &ClientImage, dst: &mut [u8]) -> Result<(), TransferError> {
        let texels = self.canonical(image)?;
        let pitch = Pitch::tight(self.logical, image.width, image.height);
        match self.order {
            RowOrder::BottomUp => pack(&texels, self.logical, pitch, image, dst),
            RowOrder::TopDown => self.pack_rows_reversed(&texels, pitch, image, dst),
        }
    }

    /// The texels in canonical storage of the logical format.
    fn canonical(&self, image: &ClientImage) -> Result<Cow<'_, [u8]>, TransferError> {
        let storage = self.logical.info().storage;
        if (storage.format, storage.ty) == (self.format, self.ty) {
            return Ok(Cow::Borrowed(self.bytes));
        }
        let natural =
            ClientImage::tight(self.format, self.ty, image.width, image.height, image.depth);
        unpack(self.bytes, &natural, self.logical).map(Cow::Owned)
    }

    fn pack_rows_reversed(
        &self,
        texels: &[u8],
        pitch: Pitch,
        image: &ClientImage,
        dst: &mut [u8],
    ) -> Result<(), TransferError> {
        // One check for the whole image, so that nothing is written when it does not fit.
        let layout = image.layout()?;
        if layout.total_bytes > dst.len() as u64 {
            return Err(TransferError::ShortDestination {
                has: dst.len() as u64,
                needs: layout.total_bytes,
            });
        }
        let needs = pitch.image.saturating_mul(u64::from(image.depth));
        if needs > texels.len() as u64 {
            return Err(TransferError::ShortSource {
                has: texels.len() as u64,
                needs,
            });
        }
        if layout.total_bytes == 0 {
            return Ok(());
        }
        let mut store = pipe::pixels::PixelStore::TIGHT;
        store.swap_bytes = image.store.swap_bytes;
        let row_image = ClientImage {
            store,
            height: 1,
            depth: 1,
            ..*image
        };
        for z in 0..u64::from(image.depth) {
            for y in 0..u64::from(image.height) {
                let from = z * pitch.image + (u64::from(image.height) - 1 - y) * pitch.row;
                let to = layout.first_byte + z * layout.image_stride + y * layout.row_stride;
                let source = &texels[from as usize..(from + pitch.row) as usize];
                let target = &mut dst[to as usize..(to + layout.row_bytes) as usize];
                pack(source, self.logical, pitch, &row_image, target)?;
            }
        }
        Ok(())
    }
}

/// Bytes that a driver's tight readback of the extent has.
pub fn natural_bytes(
    format: PixelFormat,
    ty: PixelType,
    width: u32,
    height: u32,
    depth: u32,
) -> Option<u64> {
    u64::from(width)
        .checked_mul(u64::from(height))?
        .checked_mul(u64::from(depth))?
        .checked_mul(u64::from(group_bytes(format, ty)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use PixelFormat as F;
    use PixelType as T;

    #[test]
    fn pack_into_of_substitute_storage_answers_the_logical_components() {
        let readback = Readback {
            bytes: &[1, 2, 3, 77],
            format: F::Rgba,
            ty: T::UnsignedByte,
            logical: Format::Rgb8,
            order: RowOrder::BottomUp,
        };
        let mut dst = [0; 4];
        readback
            .pack_into(
                &ClientImage::tight(F::Bgra, T::UnsignedByte, 1, 1, 1),
                &mut dst,
            )
            .unwrap();
        assert_eq!(dst, [3, 2, 1, 255]);
    }

    #[test]
    fn pack_into_of_wide_integers_narrows_them() {
        let words: Vec<u8> = [9u32, 300, 2, 1]
            .iter()
            .flat_map(|w| w.to_ne_bytes())
            .collect();
        let readback = Readback {
            bytes: &words,
            format: F::RgbaInteger,
            ty: T::UnsignedInt,
            logical: Format::Rg8ui,
            order: RowOrder::BottomUp,
        };
        let mut dst = [0; 4];
        readback
            .pack_into(
                &ClientImage::tight(F::RgbaInteger, T::UnsignedByte, 1, 1, 1),
                &mut dst,
            )
            .unwrap();
        assert_eq!(dst, [9, 255, 0, 1]);
    }

    #[test]
    fn pack_into_of_top_down_rows_turns_them_over() {
        let readback = Readback {
            bytes: &[1, 2, 3, 4, 5, 6, 7, 8, 9],
            format: F::Red,
            ty: T::UnsignedByte,
            logical: Format::R8,
            order: RowOrder::TopDown,
        };
        let mut image = ClientImage::tight(F::Red, T::UnsignedByte, 3, 3, 1);
        image.store.alignment = 4;
        image.store.skip_pixels = 1;
        let mut dst = [0xEE; 12];
        readback.pack_into(&image, &mut dst).unwrap();
        assert_eq!(dst, [0xEE, 7, 8, 9, 0xEE, 4, 5, 6, 0xEE, 1, 2, 3]);

        let mut short = [0xEE; 11];
        assert!(readback.pack_into(&image, &mut short).is_err());
        assert_eq!(
            short, [0xEE; 11],
            "nothing is written when the image does not fit"
        );
    }
}
