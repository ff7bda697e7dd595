//! Reading of elements: from the indices of elements to their words.
//!
//! If the memory hands out the whole surface, [`gather`] reads all texels of all lanes in one loop.

pub(super) mod frames;
pub(super) mod split_elements;

use super::lanes::{LANES, Lanes, TAPS, TapLanes, ones};
use crate::format::double;
use crate::memory::{Access, Memory};

/// Number of texels of all lanes and taps.
pub(super) const TEXELS: usize = TAPS * LANES;

/// The words of elements: word 0 of all texels, then word 1, and so on. Elements of more than 16 bytes are 64-bit floats, which are
/// 32-bit floats here.
pub(super) type Words = [[u32; TEXELS]; 4];

/// Words of the largest element.
pub(super) const LANE_WORDS: usize = 4;

/// Bytes of the largest element that stages read.
pub(super) const MOST_BYTES: usize = if LANES == 1 { 16 } else { 32 };

/// Iterates over all texels: the four words of each.
#[inline(always)]
fn texels(words: &mut Words) -> impl Iterator<Item = [&mut u32; LANE_WORDS]> {
    let [first, second, third, fourth] = words;
    first.iter_mut().zip(second).zip(third).zip(fourth).map(|(((a, b), c), d)| [a, b, c, d])
}

/// Returns the words of a lane's element.
#[inline]
pub(super) fn element_words(words: &Words, tap: usize, lane: usize) -> [u32; LANE_WORDS] {
    let at = tap.wrapping_mul(LANES).wrapping_add(lane);
    words.each_ref().map(|words| words.get(at).copied().unwrap_or(0))
}

/// Stores the words of a lane's element, up to four.
pub(super) fn put_words(all: &mut Words, tap: usize, lane: usize, words: impl IntoIterator<Item = u32>) {
    for (all, word) in all.iter_mut().zip(words) {
        if let Some(out) = all.get_mut(tap.wrapping_mul(LANES).wrapping_add(lane)) {
            *out = word;
        }
    }
}

/// Reads elements from a surface's bytes, one for each index. An index past the end reads the last element. Large elements are copied
/// to `scratch` before they are split into words.
pub(super) type FetchKernel =
    fn(bytes: &[u8], index: &[u32], scratch: &mut [TapLanes<u32>; 4], words: &mut Words);

/// Number of element sizes that are powers of two: 1 to [`MOST_BYTES`] bytes.
pub(super) const WHOLE_SIZES: usize = MOST_BYTES.trailing_zeros() as usize + 1;

/// Number of kernels: by log2 of the element's bytes, then by log2 of a third of the element's bytes.
pub(super) const SIZES: usize = if LANES == 1 { WHOLE_SIZES } else { WHOLE_SIZES + 4 };

/// Returns element `index` of `elements`, or element `last` if the index is past it.
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "`last` is below the length")]
pub(super) fn element<const N: usize>(elements: &[[u8; N]], last: usize, index: u32) -> [u8; N] {
    elements[(index as usize).min(last)]
}

/// Splits an element into words; zeros past its end. (Word by word: of a copy by bytes compilers make vectors of bytes.)
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

/// Stores as many words as an element of `size` bytes has: of 12 and of 24 bytes three.
#[inline(always)]
fn store(words: [u32; LANE_WORDS], size: usize, [first, second, third, fourth]: [&mut u32; LANE_WORDS]) {
    let [a, b, c, d] = words;
    *first = a;
    if size > 4 {
        *second = b;
    }
    if size > 8 {
        *third = c;
    }
    if size > 8 && !size.is_multiple_of(3) {
        *fourth = d;
    }
}

/// Returns the words of an element of `size` bytes, after which there have to be zeros.
#[inline(always)]
pub(super) fn words_of(element: [u8; MOST_BYTES], size: usize) -> [u32; LANE_WORDS] {
    if LANES > 1 && size > 16 {
        return split(element);
    }
    element.first_chunk::<16>().map_or([0; LANE_WORDS], |element| split(*element))
}

/// See [`FetchKernel`]; elements of `N` bytes, where indices count thirds of an element. An index past the end reads the last `N` bytes.
#[inline(always)]
pub(super) fn gather_thirds<const N: usize>(
    bytes: &[u8],
    index: &[u32],
    _: &mut [TapLanes<u32>; 4],
    words: &mut Words,
) {
    let Some(last) = bytes.len().checked_sub(N) else { return };
    for (index, words) in index.iter().zip(texels(words)) {
        let at = (*index as usize).wrapping_mul(N / 3).min(last);
        let element = bytes.get(at..).and_then(|bytes| bytes.first_chunk::<N>()).copied().unwrap_or([0; N]);
        store(split(element), N, words);
    }
}

