//! What one process compiled the next one finds, on both backends: with damaged files, with files of other contents, in several
//! processes at once. Programs are DriverBench's, which checks the pixel of each.

use config::{ShaderCacheCounts, Stats};
use scenarios::library;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const PROGRAMS: u64 = 3;
/// Of an entry's file: magic, key, hash of the bytes, their length.
const HEADER_BYTES: usize = 8 + 32 + 32 + 8;

/// A folder of this test alone.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("shader-cache-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder under target/");
    folder
}

fn start(backend: &str, folder: &Path, name: &str) -> Child {
    let stage = library::stage().join("default");
    Command::new(stage.join("driverbench"))
        .args(["--first-pixel", &PROGRAMS.to_string()])
        .env("LD_LIBRARY_PATH", stage.join("dropin"))
        .env("MOBILEGL_BACKEND", backend)
        .env("MOBILEGL_SHADER_CACHE_DIR", folder.join("cache"))
        .env("MOBILEGL_SHADER_CACHE_MB", "64")
        .env("MOBILEGL_PIPE_STATS_FILE", folder.join(name))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the staged measuring program")
}

fn end(child: Child, folder: &Path, name: &str) -> ShaderCacheCounts {
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {}: {said}", output.status);
    let text = fs::read_to_string(folder.join(name)).expect("statistics of the run");
    let stats: Stats = serde_json::from_str(&text).expect("statistics");
    stats.shader_cache.expect("the run had a cache")
}

fn run(backend: &str, folder: &Path, name: &str) -> ShaderCacheCounts {
    end(start(backend, folder, name), folder, name)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.path().is_dir() {
            true => all.extend(files(&entry.path())),
            false => all.push(entry.path()),
        }
    }
    all
}

/// Two verdicts (the vertex shader is one for all), links, and what the driver made of them.
fn check_second_run(backend: &str) {
    let folder = folder(&format!("second-{backend}"));
    let cold = run(backend, &folder, "cold");
    assert!(cold.stored > 2 * PROGRAMS, "{cold:?}");
    let warm = run(backend, &folder, "warm");
    assert_eq!((warm.misses, warm.stored), (0, 0), "{warm:?}");
    assert!(warm.hits >= cold.stored, "{warm:?} after {cold:?}");
}

#[test]
fn second_process_compiles_nothing_on_gles() {
    check_second_run("gles");
}

#[test]
fn second_process_compiles_nothing_on_vulkan() {
    check_second_run("vulkan");
}

fn check_damage(backend: &str) {
    let folder = folder(&format!("damage-{backend}"));
    let cold = run(backend, &folder, "cold");
    let entries = files(&folder.join("cache"));
    assert_eq!(entries.len() as u64, cold.stored);
    for (i, file) in entries.iter().enumerate() {
        let mut bytes = fs::read(file).expect("an entry");
        match i % 3 {
            0 => bytes.truncate(bytes.len() / 2),
            1 => *bytes.last_mut().expect("not empty") ^= 0x40,
            _ => bytes.clear(),
        }
        fs::write(file, bytes).expect("writable");
    }
    let again = run(backend, &folder, "again");
    assert_eq!(again.damaged, cold.stored, "{again:?}");
    let warm = run(backend, &folder, "warm");
    assert_eq!((warm.damaged, warm.misses), (0, 0), "{warm:?}");
}

#[test]
fn damaged_entries_are_made_again_on_gles() {
    check_damage("gles");
}

#[test]
fn damaged_entries_are_made_again_on_vulkan() {
    check_damage("vulkan");
}

/// Whole entries whose bytes mean nothing to who asked: an older library's, or another driver's.
fn check_nonsense(backend: &str) {
    let folder = folder(&format!("nonsense-{backend}"));
    run(backend, &folder, "cold");
    for file in files(&folder.join("cache")) {
        let old = fs::read(&file).expect("an entry");
        let bytes: Vec<u8> = old[HEADER_BYTES..].iter().map(|byte| !byte).collect();
        let mut new = old[..8 + 32].to_vec();
        new.extend_from_slice(blake3::hash(&bytes).as_bytes());
        new.extend_from_slice(&old[8 + 32 + 32..HEADER_BYTES]);
        new.extend_from_slice(&bytes);
        fs::write(&file, new).expect("writable");
    }
    let again = run(backend, &folder, "again");
    assert_eq!(again.damaged, 0, "the files are whole: {again:?}");
    assert!(again.stored > 0, "{again:?}");
    let warm = run(backend, &folder, "warm");
    assert_eq!(warm.misses, 0, "{warm:?}");
}

#[test]
fn entries_that_mean_nothing_are_made_again_on_gles() {
    check_nonsense("gles");
}

#[test]
fn entries_that_mean_nothing_are_made_again_on_vulkan() {
    check_nonsense("vulkan");
}

#[test]
fn processes_at_once_share_one_folder() {
    let folder = folder("at-once");
    let names = ["a", "b", "c", "d"];
    let backends = ["gles", "vulkan", "gles", "vulkan"];
    let children: Vec<Child> = names
        .iter()
        .zip(backends)
        .map(|(name, backend)| start(backend, &folder, name))
        .collect();
    for (child, name) in children.into_iter().zip(names) {
        let counts = end(child, &folder, name);
        assert_eq!(counts.damaged, 0, "{name}: {counts:?}");
    }
    for backend in ["gles", "vulkan"] {
        let warm = run(backend, &folder, "warm");
        assert_eq!((warm.misses, warm.damaged), (0, 0), "{backend}: {warm:?}");
    }
    let left = files(&folder.join("cache"));
    assert!(
        !left
            .iter()
            .any(|file| file.to_string_lossy().contains("new-"))
    );
}

#[test]
fn size_zero_keeps_nothing() {
    let folder = folder("off");
    let stage = library::stage().join("default");
    let status = Command::new(stage.join("driverbench"))
        .args(["--first-pixel", "1"])
        .env("LD_LIBRARY_PATH", stage.join("dropin"))
        .env("MOBILEGL_BACKEND", "gles")
        .env("MOBILEGL_SHADER_CACHE_DIR", folder.join("cache"))
        .env("MOBILEGL_SHADER_CACHE_MB", "0")
        .stdout(Stdio::null())
        .status()
        .expect("the staged measuring program");
    assert!(status.success());
    assert!(!folder.join("cache").exists());
}
