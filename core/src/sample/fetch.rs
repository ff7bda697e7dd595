//! Reading elements: from indices of elements to words.
//!
//! If the memory hands out the whole surface, [`gather`] reads all texels of all lanes in one loop.

pub(super) mod apart;
pub(super) mod frames;

use super::lanes::{LANES, Lanes, TAPS, TapLanes, ones};
use crate::format::double;
use crate::memory::{Access, Memory};

/// Texels of all lanes and taps, one after the other.
pub(super) const TEXELS: usize = TAPS * LANES;

/// The words of elements: word 0 of all texels, then word 1, and so on. Those of more than 16 bytes are floats of 64 bits; here they
/// have 32.
pub(super) type Words = [[u32; TEXELS]; 4];

/// Words of the largest element.
pub(super) const LANE_WORDS: usize = 4;

/// Bytes of the largest element that stages read.
pub(super) const MOST_BYTES: usize = if LANES == 1 { 16 } else { 32 };

/// The words of a lane's element.
#[inline]
pub(super) fn element_words(words: &Words, tap: usize, lane: usize) -> [u32; LANE_WORDS] {
    let at = tap.wrapping_mul(LANES).wrapping_add(lane);
    words.each_ref().map(|words| words.get(at).copied().unwrap_or(0))
}

/// Puts the words of a lane's element in their places.
pub(super) fn put_words(all: &mut Words, tap: usize, lane: usize, words: [u32; LANE_WORDS]) {
    for (all, word) in all.iter_mut().zip(words) {
        if let Some(out) = all.get_mut(tap.wrapping_mul(LANES).wrapping_add(lane)) {
            *out = word;
        }
    }
}

/// Reads elements of a surface's bytes: as many as there are indices. An index past the end reads the last element.
/// `room` is what large elements are copied to before they are taken apart.
pub(super) type FetchKernel =
    fn(bytes: &[u8], index: &[u32], room: &mut [TapLanes<u32>; 4], words: &mut Words);

/// Sizes of elements that are powers of two: from 1 byte up.
pub(super) const WHOLE_SIZES: usize = MOST_BYTES.trailing_zeros() as usize + 1;

/// The kernels by log2 of the element's bytes, then by log2 of a third of the element's bytes.
pub(super) const SIZES: usize = if LANES == 1 { WHOLE_SIZES } else { WHOLE_SIZES + 4 };

/// Element `index` of `elements`, or the last one.
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "`last` is below the length")]
pub(super) fn element<const N: usize>(elements: &[[u8; N]], last: usize, index: u32) -> [u8; N] {
    elements[(index as usize).min(last)]
}

