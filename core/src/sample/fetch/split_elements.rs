//! Reading of elements whose parts may lie apart: in tiles, elements of 3, 6, 12 and 24 bytes, each third of which is contiguous, and
//! elements of 32 bytes where only 16 bytes of a row are side by side (Y-major). The index of an element is that of its first part.
#![allow(clippy::indexing_slicing, reason = "arrays indexed below their lengths")]

use super::{MOST_BYTES, MemoryWindow, Words, put_words, store, texels, words_of};
use crate::memory::{Access, LevelAddressing, Memory, SpreadStep};
use crate::sample::lanes::{Lanes, MULTI_LANE, TAPS, TapLanes, numbers, ones};

/// Where the parts of elements are, in tiles that move a range of a column's bits, as X- and Y-major tiles do. Units that are side by side
/// in memory are a run; an element may continue in the next run of its row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartRule {
    /// Number of the last unit in a run; also the mask of the bits that number the units of a run.
    pub(crate) last: u32,
    /// Units between the end of a run and the beginning of the next one in the same row.
    pub(crate) jump: u32,
}

impl PartRule {
    /// Makes the rule of a tile mode whose addressing counts parts.
    pub(crate) fn new(tile: &LevelAddressing) -> Self {
        let [SpreadStep { mask, shift }, ..] = tile.x_spread.steps;
        let run = (!mask).wrapping_add(1);
        Self { last: !mask, jump: run.wrapping_shl(shift).wrapping_sub(run) }
    }

    /// Returns the index of part `number` of an element from the index of its first part.
    #[inline(always)]
    pub(crate) fn part(&self, first: u32, number: u32) -> u32 {
        let is_in_next_run = ones(crosses_run(self.last, number, first));
        first.wrapping_add(number).wrapping_add(self.jump & is_in_next_run)
    }
}

/// Returns whether an element of `1 + more` units, the first of which is unit `first`, continues in another run or page. `last`: the low
/// bits that are all set in the number of the last unit of a run or page.
#[inline(always)]
pub(crate) const fn crosses_run(last: u32, more: u32, first: u32) -> bool {
    (first & last).wrapping_add(more) > last
}

/// Returns whether any element continues in another run or page: see [`crosses_run`].
pub(crate) type CrossesRunKernel = fn(last: u32, more: u32, first: &[Lanes<u32>]) -> bool;

/// See [`CrossesRunKernel`].
#[inline(always)]
pub(crate) fn any_crosses_run(last: u32, more: u32, first: &[Lanes<u32>]) -> bool {
    first.as_flattened().iter().fold(0, |any, first| any | ones(crosses_run(last, more, *first))) != 0
}

/// Locates rows of footprints whose two texels, of `1 + more` units each, are next to each other, from the indices of all texels.
/// The first array of `found` has where each row begins, then where each row continues in another run (if it does); the second has the
/// units from the beginning of each row to the end of its run. Returns false if the texels of any row are not next to each other.
pub(crate) type RowsKernel =
    fn(&PartRule, more: u32, first: &[Lanes<u32>], found: &mut [TapLanes<u32>; 2]) -> bool;

/// See [`RowsKernel`]. (Only x86-64 has kernels that read rows.)
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn find_rows(
    rule: &PartRule,
    more: u32,
    first: &[Lanes<u32>],
    [places, left]: &mut [TapLanes<u32>; 2],
) -> bool {
    // A copy that no store of the loop can change.
    let (rule, units) = (*rule, more.wrapping_add(1));
    let (rows, _) = first.as_chunks::<2>();
    let Some((here, next)) = places.split_at_mut_checked(rows.len()) else { return false };
    let mut others = 0;
    for ([first, second], ((here, next), left)) in rows.iter().zip(here.iter_mut().zip(next).zip(left)) {
        for i in 0..first.len() {
            let rest = rule.last.wrapping_sub(first[i] & rule.last).wrapping_add(1);
            let crosses_run = ones(crosses_run(rule.last, units.wrapping_add(more), first[i]));
            others |= rule.part(first[i], units) ^ second[i];
            (here[i], left[i]) = (first[i], rest);
            next[i] = first[i].wrapping_add(rest.wrapping_add(rule.jump) & crosses_run);
        }
    }
    others == 0
}

