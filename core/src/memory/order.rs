//! The order of elements inside a tile, as data: each bit of the offset in a tile is a bit of
//! x, y, z or the sample number.
//!
//! Patterns are written as in the PRM and Intel's memory library: bit 0 of the offset is the
//! last letter, and the k-th X from the right is bit k of the byte column.

use crate::state::TileMode;

/// Which bits of the offset in a tile come from which coordinate. The masks do not overlap, and
/// together cover the tile (except for [`every_second_row`](Self::every_second_row)). Linear surfaces have tiles of one
/// byte: all masks are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct TileOrder {
    /// Bits that come from the byte column.
    pub(crate) x: u16,
    /// Bits that come from the row of elements.
    pub(crate) y: u16,
    /// Bits that come from z, or from the sample number.
    pub(crate) z: u16,
    /// Log2 of the tile's width in bytes.
    pub(crate) columns: u8,
    /// Log2 of the tile's rows of elements.
    pub(crate) rows: u8,
    /// Log2 of the tile's slices or samples.
    pub(crate) slices: u8,
    /// Log2 of the pitches that a row of tiles takes: its bytes are `pitch << pitches`.
    pub(crate) pitches: u8,
    /// Log2 of the tile's bytes.
    bytes: u8,
}

/// The tiles of 64 KiB (Ys), by log2 of the bytes of an element. Tiles of 4 KiB (Yf) are the low
/// 12 bits. (Intel gmmlib 12.10, `CpuSwizzleBlt.c`; extents as in Mesa's isl.)
const STANDARD_2D: [TileOrder; 5] = [
    TileOrder::pattern(b"XYXYXYXYYYYYXXXX"),
    TileOrder::pattern(b"XYXYXYXYXYYYXXXX"),
    TileOrder::pattern(b"XYXYXYXYXYYYXXXX"),
    TileOrder::pattern(b"XYXYXYXYXXYYXXXX"),
    TileOrder::pattern(b"XYXYXYXYXXYYXXXX"),
];
const STANDARD_3D: [TileOrder; 5] = [
    TileOrder::pattern(b"XYZXYZYZZZYYXXXX"),
    TileOrder::pattern(b"XYZXYZYZZZYYXXXX"),
    TileOrder::pattern(b"XYZXYZXYZZYYXXXX"),
    TileOrder::pattern(b"XYZXYZXXZZYYXXXX"),
    TileOrder::pattern(b"XYZXYZXXZZYYXXXX"),
];
/// The tile of a 1D surface: one row of bytes.
const STANDARD_1D: TileOrder = TileOrder::pattern(b"XXXXXXXXXXXXXXXX");

/// How a standard tile (Yf, Ys) divides the bits of its offsets among coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TileShape {
    /// One dimension.
    Row,
    /// Two dimensions, with log2 of the samples that share the tile.
    Rectangle { log2_samples: u8 },
    /// Three dimensions.
    Box,
}

impl TileOrder {
    /// Returns the order of a tile mode, for surfaces without a tiled resource mode.
    pub(crate) const fn of(mode: TileMode) -> Self {
        match mode {
            TileMode::Linear => Self::masks(0, 0, 0),
            TileMode::XMajor => Self::pattern(b"YYYXXXXXXXXX"),
            TileMode::YMajor => Self::pattern(b"XXXYYYYYXXXX"),
            // The pitch counts 128 bytes for the 64 of a tile: two rows are interleaved.
            TileMode::WMajor => {
                let order = Self::pattern(b"XXXYYYYXYXYX");
                Self { pitches: order.rows - 1, ..order }
            }
        }
    }

    /// Returns the order of the standard tile of `1 << log2_tile` bytes (`log2_tile` is 12 or 16) for elements of `1 << log2_bytes`
    /// bytes.
    pub(crate) fn standard(log2_tile: u8, log2_bytes: u8, shape: TileShape) -> Self {
        let by_size = |table: &[Self; 5]| table.get(usize::from(log2_bytes)).copied().unwrap_or_default();
        let whole = match shape {
            TileShape::Row => STANDARD_1D,
            TileShape::Rectangle { .. } => by_size(&STANDARD_2D),
            TileShape::Box => by_size(&STANDARD_3D),
        };
        let tile = u16::MAX.wrapping_shr(u32::from(16_u8.saturating_sub(log2_tile)));
        // Samples take the highest bits, whichever coordinate had them.
        let samples = match shape {
            TileShape::Rectangle { log2_samples } => tile & !tile.wrapping_shr(log2_samples.into()),
            TileShape::Row | TileShape::Box => 0,
        };
        let left = tile & !samples;
        Self::masks(whole.x & left, whole.y & left, whole.z & left | samples)
    }

    const fn masks(x: u16, y: u16, z: u16) -> Self {
        let (columns, rows, slices) = (x.count_ones() as u8, y.count_ones() as u8, z.count_ones() as u8);
        let pitches = rows.wrapping_add(slices);
        Self { x, y, z, columns, rows, slices, pitches, bytes: columns.wrapping_add(pitches) }
    }

    /// Returns the order of every second row, and the distance in bytes from the even rows to the odd ones. The order lacks
    /// the lowest bit of y; the tile keeps its size.
    pub(crate) const fn every_second_row(self) -> (Self, u32) {
        let lowest = self.y & self.y.wrapping_neg();
        (Self { y: self.y & !lowest, rows: self.rows.saturating_sub(1), ..self }, lowest as u32)
    }

