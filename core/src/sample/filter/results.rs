//! Kernels that decode and filter in one: from words to the weighted mean of a footprint's texels, or to the texels that gather4 returns.
//!
//! They give the same bits as decoding ([`Decoders::run`](crate::sample::plan::decoders::Decoders::run)) and then
//! [`filter::mean`](super::mean), and store no decoded texels in between.

use super::{Weights, weighted, weighted_from};
use crate::format::ChannelDecode;
use crate::format::channel::loops::{self, DecodeChannel, DecodeFloat};
use crate::format::channel::refine::MantissaField;
use crate::sample::fetch::{TEXELS, Words};
use crate::sample::lanes::{ChannelLanes, FOOTPRINTS, LANES, Lanes, TAPS};

/// Computes results from words for all lanes: one value of each channel, all of which are of one kind (or sRGB colours and their alpha);
/// for gather4 four values of the first channel.
pub(crate) type ResultKernel = fn(&[ChannelDecode], &Words, &Weights, &mut ChannelLanes);

/// The kernels for a kind of channel and footprints of 1 (which has no weight), 2, 4 and 8 texels; `None`: texels are decoded before they
/// are filtered.
pub(crate) type ResultKernels = [Option<ResultKernel>; FOOTPRINTS];

/// See [`ResultKernel`]; footprints of one texel.
#[inline(always)]
pub(crate) fn only<D: DecodeChannel>(
    channels: &[ChannelDecode],
    words: &Words,
    _: &Weights,
    out: &mut ChannelLanes,
) {
    for decode in channels {
        let d = *decode;
        let [low, high] = d.words(words);
        let out = &mut out[usize::from(d.channel & 3)];
        for i in 0..LANES {
            out[i] = D::read(&d, low[i], high[i]);
        }
        loops::look_up::<D>(&d, out);
    }
}

/// See [`ResultKernel`]; footprints of `T` texels: 1, 2, 4 or 8.
#[inline(always)]
pub(crate) fn mean<D: DecodeFloat, const T: usize>(
    channels: &[ChannelDecode],
    words: &Words,
    weights: &Weights,
    out: &mut ChannelLanes,
) {
    const { assert!(T <= TAPS) };
    for decode in channels {
        let d = *decode;
        let [low, high] = d.words(words);
        let out = &mut out[usize::from(d.channel & 3)];
        for i in 0..LANES {
            let sum = weighted!(T, |tap| {
                let at = tap * LANES + i;
                let texel = D::texel(&d, low[at], high[at]);
                if T == 1 { texel } else { texel * weights[tap][i] }
            });
            out[i] = (if D::SCALED { sum * d.scale } else { sum }).to_bits();
        }
    }
}

/// The lanes that are summed together: so many that the sums of three channels fit into vector registers of 128 bits.
const LANES_PER_SUM: usize = if LANES < 4 { LANES } else { 4 };

/// See [`ResultKernel`]; three channels of 8-bit sRGB codes, the lower bytes of one word, at once: the table look-ups take longest, and
/// each word is read once. It goes through [`LANES_PER_SUM`] lanes at a time, because in a loop over all lanes compilers keep more sums
/// than there are registers for. Other numbers of channels are left to [`mean`].
#[inline(always)]
pub(crate) fn srgb_codes<const T: usize>(
    channels: &[ChannelDecode],
    words: &Words,
    weights: &Weights,
    out: &mut ChannelLanes,
) {
    let [first, _, _] = channels else { return mean::<loops::Srgb8, T>(channels, words, weights, out) };
    let [words, _] = first.words(words);
    let mut means = [[0; LANES]; 3];
    for part in 0..LANES / LANES_PER_SUM {
        let mut sums = [[0; LANES_PER_SUM]; 3];
        for i in 0..LANES_PER_SUM {
            let lane = part * LANES_PER_SUM + i;
            for byte in 0..3 {
                sums[byte][i] = weighted!(T, |tap| {
                    let texel = ChannelDecode::srgb_bytes(words[tap * LANES + lane])[byte];
                    if T == 1 { texel } else { texel * weights[tap][lane] }
                })
                .to_bits();
            }
        }
        for byte in 0..3 {
            for i in 0..LANES_PER_SUM {
                means[byte][part * LANES_PER_SUM + i] = sums[byte][i];
            }
        }
    }
    for decode in channels {
        out[usize::from(decode.channel & 3)] = means[decode.first_byte() % 3];
    }
}

/// See [`ResultKernel`]; 8-bit sRGB codes and, as the last channel, UNORM alpha.
#[inline(always)]
pub(crate) fn srgb_and_alpha<const T: usize>(
    channels: &[ChannelDecode],
    words: &Words,
    weights: &Weights,
    out: &mut ChannelLanes,
) {
    let Some((alpha, colours)) = channels.split_last() else { return };
    srgb_codes::<T>(colours, words, weights, out);
    whole_numbers::<T>(alpha, words, weights, out);
}

/// See [`ResultKernel`]; one UNORM channel.
#[inline(always)]
pub(crate) fn whole_numbers<const T: usize>(
    decode: &ChannelDecode,
    words: &Words,
    weights: &Weights,
    out: &mut ChannelLanes,
) {
    let channels = core::slice::from_ref(decode);
    if T == 1 {
        only::<loops::Unorm>(channels, words, weights, out);
    } else {
        refined::<false, T>(channels, words, weights, out);
    }
}

/// See [`ResultKernel`]; the kinds whose means are refined: UNORM, or SNORM if `SIGNED`, of which [`MantissaField`] are filtered.
#[inline(always)]
pub(crate) fn refined<const SIGNED: bool, const T: usize>(
    channels: &[ChannelDecode],
    words: &Words,
    weights: &Weights,
    out: &mut ChannelLanes,
) {
    for decode in channels {
        let d = *decode;
        let [word, _] = d.words(words);
        let out = &mut out[usize::from(d.channel & 3)];
        let Some(whole) = d.whole.first() else { return };
        if whole.is_low {
            refined_of::<SIGNED, true, T>(whole, word, weights, out);
        } else {
            refined_of::<SIGNED, false, T>(whole, word, weights, out);
        }
    }
}

#[inline(always)]
fn refined_of<const SIGNED: bool, const LOW: bool, const T: usize>(
    whole: &MantissaField,
    words: &[u32; TEXELS],
    weights: &Weights,
    out: &mut Lanes<u32>,
) {
    const { assert!(T <= TAPS) };
    // A copy that no store of the loop can change.
    let whole = *whole;
    for i in 0..LANES {
        let mean = weighted_from!(
            whole.zero,
            T,
            |tap| whole.number::<SIGNED, LOW>(words[tap * LANES + i]),
            weights[tap][i]
        );
        out[i] = whole.refinement.refine(mean).to_bits();
    }
}

/// See [`ResultKernel`]: the first channel of the four texels of gather4, which have no weights.
#[inline(always)]
pub(crate) fn gather<D: DecodeChannel>(
    channels: &[ChannelDecode],
    words: &Words,
    _: &Weights,
    out: &mut ChannelLanes,
) {
    let [decode, ..] = channels else { return };
    let [low, high] = decode.words(words);
    let out = out.as_flattened_mut();
    let texels = out.iter_mut().zip(low).zip(high);
    for ((out, low), high) in texels {
        *out = D::read(decode, *low, *high);
    }
    loops::look_up::<D>(decode, out);
}