/// Reads rows that a [`RowsKernel`] has found: by where they begin, where they continue in another run, and the units to the end of the
/// run. Returns false, with nothing read, if a load would reach past the end of `bytes`.
pub(crate) type ReadRowsKernel = fn(bytes: &[u8], rows: [&[Lanes<u32>]; 3], words: &mut Words) -> bool;

/// The indices of the second and the third parts of elements.
pub(crate) type PartLanes = [[TapLanes<u32>; 2]; MULTI_LANE];

/// Fills in the indices of the second and the third parts of elements from those of the first.
pub(crate) type PartKernel = fn(&PartRule, first: &[Lanes<u32>], others: &mut [TapLanes<u32>; 2]);

/// See [`PartKernel`].
#[inline(always)]
pub(crate) fn find(rule: &PartRule, first: &[Lanes<u32>], others: &mut [TapLanes<u32>; 2]) {
    // A copy that no store of the loop can change.
    let rule = *rule;
    for (number, others) in (1..).zip(others) {
        for (other, first) in others.as_flattened_mut().iter_mut().zip(first.as_flattened()) {
            *other = rule.part(*first, number);
        }
    }
}

/// Reads elements from a surface's bytes by the indices of their parts. An index past the end reads the last unit.
pub(super) type SplitElementKernel = fn(bytes: &[u8], parts: [&[Lanes<u32>]; 3], words: &mut Words);

/// See [`SplitElementKernel`]; elements of `PARTS` parts (2 or 3) of `N` bytes each.
#[inline(always)]
pub(crate) fn gather<const N: usize, const PARTS: usize>(
    bytes: &[u8],
    [first, second, third]: [&[Lanes<u32>]; 3],
    words: &mut Words,
) {
    let (units, _) = bytes.as_chunks::<N>();
    let Some(last) = units.len().checked_sub(1) else { return };
    let others = second.as_flattened().iter().zip(third.as_flattened());
    for ((first, (second, third)), words) in first.as_flattened().iter().zip(others).zip(texels(words)) {
        let mut element = [[0; N]; PARTS];
        for (part, index) in element.iter_mut().zip([first, second, third]) {
            *part = units[(*index as usize).min(last)];
        }
        store(joined(&element), N * PARTS, words);
    }
}

/// Reads elements by the indices of their parts from memory that is contiguous only in pieces, for the lanes in `left`, which has a mask
/// for each tap. Bits of elements that were read are cleared.
pub(super) type SplitElementPageKernel =
    fn(memory: &dyn Memory, base: u64, parts: [&TapLanes<u32>; 3], left: &mut [u32; TAPS], words: &mut Words);

/// See [`SplitElementPageKernel`]; elements of `PARTS` parts (2 or 3) of `N` bytes each.
#[inline(always)]
pub(crate) fn gather_pages<const N: usize, const PARTS: usize>(
    memory: &dyn Memory,
    base: u64,
    parts: [&TapLanes<u32>; 3],
    left: &mut [u32; TAPS],
    words: &mut Words,
) {
    // Memory that has nothing contiguous is not asked for it again for every part.
    if memory.contiguous(base).is_none() {
        return read_parts::<N, PARTS>(memory, base, parts, left, words);
    }
    let mut window = MemoryWindow::NONE;
    for (tap, left) in left.iter_mut().enumerate() {
        let mut missing = 0;
        for lane in numbers(*left) {
            let index = parts.map(|index| index[tap][lane]);
            match window_element::<N, PARTS>(&mut window, memory, base, index) {
                Some(element) => put_words(words, tap, lane, element),
                None => missing |= 1 << lane,
            }
        }
        *left = missing;
    }
}

