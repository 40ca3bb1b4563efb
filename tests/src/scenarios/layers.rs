//! Layered and integer framebuffers, points and captures behind geometry shaders: what few drivers below have alike. Single layers are
//! `framebuffer`'s subject.

use glow::HasContext;

use crate::gl::{Gl, bytes_of};
use crate::paint::*;

pub(super) unsafe fn linked(
    gl: &Gl,
    stages: &[(u32, &str)],
    captured: &[&str],
) -> glow::NativeProgram {
    let program = gl.create_program().expect("glCreateProgram");
    for (stage, source) in stages {
        let shader = gl.create_shader(*stage).expect("glCreateShader");
        gl.shader_source(shader, source);
        gl.compile_shader(shader);
        assert!(
            gl.get_shader_compile_status(shader),
            "{}",
            gl.get_shader_info_log(shader)
        );
        gl.attach_shader(program, shader);
        gl.delete_shader(shader);
    }
    if !captured.is_empty() {
        gl.transform_feedback_varyings(program, captured, glow::SEPARATE_ATTRIBS);
    }
    gl.link_program(program);
    assert!(
        gl.get_program_link_status(program),
        "{}",
        gl.get_program_info_log(program)
    );
    program
}

/// Rule: gl_Layer chooses the layer of a layered attachment, and a clear reaches all of them (GL 4.6 core §9.8, §17.4.3).
/// Broken: everything went to layer 0, or a clear left the other faces of a shadow's cube map.
pub unsafe fn layered_rendering(gl: &Gl) {
    gl.target(8, 8);
    gl.vertex_array();
    let program = linked(
        gl,
        &[
            (
                glow::VERTEX_SHADER,
                "#version 330 core
                void main() { gl_Position = vec4(0.0); }",
            ),
            (
                glow::GEOMETRY_SHADER,
                "#version 330 core
                layout(points) in; layout(triangle_strip, max_vertices = 6) out; flat out vec4 c;
                void main() {
                    for (int layer = 1; layer < 3; ++layer) {
                        for (int i = 0; i < 3; ++i) {
                            c = layer == 1 ? vec4(0.0, 1.0, 0.0, 1.0) : vec4(0.0, 0.0, 1.0, 1.0);
                            gl_Layer = layer;
                            gl_Position = vec4(float((i & 1) * 4) - 1.0, float((i & 2) * 2) - 1.0, 0.0, 1.0);
                            EmitVertex();
                        }
                        EndPrimitive();
                    }
                }",
            ),
            (
                glow::FRAGMENT_SHADER,
                "#version 330 core
                flat in vec4 c; out vec4 o; void main() { o = c; }",
            ),
        ],
        &[],
    );
    for target in [
        glow::TEXTURE_2D_ARRAY,
        glow::TEXTURE_3D,
        glow::TEXTURE_CUBE_MAP,
    ] {
        let texture = gl.create_texture().expect("glGenTextures");
        gl.bind_texture(target, Some(texture));
        let none = || glow::PixelUnpackData::Slice(None);
        if target == glow::TEXTURE_CUBE_MAP {
            for face in 0..6 {
                gl.tex_image_2d(
                    glow::TEXTURE_CUBE_MAP_POSITIVE_X + face,
                    0,
                    glow::RGBA8 as i32,
                    8,
                    8,
                    0,
                    glow::RGBA,
                    glow::UNSIGNED_BYTE,
                    none(),
                );
            }
        } else {
            gl.tex_image_3d(
                target,
                0,
                glow::RGBA8 as i32,
                8,
                8,
                4,
                0,
                glow::RGBA,
                glow::UNSIGNED_BYTE,
                none(),
            );
        }
        let framebuffer = gl.create_framebuffer().expect("glGenFramebuffers");
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        gl.framebuffer_texture(glow::FRAMEBUFFER, glow::COLOR_ATTACHMENT0, Some(texture), 0);
        assert_eq!(
            gl.check_framebuffer_status(glow::FRAMEBUFFER),
            glow::FRAMEBUFFER_COMPLETE
        );
        gl.clear_color(1.0, 0.0, 0.0, 1.0);
        gl.clear(glow::COLOR_BUFFER_BIT);
        gl.use_program(Some(program));
        gl.draw_arrays(glow::POINTS, 0, 1);
        let single = gl.create_framebuffer().expect("glGenFramebuffers");
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(single));
        for (layer, wanted) in [(0, RED8), (1, GREEN8), (2, BLUE8), (3, RED8)] {
            if target == glow::TEXTURE_CUBE_MAP {
                gl.framebuffer_texture_2d(
                    glow::FRAMEBUFFER,
                    glow::COLOR_ATTACHMENT0,
                    glow::TEXTURE_CUBE_MAP_POSITIVE_X + layer as u32,
                    Some(texture),
                    0,
                );
            } else {
                gl.framebuffer_texture_layer(
                    glow::FRAMEBUFFER,
                    glow::COLOR_ATTACHMENT0,
                    Some(texture),
                    0,
                    layer,
                );
            }
            gl.expect(4, 4, wanted, &format!("layer {layer} of {target:#x}"));
        }
    }
    gl.no_error("layers");
}

