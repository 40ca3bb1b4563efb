//! Textures: uploads in order with draws, pixel storage, completeness, parameters, what a unit samples.

use glow::HasContext;

use crate::gl::{Gl, bytes_of};
use crate::paint::*;

const FETCH: &str = "#version 330 core
uniform sampler2D t; out vec4 o; void main() { o = texelFetch(t, ivec2(gl_FragCoord.xy), 0); }";
const SAMPLE: &str = "#version 330 core
uniform sampler2D t; out vec4 o; void main() { o = texture(t, vec2(0.5)); }";

const RGBA8: i32 = glow::RGBA8 as i32;

fn bytes(data: &[u8]) -> glow::PixelUnpackData<'_> {
    glow::PixelUnpackData::Slice(Some(data))
}

/// A program over the whole viewport, in use, with a vertex array.
unsafe fn over(gl: &Gl, fragment: &str) -> glow::NativeProgram {
    let program = gl.program(TRI, fragment);
    gl.use_program(Some(program));
    gl.vertex_array();
    program
}

unsafe fn draw(gl: &Gl, wanted: [u8; 4], what: &str) {
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(1, 1, wanted, what);
}

/// Rule: each draw samples what the texture held at its place in the command stream (GL 4.6 core §2.1).
/// Broken: all uploads ran before the first draw, or the second upload of a frame was lost.
pub unsafe fn texture_upload_between_draws(gl: &Gl) {
    gl.target(32, 4);
    over(gl, SAMPLE);
    gl.texture_rgba8(4, 4, Some(&RED8.repeat(16)));
    for (i, color) in [RED8, GREEN8, BLUE8, WHITE8].into_iter().enumerate() {
        gl.viewport(i as i32 * 8, 0, 8, 4);
        // All 16 texels one by one: the dirty regions of one upload step add up.
        for y in 0..4 {
            for x in 0..4 {
                gl.tex_sub_image_2d(
                    glow::TEXTURE_2D,
                    0,
                    x,
                    y,
                    1,
                    1,
                    glow::RGBA,
                    glow::UNSIGNED_BYTE,
                    glow::PixelUnpackData::Slice(Some(&color)),
                );
            }
        }
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
    }
    for (i, wanted) in [RED8, GREEN8, BLUE8, WHITE8].into_iter().enumerate() {
        gl.expect(i as i32 * 8 + 3, 1, wanted, &format!("draw {i}"));
    }
    // Whole respecification between draws, with another size.
    for (i, (color, size)) in [(WHITE8, 1), (BLUE8, 8), (GREEN8, 2), (RED8, 16)]
        .into_iter()
        .enumerate()
    {
        gl.viewport(i as i32 * 8, 0, 8, 4);
        let texels = color.repeat((size * size) as usize);
        gl.tex_image_2d(
            glow::TEXTURE_2D,
            0,
            RGBA8,
            size,
            size,
            0,
            glow::RGBA,
            glow::UNSIGNED_BYTE,
            bytes(&texels),
        );
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
    }
    for (i, wanted) in [WHITE8, BLUE8, GREEN8, RED8].into_iter().enumerate() {
        gl.expect(
            i as i32 * 8 + 3,
            1,
            wanted,
            &format!("respecified, draw {i}"),
        );
    }
}

