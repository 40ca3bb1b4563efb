//! Compressed texture images: blocks are decoded into the client's copy and kept for glGetCompressedTexImage. They never cross the seam.

use super::buffer::{read_back, write};
use crate::block_decode::decode;
use crate::block_encode::encode;
use crate::c_memory;
use crate::cx::Cx;
use crate::validate::buffer::Range;
use crate::validate::compressed_image::{Blocks, NewCompressed, ReadCompressed, SubCompressed};
use crate::validate::pixels::PixelSource;
use gl_state::texture::LevelImage;
use gl_state::texture_units::{ProxyImage, target_index};
use gl_state::texture_views::write_texels;
use gl_state::{GlError, Objects};
use pipe::{Box3, BufferId, GetTextureImage, ReplyBytes, TextureId};
use pipe_inputs::VerbClass;
use std::convert::Infallible;

/// The application's blocks, copied: they stay with the image.
fn taken(cx: &mut Cx<'_>, blocks: Blocks) -> Vec<u8> {
    match blocks.source {
        // SAFETY: c_memory's rule: the command reads imageSize bytes from the address.
        PixelSource::Client(address) => unsafe { c_memory::slice(address, blocks.bytes) }.to_vec(),
        PixelSource::Buffer(id, offset) => {
            read_back(cx, id);
            cx.objects.buffers[id].bytes[offset as usize..][..blocks.bytes].to_vec()
        }
    }
}

fn set_image(cx: &mut Cx<'_>, new: NewCompressed) -> Result<(), GlError> {
    let mut image = new.image;
    if let Some(fits) = new.proxy {
        cx.ctx.textures.proxies[target_index(new.target)] = ProxyImage {
            level: new.level,
            samples: 0,
            fixed_sample_locations: true,
            image: if fits { image } else { LevelImage::default() },
        };
        return Ok(());
    }
    if let Some(blocks) = new.blocks {
        image.encoded = taken(cx, blocks);
        image.texels = vec![0; image.storage_bytes() as usize];
        let (extent, pitch) = ([image.width, image.height, image.depth], image.pitch());
        decode(
            image.format,
            &image.encoded,
            extent,
            &mut image.texels,
            pitch,
        );
    }
    let id = cx
        .ctx
        .active_texture(new.target, cx.share, cx.objects, cx.emission);
    let objects = &mut *cx.objects;
    objects.textures[id].set_image(
        new.level,
        new.face,
        image,
        cx.emission,
        &mut objects.generations,
    );
    Ok(())
}

/// The image's blocks with those of a region replaced; none where the image's blocks are not known.
fn patched(image: &LevelImage, region: Box3, blocks: &[u8]) -> Vec<u8> {
    let info = image.format.info();
    let whole = info
        .encoded_bytes(image.width, image.height, image.depth)
        .unwrap_or(0) as usize;
    if blocks.len() == whole {
        return blocks.to_vec();
    }
    let mut out = match (image.encoded.len() == whole, image.texels.is_empty()) {
        (true, _) => image.encoded.clone(),
        // Nothing was ever written: any blocks are as good as others.
        (false, true) if !image.gpu_written => vec![0; whole],
        (false, _) => return Vec::new(),
    };
    let (bw, bh) = (u32::from(info.block.width), u32::from(info.block.height));
    let block = usize::from(info.block.bytes);
    let wide = image.width.div_ceil(bw) as usize;
    let high = image.height.div_ceil(bh) as usize;
    let (columns, rows) = (
        region.width.div_ceil(bw) as usize,
        region.height.div_ceil(bh) as usize,
    );
    let (x, y) = (
        region.x as usize / bw as usize,
        region.y as usize / bh as usize,
    );
    for (i, row) in blocks.chunks_exact(columns * block).enumerate() {
        let (slice, line) = (region.z as usize + i / rows, y + i % rows);
        let at = ((slice * high + line) * wide + x) * block;
        out[at..at + row.len()].copy_from_slice(row);
    }
    out
}

fn write_region(cx: &mut Cx<'_>, sub: SubCompressed) -> Result<(), GlError> {
    let Some(blocks) = sub.blocks else {
        return Ok(());
    };
    let bytes = taken(cx, blocks);
    let id = cx
        .ctx
        .active_texture(sub.target, cx.share, cx.objects, cx.emission);
    write_blocks(cx, id, sub.level, sub.face, sub.region, &bytes);
    Ok(())
}

