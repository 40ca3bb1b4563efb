//! Contents that nothing wrote: GL calls them undefined (GL 4.6 core §8.5, §9.2.4, §6.2), a program must all the same never see what
//! memory held before. Zeros are what the common drivers give. What writes contents is no subject here.
//!
//! Public report: <https://github.com/moderngl/moderngl/blob/5.12.0/tests/test_scissor.py> counts on zeros.

use glow::HasContext;

use crate::gl::{Gl, bytes_of};
use crate::paint::*;

/// Memory that comes back holds something: textures and buffers full of one byte end.
unsafe fn soil(gl: &Gl) {
    let bytes = vec![0xA5; 256 * 256 * 4];
    for round in 0..3 {
        let textures: Vec<_> = (0..8)
            .map(|_| gl.texture_rgba8(256, 256, Some(&bytes)))
            .collect();
        let buffers: Vec<_> = (0..8)
            .map(|_| {
                let buffer = gl.create_buffer().expect("glGenBuffers");
                gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer));
                let usage = [glow::STATIC_DRAW, glow::STREAM_DRAW][round % 2];
                gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, &bytes[..1 << 16], usage);
                buffer
            })
            .collect();
        let framebuffer = gl.create_framebuffer().expect("glGenFramebuffers");
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        for texture in textures {
            // Told to the driver, and used.
            attach(gl, texture, 0);
            gl.clear_color(0.6, 0.6, 0.6, 0.6);
            gl.clear(glow::COLOR_BUFFER_BIT);
            gl.delete_texture(texture);
        }
        let copy = gl.buffer(glow::COPY_WRITE_BUFFER, &bytes[..1 << 16]);
        for buffer in buffers {
            gl.bind_buffer(glow::COPY_READ_BUFFER, Some(buffer));
            gl.copy_buffer_sub_data(
                glow::COPY_READ_BUFFER,
                glow::COPY_WRITE_BUFFER,
                0,
                0,
                1 << 16,
            );
            gl.delete_buffer(buffer);
        }
        gl.delete_buffer(copy);
        gl.delete_framebuffer(framebuffer);
        gl.finish();
    }
    gl.clear_color(0.0, 0.0, 0.0, 0.0);
    gl.no_error("memory that is used again");
}

unsafe fn attach(gl: &Gl, texture: glow::NativeTexture, level: i32) {
    gl.framebuffer_texture_2d(
        glow::FRAMEBUFFER,
        glow::COLOR_ATTACHMENT0,
        glow::TEXTURE_2D,
        Some(texture),
        level,
    );
}

unsafe fn fresh(gl: &Gl, target: u32) -> glow::NativeTexture {
    let texture = gl.create_texture().expect("glGenTextures");
    gl.bind_texture(target, Some(texture));
    for filter in [glow::TEXTURE_MIN_FILTER, glow::TEXTURE_MAG_FILTER] {
        gl.tex_parameter_i32(target, filter, glow::NEAREST as i32);
    }
    texture
}

