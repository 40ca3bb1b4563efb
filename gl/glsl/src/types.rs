//! GL type enums of SPIR-V types. It must not depend on names: what SPIR-V forgets (bool) the caller says.

use crate::module::{Image, Module, Type};

const GL_FLOAT: u32 = 0x1406;
const GL_BOOL: u32 = 0x8B56;
const GL_INT: u32 = 0x1404;
const GL_UNSIGNED_INT: u32 = 0x1405;
const GL_DOUBLE: u32 = 0x140A;

/// `GL_<T>_VEC2` of each scalar kind; 3 and 4 follow.
const GL_FLOAT_VEC2: u32 = 0x8B50;
const GL_INT_VEC2: u32 = 0x8B53;
const GL_BOOL_VEC2: u32 = 0x8B57;
const GL_UNSIGNED_INT_VEC2: u32 = 0x8DC6;
const GL_DOUBLE_VEC2: u32 = 0x8FFC;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scalar {
    Float,
    Double,
    Int,
    Uint,
    Bool,
}

/// The GL enum of a scalar, vector, matrix or opaque type. `is_bool`: declared as a bool type in the source.
pub fn gl_type(m: &Module, ty: u32, is_bool: bool) -> Option<u32> {
    let scalar = |ty: u32| match m.types.get(&ty)? {
        Type::Float { width: 32 } => Some(Scalar::Float),
        Type::Float { width: 64 } => Some(Scalar::Double),
        Type::Bool => Some(Scalar::Bool),
        Type::Int { .. } if is_bool => Some(Scalar::Bool),
        Type::Int {
            width: 32,
            signed: true,
        } => Some(Scalar::Int),
        Type::Int {
            width: 32,
            signed: false,
        } => Some(Scalar::Uint),
        _ => None,
    };
    Some(match m.types.get(&ty)? {
        Type::Vector { of, n } => {
            let base = match scalar(*of)? {
                Scalar::Float => GL_FLOAT_VEC2,
                Scalar::Double => GL_DOUBLE_VEC2,
                Scalar::Int => GL_INT_VEC2,
                Scalar::Uint => GL_UNSIGNED_INT_VEC2,
                Scalar::Bool => GL_BOOL_VEC2,
            };
            base + n - 2
        }
        Type::Matrix { of, n } => {
            let Some(Type::Vector { of, n: rows }) = m.types.get(of) else {
                return None;
            };
            // Square ones in order 2, 3, 4, then 2x3 2x4 3x2 3x4 4x2 4x3 (columns x rows).
            const FLOAT: [[u32; 3]; 3] = [
                [0x8B5A, 0x8B65, 0x8B66],
                [0x8B67, 0x8B5B, 0x8B68],
                [0x8B69, 0x8B6A, 0x8B5C],
            ];
            const DOUBLE: [[u32; 3]; 3] = [
                [0x8F46, 0x8F49, 0x8F4A],
                [0x8F4B, 0x8F47, 0x8F4C],
                [0x8F4D, 0x8F4E, 0x8F48],
            ];
            let table = if scalar(*of)? == Scalar::Double {
                DOUBLE
            } else {
                FLOAT
            };
            table[*n as usize - 2][*rows as usize - 2]
        }
        Type::SampledImage { image } => match m.types.get(image)? {
            Type::Image(image) => sampler_type(m, image)?,
            _ => return None,
        },
        // glslang gives buffer samplers no sampler half.
        Type::Image(image) if image.sampled == 1 => sampler_type(m, image)?,
        Type::Image(image) => image_type(m, image)?,
        Type::Bool | Type::Int { .. } | Type::Float { .. } => match scalar(ty)? {
            Scalar::Float => GL_FLOAT,
            Scalar::Double => GL_DOUBLE,
            Scalar::Int => GL_INT,
            Scalar::Uint => GL_UNSIGNED_INT,
            Scalar::Bool => GL_BOOL,
        },
        Type::Array { .. }
        | Type::RuntimeArray { .. }
        | Type::Struct { .. }
        | Type::Pointer { .. } => return None,
    })
}

/// 0 float, 1 int, 2 unsigned.
fn class(m: &Module, image: &Image) -> Option<usize> {
    match m.types.get(&image.sampled_type)? {
        Type::Float { .. } => Some(0),
        Type::Int { signed: true, .. } => Some(1),
        Type::Int { signed: false, .. } => Some(2),
        _ => None,
    }
}

/// Row of the tables below: SPIR-V `Dim`, arrayed, multisampled.
fn shape(image: &Image) -> Option<usize> {
    Some(match (image.dim, image.arrayed, image.multisampled) {
        (0, false, _) => 0,
        (1, false, false) => 1,
        (2, false, _) => 2,
        (3, false, _) => 3,
        (4, false, _) => 4,
        (5, _, _) => 5,
        (0, true, _) => 6,
        (1, true, false) => 7,
        (3, true, _) => 8,
        (1, false, true) => 9,
        (1, true, true) => 10,
        _ => return None,
    })
}

fn sampler_type(m: &Module, image: &Image) -> Option<u32> {
    // 1D 2D 3D CUBE 2D_RECT BUFFER 1D_ARRAY 2D_ARRAY CUBE_MAP_ARRAY 2D_MULTISAMPLE 2D_MULTISAMPLE_ARRAY
    const TABLE: [[u32; 11]; 3] = [
        [
            0x8B5D, 0x8B5E, 0x8B5F, 0x8B60, 0x8B63, 0x8DC2, 0x8DC0, 0x8DC1, 0x900C, 0x9108, 0x910B,
        ],
        [
            0x8DC9, 0x8DCA, 0x8DCB, 0x8DCC, 0x8DCD, 0x8DD0, 0x8DCE, 0x8DCF, 0x900E, 0x9109, 0x910C,
        ],
        [
            0x8DD1, 0x8DD2, 0x8DD3, 0x8DD4, 0x8DD5, 0x8DD8, 0x8DD6, 0x8DD7, 0x900F, 0x910A, 0x910D,
        ],
    ];
    const SHADOW: [u32; 9] = [0x8B61, 0x8B62, 0, 0x8DC5, 0x8B64, 0, 0x8DC3, 0x8DC4, 0x900D];
    let shape = shape(image)?;
    if image.depth {
        return SHADOW.get(shape).copied().filter(|t| *t != 0);
    }
    Some(TABLE[class(m, image)?][shape])
}

fn image_type(m: &Module, image: &Image) -> Option<u32> {
    // GL_IMAGE_1D 2D 3D 2D_RECT CUBE BUFFER 1D_ARRAY 2D_ARRAY CUBE_MAP_ARRAY 2D_MULTISAMPLE 2D_MULTISAMPLE_ARRAY
    const FIRST: [u32; 3] = [0x904C, 0x9057, 0x9062];
    const PLACE: [u32; 11] = [0, 1, 2, 4, 3, 5, 6, 7, 8, 9, 10];
    Some(FIRST[class(m, image)?] + PLACE[shape(image)?])
}
