//! Primitives on their way to fragments: modes, polygon modes, provoking vertices, clip distances, captures. What a fragment does then
//! is no subject here.

use glow::HasContext;

use crate::gl::{Gl, bytes_of};
use crate::paint::*;

const ATTRIBUTES: [&str; 2] = [
    "#version 330 core
    layout(location = 0) in vec2 at; layout(location = 1) in vec3 color; flat out vec3 c;
    void main() { c = color; gl_Position = vec4(at / 8.0 - 1.0, 0.0, 1.0); }",
    "#version 330 core
    flat in vec3 c; out vec4 o; void main() { o = vec4(c, 1.0); }",
];

/// A 16x16 target and a program that takes positions in its pixels.
unsafe fn pixels(gl: &Gl) {
    gl.target(16, 16);
    let program = gl.program(ATTRIBUTES[0], ATTRIBUTES[1]);
    gl.use_program(Some(program));
    gl.vertex_array();
    gl.vertex_attrib_3_f32(1, 1.0, 1.0, 1.0);
}

unsafe fn expect_all(gl: &Gl, pixels: &[(i32, i32, [u8; 4])], what: &str) {
    for (x, y, wanted) in pixels {
        gl.expect(*x, *y, *wanted, what);
    }
}

/// Rule: a loop's last vertex is joined to its first, a fan's triangles share the first (GL 4.6 core §10.1).
/// Broken: the closing edge was missing where the driver has no loops, or began at vertex 0 instead of the first.
pub unsafe fn loops_and_fans(gl: &Gl) {
    pixels(gl);
    // Two vertices that are not to be drawn, then a square through pixel centres.
    let square = [
        0.5, 0.5, 0.5, 15.5, 2.5, 2.5, 13.5, 2.5, 13.5, 13.5, 2.5, 13.5,
    ];
    gl.attribute(0, 2, &square);
    gl.buffer(
        glow::ELEMENT_ARRAY_BUFFER,
        &bytes_of(&[0u16, 2, 3, 4, 5, 0]),
    );
    let edges = [
        (8, 2, WHITE8),
        (13, 8, WHITE8),
        (8, 13, WHITE8),
        (2, 8, WHITE8),
        (8, 8, NOTHING8),
        (0, 8, NOTHING8),
    ];
    gl.draw_arrays(glow::LINE_LOOP, 2, 4);
    expect_all(gl, &edges, "a loop of arrays");
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.draw_elements(glow::LINE_LOOP, 4, glow::UNSIGNED_SHORT, 2);
    expect_all(gl, &edges, "a loop of elements");
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.draw_arrays_instanced(glow::LINE_LOOP, 2, 4, 2);
    expect_all(gl, &edges, "a loop of instances");
    gl.clear(glow::COLOR_BUFFER_BIT);
    let filled = [
        (8, 4, WHITE8),
        (4, 8, WHITE8),
        (12, 12, WHITE8),
        (1, 8, NOTHING8),
    ];
    gl.draw_arrays(glow::TRIANGLE_FAN, 2, 4);
    expect_all(gl, &filled, "a fan of arrays");
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.draw_elements(glow::TRIANGLE_FAN, 4, glow::UNSIGNED_SHORT, 2);
    expect_all(gl, &filled, "a fan of elements");
    gl.no_error("loops and fans");
}

/// A segment that begins in the diamond of pixel 1 and ends in that of pixel 13 of its major axis, in both directions of the minor one.
const SEGMENTS: [[f32; 4]; 3] = [
    [1.5, 2.4, 13.5, 6.6],
    [1.5, 12.4, 13.5, 3.6],
    [1.5, 4.4, 13.5, 14.6],
];

/// Draws one of [`SEGMENTS`], x-major or y-major; the red of each pixel, by major coordinate.
unsafe fn segment(gl: &Gl, [x0, y0, x1, y1]: [f32; 4], x_major: bool) -> [[u8; 16]; 16] {
    let ends = match x_major {
        true => [x0, y0, x1, y1],
        false => [y0, x0, y1, x1],
    };
    gl.attribute(0, 2, &ends);
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.draw_arrays(glow::LINES, 0, 2);
    let picture = gl.picture(16, 16);
    let mut steps = [[0; 16]; 16];
    for (n, pixel) in picture.chunks_exact(4).enumerate() {
        let (x, y) = (n % 16, n / 16);
        match x_major {
            true => steps[x][y] = pixel[0],
            false => steps[y][x] = pixel[0],
        }
    }
    steps
}

