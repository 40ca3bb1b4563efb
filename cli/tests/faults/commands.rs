//! Commands that do nothing: which of them no scenario notices. What a search says of them is no subject here.

use scenarios::lane::Lane;

use crate::worker::{self, Job, Worker};
use crate::{is_full, listed, reference};

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
pub fn are_noticed(lane: Lane) {
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
