//! glCopyImageSubData. Bytes that this side has are copied here, as are blocks and texels that a device keeps in another form than GL has;
//! what the GPU made is copied where it is.

use super::compressed_image::{blocks_of, texels_of, write_blocks};
use crate::cx::Cx;
use crate::source::ResourceOp;
use crate::validate::copy_image::{CopyImage, End};
use gl_state::texture::LevelImage;
use gl_state::texture_views::{mark_written, write_texels};
use gl_state::{GlError, Objects};
use pipe::pixels::Pitch;
use pipe::{Box3, CopyRegion, Format, FormatUse, ResourceRef, Submit, TextureId};
use std::convert::Infallible;

fn format_of(objects: &Objects, end: End) -> Format {
    match end {
        End::Texture(id, level) => objects.textures[id].levels[level as usize][0].format,
        End::Renderbuffer(id) => objects.renderbuffers[id].format,
    }
}

/// Single slices of a box, by image: faces are images of their own, all else is one image.
fn parts(objects: &Objects, id: TextureId, all: Box3) -> Vec<(usize, Box3)> {
    if objects.textures[id].faces() == 1 {
        return vec![(0, all)];
    }
    let face = |i: u32| {
        let part = Box3 {
            z: 0,
            depth: 1,
            ..all
        };
        ((all.z as u32 + i) as usize, part)
    };
    (0..all.depth).map(face).collect()
}

pub fn copy_image_sub_data(cx: &mut Cx<'_>, copy: CopyImage) -> Result<(), GlError> {
    let b = copy.src_box;
    if b.width == 0 || b.height == 0 || b.depth == 0 {
        return Ok(());
    }
    match (copy.src, copy.dst) {
        (End::Texture(src, src_level), End::Texture(dst, dst_level))
            if on_this_side(cx, &copy, src, src_level, dst) =>
        {
            let bytes = read(cx, src, src_level, b);
            write(cx, dst, dst_level, copy.dst_box, &bytes);
        }
        _ => on_the_other_side(cx, &copy),
    }
    Ok(())
}

/// Whether the bytes go through this side.
fn on_this_side(
    cx: &Cx<'_>,
    copy: &CopyImage,
    src: TextureId,
    src_level: u32,
    dst: TextureId,
) -> bool {
    if cx.objects.textures[dst].samples != 0 {
        return false;
    }
    let texture = &cx.objects.textures[src];
    let faces = parts(cx.objects, src, copy.src_box);
    let known = faces
        .iter()
        .all(|(face, _)| texture.shadow_is_truth(src_level, *face));
    let kept_otherwise = [copy.src, copy.dst].into_iter().any(|end| {
        let format = format_of(cx.objects, end);
        format.info().is_compressed() || cx.ctx.caps.format(format).contains(FormatUse::EMULATED)
    });
    known || kept_otherwise
}

/// Texels or blocks of a box, tight.
fn read(cx: &mut Cx<'_>, id: TextureId, level: u32, all: Box3) -> Vec<u8> {
    let mut out = Vec::new();
    for (face, part) in parts(cx.objects, id, all) {
        let image = cx.objects.textures[id].levels[level as usize][face].clone_shape();
        let source = if image.format.info().is_compressed() {
            blocks_of(cx, id, level, face)
        } else {
            texels_of(cx, id, level, face)
        };
        for_rows(&image, part, |at, size| {
            let row = source.get(at..at + size);
            out.extend_from_slice(row.expect("an image has all its rows"));
        });
    }
    out
}

/// Calls `row` with the place and size of each row of a box in an image's bytes: rows of texels, or of blocks.
fn for_rows(image: &LevelImage, b: Box3, mut row: impl FnMut(usize, usize)) {
    let block = image.format.info().block;
    let (bw, bh) = (usize::from(block.width), usize::from(block.height));
    let bytes = if image.format.info().is_compressed() {
        usize::from(block.bytes)
    } else {
        usize::from(image.format.info().storage.bytes)
    };
    let wide = (image.width as usize).div_ceil(bw);
    let high = (image.height as usize).div_ceil(bh);
    let (x, y) = (b.x as usize / bw, b.y as usize / bh);
    let size = (b.width as usize).div_ceil(bw) * bytes;
    for z in b.z as usize..b.z as usize + b.depth as usize {
        for line in y..y + (b.height as usize).div_ceil(bh) {
            row(((z * high + line) * wide + x) * bytes, size);
        }
    }
}

/// Writes texels or blocks to a box.
fn write(cx: &mut Cx<'_>, id: TextureId, level: u32, all: Box3, bytes: &[u8]) {
    let parts = parts(cx.objects, id, all);
    let each = bytes.len() / parts.len().max(1);
    for ((face, part), bytes) in parts.into_iter().zip(bytes.chunks_exact(each)) {
        let image = cx.objects.textures[id].levels[level as usize][face].clone_shape();
        if image.format.info().is_compressed() {
            write_blocks(cx, id, level, face, part, bytes);
            continue;
        }
        let row = part.width as usize * usize::from(image.format.info().storage.bytes);
        let objects = &mut *cx.objects;
        let written: Result<(), Infallible> = write_texels(
            &mut objects.textures,
            &mut objects.generations,
            cx.emission,
            (id, level, face),
            part,
            |target, pitch| {
                put(target, pitch, part, row, bytes);
                Ok(())
            },
        );
        match written {
            Ok(()) => {}
        }
    }
}

/// Tight rows to a region; `target` begins at its first texel.
fn put(target: &mut [u8], pitch: Pitch, b: Box3, row: usize, bytes: &[u8]) {
    for (i, source) in bytes.chunks_exact(row).enumerate() {
        let (z, y) = (
            i as u64 / u64::from(b.height),
            i as u64 % u64::from(b.height),
        );
        let at = (z * pitch.image + y * pitch.row) as usize;
        target[at..at + row].copy_from_slice(source);
    }
}

/// Has the executing side copy.
fn on_the_other_side(cx: &mut Cx<'_>, copy: &CopyImage) {
    for end in [copy.src, copy.dst] {
        match end {
            End::Texture(id, _) => cx.resource_op(ResourceOp::TextureNeeded(id)),
            End::Renderbuffer(id) => cx.resource_op(ResourceOp::RenderbufferNeeded(id)),
        }
    }
    let resource = |end: End| -> (ResourceRef, u16) {
        match end {
            End::Texture(id, level) => (id.into(), level as u16),
            End::Renderbuffer(id) => (id.into(), 0),
        }
    };
    let ((src, src_level), (dst, dst_level)) = (resource(copy.src), resource(copy.dst));
    cx.pipe.resource_copy_region(&CopyRegion {
        src,
        dst,
        src_level,
        dst_level,
        src_box: copy.src_box,
        dst_x: copy.dst_box.x,
        dst_y: copy.dst_box.y,
        dst_z: copy.dst_box.z,
        src_offset_bytes: 0,
        dst_offset_bytes: 0,
        size_bytes: 0,
    });
    if let End::Texture(id, level) = copy.dst {
        let objects = &mut *cx.objects;
        mark_written(
            &mut objects.textures,
            &mut objects.generations,
            id,
            level..=level,
        );
    }
    cx.finish_verb(Submit::Done);
}
