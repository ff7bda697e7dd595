//! Means of UNORM and SNORM texels.
//!
//! A field of `b` bits (without the sign) that holds `n` is `n / (2^b - 1)`, which is `n / 2^b` (the unrefined value) plus `1 / (2^b - 1)`
//! of it. Unrefined values are exact: the mean of several texels is made of them and is itself refined, once. That is less work, and
//! rounds less.

use crate::bits;

/// The refinement of a channel's mean: the part of the unrefined mean that is added to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Refinement(pub(super) f32);

impl Refinement {
    /// For channels whose means are made of decoded values. (Not 0: that is the refinement of fields of one bit, which are their values.)
    pub(crate) const NONE: Self = Self(-1.0);

    /// The factor that makes values unrefined: 1 / (1 + 1 / (2^b - 1)), which is 1 - 2^-b.
    #[inline(always)]
    pub(crate) const fn inverse(self) -> f32 {
        // 1 / (2^b - 1) has the exponent of 2^-b, if there is more than one bit.
        1.0 - f32::from_bits(self.0.to_bits() & 0x7f80_0000)
    }

    /// Returns the mean of values from the mean of unrefined ones, for channels whose means are refined.
    #[inline(always)]
    pub(crate) fn refine(self, mean: f32) -> f32 {
        mean + mean * self.0
    }
}

/// Bits of the mantissa of an f32.
const MANTISSA: u8 = 23;

/// How fields of UNORM and SNORM channels become floats without a conversion: they are put into the mantissa of a constant float, on which
/// the differences of texels do not depend. These differences are exact, as is the first texel without that constant: a mean made of them
/// is one of unrefined values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MantissaField {
    /// The field ends below the exponent of a float: it is masked where it is, without a shift.
    pub(crate) is_low: bool,
    shift: u32,
    mask: u32,
    /// The float that a field of 0 becomes.
    pub(crate) zero: f32,
    /// SNORM: the float that the least number becomes.
    least: f32,
    pub(crate) refinement: Refinement,
}

impl MantissaField {
    /// For a field (its lowest bit and its width) of up to 23 bits, whose last bit counts `scale`, a power of two.
    pub(super) const fn new([shift, width]: [u8; 2], least: f32, refine: f32, scale: f32) -> Self {
        let is_low = shift.wrapping_add(width) <= MANTISSA;
        let place = if is_low { shift as u32 } else { 0 };
        // In this float the last bit of the field counts 1.
        let base = f32::from_bits(((127 + MANTISSA) as u32).wrapping_sub(place) << MANTISSA as u32);
        // SNORM: half of the numbers are below 0, so that `zero` has the sign bit of the field, which `number` inverts.
        let zero = if least < 0.0 { base + (1.0 - least) } else { base };
        let mask = (bits::mask(width as u32) as u32).wrapping_shl(place);
        let (zero, least) = (zero * scale, (zero + least) * scale);
        Self { is_low, shift: shift as u32, mask, zero, least, refinement: Refinement(refine) }
    }

    /// Returns a texel's unrefined value plus `zero`. `SIGNED`: the field is SNORM; `LOW`: see `is_low`.
    #[inline(always)]
    pub(crate) fn number<const SIGNED: bool, const LOW: bool>(&self, word: u32) -> f32 {
        let field = if LOW { word } else { word.wrapping_shr(self.shift) };
        let number = f32::from_bits(field & self.mask ^ self.zero.to_bits());
        if SIGNED && number < self.least { self.least } else { number }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ChannelDecode, ChannelKind};
    use super::*;
    use crate::format::fields::{ChannelField, Numeric};

    /// Some of the values that a field of `width` bits can hold, the least and the largest among them.
    fn held(width: u32) -> impl Iterator<Item = u32> {
        let largest = bits::mask(width) as u32;
        let corners = [0, 1, largest >> 1, (largest >> 1) + 1, largest.saturating_sub(1), largest];
        corners.into_iter().chain((0..2000_u32).map(move |i| i.wrapping_mul(0x9e37_79b1) & largest))
    }

