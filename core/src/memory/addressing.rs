//! The constants of element addresses in a mip level. They have one form for every tile mode, so that one loop over lanes
//! serves all tile modes.

use super::order::TileOrder;

/// Moves the bits of a number to the left, each by its own distance, keeping their order: this turns a
/// coordinate into its bits of an offset in a tile.
///
/// Up to four steps, each of which moves the bits of a mask by one distance:
///
/// ```text
/// for step in steps { value = (value & !step.mask) | ((value & step.mask) << step.shift) }
/// ```
///
/// | tile mode | steps of x | steps of y |
/// |---|---|---|
/// | linear | 0 | 0 |
/// | X-major, Y-major | 1 | 1 |
/// | W-major | 3 | 2 |
/// | Yf, Ys | up to 4 | up to 4 |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct BitSpread {
    /// The steps in order; steps with mask 0 do nothing and are last.
    pub(crate) steps: [SpreadStep; 4],
}

/// Moves the bits of `mask` by `shift`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct SpreadStep {
    pub(crate) mask: u32,
    pub(crate) shift: u32,
}

impl BitSpread {
    /// Returns the spread that moves bit k of a number to the k-th set bit of `mask`. Higher bits move to bit `above` and up;
    /// if `above` is `None`, numbers have no higher bits. `above` is higher than all bits of `mask`.
    fn new(mask: u32, above: Option<u32>) -> Self {
        let count = mask.count_ones();
        // All bits past those of the mask move by the same distance: they count as one group.
        let groups = if above.is_some() { count.wrapping_add(1) } else { count };
        let distance = |number: u32| {
            let mut left = mask;
            for _ in 0..number {
                left &= left.wrapping_sub(1);
            }
            let place = if left == 0 { above.unwrap_or(number) } else { left.trailing_zeros() };
            place.wrapping_sub(number)
        };
        let bits = |number: u32| if number == count { u32::MAX } else { 1 };
        let farthest = distance(groups.saturating_sub(1));
        let mut spread = Self::default();
        let mut steps = spread.steps.iter_mut();
        let one_distance = (0..groups).all(|number| [0, farthest].contains(&distance(number)));
        // A single distance takes one step. Several distances are sums of powers of two, the largest moved first: bits
        // keep their order, so no two of them collide.
        let shifts = if one_distance { [farthest, 0, 0, 0] } else { [8, 4, 2, 1] };
        for shift in shifts.into_iter().filter(|shift| *shift != 0) {
            let mut mask = 0;
            for number in 0..groups {
                let moves =
                    if one_distance { distance(number) == shift } else { distance(number) & shift != 0 };
                // The distance by which the larger steps have moved the bit already.
                let moved =
                    if one_distance { 0 } else { distance(number) & shift.wrapping_mul(2).wrapping_neg() };
                if moves {
                    mask |= bits(number).wrapping_shl(number.wrapping_add(moved));
                }
            }
            if mask != 0
                && let Some(step) = steps.next()
            {
                *step = SpreadStep { mask, shift };
            }
        }
        spread
    }

    /// Moves the bits of `value`.
    pub(crate) fn apply(&self, value: u32) -> u32 {
        let mut value = value;
        for SpreadStep { mask, shift } in self.steps {
            value = value & !mask | (value & mask).wrapping_shl(shift);
        }
        value
    }
}

/// A [`BitSpread`] as tables, for numbers whose bits from bit 8 up all move by one distance, or that have no such bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct SpreadTable {
    /// The results for bits 0 to 3, and for bits 4 to 7.
    pub(crate) nibbles: [[u32; 16]; 2],
    /// The step that moves the bits from bit 8 up.
    pub(crate) rest: SpreadStep,
}

impl SpreadTable {
    /// Makes the tables of a spread. `mask` has the bits that a number can have.
    fn new(spread: &BitSpread, mask: u32) -> Self {
        let mut table = Self::default();
        for (nibbles, shift) in table.nibbles.iter_mut().zip([0, 4]) {
            for (place, value) in nibbles.iter_mut().zip(0_u32..) {
                *place = spread.apply(value.wrapping_shl(shift) & mask);
            }
        }
        let bit = 1 << 8;
        table.rest.mask = mask & !(bit - 1);
        table.rest.shift = spread.apply(bit).trailing_zeros().saturating_sub(8);
        table
    }
}

/// The number of axes with tables. Small targets have none and move bits step by step.
const TABLES: usize = if cfg!(target_pointer_width = "64") { 3 } else { 0 };

