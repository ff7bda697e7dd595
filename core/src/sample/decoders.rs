//! The decoders of a texel's channels, chosen once for a message.

use super::fetch::Words;
use super::lanes::{LANES, TapLanes};
use super::stages::Stages;
use crate::format::{ChannelDecode, ChannelKernel};

/// The decoders of the channels that are needed: one call for all that are of one kind.
#[derive(Clone, Debug)]
pub(super) struct Decoders {
    channels: [ChannelDecode; 4],
    /// Kernels with how many of the channels, one after the other, each reads.
    runs: [(ChannelKernel, usize); 4],
}

impl Decoders {
    pub(super) fn none(stages: &Stages) -> Self {
        Self { channels: [ChannelDecode::constant(0); 4], runs: [(stages.constant(), 0); 4] }
    }

    #[inline(never)]
    pub(super) fn choose(&mut self, all: [ChannelDecode; 4], needed: u8, stages: &Stages) {
        let mut all = all;
        for (channel, decode) in (0..).zip(&mut all) {
            *decode = decode.of(channel);
        }
        if LANES == 1 {
            // One kernel reads channels of every kind.
            let mut count = 0_usize;
            for decode in all.iter().filter(|decode| needed >> decode.channel & 1 != 0) {
                if let Some(target) = self.channels.get_mut(count) {
                    *target = *decode;
                    count = count.wrapping_add(1);
                }
            }
            let [first, ..] = &mut self.runs;
            first.1 = count;
            return;
        }
        let mut left = needed;
        let mut targets = self.channels.iter_mut();
        for run in &mut self.runs {
            let Some(first) = all.get(left.trailing_zeros() as usize) else { break };
            let kernel = stages.channel.get(first.kind as usize).copied();
            *run = (kernel.unwrap_or(stages.constant()), 0);
            for decode in all {
                if left >> decode.channel & 1 != 0
                    && decode.kind == first.kind
                    && let Some(target) = targets.next()
                {
                    *target = decode;
                    left &= !(1 << decode.channel);
                    run.1 = run.1.wrapping_add(1);
                }
            }
        }
    }

    /// Reads the needed channels of the first `texels` texels of all lanes.
    #[inline]
    pub(super) fn run(&self, words: &Words, channels: &mut [TapLanes<u32>; 4], texels: usize) {
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
            all = rest;
        }
    }
}
