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

#[test]
fn controls_equal_gates() {
    let tests: Vec<String> = sources::files(&[".rs"])
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
    let text = "#[test]\n#[cfg(unix)]\nfn one() {}\nfn helper() {}\n    #[test]\n    fn two() {}\n";
    assert_eq!(tests_in(text), ["one", "two"]);
}
