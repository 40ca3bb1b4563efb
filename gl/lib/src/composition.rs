//! Puts the parts together: options, backend, session, contexts with their source of state. EGL (and GLX) call it; it knows no handle of theirs.

use crate::arms::Arms;
use crate::backends;
use crate::counting::{self, Counted, Counting};
use crate::x11::{Server, Visual, windows};
use config::{AbResult, Build, Config, PushMask, Sources, VerifyReport};
use gl_entry::session::{self, ContextRecord, ShareIndex};
use gl_entry::source::Stream;
use gl_state::context::ContextAttribs;
use gl_state::framebuffer::Drawable;
use gl_state::{Context, ShareGroup, View};
use pipe::{
    Ability, ContextId, Empty, FenceId, FenceOnly, FenceStatus, FenceWait, PipeError, SurfaceDesc,
    SurfaceId,
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What this build can do. Which bits have two arms, the ledger says; a gate sees both arms of each of them work.
fn build() -> Build {
    let ledger = phases::ledger();
    let implemented = PushMask(ledger.implemented_mask());
    Build {
        pull: cfg!(feature = "pull"),
        verify: cfg!(feature = "verify"),
        faults: cfg!(feature = "faults"),
        implemented,
        // Without the pull arm there is nothing to fall back to: every bit is pushed.
        ledger_mask: match cfg!(feature = "pull") {
            true => PushMask(ledger.default_mask()),
            false => implemented,
        },
    }
}

/// The options, once loaded; changed by tests for contexts to come.
static OPTIONS: Mutex<Option<Config>> = Mutex::new(None);

fn options() -> MutexGuard<'static, Option<Config>> {
    let mut options = OPTIONS.lock().unwrap_or_else(PoisonError::into_inner);
    if options.is_none() {
        match load() {
            Ok(config) => *options = Some(config),
            Err(errors) => {
                // A refused option must never pass as a run with another: the process ends (exit status 2, misuse).
                eprintln!("MobileGL: {errors}");
                // What runs at the end asks for the options.
                drop(options);
                std::process::exit(2);
            }
        }
    }
    options
}

/// The options of this process, or what is wrong with them.
fn load() -> Result<Config, String> {
    let sources = Sources::from_process();
    let loaded = sources
        .load(&build())
        .map_err(|errors| errors.to_string())?;
    for warning in &loaded.warnings {
        eprintln!("MobileGL: {warning}");
    }
    // A run without the fault that was asked for would prove nothing.
    check_fault(&loaded.config.pipe_fault)?;
    Ok(loaded.config)
}

/// Whether every planted fault that a text names exists in this build.
fn check_fault(text: &str) -> Result<(), String> {
    #[cfg(feature = "faults")]
    crate::faults::Plan::parse(text).map_err(|why| format!("MOBILEGL_PIPE_FAULT={text}: {why}"))?;
    let _ = text;
    Ok(())
}

/// The options as they stand.
pub fn config() -> Config {
    options().clone().expect("just loaded")
}

/// Reads the options, if they were ever needed.
pub fn with_options<R>(f: impl FnOnce(&Config) -> R) -> Option<R> {
    OPTIONS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .as_ref()
        .map(f)
}

/// Changes an option for contexts to come.
pub fn set_option(name: &str, value: &str) -> Result<(), String> {
    let mut options = options();
    let config = options.as_mut().expect("just loaded");
    if matches!(name, "pipe_fault" | "MOBILEGL_PIPE_FAULT") {
        check_fault(value)?;
    }
    config
        .change(name, value, &build())
        .map_err(|error| error.to_string())
}

/// An option's text; the push mask is that of the current context where there is one.
pub fn get_option(name: &str) -> Option<String> {
    if matches!(name, "pipe_push" | "MOBILEGL_PIPE_PUSH")
        && let Some(mask) = session::enter(|_, record| record.source.mask())
    {
        return Some(format!("{mask:#x}"));
    }
    options().as_ref().and_then(|config| config.text(name))
}

/// The planted fault of the recorder, if the options have one.
#[cfg(feature = "verify")]
fn ear(config: &Config) -> verify::Deafness {
    #[cfg(feature = "faults")]
    if let Ok(plan) = crate::faults::Plan::parse(&config.pipe_fault)
        && let Some(deafness) = plan.ear().and_then(verify::Deafness::parse)
    {
        return deafness;
    }
    let _ = config;
    verify::Deafness::None
}

