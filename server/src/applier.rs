//! The applier: records in, calls out, one session. It never panics on a peer's bytes and never applies a record that it has not
//! checked whole; after the first fault it applies nothing.

use crate::budget::{Budget, Used};
use crate::checks;
use crate::dispatch;
use crate::extents::storage_bytes;
use crate::fatal::{Fatal, Why};
use crate::table::{Lifetime, ObjectTable, ROW_BYTES};
use pipe::field::Found;
use pipe::{
    Call, Caps, Class, ContextId, Empty, Handle, HandleKind, PipeContext, PipeError, PipeEvent,
    PipeScreen, PipeSession, RawHandle, SurfaceDesc, SurfaceId, TexturePull, Wait,
};
use pipe_inputs::{Inspect, Told};
use std::sync::Arc;
use wire::{Command, Decoder, Source};

/// How far a stream was applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Applied {
    /// Bytes of the records that were applied.
    pub bytes: usize,
    /// The next record is a verb that lacks texels; the request is among the events. [`Applier::answer`], then the rest again.
    pub parked: Option<TexturePull>,
}

/// What a session has and may.
#[derive(Debug)]
struct Session {
    caps: Arc<Caps>,
    table: ObjectTable,
    budget: Budget,
    used: Used,
}

/// Which way a record came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lane {
    Commands,
    /// Answers to pull requests overtake the commands behind a parked verb.
    Answers,
}

/// Applies one session's records onto a stream.
#[derive(Debug)]
pub struct Applier<S> {
    stream: S,
    session: Session,
    commands: Decoder,
    answers: Decoder,
    parked: Option<TexturePull>,
    dead: Option<Fatal>,
    reply: Vec<u8>,
}

impl<S: PipeScreen + PipeContext + PipeSession + Inspect> Applier<S> {
    /// Takes over a stream on which nothing was done yet.
    pub fn new(mut stream: S, budget: Budget) -> Self {
        let caps = stream.get_caps(&Empty { _pad: 0 });
        Self {
            stream,
            session: Session {
                caps,
                table: ObjectTable::default(),
                budget,
                used: Used::default(),
            },
            commands: Decoder::default(),
            answers: Decoder::default(),
            parked: None,
            dead: None,
            reply: Vec::new(),
        }
    }

    /// What is applied to.
    pub fn stream(&mut self) -> &mut S {
        &mut self.stream
    }

    /// Applies whole records until `source` ends, a verb parks, or the first fault, which is latched. `reply` is called once for
    /// each call that the client waits for.
    pub fn apply(
        &mut self,
        source: &(impl Source + ?Sized),
        reply: &mut dyn FnMut(Call, &[u8]),
    ) -> Result<Applied, Fatal> {
        let mut bytes = 0;
        // Asked once: a peer that moves the end is met by the next call.
        let len = source.len();
        while bytes < len && self.parked.is_none() {
            bytes += self.record(source, bytes, Lane::Commands, reply)?;
        }
        let parked = self.parked;
        Ok(Applied { bytes, parked })
    }

    /// Applies the answer to a pull request while a verb is parked: `resource_subdata` and the `resource_subdata_complete` that ends it.
    /// It travels beside the stream, whose next record is the parked verb.
    pub fn answer(&mut self, source: &(impl Source + ?Sized)) -> Result<(), Fatal> {
        let (mut bytes, len) = (0, source.len());
        while bytes < len {
            bytes += self.record(source, bytes, Lane::Answers, &mut |_, _| ())?;
        }
        Ok(())
    }

