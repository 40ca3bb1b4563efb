//! What the executing side has not been told yet about objects: creations, storage, contents, ends. It says what, never when.
//!
//! Mutators write here; whichever arm owns a subsystem's bit drains. Cursors belong to the storage owner: a texture view marks
//! its owner. Contents that were emitted are not emitted again when the bitmap flips.

use pipe::{
    BufferId, Handle, RenderStateId, RenderbufferId, ResourceRef, SamplerId, SamplerViewId,
    ShaderId, SlotAllocator, TextureId, VertexElementsId,
};

/// What is pending for one resource.
#[derive(Clone, Debug, Default)]
pub struct Pending {
    /// `resource_create` was sent.
    pub created: bool,
    /// `resource_respecify` is due.
    pub storage: bool,
    /// `set_texture_params` is due (textures).
    pub params: bool,
    /// Moves with every mark: a memo gate for whoever looks often.
    pub serial: u64,
}

impl Pending {
    /// Nothing is due.
    pub fn is_clean(&self) -> bool {
        self.created && !self.storage && !self.params
    }
}

/// Byte ranges of a buffer, ascending and disjoint; merged when more than a few.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    ranges: Vec<std::ops::Range<u64>>,
}

/// Ranges beyond this are merged into their union.
const MAX_RANGES: usize = 16;

impl Ranges {
    /// Adds a half-open range, merging what touches.
    pub fn add(&mut self, range: std::ops::Range<u64>) {
        if range.is_empty() {
            return;
        }
        let at = self.ranges.partition_point(|r| r.end < range.start);
        let end = self.ranges.partition_point(|r| r.start <= range.end);
        if at < end {
            let start = self.ranges[at].start.min(range.start);
            let stop = self.ranges[end - 1].end.max(range.end);
            self.ranges.splice(at..end, std::iter::once(start..stop));
        } else {
            self.ranges.insert(at, range);
        }
        if self.ranges.len() > MAX_RANGES {
            let union = self.ranges[0].start..self.ranges[self.ranges.len() - 1].end;
            self.ranges.clear();
            self.ranges.push(union);
        }
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The ranges, ascending.
    pub fn iter(&self) -> impl Iterator<Item = std::ops::Range<u64>> + '_ {
        self.ranges.iter().cloned()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.ranges.clear();
    }
}

/// Texels of one level that changed; `z` counts layers, faces and slices. At most [`MAX_BOXES`], then their union.
#[derive(Clone, Debug, Default)]
pub struct LevelRegions {
    pub boxes: Vec<pipe::Box3>,
}

/// Boxes per level before they collapse into their union.
pub const MAX_BOXES: usize = 96;

/// The smallest box around both.
pub fn union_box(a: &pipe::Box3, b: &pipe::Box3) -> pipe::Box3 {
    let (x, y, z) = (a.x.min(b.x), a.y.min(b.y), a.z.min(b.z));
    let end = |a0: i32, aw: u32, b0: i32, bw: u32| {
        (i64::from(a0) + i64::from(aw)).max(i64::from(b0) + i64::from(bw))
    };
    pipe::Box3 {
        x,
        y,
        z,
        width: (end(a.x, a.width, b.x, b.width) - i64::from(x)) as u32,
        height: (end(a.y, a.height, b.y, b.height) - i64::from(y)) as u32,
        depth: (end(a.z, a.depth, b.z, b.depth) - i64::from(z)) as u32,
    }
}

fn volume(b: &pipe::Box3) -> u64 {
    u64::from(b.width) * u64::from(b.height) * u64::from(b.depth)
}

impl LevelRegions {
    /// Adds a box. Boxes whose union is mostly covered by them (at least 3/4) merge, cascading; too many collapse into one.
    pub fn add(&mut self, region: pipe::Box3) {
        if volume(&region) == 0 {
            return;
        }
        let mut region = region;
        loop {
            let merged = self.boxes.iter().position(|old| {
                let union = union_box(old, &region);
                (volume(old) + volume(&region)) * 4 >= volume(&union) * 3
            });
            match merged {
                Some(at) => region = union_box(&self.boxes.swap_remove(at), &region),
                None => break,
            }
        }
        self.boxes.push(region);
        if self.boxes.len() > MAX_BOXES {
            let union = self
                .boxes
                .iter()
                .skip(1)
                .fold(self.boxes[0], |u, b| union_box(&u, b));
            self.boxes.clear();
            self.boxes.push(union);
        }
    }
}