/// The recording so far, where one is made.
pub fn recording() -> Option<String> {
    #[cfg(feature = "verify")]
    return session::control(|session| {
        let stream: &dyn std::any::Any = &*session.pipe;
        let recorder: &verify::Recorder<dyn Stream> = stream.downcast_ref()?;
        Some(recorder.witness().golden()?.text())
    })?;
    #[cfg(not(feature = "verify"))]
    None
}

/// Opens the session with the backend that the options ask for, once.
pub fn open() -> Result<(), String> {
    if gl_entry::forked::is_child() {
        return Err(
            "a process forked from one that uses OpenGL has none: fork before, or exec".into(),
        );
    }
    crate::logging::install();
    let config = options().clone().expect("just loaded");
    session::open(|| {
        let stream = backends::open(&config)?;
        let stream: Box<dyn Stream> = match config.pipe_stats {
            true => {
                counting::begin(config.pipe_stats_period);
                Box::new(Counted::new(Counting, stream))
            }
            false => stream,
        };
        // Contents are compared as well where verification is on from the start: a recorder mirrors them. It stands outermost, where
        // the arms find it.
        #[cfg(feature = "verify")]
        if config.pipe_verify || !config.pipe_record.is_empty() {
            let mut recording = verify::Recording::for_verification(ear(&config));
            if !config.pipe_record.is_empty() {
                recording.write_down();
            }
            return Ok(Box::new(verify::Recorder::new(recording, stream)) as Box<dyn Stream>);
        }
        Ok::<_, String>(stream)
    })?;
    crate::warm_up::start();
    Ok(())
}

/// Makes a context; its slot.
pub fn create_context(
    attribs: ContextAttribs,
    share_with: Option<usize>,
) -> Result<usize, PipeError> {
    let config = options().clone().expect("just loaded");
    session::control(|session| {
        let caps = session.pipe.get_caps(&Empty { _pad: 0 });
        if attribs.robust_access && !caps.abilities.contains(Ability::ROBUST_ACCESS) {
            let what = "robust buffer access on this driver";
            return Err(PipeError::Unsupported(what.into()));
        }
        let id: ContextId = session.objects.contexts.alloc();
        if let Err(error) = session.pipe.create_context(id) {
            session.objects.contexts.release(id);
            return Err(error);
        }
        let share: ShareIndex = match share_with.and_then(|slot| session.contexts[slot].as_ref()) {
            Some(record) => record.share,
            None => {
                let free = session.share_groups.iter().position(Option::is_none);
                let at = free.unwrap_or(session.share_groups.len());
                if free.is_none() {
                    session.share_groups.push(None);
                }
                session.share_groups[at] = Some(ShareGroup::default());
                at
            }
        };
        session.share_groups[share]
            .as_mut()
            .expect("just made, or a living context's")
            .contexts += 1;
        let slot = id.slot() as usize;
        if slot >= session.contexts.len() {
            session.contexts.resize_with(slot + 1, || None);
        }
        session.contexts[slot] = Some(Box::new(ContextRecord {
            ctx: Context::new(id, attribs, caps),
            share,
            source: Box::new(Arms::new(&config)),
            steady: gl_entry::steady::Steady::default(),
            frame_begins: false,
            draw: SurfaceId::NULL,
            read: SurfaceId::NULL,
            thread: 0,
            destroy_pending: false,
        }));
        Ok(slot)
    })
    .unwrap_or_else(|| Err(PipeError::Unsupported("no backend is open".into())))
}

/// Ends a context that no thread has current.
pub fn destroy_context(slot: usize) {
    session::control(|session| {
        let Some(mut record) = session.contexts.get_mut(slot).and_then(Option::take) else {
            return;
        };
        Totals::remember(&record);
        let id = record.ctx.id;
        let view = View {
            ctx: &record.ctx,
            objects: &session.objects,
        };
        record
            .source
            .retire(view, &mut session.emission, &mut *session.pipe);
        session.pipe.destroy_context(id);
        session.objects.contexts.release(id);
        let share = &mut session.share_groups[record.share];
        let group = share
            .as_mut()
            .expect("a living context keeps its share group");
        let (objects, emission) = (&mut session.objects, &mut session.emission);
        record.ctx.let_go(group, objects, emission);
        group.contexts -= 1;
        if group.contexts == 0 {
            let group = share.take().expect("just there");
            gl_state::context::bury_share_group(group, &mut session.objects, &mut session.emission);
        }
    });
}

