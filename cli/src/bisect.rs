//! `mobilegl bisect`: finds the subsystems that have to be pushed (or pulled) for a program to go wrong, then lets verification name the
//! field and the verb. It must not judge pictures: `judge` does; nor choose bitmaps: `search` does.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use config::PushMask;
use indicatif::{ProgressBar, ProgressStyle};
use mobilegl_cli::search::{self, Answer, Seen};
use serde::Serialize;
use verify::images::Picture;

use crate::Outcome;
use crate::args::BisectArgs;
use crate::dropin::DropIn;
use crate::lane::{Backend, build};
use crate::retrace::{Retracer, WorkFolder};
use crate::say::say;
use crate::subject::{Program, Sight, Subject, Under, native_pictures};
use crate::trace::{Asked, Trace};

/// What `--json` prints.
#[derive(Serialize)]
struct Finding {
    /// `nothing`, `bits` or `shared`.
    answer: &'static str,
    culprits: Vec<Guilty>,
    /// Where no bit separates the fault: what is wrong everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    shared: Option<Shared>,
    runs: u32,
}

#[derive(Serialize)]
struct Guilty {
    /// Bits that must be pushed for it.
    pushed: Vec<&'static str>,
    /// Bits that must be pulled for it.
    pulled: Vec<&'static str>,
    /// A bitmap that shows it, for `MOBILEGL_PIPE_PUSH`.
    bitmap: String,
    what: String,
    /// Under which bitmap something is told wrongly.
    arm: WrongArm,
    /// `field@verb` and the rest of what verification says of that bitmap.
    verify: Option<String>,
    /// The first record of that bitmap that is not the golden recording's; null: there is none, or no golden recording.
    told: Option<String>,
}

/// Which of two bitmaps tells the backend something that is not so. A picture says only that they differ: the one that was taken as
/// right may be the wrong one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum WrongArm {
    /// The bad one: the bits are wrong as they are in it.
    Bad,
    /// The good one: the other arm of the bits is wrong.
    Good,
    /// Neither, as far as anybody looks: the bad one by its picture alone.
    Unseen,
}

#[derive(Serialize)]
struct Shared {
    what: String,
    verify_pushed: Option<String>,
    verify_pulled: Option<String>,
    /// What the golden recording says of the pushed bitmap, if there is one.
    golden: Option<Golden>,
    /// The other backend, and what is wrong there.
    other_backend: &'static str,
    other_backend_says: Option<String>,
}

/// What a golden recording says of one bitmap.
#[derive(Serialize)]
struct Golden {
    file: String,
    /// The first record that is not the recording's; null: everything was told as recorded.
    first: Option<String>,
}

pub fn bisect(args: &BisectArgs) -> Result<Outcome> {
    let folder = WorkFolder::new()?;
    let subject = subject(args, &folder)?;
    let golden = golden_file(args)?;
    let bar = ProgressBar::new_spinner();
    bar.set_style(ProgressStyle::with_template("{spinner} {pos} runs, {msg}")?);
    let mut bench = Bench {
        subject,
        bar,
        runs: 0,
        reference: None,
        golden,
        first: BTreeMap::new(),
    };
    let finding = find(&mut bench)?;
    bench.bar.finish_and_clear();
    if args.common.json {
        say!("{}", serde_json::to_string_pretty(&finding)?);
    } else {
        show(&finding);
    }
    Ok(match finding.answer {
        "nothing" => Outcome::Good,
        _ => Outcome::Failed,
    })
}

/// The golden recording that was asked for, or the one beside the recording.
fn golden_file(args: &BisectArgs) -> Result<Option<(String, String)>> {
    let beside = || {
        let trace = args.trace.as_deref()?;
        let name = Path::new(trace.file_stem()?).with_extension("txt");
        let file = trace.parent()?.join("golden").join(name);
        file.is_file().then_some(file)
    };
    let Some(file) = args.told.clone().or_else(beside) else {
        return Ok(None);
    };
    let text = std::fs::read_to_string(&file).with_context(|| format!("{}", file.display()))?;
    Ok(Some((file.display().to_string(), text)))
}

