//! Counters of a recorded program, by what is known of the program: they are there when asked for and true.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// Frames of glmark2-build, each with one clear, one draw and one swap (tests/fixtures/README.md).
const FRAMES: u64 = 303;

fn dropin() -> PathBuf {
    let stage = std::env::var_os("MOBILEGL_STAGE")
        .expect("run it with `cargo nextest run`: a setup script builds the library");
    PathBuf::from(stage).join("default/dropin")
}

/// The statistics of a replay on the null backend, and what was said.
fn replay(push: &str, stats: &str) -> (Value, String, PathBuf) {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("counters-{push}-{stats}"));
    let output = Command::new(env!("CARGO_BIN_EXE_mobilegl"))
        .args(["run", "--backend", "null", "--push", push])
        .args(["--set", &format!("PIPE_STATS={stats}")])
        .args(["--set", "PIPE_STATS_PERIOD=100", "--dropin"])
        .arg(dropin())
        .args(["--", "eglretrace"])
        .arg(format!(
            "{}/../tests/fixtures/glmark2-build.trace",
            env!("CARGO_MANIFEST_DIR")
        ))
        .env("MOBILEGL_CONFIG", "/dev/null")
        .env("MOBILEGL_PIPE_STATS_FILE", &file)
        .env_remove("DISPLAY")
        .env("WAFFLE_PLATFORM", "surfaceless_egl")
        .env("EGL_PLATFORM", "surfaceless")
        .output()
        .expect("mobilegl starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    let text = std::fs::read_to_string(&file).expect("statistics");
    (serde_json::from_str(&text).expect("JSON"), said, file)
}

#[test]
fn counters_of_a_pushed_program_are_its_frames_draws_bytes_and_gates() {
    let (stats, said, file) = replay("all", "1");
    let counters = &stats["counters"];
    // Before its first swap the program flushes once: that ends a frame too.
    assert_eq!(counters["frames"], FRAMES + 1, "{counters}");
    assert_eq!(counters["draws"], FRAMES, "{counters}");
    assert_eq!(counters["calls"]["present"], FRAMES, "{counters}");
    // One program, one layout of vertices: one object of each, whatever the number of frames.
    assert_eq!(
        counters["csos"]["vertex_elements"]["created"], 1,
        "{counters}"
    );
    // The matrices turn with every frame; the buffer stays.
    let told = &counters["gates"]["draw_program"]["told"];
    assert!(told.as_u64() >= Some(FRAMES), "{counters}");
    assert_eq!(counters["gates"]["vertex_buffers"]["told"], 1, "{counters}");
    assert_eq!(counters["calls"]["set_vertex_buffers"], 1, "{counters}");
    assert!(
        counters["bytes"]["stage-ubo-global"].as_u64() > Some(FRAMES),
        "{counters}"
    );
    assert!(
        counters["bytes"]["stage-buffer"].as_u64() > Some(0),
        "{counters}"
    );
    let suppressed = &counters["gates"]["vertex_buffers"]["same"];
    assert_eq!(
        *suppressed,
        FRAMES - 1,
        "rebinding the same buffers: {counters}"
    );
    let lines = said.lines().filter(|line| line.contains("frames ")).count();
    assert_eq!(lines, 3, "a line every 100 frames: {said}");
    let shown = Command::new(env!("CARGO_BIN_EXE_mobilegl"))
        .arg("stats")
        .arg(&file)
        .arg("--report")
        .arg(file.with_extension("html"))
        .output()
        .expect("mobilegl starts");
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("304 frames, 303 draws"), "{shown}");
    let page = std::fs::read_to_string(file.with_extension("html")).expect("a page");
    assert!(page.contains("<svg") && page.contains("stage-ubo-global"));
}

#[test]
fn counters_of_a_pulled_program_tell_reads_and_no_gates() {
    let (stats, ..) = replay("none", "1");
    let counters = &stats["counters"];
    assert_eq!(counters["draws"], FRAMES, "{counters}");
    assert!(
        counters["pulled_verbs"].as_u64() >= Some(2 * FRAMES),
        "{counters}"
    );
    let told = |gate: &Value| gate["told"].as_u64().expect("a count");
    let gates = counters["gates"].as_object().expect("gates");
    assert!(gates.values().all(|gate| told(gate) == 0), "{counters}");
}

#[test]
fn counters_that_nobody_asked_for_are_not_there() {
    let (stats, said, _) = replay("all", "0");
    assert_eq!(stats.get("counters"), None);
    assert!(!said.contains("frames "), "{said}");
}
