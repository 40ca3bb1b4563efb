//! Pixel transfer: what `format`, `type` and the pixel-store parameters mean in bytes; never touches GL or driver state.

pub mod codec;
mod compat;
mod image;
mod kinds;
mod store;
mod texel;
mod transfer;

pub use codec::f16_to_real;
pub use compat::{CompatError, check_pair, compatible, readable};
pub use image::{ClientImage, Dims, ImageLayout, LayoutError};
pub use kinds::{PixelFormat, PixelType, group_bytes};
pub use store::PixelStore;
pub use transfer::{Pitch, TransferError, pack, unpack, unpack_into};
