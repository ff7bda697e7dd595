//! The texels of footprints in a plane, in one go: address modes along two axes, elements, weights.
//!
//! The same operations as those of the stages [`axis`](super::axis), [`address`](super::address) and
//! [`filter`](crate::sample::filter), without the values that they pass to each other. Volumes with blocks and lanes that are too far
//! away or reach over the edge of a cube's face go through those stages.
#![allow(clippy::needless_range_loop, reason = "several arrays, one number of the lane")]
#![allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]

use super::address::{BlockSize, CELLS, GENERAL, LINEAR as LINEAR_ROWS, TEXELS, column, deep, row, skip};
use super::axis::{
    AxisRule, AxisSize, AxisTaps, BORDER, BY_DATA, CLAMP, LaneTaps, MIRROR_POWER, REPEAT_POWER, Subtexel,
    far_or, lane_taps,
};
use super::level_lanes::LevelLanes;
use crate::memory::LevelAddressing;
use crate::sample::filter::{Weights, plane_weights, volume_weights};
use crate::sample::lanes::{HALF, LANES, Lanes, RawFloat, TapLanes};
use core::ops::Range;

/// How axes are addressed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisRules {
    pub(crate) axes: [AxisRule; 3],
    /// What is made of coordinates.
    pub(crate) subtexel: [Subtexel; 3],
    /// Kernels that can place one half of the lanes after the other place all at once.
    pub(crate) whole: bool,
}

/// Where the lanes' slices are in the surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SliceLanes<'a> {
    /// The row of the slice.
    pub(crate) row: &'a Lanes<u32>,
    /// What the slice adds inside of tiles; only the general pattern looks at it.
    pub(crate) deep: &'a Lanes<u32>,
}

/// Where footprints are: coordinates along both axes, and the level and slice of each lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaneLanes<'a> {
    pub(crate) at: [&'a Lanes<RawFloat>; 2],
    /// See [`rounding`](crate::sample::rounding::rounding).
    pub(crate) rounding: &'a [Lanes<f32>; 3],
    pub(crate) level: &'a LevelLanes,
    pub(crate) slice: SliceLanes<'a>,
}

/// Fills in elements and weights (and with a border what is outside). Returns [`FAR`](super::axis::FAR) if a lane is too far
/// away (then nothing here means anything), and the bits of [`AxisTaps::outside`] that any lane has.
pub(crate) type PlaneKernel = fn(
    &AxisRules,
    &LevelAddressing,
    &PlaneLanes<'_>,
    &mut TapLanes<u32>,
    &mut Weights,
    &mut [AxisTaps; 3],
) -> u32;

/// The kernels of a fold and a pattern: of one texel, of four with their weights, of gather4, whose four have none; without and with
/// coordinates that are cut.
pub(crate) type PlaneKernels = [[PlaneKernel; 2]; 3];

/// [`lane_taps`] of lane `i`.
#[inline(always)]
fn taps_of<const FOLD: u8, const LINEAR: bool, const FIXED: bool>(
    rule: &AxisRule,
    half: f32,
    (at, rounding, size): (&Lanes<RawFloat>, &Lanes<f32>, &AxisSize),
    i: usize,
) -> LaneTaps {
    let numbers = [f32::from_le_bytes(at[i]), rounding[i], size.texels[i], size.inverse[i]];
    lane_taps::<FOLD, LINEAR, FIXED>(rule, half, numbers)
}

/// Whether there is so little to compute that kernels may place one half of the lanes after the other (with AVX-512): single indices are
/// read back sooner then, which gains more than it costs where processors compute vectors of 512 bits in halves anyway.
const fn is_little(fold: u8, pattern: u8, linear: bool) -> bool {
    matches!(fold, REPEAT_POWER | MIRROR_POWER | CLAMP) && (pattern == LINEAR_ROWS || !linear)
}

/// The numbers of both texels along an axis, counted from `origin`. (Not [`array::map`]: in each of hundreds of kernels it would take
/// longer to compile than all that they compute.)
#[inline(always)]
fn both_from(origin: u32, texels: [u32; 2]) -> [u32; 2] {
    [texels[0].wrapping_add(origin), texels[1].wrapping_add(origin)]
}

