//! Conversion of half precision (IEEE binary16) to f32, which is exact, and back, and of small unsigned floats.

/// Converts the magnitude of a small float, with 5 bits of exponent (bias 15) at bit 23 and its mantissa below, to f32
/// bits. Denormals are exact; infinities and NaNs are kept.
#[inline(always)]
#[must_use]
pub(super) const fn rebias(magnitude: u32) -> u32 {
    const REBIAS: u32 = 112 << 23;
    let normal = magnitude.wrapping_add(REBIAS);
    // Denormals get a one in front of the mantissa, which is then subtracted. (A multiplication by 2^112 would do too, but
    // processors are slow with denormal operands.)
    let denormal = f32::from_bits(magnitude.wrapping_add(113 << 23)) - f32::from_bits(113 << 23);
    let value = if magnitude < 1 << 23 { denormal.to_bits() } else { normal };
    if magnitude >= 31 << 23 { normal.wrapping_add(REBIAS) } else { value }
}

/// log2 of the factor by which [`unscaled`] values are too large: a multiplication by its inverse remains to be done.
pub(super) const UNSCALED: u32 = 112;

/// Converts the magnitude of a small float, as [`rebias`] takes it, to its value times 2^112, with half of the operations of
/// [`rebias`]. Infinities are kept; a NaN becomes a NaN with any payload.
#[inline(always)]
#[must_use]
pub(super) const fn unscaled(magnitude: u32) -> f32 {
    // Exponents 0 to 31 become 224 to 255; denormals get a one in front of the mantissa, then lose it.
    let (step, one) =
        if (magnitude as i32) < 1 << 23 { (225 << 23, f32::from_bits(225 << 23)) } else { (224 << 23, 0.0) };
    f32::from_bits(magnitude.wrapping_add(step)) - one
}

/// Converts a half to f32. Denormals are exact; a NaN keeps its payload (in the high bits) and sign.
#[inline(always)]
#[must_use]
pub const fn to_f32(half: u16) -> f32 {
    let sign = ((half & 0x8000) as u32) << 16;
    f32::from_bits(sign | rebias(((half & 0x7fff) as u32) << 13))
}

/// Rounds to the nearest half (ties to even); values that are too large become infinity, any NaN becomes the quiet NaN 0x7e00
/// with its sign kept.
#[inline]
#[must_use]
pub const fn from_f32(value: f32) -> u16 {
    let sign = (value.to_bits() >> 16 & 0x8000) as u16;
    if value.is_nan() { sign | 0x7e00 } else { nearest(value) }
}

/// [`from_f32`] for values that are not NaN.
#[inline(always)]
pub(crate) const fn nearest(value: f32) -> u16 {
    const INFINITE: u32 = 0x4780_0000;
    let bits = value.to_bits();
    let (sign, magnitude) = ((bits >> 16 & 0x8000) as u16, bits & 0x7fff_ffff);
    // Below 2^-14: the sum with 0.5 has the half's denormal step as its last bit, so the addition rounds.
    let denormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0.5f32.to_bits());
    // Rebias, then round at bit 13; a carry runs into the exponent, up to infinity.
    let held = if magnitude < INFINITE { magnitude } else { INFINITE };
    let odd = held >> 13 & 1;
    let normal = held.wrapping_sub(112 << 23).wrapping_add(0xfff).wrapping_add(odd) >> 13;
    sign | (if magnitude < 0x3880_0000 { denormal } else { normal }) as u16
}

/// Converts an unsigned float with a 5-bit exponent and `width - 5` bits of mantissa
/// (11 or 10 bits: R11G11B10_FLOAT) to f32.
#[inline]
#[must_use]
pub const fn unsigned_to_f32(value: u32, width: u32) -> f32 {
    // The bits are those of a half without its sign and the lowest bits of its mantissa.
    to_f32((value << 15u32.saturating_sub(width) & 0x7fff) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a half by its definition, in f64 (which holds every half exactly).
    fn spec(half: u16) -> f64 {
        let (sign, e, m) = (half >> 15, i32::from(half >> 10 & 31), f64::from(half & 0x3ff));
        let v = match e {
            0 => m * libm::exp2(-24.0),
            31 if m == 0.0 => f64::INFINITY,
            31 => f64::NAN,
            _ => (1.0 + m / 1024.0) * libm::exp2(f64::from(e - 15)),
        };
        if sign == 1 { -v } else { v }
    }

    #[test]
    fn every_half_is_exact_and_comes_back() {
        for half in 0..=u16::MAX {
            let (got, want) = (to_f32(half), spec(half));
            let unscaled = f64::from(unscaled(u32::from(half & 0x7fff) << 13));
            assert_eq!(unscaled.is_nan(), want.is_nan(), "{half:#x}");
            assert!(want.is_nan() || unscaled == want.abs() * libm::exp2(UNSCALED.into()), "{half:#x}");
            if want.is_nan() {
                assert!(got.is_nan());
                assert_eq!(got.to_bits() >> 13 & 0x3ff, u32::from(half & 0x3ff));
                assert_eq!(from_f32(got), half & 0x8000 | 0x7e00);
            } else {
                assert_eq!(f64::from(got), want, "{half:#06x}");
                assert_eq!(got.is_sign_negative(), half >> 15 == 1);
                assert_eq!(from_f32(got), half);
            }
        }
    }

    #[test]
    fn rounds_to_nearest_even() {
        for half in 0..0x7c00u16 {
            let (low, high) = (spec(half), if half == 0x7bff { 65536.0 } else { spec(half + 1) });
            // The middle of two neighbours is exact in f32; so is a step to either side of it.
            let tie = (low + high) as f32 / 2.0;
            assert_eq!(from_f32(tie), half + (half & 1), "tie above {half:#06x}");
            assert_eq!(from_f32(f32::from_bits(tie.to_bits() - 1)), half, "below the tie above {half:#06x}");
            assert_eq!(
                from_f32(f32::from_bits(tie.to_bits() + 1)),
                half + 1,
                "above the tie above {half:#06x}"
            );
        }
        assert_eq!(from_f32(f32::MAX), 0x7c00);
        assert_eq!(from_f32(f32::NEG_INFINITY), 0xfc00);
        assert_eq!(from_f32(-f32::MIN_POSITIVE), 0x8000);
    }

    #[test]
    fn small_floats() {
        // 11 bits: exponent 15 is 1.0; the smallest denormal is 2^-20; 10 bits: 2^-19.
        assert_eq!(unsigned_to_f32(15 << 6, 11), 1.0);
        assert_eq!(unsigned_to_f32(1, 11), libm::exp2f(-20.0));
        assert_eq!(unsigned_to_f32(15 << 5 | 16, 10), 1.5);
        assert_eq!(unsigned_to_f32(1, 10), libm::exp2f(-19.0));
        assert_eq!(unsigned_to_f32(31 << 6, 11), f32::INFINITY);
        assert!(unsigned_to_f32(31 << 5 | 1, 10).is_nan());
        assert_eq!(unsigned_to_f32(0x7bf, 11), 65024.0);
    }
}
