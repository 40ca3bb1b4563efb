//! Programs: what GLSL of desktop programs means, uniforms, blocks, links. Render state is no subject here.

use glow::HasContext;

use crate::gl::{Gl, bytes_of};
use crate::paint::*;

const WANTED: [u8; 4] = [51, 102, 153, 204];

unsafe fn use_over(gl: &Gl, vertex: &str, fragment: &str) -> glow::NativeProgram {
    let program = gl.program(vertex, fragment);
    gl.use_program(Some(program));
    gl.vertex_array();
    program
}

unsafe fn draw(gl: &Gl, wanted: [u8; 4], what: &str) {
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(8, 8, wanted, what);
}

unsafe fn active_names(gl: &Gl, program: glow::NativeProgram) -> Vec<String> {
    let count = gl.get_active_uniforms(program);
    let mut names: Vec<String> = (0..count)
        .map(|index| {
            gl.get_active_uniform(program, index)
                .expect("an active uniform")
                .name
        })
        .collect();
    names.sort();
    names
}

/// Rule: words that became keywords in later versions are names in this one (GLSL 4.60 §3.6), and resources keep their names
/// (GL 4.6 core §7.3.1.1).
/// Broken: shaders with uniforms called sample, buffer, patch or shared were refused after translation.
/// Public report: <https://github.com/KhronosGroup/SPIRV-Cross/pull/63>
pub unsafe fn names_that_became_keywords(gl: &Gl) {
    gl.target(16, 16);
    let program = use_over(
        gl,
        TRI,
        "#version 330 core
        uniform float sample; uniform vec4 buffer; uniform float patch; uniform float shared;
        out vec4 o;
        void main() { float precise = sample; o = vec4(precise, buffer.g, patch, shared); }",
    );
    assert_eq!(
        active_names(gl, program),
        ["buffer", "patch", "sample", "shared"]
    );
    let location = |name: &str| {
        let location = gl.get_uniform_location(program, name);
        assert!(location.is_some(), "{name} has a location");
        location
    };
    gl.uniform_1_f32(location("sample").as_ref(), 0.2);
    gl.uniform_4_f32(location("buffer").as_ref(), 0.0, 0.4, 0.0, 0.0);
    gl.uniform_1_f32(location("patch").as_ref(), 0.6);
    gl.uniform_1_f32(location("shared").as_ref(), 0.8);
    draw(gl, WANTED, "all four");
    gl.uniform_1_f32(location("patch").as_ref(), 1.0);
    draw(gl, [51, 102, 255, 204], "one changed");
}

/// Rule: ints convert to floats, also when an overload is chosen (GLSL 4.60 §4.1.10, §6.1).
/// Broken: "ambiguous" or "cannot convert" messages after translation to ES.
/// Public report: <https://github.com/KhronosGroup/glslang/issues/2206>
pub unsafe fn integers_where_floats_are_expected(gl: &Gl) {
    gl.target(16, 16);
    use_over(
        gl,
        TRI,
        "#version 330 core
        out vec4 o;
        float keep(float v) { return v; }
        void main() {
            float b = 3u;
            o = vec4(mix(0, 2, 0.1), smoothstep(1, 3, 2) * 0.8, b / 5, keep(4) / 5);
        }",
    );
    draw(gl, WANTED, "ints as floats");
}

/// Rule: a uniform may have an initialiser (GLSL 4.60 §4.3.5); it is the value after every successful link (GL 4.6 core §7.6).
/// Broken: a compile error after translation, or zero, because the initialiser was stripped.
/// Public report: <https://github.com/gonetz/GLideN64/issues/1010>
pub unsafe fn uniform_initialisers(gl: &Gl) {
    gl.target(16, 16);
    let program = use_over(
        gl,
        TRI,
        "#version 330 core
        uniform vec3 tint = vec3(0.2, 0.4, 0.6);
        uniform int lut[2] = int[2](3, 4);
        out vec4 o;
        void main() { o = vec4(tint, float(lut[1]) / 5.0); }",
    );
    draw(gl, WANTED, "untouched");
    let tint = gl
        .get_uniform_location(program, "tint")
        .expect("tint is active");
    let mut value = [0.0; 3];
    gl.get_uniform_f32(program, &tint, &mut value);
    assert_eq!(value, [0.2, 0.4, 0.6]);
    gl.uniform_3_f32(Some(&tint), 1.0, 1.0, 1.0);
    draw(gl, [255, 255, 255, 204], "set");
    gl.link_program(program);
    assert!(gl.get_program_link_status(program));
    gl.use_program(Some(program));
    draw(gl, WANTED, "linked again");
}

