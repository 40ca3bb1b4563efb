//! Checks of uniform values: glUniform, glProgramUniform, glGetUniform (GL 4.6 §7.6.1). It must change nothing.

use super::program::{linked, program};
use crate::c_memory;
use crate::cx::Cx;
use crate::limits;
use gl_enums::*;
use gl_state::GlError;
use gl_state::executable::Place;
use gl_state::program::ProgramId;
use gl_state::uniform_type::Scalar;

/// Values of a call: its scalars, or the application's array for the length of the command.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    Inline([u32; 4]),
    Memory(&'static [u32]),
}

impl Values {
    /// One word a component.
    #[inline]
    pub fn words(&self) -> &[u32] {
        match self {
            Self::Inline(words) => words,
            Self::Memory(words) => words,
        }
    }
}

/// A checked write.
#[derive(Clone, Copy, Debug)]
pub struct UniformWrite {
    pub program: ProgramId,
    pub uniform: u32,
    pub element: u32,
    /// Elements to write: cut at the array's end.
    pub count: u32,
    pub place: Place,
    pub scalar: Scalar,
    pub transpose: bool,
    pub values: Values,
}

/// What a command's name says about its values.
#[derive(Clone, Copy)]
struct Shape {
    scalar: Scalar,
    columns: u8,
    rows: u8,
}

/// `None`: location -1, silently ignored.
#[inline]
fn check(
    cx: &Cx<'_>,
    program: ProgramId,
    location: GLint,
    count: GLsizei,
    shape: Shape,
    transpose: bool,
    values: impl FnOnce(usize) -> Values,
) -> Result<Option<UniformWrite>, GlError> {
    let Some(executable) = &cx.objects.programs[program].executable else {
        return Err(GlError::invalid_operation(
            "program was not linked successfully",
        ));
    };
    if count < 0 {
        return Err(GlError::invalid_value("count is negative"));
    }
    if location == -1 {
        return Ok(None);
    }
    let Some((uniform, element)) = executable.uniform_at(location) else {
        return Err(GlError::invalid_operation(
            "location is no location of the program",
        ));
    };
    let slot = &executable.slots[uniform as usize];
    // GL 4.6 §7.6.1: INVALID_OPERATION if count is greater than one and the variable is not an array.
    if count > 1 && !slot.is_array {
        return Err(GlError::invalid_operation(
            "count > 1 for a uniform that is not an array",
        ));
    }
    let kind_fits = match slot.ty.scalar {
        Scalar::Bool => matches!(shape.scalar, Scalar::Float | Scalar::Int | Scalar::Uint),
        // GL 4.6 §7.6.1: samplers (and images) are loaded with Uniform1i and Uniform1iv only.
        Scalar::Sampler | Scalar::Image => shape.scalar == Scalar::Int,
        Scalar::Float | Scalar::Double | Scalar::Int | Scalar::Uint => {
            slot.ty.scalar == shape.scalar
        }
        Scalar::Counter => false,
    };
    if !kind_fits || slot.ty.columns != shape.columns || slot.ty.rows != shape.rows {
        return Err(GlError::invalid_operation(
            "the command does not match the uniform's type",
        ));
    }
    let count = (count as u32).min(slot.array_size - element);
    let values = values(count as usize * slot.ty.components());
    let limit = match slot.place {
        Place::Constants => None,
        Place::Samplers(_) => Some(limits::combined_texture_units(&cx.ctx.caps)),
        Place::Images(_) => Some(pipe::MAX_IMAGE_UNITS as u32),
        Place::Buffer => {
            return Err(GlError::invalid_operation(
                "the uniform is a member of a block",
            ));
        }
    };
    // GL 4.6 §7.10: INVALID_VALUE for units that do not exist; a negative one is a large one here.
    if let Some(limit) = limit
        && values.words()[..count as usize].iter().any(|u| *u >= limit)
    {
        return Err(GlError::invalid_value("the unit does not exist"));
    }
    Ok(Some(UniformWrite {
        program,
        uniform,
        element,
        count,
        place: slot.place,
        scalar: shape.scalar,
        transpose,
        values,
    }))
}

/// GL 4.6 §7.6.1: INVALID_OPERATION if there is no active program object.
#[inline]
fn active(cx: &Cx<'_>) -> Result<ProgramId, GlError> {
    if cx.ctx.program == ProgramId::NULL {
        return Err(GlError::invalid_operation("no program is in use"));
    }
    Ok(cx.ctx.program)
}

