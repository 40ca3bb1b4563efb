//! Images that are cleared, copied, viewed and invalidated by their textures' names. How they are uploaded is `textures`' subject.

use glow::HasContext;

use crate::gl::{Gl, bytes_of};
use crate::lane::Lane;
use crate::paint::*;

const RGBA: u32 = glow::RGBA;
const BYTES: u32 = glow::UNSIGNED_BYTE;

/// A texture of immutable storage, bound.
unsafe fn storage(gl: &Gl, target: u32, levels: i32, format: u32, size: [i32; 3]) -> u32 {
    let texture = gl.create_texture().expect("glGenTextures");
    gl.bind_texture(target, Some(texture));
    match target {
        glow::TEXTURE_2D | glow::TEXTURE_CUBE_MAP | glow::TEXTURE_1D_ARRAY => {
            gl.tex_storage_2d(target, levels, format, size[0], size[1]);
        }
        _ => gl.tex_storage_3d(target, levels, format, size[0], size[1], size[2]),
    }
    gl.no_error("storage");
    texture.0.get()
}

/// The texels of a level of the bound texture, as bytes of this format and type.
unsafe fn texels(gl: &Gl, target: u32, level: i32, format: u32, ty: u32, size: usize) -> Vec<u8> {
    let mut out = vec![0x5a; size];
    let data = glow::PixelPackData::Slice(Some(&mut out));
    gl.get_tex_image(target, level, format, ty, data);
    gl.keep("texels", &out);
    out
}

/// Attaches a level and layer of a texture to a framebuffer of its own, bound; the texture's contents become the GPU's.
unsafe fn attach(gl: &Gl, texture: u32, level: i32, layer: Option<i32>) {
    let framebuffer = gl.create_framebuffer().expect("glGenFramebuffers");
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
    let texture = Some(glow::NativeTexture(texture.try_into().expect("a name")));
    let (target, at) = (glow::FRAMEBUFFER, glow::COLOR_ATTACHMENT0);
    match layer {
        Some(layer) => gl.framebuffer_texture_layer(target, at, texture, level, layer),
        None => gl.framebuffer_texture(target, at, texture, level),
    }
    assert_eq!(
        gl.check_framebuffer_status(target),
        glow::FRAMEBUFFER_COMPLETE
    );
}

unsafe fn fill(gl: &Gl, color: [f32; 4]) {
    gl.clear_color(color[0], color[1], color[2], color[3]);
    gl.clear(glow::COLOR_BUFFER_BIT);
}

