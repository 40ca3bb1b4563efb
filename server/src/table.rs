//! Which handles are alive, by kind and slot. It knows no descriptions; those are the executor's.

use crate::fatal::Why;
use pipe::field::Found;
use pipe::{CALLS, Call, FramebufferId, HandleKind, MAX_SLOTS, RawHandle};

/// What a call does to the life of the first handle of its payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// The handle lives from here on.
    Begins,
    /// The handle is not named again.
    Ends,
    /// The call names living objects only, or null.
    Uses,
}

impl Lifetime {
    /// By the catalogue's naming: `create_*`, `*_create`; `delete_*`, `*_destroy`.
    pub const fn of(call: Call) -> Self {
        LIFETIMES[call as usize]
    }
}

const LIFETIMES: [Lifetime; CALLS.len()] = {
    let mut table = [Lifetime::Uses; CALLS.len()];
    let (mut i, mut begins, mut ends) = (0, 0, 0);
    while i < CALLS.len() {
        let name = CALLS[i].name.as_bytes();
        if starts(name, b"create_") || finishes(name, b"_create") {
            table[i] = Lifetime::Begins;
            begins += 1;
        } else if starts(name, b"delete_") || finishes(name, b"_destroy") {
            table[i] = Lifetime::Ends;
            ends += 1;
        }
        i += 1;
    }
    assert!(begins == ends, "every object that begins can end");
    table
};

const fn starts(name: &[u8], with: &[u8]) -> bool {
    let mut i = 0;
    while i < with.len() {
        if i >= name.len() || name[i] != with[i] {
            return false;
        }
        i += 1;
    }
    true
}

const fn finishes(name: &[u8], with: &[u8]) -> bool {
    name.len() >= with.len() && starts(name.split_at(name.len() - with.len()).1, with)
}

/// Host memory that one slot may cost on this side, over all tables: the largest row is a render state.
pub(crate) const ROW_BYTES: u64 = 2048;
const _: () = assert!(std::mem::size_of::<pipe::RenderState>() as u64 + 256 <= ROW_BYTES);

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// 0: free. The null handle's slot is never taken.
    generation: u32,
    /// Bytes charged for it.
    bytes: u64,
}

/// The handles of a session.
#[derive(Debug, Default)]
pub struct ObjectTable {
    /// By [`HandleKind`] discriminant.
    kinds: [Vec<Slot>; KINDS],
}

const KINDS: usize = HandleKind::Surface as usize + 1;

impl ObjectTable {
    /// Whether a handle may be named: null, or alive with its generation. Identities without a create call are bounded only.
    pub fn check(&self, (kind, raw): Found) -> Result<(), Why> {
        let kind = kind.ok_or(Why::NoKind)?;
        if raw.is_null() {
            return Ok(());
        }
        bounded(kind, raw)?;
        let alive = match kind {
            // Their contents travel in `set_*` calls; the identity keys memos on this side.
            HandleKind::Framebuffer => raw.slot != 0 || raw == FramebufferId::DEFAULT.0,
            HandleKind::StreamOutput => raw.slot != 0,
            HandleKind::Buffer
            | HandleKind::Texture
            | HandleKind::Renderbuffer
            | HandleKind::RenderState
            | HandleKind::VertexElements
            | HandleKind::Sampler
            | HandleKind::SamplerView
            | HandleKind::Shader
            | HandleKind::Fence
            | HandleKind::Query
            | HandleKind::Context
            | HandleKind::Surface => self.slot(kind, raw).is_some(),
        };
        if alive {
            Ok(())
        } else {
            Err(not_alive(kind, raw))
        }
    }

    /// Whether a handle may begin, and how many slots its table grows by.
    pub fn may_begin(&self, (kind, raw): Found) -> Result<u64, Why> {
        let kind = kind.ok_or(Why::NoKind)?;
        if raw.slot == 0 || raw.generation == 0 {
            return Err(Why::Null(kind));
        }
        bounded(kind, raw)?;
        let slots = &self.kinds[kind as usize];
        match slots.get(raw.slot as usize) {
            Some(slot) if slot.generation != 0 => Err(Why::AlreadyAlive {
                kind,
                slot: raw.slot,
            }),
            Some(_) => Ok(0),
            None => Ok(u64::from(raw.slot) + 1 - slots.len() as u64),
        }
    }

    /// Marks a handle alive that [`Self::may_begin`] let through.
    pub fn begin(&mut self, kind: HandleKind, raw: RawHandle, bytes: u64) {
        let slots = &mut self.kinds[kind as usize];
        let index = raw.slot as usize;
        if slots.len() <= index {
            slots.resize(index + 1, Slot::default());
        }
        slots[index] = Slot {
            generation: raw.generation,
            bytes,
        };
    }

    /// Bytes charged for a living handle; null and dead ones are refused.
    pub fn bytes(&self, (kind, raw): Found) -> Result<u64, Why> {
        let kind = kind.ok_or(Why::NoKind)?;
        if raw.is_null() {
            return Err(Why::Null(kind));
        }
        let slot = self.slot(kind, raw).ok_or_else(|| not_alive(kind, raw))?;
        Ok(slot.bytes)
    }

    /// Charges a living handle anew.
    pub fn set_bytes(&mut self, kind: HandleKind, raw: RawHandle, bytes: u64) {
        if let Some(slot) = self.kinds[kind as usize].get_mut(raw.slot as usize) {
            slot.bytes = bytes;
        }
    }

    /// Marks a handle dead that [`Self::bytes`] found.
    pub fn end(&mut self, kind: HandleKind, raw: RawHandle) {
        if let Some(slot) = self.kinds[kind as usize].get_mut(raw.slot as usize) {
            *slot = Slot::default();
        }
    }

    fn slot(&self, kind: HandleKind, raw: RawHandle) -> Option<&Slot> {
        let slot = self.kinds[kind as usize].get(raw.slot as usize)?;
        (slot.generation != 0 && slot.generation == raw.generation).then_some(slot)
    }
}

fn bounded(kind: HandleKind, raw: RawHandle) -> Result<(), Why> {
    if raw.slot < MAX_SLOTS {
        return Ok(());
    }
    Err(Why::SlotTooHigh {
        kind,
        slot: raw.slot,
    })
}

fn not_alive(kind: HandleKind, raw: RawHandle) -> Why {
    Why::NotAlive {
        kind,
        slot: raw.slot,
        generation: raw.generation,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_kinds_of_objects_begin_and_end_by_the_catalogues_names() {
        let of = |lifetime| {
            let calls = CALLS
                .iter()
                .filter(|row| Lifetime::of(row.call) == lifetime);
            calls.map(|row| row.name).collect::<Vec<_>>()
        };
        assert_eq!(
            of(Lifetime::Begins),
            [
                "resource_create",
                "fence_create",
                "query_create",
                "create_render_state",
                "create_vertex_elements",
                "create_sampler",
                "create_sampler_view",
                "create_shader"
            ]
        );
        assert_eq!(
            of(Lifetime::Ends),
            [
                "resource_destroy",
                "fence_destroy",
                "query_destroy",
                "delete_render_state",
                "delete_vertex_elements",
                "delete_sampler",
                "delete_sampler_view",
                "delete_shader"
            ]
        );
    }
}
