//! The stages with 512-bit vectors, those of sRGB with look-ups by permutations.
#![allow(clippy::indexing_slicing, reason = "arrays indexed below their lengths: no check remains")]

use super::{Stages, table};
use crate::format::channel::{ChannelKind, SrgbNarrow, permute};
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
    if !channels.iter().all(permute::has) {
        return one_by_one::<T>(channels, words, weights, out);
    }
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

/// The same of codes that are found one by one. (With 256 bits, so that compilers make no gathers.)
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn one_by_one<const T: usize>(
    channels: &[ChannelDecode],
    words: &Words,
    weights: &Weights,
    out: &mut Channels,
) {
    mean::mean::<SrgbNarrow, T>(channels, words, weights, out);
}

/// The same of gather4.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
fn gather(channels: &[ChannelDecode], words: &Words, _: &Weights, out: &mut Channels) {
    let [decode, ..] = channels else { return };
    let [low, _] = decode.words(words);
    permute::look_up(decode, &low[..4 * LANES], out.as_flattened_mut());
}
