//! The samples of anisotropic footprints: from one to the next, and their mean or extreme.

use crate::sample::filter::{ONES, Reduction};
use crate::sample::lanes::{Channels, Lanes};
use crate::sample::levels::lod::Footprints;
use crate::sample::plan::Plan;
use core::slice;

impl Plan<'_> {
    /// Moves coordinates to sample `number` (from 1).
    #[inline(always)]
    pub(crate) fn aim(
        &self,
        number: u32,
        footprints: &Footprints,
        centre: &[Lanes<f32>; 3],
        out: &mut [Lanes<f32>; 3],
    ) {
        let axes = out.iter_mut().zip(centre).zip(&footprints.major);
        for ((out, centre), major) in axes.take(self.axes) {
            (self.stages.aim)(number, &footprints.samples, centre, major, out);
        }
    }

    /// Adds a sample to the sum of the lanes that have it, those in `on`; MIN and MAX reduce it with the others.
    #[inline(always)]
    pub(crate) fn add_sample(
        &self,
        number: u32,
        footprints: &Footprints,
        sample: &Channels,
        on: u32,
        sum: &mut Channels,
    ) {
        if self.reduction == Reduction::Mean {
            return (self.stages.sum)(number, &footprints.samples, self.needed, sample, sum);
        }
        for (channel, (sum, sample)) in sum.iter_mut().zip(sample).enumerate() {
            if self.needed >> channel & 1 != 0 {
                (self.stages.extreme)(self.reduction, slice::from_ref(sample), &ONES, on, sum);
            }
        }
    }

    /// Sums become means.
    #[inline(always)]
    pub(crate) fn divide_samples(&self, footprints: &Footprints, sums: &mut Channels) {
        if self.reduction != Reduction::Mean {
            return;
        }
        for (channel, sum) in sums.iter_mut().enumerate() {
            if self.needed >> channel & 1 != 0 {
                (self.stages.divide)(&footprints.samples, sum);
            }
        }
    }
}