    /// One record; its size, or 0 for a verb that parked.
    fn record(
        &mut self,
        source: &(impl Source + ?Sized),
        at: usize,
        lane: Lane,
        reply: &mut dyn FnMut(Call, &[u8]),
    ) -> Result<usize, Fatal> {
        if let Some(fatal) = &self.dead {
            return Err(fatal.clone());
        }
        let decoder = match lane {
            Lane::Commands => &mut self.commands,
            Lane::Answers => &mut self.answers,
        };
        let at_byte = decoder.at_byte();
        let done = match decoder.next(source, at) {
            Ok((command, size)) => {
                let told = self.stream.told();
                let call = command.call();
                lane.admit(&command, &mut self.parked)
                    .and_then(|()| self.session.admit(&command, told))
                    .map(|()| {
                        self.reply.clear();
                        let waits = waits(&command);
                        let pull = dispatch::run(&command, &mut self.stream, &mut self.reply);
                        (call, size, waits, pull)
                    })
                    .map_err(|why| Fatal {
                        at_byte,
                        call: Some(call),
                        why,
                    })
            }
            Err(fault) => Err(fault.into()),
        };
        let (call, size, waits, pull) = match done {
            Ok(done) => done,
            Err(fatal) => {
                self.dead = Some(fatal.clone());
                return Err(fatal);
            }
        };
        if waits {
            // A pull request is in the answer: the client sends the verb again itself.
            reply(call, &self.reply);
        } else if let Some(pull) = pull {
            self.parked = Some(pull);
            self.commands.put_back(size);
            let request = PipeEvent::TexturePullRequest(pull);
            self.stream.events().push(request);
            return Ok(0);
        }
        Ok(size)
    }
}

/// Whether the client waits for this very record.
fn waits(command: &Command<'_>) -> bool {
    match command.call().row().wait {
        Wait::None => false,
        Wait::Reply => true,
        Wait::Ack => {
            matches!(command, Command::resource_respecify { p } if wire::wants_ack(p))
        }
    }
}

impl Lane {
    /// Whether a record may come this way.
    fn admit(self, command: &Command<'_>, parked: &mut Option<TexturePull>) -> Result<(), Why> {
        let Self::Answers = self else {
            return Ok(());
        };
        let Some(pull) = *parked else {
            return Err(Why::NoAnswer);
        };
        match command {
            Command::resource_subdata { p, .. } if p.resource == pull.texture.into() => Ok(()),
            Command::resource_subdata_complete { p }
                if p.texture == pull.texture && p.pull == pull.pull =>
            {
                *parked = None;
                Ok(())
            }
            _ => Err(Why::NoAnswer),
        }
    }
}

impl Session {
    /// Checks a call against the session; what it begins, ends and costs is booked when all of it holds.
    fn admit(&mut self, command: &Command<'_>, told: Told<'_>) -> Result<(), Why> {
        let row = command.call().row();
        if self.caps.calls & (1 << row.opcode) == 0 {
            return Err(Why::NotInCaps);
        }
        let lifetime = Lifetime::of(row.call);
        let (mut subject, mut result) = (None, Ok(()));
        command.each_handle(&mut |found| {
            let is_subject = subject.is_none();
            subject.get_or_insert(found);
            if result.is_ok() && !(is_subject && lifetime == Lifetime::Begins) {
                result = self.table.check(found);
            }
        });
        result?;
        if let (Class::Screen | Class::CtxQuery | Class::CtxObject, Some((kind, raw))) =
            (row.class, subject)
            && raw.is_null()
        {
            return Err(kind.map_or(Why::NoKind, Why::Null));
        }
        checks::check(command, told, &self.budget)?;
        match subject {
            Some(subject) => self.book(command, lifetime, subject),
            None => Ok(()),
        }
    }

    fn book(
        &mut self,
        command: &Command<'_>,
        lifetime: Lifetime,
        subject: Found,
    ) -> Result<(), Why> {
        let kind = subject.0.ok_or(Why::NoKind)?;
        let raw = subject.1;
        match lifetime {
            Lifetime::Begins => {
                let growth = self.table.may_begin(subject)?;
                let bytes = match command {
                    Command::resource_create { p } => storage_bytes(p)?,
                    Command::create_shader { p, archive } => {
                        archive.len() as u64 + u64::from(p.global_constants_bytes)
                    }
                    // Rows of tables are charged by slot.
                    _ => 0,
                };
                let more = bytes.saturating_add(growth * ROW_BYTES);
                self.used = self.used.with(1, more, 0, &self.budget)?;
                self.table.begin(kind, raw, bytes);
            }
            Lifetime::Ends => {
                self.used.bytes -= self.table.bytes(subject)?;
                self.used.objects -= 1;
                self.table.end(kind, raw);
            }
            Lifetime::Uses => {
                if let Command::resource_respecify { p } = command {
                    let (before, bytes) = (self.table.bytes(subject)?, storage_bytes(p)?);
                    self.used = self.used.with(0, bytes, before, &self.budget)?;
                    self.table.set_bytes(kind, raw, bytes);
                }
            }
        }
        Ok(())
    }

