//! Floats of 16 bits become those of 32 by an instruction.
#![allow(clippy::indexing_slicing, reason = "arrays indexed below their lengths: no check remains")]

use core::arch::x86_64::{
    _mm_set_epi64x, _mm256_add_epi8, _mm256_add_ps, _mm256_castps_si256, _mm256_castsi256_si128,
    _mm256_cvtph_ps, _mm256_extract_epi64, _mm256_mul_ps, _mm256_permute4x64_epi64, _mm256_set_epi64x,
    _mm256_set1_epi8, _mm256_setzero_ps, _mm256_shuffle_epi8,
};

use super::vector_256::{floats, store, vector};
use crate::format::ChannelDecode;
use crate::format::channel::loops::SmallFloat;
use crate::sample::fetch::Words;
use crate::sample::filter::{Weights, results};
use crate::sample::lanes::{Channels, Lanes, RawFloat};

/// See [`ResultKernel`](results::ResultKernel); footprints of `T` texels. (A NaN is some NaN.)
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,f16c")]
pub(super) fn filter<const T: usize>(
    channels: &[ChannelDecode],
    words: &Words,
    weights: &Weights,
    out: &mut Channels,
) {
    // The kind has floats of 10 and 11 bits, too.
    if !channels.iter().all(ChannelDecode::is_half) {
        return results::mean::<SmallFloat, T>(channels, words, weights, out);
    }
    let (weights, _) = weights.as_flattened().as_chunks();
    for decode in channels {
        let ([words, _], out) = (decode.words(words), &mut out[usize::from(decode.channel & 3)]);
        let (words, _) = words.as_chunks();
        // The lower halves of four words, or the upper ones, by 128 bits.
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
/// become quiet, as the first operation on them makes them.)
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,f16c")]
pub(super) fn widen(halves: &[Lanes<[u8; 2]>], out: &mut [Lanes<RawFloat>]) {
    let (eights, _) = halves.as_flattened().as_chunks::<8>();
    let targets = out.as_flattened_mut().as_chunks_mut::<8>().0;
    for (halves, out) in eights.iter().zip(targets) {
        let [a, b, c, d, e, f, g, h] = *halves;
        let four =
            |[a, b, c, d]: [[u8; 2]; 4]| i64::from_le_bytes([a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]]);
        let floats =
            _mm256_castps_si256(_mm256_cvtph_ps(_mm_set_epi64x(four([e, f, g, h]), four([a, b, c, d]))));
        let pairs = [
            _mm256_extract_epi64::<0>(floats),
            _mm256_extract_epi64::<1>(floats),
            _mm256_extract_epi64::<2>(floats),
            _mm256_extract_epi64::<3>(floats),
        ];
        for (out, pair) in out.as_chunks_mut::<2>().0.iter_mut().zip(pairs) {
            let [a, b, c, d, e, f, g, h] = pair.to_le_bytes();
            *out = [[a, b, c, d], [e, f, g, h]];
        }
    }
}
