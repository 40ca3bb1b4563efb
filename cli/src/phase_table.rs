//! `mobilegl phases`: shows the ledger. It must not judge it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use config::PushMask;
use phases::{Backend, FullRun, Ledger, Phase, Status};
use serde::Serialize;

use crate::Outcome;
use crate::junit::Run;
use crate::say::say;
use crate::table::Table;

/// The form that scripts rely on: these keys, no others.
#[derive(Serialize)]
struct Page<'a> {
    phases: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    title: &'a str,
    status: Status,
    bits: &'a [String],
    residual_bytes: u32,
    gates: &'a [String],
}

impl<'a> From<&'a Phase> for Row<'a> {
    fn from(phase: &'a Phase) -> Row<'a> {
        let Phase {
            id,
            title,
            status,
            bits,
            residual_bytes,
            gates,
            goal: _,
            measured: _,
            full: _,
        } = phase;
        Row {
            id,
            title,
            status: *status,
            bits,
            residual_bytes: *residual_bytes,
            gates,
        }
    }
}

/// What is asked of it.
pub struct Wanted {
    pub json: bool,
    pub ships: bool,
    pub junit: Option<PathBuf>,
    pub write_result: Option<PathBuf>,
    pub cite: Option<PathBuf>,
    pub tree: Option<String>,
}

pub fn print(wanted: &Wanted) -> Result<Outcome> {
    let ledger = phases::ledger();
    if wanted.ships {
        say!("{}", build_that_ships(ledger));
        return Ok(Outcome::Good);
    }
    if let Some(file) = &wanted.cite {
        return cite(file, Path::new("phases"));
    }
    show(ledger, wanted)?;
    let Some(junit) = &wanted.junit else {
        return Ok(Outcome::Good);
    };
    let run = Run::read(junit)?;
    if let (Some(file), Some(tree)) = (&wanted.write_result, &wanted.tree) {
        let text = serde_json::to_string_pretty(&run.full(ledger, tree))?;
        std::fs::write(file, text + "\n").with_context(|| format!("{}", file.display()))?;
    }
    let unproven = run.unproven(ledger);
    unproven.iter().for_each(|sentence| eprintln!("{sentence}"));
    Ok(if unproven.is_empty() {
        Outcome::Good
    } else {
        Outcome::Failed
    })
}

/// Cites a full run in the ledger below `phases`. A row that it does not prove keeps what it cited, and is told.
fn cite(file: &Path, phases: &Path) -> Result<Outcome> {
    let text = std::fs::read_to_string(file).with_context(|| format!("{}", file.display()))?;
    let run: FullRun =
        serde_json::from_str(&text).with_context(|| format!("{}", file.display()))?;
    let ledger = phases.join("ledger.toml");
    let rows = std::fs::read_to_string(&ledger)
        .with_context(|| format!("{}: run it in the folder of the sources", ledger.display()))?;
    let cited = run
        .cite(&rows)
        .map_err(|why| anyhow!("{}: {why}", ledger.display()))?;
    let result = phases.join(FullRun::path_of(&run.tree));
    std::fs::create_dir_all(phases.join("results"))?;
    std::fs::write(&result, text).with_context(|| format!("{}", result.display()))?;
    std::fs::write(&ledger, cited.text).with_context(|| format!("{}", ledger.display()))?;
    say!("{} rows cite {} now", cited.rows.len(), result.display());
    for what in &cited.unproven {
        say!("{what} is green and not proven by it");
    }
    Ok(Outcome::Good)
}

fn build_that_ships(ledger: &Ledger) -> &'static str {
    if ledger.ships() {
        "shipping"
    } else {
        "default"
    }
}

/// The hash of the source tree in this folder, where it is one.
fn tree_here() -> Option<String> {
    let output = std::process::Command::new(".config/tree-hash.sh")
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// How old a row's proof is.
fn proof(full: &str, tree: Option<&str>) -> String {
    match tree {
        _ if full.is_empty() => "-".to_owned(),
        Some(tree) if tree == full => "this tree".to_owned(),
        Some(_) => format!("stale ({})", &full[..12]),
        None => full[..12].to_owned(),
    }
}

fn show(ledger: &Ledger, wanted: &Wanted) -> Result<()> {
    if wanted.json {
        let page = Page {
            phases: ledger.phases.iter().map(Row::from).collect(),
        };
        say!("{}", serde_json::to_string_pretty(&page)?);
        return Ok(());
    }
    let tree = wanted.tree.clone().or_else(tree_here);
    let mut table = Table::new(&["phase", "status", "residual", "full run", "title"]);
    for phase in &ledger.phases {
        let residual = format!("{} B", phase.residual_bytes);
        table.row([
            phase.id.as_str(),
            word(phase.status),
            residual.as_str(),
            proof(&phase.full, tree.as_deref()).as_str(),
            phase.title.as_str(),
        ]);
    }
    say!("{table}");
    let mut table = Table::new(&["bit", "subsystem", "gles", "vulkan"]);
    for row in ledger
        .bits
        .iter()
        .filter(|row| row.backend == Backend::Gles)
    {
        let on_vulkan = ledger
            .bits
            .iter()
            .find(|other| other.bit == row.bit && other.backend == Backend::Vulkan);
        let on_vulkan = on_vulkan.map_or("-", |other| word(other.status));
        table.row([
            row.bit.to_string().as_str(),
            row.name.as_str(),
            word(row.status),
            on_vulkan,
        ]);
    }
    say!("{table}");
    let mut told = Vec::new();
    for row in ledger.bits.iter().filter(|row| !row.lacks.is_empty()) {
        if !told.contains(&&row.lacks) {
            told.push(&row.lacks);
            say!("{} lacks {}", row.name, row.lacks);
        }
    }
    if let Some(tree) = &tree {
        let stale = ledger.stale(tree);
        if !stale.is_empty() {
            say!("Proven by an older tree: {}", stale.join(", "));
        }
    }
    say!("Default bitmap: {}", PushMask(ledger.default_mask()));
    say!("What ships: the {} build", build_that_ships(ledger));
    Ok(())
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Planned => "planned",
        Status::Open => "open",
        Status::Green => "green",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proof_of_another_tree_is_shown_as_stale() {
        let (mine, other) = ("a".repeat(64), "b".repeat(64));
        assert_eq!(proof("", Some(&mine)), "-");
        assert_eq!(proof(&mine, Some(&mine)), "this tree");
        assert_eq!(proof(&other, Some(&mine)), "stale (bbbbbbbbbbbb)");
        assert_eq!(proof(&other, None), "bbbbbbbbbbbb");
    }
}
