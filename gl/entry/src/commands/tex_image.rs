//! Texture images: texels go into the client's copy; the next verb tells them. Only copies, mipmaps and read-backs are verbs.

use super::pixels::{bytes_of, prepare_source, source_bytes, with_tight_pack};
use super::texture::report_deaths;
use crate::c_memory;
use crate::cx::Cx;
use crate::source::ResourceOp;
use crate::validate::pixels::{PixelSource, Unpack};
use crate::validate::tex_image::{
    CopyImage, Mipmaps, NewBufferTexture, NewImage, NewStorage, ReadImage, SubImage,
};
use gl_state::texture::LevelImage;
use gl_state::texture_units::{ProxyImage, target_index};
use gl_state::texture_views::{mark_written, write_texels};
use gl_state::{GlError, Objects};
use pipe::formats::{Component, FormatClass};
use pipe::pixels::{self, ClientImage, PixelFormat, PixelType, TransferError};
use pipe::{
    Bind, Box3, BufferId, GenerateMipmap, GetTextureImage, ReadPixels, ReplyBytes, Target,
    TextureId,
};
use pipe_inputs::VerbClass;

/// Validation has computed the same layout: only a defect of ours gets here.
pub(super) fn transfer_failed(error: TransferError) -> GlError {
    GlError::with(gl_enums::GL_INVALID_OPERATION, error.to_string())
}

fn texture_of(cx: &mut Cx<'_>, target: Target) -> TextureId {
    cx.ctx
        .active_texture(target, cx.share, cx.objects, cx.emission)
}

fn set_image(cx: &mut Cx<'_>, new: NewImage) -> Result<(), GlError> {
    let NewImage {
        target,
        face,
        level,
        mut image,
        source,
        proxy,
    } = new;
    if let Some(fits) = proxy {
        // GL 4.6 §8.22: a proxy that does not fit has an image of zeros.
        cx.ctx.textures.proxies[target_index(target)] = ProxyImage {
            level,
            samples: 0,
            fixed_sample_locations: true,
            image: if fits { image } else { LevelImage::default() },
        };
        return Ok(());
    }
    if let Some(source) = source {
        prepare_source(cx, &source);
        let bytes = bytes_of(cx.objects, &source);
        image.texels =
            pixels::unpack(bytes, &source.image, image.format).map_err(transfer_failed)?;
    }
    let id = texture_of(cx, target);
    let objects = &mut *cx.objects;
    objects.textures[id].set_image(level, face, image, cx.emission, &mut objects.generations);
    Ok(())
}

pub fn tex_image_1d(cx: &mut Cx<'_>, new: NewImage) -> Result<(), GlError> {
    set_image(cx, new)
}

pub fn tex_image_2d(cx: &mut Cx<'_>, new: NewImage) -> Result<(), GlError> {
    set_image(cx, new)
}

pub fn tex_image_3d(cx: &mut Cx<'_>, new: NewImage) -> Result<(), GlError> {
    set_image(cx, new)
}

fn write_region(cx: &mut Cx<'_>, sub: SubImage) -> Result<(), GlError> {
    let Some(source) = sub.source else {
        return Ok(());
    };
    prepare_source(cx, &source);
    let id = texture_of(cx, sub.target);
    unpack_region(cx, id, sub.face, sub.level, sub.region, &source)
}

fn unpack_region(
    cx: &mut Cx<'_>,
    id: TextureId,
    face: usize,
    level: u32,
    region: Box3,
    source: &Unpack,
) -> Result<(), GlError> {
    let Objects {
        textures,
        buffers,
        generations,
        ..
    } = &mut *cx.objects;
    let bytes = source_bytes(buffers, source);
    let format = textures[id].levels[level as usize][face].format;
    write_texels(
        textures,
        generations,
        cx.emission,
        (id, level, face),
        region,
        |target, pitch| pixels::unpack_into(bytes, &source.image, format, target, pitch),
    )
    .map_err(transfer_failed)
}

pub fn tex_sub_image_1d(cx: &mut Cx<'_>, sub: SubImage) -> Result<(), GlError> {
    write_region(cx, sub)
}

pub fn tex_sub_image_2d(cx: &mut Cx<'_>, sub: SubImage) -> Result<(), GlError> {
    write_region(cx, sub)
}

pub fn tex_sub_image_3d(cx: &mut Cx<'_>, sub: SubImage) -> Result<(), GlError> {
    write_region(cx, sub)
}

fn set_storage(cx: &mut Cx<'_>, new: NewStorage) -> Result<(), GlError> {
    if let Some(fits) = new.proxy {
        cx.ctx.textures.proxies[target_index(new.target)] = ProxyImage {
            level: 0,
            samples: if fits { new.samples } else { 0 },
            fixed_sample_locations: new.fixed_sample_locations,
            image: if fits {
                new.image
            } else {
                LevelImage::default()
            },
        };
        return Ok(());
    }
    let id = texture_of(cx, new.target);
    let objects = &mut *cx.objects;
    let texture = &mut objects.textures[id];
    let levels = (0..new.levels)
        .map(|level| vec![texture.mipmap_image(&new.image, level); texture.faces()])
        .collect();
    texture.set_storage(
        levels,
        if new.immutable { new.levels } else { 0 },
        new.samples,
        new.fixed_sample_locations,
        cx.emission,
        &mut objects.generations,
    );
    Ok(())
}