/// The addresses of the elements of a mip level, separated by coordinate. With
///
/// ```text
/// column = x + origin[0]
/// row    = y + origin[1] + (layer >> slice_shift) * qpitch      layer = slice + origin[2]
/// X(column) = x_spread(column)
/// Y(row)    = y_spread(row & row_mask) + (row >> row_shift) * tile_row
/// Z(layer)  = z_spread(layer & slice_mask)
/// ```
///
/// the element (x, y) of `slice` is element `X + Y + Z` of an array of elements that starts at
/// address `base`. All numbers but `base` count elements (texels, or blocks). The columns of tiles
/// are part of X: its spread moves the bits past the tile's width to the bits that count tiles.
///
/// | tile mode | row_shift | tile_row | qpitch | slice_shift |
/// |---|---|---|---|---|
/// | linear | 0 | pitch | QPitch | 0 |
/// | linear 1D | 0 | 1 | QPitch (elements) | 0 |
/// | X, Y, W | 3, 5, 6 | bytes of a row of tiles / element | QPitch | 0 |
/// | Yf, Ys | log2 of the tile's rows | the same | QPitch | log2 of the tile's slices (3D) or samples (MSS), else 0 |
///
/// `slice` counts from the start of memory: an array layer, `layer * 6 + face`, z, or
/// `layer * samples + sample`. Where a tile holds several slices or samples, its low bits select one in the tile.
///
/// Mip levels in the mip tail of a tiled resource differ by their origin alone: that of the first
/// mip level of the tail, plus column, row and slice of the mip level's slot in the tile. (A mip level is
/// smaller than its slot, so no addition carries into another tile.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct LevelAddressing {
    /// The address of element (0, 0) of the whole surface.
    pub(crate) base: u64,
    /// Column, row and slice of the mip level's first element.
    pub(crate) origin: [u32; 3],
    pub(crate) x_spread: BitSpread,
    pub(crate) y_spread: BitSpread,
    pub(crate) z_spread: BitSpread,
    pub(crate) row_mask: u32,
    pub(crate) row_shift: u32,
    /// All ones if [`set_parts`](Self::set_parts) made columns three units wide, else 0.
    pub(crate) thirds: u32,
    /// Elements from one row of tiles to the next.
    pub(crate) tile_row: u32,
    pub(crate) slice_mask: u32,
    pub(crate) slice_shift: u32,
    /// Rows from one slice (Yf, Ys: from the slices of one tile) to the next.
    pub(crate) qpitch: u32,
    /// The spreads of columns, of rows in a tile and of slices in a tile as tables: see [`tabulate`](Self::tabulate).
    pub(crate) tables: [SpreadTable; TABLES],
}

impl LevelAddressing {
    /// Fills in the tables of the spreads.
    pub(crate) fn tabulate(&mut self) {
        let axes =
            [(&self.x_spread, u32::MAX), (&self.y_spread, self.row_mask), (&self.z_spread, self.slice_mask)];
        for (table, (spread, mask)) in self.tables.iter_mut().zip(axes) {
            *table = SpreadTable::new(spread, mask);
        }
    }

    /// Makes columns count elements of `parts` (2 or 3) units instead of units, in tiles whose column spread is one step. `None` if
    /// `parts` is 2 and units are contiguous by twos.
    pub(crate) fn set_parts(&mut self, parts: u32) -> Option<()> {
        let [first, ..] = &mut self.x_spread.steps;
        match parts {
            3 => self.thirds = u32::MAX,
            2 if first.mask == u32::MAX => first.shift = first.shift.wrapping_add(1),
            _ => return None,
        }
        Some(())
    }

    /// Returns the constants of a surface with elements of `bytes` bytes and a pitch of `pitch` bytes. `None` if a row (of tiles) is not
    /// a whole number of elements, or if the bytes of an element of a tiled surface are not a power of two or are more than the
    /// tile keeps contiguous.
    pub(super) fn new(base: u64, order: &TileOrder, pitch: u32, bytes: u32) -> Option<Self> {
        if bytes == 0 || !(pitch.wrapping_shl(order.pitches.into())).is_multiple_of(bytes) {
            return None;
        }
        let whole = bytes.is_power_of_two() && bytes.trailing_zeros() <= order.x.trailing_ones();
        if !(order.is_linear() || whole) {
            return None;
        }
        let log2_bytes = if order.is_linear() { 0 } else { bytes.trailing_zeros() };
        let above = order.log2().wrapping_sub(log2_bytes);
        let spread = |mask: u16, above| BitSpread::new(u32::from(mask).wrapping_shr(log2_bytes), above);
        let ones = |log2: u8| 1_u32.wrapping_shl(log2.into()).wrapping_sub(1);
        Some(Self {
            base,
            origin: [0; 3],
            x_spread: spread(order.x, Some(above)),
            y_spread: spread(order.y, None),
            z_spread: spread(order.z, None),
            row_mask: ones(order.rows),
            row_shift: order.rows.into(),
            thirds: 0,
            tile_row: pitch.wrapping_shl(order.pitches.into()) / bytes,
            slice_mask: ones(order.slices),
            slice_shift: order.slices.into(),
            qpitch: 0,
            tables: [SpreadTable::default(); TABLES],
        })
    }