/// Rule: glClearTexImage fills a level, glClearTexSubImage a part, with one texel of any legal format and type; without one with zeros.
/// Faces and layers are slices; pixel storage does not apply (GL 4.6 core §8.21, ARB_clear_texture).
pub unsafe fn clear_texture(gl: &Gl) {
    let flat = storage(gl, glow::TEXTURE_2D, 2, glow::RGBA8, [4, 4, 1]);
    let clear = |texture, level, format, ty, data: &[u8]| {
        gl.raw
            .glClearTexImage(texture, level, format, ty, data.as_ptr().cast());
    };
    let part = |texture, at: [i32; 3], size: [i32; 3], format, ty, data: &[u8]| {
        gl.raw.glClearTexSubImage(
            texture,
            0,
            at[0],
            at[1],
            at[2],
            size[0],
            size[1],
            size[2],
            format,
            ty,
            data.as_ptr().cast(),
        );
    };
    gl.pixel_store_i32(glow::UNPACK_SKIP_PIXELS, 3);
    clear(flat, 0, RGBA, BYTES, &[1, 2, 3, 4]);
    clear(
        flat,
        1,
        RGBA,
        glow::FLOAT,
        &bytes_of(&[1.0f32, 0.0, 0.0, 1.0]),
    );
    part(flat, [1, 2, 0], [2, 1, 1], glow::BGRA, BYTES, &[7, 6, 5, 8]);
    gl.no_error("clears");
    gl.pixel_store_i32(glow::UNPACK_SKIP_PIXELS, 0);
    let mut wanted = [1, 2, 3, 4].repeat(16);
    wanted[36..44].copy_from_slice(&[5, 6, 7, 8, 5, 6, 7, 8]);
    assert_eq!(texels(gl, glow::TEXTURE_2D, 0, RGBA, BYTES, 64), wanted);
    let level = texels(gl, glow::TEXTURE_2D, 1, RGBA, BYTES, 16);
    assert_eq!(level, RED8.repeat(4));
    gl.raw
        .glClearTexImage(flat, 1, RGBA, BYTES, std::ptr::null());
    let level = texels(gl, glow::TEXTURE_2D, 1, RGBA, BYTES, 16);
    assert_eq!(level, [0; 16], "no data: zeros");
    // What the GPU wrote stays around the part that is cleared.
    attach(gl, flat, 0, None);
    fill(gl, GREEN);
    part(flat, [3, 3, 0], [1, 1, 1], RGBA, BYTES, &BLUE8);
    gl.expect(3, 3, BLUE8, "the cleared texel");
    gl.expect(2, 3, GREEN8, "beside it");
    gl.expect(0, 0, GREEN8, "far from it");
    // Faces are slices.
    let cube = storage(gl, glow::TEXTURE_CUBE_MAP, 1, glow::RGBA8, [2, 2, 1]);
    clear(cube, 0, RGBA, BYTES, &RED8);
    part(cube, [0, 0, 4], [2, 2, 1], RGBA, BYTES, &GREEN8);
    for (face, wanted) in [(0, RED8), (4, GREEN8), (5, RED8)] {
        let target = glow::TEXTURE_CUBE_MAP_POSITIVE_X + face;
        let seen = texels(gl, target, 0, RGBA, BYTES, 16);
        assert_eq!(seen, wanted.repeat(4), "face {face}");
    }
    // Layers of an array are slices, those of a 1D array rows.
    let array = storage(gl, glow::TEXTURE_2D_ARRAY, 1, glow::R16UI, [2, 1, 3]);
    let (integer, short) = (glow::RED_INTEGER, glow::UNSIGNED_SHORT);
    clear(array, 0, integer, short, &bytes_of(&[7u16]));
    part(
        array,
        [1, 0, 1],
        [1, 1, 2],
        integer,
        short,
        &bytes_of(&[9u16]),
    );
    let seen = texels(gl, glow::TEXTURE_2D_ARRAY, 0, integer, short, 12);
    assert_eq!(seen, bytes_of(&[7u16, 7, 7, 9, 7, 9]));
    let rows = storage(gl, glow::TEXTURE_1D_ARRAY, 1, glow::R8, [2, 3, 1]);
    clear(rows, 0, glow::RED, BYTES, &[1]);
    part(rows, [0, 1, 0], [2, 1, 1], glow::RED, BYTES, &[2]);
    gl.pixel_store_i32(glow::PACK_ALIGNMENT, 1);
    let seen = texels(gl, glow::TEXTURE_1D_ARRAY, 0, glow::RED, BYTES, 6);
    assert_eq!(seen, [1, 1, 2, 2, 1, 1]);
    // Depth and stencil; encoded sRGB is taken as it is.
    let depth = storage(gl, glow::TEXTURE_2D, 1, glow::DEPTH32F_STENCIL8, [1, 1, 1]);
    let pair = [0.25f32.to_ne_bytes(), 0x55u32.to_ne_bytes()].concat();
    let packed = glow::FLOAT_32_UNSIGNED_INT_24_8_REV;
    clear(depth, 0, glow::DEPTH_STENCIL, packed, &pair);
    let seen = texels(gl, glow::TEXTURE_2D, 0, glow::DEPTH_STENCIL, packed, 8);
    assert_eq!((&seen[..4], seen[4]), (&pair[..4], 0x55));
    let srgb = storage(gl, glow::TEXTURE_2D, 1, glow::SRGB8_ALPHA8, [1, 1, 1]);
    clear(srgb, 0, RGBA, BYTES, &[10, 20, 30, 40]);
    let seen = texels(gl, glow::TEXTURE_2D, 0, RGBA, BYTES, 4);
    assert_eq!(seen, [10, 20, 30, 40]);
    // Errors: each leaves the texels alone.
    clear(9999, 0, RGBA, BYTES, &RED8);
    gl.error(glow::INVALID_OPERATION, "no texture");
    clear(srgb, 1, RGBA, BYTES, &RED8);
    gl.error(glow::INVALID_OPERATION, "a level without an image");
    clear(srgb, 0, glow::RGBA_INTEGER, BYTES, &RED8);
    gl.error(
        glow::INVALID_OPERATION,
        "integers for a format of fractions",
    );
    clear(depth, 0, RGBA, BYTES, &RED8);
    gl.error(glow::INVALID_OPERATION, "colours for depth");
    part(srgb, [0, 0, 0], [2, 1, 1], RGBA, BYTES, &RED8);
    gl.error(glow::INVALID_OPERATION, "a part that leaves the image");
    if gl.lane() != Lane::native {
        // GL 4.6 core §2.3.1; for Mesa such a part leaves the image.
        part(srgb, [0, 0, 0], [-1, 1, 1], RGBA, BYTES, &RED8);
        gl.error(glow::INVALID_VALUE, "a negative extent");
    }
    gl.bind_texture(
        glow::TEXTURE_2D,
        Some(glow::NativeTexture(srgb.try_into().expect("a name"))),
    );
    let seen = texels(gl, glow::TEXTURE_2D, 0, RGBA, BYTES, 4);
    assert_eq!(seen, [10, 20, 30, 40]);
}

