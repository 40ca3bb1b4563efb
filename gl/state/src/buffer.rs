//! Buffer objects: size, usage, the client's copy of the bytes, mapping. It never talks to the executing side.

use crate::bump::bump;
use crate::client_bytes::ClientBytes;
use crate::context::Objects;
use crate::emission::Emission;
use crate::generations::ObjectGenerations;
use gl_enums::MapBufferUsageMask;
use pipe::{Bind, BufferId, ResourceDesc, ResourceFlags};

/// A live mapping (GL 4.6 §6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping {
    pub offset_bytes: u64,
    pub size_bytes: u64,
    pub access: MapBufferUsageMask,
}

impl Mapping {
    /// The buffer may be used by the GL while it is mapped.
    pub fn is_persistent(&self) -> bool {
        self.access.contains(MapBufferUsageMask::MAP_PERSISTENT_BIT)
    }
}

/// A buffer object.
#[derive(Debug)]
pub struct Buffer {
    pub id: BufferId,
    /// Application's name, 0 after deletion: diagnostics only.
    pub name: u32,
    /// The client's copy. May be stale where `gpu_written` says so.
    pub bytes: ClientBytes,
    pub usage: u32,
    /// glBufferStorage flags; `None` for mutable storage.
    pub storage_flags: Option<u32>,
    /// [`Bind`] bits seen so far.
    pub bind: Bind,
    pub mapping: Option<Mapping>,
    /// What was told of the range of a persistent mapping; empty without one.
    pub(crate) mapped_bytes: Vec<u8>,
    /// The GPU may have written since the client's copy was last brought up to date.
    pub gpu_written: bool,
    /// glBufferData with data, or any later write.
    pub has_defined_content: bool,
    /// Moves with every change of storage or bytes.
    pub serial: u64,
    /// Moves with new storage only.
    pub storage_serial: u64,
    /// Bindings, attachments and the name: the object lives while this is not 0.
    pub refs: u32,
    pub label: Option<String>,
    /// Opaque lifetime id, never used again.
    pub lifetime: u64,
}

impl Buffer {
    /// A buffer without storage; the name counts as one reference.
    pub fn new(id: BufferId, name: u32, lifetime: u64) -> Self {
        Self {
            id,
            name,
            bytes: ClientBytes::default(),
            usage: 0x88E4, // GL_STATIC_DRAW, GL 4.6 table 6.2
            storage_flags: None,
            bind: Bind::empty(),
            mapping: None,
            mapped_bytes: Vec::new(),
            gpu_written: false,
            has_defined_content: false,
            serial: 1,
            storage_serial: 1,
            refs: 1,
            label: None,
            lifetime,
        }
    }

    /// Size in bytes.
    pub fn size_bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Description of its storage, as `resource_create` and `resource_respecify` carry it.
    pub fn desc(&self) -> ResourceDesc {
        let mut flags = ResourceFlags::empty();
        flags.set(ResourceFlags::IMMUTABLE, self.storage_flags.is_some());
        flags.set(ResourceFlags::DEFINED_CONTENT, self.has_defined_content);
        ResourceDesc {
            resource: self.id.into(),
            target: pipe::Target::Buffer,
            _pad0: 0,
            format: pipe::Format::None,
            width: 0,
            height: 0,
            depth: 0,
            layers: 0,
            levels: 0,
            samples: 0,
            _pad1: 0,
            bind: self.bind.bits(),
            flags: flags.bits(),
            usage: self.usage,
            storage_flags: self.storage_flags.unwrap_or(0),
            name_for_diagnostics: self.name,
            size_bytes: self.size_bytes(),
            view_of: pipe::TextureId::NULL,
            view_min_level: 0,
            view_min_layer: 0,
            _pad2: 0,
            texture_buffer: BufferId::NULL,
            texture_buffer_offset_bytes: 0,
            texture_buffer_size_bytes: 0,
            lifetime: self.lifetime,
        }
    }

    /// New storage, zero-filled where there is no data (never another program's bytes). Ends a mapping (GL 4.6 §6.2).
    pub fn set_storage(
        &mut self,
        bytes: ClientBytes,
        defined: bool,
        usage: u32,
        storage_flags: Option<u32>,
        emission: &mut Emission,
        generations: &mut ObjectGenerations,
    ) {
        self.bytes = bytes;
        self.has_defined_content = defined;
        self.usage = usage;
        self.storage_flags = storage_flags;
        self.gpu_written = false;
        bump!("buffer::set_storage", self.serial);
        bump!("buffer::set_storage", self.storage_serial);
        emission.mark_buffer_storage(self.id, self.size_bytes(), defined);
        bump!("buffer::set_storage", generations.any_buffer_change);
    }

