//! Textures, buffers, framebuffers, queries and captures through the executor onto the driver. Expected values are the specification's.

mod rig;

use pipe::pixels::{PixelFormat, PixelType};
use pipe::program::Stage;
use pipe::*;
use rig::*;

const FULL: &str = "#version 330 core
void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    gl_Position = vec4(corner, 0.0, 1.0);
}
";

/// Draws the whole viewport with a fragment shader.
fn cover(rig: &mut Rig, fragment: &str) -> ShaderId {
    let program = rig.program(&[(Stage::Vertex, FULL), (Stage::Fragment, fragment)]);
    rig.use_program(program);
    rig.draw_arrays(Primitive::Triangles, 0, 3);
    program
}

fn image(
    rig: &mut Rig,
    texture: TextureId,
    level: u16,
    src: Box3,
    format: PixelFormat,
    ty: PixelType,
) -> Vec<u8> {
    let group = usize::from(pipe::pixels::group_bytes(format, ty));
    let mut out = vec![0; (src.width * src.height * src.depth) as usize * group];
    rig.gl.set_pixel_pack_state(&PixelPack {
        store: pipe::pixels::PixelStore {
            alignment: 1,
            ..Default::default()
        },
    });
    let _ = rig.gl.get_texture_image(
        &GetTextureImage {
            groups: ALL,
            texture,
            level,
            format,
            ty,
            _pad0: 0,
            src,
            _pad1: 0,
            pack_buffer: BufferId::NULL,
            pack_offset_bytes: 0,
        },
        ReplyBytes(Some(&mut out)),
    );
    rig.check();
    out
}

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
fn render_to_texture_then_to_default_framebuffer_keeps_them_apart() {
    let mut rig = Rig::new();
    rig.clear([1.0, 0.0, 0.0, 1.0]);
    let texture = rig.texture(texture_desc(Target::Texture2D, Format::Rgba8, 16, 16));
    rig.texture_framebuffer(texture, Format::Rgba8, 16, 0);
    rig.clear([0.0, 1.0, 0.0, 1.0]);
    assert_eq!(rig.pixel(0, 0), [0, 255, 0, 255]);
    let fb = rig.default_framebuffer();
    rig.gl.set_framebuffer_state(&fb);
    assert_eq!(rig.pixel(0, 0), [255, 0, 0, 255]);
    // A new texture under the same driver name is not the old one's framebuffer.
    rig.gl.resource_destroy(&ResourceOnly {
        resource: texture.into(),
    });
    let other = rig.texture(texture_desc(Target::Texture2D, Format::Rgba8, 16, 16));
    rig.texture_framebuffer(other, Format::Rgba8, 16, 0);
    rig.clear([0.0, 0.0, 1.0, 1.0]);
    assert_eq!(rig.pixel(0, 0), [0, 0, 255, 255]);
}

#[test]
fn draw_buffers_in_another_order_reach_their_attachments() {
    let mut rig = Rig::new();
    let a = rig.texture(texture_desc(Target::Texture2D, Format::Rgba8, 16, 16));
    let b = rig.texture(texture_desc(Target::Texture2D, Format::Rgba8, 16, 16));
    let surface = |texture: TextureId| Surface {
        resource: texture.into(),
        kind: SurfaceKind::Texture,
        format: Format::Rgba8,
        ..Surface::NONE
    };
    let mut fb = FramebufferState::NONE;
    fb.id = FramebufferId::new(5, 1);
    fb.color[0] = surface(a);
    fb.color[1] = surface(b);
    // Output 0 goes to attachment 1, output 1 to attachment 0.
    fb.draw_buffers[0] = 1;
    fb.draw_buffers[1] = 0;
    (fb.width, fb.height, fb.complete) = (16, 16, 1);
    fb.read.color = surface(a);
    (fb.read.width, fb.read.height, fb.read.complete) = (16, 16, 1);
    rig.gl.set_framebuffer_state(&fb.hashed());
    cover(
        &mut rig,
        "#version 330 core
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;
void main() { first = vec4(1.0, 0.0, 0.0, 1.0); second = vec4(0.0, 1.0, 0.0, 1.0); }
",
    );
    assert_eq!(rig.pixel(5, 5), [0, 255, 0, 255]);
}

