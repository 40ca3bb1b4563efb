//! What `mobilegl bisect` looks at: a recording that is replayed, or a command whose exit status decides. It runs one bitmap and says
//! what is wrong; which bitmap is looked at is not its business.

use std::ffi::OsString;
use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use config::{PushMask, Stats};
use verify::images::Picture;

use crate::dropin::DropIn;
use crate::judge::judge;
use crate::lane::{Arm, Backend, Lane};
use crate::replay::check_recording;
use crate::retrace::{Ending, Retracer, ending_of, wait};
use crate::trace::Trace;

/// One run.
pub struct Sight {
    /// Why it is not good, alone: without a look at other bitmaps.
    pub problems: Vec<String>,
    /// What verification said, where it was on.
    pub verify: Option<String>,
    pub pictures: Vec<(u64, Picture)>,
}

/// A run's bitmap and backend.
#[derive(Clone, Copy)]
pub struct Under {
    pub mask: PushMask,
    pub verify: bool,
    /// `None`: the one that is looked at.
    pub backend: Option<Backend>,
}

pub enum Subject {
    Recording {
        trace: Box<Trace>,
        retracer: Retracer,
        backend: Backend,
    },
    Program(Program),
}

/// A command whose exit status decides.
pub struct Program {
    pub words: Vec<OsString>,
    /// `None`: the command finds the library itself, perhaps on another machine.
    pub dropin: Option<DropIn>,
    /// `None`: as the environment says.
    pub backend: Option<Backend>,
    pub limit: Duration,
    pub folder: PathBuf,
}

impl Subject {
    pub fn run(&self, under: Under) -> Result<Sight> {
        match self {
            Subject::Recording {
                trace,
                retracer,
                backend,
            } => {
                let arm = match under.verify {
                    true => Arm::VerifyUnder(under.mask),
                    false => Arm::Mask(under.mask),
                };
                let lane = Lane {
                    backend: under.backend.unwrap_or(*backend),
                    arm,
                };
                let run = retracer.run(trace, lane)?;
                if under.backend.is_none() {
                    check_recording(trace, std::slice::from_ref(&run))?;
                }
                let verify = mismatch(&run.said).or_else(|| {
                    let stats = run.stats.as_ref().ok()?;
                    stats.verify.first.clone()
                });
                let judged = judge(trace, vec![run]);
                let Some((run, verdict)) = judged.lanes.into_iter().next() else {
                    bail!("a replay came to nothing");
                };
                Ok(Sight {
                    problems: verdict.problems,
                    verify,
                    pictures: run.pictures,
                })
            }
            Subject::Program(program) => program.run(under),
        }
    }

    /// What was told under a bitmap, as a golden recording; `None`: the run left none. A recording of apitrace is replayed on the null
    /// backend, where what is told is the same on every machine.
    pub fn told(&self, mask: PushMask) -> Result<Option<String>> {
        match self {
            Subject::Recording {
                trace, retracer, ..
            } => {
                let (_, _, text) = retracer.record(trace, &format!("{:#x}", mask.0))?;
                Ok(text)
            }
            Subject::Program(program) => program.told(mask),
        }
    }

    /// The backend that is looked at, and another one that draws.
    pub fn backends(&self) -> (Option<Backend>, Backend) {
        let own = match self {
            Subject::Recording { backend, .. } => Some(*backend),
            Subject::Program(program) => program.backend,
        };
        let other = match own {
            Some(Backend::Vulkan) => Backend::Gles,
            Some(Backend::Gles | Backend::Null) | None => Backend::Vulkan,
        };
        (own, other)
    }
}

impl Program {
    /// The command under a bitmap; what it says goes to a file.
    fn command(&self, mask: PushMask, backend: Option<Backend>) -> Result<Command> {
        let [program, rest @ ..] = self.words.as_slice() else {
            bail!("which command?");
        };
        let said = File::create(self.said_file())?;
        let mut command = Command::new(program);
        command
            .args(rest)
            .env("MOBILEGL_PIPE_PUSH", format!("{:#x}", mask.0))
            .stdin(Stdio::null())
            .stdout(said.try_clone()?)
            .stderr(said);
        if let Some(backend) = backend.or(self.backend) {
            command.env("MOBILEGL_BACKEND", backend.name());
        }
        if let Some(dropin) = &self.dropin {
            command.envs(dropin.variables());
        }
        Ok(command)
    }

