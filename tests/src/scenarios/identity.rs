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
    // As many changes as to the array before, to another format.
    for turn in 0..4 {
        let array = gl.vertex_array();
        let (buffer, wanted) = match turn % 2 {
            0 => {
                let buffer = gl.buffer(glow::ARRAY_BUFFER, &bytes_of(&RED.repeat(3)));
                gl.vertex_attrib_pointer_f32(1, 4, glow::FLOAT, false, 0, 0);
                (buffer, RED8)
            }
            _ => {
                let buffer = gl.buffer(glow::ARRAY_BUFFER, &BLUE8.repeat(3));
                gl.vertex_attrib_pointer_f32(1, 4, glow::UNSIGNED_BYTE, true, 0, 0);
                (buffer, BLUE8)
            }
        };
        gl.enable_vertex_attrib_array(1);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(4, 4, wanted, &format!("another format, turn {turn}"));
        gl.delete_vertex_array(array);
        gl.delete_buffer(buffer);
    }
}

/// Rule: as above, for framebuffers: a new one has no attachments, and those of the old one are left alone.
/// Broken: the new framebuffer drew to what was attached to the old one.
pub unsafe fn handle_recycle_framebuffers(gl: &Gl) {
    let mut older = Vec::new();
    for turn in 0..6usize {
        let (color, wanted) = [(RED, RED8), (GREEN, GREEN8), (BLUE, BLUE8)][turn % 3];
        let framebuffer = gl.create_framebuffer().expect("glGenFramebuffers");
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        assert_eq!(
            gl.check_framebuffer_status(glow::FRAMEBUFFER),
            glow::FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT,
            "fresh, turn {turn}"
        );
        let texture = gl.texture_rgba8(4, 4, None);
        gl.framebuffer_texture_2d(
            glow::FRAMEBUFFER,
            glow::COLOR_ATTACHMENT0,
            glow::TEXTURE_2D,
            Some(texture),
            0,
        );
        gl.clear_color(color[0], color[1], color[2], color[3]);
        gl.clear(glow::COLOR_BUFFER_BIT);
        gl.expect(3, 3, wanted, &format!("turn {turn}"));
        gl.delete_framebuffer(framebuffer);
        older.push((texture, wanted));
    }
    for (turn, (texture, wanted)) in older.into_iter().enumerate() {
        let framebuffer = gl.create_framebuffer().expect("glGenFramebuffers");
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        gl.framebuffer_texture_2d(
            glow::FRAMEBUFFER,
            glow::COLOR_ATTACHMENT0,
            glow::TEXTURE_2D,
            Some(texture),
            0,
        );
        gl.expect(3, 3, wanted, &format!("what turn {turn} drew"));
        gl.delete_framebuffer(framebuffer);
    }
}

/// More sampler states than anybody keeps, one after the other.
const SAMPLERS: usize = 300;

