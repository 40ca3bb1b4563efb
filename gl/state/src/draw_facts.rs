//! What every draw depends on besides its arguments, derived once per change: the steady draw path compares versions and loops over
//! nothing. It holds no state of its own.

use crate::context::{Context, Objects, Profile};
use crate::framebuffer_status::status;
use pipe::BufferId;
use pipe::program::Stage;
use std::cell::Cell;

/// What a steady draw looks at.
#[derive(Clone, Copy, Debug, Default)]
pub struct DrawGate {
    /// Bit n: mode n may be drawn from arrays. No bit: no draw is allowed.
    pub arrays: u32,
    /// Bit n: mode n may be drawn from indices.
    pub elements: u32,
    /// Bit n: binding point n feeds an enabled array from client memory.
    pub client_points: u32,
    /// A linked program is in use. Without one a draw does nothing.
    pub executable: bool,
    /// The program may write buffers: storage blocks, atomic counters, images.
    pub writes: bool,
    /// The program reads GL state from its default block.
    pub reads_state: bool,
}

/// Why a draw is allowed or not.
#[derive(Clone, Copy, Debug, Default)]
pub struct DrawFacts {
    /// Versions that the facts were derived from.
    key: [u64; 8],
    gate: DrawGate,
    /// A core profile's context without vertex array.
    pub no_array: bool,
    /// Completeness of the draw framebuffer: a value of [`status`].
    pub framebuffer_status: u32,
    /// An enabled array's buffer is mapped, and not persistently.
    pub array_mapped: bool,
    /// The element array buffer is.
    pub index_mapped: bool,
    /// Bit n: mode n may be drawn with the program.
    pub modes: u32,
    /// The last stage before rasterization is the vertex shader: a draw's mode is what a capture sees.
    pub vertex_only: bool,
}

/// The facts, remembered: a steady draw compares one number.
#[derive(Debug, Default)]
pub struct DrawMemo {
    /// Sum of the totals that nothing moved since. 0: never derived.
    stamp: Cell<u64>,
    gate: Cell<DrawGate>,
    facts: Cell<DrawFacts>,
}

/// Modes 0 to 6 and A to E (GL 4.6 table 10.1; 7 to 9 are quads and polygons, which core profiles lack).
const ALL_MODES: u32 = 0b0111_1100_0111_1111;

impl Context {
    /// What the next draw must pass.
    #[inline]
    pub fn draw_gate(&self, objects: &Objects) -> DrawGate {
        let stamp = self.generations.total() + objects.generations.total();
        if self.draw_memo.stamp.get() != stamp {
            self.look_again(stamp, objects);
        }
        self.draw_memo.gate.get()
    }

    /// The facts behind [`Self::draw_gate`], which was just asked for.
    pub fn draw_facts(&self) -> DrawFacts {
        self.draw_memo.facts.get()
    }

    /// Something moved: perhaps nothing that draws depend on.
    #[inline(never)]
    fn look_again(&self, stamp: u64, objects: &Objects) {
        let memo = &self.draw_memo;
        let key = self.draw_key(objects);
        if memo.facts.get().key != key {
            let facts = self.derive_draw_facts(key, objects);
            memo.gate.set(facts.gate);
            memo.facts.set(facts);
        }
        memo.stamp.set(stamp);
    }

    fn draw_key(&self, objects: &Objects) -> [u64; 8] {
        let (ours, shared) = (&self.generations, &objects.generations);
        let link = objects.programs.get(self.program);
        [
            ours.any_vao_attribute,
            ours.index_buffer,
            ours.any_framebuffer_attachment,
            ours.program,
            shared.mappings,
            shared.any_renderbuffer_change,
            shared.any_texture_content,
            link.map_or(0, |program| program.link_version),
        ]
    }

