//! Everything that is asked wrongly ends with status 2 and a message that names it. No test here needs a driver.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn mobilegl(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mobilegl"));
    for (name, _) in
        std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("MOBILEGL_"))
    {
        command.env_remove(name);
    }
    command
        .args(args)
        .env("MOBILEGL_CONFIG", "/dev/null")
        .output()
        .expect("mobilegl starts")
}

/// Ends with 2 and says every part.
fn refused(args: &[&str], parts: &[&str]) {
    let output = mobilegl(args);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
    for part in parts {
        assert!(
            said.contains(part),
            "{args:?} does not say {part:?}: {said}"
        );
    }
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A folder with all the names in it; nobody loads them here.
fn dropin(name: &str) -> String {
    let folder = scratch(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    for library in [
        "libEGL.so.1",
        "libGL.so.1",
        "libOpenGL.so.0",
        "libGLX.so.0",
        "libGLESv2.so.2",
    ] {
        std::fs::write(folder.join(library), "").expect("a file");
    }
    folder.to_str().expect("UTF-8").to_owned()
}

fn fixture(name: &str) -> String {
    format!("{}/../tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn no_command_and_unknown_command_are_misuse() {
    refused(&[], &["Usage"]);
    refused(&["paint"], &["paint"]);
    refused(&["help", "paint"], &["`paint`"]);
}

#[test]
fn run_without_a_program_is_misuse() {
    refused(&["run"], &["PROGRAM"]);
}

#[test]
fn run_with_wrong_options_names_option_value_and_origin() {
    refused(
        &["run", "--backend", "metal", "--", "true"],
        &[
            "MOBILEGL_BACKEND=`metal`",
            "auto, gles, vulkan, null",
            "the command line",
        ],
    );
    refused(
        &["run", "--push", "fences", "--", "true"],
        &["MOBILEGL_PIPE_PUSH", "`fences`"],
    );
    refused(
        &["run", "--push", "0x2000", "--", "true"],
        &["13 is retired"],
    );
    let folder = dropin("misuse-set");
    refused(
        &[
            "run",
            "--dropin",
            &folder,
            "--set",
            "TRANSPORT=spawn",
            "--",
            "true",
        ],
        &["not in this build"],
    );
    refused(
        &[
            "run",
            "--dropin",
            &folder,
            "--set",
            "COLOUR=red",
            "--",
            "true",
        ],
        &["MOBILEGL_COLOUR"],
    );
    refused(
        &["run", "--dropin", &folder, "--set", "FINISH", "--", "true"],
        &["NAME=VALUE"],
    );
}

#[test]
fn run_without_a_library_or_program_says_which() {
    refused(
        &["run", "--dropin", "/no/such/folder", "--", "true"],
        &["/no/such/folder", "./x build"],
    );
    let empty = scratch("misuse-empty");
    std::fs::create_dir_all(&empty).expect("a folder");
    refused(
        &[
            "run",
            "--dropin",
            empty.to_str().expect("UTF-8"),
            "--",
            "true",
        ],
        &["libEGL.so.1 is missing"],
    );
    refused(
        &[
            "run",
            "--dropin",
            &dropin("misuse-program"),
            "--",
            "/no/such/program",
        ],
        &["/no/such/program"],
    );
}

#[test]
fn run_gives_the_exit_status_of_the_program() {
    let folder = dropin("misuse-status");
    let output = mobilegl(&[
        "run",
        "--dropin",
        &folder,
        "--backend",
        "null",
        "--",
        "sh",
        "-c",
        "exit 7",
    ]);
    assert_eq!(output.status.code(), Some(7));
    let script =
        "echo $MOBILEGL_BACKEND $MOBILEGL_PIPE_VERIFY $MOBILEGL_FINISH; echo $LD_LIBRARY_PATH";
    let output = mobilegl(&[
        "run",
        "--dropin",
        &folder,
        "--backend",
        "null",
        "--verify",
        "--set",
        "finish=publish",
        "--",
        "sh",
        "-c",
        script,
    ]);
    let said = String::from_utf8_lossy(&output.stdout);
    let mut lines = said.lines();
    assert_eq!(lines.next(), Some("null 1 publish"));
    assert!(
        lines.next().is_some_and(|line| line.starts_with(&folder)),
        "{said}"
    );
}

#[test]
fn replay_of_a_wrong_recording_says_what_is_wrong_with_it() {
    let text = scratch("misuse-text.trace");
    std::fs::write(&text, "hello").expect("a file");
    let empty = scratch("misuse-empty.trace");
    std::fs::write(&empty, "").expect("a file");
    refused(&["replay", "/no/such.trace"], &["/no/such.trace"]);
    refused(
        &["replay", text.to_str().expect("UTF-8")],
        &["no recording of apitrace"],
    );
    refused(&["replay", empty.to_str().expect("UTF-8")], &["empty"]);
    refused(&["verify", "/no/such.trace"], &["/no/such.trace"]);
    refused(&["replay"], &["TRACE"]);
}

#[test]
fn replay_with_wrong_arguments_names_them() {
    let trace = fixture("moderngl-egl.trace");
    refused(&["replay", &trace, "--lanes", "metal/all"], &["`metal`"]);
    refused(&["replay", &trace, "--lanes", "gles/fences"], &["`fences`"]);
    refused(&["replay", &trace, "--call", "x"], &["--call"]);
    refused(
        &["replay", &trace, "--call", "3", "--frames"],
        &["--frames"],
    );
    refused(
        &["replay", &trace, "--reference", "/no/such.png"],
        &["/no/such.png"],
    );
    refused(&["replay", &trace, "--timeout", "0"], &["--timeout"]);
    refused(
        &[
            "replay",
            &trace,
            &trace,
            "--reference",
            &fixture("moderngl-egl-0000000443.png"),
        ],
        &["2 recordings"],
    );
    refused(
        &["replay", &trace, "--dropin", "/no/such/folder"],
        &["/no/such/folder"],
    );
}

#[test]
fn replay_without_eglretrace_names_its_package() {
    let trace = fixture("moderngl-egl.trace");
    let folder = dropin("misuse-eglretrace");
    refused(
        &[
            "replay",
            &trace,
            "--dropin",
            &folder,
            "--eglretrace",
            "/no/eglretrace",
        ],
        &["/no/eglretrace", "apitrace"],
    );
}

#[test]
fn bisect_with_wrong_arguments_names_them() {
    let trace = fixture("moderngl-egl.trace");
    refused(&["bisect"], &["--trace", "-- COMMAND"]);
    refused(
        &["bisect", "--trace", &trace, "--", "true"],
        &["which of the two"],
    );
    refused(
        &["bisect", "--trace", &trace, "--against", "windows"],
        &["windows"],
    );
    refused(
        &["bisect", "--trace", "/nowhere.trace"],
        &["/nowhere.trace"],
    );
    let folder = dropin("bisect-misuse");
    refused(
        &["bisect", "--dropin", &folder, "--", "true"],
        &["did not load the library"],
    );
    refused(
        &["bisect", "--no-dropin", "--", "sh", "-c", "exit 125"],
        &["125", "cannot tell"],
    );
    refused(
        &["bisect", "--no-dropin", "--", "no-such-program"],
        &["no-such-program"],
    );
}

#[test]
fn stats_shows_a_run_and_refuses_other_files() {
    let file = scratch("stats.json");
    std::fs::write(
        &file,
        r#"{"mask_in_force":16,"backend":"gles","device":"d","calls":{"glClear":3}}"#,
    )
    .expect("a file");
    let output = mobilegl(&["stats", file.to_str().expect("UTF-8")]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success()
            && said.contains("gles on d, pushed: buffers")
            && said.contains("glClear"),
        "{said}"
    );
    refused(&["stats", "/no/such.json"], &["/no/such.json"]);
    std::fs::write(&file, "{}").expect("a file");
    refused(
        &["stats", file.to_str().expect("UTF-8")],
        &["no statistics"],
    );
}

#[test]
fn phases_with_a_result_file_that_is_not_there_names_it() {
    refused(&["phases", "--junit", "/no/such.xml"], &["/no/such.xml"]);
}

#[test]
fn bench_with_wrong_arguments_names_them() {
    refused(&["bench", "--lanes", "push"], &["BACKEND/push"]);
    refused(
        &["bench", "--backend", "gles", "--lanes", "inproc"],
        &["not in this build"],
    );
    refused(&["bench", "--backend", "metal"], &["metal"]);
    refused(
        &["bench", "--backend", "null", "--driverbench", "/no/such"],
        &["/no/such"],
    );
}

#[test]
fn doctor_with_a_library_that_does_not_load_is_misuse() {
    refused(
        &["doctor", "--dropin", &dropin("misuse-doctor")],
        &["does not load"],
    );
}

#[test]
fn wrong_value_in_the_environment_is_found_before_the_program_starts() {
    let output = Command::new(env!("CARGO_BIN_EXE_mobilegl"))
        .args([
            "run",
            "--dropin",
            &dropin("misuse-environment"),
            "--",
            "true",
        ])
        .env("MOBILEGL_CONFIG", "/dev/null")
        .env("MOBILEGL_PIPE_PUHS", "all")
        .output()
        .expect("mobilegl starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said.contains("MOBILEGL_PIPE_PUHS") && said.contains("did you mean MOBILEGL_PIPE_PUSH"),
        "{said}"
    );
}

#[test]
fn help_options_is_the_reference_page() {
    let output = mobilegl(&["help", "options"]);
    assert!(output.status.success());
    let page = fixture("../../docs/generated/options.md");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        std::fs::read_to_string(page).expect("the page")
    );
}

#[test]
fn phases_json_has_the_promised_keys_and_no_others() {
    let output = mobilegl(&["phases", "--json"]);
    assert!(output.status.success());
    let page: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let phases = page["phases"].as_array().expect("a list");
    assert_eq!(
        phases
            .iter()
            .map(|phase| phase["id"].as_str().unwrap_or(""))
            .collect::<Vec<_>>()[..4],
        ["P0", "P0.5", "P1", "P2"]
    );
    for phase in phases {
        let mut keys: Vec<&str> = phase
            .as_object()
            .expect("an object")
            .keys()
            .map(String::as_str)
            .collect();
        keys.sort_unstable();
        assert_eq!(
            keys,
            ["bits", "gates", "id", "residual_bytes", "status", "title"]
        );
    }
}

/// `mobilegl phases | head`: the reader has gone before a word is written. The status is the one of an end by SIGPIPE.
#[test]
fn reader_that_went_away_ends_the_program_quietly() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = Command::new(env!("CARGO_BIN_EXE_mobilegl"))
        .arg("phases")
        .env("MOBILEGL_CONFIG", "/dev/null")
        .stdout(writer)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .and_then(std::process::Child::wait_with_output)
        .expect("mobilegl starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), said.as_ref()), (Some(141), ""));
}
