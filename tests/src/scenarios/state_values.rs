//! State that commands set, as the context answers it, in every type that it can be asked for. What state does to a picture is the subject of
//! others, but for what nothing else shows.

use std::ffi::c_void;

use glow::HasContext;

use crate::gl::Gl;
use crate::paint::*;

unsafe fn integer(gl: &Gl, name: u32) -> i32 {
    let mut value = -9;
    gl.raw.glGetIntegerv(name, &raw mut value);
    value
}

unsafe fn float(gl: &Gl, name: u32) -> f32 {
    let mut value = -9.0;
    gl.raw.glGetFloatv(name, &raw mut value);
    value
}

/// Rule: a value is converted to the type that it is asked for in: to a boolean by being zero, to an integer by rounding, colours and depths
/// over the whole range (GL 4.6 core §2.2.2).
/// Broken: 0.5 as a boolean was false; a 64-bit answer had rubbish above.
pub unsafe fn state_in_every_type(gl: &Gl) {
    gl.raw.glPolygonOffset(0.25, -7.0);
    gl.raw.glClearDepth(0.5);
    gl.depth_range_f64(0.25, 0.75);
    let mut boolean = 9;
    gl.raw
        .glGetBooleanv(glow::POLYGON_OFFSET_FACTOR, &raw mut boolean);
    assert_eq!(boolean, 1, "0.25 is not zero");
    gl.raw.glGetBooleanv(glow::DITHER, &raw mut boolean);
    assert_eq!(boolean, 1, "the initial value of GL_DITHER");
    let (mut double, mut doubles) = (-9.0, [-9.0; 2]);
    gl.raw
        .glGetDoublev(glow::POLYGON_OFFSET_UNITS, &raw mut double);
    assert_eq!(double, -7.0);
    gl.raw.glGetDoublev(glow::DEPTH_RANGE, doubles.as_mut_ptr());
    assert_eq!(doubles, [0.25, 0.75]);
    assert_eq!(float(gl, glow::POLYGON_OFFSET_FACTOR), 0.25);
    assert_eq!(float(gl, glow::DEPTH_CLEAR_VALUE), 0.5);
    assert_eq!(integer(gl, glow::POLYGON_OFFSET_UNITS), -7);
    let mut long = -9i64;
    gl.raw
        .glGetInteger64v(glow::MAX_SERVER_WAIT_TIMEOUT, &raw mut long);
    assert!(long >= 0, "{long}");
    gl.raw
        .glGetInteger64v(glow::POLYGON_OFFSET_UNITS, &raw mut long);
    assert_eq!(long, -7);

    let buffer = gl.buffer(glow::UNIFORM_BUFFER, &[0; 1024]);
    let name = buffer.0.get();
    gl.raw
        .glBindBufferRange(glow::UNIFORM_BUFFER, 2, name, 256, 512);
    for (what, wanted) in [
        (glow::UNIFORM_BUFFER_START, 256),
        (glow::UNIFORM_BUFFER_SIZE, 512),
    ] {
        let mut long = -9;
        gl.raw.glGetInteger64i_v(what, 2, &raw mut long);
        assert_eq!(long, wanted, "{what:#x}");
    }
    let mut value = -9;
    gl.raw
        .glGetIntegeri_v(glow::UNIFORM_BUFFER_BINDING, 2, &raw mut value);
    assert_eq!(value, name as i32);
    gl.raw
        .glGetBufferParameteri64v(glow::UNIFORM_BUFFER, glow::BUFFER_SIZE, &raw mut long);
    assert_eq!(long, 1024);
    let mapped = gl.raw.glMapBuffer(glow::UNIFORM_BUFFER, glow::READ_WRITE);
    assert!(!mapped.is_null());
    let mut pointer: *mut c_void = std::ptr::null_mut();
    gl.raw.glGetBufferPointerv(
        glow::UNIFORM_BUFFER,
        glow::BUFFER_MAP_POINTER,
        &raw mut pointer,
    );
    assert_eq!(pointer, mapped, "GL_BUFFER_MAP_POINTER");
    assert_eq!(gl.raw.glUnmapBuffer(glow::UNIFORM_BUFFER), 1);
    let mut user = &raw mut value as *mut c_void;
    gl.raw
        .glGetPointerv(glow::DEBUG_CALLBACK_USER_PARAM, &raw mut user);
    assert!(user.is_null(), "no callback, no parameter");
    gl.no_error("state in every type");
}

