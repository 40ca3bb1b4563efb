//! What textures hold and show: uploads, sampling, attachments, mipmaps, blits, copies. Expected values come from the GL specification.

mod support;

use pipe::pixels::{PixelFormat, PixelType};
use pipe::*;
use pipe_inputs::GroupMask;
use support::*;

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const WHITE: [u8; 4] = [255, 255, 255, 255];
const BLACK: [u8; 4] = [0, 0, 0, 255];
const ALL: u32 = GroupMask::ALL.0;

const COVER: &str = "#version 330 core\nout vec2 t; void main() {
    vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1); t = p; gl_Position = vec4(p * 2.0 - 1.0, 0, 1); }";
const SAMPLE: &str = "#version 330 core\nuniform sampler2D s; in vec2 t; out vec4 o; void main() { o = texture(s, t); }";

fn cover(c: &mut Client) {
    c.draw(Primitive::TriangleStrip, 0, 4);
}

/// The whole of level `level` as `format` and `ty`.
fn get_image(
    c: &mut Client,
    texture: TextureId,
    level: u16,
    [width, height]: [u32; 2],
    (format, ty, bytes): (PixelFormat, PixelType, usize),
) -> Vec<u8> {
    let mut out = vec![0; (width * height) as usize * bytes];
    c.pipe.set_pixel_pack_state(&PixelPack {
        store: pipe::pixels::PixelStore {
            alignment: 1,
            ..Default::default()
        },
    });
    let _ = c.pipe.get_texture_image(
        &GetTextureImage {
            groups: ALL,
            texture,
            level,
            format,
            ty,
            _pad0: 0,
            src: Box3 {
                width,
                height,
                depth: 1,
                ..NO_BOX
            },
            _pad1: 0,
            pack_buffer: BufferId::NULL,
            pack_offset_bytes: 0,
        },
        ReplyBytes(Some(&mut out)),
    );
    out
}

/// Draws into a texture's level from now on, and reads from it.
fn attach(c: &mut Client, texture: TextureId, format: Format, level: u16, size: u32, samples: u16) {
    let surface = Surface {
        resource: texture.into(),
        format,
        level,
        kind: SurfaceKind::Texture,
        ..Surface::NONE
    };
    let mut fb = FramebufferState::NONE;
    fb.id = FramebufferId::new(c.id(), 1);
    fb.color[0] = surface;
    fb.draw_buffers[0] = 0;
    (fb.width, fb.height, fb.layers, fb.complete) = (size, size, 1, 1);
    fb.samples = samples;
    fb.read = ReadSurfaces {
        color: surface,
        width: size,
        height: size,
        complete: 1,
        ..ReadSurfaces::NONE
    };
    c.fb = fb;
    c.set_framebuffer();
}

#[test]
fn texture_rows_are_sampled_bottom_row_first() {
    let mut c = Client::new();
    let texture = c.texture(Target::Texture2D, Format::Rgba8, [2, 2], 1);
    c.upload(texture, 0, [2, 2], &[RED, GREEN, BLUE, WHITE].concat());
    c.sample(0, texture, Target::Texture2D, 1);
    c.program(COVER, SAMPLE);
    cover(&mut c);
    let image = c.pixels();
    assert_eq!(image.at(2, 2), RED);
    assert_eq!(image.at(12, 2), GREEN);
    assert_eq!(image.at(2, 12), BLUE);
    assert_eq!(image.at(12, 12), WHITE);
}

#[test]
fn unit_without_a_texture_samples_black_with_alpha_one() {
    let mut c = Client::new();
    c.clear(ClearMask::COLOR, [1.0; 4], 1.0, 0);
    c.program(COVER, SAMPLE);
    cover(&mut c);
    assert_eq!(c.pixels().count(BLACK), 256);
}

#[test]
fn swizzle_of_the_texture_moves_components() {
    let mut c = Client::new();
    let texture = c.texture(Target::Texture2D, Format::Rgba8, [1, 1], 1);
    c.upload(texture, 0, [1, 1], &[10, 20, 30, 40]);
    c.pipe.set_texture_params(&TextureParams {
        texture,
        base_level: 0,
        max_level: 1000,
        swizzle: [0x1906, 0x1903, 1, 0],
        depth_stencil_mode: 0x1902,
        force_resync: 0,
        min_lod: -1000.0,
        max_lod: 1000.0,
        lod_bias: 0.0,
    });
    c.sample(0, texture, Target::Texture2D, 1);
    c.program(COVER, SAMPLE);
    cover(&mut c);
    assert_eq!(c.pixels().at(4, 4), [40, 10, 255, 0]);
}

