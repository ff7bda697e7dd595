//! Decoding of channels of 16 texels in vectors (AVX-512). The values are those of the plain loops.
//!
//! Arrays become vectors element by element; compilers make one load of that.

use core::arch::x86_64::{
    __m512, __m512i, _mm_cvtsi32_si128, _mm_extract_epi32, _mm512_add_epi16, _mm512_add_ps, _mm512_and_si512,
    _mm512_castps_si512, _mm512_castsi512_si256, _mm512_cvtph_ps, _mm512_extracti32x4_epi32, _mm512_mul_ps,
    _mm512_permutexvar_epi16, _mm512_set_epi32, _mm512_set_ps, _mm512_set1_epi16, _mm512_set1_epi32,
    _mm512_setzero_ps, _mm512_srl_epi32,
};

use super::ChannelDecode;

/// The 16 elements of a vector of 512 bits.
pub(crate) type Vector<T> = [T; 16];

impl ChannelDecode {
    /// Returns true if a field of kind [`SmallFloat`](super::ChannelKind::SmallFloat) is a float of 16 bits, in one half of its word. (The
    /// shift of that kind is to the word's end: see [`small_float_place`](super::small_float_place).)
    pub(crate) const fn is_half(&self) -> bool {
        self.width == 16 && self.shift.is_multiple_of(16)
    }

    /// Returns true if a 16-bit float (see [`is_half`](Self::is_half)) is in the upper half of its word.
    pub(crate) const fn is_upper(&self) -> bool {
        self.shift == 0
    }
}

/// Adds texel number `tap` of `T`, times its weight, to a mean; the first texel replaces the mean. The only texel of a footprint has no
/// weight.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn add_part<const T: usize>(
    mean: __m512,
    tap: usize,
    texel: __m512,
    weight: &Vector<f32>,
) -> __m512 {
    if T == 1 {
        return texel;
    }
    let part = _mm512_mul_ps(texel, floats(weight));
    if tap == 0 { part } else { _mm512_add_ps(mean, part) }
}

/// The weighted mean of `T` texels of 16-bit floats, which one instruction converts. (A NaN stays a NaN, with unspecified bits.)
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn mean_of_halves<const T: usize>(
    decode: &ChannelDecode,
    [words, _]: [&[Vector<u32>]; 2],
    weights: &[Vector<f32>],
) -> __m512 {
    // The indices of the lower halves of words, two in each element.
    let lower = _mm512_set_epi32(
        0, 0, 0, 0, 0, 0, 0, 0, 0x1e_001c, 0x1a_0018, 0x16_0014, 0x12_0010, 0xe_000c, 0xa_0008, 0x6_0004,
        0x2_0000,
    );
    let upper = i16::from(decode.is_upper());
    let at = _mm512_add_epi16(lower, _mm512_set1_epi16(upper));
    let mut mean = _mm512_setzero_ps();
    for (tap, (words, weight)) in words.iter().zip(weights).enumerate().take(T) {
        let halves = _mm512_castsi512_si256(_mm512_permutexvar_epi16(at, vector(words)));
        mean = add_part::<T>(mean, tap, _mm512_cvtph_ps(halves), weight);
    }
    mean
}

/// The bit field `words >> shift & mask` of words.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn field(words: &Vector<u32>, shift: u8, mask: u32) -> __m512i {
    let shifted = _mm512_srl_epi32(vector(words), _mm_cvtsi32_si128(shift.into()));
    _mm512_and_si512(shifted, _mm512_set1_epi32(mask.cast_signed()))
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn vector(words: &Vector<u32>) -> __m512i {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = words.map(u32::cast_signed);
    _mm512_set_epi32(p, o, n, m, l, k, j, i, h, g, f, e, d, c, b, a)
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn floats(floats: &Vector<f32>) -> __m512 {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *floats;
    _mm512_set_ps(p, o, n, m, l, k, j, i, h, g, f, e, d, c, b, a)
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn store(vector: __m512i, out: &mut Vector<u32>) {
    let quarters = [
        _mm512_extracti32x4_epi32::<0>(vector),
        _mm512_extracti32x4_epi32::<1>(vector),
        _mm512_extracti32x4_epi32::<2>(vector),
        _mm512_extracti32x4_epi32::<3>(vector),
    ];
    for (out, quarter) in out.as_chunks_mut().0.iter_mut().zip(quarters) {
        *out = [
            _mm_extract_epi32::<0>(quarter).cast_unsigned(),
            _mm_extract_epi32::<1>(quarter).cast_unsigned(),
            _mm_extract_epi32::<2>(quarter).cast_unsigned(),
            _mm_extract_epi32::<3>(quarter).cast_unsigned(),
        ];
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn store_floats(vector: __m512, out: &mut Vector<f32>) {
    let mut words = [0; 16];
    store(_mm512_castps_si512(vector), &mut words);
    for (out, word) in out.iter_mut().zip(words) {
        *out = f32::from_bits(word);
    }
}
