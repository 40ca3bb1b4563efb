//! `--ab A,B`: one program in which two bitmaps take turns, and what the pairs of blocks say. It must not measure anything
//! itself: the library does, in the program's own thread.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use anyhow::{Context, Result, bail};
use config::{AbResult, PushMask, Stats};
use serde::Serialize;

use crate::paired::{FEWEST, Paired};
use crate::table::Table;

/// One program's or row's outcome.
#[derive(Serialize)]
pub struct Compared {
    pub name: String,
    pub flips: u64,
    /// `None`: too few pairs.
    #[serde(flatten)]
    pub paired: Option<Paired>,
}

/// Gathers the pairs of several runs of the same thing.
#[derive(Default)]
pub struct Gathered {
    result: AbResult,
}

impl Gathered {
    pub fn add(&mut self, run: AbResult) {
        self.result.flips += run.flips;
        self.result.pairs.extend(run.pairs);
    }

    pub fn compare(&self, name: &str) -> Compared {
        Compared {
            name: name.to_owned(),
            flips: self.result.flips,
            paired: Paired::of(&self.result.pairs),
        }
    }
}

/// Runs a program to its end with a file for the library's statistics; what it told of the alternation.
pub fn run(command: &mut Command, stats: &Path) -> Result<(ExitStatus, AbResult)> {
    let status = command
        .env("MOBILEGL_PIPE_STATS_FILE", stats)
        .status()
        .with_context(|| format!("{}", command.get_program().display()))?;
    let text = std::fs::read_to_string(stats);
    // A temporary file: nothing depends on its going.
    let _ = std::fs::remove_file(stats);
    let Ok(text) = text else {
        bail!(
            "{} ended ({status}) without the library's statistics: was the library loaded?",
            command.get_program().display()
        );
    };
    let stats: Stats = serde_json::from_str(&text).context("the library's statistics")?;
    match stats.ab {
        Some(ab) => Ok((status, ab)),
        None => bail!(
            "{} made no context in which bitmaps could take turns",
            command.get_program().display()
        ),
    }
}

/// A path for one run's statistics.
pub fn stats_path() -> PathBuf {
    std::env::temp_dir().join(format!("mobilegl-ab-{}.json", std::process::id()))
}

/// What the two letters stand for.
pub fn heading(ab: &AbResult) -> String {
    format!(
        "A is {}, B is {}; {} frames a turn, the first {} of each left out",
        PushMask(ab.a),
        PushMask(ab.b),
        ab.frames,
        ab.left_out
    )
}

pub fn table(compared: &[Compared]) -> String {
    let mut table = Table::new(&[
        "name",
        "pairs",
        "A ns/verb",
        "B ns/verb",
        "B over A (95 % interval)",
        "",
    ]);
    for one in compared {
        match &one.paired {
            Some(paired) => table.row([
                one.name.clone(),
                paired.pairs.to_string(),
                format!("{:.1}", paired.a_ns_per_verb),
                format!("{:.1}", paired.b_ns_per_verb),
                paired.in_words(),
                paired.verdict().to_owned(),
            ]),
            None => table.row([
                one.name.clone(),
                format!("fewer than {FEWEST}"),
                "-".to_owned(),
                "-".to_owned(),
                "-".to_owned(),
                format!("too few frames: the bitmap changed {} times", one.flips),
            ]),
        }
    }
    table.to_string()
}
