//! For build scripts: one hash over source files and pinned packages. It must never depend on where the tree lies or when it was made.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Sets `variable` for the crate to a hash over the Rust files in `folders` and over the locked versions of `packages`.
pub fn export(variable: &str, folders: &[&str], packages: &[&str]) {
    let mut files = Vec::new();
    for folder in folders {
        println!("cargo:rerun-if-changed={folder}");
        collect(Path::new(folder), &mut files);
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.file_name().hash(&mut hasher);
        fs::read(&file).expect("just listed").hash(&mut hasher);
    }
    let lock = "../../Cargo.lock";
    println!("cargo:rerun-if-changed={lock}");
    let lock = fs::read_to_string(lock).expect("the workspace has a lock file");
    for package in packages {
        let name = format!("name = \"{package}\"\n");
        let (_, rest) = lock.split_once(&name).expect("a locked package");
        rest.split("[[package]]").next().hash(&mut hasher);
    }
    println!("cargo:rustc-env={variable}={:016x}", hasher.finish());
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_file() {
        files.push(path.to_owned());
        return;
    }
    for entry in fs::read_dir(path).expect("a folder of sources") {
        collect(&entry.expect("readable").path(), files);
    }
}
