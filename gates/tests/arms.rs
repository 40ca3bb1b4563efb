//! The arms: sentinel scenarios over all masks give equal results; a planted corruption is named by verify, an omitted group by
//! the contract check. Planted faults end their process, so each has one of its own.

use std::collections::BTreeSet;

use crate::sources;
use pipe_inputs::{GROUPS, GroupRow, VerbClass};
use scenarios::lane::Lane;
use scenarios::scenarios as programs;
use scenarios::walk::{self, Scenario};
use scenarios::{child, gl};

macro_rules! sentinels {
    ($($file:ident::$name:ident),* $(,)?) => {
        /// One scenario per subsystem that exists, and some that mix them.
        const SENTINELS: &[Scenario] =
            &[$(Scenario::new(stringify!($file), stringify!($name), programs::$file::$name)),*];
    };
}
sentinels![
    basics::triangle,
    basics::clear_order,
    basics::orientation,
    render_state::blend_toggle_storm,
    render_state::depth_and_stencil,
    buffers::upload_order,
    vertex_input::element_buffer_belongs_to_vao,
    vertex_input::current_attrib_defaults,
    framebuffer::draw_buffers_permutation,
    textures::texture_upload_between_draws,
    textures::sampled_set_staleness,
    programs::uniform_block_instance_names,
    transform_feedback::transform_feedback_captures,
    compatibility::client_arrays_in_every_draw,
];

fn masks_agree(lane: Lane) {
    let failures: Vec<String> = SENTINELS
        .iter()
        .flat_map(|scenario| walk::failures(*scenario, lane))
        .collect();
    assert!(
        failures.is_empty(),
        "masks differ on {}:\n{}",
        lane.name(),
        failures.join("\n")
    );
}

/// With the atom of the render state skipped, the push arm leaves the first state in force: the masks that push it are red.
fn skipped_atom_is_red(test: &str, lane: Lane) {
    let scenario = SENTINELS
        .iter()
        .find(|scenario| scenario.name == "blend_toggle_storm")
        .expect("a sentinel");
    if child::is_child() {
        let failures = walk::failures(*scenario, lane);
        assert!(failures.is_empty(), "{}", failures.join("\n"));
        return;
    }
    let ended = child::run(test, &[("MOBILEGL_PIPE_FAULT", "atom:render_state_cso")]);
    assert!(!ended.success, "nobody noticed");
    let red = |label: &str| {
        ended
            .text
            .contains(&format!("[blend_toggle_storm {label}]"))
    };
    let pushed = [
        "all",
        "render_state",
        "all-buffers",
        "all-textures",
        "all-programs",
        "all-patch_state",
    ];
    assert!(
        pushed.iter().any(|label| red(label)),
        "no mask that pushes it is red; {}:\n{}",
        ended.how,
        ended.text
    );
    assert!(
        !red("none") && !red("all-render_state"),
        "a mask that pulls it is red:\n{}",
        ended.text
    );
}

#[test]
fn masks_give_equal_pixels_gles() {
    masks_agree(Lane::gles);
}

#[test]
fn masks_give_equal_pixels_gles_control() {
    skipped_atom_is_red("arms::masks_give_equal_pixels_gles_control", Lane::gles);
}

#[test]
fn masks_give_equal_pixels_vulkan() {
    masks_agree(Lane::vulkan);
}

#[test]
fn masks_give_equal_pixels_vulkan_control() {
    skipped_atom_is_red("arms::masks_give_equal_pixels_vulkan_control", Lane::vulkan);
}

macro_rules! recycling {
    ($($name:ident),* $(,)?) => {
        /// Programs whose names and handles come back.
        const RECYCLING: &[Scenario] =
            &[$(Scenario::new("identity", stringify!($name), programs::identity::$name)),*];
    };
}
recycling![
    handle_recycle_buffers,
    handle_recycle_textures,
    handle_recycle_renderbuffers,
    handle_recycle_programs,
    handle_recycle_vertex_arrays,
    handle_recycle_framebuffers,
    handle_recycle_samplers,
    handle_recycle_queries,
    handle_recycle_fences,
    handle_recycle_surfaces,
];

