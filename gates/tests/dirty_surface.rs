//! Every mutator of gl-state says which version it bumps, or that it changes nothing that a backend is told.

use std::collections::BTreeMap;

use gl_state::dirty_surface::MUTATORS;

use crate::sources::{self, File};

/// Mutators that change no told state: `file::function`, or `file::*` -> why.
fn not_state() -> BTreeMap<String, String> {
    toml::from_str(include_str!("../data/not_state.toml")).expect("gates/data/not_state.toml")
}

/// `file::function` of every public function with a `&mut` parameter.
fn mutators(files: &[File]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in files {
        let stem = path
            .rsplit('/')
            .next()
            .and_then(|name| name.strip_suffix(".rs"))
            .unwrap_or(path);
        for (at, _) in text.match_indices("pub fn ") {
            let head: String = text[at + "pub fn ".len()..]
                .chars()
                .take_while(|c| *c != '{' && *c != ';')
                .collect();
            let name: String = head
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            let parameters = head.split("->").next().unwrap_or_default();
            if parameters.contains("&mut ") {
                found.push(format!("{stem}::{name}"));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Mutators in neither list, in both, and rows without a mutator.
fn faults(
    mutators: &[String],
    dirty: &[&str],
    not_state: &BTreeMap<String, String>,
) -> Vec<String> {
    let mut found = Vec::new();
    let whole_file = |name: &str| format!("{}::*", name.split("::").next().unwrap_or(name));
    for name in mutators {
        let is_excused = not_state.contains_key(name) || not_state.contains_key(&whole_file(name));
        match (dirty.contains(&name.as_str()), is_excused) {
            (false, false) => found.push(format!("{name} is in neither list")),
            (true, true) => found.push(format!("{name} is in both lists")),
            _ => {}
        }
    }
    let rows = dirty
        .iter()
        .map(|name| (*name).to_owned())
        .chain(not_state.keys().cloned());
    let is_there = |row: &String| {
        mutators
            .iter()
            .any(|name| name == row || whole_file(name) == *row)
    };
    for row in rows.filter(|row| !is_there(row)) {
        found.push(format!("{row} is listed and is no mutator"));
    }
    found
}

fn files() -> Vec<File> {
    sources::files(&[".rs"])
        .into_iter()
        .filter(|(path, _)| path.starts_with("gl/state/src/"))
        .collect()
}

fn dirty() -> Vec<&'static str> {
    MUTATORS.iter().map(|row| row.name).collect()
}

/// Bumps of the list that no line of their mutator's file makes: `bump!("file::function", path.to.bump)`, or `sites!` for both of a
/// framebuffer's.
fn without_a_line(sites: &[String], files: &[File]) -> Vec<String> {
    let is_made = |site: &String| {
        let (mutator, bump) = site.split_once('/').unwrap_or((site, ""));
        files.iter().any(|(_, text)| {
            let text: String = text.split_whitespace().collect();
            let made = text.split("bump!(").skip(1).any(|rest| {
                let call = rest.split(')').next().unwrap_or_default();
                call.split_once(',').is_some_and(|(name, path)| {
                    name == format!("\"{mutator}\"") && path.split('.').next_back() == Some(bump)
                })
            });
            made || text.contains(&format!("sites!(\"{mutator}\")"))
        })
    };
    sites
        .iter()
        .filter(|site| !is_made(site))
        .cloned()
        .collect()
}

#[test]
fn dirty_surface_bumps_are_made() {
    let sites: Vec<String> = gl_state::bump::Site::all()
        .map(|site| site.name())
        .collect();
    let found = without_a_line(&sites, &files());
    assert!(
        found.is_empty(),
        "a row lists a bump that its mutator does not make, so no planted fault can drop it:\n{}",
        found.join("\n")
    );
}

#[test]
fn dirty_surface_bumps_are_made_control() {
    let planted = ["buffer::write/serial", "buffer::write/any_program_change"].map(str::to_owned);
    assert_eq!(without_a_line(&planted, &files()), planted[1..]);
}

#[test]
fn dirty_surface_is_complete() {
    let found = faults(&mutators(&files()), &dirty(), &not_state());
    assert!(
        found.is_empty(),
        "a mutator has a row in gl/state/src/dirty_surface.rs with what it bumps, or one in gates/data/not_state.toml with the \
         reason why no backend has to know:\n{}",
        found.join("\n")
    );
    let unbumped: Vec<&str> = MUTATORS
        .iter()
        .filter(|row| row.bumps.is_empty())
        .map(|row| row.name)
        .collect();
    assert!(unbumped.is_empty(), "rows that bump nothing: {unbumped:?}");
}

#[test]
fn dirty_surface_is_complete_control() {
    let mut planted = dirty();
    let removed = planted.remove(0);
    let mut not_state = not_state();
    not_state.insert(planted[0].to_owned(), "planted".to_owned());
    not_state.insert("ghost::walks".to_owned(), "planted".to_owned());
    let found = faults(&mutators(&files()), &planted, &not_state).join("\n");
    for named in [
        format!("{removed} is in neither list"),
        format!("{} is in both lists", planted[0]),
        "ghost::walks is listed and is no mutator".to_owned(),
    ] {
        assert!(found.contains(&named), "{named} is not in\n{found}");
    }
}
