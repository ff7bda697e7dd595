//! The texels of footprints in a plane, in one go: address modes along two axes, elements, weights.
//!
//! The same operations as those of the stages [`axis`](super::axis), [`address`](super::address) and
//! [`filter`](super::filter), without the values that they pass to each other. Surfaces with blocks and lanes that are too far
//! away or reach over the edge of a cube's face go through those stages.
#![allow(clippy::needless_range_loop, reason = "several arrays, one number of the lane")]
#![allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]

use super::address::{GENERAL, column, row};
use super::axis::{AxisRule, AxisTaps, BORDER, BY_DATA, CLAMP, FAR, Subtexel, lane_taps};
use super::filter::{Weights, plane_weights};
use super::lanes::{LANES, Lanes, TapLanes};
use super::scratch::LevelLanes;
use crate::memory::LevelAddressing;

/// How two axes are addressed; the same for every lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneRule {
    pub(super) axes: [AxisRule; 2],
    pub(super) subtexel: [Subtexel; 2],
    /// Texel offsets.
    pub(super) offset: [f32; 2],
}

/// Where the lanes' slices are in the surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct SliceLanes<'a> {
    /// The row of the slice.
    pub(super) row: &'a Lanes<u32>,
    /// What the slice adds inside of tiles; only the general pattern looks at it.
    pub(super) deep: &'a Lanes<u32>,
}

/// A float as a payload has it.
pub(super) type RawFloat = [u8; 4];

/// Where footprints are: coordinates along both axes, and the level and slice of each lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneLanes<'a> {
    pub(super) at: [&'a Lanes<RawFloat>; 2],
    pub(super) level: &'a LevelLanes,
    pub(super) slice: SliceLanes<'a>,
}

/// A footprint reaches over an edge: both texels along an axis are the same. Only CLAMP tells.
pub(super) const CROSSING: u32 = 1 << 30;

/// Fills in elements and weights (and with a border what is outside). Returns [`FAR`] if a lane is too far away (then nothing
/// here means anything), [`CROSSING`], and the bits of [`AxisTaps::outside`] that any lane has.
pub(super) type PlaneKernel = fn(
    &PlaneRule,
    &LevelAddressing,
    &PlaneLanes<'_>,
    &mut TapLanes<u32>,
    &mut Weights,
    &mut [AxisTaps; 3],
) -> u32;

/// See [`PlaneKernel`].
#[inline(always)]
pub(super) fn place<const FOLD: u8, const PATTERN: u8, const LINEAR: bool, const FIXED: bool>(
    rule: &PlaneRule,
    tile: &LevelAddressing,
    lanes: &PlaneLanes<'_>,
    index: &mut TapLanes<u32>,
    weights: &mut Weights,
    taps: &mut [AxisTaps; 3],
) -> u32 {
    // Copies that no store of the loop can change.
    let PlaneRule { axes: [rule_x, rule_y], subtexel: [sub_x, sub_y], offset: [offset_x, offset_y] } = *rule;
    let tile = *tile;
    let PlaneLanes { at: [u, v], level, slice } = *lanes;
    let [width, height, _] = &level.size;
    let [taps_x, taps_y, _] = taps;
    let (mut far, mut any, mut crossing) = (0, 0, 0);
    for i in 0..LANES {
        let numbers = [f32::from_le_bytes(u[i]), offset_x, width.texels[i], width.inverse[i]];
        let x = lane_taps::<FOLD, LINEAR, FIXED>(&rule_x, sub_x.half, numbers);
        let numbers = [f32::from_le_bytes(v[i]), offset_y, height.texels[i], height.inverse[i]];
        let y = lane_taps::<FOLD, LINEAR, FIXED>(&rule_y, sub_y.half, numbers);
        far |= x.far | y.far;
        if FOLD == BORDER || FOLD == BY_DATA {
            (taps_x.outside[i], taps_y.outside[i]) = (x.outside, y.outside);
            any |= x.outside | y.outside;
        }
        let deep = if PATTERN == GENERAL { slice.deep[i] } else { 0 };
        let (origin, first) = (level.column[i], slice.row[i]);
        let x0 = column::<PATTERN>(&tile, x.texel[0].wrapping_add(origin));
        let y0 = row::<PATTERN>(&tile, y.texel[0].wrapping_add(first)).wrapping_add(deep);
        index[0][i] = x0.wrapping_add(y0);
        if LINEAR {
            let x1 = column::<PATTERN>(&tile, x.texel[1].wrapping_add(origin));
            let y1 = row::<PATTERN>(&tile, y.texel[1].wrapping_add(first)).wrapping_add(deep);
            index[1][i] = x1.wrapping_add(y0);
            index[2][i] = x0.wrapping_add(y1);
            index[3][i] = x1.wrapping_add(y1);
            let [a, b, c, d] = plane_weights(x.fraction, y.fraction);
            (weights[0][i], weights[1][i], weights[2][i], weights[3][i]) = (a, b, c, d);
            if FOLD == CLAMP {
                crossing |= u32::from(x.texel[0] == x.texel[1]) | u32::from(y.texel[0] == y.texel[1]);
            }
        }
    }
    far & FAR | any | crossing.wrapping_mul(CROSSING)
}