#[test]
fn rgb8_is_opaque_when_sampled_and_exact_when_read_back() {
    let mut c = Client::new();
    let texture = c.texture(Target::Texture2D, Format::Rgb8, [2, 1], 1);
    let texels = [1, 2, 3, 4, 5, 6];
    c.upload(texture, 0, [2, 1], &texels);
    let back = get_image(
        &mut c,
        texture,
        0,
        [2, 1],
        (PixelFormat::Rgb, PixelType::UnsignedByte, 3),
    );
    assert_eq!(back, texels);
    c.sample(0, texture, Target::Texture2D, 1);
    c.program(COVER, SAMPLE);
    cover(&mut c);
    assert_eq!(c.pixels().at(1, 1), [1, 2, 3, 255]);
}

#[test]
fn every_format_of_the_device_keeps_its_texels() {
    let mut c = Client::new();
    let caps = c.pipe.get_caps(&Empty { _pad: 0 });
    let mut kept = 0;
    for format in Format::ALL.iter().copied() {
        let info = format.info();
        let storage = info.storage;
        if !caps.format(format).contains(FormatUse::SAMPLE) || info.is_compressed() {
            continue;
        }
        let texture = c.texture(Target::Texture2D, format, [4, 1], 1);
        // Patterns that are values of every kind: no NaN, no lower bits of a padded depth word, no value outside of its field.
        let pattern: Vec<u8> = match storage.ty {
            PixelType::Float => [0.0f32, 0.25, 0.5, 1.0]
                .iter()
                .flat_map(|v| v.to_ne_bytes().repeat(usize::from(storage.bytes) / 4))
                .collect(),
            PixelType::Float32UnsignedInt248Rev => [0.0f32, 0.25, 0.5, 1.0]
                .iter()
                .flat_map(|v| [v.to_ne_bytes(), 7u32.to_ne_bytes()].concat())
                .collect(),
            PixelType::HalfFloat => [0x3C00u16, 0x3800, 0x0000, 0x4000]
                .iter()
                .flat_map(|v| v.to_ne_bytes().repeat(usize::from(storage.bytes) / 2))
                .collect(),
            PixelType::UnsignedInt if info.has_depth() => [0u32, !0, 0x8000_0080, 0x4000_0040]
                .iter()
                .flat_map(|v| v.to_ne_bytes())
                .collect(),
            _ => (0..4 * usize::from(storage.bytes))
                .map(|i| (i * 37 % 101) as u8)
                .collect(),
        };
        c.upload(texture, 0, [4, 1], &pattern);
        let back = get_image(
            &mut c,
            texture,
            0,
            [4, 1],
            (storage.format, storage.ty, usize::from(storage.bytes)),
        );
        if info.has_depth() && storage.ty == PixelType::UnsignedInt {
            // 24 bits of the word, or a float's 24.
            for (a, b) in back.chunks_exact(4).zip(pattern.chunks_exact(4)) {
                let word = |w: &[u8]| u32::from_ne_bytes(w.try_into().unwrap());
                assert!(word(a).abs_diff(word(b)) < 256, "{}", info.name);
            }
        } else if info.color_bits[0] == 3 || info.color_bits[..3] == [2, 2, 2] {
            // Fewer bits than the storage: nothing to compare bit by bit.
        } else {
            assert_eq!(back, pattern, "{}", info.name);
        }
        kept += 1;
    }
    assert!(kept > 60, "{kept} formats");
}

#[test]
fn depth_texture_compares_against_the_reference() {
    let mut c = Client::new();
    let texture = c.texture(Target::Texture2D, Format::Depth24, [1, 1], 1);
    c.upload(texture, 0, [1, 1], &0x8000_0000u32.to_ne_bytes());
    c.sample(0, texture, Target::Texture2D, 1);
    c.program(
        COVER,
        "#version 330 core\nuniform sampler2D s; in vec2 t; out vec4 o; void main() { o = vec4(texture(s, t).rgb, 1); }",
    );
    cover(&mut c);
    let [r, g, b, _] = c.pixels().at(3, 3);
    assert!((127..=128).contains(&r), "{r}");
    assert_eq!((g, b), (0, 0));
}

