//! Every target and the formats that drivers below may lack, sampled once. Uploads in parts and parameters are `textures`' subject.

use glow::HasContext;

use crate::gl::{Gl, bytes_of};
use crate::paint::*;

unsafe fn sampler(gl: &Gl, kind: &str, coordinates: &str) {
    let lookup = match kind {
        "samplerBuffer" => format!("texelFetch(t, {coordinates})"),
        _ => format!("texture(t, {coordinates})"),
    };
    let program = gl.program(
        TRI,
        &format!(
            "#version 330 core
            uniform {kind} t; out vec4 o; void main() {{ o = {lookup}; }}"
        ),
    );
    gl.use_program(Some(program));
}

unsafe fn bound(gl: &Gl, target: u32) -> glow::NativeTexture {
    let texture = gl.create_texture().expect("glGenTextures");
    gl.bind_texture(target, Some(texture));
    for filter in [glow::TEXTURE_MIN_FILTER, glow::TEXTURE_MAG_FILTER] {
        gl.tex_parameter_i32(target, filter, glow::NEAREST as i32);
    }
    texture
}

fn bytes(texels: &[[u8; 4]]) -> Vec<u8> {
    texels.concat()
}

/// Rule: each target has its own texels and coordinates (GL 4.6 core §8.5, §8.14).
/// Broken: a one-dimensional array showed layer 0 for every layer; a face of a cube map was another.
pub unsafe fn targets(gl: &Gl) {
    gl.target(8, 8);
    gl.vertex_array();
    let (rgba, byte) = (glow::RGBA, glow::UNSIGNED_BYTE);
    let internal = glow::RGBA8 as i32;
    let slice = |texels: &'static [[u8; 4]]| bytes(texels);
    let rgbw = slice(&[RED8, GREEN8, BLUE8, WHITE8]);
    let data = || glow::PixelUnpackData::Slice(Some(&rgbw));
    let expect = |wanted, what: &str| {
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(4, 4, wanted, what);
    };
    bound(gl, glow::TEXTURE_1D);
    gl.tex_image_1d(glow::TEXTURE_1D, 0, internal, 4, 0, rgba, byte, data());
    sampler(gl, "sampler1D", "0.625");
    expect(BLUE8, "1D");
    bound(gl, glow::TEXTURE_1D_ARRAY);
    gl.tex_image_2d(
        glow::TEXTURE_1D_ARRAY,
        0,
        internal,
        2,
        2,
        0,
        rgba,
        byte,
        data(),
    );
    sampler(gl, "sampler1DArray", "vec2(0.25, 1.0)");
    expect(BLUE8, "1D array");
    bound(gl, glow::TEXTURE_3D);
    gl.tex_image_3d(
        glow::TEXTURE_3D,
        0,
        internal,
        1,
        2,
        2,
        0,
        rgba,
        byte,
        data(),
    );
    sampler(gl, "sampler3D", "vec3(0.5, 0.25, 0.75)");
    expect(BLUE8, "3D");
    bound(gl, glow::TEXTURE_2D_ARRAY);
    gl.tex_image_3d(
        glow::TEXTURE_2D_ARRAY,
        0,
        internal,
        2,
        1,
        2,
        0,
        rgba,
        byte,
        data(),
    );
    sampler(gl, "sampler2DArray", "vec3(0.75, 0.5, 1.0)");
    expect(WHITE8, "2D array");
    bound(gl, glow::TEXTURE_RECTANGLE);
    gl.tex_image_2d(
        glow::TEXTURE_RECTANGLE,
        0,
        internal,
        2,
        2,
        0,
        rgba,
        byte,
        data(),
    );
    sampler(gl, "sampler2DRect", "vec2(1.5, 0.5)");
    expect(GREEN8, "rectangle");
    bound(gl, glow::TEXTURE_CUBE_MAP);
    let faces = [
        RED8,
        GREEN8,
        BLUE8,
        WHITE8,
        [51, 0, 0, 255],
        [0, 51, 0, 255],
    ];
    for (face, texel) in (0..).zip(faces) {
        let texel = glow::PixelUnpackData::Slice(Some(&texel));
        let target = glow::TEXTURE_CUBE_MAP_POSITIVE_X + face;
        gl.tex_image_2d(target, 0, internal, 1, 1, 0, rgba, byte, texel);
    }
    let axes = ["1,0,0", "-1,0,0", "0,1,0", "0,-1,0", "0,0,1", "0,0,-1"];
    for (axis, wanted) in axes.into_iter().zip(faces) {
        sampler(gl, "samplerCube", &format!("vec3({axis})"));
        expect(wanted, &format!("cube map, ({axis})"));
    }
    let texture = gl.create_texture().expect("glGenTextures");
    let buffer = gl.buffer(
        glow::TEXTURE_BUFFER,
        &bytes_of(&[RED, GREEN, BLUE].concat()),
    );
    gl.bind_texture(glow::TEXTURE_BUFFER, Some(texture));
    gl.tex_buffer(glow::TEXTURE_BUFFER, glow::RGBA32F, Some(buffer));
    sampler(gl, "samplerBuffer", "2");
    expect(BLUE8, "buffer");
    gl.no_error("targets");
}

