//! Filters: from the texels of a footprint to one value for each lane.
#![allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]

pub(super) mod compare;
pub(super) mod results;

use super::lanes::{BITS, LANES, Lanes, TAPS, TapLanes, ones, opaque_ones};
use crate::format::Texel;
use crate::format::channel::refine::Refinement;

/// Weights of the texels of footprints.
pub(crate) type Weights = TapLanes<f32>;

/// Weights of 1 for all texels.
pub(crate) const ONES: Weights = [[1.0; LANES]; TAPS];

/// The initial value of a minimum or maximum: NaN, which any number replaces.
pub(crate) const EXTREME_IDENTITY: Lanes<u32> = [f32::NAN.to_bits(); LANES];

/// Fills in the weights from the fractions along x, y and z.
pub(crate) type WeightKernel = fn([&Lanes<f32>; 3], &mut Weights);

/// Filters the texels of a channel to one value for each lane: their weighted mean, with the channel's refinement.
pub(crate) type FoldKernel = fn(&TapLanes<u32>, &Weights, Refinement, &mut Lanes<u32>);

/// Returns the weights of 2 x 2 texels from the fractions along x and y.
#[inline(always)]
pub(crate) fn plane_weights(x1: f32, y1: f32) -> [f32; 4] {
    let (x0, y0) = (1.0 - x1, 1.0 - y1);
    [x0 * y0, x1 * y0, x0 * y1, x1 * y1]
}

/// Returns the weights of 2 x 2 x 2 texels from those of 2 x 2 texels and the fraction along z.
#[inline(always)]
pub(crate) fn volume_weights([a, b, c, d]: [f32; 4], z1: f32) -> [f32; 8] {
    let z0 = 1.0 - z1;
    [a * z0, b * z0, c * z0, d * z0, a * z1, b * z1, c * z1, d * z1]
}

/// See [`WeightKernel`]; footprints of `T` texels: 2, 4 or 8.
#[inline(always)]
pub(crate) fn weights<const T: usize>([x, y, z]: [&Lanes<f32>; 3], out: &mut Weights) {
    for i in 0..LANES {
        if T == 2 {
            (out[0][i], out[1][i]) = (1.0 - x[i], x[i]);
            continue;
        }
        let [a, b, c, d] = plane_weights(x[i], y[i]);
        if T == 4 {
            (out[0][i], out[1][i], out[2][i], out[3][i]) = (a, b, c, d);
            continue;
        }
        let [a, b, c, d, e, f, g, h] = volume_weights([a, b, c, d], z[i]);
        (out[0][i], out[1][i], out[2][i], out[3][i]) = (a, b, c, d);
        (out[4][i], out[5][i], out[6][i], out[7][i]) = (e, f, g, h);
    }
}

/// Sums `$part` over `$taps` texels: 1, 2, 4 or 8. The order is fixed: x first, then y, then z. (A macro, because closures in stages
/// are not always inlined.)
macro_rules! weighted {
    ($taps:ident, |$tap:ident| $part:expr) => {{
        macro_rules! part {
            ($number:literal) => {{
                let $tap = $number;
                $part
            }};
        }
        let mut sum: f32 = part!(0);
        if $taps > 1 {
            sum += part!(1);
        }
        if $taps > 2 {
            sum = sum + part!(2) + part!(3);
        }
        if $taps > 4 {
            sum = sum + part!(4) + part!(5) + part!(6) + part!(7);
        }
        sum
    }};
}
pub(crate) use weighted;

/// Computes the weighted mean of `$taps` texels as the first texel plus the weighted differences of all others from it. The mean of equal
/// texels is exactly their value, whatever the rounding of the weights. `$zero`, which texels have in place of 0, is subtracted.
macro_rules! weighted_from {
    ($zero:expr, $taps:ident, |$tap:ident| $texel:expr, $weight:expr) => {{
        let first: f32 = {
            let $tap = 0;
            $texel
        };
        $crate::sample::filter::weighted!($taps, |$tap| {
            if $tap == 0 { first - $zero } else { ($texel - first) * $weight }
        })
    }};
}
pub(crate) use weighted_from;

