//! What lies in the repository was put there: no dump of a crashed program, nothing that was built, nothing huge.

use crate::sources;
use std::io::Read;

/// The largest recording is 1.7 MiB.
const LIMIT: u64 = 4 << 20;

/// A file: path, length, first bytes.
type Head = (String, u64, Vec<u8>);

/// Files that are too long, or that a compiler, a linker or a kernel wrote.
fn strays(files: &[Head]) -> Vec<&str> {
    files
        .iter()
        .filter(|(_, length, head)| {
            *length > LIMIT || head.starts_with(b"\x7fELF") || head.starts_with(b"!<arch>")
        })
        .map(|(path, ..)| path.as_str())
        .collect()
}

fn head(path: &str) -> Option<Head> {
    let file = std::fs::File::open(sources::root().join(path)).ok()?;
    let length = file.metadata().ok()?.len();
    let mut head = Vec::new();
    file.take(8).read_to_end(&mut head).ok()?;
    Some((path.to_owned(), length, head))
}

#[test]
fn nothing_stray_is_in_the_repository() {
    let files: Vec<Head> = sources::paths()
        .iter()
        .filter_map(|path| head(path))
        .collect();
    let found = strays(&files);
    assert!(found.is_empty(), "not to be committed: {found:?}");
}

#[test]
fn nothing_stray_is_in_the_repository_control() {
    let file = |path: &str, length, head: &[u8]| (path.to_owned(), length, head.to_vec());
    let files = [
        file("tests/fixtures/small.trace", LIMIT, b"at"),
        file("src/lib.rs", 20, b"//! What "),
        file("tests/fixtures/large.trace", LIMIT + 1, b"at"),
        file("core", 900, b"\x7fELF\x02\x01\x01"),
        file("libx.a", 900, b"!<arch>\n"),
    ];
    assert_eq!(
        strays(&files),
        ["tests/fixtures/large.trace", "core", "libx.a"]
    );
}
