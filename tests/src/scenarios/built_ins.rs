//! What GLSL has and the languages below lack: built-in state, rectangle textures. Uniforms and links are no subject here.

use glow::HasContext;

use crate::gl::Gl;
use crate::paint::*;

/// Rule: `gl_DepthRange` is what glDepthRange set, in every stage (GLSL 4.60 §7.4).
/// Broken: shaders that read it were refused.
pub unsafe fn depth_range_built_in(gl: &Gl) {
    gl.target(16, 16);
    let program = gl.program(
        "#version 330 core
        out float near;
        void main() {
            vec2 c = vec2(float((gl_VertexID & 1) * 4) - 1.0, float((gl_VertexID & 2) * 2) - 1.0);
            near = gl_DepthRange.near; gl_Position = vec4(c, 0.0, 1.0);
        }",
        "#version 330 core
        uniform float alpha; in float near; out vec4 o;
        float span(gl_DepthRangeParameters p) { return p.diff; }
        void main() { o = vec4(near, gl_DepthRange.far, span(gl_DepthRange), alpha); }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    let alpha = gl.get_uniform_location(program, "alpha");
    gl.uniform_1_f32(alpha.as_ref(), 1.0);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(8, 8, [0, 255, 255, 255], "initial range");
    gl.depth_range(0.2, 0.6);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(8, 8, [51, 153, 102, 255], "moved");
    gl.uniform_1_f32(alpha.as_ref(), 0.4);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(8, 8, [51, 153, 102, 102], "a uniform beside it");
    gl.depth_range(0.0, 1.0);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(8, 8, [0, 255, 255, 102], "back");
}

/// Rule: the origin of an upper-left `gl_FragCoord` follows the draw framebuffer's height (GLSL 4.60 §4.4.1.3).
/// Broken: the height stayed that of the framebuffer of the first draw (as it does in Mesa 22.3).
pub unsafe fn frag_coord_follows_the_framebuffer(gl: &Gl) {
    let program = gl.program(
        TRI,
        "#version 330 core
        layout(origin_upper_left, pixel_center_integer) in vec4 gl_FragCoord;
        out vec4 o; void main() { o = vec4(gl_FragCoord.xy / 255.0, 0.0, 1.0); }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    let tall = gl.target(8, 16);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(2, 3, [2, 12, 0, 255], "16 rows");
    gl.target(8, 4);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(2, 3, [2, 0, 0, 255], "4 rows");
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(tall.framebuffer));
    gl.viewport(0, 0, 8, 16);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(2, 0, [2, 15, 0, 255], "16 rows again");
}

/// Rule: rectangle textures are read with coordinates in texels (GL 4.6 core §8.15; GLSL 4.60 §8.9).
/// Broken: shaders with their samplers were refused.
pub unsafe fn rectangle_textures(gl: &Gl) {
    gl.target(16, 16);
    let texture = gl.create_texture().expect("glGenTextures");
    gl.bind_texture(glow::TEXTURE_RECTANGLE, Some(texture));
    let texels: Vec<u8> = (0..15u8)
        .flat_map(|i| [i * 10, 255 - i * 10, i, 255])
        .collect();
    gl.tex_image_2d(
        glow::TEXTURE_RECTANGLE,
        0,
        glow::RGBA8 as i32,
        5,
        3,
        0,
        glow::RGBA,
        glow::UNSIGNED_BYTE,
        glow::PixelUnpackData::Slice(Some(&texels)),
    );
    gl.no_error("glTexImage2D of a rectangle texture");
    for filter in [glow::TEXTURE_MIN_FILTER, glow::TEXTURE_MAG_FILTER] {
        gl.tex_parameter_i32(glow::TEXTURE_RECTANGLE, filter, glow::NEAREST as i32);
    }
    let texel = |x: usize, y: usize| -> [u8; 4] {
        let at = (y * 5 + x) * 4;
        texels[at..at + 4].try_into().expect("a texel")
    };
    let program = gl.program(
        TRI,
        "#version 330 core
        uniform sampler2DRect t; uniform int how; out vec4 o;
        void main() {
            if (how == 0) o = texture(t, vec2(3.5, 1.5));
            else if (how == 1) o = textureProj(t, vec3(7.0, 5.0, 2.0));
            else if (how == 2) o = texelFetch(t, ivec2(4, 0));
            else if (how == 3) o = textureOffset(t, vec2(1.5, 1.5), ivec2(-1, 1));
            else if (how == 4) o = vec4(vec2(textureSize(t)) / 255.0, 0.0, 1.0);
            else o = textureGrad(t, gl_FragCoord.xy, vec2(1.0, 0.0), vec2(0.0, 1.0));
        }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    let how = gl.get_uniform_location(program, "how");
    let wanted = [
        (texel(3, 1), "texture"),
        (texel(3, 2), "textureProj"),
        (texel(4, 0), "texelFetch"),
        (texel(0, 2), "textureOffset"),
        ([5, 3, 0, 255], "textureSize"),
    ];
    for (i, (color, what)) in wanted.into_iter().enumerate() {
        gl.uniform_1_i32(how.as_ref(), i as i32);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(8, 8, color, what);
    }
    gl.uniform_1_i32(how.as_ref(), 5);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    for (x, y) in [(0, 0), (4, 0), (0, 2), (4, 2), (2, 1)] {
        gl.expect(x, y, texel(x as usize, y as usize), "one texel a pixel");
    }
    gl.expect(9, 9, texel(4, 2), "clamped to the edge");
}

/// Rule: a geometry shader reads the clip distances of its vertices, by any index, and writes its own (GLSL 4.60 §7.1).
/// Broken: ES refused the translation, in which the distances of `gl_in` had no size.
pub unsafe fn clip_distances_through_gl_in(gl: &Gl) {
    gl.target(16, 16);
    let stages = [
        (
            glow::VERTEX_SHADER,
            "#version 330 core
            out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; };
            void main() {
                vec2 c = vec2(float((gl_VertexID & 1) * 4) - 1.0, float((gl_VertexID & 2) * 2) - 1.0);
                gl_Position = vec4(c, 0.0, 1.0);
                gl_ClipDistance[0] = -c.x; gl_ClipDistance[1] = -c.y;
            }",
        ),
        (
            glow::GEOMETRY_SHADER,
            "#version 330 core
            layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;
            in gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; } gl_in[];
            out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; };
            void main() {
                for (int i = 0; i < 3; i++) {
                    gl_Position = gl_in[i].gl_Position;
                    for (int j = 0; j < 2; j++) gl_ClipDistance[j] = gl_in[i].gl_ClipDistance[j];
                    EmitVertex();
                }
            }",
        ),
        (
            glow::FRAGMENT_SHADER,
            "#version 330 core
            out vec4 o; void main() { o = vec4(0.0, 1.0, 0.0, 1.0); }",
        ),
    ];
    let program = gl.create_program().expect("glCreateProgram");
    for (kind, source) in stages {
        let shader = gl.create_shader(kind).expect("glCreateShader");
        gl.shader_source(shader, source);
        gl.compile_shader(shader);
        let log = gl.get_shader_info_log(shader);
        assert!(gl.get_shader_compile_status(shader), "{log}");
        gl.attach_shader(program, shader);
    }
    gl.link_program(program);
    let log = gl.get_program_info_log(program);
    assert!(gl.get_program_link_status(program), "{log}");
    gl.use_program(Some(program));
    gl.vertex_array();
    for plane in [glow::CLIP_DISTANCE0, glow::CLIP_DISTANCE1] {
        gl.enable(plane);
    }
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(2, 2, GREEN8, "in front of both planes");
    gl.expect(12, 2, NOTHING8, "behind the first");
    gl.expect(2, 12, NOTHING8, "behind the second");
}

/// Rule: a clip distance counts only while its GL_CLIP_DISTANCEi is enabled (GL 4.6 core §13.7).
/// Broken: what a shader writes always clips.
pub unsafe fn clip_distance_that_is_disabled(gl: &Gl) {
    gl.target(16, 16);
    let program = gl.program(
        "#version 330 core
        out float gl_ClipDistance[2];
        void main() {
            vec2 c = vec2(float((gl_VertexID & 1) * 4) - 1.0, float((gl_VertexID & 2) * 2) - 1.0);
            gl_Position = vec4(c, 0.0, 1.0);
            gl_ClipDistance[0] = -c.x; gl_ClipDistance[1] = -c.y;
        }",
        "#version 330 core
        out vec4 o; void main() { o = vec4(0.0, 1.0, 0.0, 1.0); }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    gl.enable(glow::CLIP_DISTANCE0);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(2, 12, GREEN8, "the second is off");
    gl.expect(12, 12, NOTHING8, "the first is on");
}
