//! The older keying of twins: a hash map by the frontend object's lifetime id, cleaned by polling. A reference arm only:
//! it must not share code with [`crate::SlotTable`], whose faults it exists to show.
//!
//! A lifetime id is never used twice, so a reused slot cannot reach an old twin by construction. What the pipe calls
//! "destroy" only marks the object as dead; its twin stays until a collection finds it, as it did when the registry could
//! only ask whether a frontend object was still alive.

use crate::twins::Twins;
use pipe::RawHandle;
use rustc_hash::FxHashMap;

/// Calls of `collect` (frames) between two walks over the map: the interval of the registry that this stands for.
const COLLECT_INTERVAL: u32 = 60;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Identity {
    Lifetime(u64),
    /// Kinds whose descriptors carry no lifetime id (CSOs, fences, queries).
    Handle(RawHandle),
    /// The fault that the older keying was prone to.
    Slot(u32),
}

#[derive(Debug)]
pub struct IdentityTable<T> {
    /// Which object a handle means: the lookup that the frontend's pointer used to be.
    objects: FxHashMap<RawHandle, Identity>,
    twins: FxHashMap<Identity, Entry<T>>,
    until_collection: u32,
    by_address: bool,
}

#[derive(Debug)]
struct Entry<T> {
    handle: RawHandle,
    alive: bool,
    /// Keyed by address: the twin is that of the object before, and is held to be this one's, as it should be.
    inherited: bool,
    twin: T,
}

impl<T> Default for IdentityTable<T> {
    fn default() -> Self {
        Self {
            objects: FxHashMap::default(),
            twins: FxHashMap::default(),
            until_collection: COLLECT_INTERVAL,
            by_address: false,
        }
    }
}

impl<T> IdentityTable<T> {
    /// A table that takes a reused slot for the object that had it.
    pub fn keyed_by_address() -> Self {
        Self {
            by_address: true,
            ..Self::default()
        }
    }

    fn identity(&self, handle: RawHandle, lifetime: u64) -> Identity {
        match lifetime {
            _ if self.by_address => Identity::Slot(handle.slot),
            0 => Identity::Handle(handle),
            lifetime => Identity::Lifetime(lifetime),
        }
    }
}

impl<T> Twins<T> for IdentityTable<T> {
    fn insert(&mut self, handle: RawHandle, lifetime: u64, twin: T) -> Option<T> {
        let identity = self.identity(handle, lifetime);
        self.objects.insert(handle, identity);
        if self.by_address
            && let Some(old) = self.twins.get_mut(&identity)
        {
            old.inherited |= old.handle != handle;
            (old.handle, old.alive) = (handle, true);
            return Some(twin);
        }
        self.twins
            .insert(
                identity,
                Entry {
                    handle,
                    alive: true,
                    inherited: false,
                    twin,
                },
            )
            .map(|old| old.twin)
    }

    fn get(&self, handle: RawHandle) -> Option<&T> {
        let entry = self.twins.get(self.objects.get(&handle)?)?;
        entry.alive.then_some(&entry.twin)
    }

    fn get_mut(&mut self, handle: RawHandle) -> Option<&mut T> {
        let entry = self.twins.get_mut(self.objects.get(&handle)?)?;
        entry.alive.then_some(&mut entry.twin)
    }

    /// Never answers at once.
    fn remove(&mut self, handle: RawHandle) -> Option<T> {
        if let Some(entry) = self
            .objects
            .remove(&handle)
            .and_then(|identity| self.twins.get_mut(&identity))
        {
            entry.alive = false;
        }
        None
    }

    fn take(&mut self, handle: RawHandle) -> Option<T> {
        let identity = *self.objects.get(&handle)?;
        if self
            .twins
            .get(&identity)
            .is_some_and(|entry| entry.inherited)
        {
            return None;
        }
        self.objects.remove(&handle);
        self.twins.remove(&identity).map(|entry| entry.twin)
    }

    fn collect(&mut self, dead: &mut Vec<T>) {
        self.until_collection -= 1;
        if self.until_collection != 0 {
            return;
        }
        self.until_collection = COLLECT_INTERVAL;
        dead.extend(
            self.twins
                .extract_if(|_, entry| !entry.alive)
                .map(|(_, entry)| entry.twin),
        );
    }

    fn iter<'a>(&'a self) -> impl Iterator<Item = (RawHandle, &'a T)>
    where
        T: 'a,
    {
        self.twins
            .values()
            .filter(|entry| entry.alive)
            .map(|entry| (entry.handle, &entry.twin))
    }

    fn drain(&mut self) -> Vec<T> {
        self.objects.clear();
        self.twins.drain().map(|(_, entry)| entry.twin).collect()
    }
}
