//! `mobilegl bench --instructions`: what a unit of each row costs on the null backend, in instructions, against the checked-in
//! figures. No clock takes part. It must not count anything itself: the measuring program does, under callgrind.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::table::Table;

/// Instructions per unit by lane and row.
pub type Counts = BTreeMap<String, BTreeMap<String, f64>>;

/// The figures of the last commit that changed them, with the build of `./x build`.
const CHECKED_IN: &str = include_str!("../../tests/driverbench/instructions.json");
/// What may be grown without an explanation (a new figure in the file, with its commit).
const TOLERANCE: f64 = 0.03;

/// What `driverbench --lane-json --instructions` prints.
#[derive(Deserialize)]
struct LaneOutput {
    rows: Vec<LaneRow>,
}

#[derive(Deserialize)]
struct LaneRow {
    name: String,
    instructions: Option<f64>,
}

/// Reads one lane's output; rows that could not be counted are left out.
pub fn read(output: &[u8]) -> Result<BTreeMap<String, f64>> {
    let output: LaneOutput = serde_json::from_slice(output).context("a lane's instructions")?;
    Ok(output
        .rows
        .into_iter()
        .filter_map(|row| Some((row.name, row.instructions?)))
        .collect())
}

/// The checked-in figures.
pub fn checked_in() -> Result<Counts> {
    serde_json::from_str(CHECKED_IN).context("tests/driverbench/instructions.json")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Same,
    /// Fewer than the tolerance allows: the file wants the new figure.
    Fewer,
    Grown,
    /// The file has no such row.
    New,
    /// The file has it, and it was not counted.
    Missing,
}

/// One row of one lane.
#[derive(Debug, PartialEq)]
pub struct Line {
    lane: String,
    row: String,
    then: Option<f64>,
    now: Option<f64>,
    pub verdict: Verdict,
}

impl Line {
    /// Whether it fails the bench.
    pub fn is_bad(&self) -> bool {
        match self.verdict {
            Verdict::Same | Verdict::Fewer | Verdict::New => false,
            Verdict::Grown | Verdict::Missing => true,
        }
    }
}

/// Every row of either, in order. Rows that were not asked for are not missing.
pub fn compare(then: &Counts, now: &Counts, asked: impl Fn(&str) -> bool) -> Vec<Line> {
    let mut lines = Vec::new();
    for (lane, counted) in now {
        let known = then.get(lane);
        let mut rows: Vec<&String> = counted.keys().collect();
        rows.extend(known.into_iter().flat_map(BTreeMap::keys));
        rows.sort();
        rows.dedup();
        for row in rows {
            let before = known.and_then(|rows| rows.get(row)).copied();
            let after = counted.get(row).copied();
            let verdict = match (before, after) {
                (Some(before), Some(after)) if after > before * (1.0 + TOLERANCE) => Verdict::Grown,
                (Some(before), Some(after)) if after < before * (1.0 - TOLERANCE) => Verdict::Fewer,
                (Some(_), Some(_)) => Verdict::Same,
                (None, _) => Verdict::New,
                (Some(_), None) if !asked(row) => continue,
                (Some(_), None) => Verdict::Missing,
            };
            lines.push(Line {
                lane: lane.clone(),
                row: row.clone(),
                then: before,
                now: after,
                verdict,
            });
        }
    }
    lines
}

/// Lays the lines out.
pub fn table(lines: &[Line]) -> Table {
    let mut table = Table::new(&["lane", "row", "checked in", "now", ""]);
    let text = |count: Option<f64>| count.map_or_else(|| "-".to_owned(), |n| format!("{n:.1}"));
    for line in lines {
        let verdict = match line.verdict {
            Verdict::Same => "",
            Verdict::Fewer => "fewer: tests/driverbench/instructions.json wants the new figure",
            Verdict::Grown => "GROWN by more than 3 %",
            Verdict::New => "new",
            Verdict::Missing => "NOT COUNTED",
        };
        table.row(vec![
            line.lane.clone(),
            line.row.clone(),
            text(line.then),
            text(line.now),
            verdict.to_owned(),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(rows: &[(&str, f64)]) -> Counts {
        let rows = rows.iter().map(|(row, n)| ((*row).to_owned(), *n));
        BTreeMap::from([("push".to_owned(), rows.collect())])
    }

    fn verdict(then: f64, now: f64) -> Verdict {
        compare(
            &counts(&[("draw", then)]),
            &counts(&[("draw", now)]),
            |_| true,
        )[0]
        .verdict
    }

    #[test]
    fn count_is_judged_with_three_percent_of_tolerance() {
        assert_eq!(verdict(100.0, 102.9), Verdict::Same);
        assert_eq!(verdict(100.0, 103.1), Verdict::Grown);
        assert_eq!(verdict(100.0, 96.9), Verdict::Fewer);
    }

    #[test]
    fn row_that_was_asked_for_and_not_counted_fails() {
        let lines = compare(&counts(&[("draw", 1.0)]), &counts(&[]), |_| true);
        assert!(lines[0].is_bad() && lines[0].verdict == Verdict::Missing);
        assert!(compare(&counts(&[("draw", 1.0)]), &counts(&[]), |_| false).is_empty());
        assert!(!compare(&counts(&[]), &counts(&[("draw", 1.0)]), |_| true)[0].is_bad());
    }

    #[test]
    fn checked_in_figures_are_of_both_lanes() {
        let lanes: Vec<String> = checked_in().expect("the file").into_keys().collect();
        assert_eq!(lanes, ["pull", "push"]);
    }
}