/// Fills in the weighted means of `$taps` texels of a channel for all lanes, refined unless `$refinement` is [`Refinement::NONE`].
macro_rules! means {
    ($taps:ident, $weights:ident, $refinement:ident, $out:ident, |$tap:ident, $i:ident| $texel:expr) => {
        if $refinement == Refinement::NONE {
            for $i in 0..LANES {
                let sum = weighted!($taps, |$tap| f32::from_bits($texel) * $weights[$tap][$i]);
                $out[$i] = sum.to_bits();
            }
        } else {
            let inverse = $refinement.inverse();
            for $i in 0..LANES {
                let mean =
                    weighted_from!(0.0, $taps, |$tap| f32::from_bits($texel) * inverse, $weights[$tap][$i]);
                $out[$i] = $refinement.refine(mean).to_bits();
            }
        }
    };
}

/// See [`FoldKernel`]: the weighted mean of `T` texels.
#[inline(always)]
pub(crate) fn mean<const T: usize>(
    texels: &TapLanes<u32>,
    weights: &Weights,
    refinement: Refinement,
    out: &mut Lanes<u32>,
) {
    means!(T, weights, refinement, out, |tap, i| texels[tap][i]);
}

/// The border colour of a message, and how each channel is filtered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Border {
    pub(crate) texel: Texel,
    pub(crate) refinements: [Refinement; 4],
    /// A bit for each channel that the message needs.
    pub(crate) needed: u8,
}

/// Computes the weighted means of the channels that are needed, with the border in place of texels that are outside along any axis.
pub(crate) type CoveredMeanKernel =
    fn(&[TapLanes<u32>; 4], &Weights, outside: [&Lanes<u32>; 3], &Border, out: &mut [Lanes<u32>; 4]);

/// See [`CoveredMeanKernel`]: [`cover`], then [`mean`].
#[inline(always)]
pub(crate) fn covered_mean<const T: usize>(
    texels: &[TapLanes<u32>; 4],
    weights: &Weights,
    [x, y, z]: [&Lanes<u32>; 3],
    border: &Border,
    out: &mut [Lanes<u32>; 4],
) {
    let mut outside = [[0; LANES]; T];
    // Texels in the inner loop, so that compilers vectorise the outer one, over lanes.
    for i in 0..LANES {
        for tap in 0..T {
            outside[tap][i] = outside_at(tap, [x[i], y[i], z[i]]);
        }
    }
    for channel in 0..4 {
        if border.needed >> channel & 1 != 0 {
            let (texels, out) = (&texels[channel], &mut out[channel]);
            let (border, refinement) = (border.texel[channel], border.refinements[channel]);
            means!(T, weights, refinement, out, |tap, i| {
                border & outside[tap][i] | texels[tap][i] & !outside[tap][i]
            });
        }
    }
}

/// How a footprint's texels are reduced to one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) enum Reduction {
    Mean,
    Minimum,
    Maximum,
}

/// Computes the minimum or maximum of the texels of footprints whose weight is not 0, for the lanes in the mask, in the last argument.
/// Several texels are a whole footprint: the caller puts [`EXTREME_IDENTITY`] there before, and lanes outside of the mask have it
/// afterwards. One texel is reduced with the value that is already there. A NaN texel never replaces a value (U15).
pub(crate) type ExtremeKernel = fn(Reduction, &[Lanes<u32>], &Weights, u32, &mut Lanes<u32>);

/// See [`ExtremeKernel`].
#[inline(always)]
pub(crate) fn extreme(
    reduction: Reduction,
    texels: &[Lanes<u32>],
    weights: &Weights,
    on: u32,
    out: &mut Lanes<u32>,
) {
    let sign = sign(reduction);
    // Hosts reduce a whole footprint at once: intermediate values stay in registers, and nothing waits for `out` to be stored.
    if LANES > 1 {
        if let Some(texels) = texels.first_chunk::<8>() {
            return extreme_of(sign, texels, weights, on, out);
        }
        if let Some(texels) = texels.first_chunk::<4>() {
            return extreme_of(sign, texels, weights, on, out);
        }
        if let Some(texels) = texels.first_chunk::<2>() {
            return extreme_of(sign, texels, weights, on, out);
        }
    }
    let opaque_ones = opaque_ones();
    for (texel, weight) in texels.iter().zip(weights) {
        for i in 0..LANES {
            // The only lane of a small target is on.
            let on = if LANES == 1 { u32::MAX } else { ones(on & BITS[i] != 0) & opaque_ones };
            let takes = ones(weight[i] != 0.0) & on;
            out[i] = smaller(sign, out[i], texel[i]) & takes | out[i] & !takes;
        }
    }
}

