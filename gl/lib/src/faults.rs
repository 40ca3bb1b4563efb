//! Planted faults: what `MOBILEGL_PIPE_FAULT` can name, made from the tables, each with what a search for it should find. It plants
//! what it is told; it judges nothing.
//!
//! A text is a list of faults separated by commas. Faults joined by `+` strike only where every one of them finds its bit pushed: two
//! subsystems that are wrong together only.

use config::{BITS, PushMask};
use gl_entry::{EntryPoint, thunk};
use gl_state::bump::{self, Site};
use gl_state::generations::{Moved, NAMED};
use pipe::HandleKind;
use pipe_inputs::{GROUPS, Group, GroupRow, VERB_CLASSES, VerbClass};
use std::fmt;
use tracker::{ATOMS, Atom};

/// One planted fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An atom of the tracker does nothing.
    Skip(Atom),
    /// The push arm does not tell a group before verbs of a class, and vouches for it all the same.
    Omit(Group, VerbClass),
    /// No arm tells a group again after the first verb that may read it.
    Stale(Group),
    /// The pull arm alone does not.
    Pull(Group),
    /// A mutator does not bump one of its versions or generations.
    Drop(Site),
    /// A command does nothing.
    Noop(EntryPoint),
    /// Driver objects of one kind, or of every kind, are found by slot alone, as if by an address that came back.
    Address(Memo),
    /// Every verb takes so many steps more: a planted cost, for measurements. It is in no list.
    Burn(u32),
    /// Verification hears something else than what was told. It is in no list either: nothing that draws is wrong.
    Ear(&'static str),
}

/// Kinds of driver objects that are found by identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memo {
    All,
    /// The backend's twins of a kind.
    Twins(HandleKind),
}

/// Every one of them, with its name.
const MEMOS: [(&str, Memo); 9] = [
    ("address", Memo::All),
    ("buffers", Memo::Twins(HandleKind::Buffer)),
    ("textures", Memo::Twins(HandleKind::Texture)),
    ("renderbuffers", Memo::Twins(HandleKind::Renderbuffer)),
    ("samplers", Memo::Twins(HandleKind::Sampler)),
    ("programs", Memo::Twins(HandleKind::Shader)),
    ("fences", Memo::Twins(HandleKind::Fence)),
    ("queries", Memo::Twins(HandleKind::Query)),
    ("surfaces", Memo::Twins(HandleKind::Surface)),
];

/// What an ear can miss.
const EARS: [&str; 5] = ["region", "union", "twice", "upload", "rot"];

impl Fault {
    /// Every fault, in the order of the tables.
    pub fn all() -> Vec<Fault> {
        let mut all: Vec<Fault> = ATOMS.iter().map(|row| Fault::Skip(row.atom)).collect();
        for row in GROUPS {
            let classes = VERB_CLASSES
                .into_iter()
                .filter(|class| class.required().contains(row.group));
            all.extend(classes.map(|class| Fault::Omit(row.group, class)));
        }
        all.extend(GROUPS.iter().map(|row| Fault::Stale(row.group)));
        all.extend(GROUPS.iter().map(|row| Fault::Pull(row.group)));
        all.extend(Site::all().map(Fault::Drop));
        all.extend(
            thunk::implemented()
                .iter()
                .map(|(entry, _)| Fault::Noop(*entry)),
        );
        all.extend(MEMOS.iter().map(|(_, memo)| Fault::Address(*memo)));
        all
    }

    fn parse(text: &str) -> Result<Fault, String> {
        // A generation of names is stable; the table of 700 is small enough to be walked, once per context that plants something.
        let all = Fault::all();
        let wanted = text.trim();
        all.into_iter()
            .find(|fault| fault.to_string() == wanted)
            .or_else(|| Fault::by_other_name(wanted))
            .ok_or_else(|| {
                format!("`{wanted}` is no fault of this build; `mobilegl faults` lists them")
            })
    }

