//! Uploads and downloads: rows of texels to the memory of a surface and back.

use super::copy::{into_tile, out_of_tile};
use super::region::{ElementRegion, Region};
use super::runs::{Runs, TileWindow};
use crate::error::{Error, Kind, Result, What};
use crate::memory::{Access, Layout, Memory, MemoryMut, Plane};

/// Linear memory that is not handed out as a slice is read and written in pieces that do not cross a multiple of this many bytes: a page.
const PAGE: u64 = 4096;

/// Log2 of the rows that are copied tile by tile: with more, wide rows lie in more pages than a processor's TLB covers.
const LOG2_BAND: u8 = 4;

/// A piece of a region: its place in memory and in the caller's rows.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// The address of the piece's tile; for a piece that is not tiled, of its first byte.
    address: u64,
    /// Offset of the piece's first byte in the caller's rows.
    row_offset: usize,
    /// The part of the tile that the piece covers; a piece that is not tiled is one row.
    window: TileWindow,
}

impl Layout {
    /// Writes rows of texels (blocks, buffer elements) to the surface's memory. Row `i` of the region's elements is at `i * row_pitch` of
    /// `rows`; the state's channel select is not applied. Bytes of memory between the elements are not changed.
    ///
    /// # Errors
    /// `Invalid TexelRegion`; `Invalid RowPitch` when the pitch is less than a row; `Truncated Texels` when `rows` is too short. Nothing
    /// is written in these cases. `Fault Texel` when `memory` refuses a write: the value is the address at which that write starts. A write
    /// does not cross a multiple of 4096 bytes, and any of its bytes may be the one that is not there. What comes before it is written.
    pub fn upload<M: MemoryMut + ?Sized>(
        &self,
        region: &Region,
        rows: &[u8],
        row_pitch: usize,
        memory: &mut M,
    ) -> Result<()> {
        let elements = region.elements(self)?;
        elements.check_rows(row_pitch, rows.len())?;
        self.pieces(region, &elements, row_pitch, &mut |piece, plane| {
            let source = rows.get(piece.row_offset..).unwrap_or_default();
            let Some(plane) = plane else {
                let row = source.get(..piece.window.width).unwrap_or_default();
                return write(memory, piece.address, row);
            };
            let tile = memory.slice_mut(piece.address, 1_usize.wrapping_shl(plane.order().log2()));
            match tile.and_then(|tile| into_tile(plane, &piece.window, source, row_pitch, tile)) {
                Some(()) => Ok(()),
                None => runs(piece, plane, row_pitch, &mut |address, range| {
                    write(memory, address, source.get(range).unwrap_or_default())
                }),
            }
        })
    }

    /// Reads rows of texels from the surface's memory: the inverse of [`upload`](Self::upload). Texels in null pages are 0; bytes between
    /// the rows are not changed.
    ///
    /// # Errors
    /// As [`upload`](Self::upload).
    pub fn download<M: Memory + ?Sized>(
        &self,
        region: &Region,
        memory: &M,
        rows: &mut [u8],
        row_pitch: usize,
    ) -> Result<()> {
        let elements = region.elements(self)?;
        elements.check_rows(row_pitch, rows.len())?;
        self.pieces(region, &elements, row_pitch, &mut |piece, plane| {
            let target = rows.get_mut(piece.row_offset..).unwrap_or_default();
            let Some(plane) = plane else {
                let row = target.get_mut(..piece.window.width).unwrap_or_default();
                return read(memory, piece.address, row);
            };
            let tile = memory.slice(piece.address, 1_usize.wrapping_shl(plane.order().log2()));
            match tile.and_then(|tile| out_of_tile(plane, &piece.window, tile, target, row_pitch)) {
                Some(()) => Ok(()),
                None => runs(piece, plane, row_pitch, &mut |address, range| {
                    read(memory, address, target.get_mut(range).unwrap_or_default())
                }),
            }
        })
    }

    /// Calls `copy` for every piece of a region: a window of a tile, with the tile's plane; a linear row; or an element.
    fn pieces(
        &self,
        region: &Region,
        elements: &ElementRegion,
        row_pitch: usize,
        copy: &mut dyn FnMut(&Piece, Option<&Plane>) -> Result<()>,
    ) -> Result<()> {
        if self.samples() > 1 && self.interleaves_samples() {
            return self.single_elements(region, elements, row_pitch, copy);
        }
        if !elements.plane.order().is_linear() {
            return tiles(elements, row_pitch, copy);
        }
        if elements.plane.bytes as usize == elements.bytes {
            return linear_rows(elements, row_pitch, copy);
        }
        self.single_elements(region, elements, row_pitch, copy)
    }

    /// Calls `copy` for each element where the elements of a row are not contiguous: buffers with gaps, and interleaved samples. In tiles
    /// an element itself can lie in pieces.
    fn single_elements(
        &self,
        region: &Region,
        elements: &ElementRegion,
        row_pitch: usize,
        copy: &mut dyn FnMut(&Piece, Option<&Plane>) -> Result<()>,
    ) -> Result<()> {
        let plane = &elements.plane;
        let piece = if plane.is_contiguous() { elements.bytes } else { plane.piece() as usize };
        let pieces = elements.bytes.checked_div(piece).unwrap_or(0);
        let window = TileWindow { x: 0, y: 0, width: piece, height: 1 };
        for row in 0..elements.height {
            for column in 0..elements.width {
                let (x, y) = (elements.x.wrapping_add(column), elements.y.wrapping_add(row));
                let (x, y, _) = self.sample(x, y, region.slice, region.sample);
                let row_offset = (row as usize).wrapping_mul(row_pitch);
                let row_offset = row_offset.wrapping_add((column as usize).wrapping_mul(elements.bytes));
                for byte in (0..pieces).map(|number| number.wrapping_mul(piece)) {
                    let address = plane.byte_address(x, y, byte as u32);
                    copy(&Piece { address, row_offset: row_offset.wrapping_add(byte), window }, None)?;
                }
            }
        }
        Ok(())
    }
}

