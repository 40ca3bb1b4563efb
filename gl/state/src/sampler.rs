//! Sampler objects. The CSO that carries one is addressed by content, so this has no pipe handle.

use crate::bump::bump;
use crate::generations::ObjectGenerations;
use crate::texture::SamplerParams;
use pipe::{Handle, HandleKind, RawHandle, Target};

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

impl SamplerObjectId {
    /// Names nothing.
    pub const NULL: Self = Self(RawHandle::NULL);
}

/// One parameter of a sampler, with its new value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SamplerChange {
    /// S, T, R.
    Wrap(usize, u16),
    MinFilter(u16),
    MagFilter(u16),
    MinLod(f32),
    MaxLod(f32),
    LodBias(f32),
    CompareMode(u16),
    CompareFunc(u16),
    MaxAnisotropy(f32),
    Seamless(bool),
    /// Bits, and which call set them: 0 float, 1 signed, 2 unsigned.
    BorderColor([u32; 4], u32),
}

impl SamplerParams {
    /// Takes the change over; `false`: it was so before.
    pub fn apply(&mut self, change: SamplerChange) -> bool {
        let before = *self;
        match change {
            SamplerChange::Wrap(axis, value) => self.wrap[axis] = value,
            SamplerChange::MinFilter(value) => self.min_filter = value,
            SamplerChange::MagFilter(value) => self.mag_filter = value,
            SamplerChange::MinLod(value) => self.min_lod = value,
            SamplerChange::MaxLod(value) => self.max_lod = value,
            SamplerChange::LodBias(value) => self.lod_bias = value,
            SamplerChange::CompareMode(value) => self.compare_mode = value,
            SamplerChange::CompareFunc(value) => self.compare_func = value,
            SamplerChange::MaxAnisotropy(value) => self.max_anisotropy = value,
            SamplerChange::Seamless(value) => self.seamless = value,
            SamplerChange::BorderColor(bits, form) => {
                (self.border_color, self.border_form) = (bits, form);
            }
        }
        *self != before
    }
}

impl Sampler {
    /// A sampler in its initial state; the name counts as one reference.
    pub fn new(id: SamplerObjectId, name: u32) -> Self {
        Self {
            id,
            name,
            params: SamplerParams::new(Target::Texture2D),
            serial: 1,
            refs: 1,
            label: None,
        }
    }

    /// glSamplerParameter.
    pub fn set_param(&mut self, change: SamplerChange, generations: &mut ObjectGenerations) {
        if self.params.apply(change) {
            bump!("sampler::set_param", self.serial);
            bump!("sampler::set_param", generations.any_texture_params);
        }
    }
}
