//! Known failures: rows of `tests/expectations.toml`. It must not excuse a test that passes.

use serde::Deserialize;

use crate::lane::Lane;

const FILE: &str = include_str!("../expectations.toml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    failure: Vec<Row>,
}

/// One test that is known to fail.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub scenario: String,
    /// A lane's name.
    pub lane: String,
    /// Part of the driver's renderer string, or empty for any.
    pub driver: String,
    pub reason: String,
}

/// What a child prints before the renderer string that it draws with.
pub const DRIVER: &str = "driver: ";

impl Row {
    /// Whether the driver that `text`, a child's output, names is one that the row speaks of.
    pub fn is_for(&self, text: &str) -> bool {
        let mut drivers = text.lines().filter_map(|line| line.strip_prefix(DRIVER));
        self.driver.is_empty() || drivers.any(|driver| driver.contains(&self.driver))
    }
}

/// All rows.
pub fn rows() -> Vec<Row> {
    toml::from_str::<File>(FILE)
        .expect("a test reads tests/expectations.toml")
        .failure
}

/// The row of a test, if it is known to fail.
pub fn of(scenario: &str, lane: Lane) -> Option<Row> {
    rows()
        .into_iter()
        .find(|row| row.scenario == scenario && row.lane == lane.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_of_a_driver_excuses_that_driver_alone() {
        let row = |driver: &str| Row {
            scenario: String::new(),
            lane: String::new(),
            driver: driver.to_owned(),
            reason: String::new(),
        };
        let text = "running 1 test\ndriver: MobileGL (llvmpipe, LLVM 15)\nAdreno\n";
        assert!(row("").is_for("") && row("llvmpipe").is_for(text));
        assert!(
            !row("Adreno").is_for(text),
            "only the line of the driver counts"
        );
        assert!(!row("llvmpipe").is_for("it ended before it had a context"));
    }
}
