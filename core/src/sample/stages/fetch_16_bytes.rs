//! Fetch kernels with loads of sixteen bytes: elements of 16 bytes, of 12, and both texels of a footprint's row whose elements have 8
//! bytes, or have 3 or 6 and lie in two runs of a tile. The words of several lanes are transposed in vectors, which are complete before
//! they are stored.
#![allow(clippy::indexing_slicing, reason = "indices below the last unit: no check remains")]

use core::arch::x86_64::{
    __m256i, __m512i, _mm_cvtsi32_si128, _mm256_blendv_epi8, _mm256_min_epu32, _mm256_set_epi64x,
    _mm256_set1_epi8, _mm256_set1_epi32, _mm256_shuffle_epi8, _mm256_sll_epi32, _mm256_sub_epi8,
    _mm256_unpackhi_epi32, _mm256_unpackhi_epi64, _mm256_unpacklo_epi32, _mm256_unpacklo_epi64,
    _mm512_mask_shuffle_epi8, _mm512_min_epu32, _mm512_movepi8_mask, _mm512_set_epi64, _mm512_set1_epi8,
    _mm512_set1_epi32, _mm512_set4_epi64, _mm512_shuffle_epi8, _mm512_sll_epi32, _mm512_sub_epi8,
    _mm512_unpackhi_epi32, _mm512_unpackhi_epi64, _mm512_unpacklo_epi32, _mm512_unpacklo_epi64,
};

use super::fetch_pairs::{TexelPairs, read_apart, second_256, second_512, side_by_side, some_are_past};
use super::vector_256;
use crate::format::channel::vector;
use crate::sample::fetch::{self, Words};
use crate::sample::lanes::{Lanes, TapLanes};

/// Loads sixteen bytes from unit `index` on, or from unit `last` (the last one with as many) if `index` is past it.
#[inline(always)]
fn sixteen<const UNIT: usize>(units: &[[u8; UNIT]], last: usize, index: u32) -> [i64; 2] {
    let at = (index as usize).min(last);
    let Some(bytes) = units[at..at + 16 / UNIT].as_flattened().first_chunk() else { return [0; 2] };
    let word = u128::from_le_bytes(*bytes);
    [word as i64, (word >> 64) as i64]
}

/// Loads sixteen bytes for every fourth lane, from lane `number` on: one lane in each 128 bits.
#[inline]
#[target_feature(enable = "avx512f")]
fn every_fourth_512<const UNIT: usize>(
    units: &[[u8; UNIT]],
    last: usize,
    index: &[u32; 16],
    number: usize,
) -> __m512i {
    let ([a, b], [c, d]) = (sixteen(units, last, index[number]), sixteen(units, last, index[number + 4]));
    let ([e, f], [g, h]) =
        (sixteen(units, last, index[number + 8]), sixteen(units, last, index[number + 12]));
    _mm512_set_epi64(h, g, f, e, d, c, b, a)
}

#[inline]
#[target_feature(enable = "avx2")]
fn every_fourth_256<const UNIT: usize>(
    units: &[[u8; UNIT]],
    last: usize,
    index: &[u32; 8],
    number: usize,
) -> __m256i {
    let ([a, b], [c, d]) = (sixteen(units, last, index[number]), sixteen(units, last, index[number + 4]));
    _mm256_set_epi64x(d, c, b, a)
}

/// The byte shuffle that makes words of two elements in sixteen bytes, each of three units of `unit` bytes (1 or 2); bytes past an element
/// become zeros.
const fn expand_two_elements(unit: usize) -> [i64; 2] {
    match unit {
        1 => [0x8005_0403_8002_0100_u64 as i64, -1],
        _ => [0x8080_0504_0302_0100_u64 as i64, 0x8080_0b0a_0908_0706_u64 as i64],
    }
}

/// Makes words of both elements of a row, for one lane in each 128 bits: takes the bytes of `here` up to the end of the run, then those of
/// `next`. `left` has the units up to the end of the run for all lanes; of the four lanes in each 128 bits, lane `number` is used.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn two_512<const UNIT: usize>(here: __m512i, next: __m512i, left: &[u32; 16], number: usize) -> __m512i {
    // In bytes: how many of `here` come before the first byte of `next`.
    let left = _mm512_min_epu32(vector::vector(left), _mm512_set1_epi32(16));
    let left = _mm512_sll_epi32(left, _mm_cvtsi32_si128(UNIT.trailing_zeros() as i32));
    let left = _mm512_shuffle_epi8(left, _mm512_set1_epi8(4 * number as i8));
    let at = _mm512_sub_epi8(_mm512_set4_epi64(BYTES[1], BYTES[0], BYTES[1], BYTES[0]), left);
    let both = _mm512_mask_shuffle_epi8(here, !_mm512_movepi8_mask(at), next, at);
    let [low, high] = expand_two_elements(UNIT);
    _mm512_shuffle_epi8(both, _mm512_set4_epi64(high, low, high, low))
}

