//! Values of uniforms: into the default block, or into the tables of units. It looks nothing up by name.

use crate::c_memory;
use crate::cx::Cx;
use crate::validate::uniform::{UniformRead, UniformWrite, uniform_commands};
use gl_enums::*;
use gl_state::GlError;
use gl_state::executable::{Place, UniformData};
use gl_state::uniform_type::Scalar;

#[inline]
fn store(cx: &mut Cx<'_>, write: Option<UniformWrite>) -> Result<(), GlError> {
    let Some(write) = write else { return Ok(()) };
    let objects = &mut *cx.objects;
    let generations = &mut objects.generations;
    let Some(executable) = &mut objects.programs[write.program].executable else {
        return Ok(());
    };
    let words = write.values.words();
    match write.place {
        Place::Constants => {
            let data = UniformData {
                scalar: write.scalar,
                transpose: write.transpose,
                words,
            };
            executable.write_constants(
                write.uniform,
                write.element,
                write.count,
                data,
                generations,
            );
        }
        Place::Samplers(first) => {
            let units = &words[..write.count as usize];
            executable.set_sampler_units(first + write.element, units, generations);
        }
        Place::Images(first) => {
            let units = &words[..write.count as usize];
            executable.set_image_units(first + write.element, units, generations);
        }
        Place::Buffer => {}
    }
    Ok(())
}

macro_rules! stores {
    (scalars { $($name:ident, $named:ident ($($_s:tt)*);)* }
     vectors { $($vname:ident, $vnamed:ident ($($_v:tt)*);)* }
     matrices { $($mname:ident, $mnamed:ident ($($_m:tt)*);)* }) => {
        stores! { @ $($name $named)* $($vname $vnamed)* $($mname $mnamed)* }
    };
    (@ $($name:ident)*) => {$(
        pub fn $name(cx: &mut Cx<'_>, write: Option<UniformWrite>) -> Result<(), GlError> {
            store(cx, write)
        }
    )*};
}
uniform_commands!(stores);

/// The value's words, and what they are.
fn load(cx: &Cx<'_>, (program, uniform, element): UniformRead) -> (Scalar, Vec<u32>) {
    let executable = cx.objects.programs[program].linked();
    let executable = executable.expect("validation found the program linked");
    let slot = &executable.slots[uniform as usize];
    match slot.place {
        Place::Constants => {
            // Doubles come as floats.
            let scalar = match slot.ty.scalar {
                Scalar::Double => Scalar::Float,
                other => other,
            };
            (scalar, executable.read_constants(uniform, element))
        }
        Place::Samplers(first) => {
            let unit = executable.sampler_units[(first + element) as usize];
            (Scalar::Int, vec![unit])
        }
        Place::Images(first) => {
            let unit = executable.image_units[(first + element) as usize];
            (Scalar::Int, vec![unit])
        }
        Place::Buffer => (Scalar::Int, Vec::new()),
    }
}

/// A component as an exact number.
fn number(scalar: Scalar, word: u32) -> f64 {
    match scalar {
        Scalar::Float | Scalar::Double => f64::from(f32::from_bits(word)),
        Scalar::Int => f64::from(word as i32),
        Scalar::Uint | Scalar::Bool | Scalar::Sampler | Scalar::Image | Scalar::Counter => {
            f64::from(word)
        }
    }
}

macro_rules! loads {
    ($($name:ident, $sized:ident ($ty:ty): $convert:expr;)*) => {$(
        pub fn $name(cx: &mut Cx<'_>, (read, params): (UniformRead, *mut $ty)) -> Result<(), GlError> {
            let (scalar, words) = load(cx, read);
            let convert: fn(f64) -> $ty = $convert;
            let values: Vec<$ty> = words.iter().map(|w| convert(number(scalar, *w))).collect();
            // SAFETY: the command writes as many components as the uniform's type has.
            unsafe { c_memory::write_all(params, &values) };
            Ok(())
        }

        pub fn $sized(cx: &mut Cx<'_>, args: (UniformRead, *mut $ty)) -> Result<(), GlError> {
            $name(cx, args)
        }
    )*};
}
// GL 4.6 §2.2.2: floats are rounded to the nearest integer.
loads! {
    get_uniformfv, getn_uniformfv (GLfloat): |v| v as GLfloat;
    get_uniformiv, getn_uniformiv (GLint): |v| v.round() as GLint;
    get_uniformuiv, getn_uniformuiv (GLuint): |v| if v < 0.0 { v.round() as GLint as GLuint } else { v.round() as GLuint };
    get_uniformdv, getn_uniformdv (GLdouble): |v| v;
}
