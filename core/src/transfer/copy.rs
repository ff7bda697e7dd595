//! Copies between a window of a tile and rows of bytes: the inner loops.

use super::runs::{Runs, TileWindow};
use crate::memory::Plane;

/// Calls `$copy::<RUN>(..)` with the run length of the tile mode, in bytes, as a constant, so that a run is one copy of known length.
/// Runs of lengths that are not listed here are split.
macro_rules! by_run {
    ($plane:expr, $copy:ident($($argument:expr),*)) => {
        match Runs::log2_run($plane) {
            0 => $copy::<1>($($argument),*),
            1 => $copy::<2>($($argument),*),
            2 => $copy::<4>($($argument),*),
            3 => $copy::<8>($($argument),*),
            4 => $copy::<16>($($argument),*),
            5 => $copy::<32>($($argument),*),
            6..=8 => $copy::<64>($($argument),*),
            _ => $copy::<512>($($argument),*),
        }
    };
}

/// Copies rows `pitch` bytes apart into a window of a tile. `None` when bytes are missing on either side.
pub(super) fn into_tile(
    plane: &Plane,
    window: &TileWindow,
    rows: &[u8],
    pitch: usize,
    tile: &mut [u8],
) -> Option<()> {
    by_run!(plane, put(plane, window, rows, pitch, tile))
}

/// Copies a window of a tile into rows `pitch` bytes apart. `None` when bytes are missing on either side.
pub(super) fn out_of_tile(
    plane: &Plane,
    window: &TileWindow,
    tile: &[u8],
    rows: &mut [u8],
    pitch: usize,
) -> Option<()> {
    by_run!(plane, take(plane, window, tile, rows, pitch))
}

// inline(never): each run length has a loop of its own. Merged into one function, none of them would copy a run with one instruction.
#[inline(never)]
fn put<const RUN: usize>(
    plane: &Plane,
    window: &TileWindow,
    rows: &[u8],
    pitch: usize,
    tile: &mut [u8],
) -> Option<()> {
    let row = |y: usize| rows.get(y.checked_mul(pitch)?..)?.get(..window.width);
    let mut runs = Runs::new(plane, window, RUN.trailing_zeros());
    let mut y = 0;
    while let Some(left) = window.height.checked_sub(y).filter(|left| *left > 0) {
        if RUN == 16 && left >= 4 && runs.has_lines(plane, window) {
            let row = |index: usize| row(y.wrapping_add(index));
            let (lines, mut at) = (lines([row(0)?, row(1)?, row(2)?, row(3)?]), runs.start());
            for line in lines {
                *tile.get_mut(at..)?.first_chunk_mut::<64>()?.as_chunks_mut().0.first_chunk_mut()? = line;
                at = runs.next(at);
            }
            runs.next_rows(4);
            y = y.wrapping_add(4);
            continue;
        }
        let (head, rest) = row(y)?.split_at_checked(runs.head)?;
        let mut at = runs.start();
        if !head.is_empty() {
            tile.get_mut(at..)?.get_mut(..head.len())?.copy_from_slice(head);
            at = runs.next(at);
        }
        let (whole, tail) = rest.as_chunks::<RUN>();
        for run in whole {
            *tile.get_mut(at..)?.first_chunk_mut()? = *run;
            at = runs.next(at);
        }
        if !tail.is_empty() {
            tile.get_mut(at..)?.get_mut(..tail.len())?.copy_from_slice(tail);
        }
        runs.next_rows(1);
        y = y.wrapping_add(1);
    }
    Some(())
}

/// Returns the 64-byte lines of four rows, each the 16-byte runs of one column of all four rows: for tiles in which those are contiguous.
#[inline(always)]
fn lines<'a>([a, b, c, d]: [&'a [u8]; 4]) -> impl Iterator<Item = [[u8; 16]; 4]> + 'a {
    let runs = |row: &'a [u8]| row.as_chunks().0.iter();
    runs(a).zip(runs(b)).zip(runs(c).zip(runs(d))).map(|((a, b), (c, d))| [*a, *b, *c, *d])
}

#[inline(never)]
fn take<const RUN: usize>(
    plane: &Plane,
    window: &TileWindow,
    tile: &[u8],
    rows: &mut [u8],
    pitch: usize,
) -> Option<()> {
    let mut runs = Runs::new(plane, window, RUN.trailing_zeros());
    let mut y = 0;
    while let Some(left) = window.height.checked_sub(y).filter(|left| *left > 0) {
        let rest = rows.get_mut(y.checked_mul(pitch)?..)?;
        if RUN == 16 && left >= 4 && runs.has_lines(plane, window) {
            let (a, rest) = rest.split_at_mut_checked(pitch)?;
            let (b, rest) = rest.split_at_mut_checked(pitch)?;
            let (c, d) = rest.split_at_mut_checked(pitch)?;
            let mut at = runs.start();
            let [a, b, c, d] = [a, b, c, d].map(|row| row.as_chunks_mut::<16>().0.iter_mut());
            let count = window.width / 16;
            for ((a, b), (c, d)) in a.zip(b).zip(c.zip(d)).take(count) {
                let line: &[[u8; 16]; 4] =
                    tile.get(at..)?.first_chunk::<64>()?.as_chunks().0.first_chunk()?;
                [*a, *b, *c, *d] = *line;
                at = runs.next(at);
            }
            runs.next_rows(4);
            y = y.wrapping_add(4);
            continue;
        }
        let (head, rest) = rest.get_mut(..window.width)?.split_at_mut_checked(runs.head)?;
        let mut at = runs.start();
        if !head.is_empty() {
            head.copy_from_slice(tile.get(at..)?.get(..head.len())?);
            at = runs.next(at);
        }
        let (whole, tail) = rest.as_chunks_mut::<RUN>();
        for run in whole {
            *run = *tile.get(at..)?.first_chunk()?;
            at = runs.next(at);
        }
        if !tail.is_empty() {
            tail.copy_from_slice(tile.get(at..)?.get(..tail.len())?);
        }
        runs.next_rows(1);
        y = y.wrapping_add(1);
    }
    Some(())
}
