//! Errors and queries: which error, once, without effect; strings and limits as they are advertised.

use std::ffi::CStr;

use glow::HasContext;

use crate::gl::Gl;
use crate::paint::*;

/// Rule: a failing command generates exactly one error, and the flag keeps the first until it is read (GL 4.6 core §2.3.1).
/// Broken: two checks of one call both fired, or a later error replaced the first.
pub unsafe fn one_error_per_call(gl: &Gl) {
    type Step = unsafe fn(&Gl);
    let steps: [(&str, u32, Step); 12] = [
        ("glEnable of no capability", glow::INVALID_ENUM, |gl| {
            gl.enable(0x1234)
        }),
        ("glClear of an unknown bit", glow::INVALID_VALUE, |gl| {
            gl.clear(0x8000_0000)
        }),
        ("glBlendFunc with no factor", glow::INVALID_ENUM, |gl| {
            gl.blend_func(0x9999, 0x9999)
        }),
        (
            "glViewport with a negative size",
            glow::INVALID_VALUE,
            |gl| gl.viewport(0, 0, -1, -1),
        ),
        (
            "glScissor with a negative size",
            glow::INVALID_VALUE,
            |gl| gl.scissor(0, 0, -1, -1),
        ),
        (
            "glDrawArrays with no mode and a negative count",
            glow::INVALID_ENUM,
            |gl| gl.draw_arrays(0x77, 0, 3),
        ),
        (
            "glDrawArrays with a negative count",
            glow::INVALID_VALUE,
            |gl| gl.draw_arrays(glow::TRIANGLES, 0, -1),
        ),
        ("glActiveTexture of no unit", glow::INVALID_ENUM, |gl| {
            gl.active_texture(1)
        }),
        ("glLineWidth of zero", glow::INVALID_VALUE, |gl| {
            gl.line_width(0.0)
        }),
        ("glPixelStorei of alignment 3", glow::INVALID_VALUE, |gl| {
            gl.pixel_store_i32(glow::PACK_ALIGNMENT, 3)
        }),
        (
            "glBufferData without a buffer",
            glow::INVALID_OPERATION,
            |gl| gl.buffer_data_size(glow::COPY_READ_BUFFER, 4, glow::STATIC_DRAW),
        ),
        ("glCreateShader of no stage", glow::INVALID_ENUM, |gl| {
            assert_eq!(gl.raw.glCreateShader(0x77), 0);
        }),
    ];
    let painter = Painter::new(gl);
    for (what, wanted, step) in steps {
        step(gl);
        gl.error(wanted, what);
    }
    gl.enable(0x1234);
    gl.line_width(-1.0);
    let first = gl.get_error();
    assert_eq!(first, glow::INVALID_ENUM, "the flag keeps the first error");
    assert_eq!(gl.get_error(), glow::NO_ERROR, "and there is one flag");
    gl.error_messages();
    gl.target(8, 8);
    painter.fill(gl, WHOLE, GREEN);
    gl.expect(4, 4, GREEN8, "drawing goes on");
}

