//! Twins: a backend's own objects, found by the handles of the pipe. Holds no opinion on when a twin may be destroyed.
//!
//! Two implementations of one trait, chosen once at start. [`SlotTable`] is the product: an array and a generation check.
//! `IdentityTable` (feature `identity-table`) is the older keying, kept so that a fault of the new one shows as a difference
//! between two runs of one binary.

#[cfg(feature = "identity-table")]
use crate::identity_table::IdentityTable;
use crate::slot_table::SlotTable;
#[cfg(feature = "identity-table")]
use pipe::HandleKind;
use pipe::{Handle, RawHandle};
use std::fmt;
use std::marker::PhantomData;

/// Which implementation a [`TwinTable`] gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TwinKey {
    /// Slot and generation.
    #[default]
    Slots,
    /// Lifetime id of the frontend object.
    #[cfg(feature = "identity-table")]
    Identity,
    /// Negative control: the slot alone, as if a freed object's address came back before its twin was collected, in the tables of
    /// one kind or (`None`) of all; the others are keyed by slot and generation.
    #[cfg(feature = "identity-table")]
    Address(Option<HandleKind>),
}

/// Storage of twins of one kind. A handle whose generation is not the stored one finds nothing.
pub trait Twins<T> {
    /// Stores a twin. `lifetime` is the descriptor's opaque lifetime id, 0 for kinds that carry none.
    /// Answers the twin that was stored under the same key: the caller retires it.
    fn insert(&mut self, handle: RawHandle, lifetime: u64, twin: T) -> Option<T>;

    /// The twin of a live handle.
    fn get(&self, handle: RawHandle) -> Option<&T>;

    /// The twin of a live handle.
    fn get_mut(&mut self, handle: RawHandle) -> Option<&mut T>;

    /// Ends a handle: it finds nothing from now on. Answers the twin if it can be had at once; else [`Twins::collect`]
    /// yields it later.
    fn remove(&mut self, handle: RawHandle) -> Option<T>;

    /// Moves out the twin of a live handle that lives on: another is inserted under it. `None`: there is none that is this object's.
    fn take(&mut self, handle: RawHandle) -> Option<T>;

    /// Moves out the twins whose handles have ended. Called once a frame; may do nothing on most calls.
    fn collect(&mut self, dead: &mut Vec<T>);

    /// Live twins in no particular order.
    fn iter<'a>(&'a self) -> impl Iterator<Item = (RawHandle, &'a T)>
    where
        T: 'a;

    /// Takes everything out, live or ended: the owner is being destroyed.
    fn drain(&mut self) -> Vec<T>;
}

/// Twins of the kind that `H` names.
pub struct TwinTable<H, T> {
    arm: Arm<T>,
    kind: PhantomData<fn(H)>,
}

enum Arm<T> {
    Slots(SlotTable<T>),
    #[cfg(feature = "identity-table")]
    Identity(IdentityTable<T>),
}

macro_rules! on_arm {
    ($arm:expr, $table:ident => $call:expr) => {
        match $arm {
            Arm::Slots($table) => $call,
            #[cfg(feature = "identity-table")]
            Arm::Identity($table) => $call,
        }
    };
}

impl<H: Handle, T> TwinTable<H, T> {
    pub fn new(key: TwinKey) -> Self {
        let arm = match key {
            TwinKey::Slots => Arm::Slots(SlotTable::default()),
            #[cfg(feature = "identity-table")]
            TwinKey::Identity => Arm::Identity(IdentityTable::default()),
            #[cfg(feature = "identity-table")]
            TwinKey::Address(kind) if kind.is_none_or(|kind| kind == H::KIND) => {
                Arm::Identity(IdentityTable::keyed_by_address())
            }
            #[cfg(feature = "identity-table")]
            TwinKey::Address(_) => Arm::Slots(SlotTable::default()),
        };
        Self {
            arm,
            kind: PhantomData,
        }
    }

    /// [`Twins::insert`] for kinds whose descriptors carry no lifetime id.
    pub fn insert(&mut self, handle: H, twin: T) -> Option<T> {
        self.insert_with_lifetime(handle, 0, twin)
    }

    /// [`Twins::insert`].
    pub fn insert_with_lifetime(&mut self, handle: H, lifetime: u64, twin: T) -> Option<T> {
        on_arm!(&mut self.arm, table => table.insert(handle.raw(), lifetime, twin))
    }

    /// [`Twins::get`].
    #[inline]
    pub fn get(&self, handle: H) -> Option<&T> {
        on_arm!(&self.arm, table => table.get(handle.raw()))
    }

    /// [`Twins::get_mut`].
    #[inline]
    pub fn get_mut(&mut self, handle: H) -> Option<&mut T> {
        on_arm!(&mut self.arm, table => table.get_mut(handle.raw()))
    }

    /// [`Twins::remove`].
    pub fn remove(&mut self, handle: H) -> Option<T> {
        on_arm!(&mut self.arm, table => table.remove(handle.raw()))
    }

    /// [`Twins::take`].
    pub fn take(&mut self, handle: H) -> Option<T> {
        on_arm!(&mut self.arm, table => table.take(handle.raw()))
    }

    /// [`Twins::collect`].
    pub fn collect(&mut self, dead: &mut Vec<T>) {
        on_arm!(&mut self.arm, table => table.collect(dead));
    }

    /// [`Twins::iter`]. Not for the draw path.
    pub fn iter(&self) -> Box<dyn Iterator<Item = (H, &T)> + '_> {
        on_arm!(&self.arm, table => Box::new(table.iter().map(|(raw, twin)| (H::from_raw(raw), twin))))
    }

    /// [`Twins::drain`].
    pub fn drain(&mut self) -> Vec<T> {
        on_arm!(&mut self.arm, table => table.drain())
    }
}

