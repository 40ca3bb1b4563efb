//! Says whether a lane's run is good, and if not, why. It must not read files or start anything.

use std::collections::BTreeMap;

use config::{ArmCounts, PushMask, Stats, VerifyReport};
use serde::Serialize;
use verify::images::{self, Comparison, Picture, Tolerance};

use crate::lane::{Arm, Lane, build};
use crate::retrace::{Ending, LaneRun};
use crate::trace::{Shots, Trace};

/// What is said of one lane; the keys are those of `replay --json`.
#[derive(Debug, Default, Serialize)]
pub struct Verdict {
    pub good: bool,
    /// Against the reference, or without one against the first lane. The lowest of all pictures.
    pub ssim: Option<f64>,
    /// Pixels with any difference from the same, over all pictures.
    pub differing_pixels: Option<u64>,
    /// The largest difference of any channel.
    pub worst_channel: Option<u8>,
    /// Whether the pixels are those of the backend's first lane.
    pub same_as_first_lane: Option<bool>,
    pub verify_differences: Option<u64>,
    pub verify_first: Option<String>,
    pub verify_verbs: Option<u64>,
    /// The first few differences, for people.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub verify_reports: Vec<VerifyReport>,
    pub pictures: usize,
    pub device: String,
    pub seconds: f64,
    pub gl_errors: u64,
    pub arms: BTreeMap<String, ArmCounts>,
    /// Commands that the recording calls and the library does not have.
    pub missing: Vec<String>,
    /// Why the lane is not good.
    pub problems: Vec<String>,
}

/// A recording's runs with what is said of them, in the order of the lanes.
pub struct Judged<'a> {
    pub trace: &'a Trace,
    pub lanes: Vec<(LaneRun, Verdict)>,
}

impl Judged<'_> {
    pub fn is_good(&self) -> bool {
        self.lanes.iter().all(|(_, verdict)| verdict.good)
    }

    /// The pictures that the lanes are compared with: the reference, or those of the first lane.
    pub fn expected(&self) -> Vec<(u64, &Picture)> {
        expected(self.trace, self.lanes.iter().map(|(run, _)| run))
    }
}

/// Judges all lanes of one recording together: masks of one backend are also compared with each other.
pub fn judge(trace: &Trace, runs: Vec<LaneRun>) -> Judged<'_> {
    let verdicts: Vec<Verdict> = runs
        .iter()
        .map(|run| {
            let mut verdict = judge_alone(run);
            compare_with_expected(&mut verdict, run, &expected(trace, runs.iter()));
            if let Some(first) = runs
                .iter()
                .find(|other| other.lane.backend == run.lane.backend)
                && first.lane != run.lane
            {
                compare_with_first(&mut verdict, run, first);
            }
            verdict.good = verdict.problems.is_empty();
            verdict
        })
        .collect();
    Judged {
        trace,
        lanes: runs.into_iter().zip(verdicts).collect(),
    }
}

fn expected<'a>(
    trace: &'a Trace,
    mut runs: impl Iterator<Item = &'a LaneRun>,
) -> Vec<(u64, &'a Picture)> {
    match (&trace.reference, trace.shots) {
        (Some(reference), Shots::AfterCall(call)) => vec![(call, reference)],
        _ => runs
            .next()
            .map(|run| {
                run.pictures
                    .iter()
                    .map(|(call, picture)| (*call, picture))
                    .collect()
            })
            .unwrap_or_default(),
    }
}