/// Makes a drawable.
pub fn create_surface(desc: &SurfaceDesc) -> Result<SurfaceId, PipeError> {
    session::control(|session| {
        let id: SurfaceId = session.objects.surfaces.alloc();
        session.pipe.create_surface(id, desc).inspect_err(|_| {
            session.objects.surfaces.release(id);
        })?;
        Ok(id)
    })
    .unwrap_or_else(|| Err(PipeError::Unsupported("no backend is open".into())))
}

/// Makes a drawable that shows in a window of `server`. The window exists and has the visual and size given.
pub fn create_window_surface(
    server: &Arc<Server>,
    window: u32,
    visual: Visual,
    desc: &SurfaceDesc,
) -> Result<SurfaceId, PipeError> {
    let source = pipe::SurfaceSource::X11Window {
        window,
        visual: visual.id,
        depth: visual.depth,
    };
    let id = create_surface(&SurfaceDesc { source, ..*desc })?;
    windows::note(id, server, window, (desc.width, desc.height));
    Ok(id)
}

/// Gives a window's drawable the size that the window has now, and returns it. `None`: the window is gone. It is not current.
pub fn follow_window(id: SurfaceId) -> Option<(u32, u32)> {
    let ((width, height), changed) = windows::follow(id)?;
    if changed {
        let resize =
            |session: &mut session::Session| session.pipe.resize_surface(id, width, height);
        if let Some(Err(error)) = session::control(resize) {
            eprintln!("MobileGL: a window of {width}x{height}: {error}");
        }
    }
    Some((width, height))
}

/// Ends a drawable that is current nowhere.
pub fn destroy_surface(id: SurfaceId) {
    windows::forget(id);
    session::control(|session| {
        session.pipe.destroy_surface(id);
        session.objects.surfaces.release(id);
    });
}

/// Slot of the context that is current on this thread.
pub fn current_slot() -> Option<usize> {
    session::current_slot()
}

/// Slots of the contexts that are current on any thread.
pub fn current_slots() -> Vec<usize> {
    let current = |session: &mut session::Session| {
        let contexts = session.contexts.iter().flatten();
        contexts
            .filter(|record| record.thread != 0)
            .map(|record| record.ctx.id.slot() as usize)
            .collect()
    };
    session::control(current).unwrap_or_default()
}

/// Whether another thread has the context current.
pub fn is_current_elsewhere(slot: usize) -> bool {
    let me = session::this_thread();
    let elsewhere = |session: &mut session::Session| {
        session.contexts[slot]
            .as_ref()
            .is_some_and(|record| record.thread != 0 && record.thread != me)
    };
    session::control(elsewhere).unwrap_or(false)
}

/// Drawables of this thread's context.
pub fn current_surfaces() -> Option<(SurfaceId, SurfaceId)> {
    session::enter(|_, record| (record.draw, record.read))
}