macro_rules! storages {
    ($($name:ident)*) => {$(
        pub fn $name(cx: &mut Cx<'_>, new: NewStorage) -> Result<(), GlError> {
            set_storage(cx, new)
        }
    )*};
}
storages! {
    tex_storage_1d tex_storage_2d tex_storage_3d
    tex_image_2d_multisample tex_image_3d_multisample tex_storage_2d_multisample tex_storage_3d_multisample
}

fn set_buffer(cx: &mut Cx<'_>, new: NewBufferTexture) -> Result<(), GlError> {
    let id = texture_of(cx, Target::TextureBuffer);
    cx.objects.retain_buffer(new.buffer);
    let before = cx.objects.textures[id].buffer;
    let mut width = 0;
    if let Some(buffer) = cx.objects.buffers.get_mut(new.buffer) {
        buffer.note_bind(Bind::TEXTURE_BUFFER);
        let size = match new.size_bytes {
            pipe::WHOLE => buffer.size_bytes(),
            size => size,
        };
        // At least one texel: a buffer without storage is a buffer texture all the same (GL 4.6 §8.9).
        width = (size / u64::from(new.format.info().storage.bytes)).clamp(1, u64::from(u32::MAX));
    }
    let image = LevelImage {
        internal_format: new.internal,
        format: new.format,
        width: width as u32,
        height: 1,
        depth: 1,
        texels: Vec::new(),
        encoded: Vec::new(),
        gpu_written: false,
    };
    let objects = &mut *cx.objects;
    objects.textures[id].set_buffer(
        new.buffer,
        image,
        new.offset_bytes,
        new.size_bytes,
        cx.emission,
        &mut objects.generations,
    );
    cx.objects.release_buffer(before, cx.emission);
    if new.buffer != BufferId::NULL {
        cx.resource_op(ResourceOp::BufferChanged(new.buffer));
    }
    report_deaths(cx);
    Ok(())
}

pub fn tex_buffer(cx: &mut Cx<'_>, new: NewBufferTexture) -> Result<(), GlError> {
    set_buffer(cx, new)
}

pub fn tex_buffer_range(cx: &mut Cx<'_>, new: NewBufferTexture) -> Result<(), GlError> {
    set_buffer(cx, new)
}

pub fn generate_mipmap(cx: &mut Cx<'_>, asked: Option<Mipmaps>) -> Result<(), GlError> {
    let Some(Mipmaps { target, base, last }) = asked else {
        return Ok(());
    };
    let id = texture_of(cx, target);
    let objects = &mut *cx.objects;
    let texture = &mut objects.textures[id];
    let first = texture.levels[base as usize][0].clone_shape();
    for level in base + 1..=last {
        let shape = texture.mipmap_image(&first, level - base);
        for face in 0..texture.faces() {
            let there = texture.level_image(level, face);
            if !there.is_some_and(|image| image.same_shape(&shape)) {
                texture.set_image(
                    level,
                    face,
                    shape.clone(),
                    cx.emission,
                    &mut objects.generations,
                );
            }
        }
    }
    // Texels of theirs that are still to be told are void; what a view does not show is told before.
    if !texture.view_of.is_null() {
        cx.resource_op(ResourceOp::TextureNeeded(id));
    }
    let objects = &mut *cx.objects;
    mark_written(
        &mut objects.textures,
        &mut objects.generations,
        id,
        base + 1..=last,
    );
    let groups = cx.prepare_for(VerbClass::TextureOp, id);
    let submit = cx.pipe.generate_mipmap(&GenerateMipmap {
        groups,
        texture: id,
        base_level: base as u16,
        last_level: last as u16,
    });
    cx.finish_verb(submit);
    Ok(())
}

/// Kinds in which texels of a format are read and unpacked again without loss.
fn exact_kinds(format: pipe::Format) -> (PixelFormat, PixelType) {
    let info = format.info();
    match (info.class, info.component) {
        (FormatClass::Color | FormatClass::Compressed | FormatClass::None, component) => {
            match component {
                Component::Int => (PixelFormat::RgbaInteger, PixelType::Int),
                Component::Uint => (PixelFormat::RgbaInteger, PixelType::UnsignedInt),
                Component::Unorm | Component::Srgb
                    if info.color_bits.iter().all(|bits| *bits <= 8) =>
                {
                    (PixelFormat::Rgba, PixelType::UnsignedByte)
                }
                Component::Unorm
                | Component::Srgb
                | Component::Snorm
                | Component::Float
                | Component::None => (PixelFormat::Rgba, PixelType::Float),
            }
        }
        (FormatClass::Depth | FormatClass::Stencil | FormatClass::DepthStencil, _) => {
            (info.storage.format, info.storage.ty)
        }
    }
}