/// Rule: unpack parameters choose what is read (GL 4.6 core §8.4.1, §8.4.4.1); nothing behind the last needed byte is read, and a
/// pixel unpack buffer that is too small is INVALID_OPERATION.
/// Broken: textures were skewed or showed other textures, or the upload crashed.
/// Public report: <https://github.com/xCollateral/VulkanMod/pull/872>
pub unsafe fn pixel_store_sweep(gl: &Gl) {
    gl.target(4, 4);
    over(gl, FETCH);
    let source: Vec<u8> = (0..20u8).flat_map(|i| [i, 100 + i, 200, 255]).collect();
    let texel = |i: u8| [i, 100 + i, 200, 255];
    gl.texture_rgba8(4, 4, Some(&[0; 64]));
    let set = |gl: &Gl, row_length, skip_pixels, skip_rows| {
        gl.pixel_store_i32(glow::UNPACK_ROW_LENGTH, row_length);
        gl.pixel_store_i32(glow::UNPACK_SKIP_PIXELS, skip_pixels);
        gl.pixel_store_i32(glow::UNPACK_SKIP_ROWS, skip_rows);
    };
    let upload = |gl: &Gl, x, y, width, height, data: glow::PixelUnpackData<'_>| {
        gl.tex_sub_image_2d(
            glow::TEXTURE_2D,
            0,
            x,
            y,
            width,
            height,
            glow::RGBA,
            glow::UNSIGNED_BYTE,
            data,
        );
    };
    let check = |gl: &Gl, wanted: &[(i32, i32, u8)], what: &str| {
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        for (x, y, i) in wanted {
            gl.expect(*x, *y, texel(*i), what);
        }
    };
    let window = [(1, 1, 7), (2, 1, 8), (1, 2, 12), (2, 2, 13)];
    set(gl, 5, 2, 1);
    upload(gl, 1, 1, 2, 2, bytes(&source));
    check(gl, &window, "a window of the source");
    gl.expect(0, 0, NOTHING8, "outside of the upload");
    set(gl, 0, 0, 0);
    upload(gl, 0, 3, 4, 1, bytes(&source));
    check(
        gl,
        &[(0, 3, 0), (3, 3, 3)],
        "row length 0 is the width of the region",
    );
    // The same window from a buffer whose last byte is the last one that is needed.
    upload(gl, 0, 0, 4, 4, bytes(&[0; 64]));
    set(gl, 5, 2, 1);
    gl.buffer(glow::PIXEL_UNPACK_BUFFER, &source[..56]);
    upload(gl, 1, 1, 2, 2, glow::PixelUnpackData::BufferOffset(0));
    gl.no_error("a buffer of exactly the needed bytes");
    check(gl, &window, "from a buffer");
    gl.buffer(glow::PIXEL_UNPACK_BUFFER, &source[..55]);
    upload(gl, 1, 1, 2, 2, glow::PixelUnpackData::BufferOffset(0));
    gl.error(glow::INVALID_OPERATION, "a buffer that lacks a byte");
    gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, None);
    set(gl, 0, 0, 0);
    // Three components: rows of nine bytes start every twelve, or every nine with alignment 1.
    let numbers: Vec<u8> = (0..24).collect();
    for (alignment, wanted) in [
        (4, [12, 13, 14, 255]),
        (1, [9, 10, 11, 255]),
        (2, [10, 11, 12, 255]),
        (8, [16, 17, 18, 255]),
    ] {
        gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, alignment);
        gl.tex_image_2d(
            glow::TEXTURE_2D,
            0,
            glow::RGB8 as i32,
            2,
            2,
            0,
            glow::RGB,
            glow::UNSIGNED_BYTE,
            bytes(&numbers),
        );
        // Two texels are six bytes: rows start at 8, 6, 6 and 8.
        let start = 6usize.next_multiple_of(alignment as usize) as u8;
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(
            0,
            1,
            [start, start + 1, start + 2, 255],
            &format!("RGB, alignment {alignment}"),
        );
        gl.tex_image_2d(
            glow::TEXTURE_2D,
            0,
            glow::RGB8 as i32,
            3,
            2,
            0,
            glow::RGB,
            glow::UNSIGNED_BYTE,
            bytes(&numbers[..]),
        );
        let start = 9usize.next_multiple_of(alignment as usize) as u8;
        assert_eq!(start, wanted[0]);
        if start + 9 <= 24 {
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
            gl.expect(
                0,
                1,
                wanted,
                &format!("RGB, three wide, alignment {alignment}"),
            );
        }
    }
    gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 4);
    // Kinds of data that a backend has to convert.
    for (format, ty, data, wanted) in [
        (
            glow::BGRA,
            glow::UNSIGNED_BYTE,
            vec![1, 2, 3, 4],
            [3, 2, 1, 4],
        ),
        (
            glow::RGBA,
            glow::UNSIGNED_SHORT,
            bytes_of(&[0xffffu16, 0, 0x3333, 0xcccc]),
            [255, 0, 51, 204],
        ),
        (
            glow::RGBA,
            glow::FLOAT,
            bytes_of(&[0.2f32, 0.4, 2.0, -1.0]),
            [51, 102, 255, 0],
        ),
        (
            glow::RGB,
            glow::UNSIGNED_SHORT_5_6_5,
            bytes_of(&[0xf800u16, 0]),
            [255, 0, 0, 255],
        ),
        (
            glow::RGBA,
            0x8035,
            bytes_of(&[0x1122_3344u32]),
            [0x11, 0x22, 0x33, 0x44],
        ),
        (
            glow::RGBA,
            0x8367,
            bytes_of(&[0x1122_3344u32]),
            [0x44, 0x33, 0x22, 0x11],
        ),
        (
            glow::RED,
            glow::UNSIGNED_BYTE,
            vec![51, 0, 0, 0],
            [51, 0, 0, 255],
        ),
        (
            glow::RG,
            glow::UNSIGNED_BYTE,
            vec![51, 102, 0, 0],
            [51, 102, 0, 255],
        ),
    ] {
        gl.tex_image_2d(
            glow::TEXTURE_2D,
            0,
            RGBA8,
            1,
            1,
            0,
            format,
            ty,
            bytes(&data),
        );
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(0, 0, wanted, &format!("format {format:#x}, type {ty:#x}"));
    }
}

