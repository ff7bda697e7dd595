//! Depth comparison, in the hardware's sense.
//!
//! The sampler returns **0.0 when (texel OP ref) is true, 1.0 otherwise** (Mesa `genX_state.c`): a texel
//! that "passes" shadows the pixel. An API's comparison, which gives 1 when (ref OP texel) is
//! true, maps to the field so:
//!
//! | API | NEVER | LESS | EQUAL | LEQUAL | GREATER | NOTEQUAL | GEQUAL | ALWAYS |
//! |---|---|---|---|---|---|---|---|---|
//! | Shadow Function | ALWAYS 0 | LEQUAL 4 | NOTEQUAL 6 | LESS 2 | GEQUAL 7 | EQUAL 3 | GREATER 5 | NEVER 1 |
//!
//! The red channel of the texel is compared, before the channel select. Ordered comparisons with NaN are false.

use super::{Weights, outside_at, weighted};
use crate::format::ChannelDecode;
use crate::format::channel::ChannelKind;
use crate::format::channel::loops::DecodeChannel;
use crate::sample::fetch::Words;
use crate::sample::lanes::{ChannelLanes, LANES, Lanes, TAPS, TapLanes, ones};
use crate::sample::rounding::clamp;

/// A Shadow Function as data: the bits of its result when the texel or the reference value is NaN, and which of these bits change when
/// the texel is less, equal or greater.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shadow {
    less: u32,
    equal: u32,
    greater: u32,
    unordered: u32,
    /// The range that reference values are clamped to.
    range: [f32; 2],
}

impl Shadow {
    /// Returns the function with a code of the field: ALWAYS, NEVER, LESS, EQUAL, LEQUAL, GREATER, NOTEQUAL, GEQUAL. UNORM surfaces
    /// clamp the reference value to 0..=1.
    pub(crate) const fn new(function: u8, unorm: bool) -> Self {
        // By code: the relations of the texel to the reference value for which the function is true, as bits: 1 less, 2 equal, 4 greater,
        // 8 unordered.
        const HOLDS: [u8; 8] = [15, 0, 1, 2, 3, 4, 13, 6];
        let holds = HOLDS[(function & 7) as usize];
        const fn answer(holds: bool) -> u32 {
            if holds { 0 } else { 1.0_f32.to_bits() }
        }
        let unordered = answer(holds & 8 != 0);
        Self {
            less: answer(holds & 1 != 0) ^ unordered,
            equal: answer(holds & 2 != 0) ^ unordered,
            greater: answer(holds & 4 != 0) ^ unordered,
            unordered,
            range: if unorm { [0.0, 1.0] } else { [f32::NEG_INFINITY, f32::INFINITY] },
        }
    }

    /// Returns the reference value as the comparison uses it: clamped to the range, NaN as it is.
    #[inline(always)]
    pub(crate) fn reference(&self, value: f32) -> f32 {
        let [low, high] = self.range;
        clamp(value, low, high)
    }

    /// Returns the bits of the result for a texel: 0.0 if the comparison is true, else 1.0.
    #[inline(always)]
    pub(crate) fn answer(&self, texel: f32, reference: f32) -> u32 {
        let (less, equal) = (ones(texel < reference) & self.less, ones(texel == reference) & self.equal);
        self.unordered ^ less ^ equal ^ (ones(texel > reference) & self.greater)
    }
}

/// Replaces the texels of each lane by the results of comparing them with the lane's reference value.
pub(crate) type CompareKernel = fn(&Shadow, reference: &Lanes<f32>, texels: &mut [Lanes<u32>]);

/// See [`CompareKernel`].
#[inline(always)]
pub(crate) fn compare(shadow: &Shadow, reference: &Lanes<f32>, texels: &mut [Lanes<u32>]) {
    let reference = reference.map(|reference| shadow.reference(reference));
    for texels in texels {
        for (texel, reference) in texels.iter_mut().zip(reference) {
            *texel = shadow.answer(f32::from_bits(*texel), reference);
        }
    }
}

/// The rule of a comparison, and the lanes' reference values.
pub(crate) type ShadowTest<'a> = (&'a Shadow, &'a Lanes<f32>);

