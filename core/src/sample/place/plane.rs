//! Fused addressing of footprints in a plane or a volume: wrap modes along all axes, elements and weights in one kernel.
//!
//! The operations are those of the stages [`axis`](super::axis), [`address`](super::address) and
//! [`filter`](crate::sample::filter), without storing the values that these pass to each other. Volumes with blocks, and passes
//! with a lane that is too far away or crosses the edge of a cube face, go through those stages.
#![allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]

use super::address::{
    BlockSize, CELLS, GENERAL, LINEAR as LINEAR_ROWS, TEXELS, column, row, slice_offset, slice_row,
};
use super::axis::{
    AxisRule, AxisTaps, BORDER, BY_DATA, CLAMP, MIRROR_POWER, REPEAT_POWER, Subtexel, far_or, lane_taps,
};
use super::level_lanes::LevelLanes;
use crate::memory::LevelAddressing;
use crate::sample::filter::{Weights, plane_weights, volume_weights};
use crate::sample::lanes::{HALF, LANES, LaneBytes, Lanes, TapLanes};
use core::ops::Range;

/// How coordinates along each axis become texels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisRules {
    pub(crate) axes: [AxisRule; 3],
    /// How the position of a coordinate inside its texel is treated.
    pub(crate) subtexel: [Subtexel; 3],
    /// Kernels that could process one half of the lanes after the other (see [`is_little`]) process all lanes at once.
    pub(crate) whole: bool,
}

/// Where each lane's slice is in the surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SliceLanes<'a> {
    /// Row where the mip level begins in the slice.
    pub(crate) row: &'a Lanes<u32>,
    /// What the slice adds to indices inside a tile; only the general pattern uses it.
    pub(crate) slice_offset: &'a Lanes<u32>,
}

/// Where each lane's footprint is: coordinates along both axes, mip level and slice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaneLanes<'a> {
    pub(crate) at: [&'a Lanes<LaneBytes>; 2],
    /// See [`rounding`](crate::sample::rounding::rounding).
    pub(crate) rounding: &'a [Lanes<f32>; 3],
    pub(crate) level: &'a LevelLanes,
    pub(crate) slice: SliceLanes<'a>,
}

/// Fills in the indices of elements, the weights, and for folds with a border [`AxisTaps::outside`]. Returns a number with the bit
/// [`NEEDS_GENERAL`](super::axis::NEEDS_GENERAL) if a lane is too far away (all outputs are then unspecified), else the OR of
/// [`AxisTaps::outside`] over all lanes and both axes.
pub(crate) type PlaneKernel = fn(
    &AxisRules,
    &LevelAddressing,
    &PlaneLanes<'_>,
    &mut TapLanes<u32>,
    &mut Weights,
    &mut [AxisTaps; 3],
) -> u32;

/// The kernels for one fold and one pattern. First index: one texel; four texels with weights; four texels without weights (gather4).
/// Second index: exact coordinates; coordinates rounded to 1/256 texel.
pub(crate) type PlaneKernels = [[PlaneKernel; 2]; 3];

/// Returns whether a kernel computes so little that it may process one half of the lanes after the other (with AVX-512). Indices can
/// then be read back one by one sooner, which gains more than it costs on processors that compute 512-bit vectors in halves anyway.
const fn is_little(fold: u8, pattern: u8, linear: bool) -> bool {
    matches!(fold, REPEAT_POWER | MIRROR_POWER | CLAMP) && (pattern == LINEAR_ROWS || !linear)
}

/// Adds `origin` to the numbers of both texels along an axis. (Not [`array::map`]: in hundreds of kernels it would take longer to compile
/// than all the rest of them.)
#[inline(always)]
fn both_from(origin: u32, texels: [u32; 2]) -> [u32; 2] {
    [texels[0].wrapping_add(origin), texels[1].wrapping_add(origin)]
}

