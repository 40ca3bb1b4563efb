//! What was compiled before, kept on disk: an entry is found by what it was made from. It must never know what its entries mean.
//!
//! * **By content.** A [`Key`] is the BLAKE3 hash of everything that the result depends on; whoever asks puts the code that makes
//!   the result and the driver into it. There is nothing to invalidate: what nobody asks for any more ages out.
//! * **Damage.** An entry carries its key and the hash of its bytes. A short, changed or foreign file is removed and counts as
//!   absent, so a crash or a full disk costs a compilation and nothing else.
//! * **Other processes.** An entry is written beside its place and renamed into it: a reader sees all of it or none. Two writers of
//!   one key write the same.
//! * **Bounded.** Before a process has written a sixteenth of the limit since it last looked, the folder is looked through again,
//!   and the entries that were not used for longest go until three quarters are left: n processes together stay under limit + n/16.
//! * **Never in the way.** Whatever fails (no folder, no space, no rights) is a miss, said once in the log.
//!
//! The folder is the user's own and only theirs (mode 0700): who can write there can make this user's programs draw anything.
#![forbid(unsafe_code)]

mod entry;
mod folder;
mod sweep;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Everything that a result depends on, hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key([u8; 32]);

impl Key {
    /// The hash of `parts`, each with its length, so that no two lists of parts give the same bytes. `kind` names the sort of
    /// entry: kinds never meet.
    pub fn of(kind: &str, parts: &[&[u8]]) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("MobileGL shader cache");
        let mut add = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        add(kind.as_bytes());
        for part in parts {
            add(part);
        }
        Self(*hasher.finalize().as_bytes())
    }

    /// The hash itself, to be a part of another key.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    fn hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// What happened since the cache was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Entries found.
    pub hits: u64,
    /// Entries asked for that were not there, or were damaged.
    pub misses: u64,
    /// Entries that were damaged, and are gone now.
    pub damaged: u64,
    /// Entries written.
    pub stored: u64,
}

/// A folder of entries. Every method may be called from any thread.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    limit_bytes: u64,
    /// Bytes written since the folder was last looked through; `None`: it never was.
    written: Mutex<Option<u64>>,
    hits: AtomicU64,
    misses: AtomicU64,
    damaged: AtomicU64,
    stored: AtomicU64,
    complained: AtomicBool,
}

impl Cache {
    /// The cache in `folder`, which is made when the first entry is stored. `limit_bytes` bounds the sizes of its files together.
    pub fn new(folder: &Path, limit_bytes: u64) -> Self {
        Self {
            folder: folder.to_owned(),
            limit_bytes,
            written: Mutex::new(None),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
            damaged: AtomicU64::new(0),
            stored: AtomicU64::new(0),
            complained: AtomicBool::new(false),
        }
    }

    /// What was stored under `key`, whole, or nothing.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let path = folder::place(&self.folder, key);
        match entry::read(&path, key) {
            Ok(bytes) => {
                self.hits.fetch_add(1, Ordering::Relaxed);
                folder::used(&path);
                Some(bytes)
            }
            Err(entry::Bad::Absent) => {
                self.misses.fetch_add(1, Ordering::Relaxed);
                None
            }
            Err(entry::Bad::Damaged) => {
                self.misses.fetch_add(1, Ordering::Relaxed);
                self.damaged.fetch_add(1, Ordering::Relaxed);
                self.remove(key);
                None
            }
        }
    }

    /// Stores `bytes` under `key`. What is larger than a quarter of the limit is not kept.
    pub fn put(&self, key: &Key, bytes: &[u8]) {
        let size = entry::file_size(bytes);
        if size > self.limit_bytes / 4 {
            return;
        }
        self.make_room(size);
        match folder::store(&self.folder, key, &entry::encode(key, bytes)) {
            Ok(()) => {
                self.stored.fetch_add(1, Ordering::Relaxed);
            }
            Err(error) => self.complain(&error),
        }
    }

    /// Takes an entry out that turned out to be of no use: a driver refused it.
    pub fn remove(&self, key: &Key) {
        // Another process may have been quicker.
        let _ = std::fs::remove_file(folder::place(&self.folder, key));
    }

    /// What happened since the cache was opened.
    pub fn counts(&self) -> Counts {
        Counts {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            damaged: self.damaged.load(Ordering::Relaxed),
            stored: self.stored.load(Ordering::Relaxed),
        }
    }

    fn make_room(&self, size: u64) {
        let mut written = self
            .written
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(written) = &mut *written
            && *written + size <= self.limit_bytes / 16
        {
            *written += size;
            return;
        }
        sweep::sweep(&self.folder, self.limit_bytes - size);
        *written = Some(size);
    }

    fn complain(&self, error: &std::io::Error) {
        if !self.complained.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                folder = %self.folder.display(),
                "the shader cache cannot be written, programs are compiled each time: {error}"
            );
        }
    }
}
