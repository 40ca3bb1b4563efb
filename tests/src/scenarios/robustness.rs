//! KHR_robustness: reads that say how much room there is, contexts that bound what shaders and vertex fetches reach. No device is lost
//! here.

use glow::HasContext;
use khronos_egl as egl;

use crate::gl::Gl;

const VERTEX: &str = "#version 330 core
layout(location = 0) in vec2 at;
layout(location = 1) in vec4 tint;
out vec4 colour;
void main() { gl_Position = vec4(at, 0.0, 1.0); colour = tint; }";
const FRAGMENT: &str = "#version 330 core
uniform vec3 f; uniform ivec2 i; uniform uint u;
in vec4 colour; out vec4 o;
void main() { o = colour + vec4(f * 0.0, 0.0) + vec4(float(i.x + i.y) * 0.0 + float(u) * 0.0); }";
const NOTHING: u8 = 0xee;

/// Rule: a read whose result does not fit into bufSize bytes is INVALID_OPERATION and writes nothing; one that just fits is the plain
/// read (KHR_robustness, GL 4.6 core §7.13 and §18.2.2).
/// Broken: the size was ignored, counted in components, or compared before the pack parameters were applied.
pub unsafe fn sized_reads(gl: &Gl) {
    gl.target(16, 16);
    gl.clear_color(0.2, 0.4, 0.6, 0.8);
    gl.clear(glow::COLOR_BUFFER_BIT);
    let read = |size: i32, room: &mut [u8]| {
        let out = room.as_mut_ptr().cast();
        gl.raw
            .glReadnPixels(0, 0, 2, 2, glow::RGBA, glow::UNSIGNED_BYTE, size, out);
    };
    let mut room = [NOTHING; 64];
    read(15, &mut room);
    gl.error(glow::INVALID_OPERATION, "a byte too few");
    read(-1, &mut room);
    gl.error(glow::INVALID_OPERATION, "less than nothing");
    assert!(room.iter().all(|byte| *byte == NOTHING), "{room:?}");
    read(16, &mut room);
    gl.no_error("what just fits");
    if gl.lane().draws() {
        assert_eq!(room[..16], [51, 102, 153, 204].repeat(4));
    }
    assert!(room[16..].iter().all(|byte| *byte == NOTHING), "{room:?}");
    // Two rows of 5 pixels apart: 20 + 8 bytes.
    gl.pixel_store_i32(glow::PACK_ROW_LENGTH, 5);
    read(27, &mut room);
    gl.error(glow::INVALID_OPERATION, "a byte too few with rows apart");
    read(28, &mut room);
    gl.no_error("rows apart that just fit");
    gl.pixel_store_i32(glow::PACK_ROW_LENGTH, 0);

    let program = gl.program(VERTEX, FRAGMENT);
    gl.use_program(Some(program));
    let name = program.0.get();
    let place = |of: &str| {
        gl.get_uniform_location(program, of)
            .expect("an active uniform")
            .0 as i32
    };
    let (f, i, u) = (place("f"), place("i"), place("u"));
    gl.uniform_3_f32(
        gl.get_uniform_location(program, "f").as_ref(),
        0.5,
        1.5,
        -2.0,
    );
    gl.uniform_2_i32(gl.get_uniform_location(program, "i").as_ref(), -3, 7);
    gl.uniform_1_u32(gl.get_uniform_location(program, "u").as_ref(), 0xffff_fff0);
    let mut floats = [9.0; 4];
    gl.raw.glGetnUniformfv(name, f, 11, floats.as_mut_ptr());
    gl.error(glow::INVALID_OPERATION, "a byte too few for a vec3");
    assert_eq!(floats, [9.0; 4]);
    gl.raw.glGetnUniformfv(name, f, 12, floats.as_mut_ptr());
    assert_eq!(floats, [0.5, 1.5, -2.0, 9.0]);
    let mut ints = [9; 3];
    gl.raw.glGetnUniformiv(name, i, 7, ints.as_mut_ptr());
    gl.error(glow::INVALID_OPERATION, "a byte too few for an ivec2");
    assert_eq!(ints, [9; 3]);
    gl.raw.glGetnUniformiv(name, i, 8, ints.as_mut_ptr());
    assert_eq!(ints, [-3, 7, 9]);
    let mut uints = [9; 2];
    gl.raw.glGetnUniformuiv(name, u, 3, uints.as_mut_ptr());
    gl.error(glow::INVALID_OPERATION, "a byte too few for a uint");
    gl.raw.glGetnUniformuiv(name, u, 4, uints.as_mut_ptr());
    assert_eq!(uints, [0xffff_fff0, 9]);
    gl.no_error("sized reads");
}

