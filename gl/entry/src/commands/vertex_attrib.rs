//! Current attribute values and queries of attributes.

use crate::c_memory;
use crate::cx::Cx;
use crate::validate::vertex_attrib::{Answer, Current};
use core::ffi::c_void;
use gl_enums::*;
use gl_state::GlError;
use pipe::AttribValue;

macro_rules! setters {
    ($($name:ident)*) => { $(
        #[inline]
        pub fn $name(cx: &mut Cx<'_>, (index, value): Current) -> Result<(), GlError> {
            cx.ctx.set_current_value(index, value);
            Ok(())
        }
    )* };
}
setters! {
    vertex_attrib_1f vertex_attrib_2f vertex_attrib_3f vertex_attrib_4f
    vertex_attrib_1d vertex_attrib_2d vertex_attrib_3d vertex_attrib_4d
    vertex_attrib_1s vertex_attrib_2s vertex_attrib_3s vertex_attrib_4s
    vertex_attrib_1fv vertex_attrib_2fv vertex_attrib_3fv vertex_attrib_4fv
    vertex_attrib_1dv vertex_attrib_2dv vertex_attrib_3dv vertex_attrib_4dv
    vertex_attrib_1sv vertex_attrib_2sv vertex_attrib_3sv vertex_attrib_4sv
    vertex_attrib_4bv vertex_attrib_4ubv vertex_attrib_4usv vertex_attrib_4iv vertex_attrib_4uiv
    vertex_attrib_4nbv vertex_attrib_4nubv vertex_attrib_4nsv vertex_attrib_4nusv vertex_attrib_4niv
    vertex_attrib_4nuiv vertex_attrib_4nub
    vertex_attrib_i1i vertex_attrib_i2i vertex_attrib_i3i vertex_attrib_i4i
    vertex_attrib_i1ui vertex_attrib_i2ui vertex_attrib_i3ui vertex_attrib_i4ui
    vertex_attrib_i1iv vertex_attrib_i2iv vertex_attrib_i3iv vertex_attrib_i4iv
    vertex_attrib_i1uiv vertex_attrib_i2uiv vertex_attrib_i3uiv vertex_attrib_i4uiv
    vertex_attrib_i4bv vertex_attrib_i4ubv vertex_attrib_i4sv vertex_attrib_i4usv
    vertex_attrib_p1ui vertex_attrib_p2ui vertex_attrib_p3ui vertex_attrib_p4ui
    vertex_attrib_p1uiv vertex_attrib_p2uiv vertex_attrib_p3uiv vertex_attrib_p4uiv
}

/// A current value as numbers: GL 4.6 §2.2.2 converts between kinds.
fn numbers(value: AttribValue) -> [f64; 4] {
    value.bits.map(|bits| match value.kind {
        1 => f64::from(bits as i32),
        2 => f64::from(bits),
        _ => f64::from(f32::from_bits(bits)),
    })
}

macro_rules! queries {
    ($($name:ident: $ty:ty, $convert:expr;)*) => { $(
        pub fn $name(_: &mut Cx<'_>, (answer, out): (Answer, *mut $ty)) -> Result<(), GlError> {
            match answer {
                // SAFETY: c_memory's rule: one value.
                Answer::Number(n) => unsafe { c_memory::write(out, n as $ty) },
                Answer::Current(value) => {
                    let convert: fn(AttribValue) -> [$ty; 4] = $convert;
                    // SAFETY: c_memory's rule: a current value has four components.
                    unsafe { c_memory::write_all(out, &convert(value)) };
                }
            }
            Ok(())
        }
    )* };
}
queries! {
    get_vertex_attribfv: GLfloat, |v| numbers(v).map(|n| n as f32);
    get_vertex_attribdv: GLdouble, numbers;
    get_vertex_attribiv: GLint, |v| numbers(v).map(|n| n.round() as i32);
    get_vertex_attrib_iiv: GLint, |v| v.bits.map(|bits| bits as i32);
    get_vertex_attrib_iuiv: GLuint, |v| v.bits;
}

pub fn get_vertex_attrib_pointerv(
    _: &mut Cx<'_>,
    (address, out): (u64, *mut *mut c_void),
) -> Result<(), GlError> {
    // SAFETY: c_memory's rule: one pointer.
    unsafe { c_memory::write(out, address as *mut c_void) };
    Ok(())
}
