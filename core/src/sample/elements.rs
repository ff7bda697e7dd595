//! Where the elements of a surface are, for stages that read all lanes at once.

use super::address::{
    self, AddressKernel, Cells, GENERAL, LINEAR, ONE_STEP, Pattern, RowKernel, THIRDS, ThirdLanes,
};
use super::fetch::{FetchKernel, MOST_BYTES, PageKernel, WHOLE_SIZES, Words, put_words, words_of};
use super::frames::{Bytes, Frames, LocateKernel, Located};
use super::lanes::{LANES, Lanes, TAPS, TapLanes, WIDE};
use super::scratch::Room;
use super::stages::Stages;
use super::texture::{Source, Texture};
use crate::format::double;
use crate::memory::{LevelAddressing, Memory};

/// Where elements are read.
///
/// Indices count elements. Those of 3, 6, 12 or 24 bytes, of which rows need not be multiples, are counted in thirds; in tiles each third
/// has an index of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elements {
    pub(super) tile: LevelAddressing,
    /// log2 of the bytes that an index counts.
    log2_unit: u32,
    /// Units of an element: 1 or 3.
    parts: u8,
    /// Each third is in its own place of a tile.
    apart: bool,
    /// Reads elements, or thirds that are apart.
    fetch: FetchKernel,
    /// The same from memory in pieces. Small targets read one element after the other.
    pages: [Option<PageKernel>; WIDE],
    /// Finds elements in frames: one of each lane, and several.
    locate: [[LocateKernel; 2]; WIDE],
    /// What finds the rows of lanes' slices.
    pub(super) rows: [RowKernel; WIDE],
    /// The class of the surface's tile mode, and of its elements.
    pattern: [Pattern; WIDE],
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
        let parts = if LANES > 1 && matches!(bytes, 3 | 6 | 12 | 24) { 3 } else { 1 };
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
        let of_tiles = Pattern::of(&tile);
        let (pattern, apart) = match of_tiles {
            _ if parts == 1 => (of_tiles, false),
            Pattern::Linear => (Pattern::Thirds, false),
            Pattern::OneStep => (of_tiles, true),
            Pattern::General | Pattern::Thirds => return None,
        };
        let number = if parts == 1 || apart { size } else { size.wrapping_add(WHOLE_SIZES) };
        let deep = usize::from(tile.slice_mask != 0);
        let rows = if LANES > 1 { stages.rows.get(deep).copied()? } else { address::rows::<true> };
        Some(Self {
            tile,
            log2_unit,
            parts: parts as u8,
            apart,
            fetch: *stages.fetch.get(number)?,
            pages: [stages.pages.get(number).copied(); WIDE],
            locate: stages.locate,
            rows: [rows; WIDE],
            pattern: [pattern; WIDE],
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
        let table = memory.page_table(self.base, self.len);
        let frames = table.and_then(|table| Frames::new(table, self.base, self.log2_unit));
        frames.map_or(Bytes::Unknown, |frames| Bytes::Frames([frames; WIDE]))
    }

    /// Reads as many texels of each lane from what the memory hands out; `None` if some are not there.
    #[inline(always)]
    pub(super) fn read(&self, bytes: &Bytes<'_>, texels: usize, room: &mut Room) -> Option<()> {
        if self.is_apart() {
            return self.read_thirds(bytes, texels, room);
        }
        let Room { index, located, words, texels: room, .. } = room;
        self.read_units(bytes, index.get(..texels)?, located, room, words)
    }

    /// [`read`](Self::read) third by third.
    #[inline(never)]
    fn read_thirds(&self, bytes: &Bytes<'_>, texels: usize, room: &mut Room) -> Option<()> {
        let Room { index: first, thirds: others, located, words, texels: room, .. } = room;
        let [second, last] = others.first()?;
        for (third, index) in [&*first, second, last].into_iter().enumerate() {
            self.read_units(bytes, index.get(..texels)?, located, room, words)?;
            self.keep_third(third, texels, words);
        }
        Some(())
    }

    /// Reads what indices stand for: elements, or thirds that are apart.
    #[inline(always)]
    fn read_units(
        &self,
        bytes: &Bytes<'_>,
        index: &[Lanes<u32>],
        located: &mut [Located; WIDE],
        room: &mut [TapLanes<u32>; 4],
        words: &mut Words,
    ) -> Option<()> {
        match bytes {
            Bytes::Whole(bytes) => {
                (self.fetch)(bytes, index.as_flattened(), room, words);
                Some(())
            }
            Bytes::Frames(frames) => {
                let ([texel, footprint], frames) = (self.locate.first()?, frames.first()?);
                let (locate, located) =
                    (if index.len() == 1 { texel } else { footprint }, located.first_mut()?);
                locate(frames, index, located).then_some(())?;
                let [_, units] = located;
                let units = units.get(..index.len())?;
                (self.fetch)(frames.bytes, units.as_flattened(), room, words);
                if self.parts == 3 && !self.apart && frames.some_go_on(units) {
                    self.read_over_pages(frames, index, units, words)?;
                }
                Some(())
            }
            Bytes::Unknown => None,
        }
    }

    /// Reads again the elements that go on in another frame.
    #[inline(never)]
    fn read_over_pages(
        &self,
        frames: &Frames<'_>,
        index: &[Lanes<u32>],
        units: &[Lanes<u32>],
        words: &mut Words,
    ) -> Option<()> {
        let size = self.bytes();
        for (tap, (index, units)) in index.iter().zip(units).enumerate() {
            for (at, (index, unit)) in index.iter().zip(units).enumerate() {
                if frames.goes_on(*unit) {
                    let mut element = [0; MOST_BYTES];
                    frames.copy_thirds(*index, element.get_mut(..size)?)?;
                    put_words(words, tap, at, words_of(element, size));
                }
            }
        }
        Some(())
    }

    /// Reads elements from what the memory has side by side: see [`PageKernel`].
    pub(super) fn fetch_pages(&self, memory: &dyn Memory, left: &mut [u32; TAPS], room: &mut Room) {
        let Room { index: first, thirds: others, words, .. } = room;
        let (Some(Some(kernel)), Some([second, last])) = (self.pages.first(), others.first()) else { return };
        if !self.is_apart() {
            return kernel(memory, self.base, first, left, words);
        }
        // Memory that only reads is asked for an element after the other: who records reads sees each at once.
        if memory.contiguous(self.base).is_none() {
            return;
        }
        let mut missing = [0; TAPS];
        for (third, index) in [&*first, second, last].into_iter().enumerate() {
            let mut of_third = *left;
            kernel(memory, self.base, index, &mut of_third, words);
            for (missing, lanes) in missing.iter_mut().zip(of_third) {
                *missing |= lanes;
            }
            self.keep_third(third, TAPS, words);
        }
        *left = missing;
    }

    /// Puts a third of as many texels of each lane, which is in the first words, where it belongs in elements. The first waits in the
    /// last words for the others.
    #[inline(always)]
    fn keep_third(&self, third: usize, texels: usize, words: &mut Words) {
        let bits = 8_u32 << self.log2_unit;
        let end = texels.wrapping_mul(LANES);
        let [first, second, last, wait] =
            words.each_mut().map(|words| words.get_mut(..end).unwrap_or_default());
        if bits == 64 {
            return keep_double(third, [first, second, last, wait]);
        }
        match third {
            0 => wait.copy_from_slice(first),
            1 => second.copy_from_slice(first),
            _ if bits == 32 => {
                last.copy_from_slice(first);
                first.copy_from_slice(wait);
            }
            _ => {
                for (((first, second), last), wait) in first.iter_mut().zip(second).zip(last).zip(wait) {
                    *last = *first;
                    let element =
                        u64::from(*wait) | u64::from(*second) << bits | u64::from(*last) << (2 * bits);
                    (*first, *second) = (element as u32, (element >> 32) as u32);
                }
            }
        }
    }

    /// Fills in the indices of all thirds of footprints, of elements whose thirds are apart.
    #[inline(never)]
    pub(super) fn find_thirds(
        &self,
        address: AddressKernel,
        cells: Cells<'_>,
        index: &mut TapLanes<u32>,
        others: &mut ThirdLanes,
    ) -> Option<()> {
        let mut columns = *cells.x;
        for x in &mut columns {
            for (x, origin) in x.iter_mut().zip(cells.origin) {
                *x = x.wrapping_add(*origin).wrapping_mul(3);
            }
        }
        let [second, last] = others.first_mut()?;
        for (third, index) in (0..).zip([index, second, last]) {
            let cells = Cells { x: &columns, origin: &[third; LANES], ..cells };
            address(&self.tile, cells, index);
        }
        Some(())
    }

    /// The thirds of elements are apart.
    #[inline(always)]
    pub(super) fn is_apart(&self) -> bool {
        LANES > 1 && self.apart
    }

    /// Bytes that an index counts.
    pub(super) fn unit(&self) -> usize {
        1 << self.log2_unit
    }

    /// Bytes of an element.
    pub(super) fn bytes(&self) -> usize {
        self.unit().wrapping_mul(self.parts.into())
    }

    /// The class of the surface's tile mode.
    pub(super) fn pattern(&self) -> Pattern {
        self.pattern.first().copied().unwrap_or(Pattern::General)
    }

    /// The index of the element in a column and a row of the surface, or of a third that is apart; `deep` is what its slice adds
    /// inside a tile.
    pub(super) fn index(&self, third: usize, column: u32, row: u32, deep: u32) -> u32 {
        let column = if self.is_apart() { column.wrapping_mul(3).wrapping_add(third as u32) } else { column };
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

/// The same of floats of 64 bits, which become words.
#[inline(never)]
fn keep_double(third: usize, [first, second, last, wait]: [&mut [u32]; 4]) {
    for (((first, second), last), wait) in first.iter_mut().zip(second).zip(last).zip(wait) {
        let float = double(u64::from(*second) << 32 | u64::from(*first)).to_bits();
        match third {
            0 => *wait = float,
            1 => *last = float,
            _ => (*first, *second, *last) = (*wait, *last, float),
        }
    }
}