    /// Returns the index of element (x, y) of a slice, counted from `base`.
    #[cfg(test)]
    pub(crate) fn index(&self, x: u32, y: u32, slice: u32) -> u64 {
        let [left, top, front] = self.origin;
        let layer = slice.wrapping_add(front);
        let skip = u64::from(layer.wrapping_shr(self.slice_shift)).wrapping_mul(self.qpitch.into());
        let row = u64::from(y).wrapping_add(top.into()).wrapping_add(skip);
        let inside = self.y_spread.apply(row as u32 & self.row_mask);
        let tiles = (row >> self.row_shift).wrapping_mul(self.tile_row.into());
        let across = self.x_spread.apply(x.wrapping_add(left));
        let slice = self.z_spread.apply(layer & self.slice_mask);
        tiles.wrapping_add(u64::from(inside)).wrapping_add(across.into()).wrapping_add(slice.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::order::{TileShape, deposit};
    use crate::state::TileMode;

    /// Each bit moves to its bit of the mask, and the bits past the tile follow.
    #[test]
    fn spreads_are_deposits() {
        let mut masks = std::vec![(0, 0), (0x1ff, 12), (0xe0f, 12), (0x1f0, 12), (0xe15, 12), (0x1ea, 12)];
        for log2_bytes in 0..5 {
            for (log2_tile, shape) in [
                (12, TileShape::Box),
                (16, TileShape::Box),
                (12, TileShape::Rectangle { log2_samples: 0 }),
                (16, TileShape::Rectangle { log2_samples: 0 }),
                (16, TileShape::Rectangle { log2_samples: 3 }),
            ] {
                let order = TileOrder::standard(log2_tile, log2_bytes, shape);
                for mask in [order.x, order.y, order.z] {
                    masks.push((mask >> log2_bytes, u32::from(log2_tile - log2_bytes)));
                }
            }
        }
        for (mask, above) in masks {
            let spread = BitSpread::new(mask.into(), Some(above));
            let alone = BitSpread::new(mask.into(), None);
            let low = mask.count_ones();
            for bit in 0..16 {
                let want = if bit < low { deposit(1 << bit, mask) } else { 1 << (above + bit - low) };
                assert_eq!(spread.apply(1 << bit), want, "{mask:04x} bit {bit}: {spread:?}");
                assert!(bit >= low || alone.apply(1 << bit) == want, "{mask:04x} bit {bit}: {alone:?}");
            }
            let all = deposit(u32::MAX, mask) | 0x3ff << above;
            assert_eq!(spread.apply((1 << (low + 10)) - 1), all, "{mask:04x}: {spread:?}");
        }
    }

    /// X-major and Y-major tiles need one step, linear surfaces none.
    #[test]
    fn usual_tiles_take_one_step() {
        for (mode, steps) in [(TileMode::Linear, 0), (TileMode::XMajor, 1), (TileMode::YMajor, 1)] {
            let level = LevelAddressing::new(0, &TileOrder::of(mode), 1024, 4).unwrap();
            for spread in [level.x_spread, level.y_spread] {
                assert_eq!(spread.steps.iter().filter(|step| step.mask != 0).count(), steps, "{mode:?}");
            }
        }
    }

    /// Tables give the same results as steps, in every tile mode whose columns and rows move by several distances.
    #[test]
    #[cfg(target_pointer_width = "64")]
    fn tables_are_what_the_steps_come_to() {
        let shapes = [
            TileShape::Rectangle { log2_samples: 0 },
            TileShape::Rectangle { log2_samples: 3 },
            TileShape::Box,
        ];
        let standard = |log2_bytes| {
            let of = move |log2_tile| shapes.map(|shape| TileOrder::standard(log2_tile, log2_bytes, shape));
            [12, 16].into_iter().flat_map(of).map(move |order| (order, 1 << log2_bytes))
        };
        let w_major = (TileOrder::of(TileMode::WMajor), 1);
        for (order, bytes) in (0..5).flat_map(standard).chain([w_major]) {
            let mut level = LevelAddressing::new(0, &order, 1 << 14, bytes).unwrap();
            level.tabulate();
            let [columns, rows, slices] = &level.tables;
            for number in 0..1 << 12 {
                let tabulated = |SpreadTable { nibbles: [low, high], rest }: &SpreadTable| {
                    let (low, high) = (low[number as usize & 15], high[number as usize >> 4 & 15]);
                    low | high | (number & rest.mask) << rest.shift
                };
                let stepped = [
                    level.x_spread.apply(number),
                    level.y_spread.apply(number & level.row_mask),
                    level.z_spread.apply(number & level.slice_mask),
                ];
                assert_eq!([columns, rows, slices].map(tabulated), stepped, "{order:?} {bytes} {number}");
            }
        }
    }
}