/// Rule: a texture whose levels do not fit together samples as (0, 0, 0, 1) when the filter uses levels (GL 4.6 core §8.17), and
/// base and maximum level choose which ones count.
/// Broken: an incomplete texture showed its level 0, or stayed incomplete after the missing level was given.
pub unsafe fn mipmap_completeness(gl: &Gl) {
    gl.target(4, 4);
    over(gl, SAMPLE);
    let level = |gl: &Gl, level: i32, size: i32, color: [u8; 4]| {
        let texels = color.repeat((size * size) as usize);
        gl.tex_image_2d(
            glow::TEXTURE_2D,
            level,
            RGBA8,
            size,
            size,
            0,
            glow::RGBA,
            glow::UNSIGNED_BYTE,
            bytes(&texels),
        );
    };
    let filter = |gl: &Gl, filter: u32| {
        gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MIN_FILTER, filter as i32)
    };
    let incomplete = [0, 0, 0, 255];
    let texture = gl.create_texture().expect("glGenTextures");
    gl.bind_texture(glow::TEXTURE_2D, Some(texture));
    draw(gl, incomplete, "no level at all");
    level(gl, 0, 4, RED8);
    draw(
        gl,
        incomplete,
        "one level with the initial filter, which uses levels",
    );
    filter(gl, glow::NEAREST);
    draw(gl, RED8, "one level with a filter that uses one");
    filter(gl, glow::NEAREST_MIPMAP_NEAREST);
    level(gl, 1, 2, GREEN8);
    draw(gl, incomplete, "level 2 is missing");
    level(gl, 2, 1, BLUE8);
    draw(gl, RED8, "complete");
    level(gl, 1, 4, GREEN8);
    draw(gl, incomplete, "level 1 has a wrong size");
    level(gl, 1, 2, GREEN8);
    draw(gl, RED8, "complete again");
    gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_BASE_LEVEL, 1);
    draw(gl, GREEN8, "base level 1");
    gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_BASE_LEVEL, 2);
    draw(gl, BLUE8, "base level 2");
    gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_BASE_LEVEL, 3);
    draw(gl, incomplete, "base level 3 does not exist");
    gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_BASE_LEVEL, 0);
    gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MAX_LEVEL, 0);
    level(gl, 1, 3, WHITE8);
    draw(gl, RED8, "levels behind the maximum do not count");
    // A sampler object's filter decides, not the texture's.
    let sampler = gl.create_sampler().expect("glGenSamplers");
    gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MAX_LEVEL, 1000);
    gl.sampler_parameter_i32(sampler, glow::TEXTURE_MIN_FILTER, glow::NEAREST as i32);
    draw(
        gl,
        incomplete,
        "level 1 has a wrong size, the texture's filter",
    );
    gl.bind_sampler(0, Some(sampler));
    draw(gl, RED8, "the sampler's filter uses one level");
    gl.bind_sampler(0, None);
    draw(gl, incomplete, "without the sampler");
    gl.generate_mipmap(glow::TEXTURE_2D);
    draw(gl, RED8, "made complete by glGenerateMipmap");
    gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_BASE_LEVEL, 2);
    draw(gl, RED8, "generated level 2 has the colour of level 0");
}