fn subject(args: &BisectArgs, folder: &WorkFolder) -> Result<Subject> {
    let limit = Duration::from_secs(args.common.timeout);
    match (&args.trace, args.program.as_slice()) {
        (Some(_), [_, ..]) => bail!("--trace and a command: which of the two?"),
        (None, []) => bail!("what goes wrong? --trace FILE, or -- COMMAND whose exit status tells"),
        (None, words) => {
            let dropin = match args.no_dropin {
                true => None,
                false => Some(DropIn::find(&args.common.library)?),
            };
            Ok(Subject::Program(Program {
                words: words.to_vec(),
                dropin,
                backend: args.backend,
                limit,
                folder: folder.path().to_owned(),
            }))
        }
        (Some(path), []) => {
            let asked = Asked {
                call: args.call,
                frames: args.frames,
                reference: args.golden.as_deref(),
            };
            let mut trace = Trace::open(path, &asked)?;
            let dropin = DropIn::find(&args.common.library)?;
            let retracer = Retracer::new(&args.common.eglretrace, dropin, limit)?;
            if args.against.is_some() {
                let mut pictures = native_pictures(&retracer, &trace)?;
                trace.reference = pictures.pop().map(|(_, picture)| picture);
            }
            Ok(Subject::Recording {
                trace: Box::new(trace),
                retracer,
                backend: args.backend.unwrap_or(Backend::Gles),
            })
        }
    }
}

/// Runs bitmaps and compares them with the first that was good.
struct Bench {
    subject: Subject,
    bar: ProgressBar,
    runs: u32,
    /// Pictures of a good bitmap: the others must be equal to them, pixel by pixel.
    reference: Option<Vec<(u64, Picture)>>,
    /// The golden recording: its file and its text.
    golden: Option<(String, String)>,
    /// What was wrong with a bitmap when it was first run.
    first: BTreeMap<PushMask, bool>,
}

impl Bench {
    fn run(&mut self, under: Under) -> Result<Sight> {
        self.bar.set_message(format!(
            "{}{}",
            under.mask,
            if under.verify { ", verify" } else { "" }
        ));
        let sight = self.subject.run(under)?;
        self.runs += 1;
        self.bar.inc(1);
        Ok(sight)
    }

    fn plain(&mut self, mask: PushMask) -> Result<Sight> {
        self.run(Under {
            mask,
            verify: false,
            backend: None,
        })
    }

    /// Chooses the pictures to compare with: those of the first of the two ends that is good by itself.
    fn choose_reference(&mut self, all: PushMask) -> Result<()> {
        for mask in [PushMask::NONE, all] {
            let sight = self.plain(mask)?;
            if sight.problems.is_empty() && !sight.pictures.is_empty() {
                self.reference = Some(sight.pictures);
                break;
            }
        }
        Ok(())
    }

    fn see(&mut self, mask: PushMask) -> Result<Seen> {
        let sight = self.plain(mask)?;
        let mut problems = sight.problems;
        if problems.is_empty()
            && let Some(reference) = &self.reference
            && *reference != sight.pictures
        {
            problems.push(difference(reference, &sight.pictures));
        }
        self.first.insert(mask, problems.is_empty());
        Ok((!problems.is_empty()).then(|| problems.join("; ")))
    }

    /// What verification says under a bitmap.
    fn verify(&mut self, mask: PushMask) -> Result<Option<String>> {
        Ok(self
            .run(Under {
                mask,
                verify: true,
                backend: None,
            })?
            .verify)
    }

    /// What the golden recording says of a bitmap; `None`: there is no recording, of then or of now.
    fn golden(&mut self, mask: PushMask) -> Result<Option<Golden>> {
        let Some((file, expected)) = &self.golden else {
            return Ok(None);
        };
        self.bar.set_message(format!("{mask}, recorded"));
        let told = self.subject.told(mask)?;
        self.runs += 1;
        self.bar.inc(1);
        Ok(told.map(|told| Golden {
            file: file.clone(),
            first: verify::first_record(expected, &told).map(|first| first.to_string()),
        }))
    }

    /// Which of two bitmaps is told wrongly, by verification and, where that is silent of both, by the golden recording; with what
    /// they say.
    fn wrong_arm(&mut self, bad: PushMask, good: PushMask) -> Result<Words> {
        for (arm, mask) in [(WrongArm::Bad, bad), (WrongArm::Good, good)] {
            if let Some(text) = self.verify(mask)? {
                let told = self.golden(mask)?.and_then(|golden| golden.first);
                return Ok((arm, Some(text), told));
            }
        }
        for (arm, mask) in [(WrongArm::Bad, bad), (WrongArm::Good, good)] {
            if let Some(first) = self.golden(mask)?.and_then(|golden| golden.first) {
                return Ok((arm, None, Some(first)));
            }
        }
        Ok((WrongArm::Unseen, None, None))
    }

