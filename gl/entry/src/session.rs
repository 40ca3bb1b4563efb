//! The session: all contexts of the process and the stream they share; which context is current on which thread; who may run.
//! It knows neither EGL nor any backend: gl/lib opens the stream and hands it in.
//!
//! # Who may run
//!
//! One command stream, so one command at a time. While only one thread has a current context, no lock is taken: the thread marks that
//! it is inside a command and looks at the mode. When a second thread makes a context current, the mode becomes *shared* and every
//! command takes the mutex. The change of mode is an asymmetric Dekker: the changing thread stores the mode, issues a process-wide
//! memory barrier (membarrier(2)) and waits until no other thread is inside a command. Where the kernel has no such barrier the mode
//! is shared from the start.
//!
//! Rules for the unsafe blocks:
//! 1. `SESSION` is only dereferenced by the thread that may run.
//! 2. A thread's `current` pointer is set by `make_current` and cleared before its record is freed; a record is current on one thread at most.

use crate::forked;
use crate::source::{StateSource, Stream};
use crate::steady::Steady;
use gl_state::client_memory::ClientMemory;
use gl_state::{Context, Emission, Objects, ShareGroup};
use pipe::SurfaceId;
use std::cell::{Cell, UnsafeCell};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering, compiler_fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Index of a share group in the session.
pub type ShareIndex = usize;

/// A context with what belongs to it alone.
pub struct ContextRecord {
    pub ctx: Context,
    pub share: ShareIndex,
    pub source: Box<dyn StateSource>,
    /// When the source had nothing more to tell.
    pub steady: Steady,
    /// A swap was its last verb: the next one looks whether its windows have another size.
    pub frame_begins: bool,
    /// Drawables it was last made current with.
    pub draw: SurfaceId,
    pub read: SurfaceId,
    /// Thread it is current on, 0 for none.
    pub thread: u64,
    /// eglDestroyContext was called while it was current.
    pub destroy_pending: bool,
}

/// Everything of the process.
pub struct Session {
    pub objects: Objects,
    pub emission: Emission,
    pub pipe: Box<dyn Stream>,
    pub memory: ClientMemory,
    pub share_groups: Vec<Option<ShareGroup>>,
    /// Whose commands the stream carries: of the last `make_current` or `bind_context`.
    pub bound: pipe::ContextId,
    /// By slot of their [`pipe::ContextId`].
    pub contexts: Vec<Option<Box<ContextRecord>>>,
}

struct SessionCell(UnsafeCell<Option<Box<Session>>>);
// SAFETY: rule 1: only the thread that may run dereferences it.
unsafe impl Sync for SessionCell {}

static SESSION: SessionCell = SessionCell(UnsafeCell::new(None));
/// Held while running in shared mode, and for every control operation.
static RUN: Mutex<()> = Mutex::new(());
/// Whether commands take the mutex.
static SHARED: AtomicBool = AtomicBool::new(false);
/// Threads that have a current context.
static THREADS: AtomicU32 = AtomicU32::new(0);
/// Every thread that ever had a current context and still lives.
static MARKS: Mutex<Vec<Arc<AtomicBool>>> = Mutex::new(Vec::new());

/// What one thread has current.
struct ThreadState {
    current: AtomicPtr<ContextRecord>,
    /// Inside a command that took no lock.
    inside: Arc<AtomicBool>,
    id: u64,
}

/// Number of the next thread.
static NEXT_THREAD: AtomicU32 = AtomicU32::new(1);

/// What every command reads: one thread-local, since finding one costs about 5 ns in a shared library.
struct Local {
    current: Cell<*mut ContextRecord>,
    inside: Cell<*const AtomicBool>,
    /// Debug messages wait for their callbacks ([`crate::messages`]).
    messages_wait: Cell<bool>,
}

thread_local! {
    static LOCAL: Local = const {
        Local {
            current: Cell::new(std::ptr::null_mut()),
            inside: Cell::new(std::ptr::null()),
            messages_wait: Cell::new(false),
        }
    };
    static THREAD: ThreadState = {
        let inside = Arc::new(AtomicBool::new(false));
        MARKS.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&inside));
        ThreadState {
            current: AtomicPtr::new(std::ptr::null_mut()),
            inside,
            id: u64::from(NEXT_THREAD.fetch_add(1, Ordering::Relaxed)),
        }
    };
}

