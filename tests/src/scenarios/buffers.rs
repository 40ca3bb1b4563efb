//! Buffers: contents in order with draws, maps, copies, deletion. Vertex formats are no subject here.

use glow::HasContext;

use crate::gl::{Gl, bytes_of};
use crate::paint::*;

const COLOR_VS: &str = "#version 330 core
layout(location = 0) in vec2 at; layout(location = 1) in vec4 color; out vec4 c;
void main() { c = color; gl_Position = vec4(at, 0.0, 1.0); }";
const COLOR_FS: &str = "#version 330 core
in vec4 c; out vec4 o; void main() { o = c; }";
const QUAD: [f32; 8] = [-1.0, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0];

/// One colour for all four corners.
fn corners(color: [f32; 4]) -> Vec<u8> {
    bytes_of(&color.repeat(4))
}

/// Positions in attribute 0, colours of `color` in attribute 1; the colour buffer is left bound.
unsafe fn colored(gl: &Gl, color: [f32; 4]) -> glow::NativeBuffer {
    gl.use_program(Some(gl.program(COLOR_VS, COLOR_FS)));
    gl.vertex_array();
    gl.attribute(0, 2, &QUAD);
    gl.attribute(1, 4, &color.repeat(4))
}

unsafe fn draw(gl: &Gl, wanted: [u8; 4], what: &str) {
    gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
    gl.expect(4, 4, wanted, what);
}

unsafe fn contents(gl: &Gl, target: u32, length: usize) -> Vec<u8> {
    let mut bytes = vec![0x5a; length];
    gl.get_buffer_sub_data(target, 0, &mut bytes);
    gl.keep("buffer contents", &bytes);
    bytes
}

/// Rule: `glBufferData(NULL)` gives new storage of the given size; `glBufferSubData` then fills it (GL 4.6 core §6.2).
/// Broken: the new storage kept the old size, or the bytes that followed went to the old storage.
pub unsafe fn buffer_respecify_null_then_sub_data(gl: &Gl) {
    gl.target(8, 8);
    colored(gl, RED);
    draw(gl, RED8, "first storage");
    for (color, wanted) in [(GREEN, GREEN8), (BLUE, BLUE8), (RED, RED8)] {
        gl.buffer_data_size(glow::ARRAY_BUFFER, 64, glow::DYNAMIC_DRAW);
        gl.buffer_sub_data_u8_slice(glow::ARRAY_BUFFER, 0, &corners(color));
        draw(gl, wanted, "respecified with the same size");
    }
    gl.buffer_data_size(glow::ARRAY_BUFFER, 256, glow::DYNAMIC_DRAW);
    assert_eq!(
        gl.get_buffer_parameter_i32(glow::ARRAY_BUFFER, glow::BUFFER_SIZE),
        256
    );
    gl.buffer_sub_data_u8_slice(glow::ARRAY_BUFFER, 192, &corners(BLUE));
    gl.buffer_sub_data_u8_slice(glow::ARRAY_BUFFER, 0, &corners(GREEN));
    draw(gl, GREEN8, "larger");
    gl.vertex_attrib_pointer_f32(1, 4, glow::FLOAT, false, 0, 192);
    draw(gl, BLUE8, "its end");
    gl.raw.glBufferSubData(
        glow::ARRAY_BUFFER,
        224,
        64,
        bytes_of(&RED.repeat(4)).as_ptr().cast(),
    );
    gl.error(glow::INVALID_VALUE, "past the end");
    draw(gl, BLUE8, "a refused upload has no effect");
}

/// Rule: a deleted buffer that a vertex array still has attached keeps its contents for draws (GL 4.6 core §5.1.3); the binding
/// points of the context are reset.
/// Broken: the draw read freed memory, or nothing.
pub unsafe fn deleted_bound_buffer(gl: &Gl) {
    gl.target(8, 8);
    let buffer = colored(gl, GREEN);
    let array = gl.get_parameter_i32(glow::VERTEX_ARRAY_BINDING);
    assert_ne!(array, 0);
    draw(gl, GREEN8, "before");
    // Another vertex array is bound while it is deleted, so that the attachment of the first is not touched.
    let first = gl.get_parameter_vertex_array(glow::VERTEX_ARRAY_BINDING);
    gl.vertex_array();
    gl.delete_buffer(buffer);
    assert!(!gl.is_buffer(buffer), "its name is gone");
    assert_eq!(gl.get_parameter_i32(glow::ARRAY_BUFFER_BINDING), 0);
    // A new buffer may take the name; it is another object.
    let next = gl.buffer(glow::ARRAY_BUFFER, &corners(RED));
    gl.bind_vertex_array(first);
    draw(
        gl,
        GREEN8,
        "after deletion, attached to another vertex array",
    );
    gl.vertex_attrib_pointer_f32(1, 4, glow::FLOAT, false, 0, 0);
    draw(gl, RED8, "the new buffer");
    gl.buffer_sub_data_u8_slice(glow::ARRAY_BUFFER, 0, &corners(BLUE));
    draw(gl, BLUE8, "the new buffer, rewritten");
    gl.delete_buffer(next);
    // Deleted while attached to the bound vertex array: detached, so the attribute has no buffer. Nothing is drawn with it.
    assert_eq!(gl.get_parameter_i32(glow::ARRAY_BUFFER_BINDING), 0);
}