#[test]
fn texture_drawn_to_is_sampled_with_what_was_drawn() {
    let mut c = Client::new();
    let default = c.fb;
    let texture = c.texture(Target::Texture2D, Format::Rgba8, [8, 8], 1);
    attach(&mut c, texture, Format::Rgba8, 0, 8, 0);
    c.clear(ClearMask::COLOR, [0.0, 0.0, 1.0, 1.0], 1.0, 0);
    c.state.scissors.enabled = 1;
    c.state.scissors.rects[0] = render_state::WindowRect {
        x: 0,
        y: 0,
        width: 4,
        height: 4,
    };
    c.set_state();
    c.clear(ClearMask::COLOR, [0.0, 1.0, 0.0, 1.0], 1.0, 0);
    c.state.scissors.enabled = 0;
    c.set_state();
    c.fb = default;
    c.set_framebuffer();
    c.sample(0, texture, Target::Texture2D, 1);
    c.program(COVER, SAMPLE);
    cover(&mut c);
    let image = c.pixels();
    assert_eq!(image.count(GREEN), 64);
    assert_eq!(image.at(7, 7), GREEN);
    assert_eq!(image.at(8, 7), BLUE);
}

#[test]
fn level_drawn_from_the_level_above_shows_it() {
    let mut c = Client::new();
    let texture = c.texture(Target::Texture2D, Format::Rgba8, [8, 8], 2);
    let params = |base, max| TextureParams {
        texture,
        base_level: base,
        max_level: max,
        swizzle: [0x1903, 0x1904, 0x1905, 0x1906],
        depth_stencil_mode: 0x1902,
        force_resync: 0,
        min_lod: -1000.0,
        max_lod: 1000.0,
        lod_bias: 0.0,
    };
    attach(&mut c, texture, Format::Rgba8, 0, 8, 0);
    c.clear(ClearMask::COLOR, [0.0, 1.0, 0.0, 1.0], 1.0, 0);
    attach(&mut c, texture, Format::Rgba8, 1, 4, 0);
    c.clear(ClearMask::COLOR, [1.0, 0.0, 0.0, 1.0], 1.0, 0);
    c.pipe.set_texture_params(&params(0, 0));
    c.sample(0, texture, Target::Texture2D, 2);
    c.program(COVER, SAMPLE);
    for rect in &mut c.state.viewports.rects {
        (rect.width, rect.height) = (4.0, 4.0);
    }
    c.set_state();
    cover(&mut c);
    cover(&mut c);
    let rgba = (PixelFormat::Rgba, PixelType::UnsignedByte, 4);
    assert_eq!(
        get_image(&mut c, texture, 1, [4, 4], rgba),
        GREEN.repeat(16)
    );
}

#[test]
fn generated_mipmap_is_the_average_of_the_level_above() {
    let mut c = Client::new();
    let texture = c.texture(Target::Texture2D, Format::Rgba8, [4, 4], 3);
    let mut texels = Vec::new();
    for i in 0..16u8 {
        texels.extend([if i % 2 == 0 { 0 } else { 100 }, 40, i / 8 * 80, 255]);
    }
    c.upload(texture, 0, [4, 4], &texels);
    let _ = c.pipe.generate_mipmap(&GenerateMipmap {
        groups: ALL,
        texture,
        base_level: 0,
        last_level: 2,
    });
    let rgba = (PixelFormat::Rgba, PixelType::UnsignedByte, 4);
    assert_eq!(
        get_image(&mut c, texture, 1, [2, 2], rgba),
        [
            [50, 40, 0, 255],
            [50, 40, 0, 255],
            [50, 40, 80, 255],
            [50, 40, 80, 255]
        ]
        .concat()
    );
    assert_eq!(
        get_image(&mut c, texture, 2, [1, 1], rgba),
        [50, 40, 40, 255]
    );
}

