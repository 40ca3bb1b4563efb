//! The counters of a process as JSON, written when it ends. It gathers; it counts nothing itself.

use crate::composition::{self, Totals};
use crate::counting;
use config::{
    ArmCounts, BITS, Counters, CsoCounts, GateCounts, ShaderCacheCounts, Stats, VerifyResult,
};
use gl_entry::EntryPoint;
use std::collections::BTreeMap;

/// Writes the files that the options name, if any.
pub fn write() {
    write_recording();
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

/// Written anew each time: a process may end without another chance.
fn write_recording() {
    let path = composition::with_options(|config| config.pipe_record.clone());
    let Some(path) = path.filter(|path| !path.is_empty()) else {
        return;
    };
    if let Some(text) = composition::recording()
        && let Err(error) = std::fs::write(&path, text)
    {
        eprintln!("MobileGL: cannot write {path}: {error}");
    }
}

/// The stream's counters with what the arms counted.
fn counters(totals: &Totals) -> Option<Counters> {
    let mut counters = counting::gather()?;
    counters.verbs = totals.verbs;
    (counters.accessor_reads, counters.pulled_verbs) = totals.pulled;
    counters.alternations = totals.ab.as_ref().map_or(0, |ab| ab.flips);
    for (name, counts) in &totals.gates {
        let counts = GateCounts {
            held: counts.held,
            same: counts.same,
            told: counts.told,
        };
        counters.gates.insert((*name).to_owned(), counts);
    }
    for (name, counts) in &totals.csos {
        let counts = CsoCounts {
            created: counts.created,
            found: counts.found,
            evicted: counts.evicted,
        };
        counters.csos.insert((*name).to_owned(), counts);
    }
    Some(counters)
}

fn shader_cache() -> Option<ShaderCacheCounts> {
    let counts = gl_entry::kept_programs::cache()?.counts();
    Some(ShaderCacheCounts {
        hits: counts.hits,
        misses: counts.misses,
        damaged: counts.damaged,
        stored: counts.stored,
    })
}

fn gather() -> Stats {
    let totals = composition::totals();
    let counters = counters(&totals);
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
            reports: totals.reports,
        },
        counters,
        ab: totals.ab,
        errors: gl_entry::cx::errors(),
        shader_cache: shader_cache(),
        calls,
        missing: gl_entry::thunk::missing_called()
            .into_iter()
            .map(str::to_owned)
            .collect(),
    }
}

/// Runs when the process or the library ends. A child of the process that counted has its counters and its locks, but is not it.
extern "C" fn at_end() {
    if !gl_entry::forked::is_child() {
        write();
    }
}

// The loader calls the functions of this section without arguments at the end; `at_end` is one.
#[unsafe(link_section = ".fini_array")]
#[used]
static AT_END: extern "C" fn() = at_end;
