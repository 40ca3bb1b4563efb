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