/// See [`FetchKernel`]; elements of `N` bytes.
#[inline(always)]
pub(super) fn gather<const N: usize>(
    bytes: &[u8],
    index: &[u32],
    scratch: &mut [TapLanes<u32>; 4],
    words: &mut Words,
) {
    let (elements, _) = bytes.as_chunks::<N>();
    if LANES > 1 && N >= 16 {
        // Four stores for each element take longer than one store and a split with vectors afterwards; copies of sixteen elements that are
        // split at once, which need no scratch, take 1.1 to 1.6 times as long.
        let (scratch, _) = scratch.as_flattened_mut().as_flattened_mut().as_chunks_mut();
        copy(elements, index, scratch);
        return take_apart(scratch.get(..index.len()).unwrap_or_default(), words);
    }
    let Some(last) = elements.len().checked_sub(1) else { return };
    for (index, words) in index.iter().zip(texels(words)) {
        store(split(element(elements, last, *index)), N, words);
    }
}

/// Copies elements of four words. (Not inlined: compilers would split the copies into words.)
#[inline(never)]
fn copy<const N: usize>(elements: &[[u8; N]], index: &[u32], scratch: &mut [[u32; LANE_WORDS]]) {
    let Some(last) = elements.len().checked_sub(1) else { return };
    for (index, scratch) in index.iter().zip(scratch) {
        *scratch = split(element(elements, last, *index));
    }
}

/// Splits copied elements into their words.
#[inline(always)]
fn take_apart(elements: &[[u32; LANE_WORDS]], words: &mut Words) {
    for (element, [first, second, third, fourth]) in elements.iter().zip(texels(words)) {
        [*first, *second, *third, *fourth] = *element;
    }
}

/// The contiguous bytes around the last element, as [`Memory::contiguous`] returned them.
pub(super) struct MemoryWindow<'a> {
    start: u64,
    bytes: &'a [u8],
}

impl<'a> MemoryWindow<'a> {
    pub(super) const NONE: Self = Self { start: 0, bytes: &[] };

    /// Returns `len` bytes at an address, from the window or else from the contiguous bytes around the address, which become the window.
    /// `None` if they are in neither.
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

    /// Returns the element at an address; `None` if it is not mapped.
    #[inline(always)]
    fn element<const N: usize>(&mut self, memory: &'a dyn Memory, address: u64) -> Option<[u8; N]> {
        if let Some(bytes) = self.bytes(memory, address, N) {
            return bytes.first_chunk().copied();
        }
        read(memory, address)
    }
}

/// Reads an element with [`Memory::read`], which copies it; `None` if it is not mapped.
#[inline(always)]
fn read<const N: usize>(memory: &dyn Memory, address: u64) -> Option<[u8; N]> {
    let mut element = [0; N];
    (memory.read(address, &mut element) == Access::Mapped).then_some(element)
}

/// Reads elements of a surface whose memory is contiguous only in pieces, for the lanes in `left`, which has a mask for each tap. The
/// address of an element is `base` plus its index times the bytes that an index counts. Bits of elements that were read are cleared.
pub(super) type PageKernel =
    fn(memory: &dyn Memory, base: u64, index: &TapLanes<u32>, left: &mut [u32; TAPS], words: &mut Words);

/// See [`PageKernel`]; elements of `N` bytes.
#[inline(always)]
pub(super) fn gather_pages<const N: usize>(
    memory: &dyn Memory,
    base: u64,
    index: &TapLanes<u32>,
    left: &mut [u32; TAPS],
    words: &mut Words,
) {
    let (mut page, mut next, mut window) =
        (PageElements::<N>::NONE, PageElements::<N>::NONE, MemoryWindow::NONE);
    // By rows of the footprint: from lane to lane, both texels of a row stay in their page.
    for (row, (left, index)) in left.as_chunks_mut().0.iter_mut().zip(index.as_chunks().0).enumerate() {
        let (all, index): ([u32; 2], &[Lanes<u32>; 2]) = (*left, index);
        if all == [0; 2] {
            continue;
        }
        let sides = if all[1] == 0 { 1 } else { 2 };
        let (low, high) = range(index, sides);
        let mut has_pages = true;
        if !page.has(low, low) {
            let found = PageElements::new(memory, base, low);
            has_pages = found.is_some();
            page = found.unwrap_or(PageElements::NONE);
        }
        let one = page.has(low, high);
        // Lanes that read two rows of the surface are on two pages. Lanes that read scattered texels are on many.
        let two = !one && page.is_near(high);
        if two && !next.has(high, high) {
            next = PageElements::new(memory, base, high).unwrap_or(PageElements::NONE);
        }
        if one || two && page.or(&next, index, sides) {
            // Inactive lanes are read, too: their elements are on these pages.
            for (side, index) in index.iter().enumerate().take(sides) {
                let tap = 2 * row + side;
                if one { page.gather(index, tap, words) } else { page.gather_or(&next, index, tap, words) }
            }
            *left = [0; 2];
            continue;
        }
        // Memory that has nothing contiguous is not asked for it again for every texel.
        let window = Some(&mut window).filter(|_| has_pages);
        gather_row::<N>((memory, window), (base, N), row, index, left, words);
    }
}

