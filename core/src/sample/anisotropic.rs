//! Anisotropic filtering: the mean of bilinear samples along the longer derivative.

use core::slice;

use super::filter::{ONES, Reduction};
use super::lanes::{Lanes, WIDE, mask};
use super::pass::Pass;
use super::scratch::{Room, SAMPLES};
use super::texels::Reader;

/// The samples of a footprint at most: Maximum Anisotropy is 16:1 at most.
const MOST: u32 = 16;

impl Reader<'_, '_, '_> {
    /// The samples of lanes on a level: `n` of them at `k / (n + 1) - 1/2` of the longer derivative, k = 1 to n.
    #[inline(never)]
    pub(super) fn samples(&mut self, pass: &Pass, level: usize, on: u32, target: usize) {
        let centre = self.room.coordinate;
        let at = core::mem::replace(&mut self.plane_at, [None; WIDE]);
        let mut here = on;
        for number in 1..=MOST {
            if here == 0 {
                break;
            }
            self.aim(number, &centre);
            // Every lane has a first sample: its result is the sum so far.
            if number == 1 {
                self.filter(pass, level, here, target);
            } else {
                self.filter(pass, level, here, SAMPLES);
                self.add(number, target, here);
            }
            here = on & mask(&self.room.footprints.samples.map(|samples| u32::from(samples > number)));
        }
        self.room.coordinate = centre;
        self.plane_at = at;
        if self.plan.reduction == Reduction::Mean {
            self.divide(target);
        }
    }

    /// Moves coordinates to sample `number` (from 1).
    fn aim(&mut self, number: u32, centre: &[Lanes<f32>; 3]) {
        let p = self.plan;
        let Room { coordinate, footprints, .. } = &mut *self.room;
        let axes = coordinate.iter_mut().zip(centre).zip(&footprints.major);
        for ((coordinate, centre), major) in axes.take(p.axes) {
            (p.stages.aim)(number, &footprints.samples, centre, major, coordinate);
        }
    }

    /// Adds the sample to the sum of the lanes that have it, those in `on`; MIN and MAX reduce it with the others.
    fn add(&mut self, number: u32, target: usize, on: u32) {
        let p = self.plan;
        let Room { values, footprints, .. } = &mut *self.room;
        let (levels, others) = values.split_at_mut(SAMPLES);
        let (Some(sums), [samples, ..]) = (levels.get_mut(target), others) else { return };
        for (channel, (sum, sample)) in sums.iter_mut().zip(samples).enumerate() {
            if p.needed >> channel & 1 != 0 {
                match p.reduction {
                    Reduction::Mean => (p.stages.sum)(number, &footprints.samples, sample, sum),
                    reduction => (p.stages.extreme)(reduction, slice::from_ref(sample), &ONES, on, sum),
                }
            }
        }
    }

    /// Sums become means.
    fn divide(&mut self, target: usize) {
        let p = self.plan;
        let Room { values, footprints, .. } = &mut *self.room;
        for (channel, sum) in values.get_mut(target).into_iter().flatten().enumerate() {
            if p.needed >> channel & 1 != 0 {
                (p.stages.divide)(&footprints.samples, sum);
            }
        }
    }
}
