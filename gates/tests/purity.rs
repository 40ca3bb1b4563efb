//! Purity B: what the linker put into the artefacts, by its map. The default build is the positive control: a search that finds
//! nothing there proves nothing.

use scenarios::library::{Variant, link_map};

/// What the shipping library must not have: crates by the file that the linker takes them from, and one module by its symbols.
const BANNED: [&str; 3] = ["liblegacy_pull-", "libresidual_block-", "identity_table"];

/// The banned names that occur in a map, each with the first line that has it.
fn banned_in(map: &str) -> Vec<(&'static str, String)> {
    BANNED
        .into_iter()
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
    let found = banned_in(&map(Variant::Shipping));
    assert!(
        found.is_empty(),
        "target/stage/shipping/libMobileGL.so contains {found:#?}: only feature `pull` of gl/lib may bring them \
         (`cargo tree -p mobilegl --no-default-features -e normal`)"
    );
}

#[test]
fn shipping_build_is_pure_control() {
    let found = banned_in(&map(Variant::Default));
    for name in BANNED {
        assert!(
            found.iter().any(|(banned, _)| *banned == name),
            "the search does not find `{name}` where it is: {found:#?}"
        );
    }
}