/// Computes the minimum or maximum (by `sign`) of those of `T` texels of each lane whose weight is not 0. Inactive lanes get
/// [`EXTREME_IDENTITY`].
#[inline(always)]
fn extreme_of<const T: usize>(
    sign: u32,
    texels: &[Lanes<u32>; T],
    weights: &Weights,
    on: u32,
    out: &mut Lanes<u32>,
) {
    for i in 0..LANES {
        let (mut best, on) = (EXTREME_IDENTITY[i], ones(on & BITS[i] != 0));
        for tap in 0..T {
            let texel = texels[tap][i];
            let takes = ones(weights[tap][i] != 0.0) & on;
            best = smaller(sign, best, texel) & takes | best & !takes;
        }
        out[i] = best;
    }
}

/// Returns the `sign` with which [`smaller`] gives the minimum or the maximum: the larger number is the one whose negative is smaller.
#[inline(always)]
const fn sign(reduction: Reduction) -> u32 {
    match reduction {
        Reduction::Maximum => 0x8000_0000,
        Reduction::Minimum | Reduction::Mean => 0,
    }
}

/// Returns the one of two numbers that is smaller after both are XORed with `sign`; the first if they are equal. If one is NaN, it returns
/// the other one.
#[inline(always)]
fn smaller(sign: u32, first: u32, second: u32) -> u32 {
    let [a, b] = [first, second].map(|bits| f32::from_bits(bits ^ sign));
    let takes = ones(b < a) | ones(a.is_nan());
    second & takes | first & !takes
}

/// Joins the results of two mip levels in `finer`: their mean, in which `fraction` is the weight of the coarser one, or their minimum or
/// maximum. A mip level whose weight is 0 does not count, whatever it holds.
pub(crate) type JoinLevelsKernel =
    fn(Reduction, finer: &mut Lanes<u32>, coarser: &Lanes<u32>, fraction: &Lanes<f32>);

/// See [`JoinLevelsKernel`].
#[inline(always)]
pub(crate) fn join_levels(
    reduction: Reduction,
    finer: &mut Lanes<u32>,
    coarser: &Lanes<u32>,
    fraction: &Lanes<f32>,
) {
    let sign = sign(reduction);
    for i in 0..LANES {
        let (a, b, f) = (finer[i], coarser[i], fraction[i]);
        let both = match reduction {
            Reduction::Mean => (f32::from_bits(a) * (1.0 - f) + f32::from_bits(b) * f).to_bits(),
            Reduction::Minimum | Reduction::Maximum => smaller(sign, a, b),
        };
        finer[i] = of_level(f, a, b, both);
    }
}

/// Returns `both`, or the result of one mip level where the weight of the other one is 0.
#[inline(always)]
fn of_level(fraction: f32, finer: u32, coarser: u32, both: u32) -> u32 {
    let (first, last) = (ones(fraction == 0.0), ones(fraction >= 1.0));
    coarser & last | (finer & first | both & !first) & !last
}

/// Puts the border in place of channels of texel number `tap`, in lanes where it is outside along any of the axes (bit 0: the first texel
/// along that axis, bit 1: the second).
pub(crate) type CoverKernel =
    fn(outside: [&Lanes<u32>; 3], tap: usize, border: &[u32], channels: &mut [&mut Lanes<u32>]);

/// See [`CoverKernel`].
#[inline(always)]
pub(crate) fn cover(
    [x, y, z]: [&Lanes<u32>; 3],
    tap: usize,
    border: &[u32],
    channels: &mut [&mut Lanes<u32>],
) {
    let (mut outside, opaque_ones) = ([0; LANES], opaque_ones());
    for i in 0..LANES {
        outside[i] = outside_at(tap, [x[i], y[i], z[i]]) & opaque_ones;
    }
    for (texels, value) in channels.iter_mut().zip(border) {
        for i in 0..LANES {
            texels[i] = value & outside[i] | texels[i] & !outside[i];
        }
    }
}

/// Returns all ones if texel number `tap` of a lane's footprint is outside along any axis, else 0. `x`, `y` and `z`: the lane's
/// [`AxisTaps::outside`](super::place::axis::AxisTaps).
#[inline(always)]
pub(crate) fn outside_at(tap: usize, [x, y, z]: [u32; 3]) -> u32 {
    ones((x & 1 << (tap & 1)) | (y & 1 << (tap >> 1 & 1)) | (z & 1 << (tap >> 2 & 1)) != 0)
}
