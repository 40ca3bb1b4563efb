//! Reading back: formats, pack parameters, pack buffers. What is drawn is a clear.

use glow::HasContext;

use crate::gl::{Gl, bytes_of};

/// Rule: any legal format and type may be asked for and is converted (GL 4.6 core §18.2, §8.11); pack parameters place the pixels and
/// gaps are not written.
/// Broken: only RGBA could be read on ES; screenshots were skewed or overwrote memory beside the picture.
/// Public report: <https://github.com/OpenRA/OpenRA/issues/17087>
pub unsafe fn bgra_readback(gl: &Gl) {
    let target = gl.target(16, 16);
    gl.clear_color(0.2, 0.4, 0.6, 0.8);
    gl.clear(glow::COLOR_BUFFER_BIT);
    for (format, ty, wanted) in [
        (glow::RGBA, glow::UNSIGNED_BYTE, vec![51, 102, 153, 204]),
        (glow::BGRA, glow::UNSIGNED_BYTE, vec![153, 102, 51, 204]),
        (glow::BGRA, 0x8367, vec![153, 102, 51, 204]),
        (glow::BGR, glow::UNSIGNED_BYTE, vec![153, 102, 51]),
        (glow::RED, glow::UNSIGNED_BYTE, vec![51]),
        (glow::GREEN, glow::UNSIGNED_BYTE, vec![102]),
        (glow::RG, glow::UNSIGNED_BYTE, vec![51, 102]),
        (
            glow::RGB,
            glow::UNSIGNED_SHORT_5_6_5,
            bytes_of(&[0x3333u16]),
        ),
        (
            glow::RGBA,
            glow::UNSIGNED_SHORT,
            bytes_of(&[0x3333u16, 0x6666, 0x9999, 0xcccc]),
        ),
    ] {
        let mut seen = vec![0xee; wanted.len()];
        gl.read(3, 3, 1, 1, format, ty, &mut seen);
        gl.no_error("a format that has to be converted");
        if gl.lane().draws() {
            assert_eq!(seen, wanted, "format {format:#x}, type {ty:#x}");
        }
    }
    let mut floats = [0; 16];
    gl.read(3, 3, 1, 1, glow::RGBA, glow::FLOAT, &mut floats);
    for (seen, wanted) in floats.chunks_exact(4).zip([0.2f32, 0.4, 0.6, 0.8]) {
        let seen = f32::from_ne_bytes(seen.try_into().expect("four bytes"));
        assert!(
            !gl.lane().draws() || (seen - wanted).abs() < 0.5 / 255.0,
            "{seen} instead of {wanted}"
        );
    }
    let mut image = vec![0; 16 * 16 * 4];
    gl.bind_texture(glow::TEXTURE_2D, Some(target.texture));
    gl.get_tex_image(
        glow::TEXTURE_2D,
        0,
        glow::BGRA,
        glow::UNSIGNED_BYTE,
        glow::PixelPackData::Slice(Some(&mut image)),
    );
    gl.no_error("glGetTexImage");
    gl.keep("glGetTexImage", &image);
    if gl.lane().draws() {
        assert!(
            image
                .chunks_exact(4)
                .all(|pixel| pixel == [153, 102, 51, 204]),
            "{:?}",
            &image[..4]
        );
    }
    // Exactly 24 bytes of 160 are written.
    let mut packed = vec![0xee; 160];
    gl.pixel_store_i32(glow::PACK_ROW_LENGTH, 8);
    gl.pixel_store_i32(glow::PACK_SKIP_PIXELS, 2);
    gl.pixel_store_i32(glow::PACK_SKIP_ROWS, 1);
    gl.read(0, 0, 3, 2, glow::RGBA, glow::UNSIGNED_BYTE, &mut packed);
    for (at, byte) in packed.iter().enumerate() {
        let is_written = (40..52).contains(&at) || (72..84).contains(&at);
        let wanted = if is_written {
            [51, 102, 153, 204][at % 4]
        } else {
            0xee
        };
        assert!(
            !gl.lane().draws() || *byte == wanted,
            "byte {at} is {byte:#x}"
        );
    }
    gl.pixel_store_i32(glow::PACK_ROW_LENGTH, 0);
    gl.pixel_store_i32(glow::PACK_SKIP_PIXELS, 0);
    gl.pixel_store_i32(glow::PACK_SKIP_ROWS, 0);
    let mut rgb = vec![0xee; 24];
    gl.read(0, 0, 3, 2, glow::RGB, glow::UNSIGNED_BYTE, &mut rgb);
    for (at, byte) in rgb.iter().enumerate() {
        let column = at % 12;
        let wanted = if column < 9 {
            [51, 102, 153][column % 3]
        } else {
            0xee
        };
        assert!(
            !gl.lane().draws() || *byte == wanted,
            "RGB: byte {at} is {byte:#x}"
        );
    }
}

