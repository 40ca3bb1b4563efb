//! piglit's tests on the staged drop-in folder, against the lists in `tests/piglit`.
//!
//! `baseline.txt` names the tests that pass on llvmpipe; a star marks the sample that every run takes, the profile `full` takes all.
//! `misses-BACKEND.txt` says which of them do not pass here, how they end and why. Everything else has to pass: a test that is
//! skipped here and passes there has failed. A test that ends otherwise than listed is red, and so is one that is listed and passes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

/// How a test of the lists must end, and why.
#[derive(Debug, PartialEq, Eq)]
struct Miss {
    /// `fail`, `crash`, `skip`, `timeout`, `warn`; `any` for one that ends so or so by accident.
    result: String,
    reason: String,
}

/// What piglit writes: `results.json`.
#[derive(Deserialize)]
struct Results {
    tests: BTreeMap<String, Ended>,
}

#[derive(Deserialize)]
struct Ended {
    result: String,
    #[serde(default)]
    out: String,
    #[serde(default)]
    err: String,
}

/// The comparison of a run with the lists.
#[derive(Debug, Default, PartialEq, Eq)]
struct Verdict {
    /// Name, what it should have been, what it was.
    worse: Vec<(String, String, String)>,
    /// Listed as misses, and passing.
    better: Vec<String>,
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("piglit")
        .join(path)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Names of the baseline; of the sample only, where `all` is not set.
fn baseline(text: &str, all: bool) -> BTreeSet<String> {
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .filter_map(|line| match line.strip_prefix("* ") {
            Some(name) => Some(name),
            None => all.then(|| line.trim_start()),
        })
        .map(str::to_owned)
        .collect()
}

/// `[reason]`, and below it lines of `RESULT NAME`.
fn misses(text: &str) -> BTreeMap<String, Miss> {
    let mut reason = "";
    let mut list = BTreeMap::new();
    for line in text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if let Some(new) = line.strip_prefix('[') {
            reason = new.trim_end_matches(']');
            continue;
        }
        let (result, name) = line
            .split_once(' ')
            .unwrap_or_else(|| panic!("`{line}' is not a result and a name"));
        assert!(!reason.is_empty(), "`{line}' stands below no reason");
        let miss = Miss {
            result: result.to_owned(),
            reason: reason.to_owned(),
        };
        let twice = list.insert(name.to_owned(), miss);
        assert!(twice.is_none(), "`{name}' is listed twice");
    }
    list
}

fn judge(
    names: &BTreeSet<String>,
    listed: &BTreeMap<String, Miss>,
    results: &BTreeMap<String, Ended>,
) -> Verdict {
    let mut verdict = Verdict::default();
    for name in names {
        let was = results.get(name).map_or("missing", |ended| &ended.result);
        let should = listed.get(name).map_or("pass", |miss| &miss.result);
        match (should, was) {
            ("any", _) => {}
            (should, was) if should == was => {}
            (_, "pass") => verdict.better.push(name.clone()),
            (should, was) => verdict
                .worse
                .push((name.clone(), should.to_owned(), was.to_owned())),
        }
    }
    verdict
}

/// A line per group of tests: how many of the baseline pass, and how the others end.
fn summary(names: &BTreeSet<String>, results: &BTreeMap<String, Ended>) -> String {
    let mut groups: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for name in names {
        let group = name.split('@').nth(1).unwrap_or(name);
        let was = results.get(name).map_or("missing", |ended| &ended.result);
        for group in [group, "all together"] {
            *groups.entry(group).or_default().entry(was).or_default() += 1;
        }
    }
    let mut out = String::new();
    for (group, ends) in &groups {
        let all: usize = ends.values().sum();
        let passed = ends.get("pass").copied().unwrap_or(0);
        out.push_str(&format!("{group:36} {passed:5} of {all:5} pass"));
        for (end, n) in ends.iter().filter(|(end, _)| **end != "pass") {
            out.push_str(&format!(", {n} {end}"));
        }
        out.push('\n');
    }
    out
}

/// What a test said, as far as it says why.
fn words(ended: &Ended) -> String {
    let lines = ended.err.lines().chain(ended.out.lines());
    let lines = lines.filter(|line| !line.trim().is_empty() && !line.starts_with("PIGLIT"));
    lines
        .take(6)
        .map(|line| format!("      {line}\n"))
        .collect()
}

/// How state reaches the backend: the options of a run. The same tests must end in the same way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Push,
    Pull,
    Verified,
}

impl Way {
    const fn options(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Push => &[],
            Self::Pull => &[("MOBILEGL_PIPE_PUSH", "none")],
            Self::Verified => &[("MOBILEGL_PIPE_VERIFY", "1")],
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Push => "push",
            Self::Pull => "pull",
            Self::Verified => "verified",
        }
    }
}

