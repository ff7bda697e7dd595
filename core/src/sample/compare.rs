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
//! The texel is red before the channel select. Ordered comparisons with NaN are false.

use super::axis::clamp;
use super::lanes::{Lanes, ones};

/// A Shadow Function: what it answers when the texel is less, equal, greater, or when one of both is NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shadow {
    less: f32,
    equal: f32,
    greater: f32,
    unordered: f32,
}

impl Shadow {
    /// By the field's code: ALWAYS, NEVER, LESS, EQUAL, LEQUAL, GREATER, NOTEQUAL, GEQUAL.
    pub(super) const fn new(function: u8) -> Self {
        // Bits of the comparisons that hold: 1 less, 2 equal, 4 greater, 8 unordered.
        const HOLDS: [u8; 8] = [15, 0, 1, 2, 3, 4, 13, 6];
        let [always, never, less, equal, less_equal, greater, not_equal, greater_equal] = HOLDS;
        let holds = match function & 7 {
            0 => always,
            1 => never,
            2 => less,
            3 => equal,
            4 => less_equal,
            5 => greater,
            6 => not_equal,
            _ => greater_equal,
        };
        const fn answer(holds: bool) -> f32 {
            if holds { 0.0 } else { 1.0 }
        }
        Self {
            less: answer(holds & 1 != 0),
            equal: answer(holds & 2 != 0),
            greater: answer(holds & 4 != 0),
            unordered: answer(holds & 8 != 0),
        }
    }
}

/// Replaces a texel of each lane by its comparison with the lane's reference value.
pub(super) type CompareKernel = fn(&Shadow, reference: &Lanes<f32>, texels: &mut Lanes<u32>);

/// See [`CompareKernel`].
#[inline(always)]
pub(super) fn compare(shadow: &Shadow, reference: &Lanes<f32>, texels: &mut Lanes<u32>) {
    for (texel, reference) in texels.iter_mut().zip(reference) {
        let value = f32::from_bits(*texel);
        let (less, equal) = (ones(value < *reference), ones(value == *reference));
        let greater = ones(value > *reference);
        *texel = less & shadow.less.to_bits()
            | equal & shadow.equal.to_bits()
            | greater & shadow.greater.to_bits()
            | !(less | equal | greater) & shadow.unordered.to_bits();
    }
}

/// The reference value as the comparison uses it: UNORM surfaces hold it in 0..=1.
#[inline(always)]
pub(super) fn reference(value: f32, unorm: bool) -> f32 {
    if unorm { clamp(value, 0.0, 1.0) } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::lanes::LANES;

    fn shadow(function: u8, texel: f32, reference: f32) -> f32 {
        let mut texels = [texel.to_bits(); LANES];
        compare(&Shadow::new(function), &[reference; LANES], &mut texels);
        f32::from_bits(texels[LANES - 1])
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
        assert!(reference(f32::NAN, true).is_nan());
        assert_eq!([reference(2.0, true), reference(-1.0, true), reference(2.0, false)], [1.0, 0.0, 2.0]);
    }
}
