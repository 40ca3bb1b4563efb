//! Purity C: the build that ships passes every scenario, each once with its one bitmap, and refuses by name what it lacks.

use std::panic::{AssertUnwindSafe, catch_unwind};

use config::{Needs, OPTIONS};
use scenarios::gl::{Display, Gl};
use scenarios::lane::Lane;
use scenarios::walk::{self, Scenario};
use scenarios::{child, expectations};

macro_rules! rows {
    ($($file:ident::$name:ident [$($lane:ident)*];)*) => {
        /// Every scenario with the lanes that it runs on. None of them needs pull, verify or faults: the walks over masks do.
        const SCENARIOS: &[(Scenario, &[Lane])] = &[$((
            Scenario::new(stringify!($file), stringify!($name), scenarios::scenarios::$file::$name),
            &[$(Lane::$lane),*],
        )),*];
    };
}
scenarios::each_scenario!(rows);

/// Scenarios of a lane that fail, a paragraph each, and how many ran.
fn failures(display: Display, rows: &[(Scenario, &[Lane])]) -> (usize, Vec<String>) {
    let lane = display.lane;
    let (mut ran, mut failed) = (0, Vec::new());
    for (scenario, lanes) in rows {
        if !lanes.contains(&lane) || expectations::of(scenario.name, lane).is_some() {
            continue;
        }
        ran += 1;
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| walk::run_once(*scenario, display))) {
            failed.push(format!("[{}] {}", scenario.name, walk::message(&*panic)));
        }
    }
    (ran, failed)
}

fn passes(lane: Lane) {
    let (ran, failed) = failures(Display::shipping(lane), SCENARIOS);
    println!("{ran} scenarios on {}", lane.name());
    assert!(ran > 50, "only {ran} scenarios ran");
    assert!(
        failed.is_empty(),
        "the build that ships, on {}:\n{}",
        lane.name(),
        failed.join("\n")
    );
}

fn planted(_: &Gl) {
    panic!("a planted failure");
}

fn planted_failure_is_named(lane: Lane) {
    let rows = [(Scenario::new("basics", "planted", planted), &[lane][..])];
    let (ran, failed) = failures(Display::shipping(lane), &rows);
    assert_eq!(
        (ran, failed),
        (1, vec!["[planted] a planted failure".to_owned()])
    );
}

#[test]
fn shipping_build_passes_the_scenarios_gles() {
    passes(Lane::gles);
}

#[test]
fn shipping_build_passes_the_scenarios_gles_control() {
    planted_failure_is_named(Lane::gles);
}

#[test]
fn shipping_build_passes_the_scenarios_vulkan() {
    passes(Lane::vulkan);
}

#[test]
fn shipping_build_passes_the_scenarios_vulkan_control() {
    planted_failure_is_named(Lane::vulkan);
}

/// Options of features that the build lacks, with a value that the other build accepts.
fn lacked() -> Vec<(&'static str, &'static str)> {
    let rows = OPTIONS.iter().filter(|row| match row.needs {
        Needs::Verify | Needs::Faults | Needs::Pull => true,
        Needs::Nothing | Needs::Phase(_) => false,
    });
    let mut lacked: Vec<_> = rows
        .map(|row| match row.default {
            "0" => (row.variable, "1"),
            _ if row.key == "pipe_fault" => (row.variable, "atom:framebuffer"),
            // The build that has it writes there.
            _ if row.allowed.starts_with("a path") => (row.variable, "/dev/null"),
            _ => (row.variable, "framebuffer@draw_vbo"),
        })
        .collect();
    for mask in ["none", "all-textures", "all,residual"] {
        lacked.push(("MOBILEGL_PIPE_PUSH", mask));
    }
    lacked
}

/// Runs `test` again per option; those that did not end it by their name with the status of misuse.
fn accepted(test: &str) -> Vec<String> {
    lacked()
        .into_iter()
        .filter_map(|(name, value)| {
            let ended = child::run(test, &[(name, value)]);
            let refused = !ended.success && ended.how.ends_with(": 2") && ended.text.contains(name);
            (!refused).then(|| format!("{name}={value}: {}\n{}", ended.how, ended.text))
        })
        .collect()
}

#[test]
fn shipping_build_refuses_what_it_lacks() {
    if child::is_child() {
        Display::shipping(Lane::null);
        return;
    }
    let found = accepted("shipping::shipping_build_refuses_what_it_lacks");
    assert!(
        found.is_empty(),
        "not refused by name:\n{}",
        found.join("\n")
    );
    let own = Display::shipping(Lane::null).library.own.as_ref();
    let answer = own
        .expect("our library")
        .try_set_option("finish", "publish");
    assert_eq!(answer, -2, "the build that ships lets nobody set options");
}

#[test]
fn shipping_build_refuses_what_it_lacks_control() {
    if child::is_child() {
        Display::open(Lane::null);
        return;
    }
    // The build with everything takes all of them, so it is the build that refuses.
    let test = "shipping::shipping_build_refuses_what_it_lacks_control";
    let found = accepted(test);
    assert_eq!(found.len(), lacked().len(), "{}", found.join("\n"));
    // Of what it has, it refuses what there is not: by name, and at once.
    let ended = child::run(test, &[("MOBILEGL_PIPE_FAULT", "atom:nothing")]);
    assert!(
        ended.how.ends_with(": 2") && ended.text.contains("atom:nothing"),
        "{}: {}",
        ended.how,
        ended.text
    );
}