/// glCopyTex(Sub)Image: read back and unpacked again. Whole on every device and for every pair of formats; a copy on the
/// executing side would have to know how each device keeps both.
fn copy(cx: &mut Cx<'_>, asked: CopyImage) -> Result<(), GlError> {
    let id = texture_of(cx, asked.target);
    if let Some(image) = asked.new {
        let objects = &mut *cx.objects;
        objects.textures[id].set_image(
            asked.level,
            asked.face,
            image,
            cx.emission,
            &mut objects.generations,
        );
    }
    if asked.width == 0 || asked.height == 0 {
        return Ok(());
    }
    let to = cx.objects.textures[id].levels[asked.level as usize][asked.face].format;
    let base = to.info().base;
    let (format, ty) = match base {
        pipe::formats::BaseFormat::Depth => (PixelFormat::DepthComponent, PixelType::Float),
        _ => exact_kinds(asked.source),
    };
    let client = ClientImage::tight(format, ty, asked.width, asked.height, 1);
    let layout = client
        .layout()
        .map_err(|error| transfer_failed(error.into()))?;
    let mut bytes = vec![0; layout.total_bytes as usize];
    with_tight_pack(cx, |cx| {
        let groups = cx.prepare(VerbClass::Readback);
        let request = ReadPixels {
            groups,
            x: asked.x,
            y: asked.y,
            width: asked.width,
            height: asked.height,
            format,
            ty,
            pack_buffer: BufferId::NULL,
            pack_offset_bytes: 0,
        };
        let submit = cx.pipe.read_pixels(&request, ReplyBytes(Some(&mut bytes)));
        cx.finish_verb(submit);
    });
    let objects = &mut *cx.objects;
    write_texels(
        &mut objects.textures,
        &mut objects.generations,
        cx.emission,
        (id, asked.level, asked.face),
        asked.region,
        |target, pitch| pixels::unpack_into(&bytes, &client, to, target, pitch),
    )
    .map_err(transfer_failed)
}

macro_rules! copies {
    ($($name:ident)*) => {$(
        pub fn $name(cx: &mut Cx<'_>, asked: CopyImage) -> Result<(), GlError> {
            copy(cx, asked)
        }
    )*};
}
copies! {
    copy_tex_image_1d copy_tex_image_2d copy_tex_sub_image_1d copy_tex_sub_image_2d copy_tex_sub_image_3d
}

pub fn get_tex_image(cx: &mut Cx<'_>, asked: Option<ReadImage>) -> Result<(), GlError> {
    let Some(asked) = asked else { return Ok(()) };
    let id = texture_of(cx, asked.target);
    let texture = &cx.objects.textures[id];
    let size = asked.total_bytes as usize;
    if let PixelSource::Client(address) = asked.to
        && texture.shadow_is_truth(asked.level, asked.face)
    {
        let image = &texture.levels[asked.level as usize][asked.face];
        // SAFETY: glGetTexImage writes an image of this layout to the address.
        let out = unsafe { c_memory::slice_mut(address.cast_mut(), size) };
        let pitch = image.pitch();
        return pixels::pack(&image.texels, image.format, pitch, &asked.client, out)
            .map_err(transfer_failed);
    }
    let (level, face) = (asked.level, asked.face);
    let image = &texture.levels[level as usize][face];
    let src = Box3 {
        x: 0,
        y: 0,
        z: face as i32,
        width: image.width,
        height: image.height,
        depth: image.depth,
    };
    let groups = cx.prepare_for(VerbClass::Readback, id);
    let (pack_buffer, pack_offset_bytes) = match asked.to {
        PixelSource::Client(_) => (BufferId::NULL, 0),
        PixelSource::Buffer(buffer, offset) => (buffer, offset),
    };
    let request = GetTextureImage {
        groups,
        texture: id,
        level: level as u16,
        format: asked.client.format,
        ty: asked.client.ty,
        _pad0: 0,
        src,
        _pad1: 0,
        pack_buffer,
        pack_offset_bytes,
    };
    let reply = match asked.to {
        PixelSource::Client(address) => {
            // SAFETY: glGetTexImage writes an image of this layout to the address.
            Some(unsafe { c_memory::slice_mut(address.cast_mut(), size) })
        }
        PixelSource::Buffer(..) => None,
    };
    let submit = cx.pipe.get_texture_image(&request, ReplyBytes(reply));
    if let PixelSource::Buffer(buffer, _) = asked.to {
        let objects = &mut *cx.objects;
        objects.buffers[buffer].mark_gpu_written(&mut objects.generations);
    }
    cx.finish_verb(submit);
    Ok(())
}

pub fn getn_tex_image(cx: &mut Cx<'_>, asked: Option<ReadImage>) -> Result<(), GlError> {
    get_tex_image(cx, asked)
}
