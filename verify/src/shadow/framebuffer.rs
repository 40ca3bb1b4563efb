//! Reference of framebuffer state. Completeness and image facts are gl-state's own, which every arm shares, without its memo. See [`super`].

use gl_state::View;
use gl_state::framebuffer::{Drawable, Framebuffer, Image};
use gl_state::framebuffer_status::status;
use pipe::{Format, FramebufferState, ReadSurfaces, Surface, SurfaceKind};

fn attached(view: View<'_>, image: Image) -> Surface {
    let mut surface = Surface::NONE;
    if let Some(facts) = image.facts(view.objects) {
        surface.format = facts.format;
        match image {
            Image::None => {}
            Image::Renderbuffer(id) => {
                surface.kind = SurfaceKind::Renderbuffer;
                surface.resource = id.into();
            }
            Image::Texture {
                texture,
                level,
                layer,
                layered,
            } => {
                surface.kind = SurfaceKind::Texture;
                surface.resource = texture.into();
                surface.level = level as u16;
                if layered {
                    surface.layered = 1;
                    surface.layers = facts.layers as u16;
                } else {
                    surface.layer = layer;
                }
            }
        }
    }
    surface
}

/// Colour, depth and stencil buffers of a drawable.
fn of_drawable(drawable: &Drawable) -> [Surface; 3] {
    let surface = |format: Format, exists: bool| {
        let mut surface = Surface::NONE;
        if exists {
            surface.kind = SurfaceKind::Default;
            surface.format = format;
        }
        surface
    };
    let pair = drawable.depth_stencil;
    [
        surface(drawable.color, drawable.color != Format::None),
        surface(pair, pair != Format::None && pair.info().depth_bits > 0),
        surface(pair, pair != Format::None && pair.info().stencil_bits > 0),
    ]
}

fn read(view: View<'_>) -> ReadSurfaces {
    let ctx = view.ctx;
    let fb: &Framebuffer = ctx.read_framebuffer();
    let mut read = ReadSurfaces::NONE;
    if fb.name == 0 {
        read.is_default = 1;
        if let Some(drawable) = ctx.framebuffers.read_drawable {
            let [color, depth, stencil] = of_drawable(&drawable);
            if fb.read_buffer == Some(0) {
                read.color = color;
            }
            (read.depth, read.stencil) = (depth, stencil);
            (read.width, read.height) = (drawable.width, drawable.height);
            if drawable.samples > 1 {
                read.samples = drawable.samples as u16;
            }
            read.complete = 1;
        }
        return read;
    }
    let facts = ctx.derive_framebuffer_facts(ctx.framebuffers.read, view.objects);
    if let Some(index) = fb.read_buffer {
        read.color = attached(view, fb.color[index as usize]);
    }
    read.depth = attached(view, fb.depth);
    read.stencil = attached(view, fb.stencil);
    read.width = facts.width;
    read.height = facts.height;
    read.samples = facts.samples as u16;
    if facts.status == status::COMPLETE {
        read.complete = 1;
    }
    read
}

/// Draw framebuffer and read surfaces, hashed.
pub fn framebuffer(view: View<'_>) -> FramebufferState {
    let ctx = view.ctx;
    let fb = ctx.draw_framebuffer();
    let facts = ctx.derive_framebuffer_facts(ctx.framebuffers.draw, view.objects);
    let mut state = FramebufferState::NONE;
    state.id = fb.id;
    for (output, buffer) in fb.draw_buffers.iter().enumerate() {
        if let Some(index) = buffer {
            state.draw_buffers[output] = *index as i8;
        }
    }
    if fb.name == 0 {
        state.is_default = 1;
        if let Some(drawable) = ctx.framebuffers.draw_drawable {
            [state.color[0], state.depth, state.stencil] = of_drawable(&drawable);
        }
    } else {
        state.color = fb.color.map(|image| attached(view, image));
        state.depth = attached(view, fb.depth);
        state.stencil = attached(view, fb.stencil);
    }
    state.width = facts.width;
    state.height = facts.height;
    state.layers = facts.layers as u16;
    state.samples = facts.samples as u16;
    state.fixed_sample_locations = u8::from(facts.fixed_sample_locations);
    if facts.status == status::COMPLETE {
        state.complete = 1;
    }
    state.read = read(view);
    state.hashed()
}
