//! The reference: what the executing side must have been told before a verb, built from the context alone. No memo, no mutation,
//! and no code in common with the tracker. It is slow and plain on purpose.

mod framebuffer;
mod ranges;
mod reach;
mod units;
mod vertex;

pub use framebuffer::framebuffer;
pub use ranges::{ranges, stream_output};
pub use reach::{buffers, renderbuffers, textures};
pub use units::{Unit, sampler_states, sampler_views, unit, units};
pub use vertex::{index_buffer, indirect_buffers, vertex_buffers, vertex_elements};

use gl_state::View;
use gl_state::program::{Executable, Program};
use pipe::pixels::PixelStore;
use pipe::{AttribValue, BufferClass, ImageView, MAX_VERTEX_ATTRIBS, PatchState, RenderState};
use pipe_inputs::{Group, GroupMask, ProgramValues, Values};

/// The groups of `mask` by value.
pub fn values(view: View<'_>, mask: GroupMask) -> Values {
    let mut v = Values::default();
    for group in mask.iter() {
        match group {
            Group::render_state => v.state = Some(*render_state(view)),
            Group::pixel_pack => v.pack = Some(pixel_pack(view)),
            Group::patch_state => v.patch = Some(patch_state(view)),
            Group::attrib_defaults => v.attrib_defaults = Some(attrib_defaults(view)),
            Group::buffers | Group::textures => {}
            Group::vertex_elements => v.vertex_elements = Some(vertex_elements(view)),
            Group::vertex_buffers => v.vertex_buffers = Some(vertex_buffers(view)),
            Group::index_buffer => v.index_buffer = Some(index_buffer(view)),
            Group::indirect_buffers => v.indirect_buffers = Some(indirect_buffers(view)),
            Group::framebuffer => v.framebuffer = Some(framebuffer(view)),
            Group::sampler_views => v.sampler_views = Some(sampler_views(&units(view))),
            Group::sampler_states => v.sampler_states = Some(sampler_states(&units(view))),
            Group::shader_images => v.shader_images = Some(shader_images(view)),
            Group::draw_program => v.draw_program = Some(program_values(view)),
            Group::dispatch_program => v.dispatch_program = Some(program_values(view)),
            Group::uniform_buffers => v.uniform_buffers = Some(ranges(view, BufferClass::Uniform)),
            Group::storage_buffers => {
                v.storage_buffers = Some(ranges(view, BufferClass::ShaderStorage));
            }
            Group::atomic_buffers => {
                v.atomic_buffers = Some(ranges(view, BufferClass::AtomicCounter));
            }
            Group::stream_output => v.stream_output = Some(stream_output(view)),
        }
    }
    v
}

/// The whole render state.
pub fn render_state(view: View<'_>) -> &RenderState {
    view.ctx.render_state.values()
}

/// Pack parameters.
pub fn pixel_pack(view: View<'_>) -> PixelStore {
    view.ctx.pixel_store.pack
}

/// Patch parameters.
pub fn patch_state(view: View<'_>) -> PatchState {
    view.ctx.patch
}

/// Current attribute values.
pub fn attrib_defaults(view: View<'_>) -> [AttribValue; MAX_VERTEX_ATTRIBS] {
    view.ctx.vertex.current
}

/// Image units: no context has any yet.
pub fn shader_images(_: View<'_>) -> Vec<ImageView> {
    Vec::new()
}

/// The program in use.
pub fn program(view: View<'_>) -> Option<&Program> {
    view.objects.programs.get(view.ctx.program)
}

/// What it runs.
pub fn executable(view: View<'_>) -> Option<&Executable> {
    program(view)?.executable.as_ref()
}

/// The program in use by value.
pub fn program_values(view: View<'_>) -> ProgramValues {
    executable(view).map_or_else(ProgramValues::default, |exe| ProgramValues {
        shader: exe.shader,
        constants: exe.constants.clone(),
        bindings: exe.bindings(),
    })
}
