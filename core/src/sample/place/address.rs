//! Tile modes: from texel coordinates to indices of elements in memory.
//!
//! In every tile mode the index of an element is a function of its column plus a function of its row (plus one of its slice,
//! in tiles that hold several slices). Columns and rows count elements from the start of the surface: mip levels and slices are
//! rectangles of one large plane.
#![allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]

use super::level_lanes::LevelLanes;
use crate::memory::{BitSpread, LevelAddressing, SpreadStep};
use crate::sample::lanes::{LANES, Lanes, TapLanes};

/// A class of tile modes that share a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// Any order of the bits of columns, rows and slices: W-major and tiled resources.
    General,
    /// Linear: rows follow one another.
    Linear,
    /// The bits of columns and rows move by at most one [`SpreadStep`] each: X- and Y-major.
    OneStep,
    /// Linear, with elements of three units: an index counts thirds of elements.
    Thirds,
}

/// The number of classes with kernels: one-lane targets use [`Pattern::General`] for all tile modes.
pub(crate) const PATTERNS: usize = if LANES == 1 { 1 } else { 4 };

/// The classes of [`Pattern`] as const generic arguments of kernels.
pub(crate) const GENERAL: u8 = 0;
pub(crate) const LINEAR: u8 = 1;
pub(crate) const ONE_STEP: u8 = 2;
pub(crate) const THIRDS: u8 = 3;
/// Not a tile mode: the kernel outputs texel coordinates, counted from the start of the mip level and slice, for a
/// [`BlockKernel`](super::plane::BlockKernel) to turn into elements.
pub(crate) const TEXELS: u8 = 4;
/// Not a tile mode: the kernel outputs columns, rows and slices of elements, for a caller that applies the tile mode itself.
pub(crate) const CELLS: u8 = 5;

impl Pattern {
    /// Returns the class of a tile mode: never [`Pattern::Thirds`], which depends on the size of elements.
    pub(crate) fn of(tile: &LevelAddressing) -> Self {
        if LANES == 1 {
            return Self::General;
        }
        let steps = |spread: &BitSpread| spread.steps.iter().filter(|step| step.mask != 0).count();
        let most = steps(&tile.x_spread).max(steps(&tile.y_spread));
        if most > 1 || tile.slice_mask != 0 {
            Self::General
        } else if most == 0 && tile.row_shift == 0 {
            Self::Linear
        } else {
            Self::OneStep
        }
    }
}

/// Moves the bits of a column, row or slice to their places in the index, with as many steps as the class needs.
#[cfg_attr(target_pointer_width = "64", inline(always))]
fn spread<const PATTERN: u8>(spread: &BitSpread, value: u32) -> u32 {
    let [first, second, third, fourth] = &spread.steps;
    let step =
        |value: u32, step: &SpreadStep| value & !step.mask | (value & step.mask).wrapping_shl(step.shift);
    match PATTERN {
        LINEAR | THIRDS => value,
        ONE_STEP => step(value, first),
        _ => step(step(step(step(value, first), second), third), fourth),
    }
}

/// Returns what a column adds to the index of an element.
#[cfg_attr(target_pointer_width = "64", inline(always))]
pub(crate) fn column<const PATTERN: u8>(tile: &LevelAddressing, column: u32) -> u32 {
    let column = match PATTERN {
        THIRDS => column.wrapping_add(column << 1),
        ONE_STEP => column.wrapping_add(column << 1 & tile.thirds),
        _ => column,
    };
    spread::<PATTERN>(&tile.x_spread, column)
}

/// Returns what a row adds to the index of an element.
#[cfg_attr(target_pointer_width = "64", inline(always))]
pub(crate) fn row<const PATTERN: u8>(tile: &LevelAddressing, row: u32) -> u32 {
    if PATTERN == LINEAR || PATTERN == THIRDS {
        return row.wrapping_mul(tile.tile_row);
    }
    let inside = spread::<PATTERN>(&tile.y_spread, row & tile.row_mask);
    inside.wrapping_add(row.wrapping_shr(tile.row_shift).wrapping_mul(tile.tile_row))
}

/// Returns the index of the element in a column and a row of the surface; `slice_offset`: what its slice adds inside a tile.
pub(crate) fn element<const PATTERN: u8>(
    tile: &LevelAddressing,
    at_column: u32,
    at_row: u32,
    slice_offset: u32,
) -> u32 {
    column::<PATTERN>(tile, at_column).wrapping_add(row::<PATTERN>(tile, at_row)).wrapping_add(slice_offset)
}

