//! The stages with 512-bit vectors: some in ways of their own. sRGB codes of 4 to 8 bits are looked up by permutations, and elements of 16 bytes
//! are put together in vectors and taken apart there. The results are those of the plain loops.
#![allow(clippy::indexing_slicing, reason = "arrays indexed below their lengths: no check remains")]

use core::arch::x86_64::{
    __m512i, _mm512_set_epi64, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64, _mm512_unpacklo_epi32,
    _mm512_unpacklo_epi64,
};

use super::{Stages, table};
use crate::format::channel::ChannelKind;
use crate::format::channel::permute::{self, store};
use crate::format::{ChannelDecode, TexelWords};
use crate::sample::fetch::Words;
use crate::sample::filter::{self, Weights};
use crate::sample::lanes::{LANES, TAPS, TapLanes};
use crate::sample::mean;
use crate::sample::scratch::Channels;

/// The stages with 512-bit vectors: the features of Ice Lake and later that they gain from.
#[allow(clippy::missing_safety_doc, reason = "it is safe")]
#[target_feature(
    enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt,f16c"
)]
#[must_use]
pub fn avx512() -> Stages {
    let mut stages = table::wide();
    // A vector is a texel of all lanes.
    if LANES != 16 {
        return stages;
    }
    let [_, _, _, _, sixteen, ..] = &mut stages.fetch;
    *sixteen = fetch_sixteen;
    for kind in [ChannelKind::Srgb8, ChannelKind::SrgbNarrow] {
        if let Some(kernels) = mean::place(kind).and_then(|at| stages.decoded_mean.get_mut(at)) {
            let [one, two, four, eight] = kernels;
            *one = Some(filtered::<1>);
            // Two texels of 8 bits are half of what is looked up at once.
            if kind == ChannelKind::SrgbNarrow {
                *two = Some(filtered::<2>);
            }
            *four = Some(filtered::<4>);
            *eight = Some(filtered::<8>);
        }
        if let Some(kernel) = stages.decoded_gather.get_mut(kind as usize) {
            *kernel = gather;
        }
        if let Some(kernel) = stages.channel.get_mut(kind as usize) {
            *kernel = permute::decode;
        }
    }
    stages
}

/// Texels of all lanes, each in a cache line.
#[repr(align(64))]
struct Texels(TapLanes<u32>);

/// See [`ResultKernel`](mean::ResultKernel): [`permute::decode`], then [`filter::mean`].
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
fn filtered<const T: usize>(
    channels: &[ChannelDecode],
    words: &Words,
    weights: &Weights,
    out: &mut Channels,
) {
    if T == 1 {
        let ([a, b, c, d], [red, green, blue, alpha]) = (words, out);
        let words: TexelWords<'_> = [&a[..LANES], &b[..LANES], &c[..LANES], &d[..LANES]];
        return permute::decode(channels, words, [red, green, blue, alpha]);
    }
    let Texels(texels) = &mut Texels([[0; LANES]; TAPS]);
    for decode in channels {
        let [low, _] = decode.words(words);
        permute::look_up(decode, &low[..T * LANES], &mut texels.as_flattened_mut()[..T * LANES]);
        filter::mean::<T>(texels, weights, &mut out[usize::from(decode.channel & 3)]);
    }
}

/// The same of gather4.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
fn gather(channels: &[ChannelDecode], words: &Words, _: &Weights, out: &mut Channels) {
    let [decode, ..] = channels else { return };
    let [low, _] = decode.words(words);
    permute::look_up(decode, &low[..4 * LANES], out.as_flattened_mut());
}

/// See [`FetchKernel`](crate::sample::fetch::FetchKernel); elements of 16 bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
fn fetch_sixteen(bytes: &[u8], index: &[u32], _: &mut [TapLanes<u32>; 4], words: &mut Words) {
    let (elements, _) = bytes.as_chunks();
    let Some(last) = elements.len().checked_sub(1) else { return };
    let [first, second, third, fourth] = words;
    let targets = first.as_chunks_mut().0.iter_mut().zip(second.as_chunks_mut().0);
    let targets = targets.zip(third.as_chunks_mut().0).zip(fourth.as_chunks_mut().0);
    for (index, (((first, second), third), fourth)) in index.as_chunks::<16>().0.iter().zip(targets) {
        // By 128 bits: every fourth element, so that they are in order when they have changed places with their words.
        let [a, b] = [four_elements(elements, last, index, 0), four_elements(elements, last, index, 1)];
        let [c, d] = [four_elements(elements, last, index, 2), four_elements(elements, last, index, 3)];
        let (low_ab, high_ab) = (_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
        let (low_cd, high_cd) = (_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
        store(_mm512_unpacklo_epi64(low_ab, low_cd), first);
        store(_mm512_unpackhi_epi64(low_ab, low_cd), second);
        store(_mm512_unpacklo_epi64(high_ab, high_cd), third);
        store(_mm512_unpackhi_epi64(high_ab, high_cd), fourth);
    }
}

/// Every fourth element, from the index with a number on.
#[inline]
#[target_feature(enable = "avx512f")]
fn four_elements(elements: &[[u8; 16]], last: usize, index: &[u32; 16], number: usize) -> __m512i {
    let mut all = [[0; 2]; 4];
    for (lane, element) in all.iter_mut().enumerate() {
        let bytes = elements[(index[4 * lane + number] as usize).min(last)];
        let word = u128::from_le_bytes(bytes);
        *element = [word as i64, (word >> 64) as i64];
    }
    let [[a, b], [c, d], [e, f], [g, h]] = all;
    _mm512_set_epi64(h, g, f, e, d, c, b, a)
}
