//! Runs of a row of elements in a tile: bytes that are contiguous in the row and in the tile.

use crate::memory::TileBits;

/// A rectangle of bytes in a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    /// Byte column and row of the first byte, counted from the tile's.
    pub(super) x: u32,
    pub(super) y: u32,
    /// Bytes of a row.
    pub(super) width: usize,
    /// How many rows.
    pub(super) height: usize,
}

/// Offsets in a tile, row by row and run by run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Runs {
    /// The bits of runs in a row, and those of rows.
    columns: u32,
    rows: u32,
    /// The offset of the first run, without the bits of the row, and that of the first row, without those of the run.
    first: u32,
    row: u32,
    /// Bytes before the first run's end, less than a run when the window starts inside of one.
    pub(super) head: usize,
}

impl Runs {
    /// The runs of `1 << log2_run` bytes in a window.
    pub(super) fn new(bits: &TileBits, window: &Window, log2_run: u32) -> Self {
        let run = 1_u32.wrapping_shl(log2_run);
        let inside = window.x & run.wrapping_sub(1);
        let columns = bits.x & !run.wrapping_sub(1);
        let head = if inside == 0 { 0 } else { run.wrapping_sub(inside) };
        Self {
            columns,
            rows: bits.y,
            first: deposit(window.x >> log2_run, columns) | inside,
            row: deposit(window.y, bits.y) | bits.fixed,
            head: window.width.min(head as usize),
        }
    }

    /// Log2 of the bytes that are together in every row of a tile.
    pub(super) const fn log2_run(bits: &TileBits) -> u32 {
        (!bits.x).trailing_zeros()
    }

    /// The offset of the current row's first run.
    pub(super) const fn start(&self) -> usize {
        (self.first | self.row) as usize
    }

    /// The offset of the run after `run` of the current row.
    #[inline(always)]
    pub(super) const fn next(&self, run: usize) -> usize {
        // Subtracting the mask carries a one through the bits that are not in it.
        let column = (run as u32 & self.columns).wrapping_sub(self.columns) & self.columns;
        (column | self.row) as usize
    }

    /// Goes on to the next row, or from the first of a line's rows to the next line's.
    #[inline(always)]
    pub(super) const fn next_rows(&mut self, count: u32) {
        let rows = self.rows & !(count.wrapping_sub(1).wrapping_shl(self.rows.trailing_zeros()));
        self.row = (self.row & rows).wrapping_sub(rows) & rows | self.row & !self.rows;
    }

    /// The tile has four rows of a run of 16 bytes together, as lines of 64, and the window has whole lines from the
    /// current row on.
    #[inline(always)]
    pub(super) const fn has_lines(&self, bits: &TileBits, window: &Window) -> bool {
        let together = bits.x & 0x3f == 0xf && bits.y & 0x3f == 0x30;
        together && self.row & 0x30 == 0 && self.head == 0 && (window.x | window.width as u32) & 15 == 0
    }
}

/// The low bits of `value` at the places of the ones of `mask`, lowest first.
fn deposit(value: u32, mask: u32) -> u32 {
    let (mut value, mut left, mut out) = (value, mask, 0);
    while left != 0 {
        let lowest = left & left.wrapping_neg();
        if value & 1 != 0 {
            out |= lowest;
        }
        value >>= 1;
        left ^= lowest;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Plane;
    use crate::state::TileMode;

    /// The runs of a window are where the plane says that its bytes are.
    #[test]
    fn runs_are_where_elements_are() {
        for (mode, log2_run) in [(TileMode::XMajor, 9), (TileMode::YMajor, 4), (TileMode::WMajor, 1)] {
            let plane = Plane::surface(0, 512, 1, mode);
            let bits = plane.tile_bits().unwrap();
            assert_eq!(Runs::log2_run(&bits), log2_run);
            for (x, y) in [(0, 0), (5, 3), (17, 7), (33, 1)] {
                let window = Window { x, y, width: 20, height: 1 };
                let mut runs = Runs::new(&bits, &window, log2_run);
                let last = if mode == TileMode::XMajor { 8 } else { 31 };
                for y in y..last {
                    assert_eq!(runs.start() as u64, plane.offset(x, y), "{mode:?} ({x}, {y})");
                    let mut at = x.next_multiple_of(1 << log2_run);
                    let mut run = if runs.head == 0 { runs.start() } else { runs.next(runs.start()) };
                    while at < 60 {
                        assert_eq!(run as u64, plane.offset(at, y), "{mode:?} ({at}, {y})");
                        run = runs.next(run);
                        at += 1 << log2_run;
                    }
                    runs.next_rows(1);
                }
            }
        }
    }
}
