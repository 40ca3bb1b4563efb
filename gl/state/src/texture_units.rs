//! Texture units, merged over all stages: per target one texture, and one sampler object. What a shader sees of them is resolved elsewhere.

use crate::sampler::SamplerObjectId;
use pipe::{MAX_TEXTURE_UNITS, Target, TextureId};

/// Texture targets a unit has a binding for, by [`Target`] discriminant minus one (Texture1D = 0 ... Texture2DMultisampleArray = 10).
pub const TEXTURE_TARGETS: usize = 11;

/// Index of a texture target in a unit.
pub fn target_index(target: Target) -> usize {
    target as usize - Target::Texture1D as usize
}

/// One unit. Null texture: the context's default texture of that target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextureUnit {
    pub textures: [TextureId; TEXTURE_TARGETS],
    /// Null: the texture's own parameters.
    pub sampler: SamplerObjectId,
}

/// All units of a context.
#[derive(Debug)]
pub struct TextureUnits {
    pub units: Box<[TextureUnit; MAX_TEXTURE_UNITS]>,
    pub active: u32,
    /// One more than the highest unit ever touched.
    pub touched: usize,
    /// Default textures (name 0) by target: of the share group, made at first use.
    pub defaults: [TextureId; TEXTURE_TARGETS],
}

impl Default for TextureUnits {
    fn default() -> Self {
        Self {
            units: Box::new([TextureUnit::default(); MAX_TEXTURE_UNITS]),
            active: 0,
            touched: 0,
            defaults: [TextureId::NULL; TEXTURE_TARGETS],
        }
    }
}

impl TextureUnits {
    /// The texture bound to a unit for a target; the default texture where none is.
    pub fn texture(&self, unit: usize, target: Target) -> TextureId {
        let at = target_index(target);
        let bound = self.units[unit].textures[at];
        if bound.is_null() {
            self.defaults[at]
        } else {
            bound
        }
    }
}