/// Rule: a context with robust buffer access says so, and a draw whose vertices lie outside of their buffer ends neither the program nor
/// the context (KHR_robustness "robust buffer access"): what was outside reads as zeros or as the buffer's own bytes.
/// Broken: the attribute was refused or forgotten, or the fetch read beyond the buffer.
pub unsafe fn reads_outside_a_buffer(gl: &Gl) {
    let (egl, display) = (gl.egl(), gl.display);
    let attributes = [
        egl::CONTEXT_MAJOR_VERSION,
        3,
        egl::CONTEXT_MINOR_VERSION,
        3,
        egl::CONTEXT_OPENGL_PROFILE_MASK,
        egl::CONTEXT_OPENGL_CORE_PROFILE_BIT,
        0x30BF, // EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT
        1,
        0x3138, // EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT
        0x31BF, // EGL_LOSE_CONTEXT_ON_RESET_EXT
        egl::NONE,
    ];
    let context = egl
        .create_context(display.display, display.config, None, &attributes)
        .expect("a robust context");
    egl.make_current(
        display.display,
        Some(gl.surface),
        Some(gl.surface),
        Some(context),
    )
    .expect("eglMakeCurrent");
    assert_eq!(
        gl.get_parameter_i32(glow::CONTEXT_FLAGS) & 4,
        4,
        "GL_CONTEXT_FLAG_ROBUST_ACCESS_BIT"
    );
    assert_eq!(gl.get_parameter_i32(0x90F3), 1, "GL_CONTEXT_ROBUST_ACCESS");
    assert_eq!(
        gl.get_parameter_i32(0x8256),
        0x8252,
        "GL_RESET_NOTIFICATION_STRATEGY is GL_LOSE_CONTEXT_ON_RESET"
    );
    gl.target(16, 16);
    let program = gl.program(VERTEX, FRAGMENT);
    gl.use_program(Some(program));
    gl.vertex_array();
    gl.attribute(0, 2, &[-1.0, -1.0, 3.0, -1.0, -1.0, 3.0]);
    // Colours of one vertex of three.
    gl.attribute(1, 4, &[0.0; 4]);
    gl.clear_color(1.0, 1.0, 1.0, 1.0);
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    let indices: Vec<u8> = [0u32, 1, 0x00ff_ffff].map(u32::to_le_bytes).concat();
    gl.buffer(glow::ELEMENT_ARRAY_BUFFER, &indices);
    gl.draw_elements(glow::TRIANGLES, 3, glow::UNSIGNED_INT, 0);
    gl.finish();
    assert_eq!(gl.raw.glGetGraphicsResetStatus(), glow::NO_ERROR);
    // The context still draws.
    gl.clear_color(0.2, 0.4, 0.6, 0.8);
    gl.clear(glow::COLOR_BUFFER_BIT);
    let mut pixel = [0; 4];
    gl.read_pixels(
        0,
        0,
        1,
        1,
        glow::RGBA,
        glow::UNSIGNED_BYTE,
        glow::PixelPackData::Slice(Some(&mut pixel)),
    );
    if gl.lane().draws() {
        assert_eq!(pixel, [51, 102, 153, 204]);
    }
    gl.no_error("a robust context");
    gl.make_current();
    egl.destroy_context(display.display, context)
        .expect("eglDestroyContext");
}