/// Rule: a segment has one fragment in each column it is longer in, none where it ends (GL 4.6 core §14.5.1).
/// Broken: Vulkan's own lines are rectangles: now two fragments in a column, now none.
pub unsafe fn lines_take_one_pixel_a_step(gl: &Gl) {
    pixels(gl);
    for ends in SEGMENTS {
        for x_major in [true, false] {
            let steps = segment(gl, ends, x_major);
            for (step, of_step) in steps.iter().enumerate() {
                let lit = of_step.iter().filter(|red| **red == 255).count();
                let dark = of_step.iter().filter(|red| **red == 0).count();
                let wanted = usize::from((1..13).contains(&step));
                assert_eq!(
                    (lit, dark),
                    (wanted, 16 - wanted),
                    "{ends:?}, x-major {x_major}, step {step}"
                );
            }
        }
    }
}

/// Rule: a smooth segment covers pixels in part; what it covers of a column is about its width (GL 4.6 core §14.5.4).
/// Broken: GL_LINE_SMOOTH had no effect.
pub unsafe fn smooth_lines_cover_in_part(gl: &Gl) {
    pixels(gl);
    gl.enable(glow::LINE_SMOOTH);
    gl.enable(glow::BLEND);
    gl.blend_func(glow::SRC_ALPHA, glow::ONE_MINUS_SRC_ALPHA);
    for ends in SEGMENTS {
        for x_major in [true, false] {
            let steps = segment(gl, ends, x_major);
            for (step, of_step) in steps.iter().enumerate().take(12).skip(3) {
                let sum: u32 = of_step.iter().map(|red| u32::from(*red)).sum();
                let what = format!("{ends:?}, x-major {x_major}, step {step}: {of_step:?}");
                assert!((160..=480).contains(&sum), "{what}");
                assert!(of_step.iter().any(|red| (10..245).contains(red)), "{what}");
            }
        }
    }
    gl.disable(glow::LINE_SMOOTH);
    let steps = segment(gl, SEGMENTS[0], true);
    assert!(
        steps
            .as_flattened()
            .iter()
            .all(|red| [0, 255].contains(red))
    );
}

/// Rule: polygons are drawn as their vertices or edges where glPolygonMode says so (GL 4.6 core §14.6.4).
/// Broken: wireframes came out filled.
pub unsafe fn polygon_modes(gl: &Gl) {
    pixels(gl);
    gl.attribute(0, 2, &[2.5, 2.5, 13.5, 2.5, 2.5, 13.5]);
    let (inside, edge, corner) = ((5, 5), (8, 2), (2, 2));
    for (mode, wanted) in [
        (glow::LINE, [NOTHING8, WHITE8, WHITE8]),
        (glow::POINT, [NOTHING8, NOTHING8, WHITE8]),
        (glow::FILL, [WHITE8, WHITE8, WHITE8]),
    ] {
        gl.clear(glow::COLOR_BUFFER_BIT);
        gl.polygon_mode(glow::FRONT_AND_BACK, mode);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        for ((x, y), wanted) in [inside, edge, corner].into_iter().zip(wanted) {
            // Which pixels the lower edge of a filled triangle has is the rasteriser's choice.
            if mode != glow::FILL || (x, y) == inside {
                gl.expect(x, y, wanted, &format!("mode {mode:#x}"));
            }
        }
    }
    // Vertices drawn as points have the size of points: 5 wide around (2.5, 2.5).
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.polygon_mode(glow::FRONT_AND_BACK, glow::POINT);
    gl.raw.glPointSize(5.0);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    for (x, y, wanted) in [
        (0, 0, WHITE8),
        (4, 4, WHITE8),
        (2, 4, WHITE8),
        (6, 2, NOTHING8),
        (15, 4, WHITE8),
    ] {
        gl.expect(x, y, wanted, "points of five pixels");
    }
    gl.no_error("polygon modes");
}

/// Rule: flat varyings come from the last vertex, or from the first where glProvokingVertex says so (GL 4.6 core §13.4, table 13.2).
/// Broken: the first vertex's colour everywhere, which is Vulkan's own convention.
pub unsafe fn provoking_vertices(gl: &Gl) {
    pixels(gl);
    gl.attribute(0, 2, &[0.0, 0.0, 16.0, 0.0, 0.0, 16.0, 16.0, 16.0]);
    gl.attribute(
        1,
        3,
        &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0],
    );
    let (first, last) = (0x8E4D, 0x8E4E);
    for (convention, triangle, strip) in [(last, BLUE8, WHITE8), (first, RED8, GREEN8)] {
        gl.raw.glProvokingVertex(convention);
        gl.clear(glow::COLOR_BUFFER_BIT);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(4, 4, triangle, &format!("a triangle, {convention:#x}"));
        gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
        gl.expect(4, 4, triangle, &format!("a strip's first, {convention:#x}"));
        gl.expect(12, 12, strip, &format!("a strip's second, {convention:#x}"));
    }
    gl.no_error("provoking vertices");
}

