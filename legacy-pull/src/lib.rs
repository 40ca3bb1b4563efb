//! Pull, the older model: at each verb the state is read from the context through verify's shadow functions and told where it
//! differs. An honest baseline: version early-outs keep an unchanged draw at four reads. It knows nothing of the tracker and goes
//! whole when pull is retired.
#![forbid(unsafe_code)]

mod cso;
mod out;
mod reads;
mod residual;
mod resources;
mod state;
mod units;

pub use out::{Calls, Out};
pub use reads::Reads;

use gl_state::{Emission, Generation, Moved, Versions, View};
use pipe::{BufferId, RenderbufferId, TextureId};
use pipe_inputs::{Group, GroupMask, VERB_CLASSES, VerbClass};

/// Works for one verb or one operation at call time.
pub struct Job<'a> {
    pub class: VerbClass,
    /// What a texture operation works on, else null.
    pub texture: TextureId,
    pub view: View<'a>,
    pub emission: &'a mut Emission,
    pub out: Out<'a>,
}

/// What a group is read anew for. Storage and contents are walked whenever anything moved: what a verb reaches may be another thing.
const fn gate(group: Group) -> Moved {
    use Generation::*;
    match group {
        Group::buffers | Group::textures | Group::framebuffer => Moved::ALL,
        Group::render_state => Moved::of(&[render_state]),
        Group::pixel_pack => Moved::of(&[pixel_pack]),
        Group::patch_state => Moved::of(&[patch]),
        Group::attrib_defaults => Moved::of(&[attrib_defaults]),
        Group::vertex_elements | Group::vertex_buffers => Moved::of(&[any_vao_attribute]),
        Group::index_buffer => Moved::of(&[index_buffer]),
        Group::indirect_buffers => Moved::of(&[indirect_bindings]),
        Group::sampler_views | Group::sampler_states => Moved::of(&[
            texture_bindings,
            program,
            any_program_change,
            any_texture_params,
            any_texture_content,
        ]),
        Group::shader_images => Moved::of(&[image_bindings]),
        Group::draw_program | Group::dispatch_program => Moved::of(&[program, any_program_change]),
        Group::uniform_buffers | Group::storage_buffers | Group::atomic_buffers => {
            Moved::of(&[buffer_bindings, any_buffer_change])
        }
        Group::stream_output => Moved::of(&[stream_output, any_buffer_change]),
    }
}

/// The pull arm of one context.
#[derive(Debug, Default)]
pub struct LegacyPull {
    seen: [Option<Versions>; VERB_CLASSES.len()],
    /// Verbs that were looked at closely.
    clock: u64,
    reads: Reads,
    state: state::Told,
    units: units::Told,
    residual: residual::Told,
    resources: resources::Looked,
}

impl LegacyPull {
    /// Opens a verb of this class: four reads say whether anything is to be told of these groups.
    pub fn begin(
        &mut self,
        class: VerbClass,
        texture: TextureId,
        groups: GroupMask,
        view: View<'_>,
        emission: &Emission,
    ) -> bool {
        self.reads.verbs += 1;
        self.reads.versions += 4;
        let moved = match &mut self.seen[class as usize] {
            Some(seen) => seen.advance(view, emission.serial),
            seen @ None => {
                *seen = Some(Versions::of(view, emission.serial));
                Moved::ALL
            }
        };
        // The pack buffer's binding has no generation: a read-back looks whenever some buffer has something to tell.
        let is_open = !texture.is_null()
            || class == VerbClass::Readback && emission.has_due_buffers()
            || moved != Moved::NONE && groups.iter().any(|group| gate(group).meets(moved));
        self.clock += u64::from(is_open);
        is_open
    }

    /// Reads of the context so far.
    pub fn reads(&self) -> Reads {
        self.reads
    }

    /// Tells storage and contents of what the verb reaches, for the groups in `mask`.
    pub fn tell_resources(&mut self, mask: GroupMask, job: &mut Job<'_>) {
        self.resources(mask, job);
    }

    /// Tells state: the groups in `mask` by their own calls, those in `residual` in the residual block.
    pub fn tell_state(&mut self, mask: GroupMask, residual: GroupMask, job: &mut Job<'_>) {
        self.state(mask, job);
        if residual != GroupMask::NONE {
            self.residual(residual, job);
        }
    }

    /// A buffer must be whole before the next call that names it.
    pub fn buffer_needed(&mut self, id: BufferId, job: &mut Job<'_>) {
        job.bury(pipe::HandleKind::Buffer, 4);
        job.tell_buffer(id);
    }

    /// As above, for a texture.
    pub fn texture_needed(&mut self, id: TextureId, job: &mut Job<'_>) {
        job.bury(pipe::HandleKind::Texture, 7);
        job.tell_texture(id);
    }

    /// As above, for a renderbuffer.
    pub fn renderbuffer_needed(&mut self, id: RenderbufferId, job: &mut Job<'_>) {
        job.tell_renderbuffer(id);
    }

    /// A frame ended: views of textures that are gone are dropped at the next verb.
    pub fn frame_boundary(&mut self) {
        self.units.sweep_due = true;
    }

    /// The bitmap changed: all state is told again.
    pub fn forget(&mut self) {
        self.seen = Default::default();
        self.state.forget();
        self.units.forget();
        self.residual = residual::Told::default();
        self.resources = resources::Looked::default();
    }

    /// The context ends: its CSOs go.
    pub fn retire(&mut self, job: &mut Job<'_>) {
        self.state.retire(job);
        self.units.retire(job);
        self.forget();
    }
}