/// What a backend has no twin of: framebuffers are told by value, vertex arrays by their elements; surfaces of gles have one table for
/// all keyings.
const NO_MEMO: [(&str, Lane); 5] = [
    ("vertex_arrays", Lane::gles),
    ("vertex_arrays", Lane::vulkan),
    ("framebuffers", Lane::gles),
    ("framebuffers", Lane::vulkan),
    ("surfaces", Lane::gles),
];

/// A backend's source and the kinds of handles that it has twin tables of, as its types name them.
fn kinds_with_twins(backend: &str) -> BTreeSet<String> {
    let mut kinds = BTreeSet::new();
    let folder = format!("backends/{backend}/src/");
    for (_, text) in sources::files(&[".rs"])
        .into_iter()
        .filter(|(path, _)| path.starts_with(&folder))
    {
        for rest in text.split("TwinTable<").skip(1) {
            let kind = rest.split("Id").next().unwrap_or_default();
            if !kind.is_empty() && kind.chars().all(char::is_alphanumeric) {
                kinds.insert(kind.to_owned());
            }
        }
    }
    kinds
}

/// The word that `twins:` has for a kind.
fn fault_word(kind: &str) -> String {
    match kind {
        "Shader" => "programs".to_owned(),
        "Query" => "queries".to_owned(),
        kind => format!("{}s", kind.to_lowercase()),
    }
}

/// Whatever a backend keeps by a handle has a program whose handles come back and a control that sabotages just that; what is said to
/// have no twin has none.
fn uncontrolled_kinds(lane: Lane, backend: &str) -> Vec<String> {
    let kept: BTreeSet<String> = kinds_with_twins(backend)
        .iter()
        .map(|kind| fault_word(kind))
        .collect();
    let controlled: BTreeSet<String> = RECYCLING
        .iter()
        .map(|scenario| scenario.name.trim_start_matches("handle_recycle_"))
        .filter(|what| !NO_MEMO.contains(&(what, lane)))
        .map(str::to_owned)
        .collect();
    kept.symmetric_difference(&controlled).cloned().collect()
}

#[test]
fn every_twin_table_is_sabotaged() {
    for (lane, backend) in [(Lane::gles, "gles"), (Lane::vulkan, "vulkan")] {
        assert_eq!(uncontrolled_kinds(lane, backend), [""; 0], "{backend}");
    }
}

#[test]
fn every_twin_table_is_sabotaged_control() {
    // The gles backend has no table of surfaces, and the null backend none at all.
    assert_eq!(uncontrolled_kinds(Lane::vulkan, "gles"), ["surfaces"]);
    assert!(uncontrolled_kinds(Lane::gles, "null").len() >= 7);
}

/// Runs them, once each, with the options of the environment; those that failed are printed.
fn recycle(lane: Lane) {
    let display = gl::Display::open(lane);
    let red = RECYCLING.iter().filter(|scenario| {
        let run = std::panic::AssertUnwindSafe(|| walk::run_once(**scenario, display));
        let failed = std::panic::catch_unwind(run).is_err();
        println!(
            "{} {}",
            scenario.name,
            if failed { "is red" } else { "is green" }
        );
        failed
    });
    assert_eq!(red.count(), 0);
}

/// Both keyings of driver objects draw what is expected.
fn keyings_agree(test: &str, lane: Lane) {
    if child::is_child() {
        return recycle(lane);
    }
    for by_identity in ["0", "1"] {
        let ended = child::run(test, &[("MOBILEGL_PIPE_LEGACY_MEMOS", by_identity)]);
        assert!(
            ended.success,
            "keyed by identity: {by_identity}; {}:\n{}",
            ended.how, ended.text
        );
    }
}

/// Keyed by the slot alone, an object gets the twin of the one before it: kind by kind, the scenario of that kind is red.
fn lost_identity_is_red(test: &str, lane: Lane) {
    if child::is_child() {
        return recycle(lane);
    }
    let mut green = Vec::new();
    for scenario in RECYCLING {
        let what = scenario.name.trim_start_matches("handle_recycle_");
        if NO_MEMO.contains(&(what, lane)) {
            continue;
        }
        let fault = format!("twins:{what}");
        let ended = child::run(test, &[("MOBILEGL_PIPE_FAULT", fault.as_str())]);
        let red = format!("{} is red", scenario.name);
        if ended.success || !ended.text.contains(&red) {
            green.push(format!(
                "{fault}: no `{red}`; {}:\n{}",
                ended.how, ended.text
            ));
        }
    }
    assert!(
        green.is_empty(),
        "lost identities that nobody noticed:\n{}",
        green.join("\n")
    );
}

