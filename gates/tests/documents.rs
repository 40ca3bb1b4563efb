//! Pages that are made from tables carry what they describe.

use crate::sources;

/// A page, and what its table would write now.
fn pages() -> Vec<(&'static str, String)> {
    vec![
        ("docs/generated/options.md", config::options_markdown()),
        ("docs/generated/catalogue.md", xtask::emit_catalogue::page()),
        ("docs/generated/inputs.md", xtask::emit_inputs::page()),
    ]
}

/// Pages whose text on disk is another.
fn stale(pages: &[(&'static str, String)], read: impl Fn(&str) -> String) -> Vec<&'static str> {
    pages
        .iter()
        .filter(|(path, now)| read(path) != *now)
        .map(|(path, _)| *path)
        .collect()
}

#[test]
fn docs_match_hash() {
    let read = |path: &str| std::fs::read_to_string(sources::root().join(path)).unwrap_or_default();
    let found = stale(&pages(), read);
    assert!(
        found.is_empty(),
        "{found:?} are not what their tables say: run `cargo xtask codegen`"
    );
    let catalogue = read("docs/generated/catalogue.md");
    let hash = format!("`{:016x}`", xtask::emit_catalogue::layout_hash());
    assert!(
        catalogue.contains(&hash),
        "the catalogue page carries the hash {hash}"
    );
}

#[test]
fn docs_match_hash_control() {
    let pages = pages();
    let read = |path: &str| {
        let (_, text) = pages
            .iter()
            .find(|(page, _)| *page == path)
            .expect("a page");
        text.replace("blit", "blat")
    };
    assert_eq!(stale(&pages, read), ["docs/generated/catalogue.md"]);
    let gone = |_: &str| String::new();
    assert_eq!(stale(&pages, gone).len(), 3);
}