fn judge_alone(run: &LaneRun) -> Verdict {
    let mut verdict = Verdict {
        pictures: run.pictures.len(),
        seconds: run.seconds,
        ..Verdict::default()
    };
    let problems = &mut verdict.problems;
    problems.extend(run.fatal_lines().map(str::to_owned));
    if let Ok(stats) = &run.stats {
        if !stats.missing.is_empty() {
            problems.push(format!(
                "refused, because not implemented: {}",
                stats.missing.join(", ")
            ));
        }
        if stats.backend.is_empty() {
            // No driver, most often: the library has said which, and everything else follows from it.
            let why = run.library_lines().next().unwrap_or("it does not say why");
            problems.push(format!("no backend was opened: {why}"));
            verdict.gl_errors = stats.errors;
            return verdict;
        }
        judge_force(problems, run.lane, stats);
        match run.lane.mask() {
            Some(mask) => judge_arms(problems, mask, stats),
            None => judge_flips(problems, stats),
        }
        if run.lane.arm == Arm::Verify {
            judge_verify(problems, stats);
            verdict.verify_differences = Some(stats.verify.differences);
            verdict.verify_verbs = Some(stats.verify.verbs);
            verdict.verify_first.clone_from(&stats.verify.first);
            verdict.verify_reports.clone_from(&stats.verify.reports);
        }
        verdict.device.clone_from(&stats.device);
        verdict.arms.clone_from(&stats.arms);
        verdict.missing.clone_from(&stats.missing);
        verdict.gl_errors = stats.errors;
    }
    let last_words = || {
        run.said
            .lines()
            .rfind(|line| !line.trim().is_empty())
            .unwrap_or("nothing was said")
            .trim()
    };
    match run.ending {
        Ending::Exit(0) => {}
        Ending::Exit(code) => problems.push(format!("ended with status {code}: {}", last_words())),
        Ending::Signal(signal) => {
            problems.push(format!("died of signal {signal}: {}", last_words()))
        }
        Ending::TimedOut => problems.push(format!("did not end within {:.0} s", run.seconds)),
    }
    if let Err(why) = &run.stats {
        problems.push(why.clone());
    }
    verdict
}

/// A run with another mask or backend than asked for would prove nothing.
fn judge_force(problems: &mut Vec<String>, lane: Lane, stats: &Stats) {
    if let Some(asked) = lane.mask()
        && stats.mask_in_force != asked.0
    {
        problems.push(format!(
            "the mask in force was {} and not {asked}",
            PushMask(stats.mask_in_force)
        ));
    }
    if stats.backend != lane.backend.name() {
        problems.push(format!(
            "the backend was `{}` and not {}",
            stats.backend,
            lane.backend.name()
        ));
    }
}

/// With a bit set the pull arm must not have worked, with a bit cleared the push arm must not.
fn judge_arms(problems: &mut Vec<String>, mask: PushMask, stats: &Stats) {
    for bit in build().implemented.bits() {
        let Some(arms) = stats.arms.get(bit.name) else {
            continue;
        };
        let pushed = mask.contains(PushMask(1 << bit.bit));
        let (wrong, count) = if pushed {
            ("pull", arms.pull)
        } else {
            ("push", arms.push)
        };
        if count != 0 {
            let state = if pushed { "set" } else { "cleared" };
            problems.push(format!(
                "the bit {} is {state}, but its {wrong} arm worked {count} times",
                bit.name
            ));
        }
    }
}

/// A run in which nothing alternated would prove nothing.
fn judge_flips(problems: &mut Vec<String>, stats: &Stats) {
    if stats.ab.as_ref().is_none_or(|ab| ab.flips == 0) {
        problems.push("the bitmap never changed: too few frames, or no alternation".to_owned());
    }
}

fn judge_verify(problems: &mut Vec<String>, stats: &Stats) {
    if stats.verify.differences != 0 {
        let first = stats.verify.first.as_deref().unwrap_or("not told");
        problems.push(format!(
            "verify found {} differences, the first: {first}",
            stats.verify.differences
        ));
    } else if stats.verify.verbs == 0 {
        problems.push("verify compared no verb".to_owned());
    }
}

fn compare_with_expected(verdict: &mut Verdict, run: &LaneRun, expected: &[(u64, &Picture)]) {
    if run.pictures.is_empty() {
        verdict.problems.push("no picture was taken".to_owned());
        return;
    }
    if run.pictures.len() != expected.len() {
        verdict.problems.push(format!(
            "{} pictures were taken, {} are expected",
            run.pictures.len(),
            expected.len()
        ));
    }
    let mut off = None;
    for ((call, ours), (_, theirs)) in run.pictures.iter().zip(expected) {
        match images::compare(ours, theirs) {
            Ok(comparison) => {
                verdict.add(&comparison);
                if off.is_none() && !comparison.is_within(&Tolerance::RECORDED_PROGRAM) {
                    off = Some(format!(
                        "the picture after call {call} differs: {}",
                        in_words(&comparison)
                    ));
                }
            }
            Err(mismatch) => verdict
                .problems
                .push(format!("after call {call}: {mismatch}")),
        }
    }
    verdict.problems.extend(off);
}

