//! Framebuffers: draw buffers, attachments, blits. Texture formats are no subject here.

use glow::HasContext;

use crate::gl::{Gl, SURFACE_SIZE};
use crate::paint::*;

/// Rule: entry i of `glDrawBuffers` may name any attachment or NONE, and belongs to the framebuffer (GL 4.6 core §17.4.1).
/// Broken: a first entry other than attachment 0 was INVALID_OPERATION on ES, so deferred passes drew nothing.
/// Public report: <https://github.com/KhronosGroup/OpenGL-API/issues/98>
pub unsafe fn draw_buffers_permutation(gl: &Gl) {
    let plain = gl.target(16, 16);
    let target = gl.target(16, 16);
    let second = gl.texture_rgba8(16, 16, None);
    gl.framebuffer_texture_2d(
        glow::FRAMEBUFFER,
        glow::COLOR_ATTACHMENT1,
        glow::TEXTURE_2D,
        Some(second),
        0,
    );
    let program = gl.program(
        TRI,
        "#version 330 core
        layout(location = 0) out vec4 a; layout(location = 1) out vec4 b;
        void main() { a = vec4(0.2, 0.0, 0.0, 1.0); b = vec4(0.0, 0.4, 0.0, 1.0); }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    let (ca0, ca1, none) = (glow::COLOR_ATTACHMENT0, glow::COLOR_ATTACHMENT1, glow::NONE);
    let (out0, out1) = ([51, 0, 0, 255], [0, 102, 0, 255]);
    for (buffers, wanted) in [
        ([ca1, none], [NOTHING8, out0]),
        ([ca1, ca0], [out1, out0]),
        ([none, ca0], [out1, NOTHING8]),
        ([ca0, ca1], [out0, out1]),
        ([none, none], [NOTHING8, NOTHING8]),
    ] {
        gl.draw_buffers(&[ca0, ca1]);
        gl.clear(glow::COLOR_BUFFER_BIT);
        gl.draw_buffers(&buffers);
        assert_eq!(
            gl.check_framebuffer_status(glow::FRAMEBUFFER),
            glow::FRAMEBUFFER_COMPLETE
        );
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.no_error("a draw");
        for (i, wanted) in wanted.into_iter().enumerate() {
            gl.read_buffer(ca0 + i as u32);
            gl.expect(8, 8, wanted, &format!("{buffers:#x?}, attachment {i}"));
        }
    }
    // A clear goes through the same table.
    gl.draw_buffers(&[none, ca0]);
    gl.clear_buffer_f32_slice(glow::COLOR, 1, &[0.0, 0.0, 1.0, 1.0]);
    gl.read_buffer(ca0);
    gl.expect(8, 8, BLUE8, "glClearBufferfv of draw buffer 1");
    gl.draw_buffers(&[ca1]);
    assert_eq!(gl.get_parameter_i32(glow::DRAW_BUFFER0), ca1 as i32);
    gl.draw_buffers(&[ca0, ca0]);
    gl.error(glow::INVALID_OPERATION, "an attachment twice");
    assert_eq!(gl.get_parameter_i32(glow::DRAW_BUFFER0), ca1 as i32);
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(plain.framebuffer));
    assert_eq!(gl.get_parameter_i32(glow::DRAW_BUFFER0), ca0 as i32);
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(target.framebuffer));
    assert_eq!(gl.get_parameter_i32(glow::DRAW_BUFFER0), ca1 as i32);
}

