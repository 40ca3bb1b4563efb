//! Current values of attributes: every command that sets one, by what the context answers and what a draw sees. Arrays are `vertex_input`'s
//! subject.

use glow::HasContext;

use crate::gl::Gl;
use crate::lane::Lane;

const CURRENT: u32 = glow::CURRENT_VERTEX_ATTRIB;
const UNSIGNED_PACKED: u32 = glow::UNSIGNED_INT_2_10_10_10_REV;
const SIGNED_PACKED: u32 = 0x8D9F;
/// What an attribute is before each command.
const BEFORE: f32 = 9.0;

#[track_caller]
unsafe fn expect_floats(gl: &Gl, what: &str, wanted: [f32; 4]) {
    let mut seen = [-1.0; 4];
    gl.raw.glGetVertexAttribfv(3, CURRENT, seen.as_mut_ptr());
    // Mesa keeps what it had of components that a command does not name.
    let kept = |seen: f32| gl.lane() == Lane::native && seen == BEFORE;
    let near = seen
        .into_iter()
        .zip(wanted)
        .all(|(seen, wanted)| (seen - wanted).abs() < 1e-6 || kept(seen));
    assert!(near, "{what}: {seen:?} instead of {wanted:?}");
    gl.no_error(what);
}

#[track_caller]
unsafe fn expect_integers(gl: &Gl, what: &str, wanted: [i64; 4]) {
    let (mut signed, mut unsigned) = ([-9; 4], [99; 4]);
    gl.raw.glGetVertexAttribIiv(3, CURRENT, signed.as_mut_ptr());
    gl.raw
        .glGetVertexAttribIuiv(3, CURRENT, unsigned.as_mut_ptr());
    assert_eq!(signed, wanted.map(|value| value as i32), "{what}");
    assert_eq!(unsigned, wanted.map(|value| value as u32), "{what}");
    gl.no_error(what);
}

/// Rows of a command, its arguments behind the index, and the value that there is then.
macro_rules! values {
    ($gl:ident, $check:ident, $($name:ident($($argument:expr),*) $wanted:expr;)*) => { $(
        $gl.vertex_attrib_4_f32(3, BEFORE, BEFORE, BEFORE, BEFORE);
        $gl.raw.$name(3, $($argument),*);
        $check($gl, stringify!($name), $wanted);
    )* };
}

