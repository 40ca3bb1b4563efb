//! Whether the second of two arms costs more than the first, from pairs of blocks that were measured side by side. It knows
//! figures only.
//!
//! Each pair gives the relative difference of its two blocks. The estimate is the median of all means of two such differences
//! (Hodges and Lehmann), the interval is the one that Wilcoxon's signed ranks give it: neither asks how the noise is distributed,
//! so a few blocks during which another program had the cache move nothing.

use config::AbPair;
use serde::Serialize;

/// Pairs below which no interval is told.
pub const FEWEST: usize = 8;
/// Pairs that enter the interval at most; it takes their square in memory.
const MOST: usize = 2_000;

/// What pairs say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Paired {
    pub pairs: usize,
    /// Medians over the blocks.
    pub a_ns_per_verb: f64,
    pub b_ns_per_verb: f64,
    /// How much more B takes than A, in parts of A.
    pub difference: f64,
    /// The interval that holds the true difference in 95 of 100 runs.
    pub low: f64,
    pub high: f64,
}

impl Paired {
    /// `None`: too few pairs to say anything.
    pub fn of(pairs: &[AbPair]) -> Option<Paired> {
        let per_verb = |ns: u64, verbs: u64| ns as f64 / verbs as f64;
        let blocks: Vec<(f64, f64)> = pairs
            .iter()
            .filter(|pair| pair.a_verbs != 0 && pair.b_verbs != 0 && pair.a_ns != 0)
            .map(|pair| {
                (
                    per_verb(pair.a_ns, pair.a_verbs),
                    per_verb(pair.b_ns, pair.b_verbs),
                )
            })
            .collect();
        if blocks.len() < FEWEST {
            return None;
        }
        // A pair's ratio as a logarithm: A over B is then exactly the opposite of B over A.
        let step = blocks.len().div_ceil(MOST);
        let ratios: Vec<f64> = blocks
            .iter()
            .step_by(step)
            .map(|(a, b)| (b / a).ln())
            .collect();
        let (middle, low, high) = signed_ranks(&ratios);
        Some(Paired {
            pairs: blocks.len(),
            a_ns_per_verb: median(blocks.iter().map(|(a, _)| *a).collect()),
            b_ns_per_verb: median(blocks.iter().map(|(_, b)| *b).collect()),
            difference: middle.exp_m1(),
            low: low.exp_m1(),
            high: high.exp_m1(),
        })
    }

    /// `+5.1 % (+4.8 to +5.5)`.
    pub fn in_words(&self) -> String {
        let percent = |part: f64| part * 100.0;
        format!(
            "{:+.2} % ({:+.2} to {:+.2})",
            percent(self.difference),
            percent(self.low),
            percent(self.high)
        )
    }

    pub fn verdict(&self) -> &'static str {
        match (self.low > 0.0, self.high < 0.0) {
            (true, _) => "B costs more",
            (_, true) => "B costs less",
            (false, false) => "no difference seen",
        }
    }
}

/// Hodges-Lehmann estimate and its 95 % interval.
fn signed_ranks(values: &[f64]) -> (f64, f64, f64) {
    let n = values.len();
    let mut means = Vec::with_capacity(n * (n + 1) / 2);
    for (i, x) in values.iter().enumerate() {
        means.extend(values[i..].iter().map(|y| (x + y) / 2.0));
    }
    means.sort_by(f64::total_cmp);
    let n = n as f64;
    // Normal approximation of the signed-rank distribution.
    let deviation = (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt();
    let rank = (n * (n + 1.0) / 4.0 - 1.96 * deviation).floor().max(0.0) as usize;
    let last = means.len() - 1;
    (median_of_sorted(&means), means[rank], means[last - rank])
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    median_of_sorted(&values)
}

fn median_of_sorted(values: &[f64]) -> f64 {
    let middle = values.len() / 2;
    match values.len() % 2 {
        1 => values[middle],
        _ => (values[middle - 1] + values[middle]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Noise from a fixed seed: mostly a few parts in a thousand, now and then a block that takes twice as long.
    struct Noise(u64);

    impl Noise {
        fn next(&mut self) -> f64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as f64 / (1u64 << 31) as f64
        }

        fn block(&mut self, ns: f64) -> u64 {
            let outlier = if self.next() < 0.05 { 2.0 } else { 1.0 };
            (ns * outlier * (1.0 + (self.next() - 0.5) * 0.04)) as u64
        }
    }

    fn pairs(n: usize, cost: f64, seed: u64) -> Vec<AbPair> {
        let mut noise = Noise(seed);
        let pair = |_| AbPair {
            a_ns: noise.block(1e6),
            a_verbs: 1000,
            b_ns: noise.block(1e6 * (1.0 + cost)),
            b_verbs: 1000,
        };
        (0..n).map(pair).collect()
    }

    #[test]
    fn interval_over_equal_arms_holds_nothing_in_about_95_of_100_runs() {
        let seen = (0..200)
            .filter(|seed| {
                let paired = Paired::of(&pairs(60, 0.0, *seed)).expect("enough pairs");
                paired.verdict() != "no difference seen"
            })
            .count();
        assert!((2..=22).contains(&seen), "{seen} of 200 runs saw something");
    }

    #[test]
    fn five_percent_are_found_among_noise_with_outliers() {
        for seed in 0..20 {
            let paired = Paired::of(&pairs(100, 0.05, seed)).expect("enough pairs");
            assert!(
                paired.low > 0.035 && paired.high < 0.065,
                "{}",
                paired.in_words()
            );
            assert_eq!(paired.verdict(), "B costs more");
        }
        let paired = Paired::of(&pairs(100, -0.05, 7)).expect("enough pairs");
        assert_eq!(paired.verdict(), "B costs less");
    }

    #[test]
    fn arms_that_change_places_give_the_opposite() {
        let there = pairs(100, 0.05, 3);
        let back: Vec<AbPair> = there
            .iter()
            .map(|pair| AbPair {
                a_ns: pair.b_ns,
                b_ns: pair.a_ns,
                ..*pair
            })
            .collect();
        let (there, back) = (Paired::of(&there), Paired::of(&back));
        let product =
            (1.0 + there.expect("pairs").difference) * (1.0 + back.expect("pairs").difference);
        assert!((product - 1.0).abs() < 1e-9, "{product}");
    }

    #[test]
    fn few_pairs_say_nothing() {
        assert_eq!(Paired::of(&pairs(FEWEST - 1, 0.5, 1)), None);
        assert!(Paired::of(&pairs(FEWEST, 0.5, 1)).is_some());
    }
}
