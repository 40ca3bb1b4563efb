//! Texture views (GL 4.6 §8.18): textures that show levels and layers of another one's storage. Texels written through a view go to the
//! owner, whose copy and cursor all of them share. A view of a view shows the same owner.

use crate::arena::Arena;
use crate::context::Objects;
use crate::emission::Emission;
use crate::generations::ObjectGenerations;
use crate::texture::{LevelImage, Texture};
use pipe::pixels::Pitch;
use pipe::{Box3, Format, Target, TextureId};
use std::ops::RangeInclusive;

/// What a view shows of its origin. Levels and layers are those that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// As requested.
    pub internal_format: u32,
    pub format: Format,
    pub min_level: u32,
    pub levels: u32,
    pub min_layer: u32,
    pub layers: u32,
}

/// Layers of a level: faces of cube maps are layers, slices of 3D textures are not.
pub fn layers_of(texture: &Texture) -> u32 {
    match texture.target {
        Target::TextureCube => 6,
        Target::Texture1DArray
        | Target::Texture2DArray
        | Target::TextureCubeArray
        | Target::Texture2DMultisampleArray => {
            texture.level_image(0, 0).map_or(0, |image| image.depth)
        }
        Target::Buffer
        | Target::Texture1D
        | Target::Texture2D
        | Target::Texture3D
        | Target::TextureRectangle
        | Target::TextureBuffer
        | Target::Texture2DMultisample
        | Target::Renderbuffer => 1,
    }
}

impl Objects {
    /// Makes a fresh texture a view of another one, which it keeps alive.
    pub fn show(
        &mut self,
        id: TextureId,
        origin: TextureId,
        shown: Shown,
        emission: &mut Emission,
    ) {
        let from = &self.textures[origin];
        let target = self.textures[id].target;
        let layered = matches!(
            target,
            Target::Texture1DArray
                | Target::Texture2DArray
                | Target::TextureCubeArray
                | Target::Texture2DMultisampleArray
        );
        let faces = self.textures[id].faces();
        let image = |level: u32| {
            let source = &from.levels[(shown.min_level + level) as usize][0];
            LevelImage {
                internal_format: shown.internal_format,
                format: shown.format,
                depth: match target {
                    Target::Texture3D => source.depth,
                    _ if layered => shown.layers,
                    _ => 1,
                },
                ..source.clone_shape()
            }
        };
        let levels = (0..shown.levels)
            .map(|level| vec![image(level); faces])
            .collect();
        let owner = from.owner();
        let (min_level, min_layer) = (
            from.view_min_level + shown.min_level,
            from.view_min_layer + shown.min_layer,
        );
        let (storage_levels, samples, fixed, render_target) = (
            from.storage_levels,
            from.samples,
            from.fixed_sample_locations,
            from.render_target,
        );
        self.retain_texture(owner);
        let view = &mut self.textures[id];
        view.set_storage(
            levels,
            shown.levels,
            samples,
            fixed,
            emission,
            &mut self.generations,
        );
        view.storage_levels = storage_levels;
        view.view_of = owner;
        view.view_min_level = min_level;
        view.view_min_layer = min_layer;
        view.render_target = render_target;
    }

    /// A texture is attached to a framebuffer: texels of its storage are the GPU's from now on, through whatever view.
    pub(crate) fn note_render_target(&mut self, id: TextureId) {
        let owner = self.textures[id].owner();
        self.textures[id].render_target = true;
        self.textures[owner].render_target = true;
    }
}