/// What is pending for one texture.
#[derive(Clone, Debug, Default)]
pub struct TexturePending {
    pub pending: Pending,
    /// By level.
    pub levels: Vec<LevelRegions>,
    /// Some level has regions.
    pub content: bool,
    /// The chain that was told last: what levels the executing side has.
    pub told: Option<crate::texture_facts::Chain>,
    /// Its slot is in [`Emission::due_textures`].
    listed: bool,
}

/// What is pending for one buffer.
#[derive(Clone, Debug, Default)]
pub struct BufferPending {
    pub pending: Pending,
    pub dirty: Ranges,
    /// Whose row this is, while it is listed.
    id: BufferId,
    /// Its slot is in [`Emission::due_buffers`].
    listed: bool,
}

/// What the executing side was told about one program's executable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShaderTold {
    /// `create_shader` was sent.
    pub created: bool,
    /// Versions of [`crate::program::Executable`] that were sent; 0: never.
    pub constants_version: u64,
    pub bindings_version: u64,
}

/// Handles of constant state objects. Each arm addresses its own by content; the handles are the session's, as the executing
/// side's tables are.
#[derive(Debug, Default)]
pub struct CsoSlots {
    pub render_states: SlotAllocator<RenderStateId>,
    pub vertex_elements: SlotAllocator<VertexElementsId>,
    pub samplers: SlotAllocator<SamplerId>,
    pub sampler_views: SlotAllocator<SamplerViewId>,
}

/// What is pending for all objects of the session.
#[derive(Debug, Default)]
pub struct Emission {
    buffers: Vec<BufferPending>,
    textures: Vec<TexturePending>,
    renderbuffers: Vec<Pending>,
    /// By slot.
    shaders: Vec<ShaderTold>,
    /// Slots of buffers that were marked since [`Self::take_due_buffers`]; some may be clean by now.
    due_buffers: Vec<u32>,
    /// Slots of textures that were marked and may not have been told.
    due_textures: Vec<u32>,
    pub cso: CsoSlots,
    /// Resources whose owner is gone and whose `resource_destroy` is due. Drained by the arm of their bit at the next verb (or at once).
    pub dead_resources: Vec<ResourceRef>,
    /// Programs whose `delete_shader` is due.
    pub dead_shaders: Vec<ShaderId>,
    /// Moves with every mark of any object: nothing to drain while it stands.
    pub serial: u64,
    /// Moves with every mark of any texture.
    pub texture_serial: u64,
}

fn slot_of<T: Default>(rows: &mut Vec<T>, slot: u32) -> &mut T {
    let slot = slot as usize;
    if slot >= rows.len() {
        rows.resize_with(slot + 1, T::default);
    }
    &mut rows[slot]
}

impl Emission {
    /// Pending of a buffer.
    pub fn buffer(&mut self, id: BufferId) -> &mut BufferPending {
        slot_of(&mut self.buffers, id.slot())
    }

    /// Pending of a texture.
    pub fn texture(&mut self, id: TextureId) -> &mut TexturePending {
        slot_of(&mut self.textures, id.slot())
    }

    /// Pending of a renderbuffer.
    pub fn renderbuffer(&mut self, id: RenderbufferId) -> &mut Pending {
        slot_of(&mut self.renderbuffers, id.slot())
    }

    /// What was told about a program's executable.
    pub fn shader(&mut self, id: ShaderId) -> &mut ShaderTold {
        slot_of(&mut self.shaders, id.slot())
    }

    /// Whether any buffer was marked since the last [`Self::take_due_buffers`].
    #[inline]
    pub fn has_due_buffers(&self) -> bool {
        !self.due_buffers.is_empty()
    }

