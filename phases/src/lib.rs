//! The ledger of phases as data: what is migrated, by which gates, and the bitmap that follows from it. It must not judge
//! whether a gate is green: the ledger says so, and a gate checks the ledger.
#![forbid(unsafe_code)]

mod cite;
mod full_run;

pub use cite::Cited;
pub use full_run::FullRun;

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// The checked-in ledger.
pub const LEDGER_TOML: &str = include_str!("../ledger.toml");

static LEDGER: LazyLock<Ledger> =
    LazyLock::new(|| Ledger::parse(LEDGER_TOML).expect("a test parses the checked-in ledger"));

/// The ledger this crate was built with.
pub fn ledger() -> &'static Ledger {
    &LEDGER
}

/// All phases and all rows per bit and backend.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    #[serde(rename = "phase")]
    pub phases: Vec<Phase>,
    #[serde(rename = "bit")]
    pub bits: Vec<BitRow>,
}

/// One phase: what holds when it ends.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phase {
    pub id: String,
    pub title: String,
    pub goal: String,
    pub status: Status,
    /// The subsystem bits whose push arm exists at the phase's exit, by name.
    pub bits: Vec<String>,
    /// The size of the residual block at the phase's exit.
    pub residual_bytes: u32,
    /// The tests that must be green at the exit.
    pub gates: Vec<String>,
    /// What was measured at the exit: figures, command, machine.
    pub measured: String,
    /// Hash of the source tree whose full run proved it; empty: none is cited.
    #[serde(default)]
    pub full: String,
}

/// One subsystem bit on one backend.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BitRow {
    pub bit: u8,
    pub name: String,
    pub backend: Backend,
    pub status: Status,
    /// The tests that prove it.
    pub gates: Vec<String>,
    /// What has to be written before it can be pushed, in words: planned rows only.
    #[serde(default)]
    pub lacks: String,
    /// As in [`Phase`].
    #[serde(default)]
    pub full: String,
}

/// What a phase and a bit have in common: something that is or is not, by these tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<'a> {
    pub what: String,
    pub status: Status,
    pub gates: &'a [String],
    pub full: &'a str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Not built: a mask that names it is refused.
    Planned,
    /// Built, not proven.
    Open,
    /// The named gates are green on the commit that says so.
    Green,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    Gles,
    Vulkan,
}

impl Backend {
    pub const ALL: [Backend; 2] = [Backend::Gles, Backend::Vulkan];
}

impl Ledger {
    /// Reads a ledger and checks what one row alone cannot say. The error is a sentence.
    pub fn parse(text: &str) -> Result<Ledger, String> {
        let ledger: Ledger = toml::from_str(text).map_err(|error| error.to_string())?;
        ledger.check()?;
        Ok(ledger)
    }

