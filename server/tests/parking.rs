//! A verb that lacks texels: the applier stays before it until the answer overtakes what is behind it.

mod common;

use common::*;
use pipe::*;
use pipe_inputs::{Group, Inspect, Told};
use server::{Budget, Why};
use wire::Emitter;

const PULL: TexturePull = TexturePull {
    texture: TEXTURE,
    levels: 1,
    pull: 77,
};

/// A null executor whose draws park until a pull was answered.
struct Pulling {
    inner: Null,
    answered: bool,
    /// Names of the calls that got through, from the first draw on.
    log: Vec<&'static str>,
}

macro_rules! pulling {
    (@screen [$($out:tt)*]) => { impl PipeScreen for Pulling { $($out)* } };
    (@screen [$($out:tt)*] $(#[$doc:meta])* $op:literal $name:ident : Screen [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        pulling! { @screen [$($out)* fn $name(&mut self, p: &$payload $(, $arg: $ty)*) -> $ret { self.inner.$name(p $(, $arg)*) }] $($rest)* }
    };
    (@screen [$($out:tt)*] $(#[$doc:meta])* $op:literal $name:ident : $class:ident [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        pulling! { @screen [$($out)*] $($rest)* }
    };
    (@context [$($out:tt)*]) => { impl PipeContext for Pulling { $($out)* } };
    (@context [$($out:tt)*] $(#[$doc:meta])* $op:literal $name:ident : Screen [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        pulling! { @context [$($out)*] $($rest)* }
    };
    (@context [$($out:tt)*] $(#[$doc:meta])* $op:literal draw_vbo : $class:ident [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        pulling! { @context [$($out)* fn draw_vbo(&mut self, p: &$payload $(, $arg: $ty)*) -> $ret {
            if !self.answered {
                self.log.push("park");
                return Submit::Park(PULL);
            }
            self.log.push("draw_vbo");
            self.inner.draw_vbo(p $(, $arg)*)
        }] $($rest)* }
    };
    (@context [$($out:tt)*] $(#[$doc:meta])* $op:literal $name:ident : $class:ident [$($flag:ident)*] $wait:ident, $payload:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty; $($rest:tt)*) => {
        pulling! { @context [$($out)* fn $name(&mut self, p: &$payload $(, $arg: $ty)*) -> $ret {
            if !self.log.is_empty() {
                self.log.push(stringify!($name));
            }
            self.answered |= stringify!($name) == "resource_subdata_complete";
            self.inner.$name(p $(, $arg)*)
        }] $($rest)* }
    };
}
macro_rules! screen { ($($rows:tt)*) => { pulling! { @screen [] $($rows)* } }; }
macro_rules! context { ($($rows:tt)*) => { pulling! { @context [] $($rows)* } }; }
pipe_calls!(screen);
pipe_calls!(context);

impl PipeSession for Pulling {
    fn create_context(&mut self, context: ContextId) -> Result<(), PipeError> {
        self.inner.create_context(context)
    }
    fn destroy_context(&mut self, context: ContextId) {
        self.inner.destroy_context(context);
    }
    fn create_surface(&mut self, surface: SurfaceId, desc: &SurfaceDesc) -> Result<(), PipeError> {
        self.inner.create_surface(surface, desc)
    }
    fn resize_surface(&mut self, surface: SurfaceId, w: u32, h: u32) -> Result<(), PipeError> {
        self.inner.resize_surface(surface, w, h)
    }
    fn destroy_surface(&mut self, surface: SurfaceId) {
        self.inner.destroy_surface(surface);
    }
    fn make_current(
        &mut self,
        context: ContextId,
        draw: SurfaceId,
        read: SurfaceId,
    ) -> Result<(), PipeError> {
        self.inner.make_current(context, draw, read)
    }
    fn events(&mut self) -> &mut EventQueue {
        self.inner.events()
    }
}

impl Inspect for Pulling {
    fn told(&self) -> Told<'_> {
        self.inner.told()
    }
    fn set_poison(&mut self, on: bool) {
        self.inner.set_poison(on);
    }
    fn corrupt(&mut self, group: Group) -> bool {
        self.inner.corrupt(group)
    }
}

fn parked() -> Emitter<Local<Pulling>> {
    let stream = Pulling {
        inner: null(),
        answered: false,
        log: Vec::new(),
    };
    let mut emitter = Emitter::new(Local::new(stream, Budget::default()));
    tell(&mut emitter);
    let _ = emitter.draw_vbo(&draw(), &[], &[], &[], Host(&Memory));
    emitter.set_patch_state(&PatchState {
        vertices: 3,
        outer: [1.0; 4],
        inner: [1.0; 2],
    });
    emitter.port().apply(&mut |_, _| ());
    assert_eq!(emitter.port().result, Ok(()));
    assert_eq!(emitter.port().parked, Some(PULL));
    emitter
}

/// Records of an answer, made by an emitter of their own.
fn answer(calls: impl FnOnce(&mut Emitter<Local<Null>>)) -> Vec<u8> {
    let mut emitter = local();
    calls(&mut emitter);
    std::mem::take(&mut emitter.port().pending)
}

fn complete(pull: u32) -> SubDataComplete {
    SubDataComplete {
        texture: TEXTURE,
        pull,
        _pad: 0,
    }
}

#[test]
fn parked_draw_is_applied_after_its_answer_and_before_what_follows_it() {
    let mut emitter = parked();
    let port = emitter.port();
    let events: Vec<_> = port.applier.stream().events().drain().collect();
    assert_eq!(events, [PipeEvent::TexturePullRequest(PULL)]);
    port.apply(&mut |_, _| ());
    assert_eq!(port.parked, Some(PULL), "nothing passes a parked verb");
    let texels = answer(|p| {
        p.resource_subdata(&texels(), &[region(2, 2, 4, 3)], &[7; 48]);
        p.resource_subdata_complete(&complete(77));
    });
    port.applier.answer(texels.as_slice()).expect("an answer");
    port.apply(&mut |_, _| ());
    assert_eq!(
        (&port.result, port.parked, port.pending.len()),
        (&Ok(()), None, 0)
    );
    let log = &port.applier.stream().log;
    let expected = [
        "park",
        "resource_subdata",
        "resource_subdata_complete",
        "draw_vbo",
        "set_patch_state",
    ];
    assert_eq!(log, &expected);
}

#[test]
fn answer_without_any_region_ends_the_parking_too() {
    let mut emitter = parked();
    let port = emitter.port();
    let nothing = answer(|p| p.resource_subdata_complete(&complete(77)));
    port.applier.answer(nothing.as_slice()).expect("an answer");
    port.apply(&mut |_, _| ());
    assert_eq!((port.parked, port.pending.len()), (None, 0));
}

#[test]
fn anything_but_the_answer_beside_the_stream_ends_the_session() {
    let other = SubData {
        resource: BUFFER.into(),
        buffer_size_bytes: 1,
        ..texels()
    };
    let cases = [
        answer(|p| p.resource_subdata_complete(&complete(78))),
        answer(|p| p.resource_subdata(&other, &[], &[0])),
        answer(|p| {
            p.fence_create(&FenceOnly {
                fence: FenceId::new(9, 1),
            })
        }),
        answer(|p| {
            p.resource_subdata_complete(&complete(77));
            p.resource_subdata_complete(&complete(77));
        }),
    ];
    for bytes in cases {
        let mut emitter = parked();
        let fatal = emitter.port().applier.answer(bytes.as_slice());
        assert_eq!(fatal.map_err(|fatal| fatal.why), Err(Why::NoAnswer));
    }
}
