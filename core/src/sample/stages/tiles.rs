//! Tiles of any order of bits (W-major, tiled resources), with 512-bit vectors: what coordinates come to inside of a tile is looked up by
//! permutations, four bits at a time, where plain loops move bits step by step.
#![allow(clippy::needless_range_loop, reason = "several arrays, one number of the lane")]
#![allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]

use core::arch::x86_64::{
    __m512i, _mm_cvtsi32_si128, _mm512_add_epi32, _mm512_and_si512, _mm512_mullo_epi32, _mm512_or_si512,
    _mm512_permutexvar_epi32, _mm512_set1_epi32, _mm512_sll_epi32, _mm512_srl_epi32, _mm512_srli_epi32,
};

use crate::format::channel::vector::{store, vector};
use crate::memory::{LevelAddressing, SpreadTable};
use crate::sample::axis::{AxisTaps, BORDER, BY_DATA, far_or};
use crate::sample::filter::{Weights, plane_weights, volume_weights};
use crate::sample::lanes::{LANES, TapLanes};
use crate::sample::plane::{self, AxisRules, PlaneLanes, VolumeLanes, taps_of};

/// [`plane::place`] of the general pattern.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt,f16c"
)]
pub(super) fn place<
    const FOLD: u8,
    const PATTERN: u8,
    const LINEAR: bool,
    const WEIGHTED: bool,
    const FIXED: bool,
    const TOGETHER: usize,
>(
    rules: &AxisRules,
    tile: &LevelAddressing,
    lanes: &PlaneLanes<'_>,
    index: &mut TapLanes<u32>,
    weights: &mut Weights,
    taps: &mut [AxisTaps; 3],
) -> u32 {
    // A vector is all lanes of a texel.
    let ([columns, rows, _], ([deep], [])) = (&tile.tables, lanes.slice.deep.as_chunks()) else {
        return plane::place::<FOLD, PATTERN, LINEAR, WEIGHTED, FIXED, TOGETHER>(
            rules, tile, lanes, index, weights, taps,
        );
    };
    let found = cells::<FOLD, LINEAR, WEIGHTED, FIXED>(rules, lanes, index, weights, taps);
    let (texels, _) = index.as_flattened_mut().as_chunks_mut();
    let [first, second, third, fourth, ..] = texels else { return found };
    let deep = vector(deep);
    let row = |number: __m512i| {
        let tiles = scaled(number, tile.row_shift, tile.tile_row);
        _mm512_add_epi32(_mm512_add_epi32(tiles, deep), spread(rows, number))
    };
    let (x0, y0) = (spread(columns, vector(first)), row(vector(second)));
    if LINEAR {
        let (x1, y1) = (spread(columns, vector(third)), row(vector(fourth)));
        store(_mm512_add_epi32(x1, y0), second);
        store(_mm512_add_epi32(x0, y1), third);
        store(_mm512_add_epi32(x1, y1), fourth);
    }
    store(_mm512_add_epi32(x0, y0), first);
    found
}

/// What [`plane::place`] does before the tile mode: column and row of each lane's texel in the surface, then (LINEAR) of the one across from it.
#[inline(always)]
fn cells<const FOLD: u8, const LINEAR: bool, const WEIGHTED: bool, const FIXED: bool>(
    rules: &AxisRules,
    lanes: &PlaneLanes<'_>,
    cells: &mut TapLanes<u32>,
    weights: &mut Weights,
    taps: &mut [AxisTaps; 3],
) -> u32 {
    // Copies that no store of the loop can change.
    let AxisRules { axes: [rule_x, rule_y, _], subtexel: [sub_x, sub_y, _] } = *rules;
    let PlaneLanes { at: [u, v], rounding: [to_x, to_y, _], level, slice } = *lanes;
    let [width, height, _] = &level.size;
    let [taps_x, taps_y, _] = taps;
    let (mut far, mut any) = (false, 0);
    for i in 0..LANES {
        let x = taps_of::<FOLD, LINEAR, FIXED>(&rule_x, sub_x.half, (u, to_x, width), i);
        let y = taps_of::<FOLD, LINEAR, FIXED>(&rule_y, sub_y.half, (v, to_y, height), i);
        far |= x.far | y.far;
        if FOLD == BORDER || FOLD == BY_DATA {
            (taps_x.outside[i], taps_y.outside[i]) = (x.outside, y.outside);
            any |= x.outside | y.outside;
        }
        let (origin, first) = (level.column[i], slice.row[i]);
        (cells[0][i], cells[1][i]) = (x.texel[0].wrapping_add(origin), y.texel[0].wrapping_add(first));
        if LINEAR {
            (cells[2][i], cells[3][i]) = (x.texel[1].wrapping_add(origin), y.texel[1].wrapping_add(first));
            if WEIGHTED {
                let [a, b, c, d] = plane_weights(x.fraction, y.fraction);
                (weights[0][i], weights[1][i], weights[2][i], weights[3][i]) = (a, b, c, d);
            }
        }
    }
    far_or(far, any)
}