    /// A program that does something else each time makes any answer worthless: one good and one bad bitmap are run once more.
    fn check_repeats(&mut self) -> Result<()> {
        for wanted in [true, false] {
            let found = self
                .first
                .iter()
                .find(|(_, good)| **good == wanted)
                .map(|(mask, _)| *mask);
            if let Some(mask) = found
                && self.see(mask)?.is_none() != wanted
            {
                bail!(
                    "{mask} was {} and is not any more: the program does not do the same each time",
                    if wanted { "good" } else { "bad" }
                );
            }
        }
        Ok(())
    }
}

/// Who is wrong, what verification says of that, and what the golden recording does.
type Words = (WrongArm, Option<String>, Option<String>);

fn difference(reference: &[(u64, Picture)], pictures: &[(u64, Picture)]) -> String {
    let differing = reference.iter().zip(pictures).find(|(a, b)| a != b);
    match differing {
        Some(((call, _), _)) => format!("after call {call} the pixels are others"),
        None => format!("{} pictures instead of {}", pictures.len(), reference.len()),
    }
}

fn find(bench: &mut Bench) -> Result<Finding> {
    let all = build().implemented;
    if matches!(bench.subject, Subject::Recording { .. }) {
        bench.choose_reference(all)?;
    }
    let answer = search::search(all, |mask| bench.see(mask))?;
    let mut finding = Finding {
        answer: "nothing",
        culprits: Vec::new(),
        shared: None,
        runs: 0,
    };
    match answer {
        Answer::Nothing => {}
        Answer::Bits(found) => {
            bench.check_repeats()?;
            finding.answer = "bits";
            for culprit in found {
                let names = |mask: PushMask| mask.bits().map(|bit| bit.name).collect();
                let (arm, verify, told) = bench.wrong_arm(culprit.bad, culprit.good)?;
                finding.culprits.push(Guilty {
                    pushed: names(culprit.pushed),
                    pulled: names(culprit.pulled),
                    bitmap: culprit.bad.to_string(),
                    what: culprit.what,
                    arm,
                    verify,
                    told,
                });
            }
        }
        Answer::Shared(what) => {
            finding.answer = "shared";
            let (_, other) = bench.subject.backends();
            let under = Under {
                mask: all,
                verify: false,
                backend: Some(other),
            };
            finding.shared = Some(Shared {
                what,
                verify_pushed: bench.verify(all)?,
                verify_pulled: bench.verify(PushMask::NONE)?,
                golden: bench.golden(all)?,
                other_backend: other.name(),
                other_backend_says: bench.run(under)?.problems.into_iter().next(),
            });
        }
    }
    finding.runs = bench.runs;
    Ok(finding)
}

fn show(finding: &Finding) {
    match finding.answer {
        "nothing" => say!(
            "nothing to find: every bitmap is good ({} runs)",
            finding.runs
        ),
        "bits" => {
            for culprit in &finding.culprits {
                let pulled = culprit.pulled.iter().map(|name| format!("{name} (pulled)"));
                let names: Vec<String> = culprit
                    .pushed
                    .iter()
                    .map(|name| (*name).to_owned())
                    .chain(pulled)
                    .collect();
                say!("guilty: {}", names.join(" and "));
                say!("  seen: {}", culprit.what);
                if culprit.arm == WrongArm::Good {
                    say!(
                        "  the other way round: the bitmap that was taken as good is told wrongly, the other arm of this is at fault"
                    );
                }
                match &culprit.verify {
                    Some(text) => say!("  verify: {text}"),
                    None if culprit.told.is_some() => say!("  verify: no difference"),
                    None => say!(
                        "  verify: no difference; what was told is right, look at what the backend does with it"
                    ),
                }
                if let Some(text) = &culprit.told {
                    say!("  recorded: {text}");
                }
                say!("  again: MOBILEGL_PIPE_PUSH={}", culprit.bitmap);
            }
            say!("{} runs", finding.runs);
        }
        _ => {
            say!("shared code: no bit separates it ({} runs)", finding.runs);
            if let Some(shared) = &finding.shared {
                say!("  seen: {}", shared.what);
                match (&shared.verify_pushed, &shared.verify_pulled) {
                    (Some(text), _) | (None, Some(text)) => say!("  verify: {text}"),
                    (None, None) => say!(
                        "  verify: no difference; what the backend was told is what the context holds"
                    ),
                }
                if let Some(golden) = &shared.golden {
                    match &golden.first {
                        Some(text) => say!("  recorded: {text} ({})", golden.file),
                        None => say!(
                            "  recorded: everything is told as in {}, so look into the backend",
                            golden.file
                        ),
                    }
                }
                match &shared.other_backend_says {
                    Some(text) => say!("  on {}: wrong as well: {text}", shared.other_backend),
                    None => say!(
                        "  on {}: good, so look into the backend",
                        shared.other_backend
                    ),
                }
            }
        }
    }
}