/// Rule: each command of the family sets the components that it names; the others are 0, 0, 1 (GL 4.6 core §10.2.1).
/// Broken: a width or a type of which nothing arrived.
pub unsafe fn current_values_of_every_type(gl: &Gl) {
    values! { gl, expect_floats,
        glVertexAttrib1f(0.25) [0.25, 0.0, 0.0, 1.0];
        glVertexAttrib1fv([0.25].as_ptr()) [0.25, 0.0, 0.0, 1.0];
        glVertexAttrib1d(0.5) [0.5, 0.0, 0.0, 1.0];
        glVertexAttrib1dv([0.5].as_ptr()) [0.5, 0.0, 0.0, 1.0];
        glVertexAttrib1s(-3) [-3.0, 0.0, 0.0, 1.0];
        glVertexAttrib1sv([-3].as_ptr()) [-3.0, 0.0, 0.0, 1.0];
        glVertexAttrib2f(0.25, -0.5) [0.25, -0.5, 0.0, 1.0];
        glVertexAttrib2fv([0.25, -0.5].as_ptr()) [0.25, -0.5, 0.0, 1.0];
        glVertexAttrib2d(0.25, -0.5) [0.25, -0.5, 0.0, 1.0];
        glVertexAttrib2dv([0.25, -0.5].as_ptr()) [0.25, -0.5, 0.0, 1.0];
        glVertexAttrib2s(7, -8) [7.0, -8.0, 0.0, 1.0];
        glVertexAttrib2sv([7, -8].as_ptr()) [7.0, -8.0, 0.0, 1.0];
        glVertexAttrib3f(1.5, 2.5, 3.5) [1.5, 2.5, 3.5, 1.0];
        glVertexAttrib3fv([1.5, 2.5, 3.5].as_ptr()) [1.5, 2.5, 3.5, 1.0];
        glVertexAttrib3d(1.5, 2.5, 3.5) [1.5, 2.5, 3.5, 1.0];
        glVertexAttrib3dv([1.5, 2.5, 3.5].as_ptr()) [1.5, 2.5, 3.5, 1.0];
        glVertexAttrib3s(1, 2, -3) [1.0, 2.0, -3.0, 1.0];
        glVertexAttrib3sv([1, 2, -3].as_ptr()) [1.0, 2.0, -3.0, 1.0];
        glVertexAttrib4f(1.5, 2.5, 3.5, 4.5) [1.5, 2.5, 3.5, 4.5];
        glVertexAttrib4fv([1.5, 2.5, 3.5, 4.5].as_ptr()) [1.5, 2.5, 3.5, 4.5];
        glVertexAttrib4d(1.5, 2.5, 3.5, 4.5) [1.5, 2.5, 3.5, 4.5];
        glVertexAttrib4dv([1.5, 2.5, 3.5, 4.5].as_ptr()) [1.5, 2.5, 3.5, 4.5];
        glVertexAttrib4s(1, 2, -3, 4) [1.0, 2.0, -3.0, 4.0];
        glVertexAttrib4sv([1, 2, -3, 4].as_ptr()) [1.0, 2.0, -3.0, 4.0];
        glVertexAttrib4bv([1, -2, 127, -128].as_ptr()) [1.0, -2.0, 127.0, -128.0];
        glVertexAttrib4iv([1, -2, 70_000, 4].as_ptr()) [1.0, -2.0, 70_000.0, 4.0];
        glVertexAttrib4ubv([1, 2, 200, 255].as_ptr()) [1.0, 2.0, 200.0, 255.0];
        glVertexAttrib4usv([1, 2, 200, 65_535].as_ptr()) [1.0, 2.0, 200.0, 65_535.0];
        glVertexAttrib4uiv([1, 2, 200, 70_000].as_ptr()) [1.0, 2.0, 200.0, 70_000.0];
        // Both conversions of signed numbers, that of 3.3 and that of 4.2, agree at the ends (§2.3.5.1).
        glVertexAttrib4Nbv([127, -128, 127, -128].as_ptr()) [1.0, -1.0, 1.0, -1.0];
        glVertexAttrib4Nsv([i16::MAX, i16::MIN, i16::MAX, i16::MIN].as_ptr()) [1.0, -1.0, 1.0, -1.0];
        glVertexAttrib4Niv([i32::MAX, i32::MIN, i32::MAX, i32::MIN].as_ptr()) [1.0, -1.0, 1.0, -1.0];
        glVertexAttrib4Nub(51, 102, 153, 255) [0.2, 0.4, 0.6, 1.0];
        glVertexAttrib4Nubv([51, 102, 153, 255].as_ptr()) [0.2, 0.4, 0.6, 1.0];
        glVertexAttrib4Nusv([13_107, 26_214, 0, 65_535].as_ptr()) [0.2, 0.4, 0.0, 1.0];
        glVertexAttrib4Nuiv([0, u32::MAX, 858_993_459, u32::MAX].as_ptr()) [0.0, 1.0, 0.2, 1.0];
    }
    let unsigned = 5 | 6 << 10 | 7 << 20 | 2 << 30;
    // -5, 6, -7, -2 in two's complement.
    let signed = (1024 - 5) | 6 << 10 | (1024 - 7) << 20 | 2 << 30;
    let ends = 1023 | 1023 << 20;
    values! { gl, expect_floats,
        glVertexAttribP1ui(UNSIGNED_PACKED, 0, unsigned) [5.0, 0.0, 0.0, 1.0];
        glVertexAttribP1uiv(UNSIGNED_PACKED, 0, &raw const unsigned) [5.0, 0.0, 0.0, 1.0];
        glVertexAttribP2ui(SIGNED_PACKED, 0, signed) [-5.0, 6.0, 0.0, 1.0];
        glVertexAttribP2uiv(SIGNED_PACKED, 0, &raw const signed) [-5.0, 6.0, 0.0, 1.0];
        glVertexAttribP3ui(SIGNED_PACKED, 0, signed) [-5.0, 6.0, -7.0, 1.0];
        glVertexAttribP3uiv(UNSIGNED_PACKED, 0, &raw const unsigned) [5.0, 6.0, 7.0, 1.0];
        glVertexAttribP4ui(SIGNED_PACKED, 0, signed) [-5.0, 6.0, -7.0, -2.0];
        glVertexAttribP4uiv(UNSIGNED_PACKED, 0, &raw const unsigned) [5.0, 6.0, 7.0, 2.0];
        glVertexAttribP4ui(UNSIGNED_PACKED, 1, ends) [1.0, 0.0, 1.0, 0.0];
    }
    values! { gl, expect_integers,
        glVertexAttribI1i(-5) [-5, 0, 0, 1];
        glVertexAttribI1iv([-5].as_ptr()) [-5, 0, 0, 1];
        glVertexAttribI1ui(70_000) [70_000, 0, 0, 1];
        glVertexAttribI1uiv([70_000].as_ptr()) [70_000, 0, 0, 1];
        glVertexAttribI2i(-5, 6) [-5, 6, 0, 1];
        glVertexAttribI2iv([-5, 6].as_ptr()) [-5, 6, 0, 1];
        glVertexAttribI2ui(5, 6) [5, 6, 0, 1];
        glVertexAttribI2uiv([5, 6].as_ptr()) [5, 6, 0, 1];
        glVertexAttribI3i(-5, 6, 7) [-5, 6, 7, 1];
        glVertexAttribI3iv([-5, 6, 7].as_ptr()) [-5, 6, 7, 1];
        glVertexAttribI3ui(5, 6, 7) [5, 6, 7, 1];
        glVertexAttribI3uiv([5, 6, 7].as_ptr()) [5, 6, 7, 1];
        glVertexAttribI4i(-5, 6, 7, 8) [-5, 6, 7, 8];
        glVertexAttribI4iv([-5, 6, 7, 8].as_ptr()) [-5, 6, 7, 8];
        glVertexAttribI4ui(5, 6, 7, u32::MAX) [5, 6, 7, i64::from(u32::MAX)];
        glVertexAttribI4uiv([5, 6, 7, u32::MAX].as_ptr()) [5, 6, 7, i64::from(u32::MAX)];
        glVertexAttribI4bv([1, -2, 127, -128].as_ptr()) [1, -2, 127, -128];
        glVertexAttribI4sv([1, -2, 300, -300].as_ptr()) [1, -2, 300, -300];
        glVertexAttribI4ubv([1, 2, 200, 255].as_ptr()) [1, 2, 200, 255];
        glVertexAttribI4usv([1, 2, 200, 65_535].as_ptr()) [1, 2, 200, 65_535];
    }
}

