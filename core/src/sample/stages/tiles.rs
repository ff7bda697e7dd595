//! Addresses in tiles with any order of address bits (W-major, tiled resources), with vectors of 256 and 512 bits: what a coordinate
//! contributes to the index inside of a tile is looked up by permutations, four bits at a time, where plain loops move bits step by step.
#![allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]

use core::arch::x86_64::{
    __m256i, __m512i, _mm_cvtsi32_si128, _mm256_add_epi32, _mm256_and_si256, _mm256_mullo_epi32,
    _mm256_or_si256, _mm256_set1_epi32, _mm256_sll_epi32, _mm256_srl_epi32, _mm256_srli_epi32,
    _mm512_add_epi32, _mm512_and_si512, _mm512_mullo_epi32, _mm512_or_si512, _mm512_permutexvar_epi32,
    _mm512_set1_epi32, _mm512_sll_epi32, _mm512_srl_epi32, _mm512_srli_epi32,
};

use super::vector_256;
use crate::format::channel::vector;
use crate::memory::{LevelAddressing, SpreadTable};
use crate::sample::filter::Weights;
use crate::sample::lanes::{LANES, TapLanes};
use crate::sample::place::address::CELLS;
use crate::sample::place::axis::AxisTaps;
use crate::sample::place::plane::{self, AxisRules, PlaneLanes, VolumeLanes};

/// Defines [`plane::place`] and [`plane::place_volume`] for the general pattern, with vectors of `$lanes` lanes.
macro_rules! kernels {
    (
        $place:ident $place_volume:ident, $lanes:literal $vector:path, $store:path,
        $spread:ident $scaled:ident $add:ident, $features:literal
    ) => {
        #[inline]
        #[target_feature(enable = $features)]
        pub(super) fn $place<
            const WRAP_CLASS: u8,
            const PATTERN: u8,
            const LINEAR: bool,
            const WEIGHTED: bool,
            const FIXED: bool,
            const HALVES: bool,
        >(
            rules: &AxisRules,
            tile: &LevelAddressing,
            lanes: &PlaneLanes<'_>,
            index: &mut TapLanes<u32>,
            weights: &mut Weights,
            taps: &mut [AxisTaps; 3],
        ) -> u32 {
            if LANES != 16 {
                return plane::place::<WRAP_CLASS, PATTERN, LINEAR, WEIGHTED, FIXED, HALVES>(
                    rules, tile, lanes, index, weights, taps,
                );
            }
            let found = plane::place::<WRAP_CLASS, CELLS, LINEAR, WEIGHTED, FIXED, false>(
                rules, tile, lanes, index, weights, taps,
            );
            let ([columns, rows, _], [first, second, third, fourth, ..]) = (&tile.tables, index);
            let (slice_offset, _) = lanes.slice.slice_offset.as_chunks();
            let targets = first.as_chunks_mut().0.iter_mut().zip(second.as_chunks_mut().0);
            let targets = targets.zip(third.as_chunks_mut().0).zip(fourth.as_chunks_mut().0);
            for (slice_offset, (((first, second), third), fourth)) in slice_offset.iter().zip(targets) {
                let slice_offset = $vector(slice_offset);
                let row = |number| {
                    let tiles = $scaled(number, tile.row_shift, tile.tile_row);
                    $add($add(tiles, slice_offset), $spread(rows, number))
                };
                let (x0, y0) = ($spread(columns, $vector(first)), row($vector(second)));
                if LINEAR {
                    let (x1, y1) = ($spread(columns, $vector(third)), row($vector(fourth)));
                    $store($add(x1, y0), second);
                    $store($add(x0, y1), third);
                    $store($add(x1, y1), fourth);
                }
                $store($add(x0, y0), first);
            }
            found
        }

        #[inline]
        #[target_feature(enable = $features)]
        pub(super) fn $place_volume<
            const WRAP_CLASS: u8,
            const PATTERN: u8,
            const LINEAR: bool,
            const FIXED: bool,
            const HALVES: bool,
        >(
            rules: &AxisRules,
            tile: &LevelAddressing,
            lanes: &VolumeLanes<'_>,
            index: &mut TapLanes<u32>,
            weights: &mut Weights,
            taps: &mut [AxisTaps; 3],
        ) -> u32 {
            if LANES != 16 {
                return plane::place_volume::<WRAP_CLASS, PATTERN, LINEAR, FIXED, HALVES>(
                    rules, tile, lanes, index, weights, taps,
                );
            }
            let found = plane::place_volume::<WRAP_CLASS, CELLS, LINEAR, FIXED, false>(
                rules, tile, lanes, index, weights, taps,
            );
            let ([columns, rows, slices], ends) = (&tile.tables, if LINEAR { 2 } else { 1 });
            for part in 0..LANES / $lanes {
                let of = |texel: usize| $vector(&index[texel].as_chunks().0[part]);
                let x = [$spread(columns, of(0)), $spread(columns, of(1))];
                let (y, z) = ([of(2), of(3)], [of(4), of(5)]);
                let mut targets = index.iter_mut();
                for slice in z.into_iter().take(ends) {
                    let skipped = $scaled(slice, tile.slice_shift, tile.qpitch);
                    let slice_offset = $spread(slices, slice);
                    for row in y.into_iter().take(ends) {
                        let row = $add(row, skipped);
                        let tiles = $scaled(row, tile.row_shift, tile.tile_row);
                        let row = $add($add(tiles, slice_offset), $spread(rows, row));
                        for (column, target) in x.into_iter().take(ends).zip(&mut targets) {
                            $store($add(column, row), &mut target.as_chunks_mut().0[part]);
                        }
                    }
                }
            }
            found
        }
    };
}