    /// The buffers that were marked since the last call, each once.
    pub fn take_due_buffers(&mut self) -> Vec<BufferId> {
        let slots = std::mem::take(&mut self.due_buffers);
        let mut ids = Vec::with_capacity(slots.len());
        for slot in slots {
            let row = slot_of(&mut self.buffers, slot);
            row.listed = false;
            ids.push(row.id);
        }
        ids
    }

    /// Whether any texture may have something to tell: while none has, nobody needs to know which ones a verb reaches.
    #[inline]
    pub fn has_due_textures(&self) -> bool {
        !self.due_textures.is_empty()
    }

    /// A texture was brought up to date.
    pub fn settled_texture(&mut self, id: TextureId) {
        if let Some(at) = self
            .due_textures
            .iter()
            .rposition(|slot| *slot == id.slot())
        {
            self.due_textures.swap_remove(at);
        }
        self.texture(id).listed = false;
    }

    fn list_texture(&mut self, id: TextureId) {
        let row = slot_of(&mut self.textures, id.slot());
        if !row.listed {
            row.listed = true;
            self.due_textures.push(id.slot());
        }
    }

    /// Takes buffers that are up to date off the list: for an arm that tells only what a verb reaches.
    pub fn prune_due_buffers(&mut self) {
        let buffers = &mut self.buffers;
        self.due_buffers.retain(|slot| {
            let row = &mut buffers[*slot as usize];
            row.listed = !(row.pending.is_clean() && row.dirty.is_empty());
            row.listed
        });
    }

    /// A buffer was brought up to date: it need not be listed if it was the last to be.
    pub fn settled_buffer(&mut self, id: BufferId) {
        if self.due_buffers.last() == Some(&id.slot()) {
            self.due_buffers.pop();
            self.buffer(id).listed = false;
        }
    }

    fn list_buffer(&mut self, id: BufferId) {
        let row = slot_of(&mut self.buffers, id.slot());
        row.id = id;
        if !row.listed {
            row.listed = true;
            self.due_buffers.push(id.slot());
        }
    }

    /// A fresh object took the slot: nothing of its predecessor is pending.
    pub fn reset<H: Handle>(&mut self, handle: H) {
        self.serial += 1;
        let slot = handle.raw().slot;
        match H::KIND {
            pipe::HandleKind::Buffer => {
                let row = slot_of(&mut self.buffers, slot);
                *row = BufferPending {
                    listed: row.listed,
                    ..BufferPending::default()
                };
                // Its creation is due: it can be bound before it has storage.
                self.list_buffer(BufferId::from_raw(handle.raw()));
            }
            pipe::HandleKind::Texture => {
                let row = slot_of(&mut self.textures, slot);
                *row = TexturePending {
                    listed: row.listed,
                    ..TexturePending::default()
                };
                self.texture_serial += 1;
                self.list_texture(TextureId::from_raw(handle.raw()));
            }
            pipe::HandleKind::Renderbuffer => {
                *slot_of(&mut self.renderbuffers, slot) = Pending::default()
            }
            pipe::HandleKind::Shader => *slot_of(&mut self.shaders, slot) = ShaderTold::default(),
            pipe::HandleKind::Framebuffer
            | pipe::HandleKind::StreamOutput
            | pipe::HandleKind::RenderState
            | pipe::HandleKind::VertexElements
            | pipe::HandleKind::Sampler
            | pipe::HandleKind::SamplerView
            | pipe::HandleKind::Fence
            | pipe::HandleKind::Query
            | pipe::HandleKind::Context
            | pipe::HandleKind::Surface => {}
        }
    }

    /// An object ended. One that was never told ends unheard.
    pub fn mark_dead(&mut self, resource: ResourceRef) {
        self.serial += 1;
        let told = match resource.get() {
            pipe::Resource::None => false,
            pipe::Resource::Buffer(id) => self.buffer(id).pending.created,
            pipe::Resource::Texture(id) => self.texture(id).pending.created,
            pipe::Resource::Renderbuffer(id) => self.renderbuffer(id).created,
        };
        if told {
            self.dead_resources.push(resource);
        }
        // Nothing of it is due any more.
        match resource.get() {
            pipe::Resource::None | pipe::Resource::Renderbuffer(_) => {}
            pipe::Resource::Buffer(id) => {
                let row = self.buffer(id);
                row.dirty.clear();
                row.pending = Pending {
                    created: true,
                    ..Pending::default()
                };
            }
            pipe::Resource::Texture(id) => self.settled_texture(id),
        }
    }

