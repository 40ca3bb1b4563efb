//! Textures through the executor onto the driver. It repeats no check of the client.

use crate::rig::*;
use crate::{cover, image};
use pipe::pixels::{PixelFormat, PixelType};
use pipe::*;

/// Without EXT_texture_norm16 these are kept as half floats (page missing-formats).
const ROUNDED: [Format; 11] = [
    Format::R16,
    Format::R16Snorm,
    Format::Rg16,
    Format::Rg16Snorm,
    Format::Rgba16,
    Format::Rgba16Snorm,
    Format::Rgb16,
    Format::Rgb16Snorm,
    Format::Rgb10,
    Format::Rgb12,
    Format::Rgba12,
];

#[test]
fn texture_image_reads_back_what_was_uploaded_in_every_uncompressed_format() {
    let mut failures = Vec::new();
    for hide in ["", backend_gles::features::PROFILE_BARE_ES32] {
        let mut rig = Rig::hiding(hide);
        for format in Format::ALL.iter().copied() {
            let info = format.info();
            if info.is_compressed()
                || format == Format::Depth32
                || !hide.is_empty() && ROUNDED.contains(&format)
            {
                continue;
            }
            let storage = info.storage;
            // Bits that are numbers in every layout: small mantissas, no infinities.
            let bytes: Vec<u8> = (0..4 * usize::from(storage.bytes))
                .map(|i| 0x11 + (i as u8 % 5) * 0x11)
                .collect();
            let bytes = match storage.ty {
                // 0 to 1 in every component.
                PixelType::Float => floats(&vec![0.25; bytes.len() / 4]),
                PixelType::Float32UnsignedInt248Rev => [0.25_f32.to_bits(), 0x33]
                    .repeat(4)
                    .iter()
                    .flat_map(|w| w.to_ne_bytes())
                    .collect(),
                // One component's mantissa has its top bit: the only encoding of these numbers.
                PixelType::UnsignedInt5999Rev => {
                    (16_u32 << 27 | 128 << 9 | 256).to_ne_bytes().repeat(4)
                }
                _ if format == Format::Depth24 => 0x1234_5600_u32.to_ne_bytes().repeat(4),
                _ => bytes,
            };
            let texture = rig.texture(texture_desc(Target::Texture2D, format, 2, 2));
            rig.upload(texture, 0, box2(2, 2), &bytes);
            let back = image(&mut rig, texture, 0, box2(2, 2), storage.format, storage.ty);
            let same = if format == Format::Depth24 {
                // One step of 24 bits: rounding at the upload is the driver's.
                let depth = |b: &[u8]| u32::from_ne_bytes(b[..4].try_into().expect("four bytes"));
                depth(&back).abs_diff(depth(&bytes)) <= 0x200
            } else {
                back == bytes
            };
            if !same {
                failures.push(format!(
                    "{} hiding {hide:?}: {bytes:x?} came back {back:x?}",
                    info.name
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn mipmaps_are_generated_from_the_base_level() {
    let mut rig = Rig::new();
    let texture = rig.texture(ResourceDesc {
        levels: 3,
        ..texture_desc(Target::Texture2D, Format::Rgba8, 4, 4)
    });
    rig.upload(texture, 0, box2(4, 4), &[80; 64]);
    let _ = rig.gl.generate_mipmap(&GenerateMipmap {
        groups: ALL,
        texture,
        base_level: 0,
        last_level: 2,
    });
    rig.check();
    let top = image(
        &mut rig,
        texture,
        2,
        box2(1, 1),
        PixelFormat::Rgba,
        PixelType::UnsignedByte,
    );
    assert_eq!(top, [80; 4]);
}

#[test]
fn cube_and_array_and_volume_slices_are_apart() {
    for (target, depth) in [
        (Target::TextureCube, 6),
        (Target::Texture2DArray, 3),
        (Target::Texture3D, 3),
        (Target::Texture1DArray, 3),
    ] {
        let mut rig = Rig::new();
        let height = if target == Target::Texture1DArray {
            1
        } else {
            2
        };
        let mut desc = texture_desc(target, Format::Rgba8, 2, height);
        match target {
            Target::Texture3D => desc.depth = depth,
            _ => desc.layers = depth as u16,
        }
        let texture = rig.texture(desc);
        let slice = (2 * height * 4) as usize;
        let bytes: Vec<u8> = (0..depth as usize * slice)
            .map(|i| (i / slice) as u8 * 40)
            .collect();
        let all = box3(0, 0, 0, 2, height, depth);
        rig.upload(texture, 0, all, &bytes);
        let back = image(
            &mut rig,
            texture,
            0,
            all,
            PixelFormat::Rgba,
            PixelType::UnsignedByte,
        );
        assert_eq!(back, bytes, "{target:?}");
        let last = box3(1, 0, depth as i32 - 1, 1, 1, 1);
        let back = image(
            &mut rig,
            texture,
            0,
            last,
            PixelFormat::Rgba,
            PixelType::UnsignedByte,
        );
        assert_eq!(back, [(depth as u8 - 1) * 40; 4], "{target:?}");
    }
}

#[test]
fn respecify_with_keep_content_keeps_levels_of_the_same_extent() {
    let mut rig = Rig::new();
    let desc = texture_desc(Target::Texture2D, Format::Rgba8, 2, 2);
    let texture = rig.texture(desc);
    rig.upload(texture, 0, box2(2, 2), &[9; 16]);
    rig.gl.resource_respecify(&ResourceDesc {
        resource: texture.into(),
        levels: 2,
        flags: ResourceFlags::KEEP_CONTENT.bits(),
        ..desc
    });
    let back = image(
        &mut rig,
        texture,
        0,
        box2(2, 2),
        PixelFormat::Rgba,
        PixelType::UnsignedByte,
    );
    assert_eq!(back, [9; 16]);
}

#[test]
fn buffer_texture_follows_its_buffer() {
    let mut rig = Rig::new();
    rig.clear([0.0; 4]);
    let buffer = rig.buffer(&floats(&[0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0]));
    let texture = rig.texture(ResourceDesc {
        texture_buffer: buffer,
        texture_buffer_size_bytes: WHOLE,
        ..texture_desc(Target::TextureBuffer, Format::Rgba32f, 2, 1)
    });
    rig.bind_texture(0, texture, Target::TextureBuffer, Format::Rgba32f);
    cover(
        &mut rig,
        "#version 330 core
uniform samplerBuffer values;
out vec4 result;
void main() { result = texelFetch(values, 1); }
",
    );
    assert_eq!(rig.pixel(2, 2), [0, 255, 0, 255]);
}

#[test]
fn one_dimensional_texture_is_sampled_along_x() {
    let mut rig = Rig::new();
    let texture = rig.texture(texture_desc(Target::Texture1D, Format::Rgba8, 2, 1));
    rig.upload(texture, 0, box2(2, 1), &[255, 0, 0, 255, 0, 0, 255, 255]);
    rig.bind_texture(0, texture, Target::Texture1D, Format::Rgba8);
    cover(
        &mut rig,
        "#version 330 core
uniform sampler1D row;
out vec4 result;
void main() { result = texture(row, gl_FragCoord.x / 16.0); }
",
    );
    assert_eq!(rig.pixel(1, 1), [255, 0, 0, 255]);
    assert_eq!(rig.pixel(14, 1), [0, 0, 255, 255]);
}

#[test]
fn copies_between_buffers_and_between_textures_move_their_bytes() {
    let mut rig = Rig::new();
    let a = rig.buffer(&[1, 2, 3, 4]);
    let b = rig.buffer(&[0; 4]);
    let mut copy = CopyRegion {
        src: a.into(),
        dst: b.into(),
        src_level: 0,
        dst_level: 0,
        src_box: NO_BOX,
        dst_x: 0,
        dst_y: 0,
        dst_z: 0,
        src_offset_bytes: 1,
        dst_offset_bytes: 0,
        size_bytes: 2,
    };
    rig.gl.resource_copy_region(&copy);
    assert_eq!(rig.buffer_bytes(b, 4), [2, 3, 0, 0]);
    let src = rig.texture(texture_desc(Target::Texture2D, Format::Rgba8, 2, 2));
    let dst = rig.texture(texture_desc(Target::Texture2D, Format::Rgba8, 2, 2));
    rig.upload(src, 0, box2(2, 2), &[50; 16]);
    rig.upload(dst, 0, box2(2, 2), &[0; 16]);
    copy.src = src.into();
    copy.dst = dst.into();
    copy.src_box = box2(1, 1);
    copy.dst_x = 1;
    rig.gl.resource_copy_region(&copy);
    rig.check();
    let back = image(
        &mut rig,
        dst,
        0,
        box2(2, 1),
        PixelFormat::Rgba,
        PixelType::UnsignedByte,
    );
    assert_eq!(back, [0, 0, 0, 0, 50, 50, 50, 50]);
}

#[test]
fn parameters_told_before_storage_hold_and_swizzle_composes_with_the_formats_own() {
    let mut rig = Rig::new();
    let id = TextureId::new(77, 1);
    let desc = ResourceDesc {
        resource: id.into(),
        ..texture_desc(Target::Texture2D, Format::Luminance8, 1, 1)
    };
    rig.gl.resource_create(&ResourceDesc {
        format: Format::None,
        ..desc
    });
    rig.gl.set_texture_params(&TextureParams {
        texture: id,
        base_level: 0,
        max_level: 1000,
        // Green from alpha, others from red.
        swizzle: [0x1903, 0x1906, 0x1903, 0x1903],
        depth_stencil_mode: 0x1902,
        force_resync: 0,
        min_lod: -1000.0,
        max_lod: 1000.0,
        lod_bias: 0.0,
    });
    rig.gl.resource_respecify(&desc);
    rig.upload(id, 0, box2(1, 1), &[51]);
    rig.bind_texture(0, id, Target::Texture2D, Format::Luminance8);
    cover(
        &mut rig,
        "#version 330 core
uniform sampler2D image;
out vec4 result;
void main() { result = texture(image, vec2(0.5)); }
",
    );
    assert_eq!(rig.pixel(0, 0), [51, 255, 51, 51]);
}

#[test]
fn view_of_one_layer_in_another_format_shows_its_bits() {
    let mut rig = Rig::new();
    let texture = rig.texture(ResourceDesc {
        layers: 2,
        ..texture_desc(Target::Texture2DArray, Format::Rgba8ui, 1, 1)
    });
    let bytes = [1, 2, 3, 4, 255, 0, 255, 255];
    rig.upload(texture, 0, box3(0, 0, 0, 1, 1, 2), &bytes);
    rig.bind_texture(0, texture, Target::Texture2D, Format::Rgba8);
    let view = SamplerViewId::new(900, 1);
    rig.gl.create_sampler_view(&SamplerViewDesc {
        id: view,
        texture,
        format: Format::Rgba8,
        target: Target::Texture2D,
        _pad0: 0,
        min_level: 0,
        levels: 1,
        min_layer: 1,
        layers: 1,
        _pad1: 0,
    });
    rig.gl.set_sampler_views(
        &SlotRange { start: 0, count: 1 },
        &[BoundView { view, texture }],
    );
    cover(
        &mut rig,
        "#version 330 core
uniform sampler2D image;
out vec4 result;
void main() { result = texture(image, vec2(0.5)); }
",
    );
    assert_eq!(rig.pixel(0, 0), [255, 0, 255, 255]);
}
