//! Sampler objects. The CSO that carries one is addressed by content, so this has no pipe handle.

use crate::texture::SamplerParams;
use pipe::{Handle, HandleKind, RawHandle};

/// Names a sampler object on this side only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SamplerObjectId(pub RawHandle);

impl Handle for SamplerObjectId {
    const KIND: HandleKind = HandleKind::Sampler;

    fn from_raw(raw: RawHandle) -> Self {
        Self(raw)
    }

    fn raw(self) -> RawHandle {
        self.0
    }
}

/// A sampler object.
#[derive(Debug)]
pub struct Sampler {
    pub id: SamplerObjectId,
    pub name: u32,
    pub params: SamplerParams,
    /// Moves with every change.
    pub serial: u64,
    pub refs: u32,
    pub label: Option<String>,
}