#[test]
fn recycled_handles_find_new_objects_gles() {
    keyings_agree("arms::recycled_handles_find_new_objects_gles", Lane::gles);
}

#[test]
fn recycled_handles_find_new_objects_gles_control() {
    lost_identity_is_red(
        "arms::recycled_handles_find_new_objects_gles_control",
        Lane::gles,
    );
}

#[test]
fn recycled_handles_find_new_objects_vulkan() {
    keyings_agree(
        "arms::recycled_handles_find_new_objects_vulkan",
        Lane::vulkan,
    );
}

#[test]
fn recycled_handles_find_new_objects_vulkan_control() {
    lost_identity_is_red(
        "arms::recycled_handles_find_new_objects_vulkan_control",
        Lane::vulkan,
    );
}

/// The body of a child: programs that together reach every group, with the options of its environment.
fn real_program() {
    let display = gl::Display::open(Lane::null);
    let programs: [Scenario; 2] = [
        Scenario::new(
            "programs",
            "uniform_block_instance_names",
            programs::programs::uniform_block_instance_names,
        ),
        Scenario::new(
            "textures",
            "sampled_set_staleness",
            programs::textures::sampled_set_staleness,
        ),
    ];
    for program in programs {
        walk::run_once(program, display);
    }
}

/// Groups that a draw reads and that have a field to corrupt.
fn of_draws() -> Vec<&'static GroupRow> {
    GROUPS
        .iter()
        .filter(|row| row.classes & (1 << VerbClass::Draw as u16) != 0 && !row.fields.is_empty())
        .collect()
}

/// Runs `test` again for one group at verbs of one class; what is wrong with how it ended.
fn planted(
    test: &str,
    variable: &str,
    group: &str,
    class: VerbClass,
    verify: &str,
    wanted: &[String],
) -> Option<String> {
    let fault = format!("{group}@{}", class.name());
    let ended = child::run(
        test,
        &[
            ("MOBILEGL_PIPE_PUSH", "all"),
            ("MOBILEGL_PIPE_VERIFY", verify),
            (variable, &fault),
        ],
    );
    if ended.success {
        return Some(format!("{fault}: nobody noticed"));
    }
    // One of the texts, and which verb it was: a line of the form `"field@verb"} at verb 12`.
    let named = ended.text.lines().any(|line| {
        let ordinal = line
            .split_once("\"} at verb ")
            .and_then(|(_, rest)| rest.split(|c: char| !c.is_ascii_digit()).next());
        ordinal.is_some_and(|digits| digits.parse::<u64>().is_ok_and(|n| n > 0))
            && wanted.iter().any(|text| line.contains(text.as_str()))
    });
    (!named).then(|| {
        format!(
            "{fault}: none of {wanted:?} is named; {}:\n{}",
            ended.how, ended.text
        )
    })
}

#[test]
fn verify_corruption_is_named() {
    if child::is_child() {
        return real_program();
    }
    let test = "arms::verify_corruption_is_named";
    let found: Vec<String> = of_draws()
        .into_iter()
        .filter_map(|row| {
            let wanted: Vec<String> = row
                .fields
                .iter()
                .map(|(field, _)| format!("{field}@draw"))
                .collect();
            let (variable, class) = ("MOBILEGL_PIPE_VERIFY_CORRUPT", VerbClass::Draw);
            planted(test, variable, row.name, class, "1", &wanted)
        })
        .collect();
    assert!(
        found.is_empty(),
        "planted corruptions that verify did not name:\n{}",
        found.join("\n")
    );
}

#[test]
fn verify_corruption_is_named_control() {
    if child::is_child() {
        return real_program();
    }
    // Without a planted fault the same program ends well, so that it is the fault that is named.
    let ended = child::run(
        "arms::verify_corruption_is_named_control",
        &[("MOBILEGL_PIPE_PUSH", "all"), ("MOBILEGL_PIPE_VERIFY", "1")],
    );
    assert!(
        ended.success,
        "a difference without a planted fault: {}\n{}",
        ended.how, ended.text
    );
}

