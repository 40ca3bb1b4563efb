//! What the Tracy profiler is shown: zones from the spans, a mark at the end of each frame, and the counters as plots. It must not
//! be in a build that is handed out, and says nothing that the counters do not.

use crate::logging;
use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_tracy::client::{Client, PlotName};

/// The log lines, beside the profiler.
struct Stderr;

impl<S: Subscriber> Layer<S> for Stderr {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        logging::say(event);
    }
}

/// Starts the profiler's client, once, and gives it the spans.
pub fn install() {
    static STARTED: LazyLock<()> = LazyLock::new(|| {
        Client::start();
        let subscriber = tracing_subscriber::registry()
            .with(tracing_tracy::TracyLayer::default().with_filter(LevelFilter::DEBUG))
            .with(Stderr.with_filter(LevelFilter::WARN));
        // Whoever was first keeps the place.
        let _ = tracing::subscriber::set_global_default(subscriber);
    });
    LazyLock::force(&STARTED);
}

/// A frame of some context ended.
pub fn frame_ended() {
    if let Some(client) = Client::running() {
        client.frame_mark();
    }
}

/// A plot by its counter, and where that stood at the last frame.
static PLOTS: Mutex<BTreeMap<&'static str, (PlotName, u64)>> = Mutex::new(BTreeMap::new());

/// What each counter grew by since the last frame. The profiler keeps a name for ever, and there are as many as counters.
pub fn plot(counters: impl Iterator<Item = (&'static str, u64)>) {
    let Some(client) = Client::running() else {
        return;
    };
    let mut plots = PLOTS.lock().unwrap_or_else(PoisonError::into_inner);
    for (name, now) in counters {
        let fresh = || (PlotName::new_leak(name.to_owned()), 0);
        let (plot, before) = plots.entry(name).or_insert_with(fresh);
        client.plot(*plot, now.saturating_sub(*before) as f64);
        *before = now;
    }
}
