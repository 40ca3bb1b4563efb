//! What only compatibility contexts have: client arrays, GLSL 1.20, legacy queries. No core rule is tested again here.

use std::ffi::{CStr, c_void};

use glow::HasContext;

use crate::gl::Gl;
use crate::paint::*;

const COLOR_VS: &str = "#version 120
attribute vec2 at; attribute vec4 color; varying vec4 c;
void main() { c = color; gl_Position = vec4(at, 0.0, 1.0); }";
const COLOR_FS: &str = "#version 120
varying vec4 c; void main() { gl_FragColor = c; }";

/// A program with attributes at 0 (`at`) and 1 (the second).
unsafe fn program_120(gl: &Gl, vertex: &str, fragment: &str, second: &str) -> glow::NativeProgram {
    let program = gl.program(vertex, fragment);
    gl.bind_attrib_location(program, 0, "at");
    gl.bind_attrib_location(program, 1, second);
    gl.link_program(program);
    assert!(gl.get_program_link_status(program));
    gl.use_program(Some(program));
    program
}

unsafe fn client_array(gl: &Gl, index: u32, size: i32, values: &[f32]) {
    gl.bind_buffer(glow::ARRAY_BUFFER, None);
    gl.raw.glVertexAttribPointer(
        index,
        size,
        glow::FLOAT,
        0,
        0,
        values.as_ptr().cast::<c_void>(),
    );
    gl.enable_vertex_attrib_array(index);
}

/// Rule: without a buffer the pointer is an address, read when the draw is called (GL 4.6 compatibility, "Vertex Arrays").
/// Broken: memory was read late, when the program had changed it, or beyond what the draw needs.
pub unsafe fn client_vertex_arrays(gl: &Gl) {
    gl.target(8, 8);
    program_120(gl, COLOR_VS, COLOR_FS, "color");
    let corners = [-1.0f32, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0];
    let mut colors = RED.repeat(4);
    client_array(gl, 0, 2, &corners);
    client_array(gl, 1, 4, &colors);
    for (color, wanted) in [(RED, RED8), (GREEN, GREEN8), (BLUE, BLUE8)] {
        // The same address, other bytes: nothing tells the library.
        colors.copy_from_slice(&color.repeat(4));
        gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
        colors.fill(0.5);
        gl.expect(4, 4, wanted, "arrays of the application's memory");
    }
    // Elements from memory, too; one attribute from a buffer.
    colors.copy_from_slice(&WHITE.repeat(4));
    let elements = [0u16, 1, 2, 3];
    gl.raw.glDrawElements(
        glow::TRIANGLE_STRIP,
        4,
        glow::UNSIGNED_SHORT,
        elements.as_ptr().cast::<c_void>(),
    );
    gl.expect(4, 4, WHITE8, "elements of the application's memory");
    gl.attribute(1, 4, &GREEN.repeat(4));
    gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
    gl.expect(4, 4, GREEN8, "one array in a buffer, one in memory");
    client_array(gl, 1, 4, &colors);
    gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
    gl.expect(4, 4, WHITE8, "and back");
}

