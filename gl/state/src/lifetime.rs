//! Counted references on shared objects (GL 4.6 §5.1.3, "Deleted Object and Object Name Lifetimes"). Only here does an object end:
//! whoever holds a handle counts it, and the last release removes the object and puts its handle on the list of the dead.
//!
//! Null handles may be retained and released; nothing happens.

use crate::context::Objects;
use crate::emission::Emission;
use crate::sampler::SamplerObjectId;
use pipe::{BufferId, RenderbufferId, TextureId};

impl Objects {
    /// One more holder.
    pub fn retain_buffer(&mut self, id: BufferId) {
        if let Some(buffer) = self.buffers.get_mut(id) {
            buffer.refs += 1;
        }
    }

    /// One holder fewer.
    pub fn release_buffer(&mut self, id: BufferId, emission: &mut Emission) {
        let Some(buffer) = self.buffers.get_mut(id) else {
            return;
        };
        buffer.refs -= 1;
        if buffer.refs == 0 {
            self.buffers.remove(id);
            self.persistent_maps.retain(|mapped| *mapped != id);
            emission.mark_dead(id.into());
        }
    }

    /// Puts `id` where `slot` is, with both counts kept.
    pub fn replace_buffer(&mut self, slot: &mut BufferId, id: BufferId, emission: &mut Emission) {
        self.retain_buffer(id);
        self.release_buffer(std::mem::replace(slot, id), emission);
    }

    /// One more holder.
    pub fn retain_texture(&mut self, id: TextureId) {
        if let Some(texture) = self.textures.get_mut(id) {
            texture.refs += 1;
        }
    }

    /// One holder fewer. The last one of a view or a buffer texture lets go of what that shows.
    pub fn release_texture(&mut self, id: TextureId, emission: &mut Emission) {
        let Some(texture) = self.textures.get_mut(id) else {
            return;
        };
        texture.refs -= 1;
        if texture.refs == 0 {
            let (owner, buffer) = (texture.view_of, texture.buffer);
            self.textures.remove(id);
            emission.mark_dead(id.into());
            self.release_texture(owner, emission);
            self.release_buffer(buffer, emission);
        }
    }

    /// One more holder.
    pub fn retain_renderbuffer(&mut self, id: RenderbufferId) {
        if let Some(renderbuffer) = self.renderbuffers.get_mut(id) {
            renderbuffer.refs += 1;
        }
    }

    /// One holder fewer.
    pub fn release_renderbuffer(&mut self, id: RenderbufferId, emission: &mut Emission) {
        let Some(renderbuffer) = self.renderbuffers.get_mut(id) else {
            return;
        };
        renderbuffer.refs -= 1;
        if renderbuffer.refs == 0 {
            self.renderbuffers.remove(id);
            emission.mark_dead(id.into());
        }
    }

    /// One more holder.
    pub fn retain_sampler(&mut self, id: SamplerObjectId) {
        if let Some(sampler) = self.samplers.get_mut(id) {
            sampler.refs += 1;
        }
    }

    /// One holder fewer. The executing side knows no sampler objects: nothing is told.
    pub fn release_sampler(&mut self, id: SamplerObjectId) {
        if let Some(sampler) = self.samplers.get_mut(id) {
            sampler.refs -= 1;
            if sampler.refs == 0 {
                self.samplers.remove(id);
            }
        }
    }
}