/// Rule: with a pixel pack buffer the pointer is an offset into it (GL 4.6 core §18.2.9), checked against its size.
/// Broken: the pixels came a frame late, or the offset was taken for an address.
pub unsafe fn pack_buffer_readback(gl: &Gl) {
    gl.target(4, 4);
    let buffer = gl.buffer(glow::PIXEL_PACK_BUFFER, &[0xee; 96]);
    let read = |gl: &Gl, offset: u32| {
        gl.read_pixels(
            0,
            0,
            4,
            4,
            glow::RGBA,
            glow::UNSIGNED_BYTE,
            glow::PixelPackData::BufferOffset(offset),
        );
    };
    let contents = |gl: &Gl| {
        let mut bytes = vec![0; 96];
        gl.get_buffer_sub_data(glow::PIXEL_PACK_BUFFER, 0, &mut bytes);
        gl.keep("the pack buffer", &bytes);
        bytes
    };
    for (color, wanted) in [
        ([1.0, 0.0, 0.0, 1.0], [255, 0, 0, 255]),
        ([0.0, 0.0, 1.0, 1.0], [0, 0, 255, 255]),
    ] {
        gl.clear_color(color[0], color[1], color[2], color[3]);
        gl.clear(glow::COLOR_BUFFER_BIT);
        read(gl, 16);
        let bytes = contents(gl);
        if gl.lane().draws() {
            assert_eq!(bytes[..16], [0xee; 16]);
            assert_eq!(bytes[16..80], wanted.repeat(16));
            assert_eq!(bytes[80..], [0xee; 16]);
        }
    }
    read(gl, 36);
    gl.error(
        glow::INVALID_OPERATION,
        "four bytes past the end of the buffer",
    );
    // A later write of ours is not undone by the read.
    gl.buffer_sub_data_u8_slice(glow::PIXEL_PACK_BUFFER, 16, &[7; 4]);
    let bytes = contents(gl);
    assert_eq!(bytes[16..20], [7; 4]);
    // The buffer is then an upload source: the way of a texture through a buffer.
    gl.bind_buffer(glow::PIXEL_PACK_BUFFER, None);
    gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, Some(buffer));
    let texture = gl.create_texture().expect("glGenTextures");
    gl.bind_texture(glow::TEXTURE_2D, Some(texture));
    gl.tex_image_2d(
        glow::TEXTURE_2D,
        0,
        glow::RGBA8 as i32,
        4,
        4,
        0,
        glow::RGBA,
        glow::UNSIGNED_BYTE,
        glow::PixelUnpackData::BufferOffset(16),
    );
    gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, None);
    let framebuffer = gl.create_framebuffer().expect("glGenFramebuffers");
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
    gl.framebuffer_texture_2d(
        glow::FRAMEBUFFER,
        glow::COLOR_ATTACHMENT0,
        glow::TEXTURE_2D,
        Some(texture),
        0,
    );
    gl.expect(0, 0, [7; 4], "the texel that we wrote");
    gl.expect(3, 3, [0, 0, 255, 255], "the texel that was read");
}

/// Rule: depth and stencil are read as their own formats (GL 4.6 core §18.2).
/// Broken: ES cannot read depth at all, so zeros came.
pub unsafe fn depth_stencil_readback(gl: &Gl) {
    gl.target(4, 4);
    gl.add_depth_stencil(4, 4);
    for (depth, stencil) in [(0.25f32, 3u8), (1.0, 255), (0.0, 0)] {
        gl.clear_depth_f32(depth);
        gl.clear_stencil(i32::from(stencil));
        gl.clear(glow::DEPTH_BUFFER_BIT | glow::STENCIL_BUFFER_BIT);
        let mut bytes = [0; 4];
        gl.read(1, 1, 1, 1, glow::DEPTH_COMPONENT, glow::FLOAT, &mut bytes);
        let seen = f32::from_ne_bytes(bytes);
        assert!(
            !gl.lane().draws() || (seen - depth).abs() <= 1.0 / 16_777_215.0,
            "depth {seen} instead of {depth}"
        );
        let mut byte = [0x5a];
        gl.read(
            1,
            1,
            1,
            1,
            glow::STENCIL_INDEX,
            glow::UNSIGNED_BYTE,
            &mut byte,
        );
        assert!(
            !gl.lane().draws() || byte[0] == stencil,
            "stencil {} instead of {stencil}",
            byte[0]
        );
        gl.read(
            1,
            1,
            1,
            1,
            glow::DEPTH_STENCIL,
            glow::UNSIGNED_INT_24_8,
            &mut bytes,
        );
        let word = u32::from_ne_bytes(bytes);
        assert!(
            !gl.lane().draws() || (word & 0xff) as u8 == stencil,
            "{word:#x}: stencil lies in the low byte"
        );
        let fixed = f64::from(word >> 8) / 16_777_215.0;
        assert!(
            !gl.lane().draws() || (fixed - f64::from(depth)).abs() <= 1.0 / 16_777_215.0,
            "{word:#x}: depth"
        );
    }
}
