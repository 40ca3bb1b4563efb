//! Source patches: faults that no switch reaches, each with what a search should say of it, and the libraries that are built with them in
//! a copy of the tree. Whether an answer is right, `planted` says.

use std::path::{Path, PathBuf};
use std::process::Command;

use config::PushMask;
use scenarios::lane::Lane;

use crate::page;
use crate::planted::{Arm, Bed, Outcome, Planted};
use crate::worker::Worker;

/// A source patch: a fault that no switch reaches, with what a search should say of it.
pub struct Patch {
    pub name: String,
    pub path: PathBuf,
    pub planted: Planted,
    /// Scenarios where it shows in what the GPU wrote, which verification does not compare (docs/verify.md): it must name nothing there.
    silent: Vec<String>,
}

/// The files of tests/faults/, named by the arm that is wrong (`push-`, `pull-`, `shared-`): `key: value` lines, an empty line, the difference.
pub fn all() -> Vec<Patch> {
    let mut found: Vec<Patch> = std::fs::read_dir(page(""))
        .expect("tests/faults")
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = path
                .file_name()?
                .to_str()?
                .strip_suffix(".patch")?
                .to_owned();
            let text = std::fs::read_to_string(&path).expect("a patch");
            let words = |key: &str| -> Vec<String> {
                let line = text
                    .lines()
                    .find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
                let line = line.unwrap_or_else(|| panic!("{name}: no line `{key}:`"));
                line.split(',')
                    .map(str::trim)
                    .filter(|word| !word.is_empty())
                    .map(str::to_owned)
                    .collect()
            };
            assert!(
                !words("fault").is_empty(),
                "{name}: it does not say what is wrong"
            );
            let bits = words("bits");
            let arm = name.split('-').next().filter(|arm| *arm != "shared");
            let mask = |bit: &String| {
                PushMask::by_name(bit).unwrap_or_else(|| panic!("{name}: no bit {bit}"))
            };
            let planted = Planted {
                text: String::new(),
                bits: bits.iter().map(mask).collect(),
                arm: Arm::by_name(arm),
                may: PushMask::NONE,
                fields: words("fields"),
            };
            let silent = match text.contains("\nsilent:") {
                true => words("silent"),
                false => Vec::new(),
            };
            Some(Patch {
                name,
                path,
                planted,
                silent,
            })
        })
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

pub fn said(command: &mut Command) -> Result<String, String> {
    let output = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!(
            "{command:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// A copy of the sources under target/, and the folder that a patched library is staged in.
pub struct Workshop {
    tree: PathBuf,
    target: PathBuf,
}

impl Workshop {
    pub fn new() -> Workshop {
        let folder = scenarios::library::root().join("target/patched");
        Workshop {
            tree: folder.join("tree"),
            target: folder.join("target"),
        }
    }

    /// The sources as they are; files that are equal keep their time, so that little is built anew.
    fn restore(&self) -> Result<(), String> {
        let root = scenarios::library::root();
        let mut list = Command::new("git");
        list.args(["ls-files", "-co", "--exclude-standard"])
            .current_dir(&root);
        for name in said(&mut list)?.lines() {
            let (from, to) = (root.join(name), self.tree.join(name));
            let Ok(bytes) = std::fs::read(&from) else {
                continue;
            };
            if std::fs::read(&to).is_ok_and(|there| there == bytes) {
                continue;
            }
            let folder = to.parent().expect("a folder");
            std::fs::create_dir_all(folder)
                .and_then(|()| std::fs::write(&to, bytes))
                .map_err(|error| format!("{name}: {error}"))?;
        }
        Ok(())
    }

    /// Builds the library with a patch; where it is staged.
    pub fn build(&self, patch: &Patch) -> Result<PathBuf, String> {
        self.restore()?;
        let mut apply = Command::new("git");
        apply.arg("apply").arg(&patch.path).current_dir(&self.tree);
        // The copy is no part of the repository around it.
        apply.env(
            "GIT_CEILING_DIRECTORIES",
            self.tree.parent().expect("a folder"),
        );
        said(&mut apply)?;
        let mut build = Command::new(env!("CARGO"));
        build
            .args(["build", "--quiet", "--workspace", "--lib"])
            .current_dir(&self.tree)
            .env("CARGO_TARGET_DIR", &self.target);
        said(&mut build)?;
        let stage = self.target.join("stage").join(&patch.name);
        let folder = stage.join("default");
        std::fs::create_dir_all(&folder)
            .and_then(|()| {
                std::fs::copy(
                    self.target.join("debug/libMobileGL.so"),
                    folder.join("libMobileGL.so"),
                )
            })
            .map_err(|error| error.to_string())?;
        Ok(stage)
    }
}

/// What is answered of a patched library, on every scenario that shows its fault.
pub fn judge(
    patch: &Patch,
    stage: &Path,
    references: &[(&'static str, u64)],
    all: PushMask,
) -> Vec<(&'static str, Outcome)> {
    let mut worker = Worker::new(Lane::gles, &patch.name).with("MOBILEGL_STAGE", stage.to_owned());
    let mut answers = Vec::new();
    for (scenario, reference) in references {
        let mut bed = Bed {
            worker: &mut worker,
            scenario,
            reference: *reference,
        };
        let mut planted = patch.planted.clone();
        if patch.silent.iter().any(|silent| silent == scenario) {
            planted.fields.clear();
        }
        if bed.shows(&planted, all) {
            answers.push((*scenario, bed.search(&planted, all)));
        }
    }
    answers
}