/// Returns where slice `layer` is: the results of [`slice_row`] and [`slice_offset`].
#[cfg_attr(target_pointer_width = "64", inline(always))]
pub(crate) fn slice(tile: &LevelAddressing, layer: u32) -> (u32, u32) {
    (slice_row(tile, layer), slice_offset(tile, layer))
}

/// Returns the number of rows from slice 0 to slice `layer`; slices that share a tile begin at the same row.
#[inline(always)]
pub(crate) fn slice_row(tile: &LevelAddressing, layer: u32) -> u32 {
    layer.wrapping_shr(tile.slice_shift).wrapping_mul(tile.qpitch)
}

/// Returns what a slice adds to the index of an element inside a tile; 0 if tiles hold a single slice.
#[inline(always)]
pub(crate) fn slice_offset(tile: &LevelAddressing, layer: u32) -> u32 {
    spread::<GENERAL>(&tile.z_spread, layer & tile.slice_mask)
}

/// Fills in the row where each lane's slice of its mip level begins, and what the slice adds to indices inside a tile (see
/// [`slice_offset`]). `first` is added to `slices`: the view's first slice, or 0 if the rows of mip levels already include its rows.
pub(crate) type RowKernel = fn(
    &LevelAddressing,
    first: u32,
    slices: &Lanes<u32>,
    &LevelLanes,
    rows: &mut Lanes<u32>,
    slice_offset: &mut Lanes<u32>,
);

/// See [`RowKernel`]. `SLICES_IN_TILES`: tiles hold several slices.
#[inline(always)]
pub(crate) fn rows<const SLICES_IN_TILES: bool>(
    tile: &LevelAddressing,
    first: u32,
    slices: &Lanes<u32>,
    level: &LevelLanes,
    rows: &mut Lanes<u32>,
    slice_offset: &mut Lanes<u32>,
) {
    for i in 0..LANES {
        (rows[i], slice_offset[i]) =
            row_of_slice::<SLICES_IN_TILES>(tile, slices[i].wrapping_add(first), level, i);
    }
}

/// Returns the row of lane `i` and what its slice adds inside a tile: see [`RowKernel`], whose `first` is already added to `slice`.
#[inline(always)]
pub(crate) fn row_of_slice<const SLICES_IN_TILES: bool>(
    tile: &LevelAddressing,
    slice: u32,
    level: &LevelLanes,
    i: usize,
) -> (u32, u32) {
    let slice = slice.wrapping_add(level.layer[i]);
    (
        slice_row(tile, slice).wrapping_add(level.row[i]),
        if SLICES_IN_TILES { slice_offset(tile, slice) } else { 0 },
    )
}

