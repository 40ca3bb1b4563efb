//! What every program does first: clear, draw, read back, in order and the right way up. No state is its subject.

use glow::HasContext;

use crate::gl::{Gl, SURFACE_SIZE, bytes_of};
use crate::paint::*;

/// Rule: a triangle covers the pixels whose centres lie inside (GL 4.6 core §14.6.1), attributes are interpolated, the rest stays.
/// Broken: nothing at all was drawn, or everything was.
pub unsafe fn triangle(gl: &Gl) {
    gl.target(16, 16);
    let program = gl.program(
        "#version 330 core
        layout(location = 0) in vec2 at; layout(location = 1) in vec3 color; out vec3 c;
        void main() { c = color; gl_Position = vec4(at, 0.0, 1.0); }",
        "#version 330 core
        in vec3 c; out vec4 o; void main() { o = vec4(c, 1.0); }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    // The lower left half.
    gl.attribute(0, 2, &[-1.0, -1.0, 1.0, -1.0, -1.0, 1.0]);
    gl.attribute(1, 3, &[1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(2, 2, RED8, "inside");
    gl.expect(13, 13, NOTHING8, "outside");
    gl.expect(13, 1, RED8, "the right corner");
    gl.expect(1, 13, RED8, "the upper corner");
    // A second colour set: constant blue along the whole triangle.
    gl.attribute(1, 3, &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(2, 2, BLUE8, "the second draw");
    // And one that runs from black at the left to full green at the right edge: 0.5 at the middle.
    gl.attribute(0, 2, &[-1.0, -1.0, 3.0, -1.0, -1.0, 3.0]);
    gl.attribute(1, 3, &[0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0]);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    // The centre of column n is (n + 0.5) / 16 of the way.
    gl.expect(0, 8, [0, 8, 0, 255], "interpolated, left");
    gl.expect(8, 8, [0, 135, 0, 255], "interpolated, middle");
}

/// Rule: `glClear` fills with the clear value, masked and scissored (GL 4.6 core §17.4.3), and a read sees it without a flush.
/// Broken: the read came before the clear, or gave what the memory held.
pub unsafe fn clear_then_read_pixels(gl: &Gl) {
    gl.target(8, 8);
    for (color, wanted) in [
        (RED, RED8),
        (BLUE, BLUE8),
        ([0.2, 0.4, 0.6, 0.8], [51, 102, 153, 204]),
    ] {
        gl.clear_color(color[0], color[1], color[2], color[3]);
        gl.clear(glow::COLOR_BUFFER_BIT);
        gl.expect(3, 3, wanted, "cleared");
        gl.expect(7, 7, wanted, "cleared to the corner");
    }
    gl.enable(glow::SCISSOR_TEST);
    gl.scissor(2, 2, 3, 3);
    gl.clear_color(0.0, 1.0, 0.0, 1.0);
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.expect(4, 4, GREEN8, "inside the scissor");
    gl.expect(5, 4, [51, 102, 153, 204], "right of the scissor");
    gl.expect(4, 1, [51, 102, 153, 204], "below the scissor");
    gl.disable(glow::SCISSOR_TEST);
    gl.color_mask(true, false, false, true);
    gl.clear_color(1.0, 1.0, 1.0, 1.0);
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.expect(4, 4, [255, 255, 0, 255], "only red and alpha are written");
}

/// Rule: commands take effect in order (GL 4.6 core §2.1): a clear covers earlier draws and not later ones.
/// Broken: clears were moved to the front of the pass.
pub unsafe fn clear_order(gl: &Gl) {
    gl.target(8, 8);
    let painter = Painter::new(gl);
    painter.fill(gl, LEFT, RED);
    gl.clear_color(0.0, 0.0, 1.0, 1.0);
    gl.clear(glow::COLOR_BUFFER_BIT);
    painter.fill(gl, RIGHT, GREEN);
    gl.expect(1, 4, BLUE8, "the clear covers the earlier draw");
    gl.expect(6, 4, GREEN8, "the later draw covers the clear");
    // A clear that is not the last word: draw, clear a part, draw a part of that.
    gl.enable(glow::SCISSOR_TEST);
    gl.scissor(0, 0, 8, 4);
    gl.clear_color(1.0, 1.0, 1.0, 1.0);
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.scissor(0, 0, 4, 2);
    painter.fill(gl, WHOLE, RED);
    gl.expect(1, 1, RED8, "the draw in the scissor");
    gl.expect(6, 1, WHITE8, "the clear beside it");
    gl.expect(1, 6, BLUE8, "above both, left");
    gl.expect(6, 6, GREEN8, "above both, right");
}

/// Rule: `glClearBuffer*` clears one draw buffer or depth alone, in the middle of a pass (GL 4.6 core §17.4.3.1).
/// Broken: the clear of depth also reset colour, or was dropped because the pass had begun.
pub unsafe fn in_pass_clear(gl: &Gl) {
    gl.target(8, 8);
    gl.add_depth_stencil(8, 8);
    let painter = Painter::new(gl);
    gl.clear_depth_f32(1.0);
    gl.clear(glow::DEPTH_BUFFER_BIT);
    gl.enable(glow::DEPTH_TEST);
    painter.fill_at(gl, WHOLE, RED, -0.5);
    painter.fill_at(gl, WHOLE, GREEN, 0.0);
    gl.expect(4, 4, RED8, "behind");
    gl.clear_buffer_f32_slice(glow::DEPTH, 0, &[1.0]);
    painter.fill_at(gl, LEFT, GREEN, 0.0);
    gl.expect(1, 4, GREEN8, "in front after depth was cleared");
    gl.expect(6, 4, RED8, "colour survives the clear of depth");
    gl.clear_buffer_f32_slice(glow::COLOR, 0, &[0.0, 0.0, 1.0, 1.0]);
    painter.fill_at(gl, WHOLE, WHITE, 0.5);
    gl.expect(1, 4, BLUE8, "depth survives the clear of colour");
    gl.expect(
        6,
        4,
        WHITE8,
        "depth 1 was not written by the clear of colour",
    );
}

/// Rule: a pass that reads a texture sees what earlier passes drew into it (GL 4.6 core §9.3).
/// Broken: passes ran in another order, or the texture was sampled from a stale copy.
pub unsafe fn pass_order(gl: &Gl) {
    let first = gl.target(4, 4);
    let second = gl.target(4, 4);
    let painter = Painter::new(gl);
    let copy = gl.program(
        TRI,
        "#version 330 core
        uniform sampler2D t; out vec4 o; void main() { o = texelFetch(t, ivec2(gl_FragCoord.xy), 0); }",
    );
    for (color, wanted) in [(RED, RED8), (GREEN, GREEN8), (BLUE, BLUE8)] {
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(first.framebuffer));
        gl.use_program(Some(painter.program));
        painter.fill(gl, LEFT, color);
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(second.framebuffer));
        gl.bind_texture(glow::TEXTURE_2D, Some(first.texture));
        gl.use_program(Some(copy));
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(0, 2, wanted, "the second pass reads the first");
        gl.expect(3, 2, NOTHING8, "and what it left alone");
    }
}

/// Rule: window coordinates start at the lower left (GL 4.6 core §13.8.1), a texture's first row is its lowest (§8.5.3), and
/// `glReadPixels` gives the lowest row first (§18.2).
/// Broken: pictures stood on their head, had red and blue exchanged, or were moved by a pixel.
pub unsafe fn orientation(gl: &Gl) {
    // Four columns, three rows, all twelve texels different in every channel.
    let texels: Vec<u8> = (0..12u8)
        .flat_map(|i| [i * 20, 255 - i * 20, i * 7, 255 - i])
        .collect();
    let program = gl.program(
        "#version 330 core
        out vec2 uv;
        void main() {
            vec2 c = vec2(float((gl_VertexID & 1) * 4) - 1.0, float((gl_VertexID & 2) * 2) - 1.0);
            uv = c * 0.5 + 0.5; gl_Position = vec4(c, 0.0, 1.0);
        }",
        "#version 330 core
        uniform sampler2D t; in vec2 uv; out vec4 o; void main() { o = texture(t, uv); }",
    );
    gl.target(4, 3);
    gl.texture_rgba8(4, 3, Some(&texels));
    gl.use_program(Some(program));
    gl.vertex_array();
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    let picture = gl.picture(4, 3);
    if gl.lane().draws() {
        assert_eq!(picture, texels, "through a framebuffer object");
    }
    // The same through the window-system framebuffer, which Vulkan has the other way up.
    gl.bind_framebuffer(glow::FRAMEBUFFER, None);
    gl.viewport(0, 0, 4, 3);
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    let picture = gl.picture(4, 3);
    if gl.lane().draws() {
        assert_eq!(picture, texels, "through the default framebuffer");
    }
    // The scissor counts from below, too.
    gl.enable(glow::SCISSOR_TEST);
    gl.scissor(1, 0, 2, 1);
    gl.clear_color(1.0, 1.0, 1.0, 1.0);
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.expect(1, 0, WHITE8, "scissored clear, lowest row");
    let row_1: [u8; 4] = texels[5 * 4..6 * 4].try_into().expect("a texel");
    gl.expect(1, 1, row_1, "the row above");
}

/// Draws `program` into a framebuffer object and the default framebuffer; gives a pixel of each, and the height.
unsafe fn in_both_framebuffers(gl: &Gl, fragment: &str, check: impl Fn(i32)) {
    let program = gl.program(TRI, fragment);
    gl.use_program(Some(program));
    gl.vertex_array();
    gl.target(16, 16);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    check(16);
    gl.bind_framebuffer(glow::FRAMEBUFFER, None);
    gl.viewport(0, 0, SURFACE_SIZE, SURFACE_SIZE);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    check(SURFACE_SIZE);
}

/// Rule: `gl_FragCoord` has its origin at the lower left and pixel centres at .5 (GLSL 4.60 §7.1).
/// Broken: y ran downwards in one kind of framebuffer.
pub unsafe fn frag_coord_origin(gl: &Gl) {
    let fragment = "#version 330 core
        out vec4 o; void main() { o = vec4(gl_FragCoord.xy / 255.0, 0.0, 1.0); }";
    in_both_framebuffers(gl, fragment, |_| {
        for (x, y) in [(2, 3), (12, 9)] {
            // n + 0.5 over 255 lies between two steps: either is the nearest.
            let seen = gl.pixel(x, y);
            let near = |seen: u8, n: i32| i32::from(seen) == n || i32::from(seen) == n + 1;
            assert!(
                near(seen[0], x) && near(seen[1], y),
                "({x}, {y}) is {seen:?}"
            );
        }
    });
}

/// Rule: a redeclaration of `gl_FragCoord` may move the origin to the upper left and pixel centres to whole numbers
/// (GLSL 4.60 §4.4.1.3).
/// Broken: the redeclaration was refused, or ignored.
pub unsafe fn frag_coord_conventions(gl: &Gl) {
    let fragment = "#version 330 core
        layout(origin_upper_left, pixel_center_integer) in vec4 gl_FragCoord;
        out vec4 o; void main() { o = vec4(gl_FragCoord.xy / 255.0, 0.0, 1.0); }";
    in_both_framebuffers(gl, fragment, |height| {
        let wanted = [2, (height - 1 - 3) as u8, 0, 255];
        gl.expect(2, 3, wanted, "upper left, whole numbers");
    });
}

/// Rule: the first viewport and scissor of a context are those of the first surface that it is made current with
/// (EGL 1.5 §3.7.3); later surfaces change neither.
/// Broken: the scissor was empty, or followed every surface.
pub unsafe fn default_scissor_follows_surface(gl: &Gl) {
    let mut rect = [0; 4];
    for name in [glow::VIEWPORT, glow::SCISSOR_BOX] {
        gl.get_parameter_i32_slice(name, &mut rect);
        assert_eq!(rect, [0, 0, SURFACE_SIZE, SURFACE_SIZE], "{name:#x}");
    }
    gl.enable(glow::SCISSOR_TEST);
    gl.clear_color(1.0, 0.0, 0.0, 1.0);
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.expect(
        SURFACE_SIZE - 1,
        SURFACE_SIZE - 1,
        RED8,
        "the last pixel lies in the first scissor",
    );
    let larger = gl.display.create_pbuffer(96, 80);
    gl.egl()
        .make_current(
            gl.display.display,
            Some(larger),
            Some(larger),
            Some(gl.context),
        )
        .expect("a second surface");
    gl.get_parameter_i32_slice(glow::SCISSOR_BOX, &mut rect);
    assert_eq!(
        rect,
        [0, 0, SURFACE_SIZE, SURFACE_SIZE],
        "kept on the second surface"
    );
    gl.clear_color(0.0, 1.0, 0.0, 1.0);
    gl.disable(glow::SCISSOR_TEST);
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.enable(glow::SCISSOR_TEST);
    gl.clear_color(0.0, 0.0, 1.0, 1.0);
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.expect(10, 10, BLUE8, "inside the kept scissor");
    gl.expect(90, 70, GREEN8, "the new surface is larger than the scissor");
    gl.make_current();
    gl.egl()
        .destroy_surface(gl.display.display, larger)
        .expect("eglDestroySurface");
    gl.expect(10, 10, RED8, "the first surface kept its pixels");
}

/// Rule: a new context has initial state (GL 4.6 core, chapter 23), whatever its predecessor did in the same process.
/// Broken: the state of the last context leaked into the next through a cache of the backend.
pub unsafe fn scenario_isolation(gl: &Gl) {
    let integer = |name| gl.get_parameter_i32(name);
    for (name, initial) in [
        (glow::DEPTH_FUNC, glow::LESS),
        (glow::CULL_FACE_MODE, glow::BACK),
        (glow::FRONT_FACE, glow::CCW),
        (glow::BLEND_SRC_RGB, glow::ONE),
        (glow::BLEND_DST_ALPHA, glow::ZERO),
        (glow::ACTIVE_TEXTURE, glow::TEXTURE0),
        (glow::CURRENT_PROGRAM, 0),
        (glow::ARRAY_BUFFER_BINDING, 0),
        (glow::TEXTURE_BINDING_2D, 0),
        (glow::PACK_ROW_LENGTH, 0),
        (glow::UNPACK_ALIGNMENT, 4),
        (glow::STENCIL_REF, 0),
    ] {
        assert_eq!(integer(name), initial as i32, "{name:#x}");
    }
    for cap in [
        glow::BLEND,
        glow::DEPTH_TEST,
        glow::CULL_FACE,
        glow::SCISSOR_TEST,
        glow::STENCIL_TEST,
    ] {
        assert!(!gl.is_enabled(cap), "{cap:#x}");
    }
    assert!(gl.is_enabled(glow::DITHER) && gl.is_enabled(glow::MULTISAMPLE));
    // Now make a mess that the next context would see.
    gl.target(8, 8);
    let painter = Painter::new(gl);
    painter.fill(gl, WHOLE, GREEN);
    gl.expect(4, 4, GREEN8, "an unmasked draw in a fresh context");
    gl.enable(glow::BLEND);
    gl.blend_func(glow::ZERO, glow::ZERO);
    gl.enable(glow::CULL_FACE);
    gl.cull_face(glow::FRONT_AND_BACK);
    gl.color_mask(false, false, false, false);
    gl.viewport(0, 0, 1, 1);
    gl.enable(glow::SCISSOR_TEST);
    gl.scissor(0, 0, 0, 0);
    gl.active_texture(glow::TEXTURE5);
    gl.texture_rgba8(2, 2, None);
    gl.pixel_store_i32(glow::PACK_ROW_LENGTH, 7);
    gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 1);
    painter.fill(gl, WHOLE, RED);
    gl.pixel_store_i32(glow::PACK_ROW_LENGTH, 0);
    gl.expect(4, 4, GREEN8, "everything is masked");
}

/// Rule: `glClearColorIiEXT` and `glClearColorIuiEXT` say with all their bits what `glClear` writes into integer buffers, and a later
/// `glClearColor` is in force instead (EXT_texture_integer).
/// Broken: the value went through a float, or was taken for one.
pub unsafe fn integer_clear_color(gl: &Gl) {
    const RGBA_INTEGER_MODE: u32 = 0x8D9E;
    let mode = |what: &str, wanted: i32| {
        let mut mode = -1;
        gl.raw.glGetIntegerv(RGBA_INTEGER_MODE, &mut mode);
        assert_eq!(mode, wanted, "{what}");
    };
    let colors = gl.target(4, 4);
    mode("a target of colours", 0);
    for (internal, ty) in [
        (glow::RGBA32I, glow::INT),
        (glow::RGBA32UI, glow::UNSIGNED_INT),
    ] {
        let buffer = gl.create_renderbuffer().expect("a renderbuffer");
        gl.bind_renderbuffer(glow::RENDERBUFFER, Some(buffer));
        gl.renderbuffer_storage(glow::RENDERBUFFER, internal, 4, 4);
        let target = gl.create_framebuffer().expect("a framebuffer");
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(target));
        gl.framebuffer_renderbuffer(
            glow::FRAMEBUFFER,
            glow::COLOR_ATTACHMENT0,
            glow::RENDERBUFFER,
            Some(buffer),
        );
        mode("a target of integers", 1);
        let expect = |wanted: [u32; 4], what: &str| {
            let mut bytes = [0x5A; 16];
            gl.read(3, 0, 1, 1, glow::RGBA_INTEGER, ty, &mut bytes);
            assert_eq!(bytes.to_vec(), bytes_of(&wanted), "{what}, {internal:#x}");
        };
        // 2^24 + 1 is no float, -0.0 and 0.0 are one.
        let wide = [16_777_217, 0x8000_0000, 0x7FC0_0001, u32::MAX];
        if ty == glow::INT {
            let [r, g, b, a] = wide.map(u32::cast_signed);
            gl.raw.glClearColorIiEXT(r, g, b, a);
        } else {
            gl.raw
                .glClearColorIuiEXT(wide[0], wide[1], wide[2], wide[3]);
        }
        gl.clear(glow::COLOR_BUFFER_BIT);
        expect(wide, "all bits");
        gl.raw.glClearColorIuiEXT(0, 0, 0, 1);
        gl.clear(glow::COLOR_BUFFER_BIT);
        expect([0, 0, 0, 1], "after it, zeros");
        gl.color_mask(true, false, true, true);
        gl.raw.glClearColorIiEXT(3, 4, 5, 6);
        gl.clear(glow::COLOR_BUFFER_BIT);
        gl.color_mask(true, true, true, true);
        expect([3, 0, 5, 6], "under a mask");
    }
    let mut said = [0; 4];
    gl.raw
        .glGetIntegerv(glow::COLOR_CLEAR_VALUE, said.as_mut_ptr());
    assert_eq!(said, [3, 4, 5, 6], "the value in force");
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(colors.framebuffer));
    gl.clear_color(0.0, 1.0, 0.0, 1.0);
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.expect(1, 1, [0, 255, 0, 255], "a float value again");
}
