//! The counters of `MOBILEGL_PIPE_STATS`: what was told, by call and by byte, and what each frame took. Without the option nothing
//! of it stands in any path: the stream has no witness. It counts; it must not change what is told.

use config::{Counters, Period};
use pipe::{CALLS, Call, Resource, SubData};
use pipe_inputs::tee::{self, Arg, Payload, Tee, Witness};
use rustix::time::{ClockId, Timespec, clock_gettime};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A stream with the counters before it.
pub type Counted<S> = Tee<Counting, S>;

/// The witness that counts.
pub struct Counting;

/// Frames of one line; 0: nothing is counted.
static PERIOD: AtomicU32 = AtomicU32::new(0);

/// All of the process: there is one stream.
static COUNTS: Mutex<Counts> = Mutex::new(Counts::new());

fn counts() -> MutexGuard<'static, Counts> {
    COUNTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kinds of bytes, by the names of their counters.
#[derive(Clone, Copy)]
enum Bytes {
    Buffer,
    Texture,
    VertexClient,
    IndexClient,
    UboGlobal,
    PersistentMap,
    Residual,
    RenderState,
    Shader,
}

const BYTES: [&str; 9] = [
    "stage-buffer",
    "stage-texture",
    "stage-vertex-client",
    "stage-index-client",
    "stage-ubo-global",
    "persistent-map-push",
    "residual-value-block",
    "render-state",
    "shader-archive",
];

/// Buckets of a histogram: four to each doubling, from a microsecond on.
const BUCKETS: usize = 96;

struct Counts {
    calls: [u64; CALLS.len()],
    bytes: [u64; BYTES.len()],
    draw_ranges: u64,
    box_uploads: u64,
    rect_uploads: u64,
    rects: u64,
    texture_pulls: u64,
    frames: u64,
    cpu_ns: u64,
    cpu: [u64; BUCKETS],
    wall: [u64; BUCKETS],
    periods: Vec<Period>,
    /// As of the last line.
    said: Said,
    /// When the frame in progress began: thread, its CPU time, the time of day.
    began: Option<(u64, u64, u64)>,
}

#[derive(Clone, Copy, Default)]
struct Said {
    frames: u64,
    draws: u64,
    calls: u64,
    bytes: u64,
    cpu_ns: u64,
}