/// Rule: however a draw names its vertices, arrays in memory are read as far as it needs and as they are when it is called (GL 4.6
/// compatibility, "Vertex Arrays"); an array may follow in the same pass with other bytes at the same address.
/// Broken: the second draw saw the first one's bytes, or indices in a buffer were not looked through for the last vertex.
pub unsafe fn client_arrays_in_every_draw(gl: &Gl) {
    gl.target(8, 8);
    program_120(gl, COLOR_VS, COLOR_FS, "color");
    // Four vertices that cover nothing, then four that cover all.
    let mut places = vec![0.0f32; 8];
    places.extend([-1.0, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0]);
    let mut colors = RED.repeat(8);
    client_array(gl, 0, 2, &places);
    client_array(gl, 1, 4, &colors);
    gl.enable(glow::SCISSOR_TEST);
    gl.scissor(0, 0, 4, 8);
    gl.draw_arrays(glow::TRIANGLE_STRIP, 4, 4);
    colors.copy_from_slice(&GREEN.repeat(8));
    gl.scissor(4, 0, 4, 8);
    gl.draw_arrays(glow::TRIANGLE_STRIP, 4, 4);
    gl.disable(glow::SCISSOR_TEST);
    gl.expect(1, 4, RED8, "the first half");
    gl.expect(
        6,
        4,
        GREEN8,
        "the second half, from other bytes at the same address",
    );

    let mut draw = |color: [f32; 4], wanted, what: &str, draw: &dyn Fn()| {
        colors.copy_from_slice(&color.repeat(8));
        draw();
        gl.expect(4, 4, wanted, what);
    };
    let (first, count) = ([0, 4], [3, 4]);
    draw(BLUE, BLUE8, "several ranges of arrays", &|| {
        gl.raw
            .glMultiDrawArrays(glow::TRIANGLE_STRIP, first.as_ptr(), count.as_ptr(), 2);
    });
    // Indices in a buffer, arrays in memory.
    gl.buffer(glow::ELEMENT_ARRAY_BUFFER, &[0, 1, 2, 3, 4, 5, 6, 7]);
    draw(WHITE, WHITE8, "indices of a buffer", &|| {
        gl.draw_elements(glow::TRIANGLE_STRIP, 4, glow::UNSIGNED_BYTE, 4);
    });
    let (counts, bases) = ([3, 4], [0, 4]);
    let starts = [std::ptr::null::<c_void>(); 2];
    draw(RED, RED8, "several ranges of indices, with bases", &|| {
        gl.raw.glMultiDrawElementsBaseVertex(
            glow::TRIANGLE_STRIP,
            counts.as_ptr(),
            glow::UNSIGNED_BYTE,
            starts.as_ptr(),
            2,
            bases.as_ptr(),
        );
    });
}

/// Rule: words that became keywords in later versions are names in GLSL 1.20 (GLSL 1.20 §3.6).
/// Broken: shader packs of that time were refused after translation.
/// Public report: <https://github.com/JoeyDeVries/LearnOpenGL/pull/202>
pub unsafe fn names_that_became_keywords_120(gl: &Gl) {
    gl.target(16, 16);
    let program = program_120(
        gl,
        "#version 120
        attribute vec2 at; attribute float unused; varying vec2 patch;
        void main() { patch = vec2(0.5) + unused * 0.0; gl_Position = vec4(at, 0.0, 1.0); }",
        "#version 120
        uniform float sample; uniform vec4 buffer; uniform sampler2D texture; varying vec2 patch;
        float shared(float coherent) { return coherent * 2.0; }
        void main() {
            float smooth = sample;
            gl_FragColor = vec4(smooth, buffer.g, texture2D(texture, patch).b, shared(0.4));
        }",
        "unused",
    );
    let corners = [-1.0f32, -1.0, 3.0, -1.0, -1.0, 3.0];
    client_array(gl, 0, 2, &corners);
    gl.texture_rgba8(1, 1, Some(&[0, 0, 153, 255]));
    let location = |name: &str| {
        let location = gl.get_uniform_location(program, name);
        assert!(location.is_some(), "{name} has a location");
        location
    };
    gl.uniform_1_f32(location("sample").as_ref(), 0.2);
    gl.uniform_4_f32(location("buffer").as_ref(), 0.0, 0.4, 0.0, 0.0);
    gl.uniform_1_i32(location("texture").as_ref(), 0);
    let mut names: Vec<String> = (0..gl.get_active_uniforms(program))
        .map(|index| gl.get_active_uniform(program, index).expect("active").name)
        .collect();
    names.sort();
    assert_eq!(names, ["buffer", "sample", "texture"]);
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(8, 8, [51, 102, 153, 204], "all four");
}

