//! Runs: bytes of a row of elements that are contiguous both in the row and in the tile.

use crate::memory::{Plane, deposit};

/// A rectangle of bytes in a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TileWindow {
    /// Byte column and row of the first byte, counted from the first byte of the tile.
    pub(super) x: u32,
    pub(super) y: u32,
    /// Bytes in a row.
    pub(super) width: usize,
    /// Number of rows.
    pub(super) height: usize,
}

/// Steps through the offsets of runs in a tile, run by run and row by row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Runs {
    /// Bits of an offset that number the runs of a row, and bits that number the rows.
    columns: u32,
    rows: u32,
    /// The first run's part of an offset, without the bits of the row; and the current row's part, without the bits of the run.
    first: u32,
    row: u32,
    /// Bytes of a row before the first whole run: 0 if the window starts at the beginning of a run.
    pub(super) head: usize,
}

impl Runs {
    /// Returns the runs of `1 << log2_run` bytes in a window of a tile of `plane`, at its first row.
    pub(super) fn new(plane: &Plane, window: &TileWindow, log2_run: u32) -> Self {
        let (order, run) = (plane.order(), 1_u32.wrapping_shl(log2_run));
        let inside = window.x & run.wrapping_sub(1);
        let columns = order.x & !(run.wrapping_sub(1) as u16);
        let head = if inside == 0 { 0 } else { run.wrapping_sub(inside) };
        Self {
            columns: columns.into(),
            rows: order.y.into(),
            first: deposit(window.x >> log2_run, columns) | inside,
            row: deposit(window.y, order.y) | u32::from(plane.slice_bits),
            head: window.width.min(head as usize),
        }
    }

    /// Returns log2 of the bytes of a row that are contiguous in a tile.
    pub(super) const fn log2_run(plane: &Plane) -> u32 {
        plane.order().x.trailing_ones()
    }

    /// Returns the offset of the current row's first run.
    pub(super) const fn start(&self) -> usize {
        (self.first | self.row) as usize
    }

    /// Returns the offset of the run that follows the one at offset `run` in the current row.
    #[inline(always)]
    pub(super) const fn next(&self, run: usize) -> usize {
        // Subtracting the mask carries a one through the bits that are not in it.
        let column = (run as u32 & self.columns).wrapping_sub(self.columns) & self.columns;
        (column | self.row) as usize
    }

    /// Moves to the next row (`count` 1), or from the first row of a 64-byte line of four rows to the next line (`count` 4).
    #[inline(always)]
    pub(super) const fn next_rows(&mut self, count: u32) {
        let rows = self.rows & !(count.wrapping_sub(1).wrapping_shl(self.rows.trailing_zeros()));
        self.row = (self.row & rows).wrapping_sub(rows) & rows | self.row & !self.rows;
    }

    /// Returns true if four rows of a 16-byte run are contiguous in the tile, as lines of 64 bytes, and the window has whole lines from
    /// the current row on.
    #[inline(always)]
    pub(super) const fn has_lines(&self, plane: &Plane, window: &TileWindow) -> bool {
        let together = plane.order().x & 0x3f == 0xf && plane.order().y & 0x3f == 0x30;
        together && self.row & 0x30 == 0 && self.head == 0 && (window.x | window.width as u32) & 15 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::TileMode;

    /// The runs of a window are at the offsets that the plane gives for their bytes.
    #[test]
    fn runs_are_where_elements_are() {
        for (mode, log2_run) in [(TileMode::XMajor, 9), (TileMode::YMajor, 4), (TileMode::WMajor, 1)] {
            let plane = Plane::surface(0, 512, 1, mode);
            assert_eq!(Runs::log2_run(&plane), log2_run);
            for (x, y) in [(0, 0), (5, 3), (17, 7), (33, 1)] {
                let window = TileWindow { x, y, width: 20, height: 1 };
                let mut runs = Runs::new(&plane, &window, log2_run);
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
