//! Push: what moved since the last verb is told, and nothing else. It never reads a value whose version stands, and it knows no
//! other arm.
//!
//! A verb before which nothing moved costs one compare. Otherwise those atoms ([`atoms`]) run, in their order, whose generations
//! moved; each compares its own gate, resolves what its gate lets through, and tells it if the resolved value is another one than
//! told last. Contents and storage of objects are drained from the emission, whose cursors all arms share.
#![forbid(unsafe_code)]

pub mod atoms;
mod buffers;
pub mod cache;
mod framebuffer;
mod gates;
mod images;
mod out;
mod programs;
mod ranges;
mod render_state;
mod slots;
mod textures;
mod units;
mod values;
mod vertex;

pub use atoms::{ATOMS, Atom, AtomRow, AtomSet, Faults, STAGES, Stage};
pub use gates::GateCounts;
pub use out::{Calls, Out};

use cache::CsoCounts;
use gl_state::{Emission, Moved, Versions, View};
use pipe::{BufferId, RenderbufferId, TextureId};
use pipe_inputs::{VERB_CLASSES, VerbClass};

/// Works for one verb or one operation at call time.
pub struct Job<'a> {
    pub class: VerbClass,
    /// What a texture operation works on, else null.
    pub texture: TextureId,
    pub view: View<'a>,
    pub emission: &'a mut Emission,
    pub out: Out<'a>,
}

/// The push arm of one context: versions and values told last.
#[derive(Debug, Default)]
pub struct Tracker {
    /// By verb class: when nothing of this moved, nothing is to be told.
    seen: [Option<Versions>; VERB_CLASSES.len()],
    /// Verbs that had something to tell: the clock of the CSO caches.
    verb: u64,
    /// Negative control: every change of the pipeline subset mints a CSO.
    no_cso_addressing: bool,
    faults: Faults,
    gates: gates::Gates,
    render_state: render_state::Memory,
    values: values::Memory,
    vertex: vertex::Memory,
    framebuffer: framebuffer::Memory,
    textures: textures::Memory,
    units: units::Memory,
    programs: programs::Memory,
    ranges: ranges::Memory,
    images_gate: u64,
}

impl Tracker {
    /// The arm of a fresh context, whose executing side knows nothing.
    pub fn new(no_cso_addressing: bool) -> Self {
        Self {
            no_cso_addressing,
            ..Self::default()
        }
    }

    /// Opens a verb of this class: what is to be done, of these atoms. Nothing: everything was told already.
    pub fn begin(
        &mut self,
        class: VerbClass,
        texture: TextureId,
        atoms: AtomSet,
        view: View<'_>,
        emission: &Emission,
    ) -> AtomSet {
        let serial = emission.serial;
        let moved = match &mut self.seen[class as usize] {
            Some(seen) => {
                let moved = seen.advance(view, serial);
                // What an operation on a texture needs told is not in any version.
                if texture.is_null() { moved } else { Moved::ALL }
            }
            seen @ None => {
                *seen = Some(Versions::of(view, serial));
                Moved::ALL
            }
        };
        let due = self.faults.spare(AtomSet::of_moved(moved).and(atoms));
        if due != AtomSet::NONE {
            self.verb += 1;
        }
        due
    }

    /// Runs the atoms of one stage.
    pub fn run(&mut self, stage: Stage, due: AtomSet, job: &mut Job<'_>) {
        self.run_atoms(due.of_stage(stage), job);
    }

    /// Storage or bytes of a buffer changed: told at once.
    pub fn buffer_changed(&mut self, id: BufferId, job: &mut Job<'_>) {
        if !self.faults.skips(Atom::buffers) {
            job.bury_buffers();
            job.tell_buffer(id);
        }
    }

    /// A texture must be whole before the next call that names it.
    pub fn texture_needed(&mut self, id: TextureId, job: &mut Job<'_>) {
        job.bury_textures();
        job.tell_texture(id);
    }

    /// As above, for a renderbuffer.
    pub fn renderbuffer_needed(&mut self, id: RenderbufferId, job: &mut Job<'_>) {
        job.tell_renderbuffer(id);
    }

    /// Objects ended: those whose bit is in `mask` are buried at once.
    pub fn objects_died(&mut self, mask: u64, job: &mut Job<'_>) {
        if mask & 1 << 4 != 0 {
            job.bury_buffers();
        }
        if mask & 1 << 6 != 0 {
            job.bury(pipe::HandleKind::Renderbuffer, 6);
        }
        if mask & 1 << 7 != 0 {
            job.bury_textures();
        }
        if mask & 1 << 10 != 0 {
            job.bury_shaders();
        }
    }

    /// A frame ended: views of textures that are gone are dropped at the next verb.
    pub fn frame_boundary(&mut self) {
        self.units.sweep_due = true;
    }

    /// The bitmap changed: all state is told again. Contents are not: their cursors are the storage owner's.
    pub fn forget(&mut self, no_cso_addressing: bool) {
        self.no_cso_addressing = no_cso_addressing;
        self.seen = Default::default();
        self.render_state.forget();
        self.values = values::Memory::default();
        self.vertex.forget();
        self.framebuffer.forget();
        self.textures = textures::Memory::default();
        self.units.forget();
        self.programs.forget();
        self.ranges.forget();
        self.images_gate = 0;
    }

    /// The context ends: its CSOs go.
    pub fn retire(&mut self, job: &mut Job<'_>) {
        self.render_state.retire(job);
        self.vertex.retire(job);
        self.units.retire(job);
        self.forget(self.no_cso_addressing);
    }

    /// Plants faults.
    pub fn plant(&mut self, faults: Faults) {
        self.faults = faults;
    }

    /// What the CSO caches did: `(kind, counts)`.
    pub fn cso_counts(&self) -> [(&'static str, CsoCounts); 3] {
        [
            ("render_state", self.render_state.counts()),
            ("vertex_elements", self.vertex.counts()),
            ("sampler", self.units.counts()),
        ]
    }
}
