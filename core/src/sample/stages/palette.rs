//! Palette look-ups. Permutations find the entries of palettes of up to 16, and with AVX-512 of 256, where plain loops load and store one
//! entry after the other. With AVX2 entries of palettes of 256 are loaded one by one and stored as vectors.
#![allow(clippy::indexing_slicing, reason = "an array of 256, indexed by a byte")]

use core::arch::x86_64::{
    _mm256_add_epi32, _mm256_and_si256, _mm256_mullo_epi16, _mm256_set1_epi32, _mm256_srlv_epi32,
    _mm512_add_epi32, _mm512_and_si512, _mm512_mullo_epi16, _mm512_permutexvar_epi32, _mm512_set1_epi32,
    _mm512_srlv_epi32,
};

use super::vector_256;
use crate::bits;
use crate::format::channel::{permute, vector};
use crate::format::single_texels::{self, BlockHalf, Palette};

/// See [`SelectTexelKernel`](single_texels::SelectTexelKernel): fills in the palette entries of texels.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,f16c")]
pub(super) fn entries_256(
    half: BlockHalf,
    palette: &Palette<'_>,
    inside: &[u32],
    low: &[u32],
    high: &mut [u32],
) {
    let BlockHalf::Index { shift, width, texels } = half else { return };
    if let (Some(all), 1, 8) = (palette.entries.first_chunk(), texels, width) {
        return entries_of_bytes(all, shift, low, high);
    }
    let (Some([first, second]), ..=4) = (palette.entries.as_chunks().0.first_chunk(), width) else {
        return single_texels::select::<{ single_texels::INDEX }>(half, palette, inside, low, high);
    };
    let mask = _mm256_set1_epi32(bits::mask(width.into()) as i32);
    let last_texel = _mm256_set1_epi32(i32::from(texels).wrapping_sub(1));
    let words = low.as_chunks().0.iter().zip(inside.as_chunks().0);
    for (high, (low, inside)) in high.as_chunks_mut().0.iter_mut().zip(words) {
        // Products have 16 bits at most: a multiplication of 16 bits is enough.
        let texel = _mm256_and_si256(vector_256::vector(inside), last_texel);
        let at = _mm256_mullo_epi16(texel, _mm256_set1_epi32(width.into()));
        let at = _mm256_add_epi32(at, _mm256_set1_epi32(shift.into()));
        let index = _mm256_and_si256(_mm256_srlv_epi32(vector_256::vector(low), at), mask);
        let table = [vector_256::vector(first), vector_256::vector(second)];
        vector_256::store(vector_256::look_up(table, index), high);
    }
}

/// Looks up the entries that a byte of each word (from bit `shift` up) refers to: loads of single entries, which are put together in
/// vectors before they are stored.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,f16c")]
fn entries_of_bytes(palette: &[u32; 256], shift: u8, words: &[u32], out: &mut [u32]) {
    let entry = |word: u32| palette[usize::from(word.wrapping_shr(shift.into()) as u8)];
    for (words, out) in words.as_chunks().0.iter().zip(out.as_chunks_mut().0) {
        let [a, b, c, d, e, f, g, h]: [u32; 8] = *words;
        let entries = [entry(a), entry(b), entry(c), entry(d), entry(e), entry(f), entry(g), entry(h)];
        vector_256::store(vector_256::vector(&entries), out);
    }
}

/// See [`SelectTexelKernel`](single_texels::SelectTexelKernel): fills in the palette entries of texels.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn entries_512(
    half: BlockHalf,
    palette: &Palette<'_>,
    inside: &[u32],
    low: &[u32],
    high: &mut [u32],
) {
    let BlockHalf::Index { shift, width, texels } = half else { return };
    let mask = bits::mask(width.into()) as u32;
    let (vectors, words) = (high.as_chunks_mut().0, low.as_chunks().0);
    match (palette.entries.first_chunk(), palette.planes) {
        (Some(first), _) if width <= 4 => {
            let last_texel = u32::from(texels).wrapping_sub(1);
            for ((high, low), inside) in vectors.iter_mut().zip(words).zip(inside.as_chunks().0) {
                // Products have 16 bits at most: a multiplication of 16 bits is enough.
                let at =
                    _mm512_mullo_epi16(vector::field(inside, 0, last_texel), _mm512_set1_epi32(width.into()));
                let at = _mm512_add_epi32(at, _mm512_set1_epi32(shift.into()));
                let index = _mm512_and_si512(
                    _mm512_srlv_epi32(vector::vector(low), at),
                    _mm512_set1_epi32(mask.cast_signed()),
                );
                vector::store(_mm512_permutexvar_epi32(index, vector::vector(first)), high);
            }
        }
        (_, Some(planes)) if texels == 1 => {
            let (fours, rest) = vectors.as_chunks_mut();
            let (fours_in, _) = words.as_chunks();
            for (high, low) in fours.iter_mut().zip(fours_in) {
                permute::four(planes, shift, low.each_ref(), high);
            }
            let done = 4 * fours.len();
            for (high, low) in rest.iter_mut().zip(words.iter().skip(done)) {
                vector::store(permute::one(planes, vector::field(low, shift, 0xff)), high);
            }
        }
        _ => single_texels::select::<{ single_texels::INDEX }>(half, palette, inside, low, high),
    }
}
