//! The samples of anisotropic footprints, an axis or a channel at a time: where they are, their sum, their mean.
#![allow(clippy::needless_range_loop, reason = "several arrays, one number of the lane")]
#![allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]

use crate::sample::lanes::{Channels, LANES, Lanes, ones};

/// The samples of a footprint at most: Maximum Anisotropy is 16:1 at most.
pub(crate) const MOST: u32 = 16;

/// Moves coordinates of an axis to sample `number` (from 1) of as many as the lanes have: to where `along` the derivative it is.
pub(crate) type AimKernel =
    fn(number: u32, samples: &Lanes<u32>, centre: &Lanes<f32>, along: &Lanes<f32>, out: &mut Lanes<f32>);

/// See [`AimKernel`].
#[inline(always)]
pub(crate) fn aim(
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

/// Adds sample `number` to the sum of the lanes that have it, of the channels in a mask.
pub(crate) type SumKernel =
    fn(number: u32, samples: &Lanes<u32>, channels: u8, sample: &Channels, sum: &mut Channels);

/// See [`SumKernel`].
#[inline(always)]
pub(crate) fn sum(number: u32, samples: &Lanes<u32>, channels: u8, sample: &Channels, sum: &mut Channels) {
    for (channel, (sum, sample)) in sum.iter_mut().zip(sample).enumerate() {
        if channels >> channel & 1 == 0 {
            continue;
        }
        for i in 0..LANES {
            let has = ones(samples[i] >= number);
            // Others add -0, which leaves everything as it is.
            let sample = f32::from_bits(sample[i] & has | (-0.0_f32).to_bits() & !has);
            sum[i] = (f32::from_bits(sum[i]) + sample).to_bits();
        }
    }
}

/// Makes means of the sums of a channel.
pub(crate) type DivideKernel = fn(samples: &Lanes<u32>, sum: &mut Lanes<u32>);

/// See [`DivideKernel`]; the sum of one sample stays as it is.
#[inline(always)]
pub(crate) fn divide(samples: &Lanes<u32>, sum: &mut Lanes<u32>) {
    for i in 0..LANES {
        sum[i] = (f32::from_bits(sum[i]) / samples[i] as i32 as f32).to_bits();
    }
}
