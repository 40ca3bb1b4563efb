//! Checks of texture images: a file per way in which an image comes to be, is changed or is read. It must change nothing.

mod buffer_texture;
mod copy;
mod image;
mod mipmaps;
mod multisample;
mod read;
mod shape;
mod storage;
mod sub_image;
mod target;

pub use buffer_texture::*;
pub use copy::*;
pub use image::*;
pub use mipmaps::*;
pub use multisample::*;
pub use read::*;
pub(in crate::validate) use shape::*;
pub use storage::*;
pub use sub_image::*;
pub use target::*;
