//! `mobilegl replay` and `mobilegl verify`: recordings over lanes, shown as a table, as JSON, as a page. It must not decide
//! what is good: `judge` does.

use crate::say::say;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Result, bail};
use config::VerifyReport;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::Outcome;
use crate::args::{ReplayArgs, RetraceArgs, VerifyArgs};
use crate::dropin::DropIn;
use crate::golden;
use crate::judge::{Judged, Verdict, judge};
use crate::lane::{Arm, Backend, Lane};
use crate::report;
use crate::retrace::{Ending, LaneRun, Retracer};
use crate::table::Table;
use crate::trace::{Asked, Shots, Trace};

/// One recording in `--json`.
#[derive(Serialize)]
struct JsonTrace<'a> {
    trace: &'a str,
    good: bool,
    lanes: BTreeMap<String, &'a Verdict>,
}

pub fn replay(args: &ReplayArgs) -> Result<Outcome> {
    let lanes = match &args.lanes {
        Some(text) => Lane::parse_list(text)?,
        None => backends(args.backend)
            .into_iter()
            .flat_map(Lane::defaults)
            .collect(),
    };
    if args.reference.is_some() && args.traces.len() > 1 {
        bail!(
            "one reference picture cannot be that of {} recordings",
            args.traces.len()
        );
    }
    let asked = Asked {
        call: args.call,
        frames: args.frames,
        reference: args.reference.as_deref(),
    };
    let traces = args
        .traces
        .iter()
        .map(|path| Trace::open(path, &asked))
        .collect::<Result<Vec<_>>>()?;
    let judged = replay_all(&args.common, &traces, &lanes)?;
    write_report(args.report.as_deref(), &judged)?;
    show(&judged, args.common.json)
}

pub fn verify(args: &VerifyArgs) -> Result<Outcome> {
    if let Some(file) = &args.golden {
        return golden::verify(args, file);
    }
    let lanes: Vec<Lane> = backends(args.backend)
        .into_iter()
        .map(|backend| Lane {
            backend,
            arm: Arm::Verify,
        })
        .collect();
    let traces = args
        .traces
        .iter()
        .map(|path| Trace::open(path, &Asked::default()))
        .collect::<Result<Vec<_>>>()?;
    let judged = replay_all(&args.common, &traces, &lanes)?;
    write_report(args.report.as_deref(), &judged)?;
    show(&judged, args.common.json)
}

fn write_report(path: Option<&Path>, judged: &[Judged<'_>]) -> Result<()> {
    if let Some(path) = path {
        std::fs::write(path, report::page(judged)?)
            .map_err(|error| anyhow::anyhow!("the report {}: {error}", path.display()))?;
    }
    Ok(())
}

fn backends(only: Option<Backend>) -> Vec<Backend> {
    only.map_or_else(|| Backend::DRAWING.to_vec(), |backend| vec![backend])
}

fn replay_all<'a>(
    args: &RetraceArgs,
    traces: &'a [Trace],
    lanes: &[Lane],
) -> Result<Vec<Judged<'a>>> {
    let dropin = DropIn::find(&args.library)?;
    let retracer = Retracer::new(&args.eglretrace, dropin, Duration::from_secs(args.timeout))?;
    let jobs = args
        .jobs
        .map(usize::from)
        .or_else(|| std::thread::available_parallelism().ok().map(usize::from));
    let work: Vec<(&Trace, Lane)> = traces
        .iter()
        .flat_map(|trace| lanes.iter().map(move |lane| (trace, *lane)))
        .collect();
    let runs = run_all(&retracer, &work, jobs.unwrap_or(1))?;

    let mut runs = runs.into_iter();
    let mut judged = Vec::new();
    for trace in traces {
        let runs: Vec<LaneRun> = runs.by_ref().take(lanes.len()).collect();
        check_recording(trace, &runs)?;
        judged.push(judge(trace, runs));
    }
    Ok(judged)
}

/// Runs everything on `jobs` threads; the results are in the order of the work.
fn run_all(retracer: &Retracer, work: &[(&Trace, Lane)], jobs: usize) -> Result<Vec<LaneRun>> {
    let bar = ProgressBar::new(work.len() as u64);
    bar.set_style(ProgressStyle::with_template(
        "{bar:30} {pos}/{len} {msg} {elapsed}",
    )?);
    let next = Mutex::new(work.iter().enumerate());
    let take = || next.lock().ok()?.next();
    let mut results: Vec<(usize, Result<LaneRun>)> = std::thread::scope(|scope| {
        let worker = || {
            let mut done = Vec::new();
            while let Some((i, (trace, lane))) = take() {
                bar.set_message(format!("{} {lane}", trace.name));
                done.push((i, retracer.run(trace, *lane)));
                bar.inc(1);
            }
            done
        };
        let workers: Vec<_> = (0..jobs.clamp(1, work.len().max(1)))
            .map(|_| scope.spawn(worker))
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("a worker has nothing that panics"))
            .collect()
    });
    bar.finish_and_clear();
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, run)| run).collect()
}