/// Rule: what nothing wrote reads as zero, through a framebuffer.
/// Broken: a scissored clear of a new texture left the texels of a deleted one around it.
pub unsafe fn blank_attachments(gl: &Gl) {
    soil(gl);
    for internal in [glow::RGBA8, glow::RGB8, glow::RGBA16F, glow::RGB10_A2] {
        let texture = fresh(gl, glow::TEXTURE_2D);
        gl.tex_storage_2d(glow::TEXTURE_2D, 2, internal, 64, 64);
        let framebuffer = gl.create_framebuffer().expect("glGenFramebuffers");
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        attach(gl, texture, 0);
        gl.viewport(0, 0, 64, 64);
        gl.enable(glow::SCISSOR_TEST);
        gl.scissor(8, 8, 8, 8);
        gl.clear_color(1.0, 0.0, 0.0, 1.0);
        gl.clear(glow::COLOR_BUFFER_BIT);
        gl.disable(glow::SCISSOR_TEST);
        gl.expect(8, 8, RED8, "the cleared part");
        let [r, g, b, _] = gl.pixel(40, 40);
        assert_eq!([r, g, b], [0; 3], "the rest of {internal:#x}");
        attach(gl, texture, 1);
        let [r, g, b, _] = gl.pixel(20, 20);
        assert_eq!([r, g, b], [0; 3], "another level of {internal:#x}");
    }
    // A smaller attachment beside it: the pass does not reach all of the larger one.
    let (large, small) = (
        gl.texture_rgba8(64, 64, None),
        gl.texture_rgba8(16, 16, None),
    );
    attach(gl, large, 0);
    gl.framebuffer_texture_2d(
        glow::FRAMEBUFFER,
        glow::COLOR_ATTACHMENT1,
        glow::TEXTURE_2D,
        Some(small),
        0,
    );
    gl.draw_buffers(&[glow::COLOR_ATTACHMENT0, glow::COLOR_ATTACHMENT1]);
    gl.clear_color(0.0, 1.0, 0.0, 1.0);
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.framebuffer_texture_2d(
        glow::FRAMEBUFFER,
        glow::COLOR_ATTACHMENT1,
        glow::TEXTURE_2D,
        None,
        0,
    );
    gl.expect(8, 8, GREEN8, "inside of the smaller");
    gl.expect(40, 40, NOTHING8, "outside of it");
    // Depth and stencil, where only one is cleared.
    gl.draw_buffers(&[glow::COLOR_ATTACHMENT0]);
    for cleared in [glow::DEPTH_BUFFER_BIT, glow::STENCIL_BUFFER_BIT] {
        let renderbuffer = gl.add_depth_stencil(64, 64);
        gl.clear_depth_f32(1.0);
        gl.clear_stencil(0x5A);
        gl.clear(cleared);
        let mut words = [0x5A; 4];
        gl.read(
            30,
            30,
            1,
            1,
            glow::DEPTH_STENCIL,
            glow::UNSIGNED_INT_24_8,
            &mut words,
        );
        let wanted = if cleared == glow::DEPTH_BUFFER_BIT {
            0xFFFF_FF00
        } else {
            0x5A
        };
        assert_eq!(u32::from_ne_bytes(words), wanted, "{cleared:#x}");
        gl.delete_renderbuffer(renderbuffer);
    }
    // Multisampled: resolved without ever being drawn to.
    let samples = gl.create_renderbuffer().expect("glGenRenderbuffers");
    gl.bind_renderbuffer(glow::RENDERBUFFER, Some(samples));
    gl.renderbuffer_storage_multisample(glow::RENDERBUFFER, 4, glow::RGBA8, 64, 64);
    let source = gl.create_framebuffer().expect("glGenFramebuffers");
    gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(source));
    gl.framebuffer_renderbuffer(
        glow::READ_FRAMEBUFFER,
        glow::COLOR_ATTACHMENT0,
        glow::RENDERBUFFER,
        Some(samples),
    );
    gl.blit_framebuffer(
        0,
        0,
        64,
        64,
        0,
        0,
        64,
        64,
        glow::COLOR_BUFFER_BIT,
        glow::NEAREST,
    );
    gl.no_error("a resolve");
    let framebuffer = gl.create_framebuffer().expect("glGenFramebuffers");
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
    attach(gl, large, 0);
    gl.expect(8, 8, NOTHING8, "samples");
    // The default framebuffer of a surface that was never drawn to.
    gl.bind_framebuffer(glow::FRAMEBUFFER, None);
    gl.expect(5, 5, NOTHING8, "the default framebuffer");
}