#[test]
fn uniform_block_reads_the_range_at_its_binding_point() {
    let mut rig = Rig::new();
    let program = rig.program(&[
        (Stage::Vertex, FULL),
        (
            Stage::Fragment,
            "#version 330 core
layout(std140) uniform First { vec4 a; };
layout(std140) uniform Second { vec4 b; };
uniform float scale;
out vec4 result;
void main() { result = a + b * scale; }
",
        ),
    ]);
    let artifact = compile(&[
        (Stage::Vertex, FULL),
        (
            Stage::Fragment,
            "#version 330 core
layout(std140) uniform First { vec4 a; };
layout(std140) uniform Second { vec4 b; };
uniform float scale;
out vec4 result;
void main() { result = a + b * scale; }
",
        ),
    ]);
    let bindings: Vec<_> = artifact
        .uniform_blocks
        .iter()
        .map(|block| ProgramBinding {
            binding: block.binding as u16,
            element: block.element as u16,
            slot: if block.name == "First" { 3 } else { 7 },
        })
        .collect();
    rig.gl.set_program_bindings(
        &ProgramBindings {
            shader: program,
            version: 1,
            _pad: 0,
        },
        &bindings,
    );
    let red = rig.buffer(&floats(&[1.0, 0.0, 0.0, 0.0]));
    let blue = rig.buffer(&floats(&[0.0, 0.0, 2.0, 2.0]));
    let mut head = shader_buffers(BufferClass::Uniform, 1);
    head.start = 3;
    rig.gl.set_shader_buffers(&head, &[whole(red)]);
    head.start = 7;
    rig.gl.set_shader_buffers(&head, &[whole(blue)]);
    rig.gl.set_global_constants(
        &GlobalConstants {
            shader: program,
            version: 1,
            _pad: 0,
        },
        &floats(&[0.5, 0.0, 0.0, 0.0])[..artifact.default_block_size as usize],
    );
    rig.use_program(program);
    rig.draw_arrays(Primitive::Triangles, 0, 3);
    assert_eq!(rig.pixel(8, 8), [255, 0, 255, 255]);
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
fn multisampled_renderbuffer_resolves_by_blit_also_when_mirrored() {
    let mut rig = Rig::new();
    rig.clear([0.0; 4]);
    let id = RenderbufferId::new(3, 1);
    let desc = ResourceDesc {
        resource: id.into(),
        samples: 4,
        ..texture_desc(Target::Renderbuffer, Format::Rgba8, 16, 16)
    };
    rig.gl.resource_create(&desc);
    rig.gl.resource_respecify(&desc);
    let default = rig.default_framebuffer();
    let mut fb = FramebufferState::NONE;
    fb.id = FramebufferId::new(5, 1);
    fb.color[0] = Surface {
        resource: id.into(),
        kind: SurfaceKind::Renderbuffer,
        format: Format::Rgba8,
        ..Surface::NONE
    };
    fb.draw_buffers[0] = 0;
    (fb.width, fb.height, fb.samples, fb.complete) = (16, 16, 4, 1);
    fb.read.color = fb.color[0];
    (
        fb.read.width,
        fb.read.height,
        fb.read.samples,
        fb.read.complete,
    ) = (16, 16, 4, 1);
    rig.gl.set_framebuffer_state(&fb.hashed());
    // Left half red, right half green.
    cover(
        &mut rig,
        "#version 330 core
out vec4 result;
void main() { result = gl_FragCoord.x < 8.0 ? vec4(1.0, 0.0, 0.0, 1.0) : vec4(0.0, 1.0, 0.0, 1.0); }
",
    );
    let mut both = default;
    both.read = fb.read;
    rig.gl.set_framebuffer_state(&both.hashed());
    let mut blit = Blit {
        groups: ALL,
        src: [0, 0, 16, 16],
        dst: [0, 0, 16, 16],
        mask: ClearMask::COLOR.bits(),
        linear: 0,
    };
    for (mirrored, left) in [(false, [255, 0, 0, 255]), (true, [0, 255, 0, 255])] {
        if mirrored {
            blit.dst = [16, 0, 0, 16];
        }
        rig.gl.set_framebuffer_state(&both.hashed());
        let _ = rig.gl.blit(&blit);
        rig.check();
        rig.gl.set_framebuffer_state(&default);
        assert_eq!(rig.pixel(1, 1), left, "mirrored {mirrored}");
    }
}

#[test]
fn client_arrays_and_client_indices_are_fetched() {
    struct Memory(Vec<u8>, Vec<u8>);
    impl HostBytes for Memory {
        fn bytes(&self, span: &HostSpan) -> Option<&[u8]> {
            match span.offset {
                1 => Some(&self.0),
                2 => Some(&self.1),
                _ => None,
            }
        }
    }
    let span = |offset, size_bytes| HostSpan {
        segment: pipe::host::SEGMENT_FRONTEND,
        _pad: 0,
        offset,
        size_bytes,
    };
    let mut rig = Rig::new();
    rig.clear([0.0; 4]);
    let memory = Memory(
        floats(&[-1.0, -1.0, 3.0, -1.0, -1.0, 3.0]),
        [0_u16, 1, 2].iter().flat_map(|i| i.to_ne_bytes()).collect(),
    );
    let program = rig.program(&[
        (
            Stage::Vertex,
            "#version 330 core
layout(location = 0) in vec2 position;
void main() { gl_Position = vec4(position, 0.0, 1.0); }
",
        ),
        (
            Stage::Fragment,
            "#version 330 core
out vec4 result;
void main() { result = vec4(1.0); }
",
        ),
    ]);
    rig.use_program(program);
    let mut desc = vertex_elements(VertexElementsId::new(7, 1));
    desc.attribs[0].components = 2;
    desc.attribs[0].enabled = 1;
    desc.bindings[0].stride_bytes = 8;
    let buffer = VertexBuffer {
        buffer: BufferId::NULL,
        offset_bytes: 0,
        user: span(1, 24),
    };
    rig.elements(&desc, &[buffer]);
    let mut info = draw_info(Primitive::Triangles, 0, 3);
    info.index_size = 2;
    info.flags = (DrawFlags::USER_INDICES | DrawFlags::USER_VERTICES).bits();
    let _ = rig
        .gl
        .draw_vbo(&info, &[], &[], &[span(2, 6)], Host(&memory));
    rig.check();
    assert_eq!(rig.pixel(8, 8), [255; 4]);
}

// GL 4.6 §10.3.1: GL_BGRA; doubles are converted to single precision for plain attributes.
#[test]
fn attributes_that_es_cannot_fetch_are_converted() {
    for (ty, components, bgra, bytes) in [
        (0x1401_u16, 4, 1, vec![255_u8, 128, 0, 255]),
        (
            0x140A,
            4,
            0,
            [0.0_f64, 0.5, 1.0, 1.0]
                .iter()
                .flat_map(|v| v.to_ne_bytes())
                .collect(),
        ),
        // 10F_11F_11F: 0, 0.5, 1 (exponent bias 15).
        (
            0x8C3B,
            3,
            0,
            ((14 << 6) << 11 | (15_u32 << 5) << 22)
                .to_ne_bytes()
                .to_vec(),
        ),
    ] {
        let mut rig = Rig::new();
        let program = rig.program(&[
            (
                Stage::Vertex,
                "#version 330 core
layout(location = 3) in vec4 tint;
out vec4 color;
void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    gl_Position = vec4(corner, 0.0, 1.0);
    color = tint;
}
",
            ),
            (
                Stage::Fragment,
                "#version 330 core
in vec4 color;
out vec4 result;
void main() { result = color; }
",
            ),
        ]);
        rig.use_program(program);
        let buffer = rig.buffer(&bytes);
        let mut desc = vertex_elements(VertexElementsId::new(7, 1));
        desc.attribs[3] = VertexAttrib {
            ty,
            components,
            bgra,
            normalized: 1,
            enabled: 1,
            ..desc.attribs[3]
        };
        // Stride 0: every vertex reads the same element.
        rig.elements(
            &desc,
            &[VertexBuffer {
                buffer,
                offset_bytes: 0,
                user: HostSpan::NONE,
            }],
        );
        rig.draw_arrays(Primitive::Triangles, 0, 3);
        let [r, g, b, a] = rig.pixel(8, 8);
        assert_eq!([r, b, a], [0, 255, 255], "{ty:#x}");
        assert!((127..=128).contains(&g), "{ty:#x}: {g}");
    }
}