/// Rule: NONE is legal for drawing and for reading (GL 4.6 core §17.4.1, §18.2.1); reading colour then is INVALID_OPERATION, reading
/// depth is not.
/// Broken: the shadow pass was incomplete, or `glReadBuffer(GL_NONE)` an error.
/// Public report: <https://github.com/openscenegraph/OpenSceneGraph/pull/1094>
pub unsafe fn depth_only_fbo(gl: &Gl) {
    let texture = gl.create_texture().expect("glGenTextures");
    gl.bind_texture(glow::TEXTURE_2D, Some(texture));
    gl.tex_image_2d(
        glow::TEXTURE_2D,
        0,
        glow::DEPTH_COMPONENT24 as i32,
        16,
        16,
        0,
        glow::DEPTH_COMPONENT,
        glow::UNSIGNED_INT,
        glow::PixelUnpackData::Slice(None),
    );
    gl.nearest();
    let framebuffer = gl.create_framebuffer().expect("glGenFramebuffers");
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
    gl.framebuffer_texture_2d(
        glow::FRAMEBUFFER,
        glow::DEPTH_ATTACHMENT,
        glow::TEXTURE_2D,
        Some(texture),
        0,
    );
    gl.draw_buffer(glow::NONE);
    gl.read_buffer(glow::NONE);
    assert_eq!(
        gl.check_framebuffer_status(glow::FRAMEBUFFER),
        glow::FRAMEBUFFER_COMPLETE
    );
    gl.viewport(0, 0, 16, 16);
    let program = gl.program(
        "#version 330 core
        uniform float z;
        void main() {
            vec2 c = vec2(float((gl_VertexID & 1) * 4) - 1.0, float((gl_VertexID & 2) * 2) - 1.0);
            gl_Position = vec4(c, z, 1.0);
        }",
        "#version 330 core
        void main() {}",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    let z = gl.get_uniform_location(program, "z");
    gl.enable(glow::DEPTH_TEST);
    gl.depth_func(glow::ALWAYS);
    gl.clear_depth_f32(1.0);
    gl.clear(glow::DEPTH_BUFFER_BIT);
    for (depth, wanted) in [(-0.5, 0.25), (0.5, 0.75), (0.0, 0.5)] {
        gl.uniform_1_f32(z.as_ref(), depth);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        let mut bytes = [0; 4];
        gl.read(2, 2, 1, 1, glow::DEPTH_COMPONENT, glow::FLOAT, &mut bytes);
        let seen = f32::from_ne_bytes(bytes);
        // A 24-bit depth buffer holds 0.25 to within 2^-24.
        assert!(
            !gl.lane().draws() || (seen - wanted).abs() <= 1.0 / 16_777_215.0,
            "depth {seen} instead of {wanted}"
        );
    }
    gl.no_error("up to the reading of depth");
    let mut nines = [9; 4];
    gl.read(2, 2, 1, 1, glow::RGBA, glow::UNSIGNED_BYTE, &mut nines);
    gl.error(glow::INVALID_OPERATION, "colour from no read buffer");
    assert_eq!(nines, [9; 4]);
    assert_eq!(gl.get_parameter_i32(glow::READ_BUFFER), glow::NONE as i32);
    // The shadow map is used: compared with 0.4 and 0.6 it is 0.5 away from both.
    let target = gl.target(8, 8);
    gl.disable(glow::DEPTH_TEST);
    let shadow = gl.program(
        TRI,
        "#version 330 core
        uniform sampler2D t; out vec4 o; void main() { o = vec4(texture(t, vec2(0.5)).r, 0.0, 0.0, 1.0); }",
    );
    gl.bind_texture(glow::TEXTURE_2D, Some(texture));
    gl.use_program(Some(shadow));
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    let seen = gl.pixel(4, 4);
    assert!(
        !gl.lane().draws() || matches!(seen[0], 127 | 128),
        "the depth texture reads {seen:?}"
    );
    let _ = target;
}

/// Rule: a blit within one image is drawn where the rectangles do not overlap (GL 4.6 core §18.3.1: only overlaps are undefined).
/// Broken: on OpenGL ES, which refuses one image as source and destination, nothing was drawn, in silence.
pub unsafe fn blit_within_one_framebuffer(gl: &Gl) {
    gl.target(16, 8);
    gl.enable(glow::SCISSOR_TEST);
    for (x, color) in [(0, RED), (4, GREEN), (8, BLUE), (12, WHITE)] {
        gl.scissor(x, 0, 4, 8);
        gl.clear_color(color[0], color[1], color[2], color[3]);
        gl.clear(glow::COLOR_BUFFER_BIT);
    }
    gl.disable(glow::SCISSOR_TEST);
    let blit = |gl: &Gl, from: [i32; 4], to: [i32; 4]| {
        let ([a, b, c, d], [e, f, g, h]) = (from, to);
        gl.blit_framebuffer(
            a,
            b,
            c,
            d,
            e,
            f,
            g,
            h,
            glow::COLOR_BUFFER_BIT,
            glow::NEAREST,
        );
        gl.no_error("a blit within one framebuffer");
    };
    blit(gl, [0, 0, 4, 4], [8, 0, 12, 4]);
    gl.expect(9, 1, RED8, "red over blue");
    gl.expect(9, 5, BLUE8, "outside of the rectangle");
    // Its result is the next one's source, mirrored and scaled.
    blit(gl, [8, 0, 12, 8], [8, 8, 0, 0]);
    gl.expect(1, 6, RED8, "mirrored: below is above");
    gl.expect(7, 1, BLUE8, "mirrored: above is below");
    // The scissor cuts the destination alone.
    gl.enable(glow::SCISSOR_TEST);
    gl.scissor(0, 0, 2, 8);
    blit(gl, [12, 0, 16, 8], [0, 0, 4, 8]);
    gl.disable(glow::SCISSOR_TEST);
    gl.expect(1, 1, WHITE8, "inside of the scissor");
    gl.expect(3, 1, BLUE8, "outside of the scissor");
}

/// Rule: a blit decodes what is sRGB and encodes to what is sRGB where GL_FRAMEBUFFER_SRGB is on, else it moves what is stored (GL 4.6 core
/// §18.3.1 and §17.3.7).
/// Broken: Vulkan's transfers convert when they scale and never when they copy.
pub unsafe fn blits_and_encodings(gl: &Gl) {
    let image = |format: u32, size: i32, level: u8| {
        let target = gl.target(size, size);
        let texels = vec![level; (size * size * 4) as usize];
        gl.tex_image_2d(
            glow::TEXTURE_2D,
            0,
            format as i32,
            size,
            size,
            0,
            glow::RGBA,
            glow::UNSIGNED_BYTE,
            glow::PixelUnpackData::Slice(Some(&texels)),
        );
        target.framebuffer
    };
    let (plain, encoded) = (glow::RGBA8, glow::SRGB8_ALPHA8);
    // Of 128: the encoded value by equation 17.1, the decoded one by equation 8.17.
    for (from, to, converted) in [
        (plain, plain, 128),
        (plain, encoded, 188),
        (encoded, plain, 55),
        (encoded, encoded, 128),
    ] {
        for (size, what) in [(4, "copied"), (8, "scaled")] {
            for on in [false, true] {
                let (source, destination) = (image(from, 4, 128), image(to, 8, 0));
                gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(source));
                if on {
                    gl.enable(glow::FRAMEBUFFER_SRGB);
                }
                let (mask, filter) = (glow::COLOR_BUFFER_BIT, glow::LINEAR);
                gl.blit_framebuffer(0, 0, 4, 4, 0, 0, size, size, mask, filter);
                gl.disable(glow::FRAMEBUFFER_SRGB);
                gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(destination));
                let seen = if on { converted } else { 128 };
                let what = format!("{from:#x} {what} to {to:#x}, conversion: {on}");
                gl.expect(size - 1, size - 1, [seen, seen, seen, 128], &what);
                if size < 8 {
                    gl.expect(size, size, NOTHING8, &format!("outside, {what}"));
                }
            }
        }
    }
    gl.no_error("blits and encodings");
}

