//! PNG files to pictures and back. It must not compare anything.

use std::io::Cursor;
use std::path::Path;

use anyhow::{Context, Result};
use image::ImageFormat;
use verify::images::Picture;

pub fn load(path: &Path) -> Result<Picture> {
    let bytes = std::fs::read(path).with_context(|| format!("the picture {}", path.display()))?;
    decode(&bytes).with_context(|| format!("the picture {}", path.display()))
}

pub fn decode(png: &[u8]) -> Result<Picture> {
    let image = image::load_from_memory_with_format(png, ImageFormat::Png)?.to_rgba8();
    let (width, height) = image.dimensions();
    Picture::new(width, height, image.into_raw()).context("the picture is empty")
}

pub fn encode(picture: &Picture) -> Result<Vec<u8>> {
    let (width, height) = picture.size();
    let image = image::RgbaImage::from_raw(width, height, picture.rgba().to_vec())
        .context("a picture fits its size")?;
    let mut png = Cursor::new(Vec::new());
    image.write_to(&mut png, ImageFormat::Png)?;
    Ok(png.into_inner())
}
