//! Behaviour that came with an extension and needs a small program only: indirect draws, explicit locations, contexts without errors.

use glow::HasContext;
use khronos_egl as egl;

use crate::gl::{Gl, bytes_of};
use crate::paint::*;

/// Rule: each command of a multi-draw starts its instances at 0 and has its own base instance and base vertex; a stride of zero is
/// tight (GL 4.6 core §10.4; ARB_multi_draw_indirect).
pub unsafe fn multi_draw_indirect(gl: &Gl) {
    gl.target(16, 8);
    let program = gl.program(
        "#version 330 core
layout(location = 0) in vec2 at; layout(location = 1) in vec2 place; layout(location = 2) in vec4 color;
out vec4 c;
void main() { c = color; gl_Position = vec4(at * vec2(0.25, 1.0) + place, 0.0, 1.0); }",
        "#version 330 core
in vec4 c; out vec4 o; void main() { o = c; }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    // Vertices 0 to 3 are nothing, 4 to 7 a quad.
    let quad = [-1.0f32, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0];
    gl.attribute(0, 2, &[[0.0; 8], quad].concat());
    let places = [-0.75f32, 0.0, -0.25, 0.0, 0.25, 0.0, 0.75, 0.0];
    gl.attribute(1, 2, &places);
    gl.attribute(2, 4, &[RED, GREEN, BLUE, WHITE].concat());
    gl.vertex_attrib_divisor(1, 1);
    gl.vertex_attrib_divisor(2, 1);
    let expect = |wanted: [[u8; 4]; 4], what: &str| {
        for (i, wanted) in wanted.into_iter().enumerate() {
            gl.expect(2 + 4 * i as i32, 4, wanted, &format!("{what}, column {i}"));
        }
    };
    // count, instances, first, base instance; a command of no instances between.
    let commands = [[4u32, 2, 4, 0], [4, 0, 4, 0], [4, 1, 4, 3]].concat();
    gl.buffer(glow::DRAW_INDIRECT_BUFFER, &bytes_of(&commands));
    gl.raw
        .glMultiDrawArraysIndirect(glow::TRIANGLE_STRIP, std::ptr::null(), 3, 0);
    gl.no_error("glMultiDrawArraysIndirect");
    expect([RED8, GREEN8, NOTHING8, WHITE8], "arrays");
    gl.clear(glow::COLOR_BUFFER_BIT);
    // count, instances, first index, base vertex, base instance, and a word between the commands.
    let commands = [[4u32, 1, 1, 4, 1, 99], [4, 1, 1, 4, 2, 99]].concat();
    gl.buffer(glow::DRAW_INDIRECT_BUFFER, &bytes_of(&commands));
    gl.buffer(glow::ELEMENT_ARRAY_BUFFER, &bytes_of(&[9u16, 0, 1, 2, 3]));
    gl.raw.glMultiDrawElementsIndirect(
        glow::TRIANGLE_STRIP,
        glow::UNSIGNED_SHORT,
        std::ptr::null(),
        2,
        24,
    );
    gl.no_error("glMultiDrawElementsIndirect");
    expect([NOTHING8, GREEN8, BLUE8, NOTHING8], "elements");
    let at = |offset: usize| offset as *const std::ffi::c_void;
    gl.raw
        .glMultiDrawArraysIndirect(glow::TRIANGLE_STRIP, at(0), 1, 3);
    gl.error(glow::INVALID_VALUE, "a stride that is no multiple of four");
    gl.raw
        .glMultiDrawArraysIndirect(glow::TRIANGLE_STRIP, at(40), 1, 0);
    gl.error(glow::INVALID_OPERATION, "a command past the buffer's end");
    gl.raw
        .glMultiDrawArraysIndirect(glow::TRIANGLE_STRIP, at(0), -1, 0);
    gl.error(glow::INVALID_VALUE, "a negative count");
    gl.bind_buffer(glow::DRAW_INDIRECT_BUFFER, None);
    gl.raw
        .glMultiDrawArraysIndirect(glow::TRIANGLE_STRIP, at(0), 1, 0);
    gl.error(glow::INVALID_OPERATION, "no buffer");
}

/// Rule: a uniform may name its location, arrays take as many as they have elements, and the others get what is left
/// (ARB_explicit_uniform_location; GLSL 4.60 §4.4.3).
pub unsafe fn explicit_uniform_locations(gl: &Gl) {
    gl.target(8, 8);
    let program = gl.program(
        TRI,
        "#version 330 core
#extension GL_ARB_explicit_uniform_location : require
layout(location = 7) uniform float r;
layout(location = 2) uniform float gb[2];
uniform float a;
out vec4 o; void main() { o = vec4(r, gb[0], gb[1], a); }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    let location = |name| gl.get_uniform_location(program, name).map(|at| at.0);
    assert_eq!(location("r"), Some(7));
    assert_eq!(location("gb[0]"), Some(2));
    assert_eq!(location("gb[1]"), Some(3));
    let a = location("a").expect("a location");
    assert!(![2, 3, 7].contains(&a), "{a} is taken");
    gl.uniform_1_f32(Some(&glow::NativeUniformLocation(7)), 0.2);
    gl.uniform_1_f32(Some(&glow::NativeUniformLocation(3)), 0.6);
    gl.uniform_1_f32(Some(&glow::NativeUniformLocation(2)), 0.4);
    gl.uniform_1_f32(Some(&glow::NativeUniformLocation(a)), 0.8);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(4, 4, [51, 102, 153, 204], "by their locations");
    let clash = gl.try_program(
        TRI,
        "#version 330 core
#extension GL_ARB_explicit_uniform_location : require
layout(location = 2) uniform float gb[2]; layout(location = 3) uniform float r;
out vec4 o; void main() { o = vec4(r, gb[0], gb[1], 1.0); }",
    );
    assert!(clash.is_err(), "two uniforms at one location");
    assert!(
        gl.get_parameter_i32(0x826E) >= 1024,
        "GL_MAX_UNIFORM_LOCATIONS"
    );
}

/// Rule: a context without errors says so and answers none (KHR_no_error); one that was not lost has no reset to tell
/// (KHR_robustness).
pub unsafe fn contexts_without_errors(gl: &Gl) {
    assert_eq!(gl.raw.glGetGraphicsResetStatus(), glow::NO_ERROR);
    let (egl, display) = (gl.egl(), gl.display);
    let attributes = [
        egl::CONTEXT_MAJOR_VERSION,
        3,
        egl::CONTEXT_MINOR_VERSION,
        3,
        egl::CONTEXT_OPENGL_PROFILE_MASK,
        egl::CONTEXT_OPENGL_CORE_PROFILE_BIT,
        0x31B3, // EGL_CONTEXT_OPENGL_NO_ERROR_KHR
        1,
        egl::NONE,
    ];
    let context = egl
        .create_context(display.display, display.config, None, &attributes)
        .expect("eglCreateContext");
    egl.make_current(
        display.display,
        Some(gl.surface),
        Some(gl.surface),
        Some(context),
    )
    .expect("eglMakeCurrent");
    let flags = gl.get_parameter_i32(glow::CONTEXT_FLAGS);
    assert_eq!(flags & 8, 8, "GL_CONTEXT_FLAG_NO_ERROR_BIT");
    gl.enable(0x1234);
    assert_eq!(gl.get_error(), glow::NO_ERROR);
    gl.make_current();
    egl.destroy_context(display.display, context)
        .expect("eglDestroyContext");
    gl.enable(0x1234);
    gl.error(glow::INVALID_ENUM, "a context with errors");
}
