//! What the statements and qualifiers of GLSL compute. Uniforms and links are no subject here.

use glow::HasContext;

use crate::gl::Gl;
use crate::paint::*;
use crate::scenarios::layers::linked;

unsafe fn use_over(gl: &Gl, vertex: &str, fragment: &str) -> glow::NativeProgram {
    let program = gl.program(vertex, fragment);
    gl.use_program(Some(program));
    gl.vertex_array();
    program
}

/// Rule: a case falls through, `break` leaves only the switch, `continue` in a do-while goes to its condition (GLSL 4.60 §6.2, §6.4).
/// Broken: the translated shader did not compile, or computed another number.
/// Public report: <https://github.com/shader-slang/slang/issues/10198>
pub unsafe fn switch_inside_a_loop(gl: &Gl) {
    gl.target(16, 16);
    let program = use_over(
        gl,
        TRI,
        "#version 330 core
        uniform int kind; out vec4 o;
        int walk(int k) {
            int acc = 0; int step = 0;
            do {
                step++;
                switch (k + step) {
                    case 2: acc += 5; continue;
                    case 3: { int extra = step * 2; acc += extra; }
                    case 4: acc += 7; break;
                    default: acc += 1;
                }
                acc += 20;
            } while (step < 3);
            return acc;
        }
        void main() { o = vec4(walk(kind), walk(kind + 1), walk(kind + 2), walk(kind + 3)) / 255.0; }",
    );
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(8, 8, [59, 63, 77, 69], "kind 0");
    // One further: the last three are those before, then step 1 to 3 of 5, 6, 7 are all `default`.
    gl.uniform_1_i32(gl.get_uniform_location(program, "kind").as_ref(), 1);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(8, 8, [63, 77, 69, 63], "kind 1");
}

/// The strip leans away from the viewer: w is 1 at its left edge and 3 at its right.
const LEANING: &str = "
    float r = float(gl_VertexID & 1), t = float(gl_VertexID >> 1), w = 1.0 + 2.0 * r;
    gl_Position = vec4((r * 2.0 - 1.0) * w, (t * 2.0 - 1.0) * w, 0.0, w);";

/// Rule: `noperspective` is linear in window space, `smooth` is corrected for perspective (GLSL 4.60 §4.5).
/// Broken: the shader needed an extension that the driver does not have, and the program was refused.
/// Public report: <https://github.com/MobileGL-Dev/MobileGlues-release/issues/91>
pub unsafe fn interpolation_without_perspective(gl: &Gl) {
    gl.target(16, 16);
    // At the centre of pixel 8 the way is a = 17/32: 255 a is 135, and a/3 / (1 - a + a/3) of 255 is 70.
    for (qualifier, wanted) in [("noperspective", 135), ("smooth", 70)] {
        use_over(
            gl,
            &format!(
                "#version 330 core\n{qualifier} out float u;\nvoid main() {{ {LEANING} u = r; }}"
            ),
            &format!(
                "#version 330 core\n{qualifier} in float u; out vec4 o;\nvoid main() {{ o = vec4(u); }}"
            ),
        );
        gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
        gl.expect(8, 8, [wanted; 4], qualifier);
    }
}

