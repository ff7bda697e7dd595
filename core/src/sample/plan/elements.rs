//! The elements of a surface by index: their addresses, and the kernels that read them for all lanes at once.

use crate::memory::{LevelAddressing, Memory};
use crate::sample::bind::texture::{TexelSource, Texture};
use crate::sample::fetch::frames::{LocateKernel, Located, PageFrames, SurfaceBytes};
use crate::sample::fetch::split_elements::{
    CrossesRunKernel, PartKernel, PartRule, SplitElementStages, crosses_run,
};
use crate::sample::fetch::{FetchKernel, MOST_BYTES, PageKernel, WHOLE_SIZES, Words, put_words, words_of};
use crate::sample::lanes::{LANES, Lanes, MULTI_LANE, TAPS};
use crate::sample::place::address::{self, GENERAL, LINEAR, ONE_STEP, Pattern, RowKernel, THIRDS};
use crate::sample::scratch::PassScratch;
use crate::sample::stages::Stages;

/// An upper bound of the rows of a slice: 2^14 rows of texels, four times as many with samples, and fewer than as many again in mip
/// level 1 and the levels below it.
const SLICE_ROWS: u32 = 1 << 17;

/// How the elements of a surface are found and read by index.
///
/// An index counts units from the surface's first byte. A unit is an element; or a third of an element of 3, 6, 12 or 24 bytes, because
/// rows need not be a multiple of these sizes. In tiles the thirds of an element may lie apart, as may the halves of an element of 32
/// bytes, which are its units there: the index of an element is that of its first part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements {
    pub(crate) tile: LevelAddressing,
    /// log2 of the bytes of a unit.
    log2_unit: u32,
    /// Units in an element: 1, 2 or 3.
    parts: u8,
    /// For elements whose parts may lie apart.
    split: [Option<SplitElements>; MULTI_LANE],
    /// Tells whether any element continues in another run or page.
    any_crosses_run: [CrossesRunKernel; MULTI_LANE],
    /// Reads one element of each lane.
    fetch: FetchKernel,
    /// Reads the elements of footprints of several texels.
    fetch_footprints: [FetchKernel; MULTI_LANE],
    /// Reads elements from memory that is contiguous only in pieces. Small targets read one element after the other.
    pages: [Option<PageKernel>; MULTI_LANE],
    /// Find elements in the frames of a page table: one element of each lane, and several.
    locate: [[LocateKernel; 2]; MULTI_LANE],
    /// Tried before `locate`: finds elements whose pages are close to each other.
    locate_near: [Option<LocateKernel>; MULTI_LANE],
    /// Finds the rows at which the lanes' slices begin.
    pub(crate) rows: [RowKernel; MULTI_LANE],
    /// The class of the surface's tile mode, and of its elements.
    pattern: [Pattern; MULTI_LANE],
    /// Address of the first byte of the surface.
    pub(crate) base: u64,
    /// Bytes of the whole surface.
    pub(crate) len: usize,
}

/// Where the parts of elements are that may lie apart, and the kernels that read them.
#[derive(Clone, Copy, Debug)]
struct SplitElements {
    rule: PartRule,
    /// Runs are long: most messages have no element that continues in another run.
    has_long_runs: bool,
    find: PartKernel,
    stages: SplitElementStages,
}

