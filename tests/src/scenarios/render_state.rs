//! Render state: each scenario draws at least three times and changes one thing between, so that a version that is not bumped
//! shows. No framebuffer or program is its subject.

use glow::HasContext;

use crate::gl::Gl;
use crate::paint::*;

/// Rule: `glEnable(GL_BLEND)`, equation, factors and colour act on the next draw and on no earlier one (GL 4.6 core §17.3.6).
/// Broken: a toggle that came back to an earlier state kept the pipeline between.
pub unsafe fn blend_toggle_storm(gl: &Gl) {
    gl.target(16, 16);
    let painter = Painter::new(gl);
    let blue_under = |gl: &Gl| {
        gl.disable(glow::BLEND);
        painter.fill(gl, WHOLE, BLUE);
    };
    gl.blend_func(glow::ONE, glow::ONE);
    for turn in 0..4 {
        blue_under(gl);
        gl.enable(glow::BLEND);
        painter.fill(gl, LEFT, RED);
        gl.disable(glow::BLEND);
        painter.fill(gl, RIGHT, RED);
        gl.expect(2, 8, [255, 0, 255, 255], &format!("added, turn {turn}"));
        gl.expect(12, 8, RED8, &format!("replaced, turn {turn}"));
    }
    // One thing at a time, blending on.
    let step = |gl: &Gl, wanted, what: &str| {
        painter.fill(gl, WHOLE, [0.6, 0.2, 0.2, 0.4]);
        gl.expect(8, 8, wanted, what);
    };
    blue_under(gl);
    gl.enable(glow::BLEND);
    gl.blend_func(glow::SRC_ALPHA, glow::ZERO);
    step(gl, [61, 20, 20, 41], "SRC_ALPHA, ZERO");
    blue_under(gl);
    gl.enable(glow::BLEND);
    gl.blend_func_separate(glow::ONE, glow::ZERO, glow::ZERO, glow::ONE);
    step(gl, [153, 51, 51, 255], "the alpha of the destination");
    gl.blend_func(glow::CONSTANT_COLOR, glow::ZERO);
    for (constant, wanted) in [
        ([1.0, 1.0, 1.0, 1.0], [153, 51, 51, 102]),
        ([0.0, 1.0, 0.0, 0.5], [0, 51, 0, 51]),
        ([1.0, 0.0, 1.0, 0.0], [153, 0, 51, 0]),
    ] {
        gl.blend_color(constant[0], constant[1], constant[2], constant[3]);
        step(gl, wanted, &format!("the constant colour {constant:?}"));
    }
    gl.blend_func(glow::ONE, glow::ONE);
    for (equation, wanted) in [
        (glow::FUNC_ADD, [153, 51, 255, 255]),
        (glow::FUNC_REVERSE_SUBTRACT, [0, 0, 204, 153]),
        (glow::FUNC_SUBTRACT, [153, 51, 0, 0]),
        (glow::MAX, [153, 51, 255, 255]),
        (glow::MIN, [0, 0, 51, 102]),
    ] {
        blue_under(gl);
        gl.enable(glow::BLEND);
        gl.blend_equation(equation);
        step(gl, wanted, &format!("the equation {equation:#x}"));
    }
}

