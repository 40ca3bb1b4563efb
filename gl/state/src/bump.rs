//! Bumps of versions and generations. Each names its row of the dirty surface, so that a bump without a row does not compile and a
//! planted fault (feature `faults`) can drop exactly one of them. It decides nothing: mutators do.

use crate::dirty_surface::{MUTATORS, THROUGH};
use std::sync::atomic::{AtomicU64, Ordering};

/// One bump of one mutator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site(u8);

/// Bumps that are dropped: a bit per site.
static DROPPED: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

const _: () = assert!(count() <= 128, "the set of dropped bumps has 128 bits");

const fn count() -> usize {
    let (mut n, mut i) = (0, 0);
    while i < MUTATORS.len() {
        n += MUTATORS[i].bumps.len();
        i += 1;
    }
    n
}

/// Adds one to a version or generation, in the name of a row of the dirty surface: `bump!("buffer::write", self.serial)`.
macro_rules! bump {
    ($mutator:literal, $($path:ident).+) => {{
        const SITE: $crate::bump::Site = $crate::bump::Site::of($mutator, stringify!($($path).+));
        $($path).+ += SITE.step();
    }};
}
pub(crate) use bump;

impl Site {
    /// The site of a mutator's bump; of a path, its last part counts. A pair that is not in the dirty surface does not compile.
    pub(crate) const fn of(mutator: &str, path: &str) -> Self {
        let (mut at, mut row) = (0, 0);
        while row < MUTATORS.len() {
            let mut i = 0;
            while i < MUTATORS[row].bumps.len() {
                if equal(MUTATORS[row].name, mutator)
                    && ends_with_part(path, MUTATORS[row].bumps[i])
                {
                    return Self(at);
                }
                at += 1;
                i += 1;
            }
            row += 1;
        }
        panic!("gl/state/src/dirty_surface.rs has no such row, or the row does not list this bump")
    }

    /// What a bump adds: one, or nothing where this bump is dropped.
    #[inline]
    pub(crate) fn step(self) -> u64 {
        if !cfg!(feature = "faults") {
            return 1;
        }
        let dropped = DROPPED[usize::from(self.0 / 64)].load(Ordering::Relaxed);
        1 - (dropped >> (self.0 % 64) & 1)
    }

    /// `buffer::write/serial`.
    pub fn name(self) -> String {
        let mut at = usize::from(self.0);
        for row in MUTATORS {
            match row.bumps.get(at) {
                Some(bump) => return format!("{}/{bump}", row.name),
                None => at -= row.bumps.len(),
            }
        }
        unreachable!("a site is made from the list")
    }

    /// The version or generation alone.
    pub fn bump(self) -> &'static str {
        let bumps = MUTATORS.iter().flat_map(|row| row.bumps);
        bumps
            .copied()
            .nth(usize::from(self.0))
            .expect("a site is made from the list")
    }

    /// Every bump that its mutator makes itself: those that it makes through another mutator are the other's.
    pub fn all() -> impl Iterator<Item = Self> {
        let pairs = MUTATORS
            .iter()
            .flat_map(|row| row.bumps.iter().map(move |bump| (row, bump)));
        pairs.enumerate().filter_map(|(at, (row, bump))| {
            let elsewhere = THROUGH.iter().any(|(mutator, other)| {
                *mutator == row.name
                    && MUTATORS
                        .iter()
                        .any(|row| row.name == *other && row.bumps.contains(bump))
            });
            (!elsewhere).then_some(Self(at as u8))
        })
    }
}

/// From now on exactly these bumps are dropped, in the whole process. Does nothing without the feature `faults`.
pub fn plant(dropped: &[Site]) {
    for (word, bits) in DROPPED.iter().enumerate() {
        let here = dropped
            .iter()
            .filter(|site| usize::from(site.0 / 64) == word);
        let set = here.fold(0, |set, site| set | 1 << (site.0 % 64));
        bits.store(set, Ordering::Relaxed);
    }
}

const fn equal(a: &str, b: &str) -> bool {
    a.len() == b.len() && ends_with(a.as_bytes(), b.as_bytes())
}

/// `path` is `part`, or ends with it behind a dot.
const fn ends_with_part(path: &str, part: &str) -> bool {
    let (path, part) = (path.as_bytes(), part.as_bytes());
    if !ends_with(path, part) {
        return false;
    }
    let before = path.len() - part.len();
    // `stringify!` may put spaces around the dots.
    before == 0 || path[before - 1] == b'.' || path[before - 1] == b' '
}

const fn ends_with(text: &[u8], end: &[u8]) -> bool {
    if text.len() < end.len() {
        return false;
    }
    let mut i = 0;
    while i < end.len() {
        if text[text.len() - end.len() + i] != end[i] {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn site_is_found_by_mutator_and_last_part_of_the_path() {
        let serial = Site::of("buffer::write", "self.serial");
        assert_eq!(serial.name(), "buffer::write/serial");
        assert_eq!(serial.bump(), "serial");
        let patch = Site::of("patch::set_patch", "self . generations . patch");
        assert_eq!(patch.name(), "patch::set_patch/patch");
        assert_ne!(
            Site::of("buffer::set_storage", "self.storage_serial"),
            serial
        );
    }

    #[test]
    fn all_names_are_distinct_and_leave_out_what_goes_through_another_mutator() {
        let mut names: Vec<String> = Site::all().map(Site::name).collect();
        assert!(!names.contains(&"buffer::unmap_buffer/serial".to_owned()));
        assert!(names.contains(&"buffer::unmap_buffer/mappings".to_owned()));
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
