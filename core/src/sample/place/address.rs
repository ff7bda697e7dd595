//! From texel coordinates to elements of memory.
//!
//! In every tile mode the place of an element is a function of its column plus a function of its row. Columns and
//! rows count elements from the start of the surface: levels and slices are rectangles of one large plane.
#![allow(clippy::needless_range_loop, reason = "several arrays, one number of the lane")]
#![allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]

use crate::memory::{BitSpread, LevelAddressing, SpreadStep};
use crate::sample::lanes::{LANES, Lanes, TapLanes};

/// The class of a tile mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// Any order of bits, slices included: W-major and tiled resources.
    General,
    /// Rows one after the other.
    Linear,
    /// A range of bits of columns and rows moves: X- and Y-major.
    OneStep,
    /// Rows one after the other; columns are three units wide.
    Thirds,
}

/// How many classes have kernels: small targets have one way for all modes.
pub(crate) const PATTERNS: usize = if LANES == 1 { 1 } else { 4 };

/// The classes as constants of a kernel.
pub(crate) const GENERAL: u8 = 0;
pub(crate) const LINEAR: u8 = 1;
pub(crate) const ONE_STEP: u8 = 2;
pub(crate) const THIRDS: u8 = 3;
/// No class: kernels leave texels as they are, counted from those of the level and the slice, for what knows their blocks.
pub(crate) const TEXELS: u8 = 4;
/// No class: kernels leave columns, rows and slices as they are, for what knows the tile mode.
pub(crate) const CELLS: u8 = 5;

impl Pattern {
    /// The kernel of a tile mode.
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

/// What a column adds to the index of an element.
#[cfg_attr(target_pointer_width = "64", inline(always))]
pub(crate) fn column<const PATTERN: u8>(tile: &LevelAddressing, column: u32) -> u32 {
    let column = match PATTERN {
        THIRDS => column.wrapping_add(column << 1),
        ONE_STEP => column.wrapping_add(column << 1 & tile.thirds),
        _ => column,
    };
    spread::<PATTERN>(&tile.x_spread, column)
}

/// What a row adds to the index of an element.
#[cfg_attr(target_pointer_width = "64", inline(always))]
pub(crate) fn row<const PATTERN: u8>(tile: &LevelAddressing, row: u32) -> u32 {
    if PATTERN == LINEAR || PATTERN == THIRDS {
        return row.wrapping_mul(tile.tile_row);
    }
    let inside = spread::<PATTERN>(&tile.y_spread, row & tile.row_mask);
    inside.wrapping_add(row.wrapping_shr(tile.row_shift).wrapping_mul(tile.tile_row))
}

/// The element in a column and a row of the surface; `deep` is what its slice adds inside a tile.
pub(crate) fn element<const PATTERN: u8>(
    tile: &LevelAddressing,
    at_column: u32,
    at_row: u32,
    deep: u32,
) -> u32 {
    column::<PATTERN>(tile, at_column).wrapping_add(row::<PATTERN>(tile, at_row)).wrapping_add(deep)
}

/// Where a slice is: the rows to it, and what it adds to indices inside its tiles.
#[cfg_attr(target_pointer_width = "64", inline(always))]
pub(crate) fn slice(tile: &LevelAddressing, layer: u32) -> (u32, u32) {
    (skip(tile, layer), deep(tile, layer))
}

/// The rows to a slice.
#[inline(always)]
pub(crate) fn skip(tile: &LevelAddressing, layer: u32) -> u32 {
    layer.wrapping_shr(tile.slice_shift).wrapping_mul(tile.qpitch)
}

/// What a slice adds to indices inside its tiles.
#[inline(always)]
pub(crate) fn deep(tile: &LevelAddressing, layer: u32) -> u32 {
    spread::<GENERAL>(&tile.z_spread, layer & tile.slice_mask)
}

/// Where a level is in each lane's slice: the row in the view's first one, and its slice in the tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelRows<'a> {
    pub(crate) row: &'a Lanes<u32>,
    pub(crate) layer: &'a Lanes<u32>,
}

/// Fills in the rows where lanes' slices of a level begin, and what the slices add to indices inside of tiles. `first` is the
/// view's first slice.
pub(crate) type RowKernel = fn(
    &LevelAddressing,
    first: u32,
    slices: &Lanes<u32>,
    LevelRows<'_>,
    rows: &mut Lanes<u32>,
    deep: &mut Lanes<u32>,
);

/// See [`RowKernel`]. `DEEP`: slices are inside of tiles.
#[inline(always)]
pub(crate) fn rows<const DEEP: bool>(
    tile: &LevelAddressing,
    first: u32,
    slices: &Lanes<u32>,
    level: LevelRows<'_>,
    rows: &mut Lanes<u32>,
    deep: &mut Lanes<u32>,
) {
    for i in 0..LANES {
        (rows[i], deep[i]) = row_of_slice::<DEEP>(tile, slices[i].wrapping_add(first), level, i);
    }
}