/// Rule: any number of render states may alternate; each draw uses its own.
/// Broken: with more states than the cache of state objects holds, an evicted one was bound by its stale handle.
pub unsafe fn cso_eviction(gl: &Gl) {
    gl.target(80, 4);
    let painter = Painter::new(gl);
    gl.enable(glow::BLEND);
    gl.enable(glow::SCISSOR_TEST);
    // 65 pipelines that differ in their colour mask (16) and factors (5): more than 64.
    let factors = [
        (glow::ONE, glow::ZERO, 255),
        (glow::ZERO, glow::ONE, 0),
        (glow::CONSTANT_COLOR, glow::ZERO, 51),
        (glow::ONE_MINUS_CONSTANT_COLOR, glow::ZERO, 204),
        (glow::ONE, glow::ONE, 255),
    ];
    gl.blend_color(0.2, 0.2, 0.2, 0.2);
    let state = |i: i32| {
        let mask = i % 16;
        let (source, destination, value) = factors[(i / 16) as usize % 5];
        (mask, source, destination, value)
    };
    // Twice, so that every state returns after it was evicted; the second time backwards.
    for turn in 0..2 {
        gl.scissor(0, 0, 80, 4);
        gl.color_mask(true, true, true, true);
        gl.clear(glow::COLOR_BUFFER_BIT);
        for n in 0..65 {
            let i = if turn == 0 { n } else { 64 - n };
            let (mask, source, destination, _) = state(i);
            gl.color_mask(mask & 1 != 0, mask & 2 != 0, mask & 4 != 0, mask & 8 != 0);
            gl.blend_func(source, destination);
            gl.scissor(i, 0, 1, 4);
            painter.fill(gl, WHOLE, WHITE);
        }
        let picture = gl.picture(80, 4);
        for i in 0..65 {
            let (mask, .., value) = state(i);
            let wanted = [0, 1, 2, 3].map(|c| if mask >> c & 1 == 1 { value } else { 0 });
            let at = i as usize * 4;
            let seen: [u8; 4] = picture[at..at + 4].try_into().expect("a pixel");
            assert!(
                !gl.lane().draws() || crate::gl::is_near(seen, wanted),
                "turn {turn}, state {i}: {seen:?} instead of {wanted:?}"
            );
        }
    }
}

/// Rule: an empty scissor rejects every fragment and every clear (GL 4.6 core §14.9.2).
/// Broken: width 0 was taken for "no scissor", or was a validation error of Vulkan.
pub unsafe fn scissor_zero_rejects_all(gl: &Gl) {
    gl.target(8, 8);
    let painter = Painter::new(gl);
    painter.fill(gl, WHOLE, BLUE);
    gl.enable(glow::SCISSOR_TEST);
    for (x, y, width, height) in [
        (0, 0, 0, 0),
        (2, 2, 0, 4),
        (2, 2, 4, 0),
        (100, 100, 4, 4),
        (-8, -8, 8, 8),
    ] {
        gl.scissor(x, y, width, height);
        painter.fill(gl, WHOLE, RED);
        gl.clear_color(1.0, 1.0, 1.0, 1.0);
        gl.clear(glow::COLOR_BUFFER_BIT);
        for at in [0, 4, 7] {
            gl.expect(at, at, BLUE8, &format!("scissor {x} {y} {width} {height}"));
        }
    }
    gl.scissor(-2, -2, 4, 4);
    painter.fill(gl, WHOLE, GREEN);
    gl.expect(
        1,
        1,
        GREEN8,
        "the part of a scissor that lies on the target",
    );
    gl.expect(2, 1, BLUE8, "beside it");
    gl.disable(glow::SCISSOR_TEST);
    painter.fill(gl, WHOLE, RED);
    gl.expect(7, 7, RED8, "the scissor is off again");
}