/// Rule: instance names of a block may differ between stages; the block is one (GLSL 4.60 §4.3.9, GL 4.6 core §7.6.2).
/// Broken: a program of a current game failed to link.
/// Public report: <https://github.com/MobileGL-Dev/MobileGlues/issues/56>
pub unsafe fn uniform_block_instance_names(gl: &Gl) {
    gl.target(16, 16);
    let vertex = "#version 330 core
        layout(std140) uniform Frame { vec4 tint; } vsSide;
        out vec4 pass;
        void main() {
            vec2 c = vec2(float((gl_VertexID & 1) * 4) - 1.0, float((gl_VertexID & 2) * 2) - 1.0);
            pass = vsSide.tint; gl_Position = vec4(c, 0.0, 1.0);
        }";
    let program = use_over(
        gl,
        vertex,
        "#version 330 core
        layout(std140) uniform Frame { vec4 tint; } fsSide;
        in vec4 pass; out vec4 o;
        void main() { o = vec4(pass.rg, fsSide.tint.ba); }",
    );
    let first = gl.buffer(glow::UNIFORM_BUFFER, &bytes_of(&[0.2f32, 0.4, 0.6, 0.8]));
    gl.bind_buffer_base(glow::UNIFORM_BUFFER, 0, Some(first));
    draw(gl, WANTED, "one block in both stages");
    gl.buffer_sub_data_u8_slice(glow::UNIFORM_BUFFER, 0, &bytes_of(&[1.0f32, 1.0]));
    draw(gl, [255, 255, 153, 204], "the buffer changed");
    let second = gl.buffer(glow::UNIFORM_BUFFER, &bytes_of(&[0.0f32, 0.0, 1.0, 1.0]));
    gl.bind_buffer_base(glow::UNIFORM_BUFFER, 5, Some(second));
    draw(gl, [255, 255, 153, 204], "another binding point");
    gl.uniform_block_binding(program, 0, 5);
    draw(gl, BLUE8, "the block reads binding point 5");
    gl.bind_buffer_base(glow::UNIFORM_BUFFER, 5, Some(first));
    draw(gl, [255, 255, 153, 204], "another buffer there");
    assert_eq!(active_names(gl, program), ["Frame.tint"]);
    assert_eq!(gl.get_uniform_block_index(program, "Frame"), Some(0));
    assert_eq!(gl.get_uniform_block_index(program, "vsSide"), None);
    let log = gl
        .try_program(
            vertex,
            "#version 330 core
            layout(std140) uniform Frame { vec4 tint; };
            in vec4 pass; out vec4 o;
            void main() { o = vec4(pass.rg, tint.ba); }",
        )
        .expect_err("one stage has an instance name and the other lacks it");
    assert!(
        log.starts_with("link: ") && log.len() > "link: ".len(),
        "a log: {log}"
    );
}

/// Rule: precision has no effect on desktop GL (GLSL 4.60 §4.7): every int has 32 bits, uniforms of both stages are one.
/// Broken: "declared with different precision" at link, or ints over 16 bits went wrong.
/// Public report: <https://github.com/KhronosGroup/SPIRV-Cross/issues/310>
pub unsafe fn shared_uniforms_across_stages(gl: &Gl) {
    gl.target(16, 16);
    let program = use_over(
        gl,
        "#version 330 core
        struct Mat { float k; int n; }; uniform Mat m; uniform int mode; uniform float g;
        out float a;
        void main() {
            vec2 c = vec2(float((gl_VertexID & 1) * 4) - 1.0, float((gl_VertexID & 2) * 2) - 1.0);
            a = float(mode) * g * m.k; gl_Position = vec4(c, 0.0, 1.0);
        }",
        "#version 330 core
        struct Mat { float k; int n; }; uniform Mat m; uniform int mode; uniform float g;
        in float a; out vec4 o;
        void main() { o = vec4(a, g, m.k, float(m.n + mode) / 5.0); }",
    );
    let location = |name: &str| gl.get_uniform_location(program, name);
    gl.uniform_1_i32(location("mode").as_ref(), 2);
    gl.uniform_1_f32(location("g").as_ref(), 0.4);
    gl.uniform_1_f32(location("m.k").as_ref(), 0.6);
    gl.uniform_1_i32(location("m.n").as_ref(), 2);
    draw(gl, [122, 102, 153, 204], "shared by both stages");
    assert_eq!(active_names(gl, program), ["g", "m.k", "m.n", "mode"]);
    let program = use_over(
        gl,
        TRI,
        "#version 330 core
        uniform int big; out vec4 o;
        void main() { o = vec4(float(big - 70000) / 255.0); }",
    );
    gl.uniform_1_i32(gl.get_uniform_location(program, "big").as_ref(), 70051);
    draw(gl, [51; 4], "an int of more than 16 bits");
}