#[inline]
#[target_feature(enable = "avx2")]
fn two_256<const UNIT: usize>(here: __m256i, next: __m256i, left: &[u32; 8], number: usize) -> __m256i {
    let left = _mm256_min_epu32(vector_256::vector(left), _mm256_set1_epi32(16));
    let left = _mm256_sll_epi32(left, _mm_cvtsi32_si128(UNIT.trailing_zeros() as i32));
    let left = _mm256_shuffle_epi8(left, _mm256_set1_epi8(4 * number as i8));
    let at = _mm256_sub_epi8(_mm256_set_epi64x(BYTES[1], BYTES[0], BYTES[1], BYTES[0]), left);
    let both = _mm256_blendv_epi8(_mm256_shuffle_epi8(next, at), here, at);
    let [low, high] = expand_two_elements(UNIT);
    _mm256_shuffle_epi8(both, _mm256_set_epi64x(high, low, high, low))
}

/// The numbers 0 to 15, one in each byte.
const BYTES: [i64; 2] = [0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908];

/// Defines the kernels for vectors of `$lanes` words.
macro_rules! kernels {
    (
        $features:literal $lanes:literal $fetch_sixteen:ident $fetch_eights:ident $read_eights:ident
        $fetch_rows:ident $read_rows:ident $every_fourth:ident $second:ident $two:ident $store:path, [$low_32:ident $high_32:ident $low_64:ident $high_64:ident]
    ) => {
        /// See [`FetchKernel`](fetch::FetchKernel): elements of 16 bytes (`UNIT` 16), or of 12 (`UNIT` 4), of which indices count thirds.
        #[target_feature(enable = $features)]
        pub(super) fn $fetch_sixteen<const UNIT: usize>(
            bytes: &[u8],
            index: &[u32],
            scratch: &mut [TapLanes<u32>; 4],
            words: &mut Words,
        ) {
            let (units, _) = bytes.as_chunks::<UNIT>();
            let last = units.len().checked_sub(16 / UNIT);
            if UNIT == 4 && last.is_none_or(|last| some_are_past(last, index)) {
                return fetch::gather_thirds::<12>(bytes, index, scratch, words);
            }
            let (Some(last), [first, second, third, fourth]) = (last, words) else { return };
            let targets = first.as_chunks_mut().0.iter_mut().zip(second.as_chunks_mut().0);
            let targets = targets.zip(third.as_chunks_mut().0).zip(fourth.as_chunks_mut().0);
            for (index, (((first, second), third), fourth)) in index.as_chunks::<$lanes>().0.iter().zip(targets) {
                let [a, b, c, d] = words!(|number| $every_fourth(units, last, index, number), $low_32 $high_32 $low_64 $high_64);
                $store(a, first);
                $store(b, second);
                $store(c, third);
                $store(d, fourth);
            }
        }

        /// See [`FetchKernel`](fetch::FetchKernel): elements of 8 bytes. Where both texels of every row are adjacent, or (`BLOCKS`) in one
        /// block, a row is one load; otherwise elements are read one by one.
        #[target_feature(enable = $features)]
        pub(super) fn $fetch_eights<const BLOCKS: bool>(
            bytes: &[u8],
            index: &[u32],
            scratch: &mut [TapLanes<u32>; 4],
            words: &mut Words,
        ) {
            match side_by_side::<8, 8, BLOCKS>(bytes, index) {
                Some(rows) => $read_eights::<BLOCKS>(bytes, rows, words),
                None => read_apart::<8>(bytes, index, scratch, words),
            }
        }

        /// See [`ReadRowsKernel`](fetch::split_elements::ReadRowsKernel): elements of three units of `UNIT` bytes, 1 or 2.
        #[target_feature(enable = $features)]
        pub(super) fn $fetch_rows<const UNIT: usize>(bytes: &[u8], rows: [&[Lanes<u32>]; 3], words: &mut Words) -> bool {
            let [here, next, left] = rows;
            let (here, next, left) = (here.as_flattened(), next.as_flattened(), left.as_flattened());
            let last = bytes.len().checked_sub(16);
            let is_there = last.is_some_and(|last| !some_are_past(last / UNIT, here) && !some_are_past(last / UNIT, next));
            if is_there {
                $read_rows::<UNIT>(bytes, [here, next, left], words);
            }
            is_there
        }

        #[inline(never)]
        #[target_feature(enable = $features)]
        fn $read_rows<const UNIT: usize>(bytes: &[u8], [here, next, left]: [&[u32]; 3], words: &mut Words) {
            let (units, _) = bytes.as_chunks::<UNIT>();
            let (Some(last), [lower, upper, ..]) = (units.len().checked_sub(16 / UNIT), words) else { return };
            let words = lower.as_chunks_mut().0.as_chunks_mut().0.iter_mut().zip(upper.as_chunks_mut().0.as_chunks_mut().0);
            let rows = here.as_chunks::<16>().0.iter().zip(next.as_chunks::<16>().0).zip(left.as_chunks::<16>().0);
            for (((here, next), left), (lower, upper)) in rows.zip(words) {
                let [[first_lower, second_lower], [first_upper, second_upper]]: [&mut [[u32; 16]; 2]; 2] = [lower, upper];
                let firsts = first_lower.as_chunks_mut().0.iter_mut().zip(first_upper.as_chunks_mut().0);
                let seconds = second_lower.as_chunks_mut().0.iter_mut().zip(second_upper.as_chunks_mut().0);
                let rows = here.as_chunks::<$lanes>().0.iter().zip(next.as_chunks::<$lanes>().0).zip(left.as_chunks().0);
                for (((here, next), left), (first, second)) in rows.zip(firsts.zip(seconds)) {
                    let [a, b, c, d] = words!(
                        |number| $two::<UNIT>(
                            $every_fourth(units, last, here, number), $every_fourth(units, last, next, number), left, number,
                        ),
                        $low_32 $high_32 $low_64 $high_64
                    );
                    $store(a, first.0);
                    if UNIT == 1 {
                        $store(b, second.0);
                    } else {
                        $store(b, first.1);
                        $store(c, second.0);
                        $store(d, second.1);
                    }
                }
            }
        }

        #[inline(never)]
        #[target_feature(enable = $features)]
        fn $read_eights<const BLOCKS: bool>(bytes: &[u8], rows: &[TexelPairs], words: &mut Words) {
            let (units, _) = bytes.as_chunks::<8>();
            let (Some(last), [lower, upper, ..]) = (units.len().checked_sub(2), words) else { return };
            let words = lower.as_chunks_mut().0.as_chunks_mut().0.iter_mut().zip(upper.as_chunks_mut().0.as_chunks_mut().0);
            for ([index, next], (lower, upper)) in rows.iter().zip(words) {
                let [[first_lower, second_lower], [first_upper, second_upper]]: [&mut [[u32; 16]; 2]; 2] = [lower, upper];
                let firsts = first_lower.as_chunks_mut().0.iter_mut().zip(first_upper.as_chunks_mut().0);
                let seconds = second_lower.as_chunks_mut().0.iter_mut().zip(second_upper.as_chunks_mut().0);
                let indices = index.as_chunks::<$lanes>().0.iter().zip(next.as_chunks::<$lanes>().0);
                for ((index, next), (first, second)) in indices.zip(firsts.zip(seconds)) {
                    let [a, b, c, d] = words!(|number| $every_fourth(units, last, index, number), $low_32 $high_32 $low_64 $high_64);
                    $store(a, first.0);
                    $store(b, first.1);
                    $store(if BLOCKS { $second(index, next, a, c) } else { c }, second.0);
                    $store(if BLOCKS { $second(index, next, b, d) } else { d }, second.1);
                }
            }
        }
    };
}

