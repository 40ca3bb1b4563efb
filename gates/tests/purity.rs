//! Purity B: what is in the artefacts. The default build is the positive control: a search that finds nothing there proves nothing.

use scenarios::library::{Variant, staged};

/// What the shipping library must not have: crates and one module, as they stand in mangled symbols. The length before the
/// name keeps texts apart from symbols.
const BANNED: [&str; 4] = [
    "11legacy_pull",
    "14residual_block",
    "14identity_table",
    "13IdentityTable",
];

/// The banned names that occur in an artefact.
fn banned_in(bytes: &[u8]) -> Vec<&'static str> {
    BANNED
        .into_iter()
        .filter(|name| {
            bytes
                .windows(name.len())
                .any(|window| window == name.as_bytes())
        })
        .collect()
}

fn artefact(variant: Variant) -> Vec<u8> {
    let path = staged(variant).unwrap_or_else(|why| panic!("{why}"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn shipping_build_is_pure() {
    let found = banned_in(&artefact(Variant::Shipping));
    assert!(
        found.is_empty(),
        "target/stage/shipping/libMobileGL.so contains {found:?}: only feature `pull` of gl/lib may bring them \
         (`cargo tree -p mobilegl --no-default-features -e normal`)"
    );
}

#[test]
fn shipping_build_is_pure_control() {
    let found = banned_in(&artefact(Variant::Default));
    for name in ["11legacy_pull", "14residual_block"] {
        assert!(
            found.contains(&name),
            "the search does not find `{name}` where it is"
        );
    }
}