/// Computes results from words as [`ResultKernel`](super::results::ResultKernel) does, but from comparisons of the first channel in place
/// of its texels.
pub(crate) type ComparedKernel = fn(&[ChannelDecode], &Words, &Weights, ShadowTest<'_>, &mut ChannelLanes);

/// See [`ComparedKernel`]: the weighted mean of the comparisons of footprints of `T` texels, 1, 2, 4 or 8. The operations and their order
/// are those of decoding, [`compare`] and then [`filter::mean`](super::mean).
#[inline(always)]
pub(crate) fn mean<D: DecodeChannel, const T: usize>(
    channels: &[ChannelDecode],
    words: &Words,
    weights: &Weights,
    (shadow, reference): ShadowTest<'_>,
    [out, ..]: &mut ChannelLanes,
) {
    const { assert!(T <= TAPS) };
    let [d, ..] = *channels else { return };
    let shadow = *shadow;
    let [low, high] = d.words(words);
    for i in 0..LANES {
        let reference = shadow.reference(reference[i]);
        let sum = weighted!(T, |tap| {
            let at = tap * LANES + i;
            let texel = f32::from_bits(D::read(&d, low[at], high[at]));
            let answer = f32::from_bits(shadow.answer(texel, reference));
            if T == 1 { answer } else { answer * weights[tap][i] }
        });
        out[i] = sum.to_bits();
    }
}

/// Compares the texels of footprints, with the border in place of those that are outside along any of three axes, and computes the
/// weighted mean of the results.
pub(crate) type CoveredComparedKernel = fn(
    &TapLanes<u32>,
    ShadowTest<'_>,
    &Weights,
    outside: [&Lanes<u32>; 3],
    border: u32,
    out: &mut Lanes<u32>,
);

/// See [`CoveredComparedKernel`]: [`cover`](super::cover), [`compare`], then [`filter::mean`](super::mean).
#[inline(always)]
pub(crate) fn covered_mean<const T: usize>(
    texels: &TapLanes<u32>,
    (shadow, reference): ShadowTest<'_>,
    weights: &Weights,
    [x, y, z]: [&Lanes<u32>; 3],
    border: u32,
    out: &mut Lanes<u32>,
) {
    let shadow = *shadow;
    for i in 0..LANES {
        let reference = shadow.reference(reference[i]);
        let sum = weighted!(T, |tap| {
            let outside = outside_at(tap, [x[i], y[i], z[i]]);
            let texel = border & outside | texels[tap][i] & !outside;
            let answer = f32::from_bits(shadow.answer(f32::from_bits(texel), reference));
            if T == 1 { answer } else { answer * weights[tap][i] }
        });
        out[i] = sum.to_bits();
    }
}

/// See [`ComparedKernel`]: the comparisons of the four texels of gather4. The operations are those of decoding and then [`compare`].
#[inline(always)]
pub(crate) fn gather<D: DecodeChannel>(
    channels: &[ChannelDecode],
    words: &Words,
    _: &Weights,
    (shadow, reference): ShadowTest<'_>,
    out: &mut ChannelLanes,
) {
    let [d, ..] = *channels else { return };
    let shadow = *shadow;
    let [low, high] = d.words(words);
    for i in 0..LANES {
        let reference = shadow.reference(reference[i]);
        let answer = |at: usize| shadow.answer(f32::from_bits(D::read(&d, low[at], high[at])), reference);
        out[0][i] = answer(i);
        out[1][i] = answer(LANES + i);
        out[2][i] = answer(2 * LANES + i);
        out[3][i] = answer(3 * LANES + i);
    }
}

/// Returns the index of the comparing kernels for a kind of channel in [`Stages`](crate::sample::stages::Stages); `None`: there are kernels
/// for the kinds of depth formats alone.
pub(crate) const fn kernel_index(kind: ChannelKind) -> Option<usize> {
    match kind {
        ChannelKind::Unorm | ChannelKind::UnormUnrefined => Some(0),
        ChannelKind::Word => Some(1),
        ChannelKind::Snorm
        | ChannelKind::SnormUnrefined
        | ChannelKind::Unorm32
        | ChannelKind::Snorm32
        | ChannelKind::SmallFloat
        | ChannelKind::Double
        | ChannelKind::Uint
        | ChannelKind::Sint
        | ChannelKind::Uscaled
        | ChannelKind::Sscaled
        | ChannelKind::Srgb8
        | ChannelKind::SrgbNarrow
        | ChannelKind::Srgb10
        | ChannelKind::SharedExponent
        | ChannelKind::BcColour
        | ChannelKind::BcColourSrgb
        | ChannelKind::Bc1Alpha
        | ChannelKind::BcRamp
        | ChannelKind::Rare
        | ChannelKind::Constant => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shadow(function: u8, texel: f32, reference: f32) -> f32 {
        let mut texels = [[texel.to_bits(); LANES]; 2];
        compare(&Shadow::new(function, false), &[reference; LANES], &mut texels);
        f32::from_bits(texels[1][LANES - 1])
    }

    #[test]
    fn the_api_mapping_holds() {
        type Op = fn(f32, f32) -> bool;
        let table: [(u8, Op); 8] = [
            (0, |_, _| false),
            (4, |r, t| r < t),
            (6, |r, t| r == t),
            (2, |r, t| r <= t),
            (7, |r, t| r > t),
            (3, |r, t| r != t),
            (5, |r, t| r >= t),
            (1, |_, _| true),
        ];
        for (field, api) in table {
            for r in [0.25, 0.5, 0.75] {
                for t in [0.25, 0.5, 0.75] {
                    assert_eq!(shadow(field, t, r), f32::from(u8::from(api(r, t))), "{field} {r} {t}");
                }
            }
        }
    }

    #[test]
    fn unordered_comparisons_are_false() {
        assert_eq!([2, 3, 4, 5, 7].map(|f| shadow(f, f32::NAN, 0.5)), [1.0; 5]);
        assert_eq!(shadow(6, f32::NAN, 0.5), 0.0);
        let [any, unorm] = [false, true].map(|unorm| Shadow::new(0, unorm));
        assert!(unorm.reference(f32::NAN).is_nan() && any.reference(f32::NAN).is_nan());
        assert_eq!([2.0, -1.0].map(|value| unorm.reference(value)), [1.0, 0.0]);
        assert_eq!([2.0, f32::NEG_INFINITY].map(|value| any.reference(value)), [2.0, f32::NEG_INFINITY]);
    }
}
