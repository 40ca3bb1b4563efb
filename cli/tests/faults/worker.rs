//! A process that runs scenarios under bitmaps with planted faults, one after the other, because a process per run would cost ten times
//! as much. A fault may end it: that is an answer, and the next run gets a new process. It must not judge.

use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use config::PushMask;
use scenarios::gl::Display;
use scenarios::lane::Lane;
use scenarios::walk::{self, Pass, Scenario};
use serde::{Deserialize, Serialize};

const IS_WORKER: &str = "MOBILEGL_TEST_WORKER";
const LIMIT: Duration = Duration::from_secs(60);

/// Runs of one process: what a wrong run leaves behind, contexts and all, stays until its end, and gigabytes gather.
const RUNS_OF_A_PROCESS: u64 = 1_000;

macro_rules! list {
    ($($file:ident::$name:ident [$($lane:ident)*];)*) => {
        /// Every scenario of a lane.
        pub fn scenarios(lane: Lane) -> Vec<Scenario> {
            [$((
                Scenario::new(stringify!($file), stringify!($name), scenarios::scenarios::$file::$name),
                [$(stringify!($lane)),*].contains(&lane.name()),
            )),*]
                .into_iter()
                .filter_map(|(scenario, runs)| runs.then_some(scenario))
                .collect()
        }
    };
}
scenarios::each_scenario!(list);

/// What to run.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Job {
    pub scenario: String,
    pub mask: u64,
    pub verify: bool,
    pub fault: String,
}

/// What came of it.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Done {
    /// Why it went wrong.
    pub wrong: Option<String>,
    /// Everything that was read, hashed.
    pub seen: u64,
    /// What verification, or the check of what was told, named.
    #[serde(default)]
    pub named: Option<String>,
}

/// Whether this process is a worker.
pub fn is_worker() -> bool {
    std::env::var_os(IS_WORKER).is_some()
}

/// The worker's life: a job a line in, an answer a line out.
pub fn serve() {
    let lane = match std::env::var(IS_WORKER).as_deref() {
        Ok("vulkan") => Lane::vulkan,
        _ => Lane::gles,
    };
    let display = Display::open(lane);
    let own = display.library.own.as_ref().expect("our library");
    own.set_option("pipe_verify_fatal", "0");
    let scenarios = scenarios(lane);
    for line in std::io::stdin().lock().lines() {
        let job: Job = serde_json::from_str(&line.expect("a line")).expect("a job");
        let scenario = scenarios
            .iter()
            .find(|known| known.name == job.scenario)
            .expect("a scenario");
        own.set_option("pipe_fault", &job.fault);
        let pass = Pass {
            label: "planted".to_owned(),
            mask: PushMask(job.mask),
            verify: job.verify,
        };
        let done = match catch_unwind(AssertUnwindSafe(|| {
            walk::one_pass(*scenario, display, &pass)
        })) {
            Ok(seen) => Done {
                seen: hash(&seen),
                ..Done::default()
            },
            Err(panic) => Done {
                wrong: Some(
                    walk::message(&*panic)
                        .lines()
                        .next()
                        .unwrap_or_default()
                        .to_owned(),
                ),
                ..Done::default()
            },
        };
        println!("@@{}", serde_json::to_string(&done).expect("plain data"));
    }
}

/// FNV-1a.
fn hash(seen: &[(String, Vec<u8>)]) -> u64 {
    let bytes = seen
        .iter()
        .flat_map(|(label, bytes)| label.bytes().chain(bytes.iter().copied()));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A worker that is started again whenever a fault has ended it.
pub struct Worker {
    lane: Lane,
    /// Beyond those of every worker.
    variables: Vec<(&'static str, PathBuf)>,
    said: PathBuf,
    living: Option<Living>,
    pub runs: u64,
}

struct Living {
    child: Child,
    jobs: ChildStdin,
    answers: Receiver<String>,
    said: std::fs::File,
}

impl Worker {
    /// `name`: of the test, for its files.
    pub fn new(lane: Lane, name: &str) -> Worker {
        Worker {
            lane,
            variables: Vec::new(),
            said: std::env::temp_dir()
                .join(format!("mobilegl-worker-{}-{name}", std::process::id())),
            living: None,
            runs: 0,
        }
    }

    /// With one more variable.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: PathBuf) -> Worker {
        self.variables.push((name, value));
        self
    }

    fn start(&self) -> Living {
        let said = std::fs::File::create(&self.said).expect("a file for what it says");
        let mut child = Command::new(std::env::current_exe().expect("the test's own path"))
            .args([
                "--exact",
                "worker",
                "--nocapture",
                "--test-threads",
                "1",
                "--include-ignored",
            ])
            .env(IS_WORKER, self.lane.name())
            .env("MOBILEGL_TEST_CHILD", "1")
            // From the start, so that contents are compared as well.
            .env("MOBILEGL_PIPE_VERIFY", "1")
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(said)
            .spawn()
            .expect("the test starts again");
        let jobs = child.stdin.take().expect("its input");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        let (tell, answers) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if let Some(at) = line.find("@@")
                    && tell.send(line[at + 2..].to_owned()).is_err()
                {
                    break;
                }
            }
        });
        let said = std::fs::File::open(&self.said).expect("what it says");
        Living {
            child,
            jobs,
            answers,
            said,
        }
    }

    /// Ends the process, if there is one; the next run starts another.
    fn end(&mut self) {
        if let Some(living) = self.living.take() {
            // The end of its input ends it.
            drop(living.jobs);
            let mut child = living.child;
            let _ = child.wait();
        }
    }

    pub fn run(&mut self, job: &Job) -> Done {
        if self.runs.is_multiple_of(RUNS_OF_A_PROCESS) {
            self.end();
        }
        self.runs += 1;
        let mut living = self.living.take().unwrap_or_else(|| self.start());
        // What was said before is not about this job.
        let before = living.said.seek(SeekFrom::End(0)).expect("its end");
        let line = serde_json::to_string(job).expect("plain data");
        let sent = writeln!(living.jobs, "{line}").and_then(|()| living.jobs.flush());
        let answer = match sent {
            Ok(()) => living.answers.recv_timeout(LIMIT),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        };
        let mut done = match answer {
            Ok(text) => serde_json::from_str(&text).expect("an answer"),
            Err(RecvTimeoutError::Timeout) => {
                // Our own child, which did not end by itself.
                let _ = living.child.kill();
                Done {
                    wrong: Some("it did not end".to_owned()),
                    ..Done::default()
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                let how = living
                    .child
                    .wait()
                    .map_or_else(|e| e.to_string(), |status| status.to_string());
                Done {
                    wrong: Some(format!("the process ended: {how}")),
                    ..Done::default()
                }
            }
        };
        done.named = named(&self.said, before);
        if answer_is_alive(&mut living.child) {
            self.living = Some(living);
        } else {
            let _ = living.child.wait();
        }
        done
    }
}

fn answer_is_alive(child: &mut Child) -> bool {
    matches!(child.try_wait(), Ok(None))
}

/// The first line since `before` by which the library names a field or a group.
fn named(said: &std::path::Path, before: u64) -> Option<String> {
    let text = std::fs::read(said).ok()?;
    let text = String::from_utf8_lossy(text.get(before as usize..)?).into_owned();
    let line = text.lines().find(|line| {
        line.contains("Fatal{VerifyMismatch") || line.contains("Fatal{UnmigratedPipeInput")
    })?;
    Some(line[line.find("Fatal{")?..].to_owned())
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
        let _ = std::fs::remove_file(&self.said);
    }
}