/// Rule: a command that generates an error has no other effect (GL 4.6 core §2.3.1).
/// Broken: arguments were stored one by one before all of them had been checked.
pub unsafe fn no_error_side_effects(gl: &Gl) {
    gl.target(8, 8);
    let painter = Painter::new(gl);
    gl.enable(glow::BLEND);
    gl.blend_func(glow::ONE, glow::ZERO);
    gl.blend_func_separate(glow::ZERO, glow::ONE, glow::ONE, 0x9999);
    gl.error(glow::INVALID_ENUM, "one bad factor of four");
    assert_eq!(gl.get_parameter_i32(glow::BLEND_SRC_RGB), glow::ONE as i32);
    painter.fill(gl, WHOLE, RED);
    gl.expect(4, 4, RED8, "the factors are as before");
    gl.blend_equation_separate(glow::FUNC_REVERSE_SUBTRACT, 0x9999);
    gl.error(glow::INVALID_ENUM, "one bad equation of two");
    assert_eq!(
        gl.get_parameter_i32(glow::BLEND_EQUATION_RGB),
        glow::FUNC_ADD as i32
    );
    gl.enable(glow::DEPTH_TEST);
    gl.depth_func(0x9999);
    gl.error(glow::INVALID_ENUM, "no function");
    assert_eq!(gl.get_parameter_i32(glow::DEPTH_FUNC), glow::LESS as i32);
    gl.stencil_op(glow::REPLACE, glow::REPLACE, 0x9999);
    gl.error(glow::INVALID_ENUM, "one bad operation of three");
    assert_eq!(gl.get_parameter_i32(glow::STENCIL_FAIL), glow::KEEP as i32);
    gl.viewport(2, 2, -4, 4);
    gl.error(glow::INVALID_VALUE, "a negative width");
    let mut rect = [0; 4];
    gl.get_parameter_i32_slice(glow::VIEWPORT, &mut rect);
    assert_eq!(rect, [0, 0, 8, 8]);
    // A texture upload that is refused leaves the texels.
    let texture = gl.texture_rgba8(2, 2, Some(&GREEN8.repeat(4)));
    let white = WHITE8.repeat(4);
    gl.tex_sub_image_2d(
        glow::TEXTURE_2D,
        0,
        1,
        1,
        2,
        1,
        glow::RGBA,
        glow::UNSIGNED_BYTE,
        glow::PixelUnpackData::Slice(Some(&white)),
    );
    gl.error(glow::INVALID_VALUE, "xoffset + width > texture width");
    gl.tex_image_2d(
        glow::TEXTURE_2D,
        0,
        glow::RGBA8 as i32,
        -1,
        4,
        0,
        glow::RGBA,
        glow::UNSIGNED_BYTE,
        glow::PixelUnpackData::Slice(Some(&white)),
    );
    gl.error(glow::INVALID_VALUE, "a negative width of a texture");
    assert_eq!(
        gl.get_tex_level_parameter_i32(glow::TEXTURE_2D, 0, glow::TEXTURE_WIDTH),
        2
    );
    gl.framebuffer_texture_2d(
        glow::FRAMEBUFFER,
        glow::COLOR_ATTACHMENT0,
        glow::TEXTURE_2D,
        Some(texture),
        0,
    );
    gl.expect(1, 1, GREEN8, "the texels are as before");
}

unsafe fn string(pointer: *const std::ffi::c_char) -> Option<String> {
    if pointer.is_null() {
        return None;
    }
    Some(CStr::from_ptr(pointer).to_string_lossy().into_owned())
}

/// Rule: strings are constant, the version begins with numbers, extensions are listed one by one in core contexts and
/// `glGetString(GL_EXTENSIONS)` is INVALID_ENUM there (GL 4.6 core §22.2).
/// Broken: programs that parse the strings met empty ones or a pointer that moved.
pub unsafe fn get_string_lists(gl: &Gl) {
    for name in [
        glow::VENDOR,
        glow::RENDERER,
        glow::VERSION,
        glow::SHADING_LANGUAGE_VERSION,
    ] {
        let first = gl.raw.glGetString(name);
        assert!(
            string(first).is_some_and(|text| !text.is_empty()),
            "{name:#x}"
        );
        assert_eq!(first, gl.raw.glGetString(name), "the pointer stays");
    }
    let version = string(gl.raw.glGetString(glow::VERSION)).expect("a version");
    let mut numbers = version
        .split(|c: char| !c.is_ascii_digit())
        .map(|text| text.parse::<i32>());
    let (major, minor) = (
        numbers.next().expect("major").expect("a number"),
        numbers.next().expect("minor").expect("a number"),
    );
    assert_eq!(
        major,
        gl.get_parameter_i32(glow::MAJOR_VERSION),
        "{version}"
    );
    assert_eq!(
        minor,
        gl.get_parameter_i32(glow::MINOR_VERSION),
        "{version}"
    );
    assert!((major, minor) >= (3, 3), "{version}");
    assert!(gl.raw.glGetString(glow::EXTENSIONS).is_null());
    gl.error(glow::INVALID_ENUM, "GL_EXTENSIONS in a core context");
    let count = gl.get_parameter_i32(glow::NUM_EXTENSIONS);
    let mut names: Vec<String> = (0..count)
        .map(|index| {
            string(gl.raw.glGetStringi(glow::EXTENSIONS, index as u32)).expect("an extension")
        })
        .collect();
    gl.no_error("extensions one by one");
    names.sort();
    let length = names.len();
    names.dedup();
    assert_eq!(names.len(), length, "no extension twice");
    assert!(
        names.iter().all(|name| name.starts_with("GL_")),
        "{names:?}"
    );
    assert!(
        gl.raw
            .glGetStringi(glow::EXTENSIONS, count as u32)
            .is_null()
    );
    gl.error(glow::INVALID_VALUE, "behind the last extension");
    assert!(gl.raw.glGetString(0x1234).is_null());
    gl.error(glow::INVALID_ENUM, "no string");
}

