//! The bundled recordings on the library itself, through the staged drop-in folder: pictures in every lane, and refusals by
//! name. It must not run on the system's OpenGL: a lane without the library's own statistics fails.

use std::path::PathBuf;
use std::process::{Command, Output};

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

fn recorded_programs_match(backend: &str) {
    let traces = RECORDED.map(|name| fixture(&format!("{name}.trace")));
    let output = replay(&traces, &["--backend", backend]);
    let (table, said) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert_eq!(output.status.code(), Some(0), "{table}{said}");
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
