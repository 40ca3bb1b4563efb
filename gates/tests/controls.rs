//! Every gate has a control and every control a gate.

use crate::sources::{self, tests_in};

/// Tests without their other half: a gate `name` and `name_control`.
fn halves(tests: &[String]) -> Vec<String> {
    tests
        .iter()
        .filter(|name| {
            let other = match name.strip_suffix("_control") {
                Some(gate) => gate.to_owned(),
                None => format!("{name}_control"),
            };
            !tests.contains(&other)
        })
        .cloned()
        .collect()
}

/// What the ledger calls a gate and has no control anywhere. A scenario on a lane (`name::lane`) is controlled by the masks' gates: a
/// planted fault turns scenarios red there.
fn without_control<'a>(gates: &[&'a str], tests: &[String]) -> Vec<&'a str> {
    let lacks = |gate: &&&str| !gate.contains("::") && !tests.contains(&format!("{gate}_control"));
    gates.iter().filter(lacks).copied().collect()
}

#[test]
fn controls_equal_gates() {
    let files = sources::files(&[".rs"]);
    let all: Vec<String> = files.iter().flat_map(|(_, text)| tests_in(text)).collect();
    let found = without_control(&phases::ledger().green_gates(), &all);
    assert!(
        found.is_empty(),
        "gates of the ledger without a control: {found:?}"
    );
    let tests: Vec<String> = files
        .iter()
        .filter(|(path, _)| path.starts_with("gates/tests/"))
        .flat_map(|(_, text)| tests_in(text))
        .collect();
    assert!(tests.len() > 20, "the gates are found: {tests:?}");
    let found = halves(&tests);
    assert!(
        found.is_empty(),
        "a gate and its control are two tests, `name` and `name_control`; alone: {found:?}"
    );
}

#[test]
fn controls_equal_gates_control() {
    let tests = ["a", "a_control", "b", "c_control"].map(str::to_owned);
    assert_eq!(halves(&tests), ["b", "c_control"]);
    assert_eq!(without_control(&["a", "b", "s::gles"], &tests), ["b"]);
    let text = "#[test]\n#[cfg(unix)]\nfn one() {}\nfn helper() {}\n    #[test]\n    fn two() {}\n";
    assert_eq!(tests_in(text), ["one", "two"]);
}
