//! Carries out a plan of two bitmaps by turns in one context, and measures the CPU time of its thread under each. It says which
//! bitmap comes next; it must not know what a bitmap does.

use config::{AbPair, AbResult, Alternation, PushMask, Turn};
use rustix::time::{ClockId, clock_gettime};

/// CPU time of one thread at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Moment {
    thread: u64,
    cpu_ns: u64,
    verbs: u64,
}

impl Moment {
    fn now(verbs: u64) -> Self {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Self {
            thread: gl_entry::session::this_thread(),
            cpu_ns: time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64,
            verbs,
        }
    }
}

/// What a block's counted frames took.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    cpu_ns: u64,
    verbs: u64,
    /// The context changed its thread inside it: CPU times of two threads have no difference.
    is_torn: bool,
}

/// A plan in progress.
#[derive(Debug)]
pub struct Alternating {
    plan: Alternation,
    /// Number of the block, and frames of it that are over.
    block: u64,
    frame: u32,
    /// When the frame in progress began.
    began: Option<Moment>,
    current: Block,
    /// The first block of the pair in progress.
    first: Option<Block>,
    flips: u64,
    pairs: Vec<AbPair>,
}

impl Alternating {
    pub fn new(plan: Alternation) -> Self {
        Self {
            plan,
            block: 0,
            frame: 0,
            began: None,
            current: Block::default(),
            first: None,
            flips: 0,
            pairs: Vec::new(),
        }
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Turn {
        Alternation::turn(self.block)
    }

    /// The bitmap in force.
    pub fn mask(&self) -> PushMask {
        self.plan.mask(self.turn())
    }

    /// A frame ended after so many verbs of the context; true where the other arm's turn begins.
    pub fn frame_ended(&mut self, verbs: u64) -> bool {
        let now = Moment::now(verbs);
        if let Some(began) = self.began
            && self.frame >= self.plan.left_out()
        {
            self.current.is_torn |= began.thread != now.thread;
            self.current.cpu_ns += now.cpu_ns.saturating_sub(began.cpu_ns);
            self.current.verbs += now.verbs - began.verbs;
        }
        self.frame += 1;
        self.frame == self.plan.frames && self.block_ended()
    }

    fn block_ended(&mut self) -> bool {
        let block = std::mem::take(&mut self.current);
        let turn = self.turn();
        self.frame = 0;
        self.block += 1;
        match self.first.take() {
            None => self.first = Some(block),
            Some(first) => {
                let (a, b) = match turn {
                    Turn::B => (first, block),
                    Turn::A => (block, first),
                };
                let counts = |block: &Block| !block.is_torn && block.verbs != 0;
                if counts(&a) && counts(&b) && self.pairs.len() < AbResult::MOST_PAIRS {
                    self.pairs.push(AbPair {
                        a_ns: a.cpu_ns,
                        a_verbs: a.verbs,
                        b_ns: b.cpu_ns,
                        b_verbs: b.verbs,
                    });
                }
            }
        }
        let flips = self.turn() != turn;
        self.flips += u64::from(flips);
        flips
    }

    /// What follows belongs to the next frame: what a flip itself takes is nobody's.
    pub fn frame_begins(&mut self, verbs: u64) {
        self.began = Some(Moment::now(verbs));
    }

    /// What came of it so far.
    pub fn result(&self) -> AbResult {
        AbResult {
            a: self.plan.a.0,
            b: self.plan.b.0,
            frames: self.plan.frames,
            left_out: self.plan.left_out(),
            flips: self.flips,
            pairs: self.pairs.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(frames: u32, blocks: u64) -> AbResult {
        let (a, b) = (PushMask::ALL, PushMask::NONE);
        let mut alternating = Alternating::new(Alternation { a, b, frames });
        let mut verbs = 0;
        for _ in 0..blocks * u64::from(frames) {
            let before = alternating.mask();
            verbs += 3;
            let flips = alternating.frame_ended(verbs);
            assert_eq!(flips, alternating.mask() != before);
            alternating.frame_begins(verbs);
        }
        alternating.result()
    }

    #[test]
    fn every_two_blocks_are_a_pair_that_leaves_the_first_frames_out() {
        let result = run(8, 40);
        assert_eq!(result.pairs.len(), 20);
        assert!(result.flips >= 20, "{} flips", result.flips);
        for pair in &result.pairs {
            assert_eq!((pair.a_verbs, pair.b_verbs), (18, 18));
        }
    }

    #[test]
    fn blocks_of_one_frame_flip_and_give_no_figures() {
        let result = run(1, 40);
        assert!(result.pairs.is_empty() && result.flips >= 20);
    }
}
