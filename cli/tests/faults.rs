//! Faults are planted, and the search must name them: the bit that separates each, or that none does; then verification the field.
//! A fixed sample each time, every generated fault with `--full`; what is missed stands in tests/faults/misses.txt.

#[path = "faults/planted.rs"]
mod planted;
#[path = "faults/worker.rs"]
mod worker;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use config::PushMask;
use planted::{Arm, Bed, Outcome, Planted};
use scenarios::lane::Lane;
use scenarios::library::Fault;
use worker::{Job, Worker};

/// The worker's process. It is no test: without its variable it does nothing.
#[test]
fn worker() {
    if worker::is_worker() {
        worker::serve();
    }
}

/// What the library can plant, and what `all` is.
fn library() -> (Vec<Fault>, PushMask) {
    let library = scenarios::library::of(Lane::gles);
    let own = library.own.as_ref().expect("our library");
    (own.faults(), scenarios::walk::implemented(library))
}

fn fault<'a>(faults: &'a [Fault], name: &str) -> &'a Fault {
    faults
        .iter()
        .find(|fault| fault.name == name)
        .unwrap_or_else(|| panic!("no fault {name}"))
}

fn reference(worker: &mut Worker, scenario: &str) -> Option<u64> {
    let job = Job {
        scenario: scenario.to_owned(),
        mask: 0,
        verify: false,
        fault: String::new(),
    };
    let done = worker.run(&job);
    done.wrong.is_none().then_some(done.seen)
}

/// One of each kind, with a scenario that shows it.
const SAMPLE: &[(&str, &str)] = &[
    ("atom:render_state_cso", "blend_toggle_storm"),
    ("atom:textures", "texture_upload_between_draws"),
    ("atom:vertex_buffers", "element_buffer_belongs_to_vao"),
    ("omit:framebuffer@clear", "attachment_changes_between_draws"),
    ("omit:pixel_pack@readback", "bgra_readback"),
    ("stale:sampler_views", "sampled_set_staleness"),
    ("stale:draw_program", "uniforms_belong_to_their_program"),
    ("pull:framebuffer", "attachment_changes_between_draws"),
    (
        "drop:render_state::set_pipeline/version",
        "blend_toggle_storm",
    ),
    (
        "drop:texture_units::bind_texture/texture_bindings",
        "sampled_set_staleness",
    ),
    ("noop:glClear", "clear_then_read_pixels"),
];

#[test]
fn bisect_names_sampled_faults() {
    let (faults, all) = library();
    let mut worker = Worker::new(Lane::gles, "sample");
    let mut plan: Vec<(Planted, &str)> = SAMPLE
        .iter()
        .map(|(name, scenario)| (Planted::of(fault(&faults, name)), *scenario))
        .collect();
    let state = fault(&faults, "atom:render_state_cso");
    let target = fault(&faults, "omit:framebuffer@clear");
    plan.push((
        Planted::together(state, target),
        "attachment_changes_between_draws",
    ));
    let mut found = String::new();
    for (planted, scenario) in plan {
        let reference = reference(&mut worker, scenario)
            .unwrap_or_else(|| panic!("{scenario} fails with nothing planted"));
        let mut bed = Bed {
            worker: &mut worker,
            scenario,
            reference,
        };
        let outcome = bed.search(&planted, all);
        if outcome != Outcome::Right {
            let _ = writeln!(found, "{} on {scenario}: {outcome:?}", planted.text);
        }
    }
    assert!(found.is_empty(), "{found}");
}