    /// A program's executable ended, likewise.
    pub fn mark_dead_shader(&mut self, id: ShaderId) {
        self.serial += 1;
        if self.shader(id).created {
            self.dead_shaders.push(id);
        }
    }

    /// Whether nothing is pending for a resource: what verification asks.
    pub fn is_settled(&self, resource: ResourceRef) -> bool {
        let slot = resource.handle.slot as usize;
        match resource.get() {
            pipe::Resource::None => true,
            pipe::Resource::Buffer(_) => self
                .buffers
                .get(slot)
                .is_some_and(|row| row.pending.is_clean() && row.dirty.is_empty()),
            pipe::Resource::Texture(_) => self
                .textures
                .get(slot)
                .is_some_and(|row| row.pending.is_clean() && !row.content),
            pipe::Resource::Renderbuffer(_) => {
                self.renderbuffers.get(slot).is_some_and(Pending::is_clean)
            }
        }
    }

    /// New storage: what was dirty before is void.
    pub fn mark_buffer_storage(&mut self, id: BufferId, size_bytes: u64, defined: bool) {
        self.serial += 1;
        let row = self.buffer(id);
        row.pending.storage = true;
        row.pending.serial += 1;
        row.dirty.clear();
        if defined {
            row.dirty.add(0..size_bytes);
        }
        self.list_buffer(id);
    }

    /// Bytes changed.
    pub fn mark_buffer_bytes(&mut self, id: BufferId, range: std::ops::Range<u64>) {
        self.serial += 1;
        let row = self.buffer(id);
        row.pending.serial += 1;
        row.dirty.add(range);
        self.list_buffer(id);
    }

    /// New storage of a texture; contents of surviving levels are marked by the caller.
    pub fn mark_texture_storage(&mut self, id: TextureId) {
        self.list_texture(id);
        self.serial += 1;
        self.texture_serial += 1;
        let row = self.texture(id);
        row.pending.storage = true;
        row.pending.serial += 1;
    }

    /// Parameters changed.
    pub fn mark_texture_params(&mut self, id: TextureId) {
        self.list_texture(id);
        self.serial += 1;
        self.texture_serial += 1;
        let row = self.texture(id);
        row.pending.params = true;
        row.pending.serial += 1;
    }

    /// Texels changed. `id` is the storage owner.
    pub fn mark_texture_region(&mut self, id: TextureId, level: u32, region: pipe::Box3) {
        self.list_texture(id);
        self.serial += 1;
        self.texture_serial += 1;
        let row = self.texture(id);
        row.pending.serial += 1;
        row.content = true;
        let level = level as usize;
        if level >= row.levels.len() {
            row.levels.resize_with(level + 1, LevelRegions::default);
        }
        row.levels[level].add(region);
    }

    /// New storage of a renderbuffer.
    pub fn mark_renderbuffer_storage(&mut self, id: RenderbufferId) {
        self.serial += 1;
        let row = self.renderbuffer(id);
        row.storage = true;
        row.serial += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_ranges_merge_and_distant_ones_stay_apart() {
        let mut ranges = Ranges::default();
        ranges.add(0..4);
        ranges.add(8..12);
        ranges.add(4..8);
        ranges.add(20..24);
        assert_eq!(ranges.iter().collect::<Vec<_>>(), [0..12, 20..24]);
    }

    #[test]
    fn distant_boxes_stay_apart_and_adjacent_ones_merge() {
        let at = |x, width| pipe::Box3 {
            x,
            y: 0,
            z: 0,
            width,
            height: 4,
            depth: 1,
        };
        let mut level = LevelRegions::default();
        level.add(at(0, 4));
        level.add(at(4, 4));
        level.add(at(100, 4));
        assert_eq!(level.boxes, [at(0, 8), at(100, 4)]);
    }
}