    /// Phases, then bits.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        let phases = self.phases.iter().map(|phase| Row {
            what: format!("phase {}", phase.id),
            status: phase.status,
            gates: &phase.gates,
            full: &phase.full,
        });
        let bits = self.bits.iter().map(|row| Row {
            what: format!("bit {} on {:?}", row.name, row.backend),
            status: row.status,
            gates: &row.gates,
            full: &row.full,
        });
        phases.chain(bits)
    }

    /// Whether every bit is green on both backends: then the build without the pull path is what ships.
    pub fn ships(&self) -> bool {
        let all = self.bits.iter().fold(0, |mask, row| mask | 1u64 << row.bit);
        all != 0 && self.default_mask() == all
    }

    /// The bits that are green on both backends: the default of `MOBILEGL_PIPE_PUSH`.
    pub fn default_mask(&self) -> u64 {
        self.mask_on_all(|row| row.status == Status::Green)
    }

    /// The bits whose push arm is built on both backends: what `all` stands for.
    pub fn implemented_mask(&self) -> u64 {
        self.mask_on_all(|row| row.status != Status::Planned)
    }

    fn mask_on_all(&self, keep: impl Fn(&BitRow) -> bool) -> u64 {
        let mask_of = |backend| {
            self.bits
                .iter()
                .filter(|row| row.backend == backend && keep(row))
                .fold(0, |mask, row| mask | 1u64 << row.bit)
        };
        Backend::ALL
            .into_iter()
            .map(mask_of)
            .fold(u64::MAX, |all, mask| all & mask)
    }

    fn check(&self) -> Result<(), String> {
        for row in self.rows().filter(|row| !row.full.is_empty()) {
            if row.full.len() != 64 || !row.full.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return Err(format!("{}: `{}` is no hash of a tree", row.what, row.full));
            }
            if row.status != Status::Green {
                return Err(format!("{} cites a full run and is not green", row.what));
            }
        }
        for (i, phase) in self.phases.iter().enumerate() {
            if self.phases[..i]
                .iter()
                .any(|earlier| earlier.id == phase.id)
            {
                return Err(format!("phase {} stands twice", phase.id));
            }
            if phase.status == Status::Planned {
                return Err(format!("phase {}: a phase is open or green", phase.id));
            }
            if phase.gates.is_empty() {
                return Err(format!("phase {} names no gate", phase.id));
            }
            if let Some(name) = phase
                .bits
                .iter()
                .find(|name| !self.bits.iter().any(|row| row.name == **name))
            {
                return Err(format!("phase {}: no row for the bit `{name}`", phase.id));
            }
        }
        for (i, row) in self.bits.iter().enumerate() {
            if row.bit >= 62 || row.bit == 13 {
                return Err(format!("bit {} ({}) is no subsystem", row.bit, row.name));
            }
            if row.status == Status::Green && row.gates.is_empty() {
                return Err(format!(
                    "bit `{}` is green on {:?} by no gate",
                    row.name, row.backend
                ));
            }
            if (row.status == Status::Planned) == row.lacks.is_empty() {
                return Err(format!(
                    "bit `{}` on {:?}: planned rows, and no others, say what they lack",
                    row.name, row.backend
                ));
            }
            for earlier in &self.bits[..i] {
                if (earlier.bit == row.bit) != (earlier.name == row.name) {
                    return Err(format!(
                        "bit {} is `{}` and `{}`",
                        row.bit, earlier.name, row.name
                    ));
                }
                if earlier.bit == row.bit && earlier.backend == row.backend {
                    return Err(format!(
                        "bit `{}` stands twice for {:?}",
                        row.name, row.backend
                    ));
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PHASE: &str = "[[phase]]\nid=\"P0\"\ntitle=\"t\"\ngoal=\"g\"\nstatus=\"open\"\nbits=[]\nresidual_bytes=0\n\
                         gates=[\"a\"]\nmeasured=\"\"\n";

    fn row(bit: u8, name: &str, backend: &str, status: &str) -> String {
        let lacks = if status == "planned" { "all of it" } else { "" };
        format!(
            "[[bit]]\nbit={bit}\nname=\"{name}\"\nbackend=\"{backend}\"\nstatus=\"{status}\"\ngates=[\"a\"]\n\
             lacks=\"{lacks}\"\n"
        )
    }

    fn parse(rows: &[String]) -> Result<Ledger, String> {
        Ledger::parse(&format!("{PHASE}{}", rows.concat()))
    }

    #[test]
    fn ledger_checked_in_parses() {
        Ledger::parse(LEDGER_TOML).expect("the ledger");
    }

    #[test]
    fn ledger_checked_in_has_every_bit_on_every_backend() {
        let subsystems = [0u8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14];
        for backend in Backend::ALL {
            let bits: Vec<u8> = ledger()
                .bits
                .iter()
                .filter(|row| row.backend == backend)
                .map(|row| row.bit)
                .collect();
            assert_eq!(bits, subsystems, "{backend:?}");
        }
    }

    #[test]
    fn ledger_bit_green_on_one_backend_alone_is_not_default() {
        let rows = [
            row(0, "a", "gles", "green"),
            row(0, "a", "vulkan", "open"),
            row(4, "b", "gles", "green"),
        ];
        let ledger = parse(&rows).expect("good");
        assert_eq!(ledger.default_mask(), 0);
        assert_eq!(ledger.implemented_mask(), 1, "bit 4 has no row for vulkan");
    }

    #[test]
    fn ledger_bit_green_on_both_is_default() {
        let rows = [
            row(4, "a", "gles", "green"),
            row(4, "a", "vulkan", "green"),
            row(9, "b", "gles", "planned"),
        ];
        assert_eq!(parse(&rows).expect("good").default_mask(), 0x10);
    }

    #[test]
    fn ledger_ships_when_every_bit_is_green_on_both() {
        let mut rows = vec![row(4, "a", "gles", "green"), row(4, "a", "vulkan", "green")];
        assert!(parse(&rows).expect("good").ships());
        rows.push(row(9, "b", "gles", "green"));
        assert!(!parse(&rows).expect("good").ships(), "bit 9 on vulkan");
    }

    #[test]
    fn ledger_contradictions_are_refused() {
        assert!(
            parse(&[row(0, "a", "gles", "open"), row(0, "b", "vulkan", "open")])
                .unwrap_err()
                .contains("`a` and `b`")
        );
        assert!(parse(&[row(0, "a", "gles", "open"), row(1, "a", "vulkan", "open")]).is_err());
        assert!(
            parse(&[row(0, "a", "gles", "open"), row(0, "a", "gles", "open")])
                .unwrap_err()
                .contains("twice")
        );
        assert!(
            parse(&[row(13, "fences", "gles", "open")])
                .unwrap_err()
                .contains("no subsystem")
        );
        assert!(parse(&[row(0, "a", "metal", "open")]).is_err());
        assert!(parse(&[row(0, "a", "gles", "done")]).is_err());
        let unproven = row(0, "a", "gles", "green").replace("[\"a\"]", "[]");
        assert!(parse(&[unproven]).unwrap_err().contains("by no gate"));
        assert!(Ledger::parse(&PHASE.repeat(2)).is_err());
        let silent = row(0, "a", "gles", "planned").replace("all of it", "");
        assert!(parse(&[silent]).unwrap_err().contains("what they lack"));
        let cited = row(0, "a", "gles", "green") + "full=\"12\"\n";
        assert!(parse(&[cited]).unwrap_err().contains("no hash"));
        let early = row(0, "a", "gles", "open") + &format!("full=\"{}\"\n", "a".repeat(64));
        assert!(parse(&[early]).unwrap_err().contains("not green"));
    }
}
