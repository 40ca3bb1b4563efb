//! Texture units, merged over all stages: per target one texture, and one sampler object. What a shader sees of them is resolved elsewhere.

use crate::bump::bump;
use crate::context::{Context, Objects, ShareGroup};
use crate::emission::Emission;
use crate::sampler::SamplerObjectId;
use crate::texture::{LevelImage, Texture};
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
    /// What the last proxy image of each target was; without a format: it did not fit.
    pub proxies: [ProxyImage; TEXTURE_TARGETS],
}

/// State of a proxy texture: one level (GL 4.6 §8.22).
#[derive(Clone, Debug, Default)]
pub struct ProxyImage {
    pub level: u32,
    pub samples: u32,
    pub fixed_sample_locations: bool,
    pub image: LevelImage,
}

impl Default for TextureUnits {
    fn default() -> Self {
        Self {
            units: Box::new([TextureUnit::default(); MAX_TEXTURE_UNITS]),
            active: 0,
            touched: 0,
            defaults: [TextureId::NULL; TEXTURE_TARGETS],
            proxies: Default::default(),
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

impl Context {
    /// The texture that commands on a target of the active unit mean; the default texture is made at its first use.
    pub fn active_texture(
        &mut self,
        target: Target,
        share: &mut ShareGroup,
        objects: &mut Objects,
        emission: &mut Emission,
    ) -> TextureId {
        let at = target_index(target);
        let bound = self.textures.units[self.textures.active as usize].textures[at];
        if !bound.is_null() {
            return bound;
        }
        if share.default_textures[at].is_null() {
            share.default_textures[at] = objects.create_texture(0, target, emission);
        }
        if self.textures.defaults[at] != share.default_textures[at] {
            self.textures.defaults[at] = share.default_textures[at];
            bump!(
                "texture_units::active_texture",
                self.generations.texture_bindings
            );
        }
        share.default_textures[at]
    }

    /// Binds a texture to a unit; null: the default one.
    pub fn bind_texture(
        &mut self,
        unit: usize,
        target: Target,
        id: TextureId,
        objects: &mut Objects,
        emission: &mut Emission,
    ) {
        self.textures.touched = self.textures.touched.max(unit + 1);
        let slot = &mut self.textures.units[unit].textures[target_index(target)];
        if *slot == id {
            return;
        }
        objects.retain_texture(id);
        objects.release_texture(std::mem::replace(slot, id), emission);
        bump!(
            "texture_units::bind_texture",
            self.generations.texture_bindings
        );
    }

    /// Binds a sampler object to a unit; null: the texture's own parameters.
    pub fn bind_sampler(&mut self, unit: usize, id: SamplerObjectId, objects: &mut Objects) {
        self.textures.touched = self.textures.touched.max(unit + 1);
        let slot = &mut self.textures.units[unit].sampler;
        if *slot == id {
            return;
        }
        objects.retain_sampler(id);
        objects.release_sampler(std::mem::replace(slot, id));
        bump!(
            "texture_units::bind_sampler",
            self.generations.texture_bindings
        );
    }

    /// A texture is deleted: this context's units and bound framebuffers let go of it (GL 4.6 §8.1, §5.1.2).
    pub fn unbind_texture(
        &mut self,
        id: TextureId,
        objects: &mut Objects,
        emission: &mut Emission,
    ) {
        let target = objects.textures[id].target;
        for unit in 0..self.textures.touched {
            if self.textures.units[unit].textures[target_index(target)] == id {
                self.bind_texture(unit, target, TextureId::NULL, objects, emission);
            }
        }
        let is_it = |image| matches!(image, crate::framebuffer::Image::Texture { texture, .. } if texture == id);
        self.detach_everywhere(is_it, objects, emission);
    }

    /// A sampler object is deleted: this context's units let go of it (GL 4.6 §8.2).
    pub fn unbind_sampler(&mut self, id: SamplerObjectId, objects: &mut Objects) {
        for unit in 0..self.textures.touched {
            if self.textures.units[unit].sampler == id {
                self.bind_sampler(unit, SamplerObjectId::NULL, objects);
            }
        }
    }
}

impl Objects {
    /// A texture without images; its name (or the share group, for name 0) holds it.
    pub fn create_texture(
        &mut self,
        name: u32,
        target: Target,
        emission: &mut Emission,
    ) -> TextureId {
        let lifetime = self.next_lifetime();
        let id = self
            .textures
            .insert(|id| Texture::new(id, name, target, lifetime));
        emission.reset(id);
        id
    }
}