    /// A group by one of its fields, a verb by its call: as messages name them. What is in no list.
    fn by_other_name(text: &str) -> Option<Fault> {
        let (kind, name) = text.split_once(':')?;
        if kind == "burn" {
            return name.parse().ok().map(Fault::Burn);
        }
        if kind == "ear" {
            return EARS.into_iter().find(|ear| *ear == name).map(Fault::Ear);
        }
        let target = crate::targets::Target::parse(name)?;
        match kind {
            "stale" => Some(Fault::Stale(target.group)),
            "pull" => Some(Fault::Pull(target.group)),
            "omit" => Some(Fault::Omit(target.group, target.class?)),
            _ => None,
        }
    }

    /// Of the push arm: it strikes only where the bit is pushed.
    fn group(self) -> Option<Group> {
        match self {
            Fault::Skip(atom) => Some(ATOMS[atom as usize].group),
            Fault::Omit(group, _) | Fault::Stale(group) | Fault::Pull(group) => Some(group),
            Fault::Drop(_)
            | Fault::Noop(_)
            | Fault::Address(_)
            | Fault::Burn(_)
            | Fault::Ear(_) => None,
        }
    }

    fn is_pushed(self) -> bool {
        matches!(self, Fault::Skip(_) | Fault::Omit(..))
    }

    /// What a search should find: the bit that separates the fault, if one does.
    pub fn bit(self) -> Option<&'static str> {
        match self {
            Fault::Skip(_) | Fault::Omit(..) | Fault::Pull(_) => self.group().map(bit_of),
            Fault::Stale(_)
            | Fault::Drop(_)
            | Fault::Noop(_)
            | Fault::Address(_)
            | Fault::Burn(_)
            | Fault::Ear(_) => None,
        }
    }

    /// Which arm of that bit is wrong.
    pub fn arm(self) -> Option<&'static str> {
        match self {
            Fault::Skip(_) | Fault::Omit(..) => Some("push"),
            Fault::Pull(_) => Some("pull"),
            Fault::Stale(_)
            | Fault::Drop(_)
            | Fault::Noop(_)
            | Fault::Address(_)
            | Fault::Burn(_)
            | Fault::Ear(_) => None,
        }
    }

    /// Groups whose fields verification may name.
    pub fn groups(self) -> Vec<Group> {
        match self {
            Fault::Drop(site) => {
                let bump = site.bump();
                let named = NAMED.iter().find(|(name, _)| *name == bump);
                let moved = named.map_or(Moved::NONE, |(_, generation)| Moved::of(&[*generation]));
                let gates = ATOMS
                    .iter()
                    .filter(|row| row.gate.meets(moved) || reads(row.group, bump));
                gates.map(|row| row.group).collect()
            }
            Fault::Noop(_) | Fault::Address(_) | Fault::Burn(_) | Fault::Ear(_) => Vec::new(),
            _ => self.group().into_iter().collect(),
        }
    }
}

/// Versions of single objects, and what an atom looks at behind its gate.
fn reads(group: Group, bump: &str) -> bool {
    let textures = matches!(
        group,
        Group::textures | Group::sampler_views | Group::sampler_states | Group::framebuffer
    );
    let buffers = matches!(
        group,
        Group::buffers
            | Group::vertex_buffers
            | Group::uniform_buffers
            | Group::storage_buffers
            | Group::atomic_buffers
            | Group::stream_output
    );
    match bump {
        "version" | "pipeline_version" => matches!(group, Group::render_state | Group::framebuffer),
        "elements_version" | "buffers_version" => {
            matches!(group, Group::vertex_elements | Group::vertex_buffers)
        }
        "link_version" | "constants_version" | "bindings_version" => {
            matches!(
                group,
                Group::draw_program
                    | Group::dispatch_program
                    | Group::sampler_views
                    | Group::sampler_states
                    | Group::shader_images
            ) || buffers
        }
        "program" | "any_program_change" => textures || buffers || group == Group::shader_images,
        "serial" => textures || buffers,
        "storage_serial" | "any_buffer_change" | "mappings" => buffers || textures,
        "shape_serial"
        | "content_serial"
        | "params_serial"
        | "texture_bindings"
        | "any_texture_content"
        | "any_texture_params" => textures,
        "any_renderbuffer_change" => group == Group::framebuffer,
        "any_vao_attribute" => matches!(
            group,
            Group::vertex_elements | Group::vertex_buffers | Group::index_buffer
        ),
        _ => false,
    }
}

