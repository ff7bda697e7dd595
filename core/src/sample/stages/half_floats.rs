//! Floats of 16 bits by conversion instructions (F16C): texels and parameters become floats of 32 bits, results become floats of 16 bits.
#![allow(clippy::indexing_slicing, reason = "arrays indexed below their lengths: no check remains")]

use core::arch::x86_64::{
    __m256i, _CMP_UNORD_Q, _MM_FROUND_TO_NEAREST_INT, _mm_set_epi64x, _mm256_add_epi8, _mm256_add_ps,
    _mm256_and_si256, _mm256_andnot_si256, _mm256_blendv_ps, _mm256_castps_si256, _mm256_castsi256_ps,
    _mm256_castsi256_si128, _mm256_cmp_ps, _mm256_cmpeq_epi16, _mm256_cvtph_ps, _mm256_cvtps_ph,
    _mm256_mul_ps, _mm256_or_si256, _mm256_permute4x64_epi64, _mm256_set_epi16, _mm256_set_epi64x,
    _mm256_set_m128i, _mm256_set1_epi8, _mm256_set1_epi16, _mm256_set1_ps, _mm256_setzero_ps,
    _mm256_setzero_si256, _mm256_shuffle_epi8,
};

use super::vector_256::{floats, pairs, store, vector};
use crate::format::ChannelDecode;
use crate::format::channel::loops::SmallFloat;
use crate::sample::fetch::Words;
use crate::sample::filter::{Weights, results};
use crate::sample::lanes::{ChannelLanes, LaneBytes, Lanes};
use crate::sample::writeback::{self, FIRST, WriteRule};

/// See [`ResultKernel`](results::ResultKernel): footprints of `T` texels of 16-bit floats. (A NaN stays a NaN, with unspecified bits.)
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,f16c")]
pub(super) fn filter<const T: usize>(
    channels: &[ChannelDecode],
    words: &Words,
    weights: &Weights,
    out: &mut ChannelLanes,
) {
    // Channels of this kind can also be floats of 10 and 11 bits.
    if !channels.iter().all(ChannelDecode::is_half) {
        return results::mean::<SmallFloat, T>(channels, words, weights, out);
    }
    let (weights, _) = weights.as_flattened().as_chunks();
    for decode in channels {
        let ([words, _], out) = (decode.words(words), &mut out[usize::from(decode.channel & 3)]);
        let (words, _) = words.as_chunks();
        // A shuffle to the lower 16 bits of four words, or to the upper ones, in each 128 bits.
        let lower = 0x0d0c_0908_0504_0100;
        let at = _mm256_add_epi8(
            _mm256_set_epi64x(0, lower, 0, lower),
            _mm256_set1_epi8(2 * i8::from(decode.is_upper())),
        );
        for (part, out) in out.as_chunks_mut().0.iter_mut().enumerate() {
            let mut mean = _mm256_setzero_ps();
            for tap in 0..T {
                let halves = _mm256_shuffle_epi8(vector(&words[2 * tap + part]), at);
                let halves = _mm256_castsi256_si128(_mm256_permute4x64_epi64::<0b10_00>(halves));
                let texel = _mm256_cvtph_ps(halves);
                mean = match (T, tap) {
                    (1, _) => texel,
                    (_, 0) => _mm256_mul_ps(texel, floats(&weights[part])),
                    _ => _mm256_add_ps(mean, _mm256_mul_ps(texel, floats(&weights[2 * tap + part]))),
                };
            }
            store(_mm256_castps_si256(mean), out);
        }
    }
}

/// See [`WidenKernel`](crate::sample::params::WidenKernel): the values of [`widen_halves`](crate::sample::params::widen_halves). (NaNs
/// become quiet, as the first operation on them would make them.)
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,f16c")]
pub(super) fn widen(halves: &[Lanes<[u8; 2]>], out: &mut [Lanes<LaneBytes>]) {
    let (eights, _) = halves.as_flattened().as_chunks::<8>();
    let targets = out.as_flattened_mut().as_chunks_mut::<8>().0;
    for (halves, out) in eights.iter().zip(targets) {
        let [a, b, c, d, e, f, g, h] = *halves;
        let four =
            |[a, b, c, d]: [[u8; 2]; 4]| i64::from_le_bytes([a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]]);
        let floats =
            _mm256_castps_si256(_mm256_cvtph_ps(_mm_set_epi64x(four([e, f, g, h]), four([a, b, c, d]))));
        for (out, [a, b, c, d, e, f, g, h]) in
            out.as_chunks_mut::<2>().0.iter_mut().zip(pairs(floats).map(i64::to_le_bytes))
        {
            *out = [[a, b, c, d], [e, f, g, h]];
        }
    }
}