    /// Returns the order of a pattern of the letters X, Y, Z; the last one is bit 0.
    const fn pattern(mut letters: &[u8]) -> Self {
        let (mut x, mut y, mut z) = (0_u16, 0_u16, 0_u16);
        while let [letter, rest @ ..] = letters {
            let bit = 1_u16.wrapping_shl(rest.len() as u32);
            match letter {
                b'X' => x |= bit,
                b'Y' => y |= bit,
                _ => z |= bit,
            }
            letters = rest;
        }
        Self::masks(x, y, z)
    }

    /// Returns log2 of the tile's bytes.
    #[inline]
    pub(crate) const fn log2(&self) -> u32 {
        self.bytes as u32
    }

    /// Returns log2 of the bytes that a tile adds to the pitch. (W-major: twice its width.)
    pub(crate) const fn pitch_width(&self) -> u32 {
        self.log2().wrapping_sub(self.pitches as u32)
    }

    /// Whether elements are in rows, not in tiles.
    #[inline]
    pub(crate) const fn is_linear(&self) -> bool {
        self.log2() == 0
    }

    /// Returns the byte column, the row and the slice of a byte offset in the tile.
    pub(crate) fn position(&self, offset: u32) -> [u32; 3] {
        [self.x, self.y, self.z].map(|mask| extract(offset, mask))
    }
}

/// Moves the low bits of `value` to the set bits of `mask`, the lowest first; bits past the last set
/// bit of `mask` are dropped.
#[inline]
pub(crate) fn deposit(value: u32, mask: u16) -> u32 {
    let (mut left, mut out, mut used) = (u32::from(mask), 0_u32, 0_u32);
    // One iteration for each run of ones: at most 8.
    while left != 0 {
        let at = left.trailing_zeros();
        let run = (left.wrapping_shr(at)).trailing_ones();
        let ones = 1_u32.wrapping_shl(run).wrapping_sub(1);
        out |= (value.wrapping_shr(used) & ones).wrapping_shl(at);
        used = used.wrapping_add(run);
        left &= !ones.wrapping_shl(at);
    }
    out
}

/// Packs the bits of `value` that are set in `mask`, lowest first: the inverse of [`deposit`].
fn extract(value: u32, mask: u16) -> u32 {
    let (mut out, mut used) = (0_u32, 0_u32);
    for bit in 0..16_u32 {
        if mask.wrapping_shr(bit) & 1 != 0 {
            out |= (value.wrapping_shr(bit) & 1).wrapping_shl(used);
            used = used.wrapping_add(1);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> std::vec::Vec<TileOrder> {
        use TileMode::{Linear, WMajor, XMajor, YMajor};
        let mut orders: std::vec::Vec<_> = [Linear, XMajor, YMajor, WMajor].map(TileOrder::of).into();
        for (log2_tile, log2_bytes) in [12, 16].into_iter().flat_map(|tile| (0..5).map(move |b| (tile, b))) {
            orders.push(TileOrder::standard(log2_tile, log2_bytes, TileShape::Row));
            orders.push(TileOrder::standard(log2_tile, log2_bytes, TileShape::Box));
            for log2_samples in 0..5 {
                let shape = TileShape::Rectangle { log2_samples };
                orders.push(TileOrder::standard(log2_tile, log2_bytes, shape));
            }
        }
        orders
    }

    /// Masks share no bit and leave none out, and [`deposit`] inverts [`TileOrder::position`].
    #[test]
    fn orders_are_permutations() {
        for order in all() {
            assert_eq!(order.x & order.y | order.y & order.z | order.x & order.z, 0);
            assert_eq!(u32::from(order.x | order.y | order.z), (1 << order.log2()) - 1);
            for offset in (0..1_u32 << order.log2()).step_by(37) {
                let [x, y, z] = order.position(offset);
                let back = deposit(x, order.x) | deposit(y, order.y) | deposit(z, order.z);
                assert_eq!(back, offset, "{order:?}");
            }
        }
    }

    /// Extents in elements, as Mesa's isl has them.
    #[test]
    fn extents() {
        let flat = [[64, 64], [64, 32], [32, 32], [32, 16], [16, 16]];
        let volumes = [
            [16, 16, 16, 64, 32, 32],
            [8, 16, 16, 32, 32, 32],
            [8, 16, 8, 32, 32, 16],
            [8, 8, 8, 32, 16, 16],
            [4, 8, 8, 16, 16, 16],
        ];
        for (log2_bytes, (flat, volume)) in (0_u8..).zip(flat.into_iter().zip(volumes)) {
            let extent = |log2_tile, shape| {
                let order = TileOrder::standard(log2_tile, log2_bytes, shape);
                [1 << (order.columns - log2_bytes), 1 << order.rows, 1 << order.slices]
            };
            for (log2_samples, [narrow, low]) in (0_u8..).zip([[1, 1], [2, 1], [2, 2], [4, 2], [4, 4]]) {
                let shape = TileShape::Rectangle { log2_samples };
                let [w, h] = flat;
                assert_eq!(extent(12, shape), [w / narrow, h / low, 1 << log2_samples]);
                assert_eq!(extent(16, shape), [w * 4 / narrow, h * 4 / low, 1 << log2_samples]);
            }
            let [w, h, d, ws, hs, ds] = volume;
            assert_eq!((extent(12, TileShape::Box), extent(16, TileShape::Box)), ([w, h, d], [ws, hs, ds]));
        }
    }
}
