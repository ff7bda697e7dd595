//! Rectangles of texels of a surface, and the rows of bytes that hold them.

use crate::error::{Error, Kind, Result, What};
use crate::memory::{Layout, Plane};

/// A rectangle of texels of one mip level, slice and sample of a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Region {
    /// The mip level, counted from the start of memory (not of the view).
    pub level: u32,
    /// The slice, counted from the start of memory: array layer, `layer * 6 + face` of a cube, or z of a volume.
    pub slice: u32,
    /// The sample of a multisampled surface.
    pub sample: u32,
    /// The first column, in texels (buffers: elements), a multiple of the format's block width.
    pub x: u32,
    /// The first row, in texels, a multiple of the format's block height.
    pub y: u32,
    /// Width in texels; whole blocks, or up to the level's edge.
    pub width: u32,
    /// Height in texels; whole blocks, or up to the level's edge.
    pub height: u32,
}

/// A region, counted in elements (texels or blocks).
#[derive(Clone, Copy, Debug)]
pub(super) struct ElementRegion {
    /// The plane of the slice.
    pub(super) plane: Plane,
    /// First column and row of elements, not counting interleaved samples.
    pub(super) x: u32,
    pub(super) y: u32,
    /// Elements in a row.
    pub(super) width: u32,
    /// Rows of elements.
    pub(super) height: u32,
    /// Bytes of an element.
    pub(super) bytes: usize,
}

impl Region {
    /// Returns the region of a whole slice of a mip level, sample 0.
    pub fn level(layout: &Layout, level: u32, slice: u32) -> Self {
        let size = layout.level(level);
        Self { level, slice, width: size.width, height: size.height, ..Self::default() }
    }

    /// Returns the number of bytes in a row of elements and the number of rows: what uploads take and downloads give.
    ///
    /// # Errors
    /// `Invalid TexelRegion` when the rectangle is not inside the mip level or does not consist of whole blocks.
    pub fn rows(&self, layout: &Layout) -> Result<(usize, usize)> {
        let elements = self.elements(layout)?;
        Ok((elements.row_bytes(), elements.height as usize))
    }

    /// Checks the region and finds its elements.
    pub(super) fn elements(&self, layout: &Layout) -> Result<ElementRegion> {
        let size = layout.level(self.level);
        let numbers =
            [(self.level, layout.levels()), (self.slice, size.depth), (self.sample, layout.samples())];
        if let Some((wrong, _)) = numbers.into_iter().find(|(number, count)| number >= count) {
            return Err(Error::new(Kind::Invalid, What::TexelRegion).value(wrong.into()));
        }
        let element = layout.element();
        let (x, width) = blocks(self.x, self.width, size.width, element.block_width)?;
        let (y, height) = blocks(self.y, self.height, size.height, element.block_height)?;
        let (_, _, slice) = layout.sample(0, 0, self.slice, self.sample);
        let plane = layout.plane(self.level, slice);
        Ok(ElementRegion { plane, x, y, width, height, bytes: element.bytes.into() })
    }
}

impl ElementRegion {
    pub(super) const fn row_bytes(&self) -> usize {
        (self.width as usize).saturating_mul(self.bytes)
    }

    /// Checks that the region's rows, `pitch` bytes apart, fit `length` bytes; the last row need not be padded.
    pub(super) fn check_rows(&self, pitch: usize, length: usize) -> Result<()> {
        let row = self.row_bytes();
        if pitch < row {
            return Err(Error::new(Kind::Invalid, What::RowPitch).value(pitch as u64));
        }
        let Some(last) = (self.height as usize).checked_sub(1) else { return Ok(()) };
        let needed = last.saturating_mul(pitch).saturating_add(row);
        if length < needed { Err(Error::truncated(What::Texels, 0, needed)) } else { Ok(()) }
    }
}

/// Converts a side of a rectangle from texels to blocks: its first block and how many. An error if it ends past `size` or does not
/// consist of whole blocks.
fn blocks(first: u32, count: u32, size: u32, block: u8) -> Result<(u32, u32)> {
    let (block, end) = (u32::from(block.max(1)), first.saturating_add(count));
    let starts_whole = first.is_multiple_of(block);
    if end > size || !starts_whole || end != size && !end.is_multiple_of(block) {
        let wrong = if end > size || starts_whole { end } else { first };
        return Err(Error::new(Kind::Invalid, What::TexelRegion).value(wrong.into()));
    }
    Ok((first / block, count.div_ceil(block)))
}
