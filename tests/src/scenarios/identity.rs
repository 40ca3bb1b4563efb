//! Identity: names that come back denote new objects. What an object does is no subject here.

use glow::HasContext;

use crate::gl::{Gl, bytes_of};
use crate::paint::*;

/// Rule: a name that is free may be given again; the new object has nothing of the old (GL 4.6 core §5.1).
/// Broken: a cache that was keyed by the name drew with the buffer that was deleted.
pub unsafe fn handle_recycle_buffers(gl: &Gl) {
    gl.target(8, 8);
    let program = gl.program(
        "#version 330 core
        layout(location = 0) in vec2 at; layout(location = 1) in vec4 color; out vec4 c;
        void main() { c = color; gl_Position = vec4(at, 0.0, 1.0); }",
        "#version 330 core
        in vec4 c; out vec4 o; void main() { o = c; }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    gl.attribute(0, 2, &[-1.0, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0]);
    for turn in 0..6 {
        let (color, wanted) = [(RED, RED8), (GREEN, GREEN8), (BLUE, BLUE8)][turn % 3];
        // Sizes change, and what is drawn lies at the end: a twin with the old storage would be too small or stale.
        let count = if turn / 2 % 2 == 0 { 4 } else { 64 };
        let buffer = gl.buffer(glow::ARRAY_BUFFER, &bytes_of(&color.repeat(count)));
        let last_four = 16 * (count as i32 - 4);
        gl.vertex_attrib_pointer_f32(1, 4, glow::FLOAT, false, 0, last_four);
        gl.enable_vertex_attrib_array(1);
        gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
        gl.expect(4, 4, wanted, &format!("turn {turn}"));
        gl.delete_buffer(buffer);
    }
    // Uniform buffers: the binding point is kept, the object behind it is new.
    let block = gl.program(
        TRI,
        "#version 330 core
        layout(std140) uniform B { vec4 color; }; out vec4 o; void main() { o = color; }",
    );
    gl.use_program(Some(block));
    gl.vertex_array();
    for turn in 0..6 {
        let (color, wanted) = [(WHITE, WHITE8), (RED, RED8), (BLUE, BLUE8)][turn % 3];
        let buffer = gl.buffer(glow::UNIFORM_BUFFER, &bytes_of(&color));
        gl.bind_buffer_base(glow::UNIFORM_BUFFER, 0, Some(buffer));
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(4, 4, wanted, &format!("uniform buffer, turn {turn}"));
        gl.delete_buffer(buffer);
    }
}

/// Rule: as above, for textures, their samplers and their attachments.
/// Broken: the new texture was sampled through the view of the old one, or drawn to through its framebuffer.
pub unsafe fn handle_recycle_textures(gl: &Gl) {
    let target = gl.target(8, 8);
    let program = gl.program(
        TRI,
        "#version 330 core
        uniform sampler2D t; out vec4 o; void main() { o = texture(t, vec2(0.5)); }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    for turn in 0..6usize {
        let wanted = [RED8, GREEN8, BLUE8][turn % 3];
        let size = [1, 4, 2][turn % 3];
        let texture = gl.texture_rgba8(size, size, Some(&wanted.repeat((size * size) as usize)));
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(4, 4, wanted, &format!("turn {turn}"));
        gl.delete_texture(texture);
    }
    for turn in 0..4usize {
        let (color, wanted) = [(RED, RED8), (BLUE, BLUE8)][turn % 2];
        let size = [16, 4][turn % 2];
        let other = gl.target(size, size);
        gl.clear_color(color[0], color[1], color[2], color[3]);
        gl.clear(glow::COLOR_BUFFER_BIT);
        gl.expect(
            size - 1,
            size - 1,
            wanted,
            &format!("attached, turn {turn}"),
        );
        gl.delete_framebuffer(other.framebuffer);
        gl.delete_texture(other.texture);
    }
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(target.framebuffer));
    gl.expect(4, 4, BLUE8, "the first target is untouched");
}

/// Rule: as above, for renderbuffers.
/// Broken: the new renderbuffer had the size of the old one, or what was drawn to it.
pub unsafe fn handle_recycle_renderbuffers(gl: &Gl) {
    for turn in 0..6usize {
        let (color, wanted) = [(RED, RED8), (GREEN, GREEN8), (BLUE, BLUE8)][turn % 3];
        let size = [4, 16, 8][turn % 3];
        let framebuffer = gl.create_framebuffer().expect("glGenFramebuffers");
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        let renderbuffer = gl.create_renderbuffer().expect("glGenRenderbuffers");
        gl.bind_renderbuffer(glow::RENDERBUFFER, Some(renderbuffer));
        gl.renderbuffer_storage(glow::RENDERBUFFER, glow::RGBA8, size, size);
        gl.framebuffer_renderbuffer(
            glow::FRAMEBUFFER,
            glow::COLOR_ATTACHMENT0,
            glow::RENDERBUFFER,
            Some(renderbuffer),
        );
        gl.clear_color(color[0], color[1], color[2], color[3]);
        gl.clear(glow::COLOR_BUFFER_BIT);
        gl.expect(size - 1, size - 1, wanted, &format!("turn {turn}"));
        gl.delete_framebuffer(framebuffer);
        gl.delete_renderbuffer(renderbuffer);
    }
}

/// Rule: as above, for programs.
/// Broken: the new program ran with the pipeline or the constants of the old one.
pub unsafe fn handle_recycle_programs(gl: &Gl) {
    gl.target(8, 8);
    gl.vertex_array();
    for turn in 0..6 {
        let wanted = [RED8, GREEN8, BLUE8][turn % 3];
        let constant = ["1.0, 0.0, 0.0", "0.0, 1.0, 0.0", "0.0, 0.0, 1.0"][turn % 3];
        let program = gl.program(
            TRI,
            &format!(
                "#version 330 core
                uniform float alpha; out vec4 o; void main() {{ o = vec4({constant}, 1.0 - alpha); }}"
            ),
        );
        gl.use_program(Some(program));
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(4, 4, wanted, &format!("turn {turn}"));
        // The next program's uniform starts at zero again.
        gl.uniform_1_f32(gl.get_uniform_location(program, "alpha").as_ref(), 1.0);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(
            4,
            4,
            [wanted[0], wanted[1], wanted[2], 0],
            &format!("alpha, turn {turn}"),
        );
        gl.use_program(None);
        gl.delete_program(program);
    }
}

/// Rule: as above, for vertex arrays: a new one has initial state.
/// Broken: enables and pointers of the deleted array came back with its name.
pub unsafe fn handle_recycle_vertex_arrays(gl: &Gl) {
    gl.target(8, 8);
    let program = gl.program(
        "#version 330 core
        layout(location = 1) in vec4 color; out vec4 c;
        void main() {
            c = color;
            gl_Position = vec4(float((gl_VertexID & 1) * 4) - 1.0, float((gl_VertexID & 2) * 2) - 1.0, 0.0, 1.0);
        }",
        "#version 330 core
        in vec4 c; out vec4 o; void main() { o = c; }",
    );
    gl.use_program(Some(program));
    gl.vertex_attrib_4_f32(1, 0.0, 1.0, 0.0, 1.0);
    for turn in 0..4 {
        let array = gl.vertex_array();
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(4, 4, GREEN8, &format!("fresh, turn {turn}"));
        gl.attribute(1, 4, &RED.repeat(3));
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(4, 4, RED8, &format!("with an array, turn {turn}"));
        gl.delete_vertex_array(array);
    }
}