#[test]
fn current_value_feeds_an_attribute_without_array() {
    let mut rig = Rig::new();
    let value = AttribValue {
        bits: [0.0_f32, 1.0, 0.0, 1.0].map(f32::to_bits),
        kind: 0,
    };
    rig.gl
        .set_vertex_attrib_defaults(&AttribDefaults { mask: 1 << 2 }, &[value]);
    let program = rig.program(&[
        (
            Stage::Vertex,
            "#version 330 core
layout(location = 2) in vec4 tint;
flat out vec4 color;
void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    gl_Position = vec4(corner, 0.0, 1.0);
    color = tint;
}
",
        ),
        (
            Stage::Fragment,
            "#version 330 core
flat in vec4 color;
out vec4 result;
void main() { result = color; }
",
        ),
    ]);
    rig.use_program(program);
    rig.draw_arrays(Primitive::Triangles, 0, 3);
    assert_eq!(rig.pixel(8, 8), [0, 255, 0, 255]);
}

#[test]
fn indirect_draw_takes_its_command_from_the_buffer() {
    let mut rig = Rig::new();
    rig.clear([0.0; 4]);
    let program = rig.program(&[
        (Stage::Vertex, FULL),
        (
            Stage::Fragment,
            "#version 330 core
out vec4 result;
void main() { result = vec4(1.0); }
",
        ),
    ]);
    rig.use_program(program);
    let command: Vec<u8> = [0_u32, 0, 0, 0, 3, 1, 0, 0]
        .iter()
        .flat_map(|v| v.to_ne_bytes())
        .collect();
    let draw = rig.buffer(&command);
    rig.gl.set_indirect_buffers(&IndirectBuffers {
        draw,
        dispatch: BufferId::NULL,
        parameter: BufferId::NULL,
    });
    let mut info = draw_info(Primitive::Triangles, 0, 0);
    info.flags = DrawFlags::INDIRECT.bits();
    let commands = DrawIndirect {
        offset_bytes: 16,
        stride_bytes: 0,
        draw_count: 1,
        count_offset_bytes: 0,
    };
    let _ = rig.gl.draw_vbo(&info, &[], &[commands], &[], Host::NONE);
    rig.check();
    assert_eq!(rig.pixel(8, 8), [255; 4]);
}

