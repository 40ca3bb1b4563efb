//! `mobilegl bench`: starts the measuring program once per lane and round, and lays the figures side by side. It must not
//! measure anything itself.

use crate::say::say;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use config::PushMask;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::ab;
use crate::args::BenchArgs;
use crate::dropin::{self, DropIn};
use crate::instructions;
use crate::lane::{Backend, build};
use crate::table::Table;

/// What `driverbench --lane-json` prints.
#[derive(Deserialize)]
struct LaneOutput {
    rows: Vec<LaneRow>,
}

#[derive(Deserialize)]
struct LaneRow {
    name: String,
    unit: String,
    #[serde(flatten)]
    figures: Figures,
}

/// Per unit of the row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Figures {
    ns_p50: f64,
    ns_p99: f64,
    /// Where they can be counted.
    instructions: Option<f64>,
    allocs: f64,
}

#[derive(Serialize)]
struct Page {
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: String,
    unit: String,
    lanes: BTreeMap<String, Figures>,
    /// Push over pull, the figure the migration is judged by: the median over the rounds of the ratio within each round.
    ratios: BTreeMap<String, f64>,
}

#[derive(Clone, Debug, PartialEq)]
struct BenchLane {
    name: String,
    /// `None` runs on the system's GL.
    ours: Option<(Backend, PushMask)>,
}

/// Blocks of this many frames: a batch of a row is a frame, and rows are all of one kind.
const FRAMES: u32 = 4;
/// Batches of one run, unless the arguments for the measuring program say otherwise: some 250 pairs.
const BATCHES: &str = "2000";

/// What alternating bitmaps gave, in `--json`.
#[derive(Serialize)]
struct AbPage {
    a: String,
    b: String,
    rows: Vec<ab::Compared>,
}