fn linear_rows(
    elements: &ElementRegion,
    row_pitch: usize,
    copy: &mut dyn FnMut(&Piece, Option<&Plane>) -> Result<()>,
) -> Result<()> {
    let window = TileWindow { x: 0, y: 0, width: elements.row_bytes(), height: 1 };
    for row in 0..elements.height {
        let address = elements.plane.address(elements.x, elements.y.wrapping_add(row));
        copy(&Piece { address, row_offset: (row as usize).wrapping_mul(row_pitch), window }, None)?;
    }
    Ok(())
}

/// Calls `copy` for the windows of a tiled region: tile by tile, for at most `1 << LOG2_BAND` rows at a time.
fn tiles(
    elements: &ElementRegion,
    row_pitch: usize,
    copy: &mut dyn FnMut(&Piece, Option<&Plane>) -> Result<()>,
) -> Result<()> {
    let plane = &elements.plane;
    let (order, (column, row)) = (plane.order(), plane.origin());
    // No overflow: there are at most 2^14 elements of 32 bytes past the origin.
    let left = column.wrapping_add(elements.x).wrapping_mul(elements.bytes as u32);
    let right = left.wrapping_add(elements.row_bytes() as u32);
    let (top, bottom) =
        (row.wrapping_add(elements.y), row.wrapping_add(elements.y).wrapping_add(elements.height));
    let log2_rows = order.rows.min(LOG2_BAND);
    let mut y = top;
    while y < bottom {
        let next_y = bottom.min((y >> log2_rows).wrapping_add(1) << log2_rows);
        let tile_row = u64::from(y >> order.rows).wrapping_mul(plane.tile_row());
        let row_offset = (y.wrapping_sub(top) as usize).wrapping_mul(row_pitch);
        let mut x = left;
        while x < right {
            let next_x = right.min((x >> order.columns).wrapping_add(1) << order.columns);
            let tile = tile_row.wrapping_add(u64::from(x >> order.columns) << order.log2());
            let window = TileWindow {
                x: x & (1_u32 << order.columns).wrapping_sub(1),
                y: y & (1_u32 << order.rows).wrapping_sub(1),
                width: next_x.wrapping_sub(x) as usize,
                height: next_y.wrapping_sub(y) as usize,
            };
            let address = plane.base.wrapping_add(tile);
            let row_offset = row_offset.wrapping_add(x.wrapping_sub(left) as usize);
            copy(&Piece { address, row_offset, window }, Some(plane))?;
            x = next_x;
        }
        y = next_y;
    }
    Ok(())
}

/// Calls `copy` with the address of each run of a window and its range in the caller's rows: for memory that does not hand out the tile.
fn runs(
    piece: &Piece,
    plane: &Plane,
    row_pitch: usize,
    copy: &mut dyn FnMut(u64, core::ops::Range<usize>) -> Result<()>,
) -> Result<()> {
    let log2_run = Runs::log2_run(plane);
    let mut runs = Runs::new(plane, &piece.window, log2_run);
    for y in 0..piece.window.height {
        let start = y.wrapping_mul(row_pitch);
        let end = start.wrapping_add(piece.window.width);
        let (mut at, mut from) = (runs.start(), start);
        while from < end {
            let whole = if from == start && runs.head > 0 { runs.head } else { 1 << log2_run };
            let to = end.min(from.wrapping_add(whole));
            copy(piece.address.wrapping_add(at as u64), from..to)?;
            (at, from) = (runs.next(at), to);
        }
        runs.next_rows(1);
    }
    Ok(())
}

/// Returns the number of bytes from `address` to the end of its page.
const fn to_page_end(address: u64) -> usize {
    (PAGE - address % PAGE) as usize
}

fn fault(address: u64) -> Error {
    Error::new(Kind::Fault, What::Texel).value(address)
}

/// Writes contiguous bytes: at once where memory hands them out, else page by page.
fn write<M: MemoryMut + ?Sized>(memory: &mut M, address: u64, bytes: &[u8]) -> Result<()> {
    // The length is checked because the caller's memory may return a slice of any length.
    if let Some(target) = memory.slice_mut(address, bytes.len()).filter(|target| target.len() == bytes.len())
    {
        target.copy_from_slice(bytes);
        return Ok(());
    }
    let (mut address, mut rest) = (address, bytes);
    while !rest.is_empty() {
        let (page, after) = rest.split_at_checked(to_page_end(address)).unwrap_or((rest, &[]));
        if memory.write(address, page) == Access::Fault {
            return Err(fault(address));
        }
        address = address.wrapping_add(page.len() as u64);
        rest = after;
    }
    Ok(())
}

/// Reads contiguous bytes, in the same way as [`write()`].
fn read<M: Memory + ?Sized>(memory: &M, address: u64, bytes: &mut [u8]) -> Result<()> {
    if let Some(source) = memory.slice(address, bytes.len()).filter(|source| source.len() == bytes.len()) {
        bytes.copy_from_slice(source);
        return Ok(());
    }
    let (mut address, mut rest) = (address, bytes);
    while !rest.is_empty() {
        let length = to_page_end(address).min(rest.len());
        let Some((page, after)) = rest.split_at_mut_checked(length) else { break };
        match memory.read(address, page) {
            Access::Mapped => {}
            Access::NullPage => page.fill(0),
            Access::Fault => return Err(fault(address)),
        }
        address = address.wrapping_add(length as u64);
        rest = after;
    }
    Ok(())
}
