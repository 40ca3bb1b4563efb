//! Samplers: one driver sampler object per CSO, made once. It must never depend on the texture that it samples.

use crate::driver::Gl;
use backend_common::{TwinKey, TwinTable};
use glow::HasContext;
use pipe::{SamplerDesc, SamplerId};

/// All samplers of the session.
#[derive(Debug)]
pub struct Samplers {
    pub table: TwinTable<SamplerId, glow::NativeSampler>,
}

const TEXTURE_MAX_ANISOTROPY: u32 = 0x84FE;
const CLAMP: u16 = 0x2900;
const MIRROR_CLAMP_TO_EDGE: u16 = 0x8743;

/// Wrap modes that ES lacks, as their nearest kin.
fn wrap(mode: u16) -> i32 {
    match mode {
        // GL_CLAMP (compatibility): edge texels; the half border at linear filtering is lost.
        CLAMP => glow::CLAMP_TO_EDGE as i32,
        MIRROR_CLAMP_TO_EDGE => glow::MIRRORED_REPEAT as i32,
        mode => mode.into(),
    }
}

impl Samplers {
    /// An empty table of the given keying.
    pub fn new(key: TwinKey) -> Self {
        Self {
            table: TwinTable::new(key),
        }
    }

    /// Makes the driver's sampler; a name to delete, if one was replaced.
    pub fn create(&mut self, gl: &Gl, desc: &SamplerDesc) -> Option<glow::NativeSampler> {
        // SAFETY: GL rule 1.
        let name = unsafe { gl.create_sampler() }.ok()?;
        let integers = [
            (glow::TEXTURE_WRAP_S, wrap(desc.wrap_s)),
            (glow::TEXTURE_WRAP_T, wrap(desc.wrap_t)),
            (glow::TEXTURE_WRAP_R, wrap(desc.wrap_r)),
            (glow::TEXTURE_MIN_FILTER, desc.min_filter.into()),
            (glow::TEXTURE_MAG_FILTER, desc.mag_filter.into()),
            (glow::TEXTURE_COMPARE_MODE, desc.compare_mode.into()),
            (glow::TEXTURE_COMPARE_FUNC, desc.compare_func.into()),
        ];
        // SAFETY: GL rules 1 and 2; the border colour has four elements; anisotropy only with its feature.
        unsafe {
            for (parameter, value) in integers {
                gl.sampler_parameter_i32(name, parameter, value);
            }
            gl.sampler_parameter_f32(name, glow::TEXTURE_MIN_LOD, desc.min_lod);
            gl.sampler_parameter_f32(name, glow::TEXTURE_MAX_LOD, desc.max_lod);
            if gl.features.anisotropy && desc.max_anisotropy > 1.0 {
                gl.sampler_parameter_f32(name, TEXTURE_MAX_ANISOTROPY, desc.max_anisotropy);
            }
            let raw = name.0.get();
            match desc.border_form {
                1 => {
                    let v = desc.border_color.map(|bits| bits as i32);
                    gl.ext
                        .sampler_parameter_iiv(raw, glow::TEXTURE_BORDER_COLOR, v.as_ptr());
                }
                2 => gl.ext.sampler_parameter_iuiv(
                    raw,
                    glow::TEXTURE_BORDER_COLOR,
                    desc.border_color.as_ptr(),
                ),
                _ => {
                    let v = desc.border_color.map(f32::from_bits);
                    gl.sampler_parameter_f32_slice(name, glow::TEXTURE_BORDER_COLOR, &v);
                }
            }
        }
        self.table.insert(desc.id, name)
    }
}