/// Rule: integer attachments are cleared, drawn and read as integers, and never blended (GL 4.6 core §17.3.6, §17.4.3.1).
/// Broken: object numbers for picking came back as converted colours.
pub unsafe fn integer_targets(gl: &Gl) {
    gl.target(8, 8);
    gl.vertex_array();
    for (internal, ty, declared) in [
        (glow::RGBA32UI, glow::UNSIGNED_INT, "uvec4"),
        (glow::RGBA32I, glow::INT, "ivec4"),
    ] {
        let texture = gl.create_texture().expect("glGenTextures");
        gl.bind_texture(glow::TEXTURE_2D, Some(texture));
        gl.tex_image_2d(
            glow::TEXTURE_2D,
            0,
            internal as i32,
            8,
            8,
            0,
            glow::RGBA_INTEGER,
            ty,
            glow::PixelUnpackData::Slice(None),
        );
        gl.framebuffer_texture_2d(
            glow::FRAMEBUFFER,
            glow::COLOR_ATTACHMENT0,
            glow::TEXTURE_2D,
            Some(texture),
            0,
        );
        match ty {
            glow::INT => gl.clear_buffer_i32_slice(glow::COLOR, 0, &[7, -8, 9, 10]),
            _ => gl.clear_buffer_u32_slice(glow::COLOR, 0, &[7, 0xFFFF_FFF8, 9, 10]),
        }
        let read = |x, wanted: [u32; 4], what: &str| {
            let mut bytes = [0x5A; 16];
            gl.read(x, 4, 1, 1, glow::RGBA_INTEGER, ty, &mut bytes);
            assert_eq!(bytes.to_vec(), bytes_of(&wanted), "{what}, {declared}");
        };
        read(4, [7, 0xFFFF_FFF8, 9, 10], "cleared");
        let program = gl.program(
            TRI,
            &format!(
                "#version 330 core
                out {declared} o; void main() {{ o = {declared}(0x7FFFFFFF, 1, 2, 3); }}"
            ),
        );
        gl.use_program(Some(program));
        gl.enable(glow::BLEND);
        gl.blend_func(glow::ZERO, glow::ZERO);
        gl.enable(glow::SCISSOR_TEST);
        gl.scissor(0, 0, 4, 8);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.disable(glow::SCISSOR_TEST);
        gl.disable(glow::BLEND);
        read(2, [0x7FFF_FFFF, 1, 2, 3], "drawn");
        read(6, [7, 0xFFFF_FFF8, 9, 10], "not drawn");
    }
    gl.no_error("integer targets");
}

/// Rule: a point's size is the program's where GL_PROGRAM_POINT_SIZE is on, else glPointSize's; gl_PointCoord counts from its upper left
/// (GL 4.6 core §14.4).
/// Broken: particles stood on their heads, or were one pixel large.
pub unsafe fn point_sizes_and_coordinates(gl: &Gl) {
    gl.target(16, 16);
    gl.vertex_array();
    let program = gl.program(
        "#version 330 core
        void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); gl_PointSize = 8.0; }",
        "#version 330 core
        out vec4 o; void main() { o = vec4(gl_PointCoord.x < 0.5 ? 0.0 : 1.0, gl_PointCoord.y < 0.5 ? 0.0 : 1.0, 1.0, 1.0); }",
    );
    gl.use_program(Some(program));
    let corners = |size: i32, is_lower: bool, what: &str| {
        gl.clear_color(0.0, 0.0, 0.0, 0.0);
        gl.clear(glow::COLOR_BUFFER_BIT);
        gl.draw_arrays(glow::POINTS, 0, 1);
        let (low, high) = (8 - size / 2 + 1, 8 + size / 2 - 2);
        let y = |top: bool| u8::from(top == is_lower) * 255;
        gl.expect(low, low, [0, y(false), 255, 255], what);
        gl.expect(high, low, [255, y(false), 255, 255], what);
        gl.expect(low, high, [0, y(true), 255, 255], what);
        gl.expect(8 + size / 2 + 1, 8, NOTHING8, what);
    };
    gl.enable(glow::PROGRAM_POINT_SIZE);
    corners(8, false, "the program's size");
    gl.disable(glow::PROGRAM_POINT_SIZE);
    gl.raw.glPointSize(4.0);
    corners(4, false, "glPointSize");
    gl.enable(glow::PROGRAM_POINT_SIZE);
    gl.raw.glPointParameteri(0x8CA0, 0x8CA1);
    corners(8, true, "counted from the lower left");
    gl.no_error("points");
}

