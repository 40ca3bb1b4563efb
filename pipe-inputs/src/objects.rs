//! What the executing side was told about objects: descriptions by slot. It keeps no driver object and no contents but
//! those of default uniform blocks.

use pipe::render_state::RenderState;
use pipe::{
    Handle, ProgramBinding, RenderStateId, Resource, ResourceDesc, ResourceRef, SamplerDesc,
    SamplerId, SamplerViewDesc, SamplerViewId, ShaderDesc, ShaderId, VertexElementsDesc,
    VertexElementsId,
};

/// A table by slot; a stale handle finds nothing.
#[derive(Debug)]
pub struct Table<H, T> {
    rows: Vec<Option<(u32, T)>>,
    kind: std::marker::PhantomData<H>,
}

impl<H, T> Default for Table<H, T> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            kind: std::marker::PhantomData,
        }
    }
}

impl<H: Handle, T> Table<H, T> {
    /// Puts a description under a handle, replacing the slot's last.
    pub fn insert(&mut self, handle: H, value: T) {
        let raw = handle.raw();
        let slot = raw.slot as usize;
        if slot >= self.rows.len() {
            self.rows.resize_with(slot + 1, || None);
        }
        self.rows[slot] = Some((raw.generation, value));
    }

    /// What was told under exactly this handle.
    pub fn get(&self, handle: H) -> Option<&T> {
        let raw = handle.raw();
        match self.rows.get(raw.slot as usize) {
            Some(Some((generation, value))) if *generation == raw.generation => Some(value),
            _ => None,
        }
    }

    /// As [`Self::get`], to change it.
    pub fn get_mut(&mut self, handle: H) -> Option<&mut T> {
        let raw = handle.raw();
        match self.rows.get_mut(raw.slot as usize) {
            Some(Some((generation, value))) if *generation == raw.generation => Some(value),
            _ => None,
        }
    }

    /// Forgets a handle.
    pub fn remove(&mut self, handle: H) -> Option<T> {
        self.get(handle)?;
        self.rows[handle.raw().slot as usize]
            .take()
            .map(|(_, value)| value)
    }

    /// Everything told, by slot.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.rows.iter().flatten().map(|(_, value)| value)
    }
}

/// A program as told.
#[derive(Debug)]
pub struct ShaderInputs {
    pub desc: ShaderDesc,
    /// Default uniform block; starts as zeros.
    pub constants: Vec<u8>,
    /// Moves with every `set_global_constants`: what a backend compares before it uploads.
    pub constants_version: u64,
    pub bindings: Vec<ProgramBinding>,
    /// Moves with every `set_program_bindings`.
    pub bindings_version: u64,
}

/// All tables of a session.
#[derive(Debug, Default)]
pub struct Objects {
    pub render_states: Table<RenderStateId, RenderState>,
    pub vertex_elements: Table<VertexElementsId, VertexElementsDesc>,
    pub samplers: Table<SamplerId, SamplerDesc>,
    pub sampler_views: Table<SamplerViewId, SamplerViewDesc>,
    pub shaders: Table<ShaderId, ShaderInputs>,
    pub buffers: Table<pipe::BufferId, ResourceDesc>,
    pub textures: Table<pipe::TextureId, ResourceDesc>,
    pub renderbuffers: Table<pipe::RenderbufferId, ResourceDesc>,
    pub texture_params: Table<pipe::TextureId, pipe::TextureParams>,
}

impl Objects {
    /// Stores a resource's description.
    pub fn describe(&mut self, desc: &ResourceDesc) {
        match desc.resource.get() {
            Resource::Buffer(id) => self.buffers.insert(id, *desc),
            Resource::Texture(id) => self.textures.insert(id, *desc),
            Resource::Renderbuffer(id) => self.renderbuffers.insert(id, *desc),
            Resource::None => {}
        }
    }

    /// Forgets a resource.
    pub fn forget(&mut self, resource: ResourceRef) {
        match resource.get() {
            Resource::Buffer(id) => drop(self.buffers.remove(id)),
            Resource::Texture(id) => {
                self.texture_params.remove(id);
                self.textures.remove(id);
            }
            Resource::Renderbuffer(id) => drop(self.renderbuffers.remove(id)),
            Resource::None => {}
        }
    }

    /// A resource's description.
    pub fn resource(&self, resource: ResourceRef) -> Option<&ResourceDesc> {
        match resource.get() {
            Resource::Buffer(id) => self.buffers.get(id),
            Resource::Texture(id) => self.textures.get(id),
            Resource::Renderbuffer(id) => self.renderbuffers.get(id),
            Resource::None => None,
        }
    }
}
