//! Unchanged Python programs: one of a few lines, and moderngl's own test-suite, on the staged drop-in folder.
//!
//! `tests/moderngl/passes-BACKEND.txt` lists the tests that pass. A listed test that fails is red, and so is one that passes without
//! being listed: the list only grows, and says what it says. A name behind a question mark is left out, with its reason.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Output};

fn needed(variable: &str) -> PathBuf {
    let value = std::env::var_os(variable).unwrap_or_else(|| {
        panic!("{variable} is not set: run `./x test`, which makes what this test needs")
    });
    PathBuf::from(value)
}

fn dropin() -> PathBuf {
    needed("MOBILEGL_STAGE").join("default/dropin")
}

fn here(path: &str) -> String {
    format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))
}

fn python(backend: &str) -> Command {
    let mut command = Command::new(needed("MOBILEGL_PYTHON"));
    command
        .env("LD_LIBRARY_PATH", dropin())
        .env("MOBILEGL_BACKEND", backend)
        .env("MOBILEGL_CONFIG", "/dev/null")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env_remove("DISPLAY");
    command
}

fn said(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

fn unchanged_program_draws(backend: &str) {
    let output = python(backend)
        .arg(here("fixtures/triangle.py"))
        .output()
        .expect("python starts");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    assert!(
        errors.contains("MobileGL"),
        "it ran on another library: {errors}"
    );
    assert_eq!(output.stdout.len(), 16 * 16 * 4, "{errors}");
    // The triangle covers the lower left half: 0.2, 0.4, 0.6, 0.8 are 51, 102, 153, 204 (GL 4.6 §2.3.5).
    let at = |x: usize, y: usize| &output.stdout[4 * (16 * y + x)..][..4];
    assert_eq!(at(2, 2), [51, 102, 153, 204], "inside");
    assert_eq!(at(13, 13), [0, 0, 0, 255], "outside");
}

fn suite_passes_what_is_listed(backend: &str) {
    let tests = needed("MOBILEGL_MODERNGL");
    let results = std::env::temp_dir().join(format!(
        "mobilegl-moderngl-{backend}-{}.xml",
        std::process::id()
    ));
    // The fixtures travel beside the distribution's tests, which have none.
    std::fs::copy(here("moderngl/conftest.py"), tests.join("conftest.py"))
        .expect("the folder of the tests can be written");
    let output = python(backend)
        .args([
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--tb=line",
            "--junitxml",
        ])
        .arg(&results)
        // Names of test cases count from here, wherever the distribution lies.
        .args(["--rootdir", ".", "."])
        .current_dir(&tests)
        .output()
        .expect("python starts");
    let xml = std::fs::read_to_string(&results)
        .unwrap_or_else(|_| panic!("pytest did not end: {}", said(&output)));
    let _ = std::fs::remove_file(&results);
    let passed = passes(&xml);
    let list = here(&format!("moderngl/passes-{backend}.txt"));
    let listed: BTreeSet<String> = std::fs::read_to_string(&list)
        .unwrap_or_else(|error| panic!("{list}: {error}"))
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect();
    // "? name" with the reason above it: passes or not by accident, so it proves nothing either way.
    let unstable: BTreeSet<String> = listed
        .iter()
        .filter_map(|line| line.strip_prefix("? ").map(str::to_owned))
        .collect();
    let listed: BTreeSet<String> = listed
        .into_iter()
        .filter(|line| !line.starts_with("? "))
        .collect();
    let passed: BTreeSet<String> = passed.difference(&unstable).cloned().collect();
    let lost: Vec<_> = listed.difference(&passed).collect();
    let gained: Vec<_> = passed.difference(&listed).map(String::as_str).collect();
    let tail: String = said(&output)
        .lines()
        .rev()
        .take(60)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect::<Vec<_>>()
        .join("\n");
    assert!(
        lost.is_empty(),
        "listed in {list} and no longer passing: {lost:#?}\n{tail}"
    );
    assert!(
        gained.is_empty(),
        "passing and not listed; add to {list}:\n{}",
        gained.join("\n")
    );
    assert!(
        passed.len() >= 250,
        "{} tests pass: a list that shrinks to nothing proves nothing",
        passed.len()
    );
}

/// Names of the test cases without a failure, error or skip, from JUnit XML.
fn passes(xml: &str) -> BTreeSet<String> {
    let mut passed = BTreeSet::new();
    for case in xml.split("<testcase ").skip(1) {
        let (head, rest) = case.split_once('>').unwrap_or((case, ""));
        let attribute = |name: &str| {
            let (_, value) = head.split_once(&format!("{name}=\""))?;
            value.split_once('"').map(|(value, _)| value.to_owned())
        };
        let body = rest.split("</testcase>").next().unwrap_or("");
        let bare = head.ends_with('/');
        let bad = !bare
            && ["<failure", "<error", "<skipped"]
                .iter()
                .any(|tag| body.contains(tag));
        // `class` stands in `classname` too: ask for the name with the blank before it.
        let name = head
            .split_once(" name=\"")
            .and_then(|(_, v)| v.split_once('"'))
            .map(|(v, _)| v.to_owned());
        if let (Some(class), Some(name), false) = (attribute("classname"), name, bad) {
            passed.insert(format!("{class}::{name}"));
        }
    }
    passed
}

#[test]
fn unchanged_program_draws_on_gles() {
    unchanged_program_draws("gles");
}

#[test]
fn unchanged_program_draws_on_vulkan() {
    unchanged_program_draws("vulkan");
}

#[test]
fn moderngl_suite_passes_what_is_listed_on_gles() {
    suite_passes_what_is_listed("gles");
}

#[test]
fn moderngl_suite_passes_what_is_listed_on_vulkan() {
    suite_passes_what_is_listed("vulkan");
}

#[test]
fn junit_names_of_failed_and_skipped_cases_are_left_out() {
    let xml = r#"<testsuite><testcase classname="a" name="ok" time="0" /><testcase classname="a" name="no" time="0"><failure message="x">y</failure></testcase><testcase classname="b" name="skip" time="0"><skipped /></testcase></testsuite>"#;
    assert_eq!(passes(xml).into_iter().collect::<Vec<_>>(), ["a::ok"]);
}
