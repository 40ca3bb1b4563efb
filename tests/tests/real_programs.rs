//! Python programs on real frameworks (pyglet, arcade, VTK, raylib), unchanged, on the staged drop-in folder: each picture is that of
//! the system's OpenGL in the same run. `MOBILEGL_PYTHON` is an interpreter with the packages (`./x test` makes one).

use std::path::PathBuf;
use std::process::Command;

use image::RgbImage;
use scenarios::lane::Lane;
use scenarios::x11::Server;

mod running;
use running::{PASSES, Pass, assert_same, difference, open, program, said};

/// A script of tests/programs, and where it draws.
#[derive(Clone, Copy)]
struct Scene {
    script: &'static str,
    /// What tells it to draw without a window; `None`: in a window.
    headless: Option<(&'static str, &'static str)>,
}

const fn window(script: &'static str) -> Scene {
    Scene {
        script,
        headless: None,
    }
}

const fn headless(script: &'static str, name: &'static str, value: &'static str) -> Scene {
    Scene {
        script,
        headless: Some((name, value)),
    }
}

/// With what MOBILEGL_PIPE_FAULT says; the picture and what the program said.
fn picture(scene: Scene, lane: Lane, pass: Pass, fault: &str) -> (RgbImage, String) {
    let python = std::env::var("MOBILEGL_PYTHON")
        .expect("MOBILEGL_PYTHON: an interpreter with the packages; `./x test` makes one");
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/programs"));
    let to = std::env::temp_dir().join(format!(
        "mobilegl-{}-{}-{}.png",
        scene.script,
        lane.name(),
        std::process::id()
    ));
    let _ = std::fs::remove_file(&to);
    let mut command: Command = program(lane, &python, pass);
    command
        .arg(folder.join(format!("{}.py", scene.script)))
        .arg(&to)
        .env("MOBILEGL_PIPE_FAULT", fault);
    if let Some((name, value)) = scene.headless {
        command.env_remove("DISPLAY").env(name, value);
    }
    let text = said(&mut command);
    let found = open(&to);
    let _ = std::fs::remove_file(&to);
    (found, text)
}

/// A picture with something on it: a program that drew nothing equals one that drew nothing.
fn is_a_picture(picture: &RgbImage) -> bool {
    let mut colors: Vec<_> = picture.pixels().map(|pixel| pixel.0).collect();
    colors.sort_unstable();
    colors.dedup();
    colors.len() > 100
}

/// A program in all its places, against what the system's OpenGL shows in its window.
fn matches(lane: Lane, scenes: &[Scene]) {
    let _server = Server::start();
    let (wanted, native) = picture(scenes[0], Lane::native, PASSES[0], "");
    assert!(is_a_picture(&wanted), "{}", scenes[0].script);
    assert!(!native.contains("MobileGL ("), "{native}");
    for (n, scene) in scenes.iter().enumerate() {
        // Where it draws is no matter of bits: one pass is enough in other places than the first.
        let passes = if n == 0 { &PASSES[..] } else { &PASSES[1..2] };
        for &pass in passes {
            let (found, text) = picture(*scene, lane, pass, "");
            let what = format!("{}, {:?}, {pass:?}", scene.script, scene.headless);
            assert!(text.contains("MobileGL ("), "{what}: {text}");
            assert_same(&found, &wanted, &what);
        }
    }
}

const PYGLET: [Scene; 2] = [
    window("pyglet_scene"),
    headless("pyglet_scene", "HEADLESS", "1"),
];
const ARCADE: [Scene; 2] = [
    window("arcade_scene"),
    headless("arcade_scene", "ARCADE_HEADLESS", "True"),
];
const VTK: [Scene; 2] = [
    window("vtk_scene"),
    headless(
        "vtk_scene",
        "VTK_DEFAULT_OPENGL_WINDOW",
        "vtkEGLRenderWindow",
    ),
];
const RAYLIB: [Scene; 1] = [window("raylib_scene")];

/// Textures that are not told: no scene is the same without its atlas.
#[test]
fn real_programs_control() {
    let _server = Server::start();
    let scene = PYGLET[0];
    let (wanted, _) = picture(scene, Lane::native, PASSES[0], "");
    let (found, _) = picture(scene, Lane::gles, PASSES[1], "atom:textures");
    assert!(difference(&found, &wanted).is_some(), "it is not noticed");
}

#[test]
fn pyglet_scene_is_as_native_on_gles() {
    matches(Lane::gles, &PYGLET);
}

#[test]
fn pyglet_scene_is_as_native_on_vulkan() {
    matches(Lane::vulkan, &PYGLET);
}

#[test]
fn arcade_scene_is_as_native_on_gles() {
    matches(Lane::gles, &ARCADE);
}

#[test]
fn arcade_scene_is_as_native_on_vulkan() {
    matches(Lane::vulkan, &ARCADE);
}

#[test]
fn vtk_scene_is_as_native_on_gles() {
    matches(Lane::gles, &VTK);
}

#[test]
fn vtk_scene_is_as_native_on_vulkan() {
    matches(Lane::vulkan, &VTK);
}

#[test]
fn raylib_scene_is_as_native_on_gles() {
    matches(Lane::gles, &RAYLIB);
}

#[test]
fn raylib_scene_is_as_native_on_vulkan() {
    matches(Lane::vulkan, &RAYLIB);
}
