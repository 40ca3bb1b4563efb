//! Which bits of the bitmap have to be as they are for a program to go wrong: delta debugging over bitmaps. It runs nothing and looks
//! at no picture; whoever asks says of a bitmap whether it is good.

use std::collections::BTreeMap;

use config::{Bit, PushMask};

/// What a program did under one bitmap: `None`, all is well; else what is wrong.
pub type Seen = Option<String>;

/// A smallest set of bits that turns a good bitmap into a bad one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Culprit {
    /// Bits that must be pushed for it.
    pub pushed: PushMask,
    /// Bits that must be pulled for it.
    pub pulled: PushMask,
    /// A bitmap that is good, and is bad with these bits turned.
    pub good: PushMask,
    pub bad: PushMask,
    /// What is wrong with `bad`.
    pub what: String,
}

impl Culprit {
    /// All its bits.
    pub fn bits(&self) -> PushMask {
        self.pushed.union(self.pulled)
    }

    /// `textures`, `textures and samplers together`, `buffers as it is pulled`.
    pub fn in_words(&self) -> String {
        let pushed = self.pushed.bits().map(|bit| bit.name.to_owned());
        let pulled = self
            .pulled
            .bits()
            .map(|bit| format!("{} as it is pulled", bit.name));
        let names: Vec<String> = pushed.chain(pulled).collect();
        match names.as_slice() {
            [one] => one.clone(),
            several => format!("{} together", several.join(" and ")),
        }
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Every bitmap that was looked at is good.
    Nothing,
    /// These sets of bits, each bad without the others.
    Bits(Vec<Culprit>),
    /// Every bitmap that was looked at is bad: no bit separates the fault. What is wrong with `none`.
    Shared(String),
}

/// More than this many separate faults at once are not looked for.
const MAX_CULPRITS: usize = 4;

/// Finds the culprits among the bits of `all`. `see` says what is wrong with a bitmap; it is asked once for each.
pub fn search<E>(all: PushMask, see: impl FnMut(PushMask) -> Result<Seen, E>) -> Result<Answer, E> {
    let mut eyes = Eyes {
        see,
        seen: BTreeMap::new(),
    };
    let (none, whole) = (eyes.look(PushMask::NONE)?, eyes.look(all)?);
    let (good, mut bad) = match (none, whole) {
        (None, Some(_)) => (PushMask::NONE, all),
        (Some(_), None) => (all, PushMask::NONE),
        // Two subsystems can be wrong where one is pushed and the other is not: neither end shows it.
        (none, _) => {
            let is_bad = none.is_some();
            let mut other = None;
            for mask in between(all) {
                if eyes.look(mask)?.is_some() != is_bad {
                    other = Some(mask);
                    break;
                }
            }
            match (other, none) {
                (None, None) => return Ok(Answer::Nothing),
                (None, Some(what)) => return Ok(Answer::Shared(what)),
                (Some(bad), None) => (PushMask::NONE, bad),
                // Both ends are bad: the nearer one is moved to the good bitmap.
                (Some(good), Some(_)) => (good, nearer_end(good, all)),
            }
        }
    };
    let mut found: Vec<Culprit> = Vec::new();
    while found.len() < MAX_CULPRITS {
        let turned = smallest(good, bad, &mut eyes)?;
        let minimal = PushMask(good.0 ^ turned.0);
        found.push(Culprit {
            pushed: turned.without(good),
            pulled: turned.intersection(good),
            good,
            bad: minimal,
            what: eyes.look(minimal)?.unwrap_or_default(),
        });
        // With these bits as they are in the good bitmap, is something else wrong?
        bad = PushMask(bad.0 ^ turned.0);
        if bad == good || eyes.look(bad)?.is_none() {
            break;
        }
    }
    Ok(Answer::Bits(found))
}

/// Single bits, and all but one.
fn between(all: PushMask) -> impl Iterator<Item = PushMask> {
    let one = |bit: &'static Bit| PushMask(1 << bit.bit);
    all.bits()
        .map(one)
        .chain(all.bits().map(move |bit| all.without(one(bit))))
}

fn nearer_end(good: PushMask, all: PushMask) -> PushMask {
    if good.0.count_ones() * 2 <= all.0.count_ones() {
        PushMask::NONE
    } else {
        all
    }
}

/// Asks, and remembers what was answered.
struct Eyes<F> {
    see: F,
    seen: BTreeMap<PushMask, Seen>,
}

impl<E, F: FnMut(PushMask) -> Result<Seen, E>> Eyes<F> {
    fn look(&mut self, mask: PushMask) -> Result<Seen, E> {
        if let Some(known) = self.seen.get(&mask) {
            return Ok(known.clone());
        }
        let seen = (self.see)(mask)?;
        self.seen.insert(mask, seen.clone());
        Ok(seen)
    }
}

/// The bits by which `good` becomes bad, of those that differ between the two; without any one of them it stays good. This is
/// Zeller's ddmin: halves first, then their complements, then finer parts.
fn smallest<E, F: FnMut(PushMask) -> Result<Seen, E>>(
    good: PushMask,
    bad: PushMask,
    eyes: &mut Eyes<F>,
) -> Result<PushMask, E> {
    let mut left: Vec<PushMask> = PushMask(good.0 ^ bad.0)
        .bits()
        .map(|bit| PushMask(1 << bit.bit))
        .collect();
    let sum = |bits: &[PushMask]| bits.iter().fold(PushMask::NONE, |sum, bit| sum.union(*bit));
    let mut parts = 2;
    while left.len() > 1 {
        parts = parts.min(left.len());
        let size = left.len().div_ceil(parts);
        let chunks: Vec<Vec<PushMask>> = left.chunks(size).map(<[PushMask]>::to_vec).collect();
        let without = |taken: &[PushMask]| -> Vec<PushMask> {
            left.iter()
                .copied()
                .filter(|bit| !taken.contains(bit))
                .collect()
        };
        let complements: Vec<Vec<PushMask>> = chunks.iter().map(|chunk| without(chunk)).collect();
        let whole = left.len();
        let mut smaller = None;
        for (candidate, next) in chunks.into_iter().map(|chunk| (chunk, 2)).chain(
            complements
                .into_iter()
                .map(|rest| (rest, (parts - 1).max(2))),
        ) {
            if candidate.is_empty() || candidate.len() == whole {
                continue;
            }
            if eyes.look(PushMask(good.0 ^ sum(&candidate).0))?.is_some() {
                smaller = Some((candidate, next));
                break;
            }
        }
        match smaller {
            Some((candidate, next)) => (left, parts) = (candidate, next),
            None if parts >= left.len() => break,
            None => parts *= 2,
        }
    }
    Ok(sum(&left))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RENDER_STATE: PushMask = PushMask::RENDER_STATE;
    const TEXTURES: PushMask = PushMask::TEXTURES;
    const IMAGES: PushMask = PushMask::IMAGES;

    fn answer(is_bad: impl Fn(PushMask) -> bool) -> (Answer, usize) {
        let mut runs = 0;
        let found = search(PushMask::ALL, |mask| {
            runs += 1;
            Ok::<_, std::convert::Infallible>(is_bad(mask).then(|| format!("wrong under {mask}")))
        });
        let Ok(found) = found;
        (found, runs)
    }

    fn culprits(is_bad: impl Fn(PushMask) -> bool) -> Vec<(PushMask, PushMask)> {
        match answer(is_bad).0 {
            Answer::Bits(found) => found.iter().map(|c| (c.pushed, c.pulled)).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn search_finds_every_single_bit_in_few_runs() {
        for bit in PushMask::ALL.bits() {
            let one = PushMask(1 << bit.bit);
            let (found, runs) = answer(|mask| mask.contains(one));
            let Answer::Bits(found) = found else {
                panic!("{found:?}")
            };
            assert_eq!(
                (found.len(), found[0].pushed, found[0].pulled),
                (1, one, PushMask::NONE)
            );
            assert_eq!(found[0].bad, one);
            assert!(runs <= 14, "{runs} runs for {}", bit.name);
        }
    }

    #[test]
    fn search_finds_every_pair_that_is_bad_together_only() {
        for a in PushMask::ALL.bits() {
            for b in PushMask::ALL.bits().filter(|b| b.bit > a.bit) {
                let both = PushMask(1 << a.bit | 1 << b.bit);
                assert_eq!(
                    culprits(|mask| mask.contains(both)),
                    [(both, PushMask::NONE)]
                );
            }
        }
    }

    #[test]
    fn search_finds_three_together() {
        let three = RENDER_STATE.union(TEXTURES).union(IMAGES);
        assert_eq!(
            culprits(|mask| mask.contains(three)),
            [(three, PushMask::NONE)]
        );
    }

    #[test]
    fn search_finds_both_of_two_that_are_bad_alone() {
        let mut found = culprits(|mask| mask.contains(TEXTURES) || mask.contains(IMAGES));
        found.sort();
        assert_eq!(
            found,
            [(TEXTURES, PushMask::NONE), (IMAGES, PushMask::NONE)]
        );
    }

    #[test]
    fn search_finds_a_bit_that_is_bad_as_it_is_pulled() {
        assert_eq!(
            culprits(|mask| !mask.contains(TEXTURES)),
            [(PushMask::NONE, TEXTURES)]
        );
    }

    #[test]
    fn search_finds_what_neither_end_shows() {
        let found = culprits(|mask| mask.contains(TEXTURES) && !mask.contains(IMAGES));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, TEXTURES, "pushed alone it is bad already");
        // Good only where one is pushed and the other is not.
        let found = culprits(|mask| !mask.contains(TEXTURES) || mask.contains(IMAGES));
        assert!(
            found
                .iter()
                .all(|(pushed, pulled)| TEXTURES.union(IMAGES).contains(pushed.union(*pulled)))
        );
    }

    #[test]
    fn search_of_a_fault_that_no_bit_separates_is_shared() {
        assert_eq!(
            answer(|_| true).0,
            Answer::Shared("wrong under none".to_owned())
        );
        assert_eq!(answer(|_| false).0, Answer::Nothing);
    }
}
