//! Visuals: which of a screen's can be drawn to. Others are as if they were not there.

use x11rb::protocol::xproto::{Depth, VisualClass};

/// A visual of eight bits per channel, red uppermost: what every backend can present to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visual {
    pub id: u32,
    /// 24, or 32 where the window has an alpha channel that a compositor sees.
    pub depth: u8,
}

/// The visuals of a screen that can be drawn to; the root window's first, where it is one.
pub(super) fn of_screen(depths: &[Depth], root_visual: u32) -> Vec<Visual> {
    let mut found: Vec<Visual> = depths
        .iter()
        .filter(|depth| matches!(depth.depth, 24 | 32))
        .flat_map(|depth| {
            depth
                .visuals
                .iter()
                .map(move |visual| (depth.depth, visual))
        })
        .filter(|(_, visual)| {
            visual.class == VisualClass::TRUE_COLOR
                && (visual.red_mask, visual.green_mask, visual.blue_mask)
                    == (0xFF_0000, 0xFF00, 0xFF)
        })
        .map(|(depth, visual)| Visual {
            id: visual.visual_id,
            depth,
        })
        .collect();
    found.sort_by_key(|visual| (visual.id != root_visual, visual.depth, visual.id));
    found
}
