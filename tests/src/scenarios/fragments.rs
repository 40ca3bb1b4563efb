//! Fragments on their way to the framebuffer: a second colour, samples, discarded draws, counts and times. Which fragments there are is
//! no subject here.

use glow::HasContext;

use crate::gl::Gl;
use crate::paint::*;

/// Rule: SRC1 factors take the second colour of output 0 (GL 4.6 core §17.3.6.3).
/// Broken: subpixel text was opaque.
pub unsafe fn dual_source_blending(gl: &Gl) {
    gl.target(16, 16);
    let program = gl.program(
        TRI,
        "#version 330 core
        layout(location = 0, index = 0) out vec4 a; layout(location = 0, index = 1) out vec4 b;
        void main() { a = vec4(1.0); b = vec4(0.2, 0.4, 0.6, 1.0); }",
    );
    gl.use_program(Some(program));
    gl.vertex_array();
    gl.clear_color(0.0, 0.0, 1.0, 1.0);
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.enable(glow::BLEND);
    gl.blend_func(glow::SRC1_COLOR, glow::ONE_MINUS_SRC1_COLOR);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    // a * b + (0, 0, 1, 1) * (1 - b)
    gl.expect(8, 8, [51, 102, 255, 255], "two colours");
    gl.disable(glow::BLEND);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(8, 8, WHITE8, "without blending the first is written");
    gl.no_error("dual-source blending");
}

/// Rule: draws and clears between glBeginConditionalRender and its end are discarded where no sample passed (GL 4.6 core §10.9).
/// Broken: occluded things were drawn all the same, or visible ones were not.
pub unsafe fn conditional_rendering(gl: &Gl) {
    gl.target(16, 16);
    let painter = Painter::new(gl);
    for (outside, wanted) in [(true, RED8), (false, GREEN8)] {
        painter.fill(gl, WHOLE, RED);
        let query = gl.create_query().expect("glGenQueries");
        gl.begin_query(glow::SAMPLES_PASSED, query);
        let shift = if outside { 4.0 } else { 0.0 };
        painter.fill(gl, [-1.0 + shift, -1.0, 1.0 + shift, 1.0], RED);
        gl.end_query(glow::SAMPLES_PASSED);
        gl.raw.glBeginConditionalRender(query.0.get(), 0x8E13);
        painter.fill(gl, WHOLE, GREEN);
        gl.raw.glEndConditionalRender();
        gl.expect(8, 8, wanted, &format!("outside: {outside}"));
        gl.delete_query(query);
    }
    gl.no_error("conditional rendering");
}

/// Rule: texelFetch reads one sample of a multisample texture, a blit resolves all of them (GL 4.6 core §11.1.3.3, §18.3.1).
/// Broken: the texture had one sample, or showed another texture's memory.
pub unsafe fn multisample_textures(gl: &Gl) {
    let single = gl.target(16, 16);
    let texture = gl.create_texture().expect("glGenTextures");
    gl.bind_texture(glow::TEXTURE_2D_MULTISAMPLE, Some(texture));
    gl.tex_image_2d_multisample(
        glow::TEXTURE_2D_MULTISAMPLE,
        4,
        glow::RGBA8 as i32,
        16,
        16,
        true,
    );
    let framebuffer = gl.create_framebuffer().expect("glGenFramebuffers");
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
    gl.framebuffer_texture_2d(
        glow::FRAMEBUFFER,
        glow::COLOR_ATTACHMENT0,
        glow::TEXTURE_2D_MULTISAMPLE,
        Some(texture),
        0,
    );
    assert_eq!(
        gl.check_framebuffer_status(glow::FRAMEBUFFER),
        glow::FRAMEBUFFER_COMPLETE
    );
    gl.clear_color(1.0, 0.0, 0.0, 1.0);
    gl.clear(glow::COLOR_BUFFER_BIT);
    let painter = Painter::new(gl);
    // Two of the four samples: half of each.
    gl.enable(glow::SAMPLE_MASK);
    gl.raw.glSampleMaski(0, 0b0101);
    painter.fill(gl, WHOLE, BLUE);
    gl.disable(glow::SAMPLE_MASK);
    gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(single.framebuffer));
    gl.blit_framebuffer(
        0,
        0,
        16,
        16,
        0,
        0,
        16,
        16,
        glow::COLOR_BUFFER_BIT,
        glow::NEAREST,
    );
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(single.framebuffer));
    gl.expect(8, 8, [128, 0, 128, 255], "resolved");
    let program = gl.program(
        TRI,
        "#version 330 core
        uniform sampler2DMS t; uniform int i; out vec4 o;
        void main() { o = texelFetch(t, ivec2(gl_FragCoord.xy), i); }",
    );
    gl.use_program(Some(program));
    for sample in 0..4 {
        gl.uniform_1_i32(gl.get_uniform_location(program, "i").as_ref(), sample);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        let wanted = if sample % 2 == 0 { BLUE8 } else { RED8 };
        gl.expect(8, 8, wanted, &format!("sample {sample}"));
    }
    gl.no_error("multisample textures");
}

/// Rule: time does not run backwards, and time that passed between two commands is counted (GL 4.6 core §4.3).
/// Broken: results of 0, or of another query.
pub unsafe fn times_and_counts(gl: &Gl) {
    gl.target(16, 16);
    let painter = Painter::new(gl);
    let (elapsed, first, last) = (
        gl.create_query().expect("glGenQueries"),
        gl.create_query().expect("glGenQueries"),
        gl.create_query().expect("glGenQueries"),
    );
    let (samples, any) = (
        gl.create_query().expect("glGenQueries"),
        gl.create_query().expect("glGenQueries"),
    );
    gl.query_counter(first, glow::TIMESTAMP);
    gl.begin_query(glow::TIME_ELAPSED, elapsed);
    gl.begin_query(glow::SAMPLES_PASSED, samples);
    painter.fill(gl, LEFT, RED);
    // A clear through another framebuffer between: the count spans it.
    let other = gl.target(4, 4);
    gl.viewport(0, 0, 4, 4);
    painter.fill(gl, WHOLE, RED);
    gl.end_query(glow::SAMPLES_PASSED);
    gl.end_query(glow::TIME_ELAPSED);
    gl.query_counter(last, glow::TIMESTAMP);
    gl.begin_query(glow::ANY_SAMPLES_PASSED, any);
    painter.fill(gl, [2.0, 2.0, 3.0, 3.0], RED);
    gl.end_query(glow::ANY_SAMPLES_PASSED);
    let result = |query| gl.get_query_parameter_u32(query, glow::QUERY_RESULT);
    assert_eq!(result(samples), 8 * 16 + 16, "samples of both draws");
    assert_eq!(result(any), 0, "outside of the view");
    let result = |query| gl.get_query_parameter_u64(query, glow::QUERY_RESULT);
    let times = [result(first), result(last)];
    assert!(times[0] != 0 && times[0] <= times[1], "{times:?}");
    let spent = result(elapsed);
    assert!(spent <= times[1] - times[0], "{spent} of {times:?}");
    gl.delete_framebuffer(other.framebuffer);
    gl.no_error("queries");
}
