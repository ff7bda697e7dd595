//! Surfaces in pages whose frames lie in one slice.

use super::lanes::{LANES, Lanes, TapLanes, WIDE};
use crate::format::BlockStore;
use crate::memory::{Memory, PageTable};

/// The bytes of a surface, if the memory hands them out at once.
#[derive(Clone, Copy)]
pub(super) enum Bytes<'m> {
    Whole(&'m [u8]),
    /// Small targets do without.
    Frames([Frames<'m>; WIDE]),
    /// Texels are asked for one after the other.
    Unknown,
}

/// Where the texels of a surface are.
pub(super) struct SurfaceMemory<'a> {
    /// What the memory hands out.
    pub(super) bytes: Bytes<'a>,
    pub(super) memory: &'a dyn Memory,
    /// Blocks that are decoded already.
    pub(super) blocks: Option<&'a BlockStore<'a>>,
}

/// A page table, by elements of a surface.
#[derive(Clone, Copy)]
pub(super) struct Frames<'m> {
    /// The frame of each page.
    numbers: &'m [u32],
    /// All frames.
    bytes: &'m [u8],
    /// Elements from the first page to the surface.
    before: u32,
    /// log2 of the elements of a page.
    shift: u32,
}

impl<'m> Frames<'m> {
    /// Of a surface at the address `base`. `None` if its elements are not at multiples of their size in pages.
    pub(super) fn new(table: PageTable<'m>, base: u64, log2_element: u32) -> Option<Self> {
        let PageTable { base: first, log2_page, frames: numbers, bytes } = table;
        let before = base.checked_sub(first)?;
        let shift = log2_page.checked_sub(log2_element).filter(|shift| *shift < 32)?;
        if before & ((1 << log2_element) - 1) != 0 {
            return None;
        }
        Some(Self { numbers, bytes, before: u32::try_from(before >> log2_element).ok()?, shift })
    }

    /// The pages of elements, and where they are in those.
    #[inline(always)]
    #[allow(clippy::needless_range_loop, reason = "several arrays, one number of the lane")]
    #[allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]
    pub(super) fn locate(&self, index: &[Lanes<u32>], [page, inside]: &mut Located) {
        let mask = (1 << self.shift) - 1;
        for ((index, page), inside) in index.iter().zip(page).zip(inside) {
            for i in 0..LANES {
                let at = index[i].wrapping_add(self.before);
                page[i] = at >> self.shift;
                inside[i] = at & mask;
            }
        }
    }

    /// All frames, cut into elements.
    #[inline(always)]
    pub(super) const fn elements<const N: usize>(&self) -> &'m [[u8; N]] {
        self.bytes.as_chunks().0
    }

    /// The number of an element among those of all frames. It may be past the end.
    #[inline(always)]
    pub(super) fn find(&self, page: u32, inside: u32) -> Option<usize> {
        let frame = *self.numbers.get(page as usize)?;
        usize::try_from(u64::from(frame) << self.shift | u64::from(inside)).ok()
    }

    /// An element of `N` bytes that begins with the third of these numbers.
    #[inline(always)]
    pub(super) fn element_of_thirds<const N: usize>(&self, page: u32, inside: u32) -> Option<[u8; N]> {
        let next_page = 1_u32.wrapping_shl(self.shift);
        if inside.wrapping_add(3) > next_page {
            return self.element_over_pages(page, inside);
        }
        let at = self.find(page, inside)?.wrapping_mul(N / 3);
        self.bytes.get(at..)?.first_chunk().copied()
    }

    /// The same of an element that goes on in the next page.
    #[inline(never)]
    fn element_over_pages<const N: usize>(&self, page: u32, inside: u32) -> Option<[u8; N]> {
        let first = page.wrapping_shl(self.shift) | inside;
        let mut element = [0; N];
        let mut left = element.as_mut_slice();
        for third in [first, first.wrapping_add(1), first.wrapping_add(2)] {
            let inside = third & 1_u32.wrapping_shl(self.shift).wrapping_sub(1);
            let at = self.find(third.wrapping_shr(self.shift), inside)?.wrapping_mul(N / 3);
            let (bytes, rest) = left.split_at_mut_checked(N / 3)?;
            bytes.copy_from_slice(self.bytes.get(at..)?.get(..N / 3)?);
            left = rest;
        }
        Some(element)
    }
}

/// Pages of elements, and the numbers of the elements in those.
pub(super) type Located = [TapLanes<u32>; 2];
