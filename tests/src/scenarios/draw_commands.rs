//! Every command that draws, by the pixels that it fills; and what stands around draws: captures, counts, conditions, ends.

use std::ffi::c_void;

use glow::HasContext;

use crate::gl::{Gl, bytes_of};
use crate::paint::*;

/// Instances go right by half the width; vertices below a base are nowhere.
const VERTEX: &str = "#version 330 core
layout(location = 0) in vec2 at;
void main() { gl_Position = vec4(at + vec2(gl_InstanceID, 0.0), 0.0, 1.0); }";
const FRAGMENT: &str = "#version 330 core
out vec4 o; void main() { o = vec4(0.0, 1.0, 0.0, 1.0); }";

/// Rule: elements with a base vertex, with a range, and instances of them (GL 4.6 core §10.4).
/// Broken: one of the variants drew nothing, or always from vertex 0.
pub unsafe fn draws_of_every_command(gl: &Gl) {
    let raw = &gl.raw;
    gl.target(8, 8);
    gl.use_program(Some(gl.program(VERTEX, FRAGMENT)));
    gl.vertex_array();
    // Four vertices outside, then the left half.
    let outside = [4.0f32; 8];
    let left = [-1.0, -1.0, 0.0, -1.0, -1.0, 1.0, 0.0, 1.0];
    gl.attribute(0, 2, &[outside, left].concat());
    let elements = [9u16, 4, 5, 6, 7, 0, 1, 2, 3];
    gl.buffer(glow::ELEMENT_ARRAY_BUFFER, &bytes_of(&elements));
    let (strip, short) = (glow::TRIANGLE_STRIP, glow::UNSIGNED_SHORT);
    let at = |bytes: usize| std::ptr::without_provenance::<c_void>(bytes);
    let expect = |right: bool, what: &str| {
        gl.expect(1, 4, GREEN8, what);
        let wanted = if right { GREEN8 } else { NOTHING8 };
        gl.expect(6, 4, wanted, &format!("the right half, {what}"));
        gl.clear(glow::COLOR_BUFFER_BIT);
    };
    raw.glDrawArrays(strip, 4, 4);
    expect(false, "glDrawArrays");
    raw.glDrawArraysInstanced(strip, 4, 4, 2);
    expect(true, "glDrawArraysInstanced");
    raw.glDrawElements(strip, 4, short, at(2));
    expect(false, "glDrawElements");
    raw.glDrawRangeElements(strip, 4, 7, 4, short, at(2));
    expect(false, "glDrawRangeElements");
    raw.glDrawElementsInstanced(strip, 4, short, at(2), 2);
    expect(true, "glDrawElementsInstanced");
    raw.glDrawElementsBaseVertex(strip, 4, short, at(10), 4);
    expect(false, "glDrawElementsBaseVertex");
    raw.glDrawRangeElementsBaseVertex(strip, 0, 3, 4, short, at(10), 4);
    expect(false, "glDrawRangeElementsBaseVertex");
    raw.glDrawElementsInstancedBaseVertex(strip, 4, short, at(10), 2, 4);
    expect(true, "glDrawElementsInstancedBaseVertex");
    gl.no_error("draws");
}

/// Rule: captured primitives are counted, and those made as well (GL 4.6 core §13.4); what is between the begin and the end is captured, and
/// nothing else (§13.3.2).
/// Broken: a capture went on behind its end.
pub unsafe fn captures_are_counted(gl: &Gl) {
    let raw = &gl.raw;
    gl.target(8, 8);
    let program = gl.program(VERTEX, FRAGMENT);
    let name = program.0.get();
    let names = [c"gl_Position".as_ptr()];
    raw.glTransformFeedbackVaryings(name, 1, names.as_ptr(), glow::INTERLEAVED_ATTRIBS);
    gl.link_program(program);
    gl.use_program(Some(program));
    gl.vertex_array();
    gl.attribute(0, 2, &[0.25, 0.5, 0.75, 0.125, -0.5, 0.0]);
    let buffer = gl.buffer(glow::TRANSFORM_FEEDBACK_BUFFER, &[0xEE; 48]);
    raw.glBindBufferBase(glow::TRANSFORM_FEEDBACK_BUFFER, 0, buffer.0.get());
    let mut queries = [0; 2];
    raw.glGenQueries(2, queries.as_mut_ptr());
    raw.glBeginQuery(glow::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, queries[0]);
    raw.glBeginTransformFeedback(glow::POINTS);
    raw.glDrawArrays(glow::POINTS, 0, 2);
    raw.glEndTransformFeedback();
    raw.glDrawArrays(glow::TRIANGLES, 0, 3);
    raw.glEndQuery(glow::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    let mut count = 99;
    raw.glGetQueryObjectuiv(queries[0], glow::QUERY_RESULT, &raw mut count);
    assert_eq!(count, 2, "captured points");
    let mut seen = [0u8; 48];
    gl.get_buffer_sub_data(glow::TRANSFORM_FEEDBACK_BUFFER, 0, &mut seen);
    let wanted = bytes_of(&[0.25f32, 0.5, 0.0, 1.0, 0.75, 0.125, 0.0, 1.0]);
    assert_eq!(seen[..32], wanted, "two positions");
    assert_eq!(seen[32..], [0xEE; 16], "and no third");
    gl.no_error("a capture");
}

/// Rule: a draw between the begin and the end of a condition counts only where its query saw samples (GL 4.6 core §10.9).
/// Broken: the condition never ended, or never began.
pub unsafe fn conditions_begin_and_end(gl: &Gl) {
    let raw = &gl.raw;
    gl.target(8, 8);
    let painter = Painter::new(gl);
    let mut query = 0;
    raw.glGenQueries(1, &raw mut query);
    raw.glBeginQuery(glow::SAMPLES_PASSED, query);
    painter.fill(gl, [2.0, 2.0, 3.0, 3.0], RED);
    raw.glEndQuery(glow::SAMPLES_PASSED);
    const QUERY_WAIT: u32 = 0x8E13;
    raw.glBeginConditionalRender(query, QUERY_WAIT);
    painter.fill(gl, WHOLE, RED);
    raw.glEndConditionalRender();
    gl.expect(4, 4, NOTHING8, "no sample passed");
    painter.fill(gl, WHOLE, GREEN);
    gl.expect(4, 4, GREEN8, "behind the end");
    raw.glBeginConditionalRender(query, QUERY_WAIT);
    raw.glBeginConditionalRender(query, QUERY_WAIT);
    gl.error(glow::INVALID_OPERATION, "a condition within a condition");
    raw.glEndConditionalRender();
    gl.no_error("conditions");
}

/// Rule: a time is noted once the commands before it are done (GL 4.6 core §4.3).
/// Broken: it was 0 for ever.
pub unsafe fn times_are_noted(gl: &Gl) {
    let raw = &gl.raw;
    let mut bits = -9;
    raw.glGetQueryiv(glow::TIMESTAMP, 0x8864, &raw mut bits);
    assert!(bits == 0 || bits >= 30, "{bits} bits");
    let mut query = 0;
    raw.glGenQueries(1, &raw mut query);
    raw.glQueryCounter(query, glow::TIMESTAMP);
    assert_eq!(raw.glIsQuery(query), 1, "the counter made it an object");
    let mut time = 0;
    raw.glGetQueryObjectui64v(query, glow::QUERY_RESULT, &raw mut time);
    assert!(bits == 0 || time != 0, "a time");
    gl.no_error("times");
}
