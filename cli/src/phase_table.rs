//! `mobilegl phases`: shows the ledger. It must not judge it.

use std::path::Path;

use anyhow::Result;
use config::PushMask;
use phases::{Backend, Ledger, Phase, Status};
use serde::Serialize;

use crate::Outcome;
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

pub fn print(json: bool, junit: Option<&Path>) -> Result<Outcome> {
    let ledger = phases::ledger();
    let unproven = junit
        .map(|file| crate::junit::unproven(ledger, file))
        .transpose()?
        .unwrap_or_default();
    show(ledger, json)?;
    unproven.iter().for_each(|sentence| eprintln!("{sentence}"));
    Ok(if unproven.is_empty() {
        Outcome::Good
    } else {
        Outcome::Failed
    })
}

fn show(ledger: &Ledger, json: bool) -> Result<()> {
    if json {
        let page = Page {
            phases: ledger.phases.iter().map(Row::from).collect(),
        };
        println!("{}", serde_json::to_string_pretty(&page)?);
        return Ok(());
    }
    let mut table = Table::new(&["phase", "status", "residual", "title"]);
    for phase in &ledger.phases {
        let residual = format!("{} B", phase.residual_bytes);
        table.row([
            phase.id.as_str(),
            word(phase.status),
            residual.as_str(),
            phase.title.as_str(),
        ]);
    }
    println!("{table}");
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
    println!("{table}");
    println!("Default bitmap: {}", PushMask(ledger.default_mask()));
    Ok(())
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Planned => "planned",
        Status::Open => "open",
        Status::Green => "green",
    }
}