    #[test]
    fn values_of_fields_are_unrefined_and_refined_without_a_loss() {
        let unorm = (1..=23).map(|width| (Numeric::Unorm, width));
        let snorm = (2..=16).map(|width| (Numeric::Snorm, width));
        for (numeric, width) in unorm.chain(snorm) {
            let decode = ChannelDecode::new(&ChannelField { shift: 0, width, numeric }, 0);
            let (refinement, signed) = (decode.refinement(), u32::from(numeric == Numeric::Snorm));
            let steps = bits::mask(u32::from(width) - signed) as f32;
            // One bit is its value.
            let whole = if steps == 1.0 { 1.0 } else { steps + 1.0 };
            for field in held(width.into()) {
                let value = f32::from_bits(decode.read(field, 0));
                let unrefined = value * refinement.inverse();
                assert_eq!(unrefined, (value * steps).round() / whole, "{numeric:?} {width} {field:#x}");
                assert_eq!(
                    refinement.refine(unrefined).to_bits(),
                    value.to_bits(),
                    "{numeric:?} {width} {field:#x}"
                );
            }
        }
    }

    /// The mean of two texels, of which the second has a weight of 0.7.
    fn mean<const SIGNED: bool, const LOW: bool>(decode: &ChannelDecode, [a, b]: [u32; 2]) -> f32 {
        let [whole] = &decode.whole;
        let first = whole.number::<SIGNED, LOW>(a);
        whole.refinement.refine(first - whole.zero + (whole.number::<SIGNED, LOW>(b) - first) * 0.7)
    }

    #[test]
    fn whole_numbers_give_the_same_means_wherever_the_field_is() {
        for (width, fields) in
            [(8, [0x51_u32, 0xfe]), (8, [0x80, 0x7f]), (5, [0x11, 0x1f]), (2, [1, 2]), (1, [1, 0])]
                .into_iter()
                .chain([(16, [0x8001, 0xffff]), (23, [0x40_0000, 0x7f_ffff])])
        {
            for shift in 0..=32 - width {
                for numeric in [Numeric::Unorm, Numeric::Snorm] {
                    let decode = ChannelDecode::new(&ChannelField { shift, width, numeric }, 0);
                    let no_number = numeric == Numeric::Snorm && width == 1;
                    if no_number || !matches!(decode.kind, ChannelKind::Unorm | ChannelKind::Snorm) {
                        continue;
                    }
                    // All other bits of the words are ones.
                    let words = fields
                        .map(|field| (!bits::mask(width.into()) as u32 | field).rotate_left(shift.into()));
                    let refinement = decode.refinement();
                    let [a, b] =
                        words.map(|word| f32::from_bits(decode.read(word, 0)) * refinement.inverse());
                    let want = refinement.refine(a + (b - a) * 0.7);
                    let found = match (numeric, decode.whole[0].is_low) {
                        (Numeric::Unorm, true) => mean::<false, true>(&decode, words),
                        (Numeric::Unorm, false) => mean::<false, false>(&decode, words),
                        (_, true) => mean::<true, true>(&decode, words),
                        (_, false) => mean::<true, false>(&decode, words),
                    };
                    assert_eq!(found, want, "{numeric:?} of {width} bits from bit {shift}");
                    assert_eq!(decode.whole[0].is_low, shift + width < 24);
                }
            }
        }
    }

    #[test]
    fn means_of_other_values_stay_as_they_are() {
        let float = ChannelDecode::new(&ChannelField { shift: 0, width: 32, numeric: Numeric::Float }, 0);
        let fixed = ChannelDecode::new(&ChannelField { shift: 0, width: 32, numeric: Numeric::Sfixed }, 0);
        for decode in [float, fixed] {
            assert_eq!(decode.refinement(), Refinement::NONE);
        }
    }
}
