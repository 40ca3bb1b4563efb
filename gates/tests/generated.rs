//! Generated files are what codegen would write now.

use crate::sources;

#[test]
fn generated_files_are_fresh() {
    let stale = xtask::codegen::stale(&sources::root()).expect("codegen reads its tables");
    assert!(
        stale.is_empty(),
        "stale: {stale:?}; run `cargo xtask codegen`"
    );
}

#[test]
fn generated_files_are_fresh_control() {
    let copy = sources::copy(
        "generated",
        &[
            "gl/registry",
            "gl/enums/src",
            "gl/entry/src",
            "gl/lib/src",
            "docs/generated",
        ],
    );
    let damaged = copy.join("gl/enums/src/generated/enums.rs");
    let text = std::fs::read_to_string(&damaged).expect("a generated file");
    std::fs::write(&damaged, text + "// by hand\n").expect("written");
    std::fs::write(copy.join("gl/enums/src/generated/foreign.rs"), "").expect("written");
    let stale = xtask::codegen::stale(&copy).expect("codegen reads its tables");
    std::fs::remove_dir_all(&copy).expect("removed");
    let names: Vec<String> = stale
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    assert_eq!(
        names,
        [
            "gl/enums/src/generated/enums.rs",
            "gl/enums/src/generated/foreign.rs"
        ]
    );
}
