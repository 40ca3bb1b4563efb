//! Which arm is at fault, and what the golden recording says, on a bundled recording with planted faults. The picture beside the
//! recording is left away where nothing but what is told can say who is right.

use std::path::{Path, PathBuf};
use std::process::Command;

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

/// The recording alone in a folder of its own: no picture, no golden recording.
fn alone(name: &str, test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).expect("a folder");
    let to = folder.join(name);
    std::fs::copy(fixture(name), &to).expect("a copy");
    to
}

fn bisect(trace: &Path, fault: &str, args: &[&str]) -> serde_json::Value {
    let output = Command::new(env!("CARGO_BIN_EXE_mobilegl"))
        .args(["bisect", "--json", "--dropin"])
        .arg(dropin())
        .arg("--trace")
        .arg(trace)
        .args(args)
        .env("MOBILEGL_CONFIG", "/dev/null")
        .env("MOBILEGL_PIPE_FAULT", fault)
        .output()
        .expect("mobilegl starts");
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

const TRACE: &str = "moderngl-egl.trace";
/// Where its picture was taken.
const CALL: &[&str] = &["--call", "443"];

#[test]
fn bisect_without_a_right_picture_says_that_the_pulled_arm_is_wrong() {
    let trace = alone("glmark2-build.trace", "direction-pull");
    let page = bisect(&trace, "pull:draw_program", &["--call", "3984"]);
    assert_eq!(page["answer"], "bits", "{page}");
    let culprit = &page["culprits"][0];
    // The pulled picture was taken as right, so it is the pushed one that differs.
    assert_eq!(culprit["pushed"], serde_json::json!(["programs"]), "{page}");
    assert_eq!(culprit["arm"], "good", "{page}");
    let verify = culprit["verify"].to_string();
    assert!(verify.contains("draw_program"), "{page}");
}

#[test]
fn bisect_without_a_right_picture_says_that_the_pushed_arm_is_wrong() {
    let trace = alone(TRACE, "direction-push");
    let page = bisect(&trace, "atom:vertex_buffers", CALL);
    let culprit = &page["culprits"][0];
    assert_eq!(
        culprit["pushed"],
        serde_json::json!(["vertex_input"]),
        "{page}"
    );
    assert_eq!(culprit["arm"], "bad", "{page}");
    assert!(
        culprit["verify"].to_string().contains("vertex_buffers"),
        "{page}"
    );
}

#[test]
fn bisect_of_a_command_that_does_nothing_names_the_record_that_is_not_told() {
    // Every arm tells what the context holds: verification has nothing to say.
    let page = bisect(
        &fixture(TRACE),
        "noop:glDrawArrays,noop:glDrawArraysInstanced",
        &[],
    );
    assert_eq!(page["answer"], "shared", "{page}");
    let shared = &page["shared"];
    assert!(
        shared["verify_pushed"].is_null() && shared["verify_pulled"].is_null(),
        "{page}"
    );
    let first = shared["golden"]["first"]
        .as_str()
        .unwrap_or_else(|| panic!("{page}"));
    // The draw is the second verb.
    assert!(first.starts_with("verb 2: "), "{page}");
}

/// A picture that is wrong although everything is told as recorded: only the backend is left.
#[test]
fn bisect_of_what_is_told_as_recorded_leaves_the_backend() {
    let picture = alone("moderngl-egl-0000000443.png", "direction-backend");
    let mut wrong = image::open(&picture).expect("the picture").to_rgb8();
    image::imageops::flip_vertical_in_place(&mut wrong);
    wrong.save(&picture).expect("a picture");
    let golden = picture.to_str().expect("UTF-8");
    let page = bisect(&fixture(TRACE), "", &["--golden", golden]);
    assert_eq!(page["answer"], "shared", "{page}");
    let golden = &page["shared"]["golden"];
    assert!(
        golden["file"].is_string() && golden["first"].is_null(),
        "{page}"
    );
}
