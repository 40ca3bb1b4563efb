//! A mirror of contents: what buffers and textures contain by the bytes that were told. Comparing it with the client's copies
//! finds writes that no mark reported. What the GPU writes is unknown here; the client says which copies are no longer the truth.

use gl_state::texture::Texture;
use gl_state::texture_facts::Chain;
use gl_state::{Objects, View};
use pipe::{
    BufferId, CopyRegion, Handle, RawHandle, Resource, ResourceDesc, ResourceRef, SubData,
    SubRegion, TextureId,
};
use std::collections::{HashMap, HashSet};

/// A texture as told.
#[derive(Debug)]
struct Levels {
    desc: ResourceDesc,
    /// `None`: nothing of it was told.
    levels: Vec<Option<Vec<u8>>>,
}

/// Everything that was told.
#[derive(Debug, Default)]
pub struct Contents {
    buffers: HashMap<RawHandle, Vec<u8>>,
    textures: HashMap<RawHandle, Levels>,
    /// Calls that changed a buffer.
    calls: HashMap<RawHandle, u64>,
    /// Buffers that the client read back after the GPU wrote them: their bytes were never told.
    read_back: HashSet<RawHandle>,
}

/// Extent of a level of a description; slices are layers or depth.
fn extent(desc: &ResourceDesc, level: usize) -> (usize, usize, usize) {
    let at = |size: u32| (size >> level).max(1) as usize;
    (
        at(desc.width),
        at(desc.height),
        at(desc.depth).max(usize::from(desc.layers)),
    )
}

impl Contents {
    /// A resource ended.
    pub(crate) fn forget(&mut self, resource: ResourceRef) {
        match resource.get() {
            Resource::Buffer(id) => {
                self.buffers.remove(&id.raw());
                self.calls.remove(&id.raw());
                self.read_back.remove(&id.raw());
            }
            Resource::Texture(id) => drop(self.textures.remove(&id.raw())),
            Resource::Renderbuffer(_) | Resource::None => {}
        }
    }

    /// Planted fault: the first byte of every resource changes on its own.
    pub(crate) fn rot(&mut self) {
        let levels = self.textures.values_mut().flat_map(|own| &mut own.levels);
        let all = self.buffers.values_mut().chain(levels.flatten());
        for byte in all.filter_map(|bytes| bytes.first_mut()) {
            *byte ^= 0x55;
        }
    }

    /// How many calls named a buffer since it was created: the serial of the executing side.
    pub fn calls(&self, id: BufferId) -> u64 {
        self.calls.get(&id.raw()).copied().unwrap_or(0)
    }

    fn count(&mut self, id: BufferId) {
        *self.calls.entry(id.raw()).or_insert(0) += 1;
    }

    pub(crate) fn respecify(&mut self, desc: &ResourceDesc) {
        match desc.resource.get() {
            Resource::Buffer(id) => {
                self.count(id);
                self.read_back.remove(&id.raw());
                self.buffers
                    .insert(id.raw(), vec![0; desc.size_bytes as usize]);
            }
            Resource::Texture(id) => {
                let before = self.textures.remove(&id.raw());
                let mut levels: Vec<Option<Vec<u8>>> = Vec::new();
                levels.resize(usize::from(desc.levels), None);
                if let Some(mut before) = before {
                    for (level, slot) in levels.iter_mut().enumerate() {
                        let kept = before.desc.format == desc.format
                            && extent(&before.desc, level) == extent(desc, level);
                        if let Some(old) = before.levels.get_mut(level).filter(|_| kept) {
                            *slot = old.take();
                        }
                    }
                }
                self.textures.insert(
                    id.raw(),
                    Levels {
                        desc: *desc,
                        levels,
                    },
                );
            }
            Resource::Renderbuffer(_) | Resource::None => {}
        }
    }

    /// The client asked for what the GPU wrote: its copy is the truth from now on, and nobody told it.
    pub(crate) fn read_back(&mut self, id: BufferId) {
        self.count(id);
        self.read_back.insert(id.raw());
    }

    /// Whether the client's copy is what was told.
    fn is_told(&self, objects: &Objects, id: BufferId) -> bool {
        // A live mapping is written behind everybody's back.
        objects.buffers.get(id).is_some_and(|buffer| {
            !buffer.gpu_written && buffer.mapping.is_none() && !self.read_back.contains(&id.raw())
        })
    }

    pub(crate) fn write(&mut self, id: BufferId, offset: u64, bytes: &[u8]) {
        self.count(id);
        let start = offset as usize;
        if let Some(target) = self
            .buffers
            .get_mut(&id.raw())
            .and_then(|buffer| buffer.get_mut(start..start + bytes.len()))
        {
            target.copy_from_slice(bytes);
        }
    }

    pub(crate) fn copy(&mut self, p: &CopyRegion) {
        let (Resource::Buffer(src), Resource::Buffer(dst)) = (p.src.get(), p.dst.get()) else {
            return;
        };
        self.count(dst);
        let start = p.src_offset_bytes as usize;
        let bytes = self
            .buffers
            .get(&src.raw())
            .and_then(|buffer| buffer.get(start..start + p.size_bytes as usize))
            .map(<[u8]>::to_vec);
        if let Some(bytes) = bytes {
            self.write(dst, p.dst_offset_bytes, &bytes);
        }
    }

