//! A test per scenario and lane, from the list. No scenario is written here.

use scenarios::lane::Lane;
use scenarios::walk::{self, Scenario};

macro_rules! tests {
    ($($file:ident::$name:ident [$($lane:ident)*];)*) => { $(
        mod $name {
            use super::*;

            $(#[test]
            fn $lane() {
                let run = scenarios::scenarios::$file::$name;
                walk::run(Scenario::new(stringify!($file), stringify!($name), run), Lane::$lane);
            })*
        }
    )* };
}
scenarios::each_scenario!(tests);

macro_rules! names {
    ($($file:ident::$name:ident [$($lane:ident)*];)*) => {
        const TESTS: &[(&str, &[&str])] = &[$((stringify!($name), &[$(stringify!($lane)),*])),*];
    };
}
scenarios::each_scenario!(names);

#[test]
fn expectations_name_scenarios_and_lanes_that_exist() {
    for row in scenarios::expectations::rows() {
        let test = TESTS.iter().find(|(name, _)| *name == row.scenario);
        assert!(
            test.is_some_and(|(_, lanes)| lanes.contains(&row.lane.as_str())),
            "tests/expectations.toml: there is no test {}::{}",
            row.scenario,
            row.lane
        );
        assert!(
            !row.reason.is_empty(),
            "{}: a known failure has a reason",
            row.scenario
        );
    }
}
