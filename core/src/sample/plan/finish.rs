//! From words of texels to results where more than one stage does it: borders, comparisons, the filters in a level and between two, gather4.

use crate::format::Texel;
use crate::format::channel::Planes;
use crate::format::taps::Palette;
use crate::sample::bind::texture::Select;
use crate::sample::filter::{Border, NOTHING, Reduction};
use crate::sample::lanes::{Channels, LANES, Lanes};
use crate::sample::place::axis::AxisTaps;
use crate::sample::plan::pass::Pass;
use crate::sample::plan::{Plan, Work};
use crate::sample::scratch::Room;

impl Plan<'_> {
    /// The second word of each half of blocks becomes what belongs to the texel.
    #[inline(never)]
    pub(crate) fn select_taps(&self, palette: Option<&Planes<4>>, texels: usize, room: &mut Room) {
        let n = texels.wrapping_mul(LANES);
        let Room { words: [a, b, c, d], inside, .. } = room;
        let inside = inside.as_flattened();
        let palette = Palette { entries: self.codec.map_or(&[], |codec| codec.palette()), planes: palette };
        for (half, (low, high)) in self.halves.iter().zip([(a, b), (c, d)]) {
            if let Some(half) = half {
                let (high, _) = high.split_at_mut_checked(n).unwrap_or_default();
                let Some(select) = self.stages.select_tap.get(half.kind()) else { return };
                select(*half, &palette, inside, low, high);
            }
        }
    }

    /// Words become the channels that are needed.
    #[inline]
    pub(crate) fn decode_words(&self, texels: usize, room: &mut Room) {
        self.decoders.run(&room.words, &mut room.texels, texels);
    }

    /// Puts the border in place of texels that are outside along one of the first `axes` axes.
    #[inline(never)]
    pub(crate) fn cover_border(&self, border: &Texel, axes: usize, texels: usize, room: &mut Room) {
        let Room { taps, texels: channels, .. } = room;
        let outside = outside(taps, axes);
        // gather4 needs one channel.
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
        // Channels that nothing needs are not looked at: to leave them out takes longer.
        let [r, g, b, a] = channels;
        let channels = r.iter_mut().zip(g).zip(b.iter_mut().zip(a));
        for (tap, ((r, g), (b, a))) in channels.enumerate().take(texels) {
            (self.stages.cover)(outside, tap, border, &mut [r, g, b, a]);
        }
    }

    /// The same of results that are the only texel of a footprint. `number`: the bit of what is outside.
    #[cfg_attr(target_pointer_width = "64", inline(never))]
    #[cfg_attr(target_pointer_width = "32", inline(always))]
    pub(crate) fn cover_results(&self, border: &Texel, axes: usize, number: usize, room: &mut Room) {
        let Room { taps, values: [result, ..], .. } = room;
        (self.stages.cover)(outside(taps, axes), number, border, &mut result.each_mut());
    }

    /// Makes one value of each channel of the footprints, with the border in place of texels; false if that takes more than a
    /// stage.
    #[inline(never)]
    pub(crate) fn filter_covered(
        &self,
        pass: &Pass,
        border: Texel,
        axes: usize,
        target: usize,
        room: &mut Room,
    ) -> bool {
        let Room { values, texels, weights, taps, reference, .. } = room;
        let Some(values) = values.get_mut(target) else { return false };
        let outside = outside(taps, axes);
        if self.flags.compare {
            let Some(kernel) = self.stages.covered_compared.get(usize::from(pass.footprint)) else {
                return false;
            };
            let ([texels, ..], [red, ..], [border, ..]) = (&*texels, values, border);
            kernel(texels, (&self.shadow, reference), weights, outside, border, red);
            return true;
        }
        let several =
            usize::from(pass.footprint).checked_sub(1).filter(|_| self.reduction == Reduction::Mean);
        let Some(kernel) = several.and_then(|at| self.stages.covered_mean.get(at)) else { return false };
        let border = Border { texel: border, refinements: self.decoders.refinements, needed: self.needed };
        kernel(texels, weights, outside, &border, values);
        true
    }

    /// Puts the mean of the other three in place of texels at corners.
    #[inline(never)]
    pub(crate) fn average_corners(&self, Room { texels, corner, .. }: &mut Room) {
        for (channel, texels) in texels.iter_mut().enumerate() {
            if self.needed >> channel & 1 != 0 {
                (self.stages.corner)(self.kind, corner, texels);
            }
        }
    }

    /// Comparisons in place of texels.
    #[inline]
    pub(crate) fn compare_texels(&self, texels: usize, room: &mut Room) {
        if self.flags.compare {
            let Room { reference, texels: [red, ..], .. } = room;
            (self.stages.compare)(&self.shadow, reference, red.get_mut(..texels).unwrap_or_default());
        }
    }

    /// Makes one value of each channel of the footprints.
    #[cfg_attr(target_pointer_width = "64", inline)]
    #[cfg_attr(target_pointer_width = "32", inline(never))]
    pub(crate) fn filter_texels(&self, pass: &Pass, on: u32, target: usize, room: &mut Room) {
        let Room { values, texels, weights, .. } = room;
        let Some(values) = values.get_mut(target) else { return };
        let channels = values.iter_mut().zip(texels).zip(self.decoders.refinements);
        for (channel, ((value, texels), refinement)) in channels.enumerate() {
            if self.needed >> channel & 1 == 0 {
                continue;
            }
            match (self.reduction, pass.mean) {
                (Reduction::Mean, Some(mean)) => mean(texels, weights, refinement, value),
                // One texel is its own mean, minimum and maximum.
                (_, None) => [*value, ..] = *texels,
                (reduction, Some(_)) => {
                    let texels = texels.get(..pass.texels()).unwrap_or_default();
                    *value = NOTHING;
                    (self.stages.extreme)(reduction, texels, weights, on, value);
                }
            }
        }
    }

    /// Joins the results of the coarser level with those of the finer one. `fraction`: how much of it.
    #[inline(never)]
    pub(crate) fn join_levels(&self, finer: &mut Channels, coarser: &Channels, fraction: &Lanes<f32>) {
        for (channel, (finer, coarser)) in finer.iter_mut().zip(coarser).enumerate() {
            if self.needed >> channel & 1 != 0 {
                (self.stages.join_levels)(self.reduction, finer, coarser, fraction);
            }
        }
    }

    /// The results before the channel select: of gather4 the texels of the component that it names, where they were decoded.
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "below 4")]
    pub(crate) fn results<'s>(&self, scratch: &'s Room) -> &'s Channels {
        let Room { values: [result, ..], texels, .. } = scratch;
        match self.gathered {
            Select::Channel(component) if self.work == Work::Gather => {
                texels[usize::from(component & 3)].first_chunk().unwrap_or(result)
            }
            Select::Channel(_) | Select::Constant(_) => result,
        }
    }
}

/// Which texels are outside along each axis. Axes that the surface does not have are never outside.
#[inline(always)]
fn outside([x, y, z]: &[AxisTaps; 3], axes: usize) -> [&Lanes<u32>; 3] {
    let none = &AxisTaps::NONE.outside;
    [&x.outside, if axes > 1 { &y.outside } else { none }, if axes > 2 { &z.outside } else { none }]
}