/// Rule: a command that sets state is answered by the query of that state (GL 4.6 core, chapter "State Tables").
/// Broken: a hint, a parameter of points or of sampling that was forgotten.
pub unsafe fn state_that_was_set(gl: &Gl) {
    let raw = &gl.raw;
    raw.glHint(glow::TEXTURE_COMPRESSION_HINT, glow::NICEST);
    assert_eq!(
        integer(gl, glow::TEXTURE_COMPRESSION_HINT),
        glow::NICEST as i32
    );
    raw.glPixelStoref(glow::PACK_ROW_LENGTH, 6.6);
    assert_eq!(integer(gl, glow::PACK_ROW_LENGTH), 7, "rounded");
    raw.glPixelStoref(glow::PACK_ROW_LENGTH, 0.0);
    raw.glPointParameterf(glow::POINT_FADE_THRESHOLD_SIZE, 2.5);
    assert_eq!(float(gl, glow::POINT_FADE_THRESHOLD_SIZE), 2.5);
    raw.glPointParameterfv(glow::POINT_FADE_THRESHOLD_SIZE, [3.5].as_ptr());
    assert_eq!(float(gl, glow::POINT_FADE_THRESHOLD_SIZE), 3.5);
    let origin = glow::LOWER_LEFT as i32;
    raw.glPointParameteri(glow::POINT_SPRITE_COORD_ORIGIN, origin);
    assert_eq!(integer(gl, glow::POINT_SPRITE_COORD_ORIGIN), origin);
    let origin = glow::UPPER_LEFT as i32;
    raw.glPointParameteriv(glow::POINT_SPRITE_COORD_ORIGIN, [origin].as_ptr());
    assert_eq!(integer(gl, glow::POINT_SPRITE_COORD_ORIGIN), origin);
    raw.glPointSize(3.0);
    assert_eq!(float(gl, glow::POINT_SIZE), 3.0);
    raw.glLineWidth(1.0);
    raw.glProvokingVertex(glow::FIRST_VERTEX_CONVENTION);
    assert_eq!(
        integer(gl, glow::PROVOKING_VERTEX),
        glow::FIRST_VERTEX_CONVENTION as i32
    );
    raw.glClampColor(glow::CLAMP_READ_COLOR, u32::from(glow::TRUE));
    assert_eq!(integer(gl, glow::CLAMP_READ_COLOR), i32::from(glow::TRUE));
    raw.glSampleCoverage(0.5, 1);
    assert_eq!(float(gl, glow::SAMPLE_COVERAGE_VALUE), 0.5);
    assert_eq!(integer(gl, glow::SAMPLE_COVERAGE_INVERT), 1);
    raw.glSampleMaski(0, 5);
    let mut mask = -9;
    raw.glGetIntegeri_v(glow::SAMPLE_MASK_VALUE, 0, &raw mut mask);
    assert_eq!(mask, 5);
    raw.glPolygonMode(glow::FRONT_AND_BACK, glow::LINE);
    let mut modes = [-9; 2];
    raw.glGetIntegerv(glow::POLYGON_MODE, modes.as_mut_ptr());
    assert_eq!(modes[0], glow::LINE as i32, "GL_POLYGON_MODE");
    raw.glPolygonMode(glow::FRONT_AND_BACK, glow::FILL);
    raw.glLogicOp(glow::XOR);
    assert_eq!(integer(gl, glow::LOGIC_OP_MODE), glow::XOR as i32);
    raw.glStencilMaskSeparate(glow::BACK, 0x0F);
    assert_eq!(integer(gl, glow::STENCIL_BACK_WRITEMASK), 0x0F);
    assert_ne!(integer(gl, glow::STENCIL_WRITEMASK), 0x0F, "the front");
    raw.glStencilOpSeparate(glow::BACK, glow::ZERO, glow::INVERT, glow::INCR_WRAP);
    for (name, wanted) in [
        (glow::STENCIL_BACK_FAIL, glow::ZERO),
        (glow::STENCIL_BACK_PASS_DEPTH_FAIL, glow::INVERT),
        (glow::STENCIL_BACK_PASS_DEPTH_PASS, glow::INCR_WRAP),
        (glow::STENCIL_FAIL, glow::KEEP),
    ] {
        assert_eq!(integer(gl, name), wanted as i32, "{name:#x}");
    }
    gl.target(8, 8);
    raw.glDrawBuffer(glow::NONE);
    assert_eq!(integer(gl, glow::DRAW_BUFFER0), glow::NONE as i32);
    let painter = Painter::new(gl);
    painter.fill(gl, WHOLE, RED);
    gl.expect(4, 4, NOTHING8, "drawn to no buffer");
    raw.glDrawBuffer(glow::COLOR_ATTACHMENT0);
    gl.disable(glow::DITHER);
    painter.fill(gl, WHOLE, RED);
    gl.expect(4, 4, RED8, "drawn to the attachment");
    gl.no_error("state that was set");
}