/// A program that glProgramUniform may write to.
fn named(cx: &Cx<'_>, name: GLuint) -> Result<ProgramId, GlError> {
    let id = program(cx, name)?;
    // GL 4.6 §7.6.1: INVALID_OPERATION if program has not been linked successfully.
    if !cx.objects.programs[id].link_ok {
        return Err(GlError::invalid_operation(
            "program was not linked successfully",
        ));
    }
    Ok(id)
}

#[inline]
fn memory<T>(at: *const T) -> impl FnOnce(usize) -> Values {
    move |words| {
        // SAFETY: the command reads `count` elements of 32-bit components.
        Values::Memory(unsafe { c_memory::slice(at.cast::<u32>(), words) })
    }
}

/// Passes every uniform command to `$consumer!`: scalars `name, program_name(scalar, type; values)`, vectors
/// `name, program_name(scalar, type, rows)`, matrices `name, program_name(columns, rows)`.
macro_rules! uniform_commands {
    ($consumer:ident) => {
        $consumer! {
            scalars {
                uniform_1f, program_uniform_1f (Float, GLfloat; x);
                uniform_2f, program_uniform_2f (Float, GLfloat; x y);
                uniform_3f, program_uniform_3f (Float, GLfloat; x y z);
                uniform_4f, program_uniform_4f (Float, GLfloat; x y z w);
                uniform_1i, program_uniform_1i (Int, GLint; x);
                uniform_2i, program_uniform_2i (Int, GLint; x y);
                uniform_3i, program_uniform_3i (Int, GLint; x y z);
                uniform_4i, program_uniform_4i (Int, GLint; x y z w);
                uniform_1ui, program_uniform_1ui (Uint, GLuint; x);
                uniform_2ui, program_uniform_2ui (Uint, GLuint; x y);
                uniform_3ui, program_uniform_3ui (Uint, GLuint; x y z);
                uniform_4ui, program_uniform_4ui (Uint, GLuint; x y z w);
            }
            vectors {
                uniform_1fv, program_uniform_1fv (Float, GLfloat, 1);
                uniform_2fv, program_uniform_2fv (Float, GLfloat, 2);
                uniform_3fv, program_uniform_3fv (Float, GLfloat, 3);
                uniform_4fv, program_uniform_4fv (Float, GLfloat, 4);
                uniform_1iv, program_uniform_1iv (Int, GLint, 1);
                uniform_2iv, program_uniform_2iv (Int, GLint, 2);
                uniform_3iv, program_uniform_3iv (Int, GLint, 3);
                uniform_4iv, program_uniform_4iv (Int, GLint, 4);
                uniform_1uiv, program_uniform_1uiv (Uint, GLuint, 1);
                uniform_2uiv, program_uniform_2uiv (Uint, GLuint, 2);
                uniform_3uiv, program_uniform_3uiv (Uint, GLuint, 3);
                uniform_4uiv, program_uniform_4uiv (Uint, GLuint, 4);
            }
            matrices {
                uniform_matrix_2fv, program_uniform_matrix_2fv (2, 2);
                uniform_matrix_3fv, program_uniform_matrix_3fv (3, 3);
                uniform_matrix_4fv, program_uniform_matrix_4fv (4, 4);
                uniform_matrix_2x3fv, program_uniform_matrix_2x3fv (2, 3);
                uniform_matrix_3x2fv, program_uniform_matrix_3x2fv (3, 2);
                uniform_matrix_2x4fv, program_uniform_matrix_2x4fv (2, 4);
                uniform_matrix_4x2fv, program_uniform_matrix_4x2fv (4, 2);
                uniform_matrix_3x4fv, program_uniform_matrix_3x4fv (3, 4);
                uniform_matrix_4x3fv, program_uniform_matrix_4x3fv (4, 3);
            }
        }
    };
}
pub(crate) use uniform_commands;

/// The word of a component.
trait Word {
    fn word(self) -> u32;
}

impl Word for GLfloat {
    fn word(self) -> u32 {
        self.to_bits()
    }
}

impl Word for GLint {
    fn word(self) -> u32 {
        self as u32
    }
}

impl Word for GLuint {
    fn word(self) -> u32 {
        self
    }
}

fn inline<const N: usize>(words: [u32; N]) -> Values {
    let mut all = [0; 4];
    all[..N].copy_from_slice(&words);
    Values::Inline(all)
}

