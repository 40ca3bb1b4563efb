//! Replays with a stand-in for the replaying program, so that every way in which a lane can end is seen without a driver.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What a real one does, as far as `mobilegl` sees it: a picture per lane, and the library's statistics.
/// `$PICTURE` is taken, `$STATS` and `$EXTRA` may change what is told.
const STAND_IN: &str = r#"#!/bin/sh
[ "$1" = --help ] && exit 0
prefix=$4 mask=$((MOBILEGL_PIPE_PUSH)) mine=$MOBILEGL_BACKEND
missing= differences=0 status=0 arms=
picture=${PICTURE:-/dev/null}
eval "$EXTRA"
[ "$picture" = /dev/null ] || cp "$picture" "$prefix$(printf %010d "$2").png"
cat > "$MOBILEGL_PIPE_STATS_FILE" <<END
{"mask_in_force":$mask,"backend":"$mine","device":"stand-in","arms":{$arms},
 "verify":{"differences":$differences,"verbs":5,"first":null},"errors":0,"calls":{},"missing":[$missing]}
END
exit $status
"#;

struct Bed {
    folder: PathBuf,
}

impl Bed {
    fn new(name: &str) -> Bed {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        for library in [
            "libEGL.so.1",
            "libGL.so.1",
            "libOpenGL.so.0",
            "libGLX.so.0",
            "libGLESv2.so.2",
        ] {
            // Empty names only: the stand-in's shell must not meet them as libraries.
            std::fs::write(folder.join(library), "").expect("a file");
        }
        let program = folder.join("eglretrace");
        std::fs::write(&program, STAND_IN).expect("a script");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755))
            .expect("its mode");
        Bed { folder }
    }

    fn replay(&self, picture: &str, extra: &str, args: &[&str]) -> Output {
        self.mobilegl("replay", picture, extra, args)
    }

    fn mobilegl(&self, what: &str, picture: &str, extra: &str, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mobilegl"));
        for (name, _) in
            std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("MOBILEGL_"))
        {
            command.env_remove(name);
        }
        if what == "bisect" {
            command.args([what, "--trace"]);
        } else {
            command.arg(what);
        }
        command
            .args([&fixture("moderngl-egl.trace"), "--eglretrace"])
            .arg(self.folder.join("eglretrace"))
            .arg("--dropin")
            .arg(&self.folder)
            .args(args)
            .env("MOBILEGL_CONFIG", "/dev/null")
            .env("PICTURE", picture)
            .env("EXTRA", extra)
            .output()
            .expect("mobilegl starts")
    }
}

