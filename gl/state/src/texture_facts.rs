//! What follows from a texture's levels and parameters: the chain that crosses the seam, its description, completeness
//! (GL 4.6 §8.17). Derived, never stored here.

use crate::texture::{LevelImage, MAX_LEVELS, SamplerParams, Texture};
use pipe::{Bind, Format, ResourceDesc, ResourceFlags, Target, TextureParams};

const NEAREST: u16 = 0x2600;
const LINEAR: u16 = 0x2601;
const NEAREST_MIPMAP_NEAREST: u16 = 0x2700;

/// The consistent levels of a texture, counted from level 0 whether or not that is defined: what a device allocates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    pub format: Format,
    /// Extent of level 0. `depth`: slices of 3D textures, else 1.
    pub width: u32,
    pub height: u32,
    pub depth: u32,
    /// Array layers; faces of cube maps.
    pub layers: u32,
    /// Levels from 0.
    pub levels: u32,
}

impl Chain {
    /// Extent of a level.
    pub fn extent(&self, level: u32) -> (u32, u32, u32) {
        let at = |size: u32| (size >> level).max(1);
        (at(self.width), at(self.height), at(self.depth))
    }

    /// Whether a level means the same texels in both.
    pub fn shares_level(&self, other: &Self, level: u32) -> bool {
        level < self.levels.min(other.levels)
            && self.format == other.format
            && self.layers == other.layers
            && self.extent(level) == other.extent(level)
    }
}

/// What sampling asks of a texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Completeness {
    /// Complete for filters without mipmaps.
    pub base: bool,
    /// Complete for filters with mipmaps.
    pub mipmap: bool,
    /// Filters must be nearest (integer formats).
    pub nearest_only: bool,
}

impl Completeness {
    /// Whether the texture is complete when sampled with these parameters.
    pub fn admits(&self, sampler: &SamplerParams) -> bool {
        let (min, mag) = (sampler.min_filter, sampler.mag_filter);
        // GL 4.6 §8.17: integer formats with other than nearest filters are incomplete.
        if self.nearest_only
            && (mag != NEAREST || (min != NEAREST && min != NEAREST_MIPMAP_NEAREST))
        {
            return false;
        }
        if min == NEAREST || min == LINEAR {
            self.base
        } else {
            self.mipmap
        }
    }
}

/// Whether a dimension of the target is an array of layers rather than depth.
fn is_layered(target: Target) -> bool {
    match target {
        Target::Texture1DArray
        | Target::Texture2DArray
        | Target::TextureCubeArray
        | Target::Texture2DMultisampleArray => true,
        Target::Buffer
        | Target::Texture1D
        | Target::Texture2D
        | Target::Texture3D
        | Target::TextureCube
        | Target::TextureRectangle
        | Target::TextureBuffer
        | Target::Texture2DMultisample
        | Target::Renderbuffer => false,
    }
}

impl Texture {
    fn image(&self, level: u32, face: usize) -> Option<&LevelImage> {
        let image = self.levels.get(level as usize)?.get(face)?;
        (image.format != Format::None && image.width != 0).then_some(image)
    }

    /// The image of a level and face, if it is the one that `chain` has there.
    pub(crate) fn fitting(&self, chain: &Chain, level: u32, face: usize) -> Option<&LevelImage> {
        let (width, height, depth) = chain.extent(level);
        let slices = if is_layered(self.target) {
            chain.layers
        } else {
            depth
        };
        self.image(level, face).filter(|image| {
            (image.format, image.width, image.height, image.depth)
                == (chain.format, width, height, slices)
        })
    }

    /// Whether a level exists with all its faces and fits `chain`.
    fn level_fits(&self, chain: &Chain, level: u32) -> bool {
        (0..self.faces()).all(|face| self.fitting(chain, level, face).is_some())
    }

    /// The chain; `None` while there is no image to begin it with.
    pub fn chain(&self) -> Option<Chain> {
        let immutable = self.immutable_levels != 0;
        let first = if immutable || self.image(self.base_level, 0).is_some() {
            if immutable { 0 } else { self.base_level }
        } else {
            (0..self.levels.len() as u32).find(|level| self.image(*level, 0).is_some())?
        };
        let image = self.image(first, 0)?;
        let one = |size: u32, shrinks: bool| if shrinks { size << first } else { size };
        let is_1d = matches!(self.target, Target::Texture1D | Target::Texture1DArray);
        let is_3d = self.target == Target::Texture3D;
        let mut chain = Chain {
            format: image.format,
            width: one(image.width, true),
            height: one(image.height, !is_1d),
            depth: if is_3d { one(image.depth, true) } else { 1 },
            layers: if is_layered(self.target) {
                image.depth
            } else {
                self.faces() as u32
            },
            levels: first + 1,
        };
        if immutable {
            chain.levels = self.immutable_levels;
            return Some(chain);
        }
        let largest = chain.width.max(chain.height).max(chain.depth);
        let most = (u32::BITS - largest.leading_zeros()).min(MAX_LEVELS as u32);
        while chain.levels < most && self.level_fits(&chain, chain.levels) {
            chain.levels += 1;
        }
        Some(chain)
    }

