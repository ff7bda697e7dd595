//! The decoders of a texel's channels, chosen once for a message.

use crate::format::channel::ChannelKind;
use crate::format::channel::refine::Refinement;
use crate::format::{ChannelDecode, ChannelKernel};
use crate::sample::fetch::Words;
use crate::sample::filter::Weights;
use crate::sample::filter::results::{ResultKernel, ResultKernels};
use crate::sample::lanes::{ChannelLanes, FOOTPRINTS, LANES, TapLanes};
use crate::sample::stages::Stages;

/// The decoders of the needed channels: one kernel call decodes all channels of one kind.
#[derive(Clone, Debug)]
pub(crate) struct Decoders {
    /// The needed channels, in the order of `runs`.
    channels: [ChannelDecode; 4],
    /// How means of red to alpha are refined.
    pub(crate) refinements: [Refinement; 4],
    /// The kernels, and how many consecutive `channels` each of them decodes.
    runs: [(ChannelKernel, usize); if LANES == 1 { 1 } else { 4 }],
    /// The same for kernels that decode and filter in one; small targets decode first.
    means: [(ResultKernels, usize); if LANES == 1 { 0 } else { 4 }],
}

impl Decoders {
    pub(crate) fn none(stages: &Stages) -> Self {
        Self {
            channels: [ChannelDecode::constant(0); 4],
            refinements: [Refinement::NONE; 4],
            runs: [(stages.constant(), 0); _],
            means: [([None; FOOTPRINTS], 0); _],
        }
    }

    /// Chooses the kernels of the channels in the mask `needed`; `all`: how red to alpha are decoded.
    #[inline(never)]
    pub(crate) fn choose(&mut self, all: [ChannelDecode; 4], needed: u8, stages: &Stages) {
        let mut all = all;
        for (channel, decode) in (0..).zip(&mut all) {
            *decode = decode.of(channel);
        }
        let mut left = needed;
        let mut targets = self.channels.iter_mut();
        let mut means = self.means.iter_mut();
        for (kernel, count) in &mut self.runs {
            let Some(first) = all.get(left.trailing_zeros() as usize) else { break };
            *kernel = stages.channel.get(first.kind as usize).copied().unwrap_or(stages.constant());
            for decode in all {
                // On one-lane targets one kernel decodes channels of every kind.
                if left >> decode.channel & 1 != 0
                    && (LANES == 1 || decode.kind == first.kind)
                    && let Some(target) = targets.next()
                {
                    *target = decode;
                    left &= !(1 << decode.channel);
                    *count = count.wrapping_add(1);
                }
            }
            if let Some(means) = means.next() {
                let kernels = stages.decoded_mean.get(first.kind as usize).copied();
                *means = (kernels.unwrap_or_default(), *count);
            }
        }
        self.join_srgb_and_alpha(stages);
    }

    /// Drops the kernels that decode and filter in one, so that texels are decoded before they are filtered.
    pub(crate) fn decode_first(&mut self) {
        for (kernels, _) in &mut self.means {
            *kernels = [None; FOOTPRINTS];
        }
    }

    /// Merges 8-bit sRGB colours and their UNORM alpha in `means` into one run, whose kernel filters both.
    fn join_srgb_and_alpha(&mut self, stages: &Stages) {
        let ([(first, colours), (_, alpha), (_, none), _], Some(kernels)) =
            (self.means.as_mut_slice(), stages.srgb_and_alpha.first())
        else {
            return;
        };
        let kinds = [self.channels.first(), self.channels.get(*colours)]
            .map(|decode| decode.map(|decode| decode.kind));
        if (*alpha, *none) == (1, 0) && kinds == [Some(ChannelKind::Srgb8), Some(ChannelKind::Unorm)] {
            *first = *kernels;
            (*colours, *alpha) = (colours.wrapping_add(1), 0);
        }
    }

    /// Returns the decoder of the first needed channel.
    pub(crate) const fn first(&self) -> &ChannelDecode {
        let [first, ..] = &self.channels;
        first
    }

    /// Returns the channels of the first kernel that decodes and filters in one.
    #[inline(always)]
    pub(crate) fn first_run(&self) -> &[ChannelDecode] {
        let count = self.means.first().map_or(0, |(_, count)| *count);
        self.channels.get(..count).unwrap_or_default()
    }

    /// Returns whether the first run is a single channel that is a whole word and needs no decoding.
    pub(crate) fn is_undecoded(&self) -> bool {
        matches!(self.first_run(), [decode] if decode.kind == ChannelKind::Word)
    }

    /// Returns the undecoded word of the first channel, of texels 0 to 3 of all lanes.
    pub(crate) fn undecoded<'w>(&self, words: &'w Words) -> Option<&'w ChannelLanes> {
        let [word, _] = self.first().words(words);
        let (texels, _) = word.as_chunks();
        texels.first_chunk()
    }

    /// Returns the kernel that decodes and filters footprints of 2 to the power of `footprint` texels, if one kernel reads all channels.
    pub(crate) fn only_mean(&self, footprint: usize) -> Option<ResultKernel> {
        let second = self.means.get(1).is_some_and(|(_, count)| *count > 0);
        let (kernels, _) = self.means.first()?;
        if second { None } else { *kernels.get(footprint)? }
    }

    /// Returns the kernel that decodes the results of gather4, which has one channel.
    pub(crate) fn gather(&self, stages: &Stages) -> Option<ResultKernel> {
        stages.decoded_gather.get(self.first().kind as usize).copied()
    }

    /// Returns whether a decoded value can be NaN.
    pub(crate) fn have_nan(&self) -> bool {
        let count = self.runs.iter().map(|(_, count)| count).sum();
        self.channels.iter().take(count).any(|channel| channel.kind.has_nan())
    }

    /// Decodes the needed channels of the first `texels` texels of all lanes.
    #[inline]
    pub(crate) fn run(&self, words: &Words, channels: &mut [TapLanes<u32>; 4], texels: usize) {
        let n = texels.wrapping_mul(LANES);
        let words = words.each_ref().map(|words| words.get(..n).unwrap_or(words));
        let mut all: &[ChannelDecode] = &self.channels;
        for (kernel, count) in &self.runs {
            let Some((these, rest)) = all.split_at_checked(*count) else { return };
            if these.is_empty() {
                return;
            }
            let channels = channels.each_mut().map(|all| {
                let (channel, _) = all.as_flattened_mut().split_at_mut_checked(n).unwrap_or_default();
                channel
            });
            kernel(these, words, channels);
            if LANES == 1 {
                return;
            }
            all = rest;
        }
    }

    /// Returns whether [`mean`](Self::mean) has kernels for all channels, for footprints of 2 to the power of `footprint` texels.
    pub(crate) fn filters(&self, footprint: usize) -> bool {
        let mut runs = self.means.iter().take_while(|(_, count)| *count > 0);
        runs.all(|(kernels, _)| kernels.get(footprint).is_some_and(Option::is_some))
    }

    /// Decodes and filters the needed channels of footprints of 2 to the power of `footprint` texels: one value for each channel and lane.
    #[inline(always)]
    pub(crate) fn mean(&self, words: &Words, weights: &Weights, footprint: usize, out: &mut ChannelLanes) {
        let mut all: &[ChannelDecode] = &self.channels;
        for (kernels, count) in &self.means {
            let Some((these, rest)) = all.split_at_checked(*count) else { return };
            if these.is_empty() {
                return;
            }
            if let Some(Some(kernel)) = kernels.get(footprint) {
                kernel(these, words, weights, out);
            }
            all = rest;
        }
    }
}