/// Makes a context current on this thread, or none.
pub fn make_current(
    slot: Option<usize>,
    draw: Option<Drawable>,
    read: Option<Drawable>,
    first: bool,
) -> Result<(), PipeError> {
    if slot.is_none() && current_slot().is_none() {
        return Ok(());
    }
    // EGL 1.5 §3.7.3: commands of the context that leaves are flushed.
    if current_slot().is_some() && current_slot() != slot {
        flush(false);
    }
    session::make_current(slot, |session| {
        let surface = |drawable: &Option<Drawable>| drawable.map_or(SurfaceId::NULL, |d| d.surface);
        let (draw_id, read_id) = (surface(&draw), surface(&read));
        session.bound = ContextId::NULL;
        let Some(slot) = slot else {
            return session
                .pipe
                .make_current(ContextId::NULL, SurfaceId::NULL, SurfaceId::NULL);
        };
        let record = session.contexts[slot]
            .as_mut()
            .expect("EGL checked that the context exists");
        session.pipe.make_current(record.ctx.id, draw_id, read_id)?;
        session.bound = record.ctx.id;
        (record.draw, record.read) = (draw_id, read_id);
        record.ctx.framebuffers.draw_drawable = draw;
        record.ctx.framebuffers.read_drawable = read;
        record.ctx.generations.any_framebuffer_attachment += 1;
        if first {
            // GL 4.6 §13.8.1 and §17.3.2: viewport and scissor start as the drawable's size.
            let (width, height) = draw.map_or((0, 0), |d| (d.width, d.height));
            let viewport = pipe::render_state::Viewport {
                width: width as f32,
                height: height as f32,
                ..Default::default()
            };
            let scissor = pipe::render_state::WindowRect {
                width: width as i32,
                height: height as i32,
                ..Default::default()
            };
            let state = &mut record.ctx.render_state;
            state.set_dynamic(
                |s| &mut s.viewports.rects,
                [viewport; pipe::render_state::MAX_VIEWPORTS],
            );
            state.set_dynamic(
                |s| &mut s.scissors.rects,
                [scissor; pipe::render_state::MAX_VIEWPORTS],
            );
        }
        Ok(())
    })
}

/// Swaps the draw surface: the frame ends.
pub fn present() {
    gl_entry::commands::present::swap_buffers();
}

/// Sends (and with `wait`, completes) everything so far.
pub fn flush(wait: bool) {
    gl_entry::commands::present::flush_all(wait);
}

/// Completes everything so far.
pub fn finish() {
    flush(true);
}

/// eglSwapInterval.
pub fn set_swap_interval(interval: i32) {
    session::enter(|session, _| {
        session
            .pipe
            .set_swap_interval(&pipe::SwapInterval { interval })
    });
}

/// A fence behind the current context's commands; `None` without a context.
pub fn create_fence() -> Option<FenceId> {
    session::enter(|session, _| {
        let fence = session.objects.syncs.insert(|fence| gl_state::sync::Sync {
            fence,
            signalled: false,
            flushed: false,
            label: None,
        });
        session.pipe.fence_create(&FenceOnly { fence });
        fence
    })
}

/// Waits for a fence.
pub fn wait_fence(fence: FenceId, timeout_ns: u64) -> FenceStatus {
    session::control(|session| session.pipe.fence_wait(&FenceWait { fence, timeout_ns }))
        .unwrap_or(FenceStatus::Failed)
}

/// Ends a fence.
pub fn destroy_fence(fence: FenceId) {
    session::control(|session| {
        session.pipe.fence_destroy(&FenceOnly { fence });
        session.objects.syncs.remove(fence);
    });
}

/// Counters of the current context.
pub fn arm_counters() -> Vec<(u64, u64, u64)> {
    session::enter(|_, record| record.source.arm_counters()).unwrap_or_default()
}

