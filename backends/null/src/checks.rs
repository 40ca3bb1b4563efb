//! The contract, as the null backend checks it: handles, ranges, tails. It draws no conclusions about pictures.

use pipe::*;
use pipe_inputs::{Group, Objects, Told};
use std::collections::HashSet;

/// Facts kept between calls.
#[derive(Debug, Default)]
pub(crate) struct Checks {
    alive: HashSet<ResourceRef>,
    pub(crate) fences: HashSet<FenceId>,
    pub(crate) queries: HashSet<QueryId>,
    /// Generations of the groups that [`Self::draw`] looked at last.
    seen: [u64; 6],
    /// The context's count of moves then.
    moves: u64,
}

/// Groups whose contents a draw is checked against.
const LOOKED_AT: [Group; 6] = [
    Group::framebuffer,
    Group::draw_program,
    Group::vertex_elements,
    Group::vertex_buffers,
    Group::index_buffer,
    Group::sampler_views,
];

impl Checks {
    pub(crate) fn create(&mut self, resource: ResourceRef) -> bool {
        !resource.is_null() && self.alive.insert(resource)
    }

    pub(crate) fn destroy(&mut self, resource: ResourceRef) -> bool {
        // What was bound may be named again by no draw: look at everything next time.
        self.forget();
        self.alive.remove(&resource)
    }

    pub(crate) fn is_alive(&self, resource: ResourceRef) -> bool {
        self.alive.contains(&resource)
    }

    /// Another context's state, or other objects: everything is looked at again.
    pub(crate) fn forget(&mut self) {
        self.seen = [0; 6];
        self.moves = 0;
    }

    /// Whether anything that [`Self::draw`] looks at moved.
    #[inline]
    pub(crate) fn draw_moved(&mut self, told: &Told<'_>) -> bool {
        if self.moves == told.inputs.moves() {
            return false;
        }
        self.moves = told.inputs.moves();
        self.look_closer(told)
    }

    fn look_closer(&mut self, told: &Told<'_>) -> bool {
        let mut moved = false;
        for (seen, group) in self.seen.iter_mut().zip(LOOKED_AT) {
            let now = told.inputs.generation(group);
            moved |= *seen != now;
            *seen = now;
        }
        moved
    }

    /// What a draw's state must hold; looked up in the executor's tables, by index.
    pub(crate) fn draw(told: &Told<'_>) -> Result<(), &'static str> {
        let (inputs, objects) = (told.inputs, told.objects);
        if inputs.framebuffer().complete == 0 {
            return Err("the framebuffer is incomplete");
        }
        if objects.shaders.get(inputs.draw_program()).is_none() {
            return Err("the program was not created");
        }
        let Some(elements) = objects.vertex_elements.get(inputs.vertex_elements()) else {
            return Err("the vertex elements were not created");
        };
        for attrib in elements.attribs.iter().filter(|attrib| attrib.enabled != 0) {
            let buffer = &inputs.vertex_buffers()[usize::from(attrib.binding)];
            if !buffer.buffer.is_null() && objects.buffers.get(buffer.buffer).is_none() {
                return Err("a vertex buffer is not alive");
            }
        }
        let index_buffer = inputs.index_buffer();
        if !index_buffer.is_null() && objects.buffers.get(index_buffer).is_none() {
            return Err("the index buffer is not alive");
        }
        for bound in inputs
            .sampler_views()
            .iter()
            .filter(|bound| !bound.view.is_null())
        {
            if objects.sampler_views.get(bound.view).is_none()
                || objects.textures.get(bound.texture).is_none()
            {
                return Err("a sampler view or its texture is not alive");
            }
        }
        Ok(())
    }
}

/// A draw's tail agrees with its flags, and its spans resolve.
pub(crate) fn draw_tail(
    p: &DrawInfo,
    indirect: &[DrawIndirect],
    user_indices: &[HostSpan],
    host: Host<'_>,
) -> Result<(), &'static str> {
    let flags = DrawFlags::from_bits_truncate(p.flags);
    if flags.contains(DrawFlags::INDIRECT) == indirect.is_empty() {
        return Err("the indirect tail does not agree with the flag");
    }
    if flags.contains(DrawFlags::USER_INDICES) == user_indices.is_empty() {
        return Err("the index tail does not agree with the flag");
    }
    if user_indices.iter().any(|span| host.0.bytes(span).is_none()) {
        return Err("an index span does not resolve");
    }
    Ok(())
}

/// An upload lies inside its resource and inside its blob.
pub(crate) fn subdata(
    objects: &Objects,
    p: &SubData,
    regions: &[SubRegion],
    bytes: &[u8],
) -> Result<(), &'static str> {
    let Some(desc) = objects.resource(p.resource) else {
        return Err("the resource was not created");
    };
    if desc.target == Target::Buffer {
        let end = p
            .buffer_offset_bytes
            .checked_add(p.buffer_size_bytes)
            .ok_or("the range overflows")?;
        if end > desc.size_bytes {
            return Err("the range ends past the buffer");
        }
        return if bytes.len() as u64 == p.buffer_size_bytes {
            Ok(())
        } else {
            Err("the blob is not the range's size")
        };
    }
    if p.level >= desc.levels {
        return Err("the level does not exist");
    }
    if regions.is_empty() {
        return Err("a texture upload without regions");
    }
    let at_level = |size: u32| (size >> p.level).max(1);
    let (width, height) = (at_level(desc.width), at_level(desc.height));
    let depth = if desc.target == Target::Texture3D {
        at_level(desc.depth)
    } else {
        u32::from(desc.layers).max(1)
    };
    let height = if desc.target == Target::Texture1DArray {
        desc.height.max(1)
    } else {
        height
    };
    for region in regions {
        let b = &region.dst;
        let fits = |at: i32, size: u32, limit: u32| {
            at >= 0 && u64::from(at as u32) + u64::from(size) <= u64::from(limit)
        };
        if !(fits(b.x, b.width, width) && fits(b.y, b.height, height) && fits(b.z, b.depth, depth))
        {
            return Err("a region ends past the level");
        }
        if region.src_offset_bytes > bytes.len() as u64 {
            return Err("a region's source starts past the blob");
        }
    }
    Ok(())
}