/// See [`RowKernel`], of lane `i`.
#[inline(always)]
pub(crate) fn row_of_slice<const DEEP: bool>(
    tile: &LevelAddressing,
    slice: u32,
    level: LevelRows<'_>,
    i: usize,
) -> (u32, u32) {
    let slice = slice.wrapping_add(level.layer[i]);
    (skip(tile, slice).wrapping_add(level.row[i]), if DEEP { deep(tile, slice) } else { 0 })
}

/// The texels of footprints as columns and rows of elements of the surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cells<'a> {
    /// First and second column, counted from the level's.
    pub(crate) x: &'a [Lanes<u32>; 2],
    /// First and second row, counted from the slice's.
    pub(crate) y: &'a [Lanes<u32>; 2],
    /// The column of the level.
    pub(crate) origin: &'a Lanes<u32>,
    /// The row of the slice, and of the second slice of volumes.
    pub(crate) rows: [&'a Lanes<u32>; 2],
    /// What both slices add inside of tiles; only the general pattern looks at it.
    pub(crate) deep: [&'a Lanes<u32>; 2],
}

/// Fills in the elements of footprints.
pub(crate) type AddressKernel = fn(&LevelAddressing, Cells<'_>, &mut TapLanes<u32>);

/// See [`AddressKernel`]. `X`, `Y` and `Z`: texels of the footprint along each axis.
#[inline(always)]
pub(crate) fn elements<const PATTERN: u8, const X: usize, const Y: usize, const Z: usize>(
    tile: &LevelAddressing,
    cells: Cells<'_>,
    index: &mut TapLanes<u32>,
) {
    // Written out, not as loops over texels: compilers make vectors of this loop only then.
    for i in 0..LANES {
        let x0 = column::<PATTERN>(tile, cells.x[0][i].wrapping_add(cells.origin[i]));
        let deep = |slice: usize| if PATTERN == GENERAL { cells.deep[slice][i] } else { 0 };
        let y0 = row::<PATTERN>(tile, cells.y[0][i].wrapping_add(cells.rows[0][i])).wrapping_add(deep(0));
        index[0][i] = x0.wrapping_add(y0);
        if X == 2 {
            let x1 = column::<PATTERN>(tile, cells.x[1][i].wrapping_add(cells.origin[i]));
            index[1][i] = x1.wrapping_add(y0);
            if Y == 2 {
                let y1 =
                    row::<PATTERN>(tile, cells.y[1][i].wrapping_add(cells.rows[0][i])).wrapping_add(deep(0));
                index[2][i] = x0.wrapping_add(y1);
                index[3][i] = x1.wrapping_add(y1);
            }
            if Z == 2 {
                let y2 =
                    row::<PATTERN>(tile, cells.y[0][i].wrapping_add(cells.rows[1][i])).wrapping_add(deep(1));
                let y3 =
                    row::<PATTERN>(tile, cells.y[1][i].wrapping_add(cells.rows[1][i])).wrapping_add(deep(1));
                index[4][i] = x0.wrapping_add(y2);
                index[5][i] = x1.wrapping_add(y2);
                index[6][i] = x0.wrapping_add(y3);
                index[7][i] = x1.wrapping_add(y3);
            }
        }
    }
}

/// Texels of a block along an axis, as numbers that divide without a division.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockSize {
    texels: u8,
    shift: u8,
    reciprocal: u32,
}

impl BlockSize {
    /// `texels`: 1 to 12.
    pub(crate) const fn new(texels: u8) -> Self {
        let texels = if texels == 0 { 1 } else { texels };
        if texels.is_power_of_two() {
            return Self { texels, reciprocal: 1, shift: texels.trailing_zeros() as u8 };
        }
        Self { texels, reciprocal: (1_u32 << 18).div_ceil(texels as u32), shift: 18 }
    }

    /// The number of a texel in its block, in raster order, from its column and row (from bit 4 up).
    #[inline(always)]
    pub(crate) const fn texel(self, inside: u32) -> u32 {
        (inside >> 4).wrapping_mul(self.texels as u32).wrapping_add(inside & 15)
    }

    /// Every coordinate below a size can be [`split`](Self::split).
    pub(crate) const fn splits_all_below(self, size: u32) -> bool {
        self.texels.is_power_of_two() || size <= 1 << 14
    }

    /// [`split`](Self::split) of any coordinate, by a division.
    #[inline(always)]
    pub(crate) const fn divide(self, texel: u32) -> (u32, u32) {
        let block = match texel.checked_div(self.texels as u32) {
            Some(block) => block,
            None => 0,
        };
        (block, texel.wrapping_sub(block.wrapping_mul(self.texels as u32)))
    }

    /// The block of a texel coordinate, and the texel in it. Of sizes that are no powers of two the coordinate is below 2^14; small
    /// targets, which have no vectors, divide any.
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

/// Splits texel coordinates into blocks and the texels in them: column, and row from bit 4 up.
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
        // Both slices of a volume.
        (inside[0][i], inside[4][i]) = (upper | left, upper | left);
        (inside[1][i], inside[5][i]) = (upper | right, upper | right);
        (inside[2][i], inside[6][i]) = (lower | left, lower | left);
        (inside[3][i], inside[7][i]) = (lower | right, lower | right);
    }
}
