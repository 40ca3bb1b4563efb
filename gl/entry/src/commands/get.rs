//! glGet and strings: conversions of GL 4.6 §2.2.2 and the texts. The values are `state_values`'.

use super::query::now;
use crate::c_memory;
use crate::cx::Cx;
use crate::extensions::advertised;
use crate::state_values::Value;
use gl_enums::*;
use gl_state::{GlError, Profile};
use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::sync::{Mutex, PoisonError};

// `known` has answered GL_TIMESTAMP before any conversion.

fn to_bool(value: &Value) -> Vec<GLboolean> {
    match value {
        Value::Now => Vec::new(),
        Value::Bool(v) => v.iter().map(|b| (*b).into()).collect(),
        Value::Int(v) => v.iter().map(|i| (*i != 0).into()).collect(),
        Value::Float(v) | Value::Normalized(v) => v.iter().map(|f| (*f != 0.0).into()).collect(),
    }
}

/// Integers of `bits` bits: floats round to the nearest, normalized ones map [-1, 1] to the whole range.
fn to_int(value: &Value, bits: u32) -> Vec<i64> {
    let (low, high) = if bits == 32 {
        (i64::from(i32::MIN), i64::from(i32::MAX))
    } else {
        (i64::MIN, i64::MAX)
    };
    match value {
        Value::Now => Vec::new(),
        Value::Bool(v) => v.iter().map(|b| (*b).into()).collect(),
        // Masks and restart indices are unsigned: they keep their bits.
        Value::Int(v) if bits == 32 => v
            .iter()
            .map(|i| {
                if *i > i64::from(u32::MAX) {
                    high
                } else {
                    i64::from(*i as i32)
                }
            })
            .collect(),
        Value::Int(v) => v.to_vec(),
        Value::Float(v) => v
            .iter()
            .map(|f| (f.round() as i64).clamp(low, high))
            .collect(),
        // GL 4.6 §2.2.2: by equation 2.4, f' = f * (2^(b-1) - 1), for values in [-1, 1].
        Value::Normalized(v) => v
            .iter()
            .map(|f| (f.clamp(-1.0, 1.0) * high as f64).round() as i64)
            .collect(),
    }
}

fn to_float(value: &Value) -> Vec<f64> {
    match value {
        Value::Now => Vec::new(),
        Value::Bool(v) => v.iter().map(|b| f64::from(u8::from(*b))).collect(),
        Value::Int(v) => v.iter().map(|i| *i as f64).collect(),
        Value::Float(v) | Value::Normalized(v) => v.to_vec(),
    }
}

/// The value, asked from the executing side where only that knows it.
fn known(cx: &mut Cx<'_>, value: Value) -> Value {
    match value {
        // Nanoseconds that do not fit are those of a clock that runs for three centuries.
        Value::Now => Value::Int(
            [i64::try_from(now(cx)).unwrap_or(i64::MAX)]
                .into_iter()
                .collect(),
        ),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Normalized(_) => value,
    }
}

macro_rules! gets {
    ($($name:ident $indexed:ident $ty:ty: $convert:expr;)*) => {$(
        pub fn $name(cx: &mut Cx<'_>, (value, params): (Value, *mut $ty)) -> Result<(), GlError> {
            let value = known(cx, value);
            let convert: fn(&Value) -> Vec<$ty> = $convert;
            // SAFETY: the command writes as many values as the parameter has.
            unsafe { c_memory::write_all(params, &convert(&value)) };
            Ok(())
        }

        pub fn $indexed(cx: &mut Cx<'_>, args: (Value, *mut $ty)) -> Result<(), GlError> {
            $name(cx, args)
        }
    )*};
}
gets! {
    get_booleanv get_booleani_v GLboolean: to_bool;
    get_integerv get_integeri_v GLint: |v| to_int(v, 32).into_iter().map(|i| i as GLint).collect();
    get_integer64v get_integer64i_v GLint64: |v| to_int(v, 64);
    get_floatv get_floati_v GLfloat: |v| to_float(v).into_iter().map(|f| f as GLfloat).collect();
    get_doublev get_doublei_v GLdouble: to_float;
}

