//! Surfaces in pages whose frames lie in one slice.

use crate::format::BlockStore;
use crate::format::channel::Planes;
use crate::memory::{Memory, PageTable};
use crate::sample::lanes::{LANES, Lanes, TAPS, TapLanes, WIDE, ones};

/// The bytes of a surface, if the memory hands them out at once.
#[derive(Clone, Copy)]
pub(crate) enum Bytes<'m> {
    Whole(&'m [u8]),
    /// Small targets do without.
    Frames([Frames<'m>; WIDE]),
    /// Texels are asked for one after the other.
    Unknown,
}

/// Where the texels of a surface are.
pub(crate) struct SurfaceMemory<'a> {
    /// What the memory hands out.
    pub(crate) bytes: Bytes<'a>,
    pub(crate) memory: &'a dyn Memory,
    /// Blocks that are decoded already.
    pub(crate) blocks: Option<&'a BlockStore<'a>>,
    /// The entries of a palette by bytes, if indices of 8 bits refer to one.
    pub(crate) palette: Option<&'a Planes<4>>,
}

/// How far pages may be from each other that are close.
pub(crate) const NEAR: u32 = 8;

/// A page table, by units of a surface: what its indices count.
#[derive(Clone, Copy)]
pub(crate) struct Frames<'m> {
    /// The frame of each page, from the one on in which the surface begins.
    pub(crate) numbers: &'m [u32],
    /// All frames.
    pub(crate) bytes: &'m [u8],
    /// Units of the first page that are before the surface.
    pub(crate) before: u32,
    /// log2 of the units of a page.
    pub(crate) shift: u32,
    /// The last frame whose units have numbers of 32 bits.
    pub(crate) last: u32,
}

impl<'m> Frames<'m> {
    /// Of a surface at the address `base`. `None` if there are no frames, or its units are not at multiples of their size in pages.
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

    /// The number among all frames of the unit with an index; `None` if its page is not there.
    fn unit(&self, index: u32) -> Option<u32> {
        self.unit_in_page(self.page(index), index.wrapping_add(self.before) & self.mask())
    }

    /// The same of a unit of a page.
    #[inline(always)]
    fn unit_in_page(&self, page: u32, inside: u32) -> Option<u32> {
        let frame = *self.numbers.get(page as usize)?;
        (frame <= self.last).then_some(frame << self.shift | inside)
    }

    /// The bits of a unit's number that say where in its frame it is.
    #[inline(always)]
    pub(crate) const fn mask(&self) -> u32 {
        (1 << self.shift) - 1
    }

    /// The page of a unit, from the one on in which the surface begins.
    #[inline(always)]
    pub(crate) const fn page(&self, index: u32) -> u32 {
        index.wrapping_add(self.before).wrapping_shr(self.shift)
    }

    /// The pages of the first and the last lane are close to each other.
    #[inline(always)]
    pub(crate) fn may_be_near(&self, index: &[Lanes<u32>]) -> bool {
        let lanes = index.first().map_or(&[][..], |lanes| lanes);
        let (Some(first), Some(last)) = (lanes.first(), lanes.last()) else { return false };
        self.page(*first).abs_diff(self.page(*last)) < NEAR
    }

    /// Runs of units, whose last one has this number, end where pages do or before that.
    pub(crate) const fn has_whole(&self, last: u32) -> bool {
        self.before & last == 0 && self.mask() >= last
    }

    /// Copies an element of three units, wherever they are.
    pub(crate) fn copy_thirds(&self, index: u32, element: &mut [u8]) -> Option<()> {
        let len = element.len() / 3;
        for (index, third) in (index..).zip(element.chunks_exact_mut(len.max(1))) {
            let at = (self.unit(index)? as usize).wrapping_mul(len);
            third.copy_from_slice(self.bytes.get(at..)?.get(..len)?);
        }
        Some(())
    }
}

/// Finds the numbers among all frames of units with indices in the surface; false if a page of them is not there.
pub(crate) type LocateKernel = fn(&Frames<'_>, index: &[Lanes<u32>], out: &mut Located) -> bool;

/// See [`LocateKernel`].
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "several arrays, one number of the lane")]
#[allow(clippy::indexing_slicing, reason = "arrays of LANES and of TAPS, indexed below those")]
pub(crate) fn locate(frames: &Frames<'_>, index: &[Lanes<u32>], [pages, units]: &mut Located) -> bool {
    let Frames { numbers, before, shift, last, .. } = *frames;
    let (mask, mut missing) = (frames.mask(), 0);
    for tap in 0..index.len().min(TAPS) {
        // The texel before it, or above it: most are on the same page.
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

/// The same of one texel of each lane: every lane by itself waits for nothing.
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]
pub(crate) fn locate_texel(frames: &Frames<'_>, index: &[Lanes<u32>], out: &mut Located) -> bool {
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

/// Pages of units, and the numbers of units among those of all frames.
pub(crate) type Located = [TapLanes<u32>; 2];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_may_be_near_if_those_of_the_first_and_the_last_lane_are() {
        let frames = Frames { numbers: &[], bytes: &[], before: 15, shift: 4, last: 0 };
        assert_eq!([0, 1, 17].map(|unit| frames.page(unit)), [0, 1, 2]);
        let near = |last: u32| {
            let mut index = [0; LANES];
            index[LANES - 1] = last;
            frames.may_be_near(&[index])
        };
        // Pages of 16 units, the first of which is the last one of its page; of one lane there is one page.
        assert!(near(0) && near(112));
        assert_eq!(near(113), LANES == 1);
        assert!(!frames.may_be_near(&[]));
    }
}