impl Drop for ThreadState {
    fn drop(&mut self) {
        if forked::is_child() {
            return;
        }
        // The thread ends with a context current: it is released as by eglReleaseThread (EGL 1.5 §3.12).
        let record = self.current.load(Ordering::Relaxed);
        if !record.is_null() {
            let _guard = run_lock();
            leave_current(record);
            // A destructor or exit handler behind this one may still call in.
            LOCAL.with(|local| local.current.set(std::ptr::null_mut()));
        }
        let mut marks = MARKS.lock().unwrap_or_else(PoisonError::into_inner);
        marks.retain(|mark| !Arc::ptr_eq(mark, &self.inside));
    }
}

/// In a forked child: nothing is current on its thread any more.
pub(crate) fn abandon() {
    LOCAL.with(|local| local.current.set(std::ptr::null_mut()));
}

fn leave_current(record: *mut ContextRecord) {
    THREADS.fetch_sub(1, Ordering::Relaxed);
    // SAFETY: rule 2: the record was current on this thread, so it lives.
    let record = unsafe { &mut *record };
    record.thread = 0;
}

fn run_lock() -> MutexGuard<'static, ()> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `f` on the session and this thread's current context.
#[inline]
pub fn enter<R>(f: impl FnOnce(&mut Session, &mut ContextRecord) -> R) -> Option<R> {
    LOCAL.with(|local| {
        let record = local.current.get();
        if record.is_null() {
            return None;
        }
        // SAFETY: `inside` was set together with `current` and points into this thread's state, which outlives the call.
        let inside = unsafe { &*local.inside.get() };
        inside.store(true, Ordering::Relaxed);
        // The other side's membarrier makes this order hold between cores as well.
        compiler_fence(Ordering::SeqCst);
        let result = if SHARED.load(Ordering::Acquire) {
            inside.store(false, Ordering::Release);
            let _guard = run_lock();
            run(record, f)
        } else {
            let result = run(record, f);
            inside.store(false, Ordering::Release);
            result
        };
        if local.messages_wait.replace(false) {
            crate::messages::deliver();
        }
        Some(result)
    })
}

/// Debug messages wait on this thread: their callbacks run when the command is over.
pub(crate) fn note_message() {
    LOCAL.with(|local| local.messages_wait.set(true));
}

/// Another thread's context was the stream's last: the executing side is told whose commands follow.
#[cold]
fn bind_again(session: &mut Session, record: &ContextRecord) {
    session.bound = record.ctx.id;
    let (context, draw, read) = (record.ctx.id, record.draw, record.read);
    session.pipe.bind_context(&pipe::BindContext {
        context,
        draw,
        read,
    });
}

#[inline]
fn run<R>(record: *mut ContextRecord, f: impl FnOnce(&mut Session, &mut ContextRecord) -> R) -> R {
    // SAFETY: rule 1: this thread may run.
    let session = unsafe { &mut *SESSION.0.get() };
    let session = session
        .as_deref_mut()
        .expect("a current context has a session");
    // SAFETY: rule 2: current on this thread alone.
    let record = unsafe { &mut *record };
    if session.bound != record.ctx.id {
        bind_again(session, record);
    }
    f(session, record)
}

/// The right to run alone: the mutex, and no other thread inside a command. Dropping it settles the mode.
struct Exclusive {
    _guard: MutexGuard<'static, ()>,
}

impl Exclusive {
    fn acquire() -> Self {
        let guard = run_lock();
        SHARED.store(true, Ordering::SeqCst);
        barrier();
        // At the end of the process this thread's state is gone, and with it its mark.
        let mine = THREAD.try_with(|thread| Arc::clone(&thread.inside)).ok();
        let is_mine =
            |mark: &Arc<AtomicBool>| mine.as_ref().is_some_and(|mine| Arc::ptr_eq(mark, mine));
        let marks = MARKS.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for mark in marks.iter().filter(|mark| !is_mine(mark)) {
            while mark.load(Ordering::Acquire) {
                std::thread::yield_now();
            }
        }
        Self { _guard: guard }
    }

