//! What `./x package` packs: it is unpacked elsewhere and runs a recorded program. It is packed from the staged build that the ledger
//! says may ship; it must not use anything of the source tree but the recording.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("cli lies one folder below the root")
        .to_path_buf()
}

/// An empty folder outside of the source tree.
fn fresh(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("mobilegl-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}{error}");
    said
}

/// Packs a variant as `./x package` does and unpacks it in a folder of its own.
fn unpacked(variant: &str) -> PathBuf {
    let stage = std::env::var_os("MOBILEGL_STAGE")
        .expect("run it with `cargo nextest run`: a setup script builds the library");
    let folder = fresh(variant);
    let built = folder.join("built");
    std::fs::create_dir(&built).expect("a folder");
    let library = PathBuf::from(stage).join(variant).join("libMobileGL.so");
    std::os::unix::fs::symlink(library, built.join("libMobileGL.so")).expect("a link");
    let program = Path::new(env!("CARGO_BIN_EXE_mobilegl"));
    std::os::unix::fs::symlink(program, built.join("mobilegl")).expect("a link");
    let pack = folder.join("mobilegl-test");
    run(Command::new(root().join(".config/pack.sh"))
        .args([&pack, &built])
        .arg(variant));
    std::fs::remove_dir_all(&pack).expect("only the archive is used from here on");
    run(Command::new("tar")
        .arg("-xzf")
        .arg(folder.join("mobilegl-test.tar.gz"))
        .arg("-C")
        .arg(&folder));
    pack
}

fn replayed(variant: &str, lane: &str) {
    let pack = unpacked(variant);
    for file in [
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "README.md",
        "doc/options.md",
        "dropin/libGL.so.1",
    ] {
        assert!(pack.join(file).exists(), "the package lacks {file}");
    }
    let said = std::fs::read_to_string(pack.join("BUILD")).expect("BUILD");
    assert!(said.contains(&format!("build: {variant}")), "{said}");
    let said = run(Command::new(pack.join("bin/mobilegl"))
        .arg("replay")
        .arg(root().join("tests/fixtures/glmark2-build.trace"))
        .args(["--lanes", lane])
        .current_dir(&pack)
        .env_remove("MOBILEGL_DROPIN")
        .env("MOBILEGL_CONFIG", "/dev/null"));
    println!("{said}");
    std::fs::remove_dir_all(pack.parent().expect("a folder of its own")).expect("it goes");
}

#[test]
fn package_that_the_ledger_wants_replays_a_recorded_program() {
    let variant = if phases::ledger().ships() {
        "shipping"
    } else {
        "default"
    };
    replayed(variant, "gles/all");
}

#[test]
fn package_of_the_shipping_build_replays_a_recorded_program() {
    replayed("shipping", "vulkan/all");
}
