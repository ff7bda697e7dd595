//! Anisotropic filtering: the mean of bilinear samples along the longer derivative.
#![allow(clippy::needless_range_loop, reason = "several arrays, one number of the lane")]
#![allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]

use super::filter::Reduction;
use super::lanes::{LANES, Lanes, mask, ones};
use super::plan::Pass;
use super::scratch::{SAMPLES, Scratch};
use super::texels::Reader;

/// The samples of a footprint at most: Maximum Anisotropy is 16:1 at most.
const MOST: u32 = 16;

/// Moves coordinates of an axis to sample `number` (from 1) of as many as the lanes have: to where `along` the derivative it is.
pub(super) type AimKernel =
    fn(number: u32, samples: &Lanes<u32>, centre: &Lanes<f32>, along: &Lanes<f32>, out: &mut Lanes<f32>);

/// See [`AimKernel`].
#[inline(always)]
pub(super) fn aim(
    number: u32,
    samples: &Lanes<u32>,
    centre: &Lanes<f32>,
    along: &Lanes<f32>,
    out: &mut Lanes<f32>,
) {
    let number = number as i32 as f32;
    for i in 0..LANES {
        let part = number / samples[i].wrapping_add(1) as i32 as f32 - 0.5;
        let moved = (centre[i] + along[i] * part).to_bits();
        // A lane with one sample has it in the centre.
        let several = ones(samples[i] > 1);
        out[i] = f32::from_bits(moved & several | centre[i].to_bits() & !several);
    }
}

/// Adds sample `number` of a channel to the sum of the lanes that have it.
pub(super) type SumKernel = fn(number: u32, samples: &Lanes<u32>, sample: &Lanes<u32>, sum: &mut Lanes<u32>);

/// See [`SumKernel`].
#[inline(always)]
pub(super) fn sum(number: u32, samples: &Lanes<u32>, sample: &Lanes<u32>, sum: &mut Lanes<u32>) {
    for i in 0..LANES {
        let total = (f32::from_bits(sum[i]) + f32::from_bits(sample[i])).to_bits();
        let has = ones(samples[i] >= number);
        sum[i] = total & has | sum[i] & !has;
    }
}

/// Makes means of the sums of a channel.
pub(super) type DivideKernel = fn(samples: &Lanes<u32>, sum: &mut Lanes<u32>);

/// See [`DivideKernel`]; the sum of one sample stays as it is.
#[inline(always)]
pub(super) fn divide(samples: &Lanes<u32>, sum: &mut Lanes<u32>) {
    for i in 0..LANES {
        let mean = (f32::from_bits(sum[i]) / samples[i] as i32 as f32).to_bits();
        let several = ones(samples[i] > 1);
        sum[i] = mean & several | sum[i] & !several;
    }
}

impl Reader<'_, '_, '_> {
    /// The samples of lanes on a level: `n` of them at `k / (n + 1) - 1/2` of the longer derivative, k = 1 to n.
    #[inline(never)]
    pub(super) fn samples(&mut self, pass: &Pass, level: usize, on: u32, target: usize) {
        let p = self.plan;
        let mean = p.reduction == Reduction::Mean;
        let centre = self.scratch.coordinate;
        let mut here = on;
        for number in 1..=MOST {
            if here == 0 {
                break;
            }
            self.aim(number, &centre);
            // Every lane has a first sample: its result is the sum so far.
            if !mean || number == 1 {
                self.filter(pass, level, here, target);
            } else {
                self.filter(pass, level, here, SAMPLES);
                self.add(number, target);
            }
            here = on & mask(&self.scratch.footprints.samples.map(|samples| u32::from(samples > number)));
        }
        self.scratch.coordinate = centre;
        if mean {
            self.divide(target);
        }
    }

    /// Moves coordinates to sample `number` (from 1).
    fn aim(&mut self, number: u32, centre: &[Lanes<f32>; 3]) {
        let p = self.plan;
        let Scratch { coordinate, footprints, .. } = &mut *self.scratch;
        let axes = coordinate.iter_mut().zip(centre).zip(&footprints.major);
        for ((coordinate, centre), major) in axes.take(p.axes) {
            (p.stages.aim)(number, &footprints.samples, centre, major, coordinate);
        }
    }

    /// Adds the sample to the sum of the lanes that have it.
    fn add(&mut self, number: u32, target: usize) {
        let p = self.plan;
        let Scratch { values, footprints, .. } = &mut *self.scratch;
        let (levels, others) = values.split_at_mut(SAMPLES);
        let (Some(sums), [samples, ..]) = (levels.get_mut(target), others) else { return };
        for (channel, (sum, sample)) in sums.iter_mut().zip(samples).enumerate() {
            if p.needed >> channel & 1 != 0 {
                (p.stages.sum)(number, &footprints.samples, sample, sum);
            }
        }
    }

    /// Sums become means.
    fn divide(&mut self, target: usize) {
        let p = self.plan;
        let Scratch { values, footprints, .. } = &mut *self.scratch;
        for (channel, sum) in values.get_mut(target).into_iter().flatten().enumerate() {
            if p.needed >> channel & 1 != 0 {
                (p.stages.divide)(&footprints.samples, sum);
            }
        }
    }
}
