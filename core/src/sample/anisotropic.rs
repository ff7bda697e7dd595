//! Anisotropic filtering: the mean of bilinear samples along the longer derivative.

use core::slice;

use super::filter::{ONES, Reduction};
use super::lanes::{Channels, Lanes};
use super::lod::Footprints;
use super::pass::Pass;
use super::plan::Plan;
use super::scratch::{Room, SAMPLES};
use super::texels::Reader;

/// The samples of a footprint at most: Maximum Anisotropy is 16:1 at most.
pub(super) const MOST: u32 = 16;

impl Reader<'_, '_, '_> {
    /// The samples of lanes on a level: `n` of them at `k / (n + 1) - 1/2` of the longer derivative, k = 1 to n.
    #[inline(never)]
    pub(super) fn samples(&mut self, pass: &Pass, level: usize, on: u32, target: usize) {
        let centre = self.room.coordinate;
        let mut here = on;
        for number in 1..=MOST {
            if here == 0 {
                break;
            }
            let Room { coordinate, footprints, .. } = &mut *self.room;
            self.plan.aim(number, footprints, &centre, coordinate);
            // Every lane has a first sample: its result is the sum so far.
            if number == 1 {
                self.filter(pass, level, here, target);
            } else {
                self.filter(pass, level, here, SAMPLES);
                let Room { values, footprints, .. } = &mut *self.room;
                let (levels, others) = values.split_at_mut(SAMPLES);
                if let (Some(sum), [sample, ..]) = (levels.get_mut(target), others) {
                    self.plan.add_sample(number, footprints, sample, here, sum);
                }
            }
            here = on & self.room.footprints.lanes_with(number.wrapping_add(1));
        }
        self.room.coordinate = centre;
        let Room { values, footprints, .. } = &mut *self.room;
        if let Some(sum) = values.get_mut(target) {
            self.plan.divide_samples(footprints, sum);
        }
    }
}

impl Plan<'_> {
    /// Moves coordinates to sample `number` (from 1).
    #[inline(always)]
    pub(super) fn aim(
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
    pub(super) fn add_sample(
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
    pub(super) fn divide_samples(&self, footprints: &Footprints, sums: &mut Channels) {
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
