//! The bundled recordings on the library itself, through the staged drop-in folder: pictures in every lane, and refusals by
//! name. It must not run on the system's OpenGL: a lane without the library's own statistics fails.

use std::path::PathBuf;
use std::process::{Command, Output};

use config::PushMask;

const RECORDED: [&str; 4] = [
    "glmark2-build",
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

/// An atom that does nothing: the lanes that push its bit must be told bad, and one recording is enough to see it.
fn skipped_atom_is_told(backend: &str) {
    let lanes = format!("{backend}/none,{backend}/all");
    let output = replay(
        &[fixture("glmark2-build.trace")],
        &[
            "--lanes",
            &lanes,
            "--json",
            "--set",
            "PIPE_FAULT=atom:draw_program",
        ],
    );
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let page: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    let problems = |lane: &str| {
        let lane = &page["lanes"][format!("{backend}/{lane}")];
        lane["problems"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(
        problems("none"),
        0,
        "a pulled program needs no atom: {said}"
    );
    assert_ne!(problems("all"), 0, "{said}");
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
    skipped_atom_is_told("gles");
}

#[test]
fn recorded_programs_match_on_vulkan_control() {
    skipped_atom_is_told("vulkan");
}

#[test]
fn recorded_programs_match_on_vulkan() {
    recorded_programs_match("vulkan");
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