/// Texels of a region change: as [`Texture::write_region`], wherever they are kept.
pub fn write_texels<E>(
    textures: &mut Arena<TextureId, Texture>,
    generations: &mut ObjectGenerations,
    emission: &mut Emission,
    (id, level, face): (TextureId, u32, usize),
    region: Box3,
    write: impl FnOnce(&mut [u8], Pitch) -> Result<(), E>,
) -> Result<(), E> {
    let view = &textures[id];
    if view.view_of.is_null() {
        return textures[id].write_region(level, face, region, emission, generations, write);
    }
    let format = view.levels[level as usize][face].format;
    let pitch = Pitch::tight(format, region.width, region.height);
    let mut texels = vec![0; (pitch.image * u64::from(region.depth)) as usize];
    write(&mut texels, pitch)?;
    let (owner, level) = (view.view_of, level + view.view_min_level);
    let first = view.view_min_layer + face as u32 + region.z as u32;
    let owner = &mut textures[owner];
    // Formats of one view class have texels of one size: bytes are bytes.
    for (slice, bytes) in texels.chunks_exact(pitch.image as usize).enumerate() {
        let layer = first + slice as u32;
        let (face, z) = if owner.faces() > 1 {
            (layer as usize, 0)
        } else {
            (0, layer as i32)
        };
        let part = Box3 {
            z,
            depth: 1,
            ..region
        };
        owner.write_region(level, face, part, emission, generations, |target, to| {
            for (y, row) in bytes.chunks_exact(pitch.row as usize).enumerate() {
                let at = y * to.row as usize;
                target[at..at + row.len()].copy_from_slice(row);
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// The GPU made these levels of a texture: the copies of its storage are void. What of other layers is still to be told must be told before.
pub fn mark_written(
    textures: &mut Arena<TextureId, Texture>,
    generations: &mut ObjectGenerations,
    id: TextureId,
    levels: RangeInclusive<u32>,
) {
    let texture = &textures[id];
    let (owner, below) = (texture.owner(), texture.view_min_level);
    let levels = levels.start() + below..=levels.end() + below;
    textures[owner].mark_gpu_written(levels, generations);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn storage(target: Target, format: Format, depth: u32) -> (Objects, Emission, TextureId) {
        let (mut objects, mut emission) = (Objects::default(), Emission::default());
        let id = objects.create_texture(1, target, &mut emission);
        let texture = &mut objects.textures[id];
        let image = LevelImage {
            format,
            width: 2,
            height: 2,
            depth,
            ..LevelImage::default()
        };
        let levels = vec![vec![image; texture.faces()]];
        let generations = &mut objects.generations;
        texture.set_storage(levels, 1, 0, true, &mut emission, generations);
        (objects, emission, id)
    }

    #[test]
    fn texels_written_through_a_view_of_one_layer_are_the_owners() {
        let (mut objects, mut emission, owner) = storage(Target::Texture2DArray, Format::Rgba8, 3);
        let view = objects.create_texture(2, Target::Texture2D, &mut emission);
        let shown = Shown {
            internal_format: 0x8236, // GL_R32UI
            format: Format::R32ui,
            min_level: 0,
            levels: 1,
            min_layer: 2,
            layers: 1,
        };
        objects.show(view, owner, shown, &mut emission);
        let region = Box3 {
            x: 1,
            y: 0,
            z: 0,
            width: 1,
            height: 2,
            depth: 1,
        };
        let Objects {
            textures,
            generations,
            ..
        } = &mut objects;
        let at = (view, 0, 0);
        let written: Result<(), ()> = write_texels(
            textures,
            generations,
            &mut emission,
            at,
            region,
            |to, pitch| {
                to[..4].fill(7);
                to[pitch.row as usize..][..4].fill(8);
                Ok(())
            },
        );
        assert_eq!(written, Ok(()));
        let texels = &objects.textures[owner].levels[0][0].texels;
        assert_eq!(texels[32..40], [0, 0, 0, 0, 7, 7, 7, 7]);
        assert_eq!(texels[40..48], [0, 0, 0, 0, 8, 8, 8, 8]);
        assert!(objects.textures[view].levels[0][0].texels.is_empty());
        let boxes = &emission.texture(owner).levels[0].boxes;
        assert_eq!(boxes, &[Box3 { z: 2, ..region }]);
    }

    #[test]
    fn view_keeps_its_owner_alive_and_shows_it_through_another_view() {
        let (mut objects, mut emission, owner) = storage(Target::TextureCube, Format::Rgba8, 1);
        let shown = |min_layer, layers| Shown {
            internal_format: 0x8058, // GL_RGBA8
            format: Format::Rgba8,
            min_level: 0,
            levels: 1,
            min_layer,
            layers,
        };
        let array = objects.create_texture(2, Target::Texture2DArray, &mut emission);
        objects.show(array, owner, shown(1, 4), &mut emission);
        let flat = objects.create_texture(3, Target::Texture2D, &mut emission);
        objects.show(flat, array, shown(2, 1), &mut emission);
        let view = &objects.textures[flat];
        assert_eq!((view.view_of, view.view_min_layer), (owner, 3));
        objects.release_texture(owner, &mut emission);
        objects.release_texture(array, &mut emission);
        assert!(objects.textures.get(owner).is_some());
        objects.release_texture(flat, &mut emission);
        assert!(objects.textures.get(owner).is_none());
    }
}
