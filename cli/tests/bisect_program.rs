//! `mobilegl bisect` on programs as they are, through variables alone: an unchanged Python program on the staged drop-in folder, one
//! that takes its time, one that crashes, one that hangs. Their exit status decides.

use std::path::PathBuf;
use std::process::{Command, Output};

fn needed(variable: &str) -> PathBuf {
    let value = std::env::var_os(variable).unwrap_or_else(|| {
        panic!("{variable} is not set: run `./x test`, which makes what this test needs")
    });
    PathBuf::from(value)
}

/// Searches for a planted fault with the Python program; `how` is its argument.
fn search(fault: &str, how: &str, args: &[&str]) -> (Option<i32>, serde_json::Value) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/blended.py");
    let output = Command::new(env!("CARGO_BIN_EXE_mobilegl"))
        .args(["bisect", "--json", "--backend", "gles", "--dropin"])
        .arg(needed("MOBILEGL_STAGE").join("default/dropin"))
        .args(args)
        .arg("--")
        .arg(needed("MOBILEGL_PYTHON"))
        .args([script, how])
        .env("MOBILEGL_CONFIG", "/dev/null")
        .env("MOBILEGL_PIPE_FAULT", fault)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env_remove("DISPLAY")
        .output()
        .expect("mobilegl starts");
    (output.status.code(), json(&output))
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// One culprit, with its bits as they are pushed and pulled, and what is seen.
fn only_culprit(page: &serde_json::Value) -> &serde_json::Value {
    assert_eq!(page["answer"], "bits", "{page}");
    assert_eq!(page["culprits"].as_array().map(Vec::len), Some(1), "{page}");
    &page["culprits"][0]
}

#[test]
fn bisect_of_a_python_program_names_the_pushed_subsystem_and_its_field() {
    let (status, page) = search("atom:render_state_cso", "slow", &[]);
    assert_eq!(status, Some(1), "{page}");
    let culprit = only_culprit(&page);
    assert_eq!(
        culprit["pushed"],
        serde_json::json!(["render_state"]),
        "{page}"
    );
    assert_eq!(culprit["arm"], "bad", "{page}");
    let (seen, verify) = (culprit["what"].to_string(), culprit["verify"].to_string());
    // The second draw was not blended: only green is left.
    assert!(
        seen.contains("status 1: the pixel is [0, 255, 0, 255]"),
        "{page}"
    );
    assert!(
        verify.contains("VerifyMismatch") && verify.contains("state"),
        "{page}"
    );
}

#[test]
fn bisect_of_a_python_program_without_a_fault_finds_nothing() {
    let (status, page) = search("", "", &[]);
    assert_eq!(status, Some(0), "{page}");
    assert_eq!(page["answer"], "nothing");
}

#[test]
fn bisect_of_a_program_that_crashes_goes_by_the_signal() {
    let (status, page) = search("pull:render_state", "crash", &[]);
    assert_eq!(status, Some(1), "{page}");
    let culprit = only_culprit(&page);
    assert_eq!(
        culprit["pulled"],
        serde_json::json!(["render_state"]),
        "{page}"
    );
    assert!(culprit["what"].to_string().contains("signal 11"), "{page}");
}

/// A golden recording of the same program, made when it was right, names the record of a fault that every arm shares.
#[test]
fn bisect_of_shared_code_names_the_first_record_that_is_not_the_recorded_one() {
    let told = std::env::temp_dir().join(format!("mobilegl-told-{}.txt", std::process::id()));
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/blended.py");
    let recorded = Command::new(needed("MOBILEGL_PYTHON"))
        .arg(script)
        .env(
            "LD_LIBRARY_PATH",
            needed("MOBILEGL_STAGE").join("default/dropin"),
        )
        .env("MOBILEGL_BACKEND", "gles")
        .env("MOBILEGL_CONFIG", "/dev/null")
        .env("MOBILEGL_PIPE_PUSH", "all")
        .env("MOBILEGL_PIPE_RECORD", &told)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env_remove("DISPLAY")
        .status()
        .expect("python starts");
    assert!(recorded.success(), "{recorded}");
    let file = told.to_str().expect("UTF-8");
    let (_, page) = search(
        "noop:glBlendFunc,noop:glBlendFuncSeparate",
        "",
        &["--told", file],
    );
    assert_eq!(page["answer"], "shared", "{page}");
    // What was told is what the context holds; it is the context that is wrong.
    assert_eq!(
        page["shared"]["verify_pushed"],
        serde_json::Value::Null,
        "{page}"
    );
    let first = page["shared"]["golden"]["first"].to_string();
    assert!(first.contains("render_state"), "{page}");
    let (_, right) = search("", "", &["--told", file]);
    assert_eq!(right["answer"], "nothing", "{right}");
    let _ = std::fs::remove_file(&told);
}

/// A command of the shell that sees the bitmap as `$mask`.
fn command(script: &str, args: &[&str]) -> serde_json::Value {
    let script = format!("mask=$((MOBILEGL_PIPE_PUSH)); {script}");
    let output = Command::new(env!("CARGO_BIN_EXE_mobilegl"))
        .args(["bisect", "--json", "--no-dropin"])
        .args(args)
        .args(["--", "sh", "-c", &script])
        .env("MOBILEGL_CONFIG", "/dev/null")
        .output()
        .expect("mobilegl starts");
    json(&output)
}

#[test]
fn bisect_of_a_program_that_hangs_goes_by_the_time_limit() {
    // Bit 7 is textures.
    let page = command(
        "[ $((mask >> 7 & 1)) = 0 ] || exec sleep 600",
        &["--timeout", "3"],
    );
    let culprit = only_culprit(&page);
    assert_eq!(culprit["pushed"], serde_json::json!(["textures"]), "{page}");
    assert!(
        culprit["what"]
            .to_string()
            .contains("did not end within 3 s"),
        "{page}"
    );
}
