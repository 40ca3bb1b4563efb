//! `Alternation`: two bitmaps by turns, a block of frames each. It plans; it must not know who carries the plan out.

use std::fmt;

use crate::syntax::{Mask, Syntax};
use crate::{Build, PushMask};

/// Frames of a block where the text names none: long enough to forget a flip, short enough for many pairs.
const FRAMES: u32 = 8;

/// The plan of `MOBILEGL_PIPE_AB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternation {
    pub a: PushMask,
    pub b: PushMask,
    /// Frames of one block.
    pub frames: u32,
}

/// The two arms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    A,
    B,
}

impl Alternation {
    /// Reads a plan as the option `MOBILEGL_PIPE_AB` has it.
    pub fn parse(text: &str, build: &Build) -> Result<Alternation, String> {
        AlternationSyntax
            .parse(text, build)?
            .ok_or_else(|| "it is empty: two bitmaps are written A:B".to_owned())
    }

    /// Frames at the start of each block that no figure counts: state is told again there, and caches are cold. Of a block of one
    /// frame nothing is left, so it gives pictures and no figures.
    pub fn left_out(&self) -> u32 {
        (self.frames / 2).clamp(1, 2)
    }

    /// Whose turn block `n` is. Two blocks are a pair, one of each arm; their order is drawn (from a fixed seed), so that a
    /// program with a rhythm of its own does not fall in step with the turns.
    pub fn turn(block: u64) -> Turn {
        let pair = block / 2;
        // SplitMix64's finaliser: every bit of the number of the pair reaches the lowest.
        let mut x = pair.wrapping_add(0x9e37_79b9_7f4a_7c15);
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        let a_first = (x ^ x >> 31) & 1 == 0;
        match block.is_multiple_of(2) == a_first {
            true => Turn::A,
            false => Turn::B,
        }
    }

    /// The bitmap of a turn.
    pub fn mask(&self, turn: Turn) -> PushMask {
        match turn {
            Turn::A => self.a,
            Turn::B => self.b,
        }
    }
}

impl fmt::Display for Alternation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.a, self.b, self.frames)
    }
}

/// `A:B`, `A:B:FRAMES`, or `A,B` where neither bitmap has a comma; empty for none.
pub struct AlternationSyntax;

impl Syntax for AlternationSyntax {
    type Value = Option<Alternation>;

    fn parse(&self, text: &str, build: &Build) -> Result<Self::Value, String> {
        if text.is_empty() {
            return Ok(None);
        }
        let parts: Vec<&str> = match text.contains(':') {
            true => text.split(':').collect(),
            false => text.split(',').collect(),
        };
        let (a, b, frames) = match parts[..] {
            [a, b] => (a, b, FRAMES),
            [a, b, frames] if text.contains(':') => {
                let number = frames.trim().parse().ok();
                let number = number.filter(|n| (1..=100_000).contains(n));
                let refusal = || format!("`{frames}` is no number of frames from 1 to 100000");
                (a, b, number.ok_or_else(refusal)?)
            }
            _ => {
                return Err(
                    "two bitmaps are written A:B, each as MOBILEGL_PIPE_PUSH has it".into(),
                );
            }
        };
        Ok(Some(Alternation {
            a: Mask.parse(a.trim(), build)?,
            b: Mask.parse(b.trim(), build)?,
            frames,
        }))
    }

    fn show(&self, value: &Self::Value) -> String {
        value.map_or_else(String::new, |plan| plan.to_string())
    }

    fn allowed(&self) -> String {
        format!(
            "`A:B` or `A:B:FRAMES` ({FRAMES} frames a turn otherwise), `A,B` for bitmaps without a comma, or empty"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Option<Alternation>, String> {
        AlternationSyntax.parse(text, &Build::everything())
    }

    #[test]
    fn alternation_takes_two_bitmaps_and_shows_as_what_reads_back() {
        let plan = parse("all,none").expect("two words").expect("a plan");
        assert_eq!((plan.a, plan.b), (PushMask::ALL, PushMask::NONE));
        assert_eq!((plan.frames, plan.left_out()), (FRAMES, 2));
        let plan = parse("render_state,buffers:0x10:1").expect("colons");
        assert_eq!(plan.map(|plan| (plan.a, plan.b, plan.frames)), {
            let a = PushMask::RENDER_STATE.union(PushMask::BUFFERS);
            Some((a, PushMask::BUFFERS, 1))
        });
        assert_eq!(parse(&AlternationSyntax.show(&plan)), Ok(plan));
        assert_eq!(parse(""), Ok(None));
    }

    #[test]
    fn alternation_with_other_than_two_bitmaps_or_no_frames_is_refused() {
        for (text, part) in [
            ("all", "two bitmaps"),
            ("all,none,buffers", "two bitmaps"),
            ("all:none:8:1", "two bitmaps"),
            ("all:none:0", "no number of frames"),
            ("all:fences", "`fences`"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn alternation_gives_each_arm_one_block_of_every_pair_in_a_drawn_order() {
        let firsts: Vec<Turn> = (0..256).map(|pair| Alternation::turn(2 * pair)).collect();
        for (pair, first) in (0..).zip(&firsts) {
            assert_ne!(Alternation::turn(2 * pair + 1), *first);
        }
        let a_first = firsts.iter().filter(|turn| **turn == Turn::A).count();
        assert!((96..=160).contains(&a_first), "{a_first} of 256");
        let period = |n: usize| (n..256).all(|i| firsts[i] == firsts[i - n]);
        assert!(!(1..64).any(period), "the order repeats");
    }
}
