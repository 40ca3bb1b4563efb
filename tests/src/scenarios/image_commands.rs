//! Images of each dimension: given, given in part, copied from a framebuffer, attached to one. Formats are `texture_kinds`' subject.

use std::ffi::c_void;

use glow::HasContext;

use crate::gl::Gl;
use crate::paint::*;

const RGBA: u32 = glow::RGBA;
const BYTE: u32 = glow::UNSIGNED_BYTE;

fn at(texels: &[[u8; 4]]) -> *const c_void {
    texels.as_ptr().cast()
}

unsafe fn bound(gl: &Gl, target: u32) -> u32 {
    let texture = gl.create_texture().expect("glGenTextures");
    gl.bind_texture(target, Some(texture));
    texture.0.get()
}

/// Level 0 of the bound texture, which has `count` texels.
#[track_caller]
unsafe fn expect_image(gl: &Gl, target: u32, wanted: &[[u8; 4]], what: &str) {
    let mut seen = vec![[0xEE; 4]; wanted.len() + 1];
    gl.raw
        .glGetTexImage(target, 0, RGBA, BYTE, seen.as_mut_ptr().cast());
    assert_eq!(seen.pop(), Some([0xEE; 4]), "{what}: too much");
    gl.keep(what, &seen.concat());
    assert_eq!(seen, wanted, "{what}");
    gl.no_error(what);
}

/// Rule: images and parts of them come in one, two or three dimensions (GL 4.6 core §8.5, §8.6).
/// Broken: a part of one dimension was not written, or the whole image was.
pub unsafe fn images_of_each_dimension(gl: &Gl) {
    let raw = &gl.raw;
    let four = [RED8, GREEN8, BLUE8, WHITE8];
    let internal = glow::RGBA8 as i32;
    bound(gl, glow::TEXTURE_1D);
    raw.glTexImage1D(glow::TEXTURE_1D, 0, internal, 4, 0, RGBA, BYTE, at(&four));
    expect_image(gl, glow::TEXTURE_1D, &four, "1D");
    raw.glTexSubImage1D(glow::TEXTURE_1D, 0, 1, 2, RGBA, BYTE, at(&[WHITE8, RED8]));
    expect_image(
        gl,
        glow::TEXTURE_1D,
        &[RED8, WHITE8, RED8, WHITE8],
        "1D part",
    );
    bound(gl, glow::TEXTURE_2D);
    raw.glTexImage2D(
        glow::TEXTURE_2D,
        0,
        internal,
        2,
        2,
        0,
        RGBA,
        BYTE,
        at(&four),
    );
    raw.glTexSubImage2D(
        glow::TEXTURE_2D,
        0,
        1,
        0,
        1,
        2,
        RGBA,
        BYTE,
        at(&[RED8, RED8]),
    );
    expect_image(gl, glow::TEXTURE_2D, &[RED8, RED8, BLUE8, RED8], "2D part");
    for target in [glow::TEXTURE_3D, glow::TEXTURE_2D_ARRAY] {
        bound(gl, target);
        raw.glTexImage3D(target, 0, internal, 2, 1, 2, 0, RGBA, BYTE, at(&four));
        expect_image(gl, target, &four, "3D");
        raw.glTexSubImage3D(target, 0, 1, 0, 0, 1, 1, 2, RGBA, BYTE, at(&[WHITE8, RED8]));
        expect_image(gl, target, &[RED8, WHITE8, BLUE8, RED8], "3D part");
    }
    let texture = bound(gl, glow::TEXTURE_2D_MULTISAMPLE_ARRAY);
    raw.glTexImage3DMultisample(
        glow::TEXTURE_2D_MULTISAMPLE_ARRAY,
        4,
        glow::RGBA8,
        8,
        4,
        2,
        1,
    );
    for (name, wanted) in [
        (glow::TEXTURE_WIDTH, 8),
        (glow::TEXTURE_HEIGHT, 4),
        (glow::TEXTURE_DEPTH, 2),
        (glow::TEXTURE_SAMPLES, 4),
        (glow::TEXTURE_FIXED_SAMPLE_LOCATIONS, 1),
    ] {
        let mut seen = -9;
        raw.glGetTexLevelParameteriv(glow::TEXTURE_2D_MULTISAMPLE_ARRAY, 0, name, &raw mut seen);
        assert_eq!(seen, wanted, "{name:#x} of {texture}");
    }
    bound(gl, glow::TEXTURE_2D_MULTISAMPLE);
    raw.glTexImage2DMultisample(glow::TEXTURE_2D_MULTISAMPLE, 4, glow::RGBA8, 8, 4, 1);
    let mut seen = -9;
    raw.glGetTexLevelParameteriv(
        glow::TEXTURE_2D_MULTISAMPLE,
        0,
        glow::TEXTURE_SAMPLES,
        &raw mut seen,
    );
    assert_eq!(seen, 4);
    gl.no_error("multisample images");
}