/// Rule: multisample images are cleared and copied with all their samples (GL 4.6 core §8.21, §18.3.2), whatever masks and scissors are
/// set; the storage may be immutable (ARB_texture_storage_multisample).
pub unsafe fn multisample_images(gl: &Gl) {
    let make = |immutable: bool| {
        let texture = gl.create_texture().expect("glGenTextures");
        let target = glow::TEXTURE_2D_MULTISAMPLE;
        gl.bind_texture(target, Some(texture));
        if immutable {
            gl.tex_storage_2d_multisample(target, 4, glow::RGBA8, 4, 4, true);
            gl.no_error("immutable storage of four samples");
            let immutable = gl.get_tex_parameter_i32(target, glow::TEXTURE_IMMUTABLE_FORMAT);
            assert_eq!(immutable, 1);
        } else {
            gl.raw
                .glTexImage2DMultisample(target, 4, glow::RGBA8, 4, 4, 1);
        }
        texture.0.get()
    };
    let (first, second) = (make(true), make(false));
    let program = gl.program(
        TRI,
        "#version 330 core
uniform sampler2DMS t; uniform int s; out vec4 o;
void main() { o = texelFetch(t, ivec2(gl_FragCoord.xy), s); }",
    );
    let target = gl.target(4, 4);
    gl.use_program(Some(program));
    gl.vertex_array();
    let sample = gl.get_uniform_location(program, "s");
    let seen = |texture: u32, at: [i32; 2], wanted: [u8; 4], what: &str| {
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(target.framebuffer));
        let texture = glow::NativeTexture(texture.try_into().expect("a name"));
        gl.bind_texture(glow::TEXTURE_2D_MULTISAMPLE, Some(texture));
        for s in 0..4 {
            gl.uniform_1_i32(sample.as_ref(), s);
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
            gl.expect(at[0], at[1], wanted, &format!("{what}, sample {s}"));
        }
    };
    let clear = |texture, color: [u8; 4]| {
        let data = color.as_ptr().cast();
        gl.raw.glClearTexImage(texture, 0, RGBA, BYTES, data);
    };
    // State that clears of framebuffers obey and this one does not.
    gl.enable(glow::SCISSOR_TEST);
    gl.scissor(0, 0, 1, 1);
    gl.color_mask(false, true, false, true);
    clear(first, RED8);
    clear(second, BLUE8);
    gl.no_error("clears of multisample images");
    let mask = gl.get_parameter_bool_array::<4>(glow::COLOR_WRITEMASK);
    assert_eq!(mask, [false, true, false, true]);
    let mut scissor = [0; 4];
    gl.get_parameter_i32_slice(glow::SCISSOR_BOX, &mut scissor);
    assert_eq!(scissor, [0, 0, 1, 1]);
    gl.disable(glow::SCISSOR_TEST);
    gl.color_mask(true, true, true, true);
    seen(first, [3, 3], RED8, "cleared to red");
    let part = |texture, color: [u8; 4]| {
        let data = color.as_ptr().cast();
        gl.raw
            .glClearTexSubImage(texture, 0, 2, 2, 0, 2, 2, 1, RGBA, BYTES, data);
    };
    part(first, GREEN8);
    seen(first, [3, 3], GREEN8, "a part cleared to green");
    seen(first, [1, 1], RED8, "beside the part");
    let ms = glow::TEXTURE_2D_MULTISAMPLE;
    let copy = |src, x, dst| {
        gl.raw
            .glCopyImageSubData(src, ms, 0, x, x, 0, dst, ms, 0, 0, 0, 0, 2, 2, 1);
    };
    copy(first, 2, second);
    gl.no_error("a copy of all samples");
    seen(second, [1, 1], GREEN8, "copied");
    seen(second, [2, 2], BLUE8, "beside the copy");
    let flat = storage(gl, glow::TEXTURE_2D, 1, glow::RGBA8, [4, 4, 1]);
    gl.raw.glCopyImageSubData(
        first,
        ms,
        0,
        0,
        0,
        0,
        flat,
        glow::TEXTURE_2D,
        0,
        0,
        0,
        0,
        2,
        2,
        1,
    );
    gl.error(glow::INVALID_OPERATION, "other numbers of samples");
}

