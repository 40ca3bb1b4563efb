//! Every shader of the scenarios and of the recorded programs, through both compilers. What they differ in, and may, stands in
//! differences.txt; nothing else may differ.

use glsl_differential::reference::{Effort, Reference};
use glsl_differential::{Outcome, compare, spirv};
use scenarios::gl::Display;
use scenarios::lane::Lane;
use scenarios::walk::{self, Scenario};
use scenarios::{child, library};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// `HASH.SUFFIX  reason`, a line each.
const DIFFERENCES: &str = include_str!("../differences.txt");

macro_rules! scenarios_of_all {
    ($($file:ident::$name:ident [$($lane:ident)*];)*) => {
        fn all() -> Vec<Scenario> {
            vec![$(Scenario::new(stringify!($file), stringify!($name), scenarios::scenarios::$file::$name)),*]
        }
    };
}
scenarios::each_scenario!(scenarios_of_all);

/// The child that runs every scenario once; its library writes each shader down.
#[test]
fn scenarios_run_once() {
    if !child::is_child() {
        return;
    }
    for scenario in all() {
        // A known failure is another test's business: its shaders count.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            walk::run_once(scenario, Display::open(Lane::gles));
        }));
    }
}

fn reference(name: &str) -> Reference {
    Reference::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("reference-{name}")))
}

fn collect(folder: &Path) {
    let _ = fs::remove_dir_all(folder);
    let dump = folder.to_str().expect("a plain path");
    let ended = child::run("scenarios_run_once", &[("MOBILEGL_SHADER_DUMP", dump)]);
    assert!(ended.success, "{}:\n{}", ended.how, ended.text);
    let stage = library::stage().join("default");
    for entry in fs::read_dir(library::root().join("tests/fixtures")).expect("recordings") {
        let path = entry.expect("readable").path();
        if path
            .extension()
            .is_none_or(|extension| extension != "trace")
        {
            continue;
        }
        let status = Command::new("eglretrace")
            .arg("--benchmark")
            .arg(&path)
            .env_remove("DISPLAY")
            .env("WAFFLE_PLATFORM", "surfaceless_egl")
            .env("EGL_PLATFORM", "surfaceless")
            .env("LD_LIBRARY_PATH", stage.join("dropin"))
            .env("MOBILEGL_BACKEND", "null")
            .env("MOBILEGL_SHADER_DUMP", dump)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("eglretrace (Debian: apitrace)");
        assert!(status.success(), "{}: {status}", path.display());
    }
}

fn sources(folder: &Path) -> Vec<(String, String, String)> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the shaders that were written")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension != "spv"))
        .collect();
    files.sort();
    let part =
        |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    files
        .into_iter()
        .map(|path| {
            let text = fs::read(&path).expect("just listed");
            (
                part(path.file_name()),
                part(path.extension()),
                String::from_utf8_lossy(&text).into_owned(),
            )
        })
        .collect()
}

#[test]
fn every_shader_is_the_same_for_both_compilers() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shaders");
    collect(&folder);
    let second = reference("all");
    let known: BTreeSet<&str> = DIFFERENCES
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let (mut same, mut old, mut differing) = (0, 0, BTreeSet::new());
    let mut found = String::new();
    for (name, suffix, source) in sources(&folder) {
        match compare(&second, &source, &suffix) {
            Outcome::Same => same += 1,
            Outcome::NotComparable => old += 1,
            Outcome::Differs(how) => {
                if !known.contains(&*name) {
                    let _ = writeln!(found, "{name}:\n  {}\n{source}", how.join("\n  "));
                }
                differing.insert(name);
            }
        }
    }
    println!(
        "{same} alike, {} that may differ, {old} too old for the second compiler",
        differing.len()
    );
    for name in known.iter().filter(|name| !differing.contains(**name)) {
        let _ = writeln!(
            found,
            "{name}: does not differ any more: take it out of differences.txt"
        );
    }
    assert!(found.is_empty(), "{found}");
    assert!(same >= 100, "only {same} shaders were compared");
}

const SHADER: &str = "#version 330 core
uniform mat3x2 m; uniform vec4 unused; uniform sampler2D s[2];
layout(std140) uniform Block { vec3 a; float b; mat2 c; } block;
out vec4 o;
void main() { o = vec4(m[0].xy, block.b, block.c[1].x) + texture(s[1], block.a.xy); }";

/// The control: of a shader that is another one for the second compiler, each difference is found.
#[test]
fn every_shader_is_the_same_for_both_compilers_control() {
    let second = reference("control");
    assert_eq!(compare(&second, SHADER, "frag"), Outcome::Same);
    let seen = |changed: &str| {
        let ours = glsl_differential::ours::interface(SHADER, "frag").expect("it compiles");
        let compile = |effort| {
            spirv::interface(
                &second
                    .compile(changed, "frag", effort)
                    .expect("it compiles"),
            )
        };
        glsl_differential::differences(&ours, &compile(Effort::None), &compile(Effort::Performance))
    };
    assert_eq!(seen(SHADER), [""; 0]);
    let changed = |from: &str, to: &str| seen(&SHADER.replace(from, to)).join("; ");
    assert!(changed("mat3x2 m", "mat3x4 m").contains("uniform m"));
    assert!(changed("float b;", "vec2 pad; float b;").contains("Block.b"));
    assert!(changed("s[2]", "s[3]").contains("uniform s"));
    assert!(changed("vec4 unused;", "vec4 used;").is_empty());
    assert!(changed("out vec4 o;", "out vec4 o; uniform float more;").is_empty());
    assert!(changed("o = vec4(", "o = unused + vec4(").contains("unused is used"));
    let wrong = SHADER.replace("void main", "void mian");
    let ours = glsl_differential::ours::interface(&wrong, "frag");
    assert!(ours.is_err() && compare(&second, &wrong, "frag") == Outcome::Same);
}
