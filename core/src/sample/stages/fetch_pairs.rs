//! Fetch kernels that read both texels of a footprint's row with one load where they are adjacent in memory: half of the loads, and
//! vectors that are complete before they are stored. Elements of 6 bytes are read one by one, each with a load of eight bytes. Where
//! elements are blocks of several texels (`BLOCKS`), both texels of a row may also be in one block.
//!
//! Compilers would make gathers of these loads, and check every index. So the loads of a row are written out (by macros), in a function of
//! its own. The stores are written out, too: after so many early returns compilers take the code that follows for rarely executed, and
//! inline no function there.

use core::arch::x86_64::{
    __m256i, __m512i, _mm_cvtsi32_si128, _mm256_and_si256, _mm256_blendv_epi8, _mm256_castpd_ps,
    _mm256_castpd_si256, _mm256_castps_si256, _mm256_castsi256_ps, _mm256_cmpeq_epi32, _mm256_extract_epi64,
    _mm256_set_pd, _mm256_set1_epi32, _mm256_shuffle_ps, _mm256_srl_epi32, _mm256_srli_epi64,
    _mm512_and_si512, _mm512_castpd_si512, _mm512_castps_si512, _mm512_castsi512_ps, _mm512_castsi512_si256,
    _mm512_cmpeq_epi32_mask, _mm512_extracti64x4_epi64, _mm512_mask_blend_epi32, _mm512_set_pd,
    _mm512_set1_epi32, _mm512_shuffle_ps, _mm512_srl_epi32, _mm512_srli_epi64,
};

use super::{fetch_texels, vector_256::vector};
use crate::format::channel::vector::vector as vector_512;
use crate::sample::fetch::{Words, gather, gather_thirds};
use crate::sample::lanes::{TapLanes, ones};

/// One word (or index) of both texels of a row of footprints, each in 16 lanes.
pub(super) type TexelPairs = [[u32; 16]; 2];

/// Bytes that one load reads of a row of elements of up to 4 bytes.
const READ: usize = 8;

// Selectors of a shuffle of two vectors, each of which has the rows (two words each) of two lanes in every 128 bits: EVEN takes the first
// texels, ODD the second ones.
const EVEN: i32 = 0b10_00_10_00;
const ODD: i32 = 0b11_01_11_01;

/// Loads eight bytes from unit `$index` of `$unit` bytes on, or from the last unit from which on there are eight. (Bytes are indexed by
/// unit so that the index is a part of the load's address.)
macro_rules! row {
    ($bytes:ident, $unit:expr, $index:ident) => {{
        let (units, _) = $bytes.as_chunks::<{ $unit }>();
        let Some(last) = units.len().checked_sub(READ / $unit) else { return };
        let at = (*$index as usize).min(last);
        let Some(units) = units.get(at..at.wrapping_add(READ / $unit)) else { return };
        let Some(row) = units.as_flattened().first_chunk() else { return };
        f64::from_bits(u64::from_le_bytes(*row))
    }};
}

/// Stores a vector of 256 bits to eight words.
macro_rules! store_256 {
    ($vector:expr, $out:expr) => {{
        let vector = $vector;
        let words = |two: i64| [two as u32, (two >> 32) as u32];
        let [a, b] = words(_mm256_extract_epi64::<0>(vector));
        let [c, d] = words(_mm256_extract_epi64::<1>(vector));
        let [e, f] = words(_mm256_extract_epi64::<2>(vector));
        let [g, h] = words(_mm256_extract_epi64::<3>(vector));
        *$out = [a, b, c, d, e, f, g, h];
    }};
}

/// Stores a vector of 512 bits to sixteen words.
macro_rules! store_512 {
    ($vector:expr, $out:expr) => {{
        let (vector, ([lower, upper], _)) = ($vector, $out.as_chunks_mut()) else { return };
        store_256!(_mm512_castsi512_si256(vector), lower);
        store_256!(_mm512_extracti64x4_epi64::<1>(vector), upper);
    }};
}

