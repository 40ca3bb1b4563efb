//! Holds the ledger against the result file of a test run: what is marked green must have run and passed there. It must
//! not know how tests are run.

use std::path::Path;

use anyhow::{Context, Result};
use phases::{Ledger, Status};

/// Green rows whose gates lack a pass in this run, a sentence each.
pub fn unproven(ledger: &Ledger, file: &Path) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("the test run's results {}", file.display()))?;
    let passed = passed(&text).with_context(|| format!("{}", file.display()))?;
    Ok(unproven_by(ledger, &passed))
}

fn unproven_by(ledger: &Ledger, passed: &[String]) -> Vec<String> {
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
    let green = phases
        .chain(bits)
        .filter(|(_, status, _)| *status == Status::Green);
    green
        .flat_map(|(what, _, gates)| {
            let lacking = gates
                .iter()
                .filter(|gate| !passed.iter().any(|name| is_test(name, gate)));
            lacking.map(move |gate| {
                format!("{what} is green, but its gate `{gate}` has no pass in this run")
            })
        })
        .collect()
}

/// A gate is named without the modules that its test lies in.
fn is_test(name: &str, gate: &str) -> bool {
    name == gate
        || name
            .strip_suffix(gate)
            .is_some_and(|before| before.ends_with("::"))
}

/// Names of the test cases with neither failure, error nor skip.
fn passed(text: &str) -> Result<Vec<String>> {
    let document = roxmltree::Document::parse(text)?;
    let cases = document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"));
    let good = cases.filter(|case| {
        !case.children().any(|child| {
            ["failure", "error", "skipped"]
                .iter()
                .any(|tag| child.has_tag_name(*tag))
        })
    });
    Ok(good
        .filter_map(|case| case.attribute("name"))
        .map(str::to_owned)
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESULTS: &str = r#"<testsuites><testsuite name="gates">
        <testcase name="rules::edges_hold"/>
        <testcase name="files_are_fresh"><failure type="test failure">stale</failure></testcase>
        <testcase name="other"><system-out>text</system-out></testcase>
        <testcase name="left_out"><skipped/></testcase>
    </testsuite></testsuites>"#;

    fn ledger(status: &str, gate: &str) -> Ledger {
        Ledger::parse(&format!(
            "bit=[]\n[[phase]]\nid=\"P0\"\ntitle=\"t\"\ngoal=\"g\"\nstatus=\"{status}\"\nbits=[]\nresidual_bytes=0\n\
             gates=[\"{gate}\"]\nmeasured=\"\"\n"
        ))
        .expect("a ledger")
    }

    fn unproven(status: &str, gate: &str) -> usize {
        unproven_by(&ledger(status, gate), &passed(RESULTS).expect("XML")).len()
    }

    #[test]
    fn green_row_with_a_passed_gate_is_proven() {
        assert_eq!(unproven("green", "edges_hold"), 0);
        assert_eq!(unproven("green", "other"), 0);
    }

    #[test]
    fn green_row_whose_gate_failed_was_skipped_or_did_not_run_is_not_proven() {
        for gate in ["files_are_fresh", "left_out", "never_written", "hold"] {
            assert_eq!(unproven("green", gate), 1, "{gate}");
        }
    }

    #[test]
    fn open_row_needs_no_proof() {
        assert_eq!(unproven("open", "never_written"), 0);
    }
}
