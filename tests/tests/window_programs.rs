//! Unchanged programs with windows, on the staged drop-in folder and an X server of their own. They are judged by what they say and by
//! the pictures that they had when they were recorded.

use std::path::PathBuf;
use std::process::{Command, Output};

use scenarios::lane::Lane;
use scenarios::library;
use scenarios::x11::Server;

/// Everything pulled, everything pushed, and every verb compared.
const PASSES: [(&str, &str); 3] = [("none", "0"), ("all", "0"), ("all", "1")];

fn program(lane: Lane, name: &str, (mask, verify): (&str, &str)) -> Command {
    let library = library::staged(library::Variant::Default).unwrap_or_else(|why| panic!("{why}"));
    let folder = library.with_file_name("dropin");
    let mut command = Command::new("timeout");
    command
        .args(["60", name])
        .envs(lane.variables())
        .env("LD_LIBRARY_PATH", folder)
        .env("MOBILEGL_CONFIG", "/dev/null")
        .env("MOBILEGL_PIPE_PUSH", mask)
        .env("MOBILEGL_PIPE_VERIFY", verify);
    command
}

/// Both outputs of a program that ended well, with nothing said by the validation layer.
fn said(command: &mut Command) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().expect("the program starts");
    let text = String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned();
    assert!(status.success(), "{command:?}: {status}\n{text}");
    assert!(!text.contains("Vulkan validation"), "{command:?}\n{text}");
    text
}

fn glxinfo(lane: Lane) {
    let _server = Server::start();
    let text = said(&mut program(lane, "glxinfo", PASSES[1]));
    for line in [
        "direct rendering: Yes",
        "GLX version: 1.4",
        "server glx vendor string: MobileGL",
        "OpenGL core profile version string: 3.3",
        "GLX_ARB_create_context_profile",
        &format!("OpenGL renderer string: MobileGL ({}", lane.name()),
    ] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
}

#[test]
fn glxinfo_lists_contexts_and_configurations_on_gles() {
    glxinfo(Lane::gles);
}

#[test]
fn glxinfo_lists_contexts_and_configurations_on_vulkan() {
    glxinfo(Lane::vulkan);
}

fn glmark2(lane: Lane) {
    let _server = Server::start();
    for pass in PASSES {
        let mut command = program(lane, "glmark2", pass);
        command.args(["--size", "96x64", "-b", "build:duration=0.3", "--validate"]);
        let text = said(&mut command);
        assert!(text.contains("GL_RENDERER:    MobileGL"), "{text}");
        assert!(text.contains("Validation: Success"), "{pass:?}: {text}");
    }
}

#[test]
fn glmark2_scene_is_what_it_validates_in_its_window_on_gles() {
    glmark2(Lane::gles);
}

#[test]
fn glmark2_scene_is_what_it_validates_in_its_window_on_vulkan() {
    glmark2(Lane::vulkan);
}

/// A recording of a GLX program, replayed through GLX in a window, against the picture of the program that was recorded.
fn glretrace(lane: Lane, trace: &str, call: u32) {
    let _server = Server::start();
    let fixtures = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures"));
    let name = format!("{trace}-{call:010}.png");
    let open = |path: PathBuf| {
        image::open(&path)
            .unwrap_or_else(|why| panic!("{}: {why}", path.display()))
            .to_rgb8()
    };
    let wanted = open(fixtures.join(&name));
    for pass in PASSES {
        let folder = std::env::temp_dir().join(format!(
            "mobilegl-glretrace-{trace}-{}-{}",
            lane.name(),
            std::process::id()
        ));
        std::fs::create_dir_all(&folder).expect("a folder for the picture");
        let prefix = format!("{}/{trace}-", folder.display());
        let call = call.to_string();
        let mut command = program(lane, "glretrace", pass);
        command
            .args(["-S", &call, "-s", &prefix])
            .arg(fixtures.join(format!("{trace}.trace")));
        said(&mut command);
        let found = open(folder.join(&name));
        let _ = std::fs::remove_dir_all(&folder);
        assert_eq!(found.dimensions(), wanted.dimensions());
        let off = |limit: u8| {
            let pixels = found.pixels().zip(wanted.pixels());
            pixels
                .filter(|(a, b)| (0..3).any(|c| a[c].abs_diff(b[c]) > limit))
                .count()
        };
        let pixels = (found.width() * found.height()) as usize;
        assert_eq!(
            off(16),
            0,
            "{trace}, {pass:?}: no pixel is off by more than 16"
        );
        assert!(
            off(2) * 1000 <= pixels,
            "{trace}, {pass:?}: {} pixels differ",
            off(2)
        );
    }
}

#[test]
fn recordings_replay_through_glx_as_they_were_on_gles() {
    glretrace(Lane::gles, "glmark2-build", 3984);
    glretrace(Lane::gles, "glmark2-shading", 3986);
}

#[test]
fn recordings_replay_through_glx_as_they_were_on_vulkan() {
    glretrace(Lane::vulkan, "glmark2-build", 3984);
    glretrace(Lane::vulkan, "glmark2-shading", 3986);
}
