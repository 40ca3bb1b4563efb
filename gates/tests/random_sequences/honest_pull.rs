//! What the pull arm reads of a context for a draw, by the gate that it stands before: the figures of docs/honest-pull.md come from
//! this run. A pull that read more than a good pull backend would make every comparison with push worthless.

use crate::op::Op;
use crate::world::World;

/// Everything is pulled.
const NONE: u64 = 0;
/// Draws that are counted for a row.
const DRAWS: u8 = 8;
/// Reads of a draw before which nothing changed: the cap.
const CAP: u64 = 10;

/// Rows of the table: what happens before each draw.
type Change = fn(u8) -> Option<Op>;
const ROWS: [(&str, Change); 9] = [
    ("nothing", |_| None),
    ("blend switched", |n| Some(Op::Blend(u32::from(n % 2)))),
    ("viewport moved", |n| Some(Op::Viewport(n % 2))),
    ("uniform set", |n| Some(Op::Uniform(0, u32::from(n)))),
    ("texture bound", |n| Some(Op::BindTexture(0, n % 2))),
    ("program switched", |n| Some(Op::Use(n % 2))),
    ("vertex array bound", |n| Some(Op::BindArray(n % 2))),
    ("buffer written", |n| Some(Op::Write(0, n % 4))),
    ("texels written", |_| Some(Op::TexRegion(0))),
];

/// Two of everything, drawn with once each.
fn world() -> World {
    let mut world = World::new(NONE);
    let both = |op: fn(u8) -> Op| [op(0), op(1)];
    let mut ops = vec![Op::CreateTexture, Op::CreateTexture];
    ops.extend(both(|n| Op::TexImage(n, 0, 2)));
    ops.extend([Op::CreateBuffer, Op::CreateBuffer]);
    ops.extend(both(|n| Op::Storage(n, 2)));
    for n in [0, 1] {
        ops.extend([
            Op::CreateArray,
            Op::VertexBuffer(0, n, 0),
            Op::Enable(0, true),
        ]);
    }
    ops.extend(both(Op::Link));
    for n in [1, 0] {
        ops.extend([Op::Use(n), Op::BindTexture(0, n), Op::BindArray(n)]);
        ops.push(Op::Verb(0));
    }
    for op in &ops {
        step(&mut world, op);
    }
    world
}

fn step(world: &mut World, op: &Op) {
    match op {
        Op::Verb(class) => world.verb(*class).expect("nothing is planted"),
        _ => world.apply(op),
    }
}

/// A row: what changed, reads of a draw before all gates and in all, and where they went.
fn row(name: &str, change: Change) -> (u64, String) {
    let mut world = world();
    // The first of each kind may meet something new.
    let draws = |world: &mut World, count: u8| {
        for n in 0..count {
            if let Some(op) = change(n + 1) {
                step(world, &op);
            }
            step(world, &Op::Verb(0));
        }
    };
    draws(&mut world, 2);
    let before = world.contexts[0].1.legacy.reads();
    draws(&mut world, DRAWS);
    let reads = world.contexts[0].1.legacy.reads().since(&before);
    let per_draw = |count: u64| count as f64 / reads.verbs as f64;
    let gates: Vec<String> = reads
        .by_group()
        .map(|(group, count)| format!("{group} {}", per_draw(count)))
        .collect();
    let text = format!(
        "| {name} | {} | {} | {} |",
        per_draw(reads.total()),
        per_draw(reads.versions),
        gates.join(", ")
    );
    (reads.total().div_ceil(reads.verbs), text)
}

/// Rows that a page lacks.
fn lacking<'a>(page: &str, rows: &'a [String]) -> Vec<&'a str> {
    let lines: Vec<&str> = page.lines().map(str::trim).collect();
    let lacks = |row: &&str| !lines.contains(row);
    rows.iter().map(String::as_str).filter(lacks).collect()
}

#[test]
fn pull_reads_what_the_page_says() {
    let rows: Vec<(u64, String)> = ROWS
        .iter()
        .map(|(name, change)| row(name, *change))
        .collect();
    assert!(
        rows[0].0 <= CAP,
        "an unchanged draw is read {} times: {}",
        rows[0].0,
        rows[0].1
    );
    let path = xtask::root().join("docs/honest-pull.md");
    let page = std::fs::read_to_string(path).unwrap_or_default();
    let rows: Vec<String> = rows.into_iter().map(|(_, row)| row).collect();
    let found = lacking(&page, &rows);
    assert!(
        found.is_empty(),
        "docs/honest-pull.md: its table is of another pull arm; the rows are now\n{}",
        rows.join("\n")
    );
}

#[test]
fn pull_reads_what_the_page_says_control() {
    // A draw that has something to tell is counted higher, so the count does not stand still.
    let (unchanged, text) = row(ROWS[0].0, ROWS[0].1);
    let (changed, _) = row(ROWS[1].0, ROWS[1].1);
    assert!(changed > unchanged, "{changed} is not above {unchanged}");
    let page = text.replace("| nothing |", "| something |");
    assert_eq!(lacking(&page, std::slice::from_ref(&text)), [text.as_str()]);
    assert_eq!(lacking(&text, std::slice::from_ref(&text)), [""; 0]);
}
