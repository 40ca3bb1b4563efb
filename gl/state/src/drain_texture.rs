//! Turns what is pending for one texture into the steps that tell it: creation, storage, texels by level, parameters. Texels go
//! as one union box with its regions per level; the receiver chooses the shape of the upload. It never calls the pipe.

use crate::drain::Step;
use crate::emission::{Emission, LevelRegions, union_box};
use crate::texture::{LevelImage, Texture};
use crate::texture_facts::Chain;
use pipe::{Box3, ResourceFlags, SubData, SubRegion, Target};

/// Brings a texture up to date. The owner of a view comes first: the caller's.
pub fn texture(emission: &mut Emission, texture: &Texture, mut emit: impl FnMut(Step<'_>)) {
    let row = emission.texture(texture.id);
    if row.pending.is_clean() && !row.content {
        return;
    }
    let desc = texture.desc();
    if !row.pending.created {
        row.pending.created = true;
        row.pending.params = true;
        emit(Step::Create(desc));
    }
    let chain = texture.chain();
    // A parameter (base level) can change which levels make the chain.
    if row.pending.storage || row.pending.params && row.told.is_some() && row.told != chain {
        row.pending.storage = false;
        let before = std::mem::replace(&mut row.told, chain);
        let mut desc = desc;
        if before.is_some() && texture.immutable_levels == 0 {
            desc.flags |= ResourceFlags::KEEP_CONTENT.bits();
        }
        if chain.is_some() || !texture.buffer.is_null() || before.is_some() {
            emit(Step::Respecify(desc));
        }
        // A level that was no part of the chain told before has nothing to keep: all its texels are due.
        if let Some(chain) = chain.filter(|_| texture.view_of.is_null()) {
            for level in 0..chain.levels {
                if before.is_some_and(|before| before.shares_level(&chain, level)) {
                    continue;
                }
                if row.levels.len() <= level as usize {
                    row.levels
                        .resize_with(level as usize + 1, LevelRegions::default);
                }
                row.levels[level as usize].boxes.clear();
                row.levels[level as usize].add(whole(&chain, level));
                row.content = true;
            }
        }
    }
    if row.content {
        row.content = false;
        if let Some(chain) = row.told {
            for (level, regions) in row.levels.iter_mut().enumerate() {
                if !regions.boxes.is_empty() && (level as u32) < chain.levels {
                    texels(texture, &chain, level as u32, &regions.boxes, &mut emit);
                }
                regions.boxes.clear();
            }
        }
    }
    if row.pending.params {
        row.pending.params = false;
        emit(Step::Params(texture.params()));
    }
    emission.settled_texture(texture.id);
}

/// The box of a whole level; layers and faces are slices.
fn whole(chain: &Chain, level: u32) -> Box3 {
    let (width, height, depth) = chain.extent(level);
    Box3 {
        x: 0,
        y: 0,
        z: 0,
        width,
        height,
        depth: depth.max(chain.layers),
    }
}

/// Emits the boxes of one level.
fn texels(
    texture: &Texture,
    chain: &Chain,
    level: u32,
    boxes: &[Box3],
    emit: &mut impl FnMut(Step<'_>),
) {
    // Levels below the base may hold images that are no part of the chain.
    let face = |face: usize| {
        texture
            .fitting(chain, level, face)
            .filter(|i| !i.texels.is_empty())
    };
    let texel = usize::from(chain.format.info().storage.bytes);
    let (width, height, _) = chain.extent(level);
    let is_cube = texture.target == Target::TextureCube;
    let mut head = SubData {
        resource: texture.id.into(),
        level: level as u16,
        source_is_verbatim_level_shadow: 0,
        _pad: 0,
        union_box: boxes[0],
        buffer_offset_bytes: 0,
        buffer_size_bytes: 0,
    };
    if let ([only], false) = (boxes, is_cube)
        && *only == whole(chain, level)
    {
        // The client's copy as it stands: no gathering.
        if let Some(image) = face(0) {
            head.source_is_verbatim_level_shadow = 1;
            emit(Step::SubData(head, &[region(*only, 0)], &image.texels));
        }
        return;
    }
    let mut blob = Vec::new();
    let mut regions: Vec<SubRegion> = Vec::with_capacity(boxes.len());
    let row_bytes = width as usize * texel;
    let mut gather = |source: Option<&LevelImage>, slice: usize, dst: Box3| {
        // The client has no bytes of it: the executing side's are the truth, or nobody's.
        let Some(source) = source else { return };
        regions.push(region(dst, blob.len() as u64));
        for z in slice..slice + dst.depth as usize {
            for y in dst.y as usize..dst.y as usize + dst.height as usize {
                let at = (z * height as usize + y) * row_bytes + dst.x as usize * texel;
                let bytes = source.texels.get(at..at + dst.width as usize * texel);
                blob.extend_from_slice(bytes.unwrap_or_default());
            }
        }
    };
    for dst in boxes {
        if is_cube {
            // Faces are images of their own: one that is missing hides no other.
            for z in dst.z..dst.z + dst.depth as i32 {
                gather(
                    face(z as usize),
                    0,
                    Box3 {
                        z,
                        depth: 1,
                        ..*dst
                    },
                );
            }
        } else {
            gather(face(0), dst.z as usize, *dst);
        }
    }
    let Some(first) = regions.first() else {
        return;
    };
    head.union_box = regions
        .iter()
        .skip(1)
        .fold(first.dst, |union, r| union_box(&union, &r.dst));
    emit(Step::SubData(head, &regions, &blob));
}

/// A region whose rows are tight.
fn region(dst: Box3, src_offset_bytes: u64) -> SubRegion {
    SubRegion {
        dst,
        src_offset_bytes,
        src_row_stride_bytes: 0,
        src_slice_stride_bytes: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pipe::{Format, TextureId};

    fn steps(emission: &mut Emission, of: &Texture) -> Vec<String> {
        let mut steps = Vec::new();
        texture(emission, of, |step| {
            steps.push(match step {
                Step::Create(_) => "create".into(),
                Step::Respecify(desc) => format!("respecify {}x{}", desc.width, desc.levels),
                Step::SubData(p, regions, bytes) => format!(
                    "subdata level {} verbatim {} regions {} bytes {:?}",
                    p.level,
                    p.source_is_verbatim_level_shadow,
                    regions.len(),
                    &bytes[..4]
                ),
                Step::Params(_) => "params".into(),
            });
        });
        steps
    }

    fn image(size: u32) -> LevelImage {
        LevelImage {
            format: Format::Rgba8,
            width: size,
            height: size,
            depth: 1,
            texels: (0..size * size * 4).map(|i| i as u8).collect(),
            ..LevelImage::default()
        }
    }

    #[test]
    fn cube_map_with_a_missing_face_is_told_by_the_faces_that_it_has() {
        let (mut emission, id) = (Emission::default(), TextureId::new(1, 1));
        let mut object = Texture::new(id, 1, Target::TextureCube, 1);
        object.levels.push(vec![LevelImage::default(); 6]);
        for face in [0, 1, 2, 4, 5] {
            object.levels[0][face] = image(2);
        }
        emission.mark_texture_storage(id);
        let told = steps(&mut emission, &object);
        assert!(told[2].contains("regions 5"), "{told:?}");
    }

    #[test]
    fn texture_is_told_whole_once_then_by_regions_and_a_new_level_alone() {
        let (mut emission, id) = (Emission::default(), TextureId::new(1, 1));
        let mut object = Texture::new(id, 1, Target::Texture2D, 1);
        object.levels.push(vec![image(4)]);
        emission.mark_texture_storage(id);
        assert_eq!(
            steps(&mut emission, &object),
            [
                "create",
                "respecify 4x1",
                "subdata level 0 verbatim 1 regions 1 bytes [0, 1, 2, 3]",
                "params"
            ]
        );
        let one = Box3 {
            x: 1,
            y: 2,
            z: 0,
            width: 2,
            height: 1,
            depth: 1,
        };
        emission.mark_texture_region(id, 0, one);
        // Row 2 begins at byte 32, texel 1 at 36.
        assert_eq!(
            steps(&mut emission, &object),
            ["subdata level 0 verbatim 0 regions 1 bytes [36, 37, 38, 39]"]
        );
        object.levels.push(vec![image(2)]);
        emission.mark_texture_storage(id);
        assert_eq!(
            steps(&mut emission, &object),
            [
                "respecify 4x2",
                "subdata level 1 verbatim 1 regions 1 bytes [0, 1, 2, 3]"
            ]
        );
        assert_eq!(steps(&mut emission, &object), [""; 0]);
    }
}
