//! How an unchanged program is run on the staged drop-in folder, and how its picture is compared.

use std::path::Path;
use std::process::{Command, Output};

use image::RgbImage;
use scenarios::lane::Lane;
use scenarios::library;

/// A bitmap, and whether every verb is compared.
pub type Pass = (&'static str, &'static str);

/// Everything pulled, everything pushed, and every verb compared.
pub const PASSES: [Pass; 3] = [("none", "0"), ("all", "0"), ("all", "1")];

/// On the library; in the native lane on the system's OpenGL.
pub fn program(lane: Lane, name: &str, (mask, verify): Pass) -> Command {
    let mut command = Command::new("timeout");
    command.args(["120", name]).envs(lane.variables());
    if lane != Lane::native {
        let library =
            library::staged(library::Variant::Default).unwrap_or_else(|why| panic!("{why}"));
        command
            .env("LD_LIBRARY_PATH", library.with_file_name("dropin"))
            .env("MOBILEGL_CONFIG", "/dev/null")
            .env("MOBILEGL_PIPE_PUSH", mask)
            .env("MOBILEGL_PIPE_VERIFY", verify);
    }
    command
}

/// Both outputs of a program that ended well, with nothing said by the validation layer.
pub fn said(command: &mut Command) -> String {
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

pub fn open(path: &Path) -> RgbImage {
    image::open(path)
        .unwrap_or_else(|why| panic!("{}: {why}", path.display()))
        .to_rgb8()
}

/// What tells two pictures apart beyond the tolerance of recorded programs: no channel off by more than 16, at most one pixel in a
/// thousand off by more than 2 (tests/fixtures/README.md).
pub fn difference(found: &RgbImage, wanted: &RgbImage) -> Option<String> {
    if found.dimensions() != wanted.dimensions() {
        return Some(format!("{:?}", found.dimensions()));
    }
    let off = |limit: u8| {
        let pixels = found.pixels().zip(wanted.pixels());
        pixels
            .filter(|(a, b)| (0..3).any(|c| a[c].abs_diff(b[c]) > limit))
            .count()
    };
    let pixels = (found.width() * found.height()) as usize;
    let (far, near) = (off(16), off(2));
    (far > 0 || near * 1000 > pixels)
        .then(|| format!("{far} pixels are off by more than 16, {near} of {pixels} by more than 2"))
}

pub fn assert_same(found: &RgbImage, wanted: &RgbImage, what: &str) {
    if let Some(difference) = difference(found, wanted) {
        panic!("{what}: {difference}");
    }
}