/// Blocks of a region, decoded and kept.
pub(super) fn write_blocks(
    cx: &mut Cx<'_>,
    id: TextureId,
    level: u32,
    face: usize,
    region: Box3,
    bytes: &[u8],
) {
    let Objects {
        textures,
        generations,
        ..
    } = &mut *cx.objects;
    let image = &textures[id].levels[level as usize][face];
    let format = image.format;
    let encoded = patched(image, region, bytes);
    let extent = [region.width, region.height, region.depth];
    let written: Result<(), Infallible> = write_texels(
        textures,
        generations,
        cx.emission,
        (id, level, face),
        region,
        |target, pitch| {
            decode(format, bytes, extent, target, pitch);
            Ok(())
        },
    );
    match written {
        Ok(()) => {}
    }
    // A view keeps no blocks: its owner's are made from the texels when they are asked for.
    if textures[id].view_of.is_null() {
        textures[id].levels[level as usize][face].encoded = encoded;
    }
}

macro_rules! commands {
    ($($name:ident($args:ty) = $does:ident;)*) => {$(
        pub fn $name(cx: &mut Cx<'_>, args: $args) -> Result<(), GlError> {
            $does(cx, args)
        }
    )*};
}
commands! {
    compressed_tex_image_1d(NewCompressed) = set_image;
    compressed_tex_image_2d(NewCompressed) = set_image;
    compressed_tex_image_3d(NewCompressed) = set_image;
    compressed_tex_sub_image_1d(SubCompressed) = write_region;
    compressed_tex_sub_image_2d(SubCompressed) = write_region;
    compressed_tex_sub_image_3d(SubCompressed) = write_region;
    get_compressed_tex_image(Option<ReadCompressed>) = read_image;
    getn_compressed_tex_image(Option<ReadCompressed>) = read_image;
}

/// The texels of an image as the GPU has them, in canonical storage.
pub(super) fn texels_of(cx: &mut Cx<'_>, id: TextureId, level: u32, face: usize) -> Vec<u8> {
    let texture = &cx.objects.textures[id];
    let image = &texture.levels[level as usize][face];
    if texture.shadow_is_truth(level, face) {
        return image.texels.clone();
    }
    let storage = image.format.info().storage;
    let src = Box3 {
        x: 0,
        y: 0,
        z: face as i32,
        width: image.width,
        height: image.height,
        depth: image.depth,
    };
    let mut bytes = vec![0; image.storage_bytes() as usize];
    super::pixels::with_tight_pack(cx, |cx| {
        let groups = cx.prepare_for(VerbClass::Readback, id);
        let request = GetTextureImage {
            groups,
            texture: id,
            level: level as u16,
            format: storage.format,
            ty: storage.ty,
            _pad0: 0,
            src,
            _pad1: 0,
            pack_buffer: BufferId::NULL,
            pack_offset_bytes: 0,
        };
        let submit = cx
            .pipe
            .get_texture_image(&request, ReplyBytes(Some(&mut bytes)));
        cx.finish_verb(submit);
    });
    bytes
}

/// The blocks of an image: those that were given, or its texels compressed.
pub(super) fn blocks_of(cx: &mut Cx<'_>, id: TextureId, level: u32, face: usize) -> Vec<u8> {
    let image = &cx.objects.textures[id].levels[level as usize][face];
    if !image.encoded.is_empty() {
        return image.encoded.clone();
    }
    let (format, extent) = (image.format, [image.width, image.height, image.depth]);
    let texels = texels_of(cx, id, level, face);
    encode(format, &texels, extent).unwrap_or_default()
}

fn read_image(cx: &mut Cx<'_>, asked: Option<ReadCompressed>) -> Result<(), GlError> {
    let Some(ReadCompressed {
        target,
        face,
        level,
        to,
    }) = asked
    else {
        return Ok(());
    };
    let id = cx
        .ctx
        .active_texture(target, cx.share, cx.objects, cx.emission);
    let encoded = blocks_of(cx, id, level, face);
    match to.source {
        PixelSource::Client(address) => {
            // SAFETY: c_memory's rule: the command writes the image's blocks to the address.
            unsafe { c_memory::write_all(address.cast_mut(), &encoded) };
        }
        PixelSource::Buffer(buffer, offset) => {
            read_back(cx, buffer);
            let range = Range {
                buffer,
                offset,
                size: encoded.len() as u64,
            };
            write(cx, range, Some(&encoded));
        }
    }
    Ok(())
}
