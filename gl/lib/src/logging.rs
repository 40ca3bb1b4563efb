//! Log lines of the library: warnings and errors to standard error, unless the process has a subscriber of its own.

use std::fmt::Write as _;
use tracing::Event;
use tracing::field::{Field, Visit};
#[cfg(not(feature = "tracy"))]
use tracing::{
    Level, Metadata, Subscriber,
    span::{Attributes, Id, Record},
};

#[cfg(not(feature = "tracy"))]
struct Stderr;

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        // Writing to a string cannot fail.
        let _ = if field.name() == "message" {
            write!(self.0, " {value:?}")
        } else {
            write!(self.0, " {}={value:?}", field.name())
        };
    }
}

/// Writes one line to standard error.
pub fn say(event: &Event<'_>) {
    let mut line = Line(String::new());
    event.record(&mut line);
    eprintln!(
        "MobileGL: {}:{}",
        event.metadata().level().as_str().to_lowercase(),
        line.0
    );
}

#[cfg(not(feature = "tracy"))]
impl Subscriber for Stderr {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= Level::WARN
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        say(event);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Installs it once.
pub fn install() {
    // Whoever was first keeps the place.
    #[cfg(not(feature = "tracy"))]
    let _ = tracing::subscriber::set_global_default(Stderr);
    #[cfg(feature = "tracy")]
    crate::tracy::install();
}
