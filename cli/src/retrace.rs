//! Runs one recording in one lane, in a child process on our library, and collects what came of it. It must not judge.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use config::Stats;
use verify::images::Picture;

use crate::dropin::DropIn;
use crate::lane::Lane;
use crate::pictures;
use crate::trace::{Shots, Trace};

/// How replays are run: the same for all lanes.
pub struct Retracer {
    program: PathBuf,
    dropin: DropIn,
    limit: Duration,
    folder: WorkFolder,
    serial: AtomicU64,
}

/// What one lane left behind.
pub struct LaneRun {
    pub lane: Lane,
    pub ending: Ending,
    /// What the program and the library said.
    pub said: String,
    /// What the library told, or why there is nothing.
    pub stats: Result<Stats, String>,
    /// By the call after which each was taken, in order.
    pub pictures: Vec<(u64, Picture)>,
    pub seconds: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Exit(i32),
    Signal(i32),
    TimedOut,
}

impl Retracer {
    pub fn new(program: &Path, dropin: DropIn, limit: Duration) -> Result<Retracer> {
        // Asked once for its help, so that a missing program is one message instead of one per lane.
        Command::new(program)
            .arg("--help")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .with_context(|| {
                format!(
                    "{} does not start; it is part of Debian's package apitrace",
                    program.display()
                )
            })?;
        let folder = WorkFolder::new()?;
        Ok(Retracer {
            program: program.to_owned(),
            dropin,
            limit,
            folder,
            serial: AtomicU64::new(0),
        })
    }

    /// Replays on the null backend, without pictures; how it ended, what was said, and the golden recording that it left.
    pub fn record(&self, trace: &Trace, mask: &str) -> Result<(Ending, String, Option<String>)> {
        let folder = self.fresh_folder()?;
        let text_file = folder.join("golden");
        let mut command = self.program(trace, &[]);
        command
            .envs(self.dropin.variables())
            .env("MOBILEGL_BACKEND", "null")
            .env("MOBILEGL_PIPE_PUSH", mask)
            .env("MOBILEGL_PIPE_RECORD", &text_file);
        let (ending, said) = self.end(command, &folder, Instant::now())?;
        Ok((ending, said, std::fs::read_to_string(&text_file).ok()))
    }

    /// The replaying program, without a window.
    fn program(&self, trace: &Trace, args: &[&OsStr]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(args)
            .arg(&trace.path)
            .env_remove("DISPLAY")
            .env("WAFFLE_PLATFORM", "surfaceless_egl")
            .env("EGL_PLATFORM", "surfaceless")
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, trace: &Trace, lane: Lane) -> Result<LaneRun> {
        let folder = self.fresh_folder()?;
        let stats_file = folder.join("stats.json");
        let start = Instant::now();
        let mut command = self.command(trace, &folder);
        command
            .envs(self.dropin.variables())
            .envs(lane.variables())
            .env("MOBILEGL_PIPE_STATS_FILE", &stats_file);
        let (ending, said) = self.end(command, &folder, start)?;
        let run = LaneRun {
            lane,
            ending,
            seconds: start.elapsed().as_secs_f64(),
            said,
            stats: read_stats(&stats_file),
            pictures: read_pictures(&folder)?,
        };
        std::fs::remove_dir_all(&folder)?;
        Ok(run)
    }

    /// The same on the system's own OpenGL: how it ended, what was said, and the pictures.
    pub fn run_native(&self, trace: &Trace) -> Result<(Ending, String, Vec<(u64, Picture)>)> {
        let folder = self.fresh_folder()?;
        let start = Instant::now();
        let (ending, said) = self.end(self.command(trace, &folder), &folder, start)?;
        let pictures = read_pictures(&folder)?;
        std::fs::remove_dir_all(&folder)?;
        Ok((ending, said, pictures))
    }