/// Rule: arrays and structures have a location per element that may be set alone or as a run (GL 4.6 core §7.6.1).
/// Broken: the elements behind the first were written at the distance of another layout.
pub unsafe fn uniform_arrays_of_structs(gl: &Gl) {
    gl.target(16, 16);
    let program = use_over(
        gl,
        TRI,
        "#version 330 core
        struct Light { vec3 color; float power[3]; mat2 turn; };
        uniform Light lights[2]; uniform vec2 offsets[3]; out vec4 o;
        void main() {
            vec2 turned = lights[1].turn * offsets[2];
            o = vec4(lights[0].color.r * lights[0].power[1], lights[1].color.g * lights[1].power[2], turned);
        }",
    );
    let location = |name: &str| gl.get_uniform_location(program, name);
    gl.uniform_3_f32(location("lights[0].color").as_ref(), 0.4, 9.0, 9.0);
    gl.uniform_3_f32(location("lights[1].color").as_ref(), 9.0, 0.8, 9.0);
    gl.uniform_1_f32_slice(location("lights[0].power").as_ref(), &[9.0, 0.5, 9.0]);
    gl.uniform_1_f32(location("lights[1].power[2]").as_ref(), 0.5);
    // Columns (0, 1) and (1, 0): exchanges the components.
    gl.uniform_matrix_2_f32_slice(
        location("lights[1].turn").as_ref(),
        false,
        &[0.0, 1.0, 1.0, 0.0],
    );
    gl.uniform_2_f32_slice(location("offsets[1]").as_ref(), &[9.0, 9.0, 0.8, 0.6]);
    draw(gl, WANTED, "all set");
    gl.uniform_1_f32_slice(location("lights[0].power[1]").as_ref(), &[1.0]);
    draw(gl, [102, 102, 153, 204], "one element");
    gl.uniform_matrix_2_f32_slice(
        location("lights[1].turn").as_ref(),
        true,
        &[1.0, 0.0, 0.0, 1.0],
    );
    draw(gl, [102, 102, 204, 153], "the matrix");
    assert_eq!(location("lights[2].color"), None, "no element 2");
    assert_eq!(location("lights[0]"), None, "a structure has no location");
    assert_ne!(
        location("offsets"),
        None,
        "an array has that of its first element"
    );
    gl.uniform_1_f32(location("offsets[0]").as_ref(), 1.0);
    gl.error(glow::INVALID_OPERATION, "one component for a vec2");
    gl.uniform_1_i32(None, 3);
    gl.no_error("location -1 is ignored");
}