/// One copy: `(texture, target, level, [x, y, z])` twice and a size.
type End = (u32, u32, i32, [i32; 3]);

unsafe fn copy(gl: &Gl, src: End, dst: End, size: [i32; 3]) {
    let ((a, at, al, [ax, ay, az]), (b, bt, bl, [bx, by, bz])) = (src, dst);
    let [w, h, d] = size;
    gl.raw
        .glCopyImageSubData(a, at, al, ax, ay, az, b, bt, bl, bx, by, bz, w, h, d);
}

/// Rule: glCopyImageSubData copies texels as they are between images of compatible formats: textures of any target, levels, layers and
/// faces as slices, renderbuffers, blocks (GL 4.6 core §18.3.2).
pub unsafe fn copy_image(gl: &Gl) {
    let t2d = glow::TEXTURE_2D;
    let source = gl.texture_rgba8(4, 4, Some(&(0..64).collect::<Vec<u8>>()));
    let source = source.0.get();
    // What the client gave, to another format of the class: bits are bits.
    let words = storage(gl, t2d, 2, glow::R32UI, [4, 4, 1]);
    gl.raw.glClearTexImage(
        words,
        0,
        glow::RED_INTEGER,
        glow::UNSIGNED_INT,
        [0u8; 4].as_ptr().cast(),
    );
    copy(
        gl,
        (source, t2d, 0, [1, 1, 0]),
        (words, t2d, 0, [2, 0, 0]),
        [2, 2, 1],
    );
    gl.no_error("a copy to another format");
    let seen = texels(gl, t2d, 0, glow::RED_INTEGER, glow::UNSIGNED_INT, 64);
    assert_eq!(seen[..8], [0; 8]);
    assert_eq!(seen[8..16], [20, 21, 22, 23, 24, 25, 26, 27]);
    assert_eq!(seen[24..32], [36, 37, 38, 39, 40, 41, 42, 43]);
    copy(
        gl,
        (source, t2d, 0, [0, 0, 0]),
        (words, t2d, 1, [0, 0, 0]),
        [2, 2, 1],
    );
    let seen = texels(gl, t2d, 1, glow::RED_INTEGER, glow::UNSIGNED_INT, 16);
    assert_eq!(seen[..8], [0, 1, 2, 3, 4, 5, 6, 7], "to level 1");
    // What the GPU made, to a layer of an array and to a face.
    let drawn = storage(gl, t2d, 1, glow::RGBA8, [4, 4, 1]);
    attach(gl, drawn, 0, None);
    fill(gl, GREEN);
    let array = storage(gl, glow::TEXTURE_2D_ARRAY, 1, glow::RGBA8, [4, 4, 3]);
    gl.raw
        .glClearTexImage(array, 0, RGBA, BYTES, RED8.as_ptr().cast());
    let array_target = glow::TEXTURE_2D_ARRAY;
    copy(
        gl,
        (drawn, t2d, 0, [0, 0, 0]),
        (array, array_target, 0, [2, 2, 1]),
        [2, 2, 1],
    );
    gl.no_error("a copy of what was drawn");
    let seen = texels(gl, array_target, 0, RGBA, BYTES, 192);
    assert_eq!(seen[64..68], RED8, "layer 1, outside");
    assert_eq!(seen[64 + 40..64 + 44], GREEN8, "layer 1, inside");
    assert_eq!(seen[128..], RED8.repeat(16), "layer 2");
    let cube = storage(gl, glow::TEXTURE_CUBE_MAP, 1, glow::RGBA8, [4, 4, 1]);
    gl.raw
        .glClearTexImage(cube, 0, RGBA, BYTES, BLUE8.as_ptr().cast());
    let cube_target = glow::TEXTURE_CUBE_MAP;
    copy(
        gl,
        (array, array_target, 0, [0, 0, 0]),
        (cube, cube_target, 0, [0, 0, 3]),
        [4, 4, 2],
    );
    gl.no_error("layers to faces");
    for (face, wanted) in [(2, BLUE8), (3, RED8)] {
        let target = glow::TEXTURE_CUBE_MAP_POSITIVE_X + face;
        let seen = texels(gl, target, 0, RGBA, BYTES, 64);
        assert_eq!(seen, wanted.repeat(16), "face {face}");
    }
    let seen = texels(
        gl,
        glow::TEXTURE_CUBE_MAP_POSITIVE_X + 4,
        0,
        RGBA,
        BYTES,
        64,
    );
    assert_eq!((&seen[..4], &seen[60..]), (&RED8[..], &GREEN8[..]));
    // Volumes: slices are z.
    let volume = storage(gl, glow::TEXTURE_3D, 1, glow::RGBA8, [2, 2, 2]);
    gl.raw
        .glClearTexImage(volume, 0, RGBA, BYTES, WHITE8.as_ptr().cast());
    let volume_end = (volume, glow::TEXTURE_3D, 0, [0, 0, 1]);
    copy(gl, (drawn, t2d, 0, [1, 1, 0]), volume_end, [2, 2, 1]);
    gl.no_error("to a slice of a volume");
    let seen = texels(gl, glow::TEXTURE_3D, 0, RGBA, BYTES, 32);
    assert_eq!((&seen[..4], &seen[16..20]), (&WHITE8[..], &GREEN8[..]));
    // Renderbuffers at both ends.
    let renderbuffer = gl.create_renderbuffer().expect("glGenRenderbuffers");
    gl.bind_renderbuffer(glow::RENDERBUFFER, Some(renderbuffer));
    gl.renderbuffer_storage(glow::RENDERBUFFER, glow::RGBA8, 4, 4);
    let end = |at| (renderbuffer.0.get(), glow::RENDERBUFFER, 0, at);
    copy(gl, (source, t2d, 0, [0, 0, 0]), end([0, 0, 0]), [4, 4, 1]);
    copy(gl, (drawn, t2d, 0, [0, 0, 0]), end([3, 3, 0]), [1, 1, 1]);
    let back = storage(gl, t2d, 1, glow::RGBA8, [4, 4, 1]);
    copy(gl, end([0, 0, 0]), (back, t2d, 0, [0, 0, 0]), [4, 4, 1]);
    gl.no_error("renderbuffers");
    let seen = texels(gl, t2d, 0, RGBA, BYTES, 64);
    assert_eq!(seen[..60], (0..60).collect::<Vec<u8>>());
    assert_eq!(seen[60..], GREEN8);
    // Within one image, and of what is still to be uploaded.
    copy(
        gl,
        (back, t2d, 0, [0, 0, 0]),
        (back, t2d, 0, [2, 0, 0]),
        [2, 1, 1],
    );
    let seen = texels(gl, t2d, 0, RGBA, BYTES, 64);
    assert_eq!(seen[8..16], [0, 1, 2, 3, 4, 5, 6, 7]);
    copy_image_errors(gl, source, drawn);
}

