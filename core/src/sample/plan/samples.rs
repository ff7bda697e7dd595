//! The samples of anisotropic footprints: their coordinates, and their mean, minimum or maximum.

use crate::sample::filter::{ONES, Reduction};
use crate::sample::lanes::{ChannelLanes, Lanes};
use crate::sample::levels::lod::PixelFootprints;
use crate::sample::plan::Plan;
use core::slice;

impl Plan<'_> {
    /// Computes the coordinates of sample `number` (from 1) of each lane's footprint from those of the footprint's centre.
    #[inline(always)]
    pub(crate) fn sample_coords(
        &self,
        number: u32,
        footprints: &PixelFootprints,
        centre: &[Lanes<f32>; 3],
        out: &mut [Lanes<f32>; 3],
    ) {
        let axes = out.iter_mut().zip(centre).zip(&footprints.major);
        for ((out, centre), major) in axes.take(self.axes) {
            (self.stages.sample_coords)(number, &footprints.samples, centre, major, out);
        }
    }

    /// Adds sample `number` to `sum` in the lanes that have it, those in `on`. For MIN and MAX, `sum` holds the extreme of the samples
    /// so far.
    #[inline(always)]
    pub(crate) fn add_sample(
        &self,
        number: u32,
        footprints: &PixelFootprints,
        sample: &ChannelLanes,
        on: u32,
        sum: &mut ChannelLanes,
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

    /// Divides the sums of samples by their numbers of samples; MIN and MAX have no sums and stay as they are.
    #[inline(always)]
    pub(crate) fn divide_samples(&self, footprints: &PixelFootprints, sums: &mut ChannelLanes) {
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
