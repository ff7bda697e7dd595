//! Where the elements of a surface are, for stages that read all lanes at once.

use super::address::{self, GENERAL, LINEAR, ONE_STEP, Pattern, RowKernel, THIRDS};
use super::fetch::{FetchKernel, FrameKernel, PageKernel, WHOLE_SIZES, Words};
use super::frames::{Bytes, Frames};
use super::lanes::{LANES, TAPS, TapLanes, WIDE};
use super::scratch::Room;
use super::stages::Stages;
use super::texture::{Source, Texture};
use crate::memory::{LevelAddressing, Memory};

/// Where elements are read.
///
/// Indices count elements; those of 3, 6 or 12 bytes, which linear memory has only and whose rows need not be multiples of
/// them, are counted in thirds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elements {
    pub(super) tile: LevelAddressing,
    /// log2 of the bytes that an index counts.
    log2_unit: u32,
    pub(super) fetch: FetchKernel,
    /// What finds the rows of lanes' slices.
    pub(super) rows: [RowKernel; WIDE],
    /// The class of the surface's tile mode, and of its elements.
    pattern: [Pattern; WIDE],
    /// By log2 of the element's bytes. Small targets read one element after the other.
    pages: [&'static [PageKernel]; WIDE],
    frames: [&'static [FrameKernel]; WIDE],
    /// Address of the first byte of the surface.
    pub(super) base: u64,
    /// Bytes of the whole surface.
    pub(super) len: usize,
}

impl Elements {
    /// `None` where elements are not at multiples of their size or its third, or too many for an index.
    #[inline(never)]
    pub(super) fn new(texture: &Texture<'_>, stages: &Stages) -> Option<Self> {
        let Source::Plain { layout, .. } = &texture.source else { return None };
        let bytes = u32::from(layout.element().bytes);
        let parts = if LANES > 1 && matches!(bytes, 3 | 6 | 12) { 3 } else { 1 };
        let unit = bytes / parts;
        let log2_unit = unit.is_power_of_two().then(|| unit.trailing_zeros())?;
        let size = log2_unit as usize;
        if LANES > 1 && size >= WHOLE_SIZES {
            return None;
        }
        // Small targets do not ask for the whole surface.
        let len = if LANES > 1 { texture.span() } else { 0 };
        if len >> log2_unit > i32::MAX as u64 {
            return None;
        }
        let tile = layout.addressing(0, parts).filter(|_| layout.surface().bytes == bytes)?;
        let pattern = if parts == 3 { Pattern::Thirds } else { Pattern::of(&tile) };
        let deep = usize::from(tile.slice_mask != 0);
        let rows = if LANES > 1 { stages.rows.get(deep).copied()? } else { address::rows::<true> };
        Some(Self {
            tile,
            log2_unit,
            fetch: *stages.fetch.get(if parts == 3 { size.wrapping_add(WHOLE_SIZES) } else { size })?,
            rows: [rows; WIDE],
            pattern: [pattern; WIDE],
            pages: [stages.pages; WIDE],
            frames: [stages.frames; WIDE],
            base: layout.surface().base,
            len: usize::try_from(len).ok()?,
        })
    }

    /// What the memory hands out of the surface. Small targets do not ask.
    #[inline(always)]
    pub(super) fn ask<'m, M: Memory + ?Sized>(&self, memory: &'m M) -> Bytes<'m> {
        if LANES == 1 {
            return Bytes::Unknown;
        }
        match memory.slice(self.base, self.len) {
            Some(bytes) => Bytes::Whole(bytes),
            None => self.ask_for_pages(memory),
        }
    }

    #[inline(never)]
    fn ask_for_pages<'m, M: Memory + ?Sized>(&self, memory: &'m M) -> Bytes<'m> {
        let table = memory.page_table(self.base, self.len).filter(|_| !self.in_thirds());
        let frames = table.and_then(|table| Frames::new(table, self.base, self.log2_unit));
        frames.map_or(Bytes::Unknown, |frames| Bytes::Frames([frames; WIDE]))
    }

    /// Reads as many texels of each lane from what the memory hands out; `None` if some are not there.
    #[inline(always)]
    pub(super) fn read(&self, bytes: &Bytes<'_>, texels: usize, room: &mut Room) -> Option<()> {
        let Room { index, located, words, texels: room, .. } = room;
        let index = index.get(..texels)?;
        match bytes {
            Bytes::Whole(bytes) => (self.fetch)(bytes, index.as_flattened(), room, words),
            Bytes::Frames(frames) => {
                let kernel = self.frames.first()?.get(self.log2_unit as usize)?;
                if !kernel(frames.first()?, index, located.first_mut()?, room, words) {
                    return None;
                }
            }
            Bytes::Unknown => return None,
        }
        Some(())
    }

    /// Reads elements from what the memory has side by side: see [`PageKernel`].
    pub(super) fn fetch_pages(
        &self,
        memory: &dyn Memory,
        index: &TapLanes<u32>,
        left: &mut [u32; TAPS],
        words: &mut Words,
    ) {
        if !self.in_thirds()
            && let Some(kernel) = self.pages.first().and_then(|pages| pages.get(self.log2_unit as usize))
        {
            kernel(memory, self.base, index, left, words);
        }
    }

    /// Indices count thirds.
    fn in_thirds(&self) -> bool {
        self.pattern() == Pattern::Thirds
    }

    /// Bytes of an element.
    pub(super) fn bytes(&self) -> usize {
        let unit = 1_usize << self.log2_unit;
        if self.in_thirds() { unit.wrapping_mul(3) } else { unit }
    }

    /// The class of the surface's tile mode.
    pub(super) fn pattern(&self) -> Pattern {
        self.pattern.first().copied().unwrap_or(Pattern::General)
    }

    /// The index of the element in a column and a row of the surface; `deep` is what its slice adds inside a tile.
    pub(super) fn index(&self, column: u32, row: u32, deep: u32) -> u32 {
        let element = match self.pattern() {
            Pattern::General => address::element::<GENERAL>,
            Pattern::Linear => address::element::<LINEAR>,
            Pattern::OneStep => address::element::<ONE_STEP>,
            Pattern::Thirds => address::element::<THIRDS>,
        };
        element(&self.tile, column, row, deep)
    }

    /// The address of the element with an index.
    pub(super) fn address(&self, index: u32) -> u64 {
        self.base.wrapping_add(u64::from(index) << self.log2_unit)
    }
}