/// Rule: a program keeps its executable until the next link succeeds (GL 4.6 core §7.3); attaching changes nothing before.
/// Broken: a stage that was attached later took part at once, or a failed link left nothing to draw with.
pub unsafe fn relink_stage_set(gl: &Gl) {
    gl.target(16, 16);
    let solid = |color: &str| {
        format!(
            "#version 330 core
            out vec4 o; void main() {{ o = vec4({color}, 1.0); }}"
        )
    };
    let shader = |stage, source: &str| {
        let shader = gl.create_shader(stage).expect("glCreateShader");
        gl.shader_source(shader, source);
        gl.compile_shader(shader);
        shader
    };
    let vertex = shader(glow::VERTEX_SHADER, TRI);
    let red = shader(glow::FRAGMENT_SHADER, &solid("1.0, 0.0, 0.0"));
    let green = shader(glow::FRAGMENT_SHADER, &solid("0.0, 1.0, 0.0"));
    let broken = shader(
        glow::FRAGMENT_SHADER,
        "#version 330 core\nvoid main() { nonsense }",
    );
    assert!(!gl.get_shader_compile_status(broken));
    assert!(!gl.get_shader_info_log(broken).is_empty());
    let program = gl.create_program().expect("glCreateProgram");
    gl.attach_shader(program, vertex);
    gl.attach_shader(program, red);
    gl.link_program(program);
    gl.use_program(Some(program));
    gl.vertex_array();
    draw(gl, RED8, "first link");
    gl.detach_shader(program, red);
    gl.attach_shader(program, green);
    draw(gl, RED8, "attached, not linked");
    gl.link_program(program);
    draw(gl, GREEN8, "linked while in use");
    // New source in an attached shader changes nothing before compile and link.
    gl.shader_source(green, &solid("0.0, 0.0, 1.0"));
    gl.compile_shader(green);
    draw(gl, GREEN8, "compiled, not linked");
    gl.link_program(program);
    draw(gl, BLUE8, "linked");
    gl.detach_shader(program, green);
    gl.attach_shader(program, broken);
    gl.link_program(program);
    assert!(!gl.get_program_link_status(program));
    draw(
        gl,
        BLUE8,
        "a failed link keeps the executable that is in use",
    );
    gl.use_program(Some(program));
    gl.error(
        glow::INVALID_OPERATION,
        "a program whose last link failed cannot be used",
    );
    draw(gl, BLUE8, "the refused call changed nothing");
    gl.delete_program(program);
    draw(gl, BLUE8, "deleted while in use");
    assert!(gl.is_program(program), "it exists until it is not in use");
    gl.use_program(None);
    assert!(!gl.is_program(program));
}

/// Rule: a failed compile or link has a log that helps, and no error (GL 4.6 core §7.1, §7.3).
/// Broken: the log was empty, spoke of the translated source, or named another line.
pub unsafe fn link_errors_text(gl: &Gl) {
    let log = gl
        .try_program(
            TRI,
            "#version 330 core\nout vec4 o;\n\nvoid main() { o = vec4(misspelt); }",
        )
        .expect_err("an undeclared name");
    assert!(
        log.starts_with("compile: ") && log.contains("misspelt"),
        "it names the name: {log}"
    );
    assert!(
        log.lines().next().is_some_and(|line| line.contains('4')),
        "it names line 4: {log}"
    );
    let log = gl
        .try_program(
            "#version 330 core\nout vec3 color; void main() { color = vec3(1.0); gl_Position = vec4(0.0); }",
            "#version 330 core\nin vec4 color; out vec4 o; void main() { o = color; }",
        )
        .expect_err("an output and an input of different types");
    assert!(
        log.starts_with("link: ") && log.contains("color"),
        "it names the variable: {log}"
    );
    gl.no_error("failed compiles and links are no errors");
    // A program that never linked cannot be used, and a draw without a program draws nothing.
    let program = gl.create_program().expect("glCreateProgram");
    gl.use_program(Some(program));
    gl.error(glow::INVALID_OPERATION, "never linked");
}

/// Rule: uniforms belong to the program object (GL 4.6 core §7.6); switching programs keeps each one's values.
/// Broken: constants were uploaded when set and not when the program came back.
pub unsafe fn uniforms_belong_to_their_program(gl: &Gl) {
    gl.target(16, 16);
    let fragment = "#version 330 core
        uniform vec4 color; out vec4 o; void main() { o = color; }";
    let programs = [
        gl.program(TRI, fragment),
        gl.program(TRI, fragment),
        gl.program(TRI, fragment),
    ];
    gl.vertex_array();
    for (program, color) in programs.into_iter().zip([RED, GREEN, BLUE]) {
        gl.use_program(Some(program));
        gl.uniform_4_f32_slice(gl.get_uniform_location(program, "color").as_ref(), &color);
    }
    for turn in 0..2 {
        for (program, wanted) in programs.into_iter().zip([RED8, GREEN8, BLUE8]) {
            gl.use_program(Some(program));
            draw(gl, wanted, &format!("turn {turn}"));
        }
    }
    // Set while another one is in use.
    let color = gl.get_uniform_location(programs[0], "color");
    gl.program_uniform_4_f32_slice(programs[0], color.as_ref(), &WHITE);
    draw(gl, BLUE8, "the program in use is another one");
    gl.use_program(Some(programs[0]));
    draw(gl, WHITE8, "glProgramUniform");
}

