//! The repository's text files, read once per gate. It must not judge them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A file: path below the root with `/`, and its text.
pub type File = (String, String);

pub fn root() -> PathBuf {
    xtask::root()
}

/// Paths of tracked and new files, without what git ignores.
pub fn paths() -> Vec<String> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git lists the files");
    assert!(
        output.status.success(),
        "git ls-files: run the gates in a clone"
    );
    let list = String::from_utf8(output.stdout).expect("paths are UTF-8");
    let mut paths: Vec<String> = list.lines().map(str::to_owned).collect();
    paths.sort();
    paths.dedup();
    paths
}

/// Those with one of these endings, with their texts.
pub fn files(endings: &[&str]) -> Vec<File> {
    paths()
        .into_iter()
        .filter(|path| endings.iter().any(|ending| path.ends_with(ending)))
        .filter_map(|path| {
            let text = std::fs::read_to_string(root().join(&path)).ok()?;
            Some((path, text))
        })
        .collect()
}

/// A copy of folders of the repository, below a fresh folder, for a control to damage.
pub fn copy(name: &str, folders: &[&str]) -> PathBuf {
    let to = std::env::temp_dir().join(format!("mobilegl-gate-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&to);
    for folder in folders {
        copy_folder(&root().join(folder), &to.join(folder));
    }
    to
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder for the copy");
    for entry in std::fs::read_dir(from).expect("a folder of the repository") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("its type").is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

/// Names of the test functions in a file: `#[test]`, then further attributes, then `fn name`.
pub fn tests_in(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut is_test = false;
    for line in text.lines().map(str::trim) {
        if line == "#[test]" {
            is_test = true;
        } else if let Some(rest) = line.strip_prefix("fn ").filter(|_| is_test) {
            names.push(rest.split(['(', '<']).next().unwrap_or_default().to_owned());
            is_test = false;
        }
    }
    names
}
