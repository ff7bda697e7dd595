//! The table of stages with 512-bit vectors, some of them written with intrinsics: sRGB codes of 4 to 10 bits, mip levels and edges of
//! cube faces are looked up by permutations, floats of 16 bits are converted by one instruction, and colours of BC1 to BC3 divide without
//! a division. The results are those of the plain loops.
#![allow(clippy::indexing_slicing, reason = "arrays indexed below their lengths: no check remains")]

use core::arch::x86_64::{
    _CMP_GT_OQ, _CMP_LT_OQ, _mm512_castps_si512, _mm512_cmp_ps_mask, _mm512_cvtepi32_ps,
    _mm512_permutex2var_epi32, _mm512_permutexvar_epi32, _mm512_permutexvar_ps, _mm512_set1_ps,
    _mm512_setzero_ps,
};

use super::fetch_16_bytes::fetch_eights_512;
use super::{Stages, table};
use crate::format::ChannelDecode;
use crate::format::channel::loops::SmallFloat;
use crate::format::channel::vector::{self, floats, store, store_floats, vector};
use crate::format::channel::{ChannelKind, colours, permute};
use crate::sample::fetch::{FetchKernel, Words};
use crate::sample::filter::Weights;
use crate::sample::filter::results::{self, ResultKernel, ResultKernels};
use crate::sample::lanes::{ChannelLanes, LANES, Lanes, MULTI_LANE};
use crate::sample::levels::level::{LevelArrays, LevelKernel};
use crate::sample::levels::select::{self, LevelRule, Levels, SelectKernel};
use crate::sample::place::cube::EDGES;
use crate::sample::place::level_lanes::LevelLanes;
use crate::sample::place::seam::EdgeKernel;

/// Kinds of channels with filters of their own, as parameters of [`filter`].
const HALVES: u8 = ChannelKind::SmallFloat as u8;
const NARROW: u8 = ChannelKind::SrgbNarrow as u8;
const TENS: u8 = ChannelKind::Srgb10 as u8;
const COLOURS: u8 = ChannelKind::BcColour as u8;
const CURVES: u8 = ChannelKind::BcColourSrgb as u8;
const TRANSPARENCY: u8 = ChannelKind::Bc1Alpha as u8;

/// The filters of a kind of channel, by footprint of 1, 2, 4 and 8 texels.
macro_rules! filters {
    ($kind:ident) => {
        [
            Some(filter::<$kind, 1>),
            Some(filter::<$kind, 2>),
            Some(filter::<$kind, 4>),
            Some(filter::<$kind, 8>),
        ]
    };
}