/// The control: an answer that names another bit than the planted one is no right answer.
#[test]
fn bisect_names_sampled_faults_control() {
    let (faults, all) = library();
    let mut worker = Worker::new(Lane::gles, "control");
    let (name, scenario) = SAMPLE[0];
    let mut planted = Planted::of(fault(&faults, name));
    let reference = reference(&mut worker, scenario).expect("good with nothing planted");
    let mut bed = Bed {
        worker: &mut worker,
        scenario,
        reference,
    };
    let right = planted.clone();
    planted.bits = vec![PushMask::TEXTURES];
    assert!(matches!(bed.search(&planted, all), Outcome::Wrong(_)));
    // Nor is one that names the other arm of the right bit, or another field.
    let other_arm = Planted {
        arm: Arm::Pull,
        ..right.clone()
    };
    assert!(matches!(bed.search(&other_arm, all), Outcome::Wrong(_)));
    let other_field = Planted {
        fields: vec!["patch_state".to_owned()],
        ..right.clone()
    };
    assert!(matches!(bed.search(&other_field, all), Outcome::Wrong(_)));
    let no_field = Planted {
        fields: Vec::new(),
        ..right.clone()
    };
    assert!(matches!(bed.search(&no_field, all), Outcome::Wrong(_)));
    assert_eq!(bed.search(&right, all), Outcome::Right);
    let nothing = Planted {
        text: String::new(),
        ..planted
    };
    assert_eq!(bed.search(&nothing, all), Outcome::Unseen);
}

fn is_full() -> bool {
    std::env::var("NEXTEST_PROFILE").is_ok_and(|profile| profile == "full")
        || std::env::var_os("FAULTS_FULL").is_some()
}

fn page(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/faults")).join(name)
}

