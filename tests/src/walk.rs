//! A scenario on one lane under every mask, each in a fresh context of one process: equal results, the mask in force is the
//! one asked for, and only the arm that the mask names has worked. It must not know any scenario.

use std::panic::{AssertUnwindSafe, catch_unwind};

use config::{BITS, PushMask};
use glow::HasContext;

use crate::gl::{Display, Gl};
use crate::lane::Lane;
use crate::library::{ArmCount, Library};
use crate::{child, expectations};

/// One small program.
#[derive(Clone, Copy)]
pub struct Scenario {
    pub name: &'static str,
    pub run: unsafe fn(&Gl),
    /// It wants a compatibility context.
    pub compatibility: bool,
}

impl Scenario {
    /// A scenario by its row: those of the file `compatibility` want such a context.
    pub const fn new(file: &str, name: &'static str, run: unsafe fn(&Gl)) -> Scenario {
        let (file, wanted) = (file.as_bytes(), b"compatibility");
        let mut compatibility = file.len() == wanted.len();
        let mut i = 0;
        while compatibility && i < file.len() {
            compatibility = file[i] == wanted[i];
            i += 1;
        }
        Scenario {
            name,
            run,
            compatibility,
        }
    }

    unsafe fn context(&self, display: Display) -> Gl {
        match self.compatibility {
            true => Gl::compatibility(display),
            false => Gl::new(display),
        }
    }
}

/// One pass over a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pass {
    pub label: String,
    pub mask: PushMask,
    pub verify: bool,
}

/// What `all` means in this build: the library says it. A gate compares it with the ledger.
pub fn implemented(library: &Library) -> PushMask {
    let Some(own) = &library.own else {
        return PushMask::NONE;
    };
    own.set_option("pipe_push", "all");
    let text = own.option("pipe_push");
    PushMask::parse(&text, PushMask::ALL)
        .unwrap_or_else(|why| panic!("`all` became `{text}`: {why}"))
}

/// None, all, the values in the residual block, every single bit, every all-but-one, and all under verify.
pub fn passes(all: PushMask) -> Vec<Pass> {
    let pass = |label: String, mask, verify| Pass {
        label,
        mask,
        verify,
    };
    let mut passes = vec![
        pass("none".to_owned(), PushMask::NONE, false),
        pass("all".to_owned(), all, false),
        pass("residual".to_owned(), PushMask::RESIDUAL, false),
    ];
    for bit in all.bits() {
        let one = PushMask(1 << bit.bit);
        passes.push(pass(bit.name.to_owned(), one, false));
        passes.push(pass(format!("all-{}", bit.name), all.without(one), false));
    }
    passes.push(pass("verify".to_owned(), all, true));
    passes
}

/// Random masks, other ones for each scenario and the same in each run: what a full run adds.
pub fn random_passes(all: PushMask, name: &str) -> Vec<Pass> {
    let masks = all.samples(hash(name), RANDOM_MASKS).into_iter();
    let pass = |mask: PushMask| Pass {
        label: format!("{:#x}", mask.0),
        mask,
        verify: false,
    };
    masks.map(pass).collect()
}

const RANDOM_MASKS: usize = 20;

/// FNV-1a.
fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The passes in an order that depends on the scenario's name alone: what one mask leaves behind for the next must not hide
/// behind a fixed order.
pub fn rotated(mut passes: Vec<Pass>, name: &str) -> Vec<Pass> {
    let start = (hash(name) % passes.len() as u64) as usize;
    passes.rotate_left(start);
    passes
}

/// The body of a scenario's test.
pub fn run(scenario: Scenario, lane: Lane) {
    assert!(
        std::env::var_os("NEXTEST").is_some() || child::is_child(),
        "a lane is fixed for a process: run `cargo nextest run -p scenarios` (a process per test)"
    );
    let asked = lane.asked();
    if asked == Lane::native {
        return walk(scenario, asked);
    }
    match expectations::of(scenario.name, lane) {
        Some(row) if !child::is_child() => {
            let ended = child::run(&format!("{}::{}", scenario.name, lane.name()), &[]);
            if !row.is_for(&ended.text) {
                assert!(ended.success, "{}:\n{}", ended.how, ended.text);
                return;
            }
            assert!(
                !ended.success,
                "{} passes on {} and is listed as failing ({}): delete its row in tests/expectations.toml",
                scenario.name,
                lane.name(),
                row.reason
            );
            println!("known failure: {}", row.reason);
        }
        _ => walk(scenario, lane),
    }
}

fn walk(scenario: Scenario, lane: Lane) {
    let failures = failures(scenario, lane);
    assert!(
        failures.is_empty(),
        "{} on {}:\n{}",
        scenario.name,
        lane.name(),
        failures.join("\n")
    );
}