unsafe fn copy_image_errors(gl: &Gl, source: u32, drawn: u32) {
    let t2d = glow::TEXTURE_2D;
    let good = (drawn, t2d, 0, [0, 0, 0]);
    let one = [1, 1, 1];
    let cases: [(End, End, [i32; 3], u32, &str); 8] = [
        (
            (9999, t2d, 0, [0; 3]),
            good,
            one,
            glow::INVALID_VALUE,
            "no texture",
        ),
        (
            (source, 0x1234, 0, [0; 3]),
            good,
            one,
            glow::INVALID_ENUM,
            "no target",
        ),
        (
            (source, glow::TEXTURE_3D, 0, [0; 3]),
            good,
            one,
            glow::INVALID_ENUM,
            "another target",
        ),
        (
            good,
            (source, t2d, 0, [4, 0, 0]),
            one,
            glow::INVALID_VALUE,
            "outside",
        ),
        (
            good,
            (source, t2d, 0, [0, 0, 1]),
            one,
            glow::INVALID_VALUE,
            "a second slice",
        ),
        (
            good,
            (source, t2d, -1, [0; 3]),
            one,
            glow::INVALID_VALUE,
            "a negative level",
        ),
        (
            good,
            (source, t2d, 0, [0; 3]),
            [-1, 1, 1],
            glow::INVALID_VALUE,
            "a negative size",
        ),
        (
            (source, t2d, 0, [-1, 0, 0]),
            good,
            one,
            glow::INVALID_VALUE,
            "a negative offset",
        ),
    ];
    for (src, dst, size, error, what) in cases {
        copy(gl, src, dst, size);
        gl.error(error, what);
    }
    let wide = storage(gl, t2d, 1, glow::RGBA16, [4, 4, 1]);
    copy(gl, good, (wide, t2d, 0, [0; 3]), one);
    gl.error(glow::INVALID_OPERATION, "formats of other classes");
    let incomplete = gl.create_texture().expect("glGenTextures");
    gl.bind_texture(t2d, Some(incomplete));
    copy(gl, good, (incomplete.0.get(), t2d, 0, [0; 3]), one);
    gl.error(glow::INVALID_OPERATION, "a texture without images");
}