#[test]
fn compute_writes_a_storage_buffer_and_an_image() {
    let mut rig = Rig::new();
    let program = rig.program(&[(
        Stage::Compute,
        "#version 430 core
layout(local_size_x = 4) in;
layout(std430, binding = 2) buffer Values { uint value[]; };
layout(rgba8, binding = 1) writeonly uniform image2D target;
void main() {
    value[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x * 3u;
    imageStore(target, ivec2(0, 0), vec4(0.0, 1.0, 0.0, 1.0));
}
",
    )]);
    rig.gl.set_dispatch_program(&ShaderOnly { id: program });
    let buffer = rig.buffer(&[0; 16]);
    let texture = rig.texture(texture_desc(Target::Texture2D, Format::Rgba8, 1, 1));
    let mut head = shader_buffers(BufferClass::ShaderStorage, 1);
    head.start = 2;
    head.writable_mask = 1;
    rig.gl.set_shader_buffers(&head, &[whole(buffer)]);
    rig.gl.set_shader_images(
        &SlotRange { start: 1, count: 1 },
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
    let _ = rig.gl.launch_grid(&GridInfo {
        groups: ALL,
        x: 1,
        y: 1,
        z: 1,
        indirect_offset_bytes: WHOLE,
    });
    let _ = rig.gl.memory_barrier(&MemoryBarrier {
        groups: ALL,
        bits: !0,
        by_region: 0,
    });
    rig.check();
    let bytes = rig.buffer_bytes(buffer, 16);
    let words: Vec<u32> = bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|b| u32::from_ne_bytes(*b))
        .collect();
    assert_eq!(words, [0, 3, 6, 9]);
    let texel = image(
        &mut rig,
        texture,
        0,
        box2(1, 1),
        PixelFormat::Rgba,
        PixelType::UnsignedByte,
    );
    assert_eq!(texel, [0, 255, 0, 255]);
}

#[test]
fn occlusion_and_primitives_queries_answer() {
    let mut rig = Rig::new();
    rig.clear([0.0; 4]);
    let ids = [(0x8914_u32, 1), (0x8C2F, 1), (0x8C87, 2)];
    for (i, (target, _)) in ids.iter().enumerate() {
        let query = QueryId::new(i as u32 + 1, 1);
        rig.gl.query_create(&QueryCreate {
            query,
            target: *target,
            index: 0,
        });
    }
    for (i, (target, expected)) in ids.iter().enumerate() {
        let query = QueryOnly {
            query: QueryId::new(i as u32 + 1, 1),
        };
        rig.gl.query_begin(&query);
        let program = cover(
            &mut rig,
            "#version 330 core
out vec4 result;
void main() { result = vec4(1.0); }
",
        );
        if *target == 0x8C87 {
            rig.use_program(program);
            rig.draw_arrays(Primitive::Triangles, 0, 3);
        }
        rig.gl.query_end(&query);
        rig.check();
        assert_eq!(rig.gl.query_result(&query), *expected, "{target:#x}");
        assert!(rig.gl.query_available(&query));
    }
}

#[test]
fn fence_is_signalled_after_a_wait() {
    let mut rig = Rig::new();
    rig.clear([1.0; 4]);
    let fence = FenceId::new(1, 1);
    rig.gl.fence_create(&FenceOnly { fence });
    let status = rig.gl.fence_wait(&FenceWait {
        fence,
        timeout_ns: 5_000_000_000,
    });
    assert_eq!(status, FenceStatus::Signalled);
    assert_eq!(
        rig.gl.fence_status(&FenceOnly { fence }),
        FenceStatus::Signalled
    );
}

#[test]
fn read_pixels_into_a_pack_buffer_lands_at_its_offset() {
    let mut rig = Rig::new();
    rig.clear([1.0, 0.0, 0.0, 1.0]);
    let buffer = rig.buffer(&[7; 64]);
    for format in [PixelFormat::Rgba, PixelFormat::Bgra] {
        let _ = rig.gl.read_pixels(
            &ReadPixels {
                groups: ALL,
                x: 0,
                y: 0,
                width: 1,
                height: 1,
                format,
                ty: PixelType::UnsignedByte,
                pack_buffer: buffer,
                pack_offset_bytes: 8,
            },
            ReplyBytes(None),
        );
        rig.check();
        let bytes = rig.buffer_bytes(buffer, 16);
        let red = if format == PixelFormat::Rgba {
            [255, 0, 0, 255]
        } else {
            [0, 0, 255, 255]
        };
        assert_eq!(bytes[8..12], red);
        assert_eq!((bytes[7], bytes[12]), (7, 7));
    }
}

#[test]
fn point_size_of_the_state_is_used_where_the_program_writes_none() {
    let mut rig = Rig::new();
    rig.clear([0.0; 4]);
    let program = rig.program(&[
        (
            Stage::Vertex,
            "#version 330 core
void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }
",
        ),
        (
            Stage::Fragment,
            "#version 330 core
out vec4 result;
void main() { result = vec4(1.0); }
",
        ),
    ]);
    rig.use_program(program);
    rig.state.primitive.point_size = 8.0;
    rig.tell_state();
    rig.draw_arrays(Primitive::Points, 0, 1);
    let covered = rig
        .read(PixelFormat::Red, PixelType::UnsignedByte)
        .iter()
        .filter(|v| **v == 255)
        .count();
    assert_eq!(covered, 64);
    rig.clear([0.0; 4]);
    rig.state.primitive.point_size = 2.0;
    rig.tell_state();
    rig.draw_arrays(Primitive::Points, 0, 1);
    let covered = rig.read(PixelFormat::Red, PixelType::UnsignedByte);
    assert_eq!(covered.iter().filter(|v| **v == 255).count(), 4);
}

