//! Page-table look-ups for surfaces in pages whose frames lie in one slice of bytes: if the pages of a message are close to each other, as
//! they mostly are, permutations find their frames.
//!
//! Half of the lanes are done at a time, also with AVX-512: kernels that read elements load single indices, which come sooner from stores
//! of 256 bits than from those of 512.

use core::arch::x86_64::{
    __m256i, _mm_cvtsi32_si128, _mm256_add_epi32, _mm256_and_si256, _mm256_cmpeq_epi32,
    _mm256_cmpgt_epu32_mask, _mm256_min_epu32, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_permutex2var_epi32, _mm256_set1_epi32, _mm256_sll_epi32, _mm256_srl_epi32, _mm256_sub_epi32,
};
use core::array::from_fn;

use super::vector_256::{look_up, store, vector};
use crate::sample::fetch::frames::{Located, NEAR_PAGES, PageFrames};
use crate::sample::lanes::Lanes;

/// Pages whose frames two vectors hold: as many before the page of the first lane as from that page on, shifted to stay in the table.
const PAGES: usize = 2 * NEAR_PAGES as usize;

/// Defines a [`LocateKernel`](crate::sample::fetch::frames::LocateKernel) that also returns false if pages are not close to each other.
macro_rules! kernel {
    ($locate:ident $locate_few:ident $find:ident, $look_up:ident, $features:literal) => {
        #[target_feature(enable = $features)]
        pub(super) fn $locate(frames: &PageFrames<'_>, index: &[Lanes<u32>], located: &mut Located) -> bool {
            let Some(some) = frames.numbers.len().checked_sub(PAGES) else {
                return $locate_few(frames, index, located);
            };
            let Some(first) = index.as_flattened().first() else { return false };
            let from = (frames.page(*first) as usize).saturating_sub(NEAR_PAGES as usize).min(some);
            let numbers = frames.numbers.get(from..).and_then(|numbers| numbers.as_chunks().0.first_chunk());
            let Some([low, high]) = numbers else { return false };
            $find(frames, index, located, [from, PAGES - 1], [vector(low), vector(high)])
        }

        /// The kernel for tables of fewer than [`PAGES`] pages.
        #[inline(never)]
        #[target_feature(enable = $features)]
        fn $locate_few(frames: &PageFrames<'_>, index: &[Lanes<u32>], located: &mut Located) -> bool {
            let Some(most) = frames.numbers.len().checked_sub(1) else { return false };
            let frame = |page: usize| frames.numbers.get(page).copied().unwrap_or(0);
            let numbers = [vector(&from_fn(frame)), vector(&from_fn(|page| frame(page + PAGES / 2)))];
            $find(frames, index, located, [0, most], numbers)
        }

        /// Locates units in page `from` and the `most` pages after it, whose frames are in `numbers`. False if a page is not among them,
        /// or if its frame is past the last one.
        #[inline]
        #[target_feature(enable = $features)]
        fn $find(
            frames: &PageFrames<'_>,
            index: &[Lanes<u32>],
            [_, units]: &mut Located,
            [from, most]: [usize; 2],
            numbers: [__m256i; 2],
        ) -> bool {
            let PageFrames { before, shift, last, .. } = *frames;
            let (from, before, mask) = (every(from as u32), every(before), every(frames.mask()));
            let (most, shift) = ([every(most as u32), every(last)], _mm_cvtsi32_si128(shift.cast_signed()));
            let targets = units.as_flattened_mut().as_chunks_mut().0.iter_mut();
            for (index, unit) in index.as_flattened().as_chunks().0.iter().zip(targets) {
                let at = _mm256_add_epi32(vector(index), before);
                let page = _mm256_sub_epi32(_mm256_srl_epi32(at, shift), from);
                let Some(frame) = $look_up(numbers, page, most) else { return false };
                store(_mm256_or_si256(_mm256_sll_epi32(frame, shift), _mm256_and_si256(at, mask)), unit);
            }
            true
        }
    };
}

kernel!(locate_256 locate_few_256 find_256, look_up_256, "avx2,bmi1,bmi2,lzcnt,popcnt,f16c");
kernel!(
    locate_512 locate_few_512 find_512,
    look_up_512,
    "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt,f16c"
);

/// Returns the frames of eight pages, which count from the first one in the vectors; `None` if a page is past `most` or a frame is past
/// `last`.
#[inline]
#[target_feature(enable = "avx2")]
fn look_up_256(frames: [__m256i; 2], page: __m256i, [most, last]: [__m256i; 2]) -> Option<__m256i> {
    let frame = look_up(frames, page);
    let are_there = _mm256_and_si256(at_most(page, most), at_most(frame, last));
    (_mm256_movemask_epi8(are_there) == -1).then_some(frame)
}

/// [`look_up_256`] with AVX-512.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn look_up_512([low, high]: [__m256i; 2], page: __m256i, [most, last]: [__m256i; 2]) -> Option<__m256i> {
    let frame = _mm256_permutex2var_epi32(low, page, high);
    let are_not_there = _mm256_cmpgt_epu32_mask(page, most) | _mm256_cmpgt_epu32_mask(frame, last);
    (are_not_there == 0).then_some(frame)
}

/// All ones in lanes whose unsigned number is `most` or less.
#[inline]
#[target_feature(enable = "avx2")]
fn at_most(number: __m256i, most: __m256i) -> __m256i {
    _mm256_cmpeq_epi32(_mm256_min_epu32(number, most), number)
}

#[inline]
#[target_feature(enable = "avx2")]
fn every(word: u32) -> __m256i {
    _mm256_set1_epi32(word.cast_signed())
}
