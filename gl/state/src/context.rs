//! Contexts, share groups and the session's objects: who owns what. Commands change them; nothing here validates.

use crate::arena::Arena;
use crate::buffer::Buffer;
use crate::buffer_bindings::BufferBindings;
use crate::debug::DebugState;
use crate::draw_facts::DrawMemo;
use crate::error::ErrorFlag;
use crate::framebuffer::{Drawable, Framebuffer, Renderbuffer};
use crate::generations::{ContextGenerations, ObjectGenerations};
use crate::names::Names;
use crate::pixel_store::PixelStoreState;
use crate::program::{Program, ProgramId, Shader, ShaderObjectId, ShaderOrProgram};
use crate::query::QueryState;
use crate::render_state::RenderStateBlock;
use crate::sampler::{Sampler, SamplerObjectId};
use crate::sync::Sync;
use crate::texture::Texture;
use crate::texture_units::TextureUnits;
use crate::transform_feedback::Capture;
use crate::vertex_array::VertexArray;
use pipe::{
    AttribValue, BufferId, Caps, ContextId, FenceId, FramebufferId, MAX_VERTEX_ATTRIBS, PatchState,
    RenderbufferId, ShaderId, SlotAllocator, TextureId,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What kind of context the application asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    Core,
    Compatibility,
}

/// Objects of the session, whichever share group names them: one dense table per kind, as on the executing side.
#[derive(Default)]
pub struct Objects {
    pub buffers: Arena<BufferId, Buffer>,
    pub textures: Arena<TextureId, Texture>,
    pub renderbuffers: Arena<RenderbufferId, Renderbuffer>,
    pub samplers: Arena<SamplerObjectId, Sampler>,
    pub shaders: Arena<ShaderObjectId, Shader>,
    pub programs: Arena<ProgramId, Program>,
    pub syncs: Arena<FenceId, Sync>,
    /// Handles of linked executables.
    pub executables: SlotAllocator<ShaderId>,
    /// Handles of framebuffer objects, which live in their contexts.
    pub framebuffers: SlotAllocator<FramebufferId>,
    pub contexts: SlotAllocator<ContextId>,
    pub surfaces: SlotAllocator<pipe::SurfaceId>,
    pub queries: SlotAllocator<pipe::QueryId>,
    pub generations: ObjectGenerations,
    /// Buffers with a live persistent mapping: their bytes may change, or be looked at, without a call.
    pub persistent_maps: Vec<BufferId>,
    /// Last lifetime id given out.
    pub last_lifetime: u64,
}

impl Objects {
    /// A lifetime id that no object had before.
    pub fn next_lifetime(&mut self) -> u64 {
        self.last_lifetime += 1;
        self.last_lifetime
    }
}

/// Names that contexts share (GL 4.6 chapter 5).
#[derive(Default)]
pub struct ShareGroup {
    pub buffers: Names<BufferId>,
    pub textures: Names<TextureId>,
    pub renderbuffers: Names<RenderbufferId>,
    pub samplers: Names<SamplerObjectId>,
    pub shaders_and_programs: Names<ShaderOrProgram>,
    /// glFenceSync's pointers are fence handles in disguise; these are the living ones.
    pub syncs: Vec<FenceId>,
    /// Default textures (name 0), made at first use; by [`crate::texture_units::target_index`].
    pub default_textures: [TextureId; crate::texture_units::TEXTURE_TARGETS],
    /// Contexts alive in this group.
    pub contexts: u32,
}

/// Index of a vertex array or framebuffer in its context's table.
pub type LocalIndex = u32;

/// Vertex arrays of a context and current attribute values.
#[derive(Debug)]
pub struct VertexState {
    /// Name to index into `arrays`.
    pub names: Names<LocalIndex>,
    /// Index 0: the default object.
    pub arrays: Vec<Option<VertexArray>>,
    /// Indices of `arrays` that are free.
    pub(crate) free: Vec<LocalIndex>,
    pub bound: LocalIndex,
    pub current: [AttribValue; MAX_VERTEX_ATTRIBS],
    /// Client memory that the verb in progress reads per binding point; set by `resolve`, void after the verb.
    pub client_spans: [pipe::HostSpan; MAX_VERTEX_ATTRIBS],
}

/// Framebuffers of a context.
#[derive(Debug)]
pub struct FramebufferState {
    pub names: Names<LocalIndex>,
    /// Index 0: the default framebuffer.
    pub objects: Vec<Option<Framebuffer>>,
    /// Indices of `objects` that are free.
    pub(crate) free: Vec<LocalIndex>,
    pub draw: LocalIndex,
    pub read: LocalIndex,
    /// Current drawables; `None`: surfaceless.
    pub draw_drawable: Option<Drawable>,
    pub read_drawable: Option<Drawable>,
    pub renderbuffer: RenderbufferId,
}

