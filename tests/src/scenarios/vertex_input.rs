//! Vertex input: vertex arrays, attributes, bindings, elements, kinds of draws. Buffers' contents are no subject here.

use std::ffi::c_void;

use glow::HasContext;

use crate::gl::{Gl, bytes_of};
use crate::paint::*;

const VS: &str = "#version 330 core
layout(location = 0) in vec2 at; layout(location = 1) in vec4 color; out vec4 c;
void main() { c = color; gl_Position = vec4(at, 0.0, 1.0); }";
const FS: &str = "#version 330 core
in vec4 c; out vec4 o; void main() { o = c; }";
const QUAD: [f32; 8] = [-1.0, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0];

unsafe fn quad(gl: &Gl) {
    gl.target(8, 8);
    gl.use_program(Some(gl.program(VS, FS)));
    gl.vertex_array();
    gl.attribute(0, 2, &QUAD);
}

unsafe fn draw(gl: &Gl, wanted: [u8; 4], what: &str) {
    gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
    gl.expect(4, 4, wanted, what);
}

/// Rule: a disabled array gives the current value of its attribute (GL 4.6 core §10.2); the enable belongs to the vertex array.
/// Broken: after a switch of vertex arrays the enables of the last one were used.
pub unsafe fn vertex_array_enable_disable(gl: &Gl) {
    quad(gl);
    gl.attribute(1, 4, &GREEN.repeat(4));
    gl.vertex_attrib_4_f32(1, 1.0, 0.0, 0.0, 1.0);
    for turn in 0..3 {
        draw(gl, GREEN8, &format!("on, turn {turn}"));
        gl.disable_vertex_attrib_array(1);
        draw(gl, RED8, &format!("off, turn {turn}"));
        gl.enable_vertex_attrib_array(1);
    }
    let first = gl.get_parameter_vertex_array(glow::VERTEX_ARRAY_BINDING);
    let second = gl.vertex_array();
    gl.attribute(0, 2, &QUAD);
    draw(gl, RED8, "the second array has attribute 1 off");
    gl.bind_vertex_array(first);
    draw(gl, GREEN8, "the first has it on");
    gl.vertex_attrib_4_f32(1, 0.0, 0.0, 1.0, 1.0);
    gl.bind_vertex_array(Some(second));
    draw(gl, BLUE8, "current values belong to the context");
}

/// Rule: formats and bindings are apart (GL 4.6 core §10.3.1, §10.3.2): an attribute reads its binding's buffer, offset and stride;
/// stride 0 in `glBindVertexBuffer` means that the address does not advance, in `glVertexAttribPointer` tightly packed.
/// Broken: stride 0 was packed in both, or attribute n always read binding n.
pub unsafe fn vertex_attrib_binding(gl: &Gl) {
    quad(gl);
    let colors = bytes_of(&[RED.repeat(4), GREEN.repeat(4), BLUE.repeat(4)].concat());
    let buffer = gl.buffer(glow::ARRAY_BUFFER, &colors);
    gl.vertex_attrib_format_f32(1, 4, glow::FLOAT, false, 0);
    gl.vertex_attrib_binding(1, 5);
    gl.enable_vertex_attrib_array(1);
    gl.bind_vertex_buffer(5, Some(buffer), 0, 16);
    draw(gl, RED8, "binding 5");
    gl.bind_vertex_buffer(5, Some(buffer), 64, 16);
    draw(gl, GREEN8, "another offset");
    gl.bind_vertex_buffer(6, Some(buffer), 128, 16);
    draw(gl, GREEN8, "another binding changes nothing");
    gl.vertex_attrib_binding(1, 6);
    draw(gl, BLUE8, "attribute 1 reads binding 6");
    gl.vertex_attrib_format_f32(1, 2, glow::FLOAT, false, 8);
    draw(
        gl,
        [255, 255, 0, 255],
        "relative offset 8: blue and alpha as red and green",
    );
    gl.vertex_attrib_format_f32(1, 4, glow::FLOAT, false, 0);
    // Only 16 bytes are left from here, so any advance would leave the buffer.
    gl.bind_vertex_buffer(6, Some(buffer), 192 - 16, 0);
    draw(gl, BLUE8, "stride 0 does not advance");
    gl.vertex_attrib_pointer_f32(1, 4, glow::FLOAT, false, 0, 0);
    draw(
        gl,
        RED8,
        "stride 0 of glVertexAttribPointer is tightly packed, from binding 1",
    );
    gl.vertex_binding_divisor(1, 1);
    gl.bind_vertex_buffer(1, Some(buffer), 64, 16);
    draw(gl, GREEN8, "a divisor: one value for the instance");
}

