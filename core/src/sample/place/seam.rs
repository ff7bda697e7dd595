//! Seamless cubes: footprints that cross the edges of faces.
//!
//! The axis rules of a seamless cube mark texels outside the face, as those of a border mode do. A texel that is outside along one
//! axis is on the neighbouring face. A texel that is outside along both, at a corner of the cube, does not exist: the mean of the
//! footprint's other three texels replaces it (U22).
#![allow(clippy::indexing_slicing, reason = "arrays indexed below their lengths: no check remains")]

use super::address::{self, BlockSize, GENERAL};
use super::axis::AxisTaps;
use super::cube::{EDGES, over_edge};
use super::level_lanes::LevelLanes;
use crate::format::TexelKind;
use crate::memory::LevelAddressing;
use crate::sample::lanes::{LANES, Lanes, TapLanes, ones, opaque_ones};
use crate::sample::rounding::integer;

/// Stands in place of a texel's number in lanes whose footprint has no texel at a corner of the cube.
pub(crate) const NO_CORNER: u32 = u32::MAX;

/// The face, slice (counted from the view's first) and mip level of each lane's footprint.
#[derive(Clone, Copy)]
pub(crate) struct FaceLanes<'a> {
    pub(crate) face: &'a Lanes<u32>,
    pub(crate) slice: &'a Lanes<u32>,
    pub(crate) level: &'a LevelLanes,
    /// Added to slices: the view's first slice, or 0 if the rows of mip levels already include its rows.
    pub(crate) first: u32,
    /// Width and height of a block, if there are blocks.
    pub(crate) block: Option<[BlockSize; 2]>,
    /// The kernel that looks up edges.
    pub(crate) edges: EdgeKernel,
}

/// Replaces edge numbers by their entries in [`EDGES`], for four texels of all lanes.
pub(crate) type EdgeKernel = fn(&mut [Lanes<u32>; 4]);

/// See [`EdgeKernel`]. (Not part of another loop: compilers do not vectorise loops with a table look-up.)
#[inline(always)]
pub(crate) fn look_up(edges: &mut [Lanes<u32>; 4]) {
    for edge in edges.as_flattened_mut() {
        *edge = EDGES[*edge as usize % EDGES.len()];
    }
}

/// Fills in the index of the element of each of the four texels of footprints, texels across edges included; with blocks, the position
/// in the block (column in bits 3:0, row from bit 4 up); and `corner`: which of a lane's texels is at a corner of the cube (or
/// [`NO_CORNER`]). Returns whether any lane has one. `scratch` holds intermediate values.
pub(crate) type SeamKernel = fn(
    &LevelAddressing,
    FaceLanes<'_>,
    &[AxisTaps; 3],
    scratch: &mut [Lanes<u32>; 4],
    index: &mut TapLanes<u32>,
    inside: &mut TapLanes<u32>,
    corner: &mut Lanes<u32>,
) -> bool;

/// See [`SeamKernel`].
#[inline(always)]
pub(crate) fn place<const PATTERN: u8>(
    tile: &LevelAddressing,
    lanes: FaceLanes<'_>,
    [x, y, _]: &[AxisTaps; 3],
    entries: &mut [Lanes<u32>; 4],
    index: &mut TapLanes<u32>,
    inside: &mut TapLanes<u32>,
    corner: &mut Lanes<u32>,
) -> bool {
    // Local copies: no store in the loop can alias them. Written out: compilers would turn a loop over texels into scatters.
    let (outside, face) = ([x.outside, y.outside], *lanes.face);
    let [first, second, third, fourth] = &mut *entries;
    for i in 0..LANES {
        let [along_x, along_y] = [outside[0][i], outside[1][i]];
        let (left, right) = (ones(along_x & 1 != 0), ones(along_x & 2 != 0));
        // At most one of the two texels along an axis is outside, so the bits name it: 1 is the first, 2 the second.
        let both = ones(along_x != 0) & ones(along_y != 0);
        corner[i] = along_x >> 1 | along_y & 2 | !both;
        let face = face[i] << 2;
        first[i] = face | 2 & !left;
        second[i] = face | 1 & right | 2 & !right;
        third[i] = face | 3 & !left;
        fourth[i] = face | 1 & right | 3 & !right;
    }
    (lanes.edges)(entries);
    for (tap, entries) in entries.iter().enumerate() {
        let out = (&mut index[tap], &mut inside[tap]);
        match lanes.block {
            Some(block) => place_tap::<PATTERN, true>(tile, &lanes, block, [x, y], tap, entries, out),
            None => place_tap::<PATTERN, false>(tile, &lanes, NO_BLOCK, [x, y], tap, entries, out),
        }
    }
    let mut any = NO_CORNER;
    for i in 0..LANES {
        any &= corner[i];
    }
    any != NO_CORNER
}

const NO_BLOCK: [BlockSize; 2] = [BlockSize::new(1); 2];

