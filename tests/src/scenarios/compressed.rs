//! Compressed textures: blocks given by hand, parts of images, what comes back, errors.

use glow::HasContext;

use crate::gl::Gl;
use crate::paint::*;
use std::ffi::c_void;

const FETCH: &str = "#version 330 core
uniform sampler2D t; out vec4 o; void main() { o = texelFetch(t, ivec2(gl_FragCoord.xy), 0); }";
const FETCH_LAYER: &str = "#version 330 core
uniform sampler2DArray t; uniform int layer; out vec4 o;
void main() { o = texelFetch(t, ivec3(ivec2(gl_FragCoord.xy), layer), 0); }";

const DXT1: u32 = glow::COMPRESSED_RGB_S3TC_DXT1_EXT;
const DXT1A: u32 = glow::COMPRESSED_RGBA_S3TC_DXT1_EXT;
const RGTC1: u32 = glow::COMPRESSED_RED_RGTC1;
const BPTC: u32 = glow::COMPRESSED_RGBA_BPTC_UNORM;

/// One colour in every texel: both ends are the 565 colour, every code is 0.
fn dxt1(color565: u16) -> [u8; 8] {
    let [low, high] = color565.to_le_bytes();
    [low, high, low, high, 0, 0, 0, 0]
}
const RED565: u16 = 0xF800;
const GREEN565: u16 = 0x07E0;
const BLUE565: u16 = 0x001F;

unsafe fn image(gl: &Gl, format: u32, width: i32, height: i32, blocks: &[u8]) {
    let size = blocks.len() as i32;
    gl.compressed_tex_image_2d(
        glow::TEXTURE_2D,
        0,
        format as i32,
        width,
        height,
        0,
        size,
        blocks,
    );
}

unsafe fn part(gl: &Gl, x: i32, y: i32, width: i32, height: i32, format: u32, blocks: &[u8]) {
    gl.compressed_tex_sub_image_2d(
        glow::TEXTURE_2D,
        0,
        x,
        y,
        width,
        height,
        format,
        glow::CompressedPixelUnpackData::Slice(blocks),
    );
}

unsafe fn nearest(gl: &Gl, target: u32) {
    for name in [glow::TEXTURE_MIN_FILTER, glow::TEXTURE_MAG_FILTER] {
        gl.tex_parameter_i32(target, name, glow::NEAREST as i32);
    }
}

unsafe fn back(gl: &Gl, count: usize) -> Vec<u8> {
    let mut out = vec![0xEE; count + 1];
    let at = out.as_mut_ptr().cast::<c_void>();
    gl.raw.glGetCompressedTexImage(glow::TEXTURE_2D, 0, at);
    assert_eq!(
        out.pop(),
        Some(0xEE),
        "glGetCompressedTexImage wrote too much"
    );
    out
}

