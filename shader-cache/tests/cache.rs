//! A cache's promises: found by content, whole or absent, bounded, shared. It must never look inside an entry.

use shader_cache::{Cache, Counts, Key};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

const MIB: u64 = 1 << 20;

fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type().expect("a type").is_dir() {
            true => all.extend(files(&entry.path())),
            false => all.push(entry.path()),
        }
    }
    all
}

fn size(folder: &Path) -> u64 {
    let sizes = files(folder)
        .into_iter()
        .map(|f| f.metadata().expect("there").len());
    sizes.sum()
}

#[test]
fn entry_is_found_by_another_process_handle() {
    let folder = fresh("found");
    let key = Key::of("test", &[b"source"]);
    Cache::new(&folder, MIB).put(&key, b"result");
    assert_eq!(
        Cache::new(&folder, MIB).get(&key).as_deref(),
        Some(&b"result"[..])
    );
}

#[test]
fn parts_that_join_to_the_same_bytes_are_different_keys() {
    let keys = [
        Key::of("a", &[b"bc", b"d"]),
        Key::of("a", &[b"b", b"cd"]),
        Key::of("a", &[b"bcd"]),
        Key::of("ab", &[b"c", b"d"]),
        Key::of("a", &[b"bc", b"d", b""]),
    ];
    for (i, key) in keys.iter().enumerate() {
        assert!(!keys[..i].contains(key), "{i}");
    }
}

#[test]
fn entry_with_any_byte_changed_or_cut_is_absent_and_removed() {
    let folder = fresh("damaged");
    let key = Key::of("test", &[b"source"]);
    let cache = Cache::new(&folder, MIB);
    cache.put(&key, b"result");
    let path = files(&folder).remove(0);
    let whole = fs::read(&path).expect("there");
    let mut damaged = 0;
    let mut broken = |bytes: &[u8], what: &str| {
        fs::write(&path, bytes).expect("writable");
        assert_eq!(cache.get(&key), None, "{what}");
        assert!(!path.exists(), "{what}");
        damaged += 1;
        assert_eq!(cache.counts().damaged, damaged);
    };
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        broken(&bytes, &format!("byte {at} changed"));
        broken(&whole[..at], &format!("cut to {at} bytes"));
    }
    broken(&[&whole[..], b"x"].concat(), "a byte more");
    fs::write(&path, &whole).expect("writable");
    assert!(cache.get(&key).is_some(), "the control: the file as it was");
}

#[test]
fn entry_under_another_key_is_absent() {
    let folder = fresh("moved");
    let (one, other) = (Key::of("test", &[b"1"]), Key::of("test", &[b"2"]));
    let cache = Cache::new(&folder, MIB);
    cache.put(&one, b"result");
    let from = files(&folder).remove(0);
    cache.put(&other, b"else");
    let to = files(&folder)
        .into_iter()
        .find(|f| *f != from)
        .expect("two");
    fs::copy(&from, &to).expect("writable");
    assert_eq!(cache.get(&other), None);
    assert!(cache.get(&one).is_some());
}

#[test]
fn folder_stays_under_its_limit_and_keeps_what_was_used_last() {
    let folder = fresh("bounded");
    let limit = 64 * 1024;
    let cache = Cache::new(&folder, limit);
    let used = Key::of("test", &[b"used"]);
    cache.put(&used, &[7; 1000]);
    let long_ago = SystemTime::now() - Duration::from_secs(2 * 24 * 3600);
    for i in 0..200_u32 {
        let key = Key::of("test", &[&i.to_le_bytes()]);
        cache.put(&key, &[1; 1000]);
        // Time passes: what was written is older than what is used now.
        for file in files(&folder) {
            let file = fs::File::open(file).expect("there");
            file.set_modified(long_ago).expect("own file");
        }
        assert!(cache.get(&used).is_some(), "{i}");
        assert!(
            size(&folder) <= limit + limit / 16,
            "{i}: {}",
            size(&folder)
        );
    }
    assert!(
        size(&folder) > limit / 2,
        "something is kept: {}",
        size(&folder)
    );
}

#[test]
fn entry_of_more_than_a_quarter_of_the_limit_is_not_kept() {
    let folder = fresh("large");
    let cache = Cache::new(&folder, 4096);
    let key = Key::of("test", &[]);
    cache.put(&key, &[0; 2048]);
    assert_eq!(cache.get(&key), None);
    assert_eq!(cache.counts().stored, 0);
}

#[test]
fn writers_and_readers_at_once_see_whole_entries() {
    let folder = fresh("shared");
    let keys: Vec<Key> = (0..8_u8).map(|i| Key::of("test", &[&[i]])).collect();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                // One handle each, as processes have.
                let cache = Cache::new(&folder, 16 * 1024);
                for round in 0..200 {
                    let i = round % keys.len();
                    let want = vec![i as u8; 1500];
                    if let Some(bytes) = cache.get(&keys[i]) {
                        assert_eq!(bytes, want);
                    }
                    cache.put(&keys[i], &want);
                }
                let Counts { damaged, .. } = cache.counts();
                assert_eq!(damaged, 0);
            });
        }
    });
    let left = files(&folder);
    assert!(left.iter().all(|f| !f.to_string_lossy().contains("new-")));
}

#[test]
fn folder_that_cannot_be_written_is_a_miss() {
    // A file where the folder should be.
    let folder = fresh("no-folder");
    fs::write(&folder, b"").expect("writable");
    let cache = Cache::new(&folder, MIB);
    let key = Key::of("test", &[]);
    cache.put(&key, b"result");
    assert_eq!(cache.get(&key), None);
    fs::remove_file(&folder).expect("own file");
}

#[test]
fn folder_is_the_users_own() {
    use std::os::unix::fs::PermissionsExt;
    let folder = fresh("mode");
    Cache::new(&folder, MIB).put(&Key::of("test", &[]), b"result");
    let mode = fs::metadata(&folder).expect("made").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}
