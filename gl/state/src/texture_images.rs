//! Mutators of textures: images, storage, texels, parameters. Texels arrive here converted; nothing is unpacked.

use crate::bump::bump;
use crate::emission::Emission;
use crate::generations::ObjectGenerations;
use crate::sampler::SamplerChange;
use crate::texture::{LevelImage, Texture};
use pipe::pixels::Pitch;
use pipe::{Box3, BufferId, Format, Target, TextureId};

/// One parameter of a texture, with its new value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TextureChange {
    Sampler(SamplerChange),
    BaseLevel(u32),
    MaxLevel(u32),
    /// Component and source.
    Swizzle(usize, u16),
    DepthStencilMode(u16),
}

impl LevelImage {
    /// Canonical bytes of the whole image.
    pub fn storage_bytes(&self) -> u64 {
        let info = self.format.info();
        info.storage_bytes(self.width, self.height, self.depth)
            .unwrap_or(u64::MAX)
    }

    /// Whether both mean the same texels.
    pub fn same_shape(&self, other: &Self) -> bool {
        (self.format, self.width, self.height, self.depth)
            == (other.format, other.width, other.height, other.depth)
    }

    /// Whether this is an image at all.
    pub fn is_defined(&self) -> bool {
        self.format != Format::None
    }

    /// An image of this shape without texels.
    pub fn clone_shape(&self) -> Self {
        Self {
            texels: Vec::new(),
            encoded: Vec::new(),
            gpu_written: false,
            ..*self
        }
    }

    /// Distances in its texels.
    pub fn pitch(&self) -> Pitch {
        Pitch::tight(self.format, self.width, self.height)
    }
}

impl Texture {
    /// An image, where there is one.
    pub fn level_image(&self, level: u32, face: usize) -> Option<&LevelImage> {
        let image = self.levels.get(level as usize)?.get(face)?;
        image.is_defined().then_some(image)
    }

    /// The client's copy of an image is the truth: nothing but the client ever wrote it.
    pub fn shadow_is_truth(&self, level: u32, face: usize) -> bool {
        let image = self.level_image(level, face);
        !self.render_target
            && !self.image_bound
            && image.is_some_and(|image| !image.gpu_written && !image.texels.is_empty())
    }

    fn slot(&mut self, level: u32, face: usize) -> &mut LevelImage {
        let (level, faces) = (level as usize, self.faces());
        if level >= self.levels.len() {
            self.levels.resize_with(level + 1, Vec::new);
        }
        let row = &mut self.levels[level];
        if row.len() < faces {
            row.resize_with(faces, LevelImage::default);
        }
        &mut row[face]
    }

    /// The box of a whole image: faces and layers are slices.
    fn whole(&self, image: &LevelImage, face: usize) -> Box3 {
        Box3 {
            x: 0,
            y: 0,
            z: face as i32,
            width: image.width,
            height: image.height,
            depth: image.depth,
        }
    }

    /// glTexImage: another image takes the place of one. Without texels its contents are undefined.
    pub fn set_image(
        &mut self,
        level: u32,
        face: usize,
        image: LevelImage,
        emission: &mut Emission,
        generations: &mut ObjectGenerations,
    ) {
        let region = self.whole(&image, face);
        let has_texels = !image.texels.is_empty();
        let slot = self.slot(level, face);
        let same = slot.same_shape(&image);
        *slot = image;
        if !same {
            bump!("texture_images::set_image", self.shape_serial);
            emission.mark_texture_storage(self.id);
        }
        if has_texels {
            emission.mark_texture_region(self.id, level, region);
        }
        bump!("texture_images::set_image", self.content_serial);
        bump!("texture_images::set_image", generations.any_texture_content);
    }

    /// Whole new storage: glTexStorage (`immutable` levels) and multisample images.
    pub fn set_storage(
        &mut self,
        levels: Vec<Vec<LevelImage>>,
        immutable: u32,
        samples: u32,
        fixed_sample_locations: bool,
        emission: &mut Emission,
        generations: &mut ObjectGenerations,
    ) {
        self.levels = levels;
        self.immutable_levels = immutable;
        self.storage_levels = immutable;
        self.samples = samples;
        self.fixed_sample_locations = fixed_sample_locations;
        bump!("texture_images::set_storage", self.shape_serial);
        bump!("texture_images::set_storage", self.content_serial);
        emission.mark_texture_storage(self.id);
        bump!(
            "texture_images::set_storage",
            generations.any_texture_content
        );
    }