/// Rule: GL_FRAMEBUFFER_SRGB decides whether colours are encoded (GL 4.6 core §17.3.7), GL_DEPTH_CLAMP whether depth clips (§13.7).
/// Broken: both were stored for queries and never reached the backend.
pub unsafe fn framebuffer_srgb_and_depth_clamp(gl: &Gl) {
    let texture = gl.create_texture().expect("glGenTextures");
    gl.bind_texture(glow::TEXTURE_2D, Some(texture));
    gl.tex_image_2d(
        glow::TEXTURE_2D,
        0,
        glow::SRGB8_ALPHA8 as i32,
        8,
        8,
        0,
        glow::RGBA,
        glow::UNSIGNED_BYTE,
        glow::PixelUnpackData::Slice(None),
    );
    let framebuffer = gl.create_framebuffer().expect("glGenFramebuffers");
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
    gl.framebuffer_texture_2d(
        glow::FRAMEBUFFER,
        glow::COLOR_ATTACHMENT0,
        glow::TEXTURE_2D,
        Some(texture),
        0,
    );
    gl.viewport(0, 0, 8, 8);
    let painter = Painter::new(gl);
    let half = [0.5, 0.0, 1.0, 0.5];
    for (on, wanted) in [(false, 128), (true, 188), (false, 128)] {
        if on {
            gl.enable(glow::FRAMEBUFFER_SRGB);
        } else {
            gl.disable(glow::FRAMEBUFFER_SRGB);
        }
        assert_eq!(gl.is_enabled(glow::FRAMEBUFFER_SRGB), on);
        painter.fill(gl, WHOLE, half);
        // 0.5 is encoded as 0.7354; alpha never is.
        gl.expect(4, 4, [wanted, 0, 255, 128], &format!("sRGB {on}"));
    }
    gl.target(8, 8);
    gl.add_depth_stencil(8, 8);
    gl.clear(glow::DEPTH_BUFFER_BIT);
    gl.enable(glow::DEPTH_TEST);
    gl.depth_func(glow::ALWAYS);
    for (clamp, wanted) in [(false, NOTHING8), (true, RED8), (false, NOTHING8)] {
        if clamp {
            gl.enable(glow::DEPTH_CLAMP);
        } else {
            gl.disable(glow::DEPTH_CLAMP);
        }
        assert_eq!(gl.is_enabled(glow::DEPTH_CLAMP), clamp);
        gl.clear(glow::COLOR_BUFFER_BIT);
        painter.fill_at(gl, WHOLE, RED, 1.5);
        gl.expect(
            4,
            4,
            wanted,
            &format!("beyond the far plane, clamp {clamp}"),
        );
    }
}

/// Rule: the restart index is any 32-bit number and is compared before the base vertex is added (GL 4.6 core §10.3.6).
/// Broken: strips were joined by stray triangles, because only the all-ones index restarts on ES and Vulkan.
pub unsafe fn primitive_restart(gl: &Gl) {
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
    let (mut at, mut color) = (Vec::new(), Vec::new());
    for (x, c) in [
        (-0.75, [0.2, 0.0, 0.0]),
        (0.0, [0.0, 0.4, 0.0]),
        (0.75, [0.0, 0.0, 0.6]),
    ] {
        for (sx, sy) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
            at.extend([x + 0.2 * sx, 0.5 * sy]);
            color.extend(c);
        }
    }
    gl.attribute(0, 2, &at);
    gl.attribute(1, 3, &color);
    let indices: [u16; 8] = [0, 1, 2, 3, 7, 4, 5, 6];
    gl.buffer(glow::ELEMENT_ARRAY_BUFFER, &crate::gl::bytes_of(&indices));
    gl.enable(glow::PRIMITIVE_RESTART);
    gl.raw.glPrimitiveRestartIndex(7);
    gl.draw_elements_base_vertex(glow::TRIANGLE_STRIP, 8, glow::UNSIGNED_SHORT, 0, 4);
    gl.expect(8, 8, [0, 102, 0, 255], "the first strip");
    gl.expect(11, 8, NOTHING8, "the gap");
    gl.expect(13, 5, [0, 0, 153, 255], "the second strip");
    gl.expect(14, 11, NOTHING8, "the half that the second strip lacks");
    assert_eq!(gl.get_parameter_i32(glow::PRIMITIVE_RESTART_INDEX), 7);
    assert!(gl.is_enabled(glow::PRIMITIVE_RESTART));
    // Another index restarts elsewhere; without restart the strips join.
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.raw.glPrimitiveRestartIndex(3);
    gl.draw_elements_base_vertex(glow::TRIANGLE_STRIP, 4, glow::UNSIGNED_SHORT, 0, 0);
    gl.expect(1, 5, [51, 0, 0, 255], "the lower half of the first quad");
    gl.expect(3, 11, NOTHING8, "its upper half is cut by index 3");
    gl.disable(glow::PRIMITIVE_RESTART);
    gl.draw_elements_base_vertex(glow::TRIANGLE_STRIP, 4, glow::UNSIGNED_SHORT, 0, 0);
    gl.expect(2, 10, [51, 0, 0, 255], "whole without restart");
}