/// See [`PageKernel`]; elements of `N` bytes, where indices count thirds of an element.
#[inline(always)]
pub(super) fn gather_pages_of_thirds<const N: usize>(
    memory: &dyn Memory,
    base: u64,
    index: &TapLanes<u32>,
    left: &mut [u32; TAPS],
    words: &mut Words,
) {
    let ([[first, ..], ..], mut window) = (index, MemoryWindow::NONE);
    let first = base.wrapping_add(u64::from(*first).wrapping_mul(N as u64 / 3));
    let has_pages = memory.contiguous(first).is_some();
    for (row, (left, index)) in left.as_chunks_mut().0.iter_mut().zip(index.as_chunks().0).enumerate() {
        let window = Some(&mut window).filter(|_| has_pages);
        gather_row::<N>((memory, window), (base, N / 3), row, index, left, words);
    }
}

/// Reads the elements of a row of footprints one after the other. The address of an element is `base` plus its index times `unit` bytes.
/// The lanes whose elements are not mapped stay in `left`.
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "arrays indexed below their lengths")]
fn gather_row<'a, const N: usize>(
    (memory, mut window): (&'a dyn Memory, Option<&mut MemoryWindow<'a>>),
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

/// Reads the elements of texel number `tap` of all lanes, which `element` returns by the number of the lane.
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]
fn gather_lanes<const N: usize>(tap: usize, words: &mut Words, element: impl Fn(usize) -> [u8; N]) {
    let targets = words.each_mut().map(|words| words.as_chunks_mut::<LANES>().0.get_mut(tap));
    let [Some(first), Some(second), Some(third), Some(fourth)] = targets else { return };
    for i in 0..LANES {
        store(split(element(i)), N, [&mut first[i], &mut second[i], &mut third[i], &mut fourth[i]]);
    }
}

/// Returns the smallest and the largest index of one or two texels (`sides`) of all lanes.
#[inline(always)]
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

/// The whole elements in contiguous bytes of memory, a page for instance, and the index of the first one.
#[derive(Clone, Copy)]
struct PageElements<'a, const N: usize> {
    elements: &'a [[u8; N]],
    first: u32,
}

#[allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]
impl<'a, const N: usize> PageElements<'a, N> {
    const NONE: Self = Self { elements: &[], first: 0 };

    /// Returns the elements that are contiguous around the one with an index; no elements where pages begin inside of elements. `None`: the
    /// memory has nothing contiguous there.
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

    /// Returns whether the elements with indices from `low` to `high` are on this page.
    #[inline(always)]
    fn has(&self, low: u32, high: u32) -> bool {
        low >= self.first && (high.wrapping_sub(self.first) as usize) < self.elements.len()
    }

    /// Returns whether an element is on this page or fewer than 64 pages after it.
    #[inline(always)]
    fn is_near(&self, index: u32) -> bool {
        (index.wrapping_sub(self.first) as usize) >> 6 < self.elements.len()
    }

    /// Returns whether all elements of one or two texels (`sides`) are on this page or the other one.
    #[inline(always)]
    fn or(&self, other: &Self, [first, second]: &[Lanes<u32>; 2], sides: usize) -> bool {
        let second = if sides > 1 { second } else { first };
        // Both count as long as the shorter one: if these are pages, nothing is lost.
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

    /// Reads the elements of texel number `tap` of all lanes, which are on this page.
    #[inline(always)]
    fn gather(&self, index: &Lanes<u32>, tap: usize, words: &mut Words) {
        let Some(last) = self.elements.len().checked_sub(1) else { return };
        gather_lanes(tap, words, |lane| element(self.elements, last, index[lane].wrapping_sub(self.first)));
    }

    /// Reads the elements of texel number `tap` of all lanes, which are on this page or the other one.
    #[inline(always)]
    fn gather_or(&self, other: &Self, index: &Lanes<u32>, tap: usize, words: &mut Words) {
        let len = self.elements.len().min(other.elements.len());
        let (Some(here), Some(there)) = (self.elements.get(..len), other.elements.get(..len)) else { return };
        let Some(last) = len.checked_sub(1) else { return };
        gather_lanes(tap, words, |lane| {
            let (own, others) = (index[lane].wrapping_sub(self.first), index[lane].wrapping_sub(other.first));
            let is_here = (own as usize) < len;
            element(if is_here { here } else { there }, last, if is_here { own } else { others })
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_near_up_to_64_pages_above() {
        let page = PageElements { elements: &[[0; 4]; 16], first: 100 };
        assert!([100, 116, 100 + 16 * 64 - 1].iter().all(|index| page.is_near(*index)));
        assert!([99, 0, 100 + 16 * 64].iter().all(|index| !page.is_near(*index)));
        assert!(page.has(100, 115) && !page.has(99, 115) && !page.has(100, 116));
    }
}