/// Defines a [`FetchKernel`](crate::sample::fetch::FetchKernel) for elements of `SIZE` bytes: 1, 2, 4, or 3. Indices count units of `UNIT`
/// bytes. `$lane` lists the lanes of a vector of words. Their rows are read to two vectors, `$some` and `$other`: each has two of four
/// lanes in every 128 bits, listed from the last lane to the first.
macro_rules! kernel {
    (
        $fetch:ident $read:ident, $features:literal, $lanes:literal [$($lane:ident)*] [$($some:ident)*] [$($other:ident)*], $store:ident
        [$set:ident $bits:ident $floats:ident $words:ident $shuffle:ident $every:ident $and:ident $shift:ident $shift_24:ident $second:ident]
    ) => {
        #[target_feature(enable = $features)]
        pub(super) fn $fetch<const SIZE: usize, const UNIT: usize, const BLOCKS: bool>(
            bytes: &[u8],
            index: &[u32],
            scratch: &mut [TapLanes<u32>; 4],
            words: &mut Words,
        ) {
            let Some(rows) = side_by_side::<SIZE, UNIT, BLOCKS>(bytes, index) else {
                return read_apart::<SIZE>(bytes, index, scratch, words);
            };
            let [words, ..] = words;
            $read::<SIZE, UNIT, BLOCKS>(bytes, rows, words.as_chunks_mut().0.as_chunks_mut().0);
        }

        /// Reads rows whose texels are adjacent, or (`BLOCKS`) in one block.
        #[inline(never)]
        #[target_feature(enable = $features)]
        fn $read<const SIZE: usize, const UNIT: usize, const BLOCKS: bool>(
            bytes: &[u8],
            rows: &[TexelPairs],
            words: &mut [TexelPairs],
        ) {
            for ([index, next], [first, second]) in rows.iter().zip(words) {
                let indices = index.as_chunks().0.iter().zip(next.as_chunks().0);
                let targets = first.as_chunks_mut::<$lanes>().0.iter_mut().zip(second.as_chunks_mut::<$lanes>().0);
                for ((index, next), (first, second)) in indices.zip(targets) {
                    let [$($lane),*] = index;
                    let some = $bits($set($(row!(bytes, UNIT, $some)),*));
                    let others = $bits($set($(row!(bytes, UNIT, $other)),*));
                    let even = $words($shuffle::<EVEN>($floats(some), $floats(others)));
                    let bits = 8 * SIZE as i32;
                    let mask = $every(if SIZE < 4 { (1 << bits) - 1 } else { -1 });
                    let after = match SIZE {
                        1 | 2 => $shift(even, _mm_cvtsi32_si128(bits)),
                        3 => $words($shuffle::<EVEN>($floats($shift_24::<24>(some)), $floats($shift_24::<24>(others)))),
                        _ => $words($shuffle::<ODD>($floats(some), $floats(others))),
                    };
                    // The second texel may be in the first one's block.
                    let after = if BLOCKS { $second(index, next, even, after) } else { after };
                    $store!($and(even, mask), first);
                    $store!($and(after, mask), second);
                }
            }
        }
    };
}

kernel! {
    fetch_256 read_256, "avx2,bmi1,bmi2,lzcnt,popcnt,f16c",
    8 [a b c d e f g h] [f e b a] [h g d c], store_256
    [_mm256_set_pd _mm256_castpd_si256 _mm256_castsi256_ps _mm256_castps_si256 _mm256_shuffle_ps _mm256_set1_epi32
        _mm256_and_si256 _mm256_srl_epi32 _mm256_srli_epi64 second_256]
}

kernel! {
    fetch_512 read_512,
    "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt,f16c",
    16 [a b c d e f g h i j k l m n o p] [n m j i f e b a] [p o l k h g d c], store_512
    [_mm512_set_pd _mm512_castpd_si512 _mm512_castsi512_ps _mm512_castps_si512 _mm512_shuffle_ps _mm512_set1_epi32
        _mm512_and_si512 _mm512_srl_epi32 _mm512_srli_epi64 second_512]
}

/// Returns the words of the second texels of rows: `first` in lanes whose two indices are equal (one block has both texels), else
/// `second`.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn second_256(index: &[u32; 8], next: &[u32; 8], first: __m256i, second: __m256i) -> __m256i {
    let same = _mm256_cmpeq_epi32(vector(index), vector(next));
    _mm256_blendv_epi8(second, first, same)
}

/// [`second_256`] for 16 lanes.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn second_512(index: &[u32; 16], next: &[u32; 16], first: __m512i, second: __m512i) -> __m512i {
    let same = _mm512_cmpeq_epi32_mask(vector_512(index), vector_512(next));
    _mm512_mask_blend_epi32(same, second, first)
}

/// Returns the rows of footprints of elements of `SIZE` bytes, if in each of them the second texel directly follows the first (`BLOCKS`:
/// or is in the same block) and `bytes` has all that is read; else `None`.
#[inline(always)]
pub(super) fn side_by_side<'i, const SIZE: usize, const UNIT: usize, const BLOCKS: bool>(
    bytes: &[u8],
    index: &'i [u32],
) -> Option<&'i [TexelPairs]> {
    let read = READ.max(2 * SIZE);
    let last = (bytes.len().checked_sub(read)? / UNIT).min(u32::MAX as usize) as u32;
    let step = (SIZE / UNIT) as u32;
    let (rows, _) = index.as_chunks().0.as_chunks();
    for [first, second] in rows {
        let mut apart = 0;
        for (first, second) in first.iter().zip(second) {
            let others = if BLOCKS {
                ones(second.wrapping_sub(*first) > step)
            } else {
                first.wrapping_add(step) ^ second
            };
            apart |= others | ones(*first > last);
        }
        if apart != 0 {
            return None;
        }
    }
    Some(rows)
}