fn compare_with_first(verdict: &mut Verdict, run: &LaneRun, first: &LaneRun) {
    if run.pictures.is_empty() || first.pictures.is_empty() {
        return;
    }
    let same = run.pictures == first.pictures;
    verdict.same_as_first_lane = Some(same);
    if same {
        return;
    }
    let differing = run
        .pictures
        .iter()
        .zip(&first.pictures)
        .find(|(ours, theirs)| ours != theirs);
    verdict.problems.push(match differing {
        Some(((call, ours), (_, theirs))) => match images::compare(ours, theirs) {
            Ok(comparison) => {
                let pixels = comparison.differing_pixels;
                format!(
                    "after call {call}, {pixels} pixels are not those of {}",
                    first.lane
                )
            }
            Err(mismatch) => format!("after call {call}, not as {}: {mismatch}", first.lane),
        },
        None => format!(
            "{} pictures, {} has {}",
            run.pictures.len(),
            first.lane,
            first.pictures.len()
        ),
    });
}

impl Verdict {
    fn add(&mut self, comparison: &Comparison) {
        self.ssim = Some(self.ssim.unwrap_or(1.0).min(comparison.ssim));
        self.differing_pixels =
            Some(self.differing_pixels.unwrap_or(0) + comparison.differing_pixels);
        self.worst_channel = Some(
            self.worst_channel
                .unwrap_or(0)
                .max(comparison.worst_channel()),
        );
    }

    /// `12 worked, not reached: images` for the arms that the lane's mask asks for.
    pub fn arms_in_words(&self) -> String {
        let reached = |arms: &ArmCounts| arms.push != 0 || arms.pull != 0;
        let worked = self.arms.values().filter(|arms| reached(arms)).count();
        let idle: Vec<&str> = self
            .arms
            .iter()
            .filter(|(_, arms)| !reached(arms))
            .map(|(name, _)| name.as_str())
            .collect();
        match (self.arms.is_empty(), idle.is_empty()) {
            (true, _) => "not told".to_owned(),
            (false, true) => format!("{worked} worked"),
            (false, false) => format!("{worked} worked, not reached: {}", idle.join(", ")),
        }
    }
}

