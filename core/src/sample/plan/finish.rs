//! From the words of texels to results, where no single kernel does all of it: decoding, borders, corners of cubes, comparisons, the
//! filters in a mip level and between two, gather4.

use crate::format::Texel;
use crate::format::channel::BytePlanes;
use crate::format::single_texels::Palette;
use crate::sample::filter::{Border, EXTREME_IDENTITY, Reduction};
use crate::sample::lanes::{ChannelLanes, LANES, Lanes};
use crate::sample::place::axis::AxisTaps;
use crate::sample::plan::filter_stages::FilterStages;
use crate::sample::plan::{Plan, Work};
use crate::sample::scratch::PassScratch;

impl Plan<'_> {
    /// Replaces the second word of each half of an element by the data of the lane's texel, such as a selector or a palette entry.
    /// `palette`: the palette as byte planes, if indices have 8 bits.
    #[inline(never)]
    pub(crate) fn select_block_texels(
        &self,
        palette: Option<&BytePlanes<4>>,
        texels: usize,
        scratch: &mut PassScratch,
    ) {
        let n = texels.wrapping_mul(LANES);
        let PassScratch { words: [a, b, c, d], inside, .. } = scratch;
        let inside = inside.as_flattened();
        let palette = Palette { entries: self.codec.map_or(&[], |codec| codec.palette()), planes: palette };
        for (half, (low, high)) in self.block_halves.iter().zip([(a, b), (c, d)]) {
            if let Some(half) = half {
                let (high, _) = high.split_at_mut_checked(n).unwrap_or_default();
                let Some(select) = self.stages.select_texel.get(half.kind()) else { return };
                select(*half, &palette, inside, low, high);
            }
        }
    }

    /// Decodes the needed channels of the first `texels` texels of all lanes.
    #[inline]
    pub(crate) fn decode_words(&self, texels: usize, scratch: &mut PassScratch) {
        self.decoders.run(&scratch.words, &mut scratch.texels, texels);
    }

    /// Replaces texels by the border where they are outside along one of the first `axes` axes.
    #[inline(never)]
    pub(crate) fn cover_border(&self, border: &Texel, axes: usize, texels: usize, scratch: &mut PassScratch) {
        let PassScratch { taps, texels: channels, .. } = scratch;
        let outside = outside(taps, axes);
        // A single needed channel, as gather4 has, is covered alone.
        let only = self.needed.trailing_zeros() as usize;
        if LANES > 1
            && self.needed.is_power_of_two()
            && let (Some(all), Some(value)) = (channels.get_mut(only), border.get(only))
        {
            for (tap, texels) in all.iter_mut().enumerate().take(texels) {
                (self.stages.cover)(outside, tap, &[*value], &mut [texels]);
            }
            return;
        }
        // All four channels are covered, needed or not: leaving some out takes longer.
        let [r, g, b, a] = channels;
        let channels = r.iter_mut().zip(g).zip(b.iter_mut().zip(a));
        for (tap, ((r, g), (b, a))) in channels.enumerate().take(texels) {
            (self.stages.cover)(outside, tap, border, &mut [r, g, b, a]);
        }
    }

    /// [`cover_border`](Self::cover_border) for results that are single texels. `number`: the bit of [`AxisTaps::outside`] that marks the
    /// lanes to cover.
    #[cfg_attr(target_pointer_width = "64", inline(never))]
    #[cfg_attr(target_pointer_width = "32", inline(always))]
    pub(crate) fn cover_results(
        &self,
        border: &Texel,
        axes: usize,
        number: usize,
        scratch: &mut PassScratch,
    ) {
        let PassScratch { taps, values: [result, ..], .. } = scratch;
        (self.stages.cover)(outside(taps, axes), number, border, &mut result.each_mut());
    }

    /// Filters the footprints, with the border in place of texels outside, to one value of each channel in `values[target]`. Returns
    /// false, with nothing written, if no single stage does this.
    #[inline(never)]
    pub(crate) fn filter_covered(
        &self,
        filter: &FilterStages,
        border: Texel,
        axes: usize,
        target: usize,
        scratch: &mut PassScratch,
    ) -> bool {
        let PassScratch { values, texels, weights, taps, reference, .. } = scratch;
        let Some(values) = values.get_mut(target) else { return false };
        let outside = outside(taps, axes);
        if self.flags.compare {
            let Some(kernel) = self.stages.covered_compared.get(usize::from(filter.footprint)) else {
                return false;
            };
            let ([texels, ..], [red, ..], [border, ..]) = (&*texels, values, border);
            kernel(texels, (&self.shadow, reference), weights, outside, border, red);
            return true;
        }
        let several =
            usize::from(filter.footprint).checked_sub(1).filter(|_| self.reduction == Reduction::Mean);
        let Some(kernel) = several.and_then(|at| self.stages.covered_mean.get(at)) else { return false };
        let border = Border { texel: border, refinements: self.decoders.refinements, needed: self.needed };
        kernel(texels, weights, outside, &border, values);
        true
    }

    /// Replaces the texel of a footprint that is at a corner of the cube by the mean of the footprint's other three texels.
    #[inline(never)]
    pub(crate) fn average_corners(&self, PassScratch { texels, corner, .. }: &mut PassScratch) {
        for (channel, texels) in texels.iter_mut().enumerate() {
            if self.needed >> channel & 1 != 0 {
                (self.stages.corner)(self.kind, corner, texels);
            }
        }
    }

    /// Replaces texels by the results of their comparison with the lanes' reference values, if the message compares.
    #[inline]
    pub(crate) fn compare_texels(&self, texels: usize, scratch: &mut PassScratch) {
        if self.flags.compare {
            let PassScratch { reference, texels: [red, ..], .. } = scratch;
            (self.stages.compare)(&self.shadow, reference, red.get_mut(..texels).unwrap_or_default());
        }
    }

    /// Filters the footprints to one value of each needed channel in `values[target]`.
    #[cfg_attr(target_pointer_width = "64", inline)]
    #[cfg_attr(target_pointer_width = "32", inline(never))]
    pub(crate) fn filter_texels(
        &self,
        filter: &FilterStages,
        on: u32,
        target: usize,
        scratch: &mut PassScratch,
    ) {
        let PassScratch { values, texels, weights, .. } = scratch;
        let Some(values) = values.get_mut(target) else { return };
        let channels = values.iter_mut().zip(texels).zip(self.decoders.refinements);
        for (channel, ((value, texels), refinement)) in channels.enumerate() {
            if self.needed >> channel & 1 == 0 {
                continue;
            }
            match (self.reduction, filter.mean) {
                (Reduction::Mean, Some(mean)) => mean(texels, weights, refinement, value),
                // One texel is its own mean, minimum and maximum.
                (_, None) => [*value, ..] = *texels,
                (reduction, Some(_)) => {
                    let texels = texels.get(..filter.texels()).unwrap_or_default();
                    *value = EXTREME_IDENTITY;
                    (self.stages.extreme)(reduction, texels, weights, on, value);
                }
            }
        }
    }

    /// Combines the results of two mip levels into `finer`. `fraction`: the weight of the coarser level.
    #[inline(never)]
    pub(crate) fn join_levels(
        &self,
        finer: &mut ChannelLanes,
        coarser: &ChannelLanes,
        fraction: &Lanes<f32>,
    ) {
        for (channel, (finer, coarser)) in finer.iter_mut().zip(coarser).enumerate() {
            if self.needed >> channel & 1 != 0 {
                (self.stages.join_levels)(self.reduction, finer, coarser, fraction);
            }
        }
    }

    /// Returns the results before the channel select. For gather4 these are the four texels of the component that it names, in the place
    /// where they were decoded.
    #[inline]
    pub(crate) fn results<'s>(&self, scratch: &'s PassScratch) -> &'s ChannelLanes {
        let PassScratch { values: [result, ..], texels, .. } = scratch;
        let component = self.needed.trailing_zeros() as usize;
        let gathered = texels.get(component).filter(|_| self.work == Work::Gather);
        gathered.and_then(|texels| texels.first_chunk()).unwrap_or(result)
    }
}

/// Returns which texels are outside along each of the first `axes` axes (see [`AxisTaps::outside`]); none are along further axes.
#[inline(always)]
fn outside([x, y, z]: &[AxisTaps; 3], axes: usize) -> [&Lanes<u32>; 3] {
    let none = &AxisTaps::NONE.outside;
    [&x.outside, if axes > 1 { &y.outside } else { none }, if axes > 2 { &z.outside } else { none }]
}