/// Answers integers, converted by GL 4.6 §2.2.2.
pub(super) fn put_ints(value: &Value, out: *mut GLint) {
    let values: Vec<GLint> = to_int(value, 32).into_iter().map(|i| i as GLint).collect();
    // SAFETY: the query writes as many values as its parameter has.
    unsafe { c_memory::write_all(out, &values) };
}

/// Answers floats, converted by GL 4.6 §2.2.2.
pub(super) fn put_floats(value: &Value, out: *mut GLfloat) {
    let values: Vec<GLfloat> = to_float(value).into_iter().map(|f| f as GLfloat).collect();
    // SAFETY: the query writes as many values as its parameter has.
    unsafe { c_memory::write_all(out, &values) };
}

/// Answers integers as they were set: colours are not normalized (GL 4.6 §8.11.3).
pub(super) fn put_pure_ints(value: &Value, out: *mut GLint) {
    put_ints(&pure(value), out);
}

/// As [`put_pure_ints`], unsigned.
pub(super) fn put_pure_uints(value: &Value, out: *mut GLuint) {
    put_ints(&pure(value), out.cast());
}

fn pure(value: &Value) -> Value {
    match value {
        Value::Normalized(v) => Value::Float(v.clone()),
        other => other.clone(),
    }
}

/// A text that lives as long as the process: GL's strings have no end of life (GL 4.6 §22.2).
fn forever(text: String) -> *const GLubyte {
    static TEXTS: Mutex<Option<HashMap<String, &'static CStr>>> = Mutex::new(None);
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = texts.get_or_insert_default().entry(text);
    let text = known.or_insert_with_key(|text| {
        Box::leak(
            CString::new(text.as_str())
                .unwrap_or_default()
                .into_boxed_c_str(),
        )
    });
    text.as_ptr().cast()
}

/// The version of this library.
const LIBRARY: &str = concat!("MobileGL ", env!("CARGO_PKG_VERSION"));

fn version_text(cx: &Cx<'_>) -> String {
    let (major, minor) = cx.ctx.version;
    let profile = match cx.ctx.profile {
        _ if (major, minor) < (3, 2) => "",
        Profile::Core => "(Core Profile) ",
        Profile::Compatibility => "(Compatibility Profile) ",
    };
    format!("{major}.{minor} {profile}{LIBRARY}")
}

pub fn get_string(cx: &mut Cx<'_>, name: GLenum) -> Result<*const GLubyte, GlError> {
    let caps = &cx.ctx.caps;
    Ok(forever(match name {
        GL_VENDOR => "MobileGL".into(),
        GL_RENDERER => format!("MobileGL ({}: {})", caps.backend, caps.device),
        GL_VERSION => version_text(cx),
        GL_SHADING_LANGUAGE_VERSION => {
            let version = super::shader::compile_options(cx).max_version;
            format!("{}.{:02}", version / 100, version % 100)
        }
        _ => advertised(cx.ctx).collect::<Vec<_>>().join(" "),
    }))
}

pub fn get_stringi(_cx: &mut Cx<'_>, text: &'static str) -> Result<*const GLubyte, GlError> {
    Ok(forever(text.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallvec::smallvec;

    // GL 4.6 §2.2.2.
    #[test]
    fn values_convert_by_the_rules_of_state_queries() {
        assert_eq!(to_int(&Value::Float(smallvec![2.5, -0.4]), 32), [3, 0]);
        let color = Value::Normalized(smallvec![1.0, 0.0, -1.0]);
        assert_eq!(to_int(&color, 32), [2147483647, 0, -2147483647]);
        assert_eq!(to_bool(&Value::Float(smallvec![0.0, 0.25])), [0, 1]);
        assert_eq!(to_float(&Value::Bool(smallvec![true])), [1.0]);
    }

    #[test]
    fn unsigned_mask_keeps_its_bits_as_a_signed_integer() {
        let mask = Value::Int(smallvec![i64::from(u32::MAX)]);
        assert_eq!(to_int(&mask, 32), [-1]);
    }

    #[test]
    fn equal_texts_have_one_address() {
        assert_eq!(forever("a".into()), forever("a".into()));
    }
}