/// The body of a child: programs that upload parts of buffers and textures between draws.
fn uploading_program() {
    let display = gl::Display::open(Lane::null);
    for program in [
        Scenario::new(
            "textures",
            "pixel_store_sweep",
            programs::textures::pixel_store_sweep,
        ),
        Scenario::new("buffers", "upload_order", programs::buffers::upload_order),
    ] {
        walk::run_once(program, display);
    }
}

#[test]
fn verify_uploads_are_compared() {
    if child::is_child() {
        return uploading_program();
    }
    // What the ear of verification misses counts as not told.
    for (fault, mask, wanted) in [
        ("ear:region", "all", ".regions@draw"),
        ("ear:union", "all", ".union_box@draw"),
        ("ear:twice", "all", ".uploads@draw"),
        ("ear:upload", "all", ".serial@draw"),
        ("ear:upload", "none", ".ranges@draw"),
    ] {
        let ended = child::run(
            "arms::verify_uploads_are_compared",
            &[
                ("MOBILEGL_PIPE_PUSH", mask),
                ("MOBILEGL_PIPE_VERIFY", "1"),
                ("MOBILEGL_PIPE_FAULT", fault),
            ],
        );
        assert!(!ended.success, "{fault}: nobody noticed");
        assert!(
            ended.text.contains("VerifyMismatch") && ended.text.contains(wanted),
            "{fault}: {wanted} is not named; {}:\n{}",
            ended.how,
            ended.text
        );
    }
}

#[test]
fn verify_uploads_are_compared_control() {
    if child::is_child() {
        return uploading_program();
    }
    let ended = child::run(
        "arms::verify_uploads_are_compared_control",
        &[("MOBILEGL_PIPE_PUSH", "all"), ("MOBILEGL_PIPE_VERIFY", "1")],
    );
    assert!(
        ended.success,
        "a difference without a planted fault: {}\n{}",
        ended.how, ended.text
    );
}

#[test]
fn poison_omission_is_fatal_by_name() {
    if child::is_child() {
        return real_program();
    }
    let test = "arms::poison_omission_is_fatal_by_name";
    let found: Vec<String> = GROUPS
        .iter()
        .filter(|row| row.classes & (1 << VerbClass::Draw as u16) != 0)
        .filter_map(|row| {
            let wanted = [format!("UnmigratedPipeInput, \"{}@draw", row.name)];
            let (variable, class) = ("MOBILEGL_PIPE_POISON_OMIT", VerbClass::Draw);
            planted(test, variable, row.name, class, "0", &wanted)
        })
        .collect();
    assert!(
        found.is_empty(),
        "omitted groups that were not fatal by name:\n{}",
        found.join("\n")
    );
}

#[test]
fn poison_omission_is_fatal_by_name_control() {
    if child::is_child() {
        return real_program();
    }
    let ended = child::run(
        "arms::poison_omission_is_fatal_by_name_control",
        &[("MOBILEGL_PIPE_PUSH", "all")],
    );
    assert!(
        ended.success,
        "fatal without an omission: {}\n{}",
        ended.how, ended.text
    );
}

/// The body of a child: a clear, a blit, a read-back.
fn other_verbs() {
    let display = gl::Display::open(Lane::null);
    walk::run_once(
        Scenario::new(
            "framebuffer",
            "blit_matrix",
            programs::framebuffer::blit_matrix,
        ),
        display,
    );
}

/// Groups that verbs other than draws read, with each class of them that the program reaches.
fn of_other_verbs() -> Vec<(&'static GroupRow, VerbClass)> {
    [VerbClass::Clear, VerbClass::Blit, VerbClass::Readback]
        .into_iter()
        .flat_map(|class| {
            let read = GROUPS
                .iter()
                .filter(move |row| class.required().contains(row.group));
            read.map(move |row| (row, class))
        })
        .collect()
}