    pub(crate) fn upload(
        &mut self,
        id: TextureId,
        p: &SubData,
        regions: &[SubRegion],
        bytes: &[u8],
    ) {
        let Some(texture) = self.textures.get_mut(&id.raw()) else {
            return;
        };
        let level = usize::from(p.level);
        let (width, height, slices) = extent(&texture.desc, level);
        let texel = usize::from(texture.desc.format.info().storage.bytes);
        let Some(slot) = texture.levels.get_mut(level) else {
            return;
        };
        let target = slot.get_or_insert_with(|| vec![0; width * height * slices * texel]);
        for region in regions {
            let dst = &region.dst;
            let row = dst.width as usize * texel;
            let stride = |given: u32, tight: usize| if given == 0 { tight } else { given as usize };
            let row_stride = stride(region.src_row_stride_bytes, row);
            let slice_stride = stride(
                region.src_slice_stride_bytes,
                row_stride * dst.height as usize,
            );
            for z in 0..dst.depth as usize {
                for y in 0..dst.height as usize {
                    let from = region.src_offset_bytes as usize + z * slice_stride + y * row_stride;
                    let to = (((dst.z as usize + z) * height + dst.y as usize + y) * width
                        + dst.x as usize)
                        * texel;
                    if let (Some(to), Some(from)) =
                        (target.get_mut(to..to + row), bytes.get(from..from + row))
                    {
                        to.copy_from_slice(from);
                    }
                }
            }
        }
    }

    /// First byte of a buffer that differs from the client's copy; `None` where they agree or the copy is not the truth.
    pub fn buffer_difference(&self, objects: &Objects, id: BufferId) -> Option<usize> {
        let buffer = objects.buffers.get(id)?;
        if !self.is_told(objects, id) {
            return None;
        }
        let Some(told) = self.buffers.get(&id.raw()) else {
            return (buffer.size_bytes() != 0).then_some(0);
        };
        first_difference(told, &buffer.bytes)
    }

    /// As above, but looks at a few places only, others each time: what changed without a serial is found within some verbs.
    pub fn buffer_sample_differs(
        &self,
        objects: &Objects,
        id: BufferId,
        seed: u64,
    ) -> Option<usize> {
        let buffer = objects.buffers.get(id)?;
        if !self.is_told(objects, id) {
            return None;
        }
        sampled_difference(self.buffers.get(&id.raw())?, &buffer.bytes, seed)
    }

    /// Likewise for a texture: one face of one level each time.
    pub fn texture_sample_differs(
        &self,
        view: View<'_>,
        id: TextureId,
        seed: u64,
    ) -> Option<(u32, usize, usize)> {
        let texture = view.objects.textures.get(id)?;
        if !texture.view_of.is_null() || !texture.buffer.is_null() {
            return None;
        }
        let chain: Chain = texture.chain()?;
        let level = (seed % u64::from(chain.levels.max(1))) as u32;
        let face = (seed / 7) as usize % texture.faces();
        let (bytes, texels) = self.texels(texture, &chain, level, face)?;
        let at = sampled_difference(bytes?, texels, seed)?;
        Some((level, face, at))
    }

    /// First difference of a texture from the client's copies: level, face, byte.
    pub fn texture_difference(&self, view: View<'_>, id: TextureId) -> Option<(u32, usize, usize)> {
        let texture = view.objects.textures.get(id)?;
        if !texture.view_of.is_null() || !texture.buffer.is_null() {
            return None;
        }
        let chain: Chain = texture.chain()?;
        self.textures.get(&id.raw())?;
        for level in 0..chain.levels {
            for face in 0..texture.faces() {
                let Some((bytes, texels)) = self.texels(texture, &chain, level, face) else {
                    continue;
                };
                let at = match bytes {
                    Some(bytes) => first_difference(bytes, texels),
                    None => Some(0),
                };
                if let Some(at) = at {
                    return Some((level, face, at));
                }
            }
        }
        None
    }

    /// What was told of one face of one level, and the client's copy, where that is the truth.
    fn texels<'a>(
        &'a self,
        texture: &'a Texture,
        chain: &Chain,
        level: u32,
        face: usize,
    ) -> Option<(Option<&'a [u8]>, &'a [u8])> {
        if !texture.shadow_is_truth(level, face) {
            return None;
        }
        let image = texture.level_image(level, face)?;
        if (image.width, image.height) != (chain.extent(level).0, chain.extent(level).1) {
            return None;
        }
        let start = face * image.texels.len();
        let told = self.textures.get(&texture.id.raw())?;
        let bytes = told
            .levels
            .get(level as usize)
            .and_then(Option::as_ref)
            .and_then(|bytes| bytes.get(start..start + image.texels.len()));
        Some((bytes, &image.texels))
    }
}

/// Bytes of one sample.
const SAMPLE: usize = 64;

/// Compares the two ends and two places that `seed` names.
fn sampled_difference(told: &[u8], expected: &[u8], seed: u64) -> Option<usize> {
    if told.len() != expected.len() {
        return Some(told.len().min(expected.len()));
    }
    let last = told.len().saturating_sub(SAMPLE);
    let somewhere = |step: u64| {
        let x = seed.wrapping_add(step).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((x >> 32) as usize).checked_rem(last + 1).unwrap_or(0)
    };
    [0, somewhere(1), somewhere(2), last]
        .into_iter()
        .find_map(|start| {
            let end = (start + SAMPLE).min(told.len());
            first_difference(&told[start..end], &expected[start..end]).map(|at| start + at)
        })
}

fn first_difference(told: &[u8], expected: &[u8]) -> Option<usize> {
    if told == expected {
        return None;
    }
    let at = told.iter().zip(expected).position(|(a, b)| a != b);
    Some(at.unwrap_or(told.len().min(expected.len())))
}