impl Elements {
    /// Returns `None` if elements are not at multiples of their size or of a third of it, or are too many for an index.
    #[inline(never)]
    pub(crate) fn new(texture: &Texture<'_>, stages: &Stages) -> Option<Self> {
        let TexelSource::Plain { layout, .. } = &texture.source else { return None };
        let bytes = u32::from(layout.element().bytes);
        let whole = layout.surface().bytes == bytes;
        let parts = match bytes {
            3 | 6 | 12 | 24 if LANES > 1 => 3,
            32 if LANES > 1 && layout.addressing(0, 1).is_none() => 2,
            _ => 1,
        };
        let unit = bytes / parts;
        let log2_unit = unit.is_power_of_two().then(|| unit.trailing_zeros())?;
        let size = log2_unit as usize;
        if LANES > 1 && size >= WHOLE_SIZES {
            return None;
        }
        // Small targets do not ask the memory for the whole surface.
        let len = if LANES > 1 { texture.span() } else { 0 };
        if len >> log2_unit > i32::MAX as u64 {
            return None;
        }
        let mut tile = layout.addressing(0, parts).filter(|_| whole)?;
        // A surface whose rows, or indices, may not stay below 2^32 is refused. (Where `len` is known it bounds the indices, but not the
        // rows: with a pitch of a few bytes many of them share a tile.)
        let slices = layout.slices().wrapping_shr(tile.slice_shift);
        let rows = slices.checked_mul(tile.qpitch)?.checked_add(SLICE_ROWS)?;
        if LANES == 1 {
            rows.wrapping_shr(tile.row_shift).checked_mul(tile.tile_row)?;
        }
        let of_tiles = Pattern::of(&tile);
        let (pattern, split) = match of_tiles {
            _ if parts == 1 => (of_tiles, None),
            Pattern::Linear if parts == 3 => (Pattern::Thirds, None),
            Pattern::OneStep => (of_tiles, Some(SplitElements::new(&tile, size, stages)?)),
            Pattern::Linear | Pattern::General | Pattern::Thirds => return None,
        };
        if split.is_some() {
            tile.set_parts(parts)?;
        }
        if LANES > 1 && pattern == Pattern::General {
            tile.tabulate();
        }
        let number = if parts == 3 { size.wrapping_add(WHOLE_SIZES) } else { size };
        let slice_offset = usize::from(tile.slice_mask != 0);
        let rows = if LANES > 1 { stages.rows.get(slice_offset).copied()? } else { address::rows::<true> };
        let fetch = *stages.fetch.get(number)?;
        let pairs = match layout.element().block_width {
            1 => stages.fetch_pairs.get(number),
            _ => stages.fetch_block_pairs.get(number),
        };
        let pairs = pairs.copied().flatten().filter(|_| has_long_rows(&tile));
        Some(Self {
            tile,
            log2_unit,
            parts: parts as u8,
            split: [split; MULTI_LANE],
            any_crosses_run: stages.any_crosses_run,
            fetch,
            fetch_footprints: [pairs.unwrap_or(fetch); MULTI_LANE],
            pages: [stages.pages.get(number).copied(); MULTI_LANE],
            locate: stages.locate,
            locate_near: [stages.locate_near; MULTI_LANE],
            rows: [rows; MULTI_LANE],
            pattern: [pattern; MULTI_LANE],
            base: layout.surface().base,
            len: usize::try_from(len).ok()?,
        })
    }