/// Rule: what a unit samples is what is bound to it at the draw (GL 4.6 core §8.1): another texture, another unit, another target
/// of the same unit, a deleted one.
/// Broken: the set of sampled textures was not made again although a binding had moved.
pub unsafe fn sampled_set_staleness(gl: &Gl) {
    gl.target(4, 4);
    let program = over(gl, SAMPLE);
    let textures = [RED8, GREEN8, BLUE8].map(|color| gl.texture_rgba8(1, 1, Some(&color)));
    for turn in 0..2 {
        for (texture, wanted) in textures.into_iter().zip([RED8, GREEN8, BLUE8]) {
            gl.bind_texture(glow::TEXTURE_2D, Some(texture));
            draw(gl, wanted, &format!("unit 0, turn {turn}"));
        }
    }
    let unit = gl.get_uniform_location(program, "t");
    for (index, texture) in textures.into_iter().enumerate() {
        gl.active_texture(glow::TEXTURE3 + index as u32);
        gl.bind_texture(glow::TEXTURE_2D, Some(texture));
    }
    for (index, wanted) in [(5, BLUE8), (3, RED8), (4, GREEN8), (0, BLUE8)] {
        gl.uniform_1_i32(unit.as_ref(), index);
        draw(gl, wanted, &format!("unit {index}"));
    }
    gl.uniform_1_i32(unit.as_ref(), 3);
    gl.active_texture(glow::TEXTURE3);
    gl.bind_texture(glow::TEXTURE_2D, Some(textures[1]));
    draw(gl, GREEN8, "another texture on unit 3");
    let cube = gl.create_texture().expect("glGenTextures");
    gl.bind_texture(glow::TEXTURE_CUBE_MAP, Some(cube));
    draw(gl, GREEN8, "a cube map on the same unit does not matter");
    gl.bind_texture(glow::TEXTURE_2D, None);
    draw(gl, [0, 0, 0, 255], "the default texture is incomplete");
    gl.bind_texture(glow::TEXTURE_2D, Some(textures[0]));
    draw(gl, RED8, "bound again");
    gl.delete_texture(textures[0]);
    draw(gl, [0, 0, 0, 255], "deleting unbinds");
    let next = gl.texture_rgba8(1, 1, Some(&WHITE8));
    draw(gl, WHITE8, "a new texture, perhaps of the same name");
    let _ = next;
}

