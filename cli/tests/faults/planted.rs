//! A fault, a scenario that shows it, what the search answers, and whether that is right. It plants through the worker alone.

use config::PushMask;
use mobilegl_cli::search::{Answer, Culprit, search};
use scenarios::library::Fault;

use crate::worker::{Done, Job, Worker};

/// What is known of a planted text.
#[derive(Clone, Debug)]
pub struct Planted {
    /// For `MOBILEGL_PIPE_FAULT`.
    pub text: String,
    /// Sets of bits that must be found, in any order; empty: no bit separates it.
    pub bits: Vec<PushMask>,
    /// Which arm of those bits is wrong: they must be found as they are pushed, or as they are pulled.
    pub arm: Arm,
    /// Bits that may be found where a fault of shared code shows in one arm only.
    pub may: PushMask,
    /// How the fields begin that verification may name; empty: it must name none.
    pub fields: Vec<String>,
}

/// An arm of a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arm {
    Push,
    Pull,
}

impl Arm {
    /// By the name that the library and the source patches give it; what has none is in code that all arms share.
    pub fn by_name(name: Option<&str>) -> Arm {
        match name {
            Some("pull") => Arm::Pull,
            Some("push") | None => Arm::Push,
            Some(other) => panic!("there is no arm `{other}`"),
        }
    }
}

/// What became of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No picture changes.
    Unseen,
    Right,
    /// What was answered instead.
    Wrong(String),
}

impl Planted {
    /// A fault of the library's list.
    pub fn of(fault: &Fault) -> Planted {
        let bit = fault.bit.as_deref().and_then(PushMask::by_name);
        Planted {
            text: fault.name.clone(),
            bits: bit.into_iter().collect(),
            arm: Arm::by_name(fault.arm.as_deref()),
            may: fault
                .shows
                .iter()
                .filter_map(|name| PushMask::by_name(name))
                .fold(PushMask::NONE, PushMask::union),
            fields: fault.fields.clone(),
        }
    }

    /// Two faults of the push arm that strike where both bits are pushed only.
    pub fn together(a: &Fault, b: &Fault) -> Planted {
        let (a, b) = (Planted::of(a), Planted::of(b));
        Planted {
            text: format!("{}+{}", a.text, b.text),
            bits: vec![a.bits[0].union(b.bits[0])],
            arm: Arm::Push,
            may: PushMask::NONE,
            fields: [a.fields, b.fields].concat(),
        }
    }

    /// Two faults at once, each wrong alone.
    pub fn both(a: &Fault, b: &Fault) -> Planted {
        let (a, b) = (Planted::of(a), Planted::of(b));
        Planted {
            text: format!("{},{}", a.text, b.text),
            bits: [a.bits, b.bits].concat(),
            arm: Arm::Push,
            may: PushMask::NONE,
            fields: [a.fields, b.fields].concat(),
        }
    }
}

/// One scenario under planted faults.
pub struct Bed<'a> {
    pub worker: &'a mut Worker,
    pub scenario: &'a str,
    /// What it reads when nothing is planted.
    pub reference: u64,
}

impl Bed<'_> {
    fn run(&mut self, fault: &str, mask: PushMask, verify: bool) -> Done {
        self.worker.run(&Job {
            scenario: self.scenario.to_owned(),
            mask: mask.0,
            verify,
            fault: fault.to_owned(),
        })
    }

    fn see(&mut self, fault: &str, mask: PushMask) -> Option<String> {
        let done = self.run(fault, mask, false);
        done.wrong
            .or_else(|| (done.seen != self.reference).then(|| "other pixels".to_owned()))
    }

    /// Whether the fault changes what the scenario sees, at either end.
    pub fn shows(&mut self, planted: &Planted, all: PushMask) -> bool {
        self.see(&planted.text, all).is_some() || self.see(&planted.text, PushMask::NONE).is_some()
    }

    /// As `mobilegl bisect` does: a bitmap that was good or bad and is not any more makes the answer worthless.
    fn does_not_repeat(&mut self, fault: &str, culprits: &[Culprit]) -> Option<String> {
        culprits.iter().find_map(|culprit| {
            if let Some(what) = self.see(fault, culprit.good) {
                return Some(format!(
                    "{} was good and is not any more: {what}",
                    culprit.good
                ));
            }
            match self.see(fault, culprit.bad) {
                Some(_) => None,
                None => Some(format!(
                    "{} was bad ({}) and is not any more",
                    culprit.bad, culprit.what
                )),
            }
        })
    }

    /// Searches for the fault and judges the answer.
    pub fn search(&mut self, planted: &Planted, all: PushMask) -> Outcome {
        let found = search(all, |mask| {
            Ok::<_, std::convert::Infallible>(self.see(&planted.text, mask))
        });
        let Ok(found) = found;
        // Bitmaps that must be told wrongly, and the one beside them that must not.
        let (at, beside, wrong) = match found {
            Answer::Nothing => return Outcome::Unseen,
            Answer::Shared(_) if planted.bits.is_empty() => (vec![all, PushMask::NONE], None, None),
            Answer::Shared(what) => (vec![all], None, Some(format!("shared code ({what})"))),
            Answer::Bits(culprits) => {
                if let Some(text) = self.does_not_repeat(&planted.text, &culprits) {
                    return Outcome::Wrong(text);
                }
                let mut bits: Vec<PushMask> =
                    culprits.iter().map(|culprit| culprit.bits()).collect();
                bits.sort();
                let mut wanted = planted.bits.clone();
                wanted.sort();
                let is_of_arm = |culprit: &Culprit| match planted.arm {
                    Arm::Push => culprit.pulled == PushMask::NONE,
                    Arm::Pull => culprit.pushed == PushMask::NONE,
                };
                let right = if wanted.is_empty() {
                    bits.iter().all(|bits| planted.may.contains(*bits))
                } else {
                    bits == wanted && culprits.iter().all(is_of_arm)
                };
                let beside = match culprits.as_slice() {
                    [one] if !wanted.is_empty() => Some(one.good),
                    _ => None,
                };
                let words: Vec<String> = culprits
                    .iter()
                    .map(|culprit| format!("{} ({})", culprit.in_words(), culprit.what))
                    .collect();
                let at = culprits.iter().map(|culprit| culprit.bad).collect();
                (at, beside, (!right).then(|| words.join("; ")))
            }
        };
        if let Some(wrong) = wrong {
            return Outcome::Wrong(wrong);
        }
        // Which arm is wrong must be told by verification too: a program without a right picture has nothing else to go by.
        if let Some(good) = beside
            && let Some(named) = self.run(&planted.text, good, true).named
        {
            return Outcome::Wrong(format!("of the good bitmap verification names {named}"));
        }
        let named: Vec<String> = at
            .into_iter()
            .filter_map(|mask| self.run(&planted.text, mask, true).named)
            .collect();
        if planted.fields.is_empty() {
            // Nothing is told wrongly: a field that is named all the same would send people the wrong way.
            return match named.first() {
                None => Outcome::Right,
                Some(named) => Outcome::Wrong(format!("verification names {named}")),
            };
        }
        let begins = |text: &String| {
            planted
                .fields
                .iter()
                .any(|field| text.contains(&format!("\"{field}")))
        };
        if named.is_empty() {
            Outcome::Wrong("verification names nothing".to_owned())
        } else if named.iter().any(begins) {
            Outcome::Right
        } else {
            Outcome::Wrong(format!("verification names {}", named[0]))
        }
    }
}