/// Rule: an array of vertex inputs takes consecutive locations, a matrix one per column (GL 4.6 core §11.1.1).
/// Broken: ES has no such arrays, and the draw was skipped.
pub unsafe fn attribute_arrays(gl: &Gl) {
    gl.target(8, 8);
    let program = gl.program(
        "#version 330 core
        layout(location = 0) in vec2 at;
        layout(location = 2) in vec4 colors[3];
        layout(location = 5) in mat2 turns[2];
        uniform int chosen;
        out vec4 c;
        void main() {
            c = colors[chosen];
            gl_Position = vec4(turns[0] * turns[1] * at, 0.0, 1.0);
        }",
        "#version 330 core
        in vec4 c; out vec4 o; void main() { o = c; }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    gl.attribute(0, 2, &[-1.0, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0]);
    for (location, color) in (2..).zip([RED, GREEN, BLUE]) {
        let [r, g, b, a] = color;
        gl.vertex_attrib_4_f32(location, r, g, b, a);
    }
    // The second swaps the axes, the first halves y: rows 2 to 5 are covered.
    for (location, column) in (5..).zip([[1.0, 0.0], [0.0, 0.5], [0.0, 1.0], [1.0, 0.0]]) {
        gl.vertex_attrib_2_f32(location, column[0], column[1]);
    }
    let chosen = gl.get_uniform_location(program, "chosen");
    for (turn, wanted) in (0..).zip([RED8, GREEN8, BLUE8]) {
        gl.clear(glow::COLOR_BUFFER_BIT);
        gl.uniform_1_i32(chosen.as_ref(), turn);
        gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
        gl.expect(1, 4, wanted, &format!("element {turn}"));
        gl.expect(4, 7, [0; 4], "the matrices leave the middle");
    }
}

/// Rule: the element array buffer is part of the vertex array (GL 4.6 core §10.3.9).
/// Broken: a draw used the elements of the last bound vertex array.
pub unsafe fn element_buffer_belongs_to_vao(gl: &Gl) {
    gl.target(8, 8);
    gl.use_program(Some(gl.program(VS, FS)));
    // Left half and right half share their vertices; the elements choose.
    let grid: [f32; 12] = [
        -1.0, -1.0, 0.0, -1.0, 1.0, -1.0, -1.0, 1.0, 0.0, 1.0, 1.0, 1.0,
    ];
    let mut arrays = Vec::new();
    for (elements, color) in [([0u16, 1, 3, 4], RED), ([1, 2, 4, 5], GREEN)] {
        arrays.push(gl.vertex_array());
        gl.attribute(0, 2, &grid);
        gl.attribute(1, 4, &color.repeat(6));
        gl.buffer(glow::ELEMENT_ARRAY_BUFFER, &bytes_of(&elements));
    }
    for turn in 0..2 {
        gl.clear(glow::COLOR_BUFFER_BIT);
        gl.bind_vertex_array(Some(arrays[0]));
        gl.draw_elements(glow::TRIANGLE_STRIP, 4, glow::UNSIGNED_SHORT, 0);
        gl.expect(1, 4, RED8, &format!("left, turn {turn}"));
        gl.expect(6, 4, NOTHING8, &format!("right is empty, turn {turn}"));
        gl.bind_vertex_array(Some(arrays[1]));
        gl.draw_elements(glow::TRIANGLE_STRIP, 4, glow::UNSIGNED_SHORT, 0);
        gl.expect(6, 4, GREEN8, &format!("right, turn {turn}"));
        gl.expect(1, 4, RED8, &format!("left is kept, turn {turn}"));
    }
    assert_ne!(gl.get_parameter_i32(glow::ELEMENT_ARRAY_BUFFER_BINDING), 0);
    gl.bind_vertex_array(None);
    assert_eq!(gl.get_parameter_i32(glow::ELEMENT_ARRAY_BUFFER_BINDING), 0);
    // Bytes and 32-bit elements, from an offset.
    gl.bind_vertex_array(Some(arrays[0]));
    gl.buffer(glow::ELEMENT_ARRAY_BUFFER, &[9, 9, 1, 2, 4, 5]);
    gl.draw_elements(glow::TRIANGLE_STRIP, 4, glow::UNSIGNED_BYTE, 2);
    gl.expect(6, 4, RED8, "byte elements from offset 2");
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.buffer(glow::ELEMENT_ARRAY_BUFFER, &bytes_of(&[9u32, 0, 1, 3, 4]));
    gl.draw_elements(glow::TRIANGLE_STRIP, 4, glow::UNSIGNED_INT, 4);
    gl.expect(1, 4, RED8, "32-bit elements from offset 4");
    gl.expect(6, 4, NOTHING8, "and nothing else");
}

/// Rule: the current value of an attribute starts as (0, 0, 0, 1), fills up missing components the same way, and may be an
/// integer (GL 4.6 core §10.2).
/// Broken: alpha was 0, or a value that was set before the program was used was lost.
pub unsafe fn current_attrib_defaults(gl: &Gl) {
    quad(gl);
    draw(gl, [0, 0, 0, 255], "initial");
    gl.vertex_attrib_1_f32(1, 1.0);
    draw(gl, RED8, "one component");
    gl.vertex_attrib_3_f32(1, 0.0, 0.0, 1.0);
    draw(gl, BLUE8, "three");
    gl.vertex_attrib_4_f32(1, 0.2, 0.4, 0.6, 0.8);
    draw(gl, [51, 102, 153, 204], "four");
    let mut value = [0.0; 4];
    gl.raw.glGetVertexAttribfv(1, 0x8626, value.as_mut_ptr());
    assert_eq!(value, [0.2, 0.4, 0.6, 0.8], "GL_CURRENT_VERTEX_ATTRIB");
    let integer = gl.program(
        "#version 330 core
        layout(location = 0) in vec2 at; layout(location = 1) in ivec4 number; flat out ivec4 c;
        void main() { c = number; gl_Position = vec4(at, 0.0, 1.0); }",
        "#version 330 core
        flat in ivec4 c; out vec4 o; void main() { o = vec4(c + 100) / 255.0; }",
    );
    gl.use_program(Some(integer));
    for (x, y) in [(-100, 20), (7, -50), (0, 0)] {
        gl.raw.glVertexAttribI4i(1, x, y, 0, 155);
        draw(gl, [(x + 100) as u8, (y + 100) as u8, 100, 255], "integers");
    }
}

/// Rule: `glMultiDraw*` is the same as its draws one by one (GL 4.6 core §10.4).
/// Broken: only the first range was drawn, counts of zero ended the list, or the base vertex of the first was used for all.
pub unsafe fn multi_draw(gl: &Gl) {
    gl.target(16, 8);
    gl.use_program(Some(gl.program(VS, FS)));
    gl.vertex_array();
    // Four quads from left to right, four vertices each, red rising.
    let (mut at, mut color) = (Vec::new(), Vec::new());
    for i in 0..4 {
        let left = -1.0 + 0.5 * i as f32;
        at.extend([left, -1.0, left + 0.5, -1.0, left, 1.0, left + 0.5, 1.0]);
        color.extend([0.2 * (i + 1) as f32, 0.0, 0.0, 1.0].repeat(4));
    }
    gl.attribute(0, 2, &at);
    gl.attribute(1, 4, &color);
    let check = |gl: &Gl, drawn: [bool; 4], what: &str| {
        for (i, drawn) in drawn.into_iter().enumerate() {
            let red = 51 * (i as u8 + 1);
            let wanted = if drawn { [red, 0, 0, 255] } else { NOTHING8 };
            gl.expect(i as i32 * 4 + 2, 4, wanted, &format!("{what}, quad {i}"));
        }
        gl.clear(glow::COLOR_BUFFER_BIT);
    };
    gl.raw.glMultiDrawArrays(
        glow::TRIANGLE_STRIP,
        [0, 4, 12].as_ptr(),
        [4, 0, 4].as_ptr(),
        3,
    );
    check(gl, [true, false, false, true], "arrays");
    gl.buffer(
        glow::ELEMENT_ARRAY_BUFFER,
        &bytes_of(&[0u16, 1, 2, 3, 8, 9, 10, 11]),
    );
    let offsets = [16usize - 8, 0].map(|offset| offset as *const c_void);
    gl.raw.glMultiDrawElements(
        glow::TRIANGLE_STRIP,
        [4, 0].as_ptr(),
        glow::UNSIGNED_SHORT,
        offsets.as_ptr(),
        2,
    );
    check(gl, [false, false, true, false], "elements");
    let offsets = [0usize, 0, 8].map(|offset| offset as *const c_void);
    gl.raw.glMultiDrawElementsBaseVertex(
        glow::TRIANGLE_STRIP,
        [4, 4, 4].as_ptr(),
        glow::UNSIGNED_SHORT,
        offsets.as_ptr(),
        3,
        [4, 0, 4].as_ptr(),
    );
    check(
        gl,
        [true, true, false, true],
        "elements with base vertices 4, 0, 4",
    );
    gl.raw
        .glMultiDrawArrays(glow::TRIANGLE_STRIP, [0].as_ptr(), [-1].as_ptr(), 1);
    gl.error(glow::INVALID_VALUE, "a negative count");
    check(gl, [false; 4], "nothing after an error");
}

/// Rule: the base vertex moves elements, the base instance moves attributes with a divisor; `gl_InstanceID` starts at 0
/// (GL 4.6 core §10.4, §11.1.3.9).
/// Broken: instances were drawn at wrong places, because the index of the backend contains the base.
/// Public report: <https://github.com/gfx-rs/wgpu/issues/4276>
pub unsafe fn base_vertex_and_base_instance(gl: &Gl) {
    gl.target(16, 16);
    let program = gl.program(
        "#version 330 core
        layout(location = 0) in float red; flat out float c;
        void main() {
            float left = -1.0 + 0.5 * float(gl_InstanceID);
            c = red / 255.0;
            gl_Position = vec4(left + 0.5 * float(gl_VertexID & 1), float(gl_VertexID & 2) - 1.0, 0.0, 1.0);
        }",
        "#version 330 core
        flat in float c; out vec4 o; void main() { o = vec4(c, 0.0, 0.0, 1.0); }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    gl.attribute(0, 1, &[10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0]);
    gl.vertex_attrib_divisor(0, 1);
    gl.draw_arrays_instanced_base_instance(glow::TRIANGLE_STRIP, 0, 4, 2, 5);
    gl.expect(2, 8, [60, 0, 0, 255], "instance 0");
    gl.expect(6, 8, [70, 0, 0, 255], "instance 1");
    gl.expect(10, 8, NOTHING8, "no instance 2");
    gl.expect(14, 8, NOTHING8, "no instance 3");
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.buffer(glow::DRAW_INDIRECT_BUFFER, &bytes_of(&[4u32, 2, 0, 3]));
    gl.draw_arrays_indirect_offset(glow::TRIANGLE_STRIP, 0);
    gl.expect(2, 8, [40, 0, 0, 255], "indirect, instance 0");
    gl.expect(6, 8, [50, 0, 0, 255], "indirect, instance 1");
    gl.expect(10, 8, NOTHING8, "indirect, no instance 2");
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.draw_arrays_instanced(glow::TRIANGLE_STRIP, 0, 4, 3);
    gl.expect(2, 8, [10, 0, 0, 255], "without a base");
    gl.expect(10, 8, [30, 0, 0, 255], "without a base, instance 2");
    // gl_VertexID contains the base vertex: elements 0-3 with base 4 are vertices 4-7, whose low bits are the same.
    gl.buffer(glow::ELEMENT_ARRAY_BUFFER, &bytes_of(&[0u16, 1, 2, 3]));
    gl.draw_elements_instanced_base_vertex_base_instance(
        glow::TRIANGLE_STRIP,
        4,
        glow::UNSIGNED_SHORT,
        0,
        1,
        4,
        7,
    );
    gl.expect(2, 8, [80, 0, 0, 255], "both bases");
}