/// Rule: compressed images are given in blocks, and in parts that are made of whole blocks (GL 4.6 core §8.7); what was given is what
/// glGetCompressedTexImage returns (§8.11.4).
/// Broken: textures of games that ship DXT files were black.
pub unsafe fn compressed_blocks_and_parts(gl: &Gl) {
    gl.target(8, 8);
    let program = gl.program(TRI, FETCH);
    gl.use_program(Some(program));
    gl.vertex_array();
    let texture = gl.create_texture().expect("a texture");
    gl.bind_texture(glow::TEXTURE_2D, Some(texture));
    nearest(gl, glow::TEXTURE_2D);
    let mut blocks = [dxt1(RED565), dxt1(GREEN565), dxt1(BLUE565), dxt1(0xFFFF)].concat();
    image(gl, DXT1, 8, 8, &blocks);
    let corners = |gl: &Gl, wanted: [[u8; 4]; 4], what: &str| {
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        for (i, wanted) in wanted.into_iter().enumerate() {
            let (x, y) = (i as i32 % 2 * 4, i as i32 / 2 * 4);
            gl.expect(x, y, wanted, what);
            gl.expect(x + 3, y + 3, wanted, what);
        }
    };
    corners(gl, [RED8, GREEN8, BLUE8, WHITE8], "four blocks");
    part(gl, 4, 0, 4, 4, DXT1, &dxt1(BLUE565));
    blocks[8..16].copy_from_slice(&dxt1(BLUE565));
    corners(gl, [RED8, BLUE8, BLUE8, WHITE8], "one block replaced");
    assert_eq!(back(gl, 32), blocks, "the blocks come back as given");
    part(
        gl,
        0,
        4,
        8,
        4,
        DXT1,
        &[dxt1(GREEN565), dxt1(RED565)].concat(),
    );
    corners(gl, [RED8, BLUE8, GREEN8, RED8], "a row of blocks replaced");
    let level = |gl: &Gl, name| gl.get_tex_level_parameter_i32(glow::TEXTURE_2D, 0, name);
    assert_eq!(level(gl, glow::TEXTURE_COMPRESSED), 1);
    assert_eq!(level(gl, glow::TEXTURE_COMPRESSED_IMAGE_SIZE), 32);
    assert_eq!(level(gl, glow::TEXTURE_INTERNAL_FORMAT), DXT1 as i32);
    // Through a pixel unpack buffer, in storage that cannot change, at an image that is no multiple of the block.
    let texture = gl.create_texture().expect("a texture");
    gl.bind_texture(glow::TEXTURE_2D, Some(texture));
    nearest(gl, glow::TEXTURE_2D);
    gl.tex_storage_2d(glow::TEXTURE_2D, 1, DXT1, 6, 6);
    let mut bytes = vec![0xAA; 4];
    bytes.extend([dxt1(WHITE565), dxt1(RED565), dxt1(GREEN565), dxt1(BLUE565)].concat());
    gl.buffer(glow::PIXEL_UNPACK_BUFFER, &bytes);
    gl.compressed_tex_sub_image_2d(
        glow::TEXTURE_2D,
        0,
        0,
        0,
        6,
        6,
        DXT1,
        glow::CompressedPixelUnpackData::BufferRange(4..36),
    );
    gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, None);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    for (x, y, wanted) in [(0, 0, WHITE8), (5, 3, RED8), (3, 5, GREEN8), (5, 5, BLUE8)] {
        gl.expect(x, y, wanted, "six texels wide");
    }
}
const WHITE565: u16 = 0xFFFF;

/// Rule: each family has its own blocks: one channel (RGTC), alpha (DXT1 with alpha, BPTC); layers follow each other (GL 4.6 core §8.7,
/// ARB_texture_compression_bptc).
/// Broken: a normal map in RGTC was read as DXT.
pub unsafe fn compressed_families(gl: &Gl) {
    gl.target(4, 4);
    let program = gl.program(TRI, FETCH);
    gl.use_program(Some(program));
    gl.vertex_array();
    let texture = gl.create_texture().expect("a texture");
    gl.bind_texture(glow::TEXTURE_2D, Some(texture));
    nearest(gl, glow::TEXTURE_2D);
    // color0 <= color1 and code 3 everywhere: transparent black.
    image(
        gl,
        DXT1A,
        4,
        4,
        &[0x1F, 0x00, 0x00, 0xF8, 0xFF, 0xFF, 0xFF, 0xFF],
    );
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(2, 2, [0; 4], "DXT1 with alpha");
    // red0 = red1 = 200: every code but 6 and 7 is 200.
    image(gl, RGTC1, 4, 4, &[200, 200, 0, 0, 0, 0, 0, 0]);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(1, 3, [200, 0, 0, 255], "RGTC1");
    // Mode 6: seven bits of R G B A per end, then a lowest bit per end, indices 0: (2 * 127 + 1, 0 * 2 + 1, 2 * 64 + 1, 2 * 127 + 1).
    let mut bits: u128 = 1 << 6;
    let mut at = 7;
    for (value, count) in [
        (127u128, 7),
        (127, 7),
        (0, 7),
        (0, 7),
        (64, 7),
        (64, 7),
        (127, 7),
        (127, 7),
        (1, 1),
        (1, 1),
    ] {
        bits |= value << at;
        at += count;
    }
    image(gl, BPTC, 4, 4, &bits.to_le_bytes());
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(3, 0, [255, 1, 129, 255], "BPTC");
    // Two layers of an array.
    let program = gl.program(TRI, FETCH_LAYER);
    gl.use_program(Some(program));
    let texture = gl.create_texture().expect("a texture");
    gl.bind_texture(glow::TEXTURE_2D_ARRAY, Some(texture));
    nearest(gl, glow::TEXTURE_2D_ARRAY);
    let blocks = [dxt1(RED565), dxt1(BLUE565)].concat();
    gl.compressed_tex_image_3d(
        glow::TEXTURE_2D_ARRAY,
        0,
        DXT1 as i32,
        4,
        4,
        2,
        0,
        16,
        &blocks,
    );
    let layer = gl.get_uniform_location(program, "layer");
    for (i, wanted) in [RED8, BLUE8, RED8].into_iter().enumerate() {
        gl.uniform_1_i32(layer.as_ref(), i as i32 % 2);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(1, 1, wanted, "a layer of a compressed array");
    }
}