/// Rule: built-in inputs that the vertex shader reads are active attributes, of type int and without a location (GL 4.6 core §11.1.1).
/// Broken: only the shader's own inputs were counted.
pub unsafe fn built_in_inputs_are_active(gl: &Gl) {
    let program = use_over(
        gl,
        "#version 330 core
        in vec4 own;
        void main() { gl_Position = own * float(gl_VertexID + gl_InstanceID); }",
        "#version 330 core
        out vec4 o; void main() { o = vec4(1.0); }",
    );
    let mut active: Vec<(String, i32, u32, Option<u32>)> = (0..gl.get_active_attributes(program))
        .map(|index| {
            let a = gl
                .get_active_attribute(program, index)
                .expect("an active attribute");
            let location = gl.get_attrib_location(program, &a.name);
            (a.name, a.size, a.atype, location)
        })
        .collect();
    active.sort();
    assert_eq!(
        active,
        [
            ("gl_InstanceID".to_owned(), 1, glow::INT, None),
            ("gl_VertexID".to_owned(), 1, glow::INT, None),
            ("own".to_owned(), 1, glow::FLOAT_VEC4, Some(0)),
        ]
    );
}

/// Rule: a program's binary, loaded into another program object, is that program with its uniforms as they were at first; whether the
/// shaders are still there does not matter (GL 4.6 core §7.5). A binary that cannot be loaded is no error but a link that fails.
/// Broken: there were no formats, and programs that count on one compiled their shaders at every start.
pub unsafe fn program_binaries(gl: &Gl) {
    gl.target(16, 16);
    let formats = gl.get_parameter_i32(glow::NUM_PROGRAM_BINARY_FORMATS);
    assert_eq!(formats, 1);
    let format = gl.get_parameter_i32(glow::PROGRAM_BINARY_FORMATS) as u32;
    let first = use_over(
        gl,
        TRI,
        "#version 330 core
        uniform vec4 color = vec4(0.0, 1.0, 0.0, 1.0);
        out vec4 o; void main() { o = color; }",
    );
    let color = gl.get_uniform_location(first, "color");
    gl.uniform_4_f32_slice(color.as_ref(), &RED);
    draw(gl, RED8, "the program itself");
    let length = gl.get_program_parameter_i32(first, glow::PROGRAM_BINARY_LENGTH);
    let binary = gl.get_program_binary(first).expect("a binary");
    assert_eq!(binary.format, format);
    assert_eq!(binary.buffer.len(), length as usize);

    let second = gl.create_program().expect("a program");
    gl.program_binary(second, &binary);
    assert!(gl.get_program_link_status(second));
    gl.use_program(Some(second));
    draw(gl, GREEN8, "loaded: its uniforms are initial");
    let color = gl.get_uniform_location(second, "color");
    gl.uniform_4_f32_slice(color.as_ref(), &BLUE);
    draw(gl, BLUE8, "loaded: its uniforms can be set");
    // Loaded into the program that is in use.
    gl.program_binary(second, &binary);
    draw(gl, GREEN8, "loaded again");

    for damaged in [0, 40, binary.buffer.len() - 1] {
        let mut other = glow::ProgramBinary {
            buffer: binary.buffer.clone(),
            format,
        };
        other.buffer[damaged] ^= 1;
        let third = gl.create_program().expect("a program");
        gl.program_binary(third, &other);
        assert!(!gl.get_program_link_status(third), "byte {damaged}");
        assert!(gl.get_program_info_log(third).contains("damaged"));
        assert_eq!(
            gl.get_program_parameter_i32(third, glow::PROGRAM_BINARY_LENGTH),
            0
        );
    }
    assert_eq!(gl.get_error(), glow::NO_ERROR);
    let unknown = glow::ProgramBinary {
        format: format + 1,
        ..binary
    };
    gl.program_binary(second, &unknown);
    gl.error(glow::INVALID_ENUM, "a format that is not listed");
    assert!(gl.get_program_link_status(second), "nothing else happened");
}

/// Rule: the hint of program binaries takes effect with the next link (ARB_get_program_binary, issue 8).
/// Broken: it was returned as soon as it was set.
pub unsafe fn binary_hint_waits_for_a_link(gl: &Gl) {
    let program = gl.program(
        TRI,
        "#version 330 core\nout vec4 o; void main() { o = vec4(1.0); }",
    );
    let hint = || gl.get_program_parameter_i32(program, glow::PROGRAM_BINARY_RETRIEVABLE_HINT);
    assert_eq!(hint(), 0);
    gl.program_binary_retrievable_hint(program, true);
    assert_eq!(hint(), 0);
    gl.link_program(program);
    assert_eq!(hint(), 1);
}
