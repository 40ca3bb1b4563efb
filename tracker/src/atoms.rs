//! The atoms: what the tracker does before a verb, in the one order it does it. A row says which stage an atom belongs to, which
//! group it validates and which generations can make it necessary. Nothing outside this list tells state.

use crate::{Job, Tracker};
use gl_state::{Generation, Moved};
use pipe_inputs::{Group, GroupMask};

/// The order inside a verb, over all arms: resources before what refers to them, constant state objects before sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Stage {
    Resources = 0,
    Csos,
    Sets,
}

/// Every stage, in order.
pub const STAGES: [Stage; 3] = [Stage::Resources, Stage::Csos, Stage::Sets];

macro_rules! atoms {
    ($($(#[$doc:meta])* $index:literal $name:ident: $stage:ident, $group:ident, [$($gate:ident)*];)*) => {
        /// An atom.
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Atom { $($(#[$doc])* $name = $index,)* }

        /// One row of the list.
        #[derive(Clone, Copy, Debug)]
        pub struct AtomRow {
            pub atom: Atom,
            pub name: &'static str,
            pub stage: Stage,
            pub group: Group,
            /// While nothing of this moves, there is nothing to do. The atom's own gate may be finer.
            pub gate: Moved,
        }

        /// The rows, in order of execution.
        pub const ATOMS: &[AtomRow] = &[$(AtomRow {
            atom: Atom::$name,
            name: stringify!($name),
            stage: Stage::$stage,
            group: Group::$group,
            gate: Moved::of(&[$(Generation::$gate),*]),
        }),*];

        impl Tracker {
            /// Runs these atoms, in order.
            pub(crate) fn run_atoms(&mut self, atoms: AtomSet, job: &mut Job<'_>) {
                let mut rest = atoms.0;
                while rest != 0 {
                    let index = rest.trailing_zeros();
                    let before = self.before_atom(job);
                    match index {
                        $($index => self.$name(job),)*
                        _ => unreachable!("a set holds atoms"),
                    }
                    self.after_atom(index, before, job);
                    rest &= rest - 1;
                }
            }
        }
    };
}

atoms! {
    /// Buffers that were marked and not told yet; buffers that ended.
    0 buffers: Resources, buffers, [emission];
    /// Textures that the verb reaches; textures that ended.
    1 textures: Resources, textures, [emission texture_bindings program any_program_change any_framebuffer_attachment];
    /// Renderbuffers that are attached; renderbuffers that ended.
    2 renderbuffers: Resources, framebuffer, [emission any_framebuffer_attachment];
    /// Pipeline subset as a CSO.
    3 render_state_cso: Csos, render_state, [render_state];
    /// Attribute formats as a CSO.
    4 vertex_elements: Csos, vertex_elements, [any_vao_attribute];
    /// Dynamic chunks.
    5 dynamic_state: Sets, render_state, [render_state];
    /// Pack parameters.
    6 pixel_pack: Sets, pixel_pack, [pixel_pack];
    /// Patch parameters.
    7 patch_state: Sets, patch_state, [patch];
    /// Current attribute values.
    8 attrib_defaults: Sets, attrib_defaults, [attrib_defaults];
    /// Buffers of binding points.
    9 vertex_buffers: Sets, vertex_buffers, [any_vao_attribute];
    /// The element array buffer.
    10 index_buffer: Sets, index_buffer, [index_buffer];
    /// Sources of indirect commands.
    11 indirect_buffers: Sets, indirect_buffers, [indirect_bindings];
    /// Attachments and read surfaces.
    12 framebuffer: Sets, framebuffer, [any_framebuffer_attachment any_renderbuffer_change any_texture_content];
    /// What the program's units read.
    13 sampler_views: Sets, sampler_views, [texture_bindings program any_program_change any_texture_params any_texture_content];
    /// Sampler state of the program's units.
    14 sampler_states: Sets, sampler_states, [texture_bindings program any_program_change any_texture_params any_texture_content];
    /// Image units.
    15 shader_images: Sets, shader_images, [image_bindings];
    /// Program of draws, its constants and units.
    16 draw_program: Sets, draw_program, [program any_program_change];
    /// Program of dispatches, likewise.
    17 dispatch_program: Sets, dispatch_program, [program any_program_change];
    /// Uniform block ranges.
    18 uniform_buffers: Sets, uniform_buffers, [buffer_bindings any_buffer_change];
    /// Storage block ranges.
    19 storage_buffers: Sets, storage_buffers, [buffer_bindings any_buffer_change];
    /// Atomic counter ranges.
    20 atomic_buffers: Sets, atomic_buffers, [buffer_bindings any_buffer_change];
    /// Transform feedback ranges.
    21 stream_output: Sets, stream_output, [stream_output any_buffer_change];
}

const _: () = {
    assert!(ATOMS.len() <= 32, "a set of atoms has 32 bits");
    let (mut i, mut groups) = (0, 0u32);
    while i < ATOMS.len() {
        assert!(
            ATOMS[i].atom as usize == i,
            "atoms are dense and stand in order of execution"
        );
        assert!(
            i == 0 || ATOMS[i - 1].stage as u8 <= ATOMS[i].stage as u8,
            "stages ascend"
        );
        groups |= 1 << ATOMS[i].group as u32;
        i += 1;
    }
    assert!(groups == GroupMask::ALL.0, "every group has an atom");
};

/// A set of atoms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AtomSet(u32);

/// Atoms by the generation that can make them necessary.
const BY_GENERATION: [AtomSet; Moved::COUNT] = {
    let mut table = [AtomSet(0); Moved::COUNT];
    let (mut i, mut generation) = (0, 0);
    while i < ATOMS.len() {
        while generation < Moved::COUNT {
            if ATOMS[i].gate.has(generation) {
                table[generation].0 |= 1 << i;
            }
            generation += 1;
        }
        generation = 0;
        i += 1;
    }
    table
};

/// Atoms by stage.
const BY_STAGE: [AtomSet; STAGES.len()] = {
    let mut table = [AtomSet(0); STAGES.len()];
    let mut i = 0;
    while i < ATOMS.len() {
        table[ATOMS[i].stage as usize].0 |= 1 << i;
        i += 1;
    }
    table
};

impl AtomSet {
    pub const NONE: Self = Self(0);

    /// The atoms of these groups.
    pub fn of_groups(groups: GroupMask) -> Self {
        let rows = ATOMS.iter().filter(|row| groups.contains(row.group));
        Self(rows.fold(0, |set, row| set | 1 << row.atom as u32))
    }

    /// The atoms that this can make necessary.
    #[inline]
    pub(crate) fn of_moved(moved: Moved) -> Self {
        moved.indices().fold(Self::NONE, |set, index| {
            Self(set.0 | BY_GENERATION[index].0)
        })
    }

    /// Those of one stage.
    #[inline]
    pub(crate) fn of_stage(self, stage: Stage) -> Self {
        Self(self.0 & BY_STAGE[stage as usize].0)
    }

    #[inline]
    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// Planted faults: atoms that do nothing. Empty outside of negative controls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    skipped: u32,
}

impl Faults {
    /// The atom does nothing from now on.
    pub fn skip(&mut self, atom: Atom) {
        self.skipped |= 1 << atom as u32;
    }

    /// The atoms of a set that are to do something.
    #[inline]
    pub(crate) fn spare(self, atoms: AtomSet) -> AtomSet {
        AtomSet(atoms.0 & !self.skipped)
    }

    /// Whether an atom is to do nothing.
    pub fn skips(self, atom: Atom) -> bool {
        self.skipped & (1 << atom as u32) != 0
    }
}
