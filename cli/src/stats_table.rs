//! `mobilegl stats`: shows what runs told when they ended. It must not judge them.

use crate::say::say;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use config::{PushMask, Stats};

use crate::Outcome;
use crate::table::Table;

/// Commands shown per run; the rest is in the file.
const MOST_CALLED: usize = 20;

pub fn print(files: &[PathBuf]) -> Result<Outcome> {
    for file in files {
        show(file, &read(file)?);
    }
    Ok(Outcome::Good)
}

fn read(file: &Path) -> Result<Stats> {
    let text = std::fs::read_to_string(file).with_context(|| format!("{}", file.display()))?;
    serde_json::from_str(&text)
        .with_context(|| format!("{}: these are no statistics of the library", file.display()))
}

fn show(file: &Path, stats: &Stats) {
    say!(
        "{}: {} on {}, pushed: {}",
        file.display(),
        stats.backend,
        stats.device,
        PushMask(stats.mask_in_force)
    );
    say!(
        "GL errors: {}, calls: {}",
        stats.errors,
        stats.calls.values().sum::<u64>()
    );
    if !stats.missing.is_empty() {
        say!("called and not implemented: {}", stats.missing.join(", "));
    }
    if stats.verify.verbs != 0 {
        let first = stats
            .verify
            .first
            .as_deref()
            .map_or_else(String::new, |first| format!(", the first: {first}"));
        say!(
            "verify: {} verbs, {} differences{first}",
            stats.verify.verbs,
            stats.verify.differences
        );
    }
    let mut table = Table::new(&["subsystem", "pushed", "pulled"]);
    for (name, arms) in &stats.arms {
        table.row([name.clone(), arms.push.to_string(), arms.pull.to_string()]);
    }
    say!("\n{table}");
    let mut calls: Vec<(&String, &u64)> = stats.calls.iter().collect();
    calls.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
    let mut table = Table::new(&["command", "calls"]);
    for (name, count) in calls.into_iter().take(MOST_CALLED) {
        table.row([name.clone(), count.to_string()]);
    }
    say!("{table}");
}
