//! What a command works on: the current context with everything it may touch, for the length of one call.
//! It holds no state of its own.

use crate::EntryPoint;
use crate::session::{self, ContextRecord, Session};
use crate::source::{Prepared, ResourceOp, StateSource, Stream};
use crate::steady::Steady;
use gl_state::client_memory::ClientMemory;
use gl_state::{Context, Emission, Objects, ShareGroup, View};
use pipe::{BufferId, PipeEvent, Submit, TextureId};
use pipe_inputs::VerbClass;
use std::sync::atomic::{AtomicU64, Ordering};

pub use gl_state::GlError;

/// Errors that were recorded in this process.
static ERRORS: AtomicU64 = AtomicU64::new(0);

/// GL errors that were generated since the process started, over all contexts.
pub fn errors() -> u64 {
    ERRORS.load(Ordering::Relaxed)
}

/// The current context and what it shares, borrowed for one command.
pub struct Cx<'a> {
    pub ctx: &'a mut Context,
    pub share: &'a mut ShareGroup,
    pub objects: &'a mut Objects,
    pub emission: &'a mut Emission,
    pub source: &'a mut dyn StateSource,
    pub steady: &'a mut Steady,
    pub pipe: &'a mut dyn Stream,
    /// Application memory that the verb in progress may read.
    pub memory: &'a mut ClientMemory,
    /// A swap was the last verb: windows may have another size.
    pub frame_begins: &'a mut bool,
    pub entry: EntryPoint,
    /// Errors recorded during this command: one at most.
    pub errors: u32,
}