/// Rule: as above, for sampling, copies, mipmaps and glGetTexImage.
/// Broken: a texture of which a program uploads some tiles showed others' tiles in between.
pub unsafe fn blank_textures(gl: &Gl) {
    soil(gl);
    let target = gl.target(32, 32);
    let program = gl.program(
        TRI,
        "#version 330 core
        uniform sampler2D t; out vec4 o; void main() { o = texture(t, gl_FragCoord.xy / 32.0); }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    let sampled = gl.texture_rgba8(128, 128, None);
    let tile = WHITE8.repeat(32 * 32);
    gl.tex_sub_image_2d(
        glow::TEXTURE_2D,
        0,
        0,
        0,
        32,
        32,
        glow::RGBA,
        glow::UNSIGNED_BYTE,
        glow::PixelUnpackData::Slice(Some(&tile)),
    );
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(2, 2, WHITE8, "the tile that was uploaded");
    gl.expect(20, 20, NOTHING8, "beside it");
    // Copied from, and made into mipmaps, without a draw before.
    gl.delete_texture(sampled);
    let source = gl.texture_rgba8(64, 64, None);
    attach(gl, source, 0);
    let copied = gl.texture_rgba8(32, 32, Some(&WHITE8.repeat(32 * 32)));
    gl.copy_tex_sub_image_2d(glow::TEXTURE_2D, 0, 4, 4, 8, 8, 16, 16);
    attach(gl, copied, 0);
    gl.expect(8, 8, NOTHING8, "copied");
    gl.expect(28, 28, WHITE8, "not copied over");
    let chain = fresh(gl, glow::TEXTURE_2D);
    gl.tex_storage_2d(glow::TEXTURE_2D, 4, glow::RGBA8, 64, 64);
    gl.generate_mipmap(glow::TEXTURE_2D);
    attach(gl, chain, 2);
    gl.expect(8, 8, NOTHING8, "a mipmap of nothing");
    let mut texels = vec![0x5A; 64 * 64 * 4];
    gl.bind_texture(glow::TEXTURE_2D, Some(source));
    gl.get_tex_image(
        glow::TEXTURE_2D,
        0,
        glow::RGBA,
        glow::UNSIGNED_BYTE,
        glow::PixelPackData::Slice(Some(&mut texels)),
    );
    assert!(texels.iter().all(|byte| *byte == 0), "glGetTexImage");
    gl.keep("glGetTexImage", &texels);
    // Layers and slices: one is written, the others are not.
    for kind in [glow::TEXTURE_2D_ARRAY, glow::TEXTURE_3D] {
        let texture = fresh(gl, kind);
        gl.tex_storage_3d(kind, 1, glow::RGBA8, 32, 32, 4);
        gl.tex_sub_image_3d(
            kind,
            0,
            0,
            0,
            1,
            32,
            32,
            1,
            glow::RGBA,
            glow::UNSIGNED_BYTE,
            glow::PixelUnpackData::Slice(Some(&tile)),
        );
        for (layer, wanted) in [(0, NOTHING8), (1, WHITE8), (3, NOTHING8)] {
            gl.framebuffer_texture_layer(
                glow::FRAMEBUFFER,
                glow::COLOR_ATTACHMENT0,
                Some(texture),
                0,
                layer,
            );
            gl.expect(16, 16, wanted, &format!("layer {layer} of {kind:#x}"));
        }
    }
    // New storage for the old name.
    gl.bind_texture(glow::TEXTURE_2D, Some(copied));
    gl.tex_image_2d(
        glow::TEXTURE_2D,
        0,
        glow::RGBA8 as i32,
        48,
        48,
        0,
        glow::RGBA,
        glow::UNSIGNED_BYTE,
        glow::PixelUnpackData::Slice(None),
    );
    attach(gl, copied, 0);
    gl.expect(30, 30, NOTHING8, "specified again with another size");
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(target.framebuffer));
}

/// Rule: as above, for buffers (GL 4.6 core §6.2: "undefined" without data).
/// Broken: a buffer of which a program writes a part had another's bytes in the rest, which shaders read.
pub unsafe fn blank_buffers(gl: &Gl) {
    soil(gl);
    gl.target(8, 8);
    let program = gl.program(
        TRI,
        "#version 330 core
        layout(std140) uniform B { vec4 a[4096]; }; out vec4 o; void main() { o = a[1] + a[3000] + a[4095]; }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    for usage in [glow::STATIC_DRAW, glow::STREAM_DRAW] {
        let buffer = gl.create_buffer().expect("glGenBuffers");
        gl.bind_buffer(glow::UNIFORM_BUFFER, Some(buffer));
        gl.bind_buffer_base(glow::UNIFORM_BUFFER, 0, Some(buffer));
        for part in [None, Some(16), Some(1600)] {
            gl.buffer_data_size(glow::UNIFORM_BUFFER, 1 << 16, usage);
            let mut wanted = NOTHING8;
            if let Some(offset) = part {
                gl.buffer_sub_data_u8_slice(glow::UNIFORM_BUFFER, offset, &bytes_of(&GREEN));
                if offset == 16 {
                    wanted = GREEN8;
                }
            }
            gl.clear_color(1.0, 0.0, 0.0, 1.0);
            gl.clear(glow::COLOR_BUFFER_BIT);
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
            gl.expect(4, 4, wanted, &format!("usage {usage:#x}, written {part:?}"));
        }
        // Copied on the GPU and read back.
        gl.buffer_data_size(glow::UNIFORM_BUFFER, 1 << 16, usage);
        let copy = gl.buffer(glow::COPY_WRITE_BUFFER, &[0xFF; 64]);
        gl.copy_buffer_sub_data(glow::UNIFORM_BUFFER, glow::COPY_WRITE_BUFFER, 4096, 0, 32);
        let mut bytes = [0x5A; 64];
        gl.get_buffer_sub_data(glow::COPY_WRITE_BUFFER, 0, &mut bytes);
        assert_eq!((bytes[0], bytes[31], bytes[32]), (0, 0, 0xFF));
        gl.keep("a copy", &bytes);
        gl.delete_buffer(copy);
        gl.delete_buffer(buffer);
    }
}
