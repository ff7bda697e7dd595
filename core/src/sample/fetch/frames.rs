//! Surfaces in paged memory whose frames all lie in one slice: texels are found by a page table.

use crate::format::BlockStore;
use crate::format::channel::BytePlanes;
use crate::memory::{Memory, PageTable};
use crate::sample::lanes::{LANES, Lanes, MULTI_LANE, TAPS, TapLanes, ones};

/// What the memory hands out of a surface at once.
#[derive(Clone, Copy)]
pub(crate) enum SurfaceBytes<'m> {
    /// All bytes of the surface.
    Whole(&'m [u8]),
    /// A page table with all frames. Small targets do without.
    Frames([PageFrames<'m>; MULTI_LANE]),
    /// Nothing: the memory is asked for texels one after the other.
    Unknown,
}

/// Everything that the texels of a surface are read from.
pub(crate) struct SurfaceMemory<'a> {
    /// What the memory hands out of the surface at once.
    pub(crate) bytes: SurfaceBytes<'a>,
    pub(crate) memory: &'a dyn Memory,
    /// The caller's store of decoded blocks.
    pub(crate) blocks: Option<&'a BlockStore<'a>>,
    /// The palette as byte planes, if elements hold 8-bit indices into one.
    pub(crate) palette: Option<&'a BytePlanes<4>>,
}

/// Pages are close to each other if they are fewer than this many pages apart.
pub(crate) const NEAR_PAGES: u32 = 8;

/// The page table of a surface, in units: a unit is what indices of the surface count.
#[derive(Clone, Copy)]
pub(crate) struct PageFrames<'m> {
    /// The number of each page's frame, from the page in which the surface begins.
    pub(crate) numbers: &'m [u32],
    /// The bytes of all frames.
    pub(crate) bytes: &'m [u8],
    /// Units of the first page that lie before the surface.
    pub(crate) before: u32,
    /// log2 of the units of a page.
    pub(crate) shift: u32,
    /// Number of the last frame that is there and whose units have numbers of 32 bits.
    pub(crate) last: u32,
}

impl<'m> PageFrames<'m> {
    /// Makes the page table of a surface at the address `base`. Returns `None` if there are no frames, or units are not at multiples of
    /// their size in pages.
    pub(crate) fn new(table: PageTable<'m>, base: u64, log2_unit: u32) -> Option<Self> {
        let PageTable { base: first, log2_page, frames, bytes } = table;
        let shift = log2_page.checked_sub(log2_unit).filter(|shift| *shift < u32::BITS)?;
        let before = base.checked_sub(first)?;
        let (page, inside) = (before >> log2_page, before & ((1 << log2_page) - 1));
        if !inside.is_multiple_of(1 << log2_unit) {
            return None;
        }
        let count = (bytes.len() as u64 >> log2_page).min(1 << (u32::BITS - shift));
        Some(Self {
            numbers: frames.get(usize::try_from(page).ok()?..)?,
            bytes,
            before: (inside >> log2_unit) as u32,
            shift,
            last: count.checked_sub(1)? as u32,
        })
    }

    /// Translates a page of the surface and the number of a unit in it to the unit's number among those of all frames; `None` if the page
    /// is not there.
    #[inline(always)]
    fn unit_in_page(&self, page: u32, inside: u32) -> Option<u32> {
        let frame = *self.numbers.get(page as usize)?;
        (frame <= self.last).then_some(frame << self.shift | inside)
    }

    /// Returns the bits of a unit's number that say where in its frame it is.
    #[inline(always)]
    pub(crate) const fn mask(&self) -> u32 {
        (1 << self.shift) - 1
    }

    /// Returns the page of the unit with an index, counted from the page in which the surface begins.
    #[inline(always)]
    pub(crate) const fn page(&self, index: u32) -> u32 {
        index.wrapping_add(self.before).wrapping_shr(self.shift)
    }

