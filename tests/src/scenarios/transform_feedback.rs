//! Transform feedback: what vertices become lands in buffers, where the binding points say. What is drawn is read back as bytes.

use glow::HasContext;

use crate::gl::{Gl, bytes_of};

const VERTEX: &str = "#version 330 core
layout(location = 0) in vec2 at;
out vec2 doubled;
flat out float index;
void main() {
    gl_Position = vec4(at, 0.0, 1.0);
    doubled = at * 2.0;
    index = float(gl_VertexID) + 0.5;
}
";
const FRAGMENT: &str = "#version 330 core
in vec2 doubled;
out vec4 colour;
void main() { colour = vec4(doubled, 0.0, 1.0); }
";

const POINTS: [f32; 6] = [0.25, -0.5, 0.125, 0.75, -1.0, 0.0];
/// Three floats for each point: `doubled`, `index`.
const CAPTURED: [f32; 9] = [0.5, -1.0, 0.5, 0.25, 1.5, 1.5, -2.0, 0.0, 2.5];
const NOTHING: u8 = 0xee;

/// A program that captures both variables into one buffer. Variables are named before it is linked (GL 4.6 core §11.1.2.1).
unsafe fn capturing_program(gl: &Gl) -> glow::NativeProgram {
    let program = gl.program(VERTEX, FRAGMENT);
    gl.transform_feedback_varyings(program, &["doubled", "index"], glow::INTERLEAVED_ATTRIBS);
    gl.link_program(program);
    assert!(
        gl.get_program_link_status(program),
        "{}",
        gl.get_program_info_log(program)
    );
    program
}

/// Draws the points into the bound capture buffers, with nothing rasterised.
unsafe fn capture(gl: &Gl) {
    gl.enable(glow::RASTERIZER_DISCARD);
    gl.begin_transform_feedback(glow::POINTS);
    gl.draw_arrays(glow::POINTS, 0, 3);
    gl.end_transform_feedback();
    gl.disable(glow::RASTERIZER_DISCARD);
    gl.no_error("a capture");
}

unsafe fn contents(gl: &Gl, buffer: glow::NativeBuffer, size: usize) -> Vec<u8> {
    let mut bytes = vec![0; size];
    gl.bind_buffer(glow::COPY_READ_BUFFER, Some(buffer));
    gl.get_buffer_sub_data(glow::COPY_READ_BUFFER, 0, &mut bytes);
    gl.keep("captured bytes", &bytes);
    bytes
}

/// Rule: a capture writes the variables of each vertex, in order, to the range of the binding point, and nothing else (GL 4.6 core
/// §13.3.2); another range holds for the next capture; a later draw may read what was captured.
/// Broken: the capture went to the buffer of the draw before, to its start instead of the range's, or was read before it was written.
pub unsafe fn transform_feedback_captures(gl: &Gl) {
    let program = capturing_program(gl);
    gl.use_program(Some(program));
    gl.vertex_array();
    gl.attribute(0, 2, &POINTS);
    let size = size_of_val(&CAPTURED);
    let empty = vec![NOTHING; 2 * size];
    let first = gl.buffer(glow::TRANSFORM_FEEDBACK_BUFFER, &empty);
    let second = gl.buffer(glow::TRANSFORM_FEEDBACK_BUFFER, &empty);
    let wanted = bytes_of(&CAPTURED);

    gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, 0, Some(first));
    capture(gl);
    let seen = contents(gl, first, 2 * size);
    if gl.lane().draws() {
        assert_eq!(seen[..size], wanted, "the first capture");
        assert!(seen[size..].iter().all(|byte| *byte == NOTHING), "{seen:?}");
    }

    // From the middle of the other buffer: the first one stays as it is.
    let middle = size as i32;
    gl.bind_buffer_range(
        glow::TRANSFORM_FEEDBACK_BUFFER,
        0,
        Some(second),
        middle,
        middle,
    );
    capture(gl);
    let (kept, seen) = (
        contents(gl, first, 2 * size),
        contents(gl, second, 2 * size),
    );
    if gl.lane().draws() {
        assert_eq!(
            kept[..size],
            wanted,
            "the first buffer after the second capture"
        );
        assert!(seen[..size].iter().all(|byte| *byte == NOTHING), "{seen:?}");
        assert_eq!(
            seen[size..],
            wanted,
            "the second capture, from the range's start"
        );
    }

    // What was captured is drawn: doubled, this triangle covers the whole target.
    let target = gl.target(8, 8);
    gl.attribute(0, 2, &[-0.5, -0.5, 1.5, -0.5, -0.5, 1.5]);
    let triangle = gl.buffer(glow::TRANSFORM_FEEDBACK_BUFFER, &empty);
    gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, 0, Some(triangle));
    capture(gl);
    gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, 0, None);
    gl.bind_buffer(glow::ARRAY_BUFFER, Some(triangle));
    gl.vertex_attrib_pointer_f32(0, 2, glow::FLOAT, false, 12, 0);
    let flat = gl.program(
        "#version 330 core\nlayout(location = 0) in vec2 at;\nvoid main() { gl_Position = vec4(at, 0.0, 1.0); }\n",
        "#version 330 core\nout vec4 colour;\nvoid main() { colour = vec4(0.0, 1.0, 0.0, 1.0); }\n",
    );
    gl.use_program(Some(flat));
    gl.viewport(0, 0, target.width, target.height);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    for (x, y) in [(0, 0), (7, 0), (0, 7), (7, 7)] {
        gl.expect(x, y, [0, 255, 0, 255], "a triangle from captured vertices");
    }
}
