//! Storage and contents: walks what the verb reaches and drains what is pending of it. It never looks at what no verb reaches.

use crate::{Job, LegacyPull};
use gl_state::drain::{self, Step};
use gl_state::drain_texture;
use pipe::{BufferId, HandleKind, RenderbufferId, ResourceOnly, TextureId};
use pipe_inputs::{Group, GroupMask, VERB_CLASSES};
use verify::shadow;

const BUFFERS: u8 = 4;
const FRAMEBUFFER: u8 = 6;
const TEXTURES: u8 = 7;

/// Versions of the last walk over renderbuffers, by verb class.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    renderbuffers: [[u64; 2]; VERB_CLASSES.len()],
}

impl Job<'_> {
    fn step(out: &mut crate::Out<'_>, bit: u8, step: Step<'_>) {
        match step {
            Step::Create(desc) => out.at(bit).resource_create(&desc),
            Step::Respecify(desc) => out.at(bit).resource_respecify(&desc),
            Step::SubData(head, regions, bytes) => {
                out.at(bit).resource_subdata(&head, regions, bytes);
            }
            Step::Params(params) => out.at(bit).set_texture_params(&params),
        }
    }

    pub(crate) fn tell_buffer(&mut self, id: BufferId) {
        if let Some(buffer) = self.view.objects.buffers.get(id) {
            let out = &mut self.out;
            drain::buffer(self.emission, buffer, |step| Self::step(out, BUFFERS, step));
        }
    }

    /// Owners of views come first: [`shadow::textures`] lists them so, operations at call time do not.
    pub(crate) fn tell_texture(&mut self, id: TextureId) {
        if let Some(texture) = self.view.objects.textures.get(id) {
            if !texture.view_of.is_null() {
                self.tell_texture(texture.view_of);
            }
            let out = &mut self.out;
            drain_texture::texture(self.emission, texture, |step| {
                Self::step(out, TEXTURES, step);
            });
        }
    }

    pub(crate) fn tell_renderbuffer(&mut self, id: RenderbufferId) {
        if let Some(object) = self.view.objects.renderbuffers.get(id) {
            let out = &mut self.out;
            drain::renderbuffer(self.emission, object, |step| {
                Self::step(out, FRAMEBUFFER, step);
            });
        }
    }

    /// Tells the ends of resources of one kind.
    pub(crate) fn bury(&mut self, kind: HandleKind, bit: u8) {
        if self.emission.dead_resources.is_empty() {
            return;
        }
        let (mine, others) = std::mem::take(&mut self.emission.dead_resources)
            .into_iter()
            .partition::<Vec<_>, _>(|resource| resource.kind == kind as u32);
        self.emission.dead_resources = others;
        for resource in mine {
            self.out
                .at(bit)
                .resource_destroy(&ResourceOnly { resource });
        }
    }
}

impl LegacyPull {
    pub(crate) fn resources(&mut self, mask: GroupMask, job: &mut Job<'_>) {
        let class = job.class as usize;
        let generations = job.view.ctx.generations;
        if mask.contains(Group::buffers) {
            job.bury(HandleKind::Buffer, BUFFERS);
            *self.reads.of(Group::buffers) += 1;
            if job.emission.has_due_buffers() {
                for id in shadow::buffers(job.view, job.class) {
                    *self.reads.of(Group::buffers) += 1;
                    job.tell_buffer(id);
                }
                job.emission.prune_due_buffers();
            }
        }
        if mask.contains(Group::textures) {
            job.bury(HandleKind::Texture, TEXTURES);
            *self.reads.of(Group::textures) += 1;
            if job.emission.has_due_textures() || !job.texture.is_null() {
                for id in shadow::textures(job.view, job.class, job.texture) {
                    *self.reads.of(Group::textures) += 1;
                    job.tell_texture(id);
                }
            }
        }
        if mask.contains(Group::framebuffer) {
            job.bury(HandleKind::Renderbuffer, FRAMEBUFFER);
            let now = [
                job.view.objects.generations.any_renderbuffer_change,
                generations.any_framebuffer_attachment,
            ];
            *self.reads.of(Group::framebuffer) += 2;
            if self.resources.renderbuffers[class] != now {
                self.resources.renderbuffers[class] = now;
                for id in shadow::renderbuffers(job.view, job.class) {
                    *self.reads.of(Group::framebuffer) += 1;
                    job.tell_renderbuffer(id);
                }
            }
        }
    }
}