/// A corrupted field and an omitted group on a verb that is no draw are named with the verb and its ordinal.
#[test]
fn faults_on_other_verbs_are_named() {
    if child::is_child() {
        return other_verbs();
    }
    let test = "arms::faults_on_other_verbs_are_named";
    let mut found = Vec::new();
    for (row, class) in of_other_verbs() {
        if let Some((field, _)) = row.fields.first() {
            let wanted = [format!("VerifyMismatch, \"{field}@{}", class.name())];
            let variable = "MOBILEGL_PIPE_VERIFY_CORRUPT";
            found.extend(planted(test, variable, row.name, class, "1", &wanted));
        }
        let calls = match class {
            VerbClass::Readback => "read_pixels",
            VerbClass::Clear => "clear",
            VerbClass::Blit => "blit",
            _ => unreachable!("not in the list"),
        };
        let wanted = [format!("UnmigratedPipeInput, \"{}@{calls}", row.name)];
        found.extend(planted(
            test,
            "MOBILEGL_PIPE_POISON_OMIT",
            row.name,
            class,
            "0",
            &wanted,
        ));
    }
    assert!(
        found.is_empty(),
        "planted faults that were not named:\n{}",
        found.join("\n")
    );
}

#[test]
fn faults_on_other_verbs_are_named_control() {
    if child::is_child() {
        return other_verbs();
    }
    let ended = child::run(
        "arms::faults_on_other_verbs_are_named_control",
        &[("MOBILEGL_PIPE_PUSH", "all"), ("MOBILEGL_PIPE_VERIFY", "1")],
    );
    assert!(
        ended.success,
        "a difference without a planted fault: {}\n{}",
        ended.how, ended.text
    );
}

/// Bits whose own arm did not work, or whose other arm did: `counts` are (bit, this arm, the other).
fn idle_or_foreign(counts: &[(u64, u64, u64)]) -> Vec<String> {
    counts
        .iter()
        .filter(|(_, own, other)| *own == 0 || *other != 0)
        .map(|(bit, own, other)| {
            format!("bit {bit}: its arm worked {own} times, the other {other}")
        })
        .collect()
}

/// Per bit the sums over programs that reach all subsystems, under a mask of that bit alone or without it.
fn counts_of(pushed: bool) -> Vec<(u64, u64, u64)> {
    let display = gl::Display::open(Lane::null);
    let all = walk::implemented(display.library);
    let reaching = [
        Scenario::new(
            "programs",
            "uniform_block_instance_names",
            programs::programs::uniform_block_instance_names,
        ),
        Scenario::new(
            "textures",
            "sampled_set_staleness",
            programs::textures::sampled_set_staleness,
        ),
        Scenario::new(
            "readback",
            "bgra_readback",
            programs::readback::bgra_readback,
        ),
        Scenario::new(
            "vertex_input",
            "element_buffer_belongs_to_vao",
            programs::vertex_input::element_buffer_belongs_to_vao,
        ),
        Scenario::new(
            "transform_feedback",
            "transform_feedback_captures",
            programs::transform_feedback::transform_feedback_captures,
        ),
        Scenario::new(
            "compatibility",
            "client_arrays_in_every_draw",
            programs::compatibility::client_arrays_in_every_draw,
        ),
    ];
    all.bits()
        .map(|bit| {
            let one = config::PushMask(1 << bit.bit);
            let mask = if pushed { one } else { all.without(one) };
            let (mut own, mut other) = (0, 0);
            for scenario in reaching {
                for row in walk::arm_counts(scenario, display, mask) {
                    if row.bit == u64::from(bit.bit) {
                        own += if pushed { row.push } else { row.pull };
                        other += if pushed { row.pull } else { row.push };
                    }
                }
            }
            (u64::from(bit.bit), own, other)
        })
        .collect()
}

#[test]
fn arm_counters_prove_which_arm_worked() {
    for pushed in [true, false] {
        let counts = counts_of(pushed);
        assert!(!counts.is_empty(), "the library has bits");
        let found = idle_or_foreign(&counts);
        assert!(
            found.is_empty(),
            "pushed alone: {pushed}\n{}",
            found.join("\n")
        );
    }
}

#[test]
fn arm_counters_prove_which_arm_worked_control() {
    assert_eq!(
        idle_or_foreign(&[(0, 3, 0), (4, 0, 0), (7, 2, 1)]),
        [
            "bit 4: its arm worked 0 times, the other 0",
            "bit 7: its arm worked 2 times, the other 1"
        ]
    );
}