/// Rule: `glBlitFramebuffer` copies, mirrors, scales and clips colour, depth and stencil (GL 4.6 core §18.3.1).
/// Broken: a flipped rectangle was drawn unflipped, or the window-system framebuffer came upside down.
pub unsafe fn blit_matrix(gl: &Gl) {
    let source = gl.target(4, 4);
    gl.enable(glow::SCISSOR_TEST);
    for (x, y, color) in [(0, 0, RED), (2, 0, GREEN), (0, 2, BLUE), (2, 2, WHITE)] {
        gl.scissor(x, y, 2, 2);
        gl.clear_color(color[0], color[1], color[2], color[3]);
        gl.clear(glow::COLOR_BUFFER_BIT);
    }
    gl.disable(glow::SCISSOR_TEST);
    gl.clear_color(0.0, 0.0, 0.0, 0.0);
    let target = gl.target(8, 8);
    for to_default in [false, true] {
        let (destination, size) = match to_default {
            false => (Some(target.framebuffer), 8),
            true => (None, SURFACE_SIZE),
        };
        let check =
            |gl: &Gl, from: [i32; 4], to: [i32; 4], wanted: &[(i32, i32, [u8; 4])], what: &str| {
                gl.bind_framebuffer(glow::FRAMEBUFFER, destination);
                gl.clear(glow::COLOR_BUFFER_BIT);
                gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(source.framebuffer));
                let [x0, y0, x1, y1] = from;
                let [u0, v0, u1, v1] = to;
                gl.blit_framebuffer(
                    x0,
                    y0,
                    x1,
                    y1,
                    u0,
                    v0,
                    u1,
                    v1,
                    glow::COLOR_BUFFER_BIT,
                    glow::NEAREST,
                );
                gl.no_error(what);
                gl.bind_framebuffer(glow::READ_FRAMEBUFFER, destination);
                for (x, y, color) in wanted {
                    gl.expect(
                        *x,
                        *y,
                        *color,
                        &format!("{what}, to the default framebuffer: {to_default}"),
                    );
                }
            };
        let empty = (size - 1, size - 1, NOTHING8);
        let whole = [0, 0, 4, 4];
        check(
            gl,
            whole,
            [0, 0, 4, 4],
            &[
                (0, 0, RED8),
                (3, 0, GREEN8),
                (0, 3, BLUE8),
                (3, 3, WHITE8),
                (4, 4, NOTHING8),
                empty,
            ],
            "copied",
        );
        check(
            gl,
            whole,
            [1, 2, 5, 6],
            &[
                (0, 2, NOTHING8),
                (1, 2, RED8),
                (4, 2, GREEN8),
                (1, 5, BLUE8),
                (4, 5, WHITE8),
                (1, 1, NOTHING8),
            ],
            "moved",
        );
        check(
            gl,
            whole,
            [4, 0, 0, 4],
            &[(0, 0, GREEN8), (3, 0, RED8), (0, 3, WHITE8), (3, 3, BLUE8)],
            "mirrored in x",
        );
        check(
            gl,
            whole,
            [0, 4, 4, 0],
            &[(0, 0, BLUE8), (3, 0, WHITE8), (0, 3, RED8), (3, 3, GREEN8)],
            "mirrored in y",
        );
        check(
            gl,
            [4, 4, 0, 0],
            [0, 0, 4, 4],
            &[(0, 0, WHITE8), (3, 0, BLUE8), (0, 3, GREEN8), (3, 3, RED8)],
            "mirrored in both",
        );
        check(
            gl,
            whole,
            [0, 0, 8, 8],
            &[
                (3, 3, RED8),
                (4, 3, GREEN8),
                (3, 4, BLUE8),
                (4, 4, WHITE8),
                (7, 7, WHITE8),
            ],
            "scaled up",
        );
        check(
            gl,
            [2, 0, 4, 2],
            [0, 0, 4, 4],
            &[(0, 0, GREEN8), (3, 3, GREEN8), (4, 4, NOTHING8)],
            "a part",
        );
        check(
            gl,
            whole,
            [-2, -2, 2, 2],
            &[(0, 0, WHITE8), (1, 1, WHITE8), (2, 2, NOTHING8)],
            "clipped by the target",
        );
    }
    // The scissor limits a blit, the colour mask does not.
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(target.framebuffer));
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(source.framebuffer));
    gl.enable(glow::SCISSOR_TEST);
    gl.scissor(0, 0, 2, 4);
    gl.color_mask(false, false, false, false);
    gl.blit_framebuffer(
        0,
        0,
        4,
        4,
        0,
        0,
        4,
        4,
        glow::COLOR_BUFFER_BIT,
        glow::NEAREST,
    );
    gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(target.framebuffer));
    gl.expect(1, 1, RED8, "inside the scissor, unmasked");
    gl.expect(2, 1, NOTHING8, "outside the scissor");
    gl.color_mask(true, true, true, true);
    gl.disable(glow::SCISSOR_TEST);
    gl.blit_framebuffer(0, 0, 4, 4, 0, 0, 4, 4, glow::DEPTH_BUFFER_BIT, glow::LINEAR);
    gl.error(glow::INVALID_OPERATION, "depth with LINEAR");
}

