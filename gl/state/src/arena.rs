//! Objects of one kind by slot. An arena never keeps an object that its handle has been released of.

use pipe::{Handle, SlotAllocator};

/// Objects indexed by the slot of their handle.
#[derive(Debug)]
pub struct Arena<H, T> {
    slots: SlotAllocator<H>,
    items: Vec<Option<T>>,
}

impl<H: Handle, T> Default for Arena<H, T> {
    fn default() -> Self {
        Self {
            slots: SlotAllocator::default(),
            items: Vec::new(),
        }
    }
}

impl<H: Handle, T> Arena<H, T> {
    /// Makes an object under a fresh handle.
    pub fn insert(&mut self, make: impl FnOnce(H) -> T) -> H {
        let handle = self.slots.alloc();
        let slot = handle.raw().slot as usize;
        if slot >= self.items.len() {
            self.items.resize_with(slot + 1, || None);
        }
        self.items[slot] = Some(make(handle));
        handle
    }

    /// The object that `handle` names, unless it is gone.
    pub fn get(&self, handle: H) -> Option<&T> {
        if self.slots.is_alive(handle) {
            self.items[handle.raw().slot as usize].as_ref()
        } else {
            None
        }
    }

    /// As [`Self::get`], to change it.
    pub fn get_mut(&mut self, handle: H) -> Option<&mut T> {
        if self.slots.is_alive(handle) {
            self.items[handle.raw().slot as usize].as_mut()
        } else {
            None
        }
    }

    /// Takes the object out and releases the handle.
    pub fn remove(&mut self, handle: H) -> Option<T> {
        self.slots
            .release(handle)
            .then(|| self.items[handle.raw().slot as usize].take())
            .flatten()
    }

    /// All objects, by slot.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.iter().flatten()
    }
}

impl<H: Handle, T> std::ops::Index<H> for Arena<H, T> {
    type Output = T;

    /// Panics on a handle whose object is gone: state holds counted references only.
    fn index(&self, handle: H) -> &T {
        self.get(handle)
            .expect("a counted reference keeps its object")
    }
}

impl<H: Handle, T> std::ops::IndexMut<H> for Arena<H, T> {
    fn index_mut(&mut self, handle: H) -> &mut T {
        self.get_mut(handle)
            .expect("a counted reference keeps its object")
    }
}
