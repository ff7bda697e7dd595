//! Conversions between vectors of 256 bits and arrays of eight words.

use core::arch::x86_64::{
    __m256, __m256i, _mm256_blendv_ps, _mm256_castps_si256, _mm256_castsi256_ps, _mm256_extract_epi64,
    _mm256_permutevar8x32_epi32, _mm256_set_epi32, _mm256_set_ps, _mm256_slli_epi32,
};

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn vector(words: &[u32; 8]) -> __m256i {
    let [a, b, c, d, e, f, g, h] = words.map(u32::cast_signed);
    _mm256_set_epi32(h, g, f, e, d, c, b, a)
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn floats(floats: &[f32; 8]) -> __m256 {
    let [a, b, c, d, e, f, g, h] = *floats;
    _mm256_set_ps(h, g, f, e, d, c, b, a)
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store(vector: __m256i, out: &mut [u32; 8]) {
    for (out, pair) in out.as_chunks_mut().0.iter_mut().zip(pairs(vector)) {
        *out = [pair as u32, (pair >> 32) as u32];
    }
}

/// The words of a vector in pairs, the first word of each in the low bits.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn pairs(vector: __m256i) -> [i64; 4] {
    [
        _mm256_extract_epi64::<0>(vector),
        _mm256_extract_epi64::<1>(vector),
        _mm256_extract_epi64::<2>(vector),
        _mm256_extract_epi64::<3>(vector),
    ]
}

/// Looks up the entries that the low four bits of `numbers` refer to, in a table of 16 entries in two vectors.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn look_up([low, high]: [__m256i; 2], numbers: __m256i) -> __m256i {
    let low = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(low, numbers));
    let high = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(high, numbers));
    // Bit 3 of a number selects the vector.
    let is_high = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(numbers));
    _mm256_castps_si256(_mm256_blendv_ps(low, high, is_high))
}