/// The words of an element; zeros past its end. By word: of a copy by byte compilers make vectors of bytes.
#[inline(always)]
pub(super) fn split<const N: usize>(element: [u8; N]) -> [u32; LANE_WORDS] {
    let mut words = [0; LANE_WORDS];
    if N > 16 {
        for (word, bytes) in words.iter_mut().zip(element.as_chunks().0) {
            *word = double(u64::from_le_bytes(*bytes)).to_bits();
        }
        return words;
    }
    let (whole, rest) = element.as_chunks();
    let mut last = [0; 4];
    for (to, from) in last.iter_mut().zip(rest) {
        *to = *from;
    }
    let last = if N.is_multiple_of(4) { None } else { Some(&last) };
    for (word, bytes) in words.iter_mut().zip(whole.iter().chain(last)) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

/// The words of an element of `size` bytes; zeros are after it.
#[inline(always)]
pub(super) fn words_of(element: [u8; MOST_BYTES], size: usize) -> [u32; LANE_WORDS] {
    if LANES > 1 && size > 16 {
        return split(element);
    }
    element.first_chunk::<16>().map_or([0; LANE_WORDS], |element| split(*element))
}

/// See [`FetchKernel`]; elements of `N` bytes, whose thirds the indices count. An index past the end reads the last `N` bytes.
#[inline(always)]
pub(super) fn gather_thirds<const N: usize>(
    bytes: &[u8],
    index: &[u32],
    _: &mut [TapLanes<u32>; 4],
    words: &mut Words,
) {
    let Some(last) = bytes.len().checked_sub(N) else { return };
    let [first, second, third, _] = words;
    for (((index, first), second), third) in index.iter().zip(first).zip(second).zip(third) {
        let at = (*index as usize).wrapping_mul(N / 3).min(last);
        let element = bytes.get(at..).and_then(|bytes| bytes.first_chunk::<N>()).copied().unwrap_or([0; N]);
        let [a, b, c, _] = split(element);
        *first = a;
        if N > 4 {
            *second = b;
        }
        if N > 8 {
            *third = c;
        }
    }
}

/// See [`FetchKernel`]; elements of `N` bytes.
#[inline(always)]
pub(super) fn gather<const N: usize>(
    bytes: &[u8],
    index: &[u32],
    room: &mut [TapLanes<u32>; 4],
    words: &mut Words,
) {
    let (elements, _) = bytes.as_chunks::<N>();
    if LANES > 1 && N >= 16 {
        // Four stores for each element take longer than one and vectors.
        let (room, _) = room.as_flattened_mut().as_flattened_mut().as_chunks_mut();
        copy(elements, index, room);
        return take_apart(room.get(..index.len()).unwrap_or_default(), words);
    }
    let Some(last) = elements.len().checked_sub(1) else { return };
    let [first, second, third, fourth] = words;
    for ((((index, first), second), third), fourth) in
        index.iter().zip(first).zip(second).zip(third).zip(fourth)
    {
        let [a, b, c, d] = split(element(elements, last, *index));
        *first = a;
        if N > 4 {
            *second = b;
        }
        if N > 8 {
            (*third, *fourth) = (c, d);
        }
    }
}

/// Copies elements of four words. (Not inlined: compilers would take apart what is copied.)
#[inline(never)]
fn copy<const N: usize>(elements: &[[u8; N]], index: &[u32], room: &mut [[u32; LANE_WORDS]]) {
    let Some(last) = elements.len().checked_sub(1) else { return };
    for (index, room) in index.iter().zip(room) {
        *room = split(element(elements, last, *index));
    }
}

/// The words of copied elements.
#[inline(always)]
fn take_apart(elements: &[[u32; LANE_WORDS]], words: &mut Words) {
    let [first, second, third, fourth] = words;
    for ((((element, first), second), third), fourth) in
        elements.iter().zip(first).zip(second).zip(third).zip(fourth)
    {
        [*first, *second, *third, *fourth] = *element;
    }
}

/// Bytes that lie side by side: what was contiguous around the last element.
pub(super) struct Window<'a> {
    start: u64,
    bytes: &'a [u8],
}

impl<'a> Window<'a> {
    pub(super) const NONE: Self = Self { start: 0, bytes: &[] };

    /// `len` bytes at an address, from here or from what is contiguous around them, which is here afterwards.
    #[inline(always)]
    pub(super) fn bytes(&mut self, memory: &'a dyn Memory, address: u64, len: usize) -> Option<&'a [u8]> {
        let here = |window: &Self| {
            let from = usize::try_from(address.wrapping_sub(window.start)).ok()?;
            window.bytes.get(from..)?.get(..len)
        };
        let found = here(self);
        if found.is_some() {
            return found;
        }
        let (start, bytes) = memory.contiguous(address)?;
        *self = Self { start, bytes };
        here(self)
    }

    /// The element at an address; `None` if it is not there.
    #[inline(always)]
    fn element<const N: usize>(&mut self, memory: &'a dyn Memory, address: u64) -> Option<[u8; N]> {
        if let Some(bytes) = self.bytes(memory, address, N) {
            return bytes.first_chunk().copied();
        }
        read(memory, address)
    }
}

/// An element that the memory copies.
#[inline(always)]
fn read<const N: usize>(memory: &dyn Memory, address: u64) -> Option<[u8; N]> {
    let mut element = [0; N];
    (memory.read(address, &mut element) == Access::Mapped).then_some(element)
}

/// Reads elements of a surface that the memory has in pieces: those of the lanes in `left`. Their address is `base` and the index
/// times their size. Bits of what was read are cleared.
pub(super) type PageKernel =
    fn(memory: &dyn Memory, base: u64, index: &TapLanes<u32>, left: &mut [u32; TAPS], words: &mut Words);

/// See [`PageKernel`]; elements of `N` bytes.
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "arrays indexed below their lengths")]
#[allow(clippy::needless_range_loop, reason = "several arrays, one number of the lane")]
pub(super) fn gather_pages<const N: usize>(
    memory: &dyn Memory,
    base: u64,
    index: &TapLanes<u32>,
    left: &mut [u32; TAPS],
    words: &mut Words,
) {
    let (mut page, mut next, mut window) = (Page::<N>::NONE, Page::<N>::NONE, Window::NONE);
    // By rows of the footprint: as lanes go on, both texels of a row stay in their page.
    for (row, (left, index)) in left.as_chunks_mut().0.iter_mut().zip(index.as_chunks().0).enumerate() {
        let (all, index): ([u32; 2], &[Lanes<u32>; 2]) = (*left, index);
        if all == [0; 2] {
            continue;
        }
        let sides = if all[1] == 0 { 1 } else { 2 };
        let (low, high) = range(index, sides);
        let mut has_pages = true;
        if !page.has(low, low) {
            let found = Page::new(memory, base, low);
            has_pages = found.is_some();
            page = found.unwrap_or(Page::NONE);
        }
        let one = page.has(low, high);
        // Lanes on two rows are on two pages. Those that are anywhere are on many.
        let two = !one && page.is_near(high);
        if two && !next.has(high, high) {
            next = Page::new(memory, base, high).unwrap_or(Page::NONE);
        }
        if one || two && page.or(&next, index, sides) {
            // Lanes that are off read what is there, too.
            for (side, index) in index.iter().enumerate().take(sides) {
                let at = (2 * row + side) * LANES;
                if one { page.gather(index, at, words) } else { page.gather_or(&next, index, at, words) }
            }
            *left = [0; 2];
            continue;
        }
        // Memory that only reads is not asked for every texel.
        let window = Some(&mut window).filter(|_| has_pages);
        gather_row::<N>((memory, window), (base, N), row, index, left, words);
    }
}

