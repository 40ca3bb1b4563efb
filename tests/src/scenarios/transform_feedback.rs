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

/// A program of the stages that captures `names` into one buffer.
unsafe fn capturing(gl: &Gl, stages: &[(u32, &str)], names: &[&str]) -> glow::NativeProgram {
    let program = gl.create_program().expect("a program");
    for (stage, source) in stages {
        let shader = gl.create_shader(*stage).expect("a shader");
        gl.shader_source(shader, source);
        gl.compile_shader(shader);
        gl.attach_shader(program, shader);
    }
    gl.transform_feedback_varyings(program, names, glow::INTERLEAVED_ATTRIBS);
    gl.link_program(program);
    assert!(
        gl.get_program_link_status(program),
        "{}",
        gl.get_program_info_log(program)
    );
    program
}

/// Captures what two points become and compares.
unsafe fn expect_captured(gl: &Gl, program: glow::NativeProgram, wanted: &[f32], what: &str) {
    gl.use_program(Some(program));
    gl.vertex_array();
    gl.attribute(0, 2, &[0.25, -0.5, 0.125, 0.75]);
    let size = size_of_val(wanted);
    let buffer = gl.buffer(glow::TRANSFORM_FEEDBACK_BUFFER, &vec![NOTHING; size + 4]);
    gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, 0, Some(buffer));
    gl.enable(glow::RASTERIZER_DISCARD);
    gl.begin_transform_feedback(glow::POINTS);
    gl.draw_arrays(glow::POINTS, 0, 2);
    gl.end_transform_feedback();
    gl.disable(glow::RASTERIZER_DISCARD);
    gl.no_error(what);
    let seen = contents(gl, buffer, size + 4);
    assert_eq!(seen[..size], bytes_of(wanted), "{what}");
    assert_eq!(seen[size..], [NOTHING; 4], "behind {what}");
}

/// Rule: single elements of output arrays are captured by their names, in the order of the names (GL 4.6 core §11.1.2.1, §7.3.1), and are
/// asked for as they were named.
/// Broken: such a name did not link, or the whole array was captured.
pub unsafe fn captured_elements_of_arrays(gl: &Gl) {
    let vertex = "#version 330 core
layout(location = 0) in vec2 at;
out vec2 parts[3];
out Block { float alone; vec2 row[2]; } block;
void main() {
    gl_Position = vec4(at, 0.0, 1.0);
    for (int i = 0; i < 3; i++) parts[i] = at + float(i);
    block.alone = at.x;
    block.row[0] = -at;
    block.row[1] = at.yx;
    if (at.x < 0.2) return;
    parts[0].x = 8.0;
}
";
    let names = ["parts[2]", "Block.row[1]", "Block.alone", "parts[0]"];
    let program = capturing(gl, &[(glow::VERTEX_SHADER, vertex)], &names);
    let (first, second) = (
        [2.25, 1.5, -0.5, 0.25, 0.25, 8.0, -0.5],
        [2.125, 2.75, 0.75, 0.125, 0.125, 0.125, 0.75],
    );
    expect_captured(gl, program, &[first, second].concat(), "elements");
    let varying = gl
        .get_transform_feedback_varying(program, 0)
        .expect("the first varying");
    let said = (&*varying.name, varying.size, varying.tftype);
    assert_eq!(said, ("parts[2]", 1, glow::FLOAT_VEC2));
}

/// Rule: of an array of blocks, a member of one is captured, with what it was when each vertex was emitted (GL 4.6 core §11.1.2.1).
/// Broken: such a name did not link.
pub unsafe fn captured_members_behind_a_geometry_shader(gl: &Gl) {
    let vertex = "#version 330 core
layout(location = 0) in vec2 at;
void main() { gl_Position = vec4(at, 0.0, 1.0); }
";
    let geometry = "#version 330 core
layout(points) in;
layout(points, max_vertices = 2) out;
out Block { float x; vec2 rows[2]; } blocks[2];
void leave(float n) {
    vec2 at = gl_in[0].gl_Position.xy;
    for (int i = 0; i < 2; i++) {
        blocks[i].x = n + float(i);
        blocks[i].rows[0] = at;
        blocks[i].rows[1] = at * (n + float(i));
    }
    gl_Position = vec4(at, 0.0, 1.0);
    gl_PointSize = 1.0;
    EmitVertex();
}
void main() { leave(1.0); leave(4.0); }
";
    let stages = [
        (glow::VERTEX_SHADER, vertex),
        (glow::GEOMETRY_SHADER, geometry),
    ];
    let program = capturing(gl, &stages, &["Block[1].x", "Block[0].rows[1]"]);
    let wanted = [
        2.0, 0.25, -0.5, 5.0, 1.0, -2.0, 2.0, 0.125, 0.75, 5.0, 0.5, 3.0,
    ];
    expect_captured(gl, program, &wanted, "members");
}
