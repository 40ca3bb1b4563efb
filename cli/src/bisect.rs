//! `mobilegl bisect`: finds the subsystems that have to be pushed for a recording to go wrong. It must not judge: `judge` does.

use crate::say::say;
use std::time::Duration;

use anyhow::Result;
use config::PushMask;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::Outcome;
use crate::args::BisectArgs;
use crate::dropin::DropIn;
use crate::judge::judge;
use crate::lane::{Arm, Lane, build};
use crate::replay::check_recording;
use crate::retrace::Retracer;
use crate::trace::{Asked, Trace};

#[derive(Serialize)]
struct Finding {
    /// The smallest bitmap found that is bad: without any of its guilty bits it is good.
    guilty: Vec<&'static str>,
    problems: Vec<String>,
    runs: u32,
}

pub fn bisect(args: &BisectArgs) -> Result<Outcome> {
    let implemented = build().implemented;
    let parse = |text: &str| {
        PushMask::parse(text, implemented).map_err(|why| anyhow::anyhow!("`{text}`: {why}"))
    };
    let (good, bad) = (parse(&args.good)?, parse(&args.bad)?);
    let asked = Asked {
        call: args.call,
        frames: args.frames,
        reference: None,
    };
    let trace = Trace::open(&args.trace, &asked)?;
    let dropin = DropIn::find(&args.common.library)?;
    let retracer = Retracer::new(
        &args.common.eglretrace,
        dropin,
        Duration::from_secs(args.common.timeout),
    )?;
    let bar = ProgressBar::new_spinner();
    bar.set_style(ProgressStyle::with_template("{spinner} {pos} runs, {msg}")?);

    let mut runs = 0;
    // What is wrong with one bitmap, looked at beside the good one.
    let mut problems = |mask: PushMask| -> Result<Vec<String>> {
        bar.set_message(mask.to_string());
        let lane = |mask| Lane {
            backend: args.backend,
            arm: Arm::Mask(mask),
        };
        let mut lanes = vec![retracer.run(&trace, lane(good))?];
        if mask != good {
            lanes.push(retracer.run(&trace, lane(mask))?);
        }
        check_recording(&trace, &lanes)?;
        runs += lanes.len() as u32;
        bar.inc(lanes.len() as u64);
        let judged = judge(&trace, lanes);
        Ok(judged
            .lanes
            .into_iter()
            .next_back()
            .map(|(_, verdict)| verdict.problems)
            .unwrap_or_default())
    };
    let of_good = problems(good)?;
    if !of_good.is_empty() {
        say!("{good} is bad already; nothing can be told from it:");
        of_good.iter().for_each(|problem| say!("  {problem}"));
        return Ok(Outcome::Failed);
    }
    let mut told = problems(bad)?;
    if told.is_empty() {
        say!("{bad} is as good as {good}: there is nothing to find");
        return Ok(Outcome::Good);
    }
    let guilty = reduce(good, bad, |mask| {
        let found = problems(mask)?;
        let still_bad = !found.is_empty();
        if still_bad {
            told = found;
        }
        Ok(still_bad)
    })?;
    bar.finish_and_clear();
    let finding = Finding {
        guilty: guilty.bits().map(|bit| bit.name).collect(),
        problems: told,
        runs,
    };
    if args.common.json {
        say!("{}", serde_json::to_string_pretty(&finding)?);
    } else {
        say!("guilty: {guilty}, found in {runs} runs");
        finding
            .problems
            .iter()
            .for_each(|problem| say!("  {problem}"));
    }
    Ok(Outcome::Failed)
}

/// Takes bits away from `bad` as long as what is left is bad; gives the bits, beyond those of `good`, that cannot go.
fn reduce(
    good: PushMask,
    bad: PushMask,
    mut is_bad: impl FnMut(PushMask) -> Result<bool>,
) -> Result<PushMask> {
    let mut left = bad;
    for bit in bad.without(good).bits() {
        let fewer = left.without(PushMask(1 << bit.bit));
        if fewer != good && is_bad(fewer)? {
            left = fewer;
        }
    }
    Ok(left.without(good))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guilty(is_bad: impl Fn(PushMask) -> bool) -> PushMask {
        reduce(PushMask::NONE, PushMask::ALL, |mask| Ok(is_bad(mask))).expect("nothing fails")
    }

    #[test]
    fn reduce_finds_one_bit() {
        for bit in PushMask::ALL.bits() {
            let one = PushMask(1 << bit.bit);
            assert_eq!(guilty(|mask| mask.contains(one)), one);
        }
    }

    #[test]
    fn reduce_finds_bits_that_are_bad_together_only() {
        let both = PushMask::TEXTURES.union(PushMask::RENDER_STATE);
        assert_eq!(guilty(|mask| mask.contains(both)), both);
    }

    #[test]
    fn reduce_keeps_one_of_two_that_are_bad_alone() {
        let found =
            guilty(|mask| mask.contains(PushMask::BUFFERS) || mask.contains(PushMask::IMAGES));
        assert_eq!(found, PushMask::IMAGES, "the earlier one could go");
    }
}