/// Rule: what a format lacks is 0, and alpha 1; swizzles choose among what there is (GL 4.6 core §15.2.1, table 15.1).
/// Broken: three components that were stored as four had whatever the fourth held.
pub unsafe fn formats(gl: &Gl) {
    gl.target(8, 8);
    gl.vertex_array();
    sampler(gl, "sampler2D", "vec2(0.5)");
    let (byte, float) = (glow::UNSIGNED_BYTE, glow::FLOAT);
    let half = bytes_of(&[0.2f32, 0.4, 0.6, 0.8]);
    let quarters = [51u8, 102, 153, 204];
    for (internal, format, ty, texel, wanted) in [
        (
            glow::RGB8,
            glow::RGB,
            byte,
            &quarters[..],
            [51, 102, 153, 255],
        ),
        (glow::RGB8, glow::BGR, byte, &quarters, [153, 102, 51, 255]),
        (
            glow::RGBA8,
            glow::BGRA,
            byte,
            &quarters,
            [153, 102, 51, 204],
        ),
        (glow::RG8, glow::RG, byte, &quarters, [51, 102, 0, 255]),
        (glow::R8, glow::RED, byte, &quarters, [51, 0, 0, 255]),
        (glow::RGB16F, glow::RGB, float, &half, [51, 102, 153, 255]),
        (glow::RGB32F, glow::RGB, float, &half, [51, 102, 153, 255]),
        (glow::R16F, glow::RED, float, &half, [51, 0, 0, 255]),
        (glow::RGBA16, glow::RGBA, float, &half, [51, 102, 153, 204]),
        (glow::RGB16, glow::RGB, float, &half, [51, 102, 153, 255]),
    ] {
        let texture = bound(gl, glow::TEXTURE_2D);
        // One texel: rows need no padding.
        gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 1);
        let data = glow::PixelUnpackData::Slice(Some(texel));
        gl.tex_image_2d(
            glow::TEXTURE_2D,
            0,
            internal as i32,
            1,
            1,
            0,
            format,
            ty,
            data,
        );
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(4, 4, wanted, &format!("{internal:#x} from {format:#x}"));
        gl.tex_parameter_i32(
            glow::TEXTURE_2D,
            glow::TEXTURE_SWIZZLE_R,
            glow::ALPHA as i32,
        );
        gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_SWIZZLE_G, glow::RED as i32);
        gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_SWIZZLE_B, glow::ONE as i32);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        let wanted = [wanted[3], wanted[0], 255, wanted[3]];
        gl.expect(4, 4, wanted, &format!("{internal:#x} swizzled"));
        gl.delete_texture(texture);
    }
    // Drawn to: the alpha that there is not counts as 1 in blending and reads back as 1.
    let texture = gl.create_texture().expect("glGenTextures");
    gl.bind_texture(glow::TEXTURE_2D, Some(texture));
    let none = glow::PixelUnpackData::Slice(None);
    gl.tex_image_2d(
        glow::TEXTURE_2D,
        0,
        glow::RGB8 as i32,
        8,
        8,
        0,
        glow::RGB,
        byte,
        none,
    );
    gl.framebuffer_texture_2d(
        glow::FRAMEBUFFER,
        glow::COLOR_ATTACHMENT0,
        glow::TEXTURE_2D,
        Some(texture),
        0,
    );
    gl.clear_color(0.0, 0.0, 0.0, 0.0);
    gl.clear(glow::COLOR_BUFFER_BIT);
    let painter = Painter::new(gl);
    gl.enable(glow::BLEND);
    gl.blend_func(glow::DST_ALPHA, glow::ZERO);
    painter.fill(gl, WHOLE, [0.2, 0.4, 0.6, 0.0]);
    gl.disable(glow::BLEND);
    gl.expect(4, 4, [51, 102, 153, 255], "an attachment without alpha");
    gl.no_error("formats");
}