/// The stages with 512-bit vectors, compiled with those features of Ice Lake and later that they gain from. On processors that execute
/// such vectors in one piece, [`Stages::with_whole_vectors`] is faster.
#[allow(clippy::missing_safety_doc, reason = "it is safe")]
#[target_feature(
    enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt,f16c"
)]
#[must_use]
pub fn avx512() -> Stages {
    let mut stages = table::avx512_base();
    // The kernels below are for vectors that hold a texel of all lanes.
    if LANES != 16 {
        return stages;
    }
    let eights: FetchKernel = fetch_eights_512::<true>;
    if let Some(pairs) = stages.fetch_block_pairs.last_mut() {
        *pairs = Some(eights);
    }
    let (level, edges): (LevelKernel, EdgeKernel) = (fill_levels, edges);
    (stages.level, stages.edges) = (Some(level), [edges; MULTI_LANE]);
    let select: [SelectKernel; 3] = [select::<true, true>, select::<false, false>, select::<true, false>];
    for (kernel, own) in stages.select.iter_mut().zip(select) {
        *kernel = own;
    }
    let filters: [(u8, ResultKernels); 7] = [
        (HALVES, filters!(HALVES)),
        // `None` keeps the kernel of `table::avx512_base`: two texels fill half of the vectors that one look-up of 8-bit codes takes.
        (ChannelKind::Srgb8 as u8, [Some(srgb_texel), None, Some(srgb_mean::<1>), Some(srgb_mean::<2>)]),
        (CURVES, [None, None, Some(filter::<CURVES, 4>), Some(filter::<CURVES, 8>)]),
        (NARROW, filters!(NARROW)),
        (TENS, [None, None, Some(filter::<TENS, 4>), Some(filter::<TENS, 8>)]),
        (COLOURS, filters!(COLOURS)),
        (TRANSPARENCY, filters!(TRANSPARENCY)),
    ];
    for (kind, own) in filters {
        let kernels = stages.decoded_mean.get_mut(usize::from(kind));
        for (kernel, own) in kernels.into_iter().flatten().zip(own) {
            *kernel = own.or(*kernel);
        }
    }
    if let Some([one, _, four, eight]) = stages.srgb_and_alpha.first_mut() {
        let own: [ResultKernel; 3] = [srgb_and_alpha::<1>, srgb_and_alpha::<4>, srgb_and_alpha::<8>];
        [*one, *four, *eight] = own.map(Some);
    }
    for kind in [ChannelKind::Srgb8, ChannelKind::SrgbNarrow] {
        if let Some(kernel) = stages.decoded_gather.get_mut(kind as usize) {
            *kernel = gather;
        }
        if let Some(kernel) = stages.channel.get_mut(kind as usize) {
            *kernel = permute::decode;
        }
    }
    stages
}

/// See [`ResultKernel`]: decodes channels of one kind, then filters them as [`filter::mean`](crate::sample::filter::mean) does.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
fn filter<const KIND: u8, const T: usize>(
    channels: &[ChannelDecode],
    words: &Words,
    weights: &Weights,
    out: &mut ChannelLanes,
) {
    // Channels of this kind can also be floats of 10 and 11 bits.
    if KIND == HALVES && !channels.iter().all(ChannelDecode::is_half) {
        return results::mean::<SmallFloat, T>(channels, words, weights, out);
    }
    let (weights, _) = weights.as_flattened().as_chunks();
    for decode in channels {
        let [low, high] = decode.words(words);
        let words = [low.as_chunks().0, high.as_chunks().0];
        let mean = match KIND {
            HALVES => vector::mean_of_halves::<T>(decode, words, weights),
            NARROW => permute::mean_of_narrow::<T>(decode, words, weights),
            TENS => permute::mean_of_tens::<T>(decode, words, weights),
            COLOURS => colours::mean_of_colours::<T>(decode, words, weights),
            CURVES => permute::mean_of_srgb_colours::<T>(decode, words, weights),
            _ => colours::mean_of_bc1_alpha::<T>(words, weights),
        };
        let (out, _) = out[usize::from(decode.channel & 3)].as_chunks_mut();
        store(_mm512_castps_si512(mean), &mut out[0]);
    }
}

/// See [`ResultKernel`]: footprints of `4 * FOURS` texels, of sRGB channels of 8 bits.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
fn srgb_mean<const FOURS: usize>(
    channels: &[ChannelDecode],
    words: &Words,
    weights: &Weights,
    out: &mut ChannelLanes,
) {
    let (weights, _) = weights.as_flattened().as_chunks();
    let Some(out) = out.as_flattened_mut().as_chunks_mut().0.first_chunk_mut() else { return };
    // Single texels of ETC blocks have their codes in other words. To select the word by data takes longer: 2 % of a sample's time.
    if channels.iter().all(|decode| decode.word == 0) {
        let [words, ..] = words;
        return permute::means_of_bytes::<FOURS, _>(channels, words, weights, out);
    }
    for decode in channels {
        let [words, _] = decode.words(words);
        permute::means_of_bytes::<FOURS, _>(core::slice::from_ref(decode), words, weights, out);
    }
}