/// See [`PlaneKernel`]. `HALVES`: see [`is_little`]. Of [`CELLS`] and [`TEXELS`] columns and rows of the first texel are filled in, then
/// (LINEAR) those of the one across from it.
#[inline(always)]
pub(crate) fn place<
    const FOLD: u8,
    const PATTERN: u8,
    const LINEAR: bool,
    const WEIGHTED: bool,
    const FIXED: bool,
    const HALVES: bool,
>(
    rules: &AxisRules,
    tile: &LevelAddressing,
    lanes: &PlaneLanes<'_>,
    index: &mut TapLanes<u32>,
    weights: &mut Weights,
    taps: &mut [AxisTaps; 3],
) -> u32 {
    let some = place_lanes::<FOLD, PATTERN, LINEAR, WEIGHTED, FIXED>;
    if const { HALVES && is_little(FOLD, PATTERN, LINEAR) } && !rules.whole {
        some(0..HALF, rules, tile, lanes, index, weights, taps)
            | some(HALF..LANES, rules, tile, lanes, index, weights, taps)
    } else {
        some(0..LANES, rules, tile, lanes, index, weights, taps)
    }
}

/// [`place`] of some lanes.
#[inline(always)]
fn place_lanes<
    const FOLD: u8,
    const PATTERN: u8,
    const LINEAR: bool,
    const WEIGHTED: bool,
    const FIXED: bool,
>(
    numbers: Range<usize>,
    rules: &AxisRules,
    tile: &LevelAddressing,
    lanes: &PlaneLanes<'_>,
    index: &mut TapLanes<u32>,
    weights: &mut Weights,
    taps: &mut [AxisTaps; 3],
) -> u32 {
    // Copies that no store of the loop can change.
    let AxisRules { axes: [rule_x, rule_y, _], subtexel: [sub_x, sub_y, _], .. } = *rules;
    let tile = *tile;
    let PlaneLanes { at: [u, v], rounding: [to_x, to_y, _], level, slice } = *lanes;
    let [width, height, _] = &level.size;
    let [taps_x, taps_y, _] = taps;
    let (mut far, mut any) = (false, 0);
    for i in numbers {
        let x = taps_of::<FOLD, LINEAR, FIXED>(&rule_x, sub_x.half, (u, to_x, width), i);
        let y = taps_of::<FOLD, LINEAR, FIXED>(&rule_y, sub_y.half, (v, to_y, height), i);
        far |= x.far | y.far;
        if FOLD == BORDER || FOLD == BY_DATA {
            (taps_x.outside[i], taps_y.outside[i]) = (x.outside, y.outside);
            any |= x.outside | y.outside;
        }
        let (origin, first) = if PATTERN == TEXELS { (0, 0) } else { (level.column[i], slice.row[i]) };
        let (columns, rows) = (both_from(origin, x.texel), both_from(first, y.texel));
        if PATTERN == CELLS || PATTERN == TEXELS {
            (index[0][i], index[1][i]) = (columns[0], rows[0]);
            if LINEAR {
                (index[2][i], index[3][i]) = (columns[1], rows[1]);
            }
        } else {
            let deep = if PATTERN == GENERAL { slice.deep[i] } else { 0 };
            let x0 = column::<PATTERN>(&tile, columns[0]);
            let y0 = row::<PATTERN>(&tile, rows[0]).wrapping_add(deep);
            index[0][i] = x0.wrapping_add(y0);
            if LINEAR {
                let x1 = column::<PATTERN>(&tile, columns[1]);
                let y1 = row::<PATTERN>(&tile, rows[1]).wrapping_add(deep);
                index[1][i] = x1.wrapping_add(y0);
                index[2][i] = x0.wrapping_add(y1);
                index[3][i] = x1.wrapping_add(y1);
            }
        }
        if LINEAR && WEIGHTED {
            let [a, b, c, d] = plane_weights(x.fraction, y.fraction);
            (weights[0][i], weights[1][i], weights[2][i], weights[3][i]) = (a, b, c, d);
        }
    }
    far_or(far, any)
}