/// Rule: each draw sees the contents as of its place in the command stream (GL 4.6 core §2.1).
/// Broken: all uploads of a frame ran before its draws, so every draw had the last colour.
pub unsafe fn upload_order(gl: &Gl) {
    gl.target(32, 8);
    colored(gl, RED);
    for (i, color) in [RED, GREEN, BLUE, WHITE].into_iter().enumerate() {
        gl.buffer_sub_data_u8_slice(glow::ARRAY_BUFFER, 0, &corners(color));
        gl.viewport(i as i32 * 8, 0, 8, 8);
        gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
    }
    for (i, wanted) in [RED8, GREEN8, BLUE8, WHITE8].into_iter().enumerate() {
        gl.expect(i as i32 * 8 + 4, 4, wanted, &format!("draw {i}"));
    }
    // The same by mapping, and by respecifying.
    for (i, color) in [WHITE, RED, GREEN, BLUE].into_iter().enumerate() {
        if i % 2 == 0 {
            let pointer = gl.map_buffer_range(
                glow::ARRAY_BUFFER,
                0,
                64,
                glow::MAP_WRITE_BIT | glow::MAP_INVALIDATE_BUFFER_BIT,
            );
            assert!(!pointer.is_null());
            pointer.copy_from_nonoverlapping(corners(color).as_ptr(), 64);
            gl.unmap_buffer(glow::ARRAY_BUFFER);
        } else {
            gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, &corners(color), glow::STREAM_DRAW);
        }
        gl.viewport(i as i32 * 8, 0, 8, 8);
        gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
    }
    for (i, wanted) in [WHITE8, RED8, GREEN8, BLUE8].into_iter().enumerate() {
        gl.expect(
            i as i32 * 8 + 4,
            4,
            wanted,
            &format!("second row, draw {i}"),
        );
    }
}

/// Rule: contents last until they are changed, over any number of frames.
/// Broken: a ring took the storage back after some frames.
pub unsafe fn cross_frame_buffer(gl: &Gl) {
    gl.target(8, 8);
    let buffer = colored(gl, GREEN);
    for frame in 0..6 {
        gl.clear(glow::COLOR_BUFFER_BIT);
        draw(gl, GREEN8, &format!("frame {frame}"));
        // Other uploads of the frame, through another buffer.
        let other = gl.buffer(glow::ARRAY_BUFFER, &vec![frame as u8; 4096]);
        gl.finish();
        gl.delete_buffer(other);
    }
    gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer));
    gl.buffer_sub_data_u8_slice(glow::ARRAY_BUFFER, 0, &corners(BLUE));
    gl.finish();
    draw(gl, BLUE8, "changed between frames");
    gl.finish();
    draw(gl, BLUE8, "and kept");
}

/// Rule: the offset of `glFlushMappedBufferRange` counts from the mapping (GL 4.6 core §6.3.1).
/// Broken: data went to a wrong place, or the wrong bytes were overwritten, where a shadow copy was used.
/// Public reports: <https://github.com/baldurk/renderdoc/pull/833>, <https://github.com/gfx-rs/wgpu/issues/6137>
pub unsafe fn flush_explicit_offsets(gl: &Gl) {
    gl.buffer(glow::ARRAY_BUFFER, &[0x11; 16]);
    let map = |offset, length, access| {
        let pointer = gl.map_buffer_range(glow::ARRAY_BUFFER, offset, length, access);
        assert!(!pointer.is_null(), "glMapBufferRange({offset}, {length})");
        pointer
    };
    map(8, 8, glow::MAP_WRITE_BIT | glow::MAP_FLUSH_EXPLICIT_BIT).write_bytes(0x77, 4);
    gl.flush_mapped_buffer_range(glow::ARRAY_BUFFER, 0, 4);
    gl.no_error("a flush inside the mapping");
    gl.flush_mapped_buffer_range(glow::ARRAY_BUFFER, 4, 8);
    gl.error(glow::INVALID_VALUE, "a flush past the end of the mapping");
    gl.unmap_buffer(glow::ARRAY_BUFFER);
    let bytes = contents(gl, glow::ARRAY_BUFFER, 16);
    assert_eq!(bytes[..12], [[0x11; 4], [0x11; 4], [0x77; 4]].concat());
    map(0, 8, glow::MAP_WRITE_BIT);
    gl.flush_mapped_buffer_range(glow::ARRAY_BUFFER, 0, 4);
    gl.error(
        glow::INVALID_OPERATION,
        "a flush without MAP_FLUSH_EXPLICIT_BIT",
    );
    gl.unmap_buffer(glow::ARRAY_BUFFER);
    map(4, 4, glow::MAP_WRITE_BIT | glow::MAP_INVALIDATE_RANGE_BIT).write_bytes(0x55, 4);
    gl.unmap_buffer(glow::ARRAY_BUFFER);
    let bytes = contents(gl, glow::ARRAY_BUFFER, 16);
    assert_eq!(bytes[4..12], [[0x55; 4], [0x77; 4]].concat());
}