    fn derive_draw_facts(&self, key: [u64; 8], objects: &Objects) -> DrawFacts {
        let array = self.vertex_array();
        let mapped = |id: BufferId| {
            let mapping = objects.buffers.get(id).and_then(|buffer| buffer.mapping);
            mapping.is_some_and(|mapping| !mapping.is_persistent())
        };
        let mut facts = DrawFacts {
            key,
            framebuffer_status: self
                .framebuffer_facts(self.framebuffers.draw, objects)
                .status,
            index_mapped: mapped(array.index_buffer),
            modes: ALL_MODES,
            // GL 4.6 core §10.4: INVALID_OPERATION if no vertex array object is bound.
            no_array: self.vertex.bound == 0 && self.profile == Profile::Core,
            ..DrawFacts::default()
        };
        let gate = &mut facts.gate;
        for attrib in &array.attribs {
            if attrib.enabled == 0 {
                continue;
            }
            let point = usize::from(attrib.binding);
            let buffer = array.bindings[point].buffer;
            facts.array_mapped |= mapped(buffer);
            if buffer.is_null() {
                gate.client_points |= 1 << point;
            }
        }
        let program = objects.programs.get(self.program);
        if let Some(executable) = program.and_then(|program| program.executable.as_ref()) {
            let artifact = &executable.artifact;
            gate.executable = artifact.stage_mask.contains(Stage::Vertex);
            gate.writes = !(artifact.storage_blocks.is_empty()
                && artifact.atomic_buffers.is_empty()
                && artifact.images.is_empty());
            gate.reads_state = !artifact.state_members.is_empty();
            facts.vertex_only = artifact.geometry.is_none() && artifact.tess.is_none();
            facts.modes = accepted_modes(
                artifact.geometry.as_ref().map(|g| g.input),
                artifact.tess.is_some(),
            );
        }
        let allowed =
            !facts.no_array && !facts.array_mapped && facts.framebuffer_status == status::COMPLETE;
        if allowed {
            // Without a program every mode may be drawn: nothing happens.
            let modes = if gate.executable { facts.modes } else { !0 };
            gate.arrays = modes;
            gate.elements = if facts.index_mapped { 0 } else { modes };
        }
        facts
    }

    /// Fills in the GL state that the current program reads from its default block.
    #[cold]
    pub fn write_state_members(&self, objects: &mut Objects) {
        let height = self
            .framebuffer_facts(self.framebuffers.draw, objects)
            .height;
        let range = self.render_state.values().depth_ranges.ranges[0];
        let program = objects.programs.get_mut(self.program);
        let Some(executable) = program.and_then(|program| program.executable.as_mut()) else {
            return;
        };
        let members = executable.artifact.state_members;
        if let Some(offset) = members.frag_coord_height {
            executable.write_state(offset, &[height as f32], &mut objects.generations);
        }
        if let Some(offset) = members.depth_range {
            let values = [
                range.near as f32,
                range.far as f32,
                (range.far - range.near) as f32,
            ];
            executable.write_state(offset, &values, &mut objects.generations);
        }
    }

    /// Whether draws have anywhere to go.
    pub fn draw_framebuffer_complete(&self, objects: &Objects) -> bool {
        self.framebuffer_facts(self.framebuffers.draw, objects)
            .status
            == status::COMPLETE
    }
}

/// Modes that a program with this geometry input (GL_POINTS, GL_LINES ...) and tessellation takes: GL 4.6 §11.3.1 and §10.1.15,
/// "GL_PATCHES with and only with tessellation".
fn accepted_modes(geometry_input: Option<u32>, tessellation: bool) -> u32 {
    const PATCHES: u32 = 1 << 0xE;
    if tessellation {
        return PATCHES;
    }
    match geometry_input {
        None => ALL_MODES & !PATCHES,
        Some(0) => 1,             // points
        Some(1) => 0b1110,        // lines, loops, strips
        Some(0xA) => 0b11 << 0xA, // lines with adjacency
        Some(4) => 0b111_0000,    // triangles, strips, fans
        Some(0xC) => 0b11 << 0xC, // triangles with adjacency
        Some(_) => ALL_MODES & !PATCHES,
    }
}

#[cfg(test)]
mod tests {
    use super::accepted_modes;

    #[test]
    fn geometry_input_limits_modes_to_its_family() {
        assert_eq!(accepted_modes(Some(4), false), 0b111_0000);
        assert_eq!(accepted_modes(Some(0), false), 1);
        assert_eq!(accepted_modes(None, true), 1 << 14);
        assert_eq!(accepted_modes(None, false) & (1 << 14), 0);
    }
}