/// Rule: what is attached may change between draws; a level or another texture is drawn to from then on (GL 4.6 core §9.2.8).
/// Broken: a cached framebuffer of the backend still had the old attachment.
pub unsafe fn attachment_changes_between_draws(gl: &Gl) {
    let target = gl.target(8, 8);
    let painter = Painter::new(gl);
    let textures = [
        target.texture,
        gl.texture_rgba8(8, 8, None),
        gl.texture_rgba8(8, 8, None),
    ];
    for (texture, color) in textures.into_iter().zip([RED, GREEN, BLUE]) {
        gl.framebuffer_texture_2d(
            glow::FRAMEBUFFER,
            glow::COLOR_ATTACHMENT0,
            glow::TEXTURE_2D,
            Some(texture),
            0,
        );
        painter.fill(gl, WHOLE, color);
    }
    for (texture, wanted) in textures.into_iter().zip([RED8, GREEN8, BLUE8]) {
        gl.framebuffer_texture_2d(
            glow::FRAMEBUFFER,
            glow::COLOR_ATTACHMENT0,
            glow::TEXTURE_2D,
            Some(texture),
            0,
        );
        gl.expect(4, 4, wanted, "each texture has its own colour");
    }
    // Storage of another size under the same name, while attached.
    gl.bind_texture(glow::TEXTURE_2D, Some(textures[2]));
    let null = glow::PixelUnpackData::Slice(None);
    gl.tex_image_2d(
        glow::TEXTURE_2D,
        0,
        glow::RGBA8 as i32,
        16,
        16,
        0,
        glow::RGBA,
        glow::UNSIGNED_BYTE,
        null,
    );
    gl.viewport(0, 0, 16, 16);
    painter.fill(gl, WHOLE, WHITE);
    gl.expect(15, 15, WHITE8, "the new storage is larger");
    // No attachment at all is incomplete; drawing is an error and has no effect.
    gl.framebuffer_texture_2d(
        glow::FRAMEBUFFER,
        glow::COLOR_ATTACHMENT0,
        glow::TEXTURE_2D,
        None,
        0,
    );
    // The draw comes before the question: it must find out by itself.
    gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
    gl.error(
        glow::INVALID_FRAMEBUFFER_OPERATION,
        "a draw to an incomplete framebuffer",
    );
    assert_eq!(
        gl.check_framebuffer_status(glow::FRAMEBUFFER),
        glow::FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT
    );
}
