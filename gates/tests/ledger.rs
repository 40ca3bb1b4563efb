//! The ledger says what is: what it marks green names tests that exist, its bits are those of the table and of the library.

use config::{BITS, PushMask};
use phases::{Ledger, Status};
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
fn lies(ledger: &Ledger, tests: &[String], pages: &[String], implemented: PushMask) -> Vec<String> {
    let mut found = Vec::new();
    let phases = ledger
        .phases
        .iter()
        .map(|phase| (format!("phase {}", phase.id), phase.status, &phase.gates));
    let bits = ledger.bits.iter().map(|row| {
        (
            format!("bit {} on {:?}", row.name, row.backend),
            row.status,
            &row.gates,
        )
    });
    for (what, status, gates) in phases.chain(bits) {
        if status != Status::Green {
            continue;
        }
        for gate in gates.iter().filter(|gate| !tests.contains(gate)) {
            found.push(format!("{what} is green by `{gate}`, which is no test"));
        }
    }
    for phase in &ledger.phases {
        if !pages
            .iter()
            .any(|page| page.starts_with(&format!("phases/{}-", phase.id)))
        {
            found.push(format!(
                "phase {} has no page phases/{}-*.md",
                phase.id, phase.id
            ));
        }
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

fn pages() -> Vec<String> {
    sources::files(&[".md"])
        .into_iter()
        .map(|(path, _)| path)
        .collect()
}

#[test]
fn phase_ledger_is_true() {
    let implemented = walk::implemented(library::of(Lane::null));
    let found = lies(phases::ledger(), &tests(), &pages(), implemented);
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
    let found = lies(&ledger, &tests(), &pages(), PushMask::ALL).join("\n");
    for named in [
        "phase P99 is green by `no_such_gate`, which is no test",
        "phase P99 has no page",
        "bit 0 is not called render_stare",
        "bit render_state on Vulkan is Planned, and the library has it",
    ] {
        assert!(found.contains(named), "{named} is not in\n{found}");
    }
}
