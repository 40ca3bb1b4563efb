//! Checks of current attribute values and of queries of attributes (GL 4.6 §10.2, §10.5). Whatever form a value comes in, it leaves here as
//! four words. It must change nothing.

use crate::c_memory;
use crate::cx::Cx;
use crate::validate::vertex_array::attrib;
use core::ffi::c_void;
use gl_enums::*;
use gl_state::GlError;
use pipe::AttribValue;
use pipe::pixels::codec;

/// A value for an attribute.
pub type Current = (usize, AttribValue);

/// Kinds of [`AttribValue`].
const FLOAT: u32 = 0;
const INT: u32 = 1;
const UINT: u32 = 2;

/// GL 4.6 §10.2: components that a command does not give are 0, 0, 1.
fn floats(index: GLuint, given: &[f32]) -> Result<Current, GlError> {
    let mut v = [0.0, 0.0, 0.0, 1.0f32];
    v[..given.len()].copy_from_slice(given);
    Ok((
        attrib(index)?,
        AttribValue {
            bits: v.map(f32::to_bits),
            kind: FLOAT,
        },
    ))
}

fn integers(index: GLuint, given: &[u32], kind: u32) -> Result<Current, GlError> {
    let mut bits = [0, 0, 0, 1];
    bits[..given.len()].copy_from_slice(given);
    Ok((attrib(index)?, AttribValue { bits, kind }))
}

/// How a component of a type becomes a word.
trait Component: Copy {
    fn float(self) -> f32;
    /// Normalized (GL 4.6 §2.3.5): c / (2^b - 1), or max(c / (2^(b-1) - 1), -1).
    fn unit(self) -> f32;
    fn word(self) -> u32;
}

macro_rules! components {
    ($($ty:ty: $unit:expr, $word:expr;)*) => { $(
        impl Component for $ty {
            fn float(self) -> f32 { self as f32 }
            fn unit(self) -> f32 { let f: fn(Self) -> f32 = $unit; f(self) }
            fn word(self) -> u32 { let f: fn(Self) -> u32 = $word; f(self) }
        }
    )* };
}
components! {
    i8: |c| (f32::from(c) / 127.0).max(-1.0), |c| i32::from(c) as u32;
    u8: |c| f32::from(c) / 255.0, u32::from;
    i16: |c| (f32::from(c) / 32767.0).max(-1.0), |c| i32::from(c) as u32;
    u16: |c| f32::from(c) / 65535.0, u32::from;
    i32: |c| (f64::from(c) / 2_147_483_647.0).max(-1.0) as f32, |c| c as u32;
    u32: |c| (f64::from(c) / 4_294_967_295.0) as f32, |c| c;
    f32: |c| c, f32::to_bits;
    f64: |c| c as f32, |c| (c as f32).to_bits();
}

/// `N` components at `v`.
fn read<T: Component, const N: usize>(v: *const T) -> Result<[T; N], GlError> {
    // SAFETY: c_memory's rule: the command's name says that it reads N components.
    let given = unsafe { c_memory::slice(v, N) };
    given
        .try_into()
        .map_err(|_| GlError::invalid_value("v is null"))
}

macro_rules! scalars {
    ($($name:ident($($arg:ident),*): $ty:ty;)*) => { $(
        pub fn $name(_: &Cx<'_>, index: GLuint, $($arg: $ty),*) -> Result<Current, GlError> {
            floats(index, &[$($arg.float()),*])
        }
    )* };
}
scalars! {
    vertex_attrib_1f(x): f32;
    vertex_attrib_2f(x, y): f32;
    vertex_attrib_3f(x, y, z): f32;
    vertex_attrib_4f(x, y, z, w): f32;
    vertex_attrib_1d(x): f64;
    vertex_attrib_2d(x, y): f64;
    vertex_attrib_3d(x, y, z): f64;
    vertex_attrib_4d(x, y, z, w): f64;
    vertex_attrib_1s(x): i16;
    vertex_attrib_2s(x, y): i16;
    vertex_attrib_3s(x, y, z): i16;
    vertex_attrib_4s(x, y, z, w): i16;
}

macro_rules! vectors {
    ($($name:ident: $ty:ty, $n:literal, $how:ident;)*) => { $(
        pub fn $name(_: &Cx<'_>, index: GLuint, v: *const $ty) -> Result<Current, GlError> {
            let v: [$ty; $n] = read(v)?;
            floats(index, &v.map(Component::$how))
        }
    )* };
}
vectors! {
    vertex_attrib_1fv: f32, 1, float;
    vertex_attrib_2fv: f32, 2, float;
    vertex_attrib_3fv: f32, 3, float;
    vertex_attrib_4fv: f32, 4, float;
    vertex_attrib_1dv: f64, 1, float;
    vertex_attrib_2dv: f64, 2, float;
    vertex_attrib_3dv: f64, 3, float;
    vertex_attrib_4dv: f64, 4, float;
    vertex_attrib_1sv: i16, 1, float;
    vertex_attrib_2sv: i16, 2, float;
    vertex_attrib_3sv: i16, 3, float;
    vertex_attrib_4sv: i16, 4, float;
    vertex_attrib_4bv: i8, 4, float;
    vertex_attrib_4ubv: u8, 4, float;
    vertex_attrib_4usv: u16, 4, float;
    vertex_attrib_4iv: i32, 4, float;
    vertex_attrib_4uiv: u32, 4, float;
    vertex_attrib_4nbv: i8, 4, unit;
    vertex_attrib_4nubv: u8, 4, unit;
    vertex_attrib_4nsv: i16, 4, unit;
    vertex_attrib_4nusv: u16, 4, unit;
    vertex_attrib_4niv: i32, 4, unit;
    vertex_attrib_4nuiv: u32, 4, unit;
}