#[test]
fn blit_with_crossed_corners_mirrors_and_scissor_cuts() {
    let mut c = Client::new();
    let default = c.fb;
    let texture = c.texture(Target::Texture2D, Format::Rgba8, [2, 2], 1);
    c.upload(texture, 0, [2, 2], &[RED, GREEN, BLUE, WHITE].concat());
    c.clear(ClearMask::COLOR, [0.0, 0.0, 0.0, 1.0], 1.0, 0);
    c.fb = default;
    c.fb.read.color = Surface {
        resource: texture.into(),
        format: Format::Rgba8,
        kind: SurfaceKind::Texture,
        ..Surface::NONE
    };
    c.fb.read.is_default = 0;
    c.set_framebuffer();
    c.state.scissors.enabled = 1;
    c.state.scissors.rects[0] = render_state::WindowRect {
        x: 0,
        y: 0,
        width: 16,
        height: 12,
    };
    c.set_state();
    c.blit([0, 0, 2, 2], [16, 0, 0, 16], ClearMask::COLOR, false);
    c.fb = default;
    c.set_framebuffer();
    let image = c.pixels();
    assert_eq!(image.at(12, 2), RED);
    assert_eq!(image.at(2, 2), GREEN);
    assert_eq!(image.at(12, 11), BLUE);
    assert_eq!(image.at(2, 11), WHITE);
    assert_eq!(image.at(12, 12), BLACK);
}

#[test]
fn blit_of_depth_and_stencil_keeps_values() {
    let mut c = Client::new();
    c.clear(ClearMask::DEPTH | ClearMask::STENCIL, [0.0; 4], 0.25, 9);
    // From the left half to the right, after the right was set to something else.
    c.state.scissors.enabled = 1;
    c.state.scissors.rects[0] = render_state::WindowRect {
        x: 8,
        y: 0,
        width: 8,
        height: 16,
    };
    c.set_state();
    c.clear(ClearMask::DEPTH | ClearMask::STENCIL, [0.0; 4], 0.5, 1);
    c.state.scissors.enabled = 0;
    c.set_state();
    c.blit(
        [0, 0, 8, 16],
        [8, 0, 16, 16],
        ClearMask::DEPTH | ClearMask::STENCIL,
        false,
    );
    let depth = c.read(PixelFormat::DepthComponent, PixelType::Float, 4);
    let stencil = c.read(PixelFormat::StencilIndex, PixelType::UnsignedByte, 1);
    assert!(stencil.iter().all(|s| *s == 9));
    for d in depth.chunks_exact(4) {
        let d = f32::from_ne_bytes(d.try_into().unwrap());
        assert!((d - 0.25).abs() < 1e-6, "{d}");
    }
}

#[test]
fn blit_from_multisampled_texture_resolves_it() {
    let mut c = Client::new();
    let default = c.fb;
    let id = TextureId::new(c.id(), 1);
    let mut desc = empty_desc(id.into(), Target::Texture2DMultisample);
    desc.format = Format::Rgba8;
    (desc.width, desc.height, desc.samples) = (SIZE, SIZE, 4);
    c.pipe.resource_create(&desc);
    attach(&mut c, id, Format::Rgba8, 0, SIZE, 4);
    c.clear(ClearMask::COLOR, [0.0, 0.0, 0.0, 1.0], 1.0, 0);
    // Left of x = -0.45 in clip space: pixel 4 is covered by 0.4 of its width.
    let shader = c.program(
        "#version 330 core\nvoid main() { vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1);
            gl_Position = vec4(p.x * 0.55 - 1.0, p.y * 2.0 - 1.0, 0, 1); }",
        "#version 330 core\nuniform vec4 c; out vec4 o; void main() { o = c; }",
    );
    let white: Vec<u8> = [1.0f32; 4].iter().flat_map(|v| v.to_ne_bytes()).collect();
    c.constants(shader, &white);
    cover(&mut c);
    let read = c.fb.read;
    c.fb = default;
    c.fb.read = read;
    c.set_framebuffer();
    c.blit([0, 0, 16, 16], [0, 0, 16, 16], ClearMask::COLOR, false);
    c.fb = default;
    c.set_framebuffer();
    let image = c.pixels();
    assert_eq!(image.at(3, 8), WHITE);
    assert_eq!(image.at(5, 8), BLACK);
    let [edge, ..] = image.at(4, 8);
    assert!(edge > 0 && edge < 255, "{edge}");
}