/// Rule: a texture's parameters act on every use of it, also where no sampler reads it (GL 4.6 core §8.10).
/// Broken: parameters of a texture that was only attached or copied from were told when a view was made, that is, never.
pub unsafe fn texture_params_without_a_sampler_view(gl: &Gl) {
    let texels = [RED8.repeat(4), GREEN8.to_vec()].concat();
    let texture = gl.create_texture().expect("glGenTextures");
    gl.bind_texture(glow::TEXTURE_2D, Some(texture));
    gl.tex_image_2d(
        glow::TEXTURE_2D,
        0,
        RGBA8,
        2,
        2,
        0,
        glow::RGBA,
        glow::UNSIGNED_BYTE,
        bytes(&texels[..16]),
    );
    gl.tex_image_2d(
        glow::TEXTURE_2D,
        1,
        RGBA8,
        1,
        1,
        0,
        glow::RGBA,
        glow::UNSIGNED_BYTE,
        bytes(&texels[16..]),
    );
    gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MAX_LEVEL, 1);
    // Read through a framebuffer: level 1, swizzle does not act there.
    let framebuffer = gl.create_framebuffer().expect("glGenFramebuffers");
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
    gl.framebuffer_texture_2d(
        glow::FRAMEBUFFER,
        glow::COLOR_ATTACHMENT0,
        glow::TEXTURE_2D,
        Some(texture),
        1,
    );
    gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_SWIZZLE_R, glow::ZERO as i32);
    gl.tex_parameter_i32(
        glow::TEXTURE_2D,
        glow::TEXTURE_SWIZZLE_B,
        glow::GREEN as i32,
    );
    assert_eq!(
        gl.check_framebuffer_status(glow::FRAMEBUFFER),
        glow::FRAMEBUFFER_COMPLETE
    );
    gl.expect(0, 0, GREEN8, "level 1 through a framebuffer");
    gl.framebuffer_texture_2d(
        glow::FRAMEBUFFER,
        glow::COLOR_ATTACHMENT0,
        glow::TEXTURE_2D,
        Some(texture),
        0,
    );
    gl.expect(1, 1, RED8, "level 0 through a framebuffer");
    // Then sampled for the first time: parameters that were set before count.
    gl.target(4, 4);
    over(gl, SAMPLE);
    gl.bind_texture(glow::TEXTURE_2D, Some(texture));
    gl.tex_parameter_i32(
        glow::TEXTURE_2D,
        glow::TEXTURE_MAG_FILTER,
        glow::NEAREST as i32,
    );
    draw(gl, [0, 0, 0, 255], "red swizzled away, blue from green");
    gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_BASE_LEVEL, 1);
    draw(gl, [0, 255, 255, 255], "level 1, swizzled");
    gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_SWIZZLE_A, glow::ZERO as i32);
    draw(gl, [0, 255, 255, 0], "alpha swizzled");
    gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_SWIZZLE_R, glow::ONE as i32);
    draw(gl, [255, 255, 255, 0], "red is one");
}

/// Rule: internalformat alone decides the storage; with no data, format and type need only be legal (GL 4.6 core §8.5).
/// Broken: a half-float target that was given type UNSIGNED_BYTE became 8 bits, so values were clamped.
/// Public report: <https://github.com/ptitSeb/gl4es/issues/469>
pub unsafe fn storage_ignores_format_and_type(gl: &Gl) {
    let texture = gl.create_texture().expect("glGenTextures");
    gl.bind_texture(glow::TEXTURE_2D, Some(texture));
    gl.tex_image_2d(
        glow::TEXTURE_2D,
        0,
        glow::R16F as i32,
        16,
        16,
        0,
        glow::RED,
        glow::UNSIGNED_BYTE,
        glow::PixelUnpackData::Slice(None),
    );
    gl.nearest();
    let framebuffer = gl.create_framebuffer().expect("glGenFramebuffers");
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
    gl.framebuffer_texture_2d(
        glow::FRAMEBUFFER,
        glow::COLOR_ATTACHMENT0,
        glow::TEXTURE_2D,
        Some(texture),
        0,
    );
    assert_eq!(
        gl.check_framebuffer_status(glow::FRAMEBUFFER),
        glow::FRAMEBUFFER_COMPLETE
    );
    for (name, wanted) in [
        (0x1003, glow::R16F),  // GL_TEXTURE_INTERNAL_FORMAT
        (0x805C, 16),          // GL_TEXTURE_RED_SIZE
        (0x8C10, glow::FLOAT), // GL_TEXTURE_RED_TYPE
        (0x805D, 0),           // GL_TEXTURE_GREEN_SIZE
        (glow::TEXTURE_WIDTH, 16),
    ] {
        let seen = gl.get_tex_level_parameter_i32(glow::TEXTURE_2D, 0, name);
        assert_eq!(seen, wanted as i32, "{name:#x}");
    }
    gl.viewport(0, 0, 16, 16);
    over(
        gl,
        "#version 330 core
        out vec4 o; void main() { o = vec4(-3.5, 1.0, 1.0, 1.0); }",
    );
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    let mut pixel = [0; 16];
    gl.read(4, 4, 1, 1, glow::RGBA, glow::FLOAT, &mut pixel);
    if gl.lane().draws() {
        assert_eq!(pixel.to_vec(), bytes_of(&[-3.5f32, 0.0, 0.0, 1.0]));
    }
}

