//! The residual block only shrinks, and the ledger says the same sizes.

use residual_block::{PHASES, size_at};

/// Phases whose size grows or is not the ledger's.
fn faults(sizes: &[(&str, usize)], ledger: &[(String, u32)]) -> Vec<String> {
    let mut found = Vec::new();
    for pair in sizes.windows(2) {
        if pair[1].1 > pair[0].1 {
            found.push(format!("it grows from {} to {}", pair[0].0, pair[1].0));
        }
    }
    if sizes.last().is_none_or(|(_, size)| *size != 0) {
        found.push("something is left at the end".to_owned());
    }
    for (phase, bytes) in ledger {
        // A phase before the block's first has none yet.
        let size = sizes
            .iter()
            .find(|(name, _)| name == phase)
            .map_or(0, |(_, size)| *size);
        if size != *bytes as usize {
            found.push(format!(
                "{phase}: the block has {size} bytes, the ledger says {bytes}"
            ));
        }
    }
    found
}

fn sizes() -> Vec<(&'static str, usize)> {
    PHASES
        .iter()
        .map(|phase| (*phase, size_at(phase)))
        .collect()
}

fn ledger() -> Vec<(String, u32)> {
    let rows = phases::ledger().phases.iter();
    rows.map(|phase| (phase.id.clone(), phase.residual_bytes))
        .collect()
}

/// The ledger's phases from the block's first on, which must be the block's own in the same order.
fn phases_differ(block: &[&str], ledger: &[(String, u32)]) -> Option<String> {
    let names = ledger.iter().map(|(name, _)| name.as_str());
    let ledger: Vec<&str> = names
        .skip_while(|name| Some(name) != block.first())
        .collect();
    (ledger != block)
        .then(|| format!("the block knows the phases {block:?}, the ledger {ledger:?}"))
}

#[test]
fn residual_block_never_grows() {
    let mut found = faults(&sizes(), &ledger());
    found.extend(phases_differ(&PHASES, &ledger()));
    assert!(
        found.is_empty(),
        "{}\nretire members in residual-block/src/lib.rs and write the size into phases/ledger.toml",
        found.join("\n")
    );
}

#[test]
fn residual_block_never_grows_control() {
    let grown = [("P2", 8), ("P3a", 12), ("P13", 4)];
    let found = faults(&grown, &[("P2".to_owned(), 9)]);
    assert_eq!(
        found,
        [
            "it grows from P2 to P3a",
            "something is left at the end",
            "P2: the block has 8 bytes, the ledger says 9"
        ]
    );
    let ledger = ["P1", "P2", "P13"].map(|name| (name.to_owned(), 0));
    assert_eq!(phases_differ(&["P2", "P13"], &ledger), None);
    assert!(phases_differ(&["P2", "P3a", "P13"], &ledger).is_some());
}
