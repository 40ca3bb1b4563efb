//! Values of uniforms: every command that sets one, by what the program answers and what its shader sees. Names are `programs`' subject.

use glow::HasContext;

use crate::gl::Gl;
use crate::paint::*;

/// The type, what it is called in a shader, how many numbers one has, and the wanted value there.
struct Row {
    ty: &'static str,
    numbers: usize,
    integer: bool,
    wanted: &'static str,
}

const fn row(ty: &'static str, numbers: usize, integer: bool, wanted: &'static str) -> Row {
    Row {
        ty,
        numbers,
        integer,
        wanted,
    }
}

/// A program whose two uniforms `u` are right or not: green or red.
unsafe fn judging(gl: &Gl, row: &Row) -> glow::NativeProgram {
    let Row { ty, wanted, .. } = row;
    gl.program(
        TRI,
        &format!(
            "#version 330 core
            uniform {ty} u[2]; out vec4 o;
            void main() {{ o = u[1] == {wanted} && u[0] != u[1] ? vec4(0.0, 1.0, 0.0, 1.0) : vec4(1.0, 0.0, 0.0, 1.0); }}"
        ),
    )
}

/// Fails unless u[1] is 1, 2, 3, ... and the shader sees it.
unsafe fn expect(gl: &Gl, program: glow::NativeProgram, row: &Row, what: &str) {
    let location = gl
        .get_uniform_location(program, "u[1]")
        .expect("it is active");
    let (name, at) = (program.0.get(), location.0 as i32);
    let wanted: Vec<i32> = (1..).take(row.numbers).collect();
    if row.integer {
        let (mut signed, mut unsigned) = ([-9; 16], [99; 16]);
        gl.raw.glGetUniformiv(name, at, signed.as_mut_ptr());
        gl.raw.glGetUniformuiv(name, at, unsigned.as_mut_ptr());
        let unsigned = unsigned.map(|value| value as i32);
        assert_eq!(signed[..row.numbers], wanted, "{what}");
        assert_eq!(unsigned[..row.numbers], wanted, "{what}");
        assert_eq!(signed[row.numbers..], [-9; 16][row.numbers..], "{what}");
    } else {
        let mut floats = [-9.0; 16];
        gl.raw.glGetUniformfv(name, at, floats.as_mut_ptr());
        let seen: Vec<i32> = floats.iter().map(|value| *value as i32).collect();
        assert_eq!(seen[..row.numbers], wanted, "{what}");
        assert_eq!(seen[row.numbers..], [-9; 16][row.numbers..], "{what}");
    }
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(4, 4, GREEN8, what);
    gl.no_error(what);
}

const FLOATS: [f32; 16] = [
    1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0,
];
const INTS: [i32; 4] = [1, 2, 3, 4];
const UINTS: [u32; 4] = [1, 2, 3, 4];

/// Rows of a command with its arguments behind the location.
macro_rules! uniforms {
    ($gl:ident, $($row:expr => $($name:ident($($argument:expr),*))*;)*) => { $(
        let row = &$row;
        $(
            let program = judging($gl, row);
            $gl.use_program(Some(program));
            let at = $gl.get_uniform_location(program, "u[1]").expect("it is active").0 as i32;
            $gl.raw.$name(at, $($argument),*);
            expect($gl, program, row, stringify!($name));
            $gl.delete_program(program);
        )*
    )* };
}

/// Rule: each command sets what its name says, of elements behind the one that the location names (GL 4.6 core §7.6.1); matrices come by
/// columns, or by rows where `transpose` says so.
/// Broken: a width, type or shape of which nothing arrived, or that came transposed.
pub unsafe fn uniforms_of_every_type(gl: &Gl) {
    gl.target(8, 8);
    gl.vertex_array();
    let f = FLOATS.as_ptr();
    uniforms! { gl,
        row("float", 1, false, "1.0") => glUniform1f(1.0) glUniform1fv(1, f);
        row("vec2", 2, false, "vec2(1, 2)") => glUniform2f(1.0, 2.0) glUniform2fv(1, f);
        row("vec3", 3, false, "vec3(1, 2, 3)") => glUniform3f(1.0, 2.0, 3.0) glUniform3fv(1, f);
        row("vec4", 4, false, "vec4(1, 2, 3, 4)") => glUniform4f(1.0, 2.0, 3.0, 4.0) glUniform4fv(1, f);
        row("int", 1, true, "1") => glUniform1i(1) glUniform1iv(1, INTS.as_ptr());
        row("ivec2", 2, true, "ivec2(1, 2)") => glUniform2i(1, 2) glUniform2iv(1, INTS.as_ptr());
        row("ivec3", 3, true, "ivec3(1, 2, 3)") => glUniform3i(1, 2, 3) glUniform3iv(1, INTS.as_ptr());
        row("ivec4", 4, true, "ivec4(1, 2, 3, 4)") => glUniform4i(1, 2, 3, 4) glUniform4iv(1, INTS.as_ptr());
        row("uint", 1, true, "1u") => glUniform1ui(1) glUniform1uiv(1, UINTS.as_ptr());
        row("uvec2", 2, true, "uvec2(1, 2)") => glUniform2ui(1, 2) glUniform2uiv(1, UINTS.as_ptr());
        row("uvec3", 3, true, "uvec3(1, 2, 3)") => glUniform3ui(1, 2, 3) glUniform3uiv(1, UINTS.as_ptr());
        row("uvec4", 4, true, "uvec4(1, 2, 3, 4)") => glUniform4ui(1, 2, 3, 4) glUniform4uiv(1, UINTS.as_ptr());
        row("mat2", 4, false, "mat2(1, 2, 3, 4)") => glUniformMatrix2fv(1, 0, f);
        row("mat3", 9, false, "mat3(1, 2, 3, 4, 5, 6, 7, 8, 9)") => glUniformMatrix3fv(1, 0, f);
        row("mat4", 16, false, "mat4(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)") => glUniformMatrix4fv(1, 0, f);
        row("mat2x3", 6, false, "mat2x3(1, 2, 3, 4, 5, 6)") => glUniformMatrix2x3fv(1, 0, f);
        row("mat3x2", 6, false, "mat3x2(1, 2, 3, 4, 5, 6)") => glUniformMatrix3x2fv(1, 0, f);
        row("mat2x4", 8, false, "mat2x4(1, 2, 3, 4, 5, 6, 7, 8)") => glUniformMatrix2x4fv(1, 0, f);
        row("mat4x2", 8, false, "mat4x2(1, 2, 3, 4, 5, 6, 7, 8)") => glUniformMatrix4x2fv(1, 0, f);
        row("mat3x4", 12, false, "mat3x4(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)") => glUniformMatrix3x4fv(1, 0, f);
        row("mat4x3", 12, false, "mat4x3(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)") => glUniformMatrix4x3fv(1, 0, f);
    }
    // By rows: 1 3 5 over 2 4 6 are the columns (1, 2), (3, 4), (5, 6).
    let rows = [1.0f32, 3.0, 5.0, 2.0, 4.0, 6.0];
    uniforms! { gl,
        row("mat3x2", 6, false, "mat3x2(1, 2, 3, 4, 5, 6)") => glUniformMatrix3x2fv(1, 1, rows.as_ptr());
    }
}
