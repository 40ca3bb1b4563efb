//! `mobilegl stats`: shows what runs told when they ended. It must not judge them.

use crate::say::say;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use config::{Counters, PushMask, Stats};

use crate::Outcome;
use crate::ab;
use crate::stats_page;
use crate::table::Table;

/// Commands shown per run; the rest is in the file.
const MOST_CALLED: usize = 20;

pub fn print(files: &[PathBuf], report: Option<&Path>) -> Result<Outcome> {
    let mut all = Vec::new();
    for file in files {
        let stats = read(file)?;
        show(file, &stats);
        all.push((file.display().to_string(), stats));
    }
    if let Some(path) = report {
        std::fs::write(path, stats_page::page(&all)?)
            .with_context(|| format!("the report {}", path.display()))?;
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
    if let Some(cache) = &stats.shader_cache {
        say!(
            "shader cache: {} found, {} not ({} of them damaged), {} stored",
            cache.hits,
            cache.misses,
            cache.damaged,
            cache.stored
        );
    }
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
    if let Some(counters) = &stats.counters {
        show_counters(counters);
    }
    if let Some(ab) = &stats.ab {
        let mut gathered = ab::Gathered::default();
        gathered.add(ab.clone());
        say!(
            "{}\n{}",
            ab::heading(ab),
            ab::table(&[gathered.compare("by turns")])
        );
    }
    let mut calls: Vec<(&String, &u64)> = stats.calls.iter().collect();
    calls.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
    let mut table = Table::new(&["command", "calls"]);
    for (name, count) in calls.into_iter().take(MOST_CALLED) {
        table.row([name.clone(), count.to_string()]);
    }
    say!("{table}");
}

fn show_counters(counters: &Counters) {
    let per = |n: u64, of: u64| match of {
        0 => "-".to_owned(),
        _ => format!("{:.2}", n as f64 / of as f64),
    };
    say!(
        "{} frames, {} draws, {} verbs; a draw takes {} calls; {} texture pulls, {} alternations",
        counters.frames,
        counters.draws,
        counters.verbs,
        per(counters.calls.values().sum(), counters.draws),
        counters.texture_pulls,
        counters.alternations
    );
    say!(
        "texture uploads: {} of one box, {} of {} rectangles; pulled verbs read the context {} times each\n",
        counters.box_uploads,
        counters.rect_uploads,
        counters.rects,
        per(counters.accessor_reads, counters.pulled_verbs)
    );
    let mut table = Table::new(&["call of the interface", "calls", "a frame"]);
    let mut rows: Vec<_> = counters.calls.iter().collect();
    rows.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
    for (name, count) in rows {
        table.row([
            name.clone(),
            count.to_string(),
            per(*count, counters.frames),
        ]);
    }
    say!("{table}");
    let mut table = Table::new(&["bytes", "in all", "a frame"]);
    for (name, count) in &counters.bytes {
        table.row([
            name.clone(),
            count.to_string(),
            per(*count, counters.frames),
        ]);
    }
    say!("{table}");
    let mut table = Table::new(&["atom", "gate held", "same value", "told"]);
    for (name, gate) in &counters.gates {
        table.row([
            name.clone(),
            gate.held.to_string(),
            gate.same.to_string(),
            gate.told.to_string(),
        ]);
    }
    say!("{table}");
    let mut table = Table::new(&["state objects", "created", "found", "evicted"]);
    for (name, csos) in &counters.csos {
        table.row([
            name.clone(),
            csos.created.to_string(),
            csos.found.to_string(),
            csos.evicted.to_string(),
        ]);
    }
    say!("{table}");
}
