//! Two bitmaps by turns, on the library itself: figures that are true, and the recordings' pictures unchanged.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

fn stage() -> PathBuf {
    let stage = std::env::var_os("MOBILEGL_STAGE")
        .expect("run it with `cargo nextest run`: a setup script builds the library");
    PathBuf::from(stage).join("default")
}

fn mobilegl() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mobilegl"));
    command.env("MOBILEGL_CONFIG", "/dev/null");
    command
}

/// The row `draw` on the null backend, with this fault.
fn draws(plan: &str, batches: &str, fault: &str) -> Value {
    let output = mobilegl()
        .args(["bench", "--backend", "null", "--ab", plan, "--json"])
        .args(["--rounds", "1", "--driverbench"])
        .arg(stage().join("driverbench"))
        .arg("--dropin")
        .arg(stage().join("dropin"))
        .args(["--", "--row", "draw", "--batches", batches])
        .env("MOBILEGL_PIPE_FAULT", fault)
        .output()
        .expect("mobilegl starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let page: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    page["rows"][0].clone()
}

fn figure(row: &Value, name: &str) -> f64 {
    row[name]
        .as_f64()
        .unwrap_or_else(|| panic!("no {name}: {row}"))
}

/// A recorded program's frames again and again on the null backend, with this fault: pairs, and how much more B costs.
fn frames(plan: &str, times: u32, fault: &str) -> (u32, f64) {
    let output = mobilegl()
        .args(["run", "--backend", "null", "--ab", plan, "--dropin"])
        .arg(stage().join("dropin"))
        .args(["--", "eglretrace", &format!("--loop={times}")])
        .arg(format!(
            "{}/../tests/fixtures/pyglet-egl.trace",
            env!("CARGO_MANIFEST_DIR")
        ))
        .env_remove("DISPLAY")
        .env("WAFFLE_PLATFORM", "surfaceless_egl")
        .env("EGL_PLATFORM", "surfaceless")
        .env("MOBILEGL_PIPE_FAULT", fault)
        .output()
        .expect("mobilegl starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let row = said.lines().find(|line| line.starts_with("eglretrace "));
    let words: Vec<&str> = row.unwrap_or(&said).split_whitespace().collect();
    let [_, pairs, _, _, more, ..] = words[..] else {
        panic!("{said}")
    };
    let more: f64 = more.parse().unwrap_or_else(|_| panic!("{said}"));
    (pairs.parse().expect("pairs"), more / 100.0)
}

/// How many planted steps are about 5 % of a verb on whatever machine this is: halving between none and many, since a core hides the
/// first few steps under its fences and the cost is no line.
fn steps_for_five_percent(mut many: u32, added: impl Fn(u32) -> f64) -> u32 {
    let mut few = 0;
    assert!(added(many) > 0.06, "steps take no time");
    while many - few > 1 {
        let steps = few.midpoint(many);
        match added(steps) {
            part if part < 0.04 => few = steps,
            part if part > 0.06 => many = steps,
            _ => return steps,
        }
    }
    many
}

#[test]
fn equal_bitmaps_show_no_difference_and_planted_five_percent_are_found() {
    let steps = steps_for_five_percent(180, |steps| {
        let row = draws("all:all", "1000", &format!("burn:{steps}"));
        figure(&row, "difference")
    });
    let none = draws("all:all", "4000", "burn:0");
    let some = draws("all:all", "4000", &format!("burn:{steps}"));
    // The interval misses the truth in 5 of 100 runs by its nature; what must never happen is that noise looks like the cost that
    // is to be found. Medians of some 500 pairs move by far less than 2 % even where other programs take turns on the cores.
    let noise = figure(&none, "difference");
    assert!(noise.abs() < 0.02, "equal bitmaps differ: {none}");
    let found = figure(&some, "difference");
    assert!(
        (0.03..0.08).contains(&found) && figure(&some, "low") > 0.02,
        "{steps} steps are 5 %, seen was: {some}"
    );
    assert!(figure(&some, "pairs") > 400.0, "{some}");
}

/// The same of a program: a player of recordings, whose own time counts as well.
#[test]
fn equal_bitmaps_show_no_difference_in_a_program_and_planted_five_percent_are_found() {
    let steps = steps_for_five_percent(4_000, |steps| {
        frames("all:all", 6_400, &format!("burn:{steps}")).1
    });
    let (_, noise) = frames("all:all", 6_400, "burn:0");
    assert!(noise.abs() < 0.02, "equal bitmaps differ: {noise}");
    let (pairs, found) = frames("all:all", 6_400, &format!("burn:{steps}"));
    assert!(
        (0.03..0.08).contains(&found) && pairs > 350,
        "{steps} steps are 5 %, seen was {found} in {pairs} pairs"
    );
}

#[test]
fn pull_and_push_by_turns_are_compared_and_both_arms_work() {
    let row = draws("none,all", "400", "");
    assert!(
        figure(&row, "pairs") > 40.0 && figure(&row, "flips") > 40.0,
        "{row}"
    );
    assert!(figure(&row, "a_ns_per_verb") > 0.0, "{row}");
}

#[test]
fn program_under_run_is_compared_by_turns_and_keeps_its_exit_status() {
    let output = mobilegl()
        .args(["run", "--backend", "null", "--ab", "none,all", "--dropin"])
        .arg(stage().join("dropin"))
        .args(["--", "eglretrace"])
        .arg(format!(
            "{}/../tests/fixtures/glmark2-build.trace",
            env!("CARGO_MANIFEST_DIR")
        ))
        .env_remove("DISPLAY")
        .env("WAFFLE_PLATFORM", "surfaceless_egl")
        .env("EGL_PLATFORM", "surfaceless")
        .output()
        .expect("mobilegl starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    for part in [
        "A is none, B is ",
        "8 frames a turn, the first 2 of each left out",
        "eglretrace",
        " %",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let status = mobilegl()
        .args(["run", "--ab", "none,all", "--dropin"])
        .arg(stage().join("dropin"))
        .args(["--", "false"])
        .output()
        .expect("mobilegl starts");
    let said = String::from_utf8_lossy(&status.stderr);
    assert!(
        status.status.code() == Some(2) && said.contains("without the library's statistics"),
        "{said}"
    );
}

/// Every picture of every recording with a bitmap that changes at each frame is the one without.
fn pictures_stand(backend: &str) {
    let lanes = [
        "none",
        "none:all:1",
        "all:none:2",
        "all-textures:textures:1",
        "buffers:all-buffers:1",
    ]
    .map(|arm| format!("{backend}/{arm}"))
    .join(",");
    for (name, frames) in [
        ("glmark2-build", true),
        ("glmark2-shading", true),
        ("moderngl-egl", false),
        ("pyglet-egl", true),
    ] {
        let mut command = mobilegl();
        command
            .arg("replay")
            .arg(format!(
                "{}/../tests/fixtures/{name}.trace",
                env!("CARGO_MANIFEST_DIR")
            ))
            .args(["--lanes", &lanes])
            .arg("--dropin")
            .arg(stage().join("dropin"));
        if frames {
            command.arg("--frames");
        }
        let output = command.output().expect("mobilegl starts");
        assert_eq!(
            output.status.code(),
            Some(0),
            "{name}: {}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn bitmap_that_changes_at_every_frame_draws_the_same_pictures_on_gles() {
    pictures_stand("gles");
}

#[test]
fn bitmap_that_changes_at_every_frame_draws_the_same_pictures_on_vulkan() {
    pictures_stand("vulkan");
}
