//! `mobilegl doctor`: what the machine's drivers offer. It must survive a driver that crashes or hangs.

use crate::say::say;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use config::DoctorReport;
use serde::Serialize;

use crate::Outcome;
use crate::args::DoctorArgs;
use crate::dropin::DropIn;
use crate::table::Table;

/// A driver has been seen to block for 40 s while it registered textures: hanging starts well beyond that.
const LIMIT: Duration = Duration::from_secs(120);
const DRIVER_LIBRARIES: &[&str] = &["libEGL.so.1", "libGLESv2.so.2", "libvulkan.so.1"];
const FOLDERS: &[&str] = &[
    "/usr/local/lib",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
    "/system/lib64",
];

#[derive(Serialize)]
struct Findings {
    libraries: Vec<PathBuf>,
    backends: DoctorReport,
}

pub fn doctor(args: &DoctorArgs) -> Result<Outcome> {
    let dropin = DropIn::find(&args.library)?;
    let backends = ask(&dropin)?;
    let drawing = backends
        .0
        .iter()
        .any(|(name, report)| name != "null" && report.available);
    let findings = Findings {
        libraries: found_libraries(),
        backends,
    };
    if args.json {
        say!("{}", serde_json::to_string_pretty(&findings)?);
    } else {
        show(&findings);
    }
    Ok(if drawing {
        Outcome::Good
    } else {
        Outcome::Failed
    })
}

/// The other process: loads the library, prints its report.
pub fn probe(library: &Path) -> Result<Outcome> {
    crate::say::text(format_args!(
        "{}",
        crate::library::doctor(library.as_os_str())?
    ));
    Ok(Outcome::Good)
}

fn ask(dropin: &DropIn) -> Result<DoctorReport> {
    let program = std::env::current_exe().context("this program's own path")?;
    let mut child = Command::new(program)
        .arg("doctor-probe")
        .arg(dropin.library())
        .envs(dropin.variables())
        .stdout(Stdio::piped())
        .spawn()
        .context("the probe")?;
    // Read on a thread: a report longer than the pipe would block a child that is only waited for.
    let mut pipe = child.stdout.take().context("the probe's output")?;
    let reader = std::thread::spawn(move || std::io::read_to_string(&mut pipe));
    let start = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if start.elapsed() > LIMIT => {
                child.kill()?;
                bail!("the drivers did not answer within {} s", LIMIT.as_secs());
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let text = reader.join().ok().context("the probe's output")??;
    if !status.success() {
        bail!(
            "{}: asking the drivers ended with {status}",
            dropin.library().display()
        );
    }
    serde_json::from_str(&text).context("the library's report")
}

fn found_libraries() -> Vec<PathBuf> {
    let paths = FOLDERS.iter().flat_map(|folder| {
        DRIVER_LIBRARIES
            .iter()
            .map(move |name| Path::new(folder).join(name))
    });
    paths.filter(|path| path.exists()).collect()
}

fn show(findings: &Findings) {
    say!("Driver libraries:");
    for library in &findings.libraries {
        say!("  {}", library.display());
    }
    if findings.libraries.is_empty() {
        say!("  none of {} was found", DRIVER_LIBRARIES.join(", "));
    }
    say!();
    let mut table = Table::new(&["backend", "works", "device", "driver"]);
    for (name, report) in &findings.backends.0 {
        let works = if report.available { "yes" } else { "no" };
        table.row([
            name.as_str(),
            works,
            report.device.as_str(),
            report.version.as_str(),
        ]);
    }
    crate::say::text(format_args!("{table}"));
    for (name, report) in &findings.backends.0 {
        for lack in &report.missing {
            say!("{name}: {} is missing: {}", lack.what, lack.lost);
        }
    }
}