    /// Returns whether the pages of the first and the last lane are close to each other (see [`NEAR_PAGES`]).
    #[inline(always)]
    pub(crate) fn may_be_near(&self, index: &[Lanes<u32>]) -> bool {
        let lanes = index.first().map_or(&[][..], |lanes| lanes);
        let (Some(first), Some(last)) = (lanes.first(), lanes.last()) else { return false };
        self.page(*first).abs_diff(self.page(*last)) < NEAR_PAGES
    }

    /// Returns whether no run of units lies across two pages; `last` is the number of the last unit in a run.
    pub(crate) const fn has_whole(&self, last: u32) -> bool {
        self.before & last == 0 && self.mask() >= last
    }

    /// Copies an element of three units, which may be on different pages; `None` if one is not there.
    pub(crate) fn copy_thirds(&self, index: u32, element: &mut [u8]) -> Option<()> {
        let len = element.len() / 3;
        for (index, third) in (index..).zip(element.chunks_exact_mut(len.max(1))) {
            let inside = index.wrapping_add(self.before) & self.mask();
            let at = (self.unit_in_page(self.page(index), inside)? as usize).wrapping_mul(len);
            third.copy_from_slice(self.bytes.get(at..)?.get(..len)?);
        }
        Some(())
    }
}

/// Translates indices of units in the surface to the units' numbers among those of all frames; false if a page is not there.
pub(crate) type LocateKernel = fn(&PageFrames<'_>, index: &[Lanes<u32>], out: &mut Located) -> bool;

/// See [`LocateKernel`].
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "arrays of LANES and of TAPS, indexed below those")]
pub(crate) fn locate(frames: &PageFrames<'_>, index: &[Lanes<u32>], [pages, units]: &mut Located) -> bool {
    let PageFrames { numbers, before, shift, last, .. } = *frames;
    let (mask, mut missing) = (frames.mask(), 0);
    for tap in 0..index.len().min(TAPS) {
        // The texel before it along x, y or z: most are on the same page.
        let beside = tap & tap.wrapping_sub(1);
        let mut others = 0;
        for i in 0..LANES {
            let page = index[tap][i].wrapping_add(before) >> shift;
            others |= page ^ pages[beside][i];
            pages[tap][i] = page;
        }
        if others == 0 && tap != 0 {
            for i in 0..LANES {
                units[tap][i] = units[beside][i].wrapping_add(index[tap][i].wrapping_sub(index[beside][i]));
            }
            continue;
        }
        let mut frame = [0; LANES];
        for i in 0..LANES {
            let Some(number) = numbers.get(pages[tap][i] as usize) else { return false };
            frame[i] = *number;
        }
        for i in 0..LANES {
            missing |= ones(frame[i] > last);
            units[tap][i] = frame[i] << shift | index[tap][i].wrapping_add(before) & mask;
        }
    }
    missing == 0
}

/// [`locate`] for one texel of each lane: the look-up of a lane does not wait for that of another.
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]
pub(crate) fn locate_texel(frames: &PageFrames<'_>, index: &[Lanes<u32>], out: &mut Located) -> bool {
    let ([index, ..], [[pages, ..], [units, ..]]) = (index, out) else { return true };
    for i in 0..LANES {
        let at = index[i].wrapping_add(frames.before);
        (pages[i], units[i]) = (at >> frames.shift, at & frames.mask());
    }
    for (page, unit) in pages.iter().zip(units) {
        let Some(found) = frames.unit_in_page(*page, *unit) else { return false };
        *unit = found;
    }
    true
}

/// The pages of units, and the units' numbers among those of all frames.
pub(crate) type Located = [TapLanes<u32>; 2];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_may_be_near_if_those_of_the_first_and_the_last_lane_are() {
        let frames = PageFrames { numbers: &[], bytes: &[], before: 15, shift: 4, last: 0 };
        assert_eq!([0, 1, 17].map(|unit| frames.page(unit)), [0, 1, 2]);
        let near = |last: u32| {
            let mut index = [0; LANES];
            index[LANES - 1] = last;
            frames.may_be_near(&[index])
        };
        // Pages have 16 units, and the surface's first unit is the last one of its page. A single lane has a single page.
        assert!(near(0) && near(112));
        assert_eq!(near(113), LANES == 1);
        assert!(!frames.may_be_near(&[]));
    }
}
