//! Pixel transfer: what `format`, `type` and the pixel-store parameters mean in bytes; never touches GL or driver state.

mod kinds;
mod store;

pub use kinds::{PixelFormat, PixelType, group_bytes};
pub use store::PixelStore;