    /// What a buffer texture shows. The caller counts the buffer.
    pub fn set_buffer(
        &mut self,
        buffer: BufferId,
        image: LevelImage,
        offset_bytes: u64,
        size_bytes: u64,
        emission: &mut Emission,
        generations: &mut ObjectGenerations,
    ) {
        self.buffer = buffer;
        self.buffer_offset_bytes = offset_bytes;
        self.buffer_size_bytes = size_bytes;
        self.levels = if buffer.is_null() {
            Vec::new()
        } else {
            vec![vec![image]]
        };
        bump!("texture_images::set_buffer", self.shape_serial);
        bump!("texture_images::set_buffer", self.content_serial);
        emission.mark_texture_storage(self.id);
        bump!(
            "texture_images::set_buffer",
            generations.any_texture_content
        );
    }

    /// Texels of a region change: `write` gets the image's bytes from the region's first texel on. What was never defined is zero.
    pub fn write_region<E>(
        &mut self,
        level: u32,
        face: usize,
        region: Box3,
        emission: &mut Emission,
        generations: &mut ObjectGenerations,
        write: impl FnOnce(&mut [u8], Pitch) -> Result<(), E>,
    ) -> Result<(), E> {
        let image = self.slot(level, face);
        let pitch = image.pitch();
        if image.texels.is_empty() {
            image.texels = vec![0; image.storage_bytes() as usize];
        }
        let texel = u64::from(image.format.info().storage.bytes);
        let start =
            region.z as u64 * pitch.image + region.y as u64 * pitch.row + region.x as u64 * texel;
        write(&mut image.texels[start as usize..], pitch)?;
        image.encoded = Vec::new();
        let marked = Box3 {
            z: region.z + face as i32,
            ..region
        };
        emission.mark_texture_region(self.id, level, marked);
        bump!("texture_images::write_region", self.content_serial);
        bump!(
            "texture_images::write_region",
            generations.any_texture_content
        );
        Ok(())
    }

    /// The GPU made these levels: the client's copies are void.
    pub fn mark_gpu_written(
        &mut self,
        levels: std::ops::RangeInclusive<u32>,
        generations: &mut ObjectGenerations,
    ) {
        for level in levels {
            for image in self.levels.get_mut(level as usize).into_iter().flatten() {
                image.gpu_written = true;
                image.texels = Vec::new();
                image.encoded = Vec::new();
            }
        }
        bump!("texture_images::mark_gpu_written", self.content_serial);
        bump!(
            "texture_images::mark_gpu_written",
            generations.any_texture_content
        );
    }

    /// glTexParameter.
    pub fn set_param(
        &mut self,
        change: TextureChange,
        emission: &mut Emission,
        generations: &mut ObjectGenerations,
    ) {
        let changed = match change {
            TextureChange::Sampler(change) => self.sampler.apply(change),
            TextureChange::BaseLevel(value) => {
                let changed = std::mem::replace(&mut self.base_level, value) != value;
                if changed && self.immutable_levels == 0 {
                    // Which images make the consistent chain depends on the base level.
                    bump!("texture_images::set_param", self.shape_serial);
                    emission.mark_texture_storage(self.id);
                    bump!("texture_images::set_param", generations.any_texture_content);
                }
                changed
            }
            TextureChange::MaxLevel(value) => {
                std::mem::replace(&mut self.max_level, value) != value
            }
            TextureChange::Swizzle(component, value) => {
                std::mem::replace(&mut self.swizzle[component], value) != value
            }
            TextureChange::DepthStencilMode(value) => {
                std::mem::replace(&mut self.depth_stencil_mode, value) != value
            }
        };
        if changed {
            bump!("texture_images::set_param", self.params_serial);
            emission.mark_texture_params(self.id);
            bump!("texture_images::set_param", generations.any_texture_params);
        }
    }

    /// Base and last level as sampling takes them (GL 4.6 §8.17: immutable textures clamp both to their levels).
    pub fn effective_levels(&self) -> (u32, u32) {
        match self.immutable_levels {
            0 => (self.base_level, self.max_level),
            n => {
                let base = self.base_level.min(n - 1);
                (base, self.max_level.clamp(base, n - 1))
            }
        }
    }