/// Rule: `glCopyBufferSubData` copies between buffers and inside one; overlapping ranges of one buffer are INVALID_VALUE
/// (GL 4.6 core §6.6).
/// Broken: the copy read bytes that it had just written, or the refused copy had an effect.
pub unsafe fn copy_buffer_overlap(gl: &Gl) {
    let numbers: Vec<u8> = (0..16).collect();
    gl.buffer(glow::COPY_READ_BUFFER, &numbers);
    gl.buffer(glow::COPY_WRITE_BUFFER, &[0xee; 16]);
    gl.copy_buffer_sub_data(glow::COPY_READ_BUFFER, glow::COPY_WRITE_BUFFER, 4, 2, 6);
    let bytes = contents(gl, glow::COPY_WRITE_BUFFER, 16);
    assert_eq!(
        bytes,
        [
            0xee, 0xee, 4, 5, 6, 7, 8, 9, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee
        ]
    );
    gl.copy_buffer_sub_data(glow::COPY_READ_BUFFER, glow::COPY_READ_BUFFER, 0, 8, 8);
    gl.no_error("ranges that touch");
    gl.copy_buffer_sub_data(glow::COPY_READ_BUFFER, glow::COPY_READ_BUFFER, 0, 7, 8);
    gl.error(glow::INVALID_VALUE, "ranges that overlap by a byte");
    gl.copy_buffer_sub_data(glow::COPY_READ_BUFFER, glow::COPY_WRITE_BUFFER, 12, 0, 8);
    gl.error(glow::INVALID_VALUE, "past the end of the source");
    let bytes = contents(gl, glow::COPY_READ_BUFFER, 16);
    assert_eq!(bytes, [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7]);
    // A copy is a write: the next draw sees it.
    gl.target(8, 8);
    let colors = colored(gl, RED);
    draw(gl, RED8, "before the copy");
    gl.buffer(glow::COPY_READ_BUFFER, &corners(BLUE));
    gl.bind_buffer(glow::COPY_WRITE_BUFFER, Some(colors));
    gl.copy_buffer_sub_data(glow::COPY_READ_BUFFER, glow::COPY_WRITE_BUFFER, 0, 0, 64);
    draw(gl, BLUE8, "after the copy");
}

/// Rule: a map for reading gives what was written by any way before (GL 4.6 core §6.3).
/// Broken: the map gave the shadow of the last upload instead of the copy's result.
pub unsafe fn map_reads_what_was_written(gl: &Gl) {
    gl.buffer(glow::ARRAY_BUFFER, &[1; 32]);
    gl.buffer_sub_data_u8_slice(glow::ARRAY_BUFFER, 8, &[2; 8]);
    gl.buffer(glow::COPY_READ_BUFFER, &[3; 8]);
    gl.copy_buffer_sub_data(glow::COPY_READ_BUFFER, glow::ARRAY_BUFFER, 0, 16, 8);
    let pointer = gl.map_buffer_range(
        glow::ARRAY_BUFFER,
        4,
        28,
        glow::MAP_READ_BIT | glow::MAP_WRITE_BIT,
    );
    assert!(!pointer.is_null());
    let seen = std::slice::from_raw_parts(pointer, 28).to_vec();
    assert_eq!(
        seen,
        [[1u8; 4].as_slice(), &[2; 8], &[3; 8], &[1; 8]].concat()
    );
    gl.keep("mapped", &seen);
    pointer.add(20).write_bytes(4, 8);
    gl.raw
        .glBufferSubData(glow::ARRAY_BUFFER, 2, 4, [9u8; 4].as_ptr().cast());
    gl.error(
        glow::INVALID_OPERATION,
        "glBufferSubData over a mapped range",
    );
    gl.unmap_buffer(glow::ARRAY_BUFFER);
    assert_eq!(
        contents(gl, glow::ARRAY_BUFFER, 32)[20..],
        [[3u8; 4].as_slice(), &[4; 8]].concat()
    );
    assert!(
        gl.raw
            .glMapBuffer(glow::COPY_WRITE_BUFFER, glow::READ_ONLY)
            .is_null()
    );
    gl.error(glow::INVALID_OPERATION, "a map without a buffer");
}