#[test]
fn copy_between_textures_moves_the_box() {
    let mut c = Client::new();
    let src = c.texture(Target::Texture2D, Format::Rgba8, [2, 2], 1);
    let dst = c.texture(Target::Texture2D, Format::Rgba8, [2, 2], 1);
    c.upload(src, 0, [2, 2], &[RED, GREEN, BLUE, WHITE].concat());
    c.upload(dst, 0, [2, 2], &BLACK.repeat(4));
    c.pipe.resource_copy_region(&CopyRegion {
        src: src.into(),
        dst: dst.into(),
        src_level: 0,
        dst_level: 0,
        src_box: Box3 {
            x: 1,
            width: 1,
            height: 2,
            depth: 1,
            ..NO_BOX
        },
        dst_x: 0,
        dst_y: 0,
        dst_z: 0,
        src_offset_bytes: 0,
        dst_offset_bytes: 0,
        size_bytes: 0,
    });
    let rgba = (PixelFormat::Rgba, PixelType::UnsignedByte, 4);
    assert_eq!(
        get_image(&mut c, dst, 0, [2, 2], rgba),
        [GREEN, BLACK, WHITE, BLACK].concat()
    );
}

#[test]
fn respecified_texture_with_more_levels_keeps_the_old_ones() {
    let mut c = Client::new();
    let texture = c.texture(Target::Texture2D, Format::Rgba8, [2, 2], 1);
    c.upload(texture, 0, [2, 2], &[RED, GREEN, BLUE, WHITE].concat());
    let mut desc = empty_desc(texture.into(), Target::Texture2D);
    desc.format = Format::Rgba8;
    (desc.width, desc.height, desc.levels) = (2, 2, 2);
    desc.flags = ResourceFlags::KEEP_CONTENT.bits();
    let _: () = c.pipe.resource_respecify(&desc);
    let rgba = (PixelFormat::Rgba, PixelType::UnsignedByte, 4);
    assert_eq!(
        get_image(&mut c, texture, 0, [2, 2], rgba),
        [RED, GREEN, BLUE, WHITE].concat()
    );
}

#[test]
fn srgb_attachment_encodes_only_while_framebuffer_srgb_is_on() {
    let mut c = Client::new();
    let texture = c.texture(Target::Texture2D, Format::Srgb8Alpha8, [SIZE, SIZE], 1);
    attach(&mut c, texture, Format::Srgb8Alpha8, 0, SIZE, 0);
    let shader = c.program(
        COVER,
        "#version 330 core\nuniform vec4 c; out vec4 o; void main() { o = c; }",
    );
    let half: Vec<u8> = [0.5f32, 0.5, 0.5, 1.0]
        .iter()
        .flat_map(|v| v.to_ne_bytes())
        .collect();
    c.constants(shader, &half);
    cover(&mut c);
    let [linear, ..] = c.pixels().at(3, 3);
    assert!((127..=128).contains(&linear), "{linear}");
    c.state.caps.bits |= CapBits::FRAMEBUFFER_SRGB.bits();
    c.set_state();
    cover(&mut c);
    // GL 4.6 core §17.3.7: 1.055 * 0.5^(1/2.4) - 0.055 = 0.7354 -> 187.5.
    let [encoded, ..] = c.pixels().at(3, 3);
    assert!((187..=188).contains(&encoded), "{encoded}");
}

#[test]
fn buffer_texture_reads_texels_of_the_buffer() {
    let mut c = Client::new();
    let buffer = c.buffer(&[RED, GREEN].concat());
    let id = TextureId::new(c.id(), 1);
    let mut desc = empty_desc(id.into(), Target::TextureBuffer);
    desc.format = Format::Rgba8;
    desc.width = 2;
    desc.texture_buffer = buffer;
    desc.texture_buffer_size_bytes = WHOLE;
    c.pipe.resource_create(&desc);
    c.sample(0, id, Target::TextureBuffer, 1);
    c.program(
        COVER,
        "#version 330 core\nuniform samplerBuffer s; out vec4 o; void main() { o = texelFetch(s, 1); }",
    );
    cover(&mut c);
    assert_eq!(c.pixels().count(GREEN), 256);
}

