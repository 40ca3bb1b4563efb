//! The residual block: value groups whose own call is not in force travel as values, member by member. It tells nothing else.

use crate::{Job, LegacyPull};
use pipe::ResidualValueState;
use pipe_inputs::{Group, GroupMask};
use residual_block::{ResidualValues, Row, encode};
use verify::shadow;

/// Versions told last, by row; 0: never.
#[derive(Debug, Default)]
pub(crate) struct Told {
    versions: [u64; Row::ALL.len()],
    block: Vec<u8>,
}

/// The group that a row carries.
fn group(row: Row) -> Group {
    match row {
        Row::RenderState => Group::render_state,
        Row::PixelPack => Group::pixel_pack,
        Row::PatchState => Group::patch_state,
        Row::AttribDefaults => Group::attrib_defaults,
    }
}

impl LegacyPull {
    pub(crate) fn residual(&mut self, mask: GroupMask, job: &mut Job<'_>) {
        let ctx = job.view.ctx;
        let mut rows = 0;
        for row in Row::ALL.iter().filter(|row| mask.contains(group(**row))) {
            let version = match row {
                Row::RenderState => ctx.render_state.version(),
                Row::PixelPack => ctx.generations.pixel_pack,
                Row::PatchState => ctx.generations.patch,
                Row::AttribDefaults => ctx.generations.attrib_defaults,
            };
            *self.reads.of(group(*row)) += 1;
            let told = &mut self.residual.versions[*row as usize];
            if *told != version {
                *told = version;
                rows |= row.bit();
            }
        }
        if rows == 0 {
            return;
        }
        let values = ResidualValues {
            render_state: *shadow::render_state(job.view),
            pack: shadow::pixel_pack(job.view),
            patch: shadow::patch_state(job.view),
            attrib_defaults: shadow::attrib_defaults(job.view),
        };
        self.residual.block.clear();
        encode(&values, rows, &mut self.residual.block);
        // One call carries rows of several bits: each bit's counter has to show it.
        for row in Row::ALL.iter().filter(|row| rows & row.bit() != 0) {
            job.out.count(pipe_inputs::GROUPS[group(*row) as usize].bit);
        }
        job.out
            .uncounted()
            .set_residual_value_state(&ResidualValueState { rows }, &self.residual.block);
    }
}
