//! The result file of a full run: which tree it was, and which of the ledger's gates passed there. It must not say whether that tree
//! is today's: a result may be old, and is then shown as such.

use serde::{Deserialize, Serialize};

use crate::{Ledger, Row, Status};

/// `./x test --full` writes it; a row of the ledger cites it by its tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FullRun {
    /// Hash of the source tree without phases/ and docs/: `.config/tree-hash.sh`.
    pub tree: String,
    pub passed: u32,
    pub failed: u32,
    /// Gates of the ledger that passed.
    pub gates: Vec<String>,
}

impl FullRun {
    /// Where the run of a tree lies below phases/.
    pub fn path_of(tree: &str) -> String {
        format!("results/{}.json", tree.get(..12).unwrap_or(tree))
    }
}

impl Ledger {
    /// Rows that cite a full run which does not prove them, a sentence each; `find` reads a file below phases/.
    pub fn miscited(&self, find: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let cited = self.rows().filter(|row| !row.full.is_empty());
        cited.filter_map(|row| miscited(&row, &find)).collect()
    }

    /// Rows whose full run is of another tree than this: stale, not wrong.
    pub fn stale(&self, tree: &str) -> Vec<String> {
        let cited = self.rows().filter(|row| !row.full.is_empty());
        cited
            .filter(|row| row.full != tree)
            .map(|row| row.what)
            .collect()
    }

    /// Every gate that a row names, once; open rows may turn green on the same tree.
    pub fn gates(&self) -> Vec<&str> {
        let mut gates: Vec<&str> = self
            .rows()
            .flat_map(|row| row.gates.iter().map(String::as_str))
            .collect();
        gates.sort_unstable();
        gates.dedup();
        gates
    }

    /// Every gate that a green row names, once.
    pub fn green_gates(&self) -> Vec<&str> {
        let green = self.rows().filter(|row| row.status == Status::Green);
        let mut gates: Vec<&str> = green
            .flat_map(|row| row.gates.iter().map(String::as_str))
            .collect();
        gates.sort_unstable();
        gates.dedup();
        gates
    }
}

fn miscited(row: &Row<'_>, find: impl Fn(&str) -> Option<String>) -> Option<String> {
    let path = FullRun::path_of(row.full);
    let what = &row.what;
    let Some(text) = find(&path) else {
        return Some(format!("{what} cites phases/{path}, which does not exist"));
    };
    let run: FullRun = match serde_json::from_str(&text) {
        Ok(run) => run,
        Err(error) => return Some(format!("phases/{path}: {error}")),
    };
    if run.tree != row.full {
        return Some(format!(
            "{what} cites the tree {}, its result file is of {}",
            row.full, run.tree
        ));
    }
    let lacking: Vec<&str> = row
        .gates
        .iter()
        .map(String::as_str)
        .filter(|gate| !run.gates.iter().any(|passed| passed == gate))
        .collect();
    (!lacking.is_empty()).then(|| {
        format!(
            "{what} cites phases/{path}, where {} did not pass",
            lacking.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

    fn ledger() -> Ledger {
        Ledger::parse(&format!(
            "bit=[]\n[[phase]]\nid=\"P0\"\ntitle=\"t\"\ngoal=\"g\"\nstatus=\"green\"\nbits=[]\nresidual_bytes=0\n\
             gates=[\"one\"]\nmeasured=\"\"\nfull=\"{TREE}\"\n"
        ))
        .expect("a ledger")
    }

    fn run(tree: &str, gate: &str) -> String {
        let run = FullRun {
            tree: tree.to_owned(),
            passed: 1,
            failed: 0,
            gates: vec![gate.to_owned()],
        };
        serde_json::to_string(&run).expect("plain data")
    }

    #[test]
    fn row_that_cites_its_own_result_is_right() {
        let found = ledger().miscited(|path| {
            assert_eq!(path, "results/0123456789ab.json");
            Some(run(TREE, "one"))
        });
        assert_eq!(found, [""; 0]);
    }

    #[test]
    fn row_that_cites_another_hash_a_missing_file_or_a_gate_that_did_not_pass_is_named() {
        let says = |text: Option<String>| ledger().miscited(|_| text.clone()).join("");
        assert!(says(None).contains("does not exist"));
        assert!(says(Some(run(&"f".repeat(64), "one"))).contains("its result file is of ffff"));
        assert!(says(Some(run(TREE, "two"))).contains("one did not pass"));
        assert!(says(Some("{}".to_owned())).contains("missing field"));
    }

    #[test]
    fn row_of_an_older_tree_is_stale() {
        assert_eq!(ledger().stale(&"e".repeat(64)), ["phase P0"]);
        assert_eq!(ledger().stale(TREE), [""; 0]);
    }
}
