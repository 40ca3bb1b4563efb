//! The bundled recordings on the library itself, through the staged drop-in folder: pictures in every lane, and refusals by
//! name. It must not run on the system's OpenGL: a lane without the library's own statistics fails.

use std::path::PathBuf;
use std::process::{Command, Output};

use config::PushMask;

const RECORDED: [&str; 6] = [
    "glmark2-arrays",
    "glmark2-build",
    "glmark2-jellyfish",
    "glmark2-shading",
    "moderngl-egl",
    "pyglet-egl",
];

/// GL 4.6 compatibility profile, "Fixed-Function Vertex Processing" and "Display Lists": what the recordings in `refused/`
/// call before they draw.
const FIXED_FUNCTION: [&str; 12] = [
    "glNewList",
    "glGenLists",
    "glBegin",
    "glLightfv",
    "glMatrixMode",
    "glLoadIdentity",
    "glShadeModel",
    "glMaterialfv",
    "glFrustum",
    "glPushAttrib",
    "glFogi",
    "glTexGeni",
];

fn dropin() -> PathBuf {
    let stage = std::env::var_os("MOBILEGL_STAGE")
        .expect("run it with `cargo nextest run`: a setup script builds the library");
    PathBuf::from(stage).join("default/dropin")
}

fn fixture(name: &str) -> String {
    format!("{}/../tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn replay(traces: &[String], args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mobilegl"))
        .arg("replay")
        .args(traces)
        .arg("--dropin")
        .arg(dropin())
        .args(args)
        .env("MOBILEGL_CONFIG", "/dev/null")
        .output()
        .expect("mobilegl starts")
}

/// None, all, every single bit and verify; in a full run also every all-but-one and random masks.
fn lanes(backend: &str, full: bool) -> Vec<String> {
    let all = PushMask(phases::ledger().implemented_mask());
    let mut masks = vec![PushMask::NONE, all];
    masks.extend(all.bits().map(|bit| PushMask(1 << bit.bit)));
    if full {
        masks.extend(all.bits().map(|bit| all.without(PushMask(1 << bit.bit))));
        let mut random = all.samples(RANDOM_SEED, 4 * RANDOM_MASKS);
        // The command line takes no lane twice.
        random.dedup();
        random.retain(|mask| !masks.contains(mask));
        masks.extend(random.into_iter().take(RANDOM_MASKS));
    }
    let masks = masks.iter().map(|mask| format!("{backend}/{:#x}", mask.0));
    masks.chain([format!("{backend}/verify")]).collect()
}

const RANDOM_SEED: u64 = 46;
const RANDOM_MASKS: usize = 20;

/// The recordings on every lane with more arguments; how it ended and what it said.
fn replayed(backend: &str, args: &[&str]) -> (Option<i32>, String) {
    let traces = RECORDED.map(|name| fixture(&format!("{name}.trace")));
    let full = std::env::var("NEXTEST_PROFILE").is_ok_and(|profile| profile == "full");
    let lanes = lanes(backend, full);
    for name in RECORDED {
        scenarios::walk::count_masks("recordings", name, backend, lanes.len());
    }
    let lanes = lanes.join(",");
    let output = replay(&traces, &[&["--lanes", &lanes], args].concat());
    let (table, said) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    (output.status.code(), format!("{table}{said}"))
}

fn recorded_programs_match(backend: &str) {
    let (status, said) = replayed(backend, &[]);
    assert_eq!(status, Some(0), "{said}");
}

/// An atom that does nothing, and a recording whose picture needs it.
const SKIPPED: [(&str, &str); 6] = [
    ("glmark2-build", "atom:draw_program"),
    ("glmark2-jellyfish", "atom:textures"),
    ("glmark2-jellyfish", "atom:index_buffer"),
    ("glmark2-jellyfish", "atom:render_state_cso"),
    ("glmark2-jellyfish", "atom:sampler_views"),
    ("glmark2-arrays", "atom:vertex_buffers"),
];

/// The lane that pushes is told bad, the one that pulls everything is good.
fn skipped_atoms_are_told(backend: &str) {
    let lanes = format!("{backend}/none,{backend}/all");
    for (name, fault) in SKIPPED {
        let fault = format!("PIPE_FAULT={fault}");
        let output = replay(
            &[fixture(&format!("{name}.trace"))],
            &["--lanes", &lanes, "--json", "--set", &fault],
        );
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{fault}: {said}");
        let page: serde_json::Value = serde_json::from_str(&said).expect("JSON");
        let problems = |lane: &str| {
            let lane = &page["lanes"][format!("{backend}/{lane}")];
            lane["problems"].as_array().map_or(0, Vec::len)
        };
        assert_eq!(problems("none"), 0, "{fault}: nothing is pushed: {said}");
        assert_ne!(problems("all"), 0, "{fault}: {said}");
    }
}