    /// Asks the memory for the whole surface: for its bytes, else for a page table. Small targets do not ask.
    #[inline(always)]
    pub(crate) fn map_surface<'m, M: Memory + ?Sized>(&self, memory: &'m M) -> SurfaceBytes<'m> {
        if LANES == 1 {
            return SurfaceBytes::Unknown;
        }
        match memory.slice(self.base, self.len) {
            Some(bytes) => SurfaceBytes::Whole(bytes),
            None => self.map_pages(memory),
        }
    }

    #[inline(never)]
    fn map_pages<'m, M: Memory + ?Sized>(&self, memory: &'m M) -> SurfaceBytes<'m> {
        let table = memory.page_table(self.base, self.len);
        let frames = table.and_then(|table| PageFrames::new(table, self.base, self.log2_unit));
        frames.map_or(SurfaceBytes::Unknown, |frames| SurfaceBytes::Frames([frames; MULTI_LANE]))
    }

    /// Reads the elements of the first `texels` texels of each lane from what the memory hands out; `None` if some are not in it.
    #[inline(always)]
    pub(crate) fn read(
        &self,
        bytes: &SurfaceBytes<'_>,
        texels: usize,
        scratch: &mut PassScratch,
    ) -> Option<()> {
        match self.split.first() {
            Some(Some(split)) => self.read_split(split, bytes, texels, scratch),
            _ => self.read_whole(bytes, texels, scratch),
        }
    }

    /// [`read`](Self::read) for elements whose units are side by side.
    #[inline(always)]
    fn read_whole(&self, bytes: &SurfaceBytes<'_>, texels: usize, scratch: &mut PassScratch) -> Option<()> {
        let PassScratch { index, located, words, texels: scratch, .. } = scratch;
        let index = index.get(..texels)?;
        match bytes {
            SurfaceBytes::Whole(bytes) => {
                self.fetch(texels)(bytes, index.as_flattened(), scratch, words);
                Some(())
            }
            SurfaceBytes::Frames(frames) => {
                let frames = frames.first()?;
                let units = self.locate(frames, index, located.first_mut()?)?;
                self.fetch(texels)(frames.bytes, units.as_flattened(), scratch, words);
                if self.parts == 3 {
                    self.read_over_pages(frames, index, units, words)?;
                }
                Some(())
            }
            SurfaceBytes::Unknown => None,
        }
    }

    /// Returns whether any element continues after a unit whose number has all bits of `last` set: the last unit of a run or page.
    #[inline(always)]
    fn any_crosses_run(&self, last: u32, first: &[Lanes<u32>]) -> bool {
        self.any_crosses_run.first().is_some_and(|kernel| kernel(last, self.more(), first))
    }

    /// Returns the number of units in an element after its first one.
    fn more(&self) -> u32 {
        u32::from(self.parts).wrapping_sub(1)
    }

    /// Returns the kernel that reads `texels` texels of each lane.
    #[inline(always)]
    fn fetch(&self, texels: usize) -> FetchKernel {
        self.fetch_footprints.first().filter(|_| texels > 1).copied().unwrap_or(self.fetch)
    }

    /// Translates indices of units in the surface to the units' numbers among those of all frames; `None` if some are not there.
    #[inline(always)]
    fn locate<'l>(
        &self,
        frames: &PageFrames<'_>,
        index: &[Lanes<u32>],
        located: &'l mut Located,
    ) -> Option<&'l [Lanes<u32>]> {
        let [texel, footprint] = self.locate.first()?;
        let locate = if index.len() == 1 { texel } else { footprint };
        let near = self.locate_near.first().copied().flatten().filter(|_| frames.may_be_near(index));
        if !near.is_some_and(|near| near(frames, index, located)) {
            locate(frames, index, located).then_some(())?;
        }
        let [_, units] = located;
        units.get(..index.len())
    }

    /// [`read`](Self::read) for elements whose parts may lie apart, by rows of footprints whose texels are next to each other. `None` if
    /// texels are to be read one by one.
    #[inline(always)]
    fn read_rows(
        &self,
        split: &SplitElements,
        bytes: &SurfaceBytes<'_>,
        texels: usize,
        scratch: &mut PassScratch,
    ) -> Option<()> {
        let PassScratch { index: first, parts, located, words, .. } = scratch;
        let (find, read) = split.stages.rows.filter(|_| texels > 1)?;
        let parts = parts.first_mut()?;
        find(&split.rule, self.more(), first.get(..texels)?, parts).then_some(())?;
        let [places, left] = &*parts;
        let places = places.get(..texels)?;
        let (places, bytes) = match bytes {
            SurfaceBytes::Whole(bytes) => (places, *bytes),
            SurfaceBytes::Frames(frames) => {
                let frames = frames.first().filter(|frames| frames.has_whole(split.rule.last))?;
                (self.locate(frames, places, located.first_mut()?)?, frames.bytes)
            }
            SurfaceBytes::Unknown => return None,
        };
        let (here, next) = places.split_at_checked(texels / 2)?;
        read(bytes, [here, next, left], words).then_some(())
    }

    /// [`read`](Self::read) for elements whose parts may lie apart.
    #[inline(never)]
    fn read_split(
        &self,
        split: &SplitElements,
        bytes: &SurfaceBytes<'_>,
        texels: usize,
        scratch: &mut PassScratch,
    ) -> Option<()> {
        if split.has_long_runs && !self.any_crosses_run(split.rule.last, scratch.index.get(..texels)?) {
            return self.read_whole(bytes, texels, scratch);
        }
        self.read_rows(split, bytes, texels, scratch)
            .or_else(|| self.read_parts(split, bytes, texels, scratch))
    }

    /// [`read`](Self::read) for elements whose parts may lie apart, each part by its own index.
    #[inline(always)]
    fn read_parts(
        &self,
        split: &SplitElements,
        bytes: &SurfaceBytes<'_>,
        texels: usize,
        scratch: &mut PassScratch,
    ) -> Option<()> {
        let PassScratch { index: first, parts, located, words, .. } = scratch;
        let (first, parts) = (first.get(..texels)?, parts.first_mut()?);
        (split.find)(&split.rule, first, parts);
        let (units, bytes) = match bytes {
            SurfaceBytes::Whole(bytes) => (first, *bytes),
            SurfaceBytes::Frames(frames) => {
                let (frames, located) = (frames.first()?, located.first_mut()?);
                for part in parts.iter_mut().take(self.more() as usize) {
                    let part = part.get_mut(..texels)?;
                    let units = self.locate(frames, part, located)?;
                    part.copy_from_slice(units);
                }
                (self.locate(frames, first, located)?, frames.bytes)
            }
            SurfaceBytes::Unknown => return None,
        };
        let [second, third] = parts;
        (split.stages.gather)(bytes, [units, second, third], words);
        Some(())
    }

    /// Reads the elements again that continue in another frame; `None` if a part is not there.
    #[inline(never)]
    fn read_over_pages(
        &self,
        frames: &PageFrames<'_>,
        index: &[Lanes<u32>],
        units: &[Lanes<u32>],
        words: &mut Words,
    ) -> Option<()> {
        if !self.any_crosses_run(frames.mask(), units) {
            return Some(());
        }
        let size = self.bytes();
        for (tap, (index, units)) in index.iter().zip(units).enumerate() {
            for (at, (index, unit)) in index.iter().zip(units).enumerate() {
                if crosses_run(frames.mask(), self.more(), *unit) {
                    let mut element = [0; MOST_BYTES];
                    frames.copy_thirds(*index, element.get_mut(..size)?)?;
                    put_words(words, tap, at, words_of(element, size));
                }
            }
        }
        Some(())
    }

    /// Reads elements from memory that is contiguous only in pieces: see [`PageKernel`].
    pub(crate) fn fetch_pages(&self, memory: &dyn Memory, left: &mut [u32; TAPS], scratch: &mut PassScratch) {
        let PassScratch { index: first, parts, words, .. } = scratch;
        match (self.split.first(), parts.first_mut(), self.pages.first()) {
            (Some(Some(split)), Some(parts), _) => {
                (split.find)(&split.rule, first, parts);
                let [second, third] = parts;
                (split.stages.pages)(memory, self.base, [first, second, third], left, words);
            }
            (_, _, Some(Some(kernel))) => kernel(memory, self.base, first, left, words),
            _ => {}
        }
    }

    /// Returns the indices of all parts of an element, computed from that of the first part.
    pub(crate) fn parts(&self, first: u32) -> impl Iterator<Item = u32> {
        let rule = self.split.first().and_then(|split| split.as_ref()).map(|split| split.rule);
        (0..self.parts.into()).map(move |number| match rule {
            Some(rule) => rule.part(first, number),
            None => first.wrapping_add(number),
        })
    }

    /// Returns whether the parts of elements may lie apart.
    #[inline(always)]
    pub(crate) fn is_split(&self) -> bool {
        matches!(self.split.first(), Some(Some(_)))
    }

    /// Bytes of a unit, which is what an index counts.
    pub(crate) fn unit(&self) -> usize {
        1 << self.log2_unit
    }

    /// Bytes of an element.
    pub(crate) fn bytes(&self) -> usize {
        self.unit().wrapping_mul(self.parts.into())
    }

    /// The class of the surface's tile mode.
    pub(crate) fn pattern(&self) -> Pattern {
        self.pattern.first().copied().unwrap_or(Pattern::General)
    }

    /// Returns the index of the element in a column and a row of the surface; `slice_offset` is what its slice adds to indices inside a
    /// tile.
    pub(crate) fn index(&self, column: u32, row: u32, slice_offset: u32) -> u32 {
        let element = match self.pattern() {
            Pattern::General => address::element::<GENERAL>,
            Pattern::Linear => address::element::<LINEAR>,
            Pattern::OneStep => address::element::<ONE_STEP>,
            Pattern::Thirds => address::element::<THIRDS>,
        };
        element(&self.tile, column, row, slice_offset)
    }

    /// Returns the address of the element with an index.
    pub(crate) fn address(&self, index: u32) -> u64 {
        self.base.wrapping_add(u64::from(index) << self.log2_unit)
    }
}

/// Returns whether 32 or more elements (or parts of elements) are side by side in memory, so that the texels of most rows of
/// footprints are. (In Y-major tiles only 16 bytes are side by side.)
fn has_long_rows(tile: &LevelAddressing) -> bool {
    let moved = tile.x_spread.steps.iter().fold(0, |moved, step| moved | step.mask);
    moved.trailing_zeros() >= 5
}

impl SplitElements {
    /// `tile` counts parts of 2 to the power of `size` bytes. Returns `None` if a row of tiles is not a whole number of runs (the pitch is
    /// not one of whole tiles), so that an index does not tell where a run ends.
    fn new(tile: &LevelAddressing, size: usize, stages: &Stages) -> Option<Self> {
        let (find, stages) = (*stages.parts.first()?, *stages.split_elements.get(size)?);
        let rule = PartRule::new(tile);
        let split = Self { rule, has_long_runs: has_long_rows(tile), find, stages };
        (tile.tile_row & rule.last == 0).then_some(split)
    }
}