/// Rule: `shadow2D` gives a vec4 in GLSL 1.20 (GLSL 1.20 §8.7), GL_ARB_shader_texture_lod brings `texture2DLod` to fragments.
/// Broken: packs failed on either.
/// Public report: <https://github.com/GTNewHorizons/Angelica/pull/684>
pub unsafe fn shadow_2d_and_explicit_lod_120(gl: &Gl) {
    gl.target(16, 16);
    let program = program_120(
        gl,
        "#version 120
        attribute vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }",
        "#version 120
        #extension GL_ARB_shader_texture_lod : enable
        uniform sampler2DShadow sm; uniform sampler2D ct; uniform float ref;
        void main() {
            gl_FragColor = vec4(shadow2D(sm, vec3(0.5, 0.5, ref)).r, texture2DLod(ct, vec2(0.5), 1.0).gb, 1.0);
        }",
        "none",
    );
    let corners = [-1.0f32, -1.0, 3.0, -1.0, -1.0, 3.0];
    client_array(gl, 0, 2, &corners);
    let depth = gl.create_texture().expect("glGenTextures");
    gl.bind_texture(glow::TEXTURE_2D, Some(depth));
    let half = 0.5f32.to_ne_bytes();
    gl.tex_image_2d(
        glow::TEXTURE_2D,
        0,
        glow::DEPTH_COMPONENT32F as i32,
        1,
        1,
        0,
        glow::DEPTH_COMPONENT,
        glow::FLOAT,
        glow::PixelUnpackData::Slice(Some(&half)),
    );
    gl.nearest();
    let parameter = |name, value: u32| gl.tex_parameter_i32(glow::TEXTURE_2D, name, value as i32);
    parameter(glow::TEXTURE_COMPARE_MODE, glow::COMPARE_REF_TO_TEXTURE);
    parameter(glow::TEXTURE_COMPARE_FUNC, glow::LEQUAL);
    gl.active_texture(glow::TEXTURE1);
    gl.texture_rgba8(2, 2, Some(&WHITE8.repeat(4)));
    gl.tex_image_2d(
        glow::TEXTURE_2D,
        1,
        glow::RGBA8 as i32,
        1,
        1,
        0,
        glow::RGBA,
        glow::UNSIGNED_BYTE,
        glow::PixelUnpackData::Slice(Some(&[0, 102, 153, 255])),
    );
    parameter(glow::TEXTURE_MIN_FILTER, glow::NEAREST_MIPMAP_NEAREST);
    let location = |name: &str| gl.get_uniform_location(program, name);
    gl.uniform_1_i32(location("sm").as_ref(), 0);
    gl.uniform_1_i32(location("ct").as_ref(), 1);
    for (reference, red) in [(0.25, 255), (0.75, 0), (0.5, 255)] {
        gl.uniform_1_f32(location("ref").as_ref(), reference);
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(8, 8, [red, 102, 153, 255], &format!("ref {reference}"));
    }
}

/// Rule: `glGetString(GL_EXTENSIONS)` lists the extensions separated by spaces (GL 4.6 compatibility, "String Queries").
/// Broken: old programs that search this string found nothing.
pub unsafe fn legacy_extension_string(gl: &Gl) {
    let pointer = gl.raw.glGetString(glow::EXTENSIONS);
    gl.no_error("GL_EXTENSIONS in a compatibility context");
    let text = CStr::from_ptr(pointer).to_string_lossy().into_owned();
    let mut listed: Vec<&str> = text.split_ascii_whitespace().collect();
    let mut indexed: Vec<String> = (0..gl.get_parameter_i32(glow::NUM_EXTENSIONS))
        .map(|index| gl.get_parameter_indexed_string(glow::EXTENSIONS, index as u32))
        .collect();
    listed.sort_unstable();
    indexed.sort_unstable();
    assert!(!listed.is_empty());
    assert_eq!(listed, indexed, "both lists say the same");
}