/// What is wrong with the recording or the question is misuse, not a failed comparison.
pub fn check_recording(trace: &Trace, runs: &[LaneRun]) -> Result<()> {
    let path = trace.path.display();
    if runs.iter().any(LaneRun::met_a_broken_recording) {
        bail!("{path}: the recording is broken: it ends in the middle of a call");
    }
    let silent = |run: &LaneRun| {
        let refused = run
            .stats
            .as_ref()
            .is_ok_and(|stats| !stats.missing.is_empty());
        run.ending == Ending::Exit(0) && run.pictures.is_empty() && run.stats.is_ok() && !refused
    };
    if runs.iter().all(silent) {
        match trace.shots {
            Shots::AfterCall(call) => {
                bail!("{path}: no picture can be taken after call {call}: is there such a call?")
            }
            Shots::EveryFrame => bail!(
                "{path}: the recording has no frames: say with --call after which call to look"
            ),
        }
    }
    Ok(())
}

fn show(judged: &[Judged<'_>], json: bool) -> Result<Outcome> {
    for one in judged {
        if json {
            let lanes = one
                .lanes
                .iter()
                .map(|(run, verdict)| (run.lane.to_string(), verdict))
                .collect();
            say!(
                "{}",
                serde_json::to_string(&JsonTrace {
                    trace: &one.trace.name,
                    good: one.is_good(),
                    lanes
                })?
            );
        } else {
            show_one(one);
        }
    }
    let good = judged.iter().filter(|one| one.is_good()).count();
    if !json {
        let lanes: usize = judged.iter().map(|one| one.lanes.len()).sum();
        say!(
            "{good} of {} recordings are good, in {lanes} runs",
            judged.len()
        );
    }
    Ok(if good == judged.len() {
        Outcome::Good
    } else {
        Outcome::Failed
    })
}

/// Every difference that was kept, a line each.
fn verify_table(reports: &[VerifyReport]) -> Option<Table> {
    let mut table = Table::new(&[
        "field", "verb", "ordinal", "frame", "GL call", "told", "expected",
    ]);
    for report in reports {
        table.row([
            report.field.clone(),
            report.verb.clone(),
            report.verb_ordinal.to_string(),
            report.frame.to_string(),
            report.gl_call.to_string(),
            report.told.clone(),
            report.expected.clone(),
        ]);
    }
    (!reports.is_empty()).then_some(table)
}

fn show_one(judged: &Judged<'_>) {
    let against = match (&judged.trace.reference, judged.trace.shots) {
        (Some(_), Shots::AfterCall(call)) => {
            format!("against the reference picture of call {call}")
        }
        (_, Shots::AfterCall(call)) => format!("call {call}, lanes against the first"),
        (_, Shots::EveryFrame) => "every frame, lanes against the first".to_owned(),
    };
    say!("{}: {against}", judged.trace.name);
    let mut table = Table::new(&[
        "lane",
        "result",
        "SSIM",
        "differing",
        "worst",
        "as first",
        "verify",
        "s",
        "arms",
    ]);
    let shown = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    for (run, verdict) in &judged.lanes {
        table.row([
            run.lane.to_string(),
            if verdict.good { "good" } else { "BAD" }.to_owned(),
            shown(verdict.ssim.map(|ssim| format!("{ssim:.5}"))),
            shown(verdict.differing_pixels.map(|pixels| pixels.to_string())),
            shown(verdict.worst_channel.map(|channel| channel.to_string())),
            shown(
                verdict
                    .same_as_first_lane
                    .map(|same| if same { "yes" } else { "NO" }.to_owned()),
            ),
            shown(
                verdict
                    .verify_differences
                    .map(|differences| differences.to_string()),
            ),
            format!("{:.2}", verdict.seconds),
            verdict.arms_in_words(),
        ]);
    }
    crate::say::text(format_args!("{table}"));
    for (run, verdict) in &judged.lanes {
        for problem in &verdict.problems {
            say!("  {}: {problem}", run.lane);
        }
        if let Some(table) = verify_table(&verdict.verify_reports) {
            say!("{table}");
        }
    }
    say!();
}
