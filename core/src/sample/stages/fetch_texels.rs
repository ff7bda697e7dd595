//! Fetch of single elements, eight in each iteration of the loop: they are loaded one by one and put together in vectors of 256 bits
//! before they are stored.

use super::vector_256::{store, vector};
use crate::sample::fetch::{Words, element, gather, split};
use crate::sample::lanes::{LANES, TapLanes};

/// [`gather`] of elements of `SIZE` bytes: 1, 2 or 4.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn read<const SIZE: usize>(
    bytes: &[u8],
    index: &[u32],
    scratch: &mut [TapLanes<u32>; 4],
    words: &mut Words,
) {
    // Compilers put elements of 2 bytes together by halves of words, which takes longer.
    if LANES != 16 || SIZE == 2 {
        return gather::<SIZE>(bytes, index, scratch, words);
    }
    let (elements, _) = bytes.as_chunks::<SIZE>();
    let Some(last) = elements.len().checked_sub(1) else { return };
    let ([words, ..], (eights, _)) = (words, index.as_chunks());
    for (index, words) in eights.iter().zip(words.as_chunks_mut().0) {
        let word = |index: u32| {
            let [word, ..] = split(element(elements, last, index));
            word
        };
        let [a, b, c, d, e, f, g, h]: [u32; 8] = *index;
        let texels = [word(a), word(b), word(c), word(d), word(e), word(f), word(g), word(h)];
        store(vector(&texels), words);
    }
}