/// Rule: the qualifier also stands before arrays, matrices and block members, and behind a geometry stage (GLSL 4.60 §4.5, §4.3.9).
/// Broken: only plain variables were interpolated so.
pub unsafe fn interpolation_without_perspective_of_aggregates(gl: &Gl) {
    gl.target(16, 16);
    let fragment = "#version 330 core
        noperspective in float list[2]; noperspective in mat2 turn;
        in Own { noperspective vec2 flatly; smooth vec2 deeply; } own;
        out vec4 o;
        void main() { o = vec4(list[1], turn[1].y, own.flatly.y, own.deeply.y); }";
    let outputs = "noperspective out float list[2]; noperspective out mat2 turn;
        out Own { noperspective vec2 flatly; smooth vec2 deeply; } own;";
    let vertex = format!(
        "#version 330 core
        {outputs}
        void main() {{ {LEANING} list = float[2](0.0, r); turn = mat2(0.0, 0.0, 0.0, r);
            own.flatly = vec2(0.0, r); own.deeply = vec2(0.0, r); }}"
    );
    use_over(gl, &vertex, fragment);
    gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
    gl.expect(8, 8, [135, 135, 135, 70], "behind a vertex stage");

    let vertex = format!(
        "#version 330 core\nnoperspective out float way;\nvoid main() {{ {LEANING} way = r; }}"
    );
    let geometry = format!(
        "#version 330 core
        layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;
        noperspective in float way[];
        {outputs}
        void hand_on(int i) {{
            gl_Position = gl_in[i].gl_Position; float r = way[i];
            list = float[2](0.0, r); turn = mat2(0.0, 0.0, 0.0, r);
            own.flatly = vec2(0.0, r); own.deeply = vec2(0.0, r);
            EmitVertex();
        }}
        void main() {{ for (int i = 0; i < 3; i++) hand_on(i); EndPrimitive(); }}"
    );
    gl.clear_color(0.0, 0.0, 0.0, 0.0);
    gl.clear(glow::COLOR_BUFFER_BIT);
    let program = linked(
        gl,
        &[
            (glow::VERTEX_SHADER, &vertex),
            (glow::GEOMETRY_SHADER, &geometry),
            (glow::FRAGMENT_SHADER, fragment),
        ],
        &[],
    );
    gl.use_program(Some(program));
    gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
    gl.expect(8, 8, [135, 135, 135, 70], "behind a geometry stage");
}

unsafe fn plain(gl: &Gl, target: u32) {
    let nearest = glow::NEAREST as i32;
    gl.tex_parameter_i32(target, glow::TEXTURE_MIN_FILTER, nearest);
    gl.tex_parameter_i32(target, glow::TEXTURE_MAG_FILTER, nearest);
}

/// Rule: one-dimensional textures and arrays of them take offsets and gradients of one number, and an array's size is its width and
/// its layers (GLSL 4.60, Texture Functions).
/// Broken: on a driver without them the translated shader was refused.
pub unsafe fn sizes_and_offsets_of_one_dimension(gl: &Gl) {
    gl.target(16, 16);
    let color = |r: u8| [r, 255 - r, 0, 255];
    gl.active_texture(glow::TEXTURE0);
    let texture = gl.create_texture().expect("glGenTextures");
    gl.bind_texture(glow::TEXTURE_1D, Some(texture));
    plain(gl, glow::TEXTURE_1D);
    let row: Vec<u8> = [51, 102, 153, 204].into_iter().flat_map(color).collect();
    gl.tex_image_1d(
        glow::TEXTURE_1D,
        0,
        glow::RGBA8 as i32,
        4,
        0,
        glow::RGBA,
        glow::UNSIGNED_BYTE,
        glow::PixelUnpackData::Slice(Some(&row)),
    );
    gl.active_texture(glow::TEXTURE1);
    let texture = gl.create_texture().expect("glGenTextures");
    gl.bind_texture(glow::TEXTURE_1D_ARRAY, Some(texture));
    plain(gl, glow::TEXTURE_1D_ARRAY);
    let rows: Vec<u8> = [10, 20, 30, 40, 50, 60]
        .into_iter()
        .flat_map(color)
        .collect();
    gl.tex_image_2d(
        glow::TEXTURE_1D_ARRAY,
        0,
        glow::RGBA8 as i32,
        2,
        3,
        0,
        glow::RGBA,
        glow::UNSIGNED_BYTE,
        glow::PixelUnpackData::Slice(Some(&rows)),
    );
    let program = use_over(
        gl,
        TRI,
        "#version 330 core
        uniform sampler1D line; uniform sampler1DArray lines; out vec4 o;
        ivec2 size_of(sampler1DArray s) { return textureSize(s, 0); }
        void main() {
            float fetched = texelFetchOffset(line, 1, 0, 1).r + texelFetchOffset(lines, ivec2(0, 2), 0, 1).r;
            float read = textureOffset(line, 0.125, 2).r + textureGradOffset(lines, vec2(0.25, 1.0), 0.0, 0.0, 1).r;
            float graded = textureGrad(line, 0.875, 0.0, 0.0).r + textureLodOffset(lines, vec2(0.75, 2.0), 0.0, -1).r;
            ivec2 size = textureSize(lines, 0);
            bool sized = size == ivec2(2, 3) && size_of(lines) == size && textureSize(line, 0) == 4;
            o = vec4(fetched, read, graded, sized ? 1.0 : 0.0);
        }",
    );
    gl.uniform_1_i32(gl.get_uniform_location(program, "lines").as_ref(), 1);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(
        8,
        8,
        [153 + 60, 153 + 40, 204 + 50, 255],
        "fetched, read, graded, sized",
    );
}

