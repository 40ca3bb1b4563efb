//! Where entries lie and how they get there: `FOLDER/ab/cdef…`, renamed into place. It must never leave half an entry behind a key.

use crate::Key;
use std::fs::{DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// The prefix of files that are being written.
pub const UNFINISHED: &str = "new-";

/// An entry's age is told to within this: a hit writes nothing most of the time.
const USED_WITHIN: Duration = Duration::from_secs(60 * 60);

/// The file of a key.
pub fn place(folder: &Path, key: &Key) -> PathBuf {
    let hex = key.hex();
    folder.join(&hex[..2]).join(&hex[2..])
}

/// Notes that an entry was used: the ones that were not for longest go first.
pub fn used(path: &Path) {
    let now = SystemTime::now();
    let is_recent = |file: &File| -> io::Result<bool> {
        let age = now.duration_since(file.metadata()?.modified()?);
        Ok(age.is_ok_and(|age| age < USED_WITHIN))
    };
    // Where the time cannot be written the entry merely looks older than it is.
    let _ = File::open(path).and_then(|file| match is_recent(&file)? {
        true => Ok(()),
        false => file.set_modified(now),
    });
}

/// Writes an entry's file.
pub fn store(folder: &Path, key: &Key, contents: &[u8]) -> io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let place = place(folder, key);
    let parent = place.parent().expect("a place is in a folder");
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(parent)?;
    let unfinished = parent.join(format!(
        "{UNFINISHED}{}-{}",
        std::process::id(),
        COUNT.fetch_add(1, Ordering::Relaxed)
    ));
    let written = File::create_new(&unfinished)
        .and_then(|mut file| file.write_all(contents))
        .and_then(|()| std::fs::rename(&unfinished, &place));
    if written.is_err() {
        // What could not be written whole is of no use.
        let _ = std::fs::remove_file(&unfinished);
    }
    written
}