/// Per bit the verbs that an arm worked for, over all recordings of one lane.
fn worked(lane: &str, arm: &str) -> std::collections::BTreeMap<String, u64> {
    let traces = RECORDED.map(|name| fixture(&format!("{name}.trace")));
    let output = replay(&traces, &["--lanes", lane, "--json"]);
    let said = String::from_utf8_lossy(&output.stdout);
    let mut worked = std::collections::BTreeMap::new();
    // One line of JSON per recording.
    for line in said.lines() {
        let page: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let arms = page["lanes"][lane]["arms"].as_object();
        for (bit, counts) in arms.expect("the arms are told") {
            *worked.entry(bit.clone()).or_default() += counts[arm].as_u64().expect("a count");
        }
    }
    worked
}

/// A bit that no recording reaches could not fail in any of them.
fn recordings_reach_every_bit(backend: &str) {
    let all = PushMask(phases::ledger().implemented_mask());
    for (mask, arm, other) in [("all", "push", "pull"), ("none", "pull", "push")] {
        let lane = format!("{backend}/{mask}");
        let (own, other) = (worked(&lane, arm), worked(&lane, other));
        for bit in all.bits() {
            assert_ne!(own[bit.name], 0, "{lane}: {} is not reached", bit.name);
            assert_eq!(other[bit.name], 0, "{lane}: {}", bit.name);
        }
    }
}

/// What a full run promises: none, all, each single bit, each all-but-one, twenty random masks besides, and verification; every run has
/// the first three and the last.
#[test]
fn recorded_lanes_are_every_mask_that_is_promised() {
    let all = PushMask(phases::ledger().implemented_mask());
    let (some, full) = (lanes("gles", false), lanes("gles", true));
    let has = |lanes: &[String], mask: PushMask| lanes.contains(&format!("gles/{:#x}", mask.0));
    for bit in all.bits() {
        let one = PushMask(1 << bit.bit);
        assert!(has(&some, one) && has(&full, one), "{}", bit.name);
        assert!(has(&full, all.without(one)), "all-{}", bit.name);
    }
    for lanes in [&some, &full] {
        assert!(has(lanes, PushMask::NONE) && has(lanes, all));
        assert_eq!(lanes.last().map(String::as_str), Some("gles/verify"));
    }
    let bits = all.bits().count();
    let random = full.len() - (2 + 2 * bits + 1);
    assert_eq!(random, RANDOM_MASKS);
}

fn fixed_function_programs_end_with_a_refusal(backend: &str) {
    for name in ["mujoco-egl", "glxgears"] {
        let lane = format!("{backend}/all");
        let output = replay(
            &[fixture(&format!("refused/{name}.trace"))],
            &["--lanes", &lane, "--json"],
        );
        assert_eq!(
            output.status.code(),
            Some(1),
            "{name}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let page: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let missing = page["lanes"][&lane]["missing"].as_array().expect("a list");
        let named = missing
            .iter()
            .filter_map(|name| name.as_str())
            .any(|name| FIXED_FUNCTION.contains(&name));
        assert!(
            named,
            "{name}: no fixed-function call is named: {}",
            page["lanes"][&lane]["problems"]
        );
    }
}

#[test]
fn recorded_programs_match_on_gles() {
    recorded_programs_match("gles");
}

#[test]
fn recorded_programs_match_on_gles_control() {
    skipped_atoms_are_told("gles");
}

#[test]
fn recorded_programs_match_on_vulkan_control() {
    skipped_atoms_are_told("vulkan");
}

#[test]
fn recorded_programs_match_on_vulkan() {
    recorded_programs_match("vulkan");
}

#[test]
fn recordings_reach_every_bit_on_gles() {
    recordings_reach_every_bit("gles");
}

#[test]
fn recordings_reach_every_bit_on_vulkan() {
    recordings_reach_every_bit("vulkan");
}

#[test]
fn fixed_function_programs_end_with_a_refusal_by_name_on_gles() {
    fixed_function_programs_end_with_a_refusal("gles");
}

#[test]
fn fixed_function_programs_end_with_a_refusal_by_name_on_vulkan() {
    fixed_function_programs_end_with_a_refusal("vulkan");
}

/// Started without `mobilegl run`, a program meets the library's own refusal: its message, status 2, and no hang.
#[test]
fn refused_option_ends_the_program_itself() {
    // Coreutils' timeout answers 124 where the program hangs.
    let output = Command::new("timeout")
        .args(["60", "eglretrace", &fixture("moderngl-egl.trace")])
        .env_remove("DISPLAY")
        .env("WAFFLE_PLATFORM", "surfaceless_egl")
        .env("EGL_PLATFORM", "surfaceless")
        .env("LD_LIBRARY_PATH", dropin())
        .env("MOBILEGL_CONFIG", "/dev/null")
        .env("MOBILEGL_BACKEND", "metal")
        .output()
        .expect("timeout starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("metal"), "{said}");
}