/// Whether this is a run of every lane and mask.
fn is_full() -> bool {
    std::env::var("NEXTEST_PROFILE").is_ok_and(|profile| profile == "full")
}

/// Says how many masks a test runs: on its own output, and in a file that `./x test` adds up by kind, `scenarios` or `recordings`.
pub fn count_masks(kind: &str, name: &str, lane: &str, masks: usize) {
    println!("{name} on {lane}: {masks} masks");
    if std::env::var_os("MOBILEGL_STAGE").is_some() {
        let folder = crate::library::stage().join("masks").join(kind);
        // For a person's eyes only: a test is not red because of it.
        let _ = std::fs::create_dir_all(&folder).and_then(|()| {
            std::fs::write(folder.join(format!("{name}-{lane}")), masks.to_string())
        });
    }
}

/// What fails under which mask, a paragraph each; the first few.
pub fn failures(scenario: Scenario, lane: Lane) -> Vec<String> {
    let display = Display::open(lane);
    let passes = match lane {
        Lane::native => vec![Pass {
            label: "native".to_owned(),
            mask: PushMask::NONE,
            verify: false,
        }],
        // The profile changes the backend, not the interface: both ends are enough.
        Lane::gles_bare => passes(implemented(display.library))
            .into_iter()
            .filter(|pass| ["none", "all"].contains(&pass.label.as_str()))
            .collect(),
        Lane::gles | Lane::vulkan | Lane::null => {
            let all = implemented(display.library);
            let mut passes = passes(all);
            if is_full() {
                passes.extend(random_passes(all, scenario.name));
            }
            passes
        }
    };
    if lane != Lane::native {
        count_masks("scenarios", scenario.name, lane.name(), passes.len());
    }
    let mut failures = Vec::new();
    let mut first: Option<(String, Vec<(String, Vec<u8>)>)> = None;
    for pass in rotated(passes, scenario.name) {
        // A failed scenario leaves its context behind; a fresh one is made for the next mask.
        let result = catch_unwind(AssertUnwindSafe(|| one_pass(scenario, display, &pass)));
        match result {
            Err(panic) => failures.push(format!(
                "[{} {}] {}",
                scenario.name,
                pass.label,
                message(&*panic)
            )),
            Ok(seen) => match &first {
                None => first = Some((pass.label, seen)),
                Some((label, wanted)) => {
                    if let Some(difference) = difference(wanted, &seen) {
                        failures.push(format!(
                            "[{}] differs from [{label}]: {difference}",
                            pass.label
                        ));
                    }
                }
            },
        }
        if failures.len() == 5 {
            failures.push("... and perhaps more".to_owned());
            break;
        }
    }
    failures
}

/// How often the arms worked in a scenario under a mask, per bit.
pub fn arm_counts(scenario: Scenario, display: Display, mask: PushMask) -> Vec<ArmCount> {
    let own = display.library.own.as_ref().expect("our library");
    own.set_option("pipe_push", &format!("{:#x}", mask.0));
    // SAFETY: the context is made current here, and a scenario that changes that changes it back.
    let gl = unsafe { scenario.context(display) };
    // SAFETY: as above.
    unsafe { (scenario.run)(&gl) };
    let counts = own.arm_counts();
    gl.end();
    counts
}

/// A scenario once, with the options that the environment has; nothing is checked but what it checks itself.
pub fn run_once(scenario: Scenario, display: Display) {
    // SAFETY: the context is made current here, and a scenario that changes that changes it back.
    let gl = unsafe { scenario.context(display) };
    // SAFETY: as above.
    unsafe { (scenario.run)(&gl) };
    gl.end();
}

/// One pass in a fresh context; what the scenario read. Panics where the scenario does.
pub fn one_pass(scenario: Scenario, display: Display, pass: &Pass) -> Vec<(String, Vec<u8>)> {
    if let Some(own) = &display.library.own {
        own.set_option("pipe_push", &format!("{:#x}", pass.mask.0));
        own.set_option("pipe_verify", if pass.verify { "1" } else { "0" });
    }
    // SAFETY: the context is made current here, and a scenario that changes that changes it back.
    let gl = unsafe { scenario.context(display) };
    if child::is_child() {
        // SAFETY: the context is current.
        let driver = unsafe { gl.get_parameter_string(glow::RENDERER) };
        println!("{}{driver}", expectations::DRIVER);
    }
    if let Some(own) = &display.library.own
        && let Some(why) = other_mask(&own.option("pipe_push"), pass.mask)
    {
        panic!("{why}");
    }
    // SAFETY: as above.
    unsafe { (scenario.run)(&gl) };
    // SAFETY: as above.
    unsafe { gl.check_end() };
    if let Some(own) = &display.library.own
        && let Some(why) = foreign_arm(&own.arm_counts(), pass.mask)
    {
        panic!("{why} ({})", pass.label);
    }
    gl.end()
}

