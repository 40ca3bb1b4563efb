//! GL's type enumeration of uniforms, attributes and varyings, taken apart. It knows no program.

#![allow(non_upper_case_globals)] // names of the registry: GL_FLOAT_MAT2x3

use gl_enums::*;

/// What the components of a type are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    Float,
    Double,
    Int,
    Uint,
    Bool,
    /// A texture unit.
    Sampler,
    /// An image unit.
    Image,
    /// An atomic counter: no value of its own.
    Counter,
}

/// A type: `columns` vectors of `rows` components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UniformType {
    pub scalar: Scalar,
    pub columns: u8,
    pub rows: u8,
}

impl UniformType {
    const fn vector(scalar: Scalar, rows: u8) -> Self {
        Self {
            scalar,
            columns: 1,
            rows,
        }
    }

    const fn matrix(scalar: Scalar, columns: u8, rows: u8) -> Self {
        Self {
            scalar,
            columns,
            rows,
        }
    }

    /// Components in all.
    pub const fn components(self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// Takes a type of GL 4.6 table 7.3 apart. Whatever is no number there is opaque.
    pub const fn from_gl(gl_type: GLenum) -> Self {
        use Scalar::{Bool, Counter, Double, Float, Image, Int, Sampler, Uint};
        match gl_type {
            GL_FLOAT => Self::vector(Float, 1),
            GL_FLOAT_VEC2 => Self::vector(Float, 2),
            GL_FLOAT_VEC3 => Self::vector(Float, 3),
            GL_FLOAT_VEC4 => Self::vector(Float, 4),
            GL_DOUBLE => Self::vector(Double, 1),
            GL_DOUBLE_VEC2 => Self::vector(Double, 2),
            GL_DOUBLE_VEC3 => Self::vector(Double, 3),
            GL_DOUBLE_VEC4 => Self::vector(Double, 4),
            GL_INT => Self::vector(Int, 1),
            GL_INT_VEC2 => Self::vector(Int, 2),
            GL_INT_VEC3 => Self::vector(Int, 3),
            GL_INT_VEC4 => Self::vector(Int, 4),
            GL_UNSIGNED_INT => Self::vector(Uint, 1),
            GL_UNSIGNED_INT_VEC2 => Self::vector(Uint, 2),
            GL_UNSIGNED_INT_VEC3 => Self::vector(Uint, 3),
            GL_UNSIGNED_INT_VEC4 => Self::vector(Uint, 4),
            GL_BOOL => Self::vector(Bool, 1),
            GL_BOOL_VEC2 => Self::vector(Bool, 2),
            GL_BOOL_VEC3 => Self::vector(Bool, 3),
            GL_BOOL_VEC4 => Self::vector(Bool, 4),
            GL_FLOAT_MAT2 => Self::matrix(Float, 2, 2),
            GL_FLOAT_MAT3 => Self::matrix(Float, 3, 3),
            GL_FLOAT_MAT4 => Self::matrix(Float, 4, 4),
            GL_FLOAT_MAT2x3 => Self::matrix(Float, 2, 3),
            GL_FLOAT_MAT2x4 => Self::matrix(Float, 2, 4),
            GL_FLOAT_MAT3x2 => Self::matrix(Float, 3, 2),
            GL_FLOAT_MAT3x4 => Self::matrix(Float, 3, 4),
            GL_FLOAT_MAT4x2 => Self::matrix(Float, 4, 2),
            GL_FLOAT_MAT4x3 => Self::matrix(Float, 4, 3),
            GL_DOUBLE_MAT2 => Self::matrix(Double, 2, 2),
            GL_DOUBLE_MAT3 => Self::matrix(Double, 3, 3),
            GL_DOUBLE_MAT4 => Self::matrix(Double, 4, 4),
            GL_DOUBLE_MAT2x3 => Self::matrix(Double, 2, 3),
            GL_DOUBLE_MAT2x4 => Self::matrix(Double, 2, 4),
            GL_DOUBLE_MAT3x2 => Self::matrix(Double, 3, 2),
            GL_DOUBLE_MAT3x4 => Self::matrix(Double, 3, 4),
            GL_DOUBLE_MAT4x2 => Self::matrix(Double, 4, 2),
            GL_DOUBLE_MAT4x3 => Self::matrix(Double, 4, 3),
            GL_UNSIGNED_INT_ATOMIC_COUNTER => Self::vector(Counter, 1),
            // GL_IMAGE_1D (0x904C) to GL_UNSIGNED_INT_IMAGE_2D_MULTISAMPLE_ARRAY (0x906C).
            0x904C..=0x906C => Self::vector(Image, 1),
            _ => Self::vector(Sampler, 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opaque_types_are_told_apart() {
        for sampler in [
            GL_SAMPLER_2D,
            GL_SAMPLER_CUBE_SHADOW,
            GL_INT_SAMPLER_2D_ARRAY,
            GL_UNSIGNED_INT_SAMPLER_BUFFER,
            GL_SAMPLER_2D_MULTISAMPLE,
        ] {
            assert_eq!(UniformType::from_gl(sampler).scalar, Scalar::Sampler);
        }
        for image in [GL_IMAGE_1D, GL_UNSIGNED_INT_IMAGE_2D_MULTISAMPLE_ARRAY] {
            assert_eq!(UniformType::from_gl(image).scalar, Scalar::Image);
        }
    }

    #[test]
    fn columns_come_before_rows() {
        let ty = UniformType::from_gl(GL_FLOAT_MAT3x2);
        assert_eq!((ty.columns, ty.rows, ty.components()), (3, 2, 6));
    }
}