/// See [`ResultKernel`]: footprints of one texel, of sRGB channels of 8 bits.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
fn srgb_texel(channels: &[ChannelDecode], words: &Words, _: &Weights, out: &mut ChannelLanes) {
    let Some(out) = out.as_flattened_mut().as_chunks_mut().0.first_chunk_mut() else { return };
    for same_word in channels.chunk_by(|a, b| a.word == b.word) {
        let [first, ..] = same_word else { continue };
        let [words, _] = first.words(words);
        permute::texels_of_bytes(same_word, &words.as_chunks().0[0], out);
    }
}

/// See [`ResultKernel`]: footprints of `T` texels (1, 4 or 8), of sRGB colours of 8 bits and, in the last channel, their UNORM alpha.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
fn srgb_and_alpha<const T: usize>(
    channels: &[ChannelDecode],
    words: &Words,
    weights: &Weights,
    out: &mut ChannelLanes,
) {
    let Some((alpha, colours)) = channels.split_last() else { return };
    match T {
        1 => srgb_texel(colours, words, weights, out),
        4 => srgb_mean::<1>(colours, words, weights, out),
        _ => srgb_mean::<2>(colours, words, weights, out),
    }
    results::whole_numbers::<T>(alpha, words, weights, out);
}

/// See [`ResultKernel`]: the texels of gather4, of an sRGB channel of 4 to 6 or 8 bits.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
fn gather(channels: &[ChannelDecode], words: &Words, _: &Weights, out: &mut ChannelLanes) {
    let [decode, ..] = channels else { return };
    let [low, _] = decode.words(words);
    permute::look_up(decode, &low[..4 * LANES], out.as_flattened_mut());
}

/// See [`LevelKernel`]: a vector has room for every mip level, so that permutations look levels up.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
fn fill_levels(levels: &LevelArrays, numbers: &Lanes<u32>, axes: usize, out: &mut LevelLanes) {
    let at = vector(&numbers.as_chunks().0[0]);
    for (axis, (size, inverse)) in out.size.iter_mut().zip(levels.size.iter().zip(&levels.inverse)).take(axes)
    {
        let texels = _mm512_cvtepi32_ps(_mm512_permutexvar_epi32(at, vector(&size.as_chunks().0[0])));
        let inverse = _mm512_permutexvar_ps(at, floats(&inverse.as_chunks().0[0]));
        store_floats(texels, &mut axis.texels.as_chunks_mut().0[0]);
        store_floats(inverse, &mut axis.inverse.as_chunks_mut().0[0]);
    }
    let column = _mm512_permutexvar_epi32(at, vector(&levels.column.as_chunks().0[0]));
    let row = _mm512_permutexvar_epi32(at, vector(&levels.row.as_chunks().0[0]));
    let layer = _mm512_permutexvar_epi32(at, vector(&levels.layer.as_chunks().0[0]));
    store(column, &mut out.column.as_chunks_mut().0[0]);
    store(row, &mut out.row.as_chunks_mut().0[0]);
    store(layer, &mut out.layer.as_chunks_mut().0[0]);
}

/// See [`SelectKernel`]: masks of comparisons are the lanes that read each mip level.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
fn select<const FIXED: bool, const FULL: bool>(
    rule: &LevelRule,
    lambda: &Lanes<f32>,
    minimum: &Lanes<f32>,
    out: &mut Levels,
) {
    select::select::<FIXED, FULL, false>(rule, lambda, minimum, out);
    let fraction = floats(&out.fraction.as_chunks().0[0]);
    let finer = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(fraction, _mm512_set1_ps(1.0));
    let coarser = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(fraction, _mm512_setzero_ps());
    out.lanes = [finer.into(), coarser.into()];
}

/// See [`EdgeKernel`].
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
fn edges(edges: &mut [Lanes<u32>; 4]) {
    let (table, _) = EDGES.as_chunks();
    for edges in edges.as_flattened_mut().as_chunks_mut().0 {
        store(_mm512_permutex2var_epi32(vector(&table[0]), vector(edges), vector(&table[1])), edges);
    }
}
