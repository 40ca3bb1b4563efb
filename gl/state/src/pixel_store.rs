//! Pixel store parameters of a context, pack and unpack.

use pipe::pixels::PixelStore;

/// Both sets; unpacking never crosses the seam.
#[derive(Clone, Copy, Debug, Default)]
pub struct PixelStoreState {
    pub pack: PixelStore,
    pub unpack: PixelStore,
}