macro_rules! checks {
    (scalars { $($name:ident, $named:ident ($scalar:ident, $ty:ty; $($v:ident)*);)* }
     vectors { $($vname:ident, $vnamed:ident ($vscalar:ident, $vty:ty, $rows:literal);)* }
     matrices { $($mname:ident, $mnamed:ident ($mcolumns:literal, $mrows:literal);)* }) => {
        $(
            pub fn $name(cx: &Cx<'_>, location: GLint, $($v: $ty),*) -> Result<Option<UniformWrite>, GlError> {
                let words = [$($v.word()),*];
                let shape = Shape { scalar: Scalar::$scalar, columns: 1, rows: words.len() as u8 };
                check(cx, active(cx)?, location, 1, shape, false, |_| inline(words))
            }

            pub fn $named(cx: &Cx<'_>, program: GLuint, location: GLint, $($v: $ty),*) -> Result<Option<UniformWrite>, GlError> {
                let words = [$($v.word()),*];
                let shape = Shape { scalar: Scalar::$scalar, columns: 1, rows: words.len() as u8 };
                check(cx, named(cx, program)?, location, 1, shape, false, |_| inline(words))
            }
        )*
        $(
            pub fn $vname(cx: &Cx<'_>, location: GLint, count: GLsizei, values: *const $vty) -> Result<Option<UniformWrite>, GlError> {
                let shape = Shape { scalar: Scalar::$vscalar, columns: 1, rows: $rows };
                check(cx, active(cx)?, location, count, shape, false, memory(values))
            }

            pub fn $vnamed(cx: &Cx<'_>, program: GLuint, location: GLint, count: GLsizei, values: *const $vty) -> Result<Option<UniformWrite>, GlError> {
                let shape = Shape { scalar: Scalar::$vscalar, columns: 1, rows: $rows };
                check(cx, named(cx, program)?, location, count, shape, false, memory(values))
            }
        )*
        $(
            pub fn $mname(cx: &Cx<'_>, location: GLint, count: GLsizei, transpose: GLboolean, values: *const GLfloat) -> Result<Option<UniformWrite>, GlError> {
                let shape = Shape { scalar: Scalar::Float, columns: $mcolumns, rows: $mrows };
                check(cx, active(cx)?, location, count, shape, transpose != 0, memory(values))
            }

            pub fn $mnamed(cx: &Cx<'_>, program: GLuint, location: GLint, count: GLsizei, transpose: GLboolean, values: *const GLfloat) -> Result<Option<UniformWrite>, GlError> {
                let shape = Shape { scalar: Scalar::Float, columns: $mcolumns, rows: $mrows };
                check(cx, named(cx, program)?, location, count, shape, transpose != 0, memory(values))
            }
        )*
    };
}
uniform_commands!(checks);

/// Program, uniform and element whose value is asked for.
pub type UniformRead = (ProgramId, u32, u32);

fn readable(
    cx: &Cx<'_>,
    name: GLuint,
    location: GLint,
    buf_size: Option<GLsizei>,
    component_bytes: usize,
) -> Result<UniformRead, GlError> {
    let (id, executable) = linked(cx, name)?;
    // GL 4.6 §7.13: INVALID_OPERATION if location is not valid for program.
    let (uniform, element) = executable
        .uniform_at(location)
        .ok_or_else(|| GlError::invalid_operation("location is no location of the program"))?;
    let bytes = executable.slots[uniform as usize].ty.components() * component_bytes;
    // GL 4.6 §7.13: INVALID_OPERATION if the buffer is too small.
    if buf_size.is_some_and(|size| size < bytes as GLsizei) {
        return Err(GlError::invalid_operation("bufSize is too small"));
    }
    Ok((id, uniform, element))
}

macro_rules! reads {
    ($($name:ident, $sized:ident ($ty:ty);)*) => {$(
        pub fn $name(cx: &Cx<'_>, program: GLuint, location: GLint, params: *mut $ty) -> Result<(UniformRead, *mut $ty), GlError> {
            Ok((readable(cx, program, location, None, size_of::<$ty>())?, params))
        }

        pub fn $sized(cx: &Cx<'_>, program: GLuint, location: GLint, buf_size: GLsizei, params: *mut $ty) -> Result<(UniformRead, *mut $ty), GlError> {
            Ok((readable(cx, program, location, Some(buf_size), size_of::<$ty>())?, params))
        }
    )*};
}
reads! {
    get_uniformfv, getn_uniformfv (GLfloat);
    get_uniformiv, getn_uniformiv (GLint);
    get_uniformuiv, getn_uniformuiv (GLuint);
    get_uniformdv, getn_uniformdv (GLdouble);
}