/// See [`PlaneKernel`]. `HALVES`: see [`is_little`]. With [`CELLS`] and [`TEXELS`], `index` gets the column and row of the first texel
/// (entries 0 and 1) and, if `LINEAR`, those of the diagonally opposite texel (entries 2 and 3).
#[inline(always)]
pub(crate) fn place<
    const WRAP_CLASS: u8,
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
    let some = place_lanes::<WRAP_CLASS, PATTERN, LINEAR, WEIGHTED, FIXED>;
    if const { HALVES && is_little(WRAP_CLASS, PATTERN, LINEAR) } && !rules.whole {
        some(0..HALF, rules, tile, lanes, index, weights, taps)
            | some(HALF..LANES, rules, tile, lanes, index, weights, taps)
    } else {
        some(0..LANES, rules, tile, lanes, index, weights, taps)
    }
}

/// Does what [`place`] does for the lanes in `numbers`.
#[inline(always)]
fn place_lanes<
    const WRAP_CLASS: u8,
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
    // Local copies: no store in the loop can alias them.
    let AxisRules { axes: [rule_x, rule_y, _], subtexel: [sub_x, sub_y, _], .. } = *rules;
    let tile = *tile;
    let PlaneLanes { at: [u, v], rounding: [to_x, to_y, _], level, slice } = *lanes;
    let [width, height, _] = &level.size;
    let [taps_x, taps_y, _] = taps;
    let (mut far, mut any) = (false, 0);
    for i in numbers {
        let x = lane_taps::<WRAP_CLASS, LINEAR, FIXED>(&rule_x, sub_x.half, (u, to_x, width), i);
        let y = lane_taps::<WRAP_CLASS, LINEAR, FIXED>(&rule_y, sub_y.half, (v, to_y, height), i);
        far |= x.far | y.far;
        if WRAP_CLASS == BORDER || WRAP_CLASS == BY_DATA {
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
            let slice_offset = if PATTERN == GENERAL { slice.slice_offset[i] } else { 0 };
            let x0 = column::<PATTERN>(&tile, columns[0]);
            let y0 = row::<PATTERN>(&tile, rows[0]).wrapping_add(slice_offset);
            index[0][i] = x0.wrapping_add(y0);
            if LINEAR {
                let x1 = column::<PATTERN>(&tile, columns[1]);
                let y1 = row::<PATTERN>(&tile, rows[1]).wrapping_add(slice_offset);
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

/// Replaces the texel coordinates that a kernel of [`TEXELS`] left in `index` by indices of blocks, and fills in the position of each
/// texel in its block: column in bits 3:0, row from bit 4 up.
pub(crate) type BlockKernel =
    fn(&LevelAddressing, [BlockSize; 2], &PlaneLanes<'_>, &mut TapLanes<u32>, inside: &mut TapLanes<u32>);

/// See [`BlockKernel`]. `LINEAR`: footprints have four texels, else one.
#[inline(always)]
pub(crate) fn find_blocks<const PATTERN: u8, const LINEAR: bool>(
    tile: &LevelAddressing,
    [width, height]: [BlockSize; 2],
    PlaneLanes { level, slice, .. }: &PlaneLanes<'_>,
    index: &mut TapLanes<u32>,
    inside: &mut TapLanes<u32>,
) {
    // A local copy: no store in the loop can alias it.
    let tile = *tile;
    for i in 0..LANES {
        let ((x0, left), (y0, upper)) = (width.split(index[0][i]), height.split(index[1][i]));
        let slice_offset = if PATTERN == GENERAL { slice.slice_offset[i] } else { 0 };
        let column = |block: u32| column::<PATTERN>(&tile, block.wrapping_add(level.column[i]));
        let row =
            |block: u32| row::<PATTERN>(&tile, block.wrapping_add(slice.row[i])).wrapping_add(slice_offset);
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

/// Where each lane's footprint is in a volume: coordinates along the three axes, and mip level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VolumeLanes<'a> {
    pub(crate) at: [&'a Lanes<LaneBytes>; 3],
    /// See [`rounding`](crate::sample::rounding::rounding).
    pub(crate) rounding: &'a [Lanes<f32>; 3],
    pub(crate) level: &'a LevelLanes,
    /// Added to every slice: the number of the slice that slices count from.
    pub(crate) first: u32,
}

/// Fills in the indices of the elements of one texel, or of footprints of eight with their weights, and for folds with a border
/// [`AxisTaps::outside`]. Returns a number with the bit [`NEEDS_GENERAL`](super::axis::NEEDS_GENERAL) if a lane is too far away (all
/// outputs are then unspecified), else the OR of [`AxisTaps::outside`] over all lanes and axes.
pub(crate) type VolumeKernel = fn(
    &AxisRules,
    &LevelAddressing,
    &VolumeLanes<'_>,
    &mut TapLanes<u32>,
    &mut Weights,
    &mut [AxisTaps; 3],
) -> u32;

/// The kernels for one fold and one pattern. First index: one texel; eight texels. Second index: exact coordinates; coordinates rounded
/// to 1/256 texel.
pub(crate) type VolumeKernels = [[VolumeKernel; 2]; 2];

/// Returns what each of two rows of a slice adds to the index of an element, plus what the slice adds inside a tile.
#[inline(always)]
fn rows_of_slice<const PATTERN: u8>(tile: &LevelAddressing, rows: [u32; 2], slice: u32) -> [u32; 2] {
    let (skip, slice_offset) =
        (slice_row(tile, slice), if PATTERN == GENERAL { slice_offset(tile, slice) } else { 0 });
    let [first, second] = both_from(skip, rows);
    [
        row::<PATTERN>(tile, first).wrapping_add(slice_offset),
        row::<PATTERN>(tile, second).wrapping_add(slice_offset),
    ]
}

/// See [`VolumeKernel`]. `HALVES`: see [`is_little`]; only for one texel. With [`CELLS`], `index` gets the first and (`LINEAR`) the second
/// column (entries 0 and 1), row without the rows before its slice (2 and 3) and slice (4 and 5).
#[inline(always)]
pub(crate) fn place_volume<
    const WRAP_CLASS: u8,
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
    let some = place_volume_lanes::<WRAP_CLASS, PATTERN, LINEAR, FIXED>;
    if const { HALVES && !LINEAR && is_little(WRAP_CLASS, PATTERN, LINEAR) } && !rules.whole {
        some(0..HALF, rules, tile, lanes, index, weights, taps)
            | some(HALF..LANES, rules, tile, lanes, index, weights, taps)
    } else {
        some(0..LANES, rules, tile, lanes, index, weights, taps)
    }
}

/// Does what [`place_volume`] does for the lanes in `numbers`.
#[inline(always)]
fn place_volume_lanes<const WRAP_CLASS: u8, const PATTERN: u8, const LINEAR: bool, const FIXED: bool>(
    numbers: Range<usize>,
    rules: &AxisRules,
    tile: &LevelAddressing,
    lanes: &VolumeLanes<'_>,
    index: &mut TapLanes<u32>,
    weights: &mut Weights,
    taps: &mut [AxisTaps; 3],
) -> u32 {
    // Local copies: no store in the loop can alias them.
    let AxisRules { axes: [rule_x, rule_y, rule_z], subtexel: [sub_x, sub_y, sub_z], .. } = *rules;
    let tile = *tile;
    let VolumeLanes { at: [u, v, r], rounding: [to_x, to_y, to_z], level, first } = *lanes;
    let [width, height, depth] = &level.size;
    let [taps_x, taps_y, taps_z] = taps;
    let (mut far, mut any) = (false, 0);
    for i in numbers {
        let x = lane_taps::<WRAP_CLASS, LINEAR, FIXED>(&rule_x, sub_x.half, (u, to_x, width), i);
        let y = lane_taps::<WRAP_CLASS, LINEAR, FIXED>(&rule_y, sub_y.half, (v, to_y, height), i);
        let z = lane_taps::<WRAP_CLASS, LINEAR, FIXED>(&rule_z, sub_z.half, (r, to_z, depth), i);
        far |= x.far | y.far | z.far;
        if WRAP_CLASS == BORDER || WRAP_CLASS == BY_DATA {
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