/// Rule: blocks of inputs and outputs may be arrays, and match by their name (GLSL 4.60 §4.3.9).
/// Broken: on a driver that gives an array of blocks no location the translated shader was refused.
pub unsafe fn arrays_of_blocks_between_stages(gl: &Gl) {
    gl.target(16, 16);
    use_over(
        gl,
        "#version 330 core
        out float before; out Part { float a; vec2 b; } part[2]; out float behind;
        void main() {
            vec2 c = vec2(float((gl_VertexID & 1) * 4) - 1.0, float((gl_VertexID & 2) * 2) - 1.0);
            gl_Position = vec4(c, 0.0, 1.0);
            before = 0.2; behind = 0.8;
            part[0].a = 0.0; part[0].b = vec2(0.0, 0.4); part[1].a = 0.6; part[1].b = vec2(0.0);
        }",
        "#version 330 core
        in float before; in Part { float a; vec2 b; } part[2]; in float behind; out vec4 o;
        void main() { o = vec4(before, part[0].b.y, part[1].a, behind); }",
    );
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(8, 8, [51, 102, 153, 204], "members of both elements");
}

/// Rule: a geometry stage reads the size and all clip distances that its vertices were given, whatever GL_PROGRAM_POINT_SIZE says
/// (GLSL 4.60, Geometry Shader Special Variables; GL 4.6 core §14.4).
/// Broken: the translated shader was refused, or the size was that of the state.
pub unsafe fn point_size_and_clip_distances_through_gl_in(gl: &Gl) {
    gl.target(16, 16);
    gl.vertex_array();
    let program = linked(
        gl,
        &[
            (
                glow::VERTEX_SHADER,
                "#version 330 core
                out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; };
                void main() {
                    gl_Position = vec4(0.0, 0.0, 0.0, 1.0); gl_PointSize = 5.0;
                    gl_ClipDistance[0] = 0.4; gl_ClipDistance[1] = 0.6;
                }",
            ),
            (
                glow::GEOMETRY_SHADER,
                "#version 330 core
                layout(points) in; layout(triangle_strip, max_vertices = 3) out;
                in gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; } gl_in[];
                out vec4 seen;
                void main() {
                    float distances[2] = gl_in[0].gl_ClipDistance;
                    for (int i = 0; i < 3; i++) {
                        seen = vec4(gl_in[0].gl_PointSize / 25.0, distances[0], distances[1], 0.8);
                        gl_Position = vec4(float((i & 1) * 4) - 1.0, float((i & 2) * 2) - 1.0, 0.0, 1.0);
                        EmitVertex();
                    }
                }",
            ),
            (
                glow::FRAGMENT_SHADER,
                "#version 330 core
                in vec4 seen; out vec4 o; void main() { o = seen; }",
            ),
        ],
        &[],
    );
    gl.use_program(Some(program));
    for size_of_state in [true, false] {
        if size_of_state {
            gl.disable(glow::PROGRAM_POINT_SIZE);
        } else {
            gl.enable(glow::PROGRAM_POINT_SIZE);
        }
        gl.draw_arrays(glow::POINTS, 0, 1);
        gl.expect(8, 8, [51, 102, 153, 204], "what the vertex was given");
    }
}