fn lists_hold(backend: &str, way: Way) {
    let stage = std::env::var_os("MOBILEGL_STAGE").expect("the setup script says where");
    let dropin = PathBuf::from(&stage).join("default/dropin");
    let folder = PathBuf::from(&stage).join(format!("../piglit/{backend}-{}", way.name()));
    let full = std::env::var("NEXTEST_PROFILE").is_ok_and(|profile| profile == "full");
    // `./x piglit REGEX` leaves the names that it chose in a file.
    let names = match std::env::var_os("MOBILEGL_PIGLIT_ONLY") {
        Some(list) => read(Path::new(&list)).lines().map(str::to_owned).collect(),
        None => baseline(&read(&here("baseline.txt")), full && way == Way::Push),
    };
    // Beside the profile `full`, the other ways are tried on some of the sample.
    let names: BTreeSet<String> = match way {
        Way::Push => names,
        _ if full => names,
        _ => names.into_iter().step_by(12).collect(),
    };
    assert!(!names.is_empty(), "no test of the baseline is chosen");
    let list = here(&format!("misses-{backend}.txt"));
    let listed = misses(&read(&list));

    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the results");
    let chosen = folder.join("chosen.txt");
    let lines: String = names.iter().map(|name| format!("{name}\n")).collect();
    std::fs::write(&chosen, lines).expect("the folder of the results can be written");
    let results = folder.join("results");
    let jobs = std::thread::available_parallelism().map_or(2, usize::from);
    let mut command = Command::new("piglit");
    command
        .args(["run", "quick", "-p", "surfaceless_egl", "-c", "-o"])
        .args(["--ignore-missing", "--timeout", "60", "-l", "quiet", "-j"])
        .arg(jobs.to_string())
        .arg("--test-list")
        .arg(&chosen)
        .arg(&results)
        .env("LD_LIBRARY_PATH", dropin)
        .env("MOBILEGL_BACKEND", backend)
        .env("MOBILEGL_CONFIG", "/dev/null")
        .env("PIGLIT_COMPRESSION", "none")
        .envs(way.options().iter().copied())
        .env_remove("DISPLAY");
    // Ours, and no options of the library: it would tell of each in every test.
    for ours in [
        "MOBILEGL_STAGE",
        "MOBILEGL_PYTHON",
        "MOBILEGL_MODERNGL",
        "MOBILEGL_PIGLIT_ONLY",
    ] {
        command.env_remove(ours);
    }
    // Software drivers by name, as the lists say.
    command
        .env("GALLIUM_DRIVER", "llvmpipe")
        .env("LIBGL_ALWAYS_SOFTWARE", "1");
    let lavapipe = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json";
    if std::env::var_os("VK_ICD_FILENAMES").is_none() && Path::new(lavapipe).exists() {
        command.env("VK_ICD_FILENAMES", lavapipe);
    }
    let output = command
        .output()
        .expect("piglit is not installed: run `./x piglit`, which installs it");
    let text = std::fs::read_to_string(results.join("results.json")).unwrap_or_else(|error| {
        panic!(
            "piglit left no results ({error}): {}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    });
    let Results { tests } = serde_json::from_str(&text).expect("results of piglit");
    print!("{backend}, {}\n{}", way.name(), summary(&names, &tests));
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for miss in names.iter().filter_map(|name| listed.get(name)) {
        *reasons.entry(&miss.reason).or_default() += 1;
    }
    for (reason, n) in &reasons {
        println!("{n:5} listed: {reason}");
    }
    println!("results: {}", results.display());

    let verdict = judge(&names, &listed, &tests);
    for (name, should, was) in &verdict.worse {
        println!("  {was} {name}\n      (expected: {should})");
        print!("{}", tests.get(name).map(words).unwrap_or_default());
    }
    for name in &verdict.better {
        println!("  passes now, take it out of the list: {name}");
    }
    assert!(
        verdict == Verdict::default(),
        "{} tests end worse than {} says, {} pass that are listed",
        verdict.worse.len(),
        list.display(),
        verdict.better.len()
    );
}

#[test]
fn piglit_passes_what_llvmpipe_passes_on_gles() {
    lists_hold("gles", Way::Push);
}

#[test]
fn piglit_passes_what_llvmpipe_passes_on_vulkan() {
    lists_hold("vulkan", Way::Push);
}

#[test]
fn piglit_ends_in_the_same_way_pulled_and_verified_on_gles() {
    lists_hold("gles", Way::Pull);
    lists_hold("gles", Way::Verified);
}

#[test]
fn piglit_ends_in_the_same_way_pulled_and_verified_on_vulkan() {
    lists_hold("vulkan", Way::Pull);
    lists_hold("vulkan", Way::Verified);
}

#[test]
fn every_listed_miss_is_of_the_baseline() {
    let all = baseline(&read(&here("baseline.txt")), true);
    assert!(
        all.len() > 2000,
        "{} tests: a short list proves little",
        all.len()
    );
    for backend in ["gles", "vulkan"] {
        let list = here(&format!("misses-{backend}.txt"));
        for (name, miss) in misses(&read(&list)) {
            assert!(all.contains(&name), "{}: {name}", list.display());
            assert!(
                ["fail", "crash", "skip", "timeout", "warn", "any"].contains(&&*miss.result),
                "{}: {}",
                list.display(),
                miss.result
            );
        }
    }
}

#[test]
fn skip_counts_as_miss_and_unexpected_pass_is_told() {
    let names = baseline("# x\n* spec@a@one\n  spec@a@two\n  spec@b@three\n", true);
    let listed = misses("[not there yet]\nfail spec@a@two\nany spec@b@three\n");
    let ended = |result: &str| Ended {
        result: result.into(),
        out: String::new(),
        err: String::new(),
    };
    let results = BTreeMap::from([
        ("spec@a@one".to_owned(), ended("skip")),
        ("spec@a@two".to_owned(), ended("pass")),
    ]);
    let verdict = judge(&names, &listed, &results);
    let worse = vec![("spec@a@one".into(), "pass".into(), "skip".into())];
    assert_eq!(verdict.worse, worse);
    assert_eq!(verdict.better, ["spec@a@two"]);
    let names = baseline("* spec@a@one\n  spec@a@two\n", false);
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["spec@a@one"]);
}