/// Rule: blocks are copied as they are, between images of one family and to texels of a block's size (GL 4.6 core §18.3.2).
pub unsafe fn copy_blocks(gl: &Gl) {
    const DXT5: u32 = 0x83F3;
    let t2d = glow::TEXTURE_2D;
    let blocks: Vec<u8> = (1..=64).collect();
    let compressed = |data: &[u8]| {
        let texture = gl.create_texture().expect("glGenTextures");
        gl.bind_texture(t2d, Some(texture));
        let size = data.len() as i32;
        gl.compressed_tex_image_2d(t2d, 0, DXT5 as i32, 8, 8, 0, size, data);
        gl.nearest();
        texture.0.get()
    };
    let first = compressed(&blocks);
    let second = compressed(&[0; 64]);
    copy(
        gl,
        (first, t2d, 0, [4, 4, 0]),
        (second, t2d, 0, [0, 4, 0]),
        [4, 4, 1],
    );
    gl.no_error("a block to a block");
    let mut seen = [0; 64];
    gl.raw
        .glGetCompressedTexImage(t2d, 0, seen.as_mut_ptr().cast());
    assert_eq!(seen[32..48], blocks[48..]);
    assert_eq!(seen[..32], [0; 32]);
    let words = storage(gl, t2d, 1, glow::RGBA32UI, [2, 2, 1]);
    copy(
        gl,
        (first, t2d, 0, [4, 0, 0]),
        (words, t2d, 0, [0, 1, 0]),
        [4, 4, 1],
    );
    gl.no_error("a block to a texel");
    let seen = texels(gl, t2d, 0, glow::RGBA_INTEGER, glow::UNSIGNED_INT, 64);
    assert_eq!(seen[32..48], blocks[16..32]);
    copy(
        gl,
        (words, t2d, 0, [0, 1, 0]),
        (second, t2d, 0, [4, 4, 0]),
        [1, 1, 1],
    );
    gl.no_error("a texel to a block");
    gl.bind_texture(
        t2d,
        Some(glow::NativeTexture(second.try_into().expect("a name"))),
    );
    let mut seen = [0; 64];
    gl.raw
        .glGetCompressedTexImage(t2d, 0, seen.as_mut_ptr().cast());
    assert_eq!(seen[48..], blocks[16..32]);
    copy(
        gl,
        (first, t2d, 0, [2, 0, 0]),
        (second, t2d, 0, [0; 3]),
        [4, 4, 1],
    );
    gl.error(glow::INVALID_VALUE, "half a block");
}