/// Rule: a capture behind a geometry shader takes its vertices, a buffer for each varying, and goes on from draw to draw
/// (GL 4.6 core §13.3).
/// Broken: the second draw's vertices were written over the first's.
pub unsafe fn captures_behind_a_geometry_shader(gl: &Gl) {
    gl.target(8, 8);
    gl.vertex_array();
    let program = linked(
        gl,
        &[
            (
                glow::VERTEX_SHADER,
                "#version 330 core
                flat out int id; void main() { id = gl_VertexID; gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }",
            ),
            (
                glow::GEOMETRY_SHADER,
                "#version 330 core
                layout(points) in; layout(points, max_vertices = 2) out;
                flat in int id[]; out float a; out vec2 b;
                void main() {
                    for (int i = 0; i < 2; ++i) {
                        a = float(10 * id[0] + i); b = vec2(a, -a); gl_Position = gl_in[0].gl_Position;
                        EmitVertex(); EndPrimitive();
                    }
                }",
            ),
            (
                glow::FRAGMENT_SHADER,
                "#version 330 core
                out vec4 o; void main() { o = vec4(1.0); }",
            ),
        ],
        &["a", "b"],
    );
    let buffers = [64, 128].map(|size| {
        let buffer = gl.create_buffer().expect("glGenBuffers");
        gl.bind_buffer(glow::TRANSFORM_FEEDBACK_BUFFER, Some(buffer));
        gl.buffer_data_size(glow::TRANSFORM_FEEDBACK_BUFFER, size, glow::STATIC_READ);
        buffer
    });
    for (i, buffer) in (0..).zip(buffers) {
        gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, i, Some(buffer));
    }
    gl.use_program(Some(program));
    let (written, generated) = (
        gl.create_query().expect("glGenQueries"),
        gl.create_query().expect("glGenQueries"),
    );
    gl.begin_query(glow::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, written);
    gl.begin_query(glow::PRIMITIVES_GENERATED, generated);
    gl.begin_transform_feedback(glow::POINTS);
    gl.draw_arrays(glow::POINTS, 1, 2);
    // The pass ends and another begins: the capture goes on behind what it wrote.
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.finish();
    gl.draw_arrays(glow::POINTS, 3, 1);
    gl.end_transform_feedback();
    gl.end_query(glow::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    gl.end_query(glow::PRIMITIVES_GENERATED);
    let result = |query| gl.get_query_parameter_u32(query, glow::QUERY_RESULT);
    assert_eq!((result(written), result(generated)), (6, 6));
    let wanted = [10.0f32, 11.0, 20.0, 21.0, 30.0, 31.0];
    let pairs: Vec<f32> = wanted.iter().flat_map(|a| [*a, -*a]).collect();
    for (buffer, wanted) in buffers.into_iter().zip([&wanted[..], &pairs]) {
        gl.bind_buffer(glow::TRANSFORM_FEEDBACK_BUFFER, Some(buffer));
        let mut bytes = vec![0x5A; wanted.len() * 4 + 4];
        gl.get_buffer_sub_data(glow::TRANSFORM_FEEDBACK_BUFFER, 0, &mut bytes);
        let (seen, behind) = bytes.split_at(wanted.len() * 4);
        assert_eq!(seen, bytes_of(wanted), "{wanted:?}");
        assert_eq!(behind, [0; 4], "behind the capture");
        gl.keep("a capture", seen);
    }
    gl.no_error("captures");
}
