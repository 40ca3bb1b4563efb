//! Atom of textures: storage, texels and parameters of the textures that the verb reaches. It looks only when something was
//! marked since, or when the verb reaches other textures than before.

use crate::{Job, Tracker};
use gl_state::drain_texture;
use pipe::{HandleKind, TextureId};
use pipe_inputs::VerbClass;

const BIT: u8 = 7;

/// Gates of the last look, by what is reached: the serial of texture marks and the version of the reached set.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    units: [u64; 2],
    framebuffer: [u64; 2],
}

impl Job<'_> {
    /// Brings one texture up to date; what it shows of another texture or of a buffer comes first.
    pub(crate) fn tell_texture(&mut self, id: TextureId) {
        let Some(texture) = self.view.objects.textures.get(id) else {
            return;
        };
        if !texture.view_of.is_null() {
            self.tell_texture(texture.view_of);
        }
        drain_texture::texture(self.emission, texture, |step| {
            Self::step(&mut self.out, BIT, step);
        });
    }

    /// Tells the ends of textures.
    pub(crate) fn bury_textures(&mut self) {
        self.bury(HandleKind::Texture, BIT);
    }
}

/// Whether verbs of this class sample through units.
fn reads_units(class: VerbClass) -> bool {
    match class {
        VerbClass::Draw | VerbClass::Dispatch => true,
        VerbClass::Clear
        | VerbClass::Blit
        | VerbClass::TextureOp
        | VerbClass::Readback
        | VerbClass::StreamOutput
        | VerbClass::Query
        | VerbClass::Flush => false,
    }
}

/// Whether verbs of this class touch attachments.
fn reads_attachments(class: VerbClass) -> bool {
    match class {
        VerbClass::Draw | VerbClass::Clear | VerbClass::Blit | VerbClass::Readback => true,
        VerbClass::Dispatch
        | VerbClass::TextureOp
        | VerbClass::StreamOutput
        | VerbClass::Query
        | VerbClass::Flush => false,
    }
}

impl Tracker {
    pub(crate) fn textures(&mut self, job: &mut Job<'_>) {
        job.bury_textures();
        if !job.texture.is_null() {
            job.tell_texture(job.texture);
        }
        // A fresh bind of something old is the common case: nothing is due, whatever the verb reaches.
        if !job.emission.has_due_textures() {
            return;
        }
        if reads_units(job.class) {
            self.units.reach(job);
            let gate = [job.emission.texture_serial, self.units.reach_version];
            if self.textures.units != gate {
                self.textures.units = gate;
                for reached in &self.units.reached {
                    job.tell_texture(reached.texture);
                }
            }
        }
        if reads_attachments(job.class) {
            self.framebuffer.reach(job.view);
            let gate = [job.emission.texture_serial, self.framebuffer.reach_version];
            if self.textures.framebuffer != gate {
                self.textures.framebuffer = gate;
                for id in &self.framebuffer.textures {
                    job.tell_texture(*id);
                }
            }
        }
    }
}
