//! Keeps the folder within its bound: the entries that were not used for longest go. It must never touch a file that is no entry.

use crate::folder::UNFINISHED;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A file that was being written for this long belongs to a process that ended.
const ABANDONED_AFTER: Duration = Duration::from_secs(60 * 60);

struct Found {
    path: PathBuf,
    used: SystemTime,
    size_bytes: u64,
}

/// Removes entries until at most `limit_bytes` are left; once it has to, down to three quarters of that.
pub fn sweep(folder: &Path, limit_bytes: u64) {
    let mut entries = entries(folder);
    let mut total: u64 = entries.iter().map(|entry| entry.size_bytes).sum();
    if total <= limit_bytes {
        return;
    }
    entries.sort_by_key(|entry| entry.used);
    for entry in entries {
        if total <= limit_bytes / 4 * 3 {
            break;
        }
        // Another process may be sweeping too: then it is gone, as it should be.
        let _ = std::fs::remove_file(&entry.path);
        total -= entry.size_bytes;
    }
}

/// All entries. Files that a process left half written are removed on the way.
fn entries(folder: &Path) -> Vec<Found> {
    let mut found = Vec::new();
    let folders = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for folder in folders.filter(|f| is_hex(&f.file_name(), 2)) {
        let files = std::fs::read_dir(folder.path()).into_iter().flatten();
        for file in files.flatten() {
            let Ok(data) = file.metadata() else { continue };
            let Ok(used) = data.modified() else { continue };
            let name = file.file_name();
            if is_hex(&name, 62) {
                found.push(Found {
                    path: file.path(),
                    used,
                    size_bytes: data.len(),
                });
            } else if name.to_str().is_some_and(|n| n.starts_with(UNFINISHED))
                && used.elapsed().is_ok_and(|age| age > ABANDONED_AFTER)
            {
                let _ = std::fs::remove_file(file.path());
            }
        }
    }
    found
}

fn is_hex(name: &std::ffi::OsStr, len: usize) -> bool {
    name.to_str()
        .is_some_and(|n| n.len() == len && n.bytes().all(|b| b.is_ascii_hexdigit()))
}
