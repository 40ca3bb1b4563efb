//! Runs of bindings (ARB_multi_bind): what each point gets, and that a wrong element keeps the others from nothing.

use glow::HasContext;

use crate::gl::{Gl, bytes_of};
use crate::lane::Lane;
use crate::paint::*;

const GL_UNIFORM_BUFFER_BINDING: u32 = 0x8A28;
const GL_UNIFORM_BUFFER_START: u32 = 0x8A29;
const GL_UNIFORM_BUFFER_SIZE: u32 = 0x8A2A;

unsafe fn indexed(gl: &Gl, name: u32, index: u32) -> i32 {
    let mut value = -1;
    gl.raw.glGetIntegeri_v(name, index, &mut value);
    value
}

/// Rule: glBindBuffersBase and -Range bind a run of points and leave the plain one; a wrong element is an error that leaves its own
/// point alone (GL 4.6 core §6.1.1).
/// Broken: the commands were missing, or one wrong name unbound the rest.
pub unsafe fn multi_bind_buffers(gl: &Gl) {
    gl.target(8, 8);
    let program = gl.program(
        TRI,
        "#version 330 core
layout(std140) uniform A { vec4 a; }; layout(std140) uniform B { vec4 b; }; out vec4 o;
void main() { o = a + b; }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    for (name, point) in [("A", 1), ("B", 2)] {
        let block = gl.get_uniform_block_index(program, name).expect("a block");
        gl.uniform_block_binding(program, block, point);
    }
    // Room for an offset of any alignment.
    let colors = |first: [f32; 4], second: [f32; 4]| {
        let mut floats = vec![0.0; 128];
        floats[..4].copy_from_slice(&first);
        floats[64..68].copy_from_slice(&second);
        gl.buffer(glow::UNIFORM_BUFFER, &bytes_of(&floats))
    };
    let red = colors([1.0, 0.0, 0.0, 0.5], [0.0, 0.0, 1.0, 0.5]);
    let green = colors([0.0, 1.0, 0.0, 0.5], [0.0; 4]);
    let plain = gl.buffer(glow::UNIFORM_BUFFER, &[0; 16]);
    let (red, green, plain) = (red.0.get(), green.0.get(), plain.0.get());
    let draw = |wanted: [u8; 4], what: &str| {
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(4, 4, wanted, what);
    };
    let target = glow::UNIFORM_BUFFER;
    gl.raw
        .glBindBuffersBase(target, 1, 2, [red, green].as_ptr());
    gl.no_error("glBindBuffersBase");
    draw([255, 255, 0, 255], "both blocks");
    let bound = gl.get_parameter_i32(GL_UNIFORM_BUFFER_BINDING);
    assert_eq!(bound, plain as i32, "the plain point stays");
    let (offsets, sizes) = ([256isize, 0], [256isize, 512]);
    gl.raw.glBindBuffersRange(
        target,
        1,
        2,
        [red, green].as_ptr(),
        offsets.as_ptr(),
        sizes.as_ptr(),
    );
    gl.no_error("glBindBuffersRange");
    draw([0, 255, 255, 255], "the second colour and green");
    assert_eq!(indexed(gl, GL_UNIFORM_BUFFER_BINDING, 1), red as i32);
    assert_eq!(indexed(gl, GL_UNIFORM_BUFFER_START, 1), 256);
    assert_eq!(indexed(gl, GL_UNIFORM_BUFFER_SIZE, 2), 512);
    // The first name is wrong: its point keeps what it has, the second is bound.
    gl.raw.glBindBuffersBase(target, 1, 2, [9999, red].as_ptr());
    gl.error(glow::INVALID_OPERATION, "a name without an object");
    assert_eq!(indexed(gl, GL_UNIFORM_BUFFER_START, 1), 256);
    assert_eq!(indexed(gl, GL_UNIFORM_BUFFER_BINDING, 2), red as i32);
    draw([255, 0, 255, 255], "the second colour and red");
    gl.raw.glBindBuffersRange(
        target,
        1,
        2,
        [red, green].as_ptr(),
        [1isize, 0].as_ptr(),
        [16isize, 16].as_ptr(),
    );
    gl.error(glow::INVALID_VALUE, "an offset that is not aligned");
    draw([0, 255, 255, 255], "the second element is bound");
    gl.raw.glBindBuffersBase(target, 1, 2, std::ptr::null());
    gl.no_error("no names");
    assert_eq!(indexed(gl, GL_UNIFORM_BUFFER_BINDING, 1), 0);
    assert_eq!(indexed(gl, GL_UNIFORM_BUFFER_BINDING, 2), 0);
    let limit = gl.get_parameter_i32(glow::MAX_UNIFORM_BUFFER_BINDINGS) as u32;
    gl.raw
        .glBindBuffersBase(target, limit - 1, 2, [red, green].as_ptr());
    gl.error(glow::INVALID_OPERATION, "past the last point");
    if gl.lane() != Lane::native {
        // GL 4.6 core §2.3.1; Mesa finds first + count too great.
        gl.raw.glBindBuffersBase(target, 0, -1, std::ptr::null());
        gl.error(glow::INVALID_VALUE, "a negative count");
    }
    gl.raw
        .glBindBuffersBase(glow::ARRAY_BUFFER, 0, 1, [red].as_ptr());
    gl.error(glow::INVALID_ENUM, "a target without indexed points");
}

/// Rule: glBindTextures binds each texture to its own target, zero unbinds every target; glBindSamplers likewise
/// (GL 4.6 core §8.1, §8.2). The active unit stays.
pub unsafe fn multi_bind_textures_and_samplers(gl: &Gl) {
    gl.target(8, 8);
    let program = gl.program(
        TRI,
        "#version 330 core
uniform sampler2D a; uniform sampler2D b; out vec4 o;
void main() { o = texture(a, vec2(0.5)) + texture(b, vec2(0.9)); }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    for (name, unit) in [("a", 3), ("b", 4)] {
        let at = gl.get_uniform_location(program, name);
        gl.uniform_1_i32(at.as_ref(), unit);
    }
    gl.active_texture(glow::TEXTURE7);
    let red = gl.texture_rgba8(1, 1, Some(&RED8)).0.get();
    // The last texel and the first: a sampler that repeats or clamps tells them apart.
    let stripe = gl.texture_rgba8(2, 1, Some(&[GREEN8, BLUE8].concat()));
    let stripe = stripe.0.get();
    let buffer_texture = gl.create_texture().expect("glGenTextures");
    gl.bind_texture(glow::TEXTURE_BUFFER, Some(buffer_texture));
    let draw = |wanted: [u8; 4], what: &str| {
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(4, 4, wanted, what);
    };
    gl.raw.glBindTextures(3, 2, [red, stripe].as_ptr());
    gl.no_error("glBindTextures");
    draw([255, 0, 255, 255], "red and the last texel");
    assert_eq!(
        gl.get_parameter_i32(glow::ACTIVE_TEXTURE),
        glow::TEXTURE7 as i32
    );
    gl.raw.glBindTextures(3, 2, [stripe, 9999].as_ptr());
    gl.error(glow::INVALID_OPERATION, "a name without an object");
    gl.raw.glBindTextures(4, 1, [red].as_ptr());
    draw([255, 0, 255, 255], "what was good of the refused run");
    // A linear filter mixes both texels of unit 3.
    let sampler = gl.create_sampler().expect("glGenSamplers");
    for filter in [glow::TEXTURE_MIN_FILTER, glow::TEXTURE_MAG_FILTER] {
        gl.sampler_parameter_i32(sampler, filter, glow::LINEAR as i32);
    }
    gl.raw.glBindSamplers(3, 2, [sampler.0.get(), 0].as_ptr());
    gl.no_error("glBindSamplers");
    draw([255, 128, 128, 255], "a linear filter on unit 3");
    gl.raw.glBindSamplers(3, 1, [9999].as_ptr());
    gl.error(glow::INVALID_OPERATION, "a name that is no sampler");
    draw([255, 128, 128, 255], "the sampler stays");
    gl.raw.glBindSamplers(3, 2, std::ptr::null());
    gl.no_error("no samplers");
    draw([255, 0, 255, 255], "the textures' own filters");
    gl.raw.glBindTextures(7, 1, [0].as_ptr());
    gl.no_error("zero");
    assert_eq!(gl.get_parameter_i32(glow::TEXTURE_BINDING_2D), 0);
    assert_eq!(gl.get_parameter_i32(TEXTURE_BINDING_BUFFER), 0);
    gl.raw.glBindTextures(3, 1, std::ptr::null());
    gl.active_texture(glow::TEXTURE3);
    assert_eq!(gl.get_parameter_i32(glow::TEXTURE_BINDING_2D), 0);
    let units = gl.get_parameter_i32(glow::MAX_COMBINED_TEXTURE_IMAGE_UNITS) as u32;
    gl.raw.glBindTextures(units, 1, std::ptr::null());
    gl.error(glow::INVALID_OPERATION, "past the last unit");
    gl.raw.glBindSamplers(units - 1, 2, std::ptr::null());
    gl.error(glow::INVALID_OPERATION, "samplers past the last unit");
}

const TEXTURE_BINDING_BUFFER: u32 = 0x8C2C;

/// Rule: glBindVertexBuffers gives a run of points their buffers, offsets and strides; without names no buffer, offset 0 and
/// stride 16 (GL 4.6 core §10.3.2).
pub unsafe fn multi_bind_vertex_buffers(gl: &Gl) {
    const GL_VERTEX_BINDING_OFFSET: u32 = 0x82D7;
    const GL_VERTEX_BINDING_STRIDE: u32 = 0x82D8;
    const GL_VERTEX_BINDING_BUFFER: u32 = 0x8F4F;
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
    let corners = gl.buffer(
        glow::ARRAY_BUFFER,
        &bytes_of(&[-1.0f32, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0]),
    );
    let green = [[0.0f32; 4], GREEN].concat();
    let colors = gl.buffer(glow::ARRAY_BUFFER, &bytes_of(&green));
    let (corners, colors) = (corners.0.get(), colors.0.get());
    for (attribute, size) in [(0, 2), (1, 4)] {
        gl.raw
            .glVertexAttribFormat(attribute, size, glow::FLOAT, 0, 0);
        gl.raw.glVertexAttribBinding(attribute, attribute + 5);
        gl.enable_vertex_attrib_array(attribute);
    }
    let bind = |names: &[u32], offsets: &[isize], strides: &[i32]| {
        let n = names.len() as i32;
        gl.raw
            .glBindVertexBuffers(5, n, names.as_ptr(), offsets.as_ptr(), strides.as_ptr());
    };
    let draw = |wanted: [u8; 4], what: &str| {
        gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
        gl.expect(4, 4, wanted, what);
    };
    // A stride of zero: every vertex has the one colour at the offset.
    bind(&[corners, colors], &[0, 16], &[8, 0]);
    gl.no_error("glBindVertexBuffers");
    draw(GREEN8, "both points");
    assert_eq!(indexed(gl, GL_VERTEX_BINDING_OFFSET, 6), 16);
    assert_eq!(indexed(gl, GL_VERTEX_BINDING_STRIDE, 6), 0);
    bind(&[corners, 9999], &[0, 0], &[8, 0]);
    gl.error(glow::INVALID_OPERATION, "a name without an object");
    bind(&[corners, colors], &[0, -1], &[8, 0]);
    gl.error(glow::INVALID_VALUE, "a negative offset");
    bind(&[corners, colors], &[0, 0], &[8, -1]);
    gl.error(glow::INVALID_VALUE, "a negative stride");
    draw(GREEN8, "refused elements keep their points");
    gl.raw
        .glBindVertexBuffers(6, 1, std::ptr::null(), std::ptr::null(), std::ptr::null());
    gl.no_error("no names");
    assert_eq!(indexed(gl, GL_VERTEX_BINDING_BUFFER, 6), 0);
    assert_eq!(indexed(gl, GL_VERTEX_BINDING_OFFSET, 6), 0);
    assert_eq!(indexed(gl, GL_VERTEX_BINDING_STRIDE, 6), 16);
    let points = gl.get_parameter_i32(glow::MAX_VERTEX_ATTRIB_BINDINGS);
    gl.raw.glBindVertexBuffers(
        points as u32,
        1,
        std::ptr::null(),
        std::ptr::null(),
        std::ptr::null(),
    );
    gl.error(glow::INVALID_OPERATION, "past the last point");
}
