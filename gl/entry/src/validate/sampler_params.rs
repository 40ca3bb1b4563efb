//! Parameters of samplers as glTexParameter and glSamplerParameter take them (GL 4.6 §8.10, §8.2, table 8.17). It must change nothing.

use crate::cx::Cx;
use gl_enums::*;
use gl_state::sampler::SamplerChange;
use gl_state::{GlError, Profile};
use pipe::Target;

/// A parameter's values as the command passed them.
#[derive(Clone, Copy, Debug)]
pub enum Given<'a> {
    Float(&'a [GLfloat]),
    /// Integers that become normalized where the parameter is a colour.
    Int(&'a [GLint]),
    /// glTexParameterIiv: integers that stay so.
    PureInt(&'a [GLint]),
    PureUint(&'a [GLuint]),
}

impl Given<'_> {
    /// How many values the command may read beyond the first: none for scalar commands.
    fn len(self) -> usize {
        match self {
            Self::Float(v) => v.len(),
            Self::Int(v) | Self::PureInt(v) => v.len(),
            Self::PureUint(v) => v.len(),
        }
    }

    /// Value `at` as an integer or enumeration value.
    pub fn int(self, at: usize) -> GLint {
        match self {
            // GL 4.6 §2.2.1: floats are rounded to the nearest integer.
            Self::Float(v) => v[at].round() as GLint,
            Self::Int(v) | Self::PureInt(v) => v[at],
            Self::PureUint(v) => v[at] as GLint,
        }
    }

    fn float(self) -> GLfloat {
        match self {
            Self::Float(v) => v[0],
            Self::Int(v) | Self::PureInt(v) => v[0] as GLfloat,
            Self::PureUint(v) => v[0] as GLfloat,
        }
    }

    fn color(self) -> Result<([u32; 4], u32), GlError> {
        self.four()?;
        Ok(match self {
            Self::Float(v) => (std::array::from_fn(|i| v[i].to_bits()), 0),
            // GL 4.6 §2.2.1: equation 2.2, signed normalized.
            Self::Int(v) => {
                let real = |c: GLint| (f64::from(c) / f64::from(GLint::MAX)).max(-1.0) as f32;
                (std::array::from_fn(|i| real(v[i]).to_bits()), 0)
            }
            Self::PureInt(v) => (std::array::from_fn(|i| v[i] as u32), 1),
            Self::PureUint(v) => (std::array::from_fn(|i| v[i]), 2),
        })
    }

    /// GL 4.6 §8.10: parameters of several values are set with the vector forms only.
    pub fn four(self) -> Result<(), GlError> {
        if self.len() < 4 {
            return Err(GlError::invalid_enum(
                "pname has several values and the command has one",
            ));
        }
        Ok(())
    }
}

/// Values that a parameter takes: vectors pass what `pname` reads.
pub fn count_of(pname: GLenum) -> usize {
    match pname {
        GL_TEXTURE_BORDER_COLOR | GL_TEXTURE_SWIZZLE_RGBA => 4,
        _ => 1,
    }
}

fn enumerant(given: Given<'_>, allowed: &[GLenum]) -> Result<u16, GlError> {
    let value = given.int(0) as GLenum;
    if !allowed.contains(&value) {
        return Err(GlError::invalid_enum("param is no value of pname"));
    }
    Ok(value as u16)
}

/// The change that a parameter of samplers asks for; `None`: `pname` is no such parameter. `target`: of the texture, if it is one's.
pub fn change(
    cx: &Cx<'_>,
    target: Option<Target>,
    pname: GLenum,
    given: Given<'_>,
) -> Result<Option<SamplerChange>, GlError> {
    let rectangle = target == Some(Target::TextureRectangle);
    let wrap = |axis: usize| -> Result<SamplerChange, GlError> {
        let mut allowed = vec![GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER];
        // GL 4.6 §8.10: rectangle textures neither repeat nor mirror.
        if !rectangle {
            allowed.extend([GL_REPEAT, GL_MIRRORED_REPEAT]);
            if cx.ctx.version >= (4, 4) {
                allowed.push(GL_MIRROR_CLAMP_TO_EDGE);
            }
        }
        if cx.ctx.profile == Profile::Compatibility {
            allowed.push(GL_CLAMP);
        }
        Ok(SamplerChange::Wrap(axis, enumerant(given, &allowed)?))
    };
    Ok(Some(match pname {
        GL_TEXTURE_WRAP_S => wrap(0)?,
        GL_TEXTURE_WRAP_T => wrap(1)?,
        GL_TEXTURE_WRAP_R => wrap(2)?,
        GL_TEXTURE_MIN_FILTER => {
            let all = [
                GL_NEAREST,
                GL_LINEAR,
                GL_NEAREST_MIPMAP_NEAREST,
                GL_NEAREST_MIPMAP_LINEAR,
                GL_LINEAR_MIPMAP_NEAREST,
                GL_LINEAR_MIPMAP_LINEAR,
            ];
            // GL 4.6 §8.10: rectangle textures have no mipmaps.
            let allowed = if rectangle { &all[..2] } else { &all[..] };
            SamplerChange::MinFilter(enumerant(given, allowed)?)
        }
        GL_TEXTURE_MAG_FILTER => {
            SamplerChange::MagFilter(enumerant(given, &[GL_NEAREST, GL_LINEAR])?)
        }
        GL_TEXTURE_MIN_LOD => SamplerChange::MinLod(given.float()),
        GL_TEXTURE_MAX_LOD => SamplerChange::MaxLod(given.float()),
        GL_TEXTURE_LOD_BIAS => SamplerChange::LodBias(given.float()),
        GL_TEXTURE_COMPARE_MODE => {
            SamplerChange::CompareMode(enumerant(given, &[GL_NONE, GL_COMPARE_REF_TO_TEXTURE])?)
        }
        GL_TEXTURE_COMPARE_FUNC => SamplerChange::CompareFunc(enumerant(
            given,
            &[
                GL_NEVER,
                GL_LESS,
                GL_EQUAL,
                GL_LEQUAL,
                GL_GREATER,
                GL_NOTEQUAL,
                GL_GEQUAL,
                GL_ALWAYS,
            ],
        )?),
        GL_TEXTURE_MAX_ANISOTROPY if cx.ctx.caps.limits.max_texture_max_anisotropy > 1.0 => {
            let value = given.float();
            // EXT_texture_filter_anisotropic: INVALID_VALUE below 1.
            if value < 1.0 || value.is_nan() {
                return Err(GlError::invalid_value("TEXTURE_MAX_ANISOTROPY < 1"));
            }
            SamplerChange::MaxAnisotropy(value.min(cx.ctx.caps.limits.max_texture_max_anisotropy))
        }
        GL_TEXTURE_BORDER_COLOR => {
            let (bits, form) = given.color()?;
            SamplerChange::BorderColor(bits, form)
        }
        _ => return Ok(None),
    }))
}