/// Another mask in force than the one asked for would prove nothing.
fn other_mask(in_force: &str, asked: PushMask) -> Option<String> {
    let is_it = PushMask::parse(in_force, PushMask::ALL) == Ok(asked);
    (!is_it).then(|| format!("the mask in force is `{in_force}` and not {asked}"))
}

/// With a bit set the pull arm must not have worked, with a bit cleared the push arm must not.
fn foreign_arm(rows: &[ArmCount], mask: PushMask) -> Option<String> {
    rows.iter().find_map(|row| {
        let (arm, count) = match mask.0 >> row.bit & 1 {
            1 => ("pull", row.pull),
            _ => ("push", row.push),
        };
        let name = BITS
            .iter()
            .find(|bit| u64::from(bit.bit) == row.bit)
            .map_or("?", |bit| bit.name);
        (count != 0).then(|| {
            format!(
                "subsystem {name}: the {arm} arm worked {count} times although the mask is {mask}"
            )
        })
    })
}

/// Where two runs saw something else.
fn difference(a: &[(String, Vec<u8>)], b: &[(String, Vec<u8>)]) -> Option<String> {
    if a.len() != b.len() {
        return Some(format!(
            "{} things were read instead of {}",
            b.len(),
            a.len()
        ));
    }
    a.iter()
        .zip(b)
        .find(|(a, b)| a != b)
        .map(|((label, wanted), (other, seen))| {
            if label != other {
                return format!("`{other}` was read instead of `{label}`");
            }
            let at = wanted.iter().zip(seen).position(|(a, b)| a != b);
            format!("{label}: byte {at:?} of {}", wanted.len())
        })
}

/// The text of a panic.
pub fn message(panic: &(dyn std::any::Any + Send)) -> String {
    match (panic.downcast_ref::<String>(), panic.downcast_ref::<&str>()) {
        (Some(text), _) => text.clone(),
        (_, Some(text)) => (*text).to_owned(),
        _ => "a panic without a text".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_none_all_residual_each_bit_each_all_but_one_and_verify() {
        let all = PushMask::RENDER_STATE.union(PushMask::TEXTURES);
        let masks: Vec<(u64, bool)> = passes(all)
            .iter()
            .map(|pass| (pass.mask.0, pass.verify))
            .collect();
        assert_eq!(
            masks,
            [
                (0, false),
                (0x81, false),
                (1 << 62, false),
                (1, false),
                (0x80, false),
                (0x80, false),
                (1, false),
                (0x81, true)
            ]
        );
    }

    #[test]
    fn random_passes_are_twenty_and_differ_between_scenarios() {
        let masks = |name| -> Vec<u64> {
            let passes = random_passes(PushMask::ALL, name);
            passes.iter().map(|pass| pass.mask.0).collect()
        };
        assert_eq!(masks("a").len(), 20);
        assert_ne!(masks("a"), masks("b"));
    }

    #[test]
    fn rotation_keeps_every_pass() {
        let all = passes(PushMask::ALL);
        let turned = rotated(all.clone(), "triangle");
        assert!(all.iter().all(|pass| turned.contains(pass)));
        assert_eq!(all.len(), turned.len());
    }

    #[test]
    fn mask_in_force_that_is_not_the_one_asked_for_is_told() {
        let asked = PushMask::RENDER_STATE.union(PushMask::TEXTURES);
        assert_eq!(other_mask(&format!("{:#x}", asked.0), asked), None);
        let why = other_mask("0x1", asked).expect("another mask");
        assert!(why.contains("`0x1`"), "{why}");
        assert!(other_mask("", PushMask::ALL).is_some());
    }

    #[test]
    fn arm_that_the_mask_does_not_name_is_told_where_it_worked() {
        let row = |push, pull| ArmCount { bit: 7, push, pull };
        let (set, cleared) = (PushMask::TEXTURES, PushMask::NONE);
        assert_eq!(foreign_arm(&[row(3, 0)], set), None);
        assert_eq!(foreign_arm(&[row(0, 3)], cleared), None);
        assert_eq!(foreign_arm(&[row(0, 0)], set), None, "not reached");
        let why = foreign_arm(&[row(3, 1)], set).expect("both worked");
        assert!(
            why.contains("textures: the pull arm worked 1 times"),
            "{why}"
        );
        let why = foreign_arm(&[row(2, 0)], cleared).expect("the wrong one worked");
        assert!(
            why.contains("textures: the push arm worked 2 times"),
            "{why}"
        );
    }

    #[test]
    fn difference_names_the_reading_and_the_byte() {
        let a = [("x".to_owned(), vec![1, 2, 3])];
        let b = [("x".to_owned(), vec![1, 9, 3])];
        assert_eq!(difference(&a, &a), None);
        assert_eq!(difference(&a, &b).as_deref(), Some("x: byte Some(1) of 3"));
    }
}
