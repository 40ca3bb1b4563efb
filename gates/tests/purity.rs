//! Purity B: what the linker put into the artefacts, by its map. The default build is the positive control: a search that finds
//! nothing there proves nothing.

use scenarios::library::{Variant, link_map};

/// What the shipping library must not have: crates by the file that the linker takes them from, and one module by its symbols.
const BANNED: [&str; 3] = ["liblegacy_pull-", "libresidual_block-", "identity_table"];

/// What no library that is staged or packed has: the profiler's client, and what only that needs.
const PROFILER: [&str; 3] = [
    "libtracing_tracy-",
    "libtracy_client-",
    "libtracing_subscriber-",
];

/// Those of the names that occur in a map, each with the first line that has it.
fn named_in(map: &str, names: &[&'static str]) -> Vec<(&'static str, String)> {
    names
        .iter()
        .copied()
        .filter_map(|name| {
            let line = map.lines().find(|line| line.contains(name))?;
            Some((name, line.trim().chars().take(200).collect()))
        })
        .collect()
}

fn map(variant: Variant) -> String {
    let map = link_map(variant).unwrap_or_else(|why| panic!("{why}"));
    // A map without our own code is no map of this library.
    for name in ["libtracker-", "tracker"] {
        assert!(map.contains(name), "the map does not know `{name}`");
    }
    map
}

#[test]
fn shipping_build_is_pure() {
    let found = named_in(&map(Variant::Shipping), &BANNED);
    assert!(
        found.is_empty(),
        "target/stage/shipping/libMobileGL.so contains {found:#?}: only feature `pull` of gl/lib may bring them \
         (`cargo tree -p mobilegl --no-default-features -e normal`)"
    );
}

#[test]
fn shipping_build_is_pure_control() {
    let found = named_in(&map(Variant::Default), &BANNED);
    for name in BANNED {
        assert!(
            found.iter().any(|(banned, _)| *banned == name),
            "the search does not find `{name}` where it is: {found:#?}"
        );
    }
}

#[test]
fn profiler_is_in_no_staged_build() {
    for variant in [Variant::Shipping, Variant::Default] {
        let found = named_in(&map(variant), &PROFILER);
        assert!(
            found.is_empty(),
            "{variant:?}: {found:#?}: only feature `tracy` of gl/lib may bring them, and it is off by default"
        );
    }
}

/// What `cargo tree` says that the library is made of, as the linker would name it.
fn made_of(features: &str) -> String {
    let output = std::process::Command::new(env!("CARGO"))
        .args(["tree", "--offline", "-p", "mobilegl", "-e", "normal"])
        .args([
            "--prefix",
            "none",
            "--format",
            "{lib}",
            "--features",
            features,
        ])
        .current_dir(scenarios::library::root())
        .output()
        .expect("cargo starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|name| format!("target/debug/deps/lib{name}-0123456789abcdef.rlib\n"))
        .collect()
}

#[test]
fn profiler_is_in_no_staged_build_control() {
    let with = named_in(&made_of("tracy"), &PROFILER);
    assert_eq!(with.len(), PROFILER.len(), "of {PROFILER:?} found {with:?}");
    assert_eq!(named_in(&made_of("default"), &PROFILER), []);
}
