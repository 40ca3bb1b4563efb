//! Unchanged programs with windows, on the staged drop-in folder and an X server of their own. They are judged by what they say and by
//! the pictures that they had when they were recorded.

use std::path::PathBuf;

use scenarios::lane::Lane;
use scenarios::x11::Server;

mod running;
use running::{PASSES, assert_same, open, program, said};

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

/// Scenes that glmark2 has no expectation of: it says `Unknown`.
const WITHOUT_EXPECTATION: [&str; 6] = [
    "[shading] shading=cel:",
    "[ideas]",
    "[jellyfish]",
    "[terrain]",
    "[shadow]",
    "[refract]",
];

/// All scenes of glmark2's own list, each what it validates.
fn glmark2_scenes(lane: Lane) {
    let _server = Server::start();
    let mut command = program(lane, "glmark2", PASSES[1]);
    // Its expectations are of 800x600 pixels, whatever size is asked for.
    command.arg("--validate");
    let text = said(&mut command);
    let scenes: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("Validation:"))
        .collect();
    assert!(scenes.len() >= 33, "{text}");
    for scene in scenes {
        let unknown = WITHOUT_EXPECTATION
            .iter()
            .any(|begin| scene.trim_start().starts_with(begin));
        let wanted = if unknown { "Unknown" } else { "Success" };
        assert!(scene.contains(&format!("Validation: {wanted}")), "{scene}");
    }
}

#[test]
fn glmark2_scenes_are_what_they_validate_on_gles() {
    glmark2_scenes(Lane::gles);
}

#[test]
fn glmark2_scenes_are_what_they_validate_on_vulkan() {
    glmark2_scenes(Lane::vulkan);
}

/// A recording of a GLX program, replayed through GLX in a window, against the picture of the program that was recorded.
fn glretrace(lane: Lane, trace: &str, call: u32) {
    let _server = Server::start();
    let fixtures = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures"));
    let name = format!("{trace}-{call:010}.png");
    let wanted = open(&fixtures.join(&name));
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
        let found = open(&folder.join(&name));
        let _ = std::fs::remove_dir_all(&folder);
        assert_same(&found, &wanted, &format!("{trace}, {pass:?}"));
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