/// A row of a result: 16 lanes of 16 bits, in four words of four lanes.
type HalfRow = [[u8; 8]; 4];

/// See [`WriteKernel`](writeback::WriteKernel): floats of 16 bits. `WHOLE`: all lanes are on, and none failed.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,f16c")]
pub(super) fn write<const WHOLE: bool>(
    rule: &WriteRule,
    values: &ChannelLanes,
    lanes: [u32; 2],
    at: usize,
    out: &mut [u8],
) {
    let [on, failed] = lanes;
    // All lanes that are on are in one half of the pass: the message may be of half a pass, whose rows are shorter.
    if !WHOLE && (on & FIRST == 0 || on & !FIRST == 0) {
        return writeback::write::<true, 2, false>(rule, values, lanes, at, out);
    }
    let (on, done) = (flags(on), flags(on & !failed));
    let rows: &mut [HalfRow] = out.as_chunks_mut().0.as_chunks_mut().0;
    let (mut at, step) = (at / size_of::<HalfRow>(), usize::from(rule.stride) / size_of::<HalfRow>());
    for lanes in rule.results(values) {
        let Some(row) = rows.get_mut(at) else { return };
        let mut new = halves(lanes);
        if !WHOLE {
            let [a, b, c, d] = row.map(i64::from_le_bytes);
            let old = _mm256_andnot_si256(on, _mm256_set_epi64x(d, c, b, a));
            new = _mm256_or_si256(old, _mm256_and_si256(new, done));
        }
        *row = pairs(new).map(i64::to_le_bytes);
        at = at.wrapping_add(step);
    }
}

/// See [`WriteTwoKernel`](writeback::WriteTwoKernel).
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,f16c")]
pub(super) fn write_two(rule: &WriteRule, values: &ChannelLanes, first: &mut [u8], second: &mut [u8]) {
    let [first, second] = [first, second].map(|out| out.as_chunks_mut().0.as_chunks_mut().0);
    let (mut at, step) = (0, usize::from(rule.stride) / (size_of::<HalfRow>() / 2));
    for lanes in rule.results(values) {
        let (Some(first), Some(second)) = (first.get_mut(at), second.get_mut(at)) else { return };
        let [a, b, c, d] = pairs(halves(lanes)).map(i64::to_le_bytes);
        (*first, *second) = ([a, b], [c, d]);
        at = at.wrapping_add(step);
    }
}

/// Rounds floats to 16 bits (ties to even); NaN becomes the canonical one.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn halves(lanes: &Lanes<u32>) -> __m256i {
    let of = |lanes| {
        let floats = _mm256_castsi256_ps(vector(lanes));
        let is_nan = _mm256_cmp_ps::<_CMP_UNORD_Q>(floats, floats);
        let floats = _mm256_blendv_ps(floats, _mm256_set1_ps(f32::NAN), is_nan);
        _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(floats)
    };
    // The table has these kernels only where a pass has 16 lanes.
    let [low, high] = lanes.as_chunks().0 else { return _mm256_setzero_si256() };
    _mm256_set_m128i(of(high), of(low))
}

/// All ones in the 16-bit elements of the lanes in a mask.
#[inline]
#[target_feature(enable = "avx2")]
fn flags(mask: u32) -> __m256i {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] =
        core::array::from_fn(|lane| (1_u16 << lane).cast_signed());
    let bits = _mm256_set_epi16(p, o, n, m, l, k, j, i, h, g, f, e, d, c, b, a);
    _mm256_cmpeq_epi16(_mm256_and_si256(_mm256_set1_epi16(mask as i16), bits), bits)
}
