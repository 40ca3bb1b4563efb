//! The end of a context: it lets go of everything that it holds, so that what others share lives as long as they want it and no
//! longer (GL 4.6 §5.1.3). Names of the share group are [`crate::context::bury_share_group`]'s.

use crate::buffer_bindings::{BUFFER_TARGETS, IndexedTarget};
use crate::context::{Context, Objects, ShareGroup};
use crate::emission::Emission;
use crate::program::ProgramId;
use crate::sampler::SamplerObjectId;
use crate::texture_units::TEXTURE_TARGETS;
use pipe::{BufferClass, BufferId, RenderbufferId, TextureId};

impl Context {
    /// Releases every binding. Queries end with the context on the executing side; their handles are free again.
    pub fn let_go(
        &mut self,
        share: &mut ShareGroup,
        objects: &mut Objects,
        emission: &mut Emission,
    ) {
        objects.use_program(self, share, emission, ProgramId::NULL);
        for unit in 0..self.textures.touched {
            self.bind_sampler(unit, SamplerObjectId::NULL, objects);
            for at in 0..TEXTURE_TARGETS {
                let slot = &mut self.textures.units[unit].textures[at];
                objects.release_texture(std::mem::replace(slot, TextureId::NULL), emission);
            }
        }
        let names: Vec<u32> = self
            .framebuffers
            .names
            .iter()
            .map(|(name, _)| name)
            .collect();
        for name in names {
            self.delete_framebuffer(name, objects, emission);
        }
        self.bind_renderbuffer(RenderbufferId::NULL, objects, emission);
        let names: Vec<u32> = self.vertex.names.iter().map(|(name, _)| name).collect();
        for name in names {
            self.delete_vertex_array(name, objects, emission);
        }
        for id in self.held_buffers() {
            self.unbind_buffer(id, objects, emission);
        }
        for query in self.queries.objects.drain(..).flatten() {
            objects.queries.release(query.id);
        }
    }

    /// Buffers that binding points and the bound vertex array hold.
    fn held_buffers(&self) -> Vec<BufferId> {
        let array = self.vertex_array();
        let classes = [
            BufferClass::Uniform,
            BufferClass::ShaderStorage,
            BufferClass::AtomicCounter,
        ];
        let indexed = classes
            .map(IndexedTarget::Class)
            .into_iter()
            .chain([IndexedTarget::TransformFeedback])
            .flat_map(|target| self.buffers.points(target).iter().map(|point| point.buffer));
        let plain: [BufferId; BUFFER_TARGETS] = self.buffers.plain;
        plain
            .into_iter()
            .chain(indexed)
            .chain(array.bindings.iter().map(|point| point.buffer))
            .chain([array.index_buffer])
            .filter(|id| !id.is_null())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::{ContextAttribs, Profile};
    use pipe::{ContextId, Target};
    use std::sync::Arc;

    #[test]
    fn texture_of_a_deleted_name_ends_with_the_context_that_had_it_bound() {
        let (mut objects, mut emission, mut share) = (
            Objects::default(),
            Emission::default(),
            ShareGroup::default(),
        );
        let attribs = ContextAttribs {
            profile: Profile::Core,
            version: (3, 3),
            forward_compatible: false,
            debug: false,
            no_error: false,
            robust_access: false,
            lose_context_on_reset: false,
        };
        let caps = Arc::new(crate::framebuffer_status::tests::caps());
        let mut ctx = Context::new(ContextId::new(1, 1), attribs, caps);
        let id = objects.create_texture(1, Target::Texture2D, &mut emission);
        emission.texture(id).pending.created = true;
        ctx.bind_texture(3, Target::Texture2D, id, &mut objects, &mut emission);
        // Another context of the group deletes the name.
        objects.release_texture(id, &mut emission);
        assert!(objects.textures.get(id).is_some());
        ctx.let_go(&mut share, &mut objects, &mut emission);
        assert!(objects.textures.get(id).is_none());
        assert_eq!(emission.dead_resources, [id.into()]);
    }
}