    fn session(&mut self) -> &mut Option<Box<Session>> {
        // SAFETY: rule 1: the mutex is held and no other thread is inside a command; the borrow ends with `self`.
        unsafe { &mut *SESSION.0.get() }
    }
}

impl Drop for Exclusive {
    fn drop(&mut self) {
        // With one thread that has a context nobody else can be inside a command: no lock is needed then.
        SHARED.store(
            THREADS.load(Ordering::Relaxed) > 1 || !barrier_works(),
            Ordering::Release,
        );
    }
}

/// Runs a control operation (EGL, GLX) on the session; `None` before one is opened, and in a forked child.
pub fn control<R>(f: impl FnOnce(&mut Session) -> R) -> Option<R> {
    if forked::is_child() {
        return None;
    }
    Exclusive::acquire().session().as_deref_mut().map(f)
}

/// Opens the session once, with the stream that `open` makes. Not in a forked child.
pub fn open<E>(open: impl FnOnce() -> Result<Box<dyn Stream>, E>) -> Result<(), E> {
    let mut exclusive = Exclusive::acquire();
    let session = exclusive.session();
    if session.is_none() {
        *session = Some(Box::new(Session {
            objects: Objects::default(),
            emission: Emission::default(),
            pipe: open()?,
            memory: ClientMemory::default(),
            share_groups: Vec::new(),
            bound: pipe::ContextId::NULL,
            contexts: Vec::new(),
        }));
        forked::watch();
    }
    Ok(())
}

fn barrier_works() -> bool {
    use std::sync::OnceLock;
    static WORKS: OnceLock<bool> = OnceLock::new();
    *WORKS.get_or_init(|| {
        rustix::thread::membarrier(rustix::thread::MembarrierCommand::RegisterPrivateExpedited)
            .is_ok()
            && rustix::thread::membarrier(rustix::thread::MembarrierCommand::PrivateExpedited)
                .is_ok()
    })
}

fn barrier() {
    if barrier_works() {
        // Registered just above, so it cannot fail.
        let _ = rustix::thread::membarrier(rustix::thread::MembarrierCommand::PrivateExpedited);
    }
}

/// Number of the calling thread, never 0. A thread whose state is gone (it runs exit handlers) has a number of its own.
pub fn this_thread() -> u64 {
    THREAD.try_with(|thread| thread.id).unwrap_or(u64::MAX)
}

/// Slot of the context that is current on this thread.
pub fn current_slot() -> Option<usize> {
    let record = LOCAL.with(|local| local.current.get());
    // SAFETY: rule 2; only the immutable id is read.
    (!record.is_null()).then(|| unsafe { (*record).ctx.id.slot() as usize })
}

/// Makes the context in `slot` current on this thread, or none. The caller has validated; the driver side is bound by `bind`, which
/// runs while this thread may run. On an error nothing has changed.
pub fn make_current<E>(
    slot: Option<usize>,
    bind: impl FnOnce(&mut Session) -> Result<(), E>,
) -> Result<(), E> {
    if forked::is_child() {
        // Nothing is current, and there is no context to make current.
        return Ok(());
    }
    let before = LOCAL.with(|local| local.current.get());
    let mut exclusive = Exclusive::acquire();
    let session = exclusive
        .session()
        .as_deref_mut()
        .expect("EGL opens the session before it makes a context");
    bind(session)?;
    if !before.is_null() {
        leave_current(before);
    }
    let record = slot.map_or(std::ptr::null_mut(), |slot| {
        let record = session.contexts[slot]
            .as_mut()
            .expect("EGL checked that the context exists");
        record.thread = this_thread();
        THREADS.fetch_add(1, Ordering::Relaxed);
        &raw mut **record
    });
    let told = THREAD.try_with(|thread| {
        thread.current.store(record, Ordering::Relaxed);
        LOCAL.with(|local| {
            local.current.set(record);
            local.inside.set(Arc::as_ptr(&thread.inside));
        });
    });
    // Programs release their context from exit handlers, when the thread's state is gone: nothing is current from then on.
    if told.is_err() {
        if !record.is_null() {
            leave_current(record);
        }
        LOCAL.with(|local| local.current.set(std::ptr::null_mut()));
    }
    Ok(())
}
