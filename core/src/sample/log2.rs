//! The binary logarithm of lanes, with the bits of `libm::log2f`.

/// [`libm::log2f`] of a number that is 0 or more, operation for operation, for the same bits; written without branches
/// so that compilers make vectors of a loop over it.
// Its algorithm and constants are those of FreeBSD's e_log2f.c: "Copyright (C) 1993 by Sun Microsystems, Inc. All
// rights reserved. Developed at SunPro, a Sun Microsystems, Inc. business. Permission to use, copy, modify, and
// distribute this software is freely granted, provided that this notice is preserved."
#[cfg_attr(target_pointer_width = "64", inline(always))]
#[cfg_attr(not(target_pointer_width = "64"), inline(never))]
pub(super) fn log2(x: f32) -> f32 {
    // Subnormal numbers are scaled by 2^25.
    let small = x < f32::MIN_POSITIVE;
    let (scaled, bias) = if small { (x * 33_554_432.0, -152.0) } else { (x, -127.0) };
    let value = of_normal(scaled, bias);
    // Infinity and NaN are their own logarithms.
    let value = if x < f32::INFINITY { value } else { x };
    if x == 0.0 { f32::NEG_INFINITY } else { value }
}

/// [`log2`] of a normal number that is more than 0.
#[inline(always)]
pub(super) fn log2_of_normal(x: f32) -> f32 {
    of_normal(x, -127.0)
}

/// The logarithm of a normal number that is more than 0, for exponents of a bias.
#[inline(always)]
fn of_normal(scaled: f32, bias: f32) -> f32 {
    const ROOT_HALF: u32 = 0x3f35_04f3;
    const LOW: f32 = -1.760_528_5e-4;
    const HIGH: f32 = 1.442_871_1;
    let from_root = scaled.to_bits().wrapping_add(1.0_f32.to_bits().wrapping_sub(ROOT_HALF));
    let k = (from_root >> 23) as i32 as f32 + bias;
    let f = f32::from_bits((from_root & 0x7f_ffff).wrapping_add(ROOT_HALF)) - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let t1 = w * (0.400_009_72 + w * 0.242_790_79);
    let t2 = z * (0.666_666_6 + w * 0.284_987_87);
    let r = t2 + t1;
    let hfsq = 0.5 * f * f;
    let hi = f32::from_bits((f - hfsq).to_bits() & 0xffff_f000);
    let lo = f - hi - hfsq + s * (hfsq + r);
    (lo + hi) * LOW + lo * HIGH + hi * HIGH + k
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_the_bits_of_libm() {
        for bits in (0..=0x7f80_0000_u32).step_by(997).chain(0..2000).chain([0x7f80_0000]) {
            let x = f32::from_bits(bits);
            assert_eq!(log2(x).to_bits(), libm::log2f(x).to_bits(), "{x:e}");
            if x.is_normal() {
                assert_eq!(log2_of_normal(x).to_bits(), log2(x).to_bits(), "{x:e}");
            }
        }
        assert!(log2(f32::NAN).is_nan());
    }
}