#[test]
fn two_contexts_share_objects_and_keep_their_state() {
    let mut rig = Rig::new();
    rig.clear([1.0, 0.0, 0.0, 1.0]);
    let buffer = rig.buffer(&[5; 8]);
    let (one, surface) = (ContextId::new(1, 1), SurfaceId::new(1, 1));
    let two = ContextId::new(2, 1);
    rig.gl.create_context(two).expect("a second context");
    rig.gl.bind_context(&BindContext {
        context: two,
        draw: surface,
        read: surface,
    });
    rig.check();
    assert_eq!(rig.buffer_bytes(buffer, 8), [5; 8]);
    rig.gl.bind_context(&BindContext {
        context: one,
        draw: surface,
        read: surface,
    });
    assert_eq!(rig.pixel(0, 0), [255, 0, 0, 255]);
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

// GL 4.6 §17.3.6.3: destination alpha of a target without alpha is 1.
#[test]
fn destination_alpha_of_a_widened_target_stays_one() {
    let mut rig = Rig::new();
    let texture = rig.texture(texture_desc(Target::Texture2D, Format::Rgb16f, 16, 16));
    rig.texture_framebuffer(texture, Format::Rgb16f, 16, 0);
    rig.clear([0.0; 4]);
    let white = "#version 330 core
out vec4 result;
void main() { result = vec4(0.5, 0.5, 0.5, 0.0); }
";
    cover(&mut rig, white);
    // result = source * destination alpha.
    rig.state.blend.enabled = 0xFF;
    for target in &mut rig.state.blend.targets {
        target.src_rgb = 0x0304;
        target.dst_rgb = 0;
    }
    rig.tell_state();
    cover(&mut rig, white);
    let [r, _, _, a] = rig.pixel(4, 4);
    assert_eq!((r, a), (128, 255));
}

#[test]
fn frag_color_reaches_every_draw_buffer() {
    let mut rig = Rig::new();
    let a = rig.texture(texture_desc(Target::Texture2D, Format::Rgba8, 16, 16));
    let b = rig.texture(texture_desc(Target::Texture2D, Format::Rgba8, 16, 16));
    let mut fb = FramebufferState::NONE;
    fb.id = FramebufferId::new(5, 1);
    for (i, texture) in [a, b].into_iter().enumerate() {
        fb.color[i] = Surface {
            resource: texture.into(),
            kind: SurfaceKind::Texture,
            format: Format::Rgba8,
            ..Surface::NONE
        };
        fb.draw_buffers[i] = i as i8;
    }
    (fb.width, fb.height, fb.complete) = (16, 16, 1);
    fb.read.color = fb.color[1];
    (fb.read.width, fb.read.height, fb.read.complete) = (16, 16, 1);
    rig.gl.set_framebuffer_state(&fb.hashed());
    cover(
        &mut rig,
        "#version 120
void main() { gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0); }
",
    );
    assert_eq!(rig.pixel(3, 3), [0, 255, 0, 255]);
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