/// Every row with two bitmaps by turns.
fn alternate(args: &BenchArgs, backend: Backend, plan: &str) -> Result<Outcome> {
    let program = driverbench(args.driverbench.as_deref())?;
    let dropin = DropIn::find(&args.library)?;
    let plan = match plan.matches(':').count() {
        0 => format!("{}:{FRAMES}", plan.replacen(',', ":", 1)),
        1 => format!("{plan}:{FRAMES}"),
        _ => plan.to_owned(),
    };
    dropin::check(&[("MOBILEGL_PIPE_AB".to_owned(), plan.clone())])?;
    let listed = Command::new(&program)
        .arg("--list")
        .args(&args.rest)
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("{}", program.display()))?;
    if !listed.status.success() {
        bail!("{} --list ended with {}", program.display(), listed.status);
    }
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let rows: Vec<&str> = listed.lines().collect();
    let bar = ProgressBar::new(rows.len() as u64 * u64::from(args.rounds));
    bar.set_style(ProgressStyle::with_template(
        "{bar:30} {pos}/{len} {msg} {elapsed}",
    )?);
    let mut gathered: Vec<ab::Gathered> = rows.iter().map(|_| ab::Gathered::default()).collect();
    let mut heading = None;
    for _ in 0..args.rounds {
        for (row, gathered) in rows.iter().zip(&mut gathered) {
            bar.set_message((*row).to_owned());
            let mut command = Command::new(&program);
            command
                .args(["--lane-json", "--no-instructions", "--batches", BATCHES])
                .args(&args.rest)
                .args(["--only", row])
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .envs(dropin.variables())
                .env("MOBILEGL_BACKEND", backend.name())
                .env("MOBILEGL_PIPE_VERIFY", "0")
                .env("MOBILEGL_PIPE_AB", &plan);
            let (status, result) = ab::run(&mut command, &ab::stats_path())?;
            if !status.success() {
                bail!("the row {row} ended with {status}");
            }
            heading.get_or_insert_with(|| (result.a, result.b, ab::heading(&result)));
            gathered.add(result);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    let compared: Vec<ab::Compared> = rows
        .iter()
        .zip(&gathered)
        .map(|(row, gathered)| gathered.compare(row))
        .collect();
    let Some((a, b, heading)) = heading else {
        bail!("{} has no rows", program.display());
    };
    if args.json {
        let page = AbPage {
            a: PushMask(a).to_string(),
            b: PushMask(b).to_string(),
            rows: compared,
        };
        say!("{}", serde_json::to_string_pretty(&page)?);
    } else {
        say!("{heading}");
        crate::say::text(format_args!("{}", ab::table(&compared)));
    }
    Ok(Outcome::Good)
}

pub fn bench(args: &BenchArgs) -> Result<Outcome> {
    if let (Some(plan), Some(backend)) = (&args.ab, args.backend) {
        return alternate(args, backend, plan);
    }
    if args.instructions {
        return count(args);
    }
    let lanes = lanes(args.backend, &args.lanes)?;
    let program = driverbench(args.driverbench.as_deref())?;
    let dropin = match lanes.iter().any(|lane| lane.ours.is_some()) {
        true => Some(DropIn::find(&args.library)?),
        false => None,
    };
    let bar = ProgressBar::new(lanes.len() as u64 * u64::from(args.rounds));
    bar.set_style(ProgressStyle::with_template(
        "{bar:30} {pos}/{len} {msg} {elapsed}",
    )?);
    let mut measured: Vec<(usize, LaneOutput)> = Vec::new();
    // Round by round, forth and back, so that a machine that changes its speed changes it for all lanes.
    for round in 0..args.rounds {
        for step in 0..lanes.len() {
            let i = if round % 2 == 0 {
                step
            } else {
                lanes.len() - 1 - step
            };
            let lane = &lanes[i];
            bar.set_message(lane.name.clone());
            let output = run_lane(&program, &["--pin"], &args.rest, lane, dropin.as_ref())?;
            let output = serde_json::from_slice(&output)
                .with_context(|| format!("the figures of the lane {}", lane.name))?;
            measured.push((i, output));
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    let page = Page {
        rows: merge(&lanes, measured),
    };
    if args.json {
        say!("{}", serde_json::to_string_pretty(&page)?);
    } else {
        show(&lanes, &page);
    }
    Ok(Outcome::Good)
}

fn lanes(backend: Option<Backend>, asked: &[String]) -> Result<Vec<BenchLane>> {
    let backends = backend.map_or_else(|| Backend::ALL.to_vec(), |backend| vec![backend]);
    let names: Vec<String> = if asked.is_empty() {
        let of = |backend: &Backend| {
            ["pull", "push", "push-no-cso"].map(|name| format!("{}/{name}", backend.name()))
        };
        backends
            .iter()
            .flat_map(of)
            .chain(["native".to_owned()])
            .collect()
    } else {
        asked.to_vec()
    };
    names.iter().map(|name| lane(backend, name)).collect()
}

fn lane(backend: Option<Backend>, asked: &str) -> Result<BenchLane> {
    if asked == "native" {
        return Ok(BenchLane {
            name: asked.to_owned(),
            ours: None,
        });
    }
    let (backend_name, arm) = match (asked.split_once('/'), backend) {
        (Some((name, arm)), _) => (name, arm),
        (None, Some(backend)) => (backend.name(), asked),
        (None, None) => {
            bail!("`{asked}` is no lane: without --backend it is written BACKEND/{asked}")
        }
    };
    let Some(found) = Backend::ALL
        .into_iter()
        .find(|backend| backend.name() == backend_name)
    else {
        bail!("`{asked}` is no lane: there is no backend `{backend_name}`");
    };
    let implemented = build().implemented;
    let mask = match arm {
        "pull" => PushMask::NONE,
        "push" => implemented,
        "push-no-cso" => implemented.union(PushMask::NO_CSO_ADDRESSING),
        "inproc" | "spawn" => {
            bail!("the lane `{asked}` is not in this build: transports come with P5 and P6")
        }
        _ => bail!("`{asked}` is no lane: there are native, pull, push, push-no-cso"),
    };
    let name = if backend == Some(found) {
        arm.to_owned()
    } else {
        format!("{}/{arm}", found.name())
    };
    Ok(BenchLane {
        name,
        ours: Some((found, mask)),
    })
}

fn driverbench(named: Option<&Path>) -> Result<PathBuf> {
    let path = match named {
        Some(path) => path.to_owned(),
        None => std::env::current_exe()
            .context("this program's own path")?
            .with_file_name("driverbench"),
    };
    if path.is_file() {
        Ok(path)
    } else {
        bail!(
            "{}: there is no measuring program; `./x build` makes it",
            path.display()
        )
    }
}

/// Instructions of the null lanes against the checked-in figures.
fn count(args: &BenchArgs) -> Result<Outcome> {
    let lanes = lanes(Some(Backend::Null), &["pull".to_owned(), "push".to_owned()])?;
    let program = driverbench(args.driverbench.as_deref())?;
    let dropin = DropIn::find(&args.library)?;
    let mut now = instructions::Counts::new();
    for lane in &lanes {
        let output = run_lane(
            &program,
            &["--instructions"],
            &args.rest,
            lane,
            Some(&dropin),
        )?;
        now.insert(lane.name.clone(), instructions::read(&output)?);
    }
    let only: Vec<&OsString> = args.rest.iter().filter(|word| *word != "--row").collect();
    let asked = |row: &str| only.is_empty() || only.iter().any(|word| *word == row);
    let lines = instructions::compare(&instructions::checked_in()?, &now, asked);
    if args.json {
        println!("{}", serde_json::to_string_pretty(&now)?);
    } else {
        print!("{}", instructions::table(&lines));
    }
    Ok(if lines.iter().any(instructions::Line::is_bad) {
        Outcome::Failed
    } else {
        Outcome::Good
    })
}

/// What the measuring program prints on one lane.
fn run_lane(
    program: &Path,
    how: &[&str],
    rest: &[OsString],
    lane: &BenchLane,
    dropin: Option<&DropIn>,
) -> Result<Vec<u8>> {
    let mut command = Command::new(program);
    command
        .arg("--lane-json")
        .args(how)
        .args(rest)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit());
    if let (Some((backend, mask)), Some(dropin)) = (lane.ours, dropin) {
        command
            .envs(dropin.variables())
            .env("MOBILEGL_BACKEND", backend.name())
            .env("MOBILEGL_PIPE_PUSH", format!("{:#x}", mask.0))
            .env("MOBILEGL_PIPE_VERIFY", "0");
    }
    let output = command
        .output()
        .with_context(|| format!("{}", program.display()))?;
    if !output.status.success() {
        bail!("the lane {} ended with {}", lane.name, output.status);
    }
    Ok(output.stdout)
}

/// Medians over the rounds, per row and lane; rows stay in the order of their first appearance.
fn merge(lanes: &[BenchLane], measured: Vec<(usize, LaneOutput)>) -> Vec<Row> {
    let mut rows: Vec<(String, String, BTreeMap<usize, Vec<Figures>>)> = Vec::new();
    for (lane, output) in measured {
        for LaneRow {
            name,
            unit,
            figures,
        } in output.rows
        {
            let at = rows
                .iter()
                .position(|(own, ..)| *own == name)
                .unwrap_or_else(|| {
                    rows.push((name, unit, BTreeMap::new()));
                    rows.len() - 1
                });
            rows[at].2.entry(lane).or_default().push(figures);
        }
    }
    let median_of = |all: Vec<Figures>| Figures {
        ns_p50: median(all.iter().map(|one| one.ns_p50)).unwrap_or(f64::NAN),
        ns_p99: median(all.iter().map(|one| one.ns_p99)).unwrap_or(f64::NAN),
        instructions: median(all.iter().filter_map(|one| one.instructions)),
        allocs: median(all.iter().map(|one| one.allocs)).unwrap_or(f64::NAN),
    };
    rows.into_iter()
        .map(|(name, unit, figures)| {
            let ratios = pairs(lanes)
                .into_iter()
                .filter_map(|(head, push, pull)| {
                    let (push, pull) = (figures.get(&push)?, figures.get(&pull)?);
                    let rounds = push.iter().zip(pull).map(|(a, b)| a.ns_p50 / b.ns_p50);
                    Some((head, median(rounds)?))
                })
                .collect();
            let lanes = figures
                .into_iter()
                .map(|(lane, all)| (lanes[lane].name.clone(), median_of(all)))
                .collect();
            Row {
                name,
                unit,
                lanes,
                ratios,
            }
        })
        .collect()
}

/// Push lanes with the pull lane of their backend: heading, and the two as indices.
fn pairs(lanes: &[BenchLane]) -> Vec<(String, usize, usize)> {
    let rows = lanes.iter().enumerate();
    rows.filter_map(|(at, lane)| {
        let stem = lane.name.strip_suffix("push")?;
        let pull = lanes
            .iter()
            .position(|other| other.name.strip_suffix("pull") == Some(stem))?;
        Some((format!("{}/pull", lane.name), at, pull))
    })
    .collect()
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        n if n % 2 == 1 => Some(values[middle]),
        _ => Some((values[middle - 1] + values[middle]) / 2.0),
    }
}

fn show(lanes: &[BenchLane], page: &Page) {
    let mut heads = vec!["row (ns, p50)", "unit"];
    heads.extend(lanes.iter().map(|lane| lane.name.as_str()));
    let pairs = pairs(lanes);
    heads.extend(pairs.iter().map(|(head, ..)| head.as_str()));
    let mut table = Table::new(&heads);
    for row in &page.rows {
        let mut cells = vec![row.name.clone(), row.unit.clone()];
        let p50 = |lane: &String| row.lanes.get(lane).map(|figures| figures.ns_p50);
        let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
        cells.extend(
            lanes
                .iter()
                .map(|lane| or_dash(p50(&lane.name).map(|ns| format!("{ns:.1}")))),
        );
        cells.extend(
            pairs
                .iter()
                .map(|(head, ..)| or_dash(row.ratios.get(head).map(|ratio| format!("{ratio:.2}")))),
        );
        table.row(cells);
    }
    crate::say::text(format_args!("{table}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(backend: Option<Backend>, asked: &[&str]) -> Vec<String> {
        let asked: Vec<String> = asked.iter().map(|name| (*name).to_owned()).collect();
        lanes(backend, &asked)
            .expect("lanes")
            .into_iter()
            .map(|lane| lane.name)
            .collect()
    }

    #[test]
    fn lanes_carry_a_prefix_where_no_backend_is_given() {
        assert_eq!(
            names(Some(Backend::Null), &["pull", "push", "native"]),
            ["pull", "push", "native"]
        );
        assert_eq!(
            names(None, &["gles/pull", "null/push-no-cso"]),
            ["gles/pull", "null/push-no-cso"]
        );
        assert_eq!(names(None, &[]).len(), 10);
    }

    #[test]
    fn lanes_that_do_not_exist_or_are_not_built_are_refused_by_name() {
        for (asked, part) in [
            ("push", "BACKEND/push"),
            ("gl/push", "`gl`"),
            ("gles/fast", "no lane"),
            ("gles/inproc", "not in this build"),
        ] {
            let error = lane(None, asked).expect_err(asked).to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn ratio_is_of_lanes_within_one_round_so_that_a_slow_round_moves_nothing() {
        let lanes = lanes(None, &["null/pull".to_owned(), "null/push".to_owned()]).expect("lanes");
        let output = |lane, ns| {
            let text = format!(
                r#"{{"rows":[{{"name":"draw","unit":"draw","ns_p50":{ns},"ns_p99":9,"instructions":null,"allocs":0}}]}}"#
            );
            (lane, serde_json::from_str(&text).expect("a lane's output"))
        };
        let rounds = [(10, 8), (40, 32), (20, 16)];
        let measured = rounds
            .iter()
            .flat_map(|(pull, push)| [output(0, *pull), output(1, *push)]);
        let rows = merge(&lanes, measured.collect());
        assert_eq!(rows[0].ratios["null/push/pull"], 0.8);
    }

    #[test]
    fn merge_takes_medians_over_rounds() {
        let lanes = lanes(Some(Backend::Null), &["pull".to_owned()]).expect("a lane");
        let output = |ns| {
            let text = format!(
                r#"{{"rows":[{{"name":"draw","unit":"draw","ns_p50":{ns},"ns_p99":9,"instructions":null,"allocs":0}}]}}"#
            );
            (0, serde_json::from_str(&text).expect("a lane's output"))
        };
        let rows = merge(&lanes, vec![output(30), output(10), output(20)]);
        assert_eq!(rows.len(), 1);
        assert_eq!(
            rows[0].lanes["pull"],
            Figures {
                ns_p50: 20.0,
                ns_p99: 9.0,
                instructions: None,
                allocs: 0.0
            }
        );
    }
}
