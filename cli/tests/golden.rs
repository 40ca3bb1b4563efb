//! What the bundled recordings tell the null backend is what the golden recordings say, under every carrier that tells it in this
//! order; and a difference is told by its verb.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn dropin() -> PathBuf {
    let stage = std::env::var_os("MOBILEGL_STAGE")
        .expect("run it with `cargo nextest run`: a setup script builds the library");
    PathBuf::from(stage).join("default/dropin")
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/fixtures")
        .join(name)
}

fn verify(name: &str, golden: &Path, fault: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mobilegl"))
        .arg("verify")
        .arg(fixture(&format!("{name}.trace")))
        .arg("--golden")
        .arg(golden)
        .arg("--dropin")
        .arg(dropin())
        .env("MOBILEGL_CONFIG", "/dev/null")
        .env("MOBILEGL_PIPE_FAULT", fault)
        .output()
        .expect("mobilegl starts")
}

fn is_as_recorded(name: &str) {
    let output = verify(name, &fixture(&format!("golden/{name}.txt")), "");
    assert_eq!(
        output.status.code(),
        Some(0),
        "after an intended change: `mobilegl verify tests/fixtures/{name}.trace --golden tests/fixtures/golden/{name}.txt --update`\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn glmark2_arrays_is_told_as_recorded() {
    is_as_recorded("glmark2-arrays");
}

#[test]
fn glmark2_jellyfish_is_told_as_recorded() {
    is_as_recorded("glmark2-jellyfish");
}

#[test]
fn glmark2_build_is_told_as_recorded() {
    is_as_recorded("glmark2-build");
}

#[test]
fn glmark2_shading_is_told_as_recorded() {
    is_as_recorded("glmark2-shading");
}

#[test]
fn moderngl_egl_is_told_as_recorded() {
    is_as_recorded("moderngl-egl");
}

#[test]
fn pyglet_egl_is_told_as_recorded() {
    is_as_recorded("pyglet-egl");
}

#[test]
fn golden_recording_with_a_skipped_atom_is_red_and_names_what_is_missing() {
    let name = "moderngl-egl";
    let output = verify(
        name,
        &fixture(&format!("golden/{name}.txt")),
        "atom:patch_state",
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains("-     set_patch_state vertices=3") && text.contains("at 2:"),
        "{text}"
    );
}

/// What an application may not see: a glFlush that does nothing (GL 4.6 core §2.3.2 promises an end in finite time alone).
#[test]
fn golden_recording_without_its_glflush_is_red_and_names_it() {
    let name = "pyglet-egl";
    let output = verify(
        name,
        &fixture(&format!("golden/{name}.txt")),
        "noop:glFlush",
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    // Of the program's one call and the flushes of reading and presenting, one is missing.
    assert!(text.contains("at flush\n  - "), "{text}");
}

/// What verification says of a recording on the null backend, whose pictures nobody looks at.
fn verified(name: &str, every: u32, fault: &str) -> serde_json::Value {
    let output = Command::new(env!("CARGO_BIN_EXE_mobilegl"))
        .arg("verify")
        .arg(fixture(&format!("{name}.trace")))
        .args(["--backend", "null", "--json", "--dropin"])
        .arg(dropin())
        .env("MOBILEGL_CONFIG", "/dev/null")
        .env("MOBILEGL_PIPE_VERIFY_EVERY", every.to_string())
        .env("MOBILEGL_PIPE_FAULT", fault)
        .output()
        .expect("mobilegl starts");
    let page: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    page["lanes"]["null/verify"].clone()
}

#[test]
fn contents_that_change_without_a_serial_are_found_by_samples_in_a_later_frame() {
    let lane = verified("glmark2-build", 1, "ear:rot");
    let report = &lane["verify_reports"][0];
    assert_eq!(report["field"], "buffer[1].contents", "{lane}");
    // Frame 0 was compared and good, so that no serial leads there.
    assert_eq!(report["frame"], 1, "{lane}");
    assert!(report["gl_call"].as_u64() > Some(200), "{lane}");
    assert_eq!(verified("glmark2-build", 1, "")["verify_differences"], 0);
}

#[test]
fn verify_every_tenth_frame_compares_a_tenth_of_the_verbs_and_still_finds_what_stays_wrong() {
    let (all, some) = (
        verified("glmark2-build", 1, ""),
        verified("glmark2-build", 10, "ear:rot"),
    );
    let verbs = |lane: &serde_json::Value| lane["verify_verbs"].as_u64().expect("verbs");
    assert!(
        (verbs(&some) * 8..verbs(&some) * 13).contains(&verbs(&all)),
        "{} of {}",
        verbs(&some),
        verbs(&all)
    );
    assert_eq!(some["verify_reports"][0]["frame"], 10, "{some}");
}