/// Rule: packed and swapped vertex formats are fetched as their components (GL 4.6 core §10.3.8).
/// Broken: blue and red changed places, signed components lost their sign.
pub unsafe fn vertex_formats(gl: &Gl) {
    gl.target(8, 8);
    let program = gl.program(
        "#version 330 core
        layout(location = 1) in vec4 color; out vec4 c;
        void main() {
            c = color;
            gl_Position = vec4(float((gl_VertexID & 1) * 4) - 1.0, float((gl_VertexID & 2) * 2) - 1.0, 0.0, 1.0);
        }",
        "#version 330 core
        in vec4 c; out vec4 o; void main() { o = abs(c); }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    gl.enable_vertex_attrib_array(1);
    const INT_2_10_10_10_REV: u32 = 0x8D9F;
    const BGRA: i32 = 0x80E1;
    let packed = |r: u32, g: u32, b: u32, a: u32| bytes_of(&[r | g << 10 | b << 20 | a << 30]);
    let rows = [
        (
            BGRA,
            glow::UNSIGNED_BYTE,
            true,
            vec![153, 102, 51, 255],
            [51, 102, 153, 255],
        ),
        (
            4,
            glow::UNSIGNED_INT_2_10_10_10_REV,
            true,
            packed(1023, 0, 1023, 3),
            [255, 0, 255, 255],
        ),
        // -511 and 511 of 10 bits, 1 of 2: -1, 1, 1 (§2.3.5).
        (
            4,
            INT_2_10_10_10_REV,
            true,
            packed(0x201, 0x1FF, 0, 1),
            [255, 255, 0, 255],
        ),
        (
            3,
            glow::BYTE,
            true,
            vec![0x81, 0, 127, 0],
            [255, 0, 255, 255],
        ),
        (
            3,
            glow::UNSIGNED_SHORT,
            true,
            bytes_of(&[0xFFFFu16, 0, 0xFFFF, 0]),
            [255, 0, 255, 255],
        ),
        (
            2,
            glow::SHORT,
            false,
            bytes_of(&[0i32 as u16, 1]),
            [0, 255, 0, 255],
        ),
        (
            4,
            glow::HALF_FLOAT,
            false,
            bytes_of(&[0x3C00u16, 0, 0x3C00, 0x3C00]),
            [255, 0, 255, 255],
        ),
        (
            2,
            glow::INT,
            true,
            bytes_of(&[i32::MAX, 0]),
            [255, 0, 0, 255],
        ),
        (
            2,
            glow::UNSIGNED_INT,
            false,
            bytes_of(&[0u32, 1]),
            [0, 255, 0, 255],
        ),
    ];
    for (size, ty, normalized, vertex, wanted) in rows {
        gl.buffer(glow::ARRAY_BUFFER, &vertex.repeat(3));
        gl.raw.glVertexAttribPointer(
            1,
            size,
            ty,
            normalized.into(),
            vertex.len() as i32,
            std::ptr::null(),
        );
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(4, 4, wanted, &format!("{size:#x} of {ty:#x}"));
    }
    gl.no_error("vertex formats");
}
