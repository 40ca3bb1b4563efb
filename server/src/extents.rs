//! Sizes of what descriptions describe, all in 64 bits: levels, storage, regions inside both. It reads no contents.

use crate::fatal::Why;
use pipe::{Box3, Format, ResourceDesc, Target};

/// Mipmap levels of an image of 2^31 texels; a shift by this many stays below 32.
pub(crate) const MAX_LEVELS: u16 = 31;

/// Width, height and slices of a level that the description has.
pub(crate) fn level(desc: &ResourceDesc, level: u16) -> Result<[u32; 3], Why> {
    let levels = desc.levels.min(MAX_LEVELS);
    if level >= levels {
        return Err(past("level", u64::from(level) + 1, u64::from(levels)));
    }
    let at_level = |size: u32| (size >> level).max(1);
    let slices = u32::from(desc.layers).max(1);
    Ok(match desc.target {
        Target::Texture3D => [
            at_level(desc.width),
            at_level(desc.height),
            at_level(desc.depth),
        ],
        Target::Texture1DArray => [at_level(desc.width), desc.height.max(1), slices],
        Target::Buffer
        | Target::Texture1D
        | Target::Texture2D
        | Target::TextureCube
        | Target::TextureRectangle
        | Target::Texture2DArray
        | Target::TextureCubeArray
        | Target::TextureBuffer
        | Target::Texture2DMultisample
        | Target::Texture2DMultisampleArray
        | Target::Renderbuffer => [at_level(desc.width), at_level(desc.height), slices],
    })
}

/// Whether a box lies inside a level.
pub(crate) fn inside(what: &'static str, b: &Box3, level: [u32; 3]) -> Result<(), Why> {
    let axes = [(b.x, b.width), (b.y, b.height), (b.z, b.depth)];
    for ((at, size), limit) in axes.into_iter().zip(level) {
        let Ok(at) = u64::try_from(at) else {
            return Err(Why::Value {
                field: what,
                value: u64::from(at.cast_unsigned()),
            });
        };
        let end = at + u64::from(size);
        if end > u64::from(limit) {
            return Err(past(what, end, u64::from(limit)));
        }
    }
    Ok(())
}

/// Whether `offset .. offset + size` lies inside `limit` bytes.
pub(crate) fn range(what: &'static str, offset: u64, size: u64, limit: u64) -> Result<(), Why> {
    let end = offset.checked_add(size).ok_or(Why::Overflow(what))?;
    if end > limit {
        return Err(past(what, end, limit));
    }
    Ok(())
}

pub(crate) fn past(what: &'static str, end: u64, limit: u64) -> Why {
    Why::Past { what, end, limit }
}

/// Bytes of storage that a description asks for, without what only shows another's.
pub(crate) fn storage_bytes(desc: &ResourceDesc) -> Result<u64, Why> {
    if desc.target == Target::Buffer {
        return Ok(desc.size_bytes);
    }
    if desc.levels > MAX_LEVELS {
        return Err(Why::Value {
            field: "levels",
            value: u64::from(desc.levels),
        });
    }
    let shows_another = desc.target == Target::TextureBuffer || !desc.view_of.is_null();
    if shows_another || desc.format == Format::None || desc.width == 0 {
        return Ok(0);
    }
    let mut total: u64 = 0;
    for i in 0..desc.levels.max(1) {
        let [width, height, slices] = level(
            &ResourceDesc {
                levels: desc.levels.max(1),
                ..*desc
            },
            i,
        )?;
        let bytes = desc.format.info().storage_bytes(width, height, slices);
        let bytes = bytes.and_then(|bytes| bytes.checked_mul(u64::from(desc.samples.max(1))));
        total = bytes
            .and_then(|bytes| total.checked_add(bytes))
            .ok_or(Why::Overflow("storage"))?;
    }
    Ok(total)
}
