//! Look-ups in short palettes by permutations of 256 bits, where loads find one entry after the other.

use core::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_and_si256, _mm256_blendv_ps, _mm256_castps_si256, _mm256_castsi256_ps,
    _mm256_mullo_epi16, _mm256_permutevar8x32_epi32, _mm256_set1_epi32, _mm256_slli_epi32, _mm256_srlv_epi32,
};

use super::vector_256::{store, vector};
use crate::bits;
use crate::format::taps::{self, Half, Palette};

/// See [`SelectTapKernel`](taps::SelectTapKernel): indices into a palette, and its entries.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,f16c")]
pub(super) fn entries(half: Half, palette: &Palette<'_>, inside: &[u32], low: &[u32], high: &mut [u32]) {
    let Half::Index { shift, width, texels } = half else { return };
    let (Some([first, second]), ..=4) = (palette.entries.as_chunks().0.first_chunk(), width) else {
        return taps::select::<{ taps::INDEX }>(half, palette, inside, low, high);
    };
    let mask = _mm256_set1_epi32(bits::mask(width.into()) as i32);
    let last_texel = _mm256_set1_epi32(i32::from(texels).wrapping_sub(1));
    let words = low.as_chunks().0.iter().zip(inside.as_chunks().0);
    for (high, (low, inside)) in high.as_chunks_mut().0.iter_mut().zip(words) {
        // No product has more than 16 bits.
        let texel = _mm256_and_si256(vector(inside), last_texel);
        let at = _mm256_mullo_epi16(texel, _mm256_set1_epi32(width.into()));
        let at = _mm256_add_epi32(at, _mm256_set1_epi32(shift.into()));
        let index = _mm256_and_si256(_mm256_srlv_epi32(vector(low), at), mask);
        store(entries_of_four_bits(vector(first), vector(second), index), high);
    }
}

/// Entries of two vectors.
#[inline]
#[target_feature(enable = "avx2")]
fn entries_of_four_bits(first: __m256i, second: __m256i, index: __m256i) -> __m256i {
    let first = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(first, index));
    let second = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(second, index));
    // Bit 3 of an index tells which.
    let upper = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(index));
    _mm256_castps_si256(_mm256_blendv_ps(first, second, upper))
}
