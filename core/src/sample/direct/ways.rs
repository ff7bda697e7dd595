//! What the ways to find texels share.

use crate::sample::axis::FAR;
use crate::sample::plan::Plan;
use crate::sample::scratch::{LevelLanes, Room};
use crate::sample::seam::{FaceLanes, SeamKernel};

/// An array index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer {
    /// The number in the payload.
    pub(super) number: u8,
    /// Layers of the view, and the slices of each.
    pub(super) layers: [u32; 2],
}

/// Whether the border stands for a texel; `None` if a lane is too far away.
#[inline(always)]
pub(super) const fn outside(plan: &Plan<'_>, found: u32) -> Option<bool> {
    if found & FAR == 0 { Some(found != 0 && plan.border.is_some()) } else { None }
}

/// Elements of footprints over edges, of which the texels along both axes are known. True: some have a corner.
pub(super) fn find_over_edges(
    plan: &Plan<'_>,
    level: &LevelLanes,
    room: &mut Room,
    kernel: SeamKernel,
) -> Option<bool> {
    let Room { taps, face, slice, texels, index, inside, corner, .. } = room;
    let lanes = FaceLanes { face, slice, level, first: plan.first_layer, block: plan.block };
    Some(kernel(&plan.elements.as_ref()?.tile, lanes, taps, texels, index, inside, corner))
}
