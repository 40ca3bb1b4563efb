//! GL names of one kind of object: which are taken, and what they name. A name never identifies anything outside this table.

use rustc_hash::FxHashMap;

/// Names below this index an array; others, which only applications make up, a map.
const DENSE: u32 = 1 << 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry<H> {
    Free,
    /// Returned by glGen*, no object yet.
    Reserved,
    Object(H),
}

/// A namespace.
#[derive(Debug)]
pub struct Names<H> {
    dense: Vec<Entry<H>>,
    sparse: FxHashMap<u32, Entry<H>>,
    /// No free name lies below.
    first_free: u32,
}

impl<H> Default for Names<H> {
    fn default() -> Self {
        Self {
            dense: Vec::new(),
            sparse: FxHashMap::default(),
            first_free: 1,
        }
    }
}

impl<H: Copy> Names<H> {
    fn entry(&self, name: u32) -> Entry<H> {
        if name < DENSE {
            self.dense
                .get(name as usize)
                .copied()
                .unwrap_or(Entry::Free)
        } else {
            self.sparse.get(&name).copied().unwrap_or(Entry::Free)
        }
    }

    fn set(&mut self, name: u32, entry: Entry<H>) {
        if name < DENSE {
            let at = name as usize;
            if at >= self.dense.len() {
                self.dense.resize(at + 1, Entry::Free);
            }
            self.dense[at] = entry;
        } else {
            self.sparse.insert(name, entry);
        }
    }

    /// Reserves the lowest free name (never 0).
    pub fn generate(&mut self) -> u32 {
        let mut name = self.first_free;
        while !matches!(self.entry(name), Entry::Free) {
            name += 1;
        }
        self.set(name, Entry::Reserved);
        self.first_free = name + 1;
        name
    }

    /// The object that `name` names.
    pub fn get(&self, name: u32) -> Option<H> {
        match self.entry(name) {
            Entry::Object(handle) => Some(handle),
            Entry::Free | Entry::Reserved => None,
        }
    }

    /// Whether `name` was generated or has an object.
    pub fn is_taken(&self, name: u32) -> bool {
        !matches!(self.entry(name), Entry::Free)
    }

    /// All names that have an object.
    pub fn iter(&self) -> impl Iterator<Item = (u32, H)> + '_ {
        let dense = self
            .dense
            .iter()
            .enumerate()
            .map(|(name, entry)| (name as u32, *entry));
        let sparse = self.sparse.iter().map(|(name, entry)| (*name, *entry));
        dense.chain(sparse).filter_map(|(name, entry)| match entry {
            Entry::Object(handle) => Some((name, handle)),
            Entry::Free | Entry::Reserved => None,
        })
    }

    /// Gives `name` an object.
    pub fn assign(&mut self, name: u32, handle: H) {
        self.set(name, Entry::Object(handle));
    }

    /// Frees `name`; the object it named, if any.
    pub fn remove(&mut self, name: u32) -> Option<H> {
        let entry = self.entry(name);
        if !matches!(entry, Entry::Free) {
            self.set(name, Entry::Free);
            self.first_free = self.first_free.min(name);
        }
        match entry {
            Entry::Object(handle) => Some(handle),
            Entry::Free | Entry::Reserved => None,
        }
    }
}
