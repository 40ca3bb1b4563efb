//! The ledger says what is: what it marks green names tests that exist, its bits are those of the table and of the library.

use config::{BITS, PushMask};
use phases::{Ledger, Phase, Status};
use scenarios::lane::Lane;
use scenarios::{library, walk};

use crate::sources;

macro_rules! names {
    ($($file:ident::$name:ident [$($lane:ident)*];)*) => {
        /// The scenarios' tests: a macro writes them.
        const SCENARIOS: &[&str] = &[$($(concat!(stringify!($name), "::", stringify!($lane))),*),*];
    };
}
scenarios::each_scenario!(names);

/// Names of all tests of the workspace.
fn tests() -> Vec<String> {
    let files = sources::files(&[".rs"]);
    let written = files.iter().flat_map(|(_, text)| sources::tests_in(text));
    written
        .chain(SCENARIOS.iter().map(|name| (*name).to_owned()))
        .collect()
}

/// What is not true, a sentence each.
fn lies(
    ledger: &Ledger,
    tests: &[String],
    pages: &[(String, String)],
    implemented: PushMask,
) -> Vec<String> {
    let mut found = Vec::new();
    for row in ledger.rows().filter(|row| row.status == Status::Green) {
        let what = &row.what;
        for gate in row.gates.iter().filter(|gate| !tests.contains(gate)) {
            found.push(format!("{what} is green by `{gate}`, which is no test"));
        }
    }
    for phase in &ledger.phases {
        found.extend(page_differs(phase, pages));
    }
    for row in &ledger.bits {
        if !BITS
            .iter()
            .any(|bit| bit.bit == row.bit && bit.name == row.name)
        {
            found.push(format!("bit {} is not called {}", row.bit, row.name));
        }
        let is_built = implemented.0 >> row.bit & 1 == 1;
        if is_built == (row.status == Status::Planned) {
            found.push(format!(
                "bit {} on {:?} is {:?}, and the library {} it",
                row.name,
                row.backend,
                row.status,
                if is_built { "has" } else { "lacks" }
            ));
        }
    }
    found
}

/// What a phase's page says.
const HEADINGS: [&str; 5] = [
    "## Goal",
    "## What it changes",
    "## Exit gates",
    "## How to measure",
    "## Status",
];

/// A phase's page repeats its row: the goal, the gates in their order, the status.
fn page_differs(phase: &Phase, pages: &[(String, String)]) -> Option<String> {
    let id = &phase.id;
    let start = format!("docs/phases/{id}-");
    let Some((path, text)) = pages.iter().find(|(path, _)| path.starts_with(&start)) else {
        return Some(format!("phase {id} has no page docs/phases/{id}-*.md"));
    };
    let headings: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("## "))
        .collect();
    if headings != HEADINGS {
        return Some(format!(
            "{path}: the headings are {headings:?}, not {HEADINGS:?}"
        ));
    }
    let section = |heading: &str| -> &str {
        let rest = text.split(heading).nth(1).unwrap_or_default();
        rest.split("\n## ").next().unwrap_or_default()
    };
    let listed = section("## Exit gates").lines();
    let listed: Vec<&str> = listed
        .filter_map(|line| line.strip_prefix("- `")?.split('`').next())
        .collect();
    if listed != phase.gates {
        return Some(format!(
            "{path}: the gates are {listed:?}, the ledger has {:?}",
            phase.gates
        ));
    }
    let status = format!("{:?}", phase.status);
    if !section("## Status").trim_start().starts_with(&status) {
        return Some(format!("{path}: the status does not begin with `{status}`"));
    }
    (!section("## Goal").contains(&phase.goal))
        .then(|| format!("{path}: the goal is not the ledger's"))
}

fn pages() -> Vec<(String, String)> {
    sources::files(&[".md"])
}

/// A file below phases/, as it lies here.
fn below_phases(path: &str) -> Option<String> {
    std::fs::read_to_string(library::root().join("phases").join(path)).ok()
}

#[test]
fn phase_ledger_is_true() {
    let implemented = walk::implemented(library::of(Lane::null));
    let ledger = phases::ledger();
    let mut found = lies(ledger, &tests(), &pages(), implemented);
    found.extend(ledger.miscited(below_phases));
    assert!(
        found.is_empty(),
        "phases/ledger.toml:\n{}",
        found.join("\n")
    );
}

#[test]
fn phase_ledger_is_true_control() {
    let mut ledger = phases::ledger().clone();
    ledger.phases[0].status = Status::Green;
    ledger.phases[0].gates = vec!["no_such_gate".to_owned()];
    ledger.phases[0].id = "P99".to_owned();
    ledger.bits[0].name = "render_stare".to_owned();
    ledger.bits[1].status = Status::Planned;
    ledger.phases[1].full = "a".repeat(64);
    ledger.phases[2].goal = "Another.".to_owned();
    ledger.phases[3].gates.pop();
    ledger.phases[4].status = match ledger.phases[4].status {
        Status::Green => Status::Open,
        Status::Open | Status::Planned => Status::Green,
    };
    let mut found = lies(&ledger, &tests(), &pages(), PushMask::ALL);
    let other = r#"{"tree":"b","passed":1,"failed":0,"gates":[]}"#;
    found.extend(ledger.miscited(|_| Some(other.to_owned())));
    let found = found.join("\n");
    for named in [
        "phase P99 is green by `no_such_gate`, which is no test",
        "phase P99 has no page",
        "bit 0 is not called render_stare",
        "bit render_state on Vulkan is Planned, and the library has it",
        "cites the tree aaaa",
        "the goal is not the ledger's",
        "the gates are [",
        "the status does not begin with",
    ] {
        assert!(found.contains(named), "{named} is not in\n{found}");
    }
}