    fn said_file(&self) -> PathBuf {
        self.folder.join("said")
    }

    fn end(&self, mut command: Command) -> Result<Ending> {
        let start = Instant::now();
        let child = command
            .spawn()
            .with_context(|| format!("{}", command.get_program().display()))?;
        wait(child, start, self.limit)
    }

    fn told(&self, mask: PushMask) -> Result<Option<String>> {
        let text_file = self.folder.join("told");
        let _ = std::fs::remove_file(&text_file);
        let mut command = self.command(mask, None)?;
        command.env("MOBILEGL_PIPE_RECORD", &text_file);
        self.end(command)?;
        Ok(std::fs::read_to_string(&text_file).ok())
    }

    fn run(&self, under: Under) -> Result<Sight> {
        let stats_file = self.folder.join("stats.json");
        let _ = std::fs::remove_file(&stats_file);
        let mut command = self.command(under.mask, under.backend)?;
        command
            .env("MOBILEGL_PIPE_VERIFY", u8::from(under.verify).to_string())
            // The first difference is said; the program goes on.
            .env("MOBILEGL_PIPE_VERIFY_FATAL", "0")
            .env("MOBILEGL_PIPE_STATS_FILE", &stats_file);
        let program = command.get_program().to_owned();
        let ending = self.end(command)?;
        let said = String::from_utf8_lossy(&std::fs::read(self.said_file())?).into_owned();
        let stats: Option<Stats> = std::fs::read_to_string(&stats_file)
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok());
        let mut problems = Vec::new();
        let last = said
            .lines()
            .rfind(|line| !line.trim().is_empty())
            .unwrap_or("it said nothing");
        match ending {
            Ending::Exit(0) => {}
            // As `git bisect run` has it.
            Ending::Exit(125) => {
                bail!("the command ended with status 125: it cannot tell ({last})")
            }
            Ending::Exit(code @ (126 | 127)) => {
                bail!(
                    "{}: status {code}: it did not start ({last})",
                    program.display()
                )
            }
            Ending::Exit(code) => problems.push(format!("status {code}: {last}")),
            Ending::Signal(signal) => problems.push(format!("signal {signal}: {last}")),
            Ending::TimedOut => {
                problems.push(format!("it did not end within {} s", self.limit.as_secs()))
            }
        }
        match &stats {
            Some(stats) if stats.mask_in_force != under.mask.0 && !stats.backend.is_empty() => {
                bail!(
                    "the bitmap in force was {} and not {}: does the command set MOBILEGL_PIPE_PUSH itself?",
                    PushMask(stats.mask_in_force),
                    under.mask
                )
            }
            None if self.dropin.is_some() && ending == Ending::Exit(0) => bail!(
                "{} did not load the library: its status says nothing of it (--no-dropin, if it runs elsewhere)",
                program.display()
            ),
            _ => {}
        }
        let verify = mismatch(&said).or_else(|| stats?.verify.first);
        Ok(Sight {
            problems,
            verify,
            pictures: Vec::new(),
        })
    }
}

/// The first line in which the library names what differs or what was never told.
fn mismatch(said: &str) -> Option<String> {
    let line = said.lines().find(|line| {
        line.contains("Fatal{VerifyMismatch") || line.contains("Fatal{UnmigratedPipeInput")
    })?;
    let at = line.find("Fatal{").unwrap_or(0);
    Some(line[at..].trim().to_owned())
}

/// The pictures of a recording on the system's own OpenGL.
pub fn native_pictures(retracer: &Retracer, trace: &Trace) -> Result<Vec<(u64, Picture)>> {
    let (ending, said, pictures) = retracer.run_native(trace)?;
    if pictures.is_empty() {
        let last = said
            .lines()
            .rfind(|line| !line.trim().is_empty())
            .unwrap_or_default();
        bail!(
            "the system's OpenGL took no picture: {} ({last})",
            ending_of(ending)
        );
    }
    Ok(pictures)
}