/// See [`PageKernel`]; elements of `N` bytes, whose thirds the indices count.
#[inline(always)]
pub(super) fn gather_pages_of_thirds<const N: usize>(
    memory: &dyn Memory,
    base: u64,
    index: &TapLanes<u32>,
    left: &mut [u32; TAPS],
    words: &mut Words,
) {
    let ([[first, ..], ..], mut window) = (index, Window::NONE);
    let first = base.wrapping_add(u64::from(*first).wrapping_mul(N as u64 / 3));
    let has_pages = memory.contiguous(first).is_some();
    for (row, (left, index)) in left.as_chunks_mut().0.iter_mut().zip(index.as_chunks().0).enumerate() {
        let window = Some(&mut window).filter(|_| has_pages);
        gather_row::<N>((memory, window), (base, N / 3), row, index, left, words);
    }
}

/// Reads the elements of a row of footprints one after the other, at addresses of a base and a unit that indices count.
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "arrays indexed below their lengths")]
#[allow(clippy::needless_range_loop, reason = "several arrays, one number of the lane")]
fn gather_row<'a, const N: usize>(
    (memory, mut window): (&'a dyn Memory, Option<&mut Window<'a>>),
    (base, unit): (u64, usize),
    row: usize,
    index: &[Lanes<u32>; 2],
    left: &mut [u32; 2],
    words: &mut Words,
) {
    let mut missing = [0; 2];
    for lane in 0..LANES {
        for side in 0..2 {
            if left[side] >> lane & 1 == 0 {
                continue;
            }
            let address = base.wrapping_add(u64::from(index[side][lane]).wrapping_mul(unit as u64));
            let element = match &mut window {
                Some(window) => window.element(memory, address),
                None => read(memory, address),
            };
            let Some(element): Option<[u8; N]> = element else {
                missing[side] |= 1 << lane;
                continue;
            };
            let at = (2 * row + side) * LANES + lane;
            for (all, word) in words.iter_mut().zip(split(element)).take(N.div_ceil(4)) {
                if let Some(out) = all.get_mut(at) {
                    *out = word;
                }
            }
        }
    }
    *left = missing;
}

/// Reads the elements of a texel of all lanes, by the number of the lane, to the texels from number `at` on; `None` at the first that
/// is not there.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "several arrays, one number of the lane")]
#[allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]
fn gather_lanes<const N: usize>(
    at: usize,
    words: &mut Words,
    element: impl Fn(usize) -> Option<[u8; N]>,
) -> Option<()> {
    fn lanes(words: &mut [u32; TEXELS], at: usize) -> Option<&mut Lanes<u32>> {
        words.get_mut(at..)?.first_chunk_mut()
    }
    let [first, second, third, fourth] = words.each_mut().map(|words| lanes(words, at));
    let (first, second, third, fourth) = (first?, second?, third?, fourth?);
    for i in 0..LANES {
        let [a, b, c, d] = split(element(i)?);
        first[i] = a;
        if N > 4 {
            second[i] = b;
        }
        if N > 8 {
            (third[i], fourth[i]) = (c, d);
        }
    }
    Some(())
}

