//! What programs and shaders say of themselves, and what is bound before they are linked.

use std::ffi::{CStr, c_char};

use glow::HasContext;

use crate::gl::Gl;

const VERTEX: &str = "#version 330 core
in vec2 at; in vec4 colour;
layout(std140) uniform Block { vec4 scale; mat3 turn; float row[3]; };
out vec4 c;
void main() {
    c = colour * scale * row[2];
    gl_Position = vec4((turn * vec3(at, 1.0)).xy, 0.0, 1.0);
}
";
const FRAGMENT: &str = "#version 330 core
in vec4 c; uniform vec4 tint; out vec4 first; out vec4 second;
void main() { first = c + tint; second = tint; }
";

/// A text that `read` writes: size of the buffer, its length, the buffer.
fn text(read: impl FnOnce(i32, *mut i32, *mut c_char)) -> String {
    let (mut bytes, mut length) = ([0x55u8; 4096], -9);
    read(4096, &raw mut length, bytes.as_mut_ptr().cast());
    let text = CStr::from_bytes_until_nul(&bytes).expect("an end");
    assert_eq!(text.count_bytes() as i32, length, "the length");
    text.to_string_lossy().into_owned()
}

unsafe fn shader(gl: &Gl, stage: u32, source: &str) -> glow::NativeShader {
    let shader = gl.create_shader(stage).expect("glCreateShader");
    gl.shader_source(shader, source);
    gl.compile_shader(shader);
    shader
}

/// Rule: names are bound to locations before the program is linked, and are answered after it (GL 4.6 core §11.1.1, §15.2.3).
/// Broken: the locations were the linker's own.
pub unsafe fn locations_bound_before_linking(gl: &Gl) {
    let raw = &gl.raw;
    let program = gl.create_program().expect("glCreateProgram");
    let name = program.0.get();
    let shaders = [
        shader(gl, glow::VERTEX_SHADER, VERTEX),
        shader(gl, glow::FRAGMENT_SHADER, FRAGMENT),
    ];
    for shader in shaders {
        gl.attach_shader(program, shader);
    }
    let (mut count, mut attached) = (-9, [0; 4]);
    raw.glGetAttachedShaders(name, 4, &raw mut count, attached.as_mut_ptr());
    attached[..2].sort_unstable();
    let mut wanted = shaders.map(|shader| shader.0.get());
    wanted.sort_unstable();
    assert_eq!(
        (count, &attached[..2]),
        (2, &wanted[..]),
        "glGetAttachedShaders"
    );
    let id = shaders[0].0.get();
    let source = text(|size, length, out| raw.glGetShaderSource(id, size, length, out));
    assert_eq!(source, VERTEX);

    raw.glBindAttribLocation(name, 6, c"at".as_ptr());
    raw.glBindAttribLocation(name, 3, c"colour".as_ptr());
    raw.glBindFragDataLocation(name, 1, c"first".as_ptr());
    raw.glBindFragDataLocation(name, 0, c"second".as_ptr());
    gl.link_program(program);
    assert!(
        gl.get_program_link_status(program),
        "{}",
        gl.get_program_info_log(program)
    );
    assert_eq!(raw.glGetAttribLocation(name, c"at".as_ptr()), 6);
    assert_eq!(raw.glGetAttribLocation(name, c"colour".as_ptr()), 3);
    assert_eq!(raw.glGetAttribLocation(name, c"nothing".as_ptr()), -1);
    assert_eq!(raw.glGetFragDataLocation(name, c"first".as_ptr()), 1);
    assert_eq!(raw.glGetFragDataLocation(name, c"second".as_ptr()), 0);
    raw.glBindFragDataLocationIndexed(name, 0, 1, c"first".as_ptr());
    raw.glBindFragDataLocationIndexed(name, 0, 0, c"second".as_ptr());
    gl.link_program(program);
    assert!(
        gl.get_program_link_status(program),
        "{}",
        gl.get_program_info_log(program)
    );
    assert_eq!(raw.glGetFragDataLocation(name, c"first".as_ptr()), 0);
    assert_eq!(raw.glGetFragDataIndex(name, c"first".as_ptr()), 1);
    assert_eq!(raw.glGetFragDataIndex(name, c"second".as_ptr()), 0);
    assert_eq!(raw.glGetFragDataIndex(name, c"nothing".as_ptr()), -1);

    let mut attributes: Vec<_> = (0..2)
        .map(|i| {
            let (mut size, mut ty) = (-9, 0);
            let what = text(|room, length, out| {
                raw.glGetActiveAttrib(name, i, room, length, &raw mut size, &raw mut ty, out);
            });
            (what, size, ty)
        })
        .collect();
    attributes.sort();
    let wanted = [
        ("at".to_owned(), 1, glow::FLOAT_VEC2),
        ("colour".to_owned(), 1, glow::FLOAT_VEC4),
    ];
    assert_eq!(attributes, wanted, "glGetActiveAttrib");
    gl.no_error("locations");
}