/// The columns and rows of elements that the lanes' footprints cover.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cells<'a> {
    /// First and second column, counted from the column of the mip level.
    pub(crate) x: &'a [Lanes<u32>; 2],
    /// First and second row, counted from the row of the slice.
    pub(crate) y: &'a [Lanes<u32>; 2],
    /// Column where the mip level begins.
    pub(crate) origin: &'a Lanes<u32>,
    /// Row where the mip level begins in the slice, and (volumes) in the second slice.
    pub(crate) rows: [&'a Lanes<u32>; 2],
    /// What each of the two slices adds to indices inside a tile; only [`Pattern::General`] uses it.
    pub(crate) slice_offset: [&'a Lanes<u32>; 2],
}

/// Fills in the index of the element of each texel of the lanes' footprints.
pub(crate) type AddressKernel = fn(&LevelAddressing, Cells<'_>, &mut TapLanes<u32>);

/// See [`AddressKernel`]. `X`, `Y` and `Z`: texels of the footprint along each axis.
#[inline(always)]
pub(crate) fn elements<const PATTERN: u8, const X: usize, const Y: usize, const Z: usize>(
    tile: &LevelAddressing,
    cells: Cells<'_>,
    index: &mut TapLanes<u32>,
) {
    // Written out, not as loops over texels: compilers vectorise this loop over lanes only then.
    for i in 0..LANES {
        let x0 = column::<PATTERN>(tile, cells.x[0][i].wrapping_add(cells.origin[i]));
        let slice_offset = |slice: usize| if PATTERN == GENERAL { cells.slice_offset[slice][i] } else { 0 };
        let y0 =
            row::<PATTERN>(tile, cells.y[0][i].wrapping_add(cells.rows[0][i])).wrapping_add(slice_offset(0));
        index[0][i] = x0.wrapping_add(y0);
        if X == 2 {
            let x1 = column::<PATTERN>(tile, cells.x[1][i].wrapping_add(cells.origin[i]));
            index[1][i] = x1.wrapping_add(y0);
            if Y == 2 {
                let y1 = row::<PATTERN>(tile, cells.y[1][i].wrapping_add(cells.rows[0][i]))
                    .wrapping_add(slice_offset(0));
                index[2][i] = x0.wrapping_add(y1);
                index[3][i] = x1.wrapping_add(y1);
            }
            if Z == 2 {
                let y2 = row::<PATTERN>(tile, cells.y[0][i].wrapping_add(cells.rows[1][i]))
                    .wrapping_add(slice_offset(1));
                let y3 = row::<PATTERN>(tile, cells.y[1][i].wrapping_add(cells.rows[1][i]))
                    .wrapping_add(slice_offset(1));
                index[4][i] = x0.wrapping_add(y2);
                index[5][i] = x1.wrapping_add(y2);
                index[6][i] = x0.wrapping_add(y3);
                index[7][i] = x1.wrapping_add(y3);
            }
        }
    }
}

/// The size of a compressed block along one axis, in texels, with the factor and shift that replace a division by it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockSize {
    texels: u8,
    shift: u8,
    reciprocal: u32,
}

impl BlockSize {
    /// Returns the constants for a block of `texels` texels: 1 to 12.
    pub(crate) const fn new(texels: u8) -> Self {
        let texels = if texels == 0 { 1 } else { texels };
        if texels.is_power_of_two() {
            return Self { texels, reciprocal: 1, shift: texels.trailing_zeros() as u8 };
        }
        Self { texels, reciprocal: (1_u32 << 18).div_ceil(texels as u32), shift: 18 }
    }

    /// Returns the number of a texel in a block of this width, in raster order. `inside`: its column in bits 3:0, its row from bit 4 up.
    #[inline(always)]
    pub(crate) const fn texel(self, inside: u32) -> u32 {
        (inside >> 4).wrapping_mul(self.texels as u32).wrapping_add(inside & 15)
    }

    /// Returns whether [`split`](Self::split) is exact for every coordinate below `size`.
    pub(crate) const fn splits_all_below(self, size: u32) -> bool {
        self.texels.is_power_of_two() || size <= 1 << 14
    }

    /// Does what [`split`](Self::split) does with a division, exactly for any coordinate.
    #[inline(always)]
    pub(crate) const fn divide(self, texel: u32) -> (u32, u32) {
        let block = match texel.checked_div(self.texels as u32) {
            Some(block) => block,
            None => 0,
        };
        (block, texel.wrapping_sub(block.wrapping_mul(self.texels as u32)))
    }

    /// Returns the block that contains a texel coordinate, and the texel's number in it. If the size is no power of two, the
    /// coordinate must be below 2^14; one-lane targets, which have no vectors, divide and take any.
    #[inline(always)]
    pub(crate) const fn split(self, texel: u32) -> (u32, u32) {
        if LANES == 1 {
            return self.divide(texel);
        }
        // Exact: texel * (reciprocal * texels - 2^18) stays below 2^18.
        let block = texel.wrapping_mul(self.reciprocal).wrapping_shr(self.shift as u32);
        (block, texel.wrapping_sub(block.wrapping_mul(self.texels as u32)))
    }
}

/// Replaces texel coordinates by those of their blocks, and fills in the position of each texel in its block: column in bits 3:0,
/// row from bit 4 up.
pub(crate) type SplitKernel =
    fn(size: [BlockSize; 2], x: &mut [Lanes<u32>; 2], y: &mut [Lanes<u32>; 2], inside: &mut TapLanes<u32>);

/// See [`SplitKernel`].
#[inline(always)]
pub(crate) fn split(
    [width, height]: [BlockSize; 2],
    x: &mut [Lanes<u32>; 2],
    y: &mut [Lanes<u32>; 2],
    inside: &mut TapLanes<u32>,
) {
    for i in 0..LANES {
        let ((x0, left), (x1, right)) = (width.split(x[0][i]), width.split(x[1][i]));
        let ((y0, upper), (y1, lower)) = (height.split(y[0][i]), height.split(y[1][i]));
        (x[0][i], x[1][i], y[0][i], y[1][i]) = (x0, x1, y0, y1);
        let (upper, lower) = (upper << 4, lower << 4);
        // Taps 4 to 7, of the second slice of a volume, have the same positions in their blocks as taps 0 to 3.
        (inside[0][i], inside[4][i]) = (upper | left, upper | left);
        (inside[1][i], inside[5][i]) = (upper | right, upper | right);
        (inside[2][i], inside[6][i]) = (lower | left, lower | left);
        (inside[3][i], inside[7][i]) = (lower | right, lower | right);
    }
}