/// Rule: depth test and stencil test with function, reference, masks and operations per face (GL 4.6 core §17.3.3, §17.3.4).
/// Broken: references and masks, which are dynamic, stayed those of the draw that made the pipeline.
pub unsafe fn depth_and_stencil(gl: &Gl) {
    gl.target(8, 8);
    gl.add_depth_stencil(8, 8);
    let painter = Painter::new(gl);
    gl.clear_depth_f32(1.0);
    gl.clear_stencil(0);
    gl.clear(glow::DEPTH_BUFFER_BIT | glow::STENCIL_BUFFER_BIT);
    gl.enable(glow::DEPTH_TEST);
    for (func, depth, color, wanted) in [
        (glow::LESS, 0.0, RED, RED8),
        (glow::LESS, 0.0, GREEN, RED8),
        (glow::LEQUAL, 0.0, GREEN, GREEN8),
        (glow::GREATER, -0.5, BLUE, GREEN8),
        (glow::NOTEQUAL, 0.0, BLUE, GREEN8),
        (glow::ALWAYS, 0.9, BLUE, BLUE8),
        (glow::NEVER, -0.9, RED, BLUE8),
        (glow::GEQUAL, 0.9, WHITE, WHITE8),
    ] {
        gl.depth_func(func);
        painter.fill_at(gl, WHOLE, color, depth);
        gl.expect(
            4,
            4,
            wanted,
            &format!("depth function {func:#x} at {depth}"),
        );
    }
    gl.depth_func(glow::ALWAYS);
    gl.depth_mask(false);
    painter.fill_at(gl, WHOLE, RED, -1.0);
    gl.depth_mask(true);
    gl.depth_func(glow::LESS);
    painter.fill_at(gl, WHOLE, GREEN, 0.5);
    gl.expect(4, 4, GREEN8, "the masked draw left depth alone");
    gl.depth_range_f64(0.9, 1.0);
    painter.fill_at(gl, WHOLE, BLUE, 0.0);
    gl.expect(4, 4, GREEN8, "0 in the range 0.9..1 lies behind 0.75");
    gl.depth_range_f64(0.0, 0.1);
    painter.fill_at(gl, WHOLE, BLUE, 0.9);
    gl.expect(4, 4, BLUE8, "0.9 in the range 0..0.1 lies before 0.75");
    gl.depth_range_f64(0.0, 1.0);
    gl.disable(glow::DEPTH_TEST);

    gl.enable(glow::STENCIL_TEST);
    gl.stencil_op(glow::KEEP, glow::KEEP, glow::REPLACE);
    gl.stencil_func(glow::ALWAYS, 5, 0xff);
    painter.fill(gl, LEFT, RED);
    gl.stencil_func(glow::ALWAYS, 9, 0xff);
    painter.fill(gl, RIGHT, RED);
    gl.stencil_op(glow::KEEP, glow::KEEP, glow::KEEP);
    for (reference, mask, left, right) in [
        (5, 0xff, GREEN8, RED8),
        (9, 0xff, GREEN8, GREEN8),
        (1, 0x01, BLUE8, BLUE8),
        (4, 0x04, WHITE8, BLUE8),
    ] {
        let color = [GREEN, GREEN, BLUE, WHITE][match (reference, mask) {
            (5, _) => 0,
            (9, _) => 1,
            (1, _) => 2,
            _ => 3,
        }];
        gl.stencil_func(glow::EQUAL, reference, mask);
        painter.fill(gl, WHOLE, color);
        gl.expect(1, 4, left, &format!("left, EQUAL {reference} & {mask:#x}"));
        gl.expect(
            6,
            4,
            right,
            &format!("right, EQUAL {reference} & {mask:#x}"),
        );
    }
    gl.stencil_func(glow::ALWAYS, 0xff, 0xff);
    gl.stencil_op(glow::KEEP, glow::KEEP, glow::REPLACE);
    gl.stencil_mask(0x10);
    painter.fill(gl, LEFT, RED);
    gl.stencil_mask(0xff);
    gl.stencil_op(glow::KEEP, glow::KEEP, glow::INCR);
    gl.stencil_func(glow::EQUAL, 0x15, 0xff);
    painter.fill(gl, WHOLE, GREEN);
    gl.expect(1, 4, GREEN8, "only bit 4 was written: 5 became 0x15");
    gl.expect(6, 4, BLUE8, "9 is not 0x15");
    gl.stencil_func(glow::EQUAL, 0x16, 0xff);
    painter.fill(gl, WHOLE, RED);
    gl.expect(1, 4, RED8, "incremented");
    // The back face has its own.
    gl.stencil_func_separate(glow::FRONT, glow::NEVER, 0, 0xff);
    gl.stencil_func_separate(glow::BACK, glow::ALWAYS, 0, 0xff);
    painter.fill(gl, WHOLE, WHITE);
    gl.expect(6, 4, BLUE8, "a front face never passes");
    gl.front_face(glow::CW);
    painter.fill(gl, WHOLE, WHITE);
    gl.expect(6, 4, WHITE8, "the same is a back face now");
}