/// The blocks of texels that a kernel of [`TEXELS`] left, and the texels in them: column, and row from bit 4 up.
pub(crate) type BlockKernel =
    fn(&LevelAddressing, [BlockSize; 2], &PlaneLanes<'_>, &mut TapLanes<u32>, inside: &mut TapLanes<u32>);

/// See [`BlockKernel`]. `LINEAR`: footprints have four texels.
#[inline(always)]
pub(crate) fn find_blocks<const PATTERN: u8, const LINEAR: bool>(
    tile: &LevelAddressing,
    [width, height]: [BlockSize; 2],
    PlaneLanes { level, slice, .. }: &PlaneLanes<'_>,
    index: &mut TapLanes<u32>,
    inside: &mut TapLanes<u32>,
) {
    // A copy that no store of the loop can change.
    let tile = *tile;
    for i in 0..LANES {
        let ((x0, left), (y0, upper)) = (width.split(index[0][i]), height.split(index[1][i]));
        let deep = if PATTERN == GENERAL { slice.deep[i] } else { 0 };
        let column = |block: u32| column::<PATTERN>(&tile, block.wrapping_add(level.column[i]));
        let row = |block: u32| row::<PATTERN>(&tile, block.wrapping_add(slice.row[i])).wrapping_add(deep);
        let (x0, y0) = (column(x0), row(y0));
        inside[0][i] = left | upper << 4;
        if LINEAR {
            let ((x1, right), (y1, lower)) = (width.split(index[2][i]), height.split(index[3][i]));
            let (x1, y1) = (column(x1), row(y1));
            index[1][i] = x1.wrapping_add(y0);
            (index[2][i], index[3][i]) = (x0.wrapping_add(y1), x1.wrapping_add(y1));
            inside[1][i] = right | upper << 4;
            (inside[2][i], inside[3][i]) = (left | lower << 4, right | lower << 4);
        }
        index[0][i] = x0.wrapping_add(y0);
    }
}

/// Where footprints are in a volume: coordinates along the axes, and the level of each lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VolumeLanes<'a> {
    pub(crate) at: [&'a Lanes<RawFloat>; 3],
    /// See [`rounding`](crate::sample::rounding::rounding).
    pub(crate) rounding: &'a [Lanes<f32>; 3],
    pub(crate) level: &'a LevelLanes,
    /// Slices count from here.
    pub(crate) first: u32,
}

/// Fills in elements of one texel, or of footprints of eight with their weights (and with a border what is outside). Returns
/// [`FAR`](super::axis::FAR) if a lane is too far away (then nothing here means anything), and the bits of
/// [`AxisTaps::outside`] that any lane has.
pub(crate) type VolumeKernel = fn(
    &AxisRules,
    &LevelAddressing,
    &VolumeLanes<'_>,
    &mut TapLanes<u32>,
    &mut Weights,
    &mut [AxisTaps; 3],
) -> u32;

/// The kernels of a fold and a pattern: of one texel, of eight; without and with coordinates that are cut.
pub(crate) type VolumeKernels = [[VolumeKernel; 2]; 2];

/// Where both rows of a slice begin.
#[inline(always)]
fn rows_of_slice<const PATTERN: u8>(tile: &LevelAddressing, rows: [u32; 2], slice: u32) -> [u32; 2] {
    let (skip, deep) = (skip(tile, slice), if PATTERN == GENERAL { deep(tile, slice) } else { 0 });
    let [first, second] = both_from(skip, rows);
    [row::<PATTERN>(tile, first).wrapping_add(deep), row::<PATTERN>(tile, second).wrapping_add(deep)]
}

/// See [`VolumeKernel`]. `HALVES`: see [`is_little`]; of one texel. Of [`CELLS`] columns, rows (counted from the slice's) and slices are
/// filled in, of each the first and (LINEAR) the second.
#[inline(always)]
pub(crate) fn place_volume<
    const FOLD: u8,
    const PATTERN: u8,
    const LINEAR: bool,
    const FIXED: bool,
    const HALVES: bool,
>(
    rules: &AxisRules,
    tile: &LevelAddressing,
    lanes: &VolumeLanes<'_>,
    index: &mut TapLanes<u32>,
    weights: &mut Weights,
    taps: &mut [AxisTaps; 3],
) -> u32 {
    let some = place_volume_lanes::<FOLD, PATTERN, LINEAR, FIXED>;
    if const { HALVES && !LINEAR && is_little(FOLD, PATTERN, LINEAR) } && !rules.whole {
        some(0..HALF, rules, tile, lanes, index, weights, taps)
            | some(HALF..LANES, rules, tile, lanes, index, weights, taps)
    } else {
        some(0..LANES, rules, tile, lanes, index, weights, taps)
    }
}

/// [`place_volume`] of some lanes.
#[inline(always)]
fn place_volume_lanes<const FOLD: u8, const PATTERN: u8, const LINEAR: bool, const FIXED: bool>(
    numbers: Range<usize>,
    rules: &AxisRules,
    tile: &LevelAddressing,
    lanes: &VolumeLanes<'_>,
    index: &mut TapLanes<u32>,
    weights: &mut Weights,
    taps: &mut [AxisTaps; 3],
) -> u32 {
    // Copies that no store of the loop can change.
    let AxisRules { axes: [rule_x, rule_y, rule_z], subtexel: [sub_x, sub_y, sub_z], .. } = *rules;
    let tile = *tile;
    let VolumeLanes { at: [u, v, r], rounding: [to_x, to_y, to_z], level, first } = *lanes;
    let [width, height, depth] = &level.size;
    let [taps_x, taps_y, taps_z] = taps;
    let (mut far, mut any) = (false, 0);
    for i in numbers {
        let x = taps_of::<FOLD, LINEAR, FIXED>(&rule_x, sub_x.half, (u, to_x, width), i);
        let y = taps_of::<FOLD, LINEAR, FIXED>(&rule_y, sub_y.half, (v, to_y, height), i);
        let z = taps_of::<FOLD, LINEAR, FIXED>(&rule_z, sub_z.half, (r, to_z, depth), i);
        far |= x.far | y.far | z.far;
        if FOLD == BORDER || FOLD == BY_DATA {
            (taps_x.outside[i], taps_y.outside[i], taps_z.outside[i]) = (x.outside, y.outside, z.outside);
            any |= x.outside | y.outside | z.outside;
        }
        let (origin, top, from) = (level.column[i], level.row[i], level.layer[i].wrapping_add(first));
        let (columns, rows) = (both_from(origin, x.texel), both_from(top, y.texel));
        let slices = both_from(from, z.texel);
        if PATTERN == CELLS {
            (index[0][i], index[2][i], index[4][i]) = (columns[0], rows[0], slices[0]);
            if LINEAR {
                (index[1][i], index[3][i], index[5][i]) = (columns[1], rows[1], slices[1]);
            }
        } else {
            let (x0, x1) = (column::<PATTERN>(&tile, columns[0]), column::<PATTERN>(&tile, columns[1]));
            let [y0, y1] = rows_of_slice::<PATTERN>(&tile, rows, slices[0]);
            let [y2, y3] = rows_of_slice::<PATTERN>(&tile, rows, slices[1]);
            index[0][i] = x0.wrapping_add(y0);
            if LINEAR {
                index[1][i] = x1.wrapping_add(y0);
                (index[2][i], index[3][i]) = (x0.wrapping_add(y1), x1.wrapping_add(y1));
                (index[4][i], index[5][i]) = (x0.wrapping_add(y2), x1.wrapping_add(y2));
                (index[6][i], index[7][i]) = (x0.wrapping_add(y3), x1.wrapping_add(y3));
            }
        }
        if LINEAR {
            let plane = plane_weights(x.fraction, y.fraction);
            let [a, b, c, d, e, f, g, h] = volume_weights(plane, z.fraction);
            (weights[0][i], weights[1][i], weights[2][i], weights[3][i]) = (a, b, c, d);
            (weights[4][i], weights[5][i], weights[6][i], weights[7][i]) = (e, f, g, h);
        }
    }
    far_or(far, any)
}