/// Fills in the elements (and positions in blocks) of texel `tap` of the lanes' footprints. `entries`: the [`EDGES`] entry of the edge
/// that the texel is across, if it is outside the face.
#[inline(always)]
fn place_tap<const PATTERN: u8, const BLOCKS: bool>(
    tile: &LevelAddressing,
    FaceLanes { face, slice, level, first, .. }: &FaceLanes<'_>,
    [width, height]: [BlockSize; 2],
    [x, y]: [&AxisTaps; 2],
    tap: usize,
    entries: &Lanes<u32>,
    (index, inside): (&mut Lanes<u32>, &mut Lanes<u32>),
) {
    // Local copies: no store in the loop can alias them.
    let (tile, first) = (*tile, *first);
    let (right, low) = (tap & 1, tap >> 1);
    let (along_x, along_y, [size, ..]) = (&x.texel[right], &y.texel[low], &level.size);
    for i in 0..LANES {
        let in_x = ones(x.outside[i] >> right & 1 != 0);
        let in_y = ones(y.outside[i] >> low & 1 != 0);
        let last = integer(size.texels[i] - 1.0);
        let [next, column, row] = over_edge(entries[i], along_y[i] & in_x | along_x[i] & !in_x, last);
        let over = in_x ^ in_y;
        let mut column = column & over | along_x[i] & !over;
        let mut row = row & over | along_y[i] & !over;
        let slice = slice[i].wrapping_add(next.wrapping_sub(face[i]) & over);
        if BLOCKS {
            let (of_x, of_y) = (width.split(column), height.split(row));
            (column, row) = (of_x.0, of_y.0);
            inside[i] = of_y.1 << 4 | of_x.1;
        }
        let slice = slice.wrapping_add(level.layer[i]).wrapping_add(first);
        let row = row.wrapping_add(level.row[i]).wrapping_add(address::slice_row(&tile, slice));
        let slice_offset = if PATTERN == GENERAL { address::slice_offset(&tile, slice) } else { 0 };
        let column = address::column::<PATTERN>(&tile, column.wrapping_add(level.column[i]));
        index[i] = column.wrapping_add(address::row::<PATTERN>(&tile, row)).wrapping_add(slice_offset);
    }
}

/// Replaces texels at corners of the cube by the mean of the footprint's other three texels, in one channel.
pub(crate) type CornerKernel = fn(TexelKind, corner: &Lanes<u32>, &mut TapLanes<u32>);

/// See [`CornerKernel`].
#[inline(always)]
pub(crate) fn average(kind: TexelKind, corner: &Lanes<u32>, texels: &mut TapLanes<u32>) {
    match kind {
        TexelKind::Float => average_floats(corner, texels),
        TexelKind::Uint | TexelKind::Raw => average_integers(false, corner, texels),
        TexelKind::Sint => average_integers(true, corner, texels),
    }
}

/// [`average`] for texels that are floats.
#[inline(always)]
fn average_floats(corner: &Lanes<u32>, [first, second, third, fourth, ..]: &mut TapLanes<u32>) {
    let opaque_ones = opaque_ones();
    for i in 0..LANES {
        let texels = [first[i], second[i], third[i], fourth[i]];
        let [a, b, c] = others(corner[i], texels).map(f32::from_bits);
        let mean = ((a + b + c) / 3.0).to_bits();
        let of = |tap: u32| {
            let here = ones(corner[i] == tap) & opaque_ones;
            mean & here | texels[tap as usize] & !here
        };
        (first[i], second[i], third[i], fourth[i]) = (of(0), of(1), of(2), of(3));
    }
}

/// Returns the three texels of a footprint that are not at the corner.
#[inline(always)]
fn others(corner: u32, [first, second, third, fourth]: [u32; 4]) -> [u32; 3] {
    let pick = |at_corner: bool, a: u32, b: u32| a & ones(at_corner) | b & !ones(at_corner);
    [pick(corner == 0, second, first), pick(corner <= 1, third, second), pick(corner <= 2, fourth, third)]
}

/// [`average`] for texels that are integers: the mean is rounded toward zero.
#[inline(never)]
fn average_integers(signed: bool, corner: &Lanes<u32>, texels: &mut TapLanes<u32>) {
    let widen = |texel: u32| if signed { i64::from(texel as i32) } else { i64::from(texel) };
    for i in 0..LANES {
        let of = others(corner[i], [texels[0][i], texels[1][i], texels[2][i], texels[3][i]]);
        let mean = (of.map(widen).iter().sum::<i64>() / 3) as u32;
        if corner[i] != NO_CORNER {
            texels[corner[i] as usize % 4][i] = mean;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_is_the_mean_of_the_other_three() {
        let texels = [3.0_f32, 7.0, 12.0, 24.0];
        let of = |kind, value: f32| match kind {
            TexelKind::Float => value.to_bits(),
            TexelKind::Uint | TexelKind::Raw => value as u32,
            // Means of integers are rounded toward zero.
            TexelKind::Sint => -(value as i32) as u32,
        };
        for kind in [TexelKind::Float, TexelKind::Uint, TexelKind::Sint, TexelKind::Raw] {
            for (corner, sum) in [(0, 43.0_f32), (1, 39.0), (2, 34.0), (3, 22.0), (NO_CORNER, 0.0)] {
                let mut lanes = [[0; LANES]; 8];
                for (lanes, texel) in lanes.iter_mut().zip(texels) {
                    *lanes = [of(kind, texel); LANES];
                }
                let mut expected = lanes;
                if corner != NO_CORNER {
                    expected[corner as usize] = [of(kind, sum / 3.0); LANES];
                }
                average(kind, &[corner; LANES], &mut lanes);
                assert_eq!(lanes, expected, "{kind:?}, corner {corner}");
            }
        }
    }
}