/// Rule: facing comes from the signed area in window coordinates (GL 4.6 core §14.6.1); culling by it.
/// Broken: faces were exchanged where the picture is drawn upside down.
pub unsafe fn cull_and_front_face(gl: &Gl) {
    gl.target(8, 8);
    let painter = Painter::new(gl);
    let facing = gl.program(
        TRI,
        "#version 330 core
        out vec4 o; void main() { o = gl_FrontFacing ? vec4(0.0, 1.0, 0.0, 1.0) : vec4(1.0, 0.0, 0.0, 1.0); }",
    );
    for default in [false, true] {
        if default {
            gl.bind_framebuffer(glow::FRAMEBUFFER, None);
        }
        gl.use_program(Some(painter.program));
        gl.enable(glow::CULL_FACE);
        for (cull, front, drawn) in [
            (glow::BACK, glow::CCW, true),
            (glow::FRONT, glow::CCW, false),
            (glow::FRONT, glow::CW, true),
            (glow::BACK, glow::CW, false),
            (glow::FRONT_AND_BACK, glow::CCW, false),
        ] {
            gl.clear(glow::COLOR_BUFFER_BIT);
            gl.cull_face(cull);
            gl.front_face(front);
            painter.fill(gl, WHOLE, WHITE);
            let wanted = if drawn { WHITE8 } else { NOTHING8 };
            gl.expect(
                4,
                4,
                wanted,
                &format!("cull {cull:#x}, front {front:#x}, default {default}"),
            );
        }
        gl.disable(glow::CULL_FACE);
        gl.use_program(Some(facing));
        for (front, wanted) in [(glow::CCW, GREEN8), (glow::CW, RED8), (glow::CCW, GREEN8)] {
            gl.front_face(front);
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
            gl.expect(
                4,
                4,
                wanted,
                &format!("gl_FrontFacing, front {front:#x}, default {default}"),
            );
        }
    }
}