pub fn vertex_attrib_4nub(
    _: &Cx<'_>,
    index: GLuint,
    x: u8,
    y: u8,
    z: u8,
    w: u8,
) -> Result<Current, GlError> {
    floats(index, &[x, y, z, w].map(Component::unit))
}

macro_rules! integer_scalars {
    ($($name:ident($($arg:ident),*): $ty:ty, $kind:ident;)*) => { $(
        pub fn $name(_: &Cx<'_>, index: GLuint, $($arg: $ty),*) -> Result<Current, GlError> {
            integers(index, &[$($arg.word()),*], $kind)
        }
    )* };
}
integer_scalars! {
    vertex_attrib_i1i(x): i32, INT;
    vertex_attrib_i2i(x, y): i32, INT;
    vertex_attrib_i3i(x, y, z): i32, INT;
    vertex_attrib_i4i(x, y, z, w): i32, INT;
    vertex_attrib_i1ui(x): u32, UINT;
    vertex_attrib_i2ui(x, y): u32, UINT;
    vertex_attrib_i3ui(x, y, z): u32, UINT;
    vertex_attrib_i4ui(x, y, z, w): u32, UINT;
}

macro_rules! integer_vectors {
    ($($name:ident: $ty:ty, $n:literal, $kind:ident;)*) => { $(
        pub fn $name(_: &Cx<'_>, index: GLuint, v: *const $ty) -> Result<Current, GlError> {
            let v: [$ty; $n] = read(v)?;
            integers(index, &v.map(Component::word), $kind)
        }
    )* };
}
integer_vectors! {
    vertex_attrib_i1iv: i32, 1, INT;
    vertex_attrib_i2iv: i32, 2, INT;
    vertex_attrib_i3iv: i32, 3, INT;
    vertex_attrib_i4iv: i32, 4, INT;
    vertex_attrib_i1uiv: u32, 1, UINT;
    vertex_attrib_i2uiv: u32, 2, UINT;
    vertex_attrib_i3uiv: u32, 3, UINT;
    vertex_attrib_i4uiv: u32, 4, UINT;
    vertex_attrib_i4bv: i8, 4, INT;
    vertex_attrib_i4ubv: u8, 4, UINT;
    vertex_attrib_i4sv: i16, 4, INT;
    vertex_attrib_i4usv: u16, 4, UINT;
}

/// A packed value (GL 4.6 §10.3.8). `n` components are given.
fn packed(
    n: usize,
    index: GLuint,
    ty: GLenum,
    normalized: GLboolean,
    value: GLuint,
) -> Result<Current, GlError> {
    let field = |i: u32| {
        if i < 3 {
            (value >> (10 * i)) & 0x3FF
        } else {
            value >> 30
        }
    };
    let bits = |i: u32| if i < 3 { 10 } else { 2 };
    let component = |i: u32| -> f32 {
        let (raw, bits) = (field(i), bits(i));
        let signed = ((raw << (32 - bits)) as i32) >> (32 - bits);
        match (ty, normalized != 0) {
            (GL_UNSIGNED_INT_2_10_10_10_REV, false) => raw as f32,
            (GL_UNSIGNED_INT_2_10_10_10_REV, true) => codec::unorm_to_real(raw, bits) as f32,
            (_, false) => signed as f32,
            (_, true) => codec::snorm_to_real(signed, bits) as f32,
        }
    };
    let v = match ty {
        GL_INT_2_10_10_10_REV | GL_UNSIGNED_INT_2_10_10_10_REV => {
            [component(0), component(1), component(2), component(3)]
        }
        GL_UNSIGNED_INT_10F_11F_11F_REV if n == 3 => [
            codec::f11_to_real(value & 0x7FF) as f32,
            codec::f11_to_real((value >> 11) & 0x7FF) as f32,
            codec::f10_to_real(value >> 22) as f32,
            1.0,
        ],
        // GL 4.6 §10.2: INVALID_ENUM if type is none of these.
        _ => return Err(GlError::invalid_enum("type")),
    };
    floats(index, &v[..n])
}