fn in_words(comparison: &Comparison) -> String {
    let tolerance = Tolerance::RECORDED_PROGRAM;
    format!(
        "a channel is off by {} (allowed {}), {:.3} % of the pixels are within {} (needed {:.1} %)",
        comparison.worst_channel(),
        tolerance.max_channel,
        comparison.part_within(tolerance.near_channel) * 100.0,
        tolerance.near_channel,
        tolerance.min_near * 100.0
    )
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use config::VerifyResult;

    use super::*;
    use crate::lane::Backend;

    fn picture(level: u8) -> Picture {
        Picture::new(2, 2, [level, level, level, 255].repeat(4)).expect("four pixels")
    }

    fn trace() -> Trace {
        let (path, name) = (PathBuf::from("t.trace"), "t".to_owned());
        Trace {
            path,
            name,
            shots: Shots::AfterCall(7),
            reference: Some(picture(100)),
        }
    }

    fn run(lane: &str) -> LaneRun {
        let lane = Lane::parse_list(lane).expect("a lane")[0];
        let mask = lane.mask().unwrap_or_default();
        let arms = build().implemented.bits().map(|bit| {
            let pushed = mask.contains(PushMask(1 << bit.bit));
            (
                bit.name.to_owned(),
                ArmCounts {
                    push: u64::from(pushed),
                    pull: u64::from(!pushed),
                },
            )
        });
        let stats = Stats {
            mask_in_force: mask.0,
            backend: lane.backend.name().to_owned(),
            arms: arms.collect(),
            verify: VerifyResult {
                verbs: 3,
                ..VerifyResult::default()
            },
            ..Stats::default()
        };
        let (said, pictures) = (String::new(), vec![(7, picture(100))]);
        LaneRun {
            lane,
            ending: Ending::Exit(0),
            said,
            stats: Ok(stats),
            pictures,
            seconds: 0.1,
        }
    }

    fn problems(runs: Vec<LaneRun>) -> Vec<String> {
        judge(&trace(), runs)
            .lanes
            .into_iter()
            .flat_map(|(_, verdict)| verdict.problems)
            .collect()
    }

    fn spoiled(lane: &str, spoil: impl FnOnce(&mut LaneRun, &mut Stats)) -> String {
        let mut run = run(lane);
        let mut stats = run.stats.clone().expect("stats");
        let was = stats.clone();
        spoil(&mut run, &mut stats);
        if stats != was {
            run.stats = Ok(stats);
        }
        problems(vec![run]).join("; ")
    }

    #[test]
    fn judge_good_lanes_have_no_problems() {
        assert_eq!(
            problems(vec![
                run("gles/none"),
                run("gles/all"),
                run("vulkan/textures"),
                run("gles/verify")
            ]),
            [""; 0]
        );
    }

    #[test]
    fn judge_picture_beyond_the_tolerance_is_bad() {
        assert!(
            spoiled("gles/all", |run, _| run.pictures[0].1 = picture(120)).contains("off by 20")
        );
        assert!(spoiled("gles/all", |run, _| run.pictures.clear()).contains("no picture"));
    }

    #[test]
    fn judge_masks_that_draw_different_pixels_are_bad_even_within_the_tolerance() {
        let mut other = run("gles/all");
        other.pictures[0].1 = picture(101);
        assert_eq!(
            problems(vec![run("gles/none"), other]),
            ["after call 7, 4 pixels are not those of gles/none"]
        );
    }

    #[test]
    fn judge_backends_may_differ_within_the_tolerance() {
        let mut other = run("vulkan/all");
        other.pictures[0].1 = picture(101);
        assert_eq!(problems(vec![run("gles/all"), other]), [""; 0]);
    }

    #[test]
    fn judge_other_mask_or_backend_than_asked_for_is_bad() {
        assert!(
            spoiled("gles/all", |_, stats| stats.mask_in_force = 1)
                .contains("mask in force was render_state")
        );
        assert!(
            spoiled("gles/all", |_, stats| stats.backend = "vulkan".to_owned())
                .contains("backend was `vulkan`")
        );
    }

    #[test]
    fn judge_library_without_a_backend_is_bad_by_the_librarys_own_words() {
        let found = spoiled("vulkan/all", |run, stats| {
            stats.backend = String::new();
            stats.mask_in_force = 0;
            run.said = "noise\nMobileGL: Vulkan: no driver\nerror: display".to_owned();
            run.ending = Ending::Exit(1);
        });
        assert_eq!(found, "no backend was opened: MobileGL: Vulkan: no driver");
    }

    #[test]
    fn judge_wrong_arm_is_bad() {
        let arms = |push, pull| {
            move |_: &mut LaneRun, stats: &mut Stats| {
                stats
                    .arms
                    .insert("buffers".to_owned(), ArmCounts { push, pull });
            }
        };
        assert!(
            spoiled("gles/all", arms(5, 1))
                .contains("buffers is set, but its pull arm worked 1 times")
        );
        assert!(spoiled("gles/none", arms(1, 5)).contains("buffers is cleared, but its push arm"));
        assert_eq!(
            spoiled("gles/all", arms(0, 0)),
            "",
            "not reached is not wrong"
        );
    }

    #[test]
    fn judge_verify_differences_and_idle_verify_are_bad() {
        assert!(spoiled("gles/verify", |_, stats| stats.verify.verbs = 0).contains("no verb"));
        let text = spoiled("gles/verify", |_, stats| {
            stats.verify = VerifyResult {
                differences: 2,
                verbs: 9,
                first: Some("blend@draw #4".to_owned()),
                reports: Vec::new(),
            };
        });
        assert!(
            text.contains("2 differences, the first: blend@draw #4"),
            "{text}"
        );
    }

    #[test]
    fn judge_refusals_and_deaths_are_told_by_name() {
        let text = spoiled("gles/all", |run, stats| {
            stats.missing = vec!["glNewList".to_owned(), "glBegin".to_owned()];
            run.ending = Ending::Exit(1);
            run.said = "1: error: no list\n\n".to_owned();
        });
        assert!(
            text.contains("not implemented: glNewList, glBegin")
                && text.contains("status 1: 1: error: no list")
        );
        let text = spoiled("gles/all", |run, _| {
            run.said = "MobileGL: Fatal{UnmigratedPipeInput, \"blend@draw\"}\n".to_owned();
            run.ending = Ending::Signal(6);
            run.stats = Err("no statistics".to_owned());
        });
        for part in ["Fatal{UnmigratedPipeInput", "signal 6", "no statistics"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(
            spoiled("gles/all", |run, _| run.ending = Ending::TimedOut).contains("did not end")
        );
    }

    #[test]
    fn judge_without_a_reference_takes_the_first_lane() {
        let trace = Trace {
            reference: None,
            shots: Shots::EveryFrame,
            ..trace()
        };
        let mut second = run("vulkan/all");
        second.pictures[0].1 = picture(140);
        let judged = judge(&trace, vec![run("gles/all"), second]);
        assert!(judged.lanes[0].1.good && !judged.lanes[1].1.good);
        assert_eq!(judged.lanes[1].0.lane.backend, Backend::Vulkan);
    }
}
