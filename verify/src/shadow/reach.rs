//! Reference of what a verb can reach: buffers, textures, renderbuffers. See [`super`] for what it must not do.

use gl_state::View;
use gl_state::buffer_bindings::BufferTarget;
use gl_state::framebuffer::Image;
use pipe::{BufferClass, BufferId, RenderbufferId, Target, TextureId};
use pipe_inputs::VerbClass;

/// Buffers that a verb of this class can read or write. A handle may occur twice; null ones do not.
pub fn buffers(view: View<'_>, class: VerbClass) -> Vec<BufferId> {
    let mut reached = Vec::new();
    let ctx = view.ctx;
    let shader_stages = matches!(class, VerbClass::Draw | VerbClass::Dispatch);
    if class == VerbClass::Draw {
        let vertex = super::vertex_buffers(view);
        reached.extend(vertex.iter().map(|binding| binding.buffer));
        reached.push(ctx.vertex_array().index_buffer);
    }
    if shader_stages {
        let indirect = super::indirect_buffers(view);
        reached.extend([indirect.draw, indirect.dispatch, indirect.parameter]);
        for class in [
            BufferClass::Uniform,
            BufferClass::ShaderStorage,
            BufferClass::AtomicCounter,
        ] {
            let bindings = ctx.buffers.indexed(class);
            reached.extend(bindings.iter().map(|binding| binding.buffer));
        }
        for id in textures(view, class, TextureId::NULL) {
            reached.push(view.objects.textures[id].buffer);
        }
    }
    if matches!(class, VerbClass::Draw | VerbClass::StreamOutput) {
        let bindings = ctx.buffers.stream_output();
        reached.extend(bindings.iter().map(|binding| binding.buffer));
    }
    if class == VerbClass::Readback {
        reached.push(ctx.buffers.get(BufferTarget::PixelPack));
    }
    reached.retain(|id| view.objects.buffers.get(*id).is_some());
    reached
}

fn attachments(view: View<'_>) -> impl Iterator<Item = Image> + '_ {
    let bound = [view.ctx.draw_framebuffer(), view.ctx.read_framebuffer()];
    bound.into_iter().flat_map(|fb| {
        fb.color
            .iter()
            .copied()
            .chain([fb.depth, fb.stencil])
            .filter(|image| *image != Image::None)
    })
}

fn has_attachments(class: VerbClass) -> bool {
    matches!(
        class,
        VerbClass::Draw | VerbClass::Clear | VerbClass::Blit | VerbClass::Readback
    )
}

/// Textures that a verb of this class can read or write; owners of views precede them.
pub fn textures(view: View<'_>, class: VerbClass, texture: TextureId) -> Vec<TextureId> {
    let mut named = vec![texture];
    if matches!(class, VerbClass::Draw | VerbClass::Dispatch)
        && let Some(exe) = super::executable(view)
    {
        for (sampler, unit) in exe.artifact.samplers.iter().zip(&exe.sampler_units) {
            if let Some(target) = Target::of_sampler(sampler.gl_type) {
                named.push(view.ctx.textures.texture(*unit as usize, target));
            }
        }
    }
    if has_attachments(class) {
        named.extend(attachments(view).filter_map(|image| match image {
            Image::Texture { texture, .. } => Some(texture),
            Image::None | Image::Renderbuffer(_) => None,
        }));
    }
    let mut reached = Vec::new();
    for id in named {
        if let Some(texture) = view.objects.textures.get(id) {
            if view.objects.textures.get(texture.view_of).is_some() {
                reached.push(texture.view_of);
            }
            reached.push(id);
        }
    }
    reached
}

/// Renderbuffers that a verb of this class can read or write.
pub fn renderbuffers(view: View<'_>, class: VerbClass) -> Vec<RenderbufferId> {
    if !has_attachments(class) {
        return Vec::new();
    }
    attachments(view)
        .filter_map(|image| match image {
            Image::Renderbuffer(id) => Some(id),
            Image::None | Image::Texture { .. } => None,
        })
        .filter(|id| view.objects.renderbuffers.get(*id).is_some())
        .collect()
}