/// Rule: a primitive is clipped by the distances that are enabled, and by no other (GL 4.6 core §13.7).
/// Broken: Vulkan clips by all that the shader writes, so a mirror's plane stayed on for the whole scene.
/// llvmpipe's own OpenGL and ES (22.3) clip by all of them too while none is enabled, so neither proves this.
pub unsafe fn clip_distances(gl: &Gl) {
    gl.target(16, 16);
    let program = gl.program(
        "#version 330 core
        out float gl_ClipDistance[2];
        void main() {
            vec2 c = vec2(float((gl_VertexID & 1) * 4) - 1.0, float((gl_VertexID & 2) * 2) - 1.0);
            gl_Position = vec4(c, 0.0, 1.0);
            gl_ClipDistance[0] = c.x;
            gl_ClipDistance[1] = c.y;
        }",
        "#version 330 core
        out vec4 o; void main() { o = vec4(1.0); }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    for (turn, enabled) in [0u32, 1, 2, 3, 0].into_iter().enumerate() {
        for i in 0..2 {
            match enabled >> i & 1 {
                0 => gl.disable(glow::CLIP_DISTANCE0 + i),
                _ => gl.enable(glow::CLIP_DISTANCE0 + i),
            }
        }
        gl.clear(glow::COLOR_BUFFER_BIT);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        for (x, y) in [(4, 4), (12, 4), (4, 12), (12, 12)] {
            let clipped = enabled & 1 != 0 && x < 8 || enabled & 2 != 0 && y < 8;
            let wanted = if clipped { NOTHING8 } else { WHITE8 };
            gl.expect(x, y, wanted, &format!("turn {turn}, enabled {enabled:#b}"));
        }
    }
    gl.disable(glow::CLIP_DISTANCE0);
    gl.no_error("clip distances");
}

/// Rule: what a capture wrote is what later commands read (GL 4.6 core §13.3), in whatever type.
/// Broken: integers read as floats are converted after reading them back, which lost the draw's uniforms and textures.
pub unsafe fn captured_then_drawn(gl: &Gl) {
    gl.target(16, 16);
    let capture = gl.create_program().expect("glCreateProgram");
    let shader = gl
        .create_shader(glow::VERTEX_SHADER)
        .expect("glCreateShader");
    gl.shader_source(
        shader,
        "#version 330 core
        flat out ivec4 color;
        void main() { color = ivec4(gl_VertexID == 5 ? 9 : 0, 1, 0, 1); gl_Position = vec4(0.0); }",
    );
    gl.compile_shader(shader);
    gl.attach_shader(capture, shader);
    gl.transform_feedback_varyings(capture, &["color"], glow::INTERLEAVED_ATTRIBS);
    gl.link_program(capture);
    assert!(
        gl.get_program_link_status(capture),
        "{}",
        gl.get_program_info_log(capture)
    );
    let texture = gl.texture_rgba8(1, 1, Some(&WHITE8));
    let program = gl.program(
        "#version 330 core
        layout(location = 1) in vec4 color; uniform float scale; out vec4 c;
        void main() {
            c = color * scale;
            gl_Position = vec4(float((gl_VertexID & 1) * 4) - 1.0, float((gl_VertexID & 2) * 2) - 1.0, 0.0, 1.0);
        }",
        "#version 330 core
        in vec4 c; uniform sampler2D t; out vec4 o; void main() { o = c * texture(t, vec2(0.5)); }",
    );
    let buffer = gl.create_buffer().expect("glGenBuffers");
    gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer));
    gl.buffer_data_size(glow::ARRAY_BUFFER, 16 * 4, glow::STATIC_DRAW);
    gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, 0, Some(buffer));
    gl.vertex_array();
    for turn in 0..3 {
        gl.use_program(Some(capture));
        gl.disable_vertex_attrib_array(1);
        gl.enable(glow::RASTERIZER_DISCARD);
        gl.begin_transform_feedback(glow::POINTS);
        gl.draw_arrays(glow::POINTS, 0, 3);
        gl.end_transform_feedback();
        gl.disable(glow::RASTERIZER_DISCARD);
        gl.use_program(Some(program));
        gl.bind_texture(glow::TEXTURE_2D, Some(texture));
        gl.uniform_1_f32(gl.get_uniform_location(program, "scale").as_ref(), 1.0);
        gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer));
        gl.vertex_attrib_pointer_f32(1, 4, glow::INT, false, 0, 0);
        gl.enable_vertex_attrib_array(1);
        gl.clear(glow::COLOR_BUFFER_BIT);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(8, 8, GREEN8, &format!("turn {turn}"));
    }
    gl.no_error("a capture");
}