/// [`plane::place_volume`] of the general pattern.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt,f16c"
)]
pub(super) fn place_volume<const FOLD: u8, const PATTERN: u8, const FIXED: bool>(
    rules: &AxisRules,
    tile: &LevelAddressing,
    lanes: &VolumeLanes<'_>,
    index: &mut TapLanes<u32>,
    weights: &mut Weights,
    taps: &mut [AxisTaps; 3],
) -> u32 {
    let [columns, rows, slices] = &tile.tables;
    if LANES != 16 {
        return plane::place_volume::<FOLD, PATTERN, FIXED>(rules, tile, lanes, index, weights, taps);
    }
    let found = volume_cells::<FOLD, FIXED>(rules, lanes, index, weights, taps);
    let (texels, _) = index.as_flattened_mut().as_chunks_mut();
    let [x0, x1, y0, y1, z0, z1, ..] = &*texels else { return found };
    let x = [x0, x1].map(|column| spread(columns, vector(column)));
    let (y, z) = ([vector(y0), vector(y1)], [vector(z0), vector(z1)]);
    let mut targets = texels.iter_mut();
    for slice in z {
        let skipped = scaled(slice, tile.slice_shift, tile.qpitch);
        let deep = spread(slices, slice);
        for row in y {
            let row = _mm512_add_epi32(row, skipped);
            let tiles = scaled(row, tile.row_shift, tile.tile_row);
            let row = _mm512_add_epi32(_mm512_add_epi32(tiles, deep), spread(rows, row));
            for (column, target) in x.into_iter().zip(&mut targets) {
                store(_mm512_add_epi32(column, row), target);
            }
        }
    }
    found
}

/// What [`plane::place_volume`] does before the tile mode: both columns, rows and slices of each lane; rows count from the slice's.
#[inline(always)]
fn volume_cells<const FOLD: u8, const FIXED: bool>(
    rules: &AxisRules,
    lanes: &VolumeLanes<'_>,
    cells: &mut TapLanes<u32>,
    weights: &mut Weights,
    taps: &mut [AxisTaps; 3],
) -> u32 {
    // Copies that no store of the loop can change.
    let AxisRules { axes: [rule_x, rule_y, rule_z], subtexel: [sub_x, sub_y, sub_z] } = *rules;
    let VolumeLanes { at: [u, v, r], rounding: [to_x, to_y, to_z], level, first } = *lanes;
    let [width, height, depth] = &level.size;
    let [taps_x, taps_y, taps_z] = taps;
    let (mut far, mut any) = (false, 0);
    for i in 0..LANES {
        let x = taps_of::<FOLD, true, FIXED>(&rule_x, sub_x.half, (u, to_x, width), i);
        let y = taps_of::<FOLD, true, FIXED>(&rule_y, sub_y.half, (v, to_y, height), i);
        let z = taps_of::<FOLD, true, FIXED>(&rule_z, sub_z.half, (r, to_z, depth), i);
        far |= x.far | y.far | z.far;
        if FOLD == BORDER || FOLD == BY_DATA {
            (taps_x.outside[i], taps_y.outside[i], taps_z.outside[i]) = (x.outside, y.outside, z.outside);
            any |= x.outside | y.outside | z.outside;
        }
        let (origin, top, from) = (level.column[i], level.row[i], level.layer[i].wrapping_add(first));
        (cells[0][i], cells[1][i]) = (x.texel[0].wrapping_add(origin), x.texel[1].wrapping_add(origin));
        (cells[2][i], cells[3][i]) = (y.texel[0].wrapping_add(top), y.texel[1].wrapping_add(top));
        (cells[4][i], cells[5][i]) = (z.texel[0].wrapping_add(from), z.texel[1].wrapping_add(from));
        let plane = plane_weights(x.fraction, y.fraction);
        let [a, b, c, d, e, f, g, h] = volume_weights(plane, z.fraction);
        (weights[0][i], weights[1][i], weights[2][i], weights[3][i]) = (a, b, c, d);
        (weights[4][i], weights[5][i], weights[6][i], weights[7][i]) = (e, f, g, h);
    }
    far_or(far, any)
}

/// Numbers without their low bits, times a factor.
#[inline]
#[target_feature(enable = "avx512f")]
fn scaled(numbers: __m512i, shift: u32, factor: u32) -> __m512i {
    let numbers = _mm512_srl_epi32(numbers, _mm_cvtsi32_si128(shift.cast_signed()));
    _mm512_mullo_epi32(numbers, _mm512_set1_epi32(factor.cast_signed()))
}

/// What numbers come to.
#[inline]
#[target_feature(enable = "avx512f")]
fn spread(SpreadTable { nibbles: [low, high], rest }: &SpreadTable, numbers: __m512i) -> __m512i {
    let low = _mm512_permutexvar_epi32(numbers, vector(low));
    let high = _mm512_permutexvar_epi32(_mm512_srli_epi32::<4>(numbers), vector(high));
    let others = _mm512_and_si512(numbers, _mm512_set1_epi32(rest.mask.cast_signed()));
    let others = _mm512_sll_epi32(others, _mm_cvtsi32_si128(rest.shift.cast_signed()));
    _mm512_or_si512(_mm512_or_si512(low, high), others)
}
