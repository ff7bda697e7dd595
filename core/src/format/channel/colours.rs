//! Colours of BC1 to BC3 blocks in vectors (AVX-512). The values are those of the plain loops.
//!
//! Colours are quotients of small integers. The product with the reciprocal of the divisor, corrected once by the remainder (both steps
//! fused), is the quotient rounded once for every sum that a block can have. That takes a third of the time of a division.

use core::arch::x86_64::{
    __m512, __m512i, _mm512_and_si512, _mm512_cmpneq_epi32_mask, _mm512_cvtepi32_ps, _mm512_fmadd_ps,
    _mm512_fnmadd_ps, _mm512_madd_epi16, _mm512_maskz_mov_ps, _mm512_mul_ps, _mm512_or_si512,
    _mm512_set1_epi32, _mm512_set1_ps, _mm512_setzero_ps, _mm512_setzero_si512, _mm512_slli_epi32,
};

use super::ChannelDecode;
use super::vector::{Vector, add_part, field, vector};

/// The weighted mean of `T` texels of a colour channel of BC1 to BC3.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn mean_of_colours<const T: usize>(
    decode: &ChannelDecode,
    [endpoints, sixths]: [&[Vector<u32>]; 2],
    weights: &[Vector<f32>],
) -> __m512 {
    let range = decode.bc_range();
    let (inverse, range) = (_mm512_set1_ps(1.0 / range), _mm512_set1_ps(range));
    let mut mean = _mm512_setzero_ps();
    let texels = endpoints.iter().zip(sixths).zip(weights);
    for (tap, ((endpoints, sixths), weight)) in texels.enumerate().take(T) {
        let sum = _mm512_cvtepi32_ps(sums(decode, endpoints, sixths));
        let near = _mm512_mul_ps(sum, inverse);
        let quotient = _mm512_fmadd_ps(_mm512_fnmadd_ps(near, range, sum), inverse, near);
        mean = add_part::<T>(mean, tap, quotient, weight);
    }
    mean
}

/// The weighted mean of `T` texels of the alpha of BC1.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn mean_of_bc1_alpha<const T: usize>(
    [_, sixths]: [&[Vector<u32>]; 2],
    weights: &[Vector<f32>],
) -> __m512 {
    let mut mean = _mm512_setzero_ps();
    for (tap, (sixths, weight)) in sixths.iter().zip(weights).enumerate().take(T) {
        let opaque = _mm512_cmpneq_epi32_mask(vector(sixths), _mm512_setzero_si512());
        let alpha = _mm512_maskz_mov_ps(opaque, _mm512_set1_ps(1.0));
        mean = add_part::<T>(mean, tap, alpha, weight);
    }
    mean
}

/// The sums of both endpoints, each times its weight in sixths.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn sums(decode: &ChannelDecode, endpoints: &Vector<u32>, sixths: &Vector<u32>) -> __m512i {
    // The first endpoint in the lower half of each word, the second one in the upper half.
    let both = field(endpoints, decode.shift, decode.mask | decode.mask << 16);
    let sixths = vector(sixths);
    let low = _mm512_and_si512(sixths, _mm512_set1_epi32(7));
    let high = _mm512_and_si512(_mm512_slli_epi32::<13>(sixths), _mm512_set1_epi32(7 << 16));
    _mm512_madd_epi16(both, _mm512_or_si512(low, high))
}