    fn fresh_folder(&self) -> Result<PathBuf> {
        let serial = self.serial.fetch_add(1, Ordering::Relaxed);
        let folder = self.folder.0.join(serial.to_string());
        std::fs::create_dir(&folder)?;
        Ok(folder)
    }

    fn command(&self, trace: &Trace, folder: &Path) -> Command {
        let shots = match trace.shots {
            Shots::AfterCall(call) => call.to_string(),
            Shots::EveryFrame => "frame".to_owned(),
        };
        let prefix = folder.join("picture-");
        self.program(
            trace,
            &[
                "-S".as_ref(),
                shots.as_ref(),
                "-s".as_ref(),
                prefix.as_ref(),
            ],
        )
    }

    fn end(&self, mut command: Command, folder: &Path, start: Instant) -> Result<(Ending, String)> {
        let said_file = folder.join("said");
        let said = File::create(&said_file)?;
        let child = command
            .stdout(said.try_clone()?)
            .stderr(said)
            .spawn()
            .with_context(|| format!("{}", self.program.display()))?;
        let ending = wait(child, start, self.limit)?;
        Ok((
            ending,
            String::from_utf8_lossy(&std::fs::read(&said_file)?).into_owned(),
        ))
    }
}

impl LaneRun {
    /// The lines by which the library refuses to go on.
    pub fn fatal_lines(&self) -> impl Iterator<Item = &str> {
        self.said
            .lines()
            .filter(|line| line.contains("Fatal{"))
            .map(str::trim)
    }

    /// What the library said under its own name.
    pub fn library_lines(&self) -> impl Iterator<Item = &str> {
        self.said
            .lines()
            .filter(|line| line.starts_with("MobileGL: "))
    }

    /// The recording stops in the middle: that is the file's fault, not a lane's.
    pub fn met_a_broken_recording(&self) -> bool {
        self.said
            .contains("unexpected end of file while reading trace")
    }
}

/// Waits for a child, and ends it when it takes too long.
pub fn wait(mut child: Child, start: Instant, limit: Duration) -> Result<Ending> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(ending(status));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(Ending::TimedOut);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// For messages.
pub fn ending_of(ending: Ending) -> String {
    match ending {
        Ending::Exit(code) => format!("status {code}"),
        Ending::Signal(signal) => format!("signal {signal}"),
        Ending::TimedOut => "it did not end".to_owned(),
    }
}

fn ending(status: ExitStatus) -> Ending {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exit(code),
        (None, Some(signal)) => Ending::Signal(signal),
        (None, None) => Ending::Exit(-1),
    }
}

fn read_stats(path: &Path) -> Result<Stats, String> {
    let text = std::fs::read_to_string(path).map_err(|_| {
        "the library wrote no statistics: it was not loaded, or it ended before its exit".to_owned()
    })?;
    serde_json::from_str(&text)
        .map_err(|error| format!("the library's statistics are not readable: {error}"))
}

fn read_pictures(folder: &Path) -> Result<Vec<(u64, Picture)>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if let Some(digits) = name
            .strip_prefix("picture-")
            .and_then(|rest| rest.strip_suffix(".png"))
        {
            // A program that dies while it writes leaves half a file: no picture.
            if let (Ok(call), Ok(picture)) = (digits.parse(), pictures::load(&path)) {
                found.push((call, picture));
            }
        }
    }
    found.sort_by_key(|(call, _)| *call);
    Ok(found)
}

/// A folder of this process that goes when it ends.
pub struct WorkFolder(PathBuf);

impl WorkFolder {
    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn new() -> Result<WorkFolder> {
        for attempt in 0..100 {
            let path =
                std::env::temp_dir().join(format!("mobilegl-{}-{attempt}", std::process::id()));
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(WorkFolder(path)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error).with_context(|| format!("{}", path.display())),
            }
        }
        bail!(
            "no folder for pictures could be made in {}",
            std::env::temp_dir().display()
        )
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        // Nothing depends on it; a folder for temporary files may be cleaned by others too.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
