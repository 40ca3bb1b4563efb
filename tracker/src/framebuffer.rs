//! Atoms of framebuffers: attached renderbuffers, attachments and read surfaces. The state is built anew only when an attachment,
//! a binding or a storage moved, and told only when its content hash did.

use crate::{Job, Tracker};
use gl_state::View;
use gl_state::drain;
use gl_state::framebuffer::{Drawable, Framebuffer, Image};
use gl_state::framebuffer_status::{FramebufferFacts, status};
use pipe::{
    Format, FramebufferState, HandleKind, MAX_COLOR_ATTACHMENTS, ReadSurfaces, RenderbufferId,
    Surface, SurfaceKind, TextureId,
};

const BIT: u8 = 6;

/// What was told last.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// Generations of attachments, renderbuffers and (where a texture is attached) texture storage.
    gate: [u64; 3],
    hash: Option<u64>,
    /// What the state told last refers to.
    pub(crate) textures: Vec<TextureId>,
    renderbuffers: Vec<RenderbufferId>,
    reach_gate: u64,
    /// Moves when `textures` does.
    pub(crate) reach_version: u64,
    emission_gate: [u64; 2],
}

impl Memory {
    pub(crate) fn forget(&mut self) {
        self.gate = [0; 3];
        self.hash = None;
        self.emission_gate = [0; 2];
    }

    /// Collects what both bound framebuffers refer to.
    pub(crate) fn reach(&mut self, view: View<'_>) {
        let gate = view.ctx.generations.any_framebuffer_attachment;
        if self.reach_gate == gate {
            return;
        }
        self.reach_gate = gate;
        self.reach_version += 1;
        self.textures.clear();
        self.renderbuffers.clear();
        for fb in [view.ctx.draw_framebuffer(), view.ctx.read_framebuffer()] {
            for image in fb.color.iter().chain([&fb.depth, &fb.stencil]) {
                match *image {
                    Image::None => {}
                    Image::Texture { texture, .. } => self.textures.push(texture),
                    Image::Renderbuffer(id) => self.renderbuffers.push(id),
                }
            }
        }
    }
}

fn surface(image: Image, view: View<'_>) -> Surface {
    let Some(facts) = image.facts(view.objects) else {
        return Surface::NONE;
    };
    match image {
        Image::None => Surface::NONE,
        Image::Texture {
            texture,
            level,
            layer,
            layered,
        } => Surface {
            resource: texture.into(),
            format: facts.format,
            level: level as u16,
            layer: if layered { 0 } else { layer },
            kind: SurfaceKind::Texture,
            layered: u8::from(layered),
            layers: facts.layers as u16,
        },
        Image::Renderbuffer(id) => Surface {
            resource: id.into(),
            format: facts.format,
            kind: SurfaceKind::Renderbuffer,
            ..Surface::NONE
        },
    }
}

/// A buffer of the default framebuffer; there is none where the configuration has no such format.
fn default_surface(format: Format) -> Surface {
    if format == Format::None {
        return Surface::NONE;
    }
    Surface {
        format,
        kind: SurfaceKind::Default,
        ..Surface::NONE
    }
}

fn default_depth_stencil(drawable: &Drawable) -> (Surface, Surface) {
    let info = drawable.depth_stencil.info();
    let pick = |has: bool| {
        default_surface(if has {
            drawable.depth_stencil
        } else {
            Format::None
        })
    };
    (pick(info.has_depth()), pick(info.has_stencil()))
}

fn is_complete(facts: &FramebufferFacts) -> bool {
    facts.status == status::COMPLETE
}

