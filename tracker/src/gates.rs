//! What the gates of the atoms let through, counted where somebody asked for counters. It counts; it opens and closes nothing.

use crate::atoms::ATOMS;
use crate::{Job, Tracker};

/// What one atom did at the verbs before which something of it may have moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GateCounts {
    /// Its gate held.
    pub held: u64,
    /// It looked, and the value was the one told last.
    pub same: u64,
    /// It told.
    pub told: u64,
}

impl std::ops::AddAssign for GateCounts {
    fn add_assign(&mut self, other: Self) {
        self.held += other.held;
        self.same += other.same;
        self.told += other.told;
    }
}

/// The counters of one tracker.
#[derive(Debug, Default)]
pub(crate) struct Gates {
    counts: Option<Box<[GateCounts; ATOMS.len()]>>,
    /// The atom in progress got past its gate.
    pub(crate) opened: bool,
}

impl Tracker {
    /// Counts from now on, or no longer.
    pub fn count_gates(&mut self, on: bool) {
        self.gates.counts = on.then(Box::default);
    }

    /// By atom; empty where nothing is counted.
    pub fn gate_counts(&self) -> Vec<(&'static str, GateCounts)> {
        let rows = |counts: &[GateCounts; ATOMS.len()]| {
            let rows = ATOMS.iter().zip(counts);
            rows.map(|(row, counts)| (row.name, *counts)).collect()
        };
        self.gates.counts.as_deref().map(rows).unwrap_or_default()
    }

    /// Calls before an atom, where gates are counted.
    #[inline]
    pub(crate) fn before_atom(&mut self, job: &Job<'_>) -> u64 {
        match self.gates.counts {
            None => 0,
            Some(_) => {
                self.gates.opened = false;
                job.out.all_calls()
            }
        }
    }

    #[inline]
    pub(crate) fn after_atom(&mut self, atom: u32, before: u64, job: &Job<'_>) {
        if let Some(counts) = &mut self.gates.counts {
            let count = &mut counts[atom as usize];
            match (job.out.all_calls() != before, self.gates.opened) {
                (true, _) => count.told += 1,
                (false, true) => count.same += 1,
                (false, false) => count.held += 1,
            }
        }
    }
}