/// Lines of a list in tests/faults/, without comments.
fn listed(name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(page(name)).unwrap_or_default();
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

/// Kinds of generated faults in two halves, so that the cores share them; commands that do nothing and recycled identities are judged
/// elsewhere.
const KINDS: [&[&str]; 2] = [&["atom", "omit", "stale", "pull"], &["drop"]];

fn kind(fault: &Fault) -> &str {
    fault.name.split(':').next().unwrap_or_default()
}

#[test]
fn every_kind_of_generated_fault_is_judged() {
    let (faults, _) = library();
    let judged: Vec<&str> = KINDS.concat();
    let other: Vec<&str> = faults
        .iter()
        .map(kind)
        .filter(|kind| !judged.contains(kind) && !["noop", "twins"].contains(kind))
        .collect();
    assert!(other.is_empty(), "{other:?}");
    for kind_judged in judged {
        let planted = faults.iter().any(|fault| kind(fault) == kind_judged);
        assert!(planted, "no fault of kind {kind_judged}");
    }
}

#[test]
fn bisect_names_generated_faults() {
    generated(KINDS[0]);
}

#[test]
fn bisect_names_dropped_bumps() {
    generated(KINDS[1]);
}

/// Every generated fault of these kinds, and pairs of those that one scenario shows.
fn generated(kinds: &[&str]) {
    if !is_full() {
        return;
    }
    let (faults, all) = library();
    let mut worker = Worker::new(Lane::gles, &format!("generated-{}", kinds[0]));
    let references: Vec<(&str, u64)> = worker::scenarios(Lane::gles)
        .into_iter()
        .filter_map(|scenario| Some((scenario.name, reference(&mut worker, scenario.name)?)))
        .collect();
    let mut table: BTreeMap<String, [u32; 3]> = BTreeMap::new();
    let mut misses = Vec::new();
    let mut report = String::new();
    let mut shown_by: BTreeMap<&str, Vec<&Fault>> = BTreeMap::new();
    let mut judge = |kind: &str, name: &str, scenario: &str, outcome: Outcome| {
        let row = table.entry(kind.to_owned()).or_default();
        row[0] += 1;
        row[1] += u32::from(outcome != Outcome::Unseen);
        row[2] += u32::from(outcome == Outcome::Right);
        let _ = writeln!(report, "{name} {scenario} {outcome:?}");
        eprintln!("{name} {scenario} {outcome:?}");
        if let Outcome::Wrong(_) = outcome {
            misses.push(name.to_owned());
        }
    };
    for fault in faults.iter().filter(|fault| kinds.contains(&kind(fault))) {
        let kind = kind(fault);
        let planted = Planted::of(fault);
        let mut outcome = (Outcome::Unseen, "-");
        for (scenario, reference) in &references {
            let mut bed = Bed {
                worker: &mut worker,
                scenario,
                reference: *reference,
            };
            if bed.shows(&planted, all) {
                outcome = (bed.search(&planted, all), scenario);
                if kind == "atom" || kind == "omit" {
                    shown_by.entry(scenario).or_default().push(fault);
                }
                break;
            }
        }
        judge(kind, &fault.name, outcome.1, outcome.0);
    }
    for (scenario, reference) in &references {
        let of_one: &[&Fault] = shown_by.get(scenario).map_or(&[], Vec::as_slice);
        for (i, a) in of_one.iter().enumerate() {
            for b in of_one[i + 1..].iter().filter(|b| b.bit != a.bit) {
                for (kind, planted) in [
                    ("pair together", Planted::together(a, b)),
                    ("pair alone", Planted::both(a, b)),
                ] {
                    let mut bed = Bed {
                        worker: &mut worker,
                        scenario,
                        reference: *reference,
                    };
                    let outcome = bed.search(&planted, all);
                    judge(kind, &planted.text, scenario, outcome);
                }
            }
        }
    }
    let mut text = String::from(
        "| kind | planted | a picture changes | answered rightly |\n| --- | ---: | ---: | ---: |\n",
    );
    let mut sum = [0; 3];
    for (kind, row) in &table {
        let _ = writeln!(text, "| {kind} | {} | {} | {} |", row[0], row[1], row[2]);
        sum = [sum[0] + row[0], sum[1] + row[1], sum[2] + row[2]];
    }
    let _ = writeln!(text, "| all | {} | {} | {} |", sum[0], sum[1], sum[2]);
    println!("{text}\n{report}{} runs", worker.runs);
    only_known_misses(misses, kinds);
    assert!(
        sum[2] * 100 >= sum[1] * 95,
        "of {} faults that change a picture {} are named",
        sum[1],
        sum[2]
    );
}

/// The kind of a source patch in misses.txt.
const PATCH: &str = "patch";

/// Fails where the misses are others than misses.txt lists of these kinds.
fn only_known_misses(mut misses: Vec<String>, kinds: &[&str]) {
    let mut known = listed("misses.txt");
    known.retain(|name| kinds.contains(&name.split(':').next().unwrap_or_default()));
    misses.sort();
    let fresh: Vec<&String> = misses.iter().filter(|name| !known.contains(name)).collect();
    let gone: Vec<&String> = known.iter().filter(|name| !misses.contains(name)).collect();
    assert!(
        fresh.is_empty() && gone.is_empty(),
        "not in tests/faults/misses.txt: {fresh:#?}\nlisted and found now: {gone:#?}"
    );
}

/// A source patch: a fault that no switch reaches, with what a search should say of it.
struct Patch {
    name: String,
    path: PathBuf,
    planted: Planted,
}

/// The files of tests/faults/, named by the arm that is wrong (`push-`, `pull-`, `shared-`): `key: value` lines, an empty line, the difference.
fn patches() -> Vec<Patch> {
    let mut found: Vec<Patch> = std::fs::read_dir(page(""))
        .expect("tests/faults")
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = path
                .file_name()?
                .to_str()?
                .strip_suffix(".patch")?
                .to_owned();
            let text = std::fs::read_to_string(&path).expect("a patch");
            let words = |key: &str| -> Vec<String> {
                let line = text
                    .lines()
                    .find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
                let line = line.unwrap_or_else(|| panic!("{name}: no line `{key}:`"));
                line.split(',')
                    .map(str::trim)
                    .filter(|word| !word.is_empty())
                    .map(str::to_owned)
                    .collect()
            };
            assert!(
                !words("fault").is_empty(),
                "{name}: it does not say what is wrong"
            );
            let bits = words("bits");
            let arm = name.split('-').next().filter(|arm| *arm != "shared");
            let mask = |bit: &String| {
                PushMask::by_name(bit).unwrap_or_else(|| panic!("{name}: no bit {bit}"))
            };
            let planted = Planted {
                text: String::new(),
                bits: bits.iter().map(mask).collect(),
                arm: Arm::by_name(arm),
                may: PushMask::NONE,
                fields: words("fields"),
            };
            Some(Patch {
                name,
                path,
                planted,
            })
        })
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn said(command: &mut Command) -> Result<String, String> {
    let output = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!(
            "{command:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// Patches apply to these sources, half of them to code that all arms share, and say what they should.
#[test]
fn source_patches_apply() {
    let patches = patches();
    let shared = patches
        .iter()
        .filter(|patch| patch.planted.bits.is_empty())
        .count();
    assert!(
        patches.len() >= 12 && shared * 2 >= patches.len(),
        "{shared} of {}",
        patches.len()
    );
    let broken: Vec<String> = patches
        .iter()
        .filter_map(|patch| {
            let mut command = Command::new("git");
            command
                .args(["apply", "--check"])
                .arg(&patch.path)
                .current_dir(scenarios::library::root());
            said(&mut command).err()
        })
        .collect();
    assert!(
        broken.is_empty(),
        "the sources have moved: make the patch anew\n{}",
        broken.join("\n")
    );
}

/// A copy of the sources under target/, and the folder that a patched library is staged in.
struct Workshop {
    tree: PathBuf,
    target: PathBuf,
}

impl Workshop {
    fn new() -> Workshop {
        let folder = scenarios::library::root().join("target/patched");
        Workshop {
            tree: folder.join("tree"),
            target: folder.join("target"),
        }
    }

    /// The sources as they are; files that are equal keep their time, so that little is built anew.
    fn restore(&self) -> Result<(), String> {
        let root = scenarios::library::root();
        let mut list = Command::new("git");
        list.args(["ls-files", "-co", "--exclude-standard"])
            .current_dir(&root);
        for name in said(&mut list)?.lines() {
            let (from, to) = (root.join(name), self.tree.join(name));
            let Ok(bytes) = std::fs::read(&from) else {
                continue;
            };
            if std::fs::read(&to).is_ok_and(|there| there == bytes) {
                continue;
            }
            let folder = to.parent().expect("a folder");
            std::fs::create_dir_all(folder)
                .and_then(|()| std::fs::write(&to, bytes))
                .map_err(|error| format!("{name}: {error}"))?;
        }
        Ok(())
    }

    /// Builds the library with a patch; where it is staged.
    fn build(&self, patch: &Patch) -> Result<PathBuf, String> {
        self.restore()?;
        let mut apply = Command::new("git");
        apply.arg("apply").arg(&patch.path).current_dir(&self.tree);
        // The copy is no part of the repository around it.
        apply.env(
            "GIT_CEILING_DIRECTORIES",
            self.tree.parent().expect("a folder"),
        );
        said(&mut apply)?;
        let mut build = Command::new(env!("CARGO"));
        build
            .args(["build", "--quiet", "--workspace", "--lib"])
            .current_dir(&self.tree)
            .env("CARGO_TARGET_DIR", &self.target);
        said(&mut build)?;
        let stage = self.target.join("stage").join(&patch.name);
        let folder = stage.join("default");
        std::fs::create_dir_all(&folder)
            .and_then(|()| {
                std::fs::copy(
                    self.target.join("debug/libMobileGL.so"),
                    folder.join("libMobileGL.so"),
                )
            })
            .map_err(|error| error.to_string())?;
        Ok(stage)
    }
}

/// What is answered of a patched library, on every scenario that shows its fault.
fn judge_patch(
    patch: &Patch,
    stage: &Path,
    references: &[(&'static str, u64)],
    all: PushMask,
) -> Vec<(&'static str, Outcome)> {
    let mut worker = Worker::new(Lane::gles, &patch.name).with("MOBILEGL_STAGE", stage.to_owned());
    let mut answers = Vec::new();
    for (scenario, reference) in references {
        let mut bed = Bed {
            worker: &mut worker,
            scenario,
            reference: *reference,
        };
        if bed.shows(&patch.planted, all) {
            answers.push((*scenario, bed.search(&patch.planted, all)));
        }
    }
    answers
}

/// Every source patch, in a copy of the tree. `FAULTS_PATCHED` names a folder with libraries that were built before.
#[test]
fn bisect_names_source_patches() {
    if !is_full() {
        return;
    }
    let (_, all) = library();
    let mut worker = Worker::new(Lane::gles, "patches");
    let references: Vec<(&str, u64)> = worker::scenarios(Lane::gles)
        .into_iter()
        .filter_map(|scenario| Some((scenario.name, reference(&mut worker, scenario.name)?)))
        .collect();
    let built = std::env::var_os("FAULTS_PATCHED").map(PathBuf::from);
    let mut misses = Vec::new();
    for patch in patches() {
        let stage = match &built {
            Some(folder) => Ok(folder.join(&patch.name)),
            None => Workshop::new().build(&patch),
        };
        let answers = match stage {
            Ok(stage) => judge_patch(&patch, &stage, &references, all),
            Err(why) => vec![("building it", Outcome::Wrong(why))],
        };
        let right = |(_, outcome): &&(&str, Outcome)| *outcome == Outcome::Right;
        let rightly = answers.iter().filter(right).count();
        println!(
            "{}: shown by {}, answered rightly on {rightly}",
            patch.name,
            answers.len()
        );
        for (scenario, outcome) in answers.iter().filter(|answer| !right(answer)) {
            println!("  {scenario}: {outcome:?}");
        }
        // One that no scenario shows is missed as well.
        if answers.is_empty() || rightly < answers.len() {
            misses.push(format!("{PATCH}:{}", patch.name));
        }
    }
    only_known_misses(misses, &[PATCH]);
}

/// What each scenario calls, by the library's own counters.
fn calls_by_scenario(lane: Lane) -> Vec<(&'static str, u64, Vec<String>)> {
    let file = std::env::temp_dir().join(format!(
        "mobilegl-calls-{}-{}.json",
        std::process::id(),
        lane.name()
    ));
    let mut found = Vec::new();
    for scenario in worker::scenarios(lane) {
        let mut worker = Worker::new(lane, &format!("calls-{}", lane.name()))
            .with("MOBILEGL_PIPE_STATS_FILE", file.clone());
        let Some(seen) = reference(&mut worker, scenario.name) else {
            continue;
        };
        // Its end writes the file.
        drop(worker);
        let text = std::fs::read_to_string(&file).expect("the counters");
        let stats: config::Stats = serde_json::from_str(&text).expect("counters");
        found.push((scenario.name, seen, stats.calls.into_keys().collect()));
    }
    let _ = std::fs::remove_file(&file);
    found
}

/// Commands of OpenGL 1.0 to 3.3 whose absence no scenario notices: each stands in the list of its backend, and no other.
fn commands_without_a_scenario(lane: Lane) {
    if !is_full() {
        return;
    }
    let library = scenarios::library::of(lane);
    let (own, all) = (
        library.own.as_ref().expect("our library"),
        scenarios::walk::implemented(library),
    );
    let scenarios = calls_by_scenario(lane);
    let mut worker = Worker::new(lane, &format!("noop-{}", lane.name()));
    let mut unnoticed = Vec::new();
    let mut noticed = 0;
    for fault in own
        .faults()
        .iter()
        .filter(|fault| fault.since.is_some_and(|since| (10..=33).contains(&since)))
    {
        let command = fault
            .name
            .strip_prefix("noop:")
            .expect("a command")
            .to_owned();
        let calling = scenarios
            .iter()
            .filter(|(_, _, calls)| calls.contains(&command));
        let by = calling
            .map(|(name, seen, _)| (*name, *seen))
            .find(|(name, seen)| {
                let job = Job {
                    scenario: (*name).to_owned(),
                    mask: all.0,
                    verify: false,
                    fault: fault.name.clone(),
                };
                let done = worker.run(&job);
                done.wrong.is_some() || done.seen != *seen
            });
        match by {
            Some((scenario, _)) => {
                noticed += 1;
                println!("{command} {scenario}");
            }
            None => unnoticed.push(command),
        }
    }
    let list = format!("unnoticed-{}.txt", lane.name());
    println!(
        "{noticed} noticed, {} not:\n{}",
        unnoticed.len(),
        unnoticed.join("\n")
    );
    let known = listed(&list);
    let fresh: Vec<&String> = unnoticed
        .iter()
        .filter(|name| !known.contains(name))
        .collect();
    let gone: Vec<&String> = known
        .iter()
        .filter(|name| !unnoticed.contains(name))
        .collect();
    assert!(
        fresh.is_empty() && gone.is_empty(),
        "not in tests/faults/{list}: {fresh:#?}\nlisted and noticed now: {gone:#?}"
    );
}

#[test]
fn commands_that_do_nothing_are_noticed_gles() {
    commands_without_a_scenario(Lane::gles);
}

#[test]
fn commands_that_do_nothing_are_noticed_vulkan() {
    commands_without_a_scenario(Lane::vulkan);
}
