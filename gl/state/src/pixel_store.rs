//! Pixel store parameters of a context, pack and unpack.

use crate::bump::bump;
use crate::context::Context;
use pipe::pixels::PixelStore;

/// Both sets; unpacking never crosses the seam.
#[derive(Clone, Copy, Debug, Default)]
pub struct PixelStoreState {
    pub pack: PixelStore,
    pub unpack: PixelStore,
}

impl Context {
    /// Sets the pack parameters.
    pub fn set_pack(&mut self, pack: PixelStore) {
        if self.pixel_store.pack != pack {
            self.pixel_store.pack = pack;
            bump!("pixel_store::set_pack", self.generations.pixel_pack);
        }
    }

    /// Sets the unpack parameters. Nobody but the next unpacking command looks at them: nothing moves.
    pub fn set_unpack(&mut self, unpack: PixelStore) {
        self.pixel_store.unpack = unpack;
    }
}