    /// Contexts and drawables begin and end by control messages.
    fn begin(&mut self, kind: HandleKind, raw: RawHandle) -> Result<(), Fatal> {
        let begun = self
            .table
            .may_begin((Some(kind), raw))
            .and_then(|growth| self.used.with(1, growth * ROW_BYTES, 0, &self.budget));
        self.used = begun.map_err(control)?;
        self.table.begin(kind, raw, 0);
        Ok(())
    }

    fn end(&mut self, kind: HandleKind, raw: RawHandle) -> Result<(), Fatal> {
        self.table.bytes((Some(kind), raw)).map_err(control)?;
        self.used.objects -= 1;
        self.table.end(kind, raw);
        Ok(())
    }
}

/// A fault in a control message: no record, no place.
fn control(why: Why) -> Fatal {
    Fatal {
        at_byte: 0,
        call: None,
        why,
    }
}

impl<S: PipeScreen + PipeContext + PipeSession + Inspect> Applier<S> {
    /// As [`PipeSession::create_context`]. The outer error ends the session, the inner one is an answer.
    pub fn create_context(&mut self, id: ContextId) -> Result<Result<(), PipeError>, Fatal> {
        self.session.begin(HandleKind::Context, id.raw())?;
        let made = self.stream.create_context(id);
        if made.is_err() {
            self.session.end(HandleKind::Context, id.raw())?;
        }
        Ok(made)
    }

    /// As [`PipeSession::destroy_context`].
    pub fn destroy_context(&mut self, id: ContextId) -> Result<(), Fatal> {
        self.session.end(HandleKind::Context, id.raw())?;
        self.stream.destroy_context(id);
        Ok(())
    }

    /// As [`PipeSession::create_surface`]. The outer error ends the session, the inner one is an answer.
    pub fn create_surface(
        &mut self,
        id: SurfaceId,
        desc: &SurfaceDesc,
    ) -> Result<Result<(), PipeError>, Fatal> {
        self.session.begin(HandleKind::Surface, id.raw())?;
        let made = self.stream.create_surface(id, desc);
        if made.is_err() {
            self.session.end(HandleKind::Surface, id.raw())?;
        }
        Ok(made)
    }

    /// As [`PipeSession::resize_surface`].
    pub fn resize_surface(
        &mut self,
        id: SurfaceId,
        width: u32,
        height: u32,
    ) -> Result<Result<(), PipeError>, Fatal> {
        let found = (Some(HandleKind::Surface), id.raw());
        self.session.table.bytes(found).map_err(control)?;
        Ok(self.stream.resize_surface(id, width, height))
    }

    /// As [`PipeSession::destroy_surface`].
    pub fn destroy_surface(&mut self, id: SurfaceId) -> Result<(), Fatal> {
        self.session.end(HandleKind::Surface, id.raw())?;
        self.stream.destroy_surface(id);
        Ok(())
    }

    /// As [`PipeSession::make_current`]; null handles release.
    pub fn make_current(
        &mut self,
        context: ContextId,
        draw: SurfaceId,
        read: SurfaceId,
    ) -> Result<Result<(), PipeError>, Fatal> {
        for (kind, raw) in [
            (HandleKind::Context, context.raw()),
            (HandleKind::Surface, draw.raw()),
            (HandleKind::Surface, read.raw()),
        ] {
            self.session
                .table
                .check((Some(kind), raw))
                .map_err(control)?;
        }
        Ok(self.stream.make_current(context, draw, read))
    }
}
