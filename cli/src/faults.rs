//! `mobilegl faults`: what MOBILEGL_PIPE_FAULT can plant. It lists; it plants nothing.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::args::FaultsArgs;
use crate::dropin::DropIn;
use crate::library;
use crate::say::say;

/// One fault, as the library tells it.
#[derive(Deserialize, Serialize)]
struct Fault {
    name: String,
    /// The bit that separates it; null: it is in code that all arms share.
    bit: Option<String>,
    /// Which arm of that bit is wrong: `push` or `pull`.
    arm: Option<String>,
    /// Bits in one arm of which alone a fault of shared code may show.
    shows: Vec<String>,
    /// How the fields begin that verification may name.
    fields: Vec<String>,
    /// For a command: the version of OpenGL that it came with, as two digits.
    since: Option<u8>,
}

pub fn faults(args: &FaultsArgs) -> Result<Outcome> {
    let dropin = DropIn::find(&args.library)?;
    let text = library::faults(dropin.library().as_os_str())?;
    let mut faults: Vec<Fault> =
        serde_json::from_str(&text).context("the library's list of faults")?;
    if faults.is_empty() {
        bail!("this build of the library plants no faults (its feature `faults` is off)");
    }
    if let Some(kind) = &args.kind {
        let prefix = format!("{}:", kind.trim_end_matches(':'));
        faults.retain(|fault| fault.name.starts_with(&prefix));
        if faults.is_empty() {
            bail!("there is no kind of fault `{kind}`");
        }
    }
    if args.json {
        say!("{}", serde_json::to_string_pretty(&faults)?);
    } else {
        for fault in &faults {
            say!(
                "{:<52} {}{}",
                fault.name,
                fault.bit.as_deref().unwrap_or("shared code"),
                match fault.arm.as_deref() {
                    Some("pull") => " (pulled)",
                    _ => "",
                }
            );
        }
    }
    Ok(Outcome::Good)
}
