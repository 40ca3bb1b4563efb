//! Clears of texture images: the client's copy is filled, and the next verb tells the region. Multisample images have no such copy: a
//! framebuffer of their own clears them.

use crate::cx::Cx;
use crate::validate::clear_image::ClearImage;
use gl_state::GlError;
use gl_state::texture_views::write_texels;
use pipe::Box3;
use pipe::pixels::Pitch;
use std::convert::Infallible;

pub fn clear_tex_image(cx: &mut Cx<'_>, clear: ClearImage) -> Result<(), GlError> {
    let ClearImage {
        texture: id,
        level,
        region,
        texel,
    } = clear;
    if region.width == 0 || region.height == 0 || region.depth == 0 {
        return Ok(());
    }
    if cx.objects.textures[id].samples != 0 {
        return super::clear_samples::clear(cx, id, region, &texel);
    }
    let faces = cx.objects.textures[id].faces() > 1;
    let slices = if faces { region.depth } else { 1 };
    for i in 0..slices {
        let (face, part) = if faces {
            let part = Box3 {
                z: 0,
                depth: 1,
                ..region
            };
            ((region.z as u32 + i) as usize, part)
        } else {
            (0, region)
        };
        let objects = &mut *cx.objects;
        let written: Result<(), Infallible> = write_texels(
            &mut objects.textures,
            &mut objects.generations,
            cx.emission,
            (id, level, face),
            part,
            |target, pitch| {
                fill(target, pitch, &part, &texel);
                Ok(())
            },
        );
        match written {
            Ok(()) => {}
        }
    }
    Ok(())
}

pub fn clear_tex_sub_image(cx: &mut Cx<'_>, clear: ClearImage) -> Result<(), GlError> {
    clear_tex_image(cx, clear)
}

/// Fills a region; `target` begins at its first texel.
fn fill(target: &mut [u8], pitch: Pitch, region: &Box3, texel: &[u8]) {
    let row = texel.repeat(region.width as usize);
    for z in 0..u64::from(region.depth) {
        for y in 0..u64::from(region.height) {
            let at = (z * pitch.image + y * pitch.row) as usize;
            target[at..at + row.len()].copy_from_slice(&row);
        }
    }
}

/// Contents become undefined; keeping them is allowed (GL 4.6 §8.20).
pub fn invalidate_tex_image(_: &mut Cx<'_>, (): ()) -> Result<(), GlError> {
    Ok(())
}

/// As above.
pub fn invalidate_tex_sub_image(_: &mut Cx<'_>, (): ()) -> Result<(), GlError> {
    Ok(())
}