/// The smallest and the largest index of one or two texels of all lanes.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "several arrays, one number of the lane")]
#[allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]
fn range([first, second]: &[Lanes<u32>; 2], sides: usize) -> (u32, u32) {
    let second = if sides > 1 { second } else { first };
    let (mut low, mut high) = (u32::MAX, 0);
    for i in 0..LANES {
        low = low.min(first[i]).min(second[i]);
        high = high.max(first[i]).max(second[i]);
    }
    (low, high)
}

/// Whole elements that lie side by side, and the index of the first.
#[derive(Clone, Copy)]
struct Page<'a, const N: usize> {
    elements: &'a [[u8; N]],
    first: u32,
}

impl<'a, const N: usize> Page<'a, N> {
    const NONE: Self = Self { elements: &[], first: 0 };

    /// What is contiguous around the element with an index; nothing of it where pages begin inside of elements. `None`: the memory
    /// only reads.
    #[inline(never)]
    fn new(memory: &'a dyn Memory, base: u64, index: u32) -> Option<Self> {
        let address = base.wrapping_add(u64::from(index).wrapping_mul(N as u64));
        let (start, bytes) = memory.contiguous(address)?;
        let page = || {
            let before = usize::try_from(base.saturating_sub(start)).ok()?;
            let after = start.saturating_sub(base);
            let (elements, _) = bytes.get(before..)?.as_chunks();
            let first = u32::try_from(after / N as u64).ok()?;
            after.is_multiple_of(N as u64).then_some(Self { elements, first })
        };
        Some(page().unwrap_or(Self::NONE))
    }

    /// The elements with indices from `low` to `high` are here.
    #[inline(always)]
    fn has(&self, low: u32, high: u32) -> bool {
        low >= self.first && (high.wrapping_sub(self.first) as usize) < self.elements.len()
    }

    /// Fewer than 64 pages away.
    #[inline(always)]
    fn is_near(&self, index: u32) -> bool {
        (index.wrapping_sub(self.first) as usize) >> 6 < self.elements.len()
    }

    /// All elements are here or on the other page.
    #[inline(always)]
    #[allow(clippy::needless_range_loop, reason = "several arrays, one number of the lane")]
    #[allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]
    fn or(&self, other: &Self, [first, second]: &[Lanes<u32>; 2], sides: usize) -> bool {
        let second = if sides > 1 { second } else { first };
        // Both as long as the shorter: of pages that is no loss.
        let len = self.elements.len().min(other.elements.len()) as u32;
        let nowhere = |index: u32| {
            ones(index.wrapping_sub(self.first) >= len) & ones(index.wrapping_sub(other.first) >= len)
        };
        let mut missing = 0;
        for i in 0..LANES {
            missing |= nowhere(first[i]) | nowhere(second[i]);
        }
        missing == 0
    }

    /// Reads elements that are here to the texels from number `at` on.
    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]
    fn gather(&self, index: &Lanes<u32>, at: usize, words: &mut Words) {
        let Some(last) = self.elements.len().checked_sub(1) else { return };
        gather_lanes(at, words, |lane| {
            Some(element(self.elements, last, index[lane].wrapping_sub(self.first)))
        });
    }

    /// Reads elements that are here or on the other page.
    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]
    fn gather_or(&self, other: &Self, index: &Lanes<u32>, at: usize, words: &mut Words) {
        let len = self.elements.len().min(other.elements.len());
        let (Some(here), Some(there)) = (self.elements.get(..len), other.elements.get(..len)) else { return };
        let Some(last) = len.checked_sub(1) else { return };
        gather_lanes(at, words, |lane| {
            let (own, others) = (index[lane].wrapping_sub(self.first), index[lane].wrapping_sub(other.first));
            let is_here = (own as usize) < len;
            Some(element(if is_here { here } else { there }, last, if is_here { own } else { others }))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_near_up_to_64_pages_above() {
        let page = Page { elements: &[[0; 4]; 16], first: 100 };
        assert!([100, 116, 100 + 16 * 64 - 1].iter().all(|index| page.is_near(*index)));
        assert!([99, 0, 100 + 16 * 64].iter().all(|index| !page.is_near(*index)));
        assert!(page.has(100, 115) && !page.has(99, 115) && !page.has(100, 116));
    }
}