/// Rule: errors reach the debug log with their type, the application's own messages too (GL 4.6 core §20).
/// Broken: programs that print the log saw nothing.
pub unsafe fn debug_output(gl: &Gl) {
    assert!(gl.is_enabled(glow::DEBUG_OUTPUT));
    gl.enable(0x1234);
    gl.error(glow::INVALID_ENUM, "no capability");
    let messages = gl.error_messages();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(
        messages[0].contains("glEnable"),
        "the message names the command: {}",
        messages[0]
    );
    gl.debug_message_insert(
        glow::DEBUG_SOURCE_APPLICATION,
        glow::DEBUG_TYPE_ERROR,
        77,
        glow::DEBUG_SEVERITY_HIGH,
        "ours",
    );
    assert_eq!(gl.error_messages(), ["ours"]);
    gl.disable(glow::DEBUG_OUTPUT);
    gl.enable(0x1234);
    gl.error(glow::INVALID_ENUM, "no capability, output off");
    assert!(gl.error_messages().is_empty());
    gl.enable(glow::DEBUG_OUTPUT);
}

/// Rule: limits are at least the minimum of the version (GL 4.6 core, chapter 23, "Implementation Dependent Values").
/// Broken: a limit of the ES driver below desktop's minimum was passed on.
pub unsafe fn advertised_limits(gl: &Gl) {
    for (name, minimum) in [
        (glow::MAX_TEXTURE_SIZE, 1024),
        (glow::MAX_3D_TEXTURE_SIZE, 256),
        (glow::MAX_ARRAY_TEXTURE_LAYERS, 256),
        (glow::MAX_CUBE_MAP_TEXTURE_SIZE, 1024),
        (glow::MAX_RENDERBUFFER_SIZE, 1024),
        (glow::MAX_DRAW_BUFFERS, 8),
        (glow::MAX_COLOR_ATTACHMENTS, 8),
        (glow::MAX_VERTEX_ATTRIBS, 16),
        (glow::MAX_TEXTURE_IMAGE_UNITS, 16),
        (glow::MAX_COMBINED_TEXTURE_IMAGE_UNITS, 48),
        (glow::MAX_VERTEX_UNIFORM_COMPONENTS, 1024),
        (glow::MAX_FRAGMENT_UNIFORM_COMPONENTS, 1024),
        (glow::MAX_UNIFORM_BUFFER_BINDINGS, 36),
        (glow::MAX_UNIFORM_BLOCK_SIZE, 16384),
        (glow::MAX_VARYING_COMPONENTS, 60),
        (glow::MAX_SAMPLES, 4),
    ] {
        let seen = gl.get_parameter_i32(name);
        gl.no_error("a limit");
        assert!(seen >= minimum, "{name:#x} is {seen}, less than {minimum}");
    }
    // The last unit that is advertised works.
    let last = gl.get_parameter_i32(glow::MAX_COMBINED_TEXTURE_IMAGE_UNITS) as u32 - 1;
    gl.active_texture(glow::TEXTURE0 + last);
    gl.no_error("the last unit");
    gl.active_texture(glow::TEXTURE0 + last + 1);
    gl.error(glow::INVALID_ENUM, "the unit behind the last");
    assert_eq!(
        gl.get_parameter_i32(glow::ACTIVE_TEXTURE) as u32,
        glow::TEXTURE0 + last
    );
}
