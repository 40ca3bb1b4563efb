//! How often the pull arm read the context, by the gate that it stood before. It counts and decides nothing.

use pipe_inputs::{GROUPS, Group};

/// Reads so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reads {
    /// Verbs.
    pub verbs: u64,
    /// The versions that are compared before anything else.
    pub versions: u64,
    groups: [u64; GROUPS.len()],
}

impl Reads {
    /// Those before the gates of a group.
    #[inline]
    pub(crate) fn of(&mut self, group: Group) -> &mut u64 {
        &mut self.groups[group as usize]
    }

    /// All reads.
    pub fn total(&self) -> u64 {
        self.versions + self.groups.iter().sum::<u64>()
    }

    /// Reads by group, those without any left out.
    pub fn by_group(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let counts = GROUPS.iter().zip(self.groups);
        counts
            .filter(|(_, count)| *count != 0)
            .map(|(row, count)| (row.name, count))
    }

    /// What came since `before`.
    pub fn since(&self, before: &Reads) -> Reads {
        let mut groups = self.groups;
        for (count, before) in groups.iter_mut().zip(before.groups) {
            *count -= before;
        }
        Reads {
            verbs: self.verbs - before.verbs,
            versions: self.versions - before.versions,
            groups,
        }
    }
}
