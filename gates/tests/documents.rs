//! Pages that are made from tables carry what they describe.

use std::path::Path;

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

/// Links of a page to files that do not exist.
fn dead_links(path: &str, text: &str, exists: impl Fn(&Path) -> bool) -> Vec<String> {
    let folder = Path::new(path).parent().unwrap_or(Path::new(""));
    let targets = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    targets
        .filter(|target| !target.contains("://") && !target.starts_with('#'))
        .filter(|target| {
            let file = target.split(['#', ' ']).next().unwrap_or_default();
            !exists(&folder.join(file))
        })
        .map(|target| format!("{path}: {target}"))
        .collect()
}

#[test]
fn links_resolve() {
    let pages = sources::files(&[".md"]);
    let found: Vec<String> = pages
        .iter()
        .flat_map(|(path, text)| dead_links(path, text, |file| sources::root().join(file).exists()))
        .collect();
    assert!(found.is_empty(), "links to nothing: {found:#?}");
}

#[test]
fn links_resolve_control() {
    let text = "[a](b.md) [c](../d.md#part) [e](https://f) [g](#h) [i](../j.md)";
    let found = dead_links("docs/page.md", text, |file| {
        [Path::new("docs/b.md"), Path::new("docs/../d.md")].contains(&file)
    });
    assert_eq!(found, ["docs/page.md: ../j.md"]);
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
