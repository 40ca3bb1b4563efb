//! Faults are planted, and the search must name them: the bit that separates each, or that none does; then verification the field.
//! A fixed sample each time, every generated fault with `--full`; what is missed stands in tests/faults/misses.txt.

#[path = "faults/commands.rs"]
mod commands;
#[path = "faults/patches.rs"]
mod patches;
#[path = "faults/planted.rs"]
mod planted;
#[path = "faults/worker.rs"]
mod worker;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

use config::PushMask;
use patches::{Workshop, said};
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

/// `FAULTS_ONLY`: names of faults and source patches, separated by commas; without it all of them.
fn is_asked_for(name: &str) -> bool {
    std::env::var("FAULTS_ONLY").map_or(true, |names| names.split(',').any(|asked| asked == name))
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

/// Kinds that occur among the names and are judged nowhere, and kinds that are judged and occur nowhere.
fn unmatched_kinds(names: &[&str]) -> [Vec<String>; 2] {
    let kind = |name: &&str| name.split(':').next().unwrap_or_default().to_owned();
    let planted: BTreeSet<String> = names.iter().map(kind).collect();
    let judged: BTreeSet<String> = KINDS.concat().into_iter().map(str::to_owned).collect();
    let elsewhere = ["noop", "twins"].map(str::to_owned);
    [
        planted
            .difference(&judged)
            .filter(|kind| !elsewhere.contains(kind))
            .cloned()
            .collect(),
        judged.difference(&planted).cloned().collect(),
    ]
}

#[test]
fn every_kind_of_generated_fault_is_judged() {
    let (faults, _) = library();
    let names: Vec<&str> = faults.iter().map(|fault| fault.name.as_str()).collect();
    assert_eq!(
        unmatched_kinds(&names),
        [const { Vec::<String>::new() }; 2],
        "not judged; never planted"
    );
}

/// The control: a kind that nobody judges is found, and one that nothing is planted of.
#[test]
fn every_kind_of_generated_fault_is_judged_control() {
    let (faults, _) = library();
    let mut names: Vec<&str> = faults.iter().map(|fault| fault.name.as_str()).collect();
    names.push("swap:textures");
    names.retain(|name| !name.starts_with("pull:"));
    let [not_judged, never_planted] = unmatched_kinds(&names);
    assert_eq!(
        (not_judged, never_planted),
        (vec!["swap".to_owned()], vec!["pull".to_owned()])
    );
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
    for fault in faults
        .iter()
        .filter(|fault| kinds.contains(&kind(fault)) && is_asked_for(&fault.name))
    {
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
    known.retain(|name| {
        let (kind, rest) = name.split_once(':').unwrap_or_default();
        kinds.contains(&kind) && (is_asked_for(name) || kind == PATCH && is_asked_for(rest))
    });
    misses.sort();
    let fresh: Vec<&String> = misses.iter().filter(|name| !known.contains(name)).collect();
    let gone: Vec<&String> = known.iter().filter(|name| !misses.contains(name)).collect();
    assert!(
        fresh.is_empty() && gone.is_empty(),
        "not in tests/faults/misses.txt: {fresh:#?}\nlisted and found now: {gone:#?}"
    );
}

/// Patches apply to these sources, half of them to code that all arms share, and say what they should.
#[test]
fn source_patches_apply() {
    let patches = patches::all();
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
    for patch in patches::all()
        .into_iter()
        .filter(|patch| is_asked_for(&patch.name))
    {
        let stage = match &built {
            Some(folder) => Ok(folder.join(&patch.name)),
            None => Workshop::new().build(&patch),
        };
        let answers = match stage {
            Ok(stage) => patches::judge(&patch, &stage, &references, all),
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

#[test]
fn commands_that_do_nothing_are_noticed_gles() {
    commands::are_noticed(Lane::gles);
}

#[test]
fn commands_that_do_nothing_are_noticed_vulkan() {
    commands::are_noticed(Lane::vulkan);
}
