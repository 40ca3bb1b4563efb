//! Constant state objects by content: equal contents are one handle, the least recently used one leaves when there are too many.
//! It never calls the pipe: it says what to create and what to delete.

use pipe::{Handle, SlotAllocator};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The bytes of a description with a null handle: its identity. Hashed with xxh3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Content<const N: usize>(pub [u8; N]);

impl<const N: usize> Content<N> {
    /// Copies exactly `N` bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(
            bytes
                .try_into()
                .expect("the description's own size is its content's"),
        )
    }
}

impl<const N: usize> Hash for Content<N> {
    fn hash<S: std::hash::Hasher>(&self, state: &mut S) {
        state.write_u64(xxhash_rust::xxh3::xxh3_64(&self.0));
    }
}

/// Where a handle stands in a cache: proof against an eviction in between is the handle itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<H> {
    index: u32,
    pub handle: H,
}

#[derive(Debug)]
struct Entry<K, H> {
    key: K,
    handle: H,
    /// Verb that used it last.
    used: u64,
}

/// A cache of one kind.
#[derive(Debug)]
pub struct CsoCache<K, H> {
    entries: Vec<Entry<K, H>>,
    index: FxHashMap<K, u32>,
    cap: usize,
    pub counts: CsoCounts,
}

/// What a cache did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CsoCounts {
    pub created: u64,
    pub found: u64,
    pub evicted: u64,
}

/// What a look-up asks of its caller.
#[derive(Debug, PartialEq, Eq)]
pub enum Lookup<H> {
    /// It exists.
    Found(Place<H>),
    /// Delete the second, if any, then create the first.
    Create(Place<H>, Option<H>),
}

impl<K: Copy + Eq + Hash, H: Handle> CsoCache<K, H> {
    pub fn new(cap: usize) -> Self {
        Self {
            entries: Vec::new(),
            index: FxHashMap::default(),
            cap,
            counts: CsoCounts::default(),
        }
    }

    /// Whether `place` still stands; marks it as used if so.
    #[inline]
    pub fn touch(&mut self, place: Place<H>, verb: u64) -> bool {
        match self.entries.get_mut(place.index as usize) {
            Some(entry) if entry.handle == place.handle => {
                entry.used = verb;
                true
            }
            Some(_) | None => false,
        }
    }

    /// Whether `place` still stands and its content is `bytes`; marks it as used if so.
    #[inline]
    pub fn holds(&mut self, place: Place<H>, verb: u64, is: impl FnOnce(&K) -> bool) -> bool {
        match self.entries.get_mut(place.index as usize) {
            Some(entry) if entry.handle == place.handle && is(&entry.key) => {
                entry.used = verb;
                true
            }
            Some(_) | None => false,
        }
    }

    /// The handle of `key`.
    pub fn find(&mut self, key: K, verb: u64, slots: &mut SlotAllocator<H>) -> Lookup<H> {
        if let Some(&index) = self.index.get(&key) {
            self.counts.found += 1;
            let entry = &mut self.entries[index as usize];
            entry.used = verb;
            return Lookup::Found(Place {
                index,
                handle: entry.handle,
            });
        }
        self.mint(key, verb, slots)
    }

    /// A new handle for `key`, whether or not there is one.
    pub fn mint(&mut self, key: K, verb: u64, slots: &mut SlotAllocator<H>) -> Lookup<H> {
        self.counts.created += 1;
        let victim = (self.entries.len() >= self.cap)
            .then(|| {
                let rows = self.entries.iter().enumerate();
                rows.filter(|(_, entry)| entry.used != verb)
                    .min_by_key(|(_, entry)| entry.used)
                    .map(|(index, _)| index)
            })
            .flatten();
        let evicted = victim.map(|index| {
            self.counts.evicted += 1;
            let old = &self.entries[index];
            let handle = old.handle;
            if self.index.get(&old.key) == Some(&(index as u32)) {
                self.index.remove(&old.key);
            }
            slots.release(handle);
            handle
        });
        let handle = slots.alloc();
        let entry = Entry {
            key,
            handle,
            used: verb,
        };
        let index = match victim {
            Some(index) => {
                self.entries[index] = entry;
                index
            }
            None => {
                self.entries.push(entry);
                self.entries.len() - 1
            }
        } as u32;
        self.index.insert(key, index);
        Lookup::Create(Place { index, handle }, evicted)
    }

    /// Takes every handle out.
    pub fn drain(&mut self, slots: &mut SlotAllocator<H>) -> Vec<H> {
        self.index.clear();
        let entries = self.entries.drain(..);
        entries
            .map(|entry| {
                slots.release(entry.handle);
                entry.handle
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pipe::SamplerId;

    #[test]
    fn cache_over_its_cap_evicts_what_was_used_longest_ago_and_not_in_this_verb() {
        let mut slots = SlotAllocator::<SamplerId>::default();
        let mut cache = CsoCache::new(2);
        let Lookup::Create(a, None) = cache.find(1u32, 1, &mut slots) else {
            panic!("the first is created")
        };
        let Lookup::Create(b, None) = cache.find(2, 2, &mut slots) else {
            panic!("the second fits")
        };
        assert_eq!(cache.find(1, 3, &mut slots), Lookup::Found(a));
        let Lookup::Create(_, evicted) = cache.find(3, 4, &mut slots) else {
            panic!("the third is new")
        };
        assert_eq!(evicted, Some(b.handle));
        assert!(cache.touch(a, 4) && !cache.touch(b, 4));
        // Both are of this verb now: nothing may leave.
        assert!(matches!(
            cache.find(2, 4, &mut slots),
            Lookup::Create(_, None)
        ));
    }
}
