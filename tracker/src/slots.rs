//! A set of numbered slots as told last, and which run of it a new set changes. It never grows past what the set needs.

use std::ops::Range;

/// What is known of the executing side's slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// Nothing was ever told: they are empty, but the group counts as never told.
    Fresh,
    /// Another arm may have told anything.
    Nothing,
    /// `told` is what they hold.
    All,
}

/// The slots of one set.
#[derive(Debug)]
pub(crate) struct Slots<T> {
    told: Vec<T>,
    empty: T,
    /// How many slots the set can have.
    cap: usize,
    known: Known,
}

impl<T: Copy + PartialEq> Slots<T> {
    pub(crate) fn new(empty: T, cap: usize) -> Self {
        Self {
            told: Vec::new(),
            empty,
            cap,
            known: Known::Fresh,
        }
    }

    /// Another arm took over for a while.
    pub(crate) fn forget(&mut self) {
        self.known = Known::Nothing;
    }

    /// Takes over a set of `len` slots; the run to tell, if any.
    pub(crate) fn update(
        &mut self,
        len: usize,
        now: impl Fn(usize) -> T,
    ) -> Option<(Range<usize>, &[T])> {
        if self.known != Known::All {
            let all = match self.known {
                Known::Nothing => self.cap,
                Known::Fresh | Known::All => len,
            };
            self.known = Known::All;
            self.told.clear();
            self.told.extend((0..len).map(&now));
            self.told.resize(all, self.empty);
            return Some((0..all, &self.told));
        }
        while self.told.len() > len && self.told.last() == Some(&self.empty) {
            self.told.pop();
        }
        if self.told.len() < len {
            self.told.resize(len, self.empty);
        }
        let mut moved: Option<Range<usize>> = None;
        for (slot, old) in self.told.iter_mut().enumerate() {
            let new = if slot < len { now(slot) } else { self.empty };
            if *old != new {
                *old = new;
                moved = Some(moved.map_or(slot, |run| run.start)..slot + 1);
            }
        }
        moved.map(|run| (run.clone(), &self.told[run]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_is_told_once_then_by_the_run_that_moved_and_whole_after_another_arm_told_it() {
        let mut slots = Slots::new(0, 4);
        assert_eq!(slots.update(2, |i| i + 1), Some((0..2, &[1, 2][..])));
        assert_eq!(slots.update(2, |i| i + 1), None);
        assert_eq!(slots.update(3, |i| [1, 7, 9][i]), Some((1..3, &[7, 9][..])));
        assert_eq!(slots.update(1, |_| 1), Some((1..3, &[0, 0][..])));
        slots.forget();
        assert_eq!(slots.update(1, |_| 1), Some((0..4, &[1, 0, 0, 0][..])));
        assert_eq!(slots.update(1, |_| 1), None);
    }
}