/// Rule: wrap, filter and border colour are sampler state of the texture or of the sampler object (GL 4.6 core §8.14).
/// Broken: a parameter that changed between draws was not told again.
pub unsafe fn sampler_state_moves(gl: &Gl) {
    gl.target(4, 4);
    over(
        gl,
        "#version 330 core
        uniform sampler2D t; uniform vec2 at; out vec4 o; void main() { o = texture(t, at); }",
    );
    let program = gl
        .get_parameter_program(glow::CURRENT_PROGRAM)
        .expect("in use");
    let at = gl.get_uniform_location(program, "at");
    gl.texture_rgba8(2, 1, Some(&[RED8, BLUE8].concat()));
    let wrap = |gl: &Gl, mode: u32| {
        gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_WRAP_S, mode as i32)
    };
    gl.uniform_2_f32(at.as_ref(), 1.25, 0.5);
    draw(gl, RED8, "REPEAT");
    wrap(gl, glow::CLAMP_TO_EDGE);
    draw(gl, BLUE8, "CLAMP_TO_EDGE");
    wrap(gl, glow::CLAMP_TO_BORDER);
    draw(gl, NOTHING8, "CLAMP_TO_BORDER with the initial colour");
    gl.tex_parameter_f32_slice(
        glow::TEXTURE_2D,
        glow::TEXTURE_BORDER_COLOR,
        &[0.0, 1.0, 0.0, 1.0],
    );
    draw(gl, GREEN8, "another border colour");
    wrap(gl, glow::MIRRORED_REPEAT);
    draw(gl, BLUE8, "MIRRORED_REPEAT");
    gl.uniform_2_f32(at.as_ref(), 0.5, 0.5);
    gl.tex_parameter_i32(
        glow::TEXTURE_2D,
        glow::TEXTURE_MAG_FILTER,
        glow::LINEAR as i32,
    );
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    let seen = gl.pixel(1, 1);
    assert!(
        !gl.lane().draws() || (seen[0].abs_diff(128) <= 1 && seen[2].abs_diff(128) <= 1),
        "LINEAR between both: {seen:?}"
    );
    let sampler = gl.create_sampler().expect("glGenSamplers");
    gl.sampler_parameter_i32(sampler, glow::TEXTURE_MIN_FILTER, glow::NEAREST as i32);
    gl.sampler_parameter_i32(sampler, glow::TEXTURE_MAG_FILTER, glow::NEAREST as i32);
    gl.bind_sampler(0, Some(sampler));
    gl.uniform_2_f32(at.as_ref(), 1.25, 0.5);
    draw(gl, RED8, "the sampler object repeats");
    gl.sampler_parameter_i32(sampler, glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE as i32);
    draw(gl, BLUE8, "changed while bound");
    gl.delete_sampler(sampler);
    gl.tex_parameter_i32(
        glow::TEXTURE_2D,
        glow::TEXTURE_MAG_FILTER,
        glow::NEAREST as i32,
    );
    wrap(gl, glow::REPEAT);
    draw(gl, RED8, "deleting the sampler unbinds it");
}
