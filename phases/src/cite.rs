//! Writes a full run into the ledger's text: the hash of its tree as `full` into every green row that it proves. It must not change
//! anything else of the text, nor judge the run.

use crate::{FullRun, Ledger, Row, Status};

/// A ledger's text with a run cited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cited {
    pub text: String,
    /// The rows that cite the run now.
    pub rows: Vec<String>,
    /// Green rows that it does not prove: they keep what they cited.
    pub unproven: Vec<String>,
}

impl FullRun {
    /// Whether every gate of a green row passed in it.
    pub fn proves(&self, row: &Row<'_>) -> bool {
        let passed = |gate: &String| self.gates.contains(gate);
        row.status == Status::Green && row.gates.iter().all(passed)
    }

    /// Cites this run in a ledger's text. `Err`: the text is no ledger.
    pub fn cite(&self, text: &str) -> Result<Cited, String> {
        let ledger = Ledger::parse(text)?;
        let (mut phases, mut bits) = (Vec::new(), Vec::new());
        for row in ledger.rows() {
            // Phases come first.
            match phases.len() < ledger.phases.len() {
                true => phases.push(row),
                false => bits.push(row),
            }
        }
        let (mut phases, mut bits) = (phases.into_iter(), bits.into_iter());
        let mut cited = Cited {
            text: String::new(),
            rows: Vec::new(),
            unproven: Vec::new(),
        };
        for (head, body) in blocks(text) {
            let row = match head {
                "[[phase]]" => phases.next(),
                "[[bit]]" => bits.next(),
                _ => None,
            };
            match row {
                Some(row) if self.proves(&row) => {
                    cited.text.push_str(&with_citation(body, &self.tree));
                    cited.rows.push(row.what);
                }
                row => {
                    cited.text.push_str(body);
                    let green = row.filter(|row| row.status == Status::Green);
                    cited.unproven.extend(green.map(|row| row.what));
                }
            }
        }
        Ledger::parse(&cited.text)?;
        Ok(cited)
    }
}

/// The text before the first row, then row by row: its head's line without the line's end, and all its text with the head.
fn blocks(text: &str) -> Vec<(&str, &str)> {
    let mut starts = vec![0];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with("[[") && at != 0 {
            starts.push(at);
        }
        at += line.len();
    }
    starts.push(text.len());
    let bodies = starts.windows(2).map(|ends| &text[ends[0]..ends[1]]);
    bodies
        .map(|body| (body.lines().next().unwrap_or_default().trim_end(), body))
        .collect()
}

/// A row's text with its `full` set; what follows the row (comments, empty lines) stays behind it.
fn with_citation(body: &str, tree: &str) -> String {
    let lines: Vec<&str> = body
        .lines()
        .filter(|line| !line.starts_with("full ") && !line.starts_with("full="))
        .collect();
    let is_row = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    let end = lines.iter().rposition(is_row).map_or(0, |last| last + 1);
    let mut text = String::new();
    for line in &lines[..end] {
        text.push_str(line);
        text.push('\n');
    }
    text.push_str(&format!("full = \"{tree}\"\n"));
    for line in &lines[end..] {
        text.push_str(line);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LEDGER_TOML;

    fn run(tree: char, gates: &[&str]) -> FullRun {
        FullRun {
            tree: tree.to_string().repeat(64),
            passed: 1,
            failed: 0,
            gates: gates.iter().map(|gate| (*gate).to_owned()).collect(),
        }
    }

    const TEXT: &str = "# The ledger.\n\n[[phase]]\nid = \"P0\"\ntitle = \"t\"\ngoal = \"g\"\nstatus = \"green\"\nbits = []\n\
                        residual_bytes = 0\ngates = [\n    \"one\",\n]\nmeasured = \"\"\n\n# A word.\n[[bit]]\nbit = 4\n\
                        name = \"b\"\nbackend = \"gles\"\nstatus = \"green\"\ngates = [\"two\"]\n\n[[bit]]\nbit = 4\nname = \"b\"\n\
                        backend = \"vulkan\"\nstatus = \"open\"\ngates = [\"one\"]\n";

    #[test]
    fn cite_writes_the_hash_into_the_green_rows_that_the_run_proves() {
        let cited = run('a', &["one"]).cite(TEXT).expect("a ledger");
        assert_eq!(cited.rows, ["phase P0"]);
        assert_eq!(cited.unproven.len(), 1, "{:?}", cited.unproven);
        let hash = "a".repeat(64);
        assert_eq!(
            cited.text,
            TEXT.replace(
                "measured = \"\"\n",
                &format!("measured = \"\"\nfull = \"{hash}\"\n")
            )
        );
    }

    #[test]
    fn cite_replaces_an_older_citation_and_nothing_else() {
        let once = run('a', &["one", "two"]).cite(TEXT).expect("a ledger");
        let twice = run('b', &["one"]).cite(&once.text).expect("a ledger");
        let ledger = Ledger::parse(&twice.text).expect("a ledger");
        assert_eq!(ledger.phases[0].full, "b".repeat(64));
        assert_eq!(ledger.bits[0].full, "a".repeat(64), "not proven anew");
        assert_eq!(ledger.bits[1].full, "", "not green");
        assert_eq!(twice.text.lines().count(), TEXT.lines().count() + 2);
    }

    #[test]
    fn cited_rows_of_the_checked_in_ledger_are_right_and_current() {
        let ledger = crate::ledger();
        let gates: Vec<&str> = ledger.gates();
        let run = run('c', &gates);
        let cited = run.cite(LEDGER_TOML).expect("the ledger");
        assert_eq!(cited.unproven, [""; 0]);
        let cited = Ledger::parse(&cited.text).expect("a ledger");
        let file = serde_json::to_string(&run).expect("plain data");
        assert_eq!(cited.miscited(|_| Some(file.clone())), [""; 0]);
        assert_eq!(cited.stale(&run.tree), [""; 0]);
        assert_ne!(cited.stale(&"d".repeat(64)), [""; 0]);
    }
}