    /// The application wrote bytes (already copied by the caller where `bytes` is `None`).
    pub fn write(
        &mut self,
        offset: u64,
        bytes: Option<&[u8]>,
        size: u64,
        emission: &mut Emission,
        generations: &mut ObjectGenerations,
    ) {
        if let Some(bytes) = bytes {
            self.bytes[offset as usize..offset as usize + bytes.len()].copy_from_slice(bytes);
        }
        self.has_defined_content = true;
        bump!("buffer::write", self.serial);
        emission.mark_buffer_bytes(self.id, offset..offset + size);
        bump!("buffer::write", generations.any_buffer_change);
    }

    /// The GPU may write it from now on; the client's copy is stale until read back.
    pub fn mark_gpu_written(&mut self, generations: &mut ObjectGenerations) {
        self.gpu_written = true;
        self.has_defined_content = true;
        bump!("buffer::mark_gpu_written", self.serial);
        bump!("buffer::mark_gpu_written", generations.any_buffer_change);
    }

    /// The client's copy was read back: it is the truth again. No version moves, contents did when the GPU wrote them.
    pub fn mark_read_back(&mut self) {
        self.gpu_written = false;
        if !self.mapped_bytes.is_empty() {
            self.remember_mapped_bytes();
        }
    }

    /// It is used as something. New uses are told with the next storage: no backend lays a buffer out by them.
    pub fn note_bind(&mut self, use_: Bind) {
        self.bind |= use_;
    }
}

impl Objects {
    /// Begins a mapping.
    pub fn map_buffer(&mut self, id: BufferId, mapping: Mapping) {
        let buffer = &mut self.buffers[id];
        buffer.mapping = Some(mapping);
        if mapping.is_persistent() {
            self.persistent_maps.push(id);
            buffer.remember_mapped_bytes();
        }
        bump!("buffer::map_buffer", self.generations.mappings);
    }

    /// Ends a mapping. What it may have written counts as written, unless ranges were to be flushed one by one.
    pub fn unmap_buffer(&mut self, id: BufferId, emission: &mut Emission) {
        let buffer = &mut self.buffers[id];
        if let Some(mapping) = buffer.mapping
            && mapping.is_persistent()
        {
            // The GPU may have written beside the application: only what that changed is told.
            buffer.note_mapped_writes(mapping, emission, &mut self.generations);
            return self.end_mapping(id);
        }
        let Some(mapping) = buffer.mapping.take() else {
            return;
        };
        bump!("buffer::unmap_buffer", self.generations.mappings);
        let written = mapping.access.contains(MapBufferUsageMask::MAP_WRITE_BIT)
            && !mapping
                .access
                .contains(MapBufferUsageMask::MAP_FLUSH_EXPLICIT_BIT);
        if written {
            buffer.write(
                mapping.offset_bytes,
                None,
                mapping.size_bytes,
                emission,
                &mut self.generations,
            );
        }
    }

    /// Ends a mapping whose bytes are about to be replaced: nothing of it counts as written.
    pub fn end_mapping(&mut self, id: BufferId) {
        let buffer = &mut self.buffers[id];
        buffer.mapped_bytes = Vec::new();
        if buffer.mapping.take().is_some() {
            bump!("buffer::end_mapping", self.generations.mappings);
            self.persistent_maps.retain(|mapped| *mapped != id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_buffer(size: usize) -> (Objects, Emission, BufferId) {
        let (mut objects, mut emission) = (Objects::default(), Emission::default());
        let id = objects.buffers.insert(|id| Buffer::new(id, 1, 1));
        emission.reset(id);
        objects.buffers[id].set_storage(
            ClientBytes::zeroed(size).unwrap(),
            true,
            0x88E4,
            None,
            &mut emission,
            &mut objects.generations,
        );
        emission.buffer(id).dirty.clear();
        (objects, emission, id)
    }

    fn dirty(emission: &mut Emission, id: BufferId) -> Vec<std::ops::Range<u64>> {
        emission.buffer(id).dirty.iter().collect()
    }

    #[test]
    fn unmap_after_writing_marks_the_mapped_range_and_explicit_flush_marks_nothing() {
        let write = MapBufferUsageMask::MAP_WRITE_BIT;
        let explicit = write | MapBufferUsageMask::MAP_FLUSH_EXPLICIT_BIT;
        for (access, expected) in [(write, Some(16..48)), (explicit, None)] {
            let (mut objects, mut emission, id) = one_buffer(64);
            objects.map_buffer(
                id,
                Mapping {
                    offset_bytes: 16,
                    size_bytes: 32,
                    access,
                },
            );
            objects.unmap_buffer(id, &mut emission);
            assert_eq!(dirty(&mut emission, id).first().cloned(), expected);
        }
    }

    #[test]
    fn buffer_ends_with_its_last_holder_and_its_handle_is_listed() {
        let (mut objects, mut emission, id) = one_buffer(4);
        emission.buffer(id).pending.created = true;
        objects.retain_buffer(id);
        objects.release_buffer(id, &mut emission);
        assert!(objects.buffers.get(id).is_some() && emission.dead_resources.is_empty());
        objects.release_buffer(id, &mut emission);
        assert!(objects.buffers.get(id).is_none());
        assert_eq!(emission.dead_resources, [id.into()]);
    }
}