    /// Completeness (GL 4.6 §8.17).
    pub fn completeness(&self) -> Completeness {
        let Some(chain) = self.chain() else {
            return Completeness::default();
        };
        let info = chain.format.info();
        let single = matches!(
            self.target,
            Target::TextureBuffer
                | Target::Texture2DMultisample
                | Target::Texture2DMultisampleArray
        );
        if single {
            return Completeness {
                base: true,
                mipmap: true,
                nearest_only: false,
            };
        }
        let (base, last) = if self.immutable_levels != 0 {
            // GL 4.6 §8.17: immutable-format textures clamp both to their levels.
            let end = self.immutable_levels - 1;
            let base = self.base_level.min(end);
            (base, self.max_level.clamp(base, end))
        } else {
            (self.base_level, self.max_level)
        };
        let whole = base <= last && self.level_fits(&chain, base);
        let (width, height, depth) = chain.extent(base);
        let largest = width.max(height).max(depth);
        // GL 4.6 §8.14.3: q = min(p, max_level) with p = base + floor(log2(largest)).
        let q = last.min(base + (u32::BITS - 1 - largest.leading_zeros()));
        Completeness {
            base: whole,
            mipmap: whole && (base..=q).all(|level| self.level_fits(&chain, level)),
            nearest_only: info.is_integer(),
        }
    }

    /// Description of its storage, as `resource_create` and `resource_respecify` carry it.
    pub fn desc(&self) -> ResourceDesc {
        let chain = self.chain();
        let mut flags = ResourceFlags::empty();
        flags.set(ResourceFlags::IMMUTABLE, self.immutable_levels != 0);
        flags.set(
            ResourceFlags::FIXED_SAMPLE_LOCATIONS,
            self.fixed_sample_locations,
        );
        flags.set(ResourceFlags::IMAGE_BINDABLE_HINT, self.image_bound);
        let mut bind = Bind::SAMPLER;
        bind.set(Bind::SHADER_IMAGE, self.image_bound);
        bind.set(Bind::RENDER_TARGET, self.render_target);
        ResourceDesc {
            resource: self.id.into(),
            target: self.target,
            _pad0: 0,
            format: chain.map_or(Format::None, |c| c.format),
            width: chain.map_or(0, |c| c.width),
            height: chain.map_or(0, |c| c.height),
            depth: chain.map_or(0, |c| c.depth),
            layers: chain.map_or(0, |c| c.layers as u16),
            levels: chain.map_or(0, |c| c.levels as u16),
            samples: self.samples as u16,
            _pad1: 0,
            bind: bind.bits(),
            flags: flags.bits(),
            usage: 0,
            storage_flags: 0,
            name_for_diagnostics: self.name,
            size_bytes: 0,
            view_of: self.view_of,
            view_min_level: self.view_min_level as u16,
            view_min_layer: self.view_min_layer as u16,
            _pad2: 0,
            texture_buffer: self.buffer,
            texture_buffer_offset_bytes: self.buffer_offset_bytes,
            texture_buffer_size_bytes: self.buffer_size_bytes,
            lifetime: self.lifetime,
        }
    }

    /// Its parameters, as `set_texture_params` carries them.
    pub fn params(&self) -> TextureParams {
        TextureParams {
            texture: self.id,
            base_level: self.base_level.min(u32::from(u16::MAX)) as u16,
            max_level: self.max_level.min(u32::from(u16::MAX)) as u16,
            swizzle: self.swizzle,
            depth_stencil_mode: self.depth_stencil_mode,
            force_resync: 0,
            min_lod: self.sampler.min_lod,
            max_lod: self.sampler.max_lod,
            lod_bias: self.sampler.lod_bias,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pipe::TextureId;

    fn image(width: u32, height: u32) -> LevelImage {
        LevelImage {
            format: Format::Rgba8,
            width,
            height,
            depth: 1,
            ..LevelImage::default()
        }
    }

    #[test]
    fn texture_with_one_of_three_levels_is_complete_only_without_mipmaps() {
        let mut texture = Texture::new(TextureId::new(1, 1), 1, Target::Texture2D, 1);
        texture.levels.push(vec![image(4, 4)]);
        let complete = texture.completeness();
        assert!(complete.base && !complete.mipmap);
        texture.levels.push(vec![image(2, 2)]);
        texture.levels.push(vec![image(1, 1)]);
        assert!(texture.completeness().mipmap);
        assert_eq!(texture.chain().map(|c| c.levels), Some(3));
        // A level of another size is no part of the chain.
        texture.levels[1][0].width = 3;
        assert_eq!(texture.chain().map(|c| c.levels), Some(1));
        assert!(!texture.completeness().mipmap);
    }

    #[test]
    fn texture_whose_base_level_is_one_is_described_from_level_zero() {
        let mut texture = Texture::new(TextureId::new(1, 1), 1, Target::Texture2D, 1);
        texture.base_level = 1;
        texture.levels.push(vec![LevelImage::default()]);
        texture.levels.push(vec![image(8, 2)]);
        let desc = texture.desc();
        assert_eq!((desc.width, desc.height, desc.levels), (16, 4, 2));
    }
}