/// One GL context.
pub struct Context {
    pub id: ContextId,
    pub profile: Profile,
    pub version: (u32, u32),
    pub forward_compatible: bool,
    pub debug_context: bool,
    /// KHR_no_error.
    pub no_error: bool,
    /// Asked for with robust buffer access, which every context has where [`pipe::Ability::ROBUST_ACCESS`] is.
    pub robust_access: bool,
    /// GL_LOSE_CONTEXT_ON_RESET rather than GL_NO_RESET_NOTIFICATION.
    pub lose_context_on_reset: bool,
    /// Set once; every command but a few has no effect from then on.
    pub lost: bool,
    pub caps: Arc<Caps>,
    pub error: ErrorFlag,
    pub debug: DebugState,
    pub render_state: RenderStateBlock,
    pub pixel_store: PixelStoreState,
    pub patch: PatchState,
    pub vertex: VertexState,
    pub buffers: BufferBindings,
    pub framebuffers: FramebufferState,
    pub textures: TextureUnits,
    pub queries: QueryState,
    /// Program in use.
    pub program: ProgramId,
    /// Conditional rendering is in progress: whether it renders.
    pub condition: Option<bool>,
    /// The capture that runs.
    pub capture: Option<Capture>,
    pub generations: ContextGenerations,
    /// What draws depend on, remembered while nothing of it moves.
    pub(crate) draw_memo: DrawMemo,
    /// Frames end at presents. `false`: the context never presents, and they end at glFinish, glFlush and reads of pixels.
    pub frames_end_at_present: bool,
    /// Verbs issued, for messages.
    pub verbs: u64,
    /// Frames: presents (or what ends a frame where there is none).
    pub frames: u64,
    /// Labels of sync objects and whatever has no object: by (identifier, name).
    pub labels: FxHashMap<(u32, u32), String>,
}

/// What a context is made from.
#[derive(Clone, Copy, Debug)]
pub struct ContextAttribs {
    pub profile: Profile,
    pub version: (u32, u32),
    pub forward_compatible: bool,
    pub debug: bool,
    pub no_error: bool,
    pub robust_access: bool,
    pub lose_context_on_reset: bool,
}

impl Context {
    /// Initial state (GL 4.6 chapter 23).
    pub fn new(id: ContextId, attribs: ContextAttribs, caps: Arc<Caps>) -> Self {
        Self {
            id,
            profile: attribs.profile,
            version: attribs.version,
            forward_compatible: attribs.forward_compatible,
            debug_context: attribs.debug,
            no_error: attribs.no_error,
            robust_access: attribs.robust_access,
            lose_context_on_reset: attribs.lose_context_on_reset,
            lost: false,
            caps,
            error: ErrorFlag::default(),
            debug: DebugState::new(attribs.debug),
            render_state: RenderStateBlock::default(),
            pixel_store: PixelStoreState::default(),
            patch: PatchState {
                vertices: 3,
                outer: [1.0; 4],
                inner: [1.0; 2],
            },
            vertex: VertexState {
                names: Names::default(),
                arrays: vec![Some(VertexArray::new(0))],
                free: Vec::new(),
                bound: 0,
                current: [AttribValue {
                    bits: [0, 0, 0, 1.0f32.to_bits()],
                    kind: 0,
                }; MAX_VERTEX_ATTRIBS],
                client_spans: [pipe::HostSpan::NONE; MAX_VERTEX_ATTRIBS],
            },
            buffers: BufferBindings::default(),
            framebuffers: FramebufferState {
                names: Names::default(),
                objects: vec![Some(Framebuffer::default_framebuffer())],
                free: Vec::new(),
                draw: 0,
                read: 0,
                draw_drawable: None,
                read_drawable: None,
                renderbuffer: RenderbufferId::NULL,
            },
            textures: TextureUnits::default(),
            queries: QueryState::default(),
            program: ProgramId::NULL,
            condition: None,
            capture: None,
            generations: ContextGenerations::default(),
            draw_memo: DrawMemo::default(),
            frames_end_at_present: false,
            verbs: 0,
            frames: 0,
            labels: FxHashMap::default(),
        }
    }

    /// The bound vertex array.
    pub fn vertex_array(&self) -> &VertexArray {
        self.vertex.arrays[self.vertex.bound as usize]
            .as_ref()
            .expect("the bound vertex array exists")
    }

    /// As [`Self::vertex_array`], to change it.
    pub(crate) fn vertex_array_mut(&mut self) -> &mut VertexArray {
        self.vertex.arrays[self.vertex.bound as usize]
            .as_mut()
            .expect("the bound vertex array exists")
    }

    /// The draw framebuffer.
    pub fn draw_framebuffer(&self) -> &Framebuffer {
        self.framebuffers.objects[self.framebuffers.draw as usize]
            .as_ref()
            .expect("the bound framebuffer exists")
    }

    /// The read framebuffer.
    pub fn read_framebuffer(&self) -> &Framebuffer {
        self.framebuffers.objects[self.framebuffers.read as usize]
            .as_ref()
            .expect("the bound framebuffer exists")
    }
}

/// Ends everything that a share group named, when its last context ends.
pub fn bury_share_group(group: ShareGroup, objects: &mut Objects, emission: &mut crate::Emission) {
    for (_, id) in group.buffers.iter() {
        if objects.buffers.remove(id).is_some() {
            emission.mark_dead(id.into());
        }
    }
    for (_, id) in group.textures.iter() {
        if objects.textures.remove(id).is_some() {
            emission.mark_dead(id.into());
        }
    }
    for id in group
        .default_textures
        .into_iter()
        .filter(|id| !id.is_null())
    {
        if objects.textures.remove(id).is_some() {
            emission.mark_dead(id.into());
        }
    }
    for (_, id) in group.renderbuffers.iter() {
        if objects.renderbuffers.remove(id).is_some() {
            emission.mark_dead(id.into());
        }
    }
    for (_, id) in group.samplers.iter() {
        objects.samplers.remove(id);
    }
    for (_, id) in group.shaders_and_programs.iter() {
        match id {
            ShaderOrProgram::Shader(id) => drop(objects.shaders.remove(id)),
            ShaderOrProgram::Program(id) => {
                let program = objects.programs.remove(id);
                if let Some(executable) = program.and_then(|program| program.executable) {
                    objects.executables.release(executable.shader);
                    emission.mark_dead_shader(executable.shader);
                }
            }
        }
    }
    emission.serial += 1;
}