fn draw_state(view: View<'_>) -> FramebufferState {
    let ctx = view.ctx;
    let fb: &Framebuffer = ctx.draw_framebuffer();
    let facts = ctx.framebuffer_facts(ctx.framebuffers.draw, view.objects);
    let mut state = FramebufferState {
        id: fb.id,
        width: facts.width,
        height: facts.height,
        layers: facts.layers as u16,
        samples: facts.samples as u16,
        fixed_sample_locations: u8::from(facts.fixed_sample_locations),
        is_default: u8::from(fb.name == 0),
        complete: u8::from(is_complete(&facts)),
        ..FramebufferState::NONE
    };
    for (slot, buffer) in state.draw_buffers.iter_mut().zip(&fb.draw_buffers) {
        *slot = buffer.map_or(-1, |index| index as i8);
    }
    if fb.name == 0 {
        if let Some(drawable) = &ctx.framebuffers.draw_drawable {
            state.color[0] = default_surface(drawable.color);
            (state.depth, state.stencil) = default_depth_stencil(drawable);
        }
    } else {
        for i in 0..MAX_COLOR_ATTACHMENTS {
            state.color[i] = surface(fb.color[i], view);
        }
        state.depth = surface(fb.depth, view);
        state.stencil = surface(fb.stencil, view);
    }
    state
}

fn read_surfaces(view: View<'_>) -> ReadSurfaces {
    let ctx = view.ctx;
    let fb = ctx.read_framebuffer();
    let mut read = ReadSurfaces {
        is_default: u8::from(fb.name == 0),
        ..ReadSurfaces::NONE
    };
    if fb.name == 0 {
        // The draw and the read drawable may differ (EGL 1.5 §3.7.3).
        if let Some(drawable) = &ctx.framebuffers.read_drawable {
            if fb.read_buffer.is_some() {
                read.color = default_surface(drawable.color);
            }
            (read.depth, read.stencil) = default_depth_stencil(drawable);
            (read.width, read.height) = (drawable.width, drawable.height);
            read.samples = if drawable.samples > 1 {
                drawable.samples as u16
            } else {
                0
            };
            read.complete = 1;
        }
    } else {
        let facts = ctx.framebuffer_facts(ctx.framebuffers.read, view.objects);
        if let Some(index) = fb.read_buffer {
            read.color = surface(fb.color[usize::from(index)], view);
        }
        read.depth = surface(fb.depth, view);
        read.stencil = surface(fb.stencil, view);
        (read.width, read.height) = (facts.width, facts.height);
        read.samples = facts.samples as u16;
        read.complete = u8::from(is_complete(&facts));
    }
    read
}

impl Job<'_> {
    /// Brings a renderbuffer up to date.
    pub(crate) fn tell_renderbuffer(&mut self, id: RenderbufferId) {
        if let Some(object) = self.view.objects.renderbuffers.get(id) {
            drain::renderbuffer(self.emission, object, |step| {
                Self::step(&mut self.out, BIT, step);
            });
        }
    }
}

impl Tracker {
    pub(crate) fn renderbuffers(&mut self, job: &mut Job<'_>) {
        job.bury(HandleKind::Renderbuffer, BIT);
        let memory = &mut self.framebuffer;
        memory.reach(job.view);
        let gate = [job.emission.serial, memory.reach_version];
        if memory.emission_gate == gate {
            return;
        }
        memory.emission_gate = gate;
        self.gates.opened = true;
        for id in &memory.renderbuffers {
            job.tell_renderbuffer(*id);
        }
    }

    pub(crate) fn framebuffer(&mut self, job: &mut Job<'_>) {
        let view = job.view;
        let memory = &mut self.framebuffer;
        memory.reach(view);
        let objects = &view.objects.generations;
        let gate = [
            view.ctx.generations.any_framebuffer_attachment,
            objects.any_renderbuffer_change,
            // Uploads move this one all the time; only attached textures make it matter.
            if memory.textures.is_empty() {
                0
            } else {
                objects.any_texture_content
            },
        ];
        if memory.gate == gate {
            return;
        }
        memory.gate = gate;
        self.gates.opened = true;
        let mut state = draw_state(view);
        state.read = read_surfaces(view);
        let state = state.hashed();
        if memory.hash != Some(state.content_hash) {
            memory.hash = Some(state.content_hash);
            job.out.at(BIT).set_framebuffer_state(&state);
        }
    }
}