/// Counters over all contexts, for the statistics.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    pub mask: u64,
    pub backend: String,
    pub device: String,
    pub arms: Vec<(u64, u64, u64)>,
    pub verify_differences: u64,
    pub verify_verbs: u64,
    pub verify_first: Option<String>,
    pub reports: Vec<VerifyReport>,
    pub ab: Option<AbResult>,
    /// Verbs of all contexts; reads and verbs of the pull arms.
    pub verbs: u64,
    pub pulled: (u64, u64),
    pub gates: Vec<(&'static str, tracker::GateCounts)>,
    pub csos: Vec<(&'static str, tracker::cache::CsoCounts)>,
}

/// The arms that [`create_context`] put in.
fn arms(record: &ContextRecord) -> Option<&Arms> {
    let source: &dyn std::any::Any = &*record.source;
    source.downcast_ref()
}

/// Of contexts that ended.
static ENDED: Mutex<Option<Totals>> = Mutex::new(None);

impl Totals {
    fn add(&mut self, record: &ContextRecord) {
        let (differences, verbs, first) = record.source.verification();
        self.mask = record.source.mask();
        self.backend = record.ctx.caps.backend.to_owned();
        self.device.clone_from(&record.ctx.caps.device);
        self.verify_differences += differences;
        self.verify_verbs += verbs;
        self.verify_first = self.verify_first.take().or(first);
        self.verbs += record.ctx.verbs;
        if let Some(arms) = arms(record) {
            self.reports.extend(arms.reports());
            self.add_gates(arms);
        }
        if let Some(own) = arms(record).and_then(Arms::alternation) {
            self.ab = Some(match self.ab.take() {
                Some(mut other) if (other.a, other.b) == (own.a, own.b) => {
                    other.flips += own.flips;
                    other.pairs.extend(own.pairs);
                    other.pairs.truncate(AbResult::MOST_PAIRS);
                    other
                }
                Some(_) | None => own,
            });
        }
        for (bit, push, pull) in record.source.arm_counters() {
            match self.arms.iter_mut().find(|row| row.0 == bit) {
                Some(row) => (row.1, row.2) = (row.1 + push, row.2 + pull),
                None => self.arms.push((bit, push, pull)),
            }
        }
    }

    fn add_gates(&mut self, arms: &Arms) {
        let (gates, (reads, verbs)) = arms.gates();
        self.pulled = (self.pulled.0 + reads, self.pulled.1 + verbs);
        for (name, counts) in gates {
            match self.gates.iter_mut().find(|row| row.0 == name) {
                Some((_, all)) => *all += counts,
                None => self.gates.push((name, counts)),
            }
        }
        for (name, counts) in arms.cso_counts() {
            match self.csos.iter_mut().find(|row| row.0 == name) {
                Some((_, all)) => {
                    all.created += counts.created;
                    all.found += counts.found;
                    all.evicted += counts.evicted;
                }
                None => self.csos.push((name, counts)),
            }
        }
    }

    fn remember(record: &ContextRecord) {
        let mut ended = ENDED.lock().unwrap_or_else(PoisonError::into_inner);
        ended.get_or_insert_default().add(record);
    }
}

/// Counters over all contexts, ended and living.
pub fn totals() -> Totals {
    let mut totals = ENDED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
        .unwrap_or_default();
    session::control(|session| {
        for record in session.contexts.iter().flatten() {
            totals.add(record);
        }
    });
    totals
}

#[cfg(test)]
mod tests {
    use super::*;
    use gl_entry::source::Stream;
    use pipe::TextureId;
    use pipe_inputs::VerbClass;

    /// Constant objects that the executing side has.
    fn constant_objects(pipe: &dyn Stream) -> [usize; 4] {
        let objects = pipe.told().objects;
        [
            objects.render_states.iter().count(),
            objects.vertex_elements.iter().count(),
            objects.samplers.iter().count(),
            objects.sampler_views.iter().count(),
        ]
    }

    fn context() -> usize {
        let attribs = ContextAttribs {
            profile: gl_state::Profile::Core,
            version: (3, 3),
            forward_compatible: false,
            debug: false,
            no_error: false,
            robust_access: false,
            lose_context_on_reset: false,
        };
        let slot = create_context(attribs, None).expect("the null backend has contexts");
        make_current(Some(slot), None, None, true).expect("current");
        slot
    }

    /// Tells the current context's state, as a draw does; what the executing side has then.
    fn draw() -> [usize; 4] {
        session::enter(|session, record| {
            let view = View {
                ctx: &record.ctx,
                objects: &session.objects,
            };
            let (emission, pipe) = (&mut session.emission, &mut *session.pipe);
            record
                .source
                .prepare(VerbClass::Draw, TextureId::NULL, view, emission, pipe);
            constant_objects(pipe)
        })
        .expect("a context is current")
    }

    #[test]
    fn contexts_that_come_and_go_leave_no_constant_objects_behind() {
        set_option("backend", "null").expect("it is there");
        open().expect("the null backend opens");
        let keeper = context();
        let alone = draw();
        assert!(
            alone[0] >= 1 && alone[1] >= 1,
            "a draw makes some: {alone:?}"
        );
        let mut masks = vec!["all"];
        if cfg!(feature = "pull") {
            masks.push("0");
        }
        for mask in masks {
            set_option("pipe_push", mask).expect("a mask");
            for turn in 0..100 {
                let slot = context();
                let with = draw();
                assert!(with[0] > alone[0], "mask {mask}, turn {turn}: {with:?}");
                make_current(Some(keeper), None, None, false).expect("current");
                destroy_context(slot);
            }
            assert_eq!(draw(), alone, "mask {mask}");
        }
    }
}