/// Rule: invalidation leaves contents undefined and errors are of the names, levels and regions alone (GL 4.6 core §6.5, §8.20).
pub unsafe fn invalidate_sub_data(gl: &Gl) {
    let texture = storage(gl, glow::TEXTURE_2D, 2, glow::RGBA8, [4, 4, 1]);
    gl.raw.glInvalidateTexImage(texture, 1);
    gl.raw.glInvalidateTexSubImage(texture, 0, 1, 1, 0, 3, 3, 1);
    gl.no_error("invalidated images");
    gl.raw.glInvalidateTexImage(9999, 0);
    gl.error(glow::INVALID_VALUE, "no texture");
    gl.raw.glInvalidateTexImage(texture, -1);
    gl.error(glow::INVALID_VALUE, "a negative level");
    gl.raw.glInvalidateTexSubImage(texture, 0, 2, 0, 0, 3, 1, 1);
    gl.error(glow::INVALID_VALUE, "a part that leaves the image");
    let buffer = gl.buffer(glow::ARRAY_BUFFER, &[1; 16]).0.get();
    gl.raw.glInvalidateBufferData(buffer);
    gl.raw.glInvalidateBufferSubData(buffer, 8, 8);
    gl.no_error("an invalidated buffer");
    gl.raw.glInvalidateBufferSubData(buffer, 8, 9);
    gl.error(glow::INVALID_VALUE, "past the end of the buffer");
    gl.raw.glInvalidateBufferData(9999);
    gl.error(glow::INVALID_VALUE, "no buffer");
    // What is written afterwards is there.
    let data = RED8.repeat(4);
    gl.tex_sub_image_2d(
        glow::TEXTURE_2D,
        1,
        0,
        0,
        2,
        2,
        RGBA,
        BYTES,
        glow::PixelUnpackData::Slice(Some(&data)),
    );
    assert_eq!(texels(gl, glow::TEXTURE_2D, 1, RGBA, BYTES, 16), data);
}
