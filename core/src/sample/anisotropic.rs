//! Anisotropic filtering: the mean of bilinear samples along the longer derivative.

use super::filter::Reduction;
use super::lanes::{LANES, numbers};
use super::plan::Pass;
use super::scratch::{SAMPLES, Scratch};
use super::texels::Reader;

impl Reader<'_, '_, '_> {
    /// The samples of lanes on a level: `n` of them at `k / (n + 1) - 1/2` of the longer derivative, k = 1 to n.
    #[inline(never)]
    pub(super) fn samples(&mut self, pass: &Pass, level: usize, on: u32, target: usize) {
        let p = self.plan;
        let mean = p.reduction == Reduction::Mean;
        let centre = self.scratch.coordinate;
        let most = numbers(on).filter_map(|lane| self.scratch.footprints.samples.get(lane)).max();
        let mut first = true;
        for number in 1..=most.copied().unwrap_or(1) {
            let here = self.aim(number, on, &centre);
            if here == 0 {
                continue;
            }
            if !mean {
                self.filter(pass, level, here, target);
                continue;
            }
            self.filter(pass, level, here, SAMPLES);
            self.add(here, first, target);
            first = false;
        }
        self.scratch.coordinate = centre;
        if mean {
            self.divide(on, target);
        }
    }

    /// Moves coordinates to sample `number` (from 1); returns the lanes of `on` that have it.
    fn aim(&mut self, number: u32, on: u32, centre: &[[f32; LANES]; 3]) -> u32 {
        let Scratch { coordinate, footprints, .. } = &mut *self.scratch;
        let mut here = 0;
        for (axis, ((coordinate, centre), major)) in
            coordinate.iter_mut().zip(centre).zip(&footprints.major).enumerate()
        {
            if axis >= self.plan.axes {
                break;
            }
            let lanes = coordinate.iter_mut().zip(centre).zip(major).zip(&footprints.samples);
            for (((coordinate, centre), major), samples) in lanes {
                // A lane with one sample has it in the centre.
                let along = number as i32 as f32 / samples.wrapping_add(1) as i32 as f32 - 0.5;
                *coordinate = if *samples > 1 { *centre + *major * along } else { *centre };
            }
        }
        for (lane, samples) in footprints.samples.iter().enumerate() {
            here |= u32::from(*samples >= number) << lane;
        }
        here & on
    }

    /// Adds the sample to the sum of the lanes that have it.
    fn add(&mut self, here: u32, first: bool, target: usize) {
        let needed = self.plan.needed;
        let mut sums = self.scratch.values.get(target).copied().unwrap_or([[0; LANES]; 4]);
        let samples = &self.scratch.values[SAMPLES];
        for (channel, (sums, samples)) in sums.iter_mut().zip(samples).enumerate() {
            if needed >> channel & 1 == 0 {
                continue;
            }
            for (lane, (sum, sample)) in sums.iter_mut().zip(samples).enumerate() {
                let total = f32::from_bits(*sum) + f32::from_bits(*sample);
                let added = if first { *sample } else { total.to_bits() };
                *sum = if here >> lane & 1 != 0 { added } else { *sum };
            }
        }
        if let Some(target) = self.scratch.values.get_mut(target) {
            *target = sums;
        }
    }

    /// Sums become means.
    fn divide(&mut self, on: u32, target: usize) {
        let Scratch { values, footprints, .. } = &mut *self.scratch;
        let Some(values) = values.get_mut(target) else { return };
        for channel in values {
            for (lane, (value, samples)) in channel.iter_mut().zip(&footprints.samples).enumerate() {
                let mean = f32::from_bits(*value) / *samples as i32 as f32;
                *value = if on >> lane & 1 != 0 && *samples > 1 { mean.to_bits() } else { *value };
            }
        }
    }
}