fn row(group: Group) -> &'static GroupRow {
    &GROUPS[group as usize]
}

/// The subsystem bit that owns a group.
fn bit_of(group: Group) -> &'static str {
    let bit = row(group).bit;
    BITS.iter()
        .find(|known| known.bit == bit)
        .map_or("?", |known| known.name)
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Skip(atom) => write!(f, "atom:{}", ATOMS[*atom as usize].name),
            Fault::Omit(group, class) => write!(f, "omit:{}@{}", row(*group).name, class.name()),
            Fault::Stale(group) => write!(f, "stale:{}", row(*group).name),
            Fault::Pull(group) => write!(f, "pull:{}", row(*group).name),
            Fault::Drop(site) => write!(f, "drop:{}", site.name()),
            Fault::Noop(entry) => write!(f, "noop:{}", entry.name()),
            Fault::Burn(steps) => write!(f, "burn:{steps}"),
            Fault::Ear(name) => write!(f, "ear:{name}"),
            Fault::Address(memo) => {
                let name = MEMOS.iter().find(|(_, known)| known == memo);
                write!(f, "twins:{}", name.map_or("?", |(name, _)| name))
            }
        }
    }
}

/// What a text plants: clauses, of which every fault must find its bit pushed.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    clauses: Vec<Vec<Fault>>,
}

impl Plan {
    /// Reads `MOBILEGL_PIPE_FAULT`.
    pub fn parse(text: &str) -> Result<Plan, String> {
        let mut plan = Plan::default();
        for clause in text.split(',').filter(|clause| !clause.trim().is_empty()) {
            let faults = clause
                .split('+')
                .map(Fault::parse)
                .collect::<Result<Vec<_>, _>>()?;
            if faults.len() > 1 && !faults.iter().all(|fault| fault.is_pushed()) {
                return Err(format!(
                    "`{clause}`: only faults of the push arm (atom:, omit:) are joined by `+`"
                ));
            }
            plan.clauses.push(faults);
        }
        Ok(plan)
    }

    /// Faults that strike under a bitmap.
    pub fn armed(&self, mask: PushMask) -> impl Iterator<Item = Fault> {
        let armed = self.clauses.iter().filter(move |clause| {
            clause.len() == 1
                || clause.iter().all(|fault| {
                    let bit = fault.group().map(|group| row(group).bit);
                    bit.is_none_or(|bit| mask.0 & 1 << bit != 0)
                })
        });
        armed.flatten().copied()
    }

