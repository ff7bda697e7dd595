//! Anisotropic footprints: the positions of their samples along one axis, the sum of the samples, and their mean in one channel.
#![allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]

use crate::sample::lanes::{ChannelLanes, LANES, Lanes, ones};

/// The largest number of samples in a footprint: Maximum Anisotropy is at most 16:1.
pub(crate) const MOST: u32 = 16;

/// Fills in the coordinates, along one axis, of sample `number` (from 1) of each lane's footprint of `samples` samples:
/// `centre + along * (number / (samples + 1) - 1/2)`, where `along` is the longer derivative.
pub(crate) type SampleCoordsKernel =
    fn(number: u32, samples: &Lanes<u32>, centre: &Lanes<f32>, along: &Lanes<f32>, out: &mut Lanes<f32>);

/// See [`SampleCoordsKernel`].
#[inline(always)]
pub(crate) fn sample_coords(
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
        // A single sample is in the centre, whatever the derivative is.
        let several = ones(samples[i] > 1);
        out[i] = f32::from_bits(moved & several | centre[i].to_bits() & !several);
    }
}

/// Adds sample `number` to `sum` in the lanes whose footprint has a sample of that number, in each channel of the mask `channels`.
pub(crate) type SumKernel =
    fn(number: u32, samples: &Lanes<u32>, channels: u8, sample: &ChannelLanes, sum: &mut ChannelLanes);

/// See [`SumKernel`].
#[inline(always)]
pub(crate) fn sum(
    number: u32,
    samples: &Lanes<u32>,
    channels: u8,
    sample: &ChannelLanes,
    sum: &mut ChannelLanes,
) {
    for (channel, (sum, sample)) in sum.iter_mut().zip(sample).enumerate() {
        if channels >> channel & 1 == 0 {
            continue;
        }
        for i in 0..LANES {
            let has = ones(samples[i] >= number);
            // Lanes without this sample add -0, which leaves any sum unchanged.
            let sample = f32::from_bits(sample[i] & has | (-0.0_f32).to_bits() & !has);
            sum[i] = (f32::from_bits(sum[i]) + sample).to_bits();
        }
    }
}

/// Divides each lane's sum of one channel by the lane's number of samples.
pub(crate) type DivideKernel = fn(samples: &Lanes<u32>, sum: &mut Lanes<u32>);

/// See [`DivideKernel`]; the sum of a single sample stays unchanged.
#[inline(always)]
pub(crate) fn divide(samples: &Lanes<u32>, sum: &mut Lanes<u32>) {
    for i in 0..LANES {
        sum[i] = (f32::from_bits(sum[i]) / samples[i] as i32 as f32).to_bits();
    }
}
