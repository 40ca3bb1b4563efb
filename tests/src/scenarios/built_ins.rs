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
