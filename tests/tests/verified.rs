//! Every scenario in one process that is verified from its start: contents, serials and uploads are compared as well, which a pass that
//! switches verification on later cannot do. No difference may be found.

use scenarios::child;
use scenarios::gl::Display;
use scenarios::lane::Lane;
use scenarios::walk::{self, Scenario};
use std::panic::{AssertUnwindSafe, catch_unwind};

macro_rules! scenarios_of_all {
    ($($file:ident::$name:ident [$($lane:ident)*];)*) => {
        fn all() -> Vec<Scenario> {
            vec![$(Scenario::new(stringify!($file), stringify!($name), scenarios::scenarios::$file::$name)),*]
        }
    };
}
scenarios::each_scenario!(scenarios_of_all);

fn run_all(lane: Lane) {
    for scenario in all() {
        println!("{}", scenario.name);
        // Whether it passes is another test's business.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            walk::run_once(scenario, Display::open(lane));
        }));
    }
}

fn check(test: &str, lane: Lane, mask: &str) {
    if child::is_child() {
        return run_all(lane);
    }
    let variables = [("MOBILEGL_PIPE_VERIFY", "1"), ("MOBILEGL_PIPE_PUSH", mask)];
    let ended = child::run(test, &variables);
    assert!(ended.success, "{}:\n{}", ended.how, ended.text);
}

#[test]
fn nothing_differs_from_the_start_pushed() {
    check("nothing_differs_from_the_start_pushed", Lane::gles, "all");
}

#[test]
fn nothing_differs_from_the_start_pulled() {
    check("nothing_differs_from_the_start_pulled", Lane::gles, "none");
}
