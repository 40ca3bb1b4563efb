//! Buffer objects: size, usage, the client's copy of the bytes, mapping. It never talks to the executing side.

use crate::emission::Emission;
use crate::generations::ObjectGenerations;
use pipe::{Bind, BufferId, ResourceDesc, ResourceFlags};

/// A live mapping (GL 4.6 §6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping {
    pub offset_bytes: u64,
    pub size_bytes: u64,
    /// GL_MAP_*_BIT.
    pub access: u32,
}

/// A buffer object.
#[derive(Debug)]
pub struct Buffer {
    pub id: BufferId,
    /// Application's name, 0 after deletion: diagnostics only.
    pub name: u32,
    /// The client's copy. May be stale where `gpu_written` says so.
    pub bytes: Box<[u8]>,
    pub usage: u32,
    /// glBufferStorage flags; `None` for mutable storage.
    pub storage_flags: Option<u32>,
    /// [`Bind`] bits seen so far.
    pub bind: Bind,
    pub mapping: Option<Mapping>,
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
            bytes: Box::default(),
            usage: 0x88E4, // GL_STATIC_DRAW, GL 4.6 table 6.2
            storage_flags: None,
            bind: Bind::empty(),
            mapping: None,
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
        bytes: Box<[u8]>,
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
        self.mapping = None;
        self.gpu_written = false;
        self.serial += 1;
        self.storage_serial += 1;
        emission.mark_buffer_storage(self.id, self.size_bytes(), defined);
        generations.any_buffer_change += 1;
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
        self.serial += 1;
        emission.mark_buffer_bytes(self.id, offset..offset + size);
        generations.any_buffer_change += 1;
    }

    /// The GPU may write it from now on; the client's copy is stale until read back.
    pub fn mark_gpu_written(&mut self, generations: &mut ObjectGenerations) {
        self.gpu_written = true;
        self.has_defined_content = true;
        self.serial += 1;
        generations.any_buffer_change += 1;
    }

    /// It is used as something new; storage may have to move on the executing side. `true` if `use_` is new.
    pub fn note_bind(&mut self, use_: Bind) -> bool {
        let new = !self.bind.contains(use_);
        self.bind |= use_;
        new
    }
}