/// Rule: `glColorMaski` and `glEnablei(GL_BLEND)` belong to one draw buffer (GL 4.6 core §17.4.2, §17.3.6).
/// Broken: the state of draw buffer 0 was used for all.
pub unsafe fn color_mask_per_buffer(gl: &Gl) {
    let first = gl.target(4, 4);
    let second = gl.texture_rgba8(4, 4, None);
    gl.framebuffer_texture_2d(
        glow::FRAMEBUFFER,
        glow::COLOR_ATTACHMENT1,
        glow::TEXTURE_2D,
        Some(second),
        0,
    );
    gl.draw_buffers(&[glow::COLOR_ATTACHMENT0, glow::COLOR_ATTACHMENT1]);
    let program = gl.program(
        TRI,
        "#version 330 core
        layout(location = 0) out vec4 a; layout(location = 1) out vec4 b;
        void main() { a = vec4(1.0); b = vec4(1.0); }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    let draw = |gl: &Gl, wanted: [[u8; 4]; 2], what: &str| {
        gl.color_mask(true, true, true, true);
        gl.clear(glow::COLOR_BUFFER_BIT);
        // A clear is masked, too, so the masks of the draw are set after it.
        if what.starts_with("mask") {
            gl.color_mask_draw_buffer(1, false, true, false, true);
        }
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        for (i, wanted) in wanted.into_iter().enumerate() {
            gl.read_buffer(glow::COLOR_ATTACHMENT0 + i as u32);
            gl.expect(2, 2, wanted, &format!("{what}, attachment {i}"));
        }
    };
    gl.clear_color(0.2, 0.2, 0.2, 0.2);
    draw(gl, [WHITE8, WHITE8], "all");
    draw(gl, [WHITE8, [51, 255, 51, 255]], "mask of 1");
    let mut mask = [9u8; 4];
    gl.raw
        .glGetBooleani_v(glow::COLOR_WRITEMASK, 1, mask.as_mut_ptr());
    assert_eq!(mask, [0, 1, 0, 1]);
    gl.enable_draw_buffer(glow::BLEND, 0);
    gl.blend_func(glow::ZERO, glow::ONE);
    assert_eq!(
        [
            gl.raw.glIsEnabledi(glow::BLEND, 0),
            gl.raw.glIsEnabledi(glow::BLEND, 1)
        ],
        [1, 0]
    );
    draw(gl, [[51; 4], WHITE8], "blend of 0");
    gl.disable_draw_buffer(glow::BLEND, 0);
    gl.enable_draw_buffer(glow::BLEND, 1);
    draw(gl, [WHITE8, [51; 4]], "blend of 1");
    gl.disable(glow::BLEND);
    draw(gl, [WHITE8, WHITE8], "blend of none");
    let _ = first;
}

/// Rule: equal state draws equally, however it was reached.
/// Broken: states were found by the order of the calls or by a hash that left fields out: two that differ in one field were one.
pub unsafe fn cso_content_addressing(gl: &Gl) {
    gl.target(8, 8);
    let painter = Painter::new(gl);
    // Pairs that differ in one field, visited A B A B.
    type Set = unsafe fn(&Gl);
    let pairs: [(&str, Set, [u8; 4], Set, [u8; 4]); 5] = [
        (
            "mask",
            |gl| gl.color_mask(true, true, true, true),
            WHITE8,
            |gl| gl.color_mask(true, false, true, true),
            [255, 0, 255, 255],
        ),
        (
            "cull face",
            |gl| {
                gl.enable(glow::CULL_FACE);
                gl.cull_face(glow::BACK)
            },
            WHITE8,
            |gl| {
                gl.enable(glow::CULL_FACE);
                gl.cull_face(glow::FRONT)
            },
            NOTHING8,
        ),
        (
            "discard",
            |gl| gl.disable(glow::RASTERIZER_DISCARD),
            WHITE8,
            |gl| gl.enable(glow::RASTERIZER_DISCARD),
            NOTHING8,
        ),
        (
            "equation",
            |gl| {
                gl.enable(glow::BLEND);
                gl.blend_equation(glow::FUNC_ADD)
            },
            WHITE8,
            |gl| {
                gl.enable(glow::BLEND);
                gl.blend_equation(glow::MIN)
            },
            NOTHING8,
        ),
        (
            "alpha factor",
            |gl| {
                gl.enable(glow::BLEND);
                gl.blend_func_separate(glow::ONE, glow::ZERO, glow::ONE, glow::ZERO)
            },
            WHITE8,
            |gl| {
                gl.enable(glow::BLEND);
                gl.blend_func_separate(glow::ONE, glow::ZERO, glow::ZERO, glow::ZERO)
            },
            [255, 255, 255, 0],
        ),
    ];
    for (what, a, wanted_a, b, wanted_b) in pairs {
        for turn in 0..2 {
            for (set, wanted) in [(a, wanted_a), (b, wanted_b)] {
                gl.color_mask(true, true, true, true);
                gl.disable(glow::RASTERIZER_DISCARD);
                gl.clear(glow::COLOR_BUFFER_BIT);
                set(gl);
                painter.fill(gl, WHOLE, WHITE);
                gl.expect(4, 4, wanted, &format!("{what}, turn {turn}"));
            }
        }
        for cap in [glow::CULL_FACE, glow::BLEND, glow::RASTERIZER_DISCARD] {
            gl.disable(cap);
        }
        gl.color_mask(true, true, true, true);
        gl.blend_equation(glow::FUNC_ADD);
        gl.blend_func(glow::ONE, glow::ZERO);
    }
    // The initial state, reached by a detour, is the initial state.
    painter.fill(gl, WHOLE, GREEN);
    gl.expect(4, 4, GREEN8, "back at the start");
}

/// Rule: viewport and scissor act on the next draw (GL 4.6 core §13.8.1, §14.9.2); they change no pipeline.
/// Broken: only the first draw with a pipeline told its viewport.
pub unsafe fn viewport_and_scissor_move(gl: &Gl) {
    gl.target(16, 16);
    let painter = Painter::new(gl);
    for (i, (x, y)) in [(0, 0), (8, 0), (0, 8), (8, 8)].into_iter().enumerate() {
        gl.viewport(x, y, 8, 8);
        painter.fill(gl, WHOLE, [RED, GREEN, BLUE, WHITE][i]);
    }
    for (x, y, wanted) in [(7, 7, RED8), (8, 7, GREEN8), (7, 8, BLUE8), (8, 8, WHITE8)] {
        gl.expect(x, y, wanted, "four viewports");
    }
    gl.viewport(0, 0, 16, 16);
    gl.enable(glow::SCISSOR_TEST);
    for i in 0..4 {
        gl.scissor(i * 4, i * 4, 4, 4);
        painter.fill(gl, WHOLE, [WHITE, BLUE, GREEN, RED][i as usize]);
    }
    for (at, wanted) in [(1, WHITE8), (5, BLUE8), (9, GREEN8), (13, RED8)] {
        gl.expect(at, at, wanted, "four scissors");
    }
    gl.expect(5, 1, RED8, "outside of all scissors");
}

/// Rule: with GL_COLOR_LOGIC_OP the fragment's bits and the framebuffer's are combined, and blending is off (GL 4.6 core §17.3.9).
/// Broken: ES has no logic operations, so the call had no effect there.
pub unsafe fn logic_op(gl: &Gl) {
    gl.target(8, 8);
    let painter = Painter::new(gl);
    for (op, wanted) in [
        (glow::COPY, [51, 0, 255, 255]),
        (glow::XOR, [204, 0, 0, 0]),
        (glow::AND, [51, 0, 255, 255]),
        (glow::INVERT, [0, 255, 0, 0]),
        (glow::NOOP, [255, 0, 255, 255]),
        (glow::COPY_INVERTED, [204, 255, 0, 0]),
    ] {
        gl.disable(glow::COLOR_LOGIC_OP);
        painter.fill(gl, WHOLE, [1.0, 0.0, 1.0, 1.0]);
        gl.enable(glow::COLOR_LOGIC_OP);
        gl.raw.glLogicOp(op);
        painter.fill(gl, WHOLE, [0.2, 0.0, 1.0, 1.0]);
        gl.expect(4, 4, wanted, &format!("{op:#x}"));
    }
}
