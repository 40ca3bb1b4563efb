//! Holds the ledger against the result file of a test run: what is marked green must have run and passed there. It must
//! not know how tests are run.

use std::path::Path;

use anyhow::{Context, Result};
use phases::{FullRun, Ledger, Status};

/// What a run's result file says.
pub struct Run {
    passed: Vec<String>,
    failed: usize,
}

impl Run {
    pub fn read(file: &Path) -> Result<Run> {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("the test run's results {}", file.display()))?;
        Run::parse(&text).with_context(|| format!("{}", file.display()))
    }

    fn parse(text: &str) -> Result<Run> {
        let document = roxmltree::Document::parse(text)?;
        let cases = document
            .descendants()
            .filter(|node| node.has_tag_name("testcase"));
        let mut run = Run {
            passed: Vec::new(),
            failed: 0,
        };
        for case in cases {
            let ends = |tag: &str| case.children().any(|child| child.has_tag_name(tag));
            if ends("failure") || ends("error") {
                run.failed += 1;
            } else if !ends("skipped")
                && let Some(name) = case.attribute("name")
            {
                run.passed.push(name.to_owned());
            }
        }
        Ok(run)
    }

    fn has(&self, gate: &str) -> bool {
        self.passed.iter().any(|name| is_test(name, gate))
    }

    /// Green rows whose gates lack a pass in this run, a sentence each.
    pub fn unproven(&self, ledger: &Ledger) -> Vec<String> {
        let green = ledger.rows().filter(|row| row.status == Status::Green);
        green
            .flat_map(|row| {
                let lacking = row.gates.iter().filter(|gate| !self.has(gate));
                lacking.map(move |gate| {
                    let what = &row.what;
                    format!("{what} is green, but its gate `{gate}` has no pass in this run")
                })
            })
            .collect()
    }

    /// What rows of the ledger may cite.
    pub fn full(&self, ledger: &Ledger, tree: &str) -> FullRun {
        FullRun {
            tree: tree.to_owned(),
            passed: self.passed.len() as u32,
            failed: self.failed as u32,
            gates: ledger
                .gates()
                .into_iter()
                .filter(|gate| self.has(gate))
                .map(str::to_owned)
                .collect(),
        }
    }
}

/// A gate is named without the modules that its test lies in.
fn is_test(name: &str, gate: &str) -> bool {
    name == gate
        || name
            .strip_suffix(gate)
            .is_some_and(|before| before.ends_with("::"))
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
        let run = Run::parse(RESULTS).expect("XML");
        run.unproven(&ledger(status, gate)).len()
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
    fn full_run_says_the_tree_the_counts_and_the_gates_that_passed() {
        let run = Run::parse(RESULTS).expect("XML");
        let full = run.full(&ledger("green", "edges_hold"), "abc");
        assert_eq!(
            (full.tree.as_str(), full.passed, full.failed),
            ("abc", 2, 1)
        );
        assert_eq!(full.gates, ["edges_hold"]);
        let full = run.full(&ledger("green", "files_are_fresh"), "abc");
        assert_eq!(full.gates, [""; 0]);
    }

    #[test]
    fn open_row_needs_no_proof() {
        assert_eq!(unproven("open", "never_written"), 0);
    }
}