/// Rule: clears take their value, a polygon offset moves depths, back faces have stencil state of their own (GL 4.6 core §17.4.3, §14.6.5,
/// §17.3.3).
/// Broken: decals flickered; the depth was cleared to 1 whatever was set.
pub unsafe fn depth_and_stencil_values(gl: &Gl) {
    gl.target(8, 8);
    gl.add_depth_stencil(8, 8);
    let painter = Painter::new(gl);
    gl.enable(glow::DEPTH_TEST);
    gl.depth_func(glow::LESS);
    gl.raw.glClearDepth(0.25);
    gl.clear(glow::DEPTH_BUFFER_BIT | glow::COLOR_BUFFER_BIT);
    painter.fill_at(gl, WHOLE, RED, 0.0);
    gl.expect(4, 4, NOTHING8, "0.5 is behind 0.25");
    gl.raw.glClearBufferfi(glow::DEPTH_STENCIL, 0, 0.75, 3);
    painter.fill_at(gl, WHOLE, RED, 0.0);
    gl.expect(4, 4, RED8, "0.5 is before 0.75");
    painter.fill_at(gl, WHOLE, GREEN, 0.0);
    gl.expect(4, 4, RED8, "as deep is not less");
    gl.enable(glow::POLYGON_OFFSET_FILL);
    gl.raw.glPolygonOffset(0.0, -64.0);
    painter.fill_at(gl, WHOLE, GREEN, 0.0);
    gl.expect(4, 4, GREEN8, "moved nearer");
    gl.disable(glow::POLYGON_OFFSET_FILL);
    gl.disable(glow::DEPTH_TEST);
    gl.enable(glow::STENCIL_TEST);
    gl.stencil_func(glow::EQUAL, 3, 0xFF);
    painter.fill(gl, WHOLE, BLUE);
    gl.expect(4, 4, BLUE8, "the stencil was cleared to 3");
    // Back faces, the rectangle turned over: only their low bit may change.
    gl.raw.glStencilMaskSeparate(glow::BACK, 1);
    gl.raw
        .glStencilOpSeparate(glow::BACK, glow::KEEP, glow::KEEP, glow::ZERO);
    painter.fill(gl, [1.0, -1.0, -1.0, 1.0], RED);
    gl.stencil_func(glow::EQUAL, 2, 0xFF);
    painter.fill(gl, WHOLE, GREEN);
    gl.expect(4, 4, GREEN8, "3 without its low bit");
    gl.no_error("depth and stencil");
}

/// Rule: each clear of one buffer takes values of the buffer's own type (GL 4.6 core §17.4.3.1).
/// Broken: integer targets kept what they had.
pub unsafe fn clears_of_one_buffer(gl: &Gl) {
    let framebuffer = gl.create_framebuffer().expect("glGenFramebuffers");
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
    let rows = [
        (glow::RGBA32I, glow::RGBA_INTEGER, glow::INT),
        (glow::RGBA32UI, glow::RGBA_INTEGER, glow::UNSIGNED_INT),
        (glow::RGBA32F, glow::RGBA, glow::FLOAT),
    ];
    for (internal, format, ty) in rows {
        let texture = gl.create_texture().expect("glGenTextures");
        gl.bind_texture(glow::TEXTURE_2D, Some(texture));
        let zeros = [0; 4 * 4 * 16];
        gl.tex_image_2d(
            glow::TEXTURE_2D,
            0,
            internal as i32,
            4,
            4,
            0,
            format,
            ty,
            glow::PixelUnpackData::Slice(Some(&zeros)),
        );
        gl.framebuffer_texture_2d(
            glow::FRAMEBUFFER,
            glow::COLOR_ATTACHMENT0,
            glow::TEXTURE_2D,
            Some(texture),
            0,
        );
        let raw = &gl.raw;
        let wanted = match ty {
            glow::INT => {
                let values = [-1, 2, i32::MIN, i32::MAX];
                raw.glClearBufferiv(glow::COLOR, 0, values.as_ptr());
                values.map(i32::to_ne_bytes).concat()
            }
            glow::UNSIGNED_INT => {
                let values = [1, 2, u32::MAX, 4];
                raw.glClearBufferuiv(glow::COLOR, 0, values.as_ptr());
                values.map(u32::to_ne_bytes).concat()
            }
            _ => {
                let values = [-1.5f32, 2.0, 1e9, 0.25];
                raw.glClearBufferfv(glow::COLOR, 0, values.as_ptr());
                values.map(f32::to_ne_bytes).concat()
            }
        };
        let mut seen = [0xEE; 16];
        gl.read(3, 3, 1, 1, format, ty, &mut seen);
        assert_eq!(seen, wanted[..], "{internal:#x}");
    }
    gl.no_error("clears of one buffer");
}