/// Makes vectors of words 0 to 3 of sixteen bytes of each lane, by a transposition in each 128 bits. The vectors that are transposed have
/// every fourth lane, so that the lanes of the results are in order.
macro_rules! words {
    (|$number:ident| $every_fourth:expr, $low_32:ident $high_32:ident $low_64:ident $high_64:ident) => {{
        macro_rules! every_fourth {
            ($from:literal) => {{
                let $number = $from;
                $every_fourth
            }};
        }
        let (a, b, c, d) = (every_fourth!(0), every_fourth!(1), every_fourth!(2), every_fourth!(3));
        let (low_ab, high_ab, low_cd, high_cd) =
            ($low_32(a, b), $high_32(a, b), $low_32(c, d), $high_32(c, d));
        [
            $low_64(low_ab, low_cd),
            $high_64(low_ab, low_cd),
            $low_64(high_ab, high_cd),
            $high_64(high_ab, high_cd),
        ]
    }};
}

kernels! {
    "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt,f16c" 16
    fetch_sixteen_512 fetch_eights_512 read_eights_512 fetch_rows_512 read_rows_512 every_fourth_512 second_512 two_512 vector::store,
    [_mm512_unpacklo_epi32 _mm512_unpackhi_epi32 _mm512_unpacklo_epi64 _mm512_unpackhi_epi64]
}

kernels! {
    "avx2,bmi1,bmi2,lzcnt,popcnt,f16c" 8
    fetch_sixteen_256 fetch_eights_256 read_eights_256 fetch_rows_256 read_rows_256 every_fourth_256 second_256 two_256 vector_256::store,
    [_mm256_unpacklo_epi32 _mm256_unpackhi_epi32 _mm256_unpacklo_epi64 _mm256_unpackhi_epi64]
}