    /// What verification's ear misses.
    #[cfg(feature = "verify")]
    pub fn ear(&self) -> Option<&'static str> {
        let all = self.clauses.iter().flatten();
        all.filter_map(|fault| match fault {
            Fault::Ear(name) => Some(*name),
            _ => None,
        })
        .next()
    }

    /// Plants what belongs to the process, not to an arm: the last context that is made rules.
    pub fn plant_in_process(&self) {
        let (mut sites, mut commands) = (Vec::new(), Vec::new());
        for fault in self.clauses.iter().flatten() {
            match fault {
                Fault::Drop(site) => sites.push(*site),
                Fault::Noop(entry) => commands.push(*entry),
                Fault::Skip(_)
                | Fault::Omit(..)
                | Fault::Stale(_)
                | Fault::Pull(_)
                | Fault::Address(_)
                | Fault::Burn(_)
                | Fault::Ear(_) => {}
            }
        }
        bump::plant(&sites);
        thunk::plant_noops(&commands);
    }

    /// Steps of a planted cost.
    pub fn burnt(&self) -> u32 {
        let steps = self.clauses.iter().flatten().map(|fault| match fault {
            Fault::Burn(steps) => *steps,
            _ => 0,
        });
        steps.max().unwrap_or(0)
    }

    /// Whose tables of driver objects forget generations, `Some(None)`: all: chosen when the backend is opened.
    #[cfg(feature = "pull")]
    pub fn forgotten(&self) -> Option<Option<HandleKind>> {
        let mut all = self.clauses.iter().flatten();
        all.find_map(|fault| {
            let Fault::Address(memo) = fault else {
                return None;
            };
            match memo {
                Memo::All => Some(None),
                Memo::Twins(kind) => Some(Some(*kind)),
            }
        })
    }
}

/// All faults as JSON, an object each: its name, the bit that separates it (null: code that all arms share), which arm of that bit is
/// wrong, the bits in one arm of which alone it may show, the fields that verification may name (a prefix each), and for a command the version of OpenGL that it
/// came with.
pub fn report() -> String {
    let rows: Vec<serde_json::Value> = Fault::all().into_iter().map(described).collect();
    serde_json::Value::Array(rows).to_string()
}

fn described(fault: Fault) -> serde_json::Value {
    let since = match fault {
        Fault::Noop(entry) => thunk::implemented()
            .iter()
            .find(|(known, _)| *known == entry)
            .map(|(_, since)| *since),
        _ => None,
    };
    let groups = fault.groups();
    let mut shows: Vec<&str> = groups.iter().map(|group| bit_of(*group)).collect();
    shows.dedup();
    let fields: Vec<&str> = groups.into_iter().flat_map(fields_of).collect();
    serde_json::json!({
        "name": fault.to_string(),
        "bit": fault.bit(),
        "arm": fault.arm(),
        "shows": shows,
        "fields": fields,
        "since": since,
    })
}

/// As verification names them: fields, or prefixes of descriptions and contents of objects.
fn fields_of(group: Group) -> Vec<&'static str> {
    match group {
        Group::buffers => vec!["buffer["],
        Group::textures => vec!["texture[", "texture_params"],
        Group::framebuffer => vec!["framebuffer", "renderbuffer["],
        _ => row(group).fields.iter().map(|(field, _)| *field).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_faults_are_distinct_and_read_back() {
        let all = Fault::all();
        let mut names: Vec<String> = all.iter().map(Fault::to_string).collect();
        for fault in all.iter().step_by(17) {
            assert_eq!(Fault::parse(&fault.to_string()), Ok(*fault));
        }
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all.len());
    }

    #[test]
    fn every_dropped_bump_has_fields_that_verification_may_name() {
        for site in Site::all() {
            assert!(!Fault::Drop(site).groups().is_empty(), "{}", site.name());
        }
    }

    #[test]
    fn joined_faults_strike_where_both_bits_are_pushed_only() {
        let plan = Plan::parse("atom:render_state_cso+omit:framebuffer@draw")
            .expect("two faults of the push arm");
        assert_eq!(plan.armed(PushMask::RENDER_STATE).count(), 0);
        assert_eq!(
            plan.armed(PushMask::RENDER_STATE.union(PushMask::FRAMEBUFFER))
                .count(),
            2
        );
        assert!(Plan::parse("atom:render_state_cso+noop:glClear").is_err());
        assert!(Plan::parse("atom:nothing").is_err());
        assert_eq!(
            Plan::parse("stale:state").expect("a field").clauses,
            [[Fault::Stale(Group::render_state)]]
        );
        assert_eq!(
            Plan::parse("")
                .expect("nothing")
                .armed(PushMask::ALL)
                .count(),
            0
        );
    }
}