macro_rules! packed_values {
    ($($name:ident, $pointer:ident: $n:literal;)*) => { $(
        pub fn $name(_: &Cx<'_>, index: GLuint, ty: GLenum, normalized: GLboolean, value: GLuint) -> Result<Current, GlError> {
            packed($n, index, ty, normalized, value)
        }

        pub fn $pointer(_: &Cx<'_>, index: GLuint, ty: GLenum, normalized: GLboolean, value: *const GLuint) -> Result<Current, GlError> {
            let [value]: [u32; 1] = read(value)?;
            packed($n, index, ty, normalized, value)
        }
    )* };
}
packed_values! {
    vertex_attrib_p1ui, vertex_attrib_p1uiv: 1;
    vertex_attrib_p2ui, vertex_attrib_p2uiv: 2;
    vertex_attrib_p3ui, vertex_attrib_p3uiv: 3;
    vertex_attrib_p4ui, vertex_attrib_p4uiv: 4;
}

/// What a query asks of an attribute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    Number(u32),
    Current(AttribValue),
}

fn answer(cx: &Cx<'_>, index: GLuint, pname: GLenum) -> Result<Answer, GlError> {
    let index = attrib(index)?;
    let array = cx.ctx.vertex_array();
    let format = &array.attribs[index];
    let binding = &array.bindings[usize::from(format.binding)];
    Ok(Answer::Number(match pname {
        GL_VERTEX_ATTRIB_ARRAY_ENABLED => format.enabled,
        GL_VERTEX_ATTRIB_ARRAY_SIZE if format.bgra != 0 => GL_BGRA,
        GL_VERTEX_ATTRIB_ARRAY_SIZE => format.components.into(),
        GL_VERTEX_ATTRIB_ARRAY_STRIDE => array.legacy[index].stride,
        GL_VERTEX_ATTRIB_ARRAY_TYPE => format.ty.into(),
        GL_VERTEX_ATTRIB_ARRAY_NORMALIZED => format.normalized.into(),
        GL_VERTEX_ATTRIB_ARRAY_INTEGER => format.integer.into(),
        GL_VERTEX_ATTRIB_ARRAY_LONG => format.long.into(),
        GL_VERTEX_ATTRIB_ARRAY_DIVISOR => binding.layout.divisor,
        GL_VERTEX_ATTRIB_BINDING => format.binding.into(),
        GL_VERTEX_ATTRIB_RELATIVE_OFFSET => format.relative_offset_bytes,
        GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING => {
            let buffer = cx.objects.buffers.get(binding.buffer);
            buffer.map_or(0, |buffer| buffer.name)
        }
        GL_CURRENT_VERTEX_ATTRIB => return Ok(Answer::Current(cx.ctx.vertex.current[index])),
        _ => return Err(GlError::invalid_enum("pname")),
    }))
}

macro_rules! queries {
    ($($name:ident: $ty:ty;)*) => { $(
        pub fn $name(cx: &Cx<'_>, index: GLuint, pname: GLenum, params: *mut $ty) -> Result<(Answer, *mut $ty), GlError> {
            Ok((answer(cx, index, pname)?, params))
        }
    )* };
}
queries! {
    get_vertex_attribfv: GLfloat;
    get_vertex_attribdv: GLdouble;
    get_vertex_attribiv: GLint;
    get_vertex_attrib_iiv: GLint;
    get_vertex_attrib_iuiv: GLuint;
}

pub fn get_vertex_attrib_pointerv(
    cx: &Cx<'_>,
    index: GLuint,
    pname: GLenum,
    pointer: *mut *mut c_void,
) -> Result<(u64, *mut *mut c_void), GlError> {
    let index = attrib(index)?;
    if pname != GL_VERTEX_ATTRIB_ARRAY_POINTER {
        return Err(GlError::invalid_enum("pname"));
    }
    Ok((cx.ctx.vertex_array().legacy[index].pointer, pointer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_value_of_ten_bit_fields_is_spread_over_four_components() {
        let value = 1 | 2 << 10 | 3 << 20 | 1 << 30;
        let (_, read) = packed(4, 0, GL_UNSIGNED_INT_2_10_10_10_REV, 0, value).unwrap();
        assert_eq!(read.bits.map(f32::from_bits), [1.0, 2.0, 3.0, 1.0]);
        // All ones is -1 in every signed field.
        let (_, read) = packed(3, 0, GL_INT_2_10_10_10_REV, 0, u32::MAX).unwrap();
        assert_eq!(read.bits.map(f32::from_bits), [-1.0, -1.0, -1.0, 1.0]);
    }

    #[test]
    fn attribute_beyond_the_limit_is_invalid_value() {
        assert_eq!(floats(16, &[0.0]).unwrap_err().code, GL_INVALID_VALUE);
        assert!(floats(15, &[0.0]).is_ok());
    }

    #[test]
    fn smallest_normalized_signed_byte_is_minus_one() {
        assert_eq!((-128i8).unit(), -1.0);
        assert_eq!((-127i8).unit(), -1.0);
        assert_eq!(255u8.unit(), 1.0);
    }
}