/// Rule: texels given plain to a compressed format are compressed by the library, and come back as blocks of that format (GL 4.6 core
/// §8.5, §8.11.4).
/// Broken: a launcher that caches compressed textures got INVALID_OPERATION.
pub unsafe fn compressed_by_the_library(gl: &Gl) {
    gl.target(4, 4);
    let program = gl.program(TRI, FETCH);
    gl.use_program(Some(program));
    gl.vertex_array();
    let texture = gl.create_texture().expect("a texture");
    gl.bind_texture(glow::TEXTURE_2D, Some(texture));
    nearest(gl, glow::TEXTURE_2D);
    // Colours that the format can say exactly: odd ones in BPTC's mode with a shared lowest bit.
    let odd = [255, 1, 129, 255];
    for (format, bytes, color) in [(DXT1, 8, RED8), (BPTC, 16, odd), (RGTC1, 8, RED8)] {
        gl.tex_image_2d(
            glow::TEXTURE_2D,
            0,
            format as i32,
            4,
            4,
            0,
            glow::RGBA,
            glow::UNSIGNED_BYTE,
            glow::PixelUnpackData::Slice(Some(&color.repeat(16))),
        );
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(2, 2, color, "texels given plain");
        let blocks = back(gl, bytes);
        image(gl, format, 4, 4, &blocks);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(2, 2, color, "the same texels as blocks");
    }
}

/// Rule: the errors of GL 4.6 core §8.7 and §8.11.4; a failed call changes nothing.
/// Broken: a wrong imageSize read behind the application's memory.
pub unsafe fn compressed_errors(gl: &Gl) {
    gl.target(4, 4);
    let texture = gl.create_texture().expect("a texture");
    gl.bind_texture(glow::TEXTURE_2D, Some(texture));
    let red = dxt1(RED565);
    image(gl, DXT1, 4, 4, &red);
    assert_eq!(gl.get_error(), glow::NO_ERROR);
    let error = |gl: &Gl, wanted: u32, what: &str| {
        gl.error(wanted, what);
        assert_eq!(back(gl, 8), red, "{what}: nothing changed");
    };
    image(gl, DXT1, 4, 4, &[0; 7]);
    error(gl, glow::INVALID_VALUE, "imageSize");
    image(gl, glow::RGBA8, 4, 4, &[0; 64]);
    error(gl, glow::INVALID_ENUM, "not compressed");
    part(gl, 0, 0, 2, 2, DXT1, &red);
    error(gl, glow::INVALID_OPERATION, "half a block");
    part(gl, 0, 0, 4, 4, DXT1A, &red);
    error(gl, glow::INVALID_OPERATION, "another format");
    part(gl, 4, 0, 4, 4, DXT1, &red);
    error(gl, glow::INVALID_VALUE, "outside");
    gl.compressed_tex_image_3d(glow::TEXTURE_3D, 0, DXT1 as i32, 4, 4, 1, 0, 8, &red);
    error(gl, glow::INVALID_OPERATION, "a volume of DXT1");
    gl.texture_rgba8(4, 4, None);
    gl.raw
        .glGetCompressedTexImage(glow::TEXTURE_2D, 0, std::ptr::null_mut());
    gl.error(glow::INVALID_OPERATION, "an image that is not compressed");
}