impl<H: Handle, T> fmt::Debug for TwinTable<H, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TwinTable({:?}, {} live)", H::KIND, self.iter().count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pipe::BufferId;
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// All keyings that this build has.
    fn keys() -> Vec<TwinKey> {
        vec![
            TwinKey::Slots,
            #[cfg(feature = "identity-table")]
            TwinKey::Identity,
        ]
    }

    #[test]
    fn get_of_stale_generation_finds_nothing() {
        for key in keys() {
            let mut table = TwinTable::<BufferId, &str>::new(key);
            table.insert_with_lifetime(BufferId::new(3, 1), 70, "first");
            assert_eq!(table.get(BufferId::new(3, 1)), Some(&"first"));
            assert_eq!(table.get(BufferId::new(3, 2)), None);
            assert_eq!(table.get(BufferId::new(2, 1)), None);
            assert_eq!(table.get(BufferId::NULL), None);

            table.remove(BufferId::new(3, 1));
            table.insert_with_lifetime(BufferId::new(3, 2), 71, "second");
            assert_eq!(table.get(BufferId::new(3, 1)), None, "{key:?}");
            assert_eq!(table.get_mut(BufferId::new(3, 2)), Some(&mut "second"));
            assert_eq!(table.remove(BufferId::new(3, 1)), None);
            assert_eq!(
                table.iter().map(|(h, t)| (h, *t)).collect::<Vec<_>>(),
                [(BufferId::new(3, 2), "second")]
            );
        }
    }

    #[test]
    fn removed_twins_come_out_exactly_once() {
        for key in keys() {
            let mut table = TwinTable::<BufferId, u32>::new(key);
            for slot in 1..=100 {
                assert_eq!(
                    table.insert_with_lifetime(BufferId::new(slot, 1), u64::from(slot), slot),
                    None
                );
            }
            let mut dead: Vec<u32> = (1..=50)
                .filter_map(|slot| table.remove(BufferId::new(slot, 1)))
                .collect();
            for _ in 0..1000 {
                table.collect(&mut dead);
            }
            dead.sort_unstable();
            assert_eq!(dead, (1..=50).collect::<Vec<_>>(), "{key:?}");
            let mut rest = table.drain();
            rest.sort_unstable();
            assert_eq!(rest, (51..=100).collect::<Vec<_>>());
            assert_eq!(table.iter().count(), 0);
        }
    }

    #[test]
    #[cfg(feature = "identity-table")]
    fn twins_keyed_by_address_give_a_reused_slot_the_old_twin() {
        let mut table = TwinTable::<BufferId, u32>::new(TwinKey::Address(None));
        let (first, second) = (BufferId::new(1, 1), BufferId::new(1, 2));
        table.insert(first, 1);
        table.remove(first);
        assert_eq!(
            table.insert(second, 2),
            Some(2),
            "the new one is not wanted"
        );
        assert_eq!(table.get(second), Some(&1));
        assert_eq!(table.take(second), None, "it is held to be up to date");
        assert_eq!(table.insert(second, 3), Some(3));
        assert_eq!(table.get(second), Some(&1));
        // Of another kind than the one that is asked for, nothing is lost.
        let key = TwinKey::Address(Some(HandleKind::Texture));
        let mut table = TwinTable::<BufferId, u32>::new(key);
        table.insert(first, 1);
        table.remove(first);
        assert_eq!(table.insert(second, 2), None);
        assert_eq!(table.get(second), Some(&2));
    }

    #[test]
    fn twin_taken_out_makes_room_for_the_next_of_its_handle() {
        for key in keys() {
            let mut table = TwinTable::<BufferId, u32>::new(key);
            let handle = BufferId::new(1, 1);
            table.insert_with_lifetime(handle, 9, 1);
            assert_eq!(table.take(handle), Some(1), "{key:?}");
            assert_eq!(table.take(handle), None);
            assert_eq!(table.insert_with_lifetime(handle, 9, 2), None);
            assert_eq!(table.drain(), [2]);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        /// Any sequence of creates and destroys by a client that reuses slots: both keyings agree with a plain map.
        #[test]
        fn tables_after_any_sequence_agree_with_a_map(ops in prop::collection::vec((1u32..8, any::<bool>()), 0..200)) {
            for key in keys() {
                let mut table = TwinTable::<BufferId, u64>::new(key);
                let mut model: HashMap<u32, (u32, u64)> = HashMap::new();
                let mut generations = [0u32; 8];
                let mut lifetime = 0;
                let mut out = Vec::new();
                for &(slot, create) in &ops {
                    let live = model.get(&slot).copied();
                    match (create, live) {
                        (true, None) => {
                            lifetime += 1;
                            generations[slot as usize] += 1;
                            let handle = BufferId::new(slot, generations[slot as usize]);
                            prop_assert_eq!(table.insert_with_lifetime(handle, lifetime, lifetime), None);
                            model.insert(slot, (handle.generation(), lifetime));
                        }
                        (false, Some((generation, _))) => {
                            out.extend(table.remove(BufferId::new(slot, generation)));
                            model.remove(&slot);
                        }
                        (true, Some(_)) | (false, None) => table.collect(&mut out),
                    }
                    for slot in 1..8 {
                        for generation in 0..=generations[slot as usize] {
                            let expected = model.get(&slot).filter(|m| m.0 == generation).map(|m| &m.1);
                            prop_assert_eq!(table.get(BufferId::new(slot, generation)), expected);
                        }
                    }
                }
                out.extend(table.drain());
                out.sort_unstable();
                prop_assert_eq!(out, (1..=lifetime).collect::<Vec<_>>(), "every twin comes out once");
            }
        }
    }
}
