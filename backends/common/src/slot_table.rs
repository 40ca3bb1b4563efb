//! Twins in an array indexed by slot, with a generation check: O(1) and no hash. It never shrinks.

use crate::twins::Twins;
use pipe::RawHandle;

pub use pipe::MAX_SLOTS;

#[derive(Debug)]
pub struct SlotTable<T> {
    slots: Vec<Option<Entry<T>>>,
}

#[derive(Debug)]
struct Entry<T> {
    generation: u32,
    twin: T,
}

impl<T> Default for SlotTable<T> {
    fn default() -> Self {
        Self { slots: Vec::new() }
    }
}

impl<T> SlotTable<T> {
    #[inline]
    fn slot_mut(&mut self, handle: RawHandle) -> Option<&mut Option<Entry<T>>> {
        let slot = self.slots.get_mut(handle.slot as usize)?;
        slot.as_ref()
            .is_some_and(|entry| entry.generation == handle.generation)
            .then_some(slot)
    }
}

impl<T> Twins<T> for SlotTable<T> {
    fn insert(&mut self, handle: RawHandle, _lifetime: u64, twin: T) -> Option<T> {
        assert!(
            handle.slot < MAX_SLOTS,
            "the decoder lets no such slot through"
        );
        let index = handle.slot as usize;
        if self.slots.len() <= index {
            // Doubling by `Vec` itself: slots are dense, so growth is rare.
            self.slots.resize_with(index + 1, || None);
        }
        let entry = Entry {
            generation: handle.generation,
            twin,
        };
        self.slots[index].replace(entry).map(|old| old.twin)
    }

    #[inline]
    fn get(&self, handle: RawHandle) -> Option<&T> {
        let entry = self.slots.get(handle.slot as usize)?.as_ref()?;
        (entry.generation == handle.generation).then_some(&entry.twin)
    }

    #[inline]
    fn get_mut(&mut self, handle: RawHandle) -> Option<&mut T> {
        self.slot_mut(handle)?.as_mut().map(|entry| &mut entry.twin)
    }

    fn remove(&mut self, handle: RawHandle) -> Option<T> {
        self.slot_mut(handle)?.take().map(|entry| entry.twin)
    }

    /// Here the same as [`Twins::remove`].
    fn take(&mut self, handle: RawHandle) -> Option<T> {
        self.remove(handle)
    }

    /// Nothing waits here: `remove` answers at once.
    fn collect(&mut self, _dead: &mut Vec<T>) {}

    fn iter<'a>(&'a self) -> impl Iterator<Item = (RawHandle, &'a T)>
    where
        T: 'a,
    {
        self.slots.iter().enumerate().filter_map(|(index, slot)| {
            let entry = slot.as_ref()?;
            Some((
                RawHandle {
                    slot: index as u32,
                    generation: entry.generation,
                },
                &entry.twin,
            ))
        })
    }

    fn drain(&mut self) -> Vec<T> {
        self.slots
            .drain(..)
            .flatten()
            .map(|entry| entry.twin)
            .collect()
    }
}