kernels!(
    place_256 place_volume_256, 8 vector_256::vector, vector_256::store, spread_256 scaled_256 _mm256_add_epi32,
    "avx2,bmi1,bmi2,lzcnt,popcnt,f16c"
);
kernels!(
    place_512 place_volume_512, 16 vector::vector, vector::store, spread_512 scaled_512 _mm512_add_epi32,
    "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt,f16c"
);

/// Returns `(numbers >> shift) * factor`.
#[inline]
#[target_feature(enable = "avx2")]
fn scaled_256(numbers: __m256i, shift: u32, factor: u32) -> __m256i {
    let numbers = _mm256_srl_epi32(numbers, _mm_cvtsi32_si128(shift.cast_signed()));
    _mm256_mullo_epi32(numbers, _mm256_set1_epi32(factor.cast_signed()))
}

/// [`scaled_256`] with AVX-512.
#[inline]
#[target_feature(enable = "avx512f")]
fn scaled_512(numbers: __m512i, shift: u32, factor: u32) -> __m512i {
    let numbers = _mm512_srl_epi32(numbers, _mm_cvtsi32_si128(shift.cast_signed()));
    _mm512_mullo_epi32(numbers, _mm512_set1_epi32(factor.cast_signed()))
}

/// Returns what columns, rows or slices contribute to element indices: bits 7:0 by the table's nibbles, the bits above by a shift.
#[inline]
#[target_feature(enable = "avx2")]
fn spread_256(SpreadTable { nibbles: [low, high], rest }: &SpreadTable, numbers: __m256i) -> __m256i {
    let low = look_up_256(low, numbers);
    let high = look_up_256(high, _mm256_srli_epi32::<4>(numbers));
    let others = _mm256_and_si256(numbers, _mm256_set1_epi32(rest.mask.cast_signed()));
    let others = _mm256_sll_epi32(others, _mm_cvtsi32_si128(rest.shift.cast_signed()));
    _mm256_or_si256(_mm256_or_si256(low, high), others)
}

/// Looks up the entries that the low four bits of `numbers` refer to.
#[inline]
#[target_feature(enable = "avx2")]
fn look_up_256(table: &[u32; 16], numbers: __m256i) -> __m256i {
    let halves = table.as_chunks().0;
    vector_256::look_up([vector_256::vector(&halves[0]), vector_256::vector(&halves[1])], numbers)
}

/// [`spread_256`] with AVX-512.
#[inline]
#[target_feature(enable = "avx512f")]
fn spread_512(SpreadTable { nibbles: [low, high], rest }: &SpreadTable, numbers: __m512i) -> __m512i {
    let low = _mm512_permutexvar_epi32(numbers, vector::vector(low));
    let high = _mm512_permutexvar_epi32(_mm512_srli_epi32::<4>(numbers), vector::vector(high));
    let others = _mm512_and_si512(numbers, _mm512_set1_epi32(rest.mask.cast_signed()));
    let others = _mm512_sll_epi32(others, _mm_cvtsi32_si128(rest.shift.cast_signed()));
    _mm512_or_si512(_mm512_or_si512(low, high), others)
}
