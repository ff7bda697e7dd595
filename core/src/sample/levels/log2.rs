//! The binary logarithm without a division and without branches, so that compilers vectorise loops over it.

/// Returns the binary logarithm of a number that is 0 or more. The error is at most 10^-7 plus half a unit in the last place; powers of
/// two are exact.
#[cfg_attr(target_pointer_width = "64", inline(always))]
#[cfg_attr(not(target_pointer_width = "64"), inline(never))]
pub(crate) fn log2(x: f32) -> f32 {
    // Subnormal numbers are scaled by 2^25.
    let small = x < f32::MIN_POSITIVE;
    let (scaled, bias) = if small { (x * 33_554_432.0, -152.0) } else { (x, -127.0) };
    let value = of_normal(scaled, bias);
    // Infinity and NaN are their own logarithms.
    let value = if x < f32::INFINITY { value } else { x };
    if x == 0.0 { f32::NEG_INFINITY } else { value }
}

/// [`log2`] of a positive normal number.
#[inline(always)]
pub(super) fn log2_of_normal(x: f32) -> f32 {
    of_normal(x, -127.0)
}

/// Returns the binary logarithm of a positive normal number; `bias` is added to its exponent field.
#[inline(always)]
fn of_normal(scaled: f32, bias: f32) -> f32 {
    const ROOT_HALF: u32 = 0x3f35_04f3;
    // log2(1 + f) / f, for 1 + f from the root of 1/2 to the root of 2: the polynomial of degree 8 whose product with f has the least
    // error. Each coefficient was rounded before the next ones were computed.
    const A: [f32; 9] = [
        1.442_694_9,
        -0.721_347_15,
        0.480_920_43,
        -0.360_719_08,
        0.287_694_84,
        -0.238_569_69,
        0.217_156_72,
        -0.209_959_8,
        0.125_507,
    ];
    let from_root = scaled.to_bits().wrapping_add(1.0_f32.to_bits().wrapping_sub(ROOT_HALF));
    let k = (from_root >> 23) as i32 as f32 + bias;
    let f = f32::from_bits((from_root & 0x7f_ffff).wrapping_add(ROOT_HALF)) - 1.0;
    // Evaluated in pairs, which do not depend on each other.
    let (f2, [a, b, c, d, e, g, h, i, j]) = (f * f, A);
    let f4 = f2 * f2;
    let low = (a + b * f) + (c + d * f) * f2;
    let high = (e + g * f) + (h + i * f) * f2 + j * f4;
    (low + high * f4) * f + k
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_near_the_logarithm() {
        for bits in (1..0x7f80_0000_u32).step_by(997).chain(1..2000) {
            let x = f32::from_bits(bits);
            let exact = libm::log2(x.into());
            let last_place = exact as f32;
            let half = f64::from((last_place.next_up() - last_place).abs()) / 2.0;
            let error = (f64::from(log2(x)) - exact).abs();
            assert!(error <= 1e-7 + half, "{x:e}: {error:e}");
            if x.is_normal() {
                assert_eq!(log2_of_normal(x).to_bits(), log2(x).to_bits(), "{x:e}");
            }
        }
        assert!(log2(f32::NAN).is_nan());
        assert_eq!([0.0, f32::INFINITY].map(log2), [f32::NEG_INFINITY, f32::INFINITY]);
    }

    #[test]
    fn powers_of_two_are_exact() {
        for power in -149..=127_i16 {
            assert_eq!(log2(libm::exp2f(power.into())), f32::from(power));
        }
    }
}
