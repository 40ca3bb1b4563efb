//! The reverse channel: ten callbacks, as values, in order with the commands that caused them. A backend never calls into the frontend.

use crate::handle::{BufferId, QueryId, SurfaceId, TextureId};
use crate::payload::TexturePull;

/// How serious a log line is. Lines below `Error` may be dropped under pressure, others never.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    Debug,
    Info,
    Warn,
    Error,
}

/// What the executing side has to say.
#[derive(Clone, Debug, PartialEq)]
pub enum PipeEvent {
    /// An error that the frontend could not foresee: GL_OUT_OF_MEMORY or GL_CONTEXT_LOST.
    GlError { code: u32, what: String },
    /// Narrows what the client marked as written by the GPU.
    GpuWritten {
        buffer: BufferId,
        offset_bytes: u64,
        size_bytes: u64,
    },
    /// Bytes that the GPU (or a CPU fall-back) wrote.
    BufferWriteback {
        buffer: BufferId,
        offset_bytes: u64,
        bytes: Vec<u8>,
    },
    /// Texels that a CPU fall-back made, canonical storage, tight.
    TextureWriteback {
        texture: TextureId,
        level: u16,
        layer: u32,
        bytes: Vec<u8>,
    },
    /// The executing side lacks texels; answered by `resource_subdata_complete`.
    TexturePullRequest(TexturePull),
    /// Levels exist now; shape only.
    MipLevelsGenerated {
        texture: TextureId,
        base_level: u16,
        last_level: u16,
    },
    /// A drawable has another size.
    SurfaceChanged {
        surface: SurfaceId,
        width: u32,
        height: u32,
    },
    /// Ask for caps again: they changed.
    CapsInvalidated,
    /// A log line.
    Log { level: LogLevel, text: String },
    /// A captured stream has to be spread over the client's shadow.
    XfbScatterReady { query: QueryId, vertices: u64 },
}

/// Events of one stream, in order.
#[derive(Debug, Default)]
pub struct EventQueue {
    events: Vec<PipeEvent>,
}

impl EventQueue {
    /// Appends an event.
    pub fn push(&mut self, event: PipeEvent) {
        self.events.push(event);
    }

    /// Whether there is nothing to drain: the check on the draw path.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Takes all events.
    pub fn drain(&mut self) -> std::vec::Drain<'_, PipeEvent> {
        self.events.drain(..)
    }
}

/// Failure of a call that answers at once. Everything else is an event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PipeError {
    #[error("out of memory: {0}")]
    OutOfMemory(String),
    #[error("the device is lost: {0}")]
    DeviceLost(String),
    #[error("not supported by this device: {0}")]
    Unsupported(String),
}