/// Returns the words of an element from the indices of its parts; `None` if one of them is not mapped.
#[inline(always)]
fn window_element<'a, const N: usize, const PARTS: usize>(
    window: &mut MemoryWindow<'a>,
    memory: &'a dyn Memory,
    base: u64,
    index: [u32; 3],
) -> Option<[u32; 4]> {
    let mut element = [[0; N]; PARTS];
    // Mostly the whole element is in the contiguous bytes around the last one, or in those around its first part.
    let first = index[0];
    let after = |index: u32| (index.wrapping_sub(first) as usize).wrapping_mul(N);
    let len = after(index[PARTS - 1]).wrapping_add(N);
    if let Some(found) = window.bytes(memory, address::<N>(base, first), len) {
        for (part, index) in element.iter_mut().zip(index) {
            *part = *found.get(after(index)..)?.first_chunk()?;
        }
        return Some(joined(&element));
    }
    for (part, index) in element.iter_mut().zip(index) {
        *part = window.element(memory, address::<N>(base, index))?;
    }
    Some(joined(&element))
}

/// [`gather_pages`] for memory that has nothing contiguous. No part of an element is read after a part that faults.
#[inline(never)]
fn read_parts<const N: usize, const PARTS: usize>(
    memory: &dyn Memory,
    base: u64,
    parts: [&TapLanes<u32>; 3],
    left: &mut [u32; TAPS],
    words: &mut Words,
) {
    for (tap, left) in left.iter_mut().enumerate() {
        let mut missing = 0;
        for lane in numbers(*left) {
            let mut element = [[0; N]; PARTS];
            for (part, index) in element.iter_mut().zip(parts) {
                let access = memory.read(address::<N>(base, index[tap][lane]), part);
                missing |= ones(access != Access::Mapped) & 1 << lane;
                if access == Access::Fault {
                    break;
                }
            }
            put_words(words, tap, lane, joined(&element));
        }
        *left = missing;
    }
}

/// Returns the address of a part of `N` bytes.
#[inline(always)]
fn address<const N: usize>(base: u64, index: u32) -> u64 {
    base.wrapping_add(u64::from(index).wrapping_mul(N as u64))
}

/// The kernels that read elements whose parts may lie apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SplitElementStages {
    pub(crate) gather: SplitElementKernel,
    /// Find and read rows of footprints; `None`: the vector level has no kernels for rows of these elements.
    pub(crate) rows: Option<(RowsKernel, ReadRowsKernel)>,
    /// Reads from memory that is contiguous only in pieces.
    pub(crate) pages: SplitElementPageKernel,
}

/// Returns the words of an element from its parts.
#[inline(always)]
fn joined<const N: usize, const PARTS: usize>(parts: &[[u8; N]; PARTS]) -> [u32; 4] {
    let mut element = [0; MOST_BYTES];
    for (to, from) in element.iter_mut().zip(parts.as_flattened()) {
        *to = *from;
    }
    words_of(element, N * PARTS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::lanes::LANES;

    /// Columns of 16 bytes that are 512 bytes apart, as in Y-major tiles: runs of 16, of 4 and of one unit.
    #[test]
    fn parts_are_side_by_side_or_in_the_next_run() {
        for (run, count) in [(16_u32, 3), (4, 3), (1, 2)] {
            let place = |unit: u32| unit / run * run * 32 + unit % run;
            let rule = PartRule { last: run - 1, jump: run * 32 - run };
            for element in 0..100 {
                let first = element * count;
                for number in 0..count {
                    assert_eq!(rule.part(place(first), number), place(first + number), "{run} {element}");
                }
                let mut all = [[0; LANES]; 2];
                all[1][LANES - 1] = place(first);
                let in_two_runs = first / run != (first + count - 1) / run;
                assert_eq!(any_crosses_run(rule.last, count - 1, &all), in_two_runs, "{run} {element}");
            }
        }
    }

    #[test]
    fn three_units_go_on_in_another_page_at_the_end_of_one() {
        let over = (0..48).filter(|unit| crosses_run(15, 2, *unit));
        assert!(over.eq([14, 15, 30, 31, 46, 47]));
    }
}