#[test]
fn read_pixels_into_a_pack_buffer_keeps_bytes_between_rows() {
    let mut c = Client::new();
    c.clear(ClearMask::COLOR, [1.0, 0.0, 0.0, 1.0], 1.0, 0);
    let buffer = c.buffer(&[7; 64]);
    c.pipe.set_pixel_pack_state(&PixelPack {
        store: pipe::pixels::PixelStore {
            row_length: 4,
            ..Default::default()
        },
    });
    let _ = c.pipe.read_pixels(
        &ReadPixels {
            groups: ALL,
            x: 0,
            y: 0,
            width: 2,
            height: 2,
            format: PixelFormat::Rgba,
            ty: PixelType::UnsignedByte,
            pack_buffer: buffer,
            pack_offset_bytes: 8,
        },
        ReplyBytes(None),
    );
    let mut back = [0; 64];
    assert!(c.pipe.resource_readback(
        &Readback {
            buffer,
            offset_bytes: 0,
            size_bytes: 64,
        },
        ReplyBytes(Some(&mut back)),
    ));
    let mut expected = [7; 64];
    for at in [8, 12, 24, 28] {
        expected[at..at + 4].copy_from_slice(&RED);
    }
    assert_eq!(back, expected);
}

#[test]
fn read_pixels_beyond_the_edge_reads_what_is_inside() {
    let mut c = Client::new();
    c.clear(ClearMask::COLOR, [0.0, 1.0, 0.0, 1.0], 1.0, 0);
    let mut out = vec![9; 16];
    let _ = c.pipe.read_pixels(
        &ReadPixels {
            groups: ALL,
            x: 15,
            y: -1,
            width: 2,
            height: 2,
            format: PixelFormat::Rgba,
            ty: PixelType::UnsignedByte,
            pack_buffer: BufferId::NULL,
            pack_offset_bytes: 0,
        },
        ReplyBytes(Some(&mut out)),
    );
    assert_eq!(out[8..12], GREEN);
}

#[test]
fn compute_shader_writes_an_image_that_a_draw_samples() {
    use gl_glsl::{CompileOptions, LinkOptions, compile, link};
    let mut c = Client::new();
    let texture = c.texture(Target::Texture2D, Format::Rgba8, [SIZE, SIZE], 1);
    let source = "#version 430 core\nlayout(local_size_x = 4, local_size_y = 4) in;
        layout(rgba8, binding = 2) uniform writeonly image2D i;
        void main() { imageStore(i, ivec2(gl_GlobalInvocationID.xy), vec4(0, 1, 0, 1)); }";
    let shader = compile(
        pipe::program::Stage::Compute,
        &[source],
        &CompileOptions::default(),
    );
    assert!(shader.ok(), "{}", shader.log());
    let artifact = link(&[&shader], &LinkOptions::default());
    let artifact = artifact.artifact.expect(&artifact.log);
    let id = ShaderId::new(c.id(), 1);
    c.pipe.create_shader(
        &ShaderDesc {
            id,
            stages: u32::from(artifact.stage_mask.0),
            global_constants_bytes: artifact.default_block_size,
            flags: 0,
            name_for_diagnostics: 1,
        },
        &artifact.to_archive(),
    );
    c.pipe.set_dispatch_program(&ShaderOnly { id });
    c.pipe.set_shader_images(
        &SlotRange { start: 2, count: 1 },
        &[ImageView {
            texture,
            format: Format::Rgba8,
            level: 0,
            layer: 0,
            access: 0x88B9,
            layered: 0,
            _pad: 0,
        }],
    );
    let _ = c.pipe.launch_grid(&GridInfo {
        groups: ALL,
        x: 4,
        y: 4,
        z: 1,
        indirect_offset_bytes: WHOLE,
    });
    let _ = c.pipe.memory_barrier(&MemoryBarrier {
        groups: ALL,
        bits: !0,
        by_region: 0,
    });
    c.sample(0, texture, Target::Texture2D, 1);
    c.program(COVER, SAMPLE);
    cover(&mut c);
    assert_eq!(c.pixels().count(GREEN), 256);
}