/// Rule: as above, for sampler objects.
/// Broken: where sampler states were made and forgotten in turn, a later one sampled with the border colour of an older.
pub unsafe fn handle_recycle_samplers(gl: &Gl) {
    const WIDTH: usize = 32;
    let height = SAMPLERS.div_ceil(WIDTH);
    gl.target(WIDTH as i32, height as i32);
    let program = gl.program(
        TRI,
        "#version 330 core
        uniform sampler2D t; out vec4 o; void main() { o = texture(t, vec2(3.0)); }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    gl.texture_rgba8(1, 1, Some(&WHITE8));
    gl.enable(glow::SCISSOR_TEST);
    let color = |i: usize| [(i % 256) as u8, (i / 256 * 85) as u8, 51, 255];
    for i in 0..SAMPLERS {
        let sampler = gl.create_sampler().expect("glGenSamplers");
        gl.bind_sampler(0, Some(sampler));
        for (parameter, value) in [
            (glow::TEXTURE_MIN_FILTER, glow::NEAREST),
            (glow::TEXTURE_MAG_FILTER, glow::NEAREST),
            (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_BORDER),
            (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_BORDER),
        ] {
            gl.sampler_parameter_i32(sampler, parameter, value as i32);
        }
        let border = color(i).map(|byte| f32::from(byte) / 255.0);
        gl.sampler_parameter_f32_slice(sampler, glow::TEXTURE_BORDER_COLOR, &border);
        gl.scissor((i % WIDTH) as i32, (i / WIDTH) as i32, 1, 1);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.delete_sampler(sampler);
    }
    let picture = gl.picture(WIDTH as i32, height as i32);
    if gl.lane().draws() {
        for i in 0..SAMPLERS {
            let seen = &picture[4 * i..4 * i + 4];
            assert_eq!(seen, color(i), "the border colour of sampler {i}");
        }
    }
}

/// Rule: as above, for queries: what a new one counts has nothing to do with the old one's target.
/// Broken: the new query counted what the old one did.
pub unsafe fn handle_recycle_queries(gl: &Gl) {
    gl.target(8, 8);
    let painter = Painter::new(gl);
    for turn in 0..6usize {
        // A rectangle is a strip of two triangles (GL 4.6 core §10.1.6 and §13.4).
        let (target, wanted) = [
            (glow::ANY_SAMPLES_PASSED, 1),
            (glow::PRIMITIVES_GENERATED, 2),
        ][turn % 2];
        let query = gl.create_query().expect("glGenQueries");
        gl.begin_query(target, query);
        painter.fill(gl, WHOLE, RED);
        gl.end_query(target);
        let seen = gl.get_query_parameter_u32(query, glow::QUERY_RESULT);
        if gl.lane().draws() {
            assert_eq!(seen, wanted, "turn {turn}");
        }
        gl.delete_query(query);
    }
}

/// Rule: queries belong to their context (GL 4.6 core §5.1.1): the end of one context leaves another's alone.
/// Broken: both have the same name in the driver, and the query that ended with its context took the other one's name with it.
pub unsafe fn queries_of_an_ended_context(gl: &Gl) {
    gl.target(8, 8);
    let painter = Painter::new(gl);
    let target = glow::PRIMITIVES_GENERATED;
    let ask = |gl: &Gl, query| {
        gl.begin_query(target, query);
        painter.fill(gl, WHOLE, RED);
        gl.end_query(target);
        gl.get_query_parameter_u32(query, glow::QUERY_RESULT)
    };
    let query = gl.create_query().expect("glGenQueries");
    let first = ask(gl, query);
    for turn in 0..3 {
        let other = Gl::new(gl.display);
        let of_other = other.create_query().expect("glGenQueries");
        other.begin_query(glow::ANY_SAMPLES_PASSED, of_other);
        other.end_query(glow::ANY_SAMPLES_PASSED);
        let seen = other.get_query_parameter_u32(of_other, glow::QUERY_RESULT);
        assert_eq!(seen, 0, "nothing was drawn");
        // The query is not deleted: it ends with its context.
        other.end();
        gl.make_current();
        let again = ask(gl, query);
        if gl.lane().draws() {
            assert_eq!((first, again), (2, 2), "turn {turn}");
        }
        gl.no_error("a query beside an ended context");
    }
}

/// Rule: a fence is signalled when all commands before it are done (GL 4.6 core §4.1); then the result of a query among them is there.
/// Broken: waiting for a new fence ended at once, because the old one with its handle had been signalled.
pub unsafe fn handle_recycle_fences(gl: &Gl) {
    gl.target(64, 64);
    let program = gl.program(
        TRI,
        "#version 330 core
        uniform int steps; out vec4 o;
        void main() {
            float x = gl_FragCoord.x;
            for (int i = 0; i < steps; ++i) { x = fract(x * 1.7 + 0.3); }
            o = vec4(x);
        }",
    );
    gl.use_program(Some(program));
    // Some milliseconds of work, so that nobody is done with it by accident.
    gl.uniform_1_i32(gl.get_uniform_location(program, "steps").as_ref(), 5000);
    gl.vertex_array();
    for turn in 0..3 {
        let query = gl.create_query().expect("glGenQueries");
        gl.begin_query(glow::ANY_SAMPLES_PASSED, query);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.end_query(glow::ANY_SAMPLES_PASSED);
        let fence = gl
            .fence_sync(glow::SYNC_GPU_COMMANDS_COMPLETE, 0)
            .expect("glFenceSync");
        // A second at a time, for machines that are busy.
        let is_done = (0..60).any(|_| {
            let status = gl.client_wait_sync(fence, glow::SYNC_FLUSH_COMMANDS_BIT, 1_000_000_000);
            status != glow::TIMEOUT_EXPIRED
        });
        assert!(is_done, "the fence of turn {turn} is never signalled");
        let available = gl.get_query_parameter_u32(query, glow::QUERY_RESULT_AVAILABLE);
        assert_eq!(available, 1, "the result before the fence of turn {turn}");
        gl.delete_sync(fence);
        gl.delete_query(query);
    }
}

/// Rule: a new surface has the size that it was asked for (EGL 1.5 §3.5.2), whatever one before it had.
/// Broken: the default framebuffer had the images of the surface that was destroyed.
pub unsafe fn handle_recycle_surfaces(gl: &Gl) {
    let (egl, display) = (gl.egl(), gl.display);
    for turn in 0..4usize {
        let (color, wanted) = [(RED, RED8), (BLUE, BLUE8)][turn % 2];
        let size = [4, 16][turn % 2];
        let surface = display.create_pbuffer(size, size);
        let current = |surface| {
            egl.make_current(
                display.display,
                Some(surface),
                Some(surface),
                Some(gl.context),
            )
            .expect("eglMakeCurrent");
        };
        current(surface);
        gl.bind_framebuffer(glow::FRAMEBUFFER, None);
        gl.clear_color(color[0], color[1], color[2], color[3]);
        gl.clear(glow::COLOR_BUFFER_BIT);
        gl.expect(size - 1, size - 1, wanted, &format!("turn {turn}"));
        current(gl.surface);
        egl.destroy_surface(display.display, surface)
            .expect("eglDestroySurface");
    }
}