/// Rule: parameters of textures and samplers come back in the type that they are asked for in; those of the I commands are not converted
/// (GL 4.6 core §8.11.2, §8.2).
/// Broken: a border of integers came back as fractions; a query left its output alone.
pub unsafe fn texture_and_sampler_parameters(gl: &Gl) {
    let raw = &gl.raw;
    let target = glow::TEXTURE_2D;
    gl.texture_rgba8(8, 4, None);
    let sampler = gl.create_sampler().expect("glGenSamplers");
    let name = sampler.0.get();
    assert_eq!(raw.glIsSampler(name), 1);
    let border = glow::TEXTURE_BORDER_COLOR;
    let (signed, unsigned) = ([-1, 2, -3, i32::MAX], [1, 2, 3, u32::MAX]);
    let (mut ints, mut uints, mut floats) = ([-9; 4], [99; 4], [-9.0; 4]);

    raw.glTexParameterIiv(target, border, signed.as_ptr());
    raw.glGetTexParameterIiv(target, border, ints.as_mut_ptr());
    assert_eq!(ints, signed, "glTexParameterIiv");
    raw.glTexParameterIuiv(target, border, unsigned.as_ptr());
    raw.glGetTexParameterIuiv(target, border, uints.as_mut_ptr());
    assert_eq!(uints, unsigned, "glTexParameterIuiv");
    let half = [0.5f32, 0.25, 0.0, 1.0];
    raw.glTexParameterfv(target, border, half.as_ptr());
    raw.glGetTexParameterfv(target, border, floats.as_mut_ptr());
    assert_eq!(floats, half, "glTexParameterfv");
    raw.glTexParameterf(target, glow::TEXTURE_MAX_LOD, 2.5);
    raw.glGetTexParameterfv(target, glow::TEXTURE_MAX_LOD, floats.as_mut_ptr());
    assert_eq!(floats[0], 2.5, "glTexParameterf");
    let swizzle = [glow::BLUE, glow::GREEN, glow::ONE, glow::ZERO].map(|value| value as i32);
    raw.glTexParameteriv(target, glow::TEXTURE_SWIZZLE_RGBA, swizzle.as_ptr());
    raw.glGetTexParameteriv(target, glow::TEXTURE_SWIZZLE_RGBA, ints.as_mut_ptr());
    assert_eq!(ints, swizzle, "glTexParameteriv");
    raw.glTexParameteri(target, glow::TEXTURE_WRAP_S, glow::MIRRORED_REPEAT as i32);
    raw.glGetTexParameteriv(target, glow::TEXTURE_WRAP_S, ints.as_mut_ptr());
    assert_eq!(ints[0], glow::MIRRORED_REPEAT as i32, "glTexParameteri");
    raw.glGetTexLevelParameterfv(target, 0, glow::TEXTURE_WIDTH, floats.as_mut_ptr());
    assert_eq!(floats[0], 8.0, "glGetTexLevelParameterfv");
    raw.glGetTexLevelParameteriv(target, 0, glow::TEXTURE_HEIGHT, ints.as_mut_ptr());
    assert_eq!(ints[0], 4, "glGetTexLevelParameteriv");

    let (mut ints, mut uints, mut floats) = ([-9; 4], [99; 4], [-9.0; 4]);
    raw.glSamplerParameterIiv(name, border, signed.as_ptr());
    raw.glGetSamplerParameterIiv(name, border, ints.as_mut_ptr());
    assert_eq!(ints, signed, "glSamplerParameterIiv");
    raw.glSamplerParameterIuiv(name, border, unsigned.as_ptr());
    raw.glGetSamplerParameterIuiv(name, border, uints.as_mut_ptr());
    assert_eq!(uints, unsigned, "glSamplerParameterIuiv");
    raw.glSamplerParameterfv(name, border, half.as_ptr());
    raw.glGetSamplerParameterfv(name, border, floats.as_mut_ptr());
    assert_eq!(floats, half, "glSamplerParameterfv");
    raw.glSamplerParameterf(name, glow::TEXTURE_MIN_LOD, -2.5);
    raw.glGetSamplerParameterfv(name, glow::TEXTURE_MIN_LOD, floats.as_mut_ptr());
    assert_eq!(floats[0], -2.5, "glSamplerParameterf");
    let wrap = [glow::CLAMP_TO_BORDER as i32];
    raw.glSamplerParameteriv(name, glow::TEXTURE_WRAP_T, wrap.as_ptr());
    raw.glGetSamplerParameteriv(name, glow::TEXTURE_WRAP_T, ints.as_mut_ptr());
    assert_eq!(ints[0], wrap[0], "glSamplerParameteriv");
    raw.glSamplerParameteri(name, glow::TEXTURE_WRAP_S, wrap[0]);
    raw.glGetSamplerParameteriv(name, glow::TEXTURE_WRAP_S, ints.as_mut_ptr());
    assert_eq!(ints[0], wrap[0], "glSamplerParameteri");
    gl.no_error("parameters");
}