#[test]
fn frag_color_reaches_every_draw_buffer() {
    let mut c = Client::new();
    let textures: Vec<_> = (0..2)
        .map(|_| c.texture(Target::Texture2D, Format::Rgba8, [SIZE, SIZE], 1))
        .collect();
    attach(&mut c, textures[0], Format::Rgba8, 0, SIZE, 0);
    c.fb.color[1] = Surface {
        resource: textures[1].into(),
        ..c.fb.color[0]
    };
    // Output 1 has no attachment.
    c.fb.draw_buffers = [0, -1, 1, -1, -1, -1, -1, -1];
    c.set_framebuffer();
    c.program(
        "#version 130\nvoid main() { vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1); gl_Position = vec4(p * 2.0 - 1.0, 0.0, 1.0); }",
        "#version 120\nvoid main() { gl_FragColor.rb = vec2(0.0); gl_FragColor.ga = vec2(1.0); if (gl_FragCoord.x < 8.0) return; gl_FragColor.g = 0.0; }",
    );
    cover(&mut c);
    let rgba = (PixelFormat::Rgba, PixelType::UnsignedByte, 4);
    for texture in textures {
        let image = Pixels(get_image(&mut c, texture, 0, [SIZE, SIZE], rgba));
        assert_eq!((image.count(GREEN), image.count(BLACK)), (128, 128));
    }
}

#[test]
fn blit_of_multisampled_depth_and_stencil_takes_a_sample() {
    let mut c = Client::new();
    let default = c.fb;
    let id = RenderbufferId::new(c.id(), 1);
    let mut desc = empty_desc(id.into(), Target::Renderbuffer);
    desc.format = Format::Depth24Stencil8;
    (desc.width, desc.height, desc.samples) = (SIZE, SIZE, 4);
    c.pipe.resource_create(&desc);
    let surface = Surface {
        resource: id.into(),
        format: Format::Depth24Stencil8,
        kind: SurfaceKind::Renderbuffer,
        ..Surface::NONE
    };
    let mut fb = FramebufferState::NONE;
    fb.id = FramebufferId::new(c.id(), 1);
    (fb.depth, fb.stencil) = (surface, surface);
    (fb.width, fb.height, fb.layers, fb.samples, fb.complete) = (SIZE, SIZE, 1, 4, 1);
    c.fb = fb;
    c.set_framebuffer();
    c.clear(ClearMask::DEPTH | ClearMask::STENCIL, [0.0; 4], 0.25, 7);
    c.fb = default;
    c.set_framebuffer();
    c.clear(ClearMask::DEPTH | ClearMask::STENCIL, [0.0; 4], 1.0, 0);
    (c.fb.read.depth, c.fb.read.stencil, c.fb.read.samples) = (surface, surface, 4);
    c.set_framebuffer();
    let both = ClearMask::DEPTH | ClearMask::STENCIL;
    c.blit([0, 0, 16, 16], [0, 0, 16, 16], both, false);
    c.fb = default;
    c.set_framebuffer();
    let depth = c.read(PixelFormat::DepthComponent, PixelType::Float, 4);
    let stencil = c.read(PixelFormat::StencilIndex, PixelType::UnsignedByte, 1);
    assert!(stencil.iter().all(|s| *s == 7), "{}", stencil[0]);
    for d in depth.chunks_exact(4) {
        let d = f32::from_ne_bytes(d.try_into().unwrap());
        assert!((d - 0.25).abs() < 1e-6, "{d}");
    }
}

#[test]
fn output_to_a_draw_buffer_that_is_none_is_discarded() {
    let mut c = Client::new();
    let texture = c.texture(Target::Texture2D, Format::Rgba8, [SIZE, SIZE], 1);
    attach(&mut c, texture, Format::Rgba8, 0, SIZE, 0);
    // Output 0 goes nowhere, output 1 to attachment 0.
    c.fb.draw_buffers = [-1, 0, -1, -1, -1, -1, -1, -1];
    c.set_framebuffer();
    c.program(
        COVER,
        "#version 330 core\nlayout(location=0) out vec4 a; layout(location=1) out vec4 b;
            void main() { a = vec4(1, 0, 0, 1); b = vec4(0, 1, 0, 1); }",
    );
    cover(&mut c);
    assert_eq!(c.pixels().count(GREEN), 256);
}