/// Rule: uniforms and blocks have indices; the layout std140 fixes offsets and strides (GL 4.6 core §7.6.2.2, §7.6.3).
/// Broken: offsets were those of another layout; a name was cut off.
pub unsafe fn uniforms_and_blocks_by_index(gl: &Gl) {
    let raw = &gl.raw;
    let program = gl.program(VERTEX, FRAGMENT);
    let name = program.0.get();
    let block = raw.glGetUniformBlockIndex(name, c"Block".as_ptr());
    assert_eq!(block, 0);
    let said = text(|size, length, out| {
        raw.glGetActiveUniformBlockName(name, block, size, length, out);
    });
    assert_eq!(said, "Block");
    raw.glUniformBlockBinding(name, block, 3);
    for (what, wanted) in [
        (glow::UNIFORM_BLOCK_BINDING, 3),
        (glow::UNIFORM_BLOCK_ACTIVE_UNIFORMS, 3),
        (glow::UNIFORM_BLOCK_NAME_LENGTH, 6),
        (glow::UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER, 1),
        (glow::UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER, 0),
    ] {
        let mut seen = -9;
        raw.glGetActiveUniformBlockiv(name, block, what, &raw mut seen);
        assert_eq!(seen, wanted, "{what:#x}");
    }
    let names = [c"scale", c"turn", c"row", c"tint", c"nothing"];
    let pointers = names.map(CStr::as_ptr);
    let mut indices = [77; 5];
    raw.glGetUniformIndices(name, 5, pointers.as_ptr(), indices.as_mut_ptr());
    assert_eq!(indices[4], glow::INVALID_INDEX);
    // scale at 0, turn from 16 with columns of 16, row from 64 with elements of 16; tint is in no block.
    for (what, wanted) in [
        (glow::UNIFORM_OFFSET, [0, 16, 64, -1]),
        (glow::UNIFORM_ARRAY_STRIDE, [0, 0, 16, -1]),
        (glow::UNIFORM_MATRIX_STRIDE, [0, 16, 0, -1]),
        (glow::UNIFORM_SIZE, [1, 1, 3, 1]),
        (glow::UNIFORM_BLOCK_INDEX, [0, 0, 0, -1]),
    ] {
        let mut seen = [-9; 4];
        raw.glGetActiveUniformsiv(name, 4, indices.as_ptr(), what, seen.as_mut_ptr());
        assert_eq!(seen, wanted, "{what:#x}");
    }
    for (index, wanted) in indices.into_iter().zip(["scale", "turn", "row[0]", "tint"]) {
        let said = text(|size, length, out| {
            raw.glGetActiveUniformName(name, index, size, length, out);
        });
        assert_eq!(said, wanted, "glGetActiveUniformName");
        let (mut size, mut ty) = (-9, 0);
        let said = text(|room, length, out| {
            raw.glGetActiveUniform(name, index, room, length, &raw mut size, &raw mut ty, out);
        });
        assert_eq!(said, wanted, "glGetActiveUniform");
    }
    gl.no_error("uniforms by index");
}

/// Rule: varyings to capture are named before the program is linked, and answered after it (GL 4.6 core §11.1.2.1); validation leaves its
/// outcome (§11.1.3.11); logs say why something failed (§7.14).
/// Broken: the last link's varyings stayed.
pub unsafe fn captured_names_and_logs(gl: &Gl) {
    let raw = &gl.raw;
    gl.target(8, 8);
    let program = gl.program(VERTEX, FRAGMENT);
    let name = program.0.get();
    let names = [c"c".as_ptr(), c"gl_Position".as_ptr()];
    raw.glTransformFeedbackVaryings(name, 2, names.as_ptr(), glow::SEPARATE_ATTRIBS);
    gl.link_program(program);
    assert!(
        gl.get_program_link_status(program),
        "{}",
        gl.get_program_info_log(program)
    );
    for (i, wanted) in (0..).zip(["c", "gl_Position"]) {
        let (mut size, mut ty) = (-9, 0);
        let said = text(|room, length, out| {
            raw.glGetTransformFeedbackVarying(
                name,
                i,
                room,
                length,
                &raw mut size,
                &raw mut ty,
                out,
            );
        });
        assert_eq!((&*said, size, ty), (wanted, 1, glow::FLOAT_VEC4));
    }
    let mut status = -9;
    raw.glGetProgramiv(name, glow::VALIDATE_STATUS, &raw mut status);
    assert_eq!(status, 0, "before validation");
    gl.vertex_array();
    let block = gl.buffer(glow::UNIFORM_BUFFER, &[0; 256]);
    raw.glBindBufferBase(glow::UNIFORM_BUFFER, 0, block.0.get());
    raw.glValidateProgram(name);
    raw.glGetProgramiv(name, glow::VALIDATE_STATUS, &raw mut status);
    assert_eq!(status, 1, "it can run");

    let broken = shader(
        gl,
        glow::FRAGMENT_SHADER,
        "#version 330 core\nvoid main() { undeclared = 1.0; }\n",
    );
    let id = broken.0.get();
    let log = text(|size, length, out| raw.glGetShaderInfoLog(id, size, length, out));
    assert!(log.contains("undeclared"), "{log}");
    let bad = gl.create_program().expect("glCreateProgram");
    gl.attach_shader(bad, broken);
    gl.link_program(bad);
    assert!(!gl.get_program_link_status(bad));
    let id = bad.0.get();
    let log = text(|size, length, out| raw.glGetProgramInfoLog(id, size, length, out));
    assert!(!log.is_empty(), "a link that failed says why");
    gl.no_error("names and logs");
}