/// Rule: a texel of a buffer texture is read from the buffer's own bytes, also when they change (GL 4.6 core §8.9).
/// Broken: the texture stayed as it was first.
pub unsafe fn buffer_textures(gl: &Gl) {
    gl.target(8, 8);
    gl.vertex_array();
    let program = gl.program(
        TRI,
        "#version 330 core
        uniform samplerBuffer t; out vec4 o; void main() { o = texelFetch(t, 1); }",
    );
    gl.use_program(Some(program));
    let buffer = gl.buffer(glow::TEXTURE_BUFFER, &[RED8, GREEN8].concat());
    bound(gl, glow::TEXTURE_BUFFER);
    gl.raw
        .glTexBuffer(glow::TEXTURE_BUFFER, glow::RGBA8, buffer.0.get());
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(4, 4, GREEN8, "its second texel");
    gl.buffer_sub_data_u8_slice(glow::TEXTURE_BUFFER, 4, &BLUE8);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(4, 4, BLUE8, "after a change of the buffer");
    gl.no_error("buffer textures");
}

/// Rule: glCopyTexImage and glCopyTexSubImage take the read framebuffer's pixels into an image or a part of one (GL 4.6 core §8.6).
/// Broken: rows were upside down, or another layer was written.
pub unsafe fn copies_from_the_framebuffer(gl: &Gl) {
    let raw = &gl.raw;
    gl.target(4, 4);
    let painter = Painter::new(gl);
    painter.fill(gl, LEFT, RED);
    painter.fill(gl, RIGHT, GREEN);
    painter.fill(gl, [-1.0, 0.0, 0.0, 1.0], BLUE);
    // Columns 0 and 1 are red below and blue above, 2 and 3 are green.
    bound(gl, glow::TEXTURE_1D);
    raw.glCopyTexImage1D(glow::TEXTURE_1D, 0, glow::RGBA8, 1, 3, 2, 0);
    expect_image(gl, glow::TEXTURE_1D, &[BLUE8, GREEN8], "1D");
    raw.glCopyTexSubImage1D(glow::TEXTURE_1D, 0, 1, 0, 0, 1);
    expect_image(gl, glow::TEXTURE_1D, &[BLUE8, RED8], "1D part");
    bound(gl, glow::TEXTURE_2D);
    raw.glCopyTexImage2D(glow::TEXTURE_2D, 0, glow::RGBA8, 1, 1, 2, 2, 0);
    expect_image(gl, glow::TEXTURE_2D, &[RED8, GREEN8, BLUE8, GREEN8], "2D");
    raw.glCopyTexSubImage2D(glow::TEXTURE_2D, 0, 1, 0, 0, 1, 1, 2);
    expect_image(gl, glow::TEXTURE_2D, &[RED8, RED8, BLUE8, BLUE8], "2D part");
    for target in [glow::TEXTURE_3D, glow::TEXTURE_2D_ARRAY] {
        bound(gl, target);
        let white = [WHITE8; 4];
        raw.glTexImage3D(
            target,
            0,
            glow::RGBA8 as i32,
            2,
            1,
            2,
            0,
            RGBA,
            BYTE,
            at(&white),
        );
        raw.glCopyTexSubImage3D(target, 0, 0, 0, 1, 1, 0, 2, 1);
        expect_image(gl, target, &[WHITE8, WHITE8, RED8, GREEN8], "3D part");
    }
}

/// Rule: compressed formats of blocks have no images of one dimension (GL 4.6 core §8.7); of an array, layers are given whole or in blocks.
/// Broken: such a call was silently nothing.
pub unsafe fn compressed_images_of_one_and_three_dimensions(gl: &Gl) {
    let raw = &gl.raw;
    // Both ends of a block the same colour of 5, 6, 5 bits, all codes 0.
    let block = |low, high| [low, high, low, high, 0, 0, 0, 0];
    let (red, blue): ([u8; 8], [u8; 8]) = (block(0x00, 0xF8), block(0x1F, 0x00));
    let format = glow::COMPRESSED_RGB_S3TC_DXT1_EXT;
    bound(gl, glow::TEXTURE_1D);
    let pointer = |blocks: &[u8]| blocks.as_ptr().cast::<c_void>();
    raw.glCompressedTexImage1D(glow::TEXTURE_1D, 0, format, 4, 0, 8, pointer(&red));
    gl.error(glow::INVALID_ENUM, "a block of one dimension");
    let four = [RED8, GREEN8, BLUE8, WHITE8];
    raw.glTexImage1D(
        glow::TEXTURE_1D,
        0,
        glow::RGBA8 as i32,
        4,
        0,
        RGBA,
        BYTE,
        at(&four),
    );
    raw.glCompressedTexSubImage1D(glow::TEXTURE_1D, 0, 0, 4, format, 8, pointer(&red));
    gl.error(glow::INVALID_ENUM, "a block into an image of one dimension");
    expect_image(gl, glow::TEXTURE_1D, &four, "it stays");
    let target = glow::TEXTURE_2D_ARRAY;
    bound(gl, target);
    let both = [red, red].concat();
    raw.glCompressedTexImage3D(target, 0, format, 4, 4, 2, 0, 16, pointer(&both));
    expect_image(gl, target, &[RED8; 32], "an array of two layers");
    raw.glCompressedTexSubImage3D(target, 0, 0, 0, 1, 4, 4, 1, format, 8, pointer(&blue));
    let wanted = [[RED8; 16], [BLUE8; 16]].concat();
    expect_image(gl, target, &wanted, "its second layer");
}