fn ns(time: Timespec) -> u64 {
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

fn bucket(ns: u64) -> usize {
    let us = (ns as f64 / 1_000.0).max(1.0);
    ((us.log2() * 4.0) as usize).min(BUCKETS - 1)
}

/// Microseconds at which a bucket begins.
fn begins_at(bucket: usize) -> f64 {
    (bucket as f64 / 4.0).exp2()
}

impl Counts {
    const fn new() -> Self {
        Self {
            calls: [0; CALLS.len()],
            bytes: [0; BYTES.len()],
            draw_ranges: 0,
            box_uploads: 0,
            rect_uploads: 0,
            rects: 0,
            texture_pulls: 0,
            frames: 0,
            cpu_ns: 0,
            cpu: [0; BUCKETS],
            wall: [0; BUCKETS],
            periods: Vec::new(),
            said: Said {
                frames: 0,
                draws: 0,
                calls: 0,
                bytes: 0,
                cpu_ns: 0,
            },
            began: None,
        }
    }

    fn now(&self) -> Said {
        Said {
            frames: self.frames,
            draws: self.calls[Call::draw_vbo as usize] + self.draw_ranges,
            calls: self.calls.iter().sum(),
            bytes: self.bytes.iter().sum(),
            cpu_ns: self.cpu_ns,
        }
    }

    /// Every counter that has ever counted, with its sum so far.
    #[cfg(feature = "tracy")]
    fn figures(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let calls = CALLS.iter().map(|row| row.name).zip(self.calls);
        let bytes = BYTES.into_iter().zip(self.bytes);
        let others = [
            ("draws", self.now().draws),
            ("cpu-us", self.cpu_ns / 1_000),
            ("box uploads", self.box_uploads),
            ("rect uploads", self.rect_uploads),
            ("rects", self.rects),
            ("texture pulls", self.texture_pulls),
        ];
        let all = others.into_iter().chain(bytes).chain(calls);
        all.filter(|(_, sum)| *sum != 0)
    }

    fn add(&mut self, kind: Bytes, bytes: u64) {
        self.bytes[kind as usize] += bytes;
    }

    fn see(&mut self, call: Call, payload: &dyn Payload, args: &[Arg<'_>]) {
        self.calls[call as usize] += 1;
        for arg in args {
            match arg {
                Arg::Bytes(bytes) => self.blob(call, payload, bytes.len() as u64),
                Arg::Regions(regions) => self.regions(payload, regions.len()),
                Arg::Tail(tail) => self.tail(call, tail.count(), tail.host_bytes()),
                Arg::Host(_) | Arg::Reply(_) => {}
            }
        }
    }

    fn blob(&mut self, call: Call, payload: &dyn Payload, bytes: u64) {
        let kind = match call {
            Call::set_global_constants => Bytes::UboGlobal,
            Call::set_residual_value_state => Bytes::Residual,
            Call::resource_flush_range => Bytes::PersistentMap,
            Call::create_shader => Bytes::Shader,
            Call::create_render_state | Call::set_dynamic_state => Bytes::RenderState,
            // Uploads: a call that is appended to the catalogue counts as one until it is named here.
            _ => match tee::payload::<SubData>(payload).map(|head| head.resource.get()) {
                Some(Resource::Texture(_)) => Bytes::Texture,
                Some(Resource::Buffer(_) | Resource::Renderbuffer(_) | Resource::None) | None => {
                    Bytes::Buffer
                }
            },
        };
        self.add(kind, bytes);
    }

    fn regions(&mut self, payload: &dyn Payload, regions: usize) {
        let head = tee::payload::<SubData>(payload).map(|head| head.resource.get());
        if let Some(Resource::Texture(_)) = head {
            match regions {
                0 | 1 => self.box_uploads += 1,
                more => {
                    self.rect_uploads += 1;
                    self.rects += more as u64;
                }
            }
        }
    }

    fn tail(&mut self, call: Call, count: usize, host_bytes: u64) {
        match call {
            Call::draw_vbo if host_bytes != 0 => self.add(Bytes::IndexClient, host_bytes),
            Call::draw_vbo => self.draw_ranges += count as u64,
            _ => self.add(Bytes::VertexClient, host_bytes),
        }
    }

    fn frame_ended(&mut self, period: u64) -> Option<String> {
        let now = (
            gl_entry::session::this_thread(),
            ns(clock_gettime(ClockId::ThreadCPUTime)),
            ns(clock_gettime(ClockId::Monotonic)),
        );
        if let Some((thread, cpu, wall)) = self.began.replace(now) {
            // CPU times of two threads have no difference.
            if thread == now.0 {
                let spent = now.1.saturating_sub(cpu);
                self.cpu_ns += spent;
                self.cpu[bucket(spent)] += 1;
            }
            self.wall[bucket(now.2.saturating_sub(wall))] += 1;
        }
        self.frames += 1;
        self.frames.is_multiple_of(period).then(|| self.line())
    }

    /// The line of the period that ended.
    fn line(&mut self) -> String {
        let (before, now) = (self.said, self.now());
        self.said = now;
        let period = Period {
            frames: now.frames - before.frames,
            draws: now.draws - before.draws,
            calls: now.calls - before.calls,
            bytes: now.bytes - before.bytes,
            cpu_us: (now.cpu_ns - before.cpu_ns) / 1_000,
        };
        if self.periods.len() < Counters::MOST_PERIODS {
            self.periods.push(period);
        }
        let per = |n: u64, of: u64| n as f64 / of.max(1) as f64;
        let mut line = format!(
            "frames {}-{}: {:.1} draws, {:.1} calls ({:.2} a draw), {:.1} KiB, {:.0} us CPU, each a frame",
            before.frames + 1,
            now.frames,
            per(period.draws, period.frames),
            per(period.calls, period.frames),
            per(period.calls, period.draws),
            per(period.bytes, period.frames) / 1024.0,
            per(period.cpu_us, period.frames),
        );
        if self.texture_pulls != 0 {
            // Writing to a string cannot fail.
            let _ = write!(line, "; {} texture pulls so far", self.texture_pulls);
        }
        line
    }
}

impl Witness for Counting {
    fn see(&mut self, call: Call, payload: &dyn Payload, args: &[Arg<'_>]) {
        counts().see(call, payload, args);
    }

    fn parked(&mut self) {
        counts().texture_pulls += 1;
    }
}

/// Counts from now on, with a line every `period` frames.
pub fn begin(period: u32) {
    PERIOD.store(period.max(1), Ordering::Relaxed);
}

/// Whether anything is counted.
#[inline]
pub fn is_on() -> bool {
    PERIOD.load(Ordering::Relaxed) != 0
}

/// A frame of some context ended.
#[inline]
pub fn frame_ended() {
    #[cfg(feature = "tracy")]
    crate::tracy::frame_ended();
    let period = PERIOD.load(Ordering::Relaxed);
    if period != 0 {
        let line = counts().frame_ended(u64::from(period));
        #[cfg(feature = "tracy")]
        crate::tracy::plot(counts().figures());
        if let Some(line) = line {
            eprintln!("MobileGL: {line}");
        }
    }
}

/// Everything so far; `None` where nothing is counted.
pub fn gather() -> Option<Counters> {
    if !is_on() {
        return None;
    }
    let mut counts = counts();
    if counts.said.frames != counts.frames {
        counts.line();
    }
    let histogram = |buckets: &[u64; BUCKETS]| {
        let full = buckets.iter().enumerate().filter(|(_, n)| **n != 0);
        full.map(|(at, n)| (begins_at(at).round() as u64, *n))
            .collect()
    };
    let calls = CALLS.iter().zip(counts.calls);
    let bytes = BYTES.iter().zip(counts.bytes);
    Some(Counters {
        frames: counts.frames,
        draws: counts.now().draws,
        calls: calls
            .filter(|(_, n)| *n != 0)
            .map(|(row, n)| (row.name.to_owned(), n))
            .collect(),
        bytes: bytes
            .filter(|(_, n)| *n != 0)
            .map(|(name, n)| ((*name).to_owned(), n))
            .collect(),
        box_uploads: counts.box_uploads,
        rect_uploads: counts.rect_uploads,
        rects: counts.rects,
        texture_pulls: counts.texture_pulls,
        cpu_us: histogram(&counts.cpu),
        wall_us: histogram(&counts.wall),
        periods: counts.periods.clone(),
        ..Counters::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pipe::{BufferId, GlobalConstants, ShaderId, SubRegion, TextureId};

    fn subdata(resource: pipe::ResourceRef) -> SubData {
        let union_box = pipe::Box3 {
            x: 0,
            y: 0,
            z: 0,
            width: 1,
            height: 1,
            depth: 1,
        };
        SubData {
            resource,
            level: 0,
            source_is_verbatim_level_shadow: 0,
            _pad: 0,
            union_box,
            buffer_offset_bytes: 0,
            buffer_size_bytes: 0,
        }
    }

    #[test]
    fn uploads_are_counted_by_kind_and_shape() {
        let mut counts = Counts::new();
        let bytes: &[u8] = &[0; 12];
        let region = SubRegion {
            dst: subdata(BufferId::new(1, 1).into()).union_box,
            src_offset_bytes: 0,
            src_row_stride_bytes: 0,
            src_slice_stride_bytes: 0,
        };
        let (none, one, two): (&[SubRegion], &[SubRegion], &[SubRegion]) =
            (&[], &[region], &[region, region]);
        let texture = subdata(TextureId::new(1, 1).into());
        let buffer = subdata(BufferId::new(1, 1).into());
        for (head, regions) in [(&buffer, none), (&texture, one), (&texture, two)] {
            counts.see(
                Call::resource_subdata,
                head,
                &[Arg::from(&regions), Arg::from(&bytes)],
            );
        }
        let constants = GlobalConstants {
            shader: ShaderId::new(1, 1),
            version: 1,
            _pad: 0,
        };
        counts.see(Call::set_global_constants, &constants, &[Arg::from(&bytes)]);
        assert_eq!(counts.bytes[Bytes::Buffer as usize], 12);
        assert_eq!(counts.bytes[Bytes::Texture as usize], 24);
        assert_eq!(counts.bytes[Bytes::UboGlobal as usize], 12);
        assert_eq!(
            (counts.box_uploads, counts.rect_uploads, counts.rects),
            (1, 1, 2)
        );
        assert_eq!(counts.calls[Call::resource_subdata as usize], 3);
    }

    #[test]
    fn period_ends_with_a_line_of_what_it_had() {
        let mut counts = Counts::new();
        assert_eq!(counts.frame_ended(2), None);
        let flush = pipe::Flush { groups: 0, wait: 0 };
        counts.see(Call::flush, &flush, &[]);
        let line = counts
            .frame_ended(2)
            .expect("the second frame ends a period");
        assert!(
            line.starts_with("frames 1-2: 0.0 draws, 0.5 calls"),
            "{line}"
        );
        assert_eq!(counts.periods.len(), 1);
    }

    #[test]
    fn histogram_bucket_begins_at_or_below_its_values() {
        for ns in [1_000, 5_400, 16_700_000, 250_000_000] {
            let begins = begins_at(bucket(ns)) * 1_000.0;
            assert!(
                begins <= ns as f64 * 1.001 && ns as f64 <= begins * 1.19,
                "{ns}: {begins}"
            );
        }
    }
}
