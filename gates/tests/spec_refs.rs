//! Every cited section exists: nobody can invent one. A title is not checked, a number is.

use std::collections::BTreeMap;

use crate::sources::{self, File};

/// Document -> sections that exist.
type Known = BTreeMap<String, Vec<String>>;

fn known() -> Known {
    toml::from_str(include_str!("../data/spec_sections.toml"))
        .expect("gates/data/spec_sections.toml")
}

/// A citation: what stands before the sign, and the number behind it.
///
/// A sign without a document goes with the last one that was named before; a file of EGL speaks of EGL.
fn citations(path: &str, text: &str) -> Vec<(String, String, usize)> {
    let mut found = Vec::new();
    let mut document = if path.contains("/egl/") {
        "EGL".to_owned()
    } else {
        String::new()
    };
    for (number, line) in text.lines().enumerate() {
        for (at, _) in line.match_indices('§') {
            let before: String = line[..at]
                .chars()
                .rev()
                .take(48)
                .collect::<Vec<_>>()
                .into_iter()
                .rev()
                .collect();
            let rest = &line[at + '§'.len_utf8()..];
            let section: String = rest
                .trim_start()
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '.')
                .collect();
            if let Some(name) = document_of(&before) {
                document = name;
            }
            if !section.is_empty() {
                found.push((
                    document.clone(),
                    section.trim_end_matches('.').to_owned(),
                    number + 1,
                ));
            }
        }
    }
    found
}

/// The document that a text ends with the name of.
fn document_of(before: &str) -> Option<String> {
    let names = ["GLSL", "EGL", "GLX", "Vulkan", "ESSL", "ES", "GL"];
    let mut words: Vec<&str> = before.split_whitespace().rev().take(6).collect();
    words.reverse();
    let start = words.iter().rposition(|word| {
        names.contains(&word.trim_start_matches(|c: char| !c.is_ascii_alphabetic()))
    })?;
    let name = words[start].trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    // Chapters moved between versions of GL: the list is that of 4.6.
    match words.get(start + 1) {
        Some(version)
            if name == "GL"
                && *version != "4.6"
                && version.starts_with(|c: char| c.is_ascii_digit()) =>
        {
            Some(format!("GL {version}"))
        }
        _ => Some(name.to_owned()),
    }
}

/// Citations of sections that are not in the list.
fn unknown(files: &[File], known: &Known) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in files {
        for (document, section, line) in citations(path, text) {
            match known.get(&document) {
                // A document whose sections nobody has listed: name and number are taken on trust.
                None if !document.is_empty() => {}
                Some(sections) if sections.contains(&section) => {}
                _ => found.push(format!("{path}:{line}: {document} §{section}")),
            }
        }
    }
    found
}

#[test]
fn spec_refs_exist() {
    let files: Vec<File> = sources::files(&[".rs", ".md", ".toml"])
        .into_iter()
        .filter(|(path, _)| !path.starts_with("gates/"))
        .collect();
    let found = unknown(&files, &known());
    assert!(
        found.is_empty(),
        "sections that gates/data/spec_sections.toml does not have (look them up; where editions differ give the title instead):\n{}",
        found.join("\n")
    );
}

#[test]
fn spec_refs_exist_control() {
    let file = |text: &str| vec![("a.rs".to_owned(), text.to_owned())];
    let known = known();
    assert_eq!(
        unknown(&file("// GL 4.6 core §8.6: good"), &known),
        Vec::<String>::new()
    );
    assert_eq!(
        unknown(&file("\n// (GL 4.6 core §8.96, §8.6)"), &known),
        ["a.rs:2: GL §8.96"]
    );
    assert_eq!(
        unknown(&file("// EGL 1.5 §3.99.1."), &known),
        ["a.rs:1: EGL §3.99.1"]
    );
    assert_eq!(
        unknown(&file("// GL 3.3 core §3.8.1"), &known),
        Vec::<String>::new()
    );
    assert_eq!(
        unknown(&file("// §8.6 of nothing"), &known),
        ["a.rs:1:  §8.6"]
    );
}