/// Rule: an image of any dimension is attached, a layer of one where a layer is named, and the framebuffer says what it has (GL 4.6 core §9.2.8,
/// §9.2.3).
/// Broken: another layer was drawn to.
pub unsafe fn attachments_of_each_dimension(gl: &Gl) {
    let raw = &gl.raw;
    let framebuffer = gl.create_framebuffer().expect("glGenFramebuffers");
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
    let (point, color) = (glow::FRAMEBUFFER, glow::COLOR_ATTACHMENT0);
    let said = |name| {
        let mut value = -9;
        raw.glGetFramebufferAttachmentParameteriv(point, color, name, &raw mut value);
        value
    };
    let (kind, layer) = (
        glow::FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE,
        glow::FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER,
    );
    assert_eq!(said(kind), glow::NONE as i32, "nothing is attached");
    let clear = |red, what: &str| {
        assert_eq!(
            raw.glCheckFramebufferStatus(point),
            glow::FRAMEBUFFER_COMPLETE,
            "{what}"
        );
        gl.clear_color(red, 0.0, 1.0, 1.0);
        gl.clear(glow::COLOR_BUFFER_BIT);
    };
    let white = [WHITE8; 8];
    let internal = glow::RGBA8 as i32;
    let magenta = [255, 0, 255, 255];
    let texture = bound(gl, glow::TEXTURE_1D);
    raw.glTexImage1D(glow::TEXTURE_1D, 0, internal, 2, 0, RGBA, BYTE, at(&white));
    raw.glTexParameteri(glow::TEXTURE_1D, glow::TEXTURE_MAX_LEVEL, 0);
    raw.glFramebufferTexture1D(point, color, glow::TEXTURE_1D, texture, 0);
    assert_eq!(said(kind), glow::TEXTURE as i32);
    clear(0.0, "1D");
    expect_image(gl, glow::TEXTURE_1D, &[BLUE8; 2], "1D");

    let texture = bound(gl, glow::TEXTURE_3D);
    raw.glTexImage3D(
        glow::TEXTURE_3D,
        0,
        internal,
        2,
        1,
        2,
        0,
        RGBA,
        BYTE,
        at(&white),
    );
    raw.glTexParameteri(glow::TEXTURE_3D, glow::TEXTURE_MAX_LEVEL, 0);
    raw.glFramebufferTexture3D(point, color, glow::TEXTURE_3D, texture, 0, 1);
    assert_eq!(said(layer), 1, "the layer of 3D");
    clear(0.0, "3D");
    let wanted = [WHITE8, WHITE8, BLUE8, BLUE8];
    expect_image(gl, glow::TEXTURE_3D, &wanted, "3D");

    let texture = bound(gl, glow::TEXTURE_2D_ARRAY);
    let target = glow::TEXTURE_2D_ARRAY;
    raw.glTexImage3D(target, 0, internal, 2, 1, 2, 0, RGBA, BYTE, at(&white));
    raw.glTexParameteri(target, glow::TEXTURE_MAX_LEVEL, 0);
    raw.glFramebufferTextureLayer(point, color, texture, 0, 1);
    assert_eq!(said(layer), 1, "the layer of an array");
    clear(1.0, "a layer");
    let wanted = [WHITE8, WHITE8, magenta, magenta];
    expect_image(gl, target, &wanted, "a layer of an array");
    // All layers: a clear covers each (§9.8).
    raw.glFramebufferTexture(point, color, texture, 0);
    assert_eq!(said(glow::FRAMEBUFFER_ATTACHMENT_LAYERED), 1);
    clear(0.0, "layered");
    expect_image(gl, target, &[BLUE8; 4], "all layers");

    let mut name = 0;
    raw.glGenRenderbuffers(1, &raw mut name);
    raw.glBindRenderbuffer(glow::RENDERBUFFER, name);
    raw.glRenderbufferStorageMultisample(glow::RENDERBUFFER, 4, glow::RGBA8, 8, 4);
    for (what, wanted) in [
        (glow::RENDERBUFFER_WIDTH, 8),
        (glow::RENDERBUFFER_HEIGHT, 4),
        (glow::RENDERBUFFER_SAMPLES, 4),
        (glow::RENDERBUFFER_INTERNAL_FORMAT, internal),
        (glow::RENDERBUFFER_RED_SIZE, 8),
    ] {
        let mut seen = -9;
        raw.glGetRenderbufferParameteriv(glow::RENDERBUFFER, what, &raw mut seen);
        assert_eq!(seen, wanted, "{what:#x}");
    }
    raw.glFramebufferRenderbuffer(point, color, glow::RENDERBUFFER, name);
    assert_eq!(said(kind), glow::RENDERBUFFER as i32);
    // A deleted renderbuffer leaves the bound framebuffer (§9.2.7).
    raw.glDeleteRenderbuffers(1, &raw const name);
    assert_eq!(said(kind), glow::NONE as i32, "it was deleted");
    gl.no_error("attachments");
}