/// Reads every texel by itself, as the kernel in `Stages::fetch` for these elements does: to return and have that kernel called takes 1 %
/// of a sample's time.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,f16c")]
pub(super) fn read_apart<const SIZE: usize>(
    bytes: &[u8],
    index: &[u32],
    scratch: &mut [TapLanes<u32>; 4],
    words: &mut Words,
) {
    match SIZE {
        3 => gather_thirds::<3>(bytes, index, scratch, words),
        8 => gather::<8>(bytes, index, scratch, words),
        _ => fetch_texels::read::<SIZE>(bytes, index, scratch, words),
    }
}

/// See [`FetchKernel`](crate::sample::fetch::FetchKernel): elements of 6 bytes, of which eight bytes are read. Indices count thirds of
/// elements.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,f16c")]
pub(super) fn fetch_sixes(bytes: &[u8], index: &[u32], scratch: &mut [TapLanes<u32>; 4], words: &mut Words) {
    let last = bytes.len().checked_sub(READ);
    if last.is_none_or(|last| some_are_past(last / 2, index)) {
        return gather_thirds::<6>(bytes, index, scratch, words);
    }
    let [first, second, ..] = words;
    read_sixes(bytes, index.as_chunks().0, first.as_chunks_mut().0, second.as_chunks_mut().0);
}

/// Returns true if any index is greater than `last`.
#[inline]
pub(super) fn some_are_past(last: usize, index: &[u32]) -> bool {
    let last = last.min(u32::MAX as usize) as u32;
    index.iter().fold(0, |past, index| past | ones(*index > last)) != 0
}

/// Reads elements of 6 bytes: their first four bytes to `first`, the other two to `second`.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,f16c")]
fn read_sixes(bytes: &[u8], index: &[[u32; 8]], first: &mut [[u32; 8]], second: &mut [[u32; 8]]) {
    macro_rules! rows {
        ($($index:ident)*) => { _mm256_castpd_ps(_mm256_set_pd($(row!(bytes, 2, $index)),*)) };
    }
    for ((index, first), second) in index.iter().zip(first).zip(second) {
        let [a, b, c, d, e, f, g, h] = index;
        let (some, others) = (rows!(f e b a), rows!(h g d c));
        store_256!(_mm256_castps_si256(_mm256_shuffle_ps::<EVEN>(some, others)), first);
        let upper = _mm256_castps_si256(_mm256_shuffle_ps::<ODD>(some, others));
        store_256!(_mm256_and_si256(upper, _mm256_set1_epi32(0xffff)), second);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_side_by_side_where_all_of_them_are_and_can_be_read() {
        let row = |first: [u32; 16]| [first, first.map(|index| index + 1)];
        let rows = [row([3; 16]), row(core::array::from_fn(|lane| 5 * lane as u32))];
        let found = |rows: &[TexelPairs], bytes: usize| {
            side_by_side::<4, 4, false>(&[0; 400][..bytes], rows.as_flattened().as_flattened())
                .map(<[TexelPairs]>::len)
        };
        // The last row begins at element 75.
        assert_eq!((found(&rows, 308), found(&rows, 307)), (Some(2), None));
        assert_eq!(
            (found(&rows[..1], 20), found(&rows[..1], 19), found(&[], 8), found(&[], 7)),
            (Some(1), None, Some(0), None)
        );
        // Elements of three units: the second begins three units after the first.
        let thirds = [3_u32; 16];
        let is_found = |step: u32, bytes: usize| {
            let row = [thirds, thirds.map(|index| index + step)];
            side_by_side::<3, 1, false>(&[0; 400][..bytes], row.as_flattened()).is_some()
        };
        assert_eq!(
            [is_found(3, 11), is_found(3, 10), is_found(1, 400), is_found(2, 400)],
            [true, false, false, false]
        );
        for row in 0..2 {
            for lane in 0..16 {
                let mut apart = rows;
                apart[row][1][lane] = apart[row][0][lane];
                assert_eq!(found(&apart, 400), None, "{row} {lane}");
            }
        }
    }

    #[test]
    fn rows_of_blocks_may_be_in_one() {
        let row = [[5_u32; 16], core::array::from_fn(|lane| 5 + lane as u32 % 2)];
        let found = |second: u32, bytes: usize| {
            let mut row = row;
            row[1][7] = second;
            side_by_side::<8, 8, true>(&[0; 400][..bytes], row.as_flattened()).is_some()
        };
        // Both elements of 8 bytes are read: 16 bytes from element 5 on.
        assert!(found(5, 56) && found(6, 56) && !found(5, 55));
        assert!([4, 7, 0, u32::MAX].iter().all(|second| !found(*second, 400)));
        // A row past the last element, whose texels are not adjacent either.
        let mut row = row;
        (row[0][7], row[1][7]) = (40, 50);
        assert_eq!(side_by_side::<8, 8, true>(&[0; 56], row.as_flattened()), None);
    }

    #[test]
    fn some_are_past_the_last_one() {
        let mut index = [7; 32];
        assert!(!some_are_past(7, &index) && some_are_past(6, &index) && !some_are_past(usize::MAX, &index));
        index[31] = 8;
        assert!(some_are_past(7, &index));
    }
}