    /// The last level that mipmapping from the base level reaches (GL 4.6 §8.14.3: q).
    pub fn last_mipmap_level(&self) -> Option<u32> {
        let (base, last) = self.effective_levels();
        let image = self.level_image(base, 0)?;
        let depth = if self.target == Target::Texture3D {
            image.depth
        } else {
            1
        };
        let largest = image.width.max(image.height).max(depth).max(1);
        Some(last.min(base + largest.ilog2()))
    }

    /// Whether the faces of a level are equal squares (GL 4.6 §8.17, "cube complete").
    pub fn is_cube_complete(&self, level: u32) -> bool {
        let Some(first) = self.level_image(level, 0) else {
            return false;
        };
        first.width == first.height
            && (1..self.faces()).all(|face| {
                self.level_image(level, face)
                    .is_some_and(|image| image.same_shape(first))
            })
    }

    /// Extent of a level that mipmapping makes below `base`; layers stay.
    pub fn mipmap_image(&self, base: &LevelImage, steps: u32) -> LevelImage {
        let half = |size: u32| (size >> steps).max(1);
        LevelImage {
            internal_format: base.internal_format,
            format: base.format,
            width: half(base.width),
            height: half(base.height),
            depth: if self.target == Target::Texture3D {
                half(base.depth)
            } else {
                base.depth
            },
            texels: Vec::new(),
            encoded: Vec::new(),
            gpu_written: false,
        }
    }

    /// The owner of the texels: itself, unless it is a view.
    pub fn owner(&self) -> TextureId {
        if self.view_of.is_null() {
            self.id
        } else {
            self.view_of
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(size: u32) -> LevelImage {
        LevelImage {
            internal_format: 0x8058,
            format: Format::Rgba8,
            width: size,
            height: size,
            depth: 1,
            texels: vec![7; (size * size * 4) as usize],
            encoded: Vec::new(),
            gpu_written: false,
        }
    }

    #[test]
    fn image_of_the_same_shape_moves_content_only() {
        let (mut emission, mut generations) = (Emission::default(), ObjectGenerations::default());
        let mut t = Texture::new(TextureId::new(1, 1), 1, Target::Texture2D, 1);
        t.set_image(0, 0, image(4), &mut emission, &mut generations);
        let (shape, content) = (t.shape_serial, t.content_serial);
        t.set_image(0, 0, image(4), &mut emission, &mut generations);
        assert_eq!((t.shape_serial, t.content_serial), (shape, content + 1));
        t.set_image(0, 0, image(8), &mut emission, &mut generations);
        assert_eq!(t.shape_serial, shape + 1);
    }

    #[test]
    fn region_of_an_undefined_image_leaves_the_rest_zero() {
        let (mut emission, mut generations) = (Emission::default(), ObjectGenerations::default());
        let mut t = Texture::new(TextureId::new(1, 1), 1, Target::Texture2D, 1);
        let empty = LevelImage {
            texels: Vec::new(),
            ..image(2)
        };
        t.set_image(0, 0, empty, &mut emission, &mut generations);
        let region = Box3 {
            x: 1,
            y: 1,
            z: 0,
            width: 1,
            height: 1,
            depth: 1,
        };
        let result: Result<(), ()> =
            t.write_region(0, 0, region, &mut emission, &mut generations, |bytes, _| {
                bytes[..4].fill(9);
                Ok(())
            });
        assert_eq!(result, Ok(()));
        let texels = &t.levels[0][0].texels;
        assert!(texels[..12].iter().all(|b| *b == 0) && texels[12..].iter().all(|b| *b == 9));
        assert_eq!(emission.texture(t.id).levels[0].boxes, [region]);
    }

    // GL 4.6 §8.14.3.
    #[test]
    fn last_mipmap_level_is_clamped_by_max_level() {
        let (mut emission, mut generations) = (Emission::default(), ObjectGenerations::default());
        let mut t = Texture::new(TextureId::new(1, 1), 1, Target::Texture2D, 1);
        t.set_image(0, 0, image(8), &mut emission, &mut generations);
        assert_eq!(t.last_mipmap_level(), Some(3));
        t.set_param(TextureChange::MaxLevel(2), &mut emission, &mut generations);
        assert_eq!(t.last_mipmap_level(), Some(2));
    }
}
