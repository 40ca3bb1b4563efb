//! Folds the residual block into [`PipeInputs`]: the third carrier of the value groups. Unknown rows are refused by the codec before.

use crate::fields::Group;
use crate::inputs::PipeInputs;
use residual_block::{Row, decode};

/// Applies the rows that `block` holds.
pub(crate) fn fold(inputs: &mut PipeInputs, rows: u32, block: &[u8]) {
    let Some(values) = decode(rows, block) else {
        crate::fault::unmigrated(
            "residual block of a wrong size",
            "set_residual_value_state",
            inputs.ordinal,
        );
    };
    for row in Row::ALL.iter().filter(|row| rows & row.bit() != 0) {
        match row {
            Row::RenderState => {
                inputs.render_state = values.render_state;
                inputs.render_state_id = pipe::RenderStateId::NULL;
                inputs.touch(Group::render_state);
            }
            Row::PixelPack => {
                inputs.pack = values.pack;
                inputs.touch(Group::pixel_pack);
            }
            Row::PatchState => {
                inputs.patch = values.patch;
                inputs.touch(Group::patch_state);
            }
            Row::AttribDefaults => {
                inputs.attrib_defaults = values.attrib_defaults;
                inputs.touch(Group::attrib_defaults);
            }
        }
    }
}
