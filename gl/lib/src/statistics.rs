//! The counters of a process as JSON, written when it ends. It gathers; it counts nothing itself.

use crate::composition;
use config::{ArmCounts, BITS, Stats, VerifyResult};
use gl_entry::EntryPoint;
use std::collections::BTreeMap;

/// Writes the file that the options name, if any.
pub fn write() {
    let Some(path) = composition::with_options(|config| config.pipe_stats_file.clone())
        .filter(|path| !path.is_empty())
    else {
        return;
    };
    if let Err(error) = std::fs::write(
        &path,
        serde_json::to_string_pretty(&gather()).expect("plain data"),
    ) {
        eprintln!("MobileGL: cannot write {path}: {error}");
    }
}

fn gather() -> Stats {
    let totals = composition::totals();
    let mut arms = BTreeMap::new();
    for (bit, push, pull) in &totals.arms {
        if let Some(row) = BITS.iter().find(|row| u64::from(row.bit) == *bit) {
            arms.insert(
                row.name.to_owned(),
                ArmCounts {
                    push: *push,
                    pull: *pull,
                },
            );
        }
    }
    let mut calls = BTreeMap::new();
    for entry in EntryPoint::all() {
        let n = gl_entry::thunk::calls(*entry);
        if n > 0 {
            calls.insert(entry.name().to_owned(), n);
        }
    }
    Stats {
        mask_in_force: totals.mask,
        backend: totals.backend,
        device: totals.device,
        arms,
        verify: VerifyResult {
            differences: totals.verify_differences,
            verbs: totals.verify_verbs,
            first: totals.verify_first,
        },
        ab: totals.ab,
        errors: gl_entry::cx::errors(),
        calls,
        missing: gl_entry::thunk::missing_called()
            .into_iter()
            .map(str::to_owned)
            .collect(),
    }
}

/// Runs when the process or the library ends.
extern "C" fn at_end() {
    write();
}

// The loader calls the functions of this section without arguments at the end; `at_end` is one.
#[unsafe(link_section = ".fini_array")]
#[used]
static AT_END: extern "C" fn() = at_end;
