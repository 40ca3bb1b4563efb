//! Random sequences of state changes and verbs, run through every way of telling: after each verb all that was told is equal to
//! the shadow, and the null backend found no contract broken. A generation that a mutator forgets to move shrinks to the
//! shortest list of calls that shows it.
//!
//! Two contexts share the objects of one session, and bitmaps change between verbs, as they may at a frame boundary.

mod arms;
mod artifact;
mod honest_pull;
mod op;
mod world;

use op::{Op, op};
use pipe_inputs::{GROUPS, Group};
use proptest::prelude::*;
use world::World;

const RESIDUAL: u64 = 1 << 62;
const NO_CSO_ADDRESSING: u64 = 1 << 63;
const ALL: u64 = 0x5fff;

/// Runs a sequence under one bitmap, without faults.
fn run(ops: &[Op], mask: u64) -> Result<(), String> {
    let mut world = World::new(mask);
    for op in ops {
        match op {
            Op::Verb(n) => world.verb(*n)?,
            other => world.apply(other),
        }
    }
    world.verb(0)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 512,
        max_shrink_iters: 4096,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_bitmap_told_what_the_shadow_holds(
        ops in proptest::collection::vec(op(), 1..160),
        random in any::<u64>(),
    ) {
        for mask in [ALL, 0, RESIDUAL, ALL | NO_CSO_ADDRESSING, random] {
            if let Err(found) = run(&ops, mask) {
                return Err(TestCaseError::fail(found));
            }
        }
    }
}

/// The control: a skipped atom is a difference that names its group's field.
#[test]
fn every_bitmap_told_what_the_shadow_holds_control() {
    let shown = |atom: &str, ops: &[Op]| {
        let mut world = World::new(ALL);
        let mut faults = tracker::Faults::default();
        let row = tracker::ATOMS.iter().find(|row| row.name == atom);
        faults.skip(row.expect(atom).atom);
        for (_, arms) in &mut world.contexts {
            arms.tracker.plant(faults);
        }
        for op in ops {
            world.apply(op);
        }
        world.verb(0).expect_err(atom)
    };
    let blend = [Op::Blend(1)];
    assert!(shown("render_state_cso", &blend).contains("\"state@draw\""));
    let array = [
        Op::CreateBuffer,
        Op::Storage(0, 2),
        Op::Enable(0, true),
        Op::VertexBuffer(0, 0, 1),
        Op::IndexBuffer(0),
        Op::BindIndexed(0, 0, 0, true),
    ];
    assert!(shown("vertex_buffers", &array).contains("\"vertex_buffers@draw\""));
    assert!(shown("index_buffer", &array).contains("\"index_buffer@draw\""));
    assert!(shown("uniform_buffers", &array).contains("\"uniform_buffers@draw\""));
    assert!(shown("buffers", &array).contains("\"buffer["));
    assert!(shown("vertex_elements", &array).contains("\"vertex_elements@draw\""));
    assert!(shown("framebuffer", &[]).contains("\"framebuffer@draw\""));
    let texture = [
        Op::Link(0),
        Op::Use(0),
        Op::CreateTexture,
        Op::BindTexture(0, 0),
        Op::TexImage(0, 0, 2),
        Op::TexParam(0, 0),
    ];
    assert!(shown("sampler_views", &texture).contains("\"sampler_views@draw\""));
    assert!(shown("sampler_states", &texture).contains("\"sampler_states@draw\""));
    assert!(shown("textures", &texture).contains("\"texture["));
    let program = [Op::Link(0), Op::Use(0), Op::Uniform(0, 7)];
    assert!(shown("draw_program", &program).contains("\"draw_program@draw\""));
}

/// An unchanged draw tells nothing, and the pull arm reads the context no more than ten times for it.
#[test]
fn unchanged_draw_tells_nothing_and_reads_at_most_ten_times() {
    for mask in [ALL, 0, RESIDUAL] {
        let mut world = World::new(mask);
        for op in [Op::Link(0), Op::Use(0), Op::CreateBuffer, Op::Storage(0, 2)] {
            world.apply(&op);
        }
        world.verb(0).expect("nothing is planted");
        let before = world.contexts[0].1.calls;
        let told = world.contexts[0].1.legacy.reads();
        for _ in 0..8 {
            world.verb(0).expect("nothing is planted");
        }
        let arms = &world.contexts[0].1;
        assert_eq!(arms.calls, before, "mask {mask:#x}");
        let reads = arms.legacy.reads().since(&told);
        let (reads, verbs) = (reads.total(), reads.verbs);
        assert!(reads <= 10 * verbs, "{reads} reads in {verbs} verbs");
    }
}

/// The control: what is counted moves when a draw is not unchanged, so that no count stands still by itself.
#[test]
fn unchanged_draw_tells_nothing_and_reads_at_most_ten_times_control() {
    for mask in [ALL, 0, RESIDUAL] {
        let mut world = World::new(mask);
        for op in [Op::Link(0), Op::Use(0)] {
            world.apply(&op);
        }
        world.verb(0).expect("nothing is planted");
        let before = world.contexts[0].1.calls;
        world.apply(&Op::Blend(1));
        world.verb(0).expect("nothing is planted");
        assert_ne!(world.contexts[0].1.calls, before, "mask {mask:#x}");
    }
}

/// Handles and bits of the test agree with the table.
#[test]
fn bits_of_the_table_are_those_of_the_test() {
    assert_eq!(GROUPS[Group::buffers as usize].bit, 4);
    let bits = GROUPS.iter().fold(0u64, |bits, row| bits | 1 << row.bit);
    assert_eq!(bits & ALL, bits);
}

/// A bit that the test does not know is seen.
#[test]
fn bits_of_the_table_are_those_of_the_test_control() {
    let planted = ALL & !1;
    let bits = GROUPS.iter().fold(0u64, |bits, row| bits | 1 << row.bit);
    assert_ne!(bits & planted, bits);
}
