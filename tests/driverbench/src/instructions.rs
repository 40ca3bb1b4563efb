//! Instructions per unit: the same program under callgrind, which counts inside the row's own loop alone ([`crate::rows::units`]) and
//! on this thread alone. Two numbers of units and their difference leave out what only the first units do. No clock takes part, so
//! the figure is the same on every machine of one architecture.

use std::process::{Command, Stdio};

const FEW: u32 = 1_000;
const MANY: u32 = 3_000;

/// Instructions of one unit; `None` where there is no valgrind, or this program has no symbols.
pub fn per_unit(row: &str) -> Option<f64> {
    let few = total(row, FEW)?;
    let many = total(row, MANY)?;
    let per_unit = (many as f64 - few as f64) / f64::from(MANY - FEW);
    Some((per_unit * 10.0).round() / 10.0)
}

fn total(row: &str, units: u32) -> Option<u64> {
    let program = std::env::current_exe().ok()?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg("--toggle-collect=driverbench::rows::units")
        .arg(program)
        .args(["--exactly", &units.to_string(), "--row", row])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output()
        .ok()?;
    if !output.status.success() {
        eprintln!(
            "driverbench: {row} under callgrind ended with {}",
            output.status
        );
        return None;
    }
    // callgrind ends with `==pid== Collected : N`.
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().find(|line| line.contains("Collected :"))?;
    let count = line.rsplit(':').next()?.trim().parse().ok()?;
    if count < u64::from(units) {
        eprintln!("driverbench: {row}: callgrind saw no unit; was the program stripped?");
        return None;
    }
    Some(count)
}