fn fixture(name: &str) -> String {
    format!("{}/../tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn good_picture() -> String {
    fixture("moderngl-egl-0000000443.png")
}

/// The reference picture with every pixel changed.
fn changed_picture(bed: &Bed, change: impl Fn(&mut image::RgbImage)) -> String {
    let mut picture = image::open(good_picture())
        .expect("the reference")
        .to_rgb8();
    change(&mut picture);
    let path = bed.folder.join("changed.png");
    picture.save(&path).expect("a picture");
    path.to_str().expect("UTF-8").to_owned()
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn replay_default_lanes_with_the_reference_are_good() {
    let bed = Bed::new("replay-good");
    let output = bed.replay(&good_picture(), "", &["--json"]);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let page = json(&output);
    let lanes = page["lanes"].as_object().expect("lanes");
    for lane in [
        "gles/none",
        "gles/all",
        "gles/verify",
        "vulkan/none",
        "vulkan/buffers",
        "vulkan/verify",
    ] {
        assert_eq!(lanes[lane]["good"], true, "{lane}");
        assert_eq!(lanes[lane]["differing_pixels"], 0);
        assert_eq!(lanes[lane]["ssim"], 1.0);
    }
    assert_eq!(lanes["gles/verify"]["verify_differences"], 0);
    assert!(lanes["gles/all"]["verify_differences"].is_null());
}

#[test]
fn replay_of_a_wrong_picture_fails() {
    let bed = Bed::new("replay-wrong");
    let changes: [(&str, fn(&mut image::RgbImage)); 3] = [
        ("flipped", |picture| {
            image::imageops::flip_vertical_in_place(picture)
        }),
        ("darker by a tenth", |picture| {
            picture
                .iter_mut()
                .for_each(|v| *v = (f32::from(*v) * 0.9) as u8)
        }),
        ("red and blue swapped", |picture| {
            picture.pixels_mut().for_each(|pixel| pixel.0.reverse())
        }),
    ];
    for (what, change) in changes {
        let picture = changed_picture(&bed, change);
        let output = bed.replay(&picture, "", &["--lanes", "gles/all"]);
        assert_eq!(output.status.code(), Some(1), "{what}");
        assert!(
            String::from_utf8_lossy(&output.stdout).contains("a channel is off by"),
            "{what}"
        );
    }
}

#[test]
fn replay_lanes_that_end_badly_are_told_by_name() {
    let bed = Bed::new("replay-bad");
    for (extra, part) in [
        ("mask=1", "mask in force was render_state"),
        ("mine=null", "backend was `null`"),
        (
            "missing='\"glNewList\"' status=1",
            "not implemented: glNewList",
        ),
        ("status=3; echo 'went wrong' >&2", "status 3: went wrong"),
        (
            "arms='\"buffers\":{\"push\":1,\"pull\":2}'",
            "its pull arm worked 2 times",
        ),
        (
            "echo 'Fatal{UnmigratedPipeInput, \"blend@draw\"}' >&2; kill -9 $$",
            "Fatal{UnmigratedPipeInput, \"blend@draw\"}",
        ),
        ("exit 0", "wrote no statistics"),
    ] {
        let output = bed.replay(&good_picture(), extra, &["--lanes", "gles/all"]);
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{extra}: {said}");
        assert!(said.contains(part), "{extra}: {said}");
    }
}

#[test]
fn replay_verify_difference_fails_its_lane_only() {
    let bed = Bed::new("replay-verify");
    let extra = "[ $MOBILEGL_PIPE_VERIFY = 1 ] && differences=4";
    let output = bed.replay(
        &good_picture(),
        extra,
        &["--lanes", "gles/all,gles/verify", "--json"],
    );
    assert_eq!(output.status.code(), Some(1));
    let page = json(&output);
    assert_eq!(page["lanes"]["gles/all"]["good"], true);
    assert_eq!(page["lanes"]["gles/verify"]["verify_differences"], 4);
}

#[test]
fn verify_runs_the_verify_lanes_and_fails_on_a_difference() {
    let bed = Bed::new("replay-verify-command");
    let output = bed.mobilegl("verify", &good_picture(), "", &["--json"]);
    assert_eq!(output.status.code(), Some(0));
    let page = json(&output);
    let lanes: Vec<&String> = page["lanes"].as_object().expect("lanes").keys().collect();
    assert_eq!(lanes, ["gles/verify", "vulkan/verify"]);
    let output = bed.mobilegl(
        "verify",
        &good_picture(),
        "differences=1",
        &["--backend", "gles"],
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn replay_that_hangs_is_ended() {
    let bed = Bed::new("replay-hang");
    let output = bed.replay(
        &good_picture(),
        "exec sleep 60",
        &["--lanes", "gles/all", "--timeout", "1"],
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("did not end"));
}

#[test]
fn replay_of_a_broken_recording_or_a_call_that_is_not_there_is_misuse() {
    let bed = Bed::new("replay-broken");
    for (extra, part) in [
        (
            "echo 'warning: unexpected end of file while reading trace' >&2",
            "the recording is broken",
        ),
        ("picture=/dev/null", "is there such a call?"),
    ] {
        let output = bed.replay(&good_picture(), extra, &["--lanes", "gles/all"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{extra}: {said}");
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn replay_report_is_one_page_with_nothing_outside_it() {
    let bed = Bed::new("replay-report");
    let report = bed.folder.join("report.html");
    let picture = changed_picture(&bed, |picture| {
        picture.put_pixel(0, 0, image::Rgb([255, 255, 255]))
    });
    bed.replay(
        &picture,
        "",
        &[
            "--lanes",
            "gles/none,vulkan/all",
            "--report",
            report.to_str().expect("UTF-8"),
        ],
    );
    let page = std::fs::read_to_string(report).expect("the report");
    for part in [
        "moderngl-egl",
        "reference",
        "difference",
        "data:image/png;base64,",
        "gles/none",
        "vulkan/all",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for outside in ["http://", "https://", "<script", "<link", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

/// A command in place of a recording: `script` sees the bitmap as `$mask`, and its status decides.
fn bisect_command(script: &str) -> Output {
    let script = format!("mask=$((MOBILEGL_PIPE_PUSH)); {script}");
    Command::new(env!("CARGO_BIN_EXE_mobilegl"))
        .args(["bisect", "--json", "--no-dropin", "--", "sh", "-c", &script])
        .env("MOBILEGL_CONFIG", "/dev/null")
        .output()
        .expect("mobilegl starts")
}

#[test]
fn bisect_names_the_guilty_subsystem() {
    let bed = Bed::new("replay-bisect");
    let wrong = changed_picture(&bed, |picture| {
        picture.put_pixel(3, 3, image::Rgb([255, 0, 255]))
    });
    // Wrong as soon as textures (bit 7) are pushed; verification has something to say of it.
    let extra = format!(
        "[ $((mask >> 7 & 1)) = 1 ] && {{ picture={wrong}; [ $MOBILEGL_PIPE_VERIFY = 1 ] && \
         echo 'MobileGL: Fatal{{VerifyMismatch, \"texture[3].desc@draw\"}} at verb 4' >&2; }}"
    );
    let output = bed.mobilegl("bisect", &good_picture(), &extra, &["--json"]);
    assert_eq!(
        output.status.code(),
        Some(1),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let page = json(&output);
    assert_eq!(page["answer"], "bits");
    assert_eq!(
        page["culprits"][0]["pushed"],
        serde_json::json!(["textures"])
    );
    assert_eq!(page["culprits"][0]["bitmap"], "textures");
    let verify = page["culprits"][0]["verify"].as_str().expect("a line");
    assert!(
        verify.starts_with("Fatal{VerifyMismatch, \"texture[3].desc@draw\"}"),
        "{verify}"
    );
    let output = bed.mobilegl("bisect", &good_picture(), "", &[]);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).contains("nothing to find"));
}

#[test]
fn bisect_of_a_picture_that_is_wrong_everywhere_is_shared_code() {
    let bed = Bed::new("replay-bisect-shared");
    let wrong = changed_picture(&bed, |picture| {
        image::imageops::flip_vertical_in_place(picture)
    });
    // Right on vulkan.
    let extra = format!("[ $mine = gles ] && picture={wrong}");
    let output = bed.mobilegl("bisect", &good_picture(), &extra, &[]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for part in ["shared code", "verify: no difference", "on vulkan: good"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn bisect_of_a_command_goes_by_its_status() {
    // Bits 0 and 8 together, bit 4 when it is pulled.
    let pair = json(&bisect_command("[ $((mask & 0x101)) != 257 ]"));
    assert_eq!(
        pair["culprits"][0]["pushed"],
        serde_json::json!(["render_state", "samplers"])
    );
    assert_eq!(pair["culprits"].as_array().map(Vec::len), Some(1));
    let pulled = json(&bisect_command("[ $((mask >> 4 & 1)) = 1 ]"));
    assert_eq!(
        pulled["culprits"][0]["pulled"],
        serde_json::json!(["buffers"])
    );
    let two = json(&bisect_command(
        "[ $((mask >> 4 & 1)) = 0 ] && [ $((mask >> 6 & 1)) = 0 ]",
    ));
    assert_eq!(two["culprits"].as_array().map(Vec::len), Some(2));
    assert_eq!(json(&bisect_command("exit 1"))["answer"], "shared");
    assert_eq!(bisect_command("exit 0").status.code(), Some(0));
}

#[test]
fn bisect_of_a_program_that_changes_its_mind_says_so() {
    let bed = Bed::new("replay-bisect-flaky");
    let count = bed.folder.join("count");
    let _ = std::fs::remove_file(&count);
    let script = format!("echo x >> {0}; [ $(wc -l < {0}) != 2 ]", count.display());
    let output = bisect_command(&script);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("does not do the same each time"));
}