/// Rule: what is asked of an attribute is converted to the type that is asked for (GL 4.6 core §10.5, §2.2.2); integer arrays keep their
/// bits.
/// Broken: an integer array was read as floats; a query left its output alone.
pub unsafe fn attribute_queries(gl: &Gl) {
    gl.target(8, 8);
    let array = gl.vertex_array();
    assert_eq!(gl.raw.glIsVertexArray(array.0.get()), 1);
    gl.raw.glVertexAttrib4f(3, 2.0, -3.0, 0.5, 1.0);
    let mut doubles = [-9.0; 4];
    gl.raw.glGetVertexAttribdv(3, CURRENT, doubles.as_mut_ptr());
    assert_eq!(doubles, [2.0, -3.0, 0.5, 1.0]);
    let numbers: Vec<u8> = [200u32, 100, 50]
        .iter()
        .flat_map(|n| n.to_ne_bytes())
        .collect();
    gl.buffer(
        glow::ARRAY_BUFFER,
        &[vec![0; 4], numbers.repeat(3)].concat(),
    );
    let at = std::ptr::without_provenance(4);
    gl.raw
        .glVertexAttribIPointer(1, 3, glow::UNSIGNED_INT, 12, at);
    gl.enable_vertex_attrib_array(1);
    for (name, wanted) in [
        (glow::VERTEX_ATTRIB_ARRAY_ENABLED, 1),
        (glow::VERTEX_ATTRIB_ARRAY_SIZE, 3),
        (glow::VERTEX_ATTRIB_ARRAY_STRIDE, 12),
        (glow::VERTEX_ATTRIB_ARRAY_TYPE, glow::UNSIGNED_INT as i32),
        (glow::VERTEX_ATTRIB_ARRAY_INTEGER, 1),
        (glow::VERTEX_ATTRIB_ARRAY_NORMALIZED, 0),
    ] {
        let mut seen = -9;
        gl.raw.glGetVertexAttribiv(1, name, &raw mut seen);
        assert_eq!(seen, wanted, "{name:#x}");
    }
    let mut pointer = std::ptr::null_mut();
    gl.raw
        .glGetVertexAttribPointerv(1, glow::VERTEX_ATTRIB_ARRAY_POINTER, &raw mut pointer);
    assert_eq!(pointer.addr(), 4);
    let program = gl.program(
        "#version 330 core
        layout(location = 1) in uvec3 number; flat out uvec3 n;
        void main() {
            n = number;
            gl_Position = vec4(float((gl_VertexID & 1) * 4) - 1.0, float((gl_VertexID & 2) * 2) - 1.0, 0.0, 1.0);
        }",
        "#version 330 core
        flat in uvec3 n; out vec4 o; void main() { o = vec4(vec3(n) / 255.0, 1.0); }",
    );
    gl.use_program(Some(program));
    gl.draw_arrays(glow::TRIANGLES, 0, 3);
    gl.expect(4, 4, [200, 100, 50, 255], "an integer array");
    gl.no_error("attribute queries");
}