impl Cx<'_> {
    /// Records an error: the sticky flag, and a KHR_debug message that names the call and the rule.
    pub fn record_error(&mut self, error: GlError) {
        self.errors += 1;
        ERRORS.fetch_add(1, Ordering::Relaxed);
        // KHR_no_error: of such a context glGetError answers that memory ran out, and nothing else.
        if !self.ctx.no_error || error.code == gl_enums::GL_OUT_OF_MEMORY {
            self.ctx.error.record(error.code);
        }
        // `missing` passes a whole predicate, checks pass a rule.
        let text = if error.what.starts_with("is not") {
            format!("{} {}", self.entry.name(), error.what)
        } else {
            format!("{}({})", self.entry.name(), error.what)
        };
        tracing::debug!(code = error.code, "{text}");
        // GL 4.6 §20.1: source API, type ERROR, severity HIGH.
        crate::messages::insert(self.ctx, 0x8246, 0x824C, error.code, 0x9146, text);
    }

    /// What sources of state see.
    pub fn view(&self) -> View<'_> {
        View {
            ctx: self.ctx,
            objects: self.objects,
        }
    }

    /// Brings the executing side up to date for a verb; the mask that the verb's record carries.
    #[inline]
    pub fn prepare(&mut self, class: VerbClass) -> u32 {
        self.ctx.verbs += 1;
        if !self.objects.persistent_maps.is_empty() {
            self.objects.note_persistent_writes(self.emission);
        }
        let stamp = self.view().stamp(self.emission.serial);
        match self.steady.groups(class, stamp) {
            Some(groups) => groups,
            None => self.prepare_moved(class, stamp),
        }
    }

    /// Something moved since the last verb of this class.
    #[inline(never)]
    fn prepare_moved(&mut self, class: VerbClass, stamp: u64) -> u32 {
        if std::mem::take(self.frame_begins) {
            self.follow_windows();
        }
        let Prepared { groups, steady } = self.ask(class, TextureId::NULL);
        if steady {
            self.steady.note(class, stamp, groups.0);
        }
        groups.0
    }

    /// As [`Self::prepare`], for an operation on one texture.
    pub fn prepare_for(&mut self, class: VerbClass, texture: TextureId) -> u32 {
        self.ctx.verbs += 1;
        if !self.objects.persistent_maps.is_empty() {
            self.objects.note_persistent_writes(self.emission);
        }
        self.ask(class, texture).groups.0
    }

    fn ask(&mut self, class: VerbClass, texture: TextureId) -> Prepared {
        let view = View {
            ctx: self.ctx,
            objects: self.objects,
        };
        self.source
            .prepare(class, texture, view, self.emission, self.pipe)
    }

    /// A frame ended: the source may change its ways here.
    pub fn end_frame(&mut self) {
        let view = View {
            ctx: self.ctx,
            objects: self.objects,
        };
        self.source.frame_boundary(view);
        self.steady.forget();
    }

    /// Reports an object operation that GL performs at call time.
    pub fn resource_op(&mut self, op: ResourceOp) {
        let view = View {
            ctx: self.ctx,
            objects: self.objects,
        };
        self.source.resource_op(op, view, self.emission, self.pipe);
    }

    /// Objects may have ended: whoever owns them may tell it now.
    #[inline]
    pub fn settle_deaths(&mut self) {
        if !self.emission.dead_resources.is_empty() || !self.emission.dead_shaders.is_empty() {
            self.resource_op(ResourceOp::ObjectsDied);
        }
    }

    /// Ends a verb: drains what the executing side had to say. Every command that called the pipe ends with it.
    #[inline]
    pub fn finish_verb(&mut self, submit: Submit) {
        self.memory.clear();
        match submit {
            Submit::Done => {}
            // No backend of this build drops texels that only the client has; one that does must be answered here.
            Submit::Park(pull) => {
                let what = format!("a texture pull of {:?} was not answered", pull.texture);
                self.record_error(GlError::with(gl_enums::GL_OUT_OF_MEMORY, what));
            }
        }
        if !self.pipe.events().is_empty() {
            self.drain_events();
        }
    }

    #[cold]
    fn drain_events(&mut self) {
        let events: Vec<_> = self.pipe.events().drain().collect();
        for event in events {
            match event {
                PipeEvent::GlError { code, what } => {
                    if code == gl_enums::GL_CONTEXT_LOST {
                        self.ctx.lost = true;
                    }
                    if self.errors == 0 {
                        self.record_error(GlError::with(code, what));
                    }
                }
                PipeEvent::GpuWritten { buffer, .. } => {
                    let generations = &mut self.objects.generations;
                    if let Some(buffer) = self.objects.buffers.get_mut(buffer) {
                        buffer.mark_gpu_written(generations);
                    }
                }
                PipeEvent::BufferWriteback {
                    buffer,
                    offset_bytes,
                    bytes,
                } => self.write_back(buffer, offset_bytes, &bytes),
                PipeEvent::TextureWriteback { texture, .. }
                | PipeEvent::MipLevelsGenerated { texture, .. } => {
                    // The client asked for the levels' storage itself; their texels stay the executing side's.
                    tracing::trace!(?texture, "texture changed on the executing side");
                }
                PipeEvent::TexturePullRequest(pull) => {
                    tracing::error!(?pull, "texture pull outside a verb")
                }
                PipeEvent::SurfaceChanged {
                    surface,
                    width,
                    height,
                } => {
                    // The driver's view of a window may be a frame old; the window system's is not.
                    let (width, height) =
                        crate::window_size::now(surface).unwrap_or((width, height));
                    self.resize_drawable(surface, width, height);
                }
                PipeEvent::CapsInvalidated => {
                    self.ctx.caps = self.pipe.get_caps(&pipe::Empty { _pad: 0 })
                }
                PipeEvent::Log { level, text } => {
                    crate::messages::backend_line(self.ctx, level, text);
                }
                PipeEvent::XfbScatterReady { .. } => tracing::error!("a scatter without a capture"),
            }
        }
    }

    fn write_back(&mut self, buffer: BufferId, offset_bytes: u64, bytes: &[u8]) {
        if let Some(buffer) = self.objects.buffers.get_mut(buffer) {
            let start = offset_bytes as usize;
            if let Some(target) = buffer.bytes.get_mut(start..start + bytes.len()) {
                target.copy_from_slice(bytes);
            }
        }
    }
}

/// Calls `f` with the current context of this thread; `None` without one. Debug callbacks run after `f`, when nothing is borrowed.
#[inline]
pub fn with_current<R>(entry: EntryPoint, f: impl FnOnce(&mut Cx<'_>) -> R) -> Option<R> {
    session::enter(|session: &mut Session, record: &mut ContextRecord| {
        let Session {
            objects,
            emission,
            pipe,
            memory,
            share_groups,
            ..
        } = session;
        let share = share_groups[record.share]
            .as_mut()
            .expect("a living context keeps its share group");
        let mut cx = Cx {
            ctx: &mut record.ctx,
            share,
            objects,
            emission,
            source: &mut *record.source,
            steady: &mut record.steady,
            pipe: &mut **pipe,
            memory,
            frame_begins: &mut record.frame_begins,
            entry,
            errors: 0,
        };
        f(&mut cx)
    })
}
